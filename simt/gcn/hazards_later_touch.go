package gcn

import (
	"slices"
	"strings"

	"simtgdb/simt"
	"simtgdb/simt/gcn/hazards"
)

// What instructions of gfx10 and later leave behind and come to, for package hazards.

const arriveName = "ds_atomic_async_barrier_arrive_b64"

// laterHazardsOf is hazardsOf for gfx10 and later. Some of what is left behind only matters where a few rare
// instructions follow: it is kept in blocks that have these.
func laterHazardsOf(insts []Inst) []hazards.Inst {
	all, near := make([]hazards.Inst, len(insts)), map[hazards.Kind]bool{}
	for i := range insts {
		in := &insts[i]
		all[i] = hazards.Inst{PC: in.PC, Op: in.Op, States: in.waitStates(), Far: in.Op.farJump(),
			Needs: in.laterNeeds(), Is: in.classes(), Writes: in.scalarWrites(), Defect: in.defective()}
		for _, t := range all[i].Needs {
			near[t.Kind] = true
		}
	}
	direct, status := near[hazards.AtDirect] || near[hazards.AtDirectHeld], near[hazards.AtStatus]
	for i := range insts {
		in, l := &insts[i], &all[i]
		l.Leaves = in.laterLeaves(l.Is, direct, status)
		if l.Is&hazards.AnyVector != 0 {
			for _, t := range in.laneReads() {
				l.Reads |= 1 << (t.First / 2 & 63)
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

func (in *Inst) isSlow() bool { return in.pair == nil && in.Op.flag&slow != 0 }

// addsFloats reports whether an access is an atomic operation of floats.
func (in *Inst) addsFloats() bool {
	a := in.Op.mem
	if in.Op.image != nil {
		a = in.Op.image.access[0]
	}
	return a != nil && a.floats
}

func (in *Inst) isProduct() bool { return in.pair == nil && (in.Op.wave != nil || in.Op.block != nil) }

// classes are those of an instruction.
func (in *Inst) classes() (c hazards.Classes) {
	set := func(class hazards.Classes, when bool) {
		if when {
			c |= class
		}
	}
	vector, enc := in.isVector(), in.Op.Enc
	writes := len(in.scalarWrites()) > 0 || in.Op.flag&writesExec != 0
	set(hazards.AnyVector, vector)
	set(hazards.WorkingVector, vector && in.Op.Name != "v_nop")
	set(hazards.VectorToScalar, vector && writes)
	set(hazards.AnySlow, vector && in.isSlow())
	set(hazards.ToScalar, (vector || in.isScalar()) && writes)
	set(hazards.ScalarAccess, in.pair == nil && enc == SMEM)
	set(hazards.MemoryAccess, in.accessesMemory())
	set(hazards.PlainAccess, in.accessesMemory() && enc >= MUBUF)
	set(hazards.LDSAccess, in.pair == nil && in.accessesLDS())
	set(hazards.Export, in.pair == nil && enc == EXP)
	if in.isScalar() {
		for _, t := range in.scalarReads() {
			set(hazards.ScalarReadsVCC, t.First == regVCC || t.First == regVCC+1)
			set(hazards.ScalarReads, t.First < regVCC || t.First > regVCC+1)
		}
		c |= in.waitClasses()
	}
	set(hazards.VmVsrc, enc == LDSDIR && in.on&gfx12 != 0 && in.words[0]>>23&1 == 0)
	return c
}

// waitClasses are those of a scalar instruction by what it waits for.
func (in *Inst) waitClasses() (c hazards.Classes) {
	name, v := in.Op.Name, uint16(in.simm)
	zero := v == 0 && in.dst.reg == regNull // of a wait for a count that a register has, too
	switch {
	case name == "s_waitcnt_depctr" || name == "s_wait_alu":
		return dependencyClasses(v)
	case name == "s_waitcnt":
		_, _, lgkm := laterWaitCounts(v, in.on)
		c = hazards.AnyWait
		if lgkm == 0 {
			c |= hazards.ScalarWaits
		}
		if v == 0 {
			c |= hazards.NoneWaits
		}
	case name == "s_waitcnt_lgkmcnt" && zero:
		c = hazards.AnyWait | hazards.ScalarWaits
	case name == "s_waitcnt_vscnt" && zero:
		c = hazards.AnyWait | hazards.StoresWait
	case strings.HasPrefix(name, "s_wait"):
		c = hazards.AnyWait
	case in.Op.Enc != SOPP && name != "s_version":
		c = hazards.ScalarDone
	}
	return c
}

// dependencyClasses are those of s_waitcnt_depctr and s_wait_alu.
func dependencyClasses(v uint16) (c hazards.Classes) {
	for _, f := range []struct {
		mask  uint16
		class hazards.Classes
	}{{7 << 2, hazards.VmVsrc}, {0xf << 12, hazards.VaVdst}, {7 << 9, hazards.VaSdst},
		{1 << 1, hazards.VaVCC}, {1, hazards.SaSdst}, {7<<9 | 1, hazards.BothSdst},
		{0xffff, hazards.AllDone}} {
		if v&f.mask == 0 {
			c |= f.class
		}
	}
	return c
}

// scalarTouch is a touch of a scalar register that is one: neither null nor SCC.
func scalarTouch(o *operand) (hazards.Touch, bool) {
	return hazards.Touch{First: o.reg, N: uint16(max(typDwords[o.typ], 1))}, o.kind == scalarReg &&
		o.reg < 128
}

// scalarWrites are the scalar registers that an instruction names as results.
func (in *Inst) scalarWrites() (all []hazards.Touch) {
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
func (in *Inst) namedScalars() []hazards.Touch {
	none := func(t hazards.Touch) bool { return t.First >= 128 }
	return slices.DeleteFunc(in.touches(scalarReg, (*Inst).eachSource), none)
}

// scalarReads are those that a scalar instruction reads, with VCC of a branch, but for EXEC and M0.
func (in *Inst) scalarReads() []hazards.Touch {
	all := in.namedScalars()
	if in.Op.Enc == SOPP && in.Op.flow == simt.FlowBranch && in.branchesOn("vcc") {
		all = append(all, hazards.Touch{First: regVCC, N: 2})
	}
	return slices.DeleteFunc(all, beyondVCC)
}

// beyondVCC reports whether a register is EXEC or M0, which hazards of other scalar registers leave out.
func beyondVCC(t hazards.Touch) bool { return t.First >= regM0 }

func (in *Inst) branchesOn(what string) bool {
	return strings.HasPrefix(in.Op.Name, "s_cbranch_"+what)
}

// laneReads are those that a vector instruction reads.
func (in *Inst) laneReads() []hazards.Touch {
	all := in.namedScalars()
	for _, part := range in.parts() {
		if part.Op.flag&readsVCC != 0 {
			all = append(all, hazards.Touch{First: regVCC, N: uint16(typDwords[part.maskTyp()])})
		}
	}
	return slices.DeleteFunc(all, beyondVCC)
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
		slices.ContainsFunc(in.namedScalars(), func(t hazards.Touch) bool { return t.First >= regExec })
}

// laterTouched makes touches.
type laterTouched []hazards.Touch

func (t *laterTouched) add(kind hazards.Kind, all ...hazards.Touch) {
	for _, one := range all {
		one.Kind = kind
		*t = append(*t, one)
	}
}

func (t *laterTouched) one(kind hazards.Kind) { *t = append(*t, hazards.Touch{Kind: kind}) }

// vectorSources are the vector registers that an instruction reads, and vectorResults those that it writes.
func (in *Inst) vectorSources() []hazards.Touch { return in.touches(vectorReg, (*Inst).eachSource) }
func (in *Inst) vectorResults() []hazards.Touch { return in.touches(vectorReg, (*Inst).eachResult) }

// touches are the registers of a kind that each calls its function for, of all parts of an instruction.
func (in *Inst) touches(kind operandKind, each func(*Inst, func(o *operand, n int))) (all []hazards.Touch) {
	for _, part := range in.parts() {
		each(part, func(o *operand, n int) {
			if o.kind == kind {
				all = append(all, hazards.Touch{First: o.reg, N: uint16(n)})
			}
		})
	}
	return all
}

// laterLeaves is what an instruction leaves behind: with direct where a direct load from LDS follows, with
// status where state of the wave is read.
func (in *Inst) laterLeaves(c hazards.Classes, direct, status bool) []hazards.Touch {
	var t laterTouched
	switch {
	case c&hazards.AnyVector != 0:
		in.leavesOfVector(&t, direct)
	case in.isScalar():
		in.leavesOfScalar(&t)
	case c&(hazards.MemoryAccess|hazards.LDSAccess) != 0:
		in.leavesOfAccess(&t, c, direct)
	case c&hazards.ScalarAccess != 0:
		t.add(hazards.HeldByScalar, in.namedScalars()...)
	}
	if in.readsExec() {
		t.add(hazards.HeldExec, hazards.Touch{First: regExec, N: 2})
	}
	const base = 102 // of the scalar registers
	for _, w := range in.scalarWrites() {
		if w.First <= base+1 && base < w.First+w.N {
			first := max(w.First, base)
			t.add(hazards.LeftScratchBase, hazards.Touch{First: first, N: min(w.First+w.N, base+2) - first})
		}
	}
	if status && in.Op.Enc != SOPP {
		t.one(hazards.Begun)
	}
	return t
}

func (in *Inst) leavesOfVector(t *laterTouched, direct bool) {
	results, sources := in.vectorResults(), in.vectorSources()
	t.add(hazards.LeftResult, results...)
	if direct {
		t.add(hazards.UsedByVector, slices.Concat(results, sources)...)
	}
	if in.pair != nil {
		return
	}
	if in.isSlow() {
		t.add(hazards.LeftSlowly, results...)
		t.add(hazards.HeldSlowly, sources...)
	}
	if in.Op.Enc == VOPC && in.Op.flag&writesExec != 0 {
		t.add(hazards.HasComparedLanes, in.scalarWrites()...)
	}
	t.add(hazards.HeldMask, in.laneMask()...)
	if in.isProduct() {
		t.add(hazards.LeftMatrix, results...)
		if kind, ok := in.productKind(); ok && in.on == GFX1250 {
			t.add(kind, results...)
		}
	}
	for _, w := range in.scalarWrites() {
		switch {
		case beyondVCC(w):
		case w.First == regVCC || w.First == regVCC+1:
			t.add(hazards.AgainVCC, w)
		default:
			t.add(hazards.AgainByVector, w)
		}
	}
}

// laneMask is the mask of lanes that an instruction has as a source.
func (in *Inst) laneMask() []hazards.Touch {
	if in.Op.flag&readsVCC != 0 {
		return []hazards.Touch{{First: regVCC, N: 2}}
	}
	if i := in.Op.maskSource(); i >= 0 {
		if t, ok := scalarTouch(&in.src[i]); ok && !beyondVCC(t) {
			return []hazards.Touch{t}
		}
	}
	return nil
}

func (in *Inst) leavesOfScalar(t *laterTouched) {
	for _, w := range in.scalarWrites() {
		if !beyondVCC(w) {
			t.add(hazards.AgainByScalar, w)
		}
	}
	if in.Op.Name == "s_clause" {
		t.add(hazards.InClause, hazards.Touch{Count: uint8(in.simm)&63 + 1})
	}
}

func (in *Inst) leavesOfAccess(t *laterTouched, c hazards.Classes, direct bool) {
	t.add(hazards.HeldByMemory, in.namedScalars()...)
	t.add(hazards.HeldByMemory, hazards.Touch{First: regExec, N: 2})
	if in.needsM0() {
		t.add(hazards.HeldByMemory, hazards.Touch{First: regM0, N: 1})
	}
	switch {
	case c&hazards.LDSAccess != 0:
		t.one(hazards.UsedLDS)
	default:
		t.one(hazards.UsedMemory)
	}
	if c&hazards.MemoryAccess != 0 && in.addsFloats() {
		t.one(hazards.HasAddedFloats)
	}
	if in.image != nil && in.image.listed && in.Size >= 16 {
		t.one(hazards.HasListed)
	}
	if direct {
		t.add(hazards.UsedByMemory, slices.Concat(in.vectorResults(), in.vectorSources())...)
	}
	if in.Op.Name == arriveName {
		t.one(hazards.Arrived)
	}
	t.one(hazards.Accessed)
}

// eightBits are the formats of the factors of v_wmma_f32_16x16x128_f8f6f4 that have 8 bits.
const eightBits = 1

// productKind is what a product of gfx1250 leaves behind if its matrix core does it: by how long it takes.
func (in *Inst) productKind() (kind hazards.Kind, core bool) {
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
		return hazards.LeftSlowSparse, true
	case sparse:
		return hazards.LeftQuickSparse, true
	case slow:
		return hazards.LeftSlowMatrix, true
	}
	return hazards.LeftQuickMatrix, true
}

// laterNeeds is what an instruction comes to.
func (in *Inst) laterNeeds() []hazards.Touch {
	var t laterTouched
	switch {
	case in.isVector():
		in.needsOfVector(&t)
	case in.isScalar():
		in.needsOfScalar(&t)
	case in.Op.Enc == SMEM:
		t.add(hazards.AtScalarWrite, in.scalarWrites()...)
	case in.Op.Enc == LDSDIR:
		w := in.words[0]
		d := hazards.Touch{First: in.dst.reg, N: 1, Count: uint8(w >> 16 & 0xf)}
		t.add(hazards.AtDirect, d)
		if in.on&gfx12 == 0 || w>>23&1 != 0 {
			t.add(hazards.AtDirectHeld, d)
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
		if (o.kind == scalarReg || o.kind == special) &&
			(o.reg == srcScratchBase || o.reg == srcScratchBase+1) {
			t.add(hazards.AtScratch, hazards.Touch{First: base + o.reg - srcScratchBase,
				N: uint16(max(typDwords[o.typ], 1))})
		}
	}
}

func (in *Inst) needsOfVector(t *laterTouched) {
	sources, results := in.vectorSources(), in.vectorResults()
	t.add(hazards.AtRead, sources...)
	t.add(hazards.AtLaneRead, in.laneReads()...)
	for _, w := range in.scalarWrites() {
		t.add(hazards.AtLaneWrite, w)
		switch {
		case w.First >= regExec:
			t.add(hazards.AtExecWrite, w)
		case beyondVCC(w):
		case w.First == regVCC || w.First == regVCC+1:
			t.add(hazards.AtLaneWriteVCC, w)
		default:
			t.add(hazards.AtPlainLaneWrite, w)
		}
	}
	if !in.isSlow() {
		t.add(hazards.AtQuickRead, sources...)
		t.add(hazards.AtQuickWrite, results...)
	}
	if !in.isProduct() {
		t.add(hazards.AtPlainRead, sources...)
		t.add(hazards.AtPlainWrite, results...)
		if in.pair == nil && in.Op.flag&permutes != 0 {
			t.add(hazards.AtPermute, hazards.Touch{First: regExec, N: 2})
		}
		return
	}
	factors := in.factors()
	t.add(hazards.AtFactor, factors...)
	if _, core := in.productKind(); core {
		t.add(hazards.AtCoreFactor, factors...)
	}
}

// factors are the registers of the two factors of a product, and from gfx12 on those of the indices.
func (in *Inst) factors() (all []hazards.Touch) {
	n := 2
	if strings.HasPrefix(in.Op.Name, "v_swmmac") && in.on&gfx12 != 0 {
		n = 3
	}
	for i := range n {
		if o := &in.src[i]; o.kind == vectorReg {
			all = append(all, hazards.Touch{First: o.reg, N: uint16(max(typDwords[o.typ], 1))})
		}
	}
	return all
}

func (in *Inst) needsOfScalar(t *laterTouched) {
	t.add(hazards.AtScalarRead, in.scalarReads()...)
	writes := in.scalarWrites()
	t.add(hazards.AtScalarWrite, writes...)
	switches := in.Op.flag&writesExec != 0
	for _, w := range writes {
		if switches = switches || w.First >= regExec; !beyondVCC(w) {
			t.add(hazards.AtAnyScalarWrite, w)
		}
	}
	if switches {
		t.one(hazards.AtExecSwitch)
	}
	switch name := in.Op.Name; {
	case in.Op.Enc == SOPP && (in.Op.flow == simt.FlowBranch || in.Op.flow == simt.FlowJump):
		t.one(hazards.AtBranch)
	case name == "s_denorm_mode":
		t.one(hazards.AtDenormal)
	case name == "s_getreg_b32":
		in.needsSetting(t)
	}
}

// needsSetting adds what s_getreg reads.
func (in *Inst) needsSetting(t *laterTouched) {
	const status, statePriv, flagsPriv, flagsUser, scratchLow, scratchHigh = 2, 4, 17, 18, 20, 21
	switch id, _, _ := hwregField(in.simm); id {
	case status, statePriv, flagsPriv, flagsUser:
		t.one(hazards.AtStatus)
	case scratchLow, scratchHigh:
		t.add(hazards.AtScratch, hazards.Touch{First: 102 + uint16(id-scratchLow), N: 1})
	}
}

func (in *Inst) needsOfAccess(t *laterTouched) {
	enc := in.Op.Enc
	switch {
	case in.accessesLDS():
		t.one(hazards.AtLDS)
	case in.accessesMemory():
		t.one(hazards.AtMemory)
	default:
		return
	}
	if in.Op.Name == arriveName {
		t.one(hazards.AtArrive)
	}
	t.one(hazards.AtAccess)
	const someOffsets = 6
	if (enc == MUBUF || enc == MTBUF) && in.simm&someOffsets != 0 {
		t.one(hazards.AtOffset)
	}
	if in.image != nil && in.image.listed && in.on&gfx10 != 0 {
		t.one(hazards.AtListed)
	}
}
