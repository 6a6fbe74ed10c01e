package ptx

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"simtgdb/simt"
	"simtgdb/simt/contents"
	"simtgdb/simt/ptx/numeric"
)

// Registers and predicates without contents, for package contents: all of an activation's at first but those
// that the frame's address is in. A core that follows them runs a copy of the code whose statements are
// wrapped. What comes to a warp operation from other lanes counts as written.

// known are the registers and predicates of an activation that nothing has been written to: vectors first.
func (c *Core) known(a *activation) *contents.Rows {
	if since := c.m.Followed(); a.known == nil || a.since != since {
		blank := uint64(0)
		if a.fresh && a.known == nil && a.since == since || a.back == nil && c.w.Insts == 0 {
			blank = fullMask
		}
		a.known, a.since = contents.NewRows(a.fn.vectors+a.fn.preds, blank), since
		for _, r := range a.fn.stack {
			a.known.Set(contents.Operand(r.n), fullMask, 0, 0)
		}
	}
	return a.known
}

// values are the operands of a statement under way. It implements contents.Exact.
type values struct {
	c    *Core
	act  *activation
	all  *contents.Rows
	in   *inst
	run  exec // what executes it
	mask uint32
}

// place is where an operand is in all, and whether it is a predicate that counts the other way round: those
// are numbered behind all others, and behind them sources that are no registers.
func (v *values) place(o contents.Operand) (at contents.Operand, not bool) {
	if n := contents.Operand(v.act.fn.vectors + v.act.fn.preds); o >= n {
		return o - contents.Operand(v.act.fn.preds), true
	}
	return o, false
}

// fixed is the number of the first source of a statement as an operand, where it is no register.
func (fn *function) fixed() contents.Operand { return contents.Operand(fn.vectors + 2*fn.preds) }

// Blank implements contents.Registers.
func (v *values) Blank(o contents.Operand, lanes uint64) (blank, from uint64) {
	if o >= v.act.fn.fixed() {
		return 0, 0
	}
	at, _ := v.place(o)
	return v.all.Blank(at, lanes)
}

// Set implements contents.Registers.
func (v *values) Set(o contents.Operand, lanes, blank, from uint64) {
	at, _ := v.place(o)
	v.all.Set(at, lanes, blank, from)
}

// Truth implements contents.Registers.
func (v *values) Truth(o contents.Operand) uint64 {
	at, not := v.place(o)
	p := v.act.p[int(at)-v.act.fn.vectors]
	if not {
		p = ^p
	}
	return uint64(p)
}

// Lacks implements contents.Exact.
func (v *values) Lacks(o contents.Operand, lanes uint64) uint64 {
	if o >= v.act.fn.fixed() {
		return 0
	}
	at, _ := v.place(o)
	return v.all.Lacks(at, lanes)
}

// Bits implements contents.Exact.
func (v *values) Bits(o contents.Operand, lane int) (lacking uint64, mere bool, from uint64) {
	at, _ := v.place(o)
	return v.all.Bits(at, lane)
}

// SetBits implements contents.Exact.
func (v *values) SetBits(o contents.Operand, lane int, lacking uint64, mere bool, from uint64) {
	at, _ := v.place(o)
	v.all.SetBits(at, lane, lacking, v.Width(o), mere, from)
}

// Width implements contents.Exact.
func (v *values) Width(o contents.Operand) uint64 {
	if at, _ := v.place(o); int(at) < v.act.fn.vectors {
		return numeric.Mask(min(int(v.act.fn.bits[at]), 64))
	}
	return 1
}

// Value implements contents.Exact.
func (v *values) Value(o contents.Operand, lane int) uint64 {
	if first := v.act.fn.fixed(); o >= first {
		return v.c.value(v.in, int(o-first))[lane]
	}
	if at, _ := v.place(o); int(at) < v.act.fn.vectors {
		return v.act.r[at][lane]
	} else {
		return uint64(v.act.p[int(at)-v.act.fn.vectors] >> lane & 1)
	}
}

// Put implements contents.Exact.
func (v *values) Put(o contents.Operand, lane int, x uint64) {
	at, _ := v.place(o)
	if int(at) < v.act.fn.vectors {
		v.act.r[at][lane] = x
		return
	}
	p := &v.act.p[int(at)-v.act.fn.vectors]
	*p = *p&^(1<<lane) | uint32(x&1)<<lane
}

