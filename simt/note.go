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
