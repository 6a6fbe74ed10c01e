package expr

import (
	"errors"
	"fmt"

	"simtgdb/dwarf/internal/section"
)

// An operandKind says how an operand is encoded and what it stands for, which
// decides how it is printed.
type operandKind uint8

const (
	noOperand  operandKind = iota
	operU8                 // unsigned, fixed size
	operU16                //
	operU32                //
	operU64                //
	operS8                 // signed, fixed size, printed in decimal
	operS16                //
	operS32                //
	operS64                //
	operULEB               // unsigned LEB128
	operSLEB               // signed LEB128, printed with its sign
	operAddr               // an address
	operReg                // ULEB128 register number
	operDisp               // SLEB128 displacement printed next to a register's name
	operType               // ULEB128 unit offset of a base type
	operEntry              // offset of an entry in .debug_info, 4 or 8 bytes
	operBranch             // signed 2 bytes, relative to the next operation
	operBlock              // ULEB128 size and bytes, printed as bytes
	operExpr               // ULEB128 size and an expression
	operBlock1             // 1-byte size and bytes
)

const maxOperands = 3

// An Instr is one decoded operation.
type Instr struct {
	info   *operation
	Offset int // in the expression
	Next   int // offset of the next operation
	args   [maxOperands]uint64
	block  []byte // of the one operand that has bytes
	base   uint8  // N of litN, regN, bregN
	user   bool   // a sub-operation of DW_OP_LLVM_user
}

// Name is the operation's name.
func (in *Instr) Name() string { return in.info.name + in.suffix() }

func (in *Instr) suffix() string {
	if in.info.isFamily() {
		return fmt.Sprint(in.base)
	}
	return ""
}

// A Format says how wide the operands are whose size is not in the operation.
type Format struct {
	AddressSize int  // DW_OP_addr; 0 means 8
	DWARF64     bool // 8-byte section offsets
	Version     int  // of the unit; in DWARF 2 section offsets are addresses
}

func (f Format) addressSize() int {
	if f.AddressSize == 0 {
		return 8
	}
	return f.AddressSize
}

func (f Format) offsetSize() int {
	switch {
	case f.Version == 2:
		return f.addressSize()
	case f.DWARF64:
		return 8
	}
	return 4
}

// decode reads the operation at code[at:] into in.
func (e *Encoding) decode(in *Instr, code []byte, at int, f Format) *Error {
	in.Offset = at
	in.block = nil
	op := &e.single[code[at]]
	r := section.NewReader("expression", code, false)
	r.Seek(uint64(at) + 1)
	in.info, in.base = op.info, op.base
	in.user = in.info == nil && code[at] == OpLLVMUser
	if in.user {
		sub := r.ULEB()
		if err := r.Err(); err != nil {
			return cutOff("DW_OP_LLVM_user", at, err)
		}
		if sub < uint64(len(e.user)) {
			in.info = e.user[sub]
		}
		if in.info == nil {
			return &Error{Kind: UnknownOp, Offset: at,
				Detail: fmt.Sprintf("DW_OP_LLVM_user operation 0x%x", sub)}
		}
	}
	if in.info == nil {
		return &Error{Kind: UnknownOp, Offset: at, Detail: fmt.Sprintf("operation 0x%02x", code[at])}
	}
	for i, k := range in.info.operands {
		if k == noOperand {
			break
		}
		in.args[i] = in.operand(&r, k, f)
	}
	if err := r.Err(); err != nil {
		return cutOff(in.Name(), at, err)
	}
	in.Next = int(r.Offset())
	return nil
}

// cutOff is the error for an operation whose operands are not all there.
func cutOff(name string, at int, err error) *Error {
	detail := err.Error()
	var e *section.Error
	if errors.As(err, &e) {
		detail = e.Problem
	}
	return &Error{Kind: IllFormed, Op: name, Offset: at, Detail: detail}
}

// operand reads one operand: its value, or the size of what becomes the block.
func (in *Instr) operand(r *section.Reader, k operandKind, f Format) uint64 {
	switch k {
	case operU8:
		return uint64(r.U8())
	case operU16:
		return r.Uint(2)
	case operU32:
		return r.Uint(4)
	case operU64, operS64:
		return r.Uint(8)
	case operS8:
		return uint64(int8(r.U8()))
	case operS16, operBranch:
		return uint64(int16(r.Uint(2)))
	case operS32:
		return uint64(int32(r.Uint(4)))
	case operAddr:
		return r.Uint(f.addressSize())
	case operEntry:
		return r.Uint(f.offsetSize())
	case operULEB, operReg, operType:
		return r.ULEB()
	case operSLEB, operDisp:
		return uint64(r.SLEB())
	}
	var n uint64
	if k == operBlock1 {
		n = uint64(r.U8())
	} else {
		n = r.ULEB()
	}
	in.block = r.Bytes(n)
	return n
}
