package gen

import (
	"math"
	"math/bits"

	"simtgdb/simt/vec"
)

// A rowOpSet are the functions of an operation by the type it computes in.
type rowOpSet struct {
	dword, qword         rowOp // integers
	unsigned, unsigned64 rowOp // the same where source 0 has no sign, if that matters
	float, double        rowOp
	flags                rowFlag
}

type rowFlag uint8

const (
	exactRow rowFlag = 1 << iota // the sources' signs must be the same
	plainRow                     // integers with modifiers are not what it computes
	bitsRow                      // elements may have any size
)

// rowOps has the operations that go by rows, by opcode.
var rowOps = [128]*rowOpSet{
	0x04: {dword: rowNot, qword: rowNot, flags: bitsRow},
	0x05: {dword: rowAnd, qword: rowAnd, flags: bitsRow},
	0x06: {dword: rowOr, qword: rowOr, flags: bitsRow},
	0x07: {dword: rowXor, qword: rowXor, flags: bitsRow},
	0x08: {dword: shr32, qword: shr64},
	0x09: {dword: shl32, qword: shl64},
	0x0c: {dword: asr32, qword: asr64, unsigned: shr32, unsigned64: shr64, flags: plainRow},
	0x40: {dword: add32, qword: add64, float: addF, double: addDF},
	0x41: {dword: mul32, qword: mul64, float: mulF, double: mulDF},
	0x42: {dword: avg32, unsigned: avgU32, flags: plainRow | exactRow},
	0x43: {float: frcF},
	0x44: {float: eachF(math.Ceil)},
	0x45: {float: eachF(math.Floor)},
	0x46: {float: eachF(math.RoundToEven)},
	0x47: {float: eachF(math.Trunc)},
	0x49: {dword: mach32, unsigned: machU32, flags: plainRow | exactRow},
	0x4a: {dword: lzd32},
	0x4c: {dword: fbl32},
	0x53: {dword: mul32, flags: plainRow},
	0x5b: {dword: mad32, float: madF, double: madDF},
}

// rowSubs are the functions of add whose second source is subtracted.
var rowSubs = rowOpSet{dword: sub32, qword: sub64, float: subF, double: subDF}

func rowMov(d, a, _, _ *row, n int) { copy(d[:n], a[:n]) }

// Bits do not depend on the size of elements.

func rowNot(d, a, _, _ *row, n int) {
	n = min(n, len(d))
	k := 0
	for ; k+8 <= n; k += 8 {
		le.PutUint64(d[k:k+8], ^le.Uint64(a[k:k+8]))
	}
	for ; k+2 <= n; k += 2 {
		le.PutUint16(d[k:k+2], ^le.Uint16(a[k:k+2]))
	}
}

func rowAnd(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	k := 0
	for ; k+8 <= n; k += 8 {
		le.PutUint64(d[k:k+8], le.Uint64(a[k:k+8])&le.Uint64(b[k:k+8]))
	}
	for ; k+2 <= n; k += 2 {
		le.PutUint16(d[k:k+2], le.Uint16(a[k:k+2])&le.Uint16(b[k:k+2]))
	}
}

func rowOr(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	k := 0
	for ; k+8 <= n; k += 8 {
		le.PutUint64(d[k:k+8], le.Uint64(a[k:k+8])|le.Uint64(b[k:k+8]))
	}
	for ; k+2 <= n; k += 2 {
		le.PutUint16(d[k:k+2], le.Uint16(a[k:k+2])|le.Uint16(b[k:k+2]))
	}
}

func rowXor(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	k := 0
	for ; k+8 <= n; k += 8 {
		le.PutUint64(d[k:k+8], le.Uint64(a[k:k+8])^le.Uint64(b[k:k+8]))
	}
	for ; k+2 <= n; k += 2 {
		le.PutUint16(d[k:k+2], le.Uint16(a[k:k+2])^le.Uint16(b[k:k+2]))
	}
}

func shr32(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+4 <= n; k += 4 {
		le.PutUint32(d[k:k+4], le.Uint32(a[k:k+4])>>(le.Uint32(b[k:k+4])&31))
	}
}

