package ptx

import (
	"simtgdb/simt"
	"simtgdb/simt/rows"
	"simtgdb/simt/vec"
)

// A told is what translated code tells observers with.
type told struct {
	rowOf  simt.RowOf
	teller rows.Teller
}

// notes are the kinds of accesses of which those who want to know can be told by translated code, and those
// that it leaves to the core. They are in it as it has them: [rows.Context].
func (c *Core) notes(x *rows.Context, w *simt.Wave, wanted func(s simt.Space, write bool) bool) {
	x.Noted = 0
	for i, s := range [...]simt.Space{rows.Global: simt.Global, rows.Shared: simt.LDS, rows.Private: simt.Scratch} {
		for k, write := range []bool{false, true} {
			is := wanted(s, write)
			if is && s != simt.Scratch && c.m.Notes(w, s, write) {
				x.Noted |= rows.NoteBit(rows.Space(i), write)
				is = false
			}
			x.Wanted[i][k] = bit(is)
		}
	}
}

// note tells of accesses of translated code, of lanes of a wave; k is the kernel if that is executed in bulk.
// It reports whether that was all.
func (c *Core) note(n rows.Note, w *simt.Wave, active uint32, r []uint64, p []uint32, k *kernel) bool {
	a := &c.noted
	c.rowOf.Forget()
	later := k == nil && c.native.x.Telling != 0
	if later {
		c.teller.Tell(&c.native.x, c.isa.addr)
	}
	for ; len(n) > 0; n = n[1:] {
		o, at, size := n[0].Op, n[0].Inst, n[0].Op.Size
		for len(n) > 1 && n[1].Inst == at { // elements of one access
			n, size = n[1:], size+n[1].Op.Size
		}
		if later && o.Space == rows.Shared && !n[0].Now {
			continue
		}
		mask := active & under(o.Under, p)
		if mask == 0 {
			continue
		}
		if k != nil {
			w.Regs.(*simt.BulkState).Calls = k.at[at].calls
			at = k.at[at].at
		}
		if o.Kind == rows.Load && o.Space == rows.Global && mask == fullMask {
			row := r[int(o.S[0].Reg)*warpSize:][:warpSize]
			many, ok := c.rowOf.Lanes(o.S[0].Reg, row, size)
			if ok && c.m.NoteRow(w, c.isa.addr(at), row[0]+uint64(o.Offset), size, 0, many) {
				continue
			}
		}
		c.mover.Reach(c.access.places(), (*vec.Wide)(r[int(o.S[0].Reg)*warpSize:]), uint64(o.Offset), mask)
		write := o.Kind == rows.Store
		*a = simt.Access{Wave: w, PC: c.isa.addr(at), Space: simt.Global, Read: !write, Write: write, Size: size,
			Lanes: uint64(mask), Addr: &c.access.addr}
		if o.Space == rows.Shared {
			a.Space = simt.LDS
		}
		if !c.m.Note(a) {
			return false
		}
		if later && a.Space == simt.LDS { // what leaves records depends on what is written
			c.teller.Again(&c.native.x, c.m)
		}
	}
	return true
}
