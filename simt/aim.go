package simt

// An Aimer is an observer that wants to know of some accesses only where they lead out of what they are meant
// for: of [Access.Meant], or of the region that [Access.Base] is in, and of what it knows itself of some
// instructions. A core that sees to that need not tell it of others.
type Aimer interface {
	Selective
	// Anywhere is where it wants to know of a wave's accesses to a space wherever they lead; nothing if that
	// is nowhere.
	Anywhere(w *Wave, space Space, write bool) Extent
	// Aims reports whether it wants to know of all accesses of an instruction, since it knows what they are
	// meant for.
	Aims(pc uint64, write bool) bool
	// Minds reports whether it wants to know of accesses to a region of global memory at all, of those that
	// it wants to know of wherever they lead.
	Minds(r *Region, write bool) bool
}

// Minded reports whether anybody wants to know of a wave's accesses to a region, besides those that lead out
// of what they are meant for; snapshots left out.
func (m *Machine) Minded(w *Wave, r *Region, write bool) bool {
	for i := range m.observers {
		o := &m.observers[i]
		if o.snapshots {
			continue
		}
		if !o.wants(w, Global, write) {
			continue
		}
		if o.aimer == nil || o.aimer.Minds(r, write) {
			return true
		}
	}
	return false
}

// Empty reports whether an extent has no bytes.
func (e Extent) Empty() bool { return e.Lo >= e.Hi }

// Everywhere is all of a space.
func Everywhere() Extent { return Extent{Hi: ^uint64(0)} }

// WantedAnywhere is [Machine.WantedWithin] of what is wanted wherever it leads, by others than snapshots.
func (m *Machine) WantedAnywhere(w *Wave, space Space, write bool) Extent {
	all := Extent{Lo: ^uint64(0)}
	for i := range m.observers {
		o := &m.observers[i]
		if o.snapshots {
			continue
		}
		if !o.wants(w, space, write) {
			continue
		}
		e := Everywhere()
		switch {
		case o.aimer != nil:
			e = o.aimer.Anywhere(w, space, write)
		case o.bounded != nil:
			e = o.bounded.Within(w, space, write)
		}
		if !e.Empty() {
			all.Lo, all.Hi = min(all.Lo, e.Lo), max(all.Hi, e.Hi)
		}
	}
	return all
}

// InterestsAnywhere makes x what is wanted wherever it leads, by others than snapshots.
func (m *Machine) InterestsAnywhere(w *Wave, x *Interest) {
	*x = Interest{}
	for space := Global; space < Flat; space++ {
		for k, write := range []bool{false, true} {
			if e := m.WantedAnywhere(w, space, write); !e.Empty() {
				x.kinds |= kindOf(space, write) | kindOf(Flat, write)
				x.within[space][k] = e
			}
		}
	}
}

// Aimed reports whether anybody wants to know of all accesses of an instruction, besides those of
// WantedAnywhere.
func (m *Machine) Aimed(pc uint64, write bool) bool {
	for i := range m.observers {
		if a := m.observers[i].aimer; a != nil && a.Aims(pc, write) {
			return true
		}
	}
	return false
}
