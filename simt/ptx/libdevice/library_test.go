package libdevice_test

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"sort"
	"strconv"
	"strings"
	"testing"

	"simtgdb/simt/ptx/libdevice"
	"simtgdb/simt/ptx/numeric/numerictest"
)

// The low bits of a number, with a sign and without.
var sext, low = numerictest.SignExtend, numerictest.Low

// signature says of which widths the arguments and the result of a device function are, by its name.
func signature(name string) (args []int, result int) {
	doubles := map[string]bool{"ldexp": true, "powi": true, "scalbn": true}
	switch {
	case name == "jn" || name == "yn":
		return []int{32, 64}, 64
	case name == "jnf" || name == "ynf":
		return []int{32, 32}, 32
	case doubles[name]:
		return []int{64, 32}, 64
	case strings.HasPrefix(name, "llr"):
		if strings.HasSuffix(name, "f") {
			return []int{32}, 64
		}
		return []int{64}, 64
	case name == "ilogb" || strings.HasSuffix(name, "nand") || strings.HasSuffix(name, "infd") ||
		name == "isfinited" || name == "signbitd":
		return []int{64}, 32
	case strings.HasSuffix(name, "f") && name != "erf" && name != "normcdf":
		return []int{32, 32, 32}, 32
	}
	return []int{64, 64, 64}, 64
}

// judged are the functions whose results some test has compared with others.
var judged = map[string]bool{}

// TestDevice compares every function of the device library with results that are not the machine's.
func TestDevice(t *testing.T) {
	ran := 0
	for _, test := range []struct {
		name string
		f    func(t *testing.T)
	}{
		{"Library", testDeviceLibrary}, {"Reals", testDeviceReals}, {"Arithmetic", testDeviceArithmetic},
		{"Integers", testDeviceIntegers}, {"Conversions", testDeviceConversions},
		{"Writers", testDeviceWriters},
		{"Vectors", testDeviceVectors}, {"Others", testDeviceOthers},
	} {
		t.Run(test.name, func(t *testing.T) { ran++; test.f(t) })
	}
	if ran < 8 {
		return // some alone were asked for
	}
	for _, name := range libdevice.Names() {
		if name = strings.TrimPrefix(name, "__nv_"); !judged[name] {
			t.Errorf("%s is compared by no test", name)
		}
	}
}

// function is one of the library's, for a test that judges its results.
func function(t *testing.T, name string) *libdevice.Function {
	t.Helper()
	f := libdevice.Lookup("__nv_" + name)
	if f == nil {
		t.Fatalf("there is no function %s", name)
	}
	judged[name] = true
	return f
}

