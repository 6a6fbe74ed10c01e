package dwarf

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf/line"
)

// TestUnitHeaders reads the headers of all kinds of units (DWARF 5 section 7.5.1), in both formats.
func TestUnitHeaders(t *testing.T) {
	type header struct {
		Kind                   UnitKind
		Version                uint16
		AddrSize               uint8
		Is64                   bool
		Signature, Type, DWOID uint64
		First                  uint64
		Section                string
	}
	signature := uint64(0x0807060504030201)
	for _, c := range []struct {
		types bool
		bytes []byte // behind the length
		want  header
	}{
		{false, new(asm).fixed(2, 2).fixed(4, 7).u8(4).b, header{Kind: UnitCompile, Version: 2, AddrSize: 4}},
		{true, new(asm).fixed(2, 4).fixed(4, 7).u8(8).fixed(8, signature).fixed(4, 0x17).b,
			header{Kind: UnitType, Version: 4, AddrSize: 8, Signature: signature, Type: 0x17}},
		{false, new(asm).fixed(2, 5).u8(1, 8).fixed(4, 7).b,
			header{Kind: UnitCompile, Version: 5, AddrSize: 8}},
		{false, new(asm).fixed(2, 5).u8(2, 2).fixed(4, 7).fixed(8, signature).fixed(4, 0x18).b,
			header{Kind: UnitType, Version: 5, AddrSize: 2, Signature: signature, Type: 0x18}},
		{false, new(asm).fixed(2, 5).u8(3, 1).fixed(4, 7).b,
			header{Kind: UnitPartial, Version: 5, AddrSize: 1}},
		{false, new(asm).fixed(2, 5).u8(4, 8).fixed(4, 7).fixed(8, signature).b,
			header{Kind: UnitSkeleton, Version: 5, AddrSize: 8, DWOID: signature}},
		{false, new(asm).fixed(2, 5).u8(5, 8).fixed(4, 7).fixed(8, signature).b,
			header{Kind: UnitSplitCompile, Version: 5, AddrSize: 8, DWOID: signature}},
		{false, new(asm).fixed(2, 5).u8(6, 8).fixed(4, 7).fixed(8, signature).fixed(4, 0x18).b,
			header{Kind: UnitSplitType, Version: 5, AddrSize: 8, Signature: signature, Type: 0x18}},
		{false, new(asm).fixed(2, 3).fixed(8, 7).u8(8).b,
			header{Kind: UnitCompile, Version: 3, AddrSize: 8, Is64: true}},
		{true, new(asm).fixed(2, 4).fixed(8, 7).u8(8).fixed(8, signature, 0x27).b,
			header{Kind: UnitType, Version: 4, AddrSize: 8, Signature: signature, Type: 0x27, Is64: true}},
		{false, new(asm).fixed(2, 5).u8(2, 8).fixed(8, 7).fixed(8, signature, 0x28).b,
			header{Kind: UnitType, Version: 5, AddrSize: 8, Signature: signature, Type: 0x28, Is64: true}},
	} {
		// Padding stands in front, so that an offset in the unit is another one in the section.
		pad := new(asm).fixed(4, 0)
		if c.want.Is64 {
			pad.fixed(4, 0xffffffff).fixed(8, uint64(len(c.bytes)))
		} else {
			pad.fixed(4, uint64(len(c.bytes)))
		}
		s := Sections{Info: append(pad.b, c.bytes...)}
		c.want.First = uint64(len(s.Info))
		c.want.Section = ".debug_info"
		if c.types {
			s.Info, s.Types, c.want.Section = nil, s.Info, ".debug_types"
		}
		if c.want.Type != 0 {
			c.want.Type += 4
		}
		d, err := New(s, Options{})
		if err != nil || len(d.Units()) != 1 {
			t.Errorf("%+v: %v, complaints %v", c.want, err, d.Complaints())
			continue
		}
		u := d.Units()[0]
		got := header{u.Type, u.Version, u.AddrSize, u.Is64, u.Signature, u.TypeOffset, u.DWOID, u.first,
			u.SectionName()}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%v of version %d (-want +got):\n%s", c.want.Kind, c.want.Version, diff)
		}
		if u.AbbrevOffset != 7 || u.Offset != 4 || u.End != c.want.First ||
			u.Length != uint64(len(c.bytes)) ||
			u.OffsetSize() != map[bool]int{false: 4, true: 8}[u.Is64] {
			t.Errorf("%v of version %d: %+v", c.want.Kind, c.want.Version, u)
		}
		if byType := d.TypeUnit(signature); (byType == u) != c.want.Kind.IsType() {
			t.Errorf("%v of version %d is found by its signature: %v", c.want.Kind, c.want.Version,
				byType == u)
		}
	}
}

