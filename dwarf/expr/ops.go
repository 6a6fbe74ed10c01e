package expr

import "fmt"

// An operation is one row of the table: how it is spelled, what operands
// follow it, and what it does.
type operation struct {
	name     string
	code     uint16 // the byte; userCode|n for sub-operation n; 0 if it has none
	old      uint8  // the byte in the Old encoding, if it is another
	family   bool   // 32 codes, one per number
	notInCFI bool   // A.6.4.2: not allowed in call frame information
	operands [maxOperands]operandKind
	exec     func(*machine, *Instr) error
}

const (
	userOp   = 0xe9 // DW_OP_LLVM_user
	userCode = 0x100
)

type operands = [maxOperands]operandKind

// operations is the table. DWARF 5 section 7.7.1, GNU extensions from GCC's
// dwarf2.def, and "DWARF Extensions For Heterogeneous Debugging" A.7.7.1.
func operations() []operation {
	return []operation{
		{name: "DW_OP_addr", code: 0x03, operands: operands{operAddr}, exec: execAddr},
		{name: "DW_OP_deref", code: 0x06, exec: execDeref},
		{name: "DW_OP_const1u", code: 0x08, operands: operands{operU8}, exec: execConst},
		{name: "DW_OP_const1s", code: 0x09, operands: operands{operS8}, exec: execConst},
		{name: "DW_OP_const2u", code: 0x0a, operands: operands{operU16}, exec: execConst},
		{name: "DW_OP_const2s", code: 0x0b, operands: operands{operS16}, exec: execConst},
		{name: "DW_OP_const4u", code: 0x0c, operands: operands{operU32}, exec: execConst},
		{name: "DW_OP_const4s", code: 0x0d, operands: operands{operS32}, exec: execConst},
		{name: "DW_OP_const8u", code: 0x0e, operands: operands{operU64}, exec: execConst},
		{name: "DW_OP_const8s", code: 0x0f, operands: operands{operS64}, exec: execConst},
		{name: "DW_OP_constu", code: 0x10, operands: operands{operULEB}, exec: execConst},
		{name: "DW_OP_consts", code: 0x11, operands: operands{operSLEB}, exec: execConst},
		{name: "DW_OP_dup", code: 0x12, exec: execDup},
		{name: "DW_OP_drop", code: 0x13, exec: execDrop},
		{name: "DW_OP_over", code: 0x14, exec: execOver},
		{name: "DW_OP_pick", code: 0x15, operands: operands{operU8}, exec: execPick},
		{name: "DW_OP_swap", code: 0x16, exec: execSwap},
		{name: "DW_OP_rot", code: 0x17, exec: execRot},
		{name: "DW_OP_xderef", code: 0x18, exec: execXderef},
		{name: "DW_OP_abs", code: 0x19, exec: unary(Value.abs)},
		{name: "DW_OP_and", code: 0x1a, exec: binary(&arithAnd)},
		{name: "DW_OP_div", code: 0x1b, exec: binary(&arithDiv)},
		{name: "DW_OP_minus", code: 0x1c, exec: binary(&arithMinus)},
		{name: "DW_OP_mod", code: 0x1d, exec: binary(&arithMod)},
		{name: "DW_OP_mul", code: 0x1e, exec: binary(&arithMul)},
		{name: "DW_OP_neg", code: 0x1f, exec: unary(Value.negate)},
		{name: "DW_OP_not", code: 0x20, exec: unary(Value.not)},
		{name: "DW_OP_or", code: 0x21, exec: binary(&arithOr)},
		{name: "DW_OP_plus", code: 0x22, exec: binary(&arithPlus)},
		{name: "DW_OP_plus_uconst", code: 0x23, operands: operands{operULEB}, exec: execPlusUconst},
		{name: "DW_OP_shl", code: 0x24, exec: binary(&arithShl)},
		{name: "DW_OP_shr", code: 0x25, exec: binary(&arithShr)},
		{name: "DW_OP_shra", code: 0x26, exec: binary(&arithShra)},
		{name: "DW_OP_xor", code: 0x27, exec: binary(&arithXor)},
		{name: "DW_OP_bra", code: 0x28, operands: operands{operBranch}, exec: execBra},
		{name: "DW_OP_eq", code: 0x29, exec: comparison(func(o int) bool { return o == 0 }, false)},
		{name: "DW_OP_ge", code: 0x2a, exec: comparison(func(o int) bool { return o >= 0 }, false)},
		{name: "DW_OP_gt", code: 0x2b, exec: comparison(func(o int) bool { return o > 0 }, false)},
		{name: "DW_OP_le", code: 0x2c, exec: comparison(func(o int) bool { return o <= 0 }, false)},
		{name: "DW_OP_lt", code: 0x2d, exec: comparison(func(o int) bool { return o < 0 }, false)},
		{name: "DW_OP_ne", code: 0x2e, exec: comparison(func(o int) bool { return o != 0 }, true)},
		{name: "DW_OP_skip", code: 0x2f, operands: operands{operBranch}, exec: execSkip},
		{name: "DW_OP_lit", code: 0x30, family: true, exec: execLit},
		{name: "DW_OP_reg", code: 0x50, family: true, exec: execReg},
		{name: "DW_OP_breg", code: 0x70, family: true, operands: operands{operDisp}, exec: execBreg},
		{name: "DW_OP_regx", code: 0x90, operands: operands{operReg}, exec: execReg},
		{name: "DW_OP_fbreg", code: 0x91, operands: operands{operSLEB}, exec: execFbreg, notInCFI: true},
		{name: "DW_OP_bregx", code: 0x92, operands: operands{operReg, operDisp}, exec: execBreg},
		{name: "DW_OP_piece", code: 0x93, operands: operands{operULEB}, exec: execPiece},
		{name: "DW_OP_deref_size", code: 0x94, operands: operands{operU8}, exec: execDerefSize},
		{name: "DW_OP_xderef_size", code: 0x95, operands: operands{operU8}, exec: execXderefSize},
		{name: "DW_OP_nop", code: 0x96, exec: execNop},
		{name: "DW_OP_push_object_address", code: 0x97, exec: execPushObject, notInCFI: true},
		{name: "DW_OP_call2", code: 0x98, operands: operands{operU16}, exec: execCallUnit, notInCFI: true},
		{name: "DW_OP_call4", code: 0x99, operands: operands{operU32}, exec: execCallUnit, notInCFI: true},
		{name: "DW_OP_call_ref", code: 0x9a, operands: operands{operEntry}, exec: execCallRef, notInCFI: true},
		{name: "DW_OP_form_tls_address", code: 0x9b, exec: execTLS},
		{name: "DW_OP_call_frame_cfa", code: 0x9c, exec: execCFA, notInCFI: true},
		{name: "DW_OP_bit_piece", code: 0x9d, operands: operands{operULEB, operULEB}, exec: execBitPiece},
		{name: "DW_OP_implicit_value", code: 0x9e, operands: operands{operBlock}, exec: execImplicitValue},
		{name: "DW_OP_stack_value", code: 0x9f, exec: execStackValue},
		{name: "DW_OP_implicit_pointer", code: 0xa0, operands: operands{operEntry, operSLEB}, exec: execImplicitPointer, notInCFI: true},
		{name: "DW_OP_addrx", code: 0xa1, operands: operands{operULEB}, exec: execAddrx, notInCFI: true},
		{name: "DW_OP_constx", code: 0xa2, operands: operands{operULEB}, exec: execConstx, notInCFI: true},
		{name: "DW_OP_entry_value", code: 0xa3, operands: operands{operExpr}, exec: execEntryValue, notInCFI: true},
		{name: "DW_OP_const_type", code: 0xa4, operands: operands{operType, operBlock1}, exec: execConstType, notInCFI: true},
		{name: "DW_OP_regval_type", code: 0xa5, operands: operands{operReg, operType}, exec: execRegvalType, notInCFI: true},
		{name: "DW_OP_deref_type", code: 0xa6, operands: operands{operU8, operType}, exec: execDerefType, notInCFI: true},
		{name: "DW_OP_xderef_type", code: 0xa7, operands: operands{operU8, operType}, exec: execXderefType, notInCFI: true},
		{name: "DW_OP_convert", code: 0xa8, operands: operands{operType}, exec: execConvert, notInCFI: true},
		{name: "DW_OP_reinterpret", code: 0xa9, operands: operands{operType}, exec: execReinterpret, notInCFI: true},

		{name: "DW_OP_GNU_push_tls_address", code: 0xe0, exec: execTLS},
		{name: "DW_OP_GNU_uninit", code: 0xf0, exec: execNop},
		{name: "DW_OP_GNU_implicit_pointer", code: 0xf2, operands: operands{operEntry, operSLEB}, exec: execImplicitPointer, notInCFI: true},
		{name: "DW_OP_GNU_entry_value", code: 0xf3, operands: operands{operExpr}, exec: execEntryValue, notInCFI: true},
		{name: "DW_OP_GNU_const_type", code: 0xf4, operands: operands{operType, operBlock1}, exec: execConstType, notInCFI: true},
		{name: "DW_OP_GNU_regval_type", code: 0xf5, operands: operands{operReg, operType}, exec: execRegvalType, notInCFI: true},
		{name: "DW_OP_GNU_deref_type", code: 0xf6, operands: operands{operU8, operType}, exec: execDerefType, notInCFI: true},
		{name: "DW_OP_GNU_convert", code: 0xf7, operands: operands{operType}, exec: execConvert, notInCFI: true},
		{name: "DW_OP_GNU_reinterpret", code: 0xf9, operands: operands{operType}, exec: execReinterpret, notInCFI: true},
		{name: "DW_OP_GNU_parameter_ref", code: 0xfa, operands: operands{operU32}, exec: execParameterRef, notInCFI: true},
		{name: "DW_OP_GNU_addr_index", code: 0xfb, operands: operands{operULEB}, exec: execAddrx, notInCFI: true},
		{name: "DW_OP_GNU_const_index", code: 0xfc, operands: operands{operULEB}, exec: execConstx, notInCFI: true},
		{name: "DW_OP_GNU_variable_value", code: 0xfd, operands: operands{operEntry}, exec: execVariableValue, notInCFI: true},

		{name: "DW_OP_LLVM_nop", code: userCode | 0x01, exec: execNop},
		{name: "DW_OP_LLVM_form_aspace_address", code: userCode | 0x02, old: 0xe1, exec: execFormAspaceAddress},
		{name: "DW_OP_LLVM_push_lane", code: userCode | 0x03, old: 0xe2, exec: execPushLane, notInCFI: true},
		{name: "DW_OP_LLVM_offset", code: userCode | 0x04, old: 0xe3, exec: execOffset},
		{name: "DW_OP_LLVM_offset_uconst", code: userCode | 0x05, old: 0xe4, operands: operands{operULEB}, exec: execOffsetUconst},
		{name: "DW_OP_LLVM_bit_offset", code: userCode | 0x06, old: 0xe5, exec: execBitOffset},
		{name: "DW_OP_LLVM_call_frame_entry_reg", code: userCode | 0x07, old: 0xe6, operands: operands{operReg}, exec: execEntryReg},
		{name: "DW_OP_LLVM_undefined", code: userCode | 0x08, old: 0xe7, exec: execUndefined},
		{name: "DW_OP_LLVM_aspace_bregx", code: userCode | 0x09, old: 0xe8, operands: operands{operReg, operDisp}, exec: execAspaceBregx},
		{name: "DW_OP_LLVM_piece_end", code: userCode | 0x0a, old: 0xea, exec: execPieceEnd},
		{name: "DW_OP_LLVM_extend", code: userCode | 0x0b, old: 0xeb, operands: operands{operULEB, operULEB}, exec: execExtend},
		{name: "DW_OP_LLVM_select_bit_piece", code: userCode | 0x0c, old: 0xec, operands: operands{operULEB, operULEB}, exec: execSelectBitPiece},

		// The document gives these no number. The first two have the one
		// that binutils-gdb uses; that of the third in old producers
		// became DW_OP_LLVM_user.
		{name: "DW_OP_LLVM_overlay", old: 0xee, exec: execOverlay},
		{name: "DW_OP_LLVM_bit_overlay", old: 0xed, exec: execBitOverlay},
		{name: "DW_OP_LLVM_aspace_implicit_pointer", operands: operands{operEntry, operSLEB}, exec: execAspaceImplicitPointer, notInCFI: true},
		{name: "DW_OP_LLVM_push_iteration", exec: execPushIteration, notInCFI: true},
	}
}

