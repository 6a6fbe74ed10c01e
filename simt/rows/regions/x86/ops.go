package x86

import (
	"slices"

	"simtgdb/simt/native"
	"simtgdb/simt/rows/regions"
	"simtgdb/simt/vec"
)

// A form is how an operation is translated.
type form struct {
	dwords, qwords native.Instruction // Op is 0 if there is none
	bits           bool               // there is one of each size that differs in W
	round          byte
}

var calcs = map[vec.WideOp]form{
	vec.WideAdd32: {dwords: native.AddD}, vec.WideAdd: {qwords: native.AddQ},
	vec.WideSub32: {dwords: native.SubD}, vec.WideSub: {qwords: native.SubQ},
	vec.WideMul32: {dwords: native.MulLD}, vec.WideMul: {qwords: native.MulLQ},
	vec.WideAnd: {dwords: native.And, bits: true}, vec.WideOr: {dwords: native.Or, bits: true},
	vec.WideXor:   {dwords: native.Xor, bits: true},
	vec.WideShl32: {dwords: native.SLLVD}, vec.WideShr32: {dwords: native.SRLVD},
	vec.WideSar32: {dwords: native.SRAVD},
	vec.WideShl:   {qwords: native.SLLVQ}, vec.WideShr: {qwords: native.SRLVQ},
	vec.WideSar:      {qwords: native.SRAVQ},
	vec.WideMulHiU32: {dwords: native.MulUDQ}, vec.WideMulHiI32: {dwords: native.MulSDQ},
	vec.WideMad32:  {dwords: native.MulLD},
	vec.WideAddF32: {dwords: native.AddPS}, vec.WideSubF32: {dwords: native.SubPS},
	vec.WideMulF32: {dwords: native.MulPS},
	vec.WideDivF32: {dwords: native.DivPS}, vec.WideFmaF32: {dwords: native.FMAdd213PS},
	vec.WideSqrtF32: {dwords: native.SqrtPS},
	vec.WideF32I:    {dwords: native.CvtDQ2PS}, vec.WideF32U: {dwords: native.CvtUDQ2PS},
	vec.WideIF32: {dwords: native.CvtTPS2DQ}, vec.WideUF32: {dwords: native.CvtTPS2UDQ},
	vec.WideRintF32:  {dwords: native.RoundPS, round: 8},
	vec.WideFloorF32: {dwords: native.RoundPS, round: 9},
	vec.WideCeilF32:  {dwords: native.RoundPS, round: 10},
	vec.WideTruncF32: {dwords: native.RoundPS, round: 11},
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
	vec.WideEqU: {native.CmpUD, native.CmpUQ, 0}, vec.WideLtU: {native.CmpUD, native.CmpUQ, 1},
	vec.WideLtI32: {dwords: native.CmpSD, cond: 1},
	vec.WideLtI64: {qwords: native.CmpSQ, cond: 1}, vec.WideEqF32: {dwords: native.CmpPS, cond: 0},
	vec.WideLtF32: {dwords: native.CmpPS, cond: 17}, vec.WideLeF32: {dwords: native.CmpPS, cond: 18},
	vec.WideEqF64: {qwords: native.CmpPD, cond: 0}, vec.WideLtF64: {qwords: native.CmpPD, cond: 17},
	vec.WideLeF64: {qwords: native.CmpPD, cond: 18},
}

// Can reports whether an operation has a translation.
func Can(o *regions.Op) bool {
	sh := shapeOf(o.Lanes, o.Elem, vec.Current() == vec.AVX2)
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
		sh.parts <= mostParts && storable(&o.D, sh) && storable(&o.Also, sh)
}

// storable reports whether a region can be written.
func storable(r *regions.Region, sh shape) bool {
	return r.Size == 0 || r.Table == nil && (r.Step == int32(r.Size) || sh.lanes == 1 || r.Step != 0 &&
		(r.Size == 8 && sh.elem == 8 || r.Size == 4 && sh.elem == 4 || r.Step == 4 && sh.elem == 4))
}

// A mask is the elements of a part that are written: all, those of a mask register, or with AVX2 those whose
// bits regMask has from First on, or the context.
type mask struct {
	on, bits bool
	k        native.K
	first    int
}

