package order

import "maps"

// A clock is a set of works: those that come before something.
type clock struct {
	floor  uint64            // all up to this ticket
	upTo   map[uint64]uint64 // of a stream, those up to a ticket
	single map[uint64]bool   // works by their tickets
}

var nothing = &clock{}

// has reports whether a work is in the set.
func (c *clock) has(w *Work) bool {
	return w.Ticket <= c.floor || w.Ticket <= c.upTo[w.Stream] || c.single[w.Ticket]
}

// covers reports whether a set is part of this one as far as can be told quickly.
func (c *clock) covers(o *clock) bool {
	if c == o {
		return true
	}
	if o.floor > c.floor {
		return false
	}
	for s, t := range o.upTo {
		if t > c.floor && t > c.upTo[s] {
			return false
		}
	}
	for t := range o.single {
		if t > c.floor && !c.single[t] {
			return false
		}
	}
	return true
}

// and is the set with another beside it. Sets are not changed once they are made.
func (c *clock) and(o *clock) *clock {
	switch {
	case c.covers(o):
		return c
	case o.covers(c):
		return o
	}
	n := &clock{floor: max(c.floor, o.floor), upTo: maps.Clone(c.upTo), single: maps.Clone(c.single)}
	for s, t := range o.upTo {
		n.add(s, t)
	}
	for t := range o.single {
		n.addOne(t)
	}
	return n.trimmed()
}

func (c *clock) add(stream, ticket uint64) {
	if c.upTo == nil {
		c.upTo = map[uint64]uint64{}
	}
	c.upTo[stream] = max(c.upTo[stream], ticket)
}

func (c *clock) addOne(ticket uint64) {
	if c.single == nil {
		c.single = map[uint64]bool{}
	}
	c.single[ticket] = true
}

// trimmed leaves out what the floor has anyway.
func (c *clock) trimmed() *clock {
	maps.DeleteFunc(c.upTo, func(_, t uint64) bool { return t <= c.floor })
	maps.DeleteFunc(c.single, func(t uint64, _ bool) bool { return t <= c.floor })
	return c
}

// streamUpTo is a stream's works up to a ticket.
func streamUpTo(stream, ticket uint64) *clock {
	return &clock{upTo: map[uint64]uint64{stream: ticket}}
}
