//go:build linux

package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// ofThisRun is a folder that goes when the tests end.
var ofThisRun = sync.OnceValue(func() string {
	folder, err := os.MkdirTemp("", "simtgdb-test-")
	if err != nil {
		panic(err)
	}
	atEnd = append(atEnd, func() { os.RemoveAll(folder) })
	return folder
})

// compiling are the sources of all that takes part when the program compiles something: a package each, or
// files of this one.
var compiling = []string{"../../compile", "../../device/buildcache", "../../device/cudac",
	"../../device/hipc", "../../device/openclc", "../../device/rtc", "../../device/transient",
	"exec_build.go", "exec_build_intel.go", "compile.go"}

// lastingCache is the user's folder of caches that programs are run with: what the program compiles for one
// run of the tests, it has in the next, as it does for its users. It finds that by a key of its own, of
// sources, options, compilers and headers, and what it does not put into that key is how it goes about it,
// so that the folder is another one whenever a source of that changes, and tests see what the new ones do.
func lastingCache() (string, error) {
	caches, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for _, path := range compiling {
		if err := digestFolder(h, path, byContents); err != nil {
			return "", err
		}
	}
	folder := filepath.Join(caches, keptFolder, "cache-"+hex.EncodeToString(h.Sum(nil)[:12]))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	now := time.Now()
	return folder, os.Chtimes(folder, now, now)
}

// aroundPrograms is a digest of what any program may be made of besides the files beside it: the headers and
// scripts of the repository, and what is installed. Programs that no run has taken for a while go when it is
// asked for.
var aroundPrograms = sync.OnceValues(func() (string, error) {
	forgetPrograms()
	h := sha256.New()
	for _, folder := range []string{"../../../docs/example", "../../../docs/cuda", "../../compile/include",
		"../../device/client/src"} {
		if err := digestFolder(h, folder, byContents); err != nil {
			return "", err
		}
	}
	hip := os.Getenv("HIP_INCLUDE")
	if hip == "" {
		hip = "/usr/include"
	}
	for _, folder := range []string{filepath.Join(hip, "hip"), "/usr/include/CL", "/usr/include/vulkan",
		debianLibraries} {
		if err := digestFolder(h, folder, byAge); err != nil && !os.IsNotExist(err) {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
})

// digestTools adds to a digest which compilers and linkers are installed.
func digestTools(h hash.Hash, compiler string) error {
	for _, tool := range []string{compiler, "cc", "clang++-22", "ld.lld-22"} {
		path, err := exec.LookPath(tool)
		if err != nil {
			continue
		}
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		fmt.Fprintln(h, path, info.Size(), info.ModTime())
	}
	return nil
}

// byContents and byAge add to a digest what tells a file from another: what is in it, or, of packages' files,
// its size and age.
func byContents(h hash.Hash, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(h, f)
	return err
}

func byAge(h hash.Hash, path string) error {
	info, err := os.Stat(path)
	if err == nil {
		fmt.Fprintln(h, info.Size(), info.ModTime())
	}
	return err
}

// digestFolder adds the names of all files of a folder to a digest, or of one file, and what tells them from
// others. Go's tests are none of them.
func digestFolder(h hash.Hash, folder string, tell func(hash.Hash, string) error) error {
	return filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || strings.HasSuffix(path, "_test.go") {
			return err
		}
		fmt.Fprintln(h, path)
		return tell(h, path)
	})
}

// digestNamed adds to a digest the files of a folder that a command may read: those that it names, and those
// whose names stand, wherever that may be, in a file that counts.
func digestNamed(h hash.Hash, folder, command string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	named := map[string]bool{}
	texts := [][]byte{[]byte(command)}
	for len(texts) > 0 {
		text := texts[0]
		texts = texts[1:]
		for _, e := range entries {
			if e.IsDir() || named[e.Name()] || !bytes.Contains(text, []byte(e.Name())) {
				continue
			}
			named[e.Name()] = true
			data, err := os.ReadFile(filepath.Join(folder, e.Name()))
			if err != nil {
				return err
			}
			texts = append(texts, data)
		}
	}
	for _, e := range entries { // in the order of their names
		if named[e.Name()] {
			fmt.Fprintln(h, e.Name())
			if err := byContents(h, filepath.Join(folder, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// TestNamed: a program is made anew when a file changes that its command names, directly or by way of others,
// and not when another one does.
func TestNamed(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("a.c", "#include \"b.h\"\n")
	write("b.h", "#include \\\n<c.h>\n")
	write("c.h", "__asm__(\".incbin \" KERNELS);\n")
	write("k.co", "kernels")
	write("other.c", "#include \"b.h\"\n")
	digest := func() string {
		t.Helper()
		h := sha256.New()
		if err := digestNamed(h, folder, `"cc" "a.c" "-DKERNELS=\"k.co\""`); err != nil {
			t.Fatal(err)
		}
		return hex.EncodeToString(h.Sum(nil))
	}
	seen := []string{digest()}
	for _, name := range []string{"a.c", "b.h", "c.h", "k.co"} {
		before, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		write(name, string(before)+"\n")
		if d := digest(); slices.Contains(seen, d) {
			t.Errorf("a change of %s changes nothing", name)
		} else {
			seen = append(seen, d)
		}
	}
	write("other.c", "")
	if d := digest(); d != seen[len(seen)-1] {
		t.Error("a change of a file that nothing names changes something")
	}
}
