package simt

import (
	"sync/atomic"
	"testing"
	"unsafe"
)

// Where a host program changes a word of memory between a kernel's reading and writing it, the kernel's
// atomic operation begins again.
func TestChangeWordBesideHost(t *testing.T) {
	for _, size := range []int{4, 8} {
		memory := []uint64{100}
		at := unsafe.Pointer(&memory[0])
		interrupted := false
		old := ChangeWord(unsafe.Slice((*byte)(at), size), func(old uint64) uint64 {
			if !interrupted {
				interrupted = true
				atomic.AddUint64((*uint64)(at), 3)
			}
			return old + 5
		})
		if old != 103 || memory[0] != 108 {
			t.Errorf("%d bytes: it was %d, want 103; it is %d, want 108", size, old, memory[0])
		}
	}
}

// Words of other sizes and places change, too, and their neighbours do not.
func TestChangeWordAnywhere(t *testing.T) {
	for _, size := range []int{1, 2, 4, 8} {
		for at := range 8 {
			p := make([]byte, 24)
			for i := range p {
				p[i] = 0x11
			}
			ChangeWord(p[at:at+size], func(old uint64) uint64 { return old + 1 })
			for i, b := range p {
				if want := byte(0x11); b != want && i != at || i == at && b != want+1 {
					t.Errorf("%d bytes at %d: byte %d is %#x", size, at, i, b)
				}
			}
		}
	}
}
