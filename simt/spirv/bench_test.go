package spirv

import (
	"context"
	"testing"

	"simtgdb/simt"
)

// bench runs a launch again and again and reports instructions of lanes per second.
func bench(b *testing.B, module string, l launch) {
	words := testModule(b, module)
	var stats simt.Stats
	for b.Loop() {
		b.StopTimer()
		r := l.start(b, words)
		b.StartTimer()
		if _, err := r.m.Run(context.Background(), 1); err != nil {
			b.Fatal(err)
		}
		stats = r.m.Stats()
	}
	b.ReportMetric(float64(stats.LaneInsts)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mlane-insts/s")
}

func BenchmarkMandelbrot(b *testing.B) {
	bench(b, "mandel.none.spv", launch{groups: [3]uint32{4096}, push: bytes32(512, 256),
		buffers: map[Slot][]byte{{0, 0, 0}: make([]byte, 1<<20)}})
}

func BenchmarkMatmul(b *testing.B) {
	m := make([]byte, 1<<18)
	bench(b, "matmul.none.spv", launch{groups: [3]uint32{16, 16}, push: bytes32(256),
		buffers: map[Slot][]byte{{0, 0, 0}: m, {0, 1, 0}: m, {0, 2, 0}: m}})
}

func BenchmarkNbody(b *testing.B) {
	p := make([]byte, 1<<14)
	bench(b, "nbody.none.spv", launch{groups: [3]uint32{16}, push: append(bytes32(1024), floatBytes(0.25)...),
		buffers: map[Slot][]byte{{0, 0, 0}: p, {0, 1, 0}: p}})
}
