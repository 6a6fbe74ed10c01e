package spirv

import (
	"math"
	"math/bits"

	"simtgdb/simt"
	"simtgdb/simt/rows"
	"simtgdb/simt/rows/host"
)

// Functions whose blocks run often are translated (lower.go, package rows). Translated code executes the
// active lanes' instructions as long as these stay together and no others wait that run before; what it does
// not have, and where lanes part or meet, is the core's, which executes as many instructions as the code says
// and lets it go on. Instructions are counted as without it.

// translateAfter is how often a block runs before its function is translated.
var translateAfter uint8 = 12

// onTranslated is told how many instructions translated code has executed; it is for tests.
var onTranslated func(n uint64)

// mostTranslated bounds the instructions of a function that is translated.
const mostTranslated = 8192

// A translation is what a core has of translated code.
type translation struct {
	x     rows.Context
	low   *lowerer
	masks []uint32
	runs  []uint8                  // of blocks
	of    map[*function]*rows.Code // nil for functions that have none
	block []*block                 // by instruction
	known []*rows.Code
	rows.Entries

	undefined bool // there are OpUndefs
}

// translates reports whether the core may run translated code now: nobody follows what instructions do.
func (c *core) translates() bool {
	return !c.m.Interpret && !c.noticed && host.Available()
}

// runOthers executes up to n instructions without translated code: one, if somebody follows what they do.
func (c *core) runOthers(n uint64) uint64 {
	if c.valued || c.judges {
		return c.runJudged()
	}
	return c.runInsts(n)
}

// forgetPlaces empties what translations know of global memory.
func (c *core) forgetPlaces() {
	if t := c.native; t != nil {
		for _, code := range t.known {
			code.Forget()
		}
	}
	if c.bulk != nil && c.bulk.code != nil {
		c.bulk.code.Forget()
	}
}

// checkPlaces calls forgetPlaces if memory has changed.
func (c *core) checkPlaces() {
	if layout := c.m.Mem.Layout(); c.layout != layout {
		c.layout = layout
		c.forgetPlaces()
	}
}

func newTranslation(p *Program) *translation {
	t := &translation{undefined: len(p.undefinedSlots()) > 0, low: newLowerer(p),
		runs: make([]uint8, len(p.blocks)), masks: make([]uint32, p.masks()*rows.MaskWords(p.o.SubgroupSize)),
		of: map[*function]*rows.Code{}}
	for _, b := range p.blocks {
		for range b.insts {
			t.block = append(t.block, b)
		}
	}
	t.Entries = rows.NewEntries(len(t.block))
	return t
}

// runTranslated is runInsts by translated code, where there is any.
func (c *core) runTranslated(n uint64) uint64 {
	s := c.s
	if c.native == nil || c.native.low.judging.undefined != c.judges {
		c.native = newTranslation(c.p)
		c.native.low.judging = c.judging()
	}
	t := c.native
	code := c.codeHere()
	if code == nil {
		return c.runOthers(n)
	}
	at := t.low.first[s.b.index] + int32(s.i)
	entry := t.At[at]
	if entry == 0 {
		if ahead := uint64(t.Ahead[at]); ahead > 0 {
			n = min(n, ahead)
		}
		return c.runOthers(n)
	}
	if !c.followedWhole() {
		return c.runJudged()
	}
	c.callTranslated(code, entry, n)
	done := n - uint64(t.x.Budget)
	if onTranslated != nil {
		onTranslated(done)
	}
	c.counted.Ran(done, t.x.Budget > 0)
	c.w.Insts += done
	c.w.LaneInsts += done * uint64(bits.OnesCount64(c.mask))
	filled := code.Fill(&t.x, func(a *rows.Access) rows.Slot {
		return c.slotOf(a, t.low, c.one(a.Reg)[bits.TrailingZeros64(c.mask)])
	})
	if done > 0 {
		c.arrive(int32(t.x.At))
	}
	switch ahead := uint64(t.x.Go); {
	case done == n:
		return done
	case ahead > 0 && done == 0 && filled:
		return c.runOthers(min(n, ahead))
	case ahead > 0 && done == 0:
		if !c.valued {
			t.Bail(at)
		}
		return c.runOthers(min(n, ahead))
	case ahead > 0:
		return done + c.runOthers(min(n-done, ahead))
	case done == 0: // there is not enough time for it
		return c.runOthers(n)
	}
	return done
}

// followedWhole reports whether nothing that the wave has is without contents that somebody follows.
func (c *core) followedWhole() bool {
	return !c.valued || !c.native.undefined && c.known().Whole()
}

// codeHere is the translated code of the function that runs, if there is any, once it has run often enough.
func (c *core) codeHere() *rows.Code {
	t, b := c.native, c.s.b
	code, ok := t.of[b.fn]
	if !ok {
		if t.runs[b.index]++; t.runs[b.index] < translateAfter {
			return nil
		}
		code = c.translate(b.fn)
	}
	return code
}

// callTranslated runs translated code for the active lanes.
func (c *core) callTranslated(code *rows.Code, entry uintptr, n uint64) {
	t := c.native
	c.checkPlaces()
	x := &t.x
	x.Active, x.Budget, x.Stop = c.mask, int64(min(n, math.MaxInt64)), c.behind()
	c.placed(x)
	c.tells(x, code)
	code.Run(x, entry, c.f, t.masks)
	c.teller.Tell(x, nil)
}

