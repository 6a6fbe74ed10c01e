package symfile

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/line"
	"simtgdb/dwarf/types"
	"simtgdb/loader"
	arch "simtgdb/stub/arch/amdgpu"
	"simtgdb/stub/facade"
)

// bodies are a kernel of two functions: what a launch enters, and the body behind it.
var bodies = Layout{Bodies: []Body{{Name: "k", Entry: 0x200, Caller: dwarf.Range{Low: 0x100, High: 0x140}}}}

// TestBodies: where the code is that a launch enters, and what gdb is to call it.
func TestBodies(t *testing.T) {
	for pc, want := range map[uint64]bool{0xff: false, 0x100: true, 0x13f: true, 0x140: false, 0x200: false} {
		if bodies.InCaller(pc) != want {
			t.Errorf("%#x is in what calls the body: %v", pc, !want)
		}
	}
	for at, want := range map[uint64]string{0x100: "entry of k", 0x200: "k", 0x104: "own", 0x204: "own"} {
		if got := bodies.symbolName(&loader.Symbol{Name: "own", Addr: at}); got != want {
			t.Errorf("the symbol at %#x is called %q, want %q", at, got, want)
		}
	}
	if b, ok := bodies.body(0x200); !ok || b.Name != "k" {
		t.Errorf("the body at 0x200 is %+v, %v", b, ok)
	}
	if b, ok := bodies.body(0x100); ok {
		t.Errorf("a body at 0x100: %+v", b)
	}
}

// TestShownLines: of each row whether gdb is to see it, and as what.
func TestShownLines(t *testing.T) {
	const stmt, end = line.IsStmt, line.EndSequence
	in := []line.Row{
		{Addr: 0x90, Line: 0, File: 1},                       // the first of a sequence stays
		{Addr: 0x100, Line: 7, File: 1, Flags: stmt},         // in what calls the body: without its line
		{Addr: 0x104, Line: 8, File: 1, Flags: stmt},         // of no line, too: a part of the one before
		{Addr: 0x140, Line: 9, File: 1, Flags: stmt},         //
		{Addr: 0x144, Line: 9, File: 1},                      // of the same statement
		{Addr: 0x148, Line: 0, File: 1},                      // of no line
		{Addr: 0x14c, Line: 9, File: 2},                      // of another file
		{Addr: 0x150, Line: 9, File: 2, Flags: stmt},         // the statement once more
		{Addr: 0x154, Line: 10, File: 2},                     // another line
		{Addr: 0x158, Line: 10, File: 2, Flags: end},         //
		{Addr: 0x100, Line: 5, File: 2, Flags: stmt},         // the first, in what calls the body
		{Addr: 0x200, Line: 0, File: 2},                      // of no line behind none
		{Addr: 0x204, Line: 6, File: 2, Flags: stmt},         //
		{Addr: 0x110, Line: 6, File: 2, Flags: stmt},         // back in what calls the body
		{Addr: 0x210, Line: 0, File: 2, Flags: end},          //
		{Addr: 0x300, Line: 10, File: 2, Flags: line.IsStmt}, // the same line in another sequence
	}
	want := []line.Row{in[0], in[3], in[6], in[7], in[8], in[9], {Addr: 0x100, File: 2}, in[12],
		{Addr: 0x110, File: 2}, in[14], in[15]}
	given := &line.Table{Rows: slices.Clone(in)}
	if d := cmp.Diff(want, bodies.shownLines(given).Rows); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if !slices.Equal(in, given.Rows) {
		t.Error("the table that was given has changed")
	}
	if got := bodies.shownLines(nil); got != nil {
		t.Errorf("%v of no table", got)
	}
}

