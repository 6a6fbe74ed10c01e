package gcn

import (
	"math/bits"
	"strings"
	"sync"

	"simtgdb/simt/fidelity"
)

// Where the results of inexact instructions go, for package fidelity. Instructions are wrapped when they are
// decoded, so that it costs nothing otherwise. Of vector registers each lane of each dword has its origins,
// of scalar ones each bit, since they hold masks of lanes; of SCC bit 0.

// FollowsInexact implements fidelity.Machine.
func (a *ISA) FollowsInexact() string {
	return "instructions that docs/fidelity.md lists as approximate"
}

// bitsOf are the origins of the bits of one or two scalar registers.
type bitsOf [64]fidelity.Origins

// origins are where what the registers of a wave hold comes from. What is nil is exact.
type origins struct {
	t      *fidelity.Tracker
	scalar [256]*[32]fidelity.Origins
	vector [vectorFile]*fidelity.Lanes
}

// outcome is where the results of an instruction come from, found before it executes.
type outcome struct {
	exec    uint64 // before it
	written uint64 // the lanes that get a result
	lanes   fidelity.Lanes
	bits    bitsOf
	keepSCC bool
}

// originRule is how the results of a kind of instructions come from their operands.
type originRule struct {
	before func(c *Core, s *origins, in *Inst, now *outcome)
	after  func(c *Core, s *origins, in *Inst, now *outcome, own fidelity.Origins)
}

// An auditor follows one instruction, or one of a pair.
type auditor struct {
	in   *Inst
	rule originRule
	far  string
	site fidelity.Site
}

func (in *Inst) auditor(t *fidelity.Tracker) auditor {
	a := auditor{in: in, rule: in.originRule(), far: Approximate(in.Op.Name)}
	if a.far != "" {
		a.site = t.Site(in.PC, in.String(), a.far, refinable[in.Op.Name])
	}
	return a
}

// own is where the results of an instruction come from besides its operands, once it has been executed.
func (a *auditor) own(s *origins, now *outcome) fidelity.Origins {
	if a.far == "" {
		return 0
	}
	lanes := 1
	if a.in.form >= VOP2 && a.in.dst.kind != scalarReg {
		lanes = bits.OnesCount64(now.exec)
	}
	return s.t.Ran(a.site, lanes)
}

// audited wraps what executes an instruction. Both of a pair read their operands before either writes.
func (in *Inst) audited(t *fidelity.Tracker) func(*Core, *Inst) {
	execute := in.exec
	var parts []auditor
	inexact := false
	for _, part := range in.parts() {
		a := part.auditor(t)
		parts, inexact = append(parts, a), inexact || a.far != ""
	}
	return func(c *Core, in *Inst) {
		t.Begin()
		if !inexact && t.AllExact() {
			execute(c, in)
			return
		}
		s := t.Registers(c.w, func() any { return &origins{t: t} }).(*origins)
		var now [2]outcome
		for i := range parts {
			now[i].exec, now[i].written = c.w.Exec, c.w.Exec
			parts[i].rule.before(c, s, parts[i].in, &now[i])
		}
		execute(c, in)
		if c.faulted() {
			return
		}
		for i := range parts {
			parts[i].rule.after(c, s, parts[i].in, &now[i], parts[i].own(s, &now[i]))
		}
	}
}

// refinable are the approximations that only begin a division whose end, v_div_fixup, is correctly rounded
// whatever they give (LLVM, AMDGPULegalizerInfo::legalizeFDIV32 and legalizeFDIV64).
var refinable = map[string]bool{"v_rcp_f32": true, "v_rcp_f64": true}

// fixups are the ends of such divisions.
var fixups = map[string]bool{"v_div_fixup_f32": true, "v_div_fixup_f64": true}

// originRule chooses the rule of an instruction.
func (in *Inst) originRule() originRule {
	if r, ok := originRules()[in.Op.Name]; ok {
		return r
	}
	switch {
	case strings.HasPrefix(in.Op.Name, "v_permlane"):
		return originRule{permutedOrigins, vectorAfter}
	case strings.HasPrefix(in.Op.Name, "v_s_"):
		return originRule{readLaneOrigins, scalarAfter}
	case strings.HasPrefix(in.Op.Name, "v_movrel"), in.Op.Name == "v_swaprel_b32":
		return originRule{noOrigins, movedAfter}
	case in.form == VINTERP:
		return originRule{wholeOrigins, vectorAfter}
	case in.Op.isMatrix(), in.isProduct():
		return originRule{wholeOrigins, vectorAfter}
	case in.form == SOPP:
		return originRule{branchOrigins, func(*Core, *origins, *Inst, *outcome, fidelity.Origins) {}}
	case in.form == SMEM:
		return originRule{noOrigins, scalarMemoryAfter}
	case in.form < SMEM:
		return in.scalarRule()
	case in.form >= DS:
		return originRule{noOrigins, memoryAfter}
	}
	return originRule{vectorOrigins, vectorAfter}
}

