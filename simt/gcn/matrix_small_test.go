package gcn

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

// ocpFormat is a format of factors as "OCP Microscaling Formats (MX) Specification" 1.0, section 5.3, and the
// OCP's 8-bit specification define it: bits of exponent and fraction, and the bias.
type ocpFormat struct{ exp, mant, bias int }

// ocpFormats are in the order of CBSZ and BLGP (CDNA4 ISA).
var ocpFormats = []ocpFormat{{4, 3, 7}, {5, 2, 15}, {2, 3, 1}, {3, 2, 3}, {2, 1, 1}}

func (f ocpFormat) width() int { return 1 + f.exp + f.mant }

// values are what encodings stand for that are no infinities and no NaNs.
func (f ocpFormat) values() []float64 {
	if ocpValues[f] == nil {
		for c := range 1 << f.width() {
			ocpValues[f] = append(ocpValues[f], f.value(c))
		}
	}
	return ocpValues[f]
}

// ocpValues are those that have been asked for.
var ocpValues = map[ocpFormat][]float64{}

func (f ocpFormat) value(v int) float64 {
	sign := 1 - 2*float64(v>>(f.exp+f.mant))
	e, m := v>>f.mant&(1<<f.exp-1), float64(v&(1<<f.mant-1))/float64(int(1)<<f.mant)
	if e == 0 {
		return sign * m * math.Pow(2, float64(1-f.bias))
	}
	return sign * (1 + m) * math.Pow(2, float64(e-f.bias))
}

// place is where element k of row i of a factor of m rows is, as the tables over load_A_row_major in ROCm's
// composable_kernel, test/mx_mfma_op/mx_mfma_op.hpp, have it: bytes in two pieces of 16 to a lane, smaller
// ones in one of 32.
func (f ocpFormat) place(m, i, k int) (lane, item int) {
	if f.width() < 8 {
		return i + m*(k/32), k % 32
	}
	half := 16 * simt.MaxLanes / m
	return i + m*(k%half/16), k/half*16 + k%16
}

// A smallProduct is an instruction with factors and scales, and the registers that have them.
type smallProduct struct {
	m, k   int
	fa, fb int
	scaled bool
	bytes  [2]int // which of their registers' bytes the scales are
	a, b   [][]int
	sa, sb [][]int // exponents of the scales, of 32 elements each
}

const smallA, smallB, smallC, smallD, smallSA, smallSB = 0, 8, 16, 32, 48, 49

// words are the instruction as it is encoded.
func (p *smallProduct) words() []uint32 {
	code := uint32(0xd3ad0000)
	if p.m == 32 {
		code = 0xd3ae0000
	}
	words := []uint32{code | uint32(p.fa)<<8 | smallD,
		(256 + smallA) | (256+smallB)<<9 | (256+smallC)<<18 | uint32(p.fb)<<29}
	if !p.scaled {
		return words
	}
	low, high := uint32(p.bytes[0]&1|p.bytes[1]&1<<1), uint32(p.bytes[0]>>1|p.bytes[1]>>1<<1)
	words[0] |= 1 << 11
	return append([]uint32{0xd3ac0000 | low<<11, (256 + smallSA) | (256+smallSB)<<9 | high<<27}, words...)
}

// fill makes the factors and puts them into registers. Their elements and scales are such that every sum is
// exact.
func (p *smallProduct) fill(r *vectorRun, rnd *rand.Rand) {
	clear(r.regs.V)
	factor := func(f ocpFormat, reg, scale, which int) (v, e [][]int) {
		var fit []int
		for c := range 1 << f.width() {
			if x := f.value(c); math.Abs(x) <= 2 && x*4 == math.Trunc(x*4) {
				fit = append(fit, c)
			}
		}
		for i := range p.m {
			v, e = append(v, make([]int, p.k)), append(e, make([]int, p.k/32))
			for k := range p.k {
				v[i][k] = fit[rnd.IntN(len(fit))]
				lane, item := f.place(p.m, i, k)
				at := item * f.width()
				wide := uint64(v[i][k]) << (at % 32)
				r.regs.V[reg+at/32][lane] |= uint32(wide)
				r.regs.V[reg+at/32+1][lane] |= uint32(wide >> 32)
			}
			for block := range e[i] {
				e[i][block] = rnd.IntN(5) - 2
				others := rnd.Uint32() &^ (0xff << (8 * p.bytes[which]))
				r.regs.V[scale][i+p.m*block] = others | uint32(e[i][block]+127)<<(8*p.bytes[which])
			}
		}
		return v, e
	}
	p.a, p.sa = factor(ocpFormats[p.fa], smallA, smallSA, 0)
	clear(r.regs.V[smallB:smallC]) // what A had behind its last element
	p.b, p.sb = factor(ocpFormats[p.fb], smallB, smallSB, 1)
	for i := range smallD - smallC {
		for l := range r.regs.V[smallC+i] {
			r.regs.V[smallC+i][l] = math.Float32bits(float32(i - l))
		}
	}
}

