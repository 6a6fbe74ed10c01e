package gen

import (
	"math/big"
	"math/rand"
	"testing"

	"simtgdb/simt"
)

// A matrixCase is a dpas as iga64 -p=12p71 assembles it: r40 of so many rows gets r50 + r70 * r60.
type matrixCase struct {
	text, code string
	rows       int
	bits       int // of an element
	a, b       bool
	float      string // "hf", "bf"
	null, sat  bool
}

var matrixCases = []matrixCase{
	{text: "8x8 b b", code: "59000300603e072804320404043c0446", rows: 8, bits: 8, a: true, b: true},
	{text: "8x4 null ub b", code: "59000300601e072800000400043c0446", rows: 4, bits: 8, a: true, null: true},
	{text: "8x3 s4 u4", code: "590003006016072804325004043c0446", rows: 3, bits: 4, b: true},
	{text: "8x2 b b (sat)", code: "59000300640e072804320404043c0446", rows: 2, bits: 8, a: true, b: true, sat: true},
	{text: "8x1 bf", code: "59000300a002072804320505043c0446", rows: 1, bits: 16, float: "bf"},
	{text: "8x8 hf", code: "59000300a03a072804320101043c0446", rows: 8, bits: 16, float: "hf"},
}

// TestDpas multiplies matrices, which are packed into registers here, with all channels and with some.
func TestDpas(t *testing.T) {
	r := rand.New(rand.NewSource(17))
	for _, c := range matrixCases {
		for _, exec := range []uint32{0xff, 0x3c} {
			for range 20 {
				c.run(t, r, exec)
			}
		}
	}
}

// element makes the bits of a random element and its value.
func (c *matrixCase) element(r *rand.Rand, signed bool) (bits uint32, value float64) {
	if c.float != "" {
		v := float32(r.Intn(64)-32) / 8
		if c.float == "bf" {
			return fb(v) >> 16, float64(v)
		}
		return uint32(floatToHalf(float64(v), nearest)), float64(v)
	}
	v := r.Intn(1 << c.bits)
	if signed && v >= 1<<(c.bits-1) {
		return uint32(v), float64(v - 1<<c.bits)
	}
	return uint32(v), float64(v)
}

func (c *matrixCase) run(t *testing.T, r *rand.Rand, exec uint32) {
	t.Helper()
	b := newBench(t, 8).of(XeHPG)
	n := 32 / c.bits // elements of a dword
	k := 8 * n
	left, right := make([][]float64, c.rows), make([][]float64, k)
	for i := range left {
		left[i] = make([]float64, k)
		for j := range left[i] {
			v, x := c.element(r, c.a)
			left[i][j] = x
			at := offGRF + 70*regBytes + 4*(8*i+j/n)
			b.r.setU32(at, b.r.u32(at)|v<<(c.bits*(j%n)))
		}
	}
	for j := range right {
		right[j] = make([]float64, 8)
		for col := range 8 {
			v, x := c.element(r, c.b)
			right[j][col] = x
			at := offGRF + (60+j/n)*regBytes + 4*col
			b.r.setU32(at, b.r.u32(at)|v<<(c.bits*(j%n)))
		}
	}
	want := [8][8]uint32{}
	for i := range c.rows {
		for col := range 8 {
			start := r.Uint32()
			sum := big.NewFloat(float64(int32(start)))
			if c.float != "" {
				start = fb(float32(r.Intn(1000)) / 16)
				sum = big.NewFloat(float64(floatOf(int64(start))))
			} else if c.sat {
				start = 1<<31 - 1 - uint32(r.Intn(1000))
				sum = big.NewFloat(float64(int32(start)))
			}
			b.r.setU32(offGRF+(50+i)*regBytes+4*col, start)
			if c.null {
				sum = big.NewFloat(0)
			}
			for j := range k {
				sum.Add(sum, big.NewFloat(left[i][j]*right[j][col]))
			}
			whole, _ := sum.Int64()
			switch {
			case c.float != "":
				f, _ := sum.Float32()
				want[i][col] = fb(f)
			case c.sat:
				want[i][col] = uint32(max(min(whole, 1<<31-1), -1<<31))
			default:
				want[i][col] = uint32(whole)
			}
			if old := r.Uint32(); exec>>col&1 == 0 {
				want[i][col] = old
				b.r.setU32(offGRF+(40+i)*regBytes+4*col, old)
			}
		}
	}
	b.load(c.code)
	b.w.Exec = uint64(exec)
	if ev := b.core.Run(b.w, 1); ev.Kind != simt.NoEvent {
		t.Fatalf("%s: %v %v", c.text, ev.Kind, ev.Fault)
	}
	for i := range c.rows {
		if got := b.get(40 + i); got != want[i] {
			t.Fatalf("%s, channels %#x: row %d is %x, want %x", c.text, exec, i, got, want[i])
		}
	}
}

// TestDpasRefused: other depths, and elements of two sizes, fault by name.
func TestDpasRefused(t *testing.T) {
	for _, code := range []string{"59000300600e062804320404043c0446", "59000300600e072804321004043c0446"} {
		b := newBench(t, 8).of(XeHPG)
		b.load(code)
		if ev := b.core.Run(b.w, 1); ev.Kind != simt.FaultEvent || ev.Fault.Kind != simt.IllegalInstruction {
			t.Errorf("%s: %v", code, ev.Kind)
		}
	}
}
