package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"simtgdb/testdata/sweep"
)

// TestRunImagesClang gives such to kernels that clang compiles, for AMD's processors with instructions for
// images and without, and to PTX, with a sampler, and to one that writes beyond an edge.
func TestRunImagesClang(t *testing.T) {
	if _, err := exec.LookPath("clang-22"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	const source = hostPrograms + "/images.cl"
	for _, processor := range sweep.Some(3, "gfx1100", "gfx900", "gfx1030", "gfx90a", "gfx1250", "gfx1201",
		"sm_80") {
		file, err := compiledFile(source, processor, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct{ args, want string }{
			{"--kernel all_ui --grid 4 --block 4 --arg buf:u32[16] --arg image:r32_uint[2x2]=iota --print 0",
				"  [0] 0 0 0 1 1 0 0 1\n  [8] 2 0 0 1 3 0 0 1\n"},
			{"--kernel plane_at --grid 2 --block 2 --arg buf:f32[8] --arg " +
				"image:r32g32b32a32_sfloat[2x2]=iota --arg u64:0x12 --print 0",
				"  [0] 0 1 2 3 0 1 2 3\n"}, // to the edge
			{"--kernel put_ui --grid 3,2 --block 3,2 --arg image:r32_uint[2x2] --check=bounds --print 0",
				"check bounds: writes a texel outside of its image\n  lane         2 of wave 0, first of " +
					"2: 2,5\n"},
			{"--kernel all_f --grid 4 --block 4 --arg buf:f32[16] --arg image:r32_sfloat[2x2]=none " +
				"--check=uninit",
				"nothing has written what is read\n  lane         0 of wave 0, first of 4: 0-3\n"},
		} {
			r := simtgdb(t, append([]string{"run", file.Path}, strings.Fields(c.args)...)...)
			if !strings.Contains(r.out+r.err, c.want) {
				t.Errorf("%s %v: status %d: %s%s, want %q", processor, c.args, r.status, r.out, r.err, c.want)
			}
		}
	}
}

// TestRunConstantSamplers reads beyond the edges of images by samplers that the program has as constants:
// alpha is 0 there if the image has one, and else 1.
func TestRunConstantSamplers(t *testing.T) {
	if _, err := exec.LookPath("clang-22"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	source := filepath.Join(t.TempDir(), "beyond.cl")
	text := `constant sampler_t plain = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
constant sampler_t smooth = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t mirrored = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_NEAREST;
constant sampler_t around = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_NEAREST;
kernel void k(global float4 *out, read_only image2d_t m) {
  out[0] = read_imagef(m, plain, (int2)(7, 0));
  out[1] = read_imagef(m, smooth, (float2)(1, 0.125f));
  out[2] = read_imagef(m, edge, (int2)(-3, 1));
  out[3] = read_imagef(m, mirrored, (float2)(1.375f, 0.375f));
  out[4] = read_imagef(m, around, (float2)(1.375f, 0.375f));
}
`
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, processor := range sweep.Some(3, "gfx1100", "gfx1201", "gfx900", "gfx1030", "gfx90a", "sm_80") {
		for format, want := range map[string]string{
			"r32_sfloat":          "[0] 0 0 0 1 1.5 0 0 1 [8] 4 0 0 1 6 0 0 1 [16] 5 0 0 1",
			"r32g32b32a32_sfloat": "[0] 0 0 0 0 6 6.5 7 7.5 [8] 16 17 18 19 24 25 26 27 [16] 20 21 22 23",
		} {
			r := simtgdb(t, "run", source, "--target", processor, "--grid", "1", "--block", "1", "--arg",
				"buf:f32[20]", "--arg", "image:"+format+"[4x4]=iota", "--print", "0")
			if !strings.Contains(strings.Join(strings.Fields(r.out), " "), want) || r.status != 0 {
				t.Errorf("%s, %s: status %d: %s%s, want %s", processor, format, r.status, r.out, r.err, want)
			}
		}
	}
}

// TestRunTextures gives a kernel in HIP a texture and a surface, by the headers for kernels alone.
func TestRunTextures(t *testing.T) {
	if _, err := exec.LookPath("clang-22"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	source := filepath.Join(t.TempDir(), "textures.hip")
	text := `__global__ void k(float *out, hipTextureObject_t t, hipTextureObject_t b, hipSurfaceObject_t s) {
  int i = threadIdx.x;
  uchar4 v = tex2D<uchar4>(b, (i + 0.5f) / 4, 0.25f);
  float below;
  surf2Dread(&below, s, i * 4, 1);
  surf2Dwrite(below + v.w, s, i * 4, 0);
  out[i] = tex2D<float>(t, (i + 0.5f) / 4, 0.375f);
}
`
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, processor := range sweep.Some(4, "gfx1100", "gfx900", "gfx1030", "gfx1201") {
		r := simtgdb(t, "run", source, "--target", processor, "--kernel", "k", "--grid", "4", "--block", "4",
			"--arg", "buf:f32[4]", "--arg", "image:r32_sfloat[4x4]=iota", "--arg",
			"image:r8g8b8a8_uint[4x2]=iota", "--arg", "image:r32_sfloat[4x2]=iota",
			"--print", "0", "--print", "3")
		if missing := inOrder(r.out, []string{"[0] 4 5 6 7\n", "   0 7 12 17 22\n",
			"   1 4  5  6  7\n"}); missing != "" || r.status != 0 {
			t.Errorf("%s: status %d: no %q in its place in\n%s%s", processor, r.status, missing, r.out, r.err)
		}
	}
}

// TestRunImagesNone: Xe-HPC has no images, and no kernel is given one there.
func TestRunImagesNone(t *testing.T) {
	if _, err := exec.LookPath("ocloc"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	r := simtgdb(t, "run", hostPrograms+"/images.cl", "--target", "xe-hpc", "--kernel", "put_ui", "--grid",
		"2,2", "--block", "2,2", "--arg", "image:r32_uint[2x2]")
	if want := "argument 0 is an image: xe-hpc has none"; r.status != statusInput ||
		!strings.Contains(r.err, want) {
		t.Errorf("status %d: %s%s, want %q", r.status, r.out, r.err, want)
	}
}

// TestWatchTexels: a watchpoint on a texel stops in the lane whose instruction changes it, also backwards.
func TestWatchTexels(t *testing.T) {
	program(t)
	if _, err := exec.LookPath("clang-22"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	for _, of := range []string{"images.gen9.zebin", "images.cl --target gfx1100"} {
		script := filepath.Join(t.TempDir(), "watch.gdb")
		text := "target remote | bin/simtgdb serve --stdio --stop-at-end always testdata/hostprograms/" + of +
			" --kernel put_ui --grid 2,2 --block 2,2 --arg image:r32_uint[2x2]\n" + `monitor image m at 1 1
watch *(unsigned int *) 0x7e001000000c
continue
monitor image m
delete
continue
watch *(unsigned int *) 0x7e0010000004
reverse-continue
kill
`
		if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		out := runScript(t, "gdb", script)
		want := []string{"texel 1,1 of m: 0, bytes 00000000\nwatch *(unsigned int *) 0x7e001000000c\n",
			"\"wave 0 lane 3\" hit Hardware watchpoint 1", "Old value = 0\nNew value = 100\n", "   1 0 100\n",
			"\"wave 0 lane 1\" hit Hardware watchpoint 2", "Old value = 100\nNew value = 0\n"}
		if missing := inOrder(out, want); missing != "" {
			t.Errorf("%s: no %q in its place in\n%s", of, missing, out)
		}
	}
}

// TestRunImages gives kernels of Gen9 an image to read, and one to write.
func TestRunImages(t *testing.T) {
	object := hostPrograms + "/images.gen9.zebin"
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--kernel", "all_ui", "--grid", "4", "--block", "4", "--arg", "buf:u32[16]", "--arg",
			"image:r32_uint[2x2]=iota", "--print", "0"}, "  [0] 0 0 0 1 1 0 0 1\n  [8] 2 0 0 1 3 0 0 1\n"},
		{[]string{"--kernel", "put_ui", "--grid", "2,2", "--block", "2,2", "--arg", "image:r32_uint[2x2]",
			"--print", "0"}, "   0 0 100\n   1 0 100\n"},
	} {
		r := simtgdb(t, append([]string{"run", object}, c.args...)...)
		if r.status != 0 || !strings.Contains(r.out+r.err, c.want) {
			t.Errorf("%v: status %d: %s%s, want %q", c.args, r.status, r.out, r.err, c.want)
		}
	}
}
