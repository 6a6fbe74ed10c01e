package expr

import (
	"math"
	"math/big"
)

// arithmetic is one two-operand operation on the three representations of
// numbers. A nil function means that the operation has no such form.
type arithmetic struct {
	// small works on at most 64 bits. a and b are sign-extended if signed.
	small func(a, b uint64, bits int, signed bool) (uint64, bool)
	wide  func(a, b *big.Int, bits int) (*big.Int, bool)
	float func(a, b float64) float64
	// generic says how the generic type counts: DWARF 5 2.5.1.4 has
	// addresses unsigned except where an operation says otherwise.
	genericSigned bool
	// forceUnsigned is for the operations that ignore the sign.
	forceUnsigned, forceSigned bool
}

var (
	arithPlus = arithmetic{
		small: func(a, b uint64, _ int, _ bool) (uint64, bool) { return a + b, true },
		wide:  func(a, b *big.Int, _ int) (*big.Int, bool) { return a.Add(a, b), true },
		float: func(a, b float64) float64 { return a + b },
	}
	arithMinus = arithmetic{
		small: func(a, b uint64, _ int, _ bool) (uint64, bool) { return a - b, true },
		wide:  func(a, b *big.Int, _ int) (*big.Int, bool) { return a.Sub(a, b), true },
		float: func(a, b float64) float64 { return a - b },
	}
	arithMul = arithmetic{
		small: func(a, b uint64, _ int, _ bool) (uint64, bool) { return a * b, true },
		wide:  func(a, b *big.Int, _ int) (*big.Int, bool) { return a.Mul(a, b), true },
		float: func(a, b float64) float64 { return a * b },
	}
	arithDiv = arithmetic{
		small: func(a, b uint64, _ int, signed bool) (uint64, bool) {
			switch {
			case b == 0:
				return 0, false
			case signed:
				if int64(b) == -1 {
					return -a, true
				}
				return uint64(int64(a) / int64(b)), true
			}
			return a / b, true
		},
		wide: func(a, b *big.Int, _ int) (*big.Int, bool) {
			if b.Sign() == 0 {
				return nil, false
			}
			return a.Quo(a, b), true
		},
		float:         func(a, b float64) float64 { return a / b },
		genericSigned: true,
	}
	arithMod = arithmetic{
		small: func(a, b uint64, _ int, signed bool) (uint64, bool) {
			switch {
			case b == 0:
				return 0, false
			case signed:
				if int64(b) == -1 {
					return 0, true
				}
				return uint64(int64(a) % int64(b)), true
			}
			return a % b, true
		},
		wide: func(a, b *big.Int, _ int) (*big.Int, bool) {
			if b.Sign() == 0 {
				return nil, false
			}
			return a.Rem(a, b), true
		},
	}
	arithAnd = arithmetic{
		small: func(a, b uint64, _ int, _ bool) (uint64, bool) { return a & b, true },
		wide:  func(a, b *big.Int, _ int) (*big.Int, bool) { return a.And(a, b), true },
	}
	arithOr = arithmetic{
		small: func(a, b uint64, _ int, _ bool) (uint64, bool) { return a | b, true },
		wide:  func(a, b *big.Int, _ int) (*big.Int, bool) { return a.Or(a, b), true },
	}
	arithXor = arithmetic{
		small: func(a, b uint64, _ int, _ bool) (uint64, bool) { return a ^ b, true },
		wide:  func(a, b *big.Int, _ int) (*big.Int, bool) { return a.Xor(a, b), true },
	}
	arithShl = arithmetic{
		small: func(a, b uint64, bits int, _ bool) (uint64, bool) {
			if b >= uint64(bits) {
				return 0, true
			}
			return a << b, true
		},
		wide: func(a, b *big.Int, bits int) (*big.Int, bool) {
			return a.Lsh(a, shiftCount(b, bits)), true
		},
		forceUnsigned: true,
	}
	arithShr = arithmetic{
		small: func(a, b uint64, bits int, _ bool) (uint64, bool) {
			if b >= uint64(bits) {
				return 0, true
			}
			return a >> b, true
		},
		wide: func(a, b *big.Int, bits int) (*big.Int, bool) {
			return a.Rsh(a, shiftCount(b, bits)), true
		},
		forceUnsigned: true,
	}
	arithShra = arithmetic{
		small: func(a, b uint64, bits int, _ bool) (uint64, bool) {
			// A negative count is a huge one: it shifts everything out.
			if b < uint64(bits) {
				return uint64(int64(a) >> b), true
			}
			return uint64(int64(a) >> 63), true
		},
		wide: func(a, b *big.Int, bits int) (*big.Int, bool) {
			return a.Rsh(a, shiftCount(b, bits)), true
		},
		forceSigned: true,
	}
)