func noOrigins(*Core, *origins, *Inst, *outcome) {}

// originRules are those of instructions that differ from others of their encoding.
var originRules = sync.OnceValue(func() map[string]originRule {
	return map[string]originRule{
		"v_readfirstlane_b32":   {readLaneOrigins, scalarAfter},
		"v_readlane_b32":        {readLaneOrigins, scalarAfter},
		"v_writelane_b32":       {writeLaneOrigins, vectorAfter},
		"v_swap_b32":            {noOrigins, swapAfter},
		"v_swap_b16":            {swapHalfOrigins, swapHalfAfter},
		"v_permlane16_swap_b32": {noOrigins, mixAfter},
		"v_permlane32_swap_b32": {noOrigins, mixAfter},
		"ds_swizzle_b32":        {wholeOrigins, vectorAfter},
		"ds_permute_b32":        {wholeOrigins, vectorAfter},
		"ds_bpermute_b32":       {wholeOrigins, vectorAfter},
		"v_cndmask_b32":         {selectOrigins, vectorAfter},
	}
})

// Registers.

// bit is where a bit of scalar registers comes from.
func (s *origins) bit(reg, i int) fidelity.Origins {
	if p := s.scalar[(reg+i/32)&255]; p != nil {
		return p[i%32]
	}
	return 0
}

// scalars is where any bit of n scalar registers comes from.
func (s *origins) scalars(reg, n int) (o fidelity.Origins) {
	for r := reg; r < reg+n; r++ {
		if p := s.scalar[r&255]; p != nil {
			for _, b := range p {
				o = s.t.Union(o, b)
			}
		}
	}
	return o
}

// setBits sets the origins of n scalar registers, at most two. EXEC has none, see chosen.
func (s *origins) setBits(reg, n int, from *bitsOf) {
	for r := range n {
		at := (reg + r) & 255
		word := [32]fidelity.Origins(from[32*r:])
		if word == ([32]fidelity.Origins{}) || at == regExec || at == regExec+1 {
			s.scalar[at] = nil
			continue
		}
		if s.scalar[at] == nil {
			s.scalar[at] = new([32]fidelity.Origins)
		}
		*s.scalar[at] = word
	}
}

// setScalar gives all bits of a scalar register one origin.
func (s *origins) setScalar(reg int, o fidelity.Origins) {
	var from bitsOf
	for i := range from {
		from[i] = o
	}
	s.setBits(reg, 1, &from)
}

// setVector sets the origins of a vector register in some lanes.
func (s *origins) setVector(reg int, from *fidelity.Lanes, mask uint64) {
	if reg >= len(s.vector) {
		return
	}
	p := s.vector[reg]
	if p == nil {
		if *from == (fidelity.Lanes{}) {
			return
		}
		p = new(fidelity.Lanes)
		s.vector[reg] = p
	}
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		p[l] = from[l]
	}
	if *p == (fidelity.Lanes{}) {
		s.vector[reg] = nil
	}
}

// vectorOf is a vector register, nil if it is exact.
func (s *origins) vectorOf(reg int) *fidelity.Lanes {
	if reg < len(s.vector) {
		return s.vector[reg]
	}
	return nil
}

// of is where an operand that is the same for all lanes comes from.
func (s *origins) of(o *operand) fidelity.Origins {
	switch o.kind {
	case scalarReg:
		return s.scalars(int(o.reg), max(typDwords[o.typ], 1))
	case special:
		switch o.reg {
		case srcVCCZ:
			return s.scalars(regVCC, 2)
		case srcEXECZ:
			return s.scalars(regExec, 2)
		}
	}
	return 0
}

// addMask adds the origins of a mask of lanes, to each lane its bit's.
func (s *origins) addMask(lanes *fidelity.Lanes, reg int) {
	if s.scalar[reg&255] == nil && s.scalar[(reg+1)&255] == nil {
		return
	}
	for l := range lanes {
		lanes[l] = s.t.Union(lanes[l], s.bit(reg, l))
	}
}

