package spirv

import (
	"math/bits"
	"sync"
)

// Integer, logic and comparison instructions (sections 3.42.13 to 3.42.15). A scalar lies zero-extended in
// its slot, a bool as 0 or 1, so that most loops serve all widths.

var integerBuilders = sync.OnceValue(func() map[uint16]func(*builder) (*inst, error) {
	return map[uint16]func(*builder) (*inst, error){
		opSNegate: op1(execNegate), opNot: op1(execNot), opLogicalNot: op1(execLogicalNot),
		opIAdd: op2(execAdd), opISub: op2(execSub), opIMul: op2(execMul),
		opUDiv: op2(execUDiv), opSDiv: op2(execSDiv), opUMod: op2(execUMod), opSRem: op2(execSRem),
		opSMod:      op2(execSMod),
		opBitwiseOr: op2(execOr), opBitwiseXor: op2(execXor), opBitwiseAnd: op2(execAnd),
		opLogicalOr: op2(execOr), opLogicalAnd: op2(execAnd),
		opLogicalEqual: op2(execSame), opLogicalNotEqual: op2(execXor),
		opShiftRightLogical: shift(execShiftRight), opShiftRightArithmetic: shift(execShiftRightArithmetic),
		opShiftLeftLogical: shift(execShiftLeft),
		opIEqual:           compare(execSame), opINotEqual: compare(execDiffers),
		opUGreaterThan: compare(execUGreater), opUGreaterThanEqual: compare(execUGreaterEqual),
		opULessThan:      compare(execULess),
		opULessThanEqual: compare(execULessEqual),
		opSGreaterThan:   compare(execSGreater), opSGreaterThanEqual: compare(execSGreaterEqual),
		opSLessThan:      compare(execSLess),
		opSLessThanEqual: compare(execSLessEqual),
		opPtrEqual:       compare(execSame), opPtrNotEqual: compare(execDiffers),
		opIAddCarry: buildPair(addCarry), opISubBorrow: buildPair(subBorrow),
		opUMulExtended:   buildPair(mulWide),
		opSMulExtended:   buildPair(mulWideSigned),
		opBitFieldInsert: buildBitFieldInsert, opBitFieldSExtract: buildBitFieldExtract,
		opBitFieldUExtract: buildBitFieldExtract,
		opBitReverse:       buildBits(reverse), opBitCount: buildBitCount,
		opAny: buildAnyAll, opAll: buildAnyAll,
		opSelect:                   buildSelect,
		opUCountLeadingZerosINTEL:  buildBits(leadingZeros),
		opUCountTrailingZerosINTEL: buildBits(trailingZeros),
		opAbsISubINTEL:             std(142), opAbsUSubINTEL: std(202),
		opIAddSatINTEL: std(143), opUAddSatINTEL: std(144),
		opIAverageINTEL: std(145), opUAverageINTEL: std(146),
		opIAverageRoundedINTEL: std(147), opUAverageRoundedINTEL: std(148), opISubSatINTEL: std(162),
		opUSubSatINTEL:   std(163),
		opIMul32x16INTEL: buildMul32x16(true), opUMul32x16INTEL: buildMul32x16(false),
		opSDot: buildDot, opUDot: buildDot, opSUDot: buildDot, opSDotAccSat: buildDot, opUDotAccSat: buildDot,
		opSUDotAccSat: buildDot,
	}
})

func leadingZeros(v uint64, w uint) uint64 { return uint64(bits.LeadingZeros64(v) - int(64-w)) }

func trailingZeros(v uint64, w uint) uint64 { return uint64(min(bits.TrailingZeros64(v), int(w))) }

func op1(exec func(*core, *inst)) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) {
		i, _, err := b.elementwise(1)
		if err != nil {
			return nil, err
		}
		return i.with(exec), nil
	}
}

func op2(exec func(*core, *inst)) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) {
		i, _, err := b.elementwise(2)
		if err != nil {
			return nil, err
		}
		return i.with(exec), nil
	}
}

