package gen

import (
	"strings"
	"testing"

	"simtgdb/simt"
)

// A judge keeps what it is told of what is undefined.
type judge struct{ seen []*simt.Undefined }

func (*judge) Observe(*simt.Access) bool    { return false }
func (*judge) Fence(*simt.Wave, simt.Fence) {}
func (*judge) Arrived(simt.Event)           {}
func (*judge) Came(*simt.Wave, uint8)       {}
func (*judge) Opened(simt.Meeting)          {}
func (*judge) Together(*simt.Wave, uint64)  {}
func (*judge) Ended(*simt.Wave)             {}
func (*judge) Quiet(bool)                   {}
func (*judge) Used(*simt.Use) bool          { return false }
func (*judge) Follows() simt.Following      { return simt.Following{Undefined: true} }
func (j *judge) Undefined(u *simt.Undefined) (stop bool) {
	j.seen = append(j.seen, u)
	return true
}

// TestUndefined: the instructions of regions.asm whose names say so are undefined, for the reason given here,
// and the others, which look like them, are not. Gen9's compiled programs are the rest of the test
// (TestKernels of stub/arch/intelgt).
func TestUndefined(t *testing.T) {
	reasons := map[string]string{
		"bad-width":     "a source has rows wider than the instruction",
		"bad-vertical":  "a source has one row, and a vertical stride that is not its width",
		"bad-column":    "a source has rows of one element, and a horizontal stride",
		"bad-single":    "a source has one element, and a stride",
		"bad-zero":      "a source has no strides, and rows of several elements",
		"bad-crossing":  "a source has a row that crosses a register",
		"bad-span":      "a source has more than two registers",
		"bad-long":      "the destination has more than two registers",
		"bad-divide":    "an integer is divided by zero",
		"bad-least":     "a quotient of integers is out of range",
		"bad-remainder": "a quotient of integers is out of range",
		"bad-end":       "a message that ends the thread has a payload below r112",
	}
	for name, code := range assembledFrom(t, "testdata/regions.txt") {
		t.Run(name, func(t *testing.T) {
			b, j := newBench(t, 16), &judge{}
			b.m.AddObserver(j)
			b.set(14, [8]uint32{1, 2, 3, 4, 5, 6, 7, 8})
			b.set(16, [8]uint32{1, 2, 0, 4, 5, 6, 7, 8})
			b.set(18, [8]uint32{1, 2, 1 << 31, 4, 5, 6, 7, 8})
			b.set(20, [8]uint32{1, 2, 1<<32 - 1, 1<<32 - 1, 5, 6, 7, 8})
			b.load(code)
			ev := b.core.Run(b.w, 1)
			want, event := reasons[name], simt.WatchEvent
			if name == "bad-end" {
				event = simt.EndEvent
			}
			switch {
			case strings.HasPrefix(name, "ok-") && (len(j.seen) > 0 || ev.Kind != simt.NoEvent):
				t.Errorf("told of %+v, event %v", j.seen, ev.Kind)
			case strings.HasPrefix(name, "bad-") &&
				(len(j.seen) != 1 || j.seen[0].Text != want || ev.Kind != event):
				t.Errorf("told of %+v, event %v; want %q", j.seen, ev.Kind, want)
			case (name == "bad-divide" || name == "bad-least") && j.seen[0].Lanes != 1<<2:
				t.Errorf("lanes %#x", j.seen[0].Lanes)
			}
		})
	}
	b := newBench(t, 16)
	b.load(assembledFrom(t, "testdata/regions.txt")["bad-divide"])
	if ev := b.core.Run(b.w, 1); ev.Kind != simt.NoEvent {
		t.Errorf("while nobody looks: %v", ev.Kind)
	}
}
