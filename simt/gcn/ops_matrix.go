package gcn

import (
	"fmt"
	"math"

	"simtgdb/simt/softfloat"

	"simtgdb/simt"
)

// Accumulation registers and matrix instructions (MI200 ISA, section "Matrix
// arithmetic instructions").
//
// A matrix instruction ignores EXEC. Its products are added one after the
// other in the order of k, each sum rounded as a fused multiply-add, and
// denormals are kept; the hardware's own order of rounding is not published.
var _ = register(accumulatorRows)

func accumulatorRows() []Op {
	return []Op{
		{Enc: VOP3P, Code: 0x58, Name: "v_accvgpr_read_b32", dst: b32, src: srcs(b32),
			flag: matrix | accSrc | spills,
			on:   gfx908P, native: lonely{halves: true, moves: true, emit: copied([2]int{0, 0})},
			vec: movB32},
		{Enc: VOP3P, Code: 0x59, Name: "v_accvgpr_write_b32", dst: b32, src: srcs(b32),
			flag: matrix | accDst | spills,
			on:   gfx908P, native: lonely{halves: true, moves: true, emit: copied([2]int{0, 0})},
			vec: movB32},
	}
}

var _ = register(matrixRows)

// An element is the type of a matrix instruction's factors.
type element struct {
	name   string
	bits   uint // of one element
	result string
	ocp    bool // an 8-bit float of gfx950, not of gfx942
}

var (
	elemF64   = element{name: "f64", bits: 64, result: "f64"}
	elemF32   = element{name: "f32", bits: 32, result: "f32"}
	elemXF32  = element{name: "xf32", bits: 32, result: "f32"}
	elemF16   = element{name: "f16", bits: 16, result: "f32"}
	elemBF16  = element{name: "bf16", bits: 16, result: "f32"}
	elemBF16K = element{name: "bf16_1k", bits: 16, result: "f32"}
	elemI8    = element{name: "i8", bits: 8, result: "i32"}
	elemFP8   = element{name: "fp8", bits: 8, result: "f32"}
	elemBF8   = element{name: "bf8", bits: 8, result: "f32"}

	elemOCPFP8 = element{name: "fp8", bits: 8, result: "f32", ocp: true}
	elemOCPBF8 = element{name: "bf8", bits: 8, result: "f32", ocp: true}
)

// of is the type that a processor has under the element's name.
func (e element) of(t Target) element {
	switch {
	case t == GFX950 && e == elemFP8:
		return elemOCPFP8
	case t == GFX950 && e == elemBF8:
		return elemOCPBF8
	}
	return e
}

// A matrixShape is a matrix instruction: blocks products of m by k and k by n
// matrices, with some elements of k in each lane.
type matrixShape struct {
	code         uint16
	on           Target
	m, k, blocks int
	elem         element // of A
	other        element // of B, if it is not the same
	perLane      int     // elements of k
}

