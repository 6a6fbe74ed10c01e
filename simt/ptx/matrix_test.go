package ptx_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

// A matrixCase is a product of one shape and type. The places of elements are stated as the PTX ISA states
// them for the shape: of element i of a lane, with g and t its group and its number in the group.
type matrixCase struct {
	op          string
	m, n, k     int
	d, a, b, c  string
	na, nb, nc  int // elements of a lane
	atA         func(g, t, i int) (row, col int)
	atB         func(g, t, i int) (row, col int)
	atC         func(g, t, i int) (row, col int)
	limit, disj bool
}

// The fragments of the PTX ISA, "Matrix Fragments for mma.…".
func pairsA16(g, t, i int) (int, int) { // m16n8k8, m16n8k16 of 16 bits
	row, col := g, t*2+i&1
	if i%4 >= 2 {
		row += 8
	}
	if i >= 4 {
		col += 8
	}
	return row, col
}

func pairsB16(g, t, i int) (int, int) {
	row := t*2 + i&1
	if i >= 2 {
		row += 8
	}
	return row, g
}

func sums(g, t, i int) (int, int) { // 16 rows, pairs of columns
	row := g
	if i >= 2 {
		row += 8
	}
	return row, t*2 + i&1
}

// partsA and partsB are of elements of which n are in a register.
func partsA(n int) func(g, t, i int) (int, int) {
	return func(g, t, i int) (int, int) {
		row, col := g, t*n+i%n
		if i/n%2 == 1 {
			row += 8
		}
		if i/n >= 2 {
			col += 4 * n
		}
		return row, col
	}
}

func partsB(n int) func(g, t, i int) (int, int) {
	return func(g, t, i int) (int, int) { return t*n + i%n + i/n*4*n, g }
}

func shortA(n int) func(g, t, i int) (int, int) { // 8 rows
	return func(g, t, i int) (int, int) { return g, t*n + i%n }
}

func shortSums(g, t, i int) (int, int) { return g, t*2 + i&1 }

