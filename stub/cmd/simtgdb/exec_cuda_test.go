//go:build linux

package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/stub/device/client"
	"simtgdb/testdata/sweep"
)

// needCUDA skips a test where programs of CUDA cannot be made.
func needCUDA(t *testing.T) {
	t.Helper()
	if cache, _ := libraries(); cache == "" {
		t.Skip("skipped: no C compiler")
	}
}

// buildCUDA compiles a program as the guide has it, with clang alone, unless it is committed.
func buildCUDA(t *testing.T, source string, flags ...string) string {
	t.Helper()
	needCUDA(t)
	if !slices.ContainsFunc(flags, func(f string) bool { return strings.HasPrefix(f, "-std=") }) {
		flags = append(flags, "-std=c++11") // whose headers are read in three quarters of the time
	}
	const script = "../../docs/cuda/cuda.sh"
	args := append([]string{source, "-o"}, flags...)
	needToCompile(t, script, args, "/usr/bin/clang++-22")
	return sharedProgram(t, "program", script, args...)
}

// ofCUDA are the scenarios of cuda.cu, and what is told of them.
var ofCUDA = []struct {
	name   string
	status int
	out    string
	err    []string
}{
	{"kernels", 0, "", nil},
	{"streams", 0, "", nil},
	{"keeping", 0, "", nil},
	{"properties", 0, "Simulated sm_90, 9.0\ncudaSuccess\ncudaErrorInvalidValue\ncudaErrorMemoryAllocation\n" +
		"cudaErrorInvalidConfiguration\ncudaErrorInvalidDeviceFunction\ncudaErrorNoDevice\n" +
		"cudaErrorNoKernelImageForDevice\ncudaErrorNotReady\ncudaErrorIllegalAddress\ncudaErrorLaunchFailure\n" +
		"cudaErrorNotSupported\ncudaErrorUnknown\nunrecognized error code\n", nil},
	{"waiting", 0, "", nil},
	{"printing", 0, "thread 0 of 3, half 0.00\nthread 1 of 3, half 0.50\nthread 2 of 3, half 1.00\n", nil},
	{"asserting", statusFault, "", []string{
		"cuda.cu:38: void asserts(int): block: [0,0,0], thread: [37,0,0] Assertion `threadIdx.x < n` " +
			"failed.\n",
		"thread: [39,0,0]", "simtgdb: in launch 1, number 1 of kernel",
		"lane         5 of wave 1, first of 3: 5-7"}},
	{"faulting", statusFault, "", []string{"number 1 of kernel", "unmapped address",
		"lane         0 of wave 0, first of 32", "cuda.cu:39)", "0 bytes after the end of argument 0",
		", allocation of 256 bytes"}},
}

// TestExecCUDA runs a program that clang compiles without NVIDIA's toolkit, optimized and not.
func TestExecCUDA(t *testing.T) {
	t.Parallel()
	for _, level := range sweep.Some(2, "-O0", "-O2") {
		program := buildCUDA(t, "cuda.cu", level, "-g")
		var well []string
		out := ""
		for _, s := range ofCUDA {
			if s.status == 0 && s.err == nil {
				well, out = append(well, s.name), out+s.out+s.name+": done\n"
				continue
			}
			t.Run(level+"/"+s.name, func(t *testing.T) {
				r := execute(t, nil, program, s.name)
				if want := s.out + s.name + ": done\n"; r.status != s.status || r.out != want {
					t.Errorf("status %d, want %d: %q, want %q\n%s", r.status, s.status, r.out, want, r.err)
				}
				if missing := inOrder(r.err, s.err); missing != "" {
					t.Errorf("no %q in its place in\n%s", missing, r.err)
				}
			})
		}
		r := executeInTurn(t, nil, program, well...)
		if r.status != 0 || r.out != out || r.err != "" {
			t.Errorf("%s: status %d: %q, want %q\n%s", level, r.status, r.out, out, r.err)
		}
	}
}

