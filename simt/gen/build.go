package gen

// prepare chooses what executes a decoded instruction, and lays its operands
// out.
func (in *Inst) prepare() {
	in.exec = in.runner()
	in.kind = in.kindOf()
	in.intOp, in.floatOp = in.Op.ints, in.Op.floats
	if in.Op.form == formMath {
		in.intOp, in.floatOp = mathIntOps[in.cond], nil
		if mathOps[in.cond] != nil {
			in.floatOp = floatMath
		}
	}
	if in.floatOp == nil && in.intOp != nil {
		in.kind = kindInt // bits, whatever the type
	}
	if in.computes() && (in.kind == kindInt && in.intOp == nil || in.kind != kindInt && in.floatOp == nil) {
		in.exec = nil
	}
	switch {
	case in.exec == nil, !in.layOut():
		in.exec, in.faults = unknown, true
	case in.readsState():
		in.exec, in.next = runWithState, in.exec
	default:
		if in.row = in.makeRow(); in.row != nil {
			in.row.slow, in.exec = in.exec, runRow
		}
	}
}

// computes reports whether the instruction is executed element by element.
func (in *Inst) computes() bool {
	return in.Op.run == nil && (in.Op.form == formBasic || in.Op.form == formTernary ||
		in.Op.form == formMath && !in.isMacro())
}

// runner is the row's semantics, or nil.
func (in *Inst) runner() runner {
	op := in.Op
	switch {
	case in.vectors && op.form != formTernary && !in.isMacro() && !op.isMessage():
		return nil
	case op.form == formSync && syncFunctions[in.cond] == "":
		return nil
	case in.width > maxChannels, in.width+in.first > maxChannels && !in.noMask:
		return nil
	case op.form == formMath:
		if in.isMacro() {
			return runMacroMath
		}
		if mathOps[in.cond] == nil && mathIntOps[in.cond] == nil {
			return nil
		}
		return runALU
	case op.isMessage():
		return in.sendRunner()
	case op.run != nil:
		return op.run
	case op.ints != nil, op.floats != nil:
		return runALU
	}
	return nil
}

// layOut finds where the elements of the operands are. It reports whether they
// all are somewhere.
func (in *Inst) layOut() bool {
	if in.Op.isMessage() || in.Op.form == formSync || in.Op.form == formDpas {
		return true
	}
	if in.dst.typ == NF || in.src[0].typ == NF || in.src[1].typ == NF || in.src[2].typ == NF {
		return false
	}
	n := in.width
	var ok bool
	if in.dst.place != noPlace {
		a := access{step: in.dst.hstride * in.dst.typ.Size()}
		if in.Op.form == formCall {
			a, n = access{step: 4}, 2
		}
		if in.dst.layout, ok = in.dst.resolve(in.gen, a, n); !ok || !in.dst.writable() {
			return false
		}
		n = in.width
	}
	for i := range in.src {
		o := &in.src[i]
		switch o.place {
		case noPlace:
			continue
		case immediate:
			o.spread(in.dst.hstride * in.dst.typ.Size())
			continue
		}
		if in.jumps() && o.place != inGRF {
			return false
		}
		if in.Op.form == formRet || in.Op.Code == opBrc {
			o.layout, ok = o.resolve(in.gen, access{step: 4}, 2)
		} else {
			o.layout, ok = o.resolve(in.gen, o.sourceAccess(n), n)
		}
		if !ok || o.isNull() {
			return false
		}
	}
	return true
}

// jumps reports whether source 0 says where to go, in dwords.
func (in *Inst) jumps() bool {
	return in.Op.form == formRet || in.Op.form == formCall || in.Op.flags&indirectFlag != 0
}

func (o *operand) isNull() bool { return o.place == inARF && o.reg>>4 == arfNull }

// writable reports whether an instruction may have the operand for its
// destination.
func (o *operand) writable() bool {
	if o.place != inARF {
		return true
	}
	switch o.reg >> 4 {
	case arfCE, arfIP, arfTM, arfDBG:
		return false
	}
	return true
}

// spread makes the elements of a constant, for a destination whose elements lie some bytes apart. A vector of
// integers lies in words, as the destination should (PRM of Skylake, volume 7, "Immediate"): where its
// elements are dwords, as IGC has them for the offsets of a vector in local memory, each comes from the word
// that lies where it does.
func (o *operand) spread(stride int) {
	o.ints, o.floats = new(ints), new(floats)
	var b [8]byte
	for k := range maxChannels {
		word := k * max(stride, 2) / 2 & 7
		t, v := o.typ, o.imm
		switch o.typ {
		case V:
			t, v = W, uint64(int64(int32(uint32(o.imm)<<(28-4*word))>>28))
		case UV:
			t, v = UW, o.imm>>(4*word)&15
		case VF:
			t, v = F, uint64(vfBits(uint8(o.imm>>(8*(k&3)))))
		}
		writeBits(b[:], 8, v)
		o.ints[k], o.floats[k] = readInt(b[:], t), readFloat(b[:], t)
	}
}

// vfBits is the single-precision form of a float of 8 bits: a sign, 3 bits of
// exponent with bias 3, 4 of fraction.
func vfBits(v uint8) uint32 {
	sign := uint32(v>>7) << 31
	if v&0x7f == 0 {
		return sign
	}
	return sign | (uint32(v>>4&7)+124)<<23 | uint32(v&15)<<19
}

// readsState reports whether a source is a register that is worked out when it
// is looked at.
func (in *Inst) readsState() bool {
	for i := range in.src {
		if o := &in.src[i]; o.place == inARF {
			switch o.reg >> 4 {
			case arfCE, arfIP, arfTM:
				return true
			}
		}
	}
	return false
}

func runWithState(c *Core, in *Inst) {
	c.refresh(in.PC)
	in.next(c, in)
}
