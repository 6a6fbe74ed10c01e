package expr

import (
	"fmt"
	"math"
	"math/big"
)

// A TypeEncoding is how a base type is encoded, a DW_ATE_ constant (DWARF 5 table 7.11).
type TypeEncoding uint8

// The encodings that arithmetic knows. Zero is the generic type.
const (
	Generic      TypeEncoding = 0
	Address      TypeEncoding = 0x01
	Boolean      TypeEncoding = 0x02
	Float        TypeEncoding = 0x04
	Signed       TypeEncoding = 0x05
	SignedChar   TypeEncoding = 0x06
	Unsigned     TypeEncoding = 0x07
	UnsignedChar TypeEncoding = 0x08
	UTF          TypeEncoding = 0x10
)

// integral follows A.2.5.2, and counts addresses and characters as integers,
// as producers use them so.
func (e TypeEncoding) integral() bool {
	switch e {
	case Generic, Address, Boolean, Signed, SignedChar, Unsigned, UnsignedChar, UTF, 0x11, 0x12:
		return true
	}
	return e >= 0x80
}

func (e TypeEncoding) signed() bool { return e == Signed || e == SignedChar }

// A BaseType is what the evaluator needs of a DW_TAG_base_type.
type BaseType struct {
	Encoding TypeEncoding
	Bits     int // DW_AT_bit_size, else 8*DW_AT_byte_size
}

func (t BaseType) String() string {
	names := map[TypeEncoding]string{Generic: "generic", Address: "address", Boolean: "boolean",
		Float:  "float",
		Signed: "signed", SignedChar: "signed_char", Unsigned: "unsigned", UnsignedChar: "unsigned_char",
		UTF: "utf"}
	if n := names[t.Encoding]; n != "" {
		return fmt.Sprintf("%s%d", n, t.Bits)
	}
	return fmt.Sprintf("encoding(0x%x)%d", uint8(t.Encoding), t.Bits)
}

// maxTypeBits bounds the size of a typed value.
const maxTypeBits = 1 << 16

// A Value is a typed literal: what an expression computes with.
type Value struct {
	Type BaseType
	low  uint64   // the bits, zero above Type.Bits, when there are at most 64
	wide []byte   // the bytes, little-endian, when there are more; never changed
	ip   *pointer // an implicit pointer value; then the bits mean nothing
}

// A pointer is what DW_OP_implicit_pointer describes: a pointer that does not
// exist, to an object that does.
type pointer struct {
	space uint64
	die   uint64
	disp  int64
	bits  int
}

// NewValue makes a value of at most 64 bits.
func NewValue(t BaseType, bits uint64) Value {
	return Value{Type: t, low: bits & mask(t.Bits)}
}

// NewWideValue makes a value of any size from its little-endian bytes.
func NewWideValue(t BaseType, data []byte) Value {
	n := (t.Bits + 7) / 8
	b := make([]byte, n)
	copy(b, data)
	if r := t.Bits % 8; r != 0 {
		b[n-1] &= 1<<r - 1
	}
	if t.Bits > 64 {
		return Value{Type: t, wide: b}
	}
	return Value{Type: t, low: little(b)}
}

// Uint64 returns the low 64 bits.
func (v Value) Uint64() uint64 {
	if v.wide != nil {
		return little(v.wide[:8])
	}
	return v.low
}

// Bytes returns the value's bytes, little-endian.
func (v Value) Bytes() []byte {
	b := make([]byte, (v.Type.Bits+7)/8)
	if v.wide != nil {
		copy(b, v.wide)
		return b
	}
	putLittle(b, v.low)
	return b
}

// ImplicitPointer reports a value that stands for a pointer the program does
// not have: the debugging information entry it points to and the displacement.
func (v Value) ImplicitPointer() (die uint64, disp int64, ok bool) {
	if v.ip == nil {
		return 0, 0, false
	}
	return v.ip.die, v.ip.disp, true
}

func mask(bits int) uint64 {
	if bits >= 64 {
		return math.MaxUint64
	}
	return 1<<bits - 1
}

func signExtend(v uint64, bits int) int64 {
	if bits <= 0 || bits >= 64 {
		return int64(v)
	}
	return int64(v<<(64-bits)) >> (64 - bits)
}

func little(b []byte) uint64 {
	var v uint64
	for i := len(b) - 1; i >= 0; i-- {
		v = v<<8 | uint64(b[i])
	}
	return v
}

func putLittle(b []byte, v uint64) {
	for i := range b {
		b[i] = byte(v)
		v >>= 8
	}
}