// under makes K5 and K6 the predicate's channels of the parts, which RAX has, and RSI with AVX2.
func (t *translator) under(sh shape) {
	if t.octets {
		t.Mov(native.W32, native.RSI, native.RAX)
		return
	}
	t.KmovTo16(5, native.RAX)
	if sh.parts > 1 {
		t.ShiftImm(native.SHR, native.W32, native.RAX, uint8(sh.lanes))
		t.KmovTo16(6, native.RAX)
	}
}

// masks finds the channels that an operation writes. If somebody wants to know or it has a predicate they
// are in regMask too.
func (t *translator) masks(o *regions.Op, sh shape, wanted bool) (k [mostParts]mask) {
	some := !o.Always && !t.whole
	if o.Under.On {
		t.predicate(native.RAX, o.Under, o.Lanes)
		if some {
			t.channelsOn(regMask, o.First, o.Lanes)
			t.Op(native.AND, native.W32, native.RAX, regMask)
		}
		t.Mov(native.W32, regMask, native.RAX)
		t.under(sh)
		if !o.Always && !o.Part {
			t.Popcnt(native.W32, native.RAX, regMask)
			t.Op(native.ADD, native.W64, regLanes, native.RAX)
		}
		for part := range sh.parts {
			k[part] = mask{on: true, bits: true, k: native.K(5 + part), first: part * sh.lanes}
		}
		return k
	}
	if !some {
		return k
	}
	if wanted {
		t.channelsOn(regMask, o.First, o.Lanes)
	}
	for part := range sh.parts {
		first := int(o.First) + part*sh.lanes
		k[part] = mask{on: true, k: [...]native.K{1, 3, 2, 4}[first/8], first: first}
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
	if t.flagCopy(o) {
		return
	}
	sh := t.shape(o.Lanes, o.Elem)
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
	var d [mostParts]native.Z
	for part := range sh.parts {
		var s [3]native.Z
		for i := range o.Sources() {
			s[i] = t.source(&o.S[i], sh, part)
		}
		d[part] = t.compute(o, sh, part, s)
		t.pin(d[:part+1]) // what the part has for its sources may go
	}
	if o.Flags {
		t.flags(o, k[0].on)
	}
	flags := t.hasFlags(&o.D, o.Lanes)
	if flags {
		t.putFlags()
	}
	for _, r := range []*regions.Region{&o.D, &o.Also} {
		if r.Size != 0 {
			t.store(r, sh, d, k)
			t.pin(d[:sh.parts])
		}
	}
	if flags {
		t.Load(native.W64, regFlags, fileAt(t.Flags))
	}
}

// pin pins some vector registers, and no others.
func (t *translator) pin(list []native.Z) {
	for z := range t.held {
		t.held[z].pin = slices.Contains(list, native.Z(z))
	}
}

// compute makes a part of an operation's result. Of what sets flags, RDX collects them.
func (t *translator) compute(o *regions.Op, sh shape, part int, s [3]native.Z) native.Z {
	d := t.take()
	switch o.Kind {
	case regions.Calc:
		t.calc(o, sh, d, s)
	case regions.Copy:
		t.vec(sh, sh.w(native.MovDQA), d, 0, native.InReg(s[0]))
	case regions.Test:
		t.compare(o, sh, s[0], s[1])
		switch t.collect(sh, part); {
		case o.D.Size == 0:
		case t.octets:
			t.vec(sh, native.MovDQA, d, 0, native.InReg(t.cond()))
			if o.One {
				t.vec(sh, native.And, d, d, native.InReg(t.each(sh, 1)))
			}
		case o.One:
			t.VLZ(sh.length, sh.w(native.MovDQA), d, 0, native.InReg(t.each(sh, 1)), 7)
		default:
			t.VLZ(sh.length, sh.w(native.MovDQA), d, 0, native.InReg(t.each(sh, ^uint64(0))), 7)
		}
		return d
	case regions.Pick:
		if t.octets {
			t.pick(o, sh, part, d, s)
			return d
		}
		k := native.K(5 + part)
		if o.Cond.Op != vec.WideNone {
			t.compare(o, sh, s[0], s[1])
			k = 7
		}
		t.VL(sh.length, sh.w(native.BlendM), d, s[1], native.InReg(s[0]), k)
		return d
	}
	if o.Flags {
		zero := regions.Source{Const: []uint64{0}, Keep: ^uint64(0)}
		t.compare(o, sh, d, t.source(&zero, sh, part))
		t.collect(sh, part)
	}
	return d
}

// each is a vector register with a number in each element.
func (t *translator) each(sh shape, v uint64) native.Z {
	all := regions.Source{Const: []uint64{v}, Keep: ^uint64(0)}
	return t.source(&all, sh, 0)
}

// collect puts the flags of a part, which are in K7, into RDX.
func (t *translator) collect(sh shape, part int) {
	if t.octets {
		t.collectOctets(sh, part)
		return
	}
	if part == 0 {
		t.KmovFrom16(native.RDX, 7)
		return
	}
	t.KmovFrom16(native.RAX, 7)
	t.ShiftImm(native.SHL, native.W32, native.RAX, uint8(sh.lanes))
	t.Op(native.OR, native.W32, native.RDX, native.RAX)
}

// compare makes K7 what a comparison says, with AVX2 cond.
func (t *translator) compare(o *regions.Op, sh shape, a, b native.Z) {
	if t.octets {
		t.compareOctets(o, sh, a, b)
		return
	}
	f := tests[o.Cond.Op]
	in, cond := sh.pick(f.dwords, f.qwords), f.cond
	x, y := a, b
	if o.Cond.Swap {
		x, y = b, a
	}
	if o.Cond.Not {
		cond ^= native.CmpInverse
	}
	t.VL(sh.length, in, 7, x, native.InReg(y), 0, cond)
	if o.Cond.Loose {
		t.KmovFrom16(native.RAX, 7)
		t.VL(sh.length, in, 7, b, native.InReg(b), 0, native.CmpUnordered)
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

// store writes the parts of a result. It uses other vector registers, and K7.
func (t *translator) store(r *regions.Region, sh shape, d [mostParts]native.Z, k [mostParts]mask) {
	row := r.Size == sh.elem && (r.Step == int32(r.Size) || sh.lanes == 1)
	var old [mostParts]native.Z
	for part := range sh.parts {
		if row && k[part].on {
			old[part] = t.region(&regions.Region{At: r.Offset(part * sh.lanes), Step: int32(r.Size),
				Size: r.Size}, sh, 0)
		}
	}
	lo, hi := r.Extent(0, sh.lanes*sh.parts)
	for part := range sh.parts {
		switch {
		case !row && t.octets:
			t.storeElementsOctets(r, sh, part, d[part], k[part])
			continue
		case !row:
			t.storeElements(r, sh, part, d[part], k[part].k)
			continue
		case k[part].on:
			t.merge(sh, old[part], d[part], k[part])
		default:
			old[part] = d[part]
		}
		t.storeRow(old[part], r.Offset(part*sh.lanes), sh)
	}
	t.written(lo, hi)
	for part := range sh.parts {
		if row && sh.lanes > 1 {
			at := r.Offset(part * sh.lanes)
			t.keep(old[part], key{at: at, step: int32(r.Size), size: r.Size, elem: sh.elem,
				lanes: sh.lanes}, at, at+int32(sh.bytes()))
		}
	}
}

// merge makes the elements of a mask of one vector register those of another.
func (t *translator) merge(sh shape, d, s native.Z, m mask) {
	if !t.octets {
		t.VL(sh.length, sh.w(native.MovDQA), d, 0, native.InReg(s), m.k)
		return
	}
	t.maskOf(t.cond(), sh, m)
	t.blend(sh, d, d, s, t.cond())
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
		whole := sh.bytes() >= 16
		if !whole && k != 0 {
			t.KmovFrom16(native.RAX, k)
			t.OpImm(native.AND, native.W32, native.RAX, int32(all))
			t.KmovTo16(7, native.RAX)
			k = 7
		} else if !whole {
			k = mask()
		}
		t.VL(sh.length, native.Narrow(sh.elem, r.Size), z, 0, native.InMem(at), k)
	case r.Size == sh.elem:
		in := sh.pick(native.ScatterDD, native.ScatterDQ)
		places := t.pool.Numbers(sh.lanes, 4,
			func(k int) uint64 { return uint64(uint32(r.Step) * uint32(k)) })
		t.V(native.MovDQU, t.tmp(0), 0, native.InMem(places), 0)
		if k != 0 && sh.bytes() < 16 {
			t.KmovFrom16(native.RAX, k)
			t.OpImm(native.AND, native.W32, native.RAX, int32(all))
			t.KmovTo16(7, native.RAX)
		} else {
			mask()
		}
		t.GatherAt(sh.length, in, z, at, t.tmp(0), 7)
	default:
		old, low := t.lowBytesOf(r, sh, part, z)
		if k != 0 {
			t.VL(sh.length, native.MovDQA, old, 0, native.InReg(low), k)
			low = old
		}
		t.storeRow(low, r.Offset(first), sh)
	}
}

// lowBytesOf gives what is in the file where a region's dwords are, and that with the elements of a part in
// the low bytes.
func (t *translator) lowBytesOf(r *regions.Region, sh shape, part int, z native.Z) (old, low native.Z) {
	bits := uint64(1)<<(8*r.Size) - 1
	old, low = t.tmp(0), t.tmp(1)
	t.loadRow(old, r.Offset(part*sh.lanes), sh)
	t.vec(sh, native.And, low, z, native.Each(t.pool.Number(bits, 4)))
	t.vec(sh, native.And, t.tmp(2), old, native.Each(t.pool.Number(^bits&(1<<32-1), 4)))
	t.vec(sh, native.Or, low, low, native.InReg(t.tmp(2)))
	return old, low
}

// calc makes the result of an operation of package vec.
func (t *translator) calc(o *regions.Op, sh shape, d native.Z, s [3]native.Z) {
	f := calcs[o.Op]
	in, _ := f.instruction(sh)
	r := native.InReg
	if t.octets && t.calcOctets(o, d, s) {
		return
	}
	switch o.Op {
	case vec.WideFmaF32, vec.WideFmaF64:
		t.vec(sh, sh.w(native.MovDQA), d, 0, r(s[0]))
		t.vec(sh, in, d, s[1], r(s[2]))
	case vec.WideMad32:
		t.vec(sh, in, d, s[0], r(s[1]))
		t.vec(sh, native.AddD, d, d, r(s[2]))
	case vec.WideMulHiU32, vec.WideMulHiI32:
		t.vec(sh, in, d, s[0], r(s[1]))
		t.vec(sh, native.ShiftQ, native.ShiftRight, t.tmp(0), r(s[0]), 32)
		t.vec(sh, native.ShiftQ, native.ShiftRight, t.tmp(1), r(s[1]), 32)
		t.vec(sh, in, t.tmp(0), t.tmp(0), r(t.tmp(1)))
		t.vec(sh, native.ShiftQ, native.ShiftRight, d, r(d), 32)
		if t.octets {
			t.vec(sh, native.BlendD, d, d, r(t.tmp(0)), 0xaa)
			return
		}
		t.MovImm(native.RAX, 0xaaaa)
		t.KmovTo16(7, native.RAX)
		t.VL(sh.length, native.MovDQA, d, 0, r(t.tmp(0)), 7)
	case vec.WideIF32, vec.WideUF32:
		t.truncate(in, sh, d, s[0])
	case vec.WideSqrtF32, vec.WideF32I, vec.WideF32U:
		t.vec(sh, in, d, 0, r(s[0]))
	default:
		if f.round != 0 {
			t.vec(sh, in, d, 0, r(s[0]), f.round)
			return
		}
		t.vec(sh, in, d, s[0], r(s[1]))
	}
}

// truncate makes an integer of a float: the nearest that there is, 0 of a NaN. The processor's result for
// what is too small for a signed one, and too large for an unsigned one, is right.
func (t *translator) truncate(in native.Instruction, sh shape, d, a native.Z) {
	const twoTo31, atLeast, ordered = 0x4f000000, 29, 7
	t.vec(sh, in, d, 0, native.InReg(a))
	if in == native.CvtTPS2UDQ {
		t.VL(sh.length, native.CmpPS, 7, a, native.Each(t.pool.Number(0, 4)), 0, atLeast)
	} else {
		t.VL(sh.length, native.CmpPS, 7, a, native.Each(t.pool.Number(twoTo31, 4)), 0, atLeast)
		t.VL(sh.length, native.BroadcastD, d, 0, native.InMem(t.pool.Number(1<<31-1, 4)), 7)
		t.VL(sh.length, native.CmpPS, 7, a, native.InReg(a), 0, ordered)
	}
	t.VLZ(sh.length, native.MovDQA, d, 0, native.InReg(d), 7)
}
