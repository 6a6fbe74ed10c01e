package rows

import (
	"slices"
	"testing"
)

// TestEntries: the core executes up to the next entry, an entry at which code does nothing is left alone
// after a while, and an access has another slot only if there is memory that it has not had.
func TestEntries(t *testing.T) {
	e := NewEntries(5)
	e.At[3] = 1
	for at := int32(2); at >= 0; at-- {
		e.Reach(at)
	}
	e.Reach(3)
	if want := []int32{3, 2, 1, 0, 0}; !slices.Equal(e.Ahead, want) {
		t.Errorf("%d instructions ahead, want %d", e.Ahead, want)
	}
	times := 0
	for ; e.At[3] != 0 && times < 1000; times++ {
		e.Bail(3)
	}
	if times < 2 || times == 1000 {
		t.Errorf("left alone after %d times", times)
	}
	memory := make([]byte, 8)
	c := Code{Accesses: make([]Access, 2), Slots: make([]Slot, 2)}
	for i, step := range []struct {
		miss   uint64
		slot   Slot
		filled bool
	}{{0, SlotOf(16, memory), false}, {2, SlotOf(16, memory), true}, {2, SlotOf(16, memory), false},
		{2, Slot{}, false}, {2, SlotOf(32, memory), true}} {
		filled := c.Fill(&Context{Miss: step.miss}, func(a *Access) Slot {
			if a != &c.Accesses[1] {
				t.Errorf("step %d: the slot is of another access", i)
			}
			return step.slot
		})
		if filled != step.filled || step.miss > 0 && c.Slots[1] != step.slot || c.Slots[0] != (Slot{}) {
			t.Errorf("step %d: filled %v, slots %v", i, filled, c.Slots)
		}
	}
}
