package stub

import (
	"bytes"
	"context"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPictureFiles: a client has a picture written only into the folder that the server allows, by a name
// without folders, and never through a link that lies there.
func TestPictureFiles(t *testing.T) {
	s := sessionFor(t, "--launch", testdata+"/spirv/launch/sobel.json")
	folder := t.TempDir()
	inside, outside := filepath.Join(folder, "pictures"), filepath.Join(folder, "outside.png")
	if err := os.Mkdir(inside, 0o700); err != nil {
		t.Fatal(err)
	}
	ask := func(command string) (string, error) {
		var out bytes.Buffer
		err := s.Monitor(context.Background(), command, &out)
		return out.String(), err
	}
	if out, err := ask("image picture p.png"); err == nil ||
		!strings.Contains(err.Error(), "the server writes no files") {
		t.Errorf("without a folder: %q %v", out, err)
	}
	s.Pictures(inside)
	for _, name := range []string{"../outside.png", outside, "a/b.png", `..\outside.png`, ".png",
		".hidden.png"} {
		if out, err := ask("image picture " + name); err == nil {
			t.Errorf("%s: %q", name, out)
		}
	}
	if err := os.WriteFile(outside, []byte("untouched"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(inside, "p.png")); err != nil {
		t.Fatal(err)
	}
	out, err := ask("image picture p.png")
	if err != nil || out != "32 x 32 texels in p.png\n" {
		t.Fatalf("%q %v", out, err)
	}
	if b, err := os.ReadFile(outside); err != nil || string(b) != "untouched" {
		t.Errorf("a link was followed: %q %v", b, err)
	}
	b, err := os.ReadFile(filepath.Join(inside, "p.png"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := png.Decode(bytes.NewReader(b))
	if err != nil || p.Bounds().Dx() != 256 {
		t.Fatalf("%v %v", p, err)
	}
	if files, _ := os.ReadDir(inside); len(files) != 1 {
		t.Errorf("%d files are left", len(files))
	}
}

// TestImageWords: what cannot be meant by monitor image is said, and what there is.
func TestImageWords(t *testing.T) {
	s := sessionFor(t, "--launch", testdata+"/spirv/launch/sobel.json")
	for words, want := range map[string]string{
		"image":                   "edges (0.1): 32 x 32 texels, r32_sfloat",
		"image 0.0":               "texels from 0 to 1",
		"image picture at 16 16":  "texel 16,16 of picture: ff, bytes ff\nwatch *(unsigned char *) 0x",
		"image picture at 32 0":   "no texel 32,0: there are 32 x 32",
		"image picture at":        "monitor image [NAME",
		"image picture at 1 2 3":  "monitor image [NAME",
		"image picture 1":         "no level 1: the image has 1",
		"image picture 0 1":       "no layer 1",
		"image picture 0 0 1":     "no slice 1",
		"image picture 1 2 3 4 5": "monitor image [NAME",
		"image shade":             `"shade" is no image; the launch has picture, edges`,
		"image at 4x4":            "at is no pointer to numbers",
		"image picture 0x4":       "monitor image [NAME",
	} {
		var out bytes.Buffer
		text := ""
		if err := s.Monitor(context.Background(), words, &out); err != nil {
			text = err.Error()
		}
		if text += out.String(); !strings.Contains(text, want) {
			t.Errorf("%s: %q, want %q", words, text, want)
		}
	}
}

// TestTextures: arguments of PTX that are textures are images, by their number.
func TestTextures(t *testing.T) {
	const code = ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 a, .param " +
		".u64 t)\n{\n  ret;\n}\n"
	file := filepath.Join(t.TempDir(), "k.ptx")
	if err := os.WriteFile(file, []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	s := sessionFor(t, "--grid", "1", "--block", "1", "--arg", "buf:f32[64]=iota", "--arg",
		"image:r32_sfloat[3x2]=1,2,3,4,5,6", "--code-object", file)
	var out bytes.Buffer
	for _, words := range []string{"image", "image 1", "image 1 at 2 1"} {
		if err := s.Monitor(context.Background(), words, &out); err != nil {
			t.Fatal(err)
		}
	}
	want := "texels from 1 to 6\n y\\x 0 1 2\n   0 1 2 3\n   1 4 5 6\ntexel 2,1 of 1: 6, bytes " +
		"0000c040\nwatch *(float *) 0x"
	if got := out.String(); !strings.HasPrefix(got, "1: 3 x 2 texels, r32_sfloat, at 0x") ||
		!strings.Contains(got, want) {
		t.Errorf("%s", got)
	}
	if err := s.Monitor(context.Background(), "image 0", &out); err == nil {
		t.Error("a buffer is an image")
	}
}
