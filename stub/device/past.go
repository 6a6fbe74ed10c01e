package device

import (
	"bytes"
	"fmt"
	"slices"

	"simtgdb/simt"
	"simtgdb/stub/printf/host"
)

// What launches and the host have done to memory, so that it can be what it was before and after each of
// them.

// A Past is the steps by which a device's memory came to what it is: launches, and what the host did between
// two of them. Each holds what it has changed, as it was before and as it was after. Who goes back to a
// launch executes it again. Only the work under way may use a Past, or whom that waits for.
type Past struct {
	d     *Device
	limit uint64 // bytes
	held  uint64
	known map[*byte]*kept // by where the host has the bytes
	steps []*step
	at    int  // how many of the steps memory has
	over  bool // there is too much memory
}

// kept is memory as the latest step has left it.
type kept struct {
	name string
	base uint64
	perm simt.Perm
	live []byte // where it is
	copy []byte
	seen int // when it was looked at last
}

// A step is a launch, or what the host did.
type step struct {
	launch *Launch // nil of the host's
	pages  []changedPage
	gone   []goneMemory
	blocks []*simt.Region // of malloc, before
}

type changedPage struct {
	addr          uint64
	live          []byte // where the host has it
	before, after []byte
}

// goneMemory is what was freed.
type goneMemory struct {
	kept
	again *simt.Region // mapped again, while memory is as it was before
}

const (
	pastPage = 4096
	// stepSize is what a step is taken to need besides what has changed: there may be as many as have room.
	stepSize = 4096
)

// size is what a step needs besides what has changed.
func (s *step) size() uint64 {
	if s.launch == nil {
		return stepSize
	}
	return stepSize + s.launch.marks
}

func newPast(d *Device, limit uint64) *Past {
	return &Past{d: d, limit: limit, known: map[*byte]*kept{}}
}

// clear forgets everything: from now on nothing goes back beyond the present.
func (p *Past) clear() {
	if p != nil {
		*p = Past{d: p.d, limit: p.limit, known: map[*byte]*kept{}}
	}
}

// note makes a step of what has changed since the latest.
func (p *Past) note(l *Launch, seen int) {
	if p.over {
		return
	}
	s := &step{launch: l}
	for _, r := range p.d.mem.Regions() {
		if r.Perm&simt.PermWrite == 0 || len(r.Data) == 0 {
			continue
		}
		k := p.known[&r.Data[0]]
		if k == nil || k.base != r.Base || len(k.copy) != len(r.Data) {
			if p.held += uint64(len(r.Data)); p.held > p.limit {
				p.clear()
				p.over = true
				p.d.say("the program has more memory of the device than --history has room for: one goes " +
					"back in each launch, and not from launch to launch\n")
				return
			}
			p.known[&r.Data[0]] = &kept{r.Name, r.Base, r.Perm, r.Data, bytes.Clone(r.Data), seen}
			continue
		}
		k.seen = seen
		b := p.d.heap.find(r.Base)
		if l == nil && b != nil && b.alone && !b.wrote {
			continue // nobody but launches has written to it
		}
		p.compare(s, k, r.Data)
		if b != nil {
			b.wrote = false
		}
	}
	for key, k := range p.known {
		if k.seen != seen && !p.d.isSegment(k.live) {
			s.gone = append(s.gone, goneMemory{kept: *k})
			delete(p.known, key)
		}
	}
	if l != nil || len(s.pages)+len(s.gone) > 0 {
		p.steps = append(p.steps, s)
		p.held += s.size()
	}
	p.at = len(p.steps)
	p.fit()
}

// compare adds the pages of a region that have changed.
func (p *Past) compare(s *step, k *kept, data []byte) {
	for at := 0; at < len(data); at += pastPage {
		now, was := data[at:min(at+pastPage, len(data))], k.copy[at:min(at+pastPage, len(data))]
		if bytes.Equal(now, was) {
			continue
		}
		s.pages = append(s.pages, changedPage{k.base + uint64(at), now, bytes.Clone(was), bytes.Clone(now)})
		p.held += uint64(2 * len(now))
		copy(was, now)
	}
}

