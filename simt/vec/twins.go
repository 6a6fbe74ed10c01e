package vec

import (
	"math"
	"math/bits"
)

// twins are the operations in Go.
var twins = [opCount]Func{
	Mov:       masked(mov),
	Not:       masked(not),
	Add:       masked(add),
	Sub:       masked(sub),
	And:       masked(and),
	Or:        masked(or),
	Xor:       masked(xor),
	Xnor:      masked(xnor),
	ShlRev:    masked(shlRev),
	ShrRev:    masked(shrRev),
	SarRev:    masked(sarRev),
	Mul:       masked(mul),
	MulHiU:    masked(mulHiU),
	MulHiI:    masked(mulHiI),
	MulU24:    masked(mulU24),
	MulI24:    masked(mulI24),
	MinU:      masked(minU),
	MaxU:      masked(maxU),
	MinI:      masked(minI),
	MaxI:      masked(maxI),
	Add3:      masked(add3),
	ShlAdd:    masked(shlAdd),
	AddShl:    masked(addShl),
	ShlOr:     masked(shlOr),
	AndOr:     masked(andOr),
	Or3:       masked(or3),
	XorAdd:    masked(xorAdd),
	MadU24:    masked(madU24),
	MadI24:    masked(madI24),
	BfeU:      masked(bfeU),
	BfeI:      masked(bfeI),
	Bfi:       masked(bfi),
	AlignBit:  masked(alignBit),
	Signs:     masked(signs),
	Select:    masked(selectTwin),
	AddCarry:  masked(addCarry),
	SubBorrow: masked(subBorrow),
	EqU:       eqU,
	NeU:       neU,
	LtU:       ltU,
	LeU:       leU,
	LtI:       ltI,
	LeI:       leI,
	AddF32:    masked(addF32),
	SubF32:    masked(subF32),
	MulF32:    masked(mulF32),
	DivF32:    masked(divF32),
	SqrtF32:   masked(sqrtF32),
	FmaF32:    masked(fmaF32),
	MadF32:    masked(madF32),
	MinF32:    masked(minF32),
	MaxF32:    masked(maxF32),
	RcpF32:    masked(rcpF32),
	TruncF32:  masked(round32(math.Trunc)),
	FloorF32:  masked(round32(math.Floor)),
	CeilF32:   masked(round32(math.Ceil)),
	RintF32:   masked(round32(math.RoundToEven)),
	F32I:      masked(f32I),
	F32U:      masked(f32U),
	IF32:      masked(iF32),
	UF32:      masked(uF32),
	EqF32:     eqF32,
	LtF32:     ltF32,
	LeF32:     leF32,
	NeF32:     neF32,
	OrdF32:    ordF32,
	F32F16:    masked(f32F16),
	F16F32:    masked(f16F32),
	AddF16:    masked(low2(addF16)),
	SubF16:    masked(low2(subF16)),
	MulF16:    masked(low2(mulF16)),
	FmaF16:    masked(fmaF16Low),
	PkAddF16:  masked(both2(addF16)),
	PkMulF16:  masked(both2(mulF16)),
	PkFmaF16:  masked(fmaF16Both),
	Index:     masked(index),
	ShlRev64:  masked(shlRev64),
	ShrRev64:  masked(shrRev64),
	SarRev64:  masked(sarRev64),
	ShlAdd64:  masked(shlAdd64),
	MadU64:    masked(madU64),
	AddF64:    masked(addF64),
	MulF64:    masked(mulF64),
	FmaF64:    masked(fmaF64),
	F64F32:    masked(f64F32),
	F32F64:    masked(f32F64),
}

// masked confines a loop over all lanes to those of the mask.
func masked(f Func) Func {
	return func(x *Args) {
		m := x.Mask
		if m == ^uint64(0) {
			f(x)
			return
		}
		d, d1 := x.D, x.D1
		x.D, x.D1 = &x.spare[0], &x.spare[1]
		f(x)
		merge(d, x.D, m)
		if d1 != nil {
			merge(d1, x.D1, m)
		}
		x.D, x.D1 = d, d1
		x.Out &= m
	}
}

func merge(d, s *Row, mask uint64) {
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		d[l] = s[l]
	}
}
