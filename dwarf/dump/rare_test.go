package dump

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"simtgdb/dwarf"
	"simtgdb/dwarf/internal/dwarftest"
	"simtgdb/dwarf/line"
	"simtgdb/dwarf/objfile"
)

// These tests print what compilers rarely write.

// rareTypes are types of C++ with all that a name can have.
func rareTypes() []*dwarf.DIE {
	named := func(tag dwarf.Tag, name string, attrs ...dwarf.Attr) *dwarf.DIE {
		return dwarf.NewDIE(tag, append([]dwarf.Attr{dwarf.StringAttr(dwarf.AttrName, name)}, attrs...)...)
	}
	of := func(tag dwarf.Tag, target *dwarf.DIE, children ...*dwarf.DIE) *dwarf.DIE {
		d := dwarf.NewDIE(tag)
		if target != nil {
			d.Set(dwarf.RefAttr(dwarf.AttrType, target))
		}
		d.Add(children...)
		return d
	}
	with := func(d *dwarf.DIE, attrs ...dwarf.Attr) *dwarf.DIE {
		for _, a := range attrs {
			d.Set(a)
		}
		return d
	}
	value := func(t *dwarf.DIE, v int64) *dwarf.DIE { // as compilers have them: unsigned ones are
		a := dwarf.IntAttr(dwarf.AttrConstValue, v)
		if name := t.Name(); strings.HasPrefix(name, "unsigned") || name == "bool" {
			a = dwarf.UintAttr(dwarf.AttrConstValue, uint64(v))
		}
		return with(of(dwarf.TagTemplateValueParameter, t), a)
	}
	bounds := func(attrs ...dwarf.Attr) *dwarf.DIE { return dwarf.NewDIE(dwarf.TagSubrangeType, attrs...) }
	var all []*dwarf.DIE
	base := func(name string) *dwarf.DIE {
		d := named(dwarf.TagBaseType, name, dwarf.UintAttr(dwarf.AttrByteSize, 4))
		all = append(all, d)
		return d
	}
	integer, char := base("int"), base("char")
	empty := of(dwarf.TagStructureType, nil, dwarf.NewDIE(dwarf.TagGNUTemplateParameterPack))
	empty.Set(dwarf.StringAttr(dwarf.AttrName, "Empty"))
	color := named(dwarf.TagEnumerationType, "Color")
	box := of(dwarf.TagStructureType, nil,
		of(dwarf.TagTemplateTypeParameter, of(dwarf.TagPointerType, integer)),
		value(base("unsigned int"), 7), value(base("long"), -7), value(base("long long"), 1),
		value(base("unsigned long"), 2), value(base("unsigned long long"), 3), value(base("short"), -4),
		value(base("unsigned short"), 5), value(base("bool"), 0), value(color, 2),
		with(dwarf.NewDIE(dwarf.TagGNUTemplateTemplateParam),
			dwarf.StringAttr(dwarf.AttrGNUTemplateName, "Other")),
		of(dwarf.TagGNUTemplateParameterPack, nil, of(dwarf.TagTemplateTypeParameter, empty),
			of(dwarf.TagTemplateTypeParameter, empty)))
	box.Set(dwarf.StringAttr(dwarf.AttrName, "Box"))
	all = append(all, empty, color, box)
	letters := of(dwarf.TagStructureType, nil, value(char, 'a'), value(char, '\''), value(char, '\\'),
		value(char, 7), value(char, 8), value(char, 12), value(char, 10), value(char, 13), value(char, 9),
		value(char, 11), value(char, 31), value(char, 126), value(char, 127), value(char, -1), value(char, 0),
		value(base("signed char"), 65), value(base("unsigned char"), 200))
	letters.Set(dwarf.StringAttr(dwarf.AttrName, "Letters"))
	all = append(all, letters)
	object := func(target *dwarf.DIE) *dwarf.DIE {
		return with(of(dwarf.TagFormalParameter, of(dwarf.TagPointerType, target)),
			dwarf.FlagAttr(dwarf.AttrArtificial))
	}
	method := func(target *dwarf.DIE, attrs ...dwarf.Attr) *dwarf.DIE {
		f := with(of(dwarf.TagSubroutineType, integer, object(target), of(dwarf.TagFormalParameter, char)),
			attrs...)
		return with(of(dwarf.TagPtrToMemberType, f), dwarf.RefAttr(dwarf.AttrContainingType, box))
	}
	constant, volatile := of(dwarf.TagConstType, box), of(dwarf.TagVolatileType, box)
	both := of(dwarf.TagConstType, of(dwarf.TagVolatileType, box))
	pointer := of(dwarf.TagPointerType, char)
	function := of(dwarf.TagSubroutineType, nil, of(dwarf.TagFormalParameter, pointer),
		dwarf.NewDIE(dwarf.TagUnspecifiedParameters))
	array := of(dwarf.TagArrayType, pointer, bounds(dwarf.UintAttr(dwarf.AttrCount, 3)), bounds())
	return append(all, constant, volatile, both, pointer, function, array,
		method(box), method(constant), method(volatile), method(both),
		method(box, dwarf.FlagAttr(dwarf.AttrReference)),
		method(box, dwarf.FlagAttr(dwarf.AttrRvalueReference)),
		of(dwarf.TagConstType, pointer), of(dwarf.TagVolatileType, pointer),
		of(dwarf.TagVolatileType, of(dwarf.TagConstType, pointer)), of(dwarf.TagConstType, array),
		of(dwarf.TagConstType, function), of(dwarf.TagVolatileType, integer), of(dwarf.TagConstType, nil),
		of(dwarf.TagPointerType, function), of(dwarf.TagRvalueReferenceType, array),
		with(of(dwarf.TagPtrToMemberType, array), dwarf.RefAttr(dwarf.AttrContainingType, box)),
		of(dwarf.TagArrayType, char, bounds(dwarf.UintAttr(dwarf.AttrUpperBound, 4))),
		of(dwarf.TagArrayType, char,
			bounds(dwarf.UintAttr(dwarf.AttrLowerBound, 2), dwarf.UintAttr(dwarf.AttrCount, 4))),
		of(dwarf.TagArrayType, char,
			bounds(dwarf.UintAttr(dwarf.AttrLowerBound, 2), dwarf.UintAttr(dwarf.AttrUpperBound, 4))),
		of(dwarf.TagArrayType, char, bounds(dwarf.UintAttr(dwarf.AttrLowerBound, 2))),
		of(dwarf.TagArrayType, char, bounds(dwarf.UintAttr(dwarf.AttrLowerBound, 0))),
		of(dwarf.TagPointerType, of(dwarf.TagArrayType, of(dwarf.TagPointerType, function),
			bounds(dwarf.UintAttr(dwarf.AttrCount, 2)))),
		named(dwarf.TagUnspecifiedType, "decltype(nullptr)"), named(dwarf.TagUnspecifiedType, "other"),
		dwarf.NewDIE(dwarf.TagUnionType))
}

