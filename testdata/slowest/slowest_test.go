package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRecorded: of packages that have broken off, as go 1.26 said so, it is told which tests ran, those
// within others too, and what they had printed, and of a test that had ended nothing.
func TestRecorded(t *testing.T) {
	for _, c := range []struct {
		file string
		want []string
	}{
		{"panics.json", []string{"panic: boom [recovered, repanicked]\n", "panics/p_test.go:5",
			"These tests have not ended: TestBeside\n=== RUN   TestBeside\n", "p_test.go:4: beside\n",
			"FAIL\tpanics\t", "fail     0.10s  panics\n"}},
		{"late.json", []string{"These tests have not ended: TestLong, TestLong/inner\n", "begun\n",
			"panic: test timed out after 1s\n", "FAIL\tlate\t", "fail     1.00s  late\n"}},
	} {
		events, err := os.ReadFile(filepath.Join("testdata", c.file))
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if report(bytes.NewReader(events), &out) {
			t.Errorf("%s has passed", c.file)
		}
		said := out.String()
		for _, want := range c.want { // in this order
			_, rest, found := strings.Cut(said, want)
			if !found {
				t.Errorf("%s: no %q, or not behind what is before it, in\n%s", c.file, want, &out)
				break
			}
			said = rest
		}
		if text, _, _ := strings.Cut(out.String(), "\nThe slowest"); strings.Contains(text, "TestGood") {
			t.Errorf("%s: what has passed is told:\n%s", c.file, text)
		}
	}
}

// TestLongTexts: of a text of many lines the first and the last are told, and how many are not.
func TestLongTexts(t *testing.T) {
	r := run{printed: map[string]*strings.Builder{}}
	for i := range mostLines + 50 {
		r.prints("TestLong", fmt.Sprintf("line %d\n", i))
	}
	r.prints("", "FAIL\n")
	var out strings.Builder
	r.show(&out)
	lines := strings.Split(out.String(), "\n")
	if len(lines) != mostLines+3 || lines[mostLines/2] != "(50 lines are left out)" ||
		lines[mostLines/2+1] != "line 150" || lines[mostLines] != "line 249" || lines[mostLines+1] != "FAIL" {
		t.Errorf("%d lines:\n%s", len(lines), &out)
	}
}

// TestReport: what failed, or has not ended, is told with all that it has printed, and what passed is not.
func TestReport(t *testing.T) {
	const passes = `{"Action":"start","Package":"a"}
{"Action":"output","Package":"a","Test":"TestGood","Output":"quiet\n"}
{"Action":"pass","Package":"a","Test":"TestGood","Elapsed":2.5}
{"Action":"pass","Package":"a","Elapsed":3}
`
	const fails = `{"Action":"start","Package":"b"}
{"Action":"output","Package":"b","Test":"TestBad/x","Output":"    x_test.go:1: wrong\n"}
{"Action":"fail","Package":"b","Test":"TestBad/x","Elapsed":1}
{"Action":"fail","Package":"b","Test":"TestBad","Elapsed":1}
{"Action":"output","Package":"b","Output":"FAIL\tb\n"}
{"Action":"fail","Package":"b","Elapsed":1}
`
	for _, c := range []struct {
		in   string
		ok   bool
		want []string
	}{
		{passes, true, []string{"pass     3.00s  a", "     2.5 s  a TestGood"}},
		{passes + fails, false, []string{"x_test.go:1: wrong\n", "FAIL\tb\n", "fail     1.00s  b"}},
		{passes + `{"Action":"start","Package":"c"}` + "\n" +
			`{"Action":"output","Package":"c","Test":"TestLong","Output":"panic\n"}`,
			false, []string{"c has not ended:\npanic\n"}},
		{passes + `{"ImportPath":"d","Action":"build-output","Output":"d.go:1: no\n"}` + "\n" +
			`{"ImportPath":"d","Action":"build-fail"}` + "\n", false, []string{"d.go:1: no\n"}},
		{"go: no such tool\n", false, []string{"go: no such tool\n"}},
	} {
		var out strings.Builder
		if ok := report(strings.NewReader(c.in), &out); ok != c.ok {
			t.Errorf("%v for\n%s", ok, c.in)
		}
		for _, want := range c.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("no %q in\n%s", want, &out)
			}
		}
		if strings.Contains(out.String(), "quiet") {
			t.Errorf("what passed has been printed:\n%s", &out)
		}
	}
}
