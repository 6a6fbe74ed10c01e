package gcn

import (
	"context"
	"testing"

	"simtgdb/simt"
)

// TestReuse: a core goes on with the next machine where its blocks are good for it,
// with the breakpoints and the observers that are that machine's.
func TestReuse(t *testing.T) {
	mem := simt.NewMemory()
	code := []byte{0x01, 0x02, 0x02, 0x7e, 0, 0, 0x81, 0xbf} // v_mov_b32 v1, s1; s_endpgm
	if _, err := mem.Map("code", codeBase, code, simt.PermRead|simt.PermExec); err != nil {
		t.Fatal(err)
	}
	pool := &simt.CorePool{}
	machine := func(processor string, mem *simt.Memory) *simt.Machine {
		isa, err := New(processor, mem, Kernel{VGPRs: 8, SGPRs: 16})
		if err != nil {
			t.Fatal(err)
		}
		m, err := simt.New(mem, isa, simt.Dispatch{Grid: [3]uint32{64, 1, 1}, Block: [3]uint32{64, 1, 1},
			Entry: codeBase})
		if err != nil {
			t.Fatal(err)
		}
		m.Cores = pool
		return m
	}
	run := func(m *simt.Machine) simt.EventKind {
		ev, err := m.Run(context.Background(), 1)
		if err != nil {
			t.Fatal(err)
		}
		return ev.Kind
	}
	first := machine("gfx90a", mem)
	core := first.ISA().NewCore(first).(*Core)
	if b := core.block(codeAt{pc: codeBase}); len(b.insts) != 2 {
		t.Fatalf("%d instructions", len(b.insts))
	}
	next := machine("gfx90a", mem)
	if !core.Reuse(next) || core.m != next || core.blocks.Find(codeAt{pc: codeBase}) == nil {
		t.Error("the next launch does not have the block")
	}
	if core.Reuse(machine("gfx942", mem)) || core.Reuse(machine("gfx90a", simt.NewMemory())) {
		t.Error("another processor, or another memory, has the block")
	}
	for range 3 {
		if kind := run(machine("gfx90a", mem)); kind != simt.EndEvent {
			t.Errorf("ended with %v", kind)
		}
	}
	stopped := machine("gfx90a", mem)
	stopped.SetBreakpoint(codeBase + 4)
	if stopped.Plain() {
		t.Error("a machine with a breakpoint is plain")
	}
	if err := stopped.Fill(); err != nil {
		t.Fatal(err)
	}
	if ev, err := stopped.StepWave(stopped.Waves()[0], 10); err != nil || ev.Kind != simt.BreakEvent {
		t.Errorf("%v, %v", ev.Kind, err)
	}
}
