package ptx_test

import (
	"math"
	"math/big"
	"math/bits"
	"testing"

	"simtgdb/simt/ptx/numeric/numerictest"
)

// bitRows are operations with bits, and those of one type.
var bitRows = []row{
	{text: "and.pred %pd, %pa, %pb;", want: func(a, b, _ uint64) uint64 { return a & b & 1 }},
	{text: "or.pred %pd, %pa, %pb;", want: func(a, b, _ uint64) uint64 { return (a | b) & 1 }},
	{text: "xor.pred %pd, %pa, !%pb;", want: func(a, b, _ uint64) uint64 { return (a ^ b ^ 1) & 1 }},
	{text: "not.pred %pd, %pa;", want: func(a, _, _ uint64) uint64 { return ^a & 1 }},
	{text: "mov.pred %pd, %pa;", want: func(a, _, _ uint64) uint64 { return a & 1 }},
	{text: "popc.b32 %wd, %wa;", want: func(a, _, _ uint64) uint64 {
		return uint64(bits.OnesCount32(uint32(a)))
	}},
	{text: "popc.b64 %wd, %xa;", want: func(a, _, _ uint64) uint64 { return uint64(bits.OnesCount64(a)) }},
	{text: "clz.b32 %wd, %wa;", want: func(a, _, _ uint64) uint64 {
		return uint64(bits.LeadingZeros32(uint32(a)))
	}},
	{text: "clz.b64 %wd, %xa;", want: func(a, _, _ uint64) uint64 {
		return uint64(bits.LeadingZeros64(a))
	}},
	{text: "brev.b32 %wd, %wa;", want: func(a, _, _ uint64) uint64 {
		return uint64(bits.Reverse32(uint32(a)))
	}},
	{text: "brev.b64 %xd, %xa;", want: func(a, _, _ uint64) uint64 { return bits.Reverse64(a) }},
	{text: "bfind.u32 %wd, %wa;", want: func(a, _, _ uint64) uint64 {
		return topBit(low(a, 32), 32, false, false)
	}},
	{text: "bfind.s32 %wd, %wa;", want: func(a, _, _ uint64) uint64 {
		return topBit(low(a, 32), 32, true, false)
	}},
	{text: "bfind.shiftamt.s64 %wd, %xa;", want: func(a, _, _ uint64) uint64 {
		return topBit(a, 64, true, true)
	}},
	{text: "bfind.shiftamt.u64 %wd, %xa;", want: func(a, _, _ uint64) uint64 {
		return topBit(a, 64, false, true)
	}},
	{text: "bfe.u32 %wd, %wa, %wb, %wc;", want: func(a, b, c uint64) uint64 {
		return field(a, b, c, 32, false)
	}},
	{text: "bfe.s32 %wd, %wa, %wb, %wc;", want: func(a, b, c uint64) uint64 {
		return field(a, b, c, 32, true)
	}},
	{text: "bfe.u64 %xd, %xa, %wb, %wc;", want: func(a, b, c uint64) uint64 {
		return field(a, b, c, 64, false)
	}},
	{text: "bfe.s64 %xd, %xa, %wb, %wc;", want: func(a, b, c uint64) uint64 {
		return field(a, b, c, 64, true)
	}},
	{text: "bfi.b32 %wd, %wa, %wb, %wc, 5;", want: func(a, b, c uint64) uint64 {
		return insert(a, b, c, 5, 32)
	}},
	{text: "bfi.b64 %xd, %xa, %xb, %wc, 40;", want: func(a, b, c uint64) uint64 {
		return insert(a, b, c, 40, 64)
	}},
	{text: "bfi.b32 %wd, %wa, %wb, 3, %wc;", want: func(a, b, c uint64) uint64 {
		return insert(a, b, 3, c, 32)
	}},
	{text: "fns.b32 %wd, %wa, 7, 3;", want: func(a, _, _ uint64) uint64 { return nth(a, 7, 3) }},
	{text: "fns.b32 %wd, %wa, 20, -2;", want: func(a, _, _ uint64) uint64 { return nth(a, 20, -2) }},
	{text: "fns.b32 %wd, %wa, 4, 0;", want: func(a, _, _ uint64) uint64 { return nth(a, 4, 0) }},
	{text: "bmsk.clamp.b32 %wd, %wa, %wb;", want: func(a, b, _ uint64) uint64 {
		return ones(low(a, 32), low(b, 32))
	}},
	{text: "bmsk.wrap.b32 %wd, %wa, %wb;", want: func(a, b, _ uint64) uint64 { return ones(a&31, b&31) }},
	{text: "szext.clamp.s32 %wd, %wa, %wb;", want: func(a, b, _ uint64) uint64 {
		if b = low(b, 32); b >= 32 || b == 0 {
			return low(a, 32) & -truth(b != 0)
		}
		return low(uint64(sext(a, int(b))), 32)
	}},
	{text: "szext.wrap.u32 %wd, %wa, %wb;", want: func(a, b, _ uint64) uint64 {
		return a & (1<<(b&31) - 1)
	}},
	{text: "shf.l.wrap.b32 %wd, %wa, %wb, %wc;", want: func(a, b, c uint64) uint64 {
		return (low(b, 32)<<32 | low(a, 32)) << (c & 31) >> 32
	}},
	{text: "shf.r.wrap.b32 %wd, %wa, %wb, %wc;", want: func(a, b, c uint64) uint64 {
		return low((low(b, 32)<<32|low(a, 32))>>(c&31), 32)
	}},
	{text: "shf.l.clamp.b32 %wd, %wa, %wb, %wc;", want: func(a, b, c uint64) uint64 {
		return (low(b, 32)<<32 | low(a, 32)) << min(low(c, 32), 32) >> 32
	}},
	{text: "shf.r.clamp.b32 %wd, %wa, %wb, %wc;", want: func(a, b, c uint64) uint64 {
		return low((low(b, 32)<<32|low(a, 32))>>min(low(c, 32), 32), 32)
	}},
	{text: "prmt.b32 %wd, %wa, %wb, %wc;", want: func(a, b, c uint64) uint64 {
		d, p := uint64(0), low(b, 32)<<32|low(a, 32)
		for i := range uint64(4) {
			s := c >> (4 * i)
			v := p >> (s & 7 * 8) & 255
			if s&8 != 0 {
				v = v >> 7 * 255
			}
			d |= v << (8 * i)
		}
		return d
	}},
	// The rows of the table of modes in "prmt", from byte 3 down to byte 0.
	{text: "prmt.b32.f4e %wd, %wa, %wb, 1;", want: bytesOf(4, 3, 2, 1)},
	{text: "prmt.b32.f4e %wd, %wa, %wb, 3;", want: bytesOf(6, 5, 4, 3)},
	{text: "prmt.b32.b4e %wd, %wa, %wb, 0;", want: bytesOf(5, 6, 7, 0)},
	{text: "prmt.b32.b4e %wd, %wa, %wb, 2;", want: bytesOf(7, 0, 1, 2)},
	{text: "prmt.b32.rc8 %wd, %wa, %wb, 2;", want: bytesOf(2, 2, 2, 2)},
	{text: "prmt.b32.ecl %wd, %wa, %wb, 1;", want: bytesOf(3, 2, 1, 1)},
	{text: "prmt.b32.ecr %wd, %wa, %wb, 1;", want: bytesOf(1, 1, 1, 0)},
	{text: "prmt.b32.rc16 %wd, %wa, %wb, 1;", want: bytesOf(3, 2, 3, 2)},
	{text: "lop3.b32 %wd, %wa, %wb, %wc, 0x1a;", want: func(a, b, c uint64) uint64 { // (a & b | c) ^ a
		return low((a&b|c)^a, 32)
	}},
	{text: "lop3.b32 %wd, %wa, %wb, %wc, 0xe8;", want: func(a, b, c uint64) uint64 {
		return low(a&b|a&c|b&c, 32)
	}},
	{text: "mul24.lo.u32 %wd, %wa, %wb;", want: func(a, b, _ uint64) uint64 {
		return low(low(a, 24)*low(b, 24), 32)
	}},
	{text: "mul24.hi.s32 %wd, %wa, %wb;", want: func(a, b, _ uint64) uint64 {
		return low(uint64(sext(a, 24)*sext(b, 24)>>16), 32)
	}},
	{text: "mad24.lo.s32 %wd, %wa, %wb, %wc;", want: func(a, b, c uint64) uint64 {
		return low(uint64(sext(a, 24)*sext(b, 24))+c, 32)
	}},
	{text: "dp4a.s32.s32 %wd, %wa, %wb, %wc;", want: func(a, b, c uint64) uint64 {
		return dot(a, b, c, 8, 4, 0, true, true)
	}},
	{text: "dp4a.u32.s32 %wd, %wa, %wb, %wc;", want: func(a, b, c uint64) uint64 {
		return dot(a, b, c, 8, 4, 0, false, true)
	}},
	{text: "dp4a.u32.u32 %wd, %wa, %wb, %wc;", want: func(a, b, c uint64) uint64 {
		return dot(a, b, c, 8, 4, 0, false, false)
	}},
	{text: "dp2a.lo.s32.u32 %wd, %wa, %wb, %wc;", want: func(a, b, c uint64) uint64 {
		return dot(a, b, c, 16, 2, 0, true, false)
	}},
	{text: "dp2a.hi.s32.s32 %wd, %wa, %wb, %wc;", want: func(a, b, c uint64) uint64 {
		return dot(a, b, c, 16, 2, 2, true, true)
	}},
	{text: "add.sat.s32 %wd, %wa, %wb;", want: func(a, b, _ uint64) uint64 {
		return sat32(sext(a, 32) + sext(b, 32))
	}},
	{text: "sub.sat.s32 %wd, %wa, %wb;", want: func(a, b, _ uint64) uint64 {
		return sat32(sext(a, 32) - sext(b, 32))
	}},
	{text: "mad.hi.sat.s32 %wd, %wa, %wb, %wc;", want: func(a, b, c uint64) uint64 {
		return sat32(sext(a, 32)*sext(b, 32)>>32 + sext(c, 32))
	}},
	{text: "min.relu.s32 %wd, %wa, %wb;", want: func(a, b, _ uint64) uint64 {
		return uint64(max(min(sext(a, 32), sext(b, 32)), 0))
	}},
	{text: "add.u16x2 %wd, %wa, %wb;", want: func(a, b, _ uint64) uint64 {
		return halves(a, b, func(x, y int64) int64 {
			return x + y
		})
	}},
	{text: "min.s16x2 %wd, %wa, %wb;", want: func(a, b, _ uint64) uint64 {
		return halves(a, b, func(x, y int64) int64 {
			return min(x, y)
		})
	}},
	{text: "max.s16x2 %wd, %wa, %wb;", want: func(a, b, _ uint64) uint64 {
		return halves(a, b, func(x, y int64) int64 {
			return max(x, y)
		})
	}},
	{text: "max.u16x2 %wd, %wa, %wb;", want: func(a, b, _ uint64) uint64 {
		return max(a&0xffff, b&0xffff) | max(a>>16&0xffff, b>>16&0xffff)<<16
	}},
	// 128 bits by carries, seen in the upper half.
	{text: "add.cc.u64 %xe, %xa, %xc; addc.u64 %xd, %xb, %xa;", want: func(a, b, c uint64) uint64 {
		_, carry := bits.Add64(a, c, 0)
		return a + b + carry
	}},
	{text: "add.cc.u32 %we, %wa, %wc; addc.cc.u32 %we, %wb, %wa; addc.u32 %wd, 0, 0;",
		want: func(a, b, c uint64) uint64 {
			return (low(b, 32) + low(a, 32) + (low(a, 32)+low(c, 32))>>32) >> 32
		}},
	{text: "sub.cc.s32 %we, %wa, %wc; subc.cc.s32 %we, %wb, %wa; subc.s32 %wd, 0, 0;",
		want: func(a, b, c uint64) uint64 {
			x := int64(low(b, 32)) - int64(low(a, 32)) - int64(truth(low(a, 32) < low(c, 32)))
			return low(-truth(x < 0), 32)
		}},
	{text: "sub.cc.u64 %xe, %xa, %xc; subc.u64 %xd, %xb, 1;", want: func(a, b, c uint64) uint64 {
		return b - 1 - truth(a < c)
	}},
	{text: "mad.lo.cc.u32 %we, %wa, %wb, %wc; madc.hi.u32 %wd, %wa, %wb, %wc;",
		want: func(a, b, c uint64) uint64 {
			a, b, c = low(a, 32), low(b, 32), low(c, 32)
			return low(a*b>>32+c+(low(a*b, 32)+c)>>32, 32)
		}},
	{text: "mad.lo.cc.u64 %xe, %xa, %xb, %xc; madc.hi.cc.u64 %xd, %xa, %xb, 0;",
		want: func(a, b, c uint64) uint64 {
			h, l := bits.Mul64(a, b)
			_, carry := bits.Add64(l, c, 0)
			return h + carry
		}},
	// Video instructions.
	{text: "vadd.s32.s32.u32.sat %wd, %wa, %wb;", want: func(a, b, _ uint64) uint64 {
		return sat32(sext(a, 32) + int64(low(b, 32)))
	}},
	{text: "vsub.u32.u32.u32 %wd, %wa.b1, %wb.h1;", want: func(a, b, _ uint64) uint64 {
		return low(a>>8&255-b>>16&0xffff, 32)
	}},
	{text: "vabsdiff.u32.s32.s32.add %wd, %wa.h0, %wb.b3, %wc;", want: func(a, b, c uint64) uint64 {
		d := sext(a, 16) - sext(b>>24, 8)
		return low(uint64(max(d, -d))+c, 32)
	}},
	{text: "vmin.s32.s32.s32 %wd.b2, %wa, %wb, %wc;", want: func(a, b, c uint64) uint64 {
		return low(c, 32)&^0xff0000 | low(uint64(min(sext(a, 32), sext(b, 32))), 8)<<16
	}},
	{text: "vmax.u32.u32.u32.max %wd, %wa, %wb, %wc;", want: func(a, b, c uint64) uint64 {
		return max(low(a, 32), low(b, 32), low(c, 32))
	}},
	{text: "vshl.u32.u32.u32.clamp %wd, %wa, %wb;", want: func(a, b, _ uint64) uint64 {
		return low(low(a, 32)<<min(low(b, 32), 32), 32)
	}},
	{text: "vshr.s32.s32.u32.wrap %wd, %wa, %wb;", want: func(a, b, _ uint64) uint64 {
		return low(uint64(sext(a, 32)>>(b&31)), 32)
	}},
	{text: "vmad.s32.s32.s32.shr7 %wd, %wa.h0, %wb.h1, %wc;", want: func(a, b, c uint64) uint64 {
		return low(uint64((sext(a, 16)*sext(b>>16, 16)+sext(c, 32))>>7), 32)
	}},
	{text: "vset.s32.u32.lt %wd, %wa, %wb;", want: func(a, b, _ uint64) uint64 {
		return truth(sext(a, 32) < int64(low(b, 32)))
	}},
	{text: "vadd2.s32.s32.s32.sat %wd, %wa, %wb, %wc;", want: func(a, b, _ uint64) uint64 {
		return halves(a, b, func(x, y int64) int64 { return max(min(x+y, 0x7fff), -0x8000) })
	}},
	{text: "vsub2.s32.s32.s32 %wd, %wa, %wb, %wc;", want: func(a, b, _ uint64) uint64 {
		return halves(a, b, func(x, y int64) int64 {
			return x - y
		})
	}},
	{text: "vavrg2.s32.s32.s32 %wd, %wa, %wb, %wc;", want: func(a, b, _ uint64) uint64 {
		return halves(a, b, func(x, y int64) int64 {
			if x+y < 0 {
				return (x + y) >> 1
			}
			return (x + y + 1) >> 1
		})
	}},
	{text: "vabsdiff2.s32.s32.s32 %wd, %wa, %wb, %wc;", want: func(a, b, _ uint64) uint64 {
		return halves(a, b, func(x, y int64) int64 { return max(x-y, y-x) })
	}},
	{text: "vmin2.s32.s32.s32 %wd, %wa, %wb, %wc;", want: func(a, b, _ uint64) uint64 {
		return halves(a, b, func(x, y int64) int64 {
			return min(x, y)
		})
	}},
	{text: "vmax2.s32.s32.s32 %wd, %wa, %wb, %wc;", want: func(a, b, _ uint64) uint64 {
		return halves(a, b, func(x, y int64) int64 {
			return max(x, y)
		})
	}},
	{text: "vset2.s32.s32.ge %wd, %wa, %wb, %wc;", want: func(a, b, _ uint64) uint64 {
		return halves(a, b, func(x, y int64) int64 { return int64(truth(x >= y)) })
	}},
	{text: "vadd4.u32.u32.u32 %wd, %wa, %wb, %wc;", want: func(a, b, _ uint64) uint64 {
		return quarters(a, b, func(x, y int64) int64 {
			return x + y
		})
	}},
	{text: "vsub4.u32.u32.u32.sat %wd, %wa, %wb, %wc;", want: func(a, b, _ uint64) uint64 {
		return quarters(a, b, func(x, y int64) int64 { return max(x-y, 0) })
	}},
	{text: "vavrg4.u32.u32.u32 %wd, %wa, %wb, %wc;", want: func(a, b, _ uint64) uint64 {
		return quarters(a, b, func(x, y int64) int64 { return (x + y + 1) / 2 })
	}},
	{text: "vabsdiff4.u32.u32.u32.add %wd, %wa, %wb, %wc;", want: func(a, b, c uint64) uint64 {
		sum := uint64(0)
		for i := range 4 {
			x, y := int64(a>>(8*i)&255), int64(b>>(8*i)&255)
			sum += uint64(max(x-y, y-x))
		}
		return low(sum+c, 32)
	}},
	{text: "vmin4.u32.u32.u32 %wd, %wa, %wb, %wc;", want: func(a, b, _ uint64) uint64 {
		return quarters(a, b, func(x, y int64) int64 {
			return min(x, y)
		})
	}},
	{text: "vmax4.u32.u32.u32 %wd, %wa, %wb, %wc;", want: func(a, b, _ uint64) uint64 {
		return quarters(a, b, func(x, y int64) int64 {
			return max(x, y)
		})
	}},
	{text: "vset4.u32.u32.eq %wd, %wa, %wb, %wc;", want: func(a, b, _ uint64) uint64 {
		return quarters(a, b, func(x, y int64) int64 { return int64(truth(x == y)) })
	}},
	// Selectors: parts of b follow those of a; what the mask leaves out is of c.
	{text: "vadd2.s32.s32.s32 %wd.h1, %wa.h20, %wb.h31, %wc;", want: func(a, b, c uint64) uint64 {
		return c&0xffff | (b&0xffff+b>>16&0xffff)&0xffff<<16
	}},
	{text: "vsub2.u32.u32.s32.sat %wd.h0, %wa.h11, %wb.h02, %wc;", want: func(a, b, c uint64) uint64 {
		return low(c, 32)&0xffff0000 | uint64(max(min(int64(a>>16&0xffff)-sext(b, 16), 0xffff), 0))
	}},
	{text: "vmax4.s32.s32.u32 %wd.b31, %wa.b7654, %wb.b0123, %wc;", want: func(a, b, c uint64) uint64 {
		hi, lo := max(sext(b>>24, 8), int64(a&255)), max(sext(b>>8, 8), int64(a>>16&255))
		return c&0x00ff00ff | uint64(hi)&255<<24 | uint64(lo)&255<<8
	}},
	{text: "vabsdiff4.u32.u32.u32.add %wd.b20, %wa.b3333, %wb.b4444, %wc;",
		want: func(a, b, c uint64) uint64 {
			d := int64(a>>24&255) - int64(b&255)
			return low(c+2*uint64(max(d, -d)), 32)
		}},
	{text: "vset4.u32.s32.lt.add %wd.b3210, %wa.b0123, %wb, %wc;", want: func(a, b, c uint64) uint64 {
		for i := range 4 {
			c += truth(int64(a>>(24-8*i)&255) < sext(b>>(8*i), 8))
		}
		return low(c, 32)
	}},
	{text: "vavrg2.u32.u32.s32 %wd.h10, %wa.h10, %wb.h32, %wc;", want: func(a, b, _ uint64) uint64 {
		return average2(a, b)
	}},
	{text: "vmad.s32.u32.u32.sat %wd, -%wa, %wb, %wc;", want: func(a, b, c uint64) uint64 {
		return vmad(big.NewInt(int64(low(a, 32))), big.NewInt(-int64(low(b, 32))), big.NewInt(sext(c, 32)), 0,
			true)
	}},
	{text: "vmad.u32.u32.u32.sat.shr15 %wd, %wa, %wb.h1, %wc;", want: func(a, b, c uint64) uint64 {
		return vmad(big.NewInt(int64(low(a, 32))), big.NewInt(int64(b>>16&0xffff)),
			big.NewInt(int64(low(c, 32))), 15,
			false)
	}},
	{text: "vmad.s32.s32.u32.sat %wd, %wa, -%wb.b2, %wc;", want: func(a, b, c uint64) uint64 {
		return vmad(big.NewInt(sext(a, 32)), big.NewInt(-int64(b>>16&255)), big.NewInt(sext(c, 32)), 0, true)
	}},
	{text: "vmad.s32.s32.s32.sat.shr7 %wd, %wa.h0, %wb, -%wc;", want: func(a, b, c uint64) uint64 {
		return vmad(big.NewInt(sext(a, 16)), big.NewInt(sext(b, 32)), big.NewInt(-sext(c, 32)), 7, true)
	}},
	{text: "vmad.u32.u32.u32.po.sat %wd, %wa, %wb, %wc;", want: func(a, b, c uint64) uint64 {
		return vmad(big.NewInt(int64(low(a, 32))), big.NewInt(int64(low(b, 32))),
			big.NewInt(int64(low(c, 32))+1), 0,
			false)
	}},
	// Moves, packs and addresses.
	{text: "mov.b32 %wd, {%ha, %hb};", want: func(a, b, _ uint64) uint64 {
		return a&0xffff | b&0xffff<<16
	}},
	{text: "mov.b64 %xd, {%wa, %wb};", want: func(a, b, _ uint64) uint64 { return low(a, 32) | b<<32 }},
	{text: "mov.b64 %xd, {%ha, %hb, %hc, %ha};", want: func(a, b, c uint64) uint64 {
		return a&0xffff | b&0xffff<<16 | c&0xffff<<32 | a&0xffff<<48
	}},
	{text: "mov.b64 {_, %wd}, %xa;", want: func(a, _, _ uint64) uint64 { return a >> 32 }},
	{text: "mov.b32 {%hd, %he}, %wa;", want: func(a, _, _ uint64) uint64 { return a & 0xffff }},
	{text: "cvta.shared.u64 %xe, 4; cvta.to.shared.u64 %xd, %xe; " +
		"isspacep.shared %pe, %xe; @!%pe mov.u64 %xd, 9;",
		want: func(_, _, _ uint64) uint64 { return 4 }},
	{text: "mov.u64 %xe, own; cvta.local.u64 %xe, %xe; isspacep.local %pd, %xe;",
		want: func(_, _, _ uint64) uint64 { return 1 }},
	{text: "isspacep.global %pd, %in;", want: func(_, _, _ uint64) uint64 { return 1 }},
	{text: "isspacep.const %pd, %in;", want: func(_, _, _ uint64) uint64 { return 0 }},
	{text: "mov.u64 %xe, k_in; isspacep.param %pd, %xe;", want: func(_, _, _ uint64) uint64 { return 1 }},
	{text: "createpolicy.fractional.L2::evict_last.b64 %xe, 1.0; mov.u64 %xd, 3;",
		want: func(_, _, _ uint64) uint64 { return 3 }},
	// What changes nothing here.
	{text: "membar.gl; fence.acq_rel.gpu; fence.sc.cta; prefetch.global.L2 [%in]; " +
		"prefetchu.L1 [%in]; pmevent 1;" +
		"nanosleep.u32 100; discard.global.L2 [%in], 128; " +
		"applypriority.global.L2::evict_normal [%in], 128;" +
		"griddepcontrol.wait; setmaxnreg.inc.sync.aligned.u32 64; mov.u64 %xd, %xa;",
		want: func(a, _, _ uint64) uint64 { return a }},
	// Memory of the frame that is not known before, once given back.
	{text: "stacksave.u64 %xe; alloca.u64 %xd, 16; st.local.u64 [%xd], %xa; " +
		"ld.local.u64 %xd, [%xd]; stackrestore.u64 %xe;",
		want: func(a, _, _ uint64) uint64 { return a }},
	// Control.
	{text: "@%pa bra odd; mov.u64 %xd, 1; bra.uni done; odd: mov.u64 %xd, 2; done:",
		want: func(a, _, _ uint64) uint64 {
			return 1 + a&1
		}},
	{text: "list: .branchtargets l0, l1, l2, l3; and.b32 %we, %wa, 3; " +
		"brx.idx %we, list; l0: mov.u64 %xd, 10; bra end;" +
		"l1: mov.u64 %xd, 11; bra end; l2: mov.u64 %xd, 12; bra end; l3: mov.u64 %xd, 13; end:",
		want: func(a, _, _ uint64) uint64 { return 10 + a&3 }},
	{text: "mov.u64 %xd, 5; @!%pa mov.u64 %xd, %xb;", want: func(a, b, _ uint64) uint64 {
		if a&1 != 0 {
			return 5
		}
		return b
	}},
	// A lane that ends leaves the others alone; its result is what was there.
	{text: "mov.u64 %xd, 7; st.global.u64 [%out], 6; @%pa exit; @%pb ret;",
		want: func(a, b, _ uint64) uint64 {
			return 7 - (a|b)&1
		}},
	{head: `.func (.param .b32 y) thrice(.param .b32 x) { .reg .b32 %x; ld.param.b32 %x, [x]; mul.lo.u32 %x, %x, 3;
	st.param.b32 [y], %x; ret; }`, text: `{ .param .b32 x; .param .b32 y; st.param.b32 [x], %wa;
	call (y), thrice, (x); ld.param.b32 %wd, [y]; }`, want: func(a, _, _ uint64) uint64 { return low(3*a, 32) }},
	{text: "@!%pe bra on; trap; brkpt; on: mov.u64 %xd, 1;", want: func(_, _, _ uint64) uint64 {
		return 1
	}},
}

