package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"text/tabwriter"
	"time"

	"simtgdb/loader"
	"simtgdb/loader/printable"
	"simtgdb/simt"
	"simtgdb/stub/device"
	"simtgdb/stub/source"
)

// counts are what the kernels of a host program did.
type counts struct {
	sources bool // kernels are told of by their names in the source, which are dear to find
	mu      sync.Mutex
	kernels map[string]*kernelCount
	bad     string // what failed first
}

// A kernelCount is what one kernel did, all launches together.
type kernelCount struct {
	name     string // the symbol's
	source   string // the source's, if counts.sources, or that of the symbol
	launches int
	stats    simt.Stats
	took     time.Duration
}

// newCounts counts kernels, by their names in the source if they are to be told of.
func newCounts(sources bool) *counts {
	return &counts{sources: sources, kernels: map[string]*kernelCount{}}
}

// add counts a launch that has ended.
func (c *counts) add(l *device.Launch) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := cmp.Or(l.Label, l.Kernel())
	k := c.kernels[key]
	if k == nil {
		k = &kernelCount{name: key, source: key}
		if c.sources {
			k.source = cmp.Or(l.Label, l.SourceName(), l.Kernel())
		}
		c.kernels[key] = k
	}
	k.launches++
	k.stats.Waves += l.Stats.Waves
	k.stats.Insts += l.Stats.Insts
	k.stats.LaneInsts += l.Stats.LaneInsts
	k.took += l.Took
	if l.Condition != device.Done && c.bad == "" {
		c.bad = "kernel " + l.Name() + " failed"
		if l.Forgivable() {
			c.bad += "; hardware and its drivers let many accesses outside of buffers or LDS pass: " +
				"so does --robust"
		}
	}
}

// without notes a module that has no code for the device.
func (c *counts) without(err *loader.TargetError) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bad == "" {
		c.bad = "a module of it has no code for the device: " + err.Error()
	}
}

// failed says what failed first, a kernel or a module; "" for nothing.
func (c *counts) failed() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bad
}

// any reports whether anything was launched.
func (c *counts) any() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.kernels) > 0
}

// write prints a table, the kernels that took longest first.
func (c *counts) write(w io.Writer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := slices.SortedFunc(maps.Values(c.kernels), func(a, b *kernelCount) int {
		return cmp.Or(cmp.Compare(b.took, a.took), cmp.Compare(a.name, b.name))
	})
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "launches\twaves\twave instructions\ttime\t  kernel\n")
	for _, k := range all {
		fmt.Fprintf(t, "%d\t%d\t%d\t%.3f s\t  %s\n", k.launches, k.stats.Waves, k.stats.Insts,
			k.took.Seconds(), printable.Name(k.source))
	}
	_ = t.Flush()
}

// distance is how far a name is off from the one of the kernel's that is most like it.
func (k *kernelCount) distance(name string) int {
	least := distance(name, k.name)
	for _, n := range source.Names(k.source) {
		least = min(least, distance(name, n))
	}
	return least
}

// likely are the names of the kernels that were launched and how often, those first that are like a name.
func (c *counts) likely(name string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := slices.SortedFunc(maps.Values(c.kernels), func(a, b *kernelCount) int {
		return cmp.Or(cmp.Compare(a.distance(name), b.distance(name)), cmp.Compare(a.name, b.name))
	})
	var names []string
	for _, k := range all {
		names = append(names, fmt.Sprintf("%s (%d)", printable.Name(k.source), k.launches))
	}
	return names
}
