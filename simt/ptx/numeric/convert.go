package numeric

import "math"

// Integral are the roundings to whole numbers of conversions from floating-point numbers.
var Integral = map[string]func(x float64) float64{
	"rni": math.RoundToEven, "rzi": math.Trunc, "rmi": math.Floor, "rpi": math.Ceil,
}

// Formats are those of the types that conversions know.
var Formats = map[string]*Format{
	"f16": Half, "bf16": BFloat, "f32": Single, "tf32": TF32,
	"f16x2": Half, "bf16x2": BFloat, "e4m3x2": E4M3, "e5m2x2": E5M2,
}

// A Conversion is what the modifiers of cvt say.
type Conversion struct {
	From, To       string
	Mode           Rounding
	Whole          func(x float64) float64 // rounds to a whole number
	FTZ, Sat, ReLU bool
	SatFinite      bool
}

// Function is the conversion of one value; nil if there is none.
func (v *Conversion) Function() func(x uint64) uint64 {
	fromFloat, toFloat := IsFloat(v.From), IsFloat(v.To) || v.To == "tf32"
	switch {
	case !fromFloat && !toFloat:
		return v.integers()
	case !fromFloat:
		return v.toFloat()
	case !toFloat:
		return v.toInteger()
	}
	return v.floats()
}

// integers converts between integers: sign or zeros are extended as the source's type says.
func (v *Conversion) integers() func(x uint64) uint64 {
	from, to := Widths[v.From], Widths[v.To]
	signed := v.From[0] == 's'
	return func(x uint64) uint64 {
		x &= Mask(from)
		if signed {
			x = SignExtend(x, from)
		}
		if v.Sat {
			x = saturateTo(v.To, x, signed)
		}
		if to < 64 && v.To[0] == 's' {
			return SignExtend(x, to) // in a wider register
		}
		return x & Mask(to)
	}
}

// saturateTo limits an integer, signed or not, to a type.
func saturateTo(typ string, x uint64, signed bool) uint64 {
	n := Widths[typ]
	if typ[0] == 's' {
		most := Mask(n - 1)
		switch {
		case !signed && x > most, signed && int64(x) > int64(most):
			return most
		case signed && int64(x) < -int64(most)-1:
			return -most - 1
		}
		return x
	}
	if signed && int64(x) < 0 {
		return 0
	}
	return min(x, Mask(n))
}

func (v *Conversion) toFloat() func(x uint64) uint64 {
	from := Widths[v.From]
	signed := v.From[0] == 's'
	return func(x uint64) uint64 {
		x &= Mask(from)
		negative := signed && x>>(from-1)&1 != 0
		if negative {
			x = -SignExtend(x, from)
		}
		if v.To == "f64" {
			return Bits64(sign(integer64(x, v.Mode, negative), negative))
		}
		// More bits than a double has become one that is odd.
		f := float64(x >> 11 << 11)
		if x>>53 == 0 {
			f = float64(x)
		} else if x&0x7ff != 0 {
			f = math.Float64frombits(math.Float64bits(f) | 1)
		}
		return v.Finish(sign(f, negative))
	}
}

func sign(f float64, negative bool) float64 {
	if negative {
		return -f
	}
	return f
}

// integer64 is the magnitude of an integer as a double.
func integer64(x uint64, mode Rounding, negative bool) float64 {
	f := float64(x)
	if mode == Nearest || x>>53 == 0 {
		return f
	}
	exact := f < 0x1p64 && uint64(f) == x
	above := f >= 0x1p64 || uint64(f) > x
	outward := mode == Up && !negative || mode == Down && negative
	switch {
	case exact:
	case above && !outward:
		return math.Nextafter(f, 0)
	case !above && outward:
		return math.Nextafter(f, math.Inf(1))
	}
	return f
}

// Finish rounds to a short format.
func (v *Conversion) Finish(f float64) uint64 {
	if v.ReLU && !(f > 0) {
		if f != f {
			return Formats[v.To].nan
		}
		f = 0
	}
	if v.Sat {
		switch {
		case !(f > 0):
			f = 0
		case f > 1:
			f = 1
		}
	}
	form := Formats[v.To]
	if v.To == "tf32" {
		return form.Round(f, v.Mode) << 13
	}
	out := form.Round(f, v.Mode)
	if v.SatFinite && f == f && out&Mask(form.width-1) >= form.limit() {
		out = out&^Mask(form.width-1) | (form.limit() - 1)
	}
	if v.FTZ && v.To == "f32" {
		out = Flush(out)
	}
	return out
}

// Source is the value of a floating-point source.
func (v *Conversion) Source(x uint64) float64 {
	if v.From == "f64" {
		return F64(x)
	}
	if v.FTZ && v.From == "f32" {
		x = Flush(x)
	}
	return Formats[v.From].Value(x & Mask(Widths[v.From]))
}

func (v *Conversion) toInteger() func(x uint64) uint64 {
	if v.Whole == nil {
		return nil
	}
	n := Widths[v.To]
	signed := v.To[0] == 's'
	least, most := 0.0, math.Ldexp(1, n)
	if signed {
		least, most = -math.Ldexp(1, n-1), math.Ldexp(1, n-1)
	}
	return func(x uint64) uint64 {
		f := v.Whole(v.Source(x))
		switch {
		case f != f:
			// 0, but for 64 bits the bits of a number that is not there (CUDA, "Type Casting Intrinsics").
			if n == 64 {
				return 1 << 63
			}
			return 0
		case f < least:
			return uint64(int64(least))
		case f >= most:
			if signed {
				return Mask(n - 1)
			}
			return Mask(n)
		case signed:
			return uint64(int64(f))
		}
		return uint64(f)
	}
}

func (v *Conversion) floats() func(x uint64) uint64 {
	return func(x uint64) uint64 {
		f := v.Source(x)
		if v.Whole != nil {
			f = v.Whole(f)
		}
		if v.To == "f64" {
			if f != f {
				return NaN64
			}
			if v.Sat {
				f = math.Min(math.Max(f, 0), 1)
			}
			return Bits64(f)
		}
		if v.To == "f32" && v.From == "f32" && f != f && !v.Sat {
			return NaN32
		}
		return v.Finish(f)
	}
}
