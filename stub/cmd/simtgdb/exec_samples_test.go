//go:build linux

package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// lavapipeICD is what leads a loader to lavapipe.
const lavapipeICD = "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json"

// TestSamplesLikeLavapipe compares random samples of images of six kinds, by each address mode and filter,
// with lavapipe's: as many as SIMTGDB_SAMPLES says, and 50 of each without it. Texels of bytes lavapipe
// weighs by whole 256ths where they repeat or are clamped, and sRGB it approximates.
func TestSamplesLikeLavapipe(t *testing.T) {
	count := os.Getenv("SIMTGDB_SAMPLES")
	if count == "" {
		count = "50"
	}
	if _, err := os.Stat(lavapipeICD); err != nil {
		t.Skipf("skipped: %v", err)
	}
	dir := t.TempDir()
	for kind, place := range map[string]string{"sampler2D": "xy", "sampler3D": "xyz", "samplerCube": "xyz",
		"sampler2DArray": "xyz", "sampler2DShadow": "xyz"} {
		c := exec.Command("glslangValidator", "-V", "--target-env", "vulkan1.2", "-DKIND="+kind, "-DPLACE="+place,
			hostPrograms+"/samples.comp", "-o", filepath.Join(dir, kind+".spv"))
		if out, err := c.CombinedOutput(); err != nil {
			t.Skipf("skipped: %v\n%s", err, out)
		}
	}
	program := buildVulkan(t, "vulkan_samples.c")
	ours, theirs := filepath.Join(dir, "ours"), filepath.Join(dir, "theirs")
	c := exec.Command(program, dir, theirs, count)
	c.Env = append(os.Environ(), "VK_DRIVER_FILES="+lavapipeICD)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("lavapipe: %v\n%s", err, out)
	}
	if r := execute(t, nil, program, dir, ours, count); r.status != 0 {
		t.Fatalf("status %d: %s%s", r.status, r.out, r.err)
	}
	compareSamples(t, ours, theirs)
}

func compareSamples(t *testing.T, ours, theirs string) {
	t.Helper()
	read := func(name string) []byte {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	got, want := read(ours), read(theirs)
	const combinations = 6 * 5 * 4
	if len(got) != len(want) || len(got) == 0 {
		t.Fatalf("%d bytes, lavapipe has %d", len(got), len(want))
	}
	tolerances := [6]float64{0.01, 2e-5, 0.012, 0.01, 0.0015, 1e-5}
	part := len(got) / combinations
	bad := map[string]int{}
	for at := 0; at < len(got); at += 4 {
		n := at / part
		g := math.Float32frombits(binary.LittleEndian.Uint32(got[at:]))
		w := math.Float32frombits(binary.LittleEndian.Uint32(want[at:]))
		if d := math.Abs(float64(g) - float64(w)); !(d <= tolerances[n/20]) {
			name := fmt.Sprintf("image %d, mode %d, filter %d", n/20, n/4%5, n%4)
			if bad[name]++; bad[name] == 1 {
				t.Errorf("%s: %v, lavapipe has %v", name, g, w)
			}
		}
	}
	for name, n := range bad {
		t.Errorf("%s: %d numbers", name, n)
	}
}
