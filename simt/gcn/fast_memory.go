package gcn

import (
	"math/bits"

	"simtgdb/simt"
	"simtgdb/simt/vec"
)

// Loads and stores of whole dwords that nobody observes, by package vec: all
// lanes' places are found and checked against one memory at once, and then a
// row moves at a time. What does not fit (another region for some lanes, a
// fault, an aperture) has not happened yet, and goes the general way.

// fastMemory makes a load or store of dwords run here, and keeps how it runs
// otherwise.
func (in *Inst) fastMemory() {
	a := in.Op.mem
	if a == nil || !a.dwords || in.loadsLDS() || in.mem.gds || in.mem.tfe {
		return
	}
	switch in.form {
	case GLOBAL, FLAT:
		in.next, in.exec = in.exec, fastGlobal
	case DS:
		in.next, in.exec = in.exec, fastDS
	}
}

// fastGlobal executes global_load_dword and the like, and flat_* that lead to
// global memory. The instruction keeps the region in which its lanes were.
func fastGlobal(c *Core, in *Inst) {
	w, a := c.w, in.Op.mem
	if w.Exec == 0 {
		return
	}
	if !c.findGlobal(in, a, w.Exec) {
		in.next(c, in)
		return
	}
	told := c.wanted.loads && !a.write || c.wanted.stores && a.write
	if told {
		c.flatBegin(in)
		c.placed(in.region.Base)
		c.observe(in, a, simt.Global, w.Exec)
	}
	if a.write {
		if c.keeps && !told {
			c.keepPlaces(in.region, uint64(a.size))
		}
		c.storeRows(&in.src[1], 0)
	} else {
		c.loadRows(&in.dst, 0)
	}
}

// keepPlaces makes snapshots keep what is in a region where lanes are about to store.
func (c *Core) keepPlaces(r *simt.Region, size uint64) {
	const near = 1 << 16
	lo, hi := ^uint32(0), uint32(0)
	simt.Lanes(c.at.Mask, func(l int) { lo, hi = min(lo, c.at.At[l]), max(hi, c.at.At[l]) })
	if hi-lo <= near {
		c.mem.WillWrite(r, uint64(lo), uint64(hi-lo)+size)
		return
	}
	simt.Lanes(c.at.Mask, func(l int) { c.mem.WillWrite(r, uint64(c.at.At[l]), size) })
}

// findGlobal works out where the lanes' items are in one region that may be
// accessed so, if there is one.
func (c *Core) findGlobal(in *Inst, a *access, exec uint64) bool {
	lo := (*vec.Row)(&c.r.V[in.src[0].reg])
	var hi *vec.Row
	add := uint64(int64(in.simm))
	if in.mem.saddr.kind == scalarReg {
		add += pair(c.r, uint8(in.mem.saddr.reg))
	} else {
		hi = (*vec.Row)(&c.r.V[in.src[0].reg+1])
	}
	if in.mem.scaled && in.signedOffset() {
		if !mayScale(lo, uint32(a.size), exec) {
			return false
		}
		lo = (*vec.Row)(&c.scaledOffsets(in, (*Vector)(lo))[0])
	}
	find := func(r *simt.Region) bool {
		return (!in.signedOffset() || unsignedIn(r, add)) &&
			c.at.Find(r.Data, lo, hi, add, r.Base, a.size, exec)
	}
	if in.region != nil && find(in.region) {
		return true
	}
	r, need := c.mem.Find(c.oneAddress(in, bits.TrailingZeros64(exec)&63)), a.perm()
	if r == nil || r.Perm&need != need || r == in.region {
		return false
	}
	in.region = r
	return find(r)
}

// mayScale reports whether offsets of lanes, which count items of size bytes, have no sign in bytes either.
func mayScale(offsets *vec.Row, size uint32, exec uint64) bool {
	var all uint32
	for m := exec; m != 0; m &= m - 1 {
		all |= offsets[bits.TrailingZeros64(m)&63]
	}
	return all < 1<<31/size
}

