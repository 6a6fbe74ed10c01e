package ptx

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// A tensorMap says how an array of up to five dimensions lies in global memory, and which box of it a bulk
// tensor copy moves. A program has it as 128 bytes that the host fills (cuTensorMapEncodeTiled and …Im2col in
// cuda_tensor.c, whose layout is this one) and that tensormap.replace changes; neither CUDA nor the PTX ISA
// says what is in them. Dimension 0 is the one whose elements lie beside each other.
type tensorMap struct {
	im2col  bool
	element *tensorElement
	rank    int
	swizzle uint8
	fill    uint8
	address uint64
	size    [tensorRank]int64  // in elements
	pitch   [tensorRank]uint64 // bytes from an element to its neighbour; [0] is an element's size
	box     [tensorRank]int64  // in elements, of which every step-th is moved
	step    [tensorRank]int64
	// Of im2col: the corners of the box that pixels are in, from those of the array, in dimensions 1 and up.
	lower, upper     [tensorRank - 2]int64
	channels, pixels int64
}

const (
	tensorRank     = 5
	tensorMapBytes = 128
	tensorMapMagic = 0x504d54 // in three bytes; the number of dimensions is in the fourth
	// mostBox and mostStep are the largest box and step of a dimension (CUDA driver API,
	// cuTensorMapEncodeTiled).
	mostBox, mostStep = 256, 8
)

// Where the fields are.
const (
	tensorMagic   = 0
	tensorMode    = 4
	tensorType    = 5
	tensorPacked  = 7 // interleave
	tensorSwizzle = 8
	tensorFill    = 9
	tensorAddress = 16
	tensorSize    = 24 // of each dimension, less one
	tensorPitch   = 48 // from dimension 1 on
	tensorBox     = 80
	tensorStep    = 90
	tensorLower   = 96
	tensorUpper   = 102
	tensorWide    = 108 // channels
	tensorPixels  = 110
)

// A tensorElement is a type of elements, as CUtensorMapDataType counts them.
type tensorElement struct {
	typ  string
	size int
	nan  uint64 // what is filled in for elements outside, where that is asked for
}

var tensorElements = [...]tensorElement{{"u8", 1, 0}, {"u16", 2, 0}, {"u32", 4, 0}, {"s32", 4, 0},
	{"u64", 8, 0},
	{"s64", 8, 0}, {"f16", 2, 0x7fff}, {"f32", 4, math.MaxInt32}, {"f64", 8, math.MaxInt64},
	{"bf16", 2, 0x7fff},
	{"f32", 4, math.MaxInt32}, {"f32", 4, math.MaxInt32}, {"f32", 4, math.MaxInt32}}

// tensorUnits gives for each swizzle by how many bits of the address, from which on, its units of 16 bytes
// are exchanged, and how far above those are the bits that say so.
var tensorUnits = [...]struct{ bits, from, above uint64 }{{}, {1, 4, 3}, {2, 4, 3}, {3, 4, 3}, {2, 5, 2}}

// swizzled is where in shared memory a byte of a box goes.
func (m *tensorMap) swizzled(addr uint64) uint64 {
	s := tensorUnits[m.swizzle]
	return addr ^ addr>>s.above&((1<<s.bits-1)<<s.from)
}

func parseTensorMap(b []byte) (*tensorMap, error) {
	if len(b) < tensorMapBytes || binary.LittleEndian.Uint32(b[tensorMagic:])&(1<<24-1) != tensorMapMagic {
		return nil, errors.New("what is there was made by neither cuTensorMapEncode… nor tensormap.replace")
	}
	m := &tensorMap{im2col: b[tensorMode] == 1, rank: int(b[tensorMagic+3]), swizzle: b[tensorSwizzle],
		fill: b[tensorFill], address: binary.LittleEndian.Uint64(b[tensorAddress:])}
	switch {
	case m.rank < 1 || m.rank > tensorRank:
		return nil, fmt.Errorf("the tensor map has %d dimensions; expected 1 to 5", m.rank)
	case int(b[tensorType]) >= len(tensorElements):
		return nil, fmt.Errorf("the tensor map's elements are of type %d, which is not simulated",
			b[tensorType])
	case b[tensorPacked] != 0:
		return nil, errors.New("the tensor map's elements are interleaved, which is not simulated")
	case int(m.swizzle) >= len(tensorUnits):
		return nil, fmt.Errorf("the tensor map's swizzle is %d, which is not simulated", m.swizzle)
	}
	m.element = &tensorElements[b[tensorType]]
	m.pitch[0] = uint64(m.element.size)
	for i := range m.rank {
		m.size[i] = int64(binary.LittleEndian.Uint32(b[tensorSize+4*i:])) + 1
		if i > 0 {
			m.pitch[i] = binary.LittleEndian.Uint64(b[tensorPitch+8*(i-1):])
		}
		m.box[i], m.step[i] = int64(binary.LittleEndian.Uint16(b[tensorBox+2*i:])), int64(b[tensorStep+i])
		if m.step[i] < 1 || m.step[i] > mostStep || !m.im2col && (m.box[i] < 1 || m.box[i] > mostBox) {
			return nil, fmt.Errorf("the tensor map's dimension %d has a box of %d and a step of %d; "+
				"expected 1 to %d and 1 to %d", i, m.box[i], m.step[i], mostBox, mostStep)
		}
	}
	for i := range m.lower {
		m.lower[i] = int64(int16(binary.LittleEndian.Uint16(b[tensorLower+2*i:])))
		m.upper[i] = int64(int16(binary.LittleEndian.Uint16(b[tensorUpper+2*i:])))
	}
	m.channels = int64(binary.LittleEndian.Uint16(b[tensorWide:]))
	m.pixels = int64(binary.LittleEndian.Uint16(b[tensorPixels:]))
	if m.im2col && (m.rank < 3 || m.channels < 1 || m.channels > mostBox || m.pixels < 1 || m.pixels > 1024) {
		return nil, fmt.Errorf("the tensor map is of im2col with %d dimensions, %d channels and %d pixels; "+
			"expected 3 to 5, 1 to %d and 1 to 1024", m.rank, m.channels, m.pixels, mostBox)
	}
	if row := m.rowElements() * int64(m.element.size); row%copyPiece != 0 {
		return nil, fmt.Errorf("the rows of the tensor map's box have %d bytes; expected a multiple of %d",
			row, copyPiece)
	}
	return m, nil
}

