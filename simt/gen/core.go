package gen

import (
	"slices"
	"strings"

	"simtgdb/simt"
	"simtgdb/simt/contents"
	"simtgdb/simt/fidelity"
	"simtgdb/simt/rows/regions"
)

// A runner executes an instruction.
type runner func(c *Core, in *Inst)

// A block is a run of instructions of which only the last one sets the PC.
type block struct {
	pc, end uint64
	insts   []Inst
	branch  bool // the last instruction sets the PC
	breaks  bool // the first instruction has a breakpoint; no other has
	err     error

	native *loaded    // what has row code that begins with it; see native.go
	free   bool       // whatever the floating-point control is
	entry  [2]uintptr // where its code is, of the ways that it has been asked for
	runs   uint8
	one    bool // it is of one instruction, which somebody steps
	ahead  int  // how many instructions come before one at which row code begins
}

// maxDecoded bounds how many instructions are kept, so that code which jumps everywhere cannot take all
// memory.
const maxDecoded = 1 << 16

// A Core executes threads. It implements simt.Core.
type Core struct {
	isa *ISA
	mem *simt.Memory
	m   *simt.Machine

	blocks simt.Blocks[uint64, block]
	gen    int
	hinted bool // code has dependency hints

	native *translation
	bulk   bulk

	decoded []Inst // room for those of a block until it is known how many they are

	followed bool // somebody wanted to know more of an instruction in a block

	w     *simt.Wave
	r     *Regs      // of w
	stop  simt.Event // Kind is set by an instruction that the thread stops at
	lanes uint64     // elements computed

	x        operands
	state    regions.State // of what is row code
	moved    row           // of which some channels take theirs
	indirect [4]access     // of the sources and the destination that are indirect
	msg      msg
	images   *imageState

	want   simt.Interest
	beside simt.Interest // without snapshots
	apart  simt.Interest // of what translated code does
	access struct {      // under way
		simt.Access
		addr [simt.MaxLanes]uint64
	}
	beginning *known // of threads; nil: nobody has asked
	asked     uint64 // when observers were asked: see [simt.Machine.SteadyAt]
	valued    bool   // what has contents is followed
	keeps     bool   // there are snapshots, which must know of stores
	values    values
	follower  contents.Follower
	tracker   *fidelity.Tracker // of where values come from, while somebody wants to know; see origins.go
	trace     fidelity.Follower
	traced    traced
	lacking   lacking
	counted   simt.Translation
	telling   telling
	turning   foreseenTurns
}

// Reuse implements simt.Reuser: blocks are of code, and of what nobody follows.
func (c *Core) Reuse(m *simt.Machine) bool {
	isa, ok := m.ISA().(*ISA)
	if !ok || m.Mem != c.mem || m.Follows() != (simt.Following{}) || c.followed {
		return false
	}
	c.isa, c.m, c.gen = isa, m, m.Generation()
	c.w, c.r, c.stop = nil, nil, simt.Event{}
	c.turning = foreseenTurns{}
	return true
}

// Translation implements simt.Translator.
func (c *Core) Translation() simt.Translation { return c.counted }

// observeWhat finds out what observers want to know of a wave.
func (c *Core) observeWhat(w *simt.Wave) {
	at := c.m.SteadyAt(w)
	if at != 0 && at == c.asked {
		return
	}
	c.asked = at
	c.m.Interests(w, &c.want, &c.beside)
	follows := c.m.Follows()
	if c.valued = follows.Values; c.valued {
		c.want, c.beside = simt.Everything(), simt.Everything()
	}
	if c.apart = c.beside; c.valued || follows.Objects {
		c.m.InterestsAnywhere(w, &c.apart)
	}
	c.notes()
}

// Run implements simt.Core.
func (c *Core) Run(w *simt.Wave, n uint64) simt.Event {
	if c.RunKind(w, n) == simt.NoEvent {
		return simt.Event{Kind: simt.NoEvent, Wave: w, PC: w.PC}
	}
	return c.stop
}

// RunKind implements simt.Stopper.
func (c *Core) RunKind(w *simt.Wave, n uint64) simt.EventKind {
	c.stop = simt.Event{}
	c.begin(w)
	c.turning.begin(w)
	c.run(n)
	c.refresh(w.PC)
	if c.stop.Kind != simt.NoEvent {
		c.stop.Wave = w
		c.turning.stopped(c.stop)
	}
	return c.stop.Kind
}

