package gcn

import "math"

// A byteFormat is a format of 8 bits: that of gfx942, with a NaN for -0, or of gfx950, as OCP has it.
type byteFormat struct {
	mant, bias int
	ocp        bool
}

var byteFormats = map[string]byteFormat{"fp8": {3, 8, false}, "bf8": {2, 16, false}, "ocp_fp8": {3, 7, true},
	"ocp_bf8": {2, 15, true}}

// value is that of an 8-bit float.
func (f byteFormat) value(v uint64) float64 { return f.values()[v&0xff] }

// values are those of all 8-bit floats.
func (f byteFormat) values() *[256]float64 {
	all := byteValues[f]
	if all == nil {
		all = &[256]float64{}
		for c := range all {
			all[c] = f.valueOf(uint64(c))
		}
		byteValues[f] = all
	}
	return all
}

// byteValues are those that have been asked for.
var byteValues = map[byteFormat]*[256]float64{}

func (f byteFormat) valueOf(v uint64) float64 {
	exp, frac := int(v>>f.mant)&(1<<(7-f.mant)-1), v&(1<<f.mant-1)
	x := math.Ldexp(float64(frac), 1-f.bias-f.mant)
	if exp != 0 {
		x = math.Ldexp(float64(frac|1<<f.mant), exp-f.bias-f.mant)
	}
	switch {
	case !f.ocp && v == 0x80, f.ocp && f.mant == 3 && v&0x7f == 0x7f, f.ocp && f.mant == 2 && v&0x7f > 0x7c:
		return math.NaN()
	case f.ocp && f.mant == 2 && v&0x7f == 0x7c:
		x = math.Inf(1)
	}
	if v&0x80 != 0 {
		x = -x
	}
	return x
}

// single is the float of 32 bits that an 8-bit one is.
func (f byteFormat) single(v uint64) uint64 {
	x := f.value(v)
	if x != x {
		sign := uint64(0)
		if f.ocp {
			sign = v & 0x80 << 24
		}
		return 0x7fc0_0000 | sign
	}
	return uint64(math.Float32bits(float32(x)))
}

// nearest searches for the nearest 8-bit float to a single; of two, the even one.
func (f byteFormat) nearest(v uint64) uint64 {
	x := float64(math.Float32frombits(uint32(v)))
	sign := v >> 24 & 0x80
	best, bestAt, top := math.Inf(1), uint64(0), uint64(0)
	values := f.values()
	for c := range uint64(0x80) {
		y := values[c]
		if y != y || math.IsInf(y, 0) {
			continue
		}
		top = c
		if d := math.Abs(y - math.Abs(x)); d < best || d == best && c&1 == 0 {
			best, bestAt = d, c
		}
	}
	end := f.value(top)
	beyond := end + (end-f.value(top-1))/2 // the middle to the number that would follow
	odd := top&1 != 0
	switch {
	case x != x && f.ocp:
		return sign | map[int]uint64{3: 0x7f, 2: 0x7e}[f.mant]
	case x != x:
		return 0x80
	case math.Abs(x) > beyond, math.Abs(x) == beyond && odd:
		switch {
		case !f.ocp:
			return 0x80
		case f.mant == 3:
			return sign | 0x7f
		}
		return sign | 0x7c
	case bestAt == 0 && !f.ocp:
		return 0
	}
	return sign | bestAt
}

// float8Model is that of a conversion, for gfx950 if ocp.
func float8Model(name string, ocp bool) model {
	prefix := ""
	if ocp {
		prefix = "ocp_"
	}
	for _, kind := range []string{"fp8", "bf8"} {
		f := byteFormats[prefix+kind]
		switch name {
		case "cvt_f32_" + kind:
			return int3(func(a, b, c uint64) uint64 { return f.single(a) })
		case "cvt_pk_f32_" + kind:
			return int3(func(a, b, c uint64) uint64 { return f.single(a) | f.single(a>>8)<<32 })
		case "cvt_pk_" + kind + "_f32":
			return int3(func(a, b, c uint64) uint64 { return f.nearest(a) | f.nearest(b)<<8 })
		}
	}
	return nil
}
