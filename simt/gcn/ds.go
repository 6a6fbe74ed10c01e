package gcn

import (
	"encoding/binary"
	"math/bits"

	"simtgdb/simt"
)

// runDS executes a data-share instruction. M0, which older hardware took a
// limit from, is not consulted.
func runDS(c *Core, in *Inst) {
	w, a := c.w, in.Op.mem
	if w.Exec == 0 {
		return
	}
	var f memoryFault
	if a.places == 0 {
		s := c.dsAddresses(in, uint64(in.simm))
		c.checkLDS(a, w.Exec, s, &f)
		if c.raise(in, a, &f) {
			return
		}
		p := c.dataPass(in)
		p.data2 = c.registers(&in.src[2])
		c.moveLDS(a, p, w.Exec)
		return
	}
	unit := uint64(a.places * a.size)
	offsets := [2]uint64{uint64(in.simm) * unit, uint64(in.mem.offset1) * unit}
	for _, o := range offsets {
		c.checkLDS(a, w.Exec, c.dsAddresses(in, o), &f)
	}
	if c.raise(in, a, &f) {
		return
	}
	base, n := w.V[in.src[0].reg], a.size/4
	dst := c.registers(&in.dst)
	data := [2][]simt.Vector{c.registers(&in.src[1]), c.registers(&in.src[2])}
	for i, o := range offsets {
		for l := range c.addr {
			c.addr[l] = uint64(base[l]) + o
		}
		p := pass{data: data[i], step: 4}
		if dst != nil {
			p.dst = dst[i*n:][:n]
		}
		c.moveLDS(a, p, w.Exec)
	}
}

// dsAddresses puts the lanes' addresses in LDS into c.addr.
func (c *Core) dsAddresses(in *Inst, offset uint64) span {
	lo := &c.w.V[in.src[0].reg]
	for l := range c.addr {
		c.addr[l] = uint64(lo[l]) + offset
	}
	return c.spanOf(c.w.Exec)
}

// runAddTID executes the rows whose address is M0[15:0], the offset, and a
// dword for each lane.
func runAddTID(a *access) func(*Core, *Inst) {
	return func(c *Core, in *Inst) {
		w := c.w
		if w.Exec == 0 {
			return
		}
		base := uint64(w.S[regM0]&0xffff) + uint64(in.simm)
		for l := range c.addr {
			c.addr[l] = base + 4*uint64(l)
		}
		var f memoryFault
		c.checkLDS(a, w.Exec, c.spanOf(w.Exec), &f)
		if c.raise(in, a, &f) {
			return
		}
		c.moveLDS(a, c.dataPass(in), w.Exec)
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
		at := uint64(w.S[regM0]&0xffff) + uint64(in.simm)
		for l := range c.addr {
			c.addr[l] = at
		}
		var f memoryFault
		c.checkLDS(counter, w.Exec, c.spanOf(w.Exec), &f)
		if c.raise(in, counter, &f) {
			return
		}
		p := c.dataPass(in)
		c.moveLDS(counter, p, w.Exec)
		old := p.dst[0][bits.TrailingZeros64(w.Exec)&63]
		binary.LittleEndian.PutUint32(w.Group.LDS[at:], old+sign*uint32(bits.OnesCount64(w.Exec)))
	}
}

// runPermute executes ds_permute_b32: each active lane sends its data to the
// lane that its address names; of several, the highest is heard.
func runPermute(c *Core, in *Inst) {
	w, got := c.w, &c.out[0]
	*got = simt.Vector{}
	addr, data, dst := &w.V[in.src[0].reg], &w.V[in.src[1].reg], &w.V[in.dst.reg]
	for m := w.Exec; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		got[(addr[l]+uint32(in.simm))/4&63] = data[l]
	}
	merge(dst, got, w.Exec)
}

// runBackPermute executes ds_bpermute_b32: each lane takes the data of the
// lane that its address names.
func runBackPermute(c *Core, in *Inst) {
	w, addr := c.w, &c.w.V[in.src[0].reg]
	c.takeFrom(in, &w.V[in.src[1].reg], func(l int) int {
		return int((addr[l&63] + uint32(in.simm)) / 4 & 63)
	})
}

// takeFrom gives each active lane the data of another one: 0 if that one is
// inactive.
func (c *Core) takeFrom(in *Inst, data *simt.Vector, from func(l int) int) {
	w, got := c.w, &c.out[0]
	for m := w.Exec; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		got[l] = 0
		if s := from(l) & 63; w.Exec>>s&1 != 0 {
			got[l] = data[s]
		}
	}
	merge(&w.V[in.dst.reg], got, w.Exec)
}

// runSwizzle executes ds_swizzle_b32 (Vega ISA, section "DS_SWIZZLE_B32"),
// but for the FFT mode.
func runSwizzle(c *Core, in *Inst) {
	v := int(in.simm)
	var from func(l int) int
	switch {
	case v >= swizzleFFT:
		unknown(c, in)
		return
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
	c.takeFrom(in, &c.w.V[in.src[0].reg], from)
}
