package gcn

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// A typedAccess is what a buffer instruction does that converts between the
// numbers in its registers and those of a format in memory.
type typedAccess struct {
	components int // x, xy, xyz or xyzw
	write      bool
	half       bool // numbers of 16 bits, two to a register
	high       bool // with half: in the high half of the register
}

// Number formats (MI200 ISA, table "NUM_FORMAT").
const (
	formatUnorm = iota
	formatSnorm
	formatUscaled
	formatSscaled
	formatUint
	formatSint
	_
	formatFloat
)

const dataFormat8 = 1

// dataFormats are the widths of the components of a data format, from the
// lowest bit on: the last in the format's name first (MI200 ISA, table
// "DATA_FORMAT").
var dataFormats = [16][]uint{1: {8}, 2: {16}, 3: {8, 8}, 4: {32}, 5: {16, 16}, 6: {11, 11, 10},
	7: {10, 11, 11},
	8: {2, 10, 10, 10}, 9: {10, 10, 10, 2}, 10: {8, 8, 8, 8}, 11: {32, 32}, 12: {16, 16, 16, 16},
	13: {32, 32, 32},
	14: {32, 32, 32, 32}}

// A bufferFormat is how items lie in a buffer, and which of their components
// an instruction's registers get.
type bufferFormat struct {
	widths []uint
	num    uint8
	sel    [4]uint8 // DST_SEL: selZero, selOne, or selFirst and on for a component
}

// The components that a descriptor can name.
const (
	selZero  = 0
	selOne   = 1
	selFirst = 4
)

// size is how many bytes an item has.
func (f *bufferFormat) size() int {
	n := uint(0)
	for _, w := range f.widths {
		n += w
	}
	return int(n / 8)
}

// float is the format of floats of some bits; small ones have no sign, and are
// read and written with one more bit for it. ok is false if there are none.
func smallFloat(width uint) (f format, ok bool) {
	switch width {
	case 32:
		return single, true
	case 16:
		return half16, true
	case 11:
		return format{Width: 12, Mant: 6}, true
	case 10:
		return format{Width: 11, Mant: 5}, true
	}
	return format{}, false
}

// decode makes a number of a component: a single, or an integer of 32 bits.
func (f *bufferFormat) decode(v uint64, width uint) uint32 {
	signed := int64(v<<(64-width)) >> (64 - width)
	most := float64(uint64(1)<<width - 1)
	switch f.num {
	case formatUnorm:
		return bits32(float32(float64(v) / most))
	case formatSnorm:
		return bits32(float32(max(float64(signed)/float64(uint64(1)<<(width-1)-1), -1)))
	case formatUscaled:
		return bits32(float32(v))
	case formatSscaled:
		return bits32(float32(signed))
	case formatUint:
		return uint32(v)
	case formatSint:
		return uint32(signed)
	case formatFloat:
		if s, ok := smallFloat(width); ok {
			return uint32(convertFloat(s, single, v, ModeDenorm32|ModeDenorm64))
		}
	}
	return 0
}

// encode is decode's counterpart: what does not fit becomes the nearest that
// does, a NaN 0.
func (f *bufferFormat) encode(v uint32, width uint) uint64 {
	x := float64(float32s(v))
	most, mostSigned := float64(uint64(1)<<width-1), float64(uint64(1)<<(width-1)-1)
	clamp := func(x, lo, hi float64) uint64 {
		if x != x {
			return 0
		}
		return uint64(int64(math.RoundToEven(max(lo, min(hi, x))))) & (1<<width - 1)
	}
	switch f.num {
	case formatUnorm:
		return clamp(x*most, 0, most)
	case formatSnorm:
		return clamp(x*mostSigned, -mostSigned, mostSigned)
	case formatUscaled:
		return clamp(math.Trunc(x), 0, most)
	case formatSscaled:
		return clamp(math.Trunc(x), -mostSigned-1, mostSigned)
	case formatUint:
		return min(uint64(v), 1<<width-1)
	case formatSint:
		return clamp(float64(int32(v)), -mostSigned-1, mostSigned)
	case formatFloat:
		s, ok := smallFloat(width)
		if !ok {
			return 0
		}
		if width < 16 && v>>31 != 0 && x == x { // no negative numbers
			return 0
		}
		return convertFloat(single, s, uint64(v), ModeDenorm32|ModeDenorm64) & (1<<width - 1)
	}
	return 0
}

// one is what stands for 1: an integer or a float.
func (f *bufferFormat) one() uint32 {
	if f.num == formatUint || f.num == formatSint {
		return 1
	}
	return bits32(1)
}

// load makes four numbers of an item.
func (f *bufferFormat) load(mem []byte) (v [4]uint32) {
	item, at := itemBits(mem[:f.size()]), uint(0)
	read := [4]uint32{3: f.one()}
	for i, w := range f.widths {
		read[i] = f.decode(item.field(at, w), w)
		at += w
	}
	for i, sel := range f.sel {
		switch {
		case sel == selOne:
			v[i] = f.one()
		case sel >= selFirst:
			v[i] = read[sel-selFirst]
		}
	}
	return v
}

