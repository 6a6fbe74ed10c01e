package gen

import (
	"math"

	"simtgdb/simt"
)

// runScattered executes A64 scattered reads and writes: bytes at the low end
// of a dword per channel, or components of dwords or qwords, each of all
// channels.
func runScattered(c *Core, in *Inst) bool {
	m := &c.msg
	ctl := m.ctl()
	m.space, m.write, m.slots = simt.Global, m.typ() == 0x1a, 8
	if ctl>>4&1 != 0 {
		m.slots = 16
	}
	count := 1 << (ctl >> 2 & 3)
	data, ok := c.addresses(true)
	if !ok {
		return false
	}
	switch ctl & 3 {
	case 0:
		if count == 8 { // which Gen8's code has for reads by few channels: a qword of each
			return c.moveComponents(in, data, 8, 1)
		}
		return c.moveBytes(in, data, count, false)
	case 1:
		return c.moveComponents(in, data, 4, count)
	case 2:
		return c.moveComponents(in, data, 8, count)
	}
	return false
}

// runBytes executes byte scattered reads and writes with 32-bit addresses.
func runBytes(c *Core, in *Inst) bool {
	m := &c.msg
	ctl := m.ctl()
	m.write, m.slots = m.typ() == 0x0c, 8
	if ctl&1 != 0 {
		m.slots = 16
	}
	data, ok := c.addresses(false)
	return ok && c.choose32(in) && ctl>>2&3 != 3 && c.moveBytes(in, data, 1<<(ctl>>2&3), false)
}

// moveBytes moves count bytes per channel, which lie at the low end of a dword
// in registers, or in its upper half; a read clears the rest of it.
func (c *Core) moveBytes(in *Inst, data, count int, high bool) bool {
	m, shift := &c.msg, 0
	if high {
		shift = 2
	}
	m.size = count
	m.stores = stores{at: data + shift, step: 4, size: count, count: 1}
	if !m.room(data, 4*m.slots) {
		return false
	}
	if !c.check(in) {
		return true
	}
	for k := range m.slots {
		if m.mask>>k&1 == 0 {
			continue
		}
		if m.write {
			at, _ := m.at2(data+4*k, 4)
			copy(m.at[k], c.r.file[at+shift:at+shift+count])
			continue
		}
		to := c.r.file[m.response+4*k:]
		clear(to[:4])
		copy(to[shift:], m.at[k])
	}
	return true
}

// room reports whether the payload has, or the response is, as many bytes as
// the data from a place on.
func (m *msg) room(data, size int) bool {
	if !m.write {
		return size <= m.respond
	}
	return data+size <= m.length[0]+m.length[1]
}

// moveComponents moves count components of a size per channel; a component of
// all channels comes before the next.
func (c *Core) moveComponents(in *Inst, data, size, count int) bool {
	m := &c.msg
	m.size = size * count
	stride := m.slots * size
	m.stores = stores{at: data, step: size, stride: stride, size: size, count: count}
	if !m.room(data, stride*count) {
		return false
	}
	if !c.check(in) {
		return true
	}
	if count == 1 && size == 4 {
		c.moveOne(data)
		return true
	}
	for k := range m.slots {
		if m.mask>>k&1 == 0 {
			continue
		}
		for i := range count {
			mem := m.at[k][i*size : (i+1)*size]
			if m.write {
				at, _ := m.at2(data+i*stride+k*size, size)
				copy(mem, c.r.file[at:at+size])
			} else {
				copy(c.r.file[m.response+i*stride+k*size:], mem)
			}
		}
	}
	return true
}

// runUntyped executes untyped reads and writes: those of xyzw whose bits are
// off, at 4 bytes for each, packed in registers.
func runUntyped(c *Core, in *Inst) bool {
	m := &c.msg
	ctl := m.ctl()
	wide := m.typ()&0x10 != 0
	m.write = m.typ()&0x08 != 0
	switch ctl >> 4 & 3 {
	case 1:
		m.slots = 16
	case 2:
		m.slots = 8
	default:
		return false
	}
	data, ok := c.addresses(wide)
	if !ok {
		return false
	}
	m.space = simt.Global
	if !wide && !c.choose32(in) {
		return false
	}
	var list [4]int
	components := list[:0]
	for i := range 4 {
		if ctl>>i&1 == 0 {
			components = append(components, i)
		}
	}
	return c.moveSome(in, data, components)
}

