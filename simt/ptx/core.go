package ptx

import (
	"math/bits"

	"simtgdb/simt"
	"simtgdb/simt/contents"
	"simtgdb/simt/fidelity"
	"simtgdb/simt/ptx/libdevice"
	"simtgdb/simt/rows"
	"simtgdb/simt/vec"
)

// A Core executes waves. It implements simt.Core.
type Core struct {
	isa     *ISA
	code    []inst            // the ISA's, or what wraps it
	tracker *fidelity.Tracker // of inexact results; nil if nothing follows them
	m       *simt.Machine
	mem     *simt.Memory

	// breaks says for a statement whether one from it to the end of its block has a breakpoint: 0 is
	// not known.
	breaks     []uint8
	generation int

	w    *simt.Wave
	st   *state
	act  *activation // of the path that runs
	at   int32       // the statement that executes
	stop simt.Event

	noticed bool // somebody wants to know of NaNs that are made of finite numbers
	judged  bool // somebody wants to know of what is undefined
	tracing bool // which objects addresses are computed from is wanted
	valued  bool // what registers have is followed
	want    simt.Interest
	beside  simt.Interest // without snapshots
	asked   uint64        // when observers were asked: see [simt.Machine.SteadyAt]

	values   values
	follower contents.Follower
	sources  traced
	fidelity fidelity.Follower

	watch bool // an observer wants the wave to stop after this statement
	over  bool // the wave waits for others of its cluster, and lets them have their turns

	region *simt.Region // where the last access to global memory was
	access access
	lds    []byte          // shared memory that is accessed: of the workgroup,
	peer   *simt.Workgroup // or of another one of its cluster; else nil
	alone  [1]*simt.Workgroup
	noted  simt.Access // of translated code
	told
	native  *translation    // of this run; nil before it has executed anything
	natives [2]*translation // with loads of arguments that nobody is told of, and without
	places  places          // of the wave that runs, where placed says so
	placed  bool
	team    rows.Team
	met     []*simt.Wave // at a barrier that opened last
	layout  int          // of memory, as translated code knows it

	kernels map[*function]*kernel // executed in bulk, or not to be
	bulk    *kernel               // the one that was last

	mayTranslate bool // in this run
	counted      simt.Translation

	tmp    [5]vec.Wide
	stages [mostStages]vec.Wide // what stages of an instruction leave for others
	x      vec.WideArgs
	mover  vec.WideMover
	out    vec.Wide
	terms  terms
	images *imageState // nil until an instruction on textures executes
	call   builtinCall // the last of a function that the program does not define

	libraryArgs [libdevice.MostArgs]uint64
}

const (
	noBreak  = 1
	hasBreak = 2
)

// Lanes that wait for others of their warp do not wait for ever: a path runs as many statements as
// turnInsts before others that can run get a turn, and when as many as idleness have been executed
// without any lane arriving at a join, those that wait at one go on.
const (
	turnInsts = 4096
	idleness  = 16384
)

// Reuse implements simt.Reuser: code is that of all launches of a program.
func (c *Core) Reuse(m *simt.Machine) bool {
	isa, ok := m.ISA().(*ISA)
	if !ok || m.Mem != c.mem || len(isa.code) == 0 || &isa.code[0] != &c.isa.code[0] {
		return false
	}
	c.isa, c.m, c.generation = isa, m, m.Generation()
	c.w, c.st, c.act, c.region, c.stop = nil, nil, nil, nil, simt.Event{}
	clear(c.breaks)
	c.audit()
	c.forgetPlaces()
	for _, k := range c.kernels {
		k.launched = false
	}
	c.places.launched = false
	return true
}

// Translation implements simt.Translator.
func (c *Core) Translation() simt.Translation { return c.counted }

// Run implements simt.Core.
func (c *Core) Run(w *simt.Wave, n uint64) simt.Event {
	c.RunKind(w, n)
	return c.stop
}

// begin makes a wave the one that runs.
func (c *Core) begin(w *simt.Wave) {
	c.w, c.st, c.lds = w, w.Regs.(*state), w.Group.LDS
	c.stop = simt.Event{}
	c.watch, c.over, c.placed = false, false, false
	follows := c.m.Follows()
	c.tracing, c.noticed, c.judged = follows.Objects, follows.NaN, c.m.Judged()
	c.checkGeneration()
	if at := c.m.SteadyAt(w); at == 0 || at != c.asked {
		c.asked = at
		c.m.Interests(w, &c.want, &c.beside)
		if c.valued {
			c.want, c.beside = simt.Everything(), simt.Everything()
		}
	}
	c.mayTranslate, c.native = c.translates(), nil
}

