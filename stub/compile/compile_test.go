package compile

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simtgdb/testdata/sweep"
)

// wants skips a test where a tool is not installed.
func wants(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("skipped: %v", err)
		}
	}
}

// source writes a source.
func source(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Sources that use what their languages' headers give.
const (
	hipText = `__global__ void k(float *p) {
  __shared__ float t[64];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  t[threadIdx.x] = p[i];
  __syncthreads();
  atomicAdd(&p[gridDim.x - 1 - blockIdx.x], t[(threadIdx.x + 1) % warpSize]);
  p[i] = min(p[i], 3.0f);
}
`
	openCLText = `kernel void k(global float *p) { p[get_global_id(0)] = mad24(2, 3, 4); }
`
	glslText = `#version 450
layout(local_size_x = 4) in;
layout(binding = 0) buffer B { float y[]; };
void main() { y[gl_GlobalInvocationID.x] = 1; }
`
	hlslText = `RWStructuredBuffer<float> y : register(u0);
[numthreads(4, 1, 1)] void main(uint3 id : SV_DispatchThreadID) { y[id.x] = 1; }
`
)

func TestCompile(t *testing.T) {
	for _, c := range []struct{ name, text, tool, target, magic string }{
		{"k.hip", hipText, "clang-22", "", "\x7fELF"},
		{"k.hip", hipText, "clang-22", "gfx1100", "\x7fELF"},
		{"k.hip", "#include <hip/hip_runtime.h>\n" + hipText, "clang-22", "", "\x7fELF"}, // HIP's own header, perhaps
		{"k.hip", "#include <hip/hip_runtime.h>\ntypedef std::complex<float> host;\n" + hipText, "clang-22",
			"gfx942", "\x7fELF"}, // wants what is left out of HIP's own header
		{"k.cu", hipText, "clang++-22", "", "//\n"},
		{"k.cu", "#include <cuda_runtime.h>\n" + hipText, "clang++-22", "sm_70", "//\n"},
		{"k.cl", openCLText, "clang-22", "", "\x7fELF"},
		{"k.cl", strings.Replace(openCLText, "mad24(2, 3, 4)", "get_group_id(1)", 1), "clang-22", "sm_70",
			"//\n"},
		{"k.cl", openCLText, "clang-22", "spirv32", "\x03\x02\x23\x07"},
		{"k.cl", openCLText, "ocloc", "spirv", "\x03\x02\x23\x07"},
		{"k.cl", openCLText, "ocloc", "gen9", "\x7fELF"},
		{"k.cl", openCLText, "ocloc", "xe-hpg", "\x7fELF"},
		{"k.cl", openCLText, "ocloc", "xe-hpc", "\x7fELF"},
		{"k.comp", glslText, "glslangValidator", "", "\x03\x02\x23\x07"},
		{"k.hlsl", hlslText, "glslangValidator", "", "\x03\x02\x23\x07"},
	} {
		if slices.Contains([]string{"gfx1100", "gfx942", "xe-hpg", "xe-hpc"}, c.target) && !sweep.All() {
			continue // compiled as others are
		}
		t.Run(c.name+" "+c.target, func(t *testing.T) {
			wants(t, c.tool)
			compiler := Compiler{Dir: t.TempDir()}
			r, err := compiler.Compile(context.Background(), source(t, c.name, c.text), c.target)
			if err != nil {
				var refused *Error
				if errors.As(err, &refused) {
					t.Log(refused.Log)
				}
				t.Fatal(err)
			}
			if r.Log != "" && c.tool == "ocloc" || !slices.Contains(r.Short, "…") && c.tool == "clang-22" ||
				slices.ContainsFunc(r.Short,
					func(w string) bool { return strings.Contains(w, compiler.Dir) }) ||
				!strings.Contains(strings.Join(r.Command, " "), strings.TrimSuffix(r.Path, ".spv")) {
				t.Errorf("%q is shown as %q, and says %q", r.Command, r.Short, r.Log)
			}
			data, err := os.ReadFile(r.Path)
			if err != nil || !bytes.HasPrefix(data, []byte(c.magic)) {
				t.Errorf("%v, %.4q", err, data)
			}
		})
	}
}

// Options follow the compiler's own, and what they make does not replace what is made without them.
func TestOptions(t *testing.T) {
	wants(t, "clang-22")
	const text = "#ifndef WANTED\n#error not wanted\n#endif\n__global__ void k() {}\n"
	path := source(t, "k.hip", text)
	compiler := Compiler{Dir: t.TempDir()}
	_, err := compiler.Compile(context.Background(), path, "")
	var refused *Error
	if !errors.As(err, &refused) || !strings.Contains(refused.Log, "not wanted") ||
		err.Error() != path+": clang-22 does not compile it" {
		t.Errorf("%v", err)
	}
	compiler.Options = []string{"-DWANTED"}
	with, err := compiler.Compile(context.Background(), path, "")
	if err != nil {
		t.Fatal(err)
	}
	compiler.Options = append(compiler.Options, "-O2")
	other, err := compiler.Compile(context.Background(), path, "")
	if err != nil || other.Path == with.Path {
		t.Errorf("%v, %s twice", err, with.Path)
	}
}

// Functions that are linked into a program have waves of its size.
func TestWaves(t *testing.T) {
	wants(t, "clang-22")
	compiler := Compiler{Dir: t.TempDir(), Options: []string{"-mwavefrontsize64"}}
	path := source(t, "k.cl", "kernel void k(global int *p) { p[0] = abs_diff(p[1], 3); }\n")
	r, err := compiler.Compile(context.Background(), path, "gfx1030")
	if err != nil {
		t.Fatal(err)
	}
	made, err := os.ReadFile(r.Path)
	// A number below 128 is one byte of the metadata (MessagePack's positive fixint).
	if err != nil || !bytes.Contains(made, []byte(".wavefront_size\x40")) {
		t.Errorf("for waves of 64 lanes: %v: %s", err, r.Log)
	}
}

// What ocloc says that it does not take is told without what else it says, and its options are one word.
func TestOcloc(t *testing.T) {
	wants(t, "ocloc")
	compiler := Compiler{Dir: t.TempDir(), Options: []string{"-DN=missing", "-O2"}}
	_, err := compiler.Compile(context.Background(),
		source(t, "k.cl", "kernel void k(global int *p) { *p = N; }\n"), "gen9")
	var refused *Error
	if !errors.As(err, &refused) {
		t.Fatal(err)
	}
	if strings.Contains(refused.Log, "Build failed") ||
		!strings.Contains(refused.Log, "use of undeclared identifier 'missing'") {
		t.Errorf("%s", refused.Log)
	}
	if options := "-g … -DN=missing"; !slices.Contains(refused.Short, options) {
		t.Errorf("%q, want %q", refused.Short, options)
	}
}

func TestCompileErrors(t *testing.T) {
	compiler := Compiler{Dir: t.TempDir()}
	path := source(t, "k.slang", "")
	t.Setenv("PATH", t.TempDir())
	for _, c := range []struct{ path, target, want string }{
		{path, "", path + ": no compiler of Slang: slangc is not installed (it is at shader-slang.org)"},
		{"k.txt", "", "k.txt is no source of a language that is known"},
		{"missing.cl", "", "stat missing.cl: no such file or directory"},
		{source(t, "k.cl", ""), "gen9", "k.cl: no compiler of OpenCL C for Intel: ocloc is not installed " +
			"(Debian: apt-get install intel-opencl-icd)"},
	} {
		_, err := compiler.Compile(context.Background(), c.path, c.target)
		if err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	j := &job{source: "k.hip", target: "r600"}
	const want = `it is compiled for AMD's processors, and "r600" is none: want --target gfx…`
	if _, _, err := hip(j); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	const more = want + ", sm_…, spirv, gen8, gen9, gen11, gen12lp, xe-hpg or xe-hpc"
	if _, _, err := openCL(j); err == nil || err.Error() != more {
		t.Errorf("%v, want %s", err, more)
	}
}

// The function that a source in HLSL begins at is found by its attribute.
func TestEntry(t *testing.T) {
	const threads = "[numthreads(8, 8, 1)]"
	for _, c := range []struct {
		text, want, err string
		options         []string
	}{
		{text: threads + "\nvoid main(uint3 id : SV_DispatchThreadID) {}", want: "-e main"},
		{text: "float helper(float x) { return x; }\n" + threads + " void Blur(uint3 id : " +
			"SV_DispatchThreadID) {}", want: "-e Blur"},
		{text: "[shader(\"compute\")] [ numthreads ( N, 1, 1 ) ] [WaveSize(32)]\nvoid\nBlur() {}",
			want: "-e Blur"},
		{text: "// " + threads + " void Old() {}\n/* " + threads + " void Older() {} */" + threads +
			"void New() {}", want: "-e New"},
		{text: threads + "void A() {}" + threads + "void main() {}", want: "-e main"},
		{text: threads + "void A() {}" + threads + "void B() {}",
			err: "it has several kernels, A, B: say which, as --cc '-e A'"},
		{text: threads + "void A() {}" + threads + "void B() {}", options: []string{"-e", "B"}},
		{text: "float f() { return 1; }", want: "-e main"},
	} {
		j := &job{source: source(t, "k.hlsl", c.text), options: c.options}
		entry, err := j.entry("-e")
		if got := strings.Join(entry, " "); got != c.want || (err == nil) != (c.err == "") ||
			err != nil && err.Error() != c.err {
			t.Errorf("%s: %q, %v, want %q, %s", c.text, got, err, c.want, c.err)
		}
	}
}
