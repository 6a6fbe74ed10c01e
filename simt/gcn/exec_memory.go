package gcn

import (
	"fmt"
	"math/bits"

	"simtgdb/simt"
)

// An access is what a vector memory instruction does to memory in each lane.
type access struct {
	size   int // bytes in a row that it touches
	write  bool
	atomic bool          // must be aligned, and nothing comes between its read and its write
	floats bool          // it is atomic, of floats
	dwords bool          // it moves dwords between registers and memory and does nothing else
	narrow *narrowAccess // it moves a byte or a word and does nothing else; nil of others
	places int           // data share: if not 0 there are two, and this many items are the offsets' unit
	move   func(c *Core, p *pass)
}

func (a *access) perm() simt.Perm {
	switch {
	case a.atomic:
		return simt.PermRead | simt.PermWrite
	case a.write:
		return simt.PermWrite
	}
	return simt.PermRead
}

// memoryState is what a core keeps of the vector access it is doing.
type memoryState struct {
	addr [simt.MaxLanes]uint64 // of the active lanes' items
	pass pass
	bad  simt.Fault // its Lanes are those found at fault

	told   simt.Access // what observers are told
	toldAt uint64      // of lanes side by side, where the first's item is
	pieces []simt.Piece
	stores *access // it stores
	data   func(lane int, p []byte)

	asked    uint64 // when observers were asked: see [simt.Machine.SteadyAt]
	observed bool   // somebody wants to know of accesses
	keeps    bool   // snapshots want what memory held before
	wanted   wanted
	anywhere wanted         // by translated code: see anywhereWhat
	within   [2]simt.Extent // where in global memory loads and stores are wanted
}

// wanted are the accesses that somebody wants to know of, of those that have a
// short way if nobody does: of global memory, of LDS, of private memory.
type wanted struct {
	loads, stores               bool
	sharedLoads, sharedStores   bool
	privateLoads, privateStores bool

	shared [2]simt.Extent // where in LDS: loads, stores
}

// of reports whether somebody may want to know of accesses to a space. Snapshots want to know of stores to
// global memory besides.
func (o *wanted) of(space simt.Space, write bool) bool {
	switch {
	case space == simt.Global:
		return write || o.loads
	case space == simt.LDS && write:
		return o.sharedStores
	case space == simt.LDS:
		return o.sharedLoads
	case write:
		return o.privateStores
	}
	return o.privateLoads
}

// observeWhat finds out what observers want to know of the wave.
func (c *Core) observeWhat() {
	c.observed, c.keeps = c.m.Observed(), c.mem.Keeps()
	at := c.m.SteadyAt(c.w)
	if at != 0 && at == c.asked {
		return
	}
	c.asked = at
	c.wanted = wanted{}
	if m, w := c.m, c.w; m.Watched() {
		c.wanted = wanted{m.Wanted(w, simt.Global, false), m.Wanted(w, simt.Global, true),
			m.Wanted(w, simt.LDS, false), m.Wanted(w, simt.LDS, true),
			m.Wanted(w, simt.Scratch, false), m.Wanted(w, simt.Scratch, true),
			[2]simt.Extent{m.WantedWithin(w, simt.LDS, false), m.WantedWithin(w, simt.LDS, true)}}
	}
	c.anywhereWhat()
}

// anywhereWhat finds out what translated code tells observers of: as observeWhat, but for what is wanted only
// where it leads out of what it is meant for. What is wanted of a part of global memory alone, slots see to.
func (c *Core) anywhereWhat() {
	m, w := c.m, c.w
	c.anywhere = c.wanted
	if c.wanted == (wanted{}) && c.within == ([2]simt.Extent{}) || !c.native {
		return
	}
	at := func(space simt.Space, write bool) simt.Extent { return m.WantedAnywhere(w, space, write) }
	global := [2]simt.Extent{at(simt.Global, false), at(simt.Global, true)}
	for i := range global {
		if global[i].Empty() {
			global[i] = simt.Extent{}
		}
	}
	c.anywhere = wanted{global[0] == simt.Everywhere(), global[1] == simt.Everywhere(),
		!at(simt.LDS, false).Empty(), !at(simt.LDS, true).Empty(),
		!at(simt.Scratch, false).Empty(), !at(simt.Scratch, true).Empty(), c.wanted.shared}
	if global != c.within {
		c.within = global
		c.forgetPlaces()
	}
}

