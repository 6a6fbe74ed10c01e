package texel

import (
	"encoding/binary"
	"math/bits"
)

// Formats of blocks (Khronos Data Format Specification, "S3TC", "RGTC", "BPTC", "ETC2"): sixteen texels are
// described together, by colors and an index for each. They are read alone.

// A blockKind is what a block of a format is.
type blockKind uint8

const (
	bc1 blockKind = iota + 1
	bc1Alpha
	bc2
	bc3
	bc4
	bc5
	bc6
	bc7
	etc2
	etc2Punch
	etc2Alpha
	eac1
	eac2
)

// blockSide is how many texels wide and high a block is.
const blockSide = 4

// blockFormats are rows of the table of VkFormat.
var blockFormats = []struct {
	first    uint32
	name     string
	kind     blockKind
	size     int
	channels int
	numerics string // as families have them
}{
	{131, "bc1_rgb", bc1, 8, 3, "nr"}, {133, "bc1_rgba", bc1Alpha, 8, 4, "nr"},
	{135, "bc2", bc2, 16, 4, "nr"},
	{137, "bc3", bc3, 16, 4, "nr"}, {139, "bc4", bc4, 8, 1, "ns"}, {141, "bc5", bc5, 16, 2, "ns"},
	{143, "bc6h", bc6, 16, 3, "Ff"}, {145, "bc7", bc7, 16, 4, "nr"}, {147, "etc2_r8g8b8", etc2, 8, 3, "nr"},
	{149, "etc2_r8g8b8a1", etc2Punch, 8, 4, "nr"}, {151, "etc2_r8g8b8a8", etc2Alpha, 16, 4, "nr"},
	{153, "eac_r11", eac1, 8, 1, "ns"}, {155, "eac_r11g11", eac2, 16, 2, "ns"},
}

func (all formats) addBlocks() {
	for _, row := range blockFormats {
		for i := range row.numerics {
			f := &Format{Name: row.name + "_" + words[letters[row.numerics[i]]] + "_block",
				Number: row.first + uint32(i), Size: row.size, Numeric: letters[row.numerics[i]],
				block: row.kind}
			for c := range row.channels {
				f.channels = append(f.channels, channel{component: uint8(c), bits: 8})
			}
			all[f.Number] = f
		}
	}
}

// Side is how many texels wide and high a piece of memory of the format's size is: 1, or 4 of blocks.
func (f *Format) Side() int {
	if f.block != 0 {
		return blockSide
	}
	return 1
}

// blocks is how many pieces of memory so many texels in a row or a column have.
func (f *Format) blocks(texels int) int { return (texels + f.Side() - 1) / f.Side() }

// Part is the number of a texel in its block, row by row.
func (f *Format) Part(x, y int) int {
	if f.block == 0 {
		return 0
	}
	return y%blockSide*blockSide + x%blockSide
}

// DecodePart makes numbers of the bytes of a block: of the texel with a number, row by row. A format without
// blocks has one texel.
func (f *Format) DecodePart(b []byte, part int) Texel {
	if f.block == 0 {
		return f.Decode(b)
	}
	x, y := part%blockSide, part/blockSide
	le := binary.LittleEndian.Uint64
	var t Texel
	switch f.block {
	case bc1, bc1Alpha:
		t = bcColor(le(b), part, f.block)
	case bc2:
		t = bcColor(le(b[8:]), part, bc2)
		t[3] = float64(le(b)>>(4*part)&15) / 15
	case bc3:
		t = bcColor(le(b[8:]), part, bc3)
		t[3] = bcNumber(le(b), part, false)
	case bc4:
		return Texel{bcNumber(le(b), part, f.Numeric == Snorm), 0, 0, 1}
	case bc5:
		return Texel{bcNumber(le(b), part, f.Numeric == Snorm), bcNumber(le(b[8:]), part, f.Numeric == Snorm),
			0, 1}
	case bc6:
		return bcFloats(bitString{le(b), le(b[8:])}, part, f.Numeric == Float)
	case bc7:
		t = bcColors(bitString{le(b), le(b[8:])}, part)
	case etc2, etc2Punch:
		t = etcColor(binary.BigEndian.Uint64(b), x, y, f.block == etc2Punch)
	case etc2Alpha:
		t = etcColor(binary.BigEndian.Uint64(b[8:]), x, y, false)
		t[3] = float64(eacByte(binary.BigEndian.Uint64(b), x, y)) / 255
	case eac1:
		return Texel{eacNumber(binary.BigEndian.Uint64(b), x, y, f.Numeric == Snorm), 0, 0, 1}
	case eac2:
		return Texel{eacNumber(binary.BigEndian.Uint64(b), x, y, f.Numeric == Snorm),
			eacNumber(binary.BigEndian.Uint64(b[8:]), x, y, f.Numeric == Snorm), 0, 1}
	}
	if f.Numeric == SRGB {
		for i := range 3 {
			t[i] = fromSRGB(t[i])
		}
	}
	return t
}

