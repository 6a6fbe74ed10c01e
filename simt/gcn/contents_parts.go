package gcn

import (
	"cmp"
	"math/bits"

	"simtgdb/simt"
	"simtgdb/simt/contents"
)

// Registers of which a part has no contents: something without contents has been put into what a constant
// mask has cut out of a number, or only some bytes of what was loaded have been written. A part of the latter
// kind is mere: it may be padding of a structure, and counts only where something depends on it. A part goes
// with what is moved, and spilled into private memory and loaded from there; which bits of what is computed
// from a number come from it is found by trial (contents_tried.go).

// partState are the vector registers with such a part.
type partState struct {
	lanes [registersFollowed]uint64
	of    [registersFollowed]*piece // of each that has or had some lanes; nil for others
	any   bool                      // there has been one
}

// A piece is a dword of a register, an access or a result of which a part has no contents: in which lanes, in
// which of these it is mere, in which of those it is a half, or bytes, that an instruction has left as they
// were, and which bits of each lane.
type piece struct {
	lanes, mere, half uint64
	bits              [simt.MaxLanes]uint32
}

// dwordBytes are all bytes of a dword.
const dwordBytes = 1<<4 - 1

// bitsOfBytes are the bits of some bytes of a dword.
func bitsOfBytes(of uint8) (b uint32) {
	for i := range 4 {
		b |= uint32(of>>i&1) * 0xff << (8 * i)
	}
	return b
}

// bytesOfBits are the bytes of a dword of which some bits are.
func bytesOfBits(b uint32) (of uint8) {
	for i := range 4 {
		if b>>(8*i)&0xff != 0 {
			of |= 1 << i
		}
	}
	return of
}

// wholeBytes are the bytes of a dword of which all bits are.
func wholeBytes(b uint32) (of uint8) { return dwordBytes &^ bytesOfBits(^b) }

// setPart says of a vector register, of which it has just been said where it has no contents, in which of the
// other lanes a part has none.
func (s *valueState) setPart(at int, p *piece, from uint64) {
	lanes := p.lanes &^ s.lanes[at]
	if lanes == 0 {
		return
	}
	of := s.parts.of[at]
	if of == nil {
		of = &piece{}
		s.parts.of[at] = of
	}
	s.parts.any = true
	s.parts.lanes[at] |= lanes
	of.lanes |= lanes
	of.mere = of.mere&^lanes | p.mere&lanes
	of.half = of.half&^lanes | p.half&lanes
	for m := lanes; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		of.bits[l] = p.bits[l]
	}
	s.from[at], s.marked = from, true
	s.some.add(at)
}

// partOf is the part that a dword of a vector operand lacks, in which lanes and in which of them it is mere.
func (s *valueState) partOf(o *operand, i int) (p *piece, lanes, mere uint64) {
	at := int(o.reg) + i
	if o.kind != vectorReg || at >= registersFollowed || s.parts.lanes[at] == 0 {
		return nil, 0, 0
	}
	p, lanes = s.parts.of[at], s.parts.lanes[at]
	return p, lanes, p.mere & lanes
}

// clone copies what is changed in place.
func (s *partState) clone() {
	for i, p := range s.of {
		if p != nil {
			copied := *p
			s.of[i] = &copied
		}
	}
}

// A cutting is a source of an instruction that a constant mask has made, in the same block.
type cutting struct {
	mask   uint32
	source int
	is     bool
}

// cutBefore finds it.
func cutBefore(insts []Inst, in *Inst) (cut cutting) {
	if in.Op.value != valueInserted {
		return cut
	}
	for i := range in.src {
		o := &in.src[i]
		if o.kind != vectorReg {
			continue
		}
		if mask, ok := cutOf(insts, o); ok {
			return cutting{mask, i, true}
		}
	}
	return cut
}

// cutOf is the mask that the last instruction of some which has written a register has cut it with.
func cutOf(insts []Inst, o *operand) (mask uint32, ok bool) {
	for i := len(insts) - 1; i >= 0; i-- {
		for _, part := range insts[i].parts() {
			writes := false
			part.eachResult(func(to *operand, n int) {
				writes = writes || to.kind == vectorReg && to.reg <= o.reg && int(o.reg) < int(to.reg)+n
			})
			if !writes {
				continue
			}
			for k := range 2 {
				if by := &part.src[k]; part.Op.Name == "v_and_b32" && by.kind == constant {
					return uint32(by.imm), contents.Cuts(by.imm, 32)
				}
			}
			return 0, false
		}
	}
	return 0, false
}

// inserting are the names of inserts.
var inserting = []string{"v_or_b32", "v_lshl_or_b32", "v_and_or_b32", "v_bfi_b32", "v_perm_b32"}

