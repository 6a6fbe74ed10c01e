package intelgt

import (
	"context"
	"encoding/binary"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/check"
	"simtgdb/testdata/sweep"
)

// TestGen8 compiles the programs for Gen8, one unoptimised or, if SIMTGDB_SWEEP is all, all at both levels,
// and runs their kernels.
func TestGen8(t *testing.T) {
	if _, err := exec.LookPath("ocloc"); err != nil {
		t.Skip("ocloc is not installed")
	}
	sources, err := filepath.Abs(programs + "src")
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	ran := 0
	for _, r := range kernelRuns(t) {
		if r.program != "calls" && !sweep.All() {
			continue
		}
		for _, level := range sweep.Some(2, "O0", "O2") {
			option := map[string]string{"O0": "-cl-opt-disable "}[level]
			path := filepath.Join(out, r.program+"-"+level)
			if _, err := os.Stat(path); err != nil {
				compile := exec.Command("ocloc", "compile", "-q", "-device", "bdw", "--format", "zebin",
					"-file", filepath.Join(sources, r.program+".cl"), "-out_dir", path, "-options",
					option+"-cl-std=CL3.0 -cl-intel-greater-than-4GB-buffer-required")
				if log, err := compile.CombinedOutput(); err != nil {
					t.Fatalf("ocloc: %v: %s", err, log)
				}
			}
			m, _, outs := r.machine(t, filepath.Join(path, r.program+"_Gen8core.bin"))
			if ev, err := m.Run(context.Background(), 1); err != nil || ev.Kind != simt.EndEvent {
				t.Errorf("%s at %s: %v at %#x: %v, %v", r.kernel, level, ev.Kind, ev.PC, ev.Fault, err)
				continue
			}
			r.compare(t, outs)
			ran++
		}
	}
	if least := map[bool]int{true: 100, false: 5}[sweep.All()]; ran < least {
		t.Errorf("%d kernels", ran)
	}
}

// runChecked runs a kernel of zebin/xe with checkers, which find nothing, and returns what is in its first
// buffer.
func (r *kernelRun) runChecked(t *testing.T) []byte {
	t.Helper()
	m, _, outs := r.machine(t, programs+"zebin/xe/"+r.program+".zebin")
	checker := check.New(m, check.All)
	checker.Sink = func(found *check.Report) bool {
		t.Errorf("at %#x: %v: %s: %s with %+v", found.PC, found.Kind, found.What, found.Access(),
			found.Others)
		return false
	}
	checker.Attach()
	if ev, err := m.Run(context.Background(), 1); err != nil || ev.Kind != simt.EndEvent {
		t.Fatalf("%s: %v at %#x: %v, %v", r.kernel, ev.Kind, ev.PC, ev.Fault, err)
	}
	return outs[0].Data
}

// TestNamedBarriers: what sub-groups in pairs tell each other over named barriers.
func TestNamedBarriers(t *testing.T) {
	in := random(t, "u32", 256, 7)
	r := kernelRun{program: "named", kernel: "named", grid: [3]uint32{256, 1, 1}, block: [3]uint32{64, 1, 1},
		args: []string{"out:1024", "in:u32:256:7"}}
	out := r.runChecked(t)
	for i := range 256 {
		want := uint32(0)
		for round := range uint32(3) {
			want = want*3 + binary.LittleEndian.Uint32(in[4*(i&^31+(i+16)%32):]) + round
		}
		if got := binary.LittleEndian.Uint32(out[4*i:]); got != want {
			t.Fatalf("element %d is %d, want %d", i, got, want)
		}
	}
}

// TestSplitMatrices: products with a matrix of which two sub-groups have a half each.
func TestSplitMatrices(t *testing.T) {
	in := random(t, "u32", 384, 9)
	r := kernelRun{program: "split", kernel: "split", grid: [3]uint32{32, 1, 1}, block: [3]uint32{32, 1, 1},
		args: []string{"out:1024", "in:u32:384:9"}}
	// The numbers are halves of which some are none: those are left out of what is compared.
	out := r.runChecked(t)
	half := func(i int) float64 { return halfNumber(binary.LittleEndian.Uint16(in[2*i:])) }
	compared := 0
	for s := range 4 {
		for row := range 8 {
			for n := range 8 {
				want, size := float64(s), 0.0
				for k := range 16 {
					x := half((s/2*8+row)*16+k) * half(256+((s*8+k/2)*8+n)*2+k%2)
					want, size = want+x, size+math.Abs(x)
				}
				got := float64(math.Float32frombits(binary.LittleEndian.Uint32(out[4*((s*8+row)*8+n):])))
				switch {
				case want != want || math.IsInf(want, 0):
					continue
				case math.Abs(got-want) > size*0x1p-22:
					t.Fatalf("sub-group %d, row %d, column %d: %v, want %v", s, row, n, got, want)
				}
				compared++
			}
		}
	}
	if compared < 64 {
		t.Errorf("%d numbers are compared", compared)
	}
}

// halfNumber is the number that 16 bits are.
func halfNumber(v uint16) float64 {
	e, m := int(v>>10&31), float64(v&0x3ff)
	x := math.Ldexp(m, -24)
	switch {
	case e == 31 && m == 0:
		x = math.Inf(1)
	case e == 31:
		x = math.NaN()
	case e > 0:
		x = math.Ldexp(m+1024, e-25)
	}
	if v>>15 != 0 {
		x = -x
	}
	return x
}
