package gcn

import (
	"fmt"
	"slices"
	"strconv"

	"simtgdb/simt/pattern"
	"simtgdb/simt/softfloat"
)

// Matrix instructions of gfx11, gfx12 and gfx1250 (RDNA 3 and 4 ISA, sections "Wave matrix multiply
// accumulate"): one product of a 16 by k and a k by 16 matrix, spread over the lanes of a wave, which ignores
// EXEC.
//
// As on gfx9 the products are added one after the other in the order of k, each sum rounded as a fused
// multiply-add of 32 bits, with denormals kept; a result of 16 bits is rounded once, at the end.

// A waveMatrix is what one of these instructions does, whatever the processor and the wave.
type waveMatrix struct {
	k      int
	a, b   waveElement
	result waveElement
	mixed  bool // the accumulator has 32 bits, though the result has 16
	sparse bool // of four elements in a row of A there are two, and an index says which (v_swmmac)
	wide   bool // one of gfx1250's own, which can say that a factor is used again
}

// A waveElement is the type of the elements of a matrix.
type waveElement struct {
	name string
	bits int
}

var waveElements = map[string]waveElement{"f32": {"f32", 32}, "i32": {"i32", 32}, "f16": {"f16", 16},
	"bf16": {"bf16", 16}, "fp8": {"fp8", 8}, "bf8": {"bf8", 8}, "iu8": {"iu8", 8}, "iu4": {"iu4", 4}}

// isInteger reports whether the elements are integers, signed if a modifier says so.
func (e waveElement) isInteger() bool { return e.name == "iu8" || e.name == "iu4" || e.name == "i32" }

const waveSide = 16 // rows of A and columns of B

// waveMatrixNames has the parts of a name: result, k, and the elements of A and of B if they have another
// type.
var waveMatrixNames = pattern.Compile(`^v_(sw|w)mma(?:c)?_([a-z]+\d+)(f32)?_` +
	`16x16x(\d+)_([a-z]+\d+)(?:_([a-z]+\d+))?$`)

var _ = registerLater(waveMatrixRows)

func waveMatrixRows() []Op {
	var rows []Op
	row := func(name string) {
		part := waveMatrixNames().FindStringSubmatch(name)
		s := &waveMatrix{sparse: part[1] == "sw", result: waveElements[part[2]], mixed: part[3] != "",
			a: waveElements[part[5]]}
		s.b = s.a
		if part[6] != "" {
			s.b = waveElements[part[6]]
		}
		s.k, _ = strconv.Atoi(part[4])
		most := 256 // bits of a row of gfx12's
		if s.sparse {
			most = 512
		}
		s.wide = s.k*s.a.bits > most || s.a.bits == 32
		op := Op{Enc: VOP3P, Name: name, dst: b256, src: srcs(b256, b256, b256), wave: s, run: s.run}
		if s.sparse {
			op.src = srcs(b256, b256, b32, b256)
			op.flag = readsDst
		}
		rows = append(rows, op)
	}
	each := func(format string, elements ...string) {
		for _, e := range elements {
			row(fmt.Sprintf(format, e))
		}
	}
	small := []string{"fp8_fp8", "fp8_bf8", "bf8_fp8", "bf8_bf8"}
	each("v_wmma_f32_16x16x16_%s", append([]string{"f16", "bf16"}, small...)...)
	each("v_swmmac_f32_16x16x32_%s", append([]string{"f16", "bf16"}, small...)...)
	each("v_wmma_f32_16x16x32_%s", "f16", "bf16")
	each("v_wmma_f32_16x16x64_%s", small...)
	each("v_wmma_f16_16x16x64_%s", small...)
	each("v_wmma_f32_16x16x128_%s", small...)
	each("v_wmma_f16_16x16x128_%s", small...)
	each("v_swmmac_f32_16x16x64_%s", "f16", "bf16")
	each("v_swmmac_f32_16x16x128_%s", small...)
	each("v_swmmac_f16_16x16x128_%s", small...)
	each("%s", "v_wmma_f16_16x16x16_f16", "v_wmma_bf16_16x16x16_bf16", "v_wmma_i32_16x16x16_iu8",
		"v_wmma_i32_16x16x16_iu4", "v_wmma_i32_16x16x32_iu4", "v_swmmac_f16_16x16x32_f16",
		"v_swmmac_bf16_16x16x32_bf16", "v_swmmac_i32_16x16x32_iu8", "v_swmmac_i32_16x16x32_iu4",
		"v_swmmac_i32_16x16x64_iu4", "v_wmma_f32_16x16x4_f32", "v_wmma_f16_16x16x32_f16",
		"v_wmma_bf16_16x16x32_bf16", "v_wmma_bf16f32_16x16x32_bf16", "v_swmmac_f16_16x16x64_f16",
		"v_swmmac_bf16_16x16x64_bf16", "v_swmmac_bf16f32_16x16x64_bf16", "v_wmma_i32_16x16x64_iu8",
		"v_swmmac_i32_16x16x128_iu8")
	return rows
}

