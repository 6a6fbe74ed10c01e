package gcn

import (
	"fmt"

	"simtgdb/simt"
)

// Named barriers (gfx1250; LLVM, "AMDGPU Execution Synchronization"): objects of a workgroup that have
// numbers, each with how many arrivals it waits for. A wave that has joined one may wait for its completion;
// any wave may arrive.
const namedBarriers = 16

// A namedBarrier is one of them. The workgroup's first wave keeps them.
type namedBarrier struct {
	members, signals uint8
	came             uint64 // waves that have signalled since it was last complete, by place: for observers
}

const (
	barrierIDs   = 0x1f
	memberShift  = 16 // of M0, and of the count of signals in the state
	memberCounts = 0x7f
	clusterUser  = -3 // barriers of a cluster, which no workgroup is in
	clusterTrap  = -4
)

// namedBarrier is the barrier that an operand names, and the members that M0 counts; nil if it is none.
// Number 0 stands for none, of which ok is true.
func (c *Core) namedBarrier(in *Inst) (b *namedBarrier, id, members uint8, ok bool) {
	o := &in.src[0]
	id, members = uint8(c.s32(o)), 0
	if m0 := c.r.S[regM0]; o.kind == scalarReg && o.reg == regM0 {
		id, members = uint8(m0&barrierIDs), uint8(m0>>memberShift&memberCounts)
	} else if in.Op.Name == "s_barrier_init" {
		members = uint8(m0 >> memberShift & memberCounts)
	}
	if c.isa.Target != GFX1250 || id > namedBarriers {
		return nil, 0, 0, false
	}
	if id == 0 {
		return nil, 0, 0, true
	}
	return &c.groupBarriers()[id-1], id, members, true
}

func (c *Core) groupBarriers() *[namedBarriers]namedBarrier { return &regsOf(c.w.Group.Waves[0]).named }

// initNamed is s_barrier_init.
func initNamed(c *Core, in *Inst) {
	b, _, members, ok := c.namedBarrier(in)
	if !ok {
		unknown(c, in)
	} else if b != nil {
		if members != 0 {
			b.members = members
		}
		b.signals, b.came = 0, 0
	}
}

// joinNamed is s_barrier_join: a wave is a member of one barrier at a time.
func joinNamed(c *Core, in *Inst) {
	_, id, _, ok := c.namedBarrier(in)
	if !ok {
		unknown(c, in)
		return
	}
	c.r.barrier.joined, c.r.barrier.complete = id, false
}

// signalNamed is s_barrier_signal of a named barrier.
func (c *Core) signalNamed(in *Inst, first bool) {
	b, id, members, ok := c.namedBarrier(in)
	if !ok {
		unknown(c, in)
		return
	}
	if first {
		setSCC(c.r, b != nil && b.signals == 0)
	}
	if b == nil {
		return
	}
	c.orderGroup(0)
	if members != 0 {
		b.members = members
	}
	b.signals++
	b.came |= 1 << (c.w.Index & 63)
	c.completeNamed(b, id)
}

// completeNamed lets those go on who wait at a named barrier, if all have come that it waits for.
func (c *Core) completeNamed(b *namedBarrier, id uint8) {
	if b.signals < b.members || b.signals == 0 {
		return
	}
	var met []*simt.Wave
	for _, w := range c.w.Group.Waves {
		r := regsOf(w)
		joined := w.State != simt.Ended && r.barrier.joined == id
		if joined || b.came>>(w.Index&63)&1 != 0 {
			met = append(met, w)
		}
		if !joined {
			continue
		}
		r.barrier.complete = true
		if r.barrier.stands {
			r.barrier.stands, w.State = false, simt.Ready
		}
	}
	b.signals, b.came = 0, 0
	if c.m.Ordered() {
		c.m.Opened(simt.Meeting{Waves: met, Anywhere: true})
	}
}

// waitNamed is s_barrier_wait for the barrier that the wave has joined. It waits before the instruction,
// which is executed again when the barrier is complete, or when no other wave of the workgroup is left that
// could make it so.
func (c *Core) waitNamed(in *Inst) {
	s := &c.r.barrier
	if s.joined == 0 || s.complete {
		s.complete, s.stands = false, false
		c.w.PC = in.PC + uint64(in.Size)
		return
	}
	if s.stands && c.allStand() {
		b := &c.groupBarriers()[s.joined-1]
		s.stands = false
		c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: c.w.Exec, Addr: in.PC, Text: fmt.Sprintf(
			"%v: named barrier %d has %d signals of %d, and all waves of the workgroup wait", in, s.joined,
			b.signals, b.members)})
		return
	}
	s.stands = true
	c.w.PC, c.w.State = in.PC, simt.AtBarrier
	c.stopAt(simt.BarrierEvent)
}

// allStand reports whether all waves of the workgroup that have not ended wait at named barriers.
func (c *Core) allStand() bool {
	for _, w := range c.w.Group.Waves {
		if w.State != simt.Ended && !regsOf(w).barrier.stands {
			return false
		}
	}
	return true
}

// leaveNamed is s_barrier_leave: the barrier that the wave has joined waits for one less.
func leaveNamed(c *Core, in *Inst) {
	if c.isa.Target != GFX1250 {
		unknown(c, in)
		return
	}
	s := &c.r.barrier
	last := false
	if s.joined != 0 {
		b, id := &c.groupBarriers()[s.joined-1], s.joined
		if b.members > 0 {
			b.members--
		}
		last = b.members == 0
		s.joined, s.complete = 0, false
		c.completeNamed(b, id)
	}
	setSCC(c.r, last)
}

// barrierStateOf is what s_get_barrier_state says of a barrier (RDNA 4 ISA, "S_GET_BARRIER_STATE").
func barrierStateOf(signals, members uint32) uint32 { return signals<<memberShift | members<<4 | 1 }
