package x86

import (
	"unsafe"

	"simtgdb/simt/native"
	"simtgdb/simt/rows/regions"
)

// An accessing is the code of a load or store that is being made.
type accessing struct {
	*regions.Access
	lanes    int
	channels int  // that the access has data for, these and others
	some     bool // channels are off: those of K5, and of K6 from the ninth on, access
	bail     native.Label
	slot     native.Mem
	places   [mostParts]native.Z // addresses
	parts    int                 // how many vectors they are
}

// access makes the code of a load or store. All addresses are checked before anything happens. How they lie
// decides how data move: side by side, all in one place, or anywhere. Those of 32 channels are two halves:
// the second one is checked before the first one's data move.
func (t *translator) access(u *regions.Unit, o *regions.Op) {
	kind, miss := 0, 0
	if o.Kind == regions.Store {
		kind = 1
	}
	if o.Access.Space == regions.Shared {
		t.OpMemImm(native.CMP, native.W32, t.field(unsafe.Offsetof(t.x.Wanted)+uintptr(4*kind)), 0)
		t.Jcc(native.NE, t.exit(u.At, u.Insts, 1, 0))
	} else {
		t.slots = append(t.slots, o)
		miss = len(t.slots)
	}
	t.note(u, o)
	bail := t.exit(u.At, u.Insts, 1, miss)
	if o.Access.Block != nil {
		t.block(o, bail, miss)
		return
	}
	if o.Lanes <= half {
		t.accessPart(u, o, int(o.Lanes), bail, miss, true)
		return
	}
	var parts [2]regions.Op
	for i := range parts {
		p := &parts[i]
		*p = *o
		p.Lanes, p.First, p.Under.Bit = half, o.First+uint8(i*half), o.Under.Bit+uint8(i*half)
		p.Access.Addresses += int32(i) * half * p.Access.Width()
		p.Access.Data += int32(i) * half * p.Access.Slot()
	}
	t.accessPart(u, &parts[1], int(o.Lanes), bail, miss, false)
	for i := range parts {
		clear(t.held)
		t.accessPart(u, &parts[i], int(o.Lanes), bail, miss, true)
	}
}

// half is how many channels access memory at once.
const half = 16

// accessPart makes the code for channels of a load or store that has data for row channels: it checks their
// addresses, and moves the data.
func (t *translator) accessPart(u *regions.Unit, o *regions.Op, row int, bail native.Label, miss int,
	moves bool) {
	a := accessing{Access: &o.Access, lanes: int(o.Lanes), channels: row, bail: bail, parts: 1,
		some: o.Under.On || !o.Always && !t.whole}
	done := t.NewLabel()
	if a.some {
		t.accessMasks(o)
		t.Jcc(native.E, done)
	}
	t.slotOf(&a, miss)
	a.parts = a.lanes / a.shape(t).lanes
	t.reach(&a, o.Kind == regions.Store)
	if moves {
		if o.Kind == regions.Load && o.Access.Space == regions.Shared {
			t.tellLater(u, o, &a)
		}
		t.move(&a, o)
	}
	t.Set(done)
	if moves && o.Kind == regions.Load {
		_, sh := a.row(t, 0)
		end, _ := a.row(t, int(a.Count)-1)
		t.written(a.Data, end+int32(sh.parts*sh.bytes()))
	}
}

// slotOf finds the slot of an access.
func (t *translator) slotOf(a *accessing, miss int) {
	a.slot = t.field(unsafe.Offsetof(t.x.Shared))
	if a.Space == regions.Global {
		t.Load(native.W64, native.RSI, t.field(unsafe.Offsetof(t.x.slots)))
		a.slot = native.Mem{Base: native.RSI, Disp: int32((miss - 1) * int(unsafe.Sizeof(Slot{})))}
	}
}

// move moves the data, and counts the channels.
func (t *translator) move(a *accessing, o *regions.Op) {
	if o.Kind == regions.Store {
		t.storeAll(a)
	} else {
		t.loadAll(a)
	}
	t.countAccess(a, o)
}

