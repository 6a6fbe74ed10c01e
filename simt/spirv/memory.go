package spirv

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/bits"

	"simtgdb/simt"
)

// A space is where a pointer of a storage class leads to.
type space uint8

const (
	global space = iota
	lds
	scratch
	generic
)

var spaces = map[uint32]space{
	scUniformConstant: global, scUniform: global, scCrossWorkgroup: global, scPushConstant: global,
	scStorageBuffer: global, scImage: global, scPhysicalStorage: global, scGeneric: generic, scWorkgroup: lds,
	scInput: scratch, scOutput: scratch, scPrivate: scratch, scFunction: scratch,
}

// Pointers to what is not global memory have a mark of it in them: generic ones say by it where they lead,
// and a debugger that knows nothing of storage classes reads memory at them. They are those of other
// machines.
const (
	LDSAperture     = 1 << 48
	ScratchAperture = 2 << 48
	apertureMask    = 3 << 48
)

var marks = [...]uint64{global: 0, lds: LDSAperture, scratch: ScratchAperture, generic: 0}

// markOf is what pointers of a storage class have in them.
func markOf(storage uint32) uint64 { return marks[spaces[storage]] }

// An access is the memory side of an instruction.
type access struct {
	space  space
	leaves []leaf
	known  bool // the pointer is at in all lanes
	at     uint64
	ptr    int32     // the slot of the pointer, if it is not known
	buffer *variable // whose bounds hold, or nil
	write  bool
	atomic bool
	stores bool       // an atomic access only stores
	order  simt.Order // of an atomic access
	scope  simt.Scope
}

// pointer is operand i, which must be a pointer, with what is known of it.
func (b *builder) pointer(i int) (*value, *pointer, error) {
	id, err := b.arg(i)
	if err != nil {
		return nil, nil, err
	}
	v := b.p.values[id]
	if v == nil || v.typ.kind != kPointer {
		if _, err = b.id(id); err != nil {
			return nil, nil, err
		}
		return nil, nil, b.errorf("has operand %%%d, which is no pointer", id)
	}
	ptr := v.ptr
	if ptr == nil {
		ptr = &pointer{}
	}
	if ptr.global != nil {
		ptr.global.used = true
	}
	if _, ok := spaces[v.typ.storage]; !ok {
		return nil, nil, b.errorf("accesses storage class %d, which compute does not have", v.typ.storage)
	}
	return v, ptr, nil
}

// leadsTo is the space that a pointer leads to: that of its storage class, but for built-ins in
// UniformConstant.
func (v *value) leadsTo(ptr *pointer) space {
	if ptr.global != nil && ptr.global.isInput {
		return scratch
	}
	return spaces[v.typ.storage]
}

// accessed is the memory side of an access by a pointer to an object of such leaves.
func (v *value) accessed(ptr *pointer, write bool, leaves []leaf) *access {
	m := &access{space: v.leadsTo(ptr), ptr: v.slot, known: ptr.known, at: ptr.at, write: write,
		leaves: leaves}
	if g := ptr.global; g != nil && !g.blocks {
		m.buffer = g
	}
	return m
}

// access makes the memory side of an instruction that accesses all that operand i points to.
func (b *builder) access(i int, write bool) (*access, *typ, error) {
	v, ptr, err := b.pointer(i)
	if err != nil {
		return nil, nil, err
	}
	t := v.typ.elem
	if t == nil || t.slots == 0 && !t.empty || t.refusal != "" {
		if t != nil && t.refusal != "" {
			return nil, nil, b.errorf("accesses what it cannot: %s", t.refusal)
		}
		return nil, nil, b.errorf("accesses an object that cannot be one value")
	}
	m := v.accessed(ptr, write, t.leaves(ptr.layout))
	if ptr.vector != 0 && t.kind == kVector {
		for k := range m.leaves {
			m.leaves[k].offset = uint64(k) * ptr.vector
		}
	}
	if v.typ.storage == scUniform && write && ptr.global != nil &&
		!b.p.hasDecoration(ptr.global.block().id, 3) {
		return nil, nil, b.errorf("writes a uniform buffer")
	}
	return m, t, nil
}

// block is the struct type of a buffer variable.
func (v *variable) block() *typ {
	if v.typ.kind == kArray || v.typ.kind == kRuntimeArray {
		return v.typ.elem
	}
	return v.typ
}

// A window is a part of global memory in which addresses are looked for first.
type window struct {
	base  uint64
	data  []byte
	fixed bool // addresses outside of it are wrong
}

// window is where a memory instruction will most likely find its addresses.
func (c *core) window(m *access) window {
	if m.buffer != nil && m.buffer.region != nil {
		v := m.buffer
		return window{v.region.Base, v.region.Data, true}
	}
	if r := c.region; r != nil && c.allowed(r, m) {
		return window{r.Base, r.Data, false}
	}
	return window{}
}

