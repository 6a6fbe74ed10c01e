package ptx_test

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	machine "simtgdb/simt/ptx"
	"simtgdb/simt/ptx/numeric/numerictest"
)

func contains(s, part string) bool { return strings.Contains(s, part) }

// convertRows are all conversions between integers, and between integers and floating-point numbers.
func convertRows() []row {
	var rows []row
	ints := []string{"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"}
	width := func(typ string) (w int) { fmt.Sscanf(strings.TrimLeft(typ, "usbf"), "%d", &w); return }
	// The register of a byte is one of 16 bits.
	regOf := func(typ, which string) string { return reg(max(width(typ), 16), which) }
	value := func(typ string, v uint64) *big.Int {
		if typ[0] == 's' {
			return big.NewInt(sext(v, width(typ)))
		}
		return new(big.Int).SetUint64(low(v, width(typ)))
	}
	limit := func(typ string, v *big.Int) *big.Int {
		least, most := big.NewInt(0), new(big.Int).Lsh(big.NewInt(1), uint(width(typ)))
		if typ[0] == 's' {
			most.Rsh(most, 1)
			least.Neg(most)
		}
		most.Sub(most, big.NewInt(1))
		switch {
		case v.Cmp(least) < 0:
			return least
		case v.Cmp(most) > 0:
			return most
		}
		return v
	}
	all := new(big.Int).SetUint64(^uint64(0))
	// into is a number in a register: a byte is extended to 16 bits.
	into := func(typ string, v *big.Int) uint64 {
		n := low(new(big.Int).And(v, all).Uint64(), width(typ))
		if typ == "s8" {
			return low(uint64(sext(n, 8)), 16)
		}
		return n
	}
	add := func(text string, want func(a, b, c uint64) uint64) {
		rows = append(rows, row{text: text, want: want})
	}
	for _, from := range ints {
		for _, to := range ints {
			add(fmt.Sprintf("cvt.%s.%s %s, %s;", to, from, regOf(to, "d"), regOf(from, "a")),
				func(a, _, _ uint64) uint64 { return into(to, value(from, a)) })
			add(fmt.Sprintf("cvt.sat.%s.%s %s, %s;", to, from, regOf(to, "d"), regOf(from, "a")),
				func(a, _, _ uint64) uint64 { return into(to, limit(to, value(from, a))) })
		}
		for _, to := range []string{"f16", "f32", "f64"} {
			for _, mode := range []string{"rn", "rz", "rm", "rp"} {
				f := numerictest.Forms[to]
				add(fmt.Sprintf("cvt.%s.%s.%s %s, %s;", mode, to, from, reg(f.Width, "d"), regOf(from, "a")),
					func(a, _, _ uint64) uint64 {
						return f.Round(new(big.Float).SetPrec(5000).SetInt(value(from, a)), mode, false)
					})
			}
		}
	}
	for _, from := range []string{"f16", "f32", "f64"} {
		f := numerictest.Forms[from]
		for mode, whole := range map[string]func(x float64) float64{
			"rni": math.RoundToEven, "rzi": math.Trunc, "rmi": math.Floor, "rpi": math.Ceil,
		} {
			for _, to := range ints[2:] {
				add(fmt.Sprintf("cvt.%s.%s.%s %s, %s;", mode, to, from, regOf(to, "d"), reg(f.Width, "a")),
					func(a, _, _ uint64) uint64 {
						x, nan, inf, neg := f.Number(low(a, f.Width))
						switch {
						case nan && width(to) == 64:
							return 1 << 63
						case nan:
							return 0
						case inf:
							x = new(big.Float).SetMantExp(big.NewFloat(1), 200)
							if neg {
								x.Neg(x)
							}
						}
						v, _ := x.Float64() // exact
						n, _ := big.NewFloat(whole(v)).Int(nil)
						return into(to, limit(to, n))
					})
			}
			add(fmt.Sprintf("cvt.%s.%s.%s %s, %s;", mode, from, from, reg(f.Width, "d"), reg(f.Width, "a")),
				func(a, _, _ uint64) uint64 {
					x, nan, inf, neg := f.Number(low(a, f.Width))
					switch {
					case nan:
						return f.NaN
					case inf:
						return low(a, f.Width)
					}
					v, _ := x.Float64()
					return f.Round(new(big.Float).SetPrec(5000).SetFloat64(whole(v)), "rn", neg)
				})
		}
	}
	for _, c := range []struct{ mode, to, from string }{
		{"rn", "f16", "f32"}, {"rz", "f16", "f32"}, {"rm", "f16", "f32"}, {"rp", "f16", "f32"},
		{"rn", "f32", "f64"},
		{"rz", "f32", "f64"}, {"rm", "f32", "f64"}, {"rp", "f32", "f64"}, {"rn", "f16", "f64"},
		{"rn", "bf16", "f32"},
		{"rz", "bf16", "f32"}, {"", "f32", "f16"}, {"", "f64", "f16"}, {"", "f64", "f32"},
		{"", "f32", "bf16"},
	} {
		f, to := numerictest.Forms[c.from], numerictest.Forms[c.to]
		name := strings.TrimSuffix("cvt."+c.mode, ".")
		add(fmt.Sprintf("%s.%s.%s %s, %s;", name, c.to, c.from, reg(to.Width, "d"), reg(f.Width, "a")),
			func(a, _, _ uint64) uint64 {
				return numerictest.Convert(f, to, c.mode, low(a, f.Width))
			})
	}
	return append(rows, oddConversions...)
}

