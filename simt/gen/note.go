package gen

import (
	"math"
	"math/bits"
	"unsafe"

	"simtgdb/simt"
	"simtgdb/simt/rows/regions"
	"simtgdb/simt/rows/regions/x86"
	"simtgdb/simt/vec"
)

// What translated code tells observers of accesses to memory: of most it lets them know before they happen
// (simt.Noter), of loads from local memory, where that will do, afterwards (simt.Postponer).

// A telling is who is told of what translated code does.
type telling struct {
	noted uint32 // kinds of accesses that are noted, as x86.NoteBit has them
	loads simt.LateLoads
	code  *x86.Code
	tell  func(r *simt.LoadRecord, each func(a *simt.Access)) // of the records of a code
	told  *x86.Code

	access simt.Access
	pieces []simt.Piece
	addr   [simt.MaxLanes]uint64
}

// notes finds the kinds of accesses of a thread of which code tells by itself. They are no others' any more.
func (c *Core) notes() {
	t := &c.telling
	t.noted = 0
	if !c.apart.Any() {
		return
	}
	for of, space := range [...]simt.Space{regions.Global: simt.Global, regions.Shared: simt.LDS} {
		for _, write := range []bool{false, true} {
			if c.apart.In(space, write) && c.m.Notes(c.w, space, write) {
				t.noted |= x86.NoteBit(regions.Space(of), write)
				c.apart.Drop(space, write)
			}
		}
	}
}

// tells says what the code that is to run tells of.
func (c *Core) tells(x *x86.Context, code *x86.Code) {
	t, k := &c.telling, &c.turning
	t.code = code
	if k.armed {
		c.tellsAs(k.late())
		return
	}
	t.loads, x.Noted, x.Telling = simt.LateLoads{}, t.noted, 0
	bit := x86.NoteBit(regions.Shared, false)
	if t.noted&bit == 0 {
		return
	}
	if at, end, ok := t.loads.Begin(c.m, c.w); ok {
		x.Noted &^= bit
		x.Telling, x.LateAt, x.LateEnd = bit, at, end
	}
	k.leavesRecords(x.Telling != 0)
}

// toldLater gives the records that code has left.
func (c *Core) toldLater(x *x86.Context) {
	t := &c.telling
	if x.Telling == 0 {
		return
	}
	if k := &c.turning; k.armed {
		left := k.left(x)
		if len(left) > 0 && !c.foreseen(&turnStep{code: t.code, records: left}) {
			c.differs()
		}
		return
	}
	if t.told != t.code {
		t.told, t.tell = t.code, tellsOf(t.code)
	}
	if left := t.loads.Left(x.LateAt); len(left) > 0 {
		if s := c.kept(); s != nil {
			s.code, s.records = t.code, append(s.records, left...)
		}
	}
	t.loads.Tell(x.LateAt, t.tell)
}

// tellsOf makes accesses of the records of a code.
func tellsOf(code *x86.Code) func(r *simt.LoadRecord, each func(a *simt.Access)) {
	tells := code.Tells
	return func(r *simt.LoadRecord, each func(a *simt.Access)) {
		tell := &tells[r.Site]
		o := &tell.Op.Access
		row := (*[2 * len(r.Rows)]uint32)(unsafe.Pointer(&r.Rows))
		var addr [simt.MaxLanes]uint64
		for l := range int(tell.Lanes) {
			addr[int(tell.First)+l] = uint64(row[l] & o.SharedMask)
		}
		each(&simt.Access{PC: uint64(tell.At), Space: simt.LDS, Read: true, Size: int(o.Size) * int(o.Count),
			Lanes: r.Lanes, Addr: &addr})
	}
}

// note tells of an access that code is about to make. It reports whether that was all.
func (c *Core) note(n *x86.NoteAccess) bool {
	t, x, o := &c.telling, &c.native.x, n.Op
	c.toldLater(x)
	x.Together &^= n.Bits // what was told of them before is not what they do now
	mask := c.lanesOf(o)
	if mask == 0 {
		return true
	}
	if n.Loads != nil && c.noteLoads(n) {
		x.Together |= n.Bits
		return true
	}
	of, a := &o.Access, &t.access
	*a = simt.Access{Wave: c.w, PC: uint64(n.At), Space: simt.Global, Read: o.Kind == regions.Load,
		Write: o.Kind == regions.Store, Size: int(of.Size) * int(of.Count), Lanes: mask << o.First}
	if of.Space == regions.Shared {
		a.Space = simt.LDS
	}
	step := turnStep{note: n}
	even := false
	switch {
	case of.Block != nil:
		a.Size, a.Lanes = int(of.Block.Bytes), 1<<o.First
		step.from, even = of.Block.Address(c.r.file[:]), true
	default:
		step.from, step.step, even = c.strideOf(o)
		even = even && mask == 1<<o.Lanes-1
	}
	return c.noteAccess(a, o, &step, even)
}

