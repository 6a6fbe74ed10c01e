package testdata

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"simtgdb/testdata/built"
)

// TestHostKernelsUpToDate builds the kernels of the host program anew where the
// tools and HIP's headers are there.
func TestHostKernelsUpToDate(t *testing.T) {
	include := os.Getenv("HIP_INCLUDE")
	if include == "" {
		include = "/usr/include"
	}
	for _, need := range []string{filepath.Join(include, "hip", "hip_runtime.h"), "/usr/bin/clang-22",
		"/usr/bin/clang-offload-bundler-22", "/usr/bin/spirv-as", "/usr/bin/clang-15",
		"/usr/bin/llvm-spirv-15", "/usr/bin/glslangValidator",
		"/usr/lib/x86_64-linux-gnu/amdgcn/bitcode/ockl.bc"} {
		if _, err := os.Stat(need); err != nil {
			t.Skipf("skipped: %v", err)
		}
	}
	made := built.Of(t, "hostprograms",
		[]string{clang, "clang-offload-bundler-22", "spirv-as", "clang-15", "llvm-spirv-15",
			"glslangValidator"}, "hostprograms/*", "../docs/example/*", include+"/hip/*.h", include+"/hip/amd_detail/*.h")
	if made.Known() {
		return
	}
	out := t.TempDir()
	c := exec.Command("hostprograms/build.sh", out)
	if text, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, name := range []string{"kernels.O0.hipfb", "kernels.O3.hipfb", "kernels.later.hipfb", "kernels.co",
		"special.spv", "life.spv", "granule.co", "granule.spv", "library.O0.spv", "library.O2.spv",
		"calls.spv", "part.spv", "scale.spv", "race.spv", "halve.spv", "blocks.spv",
		"planes.spv", "texels.spv", "images.spv"} {
		got, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		kept, err := os.ReadFile(filepath.Join("hostprograms", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, kept) {
			t.Errorf("%s is not what build.sh makes", name)
		}
	}
	made.Keep()
}
