package ptx

import (
	"math/bits"
	"regexp"
	"strings"

	"simtgdb/simt"
	"simtgdb/simt/fidelity"
)

// Where the results of inexact statements go, for package fidelity: of each register and predicate, in each
// lane. A core that is followed runs a copy of the code whose statements are wrapped.

// FollowsInexact implements fidelity.Machine.
func (a *ISA) FollowsInexact() string {
	return "what docs/fidelity.md says of PTX's .approx and its library"
}

// approximations are the statements and functions whose results may differ from hardware's; the first that
// matches counts.
var approximations = []struct {
	text *regexp.Regexp
	far  string
}{
	{regexp.MustCompile(`^(sin|cos|lg2|ex2|tanh|rsqrt)\.`),
		"computed in double precision and rounded; hardware is within the error that the PTX ISA gives"},
	{regexp.MustCompile(`^(div|rcp|sqrt)\.(approx|full)`),
		"the nearest value; hardware is within the error that the PTX ISA gives"},
	{regexp.MustCompile(`^(mma|wmma\.mma)\..*\.(f16|bf16|tf32|e4m3|e5m2|f32)\b`),
		"products are added in double precision and rounded once; no document says how hardware adds them"},
	{regexp.MustCompile(`%(clock|globaltimer)`), "counts the statements of the warp, not time"},
}

// libraryExact are the functions of the device library whose results are defined to the bit.
var libraryExact = regexp.MustCompile(`^__nv_(f?abs|ll?abs|floor|ceil|trunc|rint|round|ll?r|nearbyint|u?ll?(min|max)|` +
	`u?(min|max)|f(min|max)|mul|umul|clz|brev|popc|ffs|fma|[fd](add|sub|mul|div|sqrt|rcp|ma)_r|` +
	`[du]?sqrt|f(sqrt|rcp)_r|byte_perm|u?sad|u?r?hadd|is|copysign|fmod|ldexp|scalbn|modf|frexp|nan|signbit|finite|` +
	`i?logb|nextafter|remainder|remquo|saturate|fdim|double_as|float_as|int_as|uint_as|longlong_as|hiloint|` +
	`(double|float|u?int|u?ll|half)2)`)

const libraryFar = "the nearest value, nearly always; NVIDIA's library is within the units that its " +
	"documents give"

// origins are where what a wave's registers hold comes from, by activation.
type origins struct {
	t    *fidelity.Tracker
	acts map[int]*actOrigins
}

type actOrigins struct {
	r, p  map[int32]*fidelity.Lanes
	carry fidelity.Lanes
}

// of are those of an activation. Those that are over are forgotten from time to time.
func (o *origins) of(c *Core, act *activation) *actOrigins {
	a := o.acts[act.id]
	if a == nil {
		if len(o.acts) > 2*len(c.st.acts)+8 {
			for id := range o.acts {
				if c.st.activationOf(id) == nil {
					delete(o.acts, id)
				}
			}
		}
		a = &actOrigins{r: map[int32]*fidelity.Lanes{}, p: map[int32]*fidelity.Lanes{}}
		o.acts[act.id] = a
	}
	return a
}

// set sets the origins of a register in some lanes; one below 0 is none.
func set(all map[int32]*fidelity.Lanes, n int32, from *fidelity.Lanes, mask uint32) {
	if n < 0 {
		return
	}
	p := all[n]
	if p == nil {
		p = new(fidelity.Lanes)
		all[n] = p
	}
	for m := mask; m != 0; m &= m - 1 {
		p[first(m)] = from[first(m)]
	}
}

// audit gives a core code that tells a tracker what happens, if there is one, or follows what registers have.
func (c *Core) audit() {
	c.code, c.tracker = c.isa.code, fidelity.Of(c.m)
	if c.valued = c.tracker == nil && c.m.Follows().Values; c.valued {
		c.follow()
	}
	if c.tracker == nil {
		return
	}
	c.code = make([]inst, len(c.isa.code))
	for i := range c.isa.code {
		c.code[i] = c.isa.code[i]
		if c.code[i].src == nil { // a place that no statement has
			continue
		}
		c.code[i].audited(c.tracker, &c.isa.code[i], c.isa.addr(int32(i)))
	}
}

