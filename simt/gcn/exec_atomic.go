package gcn

import (
	"encoding/binary"
	"math"
	"math/bits"

	"simtgdb/simt"
)

// An atomic operation makes the new value in memory from the old one and the
// lane's data; b is the second data of the few that have it. Lanes take their
// turns in order.

func atomic32(f func(old, a, b uint32) uint32) *access {
	return &access{size: 4, write: true, atomic: true, move: func(c *Core, p *pass) {
		for m := p.mask; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			mem := p.mem[c.addr[l]-p.base:]
			a, b := p.data[0][l], uint32(0)
			if p.data2 != nil {
				b = p.data2[0][l]
			}
			var old uint32
			if p.shared {
				old = uint32(simt.ChangeWord(mem[:4], func(old uint64) uint64 {
					return uint64(f(uint32(old), a, b))
				}))
			} else {
				old = binary.LittleEndian.Uint32(mem)
				binary.LittleEndian.PutUint32(mem, f(old, a, b))
			}
			if p.dst != nil {
				p.dst[0][l] = old
			}
		}
	}}
}

func atomic64(f func(old, a, b uint64) uint64) *access {
	return &access{size: 8, write: true, atomic: true, move: func(c *Core, p *pass) {
		for m := p.mask; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			mem := p.mem[c.addr[l]-p.base:]
			old, b := uint64(0), uint64(0)
			if p.data2 != nil {
				b = uint64(p.data2[0][l]) | uint64(p.data2[1][l])<<32
			}
			a := uint64(p.data[0][l]) | uint64(p.data[1][l])<<32
			if p.shared {
				old = simt.ChangeWord(mem[:8], func(old uint64) uint64 { return f(old, a, b) })
			} else {
				old = binary.LittleEndian.Uint64(mem)
				binary.LittleEndian.PutUint64(mem, f(old, a, b))
			}
			if p.dst != nil {
				p.dst[0][l], p.dst[1][l] = uint32(old), uint32(old>>32)
			}
		}
	}}
}

type word interface{ uint32 | uint64 }

func swap[T word](_, a, _ T) T     { return a }
func add[T word](old, a, _ T) T    { return old + a }
func sub[T word](old, a, _ T) T    { return old - a }
func rsub[T word](old, a, _ T) T   { return a - old }
func umin[T word](old, a, _ T) T   { return min(old, a) }
func umax[T word](old, a, _ T) T   { return max(old, a) }
func and[T word](old, a, _ T) T    { return old & a }
func or[T word](old, a, _ T) T     { return old | a }
func xor[T word](old, a, _ T) T    { return old ^ a }
func maskOr[T word](old, a, b T) T { return old&^a | b }

// inc counts up to the data, then from 0 again.
func inc[T word](old, a, _ T) T {
	if old >= a {
		return 0
	}
	return old + 1
}

// dec counts down to 0, then from the data again.
func dec[T word](old, a, _ T) T {
	if old == 0 || old > a {
		return a
	}
	return old - 1
}

// wrapSub subtracts what it can, else adds the second data.
func wrapSub(old, a, b uint32) uint32 {
	if old >= a {
		return old - a
	}
	return old + b
}

func smin32(old, a, _ uint32) uint32 { return uint32(min(int32(old), int32(a))) }
func smax32(old, a, _ uint32) uint32 { return uint32(max(int32(old), int32(a))) }
func smin64(old, a, _ uint64) uint64 { return uint64(min(int64(old), int64(a))) }
func smax64(old, a, _ uint64) uint64 { return uint64(max(int64(old), int64(a))) }

// swapIf puts a in place of what equals b; the data share has them the other
// way around.
func swapIf[T word](old, a, b T) T {
	if old == b {
		return a
	}
	return old
}

func ifSwap[T word](old, a, b T) T { return swapIf(old, b, a) }

func ifSwapF32(old, a, b uint32) uint32 {
	if math.Float32frombits(old) == math.Float32frombits(a) {
		return b
	}
	return old
}

