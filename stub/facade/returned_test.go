package facade

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
)

// Types that functions return.
var (
	char, word, long    = base(1, dwarf.ATESignedChar), base(4, dwarf.ATESigned), base(8, dwarf.ATESigned)
	huge, float, double = base(16, dwarf.ATEUnsigned), base(4, dwarf.ATEFloat), base(8, dwarf.ATEFloat)
	quad                = base(16, dwarf.ATEFloat)
	complexes           = map[uint64]*dwarf.DIE{
		8: base(8, dwarf.ATEComplexFloat), 16: base(16, dwarf.ATEComplexFloat)}
)

// of makes a structure, or union, of members at offsets.
func of(tag dwarf.Tag, size uint64, members map[uint64]*dwarf.DIE) *dwarf.DIE {
	d := entry(tag, size)
	for _, at := range slices.Sorted(maps.Keys(members)) {
		d.Add(dwarf.NewDIE(dwarf.TagMember, dwarf.RefAttr(dwarf.AttrType, members[at]),
			dwarf.UintAttr(dwarf.AttrDataMemberLocation, at)))
	}
	return d
}

func structure(size uint64, members map[uint64]*dwarf.DIE) *dwarf.DIE {
	return of(dwarf.TagStructureType, size, members)
}

func array(element *dwarf.DIE, n uint64) *dwarf.DIE {
	d := dwarf.NewDIE(dwarf.TagArrayType, dwarf.RefAttr(dwarf.AttrType, element))
	d.Add(dwarf.NewDIE(dwarf.TagSubrangeType, dwarf.UintAttr(dwarf.AttrCount, n)))
	return d
}

func vector(element *dwarf.DIE, n uint64) *dwarf.DIE {
	d := array(element, n)
	d.Set(dwarf.FlagAttr(dwarf.AttrGNUVector))
	return d
}

// clVector is one of a unit in OpenCL C.
func clVector(element *dwarf.DIE, n uint64) *dwarf.DIE {
	v := vector(element, n)
	dwarf.NewDIE(dwarf.TagCompileUnit, dwarf.UintAttr(dwarf.AttrLanguage, dwarf.LangOpenCL)).Add(v)
	return v
}

// bits adds a bit field.
func bits(d *dwarf.DIE, at, n uint64) *dwarf.DIE {
	d.Add(dwarf.NewDIE(dwarf.TagMember, dwarf.RefAttr(dwarf.AttrType, word),
		dwarf.UintAttr(dwarf.AttrBitSize, n),
		dwarf.UintAttr(dwarf.AttrDataBitOffset, at)))
	return d
}

// both is a union of types.
func both(all ...*dwarf.DIE) *dwarf.DIE {
	d := entry(dwarf.TagUnionType, 8)
	for _, t := range all {
		d.Add(dwarf.NewDIE(dwarf.TagMember, dwarf.RefAttr(dwarf.AttrType, t)))
	}
	return d
}

// wrapped is a type in so many structures.
func wrapped(d *dwarf.DIE, n int) *dwarf.DIE {
	for range n {
		d = structure(types.AMDGPU.Size(d), map[uint64]*dwarf.DIE{0: d})
	}
	return d
}

// byReference is a class that is not copied.
func byReference() *dwarf.DIE {
	d := structure(4, map[uint64]*dwarf.DIE{0: float})
	d.Set(dwarf.UintAttr(dwarf.AttrCallingConvention, dwarf.CCPassByReference))
	return d
}

