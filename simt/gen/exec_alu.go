package gen

import (
	"math"
	"math/bits"

	"simtgdb/simt"
)

// A kind is in which arithmetic an instruction computes.
type kind uint8

const (
	kindInt kind = iota
	kindHalf
	kindFloat
	kindDouble
)

// An intOp computes integers: 64 bits of each, of which the destination takes
// the low ones.
type intOp func(c *Core, in *Inst, x *operands)

// A floatOp computes numbers, exactly or rounded to odd, so that rounding them
// again, to the instruction's type, is right.
type floatOp func(c *Core, in *Inst, x *operands)

// operands are the sources and the result of the instruction that executes.
type operands struct {
	i   [3]ints
	f   [3]floats
	out ints
	num floats
}

// kindOf is the arithmetic of the sources' types (PRM volume 7, "Execution
// Data Types").
func (in *Inst) kindOf() kind {
	k := kindInt
	for i := range in.sourceCount() {
		switch in.src[i].typ {
		case DF:
			return kindDouble
		case F, VF, BF, TF32:
			k = kindFloat
		case HF, BF8:
			k = max(k, kindHalf)
		}
	}
	if k == kindHalf && in.dst.typ == F {
		k = kindFloat
	}
	return k
}

// wide reports whether integers have 64 bits.
func (in *Inst) wide() bool {
	w := in.dst.typ.Size() == 8
	for i := range in.sourceCount() {
		w = w || in.src[i].typ.Size() == 8
	}
	return w
}

// unsigned64 reports whether a source has 64 bits without sign.
func (in *Inst) unsigned64() bool {
	return in.src[0].typ == UQ || in.src[1].typ == UQ
}

// runALU executes an instruction that computes each element from those of its
// sources.
func runALU(c *Core, in *Inst) {
	mask := c.channels(in)
	if mask == 0 || !c.findIndirect(in) {
		return
	}
	c.lanes += uint64(bits.OnesCount32(mask))
	x := &c.x
	if in.kind == kindInt {
		for i := range in.sourceCount() {
			c.loadInts(in, i, &x.i[i])
			modifyInts(in, &in.src[i], &x.i[i])
		}
		in.intOp(c, in, x)
		c.finishInts(in, mask, x)
		return
	}
	for i := range in.sourceCount() {
		c.loadFloats(in, i, &x.f[i])
		modifyFloats(in, &in.src[i], &x.f[i])
		c.flush(in, &x.f[i])
	}
	in.floatOp(c, in, x)
	c.finishFloats(in, mask, x)
}

// findIndirect places the indirect operands, and faults if one is not in the
// registers.
func (c *Core) findIndirect(in *Inst) bool {
	if in.dst.place != indirect && in.src[0].place != indirect && in.src[1].place != indirect {
		return true
	}
	for i := range in.src {
		if in.src[i].place != indirect {
			continue
		}
		a, ok := c.indirectAccess(&in.src[i], in.width)
		if !ok {
			c.illegalOperand(in, i)
			return false
		}
		c.indirect[i] = a
	}
	if in.dst.place == indirect {
		a, ok := c.indirectAccess(&in.dst, in.width)
		if !ok {
			c.illegalOperand(in, 3)
			return false
		}
		c.indirect[3] = a
	}
	return true
}

func modifyInts(in *Inst, o *operand, v *ints) {
	if o.abs {
		for k := range in.width {
			if v[k&31] < 0 {
				v[k&31] = -v[k&31]
			}
		}
	}
	switch {
	case !o.neg:
	case in.Op.flags&logicFlag != 0:
		for k := range in.width {
			v[k&31] = ^v[k&31]
		}
	default:
		for k := range in.width {
			v[k&31] = -v[k&31]
		}
	}
}

func modifyFloats(in *Inst, o *operand, v *floats) {
	if o.abs {
		for k := range in.width {
			v[k&31] = math.Abs(v[k&31])
		}
	}
	if o.neg {
		for k := range in.width {
			v[k&31] = -v[k&31]
		}
	}
}

// The smallest normal numbers of the kinds.
const (
	minHalf   = 0x1p-14
	minFloat  = 0x1p-126
	minDouble = 0x1p-1022
)

