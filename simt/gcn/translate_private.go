package gcn

import (
	"unsafe"

	"simtgdb/simt/native"
)

// Private memory: what compiled code nearly always does is that all lanes
// access the same dwords of theirs, which lie side by side. The rest is the
// interpreter's. RAX has the address, as a lane sees it.

// scratch accesses private memory by scratch_*.
func (t *translator) scratch(in *Inst) bool {
	if in.src[0].kind != noOperand {
		return false
	}
	t.MovImm(native.RAX, uint64(uint32(in.simm)))
	if o := &in.mem.saddr; o.kind != noOperand {
		if !t.load32(native.RCX, o) {
			return false
		}
		t.Op(native.ADD, native.W32, native.RAX, native.RCX)
	}
	t.private(in, t.unlessDone(in, 0))
	return true
}

// buffer accesses private memory by buffer_*, whose descriptor must be that of
// private memory.
func (t *translator) buffer(in *Inst) bool {
	const (
		swizzled = 1 << 31 // dword 1
		lanes    = 7 << 21 // dword 3: ADD_TID_ENABLE, and how many lanes are a group
	)
	byLane := int32(scratchDescriptor(0, 0, t.lanes)[3] & lanes)
	if in.mem.offen || in.mem.idxen || in.src[0].kind != scalarReg || in.src[0].reg+3 > 107 {
		return false
	}
	bail := t.unlessDone(in, 0)
	s := in.src[0].reg
	t.Load(native.W32, native.RCX, scalar(s+1))
	t.Test(native.W32, native.RCX, native.RCX)
	t.Jcc(native.NS, bail)
	t.Load(native.W32, native.RCX, scalar(s+3))
	t.OpImm(native.AND, native.W32, native.RCX, lanes)
	t.OpImm(native.CMP, native.W32, native.RCX, byLane)
	t.Jcc(native.NE, bail)
	t.Load(native.W64, native.RAX, scalar(s))
	t.ShiftImm(native.SHL, native.W64, native.RAX, 16)
	t.ShiftImm(native.SHR, native.W64, native.RAX, 16)
	t.MovImm(native.RCX, scratchWindow)
	t.Op(native.CMP, native.W64, native.RAX, native.RCX)
	t.Jcc(native.B, bail)
	if !t.load32(native.RCX, &in.mem.soffset) {
		return false
	}
	t.Op(native.ADD, native.W64, native.RAX, native.RCX)
	var r Regs
	t.OpMem(native.SUB, native.W64, native.RAX,
		native.Mem{Base: regS, Disp: int32(unsafe.Offsetof(r.scratchBase))})
	t.Mov(native.W64, native.RCX, native.RAX)
	t.OpImm(native.AND, native.W32, native.RCX, elementSize*int32(t.lanes)-1)
	t.Jcc(native.NE, bail)
	t.ShiftImm(native.SAR, native.W64, native.RAX, t.laneShift())
	t.OpImm(native.ADD, native.W64, native.RAX, in.simm)
	t.private(in, bail)
	return true
}

// flat accesses what flat_* leads to: private memory if the first active
// lane's address does, else global memory.
func (t *translator) flat(in *Inst, wanted uintptr) {
	row := int(in.src[0].reg)
	global, done := t.NewLabel(), t.NewLabel()
	bail := t.unlessDone(in, 0)
	t.Tzcnt(native.W64, native.RCX, regMask)
	at := t.laneInRCX(row)
	next := native.Mem{Base: at.Base, Disp: at.Disp + 256}
	t.Load(native.W32, native.RAX, next)
	t.OpImm(native.CMP, native.W32, native.RAX, PrivateBase>>32)
	t.Jcc(native.NE, global)
	t.Load(native.W32, native.RAX, at)
	t.unlessOne(row, at, next, bail)
	t.OpImm(native.ADD, native.W64, native.RAX, in.simm)
	before := t.rows
	t.private(in, bail)
	t.Jmp(done)
	private := t.rows
	t.Set(global)
	t.rows = before
	t.global(in, wanted)
	t.Set(done)
	for i, row := range private.row {
		if t.rows.row[i] != row {
			t.rows.row[i] = -1
		}
	}
}

// unlessOne jumps unless all active lanes of a row and the next have what is
// at two places.
func (t *translator) unlessOne(row int, at, next native.Mem, bail native.Label) {
	if t.octets {
		t.unlessOneOctet(row, at, next, bail)
		return
	}
	t.V(vpbroadcastd, 16, 0, native.InMem(at), 0)
	t.V(vpbroadcastd, 17, 0, native.InMem(next), 0)
	for q := range t.parts {
		t.V(vpcmpud, 5, 16, native.InMem(quarterAt(row, q)), native.K(1+q), 4)
		t.V(vpcmpud, 6, 17, native.InMem(quarterAt(row+1, q)), native.K(1+q), 4)
		t.Kortest16(5, 6)
		t.Jcc(native.NE, bail)
	}
}