// TestReturned: where the System V ABI (section 3.2.3) and AAPCS64 (section 6.9) return objects, as gdb reads
// them: registers with the bytes of the object that each gets, or the register that leads to it in memory.
func TestReturned(t *testing.T) {
	const x86Memory, armMemory = "rax leads there", "x8 leads there"
	named := func(d *dwarf.DIE) *dwarf.DIE {
		return dwarf.NewDIE(dwarf.TagTypedef, dwarf.RefAttr(dwarf.AttrType, d))
	}
	type m = map[uint64]*dwarf.DIE
	for name, c := range map[string]struct {
		typ      *dwarf.DIE
		x86, arm string
	}{
		"char": {char, "rax 0-1", "x0 0-1"}, "int": {word, "rax 0-4", "x0 0-4"}, "long": {long, "rax 0-8",
			"x0 0-8"},
		"128 bits": {huge, "rax 0-8, rdx 8-16", "x0 0-8, x1 8-16"}, "float": {float, "xmm0 0-4", "z0 0-4"},
		"double": {double, "xmm0 0-8", "z0 0-8"}, "quad": {quad, "xmm0 0-8, xmm1 8-16", "z0 0-16"},
		"typedef":                {named(named(float)), "xmm0 0-4", "z0 0-4"},
		"pointer":                {entry(dwarf.TagPointerType, 8), "rax 0-8", "x0 0-8"},
		"enum":                   {entry(dwarf.TagEnumerationType, 4), "rax 0-4", "x0 0-4"},
		"complex":                {complexes[8], "xmm0 0-8", "z0 0-4, z1 4-8"},
		"complex double":         {complexes[16], "xmm0 0-8, xmm1 8-16", "z0 0-8, z1 8-16"},
		"complex in a structure": {wrapped(complexes[16], 1), "xmm0 0-8, xmm1 8-16", "z0 0-8, z1 8-16"},
		"one float":              {wrapped(float, 1), "xmm0 0-4", "z0 0-4"},
		"two floats": {record(dwarf.TagStructureType, 8, float, 0, 4), "xmm0 0-8",
			"z0 0-4, z1 4-8"},
		"three floats": {record(dwarf.TagStructureType, 12, float, 0, 4, 8),
			"xmm0 0-8, xmm1 8-12", "z0 0-4, z1 4-8, z2 8-12"},
		"four doubles": {record(dwarf.TagClassType, 32, double, 0, 8, 16, 24), x86Memory,
			"z0 0-8, z1 8-16, z2 16-24, z3 24-32"},
		"five doubles": {record(dwarf.TagStructureType, 40, double, 0, 8, 16, 24, 32), x86Memory,
			armMemory},
		"two quads": {record(dwarf.TagStructureType, 32, quad, 0, 16), x86Memory,
			"z0 0-16, z1 16-32"},
		"array of floats": {structure(16, m{0: array(float, 4)}), "xmm0 0-8, xmm1 8-16",
			"z0 0-4, z1 4-8, z2 8-12, z3 12-16"},
		"array of structures": {structure(16, m{0: array(record(dwarf.TagStructureType, 8, float, 0, 4), 2)}),
			"xmm0 0-8, xmm1 8-16", "z0 0-4, z1 4-8, z2 8-12, z3 12-16"},
		"float and double": {structure(16, m{0: float, 8: double}), "xmm0 0-8, xmm1 8-16",
			"x0 0-8, x1 8-16"},
		"double and int": {structure(16, m{0: double, 8: word}), "xmm0 0-8, rax 8-16",
			"x0 0-8, x1 8-16"},
		"long and double": {structure(16, m{0: long, 8: double}), "rax 0-8, xmm0 8-16",
			"x0 0-8, x1 8-16"},
		"int and float": {structure(8, m{0: word, 4: float}), "rax 0-8", "x0 0-8"},
		"float and int": {structure(8, m{0: float, 4: word}), "rax 0-8", "x0 0-8"},
		"three chars":   {structure(3, m{0: array(char, 3)}), "rax 0-3", "x0 0-3"},
		"sixteen chars": {structure(16, m{0: array(char, 16)}), "rax 0-8, rdx 8-16",
			"x0 0-8, x1 8-16"},
		"seventeen chars": {structure(17, m{0: array(char, 17)}), x86Memory, armMemory},
		"floats, then chars": {structure(16, m{0: array(float, 2), 8: array(char, 8)}),
			"xmm0 0-8, rax 8-16", "x0 0-8, x1 8-16"},
		"chars to floats": {structure(16, m{0: array(char, 9), 12: float}), "rax 0-8, rdx 8-16",
			"x0 0-8, x1 8-16"},
		"packed":          {structure(5, m{0: char, 1: word}), x86Memory, "x0 0-5"},
		"padded float":    {structure(8, m{0: float}), "xmm0 0-8", "x0 0-8"},
		"union of floats": {of(dwarf.TagUnionType, 4, m{0: float}), "xmm0 0-4", "z0 0-4"},
		"union of two":    {record(dwarf.TagUnionType, 4, float, 0, 0), "xmm0 0-4", "x0 0-4"},
		"union of a structure": {record(dwarf.TagUnionType, 4, structure(4, m{0: float}), 0), "xmm0 0-4",
			"z0 0-4"},
		"large union":  {record(dwarf.TagUnionType, 24, long, 0, 0), x86Memory, armMemory},
		"by reference": {byReference(), x86Memory, "z0 0-4"},
		"bit field":    {bits(structure(8, m{0: float}), 32, 5), "rax 0-8", "x0 0-8"},
		"high bit field": {bits(structure(16, m{0: double}), 70, 5), "xmm0 0-8, rax 8-16",
			"x0 0-8, x1 8-16"},
		"empty":        {structure(1, nil), "rax 0-1", "x0 0-1"},
		"short vector": {vector(float, 2), "xmm0 0-8", "z0 0-8"}, "vector": {vector(word, 4),
			"rax 0-8, rdx 8-16", "z0 0-16"},
		"small vector": {vector(char, 4), "rax 0-4", "x0 0-4"},
		"two vectors": {record(dwarf.TagStructureType, 32, vector(float, 4), 0, 16), x86Memory,
			"z0 0-16, z1 16-32"},
		"vector and double": {structure(16, m{0: vector(float, 2), 8: double}), "xmm0 0-8, xmm1 8-16",
			"x0 0-8, x1 8-16"},
		"OpenCL's": {clVector(float, 4), "xmm0 0-8, xmm1 8-16", "z0 0-4, z1 4-8, z2 8-12, z3 12-16"},
		"three of OpenCL's": {func() *dwarf.DIE {
			v := clVector(float, 3)
			v.Set(dwarf.UintAttr(dwarf.AttrByteSize, 16)) // with padding
			return v
		}(), "xmm0 0-8, xmm1 8-16", "x0 0-8, x1 8-16"},
		"deepest":                {wrapped(float, maxTypeDepth), "xmm0 0-4", "z0 0-4"},
		"too deep":               {wrapped(float, maxTypeDepth+1), x86Memory, "x0 0-4"},
		"typedef in a structure": {wrapped(named(float), 1), "xmm0 0-4", "z0 0-4"},
		"complex and float": {structure(12, m{0: complexes[8], 8: float}), "xmm0 0-8, xmm1 8-12",
			"z0 0-4, z1 4-8, z2 8-12"},
		"union of double and float": {both(double, float), "xmm0 0-8", "x0 0-8"},
		"typedef of a large one": {named(record(dwarf.TagStructureType, 24, long, 0, 8, 16)), x86Memory,
			armMemory},
		"of no kind": {structure(8, m{0: array(base(4, 0), 2)}), x86Memory, "x0 0-8"},
	} {
		object := make([]byte, types.AMDGPU.Size(c.typ))
		for i := range object {
			object[i] = byte(i)
		}
		for cpu, want := range map[Facade]string{x8664{}: c.x86, aarch64{}: c.arm} {
			var got []string
			all := cpu.Returned(types.AMDGPU, c.typ, object, 0x1122334455667788)
			for _, n := range slices.Sorted(maps.Keys(all)) {
				r, b := cpu.Registers()[n], all[n]
				switch {
				case r.Role != Result:
					t.Errorf("%s: %s is no register of results", name, r.Name)
				case len(b) == 0:
				case len(b) == 8 && binary.LittleEndian.Uint64(b) == 0x1122334455667788:
					got = append(got, r.Name+" leads there")
				default:
					got = append(got, fmt.Sprintf("%s %d-%d", r.Name, b[0], int(b[0])+len(b)))
				}
			}
			parts := strings.Split(want, ", ")
			slices.Sort(parts)
			slices.Sort(got)
			if !slices.Equal(got, parts) {
				t.Errorf("%s: %s returns it in %v, want %v", name, cpu.Name(), got, parts)
			}
		}
		wide := name == "128 bits"
		if (x8664{}).Unreturnable(types.AMDGPU, c.typ) != wide || (aarch64{}).Unreturnable(types.AMDGPU,
			c.typ) {
			t.Errorf("%s: unreturnable is %v", name, !wide)
		}
	}
}

