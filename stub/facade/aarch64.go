package facade

import (
	"debug/elf"
	"encoding/binary"
	"sync"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
)

// aarch64 is the other CPU that hosts have. It implements Facade.
type aarch64 struct{}

// The features of the target description (gdb manual, "AArch64 Features").
// Values are returned in registers v0 and up. Those would be in the feature
// aarch64.fpu; but then gdb's $v0 would be the CPU's, and not a register of the
// GPU of that name. In the feature of the scalable vectors they are called z0
// and up, and gdb makes registers v of their own out of them, which come after
// all that the target has when gdb looks for a name (user_reg_map_name_to_regnum).
const (
	aarch64Core = "org.gnu.gdb.aarch64.core"
	aarch64SVE  = "org.gnu.gdb.aarch64.sve"
)

// Numbers of registers: they are in the order of the features.
const (
	regX0  = 0
	regX8  = 8 // the address of a result in memory
	regX19 = 19
	regX29 = 29
	regSP  = 31
	regPC  = 32
	regZ0  = 34
)

// aarch64Vectors is how many vector registers hold results.
const aarch64Vectors = 4

var aarch64Registers = sync.OnceValue(makeAArch64)

func makeAArch64() []Register {
	var l list
	l.add(aarch64Core, "int", 64, Unused, numbered("x", 0, 30)...)
	l.add(aarch64Core, "data_ptr", 64, Handle, "sp")
	l.add(aarch64Core, "code_ptr", 64, PC, "pc")
	l.add(aarch64Core, "int", 32, Unused, "cpsr")
	l.add(aarch64SVE, "uint128", 128, Unused, numbered("z", 0, 31)...)
	l.add(aarch64SVE, "int", 32, Unused, "fpsr", "fpcr")
	l.add(aarch64SVE, "uint16", 16, Unused, numbered("p", 0, 15)...)
	l.add(aarch64SVE, "uint16", 16, Unused, "ffr")
	l.add(aarch64SVE, "int", 64, Unused, "vg")
	l[regX29].Role = Handle
	l[regX19].Role = Base
	for _, n := range []int{regX0, regX0 + 1, regX8} {
		l[n].Role = Result
	}
	for i := range aarch64Vectors {
		l[regZ0+i].Role = Result
	}
	return l
}

func (aarch64) Name() string          { return "aarch64" }
func (aarch64) Architecture() string  { return "aarch64" }
func (aarch64) Registers() []Register { return aarch64Registers() }
func (aarch64) Expedited() []int      { return []int{regX29, regSP, regPC} }
func (aarch64) Machine() elf.Machine  { return elf.EM_AARCH64 }

// AddressBits implements Facade. gdb takes the bits from 55 up for a tag
// (aarch64_remove_non_address_bits) and watches an address without them.
func (aarch64) AddressBits() int { return 55 }

// Breakpoint implements Facade: functions that gdb calls return to the program's entry.
func (aarch64) Breakpoint() []byte { return nil }

// StopsBeforeWatched implements Facade (gdbarch_have_nonsteppable_watchpoint,
// handle_signal_stop).
func (aarch64) StopsBeforeWatched() bool { return true }

// Columns implements Facade. The return address is the link register's, x30,
// where gdb finds it (aarch64_dwarf2_prev_register).
func (aarch64) Columns() Columns { return Columns{PC: 30, SP: 31, Base: 19} }

// Returned implements Facade: as gdb reads what AAPCS64 (section 6.9, "Result
// return") returns, aarch64_return_value.
func (aarch64) Returned(model types.Model, typ *dwarf.DIE, object []byte, at uint64) map[int][]byte {
	typ = types.Strip(typ)
	if typ == nil {
		return nil
	}
	out := map[int][]byte{}
	if n, size := homogeneous(model, typ); n > 0 {
		for i := range n {
			out[regZ0+i] = part(object, i*size, size)
		}
		return out
	}
	if inMemory(model, typ) {
		return map[int][]byte{regX8: binary.LittleEndian.AppendUint64(nil, at)}
	}
	for i := range 2 {
		out[regX0+i] = part(object, 8*i, 8)
	}
	return out
}

