package gcn

import (
	"unsafe"

	"simtgdb/simt"
	"simtgdb/simt/native"
)

// Loads from LDS of which observers may be told later (simt.Postponer): translated code makes records of
// them.

// mostTogether is how many records of a translation may be of several loads.
const mostTogether = 32

// tellLater makes the code that tells of a load from LDS: a record, if there is room for one, else the load
// is the interpreter's. A record is of all loads behind it whose addresses are the same but for what they
// add. Where the first of them was the interpreter's there is no such record, and each makes its own.
func (t *translator) tellLater(in *Inst, bail native.Label) {
	t.OpMemImm(native.CMP, native.W32, t.field(unsafe.Offsetof(t.c.context.telling)), 0)
	if t.calls { // a record says of which calls it is, once for all of them
		t.Jcc(native.NE, bail)
		return
	}
	told, back := t.NewLabel(), t.NewLabel()
	t.Jcc(native.NE, told)
	t.Set(back)
	recorded := t.field(unsafe.Offsetof(t.c.context.recorded))
	site, row := int32(len(t.lates)), rowAt(int(in.src[0].reg))
	sets, has := uint32(0), t.together[in] // bits of recorded
	alike := []*Inst{in}
	if has == 0 && t.groups < mostTogether {
		if alike = t.sameAddress(in); len(alike) > 1 {
			sets = 1 << t.groups
			t.groups++
		}
		for _, o := range alike[1:] {
			t.together[o] = sets
		}
	}
	t.lates = append(t.lates, alike)
	t.stubs = append(t.stubs, func() {
		var r simt.LoadRecord
		at := func(offset uintptr) native.Mem { return native.Mem{Base: native.RCX, Disp: int32(offset)} }
		t.Set(told)
		if has != 0 {
			t.Load(native.W32, native.RAX, recorded)
			t.OpImm(native.AND, native.W32, native.RAX, int32(has))
			t.Jcc(native.NE, back)
		}
		t.foreseeLate(int(site), int(in.src[0].reg), sets, back)
		t.Load(native.W64, native.RCX, t.field(unsafe.Offsetof(t.c.context.lateAt)))
		t.OpMem(native.CMP, native.W64, native.RCX, t.field(unsafe.Offsetof(t.c.context.lateEnd)))
		t.Jcc(native.AE, bail)
		t.StoreImm(native.W64, at(unsafe.Offsetof(r.Site)), site)
		t.Store(native.W64, at(unsafe.Offsetof(r.Lanes)), regMask)
		t.Store(native.W64, at(unsafe.Offsetof(r.Active)), regMask)
		t.copyRow(at(unsafe.Offsetof(r.Rows)), row)
		t.OpMemImm(native.ADD, native.W64, t.field(unsafe.Offsetof(t.c.context.lateAt)),
			int32(unsafe.Sizeof(r)))
		if sets != 0 {
			t.OpMemImm(native.OR, native.W32, recorded, int32(sets))
		}
		t.Jmp(back)
	})
}

// sameAddress are a load from LDS and those behind it in its block that code makes with the same address but
// for what they add, up to the next instruction that orders accesses, leads elsewhere or may stop the wave.
func (t *translator) sameAddress(in *Inst) []*Inst {
	b, all := t.now, []*Inst{in}
	reg, changed := in.src[0].reg, false
	note := func(written uint16) { changed = changed || written == reg }
	in.eachWritten(note)
	for i := t.place + 1; i < b.count && !b.left[i] && !changed; i++ {
		o := &b.insts[i]
		a := o.Op.mem
		switch {
		case o.told, o.writesExec(), o.Op.ends(),
			a != nil && o.form != SMEM && (o.form != DS || a.write || a.atomic):
			return all
		case a != nil && o.form == DS && o.src[0].reg == reg:
			all = append(all, o)
		}
		for _, part := range o.parts() {
			part.eachWritten(note)
		}
	}
	return all
}

