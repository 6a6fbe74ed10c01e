package x86

import (
	"unsafe"

	"simtgdb/simt"
	"simtgdb/simt/native"
	"simtgdb/simt/rows"
)

// note lets those who want to know of a segment's accesses have a look: code leaves, and comes back if that
// was all.
func (t *translator) note(u *rows.Unit, s rows.Segment, rest, run int32) {
	all, bits := u.Noted(s)
	if bits == 0 {
		return
	}
	at := u.At + int32(s.First)
	leave, on := t.leaveFor(all, at, rest, run)
	t.Load(native.W32, native.RAX, t.field(unsafe.Offsetof(t.x.Noted)))
	t.OpImm(native.AND, native.W32, native.RAX, int32(bits))
	t.Jcc(native.NE, leave)
	t.Set(on)
	var loads rows.Note
	for _, n := range all {
		if n.Op.Kind == rows.Load && n.Op.Space == rows.Shared && !n.Now {
			n.Now = true
			loads = append(loads, n)
		}
	}
	if len(loads) > 0 {
		t.tellLater(loads, at, rest, run)
	}
}

// leaveFor makes a label that leaves for a note, and the one where code comes back, which is still to be set.
func (t *translator) leaveFor(all rows.Note, at, rest, run int32) (leave, on native.Label) {
	t.notes = append(t.notes, all)
	n := native.Note{Number: len(t.notes), At: uint64(at), Go: run, Charged: rest}
	leave, on = t.NewLabel(), t.NewLabel()
	t.stubs = append(t.stubs, func() {
		t.Set(leave)
		t.LeaveFor(n, native.Noting{Entry: t.field(unsafe.Offsetof(t.x.Entry)),
			Go: t.field(unsafe.Offsetof(t.x.Go)), Note: t.field(unsafe.Offsetof(t.x.Told)),
			Left: t.leave, Budget: regBudget}, on)
	})
	return leave, on
}

// tellLater makes records of loads of shared memory, if they are wanted; where there is no room for them,
// code leaves to tell of them.
func (t *translator) tellLater(loads rows.Note, at, rest, run int32) {
	var r simt.LoadRecord
	full, back := t.leaveFor(loads, at, rest, run)
	first, tells := len(t.tells), loads.Tells()
	t.tells = append(t.tells, tells...)
	told := t.NewLabel()
	t.OpMemImm(native.CMP, native.W32, t.field(unsafe.Offsetof(t.x.Telling)), 0)
	t.Jcc(native.NE, told)
	t.Set(back)
	t.stubs = append(t.stubs, func() {
		size := int32(unsafe.Sizeof(r))
		t.Set(told)
		t.Load(native.W64, native.RCX, t.field(unsafe.Offsetof(t.x.LateAt)))
		t.Lea(native.RAX, native.Mem{Base: native.RCX, Disp: size * int32(len(tells))})
		t.OpMem(native.CMP, native.W64, native.RAX, t.field(unsafe.Offsetof(t.x.LateEnd)))
		t.Jcc(native.A, full)
		t.Store(native.W64, t.field(unsafe.Offsetof(t.x.LateAt)), native.RAX)
		for i := range tells {
			t.record(tells[i].Op, first+i, size*int32(i))
		}
		t.Jmp(back)
	})
}

// record makes the record of a load, so far behind RCX.
func (t *translator) record(o *rows.Op, site int, behind int32) {
	var r simt.LoadRecord
	at := func(offset uintptr) native.Mem {
		return native.Mem{Base: native.RCX, Disp: behind + int32(offset)}
	}
	t.StoreImm(native.W64, at(unsafe.Offsetof(r.Site)), int32(site))
	t.Store(native.W64, at(unsafe.Offsetof(r.Active)), regActive)
	t.Mov(native.W64, native.RAX, regActive)
	if m := o.Under; m.N != rows.Always {
		t.Load(t.maskWidth(), native.RAX, t.maskAt(m.N, 0))
		if m.Not {
			t.Not(native.W64, native.RAX)
		}
		t.Op(native.AND, native.W64, native.RAX, regActive)
	}
	t.Store(native.W64, at(unsafe.Offsetof(r.Lanes)), native.RAX)
	for q := range t.parts() {
		from, to := t.rowAt(o.S[0].Reg, q), at(unsafe.Offsetof(r.Rows)+uintptr(4*t.lanes*q))
		if !t.quads {
			t.V(native.MovDQU64, 26, 0, native.InMem(from), 0)
			t.VL(native.L512, native.Narrow(8, 4), 26, 0, native.InMem(to), 0)
			continue
		}
		for l := range t.lanes {
			t.Load(native.W32, native.RDX, native.Mem{Base: from.Base, Disp: from.Disp + 8*l})
			t.Store(native.W32, native.Mem{Base: to.Base, Disp: to.Disp + 4*l}, native.RDX)
		}
	}
}
