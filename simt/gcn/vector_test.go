package gcn

import (
	"encoding/binary"
	"testing"

	"simtgdb/simt"
)

// A vectorRun executes single instructions on a wave whose lanes all hold the
// same operands: v0 and v1 the destination, v[2:3], v[4:5] and v[6:7] the
// sources a, b and c.
type vectorRun struct {
	isa  *ISA
	core *Core
	w    *simt.Wave
	regs *Regs
	runs map[*Op]int
}

// runVectors are the registers that a run has at first: those that most tests name, also of accumulation
// registers. It has more once an instruction names them.
const runVectors = accBase + 64

func newVectorRun(t testing.TB, processor string) *vectorRun {
	t.Helper()
	isa, err := New(processor, nil, Kernel{})
	if err != nil {
		t.Fatal(err)
	}
	w := &simt.Wave{Size: 64, Valid: ^uint64(0), Group: &simt.Workgroup{}}
	r := newRegs(w, runVectors)
	core := isa.NewCore(&simt.Machine{}).(*Core)
	core.w, core.r = w, r
	r.S[regMode] = ModeDenorm32 | ModeDenorm64 | ModeIEEE | ModeDX10Clamp
	setExec(w, ^uint64(0))
	return &vectorRun{isa, core, w, r, map[*Op]int{}}
}

const oldDst = 0xdead_beef

func (r *vectorRun) load(a, b, c uint64) {
	for i, v := range []uint64{oldDst | oldDst<<32, a, b, c} {
		for l := range r.regs.V[0] {
			r.regs.V[2*i][l], r.regs.V[2*i+1][l] = uint32(v), uint32(v>>32)
		}
	}
}

