package softfloat

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// randomFloat is a value of the format: any bits, or near the ends of the
// range, or with few bits set.
func randomFloat(r *rand.Rand, f Format) uint64 {
	v := r.Uint64() & f.All()
	switch r.IntN(5) {
	case 0: // denormals and the least normal numbers
		v = v&f.Sign() | v&(f.Frac()<<1|1)
	case 1: // the exponents around 1
		v = v&(f.Sign()|f.Frac()) | uint64(f.Bias()-3+r.IntN(6))<<f.Mant
	case 2: // few bits in the mantissa
		v &^= f.Frac() >> r.IntN(int(f.Mant)+1)
	case 3: // the greatest numbers, infinity, NaN
		v |= f.Inf() &^ (3 << f.Mant)
	}
	return v
}

// roundBig is the oracle: the value of the format nearest to z, which is not
// 0, in a rounding mode.
func roundBig(z *big.Float, f Format, mode uint8) uint64 {
	sign := uint64(0)
	if z.Signbit() {
		sign = f.Sign()
	}
	exp := z.MantExp(nil) - 1
	quantum := max(exp, 1-f.Bias()) - int(f.Mant)
	scaled := new(big.Float).SetMantExp(new(big.Float).Abs(z), -quantum)
	n, _ := scaled.Int(nil)
	rest := new(big.Float).SetPrec(5000).Sub(scaled, new(big.Float).SetInt(n))
	half := rest.Cmp(big.NewFloat(0.5))
	up := false
	switch mode {
	case RoundNearest:
		up = half > 0 || half == 0 && n.Bit(0) == 1
	case RoundUp:
		up = rest.Sign() > 0 && sign == 0
	case RoundDown:
		up = rest.Sign() > 0 && sign != 0
	}
	if up {
		n.Add(n, big.NewInt(1))
	}
	bits := n.Uint64()
	if e := quantum + int(f.Mant) + f.Bias(); e > 1 || bits>>f.Mant != 0 {
		if e-1 >= int(f.Inf()>>f.Mant) {
			bits = f.Inf()
		} else {
			bits += uint64(e-1) << f.Mant
		}
	}
	if bits >= f.Inf() {
		bits = f.Inf()
		if mode == RoundZero || mode == RoundUp && sign != 0 || mode == RoundDown && sign == 0 {
			bits--
		}
	}
	return sign | bits
}

// TestArithmetic compares sums, products and fused multiply-adds of all
// formats in all rounding modes with exact arithmetic.
func TestArithmetic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, f := range []Format{Half, Single, Double} {
		n := 20000
		if f.Width == 64 {
			n = 3000
		}
		for range n {
			e := Env{Round: uint8(r.IntN(4)), KeepIn: true, KeepOut: true, IEEE: true}
			a, b, c := randomFloat(r, f), randomFloat(r, f), randomFloat(r, f)
			if f.Abs(a) >= f.Inf() || f.Abs(b) >= f.Inf() || f.Abs(c) >= f.Inf() {
				continue
			}
			if r.IntN(4) == 0 { // nearly cancelling sums
				p := f.Mul(a, b, e) ^ f.Sign()
				if f.Abs(p) < f.Inf() {
					c = p
				}
			}
			x, y, z := bigFloat(f.Float(a)), bigFloat(f.Float(b)), bigFloat(f.Float(c))
			product := new(big.Float).Mul(x, y)
			for _, op := range []struct {
				name  string
				exact *big.Float
				got   uint64
			}{
				{"add", new(big.Float).Add(x, y), f.Add(a, b, e)},
				{"mul", product, f.Mul(a, b, e)},
				{"fma", new(big.Float).Add(product, z), f.FMA(a, b, c, 0, e)},
				{"fma scaled", new(big.Float).SetMantExp(new(big.Float).Add(product, z), -64), f.FMA(a, b, c, -64, e)},
			} {
				if op.exact.Sign() == 0 {
					if f.Abs(op.got) != 0 {
						t.Fatalf("%d bits, mode %d: %s of %#x %#x %#x is %#x, want a zero", f.Width, e.Round, op.name, a, b,
							c, op.got)
					}
					continue
				}
				if want := roundBig(op.exact, f, e.Round); op.got != want {
					t.Fatalf("%d bits, mode %d: %s of %#x %#x %#x is %#x, want %#x", f.Width, e.Round, op.name, a, b, c,
						op.got, want)
				}
			}
		}
	}
}

// TestHalfConversion goes through all 16-bit floats and back.
func TestHalfConversion(t *testing.T) {
	for v := range uint64(1 << 16) {
		if Half.IsNaN(v) {
			continue
		}
		if back := Half.Round(Half.Float(v), RoundNearest); back != v {
			t.Errorf("%#x comes back as %#x", v, back)
		}
	}
}
