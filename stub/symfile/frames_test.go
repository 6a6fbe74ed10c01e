package symfile

import (
	"cmp"
	"slices"
	"testing"

	"simtgdb/dwarf"
	"simtgdb/dwarf/cfi"
	"simtgdb/dwarf/line"
	"simtgdb/loader"
	"simtgdb/testdata/sweep"
)

// TestFrames: call frame information covers all code without gaps, each function has entries of its own, and
// they say where the stub puts the caller's handle, pc and base (frames).
func TestFrames(t *testing.T) {
	t.Parallel()
	for _, file := range sweep.Some(6, objects(t)...) {
		m, f := build(t, file)
		section, err := parsed(t, f).Section(".debug_frame").Data()
		if err != nil {
			t.Fatal(err)
		}
		table, err := cfi.Parse(section, cfi.Options{})
		if err != nil {
			t.Fatal(err)
		}
		begins := map[uint64]bool{testLayout.Dispatch: true}
		for _, s := range m.Symbols {
			if s.Kind == loader.SymbolFunc {
				begins[s.Addr], begins[s.Addr+s.Size] = true, true
			}
		}
		for _, k := range m.Kernels {
			begins[k.Entry] = true
		}
		for _, s := range m.Segments {
			for pc := s.Addr; s.Exec && pc < s.Addr+s.MemSize; {
				e := table.FDE(pc)
				if e == nil || e.Start != pc {
					t.Fatalf("%s: no entry begins at %#x", file, pc)
				}
				delete(begins, pc)
				checkRow(t, f, e)
				pc = e.End()
			}
			delete(begins, s.Addr+s.MemSize)
		}
		if len(begins) != 1 {
			t.Errorf("%s: no entries begin at %v", file, begins)
		}
		e := table.FDE(testLayout.Dispatch)
		row, err := e.Row(testLayout.Dispatch)
		if err != nil || row.Rule(f.facade.Columns().PC).Kind != cfi.Undefined {
			t.Errorf("%s: what calls kernels has a caller, %v", file, err)
		}
	}
}

func checkRow(t *testing.T, f *File, e *cfi.FDE) {
	t.Helper()
	row, err := e.Row(e.Start)
	if err != nil {
		t.Fatal(err)
	}
	c := f.facade.Columns()
	if row.CFA.Kind != cfi.CFARegister || row.CFA.Register != c.SP || row.CFA.Offset != 0 {
		t.Errorf("at %#x the handle is %+v", e.Start, row.CFA)
	}
	for reg, want := range map[uint64]cfi.Rule{c.PC: {Kind: cfi.Offset, Offset: -8},
		c.Base: {Kind: cfi.Offset, Offset: -16}, c.SP: {Kind: cfi.ValOffset, Offset: testLayout.Stride}} {
		if got := row.Rule(reg); got.Kind != want.Kind || got.Offset != want.Offset {
			t.Errorf("at %#x register %d is %+v, want %+v", e.Start, reg, got, want)
		}
	}
}

