package ptx_test

import (
	"fmt"
	"math"
	"testing"

	"simtgdb/simt/ptx/numeric/numerictest"
)

// formats of floating-point types with the registers that they are in.
func floatRows() []row {
	var rows []row
	for _, typ := range []string{"f32", "f64", "f16", "bf16"} {
		f := numerictest.Forms[typ]
		d, a, b, c := reg(f.Width, "d"), reg(f.Width, "a"), reg(f.Width, "b"), reg(f.Width, "c")
		m := func(v uint64) uint64 { return low(v, f.Width) }
		add := func(text string, want func(a, b, c uint64) uint64) {
			rows = append(rows, row{text: text, want: func(a, b, c uint64) uint64 {
				return want(m(a), m(b), m(c))
			}})
		}
		modes := []string{"rn"}
		if f.Width >= 32 {
			modes = []string{"rn", "rz", "rm", "rp"}
			for _, mode := range modes {
				add(fmt.Sprintf("div.%s.%s %s, %s, %s;", mode, typ, d, a, b), func(a, b, _ uint64) uint64 {
					return f.Div(mode, a, b)
				})
				add(fmt.Sprintf("sqrt.%s.%s %s, %s;", mode, typ, d, a), func(a, _, _ uint64) uint64 {
					return f.Sqrt(mode, a)
				})
				one := map[string]uint64{"f32": 0x3f800000, "f64": 0x3ff0000000000000}[typ]
				add(fmt.Sprintf("rcp.%s.%s %s, %s;", mode, typ, d, a), func(a, _, _ uint64) uint64 {
					return f.Div(mode, one, a)
				})
				add(fmt.Sprintf("mad.%s.%s %s, %s, %s, %s;", mode, typ, d, a, b, c), func(a, b, c uint64) uint64 {
					return f.FMA(mode, a, b, c)
				})
			}
		}
		for _, named := range append(modes, "") {
			mode, dot := named, "."
			if named == "" { // that is to nearest
				mode, dot = "rn", ""
			}
			add(fmt.Sprintf("add.%s%s%s %s, %s, %s;", named, dot, typ, d, a, b), func(a, b, _ uint64) uint64 {
				return f.Add(mode, a, b)
			})
			add(fmt.Sprintf("sub.%s%s%s %s, %s, %s;", named, dot, typ, d, a, b), func(a, b, _ uint64) uint64 {
				if _, nan, _, _ := f.Number(b); nan {
					return f.NaN
				}
				return f.Add(mode, a, b^1<<(f.Width-1))
			})
			add(fmt.Sprintf("mul.%s%s%s %s, %s, %s;", named, dot, typ, d, a, b), func(a, b, _ uint64) uint64 {
				return f.Mul(mode, a, b)
			})
		}
		for _, mode := range modes {
			add(fmt.Sprintf("fma.%s.%s %s, %s, %s, %s;", mode, typ, d, a, b, c), func(a, b, c uint64) uint64 {
				return f.FMA(mode, a, b, c)
			})
		}
		sign := uint64(1) << (f.Width - 1)
		add(fmt.Sprintf("neg.%s %s, %s;", typ, d, a), func(a, _, _ uint64) uint64 { return a ^ sign })
		add(fmt.Sprintf("abs.%s %s, %s;", typ, d, a), func(a, _, _ uint64) uint64 { return a &^ sign })
		for name, less := range map[string]bool{"min": true, "max": false} {
			pick := func(a, b uint64, nans bool) uint64 {
				x, nx, ix, sx := f.Number(a)
				y, ny, iy, sy := f.Number(b)
				switch {
				case nx && ny || nans && (nx || ny):
					return f.NaN
				case nx:
					return b
				case ny:
					return a
				}
				order := 0
				switch {
				case ix && iy || sx != sy:
					order = int(truth(sy)) - int(truth(sx))
				case ix:
					order = 1 - 2*int(truth(sx))
				case iy:
					order = 2*int(truth(sy)) - 1
				default:
					order = x.Cmp(y)
				}
				if (order < 0) == less {
					return a
				}
				return b
			}
			add(fmt.Sprintf("%s.%s %s, %s, %s;", name, typ, d, a, b), func(a, b, _ uint64) uint64 {
				return pick(a, b, false)
			})
			if typ != "f64" {
				add(fmt.Sprintf("%s.NaN.%s %s, %s, %s;", name, typ, d, a, b), func(a, b, _ uint64) uint64 {
					return pick(a, b, true)
				})
			}
		}
		for name, f2 := range map[string]func(less, equal, unordered bool) bool{
			"eq": func(_, e, u bool) bool { return e && !u }, "ne": func(_, e, u bool) bool {
				return !e && !u
			},
			"lt": func(l, _, u bool) bool { return l && !u }, "le": func(l, e, u bool) bool {
				return (l || e) && !u
			},
			"gt": func(l, e, u bool) bool { return !l && !e && !u }, "ge": func(l, _, u bool) bool {
				return !l && !u
			},
			"equ": func(_, e, u bool) bool { return e || u }, "neu": func(_, e, u bool) bool {
				return !e || u
			},
			"ltu": func(l, _, u bool) bool { return l || u }, "leu": func(l, e, u bool) bool {
				return l || e || u
			},
			"gtu": func(l, e, u bool) bool { return !l && !e || u }, "geu": func(l, _, u bool) bool {
				return !l || u
			},
			"num": func(_, _, u bool) bool { return !u }, "nan": func(_, _, u bool) bool { return u },
		} {
			compare := func(a, b uint64) bool {
				x, nx, ix, sx := f.Number(a)
				y, ny, iy, sy := f.Number(b)
				if nx || ny {
					return f2(false, false, true)
				}
				order := 0
				switch {
				case ix && iy:
					order = int(truth(sy)) - int(truth(sx))
				case ix:
					order = 1 - 2*int(truth(sx))
				case iy:
					order = 2*int(truth(sy)) - 1
				default:
					order = x.Cmp(y)
				}
				return f2(order < 0, order == 0, false)
			}
			add(fmt.Sprintf("setp.%s.%s %%pd, %s, %s;", name, typ, a, b), func(a, b, _ uint64) uint64 {
				return truth(compare(a, b))
			})
			if typ == "f32" || typ == "f64" {
				add(fmt.Sprintf("set.%s.xor.f32.%s %%wd, %s, %s, %%pc;", name, typ, a, b), func(a, b, c uint64) uint64 {
					return truth(compare(a, b) != (c&1 != 0)) * 0x3f800000
				})
			}
		}
	}
	return append(rows, oddFloatRows...)
}

