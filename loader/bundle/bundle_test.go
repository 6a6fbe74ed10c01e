package bundle

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/loader"
)

func testdata(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "amdgpu", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestEntries reads what clang-offload-bundler has written.
func TestEntries(t *testing.T) {
	data := testdata(t, "two.hipfb")
	entries, err := Entries(data)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"host-x86_64-unknown-linux-gnu-", "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+",
		"hipv4-amdgcn-amd-amdhsa--gfx942"}
	if diff := cmp.Diff(want, IDs(entries)); diff != "" {
		t.Error(diff)
	}
	if !entries[0].Host() || entries[1].Host() || entries[1].Kind != "hipv4" ||
		entries[1].Target != "amdgcn-amd-amdhsa--gfx90a:xnack+" {
		t.Errorf("%+v", entries[:2])
	}
	for _, e := range entries[1:] {
		if !strings.HasPrefix(string(e.Data), "\x7fELF") || uint64(len(e.Data)) != e.Size {
			t.Errorf("%s: %d bytes", e.ID, len(e.Data))
		}
	}
}

// TestInProgram reads both bundles of a host program.
func TestInProgram(t *testing.T) {
	f, err := loader.ReadELF(testdata(t, "host-with-fatbin.so"))
	if err != nil {
		t.Fatal(err)
	}
	entries, err := InProgram(f, f.SectionNamed(Section))
	if err != nil || len(entries) != 5 {
		t.Errorf("%q, error %v", IDs(entries), err)
	}
}

// one makes a bundle with one entry.
func one(id string, data string) []byte {
	b := binary.LittleEndian.AppendUint64([]byte(Magic), 1)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(Magic)+8+24+len(id)))
	b = binary.LittleEndian.AppendUint64(b, uint64(len(data)))
	b = binary.LittleEndian.AppendUint64(b, uint64(len(id)))
	return append(append(b, id...), data...)
}

func TestErrors(t *testing.T) {
	hostile := one("hip\n\x1b-"+strings.Repeat("x", 1000), "data")
	for name, data := range map[string][]byte{
		"no bundle":     []byte("ELF"),
		"no header":     []byte(Magic + "1234"),
		"no entries":    binary.LittleEndian.AppendUint64([]byte(Magic), 1),
		"many entries":  binary.LittleEndian.AppendUint64([]byte(Magic), 1<<63),
		"no contents":   hostile[:len(hostile)-1],
		"no end of ID":  hostile[:100],
		"nothing after": []byte(Magic),
	} {
		entries, err := Entries(data)
		if err == nil || strings.ContainsAny(err.Error(), "\n\x1b") || len(err.Error()) > 400 {
			t.Errorf("%s: %q, error %.500q, want one short line", name, IDs(entries), err)
		}
		if name != "no bundle" && !errors.Is(err, loader.ErrTruncated) {
			t.Errorf("%s: error %v, want ErrTruncated", name, err)
		}
	}
}

func FuzzEntries(f *testing.F) {
	f.Add(one("hip-amdgcn-amd-amdhsa--gfx90a", "data"))
	f.Add([]byte(Magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := Entries(data)
		if err != nil {
			return
		}
		for _, e := range entries {
			if e.Offset > uint64(len(data)) || e.Size > uint64(len(data))-e.Offset ||
				uint64(len(e.Data)) != e.Size {
				t.Errorf("entry %q at %d+%d of %d", e.ID, e.Offset, e.Size, len(data))
			}
		}
	})
}