// addOperand adds the origins of a source to those of the lanes.
func (s *origins) addOperand(lanes *fidelity.Lanes, o *operand) {
	switch {
	case o.kind == vectorReg:
		for i := range max(typDwords[o.typ], 1) {
			if from := s.vectorOf(int(o.reg) + i); from != nil {
				s.t.Join(lanes, from)
			}
		}
	case o.kind == scalarReg && (o.typ == mask || o.typ == mask32):
		s.addMask(lanes, int(o.reg))
	default:
		s.t.JoinAll(lanes, s.of(o), ^uint64(0))
	}
}

// Vector instructions.

// vectorOrigins: each lane's result comes from its operands.
func vectorOrigins(c *Core, s *origins, in *Inst, now *outcome) {
	for i := range in.src {
		o := &in.src[i]
		if i == 0 && in.mod != nil && in.mod.dpp != nil {
			now.written &= in.mod.dpp.origins(c, s, o, &now.lanes) & in.mod.dpp.enabled()
			continue
		}
		s.addOperand(&now.lanes, o)
	}
	if in.Op.flag&readsVCC != 0 {
		s.addMask(&now.lanes, regVCC)
	}
	if in.keepsPart() {
		s.addOperand(&now.lanes, &in.dst)
	}
	if fixups[in.Op.Name] {
		for l, o := range now.lanes {
			now.lanes[l] = s.t.Refined(o)
		}
	}
}

// keepsPart reports whether the result has something of what the destination held.
func (in *Inst) keepsPart() bool {
	if in.dst.kind != vectorReg {
		return false
	}
	if m := in.mod; m != nil && m.sdwa != nil && m.sdwa.dstSel != selDword &&
		m.sdwa.dstUnused == unusedPreserve {
		return true
	}
	return in.Op.flag&(readsDst|opSel|keeps|byteSel) != 0
}

// origins adds to each lane the origins of the one that it reads, and returns the lanes that read one.
func (p *dpp) origins(c *Core, s *origins, o *operand, lanes *fidelity.Lanes) (valid uint64) {
	var from fidelity.Lanes
	s.addOperand(&from, o)
	for l := range lanes {
		at, _ := p.source(c.isa.Target, l, c.w.Size)
		if at >= 0 && (p.inactive || c.w.Exec>>at&1 != 0) {
			lanes[l] = s.t.Union(lanes[l], from[at&63])
			valid |= 1 << l
		} else if p.boundCtrl {
			valid |= 1 << l
		}
	}
	return valid
}

// selectOrigins is v_cndmask: where the mask is exact the result comes from the source that it chooses.
func selectOrigins(c *Core, s *origins, in *Inst, now *outcome) {
	o := &in.src[2]
	if in.mod != nil && (in.mod.dpp != nil || in.mod.sdwa != nil) || o.kind != scalarReg {
		vectorOrigins(c, s, in, now)
		return
	}
	chosen := c.laneMask(uint8(o.reg))
	var sources [2]fidelity.Lanes
	s.addOperand(&sources[0], &in.src[0])
	s.addOperand(&sources[1], &in.src[1])
	for l := range now.lanes {
		now.lanes[l] = sources[chosen>>l&1][l]
		if by := s.bit(int(o.reg), l); by != 0 {
			now.lanes[l] = s.t.Union(by, s.t.Union(sources[0][l], sources[1][l]))
		}
	}
}

// wholeOrigins: a lane's result may come from all lanes of the sources.
func wholeOrigins(c *Core, s *origins, in *Inst, now *outcome) {
	var from fidelity.Lanes
	for i := range in.src {
		s.addOperand(&from, &in.src[i])
	}
	if in.mod != nil && in.mod.scales != nil {
		s.addOperand(&from, &in.mod.scales[0])
		s.addOperand(&from, &in.mod.scales[1])
	}
	if in.keepsPart() {
		s.addOperand(&from, &in.dst)
	}
	var all fidelity.Origins
	for _, o := range from {
		all = s.t.Union(all, o)
	}
	s.t.JoinAll(&now.lanes, all, ^uint64(0))
	if in.Op.isMatrix() || in.isProduct() { // these do not look at EXEC
		now.written = ^uint64(0)
	}
}

// vectorAfter sets the origins of a vector instruction's results.
func vectorAfter(c *Core, s *origins, in *Inst, now *outcome, own fidelity.Origins) {
	s.t.JoinAll(&now.lanes, own, ^uint64(0))
	if in.dst.kind == vectorReg {
		for i := range max(typDwords[in.dst.typ], 1) {
			s.setVector(int(in.dst.reg)+i, &now.lanes, now.written)
		}
	}
	if in.sdst.kind != scalarReg {
		return
	}
	var mask bitsOf
	for m := now.written; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		mask[l] = now.lanes[l]
	}
	s.setBits(int(in.sdst.reg), c.w.Size/32, &mask)
	if in.writesExec() {
		s.chosen(c, in, &mask)
	}
}

