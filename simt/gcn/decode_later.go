package gcn

// What decodes otherwise from gfx10 on (RDNA 1, 2 and 3 ISA, chapter "Microcode formats").

const (
	srcDPP8     = 233 // and 234, which reads lanes that are switched off as well
	laterM0     = 125 // gfx11; null is 124 there, and gfx10 has the two the other way around
	laterSGPRs  = 106
	laterSAddr9 = 0x7f
)

// The encodings of gfx10 and gfx11.
var (
	layouts10 = append(append([]layout{}, laterLayouts...),
		layout{0xfc00_c000, 0xdc00_0000, FLAT, 18, 7, (*decoder).flat10},
		layout{0xfc00_c000, 0xdc00_4000, SCRATCH, 18, 7, (*decoder).flat10},
		layout{0xfc00_c000, 0xdc00_8000, GLOBAL, 18, 7, (*decoder).flat10},
		layout{0xfc00_0000, 0xe000_0000, MUBUF, 18, 8, (*decoder).laterBuffer},
		layout{0xfc00_0000, 0xe800_0000, MTBUF, 16, 3, (*decoder).typedBuffer10},
		layout{0xfc00_0000, 0xf000_0000, MIMG, 18, 7, (*decoder).image10},
		layout{0xfc00_0000, 0xf800_0000, EXP, 0, 0, (*decoder).export},
		layout{0xfc00_0000, 0xc800_0000, VINTRP, 16, 2, (*decoder).interpolate10},
		layout{0xfc00_0000, 0xf400_0000, SMEM, 18, 8, (*decoder).laterSMEM})
	layouts11 = append(append([]layout{}, laterLayouts...),
		layout{0xfc03_0000, 0xdc00_0000, FLAT, 18, 7, (*decoder).flat11},
		layout{0xfc03_0000, 0xdc01_0000, SCRATCH, 18, 7, (*decoder).flat11},
		layout{0xfc03_0000, 0xdc02_0000, GLOBAL, 18, 7, (*decoder).flat11},
		layout{0xfc00_0000, 0xc800_0000, vopd, 22, 4, nil},
		layout{0xfc00_0000, 0xe000_0000, MUBUF, 18, 8, (*decoder).laterBuffer},
		layout{0xfc00_0000, 0xe800_0000, MTBUF, 15, 4, (*decoder).typedBuffer11},
		layout{0xfc00_0000, 0xf000_0000, MIMG, 18, 8, (*decoder).image11},
		layout{0xfc00_0000, 0xf800_0000, EXP, 0, 0, (*decoder).export},
		layout{0xff00_0000, 0xcd00_0000, VINTERP, 16, 5, (*decoder).interpolate},
		layout{0xff00_0000, 0xce00_0000, LDSDIR, 20, 4, (*decoder).directLoad},
		layout{0xfc00_0000, 0xf400_0000, SMEM, 18, 8, (*decoder).laterSMEM})
	laterLayouts = []layout{
		{0xff80_0000, 0xbe80_0000, SOP1, 8, 8, (*decoder).sop1},
		{0xff80_0000, 0xbf00_0000, SOPC, 16, 7, (*decoder).sopc},
		{0xff80_0000, 0xbf80_0000, SOPP, 16, 7, (*decoder).sopp},
		{0xf000_0000, 0xb000_0000, SOPK, 23, 5, (*decoder).sopk},
		{0xc000_0000, 0x8000_0000, SOP2, 23, 7, (*decoder).sop2},
		{0xfe00_0000, 0x7e00_0000, VOP1, 9, 8, (*decoder).short},
		{0xfe00_0000, 0x7c00_0000, VOPC, 17, 8, (*decoder).short},
		{0x8000_0000, 0x0000_0000, VOP2, 25, 6, (*decoder).short},
		{0xff80_0000, 0xcc00_0000, VOP3P, 16, 7, (*decoder).vop3p},
		{0xfc00_0000, 0xd400_0000, VOP3, 16, 10, (*decoder).vop3},
		{0xfc00_0000, 0xd800_0000, DS, 18, 8, (*decoder).laterDS},
	}
)

func (a *ISA) layouts() []layout {
	switch {
	case a.Target == GFX1250:
		return layouts1250
	case a.Target&gfx12 != 0:
		return layouts12
	case a.Target&gfx11 != 0:
		return layouts11
	case a.Target.IsLater():
		return layouts10
	}
	return layouts9
}

// scalarNumber gives m0 its number of gfx9, and null one of its own.
func (a *ISA) scalarNumber(num uint32) uint32 {
	if !a.Target.IsLater() || num != regM0 && num != laterM0 {
		return num
	}
	if (num == laterM0) == (a.Target&gfx11P != 0) {
		return regM0
	}
	return regNull
}

// maskType is the type of lane masks.
func (d *decoder) maskType() typ {
	if d.isa.Target.IsLater() && d.isa.WaveSize() == laterWave {
		return mask32
	}
	return mask
}

