package gcn

import (
	"unsafe"

	"simtgdb/simt"
	"simtgdb/simt/native"
)

// foresightField is where translated code finds a field of the foresight.
func (t *translator) foresightField(offset uintptr) native.Mem {
	return t.field(unsafe.Offsetof(t.c.context.foresight) + offset)
}

// foresee makes the code that goes on where accesses are those that have been foreseen, by the number of the
// interlude that tells of them; else it jumps elsewhere. The context's noted is as it was left by the last
// step that was told of: that was all of it, or nothing would be foreseen (keepTold).
func (t *translator) foresee(site int, n *notes, elsewhere native.Label) {
	var s foreseenStep
	t.comesToStep(site, elsewhere)
	t.Load(native.W64, native.RDX, t.foresightField(unsafe.Offsetof(foresight{}.wave)))
	differs := &differing{t: t}
	for i, in := range n.addressed() {
		t.rowAsForeseen(in, unsafe.Offsetof(s.rows)+uintptr(i)*unsafe.Sizeof(s.rows[0]), differs, elsewhere)
	}
	differs.leave(elsewhere)
	t.passStep()
}

// comesToStep jumps elsewhere unless the step that comes next is one of a site, of all lanes, behind the
// waits that there have been. It leaves in RCX where that is.
func (t *translator) comesToStep(site int, elsewhere native.Label) {
	var s foreseenStep
	t.Load(native.W64, native.RCX, t.foresightField(unsafe.Offsetof(foresight{}.step)))
	t.Test(native.W64, native.RCX, native.RCX)
	t.Jcc(native.E, elsewhere)
	at := native.Mem{Base: native.RCX, Disp: int32(unsafe.Offsetof(s.site))}
	t.OpMemImm(native.CMP, native.W64, at, int32(site))
	t.Jcc(native.NE, elsewhere)
	t.waitsAsForeseen(elsewhere)
	t.OpImm(native.CMP, t.laneWidth(), regMask, -1)
	t.Jcc(native.NE, elsewhere)
}

// passStep makes the step behind the one that comes next that one.
func (t *translator) passStep() {
	t.StoreImm(native.W32, t.field(unsafe.Offsetof(t.c.context.waited)), 0)
	t.OpMemImm(native.ADD, native.W64, t.foresightField(unsafe.Offsetof(foresight{}.step)),
		int32(unsafe.Sizeof(foreseenStep{})))
}

// waitsAsForeseen jumps elsewhere if other waits have been noted than those of the step in RCX.
func (t *translator) waitsAsForeseen(elsewhere native.Label) {
	var s foreseenStep
	t.Load(native.W32, native.RAX, t.field(unsafe.Offsetof(t.c.context.waited)))
	t.OpMem(native.CMP, native.W32, native.RAX,
		native.Mem{Base: native.RCX, Disp: int32(unsafe.Offsetof(s.waited))})
	t.Jcc(native.NE, elsewhere)
}

// rowAsForeseen looks at the registers that addresses are made of, of a row of the step in RCX. In RDX is how
// many waves that one is ahead.
func (t *translator) rowAsForeseen(in *Inst, row uintptr, differs *differing, elsewhere native.Label) {
	var r foreseenRow
	of := func(offset uintptr) native.Mem {
		return native.Mem{Base: native.RCX, Disp: int32(row + offset)}
	}
	base := in.mem.saddr
	if in.form == SMEM {
		base = in.src[0]
	}
	if base.kind == scalarReg {
		t.Load(native.W64, native.RAX, of(unsafe.Offsetof(r.baseBy)))
		t.Imul(native.W64, native.RAX, native.RDX)
		t.OpMem(native.ADD, native.W64, native.RAX, of(unsafe.Offsetof(r.base)))
		t.OpMem(native.CMP, native.W64, native.RAX, scalar(base.reg))
		t.Jcc(native.NE, elsewhere)
	}
	switch in.form {
	case SMEM:
		return
	case DS:
		t.placesAsForeseen(row, int(in.src[0].reg), differs)
		return
	}
	by := t.foresightField(unsafe.Offsetof(foresight{}.by))
	t.Load(native.W32, native.RAX, of(unsafe.Offsetof(r.by)))
	t.Imul(native.W32, native.RAX, native.RDX)
	t.Store(native.W32, by, native.RAX)
	t.Load(native.W64, native.RSI, of(unsafe.Offsetof(r.low)))
	differs.from(native.RSI, rowAt(int(in.src[0].reg)), by)
	if base.kind != scalarReg {
		t.Load(native.W64, native.RSI, of(unsafe.Offsetof(r.high)))
		differs.from(native.RSI, rowAt(int(in.src[0].reg)+1), native.Mem{})
	}
}

