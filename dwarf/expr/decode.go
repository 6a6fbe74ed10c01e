package expr

import "fmt"

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
	r := operandReader{code: code, at: at + 1}
	in.info, in.base = op.info, op.base
	in.user = in.info == nil && code[at] == OpLLVMUser
	if in.user {
		sub := r.uleb()
		if r.bad == "" && sub < uint64(len(e.user)) {
			in.info = e.user[sub]
		}
		if in.info == nil && r.bad == "" {
			return &Error{Kind: UnknownOp, Offset: at, Detail: fmt.Sprintf("DW_OP_LLVM_user operation 0x%x", sub)}
		}
	}
	if in.info == nil {
		if r.bad != "" {
			return &Error{Kind: IllFormed, Offset: at, Op: "DW_OP_LLVM_user", Detail: r.bad}
		}
		return &Error{Kind: UnknownOp, Offset: at, Detail: fmt.Sprintf("operation 0x%02x", code[at])}
	}
	for i, k := range in.info.operands {
		if k == noOperand {
			break
		}
		in.args[i] = r.operand(k, f, in)
	}
	if r.bad != "" {
		return &Error{Kind: IllFormed, Op: in.Name(), Offset: at, Detail: r.bad}
	}
	in.Next = r.at
	return nil
}

// An operandReader reads operands; bad says what was wrong with the first that
// could not be read.
type operandReader struct {
	code []byte
	at   int
	bad  string
}

func (r *operandReader) operand(k operandKind, f Format, in *Instr) uint64 {
	switch k {
	case operU8:
		return r.fixed(1)
	case operU16:
		return r.fixed(2)
	case operU32:
		return r.fixed(4)
	case operU64, operS64:
		return r.fixed(8)
	case operS8:
		return uint64(int8(r.fixed(1)))
	case operS16, operBranch:
		return uint64(int16(r.fixed(2)))
	case operS32:
		return uint64(int32(r.fixed(4)))
	case operAddr:
		return r.fixed(f.addressSize())
	case operEntry:
		return r.fixed(f.offsetSize())
	case operULEB, operReg, operType:
		return r.uleb()
	case operSLEB, operDisp:
		return uint64(r.sleb())
	}
	var n uint64
	if k == operBlock1 {
		n = r.fixed(1)
	} else {
		n = r.uleb()
	}
	if n > uint64(len(r.code)-r.at) {
		r.bad = fmt.Sprintf("a block of %d bytes with %d left", n, len(r.code)-r.at)
		return 0
	}
	in.block = r.code[r.at : r.at+int(n)]
	r.at += int(n)
	return n
}

func (r *operandReader) fixed(n int) uint64 {
	if len(r.code)-r.at < n {
		r.bad = "operand cut off"
		r.at = len(r.code)
		return 0
	}
	v := little(r.code[r.at : r.at+n])
	r.at += n
	return v
}

func (r *operandReader) uleb() uint64 {
	var v uint64
	for shift := 0; r.at < len(r.code); shift += 7 {
		b := r.code[r.at]
		r.at++
		if shift < 64 {
			v |= uint64(b&0x7f) << shift
		}
		if b&0x7f != 0 && (shift > 63 || shift == 63 && b&0x7f > 1) {
			r.bad = "LEB128 number of more than 64 bits"
		}
		if b < 0x80 {
			return v
		}
	}
	r.bad = "operand cut off"
	return v
}

func (r *operandReader) sleb() int64 {
	var v int64
	for shift := 0; r.at < len(r.code); shift += 7 {
		b := r.code[r.at]
		r.at++
		if shift < 64 {
			v |= int64(b&0x7f) << shift
		}
		if b < 0x80 {
			if shift < 57 && b&0x40 != 0 {
				v |= -1 << (shift + 7)
			}
			return v
		}
	}
	r.bad = "operand cut off"
	return v
}
