package decode

import (
	"encoding/binary"
	"fmt"

	"simtgdb/stub/printf"
)

// An LLPCString is an entry of amdpal.format_strings.
type LLPCString struct {
	Index     uint64 // the identifier, 48 bits
	String    string
	Arguments uint64   // stored scalars
	Wide      []uint64 // .64bit_arguments: bit i%64 of word i/64 for scalar i
}

// Sizes of LLPC's buffer, in bytes.
const (
	llpcHeader = 16 // u64 offset of the free space in dwords, behind the header; 8 bytes reserved
	llpcEntry  = 8  // u64 identifier << 16 | size in dwords with this
)

type llpcFormat struct {
	format *printf.Format
	string LLPCString
}

// An LLPC walks the buffer of LLPC's DebugPrintf.
type LLPC struct {
	formats map[uint64]*llpcFormat
	// Warnings are about identifiers that come twice.
	Warnings []string
	at       int
	failed   bool
}

// maxScalars is how many scalars an entry can have.
const maxScalars = 1<<16 - 1 - llpcEntry/4

// NewLLPC walks records whose formats are in strings.
func NewLLPC(strings []LLPCString) *LLPC {
	l := &LLPC{formats: map[uint64]*llpcFormat{}, at: llpcHeader}
	for i, s := range strings {
		id := s.Index & (1<<48 - 1)
		have, twice := l.formats[id]
		switch {
		case twice && have.string.String != s.String:
			l.Warnings = append(l.Warnings, fmt.Sprintf(
				"amdpal.format_strings[%d]: identifier %#x of %.60q is that of %.60q too",
				i, id, s.String, have.string.String))
		case !twice:
			l.formats[id] = &llpcFormat{printf.Parse(s.String, printf.SPIRV), s}
		}
	}
	return l
}

// Init makes the buffer empty.
func (l *LLPC) Init(buf []byte) {
	fill(buf)
	clear(buf[:min(llpcHeader, len(buf))])
	l.at, l.failed = llpcHeader, false
}

// Clone implements Reader.
func (l *LLPC) Clone() Reader { c := *l; return &c }

// At is the offset of the next record.
func (l *LLPC) At() int { return l.at }

// Overflow is how many dwords the kernel had no room for.
func (l *LLPC) Overflow(buf []byte) uint64 {
	if len(buf) < llpcHeader {
		return 0
	}
	room := uint64(len(buf)-llpcHeader) / 4
	if offset := binary.LittleEndian.Uint64(buf); offset > room {
		return offset - room
	}
	return 0
}

// Next reads the next entry. The walk ends at the end of the buffer, whatever
// the header says: the kernel counts on when there is no room.
func (l *LLPC) Next(buf []byte, w Writer) (Record, bool, error) {
	if l.failed || len(buf) < llpcHeader {
		return Record{}, false, nil
	}
	room := uint64(len(buf)-llpcHeader) / 4
	end := llpcHeader + 4*int(min(u64(buf), room))
	if l.at+llpcEntry > end {
		return Record{}, false, nil
	}
	if hasUnwritten(buf[l.at : l.at+llpcEntry]) {
		if w == Gone && u64(buf) <= room {
			return l.fail("its call has not come to write it")
		}
		return Record{}, false, nil
	}
	entry := u64(buf[l.at:])
	size, id := int(entry&0xffff)*4, entry>>16
	f := l.formats[id]
	switch {
	case f == nil:
		return l.fail("identifier %#x is not in amdpal.format_strings, which has %d", id, len(l.formats))
	case size < llpcEntry:
		return l.fail("%d bytes, less than its header", size)
	case l.at+size > end && u64(buf) <= room:
		return l.fail("%d bytes, %d are left", size, end-l.at)
	case l.at+size > end:
		return Record{}, false, nil // what did not fit
	}
	data := buf[l.at+llpcEntry : l.at+size]
	if w != Gone && hasUnwritten(data) {
		return Record{}, false, nil
	}
	r := Record{Offset: l.at, Size: size, Incomplete: hasUnwritten(data)}
	r.Text, r.Problems = f.format.Append(nil, f.values(data))
	l.at += size
	return r, true, nil
}

func (l *LLPC) fail(format string, args ...any) (Record, bool, error) {
	l.failed = true
	return Record{}, false, fmt.Errorf("printf buffer: entry at %#x: %s", l.at, fmt.Sprintf(format, args...))
}

// values reads the scalars and joins those of a vector.
func (f *llpcFormat) values(data []byte) []printf.Value {
	scalars := f.scalars(data)
	conversions := f.format.Conversions()
	elements := 0
	for _, c := range conversions {
		elements += c.Elements()
	}
	// LLPC of 2025 stores only the first element of a vector.
	first := elements != len(conversions) && len(scalars) == len(conversions)
	var values []printf.Value
	for _, c := range conversions {
		n := c.Elements()
		if first {
			n = 1
		}
		n = min(n, len(scalars))
		if n == 0 {
			break
		}
		v := printf.Value{Size: scalars[0].Size}
		for _, s := range scalars[:n] {
			v.Size = max(v.Size, s.Size)
			v.Elements = append(v.Elements, s.Elements[0])
		}
		scalars = scalars[n:]
		values = append(values, v)
	}
	return values
}

// scalars reads the stored scalars, whose widths the metadata says. Where that
// is not what the entry's size says, the entry is right.
func (f *llpcFormat) scalars(data []byte) []printf.Value {
	wide := f.widths(len(data) / 4)
	var scalars []printf.Value
	for i := 0; len(data) >= 4; i++ {
		size := 4
		if i < len(wide) && wide[i] && len(data) >= 8 {
			size = 8
		}
		scalars = append(scalars, printf.Scalar(size, load(data, size)))
		data = data[size:]
	}
	return scalars
}

// reliable is how many marks of .64bit_arguments can be trusted: LLPC shifts
// a 32-bit one, which spoils the marks from 31 on and, where there are more
// than 32, those before them too.
const reliable = 31

// widths says which scalars have 64 bits, for an entry with dwords of them.
func (f *llpcFormat) widths(dwords int) []bool {
	count := int(min(f.string.Arguments, maxScalars, uint64(dwords)))
	wide := make([]bool, count)
	total := count
	for i := range wide {
		if word := i / 64; word < len(f.string.Wide) && f.string.Wide[word]>>(i%64)&1 != 0 {
			wide[i] = true
			total++
		}
	}
	byFormat, certain := f.widthsByFormat(count, dwords-count)
	if count <= reliable || total == dwords && !certain {
		return wide
	}
	return byFormat
}

// widthsByFormat chooses which of count scalars have 64 bits, n of them: those
// that the format converts with l, then floating-point numbers, then others.
// It is certain if they are just those with l.
func (f *llpcFormat) widthsByFormat(count, n int) (wide []bool, certain bool) {
	wide = make([]bool, count)
	var order [3][]int
	i := 0
	for _, c := range f.format.Conversions() {
		class := 2
		switch {
		case c.Length == "l" || c.Length == "ll":
			class = 0
		case c.IsFloat():
			class = 1
		}
		for range c.Elements() {
			order[class] = append(order[class], i)
			i++
		}
	}
	for ; i < count; i++ {
		order[2] = append(order[2], i)
	}
	certain = n > 0 && n == len(order[0])
	for _, class := range order {
		for _, i := range class {
			if n > 0 && i < count {
				wide[i] = true
				n--
			}
		}
	}
	return wide, certain
}
