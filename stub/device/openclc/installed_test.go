package openclc

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"simtgdb/stub/device/buildcache"
)

// put writes a file, and makes its folder.
func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
}

// TestFind: the user names the compiler and the libraries; what is not there is told of by the name.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	clang, libraries := filepath.Join(dir, "clang"), filepath.Join(dir, "bitcode")
	t.Setenv("SIMTGDB_CLANG", clang)
	t.Setenv("SIMTGDB_DEVICE_LIBS", libraries)
	if _, err := Find(); err == nil || !strings.Contains(err.Error(), clang) {
		t.Errorf("without a compiler: %v", err)
	}
	put(t, clang, "#!/bin/sh\n")
	put(t, filepath.Join(libraries, "ocml.bc"), "")
	if _, err := Find(); err == nil || !strings.Contains(err.Error(), libraries) {
		t.Errorf("without libraries: %v", err)
	}
	put(t, filepath.Join(libraries, "opencl.bc"), "")
	if c, err := Find(); err != nil || c.Clang != clang || c.Libraries != libraries {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestIdentity: a small file is what is in it, wherever it lies and however old it is; a large one is known
// by its place, its size and its age.
func TestIdentity(t *testing.T) {
	dir := t.TempDir()
	of := func(name, text string, size int64, age time.Duration) string {
		t.Helper()
		path := filepath.Join(dir, name)
		put(t, path, text)
		when := time.Unix(1700000000, 0).Add(-age)
		if err := os.Truncate(path, size); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
		what, err := identity(path)
		if err != nil {
			t.Fatal(err)
		}
		return what
	}
	const small, large = 1 << 20, 1<<20 + 1
	first := of("a", "x", small, 0)
	if of("b", "x", small, time.Hour) != first || of("a", "y", small, 0) == first {
		t.Error("a small file is not what is in it")
	}
	first = of("a", "x", large, 0)
	if of("a", "y", large, 0) != first || of("a", "x", large, time.Hour) == first ||
		of("a", "x", large+1, 0) == first || of("b", "x", large, 0) == first {
		t.Error("a large file is not its place, size and age")
	}
	if _, err := identity(filepath.Join(dir, "none")); err == nil {
		t.Error("a file that is not there is something")
	}
}

// TestTools: the linker beside the compiler, wherever a link leads to that, takes part in a build.
func TestTools(t *testing.T) {
	dir := t.TempDir()
	clang, linker := filepath.Join(dir, "llvm", "bin", "clang"), filepath.Join(dir, "llvm", "bin", "ld.lld")
	put(t, clang, "")
	link := filepath.Join(dir, "clang-22")
	if err := os.Symlink(clang, link); err != nil {
		t.Fatal(err)
	}
	c := &Compiler{Clang: link}
	if all := c.tools(); !slices.Contains(all, link) || slices.Contains(all, linker) {
		t.Errorf("without a linker: %q", all)
	}
	put(t, linker, "")
	if all := c.tools(); !slices.Contains(all, linker) {
		t.Errorf("without its linker: %q", all)
	}
}

// TestBackslash: a backslash takes its meaning from what follows, the last character too; one at the end is
// itself.
func TestBackslash(t *testing.T) {
	for given, want := range map[string][]string{`a\ b`: {"a b"}, `\b`: {"b"}, `b\`: {`b\`}, `\"`: {`"`},
		`'\b'`: {`\b`}, `"\b"`: {"b"}} {
		if got, err := Split(given); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v, want %q", given, got, err, want)
		}
	}
}

// TestUses: a file that was read counts by one name however it was written, those of packages too, and so do
// files that would have been read in its place.
func TestUses(t *testing.T) {
	dir := t.TempDir()
	own, other := filepath.Join(dir, "own", "a.h"), filepath.Join(dir, "other")
	put(t, own, "#define A 1\n")
	packaged := filepath.Join(dir, "packaged", "p.h")
	put(t, packaged, "#define P __TIME__\n")
	d := Dependencies{Dir: filepath.Join(dir, "work"),
		Options:   []string{"-I" + other, "-I" + filepath.Dir(own)},
		Installed: []string{filepath.Dir(packaged)}}
	uses := map[string]string{}
	rule := "it: " + filepath.Dir(own) + "/../own/a.h \\\n  " + packaged + "\n"
	if err := d.Add(uses, rule); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{own, packaged} {
		want, err := buildcache.Digest(path)
		if err != nil || uses[path] != want {
			t.Errorf("%s is %q among %q, %v", path, uses[path], uses, err)
		}
	}
	if absent, noted := uses[filepath.Join(other, "a.h")]; !noted || absent != buildcache.Absent {
		t.Errorf("what would come before it is not among %q", uses)
	}
	put(t, own, "int t = __TIME__;\n")
	if err := d.Add(map[string]string{}, rule); err == nil {
		t.Error("a header that tells the time is the same each time")
	}
}