// TestComponents: the components of OpenCL's vectors have letters, or numbers in hexadecimal.
func TestComponents(t *testing.T) {
	for n, want := range map[uint64]string{2: "x y", 3: "x y z", 4: "x y z w", 8: "s0 s1 s2 s3 s4 s5 s6 s7",
		16: "s0 s1 s2 s3 s4 s5 s6 s7 s8 s9 sa sb sc sd se sf", 17: "", 0: ""} {
		if got := strings.Join(Components(clVector(float, n)), " "); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
	if got := append(Components(vector(float, 4)), Components(array(float, 4))...); got != nil {
		t.Errorf("other arrays have %v", got)
	}
}

// TestRegisterLists: the registers of the features of gdb's manual ("i386 Features", "AArch64 Features"),
// with their sizes and in gdb's order.
func TestRegisterLists(t *testing.T) {
	for cpu, want := range map[Facade]string{
		x8664{}: "rax rbx rcx rdx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15 rip 64, eflags cs ss ds " +
			"es fs gs 32, " +
			"st0 st1 st2 st3 st4 st5 st6 st7 80, fctrl fstat ftag fiseg fioff foseg fooff fop 32, xmm0 " +
			"xmm1 xmm2 xmm3 " +
			"xmm4 xmm5 xmm6 xmm7 xmm8 xmm9 xmm10 xmm11 xmm12 xmm13 xmm14 xmm15 128, mxcsr 32",
		aarch64{}: "x0 x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 x13 x14 x15 x16 x17 x18 x19 x20 x21 x22 " +
			"x23 x24 x25 x26 x27 " +
			"x28 x29 x30 sp pc 64, cpsr 32, z0 z1 z2 z3 z4 z5 z6 z7 z8 z9 z10 z11 z12 z13 z14 z15 z16 " +
			"z17 z18 z19 z20 " +
			"z21 z22 z23 z24 z25 z26 z27 z28 z29 z30 z31 128, fpsr fpcr 32, p0 p1 p2 p3 p4 p5 p6 p7 p8 " +
			"p9 p10 p11 p12 " +
			"p13 p14 p15 ffr 16, vg 64",
	} {
		var got string
		for i, r := range cpu.Registers() {
			if got += " " + r.Name; i+1 == len(cpu.Registers()) || cpu.Registers()[i+1].Bits != r.Bits {
				got += fmt.Sprintf(" %d,", r.Bits)
			}
		}
		if got = strings.Trim(got, " ,"); got != want {
			t.Errorf("%s: %s\nwant %s", cpu.Name(), got, want)
		}
		roles := map[Role]string{}
		for _, r := range cpu.Registers() {
			if r.Role != Unused {
				roles[r.Role] += r.Name + " "
			}
		}
		wantRoles := map[Facade]map[Role]string{
			x8664{}:   {PC: "rip ", Handle: "rbp rsp ", Base: "rbx ", Result: "rax rdx xmm0 xmm1 "},
			aarch64{}: {PC: "pc ", Handle: "x29 sp ", Base: "x19 ", Result: "x0 x1 x8 z0 z1 z2 z3 "},
		}[cpu]
		if !maps.Equal(roles, wantRoles) {
			t.Errorf("%s: %v, want %v", cpu.Name(), roles, wantRoles)
		}
	}
}

// TestConstants: what gdb 13 does on each CPU, and the columns of the ABIs ("DWARF Register Number Mapping",
// AADWARF64 section 4.1).
func TestConstants(t *testing.T) {
	for _, c := range []struct {
		cpu        Facade
		bits       int
		before     bool
		breakpoint string
		columns    Columns
	}{{x8664{}, 64, false, "\xcc", Columns{PC: 16, SP: 7, Base: 3}},
		{aarch64{}, 55, true, "", Columns{PC: 30, SP: 31, Base: 19}}} {
		if c.cpu.AddressBits() != c.bits || c.cpu.StopsBeforeWatched() != c.before ||
			string(c.cpu.Breakpoint()) != c.breakpoint || c.cpu.Columns() != c.columns {
			t.Errorf("%s is not what gdb has", c.cpu.Name())
		}
	}
	for _, in := range []byte{0xc3, 0xcc} { // ret and int3, read alone
		code := []byte{in}
		if (x8664{}).Disguise(code); code[0] != 0x90 {
			t.Errorf("%#x reads %#x", in, code[0])
		}
	}
	code := []byte{0xc0, 0x03, 0x5f} // a part of ret
	if (aarch64{}).Disguise(code); code[0] != 0xc0 {
		t.Errorf("three bytes read %x", code)
	}
}
