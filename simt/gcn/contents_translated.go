package gcn

import (
	"math/bits"
	"slices"
	"unsafe"

	"simtgdb/simt"
	"simtgdb/simt/native"
)

// Code stays translated while values are followed. Where all that a stretch of instructions reads has
// contents, all that it gives has: so translated code looks, before a stretch, whether any of the registers
// that it names has not. If none has it goes on. If one that is read has not, in a lane that executes, the
// rest of the block is the interpreter's, which follows each instruction. Else what is written has contents
// from then on, in the lanes that execute.

// A regSet is a set of registers: vector registers, scalar registers, SCC.
type regSet [setWords]uint64

// Words of a regSet.
const (
	scalarWord  = registersFollowed / 64
	scalarWords = masksFollowed / 64
	sccWord     = scalarWord + scalarWords
	setWords    = sccWord + 1
)

// masksFollowed are the scalar registers that may hold masks.
const masksFollowed = 128

func (s *regSet) has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }
func (s *regSet) add(i int)      { s[i>>6] |= 1 << (i & 63) }
func (s *regSet) remove(i int)   { s[i>>6] &^= 1 << (i & 63) }

// put makes a register one of the set, or not.
func (s *regSet) put(i int, is bool) {
	if is {
		s.add(i)
	} else {
		s.remove(i)
	}
}

// Registers that are no vector registers, in a regSet.
const (
	scalarsFrom = 64 * scalarWord
	sccIn       = 64 * sccWord
)

// setLanes says in which lanes of those that execute a vector register has no contents, and where that came
// from.
func (s *valueState) setLanes(at int, exec, blank, from uint64) {
	s.lanes[at] = s.lanes[at]&^exec | blank
	s.parts.lanes[at] &^= exec
	if blank != 0 {
		s.from[at], s.marked = from, true
	}
	s.some.put(at, s.lanes[at]|s.parts.lanes[at] != 0)
}

// setSome finds whether a scalar register and the other of its pair are in the set.
func (s *valueState) setSome(at int) {
	for _, i := range [...]int{at &^ 1, at | 1} {
		w, bit := i/64, uint64(1)<<(i%64)
		if s.scalars.masks[w] &^= bit; s.masks[i]|s.masks[i&^1] != 0 {
			s.scalars.masks[w] |= bit
		}
		s.some.put(scalarsFrom+i, (s.scalars.masks[w]|s.scalars.empty[w])&bit != 0)
	}
}

// setSCC says whether SCC comes of what has no contents.
func (s *valueState) setSCC(is bool, made uint64) {
	s.scalars.made = made
	s.some.put(sccIn, is)
}

// uses are what a stretch of instructions reads before it writes it, where it matters whether that has
// contents, and what it writes.
type uses struct {
	reads, writes regSet
	first         bool // a lane is read, if none executes the first
}

// read adds registers of an operand, from one on.
func (u *uses) read(o *operand, first, n int) {
	at := int(o.reg) + first
	switch o.kind {
	case vectorReg:
	case scalarReg:
		if at+n > masksFollowed {
			return
		}
		at += scalarsFrom
	default:
		return
	}
	for i := at; i < at+n; i++ {
		if (o.kind == scalarReg || i < registersFollowed) && !u.writes.has(i) {
			u.reads.add(i)
		}
	}
}

// all adds all registers of an operand.
func (u *uses) all(o *operand) { u.read(o, 0, max(typDwords[o.typ], 1)) }

// scalar adds those of an operand of scalar registers.
func (u *uses) scalar(o *operand, n int) {
	if o.kind == scalarReg {
		u.read(o, 0, n)
	}
}

// vector adds those of an operand of vector registers.
func (u *uses) vector(o *operand) {
	if o.kind == vectorReg {
		u.all(o)
	}
}

