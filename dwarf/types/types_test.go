package types

import (
	"testing"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
)

// base and the functions below build types by hand.
func base(size, encoding uint64) *dwarf.DIE {
	return dwarf.NewDIE(dwarf.TagBaseType, dwarf.UintAttr(dwarf.AttrByteSize, size),
		dwarf.UintAttr(dwarf.AttrEncoding, encoding))
}

func of(tag dwarf.Tag, target *dwarf.DIE, attrs ...dwarf.Attr) *dwarf.DIE {
	d := dwarf.NewDIE(tag, attrs...)
	if target != nil {
		d.Set(dwarf.RefAttr(dwarf.AttrType, target))
	}
	return d
}

// array has a subrange for each group of attributes.
func array(element *dwarf.DIE, ranges ...[]dwarf.Attr) *dwarf.DIE {
	d := of(dwarf.TagArrayType, element)
	for _, r := range ranges {
		d.Add(dwarf.NewDIE(dwarf.TagSubrangeType, r...))
	}
	return d
}

func record(tag dwarf.Tag, members ...*dwarf.DIE) *dwarf.DIE {
	d := dwarf.NewDIE(tag)
	d.Add(members...)
	return d
}

func count(n uint64) []dwarf.Attr { return []dwarf.Attr{dwarf.UintAttr(dwarf.AttrCount, n)} }

func bounds(lower, upper int64) []dwarf.Attr {
	return []dwarf.Attr{dwarf.IntAttr(dwarf.AttrLowerBound, lower),
		dwarf.IntAttr(dwarf.AttrUpperBound, upper)}
}

func upper(n int64) []dwarf.Attr { return []dwarf.Attr{dwarf.IntAttr(dwarf.AttrUpperBound, n)} }

// TestElements counts arrays with bounds of all forms (DWARF 5 section 5.13).
func TestElements(t *testing.T) {
	char := base(1, dwarf.ATESignedChar)
	other := array(char, count(2))
	other.Add(dwarf.NewDIE(dwarf.TagTypedef))
	for _, tt := range []struct {
		name string
		typ  *dwarf.DIE
		want uint64
	}{
		{"int", base(4, dwarf.ATESigned), 1},
		{"count 7", array(char, count(7)), 7},
		{"upper bound 6", array(char, upper(6)), 7},
		{"upper bound 0", array(char, upper(0)), 1},
		{"upper bound -1", array(char, upper(-1)), 0},
		{"1 to 6", array(char, bounds(1, 6)), 6},
		{"-3 to 3", array(char, bounds(-3, 3)), 7},
		{"3 to 1", array(char, bounds(3, 1)), 0},
		{"3 by upper bound 4", array(char, count(3), upper(4)), 15},
		{"open", array(char, nil), 0},
		{"2, and an entry that is no dimension", other, 2},
		{"2^31 by 2^33", array(char, count(1<<31), count(1<<33)), 0},
		{"2^31 + 1 by 2^33", array(char, count(1<<31+1), count(1<<33)), 0},
		{"2^32 by 2^32", array(char, count(1<<32), count(1<<32)), 0},
		{"all there are", array(char, bounds(-1<<63, 1<<63-1)), 0},
	} {
		if got := Elements(tt.typ); got != tt.want {
			t.Errorf("%s: %d elements, want %d", tt.name, got, tt.want)
		}
		if want := tt.want; AMDGPU.Size(tt.typ) != want && tt.typ.Tag == dwarf.TagArrayType {
			t.Errorf("%s: %d bytes, want %d", tt.name, AMDGPU.Size(tt.typ), want)
		}
	}
}

// TestLowerBound takes DW_AT_lower_bound from the language where it is left out (DWARF 5 table 7.17, and the
// list of languages that goes on behind it).
func TestLowerBound(t *testing.T) {
	one := map[uint64]bool{ // by number, as the table has them
		0x03: true, 0x0d: true, 0x2e: true, 0x2f: true, // Ada
		0x05: true, 0x06: true, // COBOL
		0x07: true, 0x08: true, 0x0e: true, 0x22: true, 0x23: true, 0x2d: true, // Fortran
		0x09: true, 0x0a: true, 0x17: true, // Pascal, Modula-2 and 3
		0x0f: true, 0x1f: true, // PL/I, Julia
	}
	for language := range uint64(0x100) {
		want := int64(0)
		if one[language] {
			want = 1
		}
		if got := LowerBound(language); got != want {
			t.Errorf("arrays of language %#x begin at %d, want %d", language, got, want)
		}
	}
}

