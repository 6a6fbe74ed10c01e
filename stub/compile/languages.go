package compile

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"simtgdb/loader/printable"
	"simtgdb/simt/pattern"
	"simtgdb/stub/device/hipc"
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
	// chatter begins lines of what it says that tell nothing.
	chatter []string
}

// A job is one source to be compiled.
type job struct {
	source, target, headers, out string
	tool, work                   string   // the compiler's path, and a folder that nobody else has
	options                      []string // that follow the language's
	// plumbing are options that follow the tool's: its libraries and headers, and what is the same for all
	// sources.
	plumbing []string
	// linked are options of a second command, which makes code of the bitcode that the first one makes; none:
	// one does all.
	linked []string
	// whole has all headers read. Otherwise those may be left out that few sources have use for, of which
	// spares is made to tell.
	whole, spares bool
	// unlinked are options by which the last command makes an object that is linked apart; none: it makes
	// what is wanted.
	unlinked []string
}

// linksApart has what the last command makes linked apart, which is quicker, if the caller's options allow
// it.
func (j *job) linksApart(unlinked []string) {
	if openclc.Separable(j.options) {
		j.unlinked = unlinked
	}
}

// inTwo are a compiler's commands where what the job links is not to be there yet when its source is
// compiled.
func (j *job) inTwo(path string, args []string) [][]string {
	first := *j
	first.out = strings.TrimSuffix(j.out, filepath.Ext(j.out)) + ".ll"
	second := []string{path, "-x", "ir", "-g"}
	for _, o := range j.options {
		if isLevel(o) || strings.HasPrefix(o, "-m") {
			second = append(second, o)
		}
	}
	return [][]string{append([]string{path}, last(append(args, "-S", "-emit-llvm"), &first)...),
		slices.Concat(second, j.linked, []string{first.out, "-o", j.out})}
}

func (j *job) add(plumbing ...string) { j.plumbing = append(j.plumbing, plumbing...) }

// last puts the files behind the options, as most compilers want them.
// Where there is no result yet to be named they leave it out.
func last(options []string, j *job) []string { return withOutput(append(options, j.source), "-o", j) }

func withOutput(command []string, flag string, j *job) []string {
	if j.out == "" {
		return command
	}
	if flag != "" {
		command = append(command, flag)
	}
	return append(command, j.out)
}

var (
	clang = []string{"clang-22", "clang", "clang-21", "clang-20", "clang-19"}

	clangs = []string{"clang++-22", "clang++", "clang++-21", "clang++-20", "clang++-19"}

	debianClang   = "Debian: apt-get install clang-22 lld-22"
	debianGlslang = "Debian: apt-get install glslang-tools"
	debianOcloc   = "Debian: apt-get install intel-opencl-icd"
)

// languages are those that are known, by the ends of names.
var languages = map[string]*language{
	".hip":  {"HIP", each(clang, hip), debianClang},
	".cu":   {"CUDA", each(clangs, cuda), debianClang},
	".cl":   {"OpenCL C", each(clang, openCL), debianClang},
	".comp": {"GLSL", []tool{glslang(glsl)}, debianGlslang},
	".glsl": {"GLSL", []tool{glslang(glsl)}, debianGlslang},
	".hlsl": {"HLSL", []tool{{name: "dxc", args: dxc, files: dxcFiles}, glslang(hlsl)}, debianGlslang},
	".wgsl": {"WGSL", []tool{{name: "naga", args: naga, files: nagaFiles},
		{name: "tint", args: tint, files: last}},
		"cargo install naga-cli"},
	".slang": {"Slang", []tool{{name: "slangc", args: slang, files: last}}, "it is at shader-slang.org"},
}

// forIntel is OpenCL C for Intel's processors. asSPIRV is OpenCL C as SPIR-V, of which clang's back end
// writes no debugging information (clang 22).
var (
	forIntel = &language{"OpenCL C for Intel", []tool{byOcloc(ocloc, oclocFiles)}, debianOcloc}
	asSPIRV  = &language{"OpenCL C", append(
		[]tool{byOcloc(oclocSPIRV, oclocSPIRVFiles)}, each(clang, openCL)...),
		debianClang + " or intel-opencl-icd"}
)

// languageOf is the language of a source that is to become code for a target, nil if it is none that is
// known.
func languageOf(source, target string) *language {
	l := languages[filepath.Ext(source)]
	switch {
	case l != languages[".cl"]:
	case intel[target] != "":
		return forIntel
	case target == "spirv" || target == "spirv64":
		return asSPIRV
	}
	return l
}

