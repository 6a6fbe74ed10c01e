package gcn

import "simtgdb/simt/native"

// Scalar instructions work on the scalar file in memory, by RAX, RCX and RDX.

// load32 and load64 bring a scalar source into a register; false if it is of a
// kind that has no translation.
func (t *translator) load32(r native.Reg, o *operand) bool {
	switch o.kind {
	case scalarReg:
		t.Load(native.W32, r, scalar(o.reg))
	case constant:
		t.MovImm(r, uint64(uint32(o.imm)))
	default:
		return false
	}
	return true
}

func (t *translator) load64(r native.Reg, o *operand) bool {
	switch o.kind {
	case scalarReg:
		t.Load(native.W64, r, scalar(o.reg))
	case constant:
		t.MovImm(r, o.imm)
	default:
		return false
	}
	return true
}

func (t *translator) load(w native.Width, r native.Reg, o *operand) bool {
	if w == native.W64 {
		return t.load64(r, o)
	}
	return t.load32(r, o)
}

// loadLanes is load for what has a bit for each lane.
func (t *translator) loadLanes(r native.Reg, o *operand) bool { return t.load(t.laneWidth(), r, o) }

// store puts RAX into the destination, EXEC among them.
func (t *translator) store(w native.Width, o *operand) {
	if w == t.laneWidth() && o.reg == regExec {
		t.setExec()
		return
	}
	t.Store(w, scalar(o.reg), native.RAX)
}

// writesOtherExec reports whether an instruction writes one of EXEC's two
// registers alone, where lanes have both, the second one, or both where lanes have the first.
func (t *translator) writesOtherExec(in *Inst, w native.Width) bool {
	return in.dst.kind == scalarReg && (in.dst.reg == regExec && w != t.laneWidth() ||
		in.dst.reg == regExec+1)
}

// A scalarForm is how an instruction is translated.
type scalarForm struct {
	width native.Width
	emit  func(t *translator, in *Inst, w native.Width) bool
}

// scalarInst makes the code of a scalar instruction.
func (t *translator) scalarInst(in *Inst) bool {
	f, ok := scalarForms[in.Op.Name]
	if !ok || t.writesOtherExec(in, f.width) {
		return false
	}
	if in.writesExec() {
		t.whileTracked(in)
	}
	return f.emit(t, in, f.width)
}

var scalarForms = scalarTable()

