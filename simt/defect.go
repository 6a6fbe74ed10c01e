package simt

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// A DefectError is a panic in a machine: it is wrong, whatever the program is.
type DefectError struct {
	What  string // what panicked, and where: the innermost functions, outer ones behind
	While string // what was being done
}

func (e *DefectError) Error() string {
	return fmt.Sprintf("%s: %s. This is a defect of simtgdb, not of the program: please report it with the "+
		"program and how it was launched", e.While, e.What)
}

// LetPanic lets panics through, as fuzz targets want it, and whoever wants to see all of the stack.
var LetPanic = os.Getenv("SIMTGDB_PANIC") != ""

// Contained calls f. A panic in it becomes a *DefectError, which says what was being done.
func Contained(while string, f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			if LetPanic {
				panic(r)
			}
			err = &DefectError{panicText(r, 0), while}
		}
	}()
	return f()
}

// panicText says what panicked where. It is called by a deferred function, with so many functions between
// them.
func panicText(r any, between int) string {
	const deferred, most = 3, 6 // runtime.Callers, panicText and who defers it; frames
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(deferred+between, pcs[:])])
	var where []string
	for len(where) < most {
		f, more := frames.Next()
		if f.Function != "" && !strings.HasPrefix(f.Function, "runtime.") {
			where = append(where, fmt.Sprintf("%s:%d (%s)", filepath.Base(f.File), f.Line,
				strings.TrimPrefix(f.Function, "simtgdb/")))
		}
		if !more {
			break
		}
	}
	return fmt.Sprintf("%v at %s", r, strings.Join(where, ", "))
}

// runCore lets a core run a wave. A panic is a fault of the wave; what the core has decoded is not to be used
// again, which broken says.
func runCore(c Core, w *Wave, n uint64) (ev Event, broken bool) {
	defer func() {
		if r := recover(); r != nil {
			ev, broken = defect(w, r), true
		}
	}()
	return c.Run(w, n), false
}

// runReady lets a core run those of some waves that are ready, one after the other, until one stops for
// something else than a barrier or its end. A panic is a fault of its wave.
func (m *Machine) runReady(c Stopper, waves []*Wave, n uint64) (ev Event) {
	var w *Wave
	defer func() {
		if r := recover(); r != nil {
			ev = defect(w, r)
		}
	}()
	for _, w = range waves {
		if w.State != Ready {
			continue
		}
		if ev, stops := m.stopped(c, c.RunKind(w, n)); stops {
			return ev
		}
	}
	return Event{Kind: EndEvent}
}

// stopped tells observers of what a core has stopped for, by its kind. It reports whether that is a fault or
// a trap, and which.
func (m *Machine) stopped(c Stopper, kind EventKind) (ev Event, stops bool) {
	switch kind {
	case FaultEvent, TrapEvent:
		return c.Stopped(), true
	case BarrierEvent, EndEvent:
		if len(m.orderers) > 0 {
			m.arrived(c.Stopped())
		}
	}
	return Event{}, false
}

// runTeam lets a core run a workgroup. What stops it is a fault or a trap; else the event is one of kind
// EndEvent. A panic is a fault of the wave that runs.
func (m *Machine) runTeam(c Teamer, g *Workgroup, n uint64, rounds int) (done, next int, ev Event) {
	defer func() {
		if r := recover(); r != nil {
			ev = defect(c.Running(), r)
		}
	}()
	done, next, kind := c.RunTeam(g, n, rounds)
	if ev, stops := m.stopped(c, kind); stops {
		return done, next, ev
	}
	return done, next, Event{Kind: EndEvent}
}

// defect is the fault of a wave while which the machine panicked. It is called by a deferred function.
func defect(w *Wave, r any) Event {
	if LetPanic {
		panic(r)
	}
	e := DefectError{panicText(r, 1), "the machine panicked"}
	w.State = Faulted
	lanes := w.Exec & w.Valid
	if lanes == 0 {
		lanes = w.Valid
	}
	return Event{Kind: FaultEvent, Wave: w, PC: w.PC, Lanes: lanes,
		Fault: &Fault{Kind: Defect, Lanes: lanes, Text: e.Error()}}
}
