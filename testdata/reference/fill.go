package reference

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// An elementType is how a buffer's elements are made: from a number of the
// iota sequence, from 64 random bits, from a literal.
type elementType struct {
	size   int
	index  func(b []byte, i int)
	random func(b []byte, x uint64)
	parse  func(b []byte, literal string) error
}

var elementTypes = map[string]elementType{
	"i8": integer(1, true), "i16": integer(2, true), "i32": integer(4, true), "i64": integer(8, true),
	"u8": integer(1, false), "u16": integer(2, false), "u32": integer(4, false), "u64": integer(8, false),
	"f16": floating(2, 24, func(b []byte, v float64) { binary.LittleEndian.PutUint16(b, uint16(HalfOf(v))) }),
	"f32": floating(4, 24, func(b []byte, v float64) {
		binary.LittleEndian.PutUint32(b,
			math.Float32bits(float32(v)))
	}),
	"f64": floating(8, 53,
		func(b []byte, v float64) { binary.LittleEndian.PutUint64(b, math.Float64bits(v)) }),
}

func integer(size int, signed bool) elementType {
	put := func(b []byte, v uint64) {
		var whole [8]byte
		binary.LittleEndian.PutUint64(whole[:], v)
		copy(b, whole[:size])
	}
	return elementType{
		size:   size,
		index:  func(b []byte, i int) { put(b, uint64(i)) },
		random: put,
		parse: func(b []byte, literal string) error {
			if !signed {
				v, err := strconv.ParseUint(literal, 0, size*8)
				put(b, v)
				return err
			}
			v, err := strconv.ParseInt(literal, 0, size*8)
			put(b, uint64(v))
			return err
		},
	}
}

// floating makes random values of that many bits in [0,1).
func floating(size, bits int, put func(b []byte, v float64)) elementType {
	return elementType{
		size:   size,
		index:  func(b []byte, i int) { put(b, float64(i)) },
		random: func(b []byte, x uint64) { put(b, math.Ldexp(float64(x>>(64-bits)), -bits)) },
		parse: func(b []byte, literal string) error {
			width := 64
			if size == 4 {
				width = 32
			}
			v, err := strconv.ParseFloat(literal, width)
			put(b, v)
			return err
		},
	}
}

// Fill makes the contents of a buffer of count elements from its init text:
// zero, iota, fill:VALUE, random:SEED or file:NAME (in folder). The README of
// testdata defines each.
func Fill(typ string, count int, init, folder string) ([]byte, error) {
	t, ok := elementTypes[typ]
	if !ok {
		return nil, fmt.Errorf("unknown element type %q", typ)
	}
	b := make([]byte, count*t.size)
	element := func(i int) []byte { return b[i*t.size : (i+1)*t.size] }
	word, operand, _ := strings.Cut(init, ":")
	switch word {
	case "zero":
	case "iota":
		for i := range count {
			t.index(element(i), i)
		}
	case "fill":
		for i := range count {
			if err := t.parse(element(i), operand); err != nil {
				return nil, fmt.Errorf("init %q: %w", init, err)
			}
		}
	case "random":
		seed, err := strconv.ParseUint(operand, 0, 64)
		if err != nil {
			return nil, fmt.Errorf("init %q: %w", init, err)
		}
		next := splitMix64(seed)
		for i := range count {
			t.random(element(i), next())
		}
	case "file":
		contents, err := os.ReadFile(filepath.Join(folder, operand))
		if err != nil {
			return nil, fmt.Errorf("init %q: %w", init, err)
		}
		if len(contents) != len(b) {
			return nil, fmt.Errorf("init %q: file has %d bytes, the buffer %d", init, len(contents), len(b))
		}
		return contents, nil
	default:
		return nil, fmt.Errorf("unknown init %q", init)
	}
	return b, nil
}

// splitMix64 is the generator of Steele, Lea and Flood, "Fast splittable
// pseudorandom number generators" (OOPSLA 2014), figure 16 with the golden
// gamma.
func splitMix64(state uint64) func() uint64 {
	return func() uint64 {
		state += 0x9e3779b97f4a7c15
		z := state
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
}
