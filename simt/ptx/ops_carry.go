package ptx

import (
	"math/bits"

	"simtgdb/simt/ptx/numeric"
	"simtgdb/simt/vec"
)

// Arithmetic with the carry of a lane, CC.CF (PTX ISA, "Extended-Precision Integer Arithmetic
// Instructions").

// A carryOp computes a result and a carry from up to three sources and a carry.
type carryOp func(s [3]uint64, carry uint64) (result, out uint64)

// carrying makes an instruction of n sources that has a carry to read, and writes it if out is set.
func (b *builder) carrying(n int, typ string, out bool, f carryOp) error {
	if err := b.operands(n + 1); err != nil {
		return err
	}
	if err := b.dest(0); err != nil {
		return err
	}
	if err := b.sources(1, typ); err != nil {
		return err
	}
	dst := b.in.dst
	b.in.run = func(c *Core, in *inst, mask uint32) {
		var v [3]*vec.Wide
		for i := range n {
			v[i] = c.value(in, i)
		}
		for m := mask; m != 0; m &= m - 1 {
			l := first(m)
			var s [3]uint64
			for i := range n {
				s[i] = v[i][l]
			}
			d, carry := f(s, uint64(c.act.carry>>l&1))
			if dst >= 0 {
				c.act.r[dst][l] = d
			}
			if out {
				c.act.carry = c.act.carry&^(1<<l) | uint32(carry)<<l
			}
		}
	}
	return nil
}

// addCarry is a sum with its carry in a width.
func addCarry(width int, x, y, carry uint64) (uint64, uint64) {
	if width == 64 {
		return bits.Add64(x, y, carry)
	}
	s := x&numeric.Mask(width) + y&numeric.Mask(width) + carry
	return s & numeric.Mask(width), s >> width & 1
}

// subCarry is a difference with its borrow in a width.
func subCarry(width int, x, y, borrow uint64) (uint64, uint64) {
	if width == 64 {
		return bits.Sub64(x, y, borrow)
	}
	d := x - y - borrow
	return d & numeric.Mask(width), d >> 63
}

func (b *builder) addCC() error {
	w := numeric.Widths[b.typ()]
	return b.carrying(2, b.typ(), true, func(s [3]uint64, _ uint64) (uint64, uint64) {
		return addCarry(w, s[0], s[1], 0)
	})
}

func (b *builder) subCC() error {
	w := numeric.Widths[b.typ()]
	return b.carrying(2, b.typ(), true, func(s [3]uint64, _ uint64) (uint64, uint64) {
		return subCarry(w, s[0], s[1], 0)
	})
}

func (b *builder) addc() error {
	w := numeric.Widths[b.typ()]
	if err := b.only("cc"); err != nil {
		return err
	}
	return b.carrying(2, b.typ(), b.has("cc"), func(s [3]uint64, carry uint64) (uint64, uint64) {
		return addCarry(w, s[0], s[1], carry)
	})
}

func (b *builder) subc() error {
	w := numeric.Widths[b.typ()]
	if err := b.only("cc"); err != nil {
		return err
	}
	return b.carrying(2, b.typ(), b.has("cc"), func(s [3]uint64, borrow uint64) (uint64, uint64) {
		return subCarry(w, s[0], s[1], borrow)
	})
}

// madCC and madc multiply, and add with a carry.
func (b *builder) madCC() error { return b.madCarry(true, false) }
func (b *builder) madc() error  { return b.madCarry(b.has("cc"), true) }

func (b *builder) madCarry(out, in bool) error {
	if err := b.only("lo", "hi", "cc"); err != nil {
		return err
	}
	product := products[b.typ()]
	half := "lo"
	if b.has("hi") {
		half = "hi"
	}
	f := product[half]
	if f == nil {
		return refuse("is not simulated for its type")
	}
	w := numeric.Widths[b.typ()]
	return b.carrying(3, b.typ(), out, func(s [3]uint64, carry uint64) (uint64, uint64) {
		if !in {
			carry = 0
		}
		return addCarry(w, f(s[0], s[1]), s[2], carry)
	})
}

// products are the halves of products of integers by type; "wide" is all of it.
var products = map[string]map[string]func(a, b uint64) uint64{
	"u16": {
		"lo":   func(a, b uint64) uint64 { return a * b & 0xffff },
		"hi":   func(a, b uint64) uint64 { return a * b >> 16 },
		"wide": func(a, b uint64) uint64 { return a * b },
	},
	"s16": {
		"lo":   func(a, b uint64) uint64 { return a * b & 0xffff },
		"hi":   func(a, b uint64) uint64 { return uint64(uint16(int32(int16(a)) * int32(int16(b)) >> 16)) },
		"wide": func(a, b uint64) uint64 { return uint64(uint32(int32(int16(a)) * int32(int16(b)))) },
	},
	"u32": {
		"lo":   func(a, b uint64) uint64 { return uint64(uint32(a * b)) },
		"hi":   func(a, b uint64) uint64 { return a * b >> 32 },
		"wide": func(a, b uint64) uint64 { return a * b },
	},
	"s32": {
		"lo":   func(a, b uint64) uint64 { return uint64(uint32(a * b)) },
		"hi":   func(a, b uint64) uint64 { return uint64(uint32(int64(int32(a)) * int64(int32(b)) >> 32)) },
		"wide": func(a, b uint64) uint64 { return uint64(int64(int32(a)) * int64(int32(b))) },
	},
	"u64": {"lo": func(a, b uint64) uint64 { return a * b }, "hi": numeric.MulHi64},
	"s64": {"lo": func(a, b uint64) uint64 { return a * b }, "hi": numeric.SMulHi64},
}
