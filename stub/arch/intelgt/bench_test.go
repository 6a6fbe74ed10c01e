//go:build unix

package intelgt

import (
	"context"
	"syscall"
	"testing"
	"time"

	"simtgdb/simt"
	launcher "simtgdb/stub/launch"
)

// BenchmarkLaneInstruction runs the same kernels on both families, one worker
// each, and tells the processor time of an instruction for a lane.
func BenchmarkLaneInstruction(b *testing.B) {
	for _, kernel := range benchKernels {
		for _, family := range []string{"gen9", "gfx900"} {
			s := benchLaunch(b, kernel, family)
			b.Run(kernel+"/"+family, func(b *testing.B) { measure(b, s) })
		}
	}
}

// measure runs a launch again and again.
func measure(b *testing.B, s *launcher.Spec) {
	var total simt.Stats
	var spent time.Duration
	for b.Loop() {
		p, err := s.Load()
		if err != nil {
			b.Fatal(err)
		}
		from := processorTime(b)
		if ev, err := p.Machine.Run(context.Background(), 1); err != nil || ev.Kind != simt.EndEvent {
			b.Fatal(ev, err)
		}
		spent += processorTime(b) - from
		one := p.Machine.Stats()
		total.Insts, total.LaneInsts = total.Insts+one.Insts, total.LaneInsts+one.LaneInsts
	}
	b.ReportMetric(float64(spent)/float64(total.LaneInsts), "ns/lane-instruction")
	b.ReportMetric(float64(spent)/float64(total.Insts), "ns/instruction")
	b.ReportMetric(float64(spent)/float64(b.N)/1e6, "ms/run")
	b.ReportMetric(0, "ns/op")
}

// processorTime is what this process has used, which other work on the machine
// changes less than the time on the clock.
func processorTime(b *testing.B) time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano())
}
