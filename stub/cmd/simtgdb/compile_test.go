package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSource runs a source, which has an error at first.
func TestSource(t *testing.T) {
	if _, err := exec.LookPath("clang-22"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	path := filepath.Join(t.TempDir(), "k.hip")
	write := func(statement string) {
		t.Helper()
		text := "__global__ void k(int *p) { " + statement + " }\n"
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := []string{"run", path, "--grid", "4", "--block", "4", "--arg", "buf:i32[4]", "--print", "p",
		"--cc", "-DWHAT=threadIdx.x -w"}
	write("p[threadIdx.x] = WHAT + missing;")
	r := simtgdb(t, command...)
	if r.status != statusInput || !strings.Contains(r.err, "use of undeclared identifier 'missing'") ||
		!strings.HasSuffix(r.err, "\nsimtgdb run: "+path+": clang-22 does not compile it\n") {
		t.Errorf("status %d: %s", r.status, r.err)
	}
	write("p[threadIdx.x] = WHAT + 1;")
	r = simtgdb(t, command...)
	if want := "argument 0 (p): i32[4]\n  [0] 1 2 3 4\n"; r.status != 0 || r.out != want {
		t.Errorf("status %d: %s%s", r.status, r.out, r.err)
	}
	if first, _, _ := strings.Cut(r.err, "\n"); strings.Contains(first, os.Getenv("XDG_CACHE_HOME")) ||
		len(first) > 200 {
		t.Errorf("more than what matters is said: %s", first)
	}
	r = simtgdb(t, append(command, "--cc-command")...)
	if first, _, _ := strings.Cut(r.err, "\n"); !strings.Contains(first, " -o "+os.Getenv("XDG_CACHE_HOME")) {
		t.Errorf("the whole command is not said: %s", first)
	}
	if first, _, _ := strings.Cut(r.err, "\n"); !strings.Contains(first, "clang-22 -x hip ") ||
		!strings.Contains(first, " '-DWHAT=threadIdx.x' ") &&
			!strings.Contains(first, " -DWHAT=threadIdx.x ") {
		t.Errorf("the command is not said: %s", r.err)
	}
}

// TestSourceNames gives arguments by the names that an OpenCL source has for them, on two machines.
func TestSourceNames(t *testing.T) {
	if _, err := exec.LookPath("clang-22"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	path := filepath.Join(t.TempDir(), "k.cl")
	const text = "kernel void k(global int *out, int n) { out[get_global_id(0)] = n; }\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{"gfx90a", "spirv", "gen9"} {
		if _, err := exec.LookPath("ocloc"); err != nil && target == "gen9" {
			continue // Debian's for Intel is not installed everywhere
		}
		r := simtgdb(t, "run", path, "--target", target, "--grid", "4", "--block", "4", "--arg", "n=i32:7",
			"--arg", "out=buf:i32[4]", "--print", "out")
		if want := "argument 0 (out): i32[4]\n  [0] 7 7 7 7\n"; r.status != 0 || r.out != want {
			t.Errorf("%s: status %d: %s%s", target, r.status, r.out, r.err)
		}
	}
}

// TestOneLine: arrays of a kernel that is written on one line have their bounds, on each machine.
func TestOneLine(t *testing.T) {
	if _, err := exec.LookPath("clang-22"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	path := filepath.Join(t.TempDir(), "k.cl")
	const text = "kernel void k(global int *o, int n) { local int t[64], u[64]; int i = get_local_id(0); " +
		"u[i] = 1; t[i] = 2; barrier(CLK_LOCAL_MEM_FENCE); int v = u[i]; o[i] = t[i + n] + v; }\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{"gfx90a", "spirv", "sm_70", "gen9"} {
		if _, err := exec.LookPath("ocloc"); err != nil && target == "gen9" {
			continue // Debian's for Intel is not installed everywhere
		}
		for n, status := range []int{statusDone, statusFault} {
			r := simtgdb(t, "run", path, "--target", target, "--grid", "64", "--block", "64",
				"--check=bounds", "--arg", "o=buf:i32[64]", "--arg", fmt.Sprintf("n=i32:%d", n))
			if r.status != status || strings.Contains(r.err, "check bounds: ") != (n == 1) {
				t.Errorf("%s, %d: status %d: %s", target, n, r.status, r.err)
			}
		}
	}
}

// TestOpenCLForPTX: what work-item functions give in PTX, and what a barrier orders, is what AMD's library
// has them do.
func TestOpenCLForPTX(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if _, err := exec.LookPath("clang-22"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	const text = `kernel void places(global uint *out, local uint *tile) {
  uint l = get_local_id(0) + get_local_size(0) * get_local_id(1), many = get_local_size(0) * get_local_size(1);
  tile[l] = get_global_id(0) * 100 + get_global_id(1);
  barrier(CLK_LOCAL_MEM_FENCE);
  global uint *o = out + 8 * (get_global_id(0) + get_global_size(0) * get_global_id(1));
  o[0] = tile[many - 1 - l];
  o[1] = get_group_id(0) * 10 + get_group_id(1);
  o[2] = get_num_groups(0) * 10 + get_num_groups(1);
  o[3] = get_work_dim() * 1000 + get_global_offset(0) + get_global_size(1);
  o[4] = get_local_id(2) * 100 + get_local_size(2) * 10 + get_global_id(2) + get_num_groups(2) + get_local_size(7);
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  o[5] = o[0] + 1;
}
`
	// Functions that libclc has, where it is installed, and LLVM no instructions for.
	const natives = `  o[6] = rint(native_exp(3.0f)) + 100 * rint(native_log(20.0f) + native_powr(3.f, 2.f));
  o[7] = rint(native_log10((float2)(1e5f, 1)).x) + 100 * rint(native_log2((float4)(256)).w);
}
`
	source := text
	if _, err := os.Stat("/usr/lib/clc/nvptx64--nvidiacl.bc"); err == nil {
		source = strings.TrimSuffix(text, "}\n") + natives
	}
	file := filepath.Join(t.TempDir(), "places.cl")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	var printed []string
	for _, target := range []string{"gfx90a", "sm_80"} {
		r := simtgdb(t, "run", file, "--target", target, "--grid", "8,6", "--block", "4,3", "--arg",
			"out=buf:u32[384]", "--arg", "tile=local:48", "--print", "out,count=384")
		_, table, ok := strings.Cut(r.out, "argument 0 (out)")
		if r.status != 0 || !ok || !strings.Contains(table, "2006") {
			t.Fatalf("%s: %+v", target, r)
		}
		printed = append(printed, table)
	}
	if d := cmp.Diff(printed[0], printed[1]); d != "" {
		t.Errorf("PTX has other places than gfx90a (-gfx90a +sm_80):\n%s", d)
	}
}

// TestOpenCLPrints: a source in OpenCL C that prints does so on every machine that it is compiled for.
func TestOpenCLPrints(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	file := filepath.Join(t.TempDir(), "says.cl")
	const text = `kernel void says(global const int *in) {
  short3 v = (short3)(in[0], 2, -3);
  printf("%v3hd, %s, %.1f\n", v, "text", 2.5f);
}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for target, compiler := range map[string]string{"gfx90a": "clang-22", "sm_80": "clang-22",
		"gen9": "ocloc"} {
		if _, err := exec.LookPath(compiler); err != nil {
			t.Logf("not for %s: %v", target, err)
			continue
		}
		r := simtgdb(t, "run", file, "--target", target, "--grid", "1", "--block", "1", "--arg",
			"buf:i32[1]=7", "--cc-command")
		if r.status != 0 || r.out != "7,2,-3, text, 2.5\n" ||
			strings.Contains(r.err, "simtgdb run: ") && !strings.Contains(r.err, "run to its end") {
			t.Errorf("%s: %+v", target, r)
		}
	}
}

// TestSmallHeadersPrint: with the headers that take the place of HIP's and CUDA's, a source that includes
// none prints and asserts.
func TestSmallHeadersPrint(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if _, err := exec.LookPath("clang-22"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	const text = `__global__ void says(int *p) { printf("%s %d\n", "item", p[0]); assert(p[0] == 8); }
`
	for name, target := range map[string]string{"says.hip": "gfx90a", "says.cu": "sm_80"} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for value, status := range map[int]int{8: statusDone, 7: statusFault} {
			r := simtgdb(t, "run", file, "--target", target, "--grid", "1", "--block", "1", "--arg",
				fmt.Sprint("buf:i32[1]=", value))
			if r.status != status || !strings.Contains(r.out+r.err, fmt.Sprintf("item %d\n", value)) ||
				strings.Contains(r.out+r.err, "p[0] == 8") != (value == 7) {
				t.Errorf("%s with %d: %+v", name, value, r)
			}
		}
	}
}

// Registers of HLSL that have one number and other kinds are other bindings.
func TestRegistersOfHLSL(t *testing.T) {
	if _, err := exec.LookPath("glslangValidator"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	path := filepath.Join(t.TempDir(), "add.hlsl")
	const text = `cbuffer C : register(b0) { int more; };
StructuredBuffer<int> from : register(t0);
RWStructuredBuffer<int> to : register(u0);
[numthreads(4, 1, 1)] void Add(uint3 id : SV_DispatchThreadID) { to[id.x] = from[id.x] + more; }
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{"to", "0"} {
		r := simtgdb(t, "run", path, "--groups", "1", "--binding", "from=i32[4]=iota", "--binding",
			to+"=i32[4]", "--binding", "C=uniform:i32[1]=7", "--print", to)
		if r.status != 0 || !strings.Contains(r.out, "[0] 7 8 9 10\n") {
			t.Errorf("%s: %+v", to, r)
		}
	}
}
