package x86

import (
	"simtgdb/simt/native"
	"simtgdb/simt/rows/regions"
	"simtgdb/simt/vec"
)

func ins(m, prefix, w, op byte) native.Instruction {
	return native.Instruction{Map: m, Prefix: prefix, W: w, Op: op}
}

var (
	vmovdqu32    = ins(1, 2, 0, 0x6f)
	vmovdqu32to  = ins(1, 2, 0, 0x7f)
	vmovdqa      = ins(1, 1, 0, 0x6f) // of either size, as what has no W here
	vmovd        = ins(1, 1, 0, 0x6e)
	vmovdTo      = ins(1, 1, 0, 0x7e)
	vmovq        = ins(1, 1, 1, 0x6e)
	vmovqTo      = ins(1, 1, 1, 0x7e)
	vpbroadcastd = ins(2, 1, 0, 0x58)
	vpbroadcastq = ins(2, 1, 1, 0x59)
	vpbroadcastR = ins(2, 1, 1, 0x7c) // of a general register
	vpand        = ins(1, 1, 0, 0xdb)
	vpor         = ins(1, 1, 0, 0xeb)
	vpxor        = ins(1, 1, 0, 0xef)
	vpaddd       = ins(1, 1, 0, 0xfe)
	vpaddq       = ins(1, 1, 1, 0xd4)
	vpsubd       = ins(1, 1, 0, 0xfa)
	vpsubq       = ins(1, 1, 1, 0xfb)
	vpmulld      = ins(2, 1, 0, 0x40)
	vpmullq      = ins(2, 1, 1, 0x40)
	vpsllv       = ins(2, 1, 0, 0x47)
	vpsrlv       = ins(2, 1, 0, 0x45)
	vpsrav       = ins(2, 1, 0, 0x46)
	vpmuludq     = ins(1, 1, 1, 0xf4)
	vpmuldq      = ins(2, 1, 1, 0x28)
	vpshiftd     = ins(1, 1, 0, 0x72) // by a constant; with W the arithmetic one of qwords
	vpshiftq     = ins(1, 1, 1, 0x73)
	vpblendm     = ins(2, 1, 0, 0x64)
	vpcmpud      = ins(3, 1, 0, 0x1e)
	vpcmpd       = ins(3, 1, 0, 0x1f)
	vpcmpuq      = ins(3, 1, 1, 0x1e)
	vpcmpq       = ins(3, 1, 1, 0x1f)
	vcmpps       = ins(1, 0, 0, 0xc2)
	vcmppd       = ins(1, 1, 1, 0xc2)
	vaddps       = ins(1, 0, 0, 0x58)
	vsubps       = ins(1, 0, 0, 0x5c)
	vmulps       = ins(1, 0, 0, 0x59)
	vdivps       = ins(1, 0, 0, 0x5e)
	vsqrtps      = ins(1, 0, 0, 0x51)
	vfmadd213ps  = ins(2, 1, 0, 0xa8)
	vrndscaleps  = ins(3, 1, 0, 0x08)
	vcvtdq2ps    = ins(1, 0, 0, 0x5b)
	vcvtudq2ps   = ins(1, 3, 0, 0x7a)
	vcvttps2dq   = ins(1, 2, 0, 0x5b)
	vcvttps2udq  = ins(1, 0, 0, 0x78)
	vpgatherdd   = ins(2, 1, 0, 0x90)
	vpgatherdq   = ins(2, 1, 1, 0x90)
	vpgatherqd   = ins(2, 1, 0, 0x91)
	vpgatherqq   = ins(2, 1, 1, 0x91)
	vpscatterdd  = ins(2, 1, 0, 0xa0)
	vpscatterdq  = ins(2, 1, 1, 0xa0)
	vpscatterqd  = ins(2, 1, 0, 0xa1)
	vpscatterqq  = ins(2, 1, 1, 0xa1)
)

const (
	shiftRight = 2
	shiftSign  = 4
	shiftLeft  = 6
)

// extend is the instruction that extends elements.
func extend(from, to uint8, signed bool) native.Instruction {
	op := map[[2]uint8]byte{{1, 4}: 0x31, {1, 8}: 0x32, {2, 4}: 0x33, {2, 8}: 0x34, {4, 8}: 0x35}[[2]uint8{from, to}]
	if signed {
		op -= 0x10
	}
	return ins(2, 1, 0, op)
}

// narrow is the instruction that keeps the low bytes of elements. Its first operand is the source.
func narrow(from, to uint8) native.Instruction {
	return ins(2, 2, 0, map[[2]uint8]byte{{4, 1}: 0x31, {4, 2}: 0x33, {8, 1}: 0x32, {8, 2}: 0x34,
		{8, 4}: 0x35}[[2]uint8{from, to}])
}

