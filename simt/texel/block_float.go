package texel

import (
	"strings"
	"sync"
)

// BC6H: ends of halves, of which the other ones may be given by how far they are from the first.

// A floatMode is a row of the table of BC6H's modes: whether the other ends are differences, how many bits
// the first end's numbers have and the other's, red, green and blue, and which bits follow each other behind
// the mode: of red, green or blue of end w, x, y or z, "rw9:0" from bit 0 to bit 9, "rw10:11" from bit 11 to
// bit 10.
type floatMode struct {
	differences bool
	first       int
	other       [3]int
	layout      string
	fields      []floatField
}

// A floatField is some bits of a number.
type floatField struct {
	end, color, low, count int
	reversed               bool
}

// floatModes are the modes by their two or five bits.
var floatModes = map[int]*floatMode{
	0x00: {true, 10, [3]int{5, 5, 5}, "gy4 by4 bz4 rw9:0 gw9:0 bw9:0 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx4:0 " +
		"bz1 by3:0 ry4:0 bz2 rz4:0 bz3", nil},
	0x01: {true, 7, [3]int{6, 6, 6}, "gy5 gz4 gz5 rw6:0 bz0 bz1 by4 gw6:0 by5 bz2 gy4 bw6:0 bz3 bz5 bz4 " +
		"rx5:0 gy3:0 gx5:0 gz3:0 bx5:0 by3:0 ry5:0 rz5:0", nil},
	0x02: {true, 11, [3]int{5, 4, 4}, "rw9:0 gw9:0 bw9:0 rx4:0 rw10 gy3:0 gx3:0 gw10 bz0 gz3:0 bx3:0 bw10 " +
		"bz1 by3:0 ry4:0 bz2 rz4:0 bz3", nil},
	0x06: {true, 11, [3]int{4, 5, 4}, "rw9:0 gw9:0 bw9:0 rx3:0 rw10 gz4 gy3:0 gx4:0 gw10 gz3:0 bx3:0 bw10 " +
		"bz1 by3:0 ry3:0 bz0 bz2 rz3:0 gy4 bz3", nil},
	0x0a: {true, 11, [3]int{4, 4, 5}, "rw9:0 gw9:0 bw9:0 rx3:0 rw10 by4 gy3:0 gx3:0 gw10 bz0 gz3:0 bx4:0 " +
		"bw10 by3:0 ry3:0 bz1 bz2 rz3:0 bz4 bz3", nil},
	0x0e: {true, 9, [3]int{5, 5, 5}, "rw8:0 by4 gw8:0 gy4 bw8:0 bz4 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx4:0 " +
		"bz1 by3:0 ry4:0 bz2 rz4:0 bz3", nil},
	0x12: {true, 8, [3]int{6, 5, 5}, "rw7:0 gz4 by4 gw7:0 bz2 gy4 bw7:0 bz3 bz4 rx5:0 gy3:0 gx4:0 bz0 " +
		"gz3:0 bx4:0 bz1 by3:0 ry5:0 rz5:0", nil},
	0x16: {true, 8, [3]int{5, 6, 5}, "rw7:0 bz0 by4 gw7:0 gy5 gy4 bw7:0 gz5 bz4 rx4:0 gz4 gy3:0 gx5:0 " +
		"gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3", nil},
	0x1a: {true, 8, [3]int{5, 5, 6}, "rw7:0 bz1 by4 gw7:0 by5 gy4 bw7:0 bz5 bz4 rx4:0 gz4 gy3:0 gx4:0 bz0 " +
		"gz3:0 bx5:0 by3:0 ry4:0 bz2 rz4:0 bz3", nil},
	0x1e: {false, 6, [3]int{6, 6, 6}, "rw5:0 gz4 bz0 bz1 by4 gw5:0 gy5 by5 bz2 gy4 bw5:0 gz5 bz3 bz5 bz4 " +
		"rx5:0 gy3:0 gx5:0 gz3:0 bx5:0 by3:0 ry5:0 rz5:0", nil},
	0x03: {false, 10, [3]int{10, 10, 10}, "rw9:0 gw9:0 bw9:0 rx9:0 gx9:0 bx9:0", nil},
	0x07: {true, 11, [3]int{9, 9, 9}, "rw9:0 gw9:0 bw9:0 rx8:0 rw10 gx8:0 gw10 bx8:0 bw10", nil},
	0x0b: {true, 12, [3]int{8, 8, 8}, "rw9:0 gw9:0 bw9:0 rx7:0 rw10:11 gx7:0 gw10:11 bx7:0 bw10:11", nil},
	0x0f: {true, 16, [3]int{4, 4, 4}, "rw9:0 gw9:0 bw9:0 rx3:0 rw10:15 gx3:0 gw10:15 bx3:0 bw10:15", nil},
}