// An Encoding says which code stands for which operation.
type Encoding struct {
	single [256]struct {
		info *operation
		base uint8
	}
	user []*operation
}

// The encodings of the heterogeneous operations.
var (
	// Current has them as sub-operations of DW_OP_LLVM_user.
	Current = new(Encoding)
	// Old adds the single bytes of early AMD producers. Objects of old
	// producers use it as a whole; it is not to be guessed, since others
	// use the same bytes. 0xe9 is DW_OP_LLVM_user here too.
	Old = new(Encoding)
)

var table []operation

// The table is filled in at start, not where it is declared, because what it
// executes decodes with it.
func init() {
	table = operations()
	for i := range table {
		o := &table[i]
		switch {
		case o.code == 0:
		case o.code >= userCode:
			Current.setUser(int(o.code-userCode), o)
		case o.family:
			for n := range 32 {
				Current.single[int(o.code)+n].info = o
				Current.single[int(o.code)+n].base = uint8(n)
			}
		default:
			Current.single[o.code].info = o
		}
	}
	*Old = *Current
	for i := range table {
		if o := &table[i]; o.old != 0 {
			Old.single[o.old].info = o
		}
	}
}

func (e *Encoding) setUser(n int, o *operation) {
	for len(e.user) <= n {
		e.user = append(e.user, nil)
	}
	e.user[n] = o
}

