package device

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"simtgdb/loader"
	"simtgdb/loader/printable"
	"simtgdb/simt"
	"simtgdb/simt/check"
	"simtgdb/stub/device/order"
	"simtgdb/stub/launch"
	"simtgdb/stub/printf/host"
)

// Options say what a service does besides what its clients ask for. The zero
// value is a service that runs kernels to their ends.
type Options struct {
	// Processor is what the devices are: "gfx90a". If it is empty, the first
	// module that is loaded decides.
	Processor string
	// Workers is how many workgroups run at once; 0 for as many as make sense.
	Workers int
	// Run runs a launch that is ready, nil to run it to its end. It gives what
	// [launch.Program.Run] does.
	Run func(ctx context.Context, l *Launch) (simt.Event, error)
	// Build makes a file of sources, nil if nothing can be built.
	Build func(ctx context.Context, r *BuildRequest) (*Built, error)
	// Compile makes a file of one source, of another language than Build's, nil if nothing can be compiled.
	Compile func(ctx context.Context, r *CompileRequest) (*Built, error)
	// Strict makes a fault of each access that leaves an allocation. Else one that stays in the allocation's
	// last granule is only told of, once for an allocation.
	Strict bool
	// Robust has accesses outside of what a dispatch binds, and beyond a workgroup's LDS where a processor
	// has it so, read 0 and write nothing, though nobody asks for that.
	Robust bool
	// FilterBits is how many bits of fraction weights between texels of images have; 0 for all.
	FilterBits int
	// Ended is told of each launch that has run, nil for nobody.
	Ended func(l *Launch)
	// Left is told of what a client has allocated and not freed when it goes, nil for nobody.
	Left func(d *Device, all []Leak)
	// Past is in how many bytes what launches and the host have done to memory is kept, for who goes back
	// from one launch to those before it; 0 if nobody does.
	Past uint64
	// Leaving is told that a client has gone whose launches can be gone back to; nil for nobody.
	Leaving func(d *Device)
	// Unwritten has followed what has been written of memory that programs do not write to by themselves: see
	// [Launch.Unwritten].
	Unwritten bool
	// Race is told of accesses of the host's to memory that nothing orders with others, nil if such are not
	// looked for. Those of launches are told by their programs' checkers.
	Race func(r *Defect)
	// Misuse is told of what clients do wrong by their calls, nil if nobody wants to know; Undone of what
	// they leave behind besides memory.
	Misuse, Undone func(m *Defect)
	// Host has Race be told of what programs themselves access while the device may, too; HostAlone of
	// nothing else.
	Host, HostAlone bool
	// Without is told of each module that has no code for Processor, nil for nobody.
	Without func(err *loader.TargetError)
	// Said is told what the user should know: warnings about modules, and what
	// kernels printed that no client has asked for. Nil for nobody.
	Said func(text string)
}

// A Launch is one launch of a kernel.
type Launch struct {
	Device *Device
	Module *Module
	Call   *launch.Call
	Stream uint64
	Number int // among all launches of the device, counted from 1
	// Label is what the client calls the kernel, "" if it has no name for it.
	Label string
	// Process numbers the device among those of the service that launch anything, from 1.
	Process int

	Program *launch.Program // when it is ready
	Stats   simt.Stats      // when it has ended
	Took    time.Duration

	Condition Status // other than Done if it failed

	work    *order.Work    // nil if its place in the order of works is not kept
	shader  bool           // a dispatch
	numbers *numbers       // see NthOf
	before  []*simt.Region // outside of the heap, before this launch

	malloced  []*simt.Region            // what kernels had allocated before it, for the past
	unwritten map[uint64]*check.Written // what had been written of allocations, by address, likewise
	marks     uint64                    // bytes that this takes besides what is kept of the launch before
	again     bool                      // it is over, and executed once more

	extended []*simt.Region // see forgive

	beyondLDS bool // see Forgivable
}

// Kernel is the kernel's name.
func (l *Launch) Kernel() string { return l.Call.Kernel.Name }

// Name is what users call the kernel: Label, SourceName, or Kernel, whichever there is.
func (l *Launch) Name() string { return printable.Name(l.name()) }

func (l *Launch) name() string { return cmp.Or(l.Label, l.SourceName(), l.Kernel()) }

