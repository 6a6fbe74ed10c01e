package openclc

import (
	"bytes"
	_ "embed"
	"os"
	"path/filepath"
	"slices"
)

// withoutImages are the processors that have no instructions for images: the functions of the device
// libraries, which use them, and descriptors of the hardware's own, are replaced there.
var withoutImages = []string{"gfx90a", "gfx942", "gfx950", "gfx9-4-generic", "gfx1250", "gfx1251"}

// A replacement is the source of functions that are linked in the place of the device libraries' own, into
// programs that have one of some words.
type replacement struct {
	name   string
	words  []string
	source []byte
	on     []string // the processors that need it; nil says all
}

//go:embed images.cl
var imageFunctions []byte

//go:embed integers.cl
var integerFunctions []byte

var replacements = []replacement{
	{"images", []string{"ocl_image", "sampler_initializer"}, imageFunctions, withoutImages},
	{"integers", []string{"@_Z8abs_diff"}, integerFunctions, nil},
}

// replaced compiles the replacements that a program has use for.
func (b *build) replaced(object string) (libraries []string, err error) {
	text, err := os.ReadFile(object)
	if err != nil {
		return nil, err
	}
	for _, r := range replacements {
		if r.on != nil && !slices.Contains(r.on, b.processor()) {
			continue
		}
		if !slices.ContainsFunc(r.words, func(w string) bool { return bytes.Contains(text, []byte(w)) }) {
			continue
		}
		source := filepath.Join(b.dir, r.name+".cl")
		if err := os.WriteFile(source, r.source, 0o600); err != nil {
			return nil, err
		}
		library := filepath.Join(b.dir, r.name+".bc")
		args := append([]string{"-x", "cl"}, b.target()...)
		if err := b.clang(append(args, "-cl-std=CL3.0", "-cl-no-stdinc", "-Xclang", "-cl-ext=+all", "-O2",
			"-emit-llvm", "-c", source, "-o", library)); err != nil {
			return nil, err
		}
		libraries = append(libraries, library)
	}
	return libraries, nil
}