// rareForms are attributes in forms that compilers rarely choose.
func rareForms(version uint16) []dwarf.Attr {
	attr := func(name dwarf.At, form dwarf.Form, class dwarf.Class, v uint64) dwarf.Attr {
		return dwarf.Attr{Name: name, Form: form, Class: class, Val: v}
	}
	block := func(name dwarf.At, form dwarf.Form, b ...byte) dwarf.Attr {
		return dwarf.Attr{Name: name, Form: form, Class: dwarf.ClassBlock, Bytes: b}
	}
	all := []dwarf.Attr{
		dwarf.StringAttr(dwarf.AttrName, "a\tb\nc\"d\\e\x01f\xffg"),
		{Name: dwarf.AttrLinkageName, Form: dwarf.FormString, Class: dwarf.ClassString,
			Bytes: []byte("_Z1f")},
		attr(dwarf.AttrByteSize, dwarf.FormData1, dwarf.ClassConstant, 7),
		attr(dwarf.AttrBitSize, dwarf.FormData2, dwarf.ClassConstant, 0x1234),
		attr(dwarf.AttrStartScope, dwarf.FormData4, dwarf.ClassConstant, 0x12345678),
		attr(dwarf.AttrAllocated, dwarf.FormData8, dwarf.ClassConstant, 1<<40),
		attr(dwarf.AttrAssociated, dwarf.FormSdata, dwarf.ClassConstant, ^uint64(4)),
		attr(dwarf.AttrByteStride, dwarf.FormUdata, dwarf.ClassConstant, 300),
		attr(dwarf.AttrExternal, dwarf.FormFlag, dwarf.ClassFlag, 1), dwarf.FlagAttr(dwarf.AttrArtificial),
		attr(dwarf.AttrDeclLine, dwarf.FormData2, dwarf.ClassConstant, 77),
		attr(dwarf.AttrAccessibility, dwarf.FormData1, dwarf.ClassConstant, 1),
		attr(dwarf.AttrInline, dwarf.FormData1, dwarf.ClassConstant, 99),
		block(dwarf.AttrConstValue, dwarf.FormBlock1, 1, 2, 3),
		block(dwarf.AttrDiscrList, dwarf.FormBlock2, 4),
		block(dwarf.AttrDefaultValue, dwarf.FormBlock4, 5, 6),
		block(dwarf.AttrDescription, dwarf.FormBlock, 7),
		block(dwarf.AttrDiscrValue, dwarf.FormBlock1), dwarf.AddressAttr(dwarf.AttrLowPC, ^uint64(0)),
		dwarf.ExprAttr(dwarf.AttrLocation, nil),
	}
	if version >= 5 {
		all = append(all, dwarf.Attr{Name: dwarf.AttrUpperBound, Form: dwarf.FormData16,
			Class: dwarf.ClassConstant,
			Bytes: []byte("0123456789abcdef")},
			attr(dwarf.AttrRank, dwarf.FormImplicitConst, dwarf.ClassConstant, ^uint64(6)))
	}
	return all
}

