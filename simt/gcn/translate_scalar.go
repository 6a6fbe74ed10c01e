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

// A scalarForm is how a scalar instruction is translated.
type scalarForm struct {
	width native.Width
	emit  scalarCode
}

type scalarCode func(t *translator, in *Inst, w native.Width) bool

// dword and qword are forms of instructions on as many bits.
func dword(emit scalarCode) scalarForm { return scalarForm{native.W32, emit} }
func qword(emit scalarCode) scalarForm { return scalarForm{native.W64, emit} }

func (f scalarForm) translate(t *translator, in *Inst) bool {
	if t.writesOtherExec(in, f.width) {
		return false
	}
	if in.writesExec() {
		t.whileTracked(in)
	}
	return f.emit(t, in, f.width)
}

// ofOne makes code of what is done with a source in RAX, and ofTwo with sources in RAX and RCX. The result is
// what RAX has then.
func ofOne(emit func(t *translator, w native.Width)) scalarCode {
	return func(t *translator, in *Inst, w native.Width) bool {
		if !t.load(w, native.RAX, &in.src[0]) {
			return false
		}
		emit(t, w)
		t.store(w, &in.dst)
		return true
	}
}

func ofTwo(emit func(t *translator, w native.Width)) scalarCode {
	return func(t *translator, in *Inst, w native.Width) bool {
		if !t.load(w, native.RAX, &in.src[0]) || !t.load(w, native.RCX, &in.src[1]) {
			return false
		}
		emit(t, w)
		t.store(w, &in.dst)
		return true
	}
}

// scc sets SCC on a condition, with RCX.
func (t *translator) scc(c native.Cond) { t.SetStore(c, scalar(regSCC), native.RCX) }

// nonzero sets SCC if RAX has not 0.
func (t *translator) nonzero(w native.Width) {
	t.Test(w, native.RAX, native.RAX)
	t.scc(native.NE)
}

var (
	scalarMove = ofOne(func(*translator, native.Width) {})
	scalarNot  = ofOne(func(t *translator, w native.Width) {
		t.Not(w, native.RAX)
		t.nonzero(w)
	})
	scalarSelect = ofTwo(func(t *translator, w native.Width) {
		t.OpMemImm(native.CMP, native.W32, scalar(regSCC), 0)
		t.Cmov(native.E, w, native.RAX, native.RCX)
	})
	scalarMul = ofTwo(func(t *translator, w native.Width) { t.Imul(w, native.RAX, native.RCX) })

	scalarMulHigh = ofTwo(func(t *translator, _ native.Width) {
		t.Imul(native.W64, native.RAX, native.RCX)
		t.ShiftImm(native.SHR, native.W64, native.RAX, 32)
	})
	// scalarPack joins the low halves of two dwords.
	scalarPack = ofTwo(func(t *translator, w native.Width) {
		t.OpImm(native.AND, w, native.RAX, 0xffff)
		t.ShiftImm(native.SHL, w, native.RCX, 16)
		t.Op(native.OR, w, native.RAX, native.RCX)
	})
)

func scalarMoveK(t *translator, in *Inst, _ native.Width) bool {
	t.StoreImm(native.W32, scalar(in.dst.reg), in.simm)
	return true
}

func scalarAddK(t *translator, in *Inst, _ native.Width) bool {
	t.OpMemImm(native.ADD, native.W32, scalar(in.dst.reg), in.simm)
	t.SetStore(native.O, scalar(regSCC), native.RAX)
	return true
}

// scalarHighBits is s_set_vgpr_msb.
func scalarHighBits(t *translator, in *Inst, _ native.Width) bool {
	t.Load(native.W32, native.RAX, scalar(regMode))
	t.OpImm(native.AND, native.W32, native.RAX, ^int32(modeHigh))
	t.OpImm(native.OR, native.W32, native.RAX, int32(highBits(in.simm).mode()))
	t.Store(native.W32, scalar(regMode), native.RAX)
	return true
}

// scalarPC is s_getpc_b64.
func scalarPC(t *translator, in *Inst, w native.Width) bool {
	t.MovImm(native.RAX, in.PC+uint64(in.Size))
	t.store(w, &in.dst)
	return true
}

// scalarALU is an operation whose SCC is a flag.
func scalarALU(op native.ALU, c native.Cond) scalarCode {
	return ofTwo(func(t *translator, w native.Width) {
		t.Op(op, w, native.RAX, native.RCX)
		t.scc(c)
	})
}

// scalarPlain is an operation that leaves SCC alone.
func scalarPlain(op native.ALU) scalarCode {
	return ofTwo(func(t *translator, w native.Width) { t.Op(op, w, native.RAX, native.RCX) })
}

// scalarNegated is the inverse of what an operation gives.
func scalarNegated(op native.ALU) scalarCode {
	return ofTwo(func(t *translator, w native.Width) {
		t.Op(op, w, native.RAX, native.RCX)
		t.Not(w, native.RAX)
		t.nonzero(w)
	})
}