// inserts are the instructions that put bits of one number into another: what of the result lacks, if the
// source without contents is one of them.
var inserts = map[string]func(c *Core, s *valueState, in *Inst, cut cutting) piece{
	"v_or_b32": func(c *Core, s *valueState, in *Inst, cut cutting) piece {
		return c.insertedBeside(s, in, cut, 1-cut.source)
	},
	"v_lshl_or_b32": func(c *Core, s *valueState, in *Inst, cut cutting) piece {
		if cut.source != 2 {
			return piece{}
		}
		return c.insertedBeside(s, in, cut, 0)
	},
	"v_and_or_b32": func(c *Core, s *valueState, in *Inst, cut cutting) piece {
		for i := range 2 {
			if by := &in.src[1-i]; by.kind != vectorReg && contents.Cuts(uint64(c.s32(by)), 32) {
				return c.insertedBeside(s, in, cutting{c.s32(by), i, true}, 2)
			}
		}
		return piece{}
	},
	"v_bfi_b32": func(c *Core, s *valueState, in *Inst, cut cutting) piece {
		if in.src[0].kind == vectorReg {
			return piece{}
		}
		mask := c.s32(&in.src[0])
		if contents.Cuts(uint64(mask), 32) {
			return c.insertedBeside(s, in, cutting{mask, 1, true}, 2)
		}
		return c.insertedBeside(s, in, cutting{^mask, 2, contents.Cuts(uint64(^mask), 32)}, 1)
	},
	"v_perm_b32": func(c *Core, s *valueState, in *Inst, cut cutting) piece {
		if in.src[2].kind == vectorReg {
			return piece{}
		}
		for keeps := range 2 {
			if mask := placedBytes(c.s32(&in.src[2]), 4*(1-keeps)); contents.Cuts(uint64(mask), 32) {
				return c.insertedBeside(s, in, cutting{mask, keeps, true}, 1-keeps)
			}
		}
		return piece{}
	},
}

// placedBytes is the mask of the bytes that a selector of v_perm leaves where they are in a source, whose
// bytes it counts from a number on.
func placedBytes(selector uint32, from int) (mask uint32) {
	for i := range 4 {
		if int(selector>>(8*i)&0xff) == from+i {
			mask |= 0xff << (8 * i)
		}
	}
	return mask
}

// insertedBeside is what lacks where a source without contents is put into what has been cut out of another,
// which has them.
func (c *Core) insertedBeside(s *valueState, in *Inst, cut cutting, put int) piece {
	var p piece
	if !cut.is || in.src[put].kind != vectorReg {
		return p
	}
	blank, _ := s.vectorLanes(&in.src[put], true)
	_, _, mere := s.partOf(&in.src[put], 0)
	blank |= mere
	other, _ := s.vectorLanes(&in.src[cut.source], true)
	lacks := bitsOfBytes(bytesOfBits(^cut.mask))
	p.lanes = blank &^ other & c.w.Exec
	for m := p.lanes; m != 0; m &= m - 1 {
		p.bits[bits.TrailingZeros64(m)&63] = lacks
	}
	return p
}

// storedPart tells of a store where others see it of a number of which a part has no contents. It reports
// whether the wave is to stop.
func (c *Core) storedPart(s *valueState, in *Inst, exec uint64) (stop bool) {
	data := &in.src[1]
	for i := range max(typDwords[data.typ], 1) {
		p, lanes, mere := s.partOf(data, i)
		if lanes &= exec; lanes == 0 {
			continue
		}
		stored, size := ^uint32(0), in.Op.mem.size-4*i
		if size > 0 && size < 4 {
			stored = 1<<(8*size) - 1
		}
		if n := in.Op.mem.narrow; n != nil && n.part == highPart {
			stored <<= 16
		}
		begins := p.within(lanes&mere, 0xff) // which padding does not: it is a number by itself
		if size < 4 {
			begins = p.within(lanes&p.half, stored)
		}
		if lanes = p.within(lanes&^mere, stored) | begins; lanes != 0 {
			stop = contents.PartStored(c.m, c.w, in.PC, lanes, s.from[int(data.reg)+i],
				registerName(data, i)) || stop
		}
	}
	return stop
}

// within are those of some lanes of which some of the bits of a mask have no contents.
func (p *piece) within(lanes uint64, mask uint32) (lack uint64) {
	for m := lanes; m != 0; m &= m - 1 {
		if l := bits.TrailingZeros64(m) & 63; p.bits[l]&mask != 0 {
			lack |= 1 << l
		}
	}
	return lack
}

// addressPart tells of lanes in which an address has contents only in part. It reports whether the wave is to
// stop.
func (c *Core) addressPart(s *valueState, in *Inst, o *operand) (stop bool) {
	for i := range max(typDwords[o.typ], 1) {
		if _, lanes, _ := s.partOf(o, i); lanes&c.w.Exec != 0 {
			stop = contents.PartAsAddress(c.m, c.w, in.PC, lanes&c.w.Exec, s.from[int(o.reg)+i],
				registerName(o, i)) || stop
		}
	}
	return stop
}

