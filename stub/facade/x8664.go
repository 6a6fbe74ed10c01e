package facade

import (
	"debug/elf"
	"encoding/binary"
	"sync"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
)

// x8664 is the CPU of most hosts. It implements Facade.
type x8664 struct{}

// The features of the target description (gdb manual, "i386 Features"). gdb
// rejects the core without its x87 part (i386_validate_tdesc_p), and `finish`
// reads xmm0 whatever a function returned (amd64_return_value).
const (
	x8664Core = "org.gnu.gdb.i386.core"
	x8664SSE  = "org.gnu.gdb.i386.sse"
)

// Numbers of registers: they are in the order of the features.
const (
	regRAX  = 0
	regRBX  = 1
	regRDX  = 3
	regRBP  = 6
	regRSP  = 7
	regRIP  = 16
	regXMM0 = 40
)

var x8664Registers = sync.OnceValue(makeX8664)

func makeX8664() []Register {
	var l list
	l.add(x8664Core, "int64", 64, Unused, "rax", "rbx", "rcx", "rdx", "rsi", "rdi")
	l.add(x8664Core, "data_ptr", 64, Handle, "rbp", "rsp")
	l.add(x8664Core, "int64", 64, Unused, numbered("r", 8, 15)...)
	l.add(x8664Core, "code_ptr", 64, PC, "rip")
	l.add(x8664Core, "int32", 32, Unused, "eflags", "cs", "ss", "ds", "es", "fs", "gs")
	l.add(x8664Core, "i387_ext", 80, Unused, numbered("st", 0, 7)...)
	l.add(x8664Core, "int", 32, Unused, "fctrl", "fstat", "ftag", "fiseg", "fioff", "foseg", "fooff", "fop")
	l.add(x8664SSE, "uint128", 128, Unused, numbered("xmm", 0, 15)...)
	l.add(x8664SSE, "int", 32, Unused, "mxcsr")
	for _, n := range []int{regRAX, regRDX, regXMM0, regXMM0 + 1} {
		l[n].Role = Result
	}
	l[regRBX].Role = Base
	return l
}

func (x8664) Name() string          { return "x86-64" }
func (x8664) Architecture() string  { return "i386:x86-64" }
func (x8664) Registers() []Register { return x8664Registers() }
func (x8664) Expedited() []int      { return []int{regRBP, regRSP, regRIP} }
func (x8664) Machine() elf.Machine  { return elf.EM_X86_64 }

func (x8664) AddressBits() int { return 64 }

// Breakpoint implements Facade: int3.
func (x8664) Breakpoint() []byte { return []byte{0xcc} }

func (x8664) StopsBeforeWatched() bool { return false }

// Columns implements Facade (System V ABI, figure "DWARF Register Number
// Mapping").
func (x8664) Columns() Columns { return Columns{PC: 16, SP: 7, Base: 3} }

// Returned implements Facade: as the System V ABI returns values (section
// 3.2.3, "Returning of Values"). gdb has its own idea of it, amd64_classify.
func (x8664) Returned(model types.Model, typ *dwarf.DIE, object []byte, at uint64) map[int][]byte {
	sse, memory := systemV(model, typ)
	if memory {
		return map[int][]byte{regRAX: binary.LittleEndian.AppendUint64(nil, at)}
	}
	out := map[int][]byte{}
	next := map[bool][]int{false: {regRAX, regRDX}, true: {regXMM0, regXMM0 + 1}}
	for i, class := range sse {
		out[next[class][0]] = object[8*i : min(8*i+8, len(object))]
		next[class] = next[class][1:]
	}
	return out
}

// Unreturnable implements Facade: amd64_classify of gdb 13 has no class for an
// integer of 128 bits, and `finish` shows 0.
func (x8664) Unreturnable(model types.Model, typ *dwarf.DIE) bool {
	encoding := types.Encoding(types.Strip(typ))
	return model.Size(typ) == 16 && (encoding == dwarf.ATESigned || encoding == dwarf.ATEUnsigned)
}

// Disguise implements Facade: a byte that is read by itself. At a `ret`
// (amd64_stack_frame_destroyed_p) gdb does not trust call frame information,
// and where there is an `int3` already (program_breakpoint_here_p) it inserts
// no breakpoint.
func (x8664) Disguise(code []byte) {
	const ret, int3, nop = 0xc3, 0xcc, 0x90
	if len(code) == 1 && (code[0] == ret || code[0] == int3) {
		code[0] = nop
	}
}
