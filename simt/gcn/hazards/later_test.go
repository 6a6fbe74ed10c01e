package hazards

import (
	"strings"
	"testing"

	"simtgdb/simt/gcn/processor"
)

// TestLater: what comes too early on gfx10 and later, on which processors, what of that which LLVM's
// GCNHazardRecognizer puts between ends it, and after how many instructions it does by itself.
func TestLater(t *testing.T) {
	all := []processor.Set{processor.GFX1010, processor.GFX1011, processor.GFX1030, processor.GFX1100,
		processor.GFX1150, processor.GFX1200, processor.GFX1250}
	gfx101 := processor.GFX101
	classes := []Classes{AnyVector, WorkingVector, VectorToScalar, AnySlow, ScalarDone, ScalarReads,
		ScalarReadsVCC,
		ToScalar, MemoryAccess, PlainAccess, ScalarAccess, LDSAccess, Export, AnyWait, NoneWaits, ScalarWaits,
		StoresWait, VmVsrc, VaVdst, VaSdst, VaVCC, SaSdst, BothSdst, AllDone}
	const never = 250
	for _, c := range []struct {
		what  string
		on    processor.Set
		left  Kind
		need  Kind
		ended Classes
		by    Classes // instructions that it is counted by; 0 for any with wait states
		most  int     // of which there may be so many between that it is too early; never
	}{
		{"fixVMEMtoScalarWriteHazards", gfx101, HeldByMemory, AtScalarWrite, AnyVector | NoneWaits | VmVsrc,
			0, never},
		{"fixSMEMtoVectorWriteHazards", gfx101, HeldByScalar, AtLaneWrite, ScalarDone | ScalarWaits, 0,
			never},
		{"fixVcmpxExecWARHazard", gfx101, HeldExec, AtExecWrite, VectorToScalar | SaSdst, 0, never},
		{"fixLdsBranchVmemWARHazard", gfx101, UsedLDSBranched, AtMemory,
			MemoryAccess | LDSAccess | StoresWait, 0,
			never},
		{"fixLdsBranchVmemWARHazard", gfx101, UsedMemoryBranched, AtLDS,
			MemoryAccess | LDSAccess | StoresWait, 0,
			never},
		{"checkNSAtoVMEMHazard", gfx101, HasListed, AtOffset, 0, 0, 0},
		{"checkFPAtomicToDenormModeHazard", processor.GFX10, HasAddedFloats, AtDenormal,
			AnyVector | AnyWait, 0, 2},
		{"fixVcmpxPermlaneHazards", processor.RDNA &^ processor.GFX1030, HasComparedLanes, AtPermute,
			WorkingVector,
			0, never},
		{"fixLdsDirectVMEMHazard", hasLDSIn, UsedByMemory, AtDirectHeld,
			AnyVector | Export | NoneWaits | VmVsrc, 0,
			never},
		{"fixVALUTransUseHazard, vector instructions", processor.GFX1100, LeftSlowly, AtRead,
			MemoryAccess | LDSAccess | Export | VaVdst, AnyVector, 5},
		{"fixVALUTransUseHazard, transcendental ones", processor.GFX1100, LeftSlowly, AtRead,
			MemoryAccess | LDSAccess | Export | VaVdst, AnyVector | AnySlow, 1},
		{"fixVALUTransCoexecutionHazards", processor.GFX1250, LeftSlowly, AtQuickRead, AnyVector, 0, never},
		{"fixVALUTransCoexecutionHazards", processor.GFX1250, HeldSlowly, AtQuickWrite, AnyVector, 0, never},
		{"fixWMMAHazards", processor.GFX11On, LeftMatrix, AtFactor, AnyVector, 0, never},
		{"AMDGPUWaitSGPRHazards", processor.GFX1200, AgainByScalar, AtScalarRead,
			PlainAccess | ScalarAccess | SaSdst,
			0, never},
		{"AMDGPUWaitSGPRHazards", processor.GFX1200, AgainByScalar, AtLaneRead,
			PlainAccess | ScalarAccess | SaSdst,
			0, never},
		{"AMDGPUWaitSGPRHazards", processor.GFX1200, AgainByVector, AtLaneRead,
			PlainAccess | ScalarAccess | VaSdst | ScalarReads, 0, never},
		{"AMDGPUWaitSGPRHazards", processor.GFX1200, AgainVCC, AtLaneRead,
			PlainAccess | ScalarAccess | VaVCC | ScalarReadsVCC, 0, never},
		{"fixGetRegWaitIdle", processor.GFX1250, Begun, AtStatus, AllDone, 0, never},
		{"fixDsAtomicAsyncBarrierArriveB64", processor.GFX1250, Accessed, AtArrive, VmVsrc, 0, never},
		{"fixDsAtomicAsyncBarrierArriveB64", processor.GFX1250, Arrived, AtAccess, VmVsrc, 0, never},
		{"fixScratchBaseForwardingHazard", processor.GFX1250, LeftScratchBase, AtScratch, BothSdst,
			ToScalar, 9},
		// checkWMMACoexecutionHazards: 4, 8, 2 and 4 vector instructions between a product of 8 or 16 cycles,
		// or one with sparsity, and what reads or writes its result; one more for another product's factor.
		{"WMMA of 8 cycles, VALU", processor.GFX1250, LeftQuickMatrix, AtPlainRead, 0, AnyVector, 3},
		{"WMMA of 8 cycles, VALU writes", processor.GFX1250, LeftQuickMatrix, AtPlainWrite, 0, AnyVector, 3},
		{"WMMA of 8 cycles, WMMA", processor.GFX1250, LeftQuickMatrix, AtCoreFactor, 0, AnyVector, 4},
		{"WMMA of 16 cycles, VALU", processor.GFX1250, LeftSlowMatrix, AtPlainRead, 0, AnyVector, 7},
		{"WMMA of 16 cycles, VALU writes", processor.GFX1250, LeftSlowMatrix, AtPlainWrite, 0, AnyVector, 7},
		{"WMMA of 16 cycles, WMMA", processor.GFX1250, LeftSlowMatrix, AtCoreFactor, 0, AnyVector, 8},
		{"SWMMAC of 8 cycles, VALU", processor.GFX1250, LeftQuickSparse, AtPlainRead, 0, AnyVector, 1},
		{"SWMMAC of 8 cycles, VALU writes", processor.GFX1250, LeftQuickSparse, AtPlainWrite, 0, AnyVector,
			1},
		{"SWMMAC of 8 cycles, WMMA", processor.GFX1250, LeftQuickSparse, AtCoreFactor, 0, AnyVector, 2},
		{"SWMMAC of 16 cycles, VALU", processor.GFX1250, LeftSlowSparse, AtPlainRead, 0, AnyVector, 3},
		{"SWMMAC of 16 cycles, VALU writes", processor.GFX1250, LeftSlowSparse, AtPlainWrite, 0, AnyVector,
			3},
		{"SWMMAC of 16 cycles, WMMA", processor.GFX1250, LeftSlowSparse, AtCoreFactor, 0, AnyVector, 4},
	} {
		for _, on := range all {
			for _, lanes := range []int{32, 64} {
				early := func(first int, between ...Inst) bool {
					before := inst(4, []Touch{{Kind: c.left, First: 8, N: 4}}, nil)
					insts := append([]Inst{{Reads: 0xff}, before}, between...) // of these registers
					insts = append(insts, inst(8, nil, []Touch{{Kind: c.need, First: uint16(first), N: 1}}))
					_, all := New(on, lanes, plainNames{}).Walk(nil, insts)
					return len(all) == 1 && all[0].Index == len(insts)-1 && all[0].From == 4 &&
						strings.Contains(all[0].Text, ": needs ") && !strings.Contains(all[0].Text, "%s")
				}
				is := c.on&on != 0
				if early(9) != is || early(12) || early(7) {
					t.Errorf("%s on %v: too early %v, elsewhere %v and %v", c.what, on, early(9), early(7),
						early(12))
				}
				if !is {
					continue
				}
				for _, k := range classes {
					counts := c.most < 1 && (c.by == 0 || k&c.by != 0)
					if got := early(9, Inst{PC: 1, Is: k}); got == (c.ended&k != 0) && !counts {
						t.Errorf("%s on %v with %#x between: too early %v", c.what, on, k, got)
					}
				}
				counted := Inst{PC: 1, States: 1, Is: c.by}
				for _, n := range []int{c.most, c.most + 1} {
					between := make([]Inst, n)
					for i := range between {
						between[i] = counted
					}
					if got := early(9, between...); got != (n == c.most || c.most == never) {
						t.Errorf("%s on %v with %d between: too early %v", c.what, on, n, got)
					}
				}
			}
		}
	}
}

