package section

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"
)

// TestAppend writes LEB128 numbers as the standard's examples have them (DWARF 5 figures 7.1 and 7.2), and
// reads them back.
func TestAppend(t *testing.T) {
	for v, want := range map[uint64][]byte{0: {0}, 2: {2}, 127: {0x7f}, 128: {0x80, 1}, 129: {0x81, 1},
		12857: {0xb9, 0x64}, math.MaxUint64: {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}} {
		b := AppendULEB([]byte{7}, v)
		if !bytes.Equal(b[1:], want) || b[0] != 7 {
			t.Errorf("%d is % x, want % x", v, b[1:], want)
		}
		r := NewReader("", b[1:], false)
		if got := r.ULEB(); got != v || r.Len() != 0 {
			t.Errorf("%d is read as %d", v, got)
		}
	}
	for v, want := range map[int64][]byte{0: {0}, 2: {2}, -2: {0x7e}, 63: {0x3f}, 64: {0xc0, 0}, -64: {0x40},
		-65: {0xbf, 0x7f}, 127: {0xff, 0}, -127: {0x81, 0x7f}, 128: {0x80, 1}, -128: {0x80, 0x7f},
		129: {0x81, 1}, -129: {0xff, 0x7e},
		math.MinInt64: {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f},
		math.MaxInt64: {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0}} {
		b := AppendSLEB([]byte{7}, v)
		if !bytes.Equal(b[1:], want) || b[0] != 7 {
			t.Errorf("%d is % x, want % x", v, b[1:], want)
		}
		r := NewReader("", b[1:], false)
		if got := r.SLEB(); got != v || r.Len() != 0 {
			t.Errorf("%d is read as %d", v, got)
		}
	}
}

// read is what each reading method makes of bytes.
var read = map[string]func(r *Reader) any{
	"U8":         func(r *Reader) any { return r.U8() },
	"U16":        func(r *Reader) any { return r.U16() },
	"U32":        func(r *Reader) any { return r.U32() },
	"U64":        func(r *Reader) any { return r.U64() },
	"ULEB":       func(r *Reader) any { return r.ULEB() },
	"SLEB":       func(r *Reader) any { return r.SLEB() },
	"CString":    func(r *Reader) any { return string(r.CString()) },
	"Bytes":      func(r *Reader) any { return string(r.Bytes(2)) },
	"length":     func(r *Reader) any { n, _ := r.InitialLength(); return n },
	"is64":       func(r *Reader) any { _, is64 := r.InitialLength(); return is64 },
	"offset":     func(r *Reader) any { return r.SectionOffset(false) },
	"offset64":   func(r *Reader) any { return r.SectionOffset(true) },
	"End of 2":   func(r *Reader) any { return r.End(2) },
	"End of all": func(r *Reader) any { return r.End(uint64(r.Len())) },
}

// TestReads reads with each method, in a part that begins and ends within the section: the value, where the
// reader is then, or what is wrong.
func TestReads(t *testing.T) {
	for _, c := range []struct {
		method string
		bytes  []byte
		big    bool
		want   any
		used   uint64
		err    string
	}{
		{"U8", []byte{9, 8}, false, uint8(9), 1, ""},
		{"U8", nil, false, uint8(0), 0, "1 bytes expected, 0 are left"},
		{"U16", []byte{1, 2, 3}, false, uint16(0x201), 2, ""},
		{"U16", []byte{1, 2, 3}, true, uint16(0x102), 2, ""},
		{"U32", []byte{1, 2, 3, 4}, false, uint32(0x04030201), 4, ""},
		{"U32", []byte{1, 2, 3}, false, uint32(0), 0, "4 bytes expected, 3 are left"},
		{"U64", []byte{1, 2, 3, 4, 5, 6, 7, 8}, false, uint64(0x0807060504030201), 8, ""},
		{"U64", []byte{1, 2, 3, 4, 5, 6, 7, 8}, true, uint64(0x0102030405060708), 8, ""},
		{"ULEB", []byte{0x81, 1, 5}, false, uint64(129), 2, ""},
		{"SLEB", []byte{0xff, 0x7e, 5}, false, int64(-129), 2, ""},
		{"CString", []byte("ab\x00c"), false, "ab", 3, ""},
		{"CString", []byte("\x00c"), false, "", 1, ""},
		{"CString", []byte("ab"), false, "", 0, "string without an end"},
		{"Bytes", []byte("abc"), false, "ab", 2, ""},
		{"Bytes", []byte("ab"), false, "ab", 2, ""},
		{"Bytes", []byte("a"), false, "", 0, "2 bytes expected, 1 are left"},
		{"length", []byte{0xef, 0xff, 0xff, 0xff}, false, uint64(0xffffffef), 4, ""},
		{"is64", []byte{0xef, 0xff, 0xff, 0xff}, false, false, 4, ""},
		{"length", []byte{0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, 2, 0, 0, 0}, false, uint64(0x2_0000_0001), 12,
			""},
		{"is64", []byte{0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, 2, 0, 0, 0}, false, true, 12, ""},
		{"length", []byte{0xf0, 0xff, 0xff, 0xff}, false, uint64(0), 4, "reserved unit length 0xfffffff0"},
		{"length", []byte{0xfe, 0xff, 0xff, 0xff}, false, uint64(0), 4, "reserved unit length 0xfffffffe"},
		{"is64", []byte{0xfe, 0xff, 0xff, 0xff}, false, false, 4, "reserved unit length 0xfffffffe"},
		{"offset", []byte{1, 2, 3, 4, 5, 6, 7, 8}, false, uint64(0x04030201), 4, ""},
		{"offset64", []byte{1, 2, 3, 4, 5, 6, 7, 8}, false, uint64(0x0807060504030201), 8, ""},
		{"End of 2", []byte{1, 2, 3}, false, uint64(3 + 2), 0, ""},
		{"End of 2", []byte{1}, false, uint64(3), 0, "length 0x2 where 0x1 bytes are left"},
		{"End of all", []byte{1, 2}, false, uint64(3 + 2), 0, ""},
	} {
		data := append(append([]byte{0xaa, 0xaa, 0xaa}, c.bytes...), 0xbb, 0, 0xbb, 0xbb, 0xbb, 0xbb, 0xbb,
			0xbb)
		all := NewReader(".debug_x", data, c.big)
		r := all.At(3)
		r.Limit(3 + uint64(len(c.bytes)))
		if r.Len() != len(c.bytes) || r.BigEndian() != c.big {
			t.Errorf("%d bytes are left of %d", r.Len(), len(c.bytes))
		}
		got := read[c.method](&r)
		if got != c.want || r.Offset() != 3+c.used || (r.Err() != nil) != (c.err != "") {
			t.Errorf("%s of % x: %v at %d, %v; want %v at %d, %q", c.method, c.bytes, got, r.Offset(),
				r.Err(),
				c.want, 3+c.used, c.err)
		}
		var e *Error
		if c.err != "" && (!errors.As(r.Err(), &e) || e.Offset != 3+c.used || e.Problem != c.err ||
			!strings.HasPrefix(r.Err().Error(), ".debug_x at offset 0x")) {
			t.Errorf("%s of % x: error %v, want %q", c.method, c.bytes, r.Err(), c.err)
		}
		if all.Len() != len(data) || all.Offset() != 0 {
			t.Errorf("the whole section has %d bytes from %d on", all.Len(), all.Offset())
		}
	}
}

