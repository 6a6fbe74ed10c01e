package gcn

import (
	"math/bits"

	"simtgdb/simt"
)

// SDWA selectors: bytes 0 to 3, words 0 and 1, the dword.
const (
	selWord0 = 4
	selWord1 = 5
	selDword = 6
)

// What SDWA does with the part of the destination that it does not select.
const (
	unusedPad = iota
	unusedSext
	unusedPreserve
)

// runModified executes a vector instruction whose encoding changes its
// sources or its results on the way: it fetches them into the core's own
// vectors, changes them there, and merges the changed results.
func runModified(c *Core, in *Inst) {
	w, x, op := c.w, &c.x, in.Op
	m := in.modifiers()
	exec := w.Exec
	c.begin(in)
	for i := range in.src {
		if in.src[i].kind == noOperand {
			break
		}
		exec &= c.fetchModified(in, m, i)
	}
	c.aim(in, false)
	if m.clamp && op.sat != nil {
		op.sat(x)
	} else {
		op.vec(x)
		c.outputModifiers(in, m)
	}
	c.place16(in, m)
	if m.sdwa != nil && in.dst.kind == vectorReg {
		m.sdwa.deposit(x.d, &c.r.V[in.dst.reg])
	}
	if m.dpp != nil {
		exec &= m.dpp.enabled()
	}
	c.store(in, false, exec)
}

// fetchModified makes source i ready in x, and returns the lanes that may
// execute: those for which DPP finds a source.
func (c *Core) fetchModified(in *Inst, m *modifiers, i int) uint64 {
	c.fetch(in, i)
	o, x := &in.src[i], &c.x
	if o.typ == mask || o.typ == mask32 {
		return ^uint64(0)
	}
	lo, hi := x.source(i)
	t0, t1 := &c.tmp[2*i], &c.tmp[2*i+1]
	valid := ^uint64(0)
	if m.dpp != nil && i == 0 {
		valid = m.dpp.permute(c.isa.Target, t0, lo, c.w)
		lo = t0
		if hi != nil {
			m.dpp.permute(c.isa.Target, t1, hi, c.w)
			hi = t1
		}
	}
	if m.sdwa != nil && i < 2 && (m.sdwa.sel[i] != selDword) {
		m.sdwa.extract(t0, lo, i)
		lo = t0
	}
	neg, abs, sel := m.neg>>i&1 != 0, m.abs>>i&1 != 0, m.opSel>>i&1 != 0
	if in.form == VOP3P {
		if o.typ == mixed || o.typ == mixedB {
			lo = m.mix(o, i, t0, lo, x.mode)
		} else {
			lo, hi = m.packed(o.typ, i, t0, t1, lo, hi)
		}
		c.place(i, lo, hi)
		return valid
	}
	if sel && o.typ.is16() {
		for l := range t0 {
			t0[l] = lo[l] >> 16
		}
		lo = t0
	}
	if neg || abs {
		signs(o.typ, neg, abs, t0, t1, &lo, &hi)
	}
	c.place(i, lo, hi)
	return valid
}

// signs applies abs and neg, in that order, to a float source.
func signs(t typ, neg, abs bool, t0, t1 *Vector, lo, hi **Vector) {
	keep, flip := ^uint32(0), uint32(0)
	sign := uint32(1 << 31)
	if t == f16 || t == bf16 {
		sign = 1 << 15
	}
	if abs {
		keep = ^sign
	}
	if neg {
		flip = sign
	}
	d, s := t0, *lo
	if t == f64 {
		d, s = t1, *hi
	}
	for l := range d {
		d[l] = s[l]&keep ^ flip
	}
	if t == f64 {
		*hi = t1
	} else {
		*lo = t0
	}
}

// packed applies the modifiers of VOP3P to a source: OP_SEL and OP_SEL_HI
// choose the halves that the low and the high result are made from, NEG and
// NEG_HI their signs (MI200 ISA, section "VOP3P").
func (m *modifiers) packed(t typ, i int, t0, t1, lo, hi *Vector) (*Vector, *Vector) {
	sel, selHi := m.opSel>>i&1 != 0, m.opSelHi>>i&1 != 0
	neg, negHi := m.neg>>i&1 != 0, m.negHi>>i&1 != 0
	switch t {
	case v2f16, v2bf16, v2i16, v2u16, v2b16:
		low, high := half(sel), half(selHi)
		var flip uint32
		if t == v2f16 || t == v2bf16 {
			flip = signIf(neg)>>16 | signIf(negHi)
		}
		for l := range t0 {
			v := lo[l]
			t0[l] = (v>>low&0xffff | v>>high<<16) ^ flip
		}
		return t0, hi
	case v2f32, v2b32:
		first, second := lo, lo
		if sel {
			first = hi
		}
		if selHi {
			second = hi
		}
		s0, s1 := signIf(neg && t == v2f32), signIf(negHi && t == v2f32)
		for l := range t0 {
			t0[l], t1[l] = first[l]^s0, second[l]^s1
		}
		return t0, t1
	case f32:
		if neg {
			for l := range t0 {
				t0[l] = lo[l] ^ 1<<31
			}
			return t0, hi
		}
	}
	return lo, hi
}