// TestCovers: whether there is a location for each byte of [10, 20).
func TestCovers(t *testing.T) {
	known := []byte{expr.OpLit0}
	at := func(low, high uint64) dwarf.LocEntry {
		return dwarf.LocEntry{Low: low, High: high, Expr: known}
	}
	for i, c := range []struct {
		locs []dwarf.LocEntry
		want bool
	}{
		{nil, false}, {[]dwarf.LocEntry{at(10, 20)}, true}, {[]dwarf.LocEntry{at(5, 30)}, true},
		{[]dwarf.LocEntry{at(15, 20), at(10, 15)}, true}, {[]dwarf.LocEntry{at(10, 14), at(15, 20)}, false},
		{[]dwarf.LocEntry{at(10, 19)}, false}, {[]dwarf.LocEntry{at(11, 20)}, false},
		{[]dwarf.LocEntry{at(10, 18), at(12, 14), at(18, 20)}, true},
		{[]dwarf.LocEntry{{Default: true, Expr: known}}, true}, {[]dwarf.LocEntry{{Default: true}}, false},
		{[]dwarf.LocEntry{at(10, 15), {Low: 15, High: 20}}, false},
	} {
		if got := covers(c.locs, dwarf.Range{Low: 10, High: 20}); got != c.want {
			t.Errorf("case %d: %v", i, got)
		}
	}
}

// TestAgain: a file serves again where all that it was made of is the same.
func TestAgain(t *testing.T) {
	m, f := build(t, calls)
	other, _ := build(t, calls)
	a := arch.New(m.Target.Name)
	f.Complaints = append(f.Complaints, fmt.Errorf("of a session"))
	again := f.Again(m, f.given, a, facade.Host(), f.layout)
	if again == nil || again.arch != a || len(again.Complaints) != 0 || len(f.Complaints) != 1 {
		t.Fatalf("the same: %+v", again)
	}
	moved := f.layout
	moved.Kernel++
	foreign, err := facade.Named("aarch64")
	if err != nil {
		t.Fatal(err)
	}
	if foreign == facade.Host() {
		if foreign, err = facade.Named("x86-64"); err != nil {
			t.Fatal(err)
		}
	}
	for what, got := range map[string]*File{
		"none":             (*File)(nil).Again(m, f.given, a, facade.Host(), f.layout),
		"another module":   f.Again(other, f.given, a, facade.Host(), f.layout),
		"other data":       f.Again(m, nil, a, facade.Host(), f.layout),
		"another machine":  f.Again(m, f.given, arch.New("gfx1100"), facade.Host(), f.layout),
		"another family":   f.Again(m, f.given, nameless{a}, facade.Host(), f.layout),
		"another CPU":      f.Again(m, f.given, a, foreign, f.layout),
		"another layout":   f.Again(m, f.given, a, facade.Host(), moved),
		"another argument": f.Again(m, f.given, a, facade.Host(), withoutArguments(f.layout)),
	} {
		if got != nil {
			t.Errorf("%s: the file is taken for the same", what)
		}
	}
}

// nameless is another type of a family.
type nameless struct{ *arch.Arch }

func withoutArguments(l Layout) Layout {
	l.Arguments = nil
	return l
}

// integer is a base type, as clang writes it.
func integer(name string, size uint64) *dwarf.DIE {
	return dwarf.NewDIE(dwarf.TagBaseType, dwarf.StringAttr(dwarf.AttrName, name),
		dwarf.UintAttr(dwarf.AttrByteSize, size), dwarf.UintAttr(dwarf.AttrEncoding, dwarf.ATESigned))
}

func name(s string) dwarf.Attr { return dwarf.StringAttr(dwarf.AttrName, s) }

// at is the location of what lies at an address.
func at(addr uint64) dwarf.Attr {
	return dwarf.ExprAttr(dwarf.AttrLocation, Argument{Addr: addr}.location())
}

