package gcn

import (
	"math/bits"
	"runtime"
	"unsafe"

	"simtgdb/simt"
	"simtgdb/simt/fidelity"
	"simtgdb/simt/native"
	"simtgdb/simt/vec"
)

// Blocks that run often are translated to code of the host, together with
// those that they lead to: a region. The interpreter remains what defines an
// instruction: it runs what has no translation, and what a translation leaves
// to it while it runs (a fault, an access that somebody observes), with nothing
// of that done. A translation goes on behind such an interlude. Between
// instructions the registers in memory are always what the program has made
// them, so it may also end anywhere.
//
// A region stands for blocks of one core and goes with them, when code or
// breakpoints change.

// How often a block runs before it is translated, and bounds of a region and
// of all regions of a core.
const (
	translateAfter  = 12
	maxRegionInsts  = 2048
	maxRegionBlocks = 128
	maxTranslated   = 1 << 15 // instructions
)

// A region is translated code.
type region struct {
	code  *native.Code
	mode  uint32 // what MODE must be, of the bits of regionMode
	slots []memorySlot
	stood []*Inst // for a debugger: where lanes may stand when they are switched off

	interludes []interlude
	closed     bool            // what executes from its blocks on is all its code, up to the wave's end
	longest    uint64          // if it is closed and has no loop: the most instructions that are executed
	written    map[uint16]bool // if it is closed, vector registers that it may write

	lates [][]*Inst // loads of which there are records, by record
	tell  func(r *simt.LoadRecord, each func(a *simt.Access))
}

// regionMode are the bits of MODE that translations depend on.
const regionMode = plainBits32 | plainBits64 | ModeIEEE | modeGPRIndex

// A memorySlot is what an instruction that accesses global memory knows of the
// region where its lanes were: nothing, if data is nil.
type memorySlot struct {
	data  unsafe.Pointer
	base  uint64
	limit uint64 // the last place of an item
	last  uint64 // where lane 0's was
	minds uint64 // not 0 of scalar loads of which observers are to be told

	in *Inst
}

// A nativeContext is what translated code works on; it finds the fields by
// their offsets.
type nativeContext struct {
	vectors, scalars, lds, scratch, slots unsafe.Pointer

	ldsSize uint64
	perLane uint64 // bytes of private memory that there are for each lane
	entry   uintptr
	budget  int64  // instructions that may be executed
	lanes   uint64 // counted
	pc      uint64
	slot    uint64 // one more than the memorySlot that must be filled
	stood   uint64 // one more than the last of region.stood that was executed
	called  uint64 // one more than the interlude that is due, or 0
	barrier uint64 // the PC of the barrier that the wave has come to, or 0
	ended   uint64 // the PC of the end of the program that it has come to, or 0
	before  uint64 // EXEC before the last instruction that wrote it
	changed uint64 // bytes of changes
	changes [mostChanges]execChange
	team    team
	series  series
	foresight
	tracked uint32 // somebody wants to know of changes of EXEC,
	loads   uint32 // of loads from global memory,
	stores  uint32 // of stores there,
	// and of those from and to LDS and private memory
	sharedLoads, sharedStores, privateLoads, privateStores uint32

	values unsafe.Pointer // a valueState: what of registers has no contents

	telling         uint32 // somebody wants to know of loads from LDS, perhaps later:
	lateAt, lateEnd uint64 // where records go
	recorded        uint32 // records of several loads that have been made since Go code ran
	waited          uint32 // waits that observers are to be told of: see deferWait
	waitAt          uint64 // lateAt as it was then

	noted uint32 // observers have been told of the accesses that code makes next

	joined uint32 // lanes have been switched on, of which observers are to be told

	greatest [greatestSlots]uint64
	shapes   [greatestSlots]rowShape

	at     vec.Row
	narrow vec.Row   // dwords that begin with bytes or words
	shift  [2]uint64 // how many bits to shift by

	// Without AVX-512: the mask source of an instruction, and EXEC as it is in
	// masks, a dword for each lane.
	in, spread uint64
	masks      vec.Row
}

