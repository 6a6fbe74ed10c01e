package numeric

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"simtgdb/simt/ptx/numeric/numerictest"
)

// modifiers are the roundings that the model knows.
var modifiers = map[string]Rounding{"rn": Nearest, "rz": ToZero, "rm": Down, "rp": Up}

// inputs of a type, three at a time.
func inputs(typ string) [][3]uint64 {
	switch typ {
	case "f16":
		return numerictest.Floats(numerictest.Specials16, Mask(16))
	case "bf16":
		return numerictest.Floats(numerictest.SpecialsB, Mask(16))
	case "f32":
		return numerictest.Floats(numerictest.Specials32, Mask(32))
	case "f64":
		return numerictest.Floats(numerictest.Specials64, Mask(64))
	}
	return numerictest.Wholes()
}

// TestDoubles: arithmetic of doubles is rounded once, in each mode.
func TestDoubles(t *testing.T) {
	form := numerictest.Forms["f64"]
	for name, mode := range modifiers {
		for _, v := range inputs("f64") {
			a, b, c := F64(v[0]), F64(v[1]), F64(v[2])
			for op, x := range map[string][2]uint64{
				"add":  {Result64(Add64(a, b, mode)), form.Add(name, v[0], v[1])},
				"mul":  {Result64(Mul64(a, b, mode)), form.Mul(name, v[0], v[1])},
				"div":  {Result64(Div64(a, b, mode)), form.Div(name, v[0], v[1])},
				"fma":  {Result64(FMA64(a, b, c, mode)), form.FMA(name, v[0], v[1], v[2])},
				"sqrt": {Result64(Sqrt64(a, mode)), form.Sqrt(name, v[0])},
			} {
				if x[0] != x[1] {
					t.Errorf("%s.%s of %#x gives %#x, want %#x", op, name, v, x[0], x[1])
				}
			}
		}
	}
}

// TestShort: arithmetic of shorter formats by doubles that are rounded to odd is rounded once, too.
func TestShort(t *testing.T) {
	for typ, f := range map[string]*Format{"f16": Half, "bf16": BFloat, "f32": Single} {
		form := numerictest.Forms[typ]
		for name, mode := range modifiers {
			for _, v := range inputs(typ) {
				a, b, c := f.Value(v[0]), f.Value(v[1]), f.Value(v[2])
				for op, x := range map[string][2]uint64{
					"add":  {f.Round(Sum(a, b, mode), mode), form.Add(name, v[0], v[1])},
					"mul":  {f.Round(a*b, mode), form.Mul(name, v[0], v[1])},
					"fma":  {f.Round(Sum(a*b, c, mode), mode), form.FMA(name, v[0], v[1], v[2])},
					"div":  {f.Round(DivOdd(a, b), mode), form.Div(name, v[0], v[1])},
					"sqrt": {f.Round(SqrtOdd(a), mode), form.Sqrt(name, v[0])},
				} {
					if x[0] != x[1] {
						t.Errorf("%s.%s.%s of %#x gives %#x, want %#x", op, name, typ, v, x[0], x[1])
					}
				}
				if s, want := Round32(a, mode), Single.Round(a, mode); s != want {
					t.Errorf("%v as a single is %#x, want %#x", a, s, want)
				}
			}
		}
	}
}

