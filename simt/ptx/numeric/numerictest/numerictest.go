// Package numerictest has what tests of PTX's numbers need: operands of all kinds, and a model of
// floating-point arithmetic by exact numbers, which shares nothing with what it judges.
//
// Entry points: [Forms], [Wholes] and [Floats].
package numerictest

import "math/big"

// Inputs is how many inputs there are of each kind.
const Inputs = 96

// Wholes are inputs for operations on integers.
func Wholes() [][3]uint64 {
	special := []uint64{0, 1, 2, 3, 7, 15, 31, 32, 33, 63, 64, 255, 0x7f, 0x80, 0x7fff, 0x8000,
		0xffff, 0x7fffffff,
		0x80000000, 0xffffffff, 0x7fffffffffffffff, 0x8000000000000000, ^uint64(0), 0x123456789abcdef0,
		0x8000800080008000, 0x8080808080808080, 0x00ff00ff00ff00ff}
	r := Numbers(77, 3*Inputs)
	in := make([][3]uint64, Inputs)
	for i := range in {
		for k := range 3 {
			v := r[3*i+k]
			if v%3 != 0 {
				v = special[v/3%uint64(len(special))]
			}
			in[i][k] = v
		}
	}
	return in
}

// Floats are inputs for operations on floating-point numbers of a format.
func Floats(special []uint64, mask uint64) [][3]uint64 {
	r := Numbers(78, 3*Inputs)
	in := make([][3]uint64, Inputs)
	for i := range in {
		for k := range 3 {
			v := r[3*i+k]
			switch v % 3 {
			case 0:
				v = special[v/3%uint64(len(special))]
			case 1: // numbers of about one size
				v = special[0] ^ v>>8&(mask>>4&0x8001ffff8001ffff)
			}
			in[i][k] = v & mask
		}
	}
	return in
}

// Bits with whatever is special of singles, doubles, halves and bfloat16.
var (
	Specials32 = []uint64{0x3f800000, 0, 0x80000000, 0x3f800001, 0xbf800000, 0x7f800000, 0xff800000,
		0x7fc00000,
		1,
		0x80000001,
		0x7fffff,
		0x800000,
		0x7f7fffff,
		0xff7fffff,
		0x33800000,
		0x34000000,
		0x4b000000,
		0x4f000000,
		0xcf000000,
		0x5f000000,
		0x40490fdb,
		0x3effffff,
		0x3f000000,
		0xbf000000,
		0x3fc00000,
		0x40200000,
	}
	Specials64 = []uint64{0x3ff0000000000000, 0, 1 << 63, 0x3ff0000000000001, 0xbff0000000000000,
		0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 1, 0x000fffffffffffff, 0x0010000000000000,
		0x7fefffffffffffff, 0x3ca0000000000000, 0x4330000000000000, 0x41e0000000000000, 0x43e0000000000000,
		0xc3e0000000000000, 0x43f0000000000000, 0x400921fb54442d18, 0x3fe0000000000000, 0x3ff8000000000000,
		0x36a0000000000000, 0x3810000000000000, 0x47efffffffffffff}
	Specials16 = []uint64{0x3c00, 0, 0x8000, 0x3c01, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 1, 0x8001,
		0x3ff, 0x400, 0x7bff,
		0xfbff, 0x3800, 0x4248, 0x3555}
	SpecialsB = []uint64{0x3f80, 0, 0x8000, 0x3f81, 0xbf80, 0x7f80, 0xff80, 0x7fc0, 1, 0x8001, 0x7f,
		0x80, 0x7f7f,
		0xff7f, 0x3f00, 0x4049}
)

// A Form is a floating-point format, for exact expectations.
type Form struct {
	Precision, emin, emax, Width int
	NaN                          uint64
}

