package gcn

import (
	"unsafe"

	"simtgdb/simt"
	"simtgdb/simt/native"
)

// Calls and returns: a translation leaves to where they lead, unless a debugger keeps a record of calls.

// leads reports whether an instruction is a call or an indirect jump that has a translation.
func (in *Inst) leads() bool {
	const last = 104 // the last register that may begin a pair which is no special one
	switch in.Op.Name {
	case "s_setpc_b64":
		return in.src[0].kind == scalarReg
	case "s_swappc_b64":
		return in.src[0].kind == scalarReg && in.dst.reg <= last
	case "s_call_b64":
		return in.dst.reg <= last
	}
	return false
}

// lead ends a block with such an instruction.
func (t *translator) lead(in *Inst) {
	t.count(t.counted)
	t.counted = 0
	t.whereRecorded()
	known := in.Op.Name == "s_call_b64"
	if known {
		t.MovImm(native.RAX, in.branchTarget())
	} else {
		t.load64(native.RAX, &in.src[0])
	}
	if in.Op.flow == simt.FlowCall {
		t.MovImm(native.RCX, in.PC+uint64(in.Size))
		t.Store(native.W64, scalar(in.dst.reg), native.RCX)
		t.enterCall(in.PC)
	} else {
		t.leaveCall()
	}
	var r Regs
	jump := func(field uintptr) native.Mem {
		return native.Mem{Base: regS, Disp: int32(unsafe.Offsetof(r.jump) + field)}
	}
	t.MovImm(native.RCX, in.PC)
	t.Store(native.W64, jump(unsafe.Offsetof(r.jump.from)), native.RCX)
	t.Store(native.W64, jump(unsafe.Offsetof(r.jump.to)), native.RAX)
	if known {
		t.jumpTo(in.leadsTo())
		return
	}
	t.Jmp(t.leave)
}

// waits reports whether an instruction is a barrier that has a translation.
func (in *Inst) waits() bool { return in.Op.Name == "s_barrier" && in.form == SOPP }

// wait ends a block with a barrier: the core stops there.
func (t *translator) wait(in *Inst) {
	t.count(t.counted)
	t.counted = 0
	t.whereTeam(in, memberWaits)
	t.MovImm(native.RAX, in.PC)
	t.Store(native.W64, t.field(unsafe.Offsetof(t.c.context.barrier)), native.RAX)
	t.MovImm(native.RAX, in.PC+uint64(in.Size))
	t.Jmp(t.leave)
}

// finishes reports whether an instruction ends the wave and has a translation.
func (in *Inst) finishes() bool { return in.Op.Name == "s_endpgm" }

// finish ends a block with the end of the wave.
func (t *translator) finish(in *Inst) {
	t.count(t.counted)
	t.counted = 0
	t.whereTeam(in, memberEnded)
	t.whereSeries(in)
	t.MovImm(native.RAX, in.PC)
	t.Store(native.W64, t.field(unsafe.Offsetof(t.c.context.ended)), native.RAX)
	t.MovImm(native.RAX, in.PC+uint64(in.Size))
	t.Jmp(t.leave)
}

// whereRecorded leaves a call or a return, which ends a block, to the interpreter if a debugger keeps a
// record.
func (t *translator) whereRecorded() {
	tracked, b, place := t.NewLabel(), t.now, t.place
	t.OpMemImm(native.CMP, native.W32, t.field(unsafe.Offsetof(t.c.context.tracked)), 0)
	t.Jcc(native.NE, tracked)
	t.stubs = append(t.stubs, func() {
		t.now = b
		t.Set(tracked)
		t.call(place, place+1, 0, false, tracked) // nothing goes on behind it
	})
}

// callField is a field of the call stack, or, relative to its place, of a call that is held.
func callField(base native.Reg, offset uintptr) native.Mem {
	var r Regs
	return native.Mem{Base: base, Disp: int32(unsafe.Offsetof(r.calls) + offset)}
}

// heldAt makes RSI what fields of the call are relative to that RDX is the number of.
func (t *translator) heldAt() {
	t.Mov(native.W64, native.RSI, native.RDX)
	t.OpImm(native.AND, native.W32, native.RSI, heldCalls-1)
	t.ImulImm(native.W64, native.RSI, native.RSI, int32(unsafe.Sizeof(heldCall{})))
	t.Op(native.ADD, native.W64, native.RSI, regS)
}

// enterCall is callStack.enter; where the call returns to is in RCX.
func (t *translator) enterCall(site uint64) {
	var s callStack
	var h heldCall
	held := unsafe.Offsetof(s.held)
	t.Load(native.W64, native.RDX, callField(regS, unsafe.Offsetof(s.depth)))
	t.heldAt()
	t.Store(native.W64, callField(native.RSI, held+unsafe.Offsetof(h.back)), native.RCX)
	t.MovImm(native.RCX, site)
	t.Store(native.W64, callField(native.RSI, held+unsafe.Offsetof(h.site)), native.RCX)
	t.OpImm(native.ADD, native.W64, native.RDX, 1)
	t.Store(native.W64, callField(native.RSI, held+unsafe.Offsetof(h.depth)), native.RDX)
	t.Store(native.W64, callField(regS, unsafe.Offsetof(s.depth)), native.RDX)
}

// leaveCall is callStack.leave; where the jump leads to is in RAX.
func (t *translator) leaveCall() {
	var s callStack
	var h heldCall
	stays := t.NewLabel()
	t.Load(native.W64, native.RDX, callField(regS, unsafe.Offsetof(s.depth)))
	t.OpImm(native.SUB, native.W64, native.RDX, 1)
	t.Jcc(native.B, stays)
	t.heldAt()
	t.OpMem(native.CMP, native.W64, native.RAX,
		callField(native.RSI, unsafe.Offsetof(s.held)+unsafe.Offsetof(h.back)))
	t.Jcc(native.NE, stays)
	t.Store(native.W64, callField(regS, unsafe.Offsetof(s.depth)), native.RDX)
	t.Set(stays)
}
