package ptx

import (
	"sync/atomic"
	"testing"
	"unsafe"
)

// Where a host program changes a word of memory between a kernel's reading and writing it, the kernel's atomic
// operation begins again.
func TestAtomicsBesideHost(t *testing.T) {
	for _, size := range []int{4, 8} {
		memory := []uint64{100}
		at := unsafe.Pointer(&memory[0])
		interrupted := false
		old := changeWord(unsafe.Slice((*byte)(at), 8), size, true, func(old uint64) uint64 {
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
