package gcn

import (
	"math"
	"regexp"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/softfloat"
)

// Bits of singles and halves that raise something.
const (
	big32, small32, third32 = 0x7f7f_ffff, 0x0080_0000, 0x3eaa_aaab
	sig32, quiet32          = 0x7f80_0001, 0x7fc0_0000
	big16, sig16            = 0x7bff, 0x7c01
)

// TestExceptions executes instructions in lane 5 with sources in v2, v4 and v6, each of one or two dwords,
// and looks at TRAPSTS.
func TestExceptions(t *testing.T) {
	const invalid, denormal, zero, over, under, inexact = softfloat.Invalid, softfloat.Denormal,
		softfloat.DivideByZero, softfloat.Overflow, softfloat.Underflow, softfloat.Inexact
	d := func(x float64) uint64 { return math.Float64bits(x) }
	f := func(x float32) uint64 { return uint64(math.Float32bits(x)) }
	cases := []struct {
		asm     string
		a, b, c uint64
		want    softfloat.Flags
	}{
		{"v_add_f32 v0, v2, v4", one32, one32, 0, 0},
		{"v_add_f32 v0, v2, v4", one32, f(1e-20), 0, inexact},
		{"v_add_f32 v0, v2, v4", big32, big32, 0, over | inexact},
		{"v_add_f32 v0, v2, v4", inf32, inf32 | 1<<31, 0, invalid},
		{"v_add_f32 v0, v2, -v4", inf32, inf32, 0, invalid}, // by the modifier
		{"v_add_f32 v0, v2, v4", sig32, one32, 0, invalid},
		{"v_add_f32 v0, v2, v4", quiet32, one32, 0, 0},
		{"v_add_f32 v0, v2, v4", 1, 0, 0, denormal},
		{"v_sub_f32 v0, v2, v4", inf32, inf32, 0, invalid},
		{"v_subrev_f32 v0, v2, v4", one32, one32 + 1, 0, 0},
		{"v_mul_f32 v0, v2, v4", small32, third32, 0, under | inexact},
		{"v_mul_f32 v0, v2, v4", 0, inf32, 0, invalid},
		{"v_mul_legacy_f32 v0, v2, v4", 0, inf32, 0, 0},
		{"v_mul_legacy_f32 v0, v2, v4", big32, big32, 0, over | inexact},
		{"v_fma_f32 v0, v2, v4, v6", big32, one32, big32, over | inexact},
		{"v_mad_f32 v0, v2, v4, v6", third32, third32, 0, inexact},
		{"v_fma_f64 v[0:1], v[2:3], v[4:5], v[6:7]", d(1e300), d(1e300), d(math.Inf(-1)), 0},
		{"v_add_f64 v[0:1], v[2:3], v[4:5]", d(0.1), d(0.2), 0, inexact},
		{"v_mul_f64 v[0:1], v[2:3], v[4:5]", d(1e-300), d(1e-300), 0, under | inexact},
		{"v_add_f16 v0, v2, v4", big16, big16, 0, over | inexact},
		{"v_pk_add_f16 v0, v2, v4", one16, one16 | sig16<<16, 0, invalid},
		{"v_pk_mul_f16 v0, v2, v4", one16 | big16<<16, one16 | big16<<16, 0, over | inexact},
		{"v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7]", one32 | big32<<32, one32 | big32<<32, 0,
			over | inexact},
		{"v_min_f32 v0, v2, v4", sig32, one32, 0, invalid},
		{"v_max3_f32 v0, v2, v4, v6", quiet32, one32, 1, 0},
		{"v_cmp_lt_f32 vcc, v2, v4", sig32, one32, 0, invalid},
		{"v_cmp_lt_f32 vcc, v2, v4", quiet32, one32, 0, 0},
		{"v_cmp_class_f32 vcc, v2, v4", sig32, 1, 0, 0},
		{"v_floor_f32 v0, v2", sig32, 0, 0, invalid},
		{"v_floor_f32 v0, v2", third32, 0, 0, 0},
		{"v_ldexp_f32 v0, v2, v4", one32, 128, 0, over | inexact},
		{"v_cvt_f16_f32 v0, v2", f(65520), 0, 0, over | inexact},
		{"v_cvt_f32_f16 v0, v2", sig16, 0, 0, invalid},
		{"v_cvt_f32_f64 v0, v[2:3]", d(0.1), 0, 0, inexact},
		{"v_cvt_f64_f32 v[0:1], v2", third32, 0, 0, 0},
		{"v_cvt_f32_i32 v0, v2", 0x7fff_ffff, 0, 0, inexact},
		{"v_cvt_f32_u32 v0, v2", 1 << 31, 0, 0, 0},
		{"v_cvt_i32_f32 v0, v2", f(1.5), 0, 0, inexact},
		{"v_cvt_i32_f32 v0, v2", f(3e9), 0, 0, invalid},
		{"v_cvt_u32_f32 v0, v2", f(3e9), 0, 0, 0},
		{"v_cvt_u32_f32 v0, v2", f(-1), 0, 0, invalid},
		{"v_cvt_pkrtz_f16_f32 v0, v2, v4", one32, f(1e6), 0, over | inexact},
		{"v_log_legacy_f32 v0, v2", 0, 0, 0, zero},
		{"v_cvt_i16_f16 v0, v2", one16, 0, 0, 0},
		{"v_rcp_f32 v0, v2", 0, 0, 0, zero},
		{"v_rcp_f32 v0, v2", f(3), 0, 0, 0},
		{"v_rcp_iflag_f32 v0, v2", 0, 0, 0, intDivideByZero},
		{"v_rcp_iflag_f32 v0, v2", f(3), 0, 0, 0},
		{"v_rsq_f32 v0, v2", f(-1), 0, 0, invalid},
		{"v_rsq_f64 v[0:1], v[2:3]", 0, 0, 0, zero},
		{"v_sqrt_f32 v0, v2", f(-1), 0, 0, invalid},
		{"v_sqrt_f32 v0, v2", 1 << 31, 0, 0, 0},
		{"v_log_f32 v0, v2", 0, 0, 0, zero},
		{"v_log_f32 v0, v2", f(-2), 0, 0, invalid},
		{"v_exp_f32 v0, v2", f(200), 0, 0, over},
		{"v_exp_f32 v0, v2", f(-200), 0, 0, under},
		{"v_sin_f32 v0, v2", inf32, 0, 0, invalid},
		{"v_div_fixup_f32 v0, v2, v4, v6", 0, 0, one32, zero},
		{"v_div_fixup_f32 v0, v2, v4, v6", 0, 0, 0, invalid},
		{"v_div_fixup_f32 v0, v2, v4, v6", 0, small32, big32, over},
		{"v_div_fmas_f32 v0, v2, v4, v6", big32, one32, big32, over | inexact},
		{"v_add_u32 v0, v2, v4", ^uint64(0), 1, 0, 0},
	}
	asm := []string{"s_getreg_b32 s8, hwreg(HW_REG_TRAPSTS)"} // it makes exceptions count
	for _, c := range cases {
		asm = append(asm, c.asm)
	}
	words := assembledWords(t, "gfx90a", asm...)
	for i, c := range cases {
		h := newHarness(t, "gfx90a")
		h.load(words[1+i], words[0])
		if err := h.isa.Prepare(); err != nil {
			t.Fatal(err)
		}
		h.exec(1 << 5)
		h.regs.S[regMode] = ModeDenorm32 | ModeDenorm64
		for l := range 64 { // inactive lanes raise nothing
			h.regs.V[2][l], h.regs.V[4][l] = sig32, sig32
		}
		for i, v := range []uint64{c.a, c.b, c.c} {
			h.regs.V[2+2*i][5], h.regs.V[3+2*i][5] = uint32(v), uint32(v>>32)
		}
		if ev := h.core.Run(h.w, 2); ev.Kind != simt.NoEvent {
			t.Errorf("%s stops: %v", c.asm, ev)
		}
		if got := softfloat.Flags(h.regs.S[8]); got != c.want {
			t.Errorf("%s of %#x, %#x, %#x raises %07b, want %07b", c.asm, c.a, c.b, c.c, got, c.want)
		}
	}
}

