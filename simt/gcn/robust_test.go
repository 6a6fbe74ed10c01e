package gcn

import (
	"encoding/binary"
	"testing"

	"simtgdb/simt"
)

// TestRobustLDS: with Kernel.Robust lanes beyond the workgroup's LDS read 0 and write nothing, and the others
// do as ever (MI300 ISA, section "LDS access", of addresses out of range); without it they fault. Of an
// instruction with two places each is judged by itself.
func TestRobustLDS(t *testing.T) {
	const last = ldsSize - 4 // of lane 0; lane 1 and later are beyond
	everyPath(t, func(t *testing.T, start func(string) *harness) {
		for _, c := range []struct {
			name, inst string
			offset     uint32
			want       [2][2]uint32 // v8 and v9 of lanes 0 and 1
			stored     uint32       // the last dword of LDS afterwards
		}{
			{"load", "read_b32", 0, [2][2]uint32{{55, oldValue}, {0, oldValue}}, 55},
			{"load of two", "read_b64", 0, [2][2]uint32{{0, 0}, {0, 0}}, 55},
			{"two places", "read2_b32", 1 << 8, [2][2]uint32{{55, 0}, {0, 0}}, 55},
			{"store", "write_b32", 0, [2][2]uint32{{oldValue, oldValue}, {oldValue, oldValue}}, 100},
			{"stores to two places", "write2_b32", 1 << 8, [2][2]uint32{{oldValue, oldValue},
				{oldValue, oldValue}}, 100},
			{"atomic", "add_rtn_u32", 0, [2][2]uint32{{55, oldValue}, {0, oldValue}}, 155},
		} {
			for _, robust := range []bool{false, true} {
				h := start("gfx942")
				h.isa.Kernel.Robust = robust
				h.exec(3)
				h.vector(2, func(l int) uint32 { return last + 4*uint32(l) })
				h.vector(4, func(l int) uint32 { return 100 + uint32(l) })
				h.vector(8, func(int) uint32 { return oldValue })
				h.vector(9, func(int) uint32 { return oldValue })
				binary.LittleEndian.PutUint32(h.group.LDS[last:], 55)
				h.load(h.ds(c.inst, c.offset))
				ev := h.core.Run(h.w, 1)
				if !robust {
					if ev.Kind != simt.FaultEvent {
						t.Errorf("%s: %v, want a fault", c.name, ev.Kind)
					}
					continue
				}
				v := h.regs.V
				got := [2][2]uint32{{v[8][0], v[9][0]}, {v[8][1], v[9][1]}}
				stored := binary.LittleEndian.Uint32(h.group.LDS[last:])
				if ev.Kind != simt.NoEvent || got != c.want || stored != c.stored {
					t.Errorf("%s: %v, lanes have %d, want %d; LDS %d, want %d", c.name, ev.Kind, got, c.want,
						stored, c.stored)
				}
			}
		}
	})
}
