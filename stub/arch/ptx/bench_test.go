package ptx_test

import (
	"context"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"simtgdb/simt"
	"simtgdb/simt/vec"
	_ "simtgdb/stub/arch/amdgpu"
	_ "simtgdb/stub/arch/ptx"
	"simtgdb/stub/launch"
)

const testdata = "../../../testdata"

// BenchmarkKernels compares lane instructions per second of the same sources on gfx9, without
// instructions of the host for vectors, and in PTX, whose are statements. At -O0 all variables are in
// private memory. user-ns/lane is the time of the processor alone, for a machine that has other work.
func BenchmarkKernels(b *testing.B) {
	was := vec.Current()
	vec.Use(vec.Portable)
	defer vec.Use(was)
	for _, kernel := range []string{"matmul256", "mandelbrot"} {
		name := map[string]string{"matmul256": "matmul"}[kernel]
		if name == "" {
			name = kernel
		}
		for _, object := range []string{"co/" + name + ".gfx90a.O2.co", "ptx/co/" + name + ".O2.ptx",
			"co/" + name + ".gfx90a.O0.co", "ptx/co/" + name + ".O0.ptx"} {
			b.Run(filepath.Base(object), func(b *testing.B) { benchmark(b, kernel, object) })
		}
	}
}

func benchmark(b *testing.B, kernel, object string) {
	s, err := launch.ReadSpec(launch.File{Path: filepath.Join(testdata, "launch", kernel+".json")})
	if err != nil {
		b.Fatal(err)
	}
	s.CodeObject = launch.File{Path: filepath.Join(testdata, object)}
	lanes, spent := uint64(0), time.Duration(0)
	for b.Loop() {
		b.StopTimer()
		p, err := s.Load()
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		before := userTime(b)
		ev, err := p.Run(context.Background(), 1)
		if err != nil || ev.Kind != simt.EndEvent {
			b.Fatalf("%v %v", ev.Kind, err)
		}
		spent += userTime(b) - before
		lanes += p.Machine.Stats().LaneInsts
	}
	b.ReportMetric(float64(spent.Nanoseconds())/float64(lanes), "user-ns/lane")
	b.ReportMetric(float64(lanes)/b.Elapsed().Seconds(), "lane-insts/s")
}

// userTime is what the process has had of the processor.
func userTime(b *testing.B) time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano())
}
