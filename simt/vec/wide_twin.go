package vec

import (
	"math"
	"math/bits"
	"unsafe"
)

// The twins of the operations on Wides, which define them.

// wideTwins are all of them.
var wideTwins = [wideOpCount]WideFunc{
	WideAdd:          wideMasked(wideAdd),
	WideSub:          wideMasked(wideSub),
	WideMul:          wideMasked(wideMul),
	WideMad:          wideMasked(wideMad),
	WideAnd:          wideMasked(wideAnd),
	WideOr:           wideMasked(wideOr),
	WideXor:          wideMasked(wideXor),
	WideShl:          wideMasked(wideShl),
	WideShr:          wideMasked(wideShr),
	WideSar:          wideMasked(wideSar),
	WideMinU:         wideMasked(wideMinU),
	WideMaxU:         wideMasked(wideMaxU),
	WideAdd32:        wideMasked(wideAdd32),
	WideSub32:        wideMasked(wideSub32),
	WideMul32:        wideMasked(wideMul32),
	WideMad32:        wideMasked(wideMad32),
	WideShl32:        wideMasked(wideShl32),
	WideShr32:        wideMasked(wideShr32),
	WideSar32:        wideMasked(wideSar32),
	WideMinI32:       wideMasked(wideMinI32),
	WideMaxI32:       wideMasked(wideMaxI32),
	WideMulHiU32:     wideMasked(wideMulHiU32),
	WideMulHiI32:     wideMasked(wideMulHiI32),
	WideMulU32:       wideMasked(wideMulU32),
	WideMulI32:       wideMasked(wideMulI32),
	WideMadU32:       wideMasked(wideMadU32),
	WideMadI32:       wideMasked(wideMadI32),
	WideSignExtend32: wideMasked(wideSignExtend32),
	WideSelect:       wideMasked(wideSelect),
	WideAddF32:       wideMasked(wideAddF32),
	WideSubF32:       wideMasked(wideSubF32),
	WideMulF32:       wideMasked(wideMulF32),
	WideDivF32:       wideMasked(wideDivF32),
	WideFmaF32:       wideMasked(wideFmaF32),
	WideSqrtF32:      wideMasked(wideSqrtF32),
	WideF32I:         wideMasked(wideF32I),
	WideF32U:         wideMasked(wideF32U),
	WideMinF32:       wideByRow(MinF32, &twins),
	WideMaxF32:       wideByRow(MaxF32, &twins),
	WideTruncF32:     wideByRow(TruncF32, &twins),
	WideFloorF32:     wideByRow(FloorF32, &twins),
	WideCeilF32:      wideByRow(CeilF32, &twins),
	WideRintF32:      wideByRow(RintF32, &twins),
	WideIF32:         wideByRow(IF32, &twins),
	WideUF32:         wideByRow(UF32, &twins),
	WideFlushF32:     wideMasked(wideFlushF32),
	WideF32F16:       wideByRow(F32F16, &twins),
	WideF16F32:       wideByRow(F16F32, &twins),
	WideAddF16:       wideByRow(AddF16, &twins),
	WideMulF16:       wideByRow(MulF16, &twins),
	WideFmaF16:       wideByRow(FmaF16, &twins),
	WidePkAddF16:     wideByRow(PkAddF16, &twins),
	WidePkMulF16:     wideByRow(PkMulF16, &twins),
	WidePkFmaF16:     wideByRow(PkFmaF16, &twins),
	WideOneNaNF16:    wideMasked(wideOneNaNF16),
	WideAddF64:       wideMasked(wideAddF64),
	WideSubF64:       wideMasked(wideSubF64),
	WideMulF64:       wideMasked(wideMulF64),
	WideDivF64:       wideMasked(wideDivF64),
	WideFmaF64:       wideMasked(wideFmaF64),
	WideEqU:          wideEqU,
	WideLtU:          wideLtU,
	WideLtI64:        wideLtI64,
	WideLtI32:        wideLtI32,
	WideEqF32:        wideEqF32,
	WideNeF32:        wideNeF32,
	WideLtF32:        wideLtF32,
	WideLeF32:        wideLeF32,
	WideOrdF32:       wideOrdF32,
	WideEqF64:        wideEqF64,
	WideNeF64:        wideNeF64,
	WideLtF64:        wideLtF64,
	WideLeF64:        wideLeF64,
	WideOrdF64:       wideOrdF64,
}

