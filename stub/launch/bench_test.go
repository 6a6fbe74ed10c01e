package launch

import (
	"context"
	"path/filepath"
	"testing"

	"simtgdb/simt"
)

// BenchmarkMatmul256 multiplies two matrices of 256 by 256 floats with code
// compiled at -O2 and reports lane instructions per second.
func BenchmarkMatmul256(b *testing.B) {
	s, err := ReadSpec(File{Path: filepath.Join(kernels, "launch", "matmul256.json")})
	if err != nil {
		b.Fatal(err)
	}
	lanes := uint64(0)
	for b.Loop() {
		b.StopTimer()
		p, err := s.Load()
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		ev, err := p.Run(context.Background(), 0)
		if err != nil || ev.Kind != simt.EndEvent {
			b.Fatalf("%v %v", ev.Kind, err)
		}
		lanes += p.Machine.Stats().LaneInsts
	}
	b.ReportMetric(float64(lanes)/b.Elapsed().Seconds(), "lane-insts/s")
}