// add adds an instruction: what Core.beforeValues looks at, and what Core.afterValues says.
func (u *uses) add(in *Inst) {
	op := in.Op
	switch {
	case in.form == SMEM, in.form >= DS && op.mem != nil:
		u.scalar(&in.src[0], max(typDwords[in.src[0].typ], 1))
		u.scalar(&in.mem.saddr, max(typDwords[in.mem.saddr.typ], 1))
		u.scalar(&in.mem.soffset, 1)
	case op.flow == simt.FlowIndirect, op.flow == simt.FlowCall:
		u.scalar(&in.src[0], max(typDwords[in.src[0].typ], 1))
	case op.Enc == SOPP && op.flow == simt.FlowBranch && in.readsSCC() && !u.writes.has(sccIn):
		u.reads.add(sccIn)
	case op.Enc == SOPP && op.flow == simt.FlowBranch && in.readsVCC():
		u.read(&operand{kind: scalarReg, reg: regVCC}, 0, 2)
	}
	if in.form < DS {
		u.addValues(in)
	} else if op.mem != nil {
		o := &in.src[0]
		if in.form == MUBUF || in.form == MTBUF {
			o = &in.src[2]
		}
		u.vector(o)
		if in.keepsBits() != 0 {
			u.vector(&in.dst)
		}
		if op.mem.write {
			u.vector(&in.src[1])
			if op.mem.places != 0 {
				u.vector(&in.src[2])
			}
		}
	}
	if in.form < SMEM && op.Enc != SOPP {
		u.writes.add(sccIn)
	}
	for _, o := range []*operand{&in.dst, &in.sdst} {
		at, end := int(o.reg), int(o.reg)+max(typDwords[o.typ], 1)
		switch o.kind {
		case vectorReg:
			end = min(end, registersFollowed)
		case scalarReg:
			at, end = at+scalarsFrom, min(end, masksFollowed)+scalarsFrom
		default:
			continue
		}
		for ; at < end; at++ {
			u.writes.add(at)
		}
	}
}

// addValues is add for what an instruction that accesses no memory reads.
func (u *uses) addValues(in *Inst) {
	kind := in.valueOf()
	if in.Op.mask != nil && kind != valueMask {
		u.scalar(&in.src[0], 1)
		u.scalar(&in.src[1], 1)
	}
	switch kind {
	case valueWritten:
	case valueBits:
		u.vector(&in.src[0])
		u.vector(&in.src[1])
	case valueLow:
		low := in.src[1]
		low.typ = b32
		u.vector(&low)
	case valueMask:
		u.scalar(&in.src[0], 2)
		u.scalar(&in.src[1], 2)
	case valueChoice:
		u.vector(&in.src[0])
		u.vector(&in.src[1])
		u.scalar(&in.src[2], 2)
	default:
		for i := range in.src {
			u.all(&in.src[i])
		}
		if in.Op.flag&readsDst != 0 || in.keepsBits() != 0 {
			u.all(&in.dst)
		}
		u.first = u.first || kind == valueReadLane
	}
}

// followedAlone reports whether the interpreter executes an instruction while values are followed: what it
// gives depends on single lanes, or on more than its operands.
func (in *Inst) followedAlone() bool {
	switch in.Op.value {
	case valueWriteLane:
		return true
	case valueReadLane:
		return in.src[1].kind != noOperand
	}
	return in.image != nil
}

// offsetParts is where the lanes of parts are.
const offsetParts = unsafe.Offsetof(valueState{}.parts) + unsafe.Offsetof(partState{}.lanes)

// evenBits are those of the first registers of pairs.
const evenBits = 0x5555555555555555

// stretch is where a value is found first, or how many there are.
func stretch(left []bool, end bool) int {
	if n := slices.Index(left, end); n >= 0 {
		return n
	}
	return len(left)
}

// follows makes the code before a stretch of a block's instructions.
func (t *translator) follows(insts []Inst) {
	if !t.valued {
		return
	}
	var u uses
	for i := range insts {
		for _, part := range insts[i].parts() {
			u.add(part)
		}
	}
	slow, back := t.NewLabel(), t.NewLabel()
	t.Load(native.W64, native.RCX, t.field(unsafe.Offsetof(t.c.context.values)))
	for i := range u.reads {
		if both := u.reads[i] | u.writes[i]; both != 0 {
			t.MovImm(native.RAX, both)
			t.OpMem(native.AND, native.W64, native.RAX, blankWord(i))
			t.Jcc(native.NE, slow)
		}
	}
	t.Set(back)
	bail := t.leaveBefore(&insts[0])
	t.stubs = append(t.stubs, func() {
		t.Set(slow)
		t.readsBlank(&u, bail)
		t.givesContents(&u)
		t.Jmp(back)
	})
}

