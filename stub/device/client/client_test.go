package client

import (
	"debug/elf"
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"simtgdb/testdata/sweep"
)

// BenchmarkSums measures what each start of a host program waits for, to know whether its libraries are made.
func BenchmarkSums(b *testing.B) {
	for b.Loop() {
		sumSources()
	}
}

// TestSums: what libraries are known by has the checksum of each source.
func TestSums(t *testing.T) {
	sums := string(sumSources())
	paths, err := filepath.Glob("src/*")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf("%s %d %x\n", path, len(text), crc32.ChecksumIEEE(text))
		if !strings.Contains(sums, line) {
			t.Errorf("no %q among the sums", line)
		}
	}
	if strings.Count(sums, "\n") != len(paths) {
		t.Errorf("not one sum for each of %d sources:\n%s", len(paths), sums)
	}
}

// TestOrder: each file of a library uses those alone that its unit includes before it, whose functions no
// header declares. All is made by the compiler that CC may name, with check-all.
func TestOrder(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	for _, l := range []*Library{&HIP, &CUDA, &OpenCL, &Vulkan} {
		if sweep.All() {
			t.Setenv("CC", cc)
			if _, err := l.BuildIn(t.TempDir()); err != nil {
				t.Error(err)
			}
			continue
		}
		c := exec.Command(cc, "-std=gnu11", "-fsyntax-only", "-Werror=implicit-function-declaration", l.unit)
		c.Dir = "src"
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", l.unit, err, out)
		}
	}
}

func TestFirstError(t *testing.T) {
	for said, want := range map[string]string{
		"": "",
		"In file included from a.c:9:\nb.c: In function 'f':\nb.c:67:98: error: 'X' undeclared\nb.c:67:98: " +
			"note: once\n": "b.c:67:98: error: 'X' undeclared",
		"cannot execute cc1\nmore\n": "cannot execute cc1",
	} {
		if got := firstError(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

// TestVersions: a loader finds each version of symbols that CUDA's programs ask for in the library, under its
// name; symbols have none, and no other library's names are among them.
func TestVersions(t *testing.T) {
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	dir, err := CUDA.Build()
	if err != nil {
		t.Fatal(err)
	}
	f, err := elf.Open(filepath.Join(dir, CUDA.Name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	defined, err := f.DynamicVersions()
	if err != nil {
		t.Fatal(err)
	}
	versions := map[string]bool{}
	for _, v := range defined {
		versions[v.Name] = true
	}
	for _, alias := range CUDA.Aliases {
		if to, err := os.Readlink(filepath.Join(dir, alias)); err != nil || to != CUDA.Name {
			t.Errorf("%s leads to %q: %v", alias, to, err)
		}
		if _, version, _ := strings.Cut(alias, ".so."); version != "" && version != "1" && !versions[alias] {
			t.Errorf("%s has no version of its name", alias)
		}
	}
	symbols, err := f.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	functions := 0
	for _, s := range symbols {
		if s.Section == elf.SHN_UNDEF || elf.ST_TYPE(s.Info) != elf.STT_FUNC {
			continue
		}
		functions++
		if i := s.VersionIndex.Index(); i != 1 {
			t.Errorf("%s has version %d", s.Name, i)
		}
		if !ofCUDA.MatchString(s.Name) {
			t.Errorf("programs see %s", s.Name)
		}
	}
	if functions < 1000 {
		t.Errorf("%d functions", functions)
	}
}

// ofCUDA are the names of CUDA's libraries.
var ofCUDA = regexp.MustCompile(`^(cu|cuda|__cuda|cublas|nvrtc)[A-Z]`)