func shr64(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+8 <= n; k += 8 {
		le.PutUint64(d[k:k+8], le.Uint64(a[k:k+8])>>(b[k]&63))
	}
}

func shl32(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+4 <= n; k += 4 {
		le.PutUint32(d[k:k+4], le.Uint32(a[k:k+4])<<(le.Uint32(b[k:k+4])&31))
	}
}

func shl64(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+8 <= n; k += 8 {
		le.PutUint64(d[k:k+8], le.Uint64(a[k:k+8])<<(b[k]&63))
	}
}

func asr32(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+4 <= n; k += 4 {
		le.PutUint32(d[k:k+4], uint32(int32(le.Uint32(a[k:k+4]))>>(le.Uint32(b[k:k+4])&31)))
	}
}

func asr64(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+8 <= n; k += 8 {
		le.PutUint64(d[k:k+8], uint64(int64(le.Uint64(a[k:k+8]))>>(b[k]&63)))
	}
}

func add32(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+4 <= n; k += 4 {
		le.PutUint32(d[k:k+4], le.Uint32(a[k:k+4])+le.Uint32(b[k:k+4]))
	}
}

func add64(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+8 <= n; k += 8 {
		le.PutUint64(d[k:k+8], le.Uint64(a[k:k+8])+le.Uint64(b[k:k+8]))
	}
}

func sub32(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+4 <= n; k += 4 {
		le.PutUint32(d[k:k+4], le.Uint32(a[k:k+4])-le.Uint32(b[k:k+4]))
	}
}

func sub64(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+8 <= n; k += 8 {
		le.PutUint64(d[k:k+8], le.Uint64(a[k:k+8])-le.Uint64(b[k:k+8]))
	}
}

func mul32(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+4 <= n; k += 4 {
		le.PutUint32(d[k:k+4], le.Uint32(a[k:k+4])*le.Uint32(b[k:k+4]))
	}
}

func mul64(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+8 <= n; k += 8 {
		le.PutUint64(d[k:k+8], le.Uint64(a[k:k+8])*le.Uint64(b[k:k+8]))
	}
}

func mad32(d, a, b, c *row, n int) {
	n = min(n, len(d))
	for k := 0; k+4 <= n; k += 4 {
		le.PutUint32(d[k:k+4], le.Uint32(a[k:k+4])+le.Uint32(b[k:k+4])*le.Uint32(c[k:k+4]))
	}
}

func mach32(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+4 <= n; k += 4 {
		x, y := int64(int32(le.Uint32(a[k:k+4]))), int64(int32(le.Uint32(b[k:k+4])))
		le.PutUint32(d[k:k+4], uint32(x*y>>32))
	}
}

func machU32(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+4 <= n; k += 4 {
		le.PutUint32(d[k:k+4], uint32(uint64(le.Uint32(a[k:k+4]))*uint64(le.Uint32(b[k:k+4]))>>32))
	}
}

func avg32(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+4 <= n; k += 4 {
		x, y := int64(int32(le.Uint32(a[k:k+4]))), int64(int32(le.Uint32(b[k:k+4])))
		le.PutUint32(d[k:k+4], uint32((x+y+1)>>1))
	}
}

func avgU32(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+4 <= n; k += 4 {
		x, y := uint64(le.Uint32(a[k:k+4])), uint64(le.Uint32(b[k:k+4]))
		le.PutUint32(d[k:k+4], uint32((x+y+1)>>1))
	}
}

func lzd32(d, a, _, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+4 <= n; k += 4 {
		le.PutUint32(d[k:k+4], uint32(bits.LeadingZeros32(le.Uint32(a[k:k+4]))))
	}
}

func fbl32(d, a, _, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+4 <= n; k += 4 {
		v := le.Uint32(a[k : k+4])
		at := uint32(bits.TrailingZeros32(v))
		if v == 0 {
			at = math.MaxUint32
		}
		le.PutUint32(d[k:k+4], at)
	}
}

// f32 is the number at the start of p.
func f32(p []byte) float32 { return math.Float32frombits(le.Uint32(p)) }

func f64(p []byte) float64 { return math.Float64frombits(le.Uint64(p)) }

