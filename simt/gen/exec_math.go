package gen

import (
	"math"
	"math/big"
	"math/bits"
)

// mathOps are the functions of math that work on numbers; those of integers
// are mathIntOps. The hardware's are approximations within bounds (PRM volume
// 7, "math"); these are correctly rounded as far as Go's library is.
var mathOps = [16]func(a, b float64) float64{
	1:  func(a, _ float64) float64 { return 1 / a },
	2:  func(a, _ float64) float64 { return math.Log2(a) },
	3:  func(a, _ float64) float64 { return math.Exp2(a) },
	4:  func(a, _ float64) float64 { return math.Sqrt(a) },
	5:  func(a, _ float64) float64 { return 1 / math.Sqrt(a) },
	6:  func(a, _ float64) float64 { return math.Sin(a) },
	7:  func(a, _ float64) float64 { return math.Cos(a) },
	9:  func(a, b float64) float64 { return a / b },
	10: func(a, b float64) float64 { return math.Pow(math.Abs(a), b) },
}

// The quotient and remainder of iqot and irem; idiv gives the first.
var mathIntOps = [16]intOp{11: intIdiv, 12: intIdiv, 13: intIrem}

// floatMath computes a function of math.
func floatMath(_ *Core, in *Inst, x *operands) {
	f := mathOps[in.cond]
	for k := range in.width {
		x.num[k&31] = f(x.f[0][k&31], x.f[1][k&31])
	}
}

// runMacroMath executes math.invm and math.rsqtm, the first steps of IEEE
// division and square root. They say by the flag that the result is final, so
// that code leaves the steps of madm out.
func runMacroMath(c *Core, in *Inst) {
	mask := c.channels(in)
	if mask == 0 {
		return
	}
	c.lanes += uint64(bits.OnesCount32(mask))
	x := &c.x
	for i := range in.sourceCount() {
		c.loadFloats(in, i, &x.f[i])
		modifyFloats(in, &in.src[i], &x.f[i])
	}
	for k := range in.width {
		if in.cond == mathInvm {
			x.num[k] = x.f[0][k] / x.f[1][k]
		} else {
			x.num[k] = math.Sqrt(x.f[0][k])
		}
	}
	c.storeMacro(in, mask, nil)
	c.setFlags(in, mask, mask)
}

// runMadm executes madm: a + b*c of numbers with some bits more than their
// type, which the extended accumulators keep. What is kept there is the rest
// that the destination's rounding leaves.
func runMadm(c *Core, in *Inst) {
	mask := c.channels(in)
	if mask == 0 {
		return
	}
	c.lanes += uint64(bits.OnesCount32(mask))
	x := &c.x
	var low [3]floats
	for i := range 3 {
		c.loadFloats(in, i, &x.f[i])
		modifyFloats(in, &in.src[i], &x.f[i])
		c.extended(in, &in.src[i], &low[i])
	}
	var rest floats
	for k := range in.width {
		a, b, d := x.f[0][k], x.f[1][k], x.f[2][k]
		x.num[k] = math.FMA(b, d, a)
		if v := x.num[k] + low[0][k] + low[1][k] + low[2][k]; math.IsInf(v, 0) || v != v {
			continue // nothing is exact here
		}
		sum := bigOf(b)
		sum.Add(sum, bigOf(low[1][k])).Mul(sum, new(big.Float).Add(bigOf(d), bigOf(low[2][k])))
		sum.Add(sum, bigOf(a)).Add(sum, bigOf(low[0][k]))
		prec := uint(53)
		if in.dst.typ == F {
			prec = 24
		}
		x.num[k], _ = new(big.Float).SetPrec(prec).Set(sum).Float64()
		rest[k], _ = sum.Sub(sum, bigOf(x.num[k])).Float64()
	}
	c.storeMacro(in, mask, &rest)
}

// storeMacro writes results, and what they lack to be exact.
func (c *Core) storeMacro(in *Inst, mask uint32, rest *floats) {
	for k := range in.width {
		if mask>>k&1 == 0 {
			continue
		}
		c.x.out[k] = int64(fromFloat(c.x.num[k], in.dst.typ, c.rounding()))
		if in.dst.mme < 8 {
			r := 0.0
			if rest != nil {
				r = rest[k]
			}
			writeBits(c.r.file[in.dst.extendedAt(k):], in.dst.typ.Size(), fromFloat(r, in.dst.typ, nearest))
		}
	}
	c.store(in, mask, &c.x.out)
}

// extendedAt is where the rest of an element is kept.
func (o *operand) extendedAt(k int) int { return offRest + int(o.mme)*restBytes + k*o.typ.Size() }

// extended loads the rests of a source's elements, with its modifiers.
func (c *Core) extended(in *Inst, o *operand, out *floats) {
	if o.mme >= 8 {
		return
	}
	for k := range in.width {
		out[k] = readFloat(c.r.file[o.extendedAt(k):], o.typ)
		if o.neg {
			out[k] = -out[k]
		}
	}
}
