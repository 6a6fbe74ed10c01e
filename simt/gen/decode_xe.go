package gen

import (
	"fmt"

	"simtgdb/simt"
)

// The encoding from Gen12LP on ("Intel Iris Xe MAX Graphics Open Source Programmer's Reference Manual",
// volume 9, "EU Instruction Formats").

var xeEncoding = encoding{(*Inst).controlsXe, (*Inst).operandsXe, (*Op).compactsXe, expandXe, (*Inst).waitXe}

// xeTypes are the types by their codes; in instructions of three sources the first bit is one for all
// operands.
var xeTypes = typeCodes{
	[16]Type{UB, UW, UD, UQ, B, W, D, Q, noType, HF, F, DF, noType, noType, noType, noType},
	[16]Type{UV, UW, UD, UQ, V, W, D, Q, VF, HF, F, DF, noType, noType, noType, noType}}

// xeHPTypes have BF besides.
var xeHPTypes = typeCodes{
	[16]Type{UB, UW, UD, UQ, B, W, D, Q, noType, HF, F, DF, noType, BF, noType, noType}, xeTypes.immediates}

// xeHPCTypes have TF32 besides, and constants of BF.
var xeHPCTypes = typeCodes{
	[16]Type{UB, UW, UD, UQ, B, W, D, Q, BF8, HF, F, DF, noType, BF, TF32, noType},
	[16]Type{UV, UW, UD, UQ, V, W, D, Q, VF, HF, F, DF, noType, BF, noType, noType}}

// xeOpcode is the code from Gen12LP on of an instruction, by the one that it had before. It reports whether
// there is one.
func xeOpcode(code uint8) (uint8, bool) {
	switch {
	case code == opNop:
		return 0x60, true
	case code == opSync:
		return 0x01, true
	case code == opSmov, code == opWait, code == opSends, code == opSendsc:
		return 0, false
	case 0 < code && code < 0x20:
		return code + 0x60, true
	}
	return code, true
}

// controlsXe decodes what all instructions have.
func (in *Inst) controlsXe(_ *Generation, w word) {
	in.width = 1 << w.bits(16, 3)
	in.first = 4 * int(w.bits(19, 3))
	in.flag = uint8(w.bits(22, 2))
	in.pred = uint8(w.bits(24, 4))
	in.invert = w.bit(28)
	in.noMask = w.bit(31)
	in.cond = uint8(w.bits(92, 4))
	in.saturate = w.bit(34)
	switch f := in.Op.form; {
	case in.Op.flags&branchFlag != 0:
		in.branch = w.bit(33)
	case f == formBasic, f == formMath, in.Op.ternary():
		in.accWrite = w.bit(33)
	}
	for i, o := range optionNames {
		switch o {
		case "Atomic":
			in.option(i, w.bit(32))
		case "Compacted":
			in.option(i, in.Size == 8)
		case "AccWrEn":
			in.option(i, in.accWrite)
		case "Serialize":
			in.option(i, in.Op.form == formSendXe && w.bit(33) && !in.gen.wide)
		}
	}
	in.waitXe(w)
	switch in.Op.form {
	case formBfn:
		in.cond = [4]uint8{0, 1, 3, 5}[w.bits(44, 2)]
	case formDpas:
		in.cond = 0
	}
	if in.Op.form == formBasic && in.immediateAt64(w) {
		in.cond = 0 // its bits are the constant's
	}
}

// waitXe decodes what an instruction waits for.
func (in *Inst) waitXe(w word) {
	in.option(optionBreakpoint, w.bit(30))
	in.wait = in.waitOf(uint8(w.bits(8, 8)))
}

// immediateAt64 reports whether a constant of 64 bits takes the place of other fields.
func (in *Inst) immediateAt64(w word) bool {
	return in.Op.sources == 1 && w.bit(46) && xeTypes.immediates[w.bits(40, 4)].Size() == 8
}

