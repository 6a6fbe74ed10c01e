package rsp

import (
	"context"
	"fmt"
	"io"
)

// maxActions bounds the actions of one vCont.
const maxActions = 1 << 16

// resumeActions is vCont?. gdb uses vCont only if c, C, s and S are all there.
func resumeActions(s *session, _ arguments) error {
	return s.text("vCont;c;C;s;S;t;r")
}

// resumeThreads is vCont;action[:thread]… (gdb manual, "Packets").
func resumeThreads(s *session, a arguments) error {
	var actions []Action
	for len(a) > 0 {
		if len(actions) == maxActions {
			return fmt.Errorf("more than %d actions: %w", maxActions, EFBIG)
		}
		action, err := s.action(&a)
		if err != nil {
			return err
		}
		actions = append(actions, action)
		if len(a) > 0 {
			if err := a.expect(';'); err != nil {
				return err
			}
		}
	}
	if len(actions) == 0 {
		return fmt.Errorf("no action: %w", EINVAL)
	}
	if s.nonStop.on {
		return s.start(actions)
	}
	return s.resume(s.target.Resume, actions)
}

// action takes one action of a vCont.
func (s *session) action(a *arguments) (Action, error) {
	action := Action{Thread: AllThreads}
	if len(*a) == 0 {
		return action, fmt.Errorf("an action is missing: %w", EINVAL)
	}
	letter := (*a)[0]
	*a = (*a)[1:]
	var err error
	switch letter {
	case 'c':
		action.Kind = Continue
	case 'C':
		action.Kind = Continue
		action.Signal, err = a.signal()
	case 's':
		action.Kind = Step
	case 'S':
		action.Kind = Step
		action.Signal, err = a.signal()
	case 't':
		action.Kind = Stay
	case 'r':
		action.Kind = StepRange
		action.Start, action.End, err = a.pair(',')
	default:
		err = fmt.Errorf("action %q: %w", letter, EINVAL)
	}
	if err != nil || !a.skip(':') {
		return action, err
	}
	action.Thread, err = s.threadID(a)
	if action.Thread == AnyThread {
		action.Thread = s.currentThread()
	}
	return action, err
}

func (a *arguments) signal() (Signal, error) {
	n, err := a.number()
	if err == nil && n > 0xff {
		err = fmt.Errorf("signal 0x%x: %w", n, EINVAL)
	}
	return Signal(n), err
}

// resumeOld makes the handler of c, C, s and S, the packets before vCont. Hc says
// which thread they are about. With Hc for any or all threads, s steps the current
// one and lets the others run.
func resumeOld(kind ActionKind, withSignal bool) packetHandler {
	return func(s *session, a arguments) error {
		if err := s.onlyAllStop("a packet before vCont"); err != nil {
			return err
		}
		action := Action{Kind: kind, Thread: s.resumed}
		if withSignal {
			var err error
			if action.Signal, err = a.signal(); err != nil {
				return err
			}
		}
		if len(a) > 0 {
			return fmt.Errorf("resuming at another address (%q): %w", clip(a), ENOSYS)
		}
		if action.Thread > 0 {
			return s.resume(s.target.Resume, []Action{action})
		}
		rest := Action{Kind: Continue, Thread: AllThreads}
		if kind == Continue && action.Signal == SignalNone {
			return s.resume(s.target.Resume, []Action{rest})
		}
		action.Thread = s.currentThread()
		return s.resume(s.target.Resume, []Action{action, rest})
	}
}

// backward makes the handler of bc and bs.
func backward(kind ActionKind) packetHandler {
	return func(s *session, _ arguments) error {
		reverser, ok := s.target.(Reverser)
		if !ok {
			return errUnsupported
		}
		if s.nonStop.on {
			return s.noWayBack()
		}
		actions := []Action{{Kind: kind, Thread: s.resumed}}
		switch {
		case s.resumed > 0:
		case kind == Step:
			actions[0].Thread = s.currentThread()
			actions = append(actions, Action{Kind: Continue, Thread: AllThreads})
		default:
			actions[0].Thread = AllThreads
		}
		return s.resume(reverser.ResumeBackward, actions)
	}
}

