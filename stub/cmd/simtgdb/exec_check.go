package main

import (
	"context"
	"fmt"
	"io"
	"sync"

	"simtgdb/simt"
	"simtgdb/simt/check"
	"simtgdb/stub/device"
	"simtgdb/stub/findings"
	"simtgdb/stub/objects"
)

// A runner runs a launch.
type runner func(ctx context.Context, l *device.Launch) (simt.Event, error)

// launchDefects are those that launches are looked through for, and how many were found.
type launchDefects struct {
	flags *checkFlags
	out   io.Writer

	mu    sync.Mutex
	count int // all
	told  int // those that gdb did not show
	said  map[string]bool
}

// isNews reports whether a sentence about a launch was said of no launch before it; an empty one is none.
func (d *launchDefects) isNews(text string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if text == "" || d.said[text] {
		return false
	}
	if d.said == nil {
		d.said = map[string]bool{}
	}
	d.said[text] = true
	return true
}

// around makes launches that a runner runs be looked through, if they are to be.
func (d *launchDefects) around(run runner) (runner, func(stdio) error, error) {
	if d.flags.kinds == 0 && d.flags.report == "" {
		return run, nil, nil
	}
	return func(ctx context.Context, l *device.Launch) (simt.Event, error) {
		if kinds := d.flags.kinds &^ check.OfExec; kinds != 0 {
			d.look(l, kinds)
		}
		ev, err := run(ctx, l)
		if d.flags.report != "" && err == nil && ev.Kind != simt.EndEvent && ev.Wave != nil {
			d.keep(l, l.Program.FaultFinding(ev))
		}
		return ev, err
	}, nil, nil
}

// look makes a launch be looked through.
func (d *launchDefects) look(l *device.Launch, kinds check.Kinds) {
	d.flags.prepare(l.Program)
	c := l.Program.LookFor(kinds, func(r *check.Report) bool {
		d.tell(l, r, false)
		return false
	})
	l.Unwritten(c)
	c.Note = func(text string) {
		if text != check.InStep || d.isNews(text) {
			fmt.Fprintf(d.out, "simtgdb exec: launch %d: check: %s\n", l.Number, text)
		}
	}
	if text := objects.BoundsUnknown(l.Program); kinds&check.Bounds != 0 && d.isNews(text) {
		c.Note(text)
	}
}

// again makes a launch that is over be looked through as the first time. What is found there was told then,
// and gdb shows it.
func (d *launchDefects) again(l *device.Launch, kinds check.Kinds) {
	d.flags.prepare(l.Program)
	l.Unwritten(l.Program.LookFor(kinds, nil))
}

// keep keeps a finding of a launch for --report.
func (d *launchDefects) keep(l *device.Launch, f findings.Finding) {
	f.Launch, f.Kernel = l.Number, l.Name()
	d.flags.list.Add(f)
}

// tell explains a defect, unless gdb shows it.
func (d *launchDefects) tell(l *device.Launch, r *check.Report, shown bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.count++
	if d.flags.report != "" {
		d.keep(l, l.Program.Finding(r))
	}
	if shown {
		return
	}
	if d.told++; d.told <= reportsShown {
		fmt.Fprintf(d.out, "simtgdb exec: launch %d, number %d of kernel %s: %s", l.Number, l.Nth(),
			l.Name(), l.Program.DescribeReport(r))
	}
}

// placeOf is a place of the host program.
func placeOf(p device.HostPlace) findings.Place {
	return findings.Place{Function: p.Function, Folder: p.Folder, File: p.File, Line: p.Line}
}

// wrong tells of a defect that is not a launch's.
func (d *launchDefects) wrong(r *device.Defect) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f := findings.Finding{Kind: r.Kind.String(), Message: r.Message, Text: r.Text,
		Place: placeOf(r.HostPlace)}
	if d.flags.suppressed.Covers(&f) {
		return
	}
	d.count++
	if d.flags.report != "" {
		d.flags.list.Add(f)
	}
	if d.told++; d.told <= reportsShown {
		fmt.Fprintf(d.out, "simtgdb exec: %s", r.Text)
	}
}

// left tells what a program has not freed.
func (d *launchDefects) left(_ *device.Device, all []device.Leak) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, shown, bytes := 0, 0, uint64(0)
	for _, l := range all {
		f := findings.Finding{Kind: check.Leak.String(), Message: "not freed: " + l.Text, Text: l.Text,
			Place: placeOf(l.HostPlace)}
		if d.flags.suppressed.Covers(&f) {
			continue
		}
		if n, bytes = n+l.Count, bytes+l.Bytes; shown < reportsShown {
			fmt.Fprintf(d.out, "simtgdb exec: check leak: %s\n", l.Text)
		}
		if shown++; d.flags.report != "" {
			d.flags.list.Add(f)
		}
	}
	if d.count += n; n > 0 {
		fmt.Fprintf(d.out, "simtgdb exec: check leak: not freed: %d of the program's allocations, "+
			"of %d bytes together\n", n, bytes)
	}
}

// found says how many more there were than were shown. It reports whether there were
// any.
func (d *launchDefects) found() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.told > reportsShown {
		fmt.Fprintf(d.out, "simtgdb exec: and %d more\n", d.told-reportsShown)
	}
	return d.count > 0
}