// isSegment reports whether memory is a module's that is not placed now.
func (d *Device) isSegment(live []byte) bool {
	is := func(s segment) bool { return len(s.Data) > 0 && &s.Data[0] == &live[0] }
	for _, m := range d.modules {
		if slices.ContainsFunc(m.segments, is) {
			return true
		}
	}
	return slices.ContainsFunc(d.retired, func(m *Module) bool {
		return slices.ContainsFunc(m.segments, is)
	})
}

// has reports whether one can go back to a launch of a module.
func (p *Past) has(m *Module) bool {
	return p != nil && slices.ContainsFunc(p.steps, func(s *step) bool {
		return s.launch != nil && s.launch.Module == m
	})
}

// fit forgets the first steps where there is no room.
func (p *Past) fit() {
	for p.held > p.limit && len(p.steps) > 0 {
		p.held -= p.steps[0].size()
		for _, c := range p.steps[0].pages {
			p.held -= uint64(2 * len(c.before))
		}
		for _, g := range p.steps[0].gone {
			p.held -= uint64(len(g.copy))
		}
		p.steps = p.steps[1:]
		p.at--
	}
}

// began is told that a launch is about to be made ready, ended that it has run.
func (p *Past) began(l *Launch) {
	if p == nil {
		return
	}
	before := p.Before(nil)
	if before != nil {
		before.Program = nil // who goes back makes it ready again
	}
	p.note(nil, 2*l.Number)
	if !p.over {
		l.keepUnwritten(before)
	}
	if p.d.mallocs.Empty() {
		return
	}
	for _, r := range p.d.outside() {
		if p.d.mallocs.Has(r) {
			l.malloced = append(l.malloced, r)
		}
	}
}

func (p *Past) ended(l *Launch) {
	if p == nil {
		return
	}
	p.note(l, 2*l.Number+1)
	if n := len(p.steps); n > 0 && p.steps[n-1].launch == l {
		p.steps[n-1].blocks = l.malloced
	}
}

// Before is the launch before the one given, or before the present if that is nil; nil if there is none to go
// back to.
func (p *Past) Before(l *Launch) *Launch {
	if p == nil {
		return nil
	}
	i := len(p.steps)
	if l != nil {
		if at := p.find(l); at >= 0 {
			i = at
		}
	}
	for i--; i >= 0; i-- {
		if p.steps[i].launch != nil {
			return p.steps[i].launch
		}
	}
	return nil
}

// After is the launch behind one that is over; nil if it was the last.
func (p *Past) After(l *Launch) *Launch {
	for i := p.find(l) + 1; i < len(p.steps); i++ {
		if p.steps[i].launch != nil {
			return p.steps[i].launch
		}
	}
	return nil
}

func (p *Past) find(l *Launch) int {
	return slices.IndexFunc(p.steps, func(s *step) bool { return s.launch == l })
}

// GoBefore makes memory what it was before a launch that is over, Present what it is now; which pages of some
// memory the host has changed on the way is told to touched.
func (p *Past) GoBefore(l *Launch, touched func(addr, size uint64)) error {
	return p.goTo(p.find(l), touched)
}

// Present makes memory what it is now.
func (p *Past) Present() error { return p.goTo(len(p.steps), nil) }

func (p *Past) goTo(at int, touched func(addr, size uint64)) error {
	if at < 0 {
		return fmt.Errorf("what the launch did to memory is not known any more")
	}
	for p.at > at {
		s := p.steps[p.at-1]
		if err := p.undo(s); err != nil {
			return err
		}
		p.at--
		if s.launch == nil && touched != nil {
			s.told(touched)
		}
	}
	for p.at < at {
		s := p.steps[p.at]
		p.redo(s)
		p.at++
		if s.launch == nil && touched != nil {
			s.told(touched)
		}
	}
	return nil
}

// told tells which bytes a step has changed.
func (s *step) told(touched func(addr, size uint64)) {
	for _, c := range s.pages {
		for i := 0; i < len(c.before); i++ {
			from := i
			for i < len(c.before) && c.before[i] != c.after[i] {
				i++
			}
			if i > from {
				touched(c.addr+uint64(from), uint64(i-from))
			}
		}
	}
}

