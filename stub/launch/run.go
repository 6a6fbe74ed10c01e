package launch

import (
	"context"
	"runtime"

	"simtgdb/simt"
)

// Run executes the whole dispatch on a number of workers; 0 means as many as
// there are processors, but one for a kernel whose results may depend on the
// order of its workgroups. It returns the fault or trap that ended the run, or
// an event of kind simt.EndEvent. A kernel that prints runs on one worker.
func (p *Program) Run(ctx context.Context, workers int) (simt.Event, error) {
	if workers == 0 || p.Host.Serves() {
		workers = p.Workers()
	}
	ev, err := p.Machine.Run(ctx, workers)
	p.Host.Flush(true)
	return ev, err
}

// Workers is how many workers run the dispatch unless told otherwise. Code
// with atomic operations on global memory runs on one: what those return
// depends on the order of the workgroups.
func (p *Program) Workers() int {
	if p.hasAtomics() {
		return 1
	}
	return runtime.NumCPU()
}

// hasAtomics tells whether the module's code has an atomic operation on global
// memory. It looks at all functions: which ones the kernel calls is only known
// at run time.
func (p *Program) hasAtomics() bool {
	isa := p.Machine.ISA()
	for _, r := range p.Memory.Regions() {
		if r.Perm&simt.PermExec == 0 {
			continue
		}
		for code := r.Data; len(code) > 0; {
			in, err := isa.Inst(code, r.End()-uint64(len(code)))
			if err != nil {
				code = code[min(isa.Align(), len(code)):]
				continue
			}
			if in.GlobalAtomic {
				return true
			}
			code = code[in.Size:]
		}
	}
	return false
}