// TestExecCUDADriver runs a program of the driver's API with PTX.
func TestExecCUDADriver(t *testing.T) {
	t.Parallel()
	needCUDA(t)
	program := compileHost(t, "cuda_driver.c", "-ldl")
	for target, device := range map[string]string{"": "Simulated sm_90, 9.0",
		"sm_75": "Simulated sm_75, 7.5"} {
		var flags []string
		if target != "" {
			flags = []string{"--target", target}
		}
		r := execute(t, flags, program, kernels+"/ptx/co/saxpy.O2.ptx")
		want := []string{"1: " + device + ", 13000\n", "line 4, column 20: expected .param",
			"CUDA_ERROR_LAUNCH_FAILED\n", "driver: done\n"}
		if missing := inOrder(r.out, want); r.status != 0 || missing != "" {
			t.Errorf("%s: status %d: no %q in\n%s%s", target, r.status, missing, r.out, r.err)
		}
		said :=
			[]string{"simtgdb: a module of the program cannot be loaded: line 4, column 20: expected .param",
				"simtgdb: cuIpcGetMemHandle is not there: it returns cudaErrorNotSupported\n"}
		if missing := inOrder(r.err, said); missing != "" || strings.Count(r.err, "\n") != len(said) {
			t.Errorf("%s: no %q in\n%s", target, missing, r.err)
		}
	}
}

// fatBinary is a fat binary with entries of a header's fields and contents, in the layout of CUDA's tools.
func fatBinary(entries ...[]byte) []byte {
	body := bytes.Join(entries, nil)
	out := binary.LittleEndian.AppendUint32(nil, 0xba55ed50)
	out = binary.LittleEndian.AppendUint32(out, 16<<16|1)
	return append(binary.LittleEndian.AppendUint64(out, uint64(len(body))), body...)
}

// fatEntry is an entry of it. Contents that are packed have a size before.
func fatEntry(kind uint16, arch uint32, flags uint64, contents []byte, size int) []byte {
	h, le := make([]byte, 64), binary.LittleEndian
	le.PutUint16(h, kind)
	le.PutUint32(h[4:], 64)
	le.PutUint64(h[8:], uint64(len(contents)))
	le.PutUint32(h[16:], uint32(len(contents)))
	le.PutUint32(h[28:], arch)
	le.PutUint64(h[40:], flags)
	le.PutUint64(h[56:], uint64(size))
	return append(h, contents...)
}

// TestExecFatBinary loads modules out of fat binaries: the PTX for the device, packed or not; machine code
// alone is refused with what there is.
func TestExecFatBinary(t *testing.T) {
	t.Parallel()
	needCUDA(t)
	dir := t.TempDir()
	program := compileHost(t, "cuda_driver.c", "-ldl")
	ptx, err := os.ReadFile(kernels + "/ptx/co/saxpy.O2.ptx")
	if err != nil {
		t.Fatal(err)
	}
	literals := []byte{0xf0} // a block of LZ4 that has nothing else
	n := len(ptx) - 15
	for ; n >= 255; n -= 255 {
		literals = append(literals, 255)
	}
	literals = append(append(literals, byte(n)), ptx...)
	bad, code := []byte(".version 8.0\n.target sm_90 {"), []byte("\x7fELF")
	const isPTX, isCode, byLZ4 = 1, 2, 0x2000
	for name, data := range map[string][]byte{
		"plain":  fatBinary(fatEntry(isCode, 86, 0, code, 0), fatEntry(isPTX, 75, 0, ptx, 0)),
		"packed": fatBinary(fatEntry(isPTX, 80, byLZ4, literals, len(ptx)), fatEntry(isPTX, 90, 0, bad, 0)),
		"code":   fatBinary(fatEntry(isCode, 80, 0, code, 0)),
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, data, 0o666); err != nil {
			t.Fatal(err)
		}
		r := execute(t, []string{"--target", "sm_86"}, program, file)
		done := r.status == 0 && strings.HasSuffix(r.out, "driver: done\n")
		none := strings.Contains(r.out, "error 209") && strings.Contains(r.err,
			"the fat binary has no PTX for sm_86 or below it; it has machine code for sm_80; have it made")
		if done != (name != "code") || none != (name == "code") {
			t.Errorf("%s: status %d: %s%s", name, r.status, r.out, r.err)
		}
	}
}

// compileHost compiles a host program.
func compileHost(t *testing.T, source string, flags ...string) string {
	t.Helper()
	needCUDA(t)
	return sharedProgram(t, "program", "cc", append([]string{"-w", source}, flags...)...)
}

