package gcn

import (
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"
	"sync"
)

// Rows that gfx9 has not got.
var _ = registerLater(gfx10Rows)

func gfx10Rows() []Op {
	return []Op{
		{Enc: SOP1, Name: "s_and_saveexec_b32", dst: b32, src: srcs(b32), flag: writesExec,
			native: dword(scalarSaveExec(execAnd)),
			run:    saveExec32(func(s, exec uint32) uint32 { return s & exec })},
		{Enc: SOP1, Name: "s_or_saveexec_b32", dst: b32, src: srcs(b32), flag: writesExec | whole,
			native: dword(scalarSaveExec(execOr)),
			run:    saveExec32(func(s, exec uint32) uint32 { return s | exec })},
		{Enc: SOP1, Name: "s_xor_saveexec_b32", dst: b32, src: srcs(b32), flag: writesExec | whole,
			native: dword(scalarSaveExec(execXor)),
			run:    saveExec32(func(s, exec uint32) uint32 { return s ^ exec })},
		{Enc: SOP1, Name: "s_andn2_saveexec_b32", dst: b32, src: srcs(b32), flag: writesExec,
			native: dword(scalarSaveExec(execAndn2)),
			run:    saveExec32(func(s, exec uint32) uint32 { return s &^ exec })},
		{Enc: SOP1, Name: "s_orn2_saveexec_b32", dst: b32, src: srcs(b32), flag: writesExec,
			run: saveExec32(func(s, exec uint32) uint32 { return s | ^exec })},
		{Enc: SOP1, Name: "s_nand_saveexec_b32", dst: b32, src: srcs(b32), flag: writesExec,
			run: saveExec32(func(s, exec uint32) uint32 { return ^(s & exec) })},
		{Enc: SOP1, Name: "s_nor_saveexec_b32", dst: b32, src: srcs(b32), flag: writesExec,
			run: saveExec32(func(s, exec uint32) uint32 { return ^(s | exec) })},
		{Enc: SOP1, Name: "s_xnor_saveexec_b32", dst: b32, src: srcs(b32), flag: writesExec,
			run: saveExec32(func(s, exec uint32) uint32 { return ^(s ^ exec) })},
		{Enc: SOP1, Name: "s_andn1_saveexec_b32", dst: b32, src: srcs(b32), flag: writesExec,
			native: dword(scalarSaveExec(execAndn1)),
			run:    saveExec32(func(s, exec uint32) uint32 { return exec &^ s })},
		{Enc: SOP1, Name: "s_orn1_saveexec_b32", dst: b32, src: srcs(b32), flag: writesExec,
			run: saveExec32(func(s, exec uint32) uint32 { return exec | ^s })},
		{Enc: SOP1, Name: "s_andn1_wrexec_b32", dst: b32, src: srcs(b32), flag: writesExec,
			run: writeExec32(func(s, exec uint32) uint32 { return exec &^ s })},
		{Enc: SOP1, Name: "s_andn2_wrexec_b32", dst: b32, src: srcs(b32), flag: writesExec,
			run: writeExec32(func(s, exec uint32) uint32 { return s &^ exec })},
		// No host answers: the doorbell that is asked for before a trap is 0.
		{Enc: SOP1, Name: "s_sendmsg_rtn_b32", dst: b32, imm: laterMessageImm, run: func(c *Core, in *Inst) {
			c.r.S[uint8(in.dst.reg)] = 0
		}},
		{Enc: SOP1, Name: "s_sendmsg_rtn_b64", dst: b64, imm: laterMessageImm, run: func(c *Core, in *Inst) {
			setPair(c.r, uint8(in.dst.reg), c.executed(in))
		}},

		{Enc: SOP2, Name: "s_pack_hl_b32_b16", dst: b32, src: srcs(b32, b32),
			run: scalar32(func(a, b uint32) uint32 { return a>>16 | b<<16 })},

		{Enc: SOPK, Name: "s_waitcnt_vscnt", dst: b32, imm: hexImm, run: noop, order: orderWait,
			over: overCount(0, allBits, 0)},
		{Enc: SOPK, Name: "s_waitcnt_vmcnt", dst: b32, imm: hexImm, run: noop},
		{Enc: SOPK, Name: "s_waitcnt_expcnt", dst: b32, imm: hexImm, run: noop},
		{Enc: SOPK, Name: "s_waitcnt_lgkmcnt", dst: b32, imm: hexImm, run: noop},
		{Enc: SOPK, Name: "s_version", imm: versionImm, run: noop},

		{Enc: SOPP, Name: "s_code_end"},
		{Enc: SOPP, Name: "s_clause", imm: hexImm, run: noop},
		{Enc: SOPP, Name: "s_inst_prefetch", imm: hexImm, run: noop},
		{Enc: SOPP, Name: "s_set_inst_prefetch_distance", imm: hexImm, run: noop},
		{Enc: SOPP, Name: "s_delay_alu", imm: delayImm, run: noop},
		{Enc: SOPP, Name: "s_waitcnt_depctr", imm: dependencyImm, run: noop},
		{Enc: SOPP, Name: "s_wait_idle", run: noop},
		{Enc: SOPP, Name: "s_ttracedata_imm", imm: hexImm, run: noop},
		{Enc: SOPP, Name: "s_round_mode", imm: hexImm, flag: ends, run: func(c *Core, in *Inst) {
			c.setMode(in, ModeRound32|ModeRound64, uint32(in.simm))
		}},
		{Enc: SOPP, Name: "s_denorm_mode", imm: numberImm, flag: ends, run: func(c *Core, in *Inst) {
			c.setMode(in, ModeDenorm32|ModeDenorm64, uint32(in.simm)<<4)
		}},

		{Enc: SMEM, Name: "s_gl1_inv", run: noop},
		{Enc: MUBUF, Name: gl0Invalidate, run: noop, order: orderInvalidate},
		{Enc: MUBUF, Name: "buffer_gl1_inv", run: noop, order: orderInvalidate},

		{Enc: VOP1, Name: "v_mov_b16", dst: b16, src: srcs(b16), native: ofWords(moveWord), vec: movB32},
		{Enc: VOP1, Name: "v_not_b16", dst: b16, src: srcs(b16),
			native: ofWords(notWord), vec: map1(func(a uint64) uint64 { return ^a })},
		{Enc: VOP1, Name: "v_cvt_i32_i16", dst: i32, src: srcs(i16),
			native: extendedWord(shiftSign), vec: map1(func(a uint64) uint64 { return uint64(int16(a)) })},
		{Enc: VOP1, Name: "v_cvt_u32_u16", dst: u32, src: srcs(u16),
			native: extendedWord(shiftRight), vec: map1(func(a uint64) uint64 { return a & 0xffff })},
		{Enc: VOP2, Name: "v_fmac_f16", dst: f16, src: srcs(f16, f16, f16), flag: readsDst | noSDWA,
			vec: fmaF16},
		{Enc: VOP2, Name: "v_fmamk_f16", dst: f16, src: srcs(f16, f16, f16),
			flag: literal1 | noVOP3 | noSDWA | noDPP,
			vec:  fmaF16},
		{Enc: VOP2, Name: "v_fmaak_f16", dst: f16, src: srcs(f16, f16, f16),
			flag: literal2 | noVOP3 | noSDWA | noDPP,
			vec:  fmaF16},
		{Enc: VOP3, Name: "v_xor3_b32", dst: b32, src: srcs(b32, b32, b32),
			native: ofDwords(xor3Dwords), vec: map3(func(a, b, c uint64) uint64 { return a ^ b ^ c })},
		{Enc: VOP3, Name: "v_mul_lo_i32", dst: i32, src: srcs(i32, i32), vec: mulLoU32},
		{Enc: VOP3, Name: "v_and_b16", dst: b16, src: srcs(b16, b16),
			native: binaryWord(vpandd), vec: map2(func(a, b uint64) uint64 { return a & b })},
		{Enc: VOP3, Name: "v_or_b16", dst: b16, src: srcs(b16, b16),
			native: binaryWord(vpord), vec: map2(func(a, b uint64) uint64 { return a | b })},
		{Enc: VOP3, Name: "v_xor_b16", dst: b16, src: srcs(b16, b16),
			native: binaryWord(vpxord), vec: map2(func(a, b uint64) uint64 { return a ^ b })},
		{Enc: VOP3, Name: "v_cndmask_b16", dst: b16, src: srcs(b16, b16, mask), vec: cndmaskB32},
		{Enc: VOP3, Name: "v_maxmin_u32", dst: u32, src: srcs(u32, u32, u32),
			vec: map3(func(a, b, c uint64) uint64 { return min(max(a, b), c) })},
		{Enc: VOP3, Name: "v_minmax_u32", dst: u32, src: srcs(u32, u32, u32),
			vec: map3(func(a, b, c uint64) uint64 { return max(min(a, b), c) })},
		{Enc: VOP3, Name: "v_maxmin_i32", dst: i32, src: srcs(i32, i32, i32),
			vec: map3(func(a, b, c uint64) uint64 { return minI32(maxI32(a, b), c) })},
		{Enc: VOP3, Name: "v_minmax_i32", dst: i32, src: srcs(i32, i32, i32),
			vec: map3(func(a, b, c uint64) uint64 { return maxI32(minI32(a, b), c) })},
		{Enc: VOP3, Name: "v_maxmin_f32", dst: f32, src: srcs(f32, f32, f32), vec: float3(single, maxMin)},
		{Enc: VOP3, Name: "v_minmax_f32", dst: f32, src: srcs(f32, f32, f32), vec: float3(single, minMax)},
		{Enc: VOP3, Name: "v_maxmin_f16", dst: f16, src: srcs(f16, f16, f16), vec: float3(half16, maxMin)},
		{Enc: VOP3, Name: "v_minmax_f16", dst: f16, src: srcs(f16, f16, f16), vec: float3(half16, minMax)},
	}
}

