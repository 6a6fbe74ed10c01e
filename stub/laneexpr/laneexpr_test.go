package laneexpr

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"testing"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/types"
	"simtgdb/simt"
	"simtgdb/stub/arch"
	"simtgdb/stub/cexpr"
	"simtgdb/stub/frames"
	"simtgdb/stub/symfile"
	"simtgdb/stub/threads"
	"simtgdb/stub/unwind"
)

type testArch struct{ arch.Arch }

func (testArch) Model() types.Model { return types.AMDGPU }

func (testArch) ClassSpace(class uint64) uint64 { return class }

func (testArch) Place(_ *simt.Wave, _ int, _, addr uint64) (arch.Place, error) {
	return arch.Place{Space: simt.LDS, Addr: addr}, nil
}

func (testArch) GenericAddress(_ simt.Space, offset uint64) uint64 { return 0x1000 + offset }

// testSession has LDS at 0x1000 and one register, lost has none that can be read.
type testSession struct{ Session }

func (testSession) Own(_ *simt.Wave, _ int, addr uint64) (uint64, bool, error) {
	if addr == 13 {
		return 0, false, errors.New("no memory")
	}
	return addr & 0xfff, addr>>12 == 1 || addr>>12 == 2, nil
}

func (testSession) Register(_ *simt.Wave, _ int, name string) ([]byte, bool, error) {
	switch name {
	case "rax":
		return []byte{1, 2, 0, 0, 0, 0, 0, 0x80}, true, nil
	case "xmm0":
		return make([]byte, 16), true, nil
	case "lost":
		return nil, true, errors.New("nobody knows")
	}
	return nil, false, nil
}

type testRegisters struct{ simt.Registers }

func (testRegisters) Files() []simt.RegFile { return []simt.RegFile{{Name: "v", Bits: 16, Count: 2}} }

func (testRegisters) Read(r simt.Reg, lane int, p []byte) error {
	if r.Index == 1 {
		return unwind.ErrNotSaved
	}
	p[0], p[1] = 0x34, byte(lane)
	return nil
}

// entry makes an entry of a name, and entries below it.
func entry(tag dwarf.Tag, name string, attrs []dwarf.Attr, children ...*dwarf.DIE) *dwarf.DIE {
	attrs = slices.Clone(attrs)
	if name != "" {
		attrs = append(attrs, dwarf.StringAttr(dwarf.AttrName, name))
	}
	d := dwarf.NewDIE(tag, attrs...)
	d.Add(children...)
	return d
}

func refs(name dwarf.At, to *dwarf.DIE, more ...dwarf.Attr) []dwarf.Attr {
	return append([]dwarf.Attr{dwarf.RefAttr(name, to)}, more...)
}

func value(v int64) []dwarf.Attr { return []dwarf.Attr{dwarf.IntAttr(dwarf.AttrConstValue, v)} }

// constant makes a variable that the compiler has made a constant of.
func constant(name string, v int64) *dwarf.DIE { return entry(dwarf.TagVariable, name, value(v)) }

func declaration(name string) *dwarf.DIE {
	return entry(dwarf.TagVariable, name, []dwarf.Attr{dwarf.FlagAttr(dwarf.AttrDeclaration),
		dwarf.FlagAttr(dwarf.AttrExternal)})
}

func code(low, size uint64) []dwarf.Attr {
	return []dwarf.Attr{dwarf.AddressAttr(dwarf.AttrLowPC, low), dwarf.UintAttr(dwarf.AttrHighPC, size)}
}

func enumeration(name, of string, v int64) *dwarf.DIE {
	return entry(dwarf.TagEnumerationType, name, nil, entry(dwarf.TagEnumerator, of, value(v)))
}

