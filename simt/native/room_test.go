//go:build linux && amd64

package native

import (
	"encoding/binary"
	"runtime"
	"testing"
	"unsafe"
)

// storing is code of at least so many bytes that stores a number where its context points.
func storing(v uint32, size int) []byte {
	code := []byte{0x49, 0xc7, 0x01} // movq $v, (%r9)
	code = binary.LittleEndian.AppendUint32(code, v)
	return append(append(code, 0xc3), make([]byte, size)...)
}

// TestPlaces: code that is still referred to stays what it is while the places of other code are given to
// more, of all sizes, also larger than any place.
func TestPlaces(t *testing.T) {
	var kept []*Code
	seen, again := map[uintptr]bool{}, 0
	for round := 0; again < 100 && round < 1000; round++ {
		for size := range largestBits + 2 {
			if size > blockBits && round%8 > 0 {
				continue
			}
			c, err := Load(storing(uint32(len(kept)), 1<<size))
			if err != nil {
				t.Fatal(err)
			}
			if seen[c.At(0)] {
				again++
			}
			seen[c.At(0)] = true
			if (round+size)%7 == 0 {
				kept = append(kept, c)
			}
		}
		runtime.GC()
	}
	for i, c := range kept {
		var got uint64
		if c.Call(unsafe.Pointer(&got)); got != uint64(i) {
			t.Fatalf("code %d of %d stores %d", i, len(kept), got)
		}
	}
	if rooms.none || again == 0 {
		t.Errorf("%d were loaded to where other code was; the system has no such memory: %v",
			again, rooms.none)
	}
}

func BenchmarkLoad(b *testing.B) {
	code := storing(0, 6000)
	for b.Loop() {
		if _, err := Load(code); err != nil {
			b.Fatal(err)
		}
	}
}
