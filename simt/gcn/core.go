package gcn

import (
	"fmt"
	"math/bits"
	"slices"

	"simtgdb/simt"
	"simtgdb/simt/fidelity"
	"simtgdb/simt/gcn/hazards"
	"simtgdb/simt/vec"
)

// A block is a run of instructions that only its last one can leave.
type block struct {
	pc, end uint64
	high    highBits // that its first instruction finds
	insts   []Inst
	vectors int           // how many vector registers a wave must hold for it
	places  []int         // for a debugger: see placesOf
	hazards *blockHazards // nil while nobody looks for them
	branch  bool          // the last instruction sets the PC
	runs    int           // by the interpreter
	region  *region
	entry   uintptr // of region's code, where the block is
	alone   bool    // the first instruction has no translation, what follows may have one
	one     bool    // it is of one instruction, which somebody steps
	breaks  bool    // the first instruction has a breakpoint; no other has
	err     error   // why no instruction could be decoded at pc
}

// maxDecoded bounds how many instructions are kept, so that code which jumps everywhere cannot take all
// memory.
const maxDecoded = 1 << 17

// A Core executes waves. It implements simt.Core.
type Core struct {
	isa *ISA
	mem *simt.Memory
	m   *simt.Machine

	counted simt.Translation

	blocks  simt.Blocks[codeAt, block]
	gen     int
	decoded []Inst // room for those of a block until it is known how many they are
	next    *decoding

	w    *simt.Wave
	r    *Regs      // of w
	stop simt.Event // Kind is set by an instruction that the wave stops at

	blank, nothing uint64 // lanes: of a read that found nothing written, of a write of what is not
	lack           lack   // the same of each dword
	trial          partTrial

	hazards *hazards.Follower // nil until a wave enters a block that is looked through for them

	waitsKnown int

	follows *Inst // whose waits are followed, while it executes
	early   bool  // it came before what it needs, and the wave is to stop

	repeats bool // the instruction at the PC has waited in vain for what other waves do

	running *block          // whose instructions are executing
	stands  stands          // in code that is decoded
	swaps   map[uint64]bool // loads after which a compare-and-swap comes, or not

	region *simt.Region // where the last global access was
	memoryState

	x      lanes
	tmp    [8]Vector // broadcast scalars and modified sources, by source and dword
	out    [4]Vector // results that are to be merged under EXEC, or loaded on their way to LDS
	scaled [1]Vector // offsets in bytes, of instructions whose offsets count items

	native     bool // blocks that run often are translated
	valued     bool // somebody follows values
	whole      bool // somebody looks at whole blocks, also when they are stepped
	begun      begun
	warmRuns   int // how often a block runs before it is
	context    nativeContext
	regions    []*region
	translated int            // instructions in regions
	layout     int            // of global memory, when regions' slots were filled
	lates      simt.LateLoads // that translated code leaves records of
	bulk       bulk
	members    []member // room for those of a team
	turning    foreseeingTurns
	turns      []uint32 // how many instructions each turn of the last one had

	sources [4][]Vector // copies, by source: see sourceDwords

	change vec.Args    // of a source on its way
	at     vec.Offsets // of the lanes' items, for loads and stores of dwords

	copies [simt.MaxLanes * itemRoom]byte // see moveCopied

	images *imageState // nil until an image instruction executes
}

// Reuse implements simt.Reuser: blocks and their translations are of code and of the
// processor.
func (c *Core) Reuse(m *simt.Machine) bool {
	isa, ok := m.ISA().(*ISA)
	if !ok || m.Mem != c.mem || isa.Target != c.isa.Target || isa.WaveSize() != c.isa.WaveSize() {
		return false
	}
	c.isa, c.m, c.gen = isa, m, m.Generation()
	c.w, c.r, c.running, c.region, c.stop = nil, nil, nil, nil, simt.Event{}
	c.bulk.entry = nil
	c.turning.reset()
	return true
}

// Translation implements simt.Translator.
func (c *Core) Translation() simt.Translation { return c.counted }

// Run implements simt.Core.
func (c *Core) Run(w *simt.Wave, n uint64) simt.Event {
	if c.RunKind(w, n) == simt.NoEvent {
		return simt.Event{Kind: simt.NoEvent, Wave: w, PC: w.PC}
	}
	return c.stop
}

// Stopped implements simt.Stopper.
func (c *Core) Stopped() simt.Event { return c.stop }

