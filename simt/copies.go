package simt

// Copies that go on beside the program until it waits for them. A machine does them when they are begun, and
// tells of their accesses as of any; a [Copier] wants to know what the program may not touch meanwhile.

// A Copy is what one instruction has begun, for lanes or for the workgroup.
type Copy struct {
	Wave     *Wave
	Lanes    uint64
	PC       uint64
	Event    uint64 // by which the workgroup waits for it; 0 of lanes' own, see [Copier.Committed]
	To, From []Strip
}

// A Strip is Count elements of Size bytes, the first of them at At.
type Strip struct {
	Space               Space
	At                  uint64
	Size, Stride, Count uint64
}

// Meets reports whether bytes from addr on are of the strip.
func (s *Strip) Meets(space Space, addr, size uint64) bool {
	if s.Count == 0 || space != s.Space || addr+size <= s.At || addr >= s.End() {
		return false
	}
	if addr <= s.At || s.Stride == 0 {
		return addr < s.At+s.Size
	}
	n := min((addr-s.At)/s.Stride, s.Count-1) // the last that begins at addr or before
	at := s.At + n*s.Stride
	return addr < at+s.Size || n+1 < s.Count && addr+size > at+s.Stride
}

// End is where the last element ends.
func (s *Strip) End() uint64 { return s.At + (s.Count-1)*s.Stride + s.Size }

// A Copier is an Orderer that wants to know of copies, after their accesses.
type Copier interface {
	Orderer
	Begun(c *Copy)
	// Joined is told that a wave comes to a copy that its workgroup makes together, before anyone is told
	// that it has begun. It reports whether a wave has come to it before with other operands, and which.
	Joined(c *Copy) (other int, differs bool)
	// Committed is told that lanes make one group of the copies of their own that they have begun since the
	// last.
	Committed(w *Wave, lanes uint64)
	// Waited is told that lanes have waited for copies of their own: for all groups but the last few, and
	// for what is in no group if there is no but.
	Waited(w *Wave, lanes uint64, groups int)
	// WaitedFor is told that a wave waits for an event. If wide, all waves of its workgroup do.
	WaitedFor(w *Wave, event uint64, wide bool)
}

// AllGroups is for [Copier.Waited] that lanes wait for all copies.
const AllGroups = -1

// Copiers yields those who want to know of copies.
func (m *Machine) Copiers(yield func(Copier) bool) {
	for _, o := range m.orderers {
		if c, ok := o.(Copier); ok && !yield(c) {
			return
		}
	}
}
