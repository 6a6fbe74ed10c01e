package gcn

import (
	"unsafe"

	"simtgdb/simt/native"
)

// Loads and stores of bytes and words. A load takes the dword that begins with the item, where memory has as
// much, and so do accesses of private memory, whose dwords lie apart; the rest is the interpreter's.

// A narrowAccess says which part of a register bytes and words are loaded into or stored from.
type narrowAccess struct {
	signed bool // their sign is extended
	part   registerPart
}

// A registerPart is all of a register, or one of its words, beside which a load leaves the other as it is.
type registerPart uint8

const (
	wholeRegister registerPart = iota
	lowPart
	highPart
)

var (
	vpslldBy = ins(1, 1, 0xf2) // by a number in memory
	vpsrldBy = ins(1, 1, 0xd2)
)

// narrowRow is where translated code finds the dwords that it has loaded.
func (t *translator) narrowRow() native.Mem { return t.field(unsafe.Offsetof(t.c.context.narrow)) }

// moveNarrow is moveRows for a byte or a word.
func (t *translator) moveNarrow(in *Inst, at native.Mem, skip uint32, data func(skip uint32)) {
	a := in.Op.mem
	data(skip)
	t.Lea(native.RCX, at)
	if !a.write {
		t.Lea(native.RDI, t.narrowRow())
		t.masksFor()
		t.callRoutine(t.routines().Load)
		t.constants()
		t.extendNarrow(in, func(i, size int) native.Mem {
			m := t.narrowRow()
			m.Disp += int32(size * i)
			return m
		}, false)
		return
	}
	from := rowAt(int(in.src[1].reg))
	if a.narrow.part == highPart {
		from.Disp += 2
	}
	t.Lea(native.RDI, from)
	routine := t.routines().Store8
	if a.size == 2 {
		routine = t.routines().Store16
	}
	t.callRoutine(routine)
}

// extendNarrow makes the destination of a load what lies in dwords at places, from a bit on that the context
// has if they are to be shifted.
func (t *translator) extendNarrow(in *Inst, place func(i, size int) native.Mem, shift bool) {
	a, row := in.Op.mem, int(in.dst.reg)
	kind, above := native.Z(shiftRight), byte(32-8*a.size)
	if a.narrow.signed {
		kind = shiftSign
	}
	keep := map[registerPart]uint32{lowPart: highWord, highPart: lowWord}[a.narrow.part]
	size, z := t.strips()
	if keep != 0 {
		t.strip(vpbroadcastd, z+2, 0, native.InMem(t.constant(keep)))
	}
	for i := range t.parts {
		t.strip(vmovdqu32, z, 0, native.InMem(place(i, size)))
		if shift {
			t.strip(vpsrldBy, z, z, native.InMem(t.shiftField()))
		}
		t.strip(vpshiftd, shiftLeft, z, native.InReg(z), above)
		t.strip(vpshiftd, kind, z, native.InReg(z), above)
		there := native.Mem{Base: regV, Disp: int32(256*row + size*i)}
		if keep != 0 {
			if a.narrow.part == highPart {
				t.strip(vpshiftd, shiftLeft, z, native.InReg(z), 16)
			} else {
				t.strip(vpandnd, z, z+2, native.InReg(z))
			}
			t.strip(vpandd, z+1, z+2, native.InMem(there))
			t.strip(vpord, z, z, native.InReg(z+1))
		}
		t.mergeStrip(there, z, i)
	}
	t.changed(row)
}

// A strip is as much of a row as a vector register has: a quarter or an octet. strips says how many bytes
// that are, and which registers are free.
func (t *translator) strips() (size int, free native.Z) {
	if t.octets {
		return 32, 0
	}
	return 64, 16
}

// strip is an instruction on a strip.
func (t *translator) strip(i native.Instruction, d, s native.Z, o native.Operand, imm ...byte) {
	if t.octets {
		t.V256(i, d, s, o, imm...)
		return
	}
	t.V(i, d, s, o, 0, imm...)
}

// mergeStrip stores the active lanes of strip i.
func (t *translator) mergeStrip(at native.Mem, z native.Z, i int) {
	if t.octets {
		t.mergeOctet(at, z, i)
		return
	}
	t.V(vmovdqu32to, z, 0, native.InMem(at), native.K(1+i))
}

// shiftField is where the context has a number of bits to shift by.
func (t *translator) shiftField() native.Mem { return t.field(unsafe.Offsetof(t.c.context.shift)) }

// privateNarrow accesses the byte or the word at the address in RAX of every active lane's private memory.
func (t *translator) privateNarrow(in *Inst, bail native.Label) {
	a := in.Op.mem
	t.Mov(native.W64, native.RCX, native.RAX)
	t.OpImm(native.AND, native.W32, native.RCX, 3)
	if a.size == 2 {
		t.OpImm(native.CMP, native.W32, native.RCX, 3)
		t.Jcc(native.E, bail) // it is in two dwords
	}
	t.ShiftImm(native.SHL, native.W32, native.RCX, 3)
	t.Store(native.W64, t.shiftField(), native.RCX)
	t.OpImm(native.AND, native.W64, native.RAX, -4)
	t.Lea(native.RCX, native.Mem{Base: native.RAX, Disp: 4})
	t.OpMem(native.CMP, native.W64, native.RCX, t.field(unsafe.Offsetof(t.c.context.perLane)))
	t.Jcc(native.A, bail)
	t.ShiftImm(native.SHL, native.W64, native.RAX, t.laneShift())
	t.OpMem(native.ADD, native.W64, native.RAX, t.field(unsafe.Offsetof(t.c.context.scratch)))
	place := func(i, size int) native.Mem { return native.Mem{Base: native.RAX, Disp: int32(size * i)} }
	if !a.write {
		t.extendNarrow(in, place, true)
		return
	}
	size, z := t.strips()
	field := native.Z(z + 2) // the bits that are stored
	for i := range t.parts {
		from := native.Mem{Base: regV, Disp: int32(256*int(in.src[1].reg) + size*i)}
		t.strip(vmovdqu32, z, 0, native.InMem(from))
		if a.narrow.part == highPart {
			t.strip(vpshiftd, shiftRight, z, native.InReg(z), 16)
		}
		t.strip(vpbroadcastd, field, 0, native.InMem(t.constant(1<<(8*a.size)-1)))
		t.strip(vpandd, z, z, native.InReg(field))
		t.strip(vpslldBy, z, z, native.InMem(t.shiftField()))
		t.strip(vpslldBy, field, field, native.InMem(t.shiftField()))
		t.strip(vpandnd, z+1, field, native.InMem(place(i, size)))
		t.strip(vpord, z, z, native.InReg(z+1))
		t.mergeStrip(place(i, size), z, i)
	}
}
