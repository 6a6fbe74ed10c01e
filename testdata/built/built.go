// Package built remembers what has been made anew and found the same. Committed objects are what a script
// makes of their sources by certain compilers, and committed results of functions are what a script computes.
// That is tried by running the script, which takes long, and need not be tried again while all of these are
// what they were: sums.txt beside this file has a sum of them, written when a test has made all anew and
// compared (`make check-all`). So it is with what a judge that is slow to start has said of a text.
package built

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"simtgdb/testdata/sweep"
)

// A Set is files that belong together: sources, a script, and what the script makes of the sources.
type Set struct {
	t         testing.TB
	name, sum string
}

// Of is the set of a name whose files match patterns and whose script runs tools. Python is none of them:
// what scripts of it compute is the same in all its versions, of which machines have several.
func Of(t testing.TB, name string, tools []string, patterns ...string) *Set {
	t.Helper()
	h := sha256.New()
	for _, tool := range tools {
		fmt.Fprintf(h, "%s %s\n", tool, identity(tool))
	}
	for _, pattern := range patterns {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("no file matches %s: %v", pattern, err)
		}
		for _, path := range paths {
			if info, err := os.Stat(path); err == nil && info.IsDir() {
				continue
			}
			contents, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(h, "%s %x\n", filepath.ToSlash(path), sha256.Sum256(contents))
		}
	}
	return &Set{t, name, fmt.Sprintf("%x", h.Sum(nil)[:16])}
}

// OfTexts is the set of a name that has no files: texts that a test makes, and what a judge is to say of
// them.
func OfTexts(t testing.TB, name string, texts ...[]byte) *Set {
	h := sha256.New()
	for _, text := range texts {
		fmt.Fprintf(h, "%x\n", sha256.Sum256(text))
	}
	return &Set{t, name, fmt.Sprintf("%x", h.Sum(nil)[:16])}
}

// identities are those of tools, which are asked once.
var identities sync.Map

// host is the line in which LLVM's tools say on what processor they run, which changes nothing of what they
// make.
var host = regexp.MustCompile(`(?m)^ *Host CPU: .*\n`)

// identity tells one version of a tool from another, on whatever machine: by what it says of itself and its
// file, since not all say a version.
func identity(tool string) string {
	if known, ok := identities.Load(tool); ok {
		return known.(string)
	}
	said, _ := exec.Command(tool, "--version").CombinedOutput()
	var contents []byte
	if path, err := exec.LookPath(tool); err == nil {
		contents, _ = os.ReadFile(path)
	}
	id := fmt.Sprintf("%x", sha256.Sum256(append(host.ReplaceAll(said, nil), contents...)))
	identities.Store(tool, id)
	return id
}

// Known reports whether the set, as it is, has been made anew and compared, so that the test need not.
func (s *Set) Known() bool {
	s.t.Helper()
	if sweep.All() {
		return false
	}
	known := read(s.t)[s.name] == s.sum
	if known {
		s.t.Logf("%s, its sources and compilers are what they were when all was made anew", s.name)
	}
	return known
}

// Sampled reports whether the set is one of the few, one in n, that are made anew though they are known.
// Which these are changes with what is known.
func (s *Set) Sampled(n uint32) bool {
	h := fnv.New32a()
	fmt.Fprint(h, s.name)
	h.Write(contents(s.t))
	return h.Sum32()%n == 0
}

// Keep writes down, if all is made anew and the test has not failed, that the set is what its script makes.
func (s *Set) Keep() {
	s.t.Helper()
	if !sweep.All() || s.t.Failed() {
		return
	}
	// Tests of several packages may write at once.
	f, err := os.OpenFile(path(s.t), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		s.t.Fatal(err)
	}
	defer f.Close()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		s.t.Fatal(err)
	}
	sums := read(s.t)
	sums[s.name] = s.sum
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		fmt.Fprintf(&b, "%s %s\n", sums[name], name)
	}
	if err := os.WriteFile(path(s.t), b.Bytes(), 0o666); err != nil {
		s.t.Error(err)
	}
}

func read(t testing.TB) map[string]string {
	sums := map[string]string{}
	for line := range strings.Lines(string(contents(t))) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		sums[name] = sum
	}
	return sums
}

func contents(t testing.TB) []byte {
	b, err := os.ReadFile(path(t))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return b
}

// path is where the sums are, from any package's folder.
func path(t testing.TB) string {
	t.Helper()
	for root := ""; len(root) < 60; root += "../" {
		if _, err := os.Stat(root + "go.mod"); err == nil {
			return root + "testdata/built/sums.txt"
		}
	}
	t.Fatal("no go.mod above")
	return ""
}
