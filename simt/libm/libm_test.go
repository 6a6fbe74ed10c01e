package libm

import (
	"bufio"
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"simtgdb/testdata/built"
)

// functions are those of numbers alone, by the names that testdata/reals.txt has for them.
var functions = map[string]func(v []float64) float64{
	"acos": one(Acos), "acosh": one(Acosh), "asin": one(Asin), "asinh": one(Asinh), "atan": one(Atan),
	"atanh": one(Atanh), "cbrt": one(Cbrt), "cos": one(Cos), "cosh": one(Cosh), "cospi": one(Cospi),
	"cyl_bessel_i0": one(I0), "cyl_bessel_i1": one(I1), "erf": one(Erf), "erfc": one(Erfc),
	"erfcinv": one(Erfcinv),
	"erfcx":   one(Erfcx), "erfinv": one(Erfinv), "exp": one(Exp), "exp10": one(Exp10), "exp2": one(Exp2),
	"expm1": one(Expm1), "j0": one(J0), "j1": one(J1), "lgamma": one(Lgamma), "log": one(Log),
	"log10": one(Log10),
	"log1p": one(Log1p), "log2": one(Log2), "normcdf": one(Normcdf), "normcdfinv": one(Normcdfinv),
	"rcbrt": one(Rcbrt), "rsqrt": one(Rsqrt), "sin": one(Sin), "sinh": one(Sinh), "sinpi": one(Sinpi),
	"tan":  one(Tan),
	"tanh": one(Tanh), "tgamma": one(Gamma), "y0": one(Y0), "y1": one(Y1),
	"atan2": two(Atan2), "hypot": two(Hypot), "rhypot": two(Rhypot), "pow": two(Pow),
	"norm3d":  func(v []float64) float64 { return Norm(v...) },
	"norm4d":  func(v []float64) float64 { return Norm(v...) },
	"rnorm3d": func(v []float64) float64 { return Rnorm(v...) },
	"rnorm4d": func(v []float64) float64 { return Rnorm(v...) },
	"powi":    func(v []float64) float64 { return Powi(v[0], integer(v[1])) },
	"jn":      func(v []float64) float64 { return Jn(integer(v[0]), v[1]) },
	"yn":      func(v []float64) float64 { return Yn(integer(v[0]), v[1]) },
}

// integer is the whole number whose bits a double has got.
func integer(x float64) int { return int(int32(math.Float64bits(x))) }

func one(f func(x float64) float64) func(v []float64) float64 {
	return func(v []float64) float64 { return f(v[0]) }
}

func two(f func(x, y float64) float64) func(v []float64) float64 {
	return func(v []float64) float64 { return f(v[0], v[1]) }
}

// cases reads lines of reals.txt and calls check with those of functions of doubles.
func cases(t *testing.T, text string, check func(name string, in []float64, want uint64)) {
	t.Helper()
	s := bufio.NewScanner(strings.NewReader(text))
	for s.Scan() {
		word := strings.Fields(s.Text())
		if len(word) != 3 {
			t.Fatalf("%q has %d words", s.Text(), len(word))
		}
		if functions[word[0]] == nil {
			continue
		}
		var in []float64
		for _, a := range strings.Split(word[1], ",") {
			in = append(in, math.Float64frombits(hex(t, a)))
		}
		check(word[0], in, hex(t, word[2]))
	}
}

