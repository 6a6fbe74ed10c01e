package vec

// The functions of wide_amd64.s.

//go:noescape
func wideAdd512(x *WideArgs)

//go:noescape
func wideSub512(x *WideArgs)

//go:noescape
func wideMul512(x *WideArgs)

//go:noescape
func wideMad512(x *WideArgs)

//go:noescape
func wideAnd512(x *WideArgs)

//go:noescape
func wideOr512(x *WideArgs)

//go:noescape
func wideXor512(x *WideArgs)

//go:noescape
func wideShl512(x *WideArgs)

//go:noescape
func wideShr512(x *WideArgs)

//go:noescape
func wideSar512(x *WideArgs)

//go:noescape
func wideMinU512(x *WideArgs)

//go:noescape
func wideMaxU512(x *WideArgs)

//go:noescape
func wideAdd32512(x *WideArgs)

//go:noescape
func wideSub32512(x *WideArgs)

//go:noescape
func wideMul32512(x *WideArgs)

//go:noescape
func wideMad32512(x *WideArgs)

//go:noescape
func wideShl32512(x *WideArgs)

//go:noescape
func wideShr32512(x *WideArgs)

//go:noescape
func wideSar32512(x *WideArgs)

//go:noescape
func wideMinI32512(x *WideArgs)

//go:noescape
func wideMaxI32512(x *WideArgs)

//go:noescape
func wideMulHiU32512(x *WideArgs)

//go:noescape
func wideMulHiI32512(x *WideArgs)

//go:noescape
func wideMulU32512(x *WideArgs)

//go:noescape
func wideMulI32512(x *WideArgs)

//go:noescape
func wideMadU32512(x *WideArgs)

//go:noescape
func wideMadI32512(x *WideArgs)

//go:noescape
func wideSignExtend32512(x *WideArgs)

//go:noescape
func wideSelect512(x *WideArgs)

//go:noescape
func wideAddF32512(x *WideArgs)

//go:noescape
func wideSubF32512(x *WideArgs)

//go:noescape
func wideMulF32512(x *WideArgs)

//go:noescape
func wideDivF32512(x *WideArgs)

//go:noescape
func wideFmaF32512(x *WideArgs)

//go:noescape
func wideSqrtF32512(x *WideArgs)

//go:noescape
func wideFlushF32512(x *WideArgs)

//go:noescape
func wideF32I512(x *WideArgs)

//go:noescape
func wideF32U512(x *WideArgs)

//go:noescape
func wideAddF64512(x *WideArgs)

//go:noescape
func wideSubF64512(x *WideArgs)

//go:noescape
func wideMulF64512(x *WideArgs)

//go:noescape
func wideDivF64512(x *WideArgs)

//go:noescape
func wideFmaF64512(x *WideArgs)

//go:noescape
func wideEqU512(x *WideArgs)

//go:noescape
func wideLtU512(x *WideArgs)

//go:noescape
func wideLtI64512(x *WideArgs)

//go:noescape
func wideLtI32512(x *WideArgs)

//go:noescape
func wideEqF32512(x *WideArgs)

//go:noescape
func wideNeF32512(x *WideArgs)

//go:noescape
func wideLtF32512(x *WideArgs)

//go:noescape
func wideLeF32512(x *WideArgs)

//go:noescape
func wideOrdF32512(x *WideArgs)

//go:noescape
func wideEqF64512(x *WideArgs)

//go:noescape
func wideNeF64512(x *WideArgs)

//go:noescape
func wideLtF64512(x *WideArgs)

//go:noescape
func wideLeF64512(x *WideArgs)

//go:noescape
func wideOrdF64512(x *WideArgs)

//go:noescape
func reach512(x *wideSpan)

//go:noescape
func loadItems32512(x *wideMove)

//go:noescape
func loadItems64512(x *wideMove)

//go:noescape
func storeItems32512(x *wideMove)

//go:noescape
func storeItems64512(x *wideMove)

//go:noescape
func join512(d *Wide, lo, hi *byte, mask uint32)

//go:noescape
func part512(s *Wide, lo, hi *byte, mask uint32)

