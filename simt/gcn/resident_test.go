package gcn

import (
	"runtime"
	"testing"

	"simtgdb/simt"
)

// TestResidentWaves: a wave costs what its kernel's registers cost.
func TestResidentWaves(t *testing.T) {
	const waves, limit = 1024, 64 << 20
	mem := simt.NewMemory()
	code := []byte{0x00, 0x00, 0x81, 0xbf} // s_endpgm
	if _, err := mem.Map("code", codeBase, code, simt.PermRead|simt.PermExec); err != nil {
		t.Fatal(err)
	}
	isa, err := New("gfx90a", mem, Kernel{VGPRs: 64, SGPRs: 32})
	if err != nil {
		t.Fatal(err)
	}
	m, err := simt.New(mem, isa, simt.Dispatch{Grid: [3]uint32{64 * waves, 1, 1}, Block: [3]uint32{256, 1, 1},
		Entry: codeBase})
	if err != nil {
		t.Fatal(err)
	}
	m.Resident, m.Track = waves, true
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	if err := m.Fill(); err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if len(m.Waves()) != waves {
		t.Fatalf("%d waves are resident, want %d", len(m.Waves()), waves)
	}
	used := int64(after.HeapAlloc) - int64(before.HeapAlloc)
	t.Logf("%d waves of 64 vector registers take %d bytes", waves, used)
	if used > limit {
		t.Errorf("%d waves of 64 vector registers take %d bytes, want at most %d", waves, used, limit)
	}
	runtime.KeepAlive(m)
}

// TestHeldRegisters: registers beyond those that a kernel allocates work, and are 0 in the next wave.
func TestHeldRegisters(t *testing.T) {
	w := &simt.Wave{Size: 64}
	r := newRegs(w, 8)
	if len(r.V) != 8 || r.vector(8) != nil {
		t.Errorf("a wave of 8 registers holds %d", len(r.V))
	}
	if err := r.Write(simt.Reg{File: FileA, Index: 3}, 2, []byte{1, 2, 3, 4}); err != nil {
		t.Fatal(err)
	}
	if r.V[accBase+3][2] != 0x04030201 {
		t.Errorf("a3 = %#x", r.V[accBase+3][2])
	}
	again := newRegs(w, 8)
	again.hold(vectorFile)
	var p [4]byte
	if err := again.Read(simt.Reg{File: FileA, Index: 3}, 2, p[:]); err != nil || p != [4]byte{} {
		t.Errorf("the next wave's a3 is % x, %v", p, err)
	}
}
