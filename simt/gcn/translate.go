package gcn

import (
	"math"
	"math/bits"
	"slices"
	"sync"
	"unsafe"

	"simtgdb/simt"
	"simtgdb/simt/native"
	"simtgdb/simt/vec"
)

// A translator makes a region.
type translator struct {
	native.Assembler
	c    *Core
	mode uint32

	lanes     int    // of a wave
	parts     int    // of a row: quarters or octets
	octets    bool   // the host has not got AVX-512
	exact     bool   // quads have what lanes that are switched off hold as well
	octetPool int    // where pool has octetBits, and 1
	below     [2]int // and lanesBelow
	steps     int    // and the numbers of dwords side by side

	blocks  []*regionBlock
	byPlace map[codeAt]*regionBlock
	insts   int

	pool    []uint32 // constants
	poolAt  native.Label
	leave   native.Label // stores what registers hold of the context, and returns
	change  native.Label // goes on with the next wave of a team
	teams   bool         // which there is code for
	next    native.Label // begins the next wave of a series
	stubs   []func()
	slots   []memorySlot
	stood   []*Inst
	counted int // vector instructions that lanes have not been counted for
	place   int // instructions of the block that have been translated
	part    int // 1 or 2: the instruction of a pair that is being translated
	now     *regionBlock

	interludes []interlude
	ordered    bool    // somebody wants to know of what orders accesses
	valued     bool    // somebody follows values
	aimed      bool    // somebody wants to know of accesses that lead out of the region of their base
	calls      bool    // there are calls or returns
	isClosed   bool    // as region.closed
	foresees   bool    // there is code that sees itself whether waves do as is foreseen
	exits      []*exit // of the instruction that is being translated
	noted      []*Inst // those that code has told of together last

	lates    [][]*Inst        // loads of records
	together map[*Inst]uint32 // the bit of nativeContext.recorded that says that a load has a record
	groups   int              // such bits

	first    *source // what the first source of an instruction is, if not its operand
	rows     rowCache
	greatest [greatestSlots]int // the row whose greatest address is kept, or -1
	nextSlot int
}

// A regionBlock is the beginning of a block that a region has.
type regionBlock struct {
	*block
	count int    // instructions
	left  []bool // those that are left to the interpreter
	label native.Label

	// Where quads are exact: the rows that they have where other blocks lead to warm, and whether one does.
	warm             native.Label
	rows             [quads]int
	reached, emitted bool
}

// An exit is where an instruction leaves itself to the interpreter, and what
// is to be so when the region goes on.
type exit struct {
	resume native.Label
	rows   [quads]int
}

// newTranslator translates for waves of a core while MODE has certain bits.
func newTranslator(c *Core, mode uint32) *translator {
	t := &translator{c: c, mode: mode & regionMode, byPlace: map[codeAt]*regionBlock{},
		together: map[*Inst]uint32{}, lanes: c.isa.WaveSize(), octets: vec.Current() < vec.AVX512}
	t.parts = t.lanes / 16
	if t.octets {
		t.parts = t.lanes / 8
	}
	t.exact = !t.octets && t.lanes == laterWave
	t.rows.there = 16 / t.parts
	return t
}

// laneWidth is the width of what has a bit for each lane.
func (t *translator) laneWidth() native.Width { return t.lanes > 32 }

// laneShift is what multiplies by how many lanes there are.
func (t *translator) laneShift() uint8 { return uint8(bits.TrailingZeros(uint(t.lanes))) }

