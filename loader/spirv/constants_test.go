package spirv

import (
	"encoding/binary"
	"testing"
)

// TestSpecialisedLengths: the length of an array follows from operations on specialisation constants. A
// default that makes none is no error as long as nobody launches with it.
func TestSpecialisedLengths(t *testing.T) {
	const uint, vector, a, b, parts, first, length, float, array, equal, boolean, chosen, squared = 1, 2, 3, 4, 5, 6, 7,
		8, 9, 10, 11, 12, 13
	words := []uint32{0x07230203, 0x10500, 0, 14, 0}
	add := func(op uint32, args ...uint32) {
		words = append(append(words, uint32(len(args)+1)<<16|op), args...)
	}
	add(71, a, 1, 0) // OpDecorate SpecId 0
	add(71, b, 1, 1)
	add(21, uint, 32, 0)
	add(20, boolean)
	add(22, float, 32)
	add(23, vector, uint, 2)
	add(50, uint, a, 32) // OpSpecConstant
	add(50, uint, b, 64)
	add(51, vector, parts, a, b)
	add(52, uint, first, 81, parts, 0)          // CompositeExtract
	add(52, boolean, equal, 172, b, first)      // UGreaterThan
	add(52, uint, chosen, 169, equal, b, a)     // Select
	add(52, uint, squared, 132, first, first)   // IMul
	add(52, uint, length, 134, squared, chosen) // UDiv
	add(28, array, float, length)               // OpTypeArray
	data := make([]byte, 4*len(words))
	for i, w := range words {
		binary.LittleEndian.PutUint32(data[4*i:], w)
	}
	for _, c := range []struct {
		spec map[uint32]uint64
		want uint64
	}{
		{nil, 16},                           // 32*32/64
		{map[uint32]uint64{0: 640}, 640},    // the greater is chosen
		{map[uint32]uint64{1: 16}, 32},      // likewise
		{map[uint32]uint64{0: 4, 1: 32}, 0}, // 16/32 is none
	} {
		m, err := Parse(data, c.spec)
		if c.want == 0 {
			if err == nil {
				t.Errorf("%v: no error", c.spec)
			}
			continue
		}
		if err != nil {
			t.Errorf("%v: %v", c.spec, err)
		} else if got := m.Types[array].Len; got != c.want {
			t.Errorf("%v: %d elements, want %d", c.spec, got, c.want)
		}
	}
	for i, w := range words {
		if w == 64 && words[i-1] == b {
			binary.LittleEndian.PutUint32(data[4*i:], 1<<20)
		}
	}
	if _, err := Parse(data, nil); err != nil {
		t.Errorf("a default of no elements: %v", err)
	}
}
