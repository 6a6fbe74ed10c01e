package facade

import (
	"bytes"
	"encoding/binary"
	"testing"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
)

// TestRegisters checks that registers have the numbers that the package calls
// them by, and that each CPU has one pc and a handle among what gdb expects at
// each stop.
func TestRegisters(t *testing.T) {
	for cpu, names := range map[Facade]map[int]string{
		x8664{}: {regRAX: "rax", regRDX: "rdx", regRBP: "rbp", regRSP: "rsp", regRIP: "rip",
			regXMM0: "xmm0"},
		aarch64{}: {regX0: "x0", regX8: "x8", regX29: "x29", regSP: "sp", regPC: "pc", regZ0: "z0"},
	} {
		regs := cpu.Registers()
		for n, name := range names {
			if regs[n].Name != name {
				t.Errorf("%s: register %d is %s, not %s", cpu.Name(), n, regs[n].Name, name)
			}
		}
		seen := map[string]bool{}
		for _, r := range regs {
			if seen[r.Name] || r.Bits%8 != 0 {
				t.Errorf("%s: %+v", cpu.Name(), r)
			}
			seen[r.Name] = true
		}
		roles := map[Role]int{}
		for _, n := range cpu.Expedited() {
			roles[regs[n].Role]++
		}
		if roles[PC] != 1 || roles[Handle] != 2 {
			t.Errorf("%s: gdb is sent registers with roles %v", cpu.Name(), roles)
		}
		var bases []string
		for _, r := range regs {
			if r.Role == Base {
				bases = append(bases, r.Name)
			}
		}
		// DWARF's numbers are those of the ABIs: System V for x86-64, figure 3.36, and AADWARF64.
		numbers := map[string]uint64{"rbx": 3, "x19": 19}
		if len(bases) != 1 || numbers[bases[0]] != cpu.Columns().Base {
			t.Errorf("%s: bases are %v, in column %d", cpu.Name(), bases, cpu.Columns().Base)
		}
	}
}

// TestNamed finds each facade by its name, and no other.
func TestNamed(t *testing.T) {
	for _, f := range all {
		if got, err := Named(f.Name()); err != nil || got != f {
			t.Errorf("%s: %v, %v", f.Name(), got, err)
		}
	}
	if _, err := Named("vax"); err == nil || Host() == nil {
		t.Error("a VAX is found, or this machine is not")
	}
}

// TestDisguise: the instructions are those of binutils' assembler.
func TestDisguise(t *testing.T) {
	const nop = 0xd503201f
	for in, want := range map[uint32]uint32{
		0xd65f03c0: nop,        // ret
		0xd65f0200: nop,        // ret x16
		0xd4200000: nop,        // brk #0
		0xd4207d00: nop,        // brk #0x3e8
		0x885f7c20: nop,        // ldxr w0, [x1]
		0xc87f0440: nop,        // ldxp x0, x1, [x2]
		0xc85ffc20: nop,        // ldaxr x0, [x1]
		0x885f7c41: nop,        // ldxr w1, [x2]
		0xd4200020: nop,        // brk #1
		0xd65f0020: nop,        // ret x1
		0xd65f0bff: 0xd65f0bff, // retaa
		0xd4400000: 0xd4400000, // hlt #0
		0xf9400020: 0xf9400020, // ldr x0, [x1]
		0x88027c20: 0x88027c20, // stxr w2, w0, [x1]
		0xd61f0200: 0xd61f0200, // br x16
		0xbf810000: 0xbf810000, // s_endpgm
	} {
		code := binary.LittleEndian.AppendUint32(nil, in)
		aarch64{}.Disguise(code)
		if got := binary.LittleEndian.Uint32(code); got != want {
			t.Errorf("%#08x reads %#08x, want %#08x", in, got, want)
		}
	}
	for _, code := range [][]byte{{0xc3, 0xcc}, {0xcc, 0, 0, 0}, {0xe8}} {
		got := bytes.Clone(code)
		x8664{}.Disguise(got)
		if !bytes.Equal(got, code) {
			t.Errorf("%x reads %x", code, got)
		}
	}
}

// entry makes a type.
func entry(tag dwarf.Tag, size uint64, attrs ...dwarf.Attr) *dwarf.DIE {
	return dwarf.NewDIE(tag, append(attrs, dwarf.UintAttr(dwarf.AttrByteSize, size))...)
}

func base(size, encoding uint64) *dwarf.DIE {
	return entry(dwarf.TagBaseType, size, dwarf.UintAttr(dwarf.AttrEncoding, encoding))
}

// record makes a structure of members of one type, each at its offset.
func record(tag dwarf.Tag, size uint64, member *dwarf.DIE, offsets ...uint64) *dwarf.DIE {
	d := entry(tag, size)
	for _, at := range offsets {
		d.Add(dwarf.NewDIE(dwarf.TagMember, dwarf.RefAttr(dwarf.AttrType, member),
			dwarf.UintAttr(dwarf.AttrDataMemberLocation, at)))
	}
	return d
}

// TestDamagedTypes: types that contain themselves, or are huge, end.
func TestDamagedTypes(t *testing.T) {
	loop := entry(dwarf.TagStructureType, 64)
	loop.Add(dwarf.NewDIE(dwarf.TagMember, dwarf.RefAttr(dwarf.AttrType, loop)))
	wide := record(dwarf.TagStructureType, 8, loop, 0, 0, 0, 0, 0, 0, 0, 0)
	twice := entry(dwarf.TagStructureType, 8) // of which there are 2^32 within 32
	for range 2 {
		twice.Add(dwarf.NewDIE(dwarf.TagMember, dwarf.RefAttr(dwarf.AttrType, twice)))
	}
	for _, cpu := range all {
		for _, typ := range []*dwarf.DIE{nil, loop, twice, wide, base(0, dwarf.ATEFloat), base(4096,
			dwarf.ATEFloat),
			base(4096, dwarf.ATESigned)} {
			for n, b := range cpu.Returned(types.AMDGPU, typ, make([]byte, 40), 1) {
				if len(b) > cpu.Registers()[n].Bits/8 {
					t.Errorf("%s: %d bytes for %s", cpu.Name(), len(b), cpu.Registers()[n].Name)
				}
			}
		}
	}
}
