package dwarf

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// faults runs llvm-dwarfdump --verify and gives the kinds of error that it counts; false where it does
// not end, as for some of what g++ writes.
func faults(t *testing.T, file string) (map[string]bool, bool) {
	t.Helper()
	need(t, "llvm-dwarfdump-22")
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "llvm-dwarfdump-22", "--verify", file).CombinedOutput()
	if ctx.Err() != nil {
		return nil, false
	}
	kinds := make(map[string]bool)
	for _, l := range strings.Split(string(out), "\n") {
		if kind, _, ok := strings.Cut(l, " occurred "); ok {
			kinds[kind] = true
		}
	}
	if err != nil && len(kinds) == 0 {
		t.Errorf("llvm-dwarfdump --verify: %v\n%s", err, out)
	}
	return kinds, true
}
