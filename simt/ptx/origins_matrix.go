package ptx

import "simtgdb/simt/fidelity"

// together follows an instruction on a matrix: each lane's part of what comes of it may come of all that any
// lane has given.
func (a *auditor) together(o *actOrigins, from *fidelity.Lanes, mask uint32) {
	t := a.t
	for i := range a.in.matrix.reads {
		o.source(t, &a.in.matrix.reads[i], from)
	}
	var at fidelity.Lanes
	o.source(t, &a.in.s[0], &at)
	var all fidelity.Origins
	for m := mask; m != 0; m &= m - 1 {
		all = t.Union(all, t.Union(from[first(m)], at[first(m)]))
	}
	accesses := t.Accesses()
	for i := range accesses {
		x := &accesses[i]
		t.Reached(fidelity.Address, a.pc, text(a.in.src.Text), &at, x.Lanes)
		for m := uint32(x.Lanes); m != 0 && x.Read; m &= m - 1 {
			all = t.Union(all, t.Load(x, first(m), 0, x.Size))
		}
	}
	for i := range accesses {
		x := &accesses[i]
		for m := uint32(x.Lanes); m != 0 && x.Write; m &= m - 1 {
			t.Store(x, first(m), 0, x.Size, all)
		}
	}
	var result fidelity.Lanes
	t.JoinAll(&result, all, fullMask)
	a.results(o, &result, mask)
}
