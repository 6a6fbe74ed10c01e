package ptx_test

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/simttest"
	"simtgdb/testdata/sweep"
)

// A groupCase is a product of four warps: its types and shape, and how its factors lie in shared memory.
type groupCase struct {
	d, typ           string
	n, k             int
	swizzle          int // 0, or bytes of a row: 32, 64, 128
	turnedA, turnedB bool
	registers        bool // of the first factor
	keeps            bool
	negateA          bool
	sparse           *sparseCase // of the first factor: its chunks and the places of metadata
	selector         int
}

// stored is how many columns of the first factor are stored.
func (c *groupCase) stored() int {
	if c.sparse != nil {
		return c.k / 2
	}
	return c.k
}

func groupCases() []groupCase {
	var all []groupCase
	for s, swizzle := range []int{0, 32, 64, 128} {
		for i := range uint(4) {
			if bits.OnesCount(i)%2 == s%2 && !sweep.All() {
				continue // the others have each factor turned, and as it is
			}
			all = append(all, groupCase{d: "f32", typ: "f16", n: 64, k: 16, swizzle: swizzle,
				turnedA: i&1 != 0, turnedB: i&2 != 0, keeps: true})
		}
		all = append(all, groupCase{d: "f32", typ: "bf16", n: 256, k: 16, swizzle: swizzle, turnedB: true},
			groupCase{d: "s32", typ: "s8", n: 24, k: 32, swizzle: swizzle, keeps: true},
			groupCase{d: "f32", typ: "tf32", n: 8, k: 8, swizzle: swizzle},
			groupCase{d: "f16", typ: "e4m3", n: 40, k: 32, swizzle: swizzle, keeps: true, registers: true})
	}
	sparse := func(chunk int, meta func(row, col, selector int) (int, int)) *sparseCase {
		return &sparseCase{chunk: chunk, meta: meta}
	}
	all = append(all,
		groupCase{d: "f32", typ: "f16", n: 16, k: 32, keeps: true, sparse: sparse(4, wordsOfPairs(16, 32)),
			selector: 1},
		groupCase{d: "f32", typ: "bf16", n: 64, k: 32, swizzle: 32, turnedA: true, turnedB: true,
			negateA: true, sparse: sparse(4, wordsOfPairs(16, 32))},
		groupCase{d: "f32", typ: "tf32", n: 8, k: 16, swizzle: 64, keeps: true, registers: true,
			sparse: sparse(2, wordsOfPairs(8, 16)), selector: 1},
		groupCase{d: "s32", typ: "u8", n: 24, k: 64, registers: true, keeps: true,
			sparse: sparse(4, wordsOfRows(32, 64))},
		groupCase{d: "f16", typ: "e5m2", n: 8, k: 64, swizzle: 128, sparse: sparse(4, wordsOfRows(32, 64))})
	return append(all, groupCase{d: "f16", typ: "f16", n: 16, k: 16, registers: true, turnedB: true,
		keeps: true, negateA: true}, groupCase{d: "f32", typ: "e5m2", n: 8, k: 32},
		groupCase{d: "s32", typ: "u8", n: 8, k: 32},
		groupCase{d: "s32", typ: "b1", n: 32, k: 256, keeps: true},
		groupCase{d: "f32", typ: "tf32", n: 8, k: 8, registers: true, keeps: true})
}

// lie puts a matrix of rows of k elements into shared memory, from an address on, and gives its descriptor.
// It goes by tiles, in whose rows 16 bytes are exchanged: tiles of eight rows of as many bytes as are
// exchanged among.
func (c *groupCase) lie(memory []byte, start, rows, k int, turned bool, of func(row, col int) uint64) uint64 {
	width := matrixWidths[c.typ]
	lines, across := rows, k
	if turned {
		lines, across = k, rows
	}
	tileBytes := max(c.swizzle, 16)
	perTile := tileBytes * 8 / width // elements of a row of a tile
	tileSize := 8 * tileBytes
	tilesDown := lines / 8
	tilesAcross := (across + perTile - 1) / perTile
	// Tiles of one column of tiles lie behind each other.
	down, right := tileSize, tileSize*tilesDown
	if c.swizzle == 0 { // which may lie anywhere
		down += 16
		right = down*tilesDown + 32
	}
	for line := range lines {
		for e := range across {
			v := of(line, e)
			if turned {
				v = of(e, line)
			}
			row, piece := line%8, e%perTile*width/8/16
			if c.swizzle != 0 {
				piece ^= row * tileBytes / 128 % (tileBytes / 16)
			}
			at := start + line/8*down + e/perTile*right + row*tileBytes + piece*16
			bit := e % perTile * width % 128
			for b := range width {
				memory[at+(bit+b)/8] |= byte(v>>b&1) << ((bit + b) % 8)
			}
		}
	}
	_ = tilesAcross
	leading, stride := right, down
	if turned && c.swizzle == 0 {
		leading, stride = down, right
	}
	mode := map[int]uint64{0: 0, 128: 1, 64: 2, 32: 3}[c.swizzle]
	return uint64(start)/16 | uint64(leading)/16<<16 | uint64(stride)/16<<32 | mode<<62
}

