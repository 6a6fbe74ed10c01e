package gcn

// Hazards of gfx10 and later. Their hardware looks after nearly all dependences, and gets some wrong: what
// programs have to keep apart is bugs of a generation, and pipelines that go side by side. Most of it does
// not wear off by waiting: something has to lie between that empties the pipeline, be it a vector instruction
// or s_waitcnt_depctr (s_wait_alu on gfx12) with a count of 0.
//
// The table is what LLVM 22 inserts instructions for, in the functions of GCNHazardRecognizer that its rows
// name and in the pass that inserts waits for scalar registers on gfx12; a test holds each row against it.
// What only exports of graphics need (fixRequiredExportPriority) is left out, and so is that a vector
// instruction of gfx1250 writes a factor of a product under way: LLVM waits for that, and later versions no
// more, since the factor has been read by then.

// A laterKind is what an instruction of gfx10 and later leaves behind that another may come to too early, or
// what it comes to.
type laterKind uint8

// What is left behind.
const (
	heldByMemory     laterKind = iota // scalar registers that an access of lanes reads
	heldByScalar                      // scalar registers that a scalar access reads
	heldExec                          // EXEC that other than vector instructions read
	hasComparedLanes                  // EXEC that v_cmpx wrote
	hasAddedFloats                    // an atomic operation of floats in memory
	hasListed                         // an image instruction of 16 bytes and more, which lists its addresses
	inClause                          // s_clause, and how many instructions are in it
	usedLDS
	usedLDSBranched // then a branch
	usedMemory
	usedMemoryBranched
	leftSlowly         // a vector register that a transcendental instruction writes
	heldSlowly         // one that it reads
	leftResult         // one that a vector instruction writes
	leftResultSwitched // after which a scalar instruction has written EXEC
	heldMask           // scalar registers that a vector instruction reads as a mask of lanes
	maskByScalar       // which a scalar instruction has written then
	maskByVector       // which a vector instruction has
	maskVCC            // VCC, which a vector instruction has
	usedByVector       // a vector register that a vector instruction reads or writes; looked at in a block
	usedByMemory       // one that an access does; looked at in a block
	leftMatrix         // one that a product of matrices writes
	leftQuickMatrix    // the same on gfx1250, of one that takes 8 cycles
	leftSlowMatrix     // 16 cycles
	leftQuickSparse    // of one with structured sparsity that takes 8 cycles
	leftSlowSparse     // 16 cycles
	againByScalar      // a scalar register that a vector instruction has read once, and a scalar one has written
	againByVector      // the same that a vector instruction has written
	againVCC           // VCC, which a vector instruction has
	leftScratchBase    // the scalar registers where the base of private memory is
	begun              // any instruction that is not done at once; looked at in a block
	accessed           // an access to memory or LDS
	arrived            // ds_atomic_async_barrier_arrive_b64
	laterLeft
)

// What is come to.
const (
	atScalarWrite    laterKind = iota // a scalar register that a scalar instruction names as its result
	atLaneWrite                       // one that a vector instruction writes
	atLaneWriteVCC                    // the same where it is VCC
	atPlainLaneWrite                  // the same where it is not
	atExecWrite                       // EXEC that a vector instruction writes
	atExecSwitch                      // EXEC that a scalar instruction writes
	atAnyScalarWrite                  // a scalar register that a scalar instruction writes
	atScalarRead                      // one that it reads
	atLaneRead                        // one that a vector instruction reads
	atBranch
	atLDS
	atMemory
	atOffset   // a buffer access with an offset of certain numbers
	atListed   // an image instruction that lists its addresses
	atDenormal // s_denorm_mode
	atPermute  // v_permlane16_b32 and its like
	atRead     // a vector register that a vector instruction reads
	atQuickRead
	atQuickWrite // one that a vector instruction that is not transcendental reads, or writes
	atPlainRead
	atPlainWrite // one that a vector instruction that is no product reads, or writes
	atFactor     // one that a product of matrices multiplies, or has indices in
	atCoreFactor // the same of a product that the matrix core does
	atDirect     // one that a direct load from LDS writes, and for how many vector instructions it waits
	atDirectHeld // the same where it does not wait for accesses
	atStatus     // a hardware register of state that s_getreg reads
	atScratch    // the base of private memory
	atAccess     // an access to memory or LDS
	atArrive     // ds_atomic_async_barrier_arrive_b64
	laterNeeded
)

