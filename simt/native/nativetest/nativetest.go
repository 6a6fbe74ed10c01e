// Package nativetest has what the tests of assemblers share: what llvm-mc reads in their code. It knows no
// assembler.
package nativetest

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// Disassembles has llvm-mc disassemble code for a target, and compares its instructions with those that
// were meant. Comments in its text begin with comment.
func Disassembles(t *testing.T, code []byte, want []string, comment string, target ...string) {
	t.Helper()
	mc, err := exec.LookPath("llvm-mc-22")
	if err != nil {
		t.Skip("no llvm-mc-22")
	}
	var text strings.Builder
	for _, b := range code {
		fmt.Fprintf(&text, "0x%02x ", b)
	}
	cmd := exec.Command(mc, append([]string{"-disassemble"}, target...)...)
	cmd.Stdin = strings.NewReader(text.String())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("llvm-mc: %v\n%s", err, out)
	}
	var got []string
	for line := range strings.Lines(string(out)) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), comment)
		if line = strings.TrimSpace(strings.Join(strings.Fields(line), " ")); line != "" && line[0] != '.' {
			got = append(got, line)
		}
	}
	for i := range max(len(got), len(want)) {
		g, w := "nothing", "nothing"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Errorf("instruction %d is %q, want %q", i, g, w)
		}
	}
}