// laterRange is scalarRange from gfx10 on, where all but VCC and the registers of traps are numbered.
func (d *decoder) laterRange(o *operand) error {
	n := uint16(max(typDwords[o.typ], 1))
	plain := o.reg < regVCC || o.reg >= regTTMP && o.reg < regM0
	switch {
	case o.reg == regNull:
		return nil
	case plain && n == 2:
		o.reg &^= 1
	case plain && n > 2:
		o.reg &^= 3
	}
	o.numbered = o.reg < laterSGPRs
	switch first, end := o.reg, o.reg+n; {
	case end <= laterSGPRs, first >= regTTMP && end <= regM0:
	case n == 1 && first >= regVCC && first <= regM0, n == 1 && first >= regExec:
	case first == srcScratchBase && n <= 2, first == srcScratchBase+1 && n == 1:
	case n == 2 && (first == regVCC || first == regExec):
	default:
		return d.fail("there is no group of %d scalar registers at number %d", n, o.reg)
	}
	return nil
}

// writesExecAlone reports whether a comparison has EXEC as its only destination (v_cmpx from gfx10 on).
func (d *decoder) writesExecAlone() bool {
	return d.isa.Target.IsLater() && d.in.Op.Enc == VOPC && d.in.Op.flag&writesExec != 0
}

// compareDst makes the destination of a comparison in VOP3.
func (d *decoder) compareDst(num uint32) error {
	if d.writesExecAlone() {
		d.in.sdst = operand{kind: scalarReg, typ: d.maskType(), reg: regExec}
		return nil
	}
	return d.scalarDst(&d.in.sdst, d.maskType(), num)
}

// short decodes VOP1, VOP2 and VOPC. On gfx11 the number of a register of which an operand is a half has
// seven bits, and the eighth says which half.
func (d *decoder) short(w uint32) error {
	op, in := d.in.Op, d.in
	sel := uint8(0)
	if op.halves {
		take := func(t typ, shift, bit int, high uint32) {
			if !t.is16() || high == 0 && w>>8&1 == 0 {
				return
			}
			if w>>shift&0x80 != 0 {
				sel |= 1 << bit
				w &^= 0x80 << shift
			}
		}
		take(op.src[0], 0, 0, 0)
		if in.form != VOPC {
			take(op.dst, 17, 3, 1)
		}
		if in.form != VOP1 {
			second := 1
			if op.literalSource() == 1 {
				second = 2
			}
			take(op.src[second], 9, second, 1)
		}
	}
	var err error
	switch in.form {
	case VOP1:
		err = d.vop1(w)
	case VOP2:
		err = d.vop2(w)
	default:
		err = d.vopc(w)
	}
	if err != nil || !op.halves {
		return err
	}
	if in.mod != nil && in.mod.dpp != nil && op.src[0].is16() &&
		in.words[1]&0x80 != 0 { // the number of its dword
		sel |= 1
		in.src[0].reg &^= 0x80
	}
	if op.flag&readsDst != 0 && sel>>3&1 != 0 {
		sel |= 1 << (op.srcCount() - 1)
	}
	d.markHalves()
	if sel != 0 {
		if in.mod == nil {
			in.mod = &modifiers{}
		}
		in.mod.opSel = sel
	}
	return nil
}

// markHalves marks the registers of which operands are halves.
func (d *decoder) markHalves() {
	in := d.in
	mark := func(o *operand) { o.half = o.kind == vectorReg && o.typ.is16() }
	mark(&in.dst)
	for i := range in.src {
		mark(&in.src[i])
	}
}

// longHalves is the same for VOP3, where OP_SEL says which half.
func (d *decoder) longHalves() {
	op, in := d.in.Op, d.in
	if !op.halves {
		return
	}
	d.markHalves()
	if n := op.srcCount() - 1; op.flag&readsDst != 0 {
		in.mod.opSel |= in.mod.opSel >> 3 & 1 << n
	}
}

// longDPP reads the dword of DPP that VOP3 can have on gfx11, which has source 0.
func (d *decoder) longDPP(src0 *uint32) error {
	if d.isa.Target&gfx11P == 0 {
		return nil
	}
	switch *src0 {
	case srcDPP:
	case srcDPP8, srcDPP8 + 1:
		p, num, err := d.dpp8Fields(*src0)
		if err != nil {
			return err
		}
		d.in.mod.dpp, *src0 = p, num
		return nil
	default:
		return nil
	}
	w, err := d.word()
	if err != nil {
		return err
	}
	p := &dpp{ctrl: uint16(w >> 8 & 0x1ff), inactive: w>>18&1 != 0, boundCtrl: w>>19&1 != 0, later: true,
		bankMask: uint8(w >> 24 & 0xf), rowMask: uint8(w >> 28)}
	if _, ok := p.source(d.isa.Target, 0, d.isa.WaveSize()); !ok {
		return d.fail("DPP control %#x is reserved", p.ctrl)
	}
	d.in.mod.dpp, *src0 = p, w&0xff+srcVGPR
	return nil
}