// A laterTouch is registers that an instruction leaves behind or comes to; with n 0 there are none.
type laterTouch struct {
	kind     laterKind
	first, n uint16
	most     uint8 // of inClause and atDirect: how many instructions
}

func (t *laterTouch) overlaps(o *laterTouch) bool {
	return t.n == 0 || o.n == 0 || t.first < o.first+o.n && o.first < t.first+t.n
}

// classes are what an instruction is as far as it matters to hazards: a bit for each class.
type classes uint32

const (
	anyVector      classes = 1 << iota // vector arithmetic
	workingVector                      // but for v_nop
	vectorToScalar                     // which writes a scalar register
	anySlow                            // which is transcendental
	scalarDone                         // scalar, and neither a wait nor a branch
	scalarReads                        // scalar that reads a scalar register other than VCC
	scalarReadsVCC
	toScalar // scalar or vector that writes a scalar register
	memoryAccess
	plainAccess // but for flat, global and private memory
	scalarAccess
	ldsAccess
	export
	anyWait     // s_waitcnt and the like
	noneWaits   // s_waitcnt 0
	scalarWaits // for all of LDS and of scalar memory
	storesWait  // for all stores
	vmVsrc      // s_waitcnt_depctr vm_vsrc(0): accesses have read their registers
	vaVdst      // …va_vdst(0): vector registers are written
	vaSdst      // …va_sdst(0): scalar registers that vector instructions write are
	vaVCC       // …va_vcc(0): VCC is
	saSdst      // …sa_sdst(0): scalar registers that scalar instructions write are
	bothSdst    // va_sdst(0) and sa_sdst(0)
	allDone     // …0: everything
)

// counters of what lies between two instructions.
const (
	ofVector  = iota // vector instructions
	ofSlow           // transcendental ones
	ofAll            // any, with the wait states of s_nop
	ofScalars        // those that write scalar registers
	betweenCounters
)

// within says that at most so many lie between, of one counter each; none means however many.
type within [betweenCounters]uint8

const endless = 0xff

// of makes a within of one counter.
func of(counter int, most uint8) *within {
	w := within{endless, endless, endless, endless}
	w[counter] = most
	return &w
}

// A laterHazard is a row of the table: what comes too early after what is left behind, until something ends
// it.
type laterHazard struct {
	source  string // the function of LLVM that keeps them apart
	on      Target
	lanes   int // 64: in waves of 64 lanes alone
	after   laterKind
	before  laterKind
	ended   classes // any of which between is enough
	within  *within // later it is no hazard; nil means however late
	becomes *change // it is none yet, but left behind as something else
	also    func(all []pending, p *pending, need *laterTouch, in *Inst) bool
	what    string // with the register
	cure    string // what has to lie between
}

// A change is what something left behind becomes.
type change struct {
	kind laterKind
	anew bool // by the instruction that is come to, and of its registers
}

var (
	slowLimits   = &within{5, 1, endless, endless}
	sameEnds     = memoryAccess | ldsAccess | export | vaVdst
	heldEnds     = anyVector | noneWaits | vmVsrc
	directEnds   = anyVector | export | noneWaits | vmVsrc
	againEnds    = plainAccess | scalarAccess
	vectorOrVsrc = "a vector instruction or s_waitcnt_depctr vm_vsrc(0)"
	byVdst       = "s_waitcnt_depctr va_vdst(0)"
	onlyVector   = "a vector instruction, v_nop say"
)

const (
	hasLDSIn = GFX1100 | GFX1150 | GFX1200 // direct loads from LDS
)