// translate makes the region that begins with a block; nil if there is none to be made.
func (c *Core) translate(b *block) *translation {
	t := newTranslator(c, c.r.S[regMode])
	if t.mode&modeGPRIndex != 0 {
		return nil
	}
	made := &translation{region: region{mode: t.mode}}
	alone := t.collect(b.at())
	if t.byPlace[b.at()] == nil && alone[b] {
		made.alone = append(made.alone, b.at()) // the interpreter runs it, and what follows may be translated
	}
	if len(t.blocks) == 0 {
		return made
	}
	follows := c.m.Follows()
	t.ordered, t.valued, t.aimed = c.m.Ordered(), follows.Values, follows.Objects
	for _, b := range t.blocks {
		t.calls = t.calls || b.insts[b.count-1].leads()
	}
	closed, longest := t.closed()
	t.isClosed = closed
	t.foresees = t.seesItself()
	code := t.emit()
	loaded, err := native.Load(code)
	if err != nil || t.octets && t.AVX512 { // the system forbids it, or the host has no such instructions
		c.native = false
		return nil
	}
	for i := range t.interludes {
		t.interludes[i].entry = loaded.At(t.Offset(t.interludes[i].label))
	}
	made.region = region{code: loaded, mode: t.mode, slots: t.slots, stood: t.stood, interludes: t.interludes,
		lates: t.lates}
	if made.closed, made.longest = closed, longest; closed {
		made.written = t.written()
	}
	made.insts = t.insts
	for _, rb := range t.blocks {
		made.blocks = append(made.blocks, translatedBlock{rb.at(), loaded.At(t.Offset(rb.label))})
		made.vectors = max(made.vectors, rb.vectors)
	}
	for b := range alone {
		made.alone = append(made.alone, b.at())
	}
	return made
}

// collect finds the blocks of the region, and those whose first instruction
// has no translation.
func (t *translator) collect(at codeAt) map[*block]bool {
	alone := map[*block]bool{}
	seen := map[codeAt]bool{}
	queue := []codeAt{at}
	for len(queue) > 0 && len(t.blocks) < maxRegionBlocks && t.insts < maxRegionInsts {
		at, queue = queue[0], queue[1:]
		if seen[at] {
			continue
		}
		seen[at] = true
		b := t.c.block(at)
		if b.err != nil {
			continue
		}
		left := t.take(b.insts)
		n := len(left)
		if n == 0 || b.breaks {
			if in := &b.insts[0]; in.Op.flow == simt.FlowNext || in.Op.flow == simt.FlowBarrier {
				alone[b] = n == 0
				queue = append(queue, in.behind())
			}
			continue
		}
		rb := &regionBlock{block: b, count: n, left: left, label: t.NewLabel(), warm: t.NewLabel()}
		t.blocks = append(t.blocks, rb)
		t.byPlace[at] = rb
		t.insts += n
		last := &b.insts[n-1]
		next := last.behind()
		if n < len(b.insts) {
			queue = append(queue, next)
			continue
		}
		switch last.Op.flow {
		case simt.FlowJump:
			queue = append(queue, last.leadsTo())
		case simt.FlowBranch:
			queue = append(queue, last.leadsTo(), next)
		case simt.FlowNext, simt.FlowBarrier, simt.FlowCall:
			queue = append(queue, next)
		}
	}
	for b := range alone {
		if !alone[b] {
			delete(alone, b)
		}
	}
	return alone
}

// take says how many of a block's instructions are for the region, and which
// of them are left to the interpreter.
func (t *translator) take(insts []Inst) (left []bool) {
	for i := range insts {
		in := &insts[i]
		can := (!in.told || in.later) && t.can(in)
		if left = append(left, !can); in.writesExec() { // after which it may have to leave
			break
		}
	}
	if !slices.Contains(left, false) && insts[len(left)-1].Op.ends() { // no more than an end, or a barrier
		return nil
	}
	return left
}

// can reports whether an instruction has a translation: it is tried.
func (t *translator) can(in *Inst) bool {
	if in.Op.flow == simt.FlowJump || in.Op.flow == simt.FlowBranch {
		return branchConditions()[in.Op.Name] != nil || in.Op.flow == simt.FlowJump && in.form == SOPP
	}
	if in.Op.ends() {
		return in.leads() || in.waits() || in.finishes()
	}
	alone := &regionBlock{block: &block{insts: []Inst{*in}}, count: 1}
	try := newTranslator(t.c, t.mode)
	try.now = alone
	try.leave, try.change, try.poolAt = try.NewLabel(), try.NewLabel(), try.NewLabel()
	try.rows.forget()
	try.forgetGreatest()
	return try.inst(in) && !(t.octets && try.AVX512)
}

