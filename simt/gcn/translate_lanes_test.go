package gcn

import (
	"math/rand/v2"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/vec"
	"simtgdb/testdata/sweep"
)

// comparesWords runs instructions, a few times over, in every path, and reports whether some of them were
// translated.
func comparesWords(t *testing.T, processor string, seed uint64,
	insts func(isa *ISA) [][]uint32) (translated bool) {
	t.Helper()
	compareStreams(t, processor, seed, true, func(isa *ISA) *stream {
		s := &stream{mode: streamModes[0], seed: seed}
		for _, words := range insts(isa) {
			in, err := isa.Decode(wordsCode(words...), codeBase)
			if err != nil {
				t.Fatalf("%#x: %v", words, err)
			}
			s.code = append(s.code, words)
			translated = translated || isa.Translates(in, s.mode)
		}
		s.loop()
		return s
	})
	return translated
}

// TestTranslatedPerm: selectors of every kind, the same for all lanes and of their own.
func TestTranslatedPerm(t *testing.T) {
	was := vec.Current()
	defer vec.Use(was)
	const perm = 0xd1ed0000
	for seed := range uint64(24) {
		r := rand.New(sweep.PCG(seed, 14))
		selector := func(most int) (v uint32) {
			for i := range 4 {
				v |= uint32([]int{r.IntN(8), r.IntN(8), 12, 13, 255, 8, 11}[r.IntN(most)]) << (8 * i)
			}
			return v
		}
		translated := comparesWords(t, "gfx90a", seed, func(*ISA) [][]uint32 {
			r = rand.New(sweep.PCG(seed, 14)) // the same in each path
			insts := [][]uint32{{0xbefe01c1}}
			for _, most := range []int{1, 5, 5, 7} {
				insts = append(insts, []uint32{0xbe8000ff, selector(most)}, // s_mov_b32 s0, selector
					[]uint32{perm | 4, uint32(srcVGPR+r.IntN(12)) | uint32(srcVGPR+r.IntN(12))<<9},
					[]uint32{0xbefe0100 | streamMask}, []uint32{0x7e0a02ff, selector(most)}, // v_mov_b32 v5, selector
					[]uint32{perm | 6, uint32(srcVGPR+r.IntN(12)) | (srcVGPR+4)<<9 | (srcVGPR+5)<<18})
			}
			return insts
		})
		if was == vec.AVX512 && !translated {
			t.Error("v_perm_b32 was not translated")
		}
	}
}

// TestTranslatedLanes: operations on other lanes' numbers, by every control, masks of rows and banks, with
// and without lanes that read 0.
func TestTranslatedLanes(t *testing.T) {
	was := vec.Current()
	defer vec.Use(was)
	r := rand.New(sweep.PCG(1, 15))
	// v_mov_b32, and v_add_u32, v_and_b32, v_add_f32, v_max_f32
	ops := []uint32{0x7e000200, 0x68000000, 0x26000000, 0x02000000, 0x16000000}
	translated := 0
	for ctrl := range uint32(0x160) {
		if ctrl > 0x10 && ctrl < 0x100 && ctrl%37 != 0 {
			continue // a part of the quad permutations
		}
		seed := uint64(ctrl)
		op := ops[r.IntN(len(ops))] | uint32(r.IntN(8))<<17 | srcDPP
		if op>>25 != 0x3f {
			op |= uint32(r.IntN(8)) << 9
		}
		masks := []uint32{0xff, 0xff, uint32(r.IntN(256))}[r.IntN(3)]
		words := []uint32{op, uint32(r.IntN(8)) | ctrl<<8 | r.Uint32()&1<<19 | masks<<24}
		h := newHarness(t, "gfx90a")
		in, err := h.isa.Decode(wordsCode(words...), codeBase)
		if err != nil {
			continue // there is no such control
		}
		if h.isa.Translates(in, streamModes[0]) {
			translated++
		}
		comparesWords(t, "gfx90a", seed, func(*ISA) [][]uint32 {
			return [][]uint32{{0xbefe01c1}, words, {0x68000000 | 3<<17 | 2<<9 | srcVGPR + 3}, words,
				{0xbefe0100 | streamMask}, words}
		})
	}
	if was == vec.AVX512 && translated < 60 {
		t.Errorf("%d controls were translated", translated)
	}
}

// TestTranslatedCalls: functions that are called by s_swappc_b64 and s_call_b64 and that return by
// s_setpc_b64, with and without a record of calls.
func TestTranslatedCalls(t *testing.T) {
	was := vec.Current()
	defer vec.Use(was)
	code := [][]uint32{
		{0xbe801c00},                 // s_getpc_b64 s[0:1]
		{0x8000ff00, 11 * 4},         // s_add_u32 s0, s0, function-.
		{0x82018001},                 // s_addc_u32 s1, s1, 0
		{0xbe9e1e00},                 // s_swappc_b64 s[30:31], s[0:1]
		{0x68000000 | 0x102},         // v_add_u32 v0, v2, v0
		{0xba9e0000 | 5},             // s_call_b64 s[30:31], function
		{0x8014c100 | streamCounter}, // s_add_u32 s20, s20, -1
		{0xbf078000 | streamCounter}, // s_cmp_lg_u32 s20, 0
		{0xbf850000 | 0xfff6},        // s_cbranch_scc1 to the beginning
		{0xbf810000},                 // s_endpgm
		{0xbf800000},                 // s_nop
		{0x68020200 | 0x103},         // function: v_add_u32 v1, v3, v1
		{0xbe801d1e},                 // s_setpc_b64 s[30:31]
	}
	var first *harness
	for _, tracked := range []bool{false, true} {
		for i, p := range paths() {
			h := newHarness(t, "gfx90a")
			h.take(p)
			s := &stream{code: code, mode: streamModes[0], seed: 3}
			s.begin(h)
			if tracked {
				h.track()
			}
			h.exec(all64)
			ev := h.core.Run(h.w, 1000)
			if ev.Kind != simt.EndEvent {
				t.Fatalf("%v: stopped by %v at %#x: %v", p, ev.Kind, ev.PC, ev.Fault)
			}
			if i == 0 {
				first = h
				continue
			}
			if d := h.differsFrom(first); d != "" || h.regs.jump != first.regs.jump {
				t.Errorf("%v and %v differ: %s, %#x and %#x", p, paths()[0], d, h.regs.jump, first.regs.jump)
			}
			if p.translated && len(h.core.regions) < 2 {
				t.Errorf("%v: %d translations", p, len(h.core.regions))
			}
		}
	}
	if first.w.Insts < 6*10 {
		t.Errorf("%d instructions were executed", first.w.Insts)
	}
}
