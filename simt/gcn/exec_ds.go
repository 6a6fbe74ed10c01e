package gcn

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// runDS executes a data-share instruction. M0, which older hardware took a
// limit from, is not consulted.
func runDS(c *Core, in *Inst) {
	w, a := c.w, in.Op.mem
	if w.Exec == 0 {
		return
	}
	c.beginAccess(c.registers(&in.dst), c.registers(&in.src[1]), c.registers(&in.src[2]))
	base := &c.r.V[in.src[0].reg]
	if a.places == 0 {
		s := c.addresses32(base, uint32(in.simm), 0, w.Exec)
		if a.readsZeros(s) {
			c.moveZeros(a, w.Exec)
			return
		}
		c.checkLDS(a, w.Exec, s)
		if !c.raise(in, a) {
			c.moveLDS(in, a, w.Exec)
		}
		return
	}
	unit := uint32(a.places * a.size)
	first, second := uint32(in.simm)*unit, uint32(in.mem.offset1)*unit
	c.checkLDS(a, w.Exec, c.addresses32(base, second, 0, w.Exec))
	c.checkLDS(a, w.Exec, c.addresses32(base, first, 0, w.Exec))
	if !c.raise(in, a) {
		c.moveTwo(in, uint64(second)-uint64(first))
	}
}

// AMD's library of matrix products clears accumulators by loads from an address that no processor has LDS at,
// of which hardware reads 0 (Tensile, KernelWriterAssembly.py, "set out-of-bound addr"). What
// lies elsewhere beyond the workgroup's LDS, as what a negative index comes to, faults.
const (
	zerosAt   = 0xf00000
	zerosSize = 1 << 16
)

// readsZeros reports whether an access is such a load.
func (a *access) readsZeros(s span) bool {
	return !a.write && !a.atomic && s.lo >= zerosAt && s.hi < zerosAt+zerosSize
}

// moveZeros does an access of some lanes that reads zeros and whose stores nobody sees.
func (c *Core) moveZeros(a *access, lanes uint64) {
	var zeros [itemRoom]byte
	addr, p := c.addr, &c.pass
	fill(&c.addr, 0)
	p.base, p.step, p.shared = 0, 4, false
	for lanes != 0 {
		p.mem, p.mask = zeros[:], lanes
		if a.write { // one by one, since a lane's store is nothing to the next
			p.mask = lanes & -lanes
		}
		a.move(c, p)
		clear(zeros[:])
		lanes &^= p.mask
	}
	c.addr = addr
}

// moveTwo does an access to two places that are a distance apart. The
// addresses of the first are in c.addr; they are kept there, since the
// destination may be where they came from.
func (c *Core) moveTwo(in *Inst, distance uint64) {
	a, p, exec := in.Op.mem, &c.pass, c.w.Exec
	dst, data2, n := p.dst, p.data2, a.size/4
	if dst != nil {
		p.dst = dst[:n]
		data2 = slices.Clone(data2) // the first may have its result there
	}
	p.data2 = nil
	c.moveLDS(in, a, exec)
	for l := range c.addr {
		c.addr[l] += distance
	}
	if dst != nil {
		p.dst = dst[n:]
	}
	p.data = data2
	c.moveLDS(in, a, exec)
}

// runAddTID executes the rows whose address is M0[15:0], the offset, and a
// dword for each lane.
func runAddTID(a *access) func(*Core, *Inst) {
	return func(c *Core, in *Inst) {
		w := c.w
		if in.mem.gds { // LLVM has no such form
			unknown(c, in)
			return
		}
		if w.Exec == 0 {
			return
		}
		c.beginAccess(c.registers(&in.dst), c.registers(&in.src[1]), nil)
		base := uint64(c.r.S[regM0]&0xffff) + uint64(in.simm)
		for l := range c.addr {
			c.addr[l] = base + 4*uint64(l)
		}
		c.checkLDS(a, w.Exec, c.spanOf(w.Exec))
		if !c.raise(in, a) {
			c.moveLDS(in, a, w.Exec)
		}
	}
}

// counter is the access of ds_append and ds_consume: one for the whole wave.
var counter = &access{size: 4, write: true, atomic: true, move: loadDwords}

// runCount adds to a counter at M0[15:0] plus the offset the number of active
// lanes, times sign, and gives all of them its old value.
func runCount(sign uint32) func(*Core, *Inst) {
	return func(c *Core, in *Inst) {
		w := c.w
		if w.Exec == 0 {
			return
		}
		if in.mem.gds {
			c.runCountGDS(in, sign)
			return
		}
		c.beginAccess(c.registers(&in.dst), nil, nil)
		at := uint64(c.r.S[regM0]&0xffff) + uint64(in.simm)
		fill(&c.addr, at)
		c.checkLDS(counter, w.Exec, span{at, at, at})
		if c.raise(in, counter) {
			return
		}
		c.moveLDS(in, counter, w.Exec)
		old := c.pass.dst[0][bits.TrailingZeros64(w.Exec)&63]
		if withinLDS(w, counter.size, at) {
			binary.LittleEndian.PutUint32(w.Group.LDS[at:], old+sign*uint32(bits.OnesCount64(w.Exec)))
		}
	}
}

// runPermute executes ds_permute_b32: each active lane sends its data to the
// lane that its address names; of several, the highest is heard.
func runPermute(c *Core, in *Inst) {
	w, got := c.w, &c.out[0]
	*got = Vector{}
	addr, data, dst := &c.r.V[in.src[0].reg], &c.r.V[in.src[1].reg], &c.r.V[in.dst.reg]
	for m := w.Exec; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		got[int((addr[l]+uint32(in.simm))/4)&(w.Size-1)&63] = data[l]
	}
	merge(dst, got, w.Exec)
}

// runBackPermute executes ds_bpermute_b32: each lane takes the data of the
// lane that its address names.
func runBackPermute(c *Core, in *Inst) {
	addr := &c.r.V[in.src[0].reg]
	c.takeFrom(in, &c.r.V[in.src[1].reg], func(l int) int {
		return int((addr[l&63] + uint32(in.simm)) / 4)
	})
}

// takeFrom gives each active lane the data of another one: 0 if that one is
// inactive.
func (c *Core) takeFrom(in *Inst, data *Vector, from func(l int) int) {
	w, got := c.w, &c.out[0]
	for m := w.Exec; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		got[l] = 0
		if s := from(l) & (w.Size - 1) & 63; w.Exec>>s&1 != 0 {
			got[l] = data[s]
		}
	}
	merge(&c.r.V[in.dst.reg], got, w.Exec)
}

// runSwizzle executes ds_swizzle_b32 (Vega ISA, section "DS_SWIZZLE_B32").
func runSwizzle(c *Core, in *Inst) {
	v := int(in.simm)
	var from func(l int) int
	switch {
	case v >= swizzleFFT:
		keep := v & 0x1f
		by := bits.OnesCount8(uint8(keep))
		from = func(l int) int { return l&^31 | int(bits.Reverse8(uint8(l&31))>>3)>>by | l&keep }
	case v >= swizzleRotate:
		keep, by := v&0x1f, v>>5&0x1f
		if v>>10&1 != 0 {
			by = -by
		}
		from = func(l int) int { return l&^31 | l&keep | (l+by)&31&^keep }
	case v&0x8000 != 0:
		from = func(l int) int { return l&^3 | v>>(2*(l&3))&3 }
	default:
		and, or, xor := v&0x1f, v>>5&0x1f, v>>10&0x1f
		from = func(l int) int { return l&^31 | (l&and | or) ^ xor }
	}
	c.takeFrom(in, &c.r.V[in.src[0].reg], from)
}
