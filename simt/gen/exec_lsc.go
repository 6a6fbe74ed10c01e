package gen

import "simtgdb/simt"

// What messages to the load-store cache do. Where memory is concerned a row is one of lscRows; the sizes and the kind
// of address are fields of each message.

// lscMessage executes all of them.
var lscMessage = message{run: runLSC}

// lscForm are the fields of a message that moves elements.
type lscForm struct {
	kind   lscKind
	typ    lscType
	count  int // elements of each address
	slots  int
	wide   bool // addresses have 64 bits
	block  bool // one address, and elements side by side in registers
	memory simt.Space
}

// lscForm reads the descriptor; ok is false of a form that has no semantics.
func (in *Inst) lscForm() (f lscForm, ok bool) {
	d := in.desc
	f = lscForm{kind: lscRows[d&63].kind, typ: lscTypes[d>>9&7], count: lscVectors[d>>12&7], slots: 8,
		block: d>>15&1 != 0}
	if in.width > 8 {
		f.slots = in.width
	}
	switch d >> 7 & 3 {
	case 2:
	case 3:
		f.wide = true
	default:
		return f, false
	}
	switch sfid, surface := in.exDesc&15, d>>29&3; {
	case sfid == sfidSLM && surface == lscFlat && !f.wide:
		f.memory = simt.LDS
	case sfid == sfidUGM && surface == lscFlat && f.wide:
		f.memory = simt.Global
	case sfid == sfidUGM && surface == lscSurfaceState && !f.wide && in.exDescInA0 && in.ownLength:
		f.memory = simt.Scratch
	default:
		return f, false
	}
	switch f.kind {
	case lscLoad, lscStore:
		return f, f.typ.reg > 0 && d>>9&7 != 6 && (f.typ.reg >= 4 || f.block) &&
			(f.typ.mem == f.typ.reg || f.count == 1 && !f.block)
	case lscQuadLoad, lscQuadStore:
		f.block = false
		return f, f.typ.mem == 4 && f.typ.reg == 4
	case lscAtomic:
		if f.typ.mem == 8 && floatAtomics32[d&63] {
			return f, false
		}
		return f, f.count == 1 && !f.block && f.typ.mem == f.typ.reg && f.typ.mem >= 4 && f.memory != simt.Scratch
	}
	return f, false
}

// lscRunner chooses what executes a message; nil: nothing does.
func (in *Inst) lscRunner() runner {
	if lscRows[in.desc&63].kind == lscFence && in.desc>>29&3 == lscFlat {
		return runLSCFence
	}
	f, ok := in.lscForm()
	if !ok || in.eot || !in.payloadsFit() || f.kind == lscAtomic && lscAtomics[in.desc&63].f == nil {
		return nil
	}
	in.message = &lscMessage
	if in.moves = in.planSend(); in.moves != nil {
		return runPlannedSend
	}
	return runMessage
}

func runLSCFence(c *Core, _ *Inst) { c.fence() }

// lscPlan fills a plan with what a message moves. It reports whether a plan can have it.
func (p *sendPlan) lsc(in *Inst) bool {
	f, ok := in.lscForm()
	if !ok || f.block || f.kind != lscLoad && f.kind != lscStore || f.memory == simt.Scratch || f.slots > 16 {
		return false
	}
	p.wide, p.write, p.slots = f.wide, f.kind == lscStore, f.slots
	p.size, p.slot, p.count = f.typ.mem, f.typ.reg, f.count
	return true
}

// runLSC executes a message that moves elements.
func runLSC(c *Core, in *Inst) bool {
	m := &c.msg
	f, ok := in.lscForm()
	if !ok {
		return false
	}
	m.space, m.slots = f.memory, f.slots
	m.write = f.kind == lscStore || f.kind == lscQuadStore || f.kind == lscAtomic
	if f.memory == simt.Scratch && c.r.u32(offA0+4*int(in.exDescSub)) != c.r.slot>>scratchSurfaceShift {
		return false
	}
	if f.block {
		m.slots = 1
	}
	data, ok := c.addressesAt(0, f.wide)
	if !ok {
		return false
	}
	if f.memory == simt.LDS {
		for k := range m.slots {
			m.addr[k] &= SLMMask
		}
	}
	data = max(data, m.length[0])
	switch {
	case f.block:
		size := f.typ.mem * f.count
		return m.length[0] == in.gen.regBytes && m.room(in.gen.regBytes, size) && c.moveBlock(in, m.addr[0], size, false)
	case f.kind == lscAtomic:
		return c.moveAtomic(in, &lscAtomics[in.desc&63], data, f.typ.mem, m.respond > 0, false)
	case f.kind == lscQuadLoad || f.kind == lscQuadStore:
		return c.moveQuad(in, data)
	case f.typ.mem < 4:
		return c.moveBytes(in, data, f.typ.mem)
	}
	return c.moveComponents(in, data, f.typ.mem, f.count)
}

// scratchSurfaceShift is what makes the offset of a surface of the place of a thread's scratch in r0.5.
const scratchSurfaceShift = 4

// moveQuad moves those dwords of four whose bits in the descriptor are on.
func (c *Core) moveQuad(in *Inst, data int) bool {
	var list [4]int
	components := list[:0]
	for i := range 4 {
		if c.msg.desc>>(12+i)&1 != 0 {
			components = append(components, i)
		}
	}
	return c.moveSome(in, data, components)
}

// floatAtomics32 are those whose numbers have single precision here.
var floatAtomics32 = [64]bool{0x15: true, 0x16: true, 0x17: true}

// lscAtomics are the atomic operations by bits 5:0 of the descriptor.
var lscAtomics = [64]atomicOp{
	0x08: atomicOps[5], 0x09: atomicOps[6],
	0x0a: {0, func(old, _, _ int64, _ uint) int64 { return old }},
	0x0b: atomicOps[4], 0x0c: atomicOps[7], 0x0d: atomicOps[8], 0x0e: atomicOps[11], 0x0f: atomicOps[10],
	0x10: atomicOps[13], 0x11: atomicOps[12], 0x12: atomicOps[14],
	0x13: {1, func(old, a, _ int64, w uint) int64 { return floatSum(old, a, w, 1) }},
	0x14: {1, func(old, a, _ int64, w uint) int64 { return floatSum(old, a, w, -1) }},
	0x15: floatAtomicOps[2], 0x16: floatAtomicOps[1], 0x17: floatAtomicOps[3],
	0x18: atomicOps[1], 0x19: atomicOps[2], 0x1a: atomicOps[3],
}
