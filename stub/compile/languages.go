package compile

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"simtgdb/stub/device/openclc"
)

// A language is what sources are written in, by the end of their name.
type language struct {
	name    string
	tools   []tool // the first that is installed is called
	install string // what to say where there is none
}

// A tool is a compiler. args gives its options, but for the files, and the end of the name of what it makes.
type tool struct {
	name  string
	args  func(*job) (options []string, ext string, err error)
	files func(options []string, j *job) []string // the whole command line
}

// A job is one source to be compiled.
type job struct {
	source, target, headers, out string
	options                      []string // that follow the language's
}

// last puts the files behind the options, as most compilers want them.
func last(options []string, j *job) []string { return append(options, j.source, "-o", j.out) }

var (
	clang = []string{"clang-22", "clang", "clang-21", "clang-20", "clang-19"}

	clangs = []string{"clang++-22", "clang++", "clang++-21", "clang++-20", "clang++-19"}

	debianClang   = "Debian: apt-get install clang-22 lld-22"
	debianGlslang = "Debian: apt-get install glslang-tools"
)

// languages are those that are known, by the ends of names.
var languages = map[string]*language{
	".hip":   {"HIP", each(clang, hip), debianClang},
	".cu":    {"CUDA", each(clangs, cuda), debianClang},
	".cl":    {"OpenCL C", each(clang, openCL), debianClang},
	".comp":  {"GLSL", []tool{{"glslangValidator", glsl, last}}, debianGlslang},
	".glsl":  {"GLSL", []tool{{"glslangValidator", glsl, last}}, debianGlslang},
	".hlsl":  {"HLSL", []tool{{"dxc", dxc, dxcFiles}, {"glslangValidator", hlsl, last}}, debianGlslang},
	".wgsl":  {"WGSL", []tool{{"naga", naga, nagaFiles}, {"tint", tint, last}}, "cargo install naga-cli"},
	".slang": {"Slang", []tool{{"slangc", slang, last}}, "it is at shader-slang.org"},
}

// each gives all of some compilers the same options.
func each(names []string, args func(*job) ([]string, string, error)) (all []tool) {
	for _, n := range names {
		all = append(all, tool{n, args, last})
	}
	return all
}

// find finds the first compiler that is installed. SIMTGDB_CLANG names another clang.
func (l *language) find() (*tool, string) {
	for i := range l.tools {
		t, name := &l.tools[i], l.tools[i].name
		if v := os.Getenv("SIMTGDB_CLANG"); v != "" && name == clang[0] {
			name = v
		}
		if path, err := exec.LookPath(name); err == nil {
			return t, path
		}
	}
	return nil, ""
}

func (l *language) missing(source string) error {
	e := &MissingError{Source: source, Language: l.name, Install: l.install}
	for _, t := range l.tools {
		e.Tools = append(e.Tools, t.name)
	}
	return e
}

// processor is the AMD processor that a job is for.
func (j *job) processor() (string, error) {
	switch {
	case j.target == "":
		return "gfx90a", nil
	case strings.HasPrefix(j.target, "gfx"):
		return j.target, nil
	}
	return "", fmt.Errorf("it is compiled for AMD's processors, and %q is none: want --target gfx…", j.target)
}

// hipPrelude is the file that sources begin with which include HIP's own headers.
const hipPrelude = "hip_debian.h"

// hip compiles for the device alone. Where HIP's headers are not installed there is a small one for kernels.
func hip(j *job) ([]string, string, error) {
	processor, err := j.processor()
	if err != nil {
		return nil, "", err
	}
	args := []string{"-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", "--offload-arch=" + processor,
		"-g", "-O0", "-ffp-contract=off"}
	linked, err := j.libraries(processor, true)
	if err != nil {
		return nil, "", err
	}
	args = append(args, linked...)
	if usesHeaders(j.source, "hip/hip_runtime.h") && installed("/usr/include/hip/hip_runtime.h") {
		lanes := strconv.Itoa(openclc.WaveSize(processor, j.options))
		return append(args, "-D__HIP_PLATFORM_AMD__", "-D__AMDGCN_WAVEFRONT_SIZE="+lanes, "-Wno-macro-redefined",
			"-include", filepath.Join(j.headers, hipPrelude), "-c"), ".co", nil
	}
	return append(args, "-nogpuinc", "-I", j.headers, "-include", "hip/hip_runtime.h", "-c"), ".co", nil
}

