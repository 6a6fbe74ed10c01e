package launch

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simtgdb/dwarf"
	"simtgdb/stub/arch"
)

// TestDeclaredTypes: what is given for an argument is held against its type, which debugging information
// says, or the names of types in metadata, or a module's types; where the code alone says what it takes, that
// is said.
func TestDeclaredTypes(t *testing.T) {
	saxpy := Spec{CodeObject: object("saxpy"), Grid: Dims{64, 1, 1}, Block: Dims{64, 1, 1}}
	bench := func(file string) Spec {
		return Spec{CodeObject: File{Path: filepath.Join(kernels, "bench", file)}, Kernel: "matmul",
			Grid: Dims{16, 16, 1}, Block: Dims{16, 16, 1}}
	}
	calls := Spec{CodeObject: object("calls"), Grid: Dims{64, 1, 1}, Block: Dims{64, 1, 1}}
	box := func(structure string) []string {
		return []string{"buf:u8[1280]", "buf:u8[512]", structure, "i32:1"}
	}
	buffers := []string{"buf:f32[256]", "buf:f32[256]", "buf:f32[256]"}
	square := func(n string) []string { return append(slices.Clone(buffers), n) }
	for _, test := range []struct {
		name          string
		spec          Spec
		args          []string
		refused, said string
	}{
		{"right", saxpy, []string{"i32:64", "f32:2", "buf:f32[64]", "buf:f32[64]"}, "", ""},
		{"sign", saxpy, []string{"u32:64", "f32:2", "buf:f32[64]", "buf:f32[64]"}, "", ""},
		{"bytes", saxpy, []string{"bytes:40000000", "bytes:00000040", "buf:u8[256]", "buf:u8[256]"}, "", ""},
		{"address", saxpy, []string{"i32:0", "f32:2", "u64:0", "u64:0"}, "", ""},
		{"float for int", saxpy, []string{"f32:64", "f32:2", "buf:f32[64]", "buf:f32[64]"},
			"argument 0 (n) is f32, but declared int;", ""},
		{"int for float", saxpy, []string{"i32:64", "i32:2", "buf:f32[64]", "buf:f32[64]"},
			"argument 1 (alpha) is i32, but declared float;", ""},
		{"halves for int", saxpy, []string{"u16:64,0", "f32:2", "buf:f32[64]", "buf:f32[64]"},
			"argument 0 (n) is u16[2], but declared int;", ""},
		{"buffer", saxpy, []string{"i32:64", "f32:2", "buf:i32[64]", "buf:f32[64]"},
			"", "argument 2 (x) is a buffer of i32[64], but declared const float *"},
		{"a structure", calls, box("{f32:4 f32:2 f32:10}"), "", ""},
		{"in one field", calls, box("{f32:4,2,10}"), "", ""},
		{"a structure as bytes", calls, box("{f32:4 u8:0,0,0,0 f32:10}"), "", ""},
		{"int for a member", calls, box("{f32:4 i32:2 f32:10}"),
			"argument 2 (box) has i32 at byte 4, where its member height is declared float; the same bits may be", ""},
		{"two halves of a member", calls, box("{f32:4,2 u16:0,0}"),
			"argument 2 (box) has u16 at byte 8, where its member gravity is declared float", ""},
		{"a structure for int", saxpy, []string{"{f32:64}", "f32:2", "buf:f32[64]", "buf:f32[64]"},
			"argument 0 (n) has f32 at byte 0, where it is declared int", ""},
		{"metadata of amdgpu", bench("bench.gfx90a.co"), square("f32:16"),
			"argument 3 is f32, but declared int;", ""},
		{"metadata of zebin", bench("bench.zebin"), square("f32:16"),
			"argument 3 (n) is f32, but declared int;", ""},
		{"buffer of zebin", bench("bench.zebin"),
			[]string{"buf:f64[128]", "buf:f32[256]", "buf:f32[256]", "i32:16"},
			"", "argument 0 (a) is a buffer of f64[128], but declared float*"},
		{"types of SPIR-V", bench("bench.spv"), square("f32:16"), "argument 3 is f32, but declared int;", ""},
		{"right for SPIR-V", bench("bench.spv"), square("u32:16"), "", ""},
		{"code of PTX", bench("bench.ptx"), square("f32:16"), "",
			"argument 3 is f32, and the code takes a .u32"},
		{"debugging information of PTX",
			Spec{CodeObject: File{Path: filepath.Join(kernels, "ptx/co/saxpy.O0.ptx")}, Grid: Dims{64, 1, 1},
				Block: Dims{64, 1, 1}}, []string{"f32:64", "f32:2", "buf:f32[64]", "buf:f32[64]"},
			"argument 0 (n) is f32, but declared int;", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			spec := test.spec
			spec.Args = parseArgs(t, test.args...)
			p, err := spec.Load()
			switch {
			case err != nil && (test.refused == "" || !strings.Contains(err.Error(), test.refused)):
				t.Errorf("%v, want %q", err, test.refused)
			case err != nil:
			case test.refused != "":
				t.Errorf("is taken, want %q", test.refused)
			case strings.Join(p.Warnings, "|") != test.said:
				t.Errorf("said: %q, want %q", p.Warnings, test.said)
			}
		})
	}
}

