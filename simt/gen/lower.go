package gen

import (
	"bytes"
	"slices"

	"simtgdb/simt"
	"simtgdb/simt/rows/regions"
	"simtgdb/simt/rows/regions/x86"
	"simtgdb/simt/vec"
)

// Instructions that have a plan, messages that have one, and branches are lowered to row code (package
// regions) as far as it has them. A unit begins wherever a channel may wait, so that none wakes within
// one.

// accessible reports whether row code has some bytes of the file: general registers, addresses,
// accumulators, flags, the notification register, and the control register as a whole.
func accessible(lo, hi int32) bool {
	return lo >= offA0 || lo >= offAcc && hi <= offFlag+8 || lo >= offN && hi <= offN+arfBytes ||
		lo == offCR && hi == offCR+4
}

// lowered are operations of package vec as row code has them.
var lowered = map[vec.Op]vec.WideOp{vec.Add: vec.WideAdd32, vec.Sub: vec.WideSub32, vec.Mul: vec.WideMul32,
	vec.And: vec.WideAnd, vec.Or: vec.WideOr, vec.Xor: vec.WideXor, vec.ShlRev: vec.WideShl32,
	vec.ShrRev: vec.WideShr32, vec.SarRev: vec.WideSar32, vec.MulHiU: vec.WideMulHiU32,
	vec.MulHiI: vec.WideMulHiI32, vec.AddF32: vec.WideAddF32, vec.SubF32: vec.WideSubF32,
	vec.MulF32: vec.WideMulF32, vec.FmaF32: vec.WideFmaF32, vec.DivF32: vec.WideDivF32,
	vec.SqrtF32: vec.WideSqrtF32, vec.CeilF32: vec.WideCeilF32, vec.FloorF32: vec.WideFloorF32,
	vec.RintF32: vec.WideRintF32, vec.TruncF32: vec.WideTruncF32, vec.F32I: vec.WideF32I, vec.F32U: vec.WideF32U,
	vec.IF32: vec.WideIF32, vec.UF32: vec.WideUF32,
	vec.EqU: vec.WideEqU, vec.LtU: vec.WideLtU, vec.LtI: vec.WideLtI32, vec.EqF32: vec.WideEqF32,
	vec.LtF32: vec.WideLtF32, vec.LeF32: vec.WideLeF32}

// loweredShifts are shifts of 32 and 64 bits by opcode, and asr of what has no sign.
var loweredShifts = map[uint8][2]vec.WideOp{0x08: {vec.WideShr32, vec.WideShr}, 0x09: {vec.WideShl32, vec.WideShl},
	0x0c: {vec.WideSar32, vec.WideSar}}

// lower gives an instruction's row code, for threads of so many channels, or nil.
func (in *Inst) lower(channels int) *regions.Op {
	if in.pred > 1 || in.faults || in.moves == nil && in.plan == nil ||
		(in.pred == 1 || in.setsFlags()) && in.flag >= loweredFlags {
		return nil
	}
	o := &regions.Op{First: uint8(in.first), Lanes: uint8(in.width), Always: in.noMask}
	if in.pred == 1 {
		o.Under = regions.Predicate{On: true, Bit: uint8(in.flagShift()), Not: in.invert}
	}
	ok := false
	if in.moves != nil {
		ok = in.lowerMove(o)
	} else {
		ok = in.lowerPlan(o)
	}
	if !ok || !x86.Can(o) || o.Verify(int32(in.gen.grfEnd()), channels) != nil {
		return nil
	}
	return o
}

// loweredFlags is how many halves of flag registers row code has.
const loweredFlags = 4

// controls reports whether an operation writes the control register.
func controls(o *regions.Op) bool { return o != nil && o.D.Size != 0 && o.D.At == offCR }

// lowerMove lowers a message.
func (in *Inst) lowerMove(o *regions.Op) bool {
	p := in.moves
	if p.size != p.slot && p.size > 4 || p.slots != in.width || in.eot {
		return false
	}
	if o.Kind = regions.Load; p.write {
		o.Kind = regions.Store
	}
	o.Access = regions.Access{Space: regions.Shared, SharedMask: SLMMask, Addresses: int32(p.address),
		Data: int32(p.data), Size: uint8(p.size), Count: uint8(p.count)}
	if p.wide {
		o.Access.Space = regions.Global
	}
	return true
}

