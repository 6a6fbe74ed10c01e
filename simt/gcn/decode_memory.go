package gcn

// The decoders of the memory encodings give every instruction the same
// operands: source 0 is the address (SMEM: its scalar base; MUBUF: the
// descriptor), 1 and 2 the data.

// noSAddr is the scalar address that stands for none.
const noSAddr = 0x7f

func (d *decoder) smem(w uint32) error {
	w1, err := d.word()
	if err != nil {
		return err
	}
	in := d.in
	m := &in.mem
	m.glc, m.immOffset = w>>16&1 != 0, w>>17&1 != 0
	if in.Op.src[0] != none {
		if err := d.operand(&in.src[0], in.Op.src[0], w&0x3f<<1); err != nil {
			return err
		}
		in.simm = int32(w1<<11) >> 11
		soffsetEn := w>>14&1 != 0
		switch {
		case soffsetEn:
			err = d.operand(&m.soffset, u32, w1>>25)
		case !m.immOffset:
			err = d.operand(&m.soffset, u32, w1&0x7f)
		}
		if err != nil {
			return err
		}
	}
	data := w >> 6 & 0x7f
	if in.Op.src[1] != none {
		return d.operand(&in.src[1], in.Op.src[1], data)
	}
	if data >= regM0 && in.Op.dst != none {
		return d.fail("%s cannot load s%d", in.Op.Name, data)
	}
	return d.scalarDst(&in.dst, in.Op.dst, data)
}

func (d *decoder) ds(w uint32) error {
	w1, err := d.word()
	if err != nil {
		return err
	}
	in, op := d.in, d.in.Op
	in.mem.gds = w>>16&1 != 0 && d.isa.Target&(graphics|gfx10|gfx11) != 0 || op.flag&gdsOnly != 0
	acc := w>>25&1 != 0 && d.isa.Target&gfx90aP != 0
	in.simm = int32(w & 0xffff)
	if op.mem != nil && op.mem.places > 0 {
		in.simm, in.mem.offset1 = int32(w&0xff), uint8(w>>8)
	}
	if err := d.vectorDst(&in.dst, op.dst, w1>>24, acc); err != nil {
		return err
	}
	for i, num := range []uint32{w1 & 0xff, w1 >> 8 & 0xff, w1 >> 16 & 0xff} {
		if err := d.vectorDst(&in.src[i], op.src[i], num,
			acc && (i > 0 || op.flag&gdsOnly != 0)); err != nil {
			return err
		}
	}
	return nil
}

// flat decodes flat_*, global_* and scratch_* (MI200 ISA, section "Flat
// memory instructions"; MI300: the bit that made a load go to LDS tells for
// scratch_* that there is a vector address).
func (d *decoder) flat(w uint32) error {
	w1, err := d.word()
	if err != nil {
		return err
	}
	in, op, on := d.in, d.in.Op, d.isa.Target
	m := &in.mem
	m.glc, m.slc, m.scc = w>>16&1 != 0, w>>17&1 != 0, w>>25&1 != 0 && on&gfx90aP != 0
	m.split = d.isa.Kernel.Spread
	bit13 := w>>13&1 != 0
	in.simm = int32(w & 0x1fff)
	if in.form != FLAT {
		in.simm = in.simm << 19 >> 19
	}
	sve := in.form == SCRATCH && on&gfx942P != 0
	if bit13 && !sve {
		if in.form == FLAT || on&gfx942P != 0 || !op.canLoadLDS(on) {
			return d.fail("%s cannot load to LDS", op.Name)
		}
		m.lds = true
	}
	saddr := w1 >> 16 & 0x7f
	vaddr := b64
	switch {
	case in.form == FLAT && saddr != 0:
		return d.fail("%s has no scalar address", op.Name)
	case in.form == FLAT:
	case in.form == SCRATCH:
		vaddr = b32
		if on&gfx942P != 0 && !bit13 || on&gfx942P == 0 && saddr != noSAddr {
			vaddr = none
		}
		if saddr != noSAddr {
			err = d.operand(&m.saddr, u32, saddr)
		}
	case saddr != noSAddr:
		vaddr = b32
		err = d.operand(&m.saddr, b64, saddr)
	}
	if err != nil {
		return err
	}
	if m.saddr.kind == scalarReg && m.saddr.reg >= regExec {
		return d.fail("the scalar address cannot be EXEC")
	}
	if err := d.vectorDst(&in.src[0], vaddr, w1&0xff, false); err != nil {
		return err
	}
	acc := w1>>23&1 != 0 && on&gfx90aP != 0
	return d.vectorData(w1>>24, w1>>8&0xff, acc)
}

