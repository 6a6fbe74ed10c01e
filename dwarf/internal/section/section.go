// Package section reads the bytes of one debug section: a bounded reader whose first error sticks, so
// that a parser can read a whole record and look at the error once. Offsets in errors are offsets in the
// section, whatever part of it the reader is on.
package section

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
)

// An Error says what is wrong in which section and where.
type Error struct {
	Section string // as ".debug_info"
	Offset  uint64 // in the section
	Problem string // what was found, and what was expected
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s at offset 0x%x: %s", e.Section, e.Offset, e.Problem)
}

// Errorf makes an Error.
func Errorf(section string, offset uint64, format string, args ...any) error {
	return &Error{Section: section, Offset: offset, Problem: fmt.Sprintf(format, args...)}
}

// A Reader reads one section, or a part of one, from front to back. After the first error every read
// gives zero and the position stays.
type Reader struct {
	name string
	data []byte // the section from its first byte to the end of the part
	pos  int
	big  bool
	err  error
}

// NewReader reads data, the whole content of the section called name.
func NewReader(name string, data []byte, bigEndian bool) Reader {
	return Reader{name: name, data: data, big: bigEndian}
}

// At gives a reader of the same section that starts at offset.
func (r *Reader) At(offset uint64) Reader {
	c := Reader{name: r.name, data: r.data, big: r.big}
	c.Seek(offset)
	return c
}

// Seek goes to offset; the end of the part is a valid place.
func (r *Reader) Seek(offset uint64) {
	if offset > uint64(len(r.data)) {
		r.Fail("offset 0x%x is outside of the section (0x%x bytes)", offset, len(r.data))
		return
	}
	r.pos = int(offset)
}

// Limit makes the part end at offset.
func (r *Reader) Limit(offset uint64) {
	if offset > uint64(len(r.data)) || offset < uint64(r.pos) {
		r.Fail("extends to 0x%x, the section has 0x%x bytes", offset, len(r.data))
		return
	}
	r.data = r.data[:offset:offset]
}

// Offset is the position in the section.
func (r *Reader) Offset() uint64 { return uint64(r.pos) }

// Len is the number of bytes that are left.
func (r *Reader) Len() int {
	if r.err != nil || r.pos >= len(r.data) {
		return 0
	}
	return len(r.data) - r.pos
}

// Err is the first error.
func (r *Reader) Err() error { return r.err }

// BigEndian says how the reader takes numbers.
func (r *Reader) BigEndian() bool { return r.big }

// Fail records an error at the present position unless there is one already.
func (r *Reader) Fail(format string, args ...any) {
	if r.err == nil {
		r.err = Errorf(r.name, uint64(r.pos), format, args...)
	}
}

func (r *Reader) short(n uint64) {
	r.Fail("%d bytes expected, %d are left", n, max(0, len(r.data)-r.pos))
}

// Bytes gives the next n bytes, not copied.
func (r *Reader) Bytes(n uint64) []byte {
	if r.err != nil || n > uint64(len(r.data)-r.pos) {
		r.short(n)
		return nil
	}
	p := r.pos
	r.pos += int(n)
	return r.data[p:r.pos:r.pos]
}

// U8 reads one byte.
func (r *Reader) U8() uint8 {
	if r.err != nil || r.pos >= len(r.data) {
		r.short(1)
		return 0
	}
	b := r.data[r.pos]
	r.pos++
	return b
}

// U16 reads two bytes.
func (r *Reader) U16() uint16 { return uint16(r.Uint(2)) }

// U32 reads four bytes.
func (r *Reader) U32() uint32 { return uint32(r.Uint(4)) }

// U64 reads eight bytes.
func (r *Reader) U64() uint64 { return r.Uint(8) }

// Uint reads an unsigned number of 1, 2, 3, 4 or 8 bytes, or of any size up to 8.
func (r *Reader) Uint(size int) uint64 {
	if r.err != nil || size > len(r.data)-r.pos {
		r.short(uint64(size))
		return 0
	}
	b := r.data[r.pos : r.pos+size]
	r.pos += size
	if r.big {
		return bigUint(b)
	}
	switch size {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	case 8:
		return binary.LittleEndian.Uint64(b)
	}
	var v uint64
	for i, c := range b {
		v |= uint64(c) << (8 * i)
	}
	return v
}

func bigUint(b []byte) uint64 {
	var v uint64
	for _, c := range b {
		v = v<<8 | uint64(c)
	}
	return v
}

// ULEB reads an unsigned LEB128 number (DWARF 5 section 7.6) that fits 64 bits; padding is allowed.
func (r *Reader) ULEB() uint64 {
	if r.err == nil && r.pos < len(r.data) && r.data[r.pos] < 0x80 {
		b := r.data[r.pos]
		r.pos++
		return uint64(b)
	}
	return r.ulebLong()
}

func (r *Reader) ulebLong() uint64 {
	var v uint64
	for shift := uint(0); ; shift += 7 {
		b := r.U8()
		if r.err != nil {
			return 0
		}
		c := uint64(b & 0x7f)
		if shift >= 64 && c != 0 || shift < 64 && c<<shift>>shift != c {
			r.Fail("LEB128 number of more than 64 bits")
			return 0
		}
		if shift < 64 {
			v |= c << shift
		}
		if b < 0x80 {
			return v
		}
	}
}

// SLEB reads a signed LEB128 number that fits 64 bits; padding is allowed.
func (r *Reader) SLEB() int64 {
	var v int64
	for shift := uint(0); ; shift += 7 {
		b := r.U8()
		if r.err != nil {
			return 0
		}
		c := int64(b & 0x7f)
		switch {
		case shift < 63:
			v |= c << shift
		case shift == 63 && (c == 0 || c == 0x7f):
			v |= c << 63
		case shift > 63 && (v < 0 && c == 0x7f || v >= 0 && c == 0):
		default:
			r.Fail("LEB128 number of more than 64 bits")
			return 0
		}
		if b < 0x80 {
			if shift+7 < 64 && b&0x40 != 0 {
				v |= -1 << (shift + 7)
			}
			return v
		}
	}
}

// CString reads bytes up to a zero and gives them without it, not copied.
func (r *Reader) CString() []byte {
	if r.err != nil {
		return nil
	}
	n := bytes.IndexByte(r.data[r.pos:], 0)
	if n < 0 {
		r.Fail("string without an end")
		return nil
	}
	s := r.data[r.pos : r.pos+n : r.pos+n]
	r.pos += n + 1
	return s
}

// InitialLength reads the length that starts a unit and reports whether the unit is in the 64-bit format
// (DWARF 5 section 7.4).
func (r *Reader) InitialLength() (length uint64, is64 bool) {
	switch n := r.U32(); {
	case n < 0xfffffff0:
		return uint64(n), false
	case n == 0xffffffff:
		return r.U64(), true
	default:
		r.Fail("reserved unit length 0x%x", n)
		return 0, false
	}
}

// SectionOffset reads an offset of the unit's format, 4 or 8 bytes.
func (r *Reader) SectionOffset(is64 bool) uint64 {
	if is64 {
		return r.U64()
	}
	return uint64(r.U32())
}

// End gives the offset that is length bytes on, or fails where that is outside of the part.
func (r *Reader) End(length uint64) uint64 {
	if length > math.MaxInt64 || length > uint64(r.Len()) {
		r.Fail("length 0x%x where 0x%x bytes are left", length, r.Len())
		return r.Offset()
	}
	return r.Offset() + length
}
