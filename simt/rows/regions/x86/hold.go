package x86

import (
	"simtgdb/simt/native"
	"simtgdb/simt/rows/regions"
)

// Vector registers up to cached hold what the file has somewhere, or a number; those behind them are for
// what an operation needs.
const cached = 24

// A key says what a vector register holds: elements of the file from a place on, or numbers.
type key struct {
	at, step   int32
	size, elem uint8 // bytes in the file, and extended
	signed     bool
	length     uint8
	is         bool // a number, imm
	imm        uint64
}

// A holding is what a vector register holds.
type holding struct {
	used   int // when; 0 for nothing
	pin    bool
	known  bool // key says what it is
	key    key
	lo, hi int32 // where in the file
}

// take gives a vector register that nothing is in, pinned.
func (t *translator) take() native.Z {
	best := -1
	for z := range t.held {
		if h := &t.held[z]; !h.pin && (best < 0 || h.used < t.held[best].used) {
			best = z
		}
	}
	t.clock++
	t.held[best] = holding{used: t.clock, pin: true}
	return native.Z(best)
}

// find looks for what is held already, and pins it.
func (t *translator) find(k key) (native.Z, bool) {
	for z := range t.held {
		if h := &t.held[z]; h.known && h.key == k {
			t.clock++
			h.used, h.pin = t.clock, true
			return native.Z(z), true
		}
	}
	return 0, false
}

// keep says what a vector register holds.
func (t *translator) keep(z native.Z, k key, lo, hi int32) {
	t.clock++
	t.held[z] = holding{used: t.clock, pin: true, known: true, key: k, lo: lo, hi: hi}
}

// written forgets what has been in some bytes of the file.
func (t *translator) written(lo, hi int32) {
	for z := range t.held {
		if h := &t.held[z]; h.known && !h.key.is && h.lo < hi && lo < h.hi {
			h.known, h.used = false, 0
		}
	}
}

// A shape is how an operation's elements are in vectors.
type shape struct {
	lanes  int // of a vector
	parts  int
	length byte
	elem   uint8
}

func shapeOf(lanes, elem uint8) shape {
	bytes := int(lanes) * int(elem)
	s := shape{lanes: int(lanes), parts: 1, length: native.L512, elem: elem}
	switch {
	case bytes > 64:
		s.parts, s.lanes = bytes/64, 64/int(elem)
	case bytes <= 16:
		s.length = native.L128
	case bytes <= 32:
		s.length = native.L256
	}
	return s
}

// w is the W bit of instructions for the elements.
func (s shape) w(in native.Instruction) native.Instruction {
	in.W = 0
	if s.elem == 8 {
		in.W = 1
	}
	return in
}

// source brings a part of an operand into a vector register, with its modifiers.
func (t *translator) source(s *regions.Source, sh shape, part int) native.Z {
	if s.Const != nil {
		return t.numeric(s, sh, part)
	}
	z := t.region(&s.Region, sh, part)
	if s.Keep == ^uint64(0) && s.Flip == 0 && !s.Neg {
		return z
	}
	d := t.take()
	if s.Neg {
		t.VL(sh.length, sh.w(vpxor), d, d, native.InReg(d), 0)
		t.VL(sh.length, sh.pick(vpsubd, vpsubq), d, d, native.InReg(z), 0)
		return d
	}
	if s.Keep != ^uint64(0) {
		t.VL(sh.length, sh.w(vpand), d, z, native.Each(t.number(s.Keep, sh.elem)), 0)
		z = d
	}
	if s.Flip != 0 {
		t.VL(sh.length, sh.w(vpxor), d, z, native.Each(t.number(s.Flip, sh.elem)), 0)
	}
	return d
}

// pick chooses by the size of elements.
func (s shape) pick(dwords, qwords native.Instruction) native.Instruction {
	if s.elem == 8 {
		return qwords
	}
	return dwords
}

// modified is a number with an operand's modifiers.
func modified(s *regions.Source, v uint64) uint64 {
	if s.Neg {
		return -v
	}
	return v&s.Keep ^ s.Flip
}

// numeric brings numbers into a vector register.
func (t *translator) numeric(s *regions.Source, sh shape, part int) native.Z {
	if len(s.Const) > 1 {
		z := t.take()
		t.VL(sh.length, vmovdqu32, z, 0, native.InMem(t.numbers(sh.lanes, sh.elem, func(k int) uint64 {
			return modified(s, s.Const[part*sh.lanes+k])
		})), 0)
		return z
	}
	v := modified(s, s.Const[0])
	if sh.elem == 4 {
		v = uint64(uint32(v))
	}
	k := key{is: true, imm: v, elem: sh.elem}
	if z, ok := t.find(k); ok {
		return z
	}
	z := t.take()
	t.V(sh.pick(vpbroadcastd, vpbroadcastq), z, 0, native.InMem(t.number(v, sh.elem)), 0)
	t.keep(z, k, 0, 0)
	return z
}

