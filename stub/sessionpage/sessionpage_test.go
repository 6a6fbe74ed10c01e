package sessionpage

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simtgdb/stub/lanemap"
	"simtgdb/stub/profile"
	"simtgdb/stub/source"
)

// shown has lanes at two lines of a file of 40 lines, and figures of three.
func shown(t *testing.T) *Page {
	folder := t.TempDir()
	text := strings.Repeat("line;\n", 40)
	if err := os.WriteFile(filepath.Join(folder, "k.hip"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	figures := func(n uint64) profile.Figures {
		return profile.Figures{Executed: n, Lanes: 16 * n, Possible: 64 * n, Lines: 4, BestLines: 3}
	}
	return &Page{Kernel: "k<int>", Stop: "Thread 1.", Live: true,
		Sources: &source.Finder{Folders: []string{folder}}, Map: &lanemap.Map{
			Places: []lanemap.Place{{Name: "k.hip:5", File: "k.hip", Line: 5},
				{Name: "k.hip:30", File: "k.hip", Line: 30},
				{Name: "0x40"}},
			Waves: []lanemap.Wave{{Marked: -1,
				Lanes: []lanemap.Lane{{State: lanemap.Active}, {State: lanemap.Off},
					{State: lanemap.Off, Place: 1}, {State: lanemap.Faulted, Place: 1},
					{State: lanemap.Active, Place: 2},
					{State: lanemap.Ended}, {}}}}},
		Report: &profile.Report{Lines: []profile.Line{{File: "k.hip", Number: 5, Figures: figures(8)},
			{File: "/usr/include/a<b>.h", Number: 9, Figures: figures(2)}}},
		Note: "Counted.",
	}
}

// TestPage: each line has its lanes and figures, with the text around it; headers come last, and names are
// escaped.
func TestPage(t *testing.T) {
	var b strings.Builder
	if err := shown(t).Write(&b); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, want := range []string{"<h1>k&lt;int&gt;</h1>", `http-equiv="refresh"`,
		" 1, 1 off</td><td class=\"num\">5</td>",
		" 0, 1 off <span class=\"fault\">1 faulted</span></td><td class=\"num\">30</td>", ">25 %</td>",
		">75 %</td>", "/usr/include/a&lt;b&gt;.h", "data:image/svg&#43;xml;base64,", "Counted."} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s", want)
		}
	}
	const lines = 7 + 7 + 1 // 2 to 8, 27 to 33, and the header's
	if n := strings.Count(page, `<td class="num">`); n != lines {
		t.Errorf("%d lines, want %d", n, lines)
	}
	if n := strings.Count(page, `class="gap"`); n != 1 {
		t.Errorf("%d gaps, want 1", n)
	}
	if strings.Index(page, "<h2>k.hip") > strings.Index(page, "<h2>/usr/") {
		t.Error("headers come first")
	}
	if strings.Contains(page, "ZgotmplZ") {
		t.Error("the template refuses something")
	}
}

// TestAnotherReport: the page has the report that there is when it is written.
func TestAnotherReport(t *testing.T) {
	p := shown(t)
	for _, want := range []struct {
		report     *profile.Report
		has, lacks string
	}{{p.Report, "k.hip:5", "other.hip"}, {p.Report, "k.hip:5", "other.hip"},
		{&profile.Report{Lines: []profile.Line{{File: "other.hip", Number: 1,
			Figures: profile.Figures{Executed: 1}}}}, "other.hip", "launch-k.hip"},
		{nil, "", "other.hip"}} {
		var b strings.Builder
		p.Report = want.report
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		if page := b.String(); !strings.Contains(page, want.has) || strings.Contains(page, want.lacks) {
			t.Errorf("want %q and no %q in\n%s", want.has, want.lacks, page)
		}
	}
}

// TestNothing: a page of which nothing is known yet is one.
func TestNothing(t *testing.T) {
	var b strings.Builder
	if err := (&Page{Kernel: "k", Note: "Not counted."}).Write(&b); err != nil ||
		!strings.Contains(b.String(), "Not counted.") {
		t.Errorf("%v: %s", err, &b)
	}
	if strings.Contains(b.String(), "refresh") || strings.Contains(b.String(), "<img") {
		t.Errorf("%s", &b)
	}
}
