package client

import (
	"debug/elf"
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simtgdb/testdata/sweep"
)

// BenchmarkSums measures what each start of a host program waits for: it tells whether its libraries are made.
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

// TestFaces: each library of its own that needs CUDA's has its own name, and a version that is called so.
func TestFaces(t *testing.T) {
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	t.Setenv("CC", "")
	short := CUDA
	short.unit, short.versions = "face.c", "" // nothing is asked of what is in it
	dir, err := short.BuildIn(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, face := range CUDA.faces {
		f, err := elf.Open(filepath.Join(dir, face))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var said []string
		for _, tag := range []elf.DynTag{elf.DT_SONAME, elf.DT_NEEDED, elf.DT_RUNPATH} {
			values, err := f.DynString(tag)
			if err != nil {
				t.Fatal(err)
			}
			said = append(said, values...)
		}
		versions, err := f.DynamicVersions()
		if err != nil || len(versions) != 2 || versions[1].Name != face ||
			!slices.Equal(said, []string{face, CUDA.Name, "$ORIGIN"}) {
			t.Errorf("%s: %q, versions %v, %v", face, said, versions, err)
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
