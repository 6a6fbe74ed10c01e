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

	"simtgdb/stub/device/openclc"
	"simtgdb/testdata/sweep"
)

// lavapipeICD is what leads a loader to lavapipe.
const lavapipeICD = "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json"

// sampleShaders are the shaders of samples.comp, in the order of vulkan_samples.c's images, and how far a
// sample may be from lavapipe's: texels of bytes it weighs by whole 256ths where they repeat or are clamped,
// and sRGB and levels of derivatives it approximates.
var sampleShaders = []struct {
	name, kind, take string
	tolerance        float64
}{
	{"sampler2D", "sampler2D", "textureLod(picture, at.xy, at.w)", 0.01},
	{"sampler2D", "sampler2D", "textureLod(picture, at.xy, at.w)", 2e-5},
	{"sampler3D", "sampler3D", "textureLod(picture, at.xyz, at.w)", 0.012},
	{"samplerCube", "samplerCube", "textureLod(picture, at.xyz, at.w)", 0.01},
	{"sampler2DArray", "sampler2DArray", "textureLod(picture, at.xyz, at.w)", 0.0015},
	{"sampler2DShadow", "sampler2DShadow", "textureLod(picture, at.xyz, at.w)", 1e-5},
	{"gather", "sampler2D", "textureGather(picture, at.xy, 1)", 1e-6},
	{"gatherOffset", "sampler2D", "textureGatherOffset(picture, at.xy, ivec2(3, -2), 2)", 0},
	{"gatherCompare", "sampler2DShadow", "textureGather(picture, at.xy, at.z)", 0},
	{"offset", "sampler2D", "textureLodOffset(picture, at.xy, at.w, ivec2(-3, 2))", 2e-5},
	{"gradient", "sampler2D", "textureGrad(picture, at.xy, vec2(exp2(at.w) / 16.0, 0), vec2(0, 0.03))", 0.05},
	{"projection", "sampler2D", "textureProjLod(picture, vec3(at.xy * (at.z + 1.5), at.z + 1.5), 0)", 2e-5},
	{"fetch", "sampler2D", "texelFetch(picture, ivec2(at.xy * 3.0 + 2.0), min(int(at.w + 0.5), 3))", 0},
}

// TestSamplesLikeLavapipe compares random samples, by each address mode and filter, with lavapipe's: as many
// as SIMTGDB_SAMPLES says, and 50 of each without it.
func TestSamplesLikeLavapipe(t *testing.T) {
	t.Parallel()
	count := os.Getenv("SIMTGDB_SAMPLES")
	if count == "" {
		count = "50"
	}
	if _, err := os.Stat(lavapipeICD); err != nil {
		t.Skipf("skipped: %v", err)
	}
	if _, err := exec.LookPath("glslangValidator"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	dir := t.TempDir()
	for _, s := range sampleShaders {
		module := sharedProgram(t, s.name+".spv", "glslangValidator", "-V", "--target-env", "vulkan1.2",
			"-DKIND="+s.kind, "-DTAKE="+s.take, "samples.comp")
		link := filepath.Join(dir, filepath.Base(module))
		if err := os.Symlink(module, link); err != nil && !os.IsExist(err) { // one of them is there twice
			t.Fatal(err)
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

// TestSamplesLikePoCL compares random samples of images by OpenCL with PoCL's, for each format, address
// mode, filter and kind of coordinates, on a processor of AMD's with instructions for images, on one
// without, and on Intel's: as many as SIMTGDB_SAMPLES says, and 50 of each without it. Of images of one
// channel PoCL has an alpha of 0 where OpenCL C has 1.
func TestSamplesLikePoCL(t *testing.T) {
	t.Parallel()
	count := os.Getenv("SIMTGDB_SAMPLES")
	if count == "" {
		count = "50"
	}
	onPoCL := needPoCL(t)
	program := buildOpenCLProgram(t, "opencl_samples.c")
	if _, err := openclc.Find(); err != nil {
		t.Skipf("skipped: %v", err)
	}
	folder := t.TempDir()
	theirs := filepath.Join(folder, "theirs")
	if out, err := onPoCL(program, theirs, count).CombinedOutput(); err != nil {
		t.Fatalf("PoCL: %v\n%s", err, out)
	}
	processors := sweep.Some(2, "gfx1100", "gfx90a")
	if _, err := exec.LookPath("ocloc"); err == nil {
		processors = append(processors, "gen9")
	}
	want := readFloats(t, theirs)
	for _, processor := range processors {
		ours := filepath.Join(folder, processor)
		if r := execute(t, []string{"--target", processor}, program, ours, count); r.status != 0 {
			t.Fatalf("%s: status %d: %s%s", processor, r.status, r.out, r.err)
		}
		comparePoCL(t, processor, readFloats(t, ours), want)
	}
}

// comparePoCL compares samples of opencl_samples.c: nine formats of reals in twelve ways, and six of integers
// in six.
func comparePoCL(t *testing.T, processor string, got, want []float32) {
	t.Helper()
	const ways, combinations = 12, 9*12 + 6*6
	if len(got) != len(want) || len(got) == 0 {
		t.Fatalf("%s: %d numbers, PoCL has %d", processor, len(got), len(want))
	}
	oneChannel := map[int]bool{6: true, 7: true, 14: true}
	bad := 0
	for i := range got {
		way := i / (len(got) / combinations)
		format := way / ways
		if way >= 9*ways {
			format = 9 + (way-9*ways)/6
		}
		if i%4 == 3 && oneChannel[format] {
			continue
		}
		d := math.Abs(float64(got[i]) - float64(want[i]))
		if !(d <= 1e-5*math.Max(1, math.Abs(float64(want[i])))) {
			if bad++; bad < 5 {
				t.Errorf("%s: format %d, way %d: %v, PoCL has %v", processor, format, way, got[i],
					want[i])
			}
		}
	}
	if bad > 0 {
		t.Errorf("%s: %d numbers", processor, bad)
	}
}

func readFloats(t *testing.T, name string) []float32 {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float32, len(data)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return out
}

func compareSamples(t *testing.T, ours, theirs string) {
	t.Helper()
	got, want := readFloats(t, ours), readFloats(t, theirs)
	combinations := len(sampleShaders) * 5 * 4
	if len(got) != len(want) || len(got) == 0 {
		t.Fatalf("%d numbers, lavapipe has %d", len(got), len(want))
	}
	part := len(got) / combinations
	bad := map[string]int{}
	for at, g := range got {
		n, w := at/part, want[at]
		if d := math.Abs(float64(g) - float64(w)); !(d <= sampleShaders[n/20].tolerance) {
			name := fmt.Sprintf("%s %d, mode %d, filter %d", sampleShaders[n/20].name, n/20, n/4%5, n%4)
			bad[name]++
			t.Logf("%s: %v, lavapipe has %v", name, g, w)
		}
	}
	for name, n := range bad {
		if n > part/10000 { // a place between two texels may be in the other
			t.Errorf("%s: %d of %d numbers", name, n, part)
		}
	}
}
