package launch

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"simtgdb/loader/amdgpu"
	"simtgdb/simt"
	"simtgdb/simt/gcn"
	"simtgdb/testdata/sweep"
)

// compile builds a file with clang 22 or skips the test.
func compile(t *testing.T, name, text string, flags ...string) File {
	t.Helper()
	clang, err := exec.LookPath("clang-22")
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	folder := t.TempDir()
	in, out := filepath.Join(folder, name), filepath.Join(folder, "out.co")
	if err := os.WriteFile(in, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(clang, append(flags, in, "-o", out)...)
	if msg, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, msg)
	}
	return File{Path: out}
}

// opencl compiles OpenCL C.
func opencl(t *testing.T, target, text string, flags ...string) File {
	t.Helper()
	return compile(t, "k.cl", text, append(
		[]string{"-x", "cl", "-cl-std=CL2.0", "-target", "amdgcn-amd-amdhsa",
			"-mcpu=" + target, "-nogpulib", "-g", "-O2"}, flags...)...)
}

// run executes a program to its end.
func run(t *testing.T, p *Program) {
	t.Helper()
	ev, err := p.Run(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if ev.Kind != simt.EndEvent {
		t.Fatal(p.DescribeFault(ev))
	}
}

// idSource writes what a kernel can ask of its place in the grid.
const idSource = `
kernel void ids(global uint *out, uint bias, local uint *scratch, ulong wide) {
  uint i = __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() + __builtin_amdgcn_workitem_id_x();
  scratch[__builtin_amdgcn_workitem_id_x()] = __builtin_amdgcn_grid_size_x();
  out[3 * i] = i + bias;
  out[3 * i + 1] = __builtin_amdgcn_workgroup_size_x();
  out[3 * i + 2] = scratch[__builtin_amdgcn_workitem_id_x()] + (uint)(wide >> 32);
}
`

// Code objects of every version, and with arguments preloaded into registers,
// get the arguments they expect.
func TestConventions(t *testing.T) {
	preload := []string{"-mllvm", "-amdgpu-kernarg-preload-count=8"}
	for _, test := range sweep.Some(2, []struct {
		name, target string
		version      int
		flags        []string
	}{
		{"version 4", "gfx900", 4, []string{"-mcode-object-version=4"}},
		{"version 4", "gfx90a", 4, []string{"-mcode-object-version=4"}},
		{"version 5", "gfx942", 5, []string{"-mcode-object-version=5"}},
		{"version 5", "gfx900", 5, []string{"-mcode-object-version=5"}},
		{"preloaded", "gfx90a", 6, preload},
		{"preloaded", "gfx942", 6, preload},
		{"unoptimised", "gfx942", 6, []string{"-O0"}},
		{"version 6", "gfx90a", 6, []string{"-mcode-object-version=6"}},
	}...) {
		t.Run(test.name+" "+test.target, func(t *testing.T) {
			p := load(t, &Spec{CodeObject: opencl(t, test.target, idSource, test.flags...),
				Grid: Dims{100, 1, 1}, Block: Dims{64, 1, 1},
				Args: parseArgs(t, "buf:u32[300]", "u32:1000", "local:256", "u64:0x700000000")})
			if v := amdgpu.Of(p.Module).Target.CodeObjectVersion; v != test.version {
				t.Fatalf("version %d, want %d", v, test.version)
			}
			if test.name == "preloaded" && p.native().Descriptor.KernargPreloadLength == 0 {
				t.Fatal("nothing is preloaded")
			}
			run(t, p)
			var got [300]uint32
			read(t, p, p.Buffers[0].Region.Base, &got)
			for i := range uint32(100) {
				if want := [3]uint32{i + 1000, 64, 107}; [3]uint32(got[3*i:]) != want {
					t.Fatalf("work-item %d wrote %d, want %d", i, got[3*i:3*i+3], want)
				}
			}
		})
	}
}

// Memory that HIP calls extern __shared__ begins behind the kernel's own.
func TestDynamicLDS(t *testing.T) {
	const source = `
typedef unsigned int uint;
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
extern __shared__ uint more[];
__global__ void k(uint *out) {
  __shared__ uint own[64];
  uint i = __builtin_amdgcn_workitem_id_x();
  own[i] = i;
  more[i] = 1000 + i;
  __builtin_amdgcn_s_barrier();
  out[i] = own[63 - i] + more[63 - i];
}
`
	file := compile(t, "k.hip", source, "-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output",
		"-nogpuinc", "-nogpulib",
		"--offload-arch=gfx90a", "-O2", "-c")
	spec := Spec{CodeObject: file, Kernel: "k", Grid: Dims{64, 1, 1}, Block: Dims{64, 1, 1}, LDS: 256,
		Args: parseArgs(t, "buf:u32[64]")}
	p := load(t, &spec)
	if p.Machine.Dispatch.LDSSize != 512 {
		t.Errorf("%d bytes of LDS, want 512", p.Machine.Dispatch.LDSSize)
	}
	run(t, p)
	var got [64]uint32
	read(t, p, p.Buffers[0].Region.Base, &got)
	for i, v := range got {
		if want := uint32(1000 + 2*(63-i)); v != want {
			t.Fatalf("element %d is %d, want %d", i, v, want)
		}
	}
	spec.LDS = 252
	p = load(t, &spec)
	ev, err := p.Run(context.Background(), 0)
	if err != nil || ev.Kind != simt.FaultEvent {
		t.Fatalf("with less than it uses: %v %v", ev.Kind, err)
	}
	if got := p.DescribeFault(ev); !strings.Contains(got, "the workgroup has 508 bytes of LDS") {
		t.Error(got)
	}
}

// Where a file has several kernels one must be chosen, and what the kernel's
// attributes demand is checked.
func TestSeveralKernels(t *testing.T) {
	file := opencl(t, "gfx900", `
kernel void one(global int *p) { *p = 1; }
kernel __attribute__((reqd_work_group_size(8, 4, 1))) void two(global int *p) { *p = 2; }
`, "-cl-uniform-work-group-size")
	spec := func(change func(*Spec)) *Spec {
		s := &Spec{CodeObject: file, Kernel: "two", Grid: Dims{16, 16, 1}, Args: parseArgs(t, "buf:i32[1]")}
		change(s)
		return s
	}
	for _, test := range []struct {
		change func(*Spec)
		want   string
	}{
		{func(s *Spec) { s.Kernel = "" }, file.Path + ": several kernels, choose one with --kernel: one, " +
			"two"},
		{func(s *Spec) { s.Kernel = "three" },
			file.Path + `: kernel "three": no such kernel; the file has: one, two`},
		{func(s *Spec) { s.Block = Dims{4, 8, 1} },
			"kernel two: workgroup (4,8,1), but the kernel requires (8,4,1)"},
		{func(s *Spec) { s.Grid[0] = 12 },
			"kernel two: grid (12,16,1) is no multiple of workgroup (8,4,1), as the kernel requires: the " +
				"grid counts " +
				`work-items; --groups ("groups") counts workgroups, as HIP's <<<>>> does`},
	} {
		if _, err := spec(test.change).Load(); err == nil || err.Error() != test.want {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
	}
	p := load(t, spec(func(*Spec) {}))
	run(t, p)
	if p.Machine.Dispatch.Block != [3]uint32{8, 4, 1} || p.Buffers[0].Data()[0] != 2 {
		t.Errorf("block %v, result %d", p.Machine.Dispatch.Block, p.Buffers[0].Data()[0])
	}
}

// A target that the machine does not know is refused by name.
func TestOtherTarget(t *testing.T) {
	p := &Spec{CodeObject: opencl(t, "gfx803", "kernel void k(global int *p) { *p = 1; }"),
		Grid: Dims{1, 1, 1}, Block: Dims{1, 1, 1}, Args: parseArgs(t, "buf:i32[1]")}
	want := "kernel k: processor gfx803 cannot be simulated; these can: " +
		strings.Join(gcn.Processors(), ", ")
	if _, err := p.Load(); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
