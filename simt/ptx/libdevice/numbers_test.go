package libdevice_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"simtgdb/simt/ptx/numeric/numerictest"
)

func leading(v uint64, width int) int {
	for i := range width {
		if v>>(width-1-i)&1 != 0 {
			return i
		}
	}
	return width
}

func reversed(v uint64, width int) (d uint64) {
	for i := range width {
		d |= v >> i & 1 << (width - 1 - i)
	}
	return d
}

// compare calls a function for inputs and compares with what it is to give.
func compare(t *testing.T, name string, args []int, result int, in [][3]uint64,
	want func(v [3]uint64) uint64) {
	t.Helper()
	got := call(t, name, args, result, in)
	for i, v := range in {
		if w := want(v); low(got[i], result) != w {
			t.Errorf("%s of %#x gives %#x, want %#x", name, v[:len(args)], got[i], w)
			return
		}
	}
}

// Functions of 64-bit integers, with big numbers for judges.
func testDeviceOthers(t *testing.T) {
	in := numerictest.Wholes()
	s := func(v uint64) *big.Int { return big.NewInt(int64(v)) }
	u := func(v uint64) *big.Int { return new(big.Int).SetUint64(v) }
	high := func(a, b *big.Int) uint64 {
		p := new(big.Int).Mul(a, b)
		return new(big.Int).And(p.Rsh(p, 64), u(math.MaxUint64)).Uint64()
	}
	pick := func(a, b *big.Int, x, y uint64, sign int) uint64 {
		if a.Cmp(b) == sign {
			return x
		}
		return y
	}
	for name, want := range map[string]func(v [3]uint64) uint64{
		"llmin":    func(v [3]uint64) uint64 { return pick(s(v[0]), s(v[1]), v[0], v[1], -1) },
		"llmax":    func(v [3]uint64) uint64 { return pick(s(v[0]), s(v[1]), v[0], v[1], 1) },
		"ullmin":   func(v [3]uint64) uint64 { return pick(u(v[0]), u(v[1]), v[0], v[1], -1) },
		"ullmax":   func(v [3]uint64) uint64 { return pick(u(v[0]), u(v[1]), v[0], v[1], 1) },
		"mul64hi":  func(v [3]uint64) uint64 { return high(s(v[0]), s(v[1])) },
		"umul64hi": func(v [3]uint64) uint64 { return high(u(v[0]), u(v[1])) },
	} {
		compare(t, name, []int{64, 64}, 64, in, want)
	}
	compare(t, "llabs", []int{64}, 64, in, func(v [3]uint64) uint64 {
		return new(big.Int).And(new(big.Int).Abs(s(v[0])), u(math.MaxUint64)).Uint64()
	})
	compare(t, "brevll", []int{64}, 64, in, func(v [3]uint64) uint64 { return reversed(v[0], 64) })
	for name, want := range map[string]func(v uint64) uint64{
		"clzll": func(v uint64) uint64 { return uint64(leading(v, 64)) }, "ffsll": lowest, "popcll": nthCount,
	} {
		compare(t, name, []int{64}, 32, in, func(v [3]uint64) uint64 { return want(v[0]) })
	}
	for _, name := range []string{"float_as_int", "int_as_float", "float_as_uint", "uint_as_float"} {
		compare(t, name, []int{32}, 32, in, func(v [3]uint64) uint64 { return low(v[0], 32) })
	}
	for _, name := range []string{"double_as_longlong", "longlong_as_double"} {
		compare(t, name, []int{64}, 64, in, func(v [3]uint64) uint64 { return v[0] })
	}
	compare(t, "double2hiint", []int{64}, 32, in, func(v [3]uint64) uint64 { return v[0] >> 32 })
	compare(t, "double2loint", []int{64}, 32, in, func(v [3]uint64) uint64 { return low(v[0], 32) })
	compare(t, "hiloint2double", []int{32, 32}, 64, in, func(v [3]uint64) uint64 {
		return v[0]<<32 | low(v[1],
			32)
	})
	compare(t, "nan", []int{64}, 64, in, func([3]uint64) uint64 { return numerictest.Forms["f64"].NaN })
	compare(t, "nanf", []int{64}, 32, in, func([3]uint64) uint64 { return numerictest.Forms["f32"].NaN })
	singles := numerictest.Floats(numerictest.Specials32, 0xffffffff)
	compare(t, "saturatef", []int{32}, 32, singles, func(v [3]uint64) uint64 {
		f := math.Float32frombits(uint32(v[0]))
		if f != f {
			return 0
		}
		return uint64(math.Float32bits(min(max(f, 0), 1)))
	})
	compare(t, "fast_fdividef", []int{32, 32}, 32, singles, func(v [3]uint64) uint64 {
		return numerictest.Forms["f32"].Div("rn", v[0], v[1])
	})
	scale := func(f numerictest.Form, v [3]uint64) uint64 {
		x, nan, inf, neg := f.Number(low(v[0], f.Width))
		switch {
		case nan:
			return f.NaN
		case inf || x.Sign() == 0:
			return low(v[0], f.Width)
		}
		n := max(min(int(int32(v[1])), 3000), -3000)
		return f.Round(new(big.Float).SetPrec(5000).SetMantExp(x, n), "rn", neg)
	}
	for _, name := range []string{"ldexp", "scalbn"} {
		exponents := func(in [][3]uint64) [][3]uint64 {
			for i := range in {
				in[i][1] = low(uint64(int64(i*37%400-200)), 32)
			}
			return in
		}
		compare(
			t,
			name+"f",
			[]int{32, 32},
			32,
			exponents(numerictest.Floats(numerictest.Specials32, 0xffffffff)),
			func(v [3]uint64) uint64 {
				return scale(numerictest.Forms["f32"], v)
			},
		)
		compare(
			t,
			name,
			[]int{64, 32},
			64,
			exponents(numerictest.Floats(numerictest.Specials64, math.MaxUint64)),
			func(v [3]uint64) uint64 {
				return scale(numerictest.Forms["f64"], v)
			})
	}
	compare(t, "ilogbf", []int{32}, 32, singles, func(v [3]uint64) uint64 {
		x, nan, inf, _ := numerictest.Forms["f32"].Number(low(v[0], 32))
		switch {
		case nan || !inf && x.Sign() == 0:
			return 1 << 31
		case inf:
			return math.MaxInt32
		}
		return low(uint64(x.MantExp(nil)-1), 32)
	})
	compare(t, "llroundf", []int{32}, 64, singles, func(v [3]uint64) uint64 {
		return wholeNumber(numerictest.Forms["f32"], v[0], "s64", math.Round)
	})
}

