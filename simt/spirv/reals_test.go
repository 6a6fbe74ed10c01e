package spirv

import (
	"bufio"
	"encoding/binary"
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"simtgdb/simt/libm"
	"simtgdb/testdata/built"
)

// A real is a function of OpenCL.std with its number and how many units in the last place OpenCL allows it to
// be off, of singles and of doubles (OpenCL C 3.0, 7.4).
type real struct {
	number uint32
	ulps   float64
}

var reals = map[string]real{
	"acos": {0, 4}, "acosh": {1, 4}, "acospi": {2, 5}, "asin": {3, 4}, "asinh": {4, 4}, "asinpi": {5, 5},
	"atan": {6, 5}, "atan2": {7, 6}, "atanh": {8, 5}, "atanpi": {9, 5}, "atan2pi": {10, 6}, "cbrt": {11, 2},
	"cos": {14, 4}, "cosh": {15, 4}, "cospi": {16, 4}, "erfc": {17, 16}, "erf": {18, 16}, "exp": {19, 3},
	"exp2": {20, 3}, "exp10": {21, 3}, "expm1": {22, 3}, "hypot": {32, 4}, "lgamma": {35, 4}, "log": {37, 3},
	"log2": {38, 3}, "log10": {39, 3}, "log1p": {40, 2}, "pow": {48, 16}, "pown": {49, 16}, "powr": {50, 16},
	"rootn": {54, 16}, "rsqrt": {56, 2}, "sin": {57, 4}, "sinh": {59, 4}, "sinpi": {60, 4}, "sqrt": {61, 0.5},
	"tan": {62, 5}, "tanh": {63, 5}, "tanpi": {64, 6}, "tgamma": {65, 16},
}

// apply is the function of operands in bits of a width.
func (r real) apply(width uint, v []uint64) uint64 {
	s, c := openclFuncs()[r.number], floatControl{width: width}
	switch {
	case r.number == 49:
		return c.out(libm.Pow(c.in(v[0]), c.in(v[1])))
	case r.number == 54:
		return c.out(rootn(c.in(v[0]), c.in(v[1])))
	case s.f2 != nil:
		return wrap2(s.of2(width), c)(v[0], v[1])
	}
	return wrap1(s.of1(width), c)(v[0])
}

// ordered counts floats up from -infinity.
func ordered(v uint64, width uint) int64 {
	sign := uint64(1) << (width - 1)
	if v&sign != 0 {
		return -int64(v &^ sign)
	}
	return int64(v)
}

