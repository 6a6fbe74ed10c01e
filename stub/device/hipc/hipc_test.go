package hipc

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"simtgdb/stub/device/buildcache"
	"simtgdb/stub/device/openclc"
	"simtgdb/testdata/sweep"
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

// TestLaterProcessors compiles for processors that Debian's device libraries do not know, with functions of
// theirs.
func TestLaterProcessors(t *testing.T) {
	c := compiler(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, processor := range sweep.Some(2, "gfx1100", "gfx1201") {
		r, err := Compile(context.Background(), c, &Request{Processor: processor, Name: "k.hip",
			Source: []byte("__global__ void k(int **p, long *t) { *p = (int *)malloc(warpSize); *t = " +
				"clock64(); }\nstatic_assert(__AMDGCN_WAVEFRONT_SIZE == 32, \"\");\n")})
		if err != nil || r.File == nil {
			t.Errorf("%s: %v: %+v", processor, err, r)
		}
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
	r, err := Compile(context.Background(), c, &Request{Name: "scale.cu", Options: []string{"-DBY=3", "-O1",
		// as hashcat gives them
		"-fno-unroll-loops", "-flegacy-pass-manager", "-nocudainc", "-nocudalib"},
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
	bad := &Request{Name: "bad.cu", Source: []byte("__global__ void k() { oops; }\n"),
		Options: withoutHost, // so that it is read quickly, the second time too
		Headers: map[string][]byte{"hip/hip_runtime.h": []byte(shortHeader)}}
	r, err := Compile(context.Background(), c, bad)
	if err != nil || r.File != nil || !strings.HasPrefix(r.Log, "bad.cu:1:23: error: ") {
		t.Errorf("%v, %+v", err, r)
	}
	bare := &Request{Source: []byte("__global__ void k() {}\n"), Options: []string{"--rocm-path=/none"}}
	r, err = Compile(context.Background(), c, bare)
	if err != nil || r.File != nil || !strings.HasPrefix(r.Log, "error: there are no headers of HIP") {
		t.Errorf("without HIP's headers: %v, %+v", err, r)
	}
	outside := &Request{Headers: map[string][]byte{"../x.h": nil}}
	if _, err := Compile(context.Background(), c, outside); err == nil {
		t.Error("a header outside of the folder is written")
	}
}

// TestLaterHeaders: headers of HIP 5.5 and later, which have no types for a fence, are no obstacle.
func TestLaterHeaders(t *testing.T) {
	c := compiler(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	versions := map[string]bool{"50500000": true, "50200000": false}
	if sweep.All() {
		versions["50731921"] = true
	}
	for version, good := range versions {
		headers := map[string][]byte{"hip/hip_runtime.h": []byte("#pragma once\n#define HIP_VERSION " +
			version + "\n#define __device__ __attribute__((device))\n" +
			"#define __constant__ __attribute__((constant))\n")}
		r, err := Compile(context.Background(), c, &Request{Name: "k.hip", Headers: headers,
			Options: withoutHost,
			Source:  []byte("__attribute__((global)) void k() {}\n")})
		if err != nil || (r.File != nil) != good {
			t.Errorf("HIP %s: %v: %+v", version, err, r)
		}
	}
}

// counted puts a script that counts how often it is run in the place of a compiler.
func counted(t *testing.T, c *openclc.Compiler) (runs func() int) {
	t.Helper()
	dir := t.TempDir()
	count := filepath.Join(dir, "count")
	script := fmt.Sprintf("#!/bin/sh\necho run >>%s\nexec %s \"$@\"\n", count, c.Clang)
	c.Clang = filepath.Join(dir, "clang")
	if err := os.WriteFile(c.Clang, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return func() int {
		text, _ := os.ReadFile(count)
		_ = os.Remove(count)
		return strings.Count(string(text), "run")
	}
}

// shortHeader takes the place of HIP's own for tests that want nothing of it, which is read quickly.
const shortHeader = "#pragma once\n#include <hip/hip_version.h>\n" +
	"#undef HIP_VERSION\n#define HIP_VERSION 50500000\n"

// TestCache: what was compiled is not compiled again until something of what it was made of has changed.
func TestCache(t *testing.T) {
	c := compiler(t)
	dir := t.TempDir()
	header, runs := filepath.Join(dir, "include", "by.h"), counted(t, c)
	c.Cache = &buildcache.Cache{Dir: filepath.Join(dir, "cache")}
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(header, "#define BY 3\n")
	r := &Request{Name: "scale.cu",
		Options: append([]string{"-I" + filepath.Dir(header), "-O1"}, withoutHost...), // read quickly
		Names:   []string{"scale<int>"},
		Headers: map[string][]byte{"hip/hip_runtime.h": []byte(shortHeader)},
		Source:  []byte("#include <by.h>\ntemplate <class T> __global__ void scale(T *p) { *p *= BY; }\n")}
	var last *Result
	compiles := func(want int, why string) {
		t.Helper()
		result, err := Compile(context.Background(), c, r)
		if err != nil || result.File == nil || strings.Join(result.Names, " ") != "_Z5scaleIiEvPT_" {
			t.Fatalf("%s: %v, %+v", why, err, result)
		}
		if got := runs(); got != want {
			t.Errorf("%s: compiled %d times, not %d", why, got, want)
		}
		if want == 0 && !bytes.Equal(result.File, last.File) {
			t.Errorf("%s: another file", why)
		}
		last = result
	}
	compiles(1, "first")
	compiles(0, "again")
	write(header, "#define BY 4\n")
	compiles(1, "a header changed")
	compiles(0, "again")
	write(filepath.Join(dir, "include", "hip", "hip_version.h"), "#include_next <hip/hip_version.h>\n")
	compiles(1, "a header came before the installed one")
	r.Processor = "gfx906"
	compiles(1, "for another processor")
	r.Source = append(r.Source, "// the time is "+"__TIME__\n"...)
	compiles(1, "a source that tells the time")
	compiles(1, "again")
}
