package cfi

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"simtgdb/dwarf/internal/dwarftest"
)

// TestWrite writes call frame information in all formats; llvm-dwarfdump prints it.
func TestWrite(t *testing.T) {
	for _, c := range []CIE{
		{}, {AddressSize: 8, DWARF64: true}, {AddressSize: 4}, {AddressSize: 4, DWARF64: true},
	} {
		c.CodeAlign, c.DataAlign, c.ReturnAddress = 1, -8, 16
		c.Instructions = Program(nil).DefCFA(7, 0).Offset(16, 1).ValOffset(7, -0x200).ValOffset(6,
			3).ValOffset(12, 0).SameValue(3)
		data, err := Write([]*FDE{
			{CIE: &c, Start: 0x401000, Range: 0x40},
			{CIE: &c, Start: 0x401040, Range: 0x10, Instructions: Program(nil).Undefined(16)},
		})
		if err != nil {
			t.Fatal(err)
		}
		checkReadBack(t, data, c.AddressSize)
		if c.AddressSize != 4 { // the object is of the other size
			checkDumped(t, data)
		}
	}
}

func checkDumped(t *testing.T, data []byte) {
	t.Helper()
	file := dwarftest.Object(t, map[string][]byte{".debug_frame": data}, 0)
	text := strings.Join(dwarftest.Lines(dwarftest.Output(t, "llvm-dwarfdump-22", "--debug-frame", file)),
		"\n")
	for _, want := range []string{
		"Code alignment factor: 1\nData alignment factor: -8\nReturn address column: 16",
		"DW_CFA_def_cfa: RSP +0\nDW_CFA_offset_extended: RIP -8\nDW_CFA_val_offset_sf: RSP 4096\n" +
			"DW_CFA_val_offset: RBP -24\nDW_CFA_val_offset: R12 0\nDW_CFA_same_value: RBX",
		"pc=00401000...00401040", "pc=00401040...00401050", "DW_CFA_undefined: RIP",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("llvm-dwarfdump does not say %q:\n%s", want, text)
		}
	}
}

func checkReadBack(t *testing.T, data []byte, addressSize int) {
	t.Helper()
	table, err := Parse(data, Options{AddressSize: addressSize, Arch: AMD64})
	if err != nil || len(table.Entries) != 3 || len(data)%max(addressSize, 1) != 0 {
		t.Fatalf("%d entries in %d bytes, %v; want a CIE and two FDEs", len(table.Entries), len(data), err)
	}
	for _, e := range table.Entries[1:] {
		if e.FDE.CIE != table.Entries[0].CIE {
			t.Errorf("the FDE at %#x has another CIE", e.FDE.Start)
		}
	}
	if f := table.FDE(0x401048); f == nil || f.Start != 0x401040 || f.Range != 0x10 {
		t.Errorf("%+v covers 0x401048", f)
	}
}

// TestWriteAgain writes what compilers wrote; the instructions stay as they are.
func TestWriteAgain(t *testing.T) {
	files, err := filepath.Glob("../../testdata/co/*.gfx90a.*.co")
	if err != nil || len(files) == 0 {
		t.Fatalf("no objects: %v", err)
	}
	for _, file := range files {
		before := load(t, file, ".debug_frame", AMDGPU)
		var fdes []*FDE
		for _, e := range before.Entries {
			if e.FDE != nil {
				e.FDE.CIE.Augmentation = ""
				fdes = append(fdes, e.FDE)
			}
		}
		data, err := Write(fdes)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		after, err := Parse(data, Options{Arch: AMDGPU})
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, f := range fdes {
			g := after.FDE(f.Start)
			if g == nil || g.Start != f.Start || g.Range != f.Range || g.CIE.CodeAlign != f.CIE.CodeAlign ||
				g.CIE.DataAlign != f.CIE.DataAlign || g.CIE.ReturnAddress != f.CIE.ReturnAddress ||
				!bytes.HasPrefix(g.Instructions, f.Instructions) {
				t.Errorf("%s: %+v, want %+v", file, g, f)
			}
		}
	}
}

// TestWriteErrors gives Write what it does not write.
func TestWriteErrors(t *testing.T) {
	for want, c := range map[string]*CIE{
		`augmentation "zR"`: {Augmentation: "zR"},
		"address size 2":    {AddressSize: 2},
	} {
		if _, err := Write([]*FDE{{CIE: c}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