// average2 is the average of halves, unsigned of a and signed of b, rounded up if it is not negative.
func average2(a, b uint64) (d uint64) {
	for i := range 2 {
		s := int64(a>>(16*i)&0xffff) + sext(b>>(16*i), 16)
		if s >= 0 {
			s++
		}
		d |= uint64(s>>1) & 0xffff << (16 * i)
	}
	return
}

// vmad is a*b + c, moved down and limited to 32 bits.
func vmad(a, b, c *big.Int, shift uint, signed bool) uint64 {
	v := new(big.Int).Mul(a, b)
	v.Rsh(v.Add(v, c), shift)
	least, most := big.NewInt(0), big.NewInt(math.MaxUint32)
	if signed {
		least, most = big.NewInt(math.MinInt32), big.NewInt(math.MaxInt32)
	}
	if v.Cmp(least) < 0 {
		v = least
	}
	if v.Cmp(most) > 0 {
		v = most
	}
	return low(uint64(v.Int64()), 32)
}

func topBit(a uint64, w int, signed, amount bool) uint64 {
	if signed && a>>(w-1) != 0 {
		a = low(^a, w)
	}
	for i := w - 1; i >= 0; i-- {
		if a>>i&1 != 0 {
			if amount {
				return uint64(w - 1 - i)
			}
			return uint64(i)
		}
	}
	return 0xffffffff
}

