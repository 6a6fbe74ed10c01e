package spirv

import (
	"encoding/binary"
	"testing"
)

// TestTruthsHeldOverBarriers: two subgroups run on one core, in turns, and each branches behind a barrier by
// a bool that it has computed before. What a core knows of a bool is of the wave that computed it.
func TestTruthsHeldOverBarriers(t *testing.T) {
	const (
		void, fn, u32, u64, pointer, boolT, v3, pin, ids, main, out            = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12
		entry, loaded, wide, truth, at, id, half, scope, semantics, yes, no    = 13, 14, 15, 16, 17, 18, 20, 21, 22, 23, 24
		behind, then, otherwise, input, localID, workgroup, acquireRelease     = 25, 26, 27, 1, 27, 2, 0x108
		ulessThan, uconvert, controlBarrier, ptrAccessChain, extract, selector = 176, 113, 224, 67, 81, 247
	)
	m := newModule(addresses, kernelCapability)
	m.add(15, 6, main, binary.LittleEndian.Uint32([]byte("k\x00\x00\x00")))
	m.add(71, ids, 11, localID)
	m.add(19, void)
	m.add(21, u32, 32, 0)
	m.add(21, u64, 64, 0)
	m.add(32, pointer, scCrossWorkgroup, u32)
	m.add(33, fn, void, pointer)
	m.add(20, boolT)
	m.add(23, v3, u64, 3)
	m.add(32, pin, input, v3)
	m.add(59, pin, ids, input)
	for c, v := range map[uint32]uint32{half: 32, scope: workgroup, semantics: acquireRelease, yes: 7,
		no: 9} {
		m.add(43, u32, c, v)
	}
	m.add(54, void, main, 0, fn)
	m.add(55, pointer, out)
	m.add(248, entry)
	m.add(61, v3, loaded, ids)
	m.add(extract, u64, wide, loaded, 0)
	m.add(uconvert, u32, id, wide)
	m.add(ptrAccessChain, pointer, at, out, wide)
	m.add(ulessThan, boolT, truth, id, half)
	m.add(controlBarrier, scope, scope, semantics)
	m.add(selector, behind, 0)
	m.add(250, truth, then, otherwise)
	for block, value := range map[uint32]uint32{then: yes, otherwise: no} {
		m.add(248, block)
		m.add(62, at, value)
		m.add(249, behind)
	}
	m.add(248, behind)
	m.add(253)
	m.add(56)
	l := launch{block: [3]uint32{64, 1, 1}, args: make([]byte, 8), o: Options{SubgroupSize: 32},
		pointer: map[uint64]Slot{0: {0, 0, 0}}, buffers: map[Slot][]byte{{0, 0, 0}: make([]byte, 256)}}
	r := l.run(t, *m)
	ended(t, r)
	for i, got := range r.words(Slot{0, 0, 0}) {
		if want := []uint32{7, 9}[i/32]; got != want {
			t.Fatalf("work-item %d has %d, want %d", i, got, want)
		}
	}
}
