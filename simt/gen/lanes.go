package gen

import "simtgdb/simt"

// Channels: which execute an instruction, and where the others wait.

// all are the channels of an instruction, from its first one on.
func (in *Inst) all() uint32 { return uint32(uint64(1)<<in.width - 1) }

// enabled are the channels of the instruction that are switched on, before
// predication; bit 0 is its first one.
func (c *Core) enabled(in *Inst) uint32 {
	if in.noMask {
		return in.all()
	}
	return uint32(c.w.Exec>>in.first) & in.all()
}

// channels are those that execute the instruction.
func (c *Core) channels(in *Inst) uint32 {
	m := c.enabled(in)
	if in.pred != 0 {
		m &= c.predicate(in)
	}
	return m
}

// flagShift is the first channel's bit of all flags.
func (in *Inst) flagShift() int { return 16*int(in.flag) + in.first }

// flagPair is which two of the flag registers the instruction has, and the first channel's bit there.
func (in *Inst) flagPair() (pair, shift int) { return int(in.flag) >> 2, in.flagShift() & 63 }

// predicate is the instruction's predicate for each of its channels.
func (c *Core) predicate(in *Inst) uint32 {
	pair, shift := in.flagPair()
	flags := c.r.flagPair(pair)
	p := uint32(flags>>shift) & in.all()
	switch m := in.gen.predModes[in.pred]; {
	case m.vertical:
		// The other flag register's bits of the same channels.
		other := uint32(flags>>((shift+32)&63)) & in.all()
		if m.every {
			p &= other
		} else {
			p |= other
		}
	case m.group > 0:
		// Of all channels of a group, also of those that are none of the instruction's.
		p = grouped(uint32(flags>>(shift-in.first)), m.group, m.every) >> in.first & in.all()
	}
	if in.invert {
		p = ^p & in.all()
	}
	return p
}

// A predMode is how channels' predicates are combined (PRM volume 7,
// "Predication").
type predMode struct {
	group    int // channels whose flags count for each of them
	every    bool
	vertical bool // over both flag registers
}

var gen9PredModes = [16]predMode{2: {vertical: true}, 3: {vertical: true, every: true}, 4: {group: 2},
	5: {group: 2, every: true}, 6: {group: 4}, 7: {group: 4, every: true}, 8: {group: 8},
	9:  {group: 8, every: true},
	10: {group: 16}, 11: {group: 16, every: true}, 12: {group: 32}, 13: {group: 32, every: true}}

// hpcPredModes are Xe-HPC's: of all channels, whatever the instruction has.
var hpcPredModes = [16]predMode{2: {group: 32}, 3: {group: 32, every: true}}

// grouped gives every channel of a group whether any, or every, one is on.
func grouped(p uint32, group int, every bool) uint32 {
	out, ones := uint32(0), uint32(uint64(1)<<group-1)
	for at := 0; at < maxChannels; at += group {
		bits := p >> at & ones
		if bits == ones || !every && bits != 0 {
			out |= ones << at
		}
	}
	return out
}

// setFlags gives the flags of the channels in mask the values of bits.
func (c *Core) setFlags(in *Inst, mask, bits uint32) {
	pair, s := in.flagPair()
	f := c.r.flagPair(pair)
	c.r.setFlagPair(pair, f&^(uint64(mask)<<s)|uint64(bits&mask)<<s)
}

// arrive switches channels on that wait where the thread is now, and finds the
// next address at which one waits.
func (r *Regs) arrive(w *simt.Wave) {
	r.wake = noWake
	if w.Exec == w.Valid {
		return
	}
	pc := uint32(w.PC)
	for l := range w.Size {
		bit := uint64(1) << l
		if w.Exec&bit != 0 || w.Valid&bit == 0 || r.callMask>>l&1 == 0 {
			continue
		}
		switch ip := r.ip[l]; {
		case ip == pc:
			w.Exec |= bit
		case ip > pc && ip < r.wake:
			r.wake = ip
		}
	}
}

// park makes the channels of mask wait at an address.
func (c *Core) park(in *Inst, mask uint64, at uint32) {
	for l := range c.w.Size {
		if mask>>l&1 != 0 {
			c.r.ip[l], c.r.from[l] = at, uint32(in.PC)
		}
	}
	c.w.Exec &^= mask
	if c.w.Exec == 0 && mask != 0 && c.w.Track != nil {
		c.w.Track.Last = mask & c.w.Valid
	}
}

// jump moves the thread; the channels that are on go along, and those that
// wait there are switched on.
func (c *Core) jump(to uint32) {
	c.w.PC = uint64(to)
	before := c.w.Exec
	c.r.arrive(c.w)
	if c.w.Exec != before && c.m.Ordered() {
		c.inStep()
	}
}

// inStep tells that channels that went different ways execute in step from here on.
func (c *Core) inStep() {
	c.otherwise()
	c.m.Together(c.w, c.w.Exec)
}

// waiting reports whether a channel waits at an address.
func (c *Core) waiting(at uint32) bool {
	for l := range c.w.Size {
		if c.w.Exec>>l&1 == 0 && c.w.Valid>>l&1 != 0 && c.r.callMask>>l&1 != 0 && c.r.ip[l] == at {
			return true
		}
	}
	return false
}
