package gcn

import (
	"simtgdb/simt"
	"simtgdb/simt/gcn/hazards"
)

// What instructions leave behind and need, for package hazards.

// farJump reports whether an instruction goes to where a register says.
func (op *Op) farJump() bool {
	return op.flow == simt.FlowIndirect || op.flow == simt.FlowCall || op.flow == simt.FlowReturn
}

// isMatrix reports whether a row is done by the matrix core, or as if by it.
func (op *Op) isMatrix() bool { return op.Enc == VOP3P && op.flag&matrix != 0 && op.flag&spills == 0 }

// touched makes touches of operands.
type touched []hazards.Touch

func (t *touched) add(kind hazards.Kind, o *operand) {
	if n := typDwords[o.typ]; n > 0 {
		*t = append(*t, hazards.Touch{Kind: kind, First: o.reg, N: uint16(n)})
	}
}

func (t *touched) one(kind hazards.Kind, first, n uint16) {
	*t = append(*t, hazards.Touch{Kind: kind, First: first, N: n})
}

// leaves is what an instruction leaves behind.
func (in *Inst) leaves() []hazards.Touch {
	var t touched
	op := in.Op
	vector := op.Enc >= VOP2 && op.Enc <= VOP3P
	switch {
	case op.Enc == SOPK && op.flag&immFirst != 0:
		id, _, _ := hwregField(in.simm)
		t.one(hazards.LeftSetting, uint16(id), 1)
	case op.isMatrix():
		in.leavesProduct(&t)
	case op.Enc >= FLAT && op.mem != nil && op.mem.write:
		if data := &in.src[1]; data.kind == vectorReg && typDwords[data.typ] > 2 &&
			in.mem.soffset.kind != scalarReg {
			t.add(hazards.LeftStored, data)
		}
	}
	for _, o := range []*operand{&in.dst, &in.sdst} {
		switch {
		case o.kind == scalarReg && vector:
			t.add(hazards.LeftScalar, o)
		case o.kind == scalarReg && op.Enc <= SOPC && o.reg == regM0:
			t.add(hazards.LeftM0, o)
		case o.kind == vectorReg && vector && !op.isMatrix():
			in.leavesVector(&t, o)
		}
	}
	if vector && op.flag&writesExec != 0 {
		t.one(hazards.LeftScalar, regExec, 2)
	}
	if op.flag&swaps != 0 {
		in.leavesVector(&t, &in.src[0])
	}
	return t
}

// leavesVector is leaves of a vector register.
func (in *Inst) leavesVector(t *touched, o *operand) {
	switch {
	case in.Op.flag&dots != 0:
		t.add(hazards.LeftDot, o)
		t.add(hazards.LeftVector, o)
	case in.on == GFX908 && in.Op.Name == accWrite:
		t.add(hazards.LeftAcc, o)
	default:
		t.add(hazards.LeftVector, o)
	}
	if in.Op.Name == accRead {
		t.add(hazards.LeftAccRead, o)
	}
	if in.Op.flag&slow != 0 {
		t.add(hazards.LeftSlow, o)
	}
	const dword, dstSel = 6, 1 << 3
	if m := in.mod; m != nil && (m.sdwa != nil && m.sdwa.dstSel != dword || m.sdwa == nil &&
		m.opSel&dstSel != 0) {
		t.add(hazards.LeftMoved, o)
	}
}

// What moves accumulation registers of gfx908, and nothing else does.
const accRead, accWrite = "v_accvgpr_read_b32", "v_accvgpr_write_b32"

// leavesProduct is leaves of a matrix instruction.
func (in *Inst) leavesProduct(t *touched) {
	passes, kind := in.passes(), hazards.LeftProduct
	switch {
	case in.Op.flag&doubles != 0:
		kind = hazards.LeftDouble
	case in.isPlain():
		kind = hazards.LeftPlain
	}
	t.add(kind, &in.dst)
	if sum := in.sum(); kind == hazards.LeftProduct && sum.kind == vectorReg {
		t.add(hazards.LeftSum, sum)
	}
	for i := range *t {
		(*t)[i].Count = passes
	}
}

// isPlain reports whether an instruction is one of gfx942's that are done elsewhere than in its matrix core.
func (in *Inst) isPlain() bool { return in.on&gfx942P != 0 && in.Op.product.singles }

// sum is what a matrix instruction adds to: of one with structured sparsity its destination.
func (in *Inst) sum() *operand {
	if in.Op.product.sparse {
		return &in.dst
	}
	return &in.src[2]
}

// passes is how often a matrix instruction passes its data through the core, four cycles each (MI200 and
// MI300 ISA, tables of the matrix instructions).
func (in *Inst) passes() uint8 {
	p, dwords := &in.Op.product, typDwords[in.dst.typ]
	double := in.Op.flag&doubles != 0
	switch {
	case double && dwords <= 2:
		return 4
	case double && in.on&gfx942P != 0:
		return 16
	case double:
		return 8
	case dwords == 4 && p.rows == 4:
		return 2
	case in.on&gfx942P != 0 && !p.singles && p.blocks == 1:
		passes := uint8(4)
		if dwords == 16 {
			passes = 8
		}
		if in.Op.isSmall() && in.hasBytes() {
			passes *= 2
		}
		return passes
	case p.rows == 32:
		return 16
	}
	return 8
}

