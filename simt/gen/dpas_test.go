package gen

import (
	"math/big"
	"math/rand"
	"testing"

	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

// A matrixCase is a dpas as iga64 assembles it, for Xe-HPG by -p=12p71 and for Xe-HPC by -p=12p72: r40 of so
// many rows gets r50 + r70 * r60.
type matrixCase struct {
	text, code  string
	hpc         bool
	depth, rows int
	left, right int // bits of an element
	a, b        bool
	float       string // "hf", "bf", "tf32"
	null, sat   bool
	out, in     Type
}

var matrixCases = []matrixCase{
	{text: "8x8 b b", code: "59000300603e072804320404043c0446", depth: 8, rows: 8, left: 8, right: 8, a: true,
		b: true},
	{text: "8x4 null ub b", code: "59000300601e072800000400043c0446", depth: 8, rows: 4, left: 8, right: 8,
		a: true, null: true},
	{text: "8x3 s4 u4", code: "590003006016072804325004043c0446", depth: 8, rows: 3, left: 4, right: 4,
		b: true},
	{text: "8x2 b b (sat)", code: "59000300640e072804320404043c0446", depth: 8, rows: 2, left: 8, right: 8,
		a: true, b: true, sat: true},
	{text: "8x1 bf", code: "59000300a002072804320505043c0446", depth: 8, rows: 1, float: "bf"},
	{text: "8x8 hf", code: "59000300a03a072804320101043c0446", depth: 8, rows: 8, float: "hf"},
	{text: "4x8 b b", code: "59000300603e062804320404043c0446", depth: 4, rows: 8, left: 8, right: 8, a: true,
		b: true},
	{text: "8x8 ub s4", code: "59000300603e072804321400043c0446", depth: 8, rows: 8, left: 4, right: 8,
		a: true},
	{text: "8x3 s2 ub", code: "590003006016072804328004043c0446", depth: 8, rows: 3, left: 8, right: 2,
		b: true},
	{text: "8x2 u2 s4", code: "59000300600e072804329400043c0446", depth: 8, rows: 2, left: 4, right: 2,
		a: true},
	{text: "2x5 s2 u2", code: "59000300602605280432a004043c0446", depth: 2, rows: 5, left: 2, right: 2,
		b: true},
	{text: "1x8 hf", code: "59000300a03a042804320101043c0446", depth: 1, rows: 8, float: "hf"},
	{text: "8x8 b b", code: "59001000603e072804320404043c0446", hpc: true, depth: 8, rows: 8, left: 8,
		right: 8, a: true, b: true},
	{text: "8x8 bf", code: "59001000a03a072804320505043c0446", hpc: true, depth: 8, rows: 8, float: "bf"},
	{text: "8x4 tf32", code: "59001000a01a072804320606043c0446", hpc: true, depth: 8, rows: 4, float: "tf32"},
	{text: "8x6 hf hf", code: "590010009029072804320101043c0446", hpc: true, depth: 8, rows: 6, float: "hf",
		out: HF, in: HF},
	{text: "8x8 bf of bf", code: "59001000d03a072804320505043c0446", hpc: true, depth: 8, rows: 8,
		float: "bf", out: BF},
	{text: "8x5 s4 u2", code: "590010006026072804326004043c0446", hpc: true, depth: 8, rows: 5, left: 2,
		right: 4, b: true},
}

// TestDpas multiplies matrices, which are packed into registers here, with all channels and with some.
func TestDpas(t *testing.T) {
	r := rand.New(sweep.Source(17))
	for _, c := range matrixCases {
		if c.float != "" {
			c.left = map[string]int{"hf": 16, "bf": 16, "tf32": 32}[c.float]
			c.right = c.left
		}
		for _, exec := range []uint32{0xffff, 0x5a3c} {
			for range 20 {
				c.run(t, r, exec)
			}
		}
	}
}

// element makes the bits of a random element and its value.
func (c *matrixCase) element(r *rand.Rand, width int, signed bool) (bits uint32, value float64) {
	v := float32(r.Intn(64)-32) / 8
	switch c.float {
	case "bf":
		return fb(v) >> 16, float64(v)
	case "tf32":
		return fb(v) | r.Uint32()&0x1fff, float64(v) // the low bits do not count
	case "hf":
		return uint32(floatToHalf(float64(v), nearest)), float64(v)
	}
	n := r.Intn(1 << width)
	if signed && n >= 1<<(width-1) {
		return uint32(n), float64(n - 1<<width)
	}
	return uint32(n), float64(n)
}

// put or's bits into a dword that begins at a place of the file.
func (b *bench) put(at, bit int, v uint32) {
	at += bit / 32 * 4
	b.r.setU32(at, b.r.u32(at)|v<<(bit%32))
}

func (c *matrixCase) run(t *testing.T, r *rand.Rand, exec uint32) {
	t.Helper()
	g := XeHPG
	if c.hpc {
		g = XeHPC
	}
	columns := g.regBytes / 4
	b := newBench(t, columns).of(g)
	exec &= uint32(b.w.Valid)
	ops := 8 // products of a step
	if c.float != "" || c.left == 8 || c.right == 8 {
		ops = 32 / max(c.left, c.right)
	}
	k := c.depth * ops
	left, right := make([][]float64, c.rows), make([][]float64, k)
	for i := range left {
		left[i] = make([]float64, k)
		for j := range left[i] {
			v, x := c.element(r, c.left, c.a)
			left[i][j] = x
			b.put(g.grf(70), (i*k+j)*c.left, v)
		}
	}
	perReg := 32 / c.right // elements of a column in a register
	for j := range right {
		right[j] = make([]float64, columns)
		for col := range columns {
			v, x := c.element(r, c.right, c.b)
			right[j][col] = x
			b.put(g.grf(60+j/perReg)+4*col, j%perReg*c.right, v)
		}
	}
	want := make([]uint64, c.rows*columns)
	size := c.out.Size() // of UD, which is none, too
	for i := range want {
		start := r.Uint32()
		sum := big.NewFloat(float64(int32(start)))
		switch {
		case c.in == HF:
			start = uint32(floatToHalf(float64(r.Intn(64)), nearest))
			sum = big.NewFloat(halfToFloat(uint16(start)))
		case c.float != "":
			start = fb(float32(r.Intn(1000)) / 16)
			sum = big.NewFloat(float64(floatOf(int64(start))))
		case c.sat:
			start = 1<<31 - 1 - uint32(r.Intn(1000))
			sum = big.NewFloat(float64(int32(start)))
		}
		writeBits(b.r.file[g.grf(50)+i*c.in.Size():], c.in.Size(), uint64(start))
		if c.null {
			sum = big.NewFloat(0)
		}
		for j := range k {
			sum.Add(sum, big.NewFloat(left[i/columns][j]*right[j][i%columns]))
		}
		whole, _ := sum.Int64()
		number, _ := sum.Float64()
		switch {
		case c.out == HF:
			want[i] = uint64(floatToHalf(number, nearest))
		case c.out == BF:
			want[i] = uint64(floatToBF(number))
		case c.float != "":
			want[i] = uint64(fb(float32(number)))
		case c.sat:
			want[i] = uint64(uint32(max(min(whole, 1<<31-1), -1<<31)))
		default:
			want[i] = uint64(uint32(whole))
		}
		if exec>>(i%columns)&1 == 0 {
			want[i] = uint64(r.Uint32()) & (1<<(8*size) - 1)
			writeBits(b.r.file[g.grf(40)+i*size:], size, want[i])
		}
	}
	b.load(c.code)
	b.w.Exec = uint64(exec)
	if ev := b.core.Run(b.w, 1); ev.Kind != simt.NoEvent {
		t.Fatalf("%s: %v %v", c.text, ev.Kind, ev.Fault)
	}
	for i, w := range want {
		got := uint64(readInt(b.r.file[g.grf(40)+i*size:], map[int]Type{2: UW, 4: UD}[size]))
		if got != w {
			t.Fatalf("%s of %s, channels %#x: element %d is %#x, want %#x", c.text, g.Name, exec, i, got, w)
		}
	}
}

// TestDpasRefused: floats of two types, and sums beyond the registers, fault by name.
func TestDpasRefused(t *testing.T) {
	for _, code := range []string{"59000300a03a072804320501043c0446", "59000300603e077c04320404043c0446"} {
		b := newBench(t, 8).of(XeHPG)
		b.load(code)
		if ev := b.core.Run(b.w, 1); ev.Kind != simt.FaultEvent || ev.Fault.Kind != simt.IllegalInstruction {
			t.Errorf("%s: %v", code, ev.Kind)
		}
	}
}
