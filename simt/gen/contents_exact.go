package gen

import (
	"encoding/binary"
	"math/bits"

	"simtgdb/simt/contents"
)

// Elements of which only some bits have contents, for package contents. Of a byte that nothing has been
// written to nobody knows whether it is padding of a structure that is kept in registers: beside others of
// its element that have contents it is taken for that, by itself it is not. Of one that comes from memory, or
// has been computed, it is known, and marked.

// knownParts is what is known of bytes of known.blank besides.
type knownParts struct {
	has    [knownBytes]uint8  // the bits that have contents
	mere   [knownWords]uint64 // bytes that may be padding: see contents.Exact
	spoilt [knownWords]uint64 // bytes that are none, whatever there is beside them
}

// forget makes a byte one that has nothing, without a mark.
func (p *knownParts) forget(at int) {
	if p != nil {
		p.has[at] = 0
		p.mere[at/64] &^= 1 << (at % 64)
		p.spoilt[at/64] &^= 1 << (at % 64)
	}
}

// bit is a byte's of some marks.
func bit(marks *[knownWords]uint64, at int) bool { return marks[at/64]>>(at%64)&1 != 0 }

// bitsAt are the bits of an element that have no contents, and whether they may be padding.
func (k *known) bitsAt(at, size int) (lacking uint64, mere bool) {
	whole, unmarked, spoilt := true, false, false
	for i := range size {
		at := at - offA0 + i
		switch {
		case at < 0 || at >= knownBytes || k.blank[at/64]>>(at%64)&1 == 0:
			whole = false
			continue
		case k.parts == nil:
			lacking, unmarked = lacking|0xff<<(8*i), true
			continue
		}
		has := k.parts.has[at]
		lacking |= uint64(^has) << (8 * i)
		whole, unmarked = whole && has == 0, unmarked || !bit(&k.parts.mere, at)
		spoilt = spoilt || bit(&k.parts.spoilt, at)
	}
	if whole {
		return lacking, !unmarked
	}
	return lacking, !spoilt
}

// setBits notes that some bits of an element have none, of which it has been noted before that it has.
func (k *known) setBits(at, size int, lacking uint64, mere bool, from uint64) {
	all := ^uint64(0) >> (64 - 8*size)
	if lacking &= all; lacking == 0 {
		return
	}
	if k.parts == nil && (lacking != all || mere) {
		k.parts = &knownParts{}
	}
	for i := range size {
		at, lacks := at-offA0+i, uint8(lacking>>(8*i))
		if lacks == 0 || at < 0 || at >= knownBytes {
			continue
		}
		k.set(at+offA0, 1, true, from)
		switch {
		case k.parts == nil:
			continue
		case mere:
			k.parts.mere[at/64] |= 1 << (at % 64)
		case lacking != all:
			k.parts.spoilt[at/64] |= 1 << (at % 64)
		}
		k.parts.has[at] = ^lacks
	}
}

// spoils reports whether any of some bytes has no contents and is no padding.
func (k *known) spoils(at, size int) bool {
	for i := range size {
		if k.parts != nil && k.any(at-offA0+i, 1) && bit(&k.parts.spoilt, at-offA0+i) {
			return true
		}
	}
	return false
}

// spoil notes of all bytes without contents, of some, that they are no padding.
func (k *known) spoil(at, size int) {
	if k.parts == nil {
		k.parts = &knownParts{}
	}
	for at, end := at-offA0, at-offA0+size; at < end; at++ {
		if k.any(at, 1) {
			k.parts.spoilt[at/64] |= 1 << (at % 64)
		}
	}
}

// Lacks implements contents.Exact.
func (v *values) Lacks(o contents.Operand, lanes uint64) (some uint64) {
	if o == operandFlag {
		some, _ = v.Blank(o, lanes)
		return some
	}
	for m := lanes >> v.in.first; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		at, size, ok := v.element(o, i)
		if !ok {
			return 0
		}
		if lo := at - offA0; lo >= 0 && lo+size <= knownBytes && v.k.any(lo, size) {
			some |= 1 << (i + v.in.first)
		}
	}
	return some
}

