package decode

import (
	"bytes"
	"fmt"

	"simtgdb/stub/printf"
)

// readOpenCL reads the record at the start of b: an ID and the values, each at
// a multiple of 4.
func (s *Strings) readOpenCL(b []byte, w Writer) (Record, bool, error) {
	id := u32(b)
	f, ok := s.opencl[id]
	if !ok {
		return Record{}, false, fmt.Errorf("ID %d is not in amdhsa.printf, which has %d", id, len(s.opencl))
	}
	if f.size > len(b) {
		return Record{}, false, fmt.Errorf("ID %d has %d bytes, %d are left", id, f.size, len(b))
	}
	l := layout{data: b[4:f.size], fields: fields(f.format), sizes: f.sizes}
	places, written := l.solve()
	if written < w.needs() {
		return Record{}, false, nil
	}
	r := Record{Size: f.size, Incomplete: written == some}
	r.Text, r.Problems = f.format.Append(nil, l.values(places))
	return r, true, nil
}

// A layout finds where the values of a record lie. clang 22 announces one
// dword too many for a string whose length is a multiple of 4, and stores it
// without a NUL: what follows lies 4 bytes earlier than the sizes say, and for
// each such short string a dword at the end of the record stays unwritten.
type layout struct {
	data   []byte
	fields []*printf.Conversion
	sizes  []int
}

// A place is where a value lies; a size of it.
type place struct{ at, size int }

// maxStrings is for how many strings of a record the short ones are found.
const maxStrings = 128

// A progress is how much of a record is there.
type progress uint8

const (
	some     progress = iota
	probably          // all, if what is missing at the end is that of short strings
	all
)

// needs is how much must be there for a record to be read.
func (w Writer) needs() progress { return [...]progress{all, probably, some}[w] }

// solve finds the places, and how much is there.
func (l *layout) solve() ([]place, progress) {
	tail := 0 // dwords that nobody wrote at the end
	for n := len(l.data); tail*4+4 <= n && u32(l.data[n-4*tail-4:]) == unwritten; {
		tail++
	}
	tail -= l.untouched()
	strings := 0
	for i := range l.sizes {
		if l.canBeShort(i) {
			strings++
		}
	}
	short := min(max(tail, 0), strings)
	places := l.plain()
	if short > 0 && strings <= maxStrings {
		if found, ok := l.place(short); ok {
			places = found
		}
	}
	switch {
	case tail > short || !l.written(places):
		return places, some
	case tail > 0:
		return places, probably
	}
	return places, all
}

// untouched is the number of dwords at the end that the last value does not
// write: the fourth element of a vector of three.
func (l *layout) untouched() int {
	last := len(l.sizes) - 1
	if last < 0 || last >= len(l.fields) || l.fields[last] == nil || l.fields[last].Vector != 3 {
		return 0
	}
	return l.sizes[last] / 4 / 4
}

func (l *layout) isString(i int) bool { return i < len(l.fields) && isString(l.fields[i]) }

// canBeShort reports whether value i may be stored in a dword less than is
// announced.
func (l *layout) canBeShort(i int) bool { return l.isString(i) && l.sizes[i] >= 8 }

// plain takes the announced sizes as they are.
func (l *layout) plain() []place {
	var places []place
	at := 0
	for _, size := range l.sizes {
		size = min(size, len(l.data)-at)
		places = append(places, place{at, size})
		at = min(at+(size+3)&^3, len(l.data))
	}
	return places
}

// place chooses which of the strings are short, given how many: a full string
// has its first NUL in its last dword, a short one has none.
func (l *layout) place(short int) ([]place, bool) {
	type state struct{ field, short int }
	dead := map[state]bool{}
	places := make([]place, len(l.sizes))
	var walk func(i, at, left int) bool
	walk = func(i, at, left int) bool {
		if i == len(l.sizes) {
			return left == 0
		}
		if dead[state{i, left}] {
			return false
		}
		for _, size := range l.choices(i, at, left) {
			places[i] = place{at, size}
			used := 0
			if size < l.sizes[i] {
				used = 1
			}
			if walk(i+1, at+(size+3)&^3, left-used) {
				return true
			}
		}
		dead[state{i, left}] = true
		return false
	}
	return places, walk(0, 0, short)
}

// choices are the sizes that value i may have at an offset, the likelier
// first.
func (l *layout) choices(i, at, left int) []int {
	size := l.sizes[i]
	if at+size > len(l.data) {
		if l.canBeShort(i) && left > 0 && at+size-4 <= len(l.data) {
			return []int{size - 4}
		}
		return nil
	}
	if !l.canBeShort(i) {
		return []int{size}
	}
	head, last := l.data[at:at+size-4], l.data[at+size-4:at+size]
	if bytes.IndexByte(head, 0) >= 0 {
		return []int{size}
	}
	nul := bytes.IndexByte(last, 0)
	switch {
	case left == 0 && nul < 0:
		return nil
	case left == 0:
		return []int{size}
	case nul < 0:
		return []int{size - 4}
	case nul > 0 && printable(last[:nul]):
		return []int{size, size - 4}
	}
	return []int{size - 4, size}
}

// printable reports whether b looks like text.
func printable(b []byte) bool {
	for _, c := range b {
		if c < ' ' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// written reports whether all values are there. The end of a vector of three
// never is.
func (l *layout) written(places []place) bool {
	for i, p := range places {
		end := p.at + p.size
		if i < len(l.fields) && l.fields[i] != nil && l.fields[i].Vector == 3 {
			end -= p.size / 4
		}
		for at := p.at; at < end && at+4 <= len(l.data); at += 4 {
			if u32(l.data[at:]) == unwritten {
				return false
			}
		}
	}
	return true
}

// values reads the values at their places.
func (l *layout) values(places []place) []printf.Value {
	var values []printf.Value
	for i, p := range places {
		b := l.data[p.at : p.at+p.size]
		switch {
		case l.isString(i):
			values = append(values, printf.Value{Kind: printf.String, Text: b})
		case i < len(l.fields) && l.fields[i] != nil && l.fields[i].Vector > 0:
			values = append(values, vectorOf(b, l.fields[i]))
		default:
			values = append(values, printf.Scalar(min(len(b), 8), load(b, len(b))))
		}
	}
	return values
}

// vectorOf reads a vector. Its elements have the size that the length modifier
// says, unless the place tells another one: those of a vector of two bytes are
// stored as dwords.
func vectorOf(b []byte, c *printf.Conversion) printf.Value {
	room := c.Vector
	if room == 3 {
		room = 4
	}
	size := c.Size()
	if (size*room+3)&^3 != len(b) {
		size = min(len(b)/room, 8)
	}
	v := printf.Value{Size: size}
	for i := 0; i < c.Vector && size > 0 && (i+1)*size <= len(b); i++ {
		v.Elements = append(v.Elements, load(b[i*size:(i+1)*size], size))
	}
	return v
}