// lowerPlan lowers what goes by rows.
func (in *Inst) lowerPlan(o *regions.Op) bool {
	p := in.plan
	tests := p.test != nil
	if o.Elem = uint8(max(p.elem, 4)); p.elem < 4 && tests {
		return false
	}
	for i := range p.sources {
		if !in.lowerSource(&o.S[i], i) {
			return false
		}
	}
	if tests {
		if o.Cond = p.lowerTest(); o.Cond.Op == vec.WideNone {
			return false
		}
	}
	switch code := in.Op.Code; {
	case code == opCmp, code == opCmpn:
		o.Kind = regions.Test
	case code == opSel:
		if !in.lowerSel(o) {
			return false
		}
	default:
		if !in.lowerOp(o) {
			return false
		}
	}
	if in.setsFlags() {
		o.Flags, o.Bit = true, uint8(in.flagShift())
	}
	if p.store != nil {
		l := &in.dst.layout
		o.D = regions.Region{At: int32(l.base), Step: int32(l.step), Size: uint8(in.dst.typ.Size())}
		if in.width == 1 {
			o.D.Step = int32(o.D.Size)
		}
		if lo, hi := o.D.Extent(0, in.width); !accessible(lo, hi) || lo == offCR && (in.pred != 0 || !in.noMask) {
			return false
		}
	}
	if p.acc {
		o.Also = regions.Region{At: offAcc, Step: int32(p.elem), Size: uint8(p.elem)}
	}
	return true
}

// lowerSource lowers an operand.
func (in *Inst) lowerSource(s *regions.Source, i int) bool {
	o, f, elem := &in.src[i], &in.plan.src[i], in.plan.elem
	s.Keep, s.Flip, s.Neg = f.keep, f.flip, f.neg
	switch {
	case o.place == immediate:
		typ, n := [...]Type{1: UB, 2: UW, 4: UD, 8: UQ}[elem], 1
		for k := 1; k < in.width; k++ {
			if !bytes.Equal(f.row[k*elem:(k+1)*elem], f.row[:elem]) {
				n = in.width
			}
		}
		s.Const = make([]uint64, n)
		for k := range s.Const {
			s.Const[k] = uint64(readInt(f.row[k*elem:], typ))
		}
		s.Keep, s.Flip, s.Neg = ones, 0, false // it has them
		return true
	case o.place == indirect, in.kind == kindDouble && o.typ == F && in.Op.Code != opMov:
		return false
	}
	s.Region = regions.Region{At: int32(o.layout.base), Step: int32(o.layout.step), Table: o.layout.table,
		Size: uint8(o.typ.Size())}
	switch o.typ {
	case D, W, B, Q:
		s.Signed = true
	}
	return accessible(s.Extent(0, in.width))
}

// lowerTest is the plan's comparison.
func (p *plan) lowerTest() regions.Comparison {
	c := regions.Comparison{Op: p.compare.wide, Swap: p.swapped, Not: p.invert}
	if p.compare.op != vec.None {
		c.Op = lowered[p.compare.op]
	}
	return c
}

// lowerSel lowers sel: by the predicate, by a comparison, or of numbers the less or greater.
func (in *Inst) lowerSel(o *regions.Op) bool {
	o.Kind, o.In, o.Under = regions.Pick, o.Under, regions.Predicate{}
	switch {
	case in.cond == 0 && !o.In.On:
		o.Kind = regions.Copy
	case in.cond == 0:
	case in.kind == kindInt:
		return o.Cond.Op != vec.WideNone
	default:
		less, atMost := vec.WideLtF32, vec.WideLeF32
		if in.kind == kindDouble {
			less, atMost = vec.WideLtF64, vec.WideLeF64
		}
		if o.Cond = (regions.Comparison{Op: less, Loose: true}); in.cond == 4 {
			o.Cond = regions.Comparison{Op: atMost, Swap: true, Loose: true}
		}
	}
	return true
}