// moveSome moves some of four dwords of each channel, which are packed in registers.
func (c *Core) moveSome(in *Inst, data int, components []int) bool {
	m := &c.msg
	if len(components) == 0 || !m.room(data, len(components)*4*m.slots) {
		return false
	}
	// What lies between is checked too; compiled code leaves nothing out.
	first := components[0]
	for k := range m.slots {
		m.addr[k] += uint64(4 * first)
	}
	m.size = 4 * (components[len(components)-1] - first + 1)
	if m.size == 4*len(components) {
		m.stores = stores{at: data, step: 4, stride: 4 * m.slots, size: 4, count: len(components)}
	}
	if !c.check(in) {
		return true
	}
	if len(components) == 1 {
		c.moveOne(data)
		return true
	}
	for k := range m.slots {
		if m.mask>>k&1 == 0 {
			continue
		}
		for n, i := range components {
			mem := m.at[k][4*(i-first):]
			if m.write {
				at, _ := m.at2(data+4*(n*m.slots+k), 4)
				copy(mem[:4], c.r.file[at:at+4])
			} else {
				copy(c.r.file[m.response+4*(n*m.slots+k):], mem[:4])
			}
		}
	}
	return true
}

// moveOne moves a dword of each channel.
func (c *Core) moveOne(data int) {
	m := &c.msg
	for k := range m.slots {
		switch {
		case m.mask>>k&1 == 0:
		case m.write:
			at, _ := m.at2(data+4*k, 4)
			*(*[4]byte)(m.at[k]) = *(*[4]byte)(c.r.file[at:])
		default:
			*(*[4]byte)(c.r.file[m.response+4*k:]) = *(*[4]byte)(m.at[k])
		}
	}
}

// hword is the unit of larger blocks.
const hword = 32

// blockBytes is how much a block message moves by bits 2:0 of its control, and
// whether it is the high half of a register.
func blockBytes(ctl uint32) (size int, high bool) {
	switch ctl & 7 {
	case 0:
		return 16, false
	case 1:
		return 16, true
	case 2, 3, 4, 5:
		return 16 << (ctl&7 - 1), false
	}
	return 0, false
}

// runBlock executes oword block reads and writes: of scratch, from the slot in
// the header on, and of local memory.
func runBlock(c *Core, in *Inst) bool {
	return c.runBlockAt(in, func(offset uint32) uint64 { return uint64(offset) * 16 })
}

// runAlignedBlock executes oword aligned block reads, whose offset counts bytes
// and is a multiple of a dword. IGC reads private memory so where all channels
// read the same place.
func runAlignedBlock(c *Core, in *Inst) bool {
	return c.runBlockAt(in, func(offset uint32) uint64 { return uint64(offset &^ 3) })
}

// runBlockAt executes a block message; place makes bytes of the offset in its
// header.
func (c *Core) runBlockAt(in *Inst, place func(offset uint32) uint64) bool {
	m := &c.msg
	m.write = m.typ() == 0x08
	if !m.header() {
		return false
	}
	off := place(c.r.u32(m.payload[0] + 8))
	switch surface := m.surface(); {
	case surface == surfaceSLM:
		m.space = simt.LDS
	case surface == surfaceIncoherent && in.gen.xehp:
		m.space = simt.Global
		off += c.isa.Kernel.GeneralBase + uint64(c.r.u32(m.payload[0]+20)&^0x3ff)
	case surface == surfaceStateless:
		m.space = simt.Scratch
		off += uint64(c.r.u32(m.payload[0]+20)&^0x3ff) - uint64(c.r.slot)
	default:
		s, ok := c.isa.Kernel.Surfaces[uint32(surface)]
		if !ok {
			return false
		}
		m.space = simt.Global
		off += s.Lo
	}
	size, high := blockBytes(m.ctl())
	return c.moveBlock(in, off, size, high)
}

// runA64Block executes block reads and writes of global memory.
func runA64Block(c *Core, in *Inst) bool {
	m := &c.msg
	m.space, m.write = simt.Global, m.typ() == 0x15
	if !m.header() {
		return false
	}
	addr := le.Uint64(c.r.file[m.payload[0]:])
	size, high := blockBytes(m.ctl())
	switch m.ctl() >> 3 & 3 {
	case 1: // as of runAlignedBlock: IGC reads elements of arrays so from wherever they begin
		addr &^= 3
	case 2:
		return false
	case 3: // hwords
		size, high = hword<<(m.ctl()&7), false
	}
	return c.moveBlock(in, addr, size, high)
}

