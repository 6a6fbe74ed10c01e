package ptx

import (
	"slices"
	"strings"

	"simtgdb/simt"
	"simtgdb/simt/ptx/numeric"
	"simtgdb/simt/rows"
	"simtgdb/simt/rows/host"
	"simtgdb/simt/vec"
)

// The statements that programs have most are lowered to row code. The core executes the others, between one
// unit of row code and the next.

// units lowers the blocks of a function, but for those that stops says to leave out.
func (a *ISA) units(fn *function, stops func(at, last int32) bool, aimed func(at int32, in *rows.Inst)) (
	all []rows.Unit) {
	for at := fn.start; at < fn.end; {
		last := a.code[at].last
		if stops(at, last) {
			at = last + 1
			continue
		}
		var unit *rows.Unit
		for ; at <= last; at++ {
			in := a.lower(&a.code[at])
			aimed(at, &in)
			if guard := a.code[at].guard; guard >= 0 {
				in.Guarded, in.Guard = true, rows.Mask{N: guard, Not: a.code[at].not}
			}
			in.Else = at + 1
			switch one := (rows.Unit{At: at, Insts: []rows.Inst{in}}); {
			case !in.Known || rows.Verify(&one, fn.vectors, fn.preds) != nil:
				if len(all) > 0 && unit == nil && all[len(all)-1].At+int32(len(all[len(all)-1].Insts))+
					all[len(all)-1].Go == at && !a.code[at].leader {
					unit = &all[len(all)-1]
				}
				if unit != nil {
					unit.Go++
				}
				unit = nil
			case unit == nil:
				all = append(all, one)
				unit = &all[len(all)-1]
			default:
				unit.Insts = append(unit.Insts, in)
			}
		}
	}
	return all
}

// lowerMoves are those that copy all of a register.
var lowerMoves = map[string]bool{"mov.b16": true, "mov.u16": true, "mov.s16": true, "mov.b32": true,
	"mov.u32": true,
	"mov.s32": true, "mov.f32": true, "mov.b64": true, "mov.u64": true, "mov.s64": true, "mov.f64": true}

// lower makes row code of a statement; Known is false if it has none.
func (a *ISA) lower(in *inst) rows.Inst {
	var none rows.Inst
	under := rows.Mask{N: in.guard, Not: in.not}
	name := builderName(in.src.Op)
	if name == "bra" && (in.flow == simt.FlowJump || in.flow == simt.FlowBranch) {
		if in.guard < 0 {
			return rows.Inst{Known: true, Flow: rows.Jump, Target: in.target}
		}
		return rows.Inst{Known: true, Flow: rows.Branch, Target: in.target, Cond: under}
	}
	if in.run == nil || in.ends {
		return none
	}
	o := rows.Op{D: in.dst, Under: under}
	n, ok := 0, false
	switch {
	case name == "ld" && in.s[0].kind == fromArg || name == "mov" && in.s[0].kind == fromSpecial:
		return lowerPlace(in, under)
	case in.stages != nil:
		return a.lowerStages(in, under)
	case in.parts > 0 && in.dst < 0:
		return lowerUnpack(in, under)
	case in.parts > 0:
		return lowerPack(in, under)
	case in.op != vec.WideNone && in.dst >= 0:
		o.Kind, o.Op, o.NaN, ok = rows.Calc, in.op, in.imm, true
		n = rows.Sources(o.Op)
	case lowerMoves[in.src.Op] && in.f1 != nil && in.dst >= 0:
		o.Kind, n, ok = rows.Copy, 1, true
	case name == "selp" && in.dst >= 0 && in.s[2].kind == fromPred:
		o.Kind, o.Op, n, ok = rows.Calc, vec.WideSelect, 2, true
		o.In = rows.Mask{N: in.s[2].n, Not: in.s[2].not}
	case name == "setp" && in.pdst >= 0 && in.pdst2 < 0:
		return lowerTest(in, under)
	case in.pdst >= 0 && in.logic != nil:
		return lowerLogic(in, under)
	case (name == "ld" || name == "st") && in.elements > 0:
		return lowerAccess(in, o, name == "st")
	}
	for i := range n {
		var is bool
		o.S[i], is = lowerSource(&in.s[i])
		ok = ok && is
	}
	if !ok || !host.Can(&o) {
		return none
	}
	return rows.Inst{Known: true, Ops: []rows.Op{o}}
}

