package gcn

import (
	"math"
	"math/bits"
	"unsafe"

	"simtgdb/simt"
	"simtgdb/simt/native"
)

// memoryInst makes the code of a load or store of dwords in LDS, global or
// private memory.
func (t *translator) memoryInst(in *Inst) bool {
	a := in.Op.mem
	if !a.dwords && a.narrow == nil || in.loadsLDS() || in.mem.gds || in.mem.tfe {
		return false
	}
	if in.mem.scaled && (in.form != GLOBAL || !in.signedOffset() || a.size&(a.size-1) != 0) {
		return false
	}
	if in.dst.isAcc() || a.write && in.src[1].kind != vectorReg {
		return false
	}
	wanted := t.wantedBy(in)
	switch in.form {
	case DS:
		t.dataShare(in, wanted)
	case FLAT:
		if in.mem.saddr.kind != noOperand {
			return false
		}
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

// wantedBy is the field of the context that says whether somebody wants to know of an access to LDS or to
// global memory.
func (t *translator) wantedBy(in *Inst) uintptr {
	switch write := in.Op.mem.write; {
	case in.form == DS && write:
		return unsafe.Offsetof(t.c.context.sharedStores)
	case in.form == DS:
		return unsafe.Offsetof(t.c.context.sharedLoads)
	case write:
		return unsafe.Offsetof(t.c.context.stores)
	}
	return unsafe.Offsetof(t.c.context.loads)
}

var (
	routines512, routines256       = native.Routines512(simt.MaxLanes), native.Routines256(simt.MaxLanes)
	routines512x32, routines256x32 = native.Routines512(laterWave), native.Routines256(laterWave)
)

// routines are what translated code calls.
func (t *translator) routines() *native.Routines {
	switch {
	case t.octets && t.lanes == laterWave:
		return &routines256x32
	case t.octets:
		return &routines256
	case t.lanes == laterWave:
		return &routines512x32
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
	unwatched := func() {
		t.unlessNoted(in, wanted, bail)
	}
	inside := func() {
		t.Load(native.W64, native.RAX, t.field(unsafe.Offsetof(t.c.context.greatest)+uintptr(8*slot)))
		t.OpImm(native.ADD, native.W64, native.RAX, int32(max(first, second))+int32(a.touched()))
		t.OpMem(native.CMP, native.W64, native.RAX, t.field(unsafe.Offsetof(t.c.context.ldsSize)))
		t.Jcc(native.A, bail)
	}
	shaped := a.narrow == nil && !a.write
	if !shaped {
		unwatched()
		inside()
	}
	if t.ordered && !a.write {
		t.tellLater(in, bail)
	}
	data := func(skip uint32) {
		t.Load(native.W64, native.RSI, t.field(unsafe.Offsetof(t.c.context.lds)))
		if skip != 0 {
			t.OpImm(native.ADD, native.W64, native.RSI, int32(skip))
		}
	}
	places := []uint32{first}
	if a.places != 0 {
		places = append(places, second)
	}
	general := func() {
		t.loadPlaces(in, row, places, data)
		t.constants()
	}
	switch {
	case a.narrow != nil:
		t.moveNarrow(in, rowAt(row), first, data)
	case a.write:
		for i, place := range places {
			o := &in.src[1+i]
			t.moveRows(t.routines().Store, rowAt(row), o, typDwords[o.typ], 0, place, data)
		}
	case shaped:
		t.loadShaped(in, row, slot, places, inside, unwatched, general)
		return
	default:
		general()
		return
	}
	t.constants()
}

// loadPlaces loads rows from LDS, as many from each place on.
func (t *translator) loadPlaces(in *Inst, row int, places []uint32, data func(skip uint32)) {
	at, first, all := rowAt(row), int(in.dst.reg), typDwords[in.dst.typ]
	if row >= first && row < first+all {
		at = t.field(unsafe.Offsetof(t.c.context.at)) // a load may change the address
		t.copyRow(at, rowAt(row))
	}
	n := all / len(places)
	for i, place := range places {
		t.moveRows(t.routines().Load, at, &in.dst, n, n*i, place, data)
	}
}

// touched is how many bytes of memory a translation touches.
func (a *access) touched() int {
	if a.narrow != nil && !a.write {
		return 4
	}
	return a.size
}

// copyRow copies all lanes of a row.
func (t *translator) copyRow(to, from native.Mem) {
	if t.octets {
		for o := range int32(t.parts) {
			t.V256(vmovdqu32, 0, 0, native.InMem(native.Mem{Base: from.Base, Disp: from.Disp + 32*o}))
			t.V256(vmovdqu32to, 0, 0, native.InMem(native.Mem{Base: to.Base, Disp: to.Disp + 32*o}))
		}
		return
	}
	for q := range int32(t.parts) {
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
	t.callRoutine(t.routines().Greatest)
	t.Store(native.W64, t.field(unsafe.Offsetof(t.c.context.greatest)+uintptr(8*slot)), native.RAX)
	t.shapeOf(row, slot)
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
		if routine == t.routines().Load {
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
	if in.form != SMEM { // whose slots see to that: most are of arguments, of which nobody wants to know
		t.unlessNoted(in, wanted, t.unlessDone(in, 0))
	}
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
	a, row := in.Op.mem, int(in.src[0].reg)
	places, greatest := rowAt(row), 0
	if in.mem.scaled {
		greatest = t.greatestOf(row)
	}
	field, bail := t.newSlot(in, wanted)
	if in.mem.scaled {
		most := t.field(unsafe.Offsetof(t.c.context.greatest) + uintptr(8*greatest))
		t.OpMemImm(native.CMP, native.W64, most, int32(1<<31/a.size-1)) // as mayScale has it
		t.Jcc(native.A, bail)
		places = t.scaledRow(row, a.size)
	}
	if a.size == 4 && a.write {
		t.cached(int(in.src[1].reg))
	}
	t.globalBase(in, field, bail)
	t.Lea(native.RSI, places)
	if a.size != 4 && (a.write || a.narrow != nil) {
		t.apart(in, field, bail)
		return
	}
	apart, done := t.NewLabel(), t.NewLabel()
	if a.size != 4 { // lanes' items overlap, or Side need not look
		t.Load(native.W32, native.RAX, native.Mem{Base: native.RSI, Disp: 4})
		t.OpMem(native.SUB, native.W32, native.RAX, native.Mem{Base: native.RSI})
		t.OpImm(native.CMP, native.W32, native.RAX, 4)
		t.Jcc(native.NE, apart)
	}
	t.OpImm(native.CMP, t.laneWidth(), regMask, -1)
	t.Jcc(native.NE, apart)
	t.MovImm(native.RAX, uint64(t.routines().Side))
	t.CallReg(native.RAX)
	t.Jcc(native.B, apart)
	t.OpMem(native.ADD, native.W64, native.RAX, field(unsafe.Offsetof(s.data)))
	loaded := t.sideBySide(in)
	t.Set(done)
	t.stubs = append(t.stubs, func() {
		t.Set(apart)
		t.apart(in, field, bail)
		for i, quad := range loaded {
			t.loadQuad(quad, int(in.dst.reg)+i)
		}
		t.Jmp(done)
	})
}

// globalBase brings into R11 and RDX what the routines add to the numbers in a row, less where the region
// begins, and the last place in it into RCX.
func (t *translator) globalBase(in *Inst, field func(uintptr) native.Mem, bail native.Label) {
	var s memorySlot
	t.MovImm(native.R11, uint64(int64(in.simm)))
	if in.mem.saddr.kind == scalarReg {
		if t.aimed {
			t.Load(native.W64, native.RAX, scalar(in.mem.saddr.reg))
			t.OpMem(native.SUB, native.W64, native.RAX, field(unsafe.Offsetof(s.base)))
			t.OpMem(native.CMP, native.W64, native.RAX, field(unsafe.Offsetof(s.limit)))
			t.Jcc(native.A, bail)
		}
		t.OpMem(native.ADD, native.W64, native.R11, scalar(in.mem.saddr.reg))
		t.MovImm(native.RDX, 0)
	} else {
		t.Lea(native.RDX, rowAt(int(in.src[0].reg)+1))
	}
	t.OpMem(native.SUB, native.W64, native.R11, field(unsafe.Offsetof(s.base)))
	t.Load(native.W64, native.RCX, field(unsafe.Offsetof(s.limit)))
	if in.signedOffset() && !in.mem.scaled { // unsignedIn, in code
		t.Mov(native.W64, native.RAX, native.RCX)
		t.Op(native.SUB, native.W64, native.RAX, native.R11)
		t.OpImm(native.CMP, native.W64, native.RAX, math.MaxInt32)
		t.Jcc(native.G, bail)
	}
}

// scaledRow makes the offsets of a row, which count items, those in bytes, and says where they are.
func (t *translator) scaledRow(row, size int) native.Mem {
	const z = 16
	to, n := t.field(unsafe.Offsetof(t.c.context.at)), byte(bits.TrailingZeros(uint(size)))
	for i := range int32(t.parts) {
		if t.octets {
			t.V256(vmovdqu32, 0, 0, native.InMem(octetAt(row, int(i))))
			t.V256(vpshiftd, shiftLeft, 0, native.InReg(0), n)
			t.V256(vmovdqu32to, 0, 0, native.InMem(native.Mem{Base: to.Base, Disp: to.Disp + 32*i}))
			continue
		}
		t.V(vpshiftd, shiftLeft, z, native.InMem(quarterAt(row, int(i))), 0, n)
		t.V(vmovdqu32to, z, 0, native.InMem(native.Mem{Base: to.Base, Disp: to.Disp + 64*i}), 0)
	}
	return to
}

// cached brings a row into a quad, where there are such.
func (t *translator) cached(row int) {
	if !t.octets {
		t.row(row)
		t.rows.unpin()
	}
}

// ahead is how far from what a wave accesses that is brought near which waves after it are likely to.
const ahead = 1024

// sideBySide moves a row to memory at RAX, or rows from there, each 4 bytes further on, and says which quads
// have them then.
func (t *translator) sideBySide(in *Inst) (loaded []int) {
	write, row := in.Op.mem.write, int(in.dst.reg)
	if write {
		row = int(in.src[1].reg)
	}
	for line := range int32(4 * t.lanes / 64) {
		t.Prefetch(native.Mem{Base: native.RAX, Disp: ahead + 64*line}, write)
	}
	n := in.Op.mem.size / 4
	there := func(bytes int) native.Operand {
		return native.InMem(native.Mem{Base: native.RAX, Disp: int32(bytes)})
	}
	switch {
	case t.octets:
		for i := range n * t.parts {
			at, o := i/t.parts, i%t.parts
			from, to := there(4*at+32*o), native.InMem(octetAt(row+at, o))
			if write {
				from, to = to, from
			}
			t.V256(vmovdqu32, 0, 0, from)
			t.V256(vmovdqu32to, 0, 0, to)
		}
	case write:
		z := t.row(row)
		for q := range t.parts {
			t.V(vmovdqu32to, z.at(q), 0, there(64*q), 0)
		}
	default:
		for i := range n {
			loaded = append(loaded, t.rows.take())
			for q := range t.parts {
				z := t.quad(loaded[i]).at(q)
				t.V(vmovdqu32, z, 0, there(4*i+64*q), 0)
				t.V(vmovdqu32to, z, 0, native.InMem(quarterAt(row+i, q)), 0)
			}
		}
	}
	t.rows.unpin()
	for i := 0; i < n && !write; i++ {
		t.changed(row + i)
	}
	for i, quad := range loaded {
		t.rows.row[quad] = row + i
	}
	return loaded
}

// apart is an access of lanes that may be anywhere. In R11 is what is added to the numbers in the rows at
// RSI and at RDX, if that is not 0, in RCX the last place.
func (t *translator) apart(in *Inst, field func(uintptr) native.Mem, bail native.Label) {
	var s memorySlot
	at := t.field(unsafe.Offsetof(t.c.context.at))
	t.Lea(native.RDI, at)
	t.MovImm(native.R12, uint64(t.routines().Offsets))
	t.MovImm(native.RAX, ^uint64(0))
	t.CallReg(native.R12)
	t.constants()
	t.Test(native.W64, native.RAX, native.RAX)
	t.Jcc(native.NE, bail)
	data := func(skip uint32) {
		t.Load(native.W64, native.R13, t.field(unsafe.Offsetof(t.c.context.slots)))
		t.Load(native.W64, native.RSI, field(unsafe.Offsetof(s.data)))
		if skip != 0 {
			t.OpImm(native.ADD, native.W64, native.RSI, int32(skip))
		}
	}
	data(0)
	t.bringNext(in, field)
	switch {
	case in.Op.mem.narrow != nil:
		t.moveNarrow(in, at, 0, data)
	case in.Op.mem.write:
		t.moveRows(t.routines().Store, at, &in.src[1], typDwords[in.src[1].typ], 0, 0, data)
	default:
		t.moveRows(t.routines().Load, at, &in.dst, typDwords[in.dst.typ], 0, 0, data)
	}
	t.constants()
}

// bringNext brings near what the next wave is likely to access by an instruction, if waves do so at even
// distances: of each quarter's first lane, whose place the context has. In RSI is where places begin.
func (t *translator) bringNext(in *Inst, field func(uintptr) native.Mem) {
	var s memorySlot
	place := func(q int) native.Mem { return t.field(unsafe.Offsetof(t.c.context.at) + uintptr(64*q)) }
	last := field(unsafe.Offsetof(s.last))
	t.Load(native.W32, native.RAX, place(0))
	t.Mov(native.W64, native.RCX, native.RAX)
	t.OpMem(native.SUB, native.W64, native.RCX, last)
	t.Store(native.W64, last, native.RAX)
	t.Op(native.ADD, native.W64, native.RCX, native.RSI)
	for q := range t.lanes / 16 {
		t.Load(native.W32, native.RAX, place(q))
		t.Op(native.ADD, native.W64, native.RAX, native.RCX)
		t.Prefetch(native.Mem{Base: native.RAX}, in.Op.mem.write)
	}
}
