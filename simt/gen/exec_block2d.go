package gen

import "math/bits"

// Blocks of two dimensions: rectangles of elements of a surface of rows, which the address payload describes
// (vISA, "LSC_UNTYPED"; PRM of Ponte Vecchio, volume 8, "LSC 2D Block"). What is outside of the surface reads
// as zero and is not written.

// A block2D is what the payload of such a message says, and how the message's elements lie in registers.
type block2D struct {
	base          uint64
	bytes, rows   int // of the surface
	pitch         int
	x, y          int // of the block's first element
	width, height int // in elements
	blocks        int // side by side
	elem          int // bytes of an element
	transposed    bool
	packed        bool // those of a column that make a dword lie side by side
}

// Fields of the payload, in bytes.
const (
	block2DWidth  = 8
	block2DHeight = 12
	block2DPitch  = 16
	block2DX      = 20
	block2DY      = 24
	block2DShape  = 28
)

// readBlock2D reads the payload. It reports whether there is such a block.
func (c *Core) readBlock2D(in *Inst, f *lscForm) (b block2D, ok bool) {
	m := &c.msg
	if m.length[0] < 32 {
		return b, false
	}
	at := func(off int) int { return int(int32(c.r.u32(m.payload[0] + off))) }
	shape := c.r.u32(m.payload[0] + block2DShape)
	b = block2D{base: le.Uint64(c.r.file[m.payload[0]:]), bytes: at(block2DWidth)&0xffffff + 1,
		rows: at(block2DHeight)&0xffffff + 1, pitch: at(block2DPitch)&0xffffff + 1, x: at(block2DX),
		y: at(block2DY), width: int(shape&0xff) + 1, height: int(shape>>8&0xff) + 1,
		blocks: int(shape>>16&15) + 1, elem: f.typ.mem, transposed: in.desc>>15&1 != 0,
		packed: in.desc>>7&1 != 0}
	switch {
	case b.width*b.elem > 64 || b.height > 32 || b.width*b.blocks*b.elem > 64 && b.blocks > 1:
		return b, false
	case m.write && (b.blocks > 1 || b.transposed || b.packed), b.transposed && b.packed,
		b.packed && b.elem > 2 || b.transposed && b.elem < 4:
		return b, false
	}
	return b, true
}

// place is where an element of a block is, in bytes from where the data begin in registers.
func (b *block2D) place(block, x, y, regBytes int) int {
	power := func(n int) int { return 1 << bits.Len(uint(n-1)) }
	size, at := power(b.width)*b.height, power(b.width)*y+x
	switch {
	case b.transposed:
		size, at = power(b.height)*b.width, power(b.height)*x+y
	case b.packed:
		n := 4 / b.elem
		size, at = power(b.width)*((b.height+n-1)/n*n), (y/n*power(b.width)+x)*n+y%n
	}
	pitch := (size*b.elem + regBytes - 1) / regBytes * regBytes
	return block*pitch + at*b.elem
}

// size is how many bytes of registers the blocks have.
func (b *block2D) size(regBytes int) int { return b.place(b.blocks, 0, 0, regBytes) }

// moveBlock2D moves blocks of two dimensions: each row of them is an access of the first channel.
func (c *Core) moveBlock2D(in *Inst, f *lscForm) bool {
	m := &c.msg
	b, ok := c.readBlock2D(in, f)
	size := b.size(in.gen.regBytes)
	if !ok || m.write && size > m.length[1] || !m.write && size > m.respond {
		return false
	}
	m.slots, m.mask = 1, 1
	left := max(0, b.x)
	right := min(b.x+b.width*b.blocks, b.bytes/b.elem)
	top, bottom := max(0, b.y), min(b.y+b.height, b.rows)
	if left >= right {
		bottom = top
	}
	m.size = (right - left) * b.elem
	rows := map[int][]byte{}
	for y := top; y < bottom; y++ {
		m.addr[0] = b.base + uint64(y*b.pitch+left*b.elem)
		rows[y] = c.find(in, 0, m.addr[0], m.size)
	}
	if m.bad.Lanes != 0 {
		c.raise(in)
		return true
	}
	for y := top; y < bottom && c.want.In(m.space, m.write); y++ {
		m.addr[0] = b.base + uint64(y*b.pitch+left*b.elem)
		m.stores = stores{}
		c.observe(in)
	}
	if !m.write {
		clear(c.r.file[m.response:][:size])
	}
	for y := top; y < bottom; y++ {
		for x := left; x < right; x++ {
			n := x - b.x
			reg := b.place(n/b.width, n%b.width, y-b.y, in.gen.regBytes)
			mem := rows[y][(x-left)*b.elem:][:b.elem]
			if m.write {
				copy(mem, c.r.file[m.payload[1]+reg:])
			} else {
				copy(c.r.file[m.response+reg:][:b.elem], mem)
			}
		}
	}
	return true
}