func swapIfF32(old, a, b uint32) uint32 { return ifSwapF32(old, b, a) }
func swapIfF64(old, a, b uint64) uint64 { return ifSwapF64(old, b, a) }

func ifSwapF64(old, a, b uint64) uint64 {
	if math.Float64frombits(old) == math.Float64frombits(a) {
		return b
	}
	return old
}

// atomicEnv: float operations round to nearest even and keep denormals,
// whatever MODE says.
var atomicEnv = env{Round: roundNearest, KeepIn: true, KeepOut: true}

// less32 and less64 keep what is in memory unless the data is less: so also if
// one of them is a NaN. greater32 and greater64 are their opposites.
func less32(old, a, _ uint32) uint32 {
	if math.Float32frombits(a) < math.Float32frombits(old) {
		return a
	}
	return old
}

func greater32(old, a, _ uint32) uint32 {
	if math.Float32frombits(a) > math.Float32frombits(old) {
		return a
	}
	return old
}

func less64(old, a, _ uint64) uint64 {
	if math.Float64frombits(a) < math.Float64frombits(old) {
		return a
	}
	return old
}

func greater64(old, a, _ uint64) uint64 {
	if math.Float64frombits(a) > math.Float64frombits(old) {
		return a
	}
	return old
}

// floats says of an atomic access that it is of floats.
func floats(a *access) *access {
	a.floats = true
	return a
}

func float32Op(f func(format, uint64, uint64, env) uint64) *access {
	return floats(atomic32(func(old, a, _ uint32) uint32 {
		return uint32(f(single, uint64(old), uint64(a), atomicEnv))
	}))
}

func float64Op(f func(format, uint64, uint64, env) uint64) *access {
	return floats(atomic64(func(old, a, _ uint64) uint64 { return f(double, old, a, atomicEnv) }))
}

// packedAdd adds both halves of a dword.
func packedAdd(f format) *access {
	return floats(atomic32(func(old, a, _ uint32) uint32 {
		lo := f.Add(uint64(old&0xffff), uint64(a&0xffff), atomicEnv)
		hi := f.Add(uint64(old>>16), uint64(a>>16), atomicEnv)
		return uint32(lo | hi<<16)
	}))
}

// The atomic accesses that rows of several encodings share.
var (
	atomicSwap      = atomic32(swap[uint32])
	atomicAdd       = atomic32(add[uint32])
	atomicSub       = atomic32(sub[uint32])
	atomicSMin      = atomic32(smin32)
	atomicUMin      = atomic32(umin[uint32])
	atomicSMax      = atomic32(smax32)
	atomicUMax      = atomic32(umax[uint32])
	atomicAnd       = atomic32(and[uint32])
	atomicOr        = atomic32(or[uint32])
	atomicXor       = atomic32(xor[uint32])
	atomicInc       = atomic32(inc[uint32])
	atomicDec       = atomic32(dec[uint32])
	atomicSwap64    = atomic64(swap[uint64])
	atomicAdd64     = atomic64(add[uint64])
	atomicSub64     = atomic64(sub[uint64])
	atomicSMin64    = atomic64(smin64)
	atomicUMin64    = atomic64(umin[uint64])
	atomicSMax64    = atomic64(smax64)
	atomicUMax64    = atomic64(umax[uint64])
	atomicAnd64     = atomic64(and[uint64])
	atomicOr64      = atomic64(or[uint64])
	atomicXor64     = atomic64(xor[uint64])
	atomicInc64     = atomic64(inc[uint64])
	atomicDec64     = atomic64(dec[uint64])
	atomicAddF32    = float32Op(format.Add)
	atomicAddF64    = float64Op(format.Add)
	atomicMinF32    = floats(atomic32(less32))
	atomicMaxF32    = floats(atomic32(greater32))
	atomicSwapIfF32 = floats(atomic32(swapIfF32))
	atomicSwapIfF64 = floats(atomic64(swapIfF64))
	atomicMinF64    = floats(atomic64(less64))
	atomicMaxF64    = floats(atomic64(greater64))
	atomicAddH      = packedAdd(half16)
	atomicAddB      = packedAdd(brain16)
)
