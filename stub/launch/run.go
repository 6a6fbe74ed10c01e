package launch

import (
	"context"
	"fmt"
	"math/bits"
	"runtime"
	"strings"

	"simtgdb/simt"
)

// Run executes the whole dispatch on a number of workers; 0 means as many as
// there are processors, but one for a kernel whose results may depend on the
// order of its workgroups. It returns the fault or trap that ended the run, or
// an event of kind simt.EndEvent. A kernel that prints, or one that is checked
// or followed, runs on one worker.
func (p *Program) Run(ctx context.Context, workers int) (simt.Event, error) {
	if p.checker != nil || p.tracker != nil || p.Spec.Together {
		workers = 1
	} else if workers == 0 || p.Host.Serves() {
		workers = p.Workers()
	}
	if ev, err := p.runBefore(ctx, workers); err != nil || ev.Kind != simt.EndEvent {
		return ev, err
	}
	if p.tracker != nil {
		p.tracker.Follow(p.Machine)
	}
	p.Machine.MayWait = workers > 1 && p.hasAtomics()
	ev, err := p.Machine.Run(ctx, workers)
	p.Host.Flush(true)
	return ev, err
}

// Workers is how many workers run the dispatch unless told otherwise. Code
// with atomic operations on global memory runs on one: what those return
// depends on the order of the workgroups. So does the order of what is printed.
func (p *Program) Workers() int {
	if p.Spec.Together || p.Host.Serves() || p.hasAtomics() {
		return 1
	}
	return runtime.NumCPU()
}

// DescribeWaves says where the waves stand that a run has left, one line for
// those of a workgroup that stand alike; at most limit lines.
func (p *Program) DescribeWaves(limit int) []string {
	type place struct {
		group *simt.Workgroup
		pc    uint64
		state simt.State
	}
	var order []place
	waves, first := map[place][]int{}, map[place]*simt.Wave{}
	for _, w := range p.Machine.Waves() {
		if w.State == simt.Ended {
			continue
		}
		at := place{w.Group, w.PC, w.State}
		if waves[at] == nil {
			order, first[at] = append(order, at), w
		}
		waves[at] = append(waves[at], w.ID)
	}
	var lines []string
	for i, at := range order {
		if len(lines) == limit {
			return append(lines, fmt.Sprintf("and waves at %s", count(len(order)-i, "other place")))
		}
		ids := waves[at]
		which := fmt.Sprintf("wave %d", ids[0])
		if len(ids) > 1 {
			which = fmt.Sprintf("waves %d to %d (%d)", ids[0], ids[len(ids)-1], len(ids))
		}
		text := fmt.Sprintf("%s of workgroup %v, %v: %s",
			which, Dims(at.group.ID), at.state, p.Source.Describe(at.pc))
		w := first[at]
		for _, c := range p.calls(w, bits.TrailingZeros64(w.Active()|1<<63)&(w.Size-1), at.pc) {
			text += ", " + strings.TrimSpace(c.label+" "+c.text)
		}
		lines = append(lines, text)
	}
	return lines
}
