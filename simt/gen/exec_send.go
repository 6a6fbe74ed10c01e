package gen

import (
	"encoding/binary"
	"math/bits"

	"simtgdb/simt"
)

// Messages. A row's semantics first finds the addresses and checks all of
// them, then moves the data: what faults has changed nothing. Payloads are
// read before the response is written, since the two may share registers.

// A msg is the message that is being executed.
type msg struct {
	desc     uint32
	slots    int    // channels per message: 8 or 16
	mask     uint32 // the slots whose channels execute
	space    simt.Space
	write    bool
	atomic   bool
	mere     bool // an atomic operation only stores
	size     int  // bytes that a channel touches in a row
	addr     [maxChannels]uint64
	at       [maxChannels][]byte // where they lead
	payload  [2]int              // bytes of the file where the payloads begin
	length   [2]int              // and their lengths
	block    int                 // where in the file a block is, noBlock of other messages
	dwords   uint64              // which dwords of a block move
	response int                 // where the response begins
	respond  int                 // its length
	stores   stores              // where in the payload is what a write writes
	region   *simt.Region        // where the last global access was
	bad      simt.Fault          // of the channels that cannot
}

// noBlock is the place of a block that a message has not.
const noBlock = -1

func (m *msg) ctl() uint32  { return m.desc >> 8 & 63 }
func (m *msg) surface() int { return int(m.desc & 255) }
func (m *msg) typ() uint8   { return uint8(m.desc >> 14 & 31) }
func (m *msg) header() bool { return m.desc>>19&1 != 0 }

// sendRunner chooses what executes a message.
func (in *Inst) sendRunner() runner {
	if in.dst.place == indirect || in.src[0].place != inGRF {
		return nil
	}
	if in.descInA0 || in.exDescInA0 && !in.ownLength {
		return runDescribed
	}
	if in.isLSC() {
		return in.lscRunner()
	}
	if in.isSampler() {
		return in.samplerRunner()
	}
	switch sfid := uint8(in.exDesc & 15); sfid {
	case sfidSpawner:
		if in.eot {
			return runEnd
		}
	case sfidGateway:
		if in.eot && in.gen.xehp && in.desc&7 == 0 {
			return runEnd
		}
		if in.desc&7 == gatewayBarrier {
			return runBarrier
		}
	default:
		m := messages[messageKey{sfid, uint8(in.desc >> 14 & 31)}]
		if m == nil || m.run == nil || in.eot || !in.payloadsFit() {
			return nil
		}
		in.message = m
		if in.moves = in.planSend(); in.moves != nil {
			return runPlannedSend
		}
		return runMessage
	}
	return nil
}

// runDescribed executes a message whose descriptors are in a0: as the one that
// has them as constants.
func runDescribed(c *Core, in *Inst) {
	one := in.described
	if one == nil {
		one = &Inst{}
	}
	desc, exDesc := in.desc, in.exDesc
	if in.descInA0 {
		desc = c.r.u32(offA0) &^ (1 << 31)
	}
	if in.exDescInA0 {
		exDesc = c.r.u32(offA0 + 4*int(in.exDescSub))
	}
	if in.described == nil || one.desc != desc || one.exDesc != exDesc {
		*one = *in
		one.desc, one.exDesc, one.descInA0, one.exDescInA0, one.described = desc, exDesc, false, false, nil
		one.message, one.moves = nil, nil
		if one.exec = one.sendRunner(); one.exec == nil {
			one.exec = unknown
		}
		in.described = one
	}
	one.exec(c, one)
}

// payloadsFit reports whether payloads and response are in the registers.
func (in *Inst) payloadsFit() bool {
	one, two, response := in.messageLengths()
	fits := func(o *operand, n int) bool {
		return n == 0 || o.place == inGRF && int(o.reg)+n <= in.gen.grfCount
	}
	return one > 0 && fits(&in.src[0], one) && fits(&in.src[1], two) && fits(&in.dst, response)
}

func runEnd(c *Core, in *Inst) {
	c.w.State = simt.Ended
	c.stop.Kind = simt.EndEvent
	c.isa.release(c.w)
	c.w.PC = in.PC + uint64(in.Size)
}

