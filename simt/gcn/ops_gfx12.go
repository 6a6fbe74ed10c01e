package gcn

import (
	"encoding/binary"

	"simtgdb/simt"
	"simtgdb/simt/native"
)

// Rows that came with gfx12 (RDNA 4 ISA).
var _ = registerLater(gfx12Rows)

func gfx12Rows() []Op {
	return []Op{
		// A wait for no access to be under way releases those before it; see order.go.
		{Enc: SOPP, Name: "s_wait_loadcnt", imm: hexImm, run: noop, order: orderWait,
			over: overCount(allBits, 0, 0)},
		{Enc: SOPP, Name: "s_wait_storecnt", imm: hexImm, run: noop, order: orderWait,
			over: overCount(0, allBits, 0)},
		{Enc: SOPP, Name: "s_wait_samplecnt", imm: hexImm, run: noop},
		{Enc: SOPP, Name: "s_wait_bvhcnt", imm: hexImm, run: noop},
		{Enc: SOPP, Name: "s_wait_expcnt", imm: hexImm, run: noop},
		{Enc: SOPP, Name: "s_wait_kmcnt", imm: hexImm, run: noop},
		{Enc: SOPP, Name: "s_wait_dscnt", imm: hexImm, run: noop, order: orderWait,
			over: overCount(0, 0, allBits)},
		{Enc: SOPP, Name: "s_wait_loadcnt_dscnt", imm: hexImm, run: noop, order: orderWait,
			over: overCount(0x3f00, 0, 0x3f)},
		{Enc: SOPP, Name: "s_wait_storecnt_dscnt", imm: hexImm, run: noop, order: orderWait,
			over: overCount(0, 0x3f00, 0x3f)},
		{Enc: SOPP, Name: "s_wait_alu", imm: dependencyImm, run: noop},
		{Enc: SOPP, Name: "s_wait_event", imm: hexImm, run: noop},
		{Enc: SOPP, Name: "s_barrier_wait", imm: numberImm, flow: simt.FlowBarrier, run: waitBarrier},
		{Enc: SOPP, Name: "s_barrier_leave", run: leaveNamed},

		{Enc: SOP1, Name: "s_barrier_signal", src: srcs(i32), run: signalBarrier(false)},
		{Enc: SOP1, Name: "s_barrier_signal_isfirst", src: srcs(i32), run: signalBarrier(true)},
		{Enc: SOP1, Name: "s_get_barrier_state", dst: b32, src: srcs(i32), run: barrierState},
		{Enc: SOP1, Name: "s_barrier_init", src: srcs(i32), run: initNamed},
		{Enc: SOP1, Name: "s_barrier_join", src: srcs(i32), run: joinNamed},
		{Enc: SOP1, Name: "s_alloc_vgpr", src: srcs(b32), run: unknown},
		{Enc: SOP1, Name: "s_sleep_var", src: srcs(b32), run: noop},

		{Enc: SOP2, Name: "s_add_nc_u64", dst: u64, src: srcs(u64, u64),
			native: qword(scalarPlain(native.ADD)), run: scalar64(func(a, b uint64) uint64 { return a + b })},
		{Enc: SOP2, Name: "s_sub_nc_u64", dst: u64, src: srcs(u64, u64),
			native: qword(scalarPlain(native.SUB)), run: scalar64(func(a, b uint64) uint64 { return a - b })},
		{Enc: SOP2, Name: "s_mul_u64", dst: u64, src: srcs(u64, u64),
			native: qword(scalarMul), run: scalar64(func(a, b uint64) uint64 { return a * b })},
		{Enc: SOP2, Name: "s_minimum_f32", dst: f32, src: srcs(f32, f32), run: scalarFloat2(single, minimum)},
		{Enc: SOP2, Name: "s_maximum_f32", dst: f32, src: srcs(f32, f32), run: scalarFloat2(single, maximum)},
		{Enc: SOP2, Name: "s_minimum_f16", dst: f16, src: srcs(f16, f16), run: scalarFloat2(half16, minimum)},
		{Enc: SOP2, Name: "s_maximum_f16", dst: f16, src: srcs(f16, f16), run: scalarFloat2(half16, maximum)},

		{Enc: SMEM, Name: "s_load_b96", dst: b96, src: srcs(b64), run: scalarLoad},
		{Enc: SMEM, Name: "s_buffer_load_b96", dst: b96, src: srcs(b128), run: scalarLoad},
		{Enc: SMEM, Name: "s_load_i8", dst: b32, src: srcs(b64), run: scalarLoadPart(1, true)},
		{Enc: SMEM, Name: "s_load_u8", dst: b32, src: srcs(b64), run: scalarLoadPart(1, false)},
		{Enc: SMEM, Name: "s_load_i16", dst: b32, src: srcs(b64), run: scalarLoadPart(2, true)},
		{Enc: SMEM, Name: "s_load_u16", dst: b32, src: srcs(b64), run: scalarLoadPart(2, false)},
		{Enc: SMEM, Name: "s_buffer_load_i8", dst: b32, src: srcs(b128), run: scalarLoadPart(1, true)},
		{Enc: SMEM, Name: "s_buffer_load_u8", dst: b32, src: srcs(b128), run: scalarLoadPart(1, false)},
		{Enc: SMEM, Name: "s_buffer_load_i16", dst: b32, src: srcs(b128), run: scalarLoadPart(2, true)},
		{Enc: SMEM, Name: "s_buffer_load_u16", dst: b32, src: srcs(b128), run: scalarLoadPart(2, false)},
		{Enc: SMEM, Name: "s_prefetch_inst", src: srcs(b64), flag: prefetches, imm: numberImm, run: noop},
		{Enc: SMEM, Name: "s_prefetch_data", src: srcs(b64), flag: prefetches, imm: numberImm, run: noop},
		{Enc: SMEM, Name: "s_buffer_prefetch_data", src: srcs(b128), flag: prefetches, imm: numberImm,
			run: noop},
		{Enc: SMEM, Name: "s_prefetch_inst_pc_rel", flag: prefetches, imm: numberImm, run: noop},
		{Enc: SMEM, Name: "s_prefetch_data_pc_rel", flag: prefetches, imm: numberImm, run: noop},

		{Enc: GLOBAL, Name: "global_inv", flag: controls, run: noop, order: orderInvalidate},
		{Enc: GLOBAL, Name: "global_wb", flag: controls, run: noop},
		{Enc: GLOBAL, Name: "global_wbinv", flag: controls, run: noop, order: orderInvalidate},

		{Enc: VOP3, Name: "v_minimum_f32", dst: f32, src: srcs(f32, f32), vec: float2(single, minimum)},
		{Enc: VOP3, Name: "v_maximum_f32", dst: f32, src: srcs(f32, f32), vec: float2(single, maximum)},
		{Enc: VOP3, Name: "v_minimum_f16", dst: f16, src: srcs(f16, f16), vec: float2(half16, minimum)},
		{Enc: VOP3, Name: "v_maximum_f16", dst: f16, src: srcs(f16, f16), vec: float2(half16, maximum)},
		{Enc: VOP3, Name: "v_minimum_f64", dst: f64, src: srcs(f64, f64), vec: float2(double, minimum)},
		{Enc: VOP3, Name: "v_maximum_f64", dst: f64, src: srcs(f64, f64), vec: float2(double, maximum)},
		{Enc: VOP3, Name: "v_minimum3_f16", dst: f16, src: srcs(f16, f16, f16),
			vec: float3(half16, propagating(true))},
		{Enc: VOP3, Name: "v_maximum3_f16", dst: f16, src: srcs(f16, f16, f16),
			vec: float3(half16, propagating(false))},
		{Enc: VOP3, Name: "v_minimummaximum_f32", dst: f32, src: srcs(f32, f32, f32),
			vec: float3(single, bounded(minimum, maximum))},
		{Enc: VOP3, Name: "v_maximumminimum_f32", dst: f32, src: srcs(f32, f32, f32),
			vec: float3(single, bounded(maximum, minimum))},
		{Enc: VOP3, Name: "v_minimummaximum_f16", dst: f16, src: srcs(f16, f16, f16),
			vec: float3(half16, bounded(minimum, maximum))},
		{Enc: VOP3, Name: "v_maximumminimum_f16", dst: f16, src: srcs(f16, f16, f16),
			vec: float3(half16, bounded(maximum, minimum))},
		{Enc: VOP3P, Name: "v_pk_minimum_f16", dst: v2f16, src: srcs(v2f16, v2f16),
			vec: packedFloat2(minimum)},
		{Enc: VOP3P, Name: "v_pk_maximum_f16", dst: v2f16, src: srcs(v2f16, v2f16),
			vec: packedFloat2(maximum)},

		{Enc: DS, Name: "ds_cond_sub_u32", src: srcs(b32, u32), mem: atomic32(subIf)},
		{Enc: DS, Name: "ds_cond_sub_rtn_u32", dst: u32, src: srcs(b32, u32), mem: atomic32(subIf)},
		{Enc: DS, Name: "ds_sub_clamp_u32", src: srcs(b32, u32), mem: atomic32(subToZero)},
		{Enc: DS, Name: "ds_sub_clamp_rtn_u32", dst: u32, src: srcs(b32, u32), mem: atomic32(subToZero)},
		{Enc: DS, Name: "ds_bpermute_fi_b32", dst: b32, src: srcs(b32, b32), run: func(c *Core, in *Inst) {
			exec := c.w.Exec
			addr, data, got := &c.r.V[in.src[0].reg], &c.r.V[in.src[1].reg], &c.out[0]
			for l := range c.w.Size {
				got[l] = data[int((addr[l]+uint32(in.simm))/4)&(c.w.Size-1)]
			}
			merge(&c.r.V[in.dst.reg], got, exec)
		}},
	}
}

