package spirv

import (
	"math/bits"

	"simtgdb/simt"
	"simtgdb/simt/contents"
	"simtgdb/simt/fidelity"
	"simtgdb/simt/rows"
	"simtgdb/simt/texel"
)

// An inst is an instruction ready to run.
type inst struct {
	exec       func(c *core, in *inst)
	d, a, b, e int32      // slots: destination and sources
	n          int32      // scalars of the operation
	dn         int32      // slots of the result
	flags      uint8      // what the run loop has to look at
	masked     bool       // the result is written for active lanes only
	meets      bool       // it waits for the workgroup, and does nothing else
	swaps      bool       // it exchanges what is in memory for a value
	order      simt.Order // of a barrier, with scope and spaces as in simt.Fence
	scope      simt.Scope
	spaces     uint8
	shift      uint   // 64 less the width of a scalar
	imm        uint64 // its mask, or what the operation says
	pc         uint64
	raw        *raw

	args     []int32 // further slots
	mem      *access
	chain    *chain
	products []product // of 32 bits
	edges    []*edge
	cases    []uint64
	fn       *function
	f1       func(x uint64) uint64
	f2       func(x, y uint64) uint64
	f3       func(x, y, z uint64) uint64
	text     *printfCall
	steps    rows.Steps // of an instruction that is executed as row code
	then     *inst      // comes behind it, as a part of the same instruction of the module
}

// What an instruction may do besides computing a result.
const (
	moves  = 1 << iota // goes elsewhere
	faults             // may stop the wave
)

// A core executes waves. It implements simt.Core.
type core struct {
	p     *Program
	m     *simt.Machine
	isa   *ISA
	lanes int
	image *texel.Op // nil until an image instruction executes

	w    *simt.Wave
	s    *State
	f    []uint64 // slots of the wave
	mask uint64   // the active lanes
	full bool     // they are all that the wave has
	stop simt.Event

	region *simt.Region // where the last access to global memory was
	keep   []uint64     // results before a masked instruction
	stage  []uint64     // of phis
	gen    int
	from   int // instruction of the block that runInsts began at
	marked bool

	breaks []bool // by block, nil if there are none
	addr   [simt.MaxLanes]uint64
	noted  simt.Access // of translated code
	loads  rows.LoadNoter
	teller rows.Teller
	ways   rows.Ways // of what is not executed in bulk

	native       *translation
	team         rows.Team
	layout       int   // of memory, as translated code knows it
	bulk         *bulk // nil before anything has been executed
	mayTranslate bool
	counted      simt.Translation
	steps        rows.Stepper
	writes       uint64 // the lanes in which steps write

	want     simt.Interest
	beside   simt.Interest          // without snapshots
	chains   map[uint32][]indexStep // of accesses, by result: see question.chain
	asked    uint64                 // when observers were asked: see [simt.Machine.SteadyAt]
	judges   bool                   // what is undefined is judged
	valued   bool                   // what values have is followed
	noticed  bool                   // somebody wants to know of NaNs that are made of finite numbers
	values   values
	follower contents.Follower
	does     map[*raw]*contents.Inst

	tracker *fidelity.Tracker // of where values come from, while somebody wants to know; see origins.go
	trace   fidelity.Follower
	traced  traced
	met     fidelity.Origins // of what other waves have left for the instruction under way
	flows   map[*raw]*fidelity.Flow
}

func newCore(p *Program, m *simt.Machine, lanes int) *core {
	return &core{p: p, m: m, lanes: lanes, writes: allLanes(lanes)}
}

// Reuse implements simt.Reuser: a program's code does not change.
func (c *core) Reuse(m *simt.Machine) bool {
	isa, ok := m.ISA().(*ISA)
	if !ok || isa.p != c.p || m.Mem != c.m.Mem {
		return false
	}
	c.m, c.isa = m, isa
	if c.breaks != nil {
		c.native = nil
	}
	c.gen, c.marked, c.breaks = m.Generation(), true, nil // a plain machine has no breakpoints
	c.tracker = fidelity.Of(m)
	c.forgetPlaces()
	if c.bulk != nil {
		c.bulk.launched = false
	}
	c.w, c.s, c.f, c.region, c.stop = nil, nil, nil, nil, simt.Event{}
	return true
}

// slots is a run of slots, n scalars of every lane.
func (c *core) slots(slot, n int32) []uint64 {
	lo, n64 := int(slot)*c.lanes, int(n)*c.lanes
	return c.f[lo : lo+n64 : lo+n64]
}

// one is the slot of one scalar.
func (c *core) one(slot int32) []uint64 { return c.slots(slot, 1) }

// Translation implements simt.Translator.
func (c *core) Translation() simt.Translation { return c.counted }

// Run implements simt.Core.
func (c *core) Run(w *simt.Wave, n uint64) simt.Event {
	if c.RunKind(w, n) == simt.NoEvent {
		return simt.Event{Kind: simt.NoEvent, Wave: w, PC: w.PC}
	}
	return c.stop
}

// Stopped implements simt.Stopper.
func (c *core) Stopped() simt.Event { return c.stop }

// enter makes a wave the one that runs.
func (c *core) enter(w *simt.Wave) {
	s := w.Regs.(*State)
	c.w, c.s, c.f = w, s, s.f
	c.setMask(w.Exec)
	c.stop.Kind = simt.NoEvent
	c.checkBreaks()
	follows := c.m.Follows()
	c.noticed, c.valued, c.judges = follows.NaN, follows.Values, c.m.Judged()
	if at := c.m.SteadyAt(w); at == 0 || at != c.asked {
		c.asked = at
		c.m.Interests(w, &c.want, &c.beside)
		if c.valued {
			c.want, c.beside = simt.Everything(), simt.Everything()
		}
	}
	c.mayTranslate = !s.changed && c.translates()
}