// TestMaskWritten: on gfx11 a register that a vector instruction has taken for a mask of 64 lanes, and that
// is written then, is read too early until the write is waited for (fixVALUMaskWriteHazard). Only what was
// written is; the rest may be written still.
func TestMaskWritten(t *testing.T) {
	mask := inst(0, []Touch{{Kind: HeldMask, First: 8, N: 4}}, nil)
	at := func(pc uint64, kind Kind, first, n uint16) Inst {
		return inst(pc, nil, []Touch{{Kind: kind, First: first, N: n}})
	}
	is := func(k Classes) Inst { return Inst{PC: 2, Is: k} }
	overwrites := inst(2, nil, nil)
	overwrites.Writes = []Touch{{First: 9, N: 1}}
	for _, c := range []struct {
		name  string
		lanes int
		insts []Inst
		want  uint64 // the instruction that the last one follows too early; 0 for none
	}{
		{"by a scalar instruction", 64, []Inst{at(1, AtAnyScalarWrite, 9, 1), at(9, AtScalarRead, 9, 1)}, 1},
		{"of 32 lanes", 32, []Inst{at(1, AtAnyScalarWrite, 9, 1), at(9, AtScalarRead, 9, 1)}, 0},
		{"read by a vector instruction", 64, []Inst{at(1, AtAnyScalarWrite, 9, 1), at(9, AtLaneRead, 9, 1)},
			1},
		{"not written", 64, []Inst{at(9, AtScalarRead, 9, 1)}, 0},
		{"written elsewhere", 64, []Inst{at(1, AtAnyScalarWrite, 12, 1), at(9, AtScalarRead, 12, 1)}, 0},
		{"read below what is written", 64, []Inst{at(1, AtAnyScalarWrite, 9, 1), at(9, AtScalarRead, 8, 1)},
			0},
		{"read above", 64, []Inst{at(1, AtAnyScalarWrite, 9, 1), at(9, AtScalarRead, 10, 1)}, 0},
		{"more is written than was read", 64, []Inst{at(1, AtAnyScalarWrite, 6, 4), at(9, AtScalarRead, 6,
			2)}, 0},
		{"of which some was", 64, []Inst{at(1, AtAnyScalarWrite, 6, 4), at(9, AtScalarRead, 9, 1)}, 1},
		{"what is left is written behind it", 64, []Inst{at(1, AtAnyScalarWrite, 8, 2), at(3,
			AtAnyScalarWrite, 10, 2),
			at(9, AtScalarRead, 11, 1)}, 3},
		{"what is left before it", 64, []Inst{at(1, AtAnyScalarWrite, 10, 2), at(3, AtAnyScalarWrite, 8, 1),
			at(9, AtScalarRead, 8, 1)}, 3},
		{"written once more", 64, []Inst{at(1, AtAnyScalarWrite, 8, 4), at(3, AtAnyScalarWrite, 8, 4),
			overwrites,
			at(9, AtScalarRead, 9, 1)}, 0},
		{"waited for", 64, []Inst{at(1, AtAnyScalarWrite, 9, 1), is(SaSdst), at(9, AtScalarRead, 9, 1)}, 0},
		{"another wait", 64, []Inst{at(1, AtAnyScalarWrite, 9, 1), is(VaSdst | VaVCC), at(9, AtScalarRead,
			9, 1)}, 1},
		{"overwritten", 64, []Inst{at(1, AtAnyScalarWrite, 9, 1), overwrites, at(9, AtScalarRead, 9, 1)}, 0},
		{"by a vector instruction", 64, []Inst{at(1, AtPlainLaneWrite, 9, 1), at(9, AtLaneRead, 9, 1)}, 1},
		{"which scalar ones wait for", 64, []Inst{at(1, AtPlainLaneWrite, 9, 1), at(9, AtScalarRead, 9, 1)},
			0},
		{"waited for", 64, []Inst{at(1, AtPlainLaneWrite, 9, 1), is(VaSdst), at(9, AtLaneRead, 9, 1)}, 0},
		{"another wait", 64, []Inst{at(1, AtPlainLaneWrite, 9, 1), is(SaSdst | VaVCC), at(9, AtLaneRead, 9,
			1)}, 1},
		{"VCC", 64, []Inst{at(1, AtLaneWriteVCC, 9, 1), at(9, AtLaneRead, 9, 1)}, 1},
		{"waited for", 64, []Inst{at(1, AtLaneWriteVCC, 9, 1), is(VaVCC), at(9, AtLaneRead, 9, 1)}, 0},
		{"another wait", 64, []Inst{at(1, AtLaneWriteVCC, 9, 1), is(SaSdst | VaSdst), at(9, AtLaneRead, 9,
			1)}, 1},
	} {
		for _, blocks := range []bool{false, true} { // in one, or each in one of its own
			insts := append([]Inst{mask}, c.insts...)
			f := New(processor.GFX1100, c.lanes, plainNames{})
			var all []Early
			if !blocks {
				_, all = f.Walk(nil, insts)
			} else {
				var s State
				for i := range insts {
					f.Enter(&s, &Block{Insts: insts[i : i+1]}, uint64(i))
				}
				all = s.Early()
			}
			if got := len(all) == 1 && all[0].From == c.want; got != (c.want > 0) || len(all) > 1 {
				t.Errorf("%s, blocks %v: %v, want one behind %d", c.name, blocks, all, c.want)
			}
		}
	}
}