// The registers that translated code keeps.
const (
	regV       = native.RBX // vector registers
	regS       = native.R8  // scalar ones
	regContext = native.R9
	regPool    = native.R10 // constants
	regBudget  = native.R14
	regMask    = native.R15 // EXEC, whose quarters are in K1 to K4

	// Vector registers with constants.
	zSign native.Z = 28 // the sign bit of every lane
	zOnes native.Z = 29
	zBits native.Z = 30 // 31: the bits of a shift's count that count
	zNaN  native.Z = 31 // the positive quiet NaN
)

func (t *translator) field(offset uintptr) native.Mem {
	return native.Mem{Base: regContext, Disp: int32(offset)}
}

// scalar is where a scalar register is.
func scalar(reg uint16) native.Mem { return native.Mem{Base: regS, Disp: 4 * int32(reg)} }

// constant is where a constant of 32 bits is.
func (t *translator) constant(v uint32) native.Mem {
	for i, p := range t.pool {
		if p == v {
			return native.Mem{Base: regPool, Disp: int32(4 * i)}
		}
	}
	t.pool = append(t.pool, v)
	return native.Mem{Base: regPool, Disp: int32(4 * (len(t.pool) - 1))}
}

// double is where a constant of 64 bits is.
func (t *translator) double(v float64) native.Mem {
	b := math.Float64bits(v)
	t.pool = append(t.pool, uint32(b), uint32(b>>32))
	return native.Mem{Base: regPool, Disp: int32(4 * (len(t.pool) - 2))}
}

// qword is where a constant of 64 bits is that is not a double, once.
func (t *translator) qword(v uint64) native.Mem {
	lo, hi := uint32(v), uint32(v>>32)
	for i := 0; i+1 < len(t.pool); i++ {
		if t.pool[i] == lo && t.pool[i+1] == hi {
			return native.Mem{Base: regPool, Disp: int32(4 * i)}
		}
	}
	t.pool = append(t.pool, lo, hi)
	return native.Mem{Base: regPool, Disp: int32(4 * (len(t.pool) - 2))}
}

