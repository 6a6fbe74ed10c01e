package gcn

import (
	"math"
	"testing"

	"simtgdb/simt"
)

// TestMatrix multiplies matrices whose elements lie where the MI200 ISA's
// section "Matrix arithmetic instructions" says, and compares with a plain
// product. The values are small integers, for which every sum is exact.
func TestMatrix(t *testing.T) {
	type place struct{ lane, reg, part int } // part: of the register, in elements
	for _, c := range []struct {
		asm          string
		m, k, blocks int
		a            func(block, i, k int) place // of a row of A, or a column of B
		d            func(block, i, j int) place
		partBits     int
	}{
		{asm: "v_mfma_f32_32x32x1f32 a[0:31], v0, v4, a[32:63]", m: 32, k: 1, blocks: 2,
			a: func(b, i, k int) place { return place{32*b + i, 0, 0} },
			d: func(b, i, j int) place { return place{i/4%2*32 + j, 16*b + i/8*4 + i%4, 0} }},
		{asm: "v_mfma_f32_16x16x4f32 a[0:3], v0, v4, a[32:35]", m: 16, k: 4, blocks: 1,
			a: func(b, i, k int) place { return place{16*k + i, 0, 0} },
			d: func(b, i, j int) place { return place{i/4*16 + j, i % 4, 0} }},
		{asm: "v_mfma_f32_4x4x1f32 a[0:3], v0, v4, a[32:35]", m: 4, k: 1, blocks: 16,
			a: func(b, i, k int) place { return place{4*b + i, 0, 0} },
			d: func(b, i, j int) place { return place{4*b + j, i, 0} }},
		{asm: "v_mfma_f32_32x32x8f16 a[0:15], v[0:1], v[4:5], a[32:47]", m: 32, k: 8, blocks: 1, partBits: 16,
			a: func(b, i, k int) place { return place{32*(k/4) + i, k % 4 / 2, k % 2} },
			d: func(b, i, j int) place { return place{i/4%2*32 + j, i/8*4 + i%4, 0} }},
		{asm: "v_mfma_f32_16x16x16f16 a[0:3], v[0:1], v[4:5], a[32:35]", m: 16, k: 16, blocks: 1,
			partBits: 16, a: func(b, i, k int) place { return place{16*(k/4) + i, k % 4 / 2, k % 2} },
			d: func(b, i, j int) place { return place{i/4*16 + j, i % 4, 0} }},
		{asm: "v_mfma_i32_16x16x16i8 a[0:3], v0, v4, a[32:35]", m: 16, k: 16, blocks: 1, partBits: 8,
			a: func(b, i, k int) place { return place{16*(k/4) + i, 0, k % 4} },
			d: func(b, i, j int) place { return place{i/4*16 + j, i % 4, 0} }},
	} {
		r := newVectorRun(t, "gfx90a")
		store := func(base int, p place, v int) {
			w := &r.regs.V[base+p.reg][p.lane]
			switch c.partBits {
			case 0:
				*w = math.Float32bits(float32(v))
			case 16:
				*w |= uint32(half16.Round(float64(v), roundNearest)) << (16 * p.part)
			case 8:
				*w |= uint32(uint8(v)) << (8 * p.part)
			}
		}
		result := func(v int) uint32 {
			if c.partBits == 8 {
				return uint32(v)
			}
			return math.Float32bits(float32(v))
		}
		va := func(b, i, k int) int { return (7*i+3*k+b)%9 - 4 }
		vb := func(b, j, k int) int { return (5*j+2*k+3*b)%7 - 3 }
		vc := func(b, i, j int) int { return i - 2*j + b }
		for b := range c.blocks {
			for i := range c.m {
				for k := range c.k {
					store(0, c.a(b, i, k), va(b, i, k))
					store(4, c.a(b, i, k), vb(b, i, k))
				}
				for j := range c.m {
					p := c.d(b, i, j)
					r.regs.V[accBase+32+p.reg][p.lane] = result(vc(b, i, j))
				}
			}
		}
		setExec(r.w, 1) // which does not matter
		r.run(t, r.decode(t, llvmAssemble(t, "gfx90a", []string{c.asm})[0]))
		for b := range c.blocks {
			for i := range c.m {
				for j := range c.m {
					want := vc(b, i, j)
					for k := range c.k {
						want += va(b, i, k) * vb(b, j, k)
					}
					p := c.d(b, i, j)
					if got := r.regs.V[accBase+p.reg][p.lane]; got != result(want) {
						t.Fatalf("%s: block %d (%d, %d) is %#x, want %#x", c.asm, b, i, j, got, result(want))
					}
				}
			}
		}
	}
}

