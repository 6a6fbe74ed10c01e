package gcn

import (
	"math"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"simtgdb/simt/softfloat/floattest"
)

// The models of the vector rows, written from the pseudocode of the MI300 and
// Vega ISA documents: integers as they stand there, floats by exact arithmetic
// and roundBig.

// preservesHigh reports whether a row with a 16-bit result leaves the other
// half of its destination alone; the others clear it (Vega ISA, section
// "Packed math": those with OP_SEL, and v_mac, v_madak, v_madmk).
func preservesHigh(op *Op) bool {
	names := []string{"v_mac_f16", "v_madak_f16", "v_madmk_f16", "v_mad_mixlo_f16", "v_mad_mixhi_f16",
		"v_fma_mixlo_f16",
		"v_fma_mixhi_f16", "v_min3_f16", "v_min3_i16", "v_min3_u16", "v_max3_f16", "v_max3_i16", "v_max3_u16",
		"v_med3_f16",
		"v_med3_i16", "v_med3_u16", "v_mad_f16", "v_mad_u16", "v_mad_i16", "v_fma_f16", "v_div_fixup_f16",
		"v_add_i16",
		"v_sub_i16", "v_cvt_pk_fp8_f32", "v_cvt_pk_bf8_f32", "v_bitop3_b16", "v_ashr_pk_i8_i32",
		"v_ashr_pk_u8_i32"}
	return slices.Contains(names, op.Name)
}

// approximate are the rows that may be off by a unit in the last place.
var approximate = regexp.MustCompile(`^v_(rcp|rcp_iflag|rsq|sqrt|exp|log|exp_legacy|log_legacy|sin|cos|tanh)_`)

// agree reports whether a result is the one wanted, or near enough.
func agree(op *Op, got, want uint64) bool {
	if got == want || !approximate.MatchString(op.Name) {
		return got == want
	}
	f, _ := formatOf(op.dst)
	if strings.HasPrefix(op.Name, "v_sin") || strings.HasPrefix(op.Name, "v_cos") {
		return math.Abs(valueOf(f, got)-valueOf(f, want)) <= math.Ldexp(1, -int(f.Mant))
	}
	return f.Abs(got) <= f.Inf() && f.Abs(want) <= f.Inf() && got^want < f.Sign() &&
		(got-want == 1 || want-got == 1)
}

// valueOf is the value of a float from its fields.
func valueOf(f format, v uint64) float64 {
	exp, frac := int(v>>f.Mant)&(1<<(f.Width-f.Mant-1)-1), v&(1<<f.Mant-1)
	x := math.Ldexp(float64(frac), 1-f.Bias()-int(f.Mant))
	switch {
	case exp == 1<<(f.Width-f.Mant-1)-1 && frac != 0:
		return math.NaN()
	case exp == 1<<(f.Width-f.Mant-1)-1:
		x = math.Inf(1)
	case exp != 0:
		x = math.Ldexp(float64(frac|1<<f.Mant), exp-f.Bias()-int(f.Mant))
	}
	if v>>(f.Width-1) != 0 {
		return math.Copysign(x, -1)
	}
	return x
}

// encode rounds a real number; a NaN is the positive quiet one.
func encode(f format, x float64) uint64 {
	switch {
	case x != x:
		return f.NaN()
	case math.IsInf(x, 0):
		return f.Inf() | uint64(math.Float64bits(x)>>63)<<(f.Width-1)
	case x == 0:
		return uint64(math.Float64bits(x)>>63) << (f.Width - 1)
	}
	return floattest.Round(new(big.Float).SetPrec(5000).SetFloat64(x), f, roundNearest)
}

// quieted is the first NaN among values, quiet.
func quieted(f format, vs ...uint64) (uint64, bool) {
	for _, v := range vs {
		if f.Abs(v&f.All()) > f.Inf() {
			return v&f.All() | f.Quiet(), true
		}
	}
	return 0, false
}

// arithmetic is an exact operation on floats, rounded to nearest; double is
// the same in double precision, for what is not finite, and for signs of 0.
func arithmetic(f format, exact func(x []*big.Float) *big.Float, double func(x []float64) float64,
	vs ...uint64) uint64 {
	if nan, ok := quieted(f, vs...); ok {
		return nan
	}
	var reals []float64
	var bigs []*big.Float
	finite := true
	for _, v := range vs {
		x := valueOf(f, v&f.All())
		reals = append(reals, x)
		if math.IsInf(x, 0) {
			finite = false
		} else {
			bigs = append(bigs, new(big.Float).SetPrec(5000).SetFloat64(x))
		}
	}
	if !finite {
		return encode(f, double(reals))
	}
	if z := exact(bigs); z.Sign() != 0 {
		return floattest.Round(z, f, roundNearest)
	}
	return encode(f, double(reals))
}

