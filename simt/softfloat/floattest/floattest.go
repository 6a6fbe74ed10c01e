// Package floattest has what tests of floats need: operands of all kinds, and an
// oracle for rounding that is slow and shares nothing with what it judges. Its entry
// points are [Random] and [Round].
package floattest

import (
	"math/big"
	"math/rand/v2"

	"simtgdb/simt/softfloat"
)

// Random is a value of the format: any bits, or near the ends of the
// range, or with few bits set.
func Random(r *rand.Rand, f softfloat.Format) uint64 {
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

// Round is the oracle: the value of the format nearest to z, which is not
// 0, in a rounding mode.
func Round(z *big.Float, f softfloat.Format, mode uint8) uint64 {
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
	case softfloat.RoundNearest:
		up = half > 0 || half == 0 && n.Bit(0) == 1
	case softfloat.RoundUp:
		up = rest.Sign() > 0 && sign == 0
	case softfloat.RoundDown:
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
		if mode == softfloat.RoundZero || mode == softfloat.RoundUp && sign != 0 ||
			mode == softfloat.RoundDown && sign == 0 {
			bits--
		}
	}
	return sign | bits
}
