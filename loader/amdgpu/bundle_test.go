package amdgpu

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"simtgdb/loader"
	"simtgdb/loader/bundle"
)

// makeBundle writes an offload bundle. The header of an entry is its offset,
// its size and its ID with the length before it.
func makeBundle(ids []string, entries [][]byte) []byte {
	headers := len(bundle.Magic) + 8
	for _, id := range ids {
		headers += 24 + len(id)
	}
	b := binary.LittleEndian.AppendUint64([]byte(bundle.Magic), uint64(len(ids)))
	offset := headers
	for i, id := range ids {
		b = binary.LittleEndian.AppendUint64(b, uint64(offset))
		b = binary.LittleEndian.AppendUint64(b, uint64(len(entries[i])))
		b = binary.LittleEndian.AppendUint64(b, uint64(len(id)))
		b = append(b, id...)
		offset += len(entries[i])
	}
	for _, e := range entries {
		b = append(b, e...)
	}
	return b
}

func TestBundleErrors(t *testing.T) {
	object := readTestdata(t, "bare-gfx90a.co")
	const id = "hipv4-amdgcn-amd-amdhsa--gfx90a"
	one := func(id string, entry []byte) []byte { return makeBundle([]string{id}, [][]byte{entry}) }
	change := func(at int, v uint64) []byte {
		b := one(id, object)
		binary.LittleEndian.PutUint64(b[at:], v)
		return b
	}
	first := len(bundle.Magic) + 8
	tests := []struct {
		name, target string
		data         []byte
		part         string
	}{
		{"no entries", "", makeBundle(nil, nil), "has no AMD GPU code object"},
		{"only a host entry", "", one("host-x86_64-unknown-linux-gnu-", nil), "has no AMD GPU code object"},
		{"other device", "", one("openmp-nvptx64-nvidia-cuda--sm_80", object), "has no AMD GPU code object"},
		{"many entries", "", change(len(bundle.Magic), 1<<60), "bundle entry 1"},
		{"offset", "", change(first, 1<<40), "past the end"},
		{"size", "", change(first+8, ^uint64(0)), "past the end"},
		{"long ID", "", change(first+16, ^uint64(0)), "ID of bundle entry 0"},
		{"empty entry", "", one(id, nil), "bundle entry " + id + ": offset 0x0: empty file"},
		{"bundle in a bundle", "", one(id, one(id, object)), "offload bundle inside"},
		{"compressed entry", "", one(id, []byte("CCOB\x02\x00\x01\x00")), "compressed offload bundle (zstd)"},
		{"entry of another target", "", one("hip-amdgcn-amd-amdhsa--gfx942", object),
			"amdgcn-amd-amdhsa--gfx90a"},
		{"entry with another setting", "", one(id+":xnack+", object), "amdgcn-amd-amdhsa--gfx90a"},
		{"same target twice", "gfx90a", makeBundle([]string{id, id}, [][]byte{object, object}),
			"no single code object for target"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := OpenWith(tt.data, loader.Options{Target: tt.target})
			if err == nil || !strings.Contains(err.Error(), tt.part) {
				t.Errorf("error %v, want %q", err, tt.part)
			}
		})
	}
	both := makeBundle([]string{id, id + ":sramecc-"}, [][]byte{object, object})
	if m, err := OpenWith(both, loader.Options{Target: "gfx90a"}); err != nil || m.BundleID != id {
		t.Errorf("of two entries that gfx90a fits, the one with that ID was not opened: %v", err)
	}
	// The second byte of the flags has the settings: SRAM ECC any, XNACK off or on.
	off, on := patched(t, "bare-gfx90a.co", loader.FlagsOffset+1, 6), patched(t, "bare-gfx90a.co",
		loader.FlagsOffset+1, 7)
	either := makeBundle([]string{id + ":xnack+", id + ":xnack-"}, [][]byte{on, off})
	if m, err := OpenWith(either, loader.Options{Target: "gfx90a"}); err != nil ||
		m.BundleID != id+":xnack-" {
		t.Errorf("of entries with and without XNACK, the one without was not opened: %v", err)
	}
	if _, err := Open(either); err == nil {
		t.Error("one of two entries was opened, and nobody has said which")
	}
	if m, err := Open(one(id, object)); err != nil || m.BundleID != id {
		t.Errorf("a bundle as it should be: %v", err)
	}
}

// The section of a host program must begin with a bundle.
func TestFatbinErrors(t *testing.T) {
	data := readTestdata(t, "host-with-fatbin.so")
	at := strings.Index(string(data), bundle.Magic)
	_, err := Open(patched(t, "host-with-fatbin.so", at, []byte("CCOB\x02\x00\x01\x00")...))
	if !errors.Is(err, loader.ErrCompressedBundle) || !strings.Contains(err.Error(), bundle.Section) {
		t.Errorf("error %v, want one about a compressed bundle in %s", err, bundle.Section)
	}
	_, err = Open(patched(t, "host-with-fatbin.so", at+len(bundle.Magic), 0xff))
	if err == nil || !strings.Contains(err.Error(), bundle.Section) {
		t.Errorf("error %v, want one about %s", err, bundle.Section)
	}
}

func TestTargetIDs(t *testing.T) {
	for in, want := range map[string]string{
		"gfx90a":                 "gfx90a",
		"gfx90a:xnack+":          "gfx90a:xnack+",
		"gfx90a:xnack-:sramecc+": "gfx90a:sramecc+:xnack-",
		"gfx9-4-generic:xnack+":  "gfx9-4-generic:xnack+",
		"":                       "error",
		"sm_80":                  "error",
		"gfx90a:xnack":           "error",
		"gfx90a:":                "error",
		"gfx90a:+":               "error",
		"gfx90a:speed+":          "error",
	} {
		id, err := parseTargetID(in)
		got := id.String()
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("target ID %q is read as %q (%v), want %q", in, got, err, want)
		}
	}
	for in, want := range map[string]string{
		"amdgcn-amd-amdhsa--gfx9-4-generic": "gfx9-4-generic",
		"amdgcn-amd-amdhsa-unknown-gfx900":  "gfx900",
		"amdgcn-amd-amdpal--gfx900":         "error",
		"amdgcn-amd-amdhsa":                 "error",
		"amdgcn":                            "error",
		"spirv64-amd-amdhsa--gfx900":        "error",
		"nvptx64-nvidia-cuda--sm_80":        "error",
		"gfx900":                            "error",
	} {
		id, err := parseTargetTriple(in)
		got := id.String()
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("target %q is read as %q (%v), want %q", in, got, err, want)
		}
	}
}
