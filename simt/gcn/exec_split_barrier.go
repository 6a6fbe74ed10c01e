package gcn

import "simtgdb/simt"

// Split barriers (RDNA 4 ISA, section "Barriers"): a wave signals that it has come, and waits later until all
// waves have signalled as often as it has. Each wave counts its own signals and waits.
type splitBarrier struct{ signals, waits uint32 }

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
		case trapBarrier:
			return
		default:
			unknown(c, in)
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
		if w.State == simt.AtBarrier && regsOf(w).barrier.waits <= phase {
			w.State = simt.Ready
		}
	}
}

// waitBarrier executes s_barrier_wait: the wave waits unless all have signalled.
func waitBarrier(c *Core, in *Inst) {
	switch in.simm {
	case workgroupBarrier:
	case trapBarrier:
		c.w.PC = in.PC + uint64(in.Size)
		return
	default:
		unknown(c, in)
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

// barrierState is whether the barrier has no signals, how many waves have signalled, and how many there are.
func barrierState(c *Core, in *Inst) {
	if int32(c.s32(&in.src[0])) != workgroupBarrier {
		unknown(c, in)
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
	c.r.S[uint8(in.dst.reg)] = live<<4&0x7f0 | came<<12
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
