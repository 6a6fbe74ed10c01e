package testdata

import (
	"testing"

	"simtgdb/testdata/built"
)

// TestInexactUpToDate builds the programs with inexact instructions anew and compares them.
func TestInexactUpToDate(t *testing.T) {
	tools := []string{clang, "clang-15", "llvm-spirv-15", "ocloc"}
	needTools(t, tools...)
	made := built.Of(t, "fidelity", tools, "fidelity/*", "fidelity/src/*")
	if made.Known() {
		return
	}
	t.Setenv("SOURCES", t.TempDir())
	compareBuilt(t, "fidelity/build.sh", "fidelity/inexact.*.*")
	made.Keep()
}