func matrixCases() []matrixCase {
	var all []matrixCase
	add := func(c matrixCase) {
		c.op = fmt.Sprintf("mma.sync.aligned.m%dn%dk%d.row.col.%s.%s.%s.%s", c.m, c.n, c.k, c.d, c.a, c.b, c.c)
		switch {
		case c.limit:
			c.op = strings.Replace(c.op, ".row.col.", ".row.col.satfinite.", 1)
		case c.a == "b1" && c.disj:
			c.op += ".xor.popc"
		case c.a == "b1":
			c.op += ".and.popc"
		}
		all = append(all, c)
	}
	for _, sum := range [][2]string{{"f16", "f16"}, {"f32", "f32"}, {"f32", "f16"}, {"f16", "f32"}} {
		if sum[0] == sum[1] {
			add(matrixCase{m: 16, n: 8, k: 8, d: sum[0], a: "f16", b: "f16", c: sum[1], na: 4, nb: 2, nc: 4,
				atA: pairsA16, atB: pairsB16, atC: sums})
		}
		add(matrixCase{m: 16, n: 8, k: 16, d: sum[0], a: "f16", b: "f16", c: sum[1], na: 8, nb: 4, nc: 4,
			atA: pairsA16, atB: pairsB16, atC: sums})
	}
	for _, typ := range []string{"bf16"} {
		add(matrixCase{m: 16, n: 8, k: 8, d: "f32", a: typ, b: typ, c: "f32", na: 4, nb: 2, nc: 4,
			atA: pairsA16, atB: pairsB16, atC: sums})
		add(matrixCase{m: 16, n: 8, k: 16, d: "f32", a: typ, b: typ, c: "f32", na: 8, nb: 4, nc: 4,
			atA: pairsA16, atB: pairsB16, atC: sums})
	}
	for _, k := range []int{4, 8} {
		add(matrixCase{m: 16, n: 8, k: k, d: "f32", a: "tf32", b: "tf32", c: "f32", na: k / 2, nb: k / 4,
			nc: 4, atA: partsA(1), atB: partsB(1), atC: sums})
	}
	for _, k := range []int{4, 8, 16} {
		add(matrixCase{m: 16, n: 8, k: k, d: "f64", a: "f64", b: "f64", c: "f64", na: k / 2, nb: k / 4, nc: 4,
			atA: func(g, t, i int) (int, int) { return g + i%2*8, t + i/2*4 }, atB: partsB(1), atC: sums})
	}
	add(matrixCase{m: 8, n: 8, k: 4, d: "f64", a: "f64", b: "f64", c: "f64", na: 1, nb: 1, nc: 2,
		atA: shortA(1), atB: partsB(1), atC: shortSums})
	for _, types := range [][2]string{{"e4m3", "e5m2"}, {"e5m2", "e5m2"}, {"e4m3", "e4m3"}} {
		for _, sum := range []string{"f16", "f32"} {
			for _, k := range []int{16, 32} {
				add(matrixCase{m: 16, n: 8, k: k, d: sum, a: types[0], b: types[1], c: sum, na: k / 2,
					nb: k / 4, nc: 4, atA: partsA(4), atB: partsB(4), atC: sums})
			}
		}
	}
	for _, types := range [][2]string{{"s8", "s8"}, {"u8", "s8"}, {"s8", "u8"}, {"u8", "u8"}, {"s4", "u4"}, {"u4", "s4"}} {
		n := 4
		if types[0][1] == '4' {
			n = 8
		}
		for _, limit := range []bool{false, true} {
			add(matrixCase{m: 8, n: 8, k: 4 * n, d: "s32", a: types[0], b: types[1], c: "s32", na: n, nb: n,
				nc: 2, atA: shortA(n), atB: partsB(n), atC: shortSums, limit: limit})
			for _, k := range []int{4 * n, 8 * n} {
				add(matrixCase{m: 16, n: 8, k: k, d: "s32", a: types[0], b: types[1], c: "s32", na: k / 2,
					nb: k / 4, nc: 4, atA: partsA(n), atB: partsB(n), atC: sums, limit: limit})
			}
		}
	}
	for _, disj := range []bool{false, true} {
		add(matrixCase{m: 8, n: 8, k: 128, d: "s32", a: "b1", b: "b1", c: "s32", na: 32, nb: 32, nc: 2,
			atA: shortA(32), atB: partsB(32), atC: shortSums, disj: disj})
		for _, k := range []int{128, 256} {
			add(matrixCase{m: 16, n: 8, k: k, d: "s32", a: "b1", b: "b1", c: "s32", na: k / 2, nb: k / 4,
				nc: 4, atA: partsA(32), atB: partsB(32), atC: sums, disj: disj})
		}
	}
	return all
}

var matrixWidths = map[string]int{"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "f64": 64, "e4m3": 8,
	"e5m2": 8, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1, "s32": 32}

// bitsOfHalves are those of 0.5 and of 1.
var bitsOfHalves = map[string][2]uint64{"f16": {0x3800, 0x3c00}, "e5m2": {0x38, 0x3c}, "e4m3": {0x30, 0x38}}