// Try implements contents.Exact.
func (v *values) Try() { v.run(v.c, v.in, v.mask) }

// Name implements contents.Registers.
func (v *values) Name(o contents.Operand) string {
	at, _ := v.place(o)
	fn := v.act.fn
	for _, r := range fn.src.Regs {
		for i := range max(r.Count, 1) {
			p := fn.place[r.Base+i]
			n := int(p.n)
			if p.pred {
				n += fn.vectors
			}
			switch {
			case n != int(at):
			case r.Count == 0:
				return r.Name
			default:
				return r.Name + strconv.Itoa(i)
			}
		}
	}
	return fmt.Sprintf("register %d", at)
}

// ways says of statements how bits without contents go to their results. Of others, as of those that give
// what other lanes have, nothing is said.
var ways = map[string]contents.Way{
	"add": contents.Whole, "sub": contents.Whole, "mul": contents.Whole, "mad": contents.Whole,
	"mad24": contents.Whole, "mul24": contents.Whole, "fma": contents.Whole, "div": contents.Whole,
	"neg": contents.Whole, "not": contents.Whole, "cvta": contents.Whole, "setp": contents.Whole,
	"set": contents.Whole,

	"and": contents.Placed, "or": contents.Placed, "shl": contents.Shifted, "shr": contents.Shifted,
	"bfe": contents.Placed, "bfi": contents.Placed, "prmt": contents.Placed, "shf": contents.Placed,

	"xor": contents.Computed, "cnot": contents.Computed, "lop3": contents.Computed, "rem": contents.Computed,
	"abs": contents.Computed, "min": contents.Computed, "max": contents.Computed, "sad": contents.Computed,
	"popc": contents.Computed, "clz": contents.Computed, "bfind": contents.Computed,
	"brev": contents.Computed, "fns": contents.Computed, "szext": contents.Computed,
	"bmsk": contents.Computed, "slct": contents.Computed, "copysign": contents.Computed,
	"testp": contents.Computed, "dp4a": contents.Computed, "dp2a": contents.Computed,
	"rcp": contents.Computed, "sqrt": contents.Computed, "rsqrt": contents.Computed, "sin": contents.Computed,
	"cos": contents.Computed, "lg2": contents.Computed, "ex2": contents.Computed, "tanh": contents.Computed,
}

// way is that of a statement: what carries is beside the registers, and makes nothing known of it.
func (in *inst) way(name string) contents.Way {
	switch {
	case in.jump != nil || hasPart(in.src.Op, "cc"):
		return contents.Opaque
	case name == "mov":
		return contents.Moved
	case name == "setp" && in.s[2].kind != fromNone: // joined with a predicate that may decide it
		return contents.Computed
	case name == "cvt" && strings.Contains(in.src.Op, "f"):
		return contents.Whole
	case name == "cvt":
		return contents.Placed
	case name == "mul" && !strings.Contains(in.src.Op, "f") && in.s[1].kind == fromImm &&
		bits.OnesCount64(in.s[1].imm[0]) == 1: // mul.wide is how clang shifts numbers of 16 bits
		return contents.Shifted
	}
	return ways[name]
}

// truths is the logic of statements with predicates.
var truths = map[string]contents.Logic{"and": contents.And, "or": contents.Or, "xor": contents.Xor,
	"not": contents.Copy, "mov": contents.Copy}

// operand is the operand of a source; false for what is no register.
func (fn *function) operand(s *source) (contents.Operand, bool) {
	switch {
	case s.kind == fromReg:
		return contents.Operand(s.n), true
	case s.kind == fromPred && s.not:
		return contents.Operand(fn.vectors + fn.preds + int(s.n)), true
	case s.kind == fromPred:
		return contents.Operand(fn.vectors + int(s.n)), true
	}
	return 0, false
}

// operands are those of some sources.
func (fn *function) operands(sources ...source) (all []contents.Operand) {
	for i := range sources {
		if o, ok := fn.operand(&sources[i]); ok {
			all = append(all, o)
		}
	}
	return all
}

// each is the operand of each of some sources.
func (fn *function) each(sources []source) (all []contents.Operand) {
	for i := range sources {
		o, ok := fn.operand(&sources[i])
		if !ok {
			o = contents.Constant
		}
		all = append(all, o)
	}
	return all
}

