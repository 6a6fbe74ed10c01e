// Package cudac compiles CUDA C++ to PTX while a program runs, as NVRTC does, with the clang that is
// installed and the headers that take the place of NVIDIA's toolkit. It knows nothing of NVRTC's API and of
// the service that asks: its entry point is [Compile].
package cudac

import (
	"context"
	"path/filepath"
	"slices"

	"simtgdb/simt/pattern"
	"simtgdb/stub/compile"
	"simtgdb/stub/device/buildcache"
	"simtgdb/stub/device/openclc"
	"simtgdb/stub/device/rtc"
	"simtgdb/stub/device/transient"
)

// A Request is a program.
type Request struct {
	Processor string // "sm_80", unless the options name another
	Name      string // that the program has for its source
	Source    []byte
	Options   []string // NVRTC's
	Headers   map[string][]byte
	Names     []string // expressions that name kernels or variables: "scale<float>"
	Sources   string   // the folder where sources are kept for debuggers; "" for nowhere

	Cache *buildcache.Cache // of what was compiled before, nil for none
}

// A Result is what came of a request. PTX is nil if there are errors.
type Result struct {
	PTX   []byte
	Log   string
	Names []string // as the PTX has them, in the order of the request's
}

// Compile compiles a program. An error is that of the system; those of the program are in the result's log.
func Compile(ctx context.Context, r *Request) (*Result, error) {
	clang, err := openclc.FindClang("CUDA", "clang-22")
	if err != nil {
		return &Result{Log: err.Error() + "\n"}, nil
	}
	options, err := translate(r)
	if err != nil {
		return &Result{Log: err.Error() + "\n"}, nil
	}
	folder, err := transient.Make("", "simtgdb-cuda-")
	if err != nil {
		return nil, err
	}
	defer folder.Remove()
	source, err := write(folder.Path, r)
	if err != nil {
		return nil, err
	}
	kept := keepIn(clang, r, options, source)
	if e := kept.Entry(); e != nil {
		names, err := rtc.Named(e.File, pointsAt(), len(r.Names))
		return &Result{PTX: e.File, Log: e.Log, Names: names}, err
	}
	command := rtc.Command{Compiler: clang, Sparing: sparing,
		Arguments: slices.Concat(flags(folder.Path), options, []string{"-S"}, kept.Arguments(folder.Path))}
	file, log, err := command.Run(ctx, folder.Path, source)
	result := &Result{PTX: file, Log: log}
	if err != nil || file == nil {
		return result, err
	}
	if result.Names, err = rtc.Named(file, pointsAt(), len(r.Names)); err == nil {
		kept.Put(folder.Path, result.PTX, result.Log)
	}
	return result, err
}

// sparing leaves special functions of C++ out of what the toolkit's headers include, and what these include:
// a third of the work on a small source. libstdc++ takes them for read already. NVRTC has none of them.
var sparing = []string{"-D_GLIBCXX_BITS_SPECFUN_H=1"}

// flags are those of the compiler that every program gets, whose headers are in a folder.
func flags(dir string) []string {
	return slices.Concat(
		[]string{"-x", "cuda", "--cuda-device-only", "-I", filepath.Join(dir, "include")},
		compile.CUDAFlags(filepath.Join(dir, "toolkit")),
		[]string{"-include", filepath.Join(dir, "prelude.h"), "-g", "-O3",
			"-Xclang", "-debug-info-kind=constructor"}) // the driver would have it of lines alone
}

// prelude tells a source that it is compiled at run time. NVRTC knows no host: what has no attribute is for
// the device.
const prelude = "#define __CUDACC_RTC__ 1\n"

// staticConstant is what a static variable in constant memory begins with. Programs write such by name, and
// clang would take what is in them for known, since nothing of the source changes it.
var staticConstant = pattern.Compile(`\bstatic(\s+__constant__\b)`)

// write writes headers and the source, which stays where debuggers find it.
func write(dir string, r *Request) (source string, err error) {
	if err := compile.WriteHeaders(dir, filepath.Join(dir, "toolkit")); err != nil {
		return "", err
	}
	before, after := prelude, ""
	for _, o := range r.Options {
		if o == "-default-device" || o == "--device-as-default-execution-space" {
			before += "#pragma clang force_cuda_host_device begin\n"
			after = "\n#pragma clang force_cuda_host_device end\n"
		}
	}
	given := rtc.Source{Name: r.Name, Default: "program.cu", Headers: r.Headers, Keep: r.Sources,
		Text:   staticConstant().ReplaceAll(r.Source, []byte("      $1")),
		Behind: append([]byte(after), rtc.Probes(r.Names)...)}
	if given.Name == "default_program" { // NVRTC's for none
		given.Name = ""
	}
	return given.Write(dir, map[string][]byte{filepath.Join(dir, "prelude.h"): []byte(before)})
}

// pointsAt is the definition of a probe in PTX.
var pointsAt = pattern.Compile(`\b` + rtc.Probe + `(\d+) = (?:generic\()?([\w$]+)`)