// A form is how an operation is translated.
type form struct {
	dwords, qwords native.Instruction // Op is 0 if there is none
	bits           bool               // there is one of each size that differs in W
	round          byte
}

var calcs = map[vec.WideOp]form{
	vec.WideAdd32: {dwords: vpaddd}, vec.WideAdd: {qwords: vpaddq},
	vec.WideSub32: {dwords: vpsubd}, vec.WideSub: {qwords: vpsubq},
	vec.WideMul32: {dwords: vpmulld}, vec.WideMul: {qwords: vpmullq},
	vec.WideAnd: {dwords: vpand, bits: true}, vec.WideOr: {dwords: vpor, bits: true},
	vec.WideXor:   {dwords: vpxor, bits: true},
	vec.WideShl32: {dwords: vpsllv}, vec.WideShr32: {dwords: vpsrlv}, vec.WideSar32: {dwords: vpsrav},
	vec.WideShl: {qwords: ins(2, 1, 1, 0x47)}, vec.WideShr: {qwords: ins(2, 1, 1, 0x45)},
	vec.WideSar:      {qwords: ins(2, 1, 1, 0x46)},
	vec.WideMulHiU32: {dwords: vpmuludq}, vec.WideMulHiI32: {dwords: vpmuldq},
	vec.WideMad32:  {dwords: vpmulld},
	vec.WideAddF32: {dwords: vaddps}, vec.WideSubF32: {dwords: vsubps}, vec.WideMulF32: {dwords: vmulps},
	vec.WideDivF32: {dwords: vdivps}, vec.WideFmaF32: {dwords: vfmadd213ps}, vec.WideSqrtF32: {dwords: vsqrtps},
	vec.WideF32I: {dwords: vcvtdq2ps}, vec.WideF32U: {dwords: vcvtudq2ps},
	vec.WideIF32: {dwords: vcvttps2dq}, vec.WideUF32: {dwords: vcvttps2udq},
	vec.WideRintF32: {dwords: vrndscaleps, round: 8}, vec.WideFloorF32: {dwords: vrndscaleps, round: 9},
	vec.WideCeilF32: {dwords: vrndscaleps, round: 10}, vec.WideTruncF32: {dwords: vrndscaleps, round: 11},
}

// instruction is that of a form for elements of some size.
func (f form) instruction(sh shape) (native.Instruction, bool) {
	in := f.dwords
	if sh.elem == 8 && f.bits {
		in.W = 1
	} else if sh.elem == 8 {
		in = f.qwords
	}
	return in, in.Op != 0
}

// A test is how a comparison is translated.
type test struct {
	dwords, qwords native.Instruction
	cond           byte
}

var tests = map[vec.WideOp]test{
	vec.WideEqU: {vpcmpud, vpcmpuq, 0}, vec.WideLtU: {vpcmpud, vpcmpuq, 1}, vec.WideLtI32: {dwords: vpcmpd, cond: 1},
	vec.WideLtI64: {qwords: vpcmpq, cond: 1}, vec.WideEqF32: {dwords: vcmpps, cond: 0},
	vec.WideLtF32: {dwords: vcmpps, cond: 17}, vec.WideLeF32: {dwords: vcmpps, cond: 18},
	vec.WideEqF64: {qwords: vcmppd, cond: 0}, vec.WideLtF64: {qwords: vcmppd, cond: 17},
	vec.WideLeF64: {qwords: vcmppd, cond: 18},
}

// Can reports whether an operation has a translation.
func Can(o *regions.Op) bool {
	sh := shapeOf(o.Lanes, o.Elem)
	if c := o.Cond.Op; c != vec.WideNone {
		f, ok := tests[c]
		if !ok || sh.pick(f.dwords, f.qwords).Op == 0 {
			return false
		}
	}
	if o.Kind == regions.Calc {
		if _, ok := calcs[o.Op].instruction(sh); !ok {
			return false
		}
	}
	return o.Kind == regions.Load || o.Kind == regions.Store ||
		sh.parts <= 2 && storable(&o.D, sh) && storable(&o.Also, sh)
}

// storable reports whether a region can be written.
func storable(r *regions.Region, sh shape) bool {
	return r.Size == 0 || r.Table == nil && (r.Step == int32(r.Size) || sh.lanes == 1 || r.Step != 0 &&
		(r.Size == 8 && sh.elem == 8 || r.Size == 4 && sh.elem == 4 || r.Step == 4 && sh.elem == 4))
}

