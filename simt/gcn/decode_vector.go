package gcn

import "simtgdb/simt"

func (d *decoder) vop1(w uint32) error {
	op := d.in.Op
	if op.src[0] == none {
		return d.nop(w)
	}
	if err := d.vectorDst(&d.in.dst, op.dst, w>>17&0xff, op.flag&accDst != 0); err != nil {
		return err
	}
	return d.shortVector(w&0x1ff, 0)
}

// nop decodes v_nop and v_clrexcp: what would be their source does not count,
// but where it makes v_nop longer without making it do anything.
func (d *decoder) nop(w uint32) error {
	op := d.in.Op
	if w>>17&0xff != 0 {
		return d.fail("the destination of %s must be 0", op.Name)
	}
	next := d.peek()
	const notSDWA, notDPP = 0xffff_e000, 0x00f0_0000
	switch src := w & 0x1ff; {
	case src == srcSDWA && op.flag&noSDWA == 0 && next&notSDWA == 0:
		_, err := d.word()
		return err
	case src == srcDPP && op.flag&noDPP == 0 && next&notDPP == 0:
		return d.dpp(0)
	}
	return nil
}

func (d *decoder) vop2(w uint32) error {
	op := d.in.Op
	if err := d.vectorDst(&d.in.dst, op.dst, w>>17&0xff, false); err != nil {
		return err
	}
	if op.flag&writesVCC != 0 {
		d.in.sdst = operand{kind: scalarReg, typ: d.maskType(), reg: regVCC}
	}
	d.implied()
	return d.shortVector(w&0x1ff, w>>9&0xff)
}

// implied makes the sources that short encodings do not name: the
// destination of v_mac and the like, and VCC.
func (d *decoder) implied() {
	op, in := d.in.Op, d.in
	if op.flag&readsDst != 0 {
		n := op.srcCount() - 1
		in.src[n] = operand{kind: vectorReg, typ: op.src[n], reg: in.dst.reg}
	}
	if i := op.maskSource(); i >= 0 {
		in.src[i] = operand{kind: scalarReg, typ: d.maskType(), reg: regVCC}
	}
}

// maskSource is the index of the row's lane mask source, or -1.
func (op *Op) maskSource() int {
	for i, t := range op.src {
		if t == mask {
			return i
		}
	}
	return -1
}

func (d *decoder) vopc(w uint32) error {
	d.in.sdst = operand{kind: scalarReg, typ: d.maskType(), reg: regVCC}
	if d.writesExecAlone() {
		d.in.sdst.reg = regExec
	}
	return d.shortVector(w&0x1ff, w>>9&0xff)
}

// shortVector makes the sources of VOP1, VOP2 and VOPC, with the dword that
// SDWA, DPP or a literal adds. v_madmk and v_madak have their literal as one
// of three sources.
func (d *decoder) shortVector(src0, src1 uint32) error {
	op := d.in.Op
	if k := op.literalSource(); k >= 0 {
		if err := d.operand(&d.in.src[k], op.src[k], op.literalNumber()); err != nil {
			return err
		}
		if err := d.source(0, src0); err != nil {
			return err
		}
		return d.source(3-k, src1+srcVGPR)
	}
	switch src0 {
	case srcSDWA:
		return d.sdwa(src1)
	case srcDPP:
		return d.dpp(src1)
	case srcDPP8, srcDPP8 + 1:
		if d.isa.Target.IsLater() {
			return d.dpp8(src0, src1)
		}
	}
	if op.src[0] != none {
		if err := d.vectorSource(0, src0, op.flag&accSrc != 0); err != nil {
			return err
		}
	}
	if d.hasSecond() {
		return d.source(1, src1+srcVGPR)
	}
	return nil
}

// hasSecond reports whether the short encoding names a second source.
func (d *decoder) hasSecond() bool {
	t := d.in.Op.src[1]
	return t != none && t != mask && d.in.form != VOP1
}

// literalSource is the source that is always a literal (K), or -1.
func (op *Op) literalSource() int {
	switch {
	case op.flag&literal1 != 0:
		return 1
	case op.flag&literal2 != 0:
		return 2
	}
	return -1
}

// literalNumber is the number of an operand that is always a literal.
func (op *Op) literalNumber() uint32 {
	if typDwords[op.dst] == 2 {
		return srcLDSDirect
	}
	return srcLiteral
}

