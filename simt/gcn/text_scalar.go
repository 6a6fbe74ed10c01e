package gcn

import (
	"fmt"
	"strconv"
	"strings"
)

// scalarText is the text of an instruction of the SOP encodings.
func (in *Inst) scalarText() string {
	op := in.Op
	var operands []string
	if in.dst.kind != noOperand {
		operands = append(operands, in.dst.text())
	}
	for i := range op.srcCount() {
		if i == op.literalSource() {
			operands = append(operands, fmt.Sprintf("%#x", uint32(in.src[i].imm)))
			continue
		}
		o := &in.src[i]
		if op.Enc == SOPC && o.typ == f16 && o.isInlineFloat() {
			operands = append(operands, fmt.Sprintf("%#x", o.imm))
			continue
		}
		operands = append(operands, o.text())
	}
	if op.imm == nil {
		return instText(op.display(), operands)
	}
	imm := op.imm(uint16(in.simm), in.on)
	if op.flag&immFirst == 0 {
		if imm != "" {
			operands = append(operands, imm)
		}
		return instText(op.display(), operands)
	}
	if src := &in.src[0]; src.kind == constant && src.reg != regNull {
		operands[0] = plainLiteral(uint32(src.imm))
	}
	return instText(op.display(), append([]string{imm}, operands...))
}

func (o *operand) isInlineFloat() bool {
	return o.kind == constant && o.reg >= srcInlineFloat && int(o.reg) < srcInlineFloat+len(inlineFloats)
}

// The ways in which instructions write their 16-bit immediate.

func hexImm(v uint16, _ Target) string    { return fmt.Sprintf("%#x", v) }
func branchImm(v uint16, _ Target) string { return strconv.Itoa(int(v)) }
func numberImm(v uint16, _ Target) string { return numberText(int64(v), uint64(v)) }

func optionalImm(v uint16, _ Target) string {
	if v == 0 {
		return ""
	}
	return strconv.Itoa(int(v))
}

// numberText is decimal for numbers that are inline constants, else
// hexadecimal.
func numberText(v int64, bits uint64) string {
	if isInlineInt(v) {
		return strconv.FormatInt(v, 10)
	}
	return fmt.Sprintf("%#x", bits)
}

// plainLiteral is a literal as an inline constant, if it could be one.
func plainLiteral(v uint32) string {
	for num := uint32(srcInlineFloat); num < srcInlineFloat+9; num++ {
		if f, _ := inline(f32, num); uint32(f) == v {
			o := operand{kind: constant, typ: f32, reg: uint16(num)}
			return o.text()
		}
	}
	return numberText(int64(int32(v)), uint64(v))
}

// waitCounts are how many accesses an s_waitcnt lets be under way.
func waitCounts(v uint16) (vm, exp, lgkm uint16) { return v&0xf | v>>10&0x30, v >> 4 & 7, v >> 8 & 0xf }

// waitImm writes the counters that an s_waitcnt waits for: those at their
// largest are not waited for (MI200 ISA, section "Manually inserted wait
// states", and "SOPP instructions").
func waitImm(v uint16, t Target) string {
	vm, exp, lgkm := waitCounts(v)
	most := uint16(15)
	if t.IsLater() {
		vm, exp, lgkm = laterWaitCounts(v, t)
		most = 63
	}
	all := vm == 63 && exp == 7 && lgkm == most
	var parts []string
	if vm != 63 || all {
		parts = append(parts, fmt.Sprintf("vmcnt(%d)", vm))
	}
	if exp != 7 || all {
		parts = append(parts, fmt.Sprintf("expcnt(%d)", exp))
	}
	if lgkm != most || all {
		parts = append(parts, fmt.Sprintf("lgkmcnt(%d)", lgkm))
	}
	return strings.Join(parts, " ")
}

// A message is what s_sendmsg sends (Vega ISA, section "S_SENDMSG").
type message struct {
	name string
	ops  []string // by number; "" where there is no such operation
	data bool     // the operations after the first have a stream number
}

var gsOps = []string{"GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT"}

var messages = map[uint16]message{
	1: {name: "MSG_INTERRUPT"},
	2: {name: "MSG_GS", ops: append([]string{""}, gsOps[1:]...), data: true},
	3: {name: "MSG_GS_DONE", ops: gsOps, data: true},
	4: {name: "MSG_SAVEWAVE"}, 5: {name: "MSG_STALL_WAVE_GEN"}, 6: {name: "MSG_HALT_WAVES"},
	7: {name: "MSG_ORDERED_PS_DONE"}, 8: {name: "MSG_EARLY_PRIM_DEALLOC"},
	9: {name: "MSG_GS_ALLOC_REQ"}, 10: {name: "MSG_GET_DOORBELL"},
	15: {name: "MSG_SYSMSG", ops: []string{"", "SYSMSG_OP_ECC_ERR_INTERRUPT", "SYSMSG_OP_REG_RD",
		"", "SYSMSG_OP_TTRACE_PC"}},
}