// flush makes a subnormal single a zero.
func flush(v uint64) uint64 {
	if v = low(v, 32); v&0x7f800000 == 0 {
		v &= 0x80000000
	}
	return v
}

func both(f func(a, b, c uint64) uint64) func(a, b, c uint64) uint64 {
	return func(a, b, c uint64) uint64 {
		return f(a&0xffff, b&0xffff, c&0xffff) | f(a>>16&0xffff, b>>16&0xffff, c>>16&0xffff)<<16
	}
}

// sat limits a single to [0, 1].
func satOne(v uint64) uint64 {
	f := math.Float32frombits(uint32(v))
	switch {
	case !(f > 0):
		return 0
	case f > 1:
		return 0x3f800000
	}
	return v
}

func relu(f numerictest.Form, v uint64) uint64 {
	if x, nan, inf, neg := f.Number(v); !nan && (neg || !inf && x.Sign() == 0) {
		return 0
	}
	return v
}

var (
	f32form = numerictest.Forms["f32"]
	f16form = numerictest.Forms["f16"]
	bform   = numerictest.Forms["bf16"]
)

// single applies a function of doubles to singles.
func single(f func(x float64) float64) func(a, b, c uint64) uint64 {
	return func(a, _, _ uint64) uint64 {
		return uint64(math.Float32bits(float32(f(float64(math.Float32frombits(uint32(a)))))))
	}
}

