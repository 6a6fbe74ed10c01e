package gen

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Most instructions compute 32-bit elements that lie side by side, or one that
// counts for all channels, without modifiers of the result. They work on the
// register file itself, a dword for each element; everything else goes by the
// arrays of ints and floats.

// A row is the dwords of an operand's elements, one after the other.
type row [4 * maxChannels]byte

// A fastOp computes n dwords.
type fastOp func(d, a, b, c *row, n int)

// fastOps are the operations that have one, by opcode: of integers and of
// single-precision numbers.
var fastOps = map[uint8]struct{ ints, floats fastOp }{
	0x01: {fastMov, fastMov}, 0x04: {fastNot, nil}, 0x05: {fastAnd, nil}, 0x06: {fastOr, nil},
	0x07: {fastXor, nil},
	0x08: {fastShr, nil}, 0x09: {fastShl, nil}, 0x0c: {fastAsr, nil}, 0x40: {fastAdd, fastAddF},
	0x41: {fastMul, fastMulF},
	0x5b: {nil, fastMadF},
}

// fast chooses a fast path for the instruction, if it has one.
func (in *Inst) fast() fastOp {
	ops, ok := fastOps[in.Op.Code]
	if !ok || in.cond != 0 || in.saturate || in.accWrite || in.dst.place != inGRF ||
		in.dst.hstride != 1 || in.width > maxChannels {
		return nil
	}
	op, want := ops.ints, [2]Type{UD, D}
	if in.dst.typ == F {
		op, want = ops.floats, [2]Type{F, F}
	}
	if op == nil || in.dst.typ != want[0] && in.dst.typ != want[1] {
		return nil
	}
	for i := range in.sourceCount() {
		if !in.fastSource(i, want) {
			return nil
		}
	}
	if in.Op.Code == 0x0c && in.src[0].typ != D { // asr of what has no sign
		return nil
	}
	return op
}

// fastSource reports whether a source is one that fast paths take.
func (in *Inst) fastSource(i int, want [2]Type) bool {
	o := &in.src[i]
	if o.place == immediate {
		return (o.typ == want[0] || o.typ == want[1] || want[0] != F && (o.typ == W || o.typ == UW)) &&
			!o.neg && !o.abs
	}
	if o.typ != want[0] && o.typ != want[1] || o.layout.table != nil || o.place != inGRF &&
		o.place != inARF ||
		o.layout.step != 0 && o.layout.step != 4 {
		return false
	}
	if want[0] != F && (o.abs || o.neg && in.Op.flags&logicFlag != 0) {
		return false
	}
	// A destination that lies across the source must not be written while
	// that is read.
	d, s, size := in.dst.layout.base, o.layout.base, 4*in.width
	return o.layout.step == 0 || d == s || d+size <= s || s+size <= d
}

// broadcast makes the row of a constant.
func (o *operand) broadcast() {
	o.row = new(row)
	for k := range maxChannels {
		binary.LittleEndian.PutUint32(o.row[4*k:], uint32(o.ints[k]))
	}
}

// runFast executes an instruction by its fast path, if the floating-point
// control allows it.
func runFast(c *Core, in *Inst) {
	if in.dst.typ == F && in.Op.Code != opMov && c.r.u32(offCR)&(crDenormF|crRound) != crDenormF {
		in.slow(c, in)
		return
	}
	mask := c.channels(in)
	if mask == 0 {
		return
	}
	c.lanes += uint64(bits.OnesCount32(mask))
	n := in.width
	var src [3]*row
	for i := range in.srcs {
		src[i] = c.rowOf(in, i, n)
	}
	d := (*row)(c.r.file[in.dst.layout.base:])
	if mask == in.all() {
		in.fastOp(d, src[0], src[1], src[2], n)
		return
	}
	out := &c.rows[3]
	in.fastOp(out, src[0], src[1], src[2], n)
	for m := mask; m != 0; m &= m - 1 {
		k := 4 * (bits.TrailingZeros32(m) & (maxChannels - 1))
		*(*[4]byte)(d[k:]) = *(*[4]byte)(out[k:])
	}
}

