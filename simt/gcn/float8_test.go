package gcn

import (
	"math"
	"testing"
)

// TestStochastic rounds between two numbers, the random bits deciding: those that lie below the last place of
// the result, from the top of the register down.
func TestStochastic(t *testing.T) {
	for _, c := range []struct {
		processor, asm string
		x              float32
		random         uint32
		want           uint32 // of 0xaabbccdd
	}{
		{"gfx942", "v_cvt_sr_fp8_f32 v0, v2, v4", 1.0625, 0x7fff_ffff, 0xaabb_cc40},
		{"gfx942", "v_cvt_sr_fp8_f32 v0, v2, v4", 1.0625, 0x8000_0000, 0xaabb_cc41},
		{"gfx942", "v_cvt_sr_fp8_f32 v0, v2, v4 op_sel:[0,0,1,0]", -1.0625, 0x8000_0000, 0xaabb_c1dd},
		{"gfx942", "v_cvt_sr_fp8_f32 v0, v2, v4 op_sel:[0,0,0,1]", 1.0625, 0, 0xaa40_ccdd},
		{"gfx942", "v_cvt_sr_bf8_f32 v0, v2, v4 op_sel:[0,0,1,1]", 1.125, 0x8000_0000, 0x41bb_ccdd},
		{"gfx942", "v_cvt_sr_fp8_f32 v0, v2, v4", 1000, 0, 0xaabb_cc80},
		{"gfx950", "v_cvt_sr_fp8_f32 v0, v2, v4", 1.0625, 0x8000_0000, 0xaabb_cc39},
		{"gfx950", "v_cvt_sr_fp8_f32 v0, v2, v4", 0x1.8p-9, 0x8000_0000, 0xaabb_cc02}, // below the normal numbers
		{"gfx950", "v_cvt_sr_bf8_f32 v0, v2, v4", float32(math.Inf(-1)), 0, 0xaabb_ccfc},
		{"gfx950", "v_cvt_sr_f16_f32 v0, v2, v4", 1 + 0x1p-12, 0xbfff_ffff, 0xaabb_3c00},
		{"gfx950", "v_cvt_sr_f16_f32 v0, v2, v4", 1 + 0x1p-12, 0xc000_0000, 0xaabb_3c01},
		{"gfx950", "v_cvt_sr_f16_f32 v0, v2, v4 op_sel:[0,0,1]", 1 + 0x1p-12, 0xc000_0000, 0x3c01_ccdd},
		{"gfx950", "v_cvt_sr_bf16_f32 v0, v2, v4", 1 + 0x1p-8, 0x8000_0000, 0xaabb_3f81},
		{"gfx950", "v_cvt_sr_bf16_f32 v0, v2, v4", 1 + 0x1p-8, 0x7fff_ffff, 0xaabb_3f80},
	} {
		h := newHarness(t, c.processor).compares()
		words := assembledWords(t, c.processor, c.asm)
		h.vector(0, func(int) uint32 { return 0xaabb_ccdd })
		h.vector(2, func(int) uint32 { return math.Float32bits(c.x) })
		h.vector(4, func(int) uint32 { return c.random })
		lanewise(t, h.w, h.regs, func() { h.mustRun(words...) })
		if got := h.regs.V[0][7]; got != c.want {
			t.Errorf("%s of %v with %#x: %#x, want %#x", c.asm, c.x, c.random, got, c.want)
		}
	}
}

// TestFormatsOfFloat8: the same byte is another number on gfx942 than on gfx950.
func TestFormatsOfFloat8(t *testing.T) {
	for processor, want := range map[string]float32{"gfx942": 240, "gfx950": 448} {
		h := newHarness(t, processor)
		h.vector(2, func(int) uint32 { return map[string]uint32{"gfx942": 0x7f, "gfx950": 0x7e}[processor] })
		h.mustRun(assembledWords(t, processor, "v_cvt_f32_fp8 v0, v2")...)
		if got := math.Float32frombits(h.regs.V[0][0]); got != want {
			t.Errorf("%s: the greatest number is %v, want %v", processor, got, want)
		}
	}
}