// TestBuiltins reads back the unit of what each program has: variables, types that are made once, and macros
// in front of each unit's own.
func TestBuiltins(t *testing.T) {
	l := testLayout
	three := Shape{Size: 4, Count: 3, Fields: "xyz", Name: "uint3"}
	l.Builtins = []Builtin{{"lane", 0x1000, Shape{Size: 8}}, {"threadIdx", 0x1010, three},
		{"blockIdx", 0x1020, three}, {"gl_ID", 0x1030, Shape{Size: 4, Count: 3}}}
	l.Macros = []string{"get_id(n) (gl_ID[n])", "WAVE 64"}
	for _, version := range []uint16{4, 5} {
		for _, own := range [][]dwarf.Macro{nil, {{Kind: dwarf.MacroDefine, Line: 3, Text: "OWN 1"}}} {
			table := &line.Table{Header: line.Header{Version: version, MinInstLength: 1, MaxOps: 1,
				LineBase: -5, LineRange: 14, OpcodeBase: 13,
				OpcodeLengths: []uint8{0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1}, Dirs: []string{"/"},
				Files: []line.File{{Name: "a.c"}}, AddrSize: 8}}
			f := translatedAs(t, l, &dwarf.OutUnit{Version: version, AddrSize: 8,
				Root: dwarf.NewDIE(dwarf.TagCompileUnit), Lines: table, Macros: own})
			units := readBack(t, f)
			checkMacros(t, units[0], version, own)
			checkBuiltins(t, f, units[1])
		}
	}
	f := translatedAs(t, testLayout, &dwarf.OutUnit{Version: 5, AddrSize: 8,
		Root: dwarf.NewDIE(dwarf.TagCompileUnit)})
	if n := len(readBack(t, f)); n != 1 || len(f.Builtins) != 0 {
		t.Errorf("without variables of its own: %d units, %d variables", n, len(f.Builtins))
	}
}

func checkMacros(t *testing.T, u *dwarf.Unit, version uint16, own []dwarf.Macro) {
	t.Helper()
	file := uint64(0)
	if version < 5 {
		file = 1 // files count from 1
	}
	want := []dwarf.Macro{{Kind: dwarf.MacroDefine, Text: "get_id(n) (gl_ID[n])"},
		{Kind: dwarf.MacroDefine, Text: "WAVE 64"}}
	if len(own) == 0 {
		want = append(want, dwarf.Macro{Kind: dwarf.MacroStartFile, File: file},
			dwarf.Macro{Kind: dwarf.MacroEndFile})
	}
	got, err := u.Macros()
	if d := cmp.Diff(append(want, own...), got); err != nil || d != "" {
		t.Errorf("version %d: %v, macros (-want +got):\n%s", version, err, d)
	}
}

func checkBuiltins(t *testing.T, f *File, u *dwarf.Unit) {
	t.Helper()
	root, err := u.Root()
	if err != nil {
		t.Fatal(err)
	}
	if code, ok := root.LowHigh(); !ok || code.Low != f.layout.Dispatch+0x200 || code.High != code.Low+1 ||
		u.Language() != dwarf.LangC99 {
		t.Errorf("the unit has code at %#x, language %#x", code, u.Language())
	}
	var got []string
	kinds := map[dwarf.Tag]int{}
	for _, d := range root.Children {
		kinds[d.Tag]++
		if d.Tag == dwarf.TagVariable {
			a, _ := d.Attr(dwarf.AttrLocation)
			typ := d.TypeDIE()
			got = append(got, fmt.Sprint(d.Name(), " ", typ.Tag, " ", typ.Name(), " ", types.AMDGPU.Size(typ),
				" ", (&expr.Printer{}).String(a.Bytes), " ", d.Flag(dwarf.AttrExternal)))
		}
		if d.Tag == dwarf.TagStructureType {
			for i, m := range slices.Collect(types.Members(d)) {
				if m.Name() != "xyz"[i:i+1] || types.Offset(m) != uint64(4*i) ||
					m.TypeDIE().Name() != "unsigned int" {
					t.Errorf("member %d is %s at %d, of %s", i, m.Name(), types.Offset(m), m.TypeDIE().Name())
				}
			}
		}
	}
	want := []string{
		"lane DW_TAG_base_type unsigned long 8 DW_OP_addr 0x1000 true",
		"threadIdx DW_TAG_structure_type uint3 12 DW_OP_addr 0x1010 true",
		"blockIdx DW_TAG_structure_type uint3 12 DW_OP_addr 0x1020 true",
		"gl_ID DW_TAG_array_type  12 DW_OP_addr 0x1030 true",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("variables (-want +got):\n%s", d)
	}
	if kinds[dwarf.TagBaseType] != 2 || kinds[dwarf.TagStructureType] != 1 || kinds[dwarf.TagArrayType] != 1 {
		t.Errorf("types %v, want each once", kinds)
	}
	if len(f.Builtins) != 4 || f.Builtins[1].Name != "threadIdx" || f.Builtins[1].Addr != 0x1010 {
		t.Errorf("noted are %+v", f.Builtins)
	}
}

