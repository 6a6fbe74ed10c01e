package cfi

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A reader reads little-endian data. The first failure stays in bad; what is
// read after it is zero.
type reader struct {
	data []byte
	at   int
	bad  error
}

var errCutOff = errors.New("data cut off")

func (r *reader) left() int { return len(r.data) - r.at }

func (r *reader) rest() []byte { return r.data[r.at:] }

func (r *reader) skip(n int) {
	if n > r.left() {
		r.fail(errCutOff)
		return
	}
	r.at += n
}

func (r *reader) fail(err error) {
	if r.bad == nil {
		r.bad = err
	}
	r.at = len(r.data)
}

func (r *reader) fixed(n int) uint64 {
	if n > r.left() {
		r.fail(errCutOff)
		return 0
	}
	var v uint64
	for i := n - 1; i >= 0; i-- {
		v = v<<8 | uint64(r.data[r.at+i])
	}
	r.at += n
	return v
}

func (r *reader) signed(n int) uint64 {
	return uint64(int64(r.fixed(n)<<(64-8*n)) >> (64 - 8*n))
}

func (r *reader) uleb() uint64 {
	var v uint64
	for shift := 0; r.at < len(r.data); shift += 7 {
		b := r.data[r.at]
		r.at++
		if shift < 64 {
			v |= uint64(b&0x7f) << shift
		}
		if b < 0x80 {
			return v
		}
	}
	r.fail(errCutOff)
	return 0
}

func (r *reader) sleb() int64 {
	var v int64
	for shift := 0; r.at < len(r.data); shift += 7 {
		b := r.data[r.at]
		r.at++
		if shift < 64 {
			v |= int64(b&0x7f) << shift
		}
		if b < 0x80 {
			if shift < 57 && b&0x40 != 0 {
				v |= -1 << (shift + 7)
			}
			return v
		}
	}
	r.fail(errCutOff)
	return 0
}

func (r *reader) block() []byte {
	n := r.uleb()
	if r.bad != nil || n > uint64(r.left()) {
		r.fail(errCutOff)
		return nil
	}
	b := r.data[r.at : r.at+int(n)]
	r.at += int(n)
	return b
}

func (r *reader) cstring() string {
	for i := r.at; i < len(r.data); i++ {
		if r.data[i] == 0 {
			s := string(r.data[r.at:i])
			r.at = i + 1
			return s
		}
	}
	r.fail(errCutOff)
	return ""
}

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
		base = opt.Address + uint64(r.at)
	case peText:
		base = opt.Text
	case peData:
		base = opt.Data
	case peFunc:
		base = function
	case peAligned:
		size := c.AddressSize
		if n := int((opt.Address + uint64(r.at)) % uint64(size)); n != 0 {
			r.skip(size - n)
		}
	default:
		r.fail(fmt.Errorf("pointer encoding 0x%02x", enc))
		return 0, false
	}
	switch enc & 0x0f {
	case peAbsolute:
		v = r.fixed(c.AddressSize)
	case peULEB:
		v = r.uleb()
	case peU2:
		v = r.fixed(2)
	case peU4:
		v = r.fixed(4)
	case peU8:
		v = r.fixed(8)
	case peSLEB:
		v = uint64(r.sleb())
	case peS2:
		v = r.signed(2)
	case peS4:
		v = r.signed(4)
	case peS8:
		v = r.signed(8)
	default:
		r.fail(fmt.Errorf("pointer encoding 0x%02x", enc))
		return 0, false
	}
	v += base
	if c.AddressSize == 4 {
		v &= 0xffffffff
	}
	return v, r.bad == nil
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
		major, minor, ok := strings.Cut(strings.TrimPrefix(version, "v"), ".")
		var err1, err2 error
		a.Major, err1 = strconv.Atoi(major)
		a.Minor, err2 = strconv.Atoi(minor)
		if vendor == "" || !ok || err1 != nil || err2 != nil || version == "" || version[0] != 'v' || a.Major < 0 || a.Minor < 0 {
			return list, fmt.Errorf("augmentation %q: %q is not of the form vendor:vX.Y", s, body[1:])
		}
		list = append(list, a)
	}
	return list, nil
}
