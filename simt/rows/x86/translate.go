package x86

import (
	"errors"
	"math/bits"
	"slices"
	"unsafe"

	"simtgdb/simt/native"
	"simtgdb/simt/rows"
	"simtgdb/simt/vec"
)

// The general registers that code keeps.
const (
	regRows    = native.RBX
	regMasks   = native.R8
	regContext = native.R9
	regPool    = native.R10
	regBudget  = native.R14
	regActive  = native.R15
)

// cached is how many vector registers hold rows; those behind them are for what an instruction needs.
// cachedQuads is that with AVX2.
const (
	cached      = 25
	cachedQuads = 11
)

// merged is a vector register for what is stored of a row of which not all lanes are active.
const merged native.Z = 31

type translator struct {
	native.Assembler
	pool   native.Pool
	poolAt native.Label
	leave  native.Label
	labels map[int32]native.Label
	stubs  []func()
	slots  []rows.Access
	notes  []rows.Note
	tells  []rows.Tell
	order  bool
	x      rows.Context
	s      scratch

	quads bool // code is for AVX2: see quads.go
	full  bool // all lanes are active
	quick *quick
	away  native.Label // of the quick way to the general one
	lanes int32        // of a part
	row   int32        // of a row

	plan rows.Plan // of the segment
	part int32
	held rows.Held
}

// errTooMany says that code is too large.
var errTooMany = errors.New("more code than is translated at once")

// mostCode bounds the bytes of a translation.
const mostCode = 1 << 22

// Translate makes code of units, which have been verified. With order, code goes to no instruction from
// rows.Context.Stop on, else not to that one. Rows have lanes: 8, 16, 32 or 64.
func Translate(units []rows.Unit, order bool, lanes int) (*rows.Code, error) {
	t := &translator{labels: map[int32]native.Label{}, order: order, lanes: 8, row: int32(lanes),
		held: rows.Held{Of: make([]rows.Holding, cached)}, pool: native.Pool{Base: regPool}}
	if vec.Current() == vec.AVX2 {
		t.quads, t.lanes, t.held.Of = true, 4, t.held.Of[:cachedQuads]
	}
	t.leave, t.poolAt = t.NewLabel(), t.NewLabel()
	for i := range units {
		t.labels[units[i].At] = t.NewLabel()
	}
	t.Load(native.W64, regRows, t.field(unsafe.Offsetof(t.x.Rows)))
	t.Load(native.W64, regMasks, t.field(unsafe.Offsetof(t.x.Masks)))
	t.Load(native.W64, regBudget, t.field(unsafe.Offsetof(t.x.Budget)))
	t.Load(native.W64, regActive, t.field(unsafe.Offsetof(t.x.Active)))
	t.LeaLabel(regPool, t.poolAt)
	t.JmpMem(t.field(unsafe.Offsetof(t.x.Entry)))
	for i := range units {
		t.unit(&units[i])
		if len(t.Code) > mostCode {
			return nil, errTooMany
		}
	}
	for i := 0; i < len(t.stubs); i++ { // there are more while some are made
		t.stubs[i]()
	}
	t.Set(t.leave)
	t.Store(native.W64, t.field(unsafe.Offsetof(t.x.At)), native.RAX)
	t.Store(native.W64, t.field(unsafe.Offsetof(t.x.Budget)), regBudget)
	t.Vzeroupper()
	t.Ret()
	for len(t.Code)%64 != 0 {
		t.Code = append(t.Code, 0xcc)
	}
	t.Set(t.poolAt)
	t.Code = append(t.Code, t.pool.Bytes...)
	loaded, err := native.Load(t.Finish())
	if err != nil {
		return nil, err
	}
	c := &rows.Code{Call: loaded.Call, Notes: t.notes, Tells: t.tells, Accesses: t.slots,
		Slots: make([]rows.Slot, len(t.slots)+1), Entry: map[int32]uintptr{}}
	for at, l := range t.labels {
		c.Entry[at] = loaded.At(t.Offset(l))
	}
	return c, nil
}

func (t *translator) field(offset uintptr) native.Mem {
	return native.Mem{Base: regContext, Disp: int32(offset)}
}

// own is field of a scratch.
func (t *translator) own(offset uintptr) native.Mem {
	return t.field(unsafe.Offsetof(t.x.Scratch) + offset)
}

// constant is where a number is.
func (t *translator) constant(v uint64) native.Mem { return t.pool.Qword(v) }

