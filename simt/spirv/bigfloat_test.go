package spirv

import (
	"math"
	"math/big"
	"testing"
)

// bigModes are the rounding modes of conversions, as math/big has them.
var bigModes = map[uint32]big.RoundingMode{roundEven: big.ToNearestEven, roundZero: big.ToZero,
	roundUp: big.ToPositiveInf, roundDown: big.ToNegativeInf}

// bigFloat rounds an integer of 64 bits to a float of a width.
func bigFloat(v uint64, sign bool, width uint, mode big.RoundingMode) uint64 {
	x := new(big.Float).SetPrec(64).SetUint64(v)
	if sign {
		x.SetInt64(int64(v))
	}
	if width == 32 {
		f, _ := new(big.Float).SetPrec(24).SetMode(mode).Set(x).Float32()
		return uint64(math.Float32bits(f))
	}
	f, _ := new(big.Float).SetPrec(53).SetMode(mode).Set(x).Float64()
	return math.Float64bits(f)
}

// TestWideIntegersToFloats rounds integers of more than 53 bits in each direction, beside math/big's
// arithmetic.
func TestWideIntegersToFloats(t *testing.T) {
	rnd := random(5)
	values := []uint64{math.MaxUint64, 1 << 63, 1<<63 + 1, 1<<63 - 1, 1<<53 + 1, 1<<64 - 1<<40,
		1<<64 - 1<<40 + 1, 1<<64 - 1<<39, 1<<62 + 1, 1<<63 + 1<<39, 1<<63 + 1<<39 + 1}
	for range 2000 {
		values = append(values, uint64(rnd.next())<<33^uint64(rnd.next())<<2^uint64(rnd.next()))
	}
	for mode, round := range bigModes {
		for _, v := range values {
			for _, width := range []uint{32, 64} {
				for _, sign := range []bool{false, true} {
					k := conversion{from: floatControl{width: 64}, to: floatControl{width: width}, mode: mode,
						given: true}
					f := uToF
					if sign {
						f = sToF
					}
					if got, want := f(k)(v), bigFloat(v, sign, width, round); got != want {
						t.Fatalf("%#x (signed %v) in mode %d to %d bits: %#x, want %#x", v, sign, mode, width,
							got, want)
					}
				}
			}
		}
	}
}
