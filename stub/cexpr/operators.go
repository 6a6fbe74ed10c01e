package cexpr

import (
	"errors"
	"fmt"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
)

// Levels of binding, from the loosest on (C17 6.5.5 to 6.5.15; @ is gdb's).
const (
	levelConditional = iota
	levelOr
	levelAnd
	levelBitOr
	levelBitXor
	levelBitAnd
	levelEqual
	levelOrder
	levelShift
	levelRepeat
	levelSum
	levelProduct
)

// An operator computes with two numbers of one type; ints and floats are nil where it does not take them.
type operator struct {
	level    int
	ints     func(a, b num) (uint64, error)
	floats   func(a, b float64) float64
	compares func(order int) bool // the result is whether the order of the operands is as wanted
	shift    bool                 // the type is that of the first operand
}

var errZero = errors.New("division by zero")

func whole(f func(a, b uint64) uint64) func(a, b num) (uint64, error) {
	return func(a, b num) (uint64, error) { return f(a.i, b.i), nil }
}

var binaries = map[string]*operator{
	"*": {level: levelProduct, ints: whole(func(a, b uint64) uint64 { return a * b }),
		floats: func(a, b float64) float64 { return a * b }},
	"/": {level: levelProduct, ints: quotient, floats: func(a, b float64) float64 { return a / b }},
	"%": {level: levelProduct, ints: remainder},
	"+": {level: levelSum, ints: whole(func(a, b uint64) uint64 { return a + b }),
		floats: func(a, b float64) float64 { return a + b }},
	"-": {level: levelSum, ints: whole(func(a, b uint64) uint64 { return a - b }),
		floats: func(a, b float64) float64 { return a - b }},
	"@":  {level: levelRepeat},
	"<<": {level: levelShift, shift: true, ints: left},
	">>": {level: levelShift, shift: true, ints: right},
	"<":  {level: levelOrder, compares: func(o int) bool { return o == -1 }},
	">":  {level: levelOrder, compares: func(o int) bool { return o == 1 }},
	"<=": {level: levelOrder, compares: func(o int) bool { return o == -1 || o == 0 }},
	">=": {level: levelOrder, compares: func(o int) bool { return o == 1 || o == 0 }},
	"==": {level: levelEqual, compares: func(o int) bool { return o == 0 }},
	"!=": {level: levelEqual, compares: func(o int) bool { return o != 0 }},
	"&":  {level: levelBitAnd, ints: whole(func(a, b uint64) uint64 { return a & b })},
	"^":  {level: levelBitXor, ints: whole(func(a, b uint64) uint64 { return a ^ b })},
	"|":  {level: levelBitOr, ints: whole(func(a, b uint64) uint64 { return a | b })},
	"&&": {level: levelAnd},
	"||": {level: levelOr},
}

// node makes the node of an operator.
func (o *operator) node(name string, x, y node) node {
	switch name {
	case "&&", "||":
		return &logical{name == "&&", x, y}
	case "@":
		return &repeated{x, y}
	}
	return &binaryNode{o, name, x, y}
}

func quotient(a, b num) (uint64, error) {
	switch {
	case b.i == 0:
		return 0, errZero
	case a.signed:
		return uint64(int64(a.i) / int64(b.i)), nil
	}
	return a.i / b.i, nil
}

func remainder(a, b num) (uint64, error) {
	switch {
	case b.i == 0:
		return 0, errZero
	case a.signed:
		return uint64(int64(a.i) % int64(b.i)), nil
	}
	return a.i % b.i, nil
}

// left and right shift as gdb does, which leaves nothing to chance: bits that are shifted out are gone.
func left(a, b num) (uint64, error) {
	if b.signed && int64(b.i) < 0 {
		return 0, fmt.Errorf("a shift by %d", int64(b.i))
	}
	if b.i >= uint64(a.bits) {
		return 0, nil
	}
	return a.i << b.i, nil
}

