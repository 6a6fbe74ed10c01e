package section

import (
	"bytes"
	"errors"
	"math"
	"testing"
)

func TestLEB(t *testing.T) {
	unsigned := []struct {
		in   []byte
		want uint64
		bad  bool
	}{
		{[]byte{0x02}, 2, false},
		{[]byte{0x80, 0x01}, 128, false},
		{[]byte{0xb9, 0x64}, 12857, false},
		{[]byte{0x82, 0x80, 0x80, 0x00}, 2, false},
		{[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}, math.MaxUint64, false},
		{[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x81, 0x80, 0x00}, math.MaxUint64,
			false},
		{[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x03}, 0, true},
		{[]byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01}, 0, true},
		{[]byte{0x80}, 0, true},
		{nil, 0, true},
	}
	for _, c := range unsigned {
		r := NewReader(".debug_x", c.in, false)
		if got := r.ULEB(); got != c.want || (r.Err() != nil) != c.bad {
			t.Errorf("ULEB(% x) = %d, %v; want %d, error %v", c.in, got, r.Err(), c.want, c.bad)
		}
	}
	signed := []struct {
		in   []byte
		want int64
		bad  bool
	}{
		{[]byte{0x7e}, -2, false},
		{[]byte{0xff, 0x00}, 127, false},
		{[]byte{0x81, 0x7f}, -127, false},
		{[]byte{0x80, 0x7f}, -128, false},
		{[]byte{0x82, 0x80, 0x00}, 2, false},
		{[]byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f}, math.MinInt64, false},
		{[]byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0xff, 0x7f}, math.MinInt64, false},
		{[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00}, math.MaxInt64, false},
		{[]byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01}, 0, true},
		{append(bytes.Repeat([]byte{0x80}, 11), 0), 0, false}, // padded
		{append(bytes.Repeat([]byte{0x80}, 11), 0x7f), 0, true},
		{append(bytes.Repeat([]byte{0xff}, 11), 0), 0, true},
	}
	for _, c := range signed {
		r := NewReader(".debug_x", c.in, false)
		if got := r.SLEB(); got != c.want || (r.Err() != nil) != c.bad {
			t.Errorf("SLEB(% x) = %d, %v; want %d, error %v", c.in, got, r.Err(), c.want, c.bad)
		}
	}
}

func TestFirstErrorSticks(t *testing.T) {
	r := NewReader(".debug_x", []byte{1, 2, 3}, false)
	r.U8()
	r.U32()
	var e *Error
	if !errors.As(r.Err(), &e) || e.Section != ".debug_x" || e.Offset != 1 {
		t.Fatalf("error %v, want one of .debug_x at offset 1", r.Err())
	}
	if b := r.U8(); b != 0 || r.Len() != 0 {
		t.Errorf("after an error U8 = %d, Len = %d; want 0, 0", b, r.Len())
	}
}

func TestUint(t *testing.T) {
	data := []byte{1, 2, 3, 4, 5, 6, 7, 8}
	for size, want := range map[int][2]uint64{
		1: {0x01, 0x01}, 2: {0x0201, 0x0102}, 3: {0x030201, 0x010203},
		4: {0x04030201, 0x01020304}, 8: {0x0807060504030201, 0x0102030405060708},
	} {
		little, big := NewReader("", data, false), NewReader("", data, true)
		if got := little.Uint(size); got != want[0] {
			t.Errorf("little-endian Uint(%d) = %#x, want %#x", size, got, want[0])
		}
		if got := big.Uint(size); got != want[1] {
			t.Errorf("big-endian Uint(%d) = %#x, want %#x", size, got, want[1])
		}
	}
}
