package gcn

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// cachePolicy are the cache-policy bits as the target names them.
func (in *Inst) cachePolicy() string {
	m := &in.mem
	if in.on&gfx12 != 0 {
		return in.cachePolicy12()
	}
	if in.on.IsLater() {
		return join(when(m.glc, "glc"), when(m.slc, "slc"), when(m.dlc, "dlc"))
	}
	if in.on&gfx942P == 0 {
		return join(when(m.glc, "glc"), when(m.slc, "slc"), when(m.scc, "scc"))
	}
	return join(when(m.glc, "sc0"), when(m.slc, "nt"), when(m.scc, "sc1"))
}

// join joins those that are not empty with blanks.
func join(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		if p != "" && b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(p)
	}
	return b.String()
}

func when(on bool, text string) string {
	if on {
		return text
	}
	return ""
}

func offsetText(name string, v int32) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d", name, v)
}

// flatText is the text of flat_*, global_* and scratch_*.
func (in *Inst) flatText() string {
	if in.Op.flag&controls != 0 {
		return instText(in.Op.display(), nil, in.cachePolicy())
	}
	var operands []string
	if in.dst.kind != noOperand {
		operands = append(operands, in.dst.text())
	}
	if in.Op.flag&byLane == 0 {
		operands = append(operands, in.src[0].text())
	}
	if in.src[1].kind != noOperand {
		operands = append(operands, in.src[1].text())
	}
	if in.Op.flag&toLDS != 0 {
		operands[0], operands[1] = operands[1], operands[0]
	}
	if in.Op.flag&alone != 0 {
		return instText(in.Op.display(), nil, in.cachePolicy())
	}
	if in.form != FLAT || in.mem.saddr.kind != noOperand {
		operands = append(operands, in.mem.saddr.text())
	}
	return instText(in.Op.display(), operands, offsetText("offset", in.simm), in.cachePolicy(),
		when(in.mem.lds, "lds"))
}

// bufferText is the text of buffer_*.
func (in *Inst) bufferText() string {
	m := &in.mem
	if in.src[0].kind == noOperand {
		return instText(in.Op.display(), nil, when(in.on&gfx942P != 0, in.cachePolicy()))
	}
	var operands []string
	if data := in.bufferData(); data != "" {
		operands = append(operands, data)
	}
	if in.Op.dst != none || in.Op.src[1] != none {
		operands = append(operands, in.src[2].text())
	}
	operands = append(operands, in.src[0].text(), m.soffset.text())
	return instText(in.Op.display(), operands, in.formatText(), when(m.idxen, "idxen"),
		when(m.offen, "offen"), offsetText("offset", in.simm), in.cachePolicy(), when(m.lds, "lds"),
		when(m.tfe, "tfe"))
}

// The formats of MTBUF by their numbers (MI200 ISA, tables "DATA_FORMAT" and
// "NUM_FORMAT").
var (
	dataFormatNames = [16]string{"INVALID", "8", "16", "8_8", "32", "16_16", "10_11_11", "11_11_10",
		"10_10_10_2",
		"2_10_10_10", "8_8_8_8", "32_32", "16_16_16_16", "32_32_32", "32_32_32_32", "RESERVED_15"}
	numFormatNames = [8]string{"UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "RESERVED_6", "FLOAT"}
)

// formatText is the format of MTBUF, as far as it is not the usual one.
func (in *Inst) formatText() string {
	if in.form != MTBUF {
		return ""
	}
	if in.on.IsLater() {
		return laterFormatText(uint32(in.mem.dfmt), in.on)
	}
	data, num := "BUF_DATA_FORMAT_"+dataFormatNames[in.mem.dfmt], "BUF_NUM_FORMAT_"+
		numFormatNames[in.mem.nfmt]
	switch {
	case in.mem.dfmt == dataFormat8 && in.mem.nfmt == formatUnorm:
		return ""
	case in.mem.dfmt == dataFormat8:
		return "format:[" + num + "]"
	case in.mem.nfmt == formatUnorm:
		return "format:[" + data + "]"
	}
	return "format:[" + data + "," + num + "]"
}

// bufferData names the data registers of a buffer instruction; TFE adds one.
func (in *Inst) bufferData() string {
	o := &in.dst
	if in.src[1].kind != noOperand {
		o = &in.src[1]
	}
	switch {
	case in.mem.lds:
		return ""
	case in.mem.tfe:
		return rangeText("v", o.reg, typDwords[o.typ]+1)
	}
	return o.text()
}

// dsText is the text of a data-share instruction.
func (in *Inst) dsText() string {
	op := in.Op
	var operands []string
	if in.dst.kind != noOperand {
		operands = append(operands, in.dst.text())
	}
	for i := range op.src {
		if in.src[i].kind != noOperand {
			operands = append(operands, in.src[i].text())
		}
	}
	offset := ""
	switch {
	case op.mem != nil && op.mem.places > 0:
		offset = join(offsetText("offset0", in.simm), offsetText("offset1", int32(in.mem.offset1)))
	case op.flag&swizzles != 0 && in.simm != 0:
		offset = "offset:" + swizzleText(uint32(in.simm))
	default:
		offset = offsetText("offset", in.simm)
	}
	return instText(op.display(), operands, offset, when(in.mem.gds, "gds"))
}

// The modes of ds_swizzle_b32, told by its offset (Vega ISA, section
// "DS_SWIZZLE_B32").
const (
	swizzleFFT    = 0xe000
	swizzleRotate = 0xc000
	swizzleQuad   = 0x8000 // in all of bits 8 to 15
)

// swizzleText is the offset of ds_swizzle_b32 as the permutation it means.
func swizzleText(v uint32) string {
	switch {
	case v >= swizzleFFT:
		return fmt.Sprintf("swizzle(FFT,%d)", v&0x1f)
	case v >= swizzleRotate:
		return fmt.Sprintf("swizzle(ROTATE,%d,%d)", v>>10&1, v>>5&0x1f)
	case v&0xff00 == swizzleQuad:
		return fmt.Sprintf("swizzle(QUAD_PERM,%d,%d,%d,%d)", v&3, v>>2&3, v>>4&3, v>>6&3)
	case v&0x8000 != 0:
		return strconv.Itoa(int(v))
	}
	and, or, xor := v&0x1f, v>>5&0x1f, v>>10&0x1f
	group := 32 - and
	switch {
	case and == 0x1f && or == 0 && bits.OnesCount32(xor) == 1:
		return fmt.Sprintf("swizzle(SWAP,%d)", xor)
	case and == 0x1f && or == 0 && xor > 0 && xor&(xor+1) == 0:
		return fmt.Sprintf("swizzle(REVERSE,%d)", xor+1)
	case group > 1 && group&(group-1) == 0 && or < group && xor == 0:
		return fmt.Sprintf("swizzle(BROADCAST,%d,%d)", group, or)
	}
	return fmt.Sprintf("swizzle(BITMASK_PERM,%q)", bitmaskText(and, or, xor))
}

// bitmaskText says for each bit of a lane's number, highest first, what
// becomes of it: 0, 1, p (kept) or i (inverted).
func bitmaskText(and, or, xor uint32) string {
	var b strings.Builder
	from0, from1 := or^xor, (and|or)^xor
	for i := 4; i >= 0; i-- {
		b.WriteByte("0ip1"[from0>>i&1|from1>>i&1<<1])
	}
	return b.String()
}
