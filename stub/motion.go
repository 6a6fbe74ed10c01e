package stub

import (
	"simtgdb/simt"
	"simtgdb/stub/facade"
	"simtgdb/stub/frames"
	"simtgdb/stub/launch"
	"simtgdb/stub/symfile"
)

// A motion has the machine execute for a session, and says what it stops for.
type motion struct {
	prog    *launch.Program
	machine *simt.Machine
	facade  facade.Facade
	workers int  // that may run workgroups at once; 0: not known yet
	changed int  // workgroups that had been started when the user changed something last
	near    bool // the last run has stopped before going far was of use

	view    view           // what the user looks at
	frames  *frames.Finder // of lanes, and the variables in them
	body    *symfile.Body  // of the kernel, if it is a function of its own
	hits    hits           // breakpoints, and what is still to be said of those met
	watches watches
	defects defects
	places  places
	// triggers tells for which active lanes of a wave the breakpoint at its PC is to stop it, a mask.
	triggers func(w *simt.Wave, lanes uint64) uint64

	printing *printing
	past     past

	fault simt.Event // the latest
	ended bool
}
