package spirv

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"
)

// A tensorModule makes a shader that loads a matrix from a part of a tensor, computes each element, stores it
// turned, reduces it in each mode, and loads another from blocks by a function.
type tensorModule struct {
	w       module
	next    uint32
	numbers map[uint32]uint32 // constants by value
	scope   uint32
}

const (
	tensorRows, tensorColumns = 20, 24 // of the tensor
	matrixRows, matrixColumns = 10, 12
	offsetRow, offsetColumn   = 14, 16 // of the part that is loaded
	clipRow, clipRows         = 1, 8
	inBlock                   = 4
)

func (t *tensorModule) id() uint32 { t.next++; return t.next }

// result adds an instruction with a result, of a type unless that is 0.
func (t *tensorModule) result(op, typ uint32, args ...uint32) uint32 {
	id := t.id()
	if typ != 0 {
		t.w.add(op, append([]uint32{typ, id}, args...)...)
	} else {
		t.w.add(op, append([]uint32{id}, args...)...)
	}
	return id
}

// build makes the module.
func (t *tensorModule) build(local uint32) []uint32 {
	t.w = module{0x07230203, 0x10600, 0, 400, 0}
	for _, c := range []uint32{1, 5347, 6022, 5430, 5431, 5432, 5433, 5434, 5439} {
		t.w.add(17, c)
	}
	t.w.add(14, 5348, 3)
	main := t.id()
	t.w.add(15, append([]uint32{5, main}, wordsOf([]byte("main\x00\x00\x00\x00"))...)...)
	t.w.add(16, main, 17, local, 1, 1)

	const first = 300 // of ids that are decorated before they are declared
	floats, floatBlock, words, block, blocks, blocksBlock, vars := uint32(first), uint32(first+1), uint32(
		first+2), uint32(first+3), uint32(first+4), uint32(first+5), uint32(first+10)
	for _, d := range [][2]uint32{{floats, 4}, {words, 4}, {blocks, 4 + 4*inBlock}} {
		t.w.add(71, d[0], 6, d[1])
	}
	for _, s := range []uint32{floatBlock, blocksBlock, block} {
		t.w.add(72, s, 0, 35, 0)
	}
	t.w.add(72, block, 1, 35, 4)
	t.w.add(71, floatBlock, 2)
	t.w.add(71, blocksBlock, 2)
	for k := range uint32(8) {
		t.w.add(71, vars+k, 34, 0)
		t.w.add(71, vars+k, 33, k)
	}

	void := t.result(19, 0)
	u32, f32 := t.result(21, 0, 32, 0), t.result(22, 0, 32)
	t.numbers = map[uint32]uint32{}
	n := func(v uint32) uint32 {
		if t.numbers[v] == 0 {
			t.numbers[v] = t.result(43, u32, v)
		}
		return t.numbers[v]
	}
	for _, v := range []uint32{0, 1, 2, 4, 8, 100, 1000, tensorRows, tensorColumns, matrixRows, matrixColumns,
		offsetRow, offsetColumn, t.scope, math.Float32bits(3), matrixRows / 2, matrixColumns / 2} {
		n(v)
	}
	f := func(x float32) uint32 { return t.result(43, f32, math.Float32bits(x)) }
	half, five := f(0.5), f(5)
	boolean := t.result(20, 0)
	yes, no := t.result(41, boolean), t.result(42, boolean)
	mainType := t.result(33, 0, void)
	combineType := t.result(33, 0, f32, f32, f32)
	pair := t.result(28, 0, u32, n(2))
	t.w.add(29, floats, f32)
	t.w.add(30, floatBlock, floats)
	t.w.add(28, words, u32, n(inBlock))
	t.w.add(30, block, f32, words)
	t.w.add(29, blocks, block)
	t.w.add(30, blocksBlock, blocks)
	pointer := func(class, to uint32) uint32 { return t.result(32, 0, class, to) }
	floatsAt, blocksAt, floatAt, blockAt := pointer(12, floatBlock), pointer(12, blocksBlock), pointer(
		12, f32), pointer(12, block)
	physicalBlock, physicalFloat, physicalWord := pointer(5349, block), pointer(5349, f32), pointer(5349, u32)
	matrix := t.result(4456, 0, f32, n(t.scope), n(matrixRows), n(matrixColumns), n(2))
	quarter := t.result(4456, 0, f32, n(t.scope), n(matrixRows/2), n(matrixColumns/2), n(2))
	elementType := t.result(33, 0, f32, u32, u32, f32, f32, f32)
	decodeType := t.result(33, 0, f32, physicalBlock, pair, pair)
	fives := t.result(44, matrix, five)
	layout := t.result(5370, 0, n(2), n(1))
	turned, clipped := t.result(5371, 0, n(2), no, n(1), n(0)), t.result(5371, 0, n(2), no, n(0), n(1))
	sized := t.result(5371, 0, n(2), yes, n(1), n(0))
	for k := range uint32(8) {
		t.w.add(59, map[bool]uint32{true: blocksAt, false: floatsAt}[k == 2], vars+k, 12)
	}

	element := t.elementFunction(elementType, u32, f32, n(100))
	combine := t.combineFunction(combineType, f32)
	decode := t.decodeFunction(decodeType, u32, f32, physicalBlock, pair, physicalFloat, physicalWord, n)

	t.w.add(54, void, main, 0, mainType)
	t.w.add(248, t.id())
	at := func(k uint32) uint32 { return t.result(65, floatAt, vars+k, n(0), n(0)) }
	l := t.result(5372, layout)
	l = t.result(5376, layout, l, n(math.Float32bits(3)))
	l = t.result(5373, layout, l, n(tensorRows), n(matrixColumns))
	l = t.result(5373, layout, l, n(tensorRows), n(tensorColumns))
	l = t.result(5374, layout, l, n(tensorColumns), n(1))
	l = t.result(5375, layout, l, n(offsetRow), n(matrixRows), n(offsetColumn), n(matrixColumns))
	v := t.result(5377, clipped)
	v = t.result(5382, clipped, v, n(clipRow), n(clipRows), n(0), n(matrixColumns))
	a := t.result(5367, matrix, at(0), fives, l, 0, 1, v)
	p := t.result(5369, matrix, a, element, half, a)
	packed := func(rows, columns uint32) uint32 {
		return t.result(5373, layout, t.result(5372, layout), n(rows), n(columns))
	}
	t.w.add(5368, at(1), p, packed(matrixColumns, matrixRows), 0, 1, t.result(5377, turned))
	for mode, k := range map[uint32]uint32{1: 4, 2: 5, 3: 6} {
		t.w.add(5368, at(k), t.result(5366, matrix, p, mode, combine), packed(matrixRows, matrixColumns), 2, 4, 0)
	}
	t.w.add(5368, at(7), t.result(5366, quarter, p, 4, combine), packed(matrixRows/2, matrixColumns/2), 0, 0)
	b := t.result(5384, layout, t.result(5372, layout), n(1), n(inBlock))
	b = t.result(5373, layout, b, n(matrixRows), n(matrixColumns))
	d := t.result(5367, matrix, t.result(65, blockAt, vars+2, n(0), n(0)), fives, b, 0, 2, decode)
	// Turned by the view's order, and turned back by its strides.
	v = t.result(5378, sized, t.result(5377, sized), n(matrixColumns), n(matrixRows))
	v = t.result(5379, sized, v, n(1), n(matrixColumns))
	t.w.add(5368, at(3), d, packed(matrixRows, matrixColumns), 0, 1, v)
	t.w.add(253)
	t.w.add(56)
	return t.w
}