func maxMin(f format, a, b, c uint64, e env) uint64 { return f.Minimum(f.Maximum(a, b, e), c, e) }
func minMax(f format, a, b, c uint64, e env) uint64 { return f.Maximum(f.Minimum(a, b, e), c, e) }

// saveExec32 and writeExec32 are saveExec and writeExec for waves of 32 lanes.
func saveExec32(f func(s, exec uint32) uint32) func(*Core, *Inst) {
	return func(c *Core, in *Inst) {
		exec := c.r.S[regExec]
		v := f(c.s32(&in.src[0]), exec)
		c.r.S[uint8(in.dst.reg)] = exec
		c.r.S[regExec] = v
		setSCC(c.r, v != 0)
	}
}

func writeExec32(f func(s, exec uint32) uint32) func(*Core, *Inst) {
	return func(c *Core, in *Inst) {
		v := f(c.s32(&in.src[0]), c.r.S[regExec])
		c.r.S[uint8(in.dst.reg)] = v
		c.r.S[regExec] = v
		setSCC(c.r, v != 0)
	}
}

// setMode writes some bits of MODE.
func (c *Core) setMode(in *Inst, bits, v uint32) {
	c.r.S[regMode] = c.r.S[regMode]&^bits | v&bits
	c.w.PC = in.PC + uint64(in.Size)
}