// tells has code tell observers of what the wave does.
func (c *core) tells(x *rows.Context, code *rows.Code) {
	c.notes(x, &c.ways, c.w, false)
	if x.Note == nil {
		x.Note = c.Note
	}
	if c.teller.PC == nil {
		c.teller.PC = c.pcOf
	}
	c.teller.Begin(x, c.m, c.w, code)
}

// behind is the instruction from which on other lanes are to run first.
func (c *core) behind() int64 {
	if b := c.s.firstWaiting(c.s.b.fn); b != nil {
		return int64(c.native.low.first[b.index])
	}
	return math.MaxInt32
}

// arrive brings the active lanes to where translated code has left off.
func (c *core) arrive(at int32) {
	s, t := c.s, c.native
	if at < 0 {
		c.jump(t.low.edges[-1-at])
	} else {
		s.b = t.block[at]
		if s.i = int(at - t.low.first[s.b.index]); s.i == 0 &&
			(s.wait[s.b.index] != 0 || s.waitsBefore(s.b.fn, s.b)) {
			s.put(s.b, c.mask)
			c.next()
		}
	}
	c.w.PC = s.pc()
}

// firstWaiting is the first block of a function that lanes wait for, or nil.
func (s *State) firstWaiting(fn *function) *block {
	first := fn.blocks[0].index
	last := first + len(fn.blocks)
	for w := first >> 6; w<<6 < last; w++ {
		set := s.set[w]
		if w == first>>6 {
			set &= ^uint64(0) << (first & 63)
		}
		if i := w<<6 + bits.TrailingZeros64(set); set != 0 && i < last {
			return s.p.blocks[i]
		}
	}
	return nil
}

// translate makes code of a function; nil if there is none.
func (c *core) translate(fn *function) *rows.Code {
	t := c.native
	t.of[fn] = nil
	end := fn.blocks[len(fn.blocks)-1]
	first, last := t.low.first[fn.blocks[0].index], t.low.first[end.index]+int32(len(end.insts))
	if last-first > mostTranslated {
		return nil
	}
	units := t.low.units(fn, func(b *block) bool { return c.breaks != nil && c.breaks[b.index] })
	if len(units) == 0 {
		return nil
	}
	code, err := c.p.codeOf(units, fn, true, c.breaks == nil && t.low.judging.plain(), c.lanes)
	if err != nil {
		return nil
	}
	t.of[fn] = code
	t.known = append(t.known, code)
	for i := range units {
		if u := &units[i]; u.At >= 0 {
			t.At[u.At] = code.Entry[u.At]
		}
	}
	for at := first; at < last; at++ {
		b := t.block[at]
		if b.insts[at-t.low.first[b.index]].meets && (c.breaks == nil || !c.breaks[b.index]) {
			t.Meets[at] = 1
		}
	}
	for at := last - 2; at >= first; at-- {
		if t.block[at+1] == t.block[at] {
			t.Reach(at)
		}
	}
	return code
}

// codeOf makes code of a function's units, or of all in bulk if that is nil. plain says that no breakpoint
// and nobody who looks on has left some of it to the core: then cores share it.
func (p *Program) codeOf(units []rows.Unit, fn *function, order, plain bool, lanes int) (*rows.Code, error) {
	translate := func() (*rows.Code, error) { return host.Translate(units, order, lanes) }
	if !plain {
		return translate()
	}
	return p.shared.Code(fn, translate)
}

// slotOf is the memory of an access whose first lane has a pointer.
func (c *core) slotOf(a *rows.Access, low *lowerer, pointer uint64) rows.Slot {
	addr := pointer + uint64(a.Offset)
	if v := low.buffers[a.Reg]; v != nil && v.region != nil {
		switch {
		case !a.Write || !c.m.Mem.Keeps():
			return rows.SlotOf(v.region.Base, v.region.Data)
		case v.region.Holds(addr, 1):
			return c.keptOf(v.region, a, addr)
		}
		return rows.Slot{}
	}
	if r := c.m.Mem.Find(addr); r != nil && r.Holds(addr, 4) && c.allowed(r, &access{write: a.Write}) &&
		uint64(len(r.Data)) < 1<<47 {
		return c.kept(r, a, addr)
	}
	return rows.Slot{}
}

// keptOf is kept for a part of a region, of whose pages snapshots know.
func (c *core) keptOf(part *simt.Region, a *rows.Access, addr uint64) rows.Slot {
	r := c.m.Mem.Find(addr)
	if r == nil || !r.Holds(addr, 1) {
		return rows.Slot{}
	}
	s := c.kept(r, a, addr)
	lo, hi := max(s.Base, part.Base), min(s.Base+s.Size, part.End())
	return rows.SlotOf(lo, part.Data[lo-part.Base:hi-part.Base])
}

// kept is what may be accessed of a region around an address: of what is written, what snapshots have kept.
func (c *core) kept(r *simt.Region, a *rows.Access, addr uint64) rows.Slot {
	part := simt.Extent{Hi: uint64(len(r.Data))}
	if a.Write {
		part = c.m.Mem.WillWrite(r, addr-r.Base, min(a.Size, r.End()-addr))
	}
	return rows.SlotOf(r.Base+part.Lo, r.Data[part.Lo:part.Hi])
}