// TestExecCUDAGraph runs a program that makes graphs node by node and maps memory to addresses of its own.
func TestExecCUDAGraph(t *testing.T) {
	t.Parallel()
	program := compileHost(t, "cuda_graph.c", "-ldl")
	r := execute(t, nil, program, kernels+"/ptx/co/saxpy.O2.ptx")
	if r.status != 0 || r.out != "graph: done\n" || r.err != "" {
		t.Errorf("status %d: %s%s", r.status, r.out, r.err)
	}
}

// TestExecCUDALink runs a program that links PTX, with its errors, and that says how much malloc of kernels
// has.
func TestExecCUDALink(t *testing.T) {
	t.Parallel()
	r := execute(t, nil, compileHost(t, "cuda_link.c", "-ldl"))
	if want := "next is defined twice, in one.ptx and in two.ptx\n42, 32 MiB\n"; r.status != 0 ||
		r.out != want || r.err != "" {
		t.Errorf("status %d: %s%s\nwant %s", r.status, r.out, r.err, want)
	}
}

// TestExecCUDAGroups runs a program of halves, groups of threads and a cooperative launch, by the headers
// that take the toolkit's place.
func TestExecCUDAGroups(t *testing.T) {
	t.Parallel()
	program := buildCUDA(t, "cuda_groups.cu", "-O2")
	r := execute(t, nil, program)
	want := "0 0\n65.25 3.5625 264.5 | 2.25 4.5625 | 27 189 | 1.10003e+06 35 1.11024e+06 | 3 512\n" +
		"2048 2048 2052 2048 65504 65536 inf 65536 0 2.98023e-08 5.96046e-08 4.47035e-08 1.00391 1 1.01172 " +
		"1.01562 3\n0 7\n0 0: 3 512\n"
	if r.status != 0 || r.out != want || r.err != "" {
		t.Errorf("status %d: %s%s\nwant %s", r.status, r.out, r.err, want)
	}
}

// TestExecCUDAHeaders runs programs of mma.h, and of barriers, pipelines and copies as libcu++ has them, also
// by tensor maps; the checks find nothing in the latter.
func TestExecCUDAHeaders(t *testing.T) {
	t.Parallel()
	for _, p := range []struct {
		source, want string
		flags        []string
		checks       []string
	}{
		{"cuda_matrices.cu", "23 products, 0 wrong\n", []string{"-O1"}, nil},
		{"cuda_matrices.cu", "1 products, 0 wrong\n", []string{"-O1", "-DBITS"}, nil},
		{"cuda_async.cu", "barriers 0, device 0, pipelines 0 0, copies 0, groups 0\n", []string{"-O2"},
			[]string{"--check=all"}},
		{"cuda_tensor.cu", "0 0, 1 1 1 1\ntiles: 0 wrong\n", []string{"-O2"}, []string{"--check=all"}},
	} {
		program := buildCUDA(t, p.source, append(p.flags, "-g", "-std=c++17")...)
		if r := execute(t, p.checks, program); r.status != 0 || r.out != p.want || r.err != "" {
			t.Errorf("%s %v: status %d: %s%s", p.source, p.flags, r.status, r.out, r.err)
		}
	}
}

// TestExecCUDACluster: blocks of a cluster access each other's memory, of which no check finds anything but
// where they do not wait for each other; and gdb follows a pointer to another block's memory, and watches
// what others write to.
func TestExecCUDACluster(t *testing.T) {
	t.Parallel()
	want := "bins: 0 wrong\nplaces: 0 wrong\nsums: 0 wrong\ncudaErrorInvalidClusterSize 1 1 1 8 80 " +
		"cudaSuccess\n"
	for _, level := range sweep.Some(2, "-O0", "-O2") {
		program := buildCUDA(t, "cuda_cluster.cu", level, "-g", "-std=c++17")
		if r := execute(t, []string{"--check=all"}, program); r.status != 0 || r.out != want || r.err != "" {
			t.Errorf("%s: status %d: %s%s", level, r.status, r.out, r.err)
		}
		r := execute(t, []string{"--check=race,undefined"}, program, "careless")
		if missing := inOrder(r.err, []string{"check race: ", "write by lane 0 of wave",
			"no barrier of the cluster", ", which has ended"}); missing != "" {
			t.Errorf("%s: no %q in its place in\n%s%s", level, missing, r.out, r.err)
		}
		if level != "-O0" {
			continue // its variables are known all the time
		}
		needGDB(t)
		flags := gdbCommands("break cuda_cluster.cu:37", "continue", "print rank", "print *to", "kill")
		r = execute(t, append(flags, "--break", "places"), program)
		shown := []string{"hit Breakpoint 1, places", "$1 = 5", "$2 = (5, 21, 132, 4048)"}
		if missing := inOrder(r.out, shown); missing != "" {
			t.Errorf("no %q in its place in\n%s%s", missing, r.out, r.err)
		}
	}
}

