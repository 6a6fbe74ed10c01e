package ptx_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/vec"
	"simtgdb/testdata/sweep"
)

// A boxCase is a copy of a box of an array, by a tensor map that the test writes itself.
type boxCase struct {
	typ, rank, swizzle int
	nan                bool
	size, box, step    [5]int
	at                 [5]int
	im2col             bool
	lower, upper       [3]int
	offset             [3]int
	channels, pixels   int
	how                string // load, store, or the operation of a reduction
}

// What elements of the types are: how large, and the number that stands for none.
var boxTypes = []struct {
	size int
	nan  uint64
}{{1, 0}, {2, 0}, {4, 0}, {4, 0}, {8, 0}, {8, 0}, {2, 0x7fff}, {4, math.MaxInt32}, {8, math.MaxInt64},
	{2, 0x7fff}}

// pitches are the bytes from an element to its neighbour: rows have some bytes more than they need.
func (c *boxCase) pitches() (p [5]int) {
	p[0] = boxTypes[c.typ].size
	for i := 1; i < c.rank; i++ {
		p[i] = (p[i-1]*c.size[i-1] + 31) / 16 * 16
	}
	return p
}

func (c *boxCase) bytesOfArray() int {
	p := c.pitches()
	return p[c.rank-1]*c.size[c.rank-1] + 16
}

// tensorMap writes the 128 bytes, as cuda_tensor.c has them.
func (c *boxCase) tensorMap(address uint64) []byte {
	b := make([]byte, 128)
	le := binary.LittleEndian
	le.PutUint32(b, 0x504d54|uint32(c.rank)<<24)
	b[5], b[8] = byte(c.typ), byte(c.swizzle)
	if c.im2col {
		b[4] = 1
	}
	if c.nan {
		b[9] = 1
	}
	le.PutUint64(b[16:], address)
	p := c.pitches()
	for i := range c.rank {
		le.PutUint32(b[24+4*i:], uint32(c.size[i]-1))
		if i > 0 {
			le.PutUint64(b[48+8*(i-1):], uint64(p[i]))
		}
		le.PutUint16(b[80+2*i:], uint16(c.box[i]))
		b[90+i] = byte(c.step[i])
	}
	for i := range 3 {
		le.PutUint16(b[96+2*i:], uint16(c.lower[i]))
		le.PutUint16(b[102+2*i:], uint16(c.upper[i]))
	}
	le.PutUint16(b[108:], uint16(c.channels))
	le.PutUint16(b[110:], uint16(c.pixels))
	return b
}

// elements are the subscripts of the box's elements, in the order of shared memory.
func (c *boxCase) elements() (all [][5]int) {
	if c.im2col {
		return c.columns()
	}
	var counts [5]int
	n := 1
	for i := range counts {
		counts[i] = 1
		if i < c.rank {
			counts[i] = int(math.Ceil(float64(c.box[i]) / float64(c.step[i])))
		}
		n *= counts[i]
	}
	for k := range n {
		var e [5]int
		for i := range e {
			e[i] = c.at[i] + k%counts[i]*max(c.step[i], 1)
			k /= counts[i]
		}
		all = append(all, e)
	}
	return all
}

// columns are the elements of im2col: positions of a filter are numbered through all pictures, row by row.
func (c *boxCase) columns() (all [][5]int) {
	last := c.rank - 1
	var counts [5]int // positions in each dimension
	for d := 1; d < last; d++ {
		counts[d] = (c.size[d] + c.upper[d-1] - c.lower[d-1] + c.step[d] - 1) / c.step[d]
	}
	number := c.at[last]
	for d := last - 1; d > 0; d-- {
		number = number*counts[d] + (c.at[d]-c.lower[d-1])/c.step[d]
	}
	for k := number; k < number+c.pixels; k++ {
		var e [5]int
		rest := k
		for d := 1; d < last; d++ {
			e[d] = c.lower[d-1] + rest%counts[d]*c.step[d] + c.offset[d-1]
			rest /= counts[d]
		}
		e[last] = rest
		for ch := range c.channels {
			e[0] = c.at[0] + ch
			all = append(all, e)
		}
	}
	return all
}

