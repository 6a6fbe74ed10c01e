package gen

import (
	"math"

	"simtgdb/simt"
	"simtgdb/simt/texel"
)

// Messages to typed surfaces: the data port's, which read and write texels of eight channels, and blocks of
// them as bytes.

// typedImage begins a typed message, whose coordinates are whole numbers: as many as the payload has before
// data, which are at the end of it. It returns where these begin.
func (c *Core) typedImage(in *Inst, dataRegs int) (x *imageMessage, data int, ok bool) {
	m, g := &c.msg, in.gen
	m.slots = 8
	high := m.ctl()>>4&3 == 2
	if high {
		m.mask >>= 8
	}
	if x = c.imageMessage(in); x == nil {
		return nil, 0, false
	}
	at := 0
	if m.header() {
		at = g.regBytes
	}
	data = m.length[0] + m.length[1] - dataRegs*g.regBytes
	const most = 4 // u, v, r, level
	for i := 0; i < most && at+g.regBytes <= data; i++ {
		from, there := m.at2(at, g.regBytes)
		if !there {
			return nil, 0, false
		}
		x.each(func(k int) {
			v := float64(c.r.u32(from + 4*k))
			if i == most-1 {
				x.op.Place[k].Lod = v
				return
			}
			x.place(k, i, v)
		})
		at += g.regBytes
	}
	return x, data, at > 0 && data >= at
}

// typedComponents are those that a message moves: whose bits are off.
func (m *msg) typedComponents() (list []int) {
	for i := range 4 {
		if m.ctl()>>i&1 == 0 {
			list = append(list, i)
		}
	}
	return list
}

// runTyped executes typed reads and writes.
func runTyped(c *Core, in *Inst) bool {
	m := &c.msg
	components := m.typedComponents()
	write := m.typ()&0x08 != 0
	if !write {
		return c.readTyped(in, components)
	}
	x, data, ok := c.typedImage(in, len(components))
	if x == nil || !ok {
		return x == nil
	}
	x.op.Write(x, func(k int, f *texel.Format) (t texel.Texel) {
		for n, i := range components {
			at, there := m.at2(data+n*in.gen.regBytes+4*k, 4)
			if there {
				t[i] = numberIn(f, c.r.u32(at))
			}
		}
		return t
	})
	return true
}

// numberIn is a number of a format's as a register has it.
func numberIn(f *texel.Format, v uint32) float64 {
	switch f.Numeric {
	case texel.Uint:
		return float64(v)
	case texel.Sint:
		return float64(int32(v))
	}
	return float64(math.Float32frombits(v))
}

func (c *Core) readTyped(in *Inst, components []int) bool {
	m := &c.msg
	x, _, ok := c.typedImage(in, 0)
	if x == nil {
		return true
	}
	if !ok || len(components)*in.gen.regBytes > m.respond {
		return false
	}
	x.each(func(k int) { x.out[k] = texel.Texel{} })
	if !x.op.Fetch(x, &x.out) || !x.ok {
		return true
	}
	code := floatBits
	if x.image.Format.Numeric.Integer() {
		code = integerBits
	}
	for n, i := range components {
		x.each(func(k int) { c.r.setU32(m.response+n*in.gen.regBytes+4*k, code(x.out[k][i])) })
	}
	return true
}

// runTypedAtomic executes atomic operations on texels of one number of 32 bits.
func runTypedAtomic(c *Core, in *Inst) bool {
	m := &c.msg
	ctl := m.ctl()
	op, back := &atomicOps[ctl&15], ctl>>5&1 != 0
	returnsNew := ctl&15 == atomicPreDecrement
	slotGroup := ctl >> 4 & 1
	if op.f == nil {
		return false
	}
	m.desc = m.desc&^(3<<12) | (1+slotGroup)<<12 // as reads and writes have it
	x, data, ok := c.typedImage(in, op.data)
	m.desc = in.desc
	if x == nil {
		return true
	}
	if !ok || x.image.Format.Size != 4 || x.image.Format.Channels() != 1 {
		return false
	}
	var addr [simt.MaxLanes]uint64
	outside := x.op.Locate(x.image, x.op.Lanes, &addr)
	copy(m.addr[:m.slots], addr[:])
	m.mask, m.write = uint32(x.op.Lanes&^outside), true
	if outside != 0 {
		if back {
			x.each(func(k int) { c.r.setU32(m.response+4*k, 0) })
		}
		x.Outside(outside, true)
	}
	return m.mask == 0 || c.moveAtomic(in, op, data, lscType{mem: 4, reg: 4}, back, returnsNew)
}

// mediaPitch is how far apart a block's rows are in registers, by how wide it is.
func mediaPitch(width int) int {
	pitch := 4
	for pitch < width {
		pitch *= 2
	}
	return pitch
}

// runMediaBlock executes block reads and writes of an image of two dimensions as bytes, whose place and size
// are in the header. What is outside is read as the last row or the last dword of a row, and not written.
func runMediaBlock(c *Core, in *Inst) bool {
	m, g := &c.msg, in.gen
	write := m.typ() == 0x0a
	if !m.header() || m.ctl()&7 != 0 {
		return false
	}
	header := func(i int) uint32 { return c.r.u32(m.payload[0] + 4*i) }
	left, top, size := int(int32(header(0))), int(int32(header(1))), header(2)
	width, height := int(size&63)+1, int(size>>16&63)+1
	pitch := mediaPitch(width)
	m.slots, m.mask = maxChannels, 1
	x := c.imageMessage(in)
	if x == nil {
		return true
	}
	if left%4 != 0 || width%4 != 0 || !m.mediaFits(write, g.regBytes, pitch*height) {
		return false
	}
	row := x.image.Size[0] * x.image.Format.Size
	for y := range height {
		for i := 0; i < width; i += 4 {
			at, line := left+i, top+y
			inside := at >= 0 && line >= 0 && at+4 <= row && line < x.image.Size[1]
			if write && !inside {
				continue
			}
			at, line = max(min(at, row-4)&^3, 0), max(min(line, x.image.Size[1]-1), 0)
			addr := [simt.MaxLanes]uint64{x.image.Address + uint64(line)*x.image.RowBytes(0) + uint64(at)}
			reg := m.response + y*pitch + i
			if write {
				reg, _ = m.at2(g.regBytes+y*pitch+i, 4)
			}
			if !x.Texels(1, &addr, 4, write, func(_ int, b []byte) {
				if write {
					copy(b, c.r.file[reg:reg+4])
				} else {
					copy(c.r.file[reg:reg+4], b)
				}
			}) {
				return true
			}
		}
	}
	return true
}

// mediaFits reports whether the payload, or the response, has a block.
func (m *msg) mediaFits(write bool, header, size int) bool {
	if write {
		return header+size <= m.length[0]+m.length[1]
	}
	return size <= m.respond
}
