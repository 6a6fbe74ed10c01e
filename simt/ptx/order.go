package ptx

import (
	"math/bits"

	"simtgdb/simt"
)

// What memory instructions say of order (PTX ISA, "Memory Consistency Model"), for those who
// observe it.

// ordering is the order and the scope that the modifiers of an instruction name. One that names no
// scope is of the device.
func (b *builder) ordering() (o simt.Order, s simt.Scope) {
	for _, m := range b.mods {
		o |= memoryOrders[m]
	}
	if b.has("cta") {
		s = simt.GroupScope
	}
	return o, s
}

var memoryOrders = map[string]simt.Order{"acquire": simt.Acquire, "release": simt.Release,
	"acq_rel": simt.Acquire | simt.Release, "sc": simt.Acquire | simt.Release}

// barrierFence is what bar and barrier order: all that the threads of the workgroup have accessed.
var barrierFence = simt.Fence{Order: simt.Acquire | simt.Release, Scope: simt.GroupScope,
	Spaces: simt.AllSpaces}

// arriveFence is what bar.arrive orders: who waits knows of it, not the other way round.
var arriveFence = simt.Fence{Order: simt.Release, Scope: simt.GroupScope, Spaces: simt.AllSpaces}

// fence is membar and fence, which have only observers to do something for.
func (b *builder) fence() error {
	f := simt.Fence{Order: simt.Acquire | simt.Release, Spaces: simt.AllSpaces}
	if _, f.Scope = b.ordering(); b.has("proxy") {
		return b.nothing()
	}
	b.in.run = func(c *Core, _ *inst, mask uint32) {
		if mask != 0 && c.m.Ordered() {
			c.m.Fence(c.w, f)
		}
	}
	return nil
}

// stored gives what lanes store, where somebody wants to know.
func (c *Core) stored(in *inst, need simt.Perm) func(lane int, p []byte) {
	if need&simt.PermWrite == 0 || in.elements == 0 || !c.m.Ordered() {
		return nil
	}
	if in.atomic {
		if in.elements != 1 || !hasPart(in.src.Op, "exch") {
			return nil
		}
		return func(lane int, p []byte) { putWord(p, int(in.size), c.value(in, 1)[lane]) }
	}
	return func(lane int, p []byte) {
		size := int(in.size)
		for e := range int(in.elements) {
			putWord(p[e*size:], size, c.element(in, e)[lane])
		}
	}
}

// aligned reports whether an instruction says that all lanes of a warp execute it together: bar does, and
// barrier with .aligned (PTX ISA, "bar, barrier").
func (in *inst) aligned() bool {
	return builderName(in.src.Op) == "bar" || hasPart(in.src.Op, "aligned")
}

// comesTo tells observers of a path that waits at a barrier, and judges of one that does not go with the
// others: bar.red is not to be mixed with bar.sync and bar.arrive.
func (c *Core) comesTo(in *inst, p *path) {
	if !c.m.Ordered() {
		return
	}
	c.m.Arrived(simt.Event{Kind: simt.BarrierEvent, Wave: c.w, PC: c.isa.addr(p.pc), Lanes: uint64(p.mask),
		Barrier: uint8(p.barrier), Apart: !in.aligned()})
	if !c.judged {
		return
	}
	for _, w := range c.w.Group.Waves {
		for _, q := range w.Regs.(*state).paths {
			if q.wait == waitBarrier && q.barrier == p.barrier &&
				hasPart(c.isa.code[q.pc].src.Op, "red") != hasPart(in.src.Op, "red") {
				c.undefined(p, p.mask, 0, "waits at a barrier at which others reduce, or the other way round")
				return
			}
		}
	}
}

// tellOpened tells observers who met at a barrier that opens. Only one that all come to, without a number, is
// to be the same instruction for all.
func (c *Core) tellOpened(id uint32, part bool) {
	if !c.m.Ordered() {
		return
	}
	met := simt.Meeting{Barrier: uint8(id), Part: part, Anywhere: part || id != 0, Waves: c.met[:0]}
	for _, w := range c.w.Group.Waves {
		for _, p := range w.Regs.(*state).paths {
			if p.wait == waitBarrier && p.barrier == id {
				met.Waves = append(met.Waves, w)
				met.Anywhere = met.Anywhere || !c.isa.code[p.pc].aligned()
				break
			}
		}
	}
	c.met = met.Waves
	c.m.Opened(met)
}

// tellCopied tells observers of what a call copies in private memory: the parameters of a function, or its
// results. What has no contents has none behind that either.
func (c *Core) tellCopied(to, from, size uint64, mask uint32) {
	if !c.valued {
		c.tellWritten(to, size, mask, nil, 0)
		return
	}
	const most = 64 // bytes of a lane that an access tells apart
	for size > 0 {
		var bytes [simt.MaxLanes]uint64
		part := min(size, most)
		a := c.private(from)
		a.PC, a.Read, a.Size, a.Lanes, a.Deferred = c.isa.addr(c.at), true, int(part), uint64(mask), true
		a.Addr, a.Bytes = &a.Lane, &bytes
		c.m.Observe(&a.Access)
		c.tellWritten(to, part, mask, &bytes, a.Spoilt)
		to, from, size = to+part, from+part, size-part
	}
}

// tellPassed tells observers of an argument in a register that is written to the frame of the function
// called.
func (c *Core) tellPassed(s *source, caller *activation, to, size uint64, mask uint32) {
	var bytes [simt.MaxLanes]uint64
	var spoilt uint64
	if o, ok := caller.fn.operand(s); ok && c.valued {
		v := values{c: c, act: caller, all: c.known(caller)}
		for m := v.Lacks(o, uint64(mask)); m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m)
			lacking, mere, _ := v.Bits(o, l)
			if !mere {
				spoilt |= 1 << l
			}
			for i := range size {
				if lacking>>(8*i)&0xff == 0xff {
					bytes[l] |= 1 << i
				}
			}
		}
	}
	c.tellWritten(to, size, mask, &bytes, spoilt)
}

// tellWritten tells observers that lanes write to a place of private memory, and which bytes have no
// contents; nil for none.
func (c *Core) tellWritten(to, size uint64, mask uint32, lacking *[simt.MaxLanes]uint64, spoilt uint64) {
	if !c.want.In(simt.Scratch, true) {
		return
	}
	a := c.private(to)
	a.PC, a.Write, a.Size, a.Lanes, a.Bytes = c.isa.addr(c.at), true, int(size), uint64(mask), lacking
	a.Addr, a.Spoilt = &a.Lane, spoilt
	c.m.Observe(&a.Access)
}
