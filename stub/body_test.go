package stub

import (
	"testing"

	"simtgdb/rsp"
	"simtgdb/simt"
)

// TestBody debugs kernels that clang has made two functions of: at every stop,
// each lane of a wave that has not ended is in the user's function or below it.
func TestBody(t *testing.T) {
	for _, kernel := range []string{"vecadd_cl", "reduce_cl", "matmul_cl"} {
		for _, target := range []string{"gfx900", "gfx90a", "gfx942"} {
			s := launched(t, kernel, kernel+"."+target+".O0")
			if s.body == nil || s.body.Name != kernel {
				t.Fatalf("%s.%s: body %+v", kernel, target, s.body)
			}
			for _, w := range s.machine.Waves() {
				if w.PC != s.body.Entry {
					t.Errorf("%s.%s: wave %d starts at %#x", kernel, target, w.ID, w.PC)
				}
			}
			if err := s.InsertSoftwareBreakpoint(rsp.Breakpoint{Address: s.body.Entry}); err != nil {
				t.Fatal(err)
			}
			stops := 0
			for stop := resume(t, s, letAllRun); stop.Kind == rsp.Stopped; stop = resume(t, s, letAllRun) {
				stops++
				for _, w := range s.machine.Waves() {
					simt.Lanes(w.Valid, func(l int) {
						if pc := w.LanePC(l); w.State != simt.Ended && s.isHidden(pc) &&
							w.Track.Returned[l] == nil {
							t.Fatalf("%s.%s: lane %d of wave %d is at %#x", kernel, target, l, w.ID, pc)
						}
					})
				}
			}
			if stops == 0 {
				t.Errorf("%s.%s: nobody comes to the body", kernel, target)
			}
		}
		if s := launched(t, kernel, kernel+".gfx90a.O2"); s.body != nil {
			t.Errorf("%s: optimised, the kernel has a body of its own: %+v", kernel, s.body)
		}
	}
}
