package gcn

import (
	"fmt"
	"testing"
)

// benchmark runs one instruction many times, a block at a time.
func (h *harness) benchmark(b *testing.B, words []uint32) {
	const repeats = 100
	insts := make([][]uint32, repeats)
	for i := range insts {
		insts[i] = words
	}
	h.mustRun(insts...)
	for b.Loop() {
		h.w.PC = codeBase
		h.core.Run(h.w, repeats)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/repeats, "ns/inst")
}

func BenchmarkVectorOp(b *testing.B) {
	for _, exec := range []uint64{all64, 0x0f0f_0f0f_0f0f_0f0f, 1} {
		b.Run(fmt.Sprintf("exec=%#x", exec), func(b *testing.B) {
			h := newHarness(b, "gfx90a")
			h.exec(exec)
			h.benchmark(b, []uint32{0x68020702}) // v_add_u32_e32 v1, v2, v3
		})
	}
}

func BenchmarkScalarOp(b *testing.B) {
	h := newHarness(b, "gfx90a")
	h.benchmark(b, []uint32{0x80080604}) // s_add_u32 s8, s4, s6
}

// BenchmarkMemory loads and stores a dword in each lane.
func BenchmarkMemory(b *testing.B) {
	for _, c := range []struct {
		name string
		addr func(l int) uint64
		inst func(h *harness, op string) []uint32
	}{
		{"global, side by side", func(l int) uint64 { return dataBase + 4*uint64(l) },
			func(h *harness, op string) []uint32 { return h.global(op, 0) }},
		{"global, apart", func(l int) uint64 { return dataBase + 60*uint64(l) },
			func(h *harness, op string) []uint32 { return h.global(op, 0) }},
		{"flat to global", func(l int) uint64 { return dataBase + 4*uint64(l) },
			func(h *harness, op string) []uint32 { return h.flat(op, 0) }},
		{"flat to LDS", func(l int) uint64 { return SharedBase + 4*uint64(l) },
			func(h *harness, op string) []uint32 { return h.flat(op, 0) }},
		{"flat to private, the same", func(l int) uint64 { return PrivateBase + 16 },
			func(h *harness, op string) []uint32 { return h.flat(op, 0) }},
		{"flat to private, apart", func(l int) uint64 { return PrivateBase + 16*uint64(l%4) },
			func(h *harness, op string) []uint32 { return h.flat(op, 0) }},
		{"buffer to private", func(l int) uint64 { return 16 }, func(h *harness, op string) []uint32 {
			copy(h.regs.S[4:], scratchDescriptor(h.regs.scratchBase, 1<<30, h.w.Size))
			return h.buffer(op, 8)
		}},
		{"scratch", func(l int) uint64 { return 16 }, func(h *harness, op string) []uint32 {
			code := uint32(h.op(SCRATCH, "scratch_"+op).Code)
			return []uint32{0xdc004000 | code<<18, 8<<24 | 9<<16 | 4<<8 | 2}
		}},
	} {
		for _, op := range []string{"load_dword", "store_dword"} {
			for _, exec := range []uint64{all64, 0xff} {
				b.Run(fmt.Sprintf("%s/%s/exec=%#x", c.name, op, exec), func(b *testing.B) {
					h := newHarness(b, "gfx90a")
					h.exec(exec)
					h.address(2, c.addr)
					h.regs.S[9] = 16
					h.benchmark(b, c.inst(h, op))
				})
			}
		}
	}
}

// BenchmarkRunLoop runs short blocks: a loop of two instructions.
func BenchmarkRunLoop(b *testing.B) {
	h := newHarness(b, "gfx90a")
	h.load([]uint32{0x80080604}, []uint32{0xbf82fffe}) // s_add_u32 s8, s4, s6; s_branch -2
	for b.Loop() {
		h.core.Run(h.w, 1000)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/inst")
}