var matrixShapes = []matrixShape{
	{code: 0x40, on: gfx908P, m: 32, k: 1, blocks: 2, elem: elemF32, perLane: 1},
	{code: 0x41, on: gfx908P, m: 16, k: 1, blocks: 4, elem: elemF32, perLane: 1},
	{code: 0x42, on: gfx908P, m: 4, k: 1, blocks: 16, elem: elemF32, perLane: 1},
	{code: 0x44, on: gfx908P, m: 32, k: 2, blocks: 1, elem: elemF32, perLane: 1},
	{code: 0x45, on: gfx908P, m: 16, k: 4, blocks: 1, elem: elemF32, perLane: 1},
	{code: 0x48, on: gfx908P, m: 32, k: 4, blocks: 2, elem: elemF16, perLane: 4},
	{code: 0x49, on: gfx908P, m: 16, k: 4, blocks: 4, elem: elemF16, perLane: 4},
	{code: 0x4a, on: gfx908P, m: 4, k: 4, blocks: 16, elem: elemF16, perLane: 4},
	{code: 0x4c, on: gfx908P, m: 32, k: 8, blocks: 1, elem: elemF16, perLane: 4},
	{code: 0x4d, on: gfx908P, m: 16, k: 16, blocks: 1, elem: elemF16, perLane: 4},
	{code: 0x50, on: gfx908P, m: 32, k: 4, blocks: 2, elem: elemI8, perLane: 4},
	{code: 0x51, on: gfx908P, m: 16, k: 4, blocks: 4, elem: elemI8, perLane: 4},
	{code: 0x52, on: gfx908P, m: 4, k: 4, blocks: 16, elem: elemI8, perLane: 4},
	{code: 0x54, on: GFX908 | GFX90A, m: 32, k: 8, blocks: 1, elem: elemI8, perLane: 4},
	{code: 0x55, on: GFX908 | GFX90A, m: 16, k: 16, blocks: 1, elem: elemI8, perLane: 4},
	{code: 0x56, on: gfx942P, m: 32, k: 16, blocks: 1, elem: elemI8, perLane: 8},
	{code: 0x57, on: gfx942P, m: 16, k: 32, blocks: 1, elem: elemI8, perLane: 8},
	{code: 0x63, on: GFX90A, m: 32, k: 4, blocks: 2, elem: elemBF16K, perLane: 4},
	{code: 0x64, on: GFX90A, m: 16, k: 4, blocks: 4, elem: elemBF16K, perLane: 4},
	{code: 0x65, on: GFX90A, m: 4, k: 4, blocks: 16, elem: elemBF16K, perLane: 4},
	{code: 0x66, on: GFX90A, m: 32, k: 8, blocks: 1, elem: elemBF16K, perLane: 4},
	{code: 0x67, on: GFX90A, m: 16, k: 16, blocks: 1, elem: elemBF16K, perLane: 4},
	{code: 0x5d, on: gfx942P, m: 32, k: 4, blocks: 2, elem: elemBF16, perLane: 4},
	{code: 0x5e, on: gfx942P, m: 16, k: 4, blocks: 4, elem: elemBF16, perLane: 4},
	{code: 0x5f, on: gfx942P, m: 4, k: 4, blocks: 16, elem: elemBF16, perLane: 4},
	{code: 0x60, on: gfx942P, m: 32, k: 8, blocks: 1, elem: elemBF16, perLane: 4},
	{code: 0x61, on: gfx942P, m: 16, k: 16, blocks: 1, elem: elemBF16, perLane: 4},
	{code: 0x68, on: GFX908 | GFX90A, m: 32, k: 2, blocks: 2, elem: elemBF16, perLane: 2},
	{code: 0x69, on: GFX908 | GFX90A, m: 16, k: 2, blocks: 4, elem: elemBF16, perLane: 2},
	{code: 0x6b, on: GFX908 | GFX90A, m: 4, k: 2, blocks: 16, elem: elemBF16, perLane: 2},
	{code: 0x6c, on: GFX908 | GFX90A, m: 32, k: 4, blocks: 1, elem: elemBF16, perLane: 2},
	{code: 0x6d, on: GFX908 | GFX90A, m: 16, k: 8, blocks: 1, elem: elemBF16, perLane: 2},
	{code: 0x6e, on: gfx90aP, m: 16, k: 4, blocks: 1, elem: elemF64, perLane: 1},
	{code: 0x6f, on: gfx90aP, m: 4, k: 4, blocks: 4, elem: elemF64, perLane: 1},
	{code: 0x70, on: gfx942P, m: 16, k: 32, blocks: 1, elem: elemBF8, other: elemBF8, perLane: 8},
	{code: 0x71, on: gfx942P, m: 16, k: 32, blocks: 1, elem: elemBF8, other: elemFP8, perLane: 8},
	{code: 0x72, on: gfx942P, m: 16, k: 32, blocks: 1, elem: elemFP8, other: elemBF8, perLane: 8},
	{code: 0x73, on: gfx942P, m: 16, k: 32, blocks: 1, elem: elemFP8, other: elemFP8, perLane: 8},
	{code: 0x74, on: gfx942P, m: 32, k: 16, blocks: 1, elem: elemBF8, other: elemBF8, perLane: 8},
	{code: 0x75, on: gfx942P, m: 32, k: 16, blocks: 1, elem: elemBF8, other: elemFP8, perLane: 8},
	{code: 0x76, on: gfx942P, m: 32, k: 16, blocks: 1, elem: elemFP8, other: elemBF8, perLane: 8},
	{code: 0x77, on: gfx942P, m: 32, k: 16, blocks: 1, elem: elemFP8, other: elemFP8, perLane: 8},
	{code: 0x35, on: GFX950, m: 16, k: 32, blocks: 1, elem: elemBF16, perLane: 8},
	{code: 0x36, on: GFX950, m: 16, k: 64, blocks: 1, elem: elemI8, perLane: 16},
	{code: 0x37, on: GFX950, m: 32, k: 16, blocks: 1, elem: elemBF16, perLane: 8},
	{code: 0x38, on: GFX950, m: 32, k: 32, blocks: 1, elem: elemI8, perLane: 16},
	{code: 0x54, on: GFX950, m: 16, k: 32, blocks: 1, elem: elemF16, perLane: 8},
	{code: 0x55, on: GFX950, m: 32, k: 16, blocks: 1, elem: elemF16, perLane: 8},
	{code: 0x3e, on: GFX942, m: 16, k: 8, blocks: 1, elem: elemXF32, perLane: 2},
	{code: 0x3f, on: GFX942, m: 32, k: 4, blocks: 1, elem: elemXF32, perLane: 2},
}