// RunKind implements simt.Stopper.
func (c *core) RunKind(w *simt.Wave, n uint64) simt.EventKind {
	c.enter(w)
	s := c.s
	for n > 0 {
		careful := c.breaks != nil && c.breaks[s.b.index] || w.SkipBreak
		if careful && c.atBreak() {
			break
		}
		switch {
		case c.tracker != nil:
			n -= c.runTraced()
		case (c.judges || c.valued) && !(c.mayTranslate && !careful):
			n -= c.runJudged()
		case careful:
			n -= c.runInsts(1)
		case c.mayTranslate:
			n -= c.runTranslated(n)
		default:
			n -= c.runInsts(n)
		}
		if c.stop.Kind != simt.NoEvent {
			break
		}
	}
	return c.stop.Kind
}

// setMask makes lanes the active ones.
func (c *core) setMask(lanes uint64) {
	c.mask, c.w.Exec = lanes, lanes
	c.full = lanes == c.w.Valid
}

// runInsts executes up to n instructions, up to the first that goes elsewhere or stops the wave, and leaves
// the wave's PC at the next. It returns how many it executed.
func (c *core) runInsts(n uint64) uint64 {
	s := c.s
	s.b.step(c.p)
	insts := s.b.insts[s.i:]
	if uint64(len(insts)) > n {
		insts = insts[:n]
	}
	careful := !c.full && c.w.Track != nil
	active := uint64(bits.OnesCount64(c.mask))
	c.from = s.i
	s.i += len(insts)
	done := uint64(len(insts))
	for i := range insts {
		in := &insts[i]
		if (in.masked || careful) && !c.full && in.dn > 0 {
			c.runMasked(in)
		} else {
			in.exec(c, in)
		}
		if in.flags != 0 && (in.flags&moves != 0 || c.stop.Kind != simt.NoEvent) {
			done = uint64(i + 1)
			if in.flags&moves == 0 {
				s.i += i + 1 - len(insts)
				if c.stop.Kind == simt.FaultEvent {
					s.i--
					done--
				}
			}
			break
		}
	}
	c.w.Insts += done
	c.w.LaneInsts += done * active
	if c.w.State != simt.Ended {
		c.w.PC = s.pc()
	}
	if c.stop.Kind != simt.NoEvent {
		c.stop.Wave = c.w
	}
	return max(done, 1)
}

// runMasked executes an instruction whose result is for the active lanes only.
func (c *core) runMasked(in *inst) {
	if in.steps != nil {
		c.writes = c.mask
		in.exec(c, in)
		c.writes = allLanes(c.lanes)
		return
	}
	d := c.slots(in.d, in.dn)
	c.keep = append(c.keep[:0], d...)
	in.exec(c, in)
	for l := range c.lanes {
		if c.mask>>l&1 == 0 {
			for i := l; i < len(d); i += c.lanes {
				d[i] = c.keep[i]
			}
		}
	}
}

// runJudged executes an instruction after telling of what it does that is undefined, and follows its values.
func (c *core) runJudged() uint64 {
	in := &c.s.b.insts[c.s.i]
	lanes := c.mask
	stop := c.judge(in)
	if c.valued {
		c.beginValues(in)
	}
	var floats made
	if c.noticed {
		floats = c.beginFloats(in)
	}
	n := c.runInsts(1)
	if c.noticed {
		stop = c.endFloats(floats) || stop
	}
	switch {
	case !c.valued:
	case c.stop.Kind == simt.FaultEvent:
		c.follower.Fault()
	default:
		stop = c.follower.End() || stop
	}
	if stop && c.stop.Kind == simt.NoEvent {
		c.stop = simt.Event{Kind: simt.WatchEvent, Wave: c.w, PC: in.pc, Lanes: lanes}
	}
	return n
}

// atBreak reports whether the wave must stop before its next instruction. A breakpoint on what has no moment
// of its own, a label or a phi, belongs to the instruction behind it.
func (c *core) atBreak() bool {
	w, s := c.w, c.s
	skip := w.SkipBreak
	w.SkipBreak = false
	if skip || c.breaks == nil || !c.breaks[s.b.index] || w.Exec == 0 || !c.breaksAt(s.b, s.i) {
		return false
	}
	c.stop = simt.Event{Kind: simt.BreakEvent, Wave: w, PC: w.PC, Lanes: w.Exec}
	return true
}

func (c *core) breaksAt(b *block, i int) bool {
	from := min(b.label.word, b.insts[0].raw.word)
	if i > 0 {
		from = b.insts[i-1].raw.word + 1
	}
	for word := from; word <= b.insts[i].raw.word; word++ {
		if c.m.HasBreakpoint(c.p.o.Base + 4*uint64(word)) {
			return true
		}
	}
	return false
}

// checkBreaks finds the blocks with breakpoints when these have changed.
func (c *core) checkBreaks() {
	gen := c.m.Generation()
	if c.marked && gen == c.gen {
		return
	}
	c.gen, c.marked, c.breaks, c.native = gen, true, nil, nil
	c.tracker = fidelity.Of(c.m)
	for _, b := range c.p.blocks {
		for i := range b.insts {
			if c.breaksAt(b, i) {
				if c.breaks == nil {
					c.breaks = make([]bool, len(c.p.blocks))
				}
				c.breaks[b.index] = true
				break
			}
		}
	}
}

// fault stops the wave at the current instruction, which must not have changed anything.
func (c *core) fault(in *inst, f simt.Fault) {
	c.w.State = simt.Faulted
	if f.Text == "" {
		f.Text = instText(in.raw)
	}
	c.stop = simt.Event{Kind: simt.FaultEvent, Wave: c.w, PC: in.pc, Lanes: f.Lanes, Fault: &f}
}
