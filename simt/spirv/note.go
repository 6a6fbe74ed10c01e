package spirv

import (
	"simtgdb/simt"
	"simtgdb/simt/rows"
)

// notes says which kinds of accesses translated code tells of by itself, and which it leaves to the core.
func (c *core) notes(x *rows.Context, ways *rows.Ways, w *simt.Wave, bulk bool) {
	if ways.Still(x, c.m, w) {
		return
	}
	x.Noted = 0
	for i, s := range [...]simt.Space{rows.Global: simt.Global, rows.Shared: simt.LDS,
		rows.Private: simt.Scratch} {
		for k, write := range []bool{false, true} {
			wanted := c.beside.In(s, write)
			if bulk || c.valued || c.judges {
				wanted = c.wants(w, s, write)
			}
			switch {
			case wanted && s != simt.Scratch && c.m.Notes(w, s, write):
				x.Noted |= rows.NoteBit(rows.Space(i), write)
				wanted = false
			case wanted && s == simt.Scratch && !write && c.m.SparesGiven(w):
				x.Wanted[i][k] = 2
				continue
			}
			x.Wanted[i][k] = uint32(one(wanted))
		}
	}
	ways.Keep(x)
}

// pcOf is where an instruction of translated code is.
func (c *core) pcOf(inst int32) uint64 {
	b := c.native.block[inst]
	return b.insts[inst-c.native.low.first[b.index]].pc
}

// note tells of accesses of translated code, in active lanes of a wave whose slots are f. blocks are those of
// instructions by number. It is kept in a Told, if there is one. It reports whether that was all.
func (c *core) note(n rows.Note, w *simt.Wave, active uint64, f []uint64, low *lowerer, blocks []*block,
	keep *rows.Told) bool {
	a := &c.noted
	later := c.native != nil && low == c.native.low && c.native.x.Telling != 0
	if later {
		c.teller.Tell(&c.native.x, keep)
	}
	where := func(inst int32) (uint64, []uint64) {
		b := blocks[inst]
		return b.insts[inst-low.first[b.index]].pc, nil
	}
	for ; len(n) > 0; n = n[1:] {
		if done := c.loads.Note(c.m, w, n, active, f, c.lanes, where); done > 0 {
			keep.Loads(n, &c.loads, nil, f, c.lanes)
			n = n[done-1:]
			continue
		}
		o := n[0].Op
		at := n[0].Inst
		if later && o.Space == rows.Shared && !n[0].Now {
			continue
		}
		b := blocks[at]
		in := &b.insts[at-low.first[b.index]]
		write := o.Kind == rows.Store
		*a = simt.Access{Wave: w, PC: in.pc, Space: simt.Global, Read: !write, Write: write, Size: o.Size,
			Lanes: active}
		pointer := f[int(o.S[0].Reg)*c.lanes:][:c.lanes]
		clean := ^uint64(0)
		if o.Space == rows.Shared {
			a.Space, clean = simt.LDS, ^uint64(apertureMask)
		}
		if !c.m.NoteRow(a, pointer, uint64(o.Offset), clean) {
			for l, p := range pointer {
				c.addr[l] = (p + uint64(o.Offset)) & clean
			}
			if a.Addr = &c.addr; !c.m.Note(a) {
				return false
			}
		}
		keep.Access(n, 1, a, pointer, nil, clean)
		if later && a.Space == simt.LDS { // what leaves records depends on what is written
			c.teller.Again(&c.native.x, c.m)
		}
	}
	return true
}