// field is bfe as the manual writes it.
func field(a, b, c uint64, w int, signed bool) (d uint64) {
	pos, n, msb := int(b&255), int(c&255), w-1
	sign := uint64(0)
	if signed && n > 0 {
		sign = a >> min(pos+n-1, msb) & 1
	}
	for i := 0; i <= msb; i++ {
		bit := sign
		if i < n && pos+i <= msb {
			bit = a >> (pos + i) & 1
		}
		d |= bit << i
	}
	return
}

// insert is bfi as the manual writes it.
func insert(a, b, c, d uint64, w int) uint64 {
	f := low(b, w)
	pos, n := int(c&255), int(d&255)
	for i := 0; i < n && pos+i <= w-1; i++ {
		f = f&^(1<<(pos+i)) | a>>i&1<<(pos+i)
	}
	return f
}

// nth is fns as the manual writes it.
func nth(mask uint64, base, offset int) uint64 {
	if offset == 0 {
		if mask>>base&1 != 0 {
			return uint64(base)
		}
		return 0xffffffff
	}
	count, step := offset-1, 1
	if offset < 0 {
		count, step = -offset-1, -1
	}
	for pos := base; pos >= 0 && pos < 32; pos += step {
		if mask>>pos&1 != 0 {
			if count == 0 {
				return uint64(pos)
			}
			count--
		}
	}
	return 0xffffffff
}

