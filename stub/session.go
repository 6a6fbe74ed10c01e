package stub

import (
	"errors"
	"fmt"
	"io"
	"sort"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/arch"
	"simtgdb/stub/facade"
	"simtgdb/stub/launch"
	"simtgdb/stub/symfile"
	"simtgdb/stub/unwind"
)

// A Session debugs one dispatch for one client. It implements rsp.Target and
// the abilities of package rsp that it has methods for.
type Session struct {
	prog      *launch.Program
	machine   *simt.Machine
	arch      arch.Arch
	facade    facade.Facade
	layout    symfile.Layout
	symbols   *symfile.File
	providers []unwind.Provider
	registers []register
	features  []byte // the target description

	breakpoints map[uint64]*rsp.Breakpoint
	filter      func(w *simt.Wave, lane int) bool // which lanes are listed; nil: all

	reported  rsp.ThreadID // the lane of the last stop
	looked    rsp.ThreadID // another lane whose registers were read since; AnyThread: none, AllThreads: several
	offer     *offer
	ended     bool
	presented bool // gdb has listed the threads since the last stop
	last      rsp.Stop
	frames    frameCache
	carried   *simt.Wave // a wave that one of its lanes, stepped alone, has taken along: see run.step
	pretended pretence
	removed   map[uint64]bool           // breakpoints removed since the last stop
	held      map[*simt.Wave]simt.Event // what other waves ran into while one lane was stepped

	watches []watch
	changes []change // of what is watched, to be reported

	printing *printing

	file *symbolFile
}

// New returns a session on a loaded program, which gdb is shown as one of a CPU.
// Nothing of it has run.
func New(p *launch.Program, cpu facade.Facade) (*Session, error) {
	s := &Session{prog: p, machine: p.Machine, arch: p.Arch, facade: cpu, breakpoints: map[uint64]*rsp.Breakpoint{}, held: map[*simt.Wave]simt.Event{}, removed: map[uint64]bool{},
		providers: []unwind.Provider{unwind.CallRecord{}}}
	s.layout = symfile.Layout{Stride: frameStride, Low: frameLow, Kernel: p.Kernel.Entry, Dispatch: dispatchWindow << windowShift}
	s.machine.Track = true
	if err := s.machine.Fill(); err != nil {
		return nil, err
	}
	if len(s.machine.Waves()) == 0 {
		return nil, errors.New("the dispatch has no waves")
	}
	var err error
	if s.symbols, err = symfile.Build(p.Module, p.Source.Data, p.Arch, cpu, s.layout); err != nil {
		return nil, fmt.Errorf("make the symbol file: %w", err)
	}
	if p.DebugError != nil {
		s.symbols.Complaints = append(s.symbols.Complaints, p.DebugError)
	}
	if c := s.newCallFrames(p.Module); c != nil {
		s.providers = append([]unwind.Provider{c}, s.providers...)
	}
	s.file = &symbolFile{execFile(p.Kernel.Name, s.symbols.ELF), s.symbols.ELF}
	s.printing = newPrinting(p.Host)
	w := s.machine.Waves()[0]
	s.registers = registersFor(cpu, w, gpuFeatures+p.Arch.Name())
	s.features = targetDescription(cpu, s.registers)
	s.last = s.stopped(threadOf(w, 0), rsp.SIGTRAP)
	return s, nil
}

// align is the alignment of instructions.
func (s *Session) align() uint64 { return uint64(s.machine.ISA().Align()) }

// threadOf is the thread id of a lane: it says where the lane is in the
// dispatch, counted from 1.
func threadOf(w *simt.Wave, lane int) rsp.ThreadID {
	return rsp.ThreadID(w.ID*simt.MaxLanes + lane + 1)
}

// An errno with words: rsp sends the number, and the words to clients that
// understand them.
func refuse(n rsp.Errno, format string, args ...any) error {
	return fmt.Errorf("%w: %s", n, fmt.Sprintf(format, args...))
}

// current is the lane that the user looks at, as far as gdb lets it be known:
// the one that was reported, or the only other one whose registers gdb has
// asked for since.
func (s *Session) current() rsp.ThreadID {
	if s.looked > 0 {
		return s.looked
	}
	return s.reported
}

