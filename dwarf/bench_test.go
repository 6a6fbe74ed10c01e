package dwarf

import (
	stddwarf "debug/dwarf"
	"debug/elf"
	"io"
	"os"
	"testing"

	"simtgdb/dwarf/internal/dwarftest"
)

// largeProgram gives a program with much debug information: that of SIMTGDB_LARGE_PROGRAM, else a Go
// program, which has the Go runtime in it.
func largeProgram(b *testing.B) string {
	b.Helper()
	if file := os.Getenv("SIMTGDB_LARGE_PROGRAM"); file != "" {
		return file
	}
	return dwarftest.Build{Name: "go", Tool: "go", Args: []string{"build"}, Source: "shapes.go"}.Make(b)
}

func BenchmarkEntries(b *testing.B) {
	s, o := sectionsOf(b, largeProgram(b))
	b.SetBytes(int64(len(s.Info)))
	b.ReportAllocs()
	entries := 0
	for b.Loop() {
		d, err := New(s, o)
		if err != nil {
			b.Fatal(err)
		}
		entries = 0
		for _, u := range d.Units() {
			root, err := u.Root()
			if err != nil {
				b.Fatal(err)
			}
			root.Walk(func(*DIE) bool { entries++; return true })
		}
	}
	b.ReportMetric(float64(entries), "entries")
}

// BenchmarkCopy copies all units, which have been read.
func BenchmarkCopy(b *testing.B) {
	d := dataOf(b, largeProgram(b))
	for _, u := range d.Units() {
		if _, err := u.Root(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Copy(d.Units(), CopyOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEntriesStandardLibrary is the baseline: the same with debug/dwarf.
func BenchmarkEntriesStandardLibrary(b *testing.B) {
	s, _ := sectionsOf(b, largeProgram(b))
	b.SetBytes(int64(len(s.Info)))
	b.ReportAllocs()
	for b.Loop() {
		d, err := stddwarf.New(s.Abbrev, nil, nil, s.Info, s.Line, nil, s.Ranges, s.Str)
		if err != nil {
			b.Fatal(err)
		}
		for name, data := range map[string][]byte{
			".debug_addr": s.Addr, ".debug_line_str": s.LineStr, ".debug_str_offsets": s.StrOffsets,
			".debug_rnglists": s.RngLists,
		} {
			if err := d.AddSection(name, data); err != nil {
				b.Fatal(err)
			}
		}
		r := d.Reader()
		for {
			e, err := r.Next()
			if err != nil {
				b.Fatal(err)
			}
			if e == nil {
				break
			}
		}
	}
}

func BenchmarkScopesAt(b *testing.B) {
	d := dataOf(b, largeProgram(b))
	pcs := codeAddresses(b, d)
	for i := 0; b.Loop(); i++ {
		pc := pcs[i%len(pcs)]
		if u := d.UnitAt(pc); u != nil {
			u.ScopesAt(pc)
		}
	}
}

func BenchmarkLineLookup(b *testing.B) {
	d := dataOf(b, largeProgram(b))
	pcs := codeAddresses(b, d)
	for i := 0; b.Loop(); i++ {
		pc := pcs[i%len(pcs)]
		t, err := d.UnitAt(pc).Lines()
		if err != nil {
			b.Fatal(err)
		}
		t.Lookup(pc)
	}
}

// codeAddresses gives addresses all over the program.
func codeAddresses(b *testing.B, d *Data) []uint64 {
	b.Helper()
	var pcs []uint64
	for _, u := range d.Units() {
		t, err := u.Lines()
		if err != nil {
			b.Fatal(err)
		}
		if t == nil {
			continue
		}
		u.ScopesAt(0) // builds the index
		for i := 0; i < len(t.Rows); i += 101 {
			if pc := t.Rows[i].Addr; d.UnitAt(pc) != nil {
				pcs = append(pcs, pc)
			}
		}
	}
	return pcs
}

func BenchmarkLineTables(b *testing.B) {
	s, o := sectionsOf(b, largeProgram(b))
	b.SetBytes(int64(len(s.Line)))
	b.ReportAllocs()
	for b.Loop() {
		d, err := New(s, o)
		if err != nil {
			b.Fatal(err)
		}
		for _, u := range d.Units() {
			if _, err := u.Lines(); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkLineTablesStandardLibrary(b *testing.B) {
	file := largeProgram(b)
	f, err := elf.Open(file)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	s, _ := sectionsOf(b, file)
	b.SetBytes(int64(len(s.Line)))
	b.ReportAllocs()
	for b.Loop() {
		d, err := f.DWARF()
		if err != nil {
			b.Fatal(err)
		}
		r := d.Reader()
		for e, err := r.Next(); e != nil; e, err = r.Next() {
			if err != nil {
				b.Fatal(err)
			}
			if e.Tag == stddwarf.TagCompileUnit {
				readStandardLines(b, d, e)
			}
			r.SkipChildren()
		}
	}
}

func readStandardLines(b *testing.B, d *stddwarf.Data, e *stddwarf.Entry) {
	b.Helper()
	lr, err := d.LineReader(e)
	if err != nil {
		b.Fatal(err)
	}
	if lr == nil {
		return
	}
	var row stddwarf.LineEntry
	for err = lr.Next(&row); err == nil; err = lr.Next(&row) {
	}
	if err != io.EOF {
		b.Fatal(err)
	}
}