// noteAccess tells of an access by itself, whose addresses are at even distances or not. It reports whether
// that was all.
func (c *Core) noteAccess(a *simt.Access, o *regions.Op, step *turnStep, even bool) (all bool) {
	t, k := &c.telling, &c.turning
	place := func() {
		if o.Access.Block != nil {
			t.addr[o.First] = step.from
		} else {
			c.addressesOf(o)
		}
		a.Addr = &t.addr
	}
	if !even {
		place()
	}
	if k.By != nil && a.Space == simt.LDS {
		if step.access, step.stride = *a, even; !even {
			for rest := a.Lanes; rest != 0; rest &= rest - 1 {
				l := bits.TrailingZeros64(rest)
				step.addr[l] = t.addr[l]
			}
		}
		if k.armed && c.foreseen(step) {
			return true
		}
	}
	if k.armed {
		c.differs()
	}
	if all = even && c.m.NoteStride(a, step.from, step.step); !all {
		if even {
			place()
		}
		all = c.m.Note(a)
	}
	if !all || a.Space != simt.LDS {
		c.otherwise()
		return all
	}
	if s := c.kept(); s != nil {
		s.note, s.access, s.stride, s.from, s.step, s.addr = step.note, step.access, even, step.from,
			step.step, step.addr
		s.access.Wave, s.access.Addr = nil, nil
	}
	c.tells(&c.native.x, t.code) // what may be told later depends on what is written
	return true
}

// noteLoads tells of loads together, if the addresses of each are at even distances. It reports whether that
// was all.
func (c *Core) noteLoads(n *x86.NoteAccess) bool {
	all := c.telling.pieces[:0]
	for i, o := range n.With {
		p := simt.Piece{Row: uint8(i), First: o.First, Many: 1, Times: 1}
		if b := o.Access.Block; b != nil {
			if c.lanesOf(o) == 0 {
				return false
			}
			p.At = b.Address(c.r.file[:])
		} else {
			at, step, even := c.strideOf(o)
			if !even || c.lanesOf(o) != 1<<o.Lanes-1 {
				return false
			}
			if p.At, p.Step = at, step; step != 0 {
				p.Many = o.Lanes
			}
		}
		all = append(all, p)
	}
	c.telling.pieces = all
	if c.turning.armed {
		if c.foreseen(&turnStep{note: n, pieces: all}) {
			return true
		}
		c.differs()
	}
	if !c.m.NoteLoads(c.w, n.Loads, all) {
		return false
	}
	if s := c.kept(); s != nil {
		s.note, s.pieces = n, append(s.pieces, all...)
	}
	return true
}

// addressesOf finds the addresses of an access.
func (c *Core) addressesOf(o *regions.Op) {
	addr, file := c.telling.addr[o.First:][:o.Lanes], c.r.file[o.Access.Addresses:]
	for l := range addr {
		if o.Access.Space == regions.Shared {
			addr[l] = uint64(le.Uint32(file[4*l:]) & o.Access.SharedMask)
		} else {
			addr[l] = le.Uint64(file[8*l:])
		}
	}
}

// strideOf reports whether each channel of an access has an address that is a step further on than that of
// the one before, from that of the first one on.
func (c *Core) strideOf(o *regions.Op) (at uint64, step uint32, even bool) {
	n, file := int(o.Lanes), c.r.file[o.Access.Addresses:]
	if o.Access.Space == regions.Shared {
		mask := o.Access.SharedMask
		first := le.Uint32(file) & mask
		if n < 2 {
			return uint64(first), 0, true
		}
		step = le.Uint32(file[4:])&mask - first
		want := first + step
		for l := 1; l < n; l, want = l+1, want+step {
			if le.Uint32(file[4*l:])&mask != want {
				return 0, 0, false
			}
		}
		return uint64(first), step, want >= first && step <= mask
	}
	addr := (*[maxChannels]uint64)(unsafe.Pointer(&file[0]))[:n]
	if n < 2 {
		return addr[0], 0, true
	}
	by, all := addr[1]-addr[0], uint64(1)<<(n-1)-1
	return addr[0], uint32(by), by <= math.MaxUint32 && vec.Steps(addr, by)&all == all
}

// lanesOf are the channels that execute a load or store, from its first on.
func (c *Core) lanesOf(o *regions.Op) uint64 {
	mask := uint64(1)<<o.Lanes - 1
	if !o.Always {
		mask &= c.w.Exec >> o.First
	}
	if o.Under.On {
		mask &= c.under(o.Under, o.Lanes)
	}
	return mask
}

// under are the channels of a predicate.
func (c *Core) under(p regions.Predicate, n uint8) uint64 {
	flags := c.native.x.Flags >> p.Bit
	if p.Group == 0 {
		if p.Not {
			flags = ^flags
		}
		return flags
	}
	group := uint64(1)<<p.Group - 1
	holds := flags&group != 0
	if p.Every {
		holds = flags&group == group
	}
	if holds != p.Not {
		return uint64(1)<<n - 1
	}
	return 0
}
