package gcn

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"simtgdb/simt"
)

// Call records keep the registers of every caller, thousands of them in a deep recursion. A record holds
// only what differs from the record of the call around it; every maxChain-th holds everything, so that
// finding a register takes few steps.
const maxChain = 32

// errNotAllocated says that the kernel does not have a register.
var errNotAllocated = errors.New("the kernel does not allocate the register")

// callRegs are the registers of a wave as a call instruction left them. They implement simt.Registers and
// simt.Returner.
type callRegs struct {
	around *callRegs // what is not here is there; nil in a whole record
	chain  int       // records from here to the whole one
	shape  *Regs     // has the shape of the files, not the values

	scalars []scalarValue // by index, ascending
	vectors []vectorValue // likewise

	// What a debugger wrote to the caller's frame: it becomes so when the call returns.
	writtenS map[uint8]uint32
	writtenV map[uint16]map[int]uint32
}

type scalarValue struct {
	index uint8
	value uint32
}

// A vectorValue is some lanes of a vector register in few words: what they have in common, or differ by
// from lane to
// lane, and the values of those for which that is not so.
type vectorValue struct {
	index      uint16
	lanes      uint64 // those that are here, a mask
	base, step uint32 // lane l has base+l*step
	odd        *oddLanes
}

// oddLanes are the lanes of a vectorValue that have nothing in common.
type oddLanes struct {
	mask   uint64
	values []uint32
}

func (v *vectorValue) lane(l int) uint32 {
	if o := v.odd; o != nil && o.mask>>l&1 != 0 {
		return o.values[bits.OnesCount64(o.mask&(1<<l-1))]
	}
	return v.base + uint32(l)*v.step
}

// pack makes a vectorValue of lanes of a register, at least one.
func pack(index int, v *Vector, lanes uint64) vectorValue {
	p := vectorValue{index: uint16(index), lanes: lanes}
	first := bits.TrailingZeros64(lanes)
	p.base = v[first]
	if rest := lanes & (lanes - 1); rest != 0 {
		if second := bits.TrailingZeros64(rest); second == first+1 {
			p.step = v[second] - v[first]
		}
	}
	p.base -= uint32(first) * p.step
	odd := uint64(0)
	simt.Lanes(lanes, func(l int) {
		if v[l] != p.base+uint32(l)*p.step {
			odd |= 1 << l
		}
	})
	if odd != 0 {
		p.odd = &oddLanes{odd, make([]uint32, 0, bits.OnesCount64(odd))}
		simt.Lanes(odd, func(l int) { p.odd.values = append(p.odd.values, v[l]) })
	}
	return p
}

// A shadow is the registers of a record in full, so that the next record can be compared with it.
type shadow struct {
	of *callRegs
	s  [256]uint32
	v  []Vector // the allocated ones, ordinary ones first
}

// allocated calls f for each vector register that the kernel allocates, with its place in a shadow and in V.
func (r *Regs) allocated(f func(place, index int, v *Vector)) {
	each := func(place, index int) {
		v := r.vector(index)
		if v == nil {
			v = &Vector{}
		}
		f(place, index, v)
	}
	for i := range r.vectors {
		each(i, i)
	}
	for i := range r.accs {
		each(r.vectors+i, accBase+i)
	}
}

// saveCall makes the record of a call by the active lanes.
func (r *Regs) saveCall(w *simt.Wave) *callRegs {
	c := &callRegs{shape: r}
	if call := w.Track.Innermost[bits.TrailingZeros64(w.Active())]; call != nil {
		if around := call.Regs.(*callRegs); around.chain+1 < maxChain {
			c.around, c.chain = around, around.chain+1
		}
	}
	if c.around == nil {
		c.saveAll(r)
	} else {
		c.saveChanges(r, r.shadowOf(c.around))
		c.scalars, c.vectors = slices.Clip(slices.Clone(c.scalars)), slices.Clip(slices.Clone(c.vectors))
	}
	s := r.spareShadow(c.around)
	s.of, s.s = c, r.S
	r.allocated(func(place, _ int, v *Vector) { s.v[place] = *v })
	return c
}

func (c *callRegs) saveAll(r *Regs) {
	c.scalars = make([]scalarValue, 0, len(r.S))
	for i, v := range r.S {
		if v != 0 {
			c.scalars = append(c.scalars, scalarValue{uint8(i), v})
		}
	}
	c.vectors = make([]vectorValue, 0, r.vectors+r.accs)
	r.allocated(func(_, i int, v *Vector) { c.vectors = append(c.vectors, pack(i, v, ^uint64(0))) })
}

