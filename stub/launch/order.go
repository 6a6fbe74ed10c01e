package launch

import "simtgdb/simt"

// hasAtomics tells whether the kernel may come to an atomic operation on global memory, or to another
// instruction by which the order of workgroups can be seen.
func (p *Program) hasAtomics() bool {
	if p.ordered == nil {
		found := p.findOrder(p.codeShowsOrder)
		p.ordered = &found
	}
	return *p.ordered
}

// findOrder is hasAtomics. It asks whether any code that there is shows the order if the machine does not
// know what the kernel comes to.
func (p *Program) findOrder(anywhere func() bool) bool {
	if r, ok := p.Machine.ISA().(simt.OrderReacher); ok {
		if shows, known := r.ReachesOrder(p.Machine.Dispatch.Entry); known {
			return shows
		}
	}
	return anywhere()
}

// codeShowsOrder looks at all functions that there are: which ones the kernel calls is only known at run
// time.
func (p *Program) codeShowsOrder() bool {
	isa := p.Machine.ISA()
	for _, r := range p.Memory.Regions() {
		if r.Perm&simt.PermExec != 0 && showsOrder(isa, r) {
			return true
		}
	}
	return false
}

// showsOrder reports whether a region of code has an instruction by which the order of workgroups can be
// seen.
func showsOrder(isa simt.ISA, r *simt.Region) bool {
	look := func(code []byte, pc uint64) (bool, int, error) {
		in, err := isa.Inst(code, pc)
		return in.GlobalAtomic, in.Size, err
	}
	if o, ok := isa.(simt.OrderShower); ok {
		look = o.ShowsOrder
	}
	for code := r.Data; len(code) > 0; {
		shows, size, err := look(code, r.End()-uint64(len(code)))
		if err != nil {
			size = min(isa.Align(), len(code))
		} else if shows {
			return true
		}
		code = code[size:]
	}
	return false
}