// at is an environment at 0x108: in a block of a::C::f, a function of a class that has a base, as these
// declarations in two units describe it.
//
//	namespace far { int in_far = 71, both = 72; }
//	struct Base { static int in_base = 40; };
//	namespace a {
//		int in_a = 30, both = 31, everywhere = 32;
//		enum colour { red = 33 };
//		struct C : Base { int member, everywhere; static int in_class = 20, defined;
//			void f() { everywhere = 10; using namespace far; { block = 11; } } };
//	}
//	int a::C::defined = 21, both = 50, everywhere = 51;      // and, in another unit, other = 60, both = 61
func at(t *testing.T) *Env {
	t.Helper()
	integer := entry(dwarf.TagBaseType, "int", []dwarf.Attr{dwarf.UintAttr(dwarf.AttrByteSize, 4),
		dwarf.UintAttr(dwarf.AttrEncoding, 5)})
	far := entry(dwarf.TagNamespace, "far", nil, constant("in_far", 71), constant("both", 72))
	base := entry(dwarf.TagStructureType, "Base", nil, constant("in_base", 40),
		enumeration("", "of_base", 41))
	member := func(name string, offset uint64) *dwarf.DIE {
		return entry(dwarf.TagMember, name,
			refs(dwarf.AttrType, integer, dwarf.UintAttr(dwarf.AttrDataMemberLocation, offset)))
	}
	defined := declaration("defined")
	class := entry(dwarf.TagStructureType, "C", []dwarf.Attr{dwarf.UintAttr(dwarf.AttrByteSize, 16)},
		entry(dwarf.TagInheritance, "", refs(dwarf.AttrType, base,
			dwarf.UintAttr(dwarf.AttrDataMemberLocation, 0))), member("member", 8), member("everywhere", 12),
		constant("in_class", 20), defined, entry(dwarf.TagTypedef, "T", refs(dwarf.AttrType, integer)))
	pointer := entry(dwarf.TagPointerType, "", refs(dwarf.AttrType, class))
	declared := entry(dwarf.TagSubprogram, "f", []dwarf.Attr{dwarf.FlagAttr(dwarf.AttrDeclaration)})
	class.Add(declared)
	space := entry(dwarf.TagNamespace, "a", nil, constant("in_a", 30), constant("both", 31),
		constant("everywhere", 32), enumeration("colour", "red", 33), class)
	block := entry(dwarf.TagLexicalBlock, "", code(0x104, 8), constant("block", 11), constant("nowhere", 12),
		enumeration("", "local", 13), entry(dwarf.TagTypedef, "L", refs(dwarf.AttrType, integer)),
		entry(dwarf.TagVariable, "gone", refs(dwarf.AttrType, integer)))
	f := entry(dwarf.TagSubprogram, "", refs(dwarf.AttrSpecification, declared, code(0x100, 16)...),
		entry(dwarf.TagFormalParameter, "this", refs(dwarf.AttrType, pointer, value(0x1040)...)),
		constant("local_one", 10), constant("nowhere", 14),
		entry(dwarf.TagImportedModule, "", refs(dwarf.AttrImport, far)),
		entry(dwarf.TagStructureType, "L", nil, constant("in_local", 15)), block)
	root := entry(dwarf.TagCompileUnit, "one", code(0x100, 0x20), integer, far, base, space, pointer, f,
		constant("both", 50), constant("everywhere", 51), constant("in_unit", 52),
		entry(dwarf.TagVariable, "", refs(dwarf.AttrSpecification, defined, value(21)...)))
	second := entry(dwarf.TagCompileUnit, "two", code(0x200, 0x20), constant("other", 60),
		constant("both", 61), constant("in_unit", 62))
	data := read(t, second, root)
	frame := &unwind.Frame{Wave: &simt.Wave{Size: 32, Group: &simt.Workgroup{}}, Lane: 3, PC: 0x108,
		Registers: testRegisters{}}
	e := &Env{session: testSession{}, data: data, wave: frame.Wave, lane: 3}
	e.Finder = &frames.Finder{Resident: threads.Resident{Windows: threads.WindowsOf(64)}, Arch: testArch{},
		Symbols: &symfile.File{Made: []symfile.Made{{Name: "made", Addr: 0x77}},
			Builtins: []symfile.Made{{Name: "builtin", Addr: 0x88}, {Name: "other", Addr: 0x99}}}}
	e.Frame, e.Scopes = frame, data.UnitAt(0x108).ScopesAt(0x108)
	if len(e.Scopes) != 2 {
		t.Fatalf("%d scopes, expected 2", len(e.Scopes))
	}
	return e
}

