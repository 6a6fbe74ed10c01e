package ptx

import (
	"math/bits"

	"simtgdb/simt"
	"simtgdb/simt/rows"
	"simtgdb/simt/rows/host"
)

// Functions whose blocks run often are translated (lower.go, package rows). Translated code executes a path's
// statements as long as its lanes stay together; what it does not have, and where lanes part or meet, is the
// core's, which executes as many statements as the code says and lets it go on. Statements are counted as
// without it, and paths get their turns after as many.

// translateAfter is how often a block runs before its function is translated.
var translateAfter uint8 = 12

// onTranslated is told how many statements translated code has executed; it is for tests.
var onTranslated func(n uint64)

// mostTranslated bounds the statements of a function that is translated.
const mostTranslated = 8192

// A translation is what a core has of translated code.
type translation struct {
	told  bool // somebody is told of loads of arguments, which are the core's then
	x     rows.Context
	runs  []uint8                  // of blocks, by their first statement
	of    map[*function]*rows.Code // nil for functions that have none
	known []*rows.Code
	rows.Entries
	live map[*function]*liveness // of functions, while somebody follows what registers have

	at   int32 // a statement that the core executes, with left-1 more
	left int32
}

// translates reports whether the core may run translated code now: nobody follows what statements do.
func (c *Core) translates() bool {
	return !c.m.Interpret && c.tracker == nil && !c.noticed && host.Available()
}

// forgetTranslations throws all away, as breakpoints have changed.
func (c *Core) forgetTranslations() { c.native, c.natives = nil, [2]*translation{} }

// forgetPlaces empties what translations know of global memory.
func (c *Core) forgetPlaces() {
	for _, t := range c.natives {
		if t != nil {
			for _, code := range t.known {
				code.Forget()
			}
		}
	}
	for _, k := range c.kernels {
		if k.bulk != nil {
			k.bulk.Forget()
		}
	}
}

// checkPlaces calls forgetPlaces if memory has changed.
func (c *Core) checkPlaces() {
	if layout := c.mem.Layout(); c.layout != layout {
		c.layout = layout
		c.forgetPlaces()
	}
}

// translated runs translated code from a statement on and returns how many it has executed. If it is none,
// last is that up to which the core executes.
func (c *Core) translated(p *path, at, last int32, n uint64) (done uint64, upTo int32) {
	t := c.translation()
	if !c.places.launched && !c.places.launch(c) {
		return 0, last
	}
	fn := c.act.fn
	code, last := c.codeAt(fn, at, last)
	if code == nil {
		return 0, last
	}
	if !c.followedWhole(at, uint64(p.mask)) {
		return 0, last
	}
	budget := int64(min(n, uint64(max(turnInsts-c.st.spent, 0))))
	c.runTranslated(code, p, t.At[at], budget)
	c.followedTo(int32(t.x.At), uint64(p.mask))
	if done = uint64(budget - t.x.Budget); onTranslated != nil {
		onTranslated(done)
	}
	c.counted.Ran(done, t.x.Budget > 0)
	w := c.w
	w.Insts += done
	w.LaneInsts += done*uint64(bits.OnesCount32(p.mask)) - t.x.Off
	c.st.spent += int(done)
	p.pc = int32(t.x.At)
	filled := code.Fill(&t.x, func(a *rows.Access) rows.Slot {
		return c.slotOf(a, p.mask, rows.Numbers(c.act.r), c.act.p)
	})
	t.at, t.left = p.pc, int32(t.x.Go)
	if t.left == 0 && done == 0 {
		t.left = last - at + 1 // there is not enough time for it
	}
	if done > 0 {
		if p.join != nil && p.pc == p.join.at && p.act == p.join.act {
			c.arrive(p)
		}
		return done, last
	}
	if t.x.Go > 0 && !filled && !c.valued {
		t.Bail(at)
	}
	if t.left > 0 {
		last, t.left = min(last, at+t.left-1), 0
	}
	return 0, last
}

// codeAt is the translated code of a function if it may be entered at a statement. If not, upTo is that up to
// which the core executes.
func (c *Core) codeAt(fn *function, at, last int32) (code *rows.Code, upTo int32) {
	t := c.native
	code, ok := t.of[fn]
	if !ok {
		if t.runs[at]++; t.runs[at] < translateAfter {
			return nil, last
		}
		code = c.translate(fn)
	}
	if code == nil {
		return nil, last
	}
	if t.left > 0 && t.at == at {
		last, t.left = min(last, at+t.left-1), 0
		return nil, last
	}
	t.left = 0
	if t.At[at] == 0 {
		if t.Ahead[at] > 0 {
			last = min(last, at+t.Ahead[at]-1)
		}
		return nil, last
	}
	return code, last
}

// translation is that of this run.
func (c *Core) translation() *translation {
	if c.native != nil {
		return c.native
	}
	told := c.beside.In(simt.Global, false)
	t := &c.natives[bit(told)]
	if *t == nil {
		n := len(c.code)
		*t = &translation{told: told, runs: make([]uint8, n), Entries: rows.NewEntries(n),
			of: map[*function]*rows.Code{}}
	}
	c.native = *t
	return *t
}

// liveness is that of the function that executes, found once.
func (c *Core) liveness() *liveness {
	t, fn := c.native, c.act.fn
	v := t.live[fn]
	if v == nil {
		if t.live == nil {
			t.live = map[*function]*liveness{}
		}
		v = c.isa.liveness(fn)
		t.live[fn] = v
	}
	return v
}

