package gcn

import (
	"fmt"
	"strings"
)

// vectorText is the text of an instruction of the vector encodings.
func (in *Inst) vectorText() string {
	switch {
	case in.Op.flag&attribute != 0:
		return in.attributeTextLong()
	case in.block != nil:
		return in.blockText()
	}
	var operands []string
	add := func(s string) { operands = append(operands, s) }
	if in.dst.kind != noOperand {
		add(in.halfText(&in.dst, 3))
	}
	if in.sdst.kind != noOperand && !(in.on.IsLater() && in.Op.flag&writesExec != 0) {
		add(in.sdst.text())
	}
	for i := range in.Op.namedSources() {
		if in.src[i].kind != noOperand {
			add(in.sourceText(i))
		}
	}
	name := in.vectorName()
	if in.mod != nil && in.mod.scales != nil {
		name = strings.Replace(name, "v_mfma_", "v_mfma_scale_", 1)
		for i := range in.mod.scales {
			add(in.mod.scales[i].text())
		}
	}
	return instText(name, operands, in.modifierText()...)
}

// vectorName is the mnemonic with the suffix that tells the encoding, for
// rows that have more than one.
func (in *Inst) vectorName() string {
	op := in.Op
	switch {
	case op.Enc == VOP3 && in.mod != nil && in.mod.dpp != nil:
		return op.display() + "_e64_dpp"
	case op.Enc == VOP3 || op.Enc == VOP3P || op.src[0] == none || op.flag&unmarked != 0:
		return op.display()
	case in.form == VOP3 && in.mod != nil && in.mod.dpp != nil:
		return op.display() + "_e64_dpp"
	case in.form == VOP3:
		return op.display() + "_e64"
	case in.mod != nil && in.mod.sdwa != nil:
		return op.display() + "_sdwa"
	case in.mod != nil && in.mod.dpp != nil && in.form == VOPC:
		return op.display()
	case in.mod != nil && in.mod.dpp != nil:
		return op.display() + "_dpp"
	case op.flag&noVOP3 != 0:
		return op.display()
	}
	return op.display() + "_e32"
}

// sourceText is source i with its modifiers.
func (in *Inst) sourceText(i int) string {
	if i == in.Op.literalSource() {
		return fmt.Sprintf("%#x", in.src[i].literalBits())
	}
	s, m := in.halfText(&in.src[i], i), in.mod
	if m == nil || in.form == VOP3P && in.src[i].typ != mixed && in.src[i].typ != mixedB {
		return s
	}
	neg, abs := m.neg>>i&1 != 0, m.abs>>i&1 != 0
	if in.form == VOP3P {
		abs = m.negHi>>i&1 != 0
	}
	if m.sdwa != nil && i < 2 && m.sdwa.sext[i] {
		s = "sext(" + s + ")"
	}
	switch {
	case abs && neg:
		return "-|" + s + "|"
	case abs:
		return "|" + s + "|"
	case neg && in.src[i].isNumber():
		return "neg(" + s + ")"
	case neg:
		return "-" + s
	}
	return s
}

// isNumber reports whether the operand is written as a number, not as a name.
func (o *operand) isNumber() bool { return o.kind == constant && specialNames[o.reg] == "" }

var omodText = [...]string{"", "mul:2", "mul:4", "div:2"}

// modifierText is what follows the operands.
func (in *Inst) modifierText() []string {
	m, op := in.mod, in.Op
	if m == nil {
		m = &modifiers{}
		if in.form == VOP3P && op.flag&matrix == 0 {
			return nil
		}
	}
	clamp := ""
	if m.clamp {
		clamp = "clamp"
	}
	switch {
	case op.flag&matrix != 0:
		return in.matrixText(m)
	case op.wave != nil:
		return in.waveMatrixText(clamp)
	case in.form == VOP3P:
		return in.packedText(clamp)
	case m.sdwa != nil:
		return append([]string{clamp, omodText[m.omod]}, in.sdwaText()...)
	case m.dpp != nil && in.form != VOP3:
		return m.dpp.text()
	}
	n := op.srcCount()
	if op.halves {
		n = op.namedSources()
	}
	sel := ""
	switch {
	case op.flag&readsByte != 0 && in.form == VOP3:
		sel = offsetText("byte_sel", int32(readByte(in)))
	case op.flag&selectsScale != 0:
		sel = offsetText("scale_sel", int32(m.opSel))
	case m.opSel != 0 && op.flag&fetches != 0:
		sel = bitsText("op_sel", m.opSel, 2)
	case m.opSel != 0 && op.flag&byteSel != 0:
		sel = bitsText("op_sel", m.opSel, 4)
	case op.halves && (in.form != VOP3 || op.maskSource() >= 0): // the registers' names say it
	case m.opSel != 0:
		// The destination's bit comes after those of the sources.
		sel = bitsText("op_sel", m.opSel&(1<<n-1)|m.opSel>>3<<n, n+1)
	}
	if op.flag&truthTable != 0 && in.simm != 0 {
		format := "bitop3:%#x"
		if in.simm < 10 {
			format = "bitop3:%d"
		}
		return []string{fmt.Sprintf(format, in.simm), sel}
	}
	s := []string{sel, clamp, omodText[m.omod]}
	if m.dpp != nil {
		s = append(s, m.dpp.text()...)
	}
	return s
}

