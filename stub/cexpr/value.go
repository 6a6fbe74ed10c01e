package cexpr

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/types"
)

// An Env is the place where an expression is evaluated: a frame of a lane.
type Env interface {
	// Variable finds what a name means, which may be qualified; its error says in words that there is
	// nothing.
	Variable(name string) (Value, error)
	// Static finds the object that a static member's declaration stands for.
	Static(decl *dwarf.DIE) (Value, error)
	// Type finds a type by its name, of one of the tags if any are given; nil if there is none.
	Type(name string, tags []dwarf.Tag) *dwarf.DIE
	// Register reads a register.
	Register(name string) (Value, error)
	// Read reads memory at an address, all of it or not at all.
	Read(addr uint64, p []byte) error
	// Pointer is the address that Read wants for the contents of a pointer of a type.
	Pointer(t *dwarf.DIE, v uint64) uint64
	// Model is the machine's of the sizes of types.
	Model() types.Model
}

// A Value is an object of a type, in memory or by itself.
type Value struct {
	Type     *dwarf.DIE
	InMemory bool
	Addr     uint64 // of an object in memory
	Data     []byte // of one that is not; little-endian
	field    *dwarf.DIE
}

// maxObject bounds how large objects are read.
const maxObject = 1 << 16

// bytes reads the object.
func (v Value) bytes(env Env) ([]byte, error) {
	size := env.Model().Size(v.Type)
	switch {
	case types.Strip(v.Type) == nil:
		return nil, errors.New("void is no value: cast the pointer")
	case size == 0:
		return nil, errors.New("the size of the type is not known")
	case size > maxObject:
		return nil, fmt.Errorf("the object has %d bytes, at most %d are read", size, maxObject)
	case !v.InMemory && uint64(len(v.Data)) < size:
		return nil, fmt.Errorf("%d of the object's %d bytes are there", len(v.Data), size)
	case !v.InMemory:
		return v.Data[:size], nil
	}
	b := make([]byte, size)
	return b, env.Read(v.Addr, b)
}

// part is what lies at an offset of an object.
func (v Value) part(env Env, t *dwarf.DIE, at uint64) (Value, error) {
	if v.InMemory {
		return Value{Type: t, InMemory: true, Addr: v.Addr + at}, nil
	}
	size := env.Model().Size(t)
	if size == 0 || at > uint64(len(v.Data)) || size > uint64(len(v.Data))-at {
		return Value{}, errors.New("no such part")
	}
	return Value{Type: t, Data: v.Data[at:][:size]}, nil
}

// A num is the number in a value, as arithmetic wants it.
type num struct {
	float  bool
	brain  bool // bfloat16, of 16 bits
	signed bool
	bits   int
	i      uint64 // of an integer, with the sign extended to 64 bits
	f      float64
}

func littleEndian(b []byte) uint64 {
	var word [8]byte
	copy(word[:], b)
	return binary.LittleEndian.Uint64(word[:])
}

// number reads a scalar; enumerations and pointers are integers too.
func (v Value) number(env Env) (num, error) {
	t := types.Strip(v.Type)
	if t == nil {
		return num{}, errors.New("void is no value: cast the pointer")
	}
	isScalar := t.Tag == dwarf.TagBaseType || t.Tag == dwarf.TagEnumerationType || types.IsPointer(t)
	if !isScalar {
		return num{}, fmt.Errorf("%s is no number", kindOf(t))
	}
	b, err := v.bytes(env)
	if err != nil {
		return num{}, err
	}
	if len(b) > 8 {
		return num{}, fmt.Errorf("numbers of %d bits are not computed with", 8*len(b))
	}
	n := num{bits: 8 * len(b), i: littleEndian(b)}
	switch types.Encoding(t) {
	case dwarf.ATEFloat:
		return floatBits(n.i, n.bits, isBrain(t)), nil
	case dwarf.ATESigned, dwarf.ATESignedChar:
		n.signed = true
	}
	if types.IsPointer(t) {
		return num{bits: 64, i: env.Pointer(t, n.i)}, nil
	}
	if t.Tag == dwarf.TagEnumerationType {
		n.signed = types.Encoding(types.Strip(t.TypeDIE())) == dwarf.ATESigned
	}
	if v.field == nil {
		return n.wrapped(), nil
	}
	all := n.bits
	size, _ := v.field.Uint(dwarf.AttrBitSize)
	at, _ := v.field.Uint(dwarf.AttrDataBitOffset)
	n.i >>= at % uint64(all)
	n.bits = int(min(max(size, 1), uint64(all)))
	n = n.wrapped()
	n.bits = all
	return n, nil
}

// Int is the value as an integer; false if it is no integer, or is not there.
func (v Value) Int(env Env) (int64, bool) {
	n, err := v.number(env)
	return int64(n.i), err == nil && !n.float
}

// memberAt is where a member lies in its record: of a bit field, the integer that holds it (DWARF 5
// section 5.7.6).
func memberAt(m types.Model, field *dwarf.DIE) uint64 {
	at := types.Offset(field)
	if bit, ok := field.Uint(dwarf.AttrDataBitOffset); ok {
		size := max(m.Size(field.TypeDIE()), 1)
		at = bit / 8 / size * size
	}
	return at
}

func isBrain(t *dwarf.DIE) bool { return t.Name() == "__bf16" }