var laterHazards = []laterHazard{
	{source: "fixVMEMtoScalarWriteHazards", on: gfx101, after: heldByMemory, before: atScalarWrite, ended: heldEnds,
		what: "%s is written, which an access to memory may not have read yet", cure: vectorOrVsrc},
	{source: "fixSMEMtoVectorWriteHazards", on: gfx101, after: heldByScalar, before: atLaneWrite,
		ended: scalarDone | scalarWaits,
		what:  "a vector instruction writes %s, which a scalar access may not have read yet",
		cure:  "a scalar instruction (s_mov_b32 null, 0) or s_waitcnt lgkmcnt(0)"},
	{source: "fixVcmpxExecWARHazard", on: gfx101, after: heldExec, before: atExecWrite, ended: vectorToScalar | saSdst,
		what: "a vector instruction writes %s, which another kind of instruction may not have read yet",
		cure: "s_waitcnt_depctr sa_sdst(0)"},
	{source: "fixLdsBranchVmemWARHazard", on: gfx101, after: usedLDS, before: atBranch,
		ended: memoryAccess | storesWait, becomes: &change{kind: usedLDSBranched}},
	{source: "fixLdsBranchVmemWARHazard", on: gfx101, after: usedLDSBranched, before: atMemory,
		ended: memoryAccess | ldsAccess | storesWait, what: "memory is accessed after LDS and a branch",
		cure: "s_waitcnt_vscnt null, 0x0"},
	{source: "fixLdsBranchVmemWARHazard", on: gfx101, after: usedMemory, before: atBranch,
		ended: ldsAccess | storesWait, becomes: &change{kind: usedMemoryBranched}},
	{source: "fixLdsBranchVmemWARHazard", on: gfx101, after: usedMemoryBranched, before: atLDS,
		ended: memoryAccess | ldsAccess | storesWait, what: "LDS is accessed after memory and a branch",
		cure: "s_waitcnt_vscnt null, 0x0"},
	{source: "checkNSAtoVMEMHazard", on: gfx101, after: hasListed, before: atOffset, within: of(ofAll, 0),
		what: "a buffer is accessed with an offset of 2, 4 or 6 modulo 8 right after an image instruction that lists " +
			"5 registers and more of its address", cure: "any instruction"},
	{source: "FeatureNSAClauseBug", on: gfx101, after: inClause, before: atListed, also: isInClause,
		what: "an image instruction that lists the registers of its address is in a clause",
		cure: "the end of the clause"},
	{source: "checkFPAtomicToDenormModeHazard", on: gfx10, after: hasAddedFloats, before: atDenormal,
		ended: anyVector | anyWait, within: of(ofAll, 2),
		what: "s_denorm_mode follows an atomic operation of floats",
		cure: "3 wait states, a vector instruction or a wait"},
	{source: "fixVcmpxPermlaneHazards", on: rdna &^ GFX1030, after: hasComparedLanes, before: atPermute,
		ended: workingVector,
		what:  "lanes are permuted under %s, which v_cmpx has just written",
		cure:  "a vector instruction other than v_nop"},

	{source: "fixLdsDirectVALUHazard", on: hasLDSIn, after: usedByVector, before: atDirect, ended: sameEnds,
		within: of(ofVector, 14), also: waitsTooLittle,
		what: "a direct load from LDS writes %s, which a vector instruction may not have read or written yet",
		cure: "a smaller wait_vdst (on gfx12 wait_va_vdst) or an access to memory"},
	{source: "fixLdsDirectVMEMHazard", on: hasLDSIn, after: usedByMemory, before: atDirectHeld, ended: directEnds,
		what: "a direct load from LDS writes %s, which an access may not have read or written yet", cure: vectorOrVsrc},
	{source: "fixVALUPartialForwardingHazard", on: gfx11, lanes: 64, after: leftResult, before: atExecSwitch,
		ended: sameEnds, within: of(ofVector, 4), becomes: &change{kind: leftResultSwitched}},
	{source: "fixVALUPartialForwardingHazard", on: gfx11, lanes: 64, after: leftResultSwitched, before: atRead,
		ended: sameEnds, within: of(ofVector, 7), also: forwardsInPart,
		what: "%s is read, which was written before EXEC, with a register that was written after that", cure: byVdst},
	{source: "fixVALUTransUseHazard", on: GFX1100, after: leftSlowly, before: atRead, ended: sameEnds,
		within: slowLimits,
		what:   "%s is read, which a transcendental instruction has yet to write", cure: byVdst},
	{source: "fixVALUTransCoexecutionHazards", on: GFX1250, after: leftSlowly, before: atQuickRead, ended: anyVector,
		what: "%s is read, which a transcendental instruction has yet to write", cure: onlyVector},
	{source: "fixVALUTransCoexecutionHazards", on: GFX1250, after: heldSlowly, before: atQuickWrite, ended: anyVector,
		what: "%s is written, which a transcendental instruction may not have read yet", cure: onlyVector},
	{source: "fixWMMAHazards", on: gfx11P, after: leftMatrix, before: atFactor, ended: anyVector,
		what: productRead, cure: onlyVector},

	{source: "fixVALUMaskWriteHazard", on: gfx11, lanes: 64, after: heldMask, before: atAnyScalarWrite,
		becomes: &change{maskByScalar, true}},
	{source: "fixVALUMaskWriteHazard", on: gfx11, lanes: 64, after: heldMask, before: atPlainLaneWrite,
		becomes: &change{maskByVector, true}},
	{source: "fixVALUMaskWriteHazard", on: gfx11, lanes: 64, after: heldMask, before: atLaneWriteVCC,
		becomes: &change{maskVCC, true}},
	{source: "fixVALUMaskWriteHazard", on: gfx11, lanes: 64, after: maskByScalar, before: atScalarRead, ended: saSdst,
		what: maskRead, cure: "s_waitcnt_depctr sa_sdst(0)"},
	{source: "fixVALUMaskWriteHazard", on: gfx11, lanes: 64, after: maskByScalar, before: atLaneRead, ended: saSdst,
		what: maskRead, cure: "s_waitcnt_depctr sa_sdst(0)"},
	{source: "fixVALUMaskWriteHazard", on: gfx11, lanes: 64, after: maskByVector, before: atLaneRead, ended: vaSdst,
		what: maskRead, cure: "s_waitcnt_depctr va_sdst(0)"},
	{source: "fixVALUMaskWriteHazard", on: gfx11, lanes: 64, after: maskVCC, before: atLaneRead, ended: vaVCC,
		what: maskRead, cure: "s_waitcnt_depctr va_vcc(0)"},

	{source: "AMDGPUWaitSGPRHazards", on: GFX1200, after: againByScalar, before: atScalarRead,
		ended: againEnds | saSdst, what: againRead, cure: "s_wait_alu depctr_sa_sdst(0)"},
	{source: "AMDGPUWaitSGPRHazards", on: GFX1200, after: againByScalar, before: atLaneRead,
		ended: againEnds | saSdst, what: againRead, cure: "s_wait_alu depctr_sa_sdst(0)"},
	{source: "AMDGPUWaitSGPRHazards", on: GFX1200, after: againByVector, before: atLaneRead,
		ended: againEnds | vaSdst | scalarReads, what: againRead, cure: "s_wait_alu depctr_va_sdst(0)"},
	{source: "AMDGPUWaitSGPRHazards", on: GFX1200, after: againVCC, before: atLaneRead,
		ended: againEnds | vaVCC | scalarReadsVCC, what: againRead, cure: "s_wait_alu depctr_va_vcc(0)"},

	{source: "checkWMMACoexecutionHazards", on: GFX1250, after: leftQuickMatrix, before: atCoreFactor,
		within: of(ofVector, 4), what: productRead, cure: "5 vector instructions"},
	{source: "checkWMMACoexecutionHazards", on: GFX1250, after: leftQuickMatrix, before: atPlainRead,
		within: of(ofVector, 3), what: productRead, cure: "4 vector instructions"},
	{source: "checkWMMACoexecutionHazards", on: GFX1250, after: leftQuickMatrix, before: atPlainWrite,
		within: of(ofVector, 3), what: productWritten, cure: "4 vector instructions"},
	{source: "checkWMMACoexecutionHazards", on: GFX1250, after: leftSlowMatrix, before: atCoreFactor,
		within: of(ofVector, 8), what: productRead, cure: "9 vector instructions"},
	{source: "checkWMMACoexecutionHazards", on: GFX1250, after: leftSlowMatrix, before: atPlainRead,
		within: of(ofVector, 7), what: productRead, cure: "8 vector instructions"},
	{source: "checkWMMACoexecutionHazards", on: GFX1250, after: leftSlowMatrix, before: atPlainWrite,
		within: of(ofVector, 7), what: productWritten, cure: "8 vector instructions"},
	{source: "checkWMMACoexecutionHazards", on: GFX1250, after: leftQuickSparse, before: atCoreFactor,
		within: of(ofVector, 2), what: productRead, cure: "3 vector instructions"},
	{source: "checkWMMACoexecutionHazards", on: GFX1250, after: leftQuickSparse, before: atPlainRead,
		within: of(ofVector, 1), what: productRead, cure: "2 vector instructions"},
	{source: "checkWMMACoexecutionHazards", on: GFX1250, after: leftQuickSparse, before: atPlainWrite,
		within: of(ofVector, 1), what: productWritten, cure: "2 vector instructions"},
	{source: "checkWMMACoexecutionHazards", on: GFX1250, after: leftSlowSparse, before: atCoreFactor,
		within: of(ofVector, 4), what: productRead, cure: "5 vector instructions"},
	{source: "checkWMMACoexecutionHazards", on: GFX1250, after: leftSlowSparse, before: atPlainRead,
		within: of(ofVector, 3), what: productRead, cure: "4 vector instructions"},
	{source: "checkWMMACoexecutionHazards", on: GFX1250, after: leftSlowSparse, before: atPlainWrite,
		within: of(ofVector, 3), what: productWritten, cure: "4 vector instructions"},
	{source: "fixGetRegWaitIdle", on: GFX1250, after: begun, before: atStatus, ended: allDone,
		what: "s_getreg reads state of the wave while instructions are under way", cure: "s_wait_alu 0"},
	{source: "fixDsAtomicAsyncBarrierArriveB64", on: GFX1250, after: accessed, before: atArrive, ended: vmVsrc,
		what: "ds_atomic_async_barrier_arrive_b64 follows an access that may not have read its registers yet",
		cure: "s_wait_alu depctr_vm_vsrc(0)"},
	{source: "fixDsAtomicAsyncBarrierArriveB64", on: GFX1250, after: arrived, before: atAccess, ended: vmVsrc,
		what: "an access follows ds_atomic_async_barrier_arrive_b64", cure: "s_wait_alu depctr_vm_vsrc(0)"},
	{source: "fixScratchBaseForwardingHazard", on: GFX1250, after: leftScratchBase, before: atScratch, ended: bothSdst,
		within: of(ofScalars, 9),
		what:   "the base of private memory is read, which is being computed from %s",
		cure:   "s_wait_alu depctr_va_sdst(0) depctr_sa_sdst(0)"},
}

