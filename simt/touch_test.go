package simt

import "testing"

// TestTouch: memory that is about to be written keeps what it holds, wherever it begins and ends.
func TestTouch(t *testing.T) {
	b := make([]byte, 3*pageSize+5)
	for i := range b {
		b[i] = byte(i)
	}
	touch(nil)
	for _, part := range [][]byte{b, b[1 : pageSize+2], b[2*pageSize+3:], b[:0]} {
		touch(part)
	}
	for i := range b {
		if b[i] != byte(i) {
			t.Fatalf("byte %d is %#x", i, b[i])
		}
	}
}

// TestTouchOnce: memory is touched once for all who are about to write there, from where it has not been.
func TestTouchOnce(t *testing.T) {
	m := NewMemory()
	r, err := m.Alloc("data", 4*pageSize+5, PermRead|PermWrite)
	if err != nil {
		t.Fatal(err)
	}
	m.snapshot()
	for _, c := range []struct{ first, last, want uint64 }{
		{0, 1, 2 * pageSize}, {0, 1, 0}, {1, 2, pageSize}, {0, 4, pageSize + 5}, {2, 4, 0}} {
		touched := 0
		m.keep(r, c.first, c.last, func(b []byte) { touched += len(b) })
		if uint64(touched) != c.want {
			t.Errorf("pages %d to %d: %d bytes are touched, want %d", c.first, c.last, touched, c.want)
		}
	}
}