// RunKind implements simt.Stopper.
func (c *Core) RunKind(w *simt.Wave, n uint64) simt.EventKind {
	c.w, c.r = w, regsOf(w)
	c.r.refresh(w)
	c.stop.Kind = simt.NoEvent
	c.refresh()
	c.observeWhat()
	c.turning.begin(w)
	for n > 0 {
		b := c.blocks.Recent[w.PC>>2&255]
		if at := (codeAt{w.PC, c.high()}); b == nil || b.at() != at {
			b = c.blockFor(at, n)
		}
		if b.err != nil {
			c.illegal(w.PC, b.err)
			return c.stop.Kind
		}
		if b.vectors > len(c.r.V) {
			c.r.hold(b.vectors)
		}
		if (b.breaks || w.SkipBreak) && c.atBreak(b) {
			return c.stop.Kind
		}
		if c.r.S[regMode]&modeGPRIndex != 0 || c.recordsExceptions() {
			n -= c.runFirst(b)
		} else if done := c.runTranslated(b, n); done > 0 || c.stop.Kind != simt.NoEvent {
			n -= done
		} else if b.alone {
			n -= c.runInsts(b, b.insts[:1])
		} else {
			if !b.one && n >= uint64(len(b.insts)) { // steps, as profiles make them, do not make a block hot
				c.hot(b)
			}
			n -= c.runInsts(b, b.insts[:min(n, uint64(len(b.insts)))])
		}
		if c.stop.Kind != simt.NoEvent {
			c.stop.Wave = w
			return c.stop.Kind
		}
		if c.repeats {
			n -= c.repeat(n)
		}
	}
	return simt.NoEvent
}

// refresh forgets what is not so any more.
func (c *Core) refresh() {
	if gen := c.m.Generation(); c.gen != gen {
		c.gen = gen
		c.forget()
	}
	if layout := c.mem.Layout(); c.layout != layout {
		c.layout = layout
		c.forgetPlaces()
	}
}

// runInsts executes the first instructions of a block, leaves the PC at the
// next one, and returns how many it executed.
func (c *Core) runInsts(b *block, insts []Inst) uint64 {
	w := c.w
	c.running = b
	c.turning.misses()
	lanes, done := uint64(0), len(insts)
	exec, active := w.Exec, uint64(bits.OnesCount64(w.Exec))
	for i := range insts {
		in := &insts[i]
		if in.form >= VOP2 {
			if w.Exec != exec {
				exec, active = w.Exec, uint64(bits.OnesCount64(w.Exec))
			}
			lanes += active
		}
		in.exec(c, in)
		if c.stop.Kind != simt.NoEvent {
			if done = c.stopped(in, i); done == i && in.form >= VOP2 {
				lanes -= active // it has not executed
			}
			break
		}
	}
	if done == len(insts) && c.stop.Kind == simt.NoEvent {
		switch {
		case done < len(b.insts):
			w.PC = b.insts[done].PC
		case !b.branch:
			w.PC = b.end
		}
	}
	if b.places != nil && done > 0 {
		c.r.lanes.ran(b, done-1)
	}
	w.Insts += uint64(done)
	w.LaneInsts += lanes
	return uint64(done)
}

// runFirst executes a block's first instruction, with its vector registers
// displaced if MODE says so, and its exceptions recorded if they count.
func (c *Core) runFirst(b *block) uint64 {
	displaced, raising := c.r.S[regMode]&modeGPRIndex != 0, c.recordsExceptions()
	if !displaced && !raising {
		return c.runInsts(b, b.insts[:1])
	}
	in := b.insts[0]
	if displaced {
		var ok bool
		in, ok = c.indexed(&b.insts[0])
		c.r.hold(in.vectors())
		if !ok {
			in.exec = pastRegisters
		}
	}
	one := block{pc: in.PC, end: in.PC + uint64(in.Size), insts: []Inst{in}, branch: in.Op.ends()}
	if raising {
		return c.runRaising(&one)
	}
	return c.runInsts(&one, one.insts)
}

// stopped puts the PC where the event wants it: at an instruction that could
// not run, else after it. It returns how many of the block's instructions
// have run.
func (c *Core) stopped(in *Inst, i int) int {
	c.stop.PC = in.PC
	if c.stop.Kind == simt.FaultEvent {
		c.w.PC = in.PC
		return i
	}
	if c.stop.Kind == simt.BarrierEvent && c.r.barrier.stands { // which executes the instruction again
		return i + 1
	}
	if c.stop.Kind != simt.WatchEvent || !in.Op.ends() { // what ends a block has set it
		c.w.PC = in.PC + uint64(in.Size)
	}
	return i + 1
}

