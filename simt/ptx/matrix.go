package ptx

import (
	"math"
	"sync"

	"simtgdb/simt/vec"
)

// A matrix that the lanes of a warp hold together: each has some of its elements, a few in each register
// (PTX ISA, "Warp-level Matrix Instructions").

// A layout says where the elements of a matrix are.
type layout struct {
	rows, cols int
	width      int       // of an element, in bits
	at         []element // of the elements, row by row
	regs       int       // how many each lane has
}

// An element is in a lane's register, at a bit of it.
type element struct {
	lane, reg, shift uint8
}

// layouts are those that have been made.
var layouts sync.Map

type layoutOf struct {
	rows, cols, width, each int
}

// fragment is the layout that all instructions have but mma.m8n8k4 of halves: eight rows and four registers
// of each row, side by side, are the lanes of a warp; then come the rows below, and then the columns that
// follow. A register has each of them if it is wide enough for that many. A matrix that is the second factor,
// or for which a program says .col, is laid out turned over: its columns are rows here.
func fragment(rows, cols, width, each int) *layout {
	key := layoutOf{rows: rows, cols: cols, width: width, each: each}
	if l, ok := layouts.Load(key); ok {
		return l.(*layout)
	}
	register := max(32, width)
	l := &layout{rows: rows, cols: cols, width: width, at: make([]element, rows*cols)}
	across := 4 * each // columns that a row of lanes has
	for r := range rows {
		for c := range cols {
			slot := (c/across*(rows/8)+r/8)*each + c%each
			bit := slot * width
			l.at[r*cols+c] = element{lane: uint8(r%8*4 + c%across/each), reg: uint8(bit / register),
				shift: uint8(bit % register)}
			l.regs = max(l.regs, bit/register+1)
		}
	}
	layouts.Store(key, l)
	return l
}

// factor is the layout of a factor of a product: as many elements of a row in a register as there is room
// for.
func factor(rows, cols, width int) *layout { return fragment(rows, cols, width, max(32/width, 1)) }

// result is the layout of a sum: two elements of a row beside each other are in one lane.
func result(rows, cols, width int) *layout { return fragment(rows, cols, width, 2) }

// A numeric is what elements of a type are as numbers.
type numeric struct {
	width int
	value func(bits uint64) float64
}

// halfValues and bfloatValues are the values of all numbers of 16 bits, made when first needed.
var halfValues, bfloatValues = sync.OnceValue(func() []float32 { return allValues(half) }),
	sync.OnceValue(func() []float32 { return allValues(bfloat) })

func allValues(f *format) []float32 {
	all := make([]float32, 1<<f.width)
	for i := range all {
		all[i] = float32(f.value(uint64(i)))
	}
	return all
}

// numerics are the types of floating-point elements.
var numerics = map[string]func() numeric{
	"f16": func() numeric {
		table := halfValues()
		return numeric{16, func(v uint64) float64 { return float64(table[uint16(v)]) }}
	},
	"bf16": func() numeric {
		table := bfloatValues()
		return numeric{16, func(v uint64) float64 { return float64(table[uint16(v)]) }}
	},
	"tf32": func() numeric { // the bits behind those that count are ignored
		return numeric{32, func(v uint64) float64 { return float64(f32(v &^ (1<<13 - 1))) }}
	},
	"f32":  func() numeric { return numeric{32, func(v uint64) float64 { return float64(f32(v)) }} },
	"f64":  func() numeric { return numeric{64, f64} },
	"e4m3": func() numeric { return numeric{8, e4m3.value} },
	"e5m2": func() numeric { return numeric{8, e5m2.value} },
}

// integerWidths are the types of elements that are whole numbers.
var integerWidths = map[string]int{"s32": 32, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1}

// elementWidth is the width of an element of a type, 0 for none.
func elementWidth(typ string) int {
	if n, ok := numerics[typ]; ok {
		return n().width
	}
	return integerWidths[typ]
}

// roundHalf is a double as a half, to nearest.
func roundHalf(v float64) uint64 {
	b := math.Float64bits(v)
	exp := int(b>>52&0x7ff) - 1023
	if exp < half.emin || exp > half.emax {
		return half.round(v, nearest)
	}
	const drop = 52 - 10
	m := b & (1<<52 - 1)
	out := uint64(exp+15)<<10 | m>>drop
	if rest, tie := m&(1<<drop-1), uint64(1)<<(drop-1); rest > tie || rest == tie && out&1 != 0 {
		out++ // into the exponent, and on to infinity, where it is due
	}
	return b>>63<<15 | out
}

// rounders make elements of sums.
var rounders = map[string]func(v float64) uint64{
	"f16": roundHalf,
	"f32": func(v float64) uint64 { return round32(v, nearest) },
}

// elements reads the elements of a matrix out of registers.
func (l *layout) elements(to []uint64, regs []*vec.Wide) {
	mask := widthMask(l.width)
	for i, e := range l.at {
		to[i] = regs[e.reg][e.lane] >> e.shift & mask
	}
}

// put adds elements to registers that are 0.
func (l *layout) put(regs []vec.Wide, from []uint64) {
	for i, e := range l.at {
		regs[e.reg][e.lane] |= from[i] << e.shift
	}
}
