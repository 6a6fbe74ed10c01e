package gcn

import (
	"math"

	"simtgdb/simt"
)

// What gfx10 and later have of graphics, of old programs, and of what compilers do not use.
var _ = registerLater(laterRestRows)

func laterRestRows() []Op {
	return []Op{
		{Enc: SOPK, Name: "s_subvector_loop_begin", dst: b32, imm: branchImm, flow: simt.FlowBranch,
			flag: writesExec,
			run:  beginHalves},
		{Enc: SOPK, Name: "s_subvector_loop_end", dst: b32, imm: branchImm, flow: simt.FlowBranch,
			flag: writesExec, run: endHalves},
		{Enc: SOP1, Name: "s_movrelsd_2_b32", dst: b32, src: srcs(b32), run: func(c *Core, in *Inst) {
			m0 := c.r.S[regM0]
			if from, ok := c.relativeBy(in, &in.src[0], m0&0x3ff); ok {
				if to, ok := c.relativeBy(in, &in.dst, m0>>16&0x3ff); ok {
					c.r.S[to] = c.r.S[from]
				}
			}
		}},
		{Enc: SMEM, Name: "s_get_waveid_in_workgroup", dst: b32, run: func(c *Core, in *Inst) {
			c.r.S[uint8(in.dst.reg)] = uint32(c.w.Index)
		}},
		{Enc: VOP1, Name: "v_swaprel_b32", dst: b32, src: srcs(b32),
			flag: noSDWA | noDPP | noVOP3 | vectorOnly, run: swapRelative},
		{Enc: VOP2, Name: "v_mac_legacy_f32", dst: f32, src: srcs(f32, f32, f32), flag: readsDst,
			vec: float3(single, madLegacy)},
		{Enc: VOP3, Name: "v_mullit_f32", dst: f32, src: srcs(f32, f32, f32), vec: float3(single, mulLit)},
		{Enc: VOP3, Name: "v_dot2_f16_f16", dst: f16, src: srcs(v2f16, v2f16, f16), vec: dot2Half(half16)},
		{Enc: VOP3, Name: "v_dot2_bf16_bf16", dst: bf16, src: srcs(v2bf16, v2bf16, bf16), flag: bare,
			vec: dot2Half(brain16)},

		{Enc: GLOBAL, Name: "global_load_dword_addtid", dst: b32, flag: byLane, run: runGlobalByLane(load32)},
		{Enc: GLOBAL, Name: "global_store_dword_addtid", src: srcs(none, b32), flag: byLane,
			run: runGlobalByLane(store32)},
		{Enc: GLOBAL, Name: "global_load_addtid_b32", dst: b32, flag: byLane, run: runGlobalByLane(load32)},
		{Enc: GLOBAL, Name: "global_store_addtid_b32", src: srcs(none, b32), flag: byLane,
			run: runGlobalByLane(store32)},
		{Enc: GLOBAL, Name: "global_load_block", dst: b1024, flag: blocks, run: runBlock},
		{Enc: GLOBAL, Name: "global_store_block", src: srcs(none, b1024), flag: blocks, run: runBlock},
		{Enc: SCRATCH, Name: "scratch_load_block", dst: b1024, flag: blocks, run: runBlock},
		{Enc: SCRATCH, Name: "scratch_store_block", src: srcs(none, b1024), flag: blocks, run: runBlock},

		// Registers of the geometry stage, the stack of a walk through a tree of boxes, and what orders waves
		// by the number that the dispatcher gave them.
		{Enc: DS, Name: "ds_add_gs_reg_rtn", dst: b64, src: srcs(none, b32)},
		{Enc: DS, Name: "ds_sub_gs_reg_rtn", dst: b64, src: srcs(none, b32)},
		{Enc: DS, Name: "ds_bvh_stack_rtn_b32", dst: b32, src: srcs(b32, b32, b128)},
		{Enc: DS, Name: "ds_bvh_stack_push4_pop1_rtn_b32", dst: b32, src: srcs(b32, b32, b128)},
		{Enc: DS, Name: "ds_bvh_stack_push8_pop1_rtn_b32", dst: b32, src: srcs(b32, b32, b256)},
		{Enc: DS, Name: "ds_bvh_stack_push8_pop2_rtn_b64", dst: b64, src: srcs(b32, b32, b256)},
		{Enc: GLOBAL, Name: "global_atomic_ordered_add_b64", dst: b64, src: srcs(none, b64), flag: ordered},
	}
}