// Forms are the formats by the names of their types.
var Forms = map[string]Form{
	"f32": {24, -126, 127, 32, 0x7fffffff}, "f64": {53, -1022, 1023, 64, 0x7ff8000000000000},
	"f16": {11, -14, 15, 16, 0x7fff}, "bf16": {8, -126, 127, 16, 0x7fff},
}

// Number gives class, sign and magnitude of bits: nan, inf, or a number as an integer times 2^exp.
func (f Form) Number(v uint64) (x *big.Float, nan, inf, negative bool) {
	fraction := f.Precision - 1
	exponents := f.Width - f.Precision
	negative = v>>(f.Width-1)&1 != 0
	e := int(v >> fraction & (1<<exponents - 1))
	m := v & (1<<fraction - 1)
	if e == 1<<exponents-1 {
		return nil, m != 0, m == 0, negative
	}
	if e > 0 {
		m |= 1 << fraction
	} else {
		e = 1
	}
	x = new(big.Float).SetPrec(5000).SetUint64(m)
	x.SetMantExp(x, e-1+f.emin-fraction)
	if negative {
		x.Neg(x)
	}
	return x, false, false, negative
}

// Round gives the bits of an exact number; negative is the sign of a zero.
func (f Form) Round(x *big.Float, mode string, negative bool) uint64 {
	if x.Sign() == 0 {
		return f.Zero(negative)
	}
	negative = x.Sign() < 0
	a := new(big.Float).Abs(x)
	ulp := max(a.MantExp(nil)-1, f.emin) - (f.Precision - 1)
	a.SetMantExp(a, -ulp)
	n, _ := a.Int(nil)
	rest := new(big.Float).SetPrec(5000).Sub(a, new(big.Float).SetPrec(5000).SetInt(n))
	half := rest.Cmp(big.NewFloat(0.5))
	up := false
	switch mode {
	case "rn", "":
		up = half > 0 || half == 0 && n.Bit(0) == 1
	case "rm":
		up = negative && rest.Sign() > 0
	case "rp":
		up = !negative && rest.Sign() > 0
	}
	if up {
		n.Add(n, big.NewInt(1))
	}
	m := n.Uint64()
	if m >= 1<<f.Precision {
		m >>= 1
		ulp++
	}
	if m < 1<<(f.Precision-1) { // subnormal
		return f.Zero(negative) | m
	}
	e := ulp + f.Precision - 1
	if e > f.emax {
		if mode == "rz" || mode == "rm" && !negative || mode == "rp" && negative {
			return f.Infinity(negative) - 1
		}
		return f.Infinity(negative)
	}
	return f.Zero(negative) | uint64(e-f.emin+1)<<(f.Precision-1) | m&(1<<(f.Precision-1)-1)
}

// Zero is 0 with a sign.
func (f Form) Zero(negative bool) uint64 {
	if negative {
		return 1 << (f.Width - 1)
	}
	return 0
}

// Infinity is one with a sign.
func (f Form) Infinity(negative bool) uint64 {
	return f.Zero(negative) | (1<<(f.Width-f.Precision)-1)<<(f.Precision-1)
}

// Add is what IEEE 754 has a sum be, in the rounding of a modifier; Mul, FMA, Div and Sqrt likewise.
func (f Form) Add(mode string, a, b uint64) uint64 {
	x, nx, ix, sx := f.Number(a)
	y, ny, iy, sy := f.Number(b)
	switch {
	case nx || ny || ix && iy && sx != sy:
		return f.NaN
	case ix:
		return a
	case iy:
		return b
	}
	s := new(big.Float).SetPrec(5000).Add(x, y)
	return f.Round(s, mode, sx && sy || mode == "rm" && sx != sy || mode == "rm" && x.Sign() != 0)
}

func (f Form) Mul(mode string, a, b uint64) uint64 {
	x, nx, ix, sx := f.Number(a)
	y, ny, iy, sy := f.Number(b)
	zero := func(v *big.Float) bool { return v != nil && v.Sign() == 0 }
	switch {
	case nx || ny || ix && zero(y) || iy && zero(x):
		return f.NaN
	case ix || iy:
		return f.Infinity(sx != sy)
	}
	return f.Round(new(big.Float).SetPrec(5000).Mul(x, y), mode, sx != sy)
}