// A waveLayout is where the elements of a matrix instruction are, for a processor and a size of waves.
type waveLayout struct {
	*waveMatrix
	replicated bool // gfx11: each group of 16 lanes has all of A and B
	lanes      int
}

func (a *ISA) waveLayout(s *waveMatrix) waveLayout {
	return waveLayout{s, a.Target&gfx11 != 0, a.WaveSize()}
}

// groups are how many groups of 16 lanes divide a factor among them, each with all rows or columns. What
// would be half a register of each lane is in the first half of a wave of 64.
func (y waveLayout) groups(elements, bits int) int {
	n := y.lanes / waveSide
	if y.replicated {
		return 1
	}
	if elements/n*bits < 32 {
		n /= 2
	}
	return n
}

// registers are how many a factor takes of each lane.
func (y waveLayout) registers(elements, bits int) int {
	return max(1, elements/y.groups(elements, bits)*bits/32)
}

// storedK is how many elements a row of A has, as it is stored.
func (y waveLayout) storedK() int {
	if y.sparse {
		return y.k / 2
	}
	return y.k
}

// packed reports whether a register has two elements of a result of 16 bits.
func (y waveLayout) packed(e waveElement) bool { return e.bits == 16 && !y.replicated }

// accumulator is how many registers an accumulator or result takes of each lane.
func (y waveLayout) accumulator(e waveElement) int {
	n := waveSide * waveSide / y.lanes
	if y.packed(e) {
		n /= 2
	}
	return n
}

// types are those of the operands: the result, A, B and the accumulator or the index.
func (y waveLayout) types() (dst, a, b, c typ) {
	dst = wideTypes[y.accumulator(y.result)]
	a = wideTypes[y.registers(y.storedK(), y.a.bits)]
	b = wideTypes[y.registers(y.k, y.b.bits)]
	switch {
	case y.sparse:
		c = wideTypes[max(1, y.indexBits()/32)]
	case y.mixed:
		c = wideTypes[y.accumulator(waveElements["f32"])]
	default:
		c = dst
	}
	if y.sparse && y.mixed {
		dst = wideTypes[y.accumulator(waveElements["f32"])]
	}
	return dst, a, b, c
}

// indexBits is how many bits of an index a lane has use for: two for each of its elements of A.
func (y waveLayout) indexBits() int {
	return 2 * y.storedK() / y.groups(y.storedK(), y.a.bits)
}

// indexSets is how many indices a register has: the instruction says which.
func (y waveLayout) indexSets() int { return max(1, 32/y.indexBits()) }

// at is where element k of a row or column is: the group of lanes, and which of the lane's elements. Groups
// take turns with each other every two registers, every four where A is sparse; of the four groups of a wave
// of 64 the middle ones change places for elements of less than 16 bits.
func (y waveLayout) at(k, bits int) (group, item int) {
	groups := y.groups(y.k, bits)
	each := 64 / bits
	if y.sparse {
		each *= 2
	}
	each = min(each, y.k/groups)
	group, item = k/each%groups, k/each/groups*each+k%each
	return y.swapped(group, groups, bits), item
}

