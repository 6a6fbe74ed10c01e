package vec

// The functions of avx2_amd64.s.

//go:noescape
func add256(x *Args)

//go:noescape
func add3256(x *Args)

//go:noescape
func addCarry256(x *Args)

//go:noescape
func addF32256(x *Args)

//go:noescape
func addShl256(x *Args)

//go:noescape
func alignBit256(x *Args)

//go:noescape
func and256(x *Args)

//go:noescape
func andOr256(x *Args)

//go:noescape
func bfeI256(x *Args)

//go:noescape
func bfeU256(x *Args)

//go:noescape
func bfi256(x *Args)

//go:noescape
func ceilF32256(x *Args)

//go:noescape
func divF32256(x *Args)

//go:noescape
func eqF32256(x *Args)

//go:noescape
func eqU256(x *Args)

//go:noescape
func f32I256(x *Args)

//go:noescape
func f32U256(x *Args)

//go:noescape
func floorF32256(x *Args)

//go:noescape
func fmaF32256(x *Args)

//go:noescape
func iF32256(x *Args)

//go:noescape
func index256(x *Args)

//go:noescape
func leF32256(x *Args)

//go:noescape
func leI256(x *Args)

//go:noescape
func leU256(x *Args)

//go:noescape
func ltF32256(x *Args)

//go:noescape
func ltI256(x *Args)

//go:noescape
func ltU256(x *Args)

//go:noescape
func madI24256(x *Args)

//go:noescape
func madU24256(x *Args)

//go:noescape
func maxI256(x *Args)

//go:noescape
func maxU256(x *Args)

//go:noescape
func minI256(x *Args)

//go:noescape
func minU256(x *Args)

//go:noescape
func mov256(x *Args)

//go:noescape
func mul256(x *Args)

//go:noescape
func mulF32256(x *Args)

//go:noescape
func mulHiI256(x *Args)

//go:noescape
func mulHiU256(x *Args)

//go:noescape
func mulI24256(x *Args)

//go:noescape
func mulU24256(x *Args)

//go:noescape
func neF32256(x *Args)

//go:noescape
func neU256(x *Args)

//go:noescape
func not256(x *Args)

//go:noescape
func or256(x *Args)

//go:noescape
func or3256(x *Args)

//go:noescape
func ordF32256(x *Args)

//go:noescape
func rintF32256(x *Args)

//go:noescape
func sarRev256(x *Args)

//go:noescape
func select256(x *Args)

//go:noescape
func shlAdd256(x *Args)

//go:noescape
func shlOr256(x *Args)

//go:noescape
func shlRev256(x *Args)

//go:noescape
func shrRev256(x *Args)

//go:noescape
func signs256(x *Args)

//go:noescape
func sqrtF32256(x *Args)

//go:noescape
func sub256(x *Args)

//go:noescape
func subBorrow256(x *Args)

//go:noescape
func subF32256(x *Args)

//go:noescape
func truncF32256(x *Args)

//go:noescape
func uF32256(x *Args)

//go:noescape
func xnor256(x *Args)

//go:noescape
func xor256(x *Args)

//go:noescape
func xorAdd256(x *Args)

//go:noescape
func fill256(d *Row, v uint32)

//go:noescape
func merge256(d, s *Row, mask uint64)

// avx2 is the assembly for AVX2.
var avx2 = [opCount]Func{
	Mov:       mov256,
	Not:       not256,
	Add:       add256,
	Sub:       sub256,
	And:       and256,
	Or:        or256,
	Xor:       xor256,
	Xnor:      xnor256,
	ShlRev:    shlRev256,
	ShrRev:    shrRev256,
	SarRev:    sarRev256,
	Mul:       mul256,
	MulHiU:    mulHiU256,
	MulHiI:    mulHiI256,
	MulU24:    mulU24256,
	MulI24:    mulI24256,
	MinU:      minU256,
	MaxU:      maxU256,
	MinI:      minI256,
	MaxI:      maxI256,
	Add3:      add3256,
	ShlAdd:    shlAdd256,
	AddShl:    addShl256,
	ShlOr:     shlOr256,
	AndOr:     andOr256,
	Or3:       or3256,
	XorAdd:    xorAdd256,
	MadU24:    madU24256,
	MadI24:    madI24256,
	BfeU:      bfeU256,
	BfeI:      bfeI256,
	Bfi:       bfi256,
	AlignBit:  alignBit256,
	Signs:     signs256,
	Select:    select256,
	AddCarry:  addCarry256,
	SubBorrow: subBorrow256,
	EqU:       eqU256,
	NeU:       neU256,
	LtU:       ltU256,
	LeU:       leU256,
	LtI:       ltI256,
	LeI:       leI256,
	AddF32:    addF32256,
	SubF32:    subF32256,
	MulF32:    mulF32256,
	DivF32:    divF32256,
	SqrtF32:   sqrtF32256,
	FmaF32:    fmaF32256,
	TruncF32:  truncF32256,
	FloorF32:  floorF32256,
	CeilF32:   ceilF32256,
	RintF32:   rintF32256,
	F32I:      f32I256,
	F32U:      f32U256,
	IF32:      iF32256,
	UF32:      uF32256,
	EqF32:     eqF32256,
	LtF32:     ltF32256,
	LeF32:     leF32256,
	NeF32:     neF32256,
	OrdF32:    ordF32256,
	Index:     index256,
}