// counting is where eight numbers are, each a step more than the one before, from first times a step on.
func (t *translator) counting(first, step int) native.Mem {
	return t.pool.Numbers(8, 8, func(k int) uint64 { return uint64((first + k) * step) })
}

func (t *translator) rowAt(reg, part int32) native.Mem {
	if reg < 0 {
		return t.own(unsafe.Offsetof(t.s.temps) + uintptr(-1-reg)*unsafe.Sizeof(t.s.temps[0]))
	}
	return native.Mem{Base: regRows, Disp: 8*reg*t.row + 8*t.lanes*part}
}

// maskAt is where the byte of a part of eight lanes is in a mask.
func (t *translator) maskAt(n, part int32) native.Mem {
	return native.Mem{Base: regMasks, Disp: n*4*int32(rows.MaskWords(int(t.row))) + part}
}

// maskWidth is how much of a mask is read at once.
func (t *translator) maskWidth() native.Width {
	if t.row > 32 {
		return native.W64
	}
	return native.W32
}

// isFull compares the active lanes with all that there are.
func (t *translator) isFull() {
	if t.row >= 32 {
		t.OpImm(native.CMP, t.maskWidth(), regActive, -1)
		return
	}
	t.OpImm(native.CMP, native.W32, regActive, 1<<t.row-1)
}

// exit is a label that leaves for an instruction, with some of the unit that have been charged and not
// executed. miss is what is to be filled.
func (t *translator) exit(at, charged, run int32, miss int) native.Label {
	l := t.NewLabel()
	t.stubs = append(t.stubs, func() {
		t.Set(l)
		t.OpImm(native.ADD, native.W64, regBudget, charged)
		t.StoreImm(native.W64, t.field(unsafe.Offsetof(t.x.Go)), run)
		t.StoreImm(native.W64, t.field(unsafe.Offsetof(t.x.Miss)), int32(miss))
		t.MovImm(native.RAX, uint64(at))
		t.Jmp(t.leave)
	})
	return l
}

// goTo goes to the beginning of a block.
func (t *translator) goTo(at int32) {
	out := t.exit(at, 0, 0, 0)
	l, known := t.labels[at]
	if !known {
		t.Jmp(out)
		return
	}
	t.OpMemImm(native.CMP, native.W64, t.field(unsafe.Offsetof(t.x.Stop)), at)
	if t.order {
		t.Jcc(native.LE, out)
	} else {
		t.Jcc(native.E, out)
	}
	t.Jmp(l)
}

func (t *translator) unit(u *rows.Unit) {
	n := int32(len(u.Insts))
	t.Set(t.labels[u.At])
	if n := int32(u.Count(0)); n > 0 {
		t.OpImm(native.SUB, native.W64, regBudget, n)
		t.Jcc(native.S, t.exit(u.At, n, 0, 0))
	}
	for _, s := range rows.Cut(u) {
		t.segment(u, s)
	}
	end := u.At + n
	last := &u.Insts[n-1]
	switch last.Flow {
	case rows.Jump:
		t.goTo(last.Target)
	case rows.Branch:
		for c := range last.Cases() {
			t.condition(u, c.Cond.N)
			if c.Cond.Not {
				t.Not(t.maskWidth(), native.RAX)
			}
			none := t.NewLabel()
			t.Op(native.AND, native.W64, native.RAX, regActive)
			t.Jcc(native.E, none)
			t.Op(native.CMP, native.W64, native.RAX, regActive)
			t.Jcc(native.NE, t.parted(u))
			t.goTo(c.Target)
			t.Set(none)
		}
		if last.Guarded { // all lanes are off
			t.Popcnt(native.W64, native.RAX, regActive)
			t.OpToMem(native.ADD, native.W64, t.field(unsafe.Offsetof(t.x.Off)), native.RAX)
		}
		t.goTo(last.Else)
	default:
		if u.Go > 0 {
			t.Jmp(t.exit(end, 0, u.Go, 0))
			return
		}
		t.goTo(end)
	}
}

// parted leaves where lanes part behind a unit.
func (t *translator) parted(u *rows.Unit) native.Label {
	if u.Moved {
		return t.exit(u.At, 0, rows.Parted, 0)
	}
	return t.exit(u.At+int32(len(u.Insts))-1, 1, 1, 0)
}