// TestDeclaredTypesOfShaders: types of specialisation constants and bindings are said.
func TestDeclaredTypesOfShaders(t *testing.T) {
	constant := func(id uint32, typ, literal string) arch.Constant {
		c, err := constantValue(typ, literal)
		if err != nil {
			t.Fatal(err)
		}
		return arch.Constant{ID: id, Type: typ, Value: c}
	}
	for _, test := range []struct {
		name     string
		constant arch.Constant
		binding  string
		said     string
	}{
		{"right", constant(3, "f32", "2"), "0.0=f32[6]", ""},
		{"sign", constant(2, "u32", "2"), "0.0=u8[24]", ""},
		{"constant", constant(3, "i32", "2"), "0.0=f32[6]",
			"specialisation constant 3 is i32, but declared f32"},
		{"binding", constant(3, "f32", "2"), "0.0=u32[6]",
			"binding 0.0 has u32[6], but the module declares f32"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b, err := ParseBinding(test.binding)
			if err != nil {
				t.Fatal(err)
			}
			spec := Spec{CodeObject: File{Path: filepath.Join(kernels, "spirv/spec.Od.spv")},
				Groups: Dims{1, 1, 1}, Constants: []arch.Constant{test.constant}, Bindings: []BindingSpec{b}}
			p, err := spec.Load()
			if err != nil {
				t.Fatal(err)
			}
			if strings.Join(p.Warnings, "|") != test.said {
				t.Errorf("said: %q, want %q", p.Warnings, test.said)
			}
		})
	}
}

// TestMismatch: what a number in a structure is held against: members of all kinds.
func TestMismatch(t *testing.T) {
	base := func(name string, encoding, size uint64) *dwarf.DIE {
		return dwarf.NewDIE(dwarf.TagBaseType, dwarf.StringAttr(dwarf.AttrName, name),
			dwarf.UintAttr(dwarf.AttrEncoding, encoding), dwarf.UintAttr(dwarf.AttrByteSize, size))
	}
	member := func(name string, at uint64, typ *dwarf.DIE, more ...dwarf.Attr) *dwarf.DIE {
		return dwarf.NewDIE(dwarf.TagMember, append(more, dwarf.StringAttr(dwarf.AttrName, name),
			dwarf.UintAttr(dwarf.AttrDataMemberLocation, at), dwarf.RefAttr(dwarf.AttrType, typ))...)
	}
	record := func(tag dwarf.Tag, size uint64, members ...*dwarf.DIE) *dwarf.DIE {
		d := dwarf.NewDIE(tag, dwarf.UintAttr(dwarf.AttrByteSize, size))
		for _, m := range members {
			d.Add(m)
		}
		return d
	}
	integer, float := base("int", dwarf.ATESigned, 4), base("float", dwarf.ATEFloat, 4)
	pointer := dwarf.NewDIE(dwarf.TagPointerType, dwarf.UintAttr(dwarf.AttrByteSize, 8),
		dwarf.RefAttr(dwarf.AttrType, integer))
	pair := dwarf.NewDIE(dwarf.TagArrayType, dwarf.RefAttr(dwarf.AttrType, float))
	pair.Add(dwarf.NewDIE(dwarf.TagSubrangeType, dwarf.UintAttr(dwarf.AttrCount, 2)))
	either := record(dwarf.TagUnionType, 4, member("i", 0, integer), member("f", 0, float))
	inner := record(dwarf.TagStructureType, 16, member("pair", 0, pair), member("either", 8, either),
		member("last", 12, integer))
	outer := record(dwarf.TagStructureType, 40, member("p", 0, pointer), member("inner", 8, inner),
		member("bits", 24, integer, dwarf.UintAttr(dwarf.AttrBitSize, 3)), member("after", 32, integer))
	itself := record(dwarf.TagStructureType, 8)
	for range 8 {
		itself.Add(member("itself", 0, itself))
	}
	itself.Add(member("n", 0, integer))
	for _, tt := range []struct {
		typ     *dwarf.DIE
		at      uint64
		element string
		want    string // the member, "" if there is nothing to say
	}{
		{outer, 0, "u64", ""}, {outer, 0, "i64", ""}, {outer, 0, "f64", ".p"}, {outer, 0, "u32", ".p"},
		{outer, 8, "f32", ""}, {outer, 12, "f32", ""}, {outer, 12, "i32", ".inner.pair[1]"},
		{outer, 8, "f64", ".inner.pair[0]"}, {outer, 10, "u16", ".inner.pair[0]"}, {outer, 12, "u8", ""},
		{outer, 16, "i32", ""}, {outer, 16, "f32", ""}, {outer, 16, "f64", ".inner.either.f"},
		{outer, 20, "u32", ""}, {outer, 20, "f32", ".inner.last"}, {outer, 24, "f32", ""},
		{outer, 28, "f32", ""},
		{outer, 32, "i64", ".after"}, {itself, 0, "f32", ""}, {nil, 0, "f32", ""},
	} {
		var l lookup
		if name, _ := l.mismatch(tt.typ, tt.at, tt.element); name != tt.want {
			t.Errorf("%s at %d: %q, want %q", tt.element, tt.at, name, tt.want)
		}
	}
}

