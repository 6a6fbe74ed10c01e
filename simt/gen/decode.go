package gen

import (
	"encoding/binary"
	"fmt"
)

// decode fills an instruction that is zero.
func (in *Inst) decode(g *Generation, code []byte, pc uint64) error {
	if len(code) < 8 {
		return &DecodeError{pc, fmt.Sprintf("it is cut off: %d bytes are left, at least 8 are needed",
			len(code))}
	}
	w := word{lo: binary.LittleEndian.Uint64(code)}
	op := g.ops[w.bits(0, 7)]
	if op == nil {
		return &DecodeError{pc, fmt.Sprintf("opcode %#02x is unknown", w.bits(0, 7))}
	}
	in.PC, in.Op, in.gen, in.Size = pc, op, g, 16
	switch {
	case w.bit(compactBit):
		if !g.encoding.compacts(op) {
			return &DecodeError{pc, op.Name + " has no compact form"}
		}
		in.Size = 8
		w = g.encoding.expand(g, w, op)
	case len(code) < 16:
		return &DecodeError{pc, fmt.Sprintf("it is cut off: %d bytes are left, 16 are needed", len(code))}
	default:
		w.hi = binary.LittleEndian.Uint64(code[8:])
	}
	if op.form == formNone {
		if g.encoding.nop != nil && op.Code == opNop {
			g.encoding.nop(in, w)
		}
		in.prepare()
		return nil
	}
	g.encoding.controls(in, g, w)
	if why := g.encoding.operands(in, g, w); why != "" {
		return &DecodeError{pc, op.Name + ": " + why}
	}
	in.prepare()
	return nil
}

// compacts reports whether the instruction has a compact form that this
// package knows.
func (op *Op) compacts() bool {
	return op.form == formBasic || op.form == formMath || op.form == formTernary || op.form == formWait ||
		op.form == formRet
}

// controls decodes what all instructions have.
func (in *Inst) controls(g *Generation, w word) {
	in.width = 1 << w.bits(21, 3)
	in.first = int(w.bits(12, 2))*8 + int(w.bits(11, 1))*4
	in.noMask = w.bit(34)
	in.pred = uint8(w.bits(16, 4))
	in.invert = w.bit(20)
	in.flag = uint8(w.bits(32, 2))
	in.cond = uint8(w.bits(24, 4))
	in.saturate = w.bit(31)
	switch f := in.Op.form; {
	case in.Op.flags&branchFlag != 0:
		in.branch = w.bit(28)
	case f == formBasic, f == formMath, f == formTernary, f == formWait:
		in.accWrite = w.bit(28)
	}
	in.vectors = g.align16 && w.bit(8)
	if in.vectors && in.pred >= 2 && in.pred <= 5 {
		in.pred = 0 // one component of a vector of four: nothing that a channel has
	}
	message := in.Op.isMessage()
	for i, o := range optionNames {
		switch o {
		case "Atomic":
			in.option(i, w.bits(14, 2) == 1)
		case "Switch":
			in.option(i, w.bits(14, 2) == 2)
		case "NoPreempt":
			in.option(i, w.bits(14, 2) == 3)
		case "NoDDClr":
			in.option(i, w.bit(9) && !message)
		case "NoDDChk":
			in.option(i, w.bit(10) && !message)
		case "Breakpoint":
			in.option(i, w.bit(30))
		case "Compacted":
			in.option(i, in.Size == 8)
		case "AccWrEn":
			in.option(i, in.accWrite)
		case "NoSrcDepSet":
			in.option(i, w.bit(28) && message)
		}
	}
}

// breakpoint decodes what nop has.
func (in *Inst) breakpoint(w word) { in.option(optionBreakpoint, w.bit(30)) }

// toVectors gives an operand of Align16 the place that it has: whole vectors of 16 bytes. Which of the
// extended accumulators it is lies where others have their channel mask or swizzle, as in macros.
func (o *operand) toVectors() {
	if o.place == immediate || o.place == noPlace {
		return
	}
	const first, last = arfAcc<<4 | 2, arfAcc<<4 | 9 // the extended accumulators
	if o.place == inARF && o.reg >= first && o.reg <= last {
		o.reg = first + o.sub&7
	}
	o.sub, o.offset = o.sub&16, o.offset&^15
	o.vstride, o.width, o.hstride = 1, 1, 0
}

func (in *Inst) option(i int, on bool) {
	if on {
		in.options |= 1 << i
	}
}

// operands decodes the operands and says what is wrong with them.
func (in *Inst) operands(g *Generation, w word) (why string) {
	types := g.typesOf(in)
	switch in.Op.form {
	case formTernary:
		return g.ternary(in, w)
	case formSend:
		return in.send(types, w)
	case formSends:
		return in.sends(types, w)
	case formJump1, formJump2:
		at := types.source(w, 0)
		if in.src[0] = at; in.Op.flags&indirectFlag != 0 && at.place != immediate {
			return in.badSource(0)
		}
		in.src[0] = operand{typ: D}
		if in.Op.flags&indirectFlag != 0 {
			in.src[0].typ = at.typ
		}
		if in.Op.form == formJump1 {
			in.jip = int32(w.bits(96, 32))
			return ""
		}
		in.jip, in.uip = int32(w.bits(96, 32)), int32(w.bits(64, 32))
		return ""
	case formCall:
		in.dst = types.destination(w)
		if in.src[0] = types.source(w, 1); in.src[0].place != immediate {
			if why := in.badDestination(); why != "" {
				return why
			}
			return in.badSource(0)
		}
		in.jip, in.src[0] = int32(w.bits(96, 32)), operand{typ: in.src[0].typ}
		return in.badDestination()
	case formJmpi:
		in.src[0] = types.source(w, 1)
		in.jip = int32(in.src[0].imm) + int32(in.Size) // counted from the next instruction
	default:
		return in.basic(types, w)
	}
	return in.badSource(0)
}