// store writes an item of as many numbers as there are; the others are 0.
func (f *bufferFormat) store(mem []byte, v []uint32) {
	var item itemWords
	at := uint(0)
	for i, w := range f.widths {
		if i < len(v) {
			item.setField(at, w, f.encode(v[i], w))
		}
		at += w
	}
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:], item[0])
	binary.LittleEndian.PutUint64(b[8:], item[1])
	copy(mem[:f.size()], b[:])
}

// itemWords are the up to 128 bits of an item. No field crosses a word.
type itemWords [2]uint64

func itemBits(b []byte) (item itemWords) {
	for i, v := range b {
		item[i/8] |= uint64(v) << (i % 8 * 8)
	}
	return item
}

func (i *itemWords) field(at, width uint) uint64 {
	return i[at/64] >> (at % 64) & (1<<width - 1)
}

func (i *itemWords) setField(at, width uint, v uint64) { i[at/64] |= v & (1<<width - 1) << (at % 64) }

// format is that of the instruction (MTBUF), or of the descriptor.
func (c *Core) format(in *Inst) bufferFormat {
	if in.form == MTBUF {
		data, num := in.mem.dfmt, in.mem.nfmt
		if in.on.IsLater() {
			data, num = laterFormat(uint32(data), in.on)
		}
		return bufferFormat{dataFormats[data], num,
			[4]uint8{selFirst, selFirst + 1, selFirst + 2, selFirst + 3}}
	}
	w := c.r.S[in.src[0].reg+3]
	data, num := uint8(w>>15&0xf), uint8(w>>12&7)
	if in.on.IsLater() {
		data, num = laterFormat(w>>12&0x7f, in.on)
	}
	f := bufferFormat{widths: dataFormats[data], num: num}
	for i := range f.sel {
		f.sel[i] = uint8(w >> (3 * i) & 7)
	}
	return f
}

// runTyped executes buffer_load_format, tbuffer_store_format and the like. An
// invalid format reads as 0, and is not written.
func runTyped(c *Core, in *Inst) {
	w, t := c.w, in.Op.typed
	if w.Exec == 0 {
		return
	}
	f := c.format(in)
	d := c.descriptor(&in.src[0])
	c.beginAccess(c.registers(&in.dst), c.registers(&in.src[1]), nil)
	inside := c.bufferAddresses(in, &d, c.s32(&in.mem.soffset), 0, uint64(f.size()))
	if len(f.widths) == 0 {
		inside = 0
	}
	if inside != 0 {
		a := &access{size: f.size(), write: t.write, move: func(c *Core, p *pass) { t.move(c, p, &f) }}
		s := c.spanOf(inside)
		c.checkGlobal(a, inside, s)
		if c.raise(in, a) {
			return
		}
		c.moveGlobal(in, a, inside, s)
	}
	if !t.write {
		t.zero(c, w.Exec&^inside)
	}
}

// move does the access for the lanes of a pass.
func (t *typedAccess) move(c *Core, p *pass, f *bufferFormat) {
	for m := p.mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		mem := p.mem[c.addr[l]-p.base:]
		if t.write {
			v := t.take(p.data, l, f)
			f.store(mem, v[:t.components])
		} else {
			t.put(p.dst, l, f.load(mem), f)
		}
	}
}

// zero gives 0 to lanes that are outside of the buffer.
func (t *typedAccess) zero(c *Core, lanes uint64) {
	for m := lanes; m != 0; m &= m - 1 {
		t.put(c.pass.dst, bits.TrailingZeros64(m)&63, [4]uint32{}, &bufferFormat{num: formatUint})
	}
}

// put gives a lane its numbers.
func (t *typedAccess) put(dst []Vector, l int, v [4]uint32, f *bufferFormat) {
	if !t.half {
		for i := range dst {
			dst[i][l] = v[i]
		}
		return
	}
	if f.num != formatUint && f.num != formatSint {
		for i := range v {
			v[i] = uint32(convertFloat(single, half16, uint64(v[i]), ModeDenorm32|ModeDenorm64))
		}
	}
	if t.components == 1 {
		old := dst[0][l]
		dst[0][l] = lowHalf(old, v[0]&0xffff)
		if t.high {
			dst[0][l] = highHalf(old, v[0]&0xffff)
		}
		return
	}
	for i := range t.components {
		if i%2 == 0 {
			dst[i/2][l] = v[i] & 0xffff
		} else {
			dst[i/2][l] |= v[i] << 16
		}
	}
}

// take is put's counterpart.
func (t *typedAccess) take(data []Vector, l int, f *bufferFormat) (v [4]uint32) {
	for i := range t.components {
		if !t.half {
			v[i] = data[i][l]
			continue
		}
		h := data[i/2][l] >> (16 * uint(i%2)) & 0xffff
		if t.high {
			h = data[0][l] >> 16
		}
		switch f.num {
		case formatUint:
			v[i] = h
		case formatSint:
			v[i] = uint32(int16(h))
		default:
			v[i] = uint32(convertFloat(half16, single, uint64(h), ModeDenorm32|ModeDenorm64))
		}
	}
	return v
}
