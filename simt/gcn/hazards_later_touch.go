package gcn

import (
	"regexp"
	"slices"
	"strings"

	"simtgdb/simt"
)

// What instructions of gfx10 and later leave behind and come to, for hazards_later.go.

var (
	laterSlowNames = regexp.MustCompile(`^v_(s_)?((exp|log)(_legacy)?|rcp(_iflag)?|rsq|sqrt|sin|cos|tanh)_` +
		`(f16|f32|f64|bf16)$`)
	permuteNames     = regexp.MustCompile(`^v_permlane(x?16|64|x?16_var)_b32$`)
	floatAtomicNames = regexp.MustCompile(`_atomic_(f(add|min|max|cmpswap)|pk_add|` +
		`(add|min|max|min_num|max_num)_(b?f16|f32|f64))`)
	laneMaskNames = regexp.MustCompile(`^v_(addc|subb|subbrev)_co_u32$|^v_cndmask_b(16|32)$|^v_div_fmas_|` +
		`^v_(add|sub|subrev)_co_ci_u32$`)
)

const arriveName = "ds_atomic_async_barrier_arrive_b64"

// laterInsts is what the instructions of a block are for hazards. Some of what is left behind only matters
// where a few rare instructions follow: it is kept in blocks that have these.
func laterInsts(insts []Inst) []laterInst {
	all, near := make([]laterInst, len(insts)), map[laterKind]bool{}
	for i := range insts {
		l := &all[i]
		l.needs = insts[i].laterNeeds()
		for _, t := range l.needs {
			near[t.kind] = true
		}
	}
	for i := range insts {
		in, l := &insts[i], &all[i]
		l.classes, l.far, l.states = in.classes(), in.Op.farJump(), 1
		if in.Op.Enc == SOPP && in.Op.Name == "s_nop" {
			l.states = uint8(in.simm)&15 + 1
		}
		l.writes = in.scalarWrites()
		l.leaves = in.laterLeaves(l.classes, near[atDirect] || near[atDirectHeld], near[atStatus])
		if l.classes&anyVector != 0 {
			for _, t := range in.laneReads() {
				l.reads |= 1 << (t.first / 2 & 63)
			}
		}
	}
	return all
}

// isVector reports whether an instruction of gfx10 and later is vector arithmetic.
func (in *Inst) isVector() bool {
	return in.pair != nil || in.Op.Enc.isVectorALU() || in.Op.Enc == VINTERP
}

func (in *Inst) isScalar() bool { return in.pair == nil && in.Op.Enc <= SOPP }

func (in *Inst) accessesLDS() bool { return in.Op.Enc == DS || in.mem.lds || in.loadsLDS() }

// accessesMemory reports whether an instruction accesses memory by lanes.
func (in *Inst) accessesMemory() bool {
	return in.pair == nil && (in.Op.Enc >= FLAT && in.Op.Enc <= MIMG || in.Op.Enc == VSAMPLE)
}

func (in *Inst) isSlow() bool { return in.pair == nil && laterSlowNames.MatchString(in.Op.Name) }

func (in *Inst) isProduct() bool { return in.pair == nil && (in.Op.wave != nil || in.Op.block != nil) }

// classes are those of an instruction.
func (in *Inst) classes() (c classes) {
	set := func(class classes, when bool) {
		if when {
			c |= class
		}
	}
	vector, enc := in.isVector(), in.Op.Enc
	writes := len(in.scalarWrites()) > 0 || in.Op.flag&writesExec != 0
	set(anyVector, vector)
	set(workingVector, vector && in.Op.Name != "v_nop")
	set(vectorToScalar, vector && writes)
	set(anySlow, vector && in.isSlow())
	set(toScalar, (vector || in.isScalar()) && writes)
	set(scalarAccess, in.pair == nil && enc == SMEM)
	set(memoryAccess, in.accessesMemory())
	set(plainAccess, in.accessesMemory() && enc >= MUBUF)
	set(ldsAccess, in.pair == nil && in.accessesLDS())
	set(export, in.pair == nil && enc == EXP)
	if in.isScalar() {
		for _, t := range in.scalarReads() {
			set(scalarReadsVCC, t.first == regVCC || t.first == regVCC+1)
			set(scalarReads, t.first < regVCC || t.first > regVCC+1)
		}
		c |= in.waitClasses()
	}
	set(vmVsrc, enc == LDSDIR && in.on&gfx12 != 0 && in.words[0]>>23&1 == 0)
	return c
}

