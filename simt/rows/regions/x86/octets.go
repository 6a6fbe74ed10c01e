package x86

import (
	"unsafe"

	"simtgdb/simt/native"
	"simtgdb/simt/rows/regions"
	"simtgdb/simt/vec"
)

// Code for AVX2 has vectors of 256 bits, of which there are 16, and its masks are such too. What AVX2 lacks
// is made of what it has.

// cond is the vector register of what a comparison says.
func (t *translator) cond() native.Z { return t.tmp(3) }

// without makes what AVX2 has no instruction for.
func (t *translator) without() *native.Octets {
	return &native.Octets{Assembler: &t.Assembler, Pool: &t.pool,
		Tmp: [3]native.Z{t.tmp(0), t.tmp(1), t.tmp(2)}}
}

// blend makes d a, but where a mask is set b.
func (t *translator) blend(sh shape, d, a, b, mask native.Z) {
	t.vec(sh, sh.pick(native.BlendVPS, native.BlendVPD), d, a, native.InReg(b), byte(mask)<<4)
}

// fromBits makes a mask of the bits of a general register from one on.
func (t *translator) fromBits(z native.Z, r native.Reg, first int, sh shape) {
	bits := t.pool.Numbers(sh.lanes, sh.elem, func(k int) uint64 { return (1<<32 + 1) << (first + k) })
	t.vec(shape{length: native.L128}, native.MovD, z, 0, native.InReg(native.Z(r)))
	t.vec(sh, native.BroadcastD, z, 0, native.InReg(z))
	t.vec(sh, native.And, z, z, native.InMem(bits))
	t.vec(sh, sh.pick(native.CmpEqD, native.CmpEqQ), z, z, native.InMem(bits))
}

// maskOf makes a vector register a mask.
func (t *translator) maskOf(z native.Z, sh shape, m mask) {
	on := t.field(unsafe.Offsetof(t.x.masks) + uintptr(4*m.first))
	switch {
	case m.bits:
		t.fromBits(z, regMask, m.first, sh)
	case sh.elem == 8:
		t.vec(sh, native.MovSXDQ, z, 0, native.InMem(on))
	default:
		t.vec(sh, native.MovDQU, z, 0, native.InMem(on))
	}
}

// moveMask makes a general register the bits of a mask.
func (t *translator) moveMask(r native.Reg, sh shape, z native.Z) {
	t.vec(sh, sh.pick(native.MovMskPS, native.MovMskPD), native.Z(r), 0, native.InReg(z))
}

// collectOctets is collect.
func (t *translator) collectOctets(sh shape, part int) {
	if part == 0 {
		t.moveMask(native.RDX, sh, t.cond())
		return
	}
	t.moveMask(native.RAX, sh, t.cond())
	t.ShiftImm(native.SHL, native.W32, native.RAX, uint8(part*sh.lanes))
	t.Op(native.OR, native.W32, native.RDX, native.RAX)
}

// pick is regions.Pick.
func (t *translator) pick(o *regions.Op, sh shape, part int, d native.Z, s [3]native.Z) {
	if o.Cond.Op != vec.WideNone {
		t.compareOctets(o, sh, s[0], s[1])
	} else {
		t.fromBits(t.cond(), native.RSI, part*sh.lanes, sh)
	}
	t.blend(sh, d, s[1], s[0], t.cond())
}

// compareOctets is compare.
func (t *translator) compareOctets(o *regions.Op, sh shape, a, b native.Z) {
	f, d := tests[o.Cond.Op], t.cond()
	x, y := a, b
	if o.Cond.Swap {
		x, y = b, a
	}
	floats := false
	switch o.Cond.Op {
	case vec.WideEqU:
		t.vec(sh, sh.pick(native.CmpEqD, native.CmpEqQ), d, x, native.InReg(y))
	case vec.WideLtU:
		t.without().Above(d, y, x, sh.elem)
	case vec.WideLtI32, vec.WideLtI64:
		t.vec(sh, sh.pick(native.CmpGtD, native.CmpGtQ), d, y, native.InReg(x))
	default:
		floats = true
		cond := f.cond
		if o.Cond.Not {
			cond ^= native.CmpInverse
		}
		t.vec(sh, sh.pick(f.dwords, f.qwords), d, x, native.InReg(y), cond)
	}
	if o.Cond.Not && !floats {
		ones := t.tmp(0)
		t.vec(sh, native.CmpEqD, ones, ones, native.InReg(ones))
		t.vec(sh, native.Xor, d, d, native.InReg(ones))
	}
	if o.Cond.Loose {
		t.vec(sh, sh.pick(f.dwords, f.qwords), t.tmp(0), b, native.InReg(b), native.CmpUnordered)
		t.vec(sh, native.Or, d, d, native.InReg(t.tmp(0)))
	}
}

