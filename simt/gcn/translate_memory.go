package gcn

import (
	"unsafe"

	"simtgdb/simt/native"
)

// memoryInst makes the code of a load or store of dwords in LDS, global or
// private memory.
func (t *translator) memoryInst(in *Inst) bool {
	a := in.Op.mem
	if !a.dwords || in.loadsLDS() || in.mem.gds || in.mem.tfe {
		return false
	}
	if in.dst.kind == vectorReg && in.dst.reg >= accBase || a.write && in.src[1].kind != vectorReg {
		return false
	}
	x, wanted := &t.c.context, uintptr(0)
	switch {
	case in.form == DS && a.write:
		wanted = unsafe.Offsetof(x.sharedStores)
	case in.form == DS:
		wanted = unsafe.Offsetof(x.sharedLoads)
	case a.write:
		wanted = unsafe.Offsetof(x.stores)
	default:
		wanted = unsafe.Offsetof(x.loads)
	}
	switch in.form {
	case DS:
		t.dataShare(in, wanted)
	case FLAT:
		t.flat(in, wanted)
	case GLOBAL:
		t.global(in, wanted)
	case SCRATCH:
		return t.scratch(in)
	case MUBUF:
		return t.buffer(in)
	default:
		return false
	}
	return true
}

// routines are what translated code calls.
type routines struct{ offsets, greatest, load, store uintptr }

var routines512, routines256 routines

func init() {
	r := &routines512
	r.offsets, r.greatest, r.load, r.store = native.Routines()
	r = &routines256
	r.offsets, r.greatest, r.load, r.store = native.Routines256()
}

func (t *translator) routines() *routines {
	if t.octets {
		return &routines256
	}
	return &routines512
}

// masksFor brings where EXEC is in masks into RDX, for routines that want it.
func (t *translator) masksFor() {
	if t.octets {
		t.Lea(native.RDX, t.maskAt(0))
	}
}

func (t *translator) callRoutine(routine uintptr) {
	t.MovImm(native.RAX, uint64(routine))
	t.CallReg(native.RAX)
}

// dataShare accesses LDS. Lanes' places are their addresses themselves, if
// the greatest of them leaves room for the offset and the item.
func (t *translator) dataShare(in *Inst, wanted uintptr) {
	a := in.Op.mem
	first, second := uint32(in.simm), uint32(in.simm)
	if a.places != 0 {
		unit := uint32(a.places * a.size)
		first, second = first*unit, uint32(in.mem.offset1)*unit
	}
	bail := t.unlessDone(in, 0)
	row := int(in.src[0].reg)
	slot := t.greatestOf(row)
	x := &t.c.context
	t.OpMemImm(native.CMP, native.W32, t.field(wanted), 0)
	t.Jcc(native.NE, bail)
	t.Load(native.W64, native.RAX, t.field(unsafe.Offsetof(x.greatest)+uintptr(8*slot)))
	t.OpImm(native.ADD, native.W64, native.RAX, int32(max(first, second))+int32(a.size))
	t.OpMem(native.CMP, native.W64, native.RAX, t.field(unsafe.Offsetof(x.ldsSize)))
	t.Jcc(native.A, bail)
	at := rowAt(row)
	if in.dst.kind == vectorReg && row >= int(in.dst.reg) && row < int(in.dst.reg)+typDwords[in.dst.typ] {
		at = t.field(unsafe.Offsetof(x.at)) // a load may change the address
		t.copyRow(at, rowAt(row))
	}
	data := func(skip uint32) {
		t.Load(native.W64, native.RSI, t.field(unsafe.Offsetof(x.lds)))
		if skip != 0 {
			t.OpImm(native.ADD, native.W64, native.RSI, int32(skip))
		}
	}
	if a.write {
		t.moveRows(t.routines().store, at, &in.src[1], typDwords[in.src[1].typ], 0, first, data)
		if a.places != 0 {
			t.moveRows(t.routines().store, at, &in.src[2], typDwords[in.src[2].typ], 0, second, data)
		}
	} else if n := typDwords[in.dst.typ]; a.places == 0 {
		t.moveRows(t.routines().load, at, &in.dst, n, 0, first, data)
	} else {
		t.moveRows(t.routines().load, at, &in.dst, n/2, 0, first, data)
		t.moveRows(t.routines().load, at, &in.dst, n/2, n/2, second, data)
	}
	t.constants()
}

