package gen

import (
	"math/bits"

	"simtgdb/simt"
	"simtgdb/simt/contents"
	"simtgdb/simt/fidelity"
)

// A tracedMessage is a message under way: where what it has in registers comes from, which its response may
// lie over.
type tracedMessage struct {
	s       *origins
	in      *Inst
	pieces  *sendPlan
	file    []fidelity.Origins // before it
	payload fidelity.Origins   // all of it
	guard   fidelity.Origins   // of all channels
	// addresses are the bytes of those that channels have which a guard may have kept from storing.
	addresses []byte
}

// message begins to follow a message.
func (s *origins) message(c *Core, in *Inst) *tracedMessage {
	m := &tracedMessage{s: s, in: in, file: append([]fidelity.Origins(nil), s.file...)}
	if in.descInA0 || in.exDescInA0 {
		m.payload = s.of(offA0, arfBytes)
	} else if m.pieces = in.layOutSend(); m.pieces == nil {
		m.pieces = in.layOutAtomic()
	}
	if in.pred != 0 {
		pair, _ := in.flagPair()
		m.guard = s.of(offFlag+8*pair, 8)
	}
	if p := m.pieces; p != nil && p.write && m.guard != 0 {
		end := min(p.address+8*p.slots, len(c.r.file)) // those of 32 bits take half of that
		m.addresses = append(m.addresses, c.r.file[p.address:end]...)
	}
	for i, n := range m.lengths() {
		if o := &in.src[i]; o.place == inGRF {
			m.payload = s.t.Union(m.payload, s.of(in.gen.grf(int(o.reg)), n*in.gen.regBytes))
		}
	}
	return m
}

// lengths are how many registers the payloads have: those of a message whose descriptor is in a register may
// be any, as far as is known here.
func (m *tracedMessage) lengths() [2]int {
	one, two, _ := m.in.messageLengths()
	if m.in.descInA0 {
		one = 15
	}
	return [2]int{one, two}
}

// was is where n bytes of the file came from when the message began.
func (m *tracedMessage) was(at, n int) (o fidelity.Origins) {
	for end := min(at+n, len(m.file)); at < end; at++ {
		o = m.s.t.Union(o, m.file[at])
	}
	return o
}

// after follows what a message has done for some channels. Accesses to the thread's scratch are told of dword
// by dword, as those of the lanes whose memory lies there, channel by channel.
func (m *tracedMessage) after(c *Core, flow *fidelity.Flow, mask uint32) {
	t := m.s.t
	accesses := t.Accesses()
	switch {
	case mask == 0:
		if m.pieces == nil {
			m.respond(c, 0, mask)
		}
	case len(accesses) == 0:
		m.respond(c, t.Union(m.payload, c.trace.Own()), mask)
	case c.msg.block != noBlock:
		m.block(c, flow, accesses)
	case m.pieces == nil:
		m.anyhow(c, flow, accesses, mask)
	case accesses[0].Space == simt.Scratch:
		at := 0
		for k := range m.pieces.slots {
			for off := 0; mask>>k&1 != 0 && off < m.pieces.size*m.pieces.count && at < len(accesses); at++ {
				x := &accesses[at]
				m.piece(c, flow, x, bits.TrailingZeros64(x.Lanes)&(simt.MaxLanes-1), k, off)
				off += x.Size
			}
		}
	default:
		for i := range accesses {
			x := &accesses[i]
			for lanes := x.Lanes; lanes != 0; lanes &= lanes - 1 {
				l := bits.TrailingZeros64(lanes) & (simt.MaxLanes - 1)
				m.piece(c, flow, x, l, l-m.in.first, 0)
			}
		}
	}
	if m.guard != 0 && m.pieces != nil {
		for off := c.enabled(m.in) &^ mask & uint32(uint64(1)<<m.pieces.slots-1); off != 0; off &= off - 1 {
			m.skipped(c, bits.TrailingZeros32(off))
		}
	}
}

// reach tells of an address.
func (m *tracedMessage) reach(flow *fidelity.Flow, x *fidelity.Access, l int, o fidelity.Origins) {
	var lanes fidelity.Lanes
	lanes[l] = o
	m.s.t.Reached(fidelity.Address, flow.PC, flow.Text, &lanes, 1<<l)
}

// piece follows what an access has moved in a lane of memory, of channel k from a byte of its data on.
func (m *tracedMessage) piece(c *Core, flow *fidelity.Flow, x *fidelity.Access, l, k, off int) {
	t, p := m.s.t, m.pieces
	at, size := p.element(operandAddress, k)
	address := m.was(at, size)
	m.reach(flow, x, l, address)
	address = t.Union(address, m.guardOf(c, k))
	if p.atomic {
		old := t.Union(t.Load(x, l, 0, x.Size), address)
		after := old
		for i := range p.count {
			at, size := p.element(operandData+contents.Operand(i), k)
			after = t.Union(after, m.was(at, size))
		}
		t.Store(x, l, 0, x.Size, after)
		if m.in.dst.place == inGRF {
			m.s.set(m.in.gen.grf(int(m.in.dst.reg))+k*p.slot, p.slot, old)
		}
		return
	}
	for i := 0; i < x.Size; i++ {
		part, byte := (off+i)/p.size, (off+i)%p.size
		at := p.data + (part*p.slots+k)*p.slot
		if x.Write {
			t.Store(x, l, i, 1, t.Union(m.was(at+byte, 1), address))
			continue
		}
		from := t.Union(t.Load(x, l, i, 1), address)
		if m.s.set(at+byte, 1, from); byte == p.size-1 && p.size < p.slot { // what it is extended by
			m.s.set(at+p.size, p.slot-p.size, from)
		}
	}
}

