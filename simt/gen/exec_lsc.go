package gen

import (
	"math"

	"simtgdb/simt"
)

// What messages to the load-store cache do. Where memory is concerned a row is one of lscRows; the sizes and
// the kind of address are fields of each message.

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
	based  bool // addresses count from the general state base
	table  bool // they count from a surface of the binding table
}

// lscStateless is the entry of a binding table that stands for addresses as they are.
const lscStateless = 0xff

// lscForm reads the descriptor; ok is false of a form that has no semantics.
func (in *Inst) lscForm() (f lscForm, ok bool) {
	d := in.desc
	f = lscForm{kind: lscRows[d&63].kind, typ: lscTypes[d>>9&7], count: lscVectors[d>>12&7],
		slots: max(in.width, in.gen.regBytes/4), block: d>>15&1 != 0}
	switch size := d >> 7 & 3; {
	case size == 2:
	case size == 3, f.kind == lscBlockLoad, f.kind == lscBlockStore: // these have other fields there
		f.wide = true
	default:
		return f, false
	}
	switch sfid, surface := in.exDesc&15, d>>29&3; {
	case sfid == sfidSLM && surface == lscFlat && !f.wide:
		f.memory = simt.LDS
	case sfid == sfidUGM && surface == lscFlat && f.wide:
		f.memory = simt.Global
	case sfid == sfidUGM && surface == lscBindingTable && !f.wide && !in.exDescInA0 &&
		in.exDesc>>24 == lscStateless:
		f.memory, f.based = simt.Global, true
	case sfid == sfidUGM && surface == lscBindingTable && !f.wide && !in.exDescInA0:
		f.memory, f.table = simt.Global, true
	case sfid == sfidUGM && surface == lscBindless && !f.wide && in.exDescInA0:
		f.memory, f.table = simt.Global, true
	case sfid == sfidUGM && surface == lscSurfaceState && !f.wide && in.exDescInA0 && in.ownLength:
		f.memory = simt.Scratch
	default:
		return f, false
	}
	switch f.kind {
	case lscStridedLoad, lscStridedStore, lscBlockLoad, lscBlockStore, lscStatusLoad:
		if !in.gen.wide {
			return f, false
		}
	}
	switch f.kind {
	case lscLoad, lscStore, lscStridedLoad, lscStridedStore:
		return f, f.typ.reg > 0 && (f.typ.reg >= 4 || f.block) &&
			(f.typ.mem == f.typ.reg || f.count == 1 && !f.block)
	case lscStatusLoad:
		return f, f.memory == simt.Global && f.typ.mem > 0
	case lscBlockLoad, lscBlockStore:
		return f, f.memory == simt.Global && f.wide && f.typ.mem > 0 && f.typ.mem == f.typ.reg
	case lscQuadLoad, lscQuadStore:
		f.block = false
		return f, f.typ.mem == 4 && f.typ.reg == 4
	case lscAtomic:
		small := f.typ.mem == 2 && f.typ.reg == 4 && in.gen.wide && !floatAtomics[d&63]
		return f, f.count == 1 && !f.block && (f.typ.mem == f.typ.reg && f.typ.mem >= 4 || small) &&
			f.memory != simt.Scratch
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
	f, ok := p.elements(in)
	return ok && f.memory != simt.Scratch && !f.based && !f.table && !f.high()
}

// elements fills a plan with the elements that a load or store moves, in whatever memory they are. ok is
// false of other messages.
func (p *sendPlan) elements(in *Inst) (f lscForm, ok bool) {
	if f, ok = in.lscForm(); !ok || f.block || f.kind != lscLoad && f.kind != lscStore {
		return f, false
	}
	p.wide, p.write, p.slots = f.wide, f.kind == lscStore, f.slots
	p.size, p.slot, p.count = f.typ.mem, f.typ.reg, f.count
	return f, true
}

// surfaceOf is which surface a message is for: an entry of the binding table, or where a surface's state is,
// which the code has in an address register.
func (c *Core) surfaceOf(in *Inst) uint32 {
	if in.exDescInA0 {
		return c.r.u32(offA0+4*int(in.exDescSub)) &^ (SurfaceState - 1)
	}
	return in.exDesc >> 24
}

// runLSC executes a message that moves elements.
func runLSC(c *Core, in *Inst) bool {
	m := &c.msg
	f, ok := in.lscForm()
	if !ok {
		return false
	}
	m.space, m.slots = f.memory, f.slots
	m.write = f.kind == lscStore || f.kind == lscQuadStore || f.kind == lscAtomic &&
		in.desc&63 != lscAtomicLoad || f.kind == lscStridedStore ||
		f.kind == lscBlockStore
	if f.memory == simt.Scratch &&
		c.r.u32(offA0+4*int(in.exDescSub))&^scratchNumber != c.r.slot>>scratchSurfaceShift {
		return false
	}
	switch {
	case !m.write && m.respond == 0: // it fetches into the cache alone
		return true
	case f.kind == lscBlockLoad, f.kind == lscBlockStore:
		return c.moveBlock2D(in, &f)
	case f.block:
		m.slots = 1
	}
	data, ok := c.lscAddresses(&f)
	if !ok {
		return false
	}
	if f.table && !c.onSurface(in, c.surfaceOf(in)) {
		return false
	}
	data = max(data, m.length[0])
	switch {
	case f.kind == lscStatusLoad:
		return c.loadStatus(f.typ.mem * f.count)
	case f.block:
		size := f.typ.mem * f.count
		return m.length[0] == in.gen.regBytes && m.room(in.gen.regBytes, size) &&
			c.moveBlock(in, m.addr[0], size, false)
	case f.kind == lscAtomic:
		return c.moveAtomic(in, &lscAtomics[in.desc&63], data, f.typ, m.respond > 0, false)
	case f.kind == lscQuadLoad || f.kind == lscQuadStore:
		return c.moveQuad(in, data)
	case f.typ.mem < 4:
		return c.moveBytes(in, data, f.typ.mem, f.high())
	}
	return c.moveComponents(in, data, f.typ.mem, f.count)
}

// high reports whether an element lies in the upper half of a dword.
func (f *lscForm) high() bool { return f.typ == lscTypes[lscUpperHalf] }

// lscAddresses fills m.addr from the payload, and returns where the data may begin behind it. Of a strided
// message it has the first address and what lies between two.
func (c *Core) lscAddresses(f *lscForm) (data int, ok bool) {
	m := &c.msg
	slots := m.slots
	strided := f.kind == lscStridedLoad || f.kind == lscStridedStore
	if strided {
		m.slots = 1
	}
	data, ok = c.addressesAt(0, f.wide)
	m.slots = slots
	if !ok {
		return 0, false
	}
	if strided {
		at, ok := m.at2(8, 4)
		if !ok {
			return 0, false
		}
		pitch := uint64(int64(int32(c.r.u32(at))))
		for k := 1; k < slots; k++ {
			if m.addr[k] = m.addr[k-1] + pitch; !f.wide {
				m.addr[k] &= math.MaxUint32
			}
		}
	}
	for k := range slots {
		switch {
		case f.memory == simt.LDS:
			m.addr[k] &= SLMMask
		case f.based:
			m.addr[k] += c.isa.Kernel.GeneralBase
		}
	}
	return data, true
}

// loadStatus tells for each channel whether its memory is there: a bit each.
func (c *Core) loadStatus(size int) bool {
	m, there := &c.msg, uint32(0)
	for k := range m.slots {
		if r := c.mem.Find(m.addr[k]); m.mask>>k&1 != 0 && r != nil && r.Holds(m.addr[k], uint64(size)) {
			there |= 1 << k
		}
	}
	c.r.setU32(m.response, there)
	return true
}

// scratchNumber is what of the same dword is the thread's number.
const scratchNumber = threadBits >> scratchSurfaceShift

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

// floatAtomics are those of numbers.
var floatAtomics = [64]bool{0x13: true, 0x14: true, 0x15: true, 0x16: true, 0x17: true}

const (
	lscAtomicLoad  = 0x0a
	lscAtomicStore = 0x0b
)

// lscAtomics are the atomic operations by bits 5:0 of the descriptor.
var lscAtomics = [64]atomicOp{
	0x08: atomicOps[5], 0x09: atomicOps[6],
	lscAtomicLoad:  {0, func(old, _, _ int64, _ uint) int64 { return old }},
	lscAtomicStore: atomicOps[atomicMove], 0x0c: atomicOps[7], 0x0d: atomicOps[8], 0x0e: atomicOps[11],
	0x0f: atomicOps[10],
	0x10: atomicOps[13], 0x11: atomicOps[12], 0x12: atomicOps[14],
	0x13: {1, func(old, a, _ int64, w uint) int64 { return floatSum(old, a, w, 1) }},
	0x14: {1, func(old, a, _ int64, w uint) int64 { return floatSum(old, a, w, -1) }},
	0x15: floatAtomicOps[2], 0x16: floatAtomicOps[1], 0x17: floatAtomicOps[3],
	0x18: atomicOps[1], 0x19: atomicOps[2], 0x1a: atomicOps[3],
}
