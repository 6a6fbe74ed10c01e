package gcn

import (
	"math"
	"strings"

	"simtgdb/simt"
	"simtgdb/simt/softfloat"
)

// Matrix instructions of gfx950 whose factors are floats of 8, 6 or 4 bits, of either factor its own format,
// and may have scales (CDNA4 ISA, sections "Matrix instructions" and "Block scaling"; what is where in the
// registers: ROCm composable_kernel, test/mx_mfma_op/mx_mfma_op.hpp, load_mx_A_row_major). A scale is for 32
// elements of k in a row of A or a column of B. Products and their scales are exact; each is added in the
// order of k, and the sum rounded to nearest even.

// ldScaleCode is the opcode of the first half of an instruction with scales, v_mfma_ld_scale_b32: of the
// second ABID is 1. Alone it does nothing that can be seen.
const ldScaleCode = 0x2c

// A smallFormat is what CBSZ says of A, and BLGP of B.
type smallFormat struct {
	mini softfloat.Mini
	regs typ
	// chunk is how many elements of k lie together in a lane; those of its next chunk are as many chunks
	// further on as there are lanes to a row.
	chunk int
}

// smallFactors are the formats by their number. Those after them are reserved.
var smallFactors = [8]smallFormat{
	{softfloat.FP8, b256, 16}, {softfloat.BF8, b256, 16}, {softfloat.FP6, b192, 32},
	{softfloat.BF6, b192, 32},
	{softfloat.FP4, b128, 32}, {regs: b256}, {regs: b256}, {regs: b256},
}

// isSmall reports whether a row's factors have formats that the instruction chooses.
func (op *Op) isSmall() bool { return strings.HasSuffix(op.Name, "_f8f6f4") }

// scaleBlock is how many elements of k have one scale.
const scaleBlock = 32

// smallShape is such an instruction: the product of m by k and k by m.
type smallShape struct{ m, k int }

// place is where element k of row (or column) i of a factor is: the lane, and which of its elements.
func (s *smallShape) place(f *smallFormat, i, k int) (lane, item int) {
	groups := simt.MaxLanes / s.m
	chunk := k / f.chunk
	return i + s.m*(chunk%groups), k%f.chunk + f.chunk*(chunk/groups)
}

// factor fetches a factor: row (or column) i has its elements from k*i on.
func (s *smallShape) factor(c *Core, in *Inst, which int, f *smallFormat) []float64 {
	regs := c.sourceDwords(in, which)
	v := make([]float64, s.m*s.k)
	for i := range s.m {
		for k := range s.k {
			lane, item := s.place(f, i, k)
			v[i*s.k+k] = f.mini.Float(uint64(bitsAt(regs, lane, uint(item)*f.mini.Width, f.mini.Width)))
		}
	}
	return s.scaled(c, in, which, v)
}

// scaled multiplies a factor by its scales: the exponents of powers of two, all ones for a NaN.
func (s *smallShape) scaled(c *Core, in *Inst, which int, v []float64) []float64 {
	if in.mod == nil || in.mod.scales == nil {
		return v
	}
	shift := 8 * (in.mod.opSel>>which&1 + 2*(in.mod.opSelHi>>which&1))
	scales := c.vector(&in.mod.scales[which], which, 0)
	const nan, bias = 0xff, 127
	for at := range v {
		i, block := at/s.k, at%s.k/scaleBlock
		scale := int(scales[i+s.m*block] >> shift & 0xff)
		v[at] = scaleBy(v[at], scale-bias, scale == nan)
	}
	return v
}

// run is one execution.
func (s *smallShape) run(c *Core, in *Inst) {
	m := in.modifiers()
	fa, fb := &smallFactors[m.cbsz], &smallFactors[m.blgp]
	if c.w.Size < simt.MaxLanes || fa.chunk == 0 || fb.chunk == 0 {
		unknown(c, in)
		return
	}
	a, b := s.factor(c, in, 0, fa), s.factor(c, in, 1, fb)
	var out [16]Vector
	shape := matrixShape{m: s.m, blocks: 1}
	for i := range s.m {
		for j := range s.m {
			lane, item := shape.result(0, i, j)
			v := math.Float32frombits(c.element(&in.src[2], item, 1)[lane])
			for k := range s.k {
				v = addOnce(v, a[i*s.k+k]*b[j*s.k+k])
			}
			out[item][lane] = bits32(v)
			if v != v {
				out[item][lane] |= 1 << (single.Mant - 1)
			}
		}
	}
	for d := range typDwords[in.dst.typ] {
		c.r.V[int(in.dst.reg)+d] = out[d]
	}
}

// addOnce is v + p, rounded once: the sum of doubles is rounded to odd (S. Boldo, G. Melquiond, "Emulation of
// a FMA and correctly rounded sums", 2008), so that rounding it again to a single is right.
func addOnce(v float32, p float64) float32 {
	x := float64(v)
	sum := x + p
	back := sum - x
	lost := (x - (sum - back)) + (p - back)
	if lost == 0 || lost != lost || math.Float64bits(sum)&1 != 0 {
		return float32(sum)
	}
	if (lost > 0) == (sum > 0) {
		return float32(math.Float64frombits(math.Float64bits(sum) + 1))
	}
	return float32(math.Float64frombits(math.Float64bits(sum) - 1))
}
