package expr

import (
	"fmt"
	"strconv"

	"simtgdb/dwarf/internal/section"
)

// A Printer spells expressions the way llvm-dwarfdump does. Operations that it
// cannot decode, as of LLVM 22, are spelled in the same manner.
type Printer struct {
	Format   Format
	Encoding *Encoding // nil means Current
	// Register names a register, "" if it has no name. Nil names none.
	Register func(num uint64) string
	// Address names an address, "" if it has no name. Nil names none.
	Address func(addr uint64) string
	// BaseType names the base type at an offset from the start of the unit
	// and gives its offset in .debug_info. Nil is for expressions whose unit
	// is not known: the offset is all that is printed.
	BaseType func(offset uint64) (section uint64, name string, ok bool)
	// Verbose prints both offsets of a base type.
	Verbose bool
}

// String spells an expression: its operations with commas in between. What
// cannot be decoded is shown as bytes.
func (p *Printer) String(code []byte) string {
	return string(p.Append(nil, code))
}

// Append adds the spelling to a buffer.
func (p *Printer) Append(dst []byte, code []byte) []byte {
	enc := p.Encoding
	if enc == nil {
		enc = Current
	}
	if len(code) == 0 {
		return append(dst, "<empty>"...)
	}
	return p.append(dst, enc, code, 0)
}

// maxPrintDepth bounds expressions inside of expressions.
const maxPrintDepth = 16

func (p *Printer) append(dst []byte, enc *Encoding, code []byte, depth int) []byte {
	var in Instr
	for at := 0; at < len(code); at = in.Next {
		if at > 0 {
			dst = append(dst, ", "...)
		}
		if depth > maxPrintDepth || enc.decode(&in, code, at, p.Format) != nil {
			dst = append(dst, "<decoding error>"...)
			for _, b := range code[at:] {
				dst = fmt.Appendf(dst, " %02x", b)
			}
			return dst
		}
		dst = p.appendInstr(dst, enc, &in, depth)
	}
	return dst
}

func (p *Printer) appendInstr(dst []byte, enc *Encoding, in *Instr, depth int) []byte {
	if in.user {
		dst = append(dst, "DW_OP_LLVM_user "...)
	}
	dst = append(dst, in.Name()...)
	if name := p.registerName(in); name != "" {
		return p.appendNamed(dst, in, name)
	}
	for i, k := range in.info.operands {
		if k == noOperand {
			break
		}
		if k == operExpr {
			dst = append(dst, '(')
			dst = p.append(dst, enc, in.block, depth+1)
			dst = append(dst, ')')
			continue
		}
		dst = append(dst, ' ')
		dst = p.appendOperand(dst, in, k, in.args[i])
	}
	return dst
}

// registerName names the register that an operation has as operand or in its
// code.
func (p *Printer) registerName(in *Instr) string {
	switch {
	case p.Register == nil:
		return ""
	case in.info.isFamily() && in.info.code != OpLit0:
		return p.Register(uint64(in.base))
	case in.info.operands[0] == operReg:
		return p.Register(in.args[0])
	}
	return ""
}

// appendNamed spells the operands of an operation whose register has a name:
// a displacement follows the name directly.
func (p *Printer) appendNamed(dst []byte, in *Instr, name string) []byte {
	dst = append(dst, ' ')
	dst = append(dst, name...)
	rest := in.info.operands[:]
	args := in.args[:]
	if rest[0] == operReg {
		rest, args = rest[1:], args[1:]
	}
	switch rest[0] {
	case operDisp:
		dst = fmt.Appendf(dst, "%+d", int64(args[0]))
	case operType:
		dst = append(dst, ' ')
		dst = p.appendOperand(dst, in, operType, args[0])
	}
	return dst
}

func (p *Printer) appendOperand(dst []byte, in *Instr, k operandKind, v uint64) []byte {
	switch k {
	case operS8, operS16, operS32, operS64:
		return strconv.AppendInt(dst, int64(v), 10)
	case operSLEB, operBranch:
		return fmt.Appendf(dst, "%+d", int64(v))
	case operDisp:
		if in.info.code == userCode|9 && int64(v) >= 0 { // so llvm-dwarfdump
			return fmt.Appendf(dst, "0x%x", v)
		}
		return fmt.Appendf(dst, "%+d", int64(v))
	case operType:
		return p.appendType(dst, v)
	case operAddr:
		dst = fmt.Appendf(dst, "0x%x", v)
		if p.Address != nil {
			if name := p.Address(v); name != "" {
				dst = fmt.Appendf(dst, " %q", name)
			}
		}
		return dst
	case operBlock, operBlock1:
		dst = fmt.Appendf(dst, "0x%x", v)
		for _, b := range in.block {
			dst = fmt.Appendf(dst, " 0x%02x", b)
		}
		return dst
	}
	return fmt.Appendf(dst, "0x%x", v)
}

func (p *Printer) appendType(dst []byte, offset uint64) []byte {
	if offset == 0 || p.BaseType == nil {
		return fmt.Appendf(dst, "0x%x", offset)
	}
	section, name, ok := p.BaseType(offset)
	switch {
	case !ok:
		return fmt.Appendf(dst, "<invalid base_type ref: 0x%x>", offset)
	case p.Verbose:
		dst = fmt.Appendf(dst, "(0x%08x -> 0x%08x)", offset, section)
	default:
		dst = fmt.Appendf(dst, "(0x%08x)", section)
	}
	if name != "" {
		dst = append(dst, ` "`...)
		dst = append(append(dst, name...), '"')
	}
	return dst
}

// Instructions decodes an expression into its operations, up to the first
// error.
func Instructions(code []byte, enc *Encoding, f Format) ([]Instr, error) {
	if enc == nil {
		enc = Current
	}
	var list []Instr
	for at := 0; at < len(code); {
		var in Instr
		if err := enc.decode(&in, code, at, f); err != nil {
			return list, err
		}
		list = append(list, in)
		at = in.Next
	}
	return list, nil
}

// CutFbreg gives the offset of a DW_OP_fbreg at the start of an expression, and what comes after it.
func CutFbreg(code []byte) (offset int64, rest []byte, ok bool) {
	var in Instr
	if len(code) == 0 || code[0] != OpFbreg || Current.decode(&in, code, 0, Format{}) != nil {
		return 0, nil, false
	}
	return int64(in.args[0]), code[in.Next:], true
}

// AppendFbreg appends a DW_OP_fbreg.
func AppendFbreg(code []byte, offset int64) []byte {
	return section.AppendSLEB(append(code, OpFbreg), offset)
}

// Register is the register number of a DW_OP_reg*, regx, breg* or bregx, or of
// another operation that names one.
func (in *Instr) Register() (num uint64, ok bool) {
	if in.info.isFamily() && in.info.code != OpLit0 || in.info.operands[0] == operReg {
		return in.register(), true
	}
	return 0, false
}

// Operand is an operand's value; signed ones are sign-extended, for blocks it
// is the size.
func (in *Instr) Operand(i int) uint64 { return in.args[i] }

// Block is the bytes of an operation's block operand.
func (in *Instr) Block() []byte { return in.block }
