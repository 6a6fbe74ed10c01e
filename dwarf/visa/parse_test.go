package visa

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/testdata/sweep"
)

// devices are the folders of testdata/igc.
var devices = []string{"skl", "icllp", "tgllp", "dg2", "pvc"}

// igcFiles lists the tables that IGC wrote for a device.
func igcFiles(t testing.TB, device string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "igc", device, "*.dbg"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no tables of %s: %v", device, err)
	}
	return files
}

func readFile(t testing.TB, elem ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(elem...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func parseFile(t testing.TB, elem ...string) *File {
	t.Helper()
	f, err := Parse(readFile(t, elem...))
	if err != nil {
		t.Fatalf("%s: %v", filepath.Join(elem...), err)
	}
	return f
}

// TestParseIGC reads every real file to its last byte, in the layout that IGC
// writes, and checks what must hold of any program's tables.
func TestParseIGC(t *testing.T) {
	programs := map[string]int{}
	for _, device := range devices {
		for _, path := range igcFiles(t, device) {
			programs[device]++
			data := readFile(t, path)
			f, err := Parse(data)
			if err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			if f.Layout != (Layout{}) {
				t.Errorf("%s: layout %v", path, f.Layout)
			}
			if got := encode(f); !bytes.Equal(got, data) {
				t.Errorf("%s: encoding the parsed tables gives other bytes", path)
			}
			checkObjects(t, path, f)
			for n := 0; n < len(data); n += 1 + len(data)/sweep.Times(20, 100) {
				if _, err := Parse(data[:n]); err == nil {
					t.Errorf("%s: the first %d of %d bytes parse", path, n, len(data))
				}
			}
			if _, err := Parse(append(bytes.Clone(data), 0)); err == nil {
				t.Errorf("%s: parses with a byte after its end", path)
			}
		}
	}
	for _, device := range devices {
		if programs[device] < 22 {
			t.Errorf("%s: %d files, expected 22", device, programs[device])
		}
	}
}

func checkObjects(t *testing.T, path string, f *File) {
	t.Helper()
	starts := map[uint32]bool{}
	for i := range f.Objects {
		starts[f.Objects[i].RelocOffset] = true
	}
	ends := 0
	for i := range f.Objects {
		o := &f.Objects[i]
		if (i == 0) != !o.IsFunction() || (o.RelocOffset == 0) != (i == 0) {
			t.Errorf("%s: object %d, %s at %#x: function is %v", path, i, o.Name, o.RelocOffset,
				o.IsFunction())
		}
		if len(o.OffsetMap) != 0 || len(o.IndexMap) == 0 {
			t.Errorf("%s: %s: %d offset and %d index mappings", path, o.Name, len(o.OffsetMap),
				len(o.IndexMap))
		}
		if starts[o.RelocOffset+o.CodeSize()] {
			ends++
		}
		for j, m := range o.IndexMap {
			if j > 0 && m.Gen < o.IndexMap[j-1].Gen {
				t.Errorf("%s: %s: index map is not sorted at %d", path, o.Name, j)
			}
			if got, _ := f.ObjectAt(o.RelocOffset + m.Gen); (got == o) != (m.Gen < o.CodeSize()) {
				t.Errorf("%s: %s+%#x: wrong object", path, o.Name, m.Gen)
			}
		}
	}
	if ends != len(f.Objects)-1 {
		t.Errorf("%s: of %d objects %d end where another one starts", path, len(f.Objects), ends)
	}
}

// TestParseSum compares one function's frame with its assembly, read by eye in
// testdata/igc/skl/recurse-O2.gen.
func TestParseSum(t *testing.T) {
	f := parseFile(t, "testdata", "igc", "skl", "recurse-O2.dbg")
	if len(f.Objects) != 2 || f.Objects[0].Name != "recurse" || f.Objects[1].Name != "sum" {
		t.Fatalf("objects: %+v", f.Objects)
	}
	save := func(reg uint16, offset int32) Save {
		return Save{Offset: reg * 32, Bytes: 32, To: Place{Storage: Memory, Offset: offset}}
	}
	live := func(p Place) Tracked {
		return Tracked{Valid: true, Live: []Interval{{Start: 0x58, End: 0x218, Virtual: General, Place: p}}}
	}
	want := FrameInfo{
		Size:          256,
		BEFP:          live(Place{Storage: General, Reg: 125, SubReg: 12}),
		CallerBEFP:    live(Place{Storage: Memory, Offset: 12}),
		ReturnAddress: live(Place{Storage: Memory, Offset: 0}),
		CalleeSaves: []SaveList{
			{Gen: 0x88, Saves: []Save{save(60, 64), save(61, 96), save(62, 128), save(63, 160)}},
			{Gen: 0x230},
		},
		CallerSaves: []SaveList{
			{Gen: 0x180, Saves: []Save{save(59, 192)}},
			{Gen: 0x1c8},
		},
	}
	if diff := cmp.Diff(want, f.Objects[1].Frame); diff != "" {
		t.Error(diff)
	}
	wantSubs := []Subroutine{{
		Name: "scale", Start: 42, End: 48,
		ReturnAddress: []Interval{{Start: 42, End: 48, Virtual: General,
			Place: Place{Storage: General, Reg: 2}}},
	}}
	if diff := cmp.Diff(wantSubs, f.Objects[0].Subroutines); diff != "" {
		t.Error(diff)
	}
}

// TestParseLayouts writes real tables in every layout and reads them back.
func TestParseLayouts(t *testing.T) {
	for _, layout := range layouts {
		for _, name := range []string{"mutual-O2.dbg", "nested-O0.dbg"} {
			want := parseFile(t, "testdata", "igc", "skl", name)
			want.Layout = layout
			f, err := Parse(encode(want))
			if err != nil {
				t.Errorf("%s in %v: %v", name, layout, err)
				continue
			}
			if name == "nested-O0.dbg" {
				// Without a sub-routine its return address has no form to tell apart.
				f.Layout.GenSubroutines = layout.GenSubroutines
			}
			if diff := cmp.Diff(want, f); diff != "" {
				t.Errorf("%s in %v: %s", name, layout, diff)
			}
		}
	}
}

func TestParsePlaces(t *testing.T) {
	for _, test := range []struct {
		word uint32
		want Place
		text string
	}{
		{12, Place{Storage: Memory, Offset: 12}, "scratch[BE_FP+12]"},
		{0x7fffffe0, Place{Storage: Memory, Offset: -32}, "scratch[BE_FP-32]"},
		{0x80000040, Place{Storage: Memory, Offset: 64, Absolute: true}, "scratch[64]"},
		{0x3fffffff, Place{Storage: Memory, Offset: 1<<30 - 1}, "scratch[BE_FP+1073741823]"},
	} {
		r := reader{data: []byte{byte(test.word), byte(test.word >> 8), byte(test.word >> 16),
			byte(test.word >> 24)}}
		got := r.place(Memory)
		if diff := cmp.Diff(test.want, got); diff != "" || r.err != nil {
			t.Errorf("%#x: %v %s", test.word, r.err, diff)
		}
		if got.String() != test.text {
			t.Errorf("%#x prints as %s, expected %s", test.word, got, test.text)
		}
	}
}

func TestParseErrors(t *testing.T) {
	data := encode(&File{Objects: []Object{{
		Name: "k",
		Variables: []Variable{{Name: "V1",
			Live: []Interval{{End: 4, Virtual: General, Place: Place{Storage: General}}}}},
	}}})
	at := func(offset int, b byte) []byte {
		d := bytes.Clone(data)
		d[offset] = b
		return d
	}
	const (
		vars      = 4 + 2 + 2 + 1 + 4 + 4 + 4
		virtual   = vars + 4 + 2 + 2 + 2 + 2 + 2
		befpValid = virtual + 1 + 1 + 4 + 2 + 2
	)
	for _, test := range []struct {
		name string
		data []byte
		want string
	}{
		{"count", at(vars+3, 0x40), "vars: 1073741825 elements"},
		{"virtual type", at(virtual, 3), "virtualType: is 3"},
		{"physical type", at(virtual+1, 4), "physicalType: is 4"},
		{"boolean", at(befpValid, 2), "befp valid: is 2"},
		{"left over", append(bytes.Clone(data), 1, 2, 3), "3 bytes left over"},
		{"cut", data[:len(data)-1], "needs 2 bytes, 1 are left"},
	} {
		_, err := ParseLayout(test.data, Layout{})
		var fe *FormatError
		if !errors.As(err, &fe) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, expected %q", test.name, err, test.want)
		}
	}
	for _, d := range [][]byte{nil, []byte("\x7fELF"), data[:3]} {
		if _, err := Parse(d); !errors.Is(err, ErrMagic) {
			t.Errorf("%q: error %v, expected ErrMagic", d, err)
		}
	}
}

func TestFromELF(t *testing.T) {
	table := readFile(t, "testdata", "igc", "skl", "noinline-O2.dbg")
	got, err := FromELF(elfWith(t, table))
	if err != nil {
		t.Fatal(err)
	}
	want := parseFile(t, "testdata", "igc", "skl", "noinline-O2.dbg")
	if len(got) != 1 || got[0].Name != ".visa" {
		t.Fatalf("sections: %+v", got)
	}
	if diff := cmp.Diff(want, got[0].File); diff != "" {
		t.Error(diff)
	}
	if _, err := FromELF(elfWith(t, table[:len(table)-1])); err == nil {
		t.Error("cut tables in a section give no error")
	}
	if _, err := FromELF(table); err == nil {
		t.Error("tables without a container are taken for ELF")
	}
}
