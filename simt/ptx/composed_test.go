package ptx

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"simtgdb/simt/ptx/numeric"
	"simtgdb/simt/vec"
	"simtgdb/testdata/sweep"
)

// TestComposed holds instructions that are stages against the functions that make the same instruction in all
// its forms, of numbers of all kinds.
func TestComposed(t *testing.T) {
	reals := []uint64{0, 1 << 31, 1, 0x80000001, 0x7fffff, 0x807fffff, 0x800000, 0x80800000, 0x7f800000,
		0xff800000, 0x7fc00000, 0xff800001, 0x7fffffff, 0x3f800000, 0xbf800000, 0x3f000000, 0x3fc00000,
		0x40200000, 0x4f000000, 0xcf000000, 0x4effffff, 0x4f800000, 0x47800000, 0x33000000, 0x33000001,
		0x38800000, 0x477ff000,
		0x477fefff, 0x7f7fffff}
	r := rand.New(sweep.PCG(1, 27))
	number := func(bits int) uint64 {
		switch r.IntN(4) {
		case 0:
			return r.Uint64() & numeric.Mask(bits)
		case 1:
			return 1 << r.IntN(bits)
		}
		return reals[r.IntN(len(reals))] >> (32 - min(bits, 32))
	}
	fn := &function{src: &Func{}, vectors: 4}
	for i, bits := range []uint8{32, 32, 32, 32} {
		fn.place = append(fn.place, place{n: int32(i), bits: bits})
	}
	composed := 0
	for _, name := range composedNames {
		name, selector, permutes := strings.Cut(name, " ")
		in := &Inst{Op: name, Guard: -1, Text: name}
		parts := strings.Split(name, ".")
		n := 1
		if c, ok := compositions[parts[0]]; ok {
			n = c.n
		}
		switch {
		case strings.Contains(name, "x2.f32"), parts[0] == "copysign":
			n = 2
		case parts[0] == "dp4a", permutes:
			n = 3
		}
		for i := range n + 1 {
			in.Args = append(in.Args, Operand{Kind: Reg, Reg: i, Reg2: -1})
		}
		if permutes {
			v, _ := strconv.ParseUint(selector, 0, 64)
			in.Args[3] = Operand{Kind: Int, Value: v}
		}
		var types []string
		for _, p := range parts[1:] {
			if _, ok := numeric.Widths[p]; ok {
				types = append(types, p)
			}
		}
		for i := range fn.place {
			fn.place[i].bits = uint8(numeric.Widths[types[len(types)-1]])
		}
		fn.place[0].bits = uint8(numeric.Widths[types[0]])
		make := func(whole bool) *inst {
			x := &inst{src: in, fn: fn, guard: -1, dst: -1, dst2: -1, pdst: -1, pdst2: -1}
			b := &builder{a: &ISA{}, fn: fn, in: x, src: in, args: in.Args, mods: parts[1:]}
			if whole {
				if is, err := b.composed(); err != nil || !is {
					t.Fatalf("%s is not composed: %v", name, err)
				}
			} else if err := builders[parts[0]](b); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return x
		}
		one, two := make(true), make(false)
		composed++
		for range 60 {
			var c [2]Core
			all := [4]vec.Wide{}
			for i := range all {
				for l := range all[i] {
					all[i][l] = number(int(fn.place[i].bits))
				}
			}
			mask := r.Uint32() | uint32(r.IntN(2))*fullMask
			for i, x := range []*inst{one, two} {
				c[i].act = &activation{fn: fn, r: append([]vec.Wide{}, all[:]...), lanes: fullMask}
				x.run(&c[i], x, mask)
			}
			for l := range 32 {
				if got, want := c[0].act.r[0][l], c[1].act.r[0][l]; got != want {
					t.Fatalf("%s of %#x, %#x, %#x under %v: %#x, want %#x", name, all[1][l], all[2][l],
						all[3][l], mask>>l&1, got, want)
				}
			}
		}
	}
	if composed < 40 {
		t.Errorf("%d instructions are too few to tell", composed)
	}
}

// composedNames are some of all forms.
var composedNames = []string{
	"add.ftz.f32", "add.rn.ftz.f32", "sub.ftz.f32", "mul.ftz.f32", "mul.rn.ftz.f32", "fma.rn.ftz.f32",
	"mad.rn.ftz.f32", "div.full.f32", "div.full.ftz.f32", "div.approx.ftz.f32", "div.rn.ftz.f32",
	"sqrt.approx.f32", "sqrt.approx.ftz.f32", "sqrt.rn.ftz.f32", "rcp.approx.ftz.f32", "rcp.rn.f32",
	"min.f32", "max.f32", "min.ftz.f32", "max.ftz.f32", "neg.ftz.f32", "abs.ftz.f32", "cvt.f32.f16",
	"cvt.f32.bf16", "cvt.rn.f16.f32", "cvt.rzi.f32.f32", "cvt.rmi.ftz.f32.f32", "cvt.rpi.ftz.f32.f32",
	"cvt.rni.f32.f32", "cvt.rzi.s32.f32", "cvt.rzi.ftz.s32.f32", "cvt.rzi.u32.f32", "cvt.rni.s32.f32",
	"cvt.rmi.s32.f32", "cvt.rpi.ftz.u32.f32", "cvt.rn.f32.s16", "cvt.rn.f32.u16", "cvt.s32.s16",
	"cvt.u32.u16", "cvt.s32.u16", "cvt.u32.s16", "cvt.u16.u32", "cvt.s16.s32", "cvt.u16.u64", "add.f16x2",
	"add.f16", "add.rn.f16x2", "sub.f16", "sub.f16x2", "mul.f16", "mul.f16x2", "fma.rn.f16",
	"fma.rn.f16x2", "neg.f16", "neg.f16x2", "cvt.rn.f16x2.f32", "cvt.rn.bf16x2.f32",
	"copysign.f32", "dp4a.s32.s32", "dp4a.u32.s32", "dp4a.s32.u32", "dp4a.u32.u32", "prmt.b32 0x7632",
	"prmt.b32 0x5410", "prmt.b32 0x3340", "prmt.b32 0x3210", "prmt.b32 0x0000", "prmt.b32 0xba98",
	"prmt.b32 0x4a1f", "prmt.b32 0x7531", "prmt.b32 0x6420", "prmt.b32 0x89ef", "prmt.b32 0x0123",
}
