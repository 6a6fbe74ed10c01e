package gen

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/rand"
	"testing"

	"simtgdb/testdata/sweep"
)

// A rounded instruction computes numbers that are rounded once, by cr0.
type rounded struct {
	sources int
	typ     Type // of the sources
	result  Type
	step    int // bytes from one result to the next
	exact   func(v [3]*big.Float) *big.Float
}

func bigSum(v [3]*big.Float) *big.Float { return new(big.Float).SetPrec(5000).Add(v[0], v[1]) }

func bigProduct(v [3]*big.Float) *big.Float { return new(big.Float).SetPrec(5000).Mul(v[0], v[1]) }

func bigMad(v [3]*big.Float) *big.Float {
	p := new(big.Float).SetPrec(5000).Mul(v[1], v[2])
	return p.Add(p, v[0])
}

func bigCopy(v [3]*big.Float) *big.Float { return new(big.Float).SetPrec(5000).Set(v[0]) }

var roundedInsts = map[string]rounded{
	"add-f": {2, F, F, 4, bigSum}, "mad-f": {3, F, F, 4, bigMad}, "mov-f-d": {1, D, F, 4, bigCopy},
	"mov-f-ud": {1, UD, F, 4, bigCopy}, "add-df": {2, DF, DF, 8, bigSum},
	"mul-df": {2, DF, DF, 8, bigProduct}, "mad-df": {3, DF, DF, 8, bigMad}, "add-hf": {2, HF, HF, 2, bigSum},
	"mul-hf": {2, HF, HF, 2, bigProduct}, "mov-f-df": {1, DF, F, 8, bigCopy},
	"mov-hf-f": {1, F, HF, 4, bigCopy}, "mov-df-q": {1, Q, DF, 8, bigCopy},
	"mov-f-q": {1, Q, F, 8, bigCopy},
}

// precision and least are a type's bits of precision and its least normal
// number.
var precision, least = map[Type]uint{F: 24, DF: 53, HF: 11}, map[Type]float64{F: minFloat, DF: minDouble,
	HF: minHalf}

// TestRounding computes with random numbers in the four modes of cr0, and
// compares with exact results that are rounded by package big. Of what becomes
// a denormal or too large there is none.
func TestRounding(t *testing.T) {
	codes := assembled(t)
	modes := [4]big.RoundingMode{big.ToNearestEven, big.ToPositiveInf, big.ToNegativeInf, big.ToZero}
	rnd := rand.New(sweep.Source(3))
	for name, op := range roundedInsts {
		b := newBench(t, 8)
		compared := 0
		for round := range sweep.Times(48, 200) {
			mode := round % 4
			b.load(codes[name])
			b.r.setU32(offCR, crDenormDF|crDenormF|crDenormHF|uint32(mode)<<crRoundShift)
			n := min(32/max(op.typ.Size(), op.step), 8)
			var in [3][16]*big.Float
			for i := range op.sources {
				for k := range n {
					at := offGRF + (12+2*i)*regBytes + k*op.typ.Size()
					in[i][k] = putRandom(b.r.file[at:], op.typ, rnd)
				}
			}
			b.steps(0x10)
			for k := range n {
				exact := op.exact([3]*big.Float{in[0][k], in[1][k], in[2][k]})
				want := new(big.Float).SetPrec(precision[op.result]).SetMode(modes[mode]).Set(exact)
				v, _ := want.Float64()
				if a := math.Abs(v); v == 0 || a < least[op.result] || op.result == HF && a > 60000 ||
					math.IsInf(v, 0) {
					continue
				}
				compared++
				if got := readFloat(b.r.file[offGRF+10*regBytes+k*op.step:], op.result); got != v {
					t.Fatalf("%s, mode %d: %v, want %v of %v %v %v", name, mode, got, v, in[0][k], in[1][k],
						in[2][k])
				}
			}
		}
		if compared < 48 {
			t.Errorf("%s: %d results compared", name, compared)
		}
	}
}

// putRandom writes a random number of a type.
func putRandom(p []byte, typ Type, rnd *rand.Rand) *big.Float {
	v := rnd.NormFloat64() * math.Ldexp(1, rnd.Intn(8)-4)
	switch typ {
	case F:
		binary.LittleEndian.PutUint32(p, math.Float32bits(float32(v)))
		v = float64(float32(v))
	case DF:
		binary.LittleEndian.PutUint64(p, math.Float64bits(v))
	case HF:
		// Eleven bits: a multiple of 1/64 below 32.
		v = float64(rnd.Intn(2*2047)-2047) / 64
		binary.LittleEndian.PutUint16(p, halfOf(v))
	case D:
		n := int32(rnd.Uint32())
		binary.LittleEndian.PutUint32(p, uint32(n))
		v = float64(n)
	case UD:
		n := rnd.Uint32()
		binary.LittleEndian.PutUint32(p, n)
		v = float64(n)
	case Q:
		n := int64(rnd.Uint64())
		binary.LittleEndian.PutUint64(p, uint64(n))
		return new(big.Float).SetPrec(64).SetInt64(n)
	}
	return big.NewFloat(v)
}

// halfOf is a number that half precision has, as its bits.
func halfOf(v float64) uint16 {
	if v == 0 {
		return 0
	}
	frac, exp := math.Frexp(math.Abs(v)) // in [1/2, 1)
	bits := uint16(exp+14)<<10 | uint16(frac*2048)&0x3ff
	if v < 0 {
		bits |= 0x8000
	}
	return bits
}

// TestDenormals adds denormals, and makes them by products: they are kept or
// become zero with their sign, as cr0 says for their type.
func TestDenormals(t *testing.T) {
	codes := assembled(t)
	for _, c := range []struct {
		name string
		keep uint32 // the bit of cr0
		a, b uint64
		kept uint64
		lost uint64
		size int
	}{
		{"add-f", crDenormF, 0x00000003, 0x00000005, 8, 0, 4},
		{"add-f", crDenormF, 0x80000003, 0x80000005, 0x80000008, 0x80000000, 4},
		{"add-f", crDenormF, 0x80400000, 0x00800000, 0x00400000, 0x00800000, 4}, // to a normal number
		{"mul-f", crDenormF, 0x00800000, 0x3f000000, 0x00400000, 0, 4},
		{"add-df", crDenormDF, 3, 5, 8, 0, 8},
		{"mul-df", crDenormDF, 0x0010 << 48, 0x3fe0 << 48, 0x0008 << 48, 0,
			8},
		{"add-hf", crDenormHF, 3, 5, 8, 0, 2}, {"mul-hf", crDenormHF, 0x0400, 0x3800, 0x0200, 0, 2},
	} {
		b := newBench(t, 8)
		for _, keep := range []bool{true, false} {
			b.load(codes[c.name])
			all, want := uint32(crDenormDF|crDenormF|crDenormHF), c.kept
			if !keep {
				all, want = all&^c.keep, c.lost
			}
			b.r.setU32(offCR, all)
			writeBits(b.r.file[offGRF+12*regBytes:], c.size, c.a)
			writeBits(b.r.file[offGRF+14*regBytes:], c.size, c.b)
			b.steps(0x10)
			got := binary.LittleEndian.Uint64(b.r.file[offGRF+10*regBytes:]) & (1<<(8*c.size) - 1)
			if c.size == 8 {
				got = binary.LittleEndian.Uint64(b.r.file[offGRF+10*regBytes:])
			}
			if got != want {
				t.Errorf("%s of %#x and %#x, kept %v: %#x, want %#x", c.name, c.a, c.b, keep, got, want)
			}
		}
	}
}
