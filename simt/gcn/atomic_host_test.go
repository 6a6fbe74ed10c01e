package gcn

import (
	"sync/atomic"
	"testing"
	"unsafe"
)

// Where a host program changes a word of memory between a kernel's reading and writing it, the kernel's
// atomic operation begins again.
func TestAtomicsBesideHost(t *testing.T) {
	memory := []uint64{100}
	at := (*uint64)(unsafe.Pointer(&memory[0]))
	interrupted := false
	host := func() {
		if !interrupted {
			interrupted = true
			atomic.AddUint64(at, 3)
		}
	}
	for name, a := range map[string]*access{
		"32 bits": atomic32(func(old, a, _ uint32) uint32 { host(); return old + a }),
		"64 bits": atomic64(func(old, a, _ uint64) uint64 { host(); return old + a }),
	} {
		var data, result [2]Vector
		data[0][0] = 5
		memory[0], interrupted = 100, false
		p := &pass{mem: unsafe.Slice((*byte)(unsafe.Pointer(at)), 8), mask: 1, shared: true, data: data[:],
			dst: result[:]}
		a.move(&Core{}, p)
		if old := result[0][0]; old != 103 || memory[0] != 108 {
			t.Errorf("%s: it was %d, want 103; it is %d, want 108", name, old, memory[0])
		}
	}
}
