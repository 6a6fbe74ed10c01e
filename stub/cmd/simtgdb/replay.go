package main

import (
	"errors"
	"fmt"

	"simtgdb/stub"
	"simtgdb/stub/launch"
	"simtgdb/stub/recording"
)

// replayCommand serves sessions that serve --record has written.
func replayCommand(args []string, std stdio) int {
	f := serveFlags{atEnd: endStop(stub.AlwaysStop)}
	set := newFlags("replay")
	f.register(set)
	rest, status, done := parse(set, args, std)
	if done {
		return status
	}
	if err := f.check(set); err != nil {
		return fail(std, "replay", err)
	}
	switch {
	case len(rest) != 1:
		return fail(std, "replay", errors.New("want one FILE that simtgdb serve --record has written"))
	case f.history == 0:
		return fail(std, "replay", errors.New("a recording cannot be replayed with --history off"))
	}
	data, err := launch.File{Path: rest[0]}.Read()
	if err != nil {
		return fail(std, "replay", err)
	}
	r, err := recording.Read(data)
	if err != nil {
		return fail(std, "replay", fmt.Errorf("%s: %w", rest[0], err))
	}
	sessions := &sessions{atEnd: stub.EndStop(f.atEnd), start: func(args []string) (*stub.Session, error) {
		if len(args) > 0 {
			return nil, errors.New("a recording has no arguments to set")
		}
		return stub.Replay(r, uint64(f.history))
	}}
	return f.serve("replay", sessions, std)
}
