package gcn

import "strings"

// text is the instruction in the syntax of LLVM's disassembler.
func (in *Inst) text() string {
	switch in.form {
	case vopd:
		return in.pair[0].pairText() + " :: " + in.pair[1].pairText()
	case VOP1, VOP2, VOPC, VOP3, VOP3P:
		return in.vectorText()
	case SOP1, SOP2, SOPC, SOPK, SOPP:
		return in.scalarText()
	case SMEM:
		return in.smemText()
	case DS:
		return in.dsText()
	case FLAT, SCRATCH, GLOBAL:
		return in.flatText()
	case MUBUF, MTBUF:
		return in.bufferText()
	case MIMG, VSAMPLE:
		if in.image != nil {
			return in.imageText()
		}
		if in.on.IsLater() {
			return in.tensorText()
		}
	case EXP, VINTRP, VINTERP, LDSDIR:
		if in.on.IsLater() {
			return in.graphicsText()
		}
	}
	return in.Op.display()
}

// instText joins a mnemonic, its operands, and what follows them without a
// comma; empty suffixes are left out.
func instText(name string, operands []string, suffixes ...string) string {
	var b strings.Builder
	b.WriteString(name)
	for i, o := range operands {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte(' ')
		b.WriteString(o)
	}
	for _, s := range suffixes {
		if s != "" {
			b.WriteByte(' ')
			b.WriteString(s)
		}
	}
	return b.String()
}
