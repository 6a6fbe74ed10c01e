package gcn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"simtgdb/simt/softfloat"
	"simtgdb/testdata/sweep"
)

// waveMatrixMachines are the processors and sizes of waves that have matrix instructions of waves.
var waveMatrixMachines = []struct {
	processor string
	lanes     int
}{{"gfx1100", 32}, {"gfx1100", 64}, {"gfx1150", 32}, {"gfx1200", 32}, {"gfx1200", 64}, {"gfx1250", 32}}

// Where the test has the operands.
const waveD, waveA, waveB, waveC, waveIndex = 0, 32, 64, 96, 128

// waveWords are an instruction of the row with these operands.
func waveWords(op *Op, accumulator uint32) []uint32 {
	if op.wave.sparse {
		accumulator = srcVGPR + waveIndex
	}
	w := uint32(0xcc00_0000) | uint32(op.Code)<<16 | waveD
	w1 := (srcVGPR+waveA)&0x1ff | (srcVGPR+waveB)<<9 | accumulator<<18
	if !op.wave.wide {
		w |= 1 << 14
	}
	return []uint32{w, w1 | 3<<27}
}

// waveRows are the rows of a machine.
func waveRows(isa *ISA) []*Op {
	var rows []*Op
	for _, op := range isa.tables.rows[VOP3P] {
		if op != nil && op.wave != nil {
			rows = append(rows, op)
		}
	}
	return rows
}

// TestWaveMatrixText holds the text of each matrix instruction, with modifiers that it has and has not,
// against LLVM's, which must refuse what is refused.
func TestWaveMatrixText(t *testing.T) {
	for _, m := range waveMatrixMachines {
		isa, err := New(m.processor, nil, Kernel{WaveSize: m.lanes})
		if err != nil {
			t.Fatal(err)
		}
		rnd := rand.New(sweep.PCG(1, 2))
		var insts [][]uint32
		for _, op := range waveRows(isa) {
			for i := range 12 {
				words := waveWords(op, []uint32{srcVGPR + waveC, 242, 129, 240}[i%4])
				for _, bit := range []int{8, 9, 10, 11, 12, 13, 14, 15} {
					words[0] ^= uint32(rnd.IntN(6)/5) << bit
				}
				words[1] ^= uint32(rnd.IntN(8)) << 29 * uint32(i&1)
				insts = append(insts, words)
			}
		}
		name := m.processor
		if m.lanes == 64 {
			name += " +wavefrontsize64"
		}
		read := 0
		for i, want := range llvmDisassemble(t, name, insts) {
			if strings.Contains(want, "nvalid") { // LLVM says so of what it reads and would not write
				continue
			}
			if want != "" {
				read++
			}
			if got := ownText(isa, insts[i]); got != want {
				t.Errorf("%s: %#x:\n\t%s, want\n\t%s", name, insts[i], got, want)
			}
		}
		if read < 20 {
			t.Errorf("%s: LLVM reads %d of %d instructions", name, read, len(insts))
		}
	}
}

// A wavePlace is where an element is: the lane, and the bit of its registers.
type wavePlace struct{ lane, bit int }

// waveFactorPlace is where element k of row (or column) i of a factor is, as AMD's matrix instruction
// calculator has it for RDNA 3 and 4. For gfx1250 each half of a wave has half of each row, as IREE's layouts
// have it: which exchanges columns of A and rows of B alike, and no exact sum notices.
func waveFactorPlace(processor string, lanes, bits, all, i, k int, sparse, isA bool) wavePlace {
	half := func(at, group int) wavePlace { return wavePlace{16*group + i, at * bits} }
	switch {
	case processor < "gfx12":
		return half(k, 0)
	case processor == "gfx1250" && !sparse:
		return half(k%(all/2), k/(all/2))
	case lanes == 32 && bits == 16 && !sparse:
		return half(4*(k/8)+k%4, k/4%2)
	case lanes == 32 && bits == 16 && all <= 32:
		return half(8*(k/16)+k%8, k/8%2)
	case lanes == 32 && all*bits <= 256:
		return half(k%(all/2), k/(all/2))
	case lanes == 32: // gfx1250's own sparse ones: no document was found, so as gfx12's
		each := 128 / bits
		return half(k/(2*each)*each+k%each, k/each%2)
	case bits == 16 && !sparse:
		return half(k%4, k/4)
	case bits == 16:
		return half(k%8, k/8)
	case bits == 4 && (all == 16 || all == 32 && sparse && isA):
		return half(k%(all/2), k/(all/2))
	}
	each := all / 4
	return half(k%each, 2*(k/each%2)+k/each/2)
}

