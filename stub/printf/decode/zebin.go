package decode

import (
	"encoding/binary"
	"fmt"

	"simtgdb/stub/printf"
)

// Zebin walks the buffer of code from IGC, Intel's compiler: the first dword
// says where the next record goes. A record has no size of its own: the address
// of the format in memory, and for each of its values a tag and the value
// (IGC, "OpenCLPrintfResolution").
type Zebin struct {
	text    func(addr uint64) (string, bool)
	naming  int // bytes that name a text
	formats map[uint64]*printf.Format
	at      int
	failed  bool
}

// NewZebin reads a buffer whose strings text finds by their addresses.
func NewZebin(text func(addr uint64) (string, bool)) *Zebin {
	return &Zebin{text: text, naming: zebinFormat, formats: map[uint64]*printf.Format{}, at: zebinHeader}
}

// NewNumbered reads a buffer whose records name their strings by number, as those of patch-token files do.
func NewNumbered(strings []string) *Zebin {
	z := NewZebin(func(number uint64) (string, bool) {
		if number >= uint64(len(strings)) {
			return "", false
		}
		return strings[number], true
	})
	z.naming = zebinNumber
	return z
}

const (
	zebinHeader = 4
	zebinFormat = 8 // the address of the format
	zebinNumber = 4 // or its number
	zebinTag    = 4
)

// The tags that are no number, and the sizes of those of numbers; the tags of
// vectors are followed by how many elements there are.
const (
	zebinString  = 5
	zebinVectors = 9 // the first of them
)

var (
	zebinSizes       = map[uint32]int{1: 4, 2: 4, 3: 4, 4: 4, 6: 8, 7: 8, 8: 8}
	zebinVectorSizes = map[uint32]int{9: 1, 10: 2, 11: 4, 12: 8, 13: 4, 14: 8}
)

// Init makes the buffer empty.
func (z *Zebin) Init(buf []byte) {
	fill(buf)
	if len(buf) >= zebinHeader {
		binary.LittleEndian.PutUint32(buf, zebinHeader)
	}
	z.at, z.failed = zebinHeader, false
}

// Clone implements Reader.
func (z *Zebin) Clone() Reader { c := *z; return &c }

// At is the offset of the next record.
func (z *Zebin) At() int { return z.at }

// Next reads the next record.
func (z *Zebin) Next(buf []byte, w Writer) (Record, bool, error) {
	if z.failed || len(buf) < zebinHeader {
		return Record{}, false, nil
	}
	end := int(min(uint64(u32(buf)), uint64(len(buf))))
	if z.at+z.naming > end || hasUnwritten(buf[z.at:z.at+z.naming]) {
		return Record{}, false, nil
	}
	addr := load(buf[z.at:], z.naming)
	f := z.formats[addr]
	if f == nil {
		text, ok := z.text(addr)
		if !ok {
			return z.fail("no format is at %#x", addr)
		}
		f = printf.Parse(text, printf.OpenCL)
		z.formats[addr] = f
	}
	c := zebinCursor{rest: buf[z.at+z.naming : end]}
	var values []printf.Value
	for _, conversion := range fields(f) {
		if len(c.rest) < zebinTag || u32(c.rest) == unwritten && w != Gone {
			return Record{}, false, nil
		}
		v, err := z.value(&c, conversion)
		switch {
		case err != nil:
			return z.fail("%v", err)
		case c.short, c.unwritten && w != Gone:
			return Record{}, false, nil
		}
		values = append(values, v)
	}
	r := Record{Offset: z.at, Size: end - z.at - len(c.rest)}
	r.Text, r.Problems = f.Append(nil, values)
	z.at += r.Size
	return r, true, nil
}

func (z *Zebin) fail(format string, args ...any) (Record, bool, error) {
	z.failed = true
	return Record{}, false, fmt.Errorf("printf buffer: record at %#x: %s", z.at, fmt.Sprintf(format, args...))
}

// A zebinCursor takes bytes of a record and remembers what was wrong with them.
type zebinCursor struct {
	rest             []byte
	short, unwritten bool
}

func (c *zebinCursor) take(n int) uint64 {
	if n > len(c.rest) {
		c.short = true
		return 0
	}
	b := c.rest[:n]
	c.rest = c.rest[n:]
	if n >= 4 && hasUnwritten(b) {
		c.unwritten = true
	}
	return load(b, n)
}

// skip passes over bytes that nobody writes.
func (c *zebinCursor) skip(n int) {
	if n > len(c.rest) {
		c.short = true
		n = len(c.rest)
	}
	c.rest = c.rest[n:]
}

// value reads a tag and its value.
func (z *Zebin) value(c *zebinCursor, conversion *printf.Conversion) (printf.Value, error) {
	tag := uint32(c.take(zebinTag))
	if c.unwritten || c.short {
		return printf.Value{}, nil
	}
	switch size, known := zebinSizes[tag]; {
	case tag == zebinString:
		addr := c.take(z.naming)
		text, ok := z.text(addr)
		if !ok && !c.unwritten && !c.short {
			return printf.Value{}, fmt.Errorf("no string is at %#x", addr)
		}
		return printf.Text(text), nil
	case known:
		return printf.Scalar(size, c.take(size)), nil
	case tag >= zebinVectors && zebinVectorSizes[tag] > 0:
		n := c.take(zebinTag)
		if c.unwritten || c.short {
			return printf.Value{}, nil
		}
		if n > 16 {
			return printf.Value{}, fmt.Errorf("a vector of %d elements", n)
		}
		var elements []uint64
		for range n {
			elements = append(elements, c.take(zebinVectorSizes[tag]))
		}
		// A vector takes four bytes for each element, and those of smaller ones lie together at its beginning
		// (compute-runtime, print_formatter.h, printVectorToken).
		c.skip(int(n) * max(4-zebinVectorSizes[tag], 0))
		return printf.Vector(zebinVectorSizes[tag], elements...), nil
	}
	return printf.Value{}, fmt.Errorf("a value with tag %d for %q", tag, conversionText(conversion))
}

// conversionText is what a conversion begins with, for errors.
func conversionText(c *printf.Conversion) string {
	if c == nil {
		return "*"
	}
	return "%" + string(rune(c.Verb))
}
