package device

import (
	"fmt"
	"slices"
	"time"

	"simtgdb/simt"
	"simtgdb/simt/check"
	"simtgdb/stub/arch"
	"simtgdb/stub/device/order"
	"simtgdb/stub/printf/host"
)

// handlers answer requests. Hello is the connection's own.
var handlers = map[Op]func(d *Device, r *reader, w *writer) error{
	OpAlloc:    (*Device).opAlloc,
	OpFree:     (*Device).opFree,
	OpShare:    (*Device).opShare,
	OpUnshare:  (*Device).opFree,
	OpLoad:     (*Device).opLoad,
	OpUnload:   (*Device).opUnload,
	OpLaunch:   (*Device).opLaunch,
	OpCopy:     (*Device).opCopy,
	OpFill:     (*Device).opFill,
	OpRecord:   (*Device).opRecord,
	OpQuery:    (*Device).opQuery,
	OpForget:   (*Device).opForget,
	OpWait:     (*Device).opWait,
	OpInfo:     (*Device).opInfo,
	OpReset:    (*Device).opReset,
	OpBuild:    (*Device).opBuild,
	OpCompile:  (*Device).opCompile,
	OpDispatch: (*Device).opDispatch,
	OpReserve:  (*Device).opReserve, OpUnreserve: (*Device).opUnreserve,
	OpMap: (*Device).opMap, OpUnmap: (*Device).opUnmap,
	OpOrder: (*Device).opOrder, OpTouch: (*Device).opTouch,
	OpLink: (*Device).opLink, OpLimit: (*Device).opLimit, OpMisuse: (*Device).opMisuse,
	OpTexel: (*Device).opTexel,
}

// handle answers a request. An error of status WrongProtocol ends the
// connection.
func (d *Device) handle(m message) message {
	answer := message{op: m.op}
	h := handlers[m.op]
	err := refuse(WrongProtocol, "there is no operation %d", m.op)
	var w writer
	if h != nil {
		err = simt.Contained("the service panicked", func() error { return h(d, &reader{b: m.payload}, &w) })
	}
	if err != nil {
		w = writer{}
		answer.status = statusOf(err)
		w.string(err.Error())
	}
	answer.payload = w.b
	return answer
}

// ended is the error of a payload that is not as it must be.
func ended(r *reader) error {
	if err := r.end(); err != nil {
		return &Error{WrongProtocol, err}
	}
	return nil
}

func (d *Device) opAlloc(r *reader, w *writer) error {
	const ofLibrary, alone = 1, 2
	size, align, form := r.u64(), r.u64(), r.u64()
	own := form&ofLibrary != 0
	by := r.asker()
	if err := ended(r); err != nil {
		return err
	}
	return d.exclusively(func() error {
		b, err := d.heap.alloc(size, align)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("allocation of %d bytes", size)
		b.region, err = d.mem.Map(name, b.base, d.heap.granules(b, max(size, 1)),
			simt.PermRead|simt.PermWrite)
		if err != nil {
			d.heap.free(b)
			return err
		}
		d.allocations++
		b.asked, b.number, b.launches, b.by, b.own = max(size, 1), d.allocations, d.launchCount(), by, own
		b.alone, b.wrote = form == alone && d.order != nil, true
		if form == alone && d.options.Unwritten && size <= mostUnwritten {
			b.written = check.NewWritten()
		}
		d.given[b.base] = b
		w.u64(b.base)
		return nil
	})
}

// opFree frees memory of either kind.
func (d *Device) opFree(r *reader, _ *writer) error {
	addr := r.u64()
	by := r.asker()
	if err := ended(r); err != nil {
		return err
	}
	return d.exclusively(func() error {
		b := d.given[addr]
		if b == nil {
			if was := d.wasFreed(addr); was != "" {
				return refuse(NotFound, "nothing is allocated at %#x any more: %s", addr, was)
			}
			return refuse(NotFound, "nothing is allocated at %#x", addr)
		}
		delete(d.given, addr)
		d.forget(b, by)
		return nil
	})
}

