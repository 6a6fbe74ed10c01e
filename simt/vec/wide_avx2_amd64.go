package vec

// The functions of wide_avx2_amd64.s.

//go:noescape
func wideAdd256(x *WideArgs)

//go:noescape
func wideSub256(x *WideArgs)

//go:noescape
func wideAnd256(x *WideArgs)

//go:noescape
func wideOr256(x *WideArgs)

//go:noescape
func wideXor256(x *WideArgs)

//go:noescape
func wideMulU32256(x *WideArgs)

//go:noescape
func wideMulI32256(x *WideArgs)

//go:noescape
func wideAdd32256(x *WideArgs)

//go:noescape
func wideSub32256(x *WideArgs)

//go:noescape
func wideMul32256(x *WideArgs)

//go:noescape
func wideShl32256(x *WideArgs)

//go:noescape
func wideShr32256(x *WideArgs)

//go:noescape
func wideSar32256(x *WideArgs)

//go:noescape
func wideMinI32256(x *WideArgs)

//go:noescape
func wideMaxI32256(x *WideArgs)

//go:noescape
func wideMul256(x *WideArgs)

//go:noescape
func wideMad256(x *WideArgs)

//go:noescape
func wideMadU32256(x *WideArgs)

//go:noescape
func wideMadI32256(x *WideArgs)

//go:noescape
func wideMad32256(x *WideArgs)

//go:noescape
func wideShl256(x *WideArgs)

//go:noescape
func wideShr256(x *WideArgs)

//go:noescape
func wideSignExtend32256(x *WideArgs)

//go:noescape
func wideAddF32256(x *WideArgs)

//go:noescape
func wideAddF64256(x *WideArgs)

//go:noescape
func wideSubF32256(x *WideArgs)

//go:noescape
func wideSubF64256(x *WideArgs)

//go:noescape
func wideMulF32256(x *WideArgs)

//go:noescape
func wideMulF64256(x *WideArgs)

//go:noescape
func wideDivF32256(x *WideArgs)

//go:noescape
func wideDivF64256(x *WideArgs)

//go:noescape
func wideFmaF32256(x *WideArgs)

//go:noescape
func wideFmaF64256(x *WideArgs)

//go:noescape
func wideSqrtF32256(x *WideArgs)

//go:noescape
func wideF32I256(x *WideArgs)

//go:noescape
func wideEqU256(x *WideArgs)

//go:noescape
func wideLtU256(x *WideArgs)

//go:noescape
func wideLtI64256(x *WideArgs)

//go:noescape
func wideLtI32256(x *WideArgs)

//go:noescape
func wideEqF32256(x *WideArgs)

//go:noescape
func wideEqF64256(x *WideArgs)

//go:noescape
func wideNeF32256(x *WideArgs)

//go:noescape
func wideNeF64256(x *WideArgs)

//go:noescape
func wideLtF32256(x *WideArgs)

//go:noescape
func wideLtF64256(x *WideArgs)

//go:noescape
func wideLeF32256(x *WideArgs)

//go:noescape
func wideLeF64256(x *WideArgs)

//go:noescape
func wideOrdF32256(x *WideArgs)

//go:noescape
func wideOrdF64256(x *WideArgs)

// wide256 has what profits most.
var wide256 = [wideOpCount]WideFunc{
	WideAdd:          wideMasked(wideAdd256),
	WideSub:          wideMasked(wideSub256),
	WideAnd:          wideMasked(wideAnd256),
	WideOr:           wideMasked(wideOr256),
	WideXor:          wideMasked(wideXor256),
	WideMulU32:       wideMasked(wideMulU32256),
	WideMulI32:       wideMasked(wideMulI32256),
	WideAdd32:        wideMasked(wideAdd32256),
	WideSub32:        wideMasked(wideSub32256),
	WideMul32:        wideMasked(wideMul32256),
	WideShl32:        wideMasked(wideShl32256),
	WideShr32:        wideMasked(wideShr32256),
	WideSar32:        wideMasked(wideSar32256),
	WideMinI32:       wideMasked(wideMinI32256),
	WideMaxI32:       wideMasked(wideMaxI32256),
	WideMul:          wideMasked(wideMul256),
	WideMad:          wideMasked(wideMad256),
	WideMadU32:       wideMasked(wideMadU32256),
	WideMadI32:       wideMasked(wideMadI32256),
	WideMad32:        wideMasked(wideMad32256),
	WideShl:          wideMasked(wideShl256),
	WideShr:          wideMasked(wideShr256),
	WideSignExtend32: wideMasked(wideSignExtend32256),
	WideAddF32:       wideMasked(wideAddF32256),
	WideMinF32:       wideByRow(MinF32, &chosen),
	WideMaxF32:       wideByRow(MaxF32, &chosen),
	WideTruncF32:     wideByRow(TruncF32, &chosen),
	WideFloorF32:     wideByRow(FloorF32, &chosen),
	WideCeilF32:      wideByRow(CeilF32, &chosen),
	WideRintF32:      wideByRow(RintF32, &chosen),
	WideIF32:         wideByRow(IF32, &chosen),
	WideUF32:         wideByRow(UF32, &chosen),
	WideAddF64:       wideMasked(wideAddF64256),
	WideSubF32:       wideMasked(wideSubF32256),
	WideSubF64:       wideMasked(wideSubF64256),
	WideMulF32:       wideMasked(wideMulF32256),
	WideMulF64:       wideMasked(wideMulF64256),
	WideDivF32:       wideMasked(wideDivF32256),
	WideDivF64:       wideMasked(wideDivF64256),
	WideFmaF32:       wideMasked(wideFmaF32256),
	WideFmaF64:       wideMasked(wideFmaF64256),
	WideSqrtF32:      wideMasked(wideSqrtF32256),
	WideF32I:         wideMasked(wideF32I256),
	WideEqU:          wideEqU256,
	WideLtU:          wideLtU256,
	WideLtI64:        wideLtI64256,
	WideLtI32:        wideLtI32256,
	WideEqF32:        wideEqF32256,
	WideEqF64:        wideEqF64256,
	WideNeF32:        wideNeF32256,
	WideNeF64:        wideNeF64256,
	WideLtF32:        wideLtF32256,
	WideLtF64:        wideLtF64256,
	WideLeF32:        wideLeF32256,
	WideLeF64:        wideLeF64256,
	WideOrdF32:       wideOrdF32256,
	WideOrdF64:       wideOrdF64256,
}
