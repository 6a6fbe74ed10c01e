package gcn

import "simtgdb/simt"

// A defect is a row of the table of what a processor does wrong all by itself, so that compilers do without
// it: an instruction that is not to be there.
type defect struct {
	source string // LLVM's name of it
	on     Target
	is     func(in *Inst) bool
	what   string
}

// defects are those of gfx10.1 and gfx11.0 (LLVM 22, features of AMDGPU.td).
var defects = []defect{
	{"offset-3f-bug", gfx101, func(in *Inst) bool {
		const offset = 0x3f
		return in.Op.Enc == SOPP && (in.Op.flow == simt.FlowBranch || in.Op.flow == simt.FlowJump) &&
			in.simm == offset
	}, "a branch goes 0x3f dwords on, which this processor does wrong"},
	{"flat-segment-offset-bug", gfx101, func(in *Inst) bool { return in.Op.Enc == FLAT && in.simm != 0 },
		"a flat instruction has an offset, which this processor leaves out in global memory"},
	{"negative-unaligned-scratch-offset-bug", gfx101, func(in *Inst) bool {
		return in.Op.Enc == SCRATCH && in.src[0].kind == vectorReg && in.simm < 0 && in.simm%4 != 0
	}, "private memory is accessed with a negative offset that is no multiple of 4, which this processor " +
		"does wrong"},
	{"inst-fwd-prefetch-bug", gfx101, func(in *Inst) bool { return in.Op.Name == "s_inst_prefetch" },
		"s_inst_prefetch makes this processor hang"},
	{"mad-intra-fwd-bug", GFX1100, func(in *Inst) bool {
		if in.Op.Name != "v_mad_u64_u32" && in.Op.Name != "v_mad_i64_i32" {
			return false
		}
		for i := range 3 { // of the sum the low half: compilers do not look after a high one without contents
			if o := &in.src[i]; o.kind == vectorReg && o.reg >= in.dst.reg && o.reg <= in.dst.reg+1 {
				return true
			}
		}
		return false
	}, "the result overwrites a source, which this processor may not have read yet"},
}

// defective is what a processor does wrong of an instruction, in words.
func (in *Inst) defective() string {
	if in.on&(gfx101|GFX1100) == 0 || in.pair != nil {
		return ""
	}
	for i := range defects {
		if d := &defects[i]; d.on&in.on != 0 && d.is(in) {
			return d.what + " (LLVM: " + d.source + ")"
		}
	}
	return ""
}