// TestRareIsLLVMs compares hand-made units of each version and format with llvm-dwarfdump: their entries,
// types and line tables.
func TestRareIsLLVMs(t *testing.T) {
	dwarftest.Need(t, "llvm-dwarfdump-22")
	var all []comparison
	for _, c := range []struct {
		version uint16
		is64    bool
		size    uint8
		kind    dwarf.UnitKind
	}{{2, false, 8, 0}, {4, false, 4, 0}, {4, true, 8, 0}, {4, false, 8, dwarf.UnitType}, {5, true, 8, 0},
		{5, false, 4, 0}, {5, false, 8, dwarf.UnitType}, {5, true, 8, dwarf.UnitSkeleton},
		{5, false, 8, dwarf.UnitPartial}} {
		name := fmt.Sprintf("version %d, 64-bit %v, addresses of %d bytes, %v", c.version, c.is64, c.size,
			c.kind)
		file := dwarftest.Object(t, rareSections(t, c.version, c.is64, c.size, c.kind), 0)
		flags := "--debug-info"
		if c.kind == dwarf.UnitType && c.version == 4 {
			flags += " --debug-types"
		}
		all = append(all, comparison{name, file, Info, false, flags},
			comparison{name, file, Info, true, flags + " -v"},
			comparison{name, file, Lines, false, "--debug-line"})
	}
	compareAll(t, all)
}

