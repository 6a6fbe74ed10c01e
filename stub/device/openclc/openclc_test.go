package openclc

import (
	"bytes"
	"context"
	"debug/elf"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		options string
		want    []string
	}{
		{"", nil},
		{"  -DA=1\t-w ", []string{"-DA=1", "-w"}},
		{`-DNAME="a b" -I 'my dir'`, []string{"-DNAME=a b", "-I", "my dir"}},
		{`-DQ=\"x\" ""`, []string{`-DQ="x"`, ""}},
	} {
		got, err := Split(c.options)
		if d := cmp.Diff(c.want, got); d != "" || err != nil {
			t.Errorf("%q: %v (-want +got):\n%s", c.options, err, d)
		}
	}
	if _, err := Split(`-D"x`); err == nil {
		t.Error("a quote without an end is taken")
	}
}

func TestOptions(t *testing.T) {
	got := options([]string{"-D", "A", "-create-library", "-cl-no-subgroup-ifp", "-I", "x", "-cl-mad-enable"})
	if d := cmp.Diff([]string{"-DA", "-Ix", "-cl-mad-enable"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"-DA", "-cl-std=clc++"}, options([]string{"-DA", "-x", "clc++"})); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for given, want := range map[string]string{"": "-g -O2", "-cl-opt-disable": "-g -O0", "-O3": "-g"} {
		if got := strings.Join(levels([]string{given}), " "); got != want {
			t.Errorf("with %q: %q, want %q", given, got, want)
		}
	}
}

// TestLaterLibraries: the guide's script for device libraries is the one that is run.
func TestLaterLibraries(t *testing.T) {
	want, err := os.ReadFile("../../../docs/example/device_libs.sh")
	if err != nil || laterLibraries != string(want) {
		t.Errorf("device_libs.sh is not docs/example/device_libs.sh: %v", err)
	}
}

// TestBuild compiles where there is a compiler.
func TestBuild(t *testing.T) {
	c, err := Find()
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	source := []byte("#include \"a/b.h\"\nkernel void k(global float *p) { p[0] = sin(p[0]) * N; }\n")
	r := &Request{Processor: "gfx906", Inputs: []Input{{Contents: source}}, Headers: map[string][]byte{
		"a/b.h": []byte("#define N 3\n")}}
	got, err := c.Build(context.Background(), r)
	if err != nil {
		t.Fatalf("%v\n%s", err, got.Log)
	}
	file, err := elf.NewFile(bytes.NewReader(got.File))
	if err != nil {
		t.Fatal(err)
	}
	symbols, err := file.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	for _, symbol := range symbols {
		if strings.Contains(symbol.Name, "_kern_imp_") {
			t.Errorf("the kernel's body is left as %s", symbol.Name)
		}
	}
	// What the library has under other names, or not by itself.
	r.Inputs[0].Contents = []byte(`inline float twice(float x) { return x * 2; }
float4 load(float *p) { return vload4(0, p); }
kernel void k(global float *p, global float4 *q) {
  float t[8] = {p[0]}, whole;
  q[0] = load(t + 1) + vload4(1, t);
  p[0] = pow(p[0], 1.5f) + tgamma(p[1]) + twice(p[2]) + fract(p[3], &whole) + whole;
}
kernel void twin(global float *p, global float4 *q) { k(p, q); }`)
	for options, processor := range map[string]string{"-cl-std=CL1.2 -cl-fast-relaxed-math": "gfx900",
		"-cl-std=CL2.0": "gfx942", "-cl-std=CL3.0 -cl-opt-disable": "gfx90a"} {
		q := &Request{Processor: processor, Options: options, Inputs: r.Inputs}
		if got, err := c.Build(context.Background(), q); err != nil || got.File == nil {
			t.Errorf("%s for %s: %v: %s", options, processor, err, got.Log)
		}
	}
	r.Inputs[0].Contents = []byte("template <class T> T half_of(T x) { return x / 2; }\n" +
		"kernel void k(global float *p) { p[0] = half_of(p[0]); }\n")
	r.Options = "-x clc++"
	if got, err := c.Build(context.Background(), r); err != nil || got.File == nil {
		t.Errorf("C++: %v: %s", err, got.Log)
	}
	r.Options = ""
	r.Inputs[0].Contents = []byte("kernel void k() { none(); }\n")
	got, err = c.Build(context.Background(), r)
	if err != nil || got.File != nil || !strings.Contains(got.Log, "program0.cl:1:19: error:") ||
		strings.Contains(got.Log, "simtgdb-opencl-") {
		t.Errorf("%v\n%+v", err, got)
	}
	c.Sources, c.Extra = filepath.Join(t.TempDir(), "kept"), "-cl-opt-disable -DX"
	r.Inputs[0].Contents = source
	got, err = c.Build(context.Background(), r)
	kept, _ := filepath.Glob(filepath.Join(c.Sources, "program-*.cl"))
	if err != nil || got.File == nil || len(kept) != 1 || !strings.Contains(string(got.File),
		filepath.Base(kept[0])) {
		t.Errorf("%v: %s; the sources kept are %q", err, got.Log, kept)
	}
	r.Headers["../up.h"] = nil
	if _, err := c.Build(context.Background(), r); err == nil {
		t.Error("a header is written outside of its folder")
	}
}

