package vec

// The functions of short_amd64.s.

//go:noescape
func shortNot512(x *ShortArgs)

//go:noescape
func shortAdd512(x *ShortArgs)

//go:noescape
func shortSub512(x *ShortArgs)

//go:noescape
func shortAnd512(x *ShortArgs)

//go:noescape
func shortOr512(x *ShortArgs)

//go:noescape
func shortXor512(x *ShortArgs)

//go:noescape
func shortShlRev512(x *ShortArgs)

//go:noescape
func shortShrRev512(x *ShortArgs)

//go:noescape
func shortSarRev512(x *ShortArgs)

//go:noescape
func shortMul512(x *ShortArgs)

//go:noescape
func shortMulHiU512(x *ShortArgs)

//go:noescape
func shortMulHiI512(x *ShortArgs)

//go:noescape
func shortAddF32512(x *ShortArgs)

//go:noescape
func shortSubF32512(x *ShortArgs)

//go:noescape
func shortMulF32512(x *ShortArgs)

//go:noescape
func shortFmaF32512(x *ShortArgs)

//go:noescape
func shortDivF32512(x *ShortArgs)

//go:noescape
func shortSqrtF32512(x *ShortArgs)

//go:noescape
func shortF32I512(x *ShortArgs)

//go:noescape
func shortF32U512(x *ShortArgs)

//go:noescape
func shortEqU512(x *ShortArgs)

//go:noescape
func shortLtU512(x *ShortArgs)

//go:noescape
func shortLtI512(x *ShortArgs)

//go:noescape
func shortEqF32512(x *ShortArgs)

//go:noescape
func shortLtF32512(x *ShortArgs)

//go:noescape
func shortLeF32512(x *ShortArgs)

//go:noescape
func shortWideAdd512(x *ShortArgs)

//go:noescape
func shortWideSub512(x *ShortArgs)

//go:noescape
func shortWideMul512(x *ShortArgs)

//go:noescape
func shortWideAnd512(x *ShortArgs)

//go:noescape
func shortWideOr512(x *ShortArgs)

//go:noescape
func shortWideXor512(x *ShortArgs)

//go:noescape
func shortWideShl512(x *ShortArgs)

//go:noescape
func shortWideShr512(x *ShortArgs)

//go:noescape
func shortWideEqU512(x *ShortArgs)

//go:noescape
func shortWideLtU512(x *ShortArgs)

//go:noescape
func shortWideLtI64512(x *ShortArgs)

//go:noescape
func shortWideEqF64512(x *ShortArgs)

//go:noescape
func shortWideLtF64512(x *ShortArgs)

//go:noescape
func shortWideLeF64512(x *ShortArgs)

var short512 = shortFuncs{
	ops: map[Op]ShortFunc{
		Not:     shortNot512,
		Add:     shortAdd512,
		Sub:     shortSub512,
		And:     shortAnd512,
		Or:      shortOr512,
		Xor:     shortXor512,
		ShlRev:  shortShlRev512,
		ShrRev:  shortShrRev512,
		SarRev:  shortSarRev512,
		Mul:     shortMul512,
		MulHiU:  shortMulHiU512,
		MulHiI:  shortMulHiI512,
		AddF32:  shortAddF32512,
		SubF32:  shortSubF32512,
		MulF32:  shortMulF32512,
		FmaF32:  shortFmaF32512,
		DivF32:  shortDivF32512,
		SqrtF32: shortSqrtF32512,
		F32I:    shortF32I512,
		F32U:    shortF32U512,
		EqU:     shortEqU512,
		LtU:     shortLtU512,
		LtI:     shortLtI512,
		EqF32:   shortEqF32512,
		LtF32:   shortLtF32512,
		LeF32:   shortLeF32512,
	},
	wide: map[WideOp]ShortFunc{
		WideAdd:   shortWideAdd512,
		WideSub:   shortWideSub512,
		WideMul:   shortWideMul512,
		WideAnd:   shortWideAnd512,
		WideOr:    shortWideOr512,
		WideXor:   shortWideXor512,
		WideShl:   shortWideShl512,
		WideShr:   shortWideShr512,
		WideEqU:   shortWideEqU512,
		WideLtU:   shortWideLtU512,
		WideLtI64: shortWideLtI64512,
		WideEqF64: shortWideEqF64512,
		WideLtF64: shortWideLtF64512,
		WideLeF64: shortWideLeF64512,
	},
}

var shorts = [pathCount]shortFuncs{AVX2: short256, AVX512: short512}
