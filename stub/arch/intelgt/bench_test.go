package intelgt

import (
	"context"
	"testing"

	"simtgdb/simt"
	_ "simtgdb/stub/arch/amdgpu"
	launcher "simtgdb/stub/launch"
)

// BenchmarkLaneInstruction runs kernels at the default level and tells the
// time of an instruction for a lane, beside kernels of gfx9 in the same run.
func BenchmarkLaneInstruction(b *testing.B) {
	for _, r := range []kernelRun{
		{"flow", "mandelbrot", [3]uint32{256, 64, 1}, [3]uint32{16, 4, 1}, []string{"out:65536",
			"u32:256"}},
		{"shared", "matmul", [3]uint32{128, 128, 1}, [3]uint32{8, 8, 1},
			[]string{"out:65536", "in:f32:16384:1", "in:f32:16384:2", "i32:128"}},
		{"memory", "crc", [3]uint32{4096, 1, 1}, [3]uint32{64, 1, 1}, []string{"out:16384",
			"in:u8:262144:3", "u32:64"}},
	} {
		b.Run("gen9/"+r.kernel, func(b *testing.B) {
			measure(b, func() *simt.Machine {
				m, _, _ := r.machine(b, programs+"zebin/"+r.program+"-O2.zebin")
				return m
			})
		})
	}
	for _, name := range []string{"mandelbrot", "matmul256", "reduction"} {
		b.Run("gfx9/"+name, func(b *testing.B) {
			s, err := launcher.ReadSpec(launcher.File{Path: "../../../testdata/launch/" + name + ".json"})
			if err != nil {
				b.Fatal(err)
			}
			measure(b, func() *simt.Machine {
				p, err := s.Load()
				if err != nil {
					b.Fatal(err)
				}
				return p.Machine
			})
		})
	}
}

// measure runs machines on one worker.
func measure(b *testing.B, machine func() *simt.Machine) {
	var insts, lanes uint64
	for b.Loop() {
		b.StopTimer()
		m := machine()
		b.StartTimer()
		if ev, err := m.Run(context.Background(), 1); err != nil || ev.Kind != simt.EndEvent {
			b.Fatal(ev, err)
		}
		s := m.Stats()
		insts, lanes = insts+s.Insts, lanes+s.LaneInsts
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(lanes), "ns/lane-instruction")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(insts), "ns/instruction")
	b.ReportMetric(0, "ns/op")
}
