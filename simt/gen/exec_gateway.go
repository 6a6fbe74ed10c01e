package gen

import (
	"fmt"

	"simtgdb/simt"
)

// Named barriers of Xe-HPC (vISA, "nbarrier"): a workgroup has some, by number. Each opens when as many
// producers and as many consumers have signalled as the messages say; consumers wait for that. Number 0 is
// the barrier of all threads.
const namedBarriers = 32

// A namedBarrier is one of them. The workgroup's first thread keeps them.
type namedBarrier struct {
	producers, consumers uint8  // that have signalled
	came, waits          uint64 // the threads that have, and of them those that consume, by their place
}

// The fields of a signal, in dword 2 of its payload.
const (
	signalBarrier   = 2 * 4 // where it is
	signalID        = 0xff
	signalRole      = 14 // 0: both, 1: producer, 2: consumer
	signalProducers = 16
	signalConsumers = 24
)

func (c *Core) groupBarriers() *[namedBarriers]namedBarrier { return &regsOf(c.w.Group.Waves[0]).named }

// runBarrier executes a signal: the thread has come to a barrier.
func runBarrier(c *Core, in *Inst) {
	c.fence()
	signal := uint32(0)
	if in.gen.wide {
		signal = c.r.u32(in.gen.grf(int(in.src[0].reg)) + signalBarrier)
	}
	id := signal & signalID
	if !in.gen.wide || id == 0 {
		c.r.arrived = true
		return
	}
	if id >= namedBarriers {
		c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: c.w.Exec, Addr: in.PC,
			Text: fmt.Sprintf("%s: there is no barrier %d", in.trimmed(), id)})
		return
	}
	b, me := &c.groupBarriers()[id], uint64(1)<<(c.w.Index&63)
	role := signal >> signalRole & 3
	b.came |= me
	if role != 2 {
		b.producers++
	}
	if role != 1 {
		b.consumers++
		b.waits |= me
		c.r.notified &^= 1 << id
	}
	if b.producers >= uint8(signal>>signalProducers) && b.consumers >= uint8(signal>>signalConsumers) {
		c.openNamed(b, uint8(id))
	}
}

// openNamed lets the consumers of a barrier go on.
func (c *Core) openNamed(b *namedBarrier, id uint8) {
	var met []*simt.Wave
	for _, w := range c.w.Group.Waves {
		if b.came>>(w.Index&63)&1 != 0 {
			met = append(met, w)
		}
		if b.waits>>(w.Index&63)&1 == 0 {
			continue
		}
		r := regsOf(w)
		r.notified |= 1 << id
		if r.standsAt == id {
			r.standsAt, w.State = 0, simt.Ready
		}
	}
	*b = namedBarrier{}
	if c.m.Ordered() {
		c.otherwise()
		c.m.Opened(simt.Meeting{Waves: met, Barrier: id, Anywhere: true})
	}
}

// waitsFor is the number of the barrier that an instruction waits for.
func (c *Core) waitsFor(in *Inst) uint32 {
	switch o := &in.src[0]; {
	case !in.gen.wide, o.isNull():
		return 0
	case o.place == immediate:
		return uint32(o.imm) & signalID
	case o.place == inGRF:
		return uint32(readInt(c.r.file[in.gen.grf(int(o.reg))+int(o.sub):], o.typ)) & signalID
	}
	return namedBarriers
}

// waitNamed waits for a named barrier. It does so before the instruction, which is executed again when the
// barrier has opened, or when no other thread of the workgroup is left that could open it.
func (c *Core) waitNamed(in *Inst, id uint32) {
	r := c.r
	if id < namedBarriers && r.notified>>id&1 != 0 {
		r.notified &^= 1 << id
		r.standsAt = 0
		c.goOn(in)
		return
	}
	b := namedBarrier{}
	if id < namedBarriers {
		b = c.groupBarriers()[id]
	}
	if b.waits>>(c.w.Index&63)&1 == 0 || r.standsAt == uint8(id) && c.allStand() {
		r.standsAt = 0
		c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: c.w.Exec, Addr: in.PC, Text: fmt.Sprintf(
			"%s waits for a notification that nobody sends: %d producers and %d consumers have come to "+
				"barrier %d",
			in.trimmed(), b.producers, b.consumers, id)})
		return
	}
	r.standsAt = uint8(id)
	c.w.PC, c.w.State = in.PC, simt.AtBarrier
	c.stop.Kind, c.stop.Lanes = simt.BarrierEvent, c.w.Exec
}

// allStand reports whether all threads of the workgroup that have not ended wait at named barriers.
func (c *Core) allStand() bool {
	for _, w := range c.w.Group.Waves {
		if w.State != simt.Ended && regsOf(w).standsAt == 0 {
			return false
		}
	}
	return true
}
