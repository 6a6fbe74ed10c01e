package gcn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"simtgdb/testdata/sweep"
)

// blockPlace is where number k of a row (of A) or a column (of B) is, as the CDNA 5 ISA draws it: the lanes
// of the lower half have the first 16 numbers of 8 bits, or 32 of less, those of the upper half the next,
// and so on; rows from 16 on have registers of their own.
func blockPlace(bits, i, k int) wavePlace {
	run := map[int]int{8: 16, 6: 32, 4: 32}[bits]
	lane, at := i%16, 0
	for range k / run / 2 {
		at += run
	}
	if k/run%2 == 1 {
		lane += 16
	}
	return wavePlace{lane, (at + k%run + i/16*64) * bits}
}

// A blockProduct is one execution, and what it should give.
type blockProduct struct {
	rows    int
	formats [2]int
	scales  int // numbers that have one scale; 0 for none
	upper   bool
	a, b    [32][128]float64
	sa, sb  [32][8]int
	c       [32][16]float64
}

var blockNames = []string{"FP8", "BF8", "FP6", "BF6", "FP4"}
var blockWidths = []int{8, 8, 6, 6, 4}

// text is the instruction, of which the factors are from v32 and v64 on, the accumulator from v96, the
// scales in v128 and v130.
func (p *blockProduct) text() string {
	registers := func(first, n int) string { return fmt.Sprintf("v[%d:%d]", first, first+n-1) }
	s := "v_wmma_"
	switch p.scales {
	case 32:
		s += "scale_"
	case 16:
		s += "scale16_"
	}
	s += map[int]string{16: "f32_16x16x128_f8f6f4 ", 32: "f32_32x16x128_f4 "}[p.rows]
	s += registers(0, p.rows/2) + ", " + registers(32, p.rows*blockWidths[p.formats[0]]/8) + ", " +
		registers(64, 2*blockWidths[p.formats[1]]) + ", " + registers(96, p.rows/2)
	switch p.scales {
	case 32:
		s += ", v128, v130"
	case 16:
		s += ", v[128:129], v[130:131]"
	}
	for i, matrix := range []string{"a", "b"} {
		if p.formats[i] != 0 && p.rows == 16 {
			s += " matrix_" + matrix + "_fmt:MATRIX_FMT_" + blockNames[p.formats[i]]
		}
	}
	if p.upper {
		s += " matrix_a_scale:MATRIX_SCALE_ROW1 matrix_b_scale:MATRIX_SCALE_ROW1"
	}
	return s
}

func (p *blockProduct) run(t *testing.T, rnd *rand.Rand, value func(format int) float64, part float64) {
	t.Helper()
	r := newLaterRun(t, "gfx1250")
	setExec(r.w, 1) // which does not matter
	put := func(base int, at wavePlace, bits int, v uint64) {
		depositBits(r.regs.V[base:], at.lane, uint(at.bit), uint(bits), uint32(v))
	}
	factor := func(base, format, i, k int) float64 {
		v := value(format)
		c, ok := blockCodes[format][v]
		if !ok {
			t.Fatalf("%v is no number of %s", v, blockNames[format])
		}
		put(base, blockPlace(blockWidths[format], i, k), blockWidths[format], c)
		return v
	}
	shift := 0
	if p.upper {
		shift = 16
	}
	for i := range p.rows {
		for k := range 128 {
			p.a[i][k] = factor(32, p.formats[0], i, k)
			if i < 16 {
				p.b[i][k] = factor(64, p.formats[1], i, k)
			}
		}
		for n := 0; p.scales != 0 && n < 128/p.scales; n++ {
			p.sa[i][n], p.sb[i][n] = rnd.IntN(5)-2, rnd.IntN(5)-2
			lane := i
			if p.rows == 16 {
				lane += shift
			}
			put(128, wavePlace{lane, 8 * n}, 8, uint64(p.sa[i][n]+127))
			if i < 16 {
				put(130, wavePlace{i + shift, 8 * n}, 8, uint64(p.sb[i][n]+127))
			}
		}
		for j := range 16 {
			p.c[i][j] = float64(rnd.IntN(9) - 4)
			put(96, wavePlace{16*(i%16/8) + j, 32 * (8*(i/16) + i%8)}, 32,
				uint64(math.Float32bits(float32(p.c[i][j]))))
		}
	}
	r.run(t, r.decode(t, llvmAssemble(t, "gfx1250", []string{p.text()})[0]))
	for i := range p.rows {
		for j := range 16 {
			want, size := p.c[i][j], math.Abs(p.c[i][j])
			for k := range 128 {
				v := p.a[i][k] * p.b[j][k]
				if p.scales != 0 {
					v = math.Ldexp(v, p.sa[i][k/p.scales]+p.sb[j][k/p.scales])
				}
				want, size = want+v, size+math.Abs(v)
			}
			got := float64(math.Float32frombits(r.regs.V[8*(i/16)+i%8][16*(i%16/8)+j]))
			if math.Abs(got-want) > part*size {
				t.Fatalf("%s: element (%d, %d) is %v, want %v", p.text(), i, j, got, want)
			}
		}
	}
}