// any reports whether any byte of an element is in blank.
func (k *known) any(lo, size int) bool {
	w := k.blank[lo/64] >> (lo % 64)
	if lo%64+size > 64 {
		w |= k.blank[lo/64+1] << (64 - lo%64)
	}
	return w&(1<<size-1) != 0
}

// Bits implements contents.Exact.
func (v *values) Bits(o contents.Operand, lane int) (lacking uint64, mere bool, from uint64) {
	if o == operandFlag {
		lacking, from = v.Blank(o, 1<<lane)
		return lacking >> lane, false, from
	}
	at, size, ok := v.element(o, lane-v.in.first)
	if !ok {
		return 0, false, 0
	}
	lacking, mere = v.k.bitsAt(at, size)
	return lacking, mere, v.k.fromOf((at - offA0) / 4)
}

// SetBits implements contents.Exact.
func (v *values) SetBits(o contents.Operand, lane int, lacking uint64, mere bool, from uint64) {
	if o == operandFlag {
		v.Set(o, 1<<lane, lacking&1<<lane, from)
	} else if at, size, ok := v.element(o, lane-v.in.first); ok {
		v.k.setBits(at, size, lacking, mere, from)
	}
}

// size is that of an operand's elements.
func (v *values) size(o contents.Operand) int {
	if o <= operandDst {
		return v.in.operand(o).typ.Size()
	}
	_, size, _ := v.element(o, 0)
	return size
}

// Width implements contents.Exact.
func (v *values) Width(o contents.Operand) uint64 {
	if o == operandFlag {
		return 1
	}
	return ^uint64(0) >> (64 - 8*v.size(o))
}

// Value implements contents.Exact.
func (v *values) Value(o contents.Operand, lane int) uint64 {
	i := lane - v.in.first
	if o == operandFlag {
		pair, s := v.in.flagPair()
		return v.c.r.flagPair(pair) >> (s + i) & 1
	}
	at, size, ok := v.element(o, i)
	switch {
	case ok && at == nowhere:
		return 0 // whatever it is compared with: the instruction faults
	case ok:
	case v.in.operand(o).place == immediate:
		return v.in.operand(o).imm
	default: // a register that is not followed
		var all ints
		v.c.loadInts(v.in, int(o), &all)
		return uint64(all[i])
	}
	var b [8]byte
	copy(b[:size], v.c.r.file[at:])
	return binary.LittleEndian.Uint64(b[:])
}

// Put implements contents.Exact.
func (v *values) Put(o contents.Operand, lane int, x uint64) {
	i := lane - v.in.first
	if o == operandFlag {
		pair, s := v.in.flagPair()
		v.c.r.setFlagPair(pair, v.c.r.flagPair(pair)&^(1<<(s+i))|x&1<<(s+i))
	} else if at, size, ok := v.element(o, i); ok {
		writeBits(v.c.r.file[at:], size, x)
	}
}

// Try implements contents.Exact: what an instruction writes besides its results is as it was.
func (v *values) Try() {
	c := v.c
	lanes, stop := c.lanes, c.stop
	var rest [offFlag - offAcc]byte
	copy(rest[:], c.r.file[offAcc:])
	v.plain(c, v.in)
	copy(c.r.file[offAcc:], rest[:])
	c.lanes, c.stop = lanes, stop
}

