package softfloat_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"simtgdb/simt/softfloat"
	"simtgdb/simt/softfloat/floattest"
	"simtgdb/testdata/sweep"
)

// exactly is x with enough precision to hold any product and sum.
func exactly(x float64) *big.Float { return new(big.Float).SetPrec(4400).SetFloat64(x) }

// TestArithmetic compares sums, products and fused multiply-adds of all
// formats in all rounding modes with exact arithmetic.
func TestArithmetic(t *testing.T) {
	r := rand.New(sweep.PCG(1, 2))
	for _, f := range []softfloat.Format{softfloat.Half, softfloat.Single, softfloat.Double} {
		n := 20000
		if f.Width == 64 {
			n = 3000
		}
		for range n {
			e := softfloat.Env{Round: uint8(r.IntN(4)), KeepIn: true, KeepOut: true, IEEE: true}
			a, b, c := floattest.Random(r, f), floattest.Random(r, f), floattest.Random(r, f)
			if f.Abs(a) >= f.Inf() || f.Abs(b) >= f.Inf() || f.Abs(c) >= f.Inf() {
				continue
			}
			if r.IntN(4) == 0 { // nearly cancelling sums
				p := f.Mul(a, b, e) ^ f.Sign()
				if f.Abs(p) < f.Inf() {
					c = p
				}
			}
			x, y, z := exactly(f.Float(a)), exactly(f.Float(b)), exactly(f.Float(c))
			product := new(big.Float).Mul(x, y)
			for _, op := range []struct {
				name  string
				exact *big.Float
				got   uint64
			}{
				{"add", new(big.Float).Add(x, y), f.Add(a, b, e)},
				{"mul", product, f.Mul(a, b, e)},
				{"fma", new(big.Float).Add(product, z), f.FMA(a, b, c, 0, e)},
				{"fma scaled", new(big.Float).SetMantExp(new(big.Float).Add(product, z), -64),
					f.FMA(a, b, c, -64, e)},
			} {
				if op.exact.Sign() == 0 {
					if f.Abs(op.got) != 0 {
						t.Fatalf("%d bits, mode %d: %s of %#x %#x %#x is %#x, want a zero", f.Width, e.Round,
							op.name, a, b, c, op.got)
					}
					continue
				}
				if want := floattest.Round(op.exact, f, e.Round); op.got != want {
					t.Fatalf("%d bits, mode %d: %s of %#x %#x %#x is %#x, want %#x", f.Width, e.Round,
						op.name, a, b, c, op.got, want)
				}
			}
		}
	}
}

// TestMedian: of three the first that is as large as the largest is left out, and the larger of the others
// is it. 0 is as large as -0 there, but the larger of the two.
func TestMedian(t *testing.T) {
	f := softfloat.Half
	const one, zero = 0x3c00, 0
	const minus = 0x8000
	for _, c := range [][4]uint64{ // of three, the median
		{one, zero, one | minus, zero}, {zero, one | minus, one, zero}, {minus, zero, one, zero},
		{minus, one | minus, zero, zero}, {zero, one | minus, minus, minus},
		{one | minus, zero, minus, minus},
		{minus, minus, zero, zero}, {zero, minus, minus, minus}, {0x7e00, one, zero, zero},
	} {
		e := softfloat.Env{KeepIn: true, KeepOut: true, IEEE: true}
		if got := f.Median(c[0], c[1], c[2], e); got != c[3] {
			t.Errorf("median of %#x: %#x, want %#x", c[:3], got, c[3])
		}
	}
}

// TestHalfConversion goes through all 16-bit floats and back.
func TestHalfConversion(t *testing.T) {
	for v := range uint64(1 << 16) {
		if softfloat.Half.IsNaN(v) {
			continue
		}
		if back := softfloat.Half.Round(softfloat.Half.Float(v), softfloat.RoundNearest); back != v {
			t.Errorf("%#x comes back as %#x", v, back)
		}
	}
}
