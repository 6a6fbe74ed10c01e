package arm64

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"simtgdb/simt/rows/rowstest"
	"simtgdb/testdata/sweep"
)

// fewer is how many times less is tested than on other hosts: code is emulated on most.
const fewer = 8

// TestTranslator: random row code does what the interpreter says. On other hosts TestEmulated runs it.
func TestTranslator(t *testing.T) {
	if !Available() {
		t.Skip("nothing is translated for AArch64 here")
	}
	b := rowstest.Translator{Translate: Translate, Can: Can, Fewer: fewer}
	if sweep.All() {
		b.Fewer = 1
	}
	b.Test(t)
}

// TestEmulated runs TestTranslator on an emulated processor.
func TestEmulated(t *testing.T) {
	if Available() {
		t.Skip("this is an AArch64")
	}
	if runtime.GOOS != "linux" {
		t.Skip("programs for Linux are emulated on Linux alone")
	}
	qemu, err := exec.LookPath("qemu-aarch64")
	if err != nil {
		t.Skip("no qemu-aarch64 (Debian: qemu-user): code for AArch64 has not been run")
	}
	program := filepath.Join(t.TempDir(), "arm64.test")
	build := exec.Command("go", "test", "-c", "-vet=off", "-o", program, ".")
	build.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(qemu, program, "-test.v", "-test.run", "^TestTranslator$").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestTranslator ") {
		t.Errorf("%v\n%s", err, out)
	}
}
