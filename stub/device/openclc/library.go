package openclc

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"simtgdb/simt/pattern"
	"simtgdb/stub/device/buildcache"
	"simtgdb/stub/device/transient"
)

// Settings are what device libraries take into account.
type Settings struct {
	FlushesDenormals, Finite, Unsafe bool
	RoundedSqrt                      bool // divisions and square roots of floats are correctly rounded
	Wave64                           bool // waves have 64 lanes, and not 32
}

// DeviceLibraries are the files of the device libraries for a processor, in the order in which they are
// linked. Clang by itself leaves out the one that says whether denormals are flushed, and has none for
// gfx942.
func (c *Compiler) DeviceLibraries(processor string, s Settings) []string {
	is := func(on bool) string {
		if on {
			return "on"
		}
		return "off"
	}
	isa := isaLibrary(processor)
	if _, err := os.Stat(c.library(isa)); err != nil {
		isa = isaLibrary("gfx90a") // the nearest that there is
	}
	var all []string
	for _, name := range []string{"opencl", "ocml", "ockl", isa, "oclc_abi_version_500",
		"oclc_daz_opt_" + is(s.FlushesDenormals), "oclc_finite_only_" + is(s.Finite),
		"oclc_unsafe_math_" + is(s.Unsafe), "oclc_correctly_rounded_sqrt_" + is(s.RoundedSqrt),
		"oclc_wavefrontsize64_" + is(s.Wave64)} {
		all = append(all, c.library(name))
	}
	return all
}

// generic are the processors that libraries for generic targets are for.
var generic = map[string]string{"gfx9-generic": "gfx900", "gfx10-1-generic": "gfx1010",
	"gfx10-3-generic": "gfx1030", "gfx11-generic": "gfx1100", "gfx12-generic": "gfx1200"}

// isaLibrary is the library that tells the others which processor it is.
func isaLibrary(processor string) string {
	return "oclc_isa_version_" + strings.TrimPrefix(cmp.Or(generic[processor], processor), "gfx")
}

// laterLibraries makes a folder of device libraries for processors that Debian's came before. It is
// docs/example/device_libs.sh.
//
//go:embed device_libs.sh
var laterLibraries string

// For is the compiler with device libraries that know a processor. For those of gfx11 and later they are made
// of the installed ones, if these do not know it, and kept in the user's cache of files.
func (c *Compiler) For(ctx context.Context, processor string) (*Compiler, error) {
	if _, err := os.Stat(c.library(isaLibrary(processor))); err == nil || !later(processor) {
		return c, nil
	}
	cache, err := buildcache.Folder()
	if err != nil {
		return nil, fmt.Errorf("where to keep device libraries for %s: %w", processor, err)
	}
	k := buildcache.NewKey("device libraries")
	what, err := identity(c.library("ockl"))
	if err != nil {
		return nil, err
	}
	k.Add(laterLibraries, c.Clang, c.Libraries, what)
	key := k.Key()
	const digits = 8
	made := *c
	made.Libraries = filepath.Join(cache, "device-libs-"+hex.EncodeToString(key[:digits]))
	if _, err := os.Stat(made.Libraries); err == nil {
		return &made, nil
	}
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return nil, err
	}
	work, err := transient.Make(cache, "new-")
	if err != nil {
		return nil, err
	}
	defer work.Remove()
	if err := c.makeLibraries(ctx, work.Path, made.Libraries); err != nil {
		return nil, fmt.Errorf("device libraries for %s: %w", processor, err)
	}
	return &made, nil
}

// makeLibraries makes the folder, in another one first.
func (c *Compiler) makeLibraries(ctx context.Context, dir, folder string) error {
	script, fresh := filepath.Join(dir, "device_libs.sh"), filepath.Join(dir, "libs")
	if err := os.WriteFile(script, []byte(laterLibraries), 0o600); err != nil {
		return err
	}
	args := []string{"CLANG=" + c.Clang, "sh", script, fresh, c.Libraries}
	if said, err := Command(ctx, dir, "env", args); err != nil {
		return fmt.Errorf("%w: %s", err, bytes.TrimSpace(said))
	}
	if err := os.Rename(fresh, folder); err != nil {
		if _, there := os.Stat(folder); there != nil { // nobody else was faster
			return err
		}
	}
	return nil
}

// later reports whether a processor is of gfx10 or a later one.
func later(processor string) bool { return strings.HasPrefix(processor, "gfx1") }

// waveSizes are the options that say how many lanes waves have.
var waveSizes = map[string]int{"-mwavefrontsize64": 64, "-mno-wavefrontsize64": 32}

// Waves are those of a program's options that say how large waves are, which functions that are linked into
// the program are compiled with too: the processor has no instructions for both.
func Waves(options []string) []string {
	return slices.DeleteFunc(slices.Clone(options), func(o string) bool { return waveSizes[o] == 0 })
}

// WaveSize is how many lanes the waves of a program have that is compiled with options for a processor.
func WaveSize(processor string, options []string) int {
	lanes := 64
	if later(processor) {
		lanes = 32
	}
	for _, o := range options {
		lanes = cmp.Or(waveSizes[o], lanes)
	}
	return lanes
}

// LinkArguments are the options of the compiler that link files of bitcode.
func LinkArguments(files []string) []string {
	var args []string
	for _, f := range files {
		args = append(args, "-Xclang", "-mlink-builtin-bitcode", "-Xclang", f)
	}
	return args
}

// libraries are the device libraries of a build.
func (b *build) libraries() []string {
	has := func(options ...string) bool {
		return slices.ContainsFunc(options, func(o string) bool { return slices.Contains(b.options, o) })
	}
	return b.DeviceLibraries(b.processor(), Settings{
		FlushesDenormals: has("-cl-denorms-are-zero"),
		Finite:           has("-cl-finite-math-only", "-cl-fast-relaxed-math"),
		Unsafe:           has("-cl-unsafe-math-optimizations", "-cl-fast-relaxed-math"),
		RoundedSqrt:      has("-cl-fp32-correctly-rounded-divide-sqrt"),
		Wave64:           WaveSize(b.processor(), b.options) == 64,
	})
}

func (c *Compiler) library(name string) string { return filepath.Join(c.Libraries, name+".bc") }

func (b *build) processor() string {
	if b.request.Processor == "" {
		return "gfx90a"
	}
	return b.request.Processor
}

// declared are functions of OpenCL C that a program calls and does not have.
var declared = pattern.Compile(`(?m)^declare .* @(_Z[A-Za-z0-9_]+)\(`)

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
	for _, m := range declared().FindAllSubmatch(text, -1) {
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
var bodies = pattern.Compile(`(?m)^define [^@\n]*void @__clang_ocl_kern_imp_`)

// joinKernels makes the bodies of kernels disappear once they are inlined, with the second places that their
// lines would have for breakpoints.
func joinKernels(object string) error {
	text, err := os.ReadFile(object)
	if err != nil {
		return err
	}
	return os.WriteFile(object, bodies().ReplaceAll(
		text, []byte("define internal void @__clang_ocl_kern_imp_")),
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
