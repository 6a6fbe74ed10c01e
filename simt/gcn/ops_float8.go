package gcn

import (
	"math"

	"simtgdb/simt/softfloat"
)

// float8s are the 8-bit floats of processors: gfx942 has formats of its own, gfx950 those of OCP (MI300 ISA
// and CDNA4 ISA, section "Data types").
var float8s = []struct {
	on       Target
	fp8, bf8 softfloat.Mini
}{{GFX942, softfloat.FNUZFP8, softfloat.FNUZBF8}, {GFX950, softfloat.FP8, softfloat.BF8}}

var _ = register(float8Ops)

// float8Ops are the conversions between singles and 8-bit floats.
func float8Ops() []Op {
	var ops []Op
	for _, p := range float8s {
		for i, m := range []softfloat.Mini{p.fp8, p.bf8} {
			n, name := uint16(i), []string{"fp8", "bf8"}[i]
			ops = append(ops,
				Op{Enc: VOP1, Code: 0x54 + n, Name: "v_cvt_f32_" + name, dst: f32, src: srcs(b32),
					flag: fixedDst, on: p.on, vec: map1(func(a uint64) uint64 { return ofMini(m, a) })},
				Op{Enc: VOP1, Code: 0x56 + n, Name: "v_cvt_pk_f32_" + name, dst: v2f32, src: srcs(b32),
					flag: fixedDst, on: p.on, vec: map1(
						func(a uint64) uint64 { return ofMini(m, a) | ofMini(m, a>>8)<<32 })},
				Op{Enc: VOP3, Code: 0x2a2 + n, Name: "v_cvt_pk_" + name + "_f32", dst: b16,
					src: srcs(f32, f32), flag: opSel, on: p.on, vec: packMini(m)},
				Op{Enc: VOP3, Code: 0x2a4 + n, Name: "v_cvt_sr_" + name + "_f32", dst: b32,
					src: srcs(f32, b32, b32), flag: opSel | readsDst, on: p.on, vec: stochasticMini(m)})
		}
	}
	return ops
}

// ofMini makes a single of a small float.
func ofMini(m softfloat.Mini, v uint64) uint64 {
	x := m.Float(v)
	if x != x {
		return single.NaN() | uint64(math.Float64bits(x)>>63)<<31
	}
	return single.Round(x, roundNearest)
}

// packMini makes two 8-bit floats.
func packMini(m softfloat.Mini) func(*lanes) {
	return func(x *lanes) {
		r := softfloat.Rounding{Saturate: x.mode&ModeOverflow != 0}
		x.each2(func(a, b uint64) uint64 {
			return m.Round(floatOf(single, a), r) | m.Round(floatOf(single, b), r)<<8
		})
	}
}

// floatOf is the value of a float, with the sign of a NaN.
func floatOf(f format, v uint64) float64 {
	x := f.Float(v)
	if f.IsNaN(v) {
		x = math.Copysign(math.NaN(), 1-2*float64(v>>(f.Width-1)&1))
	}
	return x
}

// stochasticMini rounds by the random bits of its second source and puts the result into the byte of the
// destination that OP_SEL[3:2] says.
func stochasticMini(m softfloat.Mini) func(*lanes) {
	return func(x *lanes) {
		shift := 8 * byteSelect(x.inst)
		saturate := x.mode&ModeOverflow != 0
		x.each3(func(a, random, old uint64) uint64 {
			v := m.Round(floatOf(single, a), softfloat.Rounding{Saturate: saturate, Stochastic: true,
				Random: uint32(random), SourceMant: single.Mant})
			return old&^(0xff<<shift) | v<<shift
		})
	}
}

// stochastic16 rounds to 16 bits by the random bits of its second source.
func stochastic16(m softfloat.Mini) func(*lanes) {
	return func(x *lanes) {
		saturate := x.mode&ModeOverflow != 0
		x.each2(func(a, random uint64) uint64 {
			return m.Round(floatOf(single, a), softfloat.Rounding{Saturate: saturate, Stochastic: true,
				Random: uint32(random), SourceMant: single.Mant})
		})
	}
}

// byteSelect is the byte that OP_SEL[3:2] selects: the bit of the third source is the low one.
func byteSelect(in *Inst) uint {
	if in.mod == nil {
		return 0
	}
	return uint(in.mod.opSel >> 2 & 3)
}
