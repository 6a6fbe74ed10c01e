package printf

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// truncate keeps the low size bytes of bits.
func truncate(bits uint64, size int) uint64 {
	unused := 64 - 8*min(max(size, 1), 8)
	return bits << unused >> unused
}

// signed reads the low size bytes of bits as a signed integer.
func signed(bits uint64, size int) int64 {
	unused := 64 - 8*min(max(size, 1), 8)
	return int64(bits) << unused >> unused
}

// bases of the conversions of unsigned integers, with what the flag # puts
// before a number that is not zero.
var bases = map[byte]struct {
	base   int
	prefix string
}{
	'u': {10, ""}, 'o': {8, ""}, 'x': {16, "0x"}, 'X': {16, "0X"}, 'b': {2, "0b"}, 'B': {2, "0B"},
}

// appendInteger prints the low size bytes of bits.
func (s *spec) appendInteger(dst []byte, size int, bits uint64) []byte {
	prefix, digits := "", ""
	if s.verb == 'd' || s.verb == 'i' {
		v := signed(bits, size)
		magnitude := uint64(v)
		if v < 0 {
			magnitude = -magnitude
		}
		prefix, digits = s.sign(v < 0), s.digits(magnitude, 10)
	} else {
		v, base := truncate(bits, size), bases[s.verb]
		digits = s.digits(v, base.base)
		if s.flags&Alt != 0 && v != 0 {
			prefix = base.prefix
		}
		if s.flags&Alt != 0 && s.verb == 'o' && !strings.HasPrefix(digits, "0") {
			digits = "0" + digits
		}
		if s.verb == 'X' {
			digits = strings.ToUpper(digits)
		}
	}
	return s.pad(dst, prefix, digits, s.precision < 0)
}

// digits writes v with as many digits as the precision wants: none for zero
// with precision zero.
func (s *spec) digits(v uint64, base int) string {
	if v == 0 && s.precision == 0 {
		return ""
	}
	digits := strconv.FormatUint(v, base)
	return strings.Repeat("0", max(s.precision-len(digits), 0)) + digits
}

// appendPointer prints an address as glibc does.
func (s *spec) appendPointer(dst []byte, address uint64) []byte {
	if address == 0 {
		return s.pad(dst, "", "(nil)", false)
	}
	hex := spec{flags: s.flags | Alt, verb: 'x', width: s.width, precision: s.precision}
	digits := hex.digits(address, 16)
	return hex.pad(dst, s.sign(false)+"0x", digits, s.precision < 0)
}

// appendChar prints a character: a byte, or with the length l a wide
// character as UTF-8.
func (s *spec) appendChar(dst []byte, length string, bits uint64) []byte {
	text := string([]byte{byte(bits)})
	if length == "l" {
		text = string(utf8.AppendRune(nil, rune(uint32(bits))))
	}
	return s.pad(dst, "", text, false)
}