// RunKind implements simt.Stopper.
func (c *Core) RunKind(w *simt.Wave, n uint64) simt.EventKind {
	c.begin(w)
	for n > 0 && c.stop.Kind == simt.NoEvent && !c.over {
		if c.st.cur == nil && !c.choose() {
			break
		}
		n -= min(c.block(n), n)
	}
	if c.st.cur == nil && (c.stop.Kind == simt.NoEvent || c.stop.Kind == simt.WatchEvent) {
		c.choose()
	}
	if p := c.st.cur; p != nil {
		w.Exec = uint64(p.mask)
		if c.stop.Kind == simt.NoEvent || c.stop.Kind == simt.BarrierEvent || c.stop.Kind == simt.WatchEvent {
			w.PC = c.isa.addr(p.pc)
		}
	}
	c.stop.Wave = w
	if c.stop.Kind == simt.NoEvent {
		c.stop.PC = w.PC
	}
	return c.stop.Kind
}

// checkGeneration forgets what is known of breakpoints if these have changed.
func (c *Core) checkGeneration() {
	if g := c.m.Generation(); g != c.generation {
		c.generation = g
		clear(c.breaks)
		c.audit()
		c.forgetTranslations()
	}
}

// block runs statements of the current path up to the end of their block, at most n, and returns how many.
func (c *Core) block(n uint64) uint64 {
	p := c.st.cur
	c.act = p.act
	traced := c.tracing && c.traced(c.act.fn)
	at := p.pc
	end := c.code[at].last
	last := end
	if c.breaks[at] != noBreak && c.stopsAt(at, last) {
		return 0
	}
	c.w.SkipBreak = false
	if c.breaks[at] == hasBreak {
		last = at
	} else if c.mayTranslate && !traced {
		var done uint64
		if done, last = c.translated(p, at, last, n); done > 0 {
			return done
		}
	}
	if uint64(last-at) >= n {
		last = at + int32(n) - 1
	}
	active := uint64(bits.OnesCount32(p.mask))
	next, off, jumped := c.statements(p, at, last, traced)
	done := uint64(next - at)
	c.st.spent += int(done)
	if jumped {
		c.afterJump(p, next-1)
	}
	c.w.Insts += done
	c.w.LaneInsts += done*active - off
	if !jumped && c.stop.Kind != simt.FaultEvent {
		p.pc = next
		if next == end+1 { // where it ends for other reasons must not be seen in what runs next
			c.arrive(p)
		}
	}
	return done
}

// statements runs statements of a path from one up to another, unless it stops or jumps before. It returns
// where it goes on but for a jump, and how many lanes, over all statements, have not executed one.
func (c *Core) statements(p *path, at, last int32, traced bool) (next int32, off uint64, jumped bool) {
	code, active := c.code, uint64(bits.OnesCount32(p.mask))
	for ; at <= last; at++ {
		in := &code[at]
		mask := in.guarded(c.act, p.mask)
		c.at = at
		if in.jump != nil {
			p.pc = at
			if traced {
				c.trace(in, mask)
			}
			in.jump(c, in, mask)
			if c.stop.Kind == simt.FaultEvent {
				c.stopped(p, at)
				break
			}
			return at + 1, off + active - uint64(bits.OnesCount32(mask)), true
		}
		if mask != 0 {
			if in.divides.bits != 0 && c.judged {
				c.judgeDivision(p, in, mask)
			}
			if c.noticed && in.makes.width != 0 {
				finite := c.finiteLanes(in, mask)
				in.run(c, in, mask)
				c.made(in, finite)
			} else {
				in.run(c, in, mask)
			}
			if traced {
				c.trace(in, mask)
			}
			if c.stop.Kind != simt.NoEvent || c.watch {
				if c.stop.Kind == simt.FaultEvent {
					c.stopped(p, at)
					break
				}
				off += active - uint64(bits.OnesCount32(mask))
				at++
				p.pc = at
				c.stopped(p, at-1)
				break
			}
		}
		if mask != p.mask {
			off += active - uint64(bits.OnesCount32(mask))
		}
	}
	return at, off, false
}

