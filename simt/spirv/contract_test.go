package spirv

import (
	"math/big"
	"strings"
	"testing"
)

// once is x*y+z rounded once, by arithmetic of any precision.
func once(x, y, z float32) float32 {
	wide := func(f float32) *big.Float { return new(big.Float).SetPrec(1000).SetFloat64(float64(f)) }
	product := wide(0).Mul(wide(x), wide(y))
	sum, _ := wide(0).Add(product, wide(z)).Float32()
	return sum
}

// TestContraction: products that are only added are rounded once if the options say so, and otherwise never.
func TestContraction(t *testing.T) {
	const n = 64
	rnd := random(17)
	var in []float32
	for range 3 * n {
		in = append(in, float32(int32(rnd.next()<<1))/(1<<20))
	}
	forEach(t, "contract", func(t *testing.T, words []uint32, track bool) {
		// spirv-opt makes an Fma of every sum with a product, but of those that are precise.
		optimised := strings.Contains(t.Name(), "contract.O/") || strings.HasSuffix(t.Name(), "contract.O")
		for _, contract := range []bool{false, true} {
			l := launch{o: Options{Contract: contract}, track: track, buffers: map[Slot][]byte{
				{0, 0, 0}: floatBytes(in...), {0, 1, 0}: make([]byte, 32*n)}}
			r := l.run(t, words)
			ended(t, r)
			var want []float32
			differ := 0
			for i := range n {
				x, y, z := in[3*i], in[3*i+1], in[3*i+2]
				plain := func(x, y, z float32) float32 { return float32(x*y) + z }
				f := plain
				if contract || optimised {
					f = once
				}
				if once(x, y, z) != plain(x, y, z) {
					differ++
				}
				q := float32(x * z)
				twice := plain
				if optimised {
					twice = once
				}
				want = append(want, f(x, y, z), f(x, y, -z), f(-x, y, z), plain(z, z, x), f(x, y, z),
					f(y, z, x), float32(q*2)-twice(x, z, y), f(x, y, float32(z*2)))
			}
			same(t, r.floats(Slot{0, 1, 0}), want)
			if differ == 0 {
				t.Error("no operands whose sum depends on contraction")
			}
		}
	})
}

// TestSpecialisedLayout: members behind an array of a specialised size.
func TestSpecialisedLayout(t *testing.T) {
	forEach(t, "speclayout", func(t *testing.T, words []uint32, track bool) {
		for _, count := range []uint64{1, 2, 5} {
			l := launch{o: Options{Spec: map[uint32]uint64{0: count}}, track: track,
				buffers: map[Slot][]byte{{0, 0, 0}: make([]byte, 16)}}
			r := l.run(t, words)
			ended(t, r)
			same(t, r.words(Slot{0, 0, 0}), []uint32{154, 164, 174, 184})
		}
	})
}
