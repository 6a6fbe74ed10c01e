package gcn

// waveMatrix decodes a VOP3P encoding of a matrix instruction of gfx11 and later.
func (d *decoder) waveMatrix(w, w1 uint32) error {
	op, in := d.in.Op, d.in
	y := d.isa.waveLayout(op.wave)
	in.mod = &modifiers{
		neg:     uint8(w1 >> 29),
		negHi:   uint8(w >> 8 & 7),
		opSel:   uint8(w >> 11 & 7),
		opSelHi: uint8(w1>>27&3 | w>>14&1<<2),
		clamp:   w>>15&1 != 0,
	}
	if err := d.checkWaveMatrix(y); err != nil {
		return err
	}
	dst, a, b, c := y.types()
	if err := d.vectorDst(&in.dst, dst, w&0xff, false); err != nil {
		return err
	}
	for i, t := range []typ{a, b, c} {
		num := w1 >> (9 * i) & 0x1ff
		if i == 2 && !y.sparse && num < srcVGPR {
			if err := d.waveConstant(&in.src[2], t, num); err != nil {
				return err
			}
			continue
		}
		if num < srcVGPR {
			return d.fail("source %d of %s must be a vector register", i, op.Name)
		}
		if err := d.operand(&in.src[i], t, num); err != nil {
			return err
		}
	}
	if y.sparse {
		in.src[3] = operand{kind: vectorReg, typ: dst, reg: in.dst.reg}
	}
	return nil
}

// waveConstant makes an accumulator of which each element is an inline constant.
func (d *decoder) waveConstant(o *operand, t typ, num uint32) error {
	s := d.in.Op.wave
	element := f32
	switch {
	case s.mixed:
	case s.result.name == "f16":
		element = v2f16
	case s.result.name == "bf16":
		element = b16
	case s.result.isInteger():
		element = i32
	}
	if num == srcLiteral {
		return d.fail("%v takes no literal", d.in.form)
	}
	if err := d.operand(o, element, num); err != nil {
		return err
	}
	if o.kind != constant {
		return d.fail("the accumulator of %s must be vector registers or a constant", d.in.Op.Name)
	}
	if element == v2f16 || element == b16 {
		half := uint64(uint16(o.imm))
		o.imm = half | half<<16
	}
	o.typ = t
	return nil
}

// checkWaveMatrix refuses modifiers that an instruction does not have.
func (d *decoder) checkWaveMatrix(y waveLayout) error {
	m, name := d.in.mod, d.in.Op.Name
	const all, signs, accumulator = 7, 3, 4
	hi, sel, neg, negHi := uint8(all), uint8(0), uint8(all), uint8(all)
	switch {
	case y.replicated && y.result.bits == 16: // each has halves to choose, of which the result's counts
		hi, sel = m.opSelHi, all
	case y.replicated:
		hi = m.opSelHi
	case y.sparse:
		neg, negHi = signs, signs
	}
	if !y.replicated {
		switch {
		case y.a.isInteger():
			neg, negHi = signs, 0
		case y.a.bits == 8 && y.sparse:
			neg, negHi = 0, 0
		case y.a.bits == 8:
			neg, negHi = accumulator, accumulator
		case y.a.bits == 32:
			negHi = accumulator
		}
		if y.sparse {
			sel = uint8(y.indexSets() - 1)
			if y.wide {
				sel = 1
			}
		}
		if y.wide { // bits that say that A and B are used again
			sel |= 1 << 2
			hi = signs | m.opSelHi&accumulator
		}
	}
	switch {
	case m.opSelHi != hi, m.opSel&^sel != 0:
		return d.fail("%s does not choose halves of its sources so", name)
	case m.neg&^neg != 0, m.negHi&^negHi != 0:
		return d.fail("%s does not change the signs of its sources so", name)
	case m.clamp && !y.a.isInteger():
		return d.fail("%s takes no clamp", name)
	}
	return nil
}

// waveMatrixText is what follows the operands.
func (in *Inst) waveMatrixText(clamp string) []string {
	m, s := in.mod, in.Op.wave
	var text []string
	add := func(name string, v, usual uint8) {
		if v != usual {
			text = append(text, bitsText(name, v, 3))
		}
	}
	switch {
	case in.on&gfx11 != 0 && s.result.bits == 16:
		add("op_sel", m.opSel, 0)
		add("op_sel_hi", m.opSelHi, 7)
	case s.sparse && m.opSel&3 != 0:
		text = append(text, "index_key:"+string('0'+rune(m.opSel&3)))
	}
	if s.wide {
		text = append(text, when(m.opSel>>2&1 != 0, "matrix_a_reuse"),
			when(m.opSelHi>>2&1 != 0, "matrix_b_reuse"))
	}
	add("neg_lo", m.neg, 0)
	add("neg_hi", m.negHi, 0)
	return append(text, clamp)
}
