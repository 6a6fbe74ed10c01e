package gcn

import (
	"cmp"
	"math/bits"

	"simtgdb/simt"
	"simtgdb/simt/contents"
)

// Registers of which a part has no contents, that is no padding of a structure: something without contents
// has been put into what a constant mask has cut out of a number. Such a part goes with what is moved, and
// spilled into private memory and loaded from there; what is computed from the number counts as written.

// partState are the vector registers with such a part.
type partState struct {
	lanes   [registersFollowed]uint64
	bytes   [registersFollowed]uint8 // which bytes, a bit for each
	spilled bool                     // one has been stored in private memory, or a byte without contents
}

// A piece is a dword of an access or a result of which a part has no contents: in which lanes, and which
// bytes.
type piece struct {
	lanes uint64
	bytes uint8
}

// dwordBytes are all bytes of a dword.
const dwordBytes = 1<<4 - 1

// setPart says of a vector register, of which it has just been said where it has no contents, in which of the
// other lanes a part has none.
func (s *valueState) setPart(at int, p piece, from uint64) {
	if p.lanes &^= s.lanes[at]; p.lanes != 0 && p.bytes != 0 {
		s.parts.lanes[at] |= p.lanes
		s.parts.bytes[at] = p.bytes
		s.from[at] = from
		s.some.add(at)
	}
}

// partOf is the part that a dword of a vector operand lacks.
func (s *valueState) partOf(o *operand, i int) piece {
	at := int(o.reg) + i
	if o.kind != vectorReg || at >= registersFollowed {
		return piece{}
	}
	return piece{s.parts.lanes[at], s.parts.bytes[at]}
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
func (c *Core) insertedBeside(s *valueState, in *Inst, cut cutting, put int) (p piece) {
	if !cut.is || in.src[put].kind != vectorReg {
		return p
	}
	blank, _ := s.vectorLanes(&in.src[put], true)
	other, _ := s.vectorLanes(&in.src[cut.source], true)
	for i := range 4 {
		if ^cut.mask>>(8*i)&0xff != 0 {
			p.bytes |= 1 << i
		}
	}
	p.lanes = blank &^ other & c.w.Exec
	return p
}

// storedPart tells of a store where others see it of a number of which a part has no contents. It reports
// whether the wave is to stop.
func (c *Core) storedPart(s *valueState, in *Inst, now *valuesNow) (stop bool) {
	data := &in.src[1]
	for i := range max(typDwords[data.typ], 1) {
		p := s.partOf(data, i)
		if size := in.Op.mem.size - 4*i; size > 0 && size < 4 {
			p.bytes &= 1<<size - 1
		}
		if p.lanes &= c.w.Exec &^ now.data; p.lanes != 0 && p.bytes != 0 {
			stop = contents.PartStored(c.m, c.w, in.PC, p.lanes, s.from[int(data.reg)+i],
				registerName(data, i)) || stop
		}
	}
	return stop
}

// tellParts adds to an access to private memory which bytes of what is stored have no contents, if they are a
// part of a number, or asks for those of what is loaded, if such have been stored.
func (c *Core) tellParts(in *Inst, a *access, told *simt.Access) {
	if c.r.follow == nil {
		return
	}
	s := &c.r.follow.values
	if a.narrow != nil && a.write && c.nothing != 0 {
		s.parts.spilled = true
	}
	if a.size%4 != 0 || !a.dwords || a.size > 4*maxItem {
		return
	}
	if !a.write {
		if s.parts.spilled {
			clear(c.lack.bytes[:])
			told.Bytes = &c.lack.bytes
		}
		return
	}
	var some uint64
	for i := range a.size / 4 {
		some |= s.partOf(&in.src[1], i).lanes
	}
	if told.Spoilt = some & told.Lanes; told.Spoilt == 0 {
		return
	}
	s.parts.spilled = true
	clear(c.lack.bytes[:])
	for i := range a.size / 4 {
		p := s.partOf(&in.src[1], i)
		for m := p.lanes & told.Lanes; m != 0; m &= m - 1 {
			c.lack.bytes[bits.TrailingZeros64(m)] |= uint64(p.bytes) << (4 * i)
		}
		one := operand{kind: vectorReg, typ: b32, reg: in.src[1].reg + uint16(i)}
		blank, _ := s.vectorLanes(&one, true)
		for m := blank & told.Lanes; m != 0; m &= m - 1 {
			c.lack.bytes[bits.TrailingZeros64(m)] |= dwordBytes << (4 * i)
		}
	}
	told.Bytes = &c.lack.bytes
}

// loadedParts notes which bytes of what has been loaded have no contents. What a number begins with is no
// padding.
func (c *Core) loadedParts(told *simt.Access) {
	n := told.Size / 4
	c.lack.of(n)
	for i := range n {
		p := &c.lack.pieces[i]
		*p = piece{}
		for m := told.Lanes; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m)
			switch lacks := uint8(told.Bytes[l] >> (4 * i) & dwordBytes); {
			case lacks == dwordBytes:
				c.lack.blank[i] |= 1 << l
			case lacks&1 != 0, lacks != 0 && told.Spoilt>>l&1 != 0:
				p.lanes, p.bytes = p.lanes|1<<l, p.bytes|lacks
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
		s.setPart(at, c.lack.pieces[i], in.PC)
	case i == 0:
		s.setPart(at, now.part, in.PC)
	}
}

// partGiven is the part that what is moved, or put together, lacks.
func (c *Core) partGiven(s *valueState, in *Inst, now *valuesNow) (p piece) {
	switch now.kind {
	case valueCopy:
		p = s.partOf(&in.src[0], 0)
		p.lanes &= c.w.Exec
	case valueInserted:
		p = inserts[in.Op.Name](c, s, in, now.cut)
	}
	return p
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
