package printf

import "strings"

// Limits of one format and of the text of one call.
const (
	MaxConversions = 1024
	MaxText        = 64 << 10 // bytes; also of a width and of a precision
)

// A Dialect is what one language's formats have that others have not.
type Dialect struct {
	Name string
	// Separator stands between the elements of a vector.
	Separator string
	// Vectors: conversions may have v2, v3, v4, v8, v16 before the length.
	Vectors bool
	// Star: a width or precision may be * and takes a value.
	Star bool
	// OperandSize: an integer has the size of the value, whatever the length
	// modifier says.
	OperandSize bool
	// TrailingL: %ul is %lu.
	TrailingL bool
	// verbs are the conversions.
	verbs string
}

const (
	intVerbs   = "diouxX"
	floatVerbs = "fFeEgGaA"
)

// The dialects. HIP and CUDA have C's.
var (
	C      = &Dialect{Name: "C", Star: true, verbs: intVerbs + floatVerbs + "bBcspn"}
	OpenCL = &Dialect{Name: "OpenCL C", Separator: ",", Vectors: true, Star: true,
		verbs: intVerbs + floatVerbs + "cspn"}
	SPIRV = &Dialect{Name: "DebugPrintf", Separator: ", ", Vectors: true, OperandSize: true,
		TrailingL: true, verbs: intVerbs + floatVerbs + "csp"}
)

// Flags of a conversion, a set.
type Flags uint8

const (
	Left  Flags = 1 << iota // -
	Plus                    // +
	Space                   // blank
	Alt                     // #
	Zero                    // 0
)

var flagChars = map[byte]Flags{'-': Left, '+': Plus, ' ': Space, '#': Alt, '0': Zero, '\'': 0}

// A Count is a width or precision.
type Count struct {
	N    int
	Set  bool // there is one
	Star bool // the next value tells
}

// A Conversion is one conversion specification of a format.
type Conversion struct {
	Flags            Flags
	Width, Precision Count
	Vector           int    // elements; 0 for a scalar
	Length           string // hh h hl l ll j z t L, or nothing
	Verb             byte   // 0: none that the dialect has
	Text             string // as it stands in the format
}

// IsFloat reports whether c prints a floating-point number.
func (c *Conversion) IsFloat() bool { return c.Verb != 0 && strings.IndexByte(floatVerbs, c.Verb) >= 0 }

// Elements is the number of values that c prints: 1 for a scalar.
func (c *Conversion) Elements() int { return max(c.Vector, 1) }

// lengthSizes are the bytes of an integer with a length modifier, for a
// target whose long and pointers have 64 bits.
var lengthSizes = map[string]int{
	"": 4, "hh": 1, "h": 2, "hl": 4, "l": 8, "ll": 8, "j": 8, "z": 8, "t": 8, "L": 8,
}

// Size is the number of bytes of an integer that c converts, by its length
// modifier.
func (c *Conversion) Size() int { return lengthSizes[c.Length] }

// A Format is a format that has been read.
type Format struct {
	Dialect *Dialect
	pieces  []piece
	// Problems of the format by itself.
	Problems Problems
}

// A piece is literal text, or a conversion.
type piece struct {
	literal string
	conv    *Conversion
}

// Parse reads a format. It ends at the first NUL, as a string of C does. What
// is no conversion of the dialect stands for itself.
func Parse(format string, d *Dialect) *Format {
	format, _, _ = strings.Cut(format, "\x00")
	f := &Format{Dialect: d}
	conversions := 0
	for format != "" {
		at := strings.IndexByte(format, '%')
		switch {
		case at < 0:
			at = len(format)
			fallthrough
		case at > 0:
			f.pieces = append(f.pieces, piece{literal: format[:at]})
			format = format[at:]
		case strings.HasPrefix(format, "%%"):
			f.pieces = append(f.pieces, piece{literal: "%"})
			format = format[2:]
		case conversions == MaxConversions:
			f.Problems |= TooManyConversions
			f.pieces = append(f.pieces, piece{literal: format})
			format = ""
		default:
			conversions++
			c := parseConversion(format, d)
			if c.Verb == 0 {
				f.Problems |= UnknownConversion
			}
			f.pieces = append(f.pieces, piece{conv: c})
			format = format[len(c.Text):]
		}
	}
	return f
}

// Conversions are the conversions of the format, those that the dialect does
// not have left out.
func (f *Format) Conversions() []*Conversion {
	var all []*Conversion
	for _, p := range f.pieces {
		if p.conv != nil && p.conv.Verb != 0 {
			all = append(all, p.conv)
		}
	}
	return all
}

// parseConversion reads the conversion at the start of format, which begins
// with a percent sign.
func parseConversion(format string, d *Dialect) *Conversion {
	c := &Conversion{}
	s := format[1:]
	for s != "" {
		flag, ok := flagChars[s[0]]
		if !ok {
			break
		}
		c.Flags |= flag
		s = s[1:]
	}
	c.Width, s = parseCount(s, d)
	if strings.HasPrefix(s, ".") {
		c.Precision, s = parseCount(s[1:], d)
		c.Precision.Set = true
	}
	if d.Vectors {
		c.Vector, s = parseVector(s)
	}
	c.Length, s = parseLength(s, d)
	if s != "" && strings.IndexByte(d.verbs, s[0]) >= 0 {
		c.Verb = s[0]
		s = s[1:]
		if d.TrailingL && c.Verb == 'u' && c.Length == "" && strings.HasPrefix(s, "l") {
			c.Length = "l"
			s = s[1:]
		}
	}
	c.Text = format[:len(format)-len(s)]
	return c
}

// parseCount reads a width or what follows the point of a precision.
func parseCount(s string, d *Dialect) (Count, string) {
	if d.Star && strings.HasPrefix(s, "*") {
		return Count{Set: true, Star: true}, s[1:]
	}
	var c Count
	for s != "" && s[0] >= '0' && s[0] <= '9' {
		c.Set = true
		c.N = min(c.N*10+int(s[0]-'0'), MaxText+1)
		s = s[1:]
	}
	return c, s
}

// parseVector reads a vector specifier: v and the number of elements (OpenCL
// C, 6.13.13.2).
func parseVector(s string) (elements int, rest string) {
	for _, v := range [...]struct {
		text     string
		elements int
	}{{"v16", 16}, {"v2", 2}, {"v3", 3}, {"v4", 4}, {"v8", 8}} {
		if strings.HasPrefix(s, v.text) {
			return v.elements, s[len(v.text):]
		}
	}
	return 0, s
}

// parseLength reads a length modifier. hl is OpenCL's, for vectors of 4-byte
// elements.
func parseLength(s string, d *Dialect) (length, rest string) {
	for _, l := range [...]string{"hh", "hl", "h", "ll", "l", "j", "z", "t", "L"} {
		if strings.HasPrefix(s, l) && (l != "hl" || d.Vectors) {
			return l, s[len(l):]
		}
	}
	return "", s
}
