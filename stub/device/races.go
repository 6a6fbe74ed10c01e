package device

import (
	"fmt"
	"math/bits"

	"simtgdb/loader/printable"
	"simtgdb/simt"
	"simtgdb/simt/check"
	"simtgdb/stub/device/order"
)

// Races between works: a launch and another of a stream that nothing orders with its own, or a copy that the
// host makes itself.

// racedAt is what makes two races the same.
type racedAt struct{ one, other string }

// opOrder is told what the program has said of the order of works.
func (d *Device) opOrder(r *reader, w *writer) error {
	kind, stream, other, ticket := r.u64(), r.u64(), r.u64(), r.u64()
	if err := ended(r); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	o := d.order
	if o == nil {
		w.u64(0)
		return nil
	}
	switch kind {
	case orderLoose:
		o.Loose(stream)
	case orderBarrier:
		o.Barrier(stream)
	case orderStream:
		o.AfterStream(stream, other, ticket)
	case orderWork, orderNext:
		o.AfterWork(stream, ticket, kind == orderNext)
	case hostStream:
		o.HostAfterStream(stream, ticket)
	case hostWork:
		o.HostAfterWork(ticket)
	case hostAll:
		o.HostAfterAll()
	case orderApart:
		o.Apart(stream)
	case orderSeen:
		w.u64(boolean(o.HostHas(ticket)))
		return nil
	default:
		return refuse(Invalid, "nothing of kind %d is known of the order of works", kind)
	}
	w.u64(boolean(o.HostHasAll()))
	return nil
}

// rows are bytes at a distance from each other, in planes.
type rows struct{ addr, bytes, rows, pitch, planes, plane uint64 }

// rowsOf is one row.
func rowsOf(addr, size uint64) rows { return rows{addr: addr, bytes: size, rows: 1, planes: 1} }

// each gives the pieces of memory.
func (r *rows) each(do func(addr, size uint64)) {
	if r.pitch == r.bytes && (r.plane == r.pitch*r.rows || r.planes == 1) {
		do(r.addr, r.bytes*r.rows*r.planes)
		return
	}
	for z := range r.planes {
		for y := range r.rows {
			do(r.addr+z*r.plane+y*r.pitch, r.bytes)
		}
	}
}

// A touching is an access of what is no launch.
type touching struct {
	work          *order.Work
	write, atomic bool
	rows
	by asker
}

// opTouch is told of an access that the client makes itself.
func (d *Device) opTouch(r *reader, w *writer) error {
	t := &touching{}
	stream := r.u64()
	const atomically = 2
	how := r.u64()
	t.write, t.atomic = how != 0, how == atomically
	t.rows = rows{r.u64(), r.u64(), r.u64(), r.u64(), r.u64(), r.u64()}
	t.by = r.asker()
	if err := ended(r); err != nil {
		return err
	}
	for _, n := range [...]uint64{t.bytes, t.rows.rows, t.planes} {
		if n > MemorySize {
			return refuse(Invalid, "an access to %d rows of %d bytes in %d planes", t.rows.rows, t.bytes,
				t.planes)
		}
	}
	if over, n := bits.Mul64(t.bytes*t.rows.rows, t.planes); over != 0 || n > MemorySize ||
		t.bytes != 0 && t.rows.rows > MemorySize/t.bytes {
		return refuse(Invalid, "an access to more than the device's memory")
	}
	one, what := &work{quick: true}, "a copy or fill"
	if stream == order.Host && t.bytes != 0 {
		one.access, what = true, "the program itself"
	}
	ticket, err := d.add(stream, what, one, func(work *order.Work) {
		t.work = work
		d.touched(t)
	})
	w.u64(ticket)
	return err
}

// touched compares an access of what is no launch with those before it.
func (d *Device) touched(t *touching) {
	if t.work == nil || t.bytes == 0 {
		return
	}
	if t.write && d.options.Unwritten {
		t.each(d.written)
	}
	if b := d.heap.find(t.addr); b != nil && t.write {
		b.wrote = true
	}
	if d.options.Race == nil {
		return
	}
	word := ", asked for at "
	if t.work.Stream == order.Host {
		word = ", at "
	}
	t.work.What += t.by.describe(word)
	var with *order.Touch
	at := uint64(0)
	t.each(func(addr, size uint64) {
		d.shadowing.Lock()
		o := d.shadow.Touched(order.Touch{Work: t.work, Write: t.write, Atomic: t.atomic}, addr, size)
		d.shadowing.Unlock()
		if o != nil && with == nil && d.wanted(t.work, o.Work) {
			with, at = o, addr
		}
	})
	if with == nil {
		return
	}
	one := t.work.What + accessOf(t.write, false)
	if other := describeTouch(with); !d.news(one, other) {
		return
	}
	kind := kindOf(t.work, with.Work)
	r := &Defect{Kind: kind, Message: "data race with " + with.Work.What, HostPlace: t.by.place()}
	in := "nothing that is allocated"
	if b := d.heap.find(at); b != nil {
		in = fmt.Sprintf("byte %d of %s", at-b.base, b.describe())
	}
	r.Text = fmt.Sprintf("check %v: %s\n  %-12s %s by %s%s\n  %-12s %s\n  %-12s %s\n  %-12s %s\n", kind,
		r.Message, "access", accessOf(t.write, t.atomic), t.work.What, inStream(t.work), "in", in, "with",
		describeTouch(with), "missing", raceAdvice(t.work, with.Work))
	d.options.Race(r)
}