// wholeNumber is a floating-point number as an integer of a type, the nearest if it is beyond it.
func wholeNumber(f numerictest.Form, v uint64, typ string, whole func(x float64) float64) uint64 {
	width := map[byte]int{'3': 32, '6': 64}[typ[1]]
	least, most := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(width))
	if typ[0] == 's' {
		most.Rsh(most, 1)
		least.Neg(most)
	}
	most.Sub(most, big.NewInt(1))
	x, nan, inf, neg := f.Number(low(v, f.Width))
	if nan {
		if width == 64 {
			return 1 << 63
		}
		return 0
	}
	n := new(big.Int).Lsh(big.NewInt(1), 200)
	if neg {
		n.Neg(n)
	}
	if !inf {
		exact, _ := x.Float64()
		n, _ = big.NewFloat(whole(exact)).Int(nil)
	}
	if n.Cmp(least) < 0 {
		n = least
	}
	if n.Cmp(most) > 0 {
		n = most
	}
	return low(new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64)).Uint64(), width)
}

// Conversions, with big numbers for judges.
func testDeviceConversions(t *testing.T) {
	wholeOf := map[string]func(x float64) float64{"rn": math.RoundToEven, "rz": math.Trunc, "ru": math.Ceil,
		"rd": math.Floor}
	modes := map[string]string{"rn": "rn", "rz": "rz", "ru": "rp", "rd": "rm"}
	types := map[string]string{"int": "s32", "uint": "u32", "ll": "s64", "ull": "u64"}
	inputs := map[string][][3]uint64{"f32": numerictest.Floats(numerictest.Specials32, 0xffffffff),
		"f64": numerictest.Floats(numerictest.Specials64, math.MaxUint64)}
	for suffix, mode := range modes {
		for word, typ := range types {
			for name, kind := range map[string]string{"float": "f32", "double": "f64"} {
				f, width := numerictest.Forms[kind], map[byte]int{'3': 32, '6': 64}[typ[1]]
				compare(t, fmt.Sprintf("%s2%s_%s", name, word, suffix), []int{f.Width}, width, inputs[kind],
					func(v [3]uint64) uint64 { return wholeNumber(f, v[0], typ, wholeOf[suffix]) })
				if width == 32 && kind == "f64" && suffix != "rn" {
					continue // exact: there is one alone
				}
				compare(
					t,
					fmt.Sprintf("%s2%s_%s", word, name, suffix),
					[]int{width},
					f.Width,
					numerictest.Wholes(),
					func(v [3]uint64) uint64 {
						n := new(big.Int).SetUint64(low(v[0], width))
						if typ[0] == 's' {
							n = big.NewInt(sext(v[0], width))
						}
						return f.Round(new(big.Float).SetPrec(5000).SetInt(n), mode, false)
					})
			}
		}
		compare(t, "double2float_"+suffix, []int{64}, 32, inputs["f64"], func(v [3]uint64) uint64 {
			return numerictest.Convert(numerictest.Forms["f64"], numerictest.Forms["f32"], mode, v[0])
		})
	}
	compare(t, "float2half_rn", []int{32}, 16, inputs["f32"], func(v [3]uint64) uint64 {
		return numerictest.Convert(numerictest.Forms["f32"], numerictest.Forms["f16"], "rn", low(v[0], 32))
	})
	compare(t, "half2float", []int{16}, 32, numerictest.Wholes(), func(v [3]uint64) uint64 {
		return numerictest.Convert(numerictest.Forms["f16"], numerictest.Forms["f32"], "rn", low(v[0], 16))
	})
}