// read writes units and reads them again.
func read(t *testing.T, roots ...*dwarf.DIE) *dwarf.Data {
	t.Helper()
	var units []*dwarf.OutUnit
	for _, root := range roots {
		units = append(units, &dwarf.OutUnit{Version: 5, AddrSize: 8, Root: root})
	}
	sections, err := dwarf.Write(units, dwarf.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	data, err := dwarf.New(dwarf.SectionsNamed(sections), dwarf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// shown writes what an expression gave: a constant's number, or where it is.
func shown(v cexpr.Value, err error) string {
	switch {
	case err != nil:
		return err.Error()
	case v.InMemory:
		return fmt.Sprintf("at %#x", v.Addr)
	}
	return fmt.Sprint(int64(binary.LittleEndian.Uint64(v.Data)))
}

// TestVariable: the nearest of a name counts: blocks, what they use, the object, its class, namespaces from
// the inner one outwards, the unit, other units, what every program has.
func TestVariable(t *testing.T) {
	e := at(t)
	for name, want := range map[string]string{
		"block": "11", "nowhere": "12", "local": "13", "local_one": "10", "in_far": "71", "both": "72",
		"member": "at 0x1048", "everywhere": "at 0x104c", "in_class": "20", "defined": "21", "in_base": "40",
		"of_base": "41", "in_a": "30", "red": "33", "in_unit": "52", "other": "60", "made": "at 0x77",
		"builtin": "at 0x88", "gone": "optimized out", "none": "no variable none here",
		"C::f":    "no variable C::f here",
		"a::both": "31", "::both": "50", "far::both": "72", "a::C::in_class": "20", "C::in_base": "40",
		"Base::in_base": "40", "C::defined": "21", "a::colour::red": "33", "::other": "60",
		"a::none": "no variable a::none here", "none::both": "no variable none::both here",
		"::a::everywhere": "32", "L::in_local": "15",
	} {
		if got := shown(e.Variable(name)); got != want {
			t.Errorf("%s: %s, expected %s", name, got, want)
		}
	}
	e.Scopes = nil
	for name, want := range map[string]string{"block": "no variable block here", "both": "50",
		"a::in_a": "30"} {
		if got := shown(e.Variable(name)); got != want {
			t.Errorf("outside of functions %s: %s, expected %s", name, got, want)
		}
	}
}

// TestType: types of the block, the class, namespaces and units.
func TestType(t *testing.T) {
	e := at(t)
	for name, want := range map[string]dwarf.Tag{"L": dwarf.TagTypedef, "T": dwarf.TagTypedef,
		"C": dwarf.TagStructureType, "a::C": dwarf.TagStructureType, "a::C::T": dwarf.TagTypedef,
		"colour": dwarf.TagEnumerationType, "int": dwarf.TagBaseType, "both": 0, "a::L": 0, "far::C": 0} {
		var got dwarf.Tag
		if d := e.Type(name, nil); d != nil {
			got = d.Tag
		}
		if got != want {
			t.Errorf("%s is %v, expected %v", name, got, want)
		}
	}
	if d := e.Type("C", []dwarf.Tag{dwarf.TagUnionType}); d != nil {
		t.Errorf("C is a union: %v", d.Tag)
	}
	for name, want := range map[string]cexpr.Meaning{"block": cexpr.Variable, "gone": cexpr.Variable,
		"C": cexpr.Type, "none": cexpr.Nothing} {
		if got := e.Meaning(name); got != want {
			t.Errorf("%s means %v, expected %v", name, got, want)
		}
	}
	for name, want := range map[string]string{"block": "block", "in_unit": "in_unit", "in_a": "",
		"other": ""} {
		got := ""
		if d := e.Declared(name); d != nil {
			got = d.Name()
		}
		if got != want {
			t.Errorf("%s is declared as %q, expected %q", name, got, want)
		}
	}
}

// TestRegister: registers of the machine, the pc, and what gdb is shown besides.
func TestRegister(t *testing.T) {
	e := at(t)
	for name, want := range map[string]string{"v0": "34 03", "pc": "08 01 00 00 00 00 00 00",
		"rax":  "01 02 00 00 00 00 00 80",
		"xmm0": "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00", "v1": "register v1 is not available",
		"lost": "register lost is not available", "x": "no register x"} {
		v, err := e.Register(name)
		got := fmt.Sprintf("% x", v.Data)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %s, expected %s", name, got, want)
		}
	}
	e.Frame = nil
	if _, err := e.Register("v0"); err == nil || err.Error() != "no frame" {
		t.Errorf("without a frame: %v", err)
	}
}

// TestPointerTo: an address becomes what a narrow pointer has for it, if that leads there.
func TestPointerTo(t *testing.T) {
	e := at(t)
	narrow := dwarf.NewDIE(dwarf.TagPointerType, dwarf.UintAttr(dwarf.AttrAddressClass, expr.SpaceLocal))
	wide := dwarf.NewDIE(dwarf.TagPointerType)
	for _, c := range []struct {
		t    *dwarf.DIE
		addr uint64
		want string
	}{
		{wide, 0x1234, "0x1234"}, {narrow, 0x1234, "0x234"}, {narrow, 0, "0xffffffff"},
		{narrow, 0x2234, "a pointer of this type does not lead to 0x2234"},
		{narrow, 0x5234, "a pointer of this type does not lead to 0x5234"}, {narrow, 13, "no memory"},
	} {
		v, err := e.PointerTo(c.t, c.addr)
		got := fmt.Sprintf("%#x", v)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%#x: %s, expected %s", c.addr, got, c.want)
		}
	}
}