// floatBits is the float of some bits.
func floatBits(i uint64, bits int, brain bool) num {
	n := num{float: true, bits: bits, brain: brain && bits == 16}
	switch {
	case n.brain:
		n.f = float64(math.Float32frombits(uint32(i) << 16))
	case bits == 16:
		n.f = expr.HalfToFloat(uint16(i))
	case bits == 32:
		n.f = float64(math.Float32frombits(uint32(i)))
	default:
		n.f = math.Float64frombits(i)
	}
	return n
}

// wrapped keeps of an integer what its type holds, of a float what it is rounded to.
func (n num) wrapped() num {
	switch {
	case n.float:
		n.f = floatBits(n.encoded(), n.bits, n.brain).f
	case n.signed:
		n.i = uint64(int64(n.i<<(64-n.bits)) >> (64 - n.bits))
	default:
		n.i = n.i << (64 - n.bits) >> (64 - n.bits)
	}
	return n
}

// encoded are the bits of a number.
func (n num) encoded() uint64 {
	switch {
	case !n.float:
		return n.i
	case n.brain:
		return toBrain(n.f)
	case n.bits == 16:
		return uint64(expr.FloatToHalf(n.f))
	case n.bits == 32:
		return uint64(math.Float32bits(float32(n.f)))
	}
	return math.Float64bits(n.f)
}

// toBrain rounds to the nearest bfloat16, ties to even: the upper half of a float, which has all of a
// float's exponents.
func toBrain(f float64) uint64 {
	if f != f {
		return 0x7fc0
	}
	single := float32(f)
	b := math.Float32bits(single)
	// The sum of both roundings is that of one where the first keeps on which side of a tie f was.
	if b&0xffff == 0x8000 && float64(single) != f {
		if math.Abs(float64(single)) < math.Abs(f) {
			b++
		} else {
			b--
		}
	}
	return uint64((b + 0x7fff + b>>16&1) >> 16)
}

// value makes an object of a number.
func (n num) value() Value {
	n = n.wrapped()
	t := integers[n.bits][0]
	switch {
	case n.brain:
		t = brainFloat
	case n.float:
		t = floatType(n.bits)
	case n.signed:
		t = integers[n.bits][1]
	}
	return Value{Type: t, Data: binary.LittleEndian.AppendUint64(nil, n.encoded())[:n.bits/8]}
}

func integer(bits int, signed bool, i uint64) Value {
	return num{bits: bits, signed: signed, i: i}.value()
}

func floating(bits int, f float64) Value { return num{float: true, bits: bits, f: f}.value() }

// Integer is a value of one of C's integer types, of 8, 16, 32 or 64 bits.
func Integer(bits int, signed bool, i uint64) Value { return integer(bits, signed, i) }

// Words is a value that is too wide for an integer: an array of 32-bit integers.
func Words(b []byte) Value {
	return Value{Type: arrayOf(integerType(32, false), uint64(len(b)/4)), Data: b}
}

func (n num) zero() bool {
	if n.float {
		return n.f == 0
	}
	return n.i == 0
}

// as converts a number to a type (C17 6.3.1): what a float does not fit into is the nearest integer.
func (n num) as(to num) num {
	switch {
	case n.float && to.float:
		to.f = n.f
	case to.float && n.signed:
		to.f = float64(int64(n.i))
	case to.float:
		to.f = float64(n.i)
	case n.float:
		to.i = truncated(n.f, to.signed)
	default:
		to.i = n.i
	}
	return to.wrapped()
}

func truncated(f float64, signed bool) uint64 {
	switch f = math.Trunc(f); {
	case f != f:
		return 0
	case signed && f >= 1<<63:
		return math.MaxInt64
	case f <= -1<<63:
		return 1 << 63
	case signed || f < 0:
		return uint64(int64(f))
	case f >= 1<<64:
		return math.MaxUint64
	}
	return uint64(f)
}

// promoted is a number as arithmetic takes it (C17 6.3.1.1).
func (n num) promoted() num {
	if !n.float && n.bits < 32 {
		n.bits, n.signed = 32, true
	}
	return n
}

// common converts two numbers to the type that both have in arithmetic (C17 6.3.1.8).
func common(a, b num) (num, num) {
	a, b = a.promoted(), b.promoted()
	var to num
	switch {
	case a.float && b.float && a.bits == 16 && b.bits == 16 && a.brain != b.brain:
		to = num{float: true, bits: 32}
	case a.float && (!b.float || a.bits >= b.bits):
		to = num{float: true, bits: a.bits, brain: a.brain}
	case b.float:
		to = num{float: true, bits: b.bits, brain: b.brain}
	default:
		to.bits = max(a.bits, b.bits)
		to.signed = !(!a.signed && a.bits == to.bits || !b.signed && b.bits == to.bits)
	}
	return a.as(to), b.as(to)
}

// kindOf names what a type is.
func kindOf(t *dwarf.DIE) string {
	switch {
	case t == nil:
		return "void"
	case types.IsVector(t):
		return "a vector"
	case t.Tag == dwarf.TagArrayType:
		return "an array"
	case types.IsPointer(t):
		return "a pointer"
	case types.IsRecord(t):
		return strings.TrimSpace("a structure " + t.Name())
	case t.Tag == dwarf.TagSubroutineType:
		return "a function"
	}
	return "a " + t.Name()
}
