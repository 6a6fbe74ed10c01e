package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"simtgdb/simt"
	checkers "simtgdb/simt/check"
	"simtgdb/simt/vec"
	"simtgdb/stub/launch"
)

// Random OpenCL programs: the same source is compiled for the simulated GPUs at several levels, and for the
// host as C. All must compute the same bits.

var (
	randomPrograms = flag.Int("programs", 2, "how many random programs TestRandomPrograms runs")
	firstProgram   = flag.Int("first-program", 0, "which random program TestRandomPrograms begins with")
	keepPrograms   = flag.String("keep-programs", "", "the `folder` that random programs are left in")
)

// items is how many work-items a random program has; each gives two dwords.
const items = 512

// A program is being made up.
type program struct {
	r     *rand.Rand
	text  strings.Builder
	depth int
	loops int
}

// intExpr and floatExpr make an expression of a depth. Floats stay finite, and operands that C leaves
// undefined
// are kept away.
func (p *program) intExpr(depth int) string {
	if depth == 0 {
		switch p.r.IntN(4) {
		case 0:
			return fmt.Sprintf("%du", p.r.Uint32()>>p.r.IntN(32))
		case 1:
			return "id"
		}
		return fmt.Sprintf("v%d", p.r.IntN(4))
	}
	a, b := p.intExpr(depth-1), p.intExpr(depth-1)
	switch p.r.IntN(14) {
	case 0:
		return fmt.Sprintf("(%s << (%s & 31u))", a, b)
	case 1:
		return fmt.Sprintf("(%s >> (%s & 31u))", a, b)
	case 2:
		return fmt.Sprintf("(uint)((int)%s >> (%s & 31u))", a, b)
	case 3:
		return fmt.Sprintf("(%s / (%s | 1u))", a, b)
	case 4:
		return fmt.Sprintf("(%s %% (%s | 1u))", a, b)
	case 5:
		return fmt.Sprintf("(%s ? %s : %s)", p.condition(depth-1), a, b)
	case 6:
		return fmt.Sprintf("(uint)(int)(f%d)", p.r.IntN(3))
	case 7:
		return fmt.Sprintf("(uint)(((ulong)%s * (ulong)%s) >> %d)", a, b, p.r.IntN(33))
	case 8:
		return fmt.Sprintf("(uint)(uchar)(%s >> %d)", a, 8*p.r.IntN(4))
	}
	return fmt.Sprintf("(%s %s %s)", a, []string{"+", "-", "*", "&", "|", "^"}[p.r.IntN(6)], b)
}

func (p *program) condition(depth int) string {
	if p.r.IntN(3) == 0 {
		return fmt.Sprintf("(f%d %s f%d)", p.r.IntN(3), []string{"<", "<=", ">", "=="}[p.r.IntN(4)], p.r.IntN(3))
	}
	op := []string{"<", "<=", ">", ">=", "==", "!="}[p.r.IntN(6)]
	cast := []string{"", "(int)"}[p.r.IntN(2)]
	return fmt.Sprintf("(%s%s %s %s%s)", cast, p.intExpr(depth), op, cast, p.intExpr(depth))
}

func (p *program) floatExpr(depth int) string {
	if depth == 0 {
		switch p.r.IntN(4) {
		case 0:
			return fmt.Sprintf("%.6ff", p.r.Float64()*20-10)
		case 1:
			// Not a constant: IGC makes -x of 0 - x, whose zero has another sign.
			return fmt.Sprintf("(float)(int)(%s & 0xffffu)", []string{"id", "v0", "v1", "v2", "v3"}[p.r.IntN(5)])
		}
		return fmt.Sprintf("f%d", p.r.IntN(3))
	}
	a, b := p.floatExpr(depth-1), p.floatExpr(depth-1)
	switch p.r.IntN(5) {
	case 0:
		return fmt.Sprintf("(%s ? %s : %s)", p.condition(0), a, b)
	case 1:
		return fmt.Sprintf("(- %s)", a)
	}
	return fmt.Sprintf("(%s %s %s)", a, []string{"+", "-", "*"}[p.r.IntN(3)], b)
}

