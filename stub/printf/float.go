package printf

import (
	"math"
	"strconv"
	"strings"
)

// floatOf reads bits as an IEEE 754 number of 2, 4 or 8 bytes.
func floatOf(size int, bits uint64) float64 {
	switch size {
	case 2:
		return halfOf(uint16(bits))
	case 4:
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}

// halfOf reads an IEEE 754 binary16.
func halfOf(bits uint16) float64 {
	exponent, fraction := int(bits>>10&0x1f), float64(bits&0x3ff)
	var v float64
	switch exponent {
	case 0:
		v = math.Ldexp(fraction, -24)
	case 0x1f:
		v = math.Inf(1)
		if fraction != 0 {
			v = math.NaN()
		}
	default:
		v = math.Ldexp(fraction+1024, exponent-25)
	}
	if bits&0x8000 != 0 {
		v = math.Copysign(v, -1)
	}
	return v
}

// appendFloat prints a floating-point number.
func (s *spec) appendFloat(dst []byte, v float64) []byte {
	sign := s.sign(math.Signbit(v))
	lower := s.verb | 0x20
	body := ""
	switch {
	case math.IsNaN(v):
		body = "nan"
	case math.IsInf(v, 0):
		body = "inf"
	case lower == 'a':
		sign += "0x"
		body = s.hexFloat(math.Abs(v))
	case lower == 'g':
		body = s.generalFloat(math.Abs(v))
	default:
		body = s.decimalFloat(math.Abs(v), lower, s.precisionOr(6))
	}
	if s.verb < 'a' {
		sign, body = strings.ToUpper(sign), strings.ToUpper(body)
	}
	return s.pad(dst, sign, body, !math.IsNaN(v) && !math.IsInf(v, 0))
}

// precisionOr is the precision, or n if none is given.
func (s *spec) precisionOr(n int) int {
	if s.precision < 0 {
		return n
	}
	return s.precision
}

// decimalFloat writes v as %f or %e do.
func (s *spec) decimalFloat(v float64, verb byte, precision int) string {
	text := strconv.FormatFloat(v, verb, precision, 64)
	if precision > 0 || s.flags&Alt == 0 {
		return text
	}
	mantissa, exponent, scientific := strings.Cut(text, "e")
	if scientific {
		return mantissa + ".e" + exponent
	}
	return mantissa + "."
}

// generalFloat writes v as %g does: the style of %e if the exponent is less
// than -4 or not less than the precision.
func (s *spec) generalFloat(v float64) string {
	precision := max(s.precisionOr(6), 1)
	scientific := strconv.FormatFloat(v, 'e', precision-1, 64)
	mantissa, text, _ := strings.Cut(scientific, "e")
	exponent, err := strconv.Atoi(text)
	if err != nil {
		return scientific
	}
	if exponent >= -4 && exponent < precision {
		return s.trim(s.decimalFloat(v, 'f', precision-1-exponent))
	}
	if s.flags&Alt != 0 && precision == 1 {
		mantissa += "."
	}
	return s.trim(mantissa) + "e" + text
}

// trim removes the zeros at the end of a fraction, which %g shows only with
// the flag #.
func (s *spec) trim(text string) string {
	if s.flags&Alt != 0 || !strings.Contains(text, ".") {
		return text
	}
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// Digits of the fraction of a double in %a.
const hexDigits = 13

// hexFloat writes v, which is not negative, as %a does, without 0x: glibc
// shows 1 before the point, and 0 for zero and subnormal numbers.
func (s *spec) hexFloat(v float64) string {
	bits := math.Float64bits(v)
	fraction := bits & (1<<52 - 1)
	lead, exponent := uint64(1), int(bits>>52)-1023
	if bits>>52 == 0 {
		lead, exponent = 0, -1022
		if fraction == 0 {
			exponent = 0
		}
	}
	digits := lead<<52 | fraction
	shown := s.precisionOr(hexDigits)
	if shown < hexDigits {
		drop := uint(hexDigits-shown) * 4
		half := uint64(1) << (drop - 1)
		odd := digits >> drop & 1
		digits = (digits + half - 1 + odd) >> drop << drop
	}
	text := strconv.FormatUint(digits&(1<<52-1)|1<<52, 16)[1:]
	switch {
	case s.precision < 0:
		text = strings.TrimRight(text, "0")
	case shown < hexDigits:
		text = text[:shown]
	default:
		text += strings.Repeat("0", shown-hexDigits)
	}
	point := ""
	if text != "" || s.flags&Alt != 0 {
		point = "."
	}
	e := "p+"
	if exponent < 0 {
		e, exponent = "p-", -exponent
	}
	return strconv.FormatUint(digits>>52, 10) + point + text + e + strconv.Itoa(exponent)
}
