// Package hipc compiles HIP C++ for the device while a program runs, as hiprtc does,
// with the clang, the device libraries and the headers of HIP that are installed. It
// knows nothing of hiprtc's API and of the service that asks: its entry point is
// [Compile].
package hipc

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"simtgdb/stub/device/openclc"
	"simtgdb/stub/device/rtc"
	"simtgdb/stub/device/transient"
)

// A Request is a program.
type Request struct {
	Processor string // "" for gfx90a, unless the options name one
	Name      string // that the program has for its source
	Source    []byte
	Options   []string
	Headers   map[string][]byte
	Names     []string // expressions that name kernels or variables: "scale<float>"
}

// A Result is what came of a request. File is a code object, nil if there are errors.
type Result struct {
	File  []byte
	Log   string
	Names []string // as the code object has them, in the order of the request's
}

// prelude is what sources find declared: HIP's headers, and what those of Debian want
// of a newer clang. It is docs/example/hip_debian.h.
//
//go:embed prelude.h
var prelude []byte

// Prelude is the text that sources are to begin with, if the headers of HIP are Debian's.
func Prelude() []byte { return slices.Clone(prelude) }

// Compile compiles a program. An error is that of the system; those of the program are
// in the result's log.
func Compile(ctx context.Context, c *openclc.Compiler, r *Request) (*Result, error) {
	c, err := c.For(ctx, r.processor())
	if err != nil {
		return nil, err
	}
	folder, err := transient.Make("", "simtgdb-hip-")
	if err != nil {
		return nil, err
	}
	defer folder.Remove()
	dir := folder.Path
	source, err := write(c, dir, r)
	if err != nil {
		return nil, err
	}
	kept, err := keepIn(c, r, source)
	if err != nil {
		return nil, err
	}
	if e := kept.Entry(); e != nil {
		names, err := lowered(e.File, len(r.Names))
		return &Result{File: e.File, Log: e.Log, Names: names}, err
	}
	command := rtc.Command{Compiler: c.Clang, Sparing: r.sparing(), Unlinked: r.unlinked(),
		Arguments: append(arguments(c, dir, r), kept.Arguments(dir)...)}
	file, log, err := command.Run(ctx, dir, source)
	result := &Result{File: file, Log: explain(log)}
	if err != nil || file == nil {
		return result, err
	}
	if result.Names, err = lowered(result.File, len(r.Names)); err != nil {
		return nil, err
	}
	kept.Put(dir, result.File, result.Log)
	return result, nil
}

// explain says what to install where the compiler finds no headers of HIP: hiprtc has them within, so that
// nobody who runs a program which uses hiprtc expects to need them.
func explain(log string) string {
	if !strings.Contains(log, "cannot find HIP runtime") {
		return log
	}
	return "error: there are no headers of HIP, which sources that a program compiles are to find " +
		"(Debian: apt-get install libamdhip64-dev)\n" + log
}

// write writes headers and the source, which stays where debuggers find it.
func write(c *openclc.Compiler, dir string, r *Request) (source string, err error) {
	given := rtc.Source{Name: r.Name, Default: "program.hip", Headers: r.Headers, Keep: c.Sources,
		Text: r.Source, Behind: rtc.Probes(r.Names)}
	return given.Write(dir, map[string][]byte{filepath.Join(dir, "prelude.h"): append(
		slices.Clone(prelude), runTime...)})
}

// separate is the option of programs that are linked with others: what comes of them is LLVM's assembly.
const separate = "-fgpu-rdc"

// ofOthers are options that hiprtc takes and this compiler does not: one of older clangs, and those that
// leave out headers and libraries, which the prelude needs.
var ofOthers = []string{"-flegacy-pass-manager", "-fno-legacy-pass-manager", "-nocudainc", "-nocudalib",
	"-nogpuinc", "-nogpulib"}

// runTime tells a source that it is compiled at run time.
const runTime = "\n#define __HIPCC_RTC__ 1\n"

// processor is what a request is compiled for.
func (r *Request) processor() string {
	name := cmp.Or(r.Processor, "gfx90a")
	for _, o := range r.Options {
		if namesProcessor(o) {
			_, value, _ := strings.Cut(o, "=")
			name, _, _ = strings.Cut(value, ":")
		}
	}
	return name
}

// Unlinked are options by which clang makes an object of a source in HIP and does not link it.
var Unlinked = []string{"-S", "-Xclang", "-emit-obj"}

// unlinked are those, if the code of a request can be linked apart.
func (r *Request) unlinked() []string {
	options := slices.DeleteFunc(slices.Clone(r.Options), func(o string) bool {
		return namesProcessor(o) || slices.Contains(ofOthers, o)
	})
	if !openclc.Separable(options) {
		return nil
	}
	return Unlinked
}

// arguments are those of the compiler.
func arguments(c *openclc.Compiler, dir string, r *Request) []string {
	args := []string{"-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", "-mcode-object-version=5",
		"--rocm-device-lib-path=" + c.Libraries,
		fmt.Sprintf("-D__AMDGCN_WAVEFRONT_SIZE=%d", openclc.WaveSize(r.processor(), r.Options)),
		"-D__HIP_PLATFORM_AMD__", "-Wno-macro-redefined", "-include", filepath.Join(dir, "prelude.h"),
		"-I", filepath.Join(dir, "include"), "-g"}
	level := true
	for _, o := range r.Options {
		switch {
		case namesProcessor(o), slices.Contains(ofOthers, o):
		case o == separate:
			args = append(args, o, "-S", "-emit-llvm")
		default:
			level = level && !strings.HasPrefix(o, "-O")
			args = append(args, o)
		}
	}
	if level {
		args = append(args, "-O3")
	}
	return append(args, "--offload-arch="+r.processor())
}
