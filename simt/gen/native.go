package gen

import (
	"math"
	"math/bits"

	"simtgdb/simt"
	"simtgdb/simt/rows/regions"
	"simtgdb/simt/rows/regions/x86"
	rowsx86 "simtgdb/simt/rows/x86"
)

// Code that runs often is translated (lower.go, package regions). Translated code executes instructions as long
// as the channels that are on stay together and come to none that others wait at; what it does not have, and
// where channels part or meet, is the core's, which executes as many instructions as the code says and lets it
// go on. Instructions and elements are counted as without it.

// translateAfter is how often a block runs before what can be reached from it is translated.
var translateAfter uint8 = 6

// onTranslated is told how many instructions translated code has executed; it is for tests.
var onTranslated func(n uint64)

// A translation is what a core has of translated code.
type translation struct {
	x       x86.Context
	entries map[uint32]entry
	inner   map[uint32]bool // addresses within units, where no channel may wake
	known   []*x86.Code
	layout  int
}

// An entry is where a unit's code is.
type entry struct {
	code *x86.Code
	at   [2]uintptr // with some channels on, and with all
}

// translates reports whether the core may run translated code now: nobody follows what instructions do.
func (c *Core) translates() bool {
	return !c.m.Interpret && c.m.Follows() == simt.Following{} && !c.m.Ordered() && x86.Available()
}

// The floating-point control that row code is for: round to nearest, and denormals are kept.
const (
	loweredControl = crDenormDF | crDenormF | crRound
	loweredWant    = crDenormDF | crDenormF
)

// whole is the channels of a thread that has all of them.
func whole(w *simt.Wave) uint64 { return 1<<w.Size - 1 }

// enter reports whether the thread can go on in translated code at a block, having translated it if it runs
// often.
func (c *Core) enter(b *block) bool {
	if b.native.code == nil {
		if b.runs >= translateAfter || c.r.u32(offCR)&loweredControl != loweredWant {
			return false
		}
		if b.runs++; b.runs < translateAfter {
			return false
		}
		c.translate(b)
		if b.native.code == nil {
			return false
		}
	}
	return c.w.Exec != 0 && c.r.u32(offCR)&loweredControl == loweredWant && c.wakesLater()
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

// translate makes code of what can be reached from a block, but for what has some.
func (c *Core) translate(b *block) {
	t := c.native
	if t == nil {
		t = &translation{entries: map[uint32]entry{}, inner: map[uint32]bool{}}
		c.native = t
	}
	units, inner := c.units(uint32(b.pc))
	if len(units) == 0 {
		return
	}
	code, err := x86.Translate(units, c.isa.WaveSize())
	if err != nil {
		return
	}
	t.known = append(t.known, code)
	for at, e := range code.Entry {
		if t.entries[at].code == nil {
			t.entries[at] = entry{code, e}
		}
	}
	for at := range inner {
		t.inner[at] = true
	}
	for _, b := range c.blocks {
		c.link(b)
	}
}

// link finds a block's translated code, and how many instructions of it come before other translated code.
func (c *Core) link(b *block) {
	b.ahead = len(b.insts)
	if c.native == nil {
		return
	}
	b.native = c.native.entries[uint32(b.pc)]
	for i := 1; i < len(b.insts); i++ {
		if c.native.entries[uint32(b.insts[i].PC)].code != nil {
			b.ahead = i
			break
		}
	}
}

// runTranslated executes at most n instructions from a block on, by translated code as far as that goes, and
// returns how many.
func (c *Core) runTranslated(b *block, n uint64) uint64 {
	w, r, t := c.w, c.r, c.native
	code, x := b.native.code, &t.x
	c.call(b, n)
	done := n - uint64(x.Budget)
	if onTranslated != nil {
		onTranslated(done)
	}
	w.Insts += done
	w.LaneInsts += uint64(x.Lanes)
	r.setFlags(x.Flags)
	if x.Miss != 0 {
		c.fillSlot(code, int(x.Miss)-1)
	}
	if done > 0 {
		c.jump(uint32(x.At))
	}
	switch {
	case x.Go > 0 && done < n:
		at := c.recent[w.PC>>3&255]
		if at == nil || at.pc != w.PC {
			at = c.block(w.PC)
		}
		return done + c.runInsts(at, at.insts[:x.Go])
	case done == 0: // there is not enough time for it
		return c.runInsts(b, b.insts[:min(n, uint64(b.ahead))])
	}
	return done
}

// call calls translated code.
func (c *Core) call(b *block, n uint64) {
	w, r, t := c.w, c.r, c.native
	if layout := c.mem.Layout(); t.layout != layout {
		t.layout = layout
		for _, code := range t.known {
			code.Forget()
		}
	}
	x, mode := &t.x, 1
	x.Exec, x.Flags, x.Budget, x.Stop = w.Exec, r.flags(), int64(min(n, math.MaxInt64)), math.MaxInt64
	if w.Exec != whole(w) {
		mode = 0
		if r.wake != noWake {
			x.Stop = int64(r.wake)
		}
	}
	x.Shared = rowsx86.Of(0, w.Group.LDS)
	for i, s := range [...]simt.Space{regions.Global: simt.Global, regions.Shared: simt.LDS} {
		for k, write := range []bool{false, true} {
			x.Wanted[i][k] = 0
			if c.want.In(s, write) {
				x.Wanted[i][k] = 1
			}
		}
	}
	b.native.code.Run(x, b.native.at[mode], &r.file[0])
}

// fillSlot finds the region that the first channel of an access is to.
func (c *Core) fillSlot(code *x86.Code, i int) {
	o := code.Accesses[i]
	code.Slots[i] = x86.Slot{}
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
		return
	}
	addr := le.Uint64(c.r.file[int(o.Access.Addresses)+8*bits.TrailingZeros64(mask):])
	need := simt.PermRead
	if o.Kind == regions.Store {
		need = simt.PermWrite
	}
	if r := c.mem.Find(addr); r != nil && r.Holds(addr, 4) && r.Perm&need == need && uint64(len(r.Data)) < 1<<47 {
		code.Slots[i] = rowsx86.Of(r.Base, r.Data)
	}
}
