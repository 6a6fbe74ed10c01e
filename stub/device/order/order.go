package order

import "maps"

// A Work is something that a stream does: a launch, a copy, a fill, or what the host does in a stream's
// place.
type Work struct {
	Stream, Ticket uint64
	Nth            int // number of the stream among those that have had work, from 1
	// What is the work in words: "launch 3, number 1 of kernel a".
	What string
	// Where describes an instruction of it; nil of what has none.
	Where func(pc uint64) string

	before *clock // besides what its stream has done, if that does things in order
	loose  bool   // of a stream that does not
}

// After reports whether a work comes after another of a lower ticket, whatever the device does.
func (w *Work) After(o *Work) bool {
	return w == o || !w.loose && w.Stream == o.Stream || w.before.has(o)
}

// An Order is what is known of the works of one device. Its zero value knows none.
type Order struct {
	submitted uint64
	host      *clock // what the host has waited for
	hostDid   uint64 // the ticket of its own latest work
	streams   map[uint64]*stream
	works     map[uint64]*Work // that it has not waited for, by ticket
	nth       map[uint64]int
}

// A stream is where works come from.
type stream struct {
	id, last uint64
	loose    bool
	apart    bool   // it does not know what the host has waited for when a work was submitted
	before   *clock // what comes before its further works
	next     *clock // before the next of them alone
	all      *clock // what came before any of its works
}

// Host is a stream whose works are the host's own: each comes after what the host has waited for when it was
// submitted, and nobody waits for it. What is submitted later on behalf of the host, by a thread of its
// library's, comes after one.
const Host = 1 << 63

// Bounds of what is kept. Beyond them all that was submitted is taken to be in order.
const (
	mostWorks   = 1 << 14
	mostStreams = 1 << 12
)

func (o *Order) stream(id uint64) *stream {
	s := o.streams[id]
	if s == nil {
		if o.streams == nil {
			o.streams, o.works, o.nth, o.host =
				map[uint64]*stream{}, map[uint64]*Work{}, map[uint64]int{}, nothing
		}
		if len(o.streams) >= mostStreams {
			o.HostAfterAll()
		}
		s = &stream{id: id, before: nothing, next: nothing, all: nothing}
		o.streams[id] = s
	}
	return s
}

// Submit adds a work of a stream.
func (o *Order) Submit(id, ticket uint64, what string) *Work {
	s := o.stream(id)
	if len(o.works) >= mostWorks {
		o.works = map[uint64]*Work{}
	}
	if id != Host && o.nth[id] == 0 && len(o.nth) < mostStreams {
		o.nth[id] = len(o.nth) + 1
	}
	if !s.apart {
		s.before = s.before.and(o.host)
	}
	if !s.apart && id != Host && o.hostDid > o.host.floor {
		s.before = s.before.and(streamUpTo(Host, o.hostDid))
	}
	w := &Work{Stream: id, Ticket: ticket, Nth: o.nth[id], What: what, before: s.before.and(s.next),
		loose: s.loose}
	s.all, s.next = s.all.and(w.before), nothing
	s.last, o.submitted, o.works[ticket] = ticket, ticket, w
	return w
}

// Access is an access of the host's own to memory, a work of its that nobody waits for by its ticket: what is
// submitted later comes after it.
func (o *Order) Access(ticket uint64, what string) *Work {
	w := o.Submit(Host, ticket, what)
	delete(o.works, ticket)
	o.hostDid = ticket
	return w
}

// HostHas reports whether the host has waited for the work with a ticket.
func (o *Order) HostHas(ticket uint64) bool {
	w := o.works[ticket]
	return w == nil || o.host.has(w)
}

// HostHasAll reports whether the host has waited for all works.
func (o *Order) HostHasAll() bool {
	for _, s := range o.streams {
		if s.id != Host && s.last > o.host.floor && s.last > o.host.upTo[s.id] {
			return false
		}
	}
	return true
}

// Loose says that the works of a stream are in no order but by what is said of them.
func (o *Order) Loose(id uint64) { o.stream(id).loose = true }

// Apart says that works of a stream are submitted later than the host has asked for them, and come after what
// the host had waited for only as far as that is said.
func (o *Order) Apart(id uint64) { o.stream(id).apart = true }

// Barrier says that all works of a stream come before its further works.
func (o *Order) Barrier(id uint64) {
	s := o.stream(id)
	s.before = s.before.and(o.upTo(s, s.last))
}

// upTo is what a stream has done up to a ticket, and what came before that.
func (o *Order) upTo(s *stream, ticket uint64) *clock {
	if ticket == 0 || s.last == 0 {
		return s.before
	}
	return s.before.and(s.all).and(streamUpTo(s.id, min(ticket, s.last)))
}

// AfterStream says that the further works of a stream come after those of another up to a ticket.
func (o *Order) AfterStream(id, other, ticket uint64) {
	s := o.stream(id)
	s.before = s.before.and(o.upTo(o.stream(other), ticket))
}

// AfterWork says that the further works of a stream, or the next alone, come after the one with a ticket.
func (o *Order) AfterWork(id, ticket uint64, nextAlone bool) {
	s := o.stream(id)
	if nextAlone {
		s.next = s.next.and(o.upToWork(ticket))
	} else {
		s.before = s.before.and(o.upToWork(ticket))
	}
}

// upToWork is a work and what came before it.
func (o *Order) upToWork(ticket uint64) *clock {
	w := o.works[ticket]
	switch {
	case w == nil && ticket > o.submitted, ticket == 0:
		return nothing
	case w == nil:
		return &clock{floor: ticket}
	case w.loose:
		return w.before.and(&clock{single: map[uint64]bool{ticket: true}})
	}
	return w.before.and(streamUpTo(w.Stream, ticket))
}

// HostAfterStream says that the host has waited for the works of a stream up to a ticket.
func (o *Order) HostAfterStream(id, ticket uint64) { o.hostAfter(o.upTo(o.stream(id), ticket)) }

// HostAfterWork says that it has waited for one work.
func (o *Order) HostAfterWork(ticket uint64) {
	if o.host != nil {
		o.hostAfter(o.upToWork(ticket))
	}
}

// hostAfter adds to what the host has waited for. If that is everything, it is known in short.
func (o *Order) hostAfter(c *clock) {
	o.host = o.host.and(c)
	if o.HostHasAll() {
		o.HostAfterAll()
	}
}

// HostAfterAll says that the host has waited for all works.
func (o *Order) HostAfterAll() {
	o.host = &clock{floor: o.submitted}
	for id, s := range o.streams {
		switch {
		case s.apart: // others may still be said to come after it that do not know what the host waited for
			s.next = nothing
		case s.loose: // which stays so
			*s = stream{id: id, loose: true, before: s.before, next: nothing, all: nothing}
		default:
			delete(o.streams, id)
		}
	}
	maps.DeleteFunc(o.works, func(_ uint64, w *Work) bool { return w.Stream != Host })
}
