package openclc

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// withoutImages are the processors that have no instructions for images: the functions of the device
// libraries, which use them, and descriptors of the hardware's own, are replaced there.
var withoutImages = []string{"gfx90a", "gfx942", "gfx950", "gfx9-4-generic", "gfx1250", "gfx1251"}

// A replacement is the source of functions that are linked in the place of the device libraries' own, into
// programs that have one of some words.
type replacement struct {
	name     string
	words    []string       // of bitcode
	inSource *regexp.Regexp // of OpenCL C; what is included may have them
	source   []byte
	on       func(processor string) bool
}

//go:embed images.cl
var imageFunctions []byte

//go:embed samplers.cl
var samplerFunctions []byte

//go:embed integers.cl
var integerFunctions []byte

var replacements = []replacement{
	{"images", []string{"ocl_image", "sampler_initializer"},
		regexp.MustCompile(`\bimage[123]d_|\bsampler_t\b|#\s*include`), imageFunctions,
		func(p string) bool { return !isAMD(p) || slices.Contains(withoutImages, p) }},
	{"samplers", []string{"sampler_initializer"}, regexp.MustCompile(`\bsampler_t\b|#\s*include`),
		samplerFunctions, func(p string) bool {
			return isAMD(p) && !strings.HasPrefix(p, "gfx9") && !slices.Contains(withoutImages, p)
		}},
	{"integers", []string{"@_Z8abs_diff"}, regexp.MustCompile(`\babs_diff\b|#\s*include`),
		integerFunctions, isAMD},
}

func isAMD(processor string) bool { return strings.HasPrefix(processor, "gfx") }

// replaced compiles the replacements that a program has use for.
func (b *build) replaced(object string) (libraries []string, err error) {
	text, err := os.ReadFile(object)
	if err != nil {
		return nil, err
	}
	for _, r := range replacements {
		used := func(w string) bool { return bytes.Contains(text, []byte(w)) }
		if !r.on(b.processor()) || !slices.ContainsFunc(r.words, used) {
			continue
		}
		library, err := r.compile(b.dir, r.name, b.target(), b.clang)
		if err != nil {
			return nil, err
		}
		libraries = append(libraries, library)
	}
	return libraries, nil
}

// compile makes a library of bitcode of a replacement's source by a clang: a file of some name in a folder.
func (r *replacement) compile(dir, name string, target []string, clang func(args []string) error) (
	library string, err error) {
	source, library := filepath.Join(dir, name+".cl"), filepath.Join(dir, name+".bc")
	if err := os.WriteFile(source, r.source, 0o600); err != nil {
		return "", err
	}
	return library, clang(slices.Concat([]string{"-x", "cl"}, target, []string{"-cl-std=CL3.0",
		"-cl-no-stdinc", "-Xclang", "-cl-ext=+all", "-O2", "-emit-llvm", "-c", source, "-o", library}))
}

// Folders are where libraries are kept, and one that nobody else has.
type Folders struct{ Keep, Work string }

// Replacements are libraries of what a source in OpenCL C has use for and the libraries for a processor have
// not, or have wrong. They are compiled by a clang where they are not there yet. target are the options that
// compile for the processor.
func Replacements(ctx context.Context, clang string, in Folders, processor string, target []string,
	text []byte) (libraries []string, err error) {
	for _, r := range replacements {
		if !r.on(processor) || !r.inSource.Match(text) {
			continue
		}
		const digits = 6
		sum := sha256.Sum256(r.source)
		name := fmt.Sprintf("%s-%x-%s", r.name, sum[:digits], processor)
		library := filepath.Join(in.Keep, name+".bc")
		libraries = append(libraries, library)
		if _, err := os.Stat(library); err == nil {
			continue
		}
		made, err := r.compile(in.Work, name, target, func(args []string) error {
			said, err := Command(ctx, in.Work, clang, args)
			if err != nil {
				err = fmt.Errorf("functions of OpenCL C for %s: %w: %s", processor, err, said)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		bitcode, err := os.ReadFile(made)
		if err != nil {
			return nil, err
		}
		if err := Keep(in.Work, library, bitcode); err != nil {
			return nil, err
		}
	}
	return libraries, nil
}