// vectorSource makes source i of a vector instruction; acc says that a vector
// register is an accumulation register.
func (d *decoder) vectorSource(i int, num uint32, acc bool) error {
	if err := d.source(i, num); err != nil {
		return err
	}
	o := &d.in.src[i]
	switch {
	case o.typ == mask || o.typ == mask32 || o.typ == ssrc32 || o.typ == ssrc64:
		if o.kind == vectorReg {
			return d.fail("source %d of %s must be scalar", i, d.in.Op.Name)
		}
	case acc && o.kind == vectorReg:
		o.reg += accBase
	case o.reg == srcLDSDirect && o.kind == special && d.in.Op.dst == sdst32: // v_readfirstlane
	case (acc || d.in.Op.flag&vectorOnly != 0 || d.in.Op.Enc == VOP3 && typDwords[o.typ] > 2) &&
		o.kind != vectorReg:
		return d.fail("source %d of %s must be a vector register", i, d.in.Op.Name)
	}
	return nil
}

// allowsSubDword reports whether the row has an SDWA form.
func (op *Op) allowsSubDword() bool {
	if op.flag&noSDWA != 0 || typDwords[op.dst] > 1 && op.flag&fixedDst == 0 || op.dst == sdst32 {
		return false
	}
	for _, t := range op.src {
		if typDwords[t] > 1 && t != mask {
			return false
		}
	}
	return true
}

// sdwa decodes the second dword of a sub-dword-addressing encoding (MI200
// ISA, sections "VOP_SDWA" and "VOP_SDWAB").
func (d *decoder) sdwa(src1 uint32) error {
	in, op := d.in, d.in.Op
	if !op.allowsSubDword() {
		return d.fail("%s has no SDWA form", op.Name)
	}
	w, err := d.word()
	if err != nil {
		return err
	}
	s := &sdwa{dstSel: selDword}
	in.mod = &modifiers{sdwa: s, clamp: w>>13&1 != 0, omod: uint8(w >> 14 & 3)}
	if op.Enc == VOPC {
		in.mod.clamp, in.mod.omod = false, 0
		if w>>15&1 != 0 {
			if err := d.scalarDst(&in.sdst, d.maskType(), w>>8&0x7f); err != nil {
				return err
			}
		}
	} else {
		s.dstSel, s.dstUnused = uint8(w>>8&7), uint8(w>>11&3)
		if s.dstSel > selDword || s.dstUnused > unusedPreserve {
			return d.fail("a reserved SDWA destination selector")
		}
		if op.flag&fixedDst != 0 && (s.dstSel != selDword || s.dstUnused != unusedPad) {
			return d.fail("%s has no SDWA destination selector", op.Name)
		}
		if in.mod.omod != 0 && !op.dst.isFloat() {
			return d.fail("%s takes no output modifier", op.Name)
		}
	}
	for i, num := range [2]uint32{w & 0xff, src1} {
		if op.src[i] == none || i == 1 && !d.hasSecond() {
			break
		}
		if err := d.sdwaSource(i, num, w>>(16+8*i)&0xff); err != nil {
			return err
		}
	}
	return nil
}

// sdwaSource makes source i from its number and its byte of fields.
func (d *decoder) sdwaSource(i int, num, fields uint32) error {
	in, t, s := d.in, d.in.Op.src[i], d.in.mod.sdwa
	s.sel[i], s.sext[i] = uint8(fields&7), fields>>3&1 != 0
	if s.sel[i] > selDword {
		return d.fail("a reserved SDWA source selector")
	}
	switch signs := fields >> 4 & 3; {
	case t.isFloat() && s.sext[i], !t.isFloat() && signs != 0:
		return d.fail("source %d of %s does not take its modifiers", i, in.Op.Name)
	case t == v2f16: // has them, ignored
	default:
		in.mod.neg |= uint8(signs & 1 << i)
		in.mod.abs |= uint8(signs >> 1 << i)
	}
	if fields>>7 == 0 {
		num += srcVGPR
	} else if num == srcLiteral {
		return d.fail("SDWA takes no literal")
	}
	return d.source(i, num)
}