// rowOf gives the elements of a source as a row: where they are, or a copy with
// modifiers applied.
func (c *Core) rowOf(in *Inst, i, n int) *row {
	o := &in.src[i]
	if o.row != nil {
		return o.row
	}
	if o.layout.step != 0 && !o.neg && !o.abs {
		return (*row)(c.r.file[o.layout.base:])
	}
	out, le := &c.rows[i], binary.LittleEndian
	if o.layout.step == 0 {
		v := o.modify32(le.Uint32(c.r.file[o.layout.base:]))
		for k := 0; k < 4*n; k += 4 {
			le.PutUint32(out[k&127:], v)
		}
		return out
	}
	from := (*row)(c.r.file[o.layout.base:])
	for k := 0; k < 4*n; k += 4 {
		le.PutUint32(out[k&127:], o.modify32(le.Uint32(from[k&127:])))
	}
	return out
}

// modify32 applies a source's modifiers to an element.
func (o *operand) modify32(v uint32) uint32 {
	const sign = 1 << 31
	if o.typ == F {
		if o.abs {
			v &^= sign
		}
		if o.neg {
			v ^= sign
		}
		return v
	}
	if o.neg {
		return -v
	}
	return v
}

func fastMov(d, a, _, _ *row, n int) { copy(d[:4*n], a[:4*n]) }

func fastNot(d, a, _, _ *row, n int) {
	for k := range 4 * n {
		d[k&127] = ^a[k&127]
	}
}

func fastXor(d, a, b, _ *row, n int) {
	le := binary.LittleEndian
	for k := 0; k < 4*n; k += 4 {
		le.PutUint32(d[k&127:], le.Uint32(a[k&127:])^le.Uint32(b[k&127:]))
	}
}

func fastShr(d, a, b, _ *row, n int) {
	le := binary.LittleEndian
	for k := 0; k < 4*n; k += 4 {
		le.PutUint32(d[k&127:], le.Uint32(a[k&127:])>>(le.Uint32(b[k&127:])&31))
	}
}

func fastAsr(d, a, b, _ *row, n int) {
	le := binary.LittleEndian
	for k := 0; k < 4*n; k += 4 {
		le.PutUint32(d[k&127:], uint32(int32(le.Uint32(a[k&127:]))>>(le.Uint32(b[k&127:])&31)))
	}
}

func fastAnd(d, a, b, _ *row, n int) {
	le := binary.LittleEndian
	for k := 0; k < 4*n; k += 4 {
		le.PutUint32(d[k&127:], le.Uint32(a[k&127:])&le.Uint32(b[k&127:]))
	}
}

func fastOr(d, a, b, _ *row, n int) {
	le := binary.LittleEndian
	for k := 0; k < 4*n; k += 4 {
		le.PutUint32(d[k&127:], le.Uint32(a[k&127:])|le.Uint32(b[k&127:]))
	}
}

func fastShl(d, a, b, _ *row, n int) {
	le := binary.LittleEndian
	for k := 0; k < 4*n; k += 4 {
		le.PutUint32(d[k&127:], le.Uint32(a[k&127:])<<(le.Uint32(b[k&127:])&31))
	}
}

func fastAdd(d, a, b, _ *row, n int) {
	le := binary.LittleEndian
	for k := 0; k < 4*n; k += 4 {
		le.PutUint32(d[k&127:], le.Uint32(a[k&127:])+le.Uint32(b[k&127:]))
	}
}

func fastMul(d, a, b, _ *row, n int) {
	le := binary.LittleEndian
	for k := 0; k < 4*n; k += 4 {
		le.PutUint32(d[k&127:], le.Uint32(a[k&127:])*le.Uint32(b[k&127:]))
	}
}