// atBreak reports whether the wave must stop before the block's first
// instruction; a wave with no active lane does not.
func (c *Core) atBreak(b *block) bool {
	w := c.w
	skip := w.SkipBreak
	w.SkipBreak = false
	if skip || !c.m.HasBreakpoint(b.pc) || w.Active() == 0 {
		return false
	}
	c.stop = simt.Event{Kind: simt.BreakEvent, Wave: w, PC: w.PC, Lanes: w.Active()}
	return true
}

// block returns the block at a place, decoding it the first time.
func (c *Core) block(at codeAt) *block {
	b := c.blocks.Find(at)
	if b == nil {
		if c.blocks.Kept() > maxDecoded {
			c.forget()
		}
		b = c.decodeBlock(at, simt.MaxBlock)
		c.blocks.Add(at, b, len(b.insts))
	}
	c.blocks.Recent[at.pc>>2&255] = b
	return b
}

// blockFor returns the block at a place, of which so many instructions are to be executed: one alone if
// that is all and the block has not been decoded, since who steps wants the next one next.
func (c *Core) blockFor(at codeAt, n uint64) *block {
	if n > 1 || c.whole || c.blocks.Find(at) != nil {
		return c.block(at)
	}
	b := c.blocks.One(at)
	if b == nil {
		if c.blocks.Kept() > maxDecoded {
			c.forget()
		}
		b = c.decodeBlock(at, 1)
		b.one = true
		c.blocks.AddOne(at, b)
	}
	return b
}

// forget throws all decoded blocks away.
func (c *Core) forget() {
	c.blocks.Forget()
	clear(c.stands[:])
	clear(c.swaps)
	c.translated, c.regions, c.hazards = 0, nil, nil
	c.bulk, c.asked = bulk{}, 0
	c.turning.reset()
	c.waitsKnown = 0
	c.follow()
}

// follow finds out how code is to be decoded and executed.
func (c *Core) follow() {
	follows := c.m.Follows()
	c.native, c.valued, c.whole = c.translates(), follows.Values, follows.Undefined
}

// decodeBlock decodes up to so many instructions from a place on.
func (c *Core) decodeBlock(at codeAt, most int) *block {
	pc, high, insts := at.pc, at.high, c.decoded[:0]
	b := &block{pc: pc, high: high, end: pc}
	r := c.mem.Find(pc)
	if r == nil || r.Perm&simt.PermExec == 0 || pc&3 != 0 {
		b.err = &DecodeError{PC: pc, Why: "no code is mapped here"}
		return b
	}
	code := r.Data[pc-r.Base:]
	b.breaks = c.m.HasBreakpoint(pc)
	audit, follows := fidelity.Of(c.m), c.m.Follows()
	follows.Waits = c.wantsWaits(follows)
	for len(insts) < most && !b.branch && (b.end == pc || !c.m.HasBreakpoint(b.end)) {
		in, err := c.decoding(audit != nil).decode(c.isa, code[b.end-pc:], codeAt{b.end, high})
		if err != nil {
			if len(insts) == 0 {
				b.err = err
			}
			break
		}
		if c.m.Ordered() {
			in.ordered(c.m.Track)
		}
		if behind := b.end + uint64(in.Size); follows.Values {
			c.isa.findBack(in, code[behind-pc:], codeAt{behind, in.after()})
		}
		for _, part := range in.parts() {
			if follows.Values || follows.Waits {
				part.exec = part.followed(follows.Values, follows.Waits, cutBefore(insts, part))
				in.told = in.told || follows.Values && part.followedAlone()
			}
			if follows.Objects && c.aimed(part) {
				in.told, part.clause = true, inClauseOf(insts, part)
			}
			if follows.Undefined {
				if judged := part.judged(insts); judged != nil {
					part.exec, in.told, in.later = judged, true, false
				}
			}
			if follows.NaN {
				part.exec = part.noticed()
			}
		}
		if audit != nil {
			in.exec = in.audited(audit)
		}
		insts = append(insts, *in)
		b.vectors = max(b.vectors, in.vectors())
		b.end += uint64(in.Size)
		b.branch, high = in.Op.ends(), in.after()
	}
	c.decoded, b.insts = insts, slices.Clone(insts)
	if follows.Undefined && len(b.insts) > 0 {
		b.tellEarly()
	}
	if c.m.Track {
		b.places = c.placesOf(b.insts)
	}
	return b
}

// decoding is what decodes the next instruction: what decoded the last, unless somebody keeps that one.
func (c *Core) decoding(kept bool) *decoding {
	if c.next == nil || kept {
		c.next = &decoding{}
	}
	return c.next
}