// calcOctets makes the results of operations that AVX2 has no instruction for. It reports whether this is
// one.
func (t *translator) calcOctets(o *regions.Op, d native.Z, s [3]native.Z) bool {
	switch o.Op {
	case vec.WideMul:
		t.without().MulQ(d, s[0], s[1])
	case vec.WideSar:
		t.without().SarQ(d, s[0], s[1])
	case vec.WideIF32:
		t.without().TruncPS(d, s[0])
	case vec.WideUF32:
		t.without().TruncUPS(d, s[0])
	case vec.WideF32U:
		t.without().CvtUDQ(d, s[0])
	default:
		return false
	}
	return true
}

// narrow makes the low bytes of a vector those that elements have in fewer bytes, and says how many they are.
func (t *translator) narrow(z native.Z, sh shape, size uint8) int {
	pattern := make([]byte, 32)
	each := 16 / int(sh.elem) * int(size) // of half a vector
	for i := range pattern {
		if pattern[i] = 0x80; i%16 < each {
			pattern[i] = byte(i%16/int(size)*int(sh.elem) + i%int(size))
		}
	}
	t.vec(sh, native.ShuffleB, z, z, native.InMem(t.pool.Of(pattern)))
	if sh.length != native.L128 {
		half := shape{length: native.L128}
		t.vec(sh, native.ExtractI128, z, 0, native.InReg(t.tmp(4)), 1)
		join := map[int]native.Instruction{2: native.UnpackLowWD, 4: native.UnpackLowDQ,
			8: native.UnpackLowQDQ}[each]
		t.vec(half, join, z, z, native.InReg(t.tmp(4)))
	}
	return sh.lanes * int(size)
}

// storeElementsOctets is storeElements.
func (t *translator) storeElementsOctets(r *regions.Region, sh shape, part int, z native.Z, m mask) {
	first, half := part*sh.lanes, shape{length: native.L128}
	at := fileAt(r.Offset(first))
	switch n := sh.lanes * int(r.Size); {
	case r.Size < sh.elem && r.Step == int32(r.Size) && n >= 4:
		low, old := t.tmp(2), t.tmp(0)
		t.vec(sh, native.MovDQA, low, 0, native.InReg(z))
		t.narrow(low, sh, r.Size)
		if m.on {
			t.maskOf(t.cond(), sh, m)
			t.narrow(t.cond(), sh, r.Size)
			t.loadBytes(old, at, n, half)
			t.vec(half, native.BlendVB, old, old, native.InReg(low), byte(t.cond())<<4)
			low = old
		}
		t.storeBytes(low, at, n, half)
	case r.Size == 4 && sh.elem == 4 && r.Step == 8 && sh.lanes >= 4:
		t.storeApart(r, sh, first, z, m)
	case r.Size < 4 && sh.elem == 4 && r.Step == 4 && sh.lanes > 1:
		old, low := t.lowBytesOf(r, sh, part, z)
		if m.on {
			t.merge(sh, old, low, m)
			low = old
		}
		t.storeRow(low, r.Offset(first), sh)
	default:
		t.storeEachElement(r, sh, first, z, m)
	}
}

// storeApart writes dwords of which each second one in the file is none of the region.
func (t *translator) storeApart(r *regions.Region, sh shape, first int, z native.Z, m mask) {
	whole := shape{length: native.L256, lanes: 4, elem: 8}
	old, some, on := t.tmp(0), t.tmp(1), t.cond()
	if m.on {
		t.maskOf(t.tmp(2), sh, m)
	}
	wide := func(d, s native.Z, high bool) {
		if high {
			t.vec(whole, native.ExtractI128, s, 0, native.InReg(d), 1)
			s = d
		}
		t.vec(whole, native.MovZXDQ, d, 0, native.InReg(s))
	}
	for k := 0; k < sh.lanes; k += 4 {
		at := fileAt(r.Offset(first + k))
		wide(some, z, k > 0)
		t.vec(whole, native.MovDQU, old, 0, native.InMem(at))
		if m.on {
			wide(on, t.tmp(2), k > 0)
			t.vec(whole, native.BlendVPS, old, old, native.InReg(some), byte(on)<<4)
		} else {
			t.vec(whole, native.BlendD, old, old, native.InReg(some), 0x55)
		}
		t.vec(whole, native.MovDQUTo, old, 0, native.InMem(at))
	}
}

// storeEachElement writes elements one after the other.
func (t *translator) storeEachElement(r *regions.Region, sh shape, first int, z native.Z, m mask) {
	aside := func(k int) native.Mem {
		return t.field(unsafe.Offsetof(t.x.aside) + uintptr(k*int(sh.elem)))
	}
	t.vec(shape{length: native.L256}, native.MovDQUTo, z, 0, native.InMem(aside(0)))
	for k := range sh.lanes {
		off := t.NewLabel()
		if m.on {
			on := regExec
			if m.bits {
				on = regMask
			}
			t.ifOn(on, m.first+k, off)
		}
		t.Load(native.W64, native.RAX, aside(k))
		t.storeLow(fileAt(r.Offset(first+k)), native.RAX, r.Size)
		t.Set(off)
	}
}