// TestUnsupportedUnits: what cannot be read is left out, with a complaint, and the next unit is there.
func TestUnsupportedUnits(t *testing.T) {
	good := unit(4, []byte{0})
	for want, bytes := range map[string][]byte{
		"version 6, versions 2 to 5 are known": new(asm).fixed(4, 3).fixed(2, 6).u8(0).b,
		"version 1, versions 2 to 5 are known": new(asm).fixed(4, 3).fixed(2, 1).u8(0).b,
		"unknown type 0x7":                     new(asm).fixed(4, 8).fixed(2, 5).u8(7, 8).fixed(4, 0).b,
		"addresses of 3 bytes":                 new(asm).fixed(4, 7).fixed(2, 4).fixed(4, 0).u8(3).b,
		"addresses of 16 bytes":                new(asm).fixed(4, 7).fixed(2, 4).fixed(4, 0).u8(16).b,
	} {
		d, err := New(Sections{Info: append(bytes, good...)}, Options{})
		if err != nil || len(d.Units()) != 1 || d.Units()[0].Offset != uint64(len(bytes)) {
			t.Errorf("%s: %v, units %v", want, err, d.Units())
			continue
		}
		if c := d.Complaints(); len(c) != 1 || !strings.Contains(c[0].Error(), want) {
			t.Errorf("complaints %v, want one with %q", c, want)
		}
	}
}

// TestSameSignature: of two units with one type the first is taken, as linkers do.
func TestSameSignature(t *testing.T) {
	types := new(asm).fixed(4, 19).fixed(2, 4).fixed(4, 0).u8(8).fixed(8, 77).fixed(4, 0x17).b
	d, err := New(Sections{Types: append(types, types...)}, Options{})
	if err != nil || len(d.Units()) != 2 || d.TypeUnit(77) != d.Units()[0] || d.TypeUnit(78) != nil {
		t.Errorf("%v, units %v", err, d.Units())
	}
}

// TestAccessors asks entries for attributes of all classes.
func TestAccessors(t *testing.T) {
	d := NewDIE(TagVariable, IntAttr(AttrConstValue, -2), UintAttr(AttrByteSize, 3), FlagAttr(AttrExternal),
		StringAttr(AttrName, "v"), BlockAttr(AttrDiscrList, []byte{1}), ExprAttr(AttrLocation, []byte{0x30}),
		Attr{Name: AttrBitSize, Form: FormData16, Class: ClassConstant, Bytes: make([]byte, 16)},
		Attr{Name: AttrLowerBound, Form: FormImplicitConst, Class: ClassConstant, Val: 5},
		Attr{Name: AttrArtificial, Form: FormFlag, Class: ClassFlag},
		Attr{Name: AttrType, Form: FormRef4, Class: ClassReference, Val: 12})
	for _, c := range []struct {
		name    At
		number  uint64
		isInt   bool
		signed  bool
		flag    bool
		text    string
		isText  bool
		present bool
	}{
		{name: AttrConstValue, number: ^uint64(1), isInt: true, signed: true, present: true},
		{name: AttrByteSize, number: 3, isInt: true, present: true},
		{name: AttrExternal, number: 1, isInt: true, flag: true, present: true},
		{name: AttrArtificial, isInt: true, present: true},
		{name: AttrLowerBound, number: 5, isInt: true, signed: true, present: true},
		{name: AttrName, text: "v", isText: true, present: true},
		{name: AttrDiscrList, present: true},
		{name: AttrLocation, present: true},
		{name: AttrBitSize, present: true},
		{name: AttrUpperBound},
	} {
		a, present := d.Attr(c.name)
		number, isInt := d.Uint(c.name)
		signed, isInt2 := d.Int(c.name)
		text, isText := d.Str(c.name)
		if present != c.present || number != c.number || isInt != c.isInt || signed != int64(c.number) ||
			isInt2 != isInt || a.Int() != signed || a.Signed() != c.signed || d.Flag(c.name) != c.flag ||
			text != c.text || isText != c.isText || isText && a.Text() != text {
			t.Errorf("%v: %v %d %v %d %v %v %q %v, want %+v", c.name, present, number, isInt, signed,
				a.Signed(), d.Flag(c.name), text, isText, c)
		}
	}
	if d.Ref(AttrType) != nil || d.Ref(AttrUpperBound) != nil {
		t.Error("an offset without a unit leads somewhere")
	}
	if d.Child(TagMember) != nil {
		t.Error("an entry without children has one")
	}
	d.Delete(AttrName, AttrUpperBound, AttrConstValue)
	if len(d.Attrs) != 8 || d.Attrs[0].Name != AttrByteSize || d.Attrs[2].Name != AttrDiscrList {
		t.Errorf("attributes after two are deleted: %v", d.Attrs)
	}
}