func half16(f numerictest.Form, mode string, v uint64) uint64 {
	return numerictest.Convert(f32form, f, mode, low(v, 32))
}

var oddConversions = []row{
	{text: "cvt.rn.f16x2.f32 %wd, %wa, %wb;", want: func(a, b, _ uint64) uint64 {
		return half16(f16form, "rn", a)<<16 | half16(f16form, "rn", b)
	}},
	{text: "cvt.rz.bf16x2.f32 %wd, %wa, %wb;", want: func(a, b, _ uint64) uint64 {
		return half16(bform, "rz", a)<<16 | half16(bform, "rz", b)
	}},
	{text: "cvt.rn.relu.bf16x2.f32 %wd, %wa, %wb;", want: func(a, b, _ uint64) uint64 {
		return relu(bform, half16(bform, "rn", a))<<16 | relu(bform, half16(bform, "rn", b))
	}},
	{text: "cvt.rna.tf32.f32 %wd, %wa;", want: func(a, _, _ uint64) uint64 {
		a = low(a, 32)
		if a&0x7fffffff > 0x7f800000 {
			return 0x7fffe000
		}
		if a&0x7fffffff == 0x7f800000 {
			return a
		}
		return low((a+0x1000)&^0x1fff, 32)
	}},
	{text: "cvt.ftz.f64.f32 %xd, %wa;", want: func(a, _, _ uint64) uint64 {
		v := math.Float32frombits(uint32(flush(a)))
		if v != v {
			return 0x7ff8000000000000
		}
		return math.Float64bits(float64(v))
	}},
	{text: "cvt.sat.f32.f32 %wd, %wa;", want: func(a, _, _ uint64) uint64 { return satOne(low(a, 32)) }},
	// In a register wider than the type the sign goes all the way.
	{text: "cvt.s8.s32 %wd, %wa;", want: func(a, _, _ uint64) uint64 {
		return low(uint64(sext(a, 8)), 32)
	}},
	{text: "cvt.u8.u32 %wd, %wa;", want: func(a, _, _ uint64) uint64 { return a & 255 }},
	{text: "cvt.pack.sat.s8.s32.b32 %wd, %wa, %wb, %wc;", want: func(a, b, c uint64) uint64 {
		limit := func(v uint64) uint64 { return uint64(max(min(sext(v, 32), 127), -128)) & 255 }
		return low(c<<16|limit(a)<<8|limit(b), 32)
	}},
	{text: "cvt.pack.sat.u16.s32 %wd, %wa, %wb;", want: func(a, b, _ uint64) uint64 {
		limit := func(v uint64) uint64 { return uint64(max(min(sext(v, 32), 65535), 0)) }
		return limit(a)<<16 | limit(b)
	}},
	{text: "cvt.rn.satfinite.e4m3x2.f32 %hd, %wa, %wb;", want: func(a, b, _ uint64) uint64 {
		return small(a, 4, -6, 448, 0x7e)<<8 | small(b, 4, -6, 448, 0x7e)
	}},
	{text: "cvt.rn.satfinite.e5m2x2.f32 %hd, %wa, %wb;", want: func(a, b, _ uint64) uint64 {
		return small(a, 3, -14, 57344, 0x7b)<<8 | small(b, 3, -14, 57344, 0x7b)
	}},
}