func byOcloc(args func(*job) ([]string, string, error), files func([]string, *job) []string) tool {
	return tool{name: "ocloc", args: args, files: files,
		chatter: []string{"Build succeeded.", "Build failed", "Command was: "}}
}

func glslang(args func(*job) ([]string, string, error)) tool {
	return tool{name: "glslangValidator", args: args, files: last}
}

// each gives all of some compilers the same options.
func each(names []string, args func(*job) ([]string, string, error)) (all []tool) {
	for _, n := range names {
		all = append(all, tool{name: n, args: args, files: last})
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
	j.add("--no-gpu-bundle-output")
	j.linksApart(hipc.Unlinked)
	options, links, err := j.libraries(processor, true)
	if err != nil {
		return nil, "", err
	}
	j.add(slices.Concat(options, links)...)
	if j.mentions(`hip/hip_runtime\.h`) && installed("/usr/include/hip/hip_runtime.h") {
		lanes := strconv.Itoa(openclc.WaveSize(processor, j.options))
		j.add("-D__HIP_PLATFORM_AMD__", "-D__AMDGCN_WAVEFRONT_SIZE="+lanes, "-Wno-macro-redefined",
			"-include", filepath.Join(j.headers, hipPrelude))
		j.spareHost()
	} else {
		j.add("-nogpuinc", "-I", j.headers, "-include", "hip/hip_runtime.h")
	}
	return []string{"-x", "hip", "--cuda-device-only", "--offload-arch=" + processor, "-g", "-O0",
		"-ffp-contract=off", "-c"}, ".co", nil
}

// spareHost has headers of HIP read without what hardly a source has use for.
func (j *job) spareHost() {
	text, err := os.ReadFile(j.source)
	if err != nil || j.whole {
		return
	}
	less := hipc.Sparing(text, j.options)
	j.add(less...)
	j.spares = len(less) > 0
}

// CUDAFlags are what clang wants for sources in CUDA besides its usual options, with the headers that
// WriteHeaders has written into a folder in the place of NVIDIA's toolkit.
func CUDAFlags(headers string) []string {
	return []string{"-nocudainc", "-nocudalib", "-I", filepath.Join(headers, "cuda"), "-include",
		"cuda_runtime.h", "-Wno-unknown-cuda-version", "-Xclang", "-target-feature", "-Xclang", "+ptx78"}
}

// cuda compiles to PTX, with headers that take the place of NVIDIA's toolkit.
func cuda(j *job) ([]string, string, error) {
	processor := j.target
	switch {
	case processor == "":
		processor = "sm_80"
	case !strings.HasPrefix(processor, "sm_"):
		return nil, "", fmt.Errorf("it is compiled to PTX, and %q is no target of that: want --target sm_…",
			j.target)
	}
	j.add(CUDAFlags(j.headers)...)
	return []string{"-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=" + processor, "-g", "-O0",
		"-S"}, ".ptx", nil
}

// openCL compiles for AMD's processors, or makes SPIR-V.
func openCL(j *job) ([]string, string, error) {
	common := []string{"-x", "cl", "-cl-std=CL1.2", "-g", "-O0", "-ffp-contract=off"}
	j.add("-Xclang", "-finclude-default-header", "-cl-kernel-arg-info")
	if j.target == "spirv64" || j.target == "spirv32" || j.target == "spirv" {
		target := j.target
		if target == "spirv" {
			target = "spirv64"
		}
		// Without names of values there are none of parameters, which arguments may be given by.
		j.add("-fno-discard-value-names")
		return append(common, "-target", target, "-c"), ".spv", nil
	}
	if strings.HasPrefix(j.target, "sm_") {
		own, err := openCLPTX(j)
		return append(common, own...), ".ptx", err
	}
	processor, err := j.processor()
	if err != nil {
		return nil, "", fmt.Errorf("%w, sm_…, spirv, gen8, gen9, gen11, gen12lp, xe-hpg or xe-hpc", err)
	}
	j.linksApart([]string{"-c"})
	target := []string{"-target", "amdgcn-amd-amdhsa", "-mcpu=" + processor}
	options, links, err := j.libraries(processor, false)
	if err != nil {
		return nil, "", err
	}
	j.add(options...)
	own, err := j.replacements(processor, slices.Concat(target, options, openclc.Waves(j.options)))
	if err != nil {
		return nil, "", err
	}
	links = append(own, links...)
	if len(links) > 0 && j.mentions(`\bprintf\b`) {
		// The compiler turns a printf that nobody defines into stores to a buffer; that of the libraries
		// prints nothing.
		j.linked = slices.Concat(target, options, links)
	} else {
		j.add(links...)
	}
	return append(common, target...), ".co", nil
}

// libclc are the functions of OpenCL C for PTX, where they are installed (Debian: libclc-22).
const libclc = "/usr/lib/clc/nvptx64--nvidiacl.bc"

// openCLPTX are the options for PTX. A header has the work-item functions and barriers, libclc all others
// but those of images.
func openCLPTX(j *job) ([]string, error) {
	version := []string{"-Xclang", "-target-feature", "-Xclang", "+ptx78"}
	target := []string{"-target", "nvptx64-nvidia-cuda", "-march=" + j.target}
	header := filepath.Join(j.headers, "opencl", "ptx.h")
	j.add("-nogpulib", "-include", header, "-Wno-unknown-cuda-version")
	j.add(version...)
	own, err := j.replacements(j.target, slices.Concat(target, []string{"-nogpulib"}, version))
	if err != nil {
		return nil, err
	}
	j.add(own...)
	if installed(libclc) {
		j.add("-Xclang", "-mlink-builtin-bitcode", "-Xclang", libclc, "-Wno-linker-warnings")
	}
	return append(target, "-S"), nil
}

// replacements are the options that link what the libraries of a processor have not.
func (j *job) replacements(processor string, target []string) ([]string, error) {
	text, err := os.ReadFile(j.source)
	if err != nil {
		return nil, err
	}
	folders := openclc.Folders{Work: j.work, Keep: j.headers}
	libraries, err := openclc.Replacements(context.Background(), j.tool, folders, processor, target, text)
	return openclc.LinkArguments(libraries), err
}

// intel are the devices, as ocloc names them, whose code is that of a generation.
var intel = map[string]string{"gen8": "bdw", "gen9": "skl", "gen11": "icllp", "gen12lp": "tgllp",
	"xe-hpg": "dg2-g10", "xe-hpc": "pvc"}

// ForIntel reports whether OpenCL C for a target is compiled by ocloc.
func ForIntel(target string) bool { return intel[target] != "" }

// ocloc compiles by way of addresses of 64 bits, without which kernels reach buffers through tables that
// launches have not.
func ocloc(j *job) ([]string, string, error) {
	j.add("-cl-intel-greater-than-4GB-buffer-required")
	return oclocLevel(j), ".zebin", nil
}

func oclocSPIRV(j *job) ([]string, string, error) { return oclocLevel(j), ".spv", nil }

// oclocLevel are the options that all compile with. ocloc optimizes unless it is told not to, and knows no
// -O.
func oclocLevel(j *job) []string {
	if slices.ContainsFunc(j.options, isLevel) {
		return []string{"-g"}
	}
	return []string{"-g", "-cl-opt-disable"}
}

func isLevel(option string) bool { return strings.HasPrefix(option, "-O") }

func oclocFiles(options []string, j *job) []string {
	return withOutput(oclocCommand(intel[j.target], options, j, "--format", "zebin"), "-output", j)
}

// oclocSPIRVFiles: ocloc adds the end of the name itself.
func oclocSPIRVFiles(options []string, j *job) []string {
	made := *j
	made.out = strings.TrimSuffix(j.out, ".spv")
	return withOutput(oclocCommand(intel["gen9"], options, j, "-spv_only"), "-output", &made)
}

func oclocCommand(device string, options []string, j *job, more ...string) []string {
	options = slices.DeleteFunc(slices.Clone(options), isLevel)
	command := append([]string{"compile", "-device", device}, more...)
	if j.out != "" {
		command = append(command, "-output_no_suffix")
	}
	for i, o := range options {
		options[i] = quoted(o)
	}
	return append(command, "-options", strings.Join(options, " "), "-file", j.source)
}

// quoted is an option as ocloc takes it apart: quotes are around what follows a macro's name, or -I.
func quoted(option string) string {
	if !strings.ContainsAny(option, " \t") {
		return option
	}
	if path, ok := strings.CutPrefix(option, "-I"); ok {
		return `-I "` + path + `"`
	}
	name, value, _ := strings.Cut(option, "=")
	return name + `="` + value + `"`
}

// libraries are the options for the device libraries, if they are installed. Those of Debian are for version
// 5 of code objects and those before. HIP wants roots and divisions of floats rounded correctly, OpenCL C
// does not.
func (j *job) libraries(processor string, roundedSqrt bool) (options, links []string, err error) {
	c, err := openclc.Find()
	if err != nil {
		return []string{"-nogpulib"}, nil, nil
	}
	if c, err = c.For(context.Background(), processor); err != nil {
		return nil, nil, err
	}
	s := openclc.Settings{RoundedSqrt: roundedSqrt, Wave64: openclc.WaveSize(processor, j.options) == 64}
	files := c.DeviceLibraries(processor, s)
	if roundedSqrt { // HIP has no use for OpenCL C's functions, and clang itself gives it none
		files = slices.DeleteFunc(files, func(f string) bool { return filepath.Base(f) == "opencl.bc" })
	}
	return []string{"-mcode-object-version=5", "-nogpulib"}, openclc.LinkArguments(files), nil
}

func glsl(*job) ([]string, string, error) {
	return []string{"-V", "-gVS", "-Od", "--target-env", "vulkan1.3", "-S", "comp"}, ".spv", nil
}

// Registers of HLSL are numbered by kinds, u0 beside t0 and b0, and Vulkan's bindings are not: where a
// source's kinds begin among the bindings. Those of u keep their numbers.
const (
	firstOfT = "100"
	firstOfB = "200"
	firstOfS = "300"
)

func hlsl(j *job) ([]string, string, error) {
	j.add("--hlsl-iomap", "--auto-map-bindings", "--shift-texture-binding", firstOfT, "--shift-ssbo-binding",
		firstOfT, "--shift-UBO-binding", firstOfB, "--shift-sampler-binding", firstOfS)
	entry, err := j.entry("-e")
	return append([]string{"-D", "-V", "-gVS", "-Od", "--target-env", "vulkan1.3", "-S", "comp"},
		entry...), ".spv", err
}

func dxc(j *job) ([]string, string, error) {
	j.add("-fvk-t-shift", firstOfT, "0", "-fvk-b-shift", firstOfB, "0", "-fvk-s-shift", firstOfS, "0")
	entry, err := j.entry("-E")
	return slices.Concat([]string{"-spirv", "-T", "cs_6_6"}, entry,
		[]string{"-Od", "-fspv-debug=vulkan-with-source",
			"-fspv-target-env=vulkan1.3"}), ".spv", err
}

var (
	slashComments = pattern.Compile(`(?s)//[^\n]*|/\*.*?\*/`)
	// groupFunctions are functions of HLSL and Slang that say how many work-items their groups have.
	groupFunctions = pattern.Compile(
		`\[\s*numthreads\s*\([^)]*\)\s*\](?:\s*\[[^\]]*\])*\s*(?:[\w:]+\s+)+(\w+)\s*\(`)
)

// entry are the options that name the function that a source in HLSL or Slang begins at: the only one that
// says how many work-items its groups have, or main. Nothing if the caller's options name it.
func (j *job) entry(flag string) ([]string, error) {
	if slices.Contains(j.options, flag) {
		return nil, nil
	}
	text, err := os.ReadFile(j.source)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, found := range groupFunctions().FindAllSubmatch(slashComments().ReplaceAll(text, nil), -1) {
		names = append(names, string(found[1]))
	}
	switch {
	case len(names) == 0 || slices.Contains(names, "main"):
		return []string{flag, "main"}, nil
	case len(names) > 1:
		return nil, fmt.Errorf("it has several kernels, %s: say which, as --cc '%s %s'",
			printable.Names(names), flag, names[0])
	}
	return []string{flag, names[0]}, nil
}

func dxcFiles(options []string, j *job) []string {
	return append(withOutput(options, "-Fo", j), j.source)
}

func naga(*job) ([]string, string, error) { return []string{"-g"}, ".spv", nil }

func nagaFiles(options []string, j *job) []string {
	return withOutput(append(options, j.source), "", j)
}

func tint(*job) ([]string, string, error) { return []string{"--format", "spirv"}, ".spv", nil }

func slang(j *job) ([]string, string, error) {
	entry, err := j.entry("-entry")
	return slices.Concat([]string{"-target", "spirv", "-stage", "compute"}, entry,
		[]string{"-g2", "-O0"}), ".spv", err
}

func installed(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// mentions reports whether a source has a text that a pattern matches; what it includes is not looked at.
func (j *job) mentions(pattern string) bool {
	text, err := os.ReadFile(j.source)
	return err == nil && regexp.MustCompile(pattern).Match(text)
}