// TestExecCUDATextures: arrays, textures and surfaces of each shape, and no check finds anything in reading
// beyond an edge that the program has an answer for.
func TestExecCUDATextures(t *testing.T) {
	t.Parallel()
	for _, level := range sweep.Some(2, "-O2", "-O0") {
		r := execute(t, []string{"--check=bounds,uninit"}, buildCUDA(t, "cuda_textures.cu", level, "-g"))
		if r.status != 0 || r.out != "textures: all right\n" || r.err != "" {
			t.Errorf("%s: status %d: %s%s", level, r.status, r.out, r.err)
		}
	}
}

// TestExecCUDAReferences: references to textures and surfaces, the runtime's and the driver's.
func TestExecCUDAReferences(t *testing.T) {
	t.Parallel()
	for _, level := range sweep.Some(2, "-O2", "-O0") {
		r := execute(t, []string{"--check=bounds,uninit"}, buildCUDA(t, "texture_references.cu", level, "-g"))
		const text = "simtgdb exec: launch 10: check: bounds of members and rows of arrays are not looked " +
			"at, for the kernel has no debugging information: compilers write it with -g\n" // a module in PTX
		r.err = strings.Replace(r.err, text, "", 1)
		if r.status != 0 || r.out != "references: all right\n" || r.err != "" {
			t.Errorf("%s: status %d: %s%s", level, r.status, r.out, r.err)
		}
	}
}

// TestExecCUDAMath: functions of mathematics have the forms that NVIDIA's headers give them, and numbers of 8
// bits are rounded once.
func TestExecCUDAMath(t *testing.T) {
	t.Parallel()
	program := buildCUDA(t, "cuda_math.cu", "-O2")
	want := "narrow 0 0\n46 functions, 0 differ, 0\n"
	if r := execute(t, nil, program); r.status != 0 || r.out != want || r.err != "" {
		t.Errorf("status %d: %s%s", r.status, r.out, r.err)
	}
}