// TestForwarded: on gfx11 an instruction with 64 lanes reads a register that was written before EXEC and
// another that was written after too early, with at most 2 vector instructions between these and 4 behind.
func TestForwarded(t *testing.T) {
	writes := func(reg uint16, pc uint64) Inst {
		i := inst(pc, []Touch{{Kind: LeftResult, First: reg, N: 1}}, nil)
		i.Is = AnyVector
		return i
	}
	exec := inst(5, nil, []Touch{{Kind: AtExecSwitch}})
	vector := Inst{PC: 6, Is: AnyVector}
	reads := inst(9, nil, []Touch{{Kind: AtRead, First: 1, N: 1}, {Kind: AtRead, First: 2, N: 1}})
	one := inst(9, nil, []Touch{{Kind: AtRead, First: 1, N: 1}})
	for _, c := range []struct {
		name  string
		insts []Inst
		want  bool
	}{
		{"both", []Inst{writes(1, 1), exec, writes(2, 2), reads}, true},
		{"without EXEC", []Inst{writes(1, 1), writes(2, 2), reads}, false},
		{"EXEC before both", []Inst{exec, writes(1, 1), writes(2, 2), reads}, false},
		{"one alone", []Inst{writes(1, 1), exec, writes(2, 2), one}, false},
		{"as far apart as may be", []Inst{writes(1, 1), exec, vector, vector, writes(2, 2), reads}, true},
		{"farther", []Inst{writes(1, 1), exec, vector, vector, vector, writes(2, 2), reads}, false},
		{"as far behind", []Inst{writes(1, 1), exec, writes(2, 2), vector, vector, vector, vector, reads},
			true},
		{"farther behind", []Inst{writes(1, 1), exec, writes(2, 2), vector, vector, vector, vector, vector,
			reads}, false},
		{"written again", []Inst{writes(1, 1), exec, writes(1, 3), writes(2, 2), reads}, false},
		{"EXEC late", []Inst{writes(1, 1), vector, vector, exec, writes(2, 2), reads}, true},
		{"an access to memory", []Inst{writes(1, 1), exec, {PC: 7, Is: MemoryAccess}, writes(2, 2), reads},
			false},
	} {
		_, all := New(processor.GFX1150, 64, plainNames{}).Walk(nil, c.insts)
		if got := len(all) == 1 && all[0].From == 1; got != c.want {
			t.Errorf("%s: %v", c.name, all)
		}
		if _, all := New(processor.GFX1150, 32, plainNames{}).Walk(nil, c.insts); len(all) > 0 {
			t.Errorf("%s of 32 lanes: %v", c.name, all)
		}
	}
}

