package gen

import (
	"sync/atomic"
	"testing"
	"unsafe"
)

// Where a host program changes a word of memory between a kernel's reading and writing it, the kernel's
// atomic operation begins again.
func TestAtomicsBesideHost(t *testing.T) {
	memory := []uint64{100}
	at := unsafe.Pointer(&memory[0])
	for typ, size := range map[Type]int{D: 4, Q: 8} {
		memory[0] = 100
		interrupted := false
		old, now := changeInt(unsafe.Slice((*byte)(at), size), typ, true, func(old int64) int64 {
			if !interrupted {
				interrupted = true
				atomic.AddUint64((*uint64)(at), 3)
			}
			return old + 5
		})
		if old != 103 || now != 108 || memory[0] != 108 {
			t.Errorf("%d bytes: it was %d, want 103; it is %d and %d, want 108", size, old, now, memory[0])
		}
	}
}
