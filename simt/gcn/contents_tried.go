package gcn

import (
	"math/bits"

	"simtgdb/simt/contents"
)

// What is computed from a number of which a part has no contents. Which bits of the result come from it the
// instruction shows that is executed with several values in its place: what comes out different depends on
// them, for certain. What would differ only for values that are not tried is not found.

// A partTrial is such a try.
type partTrial struct {
	lanes, mere uint64 // in which a source lacks something, and in which of these all that lacks is mere
	half        uint64 // in which of these some is a half that is nobody's
	from        uint64
	sources     []int    // registers that lack something
	kept        []Vector // what they have

	result, first [2]Vector // of the destination's dwords: what they had, and what the first try gave
	differs       [2]Vector
	mask, others  uint64 // of a result that is a mask
	scalars       [256]uint32
}

// placing are the instructions that give bits of their sources other places, and compute nothing: what is
// mere stays so. Those that shift make a number of it if what were whole bytes are none any more.
var placing = map[string]bool{"v_and_b32": true, "v_or_b32": true, "v_or3_b32": true,
	"v_lshl_or_b32": true, "v_and_or_b32": true, "v_bfi_b32": true, "v_perm_b32": true, "v_cndmask_b32": true,
	"v_lshlrev_b32": true, "v_lshrrev_b32": true, "v_lshlrev_b64": true, "v_lshrrev_b64": true,
	"v_bfe_u32": true, "v_mov_b32": true}

// eachTried calls f for the vector registers that count for what an instruction of a kind gives.
func (in *Inst) eachTried(kind valueKind, f func(reg int)) {
	all := func(o *operand, n int) {
		if o.kind == vectorReg {
			for i := range n {
				f(int(o.reg) + i)
			}
		}
	}
	switch kind {
	case valueLow:
		all(&in.src[1], 1)
	case valueBits, valueChoice:
		all(&in.src[0], 1)
		all(&in.src[1], 1)
	case valueAny, valueCompare, valueProduct, valueInserted, valueTried:
		for i := range in.src {
			all(&in.src[i], max(typDwords[in.src[i].typ], 1))
		}
		if in.Op.flag&readsDst != 0 || in.keepsBits() != 0 {
			all(&in.dst, max(typDwords[in.dst.typ], 1))
		}
	}
}

// find finds the sources that lack something in lanes that execute.
func (t *partTrial) find(c *Core, s *valueState, in *Inst, kind valueKind) {
	t.lanes, t.mere, t.half, t.from = 0, ^uint64(0), 0, 0
	t.sources, t.kept = t.sources[:0], t.kept[:0]
	in.eachTried(kind, func(reg int) {
		if reg >= min(registersFollowed, len(c.r.V)) {
			return
		}
		parts, mere := s.parts.lanes[reg]&c.w.Exec, uint64(0)
		lanes := parts
		if kind == valueTried {
			lanes |= s.lanes[reg] & c.w.Exec
		}
		if lanes == 0 {
			return
		}
		if parts != 0 {
			mere = parts & s.parts.of[reg].mere
			t.half |= parts & s.parts.of[reg].half
		}
		t.lanes |= lanes
		t.mere &^= lanes &^ mere
		t.from = s.from[reg]
		t.sources, t.kept = append(t.sources, reg), append(t.kept, c.r.V[reg])
	})
}

// tryParts finds what of a result comes of parts of registers without contents, for afterValues, or what of a
// mask. What decides which lanes execute is told of at once.
func (c *Core) tryParts(s *valueState, in *Inst, execute func(*Core, *Inst), now *valuesNow) {
	t := &c.trial
	if in.Op.vec == nil || in.form >= DS {
		return
	}
	if t.find(c, s, in, now.kind); t.lanes == 0 {
		return
	}
	exec, stop, dwords := c.w.Exec, c.stop, 0
	if in.dst.kind == vectorReg {
		dwords = min(max(typDwords[in.dst.typ], 1), len(t.result))
	}
	t.scalars, t.others, t.differs = c.r.S, 0, [2]Vector{}
	for i := range dwords {
		t.result[i] = c.r.V[int(in.dst.reg)+i]
	}
	for p := range contents.Fills {
		for i, reg := range t.sources {
			t.fill(p, i, s, reg, t.lanes&exec, &c.r.V[reg])
		}
		execute(c, in)
		t.compare(c, in, p, dwords)
		for i := range dwords {
			c.r.V[int(in.dst.reg)+i] = t.result[i]
		}
		for i, reg := range t.sources {
			c.r.V[reg] = t.kept[i]
		}
		if c.r.S = t.scalars; c.w.Exec != exec {
			setExec(c.w, exec)
		}
		c.stop = stop
	}
	t.found(c, in, now, dwords)
}

// fill puts the p-th value in the place of what source i lacks.
func (t *partTrial) fill(p, i int, s *valueState, reg int, lanes uint64, v *Vector) {
	for m := lanes; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		lacks := s.lacking(reg, l)
		v[l] = v[l]&^lacks | uint32(contents.Filled(p, i, uint64(lacks)))&lacks
	}
}

// compare notes in what the p-th execution differs from the first.
func (t *partTrial) compare(c *Core, in *Inst, p, dwords int) {
	var mask uint64
	switch {
	case in.sdst.kind == scalarReg:
		mask = c.laneMask(uint8(in.sdst.reg))
	case in.writesExec():
		mask = c.laneMask(regExec)
	}
	if p == 0 {
		t.mask = mask
	}
	t.others |= mask ^ t.mask
	for i := range dwords {
		v := &c.r.V[int(in.dst.reg)+i]
		if p == 0 {
			t.first[i] = *v
		}
		for m := t.lanes; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			t.differs[i][l] |= v[l] ^ t.first[i][l]
		}
	}
}

// found notes what has been found.
func (t *partTrial) found(c *Core, in *Inst, now *valuesNow, dwords int) {
	if now.kind == valueCompare {
		if others := t.others & t.lanes; others != 0 {
			now.lanes |= others
			now.from = t.from
			if in.writesExec() {
				now.decided = c.decides(in, others, t.from)
			}
		}
		return
	}
	now.tried, now.triedFrom = dwords, t.from
	for i := range dwords {
		to := &c.lack.pieces[i]
		to.lanes, to.mere, to.half = 0, 0, 0
		for m := t.lanes &^ now.lanes; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			lacks := t.differs[i][l]
			if lacks == 0 {
				continue
			}
			at, whole := uint64(1)<<l, bitsOfBytes(bytesOfBits(lacks))
			to.lanes |= at
			to.bits[l] = lacks
			switch nobodys := lacks&0xff == 0; {
			case nobodys && now.kind == valueTried && (now.packs || in.givesHalves()):
				to.bits[l], to.mere, to.half = whole, to.mere|at, to.half|at
			case placing[in.Op.Name] && t.mere&at != 0 && whole == lacks && (nobodys || t.half&at == 0):
				to.mere |= at
				to.half |= at & t.half
			}
		}
	}
}

// setTried says of a vector register what has been found: it has nothing where all of its bits come of what
// has not been written, and are no padding.
func (s *valueState) setTried(at int, p *piece, from uint64) {
	var whole uint64
	for m := p.lanes &^ p.mere; m != 0; m &= m - 1 {
		if l := bits.TrailingZeros64(m) & 63; p.bits[l] == ^uint32(0) {
			whole |= 1 << l
		}
	}
	if whole != 0 {
		s.setLanes(at, whole, whole, from)
	}
	s.setPart(at, p, from)
}