func (r *vectorRun) decode(t testing.TB, code []byte) *Inst {
	t.Helper()
	in, err := r.isa.Decode(code, 0)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func (r *vectorRun) run(t testing.TB, in *Inst) {
	t.Helper()
	r.regs.hold(in.vectors())
	if n := r.runs[in.Op]; n < manyRuns || n%manyRuns == 0 {
		defer r.runElsewhere(t, in, r.harness().state())
	}
	r.runs[in.Op]++
	in.exec(r.core, in)
	if r.core.stop.Kind != simt.NoEvent {
		t.Fatalf("%v: %v", in, r.core.stop.Fault)
	}
}

func (r *vectorRun) pair(reg, lane int) uint64 {
	return uint64(r.regs.V[reg][lane]) | uint64(r.regs.V[reg+1][lane])<<32
}

func wordsCode(words ...uint32) []byte {
	var code []byte
	for _, w := range words {
		code = binary.LittleEndian.AppendUint32(code, w)
	}
	return code
}

// Values of floats by name.
const (
	nan32Bits = 0x7fc0_0000
	snan32    = 0x7f80_0001
	inf32     = 0x7f80_0000
	one32     = 0x3f80_0000
	two32     = 0x4000_0000
	three32   = 0x4040_0000
	half32    = 0x3f00_0000
	denorm32  = 0x0000_0001
	minNormal = 0x0080_0000
	huge32    = 0x7f7f_ffff
	minus32   = 0x8000_0000
	minInt    = 0x8000_0000
	one64     = 0x3ff0_0000_0000_0000
	onePoint5 = 0x3ff8_0000_0000_0000
	inf64     = 0x7ff0_0000_0000_0000
	nan64     = 0x7ff8_0000_0000_0000
	one16     = 0x3c00
	inf16     = 0x7c00
	nan16     = 0x7e00
	max16     = 0x7bff
	allOnes32 = 0xffff_ffff
	allOnes64 = 0xffff_ffff_ffff_ffff
	patternA  = 0x1234_5678
	patternB  = 0x9abc_def0
	oldHigh   = oldDst & 0xffff_0000
	oldLow    = oldDst & 0xffff
	kept      = oldDst<<32 | oldDst
)

type values struct {
	a, b, c, want uint64
}

// vectorCases are instructions with operands and the results that the MI200
// ISA document's definitions give. A 32-bit result is compared with the low
// dword.
var vectorCases = []struct {
	asm    string
	values []values
}{
	{"v_mov_b32_e32 v0, v2", []values{{a: patternA, want: patternA}}},
	{"v_mov_b32_e32 v0, 0xcafe1234", []values{{want: 0xcafe1234}}},
	{"v_not_b32_e32 v0, v2", []values{{a: patternA, want: 0xedcba987}}},
	{"v_bfrev_b32_e32 v0, v2", []values{{a: 1, want: minInt}, {a: 0xf0, want: 0x0f000000}}},
	{"v_ffbh_u32_e32 v0, v2", []values{{a: 0, want: allOnes32}, {a: 1, want: 31}, {a: minInt, want: 0}}},
	{"v_ffbl_b32_e32 v0, v2", []values{{a: 0, want: allOnes32}, {a: minInt, want: 31}, {a: 6, want: 1}}},
	{"v_ffbh_i32_e32 v0, v2",
		[]values{{a: 0, want: allOnes32}, {a: allOnes32, want: allOnes32}, {a: 1, want: 31},
			{a: minInt, want: 1}, {a: 0xfffffffe, want: 31}}},

	{"v_add_u32_e32 v0, v2, v4", []values{{a: allOnes32, b: 2, want: 1}}},
	{"v_add_u32_e64 v0, v2, v4 clamp", []values{{a: allOnes32, b: 2, want: allOnes32},
		{a: 3, b: 4, want: 7}}},
	{"v_sub_u32_e32 v0, v2, v4", []values{{a: 1, b: 2, want: allOnes32}}},
	{"v_sub_u32_e64 v0, v2, v4 clamp", []values{{a: 1, b: 2, want: 0}}},
	{"v_subrev_u32_e32 v0, v2, v4", []values{{a: 1, b: 5, want: 4}}},
	{"v_add_i32 v0, v2, v4 clamp",
		[]values{{a: 0x7fffffff, b: 1, want: 0x7fffffff}, {a: minInt, b: allOnes32, want: minInt}}},
	{"v_sub_i32 v0, v2, v4 clamp", []values{{a: minInt, b: 1, want: minInt}}},
	{"v_mul_lo_u32 v0, v2, v4", []values{{a: 0x10001, b: 0x10001, want: 0x20001}}},
	{"v_mul_hi_u32 v0, v2, v4", []values{{a: allOnes32, b: allOnes32, want: 0xfffffffe}}},
	{"v_mul_hi_i32 v0, v2, v4",
		[]values{{a: allOnes32, b: allOnes32, want: 0}, {a: minInt, b: minInt, want: 0x40000000},
			{a: minInt, b: 1, want: allOnes32}}},
	{"v_mul_i32_i24_e32 v0, v2, v4",
		[]values{{a: 0xff800000, b: 2, want: 0xff000000}, {a: 0x55ffffff, b: 5, want: 0xfffffffb}}},
	{"v_mul_hi_i32_i24_e32 v0, v2, v4",
		[]values{{a: 0x800000, b: 0x800000, want: 0x4000}, {a: 0xffffff, b: 1, want: allOnes32}}},
	{"v_mul_u32_u24_e32 v0, v2, v4", []values{{a: 0xffffffff, b: 2, want: 0x1fffffe}}},
	{"v_mul_hi_u32_u24_e32 v0, v2, v4", []values{{a: 0xffffff, b: 0xffffff, want: 0xffff}}},
	{"v_mad_u32_u24 v0, v2, v4, v6", []values{{a: 0xff000003, b: 5, c: 7, want: 22}}},
	{"v_mad_i32_i24 v0, v2, v4, v6", []values{{a: 0xffffff, b: 5, c: 7, want: 2}}},
	{"v_mad_u64_u32 v[0:1], vcc, v2, v4, v[6:7]",
		[]values{{a: allOnes32, b: allOnes32, c: 0xfffffffe_00000001, want: 0xfffffffc_00000002},
			{a: 3, b: 4, c: 5 << 32, want: 5<<32 | 12}}},
	{"v_mad_i64_i32 v[0:1], vcc, v2, v4, v[6:7]",
		[]values{{a: allOnes32, b: 7, c: 10, want: 3}, {a: minInt, b: minInt, c: 0, want: 1 << 62}}},
	{"v_lshl_add_u32 v0, v2, v4, v6", []values{{a: 3, b: 33, c: 1, want: 7}}},
	{"v_add_lshl_u32 v0, v2, v4, v6", []values{{a: allOnes32, b: 4, c: 2, want: 12}}},
	{"v_add3_u32 v0, v2, v4, v6", []values{{a: allOnes32, b: 1, c: 5, want: 5}}},
	{"v_lshl_or_b32 v0, v2, v4, v6", []values{{a: 1, b: 8, c: 0x10, want: 0x110}}},
	{"v_and_or_b32 v0, v2, v4, v6", []values{{a: 0xff, b: 0xf0, c: 1, want: 0xf1}}},
	{"v_or3_b32 v0, v2, v4, v6", []values{{a: 1, b: 2, c: 4, want: 7}}},
	{"v_xad_u32 v0, v2, v4, v6", []values{{a: 5, b: 3, c: 10, want: 16}}},
	{"v_bfe_u32 v0, v2, v4, v6",
		[]values{{a: patternB, b: 4, c: 8, want: 0xef}, {a: patternB, b: 4, c: 0, want: 0},
			{a: allOnes32, b: 31, c: 31, want: 1}}},
	{"v_bfe_i32 v0, v2, v4, v6",
		[]values{{a: patternB, b: 4, c: 8, want: 0xffffffef}, {a: patternB, b: 0, c: 4, want: 0},
			{a: patternB, b: 3, c: 0, want: 0}}},
	{"v_bfi_b32 v0, v2, v4, v6", []values{{a: 0xffff0000, b: patternA, c: patternB, want: 0x1234def0}}},
	{"v_bfm_b32 v0, v2, v4", []values{{a: 4, b: 8, want: 0xf00}, {a: 32, b: 0, want: 0}}},
	{"v_alignbit_b32 v0, v2, v4, v6",
		[]values{{a: patternA, b: patternB, c: 8, want: 0x789abcde}, {a: 1, b: 2, c: 32, want: 2}}},
	{"v_alignbyte_b32 v0, v2, v4, v6", []values{{a: patternA, b: patternB, c: 3, want: 0x3456789a}}},
	{"v_perm_b32 v0, v2, v4, v6",
		[]values{{a: patternA, b: patternB, c: 0x07060504, want: patternA},
			{a: patternA, b: patternB, c: 0x0c0d0b00, want: 0x00ff00f0},
			{a: patternA, b: patternB, c: 0x03020108, want: 0x9abcdeff}}},
	{"v_min_i32_e32 v0, v2, v4", []values{{a: minInt, b: 1, want: minInt}}},
	{"v_min_u32_e32 v0, v2, v4", []values{{a: minInt, b: 1, want: 1}}},
	{"v_max_i32_e32 v0, v2, v4", []values{{a: minInt, b: 1, want: 1}}},
	{"v_max_u32_e32 v0, v2, v4", []values{{a: minInt, b: 1, want: minInt}}},
	{"v_min3_i32 v0, v2, v4, v6", []values{{a: 3, b: 0xfffffffe, c: 2, want: 0xfffffffe}}},
	{"v_max3_u32 v0, v2, v4, v6", []values{{a: 3, b: 0xfffffffe, c: 2, want: 0xfffffffe}}},
	{"v_med3_i32 v0, v2, v4, v6", []values{{a: 3, b: 0xfffffffe, c: 2, want: 2}}},
	{"v_med3_u32 v0, v2, v4, v6", []values{{a: 3, b: 0xfffffffe, c: 2, want: 3}}},
	{"v_sad_u8 v0, v2, v4, v6", []values{{a: 0x01020304, b: 0x04030201, c: 100, want: 108}}},
	{"v_msad_u8 v0, v2, v4, v6", []values{{a: 0x01020304, b: 0x04000201, c: 0, want: 7}}},
	{"v_sad_u16 v0, v2, v4, v6", []values{{a: 0x00010005, b: 0x00040002, c: 1, want: 7}}},
	{"v_sad_u32 v0, v2, v4, v6", []values{{a: 1, b: 5, c: 1, want: 5}}},
	{"v_lerp_u8 v0, v2, v4, v6", []values{{a: 0xff000103, b: 0xff010204, c: 0x00010100, want: 0xff010203}}},
	{"v_bcnt_u32_b32 v0, v2, v4", []values{{a: 0xf0f, b: 10, want: 18}}},

	{"v_lshlrev_b32_e32 v0, v2, v4", []values{{a: 33, b: 3, want: 6}}},
	{"v_lshrrev_b32_e32 v0, v2, v4", []values{{a: 36, b: patternB, want: 0x09abcdef}}},
	{"v_ashrrev_i32_e32 v0, v2, v4", []values{{a: 36, b: patternB, want: 0xf9abcdef}}},
	{"v_lshlrev_b64 v[0:1], v2, v[4:5]", []values{{a: 68, b: 0xffffffff, want: 0xf_fffffff0}}},
	{"v_lshrrev_b64 v[0:1], v2, v[4:5]", []values{{a: 4, b: 0xf_fffffff0, want: 0xffffffff}}},
	{"v_ashrrev_i64 v[0:1], v2, v[4:5]", []values{{a: 60, b: 1 << 63, want: 0xffffffff_fffffff8}}},

	{"v_add_u16_e32 v0, v2, v4",
		[]values{{a: 0xffff, b: 2, want: 1}, {a: 0x1234_0001, b: 0x5678_0001, want: 2}}},
	{"v_sub_u16_e32 v0, v2, v4", []values{{a: 1, b: 2, want: 0xffff}}},
	{"v_mul_lo_u16_e32 v0, v2, v4", []values{{a: 0xffff, b: 0xffff, want: 1}}},
	{"v_lshlrev_b16_e32 v0, v2, v4", []values{{a: 20, b: 0x1234, want: 0x2340}}},
	{"v_lshrrev_b16_e32 v0, v2, v4", []values{{a: 4, b: 0xffff_f234, want: 0x0f23}}},
	{"v_ashrrev_i16_e32 v0, v2, v4", []values{{a: 4, b: 0xf234, want: 0xff23}}},
	{"v_max_i16_e32 v0, v2, v4", []values{{a: 0xffff, b: 1, want: 1}}},
	{"v_mad_u16 v0, v2, v4, v6", []values{{a: 3, b: 5, c: 7, want: oldHigh | 22}}},
	{"v_mad_u16 v0, v2, v4, v6 op_sel:[1,0,0,1]", []values{{a: 3 << 16, b: 5, c: 7, want: 22<<16 | oldLow}}},
	{"v_mad_i16 v0, v2, v4, v6 clamp",
		[]values{{a: 0x7fff, b: 2, c: 0, want: oldHigh | 0x7fff},
			{a: 0x8000, b: 2, c: 0, want: oldHigh | 0x8000}}},
	{"v_mad_legacy_u16 v0, v2, v4, v6", []values{{a: 3, b: 5, c: 7, want: 22}}},
	{"v_add_i16 v0, v2, v4 op_sel:[0,1,0]", []values{{a: 3, b: 5 << 16, want: oldHigh | 8}}},
	{"v_sat_pk_u8_i16_e32 v0, v2", []values{{a: 0x0100_ffff, want: 0xff00}, {a: 0x007f_0010, want: 0x7f10}}},
	{"v_pack_b32_f16 v0, v2, v4", []values{{a: patternA, b: patternB, want: 0xdef05678}}},
	{"v_pack_b32_f16 v0, v2, v4 op_sel:[1,1,0]", []values{{a: patternA, b: patternB, want: 0x9abc1234}}},

	{"v_add_f32_e32 v0, v2, v4", []values{
		{a: one32, b: one32, want: two32}, {a: inf32, b: inf32 | minus32, want: nan32Bits},
		{a: snan32, b: one32, want: snan32 | 1<<22},
		{a: one32, b: 0xffc00123, want: 0xffc00123}, {a: denorm32, b: denorm32, want: 2},
		{a: minus32, b: 0, want: 0}, {a: minus32, b: minus32, want: minus32},
		{a: huge32, b: huge32, want: inf32}}},
	{"v_sub_f32_e32 v0, v2, v4", []values{{a: one32, b: two32, want: one32 | minus32}}},
	{"v_subrev_f32_e32 v0, v2, v4", []values{{a: one32, b: two32, want: one32}}},
	{"v_mul_f32_e32 v0, v2, v4",
		[]values{{a: two32, b: half32, want: one32}, {a: 0, b: inf32, want: nan32Bits},
			{a: minNormal, b: half32, want: 0x400000}}},
	{"v_mul_f32_e64 v0, -v2, |v4|", []values{{a: two32, b: half32 | minus32, want: one32 | minus32}}},
	{"v_mul_f32_e64 v0, v2, v4 clamp",
		[]values{{a: two32, b: two32, want: one32}, {a: two32, b: one32 | minus32, want: 0},
			{a: nan32Bits, b: 0, want: 0}}},
	{"v_mul_legacy_f32 v0, v2, v4", []values{{a: 0, b: inf32, want: 0}, {a: two32, b: half32, want: one32}}},
	{"v_max_f32_e32 v0, v2, v4",
		[]values{{a: minus32, b: 0, want: 0}, {a: nan32Bits, b: one32, want: one32},
			{a: snan32, b: one32, want: snan32 | 1<<22},
			{a: one32 | minus32, b: two32 | minus32, want: one32 | minus32}}},
	{"v_min_f32_e32 v0, v2, v4",
		[]values{{a: 0, b: minus32, want: minus32}, {a: one32, b: nan32Bits, want: one32}}},
	{"v_min3_f32 v0, v2, v4, v6", []values{{a: one32, b: two32, c: half32, want: half32}}},
	{"v_med3_f32 v0, v2, v4, v6",
		[]values{{a: one32, b: two32, c: half32, want: one32},
			{a: two32, b: nan32Bits, c: one32, want: one32}}},
	{"v_fma_f32 v0, v2, v4, v6", []values{
		{a: three32, b: three32, c: one32 | minus32, want: 0x41000000},
		{a: 0, b: inf32, c: one32, want: nan32Bits},
		{a: inf32, b: one32, c: inf32 | minus32, want: nan32Bits},
		{a: one32, b: one32, c: one32 | minus32, want: 0}, {a: minus32, b: one32, c: minus32, want: minus32},
		// 1+2^-23 squared is 1+2^-22+2^-46, which only a fused result shows.
		{a: 0x3f800001, b: 0x3f800001, c: 0xbf800002, want: 0x28800000},
		// Half an ulp and a little more: rounding to double first would lose it.
		{a: 0x3f800001, b: 0x33800000, c: one32, want: 0x3f800001}}},
	{"v_fma_f32 v0, -v2, v4, |v6|", []values{{a: three32, b: three32, c: one32 | minus32, want: 0xc1000000}}},
	{"v_fma_f64 v[0:1], v[2:3], v[4:5], v[6:7]",
		[]values{{a: onePoint5, b: onePoint5, c: one64, want: 0x400a_0000_0000_0000},
			{a: 0, b: inf64, c: one64, want: nan64}}},
	{"v_add_f64 v[0:1], v[2:3], v[4:5]", []values{{a: one64, b: onePoint5, want: 0x4004_0000_0000_0000}}},
	{"v_add_f64 v[0:1], v[2:3], -v[4:5]", []values{{a: one64, b: onePoint5, want: 0xbfe0_0000_0000_0000}}},
	{"v_mul_f64 v[0:1], v[2:3], v[4:5]", []values{{a: onePoint5, b: onePoint5, want: 0x4002_0000_0000_0000}}},
	{"v_max_f64 v[0:1], v[2:3], v[4:5]",
		[]values{{a: onePoint5, b: one64, want: onePoint5}, {a: nan64, b: one64, want: one64}}},
	{"v_ldexp_f64 v[0:1], v[2:3], v4",
		[]values{{a: one64, b: 3, want: 0x4020_0000_0000_0000},
			{a: one64, b: 0xfffffc00, want: 0x0004_0000_0000_0000}, {a: one64, b: 0x7fffffff, want: inf64}}},
	{"v_ldexp_f32 v0, v2, v4",
		[]values{{a: one32, b: 0xffffffff, want: half32}, {a: one32, b: 0xffffff6b, want: denorm32},
			{a: 0x3f800001, b: 0xffffff80, want: 0x00200000}}},
	{"v_frexp_mant_f32_e32 v0, v2",
		[]values{{a: three32, want: 0x3f400000}, {a: denorm32, want: half32}, {a: inf32, want: inf32},
			{a: minus32, want: minus32}}},
	{"v_frexp_exp_i32_f32_e32 v0, v2",
		[]values{{a: three32, want: 2}, {a: denorm32, want: 0xffffff6c}, {a: inf32, want: 0},
			{a: 0, want: 0}}},
	{"v_frexp_exp_i32_f64_e32 v0, v[2:3]", []values{{a: onePoint5, want: 1}}},
	{"v_trunc_f32_e32 v0, v2", []values{{a: 0xbfc00000, want: 0xbf800000}, {a: 0xbf000000, want: minus32}}},
	{"v_ceil_f32_e32 v0, v2", []values{{a: 0xbf000000, want: minus32}, {a: 0x3f000000, want: one32}}},
	{"v_floor_f32_e32 v0, v2", []values{{a: 0xbf000000, want: 0xbf800000}}},
	{"v_rndne_f32_e32 v0, v2", []values{{a: 0x3fc00000, want: two32}, {a: 0x40200000, want: two32}}},
	{"v_fract_f32_e32 v0, v2",
		[]values{{a: 0x3fc00000, want: half32}, {a: 0xb3000000, want: 0x3f7fffff},
			{a: inf32, want: nan32Bits}}},
	{"v_floor_f64_e32 v[0:1], v[2:3]", []values{{a: onePoint5, want: one64}}},
	{"v_rcp_f32_e32 v0, v2",
		[]values{{a: two32, want: half32}, {a: 0, want: inf32}, {a: minus32, want: inf32 | minus32},
			{a: denorm32, want: inf32}, {a: inf32, want: 0}}},
	{"v_rsq_f32_e32 v0, v2",
		[]values{{a: 0x40800000, want: half32}, {a: minus32, want: inf32 | minus32},
			{a: 0xbf800000, want: nan32Bits}}},
	{"v_sqrt_f32_e32 v0, v2",
		[]values{{a: 0x40800000, want: two32}, {a: 0xbf800000, want: nan32Bits},
			{a: minus32, want: minus32}}},
	{"v_exp_f32_e32 v0, v2",
		[]values{{a: three32, want: 0x41000000}, {a: inf32 | minus32, want: 0}, {a: 0, want: one32}}},
	{"v_log_f32_e32 v0, v2",
		[]values{{a: 0x41000000, want: three32}, {a: 0, want: inf32 | minus32},
			{a: 0xbf800000, want: nan32Bits}}},
	{"v_sin_f32_e32 v0, v2",
		[]values{{a: 0x3e800000, want: one32}, {a: half32, want: 0}, {a: 0x3f400000, want: 0xbf800000},
			{a: inf32, want: nan32Bits}}},
	{"v_cos_f32_e32 v0, v2", []values{{a: 0, want: one32}, {a: half32, want: 0xbf800000}}},
	{"v_rcp_f64_e32 v[0:1], v[2:3]", []values{{a: 0x4000_0000_0000_0000, want: 0x3fe0_0000_0000_0000}}},

	{"v_cvt_i32_f32_e32 v0, v2",
		[]values{{a: 0xbfc00000, want: allOnes32}, {a: nan32Bits, want: 0}, {a: 0x4f800000, want: 0x7fffffff},
			{a: 0xcf800000, want: minInt}, {a: 0x4effffff, want: 0x7fffff80}}},
	{"v_cvt_u32_f32_e32 v0, v2",
		[]values{{a: 0xbfc00000, want: 0}, {a: nan32Bits, want: 0}, {a: inf32, want: allOnes32},
			{a: 0x4f000000, want: minInt}}},
	{"v_cvt_f32_i32_e32 v0, v2",
		[]values{{a: minInt, want: 0xcf000000}, {a: 0x1000001, want: 0x4b800000},
			{a: 0x1000003, want: 0x4b800002}}},
	{"v_cvt_f32_u32_e32 v0, v2", []values{{a: allOnes32, want: 0x4f800000}}},
	{"v_cvt_f64_i32_e32 v[0:1], v2", []values{{a: allOnes32, want: 0xbff0_0000_0000_0000}}},
	{"v_cvt_f64_u32_e32 v[0:1], v2", []values{{a: allOnes32, want: 0x41ef_ffff_ffe0_0000}}},
	{"v_cvt_i32_f64_e32 v0, v[2:3]", []values{{a: 0xc1e0_0000_0020_0000, want: minInt}}},
	{"v_cvt_f32_f64_e32 v0, v[2:3]",
		[]values{{a: one64 | 1<<28, want: one32}, {a: one64 | 1<<28 | 1, want: 0x3f800001},
			{a: nan64, want: nan32Bits}, {a: 0x36a0_0000_0000_0000, want: denorm32}}},
	{"v_cvt_f64_f32_e32 v[0:1], v2",
		[]values{{a: denorm32, want: 0x36a0_0000_0000_0000}, {a: 0x3fc00000, want: onePoint5}}},
	{"v_cvt_f16_f32_e32 v0, v2",
		[]values{{a: one32, want: one16}, {a: 0x477ff000, want: inf16}, {a: 0x477fefff, want: max16},
			{a: 0x33000000, want: 0}, {a: 0x33000001, want: 1}, {a: nan32Bits, want: nan16}}},
	{"v_cvt_f32_f16_e32 v0, v2", []values{{a: 0xabcd_0001, want: 0x33800000}, {a: 0xfc00, want: 0xff800000}}},
	{"v_cvt_pkrtz_f16_f32 v0, v2, v4", []values{{a: 0x477fffff, b: 0xbf800001, want: 0xbc00_7bff}}},
	{"v_cvt_f32_ubyte2_e32 v0, v2", []values{{a: 0x00ff0000, want: 0x437f0000}}},
	{"v_cvt_rpi_i32_f32_e32 v0, v2", []values{{a: 0x3fc00000, want: 2}, {a: 0xbfc00000, want: allOnes32}}},
	{"v_cvt_flr_i32_f32_e32 v0, v2", []values{{a: 0xbfc00000, want: 0xfffffffe}}},
	{"v_cvt_off_f32_i4_e32 v0, v2", []values{{a: 8, want: 0xbf000000}, {a: 7, want: 0x3ee00000}}},
	{"v_cvt_pk_i16_i32 v0, v2, v4", []values{{a: 0x12345, b: 0xfffe0000, want: 0x8000_7fff}}},
	{"v_cvt_pk_u16_u32 v0, v2, v4", []values{{a: 0x12345, b: 7, want: 0x0007_ffff}}},
	{"v_cvt_pknorm_i16_f32 v0, v2, v4", []values{{a: one32, b: 0xbf800000, want: 0x8001_7fff}}},
	{"v_cvt_pk_u8_f32 v0, v2, v4, v6", []values{{a: three32, b: 1, c: allOnes32, want: 0xffff03ff}}},

	{"v_add_f16_e32 v0, v2, v4",
		[]values{{a: one16, b: one16, want: 0x4000}, {a: max16, b: max16, want: inf16},
			{a: 1, b: 1, want: 2}}},
	{"v_mul_f16_e32 v0, v2, v4", []values{{a: 0x4000, b: 0x3800, want: one16}}},
	{"v_fma_f16 v0, v2, v4, v6", []values{{a: 0x4200, b: 0x4200, c: 0xbc00, want: oldHigh | 0x4800}}},
	{"v_fma_f16 v0, v2, v4, v6 op_sel:[1,0,0,1]",
		[]values{{a: 0x4200 << 16, b: 0x4200, c: 0xbc00, want: 0x4800<<16 | oldLow}}},
	{"v_mac_f16_e32 v0, v2, v4", []values{{a: one16, b: 0, want: oldHigh | 0xbeef}}},
	{"v_ldexp_f16_e32 v0, v2, v4", []values{{a: one16, b: 1, want: 0x4000}}},
	{"v_rndne_f16_e32 v0, v2", []values{{a: 0x3e00, want: 0x4000}}},

	{"v_min_f32_e32 v0, v2, v4", []values{{a: nan32Bits, b: nan32Bits | 7, want: nan32Bits | 7}}},
	{"v_max_f32_e32 v0, v2, v4",
		[]values{{a: nan32Bits | 5, b: nan32Bits | minus32, want: nan32Bits | minus32}}},
	{"v_min_f64 v[0:1], v[2:3], v[4:5]", []values{{a: nan64, b: nan64 | 7, want: nan64 | 7}}},
	{"v_max_f16_e32 v0, v2, v4", []values{{a: nan16, b: nan16 | 1, want: nan16 | 1}}},

	{"v_div_fixup_f32 v0, v2, v4, v6", []values{
		{a: one32, b: 0x7f000000, c: 0x33800000, want: 0},
		{a: one32, b: 0x7f000000 | minus32, c: 0x33000000, want: minus32},
		{a: one32, b: 0x7f000000, c: 0x34000000, want: one32}, // exponents -151, -152 and -150 apart
		{a: one32, b: 0, c: one32, want: inf32}, {a: one32, b: 0, c: 0, want: 0xffc00000},
		{a: one32, b: inf32, c: one32 | minus32, want: minus32},
		{a: one32, b: one32 | minus32, c: one32, want: one32 | minus32},
		{a: one32, b: snan32, c: one32, want: snan32 | 1<<22}}},

	{"v_pk_add_u16 v0, v2, v4", []values{{a: 0xffff_0001, b: 0x0002_0003, want: 0x0001_0004}}},
	{"v_pk_add_u16 v0, v2, v4 op_sel:[1,0] op_sel_hi:[0,1]",
		[]values{{a: 0x0010_0001, b: 0x0002_0003, want: 0x0003_0013}}},
	{"v_pk_sub_i16 v0, v2, v4", []values{{a: 0, b: 0x0001_0001, want: allOnes32}}},
	{"v_pk_sub_i16 v0, 0, v4 op_sel_hi:[0,1]", []values{{b: 0x0001_0001, want: allOnes32}}},
	{"v_pk_add_i16 v0, v2, v4 clamp", []values{{a: 0x7fff_8000, b: 0x0001_ffff, want: 0x7fff_8000}}},
	{"v_pk_mad_u16 v0, v2, v4, v6",
		[]values{{a: 0x0002_0003, b: 0x0004_0005, c: 0x0001_0001, want: 0x0009_0010}}},
	{"v_pk_lshlrev_b16 v0, v2, v4", []values{{a: 0x0001_0004, b: 0x0003_1234, want: 0x0006_2340}}},
	{"v_pk_fma_f16 v0, v2, v4, v6",
		[]values{{a: 0x4000_3c00, b: 0x4000_3c00, c: 0x3c00_3c00, want: 0x4500_4000}}},
	{"v_pk_add_f16 v0, v2, v4 neg_lo:[0,1] neg_hi:[1,0]",
		[]values{{a: 0x4000_4000, b: 0x3c00_3c00, want: 0xbc00_3c00}}},
	{"v_pk_mul_f32 v[0:1], v[2:3], v[4:5]",
		[]values{{a: two32 | three32<<32, b: half32 | one32<<32, want: one32 | three32<<32}}},
	{"v_pk_add_f32 v[0:1], v[2:3], v[4:5] op_sel_hi:[1,0]",
		[]values{{a: one32 | two32<<32, b: one32, want: two32 | three32<<32}}},
	{"v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7] neg_lo:[0,0,1]",
		[]values{{a: one32 | two32<<32, b: two32 | one32<<32, c: one32 | one32<<32,
			want: one32 | three32<<32}}},
	{"v_pk_mov_b32 v[0:1], v[2:3], v[4:5] op_sel:[0,1]",
		[]values{{a: 1 | 2<<32, b: 3 | 4<<32, want: 1 | 4<<32}}},
	{"v_pk_mov_b32 v[0:1], v[2:3], v[4:5] op_sel:[1,0]",
		[]values{{a: 1 | 2<<32, b: 3 | 4<<32, want: 2 | 3<<32}}},
	{"v_fma_mix_f32 v0, v2, v4, v6 op_sel:[1,0,0] op_sel_hi:[1,0,0]",
		[]values{{a: 0x4000_0000, b: three32, c: one32, want: 0x40e00000}}},
	{"v_fma_mix_f32 v0, v2, v4, v6 op_sel_hi:[1,1,1]",
		[]values{{a: 0x4000, b: 0x4200, c: one16, want: 0x40e00000}}},
	{"v_fma_mix_f32 v0, v2, v4, v6", []values{{a: two32, b: three32, c: one32, want: 0x40e00000}}},
	{"v_fma_mix_f32 v0, -v2, |v4|, v6", []values{{a: two32, b: three32 | minus32, c: one32,
		want: 0xc0a00000}}},
	{"v_fma_mixlo_f16 v0, v2, v4, v6", []values{{a: one32, b: one32, c: one32, want: oldHigh | 0x4000}}},
	{"v_fma_mixhi_f16 v0, v2, v4, v6", []values{{a: one32, b: one32, c: one32, want: 0x4000<<16 | oldLow}}},
	{"v_dot2_f32_f16 v0, v2, v4, v6", []values{{a: 0x4000_3c00, b: 0x4000_3c00, c: one32, want: 0x40c00000}}},
	{"v_dot4_i32_i8 v0, v2, v4, v6", []values{{a: 0x01ff0102, b: 0x01010103, c: 10, want: 17}}},
	{"v_dot4_u32_u8 v0, v2, v4, v6", []values{{a: 0x01ff0102, b: 0x01010103, c: 10, want: 273}}},
	{"v_dot8_i32_i4 v0, v2, v4, v6", []values{{a: 0xf, b: 0x3, c: 0, want: 0xfffffffd}}},

	{"v_fmac_f32_e32 v0, v2, v4", []values{{a: 0, b: one32, want: oldDst}}},
	{"v_fmac_f64_e32 v[0:1], v[2:3], v[4:5]", []values{{a: 0, b: one64, want: kept}}},

	{"v_or_b32_sdwa v0, v2, v4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:WORD_1",
		[]values{{a: 0x5600, b: 0x1200_0000, want: 0x1256}}},
	{"v_add_u32_sdwa v0, sext(v2), v4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:DWORD",
		[]values{{a: 0xff, b: 5, want: 4}}},
	{"v_mov_b32_sdwa v0, v2 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD",
		[]values{{a: 0x12, want: 0xdead12ef}}},
	{"v_mov_b32_sdwa v0, v2 dst_sel:WORD_0 dst_unused:UNUSED_SEXT src0_sel:DWORD",
		[]values{{a: 0x8012, want: 0xffff8012}}},
	{"v_mov_b32_sdwa v0, v2 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:DWORD",
		[]values{{a: 0x8012, want: 0x80120000}}},
	{"v_add_f32_sdwa v0, -v2, |v4| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD",
		[]values{{a: one32, b: three32 | minus32, want: two32}}},
	{"v_mul_f16_sdwa v0, v2, v4 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:WORD_0",
		[]values{{a: 0x4000_0000, b: 0x4000, want: 0x4400<<16 | oldLow}}},
}

// TestVectorResults executes each case on all lanes, and on some: the others
// must keep what they had.
func TestVectorResults(t *testing.T) {
	r := newVectorRun(t, "gfx90a")
	var asm []string
	for _, c := range vectorCases {
		asm = append(asm, c.asm)
	}
	for i, code := range llvmAssemble(t, "gfx90a", asm) {
		c := vectorCases[i]
		in := r.decode(t, code)
		if got := in.String(); got != c.asm {
			t.Errorf("text %q, want %q", got, c.asm)
		}
		width := uint64(allOnes32)
		if typDwords[in.dst.typ] == 2 {
			width = allOnes64
		}
		for _, v := range c.values {
			for _, exec := range []uint64{allOnes64, 0x8000_0000_0000_0005} {
				r.load(v.a, v.b, v.c)
				setExec(r.w, exec)
				r.run(t, in)
				for l := range simt.MaxLanes {
					want := v.want
					if exec>>l&1 == 0 {
						want = kept
					}
					if got := r.pair(0, l); got&width != want&width {
						t.Errorf("%s with a %#x b %#x c %#x exec %#x: lane %d is %#x, want %#x", c.asm, v.a,
							v.b, v.c, exec, l, got&width, want&width)
						break
					}
				}
			}
		}
	}
}

// TestOverlap executes 64-bit instructions whose destination overlaps a
// source by one register.
func TestOverlap(t *testing.T) {
	r := newVectorRun(t, "gfx900")
	for i, code := range llvmAssemble(t, "gfx900", []string{
		"v_lshlrev_b64 v[3:4], 4, v[2:3]", "v_lshlrev_b64 v[1:2], 4, v[2:3]", "v_add_f64 v[3:4], v[2:3], 0",
	}) {
		dst := []int{3, 1, 3}[i]
		want := []uint64{0x2345_6789_abcd_ef00, 0x2345_6789_abcd_ef00, 0x1234_5678_9abc_def0}[i]
		r.load(0x1234_5678_9abc_def0, 0, 0)
		r.run(t, r.decode(t, code))
		if got := r.pair(dst, 63); got != want {
			t.Errorf("case %d: %#x, want %#x", i, got, want)
		}
	}
}

// TestCarry checks lane masks: carries in and out, EXEC, and v_cmpx.
func TestCarry(t *testing.T) {
	r := newVectorRun(t, "gfx90a")
	const exec = 0xffff_0000_0000_ffff
	cases := []struct {
		asm       string
		a, b      uint64
		vccIn     uint64
		wantV     uint64
		wantVCC   uint64
		wantS4    uint64
		wantsExec bool
	}{
		{asm: "v_add_co_u32_e32 v0, vcc, v2, v4", a: allOnes32, b: 1, wantV: 0, wantVCC: exec},
		{asm: "v_add_co_u32_e64 v0, s[4:5], v2, v4", a: 1, b: 1, vccIn: 7, wantV: 2, wantVCC: 7},
		{asm: "v_addc_co_u32_e32 v0, vcc, v2, v4, vcc", a: allOnes32, b: 0, vccIn: 1, wantV: 0, wantVCC: 1},
		{asm: "v_sub_co_u32_e32 v0, vcc, v2, v4", a: 1, b: 2, wantV: allOnes32, wantVCC: exec},
		{asm: "v_subb_co_u32_e32 v0, vcc, v2, v4, vcc", a: 5, b: 2, vccIn: 1, wantV: 2},
		{asm: "v_subbrev_co_u32_e32 v0, vcc, v2, v4, vcc", a: 2, b: 5, vccIn: 1, wantV: 2},
		{asm: "v_cndmask_b32_e32 v0, v2, v4, vcc", a: 1, b: 2, vccIn: 1, wantV: 2, wantVCC: 1},
		{asm: "v_cmp_lt_i32_e32 vcc, v2, v4", a: allOnes32, b: 0, wantV: oldDst, wantVCC: exec},
		{asm: "v_cmp_lt_u32_e32 vcc, v2, v4", a: allOnes32, b: 0, vccIn: 5, wantV: oldDst, wantVCC: 0},
		{asm: "v_cmp_eq_u64_e64 s[4:5], v[2:3], v[4:5]", a: 1 << 40, b: 1 << 40, wantV: oldDst, wantS4: exec},
		{asm: "v_cmp_nlt_f32_e32 vcc, v2, v4", a: nan32Bits, b: 0, wantV: oldDst, wantVCC: exec},
		{asm: "v_cmp_ge_f32_e32 vcc, v2, v4", a: nan32Bits, b: 0, wantV: oldDst, wantVCC: 0},
		{asm: "v_cmp_class_f32_e32 vcc, v2, v4", a: denorm32, b: classDenorm, wantV: oldDst, wantVCC: exec},
		{asm: "v_cmp_class_f64_e64 s[4:5], -v[2:3], v4", a: inf64, b: classNegInf, wantV: oldDst,
			wantS4: exec},
		{asm: "v_cmpx_gt_u32_e32 vcc, v2, v4", a: 1, b: 1, wantV: oldDst, wantVCC: 0, wantsExec: true},
		{asm: "v_cmp_gt_u32_sdwa s[4:5], v2, v4 src0_sel:BYTE_1 src1_sel:DWORD", a: 0x300, b: 2,
			wantV: oldDst, wantS4: exec},
		{asm: "v_mad_i64_i32 v[0:1], vcc, v2, v4, 0", a: allOnes32, b: 2, wantV: 0xffff_fffe, wantVCC: exec},
		{asm: "v_mad_i64_i32 v[0:1], vcc, v2, v4, 5", a: allOnes32, b: 2, vccIn: 1, wantV: 3, wantVCC: 0},
		{asm: "v_mad_i64_i32 v[0:1], vcc, v2, v4, v[2:3]", a: 1<<63 | allOnes32, b: 2, wantV: 0xffff_fffd,
			wantVCC: exec},
		{asm: "v_mad_i64_i32 v[0:1], vcc, v2, v4, v[2:3]", a: 1<<63 - 1<<32 + 0x7fffffff, b: 0x7fffffff,
			vccIn: 1, wantV: 0x8000_0000, wantVCC: 0},
		{asm: "v_mad_u64_u32 v[0:1], vcc, v2, v4, v[2:3]", a: allOnes64, b: 2, wantV: 0xffff_fffd,
			wantVCC: exec},
	}
	var asm []string
	for _, c := range cases {
		asm = append(asm, c.asm)
	}
	for i, code := range llvmAssemble(t, "gfx90a", asm) {
		c := cases[i]
		r.load(c.a, c.b, 0)
		setExec(r.w, exec)
		setPair(r.regs, regVCC, c.vccIn)
		setPair(r.regs, 4, 0)
		r.run(t, r.decode(t, code))
		if got := uint64(r.regs.V[0][0]); got != c.wantV {
			t.Errorf("%s: v0 %#x, want %#x", c.asm, got, c.wantV)
		}
		if r.regs.V[0][20] != oldDst {
			t.Errorf("%s: an inactive lane changed", c.asm)
		}
		if got := pair(r.regs, regVCC); got != c.wantVCC {
			t.Errorf("%s: vcc %#x, want %#x", c.asm, got, c.wantVCC)
		}
		if got := pair(r.regs, 4); got != c.wantS4 {
			t.Errorf("%s: s[4:5] %#x, want %#x", c.asm, got, c.wantS4)
		}
		if want := uint64(exec); !c.wantsExec && r.w.Exec != want ||
			c.wantsExec && (r.w.Exec != 0 || pair(r.regs, regExec) != 0) {
			t.Errorf("%s: exec %#x", c.asm, r.w.Exec)
		}
	}
}

// TestModes checks what MODE changes: denormals, rounding, clamped NaNs.
func TestModes(t *testing.T) {
	r := newVectorRun(t, "gfx90a")
	const all = ModeDenorm32 | ModeDenorm64
	for _, c := range []struct {
		asm           string
		mode          uint32
		a, b, c, want uint64
	}{
		{"v_add_f32_e32 v0, v2, v4", ModeDenorm64, denorm32, denorm32, 0, 0},
		{"v_mul_f32_e32 v0, v2, v4", ModeDenorm64, minNormal, half32, 0, 0},
		{"v_mul_f32_e32 v0, v2, v4", ModeDenorm64 | 1<<4, minNormal | minus32, half32, 0, minus32},
		{"v_add_f32_e32 v0, v2, v4", all | roundZero, one32, 0x337fffff, 0, one32},
		{"v_add_f32_e32 v0, v2, v4", all | roundUp, one32, denorm32, 0, 0x3f800001},
		{"v_add_f32_e32 v0, v2, v4", all | roundDown, one32, denorm32 | minus32, 0, 0x3f7fffff},
		{"v_add_f32_e32 v0, v2, v4", all | roundDown, one32, one32 | minus32, 0, minus32},
		{"v_mul_f32_e32 v0, v2, v4", all | roundZero, huge32, two32, 0, huge32},
		{"v_fma_f32 v0, v2, v4, v6", all | roundUp, one32, one32, denorm32, 0x3f800001},
		{"v_add_f64 v[0:1], v[2:3], v[4:5]", all | roundUp<<2, one64, 1, 0, one64 + 1},
		{"v_mul_f64 v[0:1], v[2:3], v[4:5]", all | roundZero<<2, 0x7fef_ffff_ffff_ffff,
			0x4000_0000_0000_0000, 0, 0x7fef_ffff_ffff_ffff},
		{"v_fma_f64 v[0:1], v[2:3], v[4:5], v[6:7]", all | roundDown<<2, one64, one64, 1<<63 | 1, one64 - 1},
		{"v_cvt_f32_i32_e32 v0, v2", all | roundUp, 0x1000001, 0, 0, 0x4b800001},
		{"v_cvt_f16_f32_e32 v0, v2", all | roundZero<<2, 0x477fffff, 0, 0, max16},
		{"v_mul_f32_e64 v0, v2, v4 mul:2", 0, one32, one32, 0, two32},
		{"v_mul_f32_e64 v0, v2, v4 mul:2", ModeIEEE, one32, one32, 0, one32},
		{"v_mul_f32_e64 v0, v2, v4 div:2", all, one32, one32, 0, one32},
		{"v_mul_f32_e64 v0, v2, v4 clamp", all, nan32Bits, one32, 0, nan32Bits},
		{"v_max_f32_e32 v0, v2, v4", all, snan32, one32, 0, one32},
		{"v_mad_f32 v0, v2, v4, v6", all, 0x3f800001, 0x3f800001, 0xbf800002, 0},
		{"v_mad_f32 v0, v2, v4, v6", all, minNormal, half32, 0, 0},
		{"v_mac_f32_e32 v0, v2, v4", all, 0, 0, 0, oldDst},
	} {
		r.regs.S[regMode] = c.mode
		r.load(c.a, c.b, c.c)
		in := r.decode(t, llvmAssemble(t, "gfx90a", []string{c.asm})[0])
		r.run(t, in)
		got := r.pair(0, 5)
		if typDwords[in.dst.typ] == 1 {
			got &= allOnes32
		}
		if got != c.want {
			t.Errorf("%s, mode %#x, of %#x %#x %#x: %#x, want %#x", c.asm, c.mode, c.a, c.b, c.c, got, c.want)
		}
	}
}

// TestAccumulators moves values through accumulation registers.
func TestAccumulators(t *testing.T) {
	r := newVectorRun(t, "gfx90a")
	r.load(patternA, 0, 0)
	for _, code := range llvmAssemble(t, "gfx90a", []string{
		"v_accvgpr_write_b32 a3, v2", "v_accvgpr_mov_b32 a4, a3", "v_accvgpr_read_b32 v0, a4",
		"v_accvgpr_write_b32 a5, 7",
	}) {
		lanewise(t, r.w, r.regs, func() { r.run(t, r.decode(t, code)) })
	}
	if r.regs.V[0][9] != patternA || r.regs.V[accBase+3][9] != patternA || r.regs.V[accBase+5][0] != 7 {
		t.Errorf("v0 %#x, a3 %#x, a5 %#x", r.regs.V[0][9], r.regs.V[accBase+3][9], r.regs.V[accBase+5][0])
	}
}