// cuda compiles to PTX, with headers that take the place of NVIDIA's toolkit.
func cuda(j *job) ([]string, string, error) {
	processor := j.target
	switch {
	case processor == "":
		processor = "sm_80"
	case !strings.HasPrefix(processor, "sm_"):
		return nil, "", fmt.Errorf("it is compiled to PTX, and %q is no target of that: want --target sm_…", j.target)
	}
	return []string{"-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-device-only", "--cuda-gpu-arch=" + processor,
		"-I", filepath.Join(j.headers, "cuda"), "-include", "cuda_runtime.h", "-Wno-unknown-cuda-version",
		"-Xclang", "-target-feature", "-Xclang", "+ptx78", "-g", "-O0", "-S"}, ".ptx", nil
}

// openCL compiles for AMD's processors, or makes SPIR-V.
func openCL(j *job) ([]string, string, error) {
	common := []string{"-x", "cl", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header",
		"-cl-kernel-arg-info", "-g", "-O0", "-ffp-contract=off"}
	if j.target == "spirv64" || j.target == "spirv32" || j.target == "spirv" {
		target := j.target
		if target == "spirv" {
			target = "spirv64"
		}
		// Without names of values there are none of parameters, which arguments may be given by.
		return append(common, "-fno-discard-value-names", "-target", target, "-c"), ".spv", nil
	}
	processor, err := j.processor()
	if err != nil {
		return nil, "", fmt.Errorf("%w, or --target spirv", err)
	}
	args := append(common, "-target", "amdgcn-amd-amdhsa", "-mcpu="+processor)
	linked, err := j.libraries(processor, false)
	return append(args, linked...), ".co", err
}

// libraries are the options for the device libraries, if they are installed. Those of Debian are for version 5
// of code objects and those before. HIP wants roots and divisions of floats rounded correctly, OpenCL C does not.
func (j *job) libraries(processor string, roundedSqrt bool) ([]string, error) {
	c, err := openclc.Find()
	if err != nil {
		return []string{"-nogpulib"}, nil
	}
	if c, err = c.For(context.Background(), processor); err != nil {
		return nil, err
	}
	s := openclc.Settings{RoundedSqrt: roundedSqrt, Wave64: openclc.WaveSize(processor, j.options) == 64}
	return append([]string{"-mcode-object-version=5", "-nogpulib"},
		openclc.LinkArguments(c.DeviceLibraries(processor, s))...), nil
}

func glsl(*job) ([]string, string, error) {
	return []string{"-V", "-gVS", "-Od", "--target-env", "vulkan1.3", "-S", "comp"}, ".spv", nil
}

func hlsl(*job) ([]string, string, error) {
	return []string{"-D", "-V", "-gVS", "-Od", "--target-env", "vulkan1.3", "-S", "comp", "-e", "main"}, ".spv", nil
}

func dxc(*job) ([]string, string, error) {
	return []string{"-spirv", "-T", "cs_6_6", "-E", "main", "-Od", "-fspv-debug=vulkan-with-source",
		"-fspv-target-env=vulkan1.3"}, ".spv", nil
}

func dxcFiles(options []string, j *job) []string { return append(options, "-Fo", j.out, j.source) }

func naga(*job) ([]string, string, error) { return []string{"-g"}, ".spv", nil }

func nagaFiles(options []string, j *job) []string { return append(options, j.source, j.out) }

func tint(*job) ([]string, string, error) { return []string{"--format", "spirv"}, ".spv", nil }

func slang(*job) ([]string, string, error) {
	return []string{"-target", "spirv", "-stage", "compute", "-entry", "main", "-g2", "-O0"}, ".spv", nil
}

func installed(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// usesHeaders reports whether a source includes a header by itself.
func usesHeaders(source, header string) bool {
	text, err := os.ReadFile(source)
	return err == nil && strings.Contains(string(text), header)
}