// under makes K5 and K6 the predicate's channels of the parts.
func (t *translator) under(sh shape) {
	t.KmovTo16(5, native.RAX)
	if sh.parts > 1 {
		t.ShiftImm(native.SHR, native.W32, native.RAX, uint8(sh.lanes))
		t.KmovTo16(6, native.RAX)
	}
}

// masks finds the channels that an operation writes: the mask register of each part, or 0 if these are
// all. If somebody wants to know or it has a predicate they are in regMask too.
func (t *translator) masks(o *regions.Op, sh shape, wanted bool) (k [2]native.K) {
	some := !o.Always && !t.whole
	if o.Under.On {
		t.predicate(native.RAX, o.Under, o.Lanes)
		if some {
			t.channelsOn(regMask, o.First, o.Lanes)
			t.Op(native.AND, native.W32, native.RAX, regMask)
		}
		t.Mov(native.W32, regMask, native.RAX)
		t.under(sh)
		if !o.Always {
			t.Popcnt(native.W32, native.RAX, regMask)
			t.Op(native.ADD, native.W64, regLanes, native.RAX)
		}
		return [2]native.K{5, 6}
	}
	if !some {
		return k
	}
	if wanted {
		t.channelsOn(regMask, o.First, o.Lanes)
	}
	for part := range sh.parts {
		k[part] = [...]native.K{1, 3, 2, 4}[(int(o.First)+part*sh.lanes)/8]
	}
	return k
}

// hasFlags reports whether some elements of a region are flags.
func (t *translator) hasFlags(r *regions.Region, n uint8) bool {
	lo, hi := r.Extent(0, int(n))
	return r.Size != 0 && lo < t.Flags+8 && hi > t.Flags
}

// putFlags brings the flags into the file.
func (t *translator) putFlags() {
	t.Store(native.W64, fileAt(t.Flags), regFlags)
	t.written(t.Flags, t.Flags+8)
}

// op makes the code of an operation that is no access.
func (t *translator) op(o *regions.Op) {
	sh := shapeOf(o.Lanes, o.Elem)
	for i := range o.Sources() {
		if s := &o.S[i]; s.Const == nil && t.hasFlags(&s.Region, o.Lanes) {
			t.putFlags()
		}
	}
	k := t.masks(o, sh, o.Flags)
	if o.Kind == regions.Pick && o.In.On { // such a one has no other predicate
		t.predicate(native.RAX, o.In, o.Lanes)
		t.under(sh)
	}
	var d [2]native.Z
	for part := range sh.parts {
		var s [3]native.Z
		for i := range o.Sources() {
			s[i] = t.source(&o.S[i], sh, part)
		}
		d[part] = t.compute(o, sh, part, s)
		for z := range t.held { // what the other part has for its sources may go
			t.held[z].pin = native.Z(z) == d[0] || native.Z(z) == d[part]
		}
	}
	if o.Flags {
		t.flags(o, k[0] != 0)
	}
	flags := t.hasFlags(&o.D, o.Lanes)
	if flags {
		t.putFlags()
	}
	for _, r := range []*regions.Region{&o.D, &o.Also} {
		if r.Size != 0 {
			t.store(r, sh, d, k)
		}
	}
	if flags {
		t.Load(native.W64, regFlags, fileAt(t.Flags))
	}
}

// compute makes a part of an operation's result. Of what sets flags, RDX collects them.
func (t *translator) compute(o *regions.Op, sh shape, part int, s [3]native.Z) native.Z {
	d := t.take()
	switch o.Kind {
	case regions.Calc:
		t.calc(o, sh, d, s)
	case regions.Copy:
		t.VL(sh.length, sh.w(vmovdqa), d, 0, native.InReg(s[0]), 0)
	case regions.Test:
		t.compare(o, sh, s[0], s[1])
		t.collect(sh, part)
		if o.D.Size != 0 {
			t.VLZ(sh.length, sh.w(vmovdqa), d, 0, native.InReg(t.ones(sh)), 7)
		}
		return d
	case regions.Pick:
		k := native.K(5 + part)
		if o.Cond.Op != vec.WideNone {
			t.compare(o, sh, s[0], s[1])
			k = 7
		}
		t.VL(sh.length, sh.w(vpblendm), d, s[1], native.InReg(s[0]), k)
		return d
	}
	if o.Flags {
		zero := regions.Source{Const: []uint64{0}, Keep: ^uint64(0)}
		t.compare(o, sh, d, t.source(&zero, sh, part))
		t.collect(sh, part)
	}
	return d
}

