package native

func ins(m, prefix, w, op byte) Instruction { return Instruction{Map: m, Prefix: prefix, W: w, Op: op} }

// Vector instructions, by the names that manuals give them. Those of AVX2 are those of AVX-512 with the same
// encoding but for its prefix.
var (
	MovDQU        = ins(1, 2, 0, 0x6f) // by dwords
	MovDQUTo      = ins(1, 2, 0, 0x7f)
	MovDQU64      = ins(1, 2, 1, 0x6f)
	MovDQU64To    = ins(1, 2, 1, 0x7f)
	MovDQU16      = ins(1, 3, 1, 0x6f)
	MovDQA        = ins(1, 1, 0, 0x6f)
	MovDQA64      = ins(1, 1, 1, 0x6f)
	MovD          = ins(1, 1, 0, 0x6e)
	MovDTo        = ins(1, 1, 0, 0x7e)
	MovQ          = ins(1, 1, 1, 0x6e)
	MovQTo        = ins(1, 1, 1, 0x7e)
	BroadcastB    = ins(2, 1, 0, 0x78)
	BroadcastD    = ins(2, 1, 0, 0x58)
	BroadcastQ    = ins(2, 1, 1, 0x59)
	BroadcastQVEX = ins(2, 1, 0, 0x59)
	BroadcastRD   = ins(2, 1, 0, 0x7c)
	BroadcastR    = ins(2, 1, 1, 0x7c) // of a general register
	MovZXDQ       = ins(2, 1, 0, 0x35)
	MovSXDQ       = ins(2, 1, 0, 0x25)
	MovQD         = ins(2, 2, 0, 0x35) // ModRM.reg is the source
	And           = ins(1, 1, 0, 0xdb)
	AndNot        = ins(1, 1, 0, 0xdf)
	Or            = ins(1, 1, 0, 0xeb)
	Xor           = ins(1, 1, 0, 0xef)
	AndQ          = ins(1, 1, 1, 0xdb)
	OrQ           = ins(1, 1, 1, 0xeb)
	XorQ          = ins(1, 1, 1, 0xef)
	AddD          = ins(1, 1, 0, 0xfe)
	AddQ          = ins(1, 1, 1, 0xd4)
	SubD          = ins(1, 1, 0, 0xfa)
	SubQ          = ins(1, 1, 1, 0xfb)
	MulLD         = ins(2, 1, 0, 0x40)
	MulLQ         = ins(2, 1, 1, 0x40)
	MulUDQ        = ins(1, 1, 1, 0xf4)
	MulSDQ        = ins(2, 1, 1, 0x28)
	SLLVD         = ins(2, 1, 0, 0x47)
	SRLVD         = ins(2, 1, 0, 0x45)
	SRAVD         = ins(2, 1, 0, 0x46)
	SLLVQ         = ins(2, 1, 1, 0x47)
	SRLVQ         = ins(2, 1, 1, 0x45)
	SRAVQ         = ins(2, 1, 1, 0x46)
	ShiftD        = ins(1, 1, 0, 0x72) // by a constant, as ModRM.reg says
	ShiftQ        = ins(1, 1, 1, 0x73)
	ShiftSQ       = ins(1, 1, 1, 0x72) // that of AVX-512 with the sign
	MinSD         = ins(2, 1, 0, 0x39)
	MaxSD         = ins(2, 1, 0, 0x3d)
	MinUQ         = ins(2, 1, 1, 0x3b)
	MaxUQ         = ins(2, 1, 1, 0x3f)
	BlendM        = ins(2, 1, 0, 0x64)
	BlendMQ       = ins(2, 1, 1, 0x64)
	BlendVB       = ins(3, 1, 0, 0x4c) // by the signs of bytes, and so on
	BlendVPS      = ins(3, 1, 0, 0x4a)
	BlendVPD      = ins(3, 1, 0, 0x4b)
	BlendD        = ins(3, 1, 0, 0x02)
	CmpUD         = ins(3, 1, 0, 0x1e)
	CmpSD         = ins(3, 1, 0, 0x1f)
	CmpUQ         = ins(3, 1, 1, 0x1e)
	CmpSQ         = ins(3, 1, 1, 0x1f)
	CmpEqD        = ins(1, 1, 0, 0x76)
	CmpGtD        = ins(1, 1, 0, 0x66)
	CmpGtW        = ins(1, 1, 0, 0x65)
	CmpEqQ        = ins(2, 1, 0, 0x29)
	CmpGtQ        = ins(2, 1, 0, 0x37)
	TestNMD       = ins(2, 2, 0, 0x27)
	TestMQ        = ins(2, 1, 1, 0x27)
	CmpPS         = ins(1, 0, 0, 0xc2)
	CmpPD         = ins(1, 1, 1, 0xc2)
	AddPS         = ins(1, 0, 0, 0x58)
	SubPS         = ins(1, 0, 0, 0x5c)
	MulPS         = ins(1, 0, 0, 0x59)
	DivPS         = ins(1, 0, 0, 0x5e)
	SqrtPS        = ins(1, 0, 0, 0x51)
	MinPS         = ins(1, 0, 0, 0x5d)
	MaxPS         = ins(1, 0, 0, 0x5f)
	FMAdd213PS    = ins(2, 1, 0, 0xa8)
	AddPD         = ins(1, 1, 1, 0x58)
	SubPD         = ins(1, 1, 1, 0x5c)
	MulPD         = ins(1, 1, 1, 0x59)
	DivPD         = ins(1, 1, 1, 0x5e)
	FMAdd213PD    = ins(2, 1, 1, 0xa8)
	RoundPS       = ins(3, 1, 0, 0x08) // of AVX-512, vrndscaleps
	CvtDQ2PS      = ins(1, 0, 0, 0x5b)
	CvtUDQ2PS     = ins(1, 3, 0, 0x7a)
	CvtTPS2DQ     = ins(1, 2, 0, 0x5b)
	CvtPH2PS      = ins(2, 1, 0, 0x13)
	CvtPS2PH      = ins(3, 1, 0, 0x1d) // ModRM.reg is the source
	CvtTPS2UDQ    = ins(1, 0, 0, 0x78)
	GatherDD      = ins(2, 1, 0, 0x90)
	GatherDQ      = ins(2, 1, 1, 0x90)
	GatherQD      = ins(2, 1, 0, 0x91)
	GatherQQ      = ins(2, 1, 1, 0x91)
	ScatterDD     = ins(2, 1, 0, 0xa0)
	ScatterDQ     = ins(2, 1, 1, 0xa0)
	ScatterQD     = ins(2, 1, 0, 0xa1)
	ScatterQQ     = ins(2, 1, 1, 0xa1)
	MovMskPS      = ins(1, 0, 0, 0x50)
	MovMskPD      = ins(1, 1, 0, 0x50)
	ExtractI128   = ins(3, 1, 0, 0x39)
	PermQ         = ins(3, 1, 1, 0x00)
	PackUSDW      = ins(2, 1, 0, 0x2b)
	PermD         = ins(2, 1, 0, 0x36)
	MaskMovD      = ins(2, 1, 0, 0x8c) // of AVX2
	MovM2Q        = ins(2, 2, 1, 0x38) // of a mask register
	MovD2M        = ins(2, 2, 0, 0x39) // to a mask register
	ShuffleB      = ins(2, 1, 0, 0x00)
	ShuffleD      = ins(1, 1, 0, 0x70)
	UnpackLowWD   = ins(1, 1, 0, 0x61)
	UnpackLowDQ   = ins(1, 1, 0, 0x62)
	UnpackLowQDQ  = ins(1, 1, 0, 0x6c)
)

// What ModRM.reg says of ShiftD and ShiftQ.
const (
	ShiftRight = 2
	ShiftSign  = 4
	ShiftLeft  = 6
)

// Extend is the instruction that extends elements of some bytes.
func Extend(from, to uint8, signed bool) Instruction {
	op := map[[2]uint8]byte{{1, 4}: 0x31, {1, 8}: 0x32, {2, 4}: 0x33, {2, 8}: 0x34,
		{4, 8}: 0x35}[[2]uint8{from, to}]
	if signed {
		op -= 0x10
	}
	return ins(2, 1, 0, op)
}

// Narrow is the instruction of AVX-512 that keeps the low bytes of elements. Its first operand is the source.
func Narrow(from, to uint8) Instruction {
	return ins(2, 2, 0, map[[2]uint8]byte{{4, 1}: 0x31, {4, 2}: 0x33, {8, 1}: 0x32, {8, 2}: 0x34,
		{8, 4}: 0x35}[[2]uint8{from, to}])
}