// Stopped implements simt.Stopper.
func (c *Core) Stopped() simt.Event { return c.stop }

// begin makes the core one that runs a thread, as those who look on want it.
func (c *Core) begin(w *simt.Wave) {
	c.w, c.r = w, regsOf(w)
	if gen := c.m.Generation(); c.gen != gen {
		c.gen = gen
		c.forget()
	}
	c.tracker = fidelity.Of(c.m)
	c.observeWhat(w)
	c.keeps = c.want.In(simt.Global, true) && c.mem.Keeps()
}

// run executes up to n instructions, up to the first that the thread stops at.
func (c *Core) run(n uint64) {
	w, translates := c.w, c.translates()
	for n > 0 && c.stop.Kind == simt.NoEvent {
		b := c.blocks.Recent[w.PC>>3&255]
		if b == nil || b.pc != w.PC {
			b = c.blockFor(w.PC, n)
		}
		switch {
		case b.err != nil:
			c.illegal(w.PC, b.err)
		case b.breaks || w.SkipBreak:
			if !c.atBreak(b) {
				n -= c.runInsts(b, b.insts[:1])
			}
		case translates && !b.one && c.enter(b):
			n -= c.runTranslated(b, n)
		default:
			n -= c.runInsts(b, b.insts[:min(n, uint64(b.ahead))])
		}
	}
}

// runInsts executes the first instructions of a block, leaves the PC at the
// next one, and returns how many it executed.
func (c *Core) runInsts(b *block, insts []Inst) uint64 {
	w, r := c.w, c.r
	done := len(insts)
	c.lanes = 0
	for i := range insts {
		in := &insts[i]
		if uint32(in.PC) == r.wake {
			w.PC = in.PC
			r.arrive(w)
			if c.m.Ordered() {
				c.inStep()
			}
		}
		before := c.lanes
		in.exec(c, in)
		if in.noMask {
			c.lanes = before // the thread's, not its lanes'
		}
		if c.stop.Kind != simt.NoEvent {
			if done = c.stopped(b, i); done == i {
				c.lanes = before // it has not executed
			}
			break
		}
	}
	if c.stop.Kind == simt.NoEvent {
		switch {
		case done < len(b.insts):
			c.jump(uint32(b.insts[done].PC))
		case !b.branch:
			c.jump(uint32(b.end))
		}
	}
	w.Insts += uint64(done)
	w.LaneInsts += c.lanes
	return uint64(done)
}

// stopped puts the PC where the event wants it: at an instruction that could
// not run, else after it. It returns how many of the block's instructions
// have run.
func (c *Core) stopped(b *block, i int) int {
	in := &b.insts[i]
	c.stop.PC = in.PC
	if c.stop.Kind == simt.FaultEvent {
		c.w.PC = in.PC
		return i
	}
	if !b.branch || i < len(b.insts)-1 {
		c.jump(in.after())
	}
	return i + 1
}

// atBreak reports whether the thread must stop before the block's first
// instruction; one with no active channel does not.
func (c *Core) atBreak(b *block) bool {
	w := c.w
	skip := w.SkipBreak
	w.SkipBreak = false
	if skip || !c.m.HasBreakpoint(b.pc) || w.Active() == 0 {
		return false
	}
	c.stop = simt.Event{Kind: simt.BreakEvent, PC: w.PC, Lanes: w.Active()}
	return true
}

// block returns the block at a PC, decoding it the first time.
func (c *Core) block(pc uint64) *block {
	b := c.blocks.Find(pc)
	if b == nil {
		if c.blocks.Kept() > maxDecoded {
			c.forget()
		}
		b = c.decodeBlock(pc, simt.MaxBlock)
		c.link(b)
		c.blocks.Add(pc, b, len(b.insts))
	}
	c.blocks.Recent[pc>>3&255] = b
	return b
}

// blockFor returns the block at a PC, of which so many instructions are to be executed: one alone if that
// is all and the block has not been decoded, since who steps wants the next one next.
func (c *Core) blockFor(pc, n uint64) *block {
	if n > 1 || c.blocks.Find(pc) != nil {
		return c.block(pc)
	}
	b := c.blocks.One(pc)
	if b == nil {
		if c.blocks.Kept() > maxDecoded {
			c.forget()
		}
		b = c.decodeBlock(pc, 1)
		b.one, b.ahead = true, len(b.insts)
		c.blocks.AddOne(pc, b)
	}
	return b
}

