package gcn

import (
	"slices"
	"unsafe"

	"simtgdb/simt"
	"simtgdb/simt/native"
	"simtgdb/simt/vec"
)

// Accesses that observers can be told of before they happen (simt.Noter) are made by translated code: it
// tells of a store, or of loads from global memory that follow each other, and makes them itself if that was
// all. Else they are the interpreter's.

// A notes is accesses that are told of together.
type notes struct {
	waits  bool       // there are no accesses: those are told that code has noted
	store  *Inst      // nil if they are loads
	scalar *Inst      // the only one, if it is a scalar load
	loads  simt.Loads // of which each row is what the addresses of one of them are made of
	rows   []*Inst
	was    []pieced // of rows
	of     []*Inst  // all loads
}

// mostRows is how many rows of addresses loads may have that are told of together, mostPieces in how many
// pieces these may lie.
const (
	mostRows   = 8
	mostPieces = 48
)

// notable reports whether an instruction is an access that observers may be told of before code makes it.
func (in *Inst) notable() bool {
	a := in.Op.mem
	switch {
	case a == nil || a.atomic || in.told || in.loadsLDS() || in.mem.gds || in.mem.tfe || in.mem.scaled ||
		in.signedOffset():
		return false
	case a.write:
		return a.move != nil && (in.form == GLOBAL || in.form == DS)
	}
	return in.form == GLOBAL && !(in.pastCache() && a.size <= 8)
}

// tellFirst makes the code before an instruction of a block that tells of it and of others behind it.
func (t *translator) tellFirst(b *regionBlock, i int) {
	in := &b.insts[i]
	if !t.ordered || in.pair != nil || !in.notable() || slices.Contains(t.noted, in) {
		return
	}
	n := &notes{}
	if in.Op.mem.write {
		n.store, t.noted = in, append(t.noted[:0], in)
	} else {
		t.gather(n, b, i)
		t.noted = append(t.noted[:0], n.of...)
	}
	tell, back := t.NewLabel(), t.NewLabel()
	t.OpMemImm(native.CMP, native.W32, t.field(t.wantedBy(in)), 0)
	t.Jcc(native.NE, tell)
	t.Set(back)
	leave := t.leaveToTell(b, i, n, back)
	t.stubs = append(t.stubs, func() {
		t.Set(tell)
		leave()
	})
}

// leaveToTell is what makes the code that leaves before an instruction of a block to tell of what there is,
// and goes on at a label with the rows that are in registers now.
func (t *translator) leaveToTell(b *regionBlock, i int, n *notes, back native.Label) func() {
	rows, foreseen := t.rows.row, t.foresees && n.mayBeForeseen()
	return func() {
		l, told := t.NewLabel(), t.NewLabel()
		if foreseen {
			t.foresee(len(t.interludes)+1, n, told)
			t.Jmp(back)
			t.Set(told)
		}
		t.interludes = append(t.interludes, interlude{b: b.block, first: i, last: i,
			charged: uint64(b.count - i), tells: n, label: l})
		t.StoreImm(native.W64, t.field(unsafe.Offsetof(t.c.context.called)), int32(len(t.interludes)))
		t.MovImm(native.RAX, b.insts[i].PC)
		t.Jmp(t.leave)
		t.Set(l)
		for quad, row := range rows {
			if row >= 0 {
				t.loadQuad(quad, row)
			}
		}
		t.Jmp(back)
	}
}

// call leaves for an interlude, which goes on at a label. It is not native's LeaveFor: an interlude itself
// has where code goes on and what was charged, so that code says its number alone.
func (t *translator) call(first, last, uncounted int, amid bool, l native.Label) {
	t.interludes = append(t.interludes, interlude{b: t.now.block, first: first, last: last, part: t.part,
		charged: uint64(t.now.count - first), uncounted: uncounted, amid: amid, label: l,
		orders: ordersOnly(t.now.insts[first:last])})
	t.StoreImm(native.W64, t.field(unsafe.Offsetof(t.c.context.called)), int32(len(t.interludes)))
	t.MovImm(native.RAX, t.now.insts[first].PC)
	t.Jmp(t.leave)
}

