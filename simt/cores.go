package simt

import "sync"

// A Reuser is a core that can go on with another machine and keep what it has
// decoded.
type Reuser interface {
	Core
	// Reuse makes the core one of machine m, which has not begun and which is
	// [Machine.Plain]: on the same memory, with the same code in it. It reports
	// whether it can be that.
	Reuse(m *Machine) bool
}

// A CorePool keeps the cores of machines that have run for those that follow, and the
// workgroups that have ended: of launches on one memory, whose code must not change in
// between. Its zero value is empty.
type CorePool struct {
	mu   sync.Mutex
	idle []Reuser

	spares sync.Pool // of *Workgroup, as a machine's own
}

// maxIdle is how many cores a pool keeps.
const maxIdle = 64

// take takes a core that can be one of m, or nil.
func (p *CorePool) take(m *Machine) Core {
	p.mu.Lock()
	defer p.mu.Unlock()
	for n := len(p.idle); n > 0; n-- {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		if c.Reuse(m) {
			return c
		}
	}
	return nil
}

func (p *CorePool) put(c Reuser) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) < maxIdle {
		p.idle = append(p.idle, c)
	}
}

// Plain reports whether nothing changes what cores decode: no breakpoints, nobody who
// wants to know of fences, no debugger's records.
func (m *Machine) Plain() bool {
	return len(m.breaks) == 0 && len(m.orderers) == 0 && !m.Track && !m.Interpret && !m.quiet
}

// takeCore gives a core to run workgroups with.
func (m *Machine) takeCore() Core {
	if m.Cores != nil && m.Plain() {
		if c := m.Cores.take(m); c != nil {
			return c
		}
	}
	return m.isa.NewCore(m)
}

// keepCore keeps a core for others if what it has decoded is good for them. began is
// the machine's generation when it was taken.
func (m *Machine) keepCore(c Core, began int) {
	if r, ok := c.(Reuser); ok && m.Cores != nil && m.Plain() && m.generation == began {
		m.Cores.put(r)
	}
}
