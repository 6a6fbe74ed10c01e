package openclc

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// libraries are the device libraries of a build, in the order in which they are linked. Clang by itself
// leaves out the one that says whether denormals are flushed, and knows none for the latest processors.
func (b *build) libraries() []string {
	has := func(options ...string) string {
		for _, o := range options {
			if slices.Contains(b.options, o) {
				return "on"
			}
		}
		return "off"
	}
	isa := strings.TrimPrefix(b.processor(), "gfx")
	if _, err := os.Stat(b.library("oclc_isa_version_" + isa)); err != nil {
		isa = "90a" // the nearest that there is
	}
	var all []string
	for _, name := range []string{"opencl", "ocml", "ockl", "oclc_isa_version_" + isa, "oclc_abi_version_500",
		"oclc_daz_opt_" + has("-cl-denorms-are-zero"),
		"oclc_finite_only_" + has("-cl-finite-math-only", "-cl-fast-relaxed-math"),
		"oclc_unsafe_math_" + has("-cl-unsafe-math-optimizations", "-cl-fast-relaxed-math"),
		"oclc_correctly_rounded_sqrt_" + has("-cl-fp32-correctly-rounded-divide-sqrt"),
		"oclc_wavefrontsize64_on"} {
		all = append(all, b.library(name))
	}
	return all
}

func (b *build) library(name string) string { return filepath.Join(b.Libraries, name+".bc") }

func (b *build) processor() string {
	if b.request.Processor == "" {
		return "gfx90a"
	}
	return b.request.Processor
}

// declared are functions of OpenCL C that a program calls and does not have.
var declared = regexp.MustCompile(`(?m)^declare .* @(_Z[A-Za-z0-9_]+)\(`)

// nameGeneric gives functions of the library that take generic pointers the names that the library has them
// under: clang 20 and later leave out what libraries that older ones made have there, U3AS0.
func (b *build) nameGeneric(object string) error {
	text, err := os.ReadFile(object)
	if err != nil {
		return err
	}
	names, err := os.ReadFile(b.library("opencl"))
	if err != nil {
		return err
	}
	changed := false
	for _, m := range declared.FindAllSubmatch(text, -1) {
		old := m[1]
		if other := libraryName(old, names); other != nil {
			text = bytes.ReplaceAll(text, append([]byte("@"), append(slices.Clone(old), '(')...),
				append([]byte("@"), append(other, '(')...))
			changed = true
		}
	}
	if !changed {
		return nil
	}
	return os.WriteFile(object, text, 0o600)
}

// Clang puts the body of a kernel into a function of its own, which the kernel calls: so that kernels may
// call each other.
var bodies = regexp.MustCompile(`(?m)^define [^@\n]*void @__clang_ocl_kern_imp_`)

// joinKernels makes the bodies of kernels disappear once they are inlined, with the second places that their
// lines would have for breakpoints.
func joinKernels(object string) error {
	text, err := os.ReadFile(object)
	if err != nil {
		return err
	}
	return os.WriteFile(object, bodies.ReplaceAll(text, []byte("define internal void @__clang_ocl_kern_imp_")),
		0o600)
}

// libraryName is the name of a function with a generic pointer in a library whose names are somewhere in a
// file; nil if the library has the function's own name, or none.
func libraryName(name, file []byte) []byte {
	if bytes.Contains(file, name) {
		return nil
	}
	for i, c := range name {
		if c != 'P' || bytes.HasPrefix(name[i+1:], []byte("U3AS")) {
			continue
		}
		other := slices.Concat(name[:i+1], []byte("U3AS0"), name[i+1:])
		if bytes.Contains(file, other) {
			return other
		}
	}
	return nil
}
