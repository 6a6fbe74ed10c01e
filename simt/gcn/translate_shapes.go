package gcn

import (
	"unsafe"

	"simtgdb/simt/native"
)

// Loads from LDS whose addresses have a shape: in each quarter, with AVX2 in each octet, they lie side by
// side, or are one. A row's shape is known as long as its greatest number is; while all lanes are active,
// such loads need no gather.

// A rowShape says of a row whether the numbers in each part are 4 apart, and whether they are one: while all
// lanes are active and nobody wants to know of loads.
type rowShape struct{ side, same uint32 }

// shapeField is a field of the shape that the context keeps beside a greatest number.
func (t *translator) shapeField(slot int, field uintptr) native.Mem {
	return t.field(unsafe.Offsetof(t.c.context.shapes) + uintptr(slot)*unsafe.Sizeof(rowShape{}) + field)
}

// spare is an instruction of the host's vectors on registers from 16 on that hold nothing; with AVX2 they are
// those from 0 on.
func (t *translator) spare(in native.Instruction, d, s native.Z, o native.Operand, imm ...byte) {
	if !t.octets {
		t.V(in, d, s, o, 0, imm...)
		return
	}
	if !o.InMemory {
		o.Reg &= 15
	}
	t.V256(in, d&15, s&15, o, imm...)
}

// partAt is where a quarter or an octet of a row is.
func (t *translator) partAt(row, part int) native.Mem {
	if t.octets {
		return octetAt(row, part)
	}
	return quarterAt(row, part)
}

// shapeOf makes the context know the shape of a row.
func (t *translator) shapeOf(row, slot int) {
	const first, diff, apart, differ, steps native.Z = 16, 17, 18, 19, 20
	var s rowShape
	if t.steps == 0 {
		t.steps = len(t.pool) + 1
		for l := range uint32(16) {
			t.pool = append(t.pool, 4*l)
		}
	}
	t.spare(vmovdqu32, steps, 0, native.InMem(native.Mem{Base: regPool, Disp: int32(4 * (t.steps - 1))}))
	for q := range t.parts {
		at := native.InMem(t.partAt(row, q))
		t.spare(vpbroadcastd, first, 0, at)
		t.spare(vpsubd, diff, first, at) // what is less than the first is negative
		if q == 0 {
			t.spare(vmovdqa32, differ, 0, native.InReg(diff))
			t.spare(vpaddd, apart, diff, native.InReg(steps))
			continue
		}
		t.spare(vpord, differ, differ, native.InReg(diff))
		t.spare(vpaddd, diff, diff, native.InReg(steps))
		t.spare(vpord, apart, apart, native.InReg(diff))
	}
	none := t.NewLabel()
	side, same := t.shapeField(slot, unsafe.Offsetof(s.side)), t.shapeField(slot, unsafe.Offsetof(s.same))
	t.StoreImm(native.W32, side, 0)
	t.StoreImm(native.W32, same, 0)
	t.OpImm(native.CMP, t.laneWidth(), regMask, -1)
	t.Jcc(native.NE, none)
	t.OpMemImm(native.CMP, native.W32, t.field(unsafe.Offsetof(t.c.context.sharedLoads)), 0)
	t.Jcc(native.NE, none)
	keep := func(z native.Z, is native.Mem) {
		if t.octets {
			t.spare(vptest, z, 0, native.InReg(z))
		} else {
			t.V(vptestmd, 5, z, native.InReg(z), 0)
			t.Kortest16(5, 5)
		}
		t.SetStore(native.E, is, native.RAX)
	}
	keep(apart, side)
	keep(differ, same)
	t.Set(none)
}

// loadShaped makes the code of a load from LDS, of so many rows from each place on: by the shape of the row
// with the addresses, or as general does. What is not inside of LDS is the interpreter's, and what is
// watched.
func (t *translator) loadShaped(in *Inst, address, slot int, places []uint32, inside, unwatched,
	general func()) {
	var s rowShape
	all := typDwords[in.dst.typ]
	n := all / len(places)
	loaded := t.roomFor(all)
	move := func(i native.Instruction) {
		t.Load(native.W64, native.RSI, t.field(unsafe.Offsetof(t.c.context.lds)))
		for q := range t.parts {
			t.Load(native.W32, native.RCX, t.partAt(address, q)) // before it may be written over
			t.Op(native.ADD, native.W64, native.RCX, native.RSI)
			for row := range all {
				there := native.Mem{Base: native.RCX, Disp: int32(places[row/n]) + int32(4*(row%n))}
				to := native.InMem(t.partAt(int(in.dst.reg)+row, q))
				if t.octets {
					t.spare(i, native.Z(row), 0, native.InMem(there))
					t.spare(vmovdqu32to, native.Z(row), 0, to)
					continue
				}
				z := loaded[row].at(q)
				t.V(i, z, 0, native.InMem(there), 0)
				t.V(vmovdqu32to, z, 0, to, 0)
			}
		}
	}
	other, apart, done := t.NewLabel(), t.NewLabel(), t.NewLabel()
	t.OpMemImm(native.CMP, native.W32, t.shapeField(slot, unsafe.Offsetof(s.side)), 0)
	t.Jcc(native.E, other)
	inside()
	move(vmovdqu32)
	t.Set(done)
	t.stubs = append(t.stubs, func() {
		t.Set(other)
		t.OpMemImm(native.CMP, native.W32, t.shapeField(slot, unsafe.Offsetof(s.same)), 0)
		t.Jcc(native.E, apart)
		inside()
		move(vpbroadcastd)
		t.Jmp(done)
		t.Set(apart)
		inside()
		unwatched()
		general()
		for i, z := range loaded {
			t.loadQuad(t.quadOf(z), int(in.dst.reg)+i)
		}
		t.Jmp(done)
	})
	for i := range all {
		t.changed(int(in.dst.reg) + i)
	}
	for i, z := range loaded {
		t.rows.row[t.quadOf(z)] = int(in.dst.reg) + i
	}
}

// roomFor is quads for rows that are loaded; with AVX2 there are none.
func (t *translator) roomFor(rows int) (quads []source) {
	if t.octets {
		return nil
	}
	for range rows {
		quads = append(quads, t.quad(t.rows.take()))
	}
	t.rows.unpin()
	return quads
}