func (c *core) allowed(r *simt.Region, m *access) bool {
	if m.write {
		return r.Perm&simt.PermWrite != 0
	}
	return r.Perm&simt.PermRead != 0
}

// bytes gives the size bytes at an address of global memory, or nil.
func (c *core) bytes(w *window, m *access, addr, size uint64) []byte {
	off := addr - w.base
	if off < uint64(len(w.data)) && size <= uint64(len(w.data))-off {
		return w.data[off : off+size]
	}
	if w.fixed {
		return nil
	}
	r := c.m.Mem.Find(addr)
	if r == nil || !r.Holds(addr, size) || !c.allowed(r, m) {
		return nil
	}
	c.region = r
	w.base, w.data = r.Base, r.Data
	return r.Data[addr-r.Base : addr-r.Base+size]
}

// untold reports whether nobody wants to know of an access by the active lanes to size bytes of the object,
// from an offset on.
func (c *core) untold(m *access, offset, size uint64) bool {
	space := simtSpaces[m.space]
	if !c.want.In(space, m.write) {
		return true
	}
	lo, hi := ^uint64(0), uint64(0)
	switch {
	case space == simt.Flat:
		return false
	case m.known:
		_, lo = m.lane(m.at + offset)
		hi = lo
	default:
		for l, a := range c.one(m.ptr) {
			if _, a = m.lane(a + offset); c.mask>>l&1 != 0 {
				lo, hi = min(lo, a), max(hi, a)
			}
		}
	}
	return !c.want.Touched(space, m.write, lo, hi+size)
}

// end is how many bytes an object has in memory, up to the end of its last scalar.
func (m *access) end() (n uint64) {
	for i := range m.leaves {
		n = max(n, m.leaves[i].offset+m.leaves[i].typ.size)
	}
	return n
}

// addresses puts the address of each lane into c.addr.
func (c *core) addresses(m *access, offset uint64) {
	if m.known {
		for l := range c.lanes {
			c.addr[l] = m.at + offset
		}
		return
	}
	for l, a := range c.one(m.ptr) {
		c.addr[l] = a + offset
	}
}

// lane splits an address, which may have the mark of where it leads.
func (m *access) lane(addr uint64) (space, uint64) {
	switch m.space {
	case global:
		return global, addr
	case lds, scratch:
		return m.space, addr &^ apertureMask
	}
	switch addr & apertureMask {
	case ScratchAperture:
		return scratch, addr &^ apertureMask
	case LDSAperture:
		return lds, addr &^ apertureMask
	}
	return global, addr
}

var simtSpaces = [...]simt.Space{global: simt.Global, lds: simt.LDS, scratch: simt.Scratch,
	generic: simt.Flat}

// check finds the active lanes whose access at c.addr is wrong.
func (c *core) check(m *access, size uint64) (bad uint64) {
	w := c.window(m)
	for l := range c.lanes {
		if c.mask>>l&1 == 0 {
			continue
		}
		s, a := m.lane(c.addr[l])
		ok := false
		switch s {
		case global:
			ok = c.bytes(&w, m, a, size) != nil
		case lds:
			ok = a < uint64(len(c.w.Group.LDS)) && size <= uint64(len(c.w.Group.LDS))-a
		case scratch:
			ok = a < c.p.scratch && size <= c.p.scratch-a
		}
		if !ok {
			bad |= 1 << l
		}
	}
	return bad
}

// harmless reports whether wrong accesses at c.addr read 0 and write nothing.
func (c *core) harmless(m *access, bad uint64) bool { return c.p.o.Robust || c.toNothing(m, bad) }

// toNothing reports whether all lanes access a binding that is bound to nothing: at offsets from address 0.
func (c *core) toNothing(m *access, lanes uint64) bool {
	const most = 1 << 32 // bytes of what is bound
	if m.buffer == nil || !m.buffer.nothing {
		return false
	}
	for l := range c.lanes {
		if lanes>>l&1 != 0 && c.addr[l] >= most {
			return false
		}
	}
	return true
}

// outside tells of lanes whose access is outside of its buffer, where that is no fault.
func (c *core) outside(in *inst, m *access, bad, size uint64) {
	if bad == 0 || !c.m.Observed() || c.toNothing(m, bad) {
		return
	}
	verb := "reads"
	if m.write {
		verb = "writes"
	}
	what, detail := "its buffer", ""
	if m.buffer != nil && m.buffer.region != nil {
		r := m.buffer.region
		_, at := m.lane(c.addr[bits.TrailingZeros64(bad)])
		detail = fmt.Sprintf("%s has %d bytes, and this is byte %d and on.",
			cmp.Or(c.p.variableName(m.buffer), "It"), len(r.Data), int64(at-r.Base))
	}
	if m.space != global {
		what = fmt.Sprintf("%v memory", simtSpaces[m.space])
	}
	if c.m.Undefined(&simt.Undefined{Wave: c.w, PC: in.pc, Lanes: bad, Bounds: true,
		Text: fmt.Sprintf("%s %d bytes outside of %s", verb, size, what), Detail: detail}) {
		c.stop = simt.Event{Kind: simt.WatchEvent, Wave: c.w, PC: in.pc, Lanes: bad}
	}
}