// code is a small number, made of n, in a type: its bits, and what it is. All products and sums of such are
// exact in every type that they are added in.
func code(typ string, n int) (bits uint64, value float64) {
	switch typ {
	case "f16", "bf16", "tf32", "f32", "f64", "e4m3", "e5m2":
		v := float64(n%5-2) / 2
		switch b := math.Float32bits(float32(v)); typ {
		case "f64":
			return math.Float64bits(v), v
		case "bf16":
			return uint64(b >> 16), v
		case "f16", "e5m2", "e4m3": // -1, -0.5, 0, 0.5, 1
			sign := uint64(b >> 31)
			w := matrixWidths[typ]
			switch math.Abs(v) {
			case 0.5:
				return sign<<(w-1) | bitsOfHalves[typ][0], v
			case 1:
				return sign<<(w-1) | bitsOfHalves[typ][1], v
			}
			return 0, 0
		case "tf32":
			return uint64(b | 0x1abc&uint32(n)), v // what is behind the bits that count is nothing
		default:
			return uint64(b), v
		}
	case "b1":
		return uint64(n & 1), float64(n & 1)
	case "s32":
		v := int32(n)
		return uint64(uint32(v)), float64(v)
	}
	w := matrixWidths[typ]
	bits = uint64(n) & (1<<w - 1)
	value = float64(bits)
	if typ[0] == 's' && bits>>(w-1) != 0 {
		value -= float64(uint64(1) << w)
	}
	return bits, value
}

// spread puts elements into registers as a case says, and gives them by lane and register, in words.
func spread(n, width int, at func(g, t, i int) (int, int), of func(row, col int) uint64) [][]uint64 {
	word := max(32, width)
	out := make([][]uint64, 32)
	for l := range out {
		out[l] = make([]uint64, (n*width+word-1)/word)
		for i := range n {
			row, col := at(l/4, l%4, i)
			out[l][i*width/word] |= of(row, col) << (i * width % word)
		}
	}
	return out
}

// matrixKernel is a kernel of one statement whose registers come from memory and go there: 8 bytes each.
// What is behind the operands is as it stands.
func matrixKernel(t *testing.T, op string, d int, of [][]([]uint64), classes []string, behind string) [][]uint64 {
	t.Helper()
	var in []uint64
	names := make([][]string, len(of)+1)
	text := &strings.Builder{}
	for i := range names {
		n := d
		if i > 0 {
			n = len(of[i-1][0])
		}
		for j := range n {
			name := fmt.Sprintf("%%%c%d", "dabce"[i], j)
			names[i] = append(names[i], name)
			fmt.Fprintf(text, "\t.reg .%s %s;\n", classes[i], name)
			if i > 0 {
				fmt.Fprintf(text, "\tld.global.%s %s, [%%in+%d];\n", classes[i], name, 8*len(in)/32)
				for l := range 32 {
					in = append(in, of[i-1][l][j])
				}
			}
		}
	}
	list := func(i int) string { return "{" + strings.Join(names[i], ", ") + "}" }
	fmt.Fprintf(text, "\t%s %s, %s, %s, %s%s;\n", op, list(0), list(1), list(2), list(3), behind)
	for j, name := range names[0] {
		fmt.Fprintf(text, "\tst.global.%s [%%out+%d], %s;\n", classes[0], 8*j, name)
	}
	each := len(in) / 32
	// What is behind each other here is so by lane there.
	byLane := make([]uint64, len(in))
	for j := range each {
		for l := range 32 {
			byLane[l*each+j] = in[j*32+l]
		}
	}
	p := parse(t, "matrix.ptx", fmt.Sprintf(`.version 9.1
.target sm_90
.address_size 64
.entry k(.param .u64 k_in, .param .u64 k_out)
{
	.reg .b64 %%in, %%out; .reg .b32 %%l;
	ld.param.u64 %%in, [k_in]; ld.param.u64 %%out, [k_out]; mov.u32 %%l, %%tid.x;
	mad.wide.u32 %%in, %%l, %d, %%in; mad.wide.u32 %%out, %%l, %d, %%out;
%s	ret;
}`, 8*each, 8*d, text))
	out := make([]uint64, 32*d)
	l := grid(32, 32)
	l.args = []any{byLane, out}
	m, finished := p.machine("k", &l)
	row{text: op + ";"}.note(m)
	if ev, err := m.Run(t.Context(), 1); err != nil || ev.Kind != simt.EndEvent {
		t.Fatalf("%s: %v: %v %v", op, ev.Kind, ev.Fault, err)
	}
	finished()
	got := make([][]uint64, 32)
	for l := range got {
		got[l] = out[l*d:][:d]
	}
	return got
}

