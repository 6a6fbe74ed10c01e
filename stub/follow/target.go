package follow

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"simtgdb/rsp"
	"simtgdb/stub"
	"simtgdb/stub/device"
)

// A target is what a gdb is connected to: the session of the launch that it is
// shown, which changes while it waits for a Resume. The session's abilities are
// the target's.
type target struct {
	*stub.Session
	follower *Follower
	visit    *visit
	seen     map[*device.Module]bool // that gdb has looked breakpoints up in
	shown    *device.Module          // whose symbols gdb has

	// What gdb has inserted, for the sessions to come. Follower.mu guards it.
	breakpoints map[uint64]rsp.Breakpoint
	watchpoints map[rsp.Watchpoint]bool

	held      *rsp.Stop      // to be reported when gdb resumes next
	announced *device.Launch // the latest one that gdb's user was told of
	// reported is the thread of the latest stop. gdb 13.1 forgets who waits for a command that it resumes
	// with when another program begins in another thread.
	reported rsp.ThreadID
	// gone is that thread where the other program has none of its number: until gdb resumes it is another.
	gone, instead rsp.ThreadID

	live *visit // of the launch under way, when one that is over is shown, too; nil if the program has ended
	last *visit // of the last launch of a program that has ended

	free freely // what is besides in non-stop mode

	busy atomic.Int32 // requests under way that may take long
}

// ChangesProgram implements rsp.ProgramChanger.
func (t *target) ChangesProgram() {}

// enter makes a launch the one that is shown.
func (t *target) enter(v *visit) {
	f := t.follower
	f.mu.Lock()
	defer f.mu.Unlock()
	t.Session, t.visit = v.session, v
	if v.leave == nil {
		t.live = v
	}
	if t.seen == nil {
		t.seen = map[*device.Module]bool{}
		t.breakpoints, t.watchpoints = map[uint64]rsp.Breakpoint{}, map[rsp.Watchpoint]bool{}
	}
	if !v.silent {
		t.showing(v.launch.Module)
	}
}

// showing notes that gdb reads a module's symbols. It wants Follower.mu.
func (t *target) showing(m *device.Module) { t.seen[m], t.shown = true, m }

// forget forgets what belongs to a gdb that has gone.
func (t *target) forget() {
	f := t.follower
	f.mu.Lock()
	defer f.mu.Unlock()
	clear(t.breakpoints)
	clear(t.watchpoints)
	t.held, t.free = nil, freely{}
}

// watches reports whether there is anything that could stop a launch. It wants
// Follower.mu.
func (t *target) watches() bool { return len(t.breakpoints)+len(t.watchpoints) > 0 }

// note notes what gdb has inserted or removed.
func (t *target) note(err error, change func()) error {
	if err == nil {
		t.follower.mu.Lock()
		defer t.follower.mu.Unlock()
		change()
	}
	return err
}

// InsertSoftwareBreakpoint implements rsp.SoftwareBreakpointer. One where the module has
// no code may be another module's, which gdb keeps: were it refused, gdb would not resume.
func (t *target) InsertSoftwareBreakpoint(b rsp.Breakpoint) error {
	if t.visit.program().Machine.CodeAt(b.Address) == nil {
		return nil
	}
	return t.note(t.Session.InsertSoftwareBreakpoint(b), func() { t.breakpoints[b.Address] = b })
}

// RemoveSoftwareBreakpoint implements rsp.SoftwareBreakpointer.
func (t *target) RemoveSoftwareBreakpoint(addr uint64, size int) error {
	return t.note(t.Session.RemoveSoftwareBreakpoint(addr, size), func() { delete(t.breakpoints, addr) })
}

// InsertHardwareBreakpoint implements rsp.HardwareBreakpointer.
func (t *target) InsertHardwareBreakpoint(b rsp.Breakpoint) error {
	return t.InsertSoftwareBreakpoint(b)
}

// RemoveHardwareBreakpoint implements rsp.HardwareBreakpointer.
func (t *target) RemoveHardwareBreakpoint(addr uint64, size int) error {
	return t.RemoveSoftwareBreakpoint(addr, size)
}

