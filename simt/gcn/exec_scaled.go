package gcn

import (
	"math"
	"math/bits"
	"slices"
	"strings"

	"simtgdb/simt/softfloat"
)

// The conversions of gfx950 between small floats and others, with a scale: the
// exponent of a single (CDNA4 ISA, section "Scaled conversions"; OCP MX 1.0).
// Numbers are divided by 2^scale when they become small ones, and multiplied
// when they become others; a scale of all ones makes NaNs.

// A scaleRule is one of these conversions.
type scaleRule struct {
	small      softfloat.Mini
	wide       format
	count      int  // numbers of a lane
	fromSmall  bool // the small floats are the source
	stochastic bool
	separate   bool // the numbers are in two sources, by turns
	exponents  bool // the scale is one of four exponents in a register (gfx1250)
}

// smallFormats are named in instructions.
var smallFormats = map[string]softfloat.Mini{"fp8": softfloat.FP8, "bf8": softfloat.BF8, "fp6": softfloat.FP6,
	"bf6": softfloat.BF6, "fp4": softfloat.FP4}

var wideFormats = map[string]format{"f32": single, "f16": half16, "bf16": brain16}

// scaledNamed is the conversion that a name after "v_cvt_scalef32_" says.
func scaledNamed(name string) *scaleRule {
	s := &scaleRule{count: 1}
	name, s.stochastic = strings.CutPrefix(name, "sr_")
	parts := strings.Split(name, "_")
	switch parts[0] {
	case "pk":
		s.count = 2
	case "pk8":
		s.count = 8
	case "pk16":
		s.count = 16
	case "pk32", "2xpk16":
		s.count = 32
	}
	to, from := parts[len(parts)-2], parts[len(parts)-1]
	if s.small, s.fromSmall = smallFormats[from]; s.fromSmall {
		s.wide = wideFormats[to]
	} else {
		s.small, s.wide = smallFormats[to], wideFormats[from]
	}
	s.separate = !s.fromSmall && !s.stochastic && (s.count == 2 || s.count == 32) && s.wide == single
	return s
}

// flags are those of the conversion's row: what has less than 32 bits is selected.
func (s *scaleRule) flags() flags {
	switch n := s.count * int(s.small.Width); {
	case n > 16:
		return bare
	case n == 8 && !s.fromSmall:
		return opSel | byteSel | bare
	}
	return opSel | bare
}

// run is one execution.
func (s *scaleRule) run(c *Core, in *Inst) {
	var sel uint
	if in.mod != nil {
		sel = uint(in.mod.opSel)
	}
	if s.exponents && sel > 3 { // what the further scales are is in no public document
		unknown(c, in)
		return
	}
	var src [4][]Vector
	for i := range in.Op.srcCount() {
		src[i] = c.sourceDwords(in, i)
	}
	mode, saturate := c.r.S[regMode], c.r.S[regMode]&ModeOverflow != 0
	scales := src[in.Op.srcCount()-1][0]
	dst := c.registers(&in.dst)
	var numbers [32]float64
	for m := c.w.Exec; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		scale := scales[l] >> single.Mant
		if s.exponents {
			scale = scales[l] >> (8 * sel)
		}
		exponent := int(scale&0xff) - single.Bias()
		isNaN := exponent > single.Bias()
		if s.fromSmall {
			for i := range s.count {
				numbers[i] = s.small.Float(uint64(bitsAt(src[0], l, s.smallAt(i, sel), s.small.Width)))
				numbers[i] = scaleBy(numbers[i], exponent, isNaN)
			}
			s.putWide(dst, l, sel, numbers[:s.count], mode)
			continue
		}
		r := softfloat.Rounding{Saturate: saturate || s.small.Width < 8 && s.count > 8,
			Stochastic: s.stochastic, SourceMant: s.wide.Mant}
		if s.stochastic {
			r.Random = src[1][0][l]
		}
		s.getWide(&src, l, sel, numbers[:s.count])
		s.clearSmall(dst, l, sel)
		for i := range s.count {
			v := s.small.Round(scaleBy(numbers[i], -exponent, isNaN), r)
			depositBits(dst, l, s.smallAt(i, s.target(sel)), s.small.Width, uint32(v))
			if s.count == 8 || s.count == 16 { // each number has random bits of its own
				r.Random = uint32(nextRandom(uint64(r.Random)))
			}
		}
	}
}

