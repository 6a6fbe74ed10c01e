package gcn

import (
	"math"
	"math/big"
	"sync"
)

// Division: the instructions that a compiler puts around Newton's method to
// make a correctly rounded quotient. v_div_scale brings the operands into a
// range in which no step overflows or loses bits, v_div_fmas takes the last
// step and undoes the scale, v_div_fixup puts in the special cases (MI200
// ISA, section "Vector ALU instructions").
var _ = register([]Op{
	{Enc: VOP3, Code: 0x1de, Name: "v_div_fixup_f32", dst: f32, src: srcs(f32, f32, f32),
		vec: float3(single, divFixup)},
	{Enc: VOP3, Code: 0x1df, Name: "v_div_fixup_f64", dst: f64, src: srcs(f64, f64, f64),
		vec: float3(double, divFixup)},
	{Enc: VOP3, Code: 0x1e0, Name: "v_div_scale_f32", dst: f32, src: srcs(f32, f32, f32), flag: writesVCC,
		vec: divScale(single, 96, 23)},
	{Enc: VOP3, Code: 0x1e1, Name: "v_div_scale_f64", dst: f64, src: srcs(f64, f64, f64), flag: writesVCC,
		vec: divScale(double, 768, 53)},
	{Enc: VOP3, Code: 0x1e2, Name: "v_div_fmas_f32", dst: f32, src: srcs(f32, f32, f32), flag: readsVCC,
		vec: divFMAS(single)},
	{Enc: VOP3, Code: 0x1e3, Name: "v_div_fmas_f64", dst: f64, src: srcs(f64, f64, f64), flag: readsVCC,
		vec: divFMAS(double)},
	{Enc: VOP3, Code: 0x1ef, Name: "v_div_fixup_legacy_f16", dst: f16, src: srcs(f16, f16, f16),
		vec: float3(half16, divFixup)},
	{Enc: VOP3, Code: 0x207, Name: "v_div_fixup_f16", dst: f16, src: srcs(f16, f16, f16), flag: opSel,
		vec: float3(half16, divFixup)},
})

// divScale scales its first operand, which is the denominator b or the
// numerator c of a quotient, and sets the lane's mask bit if the quotient
// will have to be scaled back. far is the distance of exponents from which
// the quotient comes near overflow; tiny is the greatest biased exponent of a
// numerator that is too small for the steps.
func divScale(f format, far, tiny int) func(*lanes) {
	scale := 2 * int(f.width)
	return func(x *lanes) {
		e := env{keepIn: true, keepOut: true}
		var out uint64
		for l := range x.d {
			a, b, c := get(l, x.a, x.a1), get(l, x.b, x.b1), get(l, x.c, x.c1)
			n, back := f.divScaling(a, b, c, far, tiny)
			if back {
				out |= 1 << l
			}
			switch {
			case f.abs(b) == 0 || f.abs(c) == 0:
				a = f.nan()
			case n != 0:
				a = f.ldexp(a, n*scale, e)
			}
			x.set(l, a)
		}
		x.out = out
	}
}

// divScaling says which way a is to be scaled, and whether the quotient c/b
// is to be scaled back.
func (f format) divScaling(a, b, c uint64, far, tiny int) (n int, back bool) {
	if f.abs(b) == 0 || f.abs(c) == 0 || f.abs(b) >= f.inf() || f.abs(c) >= f.inf() {
		return 0, false
	}
	if a == b {
		n = 1
	}
	recip := f.quotientDenorm(f.one(), b)
	switch {
	case f.exponent(c)-f.exponent(b) >= far:
		return n, true // only the denominator
	case f.isDenorm(b):
		return 1, false
	case recip && f.quotientDenorm(c, b):
		return -n, true
	case recip:
		return -1, false
	case f.quotientDenorm(c, b):
		if a == c {
			return 1, true // only the numerator
		}
		return 0, true
	case int(f.abs(c)>>f.mant) <= tiny:
		return 1, false
	}
	return 0, false
}

// quotientDenorm reports whether c/b is below the normal numbers.
func (f format) quotientDenorm(c, b uint64) bool {
	mc, ec := math.Frexp(math.Abs(f.float(c)))
	mb, eb := math.Frexp(math.Abs(f.float(b)))
	e := ec - eb // mc/mb is in (1/2, 2)
	if mc < mb {
		e--
	}
	return e < 1-f.bias()
}