// waitClasses are those of a scalar instruction by what it waits for.
func (in *Inst) waitClasses() (c classes) {
	name, v := in.Op.Name, uint16(in.simm)
	zero := v == 0 && in.dst.reg == regNull // of a wait for a count that a register has, too
	switch {
	case name == "s_waitcnt_depctr" || name == "s_wait_alu":
		return dependencyClasses(v)
	case name == "s_waitcnt":
		_, _, lgkm := laterWaitCounts(v, in.on)
		c = anyWait
		if lgkm == 0 {
			c |= scalarWaits
		}
		if v == 0 {
			c |= noneWaits
		}
	case name == "s_waitcnt_lgkmcnt" && zero:
		c = anyWait | scalarWaits
	case name == "s_waitcnt_vscnt" && zero:
		c = anyWait | storesWait
	case strings.HasPrefix(name, "s_wait"):
		c = anyWait
	case in.Op.Enc != SOPP && name != "s_version":
		c = scalarDone
	}
	return c
}

// dependencyClasses are those of s_waitcnt_depctr and s_wait_alu.
func dependencyClasses(v uint16) (c classes) {
	for _, f := range []struct {
		mask  uint16
		class classes
	}{{7 << 2, vmVsrc}, {0xf << 12, vaVdst}, {7 << 9, vaSdst}, {1 << 1, vaVCC}, {1, saSdst}, {7<<9 | 1, bothSdst},
		{0xffff, allDone}} {
		if v&f.mask == 0 {
			c |= f.class
		}
	}
	return c
}

// scalarTouch is a touch of a scalar register that is one: neither null nor SCC.
func scalarTouch(o *operand) (laterTouch, bool) {
	return laterTouch{first: o.reg, n: uint16(max(typDwords[o.typ], 1))}, o.kind == scalarReg && o.reg < 128
}

// scalarWrites are the scalar registers that an instruction names as results.
func (in *Inst) scalarWrites() (all []laterTouch) {
	for _, part := range in.parts() {
		for _, o := range []*operand{&part.dst, &part.sdst} {
			if t, ok := scalarTouch(o); ok && !slices.Contains(all, t) {
				all = append(all, t)
			}
		}
	}
	return all
}

// namedScalars are the scalar registers that an instruction has as sources.
func (in *Inst) namedScalars() []laterTouch {
	none := func(t laterTouch) bool { return t.first >= 128 }
	return slices.DeleteFunc(in.touches(scalarReg, (*Inst).eachSource), none)
}

// scalarReads are those that a scalar instruction reads, with VCC of a branch, but for EXEC and M0.
func (in *Inst) scalarReads() []laterTouch {
	all := in.namedScalars()
	if in.Op.Enc == SOPP && in.Op.flow == simt.FlowBranch && in.branchesOn("vcc") {
		all = append(all, laterTouch{first: regVCC, n: 2})
	}
	return slices.DeleteFunc(all, laterTouch.special)
}

// special reports whether a register is EXEC or M0, which hazards of other scalar registers leave out.
func (t laterTouch) special() bool { return t.first >= regM0 }

func (in *Inst) branchesOn(what string) bool {
	return strings.HasPrefix(in.Op.Name, "s_cbranch_"+what)
}

