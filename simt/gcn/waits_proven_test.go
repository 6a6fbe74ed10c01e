package gcn

import (
	"testing"

	"simtgdb/simt"
)

// TestWaitsHold: of a loop that waits for its loads it is known that it does, however many stores are under
// way; of one that uses a register on the way back before it has come, it is not.
func TestWaitsHold(t *testing.T) {
	const base = 0x10000
	nop, load, store := []uint32{0xbf800000}, []uint32{0xdc508000, 0x047f0000}, []uint32{0xdc708000,
		0x007f0500}
	wait, use, end := []uint32{0xbf8c0f70}, []uint32{0x7e060304}, []uint32{0xbf810000} // v_mov_b32 v3, v4
	back := func(n int) []uint32 { return []uint32{0xbf840000 | uint32(-n-1)&0xffff} } // s_cbranch_scc0
	for _, test := range []struct {
		name string
		code [][]uint32
		want bool
	}{
		{"waits", [][]uint32{nop, load, store, wait, use, back(6), end}, true},
		{"does not wait", [][]uint32{nop, load, store, use, back(5), end}, false},
		{"does not wait on the way back", [][]uint32{use, load, store, back(5), end}, false},
		{"stores alone", [][]uint32{nop, store, store, back(4), end}, true},
	} {
		var code []byte
		for _, in := range test.code {
			for _, w := range in {
				code = append(code, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
			}
		}
		mem := simt.NewMemory()
		if _, err := mem.Map("code", base, code, simt.PermRead|simt.PermExec); err != nil {
			t.Fatal(err)
		}
		isa, err := New("gfx90a", mem, Kernel{})
		if err != nil {
			t.Fatal(err)
		}
		c := &Core{isa: isa, mem: mem}
		if got := c.waitsHold(base); got != test.want {
			t.Errorf("%s: known to wait: %v", test.name, got)
		}
	}
}