// guarded is the part of a mask of lanes that a statement's guard lets execute it.
func (in *inst) guarded(act *activation, mask uint32) uint32 {
	if in.guard < 0 {
		return mask
	}
	g := act.p[in.guard]
	if in.not {
		g = ^g
	}
	return mask & g
}

// stopped makes an event of what a statement asked for.
func (c *Core) stopped(p *path, at int32) {
	if c.stop.Kind == simt.FaultEvent {
		p.pc = at
		c.w.State = simt.Faulted
		c.stop.PC = c.isa.addr(at)
		c.w.PC = c.stop.PC
		return
	}
	if c.watch && c.stop.Kind == simt.NoEvent {
		c.stop.Kind, c.stop.Lanes = simt.WatchEvent, uint64(p.mask)
	}
	c.watch = false
	c.stop.PC = c.isa.addr(at)
	if c.st.cur != nil {
		c.w.PC = c.isa.addr(c.st.cur.pc)
	}
}

// afterJump looks what a statement that ends a block has left.
func (c *Core) afterJump(p *path, at int32) {
	if c.stop.Kind != simt.NoEvent || c.watch {
		c.stopped(p, at)
	}
	if c.st.cur == p {
		c.arrive(p)
	}
}

// arrive lets the current path arrive at its join if it stands there, and gives others a turn after a
// while.
func (c *Core) arrive(p *path) {
	st := c.st
	if p.join != nil && p.pc == p.join.at && p.act == p.join.act && st.settle(p) == nil {
		st.cur = nil
		return
	}
	if st.spent > turnInsts || st.yield {
		st.idle += st.spent
		// All lanes wait for other warps, or some may, for those of the cluster's other blocks.
		c.over = st.yield && (len(st.paths) == 1 || len(c.w.Group.Peers) > 0)
		st.yield, st.spent = false, 0
		if st.idle > idleness {
			st.idle = 0
			st.part()
		}
		if len(st.paths) > 1 {
			st.rotate(p)
			st.cur = nil
		}
	}
}

// rotate moves a path behind all others.
func (s *state) rotate(p *path) {
	for i, q := range s.paths {
		if q == p {
			s.paths = append(append(s.paths[:i:i], s.paths[i+1:]...), p)
			return
		}
	}
}

// choose picks the path that runs next, the first that can, and reports whether there is one. Without
// one, the wave has ended or waits.
func (c *Core) choose() bool {
	st := c.st
	for again := true; again; again = st.part() { // those that wait at a join may be waited for
		for _, p := range st.paths {
			if p.wait == running {
				st.cur, st.spent = p, 0
				if c.m.Ordered() {
					c.m.Together(c.w, uint64(p.mask))
				}
				return true
			}
		}
	}
	if len(st.paths) == 0 {
		c.w.State = simt.Ended
		c.stop.Kind, c.stop.PC = simt.EndEvent, c.isa.addr(c.at)
		c.w.Exec, c.w.PC = 0, c.stop.PC
		c.checkBarriers() // others need not wait for this wave
		return false
	}
	c.blocked()
	return false
}

// stopsAt reports whether the wave must stop before a statement because of a breakpoint.
func (c *Core) stopsAt(at, last int32) bool {
	if c.breaks[at] == 0 {
		c.breaks[at] = noBreak
		for i := at; i <= last; i++ {
			if c.m.HasBreakpoint(c.isa.addr(i)) {
				c.breaks[at] = hasBreak
				break
			}
		}
		if c.breaks[at] == noBreak {
			return false
		}
	}
	skip := c.w.SkipBreak
	c.w.SkipBreak = false
	if skip || !c.m.HasBreakpoint(c.isa.addr(at)) {
		return false
	}
	pc := c.isa.addr(at)
	c.w.PC = pc
	c.stop = simt.Event{Kind: simt.BreakEvent, PC: pc, Lanes: uint64(c.st.cur.mask)}
	return true
}

// fault stops the wave before the current statement, which must not have changed anything.
func (c *Core) fault(f simt.Fault) {
	if f.Lanes == 0 {
		f.Lanes = uint64(c.st.cur.mask)
	}
	if f.Kind == simt.IllegalInstruction {
		f.Addr = c.isa.addr(c.at)
	}
	c.stop = simt.Event{Kind: simt.FaultEvent, Lanes: f.Lanes, Fault: &f}
}