// bitsText writes n bits, the lowest first.
func bitsText(name string, v uint8, n int) string {
	var b strings.Builder
	b.WriteString(name + ":[")
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('0' + v>>i&1)
	}
	b.WriteByte(']')
	return b.String()
}

// packedText is what follows the operands of a packed instruction: the
// halves chosen and the signs, where they are not the usual ones.
func (in *Inst) packedText(clamp string) []string {
	m, n := in.mod, in.Op.namedSources()
	all := uint8(1)<<n - 1
	usual := all
	mix := in.Op.src[0] == mixed || in.Op.src[0] == mixedB
	if mix {
		usual = 0
	}
	var s []string
	add := func(name string, v, usual uint8) {
		if v&all != usual {
			s = append(s, bitsText(name, v&all, n))
		}
	}
	if in.Op.src[0] != b32 { // v_dot4 and v_dot8 have no halves
		add("op_sel", m.opSel, 0)
		add("op_sel_hi", m.opSelHi, usual)
	}
	if !mix && in.Op.flag&signless == 0 {
		add("neg_lo", m.neg, 0)
		add("neg_hi", m.negHi, 0)
	}
	return append(s, clamp)
}

// matrixText is what follows the operands of a matrix instruction. In those
// of doubles BLGP has the signs from gfx942 on.
func (in *Inst) matrixText(m *modifiers) []string {
	if in.Op.flag&(accDst|accSrc) != 0 {
		return nil
	}
	var s []string
	add := func(name string, v uint8) {
		if v != 0 {
			s = append(s, fmt.Sprintf("%s:%d", name, v))
		}
	}
	if m.scales != nil {
		if m.opSel != 0 {
			s = append(s, bitsText("op_sel", m.opSel, 3))
		}
		s = append(s, bitsText("op_sel_hi", m.opSelHi, 3))
	}
	add("cbsz", m.cbsz)
	add("abid", m.abid)
	if m.blgp != 0 && in.on&gfx942P != 0 && in.Op.flag&doubles != 0 {
		return append(s, bitsText("neg", m.blgp, 3))
	}
	add("blgp", m.blgp)
	return s
}

var selText = [...]string{"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"}
var unusedText = [...]string{"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"}

func (in *Inst) sdwaText() []string {
	d, op := in.mod.sdwa, in.Op
	var s []string
	if op.Enc != VOPC && op.flag&fixedDst == 0 {
		s = append(s, "dst_sel:"+selText[d.dstSel], "dst_unused:"+unusedText[d.dstUnused])
	}
	for i := range 2 {
		if in.src[i].kind != noOperand && in.src[i].typ != mask && in.src[i].typ != mask32 {
			s = append(s, fmt.Sprintf("src%d_sel:%s", i, selText[d.sel[i]]))
		}
	}
	return s
}

// text is the control and the masks of a DPP encoding.
func (p *dpp) text() []string {
	if p.eight {
		var n []string
		for i := range 8 {
			n = append(n, fmt.Sprint(p.lanes>>(3*i)&7))
		}
		return []string{"dpp8:[" + strings.Join(n, ",") + "]", when(p.inactive, "fi:1")}
	}
	s := []string{p.ctrlText(), fmt.Sprintf("row_mask:%#x", p.rowMask),
		fmt.Sprintf("bank_mask:%#x", p.bankMask)}
	if p.boundCtrl {
		s = append(s, "bound_ctrl:1")
	}
	if p.inactive {
		s = append(s, "fi:1")
	}
	return s
}

func (p *dpp) ctrlText() string {
	n := p.ctrl & 15
	switch c := p.ctrl; {
	case c < dppRowShl:
		return fmt.Sprintf("quad_perm:[%d,%d,%d,%d]", c&3, c>>2&3, c>>4&3, c>>6&3)
	case c < dppRowShr:
		return fmt.Sprintf("row_shl:%d", n)
	case c < dppRowRor:
		return fmt.Sprintf("row_shr:%d", n)
	case c < dppWaveShl:
		return fmt.Sprintf("row_ror:%d", n)
	case p.later && c >= dppRowXmask:
		return fmt.Sprintf("row_xmask:%d", n)
	case p.later && c >= dppRowShare:
		return fmt.Sprintf("row_share:%d", n)
	case c >= dppNewBcast:
		return fmt.Sprintf("row_newbcast:%d", n)
	}
	return dppNames[p.ctrl]
}

var dppNames = map[uint16]string{
	dppWaveShl: "wave_shl:1", dppWaveRol: "wave_rol:1", dppWaveShr: "wave_shr:1", dppWaveRor: "wave_ror:1",
	dppRowMirror: "row_mirror", dppHalfMirror: "row_half_mirror",
	dppBcast15: "row_bcast:15", dppBcast31: "row_bcast:31",
}