func fastAddF(d, a, b, _ *row, n int) {
	le := binary.LittleEndian
	for k := 0; k < 4*n; k += 4 {
		s := math.Float32frombits(le.Uint32(a[k&127:])) + math.Float32frombits(le.Uint32(b[k&127:]))
		le.PutUint32(d[k&127:], math.Float32bits(s))
	}
}

func fastMulF(d, a, b, _ *row, n int) {
	le := binary.LittleEndian
	for k := 0; k < 4*n; k += 4 {
		p := math.Float32frombits(le.Uint32(a[k&127:])) * math.Float32frombits(le.Uint32(b[k&127:]))
		le.PutUint32(d[k&127:], math.Float32bits(p))
	}
}

func fastMadF(d, a, b, c *row, n int) {
	le := binary.LittleEndian
	for k := 0; k < 4*n; k += 4 {
		x := float64(math.Float32frombits(le.Uint32(a[k&127:])))
		y := float64(math.Float32frombits(le.Uint32(b[k&127:])))
		z := float64(math.Float32frombits(le.Uint32(c[k&127:])))
		le.PutUint32(d[k&127:], math.Float32bits(float32(oddSum(y*z, x))))
	}
}

// fastCompare reports whether a comparison can go by rows.
func (in *Inst) fastCompare() bool {
	want := [2]Type{in.src[0].typ, in.src[0].typ}
	if in.src[0].typ != D && in.src[0].typ != UD && in.src[0].typ != F || in.cond == 0 || in.cond > 6 {
		return false
	}
	for i := range 2 {
		// Of a constant of 16 bits only those count that mean the same signed.
		o := &in.src[i]
		if o.place == immediate && want[0] == UD && o.typ == W || !in.fastSource(i, want) ||
			o.place == inARF {
			return false
		}
	}
	return in.dst.isNull()
}

// runFastCompare executes a comparison of 32-bit elements that sets flags only.
func runFastCompare(c *Core, in *Inst) {
	float := in.src[0].typ == F
	if float && c.r.u32(offCR)&crDenormF == 0 {
		in.slow(c, in)
		return
	}
	mask := c.channels(in)
	if mask == 0 {
		return
	}
	c.lanes += uint64(bits.OnesCount32(mask))
	a, b := c.rowOf(in, 0, in.width), c.rowOf(in, 1, in.width)
	var less, equal, unordered uint32
	switch {
	case float:
		less, equal, unordered = orderFloats(a, b, in.width)
	case in.src[0].typ == UD:
		less, equal = orderInts(a, b, in.width, 0)
	default:
		less, equal = orderInts(a, b, in.width, 1<<31)
	}
	var flags uint32
	switch in.cond {
	case 1:
		flags = equal
	case 2:
		flags = ^equal
	case 3:
		flags = ^(less | equal | unordered)
	case 4:
		flags = ^(less | unordered)
	case 5:
		flags = less
	case 6:
		flags = less | equal
	}
	c.setFlags(in, mask, flags)
}

// orderInts tells for which elements the first is less, and equal; sign is
// flipped in both before.
func orderInts(a, b *row, n int, sign uint32) (less, equal uint32) {
	le := binary.LittleEndian
	for k := range n {
		x, y := le.Uint32(a[4*k&127:])^sign, le.Uint32(b[4*k&127:])^sign
		if x < y {
			less |= 1 << k
		}
		if x == y {
			equal |= 1 << k
		}
	}
	return less, equal
}

// orderFloats is orderInts for numbers, of which some have no order.
func orderFloats(a, b *row, n int) (less, equal, unordered uint32) {
	le := binary.LittleEndian
	for k := range n {
		x, y := math.Float32frombits(le.Uint32(a[4*k&127:])), math.Float32frombits(le.Uint32(b[4*k&127:]))
		switch {
		case x < y:
			less |= 1 << k
		case x == y:
			equal |= 1 << k
		case x != x || y != y:
			unordered |= 1 << k
		}
	}
	return less, equal, unordered
}