func scalarTable() map[string]scalarForm {
	forms := map[string]scalarForm{
		"s_mov_b32": {emit: scalarMove}, "s_mov_b64": {native.W64, scalarMove},
		"s_movk_i32": {emit: func(t *translator, in *Inst, _ native.Width) bool {
			t.StoreImm(native.W32, scalar(in.dst.reg), in.simm)
			return true
		}},
		"s_not_b32": {emit: scalarNot}, "s_not_b64": {native.W64, scalarNot},
		"s_cselect_b32": {emit: scalarSelect}, "s_cselect_b64": {native.W64, scalarSelect},

		"s_add_u32": {emit: scalarALU(native.ADD, native.B)},
		"s_add_i32": {emit: scalarALU(native.ADD, native.O)},
		"s_sub_u32": {emit: scalarALU(native.SUB, native.B)},
		"s_sub_i32": {emit: scalarALU(native.SUB, native.O)},
		"s_addk_i32": {emit: func(t *translator, in *Inst, _ native.Width) bool {
			t.OpMemImm(native.ADD, native.W32, scalar(in.dst.reg), in.simm)
			t.SetStore(native.O, scalar(regSCC), native.RAX)
			return true
		}},
		"s_add_nc_u64": {native.W64, scalarPlain(native.ADD)},
		"s_sub_nc_u64": {native.W64, scalarPlain(native.SUB)}, "s_mul_u64": {native.W64, scalarMul},
		"s_addc_u32": {emit: scalarCarry(native.ADC)}, "s_subb_u32": {emit: scalarCarry(native.SBB)},
		"s_mul_i32": {emit: scalarMul},

		"s_lshl_b32": {emit: scalarShift(native.SHL)}, "s_lshl_b64": {native.W64, scalarShift(native.SHL)},
		"s_lshr_b32": {emit: scalarShift(native.SHR)}, "s_lshr_b64": {native.W64, scalarShift(native.SHR)},
		"s_ashr_i32": {emit: scalarShift(native.SAR)}, "s_ashr_i64": {native.W64, scalarShift(native.SAR)},

		"s_cmp_eq_u64": {native.W64, scalarCompare(native.E)}, "s_cmp_lg_u64": {native.W64,
			scalarCompare(native.NE)},
	}
	forms["s_set_vgpr_msb"] = scalarForm{emit: func(t *translator, in *Inst, _ native.Width) bool {
		t.Load(native.W32, native.RAX, scalar(regMode))
		t.OpImm(native.AND, native.W32, native.RAX, ^int32(modeHigh))
		t.OpImm(native.OR, native.W32, native.RAX, int32(highBits(in.simm).mode()))
		t.Store(native.W32, scalar(regMode), native.RAX)
		return true
	}}
	forms["s_getpc_b64"] = scalarForm{native.W64, func(t *translator, in *Inst, w native.Width) bool {
		t.MovImm(native.RAX, in.PC+uint64(in.Size))
		t.store(w, &in.dst)
		return true
	}}
	forms["s_ff1_i32_b32"] = scalarForm{emit: scalarLowest(native.W32)}
	forms["s_ff1_i32_b64"] = scalarForm{emit: scalarLowest(native.W64)}
	forms["s_bcnt1_i32_b32"] = scalarForm{emit: scalarPopulation(native.W32)}
	forms["s_bcnt1_i32_b64"] = scalarForm{emit: scalarPopulation(native.W64)}
	forms["s_sext_i32_i8"] = scalarForm{emit: scalarExtend(24)}
	forms["s_sext_i32_i16"] = scalarForm{emit: scalarExtend(16)}
	forms["s_bfe_u32"] = scalarForm{emit: scalarField(native.SHR)}
	forms["s_bfe_i32"] = scalarForm{emit: scalarField(native.SAR)}
	forms["s_mul_hi_u32"] = scalarForm{emit: scalarMulHigh}
	forms["s_pack_ll_b32_b16"] = scalarForm{emit: scalarPack}
	for name, c := range map[string][2]native.Cond{"min_i32": {native.GE, native.L},
		"min_u32": {native.AE, native.B}, "max_i32": {native.L, native.GE}, "max_u32": {native.B, native.AE}} {
		forms["s_"+name] = scalarForm{emit: scalarExtreme(c[0], c[1])}
	}
	for name, op := range map[string]native.ALU{"nand": native.AND, "nor": native.OR, "xnor": native.XOR} {
		forms["s_"+name+"_b32"] = scalarForm{native.W32, scalarNegated(op)}
		forms["s_"+name+"_b64"] = scalarForm{native.W64, scalarNegated(op)}
	}
	for name, op := range map[string]native.ALU{"and": native.AND, "or": native.OR, "xor": native.XOR} {
		forms["s_"+name+"_b32"] = scalarForm{native.W32, scalarALU(op, native.NE)}
		forms["s_"+name+"_b64"] = scalarForm{native.W64, scalarALU(op, native.NE)}
	}
	for name, op := range map[string]native.ALU{"andn2": native.AND, "orn2": native.OR} {
		forms["s_"+name+"_b32"] = scalarForm{native.W32, scalarInverted(op)}
		forms["s_"+name+"_b64"] = scalarForm{native.W64, scalarInverted(op)}
	}
	for name, c := range map[string]native.Cond{"eq_i32": native.E, "lg_i32": native.NE, "gt_i32": native.G,
		"ge_i32": native.GE, "lt_i32": native.L, "le_i32": native.LE, "eq_u32": native.E, "lg_u32": native.NE,
		"gt_u32": native.A, "ge_u32": native.AE, "lt_u32": native.B, "le_u32": native.BE} {
		forms["s_cmp_"+name] = scalarForm{native.W32, scalarCompare(c)}
		forms["s_cmpk_"+name] = scalarForm{native.W32, scalarCompareK(c)}
	}
	for name, emit := range saveForms {
		forms["s_"+name+"_saveexec_b32"] = scalarForm{native.W32, scalarSaveExec(emit)}
		forms["s_"+name+"_saveexec_b64"] = scalarForm{native.W64, scalarSaveExec(emit)}
	}
	return forms
}

