package gcn

import (
	"context"
	"encoding/binary"
	"slices"
	"testing"

	"simtgdb/simt"
)

// TestAddRuns executes four instructions on a wave with 10 valid lanes.
func TestAddRuns(t *testing.T) {
	mem := simt.NewMemory()
	var code []byte
	for _, w := range []uint32{0xbe8500ff, 0x11223344, 0x7e020205, 0x68020300, 0xbf810000} {
		code = binary.LittleEndian.AppendUint32(code, w)
	}
	if _, err := mem.Map("code", 0x1000, code, simt.PermRead|simt.PermExec); err != nil {
		t.Fatal(err)
	}
	isa, err := New("gfx90a", mem, Kernel{VGPRs: 8, SGPRs: 16})
	if err != nil {
		t.Fatal(err)
	}
	m, err := simt.New(mem, isa,
		simt.Dispatch{Grid: [3]uint32{10, 1, 1}, Block: [3]uint32{64, 1, 1}, Entry: 0x1000})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Fill(); err != nil {
		t.Fatal(err)
	}
	w := m.Waves()[0]
	ev, err := m.StepWave(w, 3)
	if err != nil || ev.Kind != simt.NoEvent || w.PC != 0x1010 {
		t.Fatalf("StepWave = %+v, %v; pc %#x", ev, err, w.PC)
	}
	for l := range 64 {
		want := uint32(0)
		if l < 10 {
			want = 0x11223344 + uint32(l)
		}
		if got := regsOf(w).V[1][l]; got != want {
			t.Errorf("v1[%d] = %#x, want %#x", l, got, want)
		}
	}
	if ev, err := m.Run(context.Background(), 1); err != nil || ev.Kind != simt.EndEvent {
		t.Errorf("Run = %+v, %v", ev, err)
	}
}

// TestGenericTargets: each generic target is one of the processors that it is for.
func TestGenericTargets(t *testing.T) {
	for name, want := range map[string]Target{"gfx9-generic": GFX900, "gfx9-4-generic": GFX942,
		"gfx10-1-generic": GFX1010, "gfx10-3-generic": GFX1030, "gfx11-generic": GFX1100,
		"gfx12-generic": GFX1200} {
		isa, err := New(name, simt.NewMemory(), Kernel{})
		if err != nil || isa.Target != want || !slices.Contains(Processors(), name) {
			t.Errorf("%s: %v, error %v, want %v", name, isa, err, want)
		}
	}
}

// Targets are the names of the processors of gfx9, sorted, but for the generic ones.
func Targets() (names []string) {
	for _, name := range Processors() {
		if on := targetOf(name); on&gfx9 != 0 && on.String() == name {
			names = append(names, name)
		}
	}
	return names
}