// fence tells observers that what the thread has accessed is ordered.
func (c *Core) fence() {
	if c.m.Ordered() {
		c.orders(simt.Fence{Order: simt.Acquire | simt.Release, Spaces: simt.AllSpaces})
	}
}

// orders tells of a fence.
func (c *Core) orders(f simt.Fence) {
	if k := &c.turning; k.armed {
		if c.foreseen(&turnStep{fence: f}) {
			return
		}
		c.differs()
	}
	c.m.Fence(c.w, f)
	if s := c.kept(); s != nil {
		s.fence = f
	}
}

// runFence executes a fence: memory is in order always. Its response is only
// waited for.
func runFence(c *Core, _ *Inst) bool {
	c.fence()
	return true
}

// runMessage executes a message of the data ports.
func runMessage(c *Core, in *Inst) {
	m := &c.msg
	one, two, response := in.messageLengths()
	m.desc, m.mask = in.desc, c.channels(in)
	g := in.gen
	m.payload = [2]int{g.grf(int(in.src[0].reg)), g.grf(int(in.src[1].reg))}
	m.length = [2]int{one * g.regBytes, two * g.regBytes}
	m.response, m.respond = g.grf(int(in.dst.reg)), response*g.regBytes
	m.write, m.atomic, m.bad.Lanes, m.stores, m.mere = false, false, 0, stores{}, false
	m.block, m.dwords = noBlock, ^uint64(0)
	if m.mask == 0 {
		return
	}
	c.lanes += uint64(bits.OnesCount32(m.mask))
	if !in.message.run(c, in) {
		unknown(c, in)
	}
}

// word is a byte of the payloads, counted through both, as an offset in the
// file. It reports whether size bytes are there.
func (m *msg) at2(off, size int) (at int, ok bool) {
	if off+size <= m.length[0] {
		return m.payload[0] + off, true
	}
	off -= m.length[0]
	return m.payload[1] + off, off >= 0 && off+size <= m.length[1]
}

// addresses fills m.addr from the payload, behind the header, and reports
// whether the payload has them. It returns where the data begin.
func (c *Core) addresses(wide bool) (data int, ok bool) {
	m, g, header := &c.msg, c.r.gen, 0
	if m.header() {
		header = g.regBytes
	}
	if data, ok = c.addressesAt(header, wide); m.length[1] > 0 && g.wide {
		return m.length[0], ok
	}
	return g.whole(data), ok
}

// addressesAt fills m.addr from a place of the payload on, as addresses does.
func (c *Core) addressesAt(off int, wide bool) (data int, ok bool) {
	m, size := &c.msg, 4
	if wide {
		size = 8
	}
	for k := range m.slots {
		at, ok := m.at2(off+k*size, size)
		if !ok {
			return 0, false
		}
		if wide {
			m.addr[k] = binary.LittleEndian.Uint64(c.r.file[at:])
		} else {
			m.addr[k] = uint64(c.r.u32(at))
		}
	}
	return off + m.slots*size, true
}

// SLMMask are the bits of an address of local memory that count: IGC sets one
// above them, to keep null apart.
const SLMMask = 0x0fffffff

// choose32 finds the memory of 32-bit addresses by the surface and makes them
// offsets there. It reports whether the surface is known.
func (c *Core) choose32(in *Inst) bool {
	m := &c.msg
	switch m.surface() {
	case surfaceSLM:
		m.space = simt.LDS
		for k := range m.slots {
			m.addr[k] &= SLMMask
		}
	case surfaceStateless:
		m.space = simt.Scratch
		for k := range m.slots {
			m.addr[k] -= uint64(c.r.slot)
		}
	default:
		return c.onSurface(in, uint32(m.surface()))
	}
	return true
}

// onSurface makes addresses of offsets in the surface that an entry of the binding table stands for, and
// blames channels that are outside. It reports whether there is one.
func (c *Core) onSurface(in *Inst, entry uint32) bool {
	m := &c.msg
	s, ok := c.isa.Kernel.Surfaces[entry]
	m.space = simt.Global
	for k := range m.slots {
		if ok && m.mask>>k&1 != 0 && m.addr[k] >= s.Hi-s.Lo {
			c.blame(in, simt.Unmapped, k, s.Lo+m.addr[k])
		}
		m.addr[k] += s.Lo
	}
	return ok
}