// Hardware registers that have other numbers from gfx10 on.
const (
	hwTrapCtrl hwreg = 19 // gfx12
	hwFlatLo   hwreg = 20
	hwFlatHi   hwreg = 21
)

// hwregs10 are the hardware registers of gfx10 by their numbers (RDNA 2 ISA, section "Hardware registers").
var hwregs10 = map[hwreg]string{hwMode: "MODE", hwStatus: "STATUS", hwTrapSts: "TRAPSTS", 5: "GPR_ALLOC",
	6: "LDS_ALLOC", 7: "IB_STS", hwSHMemBases: "SH_MEM_BASES", 16: "TBA_LO", 17: "TBA_HI", 18: "TMA_LO",
	19: "TMA_HI", hwFlatLo: "FLAT_SCR_LO", hwFlatHi: "FLAT_SCR_HI", 23: "HW_ID1", 24: "HW_ID2",
	25: "POPS_PACKER"}

// laterHwregs are the names of each generation (for gfx11: RDNA 3 ISA, the same section), made when they are
// first asked for.
var laterHwregs = sync.OnceValue(func() map[Target]map[hwreg]string {
	hwregs11 := withNames(hwregs10, map[hwreg]string{16: "", 17: "", 18: "PERF_SNAPSHOT_PC_LO",
		19: "PERF_SNAPSHOT_PC_HI", 25: "", 27: "PERF_SNAPSHOT_DATA", 29: "SHADER_CYCLES"})
	return map[Target]map[hwreg]string{
		GFX1010: withNames(hwregs10, map[hwreg]string{22: "XNACK_MASK"}),
		GFX1011: withNames(hwregs10, map[hwreg]string{22: "XNACK_MASK"}),
		GFX1030: withNames(hwregs10, map[hwreg]string{29: "SHADER_CYCLES"}),
		GFX1100: hwregs11, GFX1150: hwregs11, GFX1200: hwregs12,
		GFX1250: withNames(hwregs12, map[hwreg]string{28: "IB_STS2", 33: "XNACK_STATE_PRIV",
			34: "XNACK_MASK"})}
})

