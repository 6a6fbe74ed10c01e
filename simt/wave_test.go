package simt

import (
	"bytes"
	"errors"
	"testing"
)

// newWave is the only wave of a machine, with tracking.
func newWave(t *testing.T, d Dispatch) *Wave {
	t.Helper()
	d.Grid, d.Block, d.Entry = [3]uint32{64, 1, 1}, [3]uint32{64, 1, 1}, 0x100
	m := newMachine(t, &toy{size: 64}, d)
	m.Track = true
	if err := m.Fill(); err != nil {
		t.Fatal(err)
	}
	return m.Waves()[0]
}

// TestScratchIsSwizzled: dword i of lane l is dword i*64+l.
func TestScratchIsSwizzled(t *testing.T) {
	w := newWave(t, Dispatch{ScratchLimit: 64})
	want := []byte{1, 2, 3, 4, 5, 6, 7}
	for l := range 64 {
		p := bytes.Clone(want)
		p[0] = byte(l)
		if n, err := w.WriteScratch(l, 6, p); n != 7 || err != nil {
			t.Fatalf("WriteScratch = %d, %v", n, err)
		}
	}
	for l := range 64 {
		p := make([]byte, 9)
		if n, err := w.ReadScratch(l, 5, p); n != 9 || err != nil {
			t.Fatalf("ReadScratch = %d, %v", n, err)
		}
		if !bytes.Equal(p, []byte{0, byte(l), 2, 3, 4, 5, 6, 7, 0}) {
			t.Errorf("lane %d has % x", l, p)
		}
	}
	if got := w.Scratch[(1*64+9)*4+2]; got != 9 {
		t.Errorf("byte 2 of dword 1 of lane 9 is %d", got)
	}
}

func TestScratchLimit(t *testing.T) {
	w := newWave(t, Dispatch{ScratchLimit: 6}) // rounded up to 8
	n, err := w.WriteScratch(63, 6, make([]byte, 4))
	var access *AccessError
	if n != 2 || !errors.As(err, &access) || access.Addr != 8 || access.Space != Scratch {
		t.Errorf("write over the limit = %d, %v", n, err)
	}
	if n, err := w.ReadScratch(0, ^uint64(0)-1, make([]byte, 4)); n != 0 || err == nil {
		t.Errorf("read at the last address = %d, %v", n, err)
	}
	if !w.GrowScratch(8*64) || w.GrowScratch(8*64+1) || len(w.Scratch) != 8*64 {
		t.Errorf("scratch has %d bytes, want %d", len(w.Scratch), 8*64)
	}
}

// TestUntouchedScratchIsZero without taking memory.
func TestUntouchedScratchIsZero(t *testing.T) {
	w := newWave(t, Dispatch{ScratchLimit: 1 << 30})
	p := []byte{1, 2, 3}
	if n, err := w.ReadScratch(5, 1<<29, p); n != 3 || err != nil || !bytes.Equal(p, make([]byte, 3)) {
		t.Errorf("ReadScratch = %d, %v, % x", n, err, p)
	}
	if len(w.Scratch) != 0 {
		t.Errorf("reading made %d bytes", len(w.Scratch))
	}
}

func TestLDSBounds(t *testing.T) {
	w := newWave(t, Dispatch{LDSSize: 8})
	if n, err := w.Group.WriteLDS(4, []byte{1, 2, 3, 4}); n != 4 || err != nil {
		t.Errorf("WriteLDS = %d, %v", n, err)
	}
	p := make([]byte, 8)
	n, err := w.Group.ReadLDS(6, p)
	var access *AccessError
	if n != 2 || !errors.As(err, &access) || access.Addr != 8 || access.Space != LDS || p[0] != 3 ||
		p[1] != 4 {
		t.Errorf("ReadLDS = %d, %v, % x", n, err, p)
	}
	if n, err := w.Group.ReadLDS(^uint64(0), p); n != 0 || err == nil {
		t.Errorf("ReadLDS at the last address = %d, %v", n, err)
	}
}