// std makes an instruction that does what a function of OpenCL.std does
// (SPV_INTEL_shader_integer_functions2).
func std(number uint32) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) { return buildOpenCL(b, number) }
}

// buildMul32x16 makes products with the low 16 bits of the second operand.
func buildMul32x16(isSigned bool) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) {
		i, _, err := b.elementwise(2)
		if err != nil {
			return nil, err
		}
		mask := i.imm
		i.f2 = func(x, y uint64) uint64 {
			if isSigned {
				return x * uint64(signed(y, 16)) & mask
			}
			return x * (y & 0xffff) & mask
		}
		return i.with(map2), nil
	}
}

// shift is op2 with an amount that may be of another width.
func shift(exec func(*core, *inst)) func(*builder) (*inst, error) { return op2(exec) }

// compare is op2 with a result of bools: the width is that of the operands.
func compare(exec func(*core, *inst)) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) {
		i, vs, err := b.elementwise(2)
		if err != nil {
			return nil, err
		}
		i.shift = 64 - vs[0].typ.scalar().width()
		return i.with(exec), nil
	}
}

func execNegate(c *core, in *inst) {
	d, a := c.a1(in)
	for i := range d {
		d[i] = -a[i] & in.imm
	}
}

func execNot(c *core, in *inst) {
	d, a := c.a1(in)
	m := in.imm
	for i := range d {
		d[i] = ^a[i] & m
	}
}

func execLogicalNot(c *core, in *inst) {
	d, a := c.a1(in)
	for i := range d {
		d[i] = a[i] ^ 1
	}
}

func execAdd(c *core, in *inst) {
	d, a, b := c.ab(in)
	m := in.imm
	for i := range d {
		d[i] = (a[i] + b[i]) & m
	}
}

func execSub(c *core, in *inst) {
	d, a, b := c.ab(in)
	m := in.imm
	for i := range d {
		d[i] = (a[i] - b[i]) & m
	}
}

func execMul(c *core, in *inst) {
	d, a, b := c.ab(in)
	m := in.imm
	for i := range d {
		d[i] = a[i] * b[i] & m
	}
}

func execAnd(c *core, in *inst) {
	d, a, b := c.ab(in)
	for i := range d {
		d[i] = a[i] & b[i]
	}
}

func execOr(c *core, in *inst) {
	d, a, b := c.ab(in)
	for i := range d {
		d[i] = a[i] | b[i]
	}
}

func execXor(c *core, in *inst) {
	d, a, b := c.ab(in)
	for i := range d {
		d[i] = a[i] ^ b[i]
	}
}

// Division by zero is undefined; as drivers do, all bits of the quotient are set, and the remainder is the
// dividend. INT_MIN / -1 is INT_MIN.

func execUDiv(c *core, in *inst) {
	d, a, b := c.ab(in)
	for i := range d {
		if b[i] == 0 {
			d[i] = in.imm
		} else {
			d[i] = a[i] / b[i]
		}
	}
}

func execUMod(c *core, in *inst) {
	d, a, b := c.ab(in)
	for i := range d {
		if b[i] == 0 {
			d[i] = a[i]
		} else {
			d[i] = a[i] % b[i]
		}
	}
}

func execSDiv(c *core, in *inst) {
	d, a, b := c.ab(in)
	s := in.shift & 63
	for i := range d {
		x, y := int64(a[i]<<s)>>s, int64(b[i]<<s)>>s
		switch y {
		case 0:
			d[i] = in.imm
		case -1:
			d[i] = uint64(-x) & in.imm
		default:
			d[i] = uint64(x/y) & in.imm
		}
	}
}

func execSRem(c *core, in *inst) {
	d, a, b := c.ab(in)
	s := in.shift & 63
	for i := range d {
		x, y := int64(a[i]<<s)>>s, int64(b[i]<<s)>>s
		switch y {
		case 0:
			d[i] = a[i]
		case -1:
			d[i] = 0
		default:
			d[i] = uint64(x%y) & in.imm
		}
	}
}

