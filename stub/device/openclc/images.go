package openclc

import (
	"bytes"
	_ "embed"
	"os"
	"path/filepath"
)

// imageFunctions is the source of the functions for images and samplers. Those of the device libraries use
// instructions that not all processors have, and descriptors of the hardware's own.
//
//go:embed images.cl
var imageFunctions []byte

// images compiles the functions for images, if a program calls any. They take the place of the device
// libraries' own.
func (b *build) images(object string) (library string, err error) {
	text, err := os.ReadFile(object)
	if err != nil || !bytes.Contains(text, []byte("ocl_image")) && !bytes.Contains(text, []byte("sampler_initializer")) {
		return "", err
	}
	source := filepath.Join(b.dir, "images.cl")
	if err := os.WriteFile(source, imageFunctions, 0o600); err != nil {
		return "", err
	}
	library = filepath.Join(b.dir, "images.bc")
	args := append([]string{"-x", "cl"}, b.target()...)
	return library, b.clang(append(args, "-cl-std=CL3.0", "-cl-no-stdinc", "-Xclang", "-cl-ext=+all", "-O2",
		"-emit-llvm", "-c", source, "-o", library))
}