// lowerSource is an operand as row code has it, if that has it.
func lowerSource(s *source) (rows.Value, bool) {
	switch s.kind {
	case fromReg:
		return rows.Value{Reg: s.n}, true
	case fromImm:
		return rows.Value{Const: true, Imm: s.imm[0]}, true
	}
	return rows.Value{}, false
}

// lowerTest lowers a comparison that is not joined with a predicate.
func lowerTest(in *inst, under rows.Mask) (none rows.Inst) {
	name, ftz := strings.Replace(in.src.Op, ".ftz", "", 1), strings.Contains(in.src.Op, ".ftz")
	parts := strings.Split(name, ".")
	if len(parts) != 3 {
		return none
	}
	f, ok := lowerTests[parts[2]][parts[1]]
	if !ok {
		return none
	}
	l := stageLowerer{in: in}
	o := rows.Op{Kind: rows.Test, Op: f.op, Invert: f.invert, P: in.pdst, Under: under}
	for i := range 2 {
		v := source0(i)
		if ftz {
			if !l.stage(&stage{op: vec.WideFlushF32, to: i, s: []stageValue{v}}) {
				return none
			}
			v = stageValue{kind: ofStage, n: i}
		}
		if o.S[i], ok = l.value(&v); !ok {
			return none
		}
	}
	if f.swap {
		o.S[0], o.S[1] = o.S[1], o.S[0]
	}
	return rows.Inst{Known: true, Ops: append(l.ops, o)}
}

// lowerLogic lowers logic on predicates: each is a number first, 1 where it holds.
func lowerLogic(in *inst, under rows.Mask) (none rows.Inst) {
	var ops []rows.Op
	var is [2]rows.Value
	for i := range in.logic.n {
		s := &in.s[i]
		switch is[i] = (rows.Value{Reg: int32(-1 - i)}); s.kind {
		case fromPred:
			ops = append(ops, rows.Op{Kind: rows.Calc, Op: vec.WideSelect, D: is[i].Reg, Under: always,
				S: [3]rows.Value{number(1), number(0)}, In: rows.Mask{N: s.n, Not: s.not}})
		default:
			return none
		}
	}
	if in.logic.op != vec.WideNone {
		ops = append(ops, rows.Op{Kind: rows.Calc, Op: in.logic.op, D: is[0].Reg, Under: always,
			S: [3]rows.Value{is[0], is[1]}})
	}
	return rows.Inst{Known: true, Ops: append(ops, rows.Op{Kind: rows.Test, Op: vec.WideEqU, P: in.pdst,
		Under: under, Invert: !in.logic.not, S: [3]rows.Value{is[0], number(0)}})}
}

// lowerPlace lowers loads of a kernel's arguments and of special registers.
func lowerPlace(in *inst, under rows.Mask) (none rows.Inst) {
	s := &in.s[0]
	o := rows.Op{Kind: rows.Load, Under: under, Space: rows.Uniform, Size: 4, D: in.dst}
	if s.kind == fromSpecial {
		from, known := specials[s.name]
		if !known || in.dst < 0 {
			return none
		}
		o.Space, o.S[0] = from.space, number(from.at)
		return rows.Inst{Known: true, Ops: []rows.Op{o}}
	}
	if in.size != 4 && in.size != 8 || !in.plain() || s.off+8 >= mostArguments || s.off%4 != 0 ||
		in.space == Local || in.regs[0] < 0 {
		return none
	}
	o.D, o.Size, o.S[0] = in.regs[0], int(in.size), number(atArguments+s.off)
	return rows.Inst{Known: true, Ops: []rows.Op{o}}
}

// plain reports whether an access is of one element and nothing else.
func (in *inst) plain() bool { return in.elements == 1 && !in.signed && !in.ordered && !in.atomic }