// check finds the bytes that every channel accesses. It reports whether all
// are there; if not it faults, and if somebody watches he is told.
func (c *Core) check(in *Inst) bool {
	m := &c.msg
	if m.space == simt.Scratch {
		c.growScratch()
	}
	for k := range m.slots {
		if m.mask>>k&1 != 0 {
			m.at[k] = c.find(in, k, m.addr[k], m.size)
		}
	}
	if m.bad.Lanes != 0 {
		c.raise(in)
		return false
	}
	if c.want.In(m.space, m.write) {
		c.observe(in)
	}
	return true
}

// growScratch makes as much of the thread's scratch as the channels access:
// it moves when it grows, so it must not while places in it are being found.
func (c *Core) growScratch() {
	m, end := &c.msg, uint64(0)
	for k := range m.slots {
		if at := m.addr[k]; m.mask>>k&1 != 0 && at < c.w.ScratchLimit &&
			uint64(m.size) <= c.w.ScratchLimit-at {
			end = max(end, at+uint64(m.size))
		}
	}
	if end > 0 {
		c.w.GrowScratch(end)
	}
}

// raise faults for the channels that could not access.
func (c *Core) raise(in *Inst) {
	m := &c.msg
	f := m.bad
	f.Space, f.Size, f.Write, f.Text = m.space, m.size, m.write, in.trimmed()
	c.fault(f)
}

// find gives size bytes at an address of the message's memory for channel k of
// the instruction, or blames it.
func (c *Core) find(in *Inst, k int, addr uint64, size int) []byte {
	m := &c.msg
	n := uint64(size)
	if m.atomic && addr%n != 0 {
		c.blame(in, simt.Misaligned, k, addr)
		return nil
	}
	switch m.space {
	case simt.LDS:
		if mem := c.w.Group.LDS; addr < uint64(len(mem)) && n <= uint64(len(mem))-addr {
			return mem[addr : addr+n]
		}
	case simt.Scratch:
		if addr < c.w.ScratchLimit && n <= c.w.ScratchLimit-addr && c.w.GrowScratch(addr+n) {
			return c.w.Scratch[addr : addr+n]
		}
	default:
		return c.findGlobal(in, k, addr, n)
	}
	c.blame(in, simt.Unmapped, k, addr)
	return nil
}

func (c *Core) findGlobal(in *Inst, k int, addr, n uint64) []byte {
	m := &c.msg
	r := c.mem.FindFor(&m.region, addr, n, 0)
	if r == nil {
		c.blame(in, simt.Unmapped, k, addr)
		return nil
	}
	need := simt.PermRead
	if m.write {
		need = simt.PermWrite
	}
	if r.Perm&need == 0 {
		c.blame(in, simt.Forbidden, k, addr)
		return nil
	}
	off := addr - r.Base
	return r.Data[off : off+n : off+n]
}

// blame notes that channel k of the instruction cannot access an address.
func (c *Core) blame(in *Inst, why simt.FaultKind, k int, addr uint64) {
	f := &c.msg.bad
	if f.Lanes == 0 {
		f.Kind, f.Addr = why, addr
	}
	f.Lanes |= 1 << (in.first + k)
}

// observe tells the machine's observers of the accesses that will follow.
// Scratch, which belongs to the thread, is shown as the lanes' memory that
// lies at the same place, dword by dword.
func (c *Core) observe(in *Inst) {
	c.otherwise()
	m := &c.msg
	addr, a := &c.access.addr, &c.access.Access
	*a = simt.Access{Wave: c.w, PC: in.PC, Space: m.space, Read: !m.write || m.atomic && !m.mere,
		Write:  m.write,
		Atomic: m.atomic,
		Size:   m.size, Addr: addr}
	if m.write && m.stores.count > 0 && c.m.Ordered() {
		a.Data = func(lane int, p []byte) { c.stored(lane-in.first, p) }
	}
	if m.space == simt.Scratch {
		c.observeScratch(in, a)
		return
	}
	for k := range m.slots {
		if m.mask>>k&1 != 0 {
			l := (in.first + k) & (simt.MaxLanes - 1)
			a.Lanes |= 1 << l
			addr[l] = m.addr[k]
		}
	}
	own := a.Space == simt.Global && m.region != nil && m.region.Private
	if a.Atomic && a.Space == simt.LDS {
		c.fenceLocal(simt.Release)
		defer c.fenceLocal(simt.Acquire)
	}
	if m.block != noBlock {
		c.tellBlock(in, a, m.block, own)
		return
	}
	c.follower.Access(a, own)
	c.tell(a)
	if own && !a.Write && a.Size <= maxPadding && liesBeside(a) {
		a.Amid |= a.Lanes // of what is beside it only others know
	}
	c.follower.Accessed(a)
}

