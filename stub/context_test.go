package stub

import (
	"bytes"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/stub/symfile"
	"simtgdb/stub/threads"
)

// TestFrameBase executes functions instruction by instruction, prologues and
// epilogues included: their variables on the stack stay where they are.
func TestFrameBase(t *testing.T) {
	for _, object := range []string{"demo.gfx900.O0", "demo.gfx90a.O0", "demo.gfx942.O0", "calls.gfx90a.O0"} {
		t.Run(object, func(t *testing.T) {
			name, _, _ := strings.Cut(object, ".")
			s := launched(t, name, object)
			w := s.machine.Waves()[0]
			slot := slices.IndexFunc(s.symbols.Slots, func(v symfile.Slot) bool {
				return bytes.Equal(v.FrameBase, []byte{0x90, 33 + 32})
			})
			if slot < 0 {
				t.Fatal("no variable is on the stack")
			}
			places := map[*simt.Call]uint64{}
			checked := 0
			for n := 0; w.State != simt.Ended && n < 4000; n++ {
				if ev, err := s.machine.StepWave(w, 1); err != nil || ev.Kind == simt.FaultEvent {
					t.Fatalf("%#x: %v %v", w.PC, err, ev.Fault)
				}
				s.frames.Forget()
				lane := bits.TrailingZeros64(w.Active())
				if lane == simt.MaxLanes || w.Track.Innermost[lane] == nil {
					continue
				}
				call := w.Track.Innermost[lane]
				at := s.frames.SlotAddress(&s.frames.Of(w, lane)[0], slot) & threads.OffsetMask
				if was, ok := places[call]; ok && was != at {
					t.Fatalf("pc %#x, lane %d: a variable of the frame was at %#x, now at %#x", w.PC, lane,
						was, at)
				}
				places[call] = at
				checked++
			}
			if checked < 500 {
				t.Errorf("only %d addresses checked", checked)
			}
		})
	}
}

// TestKernelWithoutFrameBase reads a private array of optimised kernels, which
// have no frame base, before its elements are changed: table[k] is k*7 - id.
func TestKernelWithoutFrameBase(t *testing.T) {
	for _, target := range []string{"gfx900", "gfx90a", "gfx942"} {
		s := launched(t, "private_array", "private_array."+target+".O2")
		slot := slices.IndexFunc(s.symbols.Slots, func(v symfile.Slot) bool { return v.Name == "table" })
		if slot < 0 {
			t.Fatalf("%s: no variable table", target)
		}
		const lane = 5
		w := s.machine.Waves()[0]
		found := false
		for n := 0; w.State != simt.Ended && !found; n++ {
			if _, err := s.machine.StepWave(w, 1); err != nil {
				t.Fatal(err)
			}
			s.frames.Forget()
			at := s.frames.SlotAddress(&s.frames.Of(w, lane)[0], slot)
			if space, _, ok := s.arch.Aperture(at); !ok || space != simt.Scratch {
				t.Fatalf("%s: table is at %#x", target, at)
			}
			found = true
			for k := range 50 {
				word := s.word(t, lane+1, at+uint64(4*k))
				found = found && int16(word) == int16(2*k*7-lane) && int16(word>>16) == int16((2*k+1)*7-lane)
			}
		}
		if !found {
			t.Errorf("%s: table never has its elements", target)
		}
	}
}
