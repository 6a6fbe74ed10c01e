package dwarf

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf/internal/dwarftest"
	"simtgdb/dwarf/line"
)

// exampleUnit makes a unit by hand, with lists, inlining, references of all directions, and a line table.
func exampleUnit(version uint16) *OutUnit {
	const base = 0x401000
	root := NewDIE(TagCompileUnit, StringAttr(AttrProducer, "GNU C17 12.2.0"),
		UintAttr(AttrLanguage, LangC99),
		StringAttr(AttrName, "kernel.c"), StringAttr(AttrCompDir, "/src"),
		AddressAttr(AttrLowPC, base), UintAttr(AttrHighPC, 0x40))
	integer := NewDIE(TagBaseType, StringAttr(AttrName, "int"), UintAttr(AttrByteSize, 4),
		UintAttr(AttrEncoding, ATESigned))
	node := NewDIE(TagStructureType, StringAttr(AttrName, "node"), UintAttr(AttrByteSize, 16))
	pointer := NewDIE(TagPointerType, RefAttr(AttrType, node), UintAttr(AttrByteSize, 8))
	node.Add(NewDIE(TagMember, StringAttr(AttrName, "value"), RefAttr(AttrType, integer),
		UintAttr(AttrDataMemberLocation, 0)),
		NewDIE(TagMember, StringAttr(AttrName, "next"), RefAttr(AttrType, pointer),
			UintAttr(AttrDataMemberLocation, 8)))
	inlined := NewDIE(TagSubprogram, StringAttr(AttrName, "twice"), RefAttr(AttrType, integer),
		UintAttr(AttrInline, InlInlined))
	parameter := NewDIE(TagFormalParameter, StringAttr(AttrName, "x"), RefAttr(AttrType, integer))
	inlined.Add(parameter)
	// The frame facade: a slot under the CFA holds the address of the object.
	slot := []byte{0x9c, 0x23, 0x10, 0x06}
	kernel := NewDIE(TagSubprogram, FlagAttr(AttrExternal), StringAttr(AttrName, "kernel"),
		RefAttr(AttrType, integer),
		AddressAttr(AttrLowPC, base), UintAttr(AttrHighPC, 0x40), ExprAttr(AttrFrameBase, []byte{0x9c}),
		IntAttr(AttrConstValue, -7))
	call := NewDIE(TagInlinedSubroutine, RefAttr(AttrAbstractOrigin, inlined),
		RangesAttr([]Range{{base + 0x10, base + 0x18}, {base + 0x20, base + 0x28}}),
		UintAttr(AttrCallLine, 12), UintAttr(AttrCallFile, 1))
	call.Add(NewDIE(TagFormalParameter, RefAttr(AttrAbstractOrigin, parameter), ExprAttr(AttrLocation, slot)))
	kernel.Add(
		NewDIE(TagFormalParameter, StringAttr(AttrName, "list"), RefAttr(AttrType, pointer),
			ExprAttr(AttrLocation, slot)),
		NewDIE(TagVariable, StringAttr(AttrName, "sum"), RefAttr(AttrType, integer),
			LocListAttr(AttrLocation, []LocEntry{
				{Low: base + 4, High: base + 0x20, Expr: slot},
				{Low: base + 0x30, High: base + 0x38, Expr: []byte{0x50}}})),
		call)
	root.Add(kernel, inlined, integer, node, pointer)
	table := &line.Table{Header: line.NewHeader(max(version, 2), 4)}
	table.Dirs = []string{"/src"}
	table.Files = []line.File{{Name: "kernel.c"}, {Name: "kernel.c"}}
	for i, l := range []uint32{10, 11, 12, 2, 3, 12, 14} {
		table.Rows = append(table.Rows,
			line.Row{Addr: base + 8*uint64(i), Line: l, File: 1, Flags: line.IsStmt})
	}
	table.Rows[1].Flags |= line.PrologueEnd
	table.Rows = append(table.Rows,
		line.Row{Addr: base + 0x40, Line: 14, File: 1, Flags: line.IsStmt | line.EndSequence})
	return &OutUnit{Version: version, AddrSize: 8, Root: root, Lines: table}
}

// elfWith links a program of zeroes at 0x401000 and gives it debug sections.
func elfWith(t *testing.T, sections map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	source := filepath.Join(dir, "a.s")
	text := ".globl _start, kernel\n_start:\nkernel:\n.type kernel, @function\n" +
		".fill 64, 1, 0x90\n.size kernel, 64\n"
	if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "a")
	dwarftest.Output(t, "gcc", "-c", source, "-o", program+".o")
	dwarftest.Output(t, "ld", "-Ttext=0x401000", program+".o", "-o", program)
	return dwarftest.PutSections(t, program, sections)
}

// TestExample writes a unit that was made by hand; gdb and llvm-dwarfdump read it.
func TestExample(t *testing.T) {
	dwarftest.Need(t, "llvm-objcopy-22")
	for version := uint16(2); version <= 5; version++ {
		t.Run(fmt.Sprint("version ", version), func(t *testing.T) {
			file := elfWith(t, written(t, []*OutUnit{exampleUnit(version)}, WriteOptions{}))
			if kinds := faults(t, file)[0]; len(kinds) > 0 {
				t.Errorf("llvm-dwarfdump --verify: %v", kinds)
			}
			got := gdb(t, file, []string{"ptype struct node", "ptype kernel", "info line kernel",
				"info line kernel.c:3",
				"info scope kernel", "info symbol 0x401010", "maintenance info line-table kernel.c"})
			for _, want := range []string{
				"int value;\n    struct node *next;\n", "type = int (struct node *)",
				`Line 10 of "kernel.c" starts at address 0x401000 <kernel>`,
				`Line 3 of "kernel.c" starts at address 0x401020`,
				"Symbol sum is multi-location", "Range 0x401004-0x401020",
				"1      11     0x0000000000401008 Y       Y",
			} {
				if !strings.Contains(got, want) {
					t.Errorf("gdb does not say %q:\n%s", want, got)
				}
			}
		})
	}
}

