package gcn

import (
	"testing"

	"simtgdb/simt"
)

// TestWorkItemIDs starts waves of three-dimensional workgroups: a lane has
// the ids that ENABLE_VGPR_WORKITEM_ID says and no others, packed or not.
func TestWorkItemIDs(t *testing.T) {
	for _, processor := range Targets() {
		packed := targetOf(processor)&gfx90aP != 0
		for enabled := range 3 {
			mem := simt.NewMemory()
			isa, err := New(processor, mem, Kernel{WorkItemIDs: enabled, VGPRs: 8, SGPRs: 16})
			if err != nil {
				t.Fatal(err)
			}
			m, err := simt.New(mem, isa, simt.Dispatch{Grid: [3]uint32{4, 2, 8}, Block: [3]uint32{4, 2, 8}})
			if err != nil {
				t.Fatal(err)
			}
			if err := m.Fill(); err != nil {
				t.Fatal(err)
			}
			r := regsOf(m.Waves()[0])
			for l := range uint32(64) {
				var want [3]uint32
				for i, id := range []uint32{l % 4, l / 4 % 2, l / 8}[:enabled+1] {
					if packed {
						want[0] |= id << (10 * i)
					} else {
						want[i] = id
					}
				}
				if got := [3]uint32{r.V[0][l], r.V[1][l], r.V[2][l]}; got != want {
					t.Fatalf("%s, ENABLE_VGPR_WORKITEM_ID %d: lane %d has %#x, want %#x", processor, enabled,
						l, got, want)
				}
			}
		}
	}
}