// chosen tells of lanes that execute because of inexact values, or do not. What EXEC holds counts as exact
// then: masks that are made of it depend on how the program went on, which is not followed.
func (s *origins) chosen(c *Core, in *Inst, mask *bitsOf) {
	lanes := fidelity.Lanes(*mask)
	s.t.Reached(fidelity.Chosen, in.PC, in, &lanes, c.w.Valid)
}

// readLaneOrigins is v_readlane and v_readfirstlane.
func readLaneOrigins(c *Core, s *origins, in *Inst, now *outcome) {
	now.keepSCC = true
	lane := bits.TrailingZeros64(now.exec|1<<63) & 63
	if now.exec == 0 {
		lane = 0
	}
	var o fidelity.Origins
	if strings.HasPrefix(in.Op.Name, "v_s_") { // of what may be a vector register
		lane = 0
	} else if in.src[1].kind != noOperand {
		lane = int(c.s32(&in.src[1])) & (c.w.Size - 1) & 63
		o = s.of(&in.src[1])
	}
	var from fidelity.Lanes
	s.addOperand(&from, &in.src[0])
	o = s.t.Union(o, from[lane])
	for i := range now.bits {
		now.bits[i] = o
	}
}

// writeLaneOrigins is v_writelane.
func writeLaneOrigins(c *Core, s *origins, in *Inst, now *outcome) {
	now.written = 1 << (c.s32(&in.src[1]) & uint32(c.w.Size-1) & 63)
	s.addOperand(&now.lanes, &in.src[0])
	s.addOperand(&now.lanes, &in.src[1])
}

// swapAfter is v_swap_b32.
func swapAfter(_ *Core, s *origins, in *Inst, now *outcome, _ fidelity.Origins) {
	var a, b fidelity.Lanes
	s.addOperand(&a, &in.dst)
	s.addOperand(&b, &in.src[0])
	s.setVector(int(in.dst.reg), &b, now.exec)
	s.setVector(int(in.src[0].reg), &a, now.exec)
}

// swapHalfOrigins and swapHalfAfter are v_swap_b16: either register may have a half of the other.
func swapHalfOrigins(_ *Core, s *origins, in *Inst, now *outcome) {
	s.addOperand(&now.lanes, &in.dst)
	s.addOperand(&now.lanes, &in.src[0])
}

func swapHalfAfter(_ *Core, s *origins, in *Inst, now *outcome, _ fidelity.Origins) {
	s.setVector(int(in.dst.reg), &now.lanes, now.exec)
	s.setVector(int(in.src[0].reg), &now.lanes, now.exec)
}

// movedAfter is v_movrels and its like, which choose registers by M0.
func movedAfter(c *Core, s *origins, in *Inst, now *outcome, _ fidelity.Origins) {
	s.reached(c, fidelity.Address, in, s.scalars(regM0, 1))
	m0 := c.r.S[regM0]
	var d, from uint32
	switch in.Op.Name {
	case "v_movreld_b32":
		d = m0
	case "v_movrels_b32":
		from = m0
	case "v_movrelsd_b32":
		d, from = m0, m0
	default: // v_movrelsd_2_b32, v_swaprel_b32
		d, from = m0>>16&0x3ff, m0&0x3ff
	}
	dst, src := in.dst, in.src[0]
	if dst.reg += uint16(d); src.kind == vectorReg {
		src.reg += uint16(from)
	}
	moved := *in
	if moved.dst = dst; in.Op.Name == "v_swaprel_b32" {
		moved.src[0] = src
		swapAfter(c, s, &moved, now, 0)
		return
	}
	s.addOperand(&now.lanes, &src)
	vectorAfter(c, s, &moved, now, 0)
}

// permutedOrigins: a lane's result may come from all lanes of the sources, or be what it was.
func permutedOrigins(c *Core, s *origins, in *Inst, now *outcome) {
	wholeOrigins(c, s, in, now)
	s.addOperand(&now.lanes, &in.dst)
}

// mixAfter is for instructions that exchange lanes of two registers: either may come from all of both.
func mixAfter(c *Core, s *origins, in *Inst, now *outcome, _ fidelity.Origins) {
	s.addOperand(&now.lanes, &in.dst)
	wholeOrigins(c, s, in, now)
	s.setVector(int(in.dst.reg), &now.lanes, now.exec)
	s.setVector(int(in.src[0].reg), &now.lanes, now.exec)
}

var _ fidelity.Machine = (*ISA)(nil)
