// Package client has the libraries that host programs are given in the place of
// a vendor's: C sources that speak the protocol of package device, which the
// user's C compiler makes into shared libraries when they are first needed.
//
// [Library.Build] gives the folder that has one. The package knows the names of
// libraries, and nothing of what is in them.
package client

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"simtgdb/stub/device/buildcache"
	"simtgdb/stub/device/transient"
	"slices"
	"strings"
	"sync"
)

//go:embed src
var sources embed.FS

// A Library is a shared library that can be made of the sources.
type Library struct {
	Name     string   // of the file: "libamdhip64.so"
	Aliases  []string // other names that programs know it by
	unit     string   // what is compiled
	versions string   // the file that lists versions of symbols, or ""
	vendor   string   // the file by which an ICD loader finds it, or ""
}

// HIP is AMD's HIP runtime.
var HIP = Library{
	Name: "libamdhip64.so",
	Aliases: []string{"libamdhip64.so.4", "libamdhip64.so.5", "libamdhip64.so.6", "libamdhip64.so.7",
		"libhiprtc.so", "libhiprtc.so.5", "libhiprtc.so.6", "libhiprtc.so.7"},
	unit: "libamdhip64.c", versions: "versions.map",
}

// CUDA is NVIDIA's driver library, its runtime library, cuBLAS and NVRTC, which are one here. What is linked
// to the latter asks for their symbols by versions that are called as the libraries are: a loader wants a
// library of that name that has the version, and takes symbols that have none.
//
//go:generate ./blas.sh
var CUDA = Library{
	Name: "libcuda.so",
	Aliases: []string{"libcuda.so.1", "libcudart.so", "libcublas.so", "libcublasLt.so", "libnvrtc.so",
		"libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13", "libcublas.so.11", "libcublas.so.12",
		"libcublas.so.13", "libcublasLt.so.11", "libcublasLt.so.12", "libcublasLt.so.13",
		"libnvrtc.so.11.2", "libnvrtc.so.12", "libnvrtc.so.13"},
	unit: "libcuda.c", versions: "cuda.map",
}

// OpenCL is an OpenCL platform, which can also be loaded by an ICD loader.
var OpenCL = Library{
	Name:    "libOpenCL.so",
	Aliases: []string{"libOpenCL.so.1"},
	unit:    "libOpenCL.c", versions: "opencl.map", vendor: "simtgdb.icd",
}

// Vulkan is a driver for compute, which a Vulkan loader loads. Its declarations of the API are made of
// Khronos's registry.
//
//go:generate go run ./vkheader /usr/share/vulkan/registry/vk.xml src
var Vulkan = Library{
	Name: "libvulkan_simtgdb.so",
	unit: "libvulkan_simtgdb.c", versions: "vulkan.map", vendor: VulkanManifest,
}

// VulkanManifest is the file, beside the library of Vulkan, by which loaders find it.
const VulkanManifest = "simtgdb_icd.json"

// manifest is what the file by which a loader finds the library says of it, where it lies.
func (l *Library) manifest(file string) []byte {
	if l.vendor != VulkanManifest {
		return []byte(file + "\n")
	}
	text, _ := json.Marshal(map[string]any{"file_format_version": "1.0.0",
		"ICD": map[string]string{"library_path": file, "api_version": "1.3.239"}})
	return text
}

// Build gives a folder that has the library, in the user's cache of files. It is
// made there if it is not there yet, with the C compiler that CC names, or an installed one.
func (l *Library) Build() (dir string, err error) {
	cache, err := buildcache.Folder()
	if err == nil {
		dir, err = l.BuildIn(cache)
	}
	var path *fs.PathError
	if dir == "" && cache == "" || errors.As(err, &path) {
		return "", fmt.Errorf("where to keep %s: %w; set XDG_CACHE_HOME to a folder that can be written",
			l.Name, err)
	}
	return dir, err
}