// wideByRow makes an operation of one on rows: a Wide is a row with zeros at the odd places.
func wideByRow(op Op, by *[opCount]Func) WideFunc {
	return func(x *WideArgs) {
		r := &x.row
		r.D, r.A = (*Row)(unsafe.Pointer(x.D)), (*Row)(unsafe.Pointer(x.A))
		r.B, r.C = (*Row)(unsafe.Pointer(x.B)), (*Row)(unsafe.Pointer(x.C))
		r.Mask = twice(x.Mask)
		by[op](r)
	}
}

// twice is a mask with each bit doubled.
func twice(lanes uint32) uint64 {
	x := uint64(lanes)
	x = (x | x<<16) & 0x0000ffff0000ffff
	x = (x | x<<8) & 0x00ff00ff00ff00ff
	x = (x | x<<4) & 0x0f0f0f0f0f0f0f0f
	x = (x | x<<2) & 0x3333333333333333
	x = (x | x<<1) & 0x5555555555555555
	return x | x<<1
}

// wideMasked confines a loop over all lanes to those of the mask.
func wideMasked(f WideFunc) WideFunc {
	return func(x *WideArgs) {
		if x.Mask == 1<<32-1 {
			f(x)
			return
		}
		d := x.D
		x.D = &x.spare
		f(x)
		for m := x.Mask; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m) & 31
			d[l] = x.spare[l]
		}
		x.D = d
	}
}

func wideF32(v uint64) float32 { return math.Float32frombits(uint32(v)) }
func wideF64(v uint64) float64 { return math.Float64frombits(v) }

// fusedF32 is a*b + c, rounded once. A sum in double precision, rounded, is it unless it lies half way
// between two numbers or the result has fewer bits than others.
func fusedF32(a, b, c float32) float32 {
	const minNormal = 0x1p-126
	s := float64(a)*float64(b) + float64(c)
	if math.Float64bits(s)&0x1fffffff == 0x10000000 || s != 0 && s < minNormal && s > -minNormal {
		return float32s(uint32(single.FMA(
			uint64(single1(a)), uint64(single1(b)), uint64(single1(c)), 0, plain)))
	}
	return float32(s)
}

// bit is 1 for true.
func bit(yes bool) uint32 {
	if yes {
		return 1
	}
	return 0
}

func wideSelect(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		v := b[l]
		if x.In>>l&1 != 0 {
			v = a[l]
		}
		d[l] = v
	}
}

func wideAdd(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = a[l] + b[l]
	}
}

func wideSub(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = a[l] - b[l]
	}
}

func wideMul(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = a[l] * b[l]
	}
}

func wideMad(x *WideArgs) {
	d, a, b, c := x.D, x.A, x.B, x.C
	for l := range d {
		d[l] = a[l]*b[l] + c[l]
	}
}

func wideAnd(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = a[l] & b[l]
	}
}

func wideOr(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = a[l] | b[l]
	}
}

func wideXor(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = a[l] ^ b[l]
	}
}

func wideShl(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = a[l] << uint32(b[l])
	}
}

func wideShr(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = a[l] >> uint32(b[l])
	}
}

func wideSar(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = uint64(int64(a[l]) >> uint32(b[l]))
	}
}

func wideMinU(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = min(a[l], b[l])
	}
}

func wideMaxU(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = max(a[l], b[l])
	}
}

func wideAdd32(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = uint64(uint32(a[l]) + uint32(b[l]))
	}
}

func wideSub32(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = uint64(uint32(a[l]) - uint32(b[l]))
	}
}

func wideMul32(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = uint64(uint32(a[l]) * uint32(b[l]))
	}
}

func wideMad32(x *WideArgs) {
	d, a, b, c := x.D, x.A, x.B, x.C
	for l := range d {
		d[l] = uint64(uint32(a[l])*uint32(b[l]) + uint32(c[l]))
	}
}

func wideShl32(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = uint64(uint32(a[l]) << uint32(b[l]))
	}
}

func wideShr32(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = uint64(uint32(a[l]) >> uint32(b[l]))
	}
}

func wideSar32(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = uint64(uint32(int32(a[l]) >> uint32(b[l])))
	}
}