// canLoadLDS reports whether a FLAT or MUBUF row may have LDS as its
// destination on a processor: those that load a whole register, and gfx950's of three and four.
// (buffer_store_lds_dword has the bit although it does not load.)
func (op *Op) canLoadLDS(on Target) bool {
	if on == GFX950 && op.Enc == MUBUF && (op.mem == load96 || op.mem == load128) {
		return true
	}
	return op.Code >= 0x10 && op.Code <= 0x14 || op.Enc == MUBUF && (op.Code == 0 || op.Code == 0x3d)
}

// vectorData makes the destination and the data of a FLAT or MUBUF row. An
// atomic operation has a destination only if GLC asks for it, and a load to
// LDS has none.
func (d *decoder) vectorData(dst, data uint32, acc bool) error {
	in, op := d.in, d.in.Op
	t := op.dst
	if in.mem.lds || (op.mem != nil && op.mem.atomic || op.flag&ordered != 0) && !in.mem.glc {
		t = none
	}
	if err := d.vectorDst(&in.dst, t, dst, acc); err != nil {
		return err
	}
	return d.vectorDst(&in.src[1], op.src[1], data, acc)
}

// mubuf decodes buffer instructions (MI200 ISA, section "MUBUF").
func (d *decoder) mubuf(w uint32) error {
	w1, err := d.word()
	if err != nil {
		return err
	}
	in, op, on := d.in, d.in.Op, d.isa.Target
	m := &in.mem
	m.offen, m.idxen, m.glc, m.slc = w>>12&1 != 0, w>>13&1 != 0, w>>14&1 != 0, w>>17&1 != 0
	m.lds = w>>16&1 != 0
	in.simm = int32(w & 0xfff)
	bit55 := w1>>23&1 != 0
	acc := false
	if on&gfx90aP != 0 {
		m.scc, acc = w>>15&1 != 0, bit55
	} else {
		m.tfe = bit55
	}
	if op.run != nil { // cache control
		m.slc = false
		return nil
	}
	if m.lds && !op.canLoadLDS(on) {
		return d.fail("%s cannot load to LDS", op.Name)
	}
	return d.bufferOperands(w1, acc)
}

// mtbuf decodes tbuffer instructions (MI200 ISA, section "MTBUF").
func (d *decoder) mtbuf(w uint32) error {
	w1, err := d.word()
	if err != nil {
		return err
	}
	m := &d.in.mem
	m.offen, m.idxen, m.glc, m.slc = w>>12&1 != 0, w>>13&1 != 0, w>>14&1 != 0, w1>>22&1 != 0
	m.dfmt, m.nfmt = uint8(w>>19&0xf), uint8(w>>23&7)
	d.in.simm = int32(w & 0xfff)
	bit55 := w1>>23&1 != 0
	if d.isa.Target&gfx90aP != 0 {
		m.scc = w1>>21&1 != 0
		return d.bufferOperands(w1, bit55)
	}
	m.tfe = bit55
	return d.bufferOperands(w1, false)
}

// indices is what a buffer's vector address is: an index, an offset, both or nothing.
func (m *memFields) indices() typ {
	switch {
	case m.offen && m.idxen:
		return b64
	case m.offen || m.idxen:
		return b32
	}
	return none
}

// bufferOperands makes the operands of MUBUF and MTBUF.
func (d *decoder) bufferOperands(w1 uint32, acc bool) error {
	in, op := d.in, d.in.Op
	m := &in.mem
	if err := d.operand(&in.src[0], b128, w1>>16&0x1f<<2); err != nil {
		return err
	}
	if w1>>24 == srcLiteral && !d.isa.Target.IsLater() {
		return d.fail("MUBUF takes no literal")
	}
	if err := d.operand(&m.soffset, u32, w1>>24); err != nil {
		return err
	}
	if err := d.vectorDst(&in.src[2], m.indices(), w1&0xff, false); err != nil {
		return err
	}
	data := w1 >> 8 & 0xff
	if m.tfe && int(data)+typDwords[op.dst] >= accBase && d.isa.Target.IsLater() {
		in.past = true
	} else if m.tfe && int(data)+typDwords[op.dst] >= accBase {
		return d.fail("the status that TFE asks for is past the last register")
	}
	return d.vectorData(data, data, acc)
}