// BuildIn is Build with a folder of one's own.
func (l *Library) BuildIn(cache string) (dir string, err error) {
	compiler := cmp.Or(strings.TrimSpace(os.Getenv("CC")), installed())
	dir = filepath.Join(cache, strings.TrimSuffix(l.Name, ".so")+"-"+l.fingerprint(compiler))
	if _, err := os.Stat(filepath.Join(dir, l.Name)); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return "", err
	}
	work, err := transient.Make(cache, "new-")
	if err != nil {
		return "", err
	}
	defer work.Remove()
	fresh := filepath.Join(work.Path, "library")
	err = l.make(compiler, fresh)
	if err != nil && compiler == installed() && compiler != "cc" { // it has no headers, say
		err = l.make("cc", fresh)
	}
	if err != nil {
		return "", err
	}
	if l.vendor != "" {
		text := l.manifest(filepath.Join(dir, l.Name))
		if err := os.WriteFile(filepath.Join(fresh, l.vendor), text, 0o600); err != nil {
			return "", err
		}
	}
	if err := os.Rename(fresh, dir); err != nil {
		if _, there := os.Stat(filepath.Join(dir, l.Name)); there != nil { // nobody else was faster
			return "", err
		}
	}
	return dir, nil
}

// installed is the compiler where CC names none: clang, which takes half as long as GCC, or else cc.
var installed = sync.OnceValue(func() string {
	for _, name := range []string{"clang-22", "clang"} {
		if _, err := exec.LookPath(name); err == nil {
			return name
		}
	}
	return "cc"
})

// fingerprint depends on everything that the library is made of.
func (l *Library) fingerprint(compiler string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %s %s %q %q %s\n", compiler, l.unit, l.vendor, l.Aliases, flags, sourcesSums())
	const digits = 8
	return hex.EncodeToString(h.Sum(nil)[:digits])
}

// sourcesSums is sumSources, made once for all libraries.
var sourcesSums = sync.OnceValue(sumSources)

// sumSources gives the name, the size and the checksum of each source. Whoever runs a program waits for that,
// each time: a digest of all sources would take five times as long.
func sumSources() []byte {
	var sums []byte
	piece := make([]byte, 16<<10)
	_ = fs.WalkDir(sources, "src", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		f, err := sources.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		sum := crc32.NewIEEE()
		size, err := io.CopyBuffer(sum, f, piece)
		sums = fmt.Appendf(sums, "%s %d %x\n", path, size, sum.Sum32())
		return err
	})
	return sums
}

// flags are the compiler's. Optimised, libraries would take five times as long to make, which whoever runs a
// program for the first time waits for, and launches would be no faster. With -Bsymbolic no library that has
// functions of the same names comes between, as an ICD loader would. A library stays when it is closed, as
// Vulkan's loader closes a driver with the last instance: the device's memory stays mapped, and whoever opens
// the library again goes on with it.
var flags = []string{"-std=gnu11", "-O0", "-fno-optimize-sibling-calls", "-fPIC", "-shared", "-w",
	"-Wl,-Bsymbolic", "-Wl,-z,nodelete"}

// firstError is the first line of what a compiler says that tells of an error, or the first of all.
func firstError(said string) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	if i := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "error:") }); i >= 0 {
		return lines[i]
	}
	return lines[0]
}

// make compiles the library into a folder.
func (l *Library) make(compiler, dir string) error {
	words := strings.Fields(compiler)
	path, err := exec.LookPath(words[0])
	if err != nil {
		return fmt.Errorf("%s is made of C sources when it is first needed, and there is no C compiler %q: "+
			"install one (Debian: apt-get install gcc libc6-dev), or set CC to one", l.Name, words[0])
	}
	src := filepath.Join(dir, "src")
	if err := os.CopyFS(dir, sources); err != nil {
		return err
	}
	defer os.RemoveAll(src)
	args := slices.Concat(words[1:], flags, []string{"-o", "../" + l.Name})
	if l.versions != "" {
		args = append(args, "-Wl,--version-script="+l.versions)
	}
	c := exec.Command(path, append(args, l.unit, "-lpthread", "-ldl", "-lm")...)
	c.Dir, c.Env = src, append(os.Environ(), "TMPDIR="+filepath.Dir(dir))
	var said strings.Builder
	c.Stdout, c.Stderr = &said, &said
	if err := transient.Run(c); err != nil {
		return fmt.Errorf("%s does not compile %s: %w: %s", compiler, l.unit, err, firstError(said.String()))
	}
	var failed error
	for _, alias := range l.Aliases {
		failed = errors.Join(failed, os.Symlink(l.Name, filepath.Join(dir, alias)))
	}
	return failed
}