// mix makes a 32-bit float of a source that is one, or, with OP_SEL_HI, a
// 16-bit half of a dword; NEG_HI stands for abs.
func (m *modifiers) mix(o *operand, i int, t, v *Vector, mode uint32) *Vector {
	clearSign, flip := signIf(m.negHi>>i&1 != 0), signIf(m.neg>>i&1 != 0)
	if m.opSelHi>>i&1 == 0 {
		for l := range t {
			t[l] = v[l]&^clearSign ^ flip
		}
		return t
	}
	shift, small, f := half(m.opSel>>i&1 != 0), f16, half16
	if o.typ == mixedB {
		small, f = bf16, brain16
	}
	for l := range t {
		h := uint64(v[l] >> shift & 0xffff)
		if o.kind == constant {
			half, _ := inline(small, uint32(o.reg))
			h = half & 0xffff
		}
		t[l] = uint32(convertFloat(f, single, h, mode))&^clearSign ^ flip
	}
	return t
}

// half is the shift that brings a half down.
func half(high bool) uint {
	if high {
		return 16
	}
	return 0
}

func signIf(neg bool) uint32 {
	if neg {
		return 1 << 31
	}
	return 0
}

// source returns the dwords of source i.
func (x *lanes) source(i int) (lo, hi *Vector) {
	switch i {
	case 0:
		return x.a, x.a1
	case 1:
		return x.b, x.b1
	}
	return x.c, x.c1
}

// outputModifiers applies OMOD and CLAMP to a float result (MI200 ISA,
// sections "Output modifiers" and "Clamp"): OMOD is ignored if the IEEE bit
// of MODE is set or denormal results are kept.
func (c *Core) outputModifiers(in *Inst, m *modifiers) {
	f, ok := formatOf(in.dst.typ)
	if !ok || m.omod == 0 && !m.clamp {
		return
	}
	x := &c.x
	e := envOf(f, x.mode)
	omod := m.omod
	if e.IEEE || e.KeepOut {
		omod = 0
	}
	parts := 1
	if in.dst.typ == v2f16 || in.dst.typ == v2bf16 || in.dst.typ == v2f32 { // both are clamped
		parts = 2
	}
	for l := range x.d {
		v := uint64(x.d[l])
		if typDwords[in.dst.typ] > 1 {
			v |= uint64(x.d1[l]) << 32
		}
		var r uint64
		for p := range parts {
			r |= outputOf(f, v>>(uint(p)*f.Width)&f.All(), omod, m.clamp, x.mode&ModeDX10Clamp != 0,
				e) << (uint(p) * f.Width)
		}
		x.d[l] = uint32(r)
		if typDwords[in.dst.typ] > 1 {
			x.d1[l] = uint32(r >> 32)
		}
	}
}

// place16 puts a 16-bit result into the half of the destination that OP_SEL
// says, where the row leaves the other half alone.
func (c *Core) place16(in *Inst, m *modifiers) {
	op := in.Op
	if op.flag&(opSel|keeps) == 0 || in.dst.kind != vectorReg || !in.dst.typ.is16() {
		return
	}
	x, old := &c.x, &c.r.V[in.dst.reg]
	if m.opSel>>3&1 != 0 || op.flag&high != 0 {
		for l := range x.d {
			x.d[l] = x.d[l]<<16 | old[l]&0xffff
		}
		return
	}
	if m.sdwa != nil {
		return
	}
	for l := range x.d {
		x.d[l] = x.d[l]&0xffff | old[l]&^0xffff
	}
}

// is16 reports whether an operand of the type is one 16-bit value.
func (t typ) is16() bool {
	return t == b16 || t == i16 || t == u16 || t == x16 || t == f16 || t == bf16
}

// extract selects a part of source i.
func (s *sdwa) extract(d, v *Vector, i int) {
	sel, sext := s.sel[i], s.sext[i]
	shift, width := 8*uint(sel), uint(8)
	if sel >= selWord0 {
		shift, width = 16*uint(sel-selWord0), 16
	}
	rest := 32 - width
	for l := range d {
		part := v[l] >> shift << rest
		if sext {
			d[l] = uint32(int32(part) >> rest)
		} else {
			d[l] = part >> rest
		}
	}
}

