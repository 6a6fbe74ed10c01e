package profile

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"sort"
	"strings"
	"sync"
)

// HTML writes the report as one page that needs nothing else: no scripts, no fonts, no pictures of others.
func (r *Report) HTML(w io.Writer) error {
	return pageTemplates().ExecuteTemplate(w, "page", r.page(""))
}

// Fragment writes what such a page has of the report, for a page of others with [Style]. Prefix begins the
// names of its places.
func (r *Report) Fragment(w io.Writer, prefix string) error {
	if err := pageTemplates().ExecuteTemplate(w, "legend", nil); err != nil {
		return err
	}
	return pageTemplates().ExecuteTemplate(w, "report", r.page(prefix))
}

// Style is the look of pages.
func Style() template.HTML {
	var b strings.Builder
	if err := pageTemplates().ExecuteTemplate(&b, "style", nil); err != nil {
		panic(err) // it needs nothing
	}
	return template.HTML(b.String())
}

// page makes what the template needs. Prefix begins the names of its places.
func (r *Report) page(prefix string) *page {
	p := &page{Report: r, Prefix: prefix, Hottest: r.hottest()}
	for i := range p.Hottest {
		p.most = max(p.most, p.Hottest[i].Executed)
	}
	if len(p.Hottest) > 3*most {
		p.Hottest = p.Hottest[:3*most]
	}
	for _, t := range tables {
		list := r.costly(t.figure)
		if len(list) > most {
			list = list[:most]
		}
		if len(list) == 0 {
			continue
		}
		rows := ranking{Title: t.title}
		for _, in := range list {
			rows.Rows = append(rows.Rows, ranked{in, t.figure(&in.Figures)})
		}
		p.Rankings = append(p.Rankings, rows)
	}
	p.Rows, p.HiddenLines = mostExecuted(r.Lines, func(l *Line) uint64 { return l.Executed })
	p.Rows, p.Headers = ownFirst(p.Rows)
	p.Code, p.HiddenCode = mostExecuted(r.Instructions, func(in *Instruction) uint64 { return in.Executed })
	p.timeline()
	return p
}

// ownFirst parts lines of the program's own files from those of headers that are installed with compilers and
// libraries, which a page folds away. Where there are no others they count as own.
func ownFirst(lines []Line) (own, headers []Line) {
	for _, l := range lines {
		if Installed(l.File) {
			headers = append(headers, l)
		} else {
			own = append(own, l)
		}
	}
	if len(own) == 0 {
		return headers, nil
	}
	return own, headers
}

// Installed reports whether a file is one of a compiler's or a library's headers, by where those are put.
func Installed(file string) bool {
	return strings.HasPrefix(file, "/usr/") || strings.HasPrefix(file, "/opt/") ||
		strings.Contains(file, "/include/")
}

// maxRows bounds the tables of all lines and of all instructions.
const maxRows = 4096

// mostExecuted are the rows of a list for which most was executed, in their order, and how many there are
// besides.
func mostExecuted[T any](list []T, executed func(*T) uint64) (shown []T, hidden int) {
	if len(list) <= maxRows {
		return list, 0
	}
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order,
		func(i, j int) bool { return executed(&list[order[i]]) > executed(&list[order[j]]) })
	order = order[:maxRows]
	sort.Ints(order)
	for _, i := range order {
		shown = append(shown, list[i])
	}
	return shown, len(list) - maxRows
}

// A page is a report with what its template needs.
type page struct {
	*Report
	Prefix   string
	Hottest  []Line
	Rankings []ranking
	Bars     []bar
	Hidden   int // waves that the timeline leaves out

	// What the tables have of the report's lines and instructions: those with the most executed; and how many
	// not.
	Rows        []Line
	Headers     []Line // lines of headers, behind the others
	Code        []Instruction
	HiddenLines int
	HiddenCode  int
	Height      int

	most uint64 // instructions of a line
}

type ranking struct {
	Title string
	Rows  []ranked
}

type ranked struct {
	Instruction
	Value uint64
}

// A bar is a wave in the timeline, in a picture that is timelineWidth wide.
type bar struct {
	Y        int
	X, Width float64
	Title    string
	Waits    []rect
}

type rect struct{ X, Width float64 }

const (
	timelineWidth = 1000
	barHeight     = 8
	maxBars       = 400
	closeWaits    = 1 // waits that are closer are drawn as one
)

// timeline places the waves.
func (p *page) timeline() {
	p.Hidden = p.WavesLeftOut
	scale := func(t uint64) float64 { return float64(t) / float64(max(p.Turns, 1)) * timelineWidth }
	for i, w := range p.Waves {
		if i == maxBars {
			p.Hidden += len(p.Waves) - i
			break
		}
		launch := ""
		if w.Launch > 0 {
			launch = fmt.Sprintf("launch %d, ", w.Launch)
		}
		b := bar{Y: i * (barHeight + 2), X: scale(w.From - 1), Width: scale(w.To - w.From + 1),
			Title: fmt.Sprintf("%swave %d, workgroup %v: turns %d to %d, %d instructions, %d waits", launch,
				w.Wave, w.Group, w.From, w.To, w.Executed, len(w.Waits))}
		for _, s := range w.Waits {
			x, width := scale(s.From), scale(s.To-s.From)
			if n := len(b.Waits) - 1; n >= 0 && x-b.Waits[n].X-b.Waits[n].Width < closeWaits {
				b.Waits[n].Width = x + width - b.Waits[n].X
				continue
			}
			b.Waits = append(b.Waits, rect{x, width})
		}
		p.Bars = append(p.Bars, b)
		p.Height = b.Y + barHeight + 2
	}
}

// Width is how long the bar of a line is, of 100.
func (p *page) Width(executed uint64) float64 {
	return 100 * float64(executed) / float64(max(p.most, 1))
}

var pageTemplates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"place": breakable, "percent": percent, "dash": dash, "perByte": perByte, "share": share,
		"shade": func(r float64) template.CSS {
			return template.CSS(fmt.Sprintf("rgba(200, 40, 40, %.2f)", 0.6*(1-r)))
		},
	}).Parse(pageText))
})

// breakable is a place whose path may be broken behind its slashes, and nowhere else.
func breakable(file string, line int, function string) template.HTML {
	escaped := template.HTMLEscapeString(place(file, line, function))
	return template.HTML(strings.ReplaceAll(escaped, "/", "/<wbr>"))
}

//go:embed page.html
var pageText string
