package follow

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/simt/check"
	"simtgdb/stub"
	"simtgdb/stub/device"
	"simtgdb/stub/facade"
	"simtgdb/stub/launch"
	"simtgdb/stub/printf/host"
)

// Options say how launches are shown.
type Options struct {
	Facade   facade.Facade
	Resident int    // waves at a time
	History  uint64 // bytes of it, for commands that go back
	Workers  int    // of launches that nobody looks at

	// Stops reports whether a launch is to stop before its first instruction.
	Stops func(l *device.Launch) bool
	// Defect is told of each defect of a launch whose program has a checker, and whether gdb is shown it; it
	// may be nil. A launch with a checker stops at its defects, and at faults, whether a gdb is there already
	// or not.
	Defect func(l *device.Launch, r *check.Report, shown bool)
	// Check has a launch that is over, and is executed again, be looked through for defects of some kinds.
	Check func(again *device.Launch, kinds check.Kinds)
	// Waits is told of each launch that stands and waits for a gdb to come.
	Waits func(l *device.Launch)
	// Kill ends the host program: gdb's user wants it.
	Kill func()
	// Left is told, again and again, that the host program has gone while gdb looks at a launch of it, and
	// whether gdb has asked for something that takes time; it may be nil. It may end gdb.
	Left func(busy bool)
	RSP  rsp.Options
	// Pictures is the folder that monitor image may write to, "" for none.
	Pictures string
	// StopAtEnd says that a gdb that waits for further launches, when the program has ended, stands at the
	// end of the last, if one can go back from there.
	StopAtEnd bool
}

// A Follower serves the launches of a host program to one gdb at a time.
type Follower struct {
	options Options
	ctx     context.Context
	cancel  context.CancelFunc
	arrived chan *visit // launches that gdb is to be shown
	served  chan struct{}
	symbols stub.Symbols // of the launches before

	mu        sync.Mutex
	target    *target // what gdb is connected to, nil before the first time
	connected bool
	detached  bool
	killed    bool // by gdb's user
	told      bool // gdb has heard how the host program ended
	stopNext  bool // gdb's user has asked for a stop while nothing ran
	ended     chan struct{}
	code      uint8
}

// New makes a follower.
func New(o Options) *Follower {
	ctx, cancel := context.WithCancel(context.Background())
	return &Follower{options: o, ctx: ctx, cancel: cancel, arrived: make(chan *visit),
		served: make(chan struct{}),
		ended:  make(chan struct{})}
}

// A visit is a launch that a gdb is shown.
type visit struct {
	launch  *device.Launch
	session *stub.Session
	stops   bool            // before its first instruction
	silent  bool            // until something stops it
	alone   bool            // the same, with no gdb there
	same    bool            // gdb has the symbols of its module
	host    context.Context // ends when the host program has gone

	// Of a launch that is over: the one that executes it again, and what ends that.
	again *device.Launch
	leave func()
	final bool // the program has ended, and this was its last

	done chan outcome // it has run, or nobody looks any more
}

// program is what the visit's session debugs.
func (v *visit) program() *launch.Program {
	if v.again != nil {
		return v.again.Program
	}
	return v.launch.Program
}

// An outcome is how a visit ended: with an event, or before the end because gdb
// has let go.
type outcome struct {
	event simt.Event
	goOn  bool
}

// Serve serves gdbs that connect to a listener until the follower is closed.
func (f *Follower) Serve(ln net.Listener) error {
	defer close(f.served)
	err := rsp.Serve(f.ctx, ln, f.connect, f.options.RSP)
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// Close ends Serve, and waits until it has ended.
func (f *Follower) Close() {
	f.cancel()
	<-f.served
}

// Ended says that the host program has ended, with an exit status. A gdb that
// waits for a launch is told.
func (f *Follower) Ended(code int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	select {
	case <-f.ended:
	default:
		f.code = uint8(code)
		close(f.ended)
	}
}

// Detached reports whether a gdb has let go of the program.
func (f *Follower) Detached() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.detached
}

// Told reports whether gdb has heard how the program ended. While it may still hear,
// Told waits, but not for long.
func (f *Follower) Told(most time.Duration) bool {
	for end := time.Now().Add(most); ; time.Sleep(time.Millisecond) {
		f.mu.Lock()
		told, connected := f.told, f.connected
		f.mu.Unlock()
		if !connected || time.Now().After(end) { // gdb hangs up when it has heard
			return told
		}
	}
}

// connect gives a client its target.
func (f *Follower) connect(ctx context.Context) (rsp.Target, error) {
	f.mu.Lock()
	t := f.target
	f.mu.Unlock()
	if t != nil && t.visit != nil && !t.Session.Ended() {
		t.Session.Release()
		t.forget()
		return t, f.setConnected(t)
	}
	v, err := f.next(ctx, nil)
	if err == nil && v.final {
		v.done <- outcome{}
		v, err = f.next(ctx, nil)
	}
	if err != nil {
		return nil, err
	}
	t = &target{follower: f}
	t.enter(v)
	return t, f.setConnected(t)
}

func (f *Follower) setConnected(t *target) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.target, f.connected = t, true
	return nil
}

// errEnded is why there is no next launch.
var errEnded = errors.New("the program has ended")

