package printf

import (
	"bytes"
	"strings"
)

// A Value is an argument of a call.
type Value struct {
	// Size is the number of bytes of an element: 1, 2, 4 or 8.
	Size int
	// Elements are the bits of a number, or of the elements of a vector.
	Elements []uint64
	// Kind says what the value is besides.
	Kind Kind
	// Text of a String; it ends at the first NUL or at its end.
	Text []byte
}

// A Kind of value.
type Kind uint8

const (
	Number Kind = iota // Elements; conversions tell integers and floating point apart
	String             // Text
	Null               // a null pointer where a string belongs
)

// Scalar is a number of size bytes.
func Scalar(size int, bits uint64) Value { return Value{Size: size, Elements: []uint64{bits}} }

// Vector is a vector with elements of size bytes.
func Vector(size int, elements ...uint64) Value { return Value{Size: size, Elements: elements} }

// Text is a string.
func Text(s string) Value { return Value{Kind: String, Text: []byte(s)} }

// A printer prints one call.
type printer struct {
	dialect  *Dialect
	out      []byte
	start    int // of this call's text in out
	values   []Value
	value    int // the next
	element  int // of it
	problems Problems
}

// Append appends the text of a call of f with values to dst. The text has at
// most MaxText bytes. Values beyond those that the format converts are not
// looked at.
func (f *Format) Append(dst []byte, values []Value) ([]byte, Problems) {
	p := &printer{dialect: f.Dialect, out: dst, start: len(dst), values: values, problems: f.Problems}
	for _, piece := range f.pieces {
		if piece.conv == nil {
			p.out = append(p.out, piece.literal...)
		} else if !p.convert(piece.conv) {
			p.problems |= MissingValue
			p.out = append(p.out, piece.conv.Text...)
		}
		if p.room() < 0 {
			p.problems |= TextCut
			p.out = p.out[:p.start+MaxText]
			break
		}
	}
	return p.out, p.problems
}

// room is how many bytes the text of the call may still have.
func (p *printer) room() int { return p.start + MaxText - len(p.out) }

// next takes the next value whole, or what has been left of a vector.
func (p *printer) next() (Value, bool) {
	if p.value == len(p.values) {
		return Value{}, false
	}
	v := p.values[p.value]
	if v.Kind == Number {
		v.Elements = v.Elements[min(p.element, len(v.Elements)):]
	}
	p.value++
	p.element = 0
	return v, true
}

// take takes up to n elements of the next value. What is left of a vector is
// for the conversions that follow.
func (p *printer) take(n int) (Value, bool) {
	from := p.element
	v, ok := p.next()
	if ok && v.Kind == Number && len(v.Elements) > n {
		v.Elements = v.Elements[:n]
		p.value--
		p.element = from + n
	}
	return v, ok
}

// count works out a width or precision, which may be a value. ok is false if
// that is missing.
func (p *printer) count(c Count) (n int, set, ok bool) {
	n = c.N
	if c.Star {
		v, found := p.take(1)
		if !found || len(v.Elements) == 0 {
			return 0, false, false
		}
		n = int(int32(v.Elements[0]))
	}
	if n > MaxText || n < -MaxText {
		p.problems |= TextCut
		n = max(min(n, MaxText), -MaxText)
	}
	return n, c.Set, true
}

// convert prints one conversion. It reports whether there were the values
// that it takes.
func (p *printer) convert(c *Conversion) bool {
	if c.Verb == 0 {
		p.out = append(p.out, c.Text...)
		return true
	}
	s := spec{flags: c.Flags, verb: c.Verb, precision: -1}
	width, _, ok := p.count(c.Width)
	if !ok {
		return false
	}
	if width < 0 {
		s.flags |= Left
		width = -width
	}
	s.width = width
	precision, set, ok := p.count(c.Precision)
	if !ok {
		return false
	}
	if set && precision >= 0 {
		s.precision = precision
	}
	v, ok := p.take(c.Elements())
	if !ok {
		return false
	}
	switch {
	case c.Verb == 'n':
		p.problems |= Refused
	case c.Verb == 's':
		p.appendString(&s, v)
	case v.Kind != Number || len(v.Elements) == 0:
		return false
	default:
		p.appendNumbers(c, &s, v)
	}
	return true
}

// appendNumbers prints the elements of a number or vector.
func (p *printer) appendNumbers(c *Conversion, s *spec, v Value) {
	size := v.Size
	if !p.dialect.OperandSize {
		size = min(size, c.Size())
	}
	if len(v.Elements) < c.Elements() {
		p.problems |= MissingValue
	}
	for i, bits := range v.Elements {
		if i > 0 {
			p.out = append(p.out, p.dialect.Separator...)
		}
		switch {
		case c.IsFloat():
			p.out = s.appendFloat(p.out, floatOf(v.Size, bits))
		case c.Verb == 'c':
			p.out = s.appendChar(p.out, c.Length, bits)
		case c.Verb == 'p':
			p.out = s.appendPointer(p.out, truncate(bits, v.Size))
		default:
			p.out = s.appendInteger(p.out, size, bits)
		}
		if p.room() < 0 {
			return
		}
	}
}

// appendString prints a string. C's precision is the most bytes of it; glibc
// prints a null pointer as (null), or as nothing where that has no room.
func (p *printer) appendString(s *spec, v Value) {
	text := v.Text
	switch v.Kind {
	case Null:
		text = []byte("(null)")
		if s.precision >= 0 && s.precision < len(text) {
			text = nil
		}
	case Number:
		p.problems |= NotAString
		var none uint64
		for _, bits := range v.Elements {
			none |= bits
		}
		if none != 0 {
			p.out = s.appendPointer(p.out, v.Elements[0])
			return
		}
		text = []byte("(null)")
	default:
		if end := bytes.IndexByte(text, 0); end >= 0 {
			text = text[:end]
		}
		if s.precision >= 0 && s.precision < len(text) {
			text = text[:s.precision]
		}
	}
	if len(text) > p.room() {
		p.problems |= TextCut
		text = text[:max(p.room(), 0)]
	}
	p.out = s.pad(p.out, "", string(text), false)
}

// A spec is a conversion with its width and precision worked out.
type spec struct {
	flags     Flags
	verb      byte
	width     int
	precision int // -1: none
}

// pad appends prefix and body, padded to the width: with blanks before or
// behind, or, where zeros allows it and the flag asks, zeros between the two.
func (s *spec) pad(dst []byte, prefix, body string, zeros bool) []byte {
	fill := max(s.width-len(prefix)-len(body), 0)
	switch {
	case s.flags&Left != 0:
		dst = append(append(dst, prefix...), body...)
		return append(dst, strings.Repeat(" ", fill)...)
	case s.flags&Zero != 0 && zeros:
		dst = append(append(dst, prefix...), strings.Repeat("0", fill)...)
		return append(dst, body...)
	}
	dst = append(append(dst, strings.Repeat(" ", fill)...), prefix...)
	return append(dst, body...)
}

// sign is what stands before a number.
func (s *spec) sign(negative bool) string {
	switch {
	case negative:
		return "-"
	case s.flags&Plus != 0:
		return "+"
	case s.flags&Space != 0:
		return " "
	}
	return ""
}
