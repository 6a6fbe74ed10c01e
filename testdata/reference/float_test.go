package reference

import (
	"math"
	"math/big"
	"testing"
)

// TestFMA32 compares with exact arithmetic that is rounded once.
func TestFMA32(t *testing.T) {
	next := splitMix64(1)
	random := func() float32 {
		// Exponents close together, so that sums cancel and ties occur.
		bits := uint32(next())
		return math.Float32frombits(bits&0x807fffff | (bits>>23%40+107)<<23)
	}
	exact := func(a, b, c float32) float32 {
		wide := func(v float32) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(float64(v)) }
		product := new(big.Float).SetPrec(300).Mul(wide(a), wide(b))
		f, _ := product.Add(product, wide(c)).Float32()
		return f
	}
	for range 200000 {
		a, b, c := random(), random(), random()
		if got, want := FMA32(a, b, c), exact(a, b, c); got != want {
			t.Fatalf("FMA32(%x, %x, %x) = %x, want %x", a, b, c, got, want)
		}
	}
	// Rounding to float64 first would make a tie of this and round it down.
	a, b, c := float32(1+0x1p-12), float32(1+0x1p-12), float32(0x1p-60)
	if got, want := FMA32(a, b, c), float32(1+0x1p-11+0x1p-23); got != want {
		t.Errorf("FMA32(%x, %x, %x) = %x, want %x", a, b, c, got, want)
	}
}

// TestHalfOf rounds every half, and the values halfway to the next, back.
func TestHalfOf(t *testing.T) {
	for h := Half(0); h < 0x7c00; h++ {
		v := h.Float()
		if got := HalfOf(v); got != h {
			t.Fatalf("HalfOf(%v) = %#x, want %#x", v, got, h)
		}
		if got := HalfOf(-v); got != h|0x8000 {
			t.Fatalf("HalfOf(%v) = %#x, want %#x", -v, got, h|0x8000)
		}
		next := 65536.0
		if h < 0x7bff {
			next = (h + 1).Float()
		}
		middle := (v + next) / 2
		if got, want := HalfOf(middle), h+h&1; got != want {
			t.Fatalf("HalfOf(%v) = %#x, want the even neighbour %#x", middle, got, want)
		}
		if got := HalfOf(math.Nextafter(middle, 0)); got != h {
			t.Fatalf("HalfOf just below %v = %#x, want %#x", middle, got, h)
		}
	}
	if got := HalfOf(math.Inf(-1)); got != 0xfc00 {
		t.Errorf("HalfOf(-Inf) = %#x", got)
	}
}
