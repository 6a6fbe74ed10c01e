package ptx

import (
	"sync"

	"simtgdb/simt/ptx/numeric"
	"simtgdb/simt/vec"
)

func init() {
	register(map[string]func(b *builder) error{"cvt": (*builder).cvt})
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
	v := &numeric.Conversion{To: t[0], From: t[1], FTZ: b.has("ftz"), Sat: b.has("sat"), ReLU: b.has("relu"),
		SatFinite: b.has("satfinite")}
	err := b.only("ftz", "sat", "relu", "satfinite", "rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi",
		"rpi")
	if err != nil {
		return err
	}
	for _, m := range b.mods {
		if r, ok := numeric.Roundings[m]; ok {
			v.Mode = r
		}
		if f, ok := numeric.Integral[m]; ok {
			v.Whole = f
		}
	}
	switch {
	case numeric.Formats[v.To] != nil && paired(v.To):
		return b.cvtPair(v)
	case paired(v.From):
		return b.cvtUnpair(v)
	}
	if err := b.operands(2); err != nil {
		return err
	}
	// The register may be wider than the type.
	mask := numeric.Mask(max(b.bitsOf(&b.args[0]), numeric.Widths[v.To]))
	f := v.Function()
	if f == nil {
		return refuse("is not simulated for its types")
	}
	if err := b.set1(each1(func(x uint64) uint64 { return f(x) & mask }), v.From); err != nil {
		return err
	}
	if v.Sat || numeric.Widths[v.To] != b.bitsOf(&b.args[0]) {
		return nil
	}
	if op, ok := wideCvt[b.src.Op]; ok {
		return b.setWide(op, 1, v.From)
	}
	if mask, ok := wideMasks[b.src.Op]; ok {
		return b.setWideWith(vec.WideAnd, mask, v.From)
	}
	return nil
}

func paired(typ string) bool { return len(typ) > 2 && typ[len(typ)-2:] == "x2" }

// The conversions that programs make most: those that one operation makes, and those that keep some bits.
var (
	wideCvt = map[string]vec.WideOp{"cvt.s64.s32": vec.WideSignExtend32,
		"cvt.rn.f32.s32": vec.WideF32I, "cvt.rn.f32.u32": vec.WideF32U}
	wideMasks = map[string]uint64{"cvt.u64.u32": 1<<32 - 1, "cvt.u32.u64": 1<<32 - 1,
		"cvt.s32.s64": 1<<32 - 1, "cvt.u32.s64": 1<<32 - 1, "cvt.s32.u64": 1<<32 - 1}
)

// cvtPair converts two singles, or two halves, into a pair: the first operand becomes the upper half.
func (b *builder) cvtPair(v *numeric.Conversion) error {
	n := numeric.Widths[v.To] / 2
	if v.From == "f32" {
		return b.set2(each2(func(x, y uint64) uint64 {
			return v.Finish(v.Source(x))<<n | v.Finish(v.Source(y))
		}), "f32")
	}
	if !paired(v.From) {
		return refuse("is not simulated for its types")
	}
	m := numeric.Widths[v.From] / 2
	form := numeric.Formats[v.From]
	one := func(x uint64) uint64 { return v.Finish(form.Value(x)) }
	if m <= 8 {
		all := sync.OnceValue(func() (all [1 << 8]uint64) {
			for x := range all[:1<<m] {
				all[x] = v.Finish(form.Value(uint64(x)))
			}
			return all
		})
		one = func(x uint64) uint64 { return all()[x] }
	}
	return b.set1(each1(func(x uint64) uint64 {
		return one(x>>m&numeric.Mask(m))<<n | one(x&numeric.Mask(m))
	}), v.From)
}

func (b *builder) cvtUnpair(*numeric.Conversion) error {
	return refuse("is not simulated for its types")
}

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
			least, most := int64(0), int64(numeric.Mask(n))
			if to[0] == 's' {
				least, most = -1<<(n-1), 1<<(n-1)-1
			}
			return uint64(min(max(s, least), most)) & numeric.Mask(n)
		}
		return limit(x)<<n | limit(y)
	}
	if len(b.args) == 3 {
		return b.set2(each2(pack), "s32")
	}
	return b.set3(each3(func(x, y, z uint64) uint64 { return uint64(uint32(z<<(2*n))) | pack(x, y) }), "b32")
}
