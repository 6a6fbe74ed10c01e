package openclc

import (
	"cmp"
	"path/filepath"

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
