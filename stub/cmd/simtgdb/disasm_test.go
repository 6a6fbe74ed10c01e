package main

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/testdata/sweep"
)

// oracle finds a tool of LLVM 22 or skips the test.
func oracle(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	return path
}

// instruction is a line of a disassembly: its text, its address, its dwords.
var instruction = regexp.MustCompile(`(?m)^\t(.*?)\s*// ([0-9A-F]{12}):((?: [0-9A-F]{8})+)`)

// instructions gives the lines with instructions and labels.
func instructions(text string) []string {
	var list []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if m := instruction.FindStringSubmatch(line); m != nil {
			list = append(list, m[2]+m[3]+" "+strings.Join(strings.Fields(m[1]), " "))
		} else if strings.HasSuffix(line, ">:") {
			list = append(list, line)
		}
	}
	return list
}

func TestDisasmAgainstObjdump(t *testing.T) {
	objdump := oracle(t, "llvm-objdump-22")
	for i, kernel := range []string{"calls", "atomics", "reduce_cl"} {
		for j, target := range targets {
			for k, opt := range opts {
				if (i+j+k)%sweep.Step(2) != 0 { // any two of these three together
					continue
				}
				file := object(kernel, target, opt)
				out, err := exec.Command(objdump, "-d", file).Output()
				if err != nil {
					t.Fatal(err)
				}
				r := simtgdb(t, "disasm", file)
				if r.status != statusDone || r.err != "" {
					t.Fatalf("%s: status %d: %s", file, r.status, r.err)
				}
				if diff := cmp.Diff(instructions(string(out)), instructions(r.out)); diff != "" {
					t.Errorf("%s: -objdump +disasm:\n%s", file, diff)
				}
			}
		}
	}
}

// One function, with the text of its source.
func TestDisasmFunction(t *testing.T) {
	file := object("demo", "gfx90a", "O2")
	const want = `
Disassembly of .text:

0000000000001800 <_Z5weighii>:
; demo.hip:6  __device__ NOINLINE int weigh(int value, int rounds) {
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)                    // 000000001800: BF8C0000
`
	r := simtgdb(t, "disasm", "--source", filepath.Join(kernels, "src"), "--function", "weigh", file)
	if r.status != statusDone || !strings.HasPrefix(r.out, want) || strings.Contains(r.out, "<demo>") {
		t.Errorf("status %d\n%s%s\nwant it to begin with\n%s", r.status, r.out, r.err, want)
	}
	whole := simtgdb(t, "disasm", file)
	if n, all := len(instructions(r.out)), len(instructions(whole.out)); n < 10 || n > all-10 {
		t.Errorf("%d lines of %d", n, all)
	}
	// A branch names where it goes to.
	if want := regexp.MustCompile(`(?m)^\ts_cbranch_\w+ \d+ .*<_?\w+\+0x[0-9a-f]+>$`); !want.MatchString(
		whole.out) {
		t.Errorf("no branch has a target:\n%s", whole.out)
	}
	kernel := simtgdb(t, "disasm", "--kernel", "demo", file)
	if kernel.status != statusDone || !strings.Contains(kernel.out, "<demo>:") ||
		strings.Contains(kernel.out, "<_Z5weighii>:") {
		t.Errorf("--kernel demo: status %d\n%s%s", kernel.status, kernel.out, kernel.err)
	}
	for _, test := range []struct{ flag, name, want string }{
		{"--function", "wiegh", `no function "wiegh"; the file has: _Z5weighii, demo`},
		{"--kernel", "weigh", `kernel "weigh": no such kernel; the file has: demo`},
	} {
		r := simtgdb(t, "disasm", test.flag, test.name, file)
		if r.status != statusInput || r.err != "simtgdb disasm: "+file+": "+test.want+"\n" {
			t.Errorf("%s %s: status %d: %s", test.flag, test.name, r.status, r.err)
		}
	}
}

// TestDisasmRows: beneath instructions stands the row code that they become, for machines that have it.
func TestDisasmRows(t *testing.T) {
	for file, want := range map[string]string{
		"bench.zebin": "\t *add \\(16\\|M0\\) .* r1\\.0<16;16,1>:uw .*\n" +
			"\t\t; calc\\(16\\) \\[.*\\]:u32 = Add32 \\[.*\\]:s32 \\[.*\\]:u16\n",
		"bench.ptx": "\tadd.rn.f32 .*\n\t\t; r.* = AddF32 r.* r.*\n",
		"bench.spv": " = OpFAdd .*\n\t\t; r.* = AddF32 r.* r.*\n",
	} {
		r := simtgdb(t, "disasm", "--rows", filepath.Join(kernels, "bench", file))
		if r.status != statusDone || !regexp.MustCompile(want).MatchString(r.out) {
			t.Errorf("%s: status %d %s, nothing like %q in %d bytes", file, r.status, r.err, want, len(r.out))
		}
	}
	r := simtgdb(t, "disasm", "--rows", filepath.Join(kernels, "bench", "bench.gfx90a.co"))
	if r.status == statusDone || !strings.Contains(r.err, "the machine has no row code") {
		t.Errorf("gfx90a: status %d %s", r.status, r.err)
	}
}
