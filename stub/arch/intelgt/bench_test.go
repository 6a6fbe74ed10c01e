//go:build unix

package intelgt

import (
	"context"
	"syscall"
	"testing"
	"time"

	"simtgdb/simt"
	"simtgdb/simt/vec"
	launcher "simtgdb/stub/launch"
)

// BenchmarkLaneInstruction runs the same kernels on both families, one worker
// each, and tells the processor time of an instruction for a lane. Gen9 runs in
// Go alone; gfx900 in Go alone too, and as the processor at hand allows.
func BenchmarkLaneInstruction(b *testing.B) {
	best := vec.Current()
	defer vec.Use(best)
	for _, kernel := range benchKernels {
		for _, run := range []struct {
			family string
			path   vec.Path
		}{{"gen9", vec.Portable}, {"gen9", best}, {"gfx900", vec.Portable}, {"gfx900", best}} {
			s := benchLaunch(b, kernel, run.family)
			b.Run(kernel+"/"+run.family+"/"+run.path.String(), func(b *testing.B) {
				vec.Use(run.path)
				measure(b, s)
			})
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