func (c *callRegs) saveChanges(r *Regs, old *shadow) {
	for i, v := range r.S {
		if v != old.s[i] {
			c.scalars = append(c.scalars, scalarValue{uint8(i), v})
		}
	}
	r.allocated(func(place, i int, now *Vector) {
		before := &old.v[place]
		if *now == *before {
			return
		}
		changed := uint64(0)
		for l := range now {
			if now[l] != before[l] {
				changed |= 1 << l
			}
		}
		c.vectors = append(c.vectors, pack(i, now, changed))
	})
}

// shadowOf is the shadow of a record, which is made if it is not there.
func (r *Regs) shadowOf(c *callRegs) *shadow {
	for i := range r.shadows {
		if s := r.shadows[i]; s != nil && s.of == c {
			return s
		}
	}
	s := r.spareShadow(nil)
	s.of, s.s = c, [256]uint32{}
	var chain []*callRegs
	for ; c != nil; c = c.around {
		chain = append(chain, c)
	}
	for i := len(chain) - 1; i >= 0; i-- {
		for _, v := range chain[i].scalars {
			s.s[v.index] = v.value
		}
		for j := range chain[i].vectors {
			v := &chain[i].vectors[j]
			place := int(v.index)
			if place >= max(accBase, r.vectors) {
				place += r.vectors - accBase
			}
			simt.Lanes(v.lanes, func(l int) { s.v[place][l] = v.lane(l) })
		}
	}
	return s
}

// spareShadow is a shadow that may be overwritten: not that of a record.
func (r *Regs) spareShadow(keep *callRegs) *shadow {
	i := 0
	if s := r.shadows[0]; keep != nil && s != nil && s.of == keep {
		i = 1
	}
	if r.shadows[i] == nil {
		r.shadows[i] = &shadow{v: make([]Vector, r.vectors+r.accs)}
	}
	return r.shadows[i]
}

func (c *callRegs) scalar(index uint8) uint32 {
	if v, ok := c.writtenS[index]; ok {
		return v
	}
	for ; c != nil; c = c.around {
		for _, v := range c.scalars {
			if v.index == index {
				return v.value
			}
		}
	}
	return 0
}

func (c *callRegs) vector(index, lane int) uint32 {
	if v, ok := c.writtenV[uint16(index)][lane]; ok {
		return v
	}
	for ; c != nil; c = c.around {
		for i := range c.vectors {
			if v := &c.vectors[i]; int(v.index) == index && v.lanes>>lane&1 != 0 {
				return v.lane(lane)
			}
		}
	}
	return 0
}

// vectorIndex is where a register that the kernel allocates is in Regs.V.
func (c *callRegs) vectorIndex(reg simt.Reg) (int, error) {
	count := c.shape.vectors
	if reg.File == FileA {
		count = c.shape.accs
	}
	if int(reg.Index) >= count {
		return 0, fmt.Errorf("%s%d: %w", c.Files()[reg.File].Name, reg.Index, errNotAllocated)
	}
	return c.shape.vectorIndex(reg)
}

// Files implements simt.Registers.
func (c *callRegs) Files() []simt.RegFile { return c.shape.Files() }

// Read implements simt.Registers.
func (c *callRegs) Read(reg simt.Reg, lane int, p []byte) error {
	if reg.File <= FileA {
		i, err := c.vectorIndex(reg)
		if err == nil {
			binary.LittleEndian.PutUint32(p, c.vector(i, lane))
		}
		return err
	}
	i, n, err := c.shape.scalarIndex(reg)
	if err != nil {
		return err
	}
	if i == regNull {
		clear(p)
		return nil
	}
	for d := range min(n, len(p)/4) {
		binary.LittleEndian.PutUint32(p[4*d:], c.scalar(i+uint8(d)))
	}
	return nil
}

// Write implements simt.Registers.
func (c *callRegs) Write(reg simt.Reg, lane int, p []byte) error {
	if reg.File <= FileA {
		i, err := c.vectorIndex(reg)
		if err != nil {
			return err
		}
		if c.writtenV == nil {
			c.writtenV = map[uint16]map[int]uint32{}
		}
		if c.writtenV[uint16(i)] == nil {
			c.writtenV[uint16(i)] = map[int]uint32{}
		}
		c.writtenV[uint16(i)][lane] = binary.LittleEndian.Uint32(p)
		return nil
	}
	i, n, err := c.shape.scalarIndex(reg)
	if err != nil {
		return err
	}
	if i == regNull {
		return nil
	}
	if c.writtenS == nil {
		c.writtenS = map[uint8]uint32{}
	}
	for d := range n {
		c.writtenS[i+uint8(d)] = binary.LittleEndian.Uint32(p[4*d:])
	}
	return nil
}

// Return implements simt.Returner.
func (c *callRegs) Return(w *simt.Wave, lane int) {
	r := regsOf(w)
	for i, v := range c.writtenS {
		r.S[i] = v
	}
	for i, lanes := range c.writtenV {
		if v, ok := lanes[lane]; ok {
			r.hold(int(i) + 1)
			r.V[i][lane] = v
		}
	}
}