// operandsXe decodes the operands and says what is wrong with them.
func (in *Inst) operandsXe(g *Generation, w word) string {
	switch in.Op.form {
	case formTernary, formBfn:
		return g.ternary(in, w)
	case formDpas:
		return in.dpasXe(w)
	case formSendXe:
		in.sendXe(w)
		return ""
	case formSync:
		return in.syncXe(w)
	case formJump1, formJump2, formCall, formRet, formJmpi:
		return in.jumpXe(w)
	}
	in.dst = in.destinationXe(w, g)
	if why := in.badDestination(); why != "" {
		return why
	}
	for i := range in.sourceCount() {
		in.src[i] = g.sourceXe(w, i)
		if in.Op.flags&noSourceMod != 0 {
			in.src[i].neg, in.src[i].abs = false, false
		}
		if why := in.badSource(i); why != "" {
			return why
		}
	}
	if in.isMacro() {
		in.dst.mme, in.dst.sub, in.dst.vstride, in.dst.hstride = int8(w.bits(51, 4)), 0, in.dst.hstride, 1
		for i, at := range []uint{67, 99}[:in.sourceCount()] {
			o := &in.src[i]
			o.mme, o.sub, o.vstride, o.width, o.hstride = int8(w.bits(at, 4)), 0, 4, 4, 1
		}
	}
	return ""
}

func (in *Inst) destinationXe(w word, g *Generation) operand {
	o := operand{place: inARF, typ: g.types.registers[w.bits(36, 4)], mme: -1,
		hstride: strides[w.bits(48, 2)]}
	switch {
	case w.bit(35):
		o.place, o.addr, o.offset = indirect, uint8(w.bits(60, 4)), g.offset(w, 50, lowBitDestination)
		return o
	case w.bit(50):
		o.place = inGRF
	}
	o.reg, o.sub = uint8(w.bits(56, 8)), uint8(g.place(w, 51, 5, lowBitDestination))
	return o
}

// The lowest bits of places of operands where registers have 64 bytes; those of other operands are even.
const (
	lowBitDestination = 33
	lowBitSource0     = 87
	noLowBit          = 0
)

// place reads a place in a register, or an offset, of n bits: one more where registers have 64 bytes.
func (g *Generation) place(w word, at, n, low uint) uint32 {
	v := w.bits(at, n)
	if g.wide {
		if v <<= 1; low != noLowBit {
			v |= w.bits(low, 1)
		}
	}
	return v
}

// offset reads an offset to an address register.
func (g *Generation) offset(w word, at, low uint) int16 {
	v := int16(signExtend(w.bits(at, 10), 10))
	if g.wide {
		if v <<= 1; low != noLowBit {
			v |= int16(w.bits(low, 1))
		}
	}
	return v
}

// sourceXe decodes source 0 or 1.
func (g *Generation) sourceXe(w word, i int) operand {
	typ, constant, base, abs, low := w.bits(40, 4), w.bit(46), uint(64), uint(44), uint(lowBitSource0)
	if i == 1 {
		typ, constant, base, abs, low = w.bits(88, 4), w.bit(47), 96, 120, noLowBit
	}
	o := operand{place: inARF, typ: g.types.registers[typ], mme: -1}
	if constant {
		o.place, o.typ = immediate, g.types.immediates[typ]
		o.imm = immediateValue(w, o.typ)
		if o.typ.Size() == 8 {
			o.imm = w.hi<<32 | w.hi>>32
		}
		return o
	}
	o.abs, o.neg = w.bit(abs), w.bit(abs+1)
	stride := w.bits(base+20, 4)
	if g.wide {
		if stride &= 7; stride == 7 {
			stride = 15
		}
	}
	o.hstride, o.width, o.vstride = strides[w.bits(base, 2)], 1<<w.bits(base+17, 3), verticalStride(stride)
	switch {
	case w.bit(base + 16):
		o.place, o.addr, o.offset = indirect, uint8(w.bits(base+12, 4)), g.offset(w, base+2, low)
		return o
	case w.bit(base + 2):
		o.place = inGRF
	}
	o.reg, o.sub = uint8(w.bits(base+8, 8)), uint8(g.place(w, base+3, 5, low))
	return o
}