// A pass moves the data of some lanes to or from one memory. Byte 0 of a
// lane's item is at mem[addr-base], with the lane's own addr in Core.addr;
// its dword i is step bytes times i further on. All of it has been checked.
type pass struct {
	mem        []byte
	base, step uint64
	mask       uint64

	// side: the lanes' dwords lie side by side, lane 0's at mem[0], and
	// Core.addr does not count.
	side bool

	// shared: a host program may change the memory meanwhile.
	shared bool

	dst, data, data2 []Vector // registers; nil if the instruction has none
}

// A span is what is known of the addresses of the active lanes.
type span struct {
	lo, hi uint64
	low    uint64 // all of them ORed: its low bits tell misalignment
}

// addresses64 puts the lanes' addresses into c.addr, from register pairs and
// an offset.
func (c *Core) addresses64(lo, hi *Vector, offset, mask uint64) span {
	s, addr := span{lo: ^uint64(0)}, &c.addr
	if mask == ^uint64(0) {
		for l := range addr {
			a := offset + (uint64(lo[l]) | uint64(hi[l])<<32)
			addr[l] = a
			s.lo, s.hi, s.low = min(s.lo, a), max(s.hi, a), s.low|a
		}
		return s
	}
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		a := offset + (uint64(lo[l]) | uint64(hi[l])<<32)
		addr[l] = a
		s.lo, s.hi, s.low = min(s.lo, a), max(s.hi, a), s.low|a
	}
	return s
}

// addresses32 is addresses64 for 32-bit registers: with an offset that is
// added modulo 2^32, and a 64-bit base.
func (c *Core) addresses32(lo *Vector, offset uint32, base, mask uint64) span {
	s, addr := span{lo: ^uint64(0)}, &c.addr
	if mask == ^uint64(0) {
		for l := range addr {
			a := base + uint64(lo[l]+offset)
			addr[l] = a
			s.lo, s.hi, s.low = min(s.lo, a), max(s.hi, a), s.low|a
		}
		return s
	}
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		a := base + uint64(lo[l]+offset)
		addr[l] = a
		s.lo, s.hi, s.low = min(s.lo, a), max(s.hi, a), s.low|a
	}
	return s
}

// spanOf looks at the addresses in c.addr.
func (c *Core) spanOf(mask uint64) span {
	s := span{lo: ^uint64(0)}
	for m := mask; m != 0; m &= m - 1 {
		a := c.addr[bits.TrailingZeros64(m)&63]
		s.lo, s.hi, s.low = min(s.lo, a), max(s.hi, a), s.low|a
	}
	return s
}

// registers are the vector registers of an operand.
func (c *Core) registers(o *operand) []Vector {
	if o.kind != vectorReg {
		return nil
	}
	return c.r.V[o.reg:][:typDwords[o.typ]]
}

// beginAccess forgets the last access and finds the registers of the next.
func (x *memoryState) beginAccess(dst, data, data2 []Vector) {
	x.bad.Lanes = 0
	x.pass = pass{dst: dst, data: data, data2: data2, step: 4}
}

// blame notes a lane at fault; the fault that is reported is the lowest's.
func (x *memoryState) blame(kind simt.FaultKind, space simt.Space, lane int, addr uint64) {
	if x.bad.Lanes == 0 || lane < x.bad.Lane() {
		x.bad.Kind, x.bad.Space, x.bad.Addr = kind, space, addr
	}
	x.bad.Lanes |= 1 << lane
}

// raise stops the wave if a lane is at fault.
func (c *Core) raise(in *Inst, a *access) bool {
	if c.bad.Lanes == 0 {
		return false
	}
	c.bad.Size, c.bad.Write, c.bad.Text = a.size, a.write, in.String()
	c.fault(c.bad)
	return true
}

// observe tells the machine's observers of an access by the lanes of mask,
// whose addresses are in c.addr, before it happens. If one of them says so
// the wave stops after the instruction.
func (c *Core) observe(in *Inst, a *access, space simt.Space, mask uint64) {
	if !c.wanted.of(space, a.write) {
		return
	}
	told := &c.told
	*told = simt.Access{Wave: c.w, PC: in.PC, Space: space, Read: a.atomic || !a.write, Write: a.write,
		Atomic: a.atomic, Size: a.size, Lanes: mask, Addr: &c.addr}
	if c.m.Ordered() {
		c.describeOrder(in, a, told)
	}
	stop := c.m.Observe(told)
	if c.blank |= told.Blank; told.Bytes != nil && told.Read {
		c.loadedParts(in, told)
	}
	if !stop {
		return
	}
	if c.stop.Kind == simt.WatchEvent { // the instruction's second access
		mask |= c.stop.Lanes
	}
	c.stop = simt.Event{Kind: simt.WatchEvent, Lanes: mask}
}

