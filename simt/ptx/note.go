package ptx

import (
	"simtgdb/simt"
	"simtgdb/simt/rows"
	"simtgdb/simt/vec"
)

// A told is what translated code tells observers with.
type told struct {
	loads  rows.LoadNoter
	teller rows.Teller
	ways   rows.Ways // of paths
}

// notes are the kinds of accesses of which those who want to know can be told by translated code, and those
// that it leaves to the core. They are in it as it has them: [rows.Context].
func (c *Core) notes(x *rows.Context, ways *rows.Ways, w *simt.Wave,
	wanted func(s simt.Space, write bool) bool) {
	if ways.Still(x, c.m, w) {
		return
	}
	x.Noted = 0
	for i, s := range [...]simt.Space{rows.Global: simt.Global, rows.Shared: simt.LDS,
		rows.Private: simt.Scratch} {
		for k, write := range []bool{false, true} {
			is := wanted(s, write)
			if is && s != simt.Scratch && c.m.Notes(w, s, write) {
				x.Noted |= rows.NoteBit(rows.Space(i), write)
				is = false
			}
			x.Wanted[i][k] = bit(is)
		}
	}
	ways.Keep(x)
}

// note tells of accesses of translated code, of lanes of a wave; k is the kernel if that is executed in bulk.
// It reports whether that was all.
func (c *Core) note(n rows.Note, w *simt.Wave, active uint32, r []uint64, p []uint32, k *kernel) bool {
	a := &c.noted
	later := k == nil && c.native.x.Telling != 0
	keep := c.team.Keeps()
	where := func(inst int32) (uint64, []uint64) { return c.isa.addr(inst), nil }
	if k != nil {
		keep, where = k.ahead.Now(), func(inst int32) (uint64, []uint64) {
			return c.isa.addr(k.at[inst].at), k.at[inst].calls
		}
	}
	if later {
		c.teller.Tell(&c.native.x, keep)
	}
	var calls []uint64
	for ; len(n) > 0; n = n[1:] {
		from := n
		o, at, size := n[0].Op, n[0].Inst, n[0].Op.Size
		if k != nil {
			calls = k.at[at].calls
			w.Regs.(*simt.BulkState).Calls = calls
			at = k.at[at].at
		}
		if done := c.loads.Note(c.m, w, n, uint64(active), r, warpSize, where); done > 0 {
			keep.Loads(n, &c.loads, calls, r, warpSize)
			n = n[done-1:]
			continue
		}
		for len(n) > 1 && n[1].Inst == n[0].Inst { // elements of one access
			n, size = n[1:], size+n[1].Op.Size
		}
		if later && o.Space == rows.Shared && !n[0].Now {
			continue
		}
		mask := active & under(o.Under, p)
		if mask == 0 { // who makes it is not as this one was
			continue
		}
		write := o.Kind == rows.Store
		*a = simt.Access{Wave: w, PC: c.isa.addr(at), Space: simt.Global, Read: !write, Write: write,
			Size: size, Lanes: uint64(mask)}
		if o.Space == rows.Shared {
			a.Space = simt.LDS
		}
		row := (*vec.Wide)(r[int(o.S[0].Reg)*warpSize:])
		if !c.m.NoteRow(a, row[:], uint64(o.Offset), ^uint64(0)) {
			c.mover.Reach(c.access.places(), row, uint64(o.Offset), mask)
			if a.Addr = &c.access.addr; !c.m.Note(a) {
				return false
			}
		}
		keep.Access(from, 1+len(from)-len(n), a, row[:], calls, ^uint64(0))
		if later && a.Space == simt.LDS { // what leaves records depends on what is written
			c.teller.Again(&c.native.x, c.m)
		}
	}
	return true
}