// call calls a function for lists of arguments of some widths, and gives as many bits of its results.
func call(t *testing.T, name string, args []int, result int, inputs [][3]uint64) []uint64 {
	t.Helper()
	f := function(t, name)
	out := make([]uint64, len(inputs))
	for i, in := range inputs {
		var v []uint64
		for k, w := range args {
			v = append(v, low(in[k], w))
		}
		got, err := f.Call(v, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[i] = low(got, result)
	}
	return out
}

// A memory has bytes from an address on.
type memory []byte

const begin = 16

func (m memory) at(addr uint64, n int) (memory, error) {
	if addr < begin || addr-begin > uint64(len(m)) || uint64(len(m))-(addr-begin) < uint64(n) {
		return nil, fmt.Errorf("nothing is at %#x", addr)
	}
	return m[addr-begin:][:n], nil
}

func (m memory) Read(addr uint64, p []byte) error {
	from, err := m.at(addr, len(p))
	copy(p, from)
	return err
}

func (m memory) Write(addr uint64, p []byte) error {
	to, err := m.at(addr, len(p))
	copy(to, p)
	return err
}

// TestCalls: pointers that lead nowhere are errors, arguments that are not passed zeros, and a name without
// the library's prefix is none of its functions.
func TestCalls(t *testing.T) {
	for name, args := range map[string][]uint64{"modf": {0, 8}, "norm": {1, 8}, "sincosf": {0, begin, 1000}} {
		if _, err := libdevice.Lookup("__nv_"+name).Call(args, make(memory, 8)); err == nil {
			t.Errorf("%s gets along without memory", name)
		}
	}
	if got, err := libdevice.Lookup("__nv_norm").
		Call([]uint64{0xffffffff, 8}, memory{}); got != 0 ||
		err != nil {
		t.Errorf("the length of no numbers is %#x: %v", got, err)
	}
	if got, err := libdevice.Lookup("__nv_fmaf").
		Call([]uint64{0x40000000, 0x40000000}, nil); got != 0x40800000 ||
		err != nil {
		t.Errorf("2*2 is %#x: %v", got, err)
	}
	if libdevice.Lookup("sin") != nil || libdevice.Lookup("__nv_unknown") != nil {
		t.Error("functions are found that there are not")
	}
	for name, want := range map[string]uint{"sin": 64, "sinf": 32, "powf": 32, "fast_sinf": 32, "ceil": 64,
		"fmod": 64, "ilogb": 0,
		"popc": 0, "modf": 0} {
		if got := libdevice.Lookup("__nv_" + name).FloatBits; got != want {
			t.Errorf("floats of %s have %d bits, want %d", name, got, want)
		}
	}
}

// ulps is how far two results are apart, in units of the last place.
func ulps(a, b uint64, width int) float64 {
	x, y := math.Float64frombits(a), math.Float64frombits(b)
	if width == 32 {
		x, y = float64(math.Float32frombits(uint32(a))), float64(math.Float32frombits(uint32(b)))
	}
	switch {
	case x != x && y != y || a == b:
		return 0
	case x != x || y != y || math.IsInf(x, 0) || math.IsInf(y, 0):
		return math.Inf(1)
	}
	unit := math.Nextafter(math.Abs(y), math.Inf(1)) - math.Abs(y)
	if width == 32 {
		f := float32(math.Abs(y))
		unit = float64(math.Nextafter32(f, math.MaxFloat32) - f)
	}
	return math.Abs(x-y) / unit
}

// loose are functions of which the C library's results are off by more than one unit of the last place.
// Near a zero of lgamma and of the Bessel functions it says nothing of the last places.
var loose = map[string]float64{"lgamma": 64, "tgamma": 8, "j0": 4096, "j1": 4096, "y0": 4096, "y1": 4096,
	"jn": 1 << 20, "yn": 1 << 20, "cbrt": 2, "lgammaf": 4, "j0f": 64, "j1f": 64, "y0f": 256, "y1f": 256,
	"tgammaf": 4}

// The functions that C has give what the host's C library does, those that are exact the same bits.
func testDeviceLibrary(t *testing.T) {
	f, err := os.Open("testdata/libm.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	inputs, wants := map[string][][3]uint64{}, map[string][]uint64{}
	s := bufio.NewScanner(f)
	for s.Scan() {
		word := strings.Fields(s.Text())
		var in [3]uint64
		for i, a := range strings.Split(word[1], ",") {
			in[i] = parseHex(t, a)
		}
		inputs[word[0]] = append(inputs[word[0]], in)
		wants[word[0]] = append(wants[word[0]], parseHex(t, word[2]))
	}
	if len(inputs) < 100 {
		t.Fatalf("libm.txt has %d functions", len(inputs))
	}
	var names []string
	for name := range inputs {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		args, result := signature(name)
		args = args[:min(len(args), arity(name))]
		got := call(t, name, args, result, inputs[name])
		bound := loose[name]
		if bound == 0 {
			bound = 1.5
		}
		if exact(name) {
			bound = 0
		}
		bad := 0
		for i, want := range wants[name] {
			if d := ulps(got[i], want, result); d > bound && !isInteger(name, got[i], want) {
				if bad++; bad <= 2 {
					t.Errorf("%s of %#x gives %#x, C %#x: %.3g units", name, inputs[name][i], got[i], want, d)
				}
			}
		}
	}
}

func parseHex(t *testing.T, s string) uint64 {
	v, err := strconv.ParseUint(s, 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// isInteger reports whether a function's result is an integer, and the same.
func isInteger(name string, got, want uint64) bool {
	return (strings.HasPrefix(name, "llr") || strings.HasPrefix(name, "is") || name == "ilogb") && got == want
}

// exact reports whether a function has one right result.
func exact(name string) bool {
	for _, n := range []string{"ceil", "copysign", "fabs", "fdim", "floor", "fma", "fmax", "fmin",
		"fmod", "ldexp", "logb",
		"nearbyint", "nextafter", "remainder", "rint", "round", "scalbn", "sqrt", "trunc", "ilogb",
		"signbit", "finite"} {
		if strings.TrimSuffix(name, "f") == n {
			return true
		}
	}
	return strings.HasPrefix(name, "is") || strings.HasPrefix(name, "llr") ||
		strings.HasPrefix(name, "signbit")
}

// arity is how many arguments a function has.
func arity(name string) int {
	switch strings.TrimSuffix(name, "f") {
	case "fma", "fmaf", "":
		return 3
	case "atan2", "copysign", "fdim", "fmax", "fmin", "fmod", "hypot", "nextafter", "pow", "remainder",
		"ldexp", "powi",
		"scalbn", "jn", "yn":
		return 2
	}
	return 1
}

// Arithmetic with a rounding and conversions are those of the instructions, which have tests of their own.
func testDeviceArithmetic(t *testing.T) {
	modes := map[string]string{"rn": "rn", "rz": "rz", "ru": "rp", "rd": "rm"}
	for suffix, mode := range modes {
		for _, c := range []struct {
			name string
			f    numerictest.Form
			n    int
			want func(f numerictest.Form, v [3]uint64) uint64
		}{
			{"dadd_", numerictest.Forms["f64"], 2, func(f numerictest.Form,
				v [3]uint64) uint64 {
				return f.Add(mode, v[0], v[1])
			}},
			{"dmul_", numerictest.Forms["f64"], 2, func(f numerictest.Form,
				v [3]uint64) uint64 {
				return f.Mul(mode, v[0], v[1])
			}},
			{"ddiv_", numerictest.Forms["f64"], 2, func(f numerictest.Form,
				v [3]uint64) uint64 {
				return f.Div(mode, v[0], v[1])
			}},
			{"dsqrt_", numerictest.Forms["f64"], 1, func(f numerictest.Form,
				v [3]uint64) uint64 {
				return f.Sqrt(mode, v[0])
			}},
			{"drcp_", numerictest.Forms["f64"], 1, func(f numerictest.Form, v [3]uint64) uint64 {
				return f.Div(mode, 0x3ff<<52, v[0])
			}},
			{"fma_", numerictest.Forms["f64"], 3, func(f numerictest.Form, v [3]uint64) uint64 {
				return f.FMA(mode, v[0], v[1], v[2])
			}},
			{"fadd_", numerictest.Forms["f32"], 2, func(f numerictest.Form,
				v [3]uint64) uint64 {
				return f.Add(mode, v[0], v[1])
			}},
			{"fmul_", numerictest.Forms["f32"], 2, func(f numerictest.Form,
				v [3]uint64) uint64 {
				return f.Mul(mode, v[0], v[1])
			}},
			{"fdiv_", numerictest.Forms["f32"], 2, func(f numerictest.Form,
				v [3]uint64) uint64 {
				return f.Div(mode, v[0], v[1])
			}},
			{"fsqrt_", numerictest.Forms["f32"], 1, func(f numerictest.Form,
				v [3]uint64) uint64 {
				return f.Sqrt(mode, v[0])
			}},
			{"frcp_", numerictest.Forms["f32"], 1, func(f numerictest.Form, v [3]uint64) uint64 {
				return f.Div(mode, 0x3f800000, v[0])
			}},
			{"fmaf_", numerictest.Forms["f32"], 3, func(f numerictest.Form, v [3]uint64) uint64 {
				return f.FMA(mode, v[0], v[1], v[2])
			}},
			{"fmaf_ieee_", numerictest.Forms["f32"], 3, func(f numerictest.Form, v [3]uint64) uint64 {
				return f.FMA(mode, v[0], v[1], v[2])
			}},
			{"fsub_", numerictest.Forms["f32"], 2, func(f numerictest.Form, v [3]uint64) uint64 {
				return f.Add(mode, v[0], v[1]^0x80000000)
			}},
			{"dsub_", numerictest.Forms["f64"], 2, func(f numerictest.Form, v [3]uint64) uint64 {
				return f.Add(mode, v[0], v[1]^1<<63)
			}},
		} {
			in := numerictest.Floats(numerictest.Specials64, ^uint64(0))
			if c.f.Width == 32 {
				in = numerictest.Floats(numerictest.Specials32, 0xffffffff)
			}
			w := c.f.Width
			got := call(t, c.name+suffix, []int{w, w, w}[:c.n], w, in)
			for i, v := range in {
				if want := c.want(c.f, v); got[i] != want {
					t.Errorf("%s%s of %#x gives %#x, want %#x", c.name, suffix, v, got[i], want)
					break
				}
			}
		}
	}
}

// The functions of integers give what they say.
func testDeviceIntegers(t *testing.T) {
	in := numerictest.Wholes()
	for name, want := range map[string]func(a, b, c uint64) uint64{
		"abs": func(a, _, _ uint64) uint64 {
			return low(uint64(max(sext(a, 32), -sext(a, 32))), 32)
		},
		"min": func(a, b, _ uint64) uint64 {
			return low(uint64(min(sext(a, 32), sext(b, 32))), 32)
		},
		"umax": func(a, b, _ uint64) uint64 { return max(low(a, 32), low(b, 32)) },
		"mulhi": func(a, b, _ uint64) uint64 {
			return low(uint64(sext(a, 32)*sext(b, 32)>>32), 32)
		},
		"umulhi": func(a, b, _ uint64) uint64 { return low(a, 32) * low(b, 32) >> 32 },
		"mul24": func(a, b, _ uint64) uint64 {
			return low(uint64(sext(a, 24)*sext(b, 24)), 32)
		},
		"sad": func(a, b, c uint64) uint64 {
			d := sext(a, 32) - sext(b, 32)
			return low(uint64(max(d, -d))+c, 32)
		},
		"popc": func(a, _, _ uint64) uint64 { return nthCount(low(a, 32)) },
		"ffs":  func(a, _, _ uint64) uint64 { return lowest(low(a, 32)) },
		"hadd": func(a, b, _ uint64) uint64 {
			return low(uint64((sext(a, 32)+sext(b, 32))>>1), 32)
		},
		"rhadd": func(a, b, _ uint64) uint64 {
			return low(uint64((sext(a, 32)+sext(b, 32)+1)>>1), 32)
		},
		"uhadd":  func(a, b, _ uint64) uint64 { return (low(a, 32) + low(b, 32)) / 2 },
		"urhadd": func(a, b, _ uint64) uint64 { return (low(a, 32) + low(b, 32) + 1) / 2 },
		"umin":   func(a, b, _ uint64) uint64 { return min(low(a, 32), low(b, 32)) },
		"max": func(a, b, _ uint64) uint64 {
			return low(uint64(max(sext(a, 32), sext(b, 32))), 32)
		},
		"usad": func(a, b, c uint64) uint64 {
			return low(max(low(a, 32), low(b, 32))-min(low(a, 32), low(b, 32))+c, 32)
		},
		"umul24": func(a, b, _ uint64) uint64 { return low(low(a, 24)*low(b, 24), 32) },
		"clz":    func(a, _, _ uint64) uint64 { return uint64(leading(low(a, 32), 32)) },
		"brev":   func(a, _, _ uint64) uint64 { return reversed(low(a, 32), 32) },
		"byte_perm": func(a, b, c uint64) uint64 {
			d := uint64(0)
			for i := range 4 {
				d |= (low(b, 32)<<32 | low(a, 32)) >> (c >> (4 * i) & 7 * 8) & 255 << (8 * i)
			}
			return d
		},
	} {
		got := call(t, name, []int{32, 32, 32}[:integerArity[name]], 32, in)
		for i, v := range in {
			if w := want(v[0], v[1], v[2]); got[i] != w {
				t.Errorf("%s of %#x gives %#x, want %#x", name, v, got[i], w)
				break
			}
		}
	}
}

var integerArity = map[string]int{"clz": 1, "brev": 1, "abs": 1, "min": 2, "umax": 2, "mulhi": 2, "umulhi": 2,
	"mul24": 2, "sad": 3, "popc": 1,
	"ffs": 1, "hadd": 2, "rhadd": 2, "uhadd": 2, "urhadd": 2, "umin": 2, "max": 2, "usad": 3,
	"umul24": 2, "byte_perm": 3}

func nthCount(v uint64) (n uint64) {
	for ; v != 0; v >>= 1 {
		n += v & 1
	}
	return
}

func lowest(v uint64) uint64 {
	for i := range uint64(64) {
		if v>>i&1 != 0 {
			return i + 1
		}
	}
	return 0
}