// bcColor is a color of S3TC: one of two ends, or between them. With the ends in the other order there is one
// color between them, and black; only BC1 has that.
func bcColor(b uint64, part int, kind blockKind) Texel {
	ends := [2]uint64{b & 0xffff, b >> 16 & 0xffff}
	var c [2]Texel
	for i, e := range ends {
		c[i] = Texel{float64(e>>11) / 31, float64(e>>5&63) / 63, float64(e&31) / 31, 1}
	}
	index := b >> (32 + 2*part) & 3
	four := ends[0] > ends[1] || kind == bc2 || kind == bc3
	switch {
	case index < 2:
		return c[index]
	case four && index == 2:
		return mix(c[0], c[1], 1.0/3)
	case four:
		return mix(c[0], c[1], 2.0/3)
	case index == 2:
		return mix(c[0], c[1], 0.5)
	case kind == bc1Alpha:
		return Texel{}
	}
	return Texel{0, 0, 0, 1}
}

func mix(a, b Texel, part float64) Texel {
	for i := range a {
		a[i] = float64(a[i]*(1-part)) + float64(b[i]*part)
	}
	return a
}

// bcNumber is a number of RGTC: one of two ends, one of those between them, or with the ends in the other
// order the least or the greatest that there is.
func bcNumber(b uint64, part int, signed bool) float64 {
	ends, least := [2]float64{float64(b & 0xff), float64(b >> 8 & 0xff)}, 0.0
	most := 255.0
	if signed {
		most, least = 127, -127
		for i := range ends {
			ends[i] = max(float64(int8(b>>(8*i))), least)
		}
	}
	steps := 7
	inOrder := b&0xff > b>>8&0xff
	if signed {
		inOrder = int8(b) > int8(b>>8)
	}
	if !inOrder {
		steps = 5
	}
	index := int(b >> (16 + 3*part) & 7)
	switch {
	case index < 2:
		return ends[index] / most
	case index > steps && index == 6:
		return least / most
	case index > steps:
		return 1
	}
	n := float64(index - 1)
	return float64(float64(ends[0]*(float64(steps)-n))+float64(ends[1]*n)) / float64(steps) / most
}

// A bitString is the 128 bits of a block, which fields follow each other in from the lowest on.
type bitString struct{ lo, hi uint64 }

// at is n bits from a place on.
func (s bitString) at(from, n int) int {
	v := s.lo >> from
	switch {
	case from >= 64:
		v = s.hi >> (from - 64)
	case from > 0:
		v |= s.hi << (64 - from)
	}
	return int(v & (1<<n - 1))
}

// A bitReader takes fields one after the other.
type bitReader struct {
	bitString
	next int
}

func (r *bitReader) take(n int) int {
	v := r.at(r.next, n)
	r.next += n
	return v
}