// untouched is what a byte holds that nobody has written to.
const untouched = 0xa5

// through calls a function that writes through pointers: what it returns, then what it writes.
func through(t *testing.T, name string, args []int, result, written, count int, in [][3]uint64) [][3]uint64 {
	t.Helper()
	f := function(t, name)
	out := make([][3]uint64, len(in))
	for i, a := range in {
		var v []uint64
		for k, w := range args {
			v = append(v, low(a[k], w))
		}
		m := memory(bytes.Repeat([]byte{untouched}, 32))
		for k := range count {
			v = append(v, uint64(begin+8*k))
		}
		got, err := f.Call(v, m)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[i][0] = low(got, result)
		for k := range count {
			word := binary.LittleEndian.Uint64(m[8*k:])
			out[i][k+1] = low(word, 8*written)
			copy(m[8*k:][:written], bytes.Repeat([]byte{untouched}, written))
		}
		if bytes.Count(m, []byte{untouched}) != len(m) {
			t.Fatalf("%s writes behind its results: %x", name, []byte(m))
		}
	}
	return out
}

// Functions that write through pointers.
func testDeviceWriters(t *testing.T) {
	for _, f := range []struct {
		suffix string
		form   numerictest.Form
		in     [][3]uint64
	}{{"", numerictest.Forms["f64"], numerictest.Floats(numerictest.Specials64, math.MaxUint64)},
		{"f", numerictest.Forms["f32"],
			numerictest.Floats(numerictest.Specials32, 0xffffffff)}} {
		w := f.form.Width
		number := func(v uint64) float64 {
			if w == 32 {
				return float64(math.Float32frombits(uint32(v)))
			}
			return math.Float64frombits(v)
		}
		as := func(x float64) uint64 {
			if x != x {
				return f.form.NaN
			}
			if w == 32 {
				return uint64(math.Float32bits(float32(x)))
			}
			return math.Float64bits(x)
		}
		check := func(name string, got, want [3]uint64, v [3]uint64) {
			if got != want {
				t.Errorf("%s of %#x gives %#x, want %#x", name, v, got, want)
			}
		}
		for i, got := range through(t, "modf"+f.suffix, []int{w}, w, w/8, 1, f.in) {
			x := number(f.in[i][0])
			whole := math.Trunc(x)
			rest := math.Copysign(x-whole, x)
			if math.IsInf(x, 0) {
				rest = math.Copysign(0, x)
			}
			check("modf", got, [3]uint64{as(rest), as(whole)}, f.in[i])
		}
		for i, got := range through(t, "frexp"+f.suffix, []int{w}, w, 4, 1, f.in) {
			x := number(f.in[i][0])
			m, e := x, 0
			for ; m == m && m != 0 && math.Abs(m) < 0.5; e-- {
				m *= 2
			}
			for ; m == m && !math.IsInf(m, 0) && math.Abs(m) >= 1; e++ {
				m /= 2
			}
			check("frexp", got, [3]uint64{as(m), low(uint64(e), 32)}, f.in[i])
		}
		for i, got := range through(t, "remquo"+f.suffix, []int{w, w}, w, 4, 1, f.in) {
			r, q := remainderOf(number(f.in[i][0]), number(f.in[i][1]))
			if r == r && number(got[0]) == r && got[1] != low(uint64(q), 32) || as(r) != got[0] {
				t.Errorf("remquo%s of %#x gives %#x, want %#x and %d", f.suffix, f.in[i], got, as(r), q)
			}
		}
		for name, both := range map[string][2]string{"sincos": {"sin", "cos"}, "sincospi": {"sinpi",
			"cospi"}} {
			got := through(t, name+f.suffix, []int{w}, w, w/8, 2, f.in)
			for k, one := range both { // the functions of one result have been compared
				for i, v := range call(t, one+f.suffix, []int{w}, w, f.in) {
					if got[i][k+1] != low(v, w) {
						t.Errorf("%s%s of %#x gives %#x, %s %#x", name, f.suffix, f.in[i], got[i], one, v)
					}
				}
			}
		}
	}
	in := numerictest.Floats(numerictest.Specials32, 0xffffffff)
	fast, slow := through(t, "fast_sincosf", []int{32}, 32, 4, 2, in),
		through(t, "sincosf", []int{32}, 32, 4, 2, in)
	for i := range in {
		if fast[i] != slow[i] {
			t.Errorf("fast_sincosf of %#x gives %#x, want %#x", in[i], fast[i], slow[i])
		}
	}
}

