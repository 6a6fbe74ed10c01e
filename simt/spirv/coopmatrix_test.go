package spirv

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// A matrixCase is D = A*B + C of matrices of m x k, k x n and m x n elements; then D = 2*D and, of the
// component that each invocation has as its last, one more.
type matrixCase struct {
	name     string
	m, n, k  int
	narrow   matrixNumber // of A and B
	wide     matrixNumber // of C and D
	operands uint32
	columns  [4]uint32 // layouts of A, B, C, D
	pad      int       // elements between rows, or columns, beyond their own
	lanes    int
}

// A matrixNumber is a type of components: words of its declaration, and numbers of it.
type matrixNumber struct {
	decl    []uint32 // opcode, operands
	size    int
	to      func(x float64) uint64 // rounds
	from    func(v uint64) float64
	capable []uint32 // capabilities
}

func intNumber(bits, sign uint32) matrixNumber {
	return matrixNumber{decl: []uint32{21, bits, sign}, size: int(bits / 8),
		to: func(x float64) uint64 { return uint64(int64(x)) & (1<<bits - 1) },
		from: func(v uint64) float64 {
			if sign == 0 {
				return float64(v)
			}
			return float64(int64(v<<(64-bits)) >> (64 - bits))
		}}
}

var (
	halfNumber = matrixNumber{decl: []uint32{22, 16}, size: 2, capable: []uint32{9},
		to:   func(x float64) uint64 { return uint64(toHalf(x)) },
		from: func(v uint64) float64 { return half(uint16(v)) }}
	brainNumber = matrixNumber{decl: []uint32{22, 16, 0}, size: 2, capable: []uint32{5116, 5118},
		to:   func(x float64) uint64 { return uint64(math.Float32bits(float32(x)) >> 16) },
		from: func(v uint64) float64 { return float64(math.Float32frombits(uint32(v) << 16)) }}
	smallNumber  = miniNumber(4214)
	widerNumber  = miniNumber(4215)
	singleNumber = matrixNumber{decl: []uint32{22, 32}, size: 4,
		to:   func(x float64) uint64 { return uint64(asBits(x)) },
		from: func(v uint64) float64 { return fl(uint32(v)) }}
)

var matrixCases = []matrixCase{
	{"halves", 16, 16, 16, halfNumber, singleNumber, 0, [4]uint32{}, 0, 32},
	{"halves alone", 16, 8, 16, halfNumber, halfNumber, 0, [4]uint32{0, 1, 0, 1}, 3, 16},
	{"odd", 5, 7, 3, singleNumber, singleNumber, 0, [4]uint32{1, 0, 1, 0}, 1, 8},
	{"bfloat16", 8, 16, 16, brainNumber, singleNumber, 0, [4]uint32{1, 1, 1, 1}, 0, 64},
	{"floats of 8 bits", 16, 8, 16, smallNumber, singleNumber, 0, [4]uint32{}, 2, 32},
	{"wider floats of 8 bits", 8, 16, 16, widerNumber, singleNumber, 0, [4]uint32{1, 0, 0, 1}, 0, 16},
	{"signed bytes", 16, 16, 32, intNumber(8, 1), intNumber(32, 1),
		signedA | signedB | signedC | signedResult, [4]uint32{}, 4, 32},
	{"mixed bytes", 8, 8, 32, intNumber(8, 0), intNumber(32, 1), signedB | signedC | signedResult,
		[4]uint32{}, 0, 32},
	{"saturating", 8, 8, 16, intNumber(8, 1), intNumber(16, 1),
		signedA | signedB | signedC | signedResult | saturating, [4]uint32{}, 0, 32},
}

