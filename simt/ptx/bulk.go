package ptx

import (
	"encoding/binary"
	"slices"

	"simtgdb/simt"
	"simtgdb/simt/rows"
	"simtgdb/simt/rows/host"
)

// Kernels that end with what they store, as most short ones do, are executed in bulk where nobody looks: one
// translation runs a wave from its beginning to its end (inline.go, rows.Whole), without a state, paths and
// activations.

// bulkAfter is after how many workgroups a kernel is translated so, if there are not many.
var bulkAfter = 8

// A kernel is an entry point that may be executed in bulk.
type kernel struct {
	bulk   *host.Bulk  // nil for one that is not
	seen   int         // workgroups
	frames uint64      // bytes of private memory that a lane has for frames
	of     []*function // whose statements it has
	aimed  bool        // it sees to where accesses lead
	at     []placed    // statements by their instructions' numbers
	unset  bool        // registers are read that nothing has written
	judged bool        // there are statements that may do what is undefined
	apart  int         // the first so many statements, one behind the other, access no memory of others

	ways   rows.Ways
	ahead  rows.Foresight
	told   bool // observers are told of waves
	group  *simt.Workgroup
	index  int // of the wave that executes, in the workgroup,
	active uint32
	now    *simt.Wave // and that wave, if observers are told of it
	places
	counts []simt.Stats
}

// A places has what is in rows.Uniform and rows.Items, for the launch that is under way.
type places struct {
	launched bool     // uniform has the arguments
	uniform  []byte   // as at… say, then the arguments
	items    []uint32 // of a workgroup of this size and of its waves
	size     [3]uint32
}

// Where things are in rows.Uniform and rows.Items.
const (
	atBlock     = 12 * iota // %ntid
	atGroup                 // %ctaid
	atGroups                // %nctaid
	atWarp                  // %warpid, then how many there are
	atArguments = 64

	atLocal    = 0 // %tid
	atLane     = 12
	itemsBytes = 16
)

// RunBulk implements simt.BulkRunner.
func (c *Core) RunBulk(g *simt.Workgroup, n uint64) (done []simt.Stats, tried bool) {
	return c.RunSeries(g, 1, n)
}

// RunSeries implements simt.SeriesRunner.
func (c *Core) RunSeries(g *simt.Workgroup, groups int, n uint64) (done []simt.Stats, tried bool) {
	k := c.kernel(&c.m.Dispatch, 1)
	if k == nil || !host.Available() {
		return nil, false
	}
	c.checkGeneration()
	c.checkPlaces()
	c.bulk = k
	if !k.launched && !k.launch(c) {
		return nil, false
	}
	follows := c.m.Follows()
	if follows.NaN || follows.Values && k.unset || c.m.Judged() && k.judged {
		return nil, false
	}
	k.counts = slices.Grow(k.counts[:0], groups*c.m.WavesOf(g))
	k.group, k.told = g, len(g.Waves) > 0
	k.ahead.Begin(c.m, k.told)
	defer k.ahead.End()
	for left := groups; c.runGroup(k, left*c.m.WavesOf(g), n); c.m.PlaceGroupBehind(g) {
		if left--; left == 0 {
			break
		}
	}
	return k.counts, true
}

// runGroup executes the waves of a kernel's workgroup, up to n instructions of each; with those of the
// workgroups behind it there are so many left. It reports whether all have come to their ends.
func (c *Core) runGroup(k *kernel, left int, n uint64) bool {
	g := k.group
	k.place(g)
	first := c.m.FirstWave(g)
	valid := uint64(g.Size[0]) * uint64(g.Size[1]) * uint64(g.Size[2])
	for i := 0; valid > 0; i++ {
		active := uint32(fullMask)
		if valid < warpSize {
			active = 1<<valid - 1
		}
		valid -= min(valid, warpSize)
		k.say(&k.bulk.Context, i)
		k.index, k.now, k.active = i, nil, active
		switch {
		case !k.told:
			k.bulk.Noted = 0
		case !k.ahead.Wave(first+i, uint64(active), left-i):
			c.tellBulk(k)
		}
		insts, lanes, ok := k.bulk.Run(uint64(active), n, func(a *rows.Access) rows.Slot {
			k.ahead.Again()
			return c.slotOf(a, active, k.bulk.Rows, k.bulk.Masks)
		})
		if !ok {
			return false
		}
		if k.told && !k.ahead.Ended() {
			c.m.EndedInBulk(c.tellBulk(k))
			k.ahead.Told(warpSize)
		}
		c.counted.Insts += insts
		k.counts = append(k.counts, simt.Stats{Waves: 1, Insts: insts, LaneInsts: lanes})
	}
	return true
}