// condition makes RAX a mask. What has just been written byte by byte is read so: a processor forwards what
// has been stored at once.
func (t *translator) condition(u *rows.Unit, n int32) {
	written := false
	for i := range u.Insts {
		for k := range u.Insts[i].Ops {
			o := &u.Insts[i].Ops[k]
			written = written || o.Kind == rows.Test && o.P == n
		}
	}
	if !written {
		t.Load(t.maskWidth(), native.RAX, t.maskAt(n, 0))
		return
	}
	t.gatherMask(n, 0, t.row/8, []native.Reg{native.RAX, native.RCX, native.RDX, native.RSI})
}

// gatherMask makes the first of some registers some bytes of a mask.
func (t *translator) gatherMask(n, first, some int32, in []native.Reg) {
	if some == 1 {
		t.Load8(in[0], t.maskAt(n, first))
		return
	}
	t.gatherMask(n, first, some/2, in)
	t.gatherMask(n, first+some/2, some/2, in[1:])
	t.ShiftImm(native.SHL, native.W64, in[1], uint8(4*some))
	t.Op(native.OR, native.W64, in[0], in[1])
}

// segment makes the code of a segment.
func (t *translator) segment(u *rows.Unit, s rows.Segment) {
	insts := u.Insts[s.First:s.Last]
	rest := int32(u.Count(s.First))
	run := int32(len(insts))
	if !t.plan.Make(insts) {
		t.Jmp(t.exit(u.At+int32(s.First), rest, run, 0))
		return
	}
	for _, kind := range t.plan.Kinds {
		least, given := int32(0), native.NE
		if !kind.Taken {
			least, given = 1, native.E
		}
		of := uintptr(8*int(kind.Space) + 4*kind.Write)
		t.OpMemImm(native.CMP, native.W32, t.field(unsafe.Offsetof(t.x.Wanted)+of), least)
		t.Jcc(given, t.exit(u.At+int32(s.First), rest, run, 0))
	}
	for g := range t.plan.Groups {
		t.check(g, u.At+int32(s.First), rest, run)
	}
	t.note(u, s, rest, run)
	if t.plan.Stores > 1 { // of one instruction: what one stores in any lane comes before what the next does
		for k := range insts[0].Ops {
			t.all(rows.Inst{Ops: insts[0].Ops[k : k+1], Guarded: insts[0].Guarded && k == 0,
				Guard: insts[0].Guard})
		}
		return
	}
	t.all(insts...)
}

// parts is how many there are of a row.
func (t *translator) parts() int32 { return t.row / t.lanes }

// begin makes the active lanes of a part a mask.
func (t *translator) begin() {
	switch {
	case t.full:
	case t.quads:
		t.maskOf(active256, t.activeAt(t.part/2), false)
	default:
		t.Kload8(1, t.activeAt(t.part))
	}
}

// all makes the code of instructions for one part of the lanes after the other: where all lanes are active,
// as they mostly are, without keeping what others have.
func (t *translator) all(insts ...rows.Inst) {
	some, done := t.NewLabel(), t.NewLabel()
	quick := t.quickly(insts)
	var general [mostParts]native.Label
	t.isFull()
	t.Jcc(native.NE, some)
	t.full, t.quick = true, quick
	t.eachPart(insts, &general)
	t.Jmp(done)
	t.Set(some)
	t.full, t.quick = false, quick.some()
	t.eachPart(insts, &general)
	t.Set(done)
	t.quick = nil
}

func (t *translator) eachPart(insts []rows.Inst, general *[mostParts]native.Label) {
	for t.part = range t.parts() {
		on := t.NewLabel()
		if !t.full && t.parts() > 1 {
			t.skip(on)
		}
		if t.quick != nil {
			t.away = t.goAway(insts, &general[t.part], on)
		}
		t.onePart(insts)
		t.Set(on)
	}
}

// skip goes on behind a part that has no active lanes: nothing in it would change.
func (t *translator) skip(on native.Label) {
	first := t.part * t.lanes
	t.Mov(native.W64, native.RAX, regActive)
	if first >= 32 {
		t.ShiftImm(native.SHR, native.W64, native.RAX, 32)
		first -= 32
	}
	t.OpImm(native.AND, native.W32, native.RAX, int32(uint32(1<<t.lanes-1)<<first))
	t.Jcc(native.E, on)
}

