package gen

import "fmt"

// ternary decodes the three-source form of Gen9, which is always Align16.
func (in *Inst) ternary(w word) string {
	typ := ternaryTypes[w.bits(43, 3)]
	in.dst = operand{place: inGRF, typ: ternaryTypes[w.bits(46, 3)], mme: -1, hstride: 1,
		reg: uint8(w.bits(56, 8)), sub: uint8(w.bits(53, 3) * 4)}
	if typ == noType || in.dst.typ == noType {
		return "an operand has no known type"
	}
	at := [3]struct{ replicate, swizzle, dword, reg, abs uint }{
		{64, 65, 73, 76, 37}, {85, 86, 94, 97, 39}, {106, 107, 115, 118, 41}}
	for i, a := range at {
		o := operand{place: inGRF, typ: typ, mme: -1, reg: uint8(w.bits(a.reg, 8)),
			sub: uint8(w.bits(a.dword, 3) * 4),
			abs: w.bit(a.abs), neg: w.bit(a.abs + 1)}
		if in.Op.flags&noSourceMod != 0 {
			o.abs, o.neg = false, false
		}
		if in.Op.Code == opMadm {
			if o.mme = 4; !w.bit(a.replicate) {
				o.mme = int8(w.bits(a.swizzle, 4))
			}
			o.vstride, o.width, o.hstride = 4, 4, 1
		} else if !w.bit(a.replicate) {
			o.vstride, o.width, o.hstride = 4, 4, 1
		} else {
			o.width = 1
		}
		in.src[i] = o
	}
	if in.Op.Code == opMadm {
		in.dst.mme, in.dst.vstride = int8(w.bits(49, 4)), 1
		return ""
	}
	if w.bit(36) {
		in.src[1].typ = HF
	}
	if w.bit(35) {
		in.src[2].typ = HF
	}
	if in.width == 4 && w.bits(49, 4) == 1 {
		in.width = 1 // how Align16 says that there is one channel
	}
	return ""
}

// send decodes a message with one payload.
func (in *Inst) send(types *typeCodes, w word) string {
	in.eot = w.bit(127)
	in.desc = w.bits(96, 31)
	in.descInA0 = w.bits(89, 2) != immediateFile
	in.exDesc = w.bits(24, 4) | w.bits(64, 4)<<16 | w.bits(80, 4)<<20 | w.bits(85, 4)<<24 | w.bits(91,
		4)<<28
	if in.gen.shortSends {
		in.exDesc = w.bits(24, 4)
	}
	if in.eot {
		in.exDesc |= 1 << 5
	}
	in.dst, in.src[0] = types.destination(w), types.source(w, 0)
	in.src[0].vstride = 0   // it has no region
	in.src[0].offset &^= 15 // whole owords
	if why := in.badDestination(); why != "" {
		return why
	}
	return in.badSource(0)
}

// sends decodes a message with two payloads.
func (in *Inst) sends(types *typeCodes, w word) string {
	in.eot = w.bit(127)
	in.desc, in.descInA0 = w.bits(96, 31), w.bit(77)
	in.exDesc = w.bits(80, 16)<<16 | w.bits(64, 4)<<6 | w.bits(24, 4)
	if in.exDescInA0 = w.bit(61); in.exDescInA0 {
		in.exDescSub, in.exDesc = uint8(w.bits(80, 3)), 0
	}
	if in.eot {
		in.exDesc |= 1 << 5
	}
	in.dst = operand{place: inARF, typ: types.registers[w.bits(37, 4)], mme: -1, reg: uint8(w.bits(53, 8))}
	if w.bit(35) {
		in.dst.place = inGRF
	}
	if w.bit(63) {
		in.dst.place = indirect
		in.dst.addr, in.dst.offset = a0Offset(w, 62, 53)
	}
	in.src[0] = operand{place: inGRF, mme: -1, reg: uint8(w.bits(69, 8))}
	if w.bit(79) {
		in.src[0].place = indirect
		in.src[0].addr, in.src[0].offset = a0Offset(w, 78, 69)
	}
	in.src[1] = operand{place: inARF, mme: -1, reg: uint8(w.bits(44, 8))}
	if w.bit(36) {
		in.src[1].place = inGRF
	}
	return in.badDestination()
}