// An execChange is a change of EXEC, for a debugger's record.
type execChange struct {
	before, after uint64
	stood         uint64 // one more than what of region.stood was executed last before, or 0
	writer        uint64 // PC of the instruction
}

// mostChanges is how many changes are noted before the record gets them.
const mostChanges = 32

// greatestSlots is how many greatest addresses a translation keeps at a time.
const greatestSlots = 4

// translates reports whether the core translates what runs often: nobody follows what each instruction does.
func (c *Core) translates() bool {
	follows := c.m.Follows()
	return native.Available() && !c.m.Interpret && !c.wantsWaits(follows) && !follows.NaN &&
		fidelity.Of(c.m) == nil
}

// runTranslated runs translated code from a block on and returns how many
// instructions it executed. It may be none. An interlude may stop the wave.
func (c *Core) runTranslated(b *block, n uint64) uint64 {
	if b.region == nil || !c.fits(b.region) {
		return 0
	}
	return c.runNative(b, n)
}

// fits reports whether a region's code may run now.
func (c *Core) fits(r *region) bool {
	return c.r.S[regMode]&regionMode == r.mode && (c.w.Track == nil || !c.r.lanes.whole)
}

// setContext makes the context what the code of a block's region expects, but for what it finds anew behind
// each interlude.
func (c *Core) setContext(b *block) (values *valueState) {
	w, x, r := c.w, &c.context, b.region
	x.slots = unsafe.Pointer(unsafe.SliceData(r.slots))
	x.lds, x.ldsSize = unsafe.Pointer(unsafe.SliceData(w.Group.LDS)), uint64(len(w.Group.LDS))
	x.entry, x.lanes, x.slot, x.stood, x.called, x.changed = b.entry, 0, 0, 0, 0, 0
	o := &c.anywhere
	x.tracked, x.loads, x.stores = flag32(w.Track != nil), flag32(o.loads), flag32(o.stores)
	x.sharedLoads, x.sharedStores = flag32(o.sharedLoads), flag32(o.sharedStores)
	x.privateLoads, x.privateStores = flag32(o.privateLoads), flag32(o.privateStores)
	x.telling, x.lateAt, x.lateEnd = flag32(o.sharedLoads), 0, 0
	if c.valued {
		c.running = b
		values = &c.following().values
		x.values = unsafe.Pointer(values)
	}
	return values
}

func (c *Core) runNative(b *block, n uint64) uint64 {
	w, x, r := c.w, &c.context, b.region
	values := c.setContext(b)
	c.turning.entered(r)
	from, budget := w.Insts, min(n, 1<<40)
	x.budget = int64(budget)
	between, goesOn := uint64(0), false
	for {
		x.vectors, x.scalars = unsafe.Pointer(&c.r.V[0]), unsafe.Pointer(&c.r.S[0])
		x.scratch, x.perLane = unsafe.Pointer(unsafe.SliceData(w.Scratch)), perLane(w)
		if !goesOn {
			c.postpone(r)
		}
		r.code.Call(unsafe.Pointer(x))
		c.cameInBulk()
		if x.team.at != 0 {
			if x.team.at == x.team.end {
				x.budget = int64(budget) // all of it is in their numbers
				break
			}
			w, from = c.turnOf(c.member(), r)
			c.leaveTurns()
		}
		c.takeBack(w, r)
		if c.waitsOrEnds() || x.called == 0 {
			break
		}
		site := x.called
		i := &r.interludes[site-1]
		x.called = 0
		w.Insts = from + budget - uint64(x.budget) - i.charged - uint64(i.first)
		if x.entry, goesOn = i.entry, false; i.tells != nil {
			c.tell(i.tells)
			c.noteTold(site, i.tells)
			goesOn = x.team.at == 0 && c.postponesOn(i.tells)
		} else {
			c.turning.left(site, i)
			n, on := c.runInterlude(i, r)
			c.counted.Interludes++
			if i.part == 0 {
				between += uint64(n)
			}
			if !on {
				break
			}
		}
		if x.team.at != 0 {
			c.member().hold(w)
		}
	}
	runtime.KeepAlive(c.r.V)
	runtime.KeepAlive(values)
	done := budget - uint64(x.budget)
	c.counted.Insts += done - between
	w.Insts = from + done
	w.LaneInsts += x.lanes
	return done
}

