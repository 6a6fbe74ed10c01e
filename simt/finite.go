package simt

import "math/bits"

// What is said of an instruction that makes a NaN, or an infinity, of finite numbers; see [Undefined].
const (
	MadeNaN      = "a NaN is made of finite numbers"
	MadeInfinity = "an infinity is made of finite numbers"
)

// IsFinite reports whether a float of 16, 32 or 64 bits is no NaN and no infinity.
func IsFinite(v uint64, width uint) bool {
	switch width {
	case 16:
		return v&0x7c00 != 0x7c00
	case 32:
		return v&0x7f800000 != 0x7f800000
	}
	return v&0x7ff0000000000000 != 0x7ff0000000000000
}

// IsNaN reports whether a float of 16, 32 or 64 bits is a NaN.
func IsNaN(v uint64, width uint) bool {
	mantissa := [...]uint64{16: 1<<10 - 1, 32: 1<<23 - 1, 64: 1<<52 - 1}[width]
	return !IsFinite(v, width) && v&mantissa != 0
}

// MadeOf tells judges of lanes in which an instruction has made a NaN or an infinity of finite numbers: of
// those that had finite sources, by what result gives. It reports whether the wave is to stop.
func (m *Machine) MadeOf(w *Wave, pc, finite uint64, width uint, result func(lane int) uint64) (stop bool) {
	var nan, infinite uint64
	for rest := finite; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros64(rest)
		switch v := result(l); {
		case IsFinite(v, width):
		case IsNaN(v, width):
			nan |= 1 << l
		default:
			infinite |= 1 << l
		}
	}
	if nan != 0 {
		stop = m.Undefined(&Undefined{Wave: w, PC: pc, Lanes: nan, Text: MadeNaN, NaN: true})
	}
	if infinite != 0 {
		stop = m.Undefined(&Undefined{Wave: w, PC: pc, Lanes: infinite, Text: MadeInfinity, NaN: true}) ||
			stop
	}
	return stop
}
