package launch

import (
	"testing"

	"simtgdb/simt"
)

// Whether workgroups may run beside each other is each kernel's own affair, whichever of a module's has run
// before.
func TestResidentOrder(t *testing.T) {
	m, err := OpenModuleData([]byte(`.version 8.0
.target sm_80
.address_size 64
.global .u32 counter;
.visible .entry plain() { ret; }
.visible .entry counts() { .reg .b32 %r<2>; atom.global.add.u32 %r1, [counter], 1; ret; }
`), "sm_80")
	if err != nil {
		t.Fatal(err)
	}
	r := NewResident(m)
	mem := simt.NewMemory()
	parts, err := Segments(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range parts {
		if _, err := mem.Map(s.Name, s.Addr, s.Data, s.Perm); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		for i, ordered := range []bool{false, true} {
			k := &m.Kernels[i]
			p, err := r.Prepare(mem, &Call{Kernel: k, Grid: Dims{64, 1, 1}, Block: Dims{32, 1, 1}})
			if err != nil {
				t.Fatal(err)
			}
			if got := p.hasAtomics(); got != ordered {
				t.Errorf("%s shows the order of workgroups: %v, want %v", k.Name, got, ordered)
			}
		}
	}
}
