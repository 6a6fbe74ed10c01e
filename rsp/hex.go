package rsp

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strconv"
)

// hexValue gives the value of a hexadecimal digit.
func hexValue(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// appendHex appends two digits for each byte.
func appendHex(dst, data []byte) []byte { return hex.AppendEncode(dst, data) }

// appendHexNumber appends a number without leading zeros.
func appendHexNumber(dst []byte, v uint64) []byte {
	return strconv.AppendUint(dst, v, 16)
}

// decodeHex decodes pairs of digits.
func decodeHex(text []byte) ([]byte, error) {
	data, err := hex.AppendDecode(make([]byte, 0, len(text)/2), text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", EINVAL, err)
	}
	return data, nil
}

// arguments is what follows a packet's name, consumed from the left.
type arguments []byte

// number takes a hexadecimal number of at most 64 bits.
func (a *arguments) number() (uint64, error) {
	var v uint64
	n := 0
	for n < len(*a) {
		digit, ok := hexValue((*a)[n])
		if !ok {
			break
		}
		if v>>60 != 0 {
			return 0, fmt.Errorf("number %q has more than 64 bits: %w", clip(*a), EINVAL)
		}
		v = v<<4 | uint64(digit)
		n++
	}
	if n == 0 {
		return 0, fmt.Errorf("a hexadecimal number is missing at %q: %w", clip(*a), EINVAL)
	}
	*a = (*a)[n:]
	return v, nil
}

// count takes a number that counts bytes or things and so fits an int.
func (a *arguments) count() (int, error) {
	v, err := a.number()
	if err == nil && v > 1<<31-1 {
		err = fmt.Errorf("0x%x is too many: %w", v, EINVAL)
	}
	return int(v), err
}

// skip takes the byte if it comes next.
func (a *arguments) skip(b byte) bool {
	if len(*a) == 0 || (*a)[0] != b {
		return false
	}
	*a = (*a)[1:]
	return true
}

// expect takes a byte that must come next.
func (a *arguments) expect(b byte) error {
	if !a.skip(b) {
		return fmt.Errorf("%q is missing at %q: %w", b, clip(*a), EINVAL)
	}
	return nil
}

// end is an error if something is left.
func (a arguments) end() error {
	if len(a) != 0 {
		return fmt.Errorf("%q is too much: %w", clip(a), EINVAL)
	}
	return nil
}

// until takes what comes before the separator, and the separator. Without one it
// takes all that is left.
func (a *arguments) until(separator byte) []byte {
	before, after, _ := bytes.Cut(*a, []byte{separator})
	*a = after
	return before
}

// pair takes "number separator number".
func (a *arguments) pair(separator byte) (first, second uint64, err error) {
	if first, err = a.number(); err != nil {
		return
	}
	if err = a.expect(separator); err != nil {
		return
	}
	second, err = a.number()
	return
}

// clip shortens a quotation of what a client sent.
func clip(b []byte) []byte {
	return b[:min(len(b), 40)]
}
