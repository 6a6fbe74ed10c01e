package cfi

import "fmt"

// An operandKind says how an operand is encoded, what it stands for and so how
// it is printed.
type operandKind uint8

const (
	noOperand operandKind = iota
	operAddress
	operDelta1 // fixed size, times the code alignment factor
	operDelta2
	operDelta4
	operDelta8
	operLowDelta // in the low six bits of the opcode
	operLowReg
	operReg
	operOffset   // ULEB128
	operFactored // ULEB128, times the data alignment factor
	operSigned   // SLEB128, times the data alignment factor
	operNegative // ULEB128, times the negated data alignment factor
	operSpace    // ULEB128 address space
	operExpr     // ULEB128 size and an expression
)

// An instruction is one row of the table of call frame instructions.
type instruction struct {
	code     byte // the high two bits, if the low six are an operand
	name     string
	operands [3]operandKind
	run      func(s *state, op *operation) error
	// arch is set for instructions that only some architectures have a
	// name for; their numbers mean something else on others.
	arch func(*Arch) bool
}

type operands = [3]operandKind

// Instructions that are written as well as read (DWARF 5 table 7.29).
const (
	cfaOffsetExtended = 0x05
	cfaUndefined      = 0x07
	cfaSameValue      = 0x08
	cfaDefCFA         = 0x0c
	cfaValOffset      = 0x14
	cfaValOffsetSF    = 0x15
)

// instructions is the table: DWARF 5 section 7.24, the LSB's and GNU's
// extensions, and A.7.24 of the heterogeneous extensions.
func instructions() []instruction {
	return []instruction{
		{0x40, "DW_CFA_advance_loc", operands{operLowDelta}, runAdvance, nil},
		{0x80, "DW_CFA_offset", operands{operLowReg, operFactored}, setOffset(Offset), nil},
		{0xc0, "DW_CFA_restore", operands{operLowReg}, runRestore, nil},
		{0x00, "DW_CFA_nop", operands{}, runNop, nil},
		{0x01, "DW_CFA_set_loc", operands{operAddress}, runSetLoc, nil},
		{0x02, "DW_CFA_advance_loc1", operands{operDelta1}, runAdvance, nil},
		{0x03, "DW_CFA_advance_loc2", operands{operDelta2}, runAdvance, nil},
		{0x04, "DW_CFA_advance_loc4", operands{operDelta4}, runAdvance, nil},
		{cfaOffsetExtended, "DW_CFA_offset_extended", operands{operReg, operFactored}, setOffset(Offset),
			nil},
		{0x06, "DW_CFA_restore_extended", operands{operReg}, runRestore, nil},
		{cfaUndefined, "DW_CFA_undefined", operands{operReg}, setKind(Undefined), nil},
		{cfaSameValue, "DW_CFA_same_value", operands{operReg}, setKind(SameValue), nil},
		{0x09, "DW_CFA_register", operands{operReg, operReg}, runRegister, nil},
		{0x0a, "DW_CFA_remember_state", operands{}, runRemember, nil},
		{0x0b, "DW_CFA_restore_state", operands{}, runRestoreState, nil},
		{cfaDefCFA, "DW_CFA_def_cfa", operands{operReg, operOffset}, runDefCFA, nil},
		{0x0d, "DW_CFA_def_cfa_register", operands{operReg}, runDefCFARegister, nil},
		{0x0e, "DW_CFA_def_cfa_offset", operands{operOffset}, runDefCFAOffset, nil},
		{0x0f, "DW_CFA_def_cfa_expression", operands{operExpr}, runDefCFAExpression, nil},
		{0x10, "DW_CFA_expression", operands{operReg, operExpr}, setExpression(Expression), nil},
		{0x11, "DW_CFA_offset_extended_sf", operands{operReg, operSigned}, setOffset(Offset), nil},
		{0x12, "DW_CFA_def_cfa_sf", operands{operReg, operSigned}, runDefCFA, nil},
		{0x13, "DW_CFA_def_cfa_offset_sf", operands{operSigned}, runDefCFAOffset, nil},
		{cfaValOffset, "DW_CFA_val_offset", operands{operReg, operFactored}, setOffset(ValOffset), nil},
		{cfaValOffsetSF, "DW_CFA_val_offset_sf", operands{operReg, operSigned}, setOffset(ValOffset), nil},
		{0x16, "DW_CFA_val_expression", operands{operReg, operExpr}, setExpression(ValExpression), nil},
		{0x1d, "DW_CFA_MIPS_advance_loc8", operands{operDelta8}, runAdvance, nil},
		{0x2e, "DW_CFA_GNU_args_size", operands{operOffset}, runNop,
			func(a *Arch) bool { return a == AMD64 }},
		{0x2f, "DW_CFA_GNU_negative_offset_extended", operands{operReg, operNegative}, setOffset(Offset),
			nil},
		{0x30, "DW_CFA_LLVM_def_aspace_cfa", operands{operReg, operOffset, operSpace}, runDefCFA, nil},
		{0x31, "DW_CFA_LLVM_def_aspace_cfa_sf", operands{operReg, operSigned, operSpace}, runDefCFA, nil},
	}
}