// silent are the rows with floats that raise nothing.
var silent = regexp.MustCompile(`^v_(cndmask_b32|div_scale_f(32|64)|cmpx?_class_f(16|32|64)|trig_preop_f64|pack_b32_f16|` +
	`frexp_exp_i(16|32)_f(16|32|64)|dot2c?_f32_b?f16|` +
	`cvt_(f32_(fp8|bf8|bf16|ubyte[0-3])|pk_f32_[fb][pf]8|pk_[fb][pf]8_f32|pk_b?f16_f32|pk(accum)?_u8_f32|` +
	`(pk)?norm_[iu]16_f(16|32)|(flr|rpi)_i32_f32|off_f32_i4|sr_.*)|cube.*)$`)

// TestExceptionsOfEveryRow: what computes with floats has a rule, or is said to have none.
func TestExceptionsOfEveryRow(t *testing.T) {
	for _, rows := range opTables() {
		for i := range rows {
			op := &rows[i]
			floats := op.dst.isFloat()
			for _, typ := range op.src {
				floats = floats || typ.isFloat()
			}
			if op.vec == nil || !floats {
				continue
			}
			if raiserOf(op) != nil == silent.MatchString(op.Name) {
				t.Errorf("%s: a rule %v, said to raise nothing %v", op.Name, raiserOf(op) != nil,
					silent.MatchString(op.Name))
			}
		}
	}
}