// scalarLowest is the number of the lowest bit that is set, or -1.
func scalarLowest(w native.Width) scalarCode {
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

func scalarPopulation(w native.Width) scalarCode {
	return func(t *translator, in *Inst, _ native.Width) bool {
		if !t.load(w, native.RCX, &in.src[0]) {
			return false
		}
		t.Popcnt(w, native.RAX, native.RCX)
		t.nonzero(native.W32)
		t.store(native.W32, &in.dst)
		return true
	}
}

// scalarExtend extends the sign of what is left without some bits.
func scalarExtend(without uint8) scalarCode {
	return ofOne(func(t *translator, w native.Width) {
		t.ShiftImm(native.SHL, w, native.RAX, without)
		t.ShiftImm(native.SAR, w, native.RAX, without)
	})
}

// scalarField takes a constant field of bits.
func scalarField(s native.Shift) scalarCode {
	return func(t *translator, in *Inst, _ native.Width) bool {
		o := &in.src[1]
		from, width := uint8(o.imm&31), uint8(o.imm>>16&0x7f)
		if o.kind != constant || width == 0 || int(from)+int(width) > 32 ||
			!t.load32(native.RAX, &in.src[0]) {
			return false
		}
		t.ShiftImm(native.SHL, native.W32, native.RAX, 32-from-width)
		t.ShiftImm(s, native.W32, native.RAX, 32-width)
		t.nonzero(native.W32)
		t.store(native.W32, &in.dst)
		return true
	}
}

// scalarExtreme takes the second source on one condition, and sets SCC on
// another.
func scalarExtreme(second, scc native.Cond) scalarCode {
	return ofTwo(func(t *translator, w native.Width) {
		t.Op(native.CMP, w, native.RAX, native.RCX)
		t.SetStore(scc, scalar(regSCC), native.RDX)
		t.Op(native.CMP, w, native.RAX, native.RCX)
		t.Cmov(second, w, native.RAX, native.RCX)
	})
}

// scalarInverted is an operation with the inverse of the second source.
func scalarInverted(op native.ALU) scalarCode {
	return ofTwo(func(t *translator, w native.Width) {
		t.Not(w, native.RCX)
		t.Op(op, w, native.RAX, native.RCX)
		t.scc(native.NE)
	})
}

// scalarCarry is an operation with SCC as its carry.
func scalarCarry(op native.ALU) scalarCode {
	return ofTwo(func(t *translator, w native.Width) {
		t.Load(native.W32, native.RDX, scalar(regSCC))
		t.OpImm(native.ADD, native.W32, native.RDX, -1) // carries if it is not 0
		t.Op(op, w, native.RAX, native.RCX)
		t.scc(native.B)
	})
}

func scalarShift(s native.Shift) scalarCode {
	return func(t *translator, in *Inst, w native.Width) bool {
		if !t.load(w, native.RAX, &in.src[0]) || !t.load32(native.RCX, &in.src[1]) {
			return false
		}
		t.ShiftCL(s, w, native.RAX)
		t.nonzero(w)
		t.store(w, &in.dst)
		return true
	}
}

func scalarCompare(c native.Cond) scalarCode {
	return func(t *translator, in *Inst, w native.Width) bool {
		if !t.load(w, native.RAX, &in.src[0]) || !t.load(w, native.RCX, &in.src[1]) {
			return false
		}
		t.Op(native.CMP, w, native.RAX, native.RCX)
		t.scc(c)
		return true
	}
}

func scalarCompareK(c native.Cond) scalarCode {
	return func(t *translator, in *Inst, w native.Width) bool {
		if !t.load(w, native.RAX, &in.src[0]) {
			return false
		}
		v := in.simm
		if in.Op.src[0] == u32 {
			v = int32(uint16(v))
		}
		t.OpImm(native.CMP, w, native.RAX, v)
		t.scc(c)
		return true
	}
}

// Those of s_and_saveexec_b64 and the like: they make, in RAX, the new EXEC of a source in RAX and EXEC in
// RCX.
func execAnd(t *translator, w native.Width) { t.Op(native.AND, w, native.RAX, native.RCX) }
func execOr(t *translator, w native.Width)  { t.Op(native.OR, w, native.RAX, native.RCX) }
func execXor(t *translator, w native.Width) { t.Op(native.XOR, w, native.RAX, native.RCX) }

func execAndn1(t *translator, w native.Width) {
	t.Not(w, native.RAX)
	execAnd(t, w)
}

func execAndn2(t *translator, w native.Width) {
	t.Not(w, native.RCX)
	execAnd(t, w)
}

// scalarSaveExec is s_and_saveexec_b64 and the like.
func scalarSaveExec(emit func(t *translator, w native.Width)) scalarCode {
	return func(t *translator, in *Inst, w native.Width) bool {
		if w != t.laneWidth() || in.dst.reg >= regExec || !t.load(w, native.RAX, &in.src[0]) {
			return false
		}
		t.Store(w, scalar(in.dst.reg), regMask)
		t.Mov(w, native.RCX, regMask)
		emit(t, w)
		t.nonzero(w)
		t.setExec()
		return true
	}
}
