package sessionpage

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
	if !strings.Contains(page, string(profile.Style())) {
		t.Error("the report has no style")
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

// TestFiles: of each file the lines with something to say are shown, and three on each side where the text is
// there, with a gap where others are left out; what has no file or no line is not shown.
func TestFiles(t *testing.T) {
	p := shown(t)
	p.Report.Lines = append(p.Report.Lines, profile.Line{File: "k.hip", Number: 1},
		profile.Line{File: "zero.hip"}, profile.Line{Number: 7}, profile.Line{File: "a.hip", Number: 1},
		profile.Line{File: "a.hip", Number: 3})
	type line struct {
		number int
		text   string
		gap    bool
	}
	var names []string
	got := map[string][]line{}
	for _, f := range p.files() {
		names = append(names, f.Name)
		for _, r := range f.Rows {
			got[f.Name] = append(got[f.Name], line{r.Number, r.Text, r.Gap})
		}
	}
	if want := "a.hip k.hip /usr/include/a<b>.h"; strings.Join(names, " ") != want {
		t.Errorf("%v, want %s", names, want)
	}
	want := map[string][]line{"a.hip": {{1, "", false}, {3, "", true}},
		"/usr/include/a<b>.h": {{9, "", false}}}
	for n := 1; n <= 33; n++ {
		if n <= 8 || n >= 27 {
			want["k.hip"] = append(want["k.hip"], line{n, "line;", n == 27})
		}
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(line{})); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	p.Sources = nil
	if f := p.files(); len(f) != 3 || len(f[1].Rows) != 3 {
		t.Errorf("without sources: %+v", f)
	}
}

// TestMostLines: of a long file 4000 lines are shown.
func TestMostLines(t *testing.T) {
	p := &Page{Report: &profile.Report{Lines: make([]profile.Line, 4010)}}
	for i := range p.Report.Lines {
		p.Report.Lines[i] = profile.Line{File: "long.hip", Number: i + 1}
	}
	if rows := p.files()[0].Rows; len(rows) != 4000 || rows[3999].Number != 4000 {
		t.Errorf("%d lines", len(rows))
	}
}

// TestBars: the bar of the line with most instructions is full, and those of lanes share six widths by their
// number, of which each has enough to be seen; lines without accesses have no share of lines of memory.
func TestBars(t *testing.T) {
	p := shown(t)
	rows := map[int]row{}
	for _, r := range p.files()[0].Rows {
		rows[r.Number] = r
	}
	five, thirty := rows[5], rows[30]
	if *five.Lanes != (lanemap.Tally{Active: 1, Off: 1}) || five.all != 5 || thirty.all != 5 ||
		five.Colour == thirty.Colour {
		t.Errorf("%+v, %+v", five, thirty)
	}
	if five.Width() != 100 || five.Percent() != "25 %" || five.Coalescing() != "75 %" ||
		five.Share(1) != "1.20" || five.Share(5) != "6.00" {
		t.Errorf("line 5: %v %s %s %s", five.Width(), five.Percent(), five.Coalescing(), five.Share(1))
	}
	header := p.files()[1].Rows[0]
	if header.Width() != 25 {
		t.Errorf("a line with a quarter of the most: %v", header.Width())
	}
	header.Figures.Lines, header.Figures.Lanes = 0, header.Figures.Possible
	if got := header.Percent(); got != "100 %" {
		t.Errorf("all lanes: %s", got)
	}
	if got := header.Coalescing(); got != "" {
		t.Errorf("nothing accessed: %q", got)
	}
	if one, many := (row{all: 1}).Share(1), (row{all: 1000}).Share(1); one != "6.00" || many != "0.15" {
		t.Errorf("one of one %s, one of a thousand %s", one, many)
	}
	if once := (row{Figures: &profile.Line{Figures: profile.Figures{Executed: 1}},
		most: 1}); once.Width() != 100 {
		t.Errorf("all of one instruction: %v", once.Width())
	}
	if none := (row{Figures: &profile.Line{}}); none.Width() != 0 {
		t.Errorf("nothing executed: %v", none.Width())
	}
}