// inClauseOf reports whether an instruction that comes after
// some of its block is in a clause that one of them
// begins. LLVM makes a bundle of a clause, and of a bundle the
// line table has one place (SIInsertHardClauses).
func inClauseOf(before []Inst, in *Inst) bool {
	for i := range before {
		if first := &before[i]; first.Op.Name == "s_clause" &&
			len(before)-i-1 <= int(first.simm&clauseLength) {
			return true
		}
	}
	return false
}

// clauseLength are the bits of s_clause that say how many instructions follow the next one.
const clauseLength = 63

// aimed reports whether somebody wants to know of all accesses of an instruction, by what it is meant for.
func (c *Core) aimed(in *Inst) bool {
	write := in.Op.mem != nil && in.Op.mem.write
	return (in.form == SMEM || in.form >= DS) && c.m.Aimed(in.PC, write)
}

func (c *Core) illegal(pc uint64, err error) simt.Event {
	f := simt.Fault{Kind: simt.IllegalInstruction, Lanes: c.w.Active(), Addr: pc, Text: err.Error()}
	if c.r.jump.to == pc {
		f.From = c.r.jump.from
	}
	c.fault(f)
	c.stop.Wave, c.stop.PC = c.w, pc
	return c.stop
}

// fault stops the wave at the current instruction, which must not have
// changed anything.
func (c *Core) fault(f simt.Fault) {
	c.w.State = simt.Faulted
	if f.Lanes == 0 { // no lane is active: blame the first
		f.Lanes = c.w.Valid & -c.w.Valid
	}
	c.stop = simt.Event{Kind: simt.FaultEvent, Lanes: f.Lanes, Fault: &f}
}

// unknown is the semantics of rows that have none.
func unknown(c *Core, in *Inst) {
	text := in.String() + " is not simulated"
	if on := c.isa.Target; in.form == MIMG && in.Op.image != nil && !HasImages(on.String()) {
		text = fmt.Sprintf("%v: %v has no instructions for images", in, on)
	}
	c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: c.w.Exec, Addr: in.PC, Text: text})
}

// prepare chooses what executes a decoded instruction.
func (in *Inst) prepare() {
	op := in.Op
	switch {
	case in.readsLDSDirect(), in.past:
		in.exec = unknown
	case in.pair != nil:
		in.exec = runPair
	case op.run != nil:
		in.exec = op.run
	case op.vec != nil:
		in.exec = in.vectorExec()
		in.fastExec()
	case op.mem != nil:
		in.exec = in.memoryExec()
		in.fastMemory()
	case op.typed != nil && !in.mem.lds:
		in.exec = runTyped
	default:
		in.exec = unknown
	}
	if in.writesExec() {
		in.exec, in.next = runExecWrite, in.exec
	}
	if in.loadsLDS() {
		in.exec, in.next = runToLDS, in.exec
	}
	if in.mem.tfe && in.dst.kind == vectorReg && in.image == nil {
		in.exec, in.next = runWithStatus, in.exec
	}
}

// vectors is how many vector registers a wave must hold for the instruction:
// all up to the last that it names, and those that follow an operand without
// being part of its type.
func (in *Inst) vectors() int {
	const following = 2 // the second register of an address, the status of a load
	n := 0
	named := func(o *operand) {
		if o.kind == vectorReg {
			n = max(n, int(o.reg)+max(typDwords[o.typ], 1)+following)
		}
	}
	named(&in.dst)
	for i := range in.src {
		named(&in.src[i])
	}
	if in.pair != nil {
		return max(in.pair[0].vectors(), in.pair[1].vectors())
	}
	if in.image != nil {
		named(&in.sdst)
		for _, r := range in.image.at {
			n = max(n, int(r)+1)
		}
	}
	if in.mod != nil && in.mod.scales != nil {
		named(&in.mod.scales[0])
		named(&in.mod.scales[1])
	}
	return min(n, vectorFile)
}

// s32 fetches a 32-bit scalar source.
func (c *Core) s32(o *operand) uint32 {
	switch o.kind {
	case scalarReg:
		return c.r.S[uint8(o.reg)]
	case constant:
		return uint32(o.imm)
	}
	return c.special(o)
}

// s64 fetches a 64-bit scalar source.
func (c *Core) s64(o *operand) uint64 {
	switch o.kind {
	case scalarReg:
		return pair(c.r, uint8(o.reg))
	case constant:
		return o.imm
	}
	return uint64(c.special(o))
}

// special fetches vccz or execz: there are no others here. It is as short as it
// is so that s32 is inlined, which scalar instructions feel.
func (c *Core) special(o *operand) uint32 {
	mask := c.w.Exec
	if o.reg == srcVCCZ {
		mask = c.laneMask(regVCC)
	}
	if mask == 0 {
		return 1
	}
	return 0
}
