package softfloat_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"simtgdb/simt/softfloat"
	"simtgdb/testdata/sweep"
)

// single is a number as bits.
func single(x float64) uint64 { return uint64(math.Float32bits(float32(x))) }

// TestSpecial: NaNs come out quiet, the first of them; what has no result is the default NaN; zeros of
// opposite sums have the sign that the mode says; denormals are flushed where they are not kept.
func TestSpecial(t *testing.T) {
	f := softfloat.Single
	const nan, quiet, inf, neg, tiny = 0x7f812345, 0x7fc12345, 0x7f800000, 1 << 31, 0x00012345
	one, two := single(1), single(2)
	keep := softfloat.Env{KeepIn: true, KeepOut: true}
	down := softfloat.Env{Round: softfloat.RoundDown, KeepIn: true, KeepOut: true}
	ieee := softfloat.Env{IEEE: true, KeepIn: true, KeepOut: true}
	flush := softfloat.Env{}
	in, out := softfloat.Env{KeepOut: true}, softfloat.Env{KeepIn: true}
	for _, c := range []struct {
		name      string
		got, want uint64
	}{
		{"a NaN and a number", f.Add(nan, one, keep), quiet},
		{"a number and a NaN", f.Add(one, nan|neg, keep), quiet | neg},
		{"two NaNs", f.Mul(0x7fc00001, nan, keep), 0x7fc00001},
		{"less a NaN", f.Sub(one, nan, keep), quiet}, // which keeps its sign
		{"infinity less infinity", f.Sub(inf, inf, keep), f.NaN()},
		{"infinity and infinity", f.Add(inf, inf, keep), inf},
		{"zero by infinity", f.Mul(0, inf|neg, keep), f.NaN()},
		{"opposite numbers", f.Sub(one, one, keep), 0},
		{"rounded down", f.Sub(one, one, down), neg},
		{"zeros of opposite signs", f.Add(0, neg, down), neg},
		{"zeros below", f.Add(neg, neg, keep), neg},
		{"a fused NaN", f.FMAPlain(one, nan, two, keep), quiet},
		{"the third", f.FMA(one, two, nan, 0, down), quiet},
		{"the first", f.FMA(0xffc00001, two, nan, 0, down), 0xffc00001},
		{"zero by infinity, fused", f.FMA(0, inf, one, 0, keep), f.NaN()},
		{"opposite infinities, fused", f.FMA(inf, one, inf|neg, 0, down), f.NaN()},
		{"an infinity, fused and scaled", f.FMA(inf, one, two, -10, down), inf},
		{"opposite numbers, fused", f.FMA(two, two, single(-4), 0, keep), 0},
		{"rounded down", f.FMA(two, two, single(-4), 0, down), neg},
		{"zeros below, fused", f.FMA(neg, one, neg, 0, down), neg},
		{"zeros below, scaled", f.FMA(neg, one, neg, 3, keep), neg},
		{"zeros of opposite signs, fused", f.FMA(0, one, neg, 0, down), neg},
		{"and to nearest", f.FMA(0, one, neg, 0, keep), 0},
		{"scaled", f.FMA(two, two, one, 3, keep), single(40)},
		{"a denormal operand", f.Add(tiny, 0, in), 0}, {"kept", f.Add(tiny, 0, keep), tiny},
		{"a denormal result", f.Add(tiny, 0, out), 0}, {"with its sign", f.Mul(tiny|neg, one, out), neg},
		{"rounded, and not fused", f.Mad(tiny, one, two, keep), two},
		{"of two products", f.Mad(two, two, one, keep), single(5)},
		{"the least", f.Minimum(one, two, keep), one}, {"the greatest", f.Maximum(one, two, keep), two},
		{"the other way", f.Maximum(two, one, keep), two}, {"-0 is less", f.Minimum(0, neg, keep), neg},
		{"and 0 greater", f.Maximum(neg, 0, keep), 0}, {"below", f.Minimum(one|neg, two|neg, keep),
			two | neg},
		{"but a NaN", f.Minimum(nan, two, keep), two}, {"either", f.Maximum(one, nan, keep), one},
		{"a signaling one", f.Minimum(nan, two, ieee), quiet}, {"either", f.Maximum(one, nan, ieee), quiet},
		{"a quiet one", f.Maximum(one, quiet, ieee), one}, {"two NaNs", f.Minimum(quiet, 0x7fc00001, ieee),
			0x7fc00001},
		{"flushed", f.Maximum(tiny, neg, flush), 0}, {"beside a NaN", f.Maximum(nan, tiny, flush), 0},
		{"the middle", f.Median(two, one, single(3), keep), two}, {"with a NaN the least", f.Median(two,
			nan, one, keep), one},
		{"scaled up", f.Ldexp(one, 4, keep), single(16)}, {"a NaN", f.Ldexp(nan, 4, keep), quiet},
		{"far up", f.Ldexp(one, 1<<30, keep), inf}, {"far down", f.Ldexp(one|neg, -1<<30, keep), neg},
		{"a denormal", f.Ldexp(tiny, 1, flush), 0}, {"into one", f.Ldexp(one, -149, keep), 1},
		{"flushed", f.Ldexp(one, -149, out), 0},
		{"a mantissa", f.FrexpMant(single(-12)), single(-0.75)}, {"of a NaN", f.FrexpMant(nan), quiet},
		{"of infinity", f.FrexpMant(inf | neg), inf | neg}, {"of zero", f.FrexpMant(neg), neg},
		{"of a denormal", f.FrexpMant(1), single(0.5)},
		{"a fraction", f.Fract(single(-1.25), keep), single(0.75)}, {"of a NaN", f.Fract(nan, keep), quiet},
		{"of infinity", f.Fract(inf, keep), f.NaN()}, {"just below 0", f.Fract(1|neg, keep), one - 1},
		{"applied", f.Apply(math.Sqrt, single(9), keep), single(3)}, {"to a NaN", f.Apply(math.Sqrt, nan,
			keep), quiet},
		{"to what has none", f.Apply(math.Sqrt, single(-1), keep), f.NaN()},
		{"flushed before", f.Apply(func(x float64) float64 { return x * 1e30 }, tiny, in), 0},
		{"to a double", f.Convert(softfloat.Double, single(1.5), keep, keep), math.Float64bits(1.5)},
		{"a NaN to a double", f.Convert(softfloat.Double, nan|neg, keep, keep),
			0xfff<<52 | 0x412345<<29 | 1<<51},
		{"to a half", f.Convert(softfloat.Half, single(65504), keep, keep), 0x7bff},
		{"a NaN to a half", f.Convert(softfloat.Half, nan, keep, keep), 0x7e00 | 0x12345>>13},
		{"one half up", f.Convert(softfloat.Half, single(1+1.0/4096), keep,
			softfloat.Env{Round: softfloat.RoundUp}), 0x3c01},
		{"a denormal half", f.Convert(softfloat.Half, single(1.0/(1<<24)), keep, keep), 1},
		{"flushed", f.Convert(softfloat.Half, single(1.0/(1<<24)), keep, flush), 0},
		{"of the environment before", f.Convert(softfloat.Double, tiny, flush, keep), 0},
		{"no NaN at all", f.FirstNaN(one, two), f.NaN()}, {"one", f.One(), one},
	} {
		if c.got != c.want {
			t.Errorf("%s: %#x, want %#x", c.name, c.got, c.want)
		}
	}
	for v, want := range map[uint64]int{single(12): 4, single(0.5): 0, 0: 0, inf: 0, nan: 0, 1: -148,
		single(-1): 1} {
		if got := f.FrexpExp(v); got != want {
			t.Errorf("exponent of %#x is %d, want %d", v, got, want)
		}
	}
	if f.Exponent(single(12)) != 3 || f.Exponent(single(1)) != 0 || f.Exponent(1) != -149 {
		t.Error("exponents are not those of numbers from 1 up to 2")
	}
	d := softfloat.Double
	for _, c := range []struct {
		name      string
		got, want uint64
	}{
		{"opposite doubles, fused", d.FMA(math.Float64bits(2), math.Float64bits(2), math.Float64bits(-4), 0,
			down), 1 << 63},
		{"zeros below, fused", d.FMA(1<<63, math.Float64bits(2), 1<<63, 0, down), 1 << 63},
		{"zeros, fused", d.FMA(0, math.Float64bits(2), 0, 0, down), 0},
		{"products that are opposite zeros", d.FMA(1<<63, math.Float64bits(2), 0, 0, down), 1 << 63},
		{"infinity, not to nearest", d.Add(d.Inf(), math.Float64bits(1), down), d.Inf()},
		{"zero, not to nearest", d.Mul(0, math.Float64bits(-1), down), 1 << 63},
		{"into a denormal, down", d.Ldexp(math.Float64bits(-3), -1075, down), 1<<63 | 2},
		{"and to nearest", d.Ldexp(math.Float64bits(-3), -1075, keep), 1<<63 | 2},
		{"up", d.Ldexp(math.Float64bits(-3), -1075, softfloat.Env{Round: softfloat.RoundUp, KeepOut: true}),
			1<<63 | 1},
		{"a double to a single", d.Convert(f, math.Float64bits(0.1), keep, keep), single(0.1)},
		{"a NaN to a single", d.Convert(f, 0x7ff<<52|1<<29|5, keep, keep), 0x7fc00001},
	} {
		if c.got != c.want {
			t.Errorf("%s: %#x, want %#x", c.name, c.got, c.want)
		}
	}
}

// TestLdexp: scaled to nearest numbers are what package math makes of them.
func TestLdexp(t *testing.T) {
	r, keep := rand.New(sweep.PCG(3, 91)), softfloat.Env{KeepIn: true, KeepOut: true}
	for range 2000 {
		v, n := r.Uint64(), r.IntN(4000)-2000
		if x := math.Float64frombits(v); x == x {
			if got, want := softfloat.Double.Ldexp(v, n, keep), math.Float64bits(math.Ldexp(x,
				n)); got != want {
				t.Fatalf("%g by 2^%d is %#x, want %#x", x, n, got, want)
			}
		}
		v, n = uint64(r.Uint32()), r.IntN(400)-200
		if x := math.Float32frombits(uint32(v)); x == x {
			got, want := softfloat.Single.Ldexp(v, n, keep), single(math.Ldexp(float64(x), n))
			if got != want {
				t.Fatalf("%g by 2^%d is %#x, want %#x", x, n, got, want)
			}
		}
	}
}
