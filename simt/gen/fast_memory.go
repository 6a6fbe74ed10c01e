package gen

import (
	"math/bits"
	"unsafe"

	"simtgdb/simt"
)

// A row is the data of a message's channels, one after the other.
type row [16 * maxChannels]byte

// A sendPlan is how a message of the data ports moves elements of channels, if
// that can be said when it is decoded: one address for each channel, of global
// or local memory, and a slot for each of its components.
type sendPlan struct {
	slots   int // channels per message
	size    int // bytes of a component in memory
	count   int // components, side by side in memory
	slot    int // bytes of a component in registers
	wide    bool
	write   bool
	atomic  bool
	address int // where the addresses are in the file
	data    int // where the data are, or will be
	n       int // their bytes
}

// planSend makes the plan of a message, or nil: then its row executes it.
func (in *Inst) planSend() *sendPlan {
	p := in.layOutSend()
	if p == nil || !p.wide && in.desc&255 != surfaceSLM && !in.isLSC() {
		return nil
	}
	return p
}

// layOutSend finds which elements a message moves, of whatever memory; nil for others.
func (in *Inst) layOutSend() *sendPlan {
	p := &sendPlan{slots: 8, slot: 4, count: 1}
	ctl, typ := in.desc>>8&63, uint8(in.desc>>14&31)
	known := false
	if in.isLSC() {
		if !p.lsc(in) || !p.place(in) {
			return nil
		}
		return p
	}
	switch key := (messageKey{uint8(in.exDesc & 15), typ}); key {
	case messageKey{sfidDC1, 0x10}, messageKey{sfidDC1, 0x1a}:
		p.wide, p.write = true, typ == 0x1a
		known = p.scattered(ctl)
	case messageKey{sfidDC1, 0x11}, messageKey{sfidDC1, 0x19}, messageKey{sfidDC1, 0x01},
		messageKey{sfidDC1, 0x09}:
		p.wide, p.write = typ&0x10 != 0, typ&0x08 != 0
		known = p.untyped(ctl)
	case messageKey{sfidDC0, 0x04}, messageKey{sfidDC0, 0x0c}:
		p.write = typ == 0x0c
		p.slots, p.size = 8<<(ctl&1), 1<<(ctl>>2&3)
		known = p.size <= 4
	}
	if !known || !p.place(in) {
		return nil
	}
	return p
}

// scattered reads the control of A64 scattered messages.
func (p *sendPlan) scattered(ctl uint32) bool {
	p.slots = 8 << (ctl >> 4 & 1)
	count := 1 << (ctl >> 2 & 3)
	switch ctl & 3 {
	case 0:
		if p.size = count; count == 8 {
			p.slot = 8
		}
		return true
	case 1:
		p.size, p.count = 4, count
		return true
	case 2:
		p.size, p.slot, p.count = 8, 8, count
		return true
	}
	return false
}

// untyped reads the control of untyped messages, whose bits 3:0 name the
// components that are left out.
func (p *sendPlan) untyped(ctl uint32) bool {
	p.size = 4
	p.count = map[uint32]int{0xe: 1, 0xc: 2, 0x8: 3, 0x0: 4}[ctl&15]
	switch ctl >> 4 & 3 {
	case 1:
		p.slots = 16
		return p.count > 0
	case 2:
		return p.count > 0
	}
	return false
}

// place finds addresses and data in the registers. It reports whether each is
// in one piece.
func (p *sendPlan) place(in *Inst) bool {
	one, two, response := in.messageLengths()
	g := in.gen
	one, two, response = one*g.regBytes, two*g.regBytes, response*g.regBytes
	width := 4
	if p.wide {
		width = 8
	}
	header := int(in.desc>>19&1) * g.regBytes
	if in.isLSC() {
		header = 0
	}
	p.address = g.grf(int(in.src[0].reg)) + header
	addresses := header + width*p.slots
	p.n = p.slots * p.slot * p.count
	switch {
	case addresses > one, p.n > len(row{}):
		return false
	case !p.write:
		p.data = g.grf(int(in.dst.reg))
		return in.dst.place == inGRF && p.n <= response
	case two == 0:
		p.data = g.grf(int(in.src[0].reg)) + addresses
		return addresses+p.n <= one
	}
	p.data = g.grf(int(in.src[1].reg))
	return addresses == one && p.n <= two
}