func scalar64(f func(a, b uint64) uint64) func(*Core, *Inst) {
	return func(c *Core, in *Inst) {
		setPair(c.r, uint8(in.dst.reg), f(c.s64(&in.src[0]), c.s64(&in.src[1])))
	}
}

func scalarFloat2(f format, op func(f format, a, b uint64, e env) uint64) func(*Core, *Inst) {
	return func(c *Core, in *Inst) {
		c.setFloat(in, op(f, c.float(in, 0, f), c.float(in, 1, f), envOf(f, c.r.S[regMode])))
	}
}

// minimum and maximum are IEEE 754-2019's, of which a NaN is the result if it is among them.
func minimum(f format, a, b uint64, e env) uint64 { return propagating(true)(f, a, b, b, e) }
func maximum(f format, a, b uint64, e env) uint64 { return propagating(false)(f, a, b, b, e) }

// bounded applies the second function to what the first gives and the third operand.
func bounded(first, second func(format, uint64, uint64, env) uint64) func(format, uint64, uint64, uint64,
	env) uint64 {
	return func(f format, a, b, c uint64, e env) uint64 { return second(f, first(f, a, b, e), c, e) }
}

// subIf subtracts if that does not go below 0, subToZero gives 0 then.
func subIf(old, a, _ uint32) uint32 {
	if old < a {
		return old
	}
	return old - a
}