// Products of small numbers are those of whole matrices, however these lie.
func TestGroupProducts(t *testing.T) {
	for _, c := range simttest.Share("wgmma", groupCases()...) {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) { c.check(t) })
	}
}

func (c *groupCase) check(t *testing.T) {
	const m, half = 64, 64 << 10
	r := rand.New(sweep.PCG(29, uint64(c.n)))
	numbers := func(rows, cols int) func(row, col int) int {
		all := make([]int, rows*cols)
		for i := range all {
			all[i] = r.IntN(1 << 16)
		}
		return func(row, col int) int { return all[row*cols+col] }
	}
	a, b, first := numbers(m, c.k), numbers(c.n, c.k), numbers(m, c.n)
	// Of a sparse factor a is what is stored, and whole says where that is in each row; metadata are
	// a word of each lane.
	whole := make([][]int, m)
	meta := make([]uint64, 128)
	for row := range whole {
		for i := range c.k {
			whole[row] = append(whole[row], i)
		}
		if c.sparse != nil {
			whole[row] = c.scatter(r, meta[row/16*32:][:32], row%16)
		}
	}
	coded := func(typ string, of func(row, col int) int) func(row, col int) uint64 {
		return func(row, col int) uint64 { v, _ := code(typ, of(row, col)); return v }
	}
	memory := make([]byte, half+16<<10)
	atA := c.lie(memory, 0, m, c.stored(), c.turnedA, coded(c.typ, a))
	atB := c.lie(memory, half, c.n, c.k, c.turnedB, coded(c.typ, b))
	width, sumWidth := matrixWidths[c.typ], matrixWidths[c.d]
	place := func(g, t, i int) (int, int) { return g + i/2%2*8, i/4*8 + t*2 + i%2 }
	part := func(warp, n, width int, at func(g, t, i int) (int, int), of func(row, col int) uint64) [][]uint64 {
		return spread(n, width, at, func(row, col int) uint64 { return of(row+16*warp, col) })
	}
	var in, want [][]uint64
	for w := range 4 {
		d := part(w, c.n/2, sumWidth, place, coded(c.d, first))
		if c.registers {
			for l, regs := range part(w, c.stored()/2, width, partsA(max(32/width, 1)), coded(c.typ, a)) {
				d[l] = append(d[l], regs...)
			}
		}
		for l := range d {
			if c.sparse != nil {
				d[l] = append(d[l], meta[w*32+l])
			}
		}
		in = append(in, d...)
		want = append(want, part(w, c.n/2, sumWidth, place, func(row, col int) uint64 {
			sum := 0.0
			if c.keeps {
				_, sum = code(c.d, first(row, col))
			}
			for i, at := range whole[row] {
				_, x := code(c.typ, a(row, i))
				_, y := code(c.typ, b(col, at))
				if c.negateA {
					x = -x
				}
				sum += x * y
			}
			return sumBits(c.d, sum, false)
		})...)
	}
	got := c.run(t, memory, atA, atB, in, len(want[0]))
	for l := range got {
		equal(t, fmt.Sprintf("thread %d", l), got[l], want[l])
	}
}

// scatter says for what is stored of a row where it is in the whole one, and puts that into the
// words of a warp.
func (c *groupCase) scatter(r *rand.Rand, meta []uint64, row int) []int {
	var whole []int
	for at := 0; at < c.k; at += c.sparse.chunk {
		field, places := randomPlaces(r, c.sparse.chunk)
		lane, bit := c.sparse.meta(row, at, c.selector)
		meta[lane] |= field << bit
		for _, place := range places {
			whole = append(whole, at+place)
		}
	}
	return whole
}