// runPlannedSend executes a message by its plan, if all channels access one
// region that they may access, and nobody wants to know.
func runPlannedSend(c *Core, in *Inst) {
	p := in.moves
	mask := c.channels(in) & uint32(uint64(1)<<p.slots-1)
	if mask == 0 {
		return
	}
	if !c.move(p, mask) {
		runMessage(c, in)
		return
	}
	c.lanes += uint64(bits.OnesCount32(c.channels(in)))
}

// places are where the channels' elements are in a region; 0 for channels that are off.
type places [maxChannels]int

// A layout says how the elements of a message's channels lie in memory.
type layout uint8

const (
	anywhere layout = iota
	sideBySide
	together // in one place
)

// move moves the elements of the channels in mask. It reports whether it
// could; else nothing has happened.
func (c *Core) move(p *sendPlan, mask uint32) bool {
	var at places
	mem, lie := c.placesOf(p, mask, &at)
	if mem == nil || c.told(p, mask, &at) {
		return false
	}
	file := c.r.file
	all := mask == uint32(uint64(1)<<p.slots-1)
	if lie == sideBySide && all && p.count == 1 && p.size == p.slot {
		if p.write {
			copy(mem[at[0]:], file[p.data:p.data+p.n])
		} else {
			copy(file[p.data:p.data+p.n], mem[at[0]:])
		}
		return true
	}
	if p.write {
		p.scatter(mem, file[p.data:p.data+p.n], &at, mask)
		return true
	}
	// The response may lie over the addresses, which have been read.
	out := (*row)(file[p.data:])
	into := out
	if !all {
		into = &c.moved
	}
	if lie == together && p.size == 4 {
		p.repeat(mem[at[bits.TrailingZeros32(mask)&31]:], into)
	} else {
		p.gather(mem, into, &at)
	}
	if !all {
		p.take(out, into, mask)
	}
	return true
}

// told reports whether observers may want to know of an access to some places.
func (c *Core) told(p *sendPlan, mask uint32, at *places) bool {
	space, base := simt.LDS, uint64(0)
	if p.wide {
		space, base = simt.Global, c.msg.region.Base
	}
	if !c.want.In(space, p.write) {
		return false
	}
	lo, hi := ^uint64(0), uint64(0)
	for m := mask; m != 0; m &= m - 1 {
		v := base + uint64(at[bits.TrailingZeros32(m)&31])
		lo, hi = min(lo, v), max(hi, v)
	}
	if c.keeps && p.wide && p.write {
		if c.beside.Touched(space, true, lo, hi+uint64(p.size*p.count)) {
			return true
		}
		c.mem.WillWrite(c.msg.region, lo-base, hi-lo+uint64(p.size*p.count))
		return false
	}
	return c.want.Touched(space, p.write, lo, hi+uint64(p.size*p.count))
}

// take copies the slots of a mask.
func (p *sendPlan) take(d, s *row, mask uint32) {
	part := p.slots * p.slot
	for i := range p.count {
		for m := mask; m != 0; m &= m - 1 {
			at := i*part + bits.TrailingZeros32(m)*p.slot
			le.PutUint32(d[at&(len(row{})-4):], le.Uint32(s[at&(len(row{})-4):]))
			if p.slot == 8 {
				le.PutUint32(d[(at+4)&(len(row{})-4):], le.Uint32(s[(at+4)&(len(row{})-4):]))
			}
		}
	}
}

