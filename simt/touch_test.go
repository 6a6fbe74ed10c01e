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
