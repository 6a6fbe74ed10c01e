package ptx

import (
	"math"

	"simtgdb/simt/vec"
)

func init() {
	register(map[string]func(b *builder) error{"cvt": (*builder).cvt})
}

// integral roundings of conversions from floating-point numbers.
var integral = map[string]func(x float64) float64{
	"rni": math.RoundToEven, "rzi": math.Trunc, "rmi": math.Floor, "rpi": math.Ceil,
}

// formats of the types that conversions know.
var formats = map[string]*format{
	"f16": half, "bf16": bfloat, "f32": single, "tf32": tensor32,
	"f16x2": half, "bf16x2": bfloat, "e4m3x2": e4m3, "e5m2x2": e5m2,
}

// A conversion is what the modifiers of cvt say.
type conversion struct {
	from, to       string
	mode           rounding
	whole          func(x float64) float64 // rounds to a whole number
	ftz, sat, relu bool
	satfinite      bool
}

// cvt converts (PTX ISA, "cvt").
func (b *builder) cvt() error {
	if b.has("pack") {
		return b.cvtPack()
	}
	t := b.typs()
	if len(t) != 2 {
		return refuse("has no two types")
	}
	v := &conversion{to: t[0], from: t[1], ftz: b.has("ftz"), sat: b.has("sat"), relu: b.has("relu"),
		satfinite: b.has("satfinite")}
	err := b.only("ftz", "sat", "relu", "satfinite", "rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi")
	if err != nil {
		return err
	}
	for _, m := range b.mods {
		if r, ok := roundings[m]; ok {
			v.mode = r
		}
		if f, ok := integral[m]; ok {
			v.whole = f
		}
	}
	switch {
	case formats[v.to] != nil && paired(v.to):
		return b.cvtPair(v)
	case paired(v.from):
		return b.cvtUnpair(v)
	}
	if err := b.operands(2); err != nil {
		return err
	}
	// The register may be wider than the type.
	mask := widthMask(max(b.bitsOf(&b.args[0]), widths[v.to]))
	f := v.function()
	if f == nil {
		return refuse("is not simulated for its types")
	}
	if err := b.set1(each1(func(x uint64) uint64 { return f(x) & mask }), v.from); err != nil {
		return err
	}
	if v.sat || widths[v.to] != b.bitsOf(&b.args[0]) {
		return nil
	}
	if op, ok := wideCvt[b.src.Op]; ok {
		return b.setWide(op, 1, v.from)
	}
	if mask, ok := wideMasks[b.src.Op]; ok {
		return b.setWideWith(vec.WideAnd, mask, v.from)
	}
	return nil
}

func paired(typ string) bool { return len(typ) > 2 && typ[len(typ)-2:] == "x2" }

// The conversions that programs make most: those that one operation makes, and those that keep some bits.
var (
	wideCvt = map[string]vec.WideOp{"cvt.s64.s32": vec.WideSignExtend32,
		"cvt.rn.f32.s32": vec.WideF32I, "cvt.rn.f32.u32": vec.WideF32U}
	wideMasks = map[string]uint64{"cvt.u64.u32": 1<<32 - 1, "cvt.u32.u64": 1<<32 - 1, "cvt.s32.s64": 1<<32 - 1,
		"cvt.u32.s64": 1<<32 - 1, "cvt.s32.u64": 1<<32 - 1}
)

