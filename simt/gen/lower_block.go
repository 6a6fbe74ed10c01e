package gen

import (
	"simtgdb/simt"
	"simtgdb/simt/rows/regions"
)

// Messages that move a block: bytes that lie side by side, from one address on. runBlockAt, runA64Block and
// runLSC execute them in the core.

// A blockPlan is what such a message moves.
type blockPlan struct {
	regions.Block
	write, local bool
	data         int // where in the file
}

// lowerBlock lowers a message that moves a block of global or local memory, for a thread whose general state
// begins at an address; nil if it is none.
func (in *Inst) lowerBlock(general uint64) *regions.Op {
	p := &blockPlan{}
	if known := in.isLSC() && p.lsc(in, general) || !in.isLSC() && p.dataPort(in, general); !known ||
		in.eot || !p.place(in) {
		return nil
	}
	o := in.accessOp(p.write)
	o.Access = regions.Access{Data: int32(p.data), Block: &p.Block}
	if p.local {
		o.Access.Space = regions.Shared
	}
	return o
}

// term is a number in the first payload.
func (in *Inst) term(at int, size uint8, keep uint64) regions.Term {
	return regions.Term{At: int32(in.gen.grf(int(in.src[0].reg)) + at), Size: size, Keep: keep}
}

// lsc makes the plan of a message to the load-store cache.
func (p *blockPlan) lsc(in *Inst, general uint64) bool {
	f, ok := in.lscForm()
	if !ok || !f.block || f.kind != lscLoad && f.kind != lscStore || f.memory == simt.Scratch || f.table {
		return false
	}
	p.Bytes, p.write, p.local = int32(f.typ.mem*f.count), f.kind == lscStore, f.memory == simt.LDS
	term := in.term(0, 4, ones)
	switch {
	case f.wide:
		term.Size = 8
	case p.local:
		term.Keep = SLMMask
	default:
		p.Base = general
	}
	p.Terms = []regions.Term{term}
	return f.based || f.wide || p.local
}

// What lies in the header of messages to the data ports.
const (
	headerOffset = 8
	headerBase   = 20 // of which the lowest ten bits are something else
)

// dataPort makes the plan of a message to the data ports.
func (p *blockPlan) dataPort(in *Inst, general uint64) bool {
	if in.desc>>19&1 == 0 {
		return false
	}
	ctl, typ := in.desc>>8&63, uint8(in.desc>>14&31)
	size, high := blockBytes(ctl)
	switch key := (messageKey{uint8(in.exDesc & 15), typ}); key {
	case messageKey{sfidDC0, 0x00}, messageKey{sfidDC0, 0x01}, messageKey{sfidDC0, 0x08}:
		offset := in.term(headerOffset, 4, ones)
		if p.write = typ == 0x08; typ == 0x01 {
			offset.Keep &^= 3
		} else {
			offset.Shift = 4
		}
		p.Terms = []regions.Term{offset}
		switch surface := in.desc & 255; {
		case surface == surfaceSLM:
			p.local = true
		case surface == surfaceIncoherent && in.gen.xehp:
			p.Base, p.Terms = general, append(p.Terms, in.term(headerBase, 4, ones&^0x3ff))
		default:
			return false
		}
	case messageKey{sfidDC1, 0x14}, messageKey{sfidDC1, 0x15}:
		p.write = typ == 0x15
		address := in.term(0, 8, ones)
		switch ctl >> 3 & 3 {
		case 1:
			address.Keep &^= 3
		case 2:
			return false
		case 3:
			size, high = hword<<(ctl&7), false
		}
		p.Terms = []regions.Term{address}
	default:
		return false
	}
	if p.Bytes = int32(size); high {
		p.data = 16
	}
	return true
}

// place finds where in the file the block is. It reports whether the registers of the message are enough for
// it.
func (p *blockPlan) place(in *Inst) bool {
	one, two, response := in.messageLengths()
	g := in.gen
	one, two, response = one*g.regBytes, two*g.regBytes, response*g.regBytes
	size := int(p.Bytes)
	room := size
	if size == 16 {
		room = g.regBytes
	}
	switch {
	case size == 0 || size%4 != 0 || in.isLSC() && one != g.regBytes:
		return false
	case !p.write:
		p.data += g.grf(int(in.dst.reg))
		return in.dst.place == inGRF && room <= response
	case one >= g.regBytes+size:
		p.data += g.grf(int(in.src[0].reg)) + g.regBytes
	case one == g.regBytes && two > 0:
		p.data += g.grf(int(in.src[1].reg))
	default:
		return false
	}
	return g.regBytes+room <= one+two
}
