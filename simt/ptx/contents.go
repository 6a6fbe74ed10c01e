package ptx

import (
	"fmt"
	"strconv"

	"simtgdb/simt"
	"simtgdb/simt/contents"
)

// Registers and predicates without contents, for package contents: all of an activation's at first but those
// that the frame's address is in. A core that follows them runs a copy of the code whose statements are
// wrapped. What comes to a warp operation from other lanes counts as written.

// known are the registers and predicates of an activation that nothing has been written to: vectors first.
func (c *Core) known(a *activation) *contents.Rows {
	if a.known == nil {
		blank := uint64(0)
		if a.fresh || a.back == nil && c.w.Insts == 0 {
			blank = fullMask
		}
		a.known = contents.NewRows(a.fn.vectors+a.fn.preds, blank)
		for _, r := range a.fn.stack {
			a.known.Set(contents.Operand(r.n), fullMask, 0, 0)
		}
	}
	return a.known
}

// values are the operands of a statement under way. It implements contents.Registers.
type values struct {
	c   *Core
	act *activation
	all *contents.Rows
}

// place is where an operand is in all, and whether it is a predicate that counts the other way round: those
// are numbered behind all others.
func (v *values) place(o contents.Operand) (at contents.Operand, not bool) {
	if n := contents.Operand(v.act.fn.vectors + v.act.fn.preds); o >= n {
		return o - contents.Operand(v.act.fn.preds), true
	}
	return o, false
}

// Blank implements contents.Registers.
func (v *values) Blank(o contents.Operand, lanes uint64) (blank, from uint64) {
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

// wholes are the statements whose result has no contents where a source has none: copies, and arithmetic on
// whole registers. Of others, such as those that take some bits, nothing is said.
var wholes = map[string]bool{"mov": true, "cvta": true, "cvt": true, "add": true, "sub": true, "mul": true,
	"mad": true, "mad24": true, "mul24": true, "fma": true, "div": true, "neg": true, "shl": true, "not": true,
	"setp": true, "set": true}

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
	moves := func(to int32, from []contents.Operand) {
		if to >= 0 {
			out.Moves = append(out.Moves, contents.Move{To: contents.Operand(to), From: from})
		}
	}
	truth := func(to int32, from []contents.Operand) {
		if to >= 0 {
			moves(int32(fn.vectors)+to, from)
		}
	}
	switch name {
	case "ld", "ldu":
		out.Address = fn.operands(in.s[0])
		for _, n := range in.regs[:in.elements] {
			out.Loads = append(out.Loads, contents.Operand(n)) // Constant for none
		}
		out.Part = int(in.size)
		return out
	case "st":
		out.Address, out.Data = fn.operands(in.s[0]), fn.each(in.elems[:in.elements])
		out.Part = int(in.size)
		return out
	case "atom", "red":
		out.Address = fn.operands(in.s[0])
		for _, n := range in.regs[:in.elements] {
			if in.elements > 1 {
				moves(n, nil)
			}
		}
	case "brx":
		out.Decides = append(out.Decides, fn.operands(in.s[0])...)
		return out
	case "call":
		if in.callee == nil && in.call != nil {
			out.Address = fn.operands(in.call.target)
		}
		return out
	}
	var from []contents.Operand
	switch {
	case in.jump != nil: // of other lanes too
	case name == "mov" && len(in.src.Args) == 2 && in.src.Args[0].Kind == Vector:
		for i := range in.src.Args[0].List {
			moves(in.regs[i], fn.operands(in.s[0]))
		}
	case wholes[name]:
		from = fn.operands(in.s[:]...)
	}
	moves(in.dst, from)
	moves(in.dst2, nil)
	truth(in.pdst, from)
	truth(in.pdst2, from)
	in.choices(&out, name)
	return out
}

// choices completes a statement whose result one of its sources may decide.
func (in *inst) choices(out *contents.Inst, name string) {
	logic, second := truths[name], in.s[1].kind
	switch {
	case len(out.Moves) != 1 || in.jump != nil:
	case name == "selp" && in.s[2].kind == fromPred:
		out.Moves[0].From, out.Moves[0].Chosen = in.fn.each(in.s[:3]), true
	case name == "setp" && in.s[2].kind != fromNone:
		out.Moves[0].From = nil
	case in.pdst >= 0 && logic != nil && in.s[0].kind == fromPred && (second == fromPred || second == fromNone):
		out.Moves[0].From, out.Moves[0].Logic = in.fn.operands(in.s[:2]...), logic
	}
}

// follow gives a core code that follows what registers have.
func (c *Core) follow() {
	c.code = make([]inst, len(c.isa.code))
	for i := range c.isa.code {
		c.code[i] = c.isa.code[i]
		if in := &c.code[i]; in.src != nil && (in.run != nil || in.jump != nil) {
			in.followed(c.isa.addr(int32(i)))
		}
	}
}

// followed wraps what executes a statement.
func (in *inst) followed(pc uint64) {
	does, run, jump := in.contents(), in.run, in.jump
	begin := func(c *Core, mask uint32) {
		v := &c.values
		*v = values{c: c, act: c.act, all: c.known(c.act)}
		c.follower.Begin(c.m, c.w, v, &does, pc, uint64(mask), uint64(c.st.cur.mask))
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
