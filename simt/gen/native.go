package gen

import (
	"math"
	"math/bits"
	"sync"
	"unsafe"

	"simtgdb/simt"
	"simtgdb/simt/rows"
	"simtgdb/simt/rows/regions"
	"simtgdb/simt/rows/regions/x86"
)

// Code that runs often is translated (lower.go, package regions). Translated code executes instructions as
// long as the channels that are on stay together and come to none that others wait at; what it does not
// have, and where channels part or meet, is the core's, which executes as many instructions as the code
// says and lets it go on. Instructions and elements are counted as without it.

// translateAfter is how often a block runs before what can be reached from it is translated.
var translateAfter uint8 = 6

// onTranslated is told how many instructions translated code has executed; it is for tests.
var onTranslated func(n uint64)

// The cores of a machine share its translations, which hold as long as the machine's generation does.
type translations struct {
	mu  sync.Mutex
	m   *simt.Machine
	gen int
	of  map[uint32]*translated // by the block that ran often
}

// A translated is what can be reached from a block: its code for threads that have some channels off, and
// for those that have all on, made when it is asked for.
type translated struct {
	units []regions.Unit
	inner map[uint32]bool // addresses within units, where no channel may wake
	free  map[uint32]bool // units that do not depend on the floating-point control
	code  [2]*x86.Code
	tried [2]bool
}

// A translation is what a core has of translated code.
type translation struct {
	x     x86.Context
	units map[uint32]*loaded // by where they begin
	inner map[uint32]bool
	known []*loaded

	// What slots depend on.
	layout int
	beside simt.Interest
}

// A loaded is a translated with what a core knows of the memory that it accesses.
type loaded struct {
	*translated
	slots [2][]x86.Slot
	blank [2][leftUnits]*blankUnit // that code has left last, by where they begin
}

// leftUnits is how many are remembered, a power of two.
const leftUnits = 128

// translates reports whether the core may run translated code now: nobody follows what registers have.
// Whoever wants to know of some instructions, or of accesses, is told by the core, which code leaves them to.
func (c *Core) translates() bool {
	return !c.m.Interpret && c.tracker == nil && x86.Available()
}

// The floating-point control that row code is for: round to nearest, and denormals are kept.
const (
	loweredControl = crDenormDF | crDenormF | crRound
	loweredWant    = crDenormDF | crDenormF
)

// way is which code a thread is for: 1 if it has all channels on, else 0.
func way(w *simt.Wave) int {
	if w.Exec == 1<<w.Size-1 {
		return 1
	}
	return 0
}

// enter reports whether the thread can go on in translated code at a block, having it translated if it runs
// often.
func (c *Core) enter(b *block) bool {
	if b.native == nil {
		if b.runs >= translateAfter {
			return false
		}
		if b.runs++; b.runs < translateAfter || !c.load(b) {
			return false
		}
	}
	if c.valued && c.known().flags != [2]uint64{} {
		return false
	}
	if c.w.Exec == 0 || c.r.u32(offCR)&loweredControl != loweredWant && !b.free ||
		!c.wakesLater() {
		return false
	}
	way := way(c.w)
	return b.entry[way] != 0 || c.open(b, way)
}

// wakesLater reports whether the channels that are off wait at units that come later.
func (c *Core) wakesLater() bool {
	w, r := c.w, c.r
	if w.Exec == w.Valid {
		return true
	}
	for off := w.Valid &^ w.Exec & uint64(r.callMask); off != 0; off &= off - 1 {
		if uint64(r.ip[bits.TrailingZeros64(off)&31]) <= w.PC {
			return false
		}
	}
	return !c.native.inner[r.wake]
}

