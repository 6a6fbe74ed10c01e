package ptx

import (
	"simtgdb/simt"
	"simtgdb/simt/rows"
)

// Which variable an address is of, the text says of most functions once and for all: each of their registers
// has the address of one variable or of none, whatever way they go. These need not be traced while they run.

// aims are what registers of a function have the addresses of.
type aims struct {
	of      []*simt.Object // by vector; unknown of what is no variable's
	dynamic bool           // it depends on the way by which an access is come to
}

// differs is what a register has that is given different things.
var differs = &simt.Object{}

// aims finds those of a function.
func (a *ISA) aims(fn *function) *aims {
	fn.aimsOnce.Do(func() {
		m := &fn.aims
		m.of = make([]*simt.Object, fn.vectors)
		code := a.code[fn.start:fn.end]
		m.follow(code)
		for i, o := range m.of {
			if o == nil { // nothing is written to it, or what is comes from itself
				m.of[i] = unknown
			}
		}
		m.follow(code)
		for i := range code {
			in := &code[i]
			if s := &in.s[0]; in.keeps != keepsOne && in.keeps != keepsBoth && s.kind == fromReg &&
				m.of[s.n] == differs {
				m.dynamic = true
			}
		}
	})
	return &fn.aims
}

// follow goes through a function's code until nothing changes.
func (m *aims) follow(code []inst) {
	for changed := true; changed; {
		changed = false
		for i := range code {
			if m.trace(&code[i]) {
				changed = true
			}
		}
	}
}

// trace is Core.trace. It reports whether anything has changed.
func (m *aims) trace(in *inst) (changed bool) {
	if in.keeps == comesFromMemory {
		for _, n := range in.regs[:in.elements] {
			changed = m.set(n, unknown) || changed
		}
	}
	changed = m.set(in.dst2, unknown) || changed
	if in.keeps != keepsOne && in.keeps != keepsBoth {
		return m.set(in.dst, unknown) || changed
	}
	var sources [3]*simt.Object
	for i := range sources {
		s := &in.s[i]
		if s.kind == fromReg && m.of[s.n] == nil {
			return changed // which is known later
		}
		if sources[i] = m.object(s); sources[i] == differs {
			return m.set(in.dst, differs) || changed
		}
	}
	o := objectOfSum(in.keeps, sources)
	if o == nil {
		o = unknown
	}
	return m.set(in.dst, o) || changed
}

// set notes what is written to a register.
func (m *aims) set(n int32, o *simt.Object) (changed bool) {
	if n < 0 || m.of[n] == o || m.of[n] == differs {
		return false
	}
	if m.of[n] != nil {
		o = differs
	}
	m.of[n] = o
	return true
}

// object is Core.objectOf.
func (m *aims) object(s *source) *simt.Object {
	switch {
	case s.kind == fromImm:
		return s.of
	case s.kind == fromReg && m.of[s.n] != unknown:
		return m.of[s.n]
	}
	return nil
}

// traced reports whether what a function's registers have the addresses of is followed while it runs.
func (c *Core) traced(fn *function) bool { return c.tracing && c.isa.aims(fn).dynamic }

// aimed makes row code of a statement such that it sees to what observers want to know of: an access that
// leads out of the variable that it is meant for is the core's, and so is what may be undefined.
func (c *Core) aimed(at int32, r *rows.Inst) {
	in := &c.isa.code[at]
	if in.divides.bits != 0 && c.m.Judged() {
		*r = rows.Inst{}
	}
	if !c.m.Follows().Objects {
		return
	}
	for i := range r.Ops {
		o := &r.Ops[i]
		if o.Kind != rows.Load && o.Kind != rows.Store || o.Space >= rows.Private {
			continue
		}
		meant := c.isa.aims(in.fn).object(&in.s[0])
		switch {
		case c.m.Aimed(c.isa.addr(at), o.Kind == rows.Store):
			*r = rows.Inst{}
			return
		case meant == nil || meant == several:
		case meant.Space == simt.LDS && o.Space == rows.Shared && meant.Hi > meant.Lo:
			o.Within = rows.Extent{Lo: meant.Lo, Hi: meant.Hi}
		default:
			*r = rows.Inst{}
			return
		}
	}
}