// rowElements is how many elements of dimension 0 a box has.
func (m *tensorMap) rowElements() int64 {
	if m.im2col {
		return m.channels
	}
	return (m.box[0] + m.step[0] - 1) / m.step[0]
}

// A tensorPoint is where an element is, in elements of each dimension.
type tensorPoint [tensorRank]int64

// rows are the beginnings of the rows of a box that lie in dimension 0, in the order that they have in shared
// memory.
func (m *tensorMap) rows(at, offset tensorPoint, row func(at tensorPoint) bool) {
	if m.im2col {
		m.pixelRows(at, offset, row)
		return
	}
	var walk func(dim int, at tensorPoint) bool
	walk = func(dim int, p tensorPoint) bool {
		if dim == 0 {
			return row(p)
		}
		for i := int64(0); i < m.box[dim]; i += m.step[dim] {
			p[dim] = at[dim] + i
			if !walk(dim-1, p) {
				return false
			}
		}
		return true
	}
	walk(m.rank-1, at)
}

// pixelRows are those of im2col: pixels follow each other in the box of corners, first along dimension 1, and
// each is moved by the offset, which is a place of a filter (PTX ISA, "Tensors: Im2col mode").
func (m *tensorMap) pixelRows(at, offset tensorPoint, row func(at tensorPoint) bool) {
	last := m.rank - 1 // the number of the picture
	for range m.pixels {
		p := at
		for d := 1; d < last; d++ {
			p[d] += offset[d]
		}
		if !row(p) {
			return
		}
		for d := 1; d <= last; d++ {
			if d == last {
				at[d]++
				break
			}
			if at[d] += m.step[d]; at[d] < m.size[d]+m.upper[d-1] {
				break
			}
			at[d] = m.lower[d-1]
		}
	}
}

// A tensorPiece is 16 bytes of a box: elements that lie beside each other in shared memory.
type tensorPiece struct {
	offset uint64 // in the box
	from   uint64 // address of the first element in global memory
	apart  uint64 // bytes from there to the next
	inside uint32 // the elements that the array has
	all    bool   // … every one, and they lie beside each other in global memory, too, at a multiple of 16
}

// pieces are those of the box that begins at a point.
func (m *tensorMap) pieces(at, offset tensorPoint, piece func(p *tensorPiece) bool) {
	step, size := int64(1), int64(m.element.size)
	if !m.im2col {
		step = m.step[0]
	}
	each := copyPiece / size
	to := uint64(0)
	m.rows(at, offset, func(r tensorPoint) bool {
		in, from := true, m.address
		for d := 1; d < m.rank; d++ {
			in = in && r[d] >= 0 && r[d] < m.size[d]
			from += uint64(r[d]) * m.pitch[d]
		}
		for e := int64(0); e < m.rowElements(); e += each {
			first := r[0] + e*step
			p := tensorPiece{offset: to, from: from + uint64(first*size), apart: uint64(step * size)}
			for i := range each {
				if c := first + i*step; in && c >= 0 && c < m.size[0] {
					p.inside |= 1 << i
				}
			}
			p.all = p.inside == 1<<each-1 && step == 1 && p.from%copyPiece == 0
			to += copyPiece
			if !piece(&p) {
				return false
			}
		}
		return true
	})
}

// bytes is how many a box has.
func (m *tensorMap) bytes() int64 {
	n := m.rowElements() * int64(m.element.size)
	if m.im2col {
		return n * m.pixels
	}
	for d := 1; d < m.rank; d++ {
		n *= (m.box[d] + m.step[d] - 1) / m.step[d]
	}
	return n
}

// fillNaN is the value of CUtensorMapFloatOOBfill that asks for numbers that are none.
const fillNaN = 1

// outside puts into a piece what stands for elements that the array has not.
func (m *tensorMap) outside(p *tensorPiece, to []byte) {
	for i := 0; i*m.element.size < len(to); i++ {
		if p.inside>>i&1 == 0 {
			v := uint64(0)
			if m.fill == fillNaN {
				v = m.element.nan
			}
			putWord(to[i*m.element.size:], m.element.size, v)
		}
	}
}