// copyRow copies all lanes of a row.
func (t *translator) copyRow(to, from native.Mem) {
	if t.octets {
		for o := range int32(octets) {
			t.V256(vmovdqu32, 0, 0, native.InMem(native.Mem{Base: from.Base, Disp: from.Disp + 32*o}))
			t.V256(vmovdqu32to, 0, 0, native.InMem(native.Mem{Base: to.Base, Disp: to.Disp + 32*o}))
		}
		return
	}
	for q := range int32(4) {
		t.V(vmovdqu32, 16, 0, native.InMem(native.Mem{Base: from.Base, Disp: from.Disp + 64*q}), 0)
		t.V(vmovdqu32to, 16, 0, native.InMem(native.Mem{Base: to.Base, Disp: to.Disp + 64*q}), 0)
	}
}

// greatestOf makes the context keep the greatest number of a row, and says
// where.
func (t *translator) greatestOf(row int) int {
	for i, r := range t.greatest {
		if r == row {
			return i
		}
	}
	slot := t.nextSlot % greatestSlots
	t.nextSlot++
	t.greatest[slot] = row
	t.Lea(native.RSI, rowAt(row))
	t.masksFor()
	t.callRoutine(t.routines().greatest)
	t.Store(native.W64, t.field(unsafe.Offsetof(t.c.context.greatest)+uintptr(8*slot)), native.RAX)
	return slot
}

func (t *translator) forgetGreatest() {
	for i := range t.greatest {
		t.greatest[i] = -1
	}
}

// moveRows moves n rows of an operand, from its row skipped on, to or from
// memory: data brings into RSI where byte skip of offset 0 is.
func (t *translator) moveRows(routine uintptr, at native.Mem, o *operand, n, skipped int, skip uint32,
	data func(skip uint32)) {
	for i := range n {
		row := int(o.reg) + skipped + i
		t.Lea(native.RDI, rowAt(row))
		data(skip + uint32(4*i))
		t.Lea(native.RCX, at)
		t.masksFor()
		t.callRoutine(routine)
		if routine == t.routines().load {
			t.changed(row)
		}
	}
}

// newSlot gives an instruction a memorySlot, whose fields the translation finds by field, and leaves the
// instruction to the interpreter if the context says that somebody wants to know of the access; behind bail
// the slot is filled, as while it knows no region.
func (t *translator) newSlot(in *Inst, wanted uintptr) (field func(uintptr) native.Mem, bail native.Label) {
	var s memorySlot
	t.slots = append(t.slots, memorySlot{in: in})
	slot := len(t.slots)
	bail = t.unlessDone(in, slot)
	t.OpMemImm(native.CMP, native.W32, t.field(wanted), 0)
	t.Jcc(native.NE, t.unlessDone(in, 0))
	field = func(offset uintptr) native.Mem {
		return native.Mem{Base: native.R13, Disp: int32(uintptr(slot-1)*unsafe.Sizeof(s) + offset)}
	}
	t.Load(native.W64, native.R13, t.field(unsafe.Offsetof(t.c.context.slots)))
	t.OpMemImm(native.CMP, native.W64, field(unsafe.Offsetof(s.data)), 0)
	t.Jcc(native.E, bail)
	return field, bail
}

// global accesses global memory, in the region that the instruction's slot
// knows.
func (t *translator) global(in *Inst, wanted uintptr) {
	var s memorySlot
	x := &t.c.context
	field, bail := t.newSlot(in, wanted)
	t.MovImm(native.R11, uint64(int64(in.simm)))
	row := int(in.src[0].reg)
	if in.mem.saddr.kind == scalarReg {
		t.OpMem(native.ADD, native.W64, native.R11, scalar(in.mem.saddr.reg))
		t.MovImm(native.RDX, 0)
	} else {
		t.Lea(native.RDX, rowAt(row+1))
	}
	t.OpMem(native.SUB, native.W64, native.R11, field(unsafe.Offsetof(s.base)))
	t.Load(native.W64, native.RCX, field(unsafe.Offsetof(s.limit)))
	t.Lea(native.RSI, rowAt(row))
	at := t.field(unsafe.Offsetof(x.at))
	t.Lea(native.RDI, at)
	t.MovImm(native.R12, uint64(t.routines().offsets))
	t.MovImm(native.RAX, ^uint64(0))
	t.CallReg(native.R12)
	t.constants()
	t.Test(native.W64, native.RAX, native.RAX)
	t.Jcc(native.NE, bail)
	data := func(skip uint32) {
		t.Load(native.W64, native.R13, t.field(unsafe.Offsetof(x.slots)))
		t.Load(native.W64, native.RSI, field(unsafe.Offsetof(s.data)))
		if skip != 0 {
			t.OpImm(native.ADD, native.W64, native.RSI, int32(skip))
		}
	}
	if in.Op.mem.write {
		t.moveRows(t.routines().store, at, &in.src[1], typDwords[in.src[1].typ], 0, 0, data)
	} else {
		t.moveRows(t.routines().load, at, &in.dst, typDwords[in.dst.typ], 0, 0, data)
	}
	t.constants()
}