// Products of small numbers, whose elements lie where the PTX ISA says, are those of whole matrices.
func TestMatrixProducts(t *testing.T) {
	for _, c := range matrixCases() {
		t.Run(c.op, func(t *testing.T) {
			r := rand.New(sweep.PCG(27, uint64(len(c.op))))
			a, b, first := map[[2]int]int{}, map[[2]int]int{}, map[[2]int]int{}
			for i := range c.m {
				for j := range c.k {
					a[[2]int{i, j}] = r.IntN(1 << 16)
				}
				for j := range c.n {
					first[[2]int{i, j}] = r.IntN(1 << 16)
					if c.limit { // so near to the end that sums leave the range
						first[[2]int{i, j}] = math.MaxInt32 - r.IntN(200)
					}
				}
			}
			for i := range c.k {
				for j := range c.n {
					b[[2]int{i, j}] = r.IntN(1 << 16)
				}
			}
			bitsOf := func(typ string, of map[[2]int]int) func(row, col int) uint64 {
				return func(row, col int) uint64 { v, _ := code(typ, of[[2]int{row, col}]); return v }
			}
			of := [][][]uint64{spread(c.na, matrixWidths[c.a], c.atA, bitsOf(c.a, a)),
				spread(c.nb, matrixWidths[c.b], c.atB, bitsOf(c.b, b)),
				spread(c.nc, matrixWidths[c.c], c.atC, bitsOf(c.c, first))}
			want := spread(c.nc, matrixWidths[c.d], c.atC, func(row, col int) uint64 {
				_, sum := code(c.c, first[[2]int{row, col}])
				for i := range c.k {
					_, x := code(c.a, a[[2]int{row, i}])
					_, y := code(c.b, b[[2]int{i, col}])
					switch {
					case c.a == "b1" && c.disj:
						sum += math.Abs(x - y)
					default:
						sum += x * y
					}
				}
				return sumBits(c.d, sum, c.limit)
			})
			class := func(typ string) string { return fmt.Sprintf("b%d", max(32, matrixWidths[typ])) }
			got := matrixKernel(t, c.op, len(want[0]), of,
				[]string{class(c.d), class(c.a), class(c.b), class(c.c)}, "")
			for l := range 32 {
				equal(t, fmt.Sprintf("lane %d", l), got[l], want[l])
			}
		})
	}
}

// sumBits is an exact sum in a type.
func sumBits(typ string, sum float64, limit bool) uint64 {
	switch typ {
	case "s32":
		if limit {
			sum = min(sum, math.MaxInt32)
		}
		return uint64(uint32(int64(sum)))
	case "f64":
		return math.Float64bits(sum)
	case "f32":
		return uint64(math.Float32bits(float32(sum)))
	}
	if sum == 0 {
		return 0
	}
	b := math.Float32bits(float32(sum)) // of a magnitude that halves have exactly
	return uint64(b>>16&0x8000) | uint64(b&0x7fffffff-112<<23)>>13
}