// wideTypes are operand types by how many dwords they have.
var wideTypes = map[int]typ{1: b32, 2: b64, 3: b96, 4: b128, 6: b192, 8: b256, 12: b384,
	16: b512, 32: b1024}

// matrixRows are the rows of matrixShapes, and those of structured sparsity.
func matrixRows() []Op {
	rows := make([]Op, 0, 4*len(matrixShapes))
	for i := range matrixShapes {
		s := &matrixShapes[i]
		in := wideTypes[int(s.elem.bits)*s.perLane/32]
		acc := wideTypes[s.m*s.m*s.blocks*s.resultDwords()/simt.MaxLanes]
		flag := matrix
		if s.elem == elemF64 {
			flag |= doubles
		}
		for _, t := range []Target{GFX908, GFX90A, GFX942, GFX950} {
			if s.on&t != 0 {
				own := *s
				own.elem, own.other = s.elem.of(t), s.other.of(t)
				rows = append(rows, Op{Enc: VOP3P, Code: s.code, Name: s.name(t), dst: acc,
					src: srcs(in, in, acc), flag: flag, on: t, run: own.run,
					product: matrixProduct{rows: s.m, blocks: s.blocks, singles: s.elem == elemF32}})
			}
		}
	}
	for i, e := range []string{"bf8_bf8", "bf8_fp8", "fp8_bf8", "fp8_fp8"} {
		n := uint16(i)
		rows = append(rows,
			sparse(0x78+n, "f32_16x16x64_"+e, b64, b128, b128, GFX942),
			sparse(0x7c+n, "f32_32x32x32_"+e, b64, b128, b512, GFX942),
			sparse(0x78+n, "f32_16x16x64_"+e, b64, b128, b128, GFX950),
			sparse(0x7c+n, "f32_32x32x32_"+e, b64, b128, b512, GFX950),
			sparse([]uint16{0x3b, 0x3c, 0x3d, 0x43}[i], "f32_16x16x128_"+e, b128, b256, b128, GFX950),
			sparse([]uint16{0x4b, 0x4e, 0x4f, 0x53}[i], "f32_32x32x64_"+e, b128, b256, b512, GFX950))
	}
	for _, r := range []struct {
		code uint16
		name string
		acc  typ
	}{{0x62, "f32_16x16x32_f16", b128}, {0x64, "f32_32x32x16_f16", b512}, {0x66, "f32_16x16x32_bf16", b128},
		{0x68, "f32_32x32x16_bf16", b512}, {0x6a, "i32_16x16x64_i8", b128}, {0x6c, "i32_32x32x32_i8", b512}} {
		rows = append(rows, sparse(r.code, r.name, b64, b128, r.acc, gfx942P))
	}
	for _, r := range []struct {
		code uint16
		name string
		acc  typ
	}{{0x39, "f32_16x16x64_bf16", b128}, {0x3a, "i32_16x16x128_i8", b128}, {0x46, "f32_32x32x32_bf16", b512},
		{0x47, "i32_32x32x64_i8", b512}, {0x5a, "f32_16x16x64_f16", b128}, {0x5b, "f32_32x32x32_f16", b512}} {
		rows = append(rows, sparse(r.code, r.name, b128, b256, r.acc, GFX950))
	}
	return rows
}