func hex(t *testing.T, s string) uint64 {
	t.Helper()
	v, err := strconv.ParseUint(s, 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// hold compares with results that mpmath has computed with 500 bits: all are the nearest double.
func hold(t *testing.T, text string) (seen map[string]int) {
	t.Helper()
	seen = map[string]int{}
	cases(t, text, func(name string, in []float64, want uint64) {
		seen[name]++
		if got := math.Float64bits(functions[name](in)); got != want {
			t.Errorf("%s of %v is %x, want %x", name, in, got, want)
		}
	})
	return seen
}

func TestReals(t *testing.T) {
	text, err := os.ReadFile("testdata/reals.txt")
	if err != nil {
		t.Fatal(err)
	}
	seen := hold(t, string(text))
	for name := range functions {
		if seen[name] < 20 {
			t.Errorf("%s has %d cases", name, seen[name])
		}
	}
}

// Where mpmath is, the committed results are its.
func TestRealsUpToDate(t *testing.T) {
	made := built.Of(t, "reals", nil, "testdata/reals.*")
	if made.Known() {
		return
	}
	if err := exec.Command("python3", "-c", "import mpmath").Run(); err != nil {
		t.Skip("no mpmath")
	}
	if testing.Short() {
		t.Skip("mpmath takes some seconds")
	}
	want, err := exec.Command("python3", "testdata/reals.py").Output()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile("testdata/reals.txt"); err != nil || string(got) != string(want) {
		t.Errorf("testdata/reals.txt is not what reals.py writes: %v", err)
	}
	made.Keep()
}

// Infinities, zeros and what is no number give what Go's library gives where it has the function: the
// cases are C's.
func TestSpecial(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	edges := []float64{0, math.Copysign(0, -1), 1, -1, inf, -inf, nan, 0x1p-1074, -0x1p-1074, math.MaxFloat64,
		-math.MaxFloat64, 2, -2, 0.5, -0.5, 0x1p-300, -0x1p-300}
	gos := map[string]func(x float64) float64{
		"acos": math.Acos, "acosh": math.Acosh, "asin": math.Asin, "asinh": math.Asinh, "atan": math.Atan,
		"atanh": math.Atanh, "cbrt": math.Cbrt, "cosh": math.Cosh, "erf": math.Erf, "erfc": math.Erfc,
		"exp": math.Exp, "exp2": math.Exp2, "expm1": math.Expm1, "log": math.Log, "log10": math.Log10,
		"log1p": math.Log1p, "log2": math.Log2, "sinh": math.Sinh, "tanh": math.Tanh, "tgamma": math.Gamma,
		"erfinv": math.Erfinv, "j0": math.J0, "j1": math.J1, "y0": math.Y0, "y1": math.Y1,
	}
	for name, want := range gos {
		for _, x := range edges {
			if goIsOff(name, x) {
				continue
			}
			if got, w := functions[name]([]float64{x}), want(x); !near(got, w) {
				t.Errorf("%s(%g) = %g, want %g", name, x, got, w)
			}
		}
	}
	for name, want := range map[string]func(x, y float64) float64{"atan2": math.Atan2, "hypot": math.Hypot,
		"pow": math.Pow} {
		for _, x := range edges {
			for _, y := range edges {
				if name == "atan2" && y < 0 && goIsOff(name, x) {
					continue
				}
				if got, w := functions[name]([]float64{x, y}), want(x, y); !near(got, w) {
					t.Errorf("%s(%g, %g) = %g, want %g", name, x, y, got, w)
				}
			}
		}
	}
	for _, c := range []struct {
		name string
		x, y float64
	}{
		{"sin", inf, nan}, {"cos", -inf, nan}, {"tan", inf, nan}, {"sinpi", 3, 0},
		{"sinpi", -2, math.Copysign(0, -1)},
		{"cospi", 2.5, 0}, {"cospi", 1e300, 1}, {"sinpi", inf, nan}, {"rcbrt", 0, inf}, {"rsqrt", 0, inf},
		{"rsqrt", -1, nan}, {"rsqrt", inf, 0}, {"rcbrt", inf, 0}, {"erfcx", inf, 0}, {"erfcx", -inf, inf},
		{"erfcinv", 0, inf}, {"erfcinv", 2, -inf}, {"erfcinv", 1, 0}, {"erfcinv", 3, nan}, {"normcdf", -inf, 0},
		{"normcdf", inf, 1}, {"normcdfinv", 0, -inf}, {"normcdfinv", 1, inf}, {"normcdfinv", 0.5, 0},
		{"normcdfinv", -1, nan}, {"lgamma", 0, inf}, {"lgamma", -3, inf}, {"lgamma", -inf, inf}, {"lgamma", 1, 0},
		{"lgamma", 2, 0}, {"lgamma", inf, inf}, {"lgamma", 1e308, inf}, {"tgamma", -171.5, 0}, {"exp10", 22, 1e22},
		{"exp10", -inf, 0}, {"exp10", 400, inf}, {"cyl_bessel_i0", 0, 1}, {"cyl_bessel_i1", -inf, -inf},
		{"cyl_bessel_i0", 800, inf}, {"y0", -1, nan}, {"y1", 1e-320, -inf},
	} {
		if got := functions[c.name]([]float64{c.x}); !near(got, c.y) {
			t.Errorf("%s(%g) = %g, want %g", c.name, c.x, got, c.y)
		}
	}
	if Rnorm(0, 0, 0) != inf || Norm(nan, inf) != inf || !math.IsNaN(Norm(1, nan)) || Rnorm(inf) != 0 ||
		Norm(3e-320, 4e-320) != 5e-320 || Norm(3e300, 4e300) != 5e300 {
		t.Error("lengths of vectors with special numbers")
	}
	if Jn(3, 0) != 0 || Jn(0, 0) != 1 || Jn(-1, 2) != -Jn(1, 2) || Jn(3, -2) != -Jn(3, 2) ||
		Yn(-1, 2) != -Yn(1, 2) ||
		Yn(4, 0) != -inf || Yn(30, 1e-100) != -inf || Jn(2, inf) != 0 || Yn(3, inf) != 0 || Jn(500, 1) != 0 {
		t.Error("Bessel functions of special numbers")
	}
	if !math.IsNaN(Jn(1<<30, 1e9)) || !math.IsNaN(Yn(-1<<30, 1e9)) {
		t.Error("orders beyond the bound")
	}
}

// goIsOff reports whether Go's own function is far off at the number: logarithms of subnormal ones, the
// sign of J1, angles whose tangent is too small for a double.
func goIsOff(name string, x float64) bool {
	switch name {
	case "log", "log10", "y0":
		return x > 0 && x < 0x1p-1022
	case "j1":
		return x < 0 && x > -0x1p-100
	case "atan2":
		return x < 0 && x > -0x1p-100
	}
	return false
}

// near reports whether a result is as good as the same; Go's may be a little off.
func near(got, want float64) bool {
	if got != got || want != want {
		return got != got && want != want
	}
	if want == 0 || math.IsInf(want, 0) || math.IsInf(got, 0) {
		return got == want && math.Signbit(got) == math.Signbit(want) || math.Abs(got-want) < 1e-300
	}
	return math.Abs(got-want) <= 1e-13*math.Abs(want) || math.Abs(got-want) < 0x1p-1070
}

// Powers that lie midway between two doubles go to the even one.
func TestPowTies(t *testing.T) {
	for _, c := range []struct{ x, y, want float64 }{
		{0x1.0000002p0, 2, 0x1.0000004p0},                 // …4000000004, halfway
		{0x1.000000ap0, 2, 0x1.0000014000064p0},           // 54 bits
		{0x1.0000004000000p0 * 4, 1.5, 8 * 0x1.0000006p0}, // no tie: below
		{9, 1.5, 27}, {1.0 / 64, -2.0 / 3, 16}, {-2, 3, -8}, {-2, -1074, 0x1p-1074},
		{3, 40, 12157665459056928801},
		{2, 0.5, math.Sqrt2}, {10, -300, 1e-300}, {0.1, 300, 1.0000000000000166e-300},
	} {
		got, exact := Pow(c.x, c.y), math.Pow(c.x, c.y)
		if got != c.want && math.Abs(got-exact) > 1e-15*math.Abs(exact) {
			t.Errorf("%g to the %g is %x, want %x", c.x, c.y, got, c.want)
		}
	}
}

func BenchmarkFunctions(b *testing.B) {
	for _, name := range []string{"exp", "log", "sin", "pow", "atan", "erfc", "tgamma", "j0"} {
		f := functions[name]
		b.Run(name, func(b *testing.B) {
			v := []float64{1.375, 2.25}
			for b.Loop() {
				f(v)
			}
		})
	}
}
