package hazards

import (
	"fmt"

	"simtgdb/simt/gcn/processor"
)

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
	on      processor.Set
	lanes   int // 64: in waves of 64 lanes alone
	after   Kind
	before  Kind
	ended   Classes // any of which between is enough
	within  *within // later it is no hazard; nil means however late
	becomes *change // it is none yet, but left behind as something else
	also    func(all []pending, p *pending, need *Touch, in *Inst) bool
	what    string // with the register
	cure    string // what has to lie between
}

func (h *laterHazard) String() string {
	return fmt.Sprintf("%s: %d left, %d needed, on %v", h.source, h.after, h.before, h.on)
}

// A change is what something left behind becomes.
type change struct {
	kind Kind
	anew bool // by the instruction that is come to, and of its registers
}

var (
	slowLimits   = &within{5, 1, endless, endless}
	sameEnds     = MemoryAccess | LDSAccess | Export | VaVdst
	heldEnds     = AnyVector | NoneWaits | VmVsrc
	directEnds   = AnyVector | Export | NoneWaits | VmVsrc
	againEnds    = PlainAccess | ScalarAccess
	vectorOrVsrc = "a vector instruction or s_waitcnt_depctr vm_vsrc(0)"
	byVdst       = "s_waitcnt_depctr va_vdst(0)"
	onlyVector   = "a vector instruction, v_nop say"
)

const (
	hasLDSIn = processor.GFX1100 | processor.GFX1150 | processor.GFX1200 // direct loads from LDS
)