// TestTraps: an enabled exception stops the wave after the instruction, with the lanes that raise it; others
// do
// not.
func TestTraps(t *testing.T) {
	everyPath(t, func(t *testing.T, start func(string) *harness) {
		h := start("gfx900")
		h.load(assembledWords(t, "gfx900", "v_rcp_f32 v0, v2", "v_add_f32 v0, v2, v2", "s_nop 0")...)
		h.regs.S[regMode] = ModeDenorm32 | uint32(softfloat.DivideByZero)<<ModeExcpShift
		h.vector(2, func(l int) uint32 { return pick32(l == 3 || l == 9, 0, sig32) })
		ev := h.core.Run(h.w, 100)
		if ev.Kind != simt.TrapEvent || ev.Trap != simt.ArithmeticTrap || ev.Lanes != 1<<3|1<<9 ||
			ev.PC != codeBase ||
			h.w.PC != codeBase+4 || ev.Text != "division by zero" {
			t.Fatalf("the event is %+v, the PC %#x", ev, h.w.PC)
		}
		if h.regs.V[0][3] != inf32 {
			t.Errorf("lane 3 has %#x", h.regs.V[0][3])
		}
		if ev := h.core.Run(h.w, 2); ev.Kind != simt.NoEvent {
			t.Errorf("what is not enabled stops: %+v", ev)
		}
		if got, want := h.regs.S[regTrapSts], uint32(softfloat.DivideByZero|softfloat.Invalid); got != want {
			t.Errorf("TRAPSTS is %07b, want %07b", got, want)
		}
	})
}

// TestExceptionsDoNotCount where neither MODE nor the program asks for them.
func TestExceptionsDoNotCount(t *testing.T) {
	everyPath(t, func(t *testing.T, start func(string) *harness) {
		h := start("gfx900")
		h.load(assembledWords(t, "gfx900", "v_rcp_f32 v0, v2")...)
		if err := h.isa.Prepare(); err != nil {
			t.Fatal(err)
		}
		if ev := h.core.Run(h.w, 1); ev.Kind != simt.NoEvent || h.regs.S[regTrapSts] != 0 {
			t.Errorf("%+v, TRAPSTS %#x", ev, h.regs.S[regTrapSts])
		}
	})
}