// want is an element of the result, but for C.
func (p *smallProduct) want(i, j int) float64 {
	sum, a, b := 0.0, ocpFormats[p.fa].values(), ocpFormats[p.fb].values()
	for k := range p.k {
		x := a[p.a[i][k]] * b[p.b[j][k]]
		if p.scaled {
			x = math.Ldexp(x, p.sa[i][k/32]+p.sb[j][k/32])
		}
		sum += x
	}
	return sum
}

// TestMatrixSmall multiplies matrices of every two formats, with and without scales in every byte of their
// registers, and compares with sums of what the formats' definitions say.
func TestMatrixSmall(t *testing.T) {
	r := newVectorRun(t, "gfx950")
	rnd := rand.New(sweep.PCG(24, 25))
	for _, shape := range [][2]int{{16, 128}, {32, 64}} {
		for fa := range ocpFormats {
			for fb := range ocpFormats {
				for _, scaled := range []bool{false, true} {
					p := &smallProduct{m: shape[0], k: shape[1], fa: fa, fb: fb, scaled: scaled,
						bytes: [2]int{(fa + fb) % 4, (fa + 2*fb + 1) % 4}}
					p.fill(r, rnd)
					p.check(t, r)
				}
			}
		}
	}
	// The first half alone changes nothing.
	before := r.regs.V[smallD]
	for _, exec := range []uint64{1, all64} {
		setExec(r.w, exec)
		r.run(t, r.decode(t, wordsCode(0xd3ac0000, (256+smallSA)|(256+smallSB)<<9)))
		if r.regs.V[smallD] != before {
			t.Error("v_mfma_ld_scale_b32 changes a register")
		}
	}
}

func (p *smallProduct) check(t *testing.T, r *vectorRun) {
	t.Helper()
	setExec(r.w, []uint64{1, all64}[p.fb%2]) // which does not matter
	in := r.decode(t, wordsCode(p.words()...))
	if in.Size != 4*len(p.words()) {
		t.Fatalf("%v has %d bytes", in, in.Size)
	}
	r.run(t, in)
	shape := product{m: p.m, k: p.k, blocks: 1, result: "f32"}
	for lane := range simt.MaxLanes {
		for item := range p.m * p.m / simt.MaxLanes {
			_, i, j := shape.cell(lane, item)
			want := float32(p.want(i, j) + float64(item-lane))
			if got := math.Float32frombits(r.regs.V[smallD+item][lane]); got != want {
				t.Fatalf("%v: element (%d,%d) is %v, want %v", in, i, j, got, want)
			}
		}
	}
}