func (p *program) line(format string, args ...any) {
	p.text.WriteString(strings.Repeat("  ", p.depth+1))
	fmt.Fprintf(&p.text, format+"\n", args...)
}

// statements makes some statements; loops are short, and not many are in each other.
func (p *program) statements(n int) {
	for range n {
		switch k := p.r.IntN(8); {
		case k == 0 && p.depth < 3:
			p.line("if (%s) {", p.condition(1))
			p.nested(n - 1)
			p.line("} else {")
			p.nested(n - 1)
			p.line("}")
		case k == 1 && p.loops < 2:
			p.loops++
			i := fmt.Sprintf("i%d", p.depth)
			p.line("for (uint %s = 0; %s < (%s & 15u) + 1; %s++) {", i, i, p.intExpr(0), i)
			p.nested(n - 1)
			p.line("v%d += %s;", p.r.IntN(4), i)
			p.line("}")
			p.loops--
		case k == 2:
			p.line("t[%s & 7u] = %s;", p.intExpr(0), p.intExpr(1))
		case k == 3:
			p.line("v%d ^= t[%s & 7u];", p.r.IntN(4), p.intExpr(1))
		case k == 4:
			p.line("f%d = TAME(%s);", p.r.IntN(3), p.floatExpr(2))
		default:
			p.line("v%d = %s;", p.r.IntN(4), p.intExpr(2))
		}
	}
}

func (p *program) nested(n int) {
	p.depth++
	p.statements(max(n, 1))
	p.depth--
}

// randomSource is a program that is OpenCL C, and C with HOST defined.
func randomSource(seed uint64) string {
	p := &program{r: rand.New(rand.NewPCG(seed, 5))}
	p.text.WriteString(`#ifdef HOST
#include <stdio.h>
typedef unsigned int uint;
typedef unsigned char uchar;
typedef unsigned long long ulong;
#define __kernel static
#define __global
#define BITS(f) ((union { float x; uint u; }){f}).u
static uint id;
#else
#pragma OPENCL FP_CONTRACT OFF
#define BITS(f) as_uint_(f)
static uint as_uint_(float f) { union { float x; uint u; } b; b.x = f; return b.u; }
#endif
#define TAME(f) tame(f)
static float tame(float f) { return f > -1e6f && f < 1e6f ? f : 1.5f; }

__kernel void k(__global uint *out, __global const uint *in) {
#if defined(__AMDGCN__)
  uint id = __builtin_amdgcn_workgroup_id_x() * 128 + __builtin_amdgcn_workitem_id_x();
#elif defined(__NVPTX__)
  uint id = __nvvm_read_ptx_sreg_ctaid_x() * 128 + __nvvm_read_ptx_sreg_tid_x();
#elif !defined(HOST)
  uint id = get_global_id(0);
#endif
  uint v0 = in[id], v1 = in[(id * 7 + 3) & 511u], v2 = id, v3 = 1u;
  float f0 = (float)(int)(in[id] & 0xfffu), f1 = 0.5f, f2 = -3.0f;
  uint t[8] = {1, 2, 3, 4, 5, 6, 7, 8};
`)
	p.statements(7)
	p.text.WriteString(`  out[id] = v0 ^ (v1 * 3u) ^ (v2 * 5u) ^ (v3 * 7u) ^ t[v0 & 7u];
  out[id + 512] = BITS(f0) ^ (BITS(f1) * 3u) ^ (BITS(f2) * 5u);
}
#ifdef HOST
int main(void) {
  static uint in[512], out[1024];
  if (fread(in, 4, 512, stdin) != 512) return 1;
  for (id = 0; id < 512; id++) k(out, in);
  return fwrite(out, 4, 1024, stdout) != 1024;
}
#endif
`)
	return p.text.String()
}

