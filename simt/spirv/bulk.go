package spirv

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"simtgdb/simt"
	"simtgdb/simt/rows"
	"simtgdb/simt/rows/host"
)

// Entry points that end with what they store, as most short ones do, are executed in bulk where nobody looks:
// one translation runs a wave from its beginning to its end (whole.go, rows.Whole), without a state of its
// own.

// bulkAfter is after how many workgroups an entry point is translated so, if there are not many.
var bulkAfter = 8

// A bulk is a program that may be executed in bulk.
type bulk struct {
	judging judging

	code      *host.Bulk // nil of one that is not
	low       *lowerer
	has       map[int]bool // blocks
	blocks    []*block     // of instructions, by number
	undefined bool         // values that nothing gives
	used      []usedComponent
	state     *State // whose slots the code works on
	seen      int    // workgroups
	launched  bool   // slots have what the launch decides
	begin     start
	wave      simt.Wave
	ways      rows.Ways

	ahead rows.Foresight
	told  bool // observers are told of waves
	group *simt.Workgroup
	index int        // of the wave that executes, in the workgroup
	now   *simt.Wave // that wave, if observers are told of it

	uniform []byte
	items   []uint32 // of a workgroup of this size and of its waves
	size    [3]uint32
	counts  []simt.Stats
}

// A component is one of a built-in variable.
type component struct {
	builtin uint32
	i       int
}

// A usedComponent is one that the code wants to be told, by at if that is the same in all lanes.
type usedComponent struct {
	component
	uniform bool
	at      func(t *start, lane, i int) uint64
}

// Where components are in rows.Uniform, those that are the same in all lanes, and in rows.Items.
const (
	componentBytes = 8
	builtinBytes   = 3 * componentBytes
	uniformBytes   = 48 * builtinBytes

	localBytes = 12
	atIndex    = 12
	atLane     = 16
	itemsBytes = 20
)

func (c component) at() uint64 { return uint64(c.builtin)*builtinBytes + uint64(c.i)*componentBytes }

const (
	localID    = 27
	invocation = 28 // the global id
	localIndex = 29
	subgroupID = 40
	laneID     = 41
)

// uniformly are the built-ins that are the same in all lanes of a workgroup.
var uniformly = map[uint32]bool{24: true, 25: true, 26: true, 30: true, 31: true, 32: true, 33: true,
	36: true, 37: true, 38: true, 39: true, subgroupID: true}

// RunBulk implements simt.BulkRunner.
func (c *core) RunBulk(g *simt.Workgroup, n uint64) (done []simt.Stats, tried bool) {
	return c.RunSeries(g, 1, n)
}

// RunSeries implements simt.SeriesRunner.
func (c *core) RunSeries(g *simt.Workgroup, groups int, n uint64) (done []simt.Stats, tried bool) {
	if !c.readyBulk() {
		return nil, false
	}
	b := c.bulk
	b.counts = slices.Grow(b.counts[:0], groups*c.m.WavesOf(g))
	b.group, b.told = g, len(g.Waves) > 0
	c.listen()
	b.ahead.Begin(c.m, b.told)
	defer b.ahead.End()
	for left := groups; c.runGroup(left*c.m.WavesOf(g), n); c.m.PlaceGroupBehind(g) {
		if left--; left == 0 {
			break
		}
	}
	return b.counts, true
}

// readyBulk reports whether workgroups are executed in bulk, and prepares for it.
func (c *core) readyBulk() bool {
	b := c.bulk
	if j := c.judging(); b == nil || b.judging.undefined != j.undefined ||
		(b.judging.aimed != nil) != (j.aimed != nil) {
		b = &bulk{judging: j}
		c.bulk = b
	}
	b.see(c)
	if b.code == nil || !host.Available() {
		return false
	}
	if c.checkBreaks(); c.breaks != nil {
		for i := range b.has {
			if c.breaks[i] {
				return false
			}
		}
	}
	c.checkPlaces()
	if !b.launched {
		b.launch(c.isa)
	}
	follows := c.m.Follows()
	return !follows.NaN && (!follows.Values || !b.undefined)
}

// runGroup executes the waves of the bulk's workgroup, up to n instructions of each; with those of the
// workgroups behind it there are so many left. It reports whether all have come to their ends.
func (c *core) runGroup(left int, n uint64) bool {
	b, g := c.bulk, c.bulk.group
	b.place(c, g)
	first := c.m.FirstWave(g)
	valid := uint64(g.Size[0]) * uint64(g.Size[1]) * uint64(g.Size[2])
	for i := 0; valid > 0; i++ {
		active := allLanes(c.lanes)
		if valid < uint64(c.lanes) {
			active = 1<<valid - 1
		}
		valid -= min(valid, uint64(c.lanes))
		binary.LittleEndian.PutUint32(b.uniform[component{subgroupID, 0}.at():], uint32(i))
		b.code.Say(b.uniform, b.items[i*itemsBytes/4*c.lanes:])
		b.index, b.now = i, nil
		switch {
		case !b.told:
			b.code.Noted = 0
		case !b.ahead.Wave(first+i, active, left-i):
			c.tellBulk()
		}
		insts, lanes, ok := b.code.Run(active, n, func(a *rows.Access) rows.Slot {
			b.ahead.Again()
			return c.slotOf(a, b.low, b.code.Rows[int(a.Reg)*c.lanes+bits.TrailingZeros64(b.code.Active)])
		})
		if !ok {
			return false
		}
		if b.told && !b.ahead.Ended() {
			c.m.EndedInBulk(c.tellBulk())
			b.ahead.Told(c.lanes)
		}
		c.counted.Insts += insts
		b.counts = append(b.counts, simt.Stats{Waves: 1, Insts: insts, LaneInsts: lanes})
	}
	return true
}

