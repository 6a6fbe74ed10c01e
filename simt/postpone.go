package simt

import "unsafe"

// A LoadRecord is a load that lanes have made, for an observer that is told of it later: see [Postponer].
type LoadRecord struct {
	Site   uint64 // which of a core's instructions it was, by the core's own number
	Lanes  uint64 // that loaded
	Active uint64 // that the wave executed
	_      [5]uint64
	Rows   [MaxLanes / 2]uint64 // what the core makes addresses of
}

// A Postponer is an observer that may do without being told of loads before they happen: where it cannot have
// anything to say of them, but wants to know of them once somebody writes.
type Postponer interface {
	Selective
	// Room is where a core puts records of a wave's loads from a space that nobody is told of for what they
	// are meant for ([Aimer]), in their order, until the wave does something else that observers are told of.
	// It is nil if the observer is to be told before they happen.
	Room(w *Wave, space Space) []LoadRecord
	// Loaded says which records of the room have been filled, from the first on or behind those of the last
	// call, each by one that tell tells the accesses of. Between two calls observers may be told of fences.
	Loaded(w *Wave, space Space, filled []LoadRecord, tell func(r *LoadRecord, each func(a *Access)))
}

// Postpones finds who wants to know of a wave's loads from a space, with its room, if that is one who can be
// told later; else nil.
func (m *Machine) Postpones(w *Wave, space Space) (p Postponer, room []LoadRecord) {
	for i := range m.observers {
		o := &m.observers[i]
		if o.snapshots {
			continue
		}
		if !o.wants(w, space, false) {
			continue
		}
		if p != nil || o.postponer == nil {
			return nil, nil
		}
		p = o.postponer
	}
	if p == nil {
		return nil, nil
	}
	if room = p.Room(w, space); len(room) == 0 {
		return nil, nil
	}
	return p, room
}

// A LoadRoom is room for records that code leaves of loads, one behind the other.
type LoadRoom []LoadRecord

// Extent is where the room lies, from at up to end.
func (r LoadRoom) Extent() (at, end uintptr) {
	at = uintptr(unsafe.Pointer(unsafe.SliceData(r)))
	return at, at + uintptr(len(r))*unsafe.Sizeof(LoadRecord{})
}

// Left are the records that have been left up to an address.
func (r LoadRoom) Left(upTo uintptr) []LoadRecord {
	at, _ := r.Extent()
	return r[:(upTo-at)/unsafe.Sizeof(LoadRecord{})]
}

// LateLoads are the records that code leaves of a wave's loads from LDS, one behind the other, and who is
// told of them.
type LateLoads struct {
	Wave *Wave
	to   Postponer
	room []LoadRecord // that nobody has been told of,
	at   uintptr      // and where it is, also when there is none left
}

// Begin finds where code may leave records, from at up to end. It is false if nobody may be told later.
func (l *LateLoads) Begin(m *Machine, w *Wave) (at, end uintptr, ok bool) {
	to, room := m.Postpones(w, LDS)
	at, end = LoadRoom(room).Extent()
	*l = LateLoads{w, to, room, at}
	if to == nil {
		return 0, 0, false
	}
	return at, end, true
}

// Left are the records that have been left, up to an address, and not been told of.
func (l *LateLoads) Left(upTo uintptr) []LoadRecord {
	if l.to == nil {
		return nil
	}
	return l.room[:(upTo-l.at)/unsafe.Sizeof(LoadRecord{})]
}

// Put leaves records from an address on, behind all that have been told of, and says up to where. It is false
// if there is no room.
func (l *LateLoads) Put(at uintptr, records []LoadRecord) (upTo uintptr, ok bool) {
	if l.to == nil || at != l.at || len(records) > len(l.room) {
		return at, false
	}
	copy(l.room, records)
	return at + uintptr(len(records))*unsafe.Sizeof(records[0]), true
}

// Tell gives the records that have been left, up to an address, as [Postponer.Loaded] wants them.
func (l *LateLoads) Tell(upTo uintptr, tell func(r *LoadRecord, each func(a *Access))) {
	if l.to == nil || upTo == l.at {
		return
	}
	n := (upTo - l.at) / unsafe.Sizeof(LoadRecord{})
	filled := l.room[:n]
	l.room, l.at = l.room[n:], upTo
	l.to.Loaded(l.Wave, LDS, filled, tell)
}
