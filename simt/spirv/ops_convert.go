package spirv

import (
	"math"
	"sync"
)

// Conversions (section 3.42.11).

var convertBuilders = sync.OnceValue(func() map[uint16]func(*builder) (*inst, error) {
	return map[uint16]func(*builder) (*inst, error){
		opConvertFToU: convert(fToU), opConvertFToS: convert(fToS), opConvertSToF: convert(sToF),
		opConvertUToF: convert(uToF),
		opUConvert:    convert(uToU), opSConvert: convert(sToS), opFConvert: convert(fToF),
		opQuantizeToF16: convert(quantize),
		opConvertPtrToU: convert(uToU), opConvertUToPtr: convert(uToU), opSatConvertSToU: convert(satSToU),
		opSatConvertUToS:   convert(satUToS),
		opPtrCastToGeneric: buildToGeneric, opGenericCastToPtr: buildFromGeneric,
		opGenericCastToPtrExplicit: buildFromGeneric,
		opBitcast:                  buildBitcast, opCopyLogical: buildCopy, opCopyObject: buildCopy,
	}
})

// A conversion says how scalars of one type become those of another: of so many bits, with a rounding mode
// (or roundEven where none is given), saturating or not.
type conversion struct {
	from, to floatControl // of integers the width alone
	mode     uint32
	given    bool // the mode was said
	saturate bool
}

// convert makes an instruction that converts each scalar.
func convert(f func(k conversion) func(uint64) uint64) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) {
		i, vs, err := b.elementwise(1)
		if err != nil {
			return nil, err
		}
		k := conversion{from: b.controlOf(vs[0].typ.scalar()), to: b.controlOf(b.typ.scalar())}
		k.saturate = b.saturates()
		k.given = b.p.hasDecoration(b.in.res, decRounding)
		if k.mode = b.p.decoration(b.in.res, decRounding); !k.given && b.typ.scalar().kind == kFloat {
			k.mode = k.to.round
		}
		k.to.round, k.to.most = k.mode, b.p.hasDecoration(b.in.res, decMost8)
		i.f1 = f(k)
		return i.with(map1), nil
	}
}

// integral rounds to an integer: to zero where nothing else is said.
func (k conversion) integral(x float64) float64 {
	if !k.given {
		return math.Trunc(x)
	}
	switch k.mode {
	case roundEven:
		return math.RoundToEven(x)
	case roundUp:
		return math.Ceil(x)
	case roundDown:
		return math.Floor(x)
	}
	return math.Trunc(x)
}

// A number that does not fit its integer is undefined but with SaturatedConversion; it always saturates
// here, and NaN is 0.

func fToU(k conversion) func(uint64) uint64 {
	most := math.Ldexp(1, int(k.to.width))
	return func(v uint64) uint64 {
		switch x := k.integral(k.from.in(v)); {
		case x != x || x <= 0:
			return 0
		case x >= most:
			return fieldMask(uint64(k.to.width))
		default:
			return uint64(x)
		}
	}
}

func fToS(k conversion) func(uint64) uint64 {
	most, mask := math.Ldexp(1, int(k.to.width)-1), fieldMask(uint64(k.to.width))
	return func(v uint64) uint64 {
		switch x := k.integral(k.from.in(v)); {
		case x != x:
			return 0
		case x >= most:
			return mask >> 1
		case x <= -most:
			return mask>>1 + 1
		default:
			return uint64(int64(x)) & mask
		}
	}
}

func uToF(k conversion) func(uint64) uint64 {
	if k.mode == roundEven && k.to.width == 32 {
		return func(v uint64) uint64 { return bits32(float32(v)) }
	}
	if k.to.mini != nil {
		return func(v uint64) uint64 { return k.to.out(toOdd(v)) }
	}
	return func(v uint64) uint64 {
		if k.mode == roundEven || v < 1<<53 {
			return roundFloat(float64(v), k.to.width, k.mode)
		}
		return wideToFloat(v, false, k)
	}
}

func sToF(k conversion) func(uint64) uint64 {
	if k.mode == roundEven && k.to.width == 32 {
		return func(v uint64) uint64 { return bits32(float32(signed(v, k.from.width))) }
	}
	if k.to.mini != nil {
		return func(v uint64) uint64 {
			if n := signed(v, k.from.width); n < 0 {
				return k.to.out(-toOdd(uint64(-n)))
			}
			return k.to.out(toOdd(v))
		}
	}
	return func(v uint64) uint64 {
		n := signed(v, k.from.width)
		if a := n; k.mode == roundEven || a > -1<<53 && a < 1<<53 {
			return roundFloat(float64(n), k.to.width, k.mode)
		}
		if n < 0 {
			return wideToFloat(uint64(-n), true, k)
		}
		return wideToFloat(uint64(n), false, k)
	}
}

// wideToFloat rounds an integer of more than 53 bits in a direction: those that are cut off become one sticky
// bit, which is far below the last place of narrower floats.
func wideToFloat(v uint64, negative bool, k conversion) uint64 {
	if k.to.width == 64 {
		return wideToDouble(v, negative, k)
	}
	x := toOdd(v)
	if negative {
		x = -x
	}
	return roundFloat(x, k.to.width, k.mode)
}

// toOdd is an integer, of which the bits that a double has no room for become one sticky bit.
func toOdd(v uint64) float64 {
	const cut, sticky = 1<<12 - 1, 1 << 11 // what is left has 53 bits, up to 1<<63
	if v >= 1<<53 && v&cut != 0 {
		v = v&^cut | sticky
	}
	return float64(v)
}