// elementFunction is f(row, column, x, s, y) = x*s + y + (100*row + column).
func (t *tensorModule) elementFunction(typ, u32, f32, hundred uint32) uint32 {
	fn := t.result(54, f32, 0, typ)
	var p [5]uint32
	for i := range p {
		p[i] = t.result(55, []uint32{u32, u32, f32, f32, f32}[i])
	}
	t.w.add(248, t.id())
	index := t.result(128, u32, t.result(132, u32, p[0], hundred), p[1])
	sum := t.result(129, f32, t.result(133, f32, p[2], p[3]), p[4])
	t.w.add(254, t.result(129, f32, sum, t.result(112, f32, index)))
	t.w.add(56)
	return fn
}

// combineFunction adds.
func (t *tensorModule) combineFunction(typ, f32 uint32) uint32 {
	fn := t.result(54, f32, 0, typ)
	x, y := t.result(55, f32), t.result(55, f32)
	t.w.add(248, t.id())
	t.w.add(254, t.result(129, f32, x, y))
	t.w.add(56)
	return fn
}

// decodeFunction is the block's scale times the word of the element, and 1000 for each block before its own
// in the first dimension, 100 in the second.
func (t *tensorModule) decodeFunction(typ, u32, f32, block, pair, floatAt, wordAt uint32,
	n func(uint32) uint32) uint32 {
	fn := t.result(54, f32, 0, typ)
	b, at, within := t.result(55, block), t.result(55, pair), t.result(55, pair)
	t.w.add(248, t.id())
	scale := t.result(61, f32, t.result(65, floatAt, b, n(0)), 2, 4)
	word := t.result(61, u32, t.result(65, wordAt, b, n(1), t.result(81, u32, within, 1)), 2, 4)
	where := t.result(128, u32, t.result(132, u32, t.result(81, u32, at, 0), n(1000)),
		t.result(132, u32, t.result(81, u32, at, 1), n(100)))
	product := t.result(133, f32, scale, t.result(112, f32, word))
	t.w.add(254, t.result(129, f32, product, t.result(112, f32, where)))
	t.w.add(56)
	return fn
}