// private moves rows between registers and the dwords at the address in RAX of
// every active lane's private memory.
func (t *translator) private(in *Inst, bail native.Label) {
	n := in.Op.mem.size / 4
	wanted := unsafe.Offsetof(t.c.context.privateLoads)
	if in.Op.mem.write {
		wanted = unsafe.Offsetof(t.c.context.privateStores)
	}
	t.OpMemImm(native.CMP, native.W32, t.field(wanted), 0)
	t.Jcc(native.NE, bail)
	t.OpMem(native.CMP, native.W64, native.RAX, t.field(unsafe.Offsetof(t.c.context.perLane)))
	t.Jcc(native.AE, bail)
	if in.Op.mem.narrow != nil {
		t.privateNarrow(in, bail)
		return
	}
	t.Mov(native.W64, native.RCX, native.RAX)
	t.OpImm(native.AND, native.W32, native.RCX, 3)
	t.Jcc(native.NE, bail)
	t.Lea(native.RCX, native.Mem{Base: native.RAX, Disp: int32(in.Op.mem.size)})
	t.OpMem(native.CMP, native.W64, native.RCX, t.field(unsafe.Offsetof(t.c.context.perLane)))
	t.Jcc(native.A, bail)
	t.ShiftImm(native.SHL, native.W64, native.RAX, t.laneShift())
	t.OpMem(native.ADD, native.W64, native.RAX, t.field(unsafe.Offsetof(t.c.context.scratch)))
	for i := range n {
		if t.octets {
			t.privateOctets(in, i)
			continue
		}
		for q := range t.parts {
			there := native.Mem{Base: native.RAX, Disp: int32(4*t.lanes*i + 64*q)}
			k := native.K(1 + q)
			if in.Op.mem.write {
				t.V(vmovdqu32, 16, 0, native.InMem(quarterAt(int(in.src[1].reg)+i, q)), 0)
				t.V(vmovdqu32to, 16, 0, native.InMem(there), k)
				continue
			}
			t.V(vmovdqu32, 16, 0, native.InMem(there), 0)
			t.V(vmovdqu32to, 16, 0, native.InMem(quarterAt(int(in.dst.reg)+i, q)), k)
		}
	}
	if !in.Op.mem.write {
		for i := range n {
			t.changed(int(in.dst.reg) + i)
		}
	}
}

// privateOctets is private for a dword on hosts without AVX-512.
func (t *translator) privateOctets(in *Inst, i int) {
	for o := range t.parts {
		there := native.Mem{Base: native.RAX, Disp: int32(4*t.lanes*i + 32*o)}
		if in.Op.mem.write {
			t.V256(vmovdqu32, 0, 0, native.InMem(octetAt(int(in.src[1].reg)+i, o)))
			t.mergeOctet(there, 0, o)
			continue
		}
		t.V256(vmovdqu32, 0, 0, native.InMem(there))
		t.mergeOctet(octetAt(int(in.dst.reg)+i, o), 0, o)
	}
}

// scalarLoad makes the code of s_load_*.
func (t *translator) scalarLoad(in *Inst) bool {
	n := typDwords[in.dst.typ]
	const last = 101 // the last register that is no special one
	if in.src[0].typ != b64 || in.dst.kind != scalarReg || int(in.dst.reg)+n-1 > last || in.dst.typ == none ||
		!scalarLoads[in.Op.Name] || in.mem.scaled {
		return false
	}
	var s memorySlot
	m := &in.mem
	field, bail := t.newSlot(in, unsafe.Offsetof(t.c.context.loads))
	t.tellScalar(in, field, bail)
	if !t.load64(native.RAX, &in.src[0]) {
		return false
	}
	if m.soffset.kind == noOperand || m.immOffset {
		t.OpImm(native.ADD, native.W64, native.RAX, in.simm)
	}
	if m.soffset.kind != noOperand {
		if !t.load32(native.RCX, &m.soffset) {
			return false
		}
		t.Op(native.ADD, native.W64, native.RAX, native.RCX)
	}
	t.OpImm(native.AND, native.W64, native.RAX, -4)
	t.OpMem(native.SUB, native.W64, native.RAX, field(unsafe.Offsetof(s.base)))
	t.OpMem(native.CMP, native.W64, native.RAX, field(unsafe.Offsetof(s.limit)))
	t.Jcc(native.A, bail)
	t.OpMem(native.ADD, native.W64, native.RAX, field(unsafe.Offsetof(s.data)))
	for i := 0; i < n; i += 2 {
		w := native.Width(n-i > 1)
		t.Load(w, native.RCX, native.Mem{Base: native.RAX, Disp: int32(4 * i)})
		t.Store(w, scalar(in.dst.reg+uint16(i)), native.RCX)
	}
	return true
}

// scalarLoads are the loads that scalarLoad knows.
var scalarLoads = map[string]bool{"s_load_dword": true, "s_load_dwordx2": true, "s_load_dwordx4": true,
	"s_load_dwordx8": true, "s_load_dwordx16": true, "s_load_b96": true}