// zero reports a value whose bits are all zero.
func (v Value) zero() bool {
	for _, b := range v.wide {
		if b != 0 {
			return false
		}
	}
	return v.low == 0
}

// int reads an integral value of any size; the generic type as unsigned.
func (v Value) int(signed bool) *big.Int {
	n := new(big.Int)
	if v.wide == nil {
		n.SetUint64(v.low)
	} else {
		rev := make([]byte, len(v.wide))
		for i, b := range v.wide {
			rev[len(rev)-1-i] = b
		}
		n.SetBytes(rev)
	}
	if signed && v.Type.Bits > 0 && n.Bit(v.Type.Bits-1) == 1 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(v.Type.Bits)))
	}
	return n
}

// fromInt wraps n to the type.
func fromInt(t BaseType, n *big.Int) Value {
	m := new(big.Int).Lsh(big.NewInt(1), uint(t.Bits))
	m.Sub(m, big.NewInt(1))
	m.And(m, n)
	if t.Bits <= 64 {
		return Value{Type: t, low: m.Uint64()}
	}
	b := m.FillBytes(make([]byte, (t.Bits+7)/8))
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return Value{Type: t, wide: b}
}

// float reads a floating-point value; ok is false for a size the package
// does not compute with.
func (v Value) float() (f float64, ok bool) {
	switch v.Type.Bits {
	case 16:
		return HalfToFloat(uint16(v.low)), true
	case 32:
		return float64(math.Float32frombits(uint32(v.low))), true
	case 64:
		return math.Float64frombits(v.low), true
	}
	return 0, false
}

func fromFloat(t BaseType, f float64) (Value, bool) {
	switch t.Bits {
	case 16:
		return Value{Type: t, low: uint64(FloatToHalf(f))}, true
	case 32:
		return Value{Type: t, low: uint64(math.Float32bits(float32(f)))}, true
	case 64:
		return Value{Type: t, low: math.Float64bits(f)}, true
	}
	return Value{}, false
}

// HalfToFloat is the value of a float of 16 bits (IEEE 754 binary16).
func HalfToFloat(h uint16) float64 {
	sign, exp, frac := 1.0, int(h>>10&31), float64(h&1023)
	if h&0x8000 != 0 {
		sign = -1
	}
	switch exp {
	case 0:
		return sign * math.Ldexp(frac, -24)
	case 31:
		if frac != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+frac, exp-25)
}

// FloatToHalf rounds to the nearest float of 16 bits, ties to even.
func FloatToHalf(f float64) uint16 {
	var sign uint16
	if math.Signbit(f) {
		sign, f = 0x8000, -f
	}
	switch {
	case f != f:
		return sign | 0x7e00
	case f >= 65520:
		return sign | 0x7c00
	case f < math.Ldexp(1, -14):
		return sign | uint16(math.RoundToEven(math.Ldexp(f, 24)))
	}
	frac, exp := math.Frexp(f) // f = frac * 2^exp, frac in [0.5, 1)
	m := math.RoundToEven(math.Ldexp(frac, 11))
	return sign | (uint16(exp+13)<<10 + uint16(m))
}

// convert changes the type and keeps the number (DW_OP_convert).
func (v Value) convert(t BaseType) (Value, bool) {
	switch {
	case v.Type.Encoding == Float && t.Encoding == Float:
		f, ok := v.float()
		if !ok {
			return Value{}, v.Type == t
		}
		return fromFloat(t, f)
	case v.Type.Encoding == Float && t.Encoding.integral():
		f, ok := v.float()
		if !ok || math.IsNaN(f) || math.IsInf(f, 0) {
			return Value{Type: t, wide: wideZero(t)}, ok
		}
		n, _ := big.NewFloat(f).Int(nil)
		return fromInt(t, n), true
	case v.Type.Encoding.integral() && t.Encoding == Float:
		n := new(big.Float).SetInt(v.int(v.Type.Encoding.signed()))
		if t.Bits == 32 {
			f, _ := n.Float32()
			return fromFloat(t, float64(f))
		}
		f, _ := n.Float64()
		return fromFloat(t, f)
	case v.Type.Encoding.integral() && t.Encoding.integral():
		if v.Type.Bits <= 64 && t.Bits <= 64 {
			n := v.low
			if v.Type.Encoding.signed() {
				n = uint64(signExtend(n, v.Type.Bits))
			}
			return NewValue(t, n), true
		}
		return fromInt(t, v.int(v.Type.Encoding.signed())), true
	}
	return Value{}, false
}

func wideZero(t BaseType) []byte {
	if t.Bits <= 64 {
		return nil
	}
	return make([]byte, (t.Bits+7)/8)
}