// flushes tells below which magnitude numbers of the instruction's kind become
// zero; 0 if denormals are kept.
func (c *Core) flushes(in *Inst) float64 {
	cr := c.r.u32(offCR)
	switch {
	case in.kind == kindHalf && cr&crDenormHF == 0:
		return minHalf
	case in.kind == kindFloat && cr&crDenormF == 0:
		return minFloat
	case in.kind == kindDouble && cr&crDenormDF == 0:
		return minDouble
	}
	return 0
}

func (c *Core) flush(in *Inst, v *floats) {
	least := c.flushes(in)
	if least == 0 {
		return
	}
	for k := range in.width {
		if math.Abs(v[k&31]) < least {
			v[k&31] = math.Copysign(0, v[k&31])
		}
	}
}

// fit makes a 64-bit result what the destination's type holds of it.
func fit(v int64, t Type) int64 {
	switch t {
	case UD:
		return int64(uint32(v))
	case D:
		return int64(int32(v))
	case UW:
		return int64(uint16(v))
	case W:
		return int64(int16(v))
	case UB:
		return int64(uint8(v))
	case B:
		return int64(int8(v))
	}
	return v
}

// limits are the least and greatest values of the integer types.
var limits = [...]struct{ lo, hi float64 }{UD: {0, math.MaxUint32}, D: {math.MinInt32, math.MaxInt32},
	UW: {0, 0xffff},
	W:  {-0x8000, 0x7fff}, UB: {0, 0xff}, B: {-0x80, 0x7f}, UQ: {0, 1 << 64}, Q: {-1 << 63, 1 << 63}}

// clampInt saturates an exact result to an integer type.
func clampInt(v int64, t Type, unsigned bool) int64 {
	switch t {
	case Q:
		if unsigned && v < 0 {
			return math.MaxInt64
		}
		return v
	case UQ:
		if !unsigned && v < 0 {
			return 0
		}
		return v
	}
	if unsigned && v < 0 {
		return int64(limits[t].hi)
	}
	return min(max(v, int64(limits[t].lo)), int64(limits[t].hi))
}

// finishInts applies modifiers to integer results and writes them.
func (c *Core) finishInts(in *Inst, mask uint32, x *operands) {
	t := in.dst.typ
	if types[t].float {
		unsigned := in.unsigned64()
		for k := range in.width {
			if unsigned {
				x.num[k&31] = float64FromUint(uint64(x.out[k&31]), c, t)
			} else {
				x.num[k&31] = float64FromInt(x.out[k&31], c, t)
			}
		}
		c.finishFloats(in, mask, x)
		return
	}
	if in.saturate && in.Op.flags&noSaturate == 0 {
		unsigned := in.unsigned64()
		for k := range in.width {
			x.out[k&31] = clampInt(x.out[k&31], t, unsigned)
		}
	}
	if in.setsFlags() {
		var flags uint32
		for k := range in.width {
			v := fit(x.out[k&31], t)
			if in.testInt(v, x.out[k&31]) {
				flags |= 1 << k
			}
		}
		c.setFlags(in, mask, flags)
	}
	if in.accWrite && in.Op.flags&ownAcc == 0 {
		c.writeAcc(in, mask, &x.out)
	}
	c.store(in, mask, &x.out)
}

// setsFlags reports whether the results' conditions go to the flag register;
// sel and csel have chosen by theirs.
func (in *Inst) setsFlags() bool {
	return in.cond != 0 && in.Op.form != formMath && in.Op.flags&noModifier == 0 && in.Op.Code != opSel &&
		in.Op.Code != opCsel
}

// testInt is an instruction's condition on a result, exact and as it fits.
func (in *Inst) testInt(v, exact int64) bool {
	sign := 0
	switch {
	case v < 0 && in.dst.typ != UQ:
		sign = -1
	case v != 0:
		sign = 1
	}
	if in.cond == condOV {
		return v != exact
	}
	return holds(in.cond, sign)
}

// The condition modifiers that are no comparison.
const (
	condOV = 8
	condUN = 9
)

// holds reports whether a condition is true of a comparison's result.
func holds(cond uint8, sign int) bool {
	switch cond {
	case 1:
		return sign == 0
	case 2:
		return sign != 0
	case 3:
		return sign > 0
	case 4:
		return sign >= 0
	case 5:
		return sign < 0
	case 6:
		return sign <= 0
	}
	return false
}

