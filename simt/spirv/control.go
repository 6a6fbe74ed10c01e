package spirv

import (
	"simtgdb/simt"
	"simtgdb/simt/rows"
)

// follow takes lanes along an edge: the phis of its end get their values, and the lanes wait for it.
func (c *core) follow(e *edge, lanes uint64) {
	if lanes == 0 {
		return
	}
	if len(e.copies) > 0 {
		c.copyPhis(e, lanes)
	}
	c.s.put(e.to, lanes)
}

func (c *core) copyPhis(e *edge, lanes uint64) {
	if c.valued || c.tracker != nil {
		c.movePhis(e, lanes)
	}
	c.stage = c.stage[:0]
	if e.staged { // all phis of a block read before any is written
		for _, k := range e.copies {
			c.stage = append(c.stage, c.slots(k.src, k.n)...)
		}
	}
	at := 0
	for _, k := range e.copies {
		dst, src := c.slots(k.dst, k.n), []uint64(nil)
		if e.staged {
			src = c.stage[at : at+len(dst)]
			at += len(dst)
		} else {
			src = c.slots(k.src, k.n)
		}
		c.merge(dst, src, lanes)
	}
}

// merge copies the values of some lanes.
func (c *core) merge(dst, src []uint64, lanes uint64) {
	if lanes == c.w.Valid {
		copy(dst, src)
		return
	}
	if c.lanes%rows.Lanes == 0 {
		c.steps.Merge(dst, src, c.lanes, lanes)
		return
	}
	for base := 0; base < len(dst); base += c.lanes {
		d, s := dst[base:base+c.lanes], src[base:base+c.lanes]
		for l := range d {
			if lanes>>l&1 != 0 {
				d[l] = s[l]
			}
		}
	}
}

// next goes to the first block of the current function that lanes wait for, or back to its caller.
func (c *core) next() {
	s := c.s
	for {
		fr := &s.frames[len(s.frames)-1]
		if b, lanes := s.take(fr.fn); b != nil {
			s.b, s.i = b, 0
			c.resume(lanes)
			return
		}
		back, returned := fr.back, fr.returned
		if back.b == nil {
			c.end()
			return
		}
		fn := fr.fn
		s.frames = s.frames[:len(s.frames)-1]
		if returned == 0 { // all lanes ended in the call
			continue
		}
		s.b, s.i = back.b, back.i+1
		c.resume(returned)
		if call := &back.b.insts[back.i]; call.dn > 0 {
			c.merge(c.slots(call.d, call.dn), c.slots(fn.ret, call.dn), returned)
			if c.valued || c.tracker != nil {
				c.moveKnown(call.d, fn.ret, call.dn, returned)
			}
		}
		return
	}
}

// resume makes lanes that have come together the active ones.
func (c *core) resume(lanes uint64) {
	c.setMask(lanes)
	if c.m.Ordered() {
		c.m.Together(c.w, lanes)
	}
}

// end ends the wave.
func (c *core) end() {
	c.w.State = simt.Ended
	c.setMask(0)
	c.stop = simt.Event{Kind: simt.EndEvent, Wave: c.w, PC: c.w.PC}
}

func execBranch(c *core, in *inst) { c.jump(in.edges[0]) }

// jump takes all active lanes along an edge.
func (c *core) jump(e *edge) {
	s := c.s
	fr := &s.frames[len(s.frames)-1]
	if s.wait[e.to.index] != 0 || s.waitsBefore(fr.fn, e.to) {
		c.follow(e, c.mask)
		c.next()
		return
	}
	if len(e.copies) > 0 {
		c.copyPhis(e, c.mask)
	}
	s.b, s.i = e.to, 0
}

// truths is the mask of the lanes in which a bool is true.
func (c *core) truths(slot int32) (yes uint64) {
	if c.lanes%rows.Lanes == 0 {
		return c.steps.Truths(c.one(slot))
	}
	for l, v := range c.one(slot) {
		yes |= v & 1 << l
	}
	return yes
}