// small rounds a single to 8 bits by trying all that there are.
func small(v uint64, precision, emin int, most float64, mostBits uint64) uint64 {
	x := float64(math.Float32frombits(uint32(v)))
	if x != x {
		return 0x7f
	}
	sign := uint64(0)
	if math.Signbit(x) {
		sign, x = 0x80, -x
	}
	if x >= most {
		return sign | mostBits
	}
	of := func(n uint64) float64 {
		f := precision - 1
		m, e := n&(1<<f-1), int(n>>f)
		if e == 0 {
			return math.Ldexp(float64(m), emin-f)
		}
		return math.Ldexp(float64(m|1<<f), e-1+emin-f)
	}
	best := uint64(0)
	for n := range mostBits + 1 {
		d, was := math.Abs(of(n)-x), math.Abs(of(best)-x)
		if d < was || d == was && n&1 == 0 {
			best = n
		}
	}
	return sign | best
}

func TestConversions(t *testing.T) {
	for _, r := range ofPath("Conversions", convertRows()) {
		in := inputsOf(r.text)
		_, from, _ := strings.Cut(r.text[:strings.IndexByte(r.text, ' ')], ".")
		if i := strings.LastIndexByte(from, '.'); !contains(from[i+1:], "f") {
			in = numerictest.Wholes()
		}
		r.check(t, in)
	}
}