// lookAt notes that gdb reads the registers of a thread.
func (s *Session) lookAt(t rsp.ThreadID) {
	switch {
	case t == s.reported || t == s.looked:
	case s.looked == rsp.AnyThread:
		s.looked = t
	default:
		s.looked = rsp.AllThreads
	}
}

// lane finds the lane of a thread among the resident waves.
func (s *Session) lane(t rsp.ThreadID) (w *simt.Wave, lane int, err error) {
	if t == rsp.AnyThread {
		t = s.current()
	}
	id, lane := (int(t)-1)/simt.MaxLanes, (int(t)-1)%simt.MaxLanes
	waves := s.machine.Waves()
	i := sort.Search(len(waves), func(i int) bool { return waves[i].ID >= id })
	if t < 1 || i == len(waves) || waves[i].ID != id || waves[i].Valid>>lane&1 == 0 {
		return nil, 0, refuse(rsp.ENODEV, "no lane is thread %d", t)
	}
	return waves[i], lane, nil
}

// Threads implements rsp.Target. That gdb asks tells that it presents the stop.
func (s *Session) Threads() []rsp.ThreadID {
	s.presented = true
	var ids []rsp.ThreadID
	for _, w := range s.machine.Waves() {
		if w.State == simt.Ended {
			continue
		}
		simt.Lanes(w.Valid, func(l int) {
			if t := threadOf(w, l); s.filter == nil || t == s.current() || s.filter(w, l) {
				ids = append(ids, t)
			}
		})
	}
	return ids
}

// ThreadAlive implements rsp.Target.
func (s *Session) ThreadAlive(t rsp.ThreadID) bool {
	w, _, err := s.lane(t)
	return err == nil && w.State != simt.Ended
}

// DescribeThread implements rsp.ThreadDescriber.
func (s *Session) DescribeThread(t rsp.ThreadID) rsp.ThreadInfo {
	w, l, err := s.lane(t)
	if err != nil {
		return rsp.ThreadInfo{}
	}
	g, it := w.Group.ID, w.WorkItem(l)
	state := "inactive"
	switch {
	case w.Active()>>l&1 != 0 && w.State == simt.AtBarrier:
		state = "at barrier"
	case w.Active()>>l&1 != 0 && w.State == simt.Faulted:
		state = "faulted"
	case w.Active()>>l&1 != 0:
		state = "active"
	}
	return rsp.ThreadInfo{
		Name: fmt.Sprintf("wave %d lane %d", w.ID, l),
		Extra: fmt.Sprintf("workgroup (%d,%d,%d) work-item (%d,%d,%d) %s",
			g[0], g[1], g[2], it[0], it[1], it[2], state),
	}
}

// Kill implements rsp.Target.
func (s *Session) Kill() error {
	s.ended = true
	return nil
}

// Ended reports whether the program has ended or was killed.
func (s *Session) Ended() bool { return s.ended }

// Release forgets what belongs to the client that has gone: its breakpoints,
// and which lanes it wanted listed.
func (s *Session) Release() {
	for addr := range s.breakpoints {
		s.machine.ClearBreakpoint(addr)
	}
	clear(s.breakpoints)
	s.filter, s.offer, s.watches, s.changes = nil, nil, nil, nil
	s.last = s.stopped(s.somebody(), rsp.SIGTRAP)
}

// Detach implements rsp.Target: nobody is there to watch the program, so it
// does not go on.
func (s *Session) Detach() error { return nil }

// StopReason implements rsp.Target.
func (s *Session) StopReason() rsp.Stop { return s.last }

// Attached implements rsp.Attacher: the program is gdb's own to kill.
func (s *Session) Attached() bool { return false }

// finish reports how the program ended.
func (s *Session) finish(console io.Writer) (rsp.Stop, error) {
	s.ended = true
	s.printing.flush(true)
	code := uint8(0)
	ok, err := s.prog.Report(console)
	if err != nil {
		fmt.Fprintf(console, "%v\n", err)
	}
	if err != nil || !ok {
		code = 1
	}
	return rsp.Stop{Kind: rsp.Exited, Code: code}, nil
}