// rareSections writes a unit of all that is rare, behind one that it refers to.
func rareSections(t *testing.T, version uint16, is64 bool, size uint8,
	kind dwarf.UnitKind) map[string][]byte {
	t.Helper()
	root := dwarf.NewDIE(dwarf.TagCompileUnit, dwarf.UintAttr(dwarf.AttrLanguage, dwarf.LangCPlusPlus14),
		dwarf.StringAttr(dwarf.AttrCompDir, "/src"))
	for _, a := range rareForms(version) {
		if size == 4 && a.Class == dwarf.ClassAddress {
			a.Val = 0xffffffff
		}
		if root.Add(dwarf.NewDIE(dwarf.TagVariable, a)); a.Class == dwarf.ClassBlock && version < 4 {
			root.Children = root.Children[:len(root.Children)-1]
		}
	}
	first := dwarf.NewDIE(dwarf.TagCompileUnit, dwarf.StringAttr(dwarf.AttrName, "first"),
		dwarf.UintAttr(dwarf.AttrLanguage, dwarf.LangFortran90)) // whose arrays begin at 1
	far := dwarf.NewDIE(dwarf.TagBaseType, dwarf.StringAttr(dwarf.AttrName, "far"))
	first.Add(far)
	for _, lower := range []uint64{0, 1, 2} {
		array := dwarf.NewDIE(dwarf.TagArrayType, dwarf.RefAttr(dwarf.AttrType, far))
		array.Add(dwarf.NewDIE(dwarf.TagSubrangeType, dwarf.UintAttr(dwarf.AttrUpperBound, 9)),
			dwarf.NewDIE(dwarf.TagSubrangeType, dwarf.UintAttr(dwarf.AttrLowerBound, lower),
				dwarf.UintAttr(dwarf.AttrUpperBound, 9)))
		first.Add(array, dwarf.NewDIE(dwarf.TagVariable, dwarf.RefAttr(dwarf.AttrType, array)))
	}
	root.Add(dwarf.NewDIE(dwarf.TagVariable, dwarf.RefAttr(dwarf.AttrType, far)))
	types := rareTypes()
	root.Add(types...)
	for _, d := range types {
		root.Add(dwarf.NewDIE(dwarf.TagVariable, dwarf.RefAttr(dwarf.AttrType, d)))
		for _, c := range append(d.Children, d) { // what they are made of, and has no place yet
			addTargets(root, c)
		}
	}
	table := &line.Table{Header: line.NewHeader(version, 4)}
	table.Is64 = is64
	table.Dirs = []string{"/src", "include"}
	table.Files = []line.File{{Name: "a.cc"}, {Name: "b\"\\.h", Dir: 1, Time: 5, Length: 6}}
	if version >= 5 {
		table.Has = line.FileContent{Time: true, Length: true, MD5: true, Source: true}
		table.Files[1].MD5[2], table.Files[1].Source = 7, []byte("int\n\tx;\n")
	}
	table.OpcodeBase, table.OpcodeLengths = 15, append(table.OpcodeLengths, 1, 2)
	table.Rows = []line.Row{{Addr: 0x1000, Line: 3, Column: 4, File: 1, Flags: line.IsStmt | line.BasicBlock},
		{Addr: 0x1010, Line: 70000, File: 2, ISA: 1, Discriminator: 9,
			Flags: line.PrologueEnd | line.EpilogueBegin},
		{Addr: 0x1020, Line: 0, File: 2, ISA: 1, Flags: line.IsStmt | line.EndSequence}}
	u := &dwarf.OutUnit{Version: version, AddrSize: size, Is64: is64, Type: kind, Root: root, Lines: table,
		Signature: 0x1122334455667788, DWOID: 0x99aabbccddeeff00}
	if kind == dwarf.UnitType {
		u.TypeDIE = types[0]
	}
	s, err := dwarf.Write([]*dwarf.OutUnit{{Version: version, AddrSize: size, Root: first}, u},
		dwarf.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// addTargets adds what an entry refers to, and has no parent, to the root.
func addTargets(root, d *dwarf.DIE) {
	for _, a := range d.Attrs {
		if a.Ref != nil && a.Ref.Parent == nil && a.Ref != root {
			root.Add(a.Ref)
			for _, c := range append(a.Ref.Children, a.Ref) {
				addTargets(root, c)
			}
		}
	}
}

// listBytes puts numbers of so many bytes together.
func listBytes(size int, parts ...any) (b []byte) {
	for _, p := range parts {
		switch p := p.(type) {
		case byte:
			b = append(b, p)
		case int:
			var n [8]byte
			binary.LittleEndian.PutUint64(n[:], uint64(p))
			b = append(b, n[:size]...)
		case []byte:
			b = append(b, p...)
		}
	}
	return b
}

// contributionOf puts a header in front of lists of version 5.
func contributionOf(size int, is64 bool, offsets []byte, lists []byte) []byte {
	width := 4
	if is64 {
		width = 8
	}
	rest := listBytes(2, 5, byte(size), byte(0), []byte{byte(len(offsets) / width), 0, 0, 0}, offsets, lists)
	if is64 {
		return listBytes(8, []byte{0xff, 0xff, 0xff, 0xff}, len(rest), rest)
	}
	return listBytes(4, len(rest), rest)
}

// TestListsAreLLVMs compares entries of all kinds of lists with llvm-dwarfdump.
func TestListsAreLLVMs(t *testing.T) {
	dwarftest.Need(t, "llvm-dwarfdump-22")
	var all []comparison
	for _, size := range []int{4, 8} {
		first := listBytes(size, byte(4), byte(1), byte(2), byte(1), byte(0x31), byte(6), 0x5000, byte(4),
			byte(1),
			byte(2), byte(1), byte(0x31), byte(7), 0x6000, 0x6010, byte(1), byte(0x32), byte(8), 0x7000,
			byte(4),
			byte(1), byte(0x33), byte(5), byte(1), byte(0x34), byte(0))
		locs := listBytes(size, first, byte(8), 0x8000, byte(4), byte(0), byte(0))
		ranges := listBytes(size, byte(5), 0x5000, byte(4), byte(1), byte(2), byte(0),
			byte(6), 0x6000, 0x6010, byte(7), 0x7000, byte(4), byte(0))
		for _, is64 := range []bool{false, true} {
			width, head := 4, 12
			if is64 {
				width, head = 8, 20
			}
			offsets := listBytes(width, 2*width, 2*width+1)
			s := unitSections(5, size, head, head+len(first))
			s[".debug_loclists"] = contributionOf(size, is64, nil, locs)
			s[".debug_rnglists"] = append(contributionOf(size, is64, offsets, ranges),
				contributionOf(size, is64, nil, ranges)...)
			name := fmt.Sprintf("addresses of %d bytes, 64-bit %v", size, is64)
			file := dwarftest.Object(t, s, 0)
			all = append(all, comparison{name, file, LocLists, false, "--debug-loclists"},
				comparison{name, file, RangeLists, false, "--debug-rnglists"})
		}
		first = listBytes(size, 1, 2, []byte{1, 0, 0x31}, -1, 0x5000, 3, 4, []byte{1, 0, 0x32}, 0, 0)
		s := unitSections(4, size, 0, len(first))
		s[".debug_loc"] = listBytes(size, first, 5, 6, []byte{0, 0}, 0, 0)
		s[".debug_ranges"] = listBytes(size, 1, 2, -1, 0x5000, 3, 4, 0, 0, 5, 6, 0, 0)
		file := dwarftest.Object(t, s, 0)
		name := fmt.Sprintf("version 4, addresses of %d bytes", size)
		all = append(all, comparison{name, file, LocLists, false, "--debug-loc"},
			comparison{name, file, RangeLists, false, "--debug-ranges"})
	}
	compareAll(t, all)
}

// unitSections is a unit of variables, whose lists of locations are at these offsets.
func unitSections(version byte, size int, lists ...int) map[string][]byte {
	entries := []byte{1}
	for _, at := range lists {
		entries = listBytes(4, entries, byte(2), at)
	}
	rest := listBytes(4, version, byte(0), 0, byte(size), entries, byte(0))
	if version >= 5 {
		rest = listBytes(4, version, byte(0), byte(dwarf.UnitCompile), byte(size), 0, entries, byte(0))
	}
	return map[string][]byte{".debug_info": listBytes(4, len(rest), rest), ".debug_abbrev": {
		1, byte(dwarf.TagCompileUnit), 1, 0, 0, 2, byte(dwarf.TagVariable), 0, byte(dwarf.AttrLocation),
		byte(dwarf.FormSecOffset), 0, 0, 0}}
}

// failing is a writer that fails after some bytes.
type failing struct{ left int }

var errFull = errors.New("full")

func (f *failing) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// TestParts prints each part of an object, and none of one that has none; what is wrong, also in writing, is
// among the faults.
func TestParts(t *testing.T) {
	data, err := os.ReadFile("../../testdata/co/saxpy.gfx90a.O2.co")
	if err != nil {
		t.Fatal(err)
	}
	o, err := objfile.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	heads := map[string]string{"info": ".debug_info contents:", "loc": ".debug_loc",
		"frame": ".debug_frame contents:",
		"line":  ".debug_line contents:", "ranges": ".debug_r"}
	for i := range Parts {
		p := &Parts[i]
		var b bytes.Buffer
		d := New(o)
		p.Print(d, &b)
		if len(d.Faults()) > 0 || b.Len() > 0 && !strings.Contains(b.String(), heads[p.Name]) ||
			b.Len() == 0 && p.Name != "ranges" {
			t.Errorf("%s: %d bytes, %v:\n%.200s", p.Name, b.Len(), d.Faults(), b.String())
		}
		if b.Len() == 0 {
			continue
		}
		p.Print(d, &failing{10})
		if f := d.Faults(); len(f) != 1 || !errors.Is(f[0], errFull) {
			t.Errorf("%s, to a full disk: %v", p.Name, f)
		}
		var none bytes.Buffer
		d = New(&objfile.Object{AddrSize: 8, Sections: map[string][]byte{}})
		if p.Print(d, &none); none.Len() != 0 || len(d.Faults()) != 0 {
			t.Errorf("%s of nothing: %q, %v", p.Name, none.String(), d.Faults())
		}
		d = New(&objfile.Object{AddrSize: 8, Sections: map[string][]byte{".debug_info": {1, 2}}})
		if p.Print(d, &none); none.Len() != 0 || len(d.Faults()) != 1 {
			t.Errorf("%s of a damaged unit: %q, %v", p.Name, none.String(), d.Faults())
		}
	}
	for name, o := range map[string]*objfile.Object{
		"section .debug_frame of a big-endian file is not read": {AddrSize: 8, BigEndian: true,
			Sections: map[string][]byte{".debug_frame": {1}}},
		"section .eh_frame: call frame information": {AddrSize: 8,
			Sections: map[string][]byte{".eh_frame": {1}}},
		"unit of version 9": {AddrSize: 8,
			Sections: map[string][]byte{".debug_info": {2, 0, 0, 0, 9, 0}}},
	} {
		d := New(o)
		for i := range Parts {
			Parts[i].Print(d, &bytes.Buffer{})
		}
		if f := d.Faults(); len(f) == 0 || !strings.Contains(f[0].Error(), name) {
			t.Errorf("faults %v, want one with %q", f, name)
		}
	}
}
