package gcn

import (
	"math/bits"
	"strings"

	"simtgdb/simt/fidelity"
)

// A decisive value of one operand's bit makes the other's count: of s_and_b64 it is 1. anyValue says that it
// always counts.
const anyValue = 2

// bitLogic are the scalar operations that make each bit of their result of the same bits of their operands:
// what the second operand's bit must be for the first's to count, and the other way around.
var bitLogic = map[string]struct{ forFirst, forSecond uint64 }{
	"mov": {anyValue, anyValue}, "not": {anyValue, anyValue},
	"and": {1, 1}, "nand": {1, 1}, "or": {0, 0}, "nor": {0, 0},
	"xor": {anyValue, anyValue}, "xnor": {anyValue, anyValue},
	"andn2": {0, 1}, "orn2": {1, 0}, "andn1": {1, 0}, "orn1": {0, 1},
}

// negated are the endings of older names for what later processors call s_and_not1, s_or_not0 and so on.
var negated = map[string]string{"not1": "n2", "not0": "n1"}

// keepSCC are the beginnings of the names of scalar operations that leave SCC alone.
var keepSCC = []string{"s_mov", "s_cmov", "s_brev_", "s_ff0_", "s_ff1_", "s_flbit_", "s_sext_", "s_bitset",
	"s_getpc_", "s_setpc_", "s_swappc_", "s_call_", "s_cselect_", "s_bfm_", "s_mul", "s_pack_", "s_getreg_",
	"s_setreg_", "s_set_gpr_", "s_bitreplicate_",
	"s_add_f", "s_sub_f", "s_min_f", "s_max_f", "s_fma", "s_min_num_", "s_max_num_", "s_minimum_",
	"s_maximum_",
	"s_ceil_", "s_floor_", "s_trunc_", "s_rndne_", "s_cvt_", "s_add_nc_", "s_sub_nc_", "s_add_pc_", "s_get_",
	"s_set_pc_", "s_swap_pc_", "s_cls_", "s_clz_", "s_ctz_", "s_sendmsg_rtn_", "s_sleep_", "s_wakeup_",
	"s_subvector_"}

// keepDst are those whose result may be what the destination held, at least in part.
var keepDst = []string{"s_cmov", "s_bitset", "s_addk_", "s_mulk_", "s_fmac_", "s_movreld_", "s_subvector_"}

// readSCC are those that read SCC without naming it.
var readSCC = []string{"s_cmov", "s_cselect_", "s_addc_", "s_subb_", "s_add_co_ci_",
	"s_sub_co_ci_"}

