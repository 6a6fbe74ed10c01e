package x86

import (
	"simtgdb/simt/native"
	"simtgdb/simt/rows/regions"
)

// Vector registers up to cached hold what the file has somewhere, or a number; those behind them are for
// what an operation needs. cachedOctets is that with AVX2.
const (
	cached       = 24
	cachedOctets = 11
)

// tmp is a vector register for what an operation needs, one of five.
func (t *translator) tmp(i int) native.Z {
	if t.octets {
		return native.Z(cachedOctets + i)
	}
	return native.Z(cached + i)
}

// A key says what a vector register holds: elements of the file from a place on, or numbers.
type key struct {
	at, step   int32
	size, elem uint8 // bytes in the file, and extended
	signed     bool
	lanes      int  // 0 where all are the same
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

// mostParts is how many vectors an operation's elements have at most.
const mostParts = 4

func shapeOf(lanes, elem uint8, octets bool) shape {
	bytes, most := int(lanes)*int(elem), 64
	s := shape{lanes: int(lanes), parts: 1, length: native.L512, elem: elem}
	if octets {
		most, s.length = 32, native.L256
	}
	switch {
	case bytes > most:
		s.parts, s.lanes = bytes/most, most/int(elem)
	case bytes <= 16:
		s.length = native.L128
	case bytes <= 32:
		s.length = native.L256
	}
	return s
}

func (t *translator) shape(lanes, elem uint8) shape { return shapeOf(lanes, elem, t.octets) }

// bytes are those of a vector's elements.
func (s shape) bytes() int { return s.lanes * int(s.elem) }

// vec is an instruction for all elements of a vector.
func (t *translator) vec(sh shape, in native.Instruction, d, s native.Z, o native.Operand, imm ...byte) {
	if !t.octets {
		t.VL(sh.length, in, d, s, o, 0, imm...)
		return
	}
	if o.Broadcast {
		each := t.tmp(4)
		t.broadcast(shape{elem: 4 << in.W}, each, native.InMem(o.Mem))
		o = native.InReg(each)
	}
	t.VEX(sh.length, in, d, s, o, imm...)
}

// broadcast makes an element that of a whole vector.
func (t *translator) broadcast(sh shape, z native.Z, o native.Operand) {
	if t.octets {
		t.V256(sh.pick(native.BroadcastD, native.BroadcastQVEX), z, 0, o)
		return
	}
	t.V(sh.pick(native.BroadcastD, native.BroadcastQ), z, 0, o, 0)
}

// broadcastReg is broadcast of a general register.
func (t *translator) broadcastReg(sh shape, z native.Z, r native.Reg) {
	if t.octets {
		t.VEX(native.L128, sh.pick(native.MovD, native.MovQ), z, 0, native.InReg(native.Z(r)))
		t.broadcast(sh, z, native.InReg(z))
		return
	}
	t.V(sh.pick(native.BroadcastRD, native.BroadcastR), z, 0, native.InReg(native.Z(r)), 0)
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
		t.vec(sh, sh.w(native.Xor), d, d, native.InReg(d))
		t.vec(sh, sh.pick(native.SubD, native.SubQ), d, d, native.InReg(z))
		return d
	}
	if s.Keep != ^uint64(0) {
		t.vec(sh, sh.w(native.And), d, z, native.Each(t.pool.Number(s.Keep, sh.elem)))
		z = d
	}
	if s.Flip != 0 {
		t.vec(sh, sh.w(native.Xor), d, z, native.Each(t.pool.Number(s.Flip, sh.elem)))
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
		t.vec(sh, native.MovDQU, z, 0, native.InMem(t.pool.Numbers(sh.lanes, sh.elem, func(k int) uint64 {
			return modified(s, s.Const[part*sh.lanes+k])
		})))
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
	t.broadcast(sh, z, native.InMem(t.pool.Number(v, sh.elem)))
	t.keep(z, k, 0, 0)
	return z
}

func fileAt(at int32) native.Mem { return native.Mem{Base: regFile, Disp: at} }

// region brings a part of a region into a vector register.
func (t *translator) region(r *regions.Region, sh shape, part int) native.Z {
	first := part * sh.lanes
	lo, hi := r.Extent(first, sh.lanes)
	k := key{at: r.Offset(first), step: r.Step, size: r.Size, elem: sh.elem, signed: r.Signed,
		lanes: sh.lanes}
	single := r.Step == 0 || sh.lanes == 1
	if single {
		k.step, k.lanes = 0, 0
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
		t.broadcast(sh, z, native.InMem(fileAt(k.at)))
	case single:
		t.vec(shape{length: native.L128}, native.Extend(size, sh.elem, r.Signed), z, 0,
			native.InMem(fileAt(k.at)))
		t.broadcast(sh, z, native.InReg(z))
	case r.Step != int32(r.Size) || size != r.Size:
		t.gather(z, r, sh, first)
	case size < sh.elem:
		t.vec(sh, native.Extend(size, sh.elem, r.Signed), z, 0, native.InMem(fileAt(k.at)))
	default:
		t.loadRow(z, k.at, sh)
	}
	t.keep(z, k, lo, hi)
	return z
}

// loadRow loads elements that lie side by side as they are.
func (t *translator) loadRow(z native.Z, at int32, sh shape) {
	t.loadBytes(z, fileAt(at), sh.bytes(), sh)
}

// storeRow stores them.
func (t *translator) storeRow(z native.Z, at int32, sh shape) {
	t.storeBytes(z, fileAt(at), sh.bytes(), sh)
}

// loadBytes loads so many bytes: 4, 8, or those of a vector.
func (t *translator) loadBytes(z native.Z, m native.Mem, n int, sh shape) {
	switch n {
	case 4:
		t.vec(shape{length: native.L128}, native.MovD, z, 0, native.InMem(m))
	case 8:
		t.vec(shape{length: native.L128}, native.MovQ, z, 0, native.InMem(m))
	default:
		t.vec(sh, native.MovDQU, z, 0, native.InMem(m))
	}
}

// storeBytes is loadBytes' counterpart.
func (t *translator) storeBytes(z native.Z, m native.Mem, n int, sh shape) {
	switch n {
	case 4:
		t.vec(shape{length: native.L128}, native.MovDTo, z, 0, native.InMem(m))
	case 8:
		t.vec(shape{length: native.L128}, native.MovQTo, z, 0, native.InMem(m))
	default:
		t.vec(sh, native.MovDQUTo, z, 0, native.InMem(m))
	}
}

// gather brings elements that lie anywhere into a vector register. It uses others, and K7.
func (t *translator) gather(z native.Z, r *regions.Region, sh shape, first int) {
	base, at, on := r.Offset(first), t.tmp(0), t.tmp(1)
	in := sh.pick(native.GatherDD, native.GatherDQ)
	places := t.pool.Numbers(sh.lanes, 4,
		func(k int) uint64 { return uint64(uint32(r.Offset(first+k) - base)) })
	t.vec(t.shape(uint8(sh.lanes), 4), native.MovDQU, at, 0, native.InMem(places))
	t.vec(sh, sh.w(native.Xor), z, z, native.InReg(z))
	if t.octets {
		t.vec(sh, native.MovDQU, on, 0, native.InMem(t.pool.Numbers(sh.lanes, sh.elem,
			func(int) uint64 { return ^uint64(0) })))
		t.GatherVEX(sh.length, in, z, fileAt(base), at, on)
	} else {
		t.MovImm(native.RAX, uint64(1)<<sh.lanes-1)
		t.KmovTo16(7, native.RAX)
		t.GatherAt(sh.length, in, z, fileAt(base), at, 7)
	}
	if r.Size >= sh.elem {
		return
	}
	t.vec(sh, sh.w(native.And), z, z, native.Each(t.pool.Number(1<<(8*r.Size)-1, sh.elem)))
	if r.Signed {
		sign := native.Each(t.pool.Number(1<<(8*r.Size-1), sh.elem))
		t.vec(sh, sh.w(native.Xor), z, z, sign)
		t.vec(sh, sh.pick(native.SubD, native.SubQ), z, z, sign)
	}
}