// laneReads are those that a vector instruction reads.
func (in *Inst) laneReads() []laterTouch {
	all := in.namedScalars()
	for _, part := range in.parts() {
		if part.Op.flag&readsVCC != 0 {
			all = append(all, laterTouch{first: regVCC, n: uint16(typDwords[part.maskTyp()])})
		}
	}
	return slices.DeleteFunc(all, laterTouch.special)
}

// maskTyp is the type of a mask of lanes where it is known, or else the wider one.
func (in *Inst) maskTyp() typ {
	if in.sdst.kind == scalarReg {
		return in.sdst.typ
	}
	return mask
}

// readsExec reports whether an instruction other than a vector one reads EXEC.
func (in *Inst) readsExec() bool {
	switch {
	case in.isVector():
		return false
	case !in.isScalar():
		return in.Op.Enc >= DS
	}
	return in.Op.flag&writesExec != 0 || in.branchesOn("exec") ||
		slices.ContainsFunc(in.namedScalars(), func(t laterTouch) bool { return t.first >= regExec })
}

// laterTouched makes touches.
type laterTouched []laterTouch

func (t *laterTouched) add(kind laterKind, all ...laterTouch) {
	for _, one := range all {
		one.kind = kind
		*t = append(*t, one)
	}
}

func (t *laterTouched) one(kind laterKind) { *t = append(*t, laterTouch{kind: kind}) }

// vectorSources are the vector registers that an instruction reads, and vectorResults those that it writes.
func (in *Inst) vectorSources() []laterTouch { return in.touches(vectorReg, (*Inst).eachSource) }
func (in *Inst) vectorResults() []laterTouch { return in.touches(vectorReg, (*Inst).eachResult) }

// touches are the registers of a kind that each calls its function for, of all parts of an instruction.
func (in *Inst) touches(kind operandKind, each func(*Inst, func(o *operand, n int))) (all []laterTouch) {
	for _, part := range in.parts() {
		each(part, func(o *operand, n int) {
			if o.kind == kind {
				all = append(all, laterTouch{first: o.reg, n: uint16(n)})
			}
		})
	}
	return all
}

// laterLeaves is what an instruction leaves behind: with direct where a direct load from LDS follows, with
// status where state of the wave is read.
func (in *Inst) laterLeaves(c classes, direct, status bool) []laterTouch {
	var t laterTouched
	switch {
	case c&anyVector != 0:
		in.leavesOfVector(&t, direct)
	case in.isScalar():
		in.leavesOfScalar(&t)
	case c&(memoryAccess|ldsAccess) != 0:
		in.leavesOfAccess(&t, c, direct)
	case c&scalarAccess != 0:
		t.add(heldByScalar, in.namedScalars()...)
	}
	if in.readsExec() {
		t.add(heldExec, laterTouch{first: regExec, n: 2})
	}
	const base = 102 // of the scalar registers
	for _, w := range in.scalarWrites() {
		if w.first <= base+1 && base < w.first+w.n {
			first := max(w.first, base)
			t.add(leftScratchBase, laterTouch{first: first, n: min(w.first+w.n, base+2) - first})
		}
	}
	if status && in.Op.Enc != SOPP {
		t.one(begun)
	}
	return t
}

func (in *Inst) leavesOfVector(t *laterTouched, direct bool) {
	results, sources := in.vectorResults(), in.vectorSources()
	t.add(leftResult, results...)
	if direct {
		t.add(usedByVector, slices.Concat(results, sources)...)
	}
	if in.pair != nil {
		return
	}
	if in.isSlow() {
		t.add(leftSlowly, results...)
		t.add(heldSlowly, sources...)
	}
	if in.Op.Enc == VOPC && in.Op.flag&writesExec != 0 {
		t.add(hasComparedLanes, in.scalarWrites()...)
	}
	if laneMaskNames.MatchString(in.Op.Name) {
		t.add(heldMask, in.laneMask()...)
	}
	if in.isProduct() {
		t.add(leftMatrix, results...)
		if kind, ok := in.productKind(); ok && in.on == GFX1250 {
			t.add(kind, results...)
		}
	}
	for _, w := range in.scalarWrites() {
		switch {
		case w.special():
		case w.first == regVCC || w.first == regVCC+1:
			t.add(againVCC, w)
		default:
			t.add(againByVector, w)
		}
	}
}