// faulted reports whether the instruction could not run.
func (c *Core) faulted() bool { return c.stop.Kind == simt.FaultEvent }

// fill gives all lanes one address.
func fill(addr *[simt.MaxLanes]uint64, v uint64) {
	for l := range addr {
		addr[l] = v
	}
}

// checkAligned finds the lanes whose atomic access is off its alignment.
func (c *Core) checkAligned(a *access, space simt.Space, mask uint64, s span) {
	off := uint64(a.size - 1)
	if !a.atomic || s.low&off == 0 {
		return
	}
	for m := mask; m != 0; m &= m - 1 {
		if l := bits.TrailingZeros64(m); c.addr[l]&off != 0 {
			c.blame(simt.Misaligned, space, l, c.addr[l])
		}
	}
}

// checkGlobal finds the lanes that may not access global memory where they
// want to, and leaves the region of the last lane in c.region.
func (c *Core) checkGlobal(a *access, mask uint64, s span) {
	c.checkAligned(a, simt.Global, mask, s)
	size, need := uint64(a.size), a.perm()
	if c.regionFor(s.lo, size, need) == nil || !c.region.Holds(s.hi, size) {
		for m := mask; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m)
			addr := c.addr[l&63]
			if c.regionFor(addr, size, need) == nil {
				kind := simt.Unmapped
				if r := c.mem.Find(addr); r != nil && r.Holds(addr, size) {
					kind = simt.Forbidden
				}
				c.blame(kind, simt.Global, l, addr)
			}
		}
	}
}

// regionFor is the region that holds an access with the permissions it needs,
// or nil.
func (c *Core) regionFor(addr, size uint64, need simt.Perm) *simt.Region {
	return c.mem.FindFor(&c.region, addr, size, need)
}

// moveGlobal does an access that checkGlobal has found nothing against: in
// one pass if it all lies in one region, which is nearly always.
func (c *Core) moveGlobal(in *Inst, a *access, mask uint64, s span) {
	p := &c.pass
	if c.observed {
		c.observe(in, a, simt.Global, mask)
	}
	p.shared = true
	if a.atomic && c.m.Concurrent {
		c.m.Shared.Lock()
		defer c.m.Shared.Unlock()
	}
	size := uint64(a.size)
	for mask != 0 {
		r := c.regionFor(c.addr[bits.TrailingZeros64(mask)], size, 0)
		p.mem, p.base, p.mask = r.Data, r.Base, mask
		if !r.Holds(s.lo, size) || !r.Holds(s.hi, size) {
			p.mask = 0
			for m := mask; m != 0; m &= m - 1 {
				if l := bits.TrailingZeros64(m); r.Holds(c.addr[l], size) {
					p.mask |= 1 << l
				}
			}
		}
		mask &^= p.mask
		a.move(c, p)
	}
}

// checkLDS finds the lanes whose access is not in the workgroup's LDS, unless such are to read 0 and to
// write nothing: see moveLDS.
func (c *Core) checkLDS(a *access, mask uint64, s span) {
	c.checkAligned(a, simt.LDS, mask, s)
	if c.follows != nil {
		c.usesLDS(a, mask)
	}
	if c.isa.Kernel.Robust || withinLDS(c.w, a.size, s.hi) {
		return
	}
	for m := c.beyondLDS(a.size, mask); m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m)
		c.blame(simt.Unmapped, simt.LDS, l, c.addr[l])
	}
}

// withinLDS reports whether so many bytes at an address are in the LDS of the wave's workgroup.
func withinLDS(w *simt.Wave, size int, addr uint64) bool {
	limit, n := uint64(len(w.Group.LDS)), uint64(size)
	return n <= limit && addr <= limit-n
}

// beyondLDS are those of some lanes whose items, of so many bytes at c.addr, are not in the workgroup's LDS.
func (c *Core) beyondLDS(size int, mask uint64) (lanes uint64) {
	for m := mask; m != 0; m &= m - 1 {
		if l := bits.TrailingZeros64(m); !withinLDS(c.w, size, c.addr[l]) {
			lanes |= 1 << l
		}
	}
	return lanes
}

// moveLDS does an access that checkLDS has found nothing against.
func (c *Core) moveLDS(in *Inst, a *access, mask uint64) {
	p := &c.pass
	if c.isa.Kernel.Robust {
		if beyond := c.beyondLDS(a.size, mask); beyond != 0 {
			mask &^= beyond
			c.tellBeyond(in, a, beyond)
			c.moveZeros(a, beyond)
		}
	}
	if c.observed {
		c.observe(in, a, simt.LDS, mask)
	}
	p.mem, p.base, p.step, p.mask, p.shared = c.w.Group.LDS, 0, 4, mask, false
	a.move(c, p)
}