// maxPadding is of how many bytes an access may be one to padding of a structure.
const maxPadding = 2

// liesBeside reports whether what lanes access of their own may lie side by side, as IGC lays out arrays that
// each lane has: an element of all of them, and then the next.
func liesBeside(a *simt.Access) bool {
	first := bits.TrailingZeros64(a.Lanes)
	rest := a.Lanes & (a.Lanes - 1)
	if rest == 0 {
		return true
	}
	next := bits.TrailingZeros64(rest)
	return a.Addr[next]-a.Addr[first] == uint64((next-first)*a.Size)
}

// fenceLocal tells observers of the order that atomic operations on local memory have: it does what a thread
// wants of it in order, so that IGC has no fence beside those that release and acquire.
func (c *Core) fenceLocal(o simt.Order) {
	if c.m.Ordered() {
		c.orders(simt.Fence{Order: o, Scope: simt.GroupScope, Spaces: 1 << simt.LDS})
	}
}

// stores says where in a message's payload the bytes are that its channels write: count parts of
// some size, one channel step bytes after the other, one part stride bytes after the other. count
// is 0 where it is not so simple.
type stores struct{ at, step, stride, size, count int }

// stored is what a channel of the message writes.
func (c *Core) stored(k int, p []byte) {
	m, s := &c.msg, &c.msg.stores
	for i := range s.count {
		if at, ok := m.at2(s.at+i*s.stride+k*s.step, s.size); ok {
			copy(p[i*s.size:(i+1)*s.size], c.r.file[at:])
		}
	}
}

func (c *Core) observeScratch(in *Inst, a *simt.Access) {
	m, row := &c.msg, uint64(4*c.w.Size)
	for k := range m.slots {
		if m.mask>>k&1 == 0 {
			continue
		}
		for at, end := m.addr[k], m.addr[k]+uint64(m.size); at < end; at = at&^3 + 4 {
			l := at / 4 % uint64(c.w.Size)
			a.Lanes, a.Size = 1<<l, int(min(end, at&^3+4)-at)
			a.Addr[l] = at/row*4 + at%4
			if m.block != noBlock {
				if i := int(at - m.addr[k]); m.dwords>>(i/4)&1 != 0 {
					c.tellBlock(in, a, m.block+i, true)
				}
				continue
			}
			c.tellPiece(in, a, k, int(at-m.addr[k]))
		}
	}
}

// tellPiece tells of bytes of a dword of the thread's scratch, at an offset of what a channel accesses.
func (c *Core) tellPiece(in *Inst, a *simt.Access, channel, offset int) {
	a.Deferred, a.Blank, a.Amid, a.Spoilt, a.Bytes = false, 0, 0, 0, nil
	lane, own := channel+in.first, bits.TrailingZeros64(a.Lanes)
	if c.follower.Apart() {
		clear(c.lacking.bytes[:])
		a.Bytes, a.Deferred = &c.lacking.bytes, !a.Write
		if a.Write {
			lacking, spoilt := c.follower.Stored(lane, offset, a.Size)
			if a.Bytes[own] = lacking; spoilt {
				a.Spoilt = a.Lanes
			}
		}
	}
	if c.tell(a); a.Bytes != nil && !a.Write && a.Bytes[own] != 0 {
		c.follower.Loaded(lane, offset, a, own)
	}
}

func (c *Core) tell(a *simt.Access) {
	if c.m.Observe(a) {
		c.stop.Kind, c.stop.Lanes = simt.WatchEvent, a.Lanes
	}
}
