package rsp

import "fmt"

// Non-stop mode (gdb manual, "Remote Non-Stop", "Notification Packets"): some threads run while others are
// examined. vCont is answered at once; a stop is announced with a notification, %Stop, once nothing else is;
// the client takes it, and those that have come since, with vStopped.
//
// The target runs in pieces between packets, by the same goroutine, so that no packet has to wait for a stop.

// NonStopper is a Target whose threads can run while others are examined.
type NonStopper interface {
	// SetNonStop begins non-stop mode, in which every thread is stopped at first, or ends it.
	SetNonStop(on bool) error
	// Start lets threads begin what the actions say and returns at once. For each thread the first action
	// that names it counts. Stay stops a thread that runs: that is reported with SignalNone.
	Start(actions []Action) error
	// Interrupt stops some thread that runs, with SIGINT.
	Interrupt() error
	// Progress lets what runs go on for a few milliseconds at most. It gives the stops that have come about
	// since the last call, and says whether anything can go on without another Start.
	Progress() (stops []Stop, running bool, err error)
	// Stopped are all threads that stand, of those that are listed.
	Stopped() []ThreadID
	// ThreadEvents has the ends of threads be reported too (QThreadEvents).
	ThreadEvents(on bool)
}

// nonStopState is what a session in non-stop mode has besides.
type nonStopState struct {
	on      bool
	running bool
	queue   []Stop // to be taken by the client, the first of them announced if told
	told    bool
}

// setNonStop is QNonStop:1 or 0.
func setNonStop(s *session, a arguments) error {
	t, ok := s.target.(NonStopper)
	on := string(a) == "1"
	switch {
	case !on && string(a) != "0":
		return fmt.Errorf("QNonStop:%q: want 0 or 1: %w", clip(a), EINVAL)
	case !ok && on:
		return fmt.Errorf("only all-stop mode is supported: %w", EINVAL)
	case on == s.nonStop.on:
		return s.ok()
	}
	if err := t.SetNonStop(on); err != nil {
		return err
	}
	s.nonStop = nonStopState{on: on}
	return s.ok()
}

// threadEvents is QThreadEvents:1 or 0.
func threadEvents(s *session, a arguments) error {
	t, ok := s.target.(NonStopper)
	if !ok {
		return errUnsupported
	}
	if string(a) != "0" && string(a) != "1" {
		return fmt.Errorf("QThreadEvents:%q: want 0 or 1: %w", clip(a), EINVAL)
	}
	t.ThreadEvents(string(a) == "1")
	s.nonStop.running = s.nonStop.on // something may be to be reported
	return s.ok()
}

// start is vCont in non-stop mode.
func (s *session) start(actions []Action) error {
	s.object.drop()
	s.listed = nil
	if err := s.target.(NonStopper).Start(actions); err != nil {
		return err
	}
	s.nonStop.running = true // or something is to be reported
	return s.ok()
}

// onlyAllStop refuses a packet in non-stop mode.
func (s *session) onlyAllStop(what string) error {
	if s.nonStop.on {
		return fmt.Errorf("%s is not possible in non-stop mode: %w", what, EINVAL)
	}
	return nil
}

// noWayBack is bc or bs in non-stop mode, where there is no going back. gdb reads no reply to them, and would
// take one for that to its next packet; it waits for a stop (remote_target::resume, 13.1 to 18.1). So it gets
// none but that: the thread is where its history begins.
func (s *session) noWayBack() error {
	t := s.resumed
	if t <= 0 {
		t = s.currentThread()
	}
	stop := Stop{Kind: Stopped, Thread: t, Signal: SIGTRAP, Cause: CauseReplayBegin}
	s.nonStop.queue = append(s.nonStop.queue, stop)
	s.nonStop.running = true // the stop is to be reported
	s.silent = true
	return nil
}

// control is vCtrlC.
func control(s *session, _ arguments) error {
	if !s.nonStop.on {
		return errUnsupported
	}
	if err := s.target.(NonStopper).Interrupt(); err != nil {
		return err
	}
	s.nonStop.running = true
	return s.ok()
}

// progress lets the target run while no packet has come, and announces a stop.
func (s *session) progress() error {
	select {
	case <-s.conn.Interrupts():
		if err := s.target.(NonStopper).Interrupt(); err != nil {
			return err
		}
	default:
	}
	stops, running, err := s.target.(NonStopper).Progress()
	if err != nil {
		return err
	}
	s.nonStop.running = running
	s.nonStop.queue = append(s.nonStop.queue, stops...)
	if s.nonStop.told || len(s.nonStop.queue) == 0 {
		return nil
	}
	s.nonStop.told = true
	s.reply = s.appendStop(append(s.reply[:0], "Stop:"...), s.nonStop.queue[0])
	return s.conn.Notify(s.reply)
}

// takeStop is vStopped: the client has taken a stop and asks for the next.
func takeStop(s *session, _ arguments) error {
	n := &s.nonStop
	if !n.on || !n.told {
		return fmt.Errorf("no stop was announced: %w", EINVAL)
	}
	if n.queue = n.queue[1:]; len(n.queue) == 0 {
		n.told = false
		return s.ok()
	}
	s.reply = s.appendStop(s.reply, n.queue[0])
	return nil
}

// everyStop is ? in non-stop mode: all threads that stand, one after the other.
func (s *session) everyStop() error {
	n := &s.nonStop
	n.queue = n.queue[:0]
	for _, t := range s.target.(NonStopper).Stopped() {
		n.queue = append(n.queue, Stop{Kind: Stopped, Thread: t})
	}
	if n.told = len(n.queue) > 0; !n.told {
		return s.ok()
	}
	s.reply = s.appendStop(s.reply, n.queue[0])
	return nil
}