// inShared is where a byte of the box is: rows of 128 bytes whose pieces of 16 are exchanged by the row's
// number.
func (c *boxCase) inShared(offset int) int {
	row, piece := offset/128, offset/16%8
	switch c.swizzle {
	case 1:
		piece ^= row & 1
	case 2:
		piece ^= row & 3
	case 3:
		piece ^= row & 7
	case 4: // pieces of 32
		piece ^= row & 3 * 2
	}
	return row*128 + piece*16 + offset%16
}

// model does the copy.
func (c *boxCase) model(array, shared []byte) {
	p, size := c.pitches(), boxTypes[c.typ].size
	for k, e := range c.elements() {
		at, in := 0, true
		for i := range c.rank {
			in = in && e[i] >= 0 && e[i] < c.size[i]
			at += e[i] * p[i]
		}
		to := shared[c.inShared(k*size):][:size]
		switch {
		case c.how == "load" && in:
			copy(to, array[at:])
		case c.how == "load":
			var none [8]byte
			if c.nan {
				binary.LittleEndian.PutUint64(none[:], boxTypes[c.typ].nan)
			}
			copy(to, none[:])
		case in && c.how == "store":
			copy(array[at:][:size], to)
		case in:
			c.reduced(array[at:][:size], to)
		}
	}
}

// reduced is a reduction of one element, of 32 bits.
func (c *boxCase) reduced(old, v []byte) {
	a, b := binary.LittleEndian.Uint32(old), binary.LittleEndian.Uint32(v)
	signed := c.typ == 3
	switch less := a < b || signed && int32(a) < int32(b); c.how {
	case "add":
		a += b
		if c.typ == 7 {
			a = math.Float32bits(math.Float32frombits(a-b) + math.Float32frombits(b))
		}
	case "xor":
		a ^= b
	case "min", "max":
		if signed {
			less = int32(a) < int32(b)
		}
		if less == (c.how == "max") {
			a = b
		}
	case "inc":
		if a++; a > b {
			a = 0
		}
	}
	binary.LittleEndian.PutUint32(old, a)
}

func (c *boxCase) text() string {
	names := make([]string, c.rank)
	for i := range names {
		names[i] = fmt.Sprint(c.at[i])
	}
	box := fmt.Sprintf("[%%map, {%s}]", strings.Join(names, ", "))
	dims := fmt.Sprintf("%dd", c.rank)
	switch c.how {
	case "load":
		mode, more := "tile", ""
		if c.im2col {
			mode = "im2col"
			list := make([]string, c.rank-2)
			for i := range list {
				list[i] = fmt.Sprintf("%%h%d", i)
				more += fmt.Sprintf("mov.b16 %s, %d; ", list[i], c.offset[i])
			}
			return fmt.Sprintf("%scp.async.bulk.tensor.%s.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "+
				"[%%s], %s, [%%bar], {%s};", more, dims, box, strings.Join(list, ", "))
		}
		return fmt.Sprintf("cp.async.bulk.tensor.%s.shared::cluster.global.%s.mbarrier::complete_tx::bytes "+
			"[%%s], %s, [%%bar];", dims, mode, box)
	case "store":
		return fmt.Sprintf("cp.async.bulk.tensor.%s.global.shared::cta.tile.bulk_group %s, [%%s];", dims, box)
	}
	return fmt.Sprintf("cp.reduce.async.bulk.tensor.%s.global.shared::cta.%s.tile.bulk_group %s, [%%s];",
		dims, c.how, box)
}

// sharedBytes is how much of shared memory the box has.
func (c *boxCase) sharedBytes() int { return len(c.elements()) * boxTypes[c.typ].size }

// run runs the copy by one thread of a warp; the others read what has come when the barrier says so.
func (c *boxCase) run(t *testing.T, array, shared []byte) {
	t.Helper()
	c.runWith(t, array, shared, "", func(b []byte) []byte { return b })
}

