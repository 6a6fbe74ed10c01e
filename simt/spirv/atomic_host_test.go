package spirv

import (
	host "sync/atomic"
	"testing"
	"unsafe"
)

// Where a host program changes a word of memory between a kernel's reading and writing it, the kernel's
// atomic operation begins again.
func TestAtomicsBesideHost(t *testing.T) {
	memory := []uint64{100}
	at := unsafe.Pointer(&memory[0])
	for _, size := range []uint64{4, 8} {
		memory[0] = 100
		interrupted := false
		w := window{data: unsafe.Slice((*byte)(at), 8)}
		old := new(core).change(&w, &access{}, 0, size, func(old uint64) uint64 {
			if !interrupted {
				interrupted = true
				host.AddUint64((*uint64)(at), 3)
			}
			return old + 5
		})
		if old != 103 || memory[0] != 108 {
			t.Errorf("%d bytes: it was %d, want 103; it is %d, want 108", size, old, memory[0])
		}
	}
}