// TestAttributes: which attributes gdb is given, and which it would misunderstand.
func TestAttributes(t *testing.T) {
	cc := func(n uint64) dwarf.Attr { return dwarf.UintAttr(dwarf.AttrCallingConvention, n) }
	root := dwarf.NewDIE(dwarf.TagCompileUnit, dwarf.UintAttr(dwarf.AttrLanguage, dwarf.LangOpenCL),
		dwarf.StringAttr(dwarf.AttrProducer, "Intel"), dwarf.UintAttr(0x3e00, 1), dwarf.UintAttr(0x3fff, 1),
		dwarf.UintAttr(0x4000, 1), dwarf.UintAttr(0x3dff, 1))
	number := integer("int", 4)
	wide := integer("__int128", 16)
	function := func(n string, attrs ...dwarf.Attr) *dwarf.DIE {
		return dwarf.NewDIE(dwarf.TagSubprogram, append(attrs, name(n))...)
	}
	site := dwarf.NewDIE(dwarf.TagCallSite)
	caller := function("calls", cc(dwarf.CCNormal), dwarf.ExprAttr(dwarf.AttrFrameBase, []byte{expr.OpReg0}))
	caller.Add(site)
	variable := variables(number)
	external := dwarf.FlagAttr(dwarf.AttrExternal)
	root.Add(number, wide, caller, function("optimised", cc(dwarf.CCNocall)),
		function("wide", dwarf.RefAttr(dwarf.AttrType, wide)),
		dwarf.NewDIE(dwarf.TagStructureType, name("referred"), cc(dwarf.CCPassByReference)),
		dwarf.NewDIE(dwarf.TagStructureType, name("odd"), cc(dwarf.CCNocall)),
		variable("lost", external), variable("constant", external, dwarf.UintAttr(dwarf.AttrConstValue, 1)),
		variable("declared", external, dwarf.FlagAttr(dwarf.AttrDeclaration)),
		variable("found", external, at(0x5000)))
	units := readBack(t, translated(t, root))
	read, err := units[0].Root()
	if err != nil {
		t.Fatal(err)
	}
	if units[0].Language() != dwarf.LangC99 || !strings.HasPrefix(units[0].Producer(), "clang") {
		t.Errorf("language %#x, producer %s", units[0].Language(), units[0].Producer())
	}
	for a, want := range map[dwarf.At]bool{0x3e00: false, 0x3fff: false, 0x4000: true, 0x3dff: true} {
		if _, ok := read.Attr(a); ok != want {
			t.Errorf("attribute %#x: %v", uint64(a), ok)
		}
	}
	conventions := map[string]uint64{"calls": 0, "optimised": dwarf.CCNocall, "odd": 0, "wide": 0,
		"referred": dwarf.CCPassByReference}
	if facade.Host() == mustNamed(t, "x86-64") { // gdb has no class for it there
		conventions["wide"] = dwarf.CCNocall
	}
	for _, d := range read.Children {
		if want, ok := conventions[d.Name()]; ok {
			if got, _ := d.Uint(dwarf.AttrCallingConvention); got != want {
				t.Errorf("%s: convention %d, want %d", d.Name(), got, want)
			}
		}
		if d.Tag == dwarf.TagVariable && d.Flag(dwarf.AttrExternal) == (d.Name() == "lost") {
			t.Errorf("%s is external: %v", d.Name(), d.Flag(dwarf.AttrExternal))
		}
		if d.Name() == "calls" {
			a, _ := d.Attr(dwarf.AttrFrameBase)
			if len(d.Children) != 0 || !slices.Equal(a.Bytes, []byte{expr.OpCallFrameCFA}) {
				t.Errorf("%s has %d children, its base is % x", d.Name(), len(d.Children), a.Bytes)
			}
		}
	}
}

func mustNamed(t *testing.T, name string) facade.Facade {
	t.Helper()
	f, err := facade.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// readBack reads the units of a symbol file.
func readBack(t *testing.T, f *File) []*dwarf.Unit {
	t.Helper()
	d, err := fileData(f)
	if err != nil {
		t.Fatal(err)
	}
	return d.Units()
}