// InsertWatchpoint implements rsp.Watchpointer.
func (t *target) InsertWatchpoint(w rsp.Watchpoint) error {
	return t.note(t.Session.InsertWatchpoint(w), func() { t.watchpoints[w] = true })
}

// RemoveWatchpoint implements rsp.Watchpointer.
func (t *target) RemoveWatchpoint(w rsp.Watchpoint) error {
	return t.note(t.Session.RemoveWatchpoint(w), func() { delete(t.watchpoints, w) })
}

// Resume implements rsp.Target. Where a launch ends it goes on to the next that
// there is something to say of.
func (t *target) Resume(ctx context.Context, r rsp.Resumption) (rsp.Stop, error) {
	t.resumes(r)
	if stop := t.held; stop != nil {
		t.held, t.reported = nil, stop.Thread
		return *stop, nil
	}
	known := t.known()
	for {
		stop, err := t.resume(ctx, r)
		gone := errors.Is(err, errGone)
		if !gone && (err != nil || stop.Kind != rsp.Exited && stop.Kind != rsp.Terminated) {
			if t.unknown(known) {
				t.announce(r.Console)
			}
			return t.stopped(stop, known), err
		}
		_, failed := t.Session.Failed()
		if t.visit.leave != nil && !gone {
			more, err := t.ahead(ctx, r.Console)
			switch first := t.Session.StopReason(); {
			case err != nil:
				return rsp.Stop{}, err
			case more && t.visit == t.live && t.visit.stops:
				t.announce(r.Console)
				first.Signal, first.Cause = rsp.SIGTRAP, rsp.CauseNone
				return t.stopped(first, known), nil
			case more && t.first(known):
				return t.changed(first), nil
			case more:
				r.Actions = []rsp.Action{{Kind: rsp.Continue, Thread: rsp.AllThreads}}
				continue
			}
		}
		t.end()                                              // if it failed, the host program learns of that
		if !gone && stop.Kind == rsp.Terminated && !failed { // by a signal of the user's
			return stop, t.Kill()
		}
		v, err := t.follower.next(ctx, r.Interrupt)
		switch {
		case errors.Is(err, errEnded):
			return t.follower.tell(), nil
		case err != nil:
			return rsp.Stop{}, err
		case v.final:
			return t.final(ctx, v, r, known)
		}
		t.enter(v)
		t.insert()
		if !v.silent || t.first(known) {
			first := t.Session.StopReason()
			if !v.stops {
				return t.changed(first), nil
			}
			t.announce(r.Console)
			return t.stopped(first, known), nil
		}
		r.Actions = []rsp.Action{{Kind: rsp.Continue, Thread: rsp.AllThreads}}
	}
}

// errGone is why a launch cannot be resumed.
var errGone = errors.New("the program that launched the kernel has gone")

// resume resumes the launch that is shown, as long as its host program is there.
func (t *target) resume(ctx context.Context, r rsp.Resumption) (rsp.Stop, error) {
	host := t.visit.host
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(host, cancel)()
	stop, err := t.Session.Resume(ctx, r)
	if err != nil && host.Err() != nil {
		return rsp.Stop{}, errGone
	}
	return stop, err
}

// What gdb believes to be debugging.
type believed struct {
	launch  *device.Launch
	program string
}

// known is that where gdb resumes.
func (t *target) known() believed { return believed{t.visit.launch, t.Session.ProgramName()} }

// watched reports whether gdb watches any memory.
func (t *target) watched() bool {
	t.follower.mu.Lock()
	defer t.follower.mu.Unlock()
	return len(t.watchpoints) > 0
}

// news reports whether gdb has to be told that the program is another: of another launch, unless it watches
// memory and the program is the same.
func (t *target) news(of believed) bool {
	return t.visit.launch != of.launch && !(t.watched() && t.Session.ProgramName() == of.program)
}

// first reports whether gdb is to hear of another program before anything happens there: what it finds where
// it watches memory when it hears of it, it takes for what was there before.
func (t *target) first(of believed) bool { return t.watched() && t.news(of) }

// unknown reports whether gdb's user is to be told which launch it is that something stops.
func (t *target) unknown(of believed) bool {
	if t.visit.leave != nil && t.visit.launch != t.announced {
		return true
	}
	return t.visit.launch != of.launch && t.visit.silent &&
		(t.visit.program().Checker() != nil || !t.news(of))
}

