package gcn

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/softfloat/floattest"
	"simtgdb/testdata/sweep"
)

// TestLoops compares the loops of the frequent instructions with the slow
// functions of the formats.
func TestLoops(t *testing.T) {
	r := rand.New(sweep.PCG(3, 4))
	v := newVectorRun(t, "gfx90a")
	e := envOf(single, v.regs.S[regMode])
	asm := []string{"v_add_f32_e32 v0, v2, v4", "v_sub_f32_e32 v0, v2, v4", "v_mul_f32_e32 v0, v2, v4",
		"v_fma_f32 v0, v2, v4, v6",
		"v_fma_f64 v[0:1], v[2:3], v[4:5], v[6:7]", "v_cmp_lt_f32_e32 vcc, v2, v4",
		"v_cmp_nge_f32_e32 vcc, v2, v4", "v_cmp_lg_f32_e32 vcc, v2, v4",
		"v_min_f32_e32 v0, v2, v4", "v_max_f32_e32 v0, v2, v4", "v_rcp_f32_e32 v0, v2",
		"v_cvt_i32_f32_e32 v0, v2", "v_cvt_u32_f32_e32 v0, v2",
		"v_cvt_f32_i32_e32 v0, v2", "v_cvt_f32_u32_e32 v0, v2"}
	want := []func(a, b, c uint64) uint64{
		func(a, b, c uint64) uint64 { return single.Add(a, b, e) },
		func(a, b, c uint64) uint64 { return single.Sub(a, b, e) },
		func(a, b, c uint64) uint64 { return single.Mul(a, b, e) },
		func(a, b, c uint64) uint64 { return single.FMA(a, b, c, 0, e) },
		nil,
		func(a, b, c uint64) uint64 { return bit(single.Float(a) < single.Float(b)) },
		func(a, b, c uint64) uint64 { return bit(!(single.Float(a) >= single.Float(b))) },
		func(a, b, c uint64) uint64 {
			return bit(single.Float(a) < single.Float(b) || single.Float(a) > single.Float(b))
		},
		func(a, b, c uint64) uint64 { return single.Minimum(a, b, e) },
		func(a, b, c uint64) uint64 { return single.Maximum(a, b, e) },
		func(a, b, c uint64) uint64 { return single.Apply(recip, a, env{}) },
		func(a, b, c uint64) uint64 { return uint64(toI32(single.Float(a))) },
		func(a, b, c uint64) uint64 { return uint64(toU32(single.Float(a))) },
		func(a, b, c uint64) uint64 { return single.Round(signed(uint32(a)), roundNearest) },
		func(a, b, c uint64) uint64 { return single.Round(unsigned(uint32(a)), roundNearest) },
	}
	for i, code := range llvmAssemble(t, "gfx90a", asm) {
		in := v.decode(t, code)
		for range 200 {
			for l := range simt.MaxLanes {
				for reg := 2; reg < 8; reg++ {
					v.regs.V[reg][l] = uint32(floattest.Random(r, single))
				}
				if r.IntN(8) == 0 {
					v.regs.V[4][l] = v.regs.V[2][l]
				}
			}
			v.run(t, in)
			for l := range simt.MaxLanes {
				a, b, c := v.regs.V[2][l], v.regs.V[4][l], v.regs.V[6][l]
				got := uint64(v.regs.V[0][l])
				if in.sdst.kind != noOperand {
					got = pair(v.regs, regVCC) >> l & 1
				}
				w := uint64(0)
				if want[i] != nil {
					w = want[i](uint64(a), uint64(b), uint64(c))
				} else {
					got = v.pair(0, l)
					w = double.FMA(v.pair(2, l), v.pair(4, l), v.pair(6, l), 0,
						env{KeepIn: true, KeepOut: true})
				}
				if got != w {
					t.Fatalf("%s of %#x %#x %#x: %#x, want %#x", asm[i], a, b, c, got, w)
				}
			}
		}
	}
}

func bit(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}

// divide32 and divide64 are the expansions of a correctly rounded division
// v0 = v2/v4 that LLVM makes.
var divide32 = []string{
	"v_div_scale_f32 v8, s[4:5], v4, v4, v2",
	"v_div_scale_f32 v9, vcc, v2, v4, v2",
	"v_rcp_f32_e32 v10, v8",
	"v_fma_f32 v11, -v8, v10, 1.0",
	"v_fma_f32 v10, v11, v10, v10",
	"v_mul_f32_e32 v11, v9, v10",
	"v_fma_f32 v12, -v8, v11, v9",
	"v_fma_f32 v11, v12, v10, v11",
	"v_fma_f32 v8, -v8, v11, v9",
	"v_div_fmas_f32 v8, v8, v10, v11",
	"v_div_fixup_f32 v0, v8, v4, v2",
}

