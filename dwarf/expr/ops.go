package expr

import "fmt"

// An operation is one row of the table: how it is spelled, what operands
// follow it, and what it does.
type operation struct {
	name     string
	code     uint16 // the byte; userCode|n for sub-operation n; 0 for one that only some encodings have
	flags    opFlags
	operands ops
	exec     func(*machine, *Instr) error
}

type opFlags uint8

const (
	family   opFlags = 1 << iota // 32 codes, one per number
	notInCFI                     // A.6.4.2: not allowed in call frame information
)

func (o *operation) isFamily() bool { return o.flags&family != 0 }

const userCode = 0x100

type ops = [maxOperands]operandKind

// operations is the table. DWARF 5 section 7.7.1, GNU extensions from GCC's
// dwarf2.def, and "DWARF Extensions For Heterogeneous Debugging" A.7.7.1.
func operations() []operation {
	return []operation{
		{"DW_OP_addr", OpAddr, 0, ops{operAddr}, execAddr},
		{"DW_OP_deref", OpDeref, 0, ops{}, execDeref},
		{"DW_OP_const1u", OpConst1u, 0, ops{operU8}, execConst},
		{"DW_OP_const1s", OpConst1s, 0, ops{operS8}, execConst},
		{"DW_OP_const2u", OpConst2u, 0, ops{operU16}, execConst},
		{"DW_OP_const2s", OpConst2s, 0, ops{operS16}, execConst},
		{"DW_OP_const4u", OpConst4u, 0, ops{operU32}, execConst},
		{"DW_OP_const4s", OpConst4s, 0, ops{operS32}, execConst},
		{"DW_OP_const8u", OpConst8u, 0, ops{operU64}, execConst},
		{"DW_OP_const8s", OpConst8s, 0, ops{operS64}, execConst},
		{"DW_OP_constu", OpConstu, 0, ops{operULEB}, execConst},
		{"DW_OP_consts", OpConsts, 0, ops{operSLEB}, execConst},
		{"DW_OP_dup", OpDup, 0, ops{}, execDup},
		{"DW_OP_drop", OpDrop, 0, ops{}, execDrop},
		{"DW_OP_over", OpOver, 0, ops{}, execOver},
		{"DW_OP_pick", OpPick, 0, ops{operU8}, execPick},
		{"DW_OP_swap", OpSwap, 0, ops{}, execSwap},
		{"DW_OP_rot", OpRot, 0, ops{}, execRot},
		{"DW_OP_xderef", OpXderef, 0, ops{}, execXderef},
		{"DW_OP_abs", OpAbs, 0, ops{}, unary(Value.abs)},
		{"DW_OP_and", OpAnd, 0, ops{}, binary(&arithAnd)},
		{"DW_OP_div", OpDiv, 0, ops{}, binary(&arithDiv)},
		{"DW_OP_minus", OpMinus, 0, ops{}, binary(&arithMinus)},
		{"DW_OP_mod", OpMod, 0, ops{}, binary(&arithMod)},
		{"DW_OP_mul", OpMul, 0, ops{}, binary(&arithMul)},
		{"DW_OP_neg", OpNeg, 0, ops{}, unary(Value.negate)},
		{"DW_OP_not", OpNot, 0, ops{}, unary(Value.not)},
		{"DW_OP_or", OpOr, 0, ops{}, binary(&arithOr)},
		{"DW_OP_plus", OpPlus, 0, ops{}, binary(&arithPlus)},
		{"DW_OP_plus_uconst", OpPlusUconst, 0, ops{operULEB}, execPlusUconst},
		{"DW_OP_shl", OpShl, 0, ops{}, binary(&arithShl)},
		{"DW_OP_shr", OpShr, 0, ops{}, binary(&arithShr)},
		{"DW_OP_shra", OpShra, 0, ops{}, binary(&arithShra)},
		{"DW_OP_xor", OpXor, 0, ops{}, binary(&arithXor)},
		{"DW_OP_bra", OpBra, 0, ops{operBranch}, execBra},
		{"DW_OP_eq", OpEq, 0, ops{}, comparison(func(o int) bool { return o == 0 }, false)},
		{"DW_OP_ge", OpGe, 0, ops{}, comparison(func(o int) bool { return o >= 0 }, false)},
		{"DW_OP_gt", OpGt, 0, ops{}, comparison(func(o int) bool { return o > 0 }, false)},
		{"DW_OP_le", OpLe, 0, ops{}, comparison(func(o int) bool { return o <= 0 }, false)},
		{"DW_OP_lt", OpLt, 0, ops{}, comparison(func(o int) bool { return o < 0 }, false)},
		{"DW_OP_ne", OpNe, 0, ops{}, comparison(func(o int) bool { return o != 0 }, true)},
		{"DW_OP_skip", OpSkip, 0, ops{operBranch}, execSkip},
		{"DW_OP_lit", OpLit0, family, ops{}, execLit},
		{"DW_OP_reg", OpReg0, family, ops{}, execReg},
		{"DW_OP_breg", OpBreg0, family, ops{operDisp}, execBreg},
		{"DW_OP_regx", OpRegx, 0, ops{operReg}, execReg},
		{"DW_OP_fbreg", OpFbreg, notInCFI, ops{operSLEB}, execFbreg},
		{"DW_OP_bregx", OpBregx, 0, ops{operReg, operDisp}, execBreg},
		{"DW_OP_piece", OpPiece, 0, ops{operULEB}, execPiece},
		{"DW_OP_deref_size", OpDerefSize, 0, ops{operU8}, execDerefSize},
		{"DW_OP_xderef_size", OpXderefSize, 0, ops{operU8}, execXderefSize},
		{"DW_OP_nop", OpNop, 0, ops{}, execNop},
		{"DW_OP_push_object_address", OpPushObjectAddress, notInCFI, ops{}, execPushObject},
		{"DW_OP_call2", OpCall2, notInCFI, ops{operU16}, execCallUnit},
		{"DW_OP_call4", OpCall4, notInCFI, ops{operU32}, execCallUnit},
		{"DW_OP_call_ref", OpCallRef, notInCFI, ops{operEntry}, execCallRef},
		{"DW_OP_form_tls_address", OpFormTLSAddress, 0, ops{}, execTLS},
		{"DW_OP_call_frame_cfa", OpCallFrameCFA, notInCFI, ops{}, execCFA},
		{"DW_OP_bit_piece", OpBitPiece, 0, ops{operULEB, operULEB}, execBitPiece},
		{"DW_OP_implicit_value", OpImplicitValue, 0, ops{operBlock}, execImplicitValue},
		{"DW_OP_stack_value", OpStackValue, 0, ops{}, execStackValue},
		{"DW_OP_implicit_pointer", OpImplicitPointer, notInCFI, ops{operEntry, operSLEB},
			execImplicitPointer},
		{"DW_OP_addrx", OpAddrx, notInCFI, ops{operULEB}, execAddrx},
		{"DW_OP_constx", OpConstx, notInCFI, ops{operULEB}, execConstx},
		{"DW_OP_entry_value", OpEntryValue, notInCFI, ops{operExpr}, execEntryValue},
		{"DW_OP_const_type", OpConstType, notInCFI, ops{operType, operBlock1}, execConstType},
		{"DW_OP_regval_type", OpRegvalType, notInCFI, ops{operReg, operType}, execRegvalType},
		{"DW_OP_deref_type", OpDerefType, notInCFI, ops{operU8, operType}, execDerefType},
		{"DW_OP_xderef_type", OpXderefType, notInCFI, ops{operU8, operType}, execXderefType},
		{"DW_OP_convert", OpConvert, notInCFI, ops{operType}, execConvert},
		{"DW_OP_reinterpret", OpReinterpret, notInCFI, ops{operType}, execReinterpret},

		{"DW_OP_GNU_push_tls_address", OpGNUPushTLSAddress, 0, ops{}, execTLS},
		{"DW_OP_GNU_uninit", OpGNUUninit, 0, ops{}, execNop},
		{"DW_OP_GNU_implicit_pointer", OpGNUImplicitPointer, notInCFI, ops{operEntry, operSLEB},
			execImplicitPointer},
		{"DW_OP_GNU_entry_value", OpGNUEntryValue, notInCFI, ops{operExpr}, execEntryValue},
		{"DW_OP_GNU_const_type", OpGNUConstType, notInCFI, ops{operType, operBlock1}, execConstType},
		{"DW_OP_GNU_regval_type", OpGNURegvalType, notInCFI, ops{operReg, operType}, execRegvalType},
		{"DW_OP_GNU_deref_type", OpGNUDerefType, notInCFI, ops{operU8, operType}, execDerefType},
		{"DW_OP_GNU_convert", OpGNUConvert, notInCFI, ops{operType}, execConvert},
		{"DW_OP_GNU_reinterpret", OpGNUReinterpret, notInCFI, ops{operType}, execReinterpret},
		{"DW_OP_GNU_parameter_ref", OpGNUParameterRef, notInCFI, ops{operU32}, execParameterRef},
		{"DW_OP_GNU_addr_index", OpGNUAddrIndex, notInCFI, ops{operULEB}, execAddrx},
		{"DW_OP_GNU_const_index", OpGNUConstIndex, notInCFI, ops{operULEB}, execConstx},
		{"DW_OP_GNU_variable_value", OpGNUVariableValue, notInCFI, ops{operEntry}, execVariableValue},

		{"DW_OP_LLVM_nop", userCode | 0x01, 0, ops{}, execNop},
		{"DW_OP_LLVM_form_aspace_address", userCode | 0x02, 0, ops{}, execFormAspaceAddress},
		{"DW_OP_LLVM_push_lane", userCode | 0x03, notInCFI, ops{}, execPushLane},
		{"DW_OP_LLVM_offset", userCode | 0x04, 0, ops{}, execOffset},
		{"DW_OP_LLVM_offset_uconst", userCode | 0x05, 0, ops{operULEB}, execOffsetUconst},
		{"DW_OP_LLVM_bit_offset", userCode | 0x06, 0, ops{}, execBitOffset},
		{"DW_OP_LLVM_call_frame_entry_reg", userCode | 0x07, 0, ops{operReg}, execEntryReg},
		{"DW_OP_LLVM_undefined", userCode | 0x08, 0, ops{}, execUndefined},
		{"DW_OP_LLVM_aspace_bregx", userCode | 0x09, 0, ops{operReg, operDisp}, execAspaceBregx},
		{"DW_OP_LLVM_piece_end", userCode | llvmPieceEnd, 0, ops{}, execPieceEnd},
		{"DW_OP_LLVM_extend", userCode | 0x0b, 0, ops{operULEB, operULEB}, execExtend},
		{"DW_OP_LLVM_select_bit_piece", userCode | 0x0c, 0, ops{operULEB, operULEB}, execSelectBitPiece},

		// The document gives these no number.
		{"DW_OP_LLVM_overlay", 0, 0, ops{}, execOverlay},
		{"DW_OP_LLVM_bit_overlay", 0, 0, ops{}, execBitOverlay},
		{"DW_OP_LLVM_aspace_implicit_pointer", 0, notInCFI, ops{operEntry, operSLEB},
			execAspaceImplicitPointer},
		{"DW_OP_LLVM_push_iteration", 0, notInCFI, ops{}, execPushIteration},

		// Intel's (IGC, as its objects have them).
		{"DW_OP_INTEL_push_simd_lane", 0, 0, ops{}, execPushLane},
		{"DW_OP_INTEL_regs", 0, 0, ops{}, execRegs},
		{"DW_OP_INTEL_push_bit_piece_stack", 0, 0, ops{}, execPushBitPiece},
	}
}