func right(a, b num) (uint64, error) {
	switch {
	case b.signed && int64(b.i) < 0:
		return 0, fmt.Errorf("a shift by %d", int64(b.i))
	case a.signed:
		return uint64(int64(a.i) >> min(b.i, 63)), nil
	case b.i >= uint64(a.bits):
		return 0, nil
	}
	return a.i >> b.i, nil
}

// unordered is the order of a NaN.
const unordered = 2

func order(a, b num) int {
	less, equal := a.i < b.i, a.i == b.i
	switch {
	case a.float:
		if a.f != a.f || b.f != b.f {
			return unordered
		}
		less, equal = a.f < b.f, a.f == b.f
	case a.signed:
		less = int64(a.i) < int64(b.i)
	}
	switch {
	case equal:
		return 0
	case less:
		return -1
	}
	return 1
}

func (n *binaryNode) eval(env Env) (Value, error) {
	x, err := n.x.eval(env)
	if err != nil {
		return Value{}, err
	}
	y, err := n.y.eval(env)
	if err != nil {
		return Value{}, err
	}
	if v, ok, err := n.withPointers(env, x, y); ok || err != nil {
		return v, err
	}
	a, err := x.number(env)
	if err != nil {
		return Value{}, err
	}
	b, err := y.number(env)
	if err != nil {
		return Value{}, err
	}
	if n.op.shift {
		a, b = a.promoted(), b.promoted()
	} else {
		a, b = common(a, b)
	}
	switch {
	case n.op.compares != nil:
		return boolean32(n.op.compares(order(a, b))), nil
	case a.float && n.op.floats != nil:
		a.f = n.op.floats(a.f, b.f)
		return a.value(), nil
	case a.float || b.float:
		return Value{}, fmt.Errorf("%s wants integers", n.name)
	}
	a.i, err = n.op.ints(a, b)
	return a.value(), err
}

// withPointers adds to pointers, and takes from them, as C does (C17 6.5.6); arrays are pointers to their
// first elements. Other operators take pointers for numbers.
func (n *binaryNode) withPointers(env Env, x, y Value) (v Value, ok bool, err error) {
	tx, isX := target(x)
	ty, isY := target(y)
	if !isX && !isY || isVector(x) || isVector(y) {
		return Value{}, false, nil
	}
	if n.op.compares != nil {
		a, err := operand(env, x)
		if err != nil {
			return Value{}, false, err
		}
		b, err := operand(env, y)
		return boolean32(n.op.compares(order(a, b))), true, err
	}
	switch {
	case n.name == "-" && isX && isY:
		a, err := address(env, x)
		if err != nil {
			return Value{}, false, err
		}
		b, err := address(env, y)
		size := stride(env, tx)
		if size == 0 || size != stride(env, ty) {
			return Value{}, false, errors.New("the pointers are to objects of different sizes")
		}
		return integer(64, true, uint64(int64(a-b)/int64(size))), true, err
	case n.name == "+" && isX != isY, n.name == "-" && isX:
		if isY {
			x, y = y, x
		}
		i, err := y.number(env)
		if err == nil && i.float {
			err = errors.New("a float cannot be added to a pointer")
		}
		if n.name == "-" {
			i.i = -i.i
		}
		if err != nil {
			return Value{}, false, err
		}
		to, err := pointee(env, x, int64(i.i))
		return pointer(to.Type, to.Addr), true, err
	}
	return Value{}, false, fmt.Errorf("%s does not take pointers", n.name)
}

func isVector(v Value) bool {
	t := types.Strip(v.Type)
	return t != nil && types.IsVector(t)
}

// operand is what is compared: a number, or an address.
func operand(env Env, v Value) (num, error) {
	if t := types.Strip(v.Type); t != nil && t.Tag == dwarf.TagArrayType {
		at, err := address(env, v)
		return num{bits: 64, i: at}, err
	}
	n, err := v.number(env)
	if err == nil && n.float {
		err = errors.New("a float is compared with a pointer")
	}
	return n.promoted().as(num{bits: 64}), err
}
