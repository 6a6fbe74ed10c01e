package dwarf

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// macroUnit is a unit with macros, written.
func macroUnit(t testing.TB, version uint16, is64 bool, macros []Macro) map[string][]byte {
	t.Helper()
	root := NewDIE(TagCompileUnit, StringAttr(AttrName, "a.c"))
	s, err := Write([]*OutUnit{{Version: version, AddrSize: 8, Is64: is64, Root: root, Macros: macros}},
		WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func macrosOf(t testing.TB, s map[string][]byte) ([]Macro, error) {
	t.Helper()
	d, err := New(SectionsNamed(s), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d.Units()[0].Macros()
}

// TestMacros writes macros and reads them back, and copies them.
func TestMacros(t *testing.T) {
	want := []Macro{{Kind: MacroStartFile, File: 1}, {Kind: MacroDefine, Line: 3, Text: "A 1"},
		{Kind: MacroUndef, Line: 200, Text: "A"}, {Kind: MacroEndFile}}
	for _, version := range []uint16{4, 5} {
		for _, is64 := range []bool{false, true} {
			s := macroUnit(t, version, is64, want)
			got, err := macrosOf(t, s)
			if d := cmp.Diff(want, got); err != nil || d != "" {
				t.Errorf("version %d: %v, -want +got:\n%s", version, err, d)
			}
			data, err := New(SectionsNamed(s), Options{})
			if err != nil {
				t.Fatal(err)
			}
			units, err := Copy(data.Units(), CopyOptions{})
			if err != nil || !cmp.Equal(units[0].Macros, want) {
				t.Errorf("version %d: the copy has %v (%v)", version, units[0].Macros, err)
			}
		}
	}
}

// TestMacroForms reads strings by offset and macros that are imported, and says what is wrong with others.
func TestMacroForms(t *testing.T) {
	s := macroUnit(t, 5, false, []Macro{{Kind: MacroEndFile}})
	s[".debug_str"] = []byte("x\x00B (1)\x00")
	put := func(b []byte, v uint32) []byte { return binary.LittleEndian.AppendUint32(b, v) }
	head := []byte{5, 0, 0}
	for _, c := range []struct {
		name  string
		bytes []byte
		want  []Macro
		bad   bool
	}{
		{"strp", append(put(append(head, 5, 7), 2), 0), []Macro{{Kind: MacroDefine, Line: 7, Text: "B (1)"}},
			false},
		{"undef strp", append(put(append(head, 6, 7), 0), 0), []Macro{{Kind: MacroUndef, Line: 7, Text: "x"}},
			false},
		{"import", append(put(append(head, 7), 9), 0, 5, 0, 0, 1, 2, 'C', 0, 0),
			[]Macro{{Kind: MacroDefine, Line: 2, Text: "C"}}, false},
		{"import of itself", append(put(append(head, 7), 0), 0), nil, true},
		{"strp outside", append(put(append(head, 5, 7), 99), 0), nil, true},
		{"strx without a table", append(head, 11, 7, 0, 0), nil, true},
		{"version", []byte{9, 0, 0, 0}, nil, true},
		{"type", append(head, 77), nil, true},
		{"no end", append(head, 1, 2, 'C'), nil, true},
	} {
		s[".debug_macro"] = c.bytes
		got, err := macrosOf(t, s)
		if (err != nil) != c.bad || !c.bad && !cmp.Equal(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", c.name, got, err, c.want)
		}
	}
}

// TestMacroTables reads macros of a unit that has a line table, whose offset stands in their header, and
// macros whose strings are found by index (DWARF 5 section 6.3.1).
func TestMacroTables(t *testing.T) {
	want := []Macro{{Kind: MacroStartFile, Line: 2, File: 1}, {Kind: MacroUndef, Line: 3, Text: "A"},
		{Kind: MacroEndFile}}
	for _, version := range []uint16{4, 5} {
		for _, is64 := range []bool{false, true} {
			u := exampleUnit(version)
			u.Is64, u.Macros = is64, want
			s := written(t, []*OutUnit{exampleUnit(version), u}, WriteOptions{})
			d, err := New(SectionsNamed(s), Options{})
			if err != nil {
				t.Fatal(err)
			}
			got, err := d.Units()[1].Macros()
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("version %d: %v, -want +got:\n%s", version, err, diff)
			}
			top, err := d.Units()[1].Top()
			if err != nil {
				t.Fatal(err)
			}
			lines, _ := top.Uint(AttrStmtList)
			head := new(asm).fixed(2, 5).u8(2).fixed(4, lines).b
			if is64 {
				head = new(asm).fixed(2, 5).u8(3).fixed(8, lines).b
			}
			if m := s[".debug_macro"]; lines == 0 || !bytes.HasPrefix(m, head) {
				t.Errorf("version %d: the macros begin with % x, want % x", version, m, head)
			}
		}
	}
	// Two strings, of which the second has the index 0.
	u, _, err := oneEntry(t, 5, AttrMacros, FormSecOffset, Sections{
		Str: []byte("A 1\x00B\x00"), StrOffsets: new(asm).fixed(4, 12, 0).fixed(4, 4, 0).b,
		Macro: new(asm).u8(0, 5, 0, 0, 11, 7, 1, 12, 8, 0, 0).b}, new(asm).fixed(4, 1).b)
	if err != nil {
		t.Fatal(err)
	}
	want = []Macro{{Kind: MacroDefine, Line: 7, Text: "A 1"}, {Kind: MacroUndef, Line: 8, Text: "B"}}
	if got, err := u.Macros(); err != nil || !cmp.Equal(got, want) {
		t.Errorf("by index: %v, %v; want %v", got, err, want)
	}
}

func FuzzMacros(f *testing.F) {
	s := macroUnit(f, 5, false, []Macro{{Kind: MacroStartFile, File: 1},
		{Kind: MacroDefine, Line: 3, Text: "A 1"},
		{Kind: MacroEndFile}})
	f.Add(s[".debug_macro"])
	f.Add([]byte{5, 0, 0, 7, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		s[".debug_macro"] = b
		macrosOf(t, s)
	})
}
