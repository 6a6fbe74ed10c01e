package expr

// This file has the codes of operations, for those who write expressions or look at the bytes of one. The
// operations of the heterogeneous extensions and of vendors have codes by encoding: see [Encoding].

// Operations of DWARF 2 to 5 (DWARF 5 table 7.9). OpLit0, OpReg0 and OpBreg0 are the first of 32.
const (
	OpAddr              = 0x03
	OpDeref             = 0x06
	OpConst1u           = 0x08
	OpConst1s           = 0x09
	OpConst2u           = 0x0a
	OpConst2s           = 0x0b
	OpConst4u           = 0x0c
	OpConst4s           = 0x0d
	OpConst8u           = 0x0e
	OpConst8s           = 0x0f
	OpConstu            = 0x10
	OpConsts            = 0x11
	OpDup               = 0x12
	OpDrop              = 0x13
	OpOver              = 0x14
	OpPick              = 0x15
	OpSwap              = 0x16
	OpRot               = 0x17
	OpXderef            = 0x18
	OpAbs               = 0x19
	OpAnd               = 0x1a
	OpDiv               = 0x1b
	OpMinus             = 0x1c
	OpMod               = 0x1d
	OpMul               = 0x1e
	OpNeg               = 0x1f
	OpNot               = 0x20
	OpOr                = 0x21
	OpPlus              = 0x22
	OpPlusUconst        = 0x23
	OpShl               = 0x24
	OpShr               = 0x25
	OpShra              = 0x26
	OpXor               = 0x27
	OpBra               = 0x28
	OpEq                = 0x29
	OpGe                = 0x2a
	OpGt                = 0x2b
	OpLe                = 0x2c
	OpLt                = 0x2d
	OpNe                = 0x2e
	OpSkip              = 0x2f
	OpLit0              = 0x30
	OpReg0              = 0x50
	OpBreg0             = 0x70
	OpRegx              = 0x90
	OpFbreg             = 0x91
	OpBregx             = 0x92
	OpPiece             = 0x93
	OpDerefSize         = 0x94
	OpXderefSize        = 0x95
	OpNop               = 0x96
	OpPushObjectAddress = 0x97
	OpCall2             = 0x98
	OpCall4             = 0x99
	OpCallRef           = 0x9a
	OpFormTLSAddress    = 0x9b
	OpCallFrameCFA      = 0x9c
	OpBitPiece          = 0x9d
	OpImplicitValue     = 0x9e
	OpStackValue        = 0x9f
	OpImplicitPointer   = 0xa0
	OpAddrx             = 0xa1
	OpConstx            = 0xa2
	OpEntryValue        = 0xa3
	OpConstType         = 0xa4
	OpRegvalType        = 0xa5
	OpDerefType         = 0xa6
	OpXderefType        = 0xa7
	OpConvert           = 0xa8
	OpReinterpret       = 0xa9
)

// OpLLVMUser is the byte before the operations of LLVM and AMD ("DWARF Extensions For Heterogeneous
// Debugging", A.7.7.1).
const OpLLVMUser = 0xe9

// GNU operations (GCC, include/dwarf2.def).
const (
	OpGNUPushTLSAddress  = 0xe0
	OpGNUUninit          = 0xf0
	OpGNUImplicitPointer = 0xf2
	OpGNUEntryValue      = 0xf3
	OpGNUConstType       = 0xf4
	OpGNURegvalType      = 0xf5
	OpGNUDerefType       = 0xf6
	OpGNUConvert         = 0xf7
	OpGNUReinterpret     = 0xf9
	OpGNUParameterRef    = 0xfa
	OpGNUAddrIndex       = 0xfb
	OpGNUConstIndex      = 0xfc
	OpGNUVariableValue   = 0xfd
)