// Sums that halves do not have exactly are rounded to the nearest, ties to even, once.
func TestMatrixRounding(t *testing.T) {
	for _, c := range []struct {
		c      uint64 // the addend, a half
		a, b   uint64 // one product of halves
		f16    uint64
		single float32
	}{
		{0x6800, 0x3c00, 0x3c00, 0x6800, 2049},        // 2048+1: a tie, to even
		{0x6801, 0x3c00, 0x3c00, 0x6802, 2051},        // 2050+1: a tie, to even
		{0x6800, 0x3c00, 0x3c01, 0x6801, 2049.000977}, // above the tie
		{0x7bff, 0x4c00, 0x3c00, 0x7c00, 65520},       // to infinity
		{0x7bff, 0x4bff, 0x3c00, 0x7bff, 65519.992},   // not quite
		{0x0001, 0x0001, 0x3800, 0x0002, 1.5 * 0x1p-24},
		{0x0000, 0x0001, 0x3800, 0x0000, 0x1p-25},
		{0x7c00, 0xfc00, 0x3c00, 0x7fff, float32(math.NaN())},
	} {
		for _, typ := range []string{"f16", "f32"} {
			zero := func(row, col int) uint64 { return 0 }
			one := func(v uint64) func(row, col int) uint64 {
				return func(row, col int) uint64 {
					if row == 0 && col == 0 {
						return v
					}
					return zero(row, col)
				}
			}
			first := c.c
			if typ == "f32" {
				first = uint64(math.Float32bits(halfValue(c.c)))
			}
			of := [][][]uint64{spread(8, 16, pairsA16, one(c.a)), spread(4, 16, pairsB16, one(c.b)),
				spread(4, matrixWidths[typ], sums, one(first))}
			op := fmt.Sprintf("mma.sync.aligned.m16n8k16.row.col.%s.f16.f16.%s", typ, typ)
			got := matrixKernel(t, op, len(of[2][0]), of, []string{"b32", "b32", "b32", "b32"}, "")[0][0]
			want := c.f16
			if typ == "f32" {
				if want = uint64(math.Float32bits(c.single)); c.single != c.single {
					want = 0x7fffffff
				}
			}
			if got &= 1<<matrixWidths[typ] - 1; got != want {
				t.Errorf("%s of %#x*%#x+%#x is %#x, want %#x", op, c.a, c.b, c.c, got, want)
			}
		}
	}
}

func halfValue(v uint64) float32 {
	if v&0x7c00 == 0x7c00 {
		return float32(math.Inf(1))
	}
	if v&0x7c00 == 0 {
		return float32(v) * 0x1p-24
	}
	return math.Float32frombits(uint32(v)<<13 + 112<<23)
}

// mma.m8n8k4 of halves: four products, each of four lanes of either half of the warp.
func TestMatrixQuads(t *testing.T) {
	for _, order := range []string{"row.row", "row.col", "col.row", "col.col"} {
		for _, sum := range []string{"f16", "f32"} {
			quad := func(l int) int { return l % 16 / 4 }
			upper := func(l int) int { return l / 16 * 4 }
			atA := func(l, i int) (int, int) { return l%4 + upper(l), i }
			if strings.HasPrefix(order, "col") {
				atA = func(l, i int) (int, int) { return i + upper(l), l % 4 }
			}
			atB := func(l, i int) (int, int) { return l % 4, i + upper(l) }
			if strings.HasSuffix(order, "col") {
				atB = func(l, i int) (int, int) { return i, l%4 + upper(l) }
			}
			atC := func(l, i int) (int, int) { return l%4 + upper(l), i }
			if sum == "f32" {
				atC = func(l, i int) (int, int) { return l&1 + i&2 + upper(l), i&4 + l&2 + i&1 }
			}
			number := func(matrix, q, row, col int) int { return (matrix*37 + q*11 + row*7 + col*3) % 5 }
			place := func(n, width, matrix int, typ string, at func(l, i int) (int, int)) [][]uint64 {
				out := make([][]uint64, 32)
				for l := range out {
					out[l] = make([]uint64, n*width/32)
					for i := range n {
						row, col := at(l, i)
						v, _ := code(typ, number(matrix, quad(l), row, col))
						out[l][i*width/32] |= v << (i * width % 32)
					}
				}
				return out
			}
			w := matrixWidths[sum]
			of := [][][]uint64{place(4, 16, 0, "f16", atA), place(4, 16, 1, "f16", atB),
				place(8, w, 2, sum, atC)}
			op := fmt.Sprintf("mma.sync.aligned.m8n8k4.%s.%s.f16.f16.%s", order, sum, sum)
			got := matrixKernel(t, op, 8*w/32, of, []string{"b32", "b32", "b32", "b32"}, "")
			for l := range 32 {
				want := make([]uint64, 8*w/32)
				for i := range 8 {
					row, col := atC(l, i)
					_, v := code(sum, number(2, quad(l), row, col))
					for k := range 4 {
						_, x := code("f16", number(0, quad(l), row, k))
						_, y := code("f16", number(1, quad(l), k, col))
						v += x * y
					}
					want[i*w/32] |= sumBits(sum, v, false) << (i * w % 32)
				}
				equal(t, fmt.Sprintf("%s, lane %d", op, l), got[l], want)
			}
		}
	}
}