// partsOf2 are which texels are in the second subset, by bits, for each way to divide a block in two;
// anchors2 the first texel of that, whose index has a bit less.
var partsOf2 = [64]uint16{
	0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80, 0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8,
	0xff00, 0xfff0, 0xf000, 0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310, 0x3100, 0x8cce, 0x088c, 0x3110,
	0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c, 0xaaaa, 0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696,
	0xa55a, 0x73ce, 0x13c8, 0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660, 0x0272, 0x04e4, 0x4e40, 0x2720,
	0xc936, 0x936c, 0x39c6, 0x639c, 0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22}

// partsOf3 are the subsets of texels, of two bits each, for each way to divide a block in three.
var partsOf3 = [64]uint32{
	0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050, 0x5555a0a0, 0x5a5a5050,
	0xaa550000, 0xaa555500, 0xaaaa5500, 0x90909090, 0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250,
	0xa5945040, 0x0a425054, 0xa5a5a500, 0x55a0a0a0, 0xa8a85454, 0x6a6a4040, 0xa4a45000, 0x1a1a0500,
	0x0050a4a4, 0xaaa59090, 0x14696914, 0x69691400, 0xa08585a0, 0xaa821414, 0x50a4a450, 0x6a5a0200,
	0xa9a58000, 0x5090a0a8, 0xa8a09050, 0x24242424, 0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50,
	0x500aa550, 0xaaaa4444, 0x66660000, 0xa5a0a5a0, 0x50a050a0, 0x69286928, 0x44aaaa44, 0x66666600,
	0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580,
	0xaa141414, 0x96960000, 0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000, 0x40804080, 0xa9a8a9a8,
	0xaaaaaa44, 0x2a4a5254}

// The texels whose index has a bit less, besides the first one: of the second of two subsets, of the second
// of three, of the third.
var (
	anchors2 = [64]uint8{15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 2, 8, 2, 2, 8, 8,
		15, 2, 8, 2, 2, 8, 8, 2, 2, 15, 15, 6, 8, 2, 8, 15, 15, 2, 8, 2, 2, 2, 15, 15, 6, 6, 2, 6, 8, 15, 15,
		2, 2, 15, 15, 15, 15, 15, 2, 2, 15}
	anchors3 = [2][64]uint8{{3, 3, 15, 15, 8, 3, 15, 15, 8, 8, 6, 6, 6, 5, 3, 3, 3, 3, 8, 15, 3, 3, 6, 10, 5,
		8, 8, 6, 8, 5, 15, 15, 8, 15, 3, 5, 6, 10, 8, 15, 15, 3, 15, 5, 15, 15, 15, 15, 3, 15, 5, 5, 5, 8, 5,
		10, 5, 10, 8, 13, 15, 12, 3, 3}, {15, 8, 8, 3, 15, 15, 3, 8, 15, 15, 15, 15, 15, 15, 15, 8, 15, 8, 15,
		3, 15, 8, 15, 8, 3, 15, 6, 10, 15, 15, 10, 8, 15, 3, 15, 10, 10, 8, 9, 10, 6, 15, 8, 15, 3, 6, 6, 8,
		15, 3, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 3, 15, 15, 8}}
)

// A division is how a block's texels are divided.
type division struct{ subsets, number int }

// subset is which one a texel is in.
func (d division) subset(part int) int {
	switch d.subsets {
	case 2:
		return int(partsOf2[d.number] >> part & 1)
	case 3:
		return int(partsOf3[d.number] >> (2 * part) & 3)
	}
	return 0
}

// anchor reports whether a texel's index has a bit less.
func (d division) anchor(part int) bool {
	n := uint8(part)
	return part == 0 || d.subsets == 2 && anchors2[d.number] == n ||
		d.subsets == 3 && (anchors3[0][d.number] == n || anchors3[1][d.number] == n)
}

// index takes a texel's index out of those that begin at a bit, of so many bits each.
func (d division) index(s bitString, from, n, part int) int {
	for i := range part {
		if from += n; d.anchor(i) {
			from--
		}
	}
	if d.anchor(part) {
		n--
	}
	return s.at(from, n)
}