// mayBeForeseen reports whether accesses are such as others may be.
func (n *notes) mayBeForeseen() bool {
	return !n.waits && (n.store == nil || n.store.form == GLOBAL || n.store.form == DS)
}

// gather finds loads from an instruction of a block on that can be told of before the first: what their
// addresses are made of is there already, and what lies between them orders nothing.
func (t *translator) gather(n *notes, b *regionBlock, from int) {
	var written uses
	vectors := map[uint16]bool{}
	for i := from; i < b.count && !b.left[i]; i++ {
		in := &b.insts[i]
		switch {
		case in.pair == nil && in.notable() && !in.Op.mem.write:
			if !n.add(t.c, in, &written.writes, vectors) {
				i = b.count
				continue
			}
		case in.writesExec(), in.Op.ends(), in.told, in.Op.mem != nil && in.form != SMEM:
			i = b.count
			continue
		}
		for _, part := range in.parts() {
			written.add(part)
			part.eachWritten(func(reg uint16) { vectors[reg] = true })
		}
	}
	n.loads.Ready(len(n.rows))
	n.was = make([]pieced, len(n.rows))
}

// add adds a load, if its addresses can be worked out before registers are written.
func (n *notes) add(c *Core, in *Inst, scalars *regSet, vectors map[uint16]bool) bool {
	at, base := in.src[0].reg, in.mem.saddr
	if base.kind == scalarReg {
		r := scalarsFrom + int(base.reg)
		if vectors[at] || base.reg+1 >= regVCC || scalars.has(r) || scalars.has(r+1) {
			return false
		}
	} else if vectors[at] || vectors[at+1] {
		return false
	}
	row := slices.IndexFunc(n.rows, func(o *Inst) bool {
		return o.src[0].reg == at && o.mem.saddr.kind == base.kind && o.mem.saddr.reg == base.reg
	})
	if row < 0 {
		if row = len(n.rows); row == mostRows {
			return false
		}
		n.rows = append(n.rows, in)
	}
	size := in.Op.mem.size
	l := simt.Load{PC: in.PC, Row: row, Add: int64(in.simm) - int64(n.rows[row].simm), Size: size, Near: true,
		InOrder: c.sharesCache(), Perhaps: size <= 8, Unmarked: size <= 8}
	l.Near = !(l.Perhaps && c.swapsSoon(in))
	n.loads.All, n.of = append(n.loads.All, l), append(n.of, in)
	return true
}

// unlessNoted leaves an access to the interpreter if somebody wants to know of it who has not been told.
func (t *translator) unlessNoted(in *Inst, wanted uintptr, bail native.Label) {
	t.OpMemImm(native.CMP, native.W32, t.field(wanted), 0)
	if !slices.Contains(t.noted, in) {
		t.Jcc(native.NE, bail)
		return
	}
	asks, back := t.NewLabel(), t.NewLabel()
	t.Jcc(native.NE, asks)
	t.Set(back)
	t.stubs = append(t.stubs, func() {
		t.Set(asks)
		t.OpMemImm(native.CMP, native.W32, t.field(unsafe.Offsetof(t.c.context.noted)), 0)
		t.Jcc(native.E, bail)
		t.Jmp(back)
	})
}

// joinLanes ends a block likewise: where lanes have been switched on, the region ends, and observers are
// told.
func (t *translator) joinLanes(in *Inst, next uint64) {
	if !in.joins {
		return
	}
	joined := t.NewLabel()
	t.Load(native.W64, native.RAX, t.field(unsafe.Offsetof(t.c.context.before)))
	t.Not(native.W64, native.RAX)
	t.Test(native.W64, native.RAX, regMask)
	t.Jcc(native.NE, joined)
	counted := t.counted
	t.stubs = append(t.stubs, func() {
		t.Set(joined)
		t.count(counted)
		t.StoreImm(native.W32, t.field(unsafe.Offsetof(t.c.context.joined)), 1)
		t.MovImm(native.RAX, next)
		t.Jmp(t.leave)
	})
}