func wideToDouble(v uint64, negative bool, k conversion) uint64 {
	x := float64(v)
	over := x >= 1<<64 || uint64(x) > v
	under := !over && uint64(x) < v
	grow := k.mode == roundUp && !negative || k.mode == roundDown && negative
	switch {
	case over && !grow:
		x = math.Nextafter(x, 0)
	case under && grow:
		x = math.Nextafter(x, math.Inf(1))
	}
	if negative {
		x = -x
	}
	return math.Float64bits(x)
}

func uToU(k conversion) func(uint64) uint64 {
	mask := fieldMask(uint64(k.to.width))
	if k.saturate {
		return func(v uint64) uint64 { return min(v, mask) }
	}
	return func(v uint64) uint64 { return v & mask }
}

func sToS(k conversion) func(uint64) uint64 {
	mask := fieldMask(uint64(k.to.width))
	if k.saturate {
		return func(v uint64) uint64 { return clampSigned(signed(v, k.from.width), k.to.width) }
	}
	return func(v uint64) uint64 { return uint64(signed(v, k.from.width)) & mask }
}

// clampSigned is a number within the bounds of so many bits.
func clampSigned(n int64, width uint) uint64 {
	most := int64(fieldMask(uint64(width - 1)))
	return uint64(max(min(n, most), -most-1)) & fieldMask(uint64(width))
}

func satSToU(k conversion) func(uint64) uint64 {
	mask := fieldMask(uint64(k.to.width))
	return func(v uint64) uint64 {
		if n := signed(v, k.from.width); n > 0 {
			return min(uint64(n), mask)
		}
		return 0
	}
}

func satUToS(k conversion) func(uint64) uint64 {
	most := fieldMask(uint64(k.to.width)) >> 1
	return func(v uint64) uint64 { return min(v, most) }
}

func fToF(k conversion) func(uint64) uint64 {
	return func(v uint64) uint64 { return k.to.out(k.from.in(v)) }
}

// quantize rounds to what 16 bits can hold; results below the least normal number are zeros
// (OpQuantizeToF16).
func quantize(k conversion) func(uint64) uint64 {
	return func(v uint64) uint64 {
		x := half(toHalf(k.from.in(v)))
		if math.Abs(x) < 0x1p-14 {
			x = math.Copysign(0, x)
		}
		return fromFloat(x, k.to.width)
	}
}

// buildBitcast makes Bitcast; where the numbers of scalars differ, the first is in the lowest bits.
func buildBitcast(b *builder) (*inst, error) {
	v, err := b.value(0)
	if err != nil {
		return nil, err
	}
	to, from := b.typ.scalar(), v.typ.scalar()
	if to == nil || from == nil {
		return nil, b.errorf("is of a type that is neither scalar, vector nor pointer")
	}
	wf, wt := from.width(), to.width()
	if b.typ.slots*int(wt) != v.typ.slots*int(wf) {
		return nil, b.errorf("has %d bits for a result of %d", v.typ.slots*int(wf), b.typ.slots*int(wt))
	}
	i := &inst{a: v.slot, n: int32(b.typ.slots), exec: copyRun}
	if wf == wt {
		if r := b.p.values[b.in.res]; r != nil {
			r.ptr = v.castPointer()
		}
		return i, nil
	}
	return i.with(func(c *core, in *inst) {
		for k := range in.n {
			d := c.one(in.d + k)
			for l := range d {
				d[l] = 0
				if wt > wf {
					for j := range int32(wt / wf) {
						d[l] |= c.one(in.a + k*int32(wt/wf) + j)[l] << (uint(j) * wf)
					}
				} else {
					per := int32(wf / wt)
					d[l] = c.one(in.a + k/per)[l] >> (uint(k%per) * wt) & fieldMask(uint64(wt))
				}
			}
		}
	}), nil
}

// castPointer is what is still known of a pointer that points to another type now.
func (v *value) castPointer() *pointer {
	if v.ptr == nil {
		return nil
	}
	p := *v.ptr
	p.layout, p.vector = layout{}, 0
	return &p
}

// buildCopy makes CopyObject and CopyLogical.
func buildCopy(b *builder) (*inst, error) {
	v, err := b.value(0)
	if err != nil {
		return nil, err
	}
	if v.typ.slots != b.typ.slots {
		return nil, b.errorf("has a value of %d scalars for a result of %d", v.typ.slots, b.typ.slots)
	}
	if r := b.p.values[b.in.res]; r != nil {
		r.ptr = v.ptr
	}
	return &inst{a: v.slot, n: int32(b.typ.slots), exec: copyRun}, nil
}

// buildToGeneric makes PtrCastToGeneric: pointers have the mark of their storage class already.
func buildToGeneric(b *builder) (*inst, error) {
	i, _, err := b.elementwise(1)
	if err != nil {
		return nil, err
	}
	i.f1 = func(v uint64) uint64 { return v }
	return i.with(map1), nil
}

// buildFromGeneric makes GenericCastToPtr and GenericCastToPtrExplicit, which gives null where the pointer
// is of another storage class.
func buildFromGeneric(b *builder) (*inst, error) {
	i, _, err := b.elementwise(1)
	if err != nil {
		return nil, err
	}
	mark, explicit := markOf(b.typ.storage), b.in.op == opGenericCastToPtrExplicit
	i.f1 = func(v uint64) uint64 {
		if explicit && v&apertureMask != mark {
			return 0
		}
		return v
	}
	return i.with(map1), nil
}

// saturates reports whether a conversion gives the nearest number that there is.
func (b *builder) saturates() bool { return b.p.hasDecoration(b.in.res, decSaturated) }