// Forgivable reports whether the launch has failed by an access that Options.Robust lets pass: of a dispatch
// to memory that is not bound to it, or beyond a workgroup's LDS.
func (l *Launch) Forgivable() bool { return l.Condition == Faulted && (l.shader || l.beyondLDS) }

// SourceName is what the source calls the kernel, with namespaces and template arguments, and with the types
// of its parameters if the module has several kernels of that name; "" if the module does not say.
func (l *Launch) SourceName() string { return l.Module.sourceNames()[l.Kernel()] }

// A Device is the simulated GPU of one client.
type Device struct {
	server    *Server
	options   *Options
	processor string
	stop      context.Context

	// memory is held by the work under way, and by requests that change what
	// follows.
	memory      sync.Mutex
	mem         *simt.Memory
	heap        *heap
	given       map[uint64]*block // by the address that the client has
	reserved    map[uint64]*reservation
	allocations int
	freed       []freed // the latest
	modules     map[uint64]*Module
	nextModule  uint64
	current     *Module   // the one whose segments are placed
	retired     []*Module // that the client has unloaded, and the past has launches of
	running     *Launch   // the one under way, once it has been given its memory
	placed      []*simt.Region
	named       namesake
	mallocs     *host.Heap    // of malloc in kernels
	mallocRoom  uint64        // that the client wants it to have; 0 for no wish
	past        *Past         // nil if it is not kept
	began       time.Duration // when the latest launch, copy or fill began

	mu        sync.Mutex
	changed   *sync.Cond // work was submitted or done
	queue     []*work
	submitted uint64
	finished  uint64
	last      map[uint64]uint64 // tickets of the streams' latest work
	events    map[uint64]*event
	launches  int
	process   int
	condition Status
	what      string
	order     *order.Order // nil if nobody wants to know
	shadow    order.Shadow // of the work under way
	shadowing sync.Mutex   // held while shadow is used: by a launch, and by who tells of the host's accesses
	raced     map[racedAt]bool
	toldOf    map[string]bool // defects of the host program
	undone    []undone        // in the order in which the client has told of them
	undoneAt  map[string]int  // by their texts
	texts     texts
	ended     bool
	leaving   error // what was wrong with the last request
}

// Bounds on what a client may ask for.
const (
	maxQueue  = 4096
	maxEvents = 1 << 20
	maxStream = 1 << 20
	maxTexts  = 256 << 20 // bytes of what was printed and has not been asked for
)

// work is something that was submitted.
type work struct {
	ticket uint64
	do     func()
	quick  bool // done even when the client has gone
	access bool // the program's own to memory
}

// An event is a place in the order of what was submitted.
type event struct {
	ticket  uint64
	reached bool
	at      time.Duration // of the clock of package device: see clock
	before  time.Duration // when the work before it began
}

func newDevice(ctx context.Context, s *Server, number uint64) (*Device, error) {
	o := &s.Options
	h, err := newHeap(number)
	if err != nil {
		return nil, err
	}
	d := &Device{server: s, options: o, processor: o.Processor, stop: ctx,
		mem: simt.NewMemory(), heap: h}
	if o.Race != nil || o.Unwritten || o.Misuse != nil || o.Past > 0 {
		d.order, d.raced = &order.Order{}, map[racedAt]bool{}
	}
	d.mallocs = host.NewHeap(d.mem)
	d.changed = sync.NewCond(&d.mu)
	if o.Past > 0 {
		d.past = newPast(d, o.Past)
	}
	d.clear()
	return d, nil
}

// clear makes the device empty.
func (d *Device) clear() {
	d.given, d.reserved, d.modules = map[uint64]*block{}, map[uint64]*reservation{}, map[uint64]*Module{}
	d.last, d.events = map[uint64]uint64{}, map[uint64]*event{}
	d.condition, d.what = Done, ""
	if d.order != nil {
		d.order.HostAfterAll()
	}
}

// Past is what launches and the host have done to memory; nil if that is not kept.
func (d *Device) Past() *Past { return d.past }

// Memory is the device's address space. Only the work under way may use it.
func (d *Device) Memory() *simt.Memory { return d.mem }

// submit adds work, which gets its place in the order of works, nil if nobody wants to know. It waits while
// there is too much of it.
func (d *Device) submit(stream uint64, what string, do func(w *order.Work)) (ticket uint64, err error) {
	return d.add(stream, what, &work{}, do)
}