// contents is what a statement does with values.
func (in *inst) contents() (out contents.Inst) {
	fn, name := in.fn, builderName(in.src.Op)
	if in.guard >= 0 {
		out.Decides = append(out.Decides, contents.Operand(fn.vectors+int(in.guard)))
	}
	if in.accesses(&out, name) {
		return out
	}
	var from []contents.Operand
	way := in.way(name)
	switch list := in.src.Args; {
	case name == "mov" && len(list) == 2 && list[0].Kind == Vector: // bits of one register
		for i := range list[0].List {
			moves(&out, in.regs[i], fn.operands(in.s[0]))
		}
		way = contents.Placed
	case name == "mov" && len(list) == 2 && list[1].Kind == Vector:
		from, way = fn.operands(in.elems[:len(list[1].List)]...), contents.Paired
	case way.Tries():
		from = in.all()
	case way == contents.Moved:
		from = fn.operands(in.s[:]...)
	}
	moves(&out, in.dst, from)
	moves(&out, in.dst2, nil)
	if in.matrix != nil {
		for _, n := range in.matrix.writes {
			moves(&out, n, nil)
		}
	}
	for _, p := range []int32{in.pdst, in.pdst2} {
		if p >= 0 {
			moves(&out, int32(fn.vectors)+p, from)
		}
	}
	for i := range out.Moves {
		out.Moves[i].Way = way
	}
	in.choices(&out, name)
	return out
}

// moves adds that a register, if it is one, has what others have.
func moves(out *contents.Inst, to int32, from []contents.Operand) {
	if to >= 0 {
		out.Moves = append(out.Moves, contents.Move{To: contents.Operand(to), From: from})
	}
}

// accesses says what an instruction uses as addresses, stores and loads, and reports whether that is all.
func (in *inst) accesses(out *contents.Inst, name string) (all bool) {
	fn := in.fn
	switch name {
	case "ld", "ldu", "suld":
		out.Address = fn.operands(in.s[0])
		for _, n := range in.regs[:in.elements] {
			out.Loads = append(out.Loads, contents.Operand(n)) // Constant for none
		}
		out.Part, out.Signed = int(in.size), in.signed
		return true
	case "st":
		out.Address, out.Data = fn.operands(in.s[0]), fn.each(in.elems[:in.elements])
		out.Part, out.Vector = int(in.size), true
		return true
	case "atom", "red":
		out.Address, out.Part = fn.operands(in.s[0]), int(in.size)
		if in.elements == 1 {
			out.Data = in.given()
		}
		for _, n := range in.regs[:in.elements] {
			if in.elements > 1 {
				moves(out, n, nil)
			}
		}
	case "ldmatrix", "stmatrix", "wmma":
		out.Address = fn.operands(in.s[0]) // none of a product
	case "tex", "tld4", "txq", "suq", "sust", "sured":
		out.Address = in.picture.operands(fn, in)
		for _, n := range in.picture.writes {
			moves(out, n, nil)
		}
		if name == "sust" && in.picture.bytes {
			out.Data, out.Part, out.Vector = fn.each(in.elems[:in.elements]), int(in.size), true
		}
	case "cp", "tensormap":
		out.Address = fn.operands(in.s[0], in.s[1])
		if in.matrix != nil {
			out.Address = append(out.Address, fn.operands(in.matrix.reads...)...)
		}
	case "mbarrier":
		out.Address = fn.operands(in.s[0])
	case "brx":
		out.Decides = append(out.Decides, fn.operands(in.s[0])...)
		return true
	case "call":
		if in.callee == nil && in.call != nil {
			out.Address = fn.operands(in.call.target)
		}
		return true
	}
	return false
}

// all are the operands of all sources.
func (in *inst) all() (all []contents.Operand) {
	for i := range in.s {
		s := &in.s[i]
		o, ok := in.fn.operand(s)
		switch {
		case s.kind == fromNone:
			continue
		case !ok:
			o = in.fn.fixed() + contents.Operand(i)
		case s.kind == fromPred:
			o = contents.Operand(in.fn.vectors + int(s.n))
		}
		all = append(all, o)
	}
	return all
}

// given is what an atomic operation puts into memory: the last of its sources.
func (in *inst) given() []contents.Operand {
	for i := len(in.s) - 1; i > 0; i-- {
		if in.s[i].kind != fromNone {
			return in.fn.each(in.s[i : i+1])
		}
	}
	return nil
}