// TestMatrixSmallSpecials: NaNs and infinities of factors and scales, and formats that are reserved.
func TestMatrixSmallSpecials(t *testing.T) {
	r := newVectorRun(t, "gfx950")
	one := []uint32{0x38, 0x3c, 0x08, 0x0c, 0x2} // in each format
	for _, c := range []struct {
		a, format, b, scale uint32
		want                float64
	}{
		{0x7f, 0, one[1], 127, math.NaN()}, {0x7e, 0, one[1], 127, 448}, {0x7c, 1, one[1], 127, math.Inf(1)},
		{0xfc, 1, one[1], 127, math.Inf(-1)}, {0x7d, 1, one[1], 127, math.NaN()},
		{one[0], 0, one[1], 0xff, math.NaN()},
		{0x7c, 1, 0, 127, math.NaN()}, {0x1f, 2, one[1], 128, 15}, {0x1f, 3, one[1], 126, 14},
		{0x7, 4, one[1], 0, 0x3p-126},
		{one[0], 0, one[1], 254, math.Inf(1)}, // with B's scale of 2
	} {
		p := &smallProduct{m: 16, k: 128, fa: int(c.format), fb: 1, scaled: true}
		clear(r.regs.V)
		r.regs.V[smallA][0], r.regs.V[smallB][0] = c.a, c.b
		r.vectorOf(smallSA, c.scale)
		r.vectorOf(smallSB, 127)
		if c.scale == 254 {
			r.vectorOf(smallSB, 128)
		}
		r.run(t, r.decode(t, wordsCode(p.words()...)))
		got := float64(math.Float32frombits(r.regs.V[smallD][0]))
		if got != c.want && (got == got || c.want == c.want) {
			t.Errorf("%#x of format %d scaled by %d: %v, want %v", c.a, c.format, c.scale, got, c.want)
		}
	}
	in := r.decode(t, wordsCode((&smallProduct{m: 16, fa: 5}).words()...))
	if in.exec(r.core, in); r.core.stop.Kind != simt.FaultEvent {
		t.Errorf("%v executes", in)
	}
}

// vectorOf fills a register.
func (r *vectorRun) vectorOf(reg int, v uint32) {
	for l := range r.regs.V[reg] {
		r.regs.V[reg][l] = v
	}
}

// TestAddOnce compares sums with those of arbitrary precision.
func TestAddOnce(t *testing.T) {
	rnd := rand.New(sweep.PCG(26, 27))
	for range 200000 {
		v := math.Float32frombits(rnd.Uint32())
		if v != v || math.IsInf(float64(v), 0) {
			continue
		}
		p := math.Ldexp(float64(rnd.IntN(1<<10)-1<<9), rnd.IntN(300)-150)
		if rnd.IntN(2) == 0 { // near half of a last place
			p = math.Ldexp(float64(1+rnd.IntN(3)), math.Ilogb(float64(v))-25+rnd.IntN(3)) * float64(
				1-2*rnd.IntN(2))
		}
		exact := new(big.Float).SetPrec(2000).SetFloat64(float64(v))
		want, _ := exact.Add(exact, new(big.Float).SetFloat64(p)).Float32()
		if got := addOnce(v, p); got != want {
			t.Fatalf("%v + %v: %v, want %v", v, p, got, want)
		}
	}
}

// TestMatrixSmallText compares decoding and text with LLVM's, of fields that are random.
func TestMatrixSmallText(t *testing.T) {
	r := newVectorRun(t, "gfx950")
	rnd := rand.New(sweep.PCG(28, 29))
	var insts [][]uint32
	for range 400 {
		even := func() uint32 { return 256 + uint32(rnd.IntN(20)*2) }
		acc := uint32(rnd.IntN(2)) << 15
		mfma := []uint32{0xd3ad0000 +
			uint32(rnd.IntN(2))<<16 | acc | uint32(rnd.IntN(5))<<8 | uint32(rnd.IntN(20)*2),
			even() | even()<<9 | even()<<18 | uint32(rnd.IntN(4))<<27 | uint32(rnd.IntN(5))<<29}
		load := []uint32{0xd3ac0000 | uint32(rnd.IntN(4))<<11,
			(even() + 1) | even()<<9 | uint32(rnd.IntN(4))<<27}
		switch rnd.IntN(4) {
		case 0:
			insts = append(insts, mfma)
		case 1:
			insts = append(insts, load)
		default:
			mfma[0] |= 1 << 11
			insts = append(insts, append(load, mfma...))
		}
	}
	for i, want := range llvmDisassemble(t, "gfx950", insts) {
		in, err := r.isa.Decode(wordsCode(insts[i]...), 0)
		if err != nil {
			if want != "" {
				t.Errorf("%x: %v, want %s", insts[i], err, want)
			}
			continue
		}
		if got := in.String(); got != want {
			t.Errorf("%s: %s, want %s", fmt.Sprintf("%x", insts[i]), got, want)
		}
	}
}