// waveResultPlace is the same of a result.
func waveResultPlace(processor string, lanes, bits, i, j int) wavePlace {
	switch {
	case processor < "gfx12":
		return wavePlace{i%(lanes/16)*16 + j, i / (lanes / 16) * 32}
	case lanes == 32:
		return wavePlace{16*(i/8) + j, i % 8 * bits}
	}
	return wavePlace{32*(i/4%2) + 16*(i/8) + j, i % 4 * bits}
}

// waveEncode is a number as an element.
func waveEncode(e waveElement, v float64) uint32 {
	switch e.name {
	case "f32":
		return math.Float32bits(float32(v))
	case "f16":
		return uint32(half16.Round(v, roundNearest))
	case "bf16":
		return uint32(brain16.Round(v, roundNearest))
	case "fp8":
		return uint32(softfloat.FP8.Round(v, softfloat.Rounding{}))
	case "bf8":
		return uint32(softfloat.BF8.Round(v, softfloat.Rounding{}))
	}
	return uint32(int32(v)) & uint32(1<<e.bits-1)
}

// waveDecode is an element of a result as a number.
func waveDecode(e waveElement, v uint32) float64 {
	switch e.name {
	case "f32":
		return float64(math.Float32frombits(v))
	case "f16":
		return floatOf(half16, uint64(v))
	case "bf16":
		return float64(math.Float32frombits(v << 16))
	}
	return float64(int32(v))
}

// A waveProduct is one execution, and what it should give.
type waveProduct struct {
	op        *Op
	processor string
	lanes     int
	value     func() float64
	key       int // which index a sparse one has
	neg       uint8
	a, b      [16][128]float64 // rows of A, columns of B
	c         [16][16]float64
}

func (p *waveProduct) fill(r *vectorRun, rnd *rand.Rand) {
	s := p.op.wave
	put := func(base int, at wavePlace, bits int, v uint32) {
		depositBits(r.regs.V[base:], at.lane, uint(at.bit), uint(bits), v)
	}
	copies := 1
	if p.processor < "gfx12" {
		copies = p.lanes / 16
	}
	factor := func(base int, e waveElement, i, k int, v float64, isA bool) {
		at := waveFactorPlace(p.processor, p.lanes, e.bits, s.k, i, k, s.sparse, isA)
		for n := range copies {
			put(base, wavePlace{at.lane + 16*n, at.bit}, e.bits, waveEncode(e, v))
		}
	}
	for i := range 16 {
		for k := range s.k {
			p.a[i][k], p.b[i][k] = p.value(), p.value()
			factor(waveB, s.b, i, k, p.b[i][k], false)
			if !s.sparse {
				factor(waveA, s.a, i, k, p.a[i][k], true)
			}
		}
		for k := 0; s.sparse && k < s.k; k += 4 {
			p.fillSparse(put, rnd, i, k)
		}
		for j := range 16 {
			p.c[i][j] = p.value()
			e, base := s.result, waveC
			if s.mixed {
				e = waveElements["f32"]
			}
			if s.sparse {
				base = waveD
			}
			at := waveResultPlace(p.processor, p.lanes, e.bits, i, j)
			put(base, at, e.bits, waveEncode(e, p.c[i][j]))
		}
	}
}

// fillSparse keeps two of four elements of a row of A.
func (p *waveProduct) fillSparse(put func(int, wavePlace, int, uint32), rnd *rand.Rand, i, k int) {
	s := p.op.wave
	first := rnd.IntN(3)
	second := first + 1 + rnd.IntN(3-first)
	at := waveFactorPlace(p.processor, p.lanes, s.a.bits, s.k, i, k, true, true)
	group := at.bit / s.a.bits / 4
	for n, which := range []int{first, second} {
		put(waveA, wavePlace{at.lane, (2*group + n) * s.a.bits}, s.a.bits, waveEncode(s.a, p.a[i][k+which]))
	}
	index := uint32(first | second<<2)
	set := 32 / max(1, p.sets()) * p.key
	put(waveIndex, wavePlace{at.lane, set + 4*group}, 4, index)
	for n := range 4 {
		if n != first && n != second {
			p.a[i][k+n] = 0
		}
	}
}