var oddFloatRows = []row{
	{text: "add.rn.ftz.f32 %wd, %wa, %wb;", want: func(a, b, _ uint64) uint64 {
		return flush(f32form.Add("rn", flush(a), flush(b)))
	}},
	{text: "mul.ftz.f32 %wd, %wa, %wb;", want: func(a, b, _ uint64) uint64 {
		return flush(f32form.Mul("rn", flush(a), flush(b)))
	}},
	{text: "add.sat.f32 %wd, %wa, %wb;", want: func(a, b, _ uint64) uint64 {
		return satOne(f32form.Add("rn", low(a, 32), low(b, 32)))
	}},
	{text: "fma.rn.sat.f32 %wd, %wa, %wb, %wc;", want: func(a, b, c uint64) uint64 {
		return satOne(f32form.FMA("rn", low(a, 32), low(b, 32), low(c, 32)))
	}},
	{text: "neg.ftz.f32 %wd, %wa;", want: func(a, _, _ uint64) uint64 { return flush(a) ^ 0x80000000 }},
	{text: "div.approx.f32 %wd, %wa, %wb;", near: 1e-6, want: func(a, b, _ uint64) uint64 {
		return f32form.Div("rn", low(a, 32), low(b, 32))
	}},
	{text: "div.full.f32 %wd, %wa, %wb;", near: 1e-6, want: func(a, b, _ uint64) uint64 {
		return f32form.Div("rn", low(a, 32), low(b, 32))
	}},
	{text: "rsqrt.approx.f32 %wd, %wa;", near: 1e-6, want: single(func(x float64) float64 {
		return 1 / math.Sqrt(x)
	})},
	{text: "rsqrt.approx.f64 %xd, %xa;", near: 1e-9, want: func(a, _, _ uint64) uint64 {
		return math.Float64bits(1 / math.Sqrt(math.Float64frombits(a)))
	}},
	{text: "rcp.approx.ftz.f64 %xd, %xa;", near: 1e-5, want: func(a, _, _ uint64) uint64 {
		return math.Float64bits(1 / math.Float64frombits(a&^0xffffffff))
	}},
	{text: "sin.approx.f32 %wd, %wa;", near: 1e-6, want: single(math.Sin)},
	{text: "cos.approx.f32 %wd, %wa;", near: 1e-6, want: single(math.Cos)},
	{text: "lg2.approx.f32 %wd, %wa;", near: 1e-6, want: single(math.Log2)},
	{text: "ex2.approx.f32 %wd, %wa;", near: 1e-6, want: single(math.Exp2)},
	{text: "tanh.approx.f32 %wd, %wa;", near: 1e-6, want: single(math.Tanh)},
	{text: "copysign.f32 %wd, %wa, %wb;", want: func(a, b, _ uint64) uint64 {
		return a&0x80000000 | b&0x7fffffff
	}},
	{text: "copysign.f64 %xd, %xa, %xb;", want: func(a, b, _ uint64) uint64 {
		return a&(1<<63) | b&^(1<<63)
	}},
	{text: "testp.finite.f32 %pd, %wa;", want: func(a, _, _ uint64) uint64 {
		return truth(a>>23&255 != 255)
	}},
	{text: "testp.infinite.f32 %pd, %wa;", want: func(a, _, _ uint64) uint64 {
		return truth(a&0x7fffffff == 0x7f800000)
	}},
	{text: "testp.number.f64 %pd, %xa;", want: func(a, _, _ uint64) uint64 {
		return truth(a<<1 <= 0x7ff<<53)
	}},
	{text: "testp.notanumber.f64 %pd, %xa;", want: func(a, _, _ uint64) uint64 {
		return truth(a<<1 > 0x7ff<<53)
	}},
	{text: "testp.normal.f32 %pd, %wa;", want: func(a, _, _ uint64) uint64 {
		return truth(a>>23&255 != 255 && a>>23&255 != 0)
	}},
	{text: "testp.subnormal.f32 %pd, %wa;", want: func(a, _, _ uint64) uint64 {
		return truth(a>>23&255 == 0 && a&0x7fffff != 0)
	}},
	{text: "slct.u32.f32 %wd, %wa, %wb, %wc;", want: func(a, b, c uint64) uint64 {
		if math.Float32frombits(uint32(c)) >= 0 {
			return low(a, 32)
		}
		return low(b, 32)
	}},
	{text: "add.f16x2 %wd, %wa, %wb;", want: both(func(a, b, _ uint64) uint64 {
		return f16form.Add("rn", a, b)
	})},
	{text: "mul.f16x2 %wd, %wa, %wb;", want: both(func(a, b, _ uint64) uint64 {
		return f16form.Mul("rn", a, b)
	})},
	{text: "fma.rn.f16x2 %wd, %wa, %wb, %wc;", want: both(func(a, b, c uint64) uint64 {
		return f16form.FMA("rn", a, b, c)
	})},
	{text: "fma.rn.relu.f16x2 %wd, %wa, %wb, %wc;", want: both(func(a, b, c uint64) uint64 {
		return relu(f16form, f16form.FMA("rn", a, b, c))
	})},
	{text: "fma.rn.bf16x2 %wd, %wa, %wb, %wc;", want: both(func(a, b, c uint64) uint64 {
		return bform.FMA("rn", a, b, c)
	})},
	{text: "fma.rn.relu.bf16 %hd, %ha, %hb, %hc;", want: func(a, b, c uint64) uint64 {
		return relu(bform, bform.FMA("rn", a&0xffff, b&0xffff, c&0xffff))
	}},
	{text: "add.ftz.f16 %hd, %ha, %hb;", want: func(a, b, _ uint64) uint64 {
		tiny := func(v uint64) uint64 {
			if v &= 0xffff; v&0x7c00 == 0 {
				v &= 0x8000
			}
			return v
		}
		return tiny(f16form.Add("rn", tiny(a), tiny(b)))
	}},
	{text: "neg.f16x2 %wd, %wa;", want: func(a, _, _ uint64) uint64 { return low(a, 32) ^ 0x80008000 }},
	{text: "abs.bf16x2 %wd, %wa;", want: func(a, _, _ uint64) uint64 { return a & 0x7fff7fff }},
	{text: "setp.lt.f16x2 %pd|%pe, %wa, %wb;", want: func(a, b, _ uint64) uint64 {
		return truth(ofHalf64(a) < ofHalf64(b))
	}},
	{text: "set.gt.f16x2.f16x2 %wd, %wa, %wb;", want: both(func(a, b, _ uint64) uint64 {
		return truth(ofHalf64(a) > ofHalf64(b)) * 0x3c00
	})},
	{text: "max.xorsign.abs.f32 %wd, %wa, %wb;", want: func(a, b, _ uint64) uint64 {
		x, y := math.Float32frombits(uint32(a&0x7fffffff)), math.Float32frombits(uint32(b&0x7fffffff))
		r := max(x, y)
		switch {
		case x != x && y != y:
			return 0x7fffffff
		case x != x:
			r = y
		case y != y:
			r = x
		}
		return uint64(math.Float32bits(r)) | (a^b)&0x80000000
	}},
}