func class(n uint64) dwarf.Attr { return dwarf.UintAttr(dwarf.AttrAddressClass, n) }

// TestSizeAndAlign asks for types as LLVM's data layout for amdgcn has them.
func TestSizeAndAlign(t *testing.T) {
	i32, f64, char := base(4, dwarf.ATESigned), base(8, dwarf.ATEFloat), base(1, dwarf.ATESignedChar)
	short := base(2, dwarf.ATESigned)
	member := func(typ *dwarf.DIE,
		attrs ...dwarf.Attr) *dwarf.DIE {
		return of(dwarf.TagMember, typ, attrs...)
	}
	vector := func(element *dwarf.DIE, n uint64) *dwarf.DIE {
		d := array(element, count(n))
		d.Set(dwarf.FlagAttr(dwarf.AttrGNUVector))
		return d
	}
	pair := record(dwarf.TagStructureType, member(char), member(f64))
	pair.Set(dwarf.UintAttr(dwarf.AttrByteSize, 16))
	aligned := record(dwarf.TagStructureType, member(i32, dwarf.UintAttr(dwarf.AttrAlignment, 32)))
	aligned.Set(dwarf.UintAttr(dwarf.AttrByteSize, 32))
	static := record(dwarf.TagClassType, member(short), member(f64, dwarf.FlagAttr(dwarf.AttrExternal)))
	static.Set(dwarf.UintAttr(dwarf.AttrByteSize, 2))
	derived := record(dwarf.TagStructureType, of(dwarf.TagInheritance, pair), member(char))
	derived.Set(dwarf.UintAttr(dwarf.AttrByteSize, 24))
	union := record(dwarf.TagUnionType, member(i32), member(f64))
	union.Set(dwarf.UintAttr(dwarf.AttrByteSize, 8))
	loose := record(dwarf.TagStructureType, member(f64), member(char, dwarf.UintAttr(dwarf.AttrAlignment, 2)))
	loose.Set(dwarf.UintAttr(dwarf.AttrByteSize, 16))
	loop := dwarf.NewDIE(dwarf.TagTypedef)
	loop.Set(dwarf.RefAttr(dwarf.AttrType, loop))
	for _, tt := range []struct {
		name                  string
		typ                   *dwarf.DIE
		size, align, declared uint64
	}{
		{"int", i32, 4, 4, 4},
		{"const volatile int", of(dwarf.TagConstType, of(dwarf.TagVolatileType, i32)), 4, 4, 4},
		{"typedef alignas(16) int", of(dwarf.TagTypedef, i32, dwarf.UintAttr(dwarf.AttrAlignment, 16)), 4,
			4, 16},
		{"_Complex float", base(8, dwarf.ATEComplexFloat), 8, 4, 4},
		{"double[5]", array(f64, count(5)), 40, 8, 8},
		{"float4", vector(base(4, dwarf.ATEFloat), 4), 16, 16, 16},
		{"short3", of(dwarf.TagTypedef, vector(short, 3)), 6, 8, 8},
		{"{char; double}", pair, 16, 8, 8},
		{"{alignas(32) int}", aligned, 32, 4, 32},
		{"{short; static double}", static, 2, 2, 2},
		{"{char; double} and a char", derived, 24, 8, 8},
		{"LDS pointer", of(dwarf.TagPointerType, i32, class(expr.SpaceLocal)), 4, 4, 4},
		{"reference to private memory", of(dwarf.TagReferenceType, i32, class(expr.SpacePrivateLane)), 4, 4,
			4},
		{"pointer that says its size", of(dwarf.TagPointerType, i32, dwarf.UintAttr(dwarf.AttrByteSize, 8)),
			8, 8, 8},
		{"union of an int and a double", union, 8, 8, 8},
		{"alignas(32) int behind qualifiers", of(dwarf.TagConstType, of(dwarf.TagVolatileType,
			of(dwarf.TagTypedef, i32, dwarf.UintAttr(dwarf.AttrAlignment, 32)))), 4, 4, 32},
		{"an alignment of 0", of(dwarf.TagTypedef, i32, dwarf.UintAttr(dwarf.AttrAlignment, 0)), 4, 4, 1},
		{"{double; alignas(2) char}", loose, 16, 8, 8},
		{"enumeration with a base", of(dwarf.TagEnumerationType, short), 2, 2, 2},
		{"a structure that is declared alone", dwarf.NewDIE(dwarf.TagStructureType), 0, 1, 1},
		{"a base type without a size", dwarf.NewDIE(dwarf.TagBaseType), 0, 1, 1},
		{"_Complex of one byte", base(1, dwarf.ATEComplexFloat), 1, 1, 1},
		{"pointer without a unit", of(dwarf.TagPointerType, i32), 0, 1, 1},
		{"int of an address class", of(dwarf.TagTypedef, i32, class(expr.SpaceLocal)), 4, 4, 4},
		{"a vector of half of all memory and a byte", vector(char, 1<<63+1), 1<<63 + 1, 1, 1},
		{"void", nil, 0, 1, 1},
		{"a typedef of itself", loop, 0, 1, 1},
	} {
		if got := AMDGPU.Size(tt.typ); got != tt.size {
			t.Errorf("%s: %d bytes, want %d", tt.name, got, tt.size)
		}
		if got := AMDGPU.Align(tt.typ); got != tt.align {
			t.Errorf("%s: natural alignment %d, want %d", tt.name, got, tt.align)
		}
		if got := AMDGPU.DeclaredAlign(tt.typ); got != tt.declared {
			t.Errorf("%s: alignment %d, want %d", tt.name, got, tt.declared)
		}
	}
}