func (p *Past) undo(s *step) error {
	for i := range s.gone {
		g := &s.gone[i]
		r, err := p.d.mem.Map(g.name, g.base, bytes.Clone(g.copy), g.perm)
		if err != nil {
			return fmt.Errorf("what was freed cannot be there again: %w", err)
		}
		g.again = r
	}
	for _, c := range s.pages {
		p.put(c.addr, c.live, c.before)
	}
	return nil
}

func (p *Past) redo(s *step) {
	for _, c := range s.pages {
		p.put(c.addr, c.live, c.after)
	}
	for i := range s.gone {
		if r := s.gone[i].again; r != nil {
			p.d.mem.Unmap(r)
			s.gone[i].again = nil
		}
	}
}

// put writes a page where it is mapped, so that snapshots have what was there; of a module that is not
// placed, where that has it.
func (p *Past) put(addr uint64, live, data []byte) {
	if r := p.d.mem.Find(addr); r != nil && r.Perm&simt.PermWrite != 0 && r.Holds(addr, uint64(len(data))) {
		_, _ = p.d.mem.Write(addr, data)
		return
	}
	copy(live, data)
}

// Differs reports whether memory is not what a launch that is over had left, when it has been executed again.
func (p *Past) Differs(l *Launch) bool {
	i := p.find(l)
	if i < 0 {
		return false
	}
	got := make([]byte, pastPage)
	return slices.ContainsFunc(p.steps[i].pages, func(c changedPage) bool {
		n, err := p.d.mem.Read(c.addr, got[:len(c.after)])
		return err == nil && !bytes.Equal(got[:n], c.after)
	})
}

// setAside takes away what the launch under way has at addresses of its choice, where the one that is visited
// wants its own. What it gives puts that there again.
func (d *Device) setAside() (back func()) {
	var aside []simt.Region
	if l := d.running; l != nil {
		allocated := d.mem.Allocated()
		for _, r := range d.outside() {
			others := slices.Contains(l.before, r) || slices.Contains(d.placed, r)
			if !others && !slices.Contains(allocated, r) {
				aside = append(aside, *r)
				d.mem.Unmap(r)
			}
		}
	}
	return func() {
		for _, r := range aside {
			_, _ = d.mem.Map(r.Name, r.Base, r.Data, r.Perm) // it was there
		}
	}
}

// Visit makes a launch that is over ready to be executed again; memory is as it was before it. What it gives
// ends that: memory is what it was before.
func (p *Past) Visit(l *Launch) (again *Launch, leave func(), err error) {
	d := p.d
	if i := p.find(l); i < 0 || i != p.at {
		return nil, nil, fmt.Errorf("memory is not what it was before launch %d", l.Number)
	}
	before, placed := d.outside(), d.current
	back := d.setAside()
	leave = func() {
		for _, r := range d.outside() {
			if !slices.Contains(before, r) && !slices.Contains(d.placed, r) {
				d.mem.Unmap(r)
			}
		}
		back()
		d.mem.Trim() // so that the next one has its memory at the same addresses, and its symbols are these
		if placed != nil && placed != d.current {
			_ = d.enter(placed)
		}
	}
	if err := d.enter(l.Module); err != nil {
		return nil, nil, err
	}
	call, copied := *l.Call, *l
	call.Heap, call.Again = host.NewHeap(d.mem), true
	for _, r := range p.steps[p.at].blocks {
		if part := d.mallocs.Part(r); part != "" {
			_ = call.Heap.Adopt(r, part)
		}
	}
	again = &copied
	again.before, again.extended, again.work, again.again = before, nil, nil, true
	again.Program, err = l.Module.Resident.Prepare(d.mem, &call)
	if err != nil {
		leave()
		return nil, nil, err
	}
	again.Program.Freed = d.wasFreed
	if !d.options.Strict {
		again.Program.Machine.Forgive = again.forgive
	}
	return again, leave, nil
}