// forget throws all decoded blocks away.
func (c *Core) forget() {
	c.blocks.Forget()
	c.native, c.bulk.known = nil, false
}

// decodeAt decodes the instruction at an address.
func (c *Core) decodeAt(pc uint64) (*Inst, error) {
	in := &Inst{}
	return in, c.decode(in, pc)
}

// decode decodes the instruction at an address in the place of another.
func (c *Core) decode(in *Inst, pc uint64) error {
	r := c.mem.Find(pc)
	if r == nil || r.Perm&simt.PermExec == 0 || pc&7 != 0 {
		return &DecodeError{PC: pc, Why: "no code is mapped here"}
	}
	*in = Inst{}
	return in.decode(c.isa.Kernel.generation(), r.Data[pc-r.Base:], pc)
}

// decodeBlock decodes up to so many instructions from a PC on.
func (c *Core) decodeBlock(pc uint64, most int) *block {
	b := &block{pc: pc, end: pc, breaks: c.m.HasBreakpoint(pc)}
	wanted := c.m.Follows()
	c.followed = c.followed || wanted != simt.Following{} || c.tracker != nil
	kept := c.followed // by who follows it
	insts, in := c.decoded[:0], &Inst{}
	c.decoded = nil
	for len(insts) < most && !b.branch && (b.end == pc || !c.m.HasBreakpoint(b.end)) {
		if kept {
			in = &Inst{}
		}
		if err := c.decode(in, b.end); err != nil {
			if len(insts) == 0 {
				b.err = err
			}
			break
		}
		if in.Op.Code == opBreak {
			in.behind = c.behind(in.uipAt())
		}
		plain := in.exec
		if wanted.NaN && !in.faults {
			in.noticed()
		}
		if wanted.Undefined && !in.faults {
			in.judged(c, insts)
			if in.options&(noDDChk|noDDClr) != 0 && !c.hinted {
				c.hinted = true
				c.forget() // who waits for what has hints is to be looked at, too
				return c.decodeBlock(pc, most)
			}
			if c.hinted {
				in.hinted()
			}
		}
		if wanted.Waits && !in.faults && in.gen.hasTokens() {
			in.waits()
		}
		if wanted.Objects && in.Op.isMessage() && (c.m.Aimed(in.PC, false) || c.m.Aimed(in.PC, true)) {
			in.watched = true
		}
		if wanted.Values && !in.faults {
			in.followed(c, plain, insts)
		}
		if c.tracker != nil && !in.faults {
			in.traced(c.tracker)
		}
		insts = append(insts, *in)
		b.end += uint64(in.Size)
		b.branch = in.endsBlock()
	}
	c.decoded, b.insts = insts, slices.Clone(insts)
	return b
}

// behind is the address after the instruction at another.
func (c *Core) behind(at uint32) uint32 {
	if in, err := c.decodeAt(uint64(at)); err == nil {
		at += uint32(in.Size)
	}
	return at
}

// endsBlock reports whether the instruction sets the PC or ends the thread.
func (in *Inst) endsBlock() bool { return in.Op.flow != simt.FlowNext || in.eot }

// refresh brings the registers up to date that are worked out when they are
// looked at.
func (c *Core) refresh(pc uint64) {
	c.r.setU32(offCE, uint32(c.w.Exec))
	c.r.setU32(offIP, uint32(pc))
	c.r.setU32(offTM, uint32(c.w.Insts))
}

func (c *Core) illegal(pc uint64, err error) {
	c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: c.w.Active(), Addr: pc, Text: err.Error()})
	c.stop.PC = pc
}

// fault stops the thread at the current instruction, which must not have
// changed anything.
func (c *Core) fault(f simt.Fault) {
	c.w.State = simt.Faulted
	if f.Lanes == 0 { // no channel is on: blame the first
		f.Lanes = c.w.Valid & -c.w.Valid
	}
	c.stop = simt.Event{Kind: simt.FaultEvent, Lanes: f.Lanes, Fault: &f}
}

// trimmed is the instruction's text in one piece.
func (in *Inst) trimmed() string { return strings.Join(strings.Fields(in.text()), " ") }

// unknown is the semantics of what has none.
func unknown(c *Core, in *Inst) {
	c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: c.w.Exec, Addr: in.PC,
		Text: in.trimmed() + " is not simulated"})
}

func runNop(*Core, *Inst) {}