// countAccess counts the channels of an access.
func (t *translator) countAccess(a *accessing, o *regions.Op) {
	switch {
	case o.Always:
	case a.some:
		t.Popcnt(native.W32, native.RAX, regMask)
		t.Op(native.ADD, native.W64, regLanes, native.RAX)
	default:
		t.OpImm(native.ADD, native.W64, regLanes, int32(a.lanes))
	}
}

// accessMasks makes regMask the channels that access, K5 those of them that a vector has and K6 those from
// the ninth on, and sets the processor's flags by regMask.
func (t *translator) accessMasks(o *regions.Op) {
	if o.Under.On {
		t.predicate(native.RAX, o.Under, o.Lanes)
	}
	switch {
	case o.Always || t.whole:
		t.Mov(native.W32, regMask, native.RAX)
	default:
		t.channelsOn(regMask, o.First, o.Lanes)
		if o.Under.On {
			t.Op(native.AND, native.W32, regMask, native.RAX)
		}
	}
	if !t.octets {
		t.KmovTo16(5, regMask)
		t.Kshiftr16(6, 5, 8)
	}
	t.Test(native.W32, regMask, regMask)
}

func (a *accessing) of(offset uintptr) native.Mem {
	return native.Mem{Base: a.slot.Base, Disp: a.slot.Disp + int32(offset)}
}

// mask is the mask register of a part's channels, or 0 for all.
func (a *accessing) mask(part int) native.K {
	if !a.some {
		return 0
	}
	return native.K(5 + part)
}

// shape is that of the addresses in one vector.
func (a *accessing) shape(t *translator) (sh shape) {
	if a.Space == regions.Global {
		sh = t.shape(8, 8)
	} else {
		sh = t.shape(uint8(a.lanes), 4)
	}
	sh.parts = 1
	return sh
}

const (
	equal   = 0
	greater = 6
)

// reach checks that memory has what all channels access; where a load is of less than four bytes, that it
// has four. RAX is then what makes an address one of the host, and RDX the host's address of the first
// channel. It uses vector registers 26 to 29.
func (t *translator) reach(a *accessing, write bool) {
	var s Slot
	size := int32(a.Size) * int32(a.Count)
	if !write {
		size = max(size, 4)
	}
	sh := a.shape(t)
	t.Load(native.W64, native.RAX, a.of(unsafe.Offsetof(s.Size)))
	t.OpImm(native.SUB, native.W64, native.RAX, size)
	t.Jcc(native.B, a.bail)
	if t.octets {
		t.reachOctets(a)
	} else {
		t.reachWide(a, sh)
	}
	t.Load(native.W64, native.RAX, a.of(unsafe.Offsetof(s.Delta)))
	if a.Space == regions.Global {
		t.Load(native.W64, native.RCX, fileAt(a.Addresses))
	} else {
		t.Load(native.W32, native.RCX, fileAt(a.Addresses))
		t.OpImm(native.AND, native.W32, native.RCX, int32(a.SharedMask))
	}
	t.Mov(native.W64, native.RDX, native.RCX)
	t.Op(native.ADD, native.W64, native.RDX, native.RAX)
	first := native.Z(29)
	if t.octets {
		first = t.tmp(1)
	}
	t.broadcastReg(sh, first, native.RCX)
}

// reachWide is the check for AVX-512. RAX is how far into the slot an address may be.
func (t *translator) reachWide(a *accessing, sh shape) {
	var s Slot
	t.broadcastReg(sh, 28, native.RAX)
	if a.Space == regions.Global {
		t.V(native.BroadcastQ, 29, 0, native.InMem(a.of(unsafe.Offsetof(s.Base))), 0)
	}
	for part := range a.parts {
		r := regions.Region{At: a.Addresses + int32(64*part), Step: int32(sh.elem), Size: sh.elem}
		z := t.region(&r, sh, 0)
		if a.Space == regions.Global {
			a.places[part] = z
			t.V(native.SubQ, 27, z, native.InReg(29), 0)
		} else {
			a.places[part] = 27
			t.VL(sh.length, native.And, 27, z, native.Each(t.pool.Number(uint64(a.SharedMask), 4)), 0)
		}
		t.VL(sh.length, sh.pick(native.CmpUD, native.CmpUQ), 7, 27, native.InReg(28), a.mask(part), greater)
		t.Kortest16(7, 7)
		t.Jcc(native.NE, a.bail)
	}
}

