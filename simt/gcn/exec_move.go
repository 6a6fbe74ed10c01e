package gcn

import (
	"encoding/binary"
	"math/bits"

	"simtgdb/simt"
)

// loadDwords reads as many dwords as there are destination registers.
func loadDwords(c *Core, p *pass) {
	for i := range p.dst {
		d, at := &p.dst[i], uint64(i)*p.step
		switch {
		case p.side:
			loadSide(d, p.mem[at:], p.mask)
		case p.mask == ^uint64(0):
			mem, at := p.mem, at-p.base
			for l := range d {
				d[l] = binary.LittleEndian.Uint32(mem[c.addr[l]+at:])
			}
		default:
			for m := p.mask; m != 0; m &= m - 1 {
				l := bits.TrailingZeros64(m) & 63
				d[l] = binary.LittleEndian.Uint32(p.mem[c.addr[l]-p.base+at:])
			}
		}
	}
}

// loadSide reads a dword for each lane from where they lie side by side.
func loadSide(d *Vector, mem []byte, mask uint64) {
	row := (*[4 * simt.MaxLanes]byte)(mem)
	if mask == ^uint64(0) {
		for l := range d {
			d[l] = binary.LittleEndian.Uint32(row[4*l : 4*l+4])
		}
		return
	}
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		d[l] = binary.LittleEndian.Uint32(row[4*l : 4*l+4])
	}
}

// storeDwords writes as many dwords as there are data registers. Where lanes
// write to the same place the highest wins.
func storeDwords(c *Core, p *pass) {
	for i := range p.data {
		s, at := &p.data[i], uint64(i)*p.step
		switch {
		case p.side:
			storeSide(s, p.mem[at:], p.mask)
		case p.mask == ^uint64(0):
			mem, at := p.mem, at-p.base
			for l := range s {
				binary.LittleEndian.PutUint32(mem[c.addr[l]+at:], s[l])
			}
		default:
			for m := p.mask; m != 0; m &= m - 1 {
				l := bits.TrailingZeros64(m) & 63
				binary.LittleEndian.PutUint32(p.mem[c.addr[l]-p.base+at:], s[l])
			}
		}
	}
}

func storeSide(s *Vector, mem []byte, mask uint64) {
	row := (*[4 * simt.MaxLanes]byte)(mem)
	if mask == ^uint64(0) {
		for l := range s {
			binary.LittleEndian.PutUint32(row[4*l:4*l+4], s[l])
		}
		return
	}
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		binary.LittleEndian.PutUint32(row[4*l:4*l+4], s[l])
	}
}

// loadNarrow reads 1 or 2 bytes; into makes the new value of the register
// from its old one and what was read.
func loadNarrow(size int, into func(old, v uint32) uint32, narrow narrowAccess) *access {
	return &access{size: size, narrow: &narrow, move: func(c *Core, p *pass) {
		d := &p.dst[0]
		for m := p.mask; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			at := c.addr[l] - p.base
			v := uint32(p.mem[at])
			if size == 2 {
				v |= uint32(p.mem[at+1]) << 8
			}
			d[l] = into(d[l], v)
		}
	}}
}

func zeroExtend(_, v uint32) uint32 { return v }
func signByte(_, v uint32) uint32   { return uint32(int8(v)) }
func signShort(_, v uint32) uint32  { return uint32(int16(v)) }

// The d16 forms replace one half of the register.
func lowHalf(old, v uint32) uint32      { return old&0xffff_0000 | v }
func highHalf(old, v uint32) uint32     { return old&0xffff | v<<16 }
func lowSignByte(old, v uint32) uint32  { return lowHalf(old, uint32(uint16(int8(v)))) }
func highSignByte(old, v uint32) uint32 { return highHalf(old, uint32(int8(v))) }

// storeNarrow writes 1 or 2 bytes of the register, from bit shift on.
func storeNarrow(size int, shift uint) *access {
	narrow := &narrowAccess{}
	if shift != 0 {
		narrow.part = highPart
	}
	return &access{size: size, write: true, narrow: narrow, move: func(c *Core, p *pass) {
		s := &p.data[0]
		for m := p.mask; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			at, v := c.addr[l]-p.base, s[l]>>shift
			p.mem[at] = byte(v)
			if size == 2 {
				p.mem[at+1] = byte(v >> 8)
			}
		}
	}}
}

// What the rows of all vector memory encodings have in common.
var (
	loadU8      = loadNarrow(1, zeroExtend, narrowAccess{})
	loadI8      = loadNarrow(1, signByte, narrowAccess{signed: true})
	loadU16     = loadNarrow(2, zeroExtend, narrowAccess{})
	loadI16     = loadNarrow(2, signShort, narrowAccess{signed: true})
	loadU8Low   = loadNarrow(1, lowHalf, narrowAccess{part: lowPart})
	loadU8High  = loadNarrow(1, highHalf, narrowAccess{part: highPart})
	loadI8Low   = loadNarrow(1, lowSignByte, narrowAccess{true, lowPart})
	loadI8High  = loadNarrow(1, highSignByte, narrowAccess{true, highPart})
	loadLow16   = loadNarrow(2, lowHalf, narrowAccess{part: lowPart})
	loadHigh16  = loadNarrow(2, highHalf, narrowAccess{part: highPart})
	load32      = &access{size: 4, dwords: true, move: loadDwords}
	load64      = &access{size: 8, dwords: true, move: loadDwords}
	load96      = &access{size: 12, dwords: true, move: loadDwords}
	load128     = &access{size: 16, dwords: true, move: loadDwords}
	store8      = storeNarrow(1, 0)
	store8High  = storeNarrow(1, 16)
	store16     = storeNarrow(2, 0)
	store16High = storeNarrow(2, 16)
	store32     = &access{size: 4, write: true, dwords: true, move: storeDwords}
	store64     = &access{size: 8, write: true, dwords: true, move: storeDwords}
	store96     = &access{size: 12, write: true, dwords: true, move: storeDwords}
	store128    = &access{size: 16, write: true, dwords: true, move: storeDwords}
)