// function is the conversion of one value; nil if there is none.
func (v *conversion) function() func(x uint64) uint64 {
	fromFloat, toFloat := isFloat(v.from), isFloat(v.to) || v.to == "tf32"
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
func (v *conversion) integers() func(x uint64) uint64 {
	from, to := widths[v.from], widths[v.to]
	signed := v.from[0] == 's'
	return func(x uint64) uint64 {
		x &= widthMask(from)
		if signed {
			x = signExtend(x, from)
		}
		if v.sat {
			x = saturateTo(v.to, x, signed)
		}
		if to < 64 && v.to[0] == 's' {
			return signExtend(x, to) // in a wider register
		}
		return x & widthMask(to)
	}
}

// saturateTo limits an integer, signed or not, to a type.
func saturateTo(typ string, x uint64, signed bool) uint64 {
	n := widths[typ]
	if typ[0] == 's' {
		most := widthMask(n - 1)
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
	return min(x, widthMask(n))
}

func (v *conversion) toFloat() func(x uint64) uint64 {
	from := widths[v.from]
	signed := v.from[0] == 's'
	return func(x uint64) uint64 {
		x &= widthMask(from)
		negative := signed && x>>(from-1)&1 != 0
		if negative {
			x = -signExtend(x, from)
		}
		if v.to == "f64" {
			return bits64(sign(integer64(x, v.mode, negative), negative))
		}
		// More bits than a double has become one that is odd.
		f := float64(x >> 11 << 11)
		if x>>53 == 0 {
			f = float64(x)
		} else if x&0x7ff != 0 {
			f = math.Float64frombits(math.Float64bits(f) | 1)
		}
		return v.finish(sign(f, negative))
	}
}

func sign(f float64, negative bool) float64 {
	if negative {
		return -f
	}
	return f
}

// integer64 is the magnitude of an integer as a double.
func integer64(x uint64, mode rounding, negative bool) float64 {
	f := float64(x)
	if mode == nearest || x>>53 == 0 {
		return f
	}
	exact := f < 0x1p64 && uint64(f) == x
	above := f >= 0x1p64 || uint64(f) > x
	outward := mode == up && !negative || mode == down && negative
	switch {
	case exact:
	case above && !outward:
		return math.Nextafter(f, 0)
	case !above && outward:
		return math.Nextafter(f, math.Inf(1))
	}
	return f
}

// finish rounds to a short format.
func (v *conversion) finish(f float64) uint64 {
	if v.relu && !(f > 0) {
		if f != f {
			return formats[v.to].nan
		}
		f = 0
	}
	if v.sat {
		switch {
		case !(f > 0):
			f = 0
		case f > 1:
			f = 1
		}
	}
	form := formats[v.to]
	if v.to == "tf32" {
		return form.round(f, v.mode) << 13
	}
	out := form.round(f, v.mode)
	if v.satfinite && f == f && out&widthMask(form.width-1) >= form.limit() {
		out = out&^widthMask(form.width-1) | (form.limit() - 1)
	}
	if v.ftz && v.to == "f32" {
		out = flushBits(out)
	}
	return out
}

// source is the value of a floating-point source.
func (v *conversion) source(x uint64) float64 {
	if v.from == "f64" {
		return f64(x)
	}
	if v.ftz && v.from == "f32" {
		x = flushBits(x)
	}
	return formats[v.from].value(x & widthMask(widths[v.from]))
}

func (v *conversion) toInteger() func(x uint64) uint64 {
	if v.whole == nil {
		return nil
	}
	n := widths[v.to]
	signed := v.to[0] == 's'
	least, most := 0.0, math.Ldexp(1, n)
	if signed {
		least, most = -math.Ldexp(1, n-1), math.Ldexp(1, n-1)
	}
	return func(x uint64) uint64 {
		f := v.whole(v.source(x))
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
				return widthMask(n - 1)
			}
			return widthMask(n)
		case signed:
			return uint64(int64(f))
		}
		return uint64(f)
	}
}

func (v *conversion) floats() func(x uint64) uint64 {
	return func(x uint64) uint64 {
		f := v.source(x)
		if v.whole != nil {
			f = v.whole(f)
		}
		if v.to == "f64" {
			if f != f {
				return canonical64
			}
			if v.sat {
				f = math.Min(math.Max(f, 0), 1)
			}
			return bits64(f)
		}
		if v.to == "f32" && v.from == "f32" && f != f && !v.sat {
			return canonical32
		}
		return v.finish(f)
	}
}

// cvtPair converts two singles, or two halves, into a pair: the first operand becomes the upper half.
func (b *builder) cvtPair(v *conversion) error {
	n := widths[v.to] / 2
	if v.from == "f32" {
		return b.set2(each2(func(x, y uint64) uint64 {
			return v.finish(v.source(x))<<n | v.finish(v.source(y))
		}), "f32")
	}
	if !paired(v.from) {
		return refuse("is not simulated for its types")
	}
	m := widths[v.from] / 2
	form := formats[v.from]
	return b.set1(each1(func(x uint64) uint64 {
		return v.finish(form.value(x>>m))<<n | v.finish(form.value(x&widthMask(m)))
	}), v.from)
}

func (b *builder) cvtUnpair(*conversion) error { return refuse("is not simulated for its types") }

// cvtPack packs two integers, saturated, and perhaps what was packed before (PTX ISA, "cvt.pack").
func (b *builder) cvtPack() error {
	to := ""
	for _, m := range b.mods {
		switch m {
		case "pack", "sat", "s32", "b32":
		case "u2", "s2", "u4", "s4", "u8", "s8", "u16", "s16":
			to = m
		default:
			return refuse("has the modifier .%s, which is not simulated", m)
		}
	}
	n := map[string]int{"2": 2, "4": 4, "8": 8, "16": 16}[to[min(1, len(to)):]]
	if n == 0 {
		return refuse("is not simulated for its types")
	}
	pack := func(x, y uint64) uint64 {
		limit := func(v uint64) uint64 {
			s := int64(int32(v))
			least, most := int64(0), int64(widthMask(n))
			if to[0] == 's' {
				least, most = -1<<(n-1), 1<<(n-1)-1
			}
			return uint64(min(max(s, least), most)) & widthMask(n)
		}
		return limit(x)<<n | limit(y)
	}
	if len(b.args) == 3 {
		return b.set2(each2(pack), "s32")
	}
	return b.set3(each3(func(x, y, z uint64) uint64 { return uint64(uint32(z<<(2*n))) | pack(x, y) }), "b32")
}
