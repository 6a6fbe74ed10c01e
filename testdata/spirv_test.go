package testdata

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"simtgdb/testdata/built"
)

// spirvTools are the programs that made the modules of spirv/, with how they tell their versions.
var spirvTools = []struct{ name, version string }{
	{"glslangValidator", "Glslang Version: 11:12.0.0\n"},
	{"spirv-as", "SPIRV-Tools v2023.1 "},
	{"spirv-opt", "SPIRV-Tools v2023.1 "},
	{"clang-15", "clang version 15.0.6\n"},
	{"llvm-spirv-15", "LLVM version 15.0.6\n"},
}

// TestSPIRVIsBuilt compiles the modules of spirv/ anew and compares them.
func TestSPIRVIsBuilt(t *testing.T) {
	for _, tool := range spirvTools {
		version, err := exec.Command(tool.name, "--version").CombinedOutput()
		if err != nil {
			t.Skipf("skipped: %s does not run: %v", tool.name, err)
		}
		if !bytes.Contains(version, []byte(tool.version)) {
			t.Skipf("skipped: the modules were made by another %s than %q", tool.name, version)
		}
	}
	made := built.Of(t, "spirv", []string{"glslangValidator", "spirv-as", "spirv-opt", "clang-15",
		"llvm-spirv-15"}, "spirv/*", "spirv/*/*")
	if made.Known() {
		return
	}
	out := t.TempDir()
	if text, err := exec.Command("spirv/build.sh", out).CombinedOutput(); err != nil {
		t.Fatalf("spirv/build.sh: %v\n%s", err, text)
	}
	built, kept := glob(t, filepath.Join(out, "*.spv")), glob(t, "spirv/*.spv")
	if len(built) != len(kept) {
		t.Errorf("spirv/build.sh makes %d modules; spirv has %d", len(built), len(kept))
	}
	for _, path := range kept {
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(out, filepath.Base(path)))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what spirv/build.sh makes of its source", path)
		}
	}
	made.Keep()
}
