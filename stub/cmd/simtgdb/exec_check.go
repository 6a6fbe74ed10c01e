package main

import (
	"context"
	"fmt"
	"io"
	"sync"

	"simtgdb/loader/printable"
	"simtgdb/simt"
	"simtgdb/simt/check"
	"simtgdb/stub/device"
)

// A runner runs a launch.
type runner func(ctx context.Context, l *device.Launch) (simt.Event, error)

// launchDefects are those that launches are looked through for, and how many were found.
type launchDefects struct {
	flags *checkFlags
	out   io.Writer

	mu    sync.Mutex
	count int
}

// around makes launches that a runner runs be looked through.
func (d *launchDefects) around(run runner) runner {
	return func(ctx context.Context, l *device.Launch) (simt.Event, error) {
		d.flags.prepare(l.Program)
		c := l.Program.LookFor(d.flags.kinds, func(r *check.Report) bool {
			d.mu.Lock()
			defer d.mu.Unlock()
			if d.count++; d.count <= reportsShown {
				fmt.Fprintf(d.out, "simtgdb exec: launch %d, number %d of kernel %s: %s", l.Number, l.Nth,
					printable.Name(l.Kernel()), l.Program.DescribeReport(r))
			}
			return false
		})
		c.Note = func(text string) { fmt.Fprintf(d.out, "simtgdb exec: launch %d: check: %s\n", l.Number, text) }
		return run(ctx, l)
	}
}

// found says how many more there were than were shown. It reports whether there were
// any.
func (d *launchDefects) found() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.count > reportsShown {
		fmt.Fprintf(d.out, "simtgdb exec: and %d more\n", d.count-reportsShown)
	}
	return d.count > 0
}