// runScratchBlock executes hword scratch block reads and writes: whole
// registers of the thread's scratch, from its slot in the header on. Of a write
// whose channel mode is dwords each channel writes those of its own.
func runScratchBlock(c *Core, in *Inst) bool {
	const channelMode = 16
	m := &c.msg
	if m.desc>>channelMode&1 != 0 {
		m.dwords = 0
		for i := range 64 {
			m.dwords |= uint64(m.mask>>(i%in.width)&1) << i
		}
	}
	m.space, m.write = simt.Scratch, m.desc>>17&1 != 0
	if !m.header() {
		return false
	}
	base := uint64(c.r.u32(m.payload[0]+20)&^0x3ff) - uint64(c.r.slot)
	return c.moveBlock(in, base+uint64(m.desc&0xfff)*hword, hword<<(m.desc>>12&3), false)
}

// moveBlock moves a block, as one access of the first channel that is on.
func (c *Core) moveBlock(in *Inst, addr uint64, size int, high bool) bool {
	m, reg := &c.msg, in.gen.regBytes
	if size == 0 || size > 16 && !m.room(reg, size) || size == 16 && !m.room(reg, reg) {
		return false
	}
	m.slots, m.mask, m.size, m.addr[0] = 1, 1, size, addr
	if !high {
		m.stores = stores{at: reg, size: size, count: 1}
	}
	at := m.response
	if m.write {
		at, _ = m.at2(reg, size)
	}
	if high {
		at += 16
	}
	if m.block = at; !c.check(in) {
		return true
	}
	from, to := c.r.file[at:at+size], m.at[0]
	if !m.write {
		from, to = to, from
	}
	if m.dwords == ^uint64(0) {
		copy(to, from)
		return true
	}
	for i := 0; i < size; i += 4 {
		if m.dwords>>(i/4)&1 != 0 {
			copy(to[i:i+4], from[i:])
		}
	}
	return true
}

// An atomicOp gives the new value of an integer of 32 or 64 bits, which is
// sign-extended.
type atomicOp struct {
	data int // operands in the payload
	f    func(old, a, b int64, width uint) int64
}

func unsignedLess(a, b int64, width uint) bool {
	return uint64(a)<<(64-width) < uint64(b)<<(64-width)
}

// atomicOps are the operations by bits 3:0 of the control.
var atomicOps = [16]atomicOp{
	1:  {1, func(old, a, _ int64, _ uint) int64 { return old & a }},
	2:  {1, func(old, a, _ int64, _ uint) int64 { return old | a }},
	3:  {1, func(old, a, _ int64, _ uint) int64 { return old ^ a }},
	4:  {1, func(_, a, _ int64, _ uint) int64 { return a }},
	5:  {0, func(old, _, _ int64, _ uint) int64 { return old + 1 }},
	6:  {0, func(old, _, _ int64, _ uint) int64 { return old - 1 }},
	7:  {1, func(old, a, _ int64, _ uint) int64 { return old + a }},
	8:  {1, func(old, a, _ int64, _ uint) int64 { return old - a }},
	9:  {1, func(old, a, _ int64, _ uint) int64 { return a - old }},
	10: {1, func(old, a, _ int64, _ uint) int64 { return max(old, a) }},
	11: {1, func(old, a, _ int64, _ uint) int64 { return min(old, a) }},
	12: {1, func(old, a, _ int64, w uint) int64 {
		if unsignedLess(old, a, w) {
			return a
		}
		return old
	}},
	13: {1, func(old, a, _ int64, w uint) int64 {
		if unsignedLess(a, old, w) {
			return a
		}
		return old
	}},
	14: {2, func(old, a, b int64, _ uint) int64 {
		if old == a {
			return b
		}
		return old
	}},
	15: {0, func(old, _, _ int64, _ uint) int64 { return old - 1 }},
}

const (
	atomicMove         = 4
	atomicPreDecrement = 15
)

// floatAtomicOps are those of numbers, by bits 2:0 of the control: the greater,
// the less (of a number and none, the number), and compare-exchange.
var floatAtomicOps = [8]atomicOp{
	1: {1, func(old, a, _ int64, w uint) int64 {
		if x, y := numberOf(old, w), numberOf(a, w); y > x || x != x {
			return a
		}
		return old
	}},
	2: {1, func(old, a, _ int64, w uint) int64 {
		if x, y := numberOf(old, w), numberOf(a, w); y < x || x != x {
			return a
		}
		return old
	}},
	3: {2, func(old, a, b int64, w uint) int64 {
		if numberOf(old, w) == numberOf(a, w) {
			return b
		}
		return old
	}},
}

// numberOf is the number that bits of a width are.
func numberOf(v int64, width uint) float64 {
	if width == 64 {
		return math.Float64frombits(uint64(v))
	}
	return float64(floatOf(v))
}

// floatSum adds a number to another, or takes it off, in the precision of a width.
func floatSum(old, a int64, width uint, sign float64) int64 {
	if width == 64 {
		return int64(math.Float64bits(math.Float64frombits(uint64(old)) + sign*math.Float64frombits(
			uint64(a))))
	}
	return int64(math.Float32bits(floatOf(old) + float32(sign)*floatOf(a)))
}

