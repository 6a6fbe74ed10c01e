package gcn

import (
	"debug/elf"
	"encoding/binary"
	"testing"

	"simtgdb/simt"
)

// seedCode adds the first bytes of some kernels' code as seeds, and one
// instruction of each memory encoding.
func seedCode(f *testing.F) {
	for i, path := range codeObjects(f) {
		if i%8 != 0 {
			continue
		}
		file, err := elf.Open(path)
		if err != nil {
			f.Fatal(err)
		}
		code, err := file.Section(".text").Data()
		file.Close()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), code[:min(len(code), 256)])
	}
	for _, words := range [][]uint32{{0xc0020102, 0x40}, {0xd86c0000, 0x08000002}, {0xdc508000, 0x087f0002},
		{0xe0501000, 0x80010802}, {0xdc504000, 0x08040002}, {0xd3ee0000, 0}, {0xbf110104, 0x7e020302}} {
		var code []byte
		for _, w := range words {
			code = binary.LittleEndian.AppendUint32(code, w)
		}
		f.Add(uint8(0), code)
	}
}

// FuzzDecode decodes and prints arbitrary bytes.
func FuzzDecode(f *testing.F) {
	seedCode(f)
	f.Fuzz(func(t *testing.T, which uint8, code []byte) {
		names := Targets()
		isa, err := New(names[int(which)%len(names)], nil, Kernel{})
		if err != nil {
			t.Fatal(err)
		}
		for len(code) > 0 {
			in, err := isa.Decode(code, 0x1000)
			if err != nil {
				code = code[min(4, len(code)):]
				continue
			}
			if in.Size < 4 || in.Size > len(code) || in.Size%4 != 0 || in.String() == "" {
				t.Fatalf("% x: %d bytes, text %q", code[:min(16, len(code))], in.Size, in)
			}
			code = code[in.Size:]
		}
	})
}

// FuzzExecute runs arbitrary bytes as code, with registers that lead to all
// memories: as a whole, and again instruction by instruction with a record for
// a debugger, which must make no difference.
func FuzzExecute(f *testing.F) {
	simt.LetPanic = true
	seedCode(f)
	f.Fuzz(func(t *testing.T, which uint8, code []byte) {
		whole, stepped := newHarness(t, "gfx900"), newHarness(t, "gfx900")
		stepped.track()
		for _, h := range []*harness{whole, stepped} {
			h.isa.Target = targetOf(Targets()[int(which)%len(Targets())])
			h.isa.tables = tablesFor(h.isa.Target)
			h.lead(int(which))
			copy(h.code.Data, code)
		}
		a, b := whole.runOn(1000, 1000), stepped.runOn(1000, 1)
		if a.Kind != b.Kind || a.PC != b.PC {
			t.Fatalf("event %v at %#x; stepping %v at %#x", a.Kind, a.PC, b.Kind, b.PC)
		}
		if d := stepped.differs(whole); d != "" {
			t.Fatalf("stepping leaves other %s", d)
		}
		v, w := whole.w, stepped.w
		if whole.regs.S != stepped.regs.S || v.PC != w.PC || v.Exec != w.Exec || v.Insts != w.Insts {
			t.Fatalf("pc %#x, EXEC %#x, %d instructions; stepping %#x, %#x, %d; or scalar registers differ",
				v.PC, v.Exec, v.Insts, w.PC, w.Exec, w.Insts)
		}
		for r := range whole.regs.V {
			if whole.regs.V[r] != stepped.regs.V[r] {
				t.Fatalf("stepping leaves another vector register %d", r)
			}
		}
		if a.Kind == simt.FaultEvent && (a.Fault == nil || a.Fault.Lane() >= v.Size ||
			a.Fault.String() == "") {
			t.Fatalf("fault without a lane: %+v", a.Fault)
		}
	})
}

// lead gives registers addresses in all memories.
func (h *harness) lead(seed int) {
	bases := []uint64{dataBase, SharedBase, PrivateBase, constBase, 0, all64 - 8, codeBase}
	for r := range 102 {
		h.regs.S[r] = uint32(bases[r/2%len(bases)] >> (32 * (r % 2)))
	}
	for r := range 64 {
		h.vector(r, func(l int) uint32 {
			return uint32(bases[(r/2+l/(seed+1))%len(bases)]>>(32*(r%2))) + uint32(l*4*(1-r%2))
		})
	}
}

// runOn runs n instructions, step at a time, past barriers and traps, and
// returns the event that ended it.
func (h *harness) runOn(n, step uint64) simt.Event {
	var ev simt.Event
	for end := h.w.Insts + n; h.w.Insts < end; {
		ev = h.core.Run(h.w, min(step, end-h.w.Insts))
		if h.w.State == simt.AtBarrier {
			h.w.State = simt.Ready
		}
		if h.w.State != simt.Ready {
			return ev
		}
	}
	return simt.Event{PC: h.w.PC}
}