var laterHazards = append(coexecutionHazards(), []laterHazard{
	{source: "fixVMEMtoScalarWriteHazards", on: processor.GFX101, after: HeldByMemory,
		before: AtScalarWrite, ended: heldEnds,
		what: "%s is written, which an access to memory may not have read yet", cure: vectorOrVsrc},
	{source: "fixSMEMtoVectorWriteHazards", on: processor.GFX101, after: HeldByScalar, before: AtLaneWrite,
		ended: ScalarDone | ScalarWaits,
		what:  "a vector instruction writes %s, which a scalar access may not have read yet",
		cure:  "a scalar instruction (s_mov_b32 null, 0) or s_waitcnt lgkmcnt(0)"},
	{source: "fixVcmpxExecWARHazard", on: processor.GFX101, after: HeldExec, before: AtExecWrite,
		ended: VectorToScalar | SaSdst,
		what:  "a vector instruction writes %s, which another kind of instruction may not have read yet",
		cure:  "s_waitcnt_depctr sa_sdst(0)"},
	{source: "fixLdsBranchVmemWARHazard", on: processor.GFX101, after: UsedLDS, before: AtBranch,
		ended: MemoryAccess | StoresWait, becomes: &change{kind: UsedLDSBranched}},
	{source: "fixLdsBranchVmemWARHazard", on: processor.GFX101, after: UsedLDSBranched, before: AtMemory,
		ended: MemoryAccess | LDSAccess | StoresWait, what: "memory is accessed after LDS and a branch",
		cure: "s_waitcnt_vscnt null, 0x0"},
	{source: "fixLdsBranchVmemWARHazard", on: processor.GFX101, after: UsedMemory, before: AtBranch,
		ended: LDSAccess | StoresWait, becomes: &change{kind: UsedMemoryBranched}},
	{source: "fixLdsBranchVmemWARHazard", on: processor.GFX101, after: UsedMemoryBranched, before: AtLDS,
		ended: MemoryAccess | LDSAccess | StoresWait, what: "LDS is accessed after memory and a branch",
		cure: "s_waitcnt_vscnt null, 0x0"},
	{source: "checkNSAtoVMEMHazard", on: processor.GFX101, after: HasListed, before: AtOffset,
		within: of(ofAll, 0),
		what: "a buffer is accessed with an offset of 2, 4 or 6 modulo 8 right after an image instruction " +
			"that lists 5 registers and more of its address", cure: "any instruction"},
	{source: "FeatureNSAClauseBug", on: processor.GFX101, after: InClause, before: AtListed, also: isInClause,
		what: "an image instruction that lists the registers of its address is in a clause",
		cure: "the end of the clause"},
	{source: "checkFPAtomicToDenormModeHazard", on: processor.GFX10, after: HasAddedFloats,
		before: AtDenormal,
		ended:  AnyVector | AnyWait, within: of(ofAll, 2),
		what: "s_denorm_mode follows an atomic operation of floats",
		cure: "3 wait states, a vector instruction or a wait"},
	{source: "fixVcmpxPermlaneHazards", on: processor.RDNA &^ processor.GFX1030, after: HasComparedLanes,
		before: AtPermute,
		ended:  WorkingVector,
		what:   "lanes are permuted under %s, which v_cmpx has just written",
		cure:   "a vector instruction other than v_nop"},

	{source: "fixLdsDirectVALUHazard", on: hasLDSIn, after: UsedByVector, before: AtDirect, ended: sameEnds,
		within: of(ofVector, 14), also: waitsTooLittle,
		what: "a direct load from LDS writes %s, which a vector instruction may not have read or written yet",
		cure: "a smaller wait_vdst (on gfx12 wait_va_vdst) or an access to memory"},
	{source: "fixLdsDirectVMEMHazard", on: hasLDSIn, after: UsedByMemory, before: AtDirectHeld,
		ended: directEnds,
		what:  "a direct load from LDS writes %s, which an access may not have read or written yet",
		cure:  vectorOrVsrc},
	{source: "fixVALUPartialForwardingHazard", on: processor.GFX11, lanes: 64, after: LeftResult,
		before: AtExecSwitch,
		ended:  sameEnds, within: of(ofVector, 4), becomes: &change{kind: LeftResultSwitched}},
	{source: "fixVALUPartialForwardingHazard", on: processor.GFX11, lanes: 64, after: LeftResultSwitched,
		before: AtRead,
		ended:  sameEnds, within: of(ofVector, 7), also: forwardsInPart,
		what: "%s is read, which was written before EXEC, with a register that was written after that",
		cure: byVdst},
	{source: "fixVALUTransUseHazard", on: processor.GFX1100, after: LeftSlowly, before: AtRead,
		ended:  sameEnds,
		within: slowLimits,
		what:   "%s is read, which a transcendental instruction has yet to write", cure: byVdst},
	{source: "fixVALUTransCoexecutionHazards", on: processor.GFX1250, after: LeftSlowly,
		before: AtQuickRead, ended: AnyVector,
		what: "%s is read, which a transcendental instruction has yet to write", cure: onlyVector},
	{source: "fixVALUTransCoexecutionHazards", on: processor.GFX1250, after: HeldSlowly,
		before: AtQuickWrite, ended: AnyVector,
		what: "%s is written, which a transcendental instruction may not have read yet", cure: onlyVector},
	{source: "fixWMMAHazards", on: processor.GFX11On, after: LeftMatrix, before: AtFactor, ended: AnyVector,
		what: productRead, cure: onlyVector},

	{source: "fixVALUMaskWriteHazard", on: processor.GFX11, lanes: 64, after: HeldMask,
		before:  AtAnyScalarWrite,
		becomes: &change{MaskByScalar, true}},
	{source: "fixVALUMaskWriteHazard", on: processor.GFX11, lanes: 64, after: HeldMask,
		before:  AtPlainLaneWrite,
		becomes: &change{MaskByVector, true}},
	{source: "fixVALUMaskWriteHazard", on: processor.GFX11, lanes: 64, after: HeldMask,
		before:  AtLaneWriteVCC,
		becomes: &change{MaskVCC, true}},
	{source: "fixVALUMaskWriteHazard", on: processor.GFX11, lanes: 64, after: MaskByScalar,
		before: AtScalarRead, ended: SaSdst,
		what: maskRead, cure: "s_waitcnt_depctr sa_sdst(0)"},
	{source: "fixVALUMaskWriteHazard", on: processor.GFX11, lanes: 64, after: MaskByScalar,
		before: AtLaneRead, ended: SaSdst,
		what: maskRead, cure: "s_waitcnt_depctr sa_sdst(0)"},
	{source: "fixVALUMaskWriteHazard", on: processor.GFX11, lanes: 64, after: MaskByVector,
		before: AtLaneRead, ended: VaSdst,
		what: maskRead, cure: "s_waitcnt_depctr va_sdst(0)"},
	{source: "fixVALUMaskWriteHazard", on: processor.GFX11, lanes: 64, after: MaskVCC, before: AtLaneRead,
		ended: VaVCC,
		what:  maskRead, cure: "s_waitcnt_depctr va_vcc(0)"},

	{source: "AMDGPUWaitSGPRHazards", on: processor.GFX1200, after: AgainByScalar, before: AtScalarRead,
		ended: againEnds | SaSdst, what: againRead, cure: "s_wait_alu depctr_sa_sdst(0)"},
	{source: "AMDGPUWaitSGPRHazards", on: processor.GFX1200, after: AgainByScalar, before: AtLaneRead,
		ended: againEnds | SaSdst, what: againRead, cure: "s_wait_alu depctr_sa_sdst(0)"},
	{source: "AMDGPUWaitSGPRHazards", on: processor.GFX1200, after: AgainByVector, before: AtLaneRead,
		ended: againEnds | VaSdst | ScalarReads, what: againRead, cure: "s_wait_alu depctr_va_sdst(0)"},
	{source: "AMDGPUWaitSGPRHazards", on: processor.GFX1200, after: AgainVCC, before: AtLaneRead,
		ended: againEnds | VaVCC | ScalarReadsVCC, what: againRead, cure: "s_wait_alu depctr_va_vcc(0)"},

	{source: "fixGetRegWaitIdle", on: processor.GFX1250, after: Begun, before: AtStatus, ended: AllDone,
		what: "s_getreg reads state of the wave while instructions are under way", cure: "s_wait_alu 0"},
	{source: "fixDsAtomicAsyncBarrierArriveB64", on: processor.GFX1250, after: Accessed, before: AtArrive,
		ended: VmVsrc,
		what: "ds_atomic_async_barrier_arrive_b64 follows an access that may not have read its registers " +
			"yet",
		cure: "s_wait_alu depctr_vm_vsrc(0)"},
	{source: "fixDsAtomicAsyncBarrierArriveB64", on: processor.GFX1250, after: Arrived, before: AtAccess,
		ended: VmVsrc,
		what:  "an access follows ds_atomic_async_barrier_arrive_b64", cure: "s_wait_alu depctr_vm_vsrc(0)"},
	{source: "fixScratchBaseForwardingHazard", on: processor.GFX1250, after: LeftScratchBase,
		before: AtScratch, ended: BothSdst,
		within: of(ofScalars, 9),
		what:   "the base of private memory is read, which is being computed from %s",
		cure:   "s_wait_alu depctr_va_sdst(0) depctr_sa_sdst(0)"},
}...)