func execBranchConditional(c *core, in *inst) {
	yes := c.truths(in.a)
	switch c.mask & yes {
	case c.mask:
		c.jump(in.edges[0])
	case 0:
		c.jump(in.edges[1])
	default:
		c.follow(in.edges[0], c.mask&yes)
		c.follow(in.edges[1], c.mask&^yes)
		c.next()
	}
}

func execSwitch(c *core, in *inst) {
	rest := c.mask
	sel := c.one(in.a)
	for i, want := range in.cases {
		var hit uint64
		for l, v := range sel {
			if v == want&in.imm {
				hit |= 1 << l
			}
		}
		if rest&^hit == 0 && rest == c.mask {
			c.jump(in.edges[i+1])
			return
		}
		c.follow(in.edges[i+1], rest&hit)
		rest &^= hit
	}
	if rest == c.mask {
		c.jump(in.edges[0])
		return
	}
	c.follow(in.edges[0], rest)
	c.next()
}

// execCall enters a function with the active lanes. Values of a function have one place each, since no
// function
// calls itself.
func execCall(c *core, in *inst) {
	s := c.s
	for i := 0; i < len(in.args); i += 3 {
		dst, src := c.slots(in.args[i], in.args[i+2]), c.slots(in.args[i+1], in.args[i+2])
		c.merge(dst, src, c.mask)
		if c.valued || c.tracker != nil {
			c.moveKnown(in.args[i], in.args[i+1], in.args[i+2], c.mask)
		}
	}
	target := in.fn.blocks[0]
	back := place{s.b, int(in.imm)}
	if c.w.Track != nil {
		ret := s.b.insts[back.i+1].pc
		c.w.EnterCall(in.pc, ret, target.insts[0].pc, s)
	}
	s.frames = append(s.frames, frame{fn: in.fn, back: back, lanes: c.mask})
	s.b, s.i = target, 0
}

func execReturn(c *core, in *inst) {
	s := c.s
	fr := &s.frames[len(s.frames)-1]
	if in.n > 0 {
		c.merge(c.slots(fr.fn.ret, in.n), c.slots(in.a, in.n), c.mask)
		if c.valued || c.tracker != nil {
			c.moveKnown(fr.fn.ret, in.a, in.n, c.mask)
		}
	}
	fr.returned |= c.mask
	if fr.back.b == nil {
		c.ends(in)
	} else if c.w.Track != nil {
		c.w.LeaveCall(fr.back.b.insts[fr.back.i+1].pc, false)
	}
	c.next()
}

// ends notes where the active lanes end.
func (c *core) ends(in *inst) {
	simt.Lanes(c.mask, func(l int) { c.s.ended[l] = in.pc })
	c.w.PC = in.pc
}

// execKill ends the active lanes, whatever they are in. OpUnreachable does the same: what drivers do there is
// undefined, and lanes that went on would execute another function.
func execKill(c *core, in *inst) {
	c.ends(in)
	c.next()
}

// execBarrier waits for the workgroup.
func execBarrier(c *core, in *inst) {
	execFence(c, in)
	c.w.State = simt.AtBarrier
	c.stop = simt.Event{Kind: simt.BarrierEvent, Wave: c.w, PC: in.pc, Lanes: c.mask}
}

// execWaveBarrier is a barrier of the subgroup, whose active lanes are at it together: it orders what they
// have accessed, and what the semantics say besides.
func execWaveBarrier(c *core, in *inst) {
	if !c.m.Ordered() || in.order == simt.Relaxed {
		return
	}
	if in.scope != simt.WaveScope {
		execFence(c, in)
	}
	c.m.Fence(c.w, simt.Fence{Order: in.order, Scope: simt.WaveScope, Spaces: in.spaces, Lanes: c.mask})
}

func execNothing(*core, *inst) {}