// TestFormats: each number of a short format is itself, what is amid two goes to the even one or away from
// zero, and what is beyond the greatest is that, an infinity or no number.
func TestFormats(t *testing.T) {
	for name, f := range map[string]*Format{"f16": Half, "bf16": BFloat, "tf32": TF32, "e4m3": E4M3,
		"e5m2": E5M2} {
		greatest := f.limit() - 1
		for v := range greatest + 1 {
			x := f.Value(v)
			if got := f.Round(x, Nearest); got != v {
				t.Fatalf("%s: %#x is %v, which is %#x", name, v, x, got)
			}
			if got := f.Value(v | 1<<(f.width-1)); got != -x {
				t.Fatalf("%s: -%#x is %v, not %v", name, v, got, -x)
			}
			if v == greatest {
				continue
			}
			next := f.Value(v + 1)
			middle := x + (next-x)/2
			for _, c := range []struct {
				x    float64
				mode Rounding
				want uint64
			}{
				{middle, Nearest, v + v&1}, {middle, NearestAway, v + 1}, {-middle, NearestAway, v + 1},
				{middle, ToZero, v},
				{middle, Up, v + 1}, {-middle, Up, v}, {middle, Down, v}, {-middle, Down, v + 1},
				{math.Nextafter(middle, 0), NearestAway, v}, {math.Nextafter(middle, 0), Nearest, v},
				{math.Nextafter(middle, next), Nearest, v + 1},
			} {
				if got := f.Round(c.x, c.mode) & Mask(f.width-1); got != c.want {
					t.Fatalf("%s: %v rounds to %#x in mode %d, want %#x", name, c.x, got, c.mode, c.want)
				}
			}
		}
		for mode, want := range map[Rounding]uint64{Nearest: f.infinity, NearestAway: f.infinity,
			ToZero: greatest,
			Down:   greatest, Up: f.infinity} {
			if got := f.Round(math.MaxFloat64, mode); got != want {
				t.Errorf("%s: a great number is %#x in mode %d, want %#x", name, got, mode, want)
			}
		}
		if got := f.Round(-math.MaxFloat64, Down) & Mask(f.width-1); got != f.infinity {
			t.Errorf("%s: a great negative number is %#x", name, got)
		}
		if got := f.Round(math.NaN(), Nearest); got != f.nan || !math.IsNaN(f.Value(f.nan)) {
			t.Errorf("%s: a NaN is %#x, and that %v", name, got, f.Value(f.nan))
		}
		if got := f.Round(math.Inf(-1), Nearest); got != f.infinity|1<<(f.width-1) {
			t.Errorf("%s: minus infinity is %#x", name, got)
		}
		if x := f.Value(f.infinity); !f.noInfinities && !math.IsInf(x, 1) || f.noInfinities && x == x {
			t.Errorf("%s: infinity is %v", name, x)
		}
	}
}

// TestRoundHalf compares with the general way, near all halves and far from them.
func TestRoundHalf(t *testing.T) {
	for v := range uint64(1 << 16) {
		x := Half.Value(v)
		for _, x := range []float64{x, x * (1 + 0x1p-11), x * (1 + 0x1p-11 + 0x1p-40), x * (1 + 0x1p-12),
			x * 7, x * 0x1p30} {
			if got, want := RoundHalf(x), Half.Round(x, Nearest); got != want {
				t.Fatalf("%v is %#x, want %#x", x, got, want)
			}
		}
	}
	for v, x := range Half.Values() {
		if got := RoundHalf(float64(x)); got != uint64(v) && x == x {
			t.Fatalf("%#x is %v, which is %#x", v, x, got)
		}
	}
}

// TestConversions: between floats in each mode, from integers and to them, with what saturates.
func TestConversions(t *testing.T) {
	floats := []string{"f16", "bf16", "f32", "f64"}
	for name, mode := range modifiers {
		for _, to := range floats {
			form := numerictest.Forms[to]
			for _, from := range floats {
				convert := (&Conversion{From: from, To: to, Mode: mode}).Function()
				exact := Formats[to] == nil ||
					Formats[from] != nil && numerictest.Forms[from].Precision < form.Precision
				if exact && mode != Nearest {
					continue // has no rounding
				}
				for _, v := range inputs(from) {
					if got, want := convert(
						v[0],
					), numerictest.Convert(
						numerictest.Forms[from],
						form,
						name,
						v[0],
					); got != want {
						t.Errorf("cvt.%s.%s.%s of %#x gives %#x, want %#x", name, to, from, v[0], got, want)
					}
				}
			}
			for _, from := range []string{"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"} {
				convert := (&Conversion{From: from, To: to, Mode: mode}).Function()
				for _, v := range append(numerictest.Wholes(), nearlyAmid...) {
					x := exactly(from, v[0])
					if got, want := convert(
						v[0],
					), form.Round(
						new(big.Float).SetPrec(200).SetInt(x),
						name,
						false,
					); got != want {
						t.Errorf("cvt.%s.%s.%s of %v gives %#x, want %#x", name, to, from, x, got, want)
					}
				}
			}
		}
	}
}

// nearlyAmid are integers a little above the middle of two singles, which are two doubles.
var nearlyAmid = [][3]uint64{{1<<63 | 1<<39 | 1}, {1<<62 | 1<<38 | 1}, {1<<63 | 1<<39}}

// exactly is what the low bits of v mean in an integer's type.
func exactly(typ string, v uint64) *big.Int {
	if typ[0] == 's' {
		return big.NewInt(numerictest.SignExtend(v, Widths[typ]))
	}
	return new(big.Int).SetUint64(numerictest.Low(v, Widths[typ]))
}

// bitsOf are the low bits of an integer.
func bitsOf(x *big.Int) uint64 {
	if x.Sign() < 0 {
		return uint64(x.Int64())
	}
	return x.Uint64()
}

