package gcn

import (
	"math"
	"math/big"
	"sync"

	"simtgdb/simt/vec"
)

// Division: the instructions that a compiler puts around Newton's method to
// make a correctly rounded quotient. v_div_scale brings the operands into a
// range in which no step overflows or loses bits, v_div_fmas takes the last
// step and undoes the scale, v_div_fixup puts in the special cases (MI200
// ISA, section "Vector ALU instructions").
var _ = register(vop3divRows)

func vop3divRows() []Op {
	return []Op{
		{Enc: VOP3, Code: 0x1de, Name: "v_div_fixup_f32", dst: f32, src: srcs(f32, f32, f32),
			vec: divFixup32},
		{Enc: VOP3, Code: 0x1df, Name: "v_div_fixup_f64", dst: f64, src: srcs(f64, f64, f64),
			vec: divFixup64},
		{Enc: VOP3, Code: 0x1e0, Name: "v_div_scale_f32", dst: f32, src: srcs(f32, f32, f32), flag: writesVCC,
			vec: divScale(single, 96, 23, divides32)},
		{Enc: VOP3, Code: 0x1e1, Name: "v_div_scale_f64", dst: f64, src: srcs(f64, f64, f64), flag: writesVCC,
			vec: divScale(double, 768, 53, divides64)},
		{Enc: VOP3, Code: 0x1e2, Name: "v_div_fmas_f32", dst: f32, src: srcs(f32, f32, f32), flag: readsVCC,
			vec: unscaled(plain32, vec.FmaF32, divFMAS(single))},
		{Enc: VOP3, Code: 0x1e3, Name: "v_div_fmas_f64", dst: f64, src: srcs(f64, f64, f64), flag: readsVCC,
			vec: unscaled(plain64, vec.FmaF64, divFMAS(double))},
		{Enc: VOP3, Code: 0x1ef, Name: "v_div_fixup_legacy_f16", dst: f16, src: srcs(f16, f16, f16),
			vec: float3(half16, divFixup)},
		{Enc: VOP3, Code: 0x207, Name: "v_div_fixup_f16", dst: f16, src: srcs(f16, f16, f16), flag: opSel,
			vec: float3(half16, divFixup)},
	}
}

// divScale scales its first operand, which is the denominator b or the
// numerator c of a quotient, and sets the lane's mask bit if the quotient
// will have to be scaled back. far is the distance of exponents from which
// the quotient comes near overflow; tiny is the greatest biased exponent of a
// numerator that is too small for the steps.
// divides says of lanes whose quotient is of normal numbers that nothing is to be scaled.
func divScale(f format, far, tiny int, divides func(x *lanes, l, far, tiny int) bool) func(*lanes) {
	scale := 2 * int(f.Width)
	return func(x *lanes) {
		e := env{KeepIn: true, KeepOut: true}
		var out uint64
		for l := range x.d {
			a, b, c := get(l, x.a, x.a1), get(l, x.b, x.b1), get(l, x.c, x.c1)
			if divides(x, l, far, tiny) {
				x.set(l, a)
				continue
			}
			n, back := divScaling(f, a, b, c, far, tiny)
			if back {
				out |= 1 << l
			}
			switch {
			case f.Abs(b) == 0 || f.Abs(c) == 0:
				a = f.NaN()
			case n != 0:
				a = f.Ldexp(a, n*scale, e)
			}
			x.set(l, a)
		}
		x.out = out
	}
}

// divides32 and divides64 report whether a lane's quotient c/b is of numbers whose exponents let divScaling
// leave the first operand alone.
func divides32(x *lanes, l, far, tiny int) bool {
	b, c := x.b[l&63], x.c[l&63]
	eb, ec := exponent32(b), exponent32(c)
	return normal32(b) && normal32(c) && ec-eb < int32(far) && ec-eb > -126 && eb < 253 && ec > int32(tiny)
}

func divides64(x *lanes, l, far, tiny int) bool {
	b, c := x.b1[l&63], x.c1[l&63]
	eb, ec := exponent64(b), exponent64(c)
	return normal64(b) && normal64(c) && ec-eb < int32(far) && ec-eb > -1022 && eb < 2045 && ec > int32(tiny)
}

