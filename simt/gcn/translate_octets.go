package gcn

import (
	"unsafe"

	"simtgdb/simt/native"
	"simtgdb/simt/vec"
)

// Translations for hosts that have AVX2 and no AVX-512: vector instructions
// work from memory to memory, eight lanes at a time. What is here is integers
// and singles, and moves; numbers of 64 bits are in translate_octet_pairs.go. Scalar
// instructions, memory and the way through blocks are those of AVX-512.

var (
	vpcmpgtd  = ins(1, 1, 0x66)
	vblendvps = ins(3, 1, 0x4a)
	vmovmskps = ins(1, 0, 0x50)
	vptest    = ins(2, 1, 0x17)
	vpblendd  = ins(3, 1, 0x02)
	vroundps  = vrndscaleps // the same bits
)

// Vector registers of an octet: 0 to 2 are the sources that are rows, from
// firstUniform on those that are the same in all lanes.
const (
	yResult      native.Z = 3 // unless the instruction is one of a segment
	yCarry       native.Z = 2 // of instructions with two sources
	yBad         native.Z = 11
	firstUniform native.Z = 12
)

// An octetCode is a vector instruction that is being translated.
type octetCode struct {
	*vectorCode
	o       int      // the octet
	d       native.Z // where the result goes
	from    [3]*operand
	uniform [3]native.Z // 0: a row
	changes [3]*srcChange

	run   *octetRun // of a segment that the instruction is one of, or nil
	takes *operand  // the mask source there
}

// newOctetCode is an instruction by itself.
func newOctetCode(x *vectorCode) *octetCode { return &octetCode{vectorCode: x, d: yResult} }

func (x *octetCode) op(i native.Instruction, d, s, r native.Z, imm ...byte) {
	x.t.V256(i, d, s, native.InReg(r), imm...)
}

// all is a register with a number in every lane.
func (x *octetCode) all(z native.Z, v uint32) native.Z {
	x.t.V256(vpbroadcastd, z, 0, native.InMem(x.t.constant(v)))
	return z
}

// s is an octet of source A, B or C.
func (x *octetCode) s(i int) native.Z {
	if x.run != nil {
		z := x.run.operand(x.from[i], 0)
		if x.changes[i] == nil {
			return z
		}
		x.op(vmovdqa32, native.Z(i), 0, z)
		x.change(x.changes[i], native.Z(i))
		return native.Z(i)
	}
	if x.uniform[i] != 0 {
		return x.uniform[i]
	}
	z := native.Z(i)
	x.t.V256(vmovdqu32, z, 0, native.InMem(octetAt(int(x.from[i].reg), x.o)))
	x.change(x.changes[i], z)
	return z
}

func octetAt(row, o int) native.Mem { return native.Mem{Base: regV, Disp: int32(256*row + 32*o)} }

// change makes a register what a source is after a change.
func (x *octetCode) change(by *srcChange, z native.Z) {
	switch {
	case by == nil:
	case by.op == vec.Signs:
		x.all(4, 1<<31)
		if by.b != 0 {
			x.op(vpandnd, z, 4, z)
		}
		if by.c != 0 {
			x.op(vpxord, z, 4, z)
		}
	default:
		kind := native.Z(shiftRight)
		if by.op == vec.BfeI {
			kind = shiftSign
		}
		x.op(vpshiftd, shiftLeft, z, z, byte(32-by.b-by.c))
		x.op(vpshiftd, kind, z, z, byte(32-by.c))
	}
}

// maskAt is where EXEC is, of an octet, a dword for each lane.
func (t *translator) maskAt(o int) native.Mem {
	return t.field(unsafe.Offsetof(t.c.context.masks) + uintptr(32*o))
}

// write puts a register into an octet of a row, under EXEC.
func (x *octetCode) write(row int, r native.Z) {
	if x.run != nil {
		x.run.put(row, r, x.d)
		return
	}
	x.t.mergeOctet(octetAt(row, x.o), r, x.o)
}

// mergeOctet stores the active lanes of a register. It uses 8 and 9.
func (t *translator) mergeOctet(at native.Mem, r native.Z, o int) {
	t.V256(vmovdqu32, 8, 0, native.InMem(t.maskAt(o)))
	t.V256(vmovdqu32, 9, 0, native.InMem(at))
	t.V256(vblendvps, 9, 9, native.InReg(r), 8<<4)
	t.V256(vmovdqu32to, 9, 0, native.InMem(at))
}

// expand makes dwords of eight bits of a mask in memory.
func (t *translator) expand(z native.Z, mask native.Mem, o int) {
	mask.Disp += int32(4 * (o / 4))
	t.V256(vpbroadcastd, z, 0, native.InMem(mask))
	bits := t.octetBits(o % 4)
	t.V256(vpandd, z, z, native.InMem(bits))
	t.V256(vpcmpeqd, z, z, native.InMem(bits))
}

// inField is where the mask source is.
func (t *translator) inField() native.Mem { return t.field(unsafe.Offsetof(t.c.context.in)) }

// octetBits is where the bits of a byte of a dword are, each in a dword.
func (t *translator) octetBits(byte int) native.Mem {
	if t.octetPool == 0 {
		t.octetPool = len(t.pool) + 1
		for i := range 32 {
			t.pool = append(t.pool, 1<<i)
		}
	}
	return native.Mem{Base: regPool, Disp: int32(4 * (t.octetPool - 1 + 8*byte))}
}

