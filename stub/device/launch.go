package device

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"simtgdb/simt"
	"simtgdb/stub/arch"
	"simtgdb/stub/device/order"
	"simtgdb/stub/launch"
	"simtgdb/stub/printf/host"
)

// maxArgs is how many arguments a launch has at most.
const maxArgs = 4096

// How a launch says that all workgroups run at once, and how many dimensions its client names.
const (
	together    = 1
	workDimAt   = 8
	clusterAt   = 16 // for each direction clusterBits
	clusterBits = 5
)

// readLaunch takes the fields of the request.
func (d *Device) readLaunch(r *reader) (*Launch, error) {
	l := &Launch{Device: d, Stream: r.u64(), Call: &launch.Call{FilterBits: d.options.FilterBits}}
	module, kernel := r.u64(), r.u64()
	c := l.Call
	c.Grid, c.Block, c.Offset = r.dims(), r.dims(), r.dims()
	c.LDS, c.PrintfBuffer = r.u64(), r.u64()
	form := r.u64()
	c.Together, c.WorkDim = form&together != 0, int(form>>workDimAt&3)
	for i := range c.Cluster {
		c.Cluster[i] = uint32(form >> (clusterAt + i*clusterBits) & (1<<clusterBits - 1))
	}
	for range min(r.count(16), maxArgs) {
		a, err := readArg(r)
		if err != nil {
			return nil, err
		}
		c.Args = append(c.Args, a)
	}
	if err := r.end(); err != nil {
		return nil, &Error{WrongProtocol, err}
	}
	if err := d.findKernel(l, module, kernel); err != nil {
		return nil, err
	}
	c.Robust = d.options.Robust && l.lenient()
	return l, nil
}

// lenient reports whether the kernel can be launched with Options.Robust.
func (l *Launch) lenient() bool {
	_, ok := arch.Of(l.Module.Resident.Module).(arch.Lenient)
	return ok
}

func readArg(r *reader) (launch.Arg, error) {
	form, b := r.u64(), r.bytes()
	switch {
	case form == 0:
		return launch.Arg{Kind: launch.ValueArg, Type: "bytes", Value: b}, nil
	case form == 1 && len(b) == 8:
		size := reader{b: b}
		return launch.Arg{Kind: launch.LocalArg, Local: size.u64()}, nil
	}
	return launch.Arg{}, refuse(WrongProtocol, "an argument of form %d with %d bytes", form, len(b))
}

// launch submits a launch.
func (d *Device) launch(l *Launch) (ticket uint64, err error) {
	if err := d.failed(); err != nil {
		return 0, err
	}
	if err := l.Module.Resident.Check(l.Call); err != nil {
		return 0, &Error{BadLaunch, fmt.Errorf("kernel %s: %w", l.Call.Kernel.Name, err)}
	}
	d.mu.Lock()
	if d.launches++; d.launches == 1 {
		d.process = int(d.server.launching.Add(1))
	}
	l.Number, l.Process = d.launches, d.process
	d.mu.Unlock()
	return d.submit(l.Stream, "", func(w *order.Work) {
		l.work = w
		d.run(l)
	})
}

// run runs a launch whose turn it is.
func (d *Device) run(l *Launch) {
	d.began = clock()
	if d.failed() != nil {
		return // what went wrong has ended everything, as it does on the hardware
	}
	d.named.add(l)
	start := time.Now()
	err := d.enter(l.Module)
	d.past.began(l)
	l.before, d.running = d.outside(), l
	if err == nil {
		err = simt.Contained("the launch panicked", func() error {
			l.Call.Heap = d.mallocs
			if l.Program, err = l.Module.Resident.Prepare(d.mem, l.Call); err != nil {
				return err
			}
			return d.runProgram(l)
		})
	}
	l.Took = time.Since(start)
	l.wrote()
	if err != nil && d.stop.Err() == nil {
		l.Condition = statusOf(err)
		d.fail(l.Condition, err.Error())
	}
	if d.options.Ended != nil {
		d.options.Ended(l)
	}
	d.release(l)
	d.running = nil
	d.past.ended(l)
}

