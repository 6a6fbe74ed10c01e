package testdata

import (
	"os/exec"
	"testing"
)

// TestDefectsUpToDate builds the programs with defects anew and compares them.
func TestDefectsUpToDate(t *testing.T) {
	for _, tool := range []string{clang, "clang-15", "llvm-spirv-15", "ocloc", "glslangValidator", "spirv-opt"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("skipped: %v", err)
		}
	}
	t.Setenv("SOURCES", t.TempDir())
	for _, kind := range []string{"co", "ptx", "spv", "zebin"} {
		if len(glob(t, "check/*."+kind)) == 0 {
			t.Errorf("no program of kind %s", kind)
		}
	}
	compareBuilt(t, "check/build.sh", "check/[dlprstuv]*.*")
}
