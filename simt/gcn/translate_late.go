package gcn

import (
	"unsafe"

	"simtgdb/simt"
	"simtgdb/simt/native"
)

// Loads from LDS of which observers may be told later (simt.Postponer): translated code makes records of
// them.

// tellLater makes the code that tells of a load from LDS: a record, if there is room for one, else the load
// is the interpreter's.
func (t *translator) tellLater(in *Inst, bail native.Label) {
	t.OpMemImm(native.CMP, native.W32, t.field(unsafe.Offsetof(t.c.context.telling)), 0)
	if t.calls { // a record says of which calls it is, once for all of them
		t.Jcc(native.NE, bail)
		return
	}
	told, back := t.NewLabel(), t.NewLabel()
	t.Jcc(native.NE, told)
	t.Set(back)
	t.lates = append(t.lates, in)
	site, row := len(t.lates)-1, rowAt(int(in.src[0].reg))
	t.stubs = append(t.stubs, func() {
		var r simt.LoadRecord
		at := func(offset uintptr) native.Mem { return native.Mem{Base: native.RCX, Disp: int32(offset)} }
		t.Set(told)
		t.Load(native.W64, native.RCX, t.field(unsafe.Offsetof(t.c.context.lateAt)))
		t.OpMem(native.CMP, native.W64, native.RCX, t.field(unsafe.Offsetof(t.c.context.lateEnd)))
		t.Jcc(native.AE, bail)
		t.StoreImm(native.W64, at(unsafe.Offsetof(r.Site)), int32(site))
		t.Store(native.W64, at(unsafe.Offsetof(r.Lanes)), regMask)
		t.Store(native.W64, at(unsafe.Offsetof(r.Active)), regMask)
		t.copyRow(at(unsafe.Offsetof(r.Rows)), row)
		t.OpMemImm(native.ADD, native.W64, t.field(unsafe.Offsetof(t.c.context.lateAt)),
			int32(unsafe.Sizeof(r)))
		t.Jmp(back)
	})
}

// tells makes accesses of the records that instructions of the core's regions make.
func (c *Core) tells(of []*Inst) func(r *simt.LoadRecord, each func(a *simt.Access)) {
	inOrder := c.sharesCache()
	return func(r *simt.LoadRecord, each func(a *simt.Access)) {
		in := of[r.Site]
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
}

// postpone gives translated code room for records, if observers may be told of a wave's loads from LDS later.
func (c *Core) postpone() simt.Postponer {
	x := &c.context
	p, room := c.m.Postpones(c.w, simt.LDS)
	x.lateAt, x.lateEnd, x.sharedLoads = 0, 0, flag32(p == nil)
	if p != nil {
		x.lateAt = uint64(uintptr(unsafe.Pointer(unsafe.SliceData(room))))
		x.lateEnd = x.lateAt + uint64(len(room))*uint64(unsafe.Sizeof(room[0]))
		c.lateFrom = x.lateAt
	}
	return p
}

// postponed gives the records that have been made.
func (c *Core) postponed(p simt.Postponer, r *region) {
	if n := int((c.context.lateAt - c.lateFrom) / uint64(unsafe.Sizeof(simt.LoadRecord{}))); p != nil &&
		n > 0 {
		p.Loaded(c.w, simt.LDS, n, r.tell)
	}
}