// beginHalves begins a loop that executes its body for the lower lanes, and then for the upper ones, if a
// half has any (RDNA 1 ISA, "S_SUBVECTOR_LOOP_BEGIN"): the register keeps the mask of the half that waits.
func beginHalves(c *Core, in *Inst) {
	r, waits := c.r, &c.r.S[uint8(in.dst.reg)]
	lo, hi := r.S[regExec], r.S[regExec+1]
	c.w.PC = in.PC + uint64(in.Size)
	switch {
	case lo|hi == 0:
		c.w.PC = in.branchTarget()
	case lo == 0:
		*waits = 0
	default:
		*waits, r.S[regExec+1] = hi, 0
	}
}

// endHalves goes back for the half that waits, or ends the loop with the mask that there was.
func endHalves(c *Core, in *Inst) {
	r, waits := c.r, &c.r.S[uint8(in.dst.reg)]
	c.w.PC = in.PC + uint64(in.Size)
	switch {
	case r.S[regExec+1] != 0:
		r.S[regExec] = *waits
	case *waits != 0:
		r.S[regExec+1], *waits, r.S[regExec] = *waits, r.S[regExec], 0
		c.w.PC = in.branchTarget()
	}
}

// swapRelative exchanges two registers, as far from those named as two fields of M0 say.
func swapRelative(c *Core, in *Inst) {
	m0 := c.r.S[regM0]
	to, from := uint32(in.dst.reg)+m0>>16&0x3ff, uint32(in.src[0].reg)+m0&0x3ff
	if last := c.lastVector(); to > last || from > last {
		pastRegisters(c, in)
		return
	}
	c.r.hold(int(max(to, from)) + 1)
	swapped := *in
	swapped.dst.reg, swapped.src[0].reg = uint16(to), uint16(from)
	swapB32(c, &swapped)
}

// mulLit is a product for the lighting of a scene, in which 0 times anything is 0 (RDNA 1 ISA,
// "V_MULLIT_F32").
func mulLit(f format, a, b, c uint64, e env) uint64 {
	least := uint64(math.Float32bits(-math.MaxFloat32))
	y, z := f.Float(f.In(b, e)), f.Float(f.In(c, e))
	if f.IsNaN(b) || f.IsNaN(c) || y <= -math.MaxFloat32 || z <= 0 {
		return least
	}
	return mulLegacy(f, a, b, e)
}

// dot2Half adds two products to a float of 16 bits, one after the other, each sum rounded.
func dot2Half(f format) func(*lanes) {
	return func(x *lanes) {
		e := envOf(f, x.mode)
		x.each3(func(a, b, c uint64) uint64 {
			for i := 0; i < 32; i += 16 {
				c = f.FMAPlain(a>>i&0xffff, b>>i&0xffff, c&0xffff, e)
			}
			return c
		})
	}
}

// runGlobalByLane accesses a dword for each lane from the scalar address on.
func runGlobalByLane(a *access) func(*Core, *Inst) {
	return func(c *Core, in *Inst) {
		if c.w.Exec == 0 {
			return
		}
		c.beginAccess(c.registers(&in.dst), c.registers(&in.src[1]), nil)
		base := pair(c.r, uint8(in.mem.saddr.reg)) + uint64(int64(in.simm))
		for l := range c.addr {
			c.addr[l] = base + 4*uint64(l)
		}
		s := c.spanOf(c.w.Exec)
		c.checkGlobal(a, c.w.Exec, s)
		if !c.raise(in, a) {
			c.moveGlobal(in, a, c.w.Exec, s)
		}
	}
}

// runBlock loads or stores those of 32 registers that M0 says, each at its place in a block of 32 dwords.
// (RDNA 4 ISA, section "Block loads and stores".)
func runBlock(c *Core, in *Inst) {
	one := *in
	row := Op{Enc: in.Op.Enc, Name: in.Op.Name, mem: load32, dst: b32}
	data, run := &one.dst, runGlobal
	if in.dst.kind == noOperand {
		row.mem, row.dst, row.src[1], data = store32, none, b32, &one.src[1]
	}
	if in.form == SCRATCH {
		run = runScratch
	}
	one.Op = &row
	first, offset := data.reg, in.simm
	data.typ = b32
	for i := range 32 {
		if c.r.S[regM0]>>i&1 == 0 {
			continue
		}
		data.reg, one.simm = first+uint16(i), offset+int32(4*i)
		if run(c, &one); c.faulted() {
			return
		}
	}
}