// part is as much of size bytes of an object as there is.
func part(object []byte, from, size int) []byte {
	from = min(from, len(object))
	return object[from:min(from+size, len(object))]
}

// inMemory reports whether an object that is not homogeneous is returned in
// memory (aarch64_return_in_memory).
func inMemory(model types.Model, typ *dwarf.DIE) bool {
	switch typ.Tag {
	case dwarf.TagStructureType, dwarf.TagClassType, dwarf.TagUnionType, dwarf.TagArrayType:
		return model.Size(typ) > 16 || types.IsPassedByReference(typ)
	}
	return false
}

// homogeneous gives how many registers, each of how many bytes, an object is
// returned in as a floating-point number, a short vector, or up to four of
// them; none if it is not (aapcs_is_vfp_call_or_return_candidate).
func homogeneous(model types.Model, typ *dwarf.DIE) (n, size int) {
	h := homogeneity{model: model}
	if n, ok := h.count(typ, 0); ok && n > 0 && n <= aarch64Vectors {
		return n, int(h.size)
	}
	return 0, 0
}

// A homogeneity is what the parts of an object that have been seen have in
// common.
type homogeneity struct {
	model  types.Model
	size   uint64
	vector bool
	steps  int
}

// is notes n parts of a kind, and reports whether they are like those before.
func (h *homogeneity) is(size uint64, vector bool, n int) (int, bool) {
	if size > 16 || h.size != 0 && (h.size != size || h.vector != vector) {
		return 0, false
	}
	h.size, h.vector = size, vector
	return n, true
}

func (h *homogeneity) count(d *dwarf.DIE, depth int) (n int, ok bool) {
	d = types.Strip(d)
	if h.steps++; d == nil || depth > maxTypeDepth || h.steps > maxSteps {
		return 0, false
	}
	size := h.model.Size(d)
	switch d.Tag {
	case dwarf.TagBaseType:
		switch types.Encoding(d) {
		case dwarf.ATEFloat:
			return h.is(size, false, 1)
		case dwarf.ATEComplexFloat:
			return h.is(size/2, false, 2)
		}
	case dwarf.TagArrayType:
		if names := Components(d); len(names) > 0 {
			each, ok := h.count(d.TypeDIE(), depth+1)
			return each * len(names), ok && uint64(len(names))*h.size == size
		}
		if types.IsVector(d) {
			if size != 8 && size != 16 {
				return 0, false
			}
			return h.is(size, true, 1)
		}
		each, ok := h.count(d.TypeDIE(), depth+1)
		return each * int(min(types.Elements(d), maxSteps)), ok
	case dwarf.TagStructureType, dwarf.TagClassType, dwarf.TagUnionType:
		for m := range types.Members(d) {
			each, ok := h.count(m.TypeDIE(), depth+1)
			if !ok {
				return 0, false
			}
			n += each
		}
		// No padding; and no union, whose members gdb counts one after another.
		return n, uint64(n)*h.size == size
	}
	return 0, false
}

// Unreturnable implements Facade.
func (aarch64) Unreturnable(types.Model, *dwarf.DIE) bool { return false }

// aarch64Seen are the instructions that gdb looks for in what it reads of an
// instruction of four bytes:
//
//	ret    aarch64_stack_frame_destroyed_p (gdb 14): call frame information is
//	       not trusted there
//	brk    program_breakpoint_here_p, with any number
//	       aarch64_program_breakpoint_here_p: there is a breakpoint already
//	ldxr   and its like, aarch64_software_single_step: a step would go on to
//	       the store that ends the sequence
var aarch64Seen = []struct{ mask, bits uint32 }{
	{0xfffffc1f, 0xd65f0000},
	{0xffe0001f, 0xd4200000},
	{0x3f400000, 0x08400000},
}

// Disguise implements Facade.
func (aarch64) Disguise(code []byte) {
	const nop = 0xd503201f
	if len(code) != 4 {
		return
	}
	in := binary.LittleEndian.Uint32(code)
	for _, seen := range aarch64Seen {
		if in&seen.mask == seen.bits {
			binary.LittleEndian.PutUint32(code, nop)
			return
		}
	}
}
