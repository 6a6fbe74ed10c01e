package testdata

import (
	"testing"

	"simtgdb/testdata/built"
)

// TestDefectsUpToDate builds the programs with defects anew and compares them.
func TestDefectsUpToDate(t *testing.T) {
	tools := []string{clang, "clang-15", "llvm-spirv-15", "ocloc", "glslangValidator", "spirv-opt"}
	needTools(t, tools...)
	t.Setenv("SOURCES", t.TempDir())
	for _, kind := range []string{"co", "ptx", "spv", "zebin"} {
		if len(glob(t, "check/*."+kind)) == 0 {
			t.Errorf("no program of kind %s", kind)
		}
	}
	made := built.Of(t, "check", tools, "check/*", "check/src/*")
	if made.Known() {
		return
	}
	t.Setenv("ALONE", "no") // zebins with debugging information have the folder's name in them
	// IGC leaves it to chance what the symbol table of calls.O0.zebin has for addresses of functions
	compareBuilt(t, "check/build.sh", "check/calls.O?.[cps]*", "check/defects.O?.*", "check/exchange.*",
		"check/[hlopstuv]*.*", "check/copies.*", "check/branches.*", "check/marks.*", "check/m[ae]*ed.*",
		"check/registers.*", "check/rows.O?.*")
	made.Keep()
}
