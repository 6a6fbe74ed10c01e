package launch

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// imageLaunch is a launch of halve.comp, with some fields in the place of the first image's.
func imageLaunch(t *testing.T, first string) File {
	t.Helper()
	module, err := filepath.Abs("../../testdata/hostprograms/halve.spv")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "l.json")
	text := `{"code_object": "` + module + `", "groups": [1, 1, 1], "bindings": [
 {"set": 0, "binding": 0, ` + first + `},
 {"set": 0, "binding": 1, "kind": "image", "format": "r8g8b8a8_unorm", "size": [8, 8], "type": "u32"},
 {"set": 0, "binding": 2, "kind": "image", "format": "r8g8b8a8_unorm", "size": [4]},
 {"set": 0, "binding": 3, "type": "f32", "count": 8},
 {"set": 0, "binding": 4, "kind": "image", "format": "r8g8b8a8_unorm", "size": [2, 2, 2], "cube": false},
 {"set": 0, "binding": 5, "kind": "sampler", "address": "border"}]}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return File{Path: path}
}

// TestImages halves a picture whose bytes count up: each result is the mean of four texels.
func TestImages(t *testing.T) {
	const picture = `"kind": "image", "format": "r8g8b8a8_unorm", "size": [16, 16], "levels": 2, "filter": "linear", ` +
		`"address": "clamp", "init": "iota"`
	spec, err := ReadSpec(imageLaunch(t, picture))
	if err != nil {
		t.Fatal(err)
	}
	p, err := spec.Load()
	if err != nil {
		t.Fatal(err)
	}
	packed, files, err := p.Pack()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"kind": "sampler"`, `"format": "r8g8b8a8_unorm"`, `"levels": 2`,
		`"size": [`,
		`"address": "border"`} {
		if !strings.Contains(string(packed), want) {
			t.Errorf("packed without %s:\n%s", want, packed)
		}
	}
	fsys := fstest.MapFS{"l.json": {Data: packed}}
	for name, data := range files {
		fsys[name] = &fstest.MapFile{Data: data}
	}
	again, err := ReadSpec(File{Path: "l.json", FS: fsys})
	if err != nil {
		t.Fatalf("%v\n%s", err, packed)
	}
	if p, err = again.Load(); err != nil {
		t.Fatalf("%v\n%s", err, packed)
	}
	run(t, p)
	var halved []byte
	for _, r := range p.Memory.Regions() {
		if r.Name == "binding 0.1" {
			halved = r.Data
		}
	}
	if len(halved) != 4*64 {
		t.Fatalf("%d bytes of a result", len(halved))
	}
	for i := range 64 {
		for c := range 4 {
			sum := 0
			for k := range 4 {
				x, y := 2*(i%8)+k%2, 2*(i/8)+k/2
				sum += (4*(16*y+x) + c) % 256
			}
			if got := halved[4*i+c]; int(got) != (sum+2)/4 && int(got) != sum/4 {
				t.Errorf("texel %d, component %d: %d, want a quarter of %d", i, c, got, sum)
			}
		}
	}
	if first := binary.LittleEndian.Uint32(halved); first != 0x25242322 {
		t.Errorf("the first is %#x", first)
	}
}

// TestImageFields: what cannot be meant is said.
func TestImageFields(t *testing.T) {
	const rgba = `"kind": "image", "format": "r8g8b8a8_unorm", `
	for first, want := range map[string]string{
		`"kind": "image", "format": "rgba8", "size": [4]`: `unknown format "rgba8"; formats are named as Vulkan's`,
		rgba +
			`"levels": 1`: "want its size, of one to three dimensions",
		rgba + `"size": [4, 4, 4, 4]`: "more than 3",
		rgba + `"size": [0, 4]`:       "an image with 0 as width",
		rgba +
			`"size": [4], "filter": "cubic"`: `unknown filter "cubic"; the filters are nearest, linear`,
		rgba +
			`"size": [4], "address": "wrap"`: `unknown address mode "wrap"; the modes are repeat`,
		rgba +
			`"size": [4], "levels": 90`: "an image with 90 as number of levels",
		rgba + `"size": [4], "type": "f31"`:    `unknown type "f31"`,
		rgba + `"size": [60000, 60000, 60000]`: "at most 2^32",
		`"kind": "storage", "type": "f32", "count": 4, "filter": "linear"`: "are for the kinds image and " +
			"sampler",
	} {
		spec, err := ReadSpec(imageLaunch(t, first))
		if err == nil {
			_, err = spec.Load()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", first, err, want)
		}
	}
}