// next waits for the next launch that is to be shown.
func (f *Follower) next(ctx context.Context, interrupt <-chan struct{}) (*visit, error) {
	for {
		select {
		case v := <-f.arrived:
			return v, nil
		case <-f.ended:
			return nil, errEnded
		case <-interrupt:
			f.mu.Lock()
			f.stopNext = true
			f.mu.Unlock()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// look decides what gdb is shown of a launch; nil for nothing.
func (f *Follower) look(l *device.Launch) *visit {
	f.mu.Lock()
	defer f.mu.Unlock()
	v, checked := &visit{launch: l, done: make(chan outcome, 1)}, l.Program.Checker() != nil
	switch {
	case f.detached:
		return nil
	case f.options.Stops(l), f.stopNext && f.connected:
		f.stopNext, v.stops = false, true
		return v
	case !f.connected && checked:
		v.alone = true
		return v
	case !f.connected:
		return nil
	}
	v.same = f.target.shown == l.Module
	switch watches := f.target.watches(); {
	case watches && v.same:
		v.silent = true
		return v
	case !watches && !v.same && !f.target.seen[l.Module]:
		return v
	case checked:
		v.silent = true
		return v
	case len(f.target.watchpoints) > 0:
		return v
	}
	return nil
}

// Run runs a launch. It is what a device does with each (device.Options.Run).
func (f *Follower) Run(ctx context.Context, l *device.Launch) (simt.Event, error) {
	v := f.look(l)
	if v == nil {
		return l.Program.Run(ctx, f.options.Workers)
	}
	v.host = ctx
	if err := f.open(v); err != nil {
		return simt.Event{}, err
	}
	defer v.session.Remember(0)
	if v.alone {
		ev, stopped, err := run(ctx, v.session, true)
		if err != nil || !stopped {
			return ev, err
		}
		v.alone = false
	}
	f.mu.Lock()
	waits := !f.connected
	f.mu.Unlock()
	if waits && f.options.Waits != nil {
		f.options.Waits(l)
	}
	select {
	case f.arrived <- v:
	case <-ctx.Done():
		return simt.Event{}, ctx.Err()
	case <-f.ctx.Done():
		return l.Program.Run(ctx, f.options.Workers)
	}
	select {
	case o := <-v.done:
		if o.goOn {
			return f.finish(ctx, v)
		}
		return o.event, nil
	case <-ctx.Done(): // the host program is gone, and its memory goes next
		f.mu.Lock()
		killed := f.killed
		f.mu.Unlock()
		if killed { // gdb is still to hear that it was done, and leaves then
			f.Told(killedLeaves)
		}
		if killed || !f.leaves(v) {
			f.Close()
		}
		return simt.Event{}, ctx.Err()
	}
}

// killedLeaves is how long a gdb that has killed the program may take to leave.
const killedLeaves = 5 * time.Second

// leaves waits until gdb resumes a launch whose program has gone: it may be reading symbols, and would take
// it ill if the connection broke then. It reports whether gdb has, and so is to be told; else it has gone, or
// who runs the program does not wait for it any more.
func (f *Follower) leaves(v *visit) bool {
	for {
		select {
		case <-v.done:
			return true
		case <-f.ctx.Done():
			return false
		case <-time.After(time.Millisecond):
		}
		f.mu.Lock()
		connected, t := f.connected, f.target
		f.mu.Unlock()
		if !connected {
			return false
		}
		if f.options.Left != nil {
			f.options.Left(t.busy.Load() > 0)
		}
	}
}

// open makes the session.
func (f *Follower) open(v *visit) error {
	p := v.launch.Program
	if !p.Machine.AllAtOnce {
		p.Machine.Resident = f.options.Resident
	}
	program := p.Host.Sink
	s, err := f.symbols.New(p, f.options.Facade)
	if err != nil {
		return fmt.Errorf("debug kernel %s: %w", v.launch.Name(), err)
	}
	s.PrintElsewhere(func(t host.Text) { program(t) })
	if c := p.Checker(); c != nil {
		s.LookFor(c.Kinds())
		s.OnDefect(func(r *check.Report) { f.defect(v, r) })
	}
	s.Pictures(f.options.Pictures)
	s.Remember(f.options.History) // with what the checker knows at the beginning
	v.session = s
	return nil
}

// defect tells of a defect.
func (f *Follower) defect(v *visit, r *check.Report) {
	if f.options.Defect == nil {
		return
	}
	f.mu.Lock()
	shown := f.connected && !v.alone
	f.mu.Unlock()
	f.options.Defect(v.launch, r, shown)
}

// finish runs what gdb has let go of to its end.
func (f *Follower) finish(ctx context.Context, v *visit) (simt.Event, error) {
	v.session.Remember(0)
	v.session.Release()
	ev, _, err := run(ctx, v.session, false)
	return ev, err
}

// run runs a launch that no gdb looks at to its end, or to where it stops if that matters.
func run(ctx context.Context, s *stub.Session, stops bool) (ev simt.Event, stopped bool, err error) {
	all := rsp.Resumption{Actions: []rsp.Action{{Kind: rsp.Continue, Thread: rsp.AllThreads}},
		Console: discard{}}
	for {
		stop, err := s.Resume(ctx, all)
		switch {
		case err != nil:
			return simt.Event{}, false, err
		case stop.Kind == rsp.Exited:
			return simt.Event{Kind: simt.EndEvent}, false, nil
		}
		switch ev, failed := s.Failed(); {
		case stops:
			return ev, true, nil
		case failed:
			return ev, false, nil
		case stop.Kind == rsp.NothingResumed:
			return simt.Event{}, false, errors.New("no wave can go on")
		}
	}
}

// discard is a console that nobody reads.
type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