// TestIsEmpty tells structures without members from others.
func TestIsEmpty(t *testing.T) {
	empty := record(dwarf.TagStructureType)
	heir := record(dwarf.TagClassType, of(dwarf.TagInheritance, of(dwarf.TagTypedef, empty)))
	static := record(dwarf.TagStructureType, of(dwarf.TagMember, empty, dwarf.FlagAttr(dwarf.AttrExternal)))
	full := record(dwarf.TagStructureType, of(dwarf.TagMember, empty))
	ring := record(dwarf.TagStructureType)
	ring.Add(of(dwarf.TagInheritance, ring), of(dwarf.TagInheritance, ring))
	for _, tt := range []struct {
		name string
		typ  *dwarf.DIE
		want bool
	}{
		{"{}", empty, true}, {"class : {}", heir, true}, {"static member", static, true},
		{"{} as member", full, false}, {"int", base(4, dwarf.ATESigned), false}, {"void", nil, false},
		{"its own base", ring, false},
	} {
		if got := IsEmpty(tt.typ); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

func TestIsScoped(t *testing.T) {
	for _, c := range []struct {
		language uint64
		class    bool
		scoped   bool
	}{
		{dwarf.LangCPlusPlus14, true, true},
		{dwarf.LangCPlusPlus14, false, false},
		{dwarf.LangOpenCL, true, false}, // of Intel's compiler
	} {
		d := dwarf.NewDIE(dwarf.TagEnumerationType)
		if c.class {
			d.Set(dwarf.FlagAttr(dwarf.AttrEnumClass))
		}
		dwarf.NewDIE(dwarf.TagCompileUnit, dwarf.UintAttr(dwarf.AttrLanguage, c.language)).Add(d)
		if got := IsScoped(d); got != c.scoped {
			t.Errorf("language %#x, class %v: scoped %v", c.language, c.class, got)
		}
	}
}

func TestOffset(t *testing.T) {
	at := dwarf.AttrDataMemberLocation
	for want, a := range map[uint64]dwarf.Attr{0: dwarf.UintAttr(at, 0), 24: dwarf.UintAttr(at, 24),
		300: dwarf.ExprAttr(at, []byte{expr.OpPlusUconst, 0xac, 0x02}),
		8:   dwarf.ExprAttr(at, []byte{expr.OpPlusUconst, 8})} {
		if got := Offset(dwarf.NewDIE(dwarf.TagMember, a)); got != want {
			t.Errorf("%d, want %d", got, want)
		}
	}
	for _, d := range []*dwarf.DIE{dwarf.NewDIE(dwarf.TagMember), dwarf.NewDIE(dwarf.TagMember,
		dwarf.ExprAttr(at, []byte{expr.OpPlusUconst}))} {
		if got := Offset(d); got != 0 {
			t.Errorf("%d, want 0", got)
		}
	}
}

// TestKinds: of each tag, which questions are answered with yes (DWARF 5 chapter 5 says what the tags mean).
func TestKinds(t *testing.T) {
	const qualifier, pointer, isRecord = 1, 2, 4
	for tag, want := range map[dwarf.Tag]int{
		dwarf.TagTypedef: qualifier, dwarf.TagConstType: qualifier, dwarf.TagVolatileType: qualifier,
		dwarf.TagRestrictType: qualifier, dwarf.TagAtomicType: qualifier,
		dwarf.TagPointerType: pointer, dwarf.TagReferenceType: pointer, dwarf.TagRvalueReferenceType: pointer,
		dwarf.TagStructureType: isRecord, dwarf.TagClassType: isRecord, dwarf.TagUnionType: isRecord,
		dwarf.TagBaseType: 0, dwarf.TagArrayType: 0, dwarf.TagEnumerationType: 0, dwarf.TagPtrToMemberType: 0,
		dwarf.TagSubroutineType: 0, dwarf.TagSubrangeType: 0,
	} {
		d := dwarf.NewDIE(tag, dwarf.UintAttr(dwarf.AttrCallingConvention, dwarf.CCPassByReference),
			dwarf.FlagAttr(dwarf.AttrGNUVector), dwarf.UintAttr(dwarf.AttrEncoding, dwarf.ATEFloat),
			class(expr.SpaceLocal))
		for _, q := range []struct {
			what      string
			got, want bool
		}{
			{"a qualifier", IsQualifier(tag), want == qualifier},
			{"a pointer", IsPointer(d), want == pointer},
			{"a record", IsRecord(d), want == isRecord},
			{"passed by reference", IsPassedByReference(d), want == isRecord},
			{"a vector", IsVector(d), tag == dwarf.TagArrayType},
			{"a floating-point number", Encoding(d) == dwarf.ATEFloat, tag == dwarf.TagBaseType},
		} {
			if q.got != q.want {
				t.Errorf("%v is %s: %v", tag, q.what, q.got)
			}
		}
		if size, narrow := AMDGPU.Narrow(d); narrow != (want == pointer) || narrow && size != 4 {
			t.Errorf("%v is narrow: %v, of %d bytes", tag, narrow, size)
		}
	}
	value := dwarf.NewDIE(dwarf.TagClassType, dwarf.UintAttr(dwarf.AttrCallingConvention, 5)) // by value
	if IsPassedByReference(value) || IsPassedByReference(dwarf.NewDIE(dwarf.TagClassType)) ||
		IsVector(dwarf.NewDIE(dwarf.TagArrayType)) || Encoding(nil) != 0 {
		t.Error("an answer without the attribute that gives it")
	}
	if _, narrow := AMDGPU.Narrow(nil); narrow {
		t.Error("void is narrow")
	}
	wide := Model{Pointers: map[uint64]uint64{0: 4}}
	if _, narrow := wide.Narrow(dwarf.NewDIE(dwarf.TagPointerType)); narrow {
		t.Error("a pointer without an address class is narrow")
	}
	generic := dwarf.NewDIE(dwarf.TagPointerType, class(1))
	if _, narrow := AMDGPU.Narrow(generic); narrow {
		t.Error("a generic pointer is narrow")
	}
}

// TestMembers: what an object consists of, and no more of it than is asked for.
func TestMembers(t *testing.T) {
	i32 := base(4, dwarf.ATESigned)
	first, second := of(dwarf.TagInheritance, i32), of(dwarf.TagMember, i32)
	d := record(dwarf.TagClassType, dwarf.NewDIE(dwarf.TagSubprogram), first,
		of(dwarf.TagMember, i32, dwarf.FlagAttr(dwarf.AttrExternal)), of(dwarf.TagVariable, i32), second)
	var got []*dwarf.DIE
	for m := range Members(d) {
		got = append(got, m)
	}
	if len(got) != 2 || got[0] != first || got[1] != second {
		t.Errorf("%d members", len(got))
	}
	for m := range Members(d) {
		if m != first {
			t.Errorf("%v comes first", m.Tag)
		}
		break
	}
}

// TestUnits asks for what a type's unit says: how wide its addresses are, where arrays begin in its language,
// and which base type lies at an offset.
func TestUnits(t *testing.T) {
	for _, language := range []uint64{dwarf.LangC99, dwarf.LangFortran08} {
		i32 := base(4, dwarf.ATESigned)
		bits := dwarf.NewDIE(dwarf.TagBaseType, dwarf.UintAttr(dwarf.AttrByteSize, 4),
			dwarf.UintAttr(dwarf.AttrBitSize, 24), dwarf.UintAttr(dwarf.AttrEncoding, dwarf.ATEUnsigned))
		root := dwarf.NewDIE(dwarf.TagCompileUnit, dwarf.UintAttr(dwarf.AttrLanguage, language))
		root.Add(i32, bits, of(dwarf.TagPointerType, i32), of(dwarf.TagPtrToMemberType, i32),
			of(dwarf.TagReferenceType, i32, class(expr.SpaceLocal)), array(i32, upper(7)),
			array(i32, bounds(0, 7)))
		// A unit before it, so that offsets in the unit are not those in the section.
		sections, err := dwarf.Write([]*dwarf.OutUnit{
			{Version: 5, AddrSize: 8, Root: dwarf.NewDIE(dwarf.TagCompileUnit)},
			{Version: 5, AddrSize: 8, Root: root}}, dwarf.WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		data, err := dwarf.New(dwarf.SectionsNamed(sections), dwarf.Options{})
		if err != nil {
			t.Fatal(err)
		}
		u := data.Units()[1]
		read, err := u.Root()
		if err != nil {
			t.Fatal(err)
		}
		open := uint64(8 * 4)
		if language == dwarf.LangFortran08 {
			open = 7 * 4
		}
		for i, want := range []uint64{4, 4, 8, 8, 4, open, 8 * 4} {
			if got := AMDGPU.Size(read.Children[i]); got != want {
				t.Errorf("language %#x: %v has %d bytes, want %d", language, read.Children[i].Tag, got, want)
			}
		}
		for i, want := range []expr.BaseType{{Encoding: dwarf.ATESigned, Bits: 32},
			{Encoding: dwarf.ATEUnsigned, Bits: 24}} {
			if got, err := Base(u, read.Children[i].Offset-u.Offset); got != want || err != nil {
				t.Errorf("base type %d is %+v, %v, want %+v", i, got, err, want)
			}
		}
		for _, offset := range []uint64{1, read.Children[2].Offset - u.Offset} {
			if got, err := Base(u, offset); err == nil {
				t.Errorf("at %#x is a base type %+v", offset, got)
			}
		}
	}
}

// TestBounded asks for types that are parts of themselves, and for some in which each of 30 records has the
// next one twice: a billion ways lead down. An answer comes, and it is right where one way is enough for it.
func TestBounded(t *testing.T) {
	self := array(nil, count(2))
	self.Set(dwarf.RefAttr(dwarf.AttrType, self))
	own := record(dwarf.TagStructureType)
	own.Add(of(dwarf.TagMember, own), of(dwarf.TagMember, own))
	for _, d := range []*dwarf.DIE{self, own} {
		if size, align := AMDGPU.Size(d), AMDGPU.Align(d); size != 0 || align != 1 {
			t.Errorf("%v of itself: %d bytes, aligned to %d", d.Tag, size, align)
		}
	}
	tower := func(tag dwarf.Tag, top *dwarf.DIE, levels int) *dwarf.DIE {
		for range levels {
			top = record(dwarf.TagStructureType, of(tag, top), of(tag, top))
		}
		return top
	}
	if !IsEmpty(tower(dwarf.TagInheritance, record(dwarf.TagStructureType), 10)) {
		t.Error("ten levels of structures without members are not empty")
	}
	_ = IsEmpty(tower(dwarf.TagInheritance, record(dwarf.TagStructureType), 30)) // not known in bounded time
	if got := AMDGPU.Align(tower(dwarf.TagMember, base(8, dwarf.ATEFloat), 30)); got != 8 {
		t.Errorf("alignment of double within 30 records: %d", got)
	}
}
