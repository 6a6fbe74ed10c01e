package ptx

import (
	"math/bits"
	"regexp"
	"strings"

	"simtgdb/simt"
	"simtgdb/simt/contents"
	"simtgdb/simt/fidelity"
	"simtgdb/simt/pattern"
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
	text func() *regexp.Regexp
	far  string
}{
	{pattern.Compile(`^(sin|cos|lg2|ex2|tanh|rsqrt)\.`),
		"computed in double precision and rounded; hardware is within the error that the PTX ISA gives"},
	{pattern.Compile(`^(div|rcp|sqrt)\.(approx|full)`),
		"the nearest value; hardware is within the error that the PTX ISA gives"},
	{pattern.Compile(`^(mma|wmma\.mma|wgmma\.mma_async)\..*\.(f16|bf16|tf32|e4m3|e5m2|f32)\b`),
		"products are added in double precision and rounded once; no document says how hardware adds them"},
	{pattern.Compile(`%(clock|globaltimer)`), "counts the statements of the warp, not time"},
}

// libraryExact are the functions of the device library whose results are defined to the bit.
var libraryExact = pattern.Compile(`^__nv_(f?abs|ll?abs|floor|ceil|trunc|rint|round|ll?r|nearbyint|` +
	`u?ll?(min|max)|` +
	`u?(min|max)|f(min|max)|mul|umul|clz|brev|popc|ffs|fma|[fd](add|sub|mul|div|sqrt|rcp|ma)_r|` +
	`[du]?sqrt|f(sqrt|rcp)_r|byte_perm|u?sad|u?r?hadd|is|copysign|fmod|ldexp|scalbn|modf|frexp|nan|signbit|` +
	`finite|i?logb|nextafter|remainder|remquo|saturate|fdim|double_as|float_as|int_as|uint_as|longlong_as|` +
	`hiloint|(double|float|u?int|u?ll|half)2)`)

const libraryFar = "the nearest value, nearly always; NVIDIA's library is within the units that its " +
	"documents give"

// origins are where what a wave's registers hold comes from, by activation: numbers, predicates, the carry.
type origins struct {
	t    *fidelity.Tracker
	acts map[int]*fidelity.Rows
}

// of are those of an activation. Those that are over are forgotten from time to time.
func (o *origins) of(c *Core, act *activation) *traced {
	a := o.acts[act.id]
	if a == nil {
		if len(o.acts) > 2*len(c.st.acts)+8 {
			for id := range o.acts {
				if c.st.activationOf(id) == nil {
					delete(o.acts, id)
				}
			}
		}
		a = fidelity.NewRows(o.t, act.fn.vectors+act.fn.preds+1)
		o.acts[act.id] = a
	}
	return &traced{values{c: c, act: act}, a}
}

func (c *Core) origins() *origins {
	return c.tracker.Registers(c.w, func() any {
		return &origins{t: c.tracker, acts: map[int]*fidelity.Rows{}}
	}).(*origins)
}

// traced are the operands of the statement under way. Behind those of values is the carry, where sources are
// that are no registers. It implements fidelity.Values and fidelity.Reacher.
type traced struct {
	values
	rows *fidelity.Rows
}

// carry is the carry as an operand.
func (fn *function) carry() contents.Operand { return fn.fixed() }

// From implements fidelity.Values.
func (v *traced) From(o contents.Operand, lanes uint64, to *fidelity.Lanes) {
	at, _ := v.place(o)
	v.rows.From(at, lanes, to)
}

// Came implements fidelity.Values.
func (v *traced) Came(o contents.Operand, lanes uint64, from *fidelity.Lanes) {
	at, _ := v.place(o)
	v.rows.Came(at, lanes, from)
}

// Reach implements fidelity.Reacher, for stores and atomic operations. Others under a guard are of all lanes.
func (v *traced) Reach(lanes uint64, do func(x *fidelity.Access)) {
	c, in := v.c, v.in
	if !writers[builderName(in.src.Op)] || in.elements == 0 {
		return
	}
	size, window := int(in.size)*int(in.elements), uint64(0)
	switch in.space {
	case Shared:
		window = SharedWindow
	case Local:
		window = LocalWindow
	}
	c.access.addr = [simt.MaxLanes]uint64{}
	for l, at := range c.value(in, 0) {
		c.access.addr[l] = window + at + in.offset
	}
	c.eachMemory(uint32(lanes), func(space Space, lanes uint32) {
		x := &fidelity.Access{Lane: c.access.addr}
		x.Wave, x.Of, x.Space, x.Size = c.w, c.peer, simtSpaces[space], size
		for m := lanes; m != 0; m &= m - 1 {
			if l := first(m); c.mayWrite(space, x.Lane[l], uint64(size)) {
				x.Lanes |= 1 << l
			}
		}
		do(x)
	})
}