// spread makes the context's masks what EXEC is, unless they are.
func (t *translator) spread() {
	same := t.NewLabel()
	t.OpMem(native.CMP, native.W64, regMask, t.field(unsafe.Offsetof(t.c.context.spread)))
	t.Jcc(native.E, same)
	t.Store(native.W64, t.field(unsafe.Offsetof(t.c.context.spread)), regMask)
	for o := range t.parts {
		t.expand(8, t.field(unsafe.Offsetof(t.c.context.spread)), o)
		t.V256(vmovdqu32to, 8, 0, native.InMem(t.maskAt(o)))
	}
	t.Set(same)
}

// octetInst makes the code of a vector instruction that is an operation of
// package vec.
func (t *translator) octetInst(in *Inst) bool {
	f := in.fast
	if in.dst.kind == vectorReg && typDwords[in.dst.typ] > 1 {
		return t.byForm(in)
	}
	form, ok := octetForms()[f.op]
	if !ok || t.mode&f.mode != f.want {
		return false
	}
	if in.writesExec() {
		t.whileTracked(in)
	}
	x := newOctetCode(&vectorCode{t: t, in: in})
	bail := native.Label(-1)
	if form.check != nil {
		bail = t.unlessDone(in, 0)
	}
	for i := range f.n {
		if !x.source(&in.src[i], i) {
			return false
		}
	}
	if in.Op.flag&readsVCC != 0 {
		t.Load(t.laneWidth(), native.RSI, scalar(regVCC))
		t.Store(native.W64, t.inField(), native.RSI)
	}
	if form.check != nil {
		t.V256(vpxord, yBad, yBad, native.InReg(yBad))
		for x.o = range t.parts {
			bad := form.check(x)
			t.V256(vpandd, bad, bad, native.InMem(t.maskAt(x.o)))
			x.op(vpord, yBad, yBad, bad)
		}
		x.op(vptest, yBad, 0, yBad)
		t.Jcc(native.NE, bail)
	}
	return x.emit(&form)
}

// source makes source i of the instruction ready.
func (x *octetCode) source(o *operand, i int) bool {
	t, f := x.t, x.in.fast
	if o.typ == mask || o.typ == mask32 {
		if !t.loadLanes(native.RSI, o) {
			return false
		}
		t.Store(native.W64, t.inField(), native.RSI)
		return true
	}
	place := f.first[i]
	x.from[place] = o
	if typDwords[o.typ] > 1 {
		return false
	}
	z := firstUniform + native.Z(place)
	switch {
	case o.kind == vectorReg:
		x.changes[place] = f.changes[i]
		return true
	case o.kind == constant:
		x.all(z, uint32(o.imm))
	case o.kind == scalarReg && o.reg <= 255:
		t.V256(vpbroadcastd, z, 0, native.InMem(scalar(o.reg)))
	default:
		return false
	}
	x.uniform[place] = z
	x.change(f.changes[i], z)
	return true
}

// emit makes the code of all octets.
func (x *octetCode) emit(form *octetForm) bool {
	t, in := x.t, x.in
	for x.o = range x.t.parts {
		r := form.emit(x)
		if r == noOctets {
			return false
		}
		if form.compares {
			x.collect(r)
			continue
		}
		x.write(int(in.dst.reg), r)
		if form.carries {
			x.collect(yCarry)
		}
	}
	if !form.compares {
		t.changed(int(in.dst.reg))
	}
	if form.compares || form.carries {
		if form.compares && form.negated != in.fast.invert {
			t.Not(native.W64, native.RDX)
		}
		t.Op(native.AND, native.W64, native.RDX, regMask)
		x.writeMask()
	}
	return true
}

// noOctets says that an instruction has no such form.
const noOctets native.Z = 255

// collect adds an octet's mask to RDX.
func (x *octetCode) collect(z native.Z) {
	t := x.t
	if x.o == 0 {
		x.op(vmovmskps, native.Z(native.RDX), 0, z)
		return
	}
	x.op(vmovmskps, native.Z(native.RCX), 0, z)
	t.ShiftImm(native.SHL, native.W64, native.RCX, uint8(8*x.o))
	t.Op(native.OR, native.W64, native.RDX, native.RCX)
}

// octetCopies makes rows of dwords of sources.
func (x *vectorCode) octetCopies(from [][2]int) bool {
	for o := range x.t.parts {
		for i, f := range from { // all are read before one is written
			s, z := &x.in.src[f[0]], native.Z(i)
			switch s.kind {
			case vectorReg:
				x.t.V256(vmovdqu32, z, 0, native.InMem(octetAt(int(s.reg)+f[1], o)))
			case constant:
				x.t.V256(vpbroadcastd, z, 0, native.InMem(x.t.constant(uint32(s.imm>>(32*f[1])))))
			default:
				x.t.V256(vpbroadcastd, z, 0, native.InMem(scalar(s.reg+uint16(f[1]))))
			}
		}
		for i := range from {
			x.t.mergeOctet(octetAt(int(x.in.dst.reg)+i, o), native.Z(i), o)
		}
	}
	for i := range from {
		x.t.changed(int(x.in.dst.reg) + i)
	}
	return true
}

// unlessOneOctet is unlessOne for hosts without AVX-512.
func (t *translator) unlessOneOctet(row int, at, next native.Mem, bail native.Label) {
	t.V256(vpbroadcastd, 0, 0, native.InMem(at))
	t.V256(vpbroadcastd, 1, 0, native.InMem(next))
	for o := range t.parts {
		t.V256(vpxord, 2, 0, native.InMem(octetAt(row, o)))
		t.V256(vpxord, 3, 1, native.InMem(octetAt(row+1, o)))
		t.V256(vpord, 2, 2, native.InReg(3))
		t.V256(vpandd, 2, 2, native.InMem(t.maskAt(o)))
		t.V256(vptest, 2, 0, native.InReg(2))
		t.Jcc(native.NE, bail)
	}
}
