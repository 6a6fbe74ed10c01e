package vec

// The functions of avx2_amd64.s.

//go:noescape
func add256(x *Args)

//go:noescape
func add3256(x *Args)

//go:noescape
func addF32256(x *Args)

//go:noescape
func addShl256(x *Args)

//go:noescape
func and256(x *Args)

//go:noescape
func andOr256(x *Args)

//go:noescape
func bfeU256(x *Args)

//go:noescape
func eqF32256(x *Args)

//go:noescape
func eqU256(x *Args)

//go:noescape
func f32I256(x *Args)

//go:noescape
func fmaF32256(x *Args)

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
func sub256(x *Args)

//go:noescape
func subF32256(x *Args)

//go:noescape
func xnor256(x *Args)

//go:noescape
func xor256(x *Args)

//go:noescape
func xorAdd256(x *Args)

//go:noescape
func fill256(d *Row, v uint32)

// avx2 is the assembly for AVX2.
var avx2 = [opCount]Func{
	Mov:    mov256,
	Not:    not256,
	Add:    add256,
	Sub:    sub256,
	And:    and256,
	Or:     or256,
	Xor:    xor256,
	Xnor:   xnor256,
	ShlRev: shlRev256,
	ShrRev: shrRev256,
	SarRev: sarRev256,
	Mul:    mul256,
	MinU:   minU256,
	MaxU:   maxU256,
	MinI:   minI256,
	MaxI:   maxI256,
	Add3:   add3256,
	ShlAdd: shlAdd256,
	AddShl: addShl256,
	ShlOr:  shlOr256,
	AndOr:  andOr256,
	Or3:    or3256,
	XorAdd: xorAdd256,
	BfeU:   bfeU256,
	Signs:  signs256,
	Select: select256,
	EqU:    eqU256,
	NeU:    neU256,
	LtU:    ltU256,
	LeU:    leU256,
	LtI:    ltI256,
	LeI:    leI256,
	AddF32: addF32256,
	SubF32: subF32256,
	MulF32: mulF32256,
	FmaF32: fmaF32256,
	F32I:   f32I256,
	EqF32:  eqF32256,
	LtF32:  ltF32256,
	LeF32:  leF32256,
	NeF32:  neF32256,
	OrdF32: ordF32256,
}