// scaleBy is x*2^n, or a NaN with the sign of x.
func scaleBy(x float64, n int, isNaN bool) float64 {
	if isNaN || x != x {
		return math.Copysign(math.NaN(), x)
	}
	return math.Ldexp(x, n)
}

// target is the byte of the destination that OP_SEL[3:2] selects, as a number like that of the source; of 16
// bits OP_SEL[3] selects the half.
func (s *scaleRule) target(sel uint) uint {
	if s.count*int(s.small.Width) > 8 {
		return sel >> 3 & 1
	}
	return sel >> 2 & 3
}

// smallAt is where small number i is: those of 8 or 16 bits in all are in the byte or the half that is
// selected.
func (s *scaleRule) smallAt(i int, sel uint) uint {
	at := uint(i) * s.small.Width
	switch s.count * int(s.small.Width) {
	case 8:
		return at + 8*(sel&3)
	case 16:
		return at + 16*(sel&1)
	}
	return at
}

// clearSmall makes room for small numbers.
func (s *scaleRule) clearSmall(dst []Vector, l int, sel uint) {
	width := uint(s.count) * s.small.Width
	if width < 32 {
		dst[0][l] &^= (1<<width - 1) << s.smallAt(0, s.target(sel))
		return
	}
	for d := range dst {
		dst[d][l] = 0
	}
}

// getWide fetches the numbers of a lane that become small ones: a single one of 16 bits from the half that
// OP_SEL[0] selects.
func (s *scaleRule) getWide(src *[4][]Vector, l int, sel uint, numbers []float64) {
	for i := range numbers {
		from, at := src[0], uint(i)*s.wide.Width
		switch {
		case s.separate:
			from, at = src[i&1], uint(i/2)*s.wide.Width
		case s.count == 1 && s.wide.Width == 16:
			at = 16 * (sel & 1)
		}
		numbers[i] = floatOf(s.wide, uint64(bitsAt(from, l, at, s.wide.Width)))
	}
}

// putWide stores numbers that were small ones: a single one of 16 bits in the half that OP_SEL[3] selects.
func (s *scaleRule) putWide(dst []Vector, l int, sel uint, numbers []float64, mode uint32) {
	shift := uint(0)
	if s.count == 1 && s.wide.Width == 16 {
		shift = 16 * (sel >> 3 & 1)
		dst[0][l] &^= 0xffff << shift
	} else {
		for d := range dst {
			dst[d][l] = 0
		}
	}
	e := envOf(s.wide, mode)
	for i, x := range numbers {
		v := s.wide.NaN() | uint64(math.Float64bits(x)>>63)<<(s.wide.Width-1)
		if x == x {
			v = s.wide.Out(s.wide.Round(x, roundNearest), e)
		}
		depositBits(dst, l, shift+uint(i)*s.wide.Width, s.wide.Width, uint32(v))
	}
}

// sourceDwords fetches all dwords of a source, copied: the destination may overlap it. Neg and abs apply to
// floats.
func (c *Core) sourceDwords(in *Inst, i int) []Vector {
	o := &in.src[i]
	v := slices.Grow(c.sources[i][:0], typDwords[o.typ])[:typDwords[o.typ]]
	c.sources[i] = v
	for d := range v {
		if o.kind == vectorReg {
			v[d] = c.r.V[int(o.reg)+d]
			continue
		}
		v[d] = *c.vector(o, i, min(d, 1))
	}
	if in.mod == nil || o.typ != f32 && o.typ != f16 && o.typ != v2f32 && o.typ != v2f16 {
		return v
	}
	sign := map[typ]uint32{f32: 1 << 31, v2f32: 1 << 31, f16: 1 << 15, v2f16: 1<<31 | 1<<15}[o.typ]
	for d := range v {
		for l := range v[d] {
			if in.mod.abs>>i&1 != 0 {
				v[d][l] &^= sign
			}
			if in.mod.neg>>i&1 != 0 {
				v[d][l] ^= sign
			}
		}
	}
	return v
}