func hasPrefix(name string, list []string) bool {
	for _, p := range list {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// scalarRule is how the results of a scalar operation come from its operands.
func (in *Inst) scalarRule() originRule {
	name := in.Op.Name
	base, rest, _ := strings.Cut(strings.TrimPrefix(name, "s_"), "_")
	if first, _, _ := strings.Cut(rest, "_"); negated[first] != "" {
		base += negated[first]
	}
	logic, isLogic := bitLogic[base]
	r := originRule{after: scalarAfter}
	switch kept := hasPrefix(name, keepSCC); {
	case isLogic && in.dst.kind == scalarReg:
		withExec := strings.Contains(rest, "exec")
		r.before = func(c *Core, s *origins, in *Inst, now *outcome) {
			now.keepSCC = kept
			s.logic(c, in, now, withExec, logic.forFirst, logic.forSecond)
		}
	case base == "cselect":
		r.before = chooseOrigins
	default:
		dst, scc := hasPrefix(name, keepDst), hasPrefix(name, readSCC)
		relative := strings.HasPrefix(name, "s_movrel")
		r.before = func(c *Core, s *origins, in *Inst, now *outcome) {
			now.keepSCC = kept
			s.scalarSources(c, in, now, dst, scc, relative)
		}
	}
	switch {
	case name == "s_setpc_b64", name == "s_swappc_b64", name == "s_set_pc_i64", name == "s_swap_pc_i64",
		name == "s_add_pc_i64":
		r.after = jumpAfter
	case strings.HasPrefix(name, "s_waitcnt_"), name == "s_version":
		return originRule{noOrigins, func(*Core, *origins, *Inst, *outcome, fidelity.Origins) {}}
	case strings.HasPrefix(name, "s_subvector_"):
		r.after = subvectorAfter
	case strings.HasPrefix(name, "s_movrel"):
		r.after = relativeAfter
	case strings.HasPrefix(name, "s_set_gpr_idx"):
		r.after = indexAfter
	}
	return r
}

// scalarSources: every bit of the result comes from all bits of the operands.
func (s *origins) scalarSources(c *Core, in *Inst, now *outcome, dst, scc, relative bool) {
	var all fidelity.Origins
	add := func(o fidelity.Origins) { all = s.t.Union(all, o) }
	for i := range in.src {
		o := in.src[i]
		if relative && o.kind == scalarReg && in.Op.Name[:8] == "s_movrel" && in.Op.Name[8] == 's' {
			o.reg += uint16(c.r.S[regM0])
		}
		add(s.of(&o))
	}
	if dst {
		add(s.of(&in.dst))
	}
	if scc {
		add(s.scalars(regSCC, 1))
	}
	if relative {
		add(s.scalars(regM0, 1))
	}
	for i := range now.bits {
		now.bits[i] = all
	}
}

// logic is an operation on each bit of its operands, of which the second may be EXEC.
func (s *origins) logic(c *Core, in *Inst, now *outcome, withExec bool, forFirst, forSecond uint64) {
	wide := typDwords[in.dst.typ] > 1
	value := func(o *operand) uint64 {
		if wide {
			return c.s64(o)
		}
		return uint64(c.s32(o))
	}
	first, second := in.src[0], in.src[1]
	if withExec {
		second = operand{kind: scalarReg, typ: b64, reg: regExec}
	}
	a, b := value(&first), uint64(0)
	if second.kind != noOperand {
		b = value(&second)
	}
	counts := func(v uint64, i int, unknown fidelity.Origins, need uint64) bool {
		return need == anyValue || unknown != 0 || v>>i&1 == need
	}
	for i := range 32 * max(typDwords[in.dst.typ], 1) {
		oa, ob := s.bitOf(&first, i), s.bitOf(&second, i)
		if oa != 0 && counts(b, i, ob, forFirst) {
			now.bits[i] = oa
		}
		if ob != 0 && counts(a, i, oa, forSecond) {
			now.bits[i] = s.t.Union(now.bits[i], ob)
		}
	}
}

// bitOf is where a bit of an operand comes from.
func (s *origins) bitOf(o *operand, i int) fidelity.Origins {
	if o.kind == scalarReg {
		return s.bit(int(o.reg), i)
	}
	return s.of(o)
}

// chooseOrigins is s_cselect: where SCC is exact the result is what it chooses.
func chooseOrigins(c *Core, s *origins, in *Inst, now *outcome) {
	now.keepSCC = true
	scc := s.scalars(regSCC, 1)
	chosen := &in.src[1]
	if c.r.S[regSCC] != 0 {
		chosen = &in.src[0]
	}
	if scc != 0 {
		s.scalarSources(c, in, now, false, true, false)
		return
	}
	for i := range now.bits {
		if i < 32*typDwords[in.dst.typ] {
			now.bits[i] = s.bitOf(chosen, i)
		}
	}
}

// scalarAfter sets the origins of a scalar operation's results.
func scalarAfter(c *Core, s *origins, in *Inst, now *outcome, own fidelity.Origins) {
	var all fidelity.Origins
	if own != 0 || now.bits != (bitsOf{}) {
		for i, o := range now.bits {
			now.bits[i] = s.t.Union(o, own)
			all = s.t.Union(all, now.bits[i])
		}
	}
	saves := in.Op.flag&writesExec != 0 && !strings.Contains(in.Op.Name, "wrexec")
	if in.dst.kind == scalarReg {
		result := &now.bits
		if saves { // the destination is what EXEC was
			result = &bitsOf{}
		}
		s.setBits(int(in.dst.reg), max(typDwords[in.dst.typ], 1), result)
	}
	if !now.keepSCC {
		s.setScalar(regSCC, all)
	}
	if in.writesExec() {
		s.chosen(c, in, &now.bits)
	}
}

// reached tells of a value that is the same for all lanes.
func (s *origins) reached(c *Core, kind fidelity.Kind, in *Inst, o fidelity.Origins) {
	if o == 0 {
		return
	}
	mask := c.w.Exec
	if mask == 0 {
		mask = c.w.Valid & -c.w.Valid
	}
	var lanes fidelity.Lanes
	s.t.JoinAll(&lanes, o, mask)
	s.t.Reached(kind, in.PC, in, &lanes, mask)
}

// jumpAfter is a jump or call to where a register says.
func jumpAfter(c *Core, s *origins, in *Inst, now *outcome, _ fidelity.Origins) {
	s.reached(c, fidelity.Branch, in, now.bits[0])
	if in.dst.kind == scalarReg {
		s.setBits(int(in.dst.reg), 2, &bitsOf{})
	}
}

// subvectorAfter is s_subvector_loop_begin and its end, which change EXEC and branch.
func subvectorAfter(c *Core, s *origins, in *Inst, now *outcome, _ fidelity.Origins) {
	s.reached(c, fidelity.Branch, in, now.bits[0])
	s.chosen(c, in, &now.bits)
	s.setBits(int(in.dst.reg), 1, &now.bits)
}

// relativeAfter is s_movrel, which chooses a register by M0.
func relativeAfter(c *Core, s *origins, in *Inst, now *outcome, own fidelity.Origins) {
	s.reached(c, fidelity.Address, in, s.scalars(regM0, 1))
	if strings.HasPrefix(in.Op.Name, "s_movreld") {
		s.setBits(int(in.dst.reg)+int(c.r.S[regM0]), max(typDwords[in.dst.typ], 1), &now.bits)
		return
	}
	scalarAfter(c, s, in, now, own)
}

// indexAfter is s_set_gpr_idx_on and s_set_gpr_idx_idx, whose source chooses vector registers.
func indexAfter(c *Core, s *origins, in *Inst, _ *outcome, _ fidelity.Origins) {
	s.reached(c, fidelity.Address, in, s.of(&in.src[0]))
}

// branchOrigins tells of branches. Of those of EXEC it does not, since what writes EXEC is told of.
func branchOrigins(c *Core, s *origins, in *Inst, _ *outcome) {
	switch in.Op.Name {
	case "s_cbranch_scc0", "s_cbranch_scc1":
		s.reached(c, fidelity.Branch, in, s.scalars(regSCC, 1))
	case "s_cbranch_vccz", "s_cbranch_vccnz":
		s.reached(c, fidelity.Branch, in, s.scalars(regVCC, c.w.Size/32))
	}
}

// scalarMemoryAfter is a scalar load, store or atomic operation.
func scalarMemoryAfter(c *Core, s *origins, in *Inst, _ *outcome, own fidelity.Origins) {
	at := s.t.Union(s.of(&in.src[0]), s.of(&in.mem.soffset))
	s.reached(c, fidelity.Address, in, at)
	n := typDwords[in.dst.typ]
	accesses := s.t.Accesses()
	if len(accesses) == 0 { // outside of its buffer, or no access
		for i := range n {
			s.setScalar(int(in.dst.reg)+i, s.t.Union(own, at))
		}
		return
	}
	a := &accesses[0]
	lane := bits.TrailingZeros64(a.Lanes)
	data := int(in.src[1].reg)
	switch {
	case a.Atomic:
		old := s.t.Union(s.t.Load(a, lane, 0, a.Size), at)
		all := s.t.Union(old, s.scalars(data, typDwords[in.src[1].typ]))
		s.t.Store(a, lane, 0, a.Size, s.t.Union(all, own))
		for i := range a.Size / 4 {
			if in.mem.glc {
				s.setScalar(data+i, old)
			}
		}
	case a.Write:
		for i := range a.Size / 4 {
			s.t.Store(a, lane, 4*i, 4, s.t.Union(at, s.scalars(data+i, 1)))
		}
	default:
		for i := range n {
			s.setScalar(int(in.dst.reg)+i, s.t.Union(at, s.t.Load(a, lane, 4*i, 4)))
		}
	}
}
