package gen

import (
	"encoding/binary"
	"math"
	"math/rand"
	"testing"

	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

// cut is a number cut off to some bits behind the point of a format whose least exponent is that of halves.
func cut(v float64, bits int) float64 {
	if v == 0 || math.IsInf(v, 0) || v != v {
		return v
	}
	_, e := math.Frexp(v)
	unit := math.Ldexp(1, max(e-1, -14)-bits)
	if v = math.Trunc(v/unit) * unit; math.Abs(v) >= 1<<16 {
		return math.Copysign(math.Inf(1), v)
	}
	return v
}

// nearestOf is a number to the nearest of the same, and to an even one if there are two.
func nearestOf(v float64, bits, least int) float64 {
	if v == 0 || math.IsInf(v, 0) || v != v {
		return v
	}
	_, e := math.Frexp(v)
	unit := math.Ldexp(1, max(e-1, least)-bits)
	return math.RoundToEven(v/unit) * unit
}

// withRandom adds to a number's magnitude some units of its last place.
func withRandom(v float64, random, bits, least int) float64 {
	if math.IsInf(v, 0) || v != v {
		return v
	}
	_, e := math.Frexp(v)
	if v == 0 {
		e = least
	}
	unit := math.Ldexp(1, max(e-1, least)-bits)
	return math.Copysign(math.Abs(v)+float64(random)*unit, v)
}

// TestNarrowFloats: srnd, and moves from and to BF8 and TF32, against numbers computed here, with all
// channels and with some. Encodings are iga64's, -p=12p72.
func TestNarrowFloats(t *testing.T) {
	half := func(b []byte, i int) float64 { return halfToFloat(binary.LittleEndian.Uint16(b[2*i:])) }
	single := func(b []byte, i int) float64 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
	}
	bf8 := func(b []byte, i int) float64 { return halfToFloat(uint16(b[i]) << 8) }
	for _, tt := range []struct {
		text, code string
		read       func(b []byte, i int) float64
		want       func(a, random []byte, i int) float64
	}{
		{"srnd (16|M0) r10.0<1>:hf r12.0<1;1,0>:f r14.0<1;1,0>:f", "54001000900a050a040c100a040e1000", half,
			func(a, random []byte, i int) float64 {
				return cut(withRandom(single(a, i), int(binary.LittleEndian.Uint32(random[4*i:])&0x1fff), 23, -126), 10)
			}},
		{"srnd (16|M0) r10.0<1>:bf8 r12.0<1;1,0>:hf r14.0<1;1,0>:hf", "540010008009050a040c1009040e1000", bf8,
			func(a, random []byte, i int) float64 {
				return cut(withRandom(half(a, i), int(random[2*i]), 10, -14), 2)
			}},
		{"mov (16|M0) r10.0<1>:bf8 r12.0<1;1,0>:hf", "610010008009050a040c100000000000", bf8,
			func(a, _ []byte, i int) float64 {
				v := nearestOf(half(a, i), 2, -14)
				if math.Abs(v) >= 1<<16 {
					v = math.Copysign(math.Inf(1), v)
				}
				return v
			}},
		{"mov (16|M0) r10.0<1>:hf r12.0<1;1,0>:bf8", "610010009008050a040c100000000000", half,
			func(a, _ []byte, i int) float64 { return bf8(a, i) }},
		{"mov (16|M0) r10.0<1>:tf32 r12.0<1;1,0>:f", "61001000e00a050a040c100000000000", single,
			func(a, _ []byte, i int) float64 { return float64(float32(nearestOf(single(a, i), 10, -126))) }},
	} {
		r := rand.New(sweep.Source(8))
		b := newBench(t, 16).of(XeHPC)
		b.load(tt.code)
		to, from, random := b.r.file[XeHPC.grf(10):][:64], b.r.file[XeHPC.grf(12):][:64], b.r.file[XeHPC.grf(14):][:64]
		for round := range 200 {
			for i := range 16 {
				binary.LittleEndian.PutUint32(from[4*i:], randomWord(r))
				binary.LittleEndian.PutUint32(random[4*i:], r.Uint32())
				binary.LittleEndian.PutUint32(to[4*i:], 0)
			}
			exec := uint64(0xffff)
			if round%2 == 1 {
				exec = uint64(r.Uint32()&0xffff | 1)
			}
			b.w.PC, b.w.Exec = codeBase, exec
			if ev := b.core.Run(b.w, 1); ev.Kind != simt.NoEvent {
				t.Fatalf("%s: %v %v", tt.text, ev.Kind, ev.Fault)
			}
			for i := range 16 {
				want, got := tt.want(from, random, i), tt.read(to, i)
				if exec>>i&1 == 0 {
					want = 0
				}
				if got != want && (got == got || want == want) {
					t.Fatalf("%s, %x and %x: %v, want %v", tt.text, from, random, got, want)
				}
			}
		}
	}
}