// lowerOp lowers what computes.
func (in *Inst) lowerOp(o *regions.Op) bool {
	p := in.plan
	if p.copies {
		o.Kind = regions.Copy
		return true
	}
	o.Kind, o.Op = regions.Calc, p.is.wide
	if p.is.op != vec.None {
		o.Op = lowered[p.is.op]
	}
	if shifts, ok := loweredShifts[in.Op.Code]; ok && in.kind == kindInt && in.Op.form == formBasic {
		return in.lowerShift(o, shifts)
	}
	if in.kind == kindDouble && in.Op.form != formMath {
		return in.lowerDouble(o)
	}
	switch {
	case p.is.op == vec.Not:
		o.Op = vec.WideXor
		o.S[1] = regions.Source{Const: []uint64{ones}, Keep: ones}
		return true
	case in.Op.Code == opMad && in.kind == kindInt && p.elem == 4:
		o.Op = vec.WideMad32
		o.S = [3]regions.Source{o.S[1], o.S[2], o.S[0]}
		return true
	case o.Op == vec.WideNone:
		return false
	}
	from := o.S
	for i, k := range p.is.order {
		o.S[i] = from[k]
	}
	return true
}

// lowerDouble lowers arithmetic of double precision.
func (in *Inst) lowerDouble(o *regions.Op) bool {
	switch in.Op.Code {
	case opAdd:
		if o.Op = vec.WideAddF64; in.plan.negates {
			o.Op = vec.WideSubF64
		}
	case opMul:
		o.Op = vec.WideMulF64
	case opMad:
		o.Op = vec.WideFmaF64
		o.S = [3]regions.Source{o.S[1], o.S[2], o.S[0]}
	default:
		return false
	}
	return true
}

// lowerShift lowers a shift, of whose count five or six bits matter.
func (in *Inst) lowerShift(o *regions.Op, ops [2]vec.WideOp) bool {
	s, bits := &o.S[1], uint64(31)
	if o.Op = ops[0]; in.plan.elem == 8 {
		o.Op, bits = ops[1], 63
	}
	if in.Op.Code == opAsr && in.plan.unsigned {
		o.Op = loweredShifts[opShr][in.plan.elem/8]
	}
	switch {
	case s.Const != nil:
		for i := range s.Const {
			s.Const[i] &= bits
		}
	case s.Neg || s.Flip != 0:
		return false
	default:
		s.Keep &= bits
	}
	return true
}

// nothing reports whether the instruction does nothing.
func (in *Inst) nothing() bool {
	return (in.Op.form == formNone || in.Op.form == formSync) && in.Op.flow == simt.FlowNext && !in.faults
}

// lowerFlow lowers a branch that all channels take together, for threads of so many. Where they part, and
// where others wait behind it, the machine executes it.
func (in *Inst) lowerFlow(channels int) (f regions.Flow, ok bool) {
	f = regions.Flow{Kind: regions.Branch, At: uint32(in.PC), All: regions.Leave, None: regions.Leave}
	if in.pred > 1 || in.faults || in.pred == 1 && in.flag >= loweredFlags {
		return f, false
	}
	f.Under = regions.Predicate{On: true, Bit: uint8(in.flagShift()), Not: in.invert}
	if in.Op.Code == opJmpi {
		if in.src[0].place != immediate {
			return f, false
		}
		f.Kind, f.All, f.None = regions.One, in.jipAt(), in.after()
		if in.pred == 0 {
			f.Kind = regions.Jump
		}
		return f, true
	}
	if in.first != 0 || in.width < channels {
		return f, false
	}
	f.Counts = !in.noMask
	back := in.branch
	switch in.Op.Name {
	case "if":
		f.All, f.None = in.after(), in.jipAt()
	case "else": // they wait at UIP, and go on there at once
		if f.All = in.jipAt(); in.jip != in.uip {
			return f, false
		}
		f.WholeAll, f.Kind = true, regions.Jump
		return f, true
	case "endif", "join":
		f.Kind, f.All = regions.Jump, in.after()
		return f, true
	case "while":
		f.All, f.None = in.jipAt(), in.after()
	case "break", "cont", "halt":
		f.None = in.after()
	case "goto":
		switch {
		case back:
			f.All, f.None = in.uipAt(), in.after()
		case in.Op == Gen9.ops[in.Op.Code]: // those that stay are those whose flag is set
			f.All = in.after()
			if in.jip == in.uip {
				f.None, f.WholeNone = in.jipAt(), true
			}
		default:
			f.None = in.after()
			if in.jip == in.uip {
				f.All, f.WholeAll = in.jipAt(), true
			}
		}
	default:
		return f, false
	}
	if in.pred == 0 { // it holds in all
		f.Kind = regions.Jump
	}
	return f, true
}