// onePart makes the code of a part.
func (t *translator) onePart(insts []rows.Inst) {
	all := t.held.Of
	defer func() { t.held.Of = all }()
	clear(t.held.Of)
	t.begin()
	if t.quick != nil {
		if t.quads {
			t.held.Of = t.held.Of[:t.quick.room256()]
		}
		t.beginQuick()
	}
	for i := range insts {
		if insts[i].Guarded {
			t.countOff(insts[i].Guard)
		}
		for k := range insts[i].Ops {
			t.op(&insts[i].Ops[k])
		}
		t.held.Drop(insts[i].Dead)
	}
	if t.quick != nil {
		t.endQuick()
	}
	for z := range t.held.Of {
		t.save(z)
	}
}

// countOff counts the lanes of the part that a guard switches off.
func (t *translator) countOff(guard rows.Mask) {
	guard.Not = !guard.Not
	if t.quads {
		t.under256(guard)
		t.V256(native.MovMskPD, native.Z(native.RAX), 0, native.InReg(under256))
	} else {
		t.on()
		t.under(5, guard, t.part)
		t.KmovFrom16(native.RAX, 5)
	}
	t.Popcnt(native.W32, native.RAX, native.RAX)
	t.OpToMem(native.ADD, native.W64, t.field(unsafe.Offsetof(t.x.Off)), native.RAX)
}

func (t *translator) activeAt(part int32) native.Mem {
	m := t.field(unsafe.Offsetof(t.x.Active))
	m.Disp += part
	return m
}

// check makes sure that the accesses of a group may be, and finds how lanes lie.
func (t *translator) check(i int, at, rest, run int32) {
	g := &t.plan.Groups[i]
	slot := t.field(unsafe.Offsetof(t.x.Shared))
	miss := 0
	switch g.Space {
	case rows.Private:
		slot = t.field(unsafe.Offsetof(t.x.Private))
	case rows.Global:
		t.slots = append(t.slots, g.Access())
		miss = len(t.slots)
		t.Load(native.W64, native.RSI, t.field(unsafe.Offsetof(t.x.Slots)))
		slot = native.Mem{Base: native.RSI, Disp: int32((miss - 1) * int(unsafe.Sizeof(rows.Slot{})))}
	}
	bail := t.exit(at, rest, run, miss)
	done := t.NewLabel()
	if g.Within.Hi > g.Within.Lo && !t.within(g, bail) {
		return
	}
	if g.Same {
		t.checkSame(i, slot, bail)
		return
	}
	t.checkAll(i, slot, done, t.plan.Groups[i].Size)
	if !t.plan.Groups[i].Write { // where all store to one place, one lane does after the other
		t.checkAll(i, slot, done, 0)
	}
	each, groups := t.NewLabel(), slices.Clone(t.plan.Groups)
	t.Jmp(each)
	t.Set(done)
	t.stubs = append(t.stubs, func() {
		t.Set(each)
		t.plan.Groups, t.full = groups, false
		if t.quads {
			t.check256(i, slot, bail)
		} else {
			t.checkEach(i, slot, bail)
		}
		t.Jmp(done)
	})
}

// fieldOf is a field of a slot.
func fieldOf(slot native.Mem, offset uintptr) native.Mem {
	return native.Mem{Base: slot.Base, Disp: slot.Disp + int32(offset)}
}

// checkEach is check lane by lane.
func (t *translator) checkEach(i int, slot native.Mem, bail native.Label) {
	g := &t.plan.Groups[i]
	var s rows.Slot
	t.Load(native.W64, native.RAX, fieldOf(slot, unsafe.Offsetof(s.Size)))
	t.OpImm(native.SUB, native.W64, native.RAX, int32(g.Hi-g.Lo))
	t.Jcc(native.B, bail)
	t.V(native.BroadcastR, 28, 0, native.InReg(native.Z(native.RAX)), 0)
	t.MovImm(native.RAX, uint64(g.Lo))
	t.OpMem(native.SUB, native.W64, native.RAX, fieldOf(slot, unsafe.Offsetof(s.Base)))
	t.V(native.BroadcastR, 29, 0, native.InReg(native.Z(native.RAX)), 0)
	t.Load(native.W64, native.RCX, fieldOf(slot, unsafe.Offsetof(s.Delta)))
	t.Store(native.W64, t.deltaAt(i), native.RCX)
	t.kk0(4)
	for t.part = range t.parts() {
		t.V(native.MovDQU64, 26, 0, native.InMem(t.rowAt(g.Reg, t.part)), 0)
		t.V(native.AddQ, 27, 26, native.InReg(29), 0)
		t.Kload8(5, t.activeAt(t.part))
		t.under(5, g.Under, t.part)
		t.V(native.CmpUQ, 6, 27, native.InReg(28), 5, 6)
		t.Kor8(4, 4, 6)
		t.V(native.TestMQ, 6, 26, native.Each(t.constant(uint64(g.Align-1))), 5)
		t.Kor8(4, 4, 6)
		t.V(native.BroadcastQ, 25, 0, native.InReg(26), 0)
		t.V(native.SubQ, 25, 26, native.InReg(25), 0)
		t.MovImm(native.RDX, anyhow)
		if g.Space != rows.Private {
			t.V(native.CmpUQ, 6, 25, native.InMem(t.counting(0, g.Size)), 5, 0)
			t.Kortest8(6, 6)
			t.lie(native.B, side)
		}
		t.V(native.CmpUQ, 6, 25, native.Each(t.constant(0)), 5, 0)
		t.Kortest8(6, 6)
		t.lie(native.B, same)
		t.Store(native.W32, t.howAt(i, t.part), native.RDX)
		t.first(i, slot)
	}
	t.Kortest8(4, 4)
	t.Jcc(native.NE, bail)
}