// holdsFloat is holds for numbers.
func holdsFloat(cond uint8, a, b float64) bool {
	switch cond {
	case 1:
		return a == b
	case 2:
		return a != b
	case 3:
		return a > b
	case 4:
		return a >= b
	case 5:
		return a < b
	case 6:
		return a <= b
	case condUN:
		return a != a || b != b
	case condOV:
		return math.IsInf(a, 0)
	}
	return false
}

// writeAcc puts results into the accumulator.
func (c *Core) writeAcc(in *Inst, mask uint32, v *ints) {
	size := in.dst.typ.Size()
	for k := range in.width {
		if mask>>k&1 != 0 {
			writeBits(c.r.file[offAcc+k*size:], size, uint64(v[k&31]))
		}
	}
}

// finishFloats rounds results, applies modifiers and writes them.
func (c *Core) finishFloats(in *Inst, mask uint32, x *operands) {
	mode := c.rounding()
	if in.kind != kindInt && in.kind != kindDouble {
		for k := range in.width {
			x.num[k&31] = roundKind(x.num[k&31], in.kind, mode)
		}
	}
	c.flush(in, &x.num)
	t := in.dst.typ
	if in.saturate && in.Op.flags&noSaturate == 0 && types[t].float {
		for k := range in.width {
			v := x.num[k&31]
			if !(v > 0) {
				v = 0
			}
			x.num[k&31] = min(v, 1)
		}
	}
	for k := range in.width {
		x.out[k&31] = int64(fromFloat(x.num[k&31], t, mode))
	}
	if in.setsFlags() {
		c.setFlags(in, mask, in.testFloats(x))
	}
	if in.accWrite {
		c.writeAcc(in, mask, &x.out)
	}
	c.store(in, mask, &x.out)
}

// testFloats tells of which results the instruction's condition is true. What is compared with zero is what
// the destination gets: 0.5 that becomes an integer is zero (PRM volume 7, "Assigning Conditional Flags").
// Whether a result is none or too great is seen before that.
func (in *Inst) testFloats(x *operands) (flags uint32) {
	t := in.dst.typ
	var b [8]byte
	for k := range in.width {
		v, holding := x.num[k&31], false
		switch {
		case in.cond == condOV && !types[t].float:
			holding = v < limits[t].lo || v > limits[t].hi
		case in.cond == condOV, in.cond == condUN:
			holding = holdsFloat(in.cond, v, 0)
		case types[t].float:
			writeBits(b[:], t.Size(), uint64(x.out[k&31]))
			holding = holdsFloat(in.cond, readFloat(b[:], t), 0)
		default:
			holding = in.testInt(x.out[k&31], x.out[k&31])
		}
		if holding {
			flags |= 1 << k
		}
	}
	return flags
}

// rounding is the mode of cr0: nearest even, up, down, to zero.
func (c *Core) rounding() uint8 { return uint8(c.r.u32(offCR) & crRound >> crRoundShift) }

// fromFloat is a number as an element of a type: its bits, or the integer that
// is next to it towards zero, within the type's range.
func fromFloat(v float64, t Type, mode uint8) uint64 {
	switch t {
	case F:
		return uint64(math.Float32bits(roundToFloat(v, mode)))
	case HF:
		return uint64(floatToHalf(v, mode))
	case BF:
		return uint64(floatToBF(v))
	case BF8:
		return uint64(floatToBF8(v))
	case TF32:
		return uint64(floatToTF32(v))
	case DF:
		return math.Float64bits(v)
	}
	switch l := limits[t]; {
	case v != v:
		return 0
	case v <= l.lo:
		if t == Q {
			return 1 << 63
		}
		return uint64(int64(l.lo))
	case v >= l.hi:
		switch t {
		case UQ:
			return math.MaxUint64
		case Q:
			return math.MaxInt64
		}
		return uint64(l.hi)
	case t == UQ:
		return uint64(v)
	}
	return uint64(int64(v))
}

// illegalOperand faults because an operand is not in the registers.
func (c *Core) illegalOperand(in *Inst, i int) {
	what := "its destination"
	if i < 3 {
		what = "source " + string(rune('0'+i))
	}
	c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: c.w.Exec, Addr: in.PC,
		Text: in.trimmed() + ": " + what + " is not in the registers"})
}