// A code is a byte that an encoding has for an operation.
type code struct {
	code byte
	name string
}

// oldCodes are those of early AMD producers. The last two are what binutils-gdb
// has for operations that the document gives no number; the byte of a third in
// old producers became DW_OP_LLVM_user.
var oldCodes = []code{
	{0xe1, "DW_OP_LLVM_form_aspace_address"},
	{0xe2, "DW_OP_LLVM_push_lane"},
	{0xe3, "DW_OP_LLVM_offset"},
	{0xe4, "DW_OP_LLVM_offset_uconst"},
	{0xe5, "DW_OP_LLVM_bit_offset"},
	{0xe6, "DW_OP_LLVM_call_frame_entry_reg"},
	{0xe7, "DW_OP_LLVM_undefined"},
	{0xe8, "DW_OP_LLVM_aspace_bregx"},
	{0xea, "DW_OP_LLVM_piece_end"},
	{0xeb, "DW_OP_LLVM_extend"},
	{0xec, "DW_OP_LLVM_select_bit_piece"},
	{0xed, "DW_OP_LLVM_bit_overlay"},
	{0xee, "DW_OP_LLVM_overlay"},
}

// intelCodes are those of Intel's graphics compiler.
var intelCodes = []code{
	{0xeb, "DW_OP_INTEL_regs"},
	{0xec, "DW_OP_INTEL_push_bit_piece_stack"},
	{0xed, "DW_OP_INTEL_push_simd_lane"},
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
	// Intel adds the single bytes of Intel's graphics compiler, which mean
	// something else than Old's. Objects for Intel's processors (EM_INTELGT)
	// use it.
	Intel = new(Encoding)
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
		case o.isFamily():
			for n := range 32 {
				Current.single[int(o.code)+n].info = o
				Current.single[int(o.code)+n].base = uint8(n)
			}
		default:
			Current.single[o.code].info = o
		}
	}
	Old.extend(oldCodes)
	Intel.extend(intelCodes)
}

