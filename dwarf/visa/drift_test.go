package visa

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"simtgdb/testdata/built"
)

// driftDevices are built anew: one of each way to address scratch memory.
var driftDevices = []string{"skl", "dg2"}

// notFollowed are programs whose loops the test's machine does not follow into
// their calls.
var notFollowed = []string{"barrier-O0", "subroutines-O2"}

// TestDrift builds the tables and the code anew with the installed IGC. They
// must be what testdata has; and the code of all programs is unwound, of which
// testdata has some only.
func TestDrift(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: building with ocloc takes long")
	}
	for _, tool := range []string{"ocloc", "iga64"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("skipped: %s is not installed", tool)
		}
	}
	made := built.Of(t, "vISA tables", []string{"ocloc", "iga64"}, "testdata/build.sh", "testdata/src/*",
		"testdata/igc/*/*", "testdata/zebin/*/*", "*.go")
	if made.Known() {
		return
	}
	for _, device := range driftDevices {
		out := t.TempDir()
		build := exec.Command(filepath.Join("testdata", "build.sh"), out)
		build.Env = append(os.Environ(), "DEVICES="+device, "UNWOUND=all")
		if log, err := build.CombinedOutput(); err != nil {
			t.Fatalf("build.sh: %v\n%s", err, log)
		}
		compared := 0
		for _, pattern := range []string{"*.dbg", "*.gen"} {
			want, err := filepath.Glob(filepath.Join("testdata", "igc", device, pattern))
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range want {
				if !bytes.Equal(readFile(t, path), readFile(t, out, device, filepath.Base(path))) {
					t.Errorf("%s is no longer what IGC gives", path)
				}
				compared++
			}
		}
		if compared < 22 {
			t.Errorf("%s: only %d files to compare", device, compared)
		}
		for _, program := range notFollowed {
			if err := os.Remove(filepath.Join(out, device, program+".gen")); err != nil {
				t.Fatal(err)
			}
		}
		unwindPrograms(t, out, device, patchTokens)
	}
	made.Keep()
}