func (c *boxCase) runWith(t *testing.T, array, shared []byte, before string, change func([]byte) []byte) {
	t.Helper()
	wait := "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;"
	if c.how == "load" {
		wait = `AGAIN: mbarrier.try_wait.parity.shared.b64 %p, [%bar], 0; @!%p bra AGAIN;`
	}
	p := parse(t, "tensor.ptx", fmt.Sprintf(`.version 9.1
.target sm_90a
.address_size 64
.shared .align 1024 .b8 s[%[1]d];
.shared .align 8 .b8 bar[8];
.entry k(.param .u64 k_map, .param .u64 k_shared)
{
	.reg .b64 %%map, %%all, %%v; .reg .b32 %%s, %%bar, %%i, %%l; .reg .pred %%p, %%q; .reg .b16 %%h<3>;
	ld.param.u64 %%map, [k_map]; ld.param.u64 %%all, [k_shared]; mov.u32 %%s, s; mov.u32 %%bar, bar; mov.u32 %%l, %%tid.x;
	setp.ne.u32 %%q, %%l, 0;
	@%%q bra COPIED;
	mov.u32 %%i, %%s;
IN:	ld.global.b64 %%v, [%%all]; st.shared.b64 [%%i], %%v; add.u64 %%all, %%all, 8; add.u32 %%i, %%i, 8;
	sub.u32 %%l, %%i, %%s; setp.lt.u32 %%p, %%l, %[1]d; @%%p bra IN;
	%[4]s
	mbarrier.init.shared.b64 [%%bar], 1;
	mbarrier.arrive.expect_tx.shared.b64 _, [%%bar], %[5]d;
	%[2]s
COPIED:	bar.warp.sync -1;
	%[3]s
	@%%q bra END;
	ld.param.u64 %%all, [k_shared]; mov.u32 %%i, %%s;
OUT:	ld.shared.b64 %%v, [%%i]; st.global.b64 [%%all], %%v; add.u64 %%all, %%all, 8; add.u32 %%i, %%i, 8;
	sub.u32 %%l, %%i, %%s; setp.lt.u32 %%p, %%l, %[1]d; @%%p bra OUT;
END:	ret;
}`, len(shared), c.text(), wait, before, c.sharedBytes()))
	var here *simt.Region
	l := grid(32, 32)
	l.args = []any{func(p *program) uint64 {
		here = p.alloc(array)
		return p.alloc(change(c.tensorMap(here.Base))).Base
	}, shared}
	m, finished := p.machine("k", &l)
	row{text: c.text()}.note(m)
	if ev, err := m.Run(t.Context(), 1); err != nil || ev.Kind != simt.EndEvent {
		t.Fatalf("%+v: %v: %v %v %v", c, c.text(), ev.Kind, ev.Fault, err)
	}
	finished()
	copy(array, here.Data)
}

// random makes a case whose box lies partly outside of the array.
func randomBox(r *rand.Rand, how string) *boxCase {
	c := &boxCase{rank: 1 + r.IntN(5), typ: r.IntN(len(boxTypes)), swizzle: r.IntN(5), how: how,
		nan: r.IntN(2) == 0}
	if how != "load" && how != "store" {
		c.typ = []int{2, 3, 7}[r.IntN(3)]
		if c.typ == 7 {
			c.how = "add"
		}
		if c.how == "inc" {
			c.typ = 2
		}
	}
	unit := 16 / boxTypes[c.typ].size
	for i := range c.rank {
		c.size[i], c.box[i], c.step[i] = 1+r.IntN(9), 1+r.IntN(3), 1+r.IntN(2)
		if i == 0 {
			c.size[i], c.box[i] = 1+r.IntN(5*unit), unit*(1+r.IntN(2))*c.step[i]
		}
		c.at[i] = r.IntN(c.size[i]+4) - 3
	}
	if how == "load" && c.rank > 2 && r.IntN(2) == 0 {
		c.im2col, c.channels, c.pixels, c.step[0] = true, unit, 1+r.IntN(12), 1
		for i := range c.rank - 2 {
			c.size[i+1] += 3
			c.lower[i], c.upper[i], c.offset[i] = -r.IntN(3), -r.IntN(3), r.IntN(4)
			c.at[i+1] = c.lower[i] + c.step[i+1]*r.IntN(
				(c.size[i+1]+c.upper[i]-c.lower[i]+c.step[i+1]-1)/c.step[i+1])
		}
		c.at[c.rank-1] = max(c.at[c.rank-1], 0)
	}
	return c
}

