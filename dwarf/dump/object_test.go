package dump

import (
	"encoding/binary"
	"fmt"
	"os"
	"testing"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/objfile"
)

// dumper opens an object of testdata and gives its first unit.
func dumper(t *testing.T, name string) (*Dumper, *dwarf.Unit) {
	t.Helper()
	data, err := os.ReadFile("../../testdata/co/" + name + ".co")
	if err != nil {
		t.Fatal(err)
	}
	o, err := objfile.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	d := New(o)
	if d.data == nil || len(d.Faults()) > 0 {
		t.Fatalf("%v", d.Faults())
	}
	return d, d.data.Units()[0]
}

// TestConverts looks at what names the base types of conversions.
func TestConverts(t *testing.T) {
	d, u := dumper(t, "types.gfx90a.O0")
	root, err := u.Root()
	if err != nil {
		t.Fatal(err)
	}
	base := root.Child(dwarf.TagBaseType)
	if base == nil {
		t.Fatal("the unit has no base type")
	}
	code := binary.AppendUvarint([]byte{expr.OpConvert}, base.Offset-u.Offset)
	short := fmt.Sprintf("DW_OP_convert (0x%08x) %q", base.Offset, base.Name())
	long := fmt.Sprintf("DW_OP_convert (0x%08x -> 0x%08x) %q", base.Offset-u.Offset, base.Offset, base.Name())
	for _, test := range []struct {
		verbose bool
		want    string
	}{{false, short}, {true, long}} {
		d.Verbose, d.printers = test.verbose, map[*dwarf.Unit]*expr.Printer{}
		if got := d.expression(u, code); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
	if got, want := d.expression(u, []byte{expr.OpConvert, 1}),
		"DW_OP_convert <invalid base_type ref: 0x1>"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestEncodings prints the same byte in all encodings.
func TestEncodings(t *testing.T) {
	d, u := dumper(t, "saxpy.gfx90a.O0")
	for encoding, want := range map[*expr.Encoding]string{
		nil: "<decoding error> ed", expr.Old: "DW_OP_LLVM_bit_overlay",
		expr.Intel: "DW_OP_INTEL_push_simd_lane",
	} {
		d.Encoding, d.printers = encoding, map[*dwarf.Unit]*expr.Printer{}
		if got := d.expression(u, []byte{0xed}); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
