package gcn

import (
	"testing"

	"simtgdb/simt"
)

// addTo is s_add_u32 s8, s8, n.
func addTo(n uint32) []uint32 { return []uint32{0x80080008 | (128+n)<<8} }

func TestRunStopsAfterN(t *testing.T) {
	everyPath(t, func(t *testing.T, start func(string) *harness) {
		h := start("gfx900")
		var insts [][]uint32
		for range 3 * simt.MaxBlock {
			insts = append(insts, addTo(1))
		}
		h.load(insts...)
		done := uint64(0)
		for _, n := range []uint64{1, 2, 100, simt.MaxBlock, 150} {
			done += n
			ev := h.core.Run(h.w, n)
			if ev.Kind != simt.NoEvent || uint64(h.regs.S[8]) != done || h.w.PC != codeBase+4*done ||
				h.w.Insts != done {
				t.Fatalf("after %d: %v, s8 %d, pc %#x, %d instructions", done, ev.Kind, h.regs.S[8], h.w.PC,
					h.w.Insts)
			}
		}
		if ev := h.core.Run(h.w, 0); ev.Kind != simt.NoEvent || h.w.Insts != done {
			t.Errorf("running 0 instructions: %v, %d", ev.Kind, h.w.Insts-done)
		}
	})
}

// TestStepsDecodeAlone: who steps has the instruction decoded that is stepped, and who runs then the rest.
func TestStepsDecodeAlone(t *testing.T) {
	h := newHarness(t, "gfx900")
	var insts [][]uint32
	for range 50 {
		insts = append(insts, addTo(1))
	}
	h.load(insts...)
	h.core.forget()
	for range 10 {
		h.core.Run(h.w, 1)
	}
	if kept := h.core.blocks.Kept(); kept != 10 || h.regs.S[8] != 10 {
		t.Errorf("%d instructions decoded, and s8 is %d after 10 steps", kept, h.regs.S[8])
	}
	h.core.Run(h.w, 30)
	if kept := h.core.blocks.Kept(); kept < 10+40 || h.regs.S[8] != 40 {
		t.Errorf("%d instructions decoded, and s8 is %d after 30 more at once", kept, h.regs.S[8])
	}
}

// TestBreakpoints: in the middle of a block, passed once, no hit without
// active lanes, gone when cleared.
func TestBreakpoints(t *testing.T) {
	everyPath(t, func(t *testing.T, start func(string) *harness) {
		h := start("gfx900")
		h.load(addTo(1), addTo(2), addTo(4), []uint32{0xbf82fffc}) // s_branch -4
		h.m.SetBreakpoint(codeBase + 4)
		expect := func(what string, n uint64, kind simt.EventKind, s8 uint32, pc uint64) simt.Event {
			t.Helper()
			ev := h.core.Run(h.w, n)
			if ev.Kind != kind || h.regs.S[8] != s8 || h.w.PC != pc {
				t.Fatalf("%s: %v, s8 %d, pc %#x; want %v, %d, %#x", what, ev.Kind, h.regs.S[8], h.w.PC, kind,
					s8, pc)
			}
			return ev
		}
		ev := expect("to the breakpoint", 100, simt.BreakEvent, 1, codeBase+4)
		if ev.PC != codeBase+4 || ev.Lanes != all64 || ev.Wave != h.w {
			t.Errorf("event %+v", ev)
		}
		expect("again, without passing it", 100, simt.BreakEvent, 1, codeBase+4)
		h.w.SkipBreak = true
		expect("passing it", 1, simt.NoEvent, 3, codeBase+8)
		expect("around to it", 100, simt.BreakEvent, 8, codeBase+4)
		h.w.SkipBreak = true
		expect("passing it, around to it", 100, simt.BreakEvent, 15, codeBase+4)
		h.exec(0)
		expect("with no lane active", 4, simt.NoEvent, 22, codeBase+4)
		h.exec(1)
		h.m.ClearBreakpoint(codeBase + 4)
		expect("when it is cleared", 4, simt.NoEvent, 29, codeBase+4)
	})
}

// TestInvalidate: code that has changed is decoded again only when the core
// is told.
func TestInvalidate(t *testing.T) {
	h := newHarness(t, "gfx900")
	h.mustRun(addTo(1))
	h.mustRun(addTo(5)) // load tells it
	if h.regs.S[8] != 6 {
		t.Errorf("s8 = %d, want 6", h.regs.S[8])
	}
}

// TestBadCode: the wave faults where no instruction is, not before.
func TestBadCode(t *testing.T) {
	everyPath(t, func(t *testing.T, start func(string) *harness) {
		for _, c := range []struct {
			name string
			pc   uint64
			word uint32
			at   uint64
		}{
			{"no instruction", codeBase, 0xbfff0000, codeBase + 4},
			{"unmapped", 0x5_0000, 0, 0x5_0000},
			{"no code", dataBase, 0, dataBase},
			{"odd address", codeBase + 2, 0, codeBase + 2},
			{"cut short", codeBase + 0x4000 - 4, 0, codeBase + 0x4000 - 4},
		} {
			h := start("gfx900")
			h.load(addTo(1), []uint32{c.word})
			copy(h.code.Data[0x4000-4:], []byte{0xff, 0, 0x80, 0xbe}) // s_mov_b32 s0, literal
			h.w.PC = c.pc
			ev := h.core.Run(h.w, 10)
			if ev.Kind != simt.FaultEvent || ev.Fault.Kind != simt.IllegalInstruction || ev.PC != c.at ||
				h.w.PC != c.at || ev.Wave != h.w {
				t.Errorf("%s: %v (%v) at %#x, pc %#x; want a fault at %#x", c.name, ev.Kind, ev.Fault, ev.PC,
					h.w.PC, c.at)
			}
		}
	})
}

// TestDecodedCodeIsBounded jumps to very many places.
func TestDecodedCodeIsBounded(t *testing.T) {
	mem := simt.NewMemory()
	const words = 1 << 11 // whose blocks have twice what is kept
	code := make([]byte, 4*words)
	for i := 0; i < len(code); i += 4 {
		code[i+2], code[i+3] = 0x80, 0xbf // s_nop
	}
	if _, err := mem.Map("code", codeBase, code, simt.PermRead|simt.PermExec); err != nil {
		t.Fatal(err)
	}
	isa, err := New("gfx900", mem, Kernel{})
	if err != nil {
		t.Fatal(err)
	}
	core := isa.NewCore(&simt.Machine{Mem: mem}).(*Core)
	for i := range words {
		core.block(codeAt{pc: codeBase + 4*uint64(i)})
		if core.blocks.Kept() > maxDecoded+simt.MaxBlock {
			t.Fatalf("%d instructions are kept", core.blocks.Kept())
		}
	}
	if core.blocks.Find(codeAt{pc: codeBase}) != nil {
		t.Error("nothing was forgotten: the test tests nothing")
	}
}