// a0Offset decodes the address register and offset, in whole owords, of an
// indirect operand of sends.
func a0Offset(w word, sign, base uint) (addr uint8, offset int16) {
	off := w.bits(sign, 1)<<9 | w.bits(base-1, 5)<<4
	return uint8(w.bits(base+4, 4)), int16(signExtend(off, 10))
}

// messageLengths returns how many registers the payloads and the response of
// a message have. Lengths that a register gives are 0.
func (in *Inst) messageLengths() (payload, payload2, response int) {
	if !in.descInA0 {
		payload, response = int(in.desc>>25&15), int(in.desc>>20&31)
	}
	if !in.exDescInA0 || in.ownLength {
		payload2 = int(in.exDesc >> 6 & 31)
	}
	if in.gen.xehp && in.src[1].isNull() {
		payload2 = 0
	}
	return payload, payload2, response
}

// align1Types are the types by their codes in Gen11's instructions of three sources, which compute with
// integers or with floats.
var align1Types = [2][8]Type{{UD, D, UW, W, UB, B, noType, noType},
	{HF, F, DF, NF, noType, noType, noType, noType}}

// ternaryAlign1 decodes the three-source form of Gen11. Sources 0 and 2 may be constants of 16 bits, source 1
// an accumulator; how many elements a row has follows from its strides.
func (in *Inst) ternaryAlign1(w word) string {
	macro := in.Op.Code == opMadm // whole registers, with extended accumulators
	in.align1 = true
	types := &align1Types[w.bits(35, 1)]
	in.dst = operand{place: inGRF, typ: types[w.bits(46, 3)], mme: -1, hstride: 1 << w.bits(49, 1),
		reg: uint8(w.bits(56, 8)), sub: uint8(w.bits(54, 2) * 8)}
	if w.bit(36) {
		in.dst.place = inARF
	}
	if macro {
		in.dst.mme, in.dst.sub, in.dst.vstride, in.dst.hstride = int8(w.bits(52, 4)), 0, 1, 1
	}
	if in.dst.typ == noType {
		return "its destination has no known type"
	}
	for i, at := range [3]struct{ file, typ, vstride, hstride, sub, reg, abs, imm uint }{
		{43, 64, 67, 69, 71, 76, 37, 67}, {44, 85, 88, 90, 92, 97, 39, 0},
		{45, 106, 0, 111, 113, 118, 41, 109}} {
		o := operand{place: inGRF, typ: types[w.bits(at.typ, 3)], mme: -1}
		switch {
		case o.typ == noType:
			return fmt.Sprintf("source %d has no known type", i)
		case w.bit(at.file) && at.imm > 0:
			o.place, o.imm = immediate, uint64(w.bits(at.imm, 16))
			switch o.typ {
			case UB:
				o.imm &= 0xff
			case W, D:
				o.imm = uint64(int16(o.imm))
			}
			in.src[i] = o
			continue
		case w.bit(at.file):
			o.place = inARF
		}
		o.abs, o.neg = w.bit(at.abs), w.bit(at.abs+1)
		if in.Op.flags&noSourceMod != 0 {
			o.abs, o.neg = false, false
		}
		o.reg, o.sub, o.hstride = uint8(w.bits(at.reg, 8)), uint8(
			w.bits(at.sub, 5)), strides[w.bits(at.hstride, 2)]
		if at.vstride > 0 {
			o.vstride = [4]int{0, 2, 4, 8}[w.bits(at.vstride, 2)]
			o.width = max(1, o.vstride/max(1, o.hstride))
		} else {
			o.width, o.vstride = 8, 8*o.hstride
		}
		if macro {
			o.mme, o.sub = int8(o.sub>>1), 0
			o.vstride, o.width, o.hstride = 4, 4, 1
		}
		in.src[i] = o
	}
	return ""
}
