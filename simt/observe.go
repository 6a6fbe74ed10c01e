package simt

// An Access is what one instruction of a wave is about to do to memory. All of
// it has been checked: it will happen.
type Access struct {
	Wave *Wave
	PC   uint64 // of the instruction

	Space               Space // Global, LDS or Scratch
	Read, Write, Atomic bool
	Size                int    // bytes that each lane touches in a row
	Lanes               uint64 // the lanes that access, a mask
	Addr                *[MaxLanes]uint64
}

// An Observer is told of every access to memory before it happens. If it
// answers true the wave stops after the instruction, with a [WatchEvent].
type Observer interface {
	Observe(a *Access) (stop bool)
}

// AddObserver makes the machine tell o of every access that its waves make
// from now on.
func (m *Machine) AddObserver(o Observer) {
	m.observers = append(m.observers, o)
	m.generation++
}

// RemoveObserver undoes AddObserver.
func (m *Machine) RemoveObserver(o Observer) {
	for i := range m.observers {
		if m.observers[i] == o {
			m.observers = append(m.observers[:i:i], m.observers[i+1:]...)
			m.generation++
			return
		}
	}
}

// Observed reports whether anybody wants to know of accesses.
func (m *Machine) Observed() bool { return len(m.observers) > 0 }

// Observe tells the observers of an access. It reports whether one of them
// wants the wave to stop after the instruction.
func (m *Machine) Observe(a *Access) bool {
	stop := false
	for _, o := range m.observers {
		if o.Observe(a) {
			stop = true
		}
	}
	return stop
}

// An Undefined is something that an instruction of a wave does whose result the rules of its machine leave open.
type Undefined struct {
	Wave  *Wave
	PC    uint64 // of the instruction
	Lanes uint64 // the lanes that do it, a mask
	Of    uint64 // the lanes that it concerns besides, a mask
	Text  string // what it is: "shfl.sync reads lanes that it does not name"
}

// A Judge is an [Observer] that is also told of what is undefined. If it answers true the wave stops after the
// instruction, with a [WatchEvent].
type Judge interface {
	Observer
	Undefined(u *Undefined) (stop bool)
}

// Undefined tells those observers that are judges, as [Machine.Observe] does.
func (m *Machine) Undefined(u *Undefined) bool {
	stop := false
	for _, o := range m.observers {
		if j, ok := o.(Judge); ok && j.Undefined(u) {
			stop = true
		}
	}
	return stop
}
