package spirv

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// TestOpenCLStd compares the functions of OpenCL.std with what PoCL computed of the same source on a CPU
// (testdata/spirv/bench/opencl.c): integers exactly, floats within what OpenCL allows a few times over.
func TestOpenCLStd(t *testing.T) {
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join("..", "..", "testdata", "spirv", "expect", "cl_std."+name+".bin"))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	const lanes, results, floats, integers = 32, 96, 91, 50
	a := read("a")
	forEach(t, "cl_std", func(t *testing.T, words []uint32, track bool) {
		l := launch{block: [3]uint32{lanes, 1, 1}, track: track, args: make([]byte, 24),
			pointer: map[uint64]Slot{0: {0, 0, 0}, 8: {0, 1, 0}, 16: {0, 2, 0}}, buffers: map[Slot][]byte{
				{0, 0, 0}: a, {0, 1, 0}: make([]byte, 4*lanes*results),
				{0, 2, 0}: make([]byte, 4*lanes*results)}}
		r := l.run(t, words)
		ended(t, r)
		f, u := wordsOf(read("f")), wordsOf(read("u"))
		for i := range lanes {
			x := math.Float32frombits(binary.LittleEndian.Uint32(a[12*i:]))
			for k := range integers {
				if got, want := r.words(Slot{0, 2, 0})[results*i+k], u[results*i+k]; got != want {
					t.Errorf("lane %d (x %v), integer %d: %#x, PoCL has %#x", i, x, k, got, want)
				}
			}
			for k := range floats {
				got, want := float64(r.floats(Slot{0, 1, 0})[results*i+k]),
					float64(math.Float32frombits(f[results*i+k]))
				if !near(got, want) {
					t.Errorf("lane %d (x %v), float %d: %v, PoCL has %v", i, x, k, got, want)
				}
			}
		}
	})
}

func near(got, want float64) bool {
	if math.IsNaN(want) || math.IsInf(want, 0) || want == 0 {
		return got == want || math.IsNaN(got) && math.IsNaN(want) || want == 0 && math.Abs(got) < 1e-6
	}
	return math.Abs(got-want) <= 3e-6*math.Max(math.Abs(want), 0.1)
}