// tells makes accesses of the records that instructions of the core's regions make.
func (c *Core) tells(of [][]*Inst) func(r *simt.LoadRecord, each func(a *simt.Access)) {
	inOrder := c.sharesCache()
	one := func(in *Inst, r *simt.LoadRecord, each func(a *simt.Access)) {
		a, row := in.Op.mem, (*Vector)(unsafe.Pointer(&r.Rows))
		offsets := []uint32{uint32(in.simm)}
		if a.places != 0 {
			unit := uint32(a.places * a.size)
			offsets = []uint32{uint32(in.simm) * unit, uint32(in.mem.offset1) * unit}
		}
		for _, offset := range offsets {
			var addr [simt.MaxLanes]uint64
			for l := range addr {
				addr[l] = uint64(row[l] + offset)
			}
			each(&simt.Access{PC: in.PC, Space: simt.LDS, Read: true, Size: a.size, Lanes: r.Lanes,
				Addr: &addr, Near: true, InOrder: inOrder, Joined: a.places != 0})
		}
	}
	return func(r *simt.LoadRecord, each func(a *simt.Access)) {
		for _, in := range of[r.Site] {
			one(in, r, each)
		}
	}
}

// postpone gives code of a region room for records, if observers may be told later of what a wave loads
// from LDS.
func (c *Core) postpone(r *region) {
	c.lates = simt.LateLoads{}
	if c.turning.armed {
		c.postponeNothing()
		return
	}
	if !c.anywhere.sharedLoads || len(r.lates) == 0 {
		return
	}
	x := &c.context
	at, end, ok := c.lates.Begin(c.m, c.w)
	x.recorded = 0
	x.lateAt, x.lateEnd, x.sharedLoads = uint64(at), uint64(end), flag32(!ok)
}

// postponesOn reports whether code that has told of accesses goes on with the room that it had, or with none:
// observers can be told later of loads that come behind others, and not of those behind a store to LDS.
func (c *Core) postponesOn(told *notes) bool {
	x := &c.context
	x.recorded = 0
	if told.store != nil && told.store.form == DS && c.w.Exec != 0 {
		c.lates = simt.LateLoads{}
		x.lateAt, x.lateEnd, x.sharedLoads = 0, 0, flag32(c.anywhere.sharedLoads)
		return true
	}
	return x.lateAt < x.lateEnd && (told.store == nil || c.w.Exec == 0)
}

// postponed gives the records that have been made, and tells of the waits that code has noted.
func (c *Core) postponed(r *region) {
	x := &c.context
	c.lates.Wave = c.w // of several that take turns the one that is left
	c.noteLates()
	if bits := x.waited; bits != 0 {
		c.lates.Tell(uintptr(x.waitAt), r.tell)
		x.waited = 0
		c.orderWaited(uint8(bits), bits&waitShared != 0)
	}
	c.lates.Tell(uintptr(x.lateAt), r.tell)
}

// Code does not leave for a wait: it notes what is waited for, and observers are told of it when it leaves
// next, before all that comes behind it but records of loads. Of these it notes how many came before.

// deferWait makes code note a wait of a block. If there are records between it and one that has been noted,
// observers are told of both first.
func (t *translator) deferWait(b *regionBlock, i int) {
	waited := t.field(unsafe.Offsetof(t.c.context.waited))
	waitAt := t.field(unsafe.Offsetof(t.c.context.waitAt))
	again, note, tell := t.NewLabel(), t.NewLabel(), t.NewLabel()
	t.Set(again)
	t.Load(native.W64, native.RAX, t.field(unsafe.Offsetof(t.c.context.lateAt)))
	t.OpMemImm(native.CMP, native.W32, waited, 0)
	t.Jcc(native.E, note)
	t.OpMem(native.CMP, native.W64, native.RAX, waitAt)
	t.Jcc(native.NE, tell)
	t.Set(note)
	t.Store(native.W64, waitAt, native.RAX)
	t.OpMemImm(native.OR, native.W32, waited, b.insts[i].waitBits())
	leave := t.leaveToTell(b, i, &notes{waits: true}, again)
	t.stubs = append(t.stubs, func() {
		t.Set(tell)
		leave()
	})
}

// A wait is noted by these bits, and what it waits for in global memory.
const (
	waitNoted  = 1 << 31
	waitShared = 1 << 30
)

// waitBits are those of a wait.
func (in *Inst) waitBits() int32 {
	over, lds := in.Op.over(in)
	bits := uint32(waitNoted) | uint32(over)
	if lds {
		bits |= waitShared
	}
	return int32(bits)
}
