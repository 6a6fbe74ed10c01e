package gcn

import "simtgdb/simt/native"

// Vector instructions that reach single lanes.

// An oddForm makes the code of such an instruction.
type oddForm func(*translator, *Inst) bool

func (f oddForm) translate(t *translator, in *Inst) bool {
	writesExec := in.dst.kind == scalarReg && in.dst.reg >= regExec && in.dst.reg <= regExec+1
	return !writesExec && in.mod.plain(in) && f(t, in)
}

// lane makes RCX such that a lane of a row is at the place that it returns.
func (t *translator) lane(row int, o *operand) (native.Mem, bool) {
	if o.kind == constant {
		return native.Mem{Base: regV, Disp: int32(256*row) + 4*int32(int(o.imm)&(t.lanes-1))}, true
	}
	if !t.load32(native.RCX, o) {
		return native.Mem{}, false
	}
	return t.laneInRCX(row), true
}

// laneInRCX is lane for a number in RCX.
func (t *translator) laneInRCX(row int) native.Mem {
	t.OpImm(native.AND, native.W32, native.RCX, int32(t.lanes-1))
	t.ShiftImm(native.SHL, native.W32, native.RCX, 2)
	t.Op(native.ADD, native.W64, native.RCX, regV)
	return native.Mem{Base: native.RCX, Disp: int32(256 * row)}
}

func readLaneCode(t *translator, in *Inst) bool {
	if o := &in.src[0]; o.kind != vectorReg {
		return readUniform(t, in)
	}
	at, ok := t.lane(int(in.src[0].reg), &in.src[1])
	if ok {
		t.Load(native.W32, native.RAX, at)
		t.Store(native.W32, scalar(in.dst.reg), native.RAX)
	}
	return ok
}

func readFirstLaneCode(t *translator, in *Inst) bool {
	if o := &in.src[0]; o.kind != vectorReg {
		return readUniform(t, in)
	}
	t.Tzcnt(native.W64, native.RCX, regMask) // 64 of no lane, which is lane 0
	t.Load(native.W32, native.RAX, t.laneInRCX(int(in.src[0].reg)))
	t.Store(native.W32, scalar(in.dst.reg), native.RAX)
	return true
}

// readUniform reads any lane of what is the same in all.
func readUniform(t *translator, in *Inst) bool {
	if !t.load32(native.RAX, &in.src[0]) {
		return false
	}
	t.Store(native.W32, scalar(in.dst.reg), native.RAX)
	return true
}

func writeLaneCode(t *translator, in *Inst) bool {
	row := int(in.dst.reg)
	at, ok := t.lane(row, &in.src[1])
	if !ok || !t.load32(native.RAX, &in.src[0]) {
		return false
	}
	t.Store(native.W32, at, native.RAX)
	t.changed(row)
	return true
}