// first notes where the first lane of a part is on the host. RCX is what that is away from where it is.
func (t *translator) first(i int, slot native.Mem) {
	g := &t.plan.Groups[i]
	t.Load(native.W64, native.RDX, t.rowAt(g.Reg, t.part))
	if g.Space == rows.Private {
		slot.Disp += int32(unsafe.Offsetof(rows.Slot{}.Base))
		t.OpMem(native.SUB, native.W64, native.RDX, slot)
		t.ShiftImm(native.SHL, native.W64, native.RDX, t.dwordShift())
	}
	t.Op(native.ADD, native.W64, native.RDX, native.RCX)
	t.Store(native.W64, t.firstAt(i, t.part), native.RDX)
}

// lie makes RDX how lanes lie if a condition holds. It uses RAX.
func (t *translator) lie(c native.Cond, how uint64) {
	t.MovImm(native.RAX, how)
	t.Cmov(c, native.W32, native.RDX, native.RAX)
}

// within leaves to the machine accesses of a group that are not all where they are to be. It is false where
// that is so of any.
func (t *translator) within(g *rows.Span, bail native.Label) bool {
	room := g.Within.Hi - g.Within.Lo
	if t.quads || uint64(g.Hi-g.Lo) > room {
		t.Jmp(bail)
		return false
	}
	t.MovImm(native.RAX, room-uint64(g.Hi-g.Lo))
	t.V(native.BroadcastR, 28, 0, native.InReg(native.Z(native.RAX)), 0)
	t.MovImm(native.RAX, uint64(g.Lo)-g.Within.Lo)
	t.V(native.BroadcastR, 29, 0, native.InReg(native.Z(native.RAX)), 0)
	t.kk0(4)
	for q := range t.parts() {
		t.V(native.AddQ, 27, 29, native.InMem(t.rowAt(g.Reg, q)), 0)
		t.Kload8(5, t.activeAt(q))
		t.under(5, g.Under, q)
		t.V(native.CmpUQ, 6, 27, native.InReg(28), 5, 6)
		t.Kor8(4, 4, 6)
	}
	t.Kortest8(4, 4)
	t.Jcc(native.NE, bail)
	return true
}

// checkAll is check where all lanes are active and so many bytes apart: side by side, as they mostly do, or
// at one place. Others go on behind it. The slot may be in RSI.
func (t *translator) checkAll(i int, slot native.Mem, done native.Label, step int) {
	g := &t.plan.Groups[i]
	if g.Space == rows.Private || g.Under.N != rows.Always || step%g.Align != 0 {
		return
	}
	other := t.NewLabel()
	t.isFull()
	t.Jcc(native.NE, other)
	if t.quads {
		t.apart256(g, step, other)
	} else {
		t.apart(g, step, other)
	}
	t.checkOne(g, slot, int32(g.Hi-g.Lo)+(t.row-1)*int32(step), other)
	t.lieSo(i, step)
	t.Jmp(done)
	t.Set(other)
}

// lieSo notes where all parts of a group lie whose first lane is at RDX, with lanes so many bytes apart.
func (t *translator) lieSo(i, step int) {
	const first, at, how = 0, 1, 2
	ways := uint64(side)
	if step == 0 {
		ways = same
	}
	t.Mov(native.W64, native.RAX, native.RDX)
	t.eachOf(first)
	for q := int32(0); q < t.parts(); q += t.lanes {
		t.insOf(native.AddQ, at, first, native.InMem(t.counting(int(q), int(t.lanes)*step)))
		t.insOf(native.MovDQU64To, at, 0, native.InMem(t.firstAt(i, q)))
	}
	t.each(how, t.constant(ways<<32|ways))
	for q := int32(0); q < t.parts(); q += 2 * t.lanes {
		t.insOf(native.MovDQU64To, how, 0, native.InMem(t.howAt(i, q)))
	}
}