// module is the case's shader: buffers 0 to 3 are A, B, C and D, 4 takes the length of D's type, 5 the
// transpose of C and 6 what is C as another operand, row by row.
func (c *matrixCase) module(local uint32) []uint32 {
	w := module{0x07230203, 0x10600, 0, 300, 0}
	const (
		void = 1 + iota
		fn
		u32
		narrow
		wide
		arrNarrow
		arrWide
		blkNarrow
		blkWide
		ptrNarrow
		ptrWide
		elNarrow
		elWide
		typeA
		typeB
		typeD
		main
		label
		blkWord
		ptrWord
		arrWord
		wordPtr
		varD
		elD
		typeUsed
		typeTurned
	)
	const constants, buffers = 100, 50
	w.add(17, 1)
	w.add(17, 6022)
	for _, n := range append(c.narrow.capable, c.wide.capable...) {
		w.add(17, n)
	}
	w.add(14, 0, 3)
	w.add(15, append([]uint32{5, main}, wordsOf([]byte("main\x00\x00\x00\x00"))...)...)
	w.add(16, main, 17, local, 1, 1)
	for _, d := range [][3]uint32{{arrNarrow, uint32(c.narrow.size), blkNarrow},
		{arrWide, uint32(c.wide.size), blkWide}, {arrWord, 4, blkWord}} {
		w.add(71, d[0], 6, d[1])
		w.add(72, d[2], 0, 35, 0)
		w.add(71, d[2], 2)
	}
	for k := range uint32(7) {
		w.add(71, buffers+k, 34, 0)
		w.add(71, buffers+k, 33, k)
	}
	w.add(19, void)
	w.add(33, fn, void)
	w.add(21, u32, 32, 0)
	number := func(id uint32, n matrixNumber) { w.add(n.decl[0], append([]uint32{id}, n.decl[1:]...)...) }
	number(narrow, c.narrow)
	number(wide, c.wide)
	w.add(29, arrNarrow, narrow)
	w.add(29, arrWide, wide)
	w.add(29, arrWord, u32)
	w.add(30, blkNarrow, arrNarrow)
	w.add(30, blkWide, arrWide)
	w.add(30, blkWord, arrWord)
	for i, t := range []uint32{blkNarrow, blkWide, narrow, wide, blkWord, u32} {
		w.add(32, []uint32{ptrNarrow, ptrWide, elNarrow, elWide, ptrWord, wordPtr}[i], 12, t)
	}
	next := uint32(constants)
	constant := func(v int) uint32 {
		next++
		w.add(43, u32, next, uint32(v))
		return next
	}
	zero, scope := constant(0), constant(3)
	m, n, k := constant(c.m), constant(c.n), constant(c.k)
	uses := [3]uint32{zero, constant(1), constant(2)}
	layouts := [2]uint32{zero, uses[1]}
	w.add(4456, typeA, narrow, scope, m, k, uses[0])
	w.add(4456, typeB, narrow, scope, k, n, uses[1])
	w.add(4456, typeD, wide, scope, m, n, uses[2])
	w.add(4456, typeUsed, wide, scope, m, n, uses[0])
	w.add(4456, typeTurned, wide, scope, n, m, uses[1])
	one_, two := next+1, next+2
	next += 2
	w.add(43, wide, one_, uint32(c.wide.to(1)))
	w.add(43, wide, two, uint32(c.wide.to(2)))
	next++
	w.add(44, typeD, next, two)
	twos := next
	w.add(32, varD, 7, typeD)
	w.add(32, elD, 7, wide)
	var strides [4]uint32
	for i := range strides {
		strides[i] = constant(c.stride(i))
	}
	for i, t := range []uint32{ptrNarrow, ptrNarrow, ptrWide, ptrWide, ptrWord, ptrWide, ptrWide} {
		w.add(59, t, buffers+uint32(i), 12)
	}
	w.add(54, void, main, 0, fn)
	w.add(248, label)
	fresh := func() uint32 { next++; return next }
	variable := fresh()
	w.add(59, varD, variable, 7)
	var loaded [3]uint32
	for i, t := range []uint32{typeA, typeB, typeD} {
		at := fresh()
		w.add(65, []uint32{elNarrow, elNarrow, elWide}[i], at, buffers+uint32(i), zero, zero)
		loaded[i] = fresh()
		w.add(4457, t, loaded[i], at, layouts[c.columns[i]], strides[i])
	}
	d, length, last := fresh(), fresh(), fresh()
	w.add(4459, typeD, d, loaded[0], loaded[1], loaded[2], c.operands)
	w.add(opCooperativeMatrixLengthKHR, u32, length, typeD)
	w.add(130, u32, last, length, uses[1])
	doubled := fresh()
	multiply := map[uint32]uint32{21: 132, 22: 133}[c.wide.decl[0]]
	w.add(multiply, typeD, doubled, d, twos)
	w.add(62, variable, doubled)
	at, element, more, result := fresh(), fresh(), fresh(), fresh()
	w.add(65, elD, at, variable, last)
	w.add(61, wide, element, at)
	w.add(multiply-4, wide, more, element, one_)
	w.add(62, at, more)
	w.add(61, typeD, result, variable)
	out, lengthAt := fresh(), fresh()
	w.add(65, elWide, out, buffers+3, zero, zero)
	w.add(4458, out, result, layouts[c.columns[3]], strides[3])
	w.add(65, wordPtr, lengthAt, buffers+4, zero, zero)
	w.add(62, lengthAt, length)
	for i, op := range []uint32{5390, 5293} {
		made, to := fresh(), fresh()
		w.add(op, []uint32{typeTurned, typeUsed}[i], made, loaded[2])
		w.add(65, elWide, to, buffers+5+uint32(i), zero, zero)
		w.add(4458, to, made, layouts[0], []uint32{m, n}[i])
	}
	w.add(253)
	w.add(56)
	return w
}