// kindOf is the kind of a race between two works.
func kindOf(one, other *order.Work) check.Kinds {
	if one.Stream == order.Host || other.Stream == order.Host {
		return check.Host
	}
	return check.Race
}

// wanted reports whether somebody wants to know of a race between two works.
func (d *Device) wanted(one, other *order.Work) bool {
	return !d.options.HostAlone || kindOf(one, other) == check.Host
}

// inStream is the stream that a work is in, as text behind it.
func inStream(w *order.Work) string {
	if w.Stream == order.Host {
		return ""
	}
	return fmt.Sprintf(", in stream %d", w.Nth)
}

// raceAdvice is what two works in a race lack.
func raceAdvice(one, other *order.Work) string {
	if kindOf(one, other) == check.Host {
		return "The program has not waited for what the device does there: until it has, the memory is the " +
			"device's."
	}
	if one.Stream == other.Stream {
		return fmt.Sprintf("What stream %d does is in no order by itself: a barrier between the two, or an "+
			"event that the second waits for, would order them.", one.Nth)
	}
	return "Nothing orders the two: the one stream has to wait for an event of the other, or the host for " +
		"the first before it asks for the second."
}

func accessOf(write, atomic bool) string {
	p := check.Party{Write: write, Atomic: atomic}
	return p.Access()
}

// describeTouch says who has made an access.
func describeTouch(t *order.Touch) string {
	text := fmt.Sprintf("%s by %s%s", accessOf(t.Write, t.Atomic), t.Work.What, inStream(t.Work))
	if t.Work.Where != nil {
		text += ": " + t.Work.Where(t.PC)
	}
	return text
}

// news reports whether two accesses have not been told of yet.
func (d *Device) news(one, other string) bool {
	at := racedAt{one, other}
	if d.raced[at] {
		return false
	}
	d.raced[at] = true
	return true
}

// watch compares what a launch accesses with what works before it have.
func (d *Device) watch(l *Launch) {
	source := l.Program.Source
	l.work.What = fmt.Sprintf("launch %d, number %d of kernel %s", l.Number, l.Nth(),
		printable.Name(l.Name()))
	l.work.Where = source.Describe
	l.Program.Machine.AddObserver(&watcher{l: l})
}

// A watcher observes what a launch does in global memory.
type watcher struct {
	l      *Launch
	region *simt.Region // of the last access
	shared bool         // it outlives the launch
}

// Wants implements simt.Selective.
func (o *watcher) Wants(_ *simt.Wave, space simt.Space, _ bool) bool { return space == simt.Global }

// Observe implements simt.Observer.
func (o *watcher) Observe(a *simt.Access) (stop bool) {
	if a.Space != simt.Global {
		return false
	}
	l, d := o.l, o.l.Device
	t := order.Touch{Work: l.work, PC: a.PC, Write: a.Write, Atomic: a.Atomic}
	var with *order.Touch
	var lanes uint64
	d.shadowing.Lock()
	for rest := a.Lanes; rest != 0; rest &= rest - 1 {
		lane := bits.TrailingZeros64(rest)
		addr := a.Addr[lane]
		if !o.outlives(addr) {
			continue
		}
		if other := d.shadow.Touched(t, addr, uint64(a.Size)); other != nil &&
			(with == nil || *with == *other) {
			with, lanes = other, lanes|1<<lane
		}
	}
	d.shadowing.Unlock()
	if with == nil || !d.wanted(l.work, with.Work) {
		return false
	}
	text := describeTouch(with)
	if with.Work.Stream == order.Host {
		d.racedHost(l, a, with)
		return false
	}
	c := l.Program.Checker()
	if c == nil || c.Kinds()&check.Race == 0 || !d.news(fmt.Sprintf("%s %#x", l.Name(), a.PC), l.site(with)) {
		return false
	}
	r := &check.Report{Kind: check.Race, Wave: a.Wave, Lanes: lanes, PC: a.PC, Space: a.Space, Size: a.Size,
		Write: a.Write, Atomic: a.Atomic, With: text,
		What:   fmt.Sprintf("data race of this launch, in stream %d, with %s", l.work.Nth, with.Work.What),
		Advice: raceAdvice(l.work, with.Work)}
	r.Addr = a.Addr[r.Lane()]
	return c.Found(r)
}

// racedHost tells of an access of a launch that nothing orders with one of the program's own before it.
func (d *Device) racedHost(l *Launch, a *simt.Access, with *order.Touch) {
	if !d.news(l.Name(), with.Work.What) {
		return
	}
	m := &Defect{Kind: check.Host, Message: "data race with " + with.Work.What}
	m.Text = fmt.Sprintf("check %v: %s\n  %-12s %s by %s: %s\n  %-12s %s\n  %-12s %s\n", m.Kind, m.Message,
		"access", accessOf(a.Write, a.Atomic), l.work.What, l.work.Where(a.PC), "with", describeTouch(with),
		"missing", raceAdvice(l.work, with.Work))
	d.options.Race(m)
}

// site is where another access is, whichever launch of its kernel has made it.
func (l *Launch) site(t *order.Touch) string {
	if t.Work.Where == nil {
		return t.Work.What
	}
	return t.Work.Where(t.PC)
}

// outlives reports whether an address is of memory that the launch does not have for itself.
func (o *watcher) outlives(addr uint64) bool {
	if o.region == nil || !o.region.Holds(addr, 1) {
		o.region = o.l.Program.Memory.Find(addr)
		o.shared = o.region != nil && !o.region.Private && o.l.Persists(o.region)
	}
	return o.shared
}