// memoryRows load, store and change memory of every space.
func memoryRows() []row {
	rows := []row{
		{text: "ld.global.v4.u16 {%hd, %he, _, _}, [%m];", want: func(_, _, c uint64) uint64 {
			return c & 0xffff
		}},
		{text: "ld.v2.u32 {_, %wd}, [%m];", want: func(_, _, c uint64) uint64 { return c >> 32 }},
		{text: "ldu.global.u32 %wd, [%m+4];", want: func(_, _, c uint64) uint64 { return c >> 32 }},
		{text: "st.volatile.global.u16 [%m+2], %ha; ld.relaxed.gpu.global.u64 %xd, [%m];",
			want: func(a, _, c uint64) uint64 {
				return c&^0xffff0000 | a&0xffff<<16
			}},
		{text: "st.global.v2.b32 [%m], {%wa, %wb}; ld.global.nc.L1::no_allocate.b64 %xd, [%m];",
			want: func(a, b, _ uint64) uint64 { return low(a, 32) | b<<32 }},
		{text: "ld.acquire.sys.s8 %xd, [%m+1];", want: func(_, _, c uint64) uint64 {
			return uint64(sext(c>>8, 8))
		}},
		{text: "ld.param.u64 %xd, [k_in]; sub.u64 %xd, %in, %xd; sub.u64 %xd, %xd, %xd;",
			want: func(_, _, _ uint64) uint64 { return 0 }},
		{text: ".shared .align 8 .b8 s[256]; mov.u32 %we, %tid.x; " +
			"shl.b32 %we, %we, 3; cvt.u64.u32 %xe, %we;" +
			"mov.u64 %xd, s; add.u64 %xe, %xe, %xd; st.shared.u64 [%xe], %xa; " +
			"cvta.shared.u64 %xe, %xe; ld.u64 %xd, [%xe];",
			want: func(a, _, _ uint64) uint64 { return a }},
		// Lanes whose generic addresses lead to different spaces.
		{text: "mov.u64 %xe, own; cvta.local.u64 %xe, %xe; @%pa mov.u64 %xe, %m; " +
			"st.u64 [%xe], %xb; ld.u64 %xd, [%xe];",
			want: func(_, b, _ uint64) uint64 { return b }},
		{text: "mov.u64 %xe, own; cvta.local.u64 %xe, %xe; @%pa mov.u64 %xe, %m; st.u64 [%xe], %xb;" +
			"atom.add.u64 %xe, [%xe], 1; mov.u64 %xd, %xe;", want: func(_, b, _ uint64) uint64 {
			return b
		}},
		{text: "st.local.u8 [own+3], %ha; st.local.u16 [own], %hb; ld.local.u32 %wd, [own];",
			want: func(a, b, _ uint64) uint64 { return b&0xffff | a&255<<24 }},
		{text: "st.local.u32 [own+8], %wa; mov.u64 %xe, own; and.b64 %xb, %xb, 0; add.u64 %xe, %xe, %xb;" +
			"ld.local.s16 %xd, [%xe+8];", want: func(a, _, _ uint64) uint64 { return uint64(sext(a, 16)) }},
	}
	for _, size := range []int{8, 16, 32, 64} {
		for _, kind := range []string{"b", "u", "s"} {
			rows = append(rows, row{text: fmt.Sprintf("ld.global.%s%d %%xd, [%%m];", kind, size),
				want: func(_, _, c uint64) uint64 {
					if kind == "s" {
						return uint64(sext(c, size))
					}
					return low(c, size)
				}})
		}
	}
	// Each atomic gives what was there, and leaves the result.
	type atomic struct {
		types []string
		f     func(old, x *big.Int) *big.Int
	}
	pick := func(less bool) func(old, x *big.Int) *big.Int {
		return func(old, x *big.Int) *big.Int {
			if (old.Cmp(x) < 0) == less {
				return old
			}
			return x
		}
	}
	for name, op := range map[string]atomic{
		"add": {[]string{"u32", "s32", "u64"}, func(old,
			x *big.Int) *big.Int {
			return new(big.Int).Add(old, x)
		}},
		"and": {[]string{"b32", "b64"}, func(old,
			x *big.Int) *big.Int {
			return new(big.Int).And(old, x)
		}},
		"or": {[]string{"b32", "b64"}, func(old, x *big.Int) *big.Int { return new(big.Int).Or(old, x) }},
		"xor": {[]string{"b32", "b64"}, func(old,
			x *big.Int) *big.Int {
			return new(big.Int).Xor(old, x)
		}},
		"exch": {[]string{"b32", "b64"}, func(_, x *big.Int) *big.Int { return x }},
		"min":  {[]string{"u32", "s32", "u64", "s64"}, pick(true)},
		"max":  {[]string{"u32", "s32", "u64", "s64"}, pick(false)},
		"inc": {[]string{"u32"}, func(old, x *big.Int) *big.Int {
			if old.Cmp(x) >= 0 {
				return big.NewInt(0)
			}
			return new(big.Int).Add(old, big.NewInt(1))
		}},
		"dec": {[]string{"u32"}, func(old, x *big.Int) *big.Int {
			if old.Sign() == 0 || old.Cmp(x) > 0 {
				return x
			}
			return new(big.Int).Sub(old, big.NewInt(1))
		}},
	} {
		for _, typ := range op.types {
			w := 32
			if typ[1:] == "64" {
				w = 64
			}
			ext := func(v uint64) *big.Int {
				if typ[0] == 's' {
					return big.NewInt(sext(v, w))
				}
				return new(big.Int).SetUint64(low(v, w))
			}
			after := func(a, _, c uint64) uint64 {
				v := op.f(ext(c), ext(a))
				return low(new(big.Int).And(v, new(big.Int).SetUint64(^uint64(0))).Uint64(), w)
			}
			d, a := reg(w, "d"), reg(w, "a")
			rows = append(rows,
				row{text: fmt.Sprintf("atom.global.relaxed.gpu.%s.%s %s, [%%m], %s;", name, typ, d, a),
					want: func(_, _, c uint64) uint64 { return low(c, w) }},
				row{text: fmt.Sprintf("atom.%s.%s %s, [%%m], %s; ld.b%d %s, [%%m];", name, typ, d, a, w, d), want: after},
				row{text: fmt.Sprintf("red.global.%s.%s [%%m], %s; ld.b%d %s, [%%m];", name, typ, a, w, d), want: after})
		}
	}
	return append(rows,
		row{text: "atom.acq_rel.sys.cas.b32 %wd, [%m], %wb, %wa; ld.u32 %wd, [%m];",
			want: func(a, b, c uint64) uint64 {
				if low(c, 32) == low(b, 32) {
					return low(a, 32)
				}
				return low(c, 32)
			}},
		row{text: "atom.cas.b64 %xd, [%m], %xb, %xa;", want: func(_, _, c uint64) uint64 { return c }},
		row{text: "atom.cas.b16 %he, [%m], %hc, %ha; ld.u64 %xd, [%m];", want: func(a, _, c uint64) uint64 {
			return c&^0xffff | a&0xffff
		}},
		row{text: "mov.u32 %we, 0f3fc00000; st.u32 [%m], %we; " +
			"atom.add.f32 %we, [%m], 0f40000000; ld.u32 %wd, [%m];",
			want: func(_, _, _ uint64) uint64 { return uint64(math.Float32bits(3.5)) }},
		row{text: "st.u64 [%m], 0d3ff8000000000000; red.add.f64 [%m], 0d4000000000000000; " +
			"ld.u64 %xd, [%m];",
			want: func(_, _, _ uint64) uint64 { return math.Float64bits(3.5) }},
		row{text: "st.u32 [%m], 0x3c004000; mov.u32 %we, 0x3c003c00; " +
			"atom.add.noftz.f16x2 %we, [%m], %we; ld.u32 %wd, [%m];",
			want: func(_, _, _ uint64) uint64 { return 0x40004200 }},
		row{text: "atom.global.add.v2.f32 {_, %wd}, [%m], {%wa, %wb}; ", want: func(_, _, c uint64) uint64 {
			return c >> 32
		}},
		row{text: "atom.add.v2.f32 {%we, _}, [%m], {%wa, %wb}; ld.u32 %wd, [%m+4]; ",
			want: func(_, b, c uint64) uint64 {
				return numerictest.Forms["f32"].Add("rn", c>>32, low(b, 32))
			}},
		row{text: "red.relaxed.gpu.global.max.noftz.v4.f16 [%m], {%ha, %hb, %hc, %ha}; ld.u64 %xd, [%m];",
			want: func(a, b, c uint64) (d uint64) {
				for i, v := range []uint64{a, b, c, a} {
					d |= greatest16(c>>(16*i)&0xffff, v&0xffff) << (16 * i)
				}
				return
			}},
		row{text: "st.v2.u32 [%m], {0x3c004000, 0x40003c00}; mov.u32 %we, 0x3c003c00;" +
			"red.add.noftz.v2.f16x2 [%m], {%we, %we}; ld.u64 %xd, [%m];",
			want: func(_, _, _ uint64) uint64 { return 0x4200400040004200 }},
		row{text: "st.local.u32 [own], %wa; mov.u64 %xe, own; atom.local.exch.b32 %we, [%xe], %wb; " +
			"ld.local.u32 %wd, [own];",
			want: func(_, b, _ uint64) uint64 { return low(b, 32) }})
}