// checkOne makes RDX where the first lane of a group is on the host, or goes elsewhere if so many bytes from
// there on must not be.
func (t *translator) checkOne(g *rows.Span, slot native.Mem, size int32, other native.Label) {
	var s rows.Slot
	t.Load(native.W64, native.RAX, fieldOf(slot, unsafe.Offsetof(s.Size)))
	t.OpImm(native.SUB, native.W64, native.RAX, size)
	t.Jcc(native.B, other)
	t.Load(native.W64, native.RDX, t.rowAt(g.Reg, 0))
	t.Lea(native.RCX, native.Mem{Base: native.RDX, Disp: int32(g.Lo)})
	t.OpMem(native.SUB, native.W64, native.RCX, fieldOf(slot, unsafe.Offsetof(s.Base)))
	t.Op(native.CMP, native.W64, native.RCX, native.RAX)
	t.Jcc(native.A, other)
	t.Mov(native.W32, native.RAX, native.RDX)
	t.OpImm(native.AND, native.W32, native.RAX, int32(g.Align-1))
	t.Jcc(native.NE, other)
	t.OpMem(native.ADD, native.W64, native.RDX, fieldOf(slot, unsafe.Offsetof(s.Delta)))
}

// checkSame is check of a group whose lanes have one address.
func (t *translator) checkSame(i int, slot native.Mem, bail native.Label) {
	g := &t.plan.Groups[i]
	t.checkOne(g, slot, int32(g.Hi-g.Lo), bail)
	t.Store(native.W64, t.firstAt(i, 0), native.RDX)
}

// apart goes elsewhere if the places of a group are not so many bytes apart.
func (t *translator) apart(g *rows.Span, step int, other native.Label) {
	t.V(native.BroadcastQ, 26, 0, native.InMem(t.rowAt(g.Reg, 0)), 0)
	if step > 0 {
		t.V(native.AddQ, 26, 26, native.InMem(t.counting(0, step)), 0)
	}
	for q := range t.parts() {
		k := native.K(4)
		if q == 0 {
			k = 0
		} else if step > 0 {
			t.V(native.AddQ, 26, 26, native.Each(t.constant(uint64(t.lanes)*uint64(step))), 0)
		}
		t.V(native.CmpUQ, 4, 26, native.InMem(t.rowAt(g.Reg, q)), k, 0)
	}
	t.Kortest8(4, 4)
	t.Jcc(native.AE, other)
}

// on makes K5 the active lanes of a part.
func (t *translator) on() {
	if t.full {
		t.Kload8(5, t.activeAt(t.part))
	} else {
		t.Kmov8(5, 1)
	}
}

// dwordShift makes an address of private memory one of a row of all lanes' dwords.
func (t *translator) dwordShift() uint8 { return uint8(bits.TrailingZeros32(uint32(t.row))) }

// kk0 clears a mask register.
func (t *translator) kk0(k native.K) { t.Kxor8(k, k, k) }

func (t *translator) deltaAt(i int) native.Mem {
	return t.own(unsafe.Offsetof(t.s.delta) + uintptr(8*i))
}

// firstAt and howAt are where the place of a part is in memory.
func (t *translator) firstAt(i int, part int32) native.Mem {
	var p place
	return t.placeAt(i, unsafe.Offsetof(p.first)+uintptr(part)*unsafe.Sizeof(p.first[0]))
}

func (t *translator) howAt(i int, part int32) native.Mem {
	var p place
	return t.placeAt(i, unsafe.Offsetof(p.how)+uintptr(part)*unsafe.Sizeof(p.how[0]))
}

func (t *translator) placeAt(i int, offset uintptr) native.Mem {
	return t.own(unsafe.Offsetof(t.s.places) + uintptr(i)*unsafe.Sizeof(place{}) + offset)
}

// under confines a mask register to a mask. It uses K7.
func (t *translator) under(k native.K, m rows.Mask, part int32) {
	if m.N == rows.Always {
		return
	}
	t.Kload8(7, t.maskAt(m.N, part))
	if m.Not {
		t.Kandn8(k, 7, k)
		return
	}
	t.Kand8(k, 7, k)
}
