package gcn

import (
	"simtgdb/simt"
	"simtgdb/simt/native"
)

// Vector instructions whose first source is that of other lanes (DPP): for AVX-512, while all lanes are
// active. Which lanes read which others, and which write, is known then.

var vpermd = ins(2, 1, 0x36)

// dppInst makes the code of one that is an operation of package vec otherwise.
func (t *translator) dppInst(in *Inst) bool {
	if t.octets || in.mod == nil || in.mod.dpp == nil || in.fast != nil || in.sdst.kind != noOperand ||
		in.dst.kind != vectorReg || in.src[0].kind != vectorReg {
		return false
	}
	plain, m := *in, *in.mod
	p := m.dpp
	m.dpp = nil
	plain.mod = &m
	if plain.fastExec(); plain.fast == nil || typDwords[in.dst.typ] > 1 || in.writesExec() ||
		plain.fast.changes != [3]*srcChange{} || t.mode&plain.fast.mode != plain.fast.want {
		return false
	}
	t.OpImm(native.CMP, t.laneWidth(), regMask, -1)
	t.Jcc(native.NE, t.unlessDone(in, 0))
	from := make([]int, t.lanes)
	all := ^uint64(0) >> (simt.MaxLanes - t.lanes)
	write := p.enabled() & all
	for l := range from {
		if from[l], _ = p.source(t.c.isa.Target, l, t.lanes); from[l] < 0 && !p.boundCtrl {
			write &^= 1 << l
		}
	}
	s := t.permute(int(in.src[0].reg), from)
	t.first = &s
	defer func() { t.first = nil }()
	if write != all {
		t.MovImm(native.RAX, write)
		t.quartersOf(native.RAX)
	}
	if !t.vectorInst(&plain) {
		return false
	}
	if write != all {
		t.changed(int(in.dst.reg)) // the quad with the result has not got what lanes keep that do not write
		t.quarters()
	}
	return true
}

// permute brings a row into a quad of its own with the lanes that each one reads, 0 where there is none.
func (t *translator) permute(row int, from []int) source {
	s := t.row(row)
	d := t.quad(t.rows.take())
	t.rows.pinned[t.quadOf(s)] = false
	at := len(t.pool)
	for _, l := range from {
		t.pool = append(t.pool, uint32(max(l, 0)&15))
	}
	for q := range t.parts {
		t.V(vpxord, d.at(q), d.at(q), native.InReg(d.at(q)), 0)
		t.V(vmovdqu32, 17, 0, native.InMem(native.Mem{Base: regPool, Disp: int32(4 * (at + 16*q))}), 0)
		for quarter := range t.parts {
			var lanes uint64
			for l := range 16 {
				if f := from[16*q+l]; f >= 0 && f/16 == quarter {
					lanes |= 1 << l
				}
			}
			if lanes != 0 {
				t.MovImm(native.RCX, lanes)
				t.KmovTo16(5, native.RCX)
				t.V(vpermd, d.at(q), 17, native.InReg(s.at(quarter)), 5)
			}
		}
	}
	return d
}