// dpp decodes the second dword of a data-parallel-primitives encoding (MI200
// ISA, section "VOP_DPP").
func (d *decoder) dpp(src1 uint32) error {
	in, op := d.in, d.in.Op
	if op.flag&noDPP != 0 || op.Enc == VOPC && d.isa.Target&gfx11P == 0 || op.dst == sdst32 {
		return d.fail("%s has no DPP form", op.Name)
	}
	w, err := d.word()
	if err != nil {
		return err
	}
	p := &dpp{
		ctrl:      uint16(w >> 8 & 0x1ff),
		boundCtrl: w>>19&1 != 0,
		bankMask:  uint8(w >> 24 & 0xf),
		rowMask:   uint8(w >> 28),
	}
	if _, ok := p.source(d.isa.Target, 0, simt.MaxLanes); !ok {
		return d.fail("DPP control %#x is reserved", p.ctrl)
	}
	p.later = d.isa.Target.IsLater()
	p.inactive = w>>18&1 != 0 && d.isa.Target.IsLater()
	in.mod = &modifiers{dpp: p}
	for i := range 2 {
		switch signs := w >> (20 + 2*i) & 3; {
		case op.src[i].isFloat() && (i == 0 || d.hasSecond()):
			in.mod.neg |= uint8(signs & 1 << i)
			in.mod.abs |= uint8(signs >> 1 << i)
		case signs != 0 && !(op.Enc == VOP2 && (op.dst.isFloat() || op.flag&readsDst != 0)):
			return d.fail("source %d of %s takes no modifiers", i, op.Name)
		}
	}
	if op.src[0] != none {
		if err := d.source(0, w&0xff+srcVGPR); err != nil {
			return err
		}
	}
	if d.hasSecond() {
		return d.source(1, src1+srcVGPR)
	}
	return nil
}

func (d *decoder) vop3(w uint32) error {
	op, in := d.in.Op, d.in
	w1, err := d.word()
	if err != nil {
		return err
	}
	if op.flag&attribute != 0 {
		return d.attributeOperands(w, w1)
	}
	if op.src[0] == none && (w&0xffff != 0 || w1 != 0) {
		return d.fail("the operands of %s must be 0", op.Name)
	}
	if err := d.vop3Modifiers(w, w1); err != nil {
		return err
	}
	hasAbs := true
	switch {
	case op.Enc == VOPC:
		err = d.compareDst(w & 0xff)
	case op.flag&writesVCC != 0:
		hasAbs = false
		if err = d.vectorDst(&in.dst, op.dst, w&0xff, false); err == nil {
			err = d.scalarDst(&in.sdst, d.maskType(), w>>8&0x7f)
		}
	default:
		err = d.vectorDst(&in.dst, op.dst, w&0xff, false)
	}
	if err != nil {
		return err
	}
	if hasAbs {
		if op.flag&truthTable == 0 {
			in.mod.abs = uint8(w >> 8 & 7)
		}
		if op.flag&opSel != 0 {
			in.mod.opSel = uint8(w >> 11 & 0xf)
		}
	}
	nums := [3]uint32{w1 & 0x1ff, w1 >> 9 & 0x1ff, w1 >> 18 & 0x1ff}
	if err := d.longDPP(&nums[0]); err != nil {
		return err
	}
	if err := d.longSources(nums[:]); err != nil {
		return err
	}
	d.longHalves()
	if err := d.checkModifiers(); err != nil {
		return err
	}
	if *in.mod == (modifiers{}) || op.flag&(accDst|accSrc) != 0 {
		in.mod = nil
	}
	return nil
}

// vop3Modifiers reads the modifiers of VOP3, or the truth table that some instructions have in their place.
func (d *decoder) vop3Modifiers(w, w1 uint32) error {
	op, in := d.in.Op, d.in
	in.mod = &modifiers{
		clamp: w>>15&1 != 0,
		omod:  uint8(w1 >> 27 & 3),
		neg:   uint8(w1 >> 29),
	}
	if op.flag&truthTable != 0 {
		in.simm = int32(w1>>27&3<<6 | w>>8&7<<3 | w1>>29)
		in.mod.omod, in.mod.neg = 0, 0
		if op.flag&opSel == 0 && w>>11&0xf != 0 {
			return d.fail("%s takes no op_sel", op.Name)
		}
	}
	return nil
}