func fileAt(at int32) native.Mem { return native.Mem{Base: regFile, Disp: at} }

// region brings a part of a region into a vector register.
func (t *translator) region(r *regions.Region, sh shape, part int) native.Z {
	first := part * sh.lanes
	lo, hi := r.Extent(first, sh.lanes)
	k := key{at: r.Offset(first), step: r.Step, size: r.Size, elem: sh.elem, signed: r.Signed, length: sh.length}
	single := r.Step == 0 || sh.lanes == 1
	if single {
		k.step, k.length = 0, native.L512
	}
	if r.Size >= sh.elem {
		k.signed = false
	}
	if r.Table == nil {
		if z, ok := t.find(k); ok {
			return z
		}
	}
	z := t.take()
	size := min(r.Size, sh.elem)
	switch {
	case r.Table != nil:
		t.gather(z, r, sh, first)
		return z
	case single && size == sh.elem:
		t.V(sh.pick(vpbroadcastd, vpbroadcastq), z, 0, native.InMem(fileAt(k.at)), 0)
	case single:
		t.VL(native.L128, extend(size, sh.elem, r.Signed), z, 0, native.InMem(fileAt(k.at)), 0)
		t.V(sh.pick(vpbroadcastd, vpbroadcastq), z, 0, native.InReg(z), 0)
	case r.Step != int32(r.Size) || size != r.Size:
		t.gather(z, r, sh, first)
	case size < sh.elem:
		t.VL(sh.length, extend(size, sh.elem, r.Signed), z, 0, native.InMem(fileAt(k.at)), 0)
	default:
		t.loadRow(z, k.at, sh)
	}
	t.keep(z, k, lo, hi)
	return z
}

// loadRow loads elements that lie side by side as they are.
func (t *translator) loadRow(z native.Z, at int32, sh shape) {
	switch sh.lanes * int(sh.elem) {
	case 4:
		t.VL(native.L128, vmovd, z, 0, native.InMem(fileAt(at)), 0)
	case 8:
		t.VL(native.L128, vmovq, z, 0, native.InMem(fileAt(at)), 0)
	default:
		t.VL(sh.length, vmovdqu32, z, 0, native.InMem(fileAt(at)), 0)
	}
}

// storeRow stores them.
func (t *translator) storeRow(z native.Z, at int32, sh shape) {
	switch sh.lanes * int(sh.elem) {
	case 4:
		t.VL(native.L128, vmovdTo, z, 0, native.InMem(fileAt(at)), 0)
	case 8:
		t.VL(native.L128, vmovqTo, z, 0, native.InMem(fileAt(at)), 0)
	default:
		t.VL(sh.length, vmovdqu32to, z, 0, native.InMem(fileAt(at)), 0)
	}
}

// gather brings elements that lie anywhere into a vector register. It uses vector register 24 and K7.
func (t *translator) gather(z native.Z, r *regions.Region, sh shape, first int) {
	base := r.Offset(first)
	in, length := vpgatherdd, sh.length
	if sh.elem == 8 {
		in = vpgatherdq
	}
	places := t.numbers(sh.lanes, 4, func(k int) uint64 { return uint64(uint32(r.Offset(first+k) - base)) })
	t.V(vmovdqu32, 24, 0, native.InMem(places), 0)
	t.MovImm(native.RAX, uint64(1)<<sh.lanes-1)
	t.KmovTo16(7, native.RAX)
	t.VL(length, sh.w(vpxor), z, z, native.InReg(z), 0)
	t.GatherAt(length, in, z, fileAt(base), 24, 7)
	bits := 8 * (sh.elem - min(r.Size, sh.elem))
	switch {
	case bits == 0:
	case r.Signed:
		t.VL(length, sh.pick(vpshiftd, vpshiftq), shiftLeft, z, native.InReg(z), 0, bits)
		t.VL(length, sh.w(vpshiftd), shiftSign, z, native.InReg(z), 0, bits)
	default:
		t.VL(length, sh.w(vpand), z, z, native.Each(t.number(1<<(8*r.Size)-1, sh.elem)), 0)
	}
}