func scalarMove(t *translator, in *Inst, w native.Width) bool {
	if !t.load(w, native.RAX, &in.src[0]) {
		return false
	}
	t.store(w, &in.dst)
	return true
}

func scalarNot(t *translator, in *Inst, w native.Width) bool {
	if !t.load(w, native.RAX, &in.src[0]) {
		return false
	}
	t.Not(w, native.RAX)
	t.Test(w, native.RAX, native.RAX)
	t.SetStore(native.NE, scalar(regSCC), native.RCX)
	t.store(w, &in.dst)
	return true
}

func scalarSelect(t *translator, in *Inst, w native.Width) bool {
	if !t.load(w, native.RCX, &in.src[0]) || !t.load(w, native.RAX, &in.src[1]) {
		return false
	}
	t.OpMemImm(native.CMP, native.W32, scalar(regSCC), 0)
	t.Cmov(native.NE, w, native.RAX, native.RCX)
	t.store(w, &in.dst)
	return true
}

// scalarALU is an operation whose SCC is a flag.
func scalarALU(op native.ALU, c native.Cond) func(*translator, *Inst, native.Width) bool {
	return func(t *translator, in *Inst, w native.Width) bool {
		if !t.load(w, native.RAX, &in.src[0]) || !t.load(w, native.RCX, &in.src[1]) {
			return false
		}
		t.Op(op, w, native.RAX, native.RCX)
		t.SetStore(c, scalar(regSCC), native.RCX)
		t.store(w, &in.dst)
		return true
	}
}

// scalarPlain is an operation that leaves SCC alone.
func scalarPlain(op native.ALU) func(*translator, *Inst, native.Width) bool {
	return func(t *translator, in *Inst, w native.Width) bool {
		if !t.load(w, native.RAX, &in.src[0]) || !t.load(w, native.RCX, &in.src[1]) {
			return false
		}
		t.Op(op, w, native.RAX, native.RCX)
		t.store(w, &in.dst)
		return true
	}
}

// scalarNegated is the inverse of what an operation gives.
func scalarNegated(op native.ALU) func(*translator, *Inst, native.Width) bool {
	return func(t *translator, in *Inst, w native.Width) bool {
		if !t.load(w, native.RAX, &in.src[0]) || !t.load(w, native.RCX, &in.src[1]) {
			return false
		}
		t.Op(op, w, native.RAX, native.RCX)
		t.Not(w, native.RAX)
		t.Test(w, native.RAX, native.RAX)
		t.SetStore(native.NE, scalar(regSCC), native.RCX)
		t.store(w, &in.dst)
		return true
	}
}

// scalarLowest is the number of the lowest bit that is set, or -1.
func scalarLowest(w native.Width) func(*translator, *Inst, native.Width) bool {
	return func(t *translator, in *Inst, _ native.Width) bool {
		if !t.load(w, native.RCX, &in.src[0]) {
			return false
		}
		t.MovImm(native.RDX, uint64(^uint32(0)))
		t.Tzcnt(w, native.RAX, native.RCX)
		t.Cmov(native.B, native.W32, native.RAX, native.RDX)
		t.store(native.W32, &in.dst)
		return true
	}
}

