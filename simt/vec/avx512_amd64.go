package vec

// The functions of avx512_amd64.s.

//go:noescape
func add512(x *Args)

//go:noescape
func add3512(x *Args)

//go:noescape
func addCarry512(x *Args)

//go:noescape
func addF32512(x *Args)

//go:noescape
func addF64512(x *Args)

//go:noescape
func addShl512(x *Args)

//go:noescape
func alignBit512(x *Args)

//go:noescape
func and512(x *Args)

//go:noescape
func andOr512(x *Args)

//go:noescape
func bfeI512(x *Args)

//go:noescape
func bfeU512(x *Args)

//go:noescape
func bfi512(x *Args)

//go:noescape
func ceilF32512(x *Args)

//go:noescape
func divF32512(x *Args)

//go:noescape
func eqF32512(x *Args)

//go:noescape
func eqU512(x *Args)

//go:noescape
func f32I512(x *Args)

//go:noescape
func f32U512(x *Args)

//go:noescape
func floorF32512(x *Args)

//go:noescape
func fmaF32512(x *Args)

//go:noescape
func fmaF64512(x *Args)

//go:noescape
func iF32512(x *Args)

//go:noescape
func index512(x *Args)

//go:noescape
func leF32512(x *Args)

//go:noescape
func leI512(x *Args)

//go:noescape
func leU512(x *Args)

//go:noescape
func ltF32512(x *Args)

//go:noescape
func ltI512(x *Args)

//go:noescape
func ltU512(x *Args)

//go:noescape
func madF32512(x *Args)

//go:noescape
func madI24512(x *Args)

//go:noescape
func madU24512(x *Args)

//go:noescape
func madU64512(x *Args)

//go:noescape
func maxF32512(x *Args)

//go:noescape
func maxI512(x *Args)

//go:noescape
func maxU512(x *Args)

//go:noescape
func minF32512(x *Args)

//go:noescape
func minI512(x *Args)

//go:noescape
func minU512(x *Args)

//go:noescape
func mov512(x *Args)

//go:noescape
func mul512(x *Args)

//go:noescape
func mulF32512(x *Args)

//go:noescape
func mulF64512(x *Args)

//go:noescape
func mulHiI512(x *Args)

//go:noescape
func mulHiU512(x *Args)

//go:noescape
func mulI24512(x *Args)

//go:noescape
func mulU24512(x *Args)

//go:noescape
func neF32512(x *Args)

//go:noescape
func neU512(x *Args)

//go:noescape
func not512(x *Args)

//go:noescape
func or512(x *Args)

//go:noescape
func or3512(x *Args)

//go:noescape
func ordF32512(x *Args)

//go:noescape
func rcpF32512(x *Args)

//go:noescape
func rintF32512(x *Args)

//go:noescape
func sarRev512(x *Args)

//go:noescape
func sarRev64512(x *Args)

//go:noescape
func select512(x *Args)

//go:noescape
func shlAdd512(x *Args)

//go:noescape
func shlAdd64512(x *Args)

//go:noescape
func shlOr512(x *Args)

//go:noescape
func shlRev512(x *Args)

//go:noescape
func shlRev64512(x *Args)

//go:noescape
func shrRev512(x *Args)

//go:noescape
func shrRev64512(x *Args)

//go:noescape
func sub512(x *Args)

//go:noescape
func subBorrow512(x *Args)

//go:noescape
func subF32512(x *Args)

//go:noescape
func truncF32512(x *Args)

//go:noescape
func uF32512(x *Args)

//go:noescape
func xnor512(x *Args)

//go:noescape
func xor512(x *Args)

//go:noescape
func xorAdd512(x *Args)

//go:noescape
func signs512(x *Args)

//go:noescape
func fill512(d *Row, v uint32)

//go:noescape
func merge512(d, s *Row, mask uint64)

//go:noescape
func offsets512(x *span) (outside uint64)

//go:noescape
func places512(to *[Lanes]uint64, base uint64, at *Row)

// Of so many numbers as are a multiple of 8.
//
//go:noescape
func steps512(at *uint64, n int, step uint64) uint64

// Of so many numbers as are a multiple of 8.
//
//go:noescape
func further512(at, than *uint64, n int, by uint64) uint64

//go:noescape
func load512(d *Row, mem *byte, at *Row, mask uint64)

//go:noescape
func sqrtF32512(x *Args)

//go:noescape
func store512(s *Row, mem *byte, at *Row, mask uint64)

// avx512 is the assembly for AVX-512.
var avx512 = [opCount]Func{
	Mov:       mov512,
	Not:       not512,
	Add:       add512,
	Sub:       sub512,
	And:       and512,
	Or:        or512,
	Xor:       xor512,
	Xnor:      xnor512,
	ShlRev:    shlRev512,
	ShrRev:    shrRev512,
	SarRev:    sarRev512,
	Mul:       mul512,
	MulHiU:    mulHiU512,
	MulHiI:    mulHiI512,
	MulU24:    mulU24512,
	MulI24:    mulI24512,
	MinU:      minU512,
	MaxU:      maxU512,
	MinI:      minI512,
	MaxI:      maxI512,
	Add3:      add3512,
	ShlAdd:    shlAdd512,
	AddShl:    addShl512,
	ShlOr:     shlOr512,
	AndOr:     andOr512,
	Or3:       or3512,
	XorAdd:    xorAdd512,
	MadU24:    madU24512,
	MadI24:    madI24512,
	BfeU:      bfeU512,
	BfeI:      bfeI512,
	Bfi:       bfi512,
	AlignBit:  alignBit512,
	Signs:     signs512,
	Select:    select512,
	AddCarry:  addCarry512,
	SubBorrow: subBorrow512,
	EqU:       eqU512,
	NeU:       neU512,
	LtU:       ltU512,
	LeU:       leU512,
	LtI:       ltI512,
	LeI:       leI512,
	AddF32:    addF32512,
	SubF32:    subF32512,
	MulF32:    mulF32512,
	DivF32:    divF32512,
	SqrtF32:   sqrtF32512,
	FmaF32:    unless(fmaF32512, FmaF32),
	MadF32:    unless(madF32512, MadF32),
	MinF32:    unless(minF32512, MinF32),
	MaxF32:    unless(maxF32512, MaxF32),
	RcpF32:    unless(rcpF32512, RcpF32),
	TruncF32:  truncF32512,
	FloorF32:  floorF32512,
	CeilF32:   ceilF32512,
	RintF32:   rintF32512,
	F32I:      f32I512,
	F32U:      f32U512,
	IF32:      iF32512,
	UF32:      uF32512,
	EqF32:     eqF32512,
	LtF32:     ltF32512,
	LeF32:     leF32512,
	NeF32:     neF32512,
	OrdF32:    ordF32512,
	Index:     index512,
	ShlRev64:  shlRev64512,
	ShrRev64:  shrRev64512,
	SarRev64:  sarRev64512,
	ShlAdd64:  shlAdd64512,
	MadU64:    madU64512,
	AddF64:    addF64512,
	MulF64:    mulF64512,
	FmaF64:    fmaF64512,
	F32F16:    f32F16512,
	F16F32:    f16F32512,
	AddF16:    addF16512,
	SubF16:    subF16512,
	MulF16:    mulF16512,
	FmaF16:    fmaF16512,
	PkAddF16:  pkAddF16512,
	PkMulF16:  pkMulF16512,
	PkFmaF16:  pkFmaF16512,
	F64F32:    f64F32512,
	F32F64:    f32F64512,
}