const (
	maskRead  = "%s is read, which was written just after a vector instruction took it for a mask of lanes"
	againRead = "%s is read, which is yet to be written, after a vector instruction had read it before"
)

// isInClause reports whether an instruction is one of those that s_clause began.
func isInClause(_ []pending, p *pending, _ *laterTouch, _ *Inst) bool {
	return p.between[ofAll] < p.most
}

// waitsTooLittle reports whether a direct load from LDS waits for fewer vector instructions than it has to:
// all up to the one, or all there are if some of them are transcendental.
func waitsTooLittle(_ []pending, p *pending, need *laterTouch, _ *Inst) bool {
	if p.slow || p.between[ofSlow] > 0 {
		return need.most > 0
	}
	return need.most > p.between[ofVector]
}

// forwardsInPart reports whether an instruction reads a register that was written before EXEC, and another
// that was written after: with at most 2 vector instructions between these two, and 4 behind the latter.
func forwardsInPart(all []pending, p *pending, need *laterTouch, in *Inst) bool {
	const between, behind = 2, 4
	latest := func(need *laterTouch) *pending {
		var found *pending
		for i := range all {
			q := &all[i]
			if (q.kind == leftResult || q.kind == leftResultSwitched) && q.overlaps(need) &&
				(found == nil || q.between[ofVector] < found.between[ofVector]) {
				found = q
			}
		}
		return found
	}
	if latest(need) != p {
		return false
	}
	closest := uint8(endless)
	for _, t := range in.laterNeeds() {
		if t.kind != atRead || t == *need {
			continue
		}
		if q := latest(&t); q != nil && q.kind == leftResult {
			closest = min(closest, q.between[ofVector])
		}
	}
	return closest <= behind && p.between[ofVector]-closest-1 <= between
}

// laterHazardRows are the rows of a processor and a size of waves.
type laterHazardRows struct {
	rows  [laterLeft][laterNeeded]*laterHazard
	ended [laterLeft]classes
	kept  [laterLeft]within // how long what is left behind counts
	has   [laterLeft]bool
}

// newLaterHazardRows picks a processor's rows. Rows of one kind that is left behind are ended by the same.
func newLaterHazardRows(t Target, lanes int) *laterHazardRows {
	r := &laterHazardRows{}
	for i := range laterHazards {
		h := &laterHazards[i]
		if h.on&t == 0 || h.lanes != 0 && h.lanes != lanes {
			continue
		}
		k := h.after
		r.rows[k][h.before] = h
		most := within{endless, endless, endless, endless}
		if h.within != nil {
			most = *h.within
		}
		if !r.has[k] {
			r.has[k], r.ended[k], r.kept[k] = true, h.ended, most
			continue
		}
		for c := range most {
			r.kept[k][c] = max(r.kept[k][c], most[c])
		}
	}
	return r
}
