package decode

import (
	"simtgdb/stub/printf"
)

// maxArgument is how far into a structure of arguments is read.
const maxArgument = 64 << 10

// Vprintf prints a call of CUDA's vprintf: the arguments lie in a structure as
// C lays it out, after C's promotions. load reads size bytes of it at an
// offset, text the string at an address; false from either is an argument that
// is not there. It returns how many arguments there were, which vprintf
// returns too.
func Vprintf(format string, load func(offset, size uint64) (uint64, bool),
	text func(address uint64) ([]byte, bool)) (r Record, arguments int) {
	f := printf.Parse(format, printf.C)
	var values []printf.Value
	at := uint64(0)
	for _, c := range fields(f) {
		size := uint64(argumentSize(c))
		at = (at + size - 1) &^ (size - 1)
		bits, ok := load(at, size)
		if !ok || at > maxArgument {
			break
		}
		v := printf.Scalar(int(size), bits)
		if isString(c) {
			v = printf.Value{Kind: printf.Null}
			if s, ok := text(bits); ok && bits != 0 {
				v = printf.Value{Kind: printf.String, Text: s}
			} else if bits != 0 {
				v = printf.Scalar(8, bits)
			}
		}
		values = append(values, v)
		at += size
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