func (d *Device) opShare(r *reader, w *writer) error {
	addr, size := r.u64(), r.u64()
	if err := ended(r); err != nil {
		return err
	}
	const limit = 1 << 47
	if addr%pageSize != 0 || size%pageSize != 0 || size == 0 || size > MemorySize || addr > limit ||
		d.heap.contains(addr, size) {
		return refuse(Invalid, "memory at %s cannot be shared", deviceRange(addr, size))
	}
	return d.exclusively(func() error {
		b, err := d.heap.alloc(size, pageSize)
		if err != nil {
			return err
		}
		b.region, err = d.mem.Map("memory of the host", addr, d.heap.data(b, size),
			simt.PermRead|simt.PermWrite)
		if err != nil {
			d.heap.free(b)
			return &Error{Invalid, err}
		}
		b.own = true
		d.given[addr] = b
		w.u64(b.base - d.heap.base)
		return nil
	})
}

func (d *Device) opLoad(r *reader, w *writer) error {
	file := r.bytes()
	var constants []arch.Constant
	for range min(r.count(16), maxConstants) {
		constants = append(constants, arch.Constant{ID: r.u32(), Value: r.bytes()})
	}
	if err := ended(r); err != nil {
		return err
	}
	return d.exclusively(func() error {
		m, err := d.load(file, constants)
		if err == nil {
			err = m.describe(w)
		}
		return err
	})
}

func (d *Device) opUnload(r *reader, _ *writer) error {
	id := r.u64()
	if err := ended(r); err != nil {
		return err
	}
	return d.exclusively(func() error {
		m := d.modules[id]
		if m == nil {
			return refuse(NotFound, "there is no module %d", id)
		}
		d.drop(m)
		return nil
	})
}

func (d *Device) opLaunch(r *reader, w *writer) error {
	l, err := d.readLaunch(r)
	if err != nil {
		return err
	}
	ticket, err := d.launch(l)
	w.u64(ticket)
	return err
}

func (d *Device) opCopy(r *reader, w *writer) error {
	stream, to, from, size := r.u64(), r.u64(), r.u64(), r.u64()
	if err := ended(r); err != nil {
		return err
	}
	ticket, err := d.submit(stream, "a copy", func(w *order.Work) {
		d.began = clock()
		a, b := d.region(to, size), d.region(from, size)
		if a == nil || b == nil {
			d.fail(Invalid, fmt.Sprintf("a copy from %s to %s leaves what is allocated",
				deviceRange(from, size), deviceRange(to, size)))
			return
		}
		d.touched(&touching{work: w, rows: rowsOf(from, size)})
		d.touched(&touching{work: w, write: true, rows: rowsOf(to, size)})
		copy(a, b)
	})
	w.u64(ticket)
	return err
}

func (d *Device) opFill(r *reader, w *writer) error {
	stream, to, pattern, times := r.u64(), r.u64(), r.bytes(), r.u64()
	if err := ended(r); err != nil {
		return err
	}
	const maxPattern = 128
	if len(pattern) == 0 || len(pattern) > maxPattern || times > MemorySize {
		return refuse(Invalid, "a fill with %d bytes, %d times", len(pattern), times)
	}
	ticket, err := d.submit(stream, "a fill", func(w *order.Work) {
		d.began = clock()
		size := uint64(len(pattern)) * times
		b := d.region(to, size)
		if b == nil {
			d.fail(Invalid, fmt.Sprintf("a fill of %s leaves what is allocated", deviceRange(to, size)))
			return
		}
		d.touched(&touching{work: w, write: true, rows: rowsOf(to, size)})
		for n := copy(b, pattern); n < len(b); {
			n += copy(b[n:], b[:n])
		}
	})
	w.u64(ticket)
	return err
}

// region is the memory of some addresses, nil if they are not of one region.
func (d *Device) region(addr, size uint64) []byte {
	if size == 0 {
		return []byte{}
	}
	reg := d.mem.Find(addr)
	if reg == nil || !reg.Holds(addr, size) {
		return nil
	}
	return reg.Data[addr-reg.Base:][:size]
}