func add2(f format, a, b uint64) uint64 {
	return arithmetic(f, func(x []*big.Float) *big.Float { return new(big.Float).Add(x[0], x[1]) },
		func(x []float64) float64 { return x[0] + x[1] }, a, b)
}

func sub2(f format, a, b uint64) uint64 {
	if nan, ok := quieted(f, a, b); ok {
		return nan
	}
	return add2(f, a, b^f.Sign())
}

func mul2(f format, a, b uint64) uint64 {
	return arithmetic(f, func(x []*big.Float) *big.Float { return new(big.Float).Mul(x[0], x[1]) },
		func(x []float64) float64 { return x[0] * x[1] }, a, b)
}

func fma3(f format, a, b, c uint64) uint64 {
	return arithmetic(f, func(x []*big.Float) *big.Float {
		return new(big.Float).Add(new(big.Float).Mul(x[0], x[1]), x[2])
	}, func(x []float64) float64 { return math.FMA(x[0], x[1], x[2]) }, a, b, c)
}

func flushed(f format, v uint64) uint64 {
	if v &= f.All(); v&f.Inf() == 0 {
		return v & f.Sign()
	}
	return v
}

// mad3 flushes denormals at each step.
func mad3(f format, a, b, c uint64) uint64 {
	p := flushed(f, mul2(f, flushed(f, a), flushed(f, b)))
	return flushed(f, add2(f, p, flushed(f, c)))
}

// legacy is a product for which 0 times anything is 0.
func legacy(f format, a, b uint64, mul func(f format, a, b uint64) uint64) uint64 {
	if valueOf(f, a&f.All()) == 0 || valueOf(f, b&f.All()) == 0 {
		return 0
	}
	return mul(f, a, b)
}

// extreme2 is v_min or v_max with IEEE_MODE set.
func extreme2(f format, a, b uint64, least bool) uint64 {
	a, b = a&f.All(), b&f.All()
	x, y := valueOf(f, a), valueOf(f, b)
	signaling := func(v uint64) bool { return f.Abs(v) > f.Inf() && v&f.Quiet() == 0 }
	switch {
	case signaling(a):
		return a | f.Quiet()
	case signaling(b):
		return b | f.Quiet()
	case x != x:
		return b
	case y != y:
		return a
	case x == 0 && y == 0 && math.Signbit(x) == least:
		return a
	case x == 0 && y == 0:
		return b
	case x < y == least:
		return a
	}
	return b
}

func minOf(f format, a, b uint64) uint64 { return extreme2(f, a, b, true) }
func maxOf(f format, a, b uint64) uint64 { return extreme2(f, a, b, false) }

// median3 is v_med3: the largest of the three left out, the larger of the others.
func median3(f format, a, b, c uint64) uint64 {
	if _, nan := quieted(f, a, b, c); nan {
		return minOf(f, minOf(f, a, b), c)
	}
	switch most := maxOf(f, maxOf(f, a, b), c); {
	case valueOf(f, most) == valueOf(f, a&f.All()):
		return maxOf(f, b, c)
	case valueOf(f, most) == valueOf(f, b&f.All()):
		return maxOf(f, a, c)
	}
	return maxOf(f, a, b)
}

// toInteger converts towards zero, to the nearest bound out of range, 0 for a NaN.
func toInteger(x float64, lo, hi int64) uint64 {
	switch {
	case x != x:
		return 0
	case x < float64(lo):
		return uint64(lo)
	case x > float64(hi):
		return uint64(hi)
	}
	return uint64(int64(x))
}

// converted is a float of another format; NaNs keep what they can of their payload.
func converted(from, to format, v uint64) uint64 {
	v &= from.All()
	if from.Abs(v) > from.Inf() {
		frac := v & from.Frac()
		if to.Mant > from.Mant {
			frac <<= to.Mant - from.Mant
		} else {
			frac >>= from.Mant - to.Mant
		}
		return v>>(from.Width-1)<<(to.Width-1) | to.Inf() | to.Quiet() | frac
	}
	return encode(to, valueOf(from, v))
}

// real is a function of a real number, rounded.
func real(f format, fn func(float64) float64) model {
	return func(x *operands) uint64 {
		if nan, ok := quieted(f, x.a); ok {
			return nan
		}
		return encode(f, fn(valueOf(f, x.a&f.All())))
	}
}