// cameInBulk settles what code has made of waves in bulk, if it has executed some, up to the one that it has
// come to.
func (c *Core) cameInBulk() {
	x := &c.context
	if x.series.turn != 0 {
		c.onInSeries()
	}
	if x.first != 0 && x.team.at == 0 {
		c.settleForeseen()
	}
	c.bulk.now.end = x.waited
}

// takeBack takes over what code of a region has made of a wave, and does what it asks for at once.
func (c *Core) takeBack(w *simt.Wave, r *region) {
	x := &c.context
	c.postponed(r)
	w.PC = x.pc
	c.r.takeExec(w)
	if x.changed != 0 {
		c.recordChanges(r)
	}
	if x.stood != 0 {
		c.r.lanes.stoodAt(r.stood[x.stood-1])
		x.stood = 0
	}
	if x.slot != 0 {
		c.fillSlot(&r.slots[x.slot-1])
		x.slot = 0
	}
	if x.joined != 0 {
		c.m.Together(w, w.Exec)
		x.joined = 0
	}
}

// waitsOrEnds stops the wave where it has come to a barrier or to its end.
func (c *Core) waitsOrEnds() bool {
	x := &c.context
	switch {
	case x.barrier != 0:
		c.w.State = simt.AtBarrier
		c.stopAt(simt.BarrierEvent)
		c.stop.PC, x.barrier = x.barrier, 0
	case x.ended != 0:
		c.w.State = simt.Ended
		c.stopAt(simt.EndEvent)
		c.stop.PC, x.ended = x.ended, 0
	default:
		return false
	}
	return true
}

// perLane is how many bytes of private memory there are for each lane of a wave.
func perLane(w *simt.Wave) uint64 { return uint64(len(w.Scratch)) >> bits.TrailingZeros(uint(w.Size)) }

// recordChanges gives the record of lanes the changes of EXEC that were noted.
func (c *Core) recordChanges(r *region) {
	w, l, x := c.w, &c.r.lanes, &c.context
	all := x.changes[:x.changed/uint64(unsafe.Sizeof(execChange{}))]
	x.changed = 0
	var stand [mostChanges]uint64
	for i := range all {
		e := &all[i]
		if e.stood != 0 {
			l.stoodAt(r.stood[e.stood-1])
		}
		stand[i] = l.leave(w, e.before, e.after, e.writer, &c.stands)
	}
	written := uint64(0) // lanes, by later changes
	for i := len(all) - 1; i >= 0; i-- {
		if stand[i] != 0 {
			l.standAt(all[i].before&^written, stand[i])
			written |= all[i].before
		}
	}
}

// An interlude is instructions of a region that the interpreter runs.
type interlude struct {
	b           *block
	first, last int    // the first one, and the first one after them
	part        int    // if not 0, the only one is a pair, and of that this one
	charged     uint64 // instructions of the block from the first on, which the budget does not have any more
	uncounted   int    // vector instructions, with the interlude's, whose lanes the region counts behind it
	amid        bool   // in a stretch of instructions that is followed as one
	orders      bool   // it does no more than order accesses
	tells       *notes // nil, or accesses to tell of, and no instruction
	label       native.Label
	entry       uintptr // of the code that follows
}

