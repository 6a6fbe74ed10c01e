package hipc

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"simtgdb/stub/device/openclc"
)

// TestPrelude: the guide's header is the one that sources are compiled with.
func TestPrelude(t *testing.T) {
	want, err := os.ReadFile("../../../docs/example/hip_debian.h")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(prelude, want) {
		t.Error("prelude.h is not docs/example/hip_debian.h")
	}
}

// compiler is the installed one; without it, or without HIP's headers, tests are skipped.
func compiler(t *testing.T) *openclc.Compiler {
	t.Helper()
	c, err := openclc.Find()
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	if _, err := os.Stat("/usr/include/hip/hip_runtime.h"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	c.Sources = t.TempDir()
	return c
}

// TestCompile compiles a source with a header, and asks how kernels and a variable are called.
func TestCompile(t *testing.T) {
	c := compiler(t)
	r, err := Compile(context.Background(), c, &Request{Name: "scale.cu", Options: []string{"-DBY=3", "-O1"},
		Source: []byte("#include \"by.h\"\nnamespace n { __device__ int v; }\n" +
			"template <class T> __global__ void scale(T *p) { p[threadIdx.x] *= by() + n::v; }\n"),
		Headers: map[string][]byte{"by.h": []byte("__device__ inline int by() { return BY; }\n")},
		Names:   []string{"scale<float>", "&n::v", "scale<int>"}})
	if err != nil || r.File == nil {
		t.Fatal(err, r)
	}
	if got := strings.Join(r.Names, " "); got != "_Z5scaleIfEvPT_ _ZN1n1vE _Z5scaleIiEvPT_" {
		t.Errorf("names: %s", got)
	}
	if path, err := exec.LookPath("llvm-readelf-22"); err == nil {
		cmd := exec.Command(path, "-h", "-")
		cmd.Stdin = bytes.NewReader(r.File)
		if out, err := cmd.CombinedOutput(); err == nil && !bytes.Contains(out, []byte("gfx90a")) {
			t.Errorf("%s", out)
		}
	}
}

// TestErrors: errors are in the log, with the name that the program has for its source.
func TestErrors(t *testing.T) {
	c := compiler(t)
	bad := &Request{Name: "bad.cu", Source: []byte("__global__ void k() { oops; }\n")}
	r, err := Compile(context.Background(), c, bad)
	if err != nil || r.File != nil || !strings.HasPrefix(r.Log, "bad.cu:1:23: error: ") {
		t.Errorf("%v, %+v", err, r)
	}
	outside := &Request{Headers: map[string][]byte{"../x.h": nil}}
	if _, err := Compile(context.Background(), c, outside); err == nil {
		t.Error("a header outside of the folder is written")
	}
}