// hasBytes reports whether a factor of a product whose factors have formats has one of 8 bits.
func (in *Inst) hasBytes() bool {
	const dwords = 8
	return typDwords[in.src[0].typ] == dwords || typDwords[in.src[1].typ] == dwords
}

// needs is what an instruction needs.
func (in *Inst) needs() []hazards.Touch {
	var t touched
	op := in.Op
	switch enc := op.Enc; {
	case op.isMatrix():
		in.needsMatrix(&t)
	case enc >= VOP2 && enc <= VOP3P:
		in.needsVector(&t)
	case enc >= DS:
		in.needsMemory(&t)
	case enc == SOPK && op.Name == "s_getreg_b32":
		id, _, _ := hwregField(in.simm)
		t.one(hazards.NeedGet, uint16(id), 1)
	case enc == SOPK && op.flag&immFirst != 0:
		id, _, _ := hwregField(in.simm)
		t.one(hazards.NeedSet, uint16(id), 1)
	}
	if in.needsM0() {
		t.one(hazards.NeedM0, regM0, 1)
	}
	return t
}

// needsM0 reports whether an instruction reads M0 without naming it, but for what indexes vector registers.
func (in *Inst) needsM0() bool {
	return in.Op.flag&readsM0 != 0 || in.mem.gds || in.mem.lds ||
		in.loadsLDS() || in.readsLDSDirect() || in.Op.Enc == VINTRP
}

func (in *Inst) needsMatrix(t *touched) {
	for i := range 2 {
		if in.src[i].kind == vectorReg {
			t.add(hazards.NeedFactor, &in.src[i])
		}
	}
	if index := &in.src[2]; in.Op.product.sparse && index.kind == vectorReg {
		t.add(hazards.NeedFactor, index)
	}
	if in.mod != nil && in.mod.scales != nil {
		for i := range in.mod.scales {
			if o := &in.mod.scales[i]; o.kind == vectorReg {
				t.add(hazards.NeedFactor, o)
			}
		}
	}
	kind := hazards.NeedSum
	switch {
	case in.Op.flag&doubles != 0:
		kind = hazards.NeedSumD
	case in.isPlain():
		kind = hazards.NeedSumPlain
	}
	if sum := in.sum(); sum.kind == vectorReg {
		t.add(kind, sum)
	}
	t.one(hazards.NeedMatrix, regExec, 2)
}

func (in *Inst) needsVector(t *touched) {
	op := in.Op
	reads := hazards.NeedRead
	if op.flag&slow == 0 {
		reads = hazards.NeedQuick
	}
	for i := range in.src {
		o := &in.src[i]
		switch {
		case o.kind == vectorReg:
			t.add(hazards.NeedRead, o)
			if reads != hazards.NeedRead {
				t.add(reads, o)
			}
		case o.kind == scalarReg && o.typ == ssrc32 && i == 1:
			t.add(hazards.NeedLane, o)
		case o.kind == scalarReg && o.reg != srcSCC:
			t.add(hazards.NeedScalar, o)
		case o.kind == special && o.reg == srcVCCZ:
			t.one(hazards.NeedZero, regVCC, 2)
		case o.kind == special && o.reg == srcEXECZ:
			t.one(hazards.NeedZero, regExec, 2)
		}
	}
	if op.flag&readsVCC != 0 {
		if op.Enc == VOP3 { // v_div_fmas
			t.one(hazards.NeedMask, regVCC, 2)
		}
		t.one(hazards.NeedScalar, regVCC, 2)
	}
	if in.mod != nil && in.mod.dpp != nil {
		if o := &in.src[0]; o.kind == vectorReg {
			t.add(hazards.NeedOther, o)
		}
		t.one(hazards.NeedActive, regExec, 2)
	}
	if picks := op.dst == sdst32; picks || op.src[1] == ssrc32 { // v_readlane and its like, v_writelane
		t.one(hazards.NeedPresent, regExec, 2)
		if o := &in.src[0]; o.kind == vectorReg && picks {
			t.add(hazards.NeedPick, o)
		}
	}
	if in.dst.kind == vectorReg {
		t.add(hazards.NeedWrite, &in.dst)
	}
	switch {
	case in.on == GFX908 && op.Name == accRead:
		t.add(hazards.NeedAccRead, &in.src[0])
	case in.on == GFX908 && op.Name == accWrite:
		t.add(hazards.NeedAccWrite, &in.dst)
		t.one(hazards.NeedMatrix, regExec, 2)
		if o := &in.src[0]; o.kind == vectorReg {
			t.add(hazards.NeedFactor, o)
		}
	case op.flag&swaps != 0:
		t.add(hazards.NeedSwap, &in.src[0])
		t.add(hazards.NeedSwap, &in.dst)
		t.one(hazards.NeedSwapping, regExec, 2)
	}
}

func (in *Inst) needsMemory(t *touched) {
	in.eachSource(func(o *operand, _ int) {
		switch {
		case o.kind == vectorReg:
			t.add(hazards.NeedMemory, o)
		case in.Op.Enc != DS:
			t.add(hazards.NeedAddress, o)
		}
	})
}