// within is an integer, or the end of a type's range that is nearest to it, in the type's bits.
func within(typ string, x *big.Int) uint64 {
	n := uint(Widths[typ])
	least, most := new(big.Int), new(big.Int).Lsh(big.NewInt(1), n)
	if typ[0] == 's' {
		most.Rsh(most, 1)
		least.Neg(most)
	}
	most.Sub(most, big.NewInt(1))
	switch {
	case x.Cmp(least) < 0:
		x = least
	case x.Cmp(most) > 0:
		x = most
	}
	return new(big.Int).And(x, new(big.Int).SetUint64(Mask(int(n)))).Uint64()
}

// TestWholeNumbers: floats become the integers that a modifier says, or the nearest of the type.
func TestWholeNumbers(t *testing.T) {
	modes := map[string]big.RoundingMode{
		"rni": big.ToNearestEven,
		"rzi": big.ToZero,
		"rmi": big.ToNegativeInf,
		"rpi": big.ToPositiveInf,
	}
	for _, from := range []string{"f16", "bf16", "f32", "f64"} {
		form := numerictest.Forms[from]
		for name, mode := range modes {
			for _, to := range []string{"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"} {
				convert := (&Conversion{From: from, To: to, Whole: Integral[name]}).Function()
				for _, v := range inputs(from) {
					x, nan, infinite, negative := form.Number(v[0])
					want := uint64(0)
					switch {
					case nan && Widths[to] == 64:
						want = 1 << 63
					case nan:
					case infinite && negative:
						want = within(to, new(big.Int).Lsh(big.NewInt(-1), 100))
					case infinite:
						want = within(to, new(big.Int).Lsh(big.NewInt(1), 100))
					default:
						want = within(to, whole(x, mode))
					}
					if got := convert(v[0]) & Mask(Widths[to]); got != want {
						t.Errorf("cvt.%s.%s.%s of %#x gives %#x, want %#x", name, to, from, v[0], got, want)
					}
				}
			}
		}
	}
	for _, to := range []string{"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"} {
		for _, from := range []string{"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"} {
			saturates := (&Conversion{From: from, To: to, Sat: true}).Function()
			wraps := (&Conversion{From: from, To: to}).Function()
			for _, v := range numerictest.Wholes() {
				x := exactly(from, v[0])
				if got, want := saturates(v[0])&Mask(Widths[to]), within(to, x); got != want {
					t.Errorf("cvt.sat.%s.%s of %v gives %#x, want %#x", to, from, x, got, want)
				}
				// In a wider register the sign goes on.
				if got, want := wraps(v[0]), bitsOf(exactly(to, bitsOf(x))); got != want {
					t.Errorf("cvt.%s.%s of %v gives %#x, want %#x", to, from, x, got, want)
				}
			}
		}
	}
	if (&Conversion{From: "f32", To: "s32"}).Function() != nil {
		t.Error("a conversion to an integer needs no rounding")
	}
}

// whole is a number as an integer.
func whole(x *big.Float, mode big.RoundingMode) *big.Int {
	n, _ := x.Int(nil) // to zero
	rest := new(big.Float).SetPrec(5000).Sub(x, new(big.Float).SetPrec(5000).SetInt(n))
	half, away := new(big.Float).Abs(rest).Cmp(big.NewFloat(0.5)), false
	switch mode {
	case big.ToNearestEven:
		away = half > 0 || half == 0 && n.Bit(0) == 1
	case big.ToNegativeInf:
		away = rest.Sign() < 0
	case big.ToPositiveInf:
		away = rest.Sign() > 0
	}
	if away {
		n.Add(n, big.NewInt(int64(x.Sign())))
	}
	return n
}

