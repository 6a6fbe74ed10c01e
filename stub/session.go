package stub

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/arch"
	"simtgdb/stub/facade"
	"simtgdb/stub/frames"
	"simtgdb/stub/launch"
	"simtgdb/stub/source"
	"simtgdb/stub/symfile"
	"simtgdb/stub/threads"
)

// A Session debugs one dispatch for one client. It implements rsp.Target and
// the abilities of package rsp that it has methods for. What it keeps is in parts
// that look after themselves.
type Session struct {
	motion
	threads.Windows
	arch    arch.Arch
	symbols *symfile.File
	file    *symbolFile

	registers []register
	contents  []byte // of the register that was read last
	features  []byte // the target description

	nonStop nonStop
	atEnd   io.Writer                                   // see TellEndTo; may be nil
	beyond  func(out io.Writer) (rsp.Stop, bool, error) // see Beyond
	known   known
	hints   *hints

	readOnly string // why nothing may be changed; "" if it may

	pictures string // the folder that monitor image may write to

	moved string // what is to be said of a pc that was written, when the program goes on

	last rsp.Stop
}

// Source says where the program's code comes from.
func (s *Session) Source() *source.Map { return s.prog.Source }

// BuildID is that of the file that gdb is shown.
func (s *Session) BuildID() []byte { return s.symbols.BuildID }

// SymbolFile is the file that gdb is shown.
func (s *Session) SymbolFile() []byte { return s.symbols.ELF }

// New returns a session on a loaded program, which gdb is shown as one of a CPU.
// Nothing of it has run.
func New(p *launch.Program, cpu facade.Facade) (*Session, error) { return (&Symbols{}).New(p, cpu) }

// New is the function New with the files that are there already.
func (y *Symbols) New(p *launch.Program, cpu facade.Facade) (*Session, error) {
	if p.SavesToOutput() {
		return nil,
			errors.New("--out N=-: standard output is not for results while gdb is served; name a file")
	}
	s := &Session{motion: motion{prog: p, machine: p.Machine, facade: cpu}, arch: p.Arch,
		Windows: threads.WindowsOf(cpu.AddressBits()), hints: &y.hints}
	s.triggers = s.judge
	s.machine.Track = true
	s.places = places{source: p.Source, machine: p.Machine, mu: &sync.RWMutex{}, known: map[uint64]row{}}
	s.machine.Statement = s.places.statement
	if err := s.machine.Fill(); err != nil {
		return nil, err
	}
	if len(s.machine.Waves()) == 0 {
		return nil, errors.New("the dispatch has no waves")
	}
	lanes := threads.Resident{Windows: s.Windows, Machine: s.machine}
	s.view, s.hits = view{Resident: lanes}, newHits(s.machine)
	layout := symfile.Layout{Stride: threads.FrameStride, Low: threads.FrameLow,
		Kernel: p.Kernel.Entry, Launched: p.Kernel,
		Dispatch: s.Window(threads.DispatchWindow, 0, 0), Aliases: p.Aliases, Bodies: bodies(p),
		BodyNames: frames.BodyNames(p), Builtins: builtinVariables(s.Windows), Macros: builtinMacros}
	layout.Arguments, layout.Dynamic = frames.Arguments(p), dynamicShared(p, s.machine.Waves()[0])
	for _, b := range layout.Bodies {
		if b.Name == p.Kernel.Name {
			layout.Kernel, s.body = b.Entry, &b
		}
	}
	if err := s.enterBodies(); err != nil {
		return nil, err
	}
	var err error
	if s.symbols, err = y.of(p, cpu, layout); err != nil {
		return nil, err
	}
	if p.DebugError != nil {
		s.symbols.Complaints = append(s.symbols.Complaints, p.DebugError)
	}
	s.file = &symbolFile{execFile(p.Kernel.Name, s.symbols.ELF), s.symbols.ELF}
	s.printing = newPrinting(p.Host, p.Warnings)
	p.Host.Left = s.left
	s.frames = frames.New(p, lanes, s.symbols, layout)
	p.Hidden = s.isHidden
	s.frames.Breakpoint = cpu.Breakpoint()
	s.watches = watches{Resident: lanes, memory: p.Memory, frames: s.frames,
		removed: map[rsp.Watchpoint]threads.Set{}}
	w := s.machine.Waves()[0]
	s.registers = registersFor(cpu, w, gpuFeatures+p.Arch.Name())
	s.features = targetDescription(cpu, s.registers)
	s.last = s.stopped(threads.Of(w, 0), rsp.SIGTRAP)
	return s, nil
}

// dynamicShared is where the LDS lies that a launch adds to the kernel's own.
func dynamicShared(p *launch.Program, w *simt.Wave) symfile.Argument {
	d, ok := p.Arch.(arch.DynamicSharer)
	if !ok {
		return symfile.Argument{}
	}
	at, all := d.DynamicShared(p.Kernel), uint64(len(w.Group.LDS))
	if at >= all {
		return symfile.Argument{}
	}
	return symfile.Argument{Addr: d.GenericAddress(simt.LDS, at), Size: all - at}
}

