package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"simtgdb/rsp"
	"simtgdb/stub"
	"simtgdb/stub/profile"
	"simtgdb/stub/sessionpage"
)

// A sessionPages writes the page of a session: where lanes stand, at each stop, and what the launch costs,
// which is counted beside it in a run of the same launch.
type sessionPages struct {
	file    string
	folders []string // with sources
	page    sessionpage.Page
	counted chan counted // what is counted of the launch, once
	stop    context.CancelFunc
	failed  error // the first that kept a page from being written
}

// counted is what a run beside the session has counted, and what is to be said of it.
type counted struct {
	report *profile.Report
	note   string
}

// maxCounted bounds the run that is counted, in instructions of waves: some seconds.
const maxCounted = 1 << 24

// begin begins the page of a session.
func (p *sessionPages) begin(s *stub.Session) {
	p.end()
	program := profiled(s.Program(), p.folders)
	p.page = sessionpage.Page{Kernel: s.Kernel(), Sources: program.Finder,
		Note: "The launch is being counted."}
	p.counted = make(chan counted, 1)
	var ctx context.Context
	ctx, p.stop = context.WithCancel(context.Background())
	go func(to chan<- counted) { to <- countLaunch(ctx, s, p.folders) }(p.counted)
	p.stopped(s, s.StopReason())
}

// countLaunch runs the launch of a session anew and counts what it does.
func countLaunch(ctx context.Context, s *stub.Session, folders []string) counted {
	again, err := s.Anew(ctx)
	if err != nil {
		return counted{note: fmt.Sprintf("The launch was not counted: %v", err)}
	}
	program := profiled(again, folders)
	program.Limit = maxCounted
	r, err := profile.Run(ctx, program)
	note := "Counted in a run of the same launch from beginning to end, beside the session."
	var fault *profile.StopError
	var stuck *profile.StuckError
	switch {
	case errors.Is(err, profile.ErrLimit):
		note = fmt.Sprintf("Counted in the first %d instructions of waves of a run of the same launch.",
			maxCounted)
	case errors.As(err, &fault), errors.As(err, &stuck):
		note = fmt.Sprintf("Counted in a run of the same launch, beside the session, as far as it comes: %v.",
			err)
	case err != nil:
		return counted{note: fmt.Sprintf("The launch was not counted: %v", err)}
	}
	return counted{r, note}
}

// stopped writes the page at a stop.
func (p *sessionPages) stopped(s *stub.Session, stop rsp.Stop) {
	p.page.Live = true
	switch stop.Kind {
	case rsp.Stopped:
		m, err := s.Map()
		if err != nil {
			return // there are no lanes
		}
		p.page.Map = m
		p.page.Stop = fmt.Sprintf("gdb looks at thread %d, %s.", stop.Thread,
			s.DescribeThread(stop.Thread).Name)
	case rsp.Exited:
		p.page.Stop = "The program has ended. This is where its lanes stood at the last stop."
	default:
		p.page.Stop = "The program is gone. This is where its lanes stood at the last stop."
	}
	select {
	case c := <-p.counted:
		p.page.Report, p.page.Note, p.counted = c.report, c.note, nil
	default:
	}
	p.write()
}

// end writes the page for the last time, with what was counted.
func (p *sessionPages) end() {
	if p.stop == nil {
		return
	}
	if p.counted != nil {
		c := <-p.counted
		p.page.Report, p.page.Note, p.counted = c.report, c.note, nil
	}
	p.stop()
	p.stop, p.page.Live = nil, false
	p.write()
}

func (p *sessionPages) write() {
	err := replaceFile(p.file, func(w io.Writer) error { return p.page.Write(w) })
	if err != nil && p.failed == nil {
		p.failed = fmt.Errorf("--html: %w", err)
	}
}

// Resume implements rsp.Target: what it stops at goes into the page.
func (s served) Resume(ctx context.Context, r rsp.Resumption) (rsp.Stop, error) {
	stop, err := s.Session.Resume(ctx, r)
	s.from.stopped(stop, err)
	return stop, err
}

// ResumeBackward implements rsp.Reverser, likewise.
func (s served) ResumeBackward(ctx context.Context, r rsp.Resumption) (rsp.Stop, error) {
	stop, err := s.Session.ResumeBackward(ctx, r)
	s.from.stopped(stop, err)
	return stop, err
}

// Progress implements rsp.NonStopper, likewise: the page shows the latest of the stops, and where lanes that
// run are.
func (s served) Progress() ([]rsp.Stop, bool, error) {
	stops, running, err := s.Session.Progress()
	if n := len(stops); n > 0 {
		s.from.stopped(stops[n-1], err)
	}
	return stops, running, err
}

// stopped puts a stop into the page, if there is to be one.
func (s *sessions) stopped(stop rsp.Stop, err error) {
	if s.pages != nil && err == nil {
		s.pages.stopped(s.current, stop)
	}
}