// load makes row code of what can be reached from a block, or takes what another core has made. It reports
// whether that is possible now, and the block is the beginning of some.
func (c *Core) load(b *block) bool {
	all := &c.isa.translations
	if !all.mu.TryLock() { // another core is at it
		b.runs--
		return false
	}
	defer all.mu.Unlock()
	if all.m != c.m || all.gen != c.gen {
		all.m, all.gen, all.of = c.m, c.gen, map[uint32]*translated{}
	}
	from := uint32(b.pc)
	made := all.of[from]
	if made == nil {
		made = &translated{}
		made.units, made.inner, made.free = c.units(from)
		all.of[from] = made
	}
	if c.native == nil {
		c.native = &translation{units: map[uint32]*loaded{}, inner: map[uint32]bool{}}
		c.native.x.Note = c.note
	}
	t, l := c.native, &loaded{translated: made}
	t.known = append(t.known, l)
	for i := range made.units {
		if at := made.units[i].At; t.units[at] == nil {
			t.units[at] = l
		}
	}
	for at := range made.inner {
		t.inner[at] = true
	}
	for b := range c.blocks.All {
		c.link(b)
	}
	return b.native != nil
}

// link finds a block's units, and how many instructions of it come before others'.
func (c *Core) link(b *block) {
	b.ahead = len(b.insts)
	if c.native == nil {
		return
	}
	if b.native = c.native.units[uint32(b.pc)]; b.native != nil {
		b.free = b.native.free[uint32(b.pc)]
	}
	for i := 1; i < len(b.insts); i++ {
		if c.native.units[uint32(b.insts[i].PC)] != nil {
			b.ahead = i
			break
		}
	}
}

// open finds where a block's code is, and has it made. It reports whether there is some now.
func (c *Core) open(b *block, way int) bool {
	l, all := b.native, &c.isa.translations
	if !all.mu.TryLock() {
		return false
	}
	defer all.mu.Unlock()
	if !l.tried[way] {
		l.tried[way] = true
		if code, err := x86.Translate(l.units, c.layout(), way == 1); err == nil {
			l.code[way] = code
		}
	}
	if l.code[way] == nil {
		return false
	}
	if l.slots[way] == nil {
		l.slots[way] = l.code[way].Slots()
	}
	b.entry[way] = l.code[way].Entry[uint32(b.pc)]
	return true
}

// runTranslated executes at most n instructions from a block on, by translated code as far as that goes, and
// returns how many.
func (c *Core) runTranslated(b *block, n uint64) uint64 {
	w, x := c.w, &c.native.x
	way := way(w)
	blank := c.call(b, way, n)
	done := n - uint64(x.Budget)
	if onTranslated != nil {
		onTranslated(done)
	}
	c.counted.Ran(done, x.Budget > 0)
	w.Insts += done
	w.LaneInsts += uint64(x.Lanes)
	c.r.setFlags(x.Flags)
	if x.Miss != 0 {
		i := int(x.Miss) - 1
		b.native.slots[way][i] = c.slot(b.native.code[way].Accesses[i])
	}
	if done > 0 {
		c.jump(uint32(x.At))
	}
	switch {
	case blank != nil && done < n:
		at := c.block(w.PC)
		return done + c.runInsts(at, at.insts[:min(uint64(blank.Insts), n-done, uint64(len(at.insts)))])
	case x.Go > 0 && done < n:
		at := c.blocks.Recent[w.PC>>3&255]
		if at == nil || at.pc != w.PC {
			at = c.block(w.PC)
		}
		return done + c.runInsts(at, at.insts[:x.Go])
	case done == 0: // there is not enough time for it
		return c.runInsts(b, b.insts[:min(n, uint64(b.ahead))])
	}
	return done
}

func flag(is bool) uint32 {
	if is {
		return 1
	}
	return 0
}