func floatWords(t *testing.T, s string) (vs []uint64) {
	for _, w := range strings.Split(s, ",") {
		v, err := strconv.ParseUint(w, 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		vs = append(vs, v)
	}
	return vs
}

// TestOpenCLReals compares with what mpmath has computed with 300 bits, over the whole range of arguments.
func TestOpenCLReals(t *testing.T) {
	file := "testdata/opencl.txt"
	if f := os.Getenv("SIMTGDB_OPENCL_REALS"); f != "" {
		file = f // another seed, and more of them
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	worst, seen := map[string]float64{}, map[string]int{}
	s := bufio.NewScanner(strings.NewReader(string(text)))
	for s.Scan() {
		w := strings.Fields(s.Text())
		name, width := w[0], uint(64)
		if w[1] == "32" {
			width = 32
		}
		r := reals[name]
		args, want := floatWords(t, w[2]), floatWords(t, w[3])[0]
		rest, _ := strconv.ParseFloat(w[4], 64)
		got := r.apply(width, args)
		off := math.Abs(float64(ordered(got, width)-ordered(want, width)) - rest)
		seen[name]++
		worst[name+w[1]] = max(worst[name+w[1]], off)
		if off > max(r.ulps, 0.5) || toFloat(got, width) != toFloat(got, width) {
			t.Errorf("%s: %#x is off by %.4g", s.Text(), got, off)
		}
	}
	for name := range reals {
		t.Logf("%-8s %.3f %.3f", name, worst[name+"32"], worst[name+"64"])
		if seen[name] < 40 && name != "powr" {
			t.Errorf("%s has %d cases", name, seen[name])
		}
	}
}

// TestOpenCLRealsUpToDate: where mpmath is, the committed results are its.
func TestOpenCLRealsUpToDate(t *testing.T) {
	made := built.Of(t, "OpenCL's reals", nil, "testdata/opencl.*")
	if made.Known() {
		return
	}
	if err := exec.Command("python3", "-c", "import mpmath").Run(); err != nil {
		t.Skip("no mpmath")
	}
	want, err := exec.Command("python3", "testdata/opencl.py").Output()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile("testdata/opencl.txt"); err != nil || string(got) != string(want) {
		t.Errorf("testdata/opencl.txt is not what opencl.py writes: %v", err)
	}
	made.Keep()
}

// TestOpenCLSpecial has the results that are exact (OpenCL C 3.0, 7.5; C11, annex F), in each width.
func TestOpenCLSpecial(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	cases := []struct {
		number     uint32
		x, y, want float64
	}{
		{24, inf, inf, 0}, {24, -inf, -inf, 0}, {24, inf, 1, inf}, {24, 1, inf, 0}, {24, nan, 1, nan},
		{24, 3, 1, 2},
		{50, -1, 2, nan}, {50, -inf, 2, nan}, {50, 0, 0, nan}, {50, zero, 0, nan}, {50, inf, 0, nan},
		{50, nan, 0, nan},
		{50, 0, nan, nan}, {50, 2, 0, 1}, {50, 0, -2, inf}, {50, zero, -3, inf}, {50, 0, -inf, inf},
		{50, zero, 3, 0},
		{50, 1, 7, 1}, {50, 1, inf, nan}, {50, 2, nan, nan}, {50, nan, 2, nan}, {50, 2, inf, inf},
		{50, inf, -1, 0},
		{75, -1, 2, nan}, {89, 0, 0, nan}, {48, nan, 0, 1}, {48, 1, nan, 1}, {48, -1, inf, 1},
		{48, zero, -1, -inf},
		{35, -inf, 0, inf}, {35, inf, 0, inf}, {35, -3, 0, inf}, {35, 0, 0, inf}, {35, 1, 0, 0},
		{65, zero, 0, -inf},
		{65, -2, 0, nan}, {65, -inf, 0, nan}, {7, -1e-40, -1, -math.Pi}, {7, 0, zero, math.Pi},
		{7, zero, -1, -math.Pi},
		{7, inf, -inf, 3 * math.Pi / 4}, {10, zero, -1, -1}, {10, inf, inf, 0.25}, {10, -1e-40, -1e30, -1},
		{54, 0, -3, inf}, {54, zero, -3, -inf}, {54, zero, -2, inf}, {54, zero, 2, 0}, {54, zero, 3, zero},
		{54, -8, 3, -2}, {54, -8, 2, nan}, {54, 8, 0, nan}, {54, -inf, 3, -inf}, {54, inf, -2, 0},
		{54, 9, 2, 3},
		{54, -2, -1, -0.5}, {49, nan, 0, 1}, {49, zero, -3, -inf}, {49, zero, -2, inf}, {49, zero, 2, 0},
		{49, zero, 3, zero}, {49, -2, 3, -8}, {64, 0.5, 0, inf}, {64, 1.5, 0, -inf}, {64, -0.5, 0, -inf},
		{64, 1, 0, zero},
		{64, -1, 0, 0}, {64, 2, 0, 0}, {64, -2, 0, zero}, {64, zero, 0, zero}, {60, 3, 0, 0},
		{60, -2, 0, zero},
		{16, 2.5, 0, 0}, {32, inf, nan, inf}, {0, 1, 0, 0}, {0, 2, 0, nan}, {1, 1, 0, 0}, {1, 0.5, 0, nan},
		{8, 1, 0, inf}, {8, zero, 0, zero}, {15, -inf, 0, inf}, {22, -inf, 0, -1}, {22, zero, 0, zero},
		{40, -1, 0, -inf},
		{41, 0, 0, -inf}, {41, -inf, 0, inf}, {57, inf, 0, nan}, {57, zero, 0, zero}, {63, -inf, 0, -1},
		{51, 5, 3, -1}, {51, 1, inf, 1}, {51, 1, 0, nan}, {29, zero, 2, zero}, {29, -5, 3, -2},
		{19, -inf, 0, 0},
		{37, zero, 0, -inf}, {56, zero, 0, -inf}, {56, -1, 0, nan}, {11, -27, 0, -3}, {17, -inf, 0, 2},
		{55, -2.5, 0, -3},
	}
	for _, c := range cases {
		for _, width := range []uint{16, 32, 64} {
			if width == 16 && math.Abs(c.x) == 1e-40 {
				continue
			}
			got := real{number: c.number}.apply(width, []uint64{fromFloat(c.x, width), fromFloat(c.y, width)})
			if want := fromFloat(c.want, width); got != want &&
				(toFloat(got, width) == toFloat(got, width) || c.want == c.want) {
				t.Errorf("function %d of %v, %v in %d bits is %v, want %v", c.number, c.x, c.y, width,
					toFloat(got, width), c.want)
			}
		}
	}
}

// TestRemquo compares with whole numbers.
func TestRemquo(t *testing.T) {
	for x := -300; x <= 300; x++ {
		for _, y := range []int{1, -1, 2, 3, -7, 16, 1000} {
			n := math.RoundToEven(float64(x) / float64(y))
			r, q := remquo(float64(x), float64(y), 64)
			if r != float64(x)-n*float64(y) || q != math.Mod(n, 128) {
				t.Errorf("remquo(%d, %d) is %v, %v; the quotient is %v", x, y, r, q, n)
			}
		}
	}
}

// TestOpenCLRemquo runs remquo of scalars, in some work-items, and of vectors.
func TestOpenCLRemquo(t *testing.T) {
	forEach(t, "cl_remquo", func(t *testing.T, words []uint32, track bool) {
		xs, ys := make([]float32, 32), make([]float64, 32)
		for i := range xs {
			xs[i], ys[i] = float32(i*i)-100.25, float64(i%7)-2.5
		}
		l := launch{block: [3]uint32{32, 1, 1}, track: track, args: make([]byte, 40),
			pointer: map[uint64]Slot{}, buffers: map[Slot][]byte{{0, 0, 0}: floatBytes(xs...)}}
		var doubles []uint64
		for _, y := range ys {
			doubles = append(doubles, math.Float64bits(y))
		}
		l.buffers[Slot{0, 1, 0}] = bytes64(doubles)
		for k := range uint32(3) {
			l.buffers[Slot{0, k + 2, 0}] = make([]byte, 256)
		}
		for k := range uint32(5) {
			l.pointer[uint64(8*k)] = Slot{0, k, 0}
		}
		r := l.run(t, words)
		ended(t, r)
		for i, x := range xs {
			check := func(what string, got, want float64) {
				if got != want {
					t.Errorf("remquo(%v, %v), %s is %v, want %v", x, ys[i], what, got, want)
				}
			}
			quotient := func(x, y float64) float64 { return math.Mod(math.RoundToEven(x/y), 128) }
			q := r.words(Slot{0, 3, 0})
			check("in some", float64(r.floats(Slot{0, 2, 0})[i]),
				pickFloat(i%3 != 1, math.Remainder(float64(x), ys[i])))
			check("its quotient", float64(int32(q[2*i+1])), pickFloat(i%3 != 1, quotient(float64(x), ys[i])))
			check("of vectors", math.Float64frombits(
				binary.LittleEndian.Uint64(r.regions[Slot{0, 4, 0}].Data[8*i:])),
				math.Remainder(ys[i], float64(x)))
			check("their quotient", float64(int32(q[2*i])), quotient(ys[i], float64(x)))
		}
	})
}

func pickFloat(yes bool, x float64) float64 {
	if !yes {
		return 0
	}
	return x
}

// TestFaceForward: what is no number is not negative, so that the vector is turned round.
func TestFaceForward(t *testing.T) {
	for _, c := range []struct{ product, want float64 }{{-2, 1}, {2, -1}, {0, -1}, {math.NaN(), -1}} {
		if got := faceForward([][]float64{{1}, {c.product}, {1}})[0]; got != c.want {
			t.Errorf("a product of %v leaves %v of 1, want %v", c.product, got, c.want)
		}
	}
}