func (d *Device) opRecord(r *reader, w *writer) error {
	stream, id := r.u64(), r.u64()
	if err := ended(r); err != nil {
		return err
	}
	d.mu.Lock()
	full := d.events[id] == nil && len(d.events) >= maxEvents
	d.mu.Unlock()
	if full {
		return refuse(NoMemory, "more than %d events", maxEvents)
	}
	e := &event{}
	ticket, err := d.submit(stream, "an event", func(*order.Work) {
		d.mu.Lock()
		defer d.mu.Unlock()
		e.reached, e.at, e.before = true, clock(), d.began
	})
	d.mu.Lock()
	e.ticket = ticket
	d.events[id] = e
	d.mu.Unlock()
	w.u64(ticket)
	return err
}

func (d *Device) opQuery(r *reader, w *writer) error {
	id := r.u64()
	if err := ended(r); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	e := d.events[id]
	if e == nil {
		return refuse(NotFound, "event %d was not recorded", id)
	}
	reached := uint64(0)
	if e.reached {
		reached = 1
	}
	w.u64(reached, uint64(e.at), uint64(e.before))
	return nil
}

func (d *Device) opForget(r *reader, _ *writer) error {
	id := r.u64()
	if err := ended(r); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.events, id)
	return nil
}

func (d *Device) opWait(r *reader, w *writer) error {
	kind, id, limit := r.u64(), r.u64(), r.u64()
	if err := ended(r); err != nil {
		return err
	}
	ticket, err := d.ticketOf(kind, id)
	if err != nil {
		return err
	}
	w.u64(d.wait(ticket, time.Duration(min(limit, uint64(time.Hour)))))
	some, more := d.takeTexts()
	d.mu.Lock()
	w.u64(uint64(d.condition))
	w.string(d.what)
	d.mu.Unlock()
	w.u64(uint64(len(some)))
	for _, t := range some {
		w.u64(boolean(t.Stderr))
		w.bytes(t.Text)
	}
	w.u64(boolean(more))
	return nil
}

func boolean(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// ticketOf is the ticket that is waited for.
func (d *Device) ticketOf(kind, id uint64) (uint64, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch kind {
	case waitAll:
		return d.submitted, nil
	case waitStream:
		return d.last[id], nil
	case waitEvent:
		if e := d.events[id]; e != nil {
			return e.ticket, nil
		}
		return 0, refuse(NotFound, "event %d was not recorded", id)
	case waitNothing:
		return 0, nil
	case waitTicket:
		return min(id, d.submitted), nil
	}
	return 0, refuse(Invalid, "nothing of kind %d can be waited for", kind)
}

func (d *Device) opInfo(r *reader, w *writer) error {
	if err := ended(r); err != nil {
		return err
	}
	return d.exclusively(func() error {
		d.mu.Lock()
		defer d.mu.Unlock()
		w.u64(MemorySize, MemorySize-d.heap.used, uint64(d.launches))
		return nil
	})
}

// opLimit says how much malloc of kernels has. It must before any kernel has the heap.
func (d *Device) opLimit(r *reader, _ *writer) error {
	size := r.u64()
	if err := ended(r); err != nil {
		return err
	}
	const most = MemorySize / 4
	if size > most {
		return refuse(NoMemory, "%d bytes for malloc of kernels: at most %d can be had", size, uint64(most))
	}
	return d.exclusively(func() error {
		if d.mallocs.Made() {
			return refuse(
				Invalid, "a kernel that allocates memory has run: how much there is can be said no more")
		}
		d.mallocRoom, d.mallocs.Room = size, size
		return nil
	})
}

func (d *Device) opReset(r *reader, _ *writer) error {
	if err := ended(r); err != nil {
		return err
	}
	return d.exclusively(func() error {
		d.leave()
		if !d.mallocs.Empty() {
			d.past.clear() // what kernels had allocated is not kept
		}
		for _, m := range d.modules {
			d.drop(m)
		}
		for _, b := range d.given {
			d.mem.Unmap(b.region)
			d.heap.free(b)
		}
		for _, v := range d.reserved {
			d.unreserve(v)
		}
		for _, r := range slices.Clone(d.mem.Allocated()) {
			d.mem.Unmap(r)
		}
		d.mallocs = host.NewHeap(d.mem)
		d.mallocs.Room = d.mallocRoom
		d.mem.Trim()
		d.mu.Lock()
		defer d.mu.Unlock()
		d.clear()
		return nil
	})
}