// lie jumps to a place if each channel's address is so much after the one before. RCX's broadcast is in
// vector register 29.
func (t *translator) lie(a *accessing, step int, to native.Label) {
	if t.octets {
		t.lieOctets(a, step, to)
		return
	}
	sh := a.shape(t)
	not := t.NewLabel()
	for part := range a.parts {
		with := native.InReg(29)
		if step != 0 {
			t.VL(sh.length, sh.pick(native.AddD, native.AddQ), 28, 29,
				native.InMem(t.pool.Numbers(sh.lanes, sh.elem,
					func(k int) uint64 { return uint64((part*sh.lanes + k) * step) })), 0)
			with = native.InReg(28)
		}
		t.VL(sh.length, sh.pick(native.CmpUD, native.CmpUQ), 7, a.places[part], with, 0, equal)
		if sh.lanes == 8 {
			t.Kortest8(7, 7)
		} else {
			t.Kortest16(7, 7)
		}
		if part == a.parts-1 {
			t.Jcc(native.B, to)
		} else {
			t.Jcc(native.AE, not)
		}
	}
	t.Set(not)
}

// row is where the data of one element of all channels are, in one vector or two.
func (a *accessing) row(t *translator, i int) (at int32, sh shape) {
	return a.Data + int32(i*a.channels)*a.Slot(), t.shape(uint8(a.lanes), uint8(a.Slot()))
}

func (t *translator) loadAll(a *accessing) {
	side, same, done, d := t.NewLabel(), t.NewLabel(), t.NewLabel(), t.tmp(2)
	if !a.some {
		t.lie(a, int(a.Size), side)
		t.lie(a, 0, same)
	}
	t.gatherAll(a)
	if a.some {
		return
	}
	t.Jmp(done)
	for _, way := range []native.Label{side, same} {
		t.Set(way)
		for i := range int(a.Count) {
			to, sh := a.row(t, i)
			for part := range sh.parts {
				at := native.Mem{Base: native.RDX, Disp: int32(i * int(a.Size))}
				switch {
				case way == side && a.Size < 4:
					at.Disp += int32(part * sh.lanes * int(a.Size))
					t.vec(sh, native.Extend(a.Size, 4, false), d, 0, native.InMem(at))
				case way == side:
					at.Disp += int32(part * sh.bytes())
					t.vec(sh, native.MovDQU, d, 0, native.InMem(at))
				default:
					t.broadcast(sh, d, native.InMem(at))
					t.lowBytes(a, d)
				}
				t.storeRow(d, to+int32(part*sh.bytes()), sh)
			}
		}
		if way == side {
			t.Jmp(done)
		}
	}
	t.Set(done)
}

// gathering is how elements of a vector of addresses are gathered and scattered.
func (a *accessing) gathering(t *translator) (gather, scatter native.Instruction, sh shape) {
	sh = a.shape(t)
	switch {
	case a.Space == regions.Shared:
		return native.GatherDD, native.ScatterDD, sh
	case a.Size == 8:
		return native.GatherQQ, native.ScatterQQ, sh
	}
	return native.GatherQD, native.ScatterQD, t.shape(uint8(sh.lanes), 4)
}

// accessMask makes K7 the mask of a part.
func (t *translator) accessMask(a *accessing, part int) {
	if k := a.mask(part); k != 0 {
		t.Kmov16(7, k)
		return
	}
	t.MovImm(native.RCX, 1<<a.shape(t).lanes-1)
	t.KmovTo16(7, native.RCX)
}