// TestDirectLoads: a direct load from LDS waits for as many vector instructions as it says; where one of them
// is transcendental it has to wait for all.
func TestDirectLoads(t *testing.T) {
	used := func(is Classes) Inst {
		i := inst(1, []Touch{{Kind: UsedByVector, First: 3, N: 1}}, nil)
		i.Is = is
		return i
	}
	vector, slow := Inst{PC: 6, Is: AnyVector}, Inst{PC: 7, Is: AnyVector | AnySlow}
	for _, c := range []struct {
		name    string
		between []Inst
		first   Classes
		wait    uint8
		want    bool
	}{
		{"for all", nil, AnyVector, 0, false},
		{"for all but one", nil, AnyVector, 1, true},
		{"which is another", []Inst{vector}, AnyVector, 1, false},
		{"for all but two", []Inst{vector}, AnyVector, 2, true},
		{"a transcendental one between", []Inst{vector, slow}, AnyVector, 1, true},
		{"for all of these", []Inst{vector, slow}, AnyVector, 0, false},
		{"behind one", []Inst{vector, vector}, AnyVector | AnySlow, 1, true},
		{"long ago", []Inst{vector, vector, vector, vector, vector, vector, vector, vector, vector, vector,
			vector,
			vector, vector, vector}, AnyVector, 15, true},
		{"longer", []Inst{vector, vector, vector, vector, vector, vector, vector, vector, vector, vector,
			vector,
			vector, vector, vector, vector}, AnyVector, 15, false},
		{"an access between", []Inst{{PC: 5, Is: LDSAccess}}, AnyVector, 1, false},
	} {
		insts := append([]Inst{used(c.first)}, c.between...)
		insts = append(insts, inst(9, nil, []Touch{{Kind: AtDirect, First: 3, N: 1, Count: c.wait}}))
		_, all := New(processor.GFX1100, 32, plainNames{}).Walk(nil, insts)
		if got := len(all) == 1; got != c.want {
			t.Errorf("%s: %v", c.name, all)
		}
	}
}