// withNames are names with others in addition; an empty one takes a name away.
func withNames(names, more map[hwreg]string) map[hwreg]string {
	names = maps.Clone(names)
	maps.Copy(names, more)
	maps.DeleteFunc(names, func(_ hwreg, name string) bool { return name == "" })
	return names
}

// hwregs12 are those of gfx12 (RDNA 4 ISA, section "Hardware registers").
var hwregs12 = map[hwreg]string{hwMode: "WAVE_MODE", hwStatus: "WAVE_STATUS", 4: "WAVE_STATE_PRIV",
	5: "WAVE_GPR_ALLOC", 6: "WAVE_LDS_ALLOC", 7: "IB_STS", 10: "PERF_SNAPSHOT_DATA",
	11: "PERF_SNAPSHOT_PC_LO", 12: "PERF_SNAPSHOT_PC_HI", 15: "PERF_SNAPSHOT_DATA1",
	16: "PERF_SNAPSHOT_DATA2", 17: "WAVE_EXCP_FLAG_PRIV", 18: "WAVE_EXCP_FLAG_USER",
	hwTrapCtrl: "WAVE_TRAP_CTRL", hwFlatLo: "WAVE_SCRATCH_BASE_LO",
	hwFlatHi: "WAVE_SCRATCH_BASE_HI", 23: "WAVE_HW_ID1", 24: "WAVE_HW_ID2", 26: "WAVE_SCHED_MODE",
	29: "SHADER_CYCLES_LO", 30: "SHADER_CYCLES_HI", 31: "WAVE_DVGPR_ALLOC_LO", 32: "WAVE_DVGPR_ALLOC_HI"}

// laterHwreg reads a hardware register. IB_STS2 of gfx1250 is 0: no workgroup is one of a cluster.
func (c *Core) laterHwreg(id hwreg) uint32 {
	switch id {
	case hwFlatLo, hwFlatHi:
		return c.r.S[regFlatLo+uint8(id-hwFlatLo)]
	case hwSHMemBases:
		return SharedBase>>48<<16 | PrivateBase>>48
	case hwTrapCtrl:
		if c.isa.Target&gfx12 != 0 {
			return c.r.S[regTrapCtrl]
		}
	}
	return 0
}

// laterWaitCounts is waitCounts from gfx10 on.
func laterWaitCounts(v uint16, t Target) (vm, exp, lgkm uint16) {
	if t&gfx11P != 0 {
		return v >> 10, v & 7, v >> 4 & 0x3f
	}
	return v&0xf | v>>10&0x30, v >> 4 & 7, v >> 8 & 0x3f
}

// delayImm writes the hints of s_delay_alu (RDNA 3 ISA, section "S_DELAY_ALU").
func delayImm(v uint16, _ Target) string {
	ids := [...]string{"NO_DEP", "VALU_DEP_1", "VALU_DEP_2", "VALU_DEP_3", "VALU_DEP_4", "TRANS32_DEP_1",
		"TRANS32_DEP_2", "TRANS32_DEP_3", "FMA_ACCUM_CYCLE_1", "SALU_CYCLE_1", "SALU_CYCLE_2", "SALU_CYCLE_3"}
	skips := [...]string{"SAME", "NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4"}
	var parts []string
	add := func(field, kind string, names []string, v uint16) {
		switch {
		case v == 0:
		case int(v) < len(names):
			parts = append(parts, field+"("+names[v]+")")
		default:
			parts = append(parts, field+"(/* invalid "+kind+" value */)")
		}
	}
	add("instid0", "instid", ids[:], v&0xf)
	add("instskip", "instskip", skips[:], v>>4&7)
	add("instid1", "instid", ids[:], v>>7&0xf)
	if parts == nil {
		return "0"
	}
	return strings.Join(parts, " | ")
}

// versionImm writes what s_version says of who made the code (LLVM, UCVersion).
func versionImm(v uint16, _ Target) string {
	const version, flags = 0xff, 0xe000
	names := map[uint16]string{0: "UC_VERSION_GFX7", 4: "UC_VERSION_GFX10", 6: "UC_VERSION_GFX11",
		9: "UC_VERSION_GFX12"}
	if v&^(version|flags) != 0 {
		return fmt.Sprintf("%#x", v)
	}
	text, ok := names[v&version]
	if !ok {
		text = strconv.Itoa(int(v & version))
	}
	flagged := false
	for i, flag := range []string{"W64", "W32", "MDP"} {
		if v>>(13+i)&1 == 0 {
			continue
		}
		if flagged {
			text = "(" + text + ")"
		}
		text, flagged = text+"|UC_VERSION_"+flag+"_BIT", true
	}
	return text
}