// see counts a workgroup, and makes the code if there have been enough or are many.
func (b *bulk) see(c *core) {
	if b.seen > bulkAfter {
		return
	}
	if b.seen++; c.m.Dispatch.Many() {
		b.seen = bulkAfter + 1
	}
	if b.seen > bulkAfter && host.Available() {
		b.make(c.p)
	}
}

// tellBulk is the wave that executes, of which observers are told from here on.
func (c *core) tellBulk() *simt.Wave {
	b := c.bulk
	if b.now == nil {
		b.now = c.m.BulkWave(b.group, b.index)
		b.ahead.Tell(b.now, c.lanes)
		c.notes(&b.code.Context, &b.ways, b.now, true)
	}
	return b.now
}

// listen has the code tell of what waves do, if observers are told of them.
func (c *core) listen() {
	b := c.bulk
	b.code.Together = nil
	if !b.told {
		return
	}
	if b.code.Note == nil {
		b.code.Note = func(n rows.Note) bool {
			if b.now == nil && b.ahead.Foresaw(n, b.code.Active, b.state.f, c.lanes) {
				return true
			}
			return c.note(n, c.tellBulk(), b.code.Active, b.state.f, b.low, b.blocks, b.ahead.Now())
		}
	}
	if c.m.Ordered() {
		b.code.Together = func(lanes uint64) {
			w := c.tellBulk()
			b.ahead.Now().Odd()
			w.Exec = lanes
			c.m.Together(w, lanes)
		}
	}
}

// make makes the code.
func (b *bulk) make(p *Program) {
	for _, q := range p.entry.params {
		if p.passedByValue(q.res) {
			return
		}
	}
	w := newWhole(p)
	w.low.judging = b.judging
	end := w.end()
	units, err := rows.Whole(w, w.low.first[p.entry.blocks[0].index], end, p.slots, p.masks(), true)
	if err != nil || w.failed {
		return
	}
	b.has, b.low, b.state, b.blocks, b.undefined = w.lower, w.low, newState(
		p, p.o.SubgroupSize), w.block, len(p.undefinedSlots()) > 0
	for c := range w.used {
		b.used = append(b.used, usedComponent{c, uniformly[c.builtin], builtins[c.builtin]})
	}
	masks := make([]uint32, p.masks()*rows.MaskWords(b.state.lanes))
	order := w.order(units)
	code, err := p.codeOf(units, nil, order != nil, b.judging.plain(), b.state.lanes)
	if err == nil {
		b.code = host.NewBulk(code, units[0].At, end, b.state.f, masks, nil, b.state.lanes, order)
	}
	b.uniform = make([]byte, uniformBytes)
}

// launch says what is the same for all workgroups.
func (b *bulk) launch(isa *ISA) {
	b.state.reset()
	b.wave = simt.Wave{Size: b.state.lanes}
	isa.startArgs(&b.wave, b.state)
	b.begin.isa, b.begin.w, b.begin.d = isa, &b.wave, nil
	b.launched = true
}

// place says where a workgroup is, and its items.
func (b *bulk) place(c *core, g *simt.Workgroup) {
	t := &b.begin
	t.d, b.wave.Group = &c.m.Dispatch, g
	for _, u := range b.used {
		var v uint64
		switch {
		case u.uniform:
			v = u.at(t, 0, u.i)
		case u.builtin == invocation: // of the first item
			v = at3(t.isa.launch.Offset, u.i) + at3(g.ID, u.i)*at3(t.d.Block, u.i)
		}
		binary.LittleEndian.PutUint64(b.uniform[u.component.at():], v)
	}
	if g.Size == b.size {
		return
	}
	b.size = g.Size
	n := int(g.Size[0] * g.Size[1] * g.Size[2])
	lanes := b.state.lanes
	waves := (n + lanes - 1) / lanes
	b.items = make([]uint32, waves*itemsBytes/4*lanes)
	for i := range waves {
		w := simt.Wave{Index: i, Size: lanes, Group: g}
		for l := range lanes {
			row := b.items[i*itemsBytes/4*lanes+l:]
			for d, v := range w.WorkItem(l) {
				row[d*lanes] = v
			}
			row[atIndex/4*lanes], row[atLane/4*lanes] = uint32(i*lanes+l), uint32(l)
		}
	}
}

// Finish implements simt.BulkRunner.
func (c *core) Finish(w *simt.Wave) {
	s := w.Regs.(*State)
	simt.Lanes(w.Valid, func(l int) { s.ended[l] = w.PC })
}
