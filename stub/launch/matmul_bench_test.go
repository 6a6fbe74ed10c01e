package launch

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/check"
)

// matmulSide is the side of the matrices of launch/matmul256.json.
const matmulSide = 256

// loadMatmul256 is the launch of BenchmarkMatmul256, ready to run.
func loadMatmul256(b *testing.B) *Program {
	b.Helper()
	s, err := ReadSpec(File{Path: filepath.Join(kernels, "launch", "matmul256.json")})
	if err != nil {
		b.Fatal(err)
	}
	p, err := s.Load()
	if err != nil {
		b.Fatal(err)
	}
	return p
}

// BenchmarkMatmul256Workers is BenchmarkMatmul256 with a given number of
// workers.
func BenchmarkMatmul256Workers(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint(workers), func(b *testing.B) {
			lanes := uint64(0)
			for b.Loop() {
				b.StopTimer()
				p := loadMatmul256(b)
				b.StartTimer()
				if ev, err := p.Run(context.Background(), workers); err != nil || ev.Kind != simt.EndEvent {
					b.Fatalf("%v %v", ev.Kind, err)
				}
				lanes += p.Machine.Stats().LaneInsts
			}
			b.ReportMetric(float64(lanes)/b.Elapsed().Seconds(), "lane-insts/s")
		})
	}
}

// BenchmarkMatmul256Debugged runs the launch as a debug session without
// breakpoints does, without and with a history.
func BenchmarkMatmul256Debugged(b *testing.B) {
	b.Run("plain", func(b *testing.B) { debugged(b, false) })
	b.Run("history", func(b *testing.B) { debugged(b, true) })
}

func debugged(b *testing.B, history bool) {
	const quantum = 256
	lanes := uint64(0)
	for b.Loop() {
		b.StopTimer()
		p := loadMatmul256(b)
		p.Machine.Track = true
		b.StartTimer()
		if err := p.Machine.Fill(); err != nil {
			b.Fatal(err)
		}
		advance := p.Machine.Advance
		if history {
			h := simt.NewHistory(p.Machine, nil)
			h.SetLimit(1 << 30)
			advance = h.Advance
		}
		for !p.Machine.Done() {
			if ev, err := advance(quantum); err != nil || ev.Kind == simt.FaultEvent {
				b.Fatalf("%v %v", ev.Kind, err)
			}
		}
		lanes += p.Machine.Stats().LaneInsts
	}
	b.ReportMetric(float64(lanes)/b.Elapsed().Seconds(), "lane-insts/s")
}

// BenchmarkMatmul256Go is the baseline: the same sums in the same order, but
// without fused operations, as a plain loop on one processor.
func BenchmarkMatmul256Go(b *testing.B) {
	const n = matmulSide
	x, y, z := make([]float32, n*n), make([]float32, n*n), make([]float32, n*n)
	for i := range x {
		x[i], y[i] = float32(i%7), float32(i%5)
	}
	for b.Loop() {
		for i := range n {
			for j := range n {
				acc := float32(0)
				for k := range n {
					acc += x[i*n+k] * y[k*n+j]
				}
				z[i*n+j] = acc
			}
		}
	}
}

// BenchmarkMatmul256Checked is the same with checkers, on one processor, interpreted as it is with them.
func BenchmarkMatmul256Checked(b *testing.B) {
	for _, name := range []string{"none", "barrier", "wait", "undefined", "uninit", "race", "all"} {
		b.Run(name, func(b *testing.B) {
			kinds, err := check.ParseKinds(name)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				b.StopTimer()
				p := loadMatmul256(b)
				p.Machine.Interpret = true
				if kinds != 0 {
					p.LookFor(kinds, func(r *check.Report) bool {
						b.Errorf("%s", p.DescribeReport(r))
						return false
					})
				}
				b.StartTimer()
				if ev, err := p.Run(context.Background(), 1); err != nil || ev.Kind != simt.EndEvent {
					b.Fatal(ev.Kind, err)
				}
			}
		})
	}
}