// writers are the statements that write to memory in lanes that execute them, each where its own address is.
var writers = map[string]bool{"st": true, "atom": true, "red": true}

// mayWrite reports whether bytes are in memory that may be written to.
func (c *Core) mayWrite(space Space, at, size uint64) bool {
	limit := c.w.ScratchLimit / warpSize
	switch space {
	case Global:
		return c.regionFor(at, size, simt.PermWrite) != nil
	case Shared:
		limit = uint64(len(c.lds))
	}
	return size <= limit && at <= limit-size
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

// audited wraps what executes a statement. It looks at the guard itself: lanes that do not execute because of
// an inexact guard have something inexact too.
func (in *inst) audited(t *fidelity.Tracker, own *inst, pc uint64) {
	a := &auditor{t: t, in: own, flow: own.origins(pc)}
	if f := own.callee; f != nil && !f.src.Defined && strings.HasPrefix(f.src.Name, "__nv_") &&
		!libraryExact().MatchString(f.src.Name) {
		a.library, a.inexact = t.Site(pc, own.src.Text, libraryFar, false), true
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
	t       *fidelity.Tracker
	in      *inst
	flow    *fidelity.Flow
	library fidelity.Site // of a function that it calls, which is inexact
	inexact bool
}

// origins is what a statement does with values, with all that each result comes from.
func (in *inst) origins(pc uint64) *fidelity.Flow {
	f := &fidelity.Flow{PC: pc, Text: fidelity.Text(in.src.Text), Guards: contents.Constant}
	for _, x := range approximations {
		if f.Far == "" && x.text().MatchString(in.src.Text) {
			f.Far = x.far
		}
	}
	fn, name := in.fn, builderName(in.src.Op)
	if in.guard >= 0 {
		f.Guards, f.Shares = contents.Operand(fn.vectors+int(in.guard)), true
	}
	if in.jump != nil {
		in.decided(f)
		return f
	}
	if whole := in.accesses(&f.Inst, name); whole && in.picture == nil {
		return f
	}
	from := in.read(name)
	f.Part, f.Moves, f.Mixes = 0, nil, in.matrix != nil
	if f.Address != nil { // otherwise numbers alone
		f.Data, f.Loads = from, nil
	}
	if name == "atom" { // gives what has been in memory
		from = nil
	}
	chosen := name == "selp" && in.s[2].kind == fromPred
	if chosen {
		from = fn.each(in.s[:3])
	}
	for _, to := range in.written() {
		f.Moves = append(f.Moves, contents.Move{To: to, From: from, Chosen: chosen})
	}
	return f
}

// decided says what decides where the lanes of a jump go on.
func (in *inst) decided(f *fidelity.Flow) {
	if f.Guards != contents.Constant {
		f.Decides = []contents.Operand{f.Guards}
		f.Guards, f.Shares = contents.Constant, false
	}
	if in.call != nil || in.flow == simt.FlowIndirect {
		f.Decides = append(f.Decides, in.read("")...)
	}
	if in.call != nil {
		f.Decides = append(f.Decides, in.fn.operands(in.call.target)...)
	}
}

// carried are the statements that read the carry.
var carried = map[string]bool{"addc": true, "subc": true, "madc": true}

// read are all that a statement reads in registers.
func (in *inst) read(name string) []contents.Operand {
	all := append(in.fn.operands(in.s[:]...), in.fn.operands(in.elems[:]...)...)
	if carried[name] {
		all = append(all, in.fn.carry())
	}
	if in.matrix != nil {
		all = append(all, in.fn.operands(in.matrix.reads...)...)
	}
	if in.picture != nil {
		all = append(all, in.fn.operands(in.picture.reads...)...)
	}
	return all
}

// written are all that a statement writes.
func (in *inst) written() (all []contents.Operand) {
	numbers := []int32{in.dst, in.dst2}
	switch name := builderName(in.src.Op); {
	case name == "mov" && in.src.Args[0].Kind == Vector:
		numbers = append(numbers, in.regs[:len(in.src.Args[0].List)]...)
	case name == "atom" && in.elements > 1, in.picture != nil && !in.picture.changes:
		numbers = append(numbers, in.regs[:in.elements]...)
	}
	if in.matrix != nil {
		numbers = append(numbers, in.matrix.writes...)
	}
	if in.picture != nil {
		numbers = append(numbers, in.picture.writes...)
	}
	for _, n := range numbers {
		if n >= 0 {
			all = append(all, contents.Operand(n))
		}
	}
	for _, n := range []int32{in.pdst, in.pdst2} {
		if n >= 0 {
			all = append(all, contents.Operand(in.fn.vectors+int(n)))
		}
	}
	if strings.Contains(in.src.Op, ".cc") {
		all = append(all, in.fn.carry())
	}
	return all
}

// begin looks at what a statement is going to do, and gives those lanes of a mask that execute it.
func (a *auditor) begin(c *Core, mask uint32) (executing uint32) {
	executing = a.in.guarded(c.act, mask)
	c.sources = *c.origins().of(c, c.act)
	c.sources.in = a.in
	c.fidelity.Begin(a.t, &c.sources, a.flow, uint64(executing), uint64(mask))
	return executing
}

// run executes a statement that goes on at the next.
func (a *auditor) run(c *Core, _ *inst, mask uint32) {
	if executing := a.begin(c, mask); executing != 0 {
		a.in.run(c, a.in, executing)
	}
	if c.stop.Kind != simt.FaultEvent {
		c.fidelity.End()
	}
}

// jump executes a statement that says where its lanes go on.
func (a *auditor) jump(c *Core, _ *inst, mask uint32) {
	executing := a.begin(c, mask)
	switch {
	case a.in.call == nil:
		a.exchange(c, mask)
	case a.in.callee != nil && !a.in.callee.src.Defined:
		a.called(c, &c.sources, executing)
	}
	a.in.jump(c, a.in, executing)
	if a.in.call != nil || a.in.flow == simt.FlowReturn { // what they copy is followed where that is done
		a.t.Begin()
	}
	if c.stop.Kind != simt.FaultEvent {
		c.fidelity.End()
	}
}

// exchange is a warp operation: what each of those that take part gives may come from all of them, and what
// lanes keep that do not, from the guard.
func (a *auditor) exchange(c *Core, mask uint32) {
	if a.t.AllExact() || len(a.in.written()) == 0 {
		return
	}
	all := c.origins()
	type party struct {
		in *inst
		v  *traced
		p  *path
	}
	parties := []party{{a.in, all.of(c, c.act), c.st.cur}}
	for _, p := range c.st.paths {
		if p != c.st.cur && (p.wait == waitSync || p.wait == waitBarrier) {
			parties = append(parties, party{&c.isa.code[p.pc], all.of(c, p.act), p})
		}
	}
	var from fidelity.Lanes
	for _, x := range parties {
		for _, o := range append(x.in.read(builderName(x.in.src.Op)), a.flow.Decides...) {
			x.v.From(o, uint64(x.p.mask), &from)
		}
	}
	var any fidelity.Origins
	for _, o := range from {
		any = a.t.Union(any, o)
	}
	var result fidelity.Lanes
	a.t.JoinAll(&result, any, fullMask)
	for _, x := range parties {
		for _, to := range x.in.written() {
			x.v.Came(to, uint64(x.p.mask), &result)
		}
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

// called is a call of a function that the machine has: its result comes from all its arguments.
func (a *auditor) called(c *Core, o *traced, mask uint32) {
	t, info, proto := a.t, a.in.call, a.in.callee.src
	var from fidelity.Lanes
	for i := range info.args {
		if s := &info.args[i]; s.kind == fromFrame && i < len(proto.Params) {
			x := c.private(c.act.base + s.off)
			for m := mask; m != 0; m &= m - 1 {
				from[first(m)] = t.Union(from[first(m)], t.Load(x, first(m), 0, int(proto.Params[i].Size)))
			}
		} else {
			o.add(s, mask, &from)
		}
	}
	if a.inexact && mask != 0 {
		t.JoinAll(&from, t.Ran(a.library, bits.OnesCount32(mask)), uint64(mask))
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

// add adds where a source comes from, if it is a register.
func (v *traced) add(s *source, mask uint32, to *fidelity.Lanes) {
	for _, o := range v.act.fn.operands(*s) {
		v.From(o, uint64(mask), to)
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
	c.origins().of(c, caller).add(s, mask, &from)
	target := c.private(to)
	for m := mask; m != 0; m &= m - 1 {
		c.tracker.Store(target, first(m), 0, int(size), from[first(m)])
	}
}

var _ fidelity.Machine = (*ISA)(nil)