// TestListedInClause: of a clause as many instructions are as it says.
func TestListedInClause(t *testing.T) {
	for n, want := range []bool{true, true, true, false} {
		insts := []Inst{inst(1, []Touch{{Kind: InClause, Count: 3}}, nil)}
		for range n {
			insts = append(insts, inst(2, nil, nil))
		}
		insts = append(insts, inst(9, nil, []Touch{{Kind: AtListed}}))
		if _, all := New(processor.GFX1011, 32, plainNames{}).Walk(nil, insts); (len(all) == 1) != want {
			t.Errorf("behind %d of a clause of 3: %v", n, all)
		}
	}
}

// TestLaterBesides: a base of private memory is named where what reads it names no register; VCC that a
// scalar instruction has written is its alone; what a processor does wrong of an instruction by itself is
// told.
func TestLaterBesides(t *testing.T) {
	left := func(pc uint64, kind Kind) Inst { return inst(pc, []Touch{{Kind: kind, First: 8, N: 2}}, nil) }
	reads := Inst{Reads: 0xff}
	wrong := inst(9, nil, nil)
	wrong.Defect = "it is wrong"
	for _, c := range []struct {
		on    processor.Set
		insts []Inst
		from  uint64
		text  string
	}{
		{processor.GFX1250, []Inst{left(1, LeftScratchBase), inst(9, nil, []Touch{{Kind: AtScratch}})}, 1,
			"the base of private memory is read, which is being computed from s8+1: needs "},
		{processor.GFX1200, []Inst{reads, left(1, AgainVCC), left(2, AgainByScalar),
			inst(9, nil, []Touch{{Kind: AtLaneRead, First: 8, N: 1}})}, 2,
			"s8+1 is read, which is yet to be written"},
		{processor.GFX1200, []Inst{reads, left(1, AgainByScalar), left(2, AgainVCC), {PC: 3, Is: VaVCC},
			inst(9, nil, []Touch{{Kind: AtLaneRead, First: 8, N: 1}})}, 0, ""},
		{processor.GFX1200, []Inst{reads, left(1, AgainVCC), left(2, AgainByScalar), {PC: 3, Is: SaSdst},
			inst(9, nil, []Touch{{Kind: AtLaneRead, First: 8, N: 1}})}, 0, ""},
		{processor.GFX1200, []Inst{left(1, AgainVCC), inst(9, nil, []Touch{{Kind: AtLaneRead, First: 8,
			N: 1}})}, 0, ""},
		{processor.GFX1030, []Inst{wrong}, 9, "it is wrong"},
		{processor.GFX1010, []Inst{inst(1, []Touch{{Kind: HeldExec, First: 126, N: 2}}, nil),
			inst(9, nil, []Touch{{Kind: AtExecWrite, First: 126, N: 2}})}, 1,
			"a vector instruction writes s126+2, "},
	} {
		_, all := New(c.on, 64, plainNames{}).Walk(nil, c.insts)
		if c.text == "" && len(all) > 0 || c.text != "" && (len(all) != 1 || all[0].From != c.from ||
			!strings.HasPrefix(all[0].Text, c.text)) {
			t.Errorf("%v, want %s from %d", all, c.text, c.from)
		}
	}
}
