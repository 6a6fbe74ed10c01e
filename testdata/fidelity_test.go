package testdata

import (
	"os/exec"
	"testing"
)

// TestInexactUpToDate builds the programs with inexact instructions anew and compares them.
func TestInexactUpToDate(t *testing.T) {
	if _, err := exec.LookPath(clang); err != nil {
		t.Skipf("skipped: %v", err)
	}
	t.Setenv("SOURCES", t.TempDir())
	compareBuilt(t, "fidelity/build.sh", "fidelity/inexact.*.*")
}
