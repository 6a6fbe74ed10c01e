package spirv

import "testing"

// TestEmptyStructs: values of structures without members execute, and change nothing.
func TestEmptyStructs(t *testing.T) {
	for _, track := range []bool{false, true} {
		l := launch{track: track, groups: [3]uint32{2},
			buffers: map[Slot][]byte{{0, 0, 0}: make([]byte, 2*4*16)}}
		r := l.run(t, testModule(t, "empty.spv"))
		ended(t, r)
		for i, got := range r.words(Slot{0, 0, 0}) {
			if want := uint32(i/2) * 7; got != want {
				t.Errorf("word %d is %d, want %d", i, got, want)
			}
		}
	}
}