func execSMod(c *core, in *inst) {
	d, a, b := c.ab(in)
	s := in.shift & 63
	for i := range d {
		x, y := int64(a[i]<<s)>>s, int64(b[i]<<s)>>s
		switch y {
		case 0:
			d[i] = a[i]
		case -1:
			d[i] = 0
		default:
			r := x % y
			if r != 0 && (r < 0) != (y < 0) {
				r += y
			}
			d[i] = uint64(r) & in.imm
		}
	}
}

// Shifts by the width or more are undefined; the amount is taken modulo the width, as processors do.

func execShiftLeft(c *core, in *inst) {
	d, a, b := c.ab(in)
	m, w := in.imm, 63-uint64(in.shift)
	for i := range d {
		d[i] = a[i] << (b[i] & w & 63) & m
	}
}

func execShiftRight(c *core, in *inst) {
	d, a, b := c.ab(in)
	w := 63 - uint64(in.shift)
	for i := range d {
		d[i] = a[i] >> (b[i] & w & 63)
	}
}

func execShiftRightArithmetic(c *core, in *inst) {
	d, a, b := c.ab(in)
	s, m, w := in.shift&63, in.imm, 63-uint64(in.shift)
	for i := range d {
		d[i] = uint64(int64(a[i]<<s)>>s>>(b[i]&w&63)) & m
	}
}

func one(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func execSame(c *core, in *inst) {
	d, a, b := c.ab(in)
	for i := range d {
		d[i] = one(a[i] == b[i])
	}
}

func execDiffers(c *core, in *inst) {
	d, a, b := c.ab(in)
	for i := range d {
		d[i] = one(a[i] != b[i])
	}
}

func execUGreater(c *core, in *inst) {
	d, a, b := c.ab(in)
	for i := range d {
		d[i] = one(a[i] > b[i])
	}
}

func execUGreaterEqual(c *core, in *inst) {
	d, a, b := c.ab(in)
	for i := range d {
		d[i] = one(a[i] >= b[i])
	}
}

func execULess(c *core, in *inst) {
	d, a, b := c.ab(in)
	for i := range d {
		d[i] = one(a[i] < b[i])
	}
}

func execULessEqual(c *core, in *inst) {
	d, a, b := c.ab(in)
	for i := range d {
		d[i] = one(a[i] <= b[i])
	}
}

func execSGreater(c *core, in *inst) {
	d, a, b := c.ab(in)
	s := in.shift & 63
	for i := range d {
		d[i] = one(int64(a[i]<<s) > int64(b[i]<<s))
	}
}

func execSGreaterEqual(c *core, in *inst) {
	d, a, b := c.ab(in)
	s := in.shift & 63
	for i := range d {
		d[i] = one(int64(a[i]<<s) >= int64(b[i]<<s))
	}
}

func execSLess(c *core, in *inst) {
	d, a, b := c.ab(in)
	s := in.shift & 63
	for i := range d {
		d[i] = one(int64(a[i]<<s) < int64(b[i]<<s))
	}
}

func execSLessEqual(c *core, in *inst) {
	d, a, b := c.ab(in)
	s := in.shift & 63
	for i := range d {
		d[i] = one(int64(a[i]<<s) <= int64(b[i]<<s))
	}
}

// buildPair makes instructions that yield a struct of two: low and high part, or result and carry.
func buildPair(f func(x, y, mask uint64, width uint) (lo, hi uint64)) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) {
		x, err := b.value(0)
		if err != nil {
			return nil, err
		}
		y, err := b.value(1)
		if err != nil {
			return nil, err
		}
		s := x.typ.scalar()
		if s == nil || b.typ == nil || y.typ.slots != x.typ.slots || b.typ.slots != 2*x.typ.slots {
			return nil, b.errorf("has operands and a result that do not fit")
		}
		exec := func(c *core, in *inst) {
			d := c.slots(in.d, 2*in.n)
			a, b := c.slots(in.a, in.n), c.slots(in.b, in.n)
			for i := range a {
				d[i], d[len(a)+i] = f(a[i], b[i], in.imm, 64-in.shift)
			}
		}
		return &inst{exec: exec, a: x.slot, b: y.slot, n: int32(x.typ.slots), imm: s.mask(),
			shift: 64 - s.width()}, nil
	}
}

