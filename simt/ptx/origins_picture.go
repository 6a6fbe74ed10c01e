package ptx

import "simtgdb/simt/fidelity"

// pictured follows an instruction on a texture or a surface: what a lane gets may come of all texels that it
// has read, and of what said which.
func (a *auditor) pictured(o *actOrigins, from *fidelity.Lanes, mask uint32) {
	t, u := a.t, a.in.picture
	for i := range u.reads {
		o.source(t, &u.reads[i], from)
	}
	result := *from
	accesses := t.Accesses()
	for i := range accesses {
		x := &accesses[i]
		t.Reached(fidelity.Address, a.pc, text(a.in.src.Text), from, x.Lanes)
		for m := uint32(x.Lanes); m != 0; m &= m - 1 {
			l := first(m)
			if x.Read {
				result[l] = t.Union(result[l], t.Load(x, l, 0, x.Size))
			}
			if x.Write {
				t.Store(x, l, 0, x.Size, result[l])
			}
		}
	}
	a.results(o, &result, mask)
}
