package ptx

import (
	"math/bits"

	"simtgdb/simt/ptx/numeric"
	"simtgdb/simt/vec"
)

// Instructions on bits, fields and bytes of registers.

// bfind finds the most significant bit that is not the sign (PTX ISA, "bfind").
func (b *builder) bfind() error {
	amount := b.has("shiftamt")
	typ := b.typ()
	width := numeric.Widths[typ]
	if err := b.only("shiftamt"); err != nil {
		return err
	}
	return b.set1(each1(func(a uint64) uint64 {
		if typ[0] == 's' && a>>(width-1)&1 != 0 {
			a = ^a & numeric.Mask(width)
		}
		n := bits.Len64(a) - 1
		if n < 0 {
			return 0xffffffff
		}
		if amount {
			n = width - 1 - n
		}
		return uint64(n)
	}), typ)
}

// bfe extracts a bit field (PTX ISA, "bfe").
func (b *builder) bfe() error {
	typ := b.typ()
	width := uint64(numeric.Widths[typ])
	signed := typ[0] == 's'
	if err := b.only(); err != nil {
		return err
	}
	f := func(a, pos, length uint64) uint64 {
		pos, length = pos&255, length&255
		sign := uint64(0)
		if signed && length > 0 {
			sign = a >> min(pos+length-1, width-1) & 1
		}
		out := a >> pos & numeric.Mask(int(min(length, 64)))
		// Above the bits that the field has in a, and above the field, stands the sign.
		if have := min(length, width-min(pos, width)); sign != 0 && have < width {
			out |= ^uint64(0) << have
		}
		return out & numeric.Mask(int(width))
	}
	if err := b.set3(each3(f), typ); err != nil {
		return err
	}
	return b.retypes("u32", 2, 3)
}

func (b *builder) retypes(typ string, operands ...int) error {
	for _, i := range operands {
		if err := b.retype(i, typ); err != nil {
			return err
		}
	}
	return nil
}

// bfi inserts a bit field (PTX ISA, "bfi").
func (b *builder) bfi() error {
	typ := b.typ()
	width := uint64(numeric.Widths[typ])
	if err := b.operands(5); err != nil {
		return err
	}
	if err := b.dest(0); err != nil {
		return err
	}
	if err := b.sources(1, typ); err != nil {
		return err
	}
	if err := b.retypes("u32", 3, 4); err != nil {
		return err
	}
	return b.perLane4(func(a, base, pos, length uint64) uint64 {
		pos, length = pos&255, length&255
		if pos >= width || length == 0 {
			return base
		}
		field := numeric.Mask(int(min(length, 64))) << pos & numeric.Mask(int(width))
		return base&^field | a<<pos&field
	})
}

// perLane4 makes an instruction of four sources.
func (b *builder) perLane4(f func(a, b, c, d uint64) uint64) error {
	if b.in.dst < 0 {
		return refuse("has no destination")
	}
	for i := range 4 {
		if k := b.in.s[i].kind; k == fromNone || k == fromPred {
			return refuse("lacks a number as an operand")
		}
	}
	b.in.run = func(c *Core, in *inst, mask uint32) {
		w, x, y, z := c.value(in, 0), c.value(in, 1), c.value(in, 2), c.value(in, 3)
		d := &c.act.r[in.dst]
		for m := mask; m != 0; m &= m - 1 {
			l := first(m)
			d[l] = f(w[l], x[l], y[l], z[l])
		}
	}
	return nil
}

// fns finds the n-th set bit (PTX ISA, "fns").
func (b *builder) fns() error {
	return b.set3(each3(func(mask, base, offset uint64) uint64 {
		m, pos, n := uint32(mask), int(int32(base)), int(int32(offset))
		if n == 0 {
			if pos >= 0 && pos < 32 && m>>pos&1 != 0 {
				return uint64(pos)
			}
			return 0xffffffff
		}
		step := 1
		if n < 0 {
			step, n = -1, -n
		}
		// The bit at the base counts.
		for found := 0; pos >= 0 && pos < 32; pos += step {
			if m>>pos&1 != 0 {
				if found++; found == n {
					return uint64(pos)
				}
			}
		}
		return 0xffffffff
	}), "b32")
}