// text is the statement, with its registers' names.
func (c *groupCase) text(atA, atB uint64, d, a []string) string {
	flag := func(b bool) int { return map[bool]int{true: 1}[b] }
	sp, words := "", ""
	if c.sparse != nil {
		words = fmt.Sprintf(", %s, %d", append([]string{"%r"}, a...)[len(a)], c.selector)
		a = a[:max(len(a)-1, 0)]
		sp = ".sp"
	}
	op := fmt.Sprintf("wgmma.mma_async%s.sync.aligned.m64n%dk%d.%s.%s.%s", sp, c.n, c.k, c.d, c.typ, c.typ)
	first := fmt.Sprintf("%#x", atA)
	if c.registers {
		first = "{" + strings.Join(a, ", ") + "}"
	}
	if c.typ == "b1" {
		op += ".and.popc"
	}
	text := fmt.Sprintf("%s {%s}, %s, %#x%s, %%p", op, strings.Join(d, ", "), first, atB, words)
	if c.d != "s32" {
		text += fmt.Sprintf(", %d, 1", 1-2*flag(c.negateA))
	}
	if matrixWidths[c.typ] == 16 {
		if !c.registers {
			text += fmt.Sprintf(", %d", flag(c.turnedA))
		}
		text += fmt.Sprintf(", %d", flag(c.turnedB))
	}
	return text + ";"
}

// run runs the product on four warps: in are the registers of each lane.
func (c *groupCase) run(t *testing.T, memory []byte, atA, atB uint64, in [][]uint64, sums int) [][]uint64 {
	t.Helper()
	var text strings.Builder
	var names []string
	each := len(in[0])
	for j := range each {
		name := fmt.Sprintf("%%r%d", j)
		names = append(names, name)
		fmt.Fprintf(&text, "\t.reg .b32 %s; ld.global.b32 %s, [%%in+%d];\n", name, name, 8*j)
	}
	fmt.Fprintf(&text, "\twgmma.fence.sync.aligned;\n\t%s\n", c.text(atA, atB, names[:sums], names[sums:]))
	text.WriteString("\twgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;\n")
	// Who has its sum may change the factors.
	text.WriteString("\tsetp.lt.u32 %q, %l, 32; mov.u32 %to, s; add.u32 %to, %to, %at;\n")
	for at := 0; at < len(memory); at += 512 {
		fmt.Fprintf(&text, "\t@%%q st.shared.v2.b64 [%%to+%d], {-1, -1};\n", at)
	}
	for j, name := range names[:sums] {
		fmt.Fprintf(&text, "\tst.global.b32 [%%out+%d], %s;\n", 8*j, name)
	}
	p := parse(t, "wgmma.ptx", fmt.Sprintf(`.version 9.1
.target sm_90a
.address_size 64
.shared .align 1024 .b8 s[%d];
.entry k(.param .u64 k_memory, .param .u64 k_in, .param .u64 k_out)
{
	.reg .b64 %%from, %%in, %%out, %%v; .reg .b32 %%l, %%at, %%to; .reg .pred %%p, %%q;
	ld.param.u64 %%from, [k_memory]; ld.param.u64 %%in, [k_in]; ld.param.u64 %%out, [k_out]; mov.u32 %%l, %%tid.x;
	mul.lo.u32 %%at, %%l, 8; mov.u32 %%to, s; add.u32 %%to, %%to, %%at; cvt.u64.u32 %%v, %%at; add.u64 %%from, %%from, %%v;
AGAIN:
	ld.global.b64 %%v, [%%from]; st.shared.b64 [%%to], %%v;
	add.u64 %%from, %%from, 1024; add.u32 %%to, %%to, 1024; add.u32 %%at, %%at, 1024;
	setp.lt.u32 %%q, %%at, %d; @%%q bra AGAIN;
	bar.sync 0; mul.lo.u32 %%at, %%l, 16;
	mad.wide.u32 %%in, %%l, %d, %%in; mad.wide.u32 %%out, %%l, %d, %%out; setp.eq.u32 %%p, %d, 1;
%s	ret;
}`, len(memory), len(memory), 8*each, 8*sums, map[bool]int{true: 1}[c.keeps], text.String()))
	words := make([]uint64, len(memory)/8)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(memory[8*i:])
	}
	out := make([]uint64, 128*sums)
	l := grid(128, 128)
	l.args = []any{words, slices.Concat(in...), out}
	m, finished := p.machine("k", &l)
	row{text: c.text(atA, atB, nil, nil)}.note(m)
	if ev, err := m.Run(t.Context(), 1); err != nil || ev.Kind != simt.EndEvent {
		t.Fatalf("%v: %v %v", ev.Kind, ev.Fault, err)
	}
	finished()
	var got [][]uint64
	for l := range 128 {
		got = append(got, out[l*sums:][:sums])
	}
	return got
}
