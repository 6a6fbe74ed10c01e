package simt

import (
	"encoding/binary"
	"sync/atomic"
	"unsafe"
)

// ChangeWord changes a word of 4 or 8 bytes that a host program may change by its own atomic operations
// meanwhile: of its changes none is lost. It gives what the word was. The function may be called again with
// what the word is by then; words off their alignment, which no host changes at once, change in two steps.
func ChangeWord(p []byte, to func(old uint64) uint64) (old uint64) {
	at := unsafe.Pointer(&p[0])
	switch aligned := uintptr(at)%uintptr(len(p)) == 0; {
	case len(p) == 4 && aligned:
		w := (*uint32)(at)
		for {
			old := atomic.LoadUint32(w)
			if atomic.CompareAndSwapUint32(w, old, uint32(to(uint64(old)))) {
				return uint64(old)
			}
		}
	case len(p) == 8 && aligned:
		w := (*uint64)(at)
		for {
			if old = atomic.LoadUint64(w); atomic.CompareAndSwapUint64(w, old, to(old)) {
				return old
			}
		}
	}
	var word [8]byte
	copy(word[:], p)
	old = binary.LittleEndian.Uint64(word[:])
	binary.LittleEndian.PutUint64(word[:], to(old))
	copy(p, word[:])
	return old
}