// always are all lanes.
var always = rows.Mask{N: rows.Always}

// calc adds an operation on two operands and returns where its result is.
func calc(to *rows.Inst, op vec.WideOp, d int32, under rows.Mask, a, b rows.Value) rows.Value {
	to.Ops = append(to.Ops, rows.Op{Kind: rows.Calc, Op: op, D: d, S: [3]rows.Value{a, b}, Under: under})
	return rows.Value{Reg: d}
}

// lowerUnpack lowers what cuts a register into others.
func lowerUnpack(in *inst, under rows.Mask) (none rows.Inst) {
	from, ok := lowerSource(&in.s[0])
	if !ok || !from.Const && slices.Contains(in.regs[:in.parts], from.Reg) {
		return none
	}
	out := rows.Inst{Known: true}
	for i, to := range in.regs[:in.parts] {
		if to < 0 {
			continue
		}
		v := from
		if i > 0 {
			v = calc(&out, vec.WideShr, -1, always, from, number(uint64(i*in.part)))
		}
		calc(&out, vec.WideAnd, to, under, v, number(numeric.Mask(in.part)))
	}
	return out
}

// lowerPack lowers what makes a register of others.
func lowerPack(in *inst, under rows.Mask) (none rows.Inst) {
	out := rows.Inst{Known: true}
	whole := number(0)
	for i := range in.parts {
		v, ok := lowerSource(&in.elems[i])
		if !ok {
			return none
		}
		v = calc(&out, vec.WideAnd, -1, always, v, number(numeric.Mask(in.part)))
		if i == 0 {
			whole = calc(&out, vec.WideOr, -2, always, v, whole)
			continue
		}
		v = calc(&out, vec.WideShl, -1, always, v, number(uint64(i*in.part)))
		to, lanes := int32(-2), always
		if i == in.parts-1 {
			to, lanes = in.dst, under
		}
		whole = calc(&out, vec.WideOr, to, lanes, whole, v)
	}
	return out
}

// lowerAccess lowers a plain load or store.
func lowerAccess(in *inst, o rows.Op, write bool) (none rows.Inst) {
	if in.signed && !write {
		return lowerSigned(in, o.Under)
	}
	ok := in.s[0].kind == fromReg && !in.ordered && !in.atomic
	o.Kind, o.Size, o.Offset = rows.Load, int(in.size), int64(in.offset)
	o.S[0] = rows.Value{Reg: in.s[0].n}
	switch in.space {
	case Global, Generic, Const:
		o.Space = rows.Global
	case Shared:
		o.Space = rows.Shared
	default:
		ok = false
	}
	if o.Align = int(in.size) * int(in.elements); int64(in.offset)%int64(o.Align) != 0 {
		return none
	}
	out := rows.Inst{Known: ok && host.Can(&o)}
	for e := range int(in.elements) {
		if write {
			var is bool
			o.Kind = rows.Store
			o.S[1], is = lowerSource(&in.elems[e])
			out.Known = out.Known && is
		} else if o.D = in.regs[e]; o.D < 0 { // nobody wants it, but it must be there
			o.D = -1
		}
		out.Ops = append(out.Ops, o)
		o.Offset += int64(o.Size)
	}
	return out
}

// lowerSigned lowers a load of bytes or words with a sign.
func lowerSigned(in *inst, under rows.Mask) (none rows.Inst) {
	plain := *in
	plain.signed = false
	for e, to := range in.regs[:in.elements] {
		plain.regs[e] = int32(-1 - e)
		if to >= 0 && in.imm > numeric.Mask(32) {
			return none
		}
	}
	out := lowerAccess(&plain, rows.Op{Under: under}, false)
	up := number(uint64(32 - 8*int(in.size)))
	for e, to := range in.regs[:in.elements] {
		if to < 0 {
			continue
		}
		v := calc(&out, vec.WideShl32, -1-int32(e), always, rows.Value{Reg: -1 - int32(e)}, up)
		v = calc(&out, vec.WideSar32, v.Reg, always, v, up)
		calc(&out, vec.WideAnd, to, under, v, number(in.imm))
	}
	return out
}
