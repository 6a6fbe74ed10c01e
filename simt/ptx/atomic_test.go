package ptx

import (
	"encoding/binary"
	"sync/atomic"
	"testing"
	"unsafe"
)

// A host program's own atomic operations and those of a kernel change a word of memory that both have, and
// none is lost.
func TestAtomicsBesideHost(t *testing.T) {
	const times = 100000
	for _, size := range []int{4, 8} {
		memory := make([]uint64, 1)
		at := unsafe.Pointer(&memory[0])
		done := make(chan bool)
		go func() {
			for range times {
				if size == 4 {
					atomic.AddUint32((*uint32)(at), 3)
				} else {
					atomic.AddUint64((*uint64)(at), 3)
				}
			}
			close(done)
		}()
		for range times {
			changeWord(unsafe.Slice((*byte)(at), 8), size, true, func(old uint64) uint64 { return old + 5 })
		}
		<-done
		if got := binary.LittleEndian.Uint64(unsafe.Slice((*byte)(at), 8)); got != 8*times {
			t.Errorf("%d bytes: %d, want %d", size, got, 8*times)
		}
	}
}