func addF(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+4 <= n; k += 4 {
		le.PutUint32(d[k:k+4], math.Float32bits(f32(a[k:k+4])+f32(b[k:k+4])))
	}
}

func addDF(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+8 <= n; k += 8 {
		le.PutUint64(d[k:k+8], math.Float64bits(f64(a[k:k+8])+f64(b[k:k+8])))
	}
}

func subF(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+4 <= n; k += 4 {
		le.PutUint32(d[k:k+4], math.Float32bits(f32(a[k:k+4])-f32(b[k:k+4])))
	}
}

func subDF(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+8 <= n; k += 8 {
		le.PutUint64(d[k:k+8], math.Float64bits(f64(a[k:k+8])-f64(b[k:k+8])))
	}
}

func mulF(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+4 <= n; k += 4 {
		le.PutUint32(d[k:k+4], math.Float32bits(f32(a[k:k+4])*f32(b[k:k+4])))
	}
}

func mulDF(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+8 <= n; k += 8 {
		le.PutUint64(d[k:k+8], math.Float64bits(f64(a[k:k+8])*f64(b[k:k+8])))
	}
}

// madF is a + b*c, rounded once. The sum in double precision, of an exact
// product, rounds to the same number unless it may lie in the middle between
// two, or what it lacks matters to a denormal.
func madF(d, a, b, c *row, n int) {
	const rest = 1<<29 - 1 // what single precision has not
	n = min(n, len(d))
	for k := 0; k+4 <= n; k += 4 {
		x, p := float64(f32(a[k:k+4])), float64(f32(b[k:k+4]))*float64(f32(c[k:k+4]))
		s := x + p
		if math.Float64bits(s)&rest == 1<<28 || math.Abs(s) < minFloat {
			s = oddSum(p, x)
		}
		le.PutUint32(d[k:k+4], math.Float32bits(float32(s)))
	}
}

func madDF(d, a, b, c *row, n int) {
	n = min(n, len(d))
	for k := 0; k+8 <= n; k += 8 {
		le.PutUint64(d[k:k+8], math.Float64bits(math.FMA(f64(b[k:k+8]), f64(c[k:k+8]), f64(a[k:k+8]))))
	}
}

func frcF(d, a, _, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+4 <= n; k += 4 {
		v := float64(f32(a[k : k+4]))
		le.PutUint32(d[k:k+4], math.Float32bits(float32(v-math.Floor(v))))
	}
}

// eachF makes a rowOp of a function of a number.
func eachF(f func(v float64) float64) rowOp {
	return func(d, a, _, _ *row, n int) {
		n = min(n, len(d))
		for k := 0; k+4 <= n; k += 4 {
			le.PutUint32(d[k:k+4], math.Float32bits(float32(f(float64(f32(a[k:k+4]))))))
		}
	}
}

// mathRows are the functions of math in single precision.
var mathRows = func() (rows [16]rowOp) {
	for i, f := range mathOps {
		if f == nil {
			continue
		}
		rows[i] = func(d, a, b, _ *row, n int) {
			n = min(n, len(d))
			for k := 0; k+4 <= n; k += 4 {
				v := f(float64(f32(a[k:k+4])), float64(f32(b[k:k+4])))
				le.PutUint32(d[k:k+4], math.Float32bits(float32(v)))
			}
		}
	}
	return rows
}()

// mathIntRows are the functions of math on integers. All ones is what division
// by zero gives.
var mathIntRows = [16]*rowOpSet{
	11: {dword: quotients, unsigned: quotientsU, flags: plainRow | exactRow},
	12: {dword: quotients, unsigned: quotientsU, flags: plainRow | exactRow},
	13: {dword: remainders, unsigned: remaindersU, flags: plainRow | exactRow},
}

func quotients(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+4 <= n; k += 4 {
		q, _ := divide(int64(int32(le.Uint32(a[k:k+4]))), int64(int32(le.Uint32(b[k:k+4]))))
		le.PutUint32(d[k:k+4], uint32(q))
	}
}

func quotientsU(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+4 <= n; k += 4 {
		q, _ := divide(int64(le.Uint32(a[k:k+4])), int64(le.Uint32(b[k:k+4])))
		le.PutUint32(d[k:k+4], uint32(q))
	}
}