const (
	maskRead  = "%s is read, which was written just after a vector instruction took it for a mask of lanes"
	againRead = "%s is read, which is yet to be written, after a vector instruction had read it before"
)

// isInClause reports whether an instruction is one of those that s_clause began.
func isInClause(_ []pending, p *pending, _ *Touch, _ *Inst) bool {
	return p.between[ofAll] < p.Count
}

// waitsTooLittle reports whether a direct load from LDS waits for fewer vector instructions than it has to:
// all up to the one, or all there are if some of them are transcendental.
func waitsTooLittle(_ []pending, p *pending, need *Touch, _ *Inst) bool {
	if p.slow || p.between[ofSlow] > 0 {
		return need.Count > 0
	}
	return need.Count > p.between[ofVector]
}

// forwardsInPart reports whether an instruction reads a register that was written before EXEC, and another
// that was written after: with at most 2 vector instructions between these two, and 4 behind the latter.
func forwardsInPart(all []pending, p *pending, need *Touch, in *Inst) bool {
	const between, behind = 2, 4
	latest := func(need *Touch) *pending {
		var found *pending
		for i := range all {
			q := &all[i]
			if (q.Kind == LeftResult || q.Kind == LeftResultSwitched) && q.overlaps(need) &&
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
	for _, t := range in.Needs {
		if t.Kind != AtRead || t == *need {
			continue
		}
		if q := latest(&t); q != nil && q.Kind == LeftResult {
			closest = min(closest, q.between[ofVector])
		}
	}
	return closest <= behind && p.between[ofVector]-closest-1 <= between
}

// laterRows are the rows of a processor and a size of waves.
type laterRows struct {
	rows  [laterLeft][laterNeeded]*laterHazard
	ended [laterLeft]Classes
	kept  [laterLeft]within // how long what is left behind counts
	has   [laterLeft]bool
}

// laterRowsOf picks a processor's rows. Rows of one kind that is left behind are ended by the same.
func laterRowsOf(t processor.Set, lanes int) *laterRows {
	r := &laterRows{}
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

// coexecutionHazards are those of gfx1250's matrix core: how many vector instructions are to come between a
// product and one that has its result for a factor. Others that read or write it may come one earlier.
func coexecutionHazards() (rows []laterHazard) {
	for _, product := range []struct {
		left    Kind
		between uint8
	}{{LeftQuickMatrix, 5}, {LeftSlowMatrix, 9}, {LeftQuickSparse, 3}, {LeftSlowSparse, 5}} {
		for _, use := range []struct {
			at      Kind
			between uint8
			what    string
		}{
			{AtCoreFactor, product.between, productRead},
			{AtPlainRead, product.between - 1, productRead},
			{AtPlainWrite, product.between - 1, productWritten},
		} {
			rows = append(rows, laterHazard{source: "checkWMMACoexecutionHazards", on: processor.GFX1250,
				after: product.left, before: use.at, within: of(ofVector, use.between-1), what: use.what,
				cure: fmt.Sprintf("%d vector instructions", use.between)})
		}
	}
	return rows
}