// tellBulk is the wave of a kernel that executes, of which observers are told from here on.
func (c *Core) tellBulk(k *kernel) *simt.Wave {
	if k.now != nil {
		return k.now
	}
	k.now = c.m.BulkWave(k.group, k.index)
	k.ahead.Tell(k.now, warpSize)
	c.notes(&k.bulk.Context, &k.ways, k.now, func(s simt.Space, write bool) bool {
		return !c.m.WantedAnywhere(k.now, s, write).Empty()
	})
	if k.bulk.Note == nil {
		k.bulk.Note = func(n rows.Note) bool {
			r := k.bulk.Rows
			return k.now == nil && k.ahead.Foresaw(n, uint64(k.active), r, warpSize) ||
				c.note(n, c.tellBulk(k), k.active, r, k.bulk.Masks, k)
		}
	}
	return k.now
}

// kernel is the entry point of a dispatch, workgroups of which are to be executed so many times more, or nil
// if that is not executed in bulk.
func (c *Core) kernel(d *simt.Dispatch, times int) *kernel {
	fn := c.isa.funcAt(d.Entry)
	if fn == nil || !fn.src.Defined {
		return nil
	}
	k := c.kernels[fn]
	if k == nil || k.aimed != c.m.Follows().Objects {
		if c.kernels == nil {
			c.kernels = map[*function]*kernel{}
		}
		k = &kernel{aimed: c.m.Follows().Objects}
		c.kernels[fn] = k
	}
	if k.seen <= bulkAfter {
		if k.seen += times; d.Many() {
			k.seen = bulkAfter + 1
		}
		if k.seen > bulkAfter {
			c.whole(fn, k)
		}
	}
	if k.bulk == nil || k.frames > (d.ScratchLimit+3)/4*4 {
		return nil
	}
	for _, fn := range k.of {
		if k.aimed && c.isa.aims(fn).dynamic {
			return nil
		}
		if c.m.BreaksWithin(c.isa.addr(fn.start), c.isa.addr(fn.end)) {
			return nil
		}
	}
	return k
}

// launch says what is the same for all workgroups. It reports whether all of it is known.
func (k *places) launch(c *Core) bool {
	r := c.mem.Find(c.isa.launch.Args)
	if r == nil {
		return false
	}
	d := &c.m.Dispatch
	args := r.Data[c.isa.launch.Args-r.Base:]
	k.uniform = append(k.uniform[:0], make([]byte, atArguments)...)
	k.uniform = append(k.uniform, args[:min(len(args), mostArguments)]...)
	k.uniform = append(k.uniform, make([]byte, mostArguments+atArguments-len(k.uniform))...)
	put3(k.uniform[atBlock:], d.Block)
	put3(k.uniform[atGroups:], d.Groups())
	k.launched = true
	return true
}

// say says what there is of a workgroup's wave.
func (k *places) say(x *rows.Context, wave int) {
	binary.LittleEndian.PutUint32(k.uniform[atWarp:], uint32(wave))
	x.Say(k.uniform, k.items[wave*itemsBytes/4*warpSize:])
}

// mostArguments is how many bytes a kernel has for them (PTX ISA, "Kernel Function Parameters").
const mostArguments = 32764

// place says where a workgroup is, and its items.
func (k *places) place(g *simt.Workgroup) {
	put3(k.uniform[atGroup:], g.ID)
	if g.Size == k.size {
		return
	}
	k.size = g.Size
	n := int(g.Size[0] * g.Size[1] * g.Size[2])
	waves := (n + warpSize - 1) / warpSize
	binary.LittleEndian.PutUint32(k.uniform[atWarp+4:], uint32(waves))
	k.items = make([]uint32, waves*itemsBytes/4*warpSize)
	for i := range waves {
		w := simt.Wave{Index: i, Size: warpSize, Group: g}
		for l := range warpSize {
			row := k.items[i*itemsBytes/4*warpSize+l:]
			for d, v := range w.WorkItem(l) {
				row[(atLocal/4+d)*warpSize] = v
			}
			row[atLane/4*warpSize] = uint32(l)
		}
	}
}

func put3(p []byte, v [3]uint32) {
	for i, x := range v {
		binary.LittleEndian.PutUint32(p[4*i:], x)
	}
}

// Repeats implements simt.Repeater.
func (c *Core) Repeats(w *simt.Wave) bool {
	k := c.kernel(&c.m.Dispatch, 0)
	return k != nil && w.Insts <= uint64(k.apart) && w.PC == c.isa.addr(k.at[w.Insts].at)
}

// Finish implements simt.BulkRunner.
func (c *Core) Finish(w *simt.Wave) {
	st := w.Regs.(*state)
	st.paths, st.cur, st.exited = nil, nil, st.valid
}