// coarse is real for the functions of 32 bits that know no denormals.
func coarse(fn func(float64) float64) model {
	return func(x *operands) uint64 {
		y := *x
		y.a = flushed(single, x.a)
		return flushed(single, real(single, fn)(&y))
	}
}

func fraction(f format) model {
	return func(x *operands) uint64 {
		if nan, ok := quieted(f, x.a); ok {
			return nan
		}
		v := valueOf(f, x.a&f.All())
		if math.IsInf(v, 0) {
			return f.NaN()
		}
		return min(encode(f, v-math.Floor(v)), f.One()-1)
	}
}

func exponentOf(f format) model {
	return func(x *operands) uint64 {
		v := valueOf(f, x.a&f.All())
		if v != v || math.IsInf(v, 0) {
			return 0
		}
		_, e := math.Frexp(v)
		return uint64(e)
	}
}

func mantissaOf(f format) model {
	return real(f, func(v float64) float64 {
		if math.IsInf(v, 0) {
			return v
		}
		m, _ := math.Frexp(v)
		return m
	})
}

func scaled(f format, bits uint) model {
	return func(x *operands) uint64 {
		if nan, ok := quieted(f, x.a); ok {
			return nan
		}
		n := int(int64(x.b<<(64-bits)) >> (64 - bits))
		v := valueOf(f, x.a&f.All())
		if v == 0 || math.IsInf(v, 0) {
			return x.a & f.All()
		}
		z := new(big.Float).SetPrec(5000).SetFloat64(v)
		return floattest.Round(z.SetMantExp(z, max(min(n, 9000), -9000)), f, roundNearest)
	}
}

func sine(quarter float64) func(float64) float64 {
	return func(x float64) float64 {
		if math.IsInf(x, 0) {
			return math.NaN()
		}
		if math.Abs(x) > 256 {
			return quarter
		}
		_, turn := math.Modf(x)
		if quarter != 0 {
			return math.Cos(2 * math.Pi * turn)
		}
		return math.Sin(2 * math.Pi * turn)
	}
}

// fixup is v_div_fixup; limit is how far apart the exponents may be.
func fixup(f format, limit int) model {
	return func(x *operands) uint64 {
		a, b, c := x.a&f.All(), x.b&f.All(), x.c&f.All()
		if nan, ok := quieted(f, c, b); ok {
			return nan
		}
		sign := (b ^ c) & f.Sign()
		den, num := math.Abs(valueOf(f, b)), math.Abs(valueOf(f, c))
		exp := func(v uint64) int { return int(v >> f.Mant & (1<<(f.Width-f.Mant-1) - 1)) }
		switch {
		case den == 0 && num == 0, math.IsInf(den, 0) && math.IsInf(num, 0):
			return f.Sign() | f.NaN()
		case den == 0, math.IsInf(num, 0):
			return sign | f.Inf()
		case math.IsInf(den, 0), num == 0:
			return sign
		case limit != 0 && exp(c)-exp(b) < -limit:
			return sign
		case valueOf(f, a) != valueOf(f, a): // overflow on the way
			return sign | f.Inf()
		}
		return sign | a&^f.Sign()
	}
}

func halves(f func(a, b, c uint64) uint64) model {
	return func(x *operands) uint64 {
		return f(x.a&0xffff, x.b&0xffff, x.c&0xffff)&0xffff |
			f(x.a>>16&0xffff, x.b>>16&0xffff, x.c>>16&0xffff)&0xffff<<16
	}
}

func words(f func(a, b, c uint64) uint64) model {
	return func(x *operands) uint64 {
		const low = 1<<32 - 1
		return f(x.a&low, x.b&low, x.c&low)&low | f(x.a>>32, x.b>>32, x.c>>32)<<32
	}
}

// fields sums products of fields of some bits.
func fields(n uint, signed bool) model {
	return func(x *operands) uint64 {
		sum := x.c
		for i := uint(0); i < 32; i += n {
			p, q := x.a>>i&(1<<n-1), x.b>>i&(1<<n-1)
			if signed && p>>(n-1) != 0 {
				p -= 1 << n
			}
			if signed && q>>(n-1) != 0 {
				q -= 1 << n
			}
			sum += p * q
		}
		return sum
	}
}