func wideMinI32(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = uint64(uint32(min(int32(a[l]), int32(b[l]))))
	}
}

func wideMaxI32(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = uint64(uint32(max(int32(a[l]), int32(b[l]))))
	}
}

func wideMulHiU32(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = uint64(uint32(a[l])) * uint64(uint32(b[l])) >> 32
	}
}

func wideMulHiI32(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = uint64(int64(int32(a[l]))*int64(int32(b[l]))) >> 32
	}
}

func wideMulU32(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = uint64(uint32(a[l])) * uint64(uint32(b[l]))
	}
}

func wideMulI32(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = uint64(int64(int32(a[l])) * int64(int32(b[l])))
	}
}

func wideMadU32(x *WideArgs) {
	d, a, b, c := x.D, x.A, x.B, x.C
	for l := range d {
		d[l] = uint64(uint32(a[l]))*uint64(uint32(b[l])) + c[l]
	}
}

func wideMadI32(x *WideArgs) {
	d, a, b, c := x.D, x.A, x.B, x.C
	for l := range d {
		d[l] = uint64(int64(int32(a[l]))*int64(int32(b[l]))) + c[l]
	}
}

func wideSignExtend32(x *WideArgs) {
	d, a := x.D, x.A
	for l := range d {
		d[l] = uint64(int64(int32(a[l])))
	}
}

func wideAddF32(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		v := wideF32(a[l]) + wideF32(b[l])
		d[l] = uint64(single1(v))
		if v != v {
			d[l] = x.NaN
		}
	}
}

func wideSubF32(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		v := wideF32(a[l]) - wideF32(b[l])
		d[l] = uint64(single1(v))
		if v != v {
			d[l] = x.NaN
		}
	}
}

func wideMulF32(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		v := wideF32(a[l]) * wideF32(b[l])
		d[l] = uint64(single1(v))
		if v != v {
			d[l] = x.NaN
		}
	}
}

func wideDivF32(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		v := wideF32(a[l]) / wideF32(b[l])
		d[l] = uint64(single1(v))
		if v != v {
			d[l] = x.NaN
		}
	}
}

func wideFmaF32(x *WideArgs) {
	d, a, b, c := x.D, x.A, x.B, x.C
	for l := range d {
		v := fusedF32(wideF32(a[l]), wideF32(b[l]), wideF32(c[l]))
		d[l] = uint64(single1(v))
		if v != v {
			d[l] = x.NaN
		}
	}
}

func wideSqrtF32(x *WideArgs) {
	d, a := x.D, x.A
	for l := range d {
		v := float32(math.Sqrt(float64(wideF32(a[l]))))
		d[l] = uint64(single1(v))
		if v != v {
			d[l] = x.NaN
		}
	}
}

func wideF32I(x *WideArgs) {
	d, a := x.D, x.A
	for l := range d {
		d[l] = uint64(single1(float32(int32(a[l]))))
	}
}

func wideF32U(x *WideArgs) {
	d, a := x.D, x.A
	for l := range d {
		d[l] = uint64(single1(float32(uint32(a[l]))))
	}
}

func wideAddF64(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		v := wideF64(a[l]) + wideF64(b[l])
		d[l] = math.Float64bits(v)
		if v != v {
			d[l] = x.NaN
		}
	}
}

func wideSubF64(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		v := wideF64(a[l]) - wideF64(b[l])
		d[l] = math.Float64bits(v)
		if v != v {
			d[l] = x.NaN
		}
	}
}

func wideMulF64(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		v := wideF64(a[l]) * wideF64(b[l])
		d[l] = math.Float64bits(v)
		if v != v {
			d[l] = x.NaN
		}
	}
}

func wideDivF64(x *WideArgs) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		v := wideF64(a[l]) / wideF64(b[l])
		d[l] = math.Float64bits(v)
		if v != v {
			d[l] = x.NaN
		}
	}
}

func wideFmaF64(x *WideArgs) {
	d, a, b, c := x.D, x.A, x.B, x.C
	for l := range d {
		v := math.FMA(wideF64(a[l]), wideF64(b[l]), wideF64(c[l]))
		d[l] = math.Float64bits(v)
		if v != v {
			d[l] = x.NaN
		}
	}
}