// squares runs text in 32 lanes with 1 KiB of shared memory of ascending halves, in which %row is the address
// of a row of 16 bytes for each lane, scattered; it gives four registers of each lane, and the memory.
func squares(t *testing.T, text string) (regs [][4]uint32, memory []uint16) {
	t.Helper()
	p := parse(t, "squares.ptx", `.version 9.1
.target sm_90
.address_size 64
.shared .align 16 .b8 s[1024];
.entry k(.param .u64 k_out, .param .u64 k_memory)
{
	.reg .b64 %out, %mem, %generic; .reg .b32 %l, %row, %base, %x, %d<4>, %i<4>; .reg .pred %p;
	ld.param.u64 %out, [k_out]; ld.param.u64 %mem, [k_memory]; mov.u32 %l, %tid.x;
	mov.u32 %base, s; mov.u32 %x, %l;
fill:
	{ .reg .b32 %a, %v; .reg .b16 %h; shl.b32 %a, %x, 1; add.u32 %a, %a, %base; cvt.u16.u32 %h, %x;
	  st.shared.u16 [%a], %h; }
	add.u32 %x, %x, 32; setp.lt.u32 %p, %x, 512; @%p bra fill;
	bar.sync 0;
	mul.lo.u32 %row, %l, 7; and.b32 %row, %row, 31; mad.lo.u32 %row, %row, 16, %base;
	cvt.u64.u32 %generic, %row; cvta.shared.u64 %generic, %generic;
	mov.b32 %d0, -1; mov.b32 %d1, -1; mov.b32 %d2, -1; mov.b32 %d3, -1;
	mad.lo.u32 %i0, %l, 1000, 1; add.u32 %i1, %i0, 100; add.u32 %i2, %i0, 200; add.u32 %i3, %i0, 300;
	`+text+`
	mad.wide.u32 %out, %l, 16, %out; st.global.v4.b32 [%out], {%d0, %d1, %d2, %d3};
	bar.sync 0; mov.u32 %x, %l;
copy:
	{ .reg .b32 %a; .reg .b64 %to; .reg .b16 %h; shl.b32 %a, %x, 1; add.u32 %a, %a, %base; ld.shared.u16 %h, [%a];
	  mad.wide.u32 %to, %x, 2, %mem; st.global.u16 [%to], %h; }
	add.u32 %x, %x, 32; setp.lt.u32 %p, %x, 512; @%p bra copy;
	ret;
}`)
	out, memory := make([]uint32, 128), make([]uint16, 512)
	l := grid(32, 32)
	l.args = []any{out, memory}
	m, finished := p.machine("k", &l)
	row{text: text}.note(m)
	if ev, err := m.Run(t.Context(), 1); err != nil || ev.Kind != simt.EndEvent {
		t.Fatalf("%s: %v: %v %v", text, ev.Kind, ev.Fault, err)
	}
	finished()
	for l := range 32 {
		regs = append(regs, [4]uint32(out[4*l:]))
	}
	return regs, memory
}