func TestTensorCopies(t *testing.T) {
	r := rand.New(sweep.PCG(27, 90+uint64(vec.Current())))
	for _, how := range []string{"load", "store", "add", "xor", "min", "max", "inc"} {
		n := sweep.Times(24, 60)
		if how != "load" && how != "store" {
			n = 8
		}
		for range n {
			c := randomBox(r, how)
			array := make([]byte, c.bytesOfArray())
			shared := make([]byte, (c.sharedBytes()+1023)/1024*1024)
			for _, b := range [][]byte{array, shared} {
				for i := range b {
					b[i] = byte(r.Uint32())
					if c.typ == 7 { // floats whose sums are exact
						b[i] = [4]byte{0, 0, byte(i & 0x70), 0x40}[i%4]
					}
				}
			}
			wantArray, wantShared := slices.Clone(array), slices.Clone(shared)
			c.model(wantArray, wantShared)
			c.run(t, array, shared)
			equal(t, fmt.Sprintf("%+v: array", *c), array, wantArray)
			equal(t, fmt.Sprintf("%+v: shared memory", *c), shared, wantShared)
			if t.Failed() {
				return
			}
		}
	}
}

// A tensor map that a kernel makes itself, field by field.
func TestTensorMapReplaced(t *testing.T) {
	c := &boxCase{typ: 9, rank: 3, swizzle: 2, nan: true, size: [5]int{30, 5, 3}, box: [5]int{16, 4, 2},
		step: [5]int{1, 2, 1}, at: [5]int{20, 1, 2}, how: "load"}
	p := c.pitches()
	text := "tensormap.replace.tile.rank.global.b1024.b32 [%map], 2;"
	for i := range 3 {
		text += fmt.Sprintf(`tensormap.replace.tile.global_dim.global.b1024.b32 [%%map], %d, %d;
			tensormap.replace.tile.box_dim.global.b1024.b32 [%%map], %[1]d, %[3]d;
			tensormap.replace.tile.element_stride.global.b1024.b32 [%%map], %[1]d, %[4]d;`, i, c.size[i], c.box[i], c.step[i])
		if i > 0 {
			text += fmt.Sprintf("tensormap.replace.tile.global_stride.global.b1024.b64 [%%map], %d, %d;", i-1,
				p[i])
		}
	}
	text += `tensormap.replace.tile.elemtype.global.b1024.b32 [%map], 10;
		tensormap.replace.tile.interleave_layout.global.b1024.b32 [%map], 0;
		tensormap.replace.tile.swizzle_mode.global.b1024.b32 [%map], 2;
		tensormap.replace.tile.fill_mode.global.b1024.b32 [%map], 1;
		ld.global.b64 %v, [%map+120];
		tensormap.replace.tile.global_address.global.b1024.b64 [%map], %v;
		fence.proxy.tensormap::generic.acquire.gpu [%map], 128;`
	array, shared := make([]byte, c.bytesOfArray()), make([]byte, 1024)
	for i := range array {
		array[i] = byte(i*7 + 1)
	}
	want := slices.Clone(shared)
	c.model(array, want)
	c.runWith(t, array, shared, text, func(b []byte) []byte {
		return append(make([]byte, 120), b[16:24]...) // nothing but the address, at the end
	})
	equal(t, "shared memory", shared, want)
}