// deposit makes the whole destination register from its old value and the
// result in d.
func (s *sdwa) deposit(d, old *Vector) {
	if s.dstSel == selDword {
		return
	}
	shift, width := 8*uint(s.dstSel), uint(8)
	if s.dstSel >= selWord0 {
		shift, width = 16*uint(s.dstSel-selWord0), 16
	}
	field := (uint32(1)<<width - 1) << shift
	for l := range d {
		v := d[l] << shift & field
		switch s.dstUnused {
		case unusedSext:
			v = uint32(int32(d[l]<<(32-width))>>(32-width)) << shift
		case unusedPreserve:
			v |= old[l] &^ field
		}
		d[l] = v
	}
}

// DPP controls (MI200 ISA, table "DPP_CTRL enumeration").
const (
	dppRowShl     = 0x100 // + 1..15
	dppRowShr     = 0x110
	dppRowRor     = 0x120
	dppWaveShl    = 0x130
	dppWaveRol    = 0x134
	dppWaveShr    = 0x138
	dppWaveRor    = 0x13c
	dppRowMirror  = 0x140
	dppHalfMirror = 0x141
	dppBcast15    = 0x142
	dppBcast31    = 0x143
	dppNewBcast   = 0x150 // + lane, from gfx90a on
	dppRowShare   = 0x150 // + lane, from gfx10 on
	dppRowXmask   = 0x160 // + what a lane's number is XORed with
)

// source is the lane that lane l reads, -1 if there is none; ok is false for
// a reserved control.
func (p *dpp) source(t Target, l, size int) (from int, ok bool) {
	if p.eight {
		return l&^7 | int(p.lanes>>(3*uint(l&7))&7), true
	}
	row, in := l&^15, l&15
	n := int(p.ctrl & 15)
	inRow := func(i int) int {
		if i < 0 || i > 15 {
			return -1
		}
		return row + i
	}
	switch c := p.ctrl; {
	case t.IsLater() && (c >= dppWaveShl && c < dppRowMirror || c == dppBcast15 || c == dppBcast31):
		return -1, false
	case t.IsLater() && c >= dppRowShare && c < dppRowXmask:
		return row + n, true
	case t.IsLater() && c >= dppRowXmask && c < dppRowXmask+16:
		return row + (in ^ n), true
	case c < dppRowShl:
		return l&^3 + int(c>>(2*uint(l&3))&3), true
	case c > dppRowShl && c < dppRowShr:
		return inRow(in + n), true
	case c > dppRowShr && c < dppRowRor:
		return inRow(in - n), true
	case c > dppRowRor && c < dppWaveShl:
		return row + (in-n)&15, true
	case c == dppWaveShl && l == size-1, c == dppWaveShr && l == 0:
		return -1, true
	case c == dppWaveShl, c == dppWaveRol:
		return (l + 1) & (size - 1), true
	case c == dppWaveShr, c == dppWaveRor:
		return (l - 1) & (size - 1), true
	case c == dppRowMirror:
		return row + 15 - in, true
	case c == dppHalfMirror:
		return l&^7 + 7 - l&7, true
	case c == dppBcast15:
		return row - 1, true
	case c == dppBcast31 && l < 32:
		return -1, true
	case c == dppBcast31:
		return 31, true
	case c >= dppNewBcast && c < dppNewBcast+16 && t&gfx90aP != 0:
		return row + n, true
	}
	return -1, false
}

// permute moves lanes and returns those that got a value: where the source
// lane does not exist or is not active, that is 0 with BOUND_CTRL, and
// nothing without it.
func (p *dpp) permute(t Target, d, v *Vector, w *simt.Wave) (valid uint64) {
	var r Vector
	for l := range r {
		from, _ := p.source(t, l, w.Size)
		if from >= 0 && from < w.Size && (p.inactive || w.Exec>>from&1 != 0) {
			r[l] = v[from&63]
			valid |= 1 << l
		} else if p.boundCtrl {
			valid |= 1 << l
		}
	}
	*d = r
	return valid
}

// enabled is the mask of lanes that ROW_MASK and BANK_MASK let write.
func (p *dpp) enabled() uint64 {
	var m uint64
	for b := uint(p.bankMask); b != 0; b &= b - 1 {
		m |= 0xf << (4 * uint(bits.TrailingZeros(b)))
	}
	var all uint64
	for r := uint(p.rowMask); r != 0; r &= r - 1 {
		all |= m << (16 * uint(bits.TrailingZeros(r)))
	}
	return all
}