// shape is the rows and columns of operand i.
func (c *matrixCase) shape(i int) (rows, columns int) {
	return [4]int{c.m, c.k, c.m, c.m}[i], [4]int{c.k, c.n, c.n, c.n}[i]
}

// stride is how far apart the rows of operand i are, or its columns.
func (c *matrixCase) stride(i int) int {
	rows, columns := c.shape(i)
	if c.columns[i] == 1 {
		return rows + c.pad
	}
	return columns + c.pad
}

// at is where an element of operand i lies in its buffer.
func (c *matrixCase) at(i, row, column int) int {
	if c.columns[i] == 1 {
		row, column = column, row
	}
	return row*c.stride(i) + column
}

func (c *matrixCase) number(i int) matrixNumber {
	if i < 2 {
		return c.narrow
	}
	return c.wide
}

func get(b []byte, size, i int) uint64 { return little(b[i*size:][:size]) }

func (c *matrixCase) buffer(i int, fill func() uint64) []byte {
	rows, columns := c.shape(i)
	size := c.number(i).size
	b := make([]byte, size*(max(rows, columns)*c.stride(i)+64))
	for j := range len(b) / size {
		putLittle(b[j*size:][:size], fill())
	}
	return b
}

// want is element (row, column) of the result, of exact arithmetic rounded once where the instructions
// round.
func (c *matrixCase) want(buffers map[Slot][]byte, row, column int) uint64 {
	of := func(i, row, column int) float64 {
		n := c.number(i)
		v := get(buffers[Slot{Binding: uint32(i)}], n.size, c.at(i, row, column))
		if n.decl[0] == 21 { // whether it has a sign is said by the instruction
			n = intNumber(n.decl[1], c.operands>>i&1)
		}
		return n.from(v)
	}
	sum := of(2, row, column)
	var products float64
	for j := range c.k {
		products += of(0, row, j) * of(1, j, column)
	}
	sum = products + sum
	if c.operands&saturating != 0 {
		sum = max(-math.Ldexp(1, 8*c.wide.size-1), min(math.Ldexp(1, 8*c.wide.size-1)-1, sum))
	}
	doubled := c.wide.to(2 * c.wide.from(c.wide.to(sum)))
	count, e := (c.m*c.n+c.lanes-1)/c.lanes, row*c.n+column
	if e/c.lanes == count-1 { // the last component of an invocation
		return c.wide.to(c.wide.from(doubled) + 1)
	}
	return doubled
}

