package rsp

import (
	"errors"
	"fmt"
)

// Restarter is a Target in whose place another can come. A client in extended mode stays when the program is
// gone, and asks for a new one (vRun), or for the one that it has left (vAttach).
type Restarter interface {
	// Restart starts the program anew, with the arguments of the client's command line for it.
	Restart(arguments []string) (Target, error)
	// Reattach gives the program that was left, or a new one if it has ended.
	Reattach() (Target, error)
}

// maxArguments bounds a command line.
const maxArguments = 4096

// run is vRun;FILE[;ARGUMENT]…, each in hexadecimal. Which file it is, is the target's business alone.
func run(s *session, a arguments) error {
	restarter, ok := s.target.(Restarter)
	if !ok {
		return refuseRun(s, a)
	}
	if _, err := decodeHex(a.until(';')); err != nil {
		return err
	}
	var list []string
	for len(a) > 0 {
		argument, err := decodeHex(a.until(';'))
		if err != nil {
			return err
		}
		if list = append(list, string(argument)); len(list) > maxArguments {
			return fmt.Errorf("more than %d arguments: %w", maxArguments, EFBIG)
		}
	}
	var t Target
	var err error
	s.conn.whileWaiting(func() { t, err = restarter.Restart(list) })
	if err != nil {
		return s.cannotStart(err)
	}
	if err := s.replace(t); err != nil {
		return err
	}
	return s.report(t.StopReason())
}

// attach is vAttach;PID.
func attach(s *session, a arguments) error {
	restarter, ok := s.target.(Restarter)
	if !ok {
		return refuseRun(s, a)
	}
	if !s.gone && !s.exited {
		return fmt.Errorf("the program is attached to already: %w", EBUSY)
	}
	var t Target
	var err error
	s.conn.whileWaiting(func() { t, err = restarter.Reattach() })
	if err != nil {
		return s.cannotStart(err)
	}
	if err := s.replace(t); err != nil {
		return err
	}
	if s.nonStop.on {
		s.nonStop.queue, s.nonStop.running = append(s.nonStop.queue, t.StopReason()), true
		return s.ok()
	}
	return s.report(t.StopReason())
}

// cannotStart logs why, since the client says only that it cannot.
func (s *session) cannotStart(err error) error {
	if errnoOf(err) == EIO && !errors.Is(err, EIO) {
		err = fmt.Errorf("%w: %w", EINVAL, err)
	}
	return err
}

// replace makes t the target.
func (s *session) replace(t Target) error {
	s.target, s.gone, s.exited, s.ended = t, false, false, nil
	s.general, s.resumed, s.stopThread = AnyThread, AnyThread, t.StopReason().Thread
	s.inserted = map[breakpointKey]struct{}{}
	s.object.drop()
	s.listed = nil
	if !s.nonStop.on {
		return nil
	}
	s.nonStop = nonStopState{on: true}
	return t.(NonStopper).SetNonStop(true)
}

// refuseRun is vRun and vAttach of a target that cannot. Were they unknown, gdb would fall back to R, which
// has no reply, and wait.
func refuseRun(*session, arguments) error {
	return fmt.Errorf("each connection has its program, and no other can be started: connect anew (%w)",
		ENOSYS)
}
