package spirv

import (
	"context"
	"math"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/check"
)

// TestMadeOfFinite: who looks for NaNs and infinities is told where an instruction makes one of finite
// operands, and of none that it hands on.
func TestMadeOfFinite(t *testing.T) {
	huge, tiny := float32(math.MaxFloat32), float32(math.SmallestNonzeroFloat32)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	numbers := []float32{0, 1, -1, huge, -huge, tiny, inf, nan}
	const n = 64
	var x, y []uint32
	for i := range n {
		x = append(x, math.Float32bits(numbers[i%8]))
		y = append(y, math.Float32bits(numbers[i/8]))
	}
	for _, c := range []opCase{
		{129, "fff", "", of2(func(x, y float64) float64 { return x + y })},
		{131, "fff", "", of2(func(x, y float64) float64 { return x - y })},
		{133, "fff", "", of2(func(x, y float64) float64 { return x * y })},
		{136, "fff", "", of2(func(x, y float64) float64 { return x / y })},
		{140, "fff", "", of2(math.Mod)},
		{31, "ff", "GLSL.std.450", of1(math.Sqrt)},
		{28, "ff", "GLSL.std.450", of1(math.Log)},
		{79, "ff", "OpenCL.std", of1(math.Sqrt)},
		{127, "ff", "", of1(func(x float64) float64 { return -x })},
		{112, "uf", "", func(x, _, _ uint32) uint32 { return asBits(float64(x)) }},
		{124, "uf", "", func(x, _, _ uint32) uint32 { return 0 }}, // which computes nothing
		{83, "ff", "", func(x, _, _ uint32) uint32 { return 0 }},
	} {
		l := launch{o: Options{SubgroupSize: n}, buffers: map[Slot][]byte{{}: make([]byte, 4*n),
			{Binding: 1}: bytes32(x...)}}
		operands := [][]uint32{x}
		if len(c.types) == 3 {
			operands = append(operands, y)
			l.buffers[Slot{Binding: 2}] = bytes32(y...)
		}
		want := map[string]uint64{}
		for i := range n {
			finite := true
			for k, v := range operands {
				finite = finite && (c.types[k] != 'f' || simt.IsFinite(uint64(v[i]), 32))
			}
			switch v := fl(c.want(x[i], y[i], 0)); {
			case !finite:
			case v != v:
				want[simt.MadeNaN] |= 1 << i
			case math.IsInf(v, 0):
				want[simt.MadeInfinity] |= 1 << i
			}
		}
		r, got := l.start(t, opModuleOf(c, n)), map[string]uint64{}
		checker := check.New(r.m, check.NaN)
		checker.Sink = func(r *check.Report) bool {
			got[r.What] |= r.Lanes
			return false
		}
		checker.Attach()
		var err error
		if r.event, err = r.m.Run(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
		ended(t, r)
		t.Run(row{c.set, uint32(c.op)}.String(), func(t *testing.T) { same(t, got, want) })
	}
}