func scalarPopulation(w native.Width) func(*translator, *Inst, native.Width) bool {
	return func(t *translator, in *Inst, _ native.Width) bool {
		if !t.load(w, native.RCX, &in.src[0]) {
			return false
		}
		t.Popcnt(w, native.RAX, native.RCX)
		t.Test(native.W32, native.RAX, native.RAX)
		t.SetStore(native.NE, scalar(regSCC), native.RCX)
		t.store(native.W32, &in.dst)
		return true
	}
}

// scalarExtend extends the sign of what is left without some bits.
func scalarExtend(without uint8) func(*translator, *Inst, native.Width) bool {
	return func(t *translator, in *Inst, _ native.Width) bool {
		if !t.load32(native.RAX, &in.src[0]) {
			return false
		}
		t.ShiftImm(native.SHL, native.W32, native.RAX, without)
		t.ShiftImm(native.SAR, native.W32, native.RAX, without)
		t.store(native.W32, &in.dst)
		return true
	}
}

// scalarField takes a constant field of bits.
func scalarField(s native.Shift) func(*translator, *Inst, native.Width) bool {
	return func(t *translator, in *Inst, _ native.Width) bool {
		o := &in.src[1]
		from, width := uint8(o.imm&31), uint8(o.imm>>16&0x7f)
		if o.kind != constant || width == 0 || int(from)+int(width) > 32 ||
			!t.load32(native.RAX, &in.src[0]) {
			return false
		}
		t.ShiftImm(native.SHL, native.W32, native.RAX, 32-from-width)
		t.ShiftImm(s, native.W32, native.RAX, 32-width)
		t.Test(native.W32, native.RAX, native.RAX)
		t.SetStore(native.NE, scalar(regSCC), native.RCX)
		t.store(native.W32, &in.dst)
		return true
	}
}

func scalarMulHigh(t *translator, in *Inst, _ native.Width) bool {
	if !t.load32(native.RAX, &in.src[0]) || !t.load32(native.RCX, &in.src[1]) {
		return false
	}
	t.Imul(native.W64, native.RAX, native.RCX)
	t.ShiftImm(native.SHR, native.W64, native.RAX, 32)
	t.store(native.W32, &in.dst)
	return true
}

// scalarPack joins the low halves of two dwords.
func scalarPack(t *translator, in *Inst, _ native.Width) bool {
	if !t.load32(native.RAX, &in.src[0]) || !t.load32(native.RCX, &in.src[1]) {
		return false
	}
	t.OpImm(native.AND, native.W32, native.RAX, 0xffff)
	t.ShiftImm(native.SHL, native.W32, native.RCX, 16)
	t.Op(native.OR, native.W32, native.RAX, native.RCX)
	t.store(native.W32, &in.dst)
	return true
}

// scalarExtreme takes the second source on one condition, and sets SCC on
// another.
func scalarExtreme(second, scc native.Cond) func(*translator, *Inst, native.Width) bool {
	return func(t *translator, in *Inst, _ native.Width) bool {
		if !t.load32(native.RAX, &in.src[0]) || !t.load32(native.RCX, &in.src[1]) {
			return false
		}
		t.Op(native.CMP, native.W32, native.RAX, native.RCX)
		t.SetStore(scc, scalar(regSCC), native.RDX)
		t.Op(native.CMP, native.W32, native.RAX, native.RCX)
		t.Cmov(second, native.W32, native.RAX, native.RCX)
		t.store(native.W32, &in.dst)
		return true
	}
}

// scalarInverted is an operation with the inverse of the second source.
func scalarInverted(op native.ALU) func(*translator, *Inst, native.Width) bool {
	return func(t *translator, in *Inst, w native.Width) bool {
		if !t.load(w, native.RAX, &in.src[0]) || !t.load(w, native.RCX, &in.src[1]) {
			return false
		}
		t.Not(w, native.RCX)
		t.Op(op, w, native.RAX, native.RCX)
		t.SetStore(native.NE, scalar(regSCC), native.RCX)
		t.store(w, &in.dst)
		return true
	}
}

