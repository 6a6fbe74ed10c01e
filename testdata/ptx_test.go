package testdata

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"simtgdb/testdata/built"
)

// TestPTXIsBuilt compiles the kernels of ptx/ anew and compares the texts.
func TestPTXIsBuilt(t *testing.T) {
	if err := exec.Command("clang-22", "--version").Run(); err != nil {
		t.Skipf("skipped: clang-22 does not run: %v", err)
	}
	for _, folder := range []struct{ script, texts string }{
		{"ptx/build.sh", "ptx/co"}, {"../loader/ptx/testdata/build.sh", "../loader/ptx/testdata"},
	} {
		made := built.Of(t, folder.texts, []string{clang}, folder.script, filepath.Dir(folder.script)+"/*",
			folder.texts+"/*.ptx", "ptx/src/*", "src/*")
		if made.Known() {
			continue
		}
		out := t.TempDir()
		if text, err := exec.Command("sh", folder.script, out).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", folder.script, err, text)
		}
		built, _ := filepath.Glob(filepath.Join(out, "*.ptx"))
		kept, _ := filepath.Glob(filepath.Join(folder.texts, "*.ptx"))
		if len(built) == 0 || len(built) != len(kept) {
			t.Errorf("%s makes %d texts; %s has %d", folder.script, len(built), folder.texts, len(kept))
		}
		for _, path := range built {
			want, err1 := os.ReadFile(filepath.Join(folder.texts, filepath.Base(path)))
			got, err2 := os.ReadFile(path)
			if err1 != nil || err2 != nil || !bytes.Equal(got, want) {
				t.Errorf("%s is not what %s makes", filepath.Base(path), folder.script)
			}
		}
		made.Keep()
	}
}