// TestTensorModule holds what the module of tensorModule stores against the same in plain loops. All numbers
// are such that no sum is rounded.
func TestTensorModule(t *testing.T) {
	for _, c := range []struct{ scope, local, lanes uint32 }{{3, 32, 32}, {2, 64, 32}, {2, 64, 8}, {3, 16, 16}, {2, 64, 64}} {
		t.Run(fmt.Sprintf("scope %d of %d, %d lanes", c.scope, c.local, c.lanes), func(t *testing.T) {
			tensor := make([]byte, 0, 4*tensorRows*tensorColumns)
			value := func(i int) float32 { return float32(i*7%64) / 4 }
			for i := range tensorRows * tensorColumns {
				tensor = binary.LittleEndian.AppendUint32(tensor, math.Float32bits(value(i)))
			}
			const across = matrixColumns / inBlock
			var blocks []byte
			for i := range matrixRows * across {
				blocks = binary.LittleEndian.AppendUint32(blocks, math.Float32bits(float32(i%5)+0.5))
				for j := range inBlock {
					blocks = binary.LittleEndian.AppendUint32(blocks, uint32(i*3+j))
				}
			}
			l := launch{o: Options{SubgroupSize: int(c.lanes)}, buffers: map[Slot][]byte{{}: tensor, {Binding: 2}: blocks}}
			for _, k := range []uint32{1, 3, 4, 5, 6, 7} {
				l.buffers[Slot{Binding: k}] = make([]byte, 4*matrixRows*matrixColumns)
			}
			m := &tensorModule{scope: c.scope}
			r := l.run(t, m.build(c.local))

			var p [matrixRows][matrixColumns]float32
			var rows [matrixRows]float32
			var columns [matrixColumns]float32
			var all float32
			for i := range matrixRows {
				for j := range matrixColumns {
					x := float32(5)
					if from, to := offsetRow+i-clipRow, offsetColumn+j; i >= clipRow && i < clipRow+clipRows {
						if x = 3; from < tensorRows && to < tensorColumns {
							x = value(from*tensorColumns + to)
						}
					}
					p[i][j] = x/2 + x + float32(100*i+j)
					rows[i] += p[i][j]
					columns[j] += p[i][j]
					all += p[i][j]
				}
			}
			check := func(k uint32, of func(i, j int) float32, at func(i, j int) int) {
				got := r.floats(Slot{Binding: k})
				for i := range matrixRows {
					for j := range matrixColumns {
						if g, w := got[at(i, j)], of(i, j); g != w {
							t.Fatalf("buffer %d: element %d,%d is %v, want %v", k, i, j, g, w)
						}
					}
				}
			}
			straight := func(i, j int) int { return i*matrixColumns + j }
			check(1, func(i, j int) float32 { return p[i][j] }, func(i, j int) int { return j*matrixRows + i })
			check(4, func(i, _ int) float32 { return rows[i] }, straight)
			check(5, func(_, j int) float32 { return columns[j] }, straight)
			check(6, func(_, _ int) float32 { return all }, straight)
			check(7, func(i, j int) float32 {
				i, j = i&^1, j&^1
				return p[i][j] + p[i][j+1] + p[i+1][j] + p[i+1][j+1]
			}, func(i, j int) int { return i/2*matrixColumns/2 + j/2 })
			check(3, func(i, j int) float32 {
				b := i*across + j/inBlock
				return (float32(b%5)+0.5)*float32(b*3+j%inBlock) + float32(1000*i+100*(j/inBlock))
			}, straight)
		})
	}
}