// laneMask is the mask of lanes that an instruction has as a source.
func (in *Inst) laneMask() []laterTouch {
	if in.Op.flag&readsVCC != 0 {
		return []laterTouch{{first: regVCC, n: 2}}
	}
	if i := in.Op.maskSource(); i >= 0 {
		if t, ok := scalarTouch(&in.src[i]); ok && !t.special() {
			return []laterTouch{t}
		}
	}
	return nil
}

func (in *Inst) leavesOfScalar(t *laterTouched) {
	for _, w := range in.scalarWrites() {
		if !w.special() {
			t.add(againByScalar, w)
		}
	}
	if in.Op.Name == "s_clause" {
		t.add(inClause, laterTouch{most: uint8(in.simm)&63 + 1})
	}
}

func (in *Inst) leavesOfAccess(t *laterTouched, c classes, direct bool) {
	t.add(heldByMemory, in.namedScalars()...)
	t.add(heldByMemory, laterTouch{first: regExec, n: 2})
	if in.needsM0() {
		t.add(heldByMemory, laterTouch{first: regM0, n: 1})
	}
	switch {
	case c&ldsAccess != 0:
		t.one(usedLDS)
	default:
		t.one(usedMemory)
	}
	if c&memoryAccess != 0 && floatAtomicNames.MatchString(in.Op.Name) {
		t.one(hasAddedFloats)
	}
	if in.image != nil && in.image.listed && in.Size >= 16 {
		t.one(hasListed)
	}
	if direct {
		t.add(usedByMemory, slices.Concat(in.vectorResults(), in.vectorSources())...)
	}
	if in.Op.Name == arriveName {
		t.one(arrived)
	}
	t.one(accessed)
}

// eightBits are the formats of the factors of v_wmma_f32_16x16x128_f8f6f4 that have 8 bits.
const eightBits = 1

// productKind is what a product of gfx1250 leaves behind if its matrix core does it: by how long it takes.
func (in *Inst) productKind() (kind laterKind, core bool) {
	name := in.Op.Name
	sparse := strings.HasPrefix(name, "v_swmmac")
	slow := strings.Contains(name, "_iu")
	switch {
	case strings.HasSuffix(name, "x4_f32"):
		return 0, false
	case in.block != nil && strings.Contains(name, "f8f6f4"):
		slow = in.block.formats[0] <= eightBits || in.block.formats[1] <= eightBits
	}
	switch {
	case sparse && slow:
		return leftSlowSparse, true
	case sparse:
		return leftQuickSparse, true
	case slow:
		return leftSlowMatrix, true
	}
	return leftQuickMatrix, true
}

// laterNeeds is what an instruction comes to.
func (in *Inst) laterNeeds() []laterTouch {
	var t laterTouched
	switch {
	case in.isVector():
		in.needsOfVector(&t)
	case in.isScalar():
		in.needsOfScalar(&t)
	case in.Op.Enc == SMEM:
		t.add(atScalarWrite, in.scalarWrites()...)
	case in.Op.Enc == LDSDIR:
		w := in.words[0]
		d := laterTouch{first: in.dst.reg, n: 1, most: uint8(w >> 16 & 0xf)}
		t.add(atDirect, d)
		if in.on&gfx12 == 0 || w>>23&1 != 0 {
			t.add(atDirectHeld, d)
		}
	default:
		in.needsOfAccess(&t)
	}
	in.needsScratch(&t)
	return t
}