// messageImm writes a message. LLVM heeds bits that say nothing only where it has no name.
func messageImm(v uint16, t Target) string {
	if t&gfx11P != 0 {
		return laterMessageImm(v, t)
	}
	id, op, stream := v&0xf, v>>4&7, v>>8&3
	m, ok := messages[id]
	switch {
	case id == 11 && t&gfx10 != 0 && op == 0 && stream == 0:
		return "sendmsg(MSG_GET_DDID)"
	case !ok:
	case m.ops == nil && op == 0 && stream == 0:
		return fmt.Sprintf("sendmsg(%s)", m.name)
	case int(op) >= len(m.ops) || m.ops[op] == "":
	case m.data && op != 0:
		return fmt.Sprintf("sendmsg(%s, %s, %d)", m.name, m.ops[op], stream)
	case stream == 0:
		return fmt.Sprintf("sendmsg(%s, %s)", m.name, m.ops[op])
	}
	if id|op<<4|stream<<8 != v {
		return strconv.Itoa(int(v))
	}
	return fmt.Sprintf("sendmsg(%d, %d, %d)", id, op, stream)
}

var indexModes = [...]string{"SRC0", "SRC1", "SRC2", "DST"}

func indexModeImm(v uint16, _ Target) string {
	if v > 0xf {
		return fmt.Sprintf("%#x", v)
	}
	var on []string
	for i, name := range indexModes {
		if v>>i&1 != 0 {
			on = append(on, name)
		}
	}
	return "gpr_idx(" + strings.Join(on, ",") + ")"
}

// hwregImm is the hardware register, the bit and the number of bits that
// s_getreg and s_setreg name.
func hwregImm(v uint16, t Target) string {
	id, offset, size := hwreg(v&0x3f), v>>6&0x1f, v>>11+1
	name := strconv.Itoa(int(id))
	if t.IsLater() {
		if n, ok := laterHwregs()[t][id]; ok {
			name = "HW_REG_" + n
		}
	} else if r, ok := hwregs[id]; ok && (r.on == 0 || r.on&t != 0) {
		name = "HW_REG_" + r.name
	}
	if offset == 0 && size == 32 {
		return fmt.Sprintf("hwreg(%s)", name)
	}
	return fmt.Sprintf("hwreg(%s, %d, %d)", name, offset, size)
}

// smemText is the text of a scalar memory instruction.
func (in *Inst) smemText() string {
	op := in.Op
	if op.flag&prefetches != 0 {
		return in.prefetchText()
	}
	var operands []string
	switch {
	case in.dst.kind != noOperand:
		operands = append(operands, in.dst.text())
	case op.imm != nil:
		operands = append(operands, op.imm(uint16(in.words[0]>>6&0x7f), in.on))
	case in.src[1].kind != noOperand:
		operands = append(operands, in.src[1].text())
	}
	if in.src[0].kind == noOperand {
		return instText(op.display(), operands)
	}
	offset, extra := "", ""
	switch m := &in.mem; {
	case in.on&gfx12 != 0 && m.soffset.reg == regNull:
		offset = signedHex(in.simm)
	case in.on&gfx12 != 0:
		offset, extra = m.soffset.text(), "offset:"+signedHex(in.simm)
	case in.on.IsLater() && m.soffset.reg == regNull && in.simm != 0, m.soffset.kind == noOperand:
		offset = signedHex(in.simm)
	case m.immOffset && !(in.on.IsLater() && in.simm == 0):
		offset, extra = m.soffset.text(), "offset:"+signedHex(in.simm)
	default:
		offset = m.soffset.text()
	}
	operands = append(operands, in.src[0].text(), offset)
	if op.dst == none && op.src[1] == none { // which has no policy
		return instText(op.display(), operands, extra)
	}
	if in.on&gfx12 != 0 {
		return instText(op.display(), operands, extra, in.cachePolicy12())
	}
	return instText(op.display(), operands, extra, when(in.mem.glc, "glc"), when(in.mem.dlc, "dlc"))
}

func signedHex(v int32) string {
	if v < 0 {
		return fmt.Sprintf("-%#x", -int64(v))
	}
	return fmt.Sprintf("%#x", v)
}