// ldmatrix and stmatrix: each eight lanes have the rows of a matrix of 8 by 8.
func TestSquares(t *testing.T) {
	lists := map[int]string{1: "{%s0}", 2: "{%s0, %s1}", 4: "{%s0, %s1, %s2, %s3}"}
	rowAt := func(lane, col int) int { return lane*7%32*8 + col } // the number that a row has in a column
	for n, list := range lists {
		for _, trans := range []string{"", ".trans"} {
			at := func(l, e int) (row, col int) {
				if row, col = l/4, l%4*2+e; trans != "" {
					row, col = col, row
				}
				return row, col
			}
			for _, space := range []string{".shared", ".shared::cta", ""} {
				addr := map[bool]string{true: "%generic", false: "%row"}[space == ""]
				got, _ := squares(t, fmt.Sprintf("ldmatrix.sync.aligned.m8n8.x%d%s%s.b16 %s, [%s];", n, trans,
					space, strings.ReplaceAll(list, "%s", "%d"), addr))
				for l := range 32 {
					want := [4]uint32{^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0)}
					for i := range n {
						want[i] = 0
						for e := range 2 {
							row, col := at(l, e)
							want[i] |= uint32(rowAt(8*i+row, col)) << (16 * e)
						}
					}
					if got[l] != want {
						t.Errorf("ldmatrix x%d%s%s: lane %d has %x, want %x", n, trans, space, l, got[l],
							want)
					}
				}
			}
			_, memory := squares(t, fmt.Sprintf("stmatrix.sync.aligned.m8n8.x%d%s.shared.b16 [%%row], %s;", n,
				trans, strings.ReplaceAll(list, "%s", "%i")))
			want := make([]uint16, 512)
			for i := range want {
				want[i] = uint16(i)
			}
			for l := range 32 {
				for i := range n {
					for e := range 2 {
						row, col := at(l, e)
						want[rowAt(8*i+row, col)] = uint16(uint32(l*1000+1+100*i) >> (16 * e))
					}
				}
			}
			equal(t, fmt.Sprintf("stmatrix x%d%s", n, trans), memory, want)
		}
	}
	got, _ := squares(t, "movmatrix.sync.aligned.m8n8.trans.b16 %d0, %i0;")
	for l := range 32 {
		want := uint32(0)
		for e := range 2 {
			row, col := l%4*2+e, l/4 // of what comes to the lane
			from := row*4 + col/2
			want |= uint32(uint16(uint32(from*1000+1)>>(16*(col%2)))) << (16 * e)
		}
		if got[l][0] != want {
			t.Errorf("movmatrix: lane %d has %#x, want %#x", l, got[l][0], want)
		}
	}
}

// Lanes that come to an instruction on matrices alone are at fault, and so are addresses outside of shared
// memory.
func TestMatrixFaults(t *testing.T) {
	for text, want := range map[string]string{
		"setp.lt.u32 %p, %tid.x, 9; @%p ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r}, [%r];": "not executed by all lanes",
		"ldmatrix.sync.aligned.m8n8.x1.b16 {%r}, [%in];":                                      "not in shared memory",
		"mov.u32 %r, 8; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r}, [%r];":                 "",
		"mma.sync.aligned.m16n8k7.row.col.f32.f16.f16.f32 {%r}, {%r}, {%r}, {%r};":            "shape and types",
		"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%r}, {%r}, {%r}, {%r};":            "registers for a matrix",
		"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%r}, {%r}, {%r}, {%r}, %r, 2;": "selector of lanes from 0 to 1",
		"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r}, [%r];":                         "m16n16",
	} {
		p := parse(t, "k.ptx", ".version 9.1\n.target sm_90\n.address_size 64\n.shared .align 16 .b8 s[64];\n"+
			".entry k(.param .u64 k_in) { .reg .b32 %r; .reg .b64 %in; .reg .pred %p; ld.param.u64 %in, "+
			"[k_in];mov.u32 %r, s; "+text+" ret; }")
		l := grid(32, 32)
		l.args = []any{make([]byte, 64)}
		ev := p.event("k", &l)
		if ev.Kind != simt.FaultEvent || !strings.Contains(ev.Fault.Text, want) {
			t.Errorf("%s: %v %v, want a fault that says %q", text, ev.Kind, ev.Fault, want)
		}
	}
}
