package dwarf

import (
	"os/exec"
	"strings"
	"testing"

	"simtgdb/dwarf/internal/dwarftest"
	"simtgdb/testdata/installed"
)

// faults runs llvm-dwarfdump --verify and gives the kinds of error that it counts in each of some files.
func faults(t *testing.T, files ...string) (kinds []map[string]bool) {
	t.Helper()
	dwarftest.Need(t, "llvm-dwarfdump-22")
	out, _ := exec.Command("llvm-dwarfdump-22", append([]string{"--verify"}, files...)...).Output()
	texts, err := installed.Each(string(out), files)
	if err != nil {
		t.Fatalf("llvm-dwarfdump --verify: %v", err)
	}
	for i, text := range texts {
		found := make(map[string]bool)
		for _, l := range strings.Split(text, "\n") {
			if kind, _, ok := strings.Cut(l, " occurred "); ok {
				found[kind] = true
			}
		}
		if !strings.Contains(text, "No errors.") && len(found) == 0 {
			t.Errorf("llvm-dwarfdump --verify %s:\n%s", files[i], text)
		}
		kinds = append(kinds, found)
	}
	return kinds
}