// Assign returns a copy of the encoding in which a code stands for the
// operation with the given name: a byte, or 0x100 plus a number for a
// sub-operation of DW_OP_LLVM_user. It is for operations that the document
// leaves without a number and for producers with numbers of their own.
func (e *Encoding) Assign(code int, name string) (*Encoding, error) {
	for i := range table {
		o := &table[i]
		if o.name != name || o.family {
			continue
		}
		n := *e
		switch {
		case code > 0 && code < 0x100 && code != userOp:
			n.single[code].info, n.single[code].base = o, 0
		case code > userCode && code < userCode+0x100:
			n.user = append([]*operation(nil), e.user...)
			n.setUser(code-userCode, o)
		default:
			return nil, fmt.Errorf("expr: 0x%x is no code for %s: a byte other than 0x%x, or 0x101 to 0x1ff, expected", code, name, userOp)
		}
		return &n, nil
	}
	return nil, fmt.Errorf("expr: no operation is named %s", name)
}

// Operations lists the names of all operations.
func Operations() []string {
	var names []string
	for i := range table {
		o := &table[i]
		if !o.family {
			names = append(names, o.name)
			continue
		}
		for n := range 32 {
			names = append(names, fmt.Sprintf("%s%d", o.name, n))
		}
	}
	return names
}
