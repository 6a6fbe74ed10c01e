package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// disasmHexOf runs simtgdb disasm --hex in this process.
func disasmHexOf(in string, args ...string) result {
	var out, errs bytes.Buffer
	status := dispatch(append([]string{"disasm", "--hex"}, args...),
		stdio{strings.NewReader(in), &out, &errs})
	return result{status, out.String(), errs.String()}
}

// TestDisasmHexAgainstLLVM reads the instructions of objects, one in a line, and
// compares the text with that of llvm-mc.
func TestDisasmHexAgainstLLVM(t *testing.T) {
	mc := oracle(t, "llvm-mc-22")
	for _, target := range targets {
		seen := map[string]bool{}
		var lines []string
		for _, kernel := range []string{"matmul", "atomics", "types", "reduction"} {
			r := simtgdb(t, "disasm", object(kernel, target, "O2"))
			for _, m := range instruction.FindAllStringSubmatch(r.out, -1) {
				line := littleEndianWords(m[3])
				if !seen[line] {
					lines = append(lines, line)
				}
				seen[line] = true
			}
		}
		if len(lines) < 500 {
			t.Fatalf("%s: only %d instructions", target, len(lines))
		}
		cmd := exec.Command(mc, "--disassemble", "-triple=amdgcn-amd-amdhsa", "-mcpu="+target)
		cmd.Stdin = strings.NewReader(strings.Join(lines, "\n"))
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		var want, got []string
		for line := range strings.Lines(string(out)) {
			line, _, _ = strings.Cut(line, "//")
			if f := strings.Fields(line); len(f) > 0 && !strings.HasPrefix(f[0], ".") {
				want = append(want, strings.Join(f, " "))
			}
		}
		for line := range strings.Lines(disasmHexOf(strings.Join(lines, "\n"), "--mcpu", target, "-").out) {
			got = append(got, strings.Join(strings.Fields(line), " "))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -llvm-mc +disasm:\n%.3000s", target, diff)
		}
	}
}

// littleEndianWords writes the dwords of a disassembly as bytes.
func littleEndianWords(words string) string {
	var b []string
	for _, w := range strings.Fields(words) {
		for i := len(w) - 2; i >= 0; i -= 2 {
			b = append(b, "0x"+strings.ToLower(w[i:i+2]))
		}
	}
	return strings.Join(b, ",")
}

// TestDisasmHexForms writes bytes in all the ways that are taken, and others.
func TestDisasmHexForms(t *testing.T) {
	const add = "s_add_u32 s2, s0, s1"
	for in, want := range map[string]string{
		"0x00,0x01,0x02,0x80":              add,
		"[0x00, 0x01, 0x02, 0x80]":         add,
		"  00 01 02 80\t# CHECK: s_add":    add,
		"00010280 // bytes":                add,
		"0X00 0X01 0X02 0X80":              add,
		"0x0 0x1 0x2 0x80":                 add,
		"":                                 "",
		"# a comment":                      "",
		"00 01 02":                         invalid,
		"00 01 02 80 00":                   invalid,
		"0 1 2 80":                         invalid,
		"0x0001 0x0280":                    invalid,
		"ff ff ff ff":                      invalid,
		"s_add_u32 s2, s0, s1":             invalid,
		"0x":                               "",
		strings.Repeat("00010280", 2):      invalid,
		strings.Repeat("\u00e4", 3):        invalid,
		"ff 00 02 80 78 56 34 12":          "s_add_u32 s2, 0x12345678, s0",
		"ff 00 02 80":                      invalid,
		fmt.Sprintf("%s # %s", "zz", "zz"): invalid,
	} {
		r := disasmHexOf(in+"\n", "--mcpu", "gfx90a", "-")
		if r.status != statusDone || r.out != want+"\n" || r.err != "" {
			t.Errorf("%q: %+v, want %q", in, r, want)
		}
	}
}

// TestDisasmHexErrors: one line says what is missing.
func TestDisasmHexErrors(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"-"}, "--hex needs --mcpu NAME"},
		{[]string{"--mcpu", "gfx1", "-"}, `processor "gfx1" is not known; these are: gfx10-1-generic, `},
		{[]string{"--mcpu", "gfx90a"}, "want one FILE, or -, not 0"},
		{[]string{"--mcpu", "gfx90a", "no/such"}, "no such file"},
		{[]string{"--hex=false", "--mcpu", "gfx90a", "-"}, "--mcpu is for --hex"},
	} {
		r := disasmHexOf("", test.args...)
		if r.status != statusInput || !strings.Contains(r.err, test.want) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%v: %+v, want %q", test.args, r, test.want)
		}
	}
}

// FuzzDisasmHex: whatever the bytes, there is a line for each line.
func FuzzDisasmHex(f *testing.F) {
	f.Add("0x00,0x01,0x02,0x80\n\nff")
	f.Add("# x\n[0x81,0x00,0x00,0x80]")
	f.Fuzz(func(t *testing.T, in string) {
		r := disasmHexOf(in, "--mcpu", "gfx942", "-")
		lines := strings.Count(in, "\n")
		if !strings.HasSuffix(in, "\n") && in != "" {
			lines++
		}
		if r.status == statusDone && strings.Count(r.out, "\n") != lines {
			t.Errorf("%d lines for %d", strings.Count(r.out, "\n"), lines)
		}
	})
}

// TestDisasmHexLongLine: a line that cannot be an instruction is named, after those before it.
func TestDisasmHexLongLine(t *testing.T) {
	got := disasmHexOf("0x00 0x00 0x81 0xbf\n"+strings.Repeat("0 ", maxHexLine), "--mcpu", "gfx90a", "-")
	want := result{statusInput, "s_endpgm\n",
		"simtgdb disasm: line 2 has more than 65535 bytes: want those of one instruction\n"}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(result{})); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}