// A compiler makes an object of random programs for one of the machines.
type compiler struct {
	machine string
	tools   []string // programs that run if it is there
	levels  []string

	// compile makes an object of k.cl in the folder, and says where: "" if the compiler cannot.
	compile func(t *testing.T, folder, level string, seed int) string
}

var compilers = []compiler{
	{"gcn", []string{"clang-22"}, []string{"-O0", "-O1", "-O2", "-O3"}, compileAMDGPU},
	{"ptx", []string{"clang-22"}, []string{"-O0", "-O1", "-O2", "-O3"}, compilePTX},
	{"spirv", []string{"clang-15", "llvm-spirv-15"}, []string{"-O0", "-O2"}, compileSPIRV},
	{"gen", []string{"ocloc"}, []string{"-cl-opt-disable", ""}, compileGen},
}

var strictFloats = []string{"-w", "-ffp-contract=off"}

func compileAMDGPU(t *testing.T, folder, level string, seed int) string {
	target, object := []string{"gfx900", "gfx90a"}[seed%2], filepath.Join(folder, "k"+level+".co")
	build(t, folder, "clang-22", append(strictFloats, "-x", "cl", "-cl-std=CL2.0", "-target",
		"amdgcn-amd-amdhsa",
		"-mcpu="+target, level, "-nogpulib", "k.cl", "-o", object)...)
	return object
}

func compilePTX(t *testing.T, folder, level string, seed int) string {
	target, object := []string{"sm_70", "sm_80"}[seed%2], filepath.Join(folder, "k"+level+".ptx")
	build(t, folder, "clang-22", append(strictFloats, "-x", "cl", "-cl-std=CL2.0", "-target",
		"nvptx64-nvidia-cuda",
		"-march="+target, level, "-nogpulib", "-S", "-Xclang", "-target-feature", "-Xclang", "+ptx78", "k.cl",
		"-o", object)...)
	return object
}

func compileSPIRV(t *testing.T, folder, level string, _ int) string {
	object := filepath.Join(folder, "k"+level+".spv")
	build(t, folder, "clang-15", append(strictFloats, "-x", "cl", "-cl-std=CL2.0", "-Xclang",
		"-finclude-default-header",
		"--target=spir64-unknown-unknown", level, "-emit-llvm", "-c", "k.cl", "-o", "k.bc")...)
	translate := exec.Command("llvm-spirv-15", "k.bc", "-o", object)
	translate.Dir = folder
	if out, err := translate.CombinedOutput(); err != nil && level != "-O0" {
		return "" // optimised, some have integers of odd widths, and what else SPIR-V has not
	} else if err != nil {
		t.Fatalf("llvm-spirv-15: %v\n%s", err, out)
	}
	return object
}

func compileGen(t *testing.T, folder, level string, _ int) string {
	out := "gen" + level
	build(t, folder, "ocloc", "compile", "-q", "-file", "k.cl", "-device", "skl", "--format", "zebin",
		"-out_dir", out,
		"-options", "-cl-std=CL2.0 -cl-intel-greater-than-4GB-buffer-required "+level)
	object := filepath.Join(folder, "k"+level+".zebin")
	if err := os.Rename(filepath.Join(folder, out, "k_Gen9core.bin"), object); err != nil {
		t.Fatal(err)
	}
	return object
}

// TestRandomPrograms compares random programs with what the host makes of them, on every machine whose
// compiler is here.
func TestRandomPrograms(t *testing.T) {
	for _, c := range compilers {
		t.Run(c.machine, func(t *testing.T) {
			for _, tool := range append(c.tools, "clang-22") { // the last for the host
				if _, err := exec.LookPath(tool); err != nil {
					t.Skipf("skipped: %v", err)
				}
			}
			compared := 0
			for seed := range *randomPrograms {
				compared += c.compare(t, *firstProgram+seed)
			}
			t.Logf("%d programs, %d objects", *randomPrograms, compared)
			if compared*2 < *randomPrograms*len(c.levels) {
				t.Errorf("only %d objects could be made", compared)
			}
		})
	}
}

