package numeric

import "math/bits"

// Widths has the types of instructions with their sizes in bits.
var Widths = map[string]int{
	"pred":   1,
	"b8":     8,
	"u8":     8,
	"s8":     8,
	"b16":    16,
	"u16":    16,
	"s16":    16,
	"f16":    16,
	"bf16":   16,
	"b32":    32,
	"u32":    32,
	"s32":    32,
	"f32":    32,
	"f16x2":  32,
	"bf16x2": 32,
	"u16x2":  32,
	"s16x2":  32,
	"tf32":   32,
	"b64":    64,
	"u64":    64,
	"s64":    64,
	"f64":    64,
	"b128":   128,
	"e4m3x2": 16,
	"e5m2x2": 16,
}

// Mask has the low bits of a register of some width.
func Mask(n int) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
}

// IsFloat reports whether values of a type are numbers with a fraction, one or two.
func IsFloat(typ string) bool {
	switch typ {
	case "f16", "f16x2", "bf16", "bf16x2", "f32", "f64":
		return true
	}
	return false
}

// SignExtend takes the low bits of v as a signed number.
func SignExtend(v uint64, width int) uint64 {
	n := 64 - uint(width)
	return uint64(int64(v<<n) >> n)
}

// MulHi64 is the upper half of a product, SMulHi64 that of a signed one.
func MulHi64(a, b uint64) uint64 { h, _ := bits.Mul64(a, b); return h }

func SMulHi64(a, b uint64) uint64 {
	h, _ := bits.Mul64(a, b)
	return h - a&uint64(int64(b)>>63) - b&uint64(int64(a)>>63)
}