// ifOn goes on if a bit of a general register is set, else somewhere else.
func (t *translator) ifOn(r native.Reg, bit int, off native.Label) {
	t.Mov(native.W32, native.RCX, r)
	t.OpImm(native.AND, native.W32, native.RCX, int32(uint32(1)<<bit))
	t.Jcc(native.E, off)
}

// storeLow stores the low bytes of RAX, RCX, RDX or RBX.
func (t *translator) storeLow(m native.Mem, r native.Reg, size uint8) {
	switch size {
	case 1:
		t.Store8(m, r)
	case 2:
		t.Store16(m, r)
	case 4:
		t.Store(native.W32, m, r)
	default:
		t.Store(native.W64, m, r)
	}
}

// reachOctets is reach.
func (t *translator) reachOctets(a *accessing) {
	var s Slot
	sh := a.shape(t)
	limit, base, at, bad, over := t.tmp(0), t.tmp(1), t.tmp(2), t.tmp(3), t.tmp(4)
	sub := sh.pick(native.SubD, native.SubQ)
	t.broadcastReg(sh, limit, native.RAX)
	if a.Space == regions.Global {
		t.broadcast(sh, base, native.InMem(a.of(unsafe.Offsetof(s.Base))))
	}
	for part := range a.parts {
		r := regions.Region{At: a.Addresses + int32(part*sh.bytes()), Step: int32(sh.elem), Size: sh.elem}
		z := t.region(&r, sh, 0)
		if a.Space == regions.Global {
			a.places[part] = z
			t.vec(sh, sub, at, z, native.InReg(base))
		} else {
			a.places[part] = t.take()
			t.vec(sh, native.And, a.places[part], z, native.Each(t.pool.Dword(uint64(a.SharedMask))))
			t.vec(sh, native.MovDQA, at, 0, native.InReg(a.places[part]))
		}
		// Offsets with a sign, and those above the limit, which has none.
		t.vec(sh, sub, over, limit, native.InReg(at))
		t.vec(sh, native.Or, over, over, native.InReg(at))
		if a.some {
			t.fromBits(at, regMask, part*sh.lanes, sh)
			t.vec(sh, native.And, over, over, native.InReg(at))
		}
		if part == 0 {
			t.vec(sh, native.MovDQA, bad, 0, native.InReg(over))
		} else {
			t.vec(sh, native.Or, bad, bad, native.InReg(over))
		}
	}
	t.moveMask(native.RAX, sh, bad)
	t.Test(native.W32, native.RAX, native.RAX)
	t.Jcc(native.NE, a.bail)
}

// lieOctets is lie.
func (t *translator) lieOctets(a *accessing, step int, to native.Label) {
	sh := a.shape(t)
	first, at, all := t.tmp(1), t.tmp(2), t.tmp(3)
	for part := range a.parts {
		with := first
		if step != 0 {
			with = at
			t.vec(sh, sh.pick(native.AddD, native.AddQ), at, first,
				native.InMem(t.pool.Numbers(sh.lanes, sh.elem,
					func(k int) uint64 { return uint64((part*sh.lanes + k) * step) })))
		}
		equal := sh.pick(native.CmpEqD, native.CmpEqQ)
		if part == 0 {
			t.vec(sh, equal, all, a.places[part], native.InReg(with))
			continue
		}
		t.vec(sh, equal, at, a.places[part], native.InReg(with))
		t.vec(sh, native.And, all, all, native.InReg(at))
	}
	t.moveMask(native.RSI, sh, all) // RAX is wanted
	t.OpImm(native.CMP, native.W32, native.RSI, 1<<sh.lanes-1)
	t.Jcc(native.E, to)
}

// gatherOctets is gatherAll.
func (t *translator) gatherOctets(a *accessing) {
	in, _, sh := a.gathering(t)
	old, d, on := t.tmp(0), t.tmp(2), t.tmp(3)
	for i := range int(a.Count) {
		for part := range a.parts {
			to, _ := a.row(t, i)
			to += int32(part * sh.bytes())
			t.vec(sh, native.Xor, d, d, native.InReg(d))
			if a.some {
				t.fromBits(on, regMask, part*sh.lanes, sh)
			} else {
				t.vec(sh, native.CmpEqD, on, on, native.InReg(on))
			}
			t.GatherVEX(native.L256, in, d, native.Mem{Base: native.RAX, Disp: int32(i * int(a.Size))},
				a.places[part], on)
			t.lowBytes(a, d)
			if a.some {
				t.loadRow(old, to, sh)
				t.fromBits(on, regMask, part*sh.lanes, sh)
				t.blend(sh, old, old, d, on)
				t.storeRow(old, to, sh)
				continue
			}
			t.storeRow(d, to, sh)
		}
	}
}
