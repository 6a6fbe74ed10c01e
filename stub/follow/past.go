package follow

import (
	"context"
	"errors"
	"fmt"
	"io"

	"simtgdb/rsp"
	"simtgdb/simt/check"
	"simtgdb/stub"
	"simtgdb/stub/device"
	"simtgdb/stub/printf/host"
)

// Going back from one launch to those before it. What is over is executed again: a launch is made ready with
// memory as it was before it (device.Past), runs to its end with a history, and is then a session like any
// other. The host program does not go back: it stands where it stands, and nothing of a launch that is over
// can be changed.

// over makes a visit of a launch that is over, which stands before its last instruction. Defects of some
// kinds are looked for there.
func (f *Follower) over(ctx context.Context, l *device.Launch, kinds check.Kinds) (*visit, error) {
	again, leave, err := l.Device.Past().Visit(l)
	if err != nil {
		return nil, err
	}
	v := &visit{launch: l, again: again, leave: leave, host: ctx, done: make(chan outcome, 1)}
	if err := f.openOver(ctx, v, kinds); err != nil {
		leave()
		return nil, err
	}
	return v, nil
}

func (f *Follower) openOver(ctx context.Context, v *visit, kinds check.Kinds) error {
	p := v.again.Program
	stub.FindCalls(p)
	if !p.Machine.AllAtOnce {
		p.Machine.Resident = f.options.Resident
	}
	p.Host.Sink = func(host.Text) {}
	if kinds != 0 {
		f.options.Check(v.again, kinds)
	}
	s, err := f.symbols.New(p, f.options.Facade)
	if err != nil {
		return fmt.Errorf("debug kernel %s: %w", v.launch.Name(), err)
	}
	s.PrintElsewhere(func(host.Text) {})
	s.Pictures(f.options.Pictures)
	if kinds != 0 {
		s.LookFor(kinds)
	}
	s.Remember(f.options.History) // with what the checker knows at the beginning
	s.ReadOnly(fmt.Sprintf("launch %d is over, and what came of it is not to be changed", v.launch.Number))
	v.session = s
	s.StopAtEnd(stub.AlwaysStop)
	defer s.StopAtEnd(stub.NeverStop)
	all := rsp.Resumption{Actions: []rsp.Action{{Kind: rsp.Continue, Thread: rsp.AllThreads}},
		Console: discard{}}
	for {
		stop, err := s.Resume(ctx, all)
		switch {
		case err != nil:
			return err
		case stop.Kind == rsp.Exited || stop.Kind == rsp.Stopped && stop.Signal == rsp.SignalNone:
			return nil
		}
		if _, failed := s.Failed(); failed || stop.Kind == rsp.NothingResumed {
			return nil // it ended so the first time, too
		}
	}
}

// leaveVisit ends looking at the launch that is shown, with memory as it was before it.
func (t *target) leaveVisit() error {
	v := t.visit
	if err := t.Session.Rewind(); err != nil {
		return err
	}
	if v.leave != nil {
		t.Session.Remember(0)
		v.leave()
	}
	return nil
}

// device is that of the launch that is shown.
func (t *target) device() *device.Device { return t.visit.launch.Device }

// before is the launch before the one that is shown, if one can go back to it.
func (t *target) before() *device.Launch {
	past := t.device().Past()
	if past == nil || !t.Session.AtBeginning() {
		return nil
	}
	if t.visit == t.live {
		return past.Before(nil)
	}
	return past.Before(t.visit.launch)
}

// goBefore shows the end of the launch before the one that is shown. It reports whether the host has written
// on the way to what is watched, and where.
func (t *target) goBefore(ctx context.Context, l *device.Launch) (written uint64, err error) {
	if err := t.leaveVisit(); err != nil {
		return 0, err
	}
	err = t.device().Past().GoBefore(l, func(addr, size uint64) {
		for w := range t.watchpoints {
			if written == 0 && addr < w.Address+uint64(w.Size) && w.Address < addr+size {
				written = w.Address
			}
		}
	})
	if err != nil {
		return 0, err
	}
	return written, t.enterOver(ctx, l)
}

// enterOver shows a launch that is over, at its end. Memory is as it was before it.
func (t *target) enterOver(ctx context.Context, l *device.Launch) error {
	v, err := t.follower.over(ctx, l, t.Session.LooksFor())
	if err != nil {
		return err
	}
	v.host = t.follower.ctx
	if t.live != nil {
		v.host = t.live.host
	}
	v.same, v.silent = t.shown == l.Module, true
	t.enter(v)
	t.insert()
	return nil
}