// announce says which launch it is.
func (t *target) announce(console io.Writer) {
	l := t.visit.launch
	t.announced = l
	fmt.Fprintf(console, "launch %d, number %d of kernel %s\n", l.Number, l.Nth(), l.Name())
}

// tell says how the host program ended.
func (f *Follower) tell() rsp.Stop {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.told = true
	return rsp.Stop{Kind: rsp.Exited, Code: f.code}
}

// ResumeBackward implements rsp.Reverser.
func (t *target) ResumeBackward(ctx context.Context, r rsp.Resumption) (rsp.Stop, error) {
	t.resumes(r)
	if stop := t.held; stop != nil {
		t.held, t.reported = nil, stop.Thread
		return *stop, nil
	}
	defer t.working()()
	return t.backward(ctx, r)
}

// Monitor implements rsp.Monitor.
func (t *target) Monitor(ctx context.Context, command string, out io.Writer) error {
	defer t.working()()
	return t.Session.Monitor(ctx, command, out)
}

// working notes that a request is under way, until what it gives is called.
func (t *target) working() (done func()) {
	t.busy.Add(1)
	return func() { t.busy.Add(-1) }
}

// stopped makes a stop known to a gdb that believes to be in a launch: if it is
// another by now, gdb is first told of the program, and of the stop when it
// resumes.
func (t *target) stopped(stop rsp.Stop, of believed) rsp.Stop {
	if !t.news(of) {
		t.reported = stop.Thread
		return stop
	}
	return t.told(stop)
}

// told tells gdb that the program is another, and of a stop when it resumes.
func (t *target) told(stop rsp.Stop) rsp.Stop {
	t.held = &stop
	return t.changed(stop)
}

// changed says that the program is another.
func (t *target) changed(at rsp.Stop) rsp.Stop {
	t.follower.mu.Lock()
	clear(t.breakpoints) // gdb inserts them anew, where they are now
	for w := range t.watchpoints {
		_ = t.Session.RemoveWatchpoint(w)
	}
	clear(t.watchpoints)
	t.showing(t.visit.launch.Module)
	t.follower.mu.Unlock()
	t.Session.Forget()
	thread := at.Thread
	if t.reported != rsp.AnyThread {
		if thread = t.reported; !t.Session.ThreadAlive(thread) {
			t.gone, t.instead = thread, at.Thread
		}
	}
	return rsp.Stop{Kind: rsp.Stopped, Signal: rsp.SIGTRAP, Thread: thread, Program: t.Session.ProgramName()}
}

// insert gives the session what gdb has inserted in the one before. What does
// not fit there is left out, and all of it in another module.
func (t *target) insert() {
	if t.visit.silent && t.visit.same {
		t.insertAll()
	}
}

func (t *target) insertAll() {
	for _, b := range t.breakpoints {
		_ = t.Session.InsertSoftwareBreakpoint(b)
	}
	for w := range t.watchpoints {
		_ = t.Session.InsertWatchpoint(w)
	}
}

// end ends the visit.
func (t *target) end() {
	if t.visit.leave != nil {
		t.release()
		return
	}
	ev, _ := t.Session.Failed()
	t.visit.done <- outcome{event: ev}
}

// Kill implements rsp.Target: it ends the host program.
func (t *target) Kill() error {
	defer t.release()
	t.follower.mu.Lock()
	t.follower.killed = true
	t.follower.mu.Unlock()
	t.follower.options.Kill()
	return nil
}

// Detach implements rsp.Target: the host program goes on by itself.
func (t *target) Detach() error {
	f := t.follower
	f.mu.Lock()
	f.detached, f.connected = true, false
	f.mu.Unlock()
	t.present()
	t.release()
	if t.live != nil && !t.Session.Ended() {
		t.visit.done <- outcome{goOn: true}
	}
	return nil
}

// Close notes that gdb has gone.
func (t *target) Close() error {
	t.release()
	f := t.follower
	f.mu.Lock()
	defer f.mu.Unlock()
	f.connected = false
	return nil
}