func dotHalves(x *operands) uint64 {
	sum := math.Float32frombits(uint32(x.c))
	v := uint64(math.Float32bits(sum))
	for i := 0; i < 32; i += 16 {
		p, q := converted(half16, single, x.a>>i&0xffff), converted(half16, single, x.b>>i&0xffff)
		v = fma3(single, p, q, v)
	}
	return v
}

func absDiff(a, b uint64) uint64 {
	if a > b {
		return a - b
	}
	return b - a
}

// sums is v_sad_u8 or v_msad_u8 without its addend.
func sums(a, b uint64, masked bool) uint64 {
	n := uint64(0)
	for i := 0; i < 32; i += 8 {
		if p, q := a>>i&0xff, b>>i&0xff; q != 0 || !masked {
			n += absDiff(p, q)
		}
	}
	return n
}

func quadSums(masked bool) model {
	return func(x *operands) uint64 {
		var r uint64
		for i := 0; i < 4; i++ {
			r |= (sums(x.a>>(8*i), x.b, masked) + x.c>>(16*i)) & 0xffff << (16 * i)
		}
		return r
	}
}

func low32(v uint64) uint64 { return v & 0xffff_ffff }
func sx(v uint64, n uint) int64 {
	return int64(v<<(64-n)) >> (64 - n)
}

func norm(f format, v uint64, scale, lo float64) uint64 {
	x := valueOf(f, v&f.All())
	if x != x {
		return 0
	}
	return uint64(int64(math.RoundToEven(max(lo, min(1, x))*scale))) & 0xffff
}

// clampInt is a number within bounds.
func clampInt(v, lo, hi int64) uint64 { return uint64(max(lo, min(hi, v))) }

func search(v uint64, from, step int, stop func(bit int) bool) uint64 {
	for i, n := from, 0; i >= 0 && i < 32; i, n = i+step, n+1 {
		if stop(i) {
			return uint64(n)
		}
	}
	return math.MaxUint32
}

// comparison is what VOPC's names mean.
func comparison(cond string, less, equal, greater bool) bool {
	unordered := !less && !equal && !greater
	switch cond {
	case "lt":
		return less
	case "eq":
		return equal
	case "le":
		return less || equal
	case "gt":
		return greater
	case "lg", "ne":
		return less || greater
	case "ge":
		return greater || equal
	case "o":
		return !unordered
	case "u":
		return unordered
	case "nge":
		return !(greater || equal)
	case "nlg":
		return !(less || greater)
	case "ngt":
		return !greater
	case "nle":
		return !(less || equal)
	case "neq":
		return !equal
	case "nlt":
		return !less
	case "t", "tru":
		return true
	}
	return false
}

var comparisonName = regexp.MustCompile(`^v_cmpx?_([a-z]+)_([fiu])(16|32|64)$`)

func comparisonModel(name string) model {
	parts := comparisonName.FindStringSubmatch(name)
	cond, kind, n := parts[1], parts[2], map[string]uint{"16": 16, "32": 32, "64": 64}[parts[3]]
	f := map[uint]format{16: half16, 32: single, 64: double}[n]
	return func(x *operands) uint64 {
		var less, equal, greater bool
		switch {
		case cond == "class":
			x.out = x.b>>classOf(f, x.a)&1 != 0
			return 0
		case kind == "f":
			a, b := valueOf(f, x.a&f.All()), valueOf(f, x.b&f.All())
			less, equal, greater = a < b, a == b, a > b
		case kind == "i":
			a, b := sx(x.a, n), sx(x.b, n)
			less, equal, greater = a < b, a == b, a > b
		default:
			a, b := x.a<<(64-n), x.b<<(64-n)
			less, equal, greater = a < b, a == b, a > b
		}
		x.out = comparison(cond, less, equal, greater)
		return 0
	}
}

// classOf is the bit of v_cmp_class that tests for what v is.
func classOf(f format, v uint64) int {
	v &= f.All()
	negative := v>>(f.Width-1) != 0
	x := math.Abs(valueOf(f, v))
	pick := func(neg, pos int) int {
		if negative {
			return neg
		}
		return pos
	}
	switch {
	case x != x && v&f.Quiet() == 0:
		return 0
	case x != x:
		return 1
	case math.IsInf(x, 0):
		return pick(2, 9)
	case x == 0:
		return pick(5, 6)
	case x < math.Ldexp(1, 1-f.Bias()):
		return pick(4, 7)
	}
	return pick(3, 8)
}