// A text is a statement as it is written.
type text string

func (s text) String() string { return string(s) }

// audited wraps what executes a statement. It looks at the guard itself: lanes that do not execute because of
// an inexact guard have something inexact too.
func (in *inst) audited(t *fidelity.Tracker, own *inst, pc uint64) {
	a := &auditor{t: t, in: own, pc: pc}
	for _, x := range approximations {
		if a.far == "" && x.text.MatchString(own.src.Text) {
			a.far = x.far
		}
	}
	if f := own.callee; f != nil && !f.src.Defined && strings.HasPrefix(f.src.Name, "__nv_") &&
		!libraryExact.MatchString(f.src.Name) {
		a.far = libraryFar
	}
	if a.far != "" {
		a.site = t.Site(pc, own.src.Text, a.far, false)
	}
	in.guard = -1
	if own.jump != nil {
		in.jump = a.jump
	} else {
		in.run = a.run
	}
}

// An auditor follows one statement.
type auditor struct {
	t    *fidelity.Tracker
	in   *inst
	pc   uint64
	far  string
	site fidelity.Site
}

// guarded are the lanes of a mask that execute, and the origins of what decides it.
func (a *auditor) guarded(c *Core, o *actOrigins, mask uint32) (uint32, *fidelity.Lanes) {
	if a.in.guard < 0 {
		return mask, nil
	}
	g := c.act.p[a.in.guard]
	if a.in.not {
		g = ^g
	}
	return mask & g, o.p[a.in.guard]
}

func (c *Core) origins() *origins {
	return c.tracker.Registers(c.w, func() any {
		return &origins{t: c.tracker, acts: map[int]*actOrigins{}}
	}).(*origins)
}

// run executes a statement that goes on at the next.
func (a *auditor) run(c *Core, _ *inst, mask uint32) {
	t := a.t
	t.Begin()
	o := c.origins().of(c, c.act)
	executing, guard := a.guarded(c, o, mask)
	if guard != nil {
		t.Reached(fidelity.Chosen, a.pc, text(a.in.src.Text), guard, uint64(mask))
	}
	var from fidelity.Lanes
	o.sources(t, a.in, &from)
	if executing != 0 {
		a.in.run(c, a.in, executing)
		if c.stop.Kind == simt.FaultEvent {
			return
		}
		if a.far != "" {
			t.JoinAll(&from, t.Ran(a.site, bits.OnesCount32(executing)), uint64(executing))
		}
	}
	switch {
	case a.in.picture != nil:
		a.pictured(o, &from, executing)
	case a.in.matrix != nil:
		a.together(o, &from, executing)
	case len(t.Accesses()) > 0:
		a.memory(c, o, &from)
	default:
		a.results(o, &from, executing)
	}
	if guard != nil {
		for _, d := range a.destinations() {
			if p := o.r[d]; p != nil && d >= 0 {
				t.Join(p, guard)
			}
		}
		for _, d := range []int32{a.in.pdst, a.in.pdst2} {
			if d >= 0 {
				both := fidelity.Lanes{}
				if p := o.p[d]; p != nil {
					both = *p
				}
				t.Join(&both, guard)
				set(o.p, d, &both, mask)
			}
		}
	}
}

// destinations are the registers that a statement writes.
func (a *auditor) destinations() []int32 {
	all := []int32{a.in.dst, a.in.dst2}
	n := int(a.in.elements)
	if args := a.in.src.Args; len(args) > 0 && args[0].Kind == List && !strings.HasPrefix(a.in.src.Op, "st") {
		n = max(n, len(args[0].List))
	} else if strings.HasPrefix(a.in.src.Op, "st") || strings.HasPrefix(a.in.src.Op, "red") ||
		a.in.picture != nil && a.in.picture.changes {
		n = 0
	}
	if a.in.matrix != nil {
		all = append(all, a.in.matrix.writes...)
	}
	if a.in.picture != nil {
		all = append(all, a.in.picture.writes...)
	}
	return append(all, a.in.regs[:min(n, len(a.in.regs))]...)
}

