package launch

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"simtgdb/dwarf/expr"
	"simtgdb/stub/arch"
)

// An elementType is a type of numbers in buffers and arguments: how they are
// made, read, written for people and compared.
type elementType struct {
	name   string
	size   int
	index  func(b []byte, i uint64)          // from the iota sequence
	random func(b []byte, x uint64)          // from 64 random bits
	parse  func(b []byte, text string) error // from a literal
	format func(b []byte) string
	value  func(b []byte) float64 // nearest, to compare with a tolerance
	isNaN  func(b []byte) bool
}

var elementTypes = map[string]*elementType{
	"i8": signed(8), "i16": signed(16), "i32": signed(32), "i64": signed(64),
	"u8": unsigned(8), "u16": unsigned(16), "u32": unsigned(32), "u64": unsigned(64),
	"f16": floating(16, 24), "f32": floating(32, 24), "f64": floating(64, 53),
}

const elementTypeNames = "i8, i16, i32, i64, u8, u16, u32, u64, f16, f32, f64"

func getUint(b []byte) uint64 {
	var whole [8]byte
	copy(whole[:], b)
	return binary.LittleEndian.Uint64(whole[:])
}

func signed(bits int) *elementType {
	get := func(b []byte) int64 { return int64(getUint(b)) << (64 - bits) >> (64 - bits) }
	return &elementType{
		name: fmt.Sprintf("i%d", bits), size: bits / 8,
		index: arch.PutUint, random: arch.PutUint,
		parse: func(b []byte, text string) error {
			v, err := strconv.ParseInt(text, 0, bits)
			arch.PutUint(b, uint64(v))
			return numberError(err, text, fmt.Sprintf("i%d", bits))
		},
		format: func(b []byte) string { return strconv.FormatInt(get(b), 10) },
		value:  func(b []byte) float64 { return float64(get(b)) },
		isNaN:  func([]byte) bool { return false },
	}
}

func unsigned(bits int) *elementType {
	return &elementType{
		name: fmt.Sprintf("u%d", bits), size: bits / 8,
		index: arch.PutUint, random: arch.PutUint,
		parse: func(b []byte, text string) error {
			v, err := strconv.ParseUint(text, 0, bits)
			arch.PutUint(b, v)
			return numberError(err, text, fmt.Sprintf("u%d", bits))
		},
		format: func(b []byte) string { return strconv.FormatUint(getUint(b), 10) },
		value:  func(b []byte) float64 { return float64(getUint(b)) },
		isNaN:  func([]byte) bool { return false },
	}
}

// floating makes the binary floating-point type of a width; random values have
// randomBits bits in [0,1).
func floating(bits, randomBits int) *elementType {
	get := func(b []byte) float64 { return toFloat(bits, getUint(b)) }
	put := func(b []byte, v float64) { arch.PutUint(b, fromFloat(bits, v)) }
	return &elementType{
		name: fmt.Sprintf("f%d", bits), size: bits / 8,
		index:  func(b []byte, i uint64) { put(b, float64(i)) },
		random: func(b []byte, x uint64) { put(b, math.Ldexp(float64(x>>(64-randomBits)), -randomBits)) },
		parse: func(b []byte, text string) error {
			v, err := strconv.ParseFloat(text, max(bits, 32))
			put(b, v)
			return numberError(err, text, fmt.Sprintf("f%d", bits))
		},
		format: func(b []byte) string {
			if bits == 16 {
				const digits = 5 // enough to tell a half from its neighbours
				return strconv.FormatFloat(get(b), 'g', digits, 64)
			}
			return strconv.FormatFloat(get(b), 'g', -1, bits)
		},
		value: get,
		isNaN: func(b []byte) bool { v := get(b); return v != v },
	}
}

func numberError(err error, text, typ string) error {
	switch {
	case err == nil:
		return nil
	case strings.HasSuffix(err.Error(), strconv.ErrRange.Error()):
		return fmt.Errorf("%s is out of the range of %s", text, typ)
	}
	return fmt.Errorf("%q is no number of type %s", text, typ)
}

func toFloat(bits int, v uint64) float64 {
	switch bits {
	case 16:
		return expr.HalfToFloat(uint16(v))
	case 32:
		return float64(math.Float32frombits(uint32(v)))
	}
	return math.Float64frombits(v)
}

func fromFloat(bits int, v float64) uint64 {
	switch bits {
	case 16:
		return uint64(expr.FloatToHalf(v))
	case 32:
		return uint64(math.Float32bits(float32(v)))
	}
	return math.Float64bits(v)
}