// block follows a block, whose bytes lie in registers one after the other.
func (m *tracedMessage) block(c *Core, flow *fidelity.Flow, accesses []fidelity.Access) {
	t := m.s.t
	at, size := m.in.blockAddress()
	address := m.was(at, size)
	off := 0
	for n := range accesses {
		x := &accesses[n]
		l := bits.TrailingZeros64(x.Lanes) & (simt.MaxLanes - 1)
		m.reach(flow, x, l, address)
		come := t.Union(address, m.guard)
		for x.Space == simt.Scratch && off/4 < 64 && c.msg.dwords>>(off/4)&1 == 0 {
			off = off&^3 + 4
		}
		for i := range x.Size {
			at := c.msg.block + off + i
			if x.Write {
				t.Store(x, l, i, 1, t.Union(m.was(at, 1), come))
			} else {
				m.s.set(at, 1, t.Union(t.Load(x, l, i, 1), come))
			}
		}
		off += x.Size
	}
}

// anyhow follows a message of which it is not known what comes from what.
func (m *tracedMessage) anyhow(c *Core, flow *fidelity.Flow, accesses []fidelity.Access,
	mask uint32) {
	t := m.s.t
	all := t.Union(t.Union(m.payload, m.guard), c.trace.Own())
	for i := range accesses {
		x := &accesses[i]
		for lanes := x.Lanes; lanes != 0; lanes &= lanes - 1 {
			l := bits.TrailingZeros64(lanes) & (simt.MaxLanes - 1)
			if m.reach(flow, x, l, m.payload); x.Read {
				all = t.Union(all, t.Load(x, l, 0, x.Size))
			}
		}
	}
	for i := range accesses {
		x := &accesses[i]
		for lanes := x.Lanes; x.Write && lanes != 0; lanes &= lanes - 1 {
			t.Store(x, bits.TrailingZeros64(lanes)&(simt.MaxLanes-1), 0, x.Size, all)
		}
	}
	m.respond(c, all, mask)
}

// guardOf is where that comes from by which a channel executes the message, or does not.
func (m *tracedMessage) guardOf(c *Core, k int) fidelity.Origins {
	if m.guard == 0 {
		return 0
	}
	return c.traced.from(operandFlag, k)
}

// skipped follows a message that a channel does not execute, but would by another flag: then the registers or
// the memory that it moves its elements to would have something else. Of memory that is only so where its
// address is in the payload, not a surface's or a thread's scratch.
func (m *tracedMessage) skipped(c *Core, k int) {
	t, p := m.s.t, m.pieces
	guard := m.guardOf(c, k)
	if guard == 0 {
		return
	}
	if (!p.write || p.atomic) && m.in.dst.place == inGRF {
		for part := range max(p.count, 1) {
			at := p.data + (part*p.slots+k)*p.slot
			if p.atomic {
				at = m.in.gen.grf(int(m.in.dst.reg)) + k*p.slot
			}
			for i := range p.slot {
				m.s.set(at+i, 1, t.Union(m.s.of(at+i, 1), guard))
			}
		}
	}
	size := p.size * p.count
	if p.atomic {
		size = p.size
	}
	if x, ok := m.reachable(c, k, size); ok {
		t.Perhaps(x, 0, size, guard)
	}
}

// reachable is the memory that a channel would write by its payload. It reports whether there is some.
func (m *tracedMessage) reachable(c *Core, k, size int) (x *fidelity.Access, ok bool) {
	x = &fidelity.Access{Access: simt.Access{Wave: c.w, Space: simt.Global}}
	switch {
	case m.addresses == nil:
	case m.pieces.wide:
		x.Lane[0] = le.Uint64(m.addresses[8*k:])
		r := c.mem.Find(x.Lane[0])
		return x, r != nil && r.Holds(x.Lane[0], uint64(size))
	case m.in.desc&255 == surfaceSLM || m.in.isLSC():
		x.Space, x.Lane[0] = simt.LDS, uint64(le.Uint32(m.addresses[4*k:])&SLMMask)
		return x, x.Lane[0]+uint64(size) <= uint64(len(c.w.Group.LDS))
	}
	return x, false
}

// respond says where the whole response comes from, which keeps what it had for channels that do not execute.
func (m *tracedMessage) respond(c *Core, o fidelity.Origins, mask uint32) {
	message := m.in
	if message.described != nil {
		message = message.described
	}
	_, _, n := message.messageLengths()
	if message.dst.place != inGRF {
		return
	}
	o = m.s.t.Union(o, m.guard)
	at, size := message.gen.grf(int(message.dst.reg)), n*message.gen.regBytes
	if mask == m.in.all() {
		m.s.set(at, size, o)
		return
	}
	if o != 0 {
		for i := range size {
			m.s.set(at+i, 1, m.s.t.Union(m.s.of(at+i, 1), o))
		}
	}
}