// modesRead are floatModes with their fields, which are read when they are first asked for.
var modesRead = sync.OnceValue(func() map[int]*floatMode {
	for _, m := range floatModes {
		for _, text := range strings.Fields(m.layout) {
			m.fields = append(m.fields, readFloatField(text))
		}
	}
	return floatModes
})

func readFloatField(text string) floatField {
	f := floatField{color: strings.IndexByte("rgb", text[0]), end: strings.IndexByte("wxyz", text[1])}
	number := func(s string) (n int) {
		for _, digit := range s {
			n = 10*n + int(digit-'0')
		}
		return n
	}
	from, to, several := strings.Cut(text[2:], ":")
	high, low := number(from), number(from)
	if several {
		low = number(to)
	}
	if f.reversed = low > high; f.reversed {
		high, low = low, high
	}
	f.low, f.count = low, high-low+1
	return f
}

// divisionBits is how many bits say how a block is divided.
const divisionBits = 5

// bcFloats is a color of BC6H.
func bcFloats(s bitString, part int, signed bool) Texel {
	number, width := int(s.lo&3), 2
	if number > 1 {
		number, width = int(s.lo&31), 5
	}
	m := modesRead()[number]
	if m == nil {
		return Texel{3: 1}
	}
	r := bitReader{s, width}
	var ends [4][3]int
	for _, f := range m.fields {
		for i := range f.count {
			at := f.low + i
			if f.reversed {
				at = f.low + f.count - 1 - i
			}
			ends[f.end][f.color] |= r.take(1) << at
		}
	}
	d, indexBits := division{1, 0}, 4
	if number&3 != 3 {
		d, indexBits = division{2, r.take(divisionBits)}, 3
	}
	m.whole(&ends, 2*d.subsets, signed)
	weight := weights[indexBits][d.index(s, r.next, indexBits, part)]
	e := ends[2*d.subset(part):]
	t := Texel{3: 1}
	for i := range 3 {
		v := between64(spread(e[0][i], m.first, signed), spread(e[1][i], m.first, signed), weight)
		t[i] = halfOf(v, signed)
	}
	return t
}

// whole makes numbers of what a block has of its ends: with their signs, and by adding differences.
func (m *floatMode) whole(ends *[4][3]int, n int, signed bool) {
	extend := func(v, width int) int {
		return v << (64 - width) >> (64 - width)
	}
	for i := range 3 {
		if signed {
			ends[0][i] = extend(ends[0][i], m.first)
		}
		for e := 1; e < n; e++ {
			v := &ends[e][i]
			if m.differences || signed {
				*v = extend(*v, m.other[i])
			}
			if m.differences {
				if *v = (*v + ends[0][i]) & (1<<m.first - 1); signed {
					*v = extend(*v, m.first)
				}
			}
		}
	}
}

// spread makes a number of 16 bits of one of so many.
func spread(v, width int, signed bool) int {
	if signed {
		return spreadSigned(v, width)
	}
	switch {
	case width >= 15 || v == 0:
		return v
	case v == 1<<width-1:
		return 0xffff
	}
	return (v<<15 + 0x4000) >> (width - 1)
}

func spreadSigned(v, width int) int {
	if width >= 16 {
		return v
	}
	sign := 1
	if v < 0 {
		sign, v = -1, -v
	}
	switch {
	case v == 0:
		return 0
	case v >= 1<<(width-1)-1:
		return sign * 0x7fff
	}
	return sign * ((v<<15 + 0x4000) >> (width - 1))
}

// halfOf is the number that a half with such bits is, after they are scaled into its range.
func halfOf(v int, signed bool) float64 {
	if !signed {
		return small(uint64(v*31>>6), 15)
	}
	if v < 0 {
		return -small(uint64(-v*31>>5), 15)
	}
	return small(uint64(v*31>>5), 15)
}