// results sets the origins of what a statement gives in some lanes.
func (a *auditor) results(o *actOrigins, from *fidelity.Lanes, mask uint32) {
	for _, d := range a.destinations() {
		set(o.r, d, from, mask)
	}
	set(o.p, a.in.pdst, from, mask)
	set(o.p, a.in.pdst2, from, mask)
	if strings.Contains(a.in.src.Op, ".cc") {
		for m := mask; m != 0; m &= m - 1 {
			o.carry[first(m)] = from[first(m)]
		}
	}
}

// sources adds the origins of all that a statement reads in registers.
func (o *actOrigins) sources(t *fidelity.Tracker, in *inst, from *fidelity.Lanes) {
	for i := range in.s {
		o.source(t, &in.s[i], from)
	}
	for i := range in.elems {
		o.source(t, &in.elems[i], from)
	}
	for _, name := range []string{"addc", "subc", "madc"} {
		if strings.HasPrefix(in.src.Op, name) {
			t.Join(from, &o.carry)
		}
	}
}

func (o *actOrigins) source(t *fidelity.Tracker, s *source, from *fidelity.Lanes) {
	var p *fidelity.Lanes
	switch s.kind {
	case fromReg:
		p = o.r[s.n]
	case fromPred:
		p = o.p[s.n]
	}
	if p != nil {
		t.Join(from, p)
	}
}

// memory follows a statement that has accessed memory.
func (a *auditor) memory(c *Core, o *actOrigins, from *fidelity.Lanes) {
	t, in := a.t, a.in
	var at fidelity.Lanes
	o.source(t, &in.s[0], &at)
	accesses := t.Accesses()
	for i := range accesses {
		x := &accesses[i]
		t.Reached(fidelity.Address, a.pc, text(in.src.Text), &at, x.Lanes)
		if x.Atomic && x.Read && x.Write || in.elements == 0 {
			a.atomic(o, x, from, &at)
			continue
		}
		for e := range int(in.elements) {
			var item fidelity.Lanes
			if x.Write {
				o.source(t, &in.elems[e], &item)
			}
			for m := uint32(x.Lanes); m != 0; m &= m - 1 {
				l := first(m)
				if x.Write {
					t.Store(x, l, e*int(in.size), int(in.size), t.Union(item[l], at[l]))
				} else {
					item[l] = t.Union(t.Load(x, l, e*int(in.size), int(in.size)), at[l])
				}
			}
			if !x.Write {
				set(o.r, in.regs[e], &item, uint32(x.Lanes))
			}
		}
	}
}

// atomic is an operation on memory that may mix all that it has.
func (a *auditor) atomic(o *actOrigins, x *fidelity.Access, from, at *fidelity.Lanes) {
	var got fidelity.Lanes
	for m := uint32(x.Lanes); m != 0; m &= m - 1 {
		l := first(m)
		got[l] = a.t.Union(a.t.Load(x, l, 0, x.Size), at[l])
		if x.Write {
			a.t.Store(x, l, 0, x.Size, a.t.Union(got[l], from[l]))
		}
	}
	a.results(o, &got, uint32(x.Lanes))
}