// longSources makes the sources of VOP3 and VOP3P.
func (d *decoder) longSources(nums []uint32) error {
	op, in := d.in.Op, d.in
	n := op.srcCount()
	if op.flag&readsDst != 0 {
		n--
		in.src[n] = operand{kind: vectorReg, typ: op.src[n], reg: in.dst.reg}
	}
	if n > len(nums) {
		return d.fail("%s has no VOP3 form", op.Name)
	}
	for i, num := range nums {
		switch {
		case i >= n:
			continue
		case num == srcLiteral && !d.isa.Target.IsLater():
			return d.fail("%v takes no literal", in.form)
		}
		if err := d.vectorSource(i, num, false); err != nil {
			return err
		}
	}
	return nil
}

// checkModifiers refuses modifiers that the row does not have: their bits
// must be 0.
func (d *decoder) checkModifiers() error {
	op, m := d.in.Op, d.in.mod
	if m.clamp && !op.allowsClamp() {
		return d.fail("%s takes no clamp", op.Name)
	}
	if m.omod != 0 && !op.allowsScale() {
		return d.fail("%s takes no output modifier", op.Name)
	}
	// Rows without a float refuse signs, others ignore those of integers.
	var floats uint8
	for i := range op.namedSources() {
		if op.src[i].isFloat() {
			floats |= 1 << i
		}
	}
	limit := op.namedSources()
	switch {
	case op.flag&(byteSel|selectsScale) != 0:
		limit = 3
	case op.flag&readsByte != 0:
		limit = 2
	case op.flag&opSel != 0:
		limit = op.srcCount()
	}
	if signs := m.neg | m.abs; floats == 0 && signs != 0 && op.flag&readsDst == 0 || signs>>limit != 0 ||
		signs&^floats != 0 && (op.Enc == VOPC || op.maskSource() >= 0) ||
		signs != 0 && op.flag&bare != 0 && (typDwords[op.src[0]] > 2 || typDwords[op.dst] > 2) {
		return d.fail("%s takes no modifiers on its sources, or on fewer", op.Name)
	}
	m.neg &= floats
	m.abs &= floats
	if m.opSel&7>>limit != 0 {
		return d.fail("%s has no source %d", op.Name, limit)
	}
	return nil
}

// namedSources is how many sources the row has in a VOP3 encoding.
func (op *Op) namedSources() int {
	n := op.srcCount()
	if op.flag&readsDst != 0 {
		n--
	}
	return n
}

func (op *Op) allowsClamp() bool {
	return op.dst.isFloat() && op.flag&bare == 0 || op.flag&clamps != 0 || op.sat != nil || op.Enc == VOPC &&
		op.src[1].isFloat()
}

func (op *Op) allowsScale() bool {
	return op.dst.isFloat() && op.flag&bare == 0 || op.flag&scales != 0
}

func (d *decoder) vop3p(w uint32) error {
	op, in := d.in.Op, d.in
	w1, err := d.word()
	if err != nil {
		return err
	}
	if op.flag&matrix != 0 {
		return d.matrix(w, w1)
	}
	if op.wave != nil {
		return d.waveMatrix(w, w1)
	}
	if op.block != nil {
		return d.blockMatrix(w, w1, &blockFields{})
	}
	if op.Name == loadScales || op.Name == loadFineScales {
		return d.blockScales(w, w1)
	}
	if op.Code == ldScaleCode && op.on == GFX950 {
		return d.loadScale(w, w1)
	}
	in.mod = &modifiers{
		neg:     uint8(w1 >> 29),
		negHi:   uint8(w >> 8 & 7),
		opSel:   uint8(w >> 11 & 7),
		opSelHi: uint8(w1>>27&3 | w>>14&1<<2),
		clamp:   w>>15&1 != 0,
	}
	if unused := ^(uint8(1)<<op.srcCount() - 1); (in.mod.neg|in.mod.negHi|in.mod.opSel)&unused != 0 {
		return d.fail("%s has modifiers for a source that it lacks", op.Name)
	}
	if op.src[0] == b32 && in.mod.opSel != 0 {
		return d.fail("%s has no halves to select", op.Name)
	}
	if err := d.vectorDst(&in.dst, op.dst, w&0xff, false); err != nil {
		return err
	}
	return d.longSources([]uint32{w1 & 0x1ff, w1 >> 9 & 0x1ff, w1 >> 18 & 0x1ff})
}

