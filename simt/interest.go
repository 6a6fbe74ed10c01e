package simt

// An Interest says of which accesses of a wave observers want to know, snapshots among them: loads, and
// stores with atomic operations, of each space. A core asks for it before it runs a wave, and takes its short
// ways where nobody wants to know.
type Interest struct {
	kinds  uint8
	within [Flat][2]Extent
}

// kindOf is the bit of a kind of access. What is said of Flat holds for any space.
func kindOf(space Space, write bool) uint8 {
	if write {
		return 2 << (2 * space)
	}
	return 1 << (2 * space)
}

// Interests makes all what observers want to know of a wave, and beside what others than snapshots do, of
// what [Memory.WillWrite] has been told. Both are what they were made last, so that it costs nothing where
// nobody observes.
func (m *Machine) Interests(w *Wave, all, beside *Interest) {
	if len(m.observers) > 0 {
		*all, *beside = m.interest(w, true), m.interest(w, false)
	} else if all.kinds|beside.kinds != 0 {
		*all, *beside = Interest{}, Interest{}
	}
}

func (m *Machine) interest(w *Wave, snapshots bool) (x Interest) {
	for space := Global; space < Flat; space++ {
		for k, write := range []bool{false, true} {
			if e := m.wantedWithin(w, space, write, snapshots); e.Lo < e.Hi {
				x.kinds |= kindOf(space, write) | kindOf(Flat, write)
				x.within[space][k] = e
			}
		}
	}
	return x
}

// A Steady observer wants to know the same of all waves, or one of two things, until the machine's
// generation changes.
type Steady interface {
	Selective
	// Steady says which of the two it wants to know of a wave now.
	Steady(w *Wave) bool
}

// SteadyAt is a number that says whether what observers want to know of a wave is what they wanted to know
// when it was the same, of any wave. It is 0 if nobody knows. Machines have different ones.
func (m *Machine) SteadyAt(w *Wave) uint64 {
	which, others := uint64(0), 0
	for i := range m.observers {
		switch o := &m.observers[i]; {
		case o.snapshots:
			which |= 1 << snapshotsSteady
		case o.steady == nil || others == mostSteady:
			return 0
		default:
			if o.steady.Steady(w) {
				which |= 1 << others
			}
			others++
		}
	}
	if m.quiet {
		which |= 1 << quietSteady
	}
	generation := uint64(m.generation+1) & (1<<(32-steadyBits) - 1)
	return uint64(m.number)<<32 | which<<(32-steadyBits) | generation
}

// The bits of what SteadyAt says beside the generation: one for each of so many observers; and, since neither
// makes decoded code stale, whether there are snapshots, and whether the past is executed again.
const (
	mostSteady      = 4
	snapshotsSteady = mostSteady
	quietSteady     = mostSteady + 1
	steadyBits      = mostSteady + 2
)

// Everything is the interest of who wants to know of every access.
func Everything() (x Interest) {
	x.kinds = 1<<8 - 1
	for space := range x.within {
		for k := range x.within[space] {
			x.within[space][k] = Extent{0, ^uint64(0)}
		}
	}
	return x
}

// Any reports whether anybody wants to know of anything.
func (x *Interest) Any() bool { return x.kinds != 0 }

// In reports whether a kind of access may be one to be told of.
func (x *Interest) In(space Space, write bool) bool { return x.kinds&kindOf(space, write) != 0 }

// Drop makes a kind of access one that nobody wants to know of.
func (x *Interest) Drop(space Space, write bool) {
	x.kinds &^= kindOf(space, write)
	k := 0
	if write {
		k = 1
	}
	x.within[space][k] = Extent{}
	if x.kinds&(kindOf(Global, write)|kindOf(LDS, write)|kindOf(Scratch, write)) == 0 {
		x.kinds &^= kindOf(Flat, write)
	}
}

// Touched reports whether one within [lo, hi) may be.
func (x *Interest) Touched(space Space, write bool, lo, hi uint64) bool {
	if !x.In(space, write) {
		return false
	}
	if space >= Flat {
		return true
	}
	k := 0
	if write {
		k = 1
	}
	e := &x.within[space][k]
	return lo < e.Hi && hi > e.Lo
}

// Clear is what of some bytes around a place nobody wants to know of: nothing if the place itself is wanted.
func (x *Interest) Clear(space Space, write bool, of Extent, at uint64) Extent {
	if !x.In(space, write) {
		return of
	}
	if space >= Flat {
		return Extent{}
	}
	k := 0
	if write {
		k = 1
	}
	switch e := x.within[space][k]; {
	case at < e.Lo:
		of.Hi = min(of.Hi, e.Lo)
	case at >= e.Hi:
		of.Lo = max(of.Lo, e.Hi)
	default:
		return Extent{}
	}
	return of
}