// TestCUDAHeadersOfHost: compilers of C++ take the headers for the parts of a program that are the host's.
func TestCUDAHeadersOfHost(t *testing.T) {
	needCUDA(t)
	if _, err := exec.LookPath("c++"); err != nil {
		t.Skipf("skipped (Debian: g++): %v", err)
	}
	c := exec.Command("c++", "-std=c++17", "-fsyntax-only", "-Wno-attributes", "-x", "c++", "-I",
		"../../compile/include/cuda", "-")
	var text strings.Builder
	for _, name := range []string{"cuda.h", "cuda_runtime.h", "cublas_v2.h", "cublasLt.h", "cuda_fp16.h",
		"cuda_bf16.h", "cuda_fp8.h", "nvrtc.h"} {
		text.WriteString("#include <" + name + ">\n")
	}
	c.Stdin = strings.NewReader(text.String())
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestExecCUDALibrary: functions that the headers define give what the machine's functions of these names
// give.
func TestExecCUDALibrary(t *testing.T) {
	t.Parallel()
	var outs []string
	for _, flag := range []string{"-O1", "-DCUDA_LIBRARY_CALLS"} {
		r := execute(t, nil, buildCUDA(t, "cuda_library.cu", flag, "-O1", "-std=c++17"))
		if r.status != 0 || r.err != "" {
			t.Fatalf("%s: status %d: %s%s", flag, r.status, r.out, r.err)
		}
		outs = append(outs, r.out)
	}
	if diff := cmp.Diff(outs[1], outs[0]); diff != "" || strings.Count(outs[0], "\n") < 180 {
		t.Errorf("library -, headers +, of %d functions: %s", strings.Count(outs[0], "\n"), diff)
	}
}

// versioned makes libraries as NVIDIA's are for linkers, with a version of symbols that is called as the file
// is, and gives what links a program to them.
func versioned(t *testing.T, source string, names ...string) []string {
	t.Helper()
	dir := t.TempDir()
	object := filepath.Join(dir, "program.o")
	var flags []string
	cc := func(args ...string) string {
		c := exec.Command("cc", args...)
		c.Dir = hostPrograms
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	cc("-w", "-c", source, "-o", object)
	undefined, err := exec.Command("nm", "-u", object).Output()
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	for _, name := range names {
		prefix := strings.TrimPrefix(name[:strings.Index(name, ".so")], "lib")
		if prefix == "cudart" {
			prefix = "cuda"
		}
		stubs, versions := filepath.Join(dir, name+".c"), filepath.Join(dir, name+".map")
		var text strings.Builder
		for _, symbol := range strings.Fields(string(undefined)) {
			if strings.HasPrefix(symbol, prefix) {
				text.WriteString("void " + symbol + "(void) {}\n")
			}
		}
		for file, data := range map[string]string{stubs: text.String(),
			versions: name + " { global: *; };\n"} {
			if err := os.WriteFile(file, []byte(data), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		out := filepath.Join(dir, name)
		cc("-shared", "-fPIC", "-Wl,-soname,"+name, "-Wl,--version-script="+versions, stubs, "-o", out)
		flags = append(flags, out)
	}
	return flags
}

// TestExecCUBLAS runs a program of cuBLAS that asks for symbols by the versions of each of its libraries.
func TestExecCUBLAS(t *testing.T) {
	t.Parallel()
	needCUDA(t)
	for _, number := range sweep.Some(2, "12", "13") {
		libraries := versioned(t, "cublas.c", "libcudart.so."+number, "libcublas.so."+number)
		program := compileHost(t, "cublas.c", append(libraries, "-lm")...)
		r := execute(t, nil, program)
		said := "simtgdb: cublasSsymm_v2 is not there: it returns cudaErrorNotSupported\n"
		if r.status != 0 || r.out != "CUBLAS_STATUS_NOT_SUPPORTED\ncublas: done\n" || r.err != said {
			t.Errorf("%s: status %d: %s%s", number, r.status, r.out, r.err)
		}
		if number == "13" {
			continue // gdb is shown what is the same for both
		}
		needGDB(t)
		flags := append(gdbCommands("backtrace 1", "step"), "--break", "gemm_f32_f32")
		r = execute(t, flags, program)
		if missing := inOrder(r.out, []string{"#0  gemm_f32_f32 () at libcublas/blas.cu:"}); missing != "" {
			t.Errorf("no %q in its place in\n%s%s", missing, r.out, r.err)
		}
	}
}

// TestExecCUBLASLt runs a program of cuBLASLt. What it asks for that is not there is said once.
func TestExecCUBLASLt(t *testing.T) {
	t.Parallel()
	needCUDA(t)
	program := compileHost(t, "cublaslt.c",
		append(versioned(t, "cublaslt.c", "libcudart.so.12", "libcublasLt.so.12"), "-lm")...)
	r := execute(t, nil, program)
	const said = "simtgdb: cublasLtMatmul of this kind is not there: it returns cudaErrorNotSupported\n" +
		"simtgdb: cublasLtMatrixTransform is not there: it returns cudaErrorNotSupported\n"
	if r.status != 0 || r.out != "2240 elements, 0 wrong\n" || r.err != said {
		t.Errorf("status %d: %s%s", r.status, r.out, r.err)
	}
}

// TestExecNVRTC runs a program that compiles kernels while it runs, and steps into one of them.
func TestExecNVRTC(t *testing.T) {
	t.Parallel()
	needCUDA(t)
	if _, err := exec.LookPath("clang-22"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	for _, number := range sweep.Some(2, "12", "13") {
		program := compileHost(t, "nvrtc.c", append(versioned(t, "nvrtc.c", "libnvrtc.so."+number), "-lm")...)
		r := execute(t, nil, program)
		want := "_ZN1n5scaleIfLi3EEEvPT_i bias\n" +
			"NVRTC_ERROR_COMPILATION: error: use of undeclared identifier 'nothing'\n" +
			"NVRTC_ERROR_INVALID_PROGRAM\n" +
			"NVRTC_ERROR_COMPILATION: error: unrecognized option \"--speed=more\"\n" +
			"nvrtc 13.0: done\n"
		said := "simtgdb: a source of the program does not compile: program.cu:1:38: error: use of " +
			"undeclared identifier 'nothing'\n"
		if r.status != 0 || r.out != want || r.err != said {
			t.Errorf("%s: status %d: %s%s", number, r.status, r.out, r.err)
		}
		if number == "13" {
			continue // gdb is shown what is the same for both
		}
		needGDB(t)
		flags := append(gdbCommands("backtrace 1", "list 7,7", "print count"), "--break", "n::scale")
		r = execute(t, flags, program)
		if missing := inOrder(r.out, []string{"n::scale<float, 3>", "scale.cu:", "if (i < count) out[i]",
			"= 40"}); missing != "" {
			t.Errorf("no %q in its place in\n%s%s", missing, r.out, r.err)
		}
	}
}

// TestCUDANames: the library has no name of HIP's for programs to find.
func TestCUDANames(t *testing.T) {
	needCUDA(t)
	cache, _ := libraries()
	dir, err := libraryIn(cache, &client.CUDA)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("nm", "-D", "--defined-only", filepath.Join(dir, "libcuda.so")).Output()
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	n := 0
	for line := range strings.Lines(string(out)) {
		kind, name := strings.Fields(line)[1], strings.Fields(line)[2]
		if kind == "A" { // a version
			continue
		}
		n++
		if !strings.HasPrefix(strings.TrimPrefix(name, "__"), "cu") && !strings.HasPrefix(name, "nvrtc") {
			t.Errorf("the library has %s", name)
		}
	}
	if n < 300 {
		t.Errorf("the library has %d functions", n)
	}
}

// TestExecCUDAGDB debugs kernels of CUDA programs in gdb: by their names in C++, with variables, from one
// launch to the next.
func TestExecCUDAGDB(t *testing.T) {
	t.Parallel()
	needGDB(t)
	program := buildCUDA(t, "cuda.cu", "-O0", "-g")
	flags := append(gdbCommands("backtrace 1", "break 18 if i == 37", "continue", "print i", "print a",
		"print x[i]", "print n", "up", "down", "next", "print y[i]", "delete", "break 31", "continue",
		"print total", "print p", "print part[0]", "print part[1]", "reverse-next", "delete", "continue"),
		"--break", "scale<float>", "--history", "64MiB")
	r := execute(t, flags, program, "kernels")
	want := []string{"#0  scale<float> (y=0x2000", "a=2, n=100)", "cuda.cu:16",
		"\"wave 1 lane 5\" hit Breakpoint 1, scale<float> (", "$1 = 37\n$2 = 2\n$3 = 37\n$4 = 100\n",
		"new program: /simtgdb/_Z3sum", "hit Breakpoint 2, sum (x=0x2000", "exited normally]"}
	if missing := inOrder(r.out, want); missing != "" || r.status != 0 {
		t.Errorf("status %d; no %q in its place in\n%s\n%s", r.status, missing, r.out, r.err)
	}
}

// TestExecCUDATools: what exec does with launches besides running them it does with those of CUDA programs.
func TestExecCUDATools(t *testing.T) {
	program := buildCUDA(t, "cuda.cu", "-O2", "-g")
	dir := filepath.Join(t.TempDir(), "captured")
	if r := execute(t, []string{"--capture", dir}, program, "kernels"); r.status != 0 {
		t.Fatalf("status %d: %s", r.status, r.err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) != 2 {
		t.Fatalf("%d launch files, %v", len(files), err)
	}
	for _, f := range files {
		if r := simtgdb(t, "run", "--launch", f); r.status != 0 ||
			!strings.Contains(r.out, "are as expected") {
			t.Errorf("%s: status %d: %s%s", filepath.Base(f), r.status, r.out, r.err)
		}
	}
	r := execute(t, []string{"--check=all", "--source", hostPrograms, "--stats"}, program, "kernels")
	if r.status != 0 || strings.Contains(r.err, "check ") {
		t.Errorf("checked: status %d: %s", r.status, r.err)
	}
	r = execute(t, []string{"--profile", "-"}, program, "kernels")
	if r.status != 0 || !strings.Contains(r.err, "cuda.cu:") {
		t.Errorf("profiled: status %d: %s", r.status, r.err)
	}
}