// bmsk makes a mask (PTX ISA, "bmsk").
func (b *builder) bmsk() error {
	wrap := b.has("wrap")
	if err := b.only("clamp", "wrap"); err != nil {
		return err
	}
	return b.set2(each2(func(pos, n uint64) uint64 {
		if wrap {
			pos, n = pos&31, n&31
		}
		if pos >= 32 {
			return 0
		}
		return numeric.Mask(int(min(n, 32))) << pos & 0xffffffff
	}), "b32")
}

// szext extends the sign, or zeros (PTX ISA, "szext").
func (b *builder) szext() error {
	wrap, signed := b.has("wrap"), b.typ() == "s32"
	if err := b.only("clamp", "wrap"); err != nil {
		return err
	}
	return b.set2(each2(func(a, n uint64) uint64 {
		if wrap {
			n &= 31
		}
		if n >= 32 {
			return a
		}
		if signed && n > 0 {
			return uint64(uint32(numeric.SignExtend(a, int(n))))
		}
		return a & numeric.Mask(int(n))
	}), "b32")
}

// lop3 is any function of three bits (PTX ISA, "lop3").
func (b *builder) lop3() error {
	if len(b.mods) != 1 || b.typ() != "b32" {
		return refuse("is not simulated in this form")
	}
	if err := b.operands(5); err != nil {
		return err
	}
	if b.args[4].Kind != Int {
		return refuse("has a table that is no number")
	}
	table := uint32(b.args[4].Value)
	b.args = b.args[:4]
	return b.set3(each3(func(x, y, z uint64) uint64 {
		var d uint32
		for i := range uint32(8) {
			if table>>i&1 == 0 {
				continue
			}
			m := ^uint32(0)
			for bit, v := range [3]uint32{uint32(z), uint32(y), uint32(x)} {
				if i>>bit&1 == 0 {
					v = ^v
				}
				m &= v
			}
			d |= m
		}
		return uint64(d)
	}), "b32")
}

// shf shifts a pair of registers (PTX ISA, "shf").
func (b *builder) shf() error {
	wrap, left := b.has("wrap"), b.has("l")
	if err := b.only("l", "r", "wrap", "clamp"); err != nil {
		return err
	}
	return b.set3(each3(func(lo, hi, n uint64) uint64 {
		if n &= 0xffffffff; wrap {
			n &= 31
		}
		n = min(n, 32)
		pair := hi<<32 | lo
		if left {
			return pair << n >> 32
		}
		return pair >> n & 0xffffffff
	}), "b32")
}

// prmt picks bytes (PTX ISA, "prmt").
func (b *builder) prmt() error {
	mode := ""
	for _, m := range b.mods {
		if m != "b32" {
			mode = m
		}
	}
	pick, ok := permutations[mode]
	if !ok {
		return refuse("is not simulated in this form")
	}
	if mode == "" {
		return b.set3(permuteBytes, "b32")
	}
	return b.set3(each3(func(x, y, sel uint64) uint64 {
		bytes := y<<32 | x
		out := uint64(0)
		for i := range uint64(4) {
			n := pick(sel, i)
			v := bytes >> (8 * (n & 7)) & 0xff
			if n&8 != 0 {
				v = uint64(uint8(int8(v) >> 7))
			}
			out |= v << (8 * i)
		}
		return out
	}), "b32")
}

// permuteBytes is prmt without a mode, for all lanes.
func permuteBytes(d, x, y, selectors *vec.Wide) {
	for l, sel := range selectors {
		bytes, out := y[l]<<32|x[l], uint64(0)
		for i := 0; i < 32; i += 8 {
			n := sel & 15
			v := uint8(bytes >> (8 * (n & 7)))
			if n&8 != 0 {
				v = uint8(int8(v) >> 7)
			}
			out |= uint64(v) << i
			sel >>= 4
		}
		d[l] = out
	}
}

// permutations say which byte goes to place i; 8 more means its sign.
var permutations = map[string]func(sel, i uint64) uint64{
	"":     func(sel, i uint64) uint64 { return sel >> (4 * i) & 15 },
	"f4e":  func(sel, i uint64) uint64 { return (sel&3 + i) & 7 },
	"b4e":  func(sel, i uint64) uint64 { return (sel&3 - i) & 7 },
	"rc8":  func(sel, _ uint64) uint64 { return sel & 3 },
	"ecl":  func(sel, i uint64) uint64 { return max(sel&3, i) },
	"ecr":  func(sel, i uint64) uint64 { return min(sel&3, i) },
	"rc16": func(sel, i uint64) uint64 { return sel&1*2 + i&1 },
}
