package stub

import (
	"context"
	"errors"

	"simtgdb/simt"
	"simtgdb/stub/facade"
	"simtgdb/stub/launch"
)

// How a run goes that is recorded with nobody looking: as far as it may at a time, and turn by turn for a
// while where that came to nothing.
const (
	recordedFar    = 1 << 20
	recordedPause  = 64
	recordedMemory = 1 << 20 // bytes that its history may take, besides its log
)

// RunRecorded runs a program to its end, or to the first event that stops it, in the order of a debugged run
// with so many waves at a time. [Session.WriteRecording] of the session writes it then.
func RunRecorded(ctx context.Context, p *launch.Program, resident int) (
	s *Session, ev simt.Event, err error) {
	if ev, err = p.RunBefore(ctx); err != nil || ev.Kind != simt.EndEvent {
		return nil, ev, err
	}
	if !p.Machine.AllAtOnce {
		p.Machine.Resident = resident
	}
	if s, err = New(p, facade.Host()); err != nil {
		return nil, ev, err
	}
	s.Remember(recordedMemory)
	if err = s.Record(); err != nil {
		return nil, ev, err
	}
	ev, err = s.toEnd(ctx)
	p.Host.Flush(true)
	return s, ev, err
}

// toEnd runs the dispatch to its end, or to the first event that stops it.
func (s *Session) toEnd(ctx context.Context) (simt.Event, error) {
	m := s.machine
	far := simt.Far{Turn: quantum, Insts: recordedFar, Workers: s.prog.Workers(),
		Interrupted: func() bool { return ctx.Err() != nil }}
	for pause := 0; !m.Done(); pause-- {
		if err := ctx.Err(); err != nil {
			return simt.Event{}, err
		}
		if m.MaxInsts != 0 && m.Stats().Insts >= m.MaxInsts {
			return simt.Event{}, &simt.LimitError{Insts: m.MaxInsts}
		}
		if pause <= 0 && far.Workers > 1 && m.MaxInsts == 0 {
			ok, err := s.past.AdvanceFar(far)
			if err != nil {
				return simt.Event{}, err
			}
			if ok {
				continue
			}
			pause = recordedPause
		}
		ev, err := s.past.Advance(quantum)
		switch {
		case err != nil:
			return ev, err
		case ev.Wave == nil:
			return ev, errors.New("waves wait at barriers that others do not come to")
		case ev.Kind == simt.FaultEvent, ev.Kind == simt.TrapEvent:
			return ev, nil
		}
	}
	return simt.Event{Kind: simt.EndEvent}, nil
}
