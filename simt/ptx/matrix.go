package ptx

import (
	"math/bits"
	"sync"

	"simtgdb/simt/ptx/numeric"
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

// An elementType is what elements of a type are as numbers.
type elementType struct {
	width int
	value func(bits uint64) float64
	all   []float32 // of the types of few bits
}

// shortType is a type of 8 or 16 bits, the values of whose numbers are made when first needed.
func shortType(f *numeric.Format) func() elementType {
	return sync.OnceValue(func() elementType {
		all := f.Values()
		value := func(v uint64) float64 { return float64(all[v&uint64(len(all)-1)]) }
		return elementType{bits.Len(uint(len(all) - 1)), value, all}
	})
}

// elementTypes are the types of floating-point elements.
var elementTypes = map[string]func() elementType{
	"f16": shortType(numeric.Half), "bf16": shortType(numeric.BFloat), "e4m3": shortType(numeric.E4M3),
	"e5m2": shortType(numeric.E5M2),
	"tf32": func() elementType { // the bits behind those that count are ignored
		value := func(v uint64) float64 { return float64(numeric.F32(v &^ (1<<13 - 1))) }
		return elementType{width: 32, value: value}
	},
	"f32": func() elementType {
		return elementType{width: 32, value: func(v uint64) float64 { return float64(numeric.F32(v)) }}
	},
	"f64": func() elementType { return elementType{width: 64, value: numeric.F64} },
}

// integerWidths are the types of elements that are whole numbers.
var integerWidths = map[string]int{"s32": 32, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1}

// elementWidth is the width of an element of a type, 0 for none.
func elementWidth(typ string) int {
	if n, ok := elementTypes[typ]; ok {
		return n().width
	}
	return integerWidths[typ]
}

// rounders make elements of sums.
var rounders = map[string]func(v float64) uint64{
	"f16": numeric.RoundHalf,
	"f32": func(v float64) uint64 { return numeric.Round32(v, numeric.Nearest) },
	"f64": numeric.Result64,
}

// elements reads the elements of a matrix out of registers.
func (l *layout) elements(to []uint64, regs []*vec.Wide) {
	mask := numeric.Mask(l.width)
	for i, e := range l.at {
		to[i] = regs[e.reg][e.lane&31] >> (e.shift & 63) & mask
	}
}

// put adds elements to registers that are 0.
func (l *layout) put(regs []vec.Wide, from []uint64) {
	for i, e := range l.at {
		regs[e.reg][e.lane] |= from[i] << e.shift
	}
}