// TestPrologue: that of a kernel ends at the first row behind its entry that says so, and is one byte where
// no row does.
func TestPrologue(t *testing.T) {
	const entry, size = 0x800, 0x40
	row := func(at uint64, flags line.Flags) line.Row {
		return line.Row{Addr: at, File: 1, Line: uint32(at), Flags: flags}
	}
	const end = line.PrologueEnd
	for i, c := range []struct {
		kernel uint64
		rows   []line.Row
		want   uint64 // end of it
	}{
		{entry, []line.Row{row(entry, 0), row(entry+8, 0), row(entry+16, end), row(entry+24, end)},
			entry + 16},
		{entry, []line.Row{row(entry-16, end), row(entry, end), row(entry+8, 0)}, entry + 1},
		{entry, []line.Row{row(entry, 0), row(entry+size, end)}, entry + 1},
		{entry, []line.Row{row(entry, 0), row(entry+size-4, end)}, entry + size - 4},
		{entry, nil, entry + 1},
		{0x9000, []line.Row{row(entry, 0), row(entry+16, end)}, 0x9001},           // in no unit
		{entry + 2*size, []line.Row{row(entry, 0), row(0xa00, end)}, 0x800 + 129}, // in no function
	} {
		u := &dwarf.OutUnit{Version: 5, AddrSize: 8,
			Root: dwarf.NewDIE(dwarf.TagCompileUnit, code(entry-0x100, 0x300)...)}
		u.Root.Add(dwarf.NewDIE(dwarf.TagSubprogram, code(entry, size)...))
		if c.rows != nil {
			rows := append(c.rows, row(entry+0x200, line.EndSequence))
			u.Lines = &line.Table{Rows: rows, Header: line.Header{Version: 5, MinInstLength: 1,
				MaxOps: 1, LineBase: -5, LineRange: 14, OpcodeBase: 13,
				OpcodeLengths: []uint8{0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1}, Dirs: []string{"/"},
				Files: []line.File{{Name: "a"}, {Name: "b"}}, AddrSize: 8}}
		}
		sections, err := dwarf.Write([]*dwarf.OutUnit{u}, dwarf.WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		d, err := dwarf.New(dwarf.SectionsNamed(sections), dwarf.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := (Layout{Kernel: c.kernel}).prologue(d); got.Low != c.kernel || got.High != c.want {
			t.Errorf("case %d: %#x, want up to %#x", i, got, c.want)
		}
	}
}

// TestLaunchedPlaces: a parameter of the launched kernel is where it was launched with in the prologue, and
// where the compiler says from there on; what it was launched with is an entry of its own behind it where the
// compiler loses it.
func TestLaunchedPlaces(t *testing.T) {
	t.Parallel()
	parameters, entries := 0, 0
	for _, file := range sweep.Some(5, objects(t)...) {
		m, f := build(t, file)
		d, err := fileData(f)
		if err != nil {
			t.Fatal(err)
		}
		entry := m.Kernels[0].Entry
		u, given := d.UnitAt(entry), f.given.UnitAt(entry)
		kernel, source := u.FunctionAt(entry), given.FunctionAt(entry)
		for _, p := range source.Children {
			if p.Tag != dwarf.TagFormalParameter {
				continue
			}
			i := slices.IndexFunc(kernel.Children, func(d *dwarf.DIE) bool {
				return d.Name() == p.Name() && d.Tag == p.Tag
			})
			if i < 0 {
				t.Fatalf("%s: no parameter %s", file, p.Name())
			}
			parameters++
			got, want := spans(t, kernel.Children[i]), wanted(t, f, p)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %s has places for %x, want %x", file, p.Name(), got, want)
			}
			if i+1 < len(kernel.Children) && kernel.Children[i+1].Name() == p.Name()+"@entry" {
				entries++
			} else if slices.ContainsFunc(kernel.Children, func(d *dwarf.DIE) bool {
				return d.Name() == p.Name()+"@entry"
			}) {
				t.Errorf("%s: what %s was launched with does not follow it", file, p.Name())
			}
		}
	}
	if parameters < 40 || entries < 10 {
		t.Errorf("%d parameters, %d of them with an entry of their own", parameters, entries)
	}
}

// spans are where the places of an entry hold.
func spans(t *testing.T, d *dwarf.DIE) (all []dwarf.Range) {
	t.Helper()
	a, ok := d.Attr(dwarf.AttrLocation)
	if !ok {
		return nil
	}
	locs, err := d.Unit.LocList(a)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range locs {
		if l.Default {
			code, _ := d.Parent.LowHigh()
			l.Low, l.High = code.Low, code.High
		}
		if len(l.Expr) > 0 {
			all = append(all, dwarf.Range{Low: l.Low, High: l.High})
		}
	}
	slices.SortFunc(all, func(a, b dwarf.Range) int { return cmp.Compare(a.Low, b.Low) })
	return all
}

// wanted are the prologue, and what is behind it of where the compiler has placed a parameter.
func wanted(t *testing.T, f *File, p *dwarf.DIE) []dwarf.Range {
	t.Helper()
	all := []dwarf.Range{f.prologue}
	for _, r := range spans(t, p) {
		if r.Low = max(r.Low, f.prologue.High); r.Low < r.High {
			all = append(all, r)
		}
	}
	return all
}
