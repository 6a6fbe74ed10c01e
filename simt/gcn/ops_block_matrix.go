package gcn

import (
	"math"
	"strconv"
	"strings"

	"simtgdb/simt/softfloat"
)

// Matrix instructions of gfx1250 for floats of 8, 6 and 4 bits (CDNA 5 ISA, sections "Wave matrix multiply
// accumulate" and "Block scaling"): the formats of the factors are chosen by the instruction, and blocks of
// 32 or 16 numbers of a row or column can have a scale, an exponent in a byte of another register.
//
// Products are added one after the other in the order of k, each sum rounded as a fused multiply-add of 32
// bits; with scales the sum of each block is rounded, scaled, rounded again and added.

// A blockMatrix is what one of these instructions does.
type blockMatrix struct {
	rows  int  // of A and of the result
	fours bool // both factors have 4 bits
}

const (
	blockColumns = 16
	blockDepth   = 128
)

// blockFields are the fields of such an instruction.
type blockFields struct {
	formats   [2]uint8 // of A and B
	scaled    bool
	fine      bool     // scales are those of 16 numbers, not of 32
	upper     [2]bool  // the scales are in the upper half of the wave
	scaleForm [2]uint8 // the format of the scales
	reused    [2]bool  // hints
}

// blockFormats are the formats of factors by their numbers.
var blockFormats = []struct {
	name string
	mini softfloat.Mini
}{{"FP8", softfloat.FP8}, {"BF8", softfloat.BF8}, {"FP6", softfloat.FP6}, {"BF6", softfloat.BF6},
	{"FP4", softfloat.FP4}}

func blockFormatText(n uint8) string {
	if int(n) < len(blockFormats) {
		return "MATRIX_FMT_" + blockFormats[n].name
	}
	return strconv.Itoa(int(n))
}

// reserved reports whether a factor has a format that is none: both are read then as if they had the first.
func (f *blockFields) reserved() bool {
	return int(max(f.formats[0], f.formats[1])) >= len(blockFormats)
}

// scaleForms are the formats of scales by their numbers.
var scaleForms = []string{"MATRIX_SCALE_FMT_E8", "MATRIX_SCALE_FMT_E5M3", "MATRIX_SCALE_FMT_E4M3", "3"}

const blockFP4 = 4

var _ = registerLater(blockMatrixRows)

func blockMatrixRows() []Op {
	return []Op{
		blockRow("v_wmma_f32_16x16x128_f8f6f4", blockMatrix{rows: 16}, b256),
		blockRow("v_wmma_f32_32x16x128_f4", blockMatrix{rows: 32, fours: true}, b512),
		{Enc: VOP3P, Name: loadScales, src: srcs(b32, b32)},
		{Enc: VOP3P, Name: loadFineScales, src: srcs(b64, b64)},
	}
}

// What an instruction that has scales begins with.
const (
	loadScales     = "v_wmma_ld_scale_paired_b32"
	loadFineScales = "v_wmma_ld_scale16_paired_b64"
)

func blockRow(name string, s blockMatrix, result typ) Op {
	return Op{Enc: VOP3P, Name: name, dst: result, src: srcs(b512, b512, result), block: &s, run: s.run}
}

// blockScales decodes the scales, and the matrix instruction that follows them as one with them.
func (d *decoder) blockScales(w, w1 uint32) error {
	in := d.in
	nums := [2]uint32{w1 & 0x1ff, w1 >> 9 & 0x1ff}
	next := d.peek()
	rows := d.isa.tables.rows[VOP3P]
	op := rows[min(next>>16&0xff, uint32(len(rows)-1))]
	if next>>24 != 0xcc || op == nil || op.block == nil {
		in.mod = &modifiers{}
		return d.longSources(nums[:])
	}
	f := &blockFields{scaled: true, fine: in.Op.Name == loadFineScales,
		upper:     [2]bool{w>>11&1 != 0, w1>>27&1 != 0},
		scaleForm: [2]uint8{uint8(w1 >> 29 & 3), uint8(w >> 8 & 3)},
		reused:    [2]bool{w>>13&1 != 0, w>>14&1 != 0}}
	var scales [2]operand
	for i, n := range nums {
		if err := d.operand(&scales[i], in.Op.src[0], n); err != nil {
			return err
		}
	}
	w, err := d.word()
	if err != nil {
		return err
	}
	if w1, err = d.word(); err != nil {
		return err
	}
	in.Op = op
	if err := d.blockMatrix(w, w1, f); err != nil {
		return err
	}
	in.mod.scales = &scales
	return nil
}

