package stub

import (
	"fmt"
	"io"
	"slices"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/simt/check"
	"simtgdb/stub/objects"
	"simtgdb/stub/threads"
)

// Defects. A checker observes the machine while it runs; what it finds stops the wave after the
// instruction, in the lane that did it, like a watchpoint, with a text that names the other party.
// It goes back with the machine.

// defects are what checkers look for and have found.
type defects struct {
	checker *check.Checker      // nil while nothing is looked for
	pending []*check.Report     // to be reported
	tell    func(*check.Report) // is told of each as it is found; may be nil
	at      uint64              // the time when the program last stopped
	shown   []string            // the texts so far
	notes   []string            // what checkers say besides, to be told
	// kept are the checkers of which the history has snapshots.
	kept []*check.Checker
}

// maxDefects is how many texts are kept for `monitor check show`.
const maxDefects = 1000

// LookFor makes the session stop at defects of some kinds from now on. A program whose LookFor was
// called before the session was made is checked from its first instruction on.
func (s *Session) LookFor(kinds check.Kinds) {
	d := &s.defects
	if d.checker == nil {
		if d.checker = s.prog.Checker(); d.checker != nil {
			d.checker.Sink = d.found
			d.checker.Note = d.note
		}
	}
	switch {
	case d.checker == nil && kinds != 0:
		if s.prog.Objects == nil {
			objects.Find(s.prog, nil)
		}
		d.checker = s.prog.LookFor(kinds, d.found)
		d.checker.Note = d.note
	case d.checker != nil && kinds == 0:
		s.prog.LookFor(0, nil)
		d.checker, d.pending = nil, nil
	case d.checker != nil:
		d.checker.Look(kinds)
	}
}

// LooksFor are the kinds of defects that the session stops at.
func (s *Session) LooksFor() check.Kinds {
	if s.defects.checker == nil {
		return 0
	}
	return s.defects.checker.Kinds()
}

// OnDefect has somebody told of each defect when it is found, before the session stops at it.
func (s *Session) OnDefect(tell func(*check.Report)) { s.defects.tell = tell }

// found is told of a defect while the instruction is under way.
func (d *defects) found(r *check.Report) (stop bool) {
	if d.pending = append(d.pending, r); d.tell != nil {
		d.tell(r)
	}
	return true
}

// note keeps what a checker says until the wave stops, or all have ended.
func (d *defects) note(text string) { d.notes = append(d.notes, "check: "+text+"\n") }

// next takes a defect that is due.
func (d *defects) next() *check.Report {
	for len(d.pending) > 0 {
		r := d.pending[0]
		d.pending = slices.Delete(d.pending, 0, 1)
		if d.checker != nil && d.checker.Kinds()&r.Kind != 0 {
			return r
		}
	}
	return nil
}

// wrote notes what the client writes: it has contents then.
func (d *defects) wrote(space simt.Space, w *simt.Wave, lane int, addr uint64, size int) {
	if d.checker != nil {
		d.checker.Wrote(space, w, lane, addr, size)
	}
}

// resume forgets what is to be reported if the program has gone to another time: it is found again when that
// comes again.
func (d *defects) resume(now uint64) {
	if now != d.at {
		d.pending = nil
	}
}

// reportDefect makes a stop of a defect: in the lane that the user looks at if it is one of those
// that it concerns.
func (m *motion) reportDefect(console io.Writer) (rsp.Stop, bool) {
	for _, text := range m.defects.notes {
		fmt.Fprint(console, text)
	}
	m.defects.notes = nil
	r := m.defects.next()
	if r == nil {
		return rsp.Stop{}, false
	}
	return m.stoppedAtDefect(r, console), true
}

// stoppedAtDefect tells of a defect and makes a stop of it.
func (m *motion) stoppedAtDefect(r *check.Report, console io.Writer) rsp.Stop {
	m.tellDefect(r, console)
	thread := threads.Of(r.Wave, m.view.among(r.Wave, r.Lanes))
	if !m.view.Alive(thread) {
		thread = m.view.somebody()
	}
	return m.stopped(thread, rsp.SIGTRAP)
}

func (m *motion) tellDefects(all []*check.Report, console io.Writer) {
	for _, r := range all {
		m.tellDefect(r, console)
	}
}

func (m *motion) tellDefect(r *check.Report, console io.Writer) {
	text := m.prog.DescribeReport(r)
	if len(m.defects.shown) < maxDefects && !slices.Contains(m.defects.shown, text) {
		m.defects.shown = append(m.defects.shown, text)
	}
	fmt.Fprint(console, text)
}

// companions are what goes back with the machine: the texts of the kernel, and what checkers know.
// It implements simt.Holder.
type companions struct{ s *Session }

type companionState struct {
	host    any
	checker *check.Checker
	known   any
}

// Snapshot implements simt.Companion.
func (c companions) Snapshot() any {
	state := companionState{host: hostState{c.s.prog.Host}.Snapshot(), checker: c.s.defects.checker}
	if state.checker != nil {
		state.known = state.checker.Snapshot()
		if d := &c.s.defects; !slices.Contains(d.kept, state.checker) {
			d.kept = append(d.kept, state.checker)
		}
	}
	return state
}

// Held implements simt.Holder.
func (c companions) Held() (bytes uint64) {
	for _, k := range c.s.defects.kept {
		bytes += k.Held()
	}
	return bytes
}

// Release implements simt.Holder.
func (c companions) Release(state any) {
	if saved := state.(companionState); saved.checker != nil {
		saved.checker.Release(saved.known)
	}
}

// Restore implements simt.Companion. What a checker knew before it began to look it does not know.
func (c companions) Restore(state any) {
	saved := state.(companionState)
	hostState{c.s.prog.Host}.Restore(saved.host)
	switch now := c.s.defects.checker; {
	case now == nil:
	case now == saved.checker:
		now.Restore(saved.known)
	default:
		now.Begin()
	}
}

func (s *Session) monitorCheck(args []string, out io.Writer) error {
	usage := rsp.EINVAL.Errorf("monitor check [show|KINDS], a list among %s", check.KindNames)
	switch {
	case len(args) > 1:
		return usage
	case len(args) == 1 && args[0] == "show":
		for _, text := range s.defects.shown {
			fmt.Fprint(out, text)
		}
		fmt.Fprintf(out, "%d found\n", len(s.defects.shown))
		return nil
	case len(args) == 1:
		kinds, err := check.ParseKinds(args[0])
		if err != nil {
			return rsp.EINVAL.Errorf("%v", err)
		}
		if of := kinds & check.OfExec; of != 0 {
			return rsp.EINVAL.Errorf("%v is of host programs: exec --check=%v looks for it", of, of)
		}
		s.LookFor(kinds)
	}
	kinds := s.LooksFor()
	fmt.Fprintf(out, "checked: %v; %d found\n", kinds, len(s.defects.shown))
	if text := objects.BoundsUnknown(s.prog); text != "" && kinds&check.Bounds != 0 {
		fmt.Fprintf(out, "%s\n", text)
	}
	return nil
}