// TestMatrixFloat8 multiplies 8-bit floats of two formats.
func TestMatrixFloat8(t *testing.T) {
	r := newVectorRun(t, "gfx942")
	in := r.decode(t, llvmAssemble(t, "gfx942",
		[]string{"v_mfma_f32_16x16x32_fp8_bf8 v[8:11], v[0:1], v[4:5], 0"})[0])
	for l := range simt.MaxLanes {
		r.regs.V[1][l] = 0x3800_0000 // 0.5 for the last k of each lane
		r.regs.V[5][l] = 0x4400_0000 // 2
	}
	r.regs.V[0][3] = 0x48 // 2 in row 3, k 0
	r.regs.V[4][5] = 0x40 // 1 in column 5, k 0
	r.run(t, in)
	for i := range 16 {
		for j := range 16 {
			want := float32(4) // four lanes hold a k each
			if i == 3 && j == 5 {
				want += 2
			}
			if got := math.Float32frombits(r.regs.V[8+i%4][16*(i/4)+j]); got != want {
				t.Errorf("(%d, %d) is %v, want %v", i, j, got, want)
			}
		}
	}
}

// TestMatrixDoubles checks where the elements of a product of doubles are: A
// has one element that is not 0, B another.
func TestMatrixDoubles(t *testing.T) {
	r := newVectorRun(t, "gfx90a")
	in := r.decode(t, llvmAssemble(t, "gfx90a",
		[]string{"v_mfma_f64_16x16x4f64 v[8:15], v[0:1], v[4:5], 1.0"})[0])
	set := func(reg, lane int, v float64) {
		b := math.Float64bits(v)
		r.regs.V[reg][lane], r.regs.V[reg+1][lane] = uint32(b), uint32(b>>32)
	}
	const i, j, k = 6, 9, 3
	set(0, 16*k+i, 2.5)
	set(4, 16*k+j, 4)
	r.run(t, in)
	for l := range simt.MaxLanes {
		for d := range 4 {
			want := 1.0
			if l == 16*(i%4)+j && d == i/4 {
				want = 11
			}
			if got := math.Float64frombits(r.pair(8+2*d, l)); got != want {
				t.Errorf("lane %d, double %d: %v, want %v", l, d, got, want)
			}
		}
	}
}

// TestMatrixDoublesSigns: from gfx942 on BLGP has the signs of A, B and C.
func TestMatrixDoublesSigns(t *testing.T) {
	for _, c := range []struct {
		processor, asm string
		want           float64
	}{
		{"gfx942", "v_mfma_f64_4x4x4_4b_f64 v[8:9], v[0:1], v[4:5], v[6:7]", 4*6 + 5},
		{"gfx942", "v_mfma_f64_4x4x4_4b_f64 v[8:9], v[0:1], v[4:5], v[6:7] neg:[1,0,0]", -4*6 + 5},
		{"gfx942", "v_mfma_f64_4x4x4_4b_f64 v[8:9], v[0:1], v[4:5], v[6:7] neg:[0,1,0]", -4*6 + 5},
		{"gfx942", "v_mfma_f64_4x4x4_4b_f64 v[8:9], v[0:1], v[4:5], v[6:7] neg:[0,0,1]", 4*6 - 5},
		{"gfx942", "v_mfma_f64_4x4x4_4b_f64 v[8:9], v[0:1], v[4:5], v[6:7] neg:[1,1,1]", 4*6 - 5},
		{"gfx90a", "v_mfma_f64_4x4x4f64 v[8:9], v[0:1], v[4:5], v[6:7] blgp:3", 4*6 + 5},
	} {
		r := newVectorRun(t, c.processor)
		for reg, v := range map[int]float64{0: 2, 4: 3, 6: 5} {
			for l := range simt.MaxLanes {
				b := math.Float64bits(v)
				r.regs.V[reg][l], r.regs.V[reg+1][l] = uint32(b), uint32(b>>32)
			}
		}
		r.run(t, r.decode(t, llvmAssemble(t, c.processor, []string{c.asm})[0]))
		if got := math.Float64frombits(r.pair(8, 17)); got != c.want {
			t.Errorf("%s: %v, want %v", c.asm, got, c.want)
		}
	}
}
