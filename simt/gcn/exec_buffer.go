package gcn

import (
	"math/bits"

	"simtgdb/simt"
)

// A descriptor is a buffer resource (MI200 ISA, section "Buffer resource").
type descriptor struct {
	base    uint64
	stride  uint32 // bytes of a record
	records uint32 // records, or bytes if the stride is 0
	swizzle bool
	addTID  bool
	group   uint32 // records that lie interleaved, if swizzled
}

// elementSize is the bytes of a record that lie together, if swizzled: the
// only choice on gfx9.
const elementSize = 4

func (c *Core) descriptor(o *operand) descriptor {
	s := c.r.S[o.reg:][:4]
	d := descriptor{
		base:    uint64(s[0]) | uint64(s[1]&0xffff)<<32,
		stride:  s[1] >> 16 & 0x3fff,
		records: s[2],
		swizzle: s[1]>>31 != 0,
		addTID:  s[3]>>23&1 != 0,
		group:   8 << (s[3] >> 21 & 3),
	}
	if d.addTID { // DATA_FORMAT has bits 14 to 17 of the stride
		d.stride |= s[3] >> 15 & 0xf << 14
	}
	return d
}

// isPrivate reports whether the descriptor is that of the waves' private
// memory, as scratchDescriptor makes it, perhaps displaced by the kernel's
// prologue.
func (d *descriptor) isPrivate(w *simt.Wave) bool {
	return d.swizzle && d.addTID && d.group == uint32(w.Size) && d.base >= scratchWindow
}

// runBuffer executes buffer_*.
func runBuffer(c *Core, in *Inst) {
	w := c.w
	if w.Exec == 0 {
		return
	}
	d := c.descriptor(&in.src[0])
	soffset := c.s32(&in.mem.soffset)
	c.flatBegin(in)
	if d.isPrivate(w) && !in.mem.idxen {
		// A multiple of the wave's width displaces every lane by the same.
		if at := d.base + uint64(soffset) - c.r.scratchBase; at%(elementSize*uint64(w.Size)) == 0 {
			c.runPrivate(in, uint64(int64(at)/int64(w.Size)))
			return
		}
	}
	inside := c.bufferAddresses(in, &d, soffset, 0, uint64(in.Op.mem.size))
	var parts *bufferParts
	if inside != w.Exec {
		if parts = c.partsInside(in, &d, soffset, inside); c.faulted() {
			return
		}
	}
	if inside != 0 {
		c.globalAccess(in, inside, c.spanOf(inside))
	}
	if c.faulted() {
		return
	}
	if !in.Op.mem.write {
		c.zeroOutside(w.Exec &^ inside)
	}
	if parts != nil {
		c.moveParts(in, parts)
	}
}

// bufferParts are the dwords that lie in a buffer of accesses that lie in it in part: the lanes that have
// such a dword, and where it is.
type bufferParts struct {
	lanes [maxDwords]uint64
	addr  [maxDwords][simt.MaxLanes]uint64
}

const maxDwords = itemRoom / 4

// one is what an access is for one of its dwords.
func (a *access) one() *access {
	if a.write {
		return store32
	}
	return load32
}

// partsInside finds them beside the lanes whose access is inside as a whole, nil if there are none, and
// faults where one of them is in no memory: loads and stores of several dwords are compared with the buffer's
// size dword by dword (MI200 ISA, section "Range checking"). It leaves the addresses of accesses in c.addr.
func (c *Core) partsInside(in *Inst, d *descriptor, soffset uint32, whole uint64) *bufferParts {
	a := in.Op.mem
	if !a.dwords || a.size == 4 || c.bufferAddresses(in, d, soffset, 0, 4) == whole {
		return nil
	}
	parts := &bufferParts{}
	for i := range a.size / 4 {
		lanes := c.bufferAddresses(in, d, soffset, uint32(4*i), 4) &^ whole
		parts.lanes[i], parts.addr[i] = lanes, c.addr
		if lanes != 0 {
			c.checkGlobal(a.one(), lanes, c.spanOf(lanes))
		}
	}
	c.raise(in, a)
	c.addr = parts.addr[0]
	return parts
}

// moveParts moves them.
func (c *Core) moveParts(in *Inst, parts *bufferParts) {
	a, p := in.Op.mem, &c.pass
	dst, data := p.dst, p.data
	for i := range a.size / 4 {
		lanes := parts.lanes[i]
		if lanes == 0 {
			continue
		}
		if c.addr = parts.addr[i]; a.write {
			p.data = data[i : i+1]
		} else {
			p.dst = dst[i : i+1]
		}
		c.moveGlobal(in, a.one(), lanes, c.spanOf(lanes))
	}
}

// zeroOutside gives 0 to the lanes that would load from outside the buffer.
func (c *Core) zeroOutside(lanes uint64) {
	dst := c.pass.dst
	for m := lanes; m != 0; m &= m - 1 {
		for i := range dst {
			dst[i][bits.TrailingZeros64(m)&63] = 0
		}
	}
}

// runWithStatus executes a load that also wants to know (TFE) whether its
// memory was there: a register after its data becomes 0, since memory that is
// not there is a fault here.
func runWithStatus(c *Core, in *Inst) {
	in.next(c, in)
	if !c.faulted() {
		merge(&c.r.V[int(in.dst.reg)+typDwords[in.dst.typ]], &Vector{}, c.w.Exec)
	}
}

// runPrivate does an access to private memory from a lane's address on.
func (c *Core) runPrivate(in *Inst, base uint64) {
	if !in.mem.offen {
		c.sameScratch(in, base+uint64(in.simm))
		return
	}
	c.scratchAccess(in, c.addresses32(&c.r.V[in.src[2].reg], uint32(in.simm), base, c.w.Exec))
}

// bufferAddresses puts the lanes' addresses into c.addr and returns the
// active lanes whose access is in the buffer (MI200 ISA, section "Buffer
// addressing"), of so many bytes from one of them on. What is partly outside counts as outside.
func (c *Core) bufferAddresses(in *Inst, d *descriptor, soffset, from uint32, size uint64) (inside uint64) {
	w, m := c.w, &in.mem
	base := d.base + uint64(soffset)
	for l := range c.addr {
		index, offset := uint64(0), uint32(in.simm)+from
		next := in.src[2].reg
		if m.idxen {
			index = uint64(c.r.V[next][l])
			next++
		}
		if m.offen {
			offset += c.r.V[next][l]
		}
		if d.addTID {
			index += uint64(l)
		}
		if d.holds(index, uint64(offset), size, uint64(soffset)) {
			inside |= 1 << l
		}
		c.addr[l] = base + d.offset(index, uint64(offset))
	}
	return inside & w.Exec
}

// offset is where a byte of a record lies in the buffer.
func (d *descriptor) offset(index, offset uint64) uint64 {
	if !d.swizzle {
		return index*uint64(d.stride) + offset
	}
	group := uint64(d.group)
	return (index/group*uint64(d.stride)+offset/elementSize*elementSize)*group +
		index%group*elementSize + offset%elementSize
}

// holds reports whether an access is in the buffer: counted in bytes without
// a stride, else in records.
func (d *descriptor) holds(index, offset, size, soffset uint64) bool {
	if d.stride == 0 {
		return soffset+offset+size <= uint64(d.records)
	}
	return index < uint64(d.records) && (!d.swizzle || offset+size <= uint64(d.stride))
}