// dpp8 decodes DPP8 of the short encodings.
func (d *decoder) dpp8(src0, src1 uint32) error {
	in, op := d.in, d.in.Op
	if op.flag&noDPP != 0 || op.dst == sdst32 || op.src[0] == none {
		return d.fail("%s has no DPP form", op.Name)
	}
	p, num, err := d.dpp8Fields(src0)
	if err != nil {
		return err
	}
	in.mod = &modifiers{dpp: p}
	if err := d.source(0, num); err != nil {
		return err
	}
	if d.hasSecond() {
		return d.source(1, src1+srcVGPR)
	}
	return nil
}

func (d *decoder) dpp8Fields(src0 uint32) (*dpp, uint32, error) {
	w, err := d.word()
	return &dpp{eight: true, lanes: w >> 8, inactive: src0 != srcDPP8, boundCtrl: true, later: true,
		bankMask: 0xf, rowMask: 0xf}, w&0xff + srcVGPR, err
}

func (d *decoder) laterSMEM(w uint32) error {
	w1, err := d.word()
	if err != nil {
		return err
	}
	in, m := d.in, &d.in.mem
	m.immOffset, m.glc, m.dlc = true, w>>16&1 != 0, w>>14&1 != 0
	if d.isa.Target&gfx11 != 0 {
		m.glc, m.dlc = w>>14&1 != 0, w>>13&1 != 0
	}
	if in.Op.src[0] != none {
		if err := d.operand(&in.src[0], in.Op.src[0], w&0x3f<<1); err != nil {
			return err
		}
		in.simm = int32(w1<<11) >> 11
		if err := d.operand(&m.soffset, u32, w1>>25); err != nil {
			return err
		}
	}
	data := w >> 6 & 0x7f
	if in.Op.src[1] != none {
		return d.operand(&in.src[1], in.Op.src[1], data)
	}
	return d.scalarDst(&in.dst, in.Op.dst, data)
}

func (d *decoder) laterDS(w uint32) error {
	const gds, gds9, acc9 = 1 << 17, 1 << 16, 1 << 25
	return d.ds(w&^(acc9|gds9) | w&gds>>1)
}

// flat10 and flat11 decode FLAT, GLOBAL and SCRATCH.
func (d *decoder) flat10(w uint32) error {
	m := &d.in.mem
	m.dlc, m.glc, m.slc = w>>12&1 != 0, w>>16&1 != 0, w>>17&1 != 0
	if w>>13&1 != 0 {
		return d.fail("%s cannot load to LDS here", d.in.Op.display())
	}
	return d.laterFlat(int32(w<<20)>>20, false)
}

func (d *decoder) flat11(w uint32) error {
	m := &d.in.mem
	m.dlc, m.glc, m.slc = w>>13&1 != 0, w>>14&1 != 0, w>>15&1 != 0
	return d.laterFlat(int32(w<<19)>>19, true)
}

// laterFlat makes the operands; both says that scratch_* can have a vector and a scalar address.
func (d *decoder) laterFlat(offset int32, both bool) error {
	w1, err := d.word()
	if err != nil {
		return err
	}
	in := d.in
	in.simm = offset
	saddr := w1 >> 16 & 0x7f
	has := in.form != FLAT && d.isa.scalarNumber(saddr) != regNull && saddr != laterSAddr9
	vector := !has && saddr != laterSAddr9
	if both {
		vector = w1>>23&1 != 0
	}
	if err := d.flatAddress(saddr, has, vector, w1&0xff); err != nil {
		return err
	}
	return d.vectorData(w1>>24, w1>>8&0xff, false)
}

// flatAddress makes the operands of an address: a scalar one, if it has that, and a vector, which scratch_*
// may be without.
func (d *decoder) flatAddress(saddr uint32, has, vector bool, v uint32) (err error) {
	in, m := d.in, &d.in.mem
	vaddr := b64
	switch {
	case in.Op.flag&byLane != 0:
		vaddr = none
		err = d.operand(&m.saddr, b64, saddr)
	case in.form == SCRATCH:
		vaddr = none
		if vector {
			vaddr = b32
		}
		if has {
			err = d.operand(&m.saddr, u32, saddr)
		}
	case has:
		vaddr = b32
		err = d.operand(&m.saddr, b64, saddr)
	}
	if err != nil {
		return err
	}
	return d.vectorDst(&in.src[0], vaddr, v, false)
}

func (d *decoder) laterBuffer(w uint32) error {
	w1, err := d.word()
	if err != nil {
		return err
	}
	in, op, m := d.in, d.in.Op, &d.in.mem
	in.simm = int32(w & 0xfff)
	if op.run != nil { // cache control
		return nil
	}
	m.glc = w>>14&1 != 0
	if d.isa.Target&gfx11 != 0 {
		m.slc, m.dlc = w>>12&1 != 0, w>>13&1 != 0
		m.tfe, m.offen, m.idxen = w1>>21&1 != 0, w1>>22&1 != 0, w1>>23&1 != 0
	} else {
		m.offen, m.idxen, m.dlc = w>>12&1 != 0, w>>13&1 != 0, w>>15&1 != 0
		m.slc, m.tfe = w1>>22&1 != 0, w1>>23&1 != 0
		if w>>16&1 != 0 {
			return d.fail("%s cannot load to LDS here", op.display())
		}
	}
	return d.bufferOperands(w1, false)
}
