package vec

// The functions of short_avx2_amd64.s.

//go:noescape
func shortNot256(x *ShortArgs)

//go:noescape
func shortAdd256(x *ShortArgs)

//go:noescape
func shortSub256(x *ShortArgs)

//go:noescape
func shortAnd256(x *ShortArgs)

//go:noescape
func shortOr256(x *ShortArgs)

//go:noescape
func shortXor256(x *ShortArgs)

//go:noescape
func shortShlRev256(x *ShortArgs)

//go:noescape
func shortShrRev256(x *ShortArgs)

//go:noescape
func shortSarRev256(x *ShortArgs)

//go:noescape
func shortMul256(x *ShortArgs)

//go:noescape
func shortMulHiU256(x *ShortArgs)

//go:noescape
func shortMulHiI256(x *ShortArgs)

//go:noescape
func shortAddF32256(x *ShortArgs)

//go:noescape
func shortSubF32256(x *ShortArgs)

//go:noescape
func shortMulF32256(x *ShortArgs)

//go:noescape
func shortDivF32256(x *ShortArgs)

//go:noescape
func shortFmaF32256(x *ShortArgs)

//go:noescape
func shortSqrtF32256(x *ShortArgs)

//go:noescape
func shortF32I256(x *ShortArgs)

//go:noescape
func shortWideAdd256(x *ShortArgs)

//go:noescape
func shortWideSub256(x *ShortArgs)

//go:noescape
func shortWideMul256(x *ShortArgs)

//go:noescape
func shortWideAnd256(x *ShortArgs)

//go:noescape
func shortWideOr256(x *ShortArgs)

//go:noescape
func shortWideXor256(x *ShortArgs)

//go:noescape
func shortWideShl256(x *ShortArgs)

//go:noescape
func shortWideShr256(x *ShortArgs)

//go:noescape
func shortEqU256(x *ShortArgs)

//go:noescape
func shortLtU256(x *ShortArgs)

//go:noescape
func shortLtI256(x *ShortArgs)

//go:noescape
func shortEqF32256(x *ShortArgs)

//go:noescape
func shortLtF32256(x *ShortArgs)

//go:noescape
func shortLeF32256(x *ShortArgs)

//go:noescape
func shortWideEqU256(x *ShortArgs)

//go:noescape
func shortWideLtU256(x *ShortArgs)

//go:noescape
func shortWideLtI64256(x *ShortArgs)

//go:noescape
func shortWideEqF64256(x *ShortArgs)

//go:noescape
func shortWideLtF64256(x *ShortArgs)

//go:noescape
func shortWideLeF64256(x *ShortArgs)

var short256 = shortFuncs{
	ops: map[Op]ShortFunc{
		Not:     shortNot256,
		Add:     shortAdd256,
		Sub:     shortSub256,
		And:     shortAnd256,
		Or:      shortOr256,
		Xor:     shortXor256,
		ShlRev:  shortShlRev256,
		ShrRev:  shortShrRev256,
		SarRev:  shortSarRev256,
		Mul:     shortMul256,
		MulHiU:  shortMulHiU256,
		MulHiI:  shortMulHiI256,
		AddF32:  shortAddF32256,
		SubF32:  shortSubF32256,
		MulF32:  shortMulF32256,
		DivF32:  shortDivF32256,
		FmaF32:  shortFmaF32256,
		SqrtF32: shortSqrtF32256,
		F32I:    shortF32I256,
		EqU:     shortEqU256,
		LtU:     shortLtU256,
		LtI:     shortLtI256,
		EqF32:   shortEqF32256,
		LtF32:   shortLtF32256,
		LeF32:   shortLeF32256,
	},
	wide: map[WideOp]ShortFunc{
		WideAdd:   shortWideAdd256,
		WideSub:   shortWideSub256,
		WideMul:   shortWideMul256,
		WideAnd:   shortWideAnd256,
		WideOr:    shortWideOr256,
		WideXor:   shortWideXor256,
		WideShl:   shortWideShl256,
		WideShr:   shortWideShr256,
		WideEqU:   shortWideEqU256,
		WideLtU:   shortWideLtU256,
		WideLtI64: shortWideLtI64256,
		WideEqF64: shortWideEqF64256,
		WideLtF64: shortWideLtF64256,
		WideLeF64: shortWideLeF64256,
	},
}
