package stub

import (
	"context"
	"fmt"

	"simtgdb/simt"
	"simtgdb/stub/launch"
	"simtgdb/stub/printf/host"
)

// Kernel is what the source calls the kernel.
func (s *Session) Kernel() string { return s.prog.Source.FullName(s.prog.Kernel.Entry) }

// Program is what the session debugs.
func (s *Session) Program() *launch.Program { return s.prog }

// Anew loads what the session debugs once more, as it was at the beginning. What it prints is not shown.
func (s *Session) Anew(ctx context.Context) (*launch.Program, error) {
	p, err := s.prog.Spec.Load()
	if err != nil {
		return nil, err
	}
	p.Host.Sink = func(host.Text) {} // the session prints
	ev, err := p.RunBefore(ctx)
	switch {
	case err != nil:
		return nil, err
	case ev.Kind != simt.EndEvent:
		return nil, fmt.Errorf("a launch before the last fails: %s", p.DescribeFault(ev))
	}
	p.Machine.Resident = s.machine.Resident
	return p, nil
}