func (y waveLayout) swapped(group, groups, bits int) int {
	if groups == 4 && bits != 16 {
		return group&1<<1 | group>>1
	}
	return group
}

// place is where element (i, j) of the result is: the lane, and which of the lane's elements.
func (y waveLayout) place(i, j int) (lane, item int) {
	groups := y.lanes / waveSide
	if y.replicated {
		return i%groups*waveSide + j, i / groups
	}
	each := waveSide / groups
	return y.swapped(i/each, groups, 0)*waveSide + j, i % each
}

// waveFactors are the registers of one execution, copied: the destination may overlap them.
type waveFactors struct {
	y          waveLayout
	m          *modifiers
	a, b, c, x []Vector // x is the index
	half       uint     // the half of the registers that a result of 16 bits is in, on gfx11: its first bit

	rows, columns [waveSide]waveFactor // of A and B
}

// A waveFactor is a row of A or a column of B: its elements in the order of k, of A those that are there, and
// which of the column they are multiplied with.
type waveFactor struct {
	elements []uint32
	places   []int
}

// run is one execution.
func (s *waveMatrix) run(c *Core, in *Inst) {
	y := c.isa.waveLayout(s)
	f := waveFactors{y: y, m: in.modifiers()}
	// What LLVM prints here and no document explains: indices of gfx1250 that fill their register and still
	// are chosen, and a result of 16 bits in the place of an accumulator of 32.
	if s.sparse && (s.mixed || int(f.m.opSel) >= y.indexSets()) {
		unknown(c, in)
		return
	}
	if y.replicated && s.result.bits == 16 {
		f.half = 16 * uint(f.m.opSel>>2&1)
	}
	f.a, f.b = c.waveRegisters(&in.src[0]), c.waveRegisters(&in.src[1])
	f.c = c.waveRegisters(&in.src[2])
	if s.sparse {
		f.x, f.c = f.c, c.waveRegisters(&in.dst)
	}
	f.unpack()
	out := slices.Clone(c.waveRegisters(&in.dst))
	for i := range waveSide {
		for j := range waveSide {
			f.store(out, i, j)
		}
	}
	copy(c.registers(&in.dst), out)
}

// waveRegisters are the registers of an operand, copied; a constant is in each of them.
func (c *Core) waveRegisters(o *operand) []Vector {
	if o.kind == vectorReg {
		return slices.Clone(c.registers(o))
	}
	return slices.Repeat([]Vector{*broadcast(uint32(o.imm))}, typDwords[o.typ])
}

// store computes element (i, j) of the result.
func (f *waveFactors) store(out []Vector, i, j int) {
	lane, item := f.y.place(i, j)
	from := f.y.result
	if f.y.mixed {
		from = waveElements["f32"]
	}
	v := f.sum(f.accumulated(from, lane, item), i, j)
	if f.y.result.bits == 16 {
		to := half16
		if f.y.result.name == "bf16" {
			to = brain16
		}
		v = uint32(convertFloat(single, to, uint64(v), ModeDenorm32|ModeDenorm64))
	}
	f.put(out, lane, item, v)
}

func (f *waveFactors) put(out []Vector, lane, item int, v uint32) {
	if f.y.result.bits != 16 {
		out[item][lane] = v
		return
	}
	shift := f.half
	if f.y.packed(f.y.result) {
		item, shift = item/2, uint(item%2*16)
	}
	d := &out[item][lane]
	*d = *d&^(0xffff<<shift) | v<<shift
}

// accumulated is the accumulator's element, as 32 bits.
func (f *waveFactors) accumulated(e waveElement, lane, item int) uint32 {
	var v uint32
	switch {
	case f.y.packed(e):
		v = f.element(e, bitsAt(f.c, lane, uint(16*item), 16))
	case e.bits == 16:
		v = f.element(e, bitsAt(f.c, lane, uint(32*item)+f.half, 16))
	default:
		v = f.c[item][lane]
	}
	if e.isInteger() || f.y.sparse {
		return v
	}
	const sign = 1 << 31
	if f.m.negHi>>2&1 != 0 {
		v &^= sign
	}
	return v ^ uint32(f.m.neg>>2&1)*sign
}

