package gcn

import "simtgdb/simt"

// What waits, hints, or sends to a host that is not there does nothing: memory
// operations of this machine are complete when the instruction is.
var _ = register(soppRows)

func soppRows() []Op {
	return []Op{
		{Enc: SOPP, Code: 0x00, Name: "s_nop", imm: numberImm, run: noop},
		{Enc: SOPP, Code: 0x01, Name: "s_endpgm", imm: optionalImm, flow: simt.FlowEnd, run: endProgram},
		{Enc: SOPP, Code: 0x02, Name: "s_branch", imm: branchImm, flow: simt.FlowJump,
			run: func(c *Core, in *Inst) { c.w.PC = in.branchTarget() }},
		{Enc: SOPP, Code: 0x03, Name: "s_wakeup", run: noop},
		{Enc: SOPP, Code: 0x04, Name: "s_cbranch_scc0", imm: branchImm, flow: simt.FlowBranch,
			run: func(c *Core, in *Inst) { jump(c, in, c.r.S[regSCC] == 0) }},
		{Enc: SOPP, Code: 0x05, Name: "s_cbranch_scc1", imm: branchImm, flow: simt.FlowBranch,
			run: func(c *Core, in *Inst) { jump(c, in, c.r.S[regSCC] != 0) }},
		{Enc: SOPP, Code: 0x06, Name: "s_cbranch_vccz", imm: branchImm, flow: simt.FlowBranch,
			run: func(c *Core, in *Inst) { jump(c, in, c.laneMask(regVCC) == 0) }},
		{Enc: SOPP, Code: 0x07, Name: "s_cbranch_vccnz", imm: branchImm, flow: simt.FlowBranch,
			run: func(c *Core, in *Inst) { jump(c, in, c.laneMask(regVCC) != 0) }},
		{Enc: SOPP, Code: 0x08, Name: "s_cbranch_execz", imm: branchImm, flow: simt.FlowBranch,
			run: func(c *Core, in *Inst) { jump(c, in, c.w.Exec == 0) }},
		{Enc: SOPP, Code: 0x09, Name: "s_cbranch_execnz", imm: branchImm, flow: simt.FlowBranch,
			run: func(c *Core, in *Inst) { jump(c, in, c.w.Exec != 0) }},
		{Enc: SOPP, Code: 0x0a, Name: "s_barrier", flow: simt.FlowBarrier, run: func(c *Core, in *Inst) {
			c.orderGroup(0)
			c.w.State = simt.AtBarrier
			c.stopAt(simt.BarrierEvent)
		}},
		{Enc: SOPP, Code: 0x0b, Name: "s_setkill", imm: numberImm},
		{Enc: SOPP, Code: 0x0c, Name: "s_waitcnt", imm: waitImm, run: noop, order: orderWait, over: overWait},
		{Enc: SOPP, Code: 0x0d, Name: "s_sethalt", imm: numberImm, run: func(c *Core, in *Inst) {
			if in.simm != 0 { // nothing here would let the wave go on
				unknown(c, in)
			}
		}},
		{Enc: SOPP, Code: 0x0e, Name: "s_sleep", imm: numberImm, run: noop},
		{Enc: SOPP, Code: 0x0f, Name: "s_setprio", imm: numberImm, run: noop},
		{Enc: SOPP, Code: 0x10, Name: "s_sendmsg", flag: readsM0, imm: messageImm, run: noop},
		{Enc: SOPP, Code: 0x11, Name: "s_sendmsghalt", flag: readsM0, imm: messageImm, run: noop},
		{Enc: SOPP, Code: 0x12, Name: "s_trap", imm: numberImm, flow: simt.FlowTrap,
			run: func(c *Core, in *Inst) {
				c.stopAt(simt.TrapEvent)
				c.stop.Trap, c.stop.Code = trapOf(in), uint32(in.simm)&0xff
			}},
		{Enc: SOPP, Code: 0x13, Name: "s_icache_inv", run: noop},
		{Enc: SOPP, Code: 0x14, Name: "s_incperflevel", imm: numberImm, run: noop},
		{Enc: SOPP, Code: 0x15, Name: "s_decperflevel", imm: numberImm, run: noop},
		{Enc: SOPP, Code: 0x16, Name: "s_ttracedata", flag: readsM0, run: noop},
		// No debugger of the hardware's own is ever attached.
		{Enc: SOPP, Code: 0x17, Name: "s_cbranch_cdbgsys", imm: branchImm, run: noop},
		{Enc: SOPP, Code: 0x18, Name: "s_cbranch_cdbguser", imm: branchImm, run: noop},
		{Enc: SOPP, Code: 0x19, Name: "s_cbranch_cdbgsys_or_user", imm: branchImm, run: noop},
		{Enc: SOPP, Code: 0x1a, Name: "s_cbranch_cdbgsys_and_user", imm: branchImm, run: noop},
		{Enc: SOPP, Code: 0x1b, Name: "s_endpgm_saved", flow: simt.FlowEnd, run: endProgram},
		{Enc: SOPP, Code: 0x1c, Name: "s_set_gpr_idx_off", flag: ends, run: func(c *Core, in *Inst) {
			c.r.S[regMode] &^= modeGPRIndex
			c.w.PC = in.PC + uint64(in.Size)
		}},
		{Enc: SOPP, Code: 0x1d, Name: "s_set_gpr_idx_mode", imm: indexModeImm, run: func(c *Core, in *Inst) {
			c.r.S[regM0] = c.r.S[regM0]&^0xf000 | uint32(in.simm)&0xf<<12
		}},
		{Enc: SOPP, Code: 0x1e, Name: "s_endpgm_ordered_ps_done", flow: simt.FlowEnd, run: endProgram},
	}
}

// debugTrap is the number of llvm.debugtrap (LLVM, "User Guide for AMDGPU
// Backend", section "Trap Handler ABI"); 2 is llvm.trap, an abort.
const debugTrap = 3

func trapOf(in *Inst) simt.Trap {
	if in.simm&0xff == debugTrap {
		return simt.DebugTrap
	}
	return simt.AbortTrap
}

func endProgram(c *Core, in *Inst) {
	c.w.State = simt.Ended
	c.stopAt(simt.EndEvent)
}
