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
	"simtgdb/stub/launch"
)

// Random OpenCL programs: the same source is compiled for the simulated GPU at several levels, and for the
// host as
// C. All must compute the same bits.

var randomPrograms = flag.Int("programs", 2, "how many random programs TestRandomPrograms runs")

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
			return fmt.Sprintf("(float)(int)(%s & 0xffffu)", p.intExpr(0))
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
#define BITS(f) as_uint_(f)
static uint as_uint_(float f) { union { float x; uint u; } b; b.x = f; return b.u; }
#endif
#define TAME(f) tame(f)
static float tame(float f) { return f > -1e6f && f < 1e6f ? f : 1.5f; }

__kernel void k(__global uint *out, __global const uint *in) {
#ifndef HOST
  uint id = __builtin_amdgcn_workgroup_id_x() * 128 + __builtin_amdgcn_workitem_id_x();
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

// TestRandomPrograms compares random programs with what the host makes of them.
func TestRandomPrograms(t *testing.T) {
	const clang = "clang-22"
	if err := exec.Command(clang, "--version").Run(); err != nil {
		t.Skipf("skipped: %s does not run: %v", clang, err)
	}
	input := make([]byte, 4*items)
	r := rand.New(rand.NewPCG(3, 4))
	for i := range items {
		binary.LittleEndian.PutUint32(input[4*i:], r.Uint32()>>r.IntN(32))
	}
	for seed := range uint64(*randomPrograms) {
		folder := t.TempDir()
		source := filepath.Join(folder, "k.cl")
		text := randomSource(seed)
		if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		host := filepath.Join(folder, "host")
		build(t, clang, "-x", "c", "-DHOST", "-O1", "-w", "-fwrapv", "-ffp-contract=off", source, "-o", host)
		cmd := exec.Command(host)
		cmd.Stdin = bytes.NewReader(input)
		want, err := cmd.Output()
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i, level := range []string{"-O0", "-O1", "-O2", "-O3"} {
			target := []string{"gfx900", "gfx90a"}[(int(seed)+i)%2]
			object := filepath.Join(folder, "k"+level+".co")
			build(t, clang, "-x", "cl", "-cl-std=CL2.0", "-target", "amdgcn-amd-amdhsa", "-mcpu="+target, level, "-w",
				"-nogpulib", "-ffp-contract=off", source, "-o", object)
			for _, interpret := range []bool{false, true} {
				got := simulate(t, object, input, interpret)
				if !bytes.Equal(got, want) {
					t.Errorf("seed %d, %s %s, interpreted %v: %s\n%s", seed, target, level, interpret,
						difference(got, want), text)
				}
			}
		}
	}
}

func build(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
}

// simulate runs a program's kernel and returns its output.
func simulate(t *testing.T, object string, input []byte, interpret bool) []byte {
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