// TestWriteErrors gives Write what cannot be written.
func TestWriteErrors(t *testing.T) {
	elsewhere := NewDIE(TagBaseType, StringAttr(AttrName, "elsewhere"))
	for want, change := range map[string]func(*OutUnit){
		"which is not written": func(u *OutUnit) {
			u.Root.Add(NewDIE(TagVariable,
				RefAttr(AttrType, elsewhere)))
		},
		"is in the trees twice": func(u *OutUnit) { u.Root.Add(u.Root.Children[0]) },
		"version 6":             func(u *OutUnit) { u.Version = 6 },
		"addresses of 2 bytes":  func(u *OutUnit) { u.AddrSize = 2 },
		"no entry":              func(u *OutUnit) { u.Root = nil },
		"type of a type unit":   func(u *OutUnit) { u.Type, u.TypeDIE = UnitType, elsewhere },
		"does not fit DW_FORM_data1": func(u *OutUnit) {
			u.Root.Set(Attr{Name: AttrByteSize, Form: FormData1, Class: ClassConstant, Val: 256})
		},
		"line_range 0": func(u *OutUnit) { u.Lines.LineRange = 0 },
		"reference of 5 bytes": func(u *OutUnit) {
			u.Root.Set(ExprAttr(AttrLocation, []byte{0xa8, 1}, ExprRef{Pos: 1, Size: 5, Target: u.Root}))
		},
		"cannot be written":   func(u *OutUnit) { u.Root.Set(Attr{Name: AttrByteSize, Form: FormData1}) },
		"came with version 5": func(u *OutUnit) { u.Version, u.Addrs = 4, []uint64{1} },
	} {
		u := exampleUnit(5)
		change(u)
		if _, err := Write([]*OutUnit{u}, WriteOptions{}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// TestEdit changes entries while they are copied.
func TestEdit(t *testing.T) {
	d, err := New(sectionsFrom(written(t, []*OutUnit{exampleUnit(5)}, WriteOptions{})), Options{})
	if err != nil {
		t.Fatal(err)
	}
	extra := NewDIE(TagBaseType, StringAttr(AttrName, "extra"), UintAttr(AttrByteSize, 8),
		UintAttr(AttrEncoding, ATEUnsigned))
	units, err := Copy(d.Units(), CopyOptions{Edit: func(src, dst *DIE) bool {
		switch src.Tag {
		case TagCompileUnit:
			dst.Set(StringAttr(AttrProducer, "changed"))
			dst.Add(extra)
		case TagVariable:
			dst.Set(RefAttr(AttrType, extra))
			dst.Delete(AttrLocation)
		case TagStructureType:
			return false
		}
		return true
	}})
	if err != nil {
		t.Fatal(err)
	}
	again, err := New(sectionsFrom(written(t, units, WriteOptions{})), Options{})
	if err != nil {
		t.Fatal(err)
	}
	u := again.Units()[0]
	root, err := u.Root()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range root.Children {
		names = append(names, c.Name())
	}
	if diff := cmp.Diff([]string{"extra", "kernel", "twice", "int", ""}, names); diff != "" {
		t.Errorf("children (-want +got):\n%s", diff)
	}
	sum := root.Children[1].Child(TagVariable)
	if sum == nil || sum.TypeDIE() == nil || sum.TypeDIE().Name() != "extra" {
		t.Error("the variable's type is not the one that was set")
	} else if _, has := sum.Attr(AttrLocation); has {
		t.Error("the location that was deleted is there")
	}
	if u.Producer() != "changed" {
		t.Errorf("producer %q", u.Producer())
	}
	if pointer := root.Child(TagPointerType); pointer.TypeDIE() != nil {
		t.Error("the reference to an entry that was left out is there")
	}
}

// TestDefaultLocation writes a list with a default location, which becomes the last entry.
func TestDefaultLocation(t *testing.T) {
	for version := uint16(4); version <= 5; version++ {
		u := exampleUnit(version)
		u.Root.Children[0].Child(TagVariable).Set(LocListAttr(AttrLocation, []LocEntry{
			{Default: true, Expr: []byte{0x31}}, {Low: 0x401008, High: 0x401010, Expr: []byte{0x32}}}))
		u.Root.Children[0].Child(TagFormalParameter).Set(LocListAttr(AttrLocation,
			[]LocEntry{{Default: true, Expr: []byte{0x33}}}))
		d, err := New(sectionsFrom(written(t, []*OutUnit{u}, WriteOptions{})), Options{})
		if err != nil {
			t.Fatal(err)
		}
		root, err := d.Units()[0].Root()
		if err != nil {
			t.Fatal(err)
		}
		a, _ := root.Children[0].Child(TagVariable).Attr(AttrLocation)
		locs, err := d.Units()[0].LocList(a)
		if err != nil || len(locs) != 2 || locs[0].Expr[0] != 0x32 || locs[1].Expr[0] != 0x31 ||
			!(Range{locs[1].Low, locs[1].High}).Contains(0x10) {
			t.Errorf("version %d: list %+v, %v; want the default as the last entry, for all addresses",
				version, locs, err)
		}
		if a, _ := root.Children[0].Child(TagFormalParameter).Attr(AttrLocation); a.Class != ClassExprLoc ||
			a.Bytes[0] != 0x33 {
			t.Errorf("version %d: a default alone is %v", version, a.Class)
		}
	}
}