// ones is a vector register whose bits are all set.
func (t *translator) ones(sh shape) native.Z {
	all := regions.Source{Const: []uint64{^uint64(0)}, Keep: ^uint64(0)}
	return t.source(&all, sh, 0)
}

// collect puts the flags of a part, which are in K7, into RDX.
func (t *translator) collect(sh shape, part int) {
	if part == 0 {
		t.KmovFrom16(native.RDX, 7)
		return
	}
	t.KmovFrom16(native.RAX, 7)
	t.ShiftImm(native.SHL, native.W32, native.RAX, uint8(sh.lanes))
	t.Op(native.OR, native.W32, native.RDX, native.RAX)
}

// compare makes K7 what a comparison says.
func (t *translator) compare(o *regions.Op, sh shape, a, b native.Z) {
	const unordered, inverse = 3, 4
	f := tests[o.Cond.Op]
	in, cond := sh.pick(f.dwords, f.qwords), f.cond
	x, y := a, b
	if o.Cond.Swap {
		x, y = b, a
	}
	if o.Cond.Not {
		cond ^= inverse
	}
	t.VL(sh.length, in, 7, x, native.InReg(y), 0, cond)
	if o.Cond.Loose {
		t.KmovFrom16(native.RAX, 7)
		t.VL(sh.length, in, 7, b, native.InReg(b), 0, unordered)
		t.KmovFrom16(native.RCX, 7)
		t.Op(native.OR, native.W32, native.RAX, native.RCX)
		t.KmovTo16(7, native.RAX)
	}
}

// flags puts what RDX has into the flags of the channels in regMask, or of all.
func (t *translator) flags(o *regions.Op, some bool) {
	all := uint64(1)<<o.Lanes - 1
	if some {
		t.Op(native.AND, native.W32, native.RDX, regMask)
		t.Mov(native.W32, native.RCX, regMask)
		if o.Bit != 0 {
			t.ShiftImm(native.SHL, native.W64, native.RCX, o.Bit)
		}
		t.Not(native.W64, native.RCX)
	} else {
		if o.Lanes < 32 {
			t.OpImm(native.AND, native.W32, native.RDX, int32(all))
		}
		t.MovImm(native.RCX, ^(all << o.Bit))
	}
	t.Op(native.AND, native.W64, regFlags, native.RCX)
	if o.Bit != 0 {
		t.ShiftImm(native.SHL, native.W64, native.RDX, o.Bit)
	}
	t.Op(native.OR, native.W64, regFlags, native.RDX)
}

// store writes the parts of a result. It uses vector registers 24 and 25 and K7.
func (t *translator) store(r *regions.Region, sh shape, d [2]native.Z, k [2]native.K) {
	row := r.Size == sh.elem && (r.Step == int32(r.Size) || sh.lanes == 1)
	var old [2]native.Z
	for part := range sh.parts {
		if row && k[part] != 0 {
			old[part] = t.region(&regions.Region{At: r.Offset(part * sh.lanes), Step: int32(r.Size), Size: r.Size}, sh, 0)
		}
	}
	lo, hi := r.Extent(0, sh.lanes*sh.parts)
	for part := range sh.parts {
		if !row {
			t.storeElements(r, sh, part, d[part], k[part])
			continue
		}
		if k[part] != 0 {
			t.VL(sh.length, sh.w(vmovdqa), old[part], 0, native.InReg(d[part]), k[part])
		} else {
			old[part] = d[part]
		}
		t.storeRow(old[part], r.Offset(part*sh.lanes), sh)
	}
	t.written(lo, hi)
	for part := range sh.parts {
		if row && sh.lanes > 1 {
			at := r.Offset(part * sh.lanes)
			t.keep(old[part], key{at: at, step: int32(r.Size), size: r.Size, elem: sh.elem, length: sh.length}, at,
				at+int32(sh.lanes)*int32(sh.elem))
		}
	}
}

