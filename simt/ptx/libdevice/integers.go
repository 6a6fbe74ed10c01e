package libdevice

import (
	"math/bits"

	"simtgdb/simt/ptx/numeric"
)

// Integers of 32 bits: as a result, and an argument as a number with a sign.
func u32(v int64) uint64 { return uint64(uint32(v)) }
func s(v uint64) int64   { return int64(int32(v)) }

// addIntegers adds functions of integers alone.
func addIntegers() {
	for name, f := range map[string]func(v []uint64) uint64{
		"abs":    func(v []uint64) uint64 { return u32(max(s(v[0]), -s(v[0]))) },
		"llabs":  func(v []uint64) uint64 { return uint64(max(int64(v[0]), -int64(v[0]))) },
		"min":    func(v []uint64) uint64 { return u32(min(s(v[0]), s(v[1]))) },
		"max":    func(v []uint64) uint64 { return u32(max(s(v[0]), s(v[1]))) },
		"umin":   func(v []uint64) uint64 { return min(v[0], v[1]) },
		"umax":   func(v []uint64) uint64 { return max(v[0], v[1]) },
		"llmin":  func(v []uint64) uint64 { return uint64(min(int64(v[0]), int64(v[1]))) },
		"llmax":  func(v []uint64) uint64 { return uint64(max(int64(v[0]), int64(v[1]))) },
		"ullmin": func(v []uint64) uint64 { return min(v[0], v[1]) },
		"ullmax": func(v []uint64) uint64 { return max(v[0], v[1]) },
		"mul24": func(v []uint64) uint64 {
			return u32(int64(numeric.SignExtend(v[0], 24) * numeric.SignExtend(v[1], 24)))
		},
		"umul24":   func(v []uint64) uint64 { return u32(int64((v[0] & 0xffffff) * (v[1] & 0xffffff))) },
		"mulhi":    func(v []uint64) uint64 { return u32(s(v[0]) * s(v[1]) >> 32) },
		"umulhi":   func(v []uint64) uint64 { return v[0] * v[1] >> 32 },
		"mul64hi":  func(v []uint64) uint64 { return numeric.SMulHi64(v[0], v[1]) },
		"umul64hi": func(v []uint64) uint64 { return numeric.MulHi64(v[0], v[1]) },
		"sad": func(v []uint64) uint64 {
			return u32(max(s(v[0]), s(v[1])) - min(s(v[0]),
				s(v[1])) + s(v[2]))
		},
		"usad":      func(v []uint64) uint64 { return u32(int64(max(v[0], v[1]) - min(v[0], v[1]) + v[2])) },
		"popc":      func(v []uint64) uint64 { return uint64(bits.OnesCount64(v[0])) },
		"popcll":    func(v []uint64) uint64 { return uint64(bits.OnesCount64(v[0])) },
		"clz":       func(v []uint64) uint64 { return uint64(bits.LeadingZeros32(uint32(v[0]))) },
		"clzll":     func(v []uint64) uint64 { return uint64(bits.LeadingZeros64(v[0])) },
		"ffs":       func(v []uint64) uint64 { return findFirst(v[0]) },
		"ffsll":     func(v []uint64) uint64 { return findFirst(v[0]) },
		"brev":      func(v []uint64) uint64 { return uint64(bits.Reverse32(uint32(v[0]))) },
		"brevll":    func(v []uint64) uint64 { return bits.Reverse64(v[0]) },
		"byte_perm": bytePermute,
		"hadd":      func(v []uint64) uint64 { return u32((s(v[0]) + s(v[1])) >> 1) },
		"rhadd":     func(v []uint64) uint64 { return u32((s(v[0]) + s(v[1]) + 1) >> 1) },
		"uhadd":     func(v []uint64) uint64 { return (v[0] + v[1]) >> 1 },
		"urhadd":    func(v []uint64) uint64 { return (v[0] + v[1] + 1) >> 1 },
	} {
		add(name, f)
	}
}

// bytePermute takes four bytes of eight, each by a selector of four bits.
func bytePermute(v []uint64) uint64 {
	out, pair := uint64(0), v[1]<<32|v[0]
	for i := range 4 {
		out |= pair >> (v[2] >> (4 * i) & 7 * 8) & 0xff << (8 * i)
	}
	return out
}

// findFirst is the number of the lowest bit that is set, from 1.
func findFirst(v uint64) uint64 {
	if v == 0 {
		return 0
	}
	return uint64(bits.TrailingZeros64(v) + 1)
}