// followedWhole reports whether translated code may run from a statement on as far as somebody follows what
// registers have: what it may read has contents.
func (c *Core) followedWhole(at int32, lanes uint64) bool {
	return !c.valued || c.liveness().whole(c.known(c.act), at, lanes)
}

// followedTo notes that what may be read from a statement on has contents, at which translated code has left.
func (c *Core) followedTo(at int32, lanes uint64) {
	if c.valued && at < c.act.fn.end {
		c.liveness().fill(c.known(c.act), at, lanes)
	}
}

// stop is the statement that a path must not go to, or -1.
func (p *path) stop() int64 {
	if p.join != nil && p.join.act == p.act {
		return int64(p.join.at)
	}
	return -1
}

// runTranslated calls translated code for a path.
func (c *Core) runTranslated(code *rows.Code, p *path, entry uintptr, budget int64) {
	t := c.native
	c.checkPlaces()
	x := &t.x
	if !c.placed {
		c.places.place(c.w.Group)
		c.places.say(x, int(c.st.warp))
		c.placed = true
	}
	x.Active, x.Budget, x.Stop = uint64(p.mask), budget, p.stop()
	x.Shared = rows.SlotOf(0, c.w.Group.LDS)
	c.tells(x, code)
	code.Run(x, entry, rows.Numbers(c.act.r), c.act.p)
	c.teller.Tell(x, nil)
}

// tells has code of paths tell observers of what the wave does.
func (c *Core) tells(x *rows.Context, code *rows.Code) {
	c.pathNotes(x)
	if x.Note == nil {
		x.Note = c.Note
	}
	if c.teller.PC == nil {
		c.teller.PC = func(inst int32) uint64 { return c.isa.addr(inst) }
	}
	c.teller.Begin(x, c.m, c.w, code)
}

// pathNotes is notes for what is not executed in bulk.
func (c *Core) pathNotes(x *rows.Context) {
	c.notes(x, &c.ways, c.w, func(s simt.Space, write bool) bool {
		if c.valued && !c.tracing {
			return c.m.Wanted(c.w, s, write)
		}
		if c.tracing {
			return !c.m.WantedAnywhere(c.w, s, write).Empty()
		}
		return c.beside.In(s, write)
	})
}

// translate makes code of a function; nil if there is none.
func (c *Core) translate(fn *function) *rows.Code {
	t := c.native
	t.of[fn] = nil
	if fn.end-fn.start > mostTranslated || fn.vectors == 0 {
		return nil
	}
	units := c.isa.units(fn, func(at, last int32) bool {
		for i := at; i <= last; i++ {
			if c.m.HasBreakpoint(c.isa.addr(i)) {
				return true
			}
		}
		return false
	}, func(at int32, in *rows.Inst) {
		if t.told && c.code[at].s[0].kind == fromArg {
			*in = rows.Inst{}
		}
		c.aimed(at, in)
	})
	if len(units) == 0 {
		return nil
	}
	code, err := c.codeOf(units, codeKey{fn: fn, told: t.told})
	if err != nil {
		return nil
	}
	t.of[fn] = code
	t.known = append(t.known, code)
	for i := range units {
		u := &units[i]
		t.At[u.At] = code.Entry[u.At]
	}
	for at := fn.end - 1; at >= fn.start; at-- {
		if t.Meets[at] = c.meeting(at); at < c.code[at].last {
			t.Reach(at)
		}
	}
	return code
}

// A codeKey says what code is of.
type codeKey struct {
	fn    *function
	whole bool // in bulk
	told  bool // as translation has it
}

// codeOf makes code of units, or takes another core's: that of code without breakpoints, where nobody
// follows what leaves some of it to the core.
func (c *Core) codeOf(units []rows.Unit, key codeKey) (*rows.Code, error) {
	translate := func() (*rows.Code, error) { return host.Translate(units, false, warpSize) }
	if c.m.Judged() || c.m.Follows().Objects ||
		!key.whole && c.m.BreaksWithin(c.isa.addr(key.fn.start), c.isa.addr(key.fn.end)) {
		return translate()
	}
	return c.isa.others.shared.Code(key, translate)
}

// under are the lanes of a mask of row code, where the masks are p.
func under(m rows.Mask, p []uint32) uint32 {
	switch {
	case m.N == rows.Always:
		return fullMask
	case m.Not:
		return ^p[m.N]
	}
	return p[m.N]
}

// slotOf is the region of an access's first lane.
func (c *Core) slotOf(a *rows.Access, mask uint32, r []uint64, p []uint32) rows.Slot {
	mask &= under(a.Under, p)
	if mask == 0 {
		return rows.Slot{}
	}
	addr := r[int(a.Reg)*warpSize+first(mask)] + uint64(a.Offset)
	need := simt.PermRead
	if a.Write {
		need = simt.PermWrite
	}
	if r := c.mem.Find(addr); r != nil && r.Holds(addr, 4) && r.Perm&need == need && addr < SharedWindow &&
		uint64(len(r.Data)) < 1<<47 {
		part := simt.Extent{Hi: uint64(len(r.Data))}
		if a.Write {
			part = c.mem.WillWrite(r, addr-r.Base, min(a.Size, r.End()-addr))
		}
		return rows.SlotOf(r.Base+part.Lo, r.Data[part.Lo:part.Hi])
	}
	return rows.Slot{}
}