// greatest16 is the greater of two halves; a number if one is, zeros by their sign.
func greatest16(a, b uint64) uint64 {
	x, nanX, _, _ := f16form.Number(a)
	y, nanY, _, _ := f16form.Number(b)
	value := func(v *big.Float, bits uint64) *big.Float {
		if low(bits, 15) == 0x7c00 {
			v = new(big.Float).SetInf(bits>>15 != 0)
		}
		return v
	}
	switch {
	case nanX && nanY:
		return f16form.NaN
	case nanX:
		return b
	case nanY:
		return a
	case low(a, 15) == 0 && low(b, 15) == 0:
		return a & b
	case value(x, a).Cmp(value(y, b)) < 0:
		return b
	}
	return a
}

func TestMemory(t *testing.T) {
	in := numerictest.Wholes()
	for _, r := range memoryRows() {
		r.check(t, in)
	}
}

// warpRows are warp operations of which the expectation needs no other lane's inputs. TestWarp has the
// others.
var warpRows = []row{
	{text: "bar.warp.sync 0xffffffff; bar.sync 0; barrier.sync 3, 32; mov.u64 %xd, 1;",
		want: func(_, _, _ uint64) uint64 { return 1 }},
	{text: "activemask.b32 %wd;", want: func(_, _, _ uint64) uint64 { return 0xffffffff }},
	{text: "mov.u32 %we, %laneid; redux.sync.add.u32 %wd, %we, 0xffffffff;",
		want: func(_, _, _ uint64) uint64 {
			return 496
		}},
	{text: "mov.u32 %we, %laneid; redux.sync.max.s32 %wd, %we, 0xffffffff;",
		want: func(_, _, _ uint64) uint64 {
			return 31
		}},
	{text: "mov.u32 %we, %lanemask_lt; redux.sync.xor.b32 %wd, %we, 0xffffffff;",
		want: func(_, _, _ uint64) uint64 { return 0x55555555 &^ 0 }},
	{text: "elect.sync %wd|%pe, 0xfffffff0;", want: func(_, _, _ uint64) uint64 { return 4 }},
	{text: "vote.sync.all.pred %pd, 1, 0xffffffff;", want: func(_, _, _ uint64) uint64 { return 1 }},
	{text: "mov.u32 %we, 5; match.all.sync.b32 %wd|%pe, %we, 0xffffffff;",
		want: func(_, _, _ uint64) uint64 {
			return 0xffffffff
		}},
	{text: "mov.u32 %we, %laneid; match.all.sync.b32 %wd|%pe, %we, 0xffffffff;",
		want: func(_, _, _ uint64) uint64 {
			return 0
		}},
	{text: "mov.u32 %we, %laneid; shfl.sync.idx.b32 %wd, %we, 9, 31, 0xffffffff;",
		want: func(_, _, _ uint64) uint64 {
			return 9
		}},
}

