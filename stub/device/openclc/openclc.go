// Package openclc compiles OpenCL C for AMD's processors with the clang and the
// device libraries that are installed. It knows nothing of OpenCL's API and of
// the service that asks: its entry point is [Compiler.Build].
//
// Sources become bitcode first and code objects of that, in two steps, so that
// printf is the compiler's own and not the device libraries', which prints
// nothing.
package openclc

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"simtgdb/stub/device/buildcache"
	"simtgdb/stub/device/transient"
)

// A Compiler is a clang with device libraries.
type Compiler struct {
	Clang     string // its path
	Libraries string // the folder of the device libraries
	Sources   string // the folder where sources are kept for debuggers; "" for nowhere
	Extra     string // options that follow the program's

	Cache *buildcache.Cache // of what was built before, nil for none
}

// A Request is what is to be built: bitcode, or a code object of all inputs.
type Request struct {
	Processor string
	Options   string // as a program gives them to clBuildProgram
	Object    bool   // bitcode is wanted
	Inputs    []Input
	Headers   map[string][]byte
}

// An Input is a source, or bitcode that was built before.
type Input struct {
	Bitcode  bool
	Contents []byte
}

// isBinary reports whether an input is bitcode that is not text.
func (in *Input) isBinary() bool {
	return in.Bitcode && bytes.HasPrefix(in.Contents, []byte("BC\xc0\xde"))
}

// A Result is what came of a request. File is nil if there are errors.
type Result struct {
	File []byte
	Log  string
}

// Where compilers and libraries are looked for, the latest first; of libraries the last is where Debian 13
// has them.
var (
	clangs    = []string{"clang-22", "clang", "clang-21", "clang-20", "clang-19"}
	libraries = []string{"/usr/lib/x86_64-linux-gnu/amdgcn/bitcode",
		"/usr/lib/aarch64-linux-gnu/amdgcn/bitcode", "/usr/lib/amdgcn/bitcode", "/opt/rocm/amdgcn/bitcode",
		"/usr/lib/llvm-*/lib/clang/*/amdgcn/bitcode"}
)

// FindClang finds the installed clang, which compiles a language with these packages of Debian's.
// SIMTGDB_CLANG names another.
func FindClang(language, packages string) (string, error) {
	names := clangs
	if v := os.Getenv("SIMTGDB_CLANG"); v != "" {
		names = []string{v}
	}
	for _, n := range names {
		if p, err := exec.LookPath(n); err == nil {
			return p, nil
		}
	}
	return "", fmt.Errorf("no compiler of %s: none of %s is installed (Debian: apt-get install %s)", language,
		strings.Join(names, ", "), packages)
}

// Find finds the installed compiler and its libraries. SIMTGDB_DEVICE_LIBS names others.
func Find() (*Compiler, error) {
	clang, err := FindClang("OpenCL C", "clang-22 lld-22")
	if err != nil {
		return nil, err
	}
	c, folders := &Compiler{Clang: clang}, libraries
	if v := os.Getenv("SIMTGDB_DEVICE_LIBS"); v != "" {
		folders = []string{v}
	}
	for _, d := range folders {
		if found, err := filepath.Glob(filepath.Join(d, "opencl.bc")); err == nil && len(found) > 0 {
			c.Libraries = filepath.Dir(found[len(found)-1])
			break
		}
	}
	if c.Libraries == "" {
		return nil, fmt.Errorf("no device libraries in %s (Debian: apt-get install rocm-device-libs, or "+
			"rocm-device-libs-17)",
			strings.Join(folders, ", "))
	}
	return c, nil
}

// Build builds what is requested. An error is that of the system; those of the
// program are in the result's log.
func (c *Compiler) Build(ctx context.Context, r *Request) (*Result, error) {
	words, err := Split(r.Options + " " + c.Extra)
	if err != nil {
		return &Result{Log: err.Error() + "\n"}, nil
	}
	if p := r.Processor; p != "" && !strings.HasPrefix(p, "gfx") {
		const format = "OpenCL C is compiled for AMD's processors, and this device is %.100q\n"
		return &Result{Log: fmt.Sprintf(format, p)}, nil
	}
	if c, err = c.For(ctx, r.Processor); err != nil {
		return nil, err
	}
	b := &build{Compiler: c, ctx: ctx, request: r, options: options(words)}
	key, keep := b.key()
	if keep {
		if e := c.Cache.Get(key); e != nil {
			return &Result{File: e.File, Log: e.Log}, nil
		}
	}
	dir, err := transient.Make("", "simtgdb-opencl-")
	if err != nil {
		return nil, err
	}
	defer dir.Remove()
	b.dir = dir.Path
	file, err := b.run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		return &Result{Log: b.cleanLog()}, nil
	}
	if err != nil {
		return nil, err
	}
	result := &Result{File: file, Log: b.cleanLog()}
	if keep {
		if uses, err := b.uses(); err == nil { // else it is compiled each time, which is not wrong
			_ = c.Cache.Put(key, &buildcache.Entry{File: result.File, Log: result.Log, Uses: uses})
		}
	}
	return result, nil
}

