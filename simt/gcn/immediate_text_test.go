package gcn

import (
	"math/rand/v2"
	"testing"

	"simtgdb/testdata/sweep"
)

// TestImmediateText: every row with an immediate of 16 bits is written as LLVM does whatever bits it has.
func TestImmediateText(t *testing.T) {
	for _, processor := range []string{"gfx90a", "gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200",
		"gfx1250"} {
		t.Run(processor, func(t *testing.T) {
			t.Parallel()
			isa := isaFor(t, processor)
			r := rand.New(sweep.PCG(1, 2))
			var insts [][]uint32
			var ops []*Op
			add := func(word uint32, op *Op) {
				if op == nil || op.imm == nil || op.Name == "s_nop" {
					return
				}
				for i := range uint32(96) {
					v := i
					if i >= 64 {
						v = r.Uint32() & 0xffff
					}
					words := []uint32{word | v}
					if op.flag&literal32 != 0 {
						words = append(words, 0x12345678)
					}
					insts, ops = append(insts, words), append(ops, op)
				}
			}
			for code, op := range isa.tables.rows[SOPP] {
				add(0xbf80_0000|uint32(code)<<16, op)
			}
			for code, op := range isa.tables.rows[SOPK] {
				add(0xb004_0000|uint32(code)<<23, op)
			}
			texts := llvmDisassemble(t, processor, insts)
			wrong, compared := map[*Op]int{}, 0
			for i, words := range insts {
				own := ownText(isa, words)
				if texts[i] == "" && own == "" {
					continue
				}
				if compared++; own != texts[i] {
					if wrong[ops[i]]++; wrong[ops[i]] < 4 {
						t.Errorf("%08x: %q, LLVM %q", words, own, texts[i])
					}
				}
			}
			if compared < 2000 {
				t.Errorf("%d instructions compared", compared)
			}
		})
	}
}