// divFMAS is a fused multiply-add whose result is scaled, in lanes with a
// mask bit, back to where v_div_scale took it from.
func divFMAS(f format) func(*lanes) {
	scale := 2 * int(f.width)
	return func(x *lanes) {
		e := f.env(x.mode)
		for l := range x.d {
			a, b, c := get(l, x.a, x.a1), get(l, x.b, x.b1), get(l, x.c, x.c1)
			n := 0
			if x.in>>l&1 != 0 {
				n = -scale
				if int(f.abs(c)>>f.mant) > f.bias() {
					n = scale
				}
			}
			x.set(l, f.fma(a, b, c, n, e))
		}
	}
}

// divFixup gives the special cases of the quotient c/b, of which a is the
// computed value.
func divFixup(f format, a, b, c uint64, e env) uint64 {
	sign := (b ^ c) & f.sign()
	switch mb, mc := f.abs(b), f.abs(c); {
	case f.isNaN(c):
		return c | f.quiet()
	case f.isNaN(b):
		return b | f.quiet()
	case mb == 0 && mc == 0, mb == f.inf() && mc == f.inf():
		return f.sign() | f.nan()
	case mb == 0, mc == f.inf():
		return sign | f.inf()
	case mb == f.inf(), mc == 0:
		return sign
	case f.underflows(b, c):
		return f.leastResult(sign != 0, e)
	case f.isNaN(a):
		return sign | f.inf()
	}
	return sign | f.abs(a)
}

// underflows reports whether the quotient c/b is so small, by the exponents as
// they are encoded, that it cannot have been computed. 16-bit floats have no
// such limit.
func (f format) underflows(b, c uint64) bool {
	if f.width == 16 {
		return false
	}
	return int(f.abs(c)>>f.mant)-int(f.abs(b)>>f.mant) < -(f.bias() + int(f.mant))
}

// leastResult is what a number rounds to that is nearer to 0 than any.
func (f format) leastResult(negative bool, e env) uint64 {
	v := uint64(0)
	if e.round == roundUp && !negative || e.round == roundDown && negative {
		v = 1
	}
	if negative {
		v |= f.sign()
	}
	return f.out(v, e)
}

// trigPreop gives 53 bits of 2/pi for the reduction of a large argument a:
// those of segment b, further on if a is large.
func trigPreop(f format, a, b uint64, e env) uint64 {
	const first = 1077
	shift := int(b&31) * 53
	exp := int(a >> 52 & 0x7ff)
	if exp > first {
		shift += exp - first
	}
	r := new(big.Int).Lsh(twoOverPi(), uint(shift))
	r.And(r, twoOverPiMask)
	r.Rsh(r, twoOverPiBits-53)
	scale := -53 - shift
	if exp >= 1968 {
		scale += 128
	}
	return math.Float64bits(math.Ldexp(float64(r.Uint64()), scale))
}

// twoOverPiBits is how many bits of 2/pi the hardware knows.
const twoOverPiBits = 1201

var twoOverPiMask = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), twoOverPiBits), big.NewInt(1))

// twoOverPi is 2/pi as an integer of twoOverPiBits bits after the point.
var twoOverPi = sync.OnceValue(func() *big.Int {
	const guard = 64
	unit := new(big.Int).Lsh(big.NewInt(1), twoOverPiBits+guard)
	// Machin: pi/4 = 4 atan(1/5) - atan(1/239).
	quarter := new(big.Int).Sub(new(big.Int).Mul(big.NewInt(4), atanInv(unit, 5)), atanInv(unit, 239))
	half := new(big.Int).Lsh(quarter, 1)
	return new(big.Int).Div(new(big.Int).Lsh(big.NewInt(1), 2*twoOverPiBits+guard), half)
})

// atanInv is unit*atan(1/n).
func atanInv(unit *big.Int, n int64) *big.Int {
	term := new(big.Int).Div(unit, big.NewInt(n))
	sum := new(big.Int)
	for k := int64(0); term.Sign() != 0; k++ {
		t := new(big.Int).Div(term, big.NewInt(2*k+1))
		if k&1 == 0 {
			sum.Add(sum, t)
		} else {
			sum.Sub(sum, t)
		}
		term.Div(term, big.NewInt(n*n))
	}
	return sum
}