// resume runs the program; the reply to the packet is the stop.
func (s *session) resume(run func(context.Context, Resumption) (Stop, error), actions []Action) error {
	s.object.drop() // what it showed is out of date
	s.listed = nil
	var stop Stop
	err := s.withConsole(func(out io.Writer) (err error) {
		stop, err = run(s.ctx, Resumption{Actions: actions, Interrupt: s.conn.Interrupts(), Console: out})
		return err
	})
	if err != nil {
		return err
	}
	return s.report(stop)
}

// stopReason is ?.
func stopReason(s *session, _ arguments) error {
	s.tellPlain()
	if s.nonStop.on {
		return s.everyStop()
	}
	return s.report(s.target.StopReason())
}

// tellPlain tells, once, of a client that is not in extended mode. One that is says so before it asks for
// anything of the program.
func (s *session) tellPlain() {
	if s.options.Plain != nil && !s.extended {
		s.options.Plain()
		s.options.Plain = nil
	}
}

// report composes a stop reply (gdb manual, "Stop Reply Packets"). To the client
// the thread in it is selected from then on, but for what Hc has selected: gdb
// sends Hc again only for another thread (remote_target::set_thread).
func (s *session) report(stop Stop) error {
	s.general, s.stopThread = stop.Thread, stop.Thread
	s.reply = s.appendStop(s.reply, stop)
	return nil
}

// appendStop appends a stop reply.
func (s *session) appendStop(dst []byte, stop Stop) []byte {
	s.exited = stop.Kind == Exited || stop.Kind == Terminated
	switch stop.Kind {
	case Exited:
		return s.appendProcess(fmt.Appendf(dst, "W%02x", stop.Code))
	case Terminated:
		return s.appendProcess(fmt.Appendf(dst, "X%02x", uint8(stop.Signal)))
	case NothingResumed:
		return append(dst, 'N')
	case ThreadEnded:
		return s.appendThread(fmt.Appendf(dst, "w%02x;", stop.Code), stop.Thread)
	}
	dst = fmt.Appendf(dst, "T%02x", uint8(stop.Signal))
	if stop.Program != "" && s.client.exec {
		clear(s.inserted) // they were the other program's
		dst = fmt.Appendf(dst, "exec:%x;", stop.Program)
	}
	dst = s.appendExpedited(dst, stop)
	dst = s.appendCause(dst, stop)
	if stop.Thread > 0 {
		dst = append(s.appendThread(append(dst, "thread:"...), stop.Thread), ';')
	}
	return dst
}

func (s *session) appendProcess(dst []byte) []byte {
	if !s.client.multiprocess {
		return dst
	}
	return appendHexNumber(append(dst, ";process:"...), uint64(s.pid()))
}

// appendExpedited sends registers along. One that cannot be read is left out: the
// client will ask for it if it wants it, and learn why it cannot have it.
func (s *session) appendExpedited(dst []byte, stop Stop) []byte {
	for _, n := range stop.Registers {
		before := len(dst)
		w := RegisterWriter{text: append(appendHexNumber(dst, uint64(n)), ':')}
		err := s.target.ReadRegister(stop.Thread, n, &w)
		dst = append(w.text, ';')
		if err != nil || w.missing {
			dst = dst[:before]
		}
	}
	return dst
}

// causeWords are the words of those causes that need no agreement with the client.
var causeWords = map[StopCause]string{
	CauseWatch:       "watch",
	CauseReadWatch:   "rwatch",
	CauseAccessWatch: "awatch",
	CauseReplayBegin: "replaylog:begin",
	CauseReplayEnd:   "replaylog:end",
	CauseLibrary:     "library:",
}

func (s *session) appendCause(dst []byte, stop Stop) []byte {
	switch stop.Cause {
	case CauseNone:
	case CauseSoftwareBreakpoint:
		if s.client.swbreak && s.isInserted(softwareBreakpoint, stop.Address) {
			dst = append(dst, "swbreak:;"...)
		}
	case CauseHardwareBreakpoint:
		if s.client.hwbreak && s.isInserted(hardwareBreakpoint, stop.Address) {
			dst = append(dst, "hwbreak:;"...)
		}
	case CauseReplayBegin, CauseReplayEnd, CauseLibrary:
		dst = append(append(dst, causeWords[stop.Cause]...), ';')
	default:
		dst = append(append(dst, causeWords[stop.Cause]...), ':')
		dst = append(appendHexNumber(dst, stop.Address), ';')
	}
	return dst
}

func (s *session) isInserted(kind breakpointKind, addr uint64) bool {
	_, ok := s.inserted[breakpointKey{kind, addr}]
	return ok
}