// runInterlude runs an interlude, after which Wave.Insts does not count. It says how many instructions that
// were, and whether the region goes on behind it.
func (c *Core) runInterlude(i *interlude, r *region) (done int, on bool) {
	w, b, x := c.w, i.b, &c.context
	c.running = b
	active := uint64(bits.OnesCount64(w.Exec))
	if c.bulk.by != nil && !c.inBulk(i) {
		return 0, false
	}
	done = i.last - i.first
	for at := i.first; at < i.last; at++ {
		in := &b.insts[at]
		if in.form >= VOP2 && i.uncounted == 0 {
			x.lanes += active
		}
		if i.part != 0 {
			in = &in.pair[i.part-1] // which nothing stops
		}
		in.exec(c, in)
		if c.stop.Kind != simt.NoEvent {
			if done = c.stopped(in, at-i.first); done == at-i.first && in.form >= VOP2 {
				x.lanes -= active // it has not executed
			}
			break
		}
	}
	if b.places != nil && done > 0 {
		c.r.lanes.ran(b, i.first+done-1)
	}
	if last := &b.insts[i.last-1]; c.stop.Kind == simt.NoEvent && !last.Op.ends() {
		if c.fits(r) && !(i.amid && c.valued && c.r.follow.values.wroteBlank(last, w.Exec)) {
			return done, true
		}
		w.PC = last.PC + uint64(last.Size)
	}
	x.lanes += active * uint64(i.uncounted)
	x.budget += int64(i.charged) - int64(done)
	return done, false
}

func flag32(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// fillSlot finds the region where a scalar item is, or the first active lane's.
func (c *Core) fillSlot(s *memorySlot) {
	in := s.in
	var addr uint64
	need, size := simt.PermRead, 4*typDwords[in.dst.typ]
	if in.form == SMEM {
		addr, _ = c.scalarAddress(in, size)
	} else {
		if c.w.Exec == 0 {
			return
		}
		addr = c.oneAddress(in, bits.TrailingZeros64(c.w.Exec)&63)
		need, size = in.Op.mem.perm(), in.Op.mem.touched()
	}
	r := c.mem.Find(addr)
	if r == nil || r.Perm&need != need || len(r.Data) < size || uint64(len(r.Data)) > 1<<31 {
		s.data = nil
		return
	}
	part := simt.Extent{Hi: uint64(len(r.Data))}
	if c.wanted.of(simt.Global, need&simt.PermWrite != 0) {
		part, s.minds = c.unwanted(r, addr, in), 0
		if part.Empty() && c.within[0] == simt.Everywhere() && c.notesScalar(in) {
			part, s.minds = simt.Extent{Hi: uint64(len(r.Data))}, 1
		}
		if part.Empty() {
			s.data = nil
			return
		}
	}
	if need&simt.PermWrite != 0 && c.keeps {
		if !r.Holds(addr, uint64(size)) {
			s.data = nil
			return
		}
		kept := c.mem.WillWrite(r, addr-r.Base, uint64(size))
		part.Lo, part.Hi = max(part.Lo, kept.Lo), min(part.Hi, kept.Hi)
	}
	if part.Lo+uint64(size) > part.Hi {
		s.data = nil
		return
	}
	s.data, s.base, s.limit = unsafe.Pointer(&r.Data[part.Lo]), r.Base+part.Lo, part.Hi-part.Lo-uint64(size)
}

// unwanted is a part of a region, around an address, of which nobody wants to know.
func (c *Core) unwanted(r *simt.Region, addr uint64, in *Inst) simt.Extent {
	write := 0
	if in.form != SMEM && in.Op.mem.write {
		write = 1
	}
	part, of := simt.Extent{Hi: uint64(len(r.Data))}, c.within[write]
	switch {
	case in.form != SMEM && of == simt.Everywhere(): // code that has told of it alone gets here
	case !c.m.Minded(c.w, r, write != 0):
	case of.Empty() || of.Hi <= r.Base || of.Lo >= r.End():
	case addr < of.Lo:
		part.Hi = of.Lo - r.Base
	case addr >= of.Hi:
		part.Lo = of.Hi - r.Base
	default:
		part = simt.Extent{}
	}
	return part
}

// forgetPlaces empties what translations know of global memory, whose regions
// are not what they were.
func (c *Core) forgetPlaces() {
	for _, r := range c.regions {
		for i := range r.slots {
			r.slots[i].data = nil
		}
	}
}
