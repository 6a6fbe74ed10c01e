package simt

import "testing"

// TestTouch: memory that is about to be written keeps what it holds, wherever it begins and ends, and what is
// said to be in memory is what was asked for, at least, and no more than there is.
func TestTouch(t *testing.T) {
	b := make([]byte, 3*pageSize+5)
	for i := range b {
		b[i] = byte(i)
	}
	for _, part := range [][]byte{nil, b, b[1 : pageSize+2], b[2*pageSize+3:], b[:0]} {
		for n := range uint64(len(part) + 1) {
			if there := touch(part, n); there < n || there > uint64(len(part)) {
				t.Fatalf("of %d of %d bytes %d are there", n, len(part), there)
			}
		}
	}
	for i := range b {
		if b[i] != byte(i) {
			t.Fatalf("byte %d is %#x", i, b[i])
		}
	}
}

// TestTouchOnce: memory is touched once for all who are about to write there, from where it is not known to
// be in memory; what was found to be there behind it is touched no more.
func TestTouchOnce(t *testing.T) {
	m := NewMemory()
	r, err := m.Alloc("data", 8*keptAround+5, PermRead|PermWrite)
	if err != nil {
		t.Fatal(err)
	}
	end := uint64(len(r.Data))
	m.snapshot()
	for _, c := range []struct{ lo, hi, more, want uint64 }{
		{0, 2 * keptAround, 0, 2 * keptAround}, {0, 2 * keptAround, 0, 0},
		{keptAround, 3 * keptAround, 0, keptAround},
		{3 * keptAround, 4 * keptAround, keptAround + 1, keptAround}, {4 * keptAround, 5 * keptAround, 0, 0},
		{5 * keptAround, 6 * keptAround, end, keptAround}, {6 * keptAround, end, 0, 0}} {
		touched := uint64(0)
		r.touch(c.lo, c.hi, func(b []byte, n uint64) uint64 {
			touched += n
			if &b[0] != &r.Data[c.hi-n] || uint64(len(b)) != end-(c.hi-n) {
				t.Errorf("%d to %d: %d bytes are given, to be touched from %d on", c.lo, c.hi, len(b), c.hi-n)
			}
			return min(n+c.more, uint64(len(b)))
		})
		if touched != c.want {
			t.Errorf("%d to %d: %d bytes are touched, want %d", c.lo, c.hi, touched, c.want)
		}
	}
	m.snapshot() // memory may have been taken away since
	r.touch(0, keptAround, func(_ []byte, n uint64) uint64 { end = 0; return n })
	if end != 0 {
		t.Error("after another snapshot memory is taken to be there still")
	}
}