// ternaryXe decodes three sources. The first and the third may be constants of 16 bits.
func (in *Inst) ternaryXe(w word) string {
	in.align1 = true
	kind := w.bits(39, 1) << 3
	in.dst = operand{place: inARF, typ: in.gen.types.registers[kind|w.bits(36, 3)], mme: -1,
		hstride: 1 << w.bits(48, 1), reg: uint8(w.bits(56, 8)), sub: uint8(w.bits(54, 2) * 8)}
	if in.gen.xehp {
		in.dst.sub = uint8(in.gen.place(w, 51, 5, noLowBit))
	}
	if w.bit(50) {
		in.dst.place = inGRF
	}
	if in.dst.typ == noType {
		return "its destination has no known type"
	}
	if macro := in.Op.Code == opMadm; macro {
		return in.macroXe(w, kind)
	}
	if in.Op.form == formBfn {
		in.function = uint8(w.bits(92, 4)<<4 | w.bits(84, 4))
	}
	for i, at := range [3]struct{ typ, constant, abs, base, high, low, imm uint }{
		{40, 46, 44, 64, 43, 35, 64}, {88, 0, 86, 96, 91, 83, 0}, {80, 47, 84, 112, 0, 0, 112}} {
		o := operand{place: inARF, typ: in.gen.types.registers[kind|w.bits(at.typ, 3)], mme: -1}
		if o.typ == noType {
			return fmt.Sprintf("source %d has no known type", i)
		}
		if at.constant > 0 && w.bit(at.constant) {
			o.place, o.imm = immediate, uint64(w.bits(at.imm, 16))
			if o.typ == UB {
				o.imm &= 0xff
			}
			if types[o.typ].signed && !types[o.typ].float {
				o.imm = uint64(int16(o.imm))
			}
			in.src[i] = o
			continue
		}
		if w.bit(at.base + 2) {
			o.place = inGRF
		}
		if in.Op.flags&noSourceMod == 0 {
			o.abs, o.neg = w.bit(at.abs), w.bit(at.abs+1)
		}
		o.reg, o.sub = uint8(w.bits(at.base+8, 8)), uint8(in.gen.place(w, at.base+3, 5, noLowBit))
		o.hstride = strides[w.bits(at.base, 2)]
		if at.high > 0 {
			o.vstride = [4]int{0, 1, 4, 8}[w.bits(at.high, 1)<<1|w.bits(at.low, 1)]
			o.width = max(1, o.vstride/max(1, o.hstride))
		} else {
			o.width, o.vstride = 8, 8*o.hstride
		}
		in.src[i] = o
	}
	return ""
}

// macroXe decodes three sources of whole registers with extended accumulators.
func (in *Inst) macroXe(w word, kind uint32) string {
	in.dst.mme, in.dst.sub, in.dst.vstride, in.dst.hstride = int8(w.bits(51, 4)), 0, 1, 1
	for i, at := range [3]struct{ typ, abs, base uint }{{40, 44, 64}, {88, 86, 96}, {80, 84, 112}} {
		in.src[i] = operand{place: arfOrGRF(w, at.base+2),
			typ: in.gen.types.registers[kind|w.bits(at.typ, 3)], mme: int8(w.bits(at.base+3, 4)),
			reg: uint8(w.bits(at.base+8, 8)), abs: w.bit(at.abs), neg: w.bit(at.abs + 1),
			vstride: 4, width: 4, hstride: 1}
		if in.src[i].typ == noType {
			return fmt.Sprintf("source %d has no known type", i)
		}
	}
	return ""
}

// dpasXe decodes a product of matrices, whose operands are whole registers.
func (in *Inst) dpasXe(w word) string {
	in.depth, in.repeat = 1<<w.bits(48, 2), uint8(w.bits(43, 3)+1)
	kind, codes := w.bits(39, 1)<<3, &in.gen.types.registers
	at := func(base, file uint, typ Type, low uint) operand {
		return operand{place: arfOrGRF(w, file), typ: typ, mme: -1, reg: uint8(w.bits(base, 8)),
			sub: uint8(in.gen.place(w, file+1, 5, low))}
	}
	in.dst = at(56, 50, codes[kind|w.bits(36, 3)], lowBitDestination)
	in.src[0] = at(72, 66, codes[kind|w.bits(40, 3)], lowBitSource0)
	in.src[1] = at(104, 98, narrowed(codes[kind|w.bits(88, 3)], w.bits(86, 2)), noLowBit)
	in.src[2] = at(120, 114, narrowed(codes[kind|w.bits(80, 3)], w.bits(84, 2)), noLowBit)
	if in.dst.typ == noType || in.src[0].typ == noType || in.src[1].typ == noType || in.src[2].typ == noType {
		return "an operand has no known type"
	}
	return ""
}

