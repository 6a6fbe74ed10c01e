package simt

// A Noter is an observer that may be told of an access by a core that executes several instructions at once,
// of which it can do none alone.
type Noter interface {
	Selective
	// Noted is told of an access before it happens, as Observe is, but for its Data, and for what the machine
	// knows of contents: all that is read or written has some; and that it is within what it is meant for
	// ([Aimer]). It reports whether that was all. If not, nothing has been told of the access, and the core
	// does what leads to it and tells of it by Observe: also of accesses before it that have been noted,
	// which must make no difference.
	Noted(a *Access) bool
}

// Notes reports whether those who want to know of a wave's accesses to a space are all Noters, snapshots left
// out.
func (m *Machine) Notes(w *Wave, space Space, write bool) bool {
	for _, o := range m.observers {
		if _, ok := o.(writes); ok {
			continue
		}
		if _, ok := o.(Noter); ok {
			continue
		}
		if s, ok := o.(Selective); !ok || s.Wants(w, space, write) {
			return false
		}
	}
	return true
}

// Note tells Noters of an access. It reports whether that was all.
func (m *Machine) Note(a *Access) bool {
	for _, o := range m.observers {
		if n, ok := o.(Noter); ok && n.Wants(a.Wave, a.Space, a.Write) && !n.Noted(a) {
			return false
		}
	}
	return true
}

// A RowReader is a Noter that can be told of most loads without an [Access].
type RowReader interface {
	Noter
	// NotedRow is Noted for a load from global memory of some lanes in a row, from first on: many, each of
	// which reads size bytes behind those of the one before; or one, of which others may read the same.
	NotedRow(w *Wave, pc, at uint64, size, first, many int) bool
}

// NoteRow tells of a load from global memory by such lanes, as [Machine.Note] does. It is false, and nobody
// has been told, if others than RowReaders want to know.
func (m *Machine) NoteRow(w *Wave, pc, at uint64, size, first, many int) bool {
	if len(m.observers) != 1 { // of several one might have been told in vain
		return false
	}
	r, ok := m.observers[0].(RowReader)
	return ok && r.NotedRow(w, pc, at, size, first, many)
}

// A RowOf remembers how the addresses of a row of lanes lie.
type RowOf struct {
	reg   int32
	known bool
	step  uint64 // from one lane to the next
	even  bool   // it is so between all
}

// Forget forgets it.
func (r *RowOf) Forget() { r.known = false }

// of finds how addresses of a register lie, which it asks for once.
func (r *RowOf) of(reg int32, addr []uint64) (step uint64, even bool) {
	if r.known && r.reg == reg {
		return r.step, r.even
	}
	*r = RowOf{reg: reg, known: true, even: true}
	if len(addr) > 1 {
		r.step = addr[1] - addr[0]
		at := addr[0]
		for _, x := range addr[1:] {
			at += r.step
			if x != at {
				r.even = false
				break
			}
		}
	}
	return r.step, r.even
}

// Lanes are how many lanes [Machine.NoteRow] is told of where all access size bytes at the addresses of a
// register: one if they all access the same. It is false if they do not lie so.
func (r *RowOf) Lanes(reg int32, addr []uint64, size int) (many int, ok bool) {
	step, even := r.of(reg, addr)
	if step == 0 {
		return 1, even
	}
	return len(addr), even && step == uint64(size)
}
