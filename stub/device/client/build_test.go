package client

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// compiler is a script that stands for a C compiler: it writes down how it is called, and makes the file. It
// fails where another says so.
const compiler = `#!/bin/sh
echo "$(basename "$0") $*" >> "$CALLS"
echo "$PWD $TMPDIR" > "$PLACES"
[ ! -e "$0.fails" ] || { echo "note: see below"; echo "x.c:1: error: no headers"; exit 1; }
while [ "$1" != -o ]; do shift; done
[ -e libcuda.c ] && echo library > "$2"
`

// toolchain makes compilers of some names, and gives their folder and how they have been called.
func toolchain(t *testing.T, names ...string) (dir string, calls func() []string) {
	t.Helper()
	dir = t.TempDir()
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(compiler), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("CALLS", filepath.Join(dir, "calls"))
	t.Setenv("PLACES", filepath.Join(dir, "places"))
	return dir, func() []string {
		text, err := os.ReadFile(filepath.Join(dir, "calls"))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	}
}

// TestBuild: a library is made once, with the words of CC, by all its names, beside the file by which loaders
// find it there; of its sources, and of a library that cannot be made, nothing is left.
func TestBuild(t *testing.T) {
	dir, calls := toolchain(t, "mycc")
	t.Setenv("CC", " "+filepath.Join(dir, "mycc")+" --target=here ")
	cache := filepath.Join(t.TempDir(), "not", "yet")
	for i, l := range []*Library{&HIP, &CUDA, &OpenCL, &Vulkan} {
		made, err := l.BuildIn(cache)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := l.BuildIn(cache); again != made || err != nil || len(calls()) != i+1 {
			t.Errorf("%s is made again: %s, %v, %q", l.Name, again, err, calls())
		}
		call := calls()[i] + " "
		for _, word := range []string{"mycc --target=here ", " -shared ", " -o ../" + l.Name + " ",
			" -Wl,--version-script=" + l.versions + " ", " " + l.unit + " "} {
			if !strings.Contains(call, word) {
				t.Errorf("%s: no %q in %q", l.Name, word, call)
			}
		}
		for _, name := range append([]string{l.Name}, l.Aliases...) {
			if text, err := os.ReadFile(filepath.Join(made, name)); string(text) != "library\n" {
				t.Errorf("%s is %q, %v", name, text, err)
			}
		}
		files, err := os.ReadDir(made)
		want := 1 + len(l.Aliases)
		if l.vendor != "" {
			want++
		}
		if err != nil || len(files) != want {
			t.Errorf("%s: %d files, %v, want %d", l.Name, len(files), err, want)
		}
		places, err := os.ReadFile(filepath.Join(dir, "places"))
		src, temporary, _ := strings.Cut(strings.TrimSpace(string(places)), " ")
		if err != nil || filepath.Base(src) != "src" || !strings.HasPrefix(src, temporary+"/") ||
			!strings.HasPrefix(temporary, cache+"/") {
			t.Errorf("%s is compiled in %s, temporary files are in %s, %v", l.Name, src, temporary, err)
		}
	}
	if info, err := os.Stat(cache); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the cache is %v, %v", info, err)
	}
	entries, err := os.ReadDir(cache)
	if err != nil || len(entries) != 4 {
		t.Errorf("%d folders, %v, want one for each library", len(entries), err)
	}
	none := Library{Name: "libx.so", unit: "x.c"}
	if _, err := none.BuildIn(cache); err != nil || strings.Contains(calls()[4], "version-script") {
		t.Errorf("without versions: %v, %q", err, calls()[4])
	}
}

// TestManifests: what loaders of OpenCL and Vulkan are told is where the library is.
func TestManifests(t *testing.T) {
	dir, _ := toolchain(t, "mycc")
	t.Setenv("CC", filepath.Join(dir, "mycc"))
	cache := t.TempDir()
	cl, err := OpenCL.BuildIn(cache)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(cl, "simtgdb.icd")); string(text) != cl+"/libOpenCL.so\n" {
		t.Errorf("%q, %v", text, err)
	}
	vk, err := Vulkan.BuildIn(cache)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(vk, VulkanManifest))
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Version string `json:"file_format_version"`
		ICD     struct {
			Path string `json:"library_path"`
			API  string `json:"api_version"`
		}
	}
	if err := json.Unmarshal(text, &m); err != nil || m.Version != "1.0.0" ||
		m.ICD.Path != vk+"/libvulkan_simtgdb.so" || !strings.HasPrefix(m.ICD.API, "1.3.") {
		t.Errorf("%s: %v", text, err)
	}
	for _, file := range []string{filepath.Join(cl, "simtgdb.icd"), filepath.Join(vk, VulkanManifest)} {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", file, info.Mode(), err)
		}
	}
}

// TestNoCompiler: what cannot be made is told of with the first error, or the compiler that is missing. The
// system's own compiler is tried where an installed one, which nobody has named, cannot do it.
func TestNoCompiler(t *testing.T) {
	dir, calls := toolchain(t, "clang-22", "cc")
	fails := filepath.Join(dir, "clang-22.fails")
	if err := os.WriteFile(fails, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir()
	t.Setenv("CC", filepath.Join(dir, "clang-22"))
	const why = ": x.c:1: error: no headers"
	if _, err := HIP.BuildIn(cache); err == nil || !strings.HasSuffix(err.Error(), why) || len(calls()) != 1 {
		t.Errorf("with a compiler that fails: %v, %q", err, calls())
	}
	t.Setenv("CC", "nocc -O2")
	if _, err := HIP.BuildIn(cache); err == nil || !strings.Contains(err.Error(), `no C compiler "nocc": `) {
		t.Errorf("with one that is not there: %v", err)
	}
	was := installed
	defer func() { installed = was }()
	installed = func() string { return "clang-22" }
	t.Setenv("CC", "")
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	if _, err := HIP.BuildIn(cache); err != nil || len(calls()) != 3 ||
		!strings.HasPrefix(calls()[2], "cc ") {
		t.Errorf("with one that is installed and fails: %v, %q", err, calls())
	}
	if err := os.Remove(fails); err != nil {
		t.Fatal(err)
	}
	if _, err := CUDA.BuildIn(cache); err != nil || len(calls()) != 4 ||
		!strings.HasPrefix(calls()[3], "clang-22 ") {
		t.Errorf("with one that is installed: %v, %q", err, calls())
	}
	if entries, err := os.ReadDir(cache); err != nil || len(entries) != 2 {
		t.Errorf("%d folders, %v, want two", len(entries), err)
	}
}

// TestBuildWhere: a cache that cannot be written says how to name another.
func TestBuildWhere(t *testing.T) {
	dir, _ := toolchain(t, "mycc")
	t.Setenv("CC", filepath.Join(dir, "mycc"))
	file := filepath.Join(dir, "mycc")
	t.Setenv("XDG_CACHE_HOME", file)
	if made, err := OpenCL.Build(); err == nil || made != "" ||
		!strings.Contains(err.Error(), "set XDG_CACHE_HOME") {
		t.Errorf("%s, %v", made, err)
	}
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	if made, err := OpenCL.Build(); err == nil || made != "" ||
		!strings.Contains(err.Error(), "set XDG_CACHE_HOME") {
		t.Errorf("without a folder for caches: %s, %v", made, err)
	}
	t.Setenv("XDG_CACHE_HOME", dir)
	if made, err := OpenCL.Build(); err != nil || filepath.Dir(made) != filepath.Join(dir, "simtgdb") {
		t.Errorf("%s, %v", made, err)
	}
}
