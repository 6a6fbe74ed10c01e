package ptx

import (
	"strings"

	"simtgdb/simt"
	"simtgdb/simt/rows"
	"simtgdb/simt/rows/host"
	"simtgdb/simt/vec"
)

// The statements that programs have most are lowered to row code. The core executes the others, between one
// unit of row code and the next.

// units lowers the blocks of a function, but for those that stops says to leave out.
func (a *ISA) units(fn *function, stops func(at, last int32) bool, aimed func(at int32, in *rows.Inst)) (all []rows.Unit) {
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
	case in.op != vec.WideNone && in.dst >= 0:
		o.Kind, o.Op, o.NaN, ok = rows.Calc, in.op, in.imm, true
		n = rows.Sources(o.Op)
	case lowerMoves[in.src.Op] && in.f1 != nil && in.dst >= 0:
		o.Kind, n, ok = rows.Copy, 1, true
	case name == "selp" && in.dst >= 0 && in.s[2].kind == fromPred:
		o.Kind, o.Op, n, ok = rows.Calc, vec.WideSelect, 2, true
		o.In = rows.Mask{N: in.s[2].n, Not: in.s[2].not}
	case name == "setp" && in.pdst >= 0 && in.pdst2 < 0:
		return lowerTest(in, o)
	case (name == "ld" || name == "st") && (in.size == 4 || in.size == 8):
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

// lowerTest lowers a comparison without modifiers.
func lowerTest(in *inst, o rows.Op) (none rows.Inst) {
	parts := strings.Split(in.src.Op, ".")
	if len(parts) != 3 {
		return none
	}
	f, ok := lowerTests[parts[2]][parts[1]]
	a, okA := lowerSource(&in.s[0])
	b, okB := lowerSource(&in.s[1])
	if !ok || !okA || !okB {
		return none
	}
	if f.swap {
		a, b = b, a
	}
	o.Kind, o.Op, o.Invert, o.P, o.S[0], o.S[1] = rows.Test, f.op, f.invert, in.pdst, a, b
	return rows.Inst{Known: true, Ops: []rows.Op{o}}
}

// lowerAccess lowers a plain load or store.
func lowerAccess(in *inst, o rows.Op, write bool) (none rows.Inst) {
	ok := in.s[0].kind == fromReg && !in.ordered && !in.atomic && !in.signed
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
	out := rows.Inst{Known: ok}
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