func TestCooperativeMatrices(t *testing.T) {
	for _, c := range matrixCases {
		t.Run(c.name, func(t *testing.T) {
			rnd := random(c.m*c.n + c.lanes)
			l := launch{o: Options{SubgroupSize: c.lanes},
				buffers: map[Slot][]byte{{Binding: 4}: make([]byte, 4)}}
			for i := range uint32(2) {
				l.buffers[Slot{Binding: 5 + i}] = make([]byte, c.m*c.n*c.wide.size)
			}
			for i := range 4 {
				n := c.number(i)
				l.buffers[Slot{Binding: uint32(i)}] = c.buffer(i, func() uint64 {
					if i == 3 {
						return n.to(77)
					}
					if n.decl[0] == 21 {
						return uint64(rnd.next()) & (1<<(8*n.size) - 1)
					}
					return n.to(float64(int(rnd.next()%2001)-1000) / 64)
				})
			}
			r := l.run(t, c.module(uint32(c.lanes)))
			count := (c.m*c.n + c.lanes - 1) / c.lanes
			if got := r.words(Slot{Binding: 4})[0]; got != uint32(count) {
				t.Errorf("length %d, want %d", got, count)
			}
			turned, used := r.regions[Slot{Binding: 5}].Data, r.regions[Slot{Binding: 6}].Data
			got := r.regions[Slot{Binding: 3}].Data
			want := l.buffers[Slot{Binding: 3}]
			for row := range c.m {
				for column := range c.n {
					size := c.wide.size
					element := get(l.buffers[Slot{Binding: 2}], size, c.at(2, row, column))
					if g := get(turned, size, column*c.m+row); g != element {
						t.Fatalf("the transpose has %#x for C[%d,%d], want %#x", g, row, column, element)
					}
					if g := get(used, size, row*c.n+column); g != element {
						t.Fatalf("C as A has %#x at [%d,%d], want %#x", g, row, column, element)
					}
					putLittle(want[c.at(3, row, column)*c.wide.size:][:c.wide.size],
						c.want(l.buffers, row, column))
				}
			}
			for i := range len(want) / c.wide.size {
				if g, w := get(got, c.wide.size, i), get(want, c.wide.size, i); g != w {
					t.Fatalf("D[%d] = %#x (%v), want %#x (%v)", i, g, c.wide.from(g), w, c.wide.from(w))
				}
			}
		})
	}
}

// TestMatrixFaults runs products in some invocations of a subgroup, and with a buffer that is too short.
func TestMatrixFaults(t *testing.T) {
	c := matrixCases[0]
	whole := func(i int) []byte { return c.buffer(i, func() uint64 { return 0 }) }
	buffers := func() map[Slot][]byte {
		all := map[Slot][]byte{{Binding: 4}: make([]byte, 4), {Binding: 5}: whole(3), {Binding: 6}: whole(3)}
		for i := range 4 {
			all[Slot{Binding: uint32(i)}] = whole(i)
		}
		return all
	}
	run := func(size uint32, b map[Slot][]byte) string {
		l := launch{buffers: b}
		r := l.start(t, c.module(size))
		ev, err := r.m.Run(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		if ev.Fault == nil {
			return fmt.Sprint(ev.Kind)
		}
		return fmt.Sprintf("%v %s, lanes %#x", ev.Fault.Kind, ev.Fault.Text, ev.Fault.Lanes)
	}
	const wantSome = "in some invocations of a subgroup: a cooperative matrix takes all, lanes 0xffff"
	if got := run(16, buffers()); !strings.HasSuffix(got, wantSome) {
		t.Errorf("half a subgroup: %s, want …%s", got, wantSome)
	}
	short := buffers()
	short[Slot{Binding: 0}] = short[Slot{Binding: 0}][:2*16*16-2]
	if got := run(32, short); !strings.HasPrefix(got, "unmapped address") ||
		!strings.HasSuffix(got, "lanes 0x80000000") {
		t.Errorf("a short buffer: %s, want an unmapped address of the last lane", got)
	}
}

// TestBrains holds conversions to bfloat16 against the numbers around: the nearest is taken, of two as near
// the even one.
func TestBrains(t *testing.T) {
	c := floatControl{width: 16, mini: minis[0]}
	const infinite = 0x7f80
	for v := uint64(0); v < infinite; v++ {
		x := math.Float32frombits(uint32(v) << 16)
		step := float64(math.Float32frombits(uint32(v+1)<<16)) - float64(x)
		if v+1 == infinite {
			step = 0x1p120 // as if the next were a number
		}
		for _, is := range []struct {
			part float64
			want uint64
		}{{0, v}, {0.25, v}, {0.5, v + v&1}, {0.75, v + 1}} {
			y := float64(x) + is.part*step
			if got := c.out(y); got != is.want {
				t.Fatalf("%v becomes %#x, want %#x", y, got, is.want)
			}
			if got := c.out(-y); got != is.want|0x8000 {
				t.Fatalf("%v becomes %#x, want %#x", -y, got, is.want|0x8000)
			}
		}
		if got := c.in(v); got != float64(x) {
			t.Fatalf("%#x is %v, want %v", v, got, x)
		}
	}
	if got := c.out(math.NaN()); got&0x7fff <= infinite {
		t.Errorf("NaN becomes %#x", got)
	}
}
