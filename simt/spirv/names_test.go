package spirv

import (
	"fmt"
	"testing"
)

// TestSlotNames: a register of the name of an id has its value, and no two have the same.
func TestSlotNames(t *testing.T) {
	for _, name := range []string{"cl_returns.cl.spv", "matmul.O.spv", "layout.Od.spv"} {
		p, err := New(testModule(t, name), Options{})
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, n := range p.slotNames() {
			if seen[n] {
				t.Errorf("%s: two registers %s", name, n)
			}
			seen[n] = true
		}
		for id, v := range p.values {
			for k := range v.typ.slots {
				want := fmt.Sprintf("id%d", id)
				if v.typ.slots > 1 {
					want = fmt.Sprintf("id%d_%d", id, k)
				}
				slot, ok := p.SlotOf(id, k)
				if own, _, _ := p.IDOf(slot); !ok || own == id && p.slotNames()[slot] != want {
					t.Errorf("%s: scalar %d of %%%d is %q", name, k, id, p.slotNames()[slot])
				}
			}
		}
	}
}