// blockMatrix decodes the instruction itself.
func (d *decoder) blockMatrix(w, w1 uint32, f *blockFields) error {
	in, s := d.in, d.in.Op.block
	f.formats = [2]uint8{uint8(w >> 11 & 7), uint8(w>>14&1<<2 | w1>>27&3)}
	if s.fours {
		f.formats = [2]uint8{blockFP4, blockFP4}
	}
	in.block = f
	in.mod = &modifiers{neg: uint8(w1 >> 29 & 4), negHi: uint8(w >> 8 & 4)}
	result := in.Op.dst
	if err := d.vectorDst(&in.dst, result, w&0xff, false); err != nil {
		return err
	}
	for i := range f.formats {
		t := wideTypes[s.registers(i, f)]
		num := w1 >> (9 * i) & 0x1ff
		if num < srcVGPR {
			return d.fail("source %d of %s must be a vector register", i, in.Op.Name)
		}
		if err := d.operand(&in.src[i], t, num); err != nil {
			return err
		}
	}
	num := w1 >> 18 & 0x1ff
	if num >= srcVGPR {
		return d.operand(&in.src[2], result, num)
	}
	if num == srcLiteral {
		return d.fail("%v takes no literal", in.form)
	}
	if err := d.operand(&in.src[2], f32, num); err != nil {
		return err
	}
	if in.src[2].kind != constant {
		return d.fail("the accumulator of %s must be vector registers or a constant", in.Op.Name)
	}
	in.src[2].typ = result
	return nil
}

// registers are how many a factor takes of each lane.
func (s *blockMatrix) registers(which int, f *blockFields) int {
	rows := [2]int{s.rows, blockColumns}[which]
	width := softfloat.FP8.Width
	if !f.reserved() {
		width = blockFormats[f.formats[which]].mini.Width
	}
	return rows * blockDepth * int(width) / 32 / laterWave
}

// blockText is the text of such an instruction.
func (in *Inst) blockText() string {
	f, m := in.block, in.mod
	operands := []string{in.dst.text(), in.src[0].text(), in.src[1].text(), in.src[2].text()}
	name := in.Op.display()
	var rest []string
	if m.scales != nil {
		prefix := "v_wmma_scale_"
		if f.fine {
			prefix = "v_wmma_scale16_"
		}
		name = strings.Replace(name, "v_wmma_", prefix, 1)
		operands = append(operands, m.scales[0].text(), m.scales[1].text())
	}
	each := func(on func(i int) bool, text func(i int) string) {
		for i, matrix := range []string{"matrix_a_", "matrix_b_"} {
			rest = append(rest, when(on(i), matrix+text(i)))
		}
	}
	each(func(i int) bool { return f.formats[i] != 0 && !in.Op.block.fours },
		func(i int) string { return "fmt:" + blockFormatText(f.formats[i]) })
	each(func(i int) bool { return f.upper[i] }, func(int) string { return "scale:MATRIX_SCALE_ROW1" })
	each(func(i int) bool { return f.scaleForm[i] != 0 },
		func(i int) string { return "scale_fmt:" + scaleForms[f.scaleForm[i]] })
	each(func(i int) bool { return f.reused[i] }, func(int) string { return "reuse" })
	rest = append(rest, when(m.neg != 0, bitsText("neg_lo", m.neg, 3)), when(m.negHi != 0,
		bitsText("neg_hi", m.negHi, 3)))
	return instText(name, operands, rest...)
}

// blockFactors are the registers of one execution, copied: the destination may overlap them.
type blockFactors struct {
	f       *blockFields
	factors [2][]Vector
	scales  [2][]Vector

	numbers [2][]uint64 // of the rows of A and the columns of B, floats of 32 bits
}