// lowBytes makes dwords of a vector register elements of fewer bytes.
func (t *translator) lowBytes(a *accessing, z native.Z) {
	if a.Size < 4 {
		t.vec(t.shape(16, 4), native.And, z, z, native.Each(t.pool.Number(1<<(8*a.Size)-1, 4)))
	}
}

func (t *translator) gatherAll(a *accessing) {
	if t.octets {
		t.gatherOctets(a)
		return
	}
	in, _, sh := a.gathering(t)
	for i := range int(a.Count) {
		for part := range a.parts {
			to, _ := a.row(t, i)
			to += int32(part * sh.bytes())
			t.V(native.Xor, 26, 26, native.InReg(26), 0)
			t.accessMask(a, part)
			t.GatherAt(a.shape(t).length, in, 26, native.Mem{Base: native.RAX, Disp: int32(i * int(a.Size))},
				a.places[part], 7)
			t.lowBytes(a, 26)
			if k := a.mask(part); k != 0 {
				t.loadRow(28, to, sh)
				t.VL(sh.length, sh.w(native.MovDQA), 28, 0, native.InReg(26), k)
				t.storeRow(28, to, sh)
				continue
			}
			t.storeRow(26, to, sh)
		}
	}
}

// storeAll stores. Where channels' elements may overlap, that of the last one is to stay, whatever its
// number.
func (t *translator) storeAll(a *accessing) {
	side, done := t.NewLabel(), t.NewLabel()
	single := a.Count == 1
	if !a.some {
		t.lie(a, int(a.Size)*int(a.Count), side)
	}
	if !single {
		t.Jmp(a.bail)
		if a.some {
			return
		}
		t.Set(side)
	}
	if a.Size < 4 || t.octets {
		t.storeEach(a)
	} else {
		t.scatterAll(a)
	}
	if single && !a.some {
		t.Jmp(done)
		t.Set(side)
		from, sh := a.row(t, 0)
		for part := range sh.parts {
			d := t.tmp(2)
			to := native.Mem{Base: native.RDX, Disp: int32(part * sh.lanes * int(a.Size))}
			t.loadRow(d, from+int32(part*sh.bytes()), sh)
			switch {
			case a.Size >= 4:
				t.vec(sh, native.MovDQUTo, d, 0, native.InMem(to))
			case t.octets:
				t.storeBytes(d, to, t.narrow(d, sh, a.Size), shape{length: native.L128})
			default:
				t.VL(sh.length, native.Narrow(4, a.Size), d, 0, native.InMem(to), 0)
			}
		}
		t.Set(done)
	}
}

func (t *translator) scatterAll(a *accessing) {
	_, in, sh := a.gathering(t)
	for i := range int(a.Count) {
		for part := range a.parts {
			from, _ := a.row(t, i)
			t.loadRow(26, from+int32(part*sh.bytes()), sh)
			t.accessMask(a, part)
			t.GatherAt(a.shape(t).length, in, 26, native.Mem{Base: native.RAX, Disp: int32(i * int(a.Size))},
				a.places[part], 7)
		}
	}
}

// storeEach stores one channel after the other.
func (t *translator) storeEach(a *accessing) {
	for k := range int32(a.lanes) {
		off := t.NewLabel()
		if a.some {
			t.ifOn(regMask, int(k), off)
		}
		if a.Space == regions.Global {
			t.Load(native.W64, native.RCX, fileAt(a.Addresses+8*k))
		} else {
			t.Load(native.W32, native.RCX, fileAt(a.Addresses+4*k))
			t.OpImm(native.AND, native.W32, native.RCX, int32(a.SharedMask))
		}
		t.Op(native.ADD, native.W64, native.RCX, native.RAX)
		for i := range int32(a.Count) {
			t.Load(native.W64, native.RDX, fileAt(a.Data+(i*int32(a.channels)+k)*a.Slot()))
			t.storeLow(native.Mem{Base: native.RCX, Disp: i * int32(a.Size)}, native.RDX, a.Size)
		}
		t.Set(off)
	}
}