// A matrixProduct is of blocks of so many rows; one with structured sparsity adds to its destination. singles
// says that its factors are floats of 32 bits.
type matrixProduct struct {
	rows, blocks    int
	sparse, singles bool
}

func (s *matrixShape) resultDwords() int {
	if s.elem.bits == 64 {
		return 2
	}
	return 1
}

// name is the mnemonic, which gfx942 spells in another way.
func (s *matrixShape) name(t Target) string {
	shape := fmt.Sprintf("v_mfma_%s_%dx%dx%d", s.elem.result, s.m, s.m, s.k)
	switch {
	case t&gfx942P == 0:
		return shape + s.elem.name
	case s.blocks > 1:
		return fmt.Sprintf("%s_%db_%s", shape, s.blocks, s.elem.name)
	}
	name := shape + "_" + s.elem.name
	if s.other != (element{}) {
		name += "_" + s.other.name
	}
	return name
}

// factor is where element k of row (or column) i of a block of a factor is:
// the lane, and which of the lane's elements.
func (s *matrixShape) factor(block, i, k int) (lane, item int) {
	if s.elem.bits == 64 && s.m == 4 {
		return i + 4*block + 16*k, 0
	}
	steps := s.k / s.perLane
	return i + s.m*(k/s.perLane+steps*block), k % s.perLane
}

// result is where element (i, j) of a block of the result is.
func (s *matrixShape) result(block, i, j int) (lane, item int) {
	switch {
	case s.elem.bits == 64 && s.m == 4:
		return 16*i + 4*block + j, 0
	case s.elem.bits == 64:
		return 16*(i%4) + j, i / 4
	case s.m == 4:
		return 4*block + j, i
	case s.m == 16:
		return 16*(i/4) + j, 4*block + i%4
	}
	return 32*(i/4%2) + j, 16*block + 4*(i/8) + i%4
}

// A factor is a matrix of all blocks, unpacked: the elements of each row of A, or column of B, in the order
// of k, as floats of 32 or 64 bits, or integers.
type factor [simt.MaxLanes * maxPerLane]uint64

const maxPerLane = 16 // elements of a factor in a lane

// row is row i of a block of A, or column of B.
func (f *factor) row(s *matrixShape, block, i int) []uint64 { return f[(block*s.m+i)*s.k:][:s.k] }

// run is one execution of a matrix instruction.
func (s *matrixShape) run(c *Core, in *Inst) {
	if c.w.Size < simt.MaxLanes { // there are none for fewer lanes
		unknown(c, in)
		return
	}
	m := in.modifiers()
	var a, b factor
	var regs, acc [32]Vector
	s.unpack(&a, s.elem, c.wide(&regs, in, 0, s.resultDwords()), func(lane int) int { return lane })
	other := s.elem
	if s.other != (element{}) {
		other = s.other
	}
	s.unpack(&b, other, c.wide(&regs, in, 1, s.resultDwords()),
		func(lane int) int { return s.permuted(m.blgp, lane) })
	sums, neg := c.wide(&acc, in, 2, s.resultDwords()), uint64(0)
	if s.elem.bits == 64 && in.on&gfx942P != 0 { // BLGP has the signs of A, B and C
		a.flip(m.blgp & 1)
		b.flip(m.blgp >> 1 & 1)
		neg = uint64(m.blgp>>2&1) << 63
	}
	for block := range s.blocks {
		group := 1 << m.cbsz
		from := block
		if m.cbsz != 0 && group <= s.blocks {
			from = block&^(group-1) + int(m.abid)&(group-1)
		}
		for i := range s.m {
			row := a.row(s, from, i)
			for j := range s.m {
				lane, item := s.result(block, i, j)
				if s.elem.bits == 64 {
					v := get(lane, &acc[2*item], &acc[2*item+1]) ^ neg
					v = sumDoubles(v, row, b.row(s, block, j))
					acc[2*item][lane], acc[2*item+1][lane] = uint32(v), uint32(v>>32)
					continue
				}
				acc[item][lane] = s.elem.sum(acc[item][lane], row, b.row(s, block, j))
			}
		}
	}
	copy(c.registers(&in.dst), sums)
}

