package client

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"simtgdb/testdata/built"
)

// The kernels of libcublas are what its source compiles to.
func TestBlasKernels(t *testing.T) {
	if _, err := exec.LookPath("clang++-22"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	made := built.Of(t, "libcublas", []string{"clang++-22"}, "blas.sh", "src/blas.*",
		"../../compile/include/cuda/*")
	if made.Known() {
		return
	}
	out := filepath.Join(t.TempDir(), "blas.ptx")
	if text, err := exec.Command("./blas.sh", out).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	want, err := sources.ReadFile("src/blas.ptx")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("src/blas.ptx is not what src/blas.cu compiles to: run go generate")
	}
	made.Keep()
}
