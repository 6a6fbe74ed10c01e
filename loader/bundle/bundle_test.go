package bundle

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
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

// TestBundlesInSection reads bundles one behind the other, with padding between them, and what is none.
func TestBundlesInSection(t *testing.T) {
	first, second := one("host-x86_64--", "abc"), one("hip-amdgcn-amd-amdhsa--gfx90a", "defg")
	empty := binary.LittleEndian.AppendUint64([]byte(Magic), 0)
	padding := make([]byte, 4096-len(first))
	for _, c := range []struct {
		name string
		data []byte
		ids  []string
		want string // of the error
	}{
		{"two", slices.Concat(first, padding, second, padding), []string{"host-x86_64--",
			"hip-amdgcn-amd-amdhsa--gfx90a"}, ""},
		{"without padding", slices.Concat(first, second, first), []string{"host-x86_64--",
			"hip-amdgcn-amd-amdhsa--gfx90a", "host-x86_64--"}, ""},
		{"one of no entries between them", slices.Concat(empty, first, empty, second, empty),
			[]string{"host-x86_64--", "hip-amdgcn-amd-amdhsa--gfx90a"}, ""},
		{"no bundle", []byte("text"), nil, "section .hip_fatbin: "},
		{"the second cut off", slices.Concat(first, padding, second[:len(second)-1]), nil,
			"section .hip_fatbin: offload bundle: "},
	} {
		f := &loader.ELF{Data: c.data, Sections: []loader.ELFSection{{Section64: elf.Section64{
			Type: uint32(elf.SHT_PROGBITS), Size: uint64(len(c.data))}, Name: Section}}}
		entries, err := InProgram(f, 0)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
			}
			continue
		}
		if diff := cmp.Diff(c.ids, IDs(entries)); err != nil || diff != "" {
			t.Errorf("%s: %v, -want +got:\n%s", c.name, err, diff)
			continue
		}
		for i, want := range []string{"abc", "defg"} {
			e := entries[i]
			if string(e.Data) != want || cap(e.Data) != len(want) || e.Size != uint64(len(want)) {
				t.Errorf("%s: entry %d has %q", c.name, i, e.Data)
			}
		}
	}
	f := &loader.ELF{Data: first, Sections: []loader.ELFSection{{Section64: elf.Section64{
		Type: uint32(elf.SHT_PROGBITS), Off: 1, Size: uint64(len(first))}, Name: Section}}}
	if _, err := InProgram(f, 0); !errors.Is(err, loader.ErrTruncated) {
		t.Errorf("a section that is not in the file: %v", err)
	}
}

// TestSizes: where a bundle's header and entries may end, to the byte.
func TestSizes(t *testing.T) {
	whole := one("hip-t", "data")
	for n := range whole {
		if _, err := Entries(whole[:n:n]); err == nil {
			t.Errorf("%d bytes of %d: no error", n, len(whole))
		}
	}
	for _, id := range []string{"", "h", "hip-t"} { // at the end of the file, as what it names has no bytes
		b := one(id, "")
		binary.LittleEndian.PutUint64(b[len(Magic)+8:], 0)
		entries, err := Entries(b)
		if err != nil || len(entries) != 1 || entries[0].ID != id || entries[0].Size != 0 {
			t.Errorf("an entry %q without bytes: %v, %v", id, entries, err)
		}
		if n := len(b) - 1; id != "" {
			if _, err := Entries(b[:n:n]); !errors.Is(err, loader.ErrTruncated) {
				t.Errorf("an entry %q that is cut off: %v", id, err)
			}
		}
	}
	none := binary.LittleEndian.AppendUint64([]byte(Magic), 0)
	if entries, err := Entries(none); err != nil || len(entries) != 0 {
		t.Errorf("of no entries: %v, %v", entries, err)
	}
	for _, c := range []struct {
		at   int // of a number in the entry: its offset, its size, the length of its ID
		n    uint64
		want string // its data, or "!"
	}{{0, 0, "__CL"}, {0, uint64(len(whole)) - 3, "!"}, {0, 1 << 63, "!"}, {8, 0, ""}, {8, 5, "!"},
		{8, 1<<64 - 1, "!"}, {16, 1 << 62, "!"}} {
		b := append([]byte{}, whole...)
		binary.LittleEndian.PutUint64(b[len(Magic)+8+c.at:], c.n)
		entries, err := Entries(b)
		if c.want == "!" && !errors.Is(err, loader.ErrTruncated) ||
			c.want != "!" && (err != nil || string(entries[0].Data) != c.want) {
			t.Errorf("%d at %d: %v, %v; want %q", c.n, c.at, entries, err, c.want)
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
