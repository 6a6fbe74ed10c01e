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
	x, tracked := &t.c.context, t.NewLabel()
	b, place := t.now, t.place
	t.OpMemImm(native.CMP, native.W32, t.field(unsafe.Offsetof(x.tracked)), 0)
	t.Jcc(native.NE, tracked)
	t.stubs = append(t.stubs, func() {
		t.now = b
		t.Set(tracked)
		t.call(place, place+1, 0, tracked) // nothing goes on behind it
	})
	known := in.Op.Name == "s_call_b64"
	if known {
		t.MovImm(native.RAX, in.branchTarget())
	} else {
		t.load64(native.RAX, &in.src[0])
	}
	if in.Op.flow == simt.FlowCall {
		t.MovImm(native.RCX, in.PC+uint64(in.Size))
		t.Store(native.W64, scalar(in.dst.reg), native.RCX)
	}
	var r Regs
	jump := func(field uintptr) native.Mem {
		return native.Mem{Base: regS, Disp: int32(unsafe.Offsetof(r.jump) + field)}
	}
	t.MovImm(native.RCX, in.PC)
	t.Store(native.W64, jump(unsafe.Offsetof(r.jump.from)), native.RCX)
	t.Store(native.W64, jump(unsafe.Offsetof(r.jump.to)), native.RAX)
	if known {
		t.jumpTo(in.branchTarget())
		return
	}
	t.Jmp(t.leave)
}
