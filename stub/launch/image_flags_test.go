package launch

import (
	"bytes"
	"flag"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simtgdb/stub/source"
)

// flagged is the launch of a command line.
func flagged(t *testing.T, words ...string) (*Program, error) {
	t.Helper()
	var f Flags
	set := flag.NewFlagSet("run", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	f.Register(set)
	if err := set.Parse(words); err != nil {
		return nil, err
	}
	spec, err := f.Spec(set.Args())
	if err != nil {
		return nil, err
	}
	return spec.Load()
}

const (
	sobel = "../../testdata/spirv/sobel.Od.spv"
	disc  = "../../testdata/spirv/launch/disc.bin"
)

// TestImageFlags: images of the command line, by the module's names; the result is shown in letters and saved
// as a picture.
func TestImageFlags(t *testing.T) {
	picture := filepath.Join(t.TempDir(), "edges.png")
	p, err := flagged(t, "--groups", "4,4", "--binding",
		"picture=image:r8_unorm[32x32]:linear:repeat=file:"+disc, "--binding",
		"0.1=image:r32_sfloat[32x32]", "--print", "0.1", "--print", "picture,hex,count=4", "--out",
		"0.1="+picture, "--code-object", sobel)
	if err != nil {
		t.Fatal(err)
	}
	run(t, p)
	var out bytes.Buffer
	if ok, err := p.Report(&out); !ok || err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"binding picture: u8[1024]\n  [0] 0x00 0x00 0x00 0x00\n",
		"binding 0.1: 32 x 32 texels, r32_sfloat\n" +
			"texels from 0 to 4.47214\n|      ",
		"\n|            ==--%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%@@--          |\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	b, err := os.ReadFile(picture)
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := png.Decode(bytes.NewReader(b))
	if err != nil || drawn.Bounds().Dx() != 256 {
		t.Fatalf("%v %v", drawn, err)
	}
	if r, _, _, _ := drawn.At(16*8, 16*8).RGBA(); r>>8 != 228 { // 4 of 4.47
		t.Errorf("the middle is %d", r>>8)
	}
}

// TestImageArguments: textures and surfaces of PTX are arguments.
func TestImageArguments(t *testing.T) {
	const halve = `.version 7.8
.target sm_80
.address_size 64
.visible .entry halve(.param .u64 picture, .param .u64 out)
{
  .reg .b64 %rd<6>;
  .reg .b32 %r<4>;
  .reg .f32 %f<8>;
  ld.param.u64 %rd1, [picture];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %tid.y;
  tex.2d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1,%r2}];
  mul.f32 %f1, %f1, 0f3F000000;
  shl.b32 %r1, %r1, 2;
  sust.b.2d.b32.trap [%rd2, {%r1,%r2}], {%f1};
  ret;
}
`
	file := filepath.Join(t.TempDir(), "halve.ptx")
	if err := os.WriteFile(file, []byte(halve), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := flagged(t, "--grid", "4,2", "--block", "4,2", "--arg", "image:r32_sfloat[4x2]=1,2,3,4,5,6,7,8",
		"--arg", "image:r32_sfloat[4x2]", "--print", "1", file)
	if err != nil {
		t.Fatal(err)
	}
	packed, _, err := p.Pack()
	if err != nil || strings.Count(string(packed), `"image": {`) != 2 {
		t.Errorf("packed as %s, %v", packed, err)
	}
	run(t, p)
	var out bytes.Buffer
	if _, err := p.Report(&out); err != nil {
		t.Fatal(err)
	}
	if want := "texels from 0.5 to 4\n y\\x   0 1   2 3\n   0 0.5 1 1.5 2\n   1 2.5 3 3.5 4\n"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("%s, want %s", &out, want)
	}
}

// TestFilterBits: weights are exact, or have as many bits of fraction as the launch says.
func TestFilterBits(t *testing.T) {
	const between = `.version 7.8
.target sm_80
.address_size 64
.visible .entry between(.param .u64 t, .param .u64 .ptr .global out) {
  .reg .b64 %rd<3>;
  .reg .f32 %f<5>;
  ld.param.u64 %rd1, [t];
  ld.param.u64 %rd2, [out];
  mov.f32 %f1, 0f3F19999A;
  tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1,%f1}];
  st.global.f32 [%rd2], %f1;
  ret;
}
`
	file := filepath.Join(t.TempDir(), "between.ptx")
	if err := os.WriteFile(file, []byte(between), 0o600); err != nil {
		t.Fatal(err)
	}
	launch := func(bits string, words ...string) (string, error) {
		image := strings.Join(append([]string{"image:r32_sfloat[2x1]:linear"}, words...), ":") + "=0,1"
		p, err := flagged(t, "--grid", "1", "--block", "1", "--arg", image, "--arg", "buf:f32[1]",
			"--print", "1", "--filter-bits", bits, file)
		if err != nil {
			return "", err
		}
		run(t, p)
		var out bytes.Buffer
		_, err = p.Report(&out)
		return out.String(), err
	}
	for bits, want := range map[string]string{"0": "[0] 0.70000005\n", "8": "[0] 0.69921875\n",
		"2": "[0] 0.75\n"} {
		if out, err := launch(bits); err != nil || !strings.HasSuffix(out, want) {
			t.Errorf("%s bits: %q, %v, want %q", bits, out, err, want)
		}
	}
	if out, err := launch("0", "unnormalized"); err != nil || !strings.HasSuffix(out, "[0] 0.100000024\n") {
		t.Errorf("a place in texels: %q, %v", out, err)
	}
	if _, err := launch("24"); err == nil ||
		!strings.HasSuffix(err.Error(), "filter bits: 24; 0 to 23 are possible") {
		t.Errorf("24 bits: %v", err)
	}
}

// TestImageWords: what flags cannot mean of images is said.
func TestImageWords(t *testing.T) {
	for binding, want := range map[string]string{
		"picture=image:r8_unorm":                   "want FORMAT[WIDTHxHEIGHT]",
		"picture=image:r8_unorm[4x]":               `"" is no count`,
		"picture=image:rgba8[4x4]":                 `unknown format "rgba8"`,
		"picture=image:r8_unorm[4x4]:cubic":        `"cubic" says nothing of an image; the words are nearest, linear, cube, repeat`,
		"picture=image:r8_unorm[2x2]=1,2,3,4,5":    "5 values for u8[4]",
		"picture=sampler:cube":                     `"cube" says nothing`,
		"nothing=image:r8_unorm[4x4]":              `the module has no image or sampler "nothing"; it has picture, edges`,
		"picture=image:r8_unorm[4x4]=file:nowhere": "nowhere",
	} {
		p, err := flagged(t, "--groups", "1", "--binding", binding, "--binding",
			"edges=image:r32_sfloat[4x4]", sobel)
		if err == nil {
			t.Errorf("%s: %+v", binding, p)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", binding, err, want)
		}
	}
	for print, want := range map[string]string{
		"0,picture":             "a picture of a buffer wants its columns",
		"0,picture,columns=999": "64 elements are no row of 999 columns",
		"0,picture,columns=8":   "",
		"2,picture,columns=8":   "",
	} {
		p, err := flagged(t, "--grid", "64", "--block", "64", "--arg", "buf:f32[64]=iota", "--arg",
			"buf:f32[64]", "--arg", "buf:i64[64]", "--arg", "i32:64", "--print", print,
			"../../testdata/co/vecadd.gfx90a.O0.co")
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.Report(io.Discard)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", print, err, want)
		}
	}
}

// TestImageTemplate: the launch file of a shader with images, texel buffers and samplers can be launched as
// it is.
func TestImageTemplate(t *testing.T) {
	for _, file := range []string{sobel, "../../testdata/hostprograms/halve.spv"} {
		m, err := OpenModule(File{Path: file}, "")
		if err != nil {
			t.Fatal(err)
		}
		src, err := source.New(m)
		if err != nil {
			t.Fatal(err)
		}
		path, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		text := Template(src, &m.Kernels[0], path)
		spec, err := parseSpec([]byte(text), File{Path: filepath.Join(t.TempDir(), "launch.json")})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		p, err := spec.Load()
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if file != sobel && !strings.Contains(text, `"kind": "sampler"`) ||
			!strings.Contains(text, `"kind": "image"`) {
			t.Errorf("%s", text)
		}
		run(t, p)
	}
}