// compare compares what a program does here, in each path of package vec, with what it does on the host, and
// says of how many objects. Checkers find nothing in it.
func (c *compiler) compare(t *testing.T, seed int) (compared int) {
	t.Helper()
	best := vec.Current()
	defer vec.Use(best)
	folder := t.TempDir()
	if *keepPrograms != "" {
		folder = *keepPrograms
	}
	if err := os.WriteFile(filepath.Join(folder, "k.cl"), []byte(randomSource(uint64(seed))),
		0o600); err != nil {
		t.Fatal(err)
	}
	input := randomInput()
	want := onHost(t, folder, input)
	for i, level := range c.levels {
		object := c.compile(t, folder, level, seed+i)
		if object == "" {
			continue
		}
		compared++
		simulate(t, object, input, true, true)
		for _, path := range vec.Paths() {
			vec.Use(path)
			for _, interpret := range []bool{false, true} {
				if got := simulate(t, object, input, interpret, false); !bytes.Equal(got, want) {
					t.Errorf("-first-program %d -programs 1, %s %q, %v, interpreted %v: %s", seed, c.machine, level, path,
						interpret, difference(got, want))
				}
				if c.machine != "gcn" { // what else there is has no translation
					break
				}
			}
		}
	}
	return compared
}

// randomInput is what all programs compute with.
func randomInput() []byte {
	input := make([]byte, 4*items)
	r := rand.New(rand.NewPCG(3, 4))
	for i := range items {
		binary.LittleEndian.PutUint32(input[4*i:], r.Uint32()>>r.IntN(32))
	}
	return input
}

// onHost compiles the program k.cl of a folder for the host and runs it.
func onHost(t *testing.T, folder string, input []byte) []byte {
	t.Helper()
	build(t, folder, "clang-22", append(strictFloats, "-x", "c", "-DHOST", "-O1", "-fwrapv", "k.cl", "-o",
		"host")...)
	cmd := exec.Command(filepath.Join(folder, "host"))
	cmd.Stdin = bytes.NewReader(input)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("the host's program: %v", err)
	}
	return out
}

// build runs a compiler in a folder.
func build(t *testing.T, folder, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
}

// simulate runs a program's kernel and returns its output.
func simulate(t *testing.T, object string, input []byte, interpret, checked bool) []byte {
	t.Helper()
	spec := filepath.Join(t.TempDir(), "k.json")
	text := fmt.Sprintf(`{"code_object": %q, "kernel": "k", "grid": [%d,1,1], "block": [128,1,1], "args": [
		{"buffer": {"type": "u32", "count": %d, "init": "zero"}}, {"buffer": {"type": "u32", "count": %d, "init": "zero"}}]}`,
		object, items, 2*items, items)
	if err := os.WriteFile(spec, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := launch.ReadSpec(launch.File{Path: spec})
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Load()
	if err != nil {
		t.Fatal(err)
	}
	p.Machine.Interpret = interpret
	copy(p.Buffers[1].Region.Data, input)
	if checked {
		checker := checkers.New(p.Machine, checkers.All)
		checker.Sink = func(r *checkers.Report) bool {
			t.Errorf("%s: at %#x: %v: %s %s", object, r.PC, r.Kind, r.What, r.Access())
			return false
		}
		checker.Attach()
	}
	ev, err := p.Run(context.Background(), 1)
	if err != nil || ev.Kind != simt.EndEvent {
		t.Fatalf("%s: stopped: %v %v %v", object, ev.Kind, ev.Fault, err)
	}
	return p.Buffers[0].Region.Data
}

// difference says where outputs differ first.
func difference(got, want []byte) string {
	for i := 0; i+4 <= min(len(got), len(want)); i += 4 {
		if g, w := binary.LittleEndian.Uint32(got[i:]), binary.LittleEndian.Uint32(want[i:]); g != w {
			return fmt.Sprintf("dword %d is %#x, want %#x", i/4, g, w)
		}
	}
	return fmt.Sprintf("%d bytes, want %d", len(got), len(want))
}