// blockCodes are the codes of the numbers of each format, of 0 the positive one.
var blockCodes = func() (all []map[float64]uint64) {
	for _, f := range blockFormats {
		codes := map[float64]uint64{}
		for c := uint64(1)<<f.mini.Width - 1; c != ^uint64(0); c-- {
			codes[f.mini.Float(c)] = c
		}
		all = append(all, codes)
	}
	return all
}()

// TestBlockMatrix multiplies matrices of small numbers, whose sums are exact, in all pairs of formats, with
// and without scales, and compares with a plain product; and others, whose sums are rounded.
func TestBlockMatrix(t *testing.T) {
	rnd := rand.New(sweep.PCG(7, 8))
	small := func(int) float64 { return float64(rnd.IntN(5) - 2) }
	any := func(format int) float64 {
		for {
			m := blockFormats[format].mini
			if v := m.Float(rnd.Uint64()); !math.IsNaN(v) && math.Abs(v) < 1e3 {
				return v
			}
		}
	}
	for _, scales := range []int{0, 32, 16} {
		for a := range blockNames {
			for b := range blockNames {
				p := &blockProduct{rows: 16, formats: [2]int{a, b}, scales: scales,
					upper: scales != 0 && b%2 == 1}
				p.run(t, rnd, small, 0)
			}
		}
		p := &blockProduct{rows: 32, formats: [2]int{4, 4}, scales: scales}
		p.run(t, rnd, small, 0)
		p = &blockProduct{rows: 16, formats: [2]int{0, 3}, scales: scales}
		p.run(t, rnd, any, 128*0x1p-24)
	}
}

// TestBlockMatrixText holds the text of such instructions, with modifiers that they have and have not,
// against LLVM's.
func TestBlockMatrixText(t *testing.T) {
	isa, err := New("gfx1250", nil, Kernel{})
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(sweep.PCG(9, 10))
	var insts [][]uint32
	for i := range 400 {
		w := []uint32{0xcc330000 | rnd.Uint32()&0x7cf8,
			rnd.Uint32()&0x98000000 | 0x110<<18 | 0x140<<9 | 0x120}
		if i%2 != 0 {
			w = []uint32{0xcc884000 | rnd.Uint32()&0x4f0,
				rnd.Uint32()&0x80000000 | 0x18000000 | 0x120<<18 | 0x140<<9 | 0x120}
		}
		if i%4 > 1 {
			code := []uint32{0xcc350000, 0xcc3a0000}[i/4%2]
			w = append([]uint32{code | rnd.Uint32()&0x6b00,
				rnd.Uint32()&0x68000000 | 0x04000000 | 0x104<<9 | 0x102}, w...)
		}
		insts = append(insts, w)
	}
	read := 0
	for i, want := range llvmDisassemble(t, "gfx1250", insts) {
		if want == "" {
			continue
		}
		read++
		if got := ownText(isa, insts[i]); got != want {
			t.Errorf("%#x:\n\t%s, want\n\t%s", insts[i], got, want)
		}
	}
	if read < 100 {
		t.Errorf("LLVM reads %d of %d instructions", read, len(insts))
	}
}
