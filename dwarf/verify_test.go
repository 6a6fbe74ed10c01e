package dwarf

import (
	"os/exec"
	"strings"
	"testing"

	"simtgdb/dwarf/internal/dwarftest"
)

// faults runs llvm-dwarfdump --verify and gives the kinds of error that it counts.
func faults(t *testing.T, file string) map[string]bool {
	t.Helper()
	dwarftest.Need(t, "llvm-dwarfdump-22")
	out, err := exec.Command("llvm-dwarfdump-22", "--verify", file).CombinedOutput()
	kinds := make(map[string]bool)
	for _, l := range strings.Split(string(out), "\n") {
		if kind, _, ok := strings.Cut(l, " occurred "); ok {
			kinds[kind] = true
		}
	}
	if err != nil && len(kinds) == 0 {
		t.Errorf("llvm-dwarfdump --verify: %v\n%s", err, out)
	}
	return kinds
}