// scalarCarry is an operation with SCC as its carry.
func scalarCarry(op native.ALU) func(*translator, *Inst, native.Width) bool {
	return func(t *translator, in *Inst, w native.Width) bool {
		if !t.load(w, native.RAX, &in.src[0]) || !t.load(w, native.RCX, &in.src[1]) {
			return false
		}
		t.Load(native.W32, native.RDX, scalar(regSCC))
		t.OpImm(native.ADD, native.W32, native.RDX, -1) // carries if it is not 0
		t.Op(op, w, native.RAX, native.RCX)
		t.SetStore(native.B, scalar(regSCC), native.RCX)
		t.store(w, &in.dst)
		return true
	}
}

func scalarMul(t *translator, in *Inst, w native.Width) bool {
	if !t.load(w, native.RAX, &in.src[0]) || !t.load(w, native.RCX, &in.src[1]) {
		return false
	}
	t.Imul(w, native.RAX, native.RCX)
	t.store(w, &in.dst)
	return true
}

func scalarShift(s native.Shift) func(*translator, *Inst, native.Width) bool {
	return func(t *translator, in *Inst, w native.Width) bool {
		if !t.load(w, native.RAX, &in.src[0]) || !t.load32(native.RCX, &in.src[1]) {
			return false
		}
		t.ShiftCL(s, w, native.RAX)
		t.Test(w, native.RAX, native.RAX)
		t.SetStore(native.NE, scalar(regSCC), native.RCX)
		t.store(w, &in.dst)
		return true
	}
}

func scalarCompare(c native.Cond) func(*translator, *Inst, native.Width) bool {
	return func(t *translator, in *Inst, w native.Width) bool {
		if !t.load(w, native.RAX, &in.src[0]) || !t.load(w, native.RCX, &in.src[1]) {
			return false
		}
		t.Op(native.CMP, w, native.RAX, native.RCX)
		t.SetStore(c, scalar(regSCC), native.RCX)
		return true
	}
}

func scalarCompareK(c native.Cond) func(*translator, *Inst, native.Width) bool {
	return func(t *translator, in *Inst, w native.Width) bool {
		if !t.load(w, native.RAX, &in.src[0]) {
			return false
		}
		v := in.simm
		if in.Op.src[0] == u32 {
			v = int32(uint16(v))
		}
		t.OpImm(native.CMP, w, native.RAX, v)
		t.SetStore(c, scalar(regSCC), native.RCX)
		return true
	}
}

// saveForms make, in RAX, the new EXEC of a source in RAX and EXEC in RCX.
var saveForms = map[string]func(t *translator, w native.Width){
	"and": func(t *translator, w native.Width) { t.Op(native.AND, w, native.RAX, native.RCX) },
	"or":  func(t *translator, w native.Width) { t.Op(native.OR, w, native.RAX, native.RCX) },
	"xor": func(t *translator, w native.Width) { t.Op(native.XOR, w, native.RAX, native.RCX) },
	"andn2": func(t *translator, w native.Width) {
		t.Not(w, native.RCX)
		t.Op(native.AND, w, native.RAX, native.RCX)
	},
	"andn1": func(t *translator, w native.Width) {
		t.Not(w, native.RAX)
		t.Op(native.AND, w, native.RAX, native.RCX)
	},
}

// scalarSaveExec is s_and_saveexec_b64 and the like.
func scalarSaveExec(emit func(t *translator, w native.Width)) func(*translator, *Inst, native.Width) bool {
	return func(t *translator, in *Inst, w native.Width) bool {
		if w != t.laneWidth() || in.dst.reg >= regExec || !t.load(w, native.RAX, &in.src[0]) {
			return false
		}
		t.Store(w, scalar(in.dst.reg), regMask)
		t.Mov(w, native.RCX, regMask)
		emit(t, w)
		t.Test(w, native.RAX, native.RAX)
		t.SetStore(native.NE, scalar(regSCC), native.RCX)
		t.setExec()
		return true
	}
}