func addCarry(x, y, mask uint64, width uint) (uint64, uint64) {
	s, carry := bits.Add64(x, y, 0)
	if width < 64 {
		carry = s >> width
	}
	return s & mask, carry
}

func subBorrow(x, y, mask uint64, _ uint) (uint64, uint64) { return (x - y) & mask, one(x < y) }

func mulWide(x, y, mask uint64, width uint) (uint64, uint64) {
	hi, lo := bits.Mul64(x, y)
	if width < 64 {
		return lo & mask, lo >> width & mask
	}
	return lo, hi
}

func mulWideSigned(x, y, mask uint64, width uint) (uint64, uint64) {
	if width < 64 {
		v := uint64(signed(x, width) * signed(y, width))
		return v & mask, v >> width & mask
	}
	hi, lo := bits.Mul64(x, y)
	if int64(x) < 0 {
		hi -= y
	}
	if int64(y) < 0 {
		hi -= x
	}
	return lo, hi
}

func reverse(v uint64, width uint) uint64 { return bits.Reverse64(v) >> (64 - width) }

// buildBits makes instructions of one operand and its width.
func buildBits(f func(v uint64, width uint) uint64) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) {
		i, _, err := b.elementwise(1)
		if err != nil {
			return nil, err
		}
		w := 64 - i.shift
		i.f1 = func(v uint64) uint64 { return f(v, w) }
		return i.with(map1), nil
	}
}

// buildBitCount may have a result of another width than its operand.
func buildBitCount(b *builder) (*inst, error) {
	i, _, err := b.elementwise(1)
	if err != nil {
		return nil, err
	}
	i.f1 = func(v uint64) uint64 { return uint64(bits.OnesCount64(v)) }
	return i.with(map1), nil
}

// fieldMask has count bits; more than 64 are all.
func fieldMask(count uint64) uint64 {
	if count >= 64 {
		return ^uint64(0)
	}
	return 1<<count - 1
}

// buildBitFieldInsert makes BitFieldInsert: base, insert, offset, count; offset and count are scalars.
func buildBitFieldInsert(b *builder) (*inst, error) {
	i, _, err := b.elementwise(2)
	if err != nil {
		return nil, err
	}
	off, count, err := b.pair(2)
	if err != nil {
		return nil, err
	}
	i.args = []int32{off.slot, count.slot}
	return i.with(func(c *core, in *inst) {
		d, base, insert := c.ab(in)
		off, count := c.one(in.args[0]), c.one(in.args[1])
		for i := range d {
			l := i % c.lanes
			m := fieldMask(count[l]) << off[l]
			d[i] = (base[i]&^m | insert[i]<<off[l]&m) & in.imm
		}
	}), nil
}

func buildBitFieldExtract(b *builder) (*inst, error) {
	i, _, err := b.elementwise(1)
	if err != nil {
		return nil, err
	}
	off, count, err := b.pair(1)
	if err != nil {
		return nil, err
	}
	i.b, i.e = off.slot, count.slot
	isSigned := b.in.op == opBitFieldSExtract
	return i.with(func(c *core, in *inst) {
		d, a := c.a1(in)
		off, count := c.one(in.b), c.one(in.e)
		for i := range d {
			l := i % c.lanes
			v := a[i] >> off[l] & fieldMask(count[l])
			if isSigned && count[l] > 0 && count[l] < 64 {
				v = uint64(signed(v, uint(count[l]))) & in.imm
			}
			d[i] = v
		}
	}), nil
}