// TestModifiers: what the modifiers of cvt do to results, as the document says it.
func TestModifiers(t *testing.T) {
	for _, c := range []struct {
		v    Conversion
		x    uint64
		want uint64
	}{
		{Conversion{From: "f32", To: "f32", FTZ: true}, 0x80000001, 0x80000000},
		{Conversion{From: "f32", To: "f32", FTZ: true}, 0x00800000, 0x00800000},
		{Conversion{From: "f64", To: "f32", FTZ: true}, 0x37f0000000000000, 0},
		{Conversion{From: "f64", To: "f32"}, 0x37f0000000000000, 0x00200000},
		{Conversion{From: "f32", To: "f32", Sat: true}, 0x40000000, 0x3f800000},
		{Conversion{From: "f32", To: "f32", Sat: true}, 0xc0000000, 0},
		{Conversion{From: "f32", To: "f32", Sat: true}, 0x3f000000, 0x3f000000},
		{Conversion{From: "f32", To: "f32", Sat: true}, 0x7fc00000, 0},
		{Conversion{From: "f64", To: "f64", Sat: true}, 0x4000000000000000, 0x3ff0000000000000},
		{Conversion{From: "f64", To: "f64", Sat: true}, 0xc000000000000000, 0},
		{Conversion{From: "f32", To: "f32"}, 0xffc12345, NaN32},
		{Conversion{From: "f32", To: "f64"}, 0xffc12345, NaN64},
		{Conversion{From: "f32", To: "f32", Whole: Integral["rni"]}, 0x40200000, 0x40000000},
		{Conversion{From: "f32", To: "f16", ReLU: true}, 0xbf800000, 0},
		{Conversion{From: "f32", To: "f16", ReLU: true}, 0x3f800000, 0x3c00},
		{Conversion{From: "f32", To: "f16", ReLU: true}, 0x7fc00000, 0x7fff},
		{Conversion{From: "f32", To: "f16", SatFinite: true}, 0x7f800000, 0x7bff},
		{Conversion{From: "f32", To: "f16", SatFinite: true}, 0xff000000, 0xfbff},
		{Conversion{From: "f32", To: "f16", SatFinite: true}, 0x7fc00000, 0x7fff},
		{Conversion{From: "f32", To: "tf32", Mode: NearestAway}, 0x3f801000, 0x3f802000},
		{Conversion{From: "f32", To: "tf32", Mode: NearestAway}, 0x3f800fff, 0x3f800000},
	} {
		if got := c.v.Function()(c.x); got != c.want {
			t.Errorf("%s of %#x gives %#x, want %#x", fmt.Sprintf("%+v", c.v), c.x, got, c.want)
		}
	}
}

// TestBits: what is done with bits alone.
func TestBits(t *testing.T) {
	for _, v := range numerictest.Wholes() {
		a, b := big.NewInt(int64(v[0])), big.NewInt(int64(v[1]))
		if got, want := SMulHi64(
			v[0],
			v[1],
		), new(
			big.Int,
		).Rsh(new(big.Int).Mul(a, b), 64); int64(
			got,
		) != want.Int64() {
			t.Errorf("%v times %v has %#x above, want %v", a, b, got, want)
		}
		a.SetUint64(v[0])
		b.SetUint64(v[1])
		if got, want := MulHi64(
			v[0],
			v[1],
		), new(
			big.Int,
		).Rsh(new(big.Int).Mul(a, b), 64); got != want.Uint64() {
			t.Errorf("%v times %v has %#x above, want %v", a, b, got, want)
		}
		for _, n := range []int{1, 8, 24, 32, 63, 64} {
			if got, want := int64(SignExtend(v[0], n)), numerictest.SignExtend(v[0], n); got != want {
				t.Errorf("%d bits of %#x are %d, want %d", n, v[0], got, want)
			}
			if got, want := v[0]&Mask(n), numerictest.Low(v[0], n); got != want {
				t.Errorf("%d bits of %#x are %#x, want %#x", n, v[0], got, want)
			}
		}
	}
	nan := math.NaN()
	for _, c := range []struct {
		x, y  float64
		which int
		nan   bool
		want  float64
	}{
		{1, 2, 1, false, 2}, {1, 2, -1, false, 1}, {nan, 2, 1, false, 2}, {1, nan, -1, false, 1},
		{nan, 2, 1, true, nan},
		{1, nan, 1, true, nan}, {0, math.Copysign(0, -1), 1, false, 0},
		{0, math.Copysign(0, -1), -1, false, math.Copysign(0, -1)},
	} {
		if got := Extreme(c.x, c.y, c.which, c.nan); Result64(got) != Result64(c.want) {
			t.Errorf("of %v and %v (%d, %t) it is %v, want %v", c.x, c.y, c.which, c.nan, got, c.want)
		}
	}
	for v, want := range map[uint64]uint64{0x007fffff: 0, 0x807fffff: 0x80000000, 0x00800000: 0x00800000,
		0x3f800000: 0x3f800000} {
		if got := Flush(v); got != want {
			t.Errorf("%#x is flushed to %#x, want %#x", v, got, want)
		}
	}
	for typ, want := range map[string]bool{"f16x2": true, "f64": true, "s32": false, "b16": false,
		"tf32": false} {
		if IsFloat(typ) != want {
			t.Errorf("%s is a type of floats: %t", typ, !want)
		}
	}
	if !Finite(1, -2) || Finite(1, nan) || Finite(math.Inf(1)) {
		t.Error("what is finite is not told")
	}
}
