package ptx_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"simtgdb/testdata/sweep"
)

// A sparseCase is a product with a sparse factor. The places of metadata are stated as the figures of the PTX
// ISA show them: of a row and a column of the whole factor, which lane's word has its field, and where.
type sparseCase struct {
	matrixCase
	ordered   bool
	selectors int
	chunk     int
	meta      func(row, col, selector int) (lane, bit int)
}

// Words of two rows: those of 16 columns, or of 8 of tf32, in one lane of four or in two.
func wordsOfPairs(columns, all int) func(row, col, selector int) (int, int) {
	return func(row, col, selector int) (int, int) {
		lane := row%8*4 + selector
		if all > columns {
			lane = row%8*4 + 2*selector + col/columns
		}
		return lane, row/8*16 + col%columns*16/columns
	}
}

// Words of one row: those of 32 columns, or of 64 of 4 bits, in two lanes of four or in all.
func wordsOfRows(columns, all int) func(row, col, selector int) (int, int) {
	return func(row, col, selector int) (int, int) {
		if all > columns {
			selector = col / columns
		}
		return row%8*4 + 2*selector + row/8, col % columns * 32 / columns
	}
}

func sparseCases() []sparseCase {
	var all []sparseCase
	add := func(typ, sum string, k, width, selectors, chunk int, meta func(row, col, selector int) (int, int)) {
		for _, ordered := range []bool{false, true} {
			c := sparseCase{matrixCase: matrixCase{m: 16, n: 8, k: k, d: sum, a: typ, b: typ, c: sum,
				na: k / 4, nb: k / 4, nc: 4, atA: partsA(max(32/width, 1)), atB: partsB(max(32/width, 1)),
				atC: sums}, ordered: ordered, selectors: selectors, chunk: chunk, meta: meta}
			all = append(all, c)
		}
	}
	for _, typ := range []string{"f16", "bf16"} {
		add(typ, "f32", 16, 16, 4, 4, wordsOfPairs(16, 16))
		add(typ, "f32", 32, 16, 2, 4, wordsOfPairs(16, 32))
	}
	add("f16", "f16", 32, 16, 2, 4, wordsOfPairs(16, 32))
	add("tf32", "f32", 8, 32, 4, 2, wordsOfPairs(8, 8))
	add("tf32", "f32", 16, 32, 2, 2, wordsOfPairs(8, 16))
	for _, typ := range []string{"s8", "u8"} {
		add(typ, "s32", 32, 8, 2, 4, wordsOfRows(32, 32))
		add(typ, "s32", 64, 8, 1, 4, wordsOfRows(32, 64))
	}
	add("e4m3", "f32", 64, 8, 1, 4, wordsOfRows(32, 64))
	add("e5m2", "f32", 64, 8, 1, 4, wordsOfRows(32, 64))
	for _, typ := range []string{"s4", "u4"} {
		add(typ, "s32", 64, 4, 2, 8, wordsOfRows(64, 64))
		add(typ, "s32", 128, 4, 1, 8, wordsOfRows(64, 128))
	}
	return all
}

// A sparse factor is filled as a whole one whose other elements are zeros, and the product is that of the
// whole one.
func TestSparseProducts(t *testing.T) {
	for _, c := range sparseCases() {
		for selector := range c.selectors {
			sp := "sp"
			if c.ordered {
				sp = "sp::ordered_metadata"
			}
			op := fmt.Sprintf("mma.%s.sync.aligned.m16n8k%d.row.col.%s.%s.%s.%s", sp, c.k, c.d, c.a, c.b, c.c)
			t.Run(fmt.Sprintf("%s-%d", op, selector), func(t *testing.T) { c.check(t, op, selector) })
		}
	}
}

func (c *sparseCase) check(t *testing.T, op string, selector int) {
	r := rand.New(sweep.PCG(28, uint64(len(op)+selector)))
	stored, whole := map[[2]int]int{}, map[[2]int]int{}
	meta := make([][]uint64, 32)
	for l := range meta {
		meta[l] = []uint64{uint64(r.Uint32())} // of lanes that are not selected, anything
	}
	for row := range c.m {
		for at := 0; at < c.k; at += c.chunk {
			field, places := randomPlaces(r, c.chunk)
			lane, bit := c.meta(row, at, selector)
			meta[lane][0] = meta[lane][0]&^(15<<bit) | field<<bit
			for i, place := range places {
				v := r.IntN(1 << 16)
				stored[[2]int{row, at/2 + i}], whole[[2]int{row, at + place}] = v, v
			}
		}
	}
	b, first := map[[2]int]int{}, map[[2]int]int{}
	for j := range c.n {
		for i := range c.k {
			b[[2]int{i, j}] = r.IntN(1 << 16)
		}
		for i := range c.m {
			first[[2]int{i, j}] = r.IntN(1 << 16)
		}
	}
	bitsOf := func(typ string, of map[[2]int]int) func(row, col int) uint64 {
		return func(row, col int) uint64 { v, _ := code(typ, of[[2]int{row, col}]); return v }
	}
	of := [][][]uint64{spread(c.na, matrixWidths[c.a], c.atA, bitsOf(c.a, stored)),
		spread(c.nb, matrixWidths[c.b], c.atB, bitsOf(c.b, b)),
		spread(c.nc, matrixWidths[c.c], c.atC, bitsOf(c.c, first)), meta}
	want := spread(c.nc, matrixWidths[c.d], c.atC, func(row, col int) uint64 {
		_, sum := code(c.c, first[[2]int{row, col}])
		for i := range c.k {
			if n, ok := whole[[2]int{row, i}]; ok {
				_, x := code(c.a, n)
				_, y := code(c.b, b[[2]int{i, col}])
				sum += x * y
			}
		}
		return sumBits(c.d, sum, false)
	})
	got := matrixKernel(t, op, len(want[0]), of, []string{"b32", "b32", "b32", "b32", "b32"},
		fmt.Sprintf(", %%e0, %d", selector))
	for l := range 32 {
		equal(t, fmt.Sprintf("lane %d", l), got[l], want[l])
	}
}

// randomPlaces are those of what is stored of a chunk, in order, and the field that says so.
func randomPlaces(r *rand.Rand, chunk int) (field uint64, places []int) {
	if chunk == 2 { // a word is two halves with places beside each other
		if r.IntN(2) == 0 {
			return 0b0100, []int{0}
		}
		return 0b1110, []int{1}
	}
	low := r.IntN(3)
	high := low + 1 + r.IntN(3-low)
	field = uint64(low | high<<2)
	if chunk == 8 { // pairs have places
		return field, []int{2 * low, 2*low + 1, 2 * high, 2*high + 1}
	}
	return field, []int{low, high}
}