// placesAsForeseen looks at the register that addresses in LDS are made of, of a row of the step in RCX.
func (t *translator) placesAsForeseen(row uintptr, reg int, differs *differing) {
	at := native.Mem{Base: native.RCX, Disp: int32(row + unsafe.Offsetof(foreseenRow{}.low))}
	t.Load(native.W64, native.RSI, at)
	differs.from(native.RSI, rowAt(reg), native.Mem{})
}

// A differing gathers in a vector register whether rows are what they are to be.
type differing struct {
	t     *translator
	begun bool
}

// The spare registers that it uses.
const (
	zIs     native.Z = 16
	zBy     native.Z = 17
	zDiffer native.Z = 18
)

// op is an instruction of the host's vectors.
func (d *differing) op(in native.Instruction, to, from native.Z, o native.Operand) {
	d.t.spare(in, to, from, o)
}

// from adds the dwords in which a row differs from those at a register, to which a dword in memory has been
// added, unless that is nowhere.
func (d *differing) from(at native.Reg, row, by native.Mem) {
	t, width := d.t, int32(64)
	if t.octets {
		width = 32
	}
	if !d.begun {
		d.begun = true
		d.op(vpxord, zDiffer, zDiffer, native.InReg(zDiffer))
	}
	if by != (native.Mem{}) {
		d.op(vpbroadcastd, zBy, 0, native.InMem(by))
	}
	for o := int32(0); o < 4*int32(t.lanes); o += width {
		d.op(vmovdqu32, zIs, 0, native.InMem(native.Mem{Base: at, Disp: o}))
		if by != (native.Mem{}) {
			d.op(vpaddd, zIs, zIs, native.InReg(zBy))
		}
		d.op(vpxord, zIs, zIs, native.InMem(native.Mem{Base: row.Base, Disp: row.Disp + o}))
		d.op(vpord, zDiffer, zDiffer, native.InReg(zIs))
	}
}

// leave jumps elsewhere if any has differed.
func (d *differing) leave(elsewhere native.Label) {
	const kDiffer, unequal = 5, 4
	t := d.t
	switch {
	case !d.begun:
		return
	case t.octets:
		d.op(vptest, zDiffer, 0, native.InReg(zDiffer))
	default:
		d.op(vpxord, zIs, zIs, native.InReg(zIs))
		t.V(vpcmpud, kDiffer, zDiffer, native.InReg(zIs), 0, unequal)
		t.Kortest16(kDiffer, kDiffer)
	}
	t.Jcc(native.NE, elsewhere)
}

// foreseeNext makes what is foreseen the steps of the next wave, where one has come to its end as was
// foreseen; else it jumps elsewhere.
func (t *translator) foreseeNext(elsewhere native.Label) {
	if !t.ordered {
		return
	}
	var f foresight
	var s foreseenStep
	t.Load(native.W64, native.RCX, t.foresightField(unsafe.Offsetof(f.step)))
	t.OpMemImm(native.CMP, native.W64, native.Mem{Base: native.RCX, Disp: int32(unsafe.Offsetof(s.site))}, 0)
	t.Jcc(native.NE, elsewhere)
	t.waitsAsForeseen(elsewhere)
	t.StoreImm(native.W32, t.field(unsafe.Offsetof(t.c.context.waited)), 0)
	t.Load(native.W64, native.RAX, t.foresightField(unsafe.Offsetof(f.first)))
	t.Store(native.W64, t.foresightField(unsafe.Offsetof(f.step)), native.RAX)
	t.OpMemImm(native.ADD, native.W64, t.foresightField(unsafe.Offsetof(f.wave)), 1)
}

// tellScalar makes the code that tells of a scalar load before it, if its slot says that observers mind. R13
// is the slots'.
func (t *translator) tellScalar(in *Inst, field func(uintptr) native.Mem, bail native.Label) {
	if !t.ordered || !t.c.notesScalar(in) {
		return
	}
	a := &access{size: 4 * typDwords[in.dst.typ]}
	told := &simt.Access{Space: simt.Global, Read: true}
	t.c.describeOrder(in, a, told)
	n := &notes{scalar: in}
	n.loads.All = []simt.Load{{PC: in.PC, Size: a.size, Perhaps: told.Perhaps, Near: told.Near,
		InOrder: told.InOrder, Unmarked: told.Unmarked}}
	n.loads.Ready(1)
	tell, noted, back := t.NewLabel(), t.NewLabel(), t.NewLabel()
	t.OpMemImm(native.CMP, native.W64, field(unsafe.Offsetof(memorySlot{}.minds)), 0)
	t.Jcc(native.NE, tell)
	t.Set(back)
	leave := t.leaveToTell(t.now, t.place, n, noted)
	t.stubs = append(t.stubs, func() {
		t.Set(tell)
		leave()
		t.Set(noted)
		t.OpMemImm(native.CMP, native.W32, t.field(unsafe.Offsetof(t.c.context.noted)), 0)
		t.Jcc(native.E, bail)
		t.Load(native.W64, native.R13, t.field(unsafe.Offsetof(t.c.context.slots)))
		t.Jmp(back)
	})
}
