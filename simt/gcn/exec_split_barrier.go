package gcn

import "simtgdb/simt"

// Split barriers (RDNA 4 ISA, section "Barriers"): a wave signals that it has come, and waits later until all
// waves have signalled as often as it has. Each wave counts its own signals and waits.
type splitBarrier struct {
	signals, waits uint32

	joined   uint8 // the named barrier that the wave is a member of, or 0
	complete bool  // it was, since the wave last waited
	stands   bool  // the wave waits at it
}

// The barriers that have numbers of their own.
const (
	workgroupBarrier = -1
	trapBarrier      = -2 // which only trap handlers use
)

// signalBarrier executes s_barrier_signal; first says that SCC becomes whether no other wave came before.
func signalBarrier(first bool) func(*Core, *Inst) {
	return func(c *Core, in *Inst) {
		switch int32(c.s32(&in.src[0])) {
		case workgroupBarrier:
		case trapBarrier, clusterUser, clusterTrap:
			return
		default:
			c.signalNamed(in, first)
			return
		}
		c.orderGroup(0)
		if c.r.barrier.signals++; first {
			came := false
			for _, w := range c.w.Group.Waves {
				came = came || w != c.w && regsOf(w).barrier.signals >= c.r.barrier.signals
			}
			setSCC(c.r, !came)
		}
		c.openSplit(c.r.barrier.signals)
	}
}

// openSplit lets those go on who wait for the phase, if all waves have signalled it.
func (c *Core) openSplit(phase uint32) {
	var live []*simt.Wave
	for _, w := range c.w.Group.Waves {
		if w.State == simt.Ended {
			continue
		}
		if regsOf(w).barrier.signals < phase {
			return
		}
		live = append(live, w)
	}
	if c.m.Ordered() {
		c.m.Opened(simt.Meeting{Waves: live, Anywhere: true})
	}
	for _, w := range live {
		if b := regsOf(w).barrier; w.State == simt.AtBarrier && !b.stands && b.waits <= phase {
			w.State = simt.Ready
		}
	}
}

// waitBarrier executes s_barrier_wait: the wave waits unless all have signalled.
func waitBarrier(c *Core, in *Inst) {
	switch in.simm {
	case workgroupBarrier:
	case trapBarrier, clusterUser, clusterTrap:
		c.w.PC = in.PC + uint64(in.Size)
		return
	default:
		if in.simm <= 0 || c.isa.Target != GFX1250 {
			unknown(c, in)
			return
		}
		c.waitNamed(in)
		return
	}
	c.r.barrier.waits++
	for _, w := range c.w.Group.Waves {
		if w.State != simt.Ended && regsOf(w).barrier.signals < c.r.barrier.waits {
			c.w.State = simt.AtBarrier
			c.stopAt(simt.BarrierEvent)
			return
		}
	}
	c.w.PC = in.PC + uint64(in.Size)
}

// barrierState is how many waves have signalled, how many there are, and that the barrier is one.
func barrierState(c *Core, in *Inst) {
	switch id := int32(c.s32(&in.src[0])); {
	case id == workgroupBarrier:
	case id < 0: // no barriers of this wave
		c.r.S[uint8(in.dst.reg)] = 0
		return
	default:
		b, _, _, ok := c.namedBarrier(in)
		switch {
		case !ok:
			unknown(c, in)
		case b == nil:
			c.r.S[uint8(in.dst.reg)] = 0
		default:
			c.r.S[uint8(in.dst.reg)] = barrierStateOf(uint32(b.signals), uint32(b.members))
		}
		return
	}
	var live, came uint32
	for _, w := range c.w.Group.Waves {
		if w.State != simt.Ended {
			live++
		}
		if b := regsOf(w).barrier; b.signals > c.phase() {
			came++
		}
	}
	c.r.S[uint8(in.dst.reg)] = barrierStateOf(came, live)
}

// phase is how often all waves have signalled.
func (c *Core) phase() uint32 {
	least := ^uint32(0)
	for _, w := range c.w.Group.Waves {
		if w.State != simt.Ended {
			least = min(least, regsOf(w).barrier.signals)
		}
	}
	return least
}