// backward goes back, from launch to launch.
func (t *target) backward(ctx context.Context, r rsp.Resumption) (rsp.Stop, error) {
	known := t.known()
	for {
		stop, err := t.Session.ResumeBackward(ctx, r)
		if err != nil || stop.Kind != rsp.Stopped || stop.Cause != rsp.CauseReplayBegin {
			return t.overStop(stop, known, r.Console), err
		}
		l := t.before()
		if l == nil {
			return t.overStop(stop, known, r.Console), nil
		}
		if r.Actions[0].Kind == rsp.Step {
			// gdb 13.1 forgets who waits for a step that ends in another program, and takes commands while it
			// runs.
			fmt.Fprintf(
				r.Console,
				"Before it is launch %d, number %d of kernel %s: reverse-continue goes back there.\n",
				l.Number, l.Nth(), l.Name())
			return stop, nil
		}
		written, err := t.goBefore(ctx, l)
		if err != nil {
			fmt.Fprintf(r.Console, "launch %d cannot be gone back to: %v\n", l.Number, err)
			return stop, t.back(ctx)
		}
		end := t.Session.StopReason()
		end.Kind, end.Signal, end.Cause = rsp.Stopped, rsp.SIGTRAP, rsp.CauseNone
		switch {
		case written != 0:
			fmt.Fprintf(r.Console, "The host program has written to %#x after launch %d.\n", written,
				l.Number)
			t.announce(r.Console)
			return t.told(end), nil // gdb has to see what is there now
		case !t.visit.same && len(t.breakpoints) > 0, t.first(known):
			// gdb looks breakpoints up in the other module, and at what it watches, and goes on
			t.announce(r.Console)
			return t.changed(end), nil
		}
		r.Actions = []rsp.Action{{Kind: rsp.Continue, Thread: rsp.AllThreads}}
	}
}

// overStop is a stop in a launch that gdb may not know of yet.
func (t *target) overStop(stop rsp.Stop, of believed, console io.Writer) rsp.Stop {
	if t.visit.launch != of.launch {
		t.announce(console)
	}
	return t.stopped(stop, of)
}

// back shows the launch under way again, or the end, after something went wrong.
func (t *target) back(ctx context.Context) error {
	if err := t.device().Past().Present(); err != nil {
		return err
	}
	if t.live == nil {
		return errors.New("the program has ended, and its launches cannot be executed again")
	}
	t.enter(t.live)
	return nil
}

// ahead goes on behind a launch that is over: to the next one, or to the one under way. It reports whether
// there is one.
func (t *target) ahead(ctx context.Context, console io.Writer) (bool, error) {
	l, past := t.visit.launch, t.device().Past()
	differs := past.Differs(l)
	next := past.After(l)
	t.Session.Remember(0)
	t.visit.leave()
	if differs {
		fmt.Fprintf(console, "launch %d has come to other results when it was executed again than the "+
			"first time, which count\n",
			l.Number)
	}
	if next != nil {
		if err := past.GoBefore(next, nil); err != nil {
			return false, err
		}
		if err := t.enterOver(ctx, next); err != nil {
			return false, err
		}
		return true, t.Session.Rewind()
	}
	if err := past.Present(); err != nil {
		return false, err
	}
	if t.live == nil {
		return false, nil
	}
	t.enter(t.live)
	if t.shown == t.visit.launch.Module {
		t.insertAll()
	}
	return true, nil
}

// present leaves what is over: somebody lets go of the program.
func (t *target) present() {
	if t.visit == t.live || t.visit.leave == nil {
		return
	}
	if t.leaveVisit() == nil && t.device().Past().Present() == nil && t.live != nil {
		t.enter(t.live)
	}
}

// release lets a program end whose last launch was looked at.
func (t *target) release() {
	if t.last != nil {
		t.last.done <- outcome{}
		t.last = nil
	}
}

// Leaving has gdb look at the launches of a program that has ended, if it is there and wants to. It is what a
// device does at its end (device.Options.Leaving).
func (f *Follower) Leaving(d *device.Device) {
	f.mu.Lock()
	wanted := f.options.StopAtEnd && f.connected && !f.detached && !f.killed
	f.mu.Unlock()
	l := d.Past().Before(nil)
	if !wanted || l == nil {
		return
	}
	v := &visit{launch: l, final: true, done: make(chan outcome, 1), host: f.ctx}
	select {
	case f.arrived <- v:
	case <-f.ctx.Done():
		return
	}
	select {
	case <-v.done:
	case <-f.ctx.Done():
	}
}

// final shows the end of the last launch of a program that has ended.
func (t *target) final(ctx context.Context, v *visit, r rsp.Resumption, of believed) (rsp.Stop, error) {
	past := v.launch.Device.Past()
	t.live, t.last = nil, v
	err := past.GoBefore(v.launch, nil)
	if err == nil {
		err = t.enterOver(ctx, v.launch)
	}
	if err != nil {
		fmt.Fprintf(r.Console, "launch %d cannot be gone back to: %v\n", v.launch.Number, err)
		t.release()
		if _, err := t.follower.next(ctx, r.Interrupt); !errors.Is(err, errEnded) {
			return rsp.Stop{}, err
		}
		return t.follower.tell(), nil
	}
	io.WriteString(r.Console, "The program has ended, and stands before the last instruction of its last "+
		"launch. reverse-continue and the like go back from here; another continue ends it.\n")
	end := t.Session.StopReason()
	end.Kind, end.Signal, end.Cause = rsp.Stopped, rsp.SignalNone, rsp.CauseNone
	return t.overStop(end, of, r.Console), nil
}