// jump executes a statement that says where its lanes go on.
func (a *auditor) jump(c *Core, _ *inst, mask uint32) {
	t, in := a.t, a.in
	t.Begin()
	all := c.origins()
	o := all.of(c, c.act)
	executing, guard := a.guarded(c, o, mask)
	if guard != nil {
		t.Reached(fidelity.Branch, a.pc, text(in.src.Text), guard, uint64(mask))
	}
	var from fidelity.Lanes
	o.sources(t, in, &from)
	switch {
	case in.call != nil:
		o.source(t, &in.call.target, &from)
		t.Reached(fidelity.Branch, a.pc, text(in.src.Text), &from, uint64(executing))
		if in.callee != nil && !in.callee.src.Defined {
			a.library(c, o, executing)
		}
	case in.flow == simt.FlowIndirect:
		t.Reached(fidelity.Branch, a.pc, text(in.src.Text), &from, uint64(executing))
	case a.destinations()[0] >= 0 || in.dst2 >= 0 || in.pdst >= 0:
		a.exchange(c, all, &from)
	}
	in.jump(c, in, executing)
}

// exchange is a warp operation: what each of those that take part gives may come from all of them.
func (a *auditor) exchange(c *Core, all *origins, from *fidelity.Lanes) {
	t := a.t
	var any fidelity.Origins
	join := func(lanes *fidelity.Lanes) {
		for _, o := range lanes {
			any = t.Union(any, o)
		}
	}
	join(from)
	parties := []*auditor{a}
	paths := []*path{c.st.cur}
	for _, p := range c.st.paths {
		if p != c.st.cur && (p.wait == waitSync || p.wait == waitBarrier) {
			var theirs fidelity.Lanes
			in := &c.isa.code[p.pc]
			all.of(c, p.act).sources(t, in, &theirs)
			join(&theirs)
			parties, paths = append(parties, &auditor{t: t, in: in}), append(paths, p)
		}
	}
	var result fidelity.Lanes
	t.JoinAll(&result, any, fullMask)
	for i, p := range paths {
		parties[i].results(all.of(c, p.act), &result, p.mask)
	}
}

// private is an access to private memory from an address on.
func (c *Core) private(at uint64) *fidelity.Access {
	x := &fidelity.Access{Access: simt.Access{Wave: c.w, Space: simt.Scratch}}
	for l := range x.Lane {
		x.Lane[l] = at
	}
	return x
}

// library is a call of a function that the machine has: its result comes from all its arguments.
func (a *auditor) library(c *Core, o *actOrigins, mask uint32) {
	t, info, proto := a.t, a.in.call, a.in.callee.src
	var from fidelity.Lanes
	for i := range info.args {
		if s := &info.args[i]; s.kind == fromFrame && i < len(proto.Params) {
			x := c.private(c.act.base + s.off)
			for m := mask; m != 0; m &= m - 1 {
				from[first(m)] = t.Union(from[first(m)], t.Load(x, first(m), 0, int(proto.Params[i].Size)))
			}
		} else {
			o.source(t, s, &from)
		}
	}
	if a.far != "" && mask != 0 {
		t.JoinAll(&from, t.Ran(a.site, bits.OnesCount32(mask)), uint64(mask))
	}
	for i := range info.results {
		if s := &info.results[i]; s.kind == fromFrame && i < len(proto.Results) {
			x := c.private(c.act.base + s.off)
			for m := mask; m != 0; m &= m - 1 {
				t.Store(x, first(m), 0, int(proto.Results[i].Size), from[first(m)])
			}
		}
	}
}

// copied follows what a call copies in private memory.
func (c *Core) copied(to, from, size uint64, mask uint32) {
	if c.tracker == nil {
		return
	}
	source, target := c.private(from), c.private(to)
	for m := mask; m != 0; m &= m - 1 {
		for i := range int(size) {
			c.tracker.Store(target, first(m), i, 1, c.tracker.Load(source, first(m), i, 1))
		}
	}
}

// passed follows what a call passes out of a register.
func (c *Core) passed(s *source, caller *activation, to, size uint64, mask uint32) {
	if c.tracker == nil {
		return
	}
	var from fidelity.Lanes
	c.origins().of(c, caller).source(c.tracker, s, &from)
	target := c.private(to)
	for m := mask; m != 0; m &= m - 1 {
		c.tracker.Store(target, first(m), 0, int(size), from[first(m)])
	}
}

var _ fidelity.Machine = (*ISA)(nil)