// valueAt is a word of a valueState, which RCX leads to; blankWord is one of those that say what may have no
// contents, and blankLanes and blankParts say of which lanes.
func valueAt(offset uintptr, i int) native.Mem {
	return native.Mem{Base: native.RCX, Disp: int32(offset) + int32(8*i)}
}

func blankWord(i int) native.Mem  { return valueAt(unsafe.Offsetof(valueState{}.some), i) }
func blankLanes(i int) native.Mem { return valueAt(unsafe.Offsetof(valueState{}.lanes), i) }
func blankParts(i int) native.Mem { return valueAt(offsetParts, i) }

// readsBlank leaves where instructions read what has no contents.
func (t *translator) readsBlank(u *uses, bail native.Label) {
	var s valueState
	masks := unsafe.Offsetof(s.scalars) + unsafe.Offsetof(s.scalars.masks)
	if u.first {
		t.Test(native.W64, regMask, regMask)
		t.Jcc(native.E, bail)
	}
	eachIn(u.reads[:scalarWord], func(r int) {
		t.Load(native.W64, native.RAX, blankLanes(r))
		t.OpMem(native.OR, native.W64, native.RAX, blankParts(r))
		t.Op(native.AND, native.W64, native.RAX, regMask)
		t.Jcc(native.NE, bail)
	})
	for i := range scalarWords { // masks are the interpreter's
		if both := u.reads[scalarWord+i] | u.writes[scalarWord+i]; both != 0 {
			t.MovImm(native.RAX, both|both>>1&evenBits|both<<1&^evenBits)
			t.OpMem(native.AND, native.W64, native.RAX, valueAt(masks, i))
			t.Jcc(native.NE, bail)
		}
	}
	for i := scalarWord; i < setWords; i++ {
		if u.reads[i] != 0 {
			t.MovImm(native.RAX, u.reads[i])
			t.OpMem(native.AND, native.W64, native.RAX, blankWord(i))
			t.Jcc(native.NE, bail)
		}
	}
}

// givesContents says that what instructions write has contents.
func (t *translator) givesContents(u *uses) {
	var s valueState
	empty := unsafe.Offsetof(s.scalars) + unsafe.Offsetof(s.scalars.empty)
	for i := scalarWord; i < setWords; i++ {
		if u.writes[i] != 0 {
			t.MovImm(native.RAX, ^u.writes[i])
			t.OpToMem(native.AND, native.W64, blankWord(i), native.RAX)
			if i < sccWord {
				t.OpToMem(native.AND, native.W64, valueAt(empty, i-scalarWord), native.RAX)
			}
		}
	}
	t.Mov(native.W64, native.RDX, regMask)
	t.Not(native.W64, native.RDX)
	eachIn(u.writes[:scalarWord], func(r int) {
		t.noteWritten(r, blankWord(r/64), blankParts(r), blankLanes(r))
	})
}

// noteWritten makes the code that notes that a vector register has been written in the lanes that execute,
// those that rdx has not: in its word of a regSet, and in its lanes.
func (t *translator) noteWritten(r int, word, parts, lanes native.Mem) {
	next := t.NewLabel()
	for _, of := range []native.Mem{parts, lanes} {
		t.Mov(native.W64, native.RAX, native.RDX)
		t.OpMem(native.AND, native.W64, native.RAX, of)
		t.Store(native.W64, of, native.RAX)
	}
	t.OpMem(native.OR, native.W64, native.RAX, parts)
	t.Jcc(native.NE, next)
	word.Disp += int32(r / 32 % 2 * 4)
	t.OpMemImm(native.AND, native.W32, word, ^(int32(1) << (r % 32)))
	t.Set(next)
}

// eachIn calls f for every register in words of a set.
func eachIn(set []uint64, f func(r int)) {
	for i, word := range set {
		for ; word != 0; word &= word - 1 {
			f(64*i + bits.TrailingZeros64(word))
		}
	}
}

// wroteBlank reports whether an instruction has given registers without contents, in lanes that execute.
func (s *valueState) wroteBlank(in *Inst, exec uint64) (is bool) {
	in.eachResult(func(o *operand, n int) {
		for i := int(o.reg); i < int(o.reg)+n; i++ {
			switch {
			case o.kind == scalarReg:
				is = is || i < masksFollowed && s.some.has(scalarsFrom+i)
			case i < registersFollowed:
				is = is || (s.lanes[i]|s.parts.lanes[i])&exec != 0
			}
		}
	})
	return is
}
