//go:build linux

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"simtgdb/stub/device/openclc"
	"simtgdb/testdata/sweep"
)

// TestExecOpenCLImages runs images.c, whose results images.txt has as PoCL made them, optimized and not.
func TestExecOpenCLImages(t *testing.T) {
	t.Parallel()
	program := buildOpenCLProgram(t, "images.c")
	if _, err := openclc.Find(); err != nil {
		t.Skipf("skipped: %v", err)
	}
	want, err := os.ReadFile(hostPrograms + "/images.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, options := range sweep.Some(2, "-O3", "-cl-opt-disable") {
		r := execute(t, []string{"--cl-options", options}, program, hostPrograms+"/images.cl")
		if d := cmp.Diff(string(want), r.out); d != "" || r.status != 0 {
			t.Errorf("%s: status %d: %s (-want +got):\n%s", options, r.status, r.err, d)
		}
	}
}

// TestExecOpenCLImagesInSPIRV runs images.c with kernels in SPIR-V, whose images the machine reads by its own
// instructions.
func TestExecOpenCLImagesInSPIRV(t *testing.T) {
	t.Parallel()
	program := buildOpenCLProgram(t, "images.c")
	want, err := os.ReadFile(hostPrograms + "/images.txt")
	if err != nil {
		t.Fatal(err)
	}
	r := execute(t, nil, program, hostPrograms+"/images.spv")
	if d := cmp.Diff(string(want), r.out); d != "" || r.status != 0 {
		t.Errorf("status %d: %s (-want +got):\n%s", r.status, r.err, d)
	}
}

// needPoCL skips a test where PoCL is not installed with an ICD loader, and gives a function that makes
// commands of programs with it. What PoCL compiles it keeps for later runs.
func needPoCL(t *testing.T) (onPoCL func(program string, args ...string) *exec.Cmd) {
	t.Helper()
	for _, need := range []string{"/etc/OpenCL/vendors/pocl.icd", openCLLoader} {
		if _, err := os.Stat(need); err != nil {
			t.Skipf("skipped: %v", err)
		}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	cache = filepath.Join(cache, keptFolder, "pocl")
	now := time.Now()
	if err := errors.Join(os.MkdirAll(cache, 0o700), os.Chtimes(cache, now, now)); err != nil {
		t.Fatal(err)
	}
	return func(program string, args ...string) *exec.Cmd {
		c := exec.Command(program, args...)
		c.Env = append(os.Environ(), "OCL_ICD_VENDORS=pocl.icd", "POCL_CACHE_DIR="+cache)
		return c
	}
}

// TestImagesUpToDate has PoCL run images.c, where it is installed with an ICD loader.
func TestImagesUpToDate(t *testing.T) {
	onPoCL := needPoCL(t)
	want, err := os.ReadFile(hostPrograms + "/images.txt")
	if err != nil {
		t.Fatal(err)
	}
	got, err := onPoCL(buildOpenCLProgram(t, "images.c"), hostPrograms+"/images.cl").Output()
	if d := cmp.Diff(string(want), string(got)); d != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
}

// TestExecOpenCLShowsImages: gdb is shown an image that an OpenCL kernel has as an argument, of signed bytes.
func TestExecOpenCLShowsImages(t *testing.T) {
	t.Parallel()
	needGDB(t)
	program := buildOpenCLProgram(t, "images.c")
	if _, err := openclc.Find(); err != nil {
		t.Skipf("skipped: %v", err)
	}
	folder := t.TempDir()
	flags := append(gdbCommands("monitor image", "monitor image m at 1 0", "monitor image m",
		"monitor image m m.png", "kill"),
		"--cl-options", "-cl-opt-disable", "--break", "all_f#1", "--pictures", folder)
	r := execute(t, flags, program, hostPrograms+"/images.cl")
	want := []string{"m (1): 5 x 4 texels, r8_snorm, at 0x",
		"texel 1,0 of m: 0.377953, bytes 30\nwatch *(signed char *) 0x",
		"texels from -1 to 0.984252\n", "   3  0.425197  0.716535        -1 -0.716535 -0.425197\n"}
	if missing := inOrder(r.err, want); missing != "" {
		t.Errorf("no %q in its place in\n%s", missing, r.err)
	}
	picture, err := os.ReadFile(filepath.Join(folder, "m.png"))
	if !bytes.HasPrefix(picture, []byte("\x89PNG")) {
		t.Errorf("no picture: %q (%v)", picture, err)
	}
}

// TestExecOpenCLImagesByInstructions runs images.c on processors with instructions for images, by the
// functions of the device libraries. Numbers below -1 become -1 in signed normalized texels there: -127 of
// 127, and not -128, as OpenCL C has it.
func TestExecOpenCLImagesByInstructions(t *testing.T) {
	t.Parallel()
	program := buildOpenCLProgram(t, "images.c")
	if _, err := openclc.Find(); err != nil {
		t.Skipf("skipped: %v", err)
	}
	text, err := os.ReadFile(hostPrograms + "/images.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := withoutLeast(string(text))
	for _, c := range sweep.Some(2, [2]string{"gfx1030", "-cl-opt-disable"}, [2]string{"gfx900", "-O3"},
		[2]string{"gfx1200", "-O1"}) {
		processor, options := c[0], c[1]
		r := execute(t, []string{"--target", processor, "--cl-options", options}, program,
			hostPrograms+"/images.cl")
		if d := cmp.Diff(want, r.out); d != "" || r.status != 0 {
			t.Errorf("%s: status %d: %s (-want +got):\n%s", processor, r.status, r.err, d)
		}
	}
}

// TestExecOpenCLImagesByMessages runs images.c with kernels of Intel's compiler, which reach images by
// messages: Xe-HPG's others than Gen9's. Numbers below -1 become -1 there, too.
func TestExecOpenCLImagesByMessages(t *testing.T) {
	t.Parallel()
	program := buildOpenCLProgram(t, "images.c")
	text, err := os.ReadFile(hostPrograms + "/images.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := withoutLeast(string(text))
	for _, generation := range []string{"gen9", "xe-hpg"} {
		r := execute(t, []string{"--target", generation}, program,
			hostPrograms+"/images."+generation+".zebin")
		if d := cmp.Diff(want, r.out); d != "" || r.status != 0 {
			t.Errorf("%s: status %d: %s (-want +got):\n%s", generation, r.status, r.err, d)
		}
	}
	if _, err := exec.LookPath("ocloc"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	for _, generation := range sweep.Some(3, "gen12lp", "gen9", "gen11") { // of the source, by ocloc
		r := execute(t, []string{"--target", generation}, program, hostPrograms+"/images.cl")
		if d := cmp.Diff(want, r.out); d != "" || r.status != 0 {
			t.Errorf("%s, of the source: status %d: %s (-want +got):\n%s", generation, r.status, r.err, d)
		}
	}
}

// withoutLeast changes the least number of signed normalized channels in the texels that are written in
// hexadecimal.
func withoutLeast(text string) string {
	least, next := "", ""
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "format ") {
			least, next = "", ""
			switch {
			case strings.HasSuffix(line, " 10d0:\n"):
				least, next = "80", "81"
			case strings.HasSuffix(line, " 10d1:\n"):
				least, next = "0080", "0180"
			}
			continue
		}
		if least == "" || strings.HasPrefix(line, " ") {
			continue
		}
		var b strings.Builder
		for n := len(least); len(line) > n; line = line[n:] {
			if line[:n] == least {
				b.WriteString(next)
				continue
			}
			b.WriteString(line[:n])
		}
		lines[i] = b.String() + line
	}
	return strings.Join(lines, "")
}
