package gcn

import (
	"fmt"
	"math"
	"slices"
)

// scalarNames are the scalar registers that have names of their own, and the
// pairs that begin at them.
var scalarNames = map[uint16][2]string{
	regFlatScratch:     {"flat_scratch_lo", "flat_scratch"},
	regFlatScratch + 1: {"flat_scratch_hi", ""},
	regXnackMask:       {"xnack_mask_lo", "xnack_mask"},
	regXnackMask + 1:   {"xnack_mask_hi", ""},
	regVCC:             {"vcc_lo", "vcc"},
	regVCC + 1:         {"vcc_hi", ""},
	regM0:              {"m0", ""},
	regExec:            {"exec_lo", "exec"},
	regExec + 1:        {"exec_hi", ""},
}

// specialNames are the operand numbers that read something else than a
// register or a number.
var specialNames = map[uint16]string{
	regNull:            "null",
	srcScratchBase:     "src_flat_scratch_base_lo",
	srcScratchBase + 1: "src_flat_scratch_base_hi",
	srcSharedBase:      "src_shared_base",
	srcSharedLimit:     "src_shared_limit",
	srcPrivateBase:     "src_private_base",
	srcPrivateLimit:    "src_private_limit",
	srcPopsExitingID:   "src_pops_exiting_wave_id",
	srcVCCZ:            "src_vccz",
	srcEXECZ:           "src_execz",
	srcSCC:             "src_scc",
	srcLDSDirect:       "src_lds_direct",
}

// inlineFloatText is how operand numbers 240 to 247 are written.
var inlineFloatText = [...]string{"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0"}

// scalarText names n scalar registers from number reg on.
func scalarText(reg uint16, n int) string {
	if names, ok := scalarNames[reg]; ok && n <= 2 && names[n-1] != "" {
		return names[n-1]
	}
	if reg >= regTTMP && reg < regM0 {
		return rangeText("ttmp", reg-regTTMP, n)
	}
	return rangeText("s", reg, n)
}

// rangeText names n registers of a file from number reg on.
func rangeText(file string, reg uint16, n int) string {
	if n <= 1 {
		return fmt.Sprintf("%s%d", file, reg)
	}
	return fmt.Sprintf("%s[%d:%d]", file, reg, int(reg)+n-1)
}

// text is the operand in LLVM's syntax, without modifiers.
func (o *operand) text() string {
	n := typDwords[o.typ]
	switch {
	case o.kind == noOperand:
		return "off"
	case o.isAcc():
		return rangeText("a", o.reg-accBase, n)
	case o.kind == vectorReg:
		return o.vectorText(n)
	case o.kind == constant && o.reg == srcLiteral:
		return o.literalText()
	case o.kind == constant && o.reg == srcWideLiteral:
		return fmt.Sprintf("%#x", o.imm)
	}
	if name, ok := specialNames[o.reg]; ok {
		return name
	}
	if o.kind == scalarReg && o.numbered {
		return rangeText("s", o.reg, n)
	}
	if o.kind == scalarReg {
		return scalarText(o.reg, n)
	}
	return o.constantText()
}

// constantText is a constant as it is encoded: a small integer, a simple
// float, or a literal in hexadecimal.
func (o *operand) constantText() string {
	switch num := uint32(o.reg); {
	case num < 193:
		return fmt.Sprint(num - srcInlineInt)
	case num <= 208:
		return fmt.Sprint(192 - int(num))
	case num <= 248 && (o.typ == b16 || o.typ == i16 || o.typ == u16):
		return fmt.Sprintf("%#x", inlineHalves[num-srcInlineFloat])
	case num < 248:
		return inlineFloatText[num-srcInlineFloat]
	case num == 248 && typDwords[o.typ] > 1 && o.typ != v2f32:
		return "0.15915494309189532"
	case num == 248:
		return "0.15915494"
	}
	return o.literalText()
}

// literalText is a literal, marked if an assembler would make an inline
// constant of the bare number.
func (o *operand) literalText() string {
	v, inlinable := uint64(uint32(o.imm)), false
	switch o.typ {
	case f64:
		return doubleLiteralText(o.imm)
	case b64, i64, u64, v2b32, v2f32:
		inlinable = v <= 64
	case b16, i16, u16:
		if inlinable = isInlineInt(int64(int32(v))) || isInlineSingle(uint32(v)); !inlinable {
			v &= 0xffff
		}
	case f16, bf16, x16:
		inlinable = isInlineInt(int64(int16(v))) || slices.Contains(inlineHalves[:], uint16(v))
		if !inlinable {
			v &= 0xffff
		}
	case v2f16, v2bf16, v2b16:
		inlinable = isInlineInt(int64(int32(v))) || slices.Contains(inlineHalves[:], uint16(v)) && v>>16 == 0
	default:
		inlinable = isInlineInt(int64(int32(v))) || isInlineSingle(uint32(v))
	}
	if inlinable {
		return fmt.Sprintf("lit(%#x)", v)
	}
	return fmt.Sprintf("%#x", v)
}

// literalBits are the bits of a literal that is always one.
func (o *operand) literalBits() uint64 {
	if o.reg == srcWideLiteral {
		return o.imm
	}
	return uint64(uint32(o.imm))
}

// doubleLiteralText is a literal that makes the high half of a double.
func doubleLiteralText(bits uint64) string {
	for i, f := range inlineFloats[:8] {
		if math.Float64bits(f) == bits {
			return inlineFloatText[i]
		}
	}
	if bits == 0 {
		return "0"
	}
	return fmt.Sprintf("%#x", bits>>32)
}

func isInlineInt(v int64) bool { return v >= -16 && v <= 64 }

func isInlineSingle(bits uint32) bool {
	for num := uint32(srcInlineFloat); num < srcInlineFloat+9; num++ {
		if v, _ := inline(f32, num); uint32(v) == bits {
			return true
		}
	}
	return false
}