var divide64 = []string{
	"v_div_scale_f64 v[8:9], s[4:5], v[4:5], v[4:5], v[2:3]",
	"v_rcp_f64_e32 v[10:11], v[8:9]",
	"v_fma_f64 v[12:13], -v[8:9], v[10:11], 1.0",
	"v_fma_f64 v[10:11], v[10:11], v[12:13], v[10:11]",
	"v_fma_f64 v[12:13], -v[8:9], v[10:11], 1.0",
	"v_fma_f64 v[10:11], v[10:11], v[12:13], v[10:11]",
	"v_div_scale_f64 v[12:13], vcc, v[2:3], v[4:5], v[2:3]",
	"v_mul_f64 v[14:15], v[12:13], v[10:11]",
	"v_fma_f64 v[8:9], -v[8:9], v[14:15], v[12:13]",
	"v_div_fmas_f64 v[8:9], v[8:9], v[10:11], v[14:15]",
	"v_div_fixup_f64 v[0:1], v[8:9], v[4:5], v[2:3]",
}

// TestDivision executes the expansions and compares with true quotients.
func TestDivision(t *testing.T) {
	r := rand.New(sweep.PCG(5, 6))
	for _, c := range []struct {
		f   format
		asm []string
	}{{single, divide32}, {double, divide64}} {
		v := newVectorRun(t, "gfx90a")
		var insts []*Inst
		for _, code := range llvmAssemble(t, "gfx90a", c.asm) {
			insts = append(insts, v.decode(t, code))
		}
		for range sweep.Times(40, 400) {
			for l := range simt.MaxLanes {
				for _, reg := range []int{2, 4} {
					x := floattest.Random(r, c.f)
					v.regs.V[reg][l], v.regs.V[reg+1][l] = uint32(x), uint32(x>>32)
				}
			}
			lanewise(t, v.w, v.regs, func() {
				for _, in := range insts {
					v.run(t, in)
				}
			})
			for l := range simt.MaxLanes {
				a, b, got := v.pair(2, l)&c.f.All(), v.pair(4, l)&c.f.All(), v.pair(0, l)&c.f.All()
				var want uint64
				if c.f.Width == 32 {
					want = uint64(math.Float32bits(
						math.Float32frombits(uint32(a)) / math.Float32frombits(uint32(b))))
				} else {
					want = math.Float64bits(math.Float64frombits(a) / math.Float64frombits(b))
				}
				if got != want && !(c.f.IsNaN(got) && c.f.IsNaN(want)) {
					t.Errorf("%d bits: %#x / %#x is %#x, want %#x", c.f.Width, a, b, got, want)
				}
			}
		}
	}
}

// TestTrigPreop compares the bits of 2/pi with math's pi.
func TestTrigPreop(t *testing.T) {
	v := newVectorRun(t, "gfx90a")
	segments := llvmAssemble(t, "gfx90a",
		[]string{"v_trig_preop_f64 v[0:1], 1.0, 0", "v_trig_preop_f64 v[0:1], 1.0, 1"})
	segment := func(i int) float64 {
		lanewise(t, v.w, v.regs, func() { v.run(t, v.decode(t, segments[i])) })
		return math.Float64frombits(v.pair(0, 9))
	}
	got := segment(0)
	if want := 2 / math.Pi; math.Abs(got-want) > 0x1p-53 {
		t.Errorf("segment 0 is %v, want %v", got, want)
	}
	// The next segment goes on where the first ends.
	exact, _, err := big.ParseFloat(
		"0.63661977236758134307553505349005744813783858296182579499066937623558719", 10, 200, big.ToZero)
	if err != nil {
		t.Fatal(err)
	}
	rest := new(big.Float).Sub(exact, big.NewFloat(got))
	want, _ := rest.Float64()
	next := segment(1)
	if math.Abs(next-want) > 0x1p-105 {
		t.Errorf("segment 1 is %v, want %v", next, want)
	}
}

// bigFloat is x with enough precision to hold any product and sum exactly.
func bigFloat(x float64) *big.Float { return new(big.Float).SetPrec(4400).SetFloat64(x) }