// loadScale decodes v_mfma_ld_scale_b32, and with the matrix instruction that follows, if that has scales,
// the two as one. The fields that it does not need do not count.
func (d *decoder) loadScale(w, w1 uint32) error {
	nums := [2]uint32{w1 & 0x1ff, w1 >> 9 & 0x1ff}
	const hasScales = 1 << 11 // ABID
	next := d.peek()
	op := d.isa.tables.rows[VOP3P][ldScaleCode+1]
	if next>>16 == 0xd3ae {
		op = d.isa.tables.rows[VOP3P][ldScaleCode+2]
	}
	sel, selHi := uint8(w>>11&3), uint8(w1>>27&3)
	if next>>16 != 0xd3ad && next>>16 != 0xd3ae || next&hasScales == 0 {
		if w&0xff != 0 {
			return d.fail("%s has no destination", d.in.Op.Name)
		}
		d.in.mod = &modifiers{opSel: sel, opSelHi: selHi}
		return d.longSources(nums[:])
	}
	var scales [2]operand
	for i, n := range nums {
		if err := d.operand(&scales[i], b32, n); err != nil {
			return err
		}
		if scales[i].kind != vectorReg {
			return d.fail("scale %d must be a vector register", i)
		}
	}
	w, err := d.word()
	if err != nil {
		return err
	}
	if w1, err = d.word(); err != nil {
		return err
	}
	d.in.Op = op
	if err := d.matrix(w&^hasScales, w1); err != nil {
		return err
	}
	if d.in.mod == nil {
		d.in.mod = &modifiers{}
	}
	d.in.mod.scales, d.in.mod.opSel, d.in.mod.opSelHi = &scales, sel, selHi
	return nil
}

// matrix decodes a VOP3P-MAI encoding (MI200 ISA, section "VOP3P-MAI").
func (d *decoder) matrix(w, w1 uint32) error {
	op, in := d.in.Op, d.in
	in.mod = &modifiers{cbsz: uint8(w >> 8 & 7), abid: uint8(w >> 11 & 0xf), blgp: uint8(w1 >> 29)}
	if op.flag&(accSrc|accDst) != 0 && (in.mod.cbsz|in.mod.abid&7|in.mod.blgp) != 0 ||
		op.flag&readsDst != 0 && in.mod.blgp != 0 {
		return d.fail("%s does not share or permute its sources so", op.Name)
	}
	if op.isSmall() && in.mod.abid != 0 {
		return d.fail("%s has no scales before it", op.Name)
	}
	accCD := w>>15&1 != 0 || d.isa.Target == GFX908 && op.flag&(accSrc|accDst) == 0 // gfx908 has no choice
	if err := d.vectorDst(&in.dst, op.dst, w&0xff,
		accCD && op.flag&accSrc == 0 || op.flag&accDst != 0); err != nil {
		return err
	}
	nums := [3]uint32{w1 & 0x1ff, w1 >> 9 & 0x1ff, w1 >> 18 & 0x1ff}
	named := op.namedSources()
	if op.flag&readsDst != 0 {
		in.src[named] = operand{kind: vectorReg, typ: op.src[named], reg: in.dst.reg}
	}
	for i := range named {
		if nums[i] == srcLiteral {
			return d.fail("%v takes no literal", in.form)
		}
		typ := op.src[i]
		if op.isSmall() && i < 2 {
			typ = smallFactors[[2]uint8{in.mod.cbsz, in.mod.blgp}[i]].regs
		}
		if err := d.operand(&in.src[i], typ, nums[i]); err != nil {
			return err
		}
		if in.src[i].kind != vectorReg && (i < 2 && op.flag&accDst == 0 || named < op.srcCount()) {
			return d.fail("source %d of %s must be a vector register", i, op.Name)
		}
		acc := i < 2 && w1>>(27+i)&1 != 0 || i == 2 && accCD && named == op.srcCount()
		if op.flag&(accDst|accSrc) != 0 { // moves say by themselves which file they mean
			acc = op.flag&accSrc != 0
		}
		if acc && in.src[i].kind == vectorReg {
			in.src[i].reg += accBase
		}
	}
	if *in.mod == (modifiers{}) || op.flag&(accDst|accSrc) != 0 {
		in.mod = nil
	}
	return nil
}
