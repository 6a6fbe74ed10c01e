package gcn

import (
	"math/bits"

	"simtgdb/simt"
)

// runTransposed executes ds_read_*_tr_* (CDNA4 ISA, section "LDS transpose
// loads"). What the 16 lanes of a group read, one lane's after the other's, is
// a matrix with 16 columns of items of so many bits; each lane gets a column.
// Inactive lanes read zeros.
func runTransposed(a *access, width uint) func(*Core, *Inst) {
	return func(c *Core, in *Inst) {
		w := c.w
		if w.Exec == 0 {
			return
		}
		read := c.out[:a.size/4]
		clear(read)
		c.beginAccess(read, nil, nil)
		c.checkLDS(a, w.Exec, c.addresses32(&c.r.V[in.src[0].reg], uint32(in.simm), 0, w.Exec))
		if c.raise(in, a) {
			return
		}
		c.moveLDS(in, a, w.Exec)
		const columns = 16
		dst := c.registers(&in.dst)
		perLane := uint(8*a.size) / width
		for m := w.Exec; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & (simt.MaxLanes - 1)
			for d := range dst {
				dst[d][l] = 0
			}
			for row := range perLane {
				item := row*columns + uint(l%columns) // of the group's
				v := bitsAt(read, l&^(columns-1)+int(item/perLane), item%perLane*width, width)
				depositBits(dst, l, row*width, width, v)
			}
		}
	}
}

// bitsAt are up to 32 bits of a lane's registers, the first being those of the first register.
func bitsAt(v []Vector, lane int, at, width uint) uint32 {
	x := uint64(v[at/32][lane&63])
	if at%32+width > 32 {
		x |= uint64(v[at/32+1][lane&63]) << 32
	}
	return uint32(x >> (at % 32) & (1<<width - 1))
}

// depositBits puts bits into a lane's registers, where zeros are.
func depositBits(v []Vector, lane int, at, width uint, bits uint32) {
	x := uint64(bits) << (at % 32)
	v[at/32][lane&63] |= uint32(x)
	if at%32+width > 32 {
		v[at/32+1][lane&63] |= uint32(x >> 32)
	}
}