func (f Form) FMA(mode string, a, b, c uint64) uint64 {
	x, nx, ix, sx := f.Number(a)
	y, ny, iy, sy := f.Number(b)
	z, nz, iz, sz := f.Number(c)
	zero := func(v *big.Float) bool { return v != nil && v.Sign() == 0 }
	switch {
	case nx || ny || nz || ix && zero(y) || iy && zero(x):
		return f.NaN
	case ix || iy:
		if iz && sz != (sx != sy) {
			return f.NaN
		}
		return f.Infinity(sx != sy)
	case iz:
		return c
	}
	p := new(big.Float).SetPrec(5000).Mul(x, y)
	s := new(big.Float).SetPrec(5000).Add(p, z)
	sp := sx != sy
	return f.Round(s, mode, sp && sz || mode == "rm" && (sp != sz || p.Sign() != 0))
}

func (f Form) Div(mode string, a, b uint64) uint64 {
	x, nx, ix, sx := f.Number(a)
	y, ny, iy, sy := f.Number(b)
	switch {
	case nx || ny || ix && iy || !ix && !iy && x.Sign() == 0 && y.Sign() == 0:
		return f.NaN
	case ix || !iy && y.Sign() == 0:
		return f.Infinity(sx != sy)
	case iy || x.Sign() == 0:
		return f.Zero(sx != sy)
	}
	// 300 bits of the quotient, and whether there is more.
	q := new(big.Float).SetPrec(300).SetMode(big.ToZero).Quo(x, y)
	if back := new(big.Float).SetPrec(5000).Mul(q, y); back.Cmp(x) != 0 {
		q = sticky(q)
	}
	return f.Round(q, mode, sx != sy)
}

func (f Form) Sqrt(mode string, a uint64) uint64 {
	x, nx, ix, sx := f.Number(a)
	switch {
	case nx || sx && (ix || x.Sign() != 0):
		return f.NaN
	case ix || x.Sign() == 0:
		return a
	}
	s := new(big.Float).SetPrec(300).Sqrt(x)
	for new(big.Float).SetPrec(5000).Mul(s, s).Cmp(x) > 0 { // not above
		s.Sub(s, ulpOf(s))
	}
	if new(big.Float).SetPrec(5000).Mul(s, s).Cmp(x) != 0 {
		s = sticky(s)
	}
	return f.Round(s, mode, false)
}

func ulpOf(x *big.Float) *big.Float {
	return new(big.Float).SetMantExp(big.NewFloat(1), x.MantExp(nil)-300)
}

// sticky is a number a little further from zero.
func sticky(x *big.Float) *big.Float {
	e := new(big.Float).SetMantExp(big.NewFloat(1), x.MantExp(nil)-400)
	if x.Sign() < 0 {
		e.Neg(e)
	}
	return new(big.Float).SetPrec(5000).Add(e, x)
}

// SignExtend is the low bits of v as a signed number, Low as one without a sign.
func SignExtend(v uint64, width int) int64 { return int64(v<<(64-width)) >> (64 - width) }

func Low(v uint64, width int) uint64 {
	if width == 64 {
		return v
	}
	return v & (1<<width - 1)
}

// Numbers are splitmix64's, from a seed.
func Numbers(seed uint64, n int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		seed += 0x9e3779b97f4a7c15
		z := seed
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		out[i] = z ^ z>>31
	}
	return out
}

// Convert is a number of a format in another.
func Convert(from, to Form, mode string, v uint64) uint64 {
	x, nan, inf, neg := from.Number(v)
	switch {
	case nan:
		return to.NaN
	case inf:
		return to.Infinity(neg)
	}
	return to.Round(x, mode, neg)
}