// TestLaidOut: the numbers of a structure come to where its declaration has them: behind a gap, and with what
// the compiler adds at the end; what does not fit stays as it was given.
func TestLaidOut(t *testing.T) {
	base := func(encoding, size uint64) *dwarf.DIE {
		return dwarf.NewDIE(dwarf.TagBaseType, dwarf.UintAttr(dwarf.AttrEncoding, encoding),
			dwarf.UintAttr(dwarf.AttrByteSize, size))
	}
	record := func(tag dwarf.Tag, size uint64, members ...*dwarf.DIE) *dwarf.DIE {
		d := dwarf.NewDIE(tag, dwarf.UintAttr(dwarf.AttrByteSize, size))
		for _, m := range members {
			d.Add(m)
		}
		return d
	}
	member := func(at uint64, typ *dwarf.DIE) *dwarf.DIE {
		return dwarf.NewDIE(dwarf.TagMember, dwarf.UintAttr(dwarf.AttrDataMemberLocation, at),
			dwarf.RefAttr(dwarf.AttrType, typ))
	}
	integer, float := base(dwarf.ATESigned, 4), base(dwarf.ATEFloat, 4)
	four := dwarf.NewDIE(dwarf.TagArrayType, dwarf.RefAttr(dwarf.AttrType, float))
	four.Add(dwarf.NewDIE(dwarf.TagSubrangeType, dwarf.UintAttr(dwarf.AttrCount, 4)))
	vector := record(dwarf.TagUnionType, 16, member(0, four), member(0, float)) // as HIP's classes are
	behind := record(dwarf.TagStructureType, 32, member(0, integer), member(16, vector))
	before := record(dwarf.TagStructureType, 32, member(0, vector), member(16, integer))
	itself := record(dwarf.TagStructureType, 8)
	for range 8 {
		itself.Add(member(0, itself))
	}
	bits := member(0, integer)
	bits.Set(dwarf.UintAttr(dwarf.AttrBitSize, 3))
	for _, c := range []struct {
		typ           *dwarf.DIE
		given         string
		want, example string // the dwords, if they have come to lie otherwise
	}{
		{behind, "{i32:7 f32:1,1,1,1}", "7 0 0 0 3f800000 3f800000 3f800000 3f800000", "{i32:0 f32:0,0,0,0}"},
		{before, "{f32:1,1,1,1 i32:7}", "3f800000 3f800000 3f800000 3f800000 7 0 0 0", "{f32:0,0,0,0 i32:0}"},
		{behind, "{i32:7 i32:1,1,1,1}", "", "{i32:0 f32:0,0,0,0}"},
		{behind, "{i32:7 f32:1,1,1}", "", "{i32:0 f32:0,0,0,0}"},
		{itself, "{i32:7}", "", ""},
		{record(dwarf.TagStructureType, 4, bits), "{i32:7}", "", ""},
		{integer, "{i32:7}", "", ""},
		{nil, "{i32:7}", "", ""},
	} {
		a, err := parseStruct(c.given)
		if err != nil {
			t.Fatal(err)
		}
		laid, got := laidOut(&a, c.typ, 32), ""
		if laid != &a {
			for i := 0; i < len(laid.Value); i += 4 {
				got += fmt.Sprintf(" %x", binary.LittleEndian.Uint32(laid.Value[i:]))
			}
		}
		if strings.TrimSpace(got) != c.want || structureExample(c.typ) != c.example {
			t.Errorf("%s: %q, want %q; as %q", c.given, got, c.want, structureExample(c.typ))
		}
	}
}