func wideEqU(x *WideArgs) {
	a, b, out := x.A, x.B, uint32(0)
	for l := range a {
		out |= bit(a[l] == b[l]) << l
	}
	x.Out = out & x.Mask
}

func wideLtU(x *WideArgs) {
	a, b, out := x.A, x.B, uint32(0)
	for l := range a {
		out |= bit(a[l] < b[l]) << l
	}
	x.Out = out & x.Mask
}

func wideLtI64(x *WideArgs) {
	a, b, out := x.A, x.B, uint32(0)
	for l := range a {
		out |= bit(int64(a[l]) < int64(b[l])) << l
	}
	x.Out = out & x.Mask
}

func wideLtI32(x *WideArgs) {
	a, b, out := x.A, x.B, uint32(0)
	for l := range a {
		out |= bit(int32(a[l]) < int32(b[l])) << l
	}
	x.Out = out & x.Mask
}

func wideEqF32(x *WideArgs) {
	a, b, out := x.A, x.B, uint32(0)
	for l := range a {
		out |= bit(wideF32(a[l]) == wideF32(b[l])) << l
	}
	x.Out = out & x.Mask
}

func wideNeF32(x *WideArgs) {
	a, b, out := x.A, x.B, uint32(0)
	for l := range a {
		out |= bit(wideF32(a[l]) < wideF32(b[l]) || wideF32(a[l]) > wideF32(b[l])) << l
	}
	x.Out = out & x.Mask
}

func wideLtF32(x *WideArgs) {
	a, b, out := x.A, x.B, uint32(0)
	for l := range a {
		out |= bit(wideF32(a[l]) < wideF32(b[l])) << l
	}
	x.Out = out & x.Mask
}

func wideLeF32(x *WideArgs) {
	a, b, out := x.A, x.B, uint32(0)
	for l := range a {
		out |= bit(wideF32(a[l]) <= wideF32(b[l])) << l
	}
	x.Out = out & x.Mask
}

func wideOrdF32(x *WideArgs) {
	a, b, out := x.A, x.B, uint32(0)
	for l := range a {
		out |= bit(wideF32(a[l]) == wideF32(a[l]) && wideF32(b[l]) == wideF32(b[l])) << l
	}
	x.Out = out & x.Mask
}

func wideEqF64(x *WideArgs) {
	a, b, out := x.A, x.B, uint32(0)
	for l := range a {
		out |= bit(wideF64(a[l]) == wideF64(b[l])) << l
	}
	x.Out = out & x.Mask
}

func wideNeF64(x *WideArgs) {
	a, b, out := x.A, x.B, uint32(0)
	for l := range a {
		out |= bit(wideF64(a[l]) < wideF64(b[l]) || wideF64(a[l]) > wideF64(b[l])) << l
	}
	x.Out = out & x.Mask
}

func wideLtF64(x *WideArgs) {
	a, b, out := x.A, x.B, uint32(0)
	for l := range a {
		out |= bit(wideF64(a[l]) < wideF64(b[l])) << l
	}
	x.Out = out & x.Mask
}

func wideLeF64(x *WideArgs) {
	a, b, out := x.A, x.B, uint32(0)
	for l := range a {
		out |= bit(wideF64(a[l]) <= wideF64(b[l])) << l
	}
	x.Out = out & x.Mask
}

func wideOrdF64(x *WideArgs) {
	a, b, out := x.A, x.B, uint32(0)
	for l := range a {
		out |= bit(wideF64(a[l]) == wideF64(a[l]) && wideF64(b[l]) == wideF64(b[l])) << l
	}
	x.Out = out & x.Mask
}

func wideFlushF32(x *WideArgs) {
	d, a := x.D, x.A
	for l, v := range a {
		if v&0x7f800000 == 0 {
			v &= 1 << 31
		}
		d[l] = v & (1<<32 - 1)
	}
}

func wideOneNaNF16(x *WideArgs) {
	d, a := x.D, x.A
	for l, v := range a {
		if v&0x7fff > 0x7c00 {
			v = v&^0xffff | 0x7fff
		}
		if v>>16&0x7fff > 0x7c00 {
			v = v&0xffff | 0x7fff<<16
		}
		d[l] = v & (1<<32 - 1)
	}
}
