package printf

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"simtgdb/testdata/built"
)

// TestObjectsUpToDate builds the objects anew and compares them.
func TestObjectsUpToDate(t *testing.T) {
	version, err := exec.Command("clang-22", "--version").Output()
	if err != nil {
		t.Skipf("skipped: clang-22 does not run: %v", err)
	}
	if _, err := os.Stat("/usr/lib/x86_64-linux-gnu/amdgcn/bitcode/ockl.bc"); err != nil {
		t.Skipf("skipped: no device libraries: %v", err)
	}
	producer, _, _ := bytes.Cut(version, []byte("\n"))
	if !bytes.Contains(read(t, "co/print_cl.gfx90a.O0.co"), producer) {
		t.Skipf("skipped: %s did not make the objects", producer)
	}
	made := built.Of(t, "printf", []string{"clang-22"}, "build.sh", "src/*", "co/*", "../../docs/example/*")
	if made.Known() {
		return
	}
	out := t.TempDir()
	if text, err := exec.Command("./build.sh", out).CombinedOutput(); err != nil {
		t.Fatalf("build.sh: %v\n%s", err, text)
	}
	compare(t, "co", out)
	made.Keep()
}

// TestNoMachinePaths looks for absolute file names in what is compiled.
func TestNoMachinePaths(t *testing.T) {
	absolute := regexp.MustCompile(`(^|[^\w.<])/[a-z]\w*/[\w./-]*`)
	for _, pattern := range []string{"co/*", "spirv/*", "ptx/*"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, path := range paths {
			if found := absolute.Find(read(t, path)); found != nil {
				t.Errorf("%s: contains %q", path, found)
			}
		}
	}
}

// TestElsewhereUpToDate compiles for other machines anew and compares.
func TestElsewhereUpToDate(t *testing.T) {
	for folder, programs := range map[string][]string{"spirv": {"clang-15", "llvm-spirv-15"},
		"ptx": {"clang-22"}} {
		t.Run(folder, func(t *testing.T) {
			for _, program := range programs {
				if _, err := exec.LookPath(program); err != nil {
					t.Skipf("skipped: %v", err)
				}
			}
			made := built.Of(t, "printf "+folder, programs, folder+".sh", "src/*", folder+"/*")
			if made.Known() {
				return
			}
			out := t.TempDir()
			if text, err := exec.Command("./"+folder+".sh", out).CombinedOutput(); err != nil {
				t.Fatalf("%s.sh: %v\n%s", folder, err, text)
			}
			compare(t, folder, out)
			made.Keep()
		})
	}
}

// TestExpectations prints the same sources on the host and with PoCL.
func TestExpectations(t *testing.T) {
	for _, program := range []string{"cc", "c++"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("skipped: %v", err)
		}
	}
	files := []string{"expect.sh", "host/*", "src/*", "expect/*"}
	const pocl = "/usr/lib/*/libpocl.so*"
	if found, _ := filepath.Glob(pocl); len(found) > 0 {
		files = append(files, pocl)
	}
	made := built.Of(t, "printf expectations", []string{"cc", "c++"}, files...)
	if made.Known() {
		return
	}
	out := t.TempDir()
	if text, err := exec.Command("./expect.sh", out).CombinedOutput(); err != nil {
		t.Skipf("skipped: expect.sh, which needs PoCL: %v\n%s", err, text)
	}
	compare(t, "expect", out)
	made.Keep()
}

// compare holds the files of a committed folder against those made anew.
func compare(t *testing.T, folder, made string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	again, err := os.ReadDir(made)
	if err != nil || len(again) != len(entries) {
		t.Errorf("%s has %d files, %d are made (%v)", folder, len(entries), len(again), err)
	}
	for _, e := range entries {
		if !bytes.Equal(read(t, filepath.Join(folder, e.Name())), read(t, filepath.Join(made, e.Name()))) {
			t.Errorf("%s/%s is not what is made", folder, e.Name())
		}
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
