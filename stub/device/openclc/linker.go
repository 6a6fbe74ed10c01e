package openclc

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"simtgdb/simt/pattern"
)

// noLinker is what clang says where it finds no lld, which is a package of its own: it names the step, and
// not what is missing. version is in the names of Debian's programs and folders.
var (
	noLinker = pattern.Compile(`unable to execute command: ` +
		`(?:posix_spawn failed: No such file or directory|Executable "[^"]*lld" doesn't exist!)\n` +
		`.*error: (?:amdgcn-link|ld\.lld|lld) command failed`)
	version = pattern.Compile(`(?:clang|clang\+\+|llvm)-([0-9]+)\b`)
)

// explainLinker says before what a compiler says what to install, if it lacks its linker.
func explainLinker(said, path string) string {
	if !noLinker().MatchString(said) {
		return said
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = path
	}
	lld := "lld"
	if v := cmp.Or(versionIn(filepath.Base(path)), versionIn(real)); v != "" {
		lld += "-" + v
	}
	return "error: " + filepath.Base(path) + " finds no linker, lld, which makes code objects of what it " +
		"compiles (Debian: apt-get install " + lld + ")\n" + said
}

// versionIn is the version of a compiler that a path names, or nothing.
func versionIn(path string) string {
	if m := version().FindStringSubmatch(path); m != nil {
		return m[1]
	}
	return ""
}

// linking begins options that change how clang links, or whether it does.
var linking = []string{"-flto", "-foffload-lto", "-fgpu-rdc", "-fhip-emit", "-fsyntax-only", "-gsplit"}

// Separable reports whether code that is compiled with options can be linked apart, by a linker that does not
// know them.
func Separable(options []string) bool {
	for _, o := range options {
		is := func(prefix string) bool { return strings.HasPrefix(o, prefix) }
		if !keepable([]string{o}) && !is("-m") || slices.ContainsFunc(linking, is) {
			return false
		}
	}
	return true
}

// CommandLinked runs a clang that makes a code object, as Command does; its arguments end with "-o" and the
// object's name. unlinked are those by which it leaves linking out, in the place of "-c", none where it must
// not. A clang that runs its linker starts itself anew for what comes before, and to start takes it longer
// than to compile most kernels: so it is run for one of the two alone, and the linker that lies beside it for
// the other. Where there is none, clang finds one, or says so.
func CommandLinked(ctx context.Context, dir, clang string, args, unlinked []string) ([]byte, error) {
	linker := besides(clang)
	if len(unlinked) == 0 || linker == "" {
		return Command(ctx, dir, clang, args)
	}
	out, object := args[len(args)-1], filepath.Join(dir, "unlinked.o")
	rest := slices.DeleteFunc(slices.Clone(args[:len(args)-1]), func(a string) bool { return a == "-c" })
	said, err := Command(ctx, dir, clang, slices.Concat(unlinked, rest, []string{object}))
	if err != nil {
		return said, err
	}
	more, err := Command(ctx, dir, linker, []string{"--no-undefined", "-shared", object, "-o", out})
	return append(said, more...), err
}

// besides is the linker in the folder of a clang, where clang itself looks first; "" if there is none.
func besides(clang string) string {
	real, err := filepath.EvalSymlinks(clang)
	if err != nil {
		return ""
	}
	linker := filepath.Join(filepath.Dir(real), "ld.lld")
	if _, err := os.Stat(linker); err != nil {
		return ""
	}
	return linker
}