func TestWarpOperations(t *testing.T) {
	in := numerictest.Wholes()
	for _, r := range warpRows {
		r.together = true
		r.check(t, in)
	}
}

// partWarpRows are warp operations of the first eight lanes, of which %wd of each is given.
var partWarpRows = []struct {
	text string
	want func(lane int) uint64
}{
	{"activemask.b32 %wd;", func(int) uint64 { return 0xff }},
	{"bar.warp.sync 0xff; mov.u32 %wd, 5;", func(int) uint64 { return 5 }},
	{"elect.sync %wd|%pe, 0xff;", func(int) uint64 { return 0 }},
	{"and.b32 %we, %we, 1; match.any.sync.b32 %wd, %we, 0xff;",
		func(l int) uint64 { return 0x55 << (l & 1) }},
	{"redux.sync.add.u32 %wd, %we, 0xff;", func(int) uint64 { return 28 }},
	{"shfl.sync.up.b32 %wd, %we, 3, 0, 0xff;",
		func(l int) uint64 { return uint64(l - 3*int(truth(l >= 3))) }},
	{"setp.gt.u32 %pc, %we, 5; vote.sync.ballot.b32 %wd, %pc, 0xff;", func(int) uint64 { return 0xc0 }},
	{"barrier.sync 3, 32; mov.u32 %wd, 6;", func(int) uint64 { return 6 }},
}

