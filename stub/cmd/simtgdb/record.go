package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"sync"

	"simtgdb/simt"
	"simtgdb/stub"
	"simtgdb/stub/capture"
	"simtgdb/stub/device"
	"simtgdb/stub/launch"
)

// recordFlags are those of commands that write recordings of what they run.
type recordFlags struct {
	to      string // a file, or a folder
	sources bool
}

// register adds the flags to a command's.
func (f *recordFlags) register(set *flag.FlagSet, usage string) {
	set.StringVar(&f.to, "record", "", usage)
	set.BoolVar(&f.sources, "record-sources", false, "put the texts of the sources into recordings, too")
}

// check says what is wrong with the flags.
func (f *recordFlags) check() error {
	if f.sources && f.to == "" {
		return errors.New("--record-sources is about --record, which is not given")
	}
	return nil
}

// texts are those that recordings of a program are to have.
func (f *recordFlags) texts(p *launch.Program, folders []string) map[string][]byte {
	if !f.sources {
		return nil
	}
	return stub.SourceTexts(p, folders)
}

// A recorder runs one launch so that it can be recorded.
type recorder struct {
	*recordFlags
	launch  []byte // before it runs: it may write its own inputs
	files   map[string][]byte
	session *stub.Session // nil if it could not begin
}

// recorder packs a program that is to be run.
func (f *recordFlags) recorder(p *launch.Program) (r *recorder, err error) {
	r = &recorder{recordFlags: f}
	if r.launch, r.files, err = p.Pack(); err != nil {
		return nil, fmt.Errorf("--record: %w", err)
	}
	return r, nil
}

// run runs it.
func (r *recorder) run(ctx context.Context, p *launch.Program) (ev simt.Event, err error) {
	r.session, ev, err = stub.RunRecorded(ctx, p, defaultResident)
	return ev, err
}

// write writes how far it has come.
func (r *recorder) write(p *launch.Program, folders []string) error {
	if r.session == nil {
		return nil
	}
	r.session.RecordSources(r.texts(p, folders))
	err := putFile(r.to, func(w io.Writer) error { return r.session.WriteRecordingOf(w, r.launch, r.files) })
	if err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	return nil
}

// A launchRecorder records the launches of a host program, each in a file of its own.
type launchRecorder struct {
	*recordFlags
	folders []string

	mu       sync.Mutex
	sessions map[*device.Launch]*stub.Session
}

// records has launches recorded, if they are to be. What it gives says what went wrong with that.
func (f *execFlags) records(run runner) (_ runner, done func(stdio) error, err error) {
	switch {
	case f.record.to == "":
		return run, nil, nil
	case f.debug.wanted():
		return nil, nil, errors.New("launches are recorded or debugged, not both")
	case f.profile != "":
		return nil, nil, errors.New("launches are recorded or profiled, not both")
	case f.checks.kinds != 0 || f.checks.report != "":
		return nil, nil,
			errors.New("launches are recorded or checked, not both; run --check checks what --capture writes")
	}
	c, err := capture.To(f.record.to)
	if err != nil {
		return nil, nil, err
	}
	r := &launchRecorder{recordFlags: &f.record, folders: f.checks.folders,
		sessions: map[*device.Launch]*stub.Session{}}
	c.Whole(r.write)
	return func(ctx context.Context, l *device.Launch) (simt.Event, error) { return c.Run(ctx, l, r.run) },
		func(stdio) error { return c.Err() }, nil
}

// run runs a launch and keeps its turns.
func (r *launchRecorder) run(ctx context.Context, l *device.Launch) (simt.Event, error) {
	s, ev, err := stub.RunRecorded(ctx, l.Program, defaultResident)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sessions[l] = s
	return ev, err
}

// write writes the recording of a launch.
func (r *launchRecorder) write(l *device.Launch, file string, launchFile []byte,
	files map[string][]byte) error {
	r.mu.Lock()
	s := r.sessions[l]
	delete(r.sessions, l)
	r.mu.Unlock()
	if s == nil {
		return nil
	}
	s.RecordSources(r.texts(l.Program, r.folders))
	return putFile(file+".simtgdb",
		func(w io.Writer) error { return s.WriteRecordingOf(w, launchFile, files) })
}