func remainders(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+4 <= n; k += 4 {
		_, r := divide(int64(int32(le.Uint32(a[k:k+4]))), int64(int32(le.Uint32(b[k:k+4]))))
		le.PutUint32(d[k:k+4], uint32(r))
	}
}

func remaindersU(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+4 <= n; k += 4 {
		_, r := divide(int64(le.Uint32(a[k:k+4])), int64(le.Uint32(b[k:k+4])))
		le.PutUint32(d[k:k+4], uint32(r))
	}
}

// minF and maxF are sel with the conditions l and ge: of a number and none,
// the number.

func minF(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+4 <= n; k += 4 {
		v, y := f32(a[k:k+4]), f32(b[k:k+4])
		if !(v < y || y != y) {
			v = y
		}
		le.PutUint32(d[k:k+4], math.Float32bits(v))
	}
}

func maxF(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+4 <= n; k += 4 {
		v, y := f32(a[k:k+4]), f32(b[k:k+4])
		if !(v >= y || y != y) {
			v = y
		}
		le.PutUint32(d[k:k+4], math.Float32bits(v))
	}
}

func minDF(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+8 <= n; k += 8 {
		v, y := f64(a[k:k+8]), f64(b[k:k+8])
		if !(v < y || y != y) {
			v = y
		}
		le.PutUint64(d[k:k+8], math.Float64bits(v))
	}
}

func maxDF(d, a, b, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+8 <= n; k += 8 {
		v, y := f64(a[k:k+8]), f64(b[k:k+8])
		if !(v >= y || y != y) {
			v = y
		}
		le.PutUint64(d[k:k+8], math.Float64bits(v))
	}
}

// A conversion of mov: of elements in a row, whose low bits are the result.
type conversion struct {
	op      rowOp
	elem    int
	control uint32
	fast    vec.Op // that does the same, if there is one
}

// conversions have destination and source.
var conversions = map[[2]Type]conversion{
	{F, D}:   {floatOfInt, 4, floatControl, vec.F32I},
	{F, UD}:  {floatOfUint, 4, floatControl, vec.F32U},
	{D, F}:   {intOfFloat, 4, 0, vec.IF32},
	{UD, F}:  {uintOfFloat, 4, 0, vec.UF32},
	{DF, D}:  {doubleOfInt, 8, doubleControl, vec.None},
	{DF, UD}: {doubleOfInt, 8, doubleControl, vec.None},
	{DF, Q}:  {doubleOfInt, 8, doubleControl, vec.None},
	{F, DF}:  {floatOfDouble, 8, doubleControl, vec.None},
	{DF, F}:  {doubleOfFloat, 8, doubleControl, vec.None},
}

func floatOfInt(d, a, _, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+4 <= n; k += 4 {
		le.PutUint32(d[k:k+4], math.Float32bits(float32(int32(le.Uint32(a[k:k+4])))))
	}
}

func floatOfUint(d, a, _, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+4 <= n; k += 4 {
		le.PutUint32(d[k:k+4], math.Float32bits(float32(le.Uint32(a[k:k+4]))))
	}
}

func intOfFloat(d, a, _, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+4 <= n; k += 4 {
		le.PutUint32(d[k:k+4], uint32(fromFloat(float64(f32(a[k:k+4])), D, nearest)))
	}
}

func uintOfFloat(d, a, _, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+4 <= n; k += 4 {
		le.PutUint32(d[k:k+4], uint32(fromFloat(float64(f32(a[k:k+4])), UD, nearest)))
	}
}

func doubleOfInt(d, a, _, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+8 <= n; k += 8 {
		le.PutUint64(d[k:k+8], math.Float64bits(float64(int64(le.Uint64(a[k:k+8])))))
	}
}

func floatOfDouble(d, a, _, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+8 <= n; k += 8 {
		le.PutUint32(d[k:k+4], math.Float32bits(float32(f64(a[k:k+8]))))
	}
}

func doubleOfFloat(d, a, _, _ *row, n int) {
	n = min(n, len(d))
	for k := 0; k+8 <= n; k += 8 {
		le.PutUint64(d[k:k+8], math.Float64bits(float64(f32(a[k:k+8]))))
	}
}