// faultAt stops the wave for lanes with wrong addresses in c.addr.
func (c *core) faultAt(in *inst, m *access, bad, size uint64, kind simt.FaultKind) {
	f := simt.Fault{Kind: kind, Space: simtSpaces[m.space], Lanes: bad, Size: int(size), Write: m.write}
	s, a := m.lane(c.addr[f.Lane()])
	f.Space, f.Addr = simtSpaces[s], a
	if s == global && kind == simt.Unmapped && m.buffer == nil && c.m.Mem.Find(a) != nil {
		f.Kind = simt.Forbidden
	}
	c.fault(in, f)
}

// observe tells those who want to know of an access by some lanes at c.addr.
func (c *core) observe(in *inst, m *access, lanes, size uint64) {
	c.observeData(in, m, lanes, size, nil)
}

// observeData is observe with the values that lanes store, where they are known.
func (c *core) observeData(in *inst, m *access, lanes, size uint64, data []uint64) {
	if lanes == 0 || !c.want.In(simtSpaces[m.space], m.write) {
		return
	}
	s, _ := m.lane(c.addr[0])
	for l := range c.lanes {
		if lanes>>l&1 != 0 {
			s, c.addr[l] = m.lane(c.addr[l])
		}
	}
	a := simt.Access{Wave: c.w, PC: in.pc, Space: simtSpaces[s], Size: int(size), Lanes: lanes, Addr: &c.addr,
		Read: !m.write || m.atomic && !m.stores, Write: m.write, Atomic: m.atomic, Order: m.order,
		Scope: m.scope}
	if data != nil && c.m.Ordered() {
		a.Data = func(lane int, p []byte) { putLittle(p, data[lane]) }
	}
	c.follower.Access(&a, s == scratch)
	stop := c.m.Observe(&a)
	c.follower.Accessed(&a)
	if stop {
		c.stop = simt.Event{Kind: simt.WatchEvent, Wave: c.w, PC: in.pc, Lanes: lanes}
	}
}

// read reads size bytes of one lane; what is wrong reads as 0.
func (c *core) read(w *window, m *access, l int, size uint64) uint64 {
	s, a := m.lane(c.addr[l])
	switch s {
	case lds:
		if mem := c.w.Group.LDS; a < uint64(len(mem)) && size <= uint64(len(mem))-a {
			return little(mem[a : a+size])
		}
	case scratch:
		return c.readScratch(l, a, size)
	default:
		if b := c.bytes(w, m, a, size); b != nil {
			return little(b)
		}
	}
	return 0
}

// write is read's counterpart; what is wrong is not written.
func (c *core) write(w *window, m *access, l int, size, v uint64) {
	s, a := m.lane(c.addr[l])
	switch s {
	case lds:
		if mem := c.w.Group.LDS; a < uint64(len(mem)) && size <= uint64(len(mem))-a {
			putLittle(mem[a:a+size], v)
		}
	case scratch:
		c.writeScratch(l, a, size, v)
	default:
		if b := c.bytes(w, m, a, size); b != nil {
			putLittle(b, v)
		}
	}
}

func little(b []byte) uint64 {
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return binary.LittleEndian.Uint64(b)
}

func putLittle(b []byte, v uint64) {
	switch len(b) {
	case 1:
		b[0] = byte(v)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(v))
	default:
		binary.LittleEndian.PutUint64(b, v)
	}
}

// scratchByte is where a byte of a lane's memory lies.
func (c *core) scratchByte(l int, a uint64) uint64 { return c.w.SwizzledOffset(l, a) }

func (c *core) readScratch(l int, a, size uint64) uint64 {
	if a >= c.p.scratch || size > c.p.scratch-a {
		return 0
	}
	if size == 4 && a%4 == 0 {
		return uint64(binary.LittleEndian.Uint32(c.w.Scratch[c.scratchByte(l, a):]))
	}
	var v uint64
	for i := range size {
		v |= uint64(c.w.Scratch[c.scratchByte(l, a+i)]) << (8 * i)
	}
	return v
}

func (c *core) writeScratch(l int, a, size, v uint64) {
	if a >= c.p.scratch || size > c.p.scratch-a {
		return
	}
	if size == 4 && a%4 == 0 {
		binary.LittleEndian.PutUint32(c.w.Scratch[c.scratchByte(l, a):], uint32(v))
		return
	}
	for i := range size {
		c.w.Scratch[c.scratchByte(l, a+i)] = byte(v >> (8 * i))
	}
}

// dwords are the dwords of all lanes' private memory at an address that is a multiple of 4.
func (c *core) dwords(a uint64) []byte {
	n := 4 * uint64(c.lanes)
	return c.w.Scratch[a/4*n : a/4*n+n]
}