// A build is one run of Build.
type build struct {
	*Compiler
	ctx     context.Context
	request *Request
	dir     string
	options []string
	log     strings.Builder
}

func (b *build) run() ([]byte, error) {
	for name, contents := range b.request.Headers {
		path, err := b.inside(name)
		if err != nil {
			return nil, err
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, contents, 0o600); err != nil {
			return nil, err
		}
	}
	var objects []string
	for i, in := range b.request.Inputs {
		object := filepath.Join(b.dir, fmt.Sprintf("%d.ll", i))
		objects = append(objects, object)
		if in.Bitcode {
			if err := os.WriteFile(object, in.Contents, 0o600); err != nil {
				return nil, err
			}
			continue
		}
		if err := b.compile(i, in.Contents, object); err != nil {
			return nil, err
		}
	}
	if b.request.Object && len(objects) == 1 {
		return os.ReadFile(objects[0])
	}
	return b.link(objects)
}

// inside is the path of a header in the folder of headers, which its name must not lead out of.
func (b *build) inside(name string) (string, error) {
	if !filepath.IsLocal(name) {
		return "", fmt.Errorf("a header cannot be called %q", name)
	}
	return filepath.Join(b.dir, "include", name), nil
}

// target are the options of both steps.
func (b *build) target() []string {
	target := []string{"-target", "amdgcn-amd-amdhsa", "-mcpu=" + b.processor(), "-mcode-object-version=5",
		"-nogpulib"}
	return append(target, Waves(b.options)...)
}

// dependencies is the file that lists what an input has included.
func (b *build) dependencies(input int) string {
	return filepath.Join(b.dir, fmt.Sprintf("%d.d", input))
}

// compileArgs are those that make bitcode of a source, with a folder of headers.
func (b *build) compileArgs(include string) []string {
	args := append([]string{"-x", "cl"}, b.target()...)
	args = append(args, "-S", "-emit-llvm", "-Xclang", "-cl-ext="+extensions, "-cl-kernel-arg-info",
		"-I", include)
	if !hasPrefix(b.options, "-cl-std=clc++") && !hasPrefix(b.options, "-cl-std=CLC++") {
		args = append(args, "-Xclang", "-fgnu89-inline") // C++ has inline functions of its own
	}
	if !hasPrefix(b.options, "-cl-std=") {
		args = append(args, "-cl-std=CL1.2")
	}
	args = append(append(append(args, supported...), accepted...), levels(b.options)...)
	return append(args, b.options...)
}

// compile makes bitcode of a source.
func (b *build) compile(i int, source []byte, object string) error {
	name, err := b.keep(i, source)
	if err != nil {
		return err
	}
	args := append(b.compileArgs(filepath.Join(b.dir, "include")), "-MD", "-MF", b.dependencies(i), "-MT",
		"it")
	if err := b.command(b.Clang, append(args, name, "-o", object)); err != nil {
		return err
	}
	return b.nameGeneric(object)
}

// keep writes a source to where debuggers find it later, under a name that goes by what is in it.
func (b *build) keep(i int, source []byte) (string, error) {
	name := filepath.Join(b.dir, fmt.Sprintf("program%d.cl", i))
	if b.Sources != "" {
		return KeepSource(b.dir, b.Sources, source)
	}
	return name, Keep(b.dir, name, source)
}

// KeepSource writes a source into a folder, which is made if it is not there, under a name that goes by what
// is in it. dir is a folder that nobody else has.
func KeepSource(dir, folder string, source []byte) (name string, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	const digits = 6
	sum := sha256.Sum256(source)
	name = filepath.Join(folder, "program-"+hex.EncodeToString(sum[:digits])+".cl")
	return name, Keep(dir, name, source)
}

// Keep writes a file that others may be reading, unless it is there already: it is made in a folder first.
func Keep(dir, name string, contents []byte) error {
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, contents) {
		return nil
	}
	fresh := filepath.Join(dir, "fresh")
	if err := os.WriteFile(fresh, contents, 0o600); err != nil {
		return err
	}
	if os.Rename(fresh, name) == nil {
		return nil
	}
	return os.WriteFile(name, contents, 0o600) // it is on another file system
}

