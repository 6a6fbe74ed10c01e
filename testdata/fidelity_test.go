package testdata

import (
	"testing"

	"simtgdb/testdata/built"
)

// TestInexactUpToDate builds the programs with inexact instructions anew and compares them.
func TestInexactUpToDate(t *testing.T) {
	needTools(t, clang)
	made := built.Of(t, "fidelity", []string{clang}, "fidelity/*", "fidelity/src/*")
	if made.Known() {
		return
	}
	t.Setenv("SOURCES", t.TempDir())
	compareBuilt(t, "fidelity/build.sh", "fidelity/inexact.*.*")
	made.Keep()
}