func ones(pos, n uint64) (d uint64) {
	for i := pos; i < pos+n && i < 32; i++ {
		d |= 1 << i
	}
	return
}

// bytesOf picks bytes of b:a.
func bytesOf(b3, b2, b1, b0 int) func(a, b, c uint64) uint64 {
	return func(a, b, _ uint64) uint64 {
		p := low(b, 32)<<32 | low(a, 32)
		return p>>(8*b3)&255<<24 | p>>(8*b2)&255<<16 | p>>(8*b1)&255<<8 | p>>(8*b0)&255
	}
}

func dot(a, b, c uint64, w, n, first int, sa, sb bool) uint64 {
	part := func(v uint64, i, w int, signed bool) int64 {
		v = low(v>>(i*w), w)
		if signed {
			return sext(v, w)
		}
		return int64(v)
	}
	sum := int64(c)
	for i := range n {
		sum += part(a, i, w, sa) * part(b, i+first, 8, sb)
	}
	return low(uint64(sum), 32)
}

func sat32(v int64) uint64 {
	return low(uint64(max(min(v, math.MaxInt32), math.MinInt32)), 32)
}

func halves(a, b uint64, f func(x, y int64) int64) uint64 {
	lo, hi := f(sext(a, 16), sext(b, 16)), f(sext(a>>16, 16), sext(b>>16, 16))
	return uint64(lo)&0xffff | uint64(hi)&0xffff<<16
}

func quarters(a, b uint64, f func(x, y int64) int64) (d uint64) {
	for i := range 4 {
		d |= uint64(f(int64(a>>(8*i)&255), int64(b>>(8*i)&255))) & 255 << (8 * i)
	}
	return
}

func TestBits(t *testing.T) {
	in := numerictest.Wholes()
	for _, r := range bitRows {
		r.check(t, in)
	}
}
