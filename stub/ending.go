package stub

import (
	"fmt"
	"io"
	"slices"

	"simtgdb/rsp"
	"simtgdb/stub/launch"
)

// An EndStop says at which ends of a program with a history there is a stop first, from which one can go back
// to what led there. The next command that lets the program go ends it.
type EndStop int

const (
	NeverStop  EndStop = iota // the program is gone, as one of the host would be
	FailedStop                // at a fault, and if a buffer is not as expected
	AlwaysStop
)

// StopAtEnd says at which ends there is a stop first.
func (s *Session) StopAtEnd(when EndStop) { s.past.endStop = when }

// wayBack says what one types to find who wrote something, from the lane of a thread: what is not as
// expected, if anything is.
func (m *motion) wayBack(t rsp.ThreadID) string {
	object := anyObject
	if differs := m.prog.Check(); len(differs) > 0 {
		object = watchedElement(differs[0])
	} else if i := slices.IndexFunc(m.prog.Buffers, isWatchable); i >= 0 && !m.seesArguments(t) {
		object = elementAt(&m.prog.Buffers[i], 0)
	}
	return fmt.Sprintf("To see who wrote a value: watch %s, then reverse-continue. Another continue ends "+
		"the program.\n",
		object)
}

// isWatchable reports whether gdb can watch an element of a buffer.
func isWatchable(b launch.Buffer) bool {
	return b.Arg >= 0 && b.Region != nil && b.Image == nil && b.Spec.Count > 0
}

// seesArguments reports whether the kernel's arguments have names where a lane stands: clang's kernels of
// OpenCL C end in a function of its own around the source's, of which gdb does not know.
func (m *motion) seesArguments(t rsp.ThreadID) bool {
	w, lane, err := m.view.lane(t)
	return err != nil || !m.isHidden(w.LanePC(lane))
}

// anyObject is what one types for what one looks at.
const anyObject = "-l out[37]"

// ofSize are C's types in which gdb shows the change of an element.
var ofSize = map[string]string{"i8": "char", "u8": "unsigned char", "i16": "short", "u16": "unsigned short",
	"f16": "unsigned short", "i32": "int", "u32": "unsigned int", "f32": "float", "i64": "long",
	"u64": "unsigned long", "f64": "double"}

// watchedElement is the first element that is not as expected, by its address: what the kernel's variables
// are called, and whether they still have values at the end, is the compiler's affair.
func watchedElement(m launch.Mismatch) string {
	b := m.Buffer
	if b.Region == nil {
		return anyObject
	}
	return elementAt(b, m.Differs[0].Index)
}

// elementAt is an element of a buffer by its address.
func elementAt(b *launch.Buffer, index uint64) string {
	size := uint64(len(b.Data())) / b.Spec.Count
	return fmt.Sprintf("*(%s *) %#x", ofSize[b.Spec.Type], b.Region.Base+index*size)
}

// ends is what comes of a run at its end: the program's exit, or, once, a stop before its last instruction,
// where there still are lanes to look from. Where gdb holds all lanes but one it must hear of no other.
func (r *run) ends() (rsp.Stop, error) {
	p := &r.past
	may := p.endStop != NeverStop && p.History != nil && !p.stoppedAtEnd && !locks(r.r) && p.Begin() < p.End()
	if !may || p.endStop == FailedStop && len(r.prog.Check()) == 0 {
		return r.finish(r.r.Console)
	}
	r.printing.flush(true)
	if _, err := r.prog.Compare(r.r.Console); err != nil {
		return rsp.Stop{}, err
	}
	r.hits.forget()
	if err := p.Goto(p.End() - 1); err != nil {
		return rsp.Stop{}, err
	}
	p.stoppedAtEnd = true
	r.frames.Forget()
	t := r.view.user
	if !r.view.Alive(t) {
		t = r.view.somebody()
	}
	io.WriteString(r.r.Console, "The program is before its last instruction. "+r.wayBack(t))
	return r.stopped(t, rsp.SignalNone), nil
}

// staysAtFault is what comes, once, of letting a program go that a signal ends.
func (s *Session) staysAtFault(sig rsp.Signal, console io.Writer) (rsp.Stop, bool) {
	p := &s.past
	if p.endStop == NeverStop || p.History == nil || s.nonStop.on || p.stoppedAtEnd ||
		s.last.Kind != rsp.Stopped || s.last.Signal != sig {
		return rsp.Stop{}, false
	}
	p.stoppedAtEnd = true
	fmt.Fprintf(console, "The program ends here, by a signal. %s", s.wayBack(s.last.Thread))
	return s.stopped(s.last.Thread, sig), true
}
