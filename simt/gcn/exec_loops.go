package gcn

import "simtgdb/simt/vec"

// The frequent vector instructions, which package vec has.

// apply runs an operation on all lanes.
func (x *lanes) apply(op vec.Op) {
	g := &x.args
	g.D, g.D1 = (*vec.Row)(x.d), (*vec.Row)(x.d1)
	g.A, g.A1, g.B, g.B1 = (*vec.Row)(x.a), (*vec.Row)(x.a1), (*vec.Row)(x.b), (*vec.Row)(x.b1)
	g.C, g.C1 = (*vec.Row)(x.c), (*vec.Row)(x.c1)
	g.Mask, g.In, g.Quiet = ^uint64(0), x.in, x.mode&ModeIEEE != 0
	op.Func()(g)
	x.out = g.Out
}

func movB32(x *lanes)     { x.apply(vec.Mov) }
func addU32(x *lanes)     { x.apply(vec.Add) }
func subU32(x *lanes)     { x.apply(vec.Sub) }
func andB32(x *lanes)     { x.apply(vec.And) }
func orB32(x *lanes)      { x.apply(vec.Or) }
func xorB32(x *lanes)     { x.apply(vec.Xor) }
func lshlrevB32(x *lanes) { x.apply(vec.ShlRev) }
func lshrrevB32(x *lanes) { x.apply(vec.ShrRev) }
func ashrrevI32(x *lanes) { x.apply(vec.SarRev) }
func mulLoU32(x *lanes)   { x.apply(vec.Mul) }
func mulHiU32(x *lanes)   { x.apply(vec.MulHiU) }
func add3U32(x *lanes)    { x.apply(vec.Add3) }
func lshlAddU32(x *lanes) { x.apply(vec.ShlAdd) }
func lshlAddU64(x *lanes) { x.apply(vec.ShlAdd64) }
func lshlrevB64(x *lanes) { x.apply(vec.ShlRev64) }
func lshrrevB64(x *lanes) { x.apply(vec.ShrRev64) }
func madU64U32(x *lanes)  { x.apply(vec.MadU64) }
func cndmaskB32(x *lanes) { x.apply(vec.Select) }
func bfeU32(x *lanes)     { x.apply(vec.BfeU) }
func andOrB32(x *lanes)   { x.apply(vec.AndOr) }
func or3B32(x *lanes)     { x.apply(vec.Or3) }
func lshlOrB32(x *lanes)  { x.apply(vec.ShlOr) }
func mulI24(x *lanes)     { x.apply(vec.MulI24) }
func mulU24(x *lanes)     { x.apply(vec.MulU24) }
func cvtI32F32(x *lanes)  { x.apply(vec.IF32) }
func cvtU32F32(x *lanes)  { x.apply(vec.UF32) }
func rcpF32(x *lanes)     { x.apply(vec.RcpF32) }

func movB64(x *lanes) {
	d, d1, a, a1 := x.d, x.d1, x.a, x.a1
	for l := range d {
		lo, hi := a[l], a1[l]
		d[l], d1[l] = lo, hi
	}
}

// addCoU32 and the like add or subtract the carries of lanes, or none.
func addCoU32(x *lanes) {
	x.in = 0
	x.apply(vec.AddCarry)
}

func subCoU32(x *lanes) {
	x.in = 0
	x.apply(vec.SubBorrow)
}

func addcCoU32(x *lanes) { x.apply(vec.AddCarry) }
func subbCoU32(x *lanes) { x.apply(vec.SubBorrow) }

// reversed exchanges the first two sources.
func reversed(f func(*lanes)) func(*lanes) {
	return func(x *lanes) {
		x.a, x.b = x.b, x.a
		f(x)
	}
}

// where runs an operation if MODE asks for what it does, else another function.
func where(plain func(mode uint32) bool, op vec.Op, other func(*lanes)) func(*lanes) {
	return func(x *lanes) {
		if plain(x.mode) {
			x.apply(op)
		} else {
			other(x)
		}
	}
}

// nearest32 reports whether MODE rounds floats of 32 bits to nearest even.
func nearest32(mode uint32) bool { return mode&ModeRound32 == roundNearest }

var (
	addF32 = where(plain32, vec.AddF32, float2(single, format.Add))
	subF32 = where(plain32, vec.SubF32, float2(single, format.Sub))
	mulF32 = where(plain32, vec.MulF32, float2(single, format.Mul))
	fmaF32 = where(plain32, vec.FmaF32, float3(single, format.FMAPlain))
	madF32 = where(nearest32, vec.MadF32, float3(single, format.Mad))
	minF32 = where(plain32, vec.MinF32, float2(single, format.Minimum))
	maxF32 = where(plain32, vec.MaxF32, float2(single, format.Maximum))

	addF64 = where(plain64, vec.AddF64, float2(double, format.Add))
	mulF64 = where(plain64, vec.MulF64, float2(double, format.Mul))
	fmaF64 = where(plain64, vec.FmaF64, float3(double, format.FMAPlain))

	addF16   = where(plain64, vec.AddF16, float2(half16, format.Add))
	subF16   = where(plain64, vec.SubF16, float2(half16, format.Sub))
	mulF16   = where(plain64, vec.MulF16, float2(half16, format.Mul))
	fmaF16   = where(plain64, vec.FmaF16, float3(half16, format.FMAPlain))
	pkAddF16 = where(plain64, vec.PkAddF16, packedFloat2(format.Add))
	pkMulF16 = where(plain64, vec.PkMulF16, packedFloat2(format.Mul))
	pkFmaF16 = where(plain64, vec.PkFmaF16, packedFloat3(format.FMAPlain))

	// Denormals of 32 bits are 0 as 16-bit floats either way, and no 16-bit float is one.
	cvtF16F32 = where(plain64, vec.F16F32, convert(single, half16))
	cvtF32F16 = where(plain64, vec.F32F16, convert(half16, single))
	cvtF64F32 = where(plain32, vec.F64F32, convert(single, double))
	cvtF32F64 = where(plain32, vec.F32F64, convert(double, single))

	cvtF32I32 = where(nearest32, vec.F32I, toFloat(single, signed))
	cvtF32U32 = where(nearest32, vec.F32U, toFloat(single, unsigned))
)