// modelOf finds the model of a row, or nil.
func modelOf(op *Op) model {
	if op.Enc == VOPC {
		return comparisonModel(op.Name)
	}
	name := strings.TrimPrefix(op.Name, "v_")
	if m := rowModels[name]; m != nil {
		return m
	}
	if m := float8Model(name, op.on == GFX950 || op.on.IsLater()); m != nil {
		return m
	}
	// The rest is a name of an operation and that of a format.
	if i := strings.LastIndexByte(name, '_'); i > 0 {
		if f, ok := map[string]format{"f16": half16, "f32": single, "f64": double}[name[i+1:]]; ok {
			if m := floatModels[name[:i]]; m != nil {
				return m(f)
			}
		}
	}
	return nil
}

// otherVectorRows have tests of their own.
var otherVectorRows = []string{"v_div_scale_f32", "v_div_scale_f64", "v_div_fmas_f32", "v_div_fmas_f64",
	"v_trig_preop_f64",
	"v_accvgpr_mov_b32", "v_accvgpr_read_b32", "v_accvgpr_write_b32", "v_cvt_sr_fp8_f32", "v_cvt_sr_bf8_f32",
	"v_cvt_sr_f16_f32", "v_cvt_sr_bf16_f32", "v_permlane_idx_gen_b32"}

func two(fn func(f format, a, b uint64) uint64) func(format) model {
	return func(f format) model { return func(x *operands) uint64 { return fn(f, x.a, x.b) } }
}

func three(fn func(f format, a, b, c uint64) uint64) func(format) model {
	return func(f format) model { return func(x *operands) uint64 { return fn(f, x.a, x.b, x.c) } }
}

func one(fn func(float64) float64) func(format) model {
	return func(f format) model { return real(f, fn) }
}

// floatModels are those that several formats have.
var floatModels = map[string]func(f format) model{
	"add": two(add2), "sub": two(sub2), "mul": two(mul2), "min": two(minOf), "max": two(maxOf),
	"subrev": two(func(f format, a, b uint64) uint64 {
		if nan, ok := quieted(f, b, a); ok {
			return nan
		}
		return sub2(f, b, a)
	}),
	"fma": three(fma3), "fmac": three(fma3), "fma_legacy": three(fma3), "fmaak": three(fma3),
	"fmamk": three(fma3),
	"mad":   three(mad3), "mac": three(mad3), "mad_legacy": three(mad3), "madak": three(mad3),
	"madmk":   three(mad3),
	"mad_mix": three(mad3), "fma_mix": three(fma3),
	"min3":  three(func(f format, a, b, c uint64) uint64 { return minOf(f, minOf(f, a, b), c) }),
	"max3":  three(func(f format, a, b, c uint64) uint64 { return maxOf(f, maxOf(f, a, b), c) }),
	"med3":  three(median3),
	"trunc": one(math.Trunc), "ceil": one(math.Ceil), "floor": one(math.Floor),
	"rndne": one(math.RoundToEven), "fract": fraction, "frexp_mant": mantissaOf,
	"rcp": one(func(x float64) float64 {
		return 1 / x
	}), "sqrt": one(math.Sqrt), "exp": one(math.Exp2), "log": one(math.Log2),
	"rsq": one(func(x float64) float64 { return math.Copysign(1/math.Sqrt(x), x) }),
	"sin": one(sine(0)), "cos": one(sine(1)),
	"div_fixup": func(f format) model {
		return fixup(f, map[format]int{single: 150, double: 1075}[f])
	},
	"div_fixup_legacy": func(f format) model { return fixup(f, 0) },
}

// carried adds or subtracts with a carry.
func carried(a, b func(x *operands) uint64, subtract, withIn bool) model {
	return func(x *operands) uint64 {
		p, q, c := low32(a(x)), low32(b(x)), uint64(0)
		if withIn && x.in {
			c = 1
		}
		if subtract {
			x.out = p < q+c
			return p - q - c
		}
		x.out = p+q+c > math.MaxUint32
		return p + q + c
	}
}

func opA(x *operands) uint64 { return x.a }
func opB(x *operands) uint64 { return x.b }

func bytePick(x *operands) uint64 {
	data := x.a<<32 | low32(x.b)
	var r uint64
	for i := 0; i < 4; i++ {
		sel, v := x.c>>(8*i)&0xff, uint64(0)
		switch {
		case sel >= 13:
			v = 0xff
		case sel == 12:
		case sel >= 8:
			if data>>(16*(sel-8)+15)&1 != 0 {
				v = 0xff
			}
		default:
			v = data >> (8 * sel) & 0xff
		}
		r |= v << (8 * i)
	}
	return r
}