// call calls translated code. Of global memory that somebody wants to know of slots have none. It gives the
// unit that is the core's, if code comes to one that reads what has no contents.
func (c *Core) call(b *block, way int, n uint64) *regions.Unit {
	w, r, t := c.w, c.r, c.native
	if layout := c.mem.Layout(); t.layout != layout || t.beside != c.apart {
		t.layout, t.beside = layout, c.apart
		for _, l := range t.known {
			clear(l.slots[0])
			clear(l.slots[1])
		}
	}
	x := &t.x
	x.Exec, x.Flags, x.Budget, x.Stop = w.Exec, r.flags(), int64(min(n, math.MaxInt64)), math.MaxInt64
	if w.Exec != w.Valid && r.wake != noWake {
		x.Stop = int64(r.wake)
	}
	x.Shared, x.Together = rows.SlotOf(0, w.Group.LDS), 0
	for k, write := range []bool{false, true} {
		x.Wanted[k] = flag(c.apart.In(simt.LDS, write))
	}
	code, slots := b.native.code[way], b.native.slots[way]
	c.tells(x, code)
	defer c.toldLater(x)
	if !c.valued {
		code.Run(x, b.entry[way], &r.file[0], slots)
		return nil
	}
	lanes := int64(0)
	x.Blank = unsafe.Pointer(&c.known().some[0])
	for entry := b.entry[way]; ; {
		code.Run(x, entry, &r.file[0], slots)
		x.Lanes += lanes
		if x.Blanked == 0 {
			return nil
		}
		u := b.native.blankUnit(uint32(x.At), way)
		if !c.settled(u) {
			return u.Unit
		}
		lanes, entry = x.Lanes, u.past
	}
}

// blankUnit is the one that begins at an address.
func (l *loaded) blankUnit(at uint32, way int) *blankUnit {
	recent := &l.blank[way][at>>3&(leftUnits-1)]
	if u := *recent; u != nil && u.At == at {
		return u
	}
	var u *blankUnit
	for i := range l.units {
		if l.units[i].At == at {
			u = &blankUnit{Unit: &l.units[i], past: l.code[way].Past[at]}
		}
	}
	*recent = u
	return u
}

// layout is that of threads, with what is followed.
func (c *Core) layout() regions.Layout {
	l := c.isa.layout()
	if c.m.Follows().Values {
		l.Blank, l.Granule = offA0, granule
	}
	return l
}

// slot finds the memory that the first channel of an access is to.
func (c *Core) slot(o *regions.Op) x86.Slot {
	mask := uint64(1)<<o.Lanes - 1
	if !o.Always {
		mask &= c.w.Exec >> o.First
	}
	if o.Under.On {
		p := c.r.flags() >> o.Under.Bit
		if o.Under.Not {
			p = ^p
		}
		mask &= p
	}
	if mask == 0 {
		return x86.Slot{}
	}
	addr, size := uint64(0), uint64(o.Access.Size)*uint64(o.Access.Count)
	if b := o.Access.Block; b != nil {
		addr, size = b.Address(c.r.file[:]), uint64(b.Bytes)
	} else {
		addr = le.Uint64(c.r.file[int(o.Access.Addresses)+8*bits.TrailingZeros64(mask):])
	}
	write := o.Kind == regions.Store
	part := c.apart.Clear(simt.Global, write, simt.Extent{Hi: math.MaxUint64}, addr)
	if part.Hi < addr+size {
		return x86.Slot{}
	}
	need := simt.PermRead
	if write {
		need = simt.PermWrite
	}
	r := c.mem.Find(addr)
	if r == nil || !r.Holds(addr, size) || r.Perm&need != need || uint64(len(r.Data)) >= 1<<47 {
		return x86.Slot{}
	}
	part.Lo, part.Hi = max(part.Lo, r.Base)-r.Base, min(part.Hi, r.End())-r.Base
	if c.keeps && write {
		kept := c.mem.WillWrite(r, addr-r.Base, size)
		part.Lo, part.Hi = max(part.Lo, kept.Lo), min(part.Hi, kept.Hi)
	}
	return rows.SlotOf(r.Base+part.Lo, r.Data[part.Lo:part.Hi])
}