func (d *Device) add(stream uint64, what string, one *work, do func(w *order.Work)) (
	ticket uint64, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for len(d.queue) >= maxQueue && !d.ended {
		d.changed.Wait()
	}
	if _, known := d.last[stream]; !known && len(d.last) >= maxStream {
		return 0, refuse(NoMemory, "more than %d streams", maxStream)
	}
	d.submitted++
	d.last[stream] = d.submitted
	var place *order.Work
	switch {
	case d.order == nil:
	case one.access:
		place = d.order.Access(d.submitted, what)
	default:
		place = d.order.Submit(stream, d.submitted, what)
	}
	one.ticket, one.do = d.submitted, func() { do(place) }
	d.queue = append(d.queue, one)
	d.changed.Broadcast()
	return d.submitted, nil
}

// work does what is submitted until the device ends.
func (d *Device) work() {
	for {
		d.mu.Lock()
		for len(d.queue) == 0 && !d.ended {
			d.changed.Wait()
		}
		if d.ended {
			d.mu.Unlock()
			return
		}
		next := d.queue[0]
		d.queue = d.queue[1:]
		d.mu.Unlock()

		d.memory.Lock()
		next.do()
		d.memory.Unlock()

		d.mu.Lock()
		d.finished = next.ticket
		d.changed.Broadcast()
		d.mu.Unlock()
	}
}

// wait waits until the work with a ticket is done, the device has ended, or, unless limit is 0, so much time
// has passed. It gives the ticket up to which all is done.
func (d *Device) wait(ticket uint64, limit time.Duration) (finished uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	late := false
	if limit > 0 && d.finished < ticket {
		defer time.AfterFunc(limit, func() {
			d.mu.Lock()
			defer d.mu.Unlock()
			late = true
			d.changed.Broadcast()
		}).Stop()
	}
	for d.finished < ticket && !d.ended && !late {
		d.changed.Wait()
	}
	return d.finished
}

// exclusively does something that changes memory, after all work.
func (d *Device) exclusively(do func() error) error {
	d.mu.Lock()
	ticket := d.submitted
	d.mu.Unlock()
	d.wait(ticket, 0)
	d.memory.Lock()
	defer d.memory.Unlock()
	return do()
}

// fail puts the device into a condition, unless it is in one.
func (d *Device) fail(s Status, what string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.condition == Done {
		d.condition, d.what = s, what
	}
}

// failed is the error for launches on a device in a condition.
func (d *Device) failed() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.condition == Done {
		return nil
	}
	return refuse(d.condition, "%s", d.what)
}

// say tells the user something.
func (d *Device) say(format string, args ...any) {
	if d.options.Said != nil {
		d.options.Said(fmt.Sprintf(format, args...))
	}
}

// texts are what kernels printed and the client has not asked for.
type texts struct {
	all     []host.Text
	bytes   int
	dropped bool
}

// heard is the Sink of the hosts of launches.
func (d *Device) heard(t host.Text) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.texts.bytes += len(t.Text); d.texts.bytes > maxTexts {
		d.texts.dropped = true
		return
	}
	d.texts.all = append(d.texts.all, t)
}

// maxAnswer is how many bytes of texts one answer has, about.
const maxAnswer = 1 << 20

// takeTexts takes texts for an answer. more reports whether there are others.
func (d *Device) takeTexts() (some []host.Text, more bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := 0
	for size := 0; n < len(d.texts.all) && size < maxAnswer; n++ {
		size += len(d.texts.all[n].Text)
	}
	some, d.texts.all = d.texts.all[:n:n], d.texts.all[n:]
	if len(d.texts.all) == 0 {
		d.texts = texts{}
	}
	return some, len(d.texts.all) > 0
}

// close ends the device, whatever it does.
func (d *Device) close() {
	d.mu.Lock()
	d.ended = true
	d.changed.Broadcast()
	d.mu.Unlock()
	d.memory.Lock() // the work under way has ended
	defer d.memory.Unlock()
	d.mu.Lock()
	left := d.queue
	d.mu.Unlock()
	for _, w := range left {
		if w.quick {
			w.do()
		}
	}
	for _, t := range d.texts.all {
		d.say("%s", t.Text)
	}
	d.tellUndone()
	if tell := d.options.Left; tell != nil {
		if all := d.leaks(); len(all) > 0 {
			tell(d, all)
		}
	}
	_ = d.heap.shared.close()
}