// divScaling says which way a is to be scaled, and whether the quotient c/b
// is to be scaled back.
func divScaling(f format, a, b, c uint64, far, tiny int) (n int, back bool) {
	if f.Abs(b) == 0 || f.Abs(c) == 0 || f.Abs(b) >= f.Inf() || f.Abs(c) >= f.Inf() {
		return 0, false
	}
	if a == b {
		n = 1
	}
	recip := quotientDenorm(f, f.One(), b)
	switch {
	case f.Exponent(c)-f.Exponent(b) >= far:
		return n, true // only the denominator
	case f.IsDenorm(b):
		return 1, false
	case recip && quotientDenorm(f, c, b):
		return -n, true
	case recip:
		return -1, false
	case quotientDenorm(f, c, b):
		if a == c {
			return 1, true // only the numerator
		}
		return 0, true
	case int(f.Abs(c)>>f.Mant) <= tiny:
		return 1, false
	}
	return 0, false
}

// quotientDenorm reports whether c/b is below the normal numbers.
func quotientDenorm(f format, c, b uint64) bool {
	mc, ec := math.Frexp(math.Abs(f.Float(c)))
	mb, eb := math.Frexp(math.Abs(f.Float(b)))
	e := ec - eb // mc/mb is in (1/2, 2)
	if mc < mb {
		e--
	}
	return e < 1-f.Bias()
}

// divFMAS is a fused multiply-add whose result is scaled, in lanes with a
// mask bit, back to where v_div_scale took it from.
func divFMAS(f format) func(*lanes) {
	scale := 2 * int(f.Width)
	return func(x *lanes) {
		e := envOf(f, x.mode)
		for l := range x.d {
			a, b, c := get(l, x.a, x.a1), get(l, x.b, x.b1), get(l, x.c, x.c1)
			n := 0
			if x.in>>l&1 != 0 {
				n = -scale
				if int(f.Abs(c)>>f.Mant) > f.Bias() {
					n = scale
				}
			}
			x.set(l, f.FMA(a, b, c, n, e))
		}
	}
}

// divFixup32 and divFixup64 give quotients of normal numbers their sign, and leave others to divFixup.
func divFixup32(x *lanes) {
	e := envOf(single, x.mode)
	d, a, b, c := x.d, x.a, x.b, x.c
	for l := range d {
		p, q, r := a[l], b[l], c[l]
		if normal32(q) && normal32(r) && !isNaN32(p) && exponent32(r)-exponent32(q) >= -150 {
			d[l] = (q^r)&(1<<31) | p&math.MaxInt32
		} else {
			d[l] = uint32(divFixup(single, uint64(p), uint64(q), uint64(r), e))
		}
	}
}

func divFixup64(x *lanes) {
	e := envOf(double, x.mode)
	for l := range x.d {
		p, q, r := get(l, x.a, x.a1), get(l, x.b, x.b1), get(l, x.c, x.c1)
		qh, rh := uint32(q>>32), uint32(r>>32)
		if normal64(qh) && normal64(rh) && !double.IsNaN(p) && exponent64(rh)-exponent64(qh) >= -1075 {
			x.set(l, (q^r)&double.Sign()|double.Abs(p))
		} else {
			x.set(l, divFixup(double, p, q, r, e))
		}
	}
}

// divFixup gives the special cases of the quotient c/b, of which a is the
// computed value.
func divFixup(f format, a, b, c uint64, e env) uint64 {
	sign := (b ^ c) & f.Sign()
	switch mb, mc := f.Abs(b), f.Abs(c); {
	case f.IsNaN(c):
		return c | f.Quiet()
	case f.IsNaN(b):
		return b | f.Quiet()
	case mb == 0 && mc == 0, mb == f.Inf() && mc == f.Inf():
		return f.Sign() | f.NaN()
	case mb == 0, mc == f.Inf():
		return sign | f.Inf()
	case mb == f.Inf(), mc == 0:
		return sign
	case underflows(f, b, c):
		return leastResult(f, sign != 0, e)
	case f.IsNaN(a):
		return sign | f.Inf()
	}
	return sign | f.Abs(a)
}

// underflows reports whether the quotient c/b is so small, by the exponents as
// they are encoded, that it cannot have been computed. 16-bit floats have no
// such limit.
func underflows(f format, b, c uint64) bool {
	if f.Width == 16 {
		return false
	}
	return int(f.Abs(c)>>f.Mant)-int(f.Abs(b)>>f.Mant) < -(f.Bias() + int(f.Mant))
}

// leastResult is what a number rounds to that is nearer to 0 than any.
func leastResult(f format, negative bool, e env) uint64 {
	v := uint64(0)
	if e.Round == roundUp && !negative || e.Round == roundDown && negative {
		v = 1
	}
	if negative {
		v |= f.Sign()
	}
	return f.Out(v, e)
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
