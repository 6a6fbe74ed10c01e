package follow

import (
	"context"
	"errors"
	"io"
	"time"

	"simtgdb/rsp"
	"simtgdb/stub"
)

// Non-stop mode. What runs is the launch that is shown. Each one behind it, and each before it that one goes
// back to, is to gdb another program, in which one lane stands and all others are about to run, as where gdb
// connects.

// A freely is what a target has besides in non-stop mode.
type freely struct {
	on      bool
	events  bool // the ends of lanes are reported
	between bool // the launch that was shown is over, and none has come since
}

// first is the thread that gdb keeps while no launch is there: most begin with it.
const first rsp.ThreadID = 1

// pause is how long Progress waits for a launch at a time.
const pause = 5 * time.Millisecond

// SetNonStop implements rsp.NonStopper.
func (t *target) SetNonStop(on bool) error {
	t.free = freely{on: on}
	t.Session.Beyond(t.backFreely)
	return t.Session.SetNonStop(on)
}

// ThreadEvents implements rsp.NonStopper.
func (t *target) ThreadEvents(on bool) {
	t.free.events = on
	t.Session.ThreadEvents(on)
}

// Start implements rsp.NonStopper. While no launch is there, to stop threads is to stop the next.
func (t *target) Start(actions []rsp.Action) error {
	if !t.free.between {
		return t.Session.Start(actions)
	}
	for _, a := range actions {
		if a.Kind == rsp.Stay {
			return t.Interrupt()
		}
	}
	return nil
}

// Interrupt implements rsp.NonStopper.
func (t *target) Interrupt() error {
	if !t.free.between {
		return t.Session.Interrupt()
	}
	t.follower.mu.Lock()
	defer t.follower.mu.Unlock()
	t.follower.stopNext = true
	return nil
}

// Progress implements rsp.NonStopper.
func (t *target) Progress() ([]rsp.Stop, bool, error) {
	if t.free.between {
		return t.nextFreely()
	}
	if t.visit == t.live && t.visit.host.Err() != nil {
		return t.overFreely(nil)
	}
	stops, running, err := t.Session.Progress()
	n := len(stops) - 1
	if n >= 0 && stops[n].Program == "" && t.visit.leave != nil && t.visit.launch != t.announced {
		t.announce(t.Session.Texts())
	}
	if err != nil || n < 0 || stops[n].Kind != rsp.Exited && stops[n].Kind != rsp.Terminated {
		return stops, running, err
	}
	if _, failed := t.Session.Failed(); stops[n].Kind == rsp.Terminated && !failed {
		t.end() // by a signal of the user's
		return stops, false, t.Kill()
	}
	if t.visit.leave == nil {
		return t.overFreely(stops[:n])
	}
	before := t.Session
	more, err := t.ahead(t.follower.ctx, before.Texts())
	if err != nil || !more {
		return t.overFreely(stops[:n])
	}
	first := t.Session.StopReason()
	if t.visit == t.live && t.visit.stops {
		t.announce(before.Texts())
		first.Signal, first.Cause = rsp.SIGTRAP, rsp.CauseNone
		t.held = &first
	}
	return stops[:n], true, t.anotherFreely(t.changed(first), before)
}

// overFreely is what there is to say when the launch that is shown has ended.
func (t *target) overFreely(stops []rsp.Stop) ([]rsp.Stop, bool, error) {
	t.end() // if it failed, the host program learns of that
	t.free.between = true
	return stops, true, nil
}

// nextFreely waits for the next launch.
func (t *target) nextFreely() ([]rsp.Stop, bool, error) {
	ctx, cancel := context.WithTimeout(t.follower.ctx, pause)
	defer cancel()
	v, err := t.follower.next(ctx, nil)
	before := t.Session
	switch {
	case errors.Is(err, errEnded):
		return []rsp.Stop{t.follower.tell()}, false, nil
	case errors.Is(err, context.DeadlineExceeded):
		return nil, true, nil
	case err != nil:
		return nil, false, err
	case v.final:
		stop, err := t.final(t.follower.ctx, v, goOn(before.Texts()), believed{})
		if err != nil || stop.Program == "" {
			return []rsp.Stop{stop}, false, err
		}
		return nil, true, t.anotherFreely(stop, before)
	}
	t.enter(v)
	first := t.Session.StopReason()
	if v.stops {
		t.announce(before.Texts())
		t.held = &first
	}
	return nil, true, t.anotherFreely(t.changed(first), before)
}

// anotherFreely has gdb hear of the launch that is shown now. What is held is reported when gdb has looked at
// it.
func (t *target) anotherFreely(event rsp.Stop, before *stub.Session) error {
	err := t.Session.Begin(event)
	if stop := t.held; stop != nil {
		t.held = nil
		t.Session.Instead(func(io.Writer) (rsp.Stop, error) { return *stop, nil })
	}
	t.shownFreely(before)
	return err
}

// shownFreely has the session that is shown now go on where another was shown.
func (t *target) shownFreely(before *stub.Session) {
	t.free.between = false
	t.Session.ThreadEvents(t.free.events)
	t.Session.Beyond(t.backFreely)
	before.ShowTexts(t.Session.Texts())
}

// backFreely goes back beyond the beginning of the launch that is shown. Where gdb has to hear of another one
// before anything is looked for there, it goes on when gdb has.
func (t *target) backFreely(console io.Writer) (stop rsp.Stop, other bool, err error) {
	before := t.Session
	stop, err = t.backward(t.follower.ctx, goOn(console))
	switch {
	case t.Session == before:
		return stop, false, err
	case err != nil:
		return stop, true, err
	case stop.Program == "":
		err = t.Session.Arrive(stop)
		t.shownFreely(before)
		return stop, true, err
	}
	waits := t.held == nil
	err = t.anotherFreely(stop, before)
	if waits {
		t.Session.Instead(func(io.Writer) (rsp.Stop, error) {
			return t.Session.ResumeBackward(t.follower.ctx, goOn(t.Session.Texts()))
		})
	}
	return stop, true, err
}

// goOn is what lets everything run.
func goOn(console io.Writer) rsp.Resumption {
	all := rsp.Action{Kind: rsp.Continue, Thread: rsp.AllThreads}
	return rsp.Resumption{Actions: []rsp.Action{all}, Console: console}
}
