package gcn

import "math"

// toInt converts to an integer of up to 32 bits in [lo, hi]: towards zero if
// x has a fraction, to the nearest bound if it is out of range, 0 for a NaN.
func toInt(x float64, lo, hi int64) int64 {
	switch {
	case x != x:
		return 0
	case x <= float64(lo):
		return lo
	case x >= float64(hi):
		return hi
	}
	return int64(x)
}

func toI32(x float64) uint32 { return uint32(toInt(x, math.MinInt32, math.MaxInt32)) }
func toU32(x float64) uint32 { return uint32(toInt(x, 0, math.MaxUint32)) }

// recip, rsqrt and the like are the functions of the transcendental unit.
func recip(x float64) float64 { return 1 / x }

func rsqrt(x float64) float64 {
	if x == 0 {
		return math.Copysign(math.Inf(1), x)
	}
	return 1 / math.Sqrt(x)
}

// turns is the sine of x full turns shifted by quarter turns. Beyond 256
// turns the hardware gives the value at 0.
func turns(x float64, quarters int) float64 {
	if math.IsInf(x, 0) {
		return math.NaN()
	}
	if x < -256 || x > 256 {
		return float64(quarters)
	}
	if x == 0 && quarters == 0 {
		return x
	}
	x -= math.Floor(x)
	q := math.Floor(4 * x)
	r := (x - q/4) * 2 * math.Pi // in [0, pi/2)
	switch (int(q) + quarters) & 3 {
	case 0:
		return math.Sin(r)
	case 1:
		return math.Cos(r)
	case 2:
		return 0 - math.Sin(r) // never -0
	}
	return -math.Cos(r)
}

func sinTurns(x float64) float64 { return turns(x, 0) }
func cosTurns(x float64) float64 { return turns(x, 1) }
