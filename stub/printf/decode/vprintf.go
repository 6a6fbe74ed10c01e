package decode

import (
	"simtgdb/stub/printf"
)

// maxArgument is how far into a structure of arguments is read.
const maxArgument = 64 << 10

// Vprintf prints a call of CUDA's vprintf, or of OpenCL C's printf in PTX: the arguments lie in a structure
// as C lays it out, after C's promotions; vectors are not promoted. load reads size bytes of it at an offset,
// text the string at an address; false from either is an argument that is not there. It returns how many
// arguments there were, which vprintf returns too.
func Vprintf(dialect *printf.Dialect, format string, load func(offset, size uint64) (uint64, bool),
	text func(address uint64) ([]byte, bool)) (r Record, arguments int) {
	f := printf.Parse(format, dialect)
	var values []printf.Value
	at := uint64(0)
	for _, c := range fields(f) {
		size, n := uint64(argumentSize(c)), 1
		if c != nil && c.Vector > 0 {
			size, n = uint64(max(c.Size(), 1)), c.Vector
		}
		room := size * uint64(n)
		if n == 3 {
			room += size // OpenCL C 1.2, section 6.1.5: as large as a vector of four
		}
		at = (at + room - 1) &^ (room - 1)
		v := printf.Value{Size: int(size)}
		for i := range n {
			bits, ok := load(at+uint64(i)*size, size)
			if !ok || at > maxArgument {
				break
			}
			v.Elements = append(v.Elements, bits)
		}
		if len(v.Elements) < n {
			break
		}
		if isString(c) {
			bits := v.Elements[0]
			v = printf.Value{Kind: printf.Null}
			if s, ok := text(bits); ok && bits != 0 {
				v = printf.Value{Kind: printf.String, Text: s}
			} else if bits != 0 {
				v = printf.Scalar(8, bits)
			}
		}
		values = append(values, v)
		at += room
	}
	r.Text, r.Problems = f.Append(nil, values)
	return r, len(values)
}

// argumentSize is the size of the argument of a conversion after C's
// promotions; nil is the number of a *.
func argumentSize(c *printf.Conversion) int {
	switch {
	case c == nil:
		return 4
	case c.IsFloat() || c.Verb == 's' || c.Verb == 'p' || c.Verb == 'n':
		return 8
	}
	return max(c.Size(), 4)
}
