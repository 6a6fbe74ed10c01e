package vec

// An Op is an operation.
type Op uint8

// The operations. Those of 32 bits work on A, B, C and D, those of 64 bits on
// pairs. Shifts take as many bits of their count as the number's width needs.
//
// Floats are IEEE 754's, rounded to nearest even, with denormals, unless it
// says otherwise. A NaN operand of arithmetic comes out quiet, the first of
// several; an invalid operation gives the positive quiet NaN.
const (
	None Op = iota

	Mov // A
	Not // ^A
	Add // A + B
	Sub // A - B
	And // A & B
	Or  // A | B
	Xor // A ^ B
	Xnor

	ShlRev // B << A
	ShrRev // B >> A
	SarRev // int32(B) >> A

	Mul    // the low half of A * B
	MulHiU // the high half of the product of unsigned numbers
	MulHiI // the same of signed ones
	MulU24 // the low half of the product of the low 24 bits
	MulI24

	MinU
	MaxU
	MinI
	MaxI

	Add3     // A + B + C
	ShlAdd   // A<<B + C
	AddShl   // (A + B) << C
	ShlOr    // A<<B | C
	AndOr    // A&B | C
	Or3      // A | B | C
	XorAdd   // (A ^ B) + C
	MadU24   // MulU24 of A and B, plus C
	MadI24   // MulI24 of A and B, plus C
	BfeU     // the C bits of A from bit B on
	BfeI     // the same, sign-extended
	Bfi      // A&B | ^A&C
	AlignBit // (A<<32 | B) >> C
	Signs    // A &^ B ^ C
	Select   // B where In, else A

	AddCarry  // A + B + In, the carries in Out
	SubBorrow // A - B - In, the borrows in Out

	EqU // Out: A == B, and so on
	NeU
	LtU
	LeU
	LtI
	LeI

	AddF32
	SubF32
	MulF32
	DivF32
	SqrtF32  // of A
	FmaF32   // A * B + C, rounded once
	MadF32   // A * B, rounded, plus C; denormals are 0, of operands and results
	MinF32   // -0 is less than 0; of a NaN and a number the number, B if both are NaNs; see Args.Quiet
	MaxF32   // likewise
	RcpF32   // 1 / A, rounded; denormals are 0, of the operand and the result
	TruncF32 // towards zero
	FloorF32
	CeilF32
	RintF32 // to nearest even
	F32I    // from a signed number
	F32U
	IF32 // to a signed number, towards zero: the nearest there is, 0 of a NaN
	UF32

	EqF32 // Out: A == B, and so on; false of NaNs
	LtF32
	LeF32
	NeF32 // less or greater: false of NaNs
	OrdF32

	F32F16 // of the 16-bit float in the low half of A
	F16F32 // the 16-bit float of A, 0 above it
	AddF16 // of the low halves, 0 above the result, and so on
	SubF16
	MulF16
	FmaF16
	PkAddF16 // of the low halves and of the high ones
	PkMulF16
	PkFmaF16
	F32F64 // of A, of 64 bits

	Index // of rows as 32 numbers of 64 bits: A + In + the signed product of the low halves of B and C

	ShlRev64 // B << A, A of 32 bits
	ShrRev64
	SarRev64
	ShlAdd64 // A<<B + C, B of 32 bits, 3 of which count
	MadU64   // A * B + C, A and B of 32 bits; the carries in Out

	AddF64
	MulF64
	FmaF64
	F64F32 // of A, of 32 bits

	opCount
)

var names = [opCount]string{"None", "Mov", "Not", "Add", "Sub", "And", "Or", "Xor", "Xnor", "ShlRev",
	"ShrRev",
	"SarRev", "Mul", "MulHiU", "MulHiI", "MulU24", "MulI24", "MinU", "MaxU", "MinI", "MaxI", "Add3", "ShlAdd",
	"AddShl", "ShlOr", "AndOr", "Or3", "XorAdd", "MadU24", "MadI24", "BfeU", "BfeI", "Bfi", "AlignBit",
	"Signs", "Select",
	"AddCarry", "SubBorrow", "EqU", "NeU", "LtU", "LeU", "LtI", "LeI", "AddF32", "SubF32", "MulF32", "DivF32",
	"SqrtF32", "FmaF32",
	"MadF32", "MinF32", "MaxF32", "RcpF32", "TruncF32", "FloorF32", "CeilF32", "RintF32", "F32I", "F32U",
	"IF32", "UF32", "EqF32", "LtF32", "LeF32", "NeF32", "OrdF32", "F32F16", "F16F32", "AddF16", "SubF16",
	"MulF16", "FmaF16", "PkAddF16", "PkMulF16", "PkFmaF16", "F32F64", "Index", "ShlRev64", "ShrRev64",
	"SarRev64", "ShlAdd64", "MadU64",
	"AddF64", "MulF64", "FmaF64", "F64F32"}