// oneAddress is that of a lane's item in global memory.
func (c *Core) oneAddress(in *Inst, l int) uint64 {
	addr, v := uint64(int64(in.simm)), c.r.V[in.src[0].reg:]
	switch {
	case in.signedOffset():
		return addr + pair(c.r, uint8(in.mem.saddr.reg)) + uint64(int64(int32(v[0][l]))*in.scale())
	case in.mem.saddr.kind == scalarReg:
		return addr + pair(c.r, uint8(in.mem.saddr.reg)) + uint64(v[0][l])
	}
	return addr + uint64(v[0][l]) + uint64(v[1][l])<<32
}

// unsignedIn reports whether what is added to an offset's 32 bits leads into a region just if the offset has
// no sign: an offset that has one would lead 4 GiB too far, and to none of the region's bytes. Where that is
// not so, offsets with a sign are for those who heed it.
func unsignedIn(r *simt.Region, add uint64) bool {
	return int64(uint64(len(r.Data))-(add-r.Base)) < 1<<31
}

// fastDS executes ds_read_b32, ds_write2_b64 and the like.
func fastDS(c *Core, in *Inst) {
	w, a := c.w, in.Op.mem
	if w.Exec == 0 {
		return
	}
	first, second := uint32(in.simm), uint32(in.simm)
	if a.places != 0 {
		unit := uint32(a.places * a.size)
		first, second = first*unit, uint32(in.mem.offset1)*unit
	}
	low := min(first, second)
	size := a.size + int(max(first, second)-low)
	base := (*vec.Row)(&c.r.V[in.src[0].reg])
	if c.follows != nil || !c.at.Find32(w.Group.LDS, base, low, size, w.Exec) {
		in.next(c, in)
		return
	}
	if c.wanted.sharedLoads && !a.write && touches(c.wanted.shared[0], base, low, size, w.Exec) ||
		c.wanted.sharedStores && a.write && touches(c.wanted.shared[1], base, low, size, w.Exec) {
		c.beginAccess(c.registers(&in.dst), c.registers(&in.src[1]), nil)
		c.placed(uint64(first - low))
		c.observe(in, a, simt.LDS, w.Exec)
		if a.places != 0 {
			c.pass.data = c.registers(&in.src[2])
			c.placed(uint64(second - low))
			c.observe(in, a, simt.LDS, w.Exec)
		}
	}
	switch at, at2 := int(first-low), int(second-low); {
	case a.write:
		c.storeRows(&in.src[1], at)
		if a.places != 0 {
			c.storeRows(&in.src[2], at2)
		}
	case a.places == 0:
		c.loadRows(&in.dst, at)
	default:
		half := in.dst
		half.typ = dwordType[a.size/4]
		c.loadRows(&half, at)
		half.reg += uint16(a.size / 4)
		c.loadRows(&half, at2)
	}
}

// placed makes the lanes' addresses of their places, for observers.
func (c *Core) placed(base uint64) {
	c.at.Places(&c.addr, base)
}

// touches reports whether an access of lanes to LDS may touch an extent: a watchpoint costs little where
// nothing is near it.
func touches(e simt.Extent, base *vec.Row, low uint32, size int, mask uint64) bool {
	for m := mask; m != 0; m &= m - 1 {
		at := uint64(base[bits.TrailingZeros64(m)&63] + low)
		if at < e.Hi && at+uint64(size) > e.Lo {
			return true
		}
	}
	return false
}

// dwordType is a type of so many dwords.
var dwordType = [...]typ{1: b32, 2: b64, 3: b96, 4: b128}

// loadRows fills an operand's registers with the dwords that lie from skip on
// in the lanes' items.
func (c *Core) loadRows(o *operand, skip int) {
	for i := range typDwords[o.typ] {
		c.at.Load((*vec.Row)(&c.r.V[int(o.reg)+i]), skip+4*i)
	}
}

// storeRows is loadRows' counterpart.
func (c *Core) storeRows(o *operand, skip int) {
	for i := range typDwords[o.typ] {
		c.at.Store((*vec.Row)(&c.r.V[int(o.reg)+i]), skip+4*i)
	}
}
