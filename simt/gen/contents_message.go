package gen

import (
	"math/bits"

	"simtgdb/simt"
	"simtgdb/simt/contents"
)

// What messages do with values, for contents.go. One whose channels have elements of their own says where
// these are; a block is bytes of registers that go to memory, or come from there, whichever channels they are
// of.

// messageContents is contents of a message.
func (in *Inst) messageContents(out *contents.Inst) {
	if in.descInA0 || in.exec == nil {
		return
	}
	if in.exDescInA0 {
		in.pieces = in.layOutScratch()
	} else {
		if _, size := in.blockAddress(); size > 0 {
			out.Address = []contents.Operand{operandBlock}
			return
		}
		if in.pieces = in.layOutSend(); in.pieces == nil {
			in.pieces = in.layOutAtomic()
		}
	}
	if in.pieces == nil {
		return
	}
	out.Address = []contents.Operand{operandAddress}
	var data []contents.Operand
	for i := range in.pieces.count {
		data = append(data, operandData+contents.Operand(i))
	}
	out.Part, out.Any = in.pieces.size, in.pieces.atomic
	if in.pieces.write {
		out.Data = data
	} else {
		out.Loads = data
	}
}

// layOutScratch finds the addresses and operands of a message to a thread's scratch whose surface is in an
// address register, as Xe has them; nil for others.
func (in *Inst) layOutScratch() *sendPlan {
	if !in.isLSC() {
		return nil
	}
	p := &sendPlan{}
	if f, ok := p.elements(in); !ok || f.memory != simt.Scratch || !p.place(in) {
		return nil
	}
	return p
}

// layOutAtomic finds the addresses and operands of an atomic message; nil for others.
func (in *Inst) layOutAtomic() *sendPlan {
	p := &sendPlan{write: true, atomic: true}
	if in.isLSC() {
		f, ok := in.lscForm()
		if !ok || f.kind != lscAtomic || f.memory == simt.Scratch || f.based || f.table || f.high() {
			return nil
		}
		p.slots, p.size, p.slot, p.wide = f.slots, f.typ.mem, f.typ.reg, f.wide
		p.count = lscAtomics[in.desc&63].data
	} else {
		form := atomicFormOf(uint8(in.desc>>14&31), in.desc>>8&63)
		if in.exDesc&15 != sfidDC1 || form == nil {
			return nil
		}
		p.slots, p.size, p.slot, p.wide, p.count = form.slots, form.size, form.size, form.wide, form.op.data
	}
	if !p.place(in) {
		return nil
	}
	return p
}

// blockAddress is where in the header of a block message the address is, and how many bytes it has; 0 of
// other messages. That of a scratch block is in its descriptor.
func (in *Inst) blockAddress() (at, size int) {
	header := in.gen.grf(int(in.src[0].reg))
	switch key := (messageKey{uint8(in.exDesc & 15), uint8(in.desc >> 14 & 31)}); key {
	case messageKey{sfidDC0, 0x00}, messageKey{sfidDC0, 0x01}, messageKey{sfidDC0, 0x08}:
		return header + 8, 4
	case messageKey{sfidDC1, 0x14}, messageKey{sfidDC1, 0x15}:
		return header, 8
	}
	return 0, 0
}

// A lacking is what is told of the bytes of a block.
type lacking struct {
	parts          simt.Parts
	blank, nothing [4 * maxRegBytes]uint64
	bytes          [simt.MaxLanes]uint64
}

// maxTold is how many bytes of a lane can be told of as simt.Access.Bytes.
const maxTold = 64

// tellBlock tells of a part of a block, whose bytes begin at a place of the file, and notes which of them
// have contents then; own says that it is to memory that lanes have for themselves.
func (c *Core) tellBlock(in *Inst, a *simt.Access, at int, own bool) {
	if !c.follower.On() {
		c.tell(a)
		return
	}
	if a.Write && !own && a.Space == simt.Global {
		c.storesNothing(in, at, a.Size)
	}
	a.Blank, a.Nothing, a.Spoilt, a.Amid = 0, 0, 0, 0
	a.Deferred = own && !a.Write
	if a.Size <= maxTold {
		c.tellBytes(in, a, at, own)
		return
	}
	k, n, l := c.r.known, a.Size, &c.lacking
	clear(l.blank[:n])
	for i := range n {
		if l.nothing[i] = 0; a.Write && k.lacks(at+i, 1) {
			l.nothing[i] = a.Lanes
		}
	}
	l.parts = simt.Parts{Size: 1, Blank: l.blank[:n], Nothing: l.nothing[:n]}
	a.Parts = &l.parts
	if c.tell(a); a.Write {
		return
	}
	for i := range n {
		k.set(at+i, 1, own && l.blank[i] != 0, in.PC)
	}
}

// tellBytes is tellBlock for so few bytes that it is known of each what it is.
func (c *Core) tellBytes(in *Inst, a *simt.Access, at int, own bool) {
	k, lane := c.r.known, bits.TrailingZeros64(a.Lanes)
	clear(c.lacking.bytes[:])
	if a.Bytes = &c.lacking.bytes; a.Write {
		for i := range a.Size {
			if k.lacks(at+i, 1) {
				a.Bytes[lane] |= 1 << i
			}
		}
		if k.spoils(at, a.Size) {
			a.Spoilt = a.Lanes
		}
	}
	if c.tell(a); a.Write {
		return
	}
	k.set(at, a.Size, false, 0)
	lacks := a.Bytes[lane]
	if !own && a.Blank&a.Lanes == 0 &&
		lacks == ^uint64(0)>>(64-a.Size) { // it has been reported
		return
	}
	for i := range a.Size {
		if lacks>>i&1 != 0 {
			k.set(at+i, 1, true, in.PC)
		}
	}
	if a.Spoilt != 0 {
		k.spoil(at, a.Size)
	}
}

// storesNothing tells of the lanes of a block without contents that is stored where others see it: a dword
// each.
func (c *Core) storesNothing(in *Inst, at, n int) {
	var lanes, from, part, made uint64
	for i := 0; i+4 <= n; i += 4 {
		k, lane := c.r.known, uint64(1)<<(in.first+i/4%c.w.Size)
		switch {
		case k.lacks(at+i, 4):
			lanes, from = lanes|lane, k.fromOf((at+i-offA0)/4)
		case k.spoils(at+i, 4):
			part, made = part|lane, k.fromOf((at+i-offA0)/4)
		}
	}
	if lanes|part != 0 {
		name := in.gen.knownName(at)
		c.follower.Stores(lanes, from, name)
		c.follower.StoresPart(part, made, name)
	}
}