// needsScratch adds that an instruction reads the base of private memory.
func (in *Inst) needsScratch(t *laterTouched) {
	const base = 102
	if in.pair != nil {
		return
	}
	for i := range in.src {
		o := &in.src[i]
		if (o.kind == scalarReg || o.kind == special) && (o.reg == srcScratchBase || o.reg == srcScratchBase+1) {
			t.add(atScratch, laterTouch{first: base + o.reg - srcScratchBase, n: uint16(max(typDwords[o.typ], 1))})
		}
	}
}

func (in *Inst) needsOfVector(t *laterTouched) {
	sources, results := in.vectorSources(), in.vectorResults()
	t.add(atRead, sources...)
	t.add(atLaneRead, in.laneReads()...)
	for _, w := range in.scalarWrites() {
		t.add(atLaneWrite, w)
		switch {
		case w.first >= regExec:
			t.add(atExecWrite, w)
		case w.special():
		case w.first == regVCC || w.first == regVCC+1:
			t.add(atLaneWriteVCC, w)
		default:
			t.add(atPlainLaneWrite, w)
		}
	}
	if !in.isSlow() {
		t.add(atQuickRead, sources...)
		t.add(atQuickWrite, results...)
	}
	if !in.isProduct() {
		t.add(atPlainRead, sources...)
		t.add(atPlainWrite, results...)
		if in.pair == nil && permuteNames.MatchString(in.Op.Name) {
			t.add(atPermute, laterTouch{first: regExec, n: 2})
		}
		return
	}
	factors := in.factors()
	t.add(atFactor, factors...)
	if _, core := in.productKind(); core {
		t.add(atCoreFactor, factors...)
	}
}

// factors are the registers of the two factors of a product, and from gfx12 on those of the indices.
func (in *Inst) factors() (all []laterTouch) {
	n := 2
	if strings.HasPrefix(in.Op.Name, "v_swmmac") && in.on&gfx12 != 0 {
		n = 3
	}
	for i := range n {
		if o := &in.src[i]; o.kind == vectorReg {
			all = append(all, laterTouch{first: o.reg, n: uint16(max(typDwords[o.typ], 1))})
		}
	}
	return all
}

func (in *Inst) needsOfScalar(t *laterTouched) {
	t.add(atScalarRead, in.scalarReads()...)
	writes := in.scalarWrites()
	t.add(atScalarWrite, writes...)
	switches := in.Op.flag&writesExec != 0
	for _, w := range writes {
		if switches = switches || w.first >= regExec; !w.special() {
			t.add(atAnyScalarWrite, w)
		}
	}
	if switches {
		t.one(atExecSwitch)
	}
	switch name := in.Op.Name; {
	case in.Op.Enc == SOPP && (in.Op.flow == simt.FlowBranch || in.Op.flow == simt.FlowJump):
		t.one(atBranch)
	case name == "s_denorm_mode":
		t.one(atDenormal)
	case name == "s_getreg_b32":
		in.needsSetting(t)
	}
}

// needsSetting adds what s_getreg reads.
func (in *Inst) needsSetting(t *laterTouched) {
	const status, statePriv, flagsPriv, flagsUser, scratchLow, scratchHigh = 2, 4, 17, 18, 20, 21
	switch id, _, _ := hwregField(in.simm); id {
	case status, statePriv, flagsPriv, flagsUser:
		t.one(atStatus)
	case scratchLow, scratchHigh:
		t.add(atScratch, laterTouch{first: 102 + uint16(id-scratchLow), n: 1})
	}
}

func (in *Inst) needsOfAccess(t *laterTouched) {
	enc := in.Op.Enc
	switch {
	case in.accessesLDS():
		t.one(atLDS)
	case in.accessesMemory():
		t.one(atMemory)
	default:
		return
	}
	if in.Op.Name == arriveName {
		t.one(atArrive)
	}
	t.one(atAccess)
	const someOffsets = 6
	if (enc == MUBUF || enc == MTBUF) && in.simm&someOffsets != 0 {
		t.one(atOffset)
	}
	if in.image != nil && in.image.listed && in.on&gfx10 != 0 {
		t.one(atListed)
	}
}
