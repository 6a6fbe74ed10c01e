package visa

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Print writes a file's tables readably. Numbers are as in the file; offsets
// into Gen code are hexadecimal and count from the start of their object.
func Print(w io.Writer, f *File) error {
	p := printer{bufio.NewWriter(w)}
	p.line("vISA debug tables: %s (%s)", count(len(f.Objects), "object"), f.Layout)
	for i := range f.Objects {
		p.object(f, &f.Objects[i])
	}
	return p.w.Flush()
}

type printer struct{ w *bufio.Writer }

// line writes a formatted line. Flush reports the first error of the writer.
func (p printer) line(format string, args ...any) {
	fmt.Fprintf(p.w, format, args...)
	p.w.WriteByte('\n')
}

func count(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "y"):
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(noun, "y"))
	default:
		return fmt.Sprintf("%d %ss", n, noun)
	}
}

func (p printer) object(f *File, o *Object) {
	kind := "kernel"
	if o.IsFunction() {
		kind = "stack-call function"
	}
	p.line("")
	p.line("%s %q at %#x", kind, o.Name, o.RelocOffset)
	p.frame(&o.Frame)
	p.subroutines(f, o)
	p.variables(o)
	p.mappings("vISA byte offset", o.OffsetMap)
	p.mappings("vISA index", o.IndexMap)
}

func (p printer) frame(f *FrameInfo) {
	p.line("  frame of %s of scratch memory", count(int(f.Size), "byte"))
	for _, t := range [...]struct {
		name    string
		tracked Tracked
	}{
		{"BE_FP", f.BEFP},
		{"caller's BE_FP", f.CallerBEFP},
		{"return address", f.ReturnAddress},
	} {
		if t.tracked.Valid {
			p.line("    %-15s %s", t.name, intervals(t.tracked.Live, "%#x"))
		}
	}
	p.saves("callee-saved registers", f.CalleeSaves)
	p.saves("caller-saved registers", f.CallerSaves)
}

func (p printer) saves(title string, lists []SaveList) {
	if len(lists) == 0 {
		return
	}
	p.line("    %s", title)
	for _, l := range lists {
		var parts []string
		for _, s := range l.Saves {
			parts = append(parts, fmt.Sprintf("grf[%d..%d] %v", s.Offset, int(s.Offset)+int(s.Bytes)-1, s.To))
		}
		if parts == nil {
			parts = []string{"none"}
		}
		p.line("      from %#x: %s", l.Gen, strings.Join(parts, ", "))
	}
}

func (p printer) subroutines(f *File, o *Object) {
	if len(o.Subroutines) == 0 {
		return
	}
	bounds := "%d"
	if f.Layout.GenSubroutines {
		bounds = "%#x"
	}
	p.line("  %s", count(len(o.Subroutines), "sub-routine"))
	for _, s := range o.Subroutines {
		p.line("    %q vISA index %d..%d, return address %s", s.Name, s.Start, s.End,
			intervals(s.ReturnAddress, bounds))
	}
}

func (p printer) variables(o *Object) {
	if len(o.Variables) == 0 {
		return
	}
	p.line("  %s, live by vISA index", count(len(o.Variables), "variable"))
	for _, v := range o.Variables {
		p.line("    %-8s %s", printable(v.Name), intervals(v.Live, "%d"))
	}
}

// printable quotes a name only if it needs it.
func printable(name string) string {
	if q := fmt.Sprintf("%q", name); q != `"`+name+`"` || strings.ContainsAny(name, " ,") {
		return q
	}
	return name
}

// intervals writes live intervals; bound is the format of their ends.
func intervals(live []Interval, bound string) string {
	if len(live) == 0 {
		return "nowhere"
	}
	var parts []string
	for _, iv := range live {
		s := fmt.Sprintf(bound+".."+bound+" %v", iv.Start, iv.End, iv.Place)
		if iv.Place.Storage == Memory || iv.Place.Storage != iv.Virtual {
			s += fmt.Sprintf(" (%v)", iv.Virtual)
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}

// mappings writes a map from vISA to Gen, several entries to a line.
func (p printer) mappings(unit string, maps []Mapping) {
	if len(maps) == 0 {
		return
	}
	const perLine = 8
	entries := count(len(maps), "entry")
	p.line("  map of Gen offset to %s, %s", unit, entries)
	for len(maps) > 0 {
		n := min(perLine, len(maps))
		var parts []string
		for _, m := range maps[:n] {
			parts = append(parts, fmt.Sprintf("%#x:%d", m.Gen, m.VISA))
		}
		p.line("    %s", strings.Join(parts, " "))
		maps = maps[n:]
	}
}