// TestUnknownNames: numbers without a name show as such, in the way of llvm-dwarfdump.
func TestUnknownNames(t *testing.T) {
	for want, got := range map[string]string{
		"DW_FORM_unknown_4fff": fmt.Sprint(Form(0x4fff)), "DW_TAG_unknown_4fff": fmt.Sprint(Tag(0x4fff)),
		"DW_UT_unknown_7f": fmt.Sprint(UnitKind(0x7f)), "unknown_a": fmt.Sprint(ListKind(10)),
		"class 0": fmt.Sprint(Class(0)), "class 99": fmt.Sprint(Class(99)),
		"GNU_view_pair": fmt.Sprint(ListGNUViewPair), "DW_UT_split_type": fmt.Sprint(UnitSplitType),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, c := range []struct {
		name At
		code uint64
		want string
	}{{AttrLanguage, 0x1c, "DW_LANG_Rust"}, {AttrEncoding, 5, "DW_ATE_signed"}, {AttrLanguage, 0x7fff, ""},
		{AttrByteSize, 4, ""}} {
		if got, ok := CodeName(c.name, c.code); got != c.want || ok != (c.want != "") {
			t.Errorf("%v %d is %q, %v; want %q", c.name, c.code, got, ok, c.want)
		}
	}
}

// TestTreePlaces: entries know their abbreviation and where the list of their children ends, and are found
// by their offsets; an offset where none begins has none.
func TestTreePlaces(t *testing.T) {
	abbrevs := new(asm).leb(1, uint64(TagCompileUnit)).u8(1, 0, 0).
		leb(2, uint64(TagNamespace)).u8(1, 0, 0).
		leb(70, uint64(TagBaseType)).u8(0).leb(uint64(AttrName), uint64(FormString)).u8(0, 0, 0).b
	// Header of 11 bytes; the unit, a namespace with a type, an empty namespace, a type; the list of the
	// unit has no end.
	entries := []byte{1, 2, 70, 'a', 0, 0, 2, 0, 70, 'b', 0}
	info := append(unit(4, entries), unit(4, entries)...)
	d, err := New(Sections{Info: info, Abbrev: abbrevs}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, start := range []uint64{0, uint64(len(info)) / 2} {
		for _, c := range []struct {
			at, code, end, parent uint64
			tag                   Tag
			children              int
		}{
			{11, 1, 0, 0, TagCompileUnit, 3}, {12, 2, 16, 11, TagNamespace, 1},
			{13, 70, 0, 12, TagBaseType, 0}, {17, 2, 18, 11, TagNamespace, 0},
			{19, 70, 0, 11, TagBaseType, 0},
			{14, 0, 0, 0, 0, 0}, {16, 0, 0, 0, 0, 0}, {22, 0, 0, 0, 0, 0},
		} {
			e := d.DIEAt(start + c.at)
			if e == nil {
				if c.tag != 0 {
					t.Errorf("no entry at 0x%x", start+c.at)
				}
				continue
			}
			end, has := e.ChildrenEnd()
			if c.end != 0 {
				c.end += start
			}
			if e.Tag != c.tag || e.AbbrevCode() != c.code || end != c.end || has != (c.end != 0) ||
				len(e.Children) != c.children || e.Offset != start+c.at {
				t.Errorf("at 0x%x: %v, code %d, end 0x%x, %d children, want %+v", start+c.at, e.Tag,
					e.AbbrevCode(), end, len(e.Children), c)
			}
			if c.parent != 0 && (e.Parent == nil || e.Parent.Offset != start+c.parent) {
				t.Errorf("at 0x%x: another parent", start+c.at)
			}
		}
	}
	if d.DIEAt(uint64(len(info))) != nil {
		t.Error("an entry behind the section")
	}
}

// scopesUnit is a unit without addresses of its own: a function with a block that is nothing but a bracket
// about two others, and another function.
func scopesUnit(t *testing.T) *Unit {
	t.Helper()
	block := func(name string, low, size uint64) *DIE {
		return NewDIE(TagLexicalBlock, StringAttr(AttrName, name), AddressAttr(AttrLowPC, low),
			UintAttr(AttrHighPC, size))
	}
	root := NewDIE(TagCompileUnit)
	f := NewDIE(TagSubprogram, StringAttr(AttrName, "f"), AddressAttr(AttrLowPC, 0x100),
		UintAttr(AttrHighPC, 0x40))
	bracket := NewDIE(TagLexicalBlock, StringAttr(AttrName, "bracket"))
	bracket.Add(block("inner", 0x110, 8), block("second", 0x118, 8))
	f.Add(NewDIE(TagVariable, AddressAttr(AttrLowPC, 0x110)), bracket, block("last", 0x120, 8))
	g := NewDIE(TagSubprogram, StringAttr(AttrName, "g"), AddressAttr(AttrLowPC, 0x200))
	root.Add(f, g, NewDIE(TagSubprogram, StringAttr(AttrName, "declared")))
	d, err := New(sectionsFrom(written(t, []*OutUnit{{Version: 4, AddrSize: 8, Root: root}},
		WriteOptions{})), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d.Units()[0]
}

// TestScopesAt asks what is around addresses of a unit without addresses: those of its functions are its. A
// function with DW_AT_low_pc alone has one byte (DWARF 5 section 2.17.1).
func TestScopesAt(t *testing.T) {
	u := scopesUnit(t)
	ranges, err := u.Ranges()
	if diff := cmp.Diff([]Range{{0x100, 0x140}, {0x200, 0x201}}, ranges); err != nil || diff != "" {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
	for pc, want := range map[uint64]string{
		0xff: "", 0x100: "f", 0x110: "f inner", 0x117: "f inner", 0x118: "f second", 0x120: "f last",
		0x128: "f", 0x13f: "f", 0x140: "", 0x1ff: "", 0x200: "g", 0x201: "",
	} {
		var names []string
		for _, s := range u.ScopesAt(pc) {
			names = append(names, s.Name())
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("around 0x%x: %q, want %q", pc, got, want)
		}
		if got := u.Data.UnitAt(pc); (got == u) != (want != "") {
			t.Errorf("the unit at 0x%x: %v", pc, got)
		}
	}
}

// TestOverlappingFunctions finds the innermost at an address, also behind one inside it.
func TestOverlappingFunctions(t *testing.T) {
	var x pcIndex[string]
	for _, e := range []struct {
		low, high uint64
		name      string
	}{{0x100, 0x200, "outer"}, {0x120, 0x140, "inner"}, {0x130, 0x134, "innermost"}, {0x300, 0x300, "empty"},
		{0x400, 0x410, "first"}, {0x400, 0x420, "second"}} {
		x.add(e.low, e.high, e.name)
	}
	x.sort()
	for pc, want := range map[uint64]string{0xff: "", 0x100: "outer", 0x120: "inner", 0x130: "innermost",
		0x134: "inner", 0x140: "outer", 0x1ff: "outer", 0x200: "", 0x300: "", 0x400: "first", 0x410: "second",
		0x420: ""} {
		if got, ok := x.find(pc); got != want || ok != (want != "") {
			t.Errorf("at 0x%x: %q, %v; want %q", pc, got, ok, want)
		}
	}
}

// TestIntelLines: in IGC's tables for Xe-HPG and Xe-HPC the code behind the loads of a kernel's arguments is
// on the line on which the kernel ends; it is the kernel's own line's.
func TestIntelLines(t *testing.T) {
	row := func(addr uint64, l uint32, flags line.Flags) line.Row {
		return line.Row{Addr: addr, Line: l, Column: 1, File: 1, Flags: flags}
	}
	stmt, end := line.IsStmt, line.EndSequence|line.IsStmt
	kernel := []line.Row{row(0x100, 5, stmt), row(0x108, 20, stmt), row(0x110, 7, stmt), row(0x118, 9, stmt),
		row(0x120, 20, stmt), row(0x130, 20, end)}
	kernel[0].Column = 3
	change := func(i int, f func(*line.Row)) []line.Row {
		rows := append([]line.Row{}, kernel...)
		f(&rows[i])
		return rows
	}
	for _, c := range []struct {
		name     string
		producer At // an attribute of the unit
		rows     []line.Row
		amended  int // the row that is amended, 0 if none is
	}{
		{"IGC", attrIntelLanes, kernel, 1},
		{"another producer", AttrLanguage, kernel, 0},
		{"the kernel ends elsewhere", attrIntelLanes, change(4, func(r *line.Row) { r.Line = 21 }), 0},
		{"a line of the body", attrIntelLanes, change(1, func(r *line.Row) { r.Line = 7 }), 0},
		{"a body on the kernel's line", attrIntelLanes, change(2, func(r *line.Row) { r.Line = 5 }), 1},
		{"a body above the kernel", attrIntelLanes, change(2, func(r *line.Row) { r.Line = 4 }), 0},
		{"an inlined function", attrIntelLanes, change(1, func(r *line.Row) { r.File = 2 }), 0},
		{"two rows", attrIntelLanes, append(append([]line.Row{}, kernel[:2]...), kernel[5]), 0},
		{"no function", attrIntelLanes, change(0, func(r *line.Row) { r.Addr = 0x80 }), 0},
		{"the second kernel", attrIntelLanes, append([]line.Row{row(0x80, 1, stmt), row(0x88, 1, end)},
			kernel...), 3},
		{"the middle of one", attrIntelLanes, append([]line.Row{row(0x100, 5, stmt)}, kernel...), 0},
		{"code behind the kernel", attrIntelLanes, append(append([]line.Row{}, kernel[:5]...),
			row(0x140, 99, stmt), row(0x148, 99, end)), 1},
	} {
		root := NewDIE(TagCompileUnit, UintAttr(c.producer, 1))
		root.Add(NewDIE(TagSubprogram, StringAttr(AttrName, "k"), AddressAttr(AttrLowPC, 0x100),
			UintAttr(AttrHighPC, 0x30)))
		table := &line.Table{Header: line.NewHeader(4, 1), Rows: c.rows}
		table.Files = []line.File{{Name: "k.cl"}, {Name: "f.cl"}}
		d, err := New(sectionsFrom(written(t, []*OutUnit{{Version: 4, AddrSize: 8, Root: root, Lines: table}},
			WriteOptions{})), Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := d.Units()[0].Lines()
		if err != nil {
			t.Fatal(err)
		}
		want := append([]line.Row{}, c.rows...)
		if i := c.amended; i != 0 {
			want[i].Line, want[i].Column, want[i].Flags = 5, 3, 0
		}
		for i := range want {
			if r := got.Rows[i]; r.Line != want[i].Line || r.Column != want[i].Column ||
				r.Flags != want[i].Flags || r.Addr != want[i].Addr {
				t.Errorf("%s: row %d is %+v, want %+v", c.name, i, r, want[i])
			}
		}
	}
}

// TestClasses: which attributes' blocks are expressions, and which may be offsets in another section, by
// their numbers (DWARF 5 table 7.5; DW_AT_bit_offset is of DWARF 3, the calls' from 0x2111 on GCC's).
func TestClasses(t *testing.T) {
	expressions := []At{0x02, 0x0b, 0x0c, 0x0d, 0x19, 0x22, 0x2a, 0x2e, 0x2f, 0x37, 0x38, 0x40, 0x46, 0x48,
		0x4a,
		0x4d, 0x4e, 0x4f, 0x50, 0x51, 0x71, 0x7e, 0x7f, 0x83, 0x84, 0x85, 0x86, 0x2111, 0x2112, 0x2113,
		0x2114,
		AttrLLVMLanePC}
	pointers := map[At]Class{0x02: ClassLocList, 0x10: ClassLinePtr, 0x19: ClassLocList, 0x2a: ClassLocList,
		0x38: ClassLocList, 0x40: ClassLocList, 0x43: ClassMacPtr, 0x46: ClassLocList, 0x48: ClassLocList,
		0x4a: ClassLocList, 0x4d: ClassLocList, 0x55: ClassRngList, 0x72: ClassStrOffsetsPtr,
		0x73: ClassAddrPtr, 0x74: ClassRngListsPtr, 0x79: ClassMacPtr, 0x8c: ClassLocListsPtr,
		0x2119: ClassMacPtr, 0x2132: ClassRngListsPtr, 0x2133: ClassAddrPtr, 0x2c: ClassRngList,
		AttrLLVMLanePC: ClassLocList}
	for name := At(1); name < 0x4000; name++ {
		block := ClassBlock
		if slices.Contains(expressions, name) {
			block = ClassExprLoc
		}
		offset, number := ClassSecOffset, ClassConstant
		if c, ok := pointers[name]; ok {
			offset, number = c, c
		}
		if name == AttrStartScope { // of which version 3 has constants alone
			number = ClassConstant
		}
		for _, f := range []Form{FormBlock, FormBlock1, FormBlock2, FormBlock4} {
			if got := classOf(name, f, 2); got != block {
				t.Errorf("%v (%#x) in %v is %v, want %v", name, uint16(name), f, got, block)
			}
		}
		if got := classOf(name, FormSecOffset, 5); got != offset {
			t.Errorf("%v (%#x) as an offset is %v, want %v", name, uint16(name), got, offset)
		}
		for _, f := range []Form{FormData4, FormData8} {
			if got := classOf(name, f, 3); got != number {
				t.Errorf("%v (%#x) in %v of version 3 is %v, want %v", name, uint16(name), f, got, number)
			}
			if got := classOf(name, f, 4); got != ClassConstant {
				t.Errorf("%v (%#x) in %v of version 4 is %v", name, uint16(name), f, got)
			}
		}
	}
}

// TestIntelLinesWithoutEnd: a table that is cut off behind a kernel's first rows stays as it is.
func TestIntelLinesWithoutEnd(t *testing.T) {
	root := NewDIE(TagCompileUnit, UintAttr(attrIntelLanes, 1))
	root.Add(NewDIE(TagSubprogram, AddressAttr(AttrLowPC, 0x100), UintAttr(AttrHighPC, 0x30)))
	table := &line.Table{Header: line.NewHeader(4, 1), Rows: []line.Row{{Addr: 0x100, Line: 5, File: 1},
		{Addr: 0x104, Line: 20, File: 1}, {Addr: 0x108, Line: 7, File: 1},
		{Addr: 0x110, Line: 7, File: 1, Flags: line.EndSequence}}}
	table.Files = []line.File{{Name: "k.cl"}}
	s := sectionsFrom(written(t, []*OutUnit{{Version: 4, AddrSize: 8, Root: root, Lines: table}},
		WriteOptions{}))
	s.Line[len(s.Line)-2] = 0x7f // the length of the operation that ends the sequence
	d, err := New(s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := d.Units()[0].Lines()
	if err == nil || len(got.Rows) != 3 || got.Rows[1].Line != 20 {
		t.Errorf("%v, %v", got.Rows, err)
	}
}
