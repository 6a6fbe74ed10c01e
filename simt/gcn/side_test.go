package gcn

import (
	"encoding/binary"
	"fmt"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/vec"
)

// TestSideBySide: dwords of all lanes, side by side or nearly so, are loaded and stored where each lane's
// address says, in every path: across 4 GiB, up to the end of memory and beyond it.
func TestSideBySide(t *testing.T) {
	const base, size = 0xffff_f000, 0x2000
	const last = base + size - 4*simt.MaxLanes
	was := vec.Current()
	defer vec.Use(was)
	row := func(from uint64) func(int) uint64 { return func(l int) uint64 { return from + 4*uint64(l) } }
	but := func(lane int, by uint64) func(int) uint64 {
		return func(l int) uint64 {
			if l == lane {
				return base + 4*uint64(l) + by
			}
			return base + 4*uint64(l)
		}
	}
	for name, at := range map[string]func(l int) uint64{
		"in a row": row(base), "not aligned": row(base + 3), "to the end": row(last),
		"past the end": row(last + 4), "before the beginning": row(base - 4),
		"across 4 GiB": row(1<<32 - 100), "up to 4 GiB": row(1<<32 - 256), "lane 40 elsewhere": but(40, 64),
		"lane 63 beyond 4 GiB": but(63, 1<<32),
		"around below 4 GiB":   func(l int) uint64 { return 16 + uint64(uint32(1<<32-144+4*l)) },
		"lane 0 elsewhere":     but(0, 1024),
		"backwards":            func(l int) uint64 { return base + 252 - 4*uint64(l) },
	} {
		for _, exec := range []uint64{all64, all64 >> 1, 0x5555_5555_5555_5555} {
			for _, p := range paths() {
				t.Run(fmt.Sprintf("%s, %x, %v", name, exec, p), func(t *testing.T) {
					h := newHarness(t, "gfx90a")
					h.take(p)
					r, err := h.m.Mem.Map("row", base, make([]byte, size), simt.PermRead|simt.PermWrite)
					if err != nil {
						t.Fatal(err)
					}
					for i := range r.Data {
						r.Data[i] = byte(i * 7)
					}
					checkSideBySide(t, h, r, at, exec)
				})
			}
		}
	}
}

// checkSideBySide loads v2 from where the lanes' addresses in v[0:1] say, and stores v3 there, by an address
// with 16 bytes of offset.
func checkSideBySide(t *testing.T, h *harness, r *simt.Region, at func(l int) uint64, exec uint64) {
	h.load([]uint32{0xdc508010, 0x027f0000}, []uint32{0xdc708010, 0x007f0300}, []uint32{0xbf810000})
	h.address(0, func(l int) uint64 { return r.Base - 16 })
	h.exec(all64)
	h.core.Run(h.w, 1) // which decodes
	h.w.PC = codeBase
	if h.core.native {
		h.translate()
	}
	if ev := h.core.Run(h.w, 100); ev.Kind != simt.EndEvent { // and now it is known where memory is
		t.Fatalf("stopped by %v: %v", ev.Kind, ev.Fault)
	}
	h.w.PC, h.w.State = codeBase, simt.Ready
	h.address(0, func(l int) uint64 { return at(l) - 16 })
	h.vector(2, func(l int) uint32 { return uint32(l) })
	h.vector(3, func(l int) uint32 { return uint32(0x1000 + l) })
	h.exec(exec)
	want, faulty := append([]byte(nil), r.Data...), false
	var loaded Vector
	for l := range loaded {
		loaded[l] = uint32(l)
		if exec>>l&1 == 0 {
			continue
		}
		if !r.Holds(at(l), 4) {
			faulty = true
			continue
		}
		place := at(l) - r.Base
		loaded[l] = binary.LittleEndian.Uint32(r.Data[place:])
		binary.LittleEndian.PutUint32(want[place:], uint32(0x1000+l))
	}
	ev := h.core.Run(h.w, 100)
	if faulty {
		if ev.Kind != simt.FaultEvent || ev.PC != codeBase {
			t.Errorf("stopped by %v at %#x, want a fault at %#x", ev.Kind, ev.PC, codeBase)
		}
		return
	}
	if ev.Kind != simt.EndEvent {
		t.Fatalf("stopped by %v: %v", ev.Kind, ev.Fault)
	}
	if h.regs.V[2] != loaded {
		t.Errorf("loaded %x\nwant   %x", h.regs.V[2], loaded)
	}
	if string(r.Data) != string(want) {
		t.Error("what is stored is not where it should be")
	}
}