// runProgram runs a program that is ready.
func (d *Device) runProgram(l *Launch) error {
	p := l.Program
	if len(p.Warnings) > 0 && l.Nth() == 1 {
		for _, w := range p.Warnings {
			d.say("kernel %s: warning: %s\n", l.Name(), w)
		}
	}
	p.Host.Sink = l.heard
	if d.options.Race != nil {
		d.watch(l)
	}
	p.Freed = d.wasFreed
	if !d.options.Strict {
		p.Machine.Forgive = l.forgive
	}
	var ev simt.Event
	var err error
	if d.options.Run != nil {
		ev, err = d.options.Run(d.stop, l)
	} else {
		ev, err = p.Run(d.stop, d.options.Workers)
	}
	l.Stats = p.Machine.Stats()
	for _, notice := range p.Host.Notices() {
		d.say("kernel %s: printf: %s\n", l.Name(), notice)
	}
	if err != nil {
		return err
	}
	if ev.Kind == simt.FaultEvent || ev.Kind == simt.TrapEvent {
		l.Condition = conditionOf(ev)
		l.beyondLDS = l.lenient() && l.Condition == Faulted && ev.Fault.Space == simt.LDS
		d.fail(l.Condition, l.where()+":\n"+strings.TrimRight(p.DescribeFault(ev), "\n"))
	}
	return nil
}

// where says which launch it is.
func (l *Launch) where() string {
	return fmt.Sprintf("in launch %d, number %d of kernel %s", l.Number, l.Nth(), l.Name())
}

// forgive lets a wave go on that has left an allocation, but not its last granule, which the allocation has
// all of until the launch has ended. It tells of the first such access.
func (l *Launch) forgive(ev simt.Event) bool {
	f, d := ev.Fault, l.Device
	b := d.heap.find(f.Addr)
	if f.Kind != simt.Unmapped || b == nil || b.region == nil {
		return false
	}
	r, end := b.region, f.Addr+uint64(f.Size)
	if room := r.Base + uint64(cap(r.Data)); end <= r.End() || end > room {
		return false
	}
	if !b.told {
		b.told = true
		d.say("%s: an access leaves what was allocated. The program goes on, as on devices, which allocate "+
			"multiples of %d bytes; with --check=bounds it faults. This is said once for an allocation\n%s",
			l.where(), granule, l.Program.DescribeAccess(ev))
	}
	l.extended = append(l.extended, r)
	d.mem.Resize(r, cap(r.Data))
	return true
}

// heard is the Sink of the launch's host. What shaders print says which invocation of which pipeline it was,
// as the layers do that print it for other drivers: a program has one stream of texts for all its pipelines.
func (l *Launch) heard(t host.Text) {
	if l.shader && t.From != nil {
		id := t.From.Item
		for i := range id {
			id[i] += t.From.Group[i]*l.Call.Block[i] + l.Call.Offset[i]
		}
		prefix := fmt.Sprintf("%s, invocation (%d,%d,%d): ", l.Name(), id[0], id[1], id[2])
		t.Text = append([]byte(prefix), t.Text...)
	}
	l.Device.heard(t)
}

// Persists reports whether a region of the device's memory outlives the launch.
func (l *Launch) Persists(r *simt.Region) bool {
	return l.Device.heap.contains(r.Base, 1) || slices.Contains(l.before, r)
}

// conditionOf is the condition that an event puts the device into.
func conditionOf(ev simt.Event) Status {
	switch {
	case ev.Kind == simt.TrapEvent && ev.Trap == simt.AbortTrap:
		return Asserted
	case ev.Kind == simt.TrapEvent, ev.Fault.Kind == simt.IllegalInstruction, ev.Fault.Kind == simt.Defect:
		return Trapped
	}
	return Faulted
}

// release takes away what a launch has allocated, and what forgive has given it.
func (d *Device) release(l *Launch) {
	for _, r := range l.extended {
		if b := d.heap.find(r.Base); b != nil && b.region == r {
			d.mem.Resize(r, int(b.asked))
		}
	}
	for _, r := range d.outside() {
		if !slices.Contains(l.before, r) && !d.mallocs.Has(r) {
			d.mem.Recycle(r)
		}
	}
	d.mem.Trim()
}

// outside are the regions that are not in the heap: the segments of the module that is placed, memory that
// the client shares, and what launches allocate. They are few, however much the heap has.
func (d *Device) outside() []*simt.Region {
	all := d.mem.Regions()
	from := sort.Search(len(all), func(i int) bool { return all[i].Base >= d.heap.base })
	to := sort.Search(len(all), func(i int) bool { return all[i].Base >= d.heap.base+heapSize })
	return slices.Concat(all[:from], all[to:])
}