// dependencyImm writes the counters of s_waitcnt_depctr and s_wait_alu that are waited for: all if none is.
// Bits that are no counter's must be 0.
func dependencyImm(v uint16, t Target) string {
	rest := v
	var parts, all []string
	for _, f := range []struct {
		name        string
		shift, bits int
	}{{"hold_cnt", 7, 1}, {"sa_sdst", 0, 1}, {"va_vdst", 12, 4}, {"va_sdst", 9, 3}, {"va_ssrc", 8, 1},
		{"va_vcc", 1, 1}, {"vm_vsrc", 2, 3}} {
		if f.name == "hold_cnt" && t&(GFX1010|GFX1011) != 0 {
			continue
		}
		most := uint16(1<<f.bits - 1)
		n := v >> f.shift & most
		rest &^= most << f.shift
		all = append(all, fmt.Sprintf("depctr_%s(%d)", f.name, n))
		if n != most {
			parts = append(parts, all[len(all)-1])
		}
	}
	switch {
	case rest != 0:
		return fmt.Sprintf("%#x", v)
	case parts == nil:
		parts = all
	}
	return strings.Join(parts, " ")
}

// laterMessages are the messages from gfx11 on (RDNA 3 and 4 ISA, section "Send message types"), with the
// processors that have them.
var laterMessages = map[uint16]struct {
	name string
	on   Target
}{
	1: {"INTERRUPT", gfx11P}, 2: {"HS_TESSFACTOR", gfx11P}, 3: {"DEALLOC_VGPRS", gfx11P},
	5: {"STALL_WAVE_GEN", gfx11}, 6: {"HALT_WAVES", gfx11}, 9: {"GS_ALLOC_REQ", gfx11P},
	10:  {"SAVEWAVE_HAS_TDM", GFX1250},
	128: {"RTN_GET_DOORBELL", gfx11P}, 129: {"RTN_GET_DDID", gfx11P}, 130: {"RTN_GET_TMA", gfx11P},
	131: {"RTN_GET_REALTIME", gfx11P}, 132: {"RTN_SAVE_WAVE", gfx11P}, 133: {"RTN_GET_TBA", gfx11P},
	134: {"RTN_GET_TBA_TO_PC", gfx11P}, 135: {"RTN_GET_SE_AID_ID", gfx12},
	136: {"RTN_GET_CLUSTER_BARRIER_STATE", GFX1250},
}

// laterMessageImm writes what s_sendmsg sends, or s_sendmsg_rtn asks for.
func laterMessageImm(v uint16, t Target) string {
	id := v & 0xff
	if m := laterMessages[id]; m.on&t != 0 {
		return "sendmsg(MSG_" + m.name + ")"
	}
	if id != v {
		return strconv.Itoa(int(v))
	}
	return fmt.Sprintf("sendmsg(%d, 0, 0)", id)
}

// From gfx11 on the data share has compare and swap with the new value first, as other memories have.
var _ = registerLater(compareStoreRows)

func compareStoreRows() []Op {
	return []Op{
		{Enc: DS, Name: "ds_cmpstore_b32", src: srcs(b32, b32, b32), mem: atomic32(swapIf[uint32])},
		{Enc: DS, Name: "ds_cmpstore_rtn_b32", dst: b32, src: srcs(b32, b32, b32),
			mem: atomic32(swapIf[uint32])},
		{Enc: DS, Name: "ds_cmpstore_b64", src: srcs(b32, b64, b64), mem: atomic64(swapIf[uint64])},
		{Enc: DS, Name: "ds_cmpstore_rtn_b64", dst: b64, src: srcs(b32, b64, b64),
			mem: atomic64(swapIf[uint64])},
	}
}

// Arithmetic of floats on scalars, from gfx11.5 on (RDNA 3.5 ISA, sections "SOP1" to "SOPC").
var (
	_ = registerLater(scalarFloats)
	_ = registerLater(scalarConversions)
)