// buildAnyAll makes Any and All of a vector of bools.
func buildAnyAll(b *builder) (*inst, error) {
	v, err := b.value(0)
	if err != nil {
		return nil, err
	}
	all := b.in.op == opAll
	return &inst{a: v.slot, n: int32(v.typ.slots), exec: func(c *core, in *inst) {
		d := c.one(in.d)
		for l := range d {
			r := all
			for k := range in.n {
				x := c.one(in.a + k)[l] != 0
				if all {
					r = r && x
				} else {
					r = r || x
				}
			}
			d[l] = one(r)
		}
	}}, nil
}

// buildSelect makes Select: the condition is a bool for all, or one for each component.
func buildSelect(b *builder) (*inst, error) {
	cond, x, err := b.pair(0)
	if err != nil {
		return nil, err
	}
	y, err := b.value(2)
	if err != nil {
		return nil, err
	}
	if b.typ == nil || x.typ.slots != b.typ.slots || y.typ.slots != b.typ.slots ||
		cond.typ.slots != 1 && cond.typ.slots != b.typ.slots {
		return nil, b.errorf("has operands that do not fit")
	}
	i := &inst{a: x.slot, b: y.slot, e: cond.slot, n: int32(b.typ.slots)}
	if cond.typ.slots == b.typ.slots {
		return i.with(execSelect), nil
	}
	return i.with(execSelectWhole), nil
}

func execSelect(c *core, in *inst) {
	d, a, b, e := c.abe(in)
	for i := range d {
		v := b[i]
		if e[i] != 0 {
			v = a[i]
		}
		d[i] = v
	}
}

func execSelectWhole(c *core, in *inst) {
	d, a, b := c.ab(in)
	e := c.one(in.e)
	for i := range d {
		v := b[i]
		if e[i%c.lanes] != 0 {
			v = a[i]
		}
		d[i] = v
	}
}

// buildDot makes the integer dot products: signed, unsigned or mixed, of vectors or of four bytes packed into
// 32 bits, with and without a saturating accumulator (SPV_KHR_integer_dot_product).
func buildDot(b *builder) (*inst, error) {
	vs := make([]*value, 2)
	for i := range vs {
		var err error
		if vs[i], err = b.value(i); err != nil {
			return nil, err
		}
	}
	first := (b.in.op - 4450) % 3 // SDot, UDot, SUDot
	sa, sb := first != 1, first == 0
	i := &inst{a: vs[0].slot, b: vs[1].slot, n: int32(vs[0].typ.slots), imm: b.typ.mask()}
	part, parts := vs[0].typ.scalar(), 1
	if part == nil || vs[1].typ.slots != vs[0].typ.slots {
		return nil, b.errorf("has operands that do not fit")
	}
	width := part.width()
	if vs[0].typ.kind == kInt {
		width, parts = 8, 4
	}
	saturate := b.in.op >= opSDotAccSat
	if saturate {
		acc, err := b.value(2)
		if err != nil {
			return nil, err
		}
		i.e = acc.slot
	}
	rw := b.typ.width()
	pick := func(v uint64, k int, isSigned bool) int64 {
		v = v >> (uint(k) * width) & fieldMask(uint64(width))
		if isSigned {
			return signed(v, width)
		}
		return int64(v)
	}
	return i.with(func(c *core, in *inst) {
		d := c.one(in.d)
		for l := range d {
			var sum int64
			for n := range in.n {
				x, y := c.one(in.a + n)[l], c.one(in.b + n)[l]
				for k := range parts {
					sum += pick(x, k, sa) * pick(y, k, sb)
				}
			}
			if saturate {
				sum = saturated(sum, c.one(in.e)[l], rw, sa)
			}
			d[l] = uint64(sum) & in.imm
		}
	}), nil
}

// saturated adds an accumulator within the bounds of a width.
func saturated(sum int64, acc uint64, width uint, isSigned bool) int64 {
	if isSigned {
		most := int64(fieldMask(uint64(width - 1)))
		s := signed(uint64(sum), width) + signed(acc, width)
		return max(min(s, most), -most-1)
	}
	return int64(min(uint64(sum)&fieldMask(uint64(width))+acc, fieldMask(uint64(width))))
}
