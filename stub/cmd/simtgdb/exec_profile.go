package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"simtgdb/simt"
	"simtgdb/stub/device"
	"simtgdb/stub/profile"
	"simtgdb/stub/source"
)

// launchProfiles are the profiles of a host program's launches.
type launchProfiles struct {
	file     string // that they are written to in the end
	resident int    // waves that run at once
	finder   source.Finder

	mu      sync.Mutex
	session profile.Session
}

// profiles has launches profiled, if they are to be, and the profile written in the end.
func (x *execution) profiles(run runner) (_ runner, write func(std stdio) error, err error) {
	if x.profile == "" {
		return run, nil, nil
	}
	if err := folderThere(x.profile); err != nil {
		return nil, nil, err
	}
	if x.debug.wanted() {
		return nil, nil, errors.New("launches are profiled or debugged, not both")
	}
	p := &launchProfiles{file: x.profile, resident: max(x.debug.resident, 1)}
	p.session.Program = x.program[0]
	return p.run, p.write, nil
}

// run runs a launch and counts what it does.
func (p *launchProfiles) run(ctx context.Context, l *device.Launch) (simt.Event, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	name := fmt.Sprintf("module %d", l.Module.ID)
	if l.Process > 1 {
		name = fmt.Sprintf("process %d, %s", l.Process, name)
	}
	m := l.Program.Machine
	if !m.AllAtOnce {
		m.Resident = p.resident
	}
	r, err := profile.Run(ctx, &profile.Program{Name: name, Kernel: l.Kernel(), SourceName: l.SourceName(),
		Machine: l.Module.Target, M: m,
		Source: l.Program.Source, Finder: &p.finder})
	l.Program.Host.Flush(true)
	p.session.Add(r) // as far as it came
	var stopped *profile.StopError
	switch {
	case errors.As(err, &stopped):
		return stopped.Event, nil
	case err != nil:
		return simt.Event{}, err
	}
	return simt.Event{Kind: simt.EndEvent}, nil
}

// write writes the profile: as the end of the file's name says.
func (p *launchProfiles) write(std stdio) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := &p.session
	s.Finish()
	how := s.Text
	for _, form := range slices.Backward(profileForms) { // the first that fits is the last that is taken
		if slices.ContainsFunc(form.ends, func(end string) bool {
			return strings.HasSuffix(strings.ToLower(p.file), end)
		}) {
			how = func(w io.Writer) error { return form.write(s, w) }
		}
	}
	return toFile(p.file, std.err, how)
}
