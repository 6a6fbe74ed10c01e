package decode

import (
	"encoding/binary"
	"strings"
	"testing"
)

// zebinText is the memory of the tests: strings by their addresses.
func zebinText(addr uint64) (string, bool) {
	s, ok := map[uint64]string{0x100: "%d %s %f\n", 0x200: "name", 0x300: "%v2d|%ld\n",
		0x400: "plain\n"}[addr]
	return s, ok
}

// zebinRecords makes a buffer of dwords behind the header.
func zebinRecords(dwords ...uint32) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(4+4*len(dwords)))
	for _, d := range dwords {
		b = binary.LittleEndian.AppendUint32(b, d)
	}
	return b
}

// TestZebin reads records in the layout that IGC's code writes.
func TestZebin(t *testing.T) {
	b := zebinRecords(0x100, 0, 3, 0xffffffff, 5, 0x200, 0, 8, 0, 0x3ff80000, // -1, "name", 1.5
		0x400, 0, 0x300, 0, 11, 2, 7, 0xfffffff7, 6, 5, 1)
	z := NewZebin(zebinText)
	var got []string
	for {
		r, ok, err := z.Next(b, Gone)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		got = append(got, string(r.Text))
	}
	want := "-1 name 1.500000\nplain\n7,-9|4294967301\n"
	if strings.Join(got, "") != want || z.At() != len(b) {
		t.Errorf("%q up to %d of %d, want %q", got, z.At(), len(b), want)
	}
	for _, c := range []struct {
		buf  []byte
		want string // in the error; "" if the record is not complete
	}{
		{zebinRecords(0x100, 0, 3, 1, 5, 0x200), ""},
		{zebinRecords(0x100, 0, 3, unwritten), ""},
		{zebinRecords(unwritten, unwritten, 3, 1), ""},
		{zebinRecords(0x999, 0), "no format is at 0x999"},
		{zebinRecords(0x100, 0, 77, 1), `a value with tag 77 for "%d"`},
		{zebinRecords(0x100, 0, 3, 1, 5, 0x201, 0, 8, 0, 0), "no string is at 0x201"},
		{zebinRecords(0x300, 0, 11, 17, 1, 2), "a vector of 17 elements"},
	} {
		_, ok, err := NewZebin(zebinText).Next(c.buf, Writing)
		if ok || (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("% x: %v, error %v; want %q", c.buf, ok, err, c.want)
		}
	}
}

// TestZebinVectors: elements of vectors have the sizes of their types' tags, 9 to 14, as compute-runtime's
// print_formatter.h names them: byte, short, int, long, float, double. A vector of smaller ones than 4 bytes
// takes 4 for each.
func TestZebinVectors(t *testing.T) {
	for _, c := range []struct {
		tag    uint32
		format string
		dwords []uint32
		want   string
	}{
		{9, "%v2hhd\n", []uint32{0x0000fe05, 0}, "5,-2\n"},
		{10, "%v2hd\n", []uint32{0xfffe0005, 0}, "5,-2\n"},
		{11, "%v2hld\n", []uint32{5, 0xfffffffe}, "5,-2\n"},
		{12, "%v2ld\n", []uint32{5, 0, 0xfffffffe, 0xffffffff}, "5,-2\n"},
		{13, "%v2hlf\n", []uint32{0x3fc00000, 0xc0000000}, "1.500000,-2.000000\n"},
		{14, "%v2lf\n", []uint32{0, 0x3ff80000, 0, 0xc0000000}, "1.500000,-2.000000\n"},
	} {
		text := func(addr uint64) (string, bool) {
			return map[uint64]string{0x500: c.format, 0x600: "end\n"}[addr], true
		}
		b := zebinRecords(append(append([]uint32{0x500, 0, c.tag, 2}, c.dwords...), 0x600, 0)...)
		z := NewZebin(text)
		var got string
		for range 2 {
			r, ok, err := z.Next(b, Gone)
			if err != nil || !ok {
				t.Errorf("tag %d: %v, %v", c.tag, ok, err)
			}
			got += string(r.Text)
		}
		if got != c.want+"end\n" {
			t.Errorf("tag %d: %q, want %q", c.tag, got, c.want)
		}
	}
}

// FuzzZebin walks anything.
func FuzzZebin(f *testing.F) {
	f.Add(zebinRecords(0x100, 0, 3, 1, 5, 0x200, 0, 8, 0, 0), false)
	f.Add(zebinRecords(0x300, 0, 11, 2, 7, 9, 6, 5, 1), true)
	f.Fuzz(func(t *testing.T, b []byte, gone bool) {
		w := Writing
		if gone {
			w = Gone
		}
		z := NewZebin(zebinText)
		for {
			at := z.At()
			r, ok, err := z.Next(b, w)
			if !ok || err != nil {
				return
			}
			if r.Offset != at || z.At() != at+r.Size || z.At() > len(b) || r.Size < 8 {
				t.Fatalf("record at %d of %d bytes, then %d of %d", at, r.Size, z.At(), len(b))
			}
		}
	})
}