// TestAccepted: mistakes that other compilers of OpenCL C warn of are warned of.
func TestAccepted(t *testing.T) {
	c, err := Find()
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	for source, said := range map[string]string{
		"kernel void k(global float *p, global int *q) { p = q; p[0] = 1; }": "incompatible pointer types",
		"kernel void k(global int *p) { p[0] = p; }": "incompatible pointer to " +
			"integer",
		"kernel void k(global int *p) { p = 5; p[0] = 1; }":       "incompatible integer to pointer",
		"kernel void k(global int *p) { const i = 1; p[0] = i; }": "type specifier missing",
	} {
		got, err := c.Build(context.Background(), &Request{Processor: "gfx90a",
			Inputs: []Input{{Contents: []byte(source)}}})
		if err != nil || got.File == nil || !strings.Contains(got.Log, "warning: ") ||
			!strings.Contains(got.Log, said) {
			t.Errorf("%s: %v: %s", source, err, got.Log)
		}
	}
}

// TestBuildElsewhere: there are no device libraries for other makers' processors, and a broken list of
// options is said to be one.
func TestBuildElsewhere(t *testing.T) {
	for _, c := range []struct{ processor, options, want string }{
		{"sm_80", "", `OpenCL C is compiled for AMD's processors, and this device is "sm_80"`},
		{"gfx90a", `-DX="1`, "a quote in the options has no end"},
	} {
		got, err := new(Compiler).Build(context.Background(),
			&Request{Processor: c.processor, Options: c.options})
		if err != nil || got.File != nil || got.Log != c.want+"\n" {
			t.Errorf("%s %s: %v, %+v", c.processor, c.options, err, got)
		}
	}
}

// TestEndedBySignal: of a tool that a signal has ended, the log says by which, and at what.
func TestEndedBySignal(t *testing.T) {
	dir := t.TempDir()
	tool, source := filepath.Join(dir, "clang-22"), filepath.Join(dir, "k.cu")
	const killed = "#!/bin/sh\necho warning: so far\nkill -KILL $$\n"
	for path, text := range map[string]string{tool: killed, source: ""} {
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"-c", source, "-o", filepath.Join(dir, "out")}
	said, err := Command(context.Background(), dir, tool, args)
	const want = "warning: so far\nclang-22 was ended by signal 9 (killed) while it worked on k.cu: " +
		"this may be want of memory, and says nothing of the source\n"
	if err == nil || string(said) != want {
		t.Errorf("%v: %q, want %q", err, said, want)
	}
}

// TestTunables: compilers are told to ask for large pages, unless the user has told glibc something else.
func TestTunables(t *testing.T) {
	for set, want := range map[string]string{
		"": "glibc.malloc.hugetlb=1", "glibc.malloc.check=1": "glibc.malloc.check=1"} {
		t.Setenv("GLIBC_TUNABLES", set)
		said, err := Command(context.Background(), t.TempDir(), "/bin/sh",
			[]string{"-c", "echo $GLIBC_TUNABLES"})
		if got := strings.TrimSpace(string(said)); err != nil || got != want {
			t.Errorf("with %q it is %q, not %q: %v", set, got, want, err)
		}
	}
}
