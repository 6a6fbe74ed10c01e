package profile

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"simtgdb/loader/printable"
)

// Stacks are written for programs that draw them: folded (a line a stack, as flamegraph.pl takes them), as
// speedscope's file format, and as pprof's (pprof.go).

// name is a function, for people.
func (f *Frame) name() string {
	if f.Function == "" {
		return "?"
	}
	return f.Function
}

// place is where the frame is, for people; "" if that is not known.
func (f *Frame) place() string {
	if f.Line == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d", f.File, f.Line)
}

// unfolded are characters that mean something in a folded line.
var unfolded = strings.NewReplacer(";", ":", "\n", " ", "\r", " ")

// Folded writes the stacks a line each, outermost function first, the line of the source last, and behind a
// blank how many instructions waves executed there.
func (r *Report) Folded(w io.Writer) error { return writeFolded(w, r.Stacks) }

// Folded writes the stacks of all kernels.
func (s *Session) Folded(w io.Writer) error { return writeFolded(w, s.stacks()) }

// stacks are those of all kernels.
func (s *Session) stacks() (all []Stack) {
	for _, k := range s.Kernels {
		all = joinStacks(all, k.Stacks)
	}
	return all
}

func writeFolded(w io.Writer, stacks []Stack) error {
	var out strings.Builder
	var order []string
	executed := map[string]uint64{}
	for _, s := range stacks {
		line := ""
		for i := len(s.Frames) - 1; i >= 0; i-- {
			line += unfolded.Replace(s.Frames[i].name()) + ";"
		}
		line += unfolded.Replace(cmp.Or(s.Frames[0].place(), "no line"))
		if _, ok := executed[line]; !ok {
			order = append(order, line)
		}
		executed[line] += s.Executed
	}
	for _, line := range order {
		fmt.Fprintf(&out, "%s %d\n", line, executed[line])
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// A caller is a function in the tree of calls.
type caller struct {
	name       string
	own, total uint64
	calls      []*caller
}

// call is the function of a name that a caller calls.
func (c *caller) call(name string) *caller {
	for _, n := range c.calls {
		if n.name == name {
			return n
		}
	}
	n := &caller{name: name}
	c.calls = append(c.calls, n)
	return n
}

// Tree writes the functions below those that call them: how many instructions waves have executed in a
// function and what it calls, and in it alone.
func (r *Report) Tree(w io.Writer) error { return writeTree(w, r.Stacks) }

// Tree writes the functions of all kernels.
func (s *Session) Tree(w io.Writer) error { return writeTree(w, s.stacks()) }

func writeTree(w io.Writer, stacks []Stack) error {
	root := &caller{}
	for _, s := range stacks {
		at := root
		for i := len(s.Frames) - 1; i >= 0; i-- {
			at = at.call(s.Frames[i].name())
			at.total += s.Executed
		}
		at.own += s.Executed
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%12s %12s  %s\n", "with calls", "alone", "function")
	root.write(&out, -1)
	_, err := io.WriteString(w, out.String())
	return err
}

func (c *caller) write(out *strings.Builder, depth int) {
	if depth >= 0 {
		fmt.Fprintf(out, "%12d %12d  %s%s\n", c.total, c.own, strings.Repeat("  ", depth),
			printable.Name(c.name))
	}
	slices.SortStableFunc(c.calls, func(a, b *caller) int {
		return cmp.Or(cmp.Compare(b.total, a.total), cmp.Compare(a.name, b.name))
	})
	for _, n := range c.calls {
		n.write(out, depth+1)
	}
}

// The parts of speedscope's file format.
type (
	scopeFile struct {
		Schema   string         `json:"$schema"`
		Exporter string         `json:"exporter"`
		Name     string         `json:"name"`
		Shared   scopeShared    `json:"shared"`
		Profiles []scopeProfile `json:"profiles"`
	}
	scopeShared struct {
		Frames []scopeFrame `json:"frames"`
	}
	scopeFrame struct {
		Name string `json:"name"`
		File string `json:"file,omitempty"`
		Line int    `json:"line,omitempty"`
	}
	scopeProfile struct {
		Type       string   `json:"type"`
		Name       string   `json:"name"`
		Unit       string   `json:"unit"`
		StartValue uint64   `json:"startValue"`
		EndValue   uint64   `json:"endValue"`
		Samples    [][]int  `json:"samples"` // outermost first
		Weights    []uint64 `json:"weights"`
	}
)

// values are what is counted of a stack, with its unit as pprof and speedscope have it.
var values = []struct {
	name, pprofUnit, scopeUnit string
	of                         func(s *Stack) uint64
}{
	{"instructions", "count", "none", func(s *Stack) uint64 { return s.Executed }},
	{"lanes", "count", "none", func(s *Stack) uint64 { return s.Lanes }},
	{"memory", "bytes", "bytes", func(s *Stack) uint64 { return s.Bytes }},
}

// Speedscope writes the stacks as a file for speedscope: what waves executed, what lanes did, and bytes of
// global memory.
func (r *Report) Speedscope(w io.Writer) error { return writeSpeedscope(w, r.SourceName, r.Stacks) }

// Speedscope writes the stacks of all kernels.
func (s *Session) Speedscope(w io.Writer) error { return writeSpeedscope(w, s.Program, s.stacks()) }

func writeSpeedscope(w io.Writer, name string, stacks []Stack) error {
	f := scopeFile{Schema: "https://www.speedscope.app/file-format-schema.json", Exporter: "simtgdb",
		Name: name, Shared: scopeShared{[]scopeFrame{}}}
	index := map[scopeFrame]int{}
	samples := make([][]int, len(stacks))
	for i, s := range stacks {
		for j := len(s.Frames) - 1; j >= 0; j-- {
			one := scopeFrame{s.Frames[j].name(), s.Frames[j].File, s.Frames[j].Line}
			n, ok := index[one]
			if !ok {
				n = len(f.Shared.Frames)
				index[one] = n
				f.Shared.Frames = append(f.Shared.Frames, one)
			}
			samples[i] = append(samples[i], n)
		}
	}
	for _, v := range values {
		p := scopeProfile{Type: "sampled", Name: v.name, Unit: v.scopeUnit, Samples: [][]int{},
			Weights: []uint64{}}
		for i := range stacks {
			if n := v.of(&stacks[i]); n != 0 {
				p.Samples, p.Weights, p.EndValue = append(p.Samples, samples[i]), append(
					p.Weights, n), p.EndValue+n
			}
		}
		f.Profiles = append(f.Profiles, p)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(f)
}
