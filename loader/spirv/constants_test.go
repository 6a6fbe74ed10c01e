package spirv

import (
	"encoding/binary"
	"strings"
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
			if err == nil || !strings.Contains(err.Error(), "0 by the specialisation constants 0=4, 1=32") {
				t.Errorf("%v: %v", c.spec, err)
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

// TestSignedLengths: operations that look at signs, as a length of an array may be made with, beside sums by
// hand.
func TestSignedLengths(t *testing.T) {
	const number, a, b, length, array, boolean, yes, one = 1, 2, 3, 4, 5, 6, 7, 8
	for _, c := range []struct {
		op   uint32
		a, b int32
		want uint64 // 0 for none
	}{
		{135, 32, 32, 1}, {135, 1024, 32, 32}, {135, -64, -16, 4}, {135, 16, 32, 0}, {135, 32, 0, 0}, // SDiv
		{138, 7, -4, 3}, {138, 8, 4, 0}, {139, -7, 4, 1}, {139, 7, 4, 3}, // SRem, SMod
		{195, 64, 3, 8}, {126, -5, 0, 5}, {114, 9, 0, 9}, // ShiftRightArithmetic, SNegate, SConvert
		{173, 1, -1, 1}, {175, -1, -1, 1}, {177, -2, -1, 1}, {179, -2, -2, 1}, // comparisons
	} {
		words := []uint32{0x07230203, 0x10500, 0, 9, 0}
		add := func(op uint32, args ...uint32) {
			words = append(append(words, uint32(len(args)+1)<<16|op), args...)
		}
		add(71, a, 1, 0) // OpDecorate SpecId 0
		add(21, number, 32, 1)
		add(20, boolean)
		add(50, number, a, 1) // OpSpecConstant
		add(43, number, b, uint32(c.b))
		add(43, number, one, 1)
		switch {
		case c.op == 126 || c.op == 114:
			add(52, number, length, c.op, a)
		case c.op >= 173 && c.op <= 179:
			add(52, boolean, yes, c.op, a, b)
			add(52, number, length, 169, yes, one, b) // Select
		default:
			add(52, number, length, c.op, a, b)
		}
		add(28, array, number, length) // OpTypeArray
		data := make([]byte, 4*len(words))
		for i, w := range words {
			binary.LittleEndian.PutUint32(data[4*i:], w)
		}
		m, err := Parse(data, map[uint32]uint64{0: uint64(uint32(c.a))})
		switch {
		case (err == nil) != (c.want > 0):
			t.Errorf("%d of %d and %d: %v, want %d", c.op, c.a, c.b, err, c.want)
		case err == nil && m.Types[array].Len != c.want:
			t.Errorf("%d of %d and %d: %d, want %d", c.op, c.a, c.b, m.Types[array].Len, c.want)
		}
	}
}
