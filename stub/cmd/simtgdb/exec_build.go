package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"simtgdb/loader/printable"
	"simtgdb/loader/spirv"
	"simtgdb/stub/compile"
	"simtgdb/stub/device"
	"simtgdb/stub/device/buildcache"
	"simtgdb/stub/device/cudac"
	"simtgdb/stub/device/hipc"
	"simtgdb/stub/device/openclc"
)

// buildOpenCL compiles what programs give to clBuildProgram and the like, with
// more options than they give. Sources stay in the user's cache folder, for gdb, and so does what is built,
// if cached.
func buildOpenCL(more string, cached bool) func(context.Context, *device.BuildRequest) (*device.Built,
	error) {
	return func(ctx context.Context, r *device.BuildRequest) (*device.Built, error) {
		if modules := inSPIRV(r.Inputs); len(modules) > 0 {
			return linkSPIRV(ctx, r, modules)
		}
		if compile.ForIntel(r.Processor) {
			return buildForIntel(ctx, r, more)
		}
		c, err := openclc.Find()
		if err != nil {
			return &device.Built{Log: err.Error() + "\n"}, nil
		}
		c.Extra = more
		c.Sources = kept("opencl")
		if cached {
			c.Cache = &buildcache.Cache{Dir: kept("built")}
		}
		q := &openclc.Request{Processor: r.Processor, Options: r.Options, Object: r.Object,
			Headers: map[string][]byte{}}
		for _, in := range r.Inputs {
			q.Inputs = append(q.Inputs, openclc.Input{Bitcode: in.Object, Contents: in.Contents})
		}
		for _, h := range r.Headers {
			q.Headers[h.Name] = h.Contents
		}
		result, err := c.Build(ctx, q)
		if err != nil {
			return nil, err
		}
		return &device.Built{File: result.File, Log: result.Log}, nil
	}
}

// A buildFailures tells the user of programs that do not compile, the first ones, each log once: their makers
// get a log of the compiler, which not every program prints.
type buildFailures struct {
	out  io.Writer
	mu   sync.Mutex
	told map[string]bool // the logs

	debugged bool // gdb is to look at programs
	missed   bool // who debugs has been told of one without debugging information
}

const toldBuilds = 5

// tell tells of what was built if that is nothing.
func (f *buildFailures) tell(what string, built *device.Built) {
	if built == nil || built.File != nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.told[built.Log] || len(f.told) == toldBuilds {
		return
	}
	f.told[built.Log] = true
	lines := strings.Split(strings.TrimRight(built.Log, "\n"), "\n")
	first := max(slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "error") }), 0)
	shown := lines[first:min(first+shownOfLog, len(lines))]
	fmt.Fprintf(f.out, "simtgdb exec: %s does not compile:\n", what)
	for _, line := range shown {
		fmt.Fprintf(f.out, "  %s\n", printable.Line(line))
	}
	if left := len(lines) - len(shown); left > 0 {
		fmt.Fprintf(f.out, "  (the log that the program can ask for has %s)\n", plural(left, "more line"))
	}
}

// tellUndescribed tells whoever debugs, once, that a program has no debugging information.
func (f *buildFailures) tellUndescribed(built *device.Built) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if built != nil && built.File != nil && f.debugged && !f.missed &&
		strings.Contains(built.Log, undescribed) {
		f.missed = true
		fmt.Fprintf(f.out, "simtgdb exec: %s\n", undescribed)
	}
}

// shownOfLog is how much of a log is shown, from its first error on: what a compiler says of one.
const shownOfLog = 4

// A builder compiles what an OpenCL program has.
type builder = func(context.Context, *device.BuildRequest) (*device.Built, error)

// around has what an OpenCL program builds told of if it fails.
func (f *buildFailures) around(build builder) builder {
	return func(ctx context.Context, r *device.BuildRequest) (*device.Built, error) {
		built, err := build(ctx, r)
		f.tell("an OpenCL program", built)
		f.tellUndescribed(built)
		return built, err
	}
}

// inSPIRV are the inputs that are modules in SPIR-V.
func inSPIRV(inputs []device.BuildInput) (modules [][]byte) {
	for _, in := range inputs {
		if in.Object && spirv.IsModule(in.Contents) {
			modules = append(modules, in.Contents)
		}
	}
	return modules
}

func linkSPIRV(ctx context.Context, r *device.BuildRequest, modules [][]byte) (*device.Built, error) {
	if len(modules) < len(r.Inputs) {
		return &device.Built{Log: "error: modules in SPIR-V cannot be linked with what clang has " +
			"compiled\n"}, nil
	}
	linked, err := openclc.LinkSPIRV(ctx, r.Object, modules)
	if err != nil {
		return nil, err
	}
	return &device.Built{File: linked.File, Log: linked.Log}, nil
}

// kept is where files of a kind stay, or a file of a name, "" if the user has no folder for such things.
func kept(kind string) string {
	cache, err := buildcache.Folder()
	if err != nil {
		return ""
	}
	return filepath.Join(cache, kind)
}

// compileCUDA compiles what programs give to NVRTC. Its sources stay, and so does what is compiled, if
// cached.
func compileCUDA(ctx context.Context, r *device.CompileRequest, cached bool) (*device.Built, error) {
	q := &cudac.Request{Name: r.Name, Source: r.Source, Options: r.Options, Names: r.Names,
		Sources: kept("cuda"), Headers: map[string][]byte{}}
	for _, h := range r.Headers {
		q.Headers[h.Name] = h.Contents
	}
	if cached {
		q.Cache = &buildcache.Cache{Dir: kept("built")}
	}
	result, err := cudac.Compile(ctx, q)
	if err != nil {
		return nil, err
	}
	return &device.Built{File: result.PTX, Log: result.Log, Names: result.Names}, nil
}

// compileHIP compiles what programs give to hiprtc. Its sources stay too, and so does what is compiled, if
// cached.
func compileHIP(cached bool) func(context.Context, *device.CompileRequest) (*device.Built, error) {
	return func(ctx context.Context, r *device.CompileRequest) (*device.Built, error) {
		if r.CUDA {
			return compileCUDA(ctx, r, cached)
		}
		c, err := openclc.Find()
		if err != nil {
			return &device.Built{Log: err.Error() + "\n"}, nil
		}
		c.Sources = kept("hip")
		if cached {
			c.Cache = &buildcache.Cache{Dir: kept("built")}
		}
		q := &hipc.Request{Processor: r.Processor, Name: r.Name, Source: r.Source, Options: r.Options,
			Names: r.Names, Headers: map[string][]byte{}}
		for _, h := range r.Headers {
			q.Headers[h.Name] = h.Contents
		}
		result, err := hipc.Compile(ctx, c, q)
		if err != nil {
			return nil, err
		}
		return &device.Built{File: result.File, Log: result.Log, Names: result.Names}, nil
	}
}