// ofHalf64 is a half's value, NaN included.
func ofHalf64(v uint64) float64 {
	if v &= 0xffff; v&0x7c00 == 0x7c00 {
		switch {
		case v&0x3ff != 0:
			return math.NaN()
		case v>>15 != 0:
			return math.Inf(-1)
		}
		return math.Inf(1)
	}
	return ofHalf(uint16(v))
}

// inputsOf are the inputs for a row, by the format in its text.
func inputsOf(text string) [][3]uint64 {
	pair := func(in [][3]uint64) [][3]uint64 {
		for i := range in {
			for k := range in[i] {
				in[i][k] |= in[(i*7+k+3)%len(in)][(k+1)%3] << 16
			}
		}
		return in
	}
	switch {
	case contains(text, "bf16x2"):
		return pair(numerictest.Floats(numerictest.SpecialsB, 0xffff))
	case contains(text, "f16x2"):
		return pair(numerictest.Floats(numerictest.Specials16, 0xffff))
	case contains(text, "bf16"):
		return numerictest.Floats(numerictest.SpecialsB, 0xffff)
	case contains(text, "f16"):
		return numerictest.Floats(numerictest.Specials16, 0xffff)
	case contains(text, "f64"):
		return numerictest.Floats(numerictest.Specials64, ^uint64(0))
	}
	return numerictest.Floats(numerictest.Specials32, 0xffffffff)
}

func TestFloats(t *testing.T) {
	for _, r := range ofPath("Floats", floatRows()) {
		r.check(t, inputsOf(r.text))
	}
}