// TestWarpOperationsOfSome runs warp operations in a part of a warp, where the others have gone elsewhere.
func TestWarpOperationsOfSome(t *testing.T) {
	for _, c := range partWarpRows {
		r := row{text: "mov.u32 %we, %laneid; mov.u32 %wd, 1000; setp.ge.u32 %pe, %we, 8; @%pe bra others; " +
			c.text + " bra on; others: barrier.sync 3, 32; on:"}
		if !strings.Contains(c.text, "barrier") {
			r.text = strings.Replace(r.text, "others: barrier.sync 3, 32;", "others:", 1)
		}
		for i, got := range r.run(t, numerictest.Wholes()) {
			want := uint64(1000)
			if i%32 < 8 {
				want = c.want(i % 32)
			}
			if got != want {
				t.Errorf("%s: lane %d has %#x, want %#x", c.text, i%32, got, want)
			}
		}
	}
}

// Special registers hold what the launch says.
func TestSpecialRegisters(t *testing.T) {
	lane := func(f func(l uint) uint64) func(i int) uint64 {
		return func(i int) uint64 { return f(uint(i % 32)) }
	}
	same := func(v uint64) func(i int) uint64 { return func(int) uint64 { return v } }
	want := map[string]func(i int) uint64{
		"%tid.x": lane(func(l uint) uint64 { return uint64(l) }), "%ctaid.x": func(i int) uint64 {
			return uint64(i / 32)
		},
		"%ntid.x": same(
			32,
		),
		"%ntid.y":   same(1),
		"%ntid.z":   same(1),
		"%nctaid.x": same(numerictest.Inputs / 32),
		"%nctaid.y": same(1),
		"%nctaid.z": same(1),
		"%laneid": lane(func(l uint) uint64 {
			return uint64(l)
		}),
		"%lanemask_eq": lane(func(l uint) uint64 { return 1 << l }),
		"%lanemask_lt": lane(func(l uint) uint64 { return 1<<l - 1 }),
		"%lanemask_le": lane(func(l uint) uint64 { return 1<<(l+1) - 1 }),
		"%lanemask_gt": lane(func(l uint) uint64 { return 0xffffffff ^ (1<<(l+1) - 1) }),
		"%lanemask_ge": lane(func(l uint) uint64 { return 0xffffffff ^ (1<<l - 1) }),
		"%nwarpid":     same(1), "%nsmid": same(1), "%clusterid.x": func(i int) uint64 {
			return uint64(i / 32)
		},
		"%nclusterid.x": same(numerictest.Inputs / 32), "%nclusterid.y": same(1), "%nclusterid.z": same(1),
		"%cluster_nctaid.x": same(1), "%cluster_nctaid.y": same(1), "%cluster_nctaid.z": same(1),
		"%cluster_nctarank": same(1),
	}
	in := numerictest.Wholes()
	for _, name := range machine.SpecialRegisters() {
		clock := contains(name, "clock") && name != "%clock_hi" || name == "%globaltimer" ||
			name == "%globaltimer_lo"
		typ, d := "u32", "%wd"
		if name == "%clock64" || name == "%globaltimer" {
			typ, d = "u64", "%xd"
		}
		r := row{text: fmt.Sprintf("mov.%s %s, %s;", typ, d, name)}
		for i, got := range r.run(t, in) {
			f := want[name]
			switch {
			case clock:
				if got < 10 || got > 100 { // statements that the warp has executed
					t.Errorf("%s is %d", name, got)
				}
			case f == nil && got != 0, f != nil && got != f(i):
				t.Errorf("%s is %d in lane %d", name, got, i)
			}
		}
	}
}