// emit makes the code of all blocks.
func (t *translator) emit() []byte {
	t.leave, t.change, t.next, t.poolAt = t.NewLabel(), t.NewLabel(), t.NewLabel(), t.NewLabel()
	t.enter()
	for _, b := range t.blocks {
		t.emitBlock(b)
	}
	for len(t.stubs) > 0 { // a stub may need another
		stubs := t.stubs
		t.stubs = nil
		for _, s := range stubs {
			s()
		}
	}
	t.beginNext()
	t.changeMembers()
	t.Set(t.leave) // the PC is in RAX
	t.Store(native.W64, t.field(unsafe.Offsetof(t.c.context.pc)), native.RAX)
	t.Store(native.W64, t.field(unsafe.Offsetof(t.c.context.budget)), regBudget)
	t.Vzeroupper()
	t.Ret()
	for len(t.Code)%64 != 0 {
		t.Code = append(t.Code, 0xcc)
	}
	t.Set(t.poolAt)
	for _, v := range t.pool {
		t.Code = append(t.Code, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	}
	return t.Finish()
}

// enter makes the registers what blocks expect.
func (t *translator) enter() {
	t.Load(native.W64, regV, t.field(unsafe.Offsetof(t.c.context.vectors)))
	t.Load(native.W64, regS, t.field(unsafe.Offsetof(t.c.context.scalars)))
	t.Load(native.W64, regBudget, t.field(unsafe.Offsetof(t.c.context.budget)))
	t.Load(t.laneWidth(), regMask, scalar(regExec))
	t.LeaLabel(regPool, t.poolAt)
	t.quarters()
	t.constants()
	t.JmpMem(t.field(unsafe.Offsetof(t.c.context.entry)))
}

// quarters brings EXEC into the mask registers.
func (t *translator) quarters() {
	if t.octets {
		t.spread()
		return
	}
	t.quartersOf(regMask)
}

// quartersOf brings a mask of lanes into the mask registers.
func (t *translator) quartersOf(r native.Reg) {
	t.KmovTo64(1, r)
	for q := range native.K(t.parts - 1) {
		t.Kshiftr64(2+q, 1, uint8(16*(q+1)))
	}
}

// constants brings the constants into vector registers: again after a routine
// has used them.
func (t *translator) constants() {
	if t.octets {
		return
	}
	for i, v := range []uint32{1 << 31, ^uint32(0), 31, 0x7fc00000} {
		t.V(vpbroadcastd, zSign+native.Z(i), 0, native.InMem(t.constant(v)), 0)
	}
}

// emitBlock makes the code of a block.
func (t *translator) emitBlock(b *regionBlock) {
	t.Set(b.label)
	t.rows.forget()
	t.forgetGreatest()
	if b.reached {
		t.conform(b)
		t.rows.row = b.rows
	}
	t.Set(b.warm)
	t.now, t.counted, b.emitted = b, 0, true
	t.OpImm(native.SUB, native.W64, regBudget, int32(b.count))
	late := t.NewLabel()
	t.Jcc(native.S, late)
	t.stubs = append(t.stubs, func() { // the interpreter runs a part of the block
		t.Set(late)
		t.OpImm(native.ADD, native.W64, regBudget, int32(b.count))
		t.MovImm(native.RAX, b.pc)
		t.Jmp(t.leave)
	})
	for i := 0; i < b.count; {
		t.place = i
		if b.left[i] {
			n := stretch(b.left[i:], false)
			t.interlude(i, i+n)
			i += n
			continue
		}
		if i == 0 || b.left[i-1] {
			t.follows(b.insts[i : i+stretch(b.left[i:b.count], true)])
		}
		if s := t.segmentAt(b, i); s != nil {
			t.emitSegment(b, i, s)
			i = s.end
			continue
		}
		t.emitInst(b, i)
		i++
	}
	last := &b.insts[b.count-1]
	if b.count < len(b.insts) || !last.Op.ends() {
		next := last.behind()
		if last.writesExec() && !b.left[b.count-1] {
			t.recordChange(last, next.pc)
			t.joinLanes(last, next.pc)
		}
		t.goTo(next)
	}
}

// emitInst makes the code of instruction i of a block.
func (t *translator) emitInst(b *regionBlock, i int) {
	in := &b.insts[i]
	t.tellFirst(b, i)
	if in.Op.ends() {
		t.stands(b, i) // it goes away
		t.inst(in)
		return
	}
	t.inst(in)
	t.stands(b, i)
	if in.form >= VOP2 {
		t.counted++
	}
	t.resumeExits()
}

// interlude leaves instructions of the block to the interpreter.
func (t *translator) interlude(first, last int) {
	t.count(t.counted)
	t.counted = 0
	l := t.NewLabel()
	t.foreseeOrder(first, last, l)
	t.call(first, last, 0, false, l)
	t.Set(l)
	t.rows.forget()
	t.forgetGreatest()
}

// count adds to the lanes that executed those of the vector instructions since
// the last time.
func (t *translator) count(n int) {
	if n == 0 {
		return
	}
	t.Popcnt(native.W64, native.RAX, regMask)
	if n > 1 {
		t.ImulImm(native.W64, native.RAX, native.RAX, int32(n))
	}
	t.OpToMem(native.ADD, native.W64, t.field(unsafe.Offsetof(t.c.context.lanes)), native.RAX)
}

// goTo ends a block: it jumps to another of the region, or leaves.
func (t *translator) goTo(at codeAt) {
	t.count(t.counted)
	t.counted = 0
	t.jumpTo(at)
}

func (t *translator) jumpTo(at codeAt) {
	b := t.byPlace[at]
	if b == nil {
		t.MovImm(native.RAX, at.pc)
		t.Jmp(t.leave)
		return
	}
	if t.exact && !b.reached && !b.emitted {
		b.reached, b.rows = true, t.rows.row
	}
	t.conform(b)
	t.Jmp(b.warm)
}

// conform makes quads hold the rows that a block finds there.
func (t *translator) conform(b *regionBlock) {
	if !b.reached {
		return
	}
	for i, row := range b.rows {
		if row >= 0 && row != t.rows.row[i] {
			t.loadQuad(i, row)
		}
	}
}

// unlessDone is a label to jump to when the instruction is the interpreter's:
// nothing of it may have been done.
func (t *translator) unlessDone(in *Inst, slot int) native.Label {
	if in.writesExec() {
		return t.leaveBefore(in)
	}
	l, back, e := t.NewLabel(), t.NewLabel(), &exit{}
	b, place, part, uncounted := t.now, t.place, t.part, t.counted
	if in.form >= VOP2 {
		uncounted++
	}
	t.exits = append(t.exits, e)
	t.stubs = append(t.stubs, func() {
		t.now, t.part = b, part
		t.Set(l)
		if slot != 0 {
			t.StoreImm(native.W64, t.field(unsafe.Offsetof(t.c.context.slot)), int32(slot))
		}
		t.call(place, place+1, uncounted, true, back)
		t.part = 0
		t.Set(back)
		for i, row := range e.rows {
			if row >= 0 {
				t.loadQuad(i, row)
			}
		}
		t.Jmp(e.resume)
	})
	return l
}

// leaveBefore is a label to jump to where the region ends before an instruction.
func (t *translator) leaveBefore(in *Inst) native.Label {
	l := t.NewLabel()
	rest, counted := t.now.count-t.place, t.counted
	t.stubs = append(t.stubs, func() {
		t.Set(l)
		t.OpImm(native.ADD, native.W64, regBudget, int32(rest))
		t.count(counted)
		t.MovImm(native.RAX, in.PC)
		t.Jmp(t.leave)
	})
	return l
}

// setExec makes EXEC what RAX holds.
func (t *translator) setExec() {
	t.Mov(native.W64, native.RDX, native.RAX)
	this := 0 // the instruction counts with the EXEC that it finds
	if t.now.insts[t.place].form >= VOP2 {
		this = 1
	}
	t.count(t.counted + this)
	t.counted = -this
	t.Store(native.W64, t.field(unsafe.Offsetof(t.c.context.before)), regMask)
	t.Mov(native.W64, regMask, native.RDX)
	t.Store(t.laneWidth(), scalar(regExec), regMask)
	t.quarters()
	if !t.exact {
		t.rows.forget()
	}
	t.forgetGreatest()
}

// recordChange ends a block after an instruction that wrote EXEC: if that has changed and somebody wants to
// know where lanes are switched off, the change is noted, and if there is no room for another the region
// ends.
func (t *translator) recordChange(in *Inst, next uint64) {
	tracked, back := t.NewLabel(), t.NewLabel()
	t.OpMemImm(native.CMP, native.W32, t.field(unsafe.Offsetof(t.c.context.tracked)), 0)
	t.Jcc(native.NE, tracked)
	t.Set(back)
	counted := t.counted
	t.stubs = append(t.stubs, func() {
		t.Set(tracked)
		t.OpMem(native.CMP, native.W64, regMask, t.field(unsafe.Offsetof(t.c.context.before)))
		t.Jcc(native.E, back)
		t.noteChange(in)
		t.Jcc(native.NE, back)
		t.count(counted)
		t.MovImm(native.RAX, next)
		t.Jmp(t.leave)
	})
}

// noteChange adds to the changes of EXEC in the context. The flags are those of a comparison of how many
// there are and how many there may be.
func (t *translator) noteChange(in *Inst) {
	change := execChange{}
	field := func(offset uintptr) native.Mem {
		return native.Mem{Base: native.RCX, Disp: int32(unsafe.Offsetof(t.c.context.changes) + offset)}
	}
	t.Load(native.W64, native.RCX, t.field(unsafe.Offsetof(t.c.context.changed)))
	t.Op(native.ADD, native.W64, native.RCX, regContext)
	t.Load(native.W64, native.RAX, t.field(unsafe.Offsetof(t.c.context.before)))
	t.Store(native.W64, field(unsafe.Offsetof(change.before)), native.RAX)
	t.Store(native.W64, field(unsafe.Offsetof(change.after)), regMask)
	t.Load(native.W64, native.RAX, t.field(unsafe.Offsetof(t.c.context.stood)))
	t.Store(native.W64, field(unsafe.Offsetof(change.stood)), native.RAX)
	t.MovImm(native.RAX, in.PC)
	t.Store(native.W64, field(unsafe.Offsetof(change.writer)), native.RAX)
	t.StoreImm(native.W64, t.field(unsafe.Offsetof(t.c.context.stood)), 0)
	changed := t.field(unsafe.Offsetof(t.c.context.changed))
	t.OpMemImm(native.ADD, native.W64, changed, int32(unsafe.Sizeof(change)))
	t.OpMemImm(native.CMP, native.W64, changed, int32(unsafe.Sizeof(t.c.context.changes)))
}

// whileTracked leaves an instruction that reaches lanes of whole registers to
// the interpreter if somebody wants to know where lanes are switched off.
func (t *translator) whileTracked(in *Inst) {
	if in.Op.flag&whole == 0 || in.src[0].kind != constant {
		return
	}
	t.OpMemImm(native.CMP, native.W32, t.field(unsafe.Offsetof(t.c.context.tracked)), 0)
	t.Jcc(native.NE, t.unlessDone(in, 0))
}

// inst makes the code of an instruction; false if it has no translation.
func (t *translator) inst(in *Inst) bool {
	switch {
	case in.later:
		t.deferWait(t.now, t.place)
		return true
	case in.Op.idles() && !in.writesExec():
		return true
	case in.readsLDSDirect():
		return false
	case in.Op.flow == simt.FlowBranch || in.Op.flow == simt.FlowJump:
		t.branch(in)
		return true
	case in.leads():
		t.lead(in)
		return true
	case in.waits():
		t.wait(in)
		return true
	case in.finishes():
		t.finish(in)
		return true
	case in.pair != nil:
		return t.pairInst(in)
	case in.form == SMEM:
		return t.scalarLoad(in)
	case in.form < VOP2:
		return t.byForm(in)
	case in.fast != nil && t.octets:
		return t.octetInst(in)
	case in.fast != nil:
		return t.vectorInst(in)
	case in.Op.mem != nil:
		return t.memoryInst(in)
	}
	return t.byForm(in) || t.dppInst(in)
}

// branch ends a block with a jump or a branch.
func (t *translator) branch(in *Inst) {
	t.count(t.counted)
	t.counted = 0
	if test := branchConditions()[in.Op.Name]; test != nil {
		cond := test(t)
		taken := t.NewLabel()
		t.Jcc(cond, taken)
		t.jumpTo(in.behind())
		t.Set(taken)
	}
	t.jumpTo(in.leadsTo())
}

// branchConditions set the flags for a branch, and say when it is taken.
var branchConditions = sync.OnceValue(func() map[string]func(t *translator) native.Cond {
	return map[string]func(t *translator) native.Cond{
		"s_cbranch_scc0":   testSCC(native.E),
		"s_cbranch_scc1":   testSCC(native.NE),
		"s_cbranch_vccz":   testVCC(native.E),
		"s_cbranch_vccnz":  testVCC(native.NE),
		"s_cbranch_execz":  testExec(native.E),
		"s_cbranch_execnz": testExec(native.NE),
	}
})

func testSCC(c native.Cond) func(*translator) native.Cond {
	return func(t *translator) native.Cond {
		t.OpMemImm(native.CMP, native.W32, scalar(regSCC), 0)
		return c
	}
}

func testVCC(c native.Cond) func(*translator) native.Cond {
	return func(t *translator) native.Cond {
		t.OpMemImm(native.CMP, t.laneWidth(), scalar(regVCC), 0)
		return c
	}
}

func testExec(c native.Cond) func(*translator) native.Cond {
	return func(t *translator) native.Cond {
		t.Test(native.W64, regMask, regMask)
		return c
	}
}

// Translates reports whether there is a translation to code of the host for an instruction while MODE has
// certain bits: on hosts for which code is translated at all it is used.
func (a *ISA) Translates(in *Inst, mode uint32) bool {
	return newTranslator(&Core{isa: a}, mode).can(in)
}