// storeElements writes elements that are not a row, or have fewer bytes than were computed.
func (t *translator) storeElements(r *regions.Region, sh shape, part int, z native.Z, k native.K) {
	first := part * sh.lanes
	at := fileAt(r.Offset(first))
	all := uint64(1)<<sh.lanes - 1
	mask := func() native.K { // K7, as k or all
		if k != 0 {
			t.Kmov16(7, k)
		} else {
			t.MovImm(native.RAX, all)
			t.KmovTo16(7, native.RAX)
		}
		return 7
	}
	switch {
	case r.Size < sh.elem && (r.Step == int32(r.Size) || sh.lanes == 1):
		whole := sh.lanes*int(sh.elem) >= 16
		if !whole && k != 0 {
			t.KmovFrom16(native.RAX, k)
			t.OpImm(native.AND, native.W32, native.RAX, int32(all))
			t.KmovTo16(7, native.RAX)
			k = 7
		} else if !whole {
			k = mask()
		}
		t.VL(sh.length, narrow(sh.elem, r.Size), z, 0, native.InMem(at), k)
	case r.Size == sh.elem:
		in := sh.pick(vpscatterdd, vpscatterdq)
		places := t.numbers(sh.lanes, 4, func(k int) uint64 { return uint64(uint32(r.Step) * uint32(k)) })
		t.V(vmovdqu32, 24, 0, native.InMem(places), 0)
		if k != 0 && sh.lanes*int(sh.elem) < 16 {
			t.KmovFrom16(native.RAX, k)
			t.OpImm(native.AND, native.W32, native.RAX, int32(all))
			t.KmovTo16(7, native.RAX)
		} else {
			mask()
		}
		t.GatherAt(sh.length, in, z, at, 24, 7)
	default: // the low bytes of dwords
		low := uint64(1)<<(8*r.Size) - 1
		t.loadRow(24, r.Offset(first), sh)
		t.VL(sh.length, vpand, 25, z, native.Each(t.number(low, 4)), 0)
		t.VL(sh.length, vpand, 26, 24, native.Each(t.number(^low&(1<<32-1), 4)), 0)
		t.VL(sh.length, vpor, 25, 25, native.InReg(26), 0)
		if k != 0 {
			t.VL(sh.length, vmovdqa, 24, 0, native.InReg(25), k)
			t.storeRow(24, r.Offset(first), sh)
			return
		}
		t.storeRow(25, r.Offset(first), sh)
	}
}

// calc makes the result of an operation of package vec.
func (t *translator) calc(o *regions.Op, sh shape, d native.Z, s [3]native.Z) {
	f := calcs[o.Op]
	in, _ := f.instruction(sh)
	r := native.InReg
	switch o.Op {
	case vec.WideFmaF32, vec.WideFmaF64:
		t.VL(sh.length, sh.w(vmovdqa), d, 0, r(s[0]), 0)
		t.VL(sh.length, in, d, s[1], r(s[2]), 0)
	case vec.WideMad32:
		t.VL(sh.length, in, d, s[0], r(s[1]), 0)
		t.VL(sh.length, vpaddd, d, d, r(s[2]), 0)
	case vec.WideMulHiU32, vec.WideMulHiI32:
		t.VL(sh.length, in, d, s[0], r(s[1]), 0)
		t.VL(sh.length, vpshiftq, shiftRight, 24, r(s[0]), 0, 32)
		t.VL(sh.length, vpshiftq, shiftRight, 25, r(s[1]), 0, 32)
		t.VL(sh.length, in, 24, 24, r(25), 0)
		t.VL(sh.length, vpshiftq, shiftRight, d, r(d), 0, 32)
		t.MovImm(native.RAX, 0xaaaa)
		t.KmovTo16(7, native.RAX)
		t.VL(sh.length, vmovdqa, d, 0, r(24), 7)
	case vec.WideIF32, vec.WideUF32:
		t.truncate(in, sh, d, s[0])
	case vec.WideSqrtF32, vec.WideF32I, vec.WideF32U:
		t.VL(sh.length, in, d, 0, r(s[0]), 0)
	default:
		if f.round != 0 {
			t.VL(sh.length, in, d, 0, r(s[0]), 0, f.round)
			return
		}
		t.VL(sh.length, in, d, s[0], r(s[1]), 0)
	}
}

// truncate makes an integer of a float: the nearest that there is, 0 of a NaN. The processor's result for
// what is too small for a signed one, and too large for an unsigned one, is right.
func (t *translator) truncate(in native.Instruction, sh shape, d, a native.Z) {
	const twoTo31, atLeast, ordered = 0x4f000000, 29, 7
	t.VL(sh.length, in, d, 0, native.InReg(a), 0)
	if in == vcvttps2udq {
		t.VL(sh.length, vcmpps, 7, a, native.Each(t.number(0, 4)), 0, atLeast)
	} else {
		t.VL(sh.length, vcmpps, 7, a, native.Each(t.number(twoTo31, 4)), 0, atLeast)
		t.VL(sh.length, vpbroadcastd, d, 0, native.InMem(t.number(1<<31-1, 4)), 7)
		t.VL(sh.length, vcmpps, 7, a, native.InReg(a), 0, ordered)
	}
	t.VLZ(sh.length, vmovdqa, d, 0, native.InReg(d), 7)
}