// sets is how many indices a register has.
func (p *waveProduct) sets() int {
	s := p.op.wave
	switch {
	case p.processor == "gfx1250" && s.wide:
		return 1
	case p.lanes == 64 && s.a.bits != 4:
		return 4
	case p.lanes == 32 && s.a.bits == 4 && s.k == 64:
		return 1
	}
	return 2
}

// run executes the instruction and compares: results may be off by some part of the sum of all products'
// sizes.
func (p *waveProduct) run(t *testing.T, rnd *rand.Rand, part float64) {
	t.Helper()
	s := p.op.wave
	r := newVectorRun(t, p.processor)
	r.isa.Kernel.WaveSize = p.lanes
	r.w.Size, r.w.Valid = p.lanes, 1<<p.lanes-1
	r.regs.wide = r.w.Valid
	setExec(r.w, 1) // which does not matter
	p.fill(r, rnd)
	words := waveWords(p.op, srcVGPR+waveC)
	words[0] |= uint32(p.key) << 11
	words[1] |= uint32(p.neg) << 29
	var code []byte
	for _, w := range words {
		code = append(code, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
	}
	r.run(t, r.decode(t, code))
	name := fmt.Sprintf("%s on %s of %d lanes", p.op.Name, p.processor, p.lanes)
	for i := range 16 {
		for j := range 16 {
			want, size := p.c[i][j], math.Abs(p.c[i][j])
			for k := range s.k {
				want += p.a[i][k] * p.b[j][k]
				size += math.Abs(p.a[i][k] * p.b[j][k])
			}
			at := waveResultPlace(p.processor, p.lanes, s.result.bits, i, j)
			got := waveDecode(s.result, bitsAt(r.regs.V[waveD:], at.lane, uint(at.bit), uint(s.result.bits)))
			if off := math.Abs(got - want); !(off <= part*size) {
				t.Fatalf("%s: element (%d, %d) is %v, want %v", name, i, j, got, want)
			}
		}
	}
}

// unexplained are instructions that have text alone: what they do with an accumulator of 32 bits and a result
// of 16 in one place no document says.
const unexplained = "v_swmmac_bf16f32_16x16x64_bf16"

// TestWaveMatrix multiplies matrices of small integers, of which each sum is exact, and compares with a plain
// product.
func TestWaveMatrix(t *testing.T) {
	for _, m := range waveMatrixMachines {
		isa, err := New(m.processor, nil, Kernel{WaveSize: m.lanes})
		if err != nil {
			t.Fatal(err)
		}
		rnd := rand.New(sweep.PCG(3, 4))
		for _, op := range waveRows(isa) {
			if op.Name == unexplained {
				continue
			}
			p := &waveProduct{op: op, processor: m.processor, lanes: m.lanes,
				value: func() float64 { return float64(rnd.IntN(5) - 2) }}
			if op.wave.a.isInteger() {
				p.neg = 3
			}
			for p.key = 0; p.key == 0 || op.wave.sparse && p.key < p.sets(); p.key++ {
				p.run(t, rnd, 0)
			}
		}
	}
}

// TestWaveMatrixRounding multiplies numbers whose sums are rounded, and unsigned integers.
func TestWaveMatrixRounding(t *testing.T) {
	for _, m := range waveMatrixMachines {
		isa, err := New(m.processor, nil, Kernel{WaveSize: m.lanes})
		if err != nil {
			t.Fatal(err)
		}
		rnd := rand.New(sweep.PCG(5, 6))
		for _, op := range waveRows(isa) {
			s := op.wave
			if op.Name == unexplained || s.sparse {
				continue
			}
			p := &waveProduct{op: op, processor: m.processor, lanes: m.lanes}
			part := float64(s.k) * 0x1p-24
			p.value = func() float64 { return waveDecode(s.a, waveEncode(s.a, rnd.NormFloat64())) }
			switch {
			case s.a.isInteger():
				part = 0
				p.value = func() float64 { return float64(rnd.IntN(1 << s.a.bits)) }
			case s.a.bits == 8:
				p.value = func() float64 { return float64(rnd.IntN(9)-4) / 4 }
			case s.result.name == "f16":
				part = 0x1p-11
			case s.result.name == "bf16":
				part = 0x1p-8
			}
			if s.a.bits == 8 && s.result.name == "f16" {
				part = 0x1p-11
			}
			p.run(t, rnd, part)
		}
	}
}

// TestWaveMatrixModifiers: signs, halves, saturation and constants.
func TestWaveMatrixModifiers(t *testing.T) {
	const half, two = 0x3c00, 0x4000
	for _, c := range []struct {
		on, asm    string
		a, b, c    uint32 // in each register of each lane
		want, rest uint32 // the first register of the result, and what it held before
	}{
		// 8 products of low halves, 8 of high ones: 1 · 1, negated in one factor's low halves; an accumulator
		// of -1.
		{"gfx1150", "v_wmma_f32_16x16x16_f16 v[0:7], v[32:39], v[64:71], v[96:103] neg_lo:[1,0,0]",
			half<<16 | half, half<<16 | half, 0xbf800000, 0xbf800000, 0},
		{"gfx1200",
			"v_wmma_f32_16x16x16_f16 v[0:7], v[32:35], v[64:67], v[96:103] neg_lo:[1,0,0] neg_hi:[0,1,0]",
			half<<16 | half, half<<16 | half, 0xbf800000, 0xc1880000, 0}, // -17
		{"gfx1200", "v_wmma_f32_16x16x16_f16 v[0:7], v[32:35], v[64:67], v[96:103] neg_lo:[0,0,1]",
			0, 0, 0xbf800000, 0x3f800000, 0},
		{"gfx1200",
			"v_wmma_f32_16x16x16_f16 v[0:7], v[32:35], v[64:67], v[96:103] neg_lo:[0,0,1] neg_hi:[0,0,1]",
			0, 0, 0x3f800000, 0xbf800000, 0},
		{"gfx1200", "v_wmma_f32_16x16x16_bf16 v[0:7], v[32:35], v[64:67], 2.0", 0, 0, 0, 0x40000000, 0},
		{"gfx1200", "v_wmma_f16_16x16x16_f16 v[0:3], v[32:35], v[64:67], 2.0", 0, 0, 0, two<<16 | two, 0},
		// A result of 16 bits in one half, the other left alone.
		{"gfx1150", "v_wmma_f16_16x16x16_f16 v[0:7], v[32:39], v[64:71], v[96:103] op_sel:[0,0,1]", 0, 0,
			two << 16, two<<16 | 0x1234, 0x5678_1234},
		{"gfx1150", "v_wmma_bf16_16x16x16_bf16 v[0:7], v[32:39], v[64:71], v[96:103]", 0, 0,
			0x7777_4040, 0x5678_4040, 0x5678_1234},
		{"gfx1150", "v_wmma_i32_16x16x16_iu8 v[0:7], v[32:35], v[64:67], v[96:103] neg_lo:[1,0,0]",
			0xffffffff,
			0x02020202, 40, 8, 0}, // -1 · 2
		{"gfx1150", "v_wmma_i32_16x16x16_iu8 v[0:7], v[32:35], v[64:67], v[96:103] clamp", 0x01010101,
			0x01010101, 0x7ffffff8, 0x7fffffff, 0},
		{"gfx1200", "v_wmma_i32_16x16x32_iu4 v[0:7], v[32:33], v[64:65], v[96:103] neg_lo:[0,1,0]",
			0x11111111, 0xffffffff, 0x80000000, 0x7fffffe0, 0},
		{"gfx1200", "v_swmmac_i32_16x16x64_iu4 v[0:7], v[32:33], v[64:67], v128 neg_lo:[1,1,0] clamp",
			0x77777777, 0x88888888, 0, 0x80000000, 0x80000001},
		{"gfx1250", "v_wmma_f32_16x16x4_f32 v[0:7], v[32:33], v[64:65], 1.0 neg_lo:[1,0,0]", 0x3f800000,
			0x3f800000, 0, 0xc0400000, 0},
	} {
		r := newVectorRun(t, c.on)
		r.isa.Kernel.WaveSize = 32
		r.w.Size, r.w.Valid, r.regs.wide = 32, 1<<32-1, 1<<32-1
		setExec(r.w, 1<<32-1)
		for base, v := range map[int]uint32{waveA: c.a, waveB: c.b, waveC: c.c, waveD: c.rest,
			waveIndex: 0x44444444} {
			for i := range 16 {
				r.regs.V[base+i] = *broadcast(v)
			}
		}
		r.run(t, r.decode(t, llvmAssemble(t, c.on, []string{c.asm})[0]))
		for l := range 32 {
			if got := r.regs.V[waveD][l]; got != c.want {
				t.Fatalf("%s: lane %d has %#x, want %#x", c.asm, l, got, c.want)
			}
		}
	}
}
