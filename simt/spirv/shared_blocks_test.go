package spirv

import (
	"math"
	"testing"
)

// TestSharedBlocks: blocks in workgroup memory are the same memory.
func TestSharedBlocks(t *testing.T) {
	l := launch{groups: [3]uint32{2}, buffers: map[Slot][]byte{{0, 0, 0}: make([]byte, 4*32)}}
	r := l.run(t, testModule(t, "aliased.spv"))
	ended(t, r)
	for i, got := range r.words(Slot{0, 0, 0}) {
		if want := math.Float32bits(float32(i%31) + 1.5); got != want {
			t.Errorf("invocation %d reads %#x, want %#x", i, got, want)
		}
	}
}
