package patchtoken

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/loader/zebin"
)

// TestImages holds what is read of images, samplers and what is asked of them against what the zebin of the
// same program says.
func TestImages(t *testing.T) {
	if _, err := exec.LookPath("ocloc"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	dir := t.TempDir()
	source := filepath.Join(dir, "k.cl")
	text := `
kernel void k(read_only image2d_t from, sampler_t given, write_only image2d_array_t to, global float *out,
              sampler_t last) {
  const sampler_t near = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  const sampler_t turned = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_NEAREST;
  const sampler_t smooth = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
  const sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
  int x = get_global_id(0);
  float2 at = (float2)(x, 0.5f);
  float4 v = read_imagef(from, near, at) + read_imagef(from, turned, at) + read_imagef(from, smooth, at) +
             read_imagef(from, border, at) + read_imagef(from, given, at) + read_imagef(from, last, at);
  write_imagef(to, (int4)(x, 0, 1, 0), v);
  out[x] = get_image_width(from) + get_image_height(from) + get_image_array_size(to) +
           get_image_channel_order(from) + get_image_channel_data_type(to);
}
`
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	compiled := func(format string) []byte {
		c := exec.Command("ocloc", "compile", "-q", "-file", source, "-device", "skl", "--format", format,
			"-output", format, "-out_dir", dir, "-output_no_suffix", "-options",
			"-cl-intel-greater-than-4GB-buffer-required")
		c.Dir = dir
		if said, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		data, err := os.ReadFile(filepath.Join(dir, format))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	got, err := Open(compiled("patchtokens"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := zebin.Open(compiled("zebin"))
	if err != nil {
		t.Fatal(err)
	}
	k := zebin.KernelOf(&want.Kernels[0])
	if len(k.Samplers) != 4 {
		t.Errorf("the zebin has samplers %v, want four", k.Samplers)
	}
	if d := cmp.Diff(comparable(k), comparable(zebin.KernelOf(&got.Kernels[0]))); d != "" {
		t.Errorf("(-zebin +patch tokens):\n%s", d)
	}
}
