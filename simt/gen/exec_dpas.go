package gen

import "math/bits"

// dpas multiplies matrices: to each row of src0 it adds the product of a row of src2 and the matrix src1, of which a
// register has four, two or eight elements of each of its columns ("Dot Product Accumulate Systolic", PRM of DG2,
// volume 9). Rows are registers, columns are channels.

// dpasDepth is how many registers src1 has, and dwords a row of src2: less than that nobody is known to use.
const dpasDepth = 8

// dpasElements is how many elements of a type a dword has; 0 of one that does not execute.
var dpasElements = map[Type]int{UB: 4, B: 4, U4: 8, S4: 8, HF: 2, BF: 2}

// dpasRuns reports whether an instruction has semantics: elements of one size, and results of 32 bits.
func (in *Inst) dpasRuns() bool {
	n := dpasElements[in.src[1].typ]
	float := types[in.src[1].typ].float
	for _, o := range []*operand{&in.dst, &in.src[0]} {
		if (o.place == inGRF || o != &in.dst) && (o.typ == F) != float || o.typ != F && o.typ != D && o.typ != UD ||
			o.place == inGRF && int(o.reg)+int(in.repeat) > in.gen.grfCount {
			return false
		}
	}
	rows := in.gen.grf(int(in.src[2].reg)) + int(in.src[2].sub) + int(in.repeat)*dpasDepth*4
	return in.width == 8 && n > 0 && n == dpasElements[in.src[2].typ] && in.depth == dpasDepth &&
		types[in.src[2].typ].float == float && (!float || in.src[1].typ == in.src[2].typ) && in.dst.place == inGRF &&
		(in.src[0].place == inGRF || in.src[0].isNull()) && in.src[1].place == inGRF && in.src[2].place == inGRF &&
		int(in.src[1].reg)+dpasDepth <= in.gen.grfCount && rows <= in.gen.grfEnd()
}

// runDpas executes dpas. All is read before anything is written.
func runDpas(c *Core, in *Inst) {
	if !in.dpasRuns() {
		unknown(c, in)
		return
	}
	mask := c.channels(in)
	if mask == 0 {
		return
	}
	c.lanes += uint64(bits.OnesCount32(mask))
	var out [8][8]uint32
	for r := range int(in.repeat) {
		for n := range 8 {
			out[r][n] = c.dpasElement(in, r, n)
		}
	}
	for r := range int(in.repeat) {
		for n, v := range out[r] {
			if mask>>n&1 != 0 {
				c.r.setU32(in.gen.grf(int(in.dst.reg)+r)+4*n, v)
			}
		}
	}
}

// dpasElement computes an element of the result. Of floats the sum is exact, or rounded to a double's precision, and
// rounded once.
func (c *Core) dpasElement(in *Inst, row, column int) uint32 {
	a, b := &in.src[2], &in.src[1]
	start := uint32(0)
	if in.src[0].place == inGRF {
		start = c.r.u32(in.gen.grf(int(in.src[0].reg)+row) + 4*column)
	}
	sum, number := int64(int32(start)), floatFromBits(start)
	if in.src[0].typ == UD {
		sum = int64(start)
	}
	for d := range dpasDepth {
		x := c.r.u32(in.gen.grf(int(a.reg)) + int(a.sub) + 4*(row*dpasDepth+d))
		y := c.r.u32(in.gen.grf(int(b.reg)+d) + 4*column)
		n := dpasElements[b.typ]
		for i := range n {
			if types[b.typ].float {
				number += halfOfDword(x, i, a.typ) * halfOfDword(y, i, b.typ)
			} else {
				sum += partOfDword(x, i, 32/n, a.typ) * partOfDword(y, i, 32/n, b.typ)
			}
		}
	}
	switch {
	case types[b.typ].float:
		return uint32(fromFloat(number, F, nearest))
	case in.saturate:
		return uint32(clampInt(sum, in.dst.typ, false))
	}
	return uint32(sum)
}

func floatFromBits(v uint32) float64 { return float64(floatOf(int64(v))) }

// partOfDword is element i, of some bits, of a dword of integers.
func partOfDword(v uint32, i, width int, t Type) int64 {
	v = v << (32 - width*(i+1))
	if types[t].signed {
		return int64(int32(v) >> (32 - width))
	}
	return int64(v >> (32 - width))
}

// halfOfDword is element i of a dword of floats of 16 bits.
func halfOfDword(v uint32, i int, t Type) float64 {
	h := uint16(v >> (16 * i))
	if t == BF {
		return floatFromBits(uint32(h) << 16)
	}
	return halfToFloat(h)
}
