package gcn

import (
	"testing"

	"simtgdb/simt"
)

// TestLanePCGlue: lanes that are switched off stand in the last statement that they executed, also where the
// glue that switches them on and off lies in the row of another, and however the code is cut into runs.
func TestLanePCGlue(t *testing.T) {
	everyPath(t, func(t *testing.T, start func(string) *harness) {
		code := []struct {
			word      uint32
			statement uint64
			begins    bool
		}{
			{0x7e000281, 1, true},  // v_mov_b32_e32 v0, 1
			{0xbe86017e, 1, false}, // s_mov_b64 s[6:7], exec
			{0xbefe0104, 1, false}, // s_mov_b64 exec, s[4:5]
			{0x7e000281, 2, true},  // v_mov_b32_e32 v0, 1
			{0x87fe067e, 2, false}, // s_or_b64 exec, exec, s[6:7]
			{0xbf800000, 2, false}, // s_nop 0
			{0xbefe0108, 2, false}, // s_mov_b64 exec, s[8:9]
			{0x7e000281, 0, false}, // v_mov_b32_e32 v0, 1
			{0xbefe0106, 0, false}, // s_mov_b64 exec, s[6:7]
			{0xbe860108, 3, true},  // s_mov_b64 s[6:7], s[8:9]
			{0xbefe0106, 3, false}, // s_mov_b64 exec, s[6:7]
		}
		// Lanes 0 to 3 execute statement 2, lanes 2 to 5 go on behind it, all begin statement 3.
		const inside, behind, all = 0x0f, 0x3c, 0xff
		for _, run := range []uint64{1, 2, 3, 5, 100} {
			h := start("gfx90a")
			h.m.Statement = func(pc uint64) (uint64, bool) {
				c := code[min((pc-codeBase)/4, uint64(len(code)-1))]
				return c.statement, c.begins
			}
			h.m.Track = true
			h.track()
			h.w.Track.Statement = h.m.Statement
			h.exec(all)
			setPair(h.regs, 4, inside)
			setPair(h.regs, 8, behind)
			var words [][]uint32
			for _, c := range code {
				words = append(words, []uint32{c.word})
			}
			h.load(words...)
			for _, step := range []struct {
				upTo int
				want map[int]int // lane: index of the instruction where it stands
			}{
				{3, map[int]int{0: 3, 4: 2, 7: 2}},
				{5, map[int]int{0: 5, 4: 5, 7: 5}},
				{7, map[int]int{0: 4, 1: 4, 2: 7, 5: 7, 6: 2, 7: 2}},
				{8, map[int]int{0: 4, 3: 8, 7: 2}},
				{11, map[int]int{0: 10, 3: 11, 7: 10}},
			} {
				goal := codeBase + 4*uint64(step.upTo)
				for h.w.PC < goal {
					if ev := h.core.Run(h.w, min(run, (goal-h.w.PC)/4)); ev.Kind != simt.NoEvent {
						t.Fatal(ev)
					}
				}
				for lane, want := range step.want {
					if got := (h.w.LanePC(lane) - codeBase) / 4; got != uint64(want) {
						t.Errorf("runs of %d, before instruction %d: lane %d at %d, want %d",
							run, step.upTo, lane, got, want)
					}
				}
			}
		}
	})
}
