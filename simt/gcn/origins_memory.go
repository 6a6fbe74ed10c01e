package gcn

import (
	"math/bits"
	"strings"

	"simtgdb/simt"
	"simtgdb/simt/fidelity"
)

// maxItem is how many dwords of a lane a vector memory instruction moves at most.
const maxItem = 4

// item are the origins of a lane's dwords, in each lane.
type item [maxItem]fidelity.Lanes

// addressOrigins are where the lanes' addresses come from.
func (s *origins) addressOrigins(in *Inst) (at fidelity.Lanes) {
	m := &in.mem
	vector := func(o *operand, n int) {
		part := *o
		for i := range n {
			part.typ, part.reg = b32, o.reg+uint16(i)
			s.addOperand(&at, &part)
		}
	}
	switch v := &in.src[0]; {
	case in.form == MUBUF, in.form == MTBUF:
		s.addOperand(&at, v)
		n := 0
		for _, has := range []bool{m.idxen, m.offen} {
			if has {
				n++
			}
		}
		if in.src[2].kind == vectorReg {
			vector(&in.src[2], n)
		}
	case v.kind == noOperand: // of lane numbers or one counter, from M0 on
		s.t.JoinAll(&at, s.scalars(regM0, 1), ^uint64(0))
	case v.kind == vectorReg && (m.saddr.kind == scalarReg || in.form == SCRATCH || in.form == DS):
		vector(v, 1)
	case v.kind == vectorReg:
		vector(v, 2)
	}
	s.addOperand(&at, &m.saddr)
	s.addOperand(&at, &m.soffset)
	return at
}

// memoryAfter is a vector memory instruction.
func memoryAfter(c *Core, s *origins, in *Inst, now *outcome, own fidelity.Origins) {
	at := s.addressOrigins(in)
	accesses := s.t.Accesses()
	if in.image != nil {
		s.imageAfter(in, now, accesses)
		return
	}
	if len(accesses) > 0 {
		s.t.Reached(fidelity.Address, in.PC, in, &at, now.exec)
	}
	if in.loadsLDS() && len(accesses) > 0 && accesses[len(accesses)-1].Space == simt.LDS {
		s.intoLDS(accesses, &at)
		return
	}
	two := in.Op.mem != nil && in.Op.mem.places != 0 && len(accesses) == 2
	var got [2]item
	for i := range accesses {
		place := 0
		if two {
			place = i
		}
		s.access(in, &accesses[i], &got[place], s.dataOf(in, place, two), &at, own)
	}
	if in.dst.kind == vectorReg {
		s.loaded(c, in, now, &got, two)
	}
}

// dataOf are where the data that a store or an atomic operation has in registers come from. Of atomic
// operations all that they have counts.
func (s *origins) dataOf(in *Inst, place int, two bool) *item {
	var d item
	o := &in.src[1+place]
	if o.kind == vectorReg && in.src[1].kind == vectorReg {
		for i := range min(max(typDwords[o.typ], 1), maxItem) {
			if from := s.vectorOf(int(o.reg) + i); from != nil {
				d[i] = *from
			}
		}
	}
	if second := &in.src[2]; !two && in.form == DS && second.kind == vectorReg {
		s.addOperand(&d[0], second)
	}
	return &d
}

// access follows one access of an instruction.
func (s *origins) access(in *Inst, a *fidelity.Access, got, data *item, at *fidelity.Lanes,
	own fidelity.Origins) {
	mixes := a.Atomic || in.Op.typed != nil // no dword of its own comes from each of the data
	for m := a.Lanes; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		var all fidelity.Origins
		for i := range maxItem {
			all = s.t.Union(all, data[i][l])
		}
		if mixes {
			old := s.t.Load(a, l, 0, a.Size)
			if a.Write {
				after := s.t.Union(s.t.Union(all, own), at[l])
				if a.Atomic {
					after = s.t.Union(after, old)
				}
				s.t.Store(a, l, 0, a.Size, after)
			}
			for i := range maxItem {
				got[i][l] = s.t.Union(old, at[l])
			}
			continue
		}
		for i := 0; 4*i < a.Size; i++ {
			n := min(a.Size-4*i, 4)
			if a.Write {
				s.t.Store(a, l, 4*i, n, s.t.Union(data[i][l], at[l]))
			} else {
				got[i][l] = s.t.Union(s.t.Load(a, l, 4*i, n), at[l])
			}
		}
	}
}

// loaded sets the origins of the registers that an instruction has loaded.
func (s *origins) loaded(c *Core, in *Inst, now *outcome, got *[2]item, two bool) {
	n := max(typDwords[in.dst.typ], 1)
	keeps := strings.Contains(in.Op.Name, "_d16")
	if strings.Contains(in.Op.Name, "_tr_b") { // what lanes have loaded is exchanged among them
		var all fidelity.Origins
		for i := range n {
			for _, o := range got[0][i] {
				all = s.t.Union(all, o)
			}
		}
		for i := range n {
			s.t.JoinAll(&got[0][i], all, ^uint64(0))
		}
	}
	for i := range n {
		from := &got[0][i%maxItem]
		if half := n / 2; two && i >= half {
			from = &got[1][i-half]
		}
		if keeps {
			s.addOperand(from, &operand{kind: vectorReg, typ: b32, reg: in.dst.reg + uint16(i)})
		}
		s.setVector(int(in.dst.reg)+i, from, now.exec)
	}
}

// intoLDS is a load whose destination is LDS.
func (s *origins) intoLDS(accesses []fidelity.Access, at *fidelity.Lanes) {
	to := &accesses[len(accesses)-1]
	for m := to.Lanes; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		for i := 0; 4*i < to.Size; i++ {
			o := at[l]
			for k := range accesses[:len(accesses)-1] {
				if from := &accesses[k]; from.Lanes>>l&1 != 0 && 4*i < from.Size {
					o = s.t.Union(o, s.t.Load(from, l, 4*i, min(from.Size-4*i, 4)))
				}
			}
			s.t.Store(to, l, 4*i, 4, o)
		}
	}
}

// imageAfter is an image instruction: what a lane gets may come of all texels that it has read, and of what
// said which.
func (s *origins) imageAfter(in *Inst, now *outcome, accesses []fidelity.Access) {
	var at fidelity.Lanes
	in.eachSource(func(o *operand, n int) {
		for i := range n {
			s.addOperand(&at, &operand{kind: o.kind, typ: b32, reg: o.reg + uint16(i)})
		}
	})
	result := at
	for i := range accesses {
		a := &accesses[i]
		s.t.Reached(fidelity.Address, in.PC, in, &at, a.Lanes)
		for m := a.Lanes; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			if a.Read {
				result[l] = s.t.Union(result[l], s.t.Load(a, l, 0, a.Size))
			}
			if a.Write {
				s.t.Store(a, l, 0, a.Size, result[l])
			}
		}
	}
	in.eachResult(func(o *operand, n int) {
		for i := range n {
			s.setVector(int(o.reg)+i, &result, now.exec)
		}
	})
}