func scalarFloats() []Op {
	var rows []Op
	for _, t := range []struct {
		name string
		typ  typ
		f    format
	}{{"f32", f32, single}, {"f16", f16, half16}} {
		f := t.f
		two := func(name string, op func(f format, a, b uint64, e env) uint64) {
			rows = append(rows, Op{Enc: SOP2, Name: "s_" + name + "_" + t.name, dst: t.typ,
				src: srcs(t.typ, t.typ), run: func(c *Core, in *Inst) {
					c.setFloat(in, op(f, c.float(in, 0, f), c.float(in, 1, f), envOf(f, c.r.S[regMode])))
				}})
		}
		two("add", format.Add)
		two("sub", format.Sub)
		two("mul", format.Mul)
		two("min", format.Minimum)
		two("max", format.Maximum)
		rows = append(rows, Op{Enc: SOP2, Name: "s_fmac_" + t.name, dst: t.typ, src: srcs(t.typ, t.typ),
			run: func(c *Core, in *Inst) {
				c.setFloat(in, f.FMAPlain(c.float(in, 0, f), c.float(in, 1, f),
					uint64(c.r.S[uint8(in.dst.reg)])&f.All(), envOf(f, c.r.S[regMode])))
			}})
		one := func(name string, fn func(float64) float64) {
			rows = append(rows, Op{Enc: SOP1, Name: "s_" + name + "_" + t.name, dst: t.typ, src: srcs(t.typ),
				run: func(c *Core, in *Inst) {
					c.setFloat(in, f.Apply(fn, c.float(in, 0, f), envOf(f,
						c.r.S[regMode])))
				}})
		}
		one("ceil", math.Ceil)
		one("floor", math.Floor)
		one("trunc", math.Trunc)
		one("rndne", math.RoundToEven)
		for cond, name := range floatConditions {
			if name == "f" || name == "tru" {
				continue
			}
			rows = append(rows, Op{Enc: SOPC, Name: "s_cmp_" + name + "_" + t.name, src: srcs(t.typ, t.typ),
				run: func(c *Core, in *Inst) {
					e, a, b, is := envOf(f, c.r.S[regMode]), c.float(in, 0, f), c.float(in, 1, f), uint(
						relUnordered)
					if !f.IsNaN(a) && !f.IsNaN(b) {
						is = relation(f.Float(f.In(a, e)), f.Float(f.In(b, e)))
					}
					setSCC(c.r, is&uint(cond) != 0)
				}})
		}
	}
	return rows
}

func relation(a, b float64) uint {
	switch {
	case a < b:
		return relLess
	case a > b:
		return relGreater
	}
	return relEqual
}

// scalarConversions are those between floats of scalars, and to and from integers.
func scalarConversions() (rows []Op) {
	converts := func(name string, dst, src typ, fn func(a uint32, mode uint32) uint32) {
		rows = append(rows, Op{Enc: SOP1, Name: name, dst: dst, src: srcs(src), run: func(c *Core, in *Inst) {
			c.r.S[uint8(in.dst.reg)] = fn(c.s32(&in.src[0]), c.r.S[regMode])
		}})
	}
	number := func(v float64, mode uint32) uint32 {
		return uint32(single.Round(v, envOf(single, mode).Round))
	}
	converts("s_cvt_f32_i32", f32, i32,
		func(a, mode uint32) uint32 { return number(float64(int32(a)), mode) })
	converts("s_cvt_f32_u32", f32, u32, func(a, mode uint32) uint32 { return number(float64(a), mode) })
	converts("s_cvt_i32_f32", i32, f32, func(a, _ uint32) uint32 {
		v := float64(float32s(a))
		if v != v {
			return 0
		}
		return uint32(int32(max(math.MinInt32, min(math.Trunc(v), math.MaxInt32))))
	})
	converts("s_cvt_u32_f32", u32, f32, func(a, _ uint32) uint32 {
		v := float64(float32s(a))
		if v != v {
			return 0
		}
		return uint32(max(0, min(math.Trunc(v), math.MaxUint32)))
	})
	converts("s_cvt_f16_f32", f16, f32, func(a, mode uint32) uint32 {
		return uint32(convertFloat(single, half16, uint64(a), mode))
	})
	converts("s_cvt_f32_f16", f32, f16, func(a, mode uint32) uint32 {
		return uint32(convertFloat(half16, single, uint64(a&0xffff), mode))
	})
	converts("s_cvt_hi_f32_f16", f32, b32, func(a, mode uint32) uint32 {
		return uint32(convertFloat(half16, single, uint64(a>>16), mode))
	})
	return rows
}

// float is a source of a scalar instruction on floats, setFloat gives it its result.
func (c *Core) float(in *Inst, i int, f format) uint64 { return uint64(c.s32(&in.src[i])) & f.All() }

func (c *Core) setFloat(in *Inst, v uint64) { c.r.S[uint8(in.dst.reg)] = uint32(v) }