// wide copies a source of many dwords; a constant is every element.
func (c *Core) wide(v *[32]Vector, in *Inst, i, perElement int) []Vector {
	n := typDwords[in.Op.src[i]]
	for d := range n {
		v[d] = *c.element(&in.src[i], d, perElement)
	}
	return v[:n]
}

// unpack makes a factor of registers. Lanes may have the place of others.
func (s *matrixShape) unpack(d *factor, e element, v []Vector, place func(lane int) int) {
	at := 0
	for block := range s.blocks {
		for i := range s.m {
			for k := range s.k {
				lane, item := s.factor(block, i, k)
				d[at] = e.item(v, place(lane), item)
				at++
			}
		}
	}
}

// flip changes the signs of doubles, or not.
func (f *factor) flip(sign uint8) {
	for i := range f[:simt.MaxLanes] {
		f[i] ^= uint64(sign) << 63
	}
}

// element fetches a dword of a wide source; a constant is every element.
func (c *Core) element(o *operand, dword, perElement int) *Vector {
	if o.kind == vectorReg {
		return &c.r.V[int(o.reg)+dword]
	}
	v := uint32(o.imm)
	if perElement == 2 {
		x, _ := inline(f64, uint32(o.reg))
		v = uint32(x >> (32 * (dword & 1)))
	}
	return broadcast(v)
}

// permuted is the lane of B that BLGP puts in place of one.
func (s *matrixShape) permuted(blgp uint8, lane int) int {
	switch {
	case s.elem.bits == 64 || blgp == 0:
		return lane
	case blgp == 1:
		return lane & 31
	case blgp == 2:
		return lane | 32
	case blgp == 3:
		return (lane + 16) & 63
	}
	return lane&15 + 16*int(blgp-4)
}

// exactly is the environment of matrix instructions.
var exactly = env{KeepIn: true, KeepOut: true}

// sum adds the products of elements of two factors to v, one after the other.
func (e element) sum(v uint32, a, b []uint64) uint32 {
	b = b[:len(a)]
	if e == elemI8 {
		for k, p := range a {
			v += uint32(p) * uint32(b[k])
		}
		return v
	}
	sum := uint64(v)
	for k, p := range a {
		sum = single.FMAPlain(p, b[k], sum, exactly)
	}
	return uint32(sum)
}

func sumDoubles(v uint64, a, b []uint64) uint64 {
	for k, p := range a {
		v = double.FMAPlain(p, b[k], v, exactly)
	}
	return v
}

// item is one element of a factor: a double, a float in 32 bits, or an integer.
func (e element) item(v []Vector, lane, i int) uint64 {
	if e.bits == 64 {
		return get(lane, &v[0], &v[1])
	}
	per := int(32 / e.bits)
	w := v[i/per][lane&63] >> (uint(i%per) * e.bits)
	switch e {
	case elemF16:
		return convertFloat(half16, single, uint64(w&0xffff), ModeDenorm64|ModeDenorm32)
	case elemBF16, elemBF16K:
		return uint64(w << 16)
	case elemFP8:
		return ofMini(softfloat.FNUZFP8, uint64(w))
	case elemBF8:
		return ofMini(softfloat.FNUZBF8, uint64(w))
	case elemOCPFP8:
		return ofMini(softfloat.FP8, uint64(w))
	case elemOCPBF8:
		return ofMini(softfloat.BF8, uint64(w))
	case elemI8:
		return uint64(uint32(int32(int8(w))))
	case elemXF32:
		return uint64(math.Float32bits(roundXF32(w)))
	}
	return uint64(w)
}

// roundXF32 rounds a single to the 10 bits of mantissa of an xf32.
func roundXF32(w uint32) float32 {
	if w&0x7f80_0000 != 0x7f80_0000 {
		w += 0xfff + w>>13&1
		w &^= 0x1fff
	}
	return math.Float32frombits(w)
}