// extend makes the encoding Current and some bytes more.
func (e *Encoding) extend(codes []code) {
	*e = *Current
	for _, c := range codes {
		e.single[c.code].info = named(c.name)
	}
}

// named is the row of an operation, nil if there is none.
func named(name string) *operation {
	for i := range table {
		if o := &table[i]; o.name == name && !o.isFamily() {
			return o
		}
	}
	return nil
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
	o := named(name)
	if o == nil {
		return nil, fmt.Errorf("expr: no operation is named %s", name)
	}
	n := *e
	switch {
	case code > 0 && code < 0x100 && code != OpLLVMUser:
		n.single[code].info, n.single[code].base = o, 0
	case code > userCode && code < userCode+0x100:
		n.user = append([]*operation(nil), e.user...)
		n.setUser(code-userCode, o)
	default:
		return nil, fmt.Errorf("expr: 0x%x is no code for %s: "+
			"a byte other than 0x%x, or 0x101 to 0x1ff, expected",
			code, name, OpLLVMUser)
	}
	return &n, nil
}

// Operations lists the names of all operations.
func Operations() []string {
	var names []string
	for i := range table {
		o := &table[i]
		if !o.isFamily() {
			names = append(names, o.name)
			continue
		}
		for n := range 32 {
			names = append(names, fmt.Sprintf("%s%d", o.name, n))
		}
	}
	return names
}