// tellBeyond tells observers of lanes whose access to LDS leads out of it and comes to nothing.
func (c *Core) tellBeyond(in *Inst, a *access, lanes uint64) {
	where := fmt.Sprintf("beyond the workgroup's LDS of %d bytes", len(c.w.Group.LDS))
	c.tellOutside(in, lanes, a.write, where)
}

// tellOutside tells observers of lanes that access what is where words say, which comes to nothing.
func (c *Core) tellOutside(in *Inst, lanes uint64, write bool, where string) {
	if !c.m.Observed() || c.faulted() {
		return
	}
	verb := "reads "
	if write {
		verb = "writes "
	}
	if c.m.Undefined(&simt.Undefined{Wave: c.w, PC: in.PC, Lanes: lanes, Bounds: true, Text: verb + where}) {
		c.stop = simt.Event{Kind: simt.WatchEvent, Lanes: lanes}
	}
}

// checkScratch finds the lanes whose access is not in their private memory,
// the addresses being those of a lane's own bytes, and makes the memory grow
// to hold the others.
func (c *Core) checkScratch(a *access, mask uint64, s span) {
	c.checkAligned(a, simt.Scratch, mask, s)
	w := c.w
	size, width := uint64(a.size), uint64(w.Size)
	limit := w.ScratchLimit / width
	if size <= limit && s.hi <= limit-size {
		w.GrowScratch((s.hi + size + 3) / 4 * 4 * width)
		return
	}
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m)
		addr := c.addr[l]
		if s.lo == s.hi { // one address for all, which need not be in c.addr
			addr = s.lo
		}
		if size > limit || addr > limit-size {
			c.blame(simt.Unmapped, simt.Scratch, l, addr)
		}
	}
}

// moveScratch does an access to private memory, of which dword i of lane l is
// dword i*64+l: so lanes that access the same dwords, as compiled code nearly
// always does, find them side by side. It changes c.addr.
func (c *Core) moveScratch(in *Inst, a *access, mask uint64, s span) {
	w, p := c.w, &c.pass
	if c.observed && c.wanted.of(simt.Scratch, a.write) {
		if s.lo == s.hi { // one address for all, which need not be in c.addr
			fill(&c.addr, s.lo)
		}
		c.observe(in, a, simt.Scratch, mask)
	}
	p.mem, p.base, p.step, p.mask = w.Scratch, 0, 4*uint64(w.Size), mask
	if sideBySide(w, a, s) {
		p.mem, p.side = w.Scratch[w.SwizzledOffset(0, s.lo):], true
		a.move(c, p)
		p.side = false
		return
	}
	if crosses(a, s) || a.atomic && a.size > 4 {
		c.moveCopied(a)
		return
	}
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m)
		c.addr[l] = w.SwizzledOffset(l, c.addr[l])
	}
	a.move(c, p)
}

// sideBySide reports whether the lanes' dwords in private memory are side by
// side and to be moved as they are.
func sideBySide(w *simt.Wave, a *access, s span) bool {
	return w.Size == simt.MaxLanes && s.lo == s.hi && s.lo&3 == 0 && a.size >= 4 && !a.atomic
}

// crosses reports whether an item may begin within a dword and go on in the
// next, which swizzling puts elsewhere.
func crosses(a *access, s span) bool {
	return s.low&3 != 0 && (a.size > 2 || a.size == 2 && s.low&1 != 0)
}

// itemRoom is how many bytes an item can have.
const itemRoom = 16

// moveCopied does an access to private memory that needs its bytes in a row:
// by way of a copy of each lane's item.
func (c *Core) moveCopied(a *access) {
	copies := c.copies[:]
	w, p := c.w, &c.pass
	lanes := c.addr
	exchange := func(move func(mem, item *byte)) {
		for m := p.mask; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m)
			for i := range a.size {
				move(&w.Scratch[w.SwizzledOffset(l, lanes[l]+uint64(i))], &copies[l*itemRoom+i])
			}
		}
	}
	exchange(func(mem, item *byte) { *item = *mem })
	for l := range c.addr {
		c.addr[l] = uint64(l) * itemRoom
	}
	p.mem, p.step = copies, 4
	a.move(c, p)
	if a.write {
		exchange(func(mem, item *byte) { *mem = *item })
	}
}