// TestAfterError: after an error every method gives nothing, and the error and the position stay.
func TestAfterError(t *testing.T) {
	for name, f := range read {
		r := NewReader(".debug_x", []byte{0xf0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6, 7}, false)
		r.U8()
		r.Fail("the first")
		r.Fail("another")
		switch got := f(&r); got {
		case uint8(0), uint16(0), uint32(0), uint64(0), int64(0), "", false:
		default:
			if !strings.HasPrefix(name, "End") || got != uint64(1) {
				t.Errorf("%s gives %v", name, got)
			}
		}
		if r.Offset() != 1 || r.Len() != 0 || r.Err().Error() != ".debug_x at offset 0x1: the first" {
			t.Errorf("after %s: at %d, %v", name, r.Offset(), r.Err())
		}
	}
}

// TestPlaces goes to the ends of a section, and of a part, and behind them.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		name string
		f    func(r *Reader)
		at   uint64
		left int
		err  string
	}{
		{"to the end", func(r *Reader) { r.Seek(8) }, 8, 0, ""},
		{"behind the end", func(r *Reader) { r.Seek(9) }, 0, 0,
			"offset 0x9 is outside of the section (0x8 bytes)"},
		{"back", func(r *Reader) { r.Seek(8); r.Seek(2) }, 2, 6, ""},
		{"a part to the end", func(r *Reader) { r.Limit(8) }, 0, 8, ""},
		{"a part behind it", func(r *Reader) { r.Limit(9) }, 0, 0,
			"extends to 0x9, the section has 0x8 bytes"},
		{"a part before the position", func(r *Reader) { r.Seek(3); r.Limit(2) }, 3, 0,
			"extends to 0x2, the section has 0x8 bytes"},
		{"an empty part", func(r *Reader) { r.Seek(3); r.Limit(3) }, 3, 0, ""},
		{"behind a part", func(r *Reader) { r.Limit(5); r.Seek(6) }, 0, 0,
			"offset 0x6 is outside of the section (0x5 bytes)"},
		{"a reader in it", func(r *Reader) { *r = r.At(6) }, 6, 2, ""},
		{"a reader behind it", func(r *Reader) { *r = r.At(9) }, 0, 0,
			"offset 0x9 is outside of the section (0x8 bytes)"},
		{"a length of more than 63 bits", func(r *Reader) { r.End(1 << 63) }, 0, 0,
			"length 0x8000000000000000 where 0x8 bytes are left"},
	} {
		r := NewReader(".debug_x", make([]byte, 8), false)
		c.f(&r)
		if r.Offset() != c.at || r.Len() != c.left || (r.Err() == nil) != (c.err == "") ||
			r.Err() != nil && !strings.HasSuffix(r.Err().Error(), ": "+c.err) {
			t.Errorf("%s: at %d with %d left, %v; want %d with %d, %q", c.name, r.Offset(), r.Len(), r.Err(),
				c.at, c.left, c.err)
		}
	}
}

// TestBytesAreCut: what is appended to bytes that were read does not change the section.
func TestBytesAreCut(t *testing.T) {
	data := []byte("ab\x00cd")
	r := NewReader("", data, false)
	_ = append(r.CString(), 'x')
	_ = append(r.Bytes(1), 'y')
	if string(data) != "ab\x00cd" {
		t.Errorf("the section is %q", data)
	}
}