func shiftCount(b *big.Int, bits int) uint {
	if b.Sign() < 0 || !b.IsUint64() || b.Uint64() > uint64(bits) {
		return uint(bits)
	}
	return uint(b.Uint64())
}

// signedness reports whether the operands count as signed.
func (o *arithmetic) signedness(t BaseType) bool {
	switch {
	case o.forceUnsigned:
		return false
	case o.forceSigned:
		return true
	case t.Encoding == Generic:
		return o.genericSigned
	}
	return t.Encoding.signed()
}

// apply computes a op b; both have the same type.
func (o *arithmetic) apply(a, b Value) (Value, *Error) {
	t := a.Type
	if t.Encoding == Float {
		x, ok := a.float()
		y, _ := b.float()
		if !ok || o.float == nil {
			return Value{}, Errorf(IllFormed, "%s operands", t)
		}
		v, _ := fromFloat(t, o.float(x, y))
		return v, nil
	}
	if !t.Encoding.integral() {
		return Value{}, Errorf(IllFormed, "%s operands, integers expected", t)
	}
	signed := o.signedness(t)
	if t.Bits <= 64 {
		x, y := a.low, b.low
		if signed {
			x, y = uint64(signExtend(x, t.Bits)), uint64(signExtend(y, t.Bits))
		}
		n, ok := o.small(x, y, t.Bits, signed)
		if !ok {
			return Value{}, Errorf(IllFormed, "division by zero")
		}
		return NewValue(t, n), nil
	}
	n, ok := o.wide(a.int(signed), b.int(signed), t.Bits)
	if !ok {
		return Value{}, Errorf(IllFormed, "division by zero")
	}
	return fromInt(t, n), nil
}

// compare orders two values of the same type, the generic type as signed
// (DWARF 5 2.5.1.5). unordered is true if one is not a number.
func compare(a, b Value) (order int, unordered bool, err *Error) {
	t := a.Type
	switch {
	case t.Encoding == Float:
		x, ok := a.float()
		y, _ := b.float()
		if !ok {
			return 0, false, Errorf(IllFormed, "%s operands", t)
		}
		return ordered(x < y, x > y), math.IsNaN(x) || math.IsNaN(y), nil
	case !t.Encoding.integral():
		return 0, false, Errorf(IllFormed, "%s operands, numbers expected", t)
	}
	signed := t.Encoding == Generic || t.Encoding.signed()
	switch {
	case t.Bits > 64:
		return a.int(signed).Cmp(b.int(signed)), false, nil
	case signed:
		x, y := signExtend(a.low, t.Bits), signExtend(b.low, t.Bits)
		return ordered(x < y, x > y), false, nil
	}
	return ordered(a.low < b.low, a.low > b.low), false, nil
}

func ordered(less, greater bool) int {
	switch {
	case less:
		return -1
	case greater:
		return 1
	}
	return 0
}

// negate is DW_OP_neg.
func (v Value) negate() (Value, *Error) {
	switch {
	case v.Type.Encoding == Float:
		if _, ok := v.float(); !ok {
			return Value{}, Errorf(IllFormed, "%s operand", v.Type)
		}
		return NewValue(v.Type, v.low^1<<(v.Type.Bits-1)), nil
	case !v.Type.Encoding.integral():
		return Value{}, Errorf(IllFormed, "%s operand, a number expected", v.Type)
	case v.Type.Bits <= 64:
		return NewValue(v.Type, -v.low), nil
	}
	n := v.int(true)
	return fromInt(v.Type, n.Neg(n)), nil
}

// abs is DW_OP_abs; the generic type counts as signed.
func (v Value) abs() (Value, *Error) {
	if v.Type.Encoding == Float {
		if _, ok := v.float(); !ok {
			return Value{}, Errorf(IllFormed, "%s operand", v.Type)
		}
		return NewValue(v.Type, v.low&^(1<<(v.Type.Bits-1))), nil
	}
	signed := v.Type.Encoding == Generic || v.Type.Encoding.signed()
	if v.Type.Encoding.integral() && !(signed && v.int(true).Sign() < 0) {
		return v, nil
	}
	return v.negate()
}

// not is DW_OP_not.
func (v Value) not() (Value, *Error) {
	if !v.Type.Encoding.integral() {
		return Value{}, Errorf(IllFormed, "%s operand, an integer expected", v.Type)
	}
	if v.Type.Bits <= 64 {
		return NewValue(v.Type, ^v.low), nil
	}
	n := v.int(false)
	return fromInt(v.Type, n.Not(n)), nil
}