// basic decodes a destination and up to two sources.
func (in *Inst) basic(types *typeCodes, w word) string {
	if in.Op.form != formRet && in.Op.form != formWait {
		in.dst = types.destination(w)
		if why := in.badDestination(); why != "" {
			return why
		}
	}
	n := in.sourceCount()
	for i := range n {
		in.src[i] = types.source(w, i)
		if in.Op.flags&noSourceMod != 0 {
			in.src[i].neg, in.src[i].abs = false, false
		}
		if why := in.badSource(i); why != "" {
			return why
		}
	}
	switch {
	case in.isMacro():
		in.macro(w)
	case in.vectors:
		in.dst.toVectors()
		in.dst.hstride = 1
		for i := range n {
			in.src[i].toVectors()
		}
	}
	return ""
}

// sourceCount is how many sources the instruction has: math, as its function
// says.
func (in *Inst) sourceCount() int {
	if in.Op.form != formMath {
		return in.Op.sources
	}
	switch in.cond {
	case 9, 10, 11, 12, 13, mathInvm:
		return 2
	}
	return 1
}

// isMacro reports whether the operands are whole registers with extended
// accumulators (IEEE division and root).
func (in *Inst) isMacro() bool {
	return in.Op.form == formMath && (in.cond == mathInvm || in.cond == mathRsqtm) || in.Op.Code == opMadm
}

// macro decodes the accumulators that lie where Align16 has its channel mask
// and swizzles.
func (in *Inst) macro(w word) {
	in.dst.mme = int8(w.bits(48, 4))
	in.src[0].mme = int8(w.bits(64, 4))
	in.src[1].mme = int8(w.bits(96, 4))
	in.dst.sub, in.dst.vstride, in.dst.hstride = 0, 1, 1
	for i := range in.sourceCount() {
		o := &in.src[i]
		o.sub, o.vstride, o.width, o.hstride = 0, 4, 4, 1
	}
}

func (t *typeCodes) destination(w word) operand {
	o := operand{place: inARF, typ: t.registers[w.bits(37, 4)], mme: -1, hstride: strides[w.bits(61, 2)]}
	switch {
	case w.bit(63):
		o.place, o.addr = indirect, uint8(w.bits(57, 4))
		o.offset = int16(signExtend(w.bits(47, 1)<<9|w.bits(48, 9), 10))
		return o
	case w.bits(35, 2) == grfFile:
		o.place = inGRF
	case w.bits(35, 2) != arfFile:
		o.place = noPlace
	}
	o.reg, o.sub = uint8(w.bits(53, 8)), uint8(w.bits(48, 5))
	return o
}

// strides are the horizontal strides by their codes.
var strides = [4]int{0, 1, 2, 4}

// source decodes source 0 or 1.
func (t *typeCodes) source(w word, i int) operand {
	file, typ, base, sign := w.bits(41, 2), w.bits(43, 4), uint(64), uint(95)
	if i == 1 {
		file, typ, base, sign = w.bits(89, 2), w.bits(91, 4), 96, 121
	}
	o := operand{place: inARF, typ: t.registers[typ], mme: -1}
	switch file {
	case immediateFile:
		o.place, o.typ = immediate, t.immediates[typ]
		o.imm = immediateValue(w, o.typ)
		return o
	case grfFile:
		o.place = inGRF
	case arfFile:
	default:
		o.place = noPlace
	}
	o.abs, o.neg = w.bit(base+13), w.bit(base+14)
	o.hstride, o.width = strides[w.bits(base+16, 2)], 1<<w.bits(base+18, 3)
	o.vstride = verticalStride(w.bits(base+21, 4))
	if w.bit(base + 15) {
		o.place, o.addr = indirect, uint8(w.bits(base+9, 4))
		o.offset = int16(signExtend(w.bits(sign, 1)<<9|w.bits(base, 9), 10))
		return o
	}
	o.reg, o.sub = uint8(w.bits(base+5, 8)), uint8(w.bits(base, 5))
	return o
}

// badStride is a vertical stride that means nothing.
const badStride = -2

func verticalStride(code uint32) int {
	switch {
	case code == 0:
		return 0
	case code <= 6:
		return 1 << (code - 1)
	case code == 15:
		return perChannel
	}
	return badStride
}

// immediateValue is the constant of an instruction, sign-extended; of the
// vector types, its bits.
func immediateValue(w word, t Type) uint64 {
	v := w.bits(96, 32)
	switch t {
	case UQ, Q, DF:
		return w.hi
	case D:
		return uint64(int32(v))
	case W:
		return uint64(int16(v))
	case UW, HF, BF:
		return uint64(uint16(v))
	}
	return uint64(v)
}

func (in *Inst) badDestination() string {
	switch o := &in.dst; {
	case o.place == noPlace:
		return "its destination is in no register file"
	case o.typ == noType:
		return "its destination has no known type"
	}
	return ""
}

func (in *Inst) badSource(i int) string {
	switch o := &in.src[i]; {
	case o.place == noPlace:
		return fmt.Sprintf("source %d is in no register file", i)
	case o.typ == noType:
		return fmt.Sprintf("source %d has no known type", i)
	case o.vstride == badStride:
		return fmt.Sprintf("source %d has no known vertical stride", i)
	}
	return ""
}