// ways says of instructions how bits without contents go to their results. Of others nothing is said.
var ways = map[string]contents.Way{
	"add": contents.Whole, "mul": contents.Whole, "mad": contents.Whole, "cmp": contents.Whole,
	"cmpn": contents.Whole, "rndd": contents.Whole, "rnde": contents.Whole, "rndu": contents.Whole,
	"rndz": contents.Whole, "frc": contents.Whole, "math": contents.Whole, "mach": contents.Whole,
	"addc": contents.Whole, "subb": contents.Whole, "xor": contents.Whole, "avg": contents.Whole,
	"lrp": contents.Whole, "add3": contents.Whole, "dp4a": contents.Whole, "bfe": contents.Whole,
	"bfrev": contents.Whole, "fbh": contents.Whole, "fbl": contents.Whole, "cbit": contents.Whole,
	"lzd": contents.Whole, "not": contents.Whole, "mov": contents.Whole,

	"and": contents.Placed, "or": contents.Placed, "bfn": contents.Placed, "bfi2": contents.Placed,
	"shl": contents.Shifted, "shr": contents.Shifted, "asr": contents.Shifted,
}

// way is that of an instruction: numbers are moved bit by bit, also to shorter and longer ones.
func (in *Inst) way() contents.Way {
	switch from, to := in.src[0].typ, in.dst.typ; {
	case in.isMacro():
		return contents.Opaque
	case in.Op.Name == "sel" && in.cond != 0 && in.pred == 0: // the less or the greater
		return contents.Whole
	case in.Op.Name == "sel" && in.cond == 0 && from.Size() == to.Size() &&
		in.src[1].typ.Size() == to.Size():
		return contents.Moved
	case in.Op.Name != "mov" || in.saturate || in.src[0].neg || in.src[0].abs:
	case types[from].float || types[to].float:
		if from == to {
			return contents.Moved
		}
	case from.Size() == to.Size():
		return contents.Moved
	default:
		return contents.Placed
	}
	return ways[in.Op.Name]
}

// findCut finds the sources of an instruction behind some others of its block that are what a constant mask
// has left of a number, more than half of it.
func (in *Inst) findCut(before []Inst) {
	width := 8 * in.dst.typ.Size()
	switch in.Op.Name {
	case "or":
		for i := range 2 {
			at := maker(before, &in.src[i])
			if at < 0 || before[at].Op.Name != "and" {
				continue
			}
			if mask, ok := constantOf(before[:at], &before[at].src[1]); ok && contents.Cuts(mask, width) {
				in.cut |= 1 << i
			}
		}
	case "bfn":
		for i := range 3 {
			if contents.Cuts(in.kept(before, i), width) {
				in.cut |= 1 << i
			}
		}
	}
}

// constantOf is the number that an operand has behind some instructions, if they say so.
func constantOf(before []Inst, o *operand) (n uint64, ok bool) {
	if at := maker(before, o); at >= 0 && before[at].Op.Name == "mov" {
		o = &before[at].src[0]
	}
	return o.imm, o.place == immediate
}

// kept are the bits of a source of bfn that the others, as far as they are constants, let through.
func (in *Inst) kept(before []Inst, source int) (mask uint64) {
	var numbers [3]uint64
	var constant [3]bool
	for n := range 3 {
		numbers[n], constant[n] = constantOf(before, &in.src[n])
	}
	for i := range 64 {
		for x := range 8 {
			possible := true
			for n, is := range constant {
				possible = possible && (n == source || !is || numbers[n]>>i&1 == uint64(x>>n&1))
			}
			if possible && in.function>>x&1 != in.function>>(x^1<<source)&1 {
				mask |= 1 << i
			}
		}
	}
	return mask
}

// dividesByFloats reports whether an instruction, as numbers are rounded now, begins IGC's division of
// integers by floats: the remainder is computed besides, in which the dividend's bits cannot be told apart.
func (c *Core) dividesByFloats(in *Inst) bool {
	return in.Op.Name == "mov" && types[in.dst.typ].float && !types[in.src[0].typ].float &&
		in.src[0].followed() && c.rounding() != nearest
}

// settleDividend makes what is divided so a number all of which has contents, unless nothing of it has.
func (v *values) settleDividend(lanes uint64) {
	blank, _ := v.Blank(0, lanes)
	v.Set(0, v.Lacks(0, lanes)&^blank, 0, 0)
}