// weights are those of indices of 2, 3 and 4 bits, of 64.
var weights = [5][]int{2: {0, 21, 43, 64}, 3: {0, 9, 18, 27, 37, 46, 55, 64},
	4: {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64}}

func between64(a, b, weight int) int { return (a*(64-weight) + b*weight + 32) >> 6 }

// A colorMode is a row of the table of BC7's modes: numbers of subsets and of bits.
type colorMode struct {
	subsets, division, rotation, selector int
	color, alpha                          int
	ownBits, sharedBits                   bool // a last bit of each end, or of both of a subset
	index, second                         int
}

var colorModes = [8]colorMode{
	{3, 4, 0, 0, 4, 0, true, false, 3, 0}, {2, 6, 0, 0, 6, 0, false, true, 3, 0},
	{3, 6, 0, 0, 5, 0, false, false, 2, 0},
	{2, 6, 0, 0, 7, 0, true, false, 2, 0}, {1, 0, 2, 1, 5, 6, false, false, 2, 3},
	{1, 0, 2, 0, 7, 8, false, false, 2, 2},
	{1, 0, 0, 0, 7, 7, true, false, 4, 0}, {2, 6, 0, 0, 5, 5, true, false, 2, 0}}

// bcColors is a color of BC7.
func bcColors(s bitString, part int) Texel {
	number := bits.TrailingZeros8(uint8(s.lo))
	if number == len(colorModes) {
		return Texel{}
	}
	m := &colorModes[number]
	r := bitReader{s, number + 1}
	d := division{m.subsets, r.take(m.division)}
	rotation, selector := r.take(m.rotation), r.take(m.selector)
	ends := m.ends(&r)
	colorIndex := d.index(s, r.next, m.index, part)
	colorBits, alphaBits, alphaIndex := m.index, m.index, colorIndex
	if m.second > 0 {
		from := r.next + 16*m.index - m.subsets
		alphaBits, alphaIndex = m.second, d.index(s, from, m.second, part)
	}
	if selector == 1 {
		colorBits, colorIndex, alphaBits, alphaIndex = alphaBits, alphaIndex, colorBits, colorIndex
	}
	e := ends[2*d.subset(part):]
	var c [4]int
	for i := range c {
		weight := weights[colorBits][colorIndex]
		if i == 3 {
			weight = weights[alphaBits][alphaIndex]
		}
		c[i] = between64(e[0][i], e[1][i], weight)
	}
	if rotation > 0 {
		c[3], c[rotation-1] = c[rotation-1], c[3]
	}
	return Texel{float64(c[0]) / 255, float64(c[1]) / 255, float64(c[2]) / 255, float64(c[3]) / 255}
}

// ends takes the ends of the subsets, and makes each number eight bits.
func (m *colorMode) ends(r *bitReader) (ends [6][4]int) {
	n := 2 * m.subsets
	for i := range 4 {
		for e := range n {
			switch {
			case i < 3:
				ends[e][i] = r.take(m.color)
			case m.alpha > 0:
				ends[e][i] = r.take(m.alpha)
			default:
				ends[e][i] = 255
			}
		}
	}
	var last [6]int
	extra := 0
	if m.ownBits || m.sharedBits {
		extra = 1
	}
	for e := range n {
		switch {
		case m.ownBits:
			last[e] = r.take(1)
		case m.sharedBits && e%2 == 0:
			last[e] = r.take(1)
		case m.sharedBits:
			last[e] = last[e-1]
		}
	}
	for e := range n {
		for i := range 4 {
			width := m.color
			if i == 3 {
				if width = m.alpha; width == 0 {
					continue
				}
			}
			ends[e][i] = eightBits(ends[e][i]<<extra|last[e]&extra, width+extra)
		}
	}
	return ends
}

// eightBits repeats a number's bits from its highest on until they are eight.
func eightBits(v, width int) int {
	v <<= 8 - width
	return v | v>>width
}