// narrowed is a type of integers as dpas has it, of 8, 4 or 2 bits.
func narrowed(t Type, bits uint32) Type {
	switch {
	case t == UB && bits == 1:
		return U4
	case t == UB && bits == 2:
		return U2
	case t == B && bits == 1:
		return S4
	case t == B && bits == 2:
		return S2
	}
	return t
}

// jumpXe decodes where control goes.
func (in *Inst) jumpXe(w word) string {
	if in.Op.form == formCall {
		in.dst = operand{place: arfOrGRF(w, 50), typ: D, mme: -1, reg: uint8(w.bits(56, 8)),
			sub: uint8(in.gen.place(w, 51, 5, lowBitDestination))}
	}
	in.src[0] = operand{typ: D}
	if !w.bit(46) { // the target is in a register
		in.src[0] = operand{place: arfOrGRF(w, 66), typ: D, mme: -1, width: 1, reg: uint8(w.bits(72, 8)),
			sub: uint8(in.gen.place(w, 67, 5, lowBitSource0))}
		in.uip = int32(w.bits(64, 16)) &^ 3
		return ""
	}
	in.jip, in.uip = int32(w.bits(96, 32)), int32(w.bits(64, 32))
	if in.Op.form == formJmpi || in.Op.form == formRet {
		in.src[0].place, in.src[0].imm = immediate, uint64(int64(in.jip))
	}
	return ""
}

// arfOrGRF is the file that a bit names.
func arfOrGRF(w word, at uint) place {
	if w.bit(at) {
		return inGRF
	}
	return inARF
}

// sendXe decodes a message: its descriptors lie between the other fields.
func (in *Inst) sendXe(w word) {
	in.eot = w.bit(34)
	in.dst = operand{place: arfOrGRF(w, 50), typ: UD, mme: -1, reg: uint8(w.bits(56, 8))}
	in.src[0] = operand{place: arfOrGRF(w, 66), typ: UD, mme: -1, reg: uint8(w.bits(72, 8))}
	in.src[1] = operand{place: arfOrGRF(w, 98), typ: UD, mme: -1, reg: uint8(w.bits(104, 8))}
	sfid := w.bits(92, 4)
	if in.descInA0 = w.bit(48); !in.descInA0 {
		in.desc = w.bits(81, 11) | w.bits(113, 9)<<11 | w.bits(51, 5)<<20 | w.bits(67, 5)<<25 |
			w.bits(122, 2)<<30
	}
	if in.exDescInA0 = w.bit(49); in.exDescInA0 {
		in.exDescSub, in.exDesc = uint8(w.bits(40, 3)), sfid
		if in.ownLength = in.gen.xehp && w.bit(39); in.ownLength {
			in.exDesc |= w.bits(99, 5) << 6
			in.option(optionExBSO, true)
			in.option(optionCPS, w.bit(35))
		}
		return
	}
	in.exDesc = sfid | w.bits(99, 5)<<6 | w.bits(35, 13)<<11 | w.bits(64, 2)<<24 | w.bits(96, 2)<<26 |
		w.bits(124, 4)<<28
}

// syncXe decodes sync: what is waited for is a function, and a set of tokens.
func (in *Inst) syncXe(w word) string {
	if in.src[0] = in.gen.sourceXe(w, 0); in.src[0].place == immediate &&
		(in.cond != syncBar || in.src[0].typ == UD) {
		in.src[0].imm = uint64(w.bits(96, 32))
	}
	if in.src[0].place == indirect {
		in.src[0].place = arfOrGRF(w, 66)
		in.src[0].reg, in.src[0].sub = uint8(w.bits(72, 8)), uint8(in.gen.place(w, 67, 5, lowBitSource0))
	}
	if in.cond == syncBar {
		in.Op = &barrierWait
	}
	return ""
}

// barrierWait is the row of the sync that waits until a barrier opens.
var barrierWait = Op{Code: opSync, Name: "sync", form: formSync, sources: 1, flags: noExecFlag | noPredicate,
	flow: simt.FlowBarrier, run: runWait}

// syncFunctions are the functions of sync.
var syncFunctions = [16]string{0: "nop", 2: "allrd", 3: "allwr", 14: "bar", 15: "host"}

const (
	syncAllrd = 2
	syncAllwr = 3
	syncBar   = 14
)