// tell tells observers of accesses that code is about to make, and notes whether that was all.
func (c *Core) tell(n *notes) {
	if n.waits {
		return
	}
	all := c.w.Exec == 0 && n.scalar == nil
	switch {
	case all:
	case n.scalar != nil:
		all = c.tellScalar(n)
	case n.store != nil:
		all = c.tellStore(n.store)
	default:
		all = c.tellLoads(n)
	}
	c.context.noted = flag32(all)
}

// tellLoads tells of loads.
func (c *Core) tellLoads(n *notes) bool {
	c.pieces = c.pieces[:0]
	for i, in := range n.rows {
		if !c.findGlobal(in, in.Op.mem, c.w.Exec) {
			return false
		}
		c.addPieces(i, &n.was[i], in.region)
	}
	if len(c.pieces) > mostPieces || !c.m.NoteLoads(c.w, &n.loads, c.pieces) {
		return false
	}
	c.r.pending |= pendingLoads
	return true
}

// tellStore tells of a store.
func (c *Core) tellStore(in *Inst) bool {
	if in.form == DS {
		return c.m.Notes(c.w, simt.LDS, true) && c.tellShared(in, &c.r.V[in.src[0].reg])
	}
	if !c.m.Notes(c.w, simt.Global, true) || !c.findGlobal(in, in.Op.mem, c.w.Exec) {
		return false
	}
	return c.tellAccess(in, simt.Global, in.region.Base, c.sideBySide(in.Op.mem.size))
}

// tellShared tells of a store to LDS, or of the two that an instruction makes, at a row of addresses.
func (c *Core) tellShared(in *Inst, row *Vector) bool {
	a := in.Op.mem
	places, size := []uint32{uint32(in.simm)}, a.size
	if a.places != 0 {
		unit := uint32(a.places * a.size)
		places = []uint32{places[0] * unit, uint32(in.mem.offset1) * unit}
	}
	low := slices.Min(places)
	size += int(slices.Max(places) - low)
	if !c.at.Find32(c.w.Group.LDS, (*vec.Row)(row), low, size, c.w.Exec) {
		return false
	}
	side := c.sideBySide(a.size)
	for _, place := range places {
		if !c.tellAccess(in, simt.LDS, uint64(place-low), side) {
			return false
		}
	}
	return true
}

// tellAccess tells of an access of the active lanes to the places that have been worked out, in a memory that
// begins at base; side says that they are side by side.
func (c *Core) tellAccess(in *Inst, space simt.Space, base uint64, side bool) bool {
	c.describeStore(in, space)
	c.toldAt = base + uint64(c.at.At[0])
	if side && c.m.NoteStride(&c.told, c.toldAt, uint32(in.Op.mem.size)) {
		return true
	}
	c.placed(base)
	c.told.Addr = &c.addr
	return c.m.Note(&c.told)
}

// describeStore makes what observers are told of a store by the active lanes, but for its addresses.
func (c *Core) describeStore(in *Inst, space simt.Space) {
	a, told := in.Op.mem, &c.told
	*told = simt.Access{Wave: c.w, PC: in.PC, Space: space, Write: true, Size: a.size, Lanes: c.w.Exec}
	c.describeOrder(in, a, told)
	told.Data = nil
}

// allActive reports whether all lanes of the wave are active that there may be.
func (c *Core) allActive() bool { return c.w.Exec == everyLane(c.w) }

// sideBySide reports whether all lanes of the wave are active, and the places of their items follow each
// other.
func (c *Core) sideBySide(size int) bool {
	n, at, step := c.w.Size, &c.at.At, uint64(size)
	if !c.allActive() || uint64(at[0])+step != uint64(at[1]) ||
		uint64(at[0])+step*uint64(n-1) != uint64(at[n-1]) {
		return false
	}
	pairs := (*[simt.MaxLanes / 2]uint64)(unsafe.Pointer(at))[:n/2]
	all := uint64(1)<<(n/2-1) - 1
	return vec.Steps(pairs, 2*(step|step<<32))&all == all
}
