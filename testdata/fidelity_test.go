package testdata

import "testing"

// TestInexactUpToDate builds the programs with inexact instructions anew and compares them.
func TestInexactUpToDate(t *testing.T) {
	needTools(t, clang)
	t.Setenv("SOURCES", t.TempDir())
	compareBuilt(t, "fidelity/build.sh", "fidelity/inexact.*.*")
}
