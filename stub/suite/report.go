package suite

import (
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// Failed counts the results of cases that failed.
func Failed(results []Result) (n int) {
	for _, r := range results {
		if r.Failure != "" {
			n++
		}
	}
	return n
}

// WriteJUnit writes results in the form that JUnit's Ant task writes, which CI systems read: a suite with a
// case for each, whose class is its folder.
func WriteJUnit(w io.Writer, results []Result) error {
	type failure struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
	type testcase struct {
		Class   string   `xml:"classname,attr"`
		Name    string   `xml:"name,attr"`
		Time    string   `xml:"time,attr"`
		Failure *failure `xml:"failure"`
	}
	type testsuite struct {
		XMLName  xml.Name   `xml:"testsuite"`
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Errors   int        `xml:"errors,attr"`
		Skipped  int        `xml:"skipped,attr"`
		Time     string     `xml:"time,attr"`
		Cases    []testcase `xml:"testcase"`
	}
	var all time.Duration
	s := testsuite{Name: "simtgdb", Tests: len(results), Failures: Failed(results)}
	for _, r := range results {
		folder, name := path.Split(filepath.ToSlash(r.Name))
		c := testcase{Class: strings.ReplaceAll(strings.Trim(folder, "/"), "/", "."), Name: name,
			Time: seconds(r.Took)}
		if r.Failure != "" {
			c.Failure = &failure{r.Failure, r.Output}
		}
		s.Cases = append(s.Cases, c)
		all += r.Took
	}
	s.Time = seconds(all)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(s); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// WriteTAP writes results as the Test Anything Protocol has them (testanything.org, version 13).
func WriteTAP(w io.Writer, results []Result) error {
	var b strings.Builder
	fmt.Fprintf(&b, "TAP version 13\n1..%d\n", len(results))
	for i, r := range results {
		word := "ok"
		if r.Failure != "" {
			word = "not ok"
		}
		fmt.Fprintf(&b, "%s %d - %s\n", word, i+1, strings.ReplaceAll(oneLine(r.Name), "#", "\\#"))
		if r.Failure == "" {
			continue
		}
		fmt.Fprintf(&b, "# %s\n", oneLine(r.Failure))
		for line := range strings.Lines(r.Output) {
			fmt.Fprintf(&b, "# %s\n", oneLine(strings.TrimRight(line, "\r\n")))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// oneLine is a text without what ends lines.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' {
			return ' '
		}
		return r
	}, s)
}
