package openclc

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"simtgdb/simt/pattern"
	"simtgdb/stub/device/buildcache"
	"simtgdb/stub/device/transient"
)

// withoutImages are the processors that have no instructions for images: the functions of the device
// libraries, which use them, and descriptors of the hardware's own, are replaced there.
var withoutImages = []string{"gfx90a", "gfx942", "gfx950", "gfx9-4-generic", "gfx1250", "gfx1251"}

// A replacement is the source of functions that are linked in the place of the device libraries' own, into
// programs that have use for them.
type replacement struct {
	name string
	// used is what shows that, in OpenCL C or in LLVM's text; what is included may have it.
	used   func() *regexp.Regexp
	source []byte
	on     func(processor string) bool
}

//go:embed images.cl
var imageFunctions []byte

//go:embed samplers.cl
var samplerFunctions []byte

//go:embed integers.cl
var integerFunctions []byte

var replacements = []replacement{
	{"images",
		pattern.Compile(`ocl_image|\bimage[123]d_|sampler_initializer|\bsampler_t\b|#\s*include`),
		imageFunctions, func(p string) bool { return !isAMD(p) || slices.Contains(withoutImages, p) }},
	{"samplers", pattern.Compile(`sampler_initializer|\bsampler_t\b|#\s*include`),
		samplerFunctions, func(p string) bool {
			return isAMD(p) && !strings.HasPrefix(p, "gfx9") && !slices.Contains(withoutImages, p)
		}},
	{"integers", pattern.Compile(`@_Z8abs_diff|\babs_diff\b|#\s*include`), integerFunctions, isAMD},
}

//go:embed workitems.cl
var workItemFunctions []byte

// workItems are the most frequent functions of the library opencl.bc, in its place.
var workItems = replacement{name: "workitems", source: workItemFunctions}

// Functions that a program in LLVM's text calls and does not have, and those that LLVM and workItems have.
var (
	called = pattern.Compile(`(?m)^declare [^@\n]*@([^(\n]+)\(`)
	ofLLVM = pattern.Compile(`^llvm\.`)
	ofWork = pattern.Compile(`^_Z\d+get_(global_id|local_id|group_id|global_size|local_size|num_groups)j$`)
)

// withoutOpenCL puts workItems in the place of the library opencl.bc if that is enough for a program, and
// nothing if it calls no function of a library.
func (b *build) withoutOpenCL(libraries []string, text []byte) ([]string, error) {
	calls := false
	for _, f := range called().FindAllSubmatch(text, -1) {
		switch {
		case ofLLVM().Match(f[1]):
		case ofWork().Match(f[1]):
			calls = true
		default:
			return libraries, nil
		}
	}
	libraries = slices.DeleteFunc(libraries, func(l string) bool { return l == b.library("opencl") })
	if !calls {
		return libraries, nil
	}
	made, err := workItems.library(b.ctx, b.Clang, b.folders(), b.processor(), b.target())
	return append([]string{made}, libraries...), err
}

func isAMD(processor string) bool { return strings.HasPrefix(processor, "gfx") }

// Folders are where libraries are kept, which is made if it is not there, and one that nobody else has.
type Folders struct{ Keep, Work string }

// Replacements are libraries of what a program, as OpenCL C or as LLVM's text, has use for and the libraries
// for a processor have not, or have wrong. They are compiled by a clang where they are not there yet. target
// are the options that compile for the processor, and for the program's waves ([Waves]).
func Replacements(ctx context.Context, clang string, in Folders, processor string, target []string,
	text []byte) (libraries []string, err error) {
	for _, r := range replacements {
		if !r.on(processor) || !r.used().Match(text) {
			continue
		}
		library, err := r.library(ctx, clang, in, processor, target)
		if err != nil {
			return nil, err
		}
		libraries = append(libraries, library)
	}
	return libraries, nil
}

// library is the library of a replacement, which is made if it is not there.
func (r *replacement) library(ctx context.Context, clang string, in Folders, processor string,
	target []string) (string, error) {
	name, err := r.named(clang, processor, target)
	if err != nil {
		return "", err
	}
	library := filepath.Join(in.Keep, name+".bc")
	if _, err := os.Stat(library); err == nil {
		return library, nil
	}
	if err := r.compile(ctx, clang, in.Work, name, target, library); err != nil {
		return "", fmt.Errorf("functions of OpenCL C for %s: %w", processor, err)
	}
	return library, nil
}

// named is the name of what a clang makes of a replacement for a processor, which others have not.
func (r *replacement) named(clang, processor string, target []string) (string, error) {
	compiler, err := identity(clang)
	if err != nil {
		return "", err
	}
	k := buildcache.NewKey("functions of OpenCL C")
	k.Add(append([]string{string(r.source), clang, compiler}, target...)...)
	key := k.Key()
	const digits = 6
	return fmt.Sprintf("%s-%s-%x", r.name, processor, key[:digits]), nil
}

// compile makes a library of bitcode of a replacement's source, by way of files of some name in a folder.
func (r *replacement) compile(ctx context.Context, clang, dir, name string, target []string,
	library string) error {
	source, made := filepath.Join(dir, name+".cl"), filepath.Join(dir, name+".made.bc")
	if err := os.WriteFile(source, r.source, 0o600); err != nil {
		return err
	}
	args := slices.Concat([]string{"-x", "cl"}, target, []string{"-cl-std=CL3.0", "-cl-no-stdinc", "-Xclang",
		"-cl-ext=+all", "-O2", "-emit-llvm", "-c", source, "-o", made})
	said, err := Command(ctx, dir, clang, args)
	if err != nil {
		return fmt.Errorf("%w: %s", err, said)
	}
	bitcode, err := os.ReadFile(made)
	if err != nil {
		return err
	}
	folder := filepath.Dir(library)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	beside, err := transient.Make(folder, "new-") // on its file system
	if err != nil {
		return err
	}
	defer beside.Remove()
	return Keep(beside.Path, library, bitcode)
}
