package spirv

import (
	"sync"

	"simtgdb/simt/rows"
	"simtgdb/simt/vec"
)

// Instructions that have row code are executed as that by the core as well, where the processor has assembly
// for its operations: those that the loops in Go, which define what instructions do, have for few lanes at a
// time.

// allLanes is the mask of so many lanes.
func allLanes(n int) uint64 { return ^uint64(0) >> (64 - n) }

// A stepper makes the row code of blocks ready when they are first executed.
type stepper struct {
	sync.Mutex
	low *lowerer // nil before the first
	rows.Stepping
}

// step makes those instructions of a block that have row code be executed as that.
func (b *block) step(p *Program) {
	b.stepped.Do(func() {
		if vec.Current() < vec.AVX2 {
			return
		}
		s := &p.stepper
		s.Lock()
		defer s.Unlock()
		if s.low == nil {
			s.low = newLowerer(p)
			s.low.constants = nil // a debugger may write them
		}
		for i := range b.insts {
			in := &b.insts[i]
			if in.n == 0 && in.chain == nil || in.flags != 0 || in.mem != nil ||
				in.chain != nil && in.chain.standing {
				continue
			}
			s.low.masks = map[int32]int32{}
			r := s.low.inst(in)
			if !r.Known || len(r.Ops) == 0 ||
				rows.Verify(&rows.Unit{Insts: []rows.Inst{r}}, p.slots, p.masks()) != nil {
				continue
			}
			if in.steps = s.Steps(r.Ops); in.steps != nil {
				in.exec = execSteps
			}
		}
	})
}

func execSteps(c *core, in *inst) { c.steps.Run(in.steps, c.f, c.lanes, c.writes) }