// wide512 are the operations for AVX-512.
var wide512 = [wideOpCount]WideFunc{
	WideAdd:          wideAdd512,
	WideSub:          wideSub512,
	WideMul:          wideMul512,
	WideMad:          wideMad512,
	WideAnd:          wideAnd512,
	WideOr:           wideOr512,
	WideXor:          wideXor512,
	WideShl:          wideShl512,
	WideShr:          wideShr512,
	WideSar:          wideSar512,
	WideMinU:         wideMinU512,
	WideMaxU:         wideMaxU512,
	WideAdd32:        wideAdd32512,
	WideSub32:        wideSub32512,
	WideMul32:        wideMul32512,
	WideMad32:        wideMad32512,
	WideShl32:        wideShl32512,
	WideShr32:        wideShr32512,
	WideSar32:        wideSar32512,
	WideMinI32:       wideMinI32512,
	WideMaxI32:       wideMaxI32512,
	WideMulHiU32:     wideMulHiU32512,
	WideMulHiI32:     wideMulHiI32512,
	WideMulU32:       wideMulU32512,
	WideMulI32:       wideMulI32512,
	WideMadU32:       wideMadU32512,
	WideMadI32:       wideMadI32512,
	WideSignExtend32: wideSignExtend32512,
	WideSelect:       wideSelect512,
	WideAddF32:       wideAddF32512,
	WideSubF32:       wideSubF32512,
	WideMulF32:       wideMulF32512,
	WideDivF32:       wideDivF32512,
	WideFmaF32:       wideFmaF32512,
	WideSqrtF32:      wideSqrtF32512,
	WideF32I:         wideF32I512,
	WideF32U:         wideF32U512,
	WideMinF32:       wideByRow(MinF32, &chosen),
	WideMaxF32:       wideByRow(MaxF32, &chosen),
	WideTruncF32:     wideByRow(TruncF32, &chosen),
	WideFloorF32:     wideByRow(FloorF32, &chosen),
	WideCeilF32:      wideByRow(CeilF32, &chosen),
	WideRintF32:      wideByRow(RintF32, &chosen),
	WideIF32:         wideByRow(IF32, &chosen),
	WideUF32:         wideByRow(UF32, &chosen),
	WideFlushF32:     wideFlushF32512,
	WideF32F16:       wideByRow(F32F16, &chosen),
	WideF16F32:       wideByRow(F16F32, &chosen),
	WideAddF16:       wideByRow(AddF16, &chosen),
	WideMulF16:       wideByRow(MulF16, &chosen),
	WideFmaF16:       wideByRow(FmaF16, &chosen),
	WidePkAddF16:     wideByRow(PkAddF16, &chosen),
	WidePkMulF16:     wideByRow(PkMulF16, &chosen),
	WidePkFmaF16:     wideByRow(PkFmaF16, &chosen),
	WideOneNaNF16:    wideMasked(wideOneNaNF16),
	WideAddF64:       wideAddF64512,
	WideSubF64:       wideSubF64512,
	WideMulF64:       wideMulF64512,
	WideDivF64:       wideDivF64512,
	WideFmaF64:       wideFmaF64512,
	WideEqU:          wideEqU512,
	WideLtU:          wideLtU512,
	WideLtI64:        wideLtI64512,
	WideLtI32:        wideLtI32512,
	WideEqF32:        wideEqF32512,
	WideNeF32:        wideNeF32512,
	WideLtF32:        wideLtF32512,
	WideLeF32:        wideLeF32512,
	WideOrdF32:       wideOrdF32512,
	WideEqF64:        wideEqF64512,
	WideNeF64:        wideNeF64512,
	WideLtF64:        wideLtF64512,
	WideLeF64:        wideLeF64512,
	WideOrdF64:       wideOrdF64512,
}

var wideMoves512 = wideMover{reach512, loadItems32512, loadItems64512, storeItems32512, storeItems64512,
	join512,
	part512}

// assembleWide puts a path's assembly in the place of the twins.
func assembleWide(p Path) {
	switch p {
	case AVX512:
		wideChosen, wideMoves = wide512, wideMoves512
		productChosen = inSquares(product512)
	case AVX2:
		for op, f := range wide256 {
			if f != nil {
				wideChosen[op] = f
			}
		}
		wideMoves = wideMoves256
		productChosen = inSquares(product256)
	}
}
