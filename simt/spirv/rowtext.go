package spirv

import "simtgdb/simt/rows"

// Rows is what instructions become as row code, by their addresses, a line for each operation. Others the
// core executes as they are.
func (p *Program) Rows() map[uint64][]string {
	all, l := map[uint64][]string{}, newLowerer(p)
	for _, b := range p.blocks {
		l.findNear(b)
	}
	for _, b := range p.blocks {
		l.block, l.masks = b, map[int32]int32{}
		for i := range b.insts {
			in := &b.insts[i]
			r := l.inst(in)
			if !r.Known || rows.Verify(&rows.Unit{Insts: []rows.Inst{r}}, p.slots, p.masks()) != nil {
				continue
			}
			for k := range r.Ops {
				all[in.pc] = append(all[in.pc], r.Ops[k].String())
			}
			switch r.Flow {
			case rows.Jump:
				all[in.pc] = append(all[in.pc], "go on")
			case rows.Branch:
				for c := range r.Cases() {
					all[in.pc] = append(all[in.pc], "branch by "+c.Cond.String())
				}
			}
		}
	}
	return all
}