// tellParts adds to an access to private memory or LDS which bytes of what is stored have no contents, if
// they are a part of a number, and asks for those of what is loaded from any.
func (c *Core) tellParts(in *Inst, a *access, told *simt.Access) {
	if c.r.follow == nil || in.Op.mem != a || a.atomic || a.places != 0 ||
		a.narrow == nil && (a.size%4 != 0 || !a.dwords || a.size > 4*maxItem) {
		return
	}
	switch {
	case !a.write && in.dst.kind == vectorReg:
		clear(c.lack.bytes[:])
		told.Bytes = &c.lack.bytes
		return
	case !a.write, told.Space == simt.Global:
		return
	}
	s, some, shift := &c.r.follow.values, uint64(0), 0
	if a.narrow != nil && a.narrow.part == highPart {
		shift = 16
	}
	dwords := max(a.size/4, 1)
	for i := range dwords {
		_, lanes, mere := s.partOf(&in.src[1], i)
		some |= lanes
		told.Spoilt |= lanes &^ mere & told.Lanes
	}
	if some&told.Lanes == 0 {
		return
	}
	clear(c.lack.bytes[:])
	for i := range dwords {
		p, lanes, _ := s.partOf(&in.src[1], i)
		for m := lanes & told.Lanes; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m)
			c.lack.bytes[l] |= uint64(wholeBytes(p.bits[l]>>shift)) << (4 * i)
		}
		one := operand{kind: vectorReg, typ: b32, reg: in.src[1].reg + uint16(i)}
		blank, _ := s.vectorLanes(&one, true)
		for m := blank & told.Lanes; m != 0; m &= m - 1 {
			c.lack.bytes[bits.TrailingZeros64(m)] |= dwordBytes << (4 * i)
		}
	}
	for l := range c.lack.bytes {
		c.lack.bytes[l] &= 1<<a.size - 1
	}
	told.Bytes = &c.lack.bytes
}

// loadedParts notes which bytes of what has been loaded have no contents. What a number begins with that is
// aligned is no padding. Whole dwords that lack beside others are nobody's, but where they are stored back.
func (c *Core) loadedParts(in *Inst, told *simt.Access) {
	n, back := max(told.Size/4, 1), in.back && told.Space == simt.LDS
	c.lack.of(n)
	all, above, shift := uint8(dwordBytes), uint32(0), 0
	if told.Size < 4 {
		if all = 1<<told.Size - 1; in.Op.mem.narrow.signed {
			above = ^uint32(0) << (8 * told.Size)
		}
		switch in.Op.mem.narrow.part {
		case lowPart:
			above &= 0xffff
		case highPart:
			shift = 16
		}
	}
	for i := range n {
		p := &c.lack.pieces[i]
		p.lanes, p.mere, p.half = 0, 0, 0
		for m := told.Lanes; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m)
			lacks, amid := uint8(told.Bytes[l]>>(4*i))&all, told.Amid>>l&1 != 0
			switch {
			case lacks == 0, lacks == all && !amid && !told.Deferred:
				continue
			case lacks == all && !amid && !back && in.keepsBits() == 0:
				c.lack.blank[i] |= 1 << l
				continue
			}
			p.lanes |= 1 << l
			if p.bits[l] = bitsOfBytes(lacks); lacks > all/2 {
				p.bits[l] |= above
			}
			p.bits[l] <<= shift
			if amid || told.Spoilt>>l&1 == 0 &&
				(back || lacks != all && (lacks&1 == 0 || told.Addr[l]%4 != 0)) {
				p.mere |= 1 << l
			}
		}
	}
	c.lack.loaded = n
}

// afterVector notes what an instruction has given to a dword of a vector destination.
func (c *Core) afterVector(s *valueState, in *Inst, now *valuesNow, exec uint64, at, i int) {
	switch {
	case now.kind == valueLow && i > 0:
		now.lanes = 0
	case now.kind == valueProduct && i > 0:
		now.lanes = now.high
	case i < len(c.lack.parts.Blank) && in.form >= DS:
		now.lanes = c.lack.blank[i] & exec
	}
	s.setLanes(at, exec, now.lanes, cmp.Or(now.from, in.PC))
	switch {
	case i < c.lack.loaded && in.form >= DS:
		s.setPart(at, &c.lack.pieces[i], in.PC)
	case i < now.tried:
		s.setTried(at, &c.lack.pieces[i], cmp.Or(now.triedFrom, in.PC))
	}
	if i == 0 && now.parted {
		s.setPart(at, &c.lack.part, in.PC)
	}
}

// partGiven is the part that what is moved, or put together, lacks.
func (c *Core) partGiven(s *valueState, in *Inst, now *valuesNow) {
	switch now.kind {
	case valueCopy:
		if p, lanes, _ := s.partOf(&in.src[0], 0); lanes&c.w.Exec != 0 {
			c.lack.part = *p
			c.lack.part.lanes, now.parted = lanes&c.w.Exec, true
		}
	case valueInserted:
		inserted := inserts[in.Op.Name](c, s, in, now.cut)
		if now.parted = inserted.lanes != 0; now.parted {
			c.lack.part = inserted
		}
	}
}

// someBits is an and by which a scalar takes some bits of a number.
func (c *Core) someBits(s *valueState, in *Inst, now *valuesNow) {
	for i := range 2 {
		o, by := &in.src[i], &in.src[1-i]
		if by.kind != vectorReg && c.s32(by) != 0 {
			now.lanes, now.from = s.vectorLanes(o, true)
			now.lanes &= c.w.Exec
		}
	}
}