// A compiler fills much memory for a short time. With hugePages in tunables, glibc asks the system for large
// pages, which it may have (glibc's manual, "Memory Allocation Tunables"): to fault in 12,000 small ones is a
// third of clang's time in a virtual machine.
const tunables, hugePages = "GLIBC_TUNABLES", "glibc.malloc.hugetlb=1"

// Command runs a tool that keeps its temporary files in a folder, and gives what it says. A tool that a
// signal has ended says nothing of that itself: what it says ends with a line that does. Of one that fails by
// a fault of its own it gives the last words, not the report, and of a compiler that lacks its linker, which
// package has that.
func Command(ctx context.Context, dir, path string, args []string) ([]byte, error) {
	c := exec.CommandContext(ctx, path, args...)
	c.Env = append(os.Environ(), "TMPDIR="+dir)
	if os.Getenv(tunables) == "" {
		c.Env = append(c.Env, tunables+"="+hugePages)
	}
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	err := transient.Run(c)
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			by := status.Signal()
			fmt.Fprintf(&said, "%s was ended by signal %d (%v) while it worked on %s: this may be want of "+
				"memory, and says nothing of the source\n", filepath.Base(path), by, by, file(args))
		}
	}
	return []byte(explainLinker(explainCrash(said.String(), path, args), path)), err
}

// file is the last of a tool's arguments that names a file, as users know it.
func file(args []string) string {
	for _, a := range slices.Backward(args) {
		if info, err := os.Stat(a); err == nil && info.Mode().IsRegular() {
			return filepath.Base(a)
		}
	}
	return "no file"
}

// linkTool is the program that makes one file of bitcode of several.
func (c *Compiler) linkTool() string {
	name := strings.Replace(filepath.Base(c.Clang), "clang", "llvm-link", 1)
	return filepath.Join(filepath.Dir(c.Clang), name)
}

// linkArgs are those that make a code object of bitcode, but for libraries and files.
func (b *build) linkArgs() []string {
	args := append([]string{"-x", "ir"}, b.target()...)
	args = append(args, levels(b.options)...)
	for _, o := range b.options {
		if o == "-g" || strings.HasPrefix(o, "-O") {
			args = append(args, o)
		}
	}
	return args
}

// link makes a code object of bitcode, or one file of bitcode.
func (b *build) link(objects []string) ([]byte, error) {
	out := filepath.Join(b.dir, "out")
	merged := objects[0]
	if len(objects) > 1 || b.request.Inputs[0].isBinary() {
		merged = filepath.Join(b.dir, "merged.ll")
		if err := b.command(b.linkTool(), append(objects, "-S", "-o", merged)); err != nil {
			return nil, err
		}
	}
	if b.request.Object {
		return os.ReadFile(merged)
	}
	if err := joinKernels(merged); err != nil {
		return nil, err
	}
	args := b.linkArgs()
	text, err := os.ReadFile(merged)
	if err != nil {
		return nil, err
	}
	own, err := Replacements(b.ctx, b.Clang, b.folders(), b.processor(), b.target(), text)
	if err != nil {
		return nil, err
	}
	libraries := append(own, b.libraries()...)
	if len(own) == 0 {
		if libraries, err = b.withoutOpenCL(libraries, text); err != nil {
			return nil, err
		}
	}
	args = append(args, LinkArguments(libraries)...)
	said, err := CommandLinked(b.ctx, b.dir, b.Clang, append(args, merged, "-o", out), []string{"-c"})
	b.log.Write(said)
	if err != nil {
		return nil, err
	}
	return os.ReadFile(out)
}

// folders are where functions are kept that are linked in the place of the libraries' own: beside what was
// built before.
func (b *build) folders() Folders {
	f := Folders{Keep: b.dir, Work: b.dir}
	if b.Cache != nil && b.Cache.Dir != "" {
		f.Keep = filepath.Join(b.Cache.Dir, "functions")
	}
	return f
}

func (b *build) command(path string, args []string) error {
	out, err := Command(b.ctx, b.dir, path, args)
	b.log.Write(out)
	return err
}

// cleanLog is what the compiler says, without the name of the folder that was its.
func (b *build) cleanLog() string {
	const most = 1 << 20
	text := strings.ReplaceAll(b.log.String(), b.dir+string(filepath.Separator), "")
	if b.Sources != "" {
		text = strings.ReplaceAll(text, b.Sources+string(filepath.Separator), "")
	}
	return text[:min(len(text), most)]
}
