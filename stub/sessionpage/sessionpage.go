// Package sessionpage writes a page of HTML that shows a debug session: where the lanes stand, as a map and
// beside the lines of the source, and what the launch costs line by line. The page needs no script, and
// nothing else but itself. It knows no session: who writes a page says what is on it. Entry point:
// [Page.Write].
package sessionpage

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"simtgdb/loader/printable"
	"simtgdb/stub/lanemap"
	"simtgdb/stub/profile"
	"simtgdb/stub/source"
)

// A Page is what is shown.
type Page struct {
	Kernel  string
	Stop    string       // where the session stands, or how it has ended
	Map     *lanemap.Map // where lanes stood at the latest stop
	Report  *profile.Report
	Note    string // what is to be said of the report
	Live    bool   // the session goes on: a browser shall look again
	Sources *source.Finder

	written  *profile.Report // the report that was written last
	fragment template.HTML   // what was written of it, for it does not change from stop to stop
}

// Write writes the page.
func (p *Page) Write(w io.Writer) error {
	v := &view{Page: p}
	if p.Map != nil {
		var svg bytes.Buffer
		if err := p.Map.SVG(&svg); err != nil {
			return err
		}
		v.Picture = template.URL("data:image/svg+xml;base64," +
			base64.StdEncoding.EncodeToString(svg.Bytes()))
	}
	if p.Report != nil && p.Report != p.written {
		var report bytes.Buffer
		if err := p.Report.Fragment(&report, "launch-"); err != nil {
			return err
		}
		p.written, p.fragment = p.Report, template.HTML(report.String())
	}
	v.Style = profile.Style()
	if p.Report != nil {
		v.Profile = p.fragment
	}
	v.Files = p.files()
	return pageTemplate().Execute(w, v)
}

// A view is a page with what its template needs.
type view struct {
	*Page
	Style, Profile template.HTML
	Picture        template.URL
	Files          []file
}

// A file is one of the source, with the lines that are shown.
type file struct {
	Name string
	Rows []row
}

// A row is a line. Gap: lines before it are not shown.
type row struct {
	Number  int
	Text    string
	Gap     bool
	Colour  template.CSS
	Lanes   *lanemap.Tally
	Figures *profile.Line
	most    uint64 // instructions of a line
	all     int    // lanes on the map
}

// Width is how long the bar of a line is, of 100.
func (r row) Width() float64 { return 100 * float64(r.Figures.Executed) / float64(max(r.most, 1)) }

// Share is how wide the bar of some of the lanes is: all of those on the map are six wide.
func (r row) Share(lanes int) string {
	return fmt.Sprintf("%.2f", max(0.15, 6*float64(lanes)/float64(max(r.all, 1))))
}

// Percent is which part of the lanes executed.
func (r row) Percent() string { return fmt.Sprintf("%.0f %%", 100*r.Figures.Efficiency()) }

// Coalescing is how few lines of memory were touched for what was asked for.
func (r row) Coalescing() string {
	if r.Figures.Lines == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f %%", 100*r.Figures.Coalescing())
}

// Bounds of what is shown: lines around those with something to say, and lines of a file.
const (
	around   = 3
	maxLines = 4000
)

// files are the files with lines where lanes stand, or that were executed; headers of compilers last.
func (p *Page) files() []file {
	rows := map[string]map[int]row{}
	at := func(name string, number int) row {
		if rows[name] == nil {
			rows[name] = map[int]row{}
		}
		return rows[name][number]
	}
	if p.Map != nil {
		tallies, all := p.Map.Tallies(), 0
		for _, t := range tallies {
			all += t.Active + t.Off + t.Faulted
		}
		for i, t := range tallies {
			if place := p.Map.Places[i]; place.File != "" {
				r := at(place.File, place.Line)
				r.Lanes, r.all, r.Colour = &t, all, template.CSS("background: "+lanemap.Colour(i))
				rows[place.File][place.Line] = r
			}
		}
	}
	most := uint64(0)
	if p.Report != nil {
		for i := range p.Report.Lines {
			if l := &p.Report.Lines[i]; l.File != "" && l.Number > 0 {
				r := at(l.File, l.Number)
				r.Figures, most = l, max(most, l.Executed)
				rows[l.File][l.Number] = r
			}
		}
	}
	var files []file
	for name, lines := range rows {
		files = append(files, file{printable.Name(name), p.rows(name, lines, most)})
	}
	slices.SortFunc(files, func(a, b file) int {
		return cmp.Or(cmp.Compare(headers(a.Name), headers(b.Name)), strings.Compare(a.Name, b.Name))
	})
	return files
}

// headers is 1 for a file that is installed with compilers and libraries.
func headers(name string) int {
	if profile.Installed(name) {
		return 1
	}
	return 0
}

// rows are the lines of a file that are shown: those with something to say, and some around them.
func (p *Page) rows(name string, lines map[int]row, most uint64) (shown []row) {
	wanted := map[int]bool{}
	for n := range lines {
		for i := max(1, n-around); i <= n+around; i++ {
			wanted[i] = true
		}
	}
	last := 0
	for _, n := range slices.Sorted(maps.Keys(wanted)) {
		r, known := lines[n]
		text, is := p.text(name, n)
		if !known && !is || len(shown) == maxLines {
			continue
		}
		r.Number, r.Text, r.most, r.Gap = n, text, most, last > 0 && n > last+1
		shown, last = append(shown, r), n
	}
	return shown
}

// text is that of a line.
func (p *Page) text(name string, line int) (string, bool) {
	if p.Sources == nil {
		return "", false
	}
	return p.Sources.Line(source.Position{File: name, Line: uint32(line)})
}

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Parse(pageText))
})

//go:embed page.html
var pageText string
