package cfi

import (
	"fmt"
	"strconv"
	"strings"

	"simtgdb/dwarf/internal/section"
)

// A reader reads a section of call frame information, or the instructions of an entry.
type reader struct{ section.Reader }

func newReader(name string, data []byte) reader { return reader{section.NewReader(name, data, false)} }

// part is a reader of the next n bytes, from which offsets count as before.
func (r *reader) part(n uint64) reader {
	p := *r
	p.Limit(r.End(n))
	return p
}

func (r *reader) signed(n int) uint64 {
	return uint64(int64(r.Uint(n)<<(64-8*n)) >> (64 - 8*n))
}

func (r *reader) rest() []byte { return r.Bytes(uint64(r.Len())) }

// Pointer encodings of .eh_frame (LSB, "DWARF Exception Header Encoding").
const (
	peAbsolute = 0x00
	peULEB     = 0x01
	peU2       = 0x02
	peU4       = 0x03
	peU8       = 0x04
	peSLEB     = 0x09
	peS2       = 0x0a
	peS4       = 0x0b
	peS8       = 0x0c

	pePC       = 0x10
	peText     = 0x20
	peData     = 0x30
	peFunc     = 0x40
	peAligned  = 0x50
	peIndirect = 0x80
	peOmit     = 0xff
)

// pointer reads an encoded pointer; function is what peFunc is relative to. ok
// is false if the pointer is left out. An indirect pointer gives the address
// where it is.
func (r *reader) pointer(enc byte, c *CIE, function uint64) (v uint64, ok bool) {
	if enc == peOmit {
		return 0, false
	}
	opt := c.options
	base := uint64(0)
	switch enc & 0x70 {
	case 0:
	case pePC:
		base = opt.Address + r.Offset()
	case peText:
		base = opt.Text
	case peData:
		base = opt.Data
	case peFunc:
		base = function
	case peAligned:
		size := c.AddressSize
		if n := int((opt.Address + r.Offset()) % uint64(size)); n != 0 {
			r.Bytes(uint64(size - n))
		}
	default:
		r.Fail("pointer encoding 0x%02x", enc)
		return 0, false
	}
	switch enc & 0x0f {
	case peAbsolute:
		v = r.Uint(c.AddressSize)
	case peULEB:
		v = r.ULEB()
	case peU2:
		v = r.Uint(2)
	case peU4:
		v = r.Uint(4)
	case peU8:
		v = r.Uint(8)
	case peSLEB:
		v = uint64(r.SLEB())
	case peS2:
		v = r.signed(2)
	case peS4:
		v = r.signed(4)
	case peS8:
		v = r.signed(8)
	default:
		r.Fail("pointer encoding 0x%02x", enc)
		return 0, false
	}
	v += base
	if c.AddressSize == 4 {
		v &= 0xffffffff
	}
	return v, r.Err() == nil
}

// An Augmentation is one vendor's part of an augmentation string (A.6.4.1).
type Augmentation struct {
	Vendor       string
	Major, Minor int
	Options      string
}

// ParseAugmentation reads a string of the form [vendor:vX.Y[:options]]…, such
// as "[amd:v0.0]".
func ParseAugmentation(s string) ([]Augmentation, error) {
	var list []Augmentation
	for at := 0; at < len(s); {
		body, _, ok := strings.Cut(s[at:], "]")
		if !ok || body == "" || body[0] != '[' {
			return list, fmt.Errorf("augmentation %q: [vendor:vX.Y:options] expected at %d", s, at)
		}
		at += len(body) + 1
		vendor, rest, _ := strings.Cut(body[1:], ":")
		version, options, _ := strings.Cut(rest, ":")
		a := Augmentation{Vendor: vendor, Options: options}
		number, isVersion := strings.CutPrefix(version, "v")
		major, minor, _ := strings.Cut(number, ".")
		var err1, err2 error
		a.Major, err1 = strconv.Atoi(major)
		a.Minor, err2 = strconv.Atoi(minor)
		if vendor == "" || !isVersion || err1 != nil || err2 != nil || a.Major < 0 || a.Minor < 0 {
			return list, fmt.Errorf("augmentation %q: %q is not of the form vendor:vX.Y", s, body[1:])
		}
		list = append(list, a)
	}
	return list, nil
}