// run is one execution. What formats of scales other than exponents mean in detail is in no public document.
func (s *blockMatrix) run(c *Core, in *Inst) {
	f := in.block
	if f.scaleForm != [2]uint8{} || f.reserved() {
		unknown(c, in)
		return
	}
	x := blockFactors{f: f}
	for i := range x.factors {
		x.factors[i] = c.waveRegisters(&in.src[i])
		x.unpack(i, [2]int{s.rows, blockColumns}[i])
	}
	if f.scaled {
		for i := range x.scales {
			x.scales[i] = c.scaleRegisters(&in.mod.scales[i])
		}
	}
	out := c.waveRegisters(&in.src[2])
	for i := range s.rows {
		for j := range blockColumns {
			lane, reg := i%16/8*16+j, i/16*8+i%8
			v := out[reg][lane]
			if in.mod.negHi != 0 {
				v &^= 1 << 31
			}
			if in.mod.neg != 0 {
				v ^= 1 << 31
			}
			out[reg][lane] = x.sum(v, s.rows, i, j)
		}
	}
	copy(c.registers(&in.dst), out)
}

// scaleRegisters are the scales of all lanes.
func (c *Core) scaleRegisters(o *operand) []Vector {
	switch {
	case o.kind == vectorReg:
		return c.waveRegisters(o)
	case typDwords[o.typ] == 2:
		v := c.s64(o)
		return []Vector{*broadcast(uint32(v)), *broadcast(uint32(v >> 32))}
	}
	return []Vector{*broadcast(c.s32(o))}
}

// sum adds to an element of the accumulator.
func (x *blockFactors) sum(v uint32, rows, i, j int) uint32 {
	if !x.f.scaled {
		return x.products(v, i, j, 0, blockDepth)
	}
	size := 32
	if x.f.fine {
		size = 16
	}
	row := i
	if rows == waveSide && x.f.upper[0] {
		row += waveSide
	}
	column := j
	if x.f.upper[1] {
		column += waveSide
	}
	for b := range blockDepth / size {
		block := x.products(0, i, j, b*size, size)
		p, q := x.scale(0, row, b), x.scale(1, column, b)
		scaled := float64(float32s(block)) * p * q
		v = uint32(single.Add(uint64(single.Round(scaled, roundNearest)), uint64(v), exactly))
	}
	return v
}

// scale is that of block b of a row of A or a column of B.
func (x *blockFactors) scale(which, lane, b int) float64 {
	exponent := x.scales[which][b/4][lane] >> (b % 4 * 8) & 0xff
	if exponent == 0xff {
		return math.NaN()
	}
	return math.Ldexp(1, int(exponent)-single.Bias())
}

// products adds n products from k on.
func (x *blockFactors) products(v uint32, i, j, k, n int) uint32 {
	sum := uint64(v)
	column := x.numbers[1][j*blockDepth+k:][:n]
	for at, p := range x.numbers[0][i*blockDepth+k:][:n] {
		sum = single.FMAPlain(p, column[at], sum, exactly)
	}
	return uint32(sum)
}

// unpack makes numbers of a factor's registers.
func (x *blockFactors) unpack(which, rows int) {
	x.numbers[which] = make([]uint64, 0, rows*blockDepth)
	for i := range rows {
		for k := range blockDepth {
			x.numbers[which] = append(x.numbers[which], x.element(which, i, k))
		}
	}
}

// element is element k of a row of A or a column of B, as a float of 32 bits. The halves of a wave take
// turns every 16 numbers of 8 bits, every 32 of less; further rows are in further registers.
func (x *blockFactors) element(which, i, k int) uint64 {
	m := blockFormats[x.f.formats[which]].mini
	each := 32
	if m.Width == 8 {
		each = 16
	}
	lane := i%waveSide + k/each%2*waveSide
	item := k/(2*each)*each + k%each + i/waveSide*blockDepth/2
	return ofMini(m, uint64(bitsAt(x.factors[which], lane, uint(item)*m.Width, m.Width)))
}