// remainderOf is the remainder of a division to the nearest whole quotient, by fractions, and the
// quotient's low bits with its sign.
func remainderOf(x, y float64) (r float64, q int64) {
	switch {
	case x != x || y != y || math.IsInf(x, 0) || y == 0:
		return math.NaN(), 0
	case math.IsInf(y, 0) || x == 0:
		return x, 0
	}
	a, b := new(big.Rat).SetFloat64(x), new(big.Rat).SetFloat64(y)
	quotient := new(big.Rat).Quo(a, b)
	twice := new(big.Int).Mul(quotient.Num(), big.NewInt(2))
	n := new(
		big.Int,
	).Div(twice.Add(twice, quotient.Denom()), new(big.Int).Mul(quotient.Denom(), big.NewInt(2)))
	half := new(big.Rat).Sub(new(big.Rat).SetInt(n), quotient)
	if half.Cmp(big.NewRat(1, 2)) == 0 && n.Bit(0) != 0 {
		n.Sub(n, big.NewInt(1))
	}
	rest := new(big.Rat).Sub(a, b.Mul(b, new(big.Rat).SetInt(n)))
	r, _ = rest.Float64()
	if r == 0 {
		r = math.Copysign(0, x)
	}
	q = new(big.Int).And(new(big.Int).Abs(n), big.NewInt(7)).Int64()
	if n.Sign() < 0 {
		q = -q
	}
	return r, q
}

// Lengths of vectors of four numbers and of any count.
func testDeviceVectors(t *testing.T) {
	_, cases := reals(t)
	for _, name := range []string{"norm4d", "norm4df", "rnorm4d", "rnorm4df", "norm", "normf", "rnorm",
		"rnormf"} {
		list := cases[name]
		if list == nil {
			list = cases[strings.Replace(name, "norm", "norm4d", 1)]
		}
		width := 64
		if strings.HasSuffix(name, "f") {
			width = 32
		}
		judged[name] = true
		for _, c := range list {
			got := lengthOf(t, name, width, [4]uint64{c.in[0], c.in[1], c.in[2], c.four})
			if got != c.want {
				t.Errorf("%s of %#x, %#x gives %#x, want %#x", name, c.in, c.four, got, c.want)
			}
		}
	}
}

// lengthOf calls a function of four numbers, or of their count and their address.
func lengthOf(t *testing.T, name string, width int, v [4]uint64) uint64 {
	t.Helper()
	args, m := v[:], memory{}
	if !strings.Contains(name, "4d") {
		args = []uint64{4, begin}
		for _, x := range v {
			m = append(m, binary.LittleEndian.AppendUint64(nil, x)[:width/8]...)
		}
	}
	got, err := function(t, name).Call(args, m)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return low(got, width)
}