func subToZero(old, a, _ uint32) uint32 { return old - min(old, a) }

// scalarLoadPart loads less than a dword.
func scalarLoadPart(size int, signed bool) func(*Core, *Inst) {
	return func(c *Core, in *Inst) {
		addr, inside := c.scalarPlace(in, size)
		dst := &c.r.S[in.dst.reg]
		if !inside {
			*dst = 0
			return
		}
		r := c.scalarRegion(in, addr, size, simt.PermRead)
		if r == nil {
			return
		}
		if c.wanted.loads {
			c.observeScalar(in, &access{size: size}, addr)
		}
		data := r.Data[addr-r.Base:]
		v := uint32(data[0])
		if size == 2 {
			v = uint32(binary.LittleEndian.Uint16(data))
		}
		if shift := 32 - 8*size; signed {
			v = uint32(int32(v<<shift) >> shift)
		}
		*dst = v
	}
}

// prefetchText is the text of an instruction that loads nothing.
func (in *Inst) prefetchText() string {
	var operands []string
	if in.src[0].kind != noOperand {
		operands = append(operands, in.src[0].text())
	}
	count := in.Op.imm(uint16(in.words[0]>>6&0x1f), in.on)
	operands = append(operands, signedHex(in.simm), in.mem.soffset.text(), count)
	return instText(in.Op.display(), operands)
}

// laterAtomicRows are the atomic operations that gfx9 has not got.
var laterAtomicRows = []memoryRow{
	{name: "atomic_fmin", dst: f32, data: f32, mem: atomicMinF32},
	{name: "atomic_fmax", dst: f32, data: f32, mem: atomicMaxF32},
	{name: "atomic_fmin_x2", dst: f64, data: f64, mem: atomicMinF64},
	{name: "atomic_fmax_x2", dst: f64, data: f64, mem: atomicMaxF64},
	{name: "atomic_fcmpswap", dst: f32, data: b64, mem: atomicSwapIfF32},
	{name: "atomic_fcmpswap_x2", dst: f64, data: b128, mem: atomicSwapIfF64},
	{name: "atomic_min_num_f64", dst: f64, data: f64, mem: atomicMinF64},
	{name: "atomic_max_num_f64", dst: f64, data: f64, mem: atomicMaxF64},
	{name: "atomic_min_f32", dst: f32, data: f32, mem: atomicMinF32},
	{name: "atomic_max_f32", dst: f32, data: f32, mem: atomicMaxF32},
	{name: "atomic_cmpswap_f32", dst: f32, data: b64, mem: atomicSwapIfF32},
	{name: "atomic_csub", dst: u32, data: u32, mem: atomic32(subToZero)},
	{name: "atomic_csub_u32", dst: u32, data: u32, mem: atomic32(subToZero)},
	{name: "atomic_sub_clamp_u32", dst: u32, data: u32, mem: atomic32(subToZero)},
	{name: "atomic_cond_sub_u32", dst: u32, data: u32, mem: atomic32(subIf)},
}

var (
	_ = registerLater(func() []Op { return memoryOps(FLAT, "flat_", laterAtomicRows) })
	_ = registerLater(func() []Op { return memoryOps(GLOBAL, "global_", laterAtomicRows) })
	_ = registerLater(func() []Op { return memoryOps(MUBUF, "buffer_", laterAtomicRows) })
)
