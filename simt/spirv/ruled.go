package spirv

import (
	"simtgdb/simt"
	"simtgdb/simt/rows"
)

// While somebody judges what is undefined, code stays translated but for the instructions that may be that:
// the core executes those, and what an instruction says of constants is decided once.

// A judging is what a lowerer leaves to the core.
type judging struct {
	undefined bool
	aimed     func(pc uint64, write bool) bool // somebody knows what an instruction's accesses are meant for
}

// plain reports whether translations leave nothing to the core for it.
func (j judging) plain() bool { return !j.undefined && j.aimed == nil }

// judging is what the core's translations leave to it now.
func (c *core) judging() (j judging) {
	follows := c.m.Follows()
	j.undefined = c.m.Judged()
	if follows.Objects {
		j.aimed = c.m.Aimed
	}
	return j
}

// leaves reports whether an instruction is the core's.
func (l *lowerer) leaves(in *inst) bool {
	r := in.raw
	if l.judging.aimed != nil && in.mem != nil && l.judging.aimed(in.pc, in.mem.write) {
		return true
	}
	if !l.judging.undefined {
		return false
	}
	if uses := pointerUses[r.op]; uses != nil {
		return len(uses) > 1 || in.mem == nil || r.op != opLoad && r.op != opStore
	}
	if r.op == opExtInst && len(r.args) > 1 && l.p.imports[r.args[0]] == "GLSL.std.450" {
		_, ruled := undefinedGLSL()[r.args[1]]
		return ruled
	}
	_, ruled := undefined()[r.op]
	switch {
	case !ruled:
		return false
	case r.op >= opShiftRightLogical && r.op <= opShiftLeftLogical:
		return !l.all(r.args[1], func(v uint64) bool { return v < uint64(l.width(r.args[0])) })
	case r.op == opUDiv || r.op == opUMod:
		return !l.all(r.args[1], func(v uint64) bool { return v != 0 })
	case r.op == opSDiv || r.op == opSRem || r.op == opSMod:
		w := l.width(r.args[1])
		return !l.all(r.args[1], func(v uint64) bool { return v != 0 && signed(v, w) != -1 })
	case r.op == opAccessChain || r.op == opInBoundsAccessChain:
		return l.mayLeave(r.args, 1)
	case r.op == opPtrAccessChain || r.op == opInBoundsPtrAccessChain:
		return l.mayLeave(r.args, 2)
	}
	return true
}

// all reports whether a value is a constant all of whose scalars are as they are to be.
func (l *lowerer) all(id uint32, is func(v uint64) bool) bool {
	v := l.p.values[id]
	if v == nil || v.typ == nil || v.typ.slots == 0 {
		return false
	}
	for k := range v.typ.slots {
		if x := l.slot(v.slot + int32(k)); !x.Const || !is(x.Imm) {
			return false
		}
	}
	return true
}

// mayLeave reports whether a chain of accesses may leave what has a length, by its indices from one on.
func (l *lowerer) mayLeave(args []uint32, i int) bool {
	v := l.p.values[args[0]]
	if v == nil || v.typ == nil || v.typ.kind != kPointer {
		return true
	}
	t := v.typ.elem
	for k := i; k < len(args) && t != nil; k++ {
		switch t.kind {
		case kStruct:
			n, ok := l.p.constantUint(args[k])
			if !ok || n >= uint64(len(t.members)) {
				return true
			}
			t = t.members[n].typ
			continue
		case kArray, kVector, kMatrix:
			if !l.all(args[k], func(v uint64) bool { return v < t.len }) {
				return true
			}
		}
		t = t.elem
	}
	return false
}

// alignAs makes accesses want the alignment that their instruction says, so that the core has those that have
// it not. It reports whether they can.
func (l *lowerer) alignAs(in *inst, from int, offset int64, fixed bool) bool {
	uses := pointerUses[in.raw.op]
	if !l.judging.undefined || len(uses) == 0 {
		return true
	}
	align := uses[0].alignment(in.raw.args)
	if fixed {
		return in.mem.at%align == 0
	}
	if align > 1<<20 || align&(align-1) != 0 || offset%int64(align) != 0 {
		return false
	}
	for i := from; i < len(l.ops); i++ {
		if o := &l.ops[i]; !o.S[0].Const && o.Size != 0 {
			o.Align = max(o.Align, int(align))
		}
	}
	return true
}

// spared is how many bytes of a lane's private memory translated code does not see where somebody judges:
// null pointers lead there. Known places count from behind them, since code adds them to where it begins.
func (l *lowerer) spared() uint64 {
	if l.judging.undefined && l.p.scratch > nullBytes {
		return nullBytes
	}
	return 0
}

// placed says where the memory of a workgroup and of lanes is for translated code, without the bytes that
// null pointers lead to where somebody judges, or follows what has contents.
func (c *core) placed(x *rows.Context) {
	w, lds := c.w, c.w.Group.LDS
	x.Shared = rows.SlotOf(LDSAperture, lds)
	if (c.valued || c.judges) && len(lds) > nullBytes { // see UsedLDS
		x.Shared = rows.SlotOf(LDSAperture+nullBytes, lds[nullBytes:])
	}
	spared := c.native.low.spared()
	private := w.Scratch[min(int(spared)*c.lanes, len(w.Scratch)):]
	x.Private = rows.PrivateSlotOf(ScratchAperture+spared, c.p.scratch-spared, private, c.lanes)
}

// wants reports whether somebody is to be told of accesses of translated code, which sees itself to where
// they lead.
func (c *core) wants(w *simt.Wave, s simt.Space, write bool) bool {
	return !c.m.WantedAnywhere(w, s, write).Empty()
}
