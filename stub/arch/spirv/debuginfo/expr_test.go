package debuginfo

import (
	"encoding/binary"
	"slices"
	"testing"

	"simtgdb/dwarf/expr"
	"simtgdb/loader/spirv"
)

// TestRegistered: each scalar of each id's value has a number of its own, which leads back to it.
func TestRegistered(t *testing.T) {
	seen := map[uint64]bool{}
	for _, id := range []uint32{0, 1, 77, spirv.MaxBound - 1} {
		for _, n := range []int{0, 1, 255} {
			number := Register(id, n)
			if i, k, ok := Registered(number); i != id || k != n || !ok || seen[number] {
				t.Errorf("scalar %d of %d is %d of %d, %v", n, id, k, i, ok)
			}
			seen[number] = true
		}
	}
	for _, number := range []uint64{0, Register(0, 0) - 1, Register(spirv.MaxBound, 0)} {
		if _, _, ok := Registered(number); ok {
			t.Errorf("%d is a register of a value", number)
		}
	}
}

// TestInBuffer: a variable in a buffer lies where a pointer's lane leads to, or some bytes on; any other
// location says nothing of the kind. The bytes are those of DWARF 5 and of "DWARF Extensions For
// Heterogeneous Debugging".
func TestInBuffer(t *testing.T) {
	// DW_OP_LLVM_user: push_lane; DW_OP_lit8, DW_OP_mul, DW_OP_LLVM_user: offset; DW_OP_deref.
	ofLane := []byte{0xe9, 0x03, 0x38, 0x1e, 0xe9, 0x04, 0x06}
	regx := func(id uint32, n int, then ...byte) []byte {
		return append(binary.AppendUvarint([]byte{0x90}, Register(id, n)), append(ofLane, then...)...)
	}
	for _, c := range []struct {
		location []byte
		id       uint32
		offset   uint64
		ok       bool
	}{
		{regx(5, 0), 5, 0, true}, {regx(700, 0, 0x23, 4), 700, 4, true}, // DW_OP_plus_uconst
		{regx(5, 0, 0x23, 0x80, 0x02), 5, 256, true},
		{regx(5, 1), 0, 0, false}, {regx(5, 0, 0x23), 5, 0, false},
		{regx(5, 0, 0x23, 4, 0x9f), 700, 4, false},
		{regx(5, 0, 0x9f), 5, 0, false}, {regx(5, 0)[:8], 0, 0, false}, {nil, 0, 0, false},
		{[]byte{0x90}, 0, 0, false}, {[]byte{0x90, 5}, 0, 0, false}, {[]byte{expr.OpAddr, 1}, 0, 0, false},
	} {
		id, offset, ok := InBuffer(c.location)
		if ok != c.ok || ok && (id != c.id || offset != c.offset) {
			t.Errorf("% x: %d, %d, %v, want %d, %d, %v", c.location, id, offset, ok, c.id, c.offset, c.ok)
		}
	}
}

// TestSpecialisedCounts: the lengths of arrays that depend on specialisation, each once: COUNT of
// speclayout.comp, of which two types are, and TWICE of spec.comp, which is computed of another constant.
func TestSpecialisedCounts(t *testing.T) {
	for name, wants := range map[string]struct {
		counts int
		op     bool
	}{"speclayout.Od.spv": {1, false}, "spec.Od.spv": {1, true}, "layout.Od.spv": {0, false}} {
		m := testModule(t, name)
		counts := SpecialisedCounts(m)
		if len(counts) != wants.counts {
			t.Errorf("%s: %d, want %d", name, len(counts), wants.counts)
		}
		for _, id := range counts {
			if c := m.Constants[id]; c == nil || (c.Op == spirv.OpSpecConstantOp) != wants.op {
				t.Errorf("%s: %+v", name, c)
			}
		}
		if !slices.IsSorted(counts) || len(slices.Compact(slices.Clone(counts))) != len(counts) {
			t.Errorf("%s: %v", name, counts)
		}
	}
}
