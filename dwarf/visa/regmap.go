package visa

import (
	"fmt"
	"sort"
)

// LocationKind says what kind of storage a Location is in.
type LocationKind uint8

// The kinds of locations.
const (
	Undefined         LocationKind = iota // the value is lost
	InRegister                            // in the general register file
	InScratch                             // in the thread's scratch memory
	InAddressRegister                     // in the address registers
	InFlagRegister                        // in the flag registers
)

// The sizes of a0 and of one of f0 and f1.
const (
	addressRegisterBytes = 32
	flagRegisterBytes    = 4
)

var locationPrefix = [...]string{
	InRegister:        "grf",
	InScratch:         "scratch",
	InAddressRegister: "address",
	InFlagRegister:    "flag",
}

// Location is where bytes of a frame's register are now.
type Location struct {
	Kind   LocationKind
	Offset uint32 // byte offset into the register file, or scratch byte address
}

func (l Location) String() string {
	if l.Kind == Undefined {
		return "undefined"
	}
	return fmt.Sprintf("%s+%#x", locationPrefix[l.Kind], l.Offset)
}

func (l Location) plus(n uint32) Location {
	if l.Kind != Undefined {
		l.Offset += n
	}
	return l
}

// Piece is the location of some consecutive bytes.
type Piece struct {
	Size uint32
	Location
}

// regMap says for each byte of a frame's register file where its value is. It
// is a list of segments without gaps; neighbours that continue each other are
// one segment. A regMap is not changed once its frame is built.
type regMap []segment

type segment struct {
	start uint32
	loc   Location
}

// identityMap is the map of a running frame: every register holds its own value.
func identityMap() regMap { return regMap{{start: 0, loc: Location{Kind: InRegister}}} }

// find gives the index of the segment that holds a byte.
func (m regMap) find(offset uint32) int {
	return sort.Search(len(m), func(i int) bool { return m[i].start > offset }) - 1
}

func (m regMap) at(offset uint32) Location {
	s := m[m.find(offset)]
	return s.loc.plus(offset - s.start)
}

// with gives the map that differs from m in the bytes [offset, offset+size).
func (m regMap) with(offset, size uint32, loc Location) regMap {
	if size == 0 {
		return m
	}
	n := make(regMap, 0, len(m)+2)
	for _, s := range m {
		if s.start < offset {
			n = append(n, s)
		}
	}
	n = n.join(segment{offset, loc})
	end := offset + size
	n = n.join(segment{end, m.at(end)})
	for _, s := range m {
		if s.start > end {
			n = append(n, s)
		}
	}
	return n
}

// join appends a segment unless the last one already says the same.
func (m regMap) join(s segment) regMap {
	if len(m) > 0 {
		last := m[len(m)-1]
		if last.loc.plus(s.start-last.start) == s.loc {
			return m
		}
	}
	return append(m, s)
}

// pieces lists the locations of the bytes [offset, offset+size).
func (m regMap) pieces(offset, size uint32) []Piece {
	var p []Piece
	end := offset + size
	for i := m.find(offset); offset < end; i++ {
		next := end
		if i+1 < len(m) && m[i+1].start < end {
			next = m[i+1].start
		}
		p = append(p, Piece{Size: next - offset, Location: m[i].loc.plus(offset - m[i].start)})
		offset = next
	}
	return p
}