// choices completes a statement whose result one of its sources may decide.
func (in *inst) choices(out *contents.Inst, name string) {
	if name == "or" && in.dst >= 0 {
		out.Moves[0].Cut = in.cut
	}
	logic, second := truths[name], in.s[1].kind
	switch {
	case len(out.Moves) != 1 || in.jump != nil:
	case name == "selp" && in.s[2].kind == fromPred:
		out.Moves[0].From, out.Moves[0].Chosen, out.Moves[0].Way = in.fn.each(in.s[:3]), true, contents.Moved
	case in.pdst >= 0 && logic != nil && in.s[0].kind == fromPred &&
		(second == fromPred || second == fromNone):
		out.Moves[0].From, out.Moves[0].Logic = in.fn.operands(in.s[:2]...), logic
		out.Moves[0].Way = contents.Opaque
	}
}

// follow gives a core code that follows what registers have.
func (c *Core) follow() {
	c.code = slices.Clone(c.isa.code)
	findCuts(c.code)
	for i := range c.code {
		if in := &c.code[i]; in.src != nil && (in.run != nil || in.jump != nil) {
			does := in.contents()
			if in.space == Shared || in.space == Generic {
				does.FindBack(in.placed(), steps(c.code[i+1:]), false)
			}
			in.followed(c.isa.addr(int32(i)), &does)
		}
	}
}

// findCuts marks the sources that are what a constant mask has left of a number, more than half of it:
// registers that nothing else writes.
func findCuts(code []inst) {
	type register struct {
		fn *function
		n  int32
	}
	cut, other := map[register]bool{}, map[register]bool{}
	for i := range code {
		in := &code[i]
		if in.src == nil {
			continue
		}
		for _, n := range append([]int32{in.dst2}, in.regs[:in.elements]...) {
			other[register{in.fn, n}] = true
		}
		by := &in.s[1]
		cuts := builderName(in.src.Op) == "and" && in.dst >= 0 && by.kind == fromImm &&
			contents.Cuts(by.imm[0], int(in.fn.bits[in.dst]))
		if to := (register{in.fn, in.dst}); cuts {
			cut[to] = true
		} else {
			other[to] = true
		}
	}
	for i := range code {
		in := &code[i]
		for k := range 2 {
			if of := (register{in.fn, in.s[k].n}); in.s[k].kind == fromReg && cut[of] && !other[of] {
				in.cut |= 1 << k
			}
		}
	}
}

// steps are what statements do with registers, up to where lanes may go elsewhere.
func steps(code []inst) iter.Seq[contents.Step] {
	return func(yield func(contents.Step) bool) {
		for i := range code {
			in := &code[i]
			if in.src == nil || in.jump != nil {
				return
			}
			does := in.contents()
			if !does.Steps(in.placed(), builderName(in.src.Op) == "st", in.all(), yield) {
				return
			}
		}
	}
}

// placed is where an access of a statement is, as far as the statement says.
func (in *inst) placed() placeOf {
	base := &in.s[0]
	at := placeOf{in.space, base.kind, base.off, in.offset, base.of}
	if base.kind == fromImm {
		at.base = base.imm[0]
	}
	return at
}

// A placeOf is what says of an access where it is, besides what registers have.
type placeOf struct {
	space        Space
	kind         sourceKind
	base, offset uint64
	of           *simt.Object
}

// followed wraps what executes a statement.
func (in *inst) followed(pc uint64, does *contents.Inst) {
	run, jump := in.run, in.jump
	begin := func(c *Core, mask uint32) {
		v := &c.values
		*v = values{c: c, act: c.act, all: c.known(c.act), in: in, run: run, mask: mask}
		c.follower.Begin(c.m, c.w, v, does, pc, uint64(mask), uint64(c.st.cur.mask))
	}
	end := func(c *Core) {
		if c.stop.Kind == simt.FaultEvent {
			c.follower.Fault()
		} else if c.follower.End() {
			c.watch = true
		}
	}
	if jump != nil {
		in.jump = func(c *Core, in *inst, mask uint32) {
			begin(c, mask)
			jump(c, in, mask)
			end(c)
		}
		return
	}
	in.run = func(c *Core, in *inst, mask uint32) {
		begin(c, mask)
		run(c, in, mask)
		end(c)
	}
}