// layout is that of a thread.
func (a *ISA) layout() regions.Layout { return regions.Layout{Channels: a.WaveSize(), Flags: offFlag} }

// mostLowered bounds the instructions that are lowered at once, mostUnit those of a unit.
const (
	mostLowered = 4096
	mostUnit    = 64
)

// A lowering is the code that can be reached from somewhere.
type lowering struct {
	c      *Core
	insts  map[uint32]*Inst
	starts map[uint32]bool // where units begin
	todo   []uint32
}

// units are the row code of what can be reached from an address, in the order of addresses. inner are
// addresses within units, free the units that threads may enter whatever their floating-point control is.
func (c *Core) units(from uint32) (units []regions.Unit, inner, free map[uint32]bool) {
	l := &lowering{c: c, insts: map[uint32]*Inst{}, starts: map[uint32]bool{}}
	l.goes(from)
	for len(l.todo) > 0 && len(l.insts) < mostLowered {
		at := l.todo[len(l.todo)-1]
		l.todo = l.todo[:len(l.todo)-1]
		l.reach(at)
	}
	return l.cut()
}

// goes notes that control may go to an address, or that channels may wait there.
func (l *lowering) goes(at uint32) {
	if !l.starts[at] {
		l.starts[at] = true
		l.todo = append(l.todo, at)
	}
}

// reach notes the instructions from an address up to one that is known, or a branch.
func (l *lowering) reach(at uint32) {
	for {
		b := l.c.block(uint64(at))
		if b.err != nil {
			return
		}
		for i := range b.insts {
			in := &b.insts[i]
			if at = uint32(in.PC); l.insts[at] != nil {
				return
			}
			l.insts[at] = in
		}
		at = uint32(b.end)
		if b.branch {
			l.follow(&b.insts[len(b.insts)-1])
			return
		}
	}
}

// follow notes where control goes from an instruction that ends a block.
func (l *lowering) follow(in *Inst) {
	if in.eot {
		return
	}
	l.goes(in.after())
	switch in.Op.form {
	case formJump2:
		l.goes(in.uipAt())
		if in.Op.Code == opBreak {
			l.goes(in.behind)
		}
		l.goes(in.jipAt())
	case formJump1:
		l.goes(in.jipAt())
	case formJmpi:
		if in.src[0].place == immediate {
			l.goes(in.jipAt())
		}
	}
}

// free reports whether a unit does the same whatever the floating-point control is, and control goes on
// only if it is what row code is for.
func (l *lowering) free(u *regions.Unit) bool {
	for at := u.At; at != u.End; at += uint32(l.insts[at].Size) {
		if p := l.insts[at].plan; p != nil && p.control != 0 {
			return false
		}
	}
	return u.Guard.Mask != 0
}

// cut makes units.
func (l *lowering) cut() (units []regions.Unit, inner, free map[uint32]bool) {
	inner, free = map[uint32]bool{}, map[uint32]bool{}
	var all []uint32
	for at := range l.insts {
		all = append(all, at)
	}
	slices.Sort(all)
	channels := l.c.isa.WaveSize()
	var u regions.Unit
	end := func() {
		if u.Insts > 0 {
			units = append(units, u)
			free[u.At] = l.free(&u)
		}
		u = regions.Unit{}
	}
	for _, at := range all {
		in := l.insts[at]
		if l.starts[at] || u.End != at || u.Insts >= mostUnit {
			end()
		}
		if l.c.m.HasBreakpoint(in.PC) {
			end()
			continue
		}
		o, flow, branches := in.lower(channels), regions.Flow{}, false
		access := o != nil && (o.Kind == regions.Load || o.Kind == regions.Store)
		if access {
			end()
		}
		if o == nil && !in.nothing() {
			if flow, branches = in.lowerFlow(channels); !branches {
				end()
				continue
			}
		}
		if u.Insts == 0 {
			u.At = at
		} else {
			inner[at] = true
		}
		u.Insts++
		u.End = at + uint32(in.Size)
		if o != nil {
			u.Ops = append(u.Ops, o)
		}
		if u.Flow = flow; controls(o) {
			u.Guard = regions.Guard{At: offCR, Mask: loweredControl, Want: loweredWant}
		}
		if branches || access || controls(o) {
			end()
		}
	}
	end()
	return units, inner, free
}