func runNop(*state, *operation) error { return nil }

var table [256]*instruction

// The table is filled in at start because what it runs refers to it.
func init() {
	list := instructions()
	for i := range list {
		in := &list[i]
		if in.code < 0x40 {
			table[in.code] = in
			continue
		}
		for low := range 64 {
			table[int(in.code)+low] = in
		}
	}
}

// An operation is a decoded instruction.
type operation struct {
	at   int // in the instructions
	code byte
	info *instruction
	args [3]uint64 // sign-extended and factored
	raw  [3]uint64
	expr []byte
}

// decode reads one instruction.
func (op *operation) decode(r *reader, c *CIE) error {
	op.at = int(r.Offset())
	op.code = r.U8()
	op.expr = nil
	op.info = table[op.code]
	if op.info == nil {
		if _, ok := vendorOf(c.options.Arch, op.code); ok || op.code == 0x2d {
			op.info = vendorInstruction
		} else {
			return fmt.Errorf("instruction 0x%02x at offset %d is not known", op.code, op.at)
		}
	}
	for i, k := range op.info.operands {
		op.raw[i], op.args[i] = op.operand(r, k, c)
	}
	if err := r.Err(); err != nil {
		return fmt.Errorf("%s at offset %d: %w", op.info.name, op.at, err)
	}
	return nil
}

func (op *operation) operand(r *reader, k operandKind, c *CIE) (raw, v uint64) {
	switch k {
	case operAddress:
		raw, _ = r.pointer(c.PointerEncoding, c, 0)
	case operDelta1:
		raw = r.Uint(1)
	case operDelta2:
		raw = r.Uint(2)
	case operDelta4:
		raw = r.Uint(4)
	case operDelta8:
		raw = r.Uint(8)
	case operLowDelta, operLowReg:
		raw = uint64(op.code & 0x3f)
	case operReg, operOffset, operFactored, operNegative, operSpace:
		raw = r.ULEB()
	case operSigned:
		raw = uint64(r.SLEB())
	case operExpr:
		op.expr = r.Bytes(r.ULEB())
		raw = uint64(len(op.expr))
	}
	switch k {
	case operLowDelta, operDelta1, operDelta2, operDelta4, operDelta8:
		return raw, raw * c.CodeAlign
	case operFactored, operSigned:
		return raw, raw * uint64(c.DataAlign)
	case operNegative:
		return raw, -raw * uint64(c.DataAlign)
	}
	return raw, raw
}

// vendorInstruction stands for the instructions of Arch.Vendor, and for 0x2d,
// which SPARC uses and others ignore.
var vendorInstruction = &instruction{name: "vendor instruction", run: runVendor}

func vendorOf(a *Arch, code byte) (Vendor, bool) {
	if a == nil {
		return Vendor{}, false
	}
	v, ok := a.Vendor[code]
	return v, ok
}

// name is the instruction's name, "" where the architecture has none for it.
func (op *operation) name(a *Arch) string {
	switch {
	case op.info == vendorInstruction:
		v, _ := vendorOf(a, op.code)
		return v.Name
	case op.info.arch != nil && !op.info.arch(a):
		return ""
	}
	return op.info.name
}

// each decodes instructions until f returns false.
func (c *CIE) each(code []byte, f func(op *operation) bool) error {
	r := newReader("instructions", code)
	var op operation
	for r.Len() > 0 {
		if err := op.decode(&r, c); err != nil {
			return err
		}
		if !f(&op) {
			break
		}
	}
	return nil
}
