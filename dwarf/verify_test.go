package dwarf

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// faults runs llvm-dwarfdump --verify and gives the lines that tell of errors.
func faults(t *testing.T, file string) []string {
	t.Helper()
	need(t, "llvm-dwarfdump-22")
	// It does not end for some of GCC's output of version 2.
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "llvm-dwarfdump-22", "--verify", file).CombinedOutput()
	if err == nil {
		return nil
	}
	var list []string
	for _, l := range strings.Split(string(out), "\n") {
		if strings.Contains(l, "error") {
			list = append(list, l)
		}
	}
	if list == nil {
		list = []string{err.Error()}
	}
	return list
}
