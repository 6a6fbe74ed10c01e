package spirv

import (
	"slices"
	"testing"
)

// TestImportedFunctions: what calls of functions of OpenCL C's library are read as, by names that clang gives
// them.
func TestImportedFunctions(t *testing.T) {
	for _, c := range []struct {
		symbol string
		args   int
		op     int  // -1 if they are none of these
		second bool // the last operand is the call's second
		also   []uint32
	}{
		{"_Z10atomic_maxPU3AS1Vii", 2, 238, true, nil},
		{"_Z10atomic_maxPU3AS3Vjj", 2, 239, true, nil},
		{"_Z8atom_minPU3AS1Vll", 2, 236, true, nil},
		{"_Z10atomic_incPU3AS1Vi", 1, 232, false, nil},
		{"_Z14atomic_cmpxchgPU3AS1Viii", 3, 230, true, nil},
		{"_Z16atomic_fetch_maxPU3AS4VU7_Atomicjj", 2, 239, true, nil},
		{"_Z25atomic_fetch_min_explicitPU3AS4VU7_Atomicii12memory_order12memory_scope", 4, 236, true, nil},
		{"_Z15convert_double4Dv4_l", 1, 111, false, nil},
		{"_Z19convert_double4_rtzDv4_m", 1, 112, false, []uint32{decRounding}},
		{"_Z20convert_uint_sat_rtpd", 1, 109, false, []uint32{decSaturated, decRounding}},
		{"_Z13convert_half4Dv4_d", 1, 115, false, nil},
		{"__to_global", 1, 123, false, nil},
		{"_Z17sub_group_barrierj", 1, 224, false, nil},
		{"_Z11convert_inti", 1, -1, false, nil},
		{"_Z10atomic_oddPU3AS1Vii", 2, -1, false, nil},
		{"_Z99atomic_maxPU3AS1Vii", 2, -1, false, nil},
		{"_Z10atomic_max", 0, -1, false, nil},
		{"_Z15convert_doub", 1, -1, false, nil},
		{"_Z8convert_i", 1, -1, false, nil},
		{"", 1, -1, false, nil},
	} {
		words := append([]uint32{41}, literalWords(c.symbol)...)
		imported := decoration{words[0], append(words[1:], 1)}
		p := &Program{def: map[uint32]*raw{}, decorations: map[uint32][]decoration{7: {imported}}}
		call := &raw{op: 57, typ: 1, res: 2, args: []uint32{7, 10, 11, 12, 13}[:1+c.args]}
		f := p.provided(call)
		if f == nil {
			if c.op >= 0 {
				t.Errorf("%q is nothing", c.symbol)
			}
			continue
		}
		var also []uint32
		for _, d := range f.also {
			also = append(also, d.kind)
		}
		if int(f.op) != c.op || !slices.Equal(also, c.also) {
			t.Errorf("%q is %d with %v, want %d with %v", c.symbol, f.op, also, c.op, c.also)
		}
		if c.second && f.args[len(f.args)-1] != uint32(11) {
			t.Errorf("%q: operands %v", c.symbol, f.args)
		}
	}
}

// literalWords is a string as instructions have it.
func literalWords(s string) []uint32 {
	words := make([]uint32, len(s)/4+1)
	for i := range len(s) {
		words[i/4] |= uint32(s[i]) << (i % 4 * 8)
	}
	return words
}