func floatOf(v int64) float32 { return math.Float32frombits(uint32(v)) }

// An atomicForm is what an atomic message does, to how many channels and bytes.
type atomicForm struct {
	op          *atomicOp
	slots, size int
	wide        bool // addresses have 64 bits
	returnsNew  bool // what it gives back is the new value
}

// atomicFormOf reads the type and the control of a message; nil if it is no atomic one that there is.
func atomicFormOf(typ uint8, ctl uint32) *atomicForm {
	f := &atomicForm{op: &atomicOps[ctl&15], slots: 8, size: 4, returnsNew: ctl&15 == atomicPreDecrement}
	flag := ctl>>4&1 != 0
	switch typ {
	case 0x02, 0x1b:
		if !flag {
			f.slots = 16
		}
	case 0x12:
		if f.wide = true; flag {
			f.size = 8
		}
	case 0x1d:
		if f.wide = true; flag {
			return nil
		}
	default:
		return nil
	}
	if typ == 0x1b || typ == 0x1d {
		f.op, f.returnsNew = &floatAtomicOps[ctl&7], false
	}
	if f.op.f == nil {
		return nil
	}
	return f
}

// runAtomic executes atomic operations on integers and single-precision numbers, on global and local memory.
// They return the old value, or the new one.
func runAtomic(c *Core, in *Inst) bool {
	m := &c.msg
	form := atomicFormOf(m.typ(), m.ctl())
	if form == nil {
		return false
	}
	op := form.op
	m.size, m.slots, m.write, m.atomic = form.size, form.slots, true, true
	data, ok := c.addresses(form.wide)
	if !ok {
		return false
	}
	back := m.ctl()>>5&1 != 0
	m.space = simt.Global
	if !form.wide && !c.choose32(in) {
		return false
	}
	return c.moveAtomic(in, op, data, lscType{mem: form.size, reg: form.size}, back, form.returnsNew)
}

// changeInt changes a number in memory, and gives what it was and what it is. A host program may change
// memory that it shares meanwhile.
func changeInt(p []byte, t Type, shared bool, to func(old int64) int64) (old, now int64) {
	unused := 64 - 8*len(p)
	change := func(word uint64) uint64 {
		old = int64(word<<unused) >> unused
		now = to(old)
		return uint64(now)
	}
	if shared {
		simt.ChangeWord(p, change)
	} else {
		writeBits(p, len(p), change(uint64(readInt(p, t))))
	}
	return old, now
}

// moveAtomic executes an atomic operation of each channel on elements of a size, whose operands begin at a
// place of the payload. What it gives back, if anything, is the old value, or the new one.
func (c *Core) moveAtomic(in *Inst, op *atomicOp, data int, typ lscType, back, returnsNew bool) bool {
	m := &c.msg
	m.size, m.atomic = typ.mem, true
	stride := in.gen.whole(typ.reg * m.slots)
	if !m.room(data, (op.data-1)*stride+typ.reg*m.slots) || back && m.respond < typ.reg*m.slots {
		return false
	}
	if op == &atomicOps[atomicMove] || op == &lscAtomics[lscAtomicStore] { // what is there does not matter
		m.stores, m.mere = stores{at: data, step: typ.reg, size: typ.mem, count: 1}, !back
	}
	if !c.check(in) {
		return true
	}
	if c.m.Concurrent && m.space == simt.Global {
		c.m.Shared.Lock()
		defer c.m.Shared.Unlock()
	}
	var old ints
	elem := map[int]Type{2: W, 4: D, 8: Q}[m.size]
	for k := range m.slots {
		if m.mask>>k&1 == 0 {
			continue
		}
		var v [2]int64
		for i := range op.data {
			at, _ := m.at2(data+i*stride+k*typ.reg, typ.reg)
			v[i] = readInt(c.r.file[at:], elem)
		}
		to := func(old int64) int64 { return op.f(old, v[0], v[1], uint(8*m.size)) }
		var now int64
		if p := m.at[k][:m.size]; m.write {
			old[k], now = changeInt(p, elem, m.space == simt.Global, to)
		} else {
			old[k] = readInt(p, elem)
			now = to(old[k])
		}
		if returnsNew {
			old[k] = now
		}
	}
	if back {
		for k := range m.slots {
			if m.mask>>k&1 != 0 {
				writeBits(c.r.file[m.response+k*typ.reg:], typ.reg, uint64(old[k])&(1<<(8*typ.mem)-1))
			}
		}
	}
	return true
}