// placesOf finds the memory that the channels in mask access, and where; nil
// if it is not one region that they may access.
func (c *Core) placesOf(p *sendPlan, mask uint32, at *places) (mem []byte, lie layout) {
	file, size := c.r.file, uint64(p.size*p.count)
	if !p.wide {
		mem = c.w.Group.LDS
		lie, most := layOut(p, (*[maxChannels]uint32)(unsafe.Pointer(&file[p.address])), SLMMask, 0, mask, at)
		if uint64(most)+size > uint64(len(mem)) {
			return nil, lie
		}
		return mem, lie
	}
	lead := le.Uint64(file[p.address+8*bits.TrailingZeros32(mask):])
	r := c.mem.FindFor(&c.msg.region, lead, size, 0)
	if r == nil {
		return nil, anywhere
	}
	need := simt.PermRead
	if p.write {
		need = simt.PermWrite
	}
	if r.Perm&need == 0 {
		return nil, anywhere
	}
	lie, most := layOut(p, (*[maxChannels]uint64)(unsafe.Pointer(&file[p.address])), ^uint64(0), r.Base,
		mask, at)
	if most > uint64(len(r.Data))-size {
		return nil, lie
	}
	return r.Data, lie
}

// layOut finds places, and the greatest of them, of addresses of which some bits count, in memory that begins
// at base.
func layOut[T uint32 | uint64](p *sendPlan, from *[maxChannels]T, count, base T, mask uint32, at *places) (
	layout, T) {
	lead := bits.TrailingZeros32(mask)
	one := from[lead&31]&count - base
	next := one - T(p.size*lead)
	var gaps, apart, most T
	for k := range p.slots {
		on := -T(mask >> k & 1)
		v := (from[k&31]&count - base) & on
		gaps |= (v ^ next) & on
		apart |= v ^ one&on
		most = max(most, v)
		at[k&31] = int(v)
		next += T(p.size)
	}
	switch {
	case apart == 0:
		return together, most
	case gaps == 0:
		return sideBySide, most
	}
	return anywhere, most
}

// repeat reads dwords that all channels have into a row of slots.
func (p *sendPlan) repeat(mem []byte, out *row) {
	for i := range p.count {
		v := le.Uint32(mem[4*i:])
		for k := range p.slots {
			le.PutUint32(out[(4*(i*p.slots+k))&(len(row{})-4):], v)
		}
	}
}

// gather reads elements into a row of slots. What channels that are not in mask
// get is anything.
func (p *sendPlan) gather(mem []byte, out *row, at *places) {
	switch {
	case p.size == 4:
		for i := range p.count {
			part := out[i*4*p.slots : (i+1)*4*p.slots]
			for k := 0; k < p.slots && len(part) >= 4; k++ {
				le.PutUint32(part, le.Uint32(mem[at[k&31]+4*i:]))
				part = part[4:]
			}
		}
	case p.size == 8:
		for i := range p.count {
			part := out[i*8*p.slots : (i+1)*8*p.slots]
			for k := 0; k < p.slots && len(part) >= 8; k++ {
				le.PutUint64(part, le.Uint64(mem[at[k&31]+8*i:]))
				part = part[8:]
			}
		}
	case p.size == 1:
		for k := range p.slots {
			le.PutUint32(out[4*k&127:], uint32(mem[at[k&31]]))
		}
	default:
		for k := range p.slots {
			le.PutUint32(out[4*k&127:], uint32(le.Uint16(mem[at[k&31]:])))
		}
	}
}

// scatter writes elements out of slots, in the order of channels.
func (p *sendPlan) scatter(mem, data []byte, at *places, mask uint32) {
	part := p.slots * p.slot
	for m := mask; m != 0; m &= m - 1 {
		k := bits.TrailingZeros32(m) & 31
		to := mem[at[k]:]
		from := data[k*p.slot:]
		switch p.size {
		case 4:
			for i := range p.count {
				le.PutUint32(to[4*i:], le.Uint32(from[part*i:]))
			}
		case 8:
			for i := range p.count {
				le.PutUint64(to[8*i:], le.Uint64(from[part*i:]))
			}
		case 1:
			to[0] = from[0]
		default:
			le.PutUint16(to, le.Uint16(from))
		}
	}
}