// unpack makes rows and columns of the registers.
func (f *waveFactors) unpack() {
	y := f.y
	elements, places := make([]uint32, 2*waveSide*y.k), make([]int, waveSide*y.k) // of all
	for i := range waveSide {
		row, column := &f.rows[i], &f.columns[i]
		row.elements, column.elements, elements = elements[:0:y.k], elements[y.k:y.k:2*y.k], elements[2*y.k:]
		row.places, places = places[:0:y.k], places[y.k:]
		for k := range y.k {
			group, item := y.at(k, y.b.bits)
			column.elements = append(column.elements, f.factor(1, y.b, f.b, group*waveSide+i, item))
			p, there := uint32(0), true
			if y.sparse {
				p, there = f.sparse(i, k)
			} else {
				group, item = y.at(k, y.a.bits)
				p = f.factor(0, y.a, f.a, group*waveSide+i, item)
			}
			if there {
				row.elements, row.places = append(row.elements, p), append(row.places, k)
			}
		}
	}
}

// sum adds the products of row i of A and column j of B.
func (f *waveFactors) sum(v uint32, i, j int) uint32 {
	row, column := &f.rows[i], f.columns[j].elements
	if !f.y.a.isInteger() {
		sum := uint64(v)
		for n, k := range row.places {
			sum = single.FMAPlain(uint64(row.elements[n]), uint64(column[k]), sum, exactly)
		}
		return uint32(sum)
	}
	total := int64(int32(v))
	for n, k := range row.places {
		total += int64(int32(row.elements[n])) * int64(int32(column[k]))
	}
	if f.m.clamp {
		return uint32(satI32(total))
	}
	return uint32(total)
}

// sparse is element k of row i of A, and whether it is one of those that are there. Of the two of a group of
// four, the second counts if both are said to be the same.
func (f *waveFactors) sparse(i, k int) (v uint32, there bool) {
	y := f.y
	groups, stored := y.groups(y.storedK(), y.a.bits), y.storedK()
	var group, item int
	if groups == y.groups(y.k, y.b.bits) {
		group, item = y.at(k, y.a.bits)
	} else { // A is in half of the wave
		each := 2 * stored / groups
		group, item = k/each, k%each
	}
	pair, lane := item/4, group*waveSide+i
	at := uint(4*pair) + uint(int(f.m.opSel)*y.indexBits())
	index := bitsAt(f.x, lane, at, 4)
	for n := 1; n >= 0; n-- {
		if int(index>>(2*n)&3) == k%4 {
			return f.factor(0, y.a, f.a, lane, 2*pair+n), true
		}
	}
	return 0, false
}

// factor is one element of A (0) or B (1): a float of 32 bits, or an integer.
func (f *waveFactors) factor(which int, e waveElement, regs []Vector, lane, item int) uint32 {
	v := bitsAt(regs, lane, uint(item*e.bits), uint(e.bits))
	if e.isInteger() {
		if f.m.neg>>which&1 != 0 { // signed
			shift := 32 - e.bits
			return uint32(int32(v<<shift) >> shift)
		}
		return v
	}
	v = f.element(e, v)
	signs := f.m.neg
	if item&1 != 0 && e.bits == 16 {
		signs = f.m.negHi
	}
	return v ^ uint32(signs>>which&1)<<31
}

// element is an element as a float of 32 bits.
func (f *waveFactors) element(e waveElement, v uint32) uint32 {
	switch e.name {
	case "f16":
		return uint32(convertFloat(half16, single, uint64(v), ModeDenorm64|ModeDenorm32))
	case "bf16":
		return v << 16
	case "fp8":
		return uint32(ofMini(softfloat.FP8, uint64(v)))
	case "bf8":
		return uint32(ofMini(softfloat.BF8, uint64(v)))
	}
	return v
}