// align is the alignment of instructions.
func (m *motion) align() uint64 { return uint64(m.machine.ISA().Align()) }

// Threads implements rsp.Target.
func (s *Session) Threads() []rsp.ThreadID { return s.view.list() }

// ThreadAlive implements rsp.Target.
func (s *Session) ThreadAlive(t rsp.ThreadID) bool { return s.view.Alive(t) }

// DescribeThread implements rsp.ThreadDescriber.
func (s *Session) DescribeThread(t rsp.ThreadID) rsp.ThreadInfo {
	w, l, err := s.view.lane(t)
	if err != nil {
		return rsp.ThreadInfo{}
	}
	g, it := w.Group.ID, w.WorkItem(l)
	state := "inactive"
	switch {
	case w.Active()>>l&1 != 0 && w.State == simt.AtBarrier:
		state = "at barrier"
	case w.State == simt.Faulted && s.faultedLanes(w)>>l&1 != 0:
		state = "faulted"
	case w.Active()>>l&1 != 0:
		state = "active"
	}
	name := append(make([]byte, 0, 24), "wave "...) // without fmt: there may be many lanes at every stop
	name = strconv.AppendInt(name, int64(w.ID), 10)
	name = strconv.AppendInt(append(name, " lane "...), int64(l), 10)
	extra := appendPlace(append(make([]byte, 0, 64), "workgroup "...), g)
	extra = append(appendPlace(append(extra, " work-item "...), it), ' ')
	return rsp.ThreadInfo{Name: string(name), Extra: string(append(extra, state...))}
}

// faultedLanes are the lanes of a wave with a fault that are at fault. The others would have gone on.
func (s *Session) faultedLanes(w *simt.Wave) uint64 {
	if f := s.fault.Fault; f != nil && s.fault.Wave.ID == w.ID {
		return f.Lanes
	}
	return w.Active()
}

// appendPlace appends "(x,y,z)".
func appendPlace(b []byte, place [3]uint32) []byte {
	for i, n := range place {
		b = strconv.AppendUint(append(b, "(,,"[i]), uint64(n), 10)
	}
	return append(b, ')')
}

// ReadOnly has changes of memory and registers refused, for a reason.
func (s *Session) ReadOnly(why string) { s.readOnly = why }

// mayChange refuses changes where there are to be none.
func (s *Session) mayChange() error {
	if s.readOnly != "" {
		return rsp.EPERM.Errorf("%s", s.readOnly)
	}
	return nil
}

// Kill implements rsp.Target.
func (s *Session) Kill() error {
	s.ended = true
	return nil
}

// Ended reports whether the program has ended or was killed.
func (s *Session) Ended() bool { return s.ended }

// Failed gives the fault or trap that a wave stands at, if there is one; otherwise an
// event that says that the dispatch has ended.
func (s *Session) Failed() (ev simt.Event, failed bool) {
	w := s.fault.Wave
	trapped := s.fault.Kind == simt.TrapEvent && w.PC == s.fault.PC
	if w != nil && slices.Contains(s.machine.Waves(), w) && (w.State == simt.Faulted || trapped) {
		return s.fault, true
	}
	return simt.Event{Kind: simt.EndEvent}, false
}

// ProgramName is the name of the file that gdb finds symbols in.
func (s *Session) ProgramName() string { return s.file.name }

// Forget forgets breakpoints and watchpoints: the client will insert them anew.
func (s *Session) Forget() {
	s.hits.release()
	s.watches.release()
}

// Release forgets what belongs to the client that has gone: its breakpoints,
// and which lanes it wanted listed.
func (s *Session) Release() {
	s.hits.release()
	s.watches.release()
	s.view.filter = nil
	s.nonStop, s.known = nonStop{}, known{}
	s.past.leaps = false
	s.last = s.stopped(s.view.somebody(), rsp.SIGTRAP)
}

// Detach implements rsp.Target: nobody is there to watch the program, so it
// does not go on.
func (s *Session) Detach() error { return nil }

// StopReason implements rsp.Target.
func (s *Session) StopReason() rsp.Stop { return s.last }

// Attached implements rsp.Attacher: the program is gdb's own to kill.
func (s *Session) Attached() bool { return false }

// finish reports how the program ended.
func (m *motion) finish(console io.Writer) (rsp.Stop, error) {
	m.ended = true
	m.printing.flush(true)
	code := uint8(0)
	ok, err := m.prog.Report(console)
	if err != nil {
		fmt.Fprintf(console, "%v\n", err)
	}
	if err != nil || !ok {
		code = 1
	}
	return rsp.Stop{Kind: rsp.Exited, Code: code}, nil
}
