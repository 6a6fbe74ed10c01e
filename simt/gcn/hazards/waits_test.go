package hazards

import (
	"fmt"
	"strings"
	"testing"

	"simtgdb/simt/gcn/processor"
)

// TestWaitStates: between two instructions of gfx9 that depend on each other there are as many wait states as
// the ISA documents and the constants of LLVM's GCNHazardRecognizer say: one less is too early, and on
// other processors none is.
func TestWaitStates(t *testing.T) {
	all := []processor.Set{processor.GFX900, processor.GFX906, processor.GFX908, processor.GFX90A,
		processor.GFX942, processor.GFX950}
	gfx9, cdna, gfx90a, mi300 := processor.GFX9, processor.GFX908On, processor.GFX90AOn, processor.GFX942On
	left := func(kind Kind, passes uint8) Touch { return Touch{Kind: kind, First: 8, N: 4, Count: passes} }
	for _, c := range []struct {
		what  string
		on    processor.Set
		left  Touch
		need  Kind
		same  bool // exactly the same registers; else one of them
		waits int
	}{
		{"SGPR written by VALU read by VMEM", gfx9, left(LeftScalar, 0), NeedAddress, false, 5},
		{"SGPR written by VALU as a lane", gfx9, left(LeftScalar, 0), NeedLane, false, 4},
		{"VCC written by VALU, v_div_fmas", gfx9, left(LeftScalar, 0), NeedMask, false, 4},
		{"VALU writes VCC, read as VCCZ", gfx9, left(LeftScalar, 0), NeedZero, false, 5},
		{"VALU writes EXEC, DPP", gfx9, left(LeftScalar, 0), NeedActive, false, 5},
		{"VALU writes VGPR, DPP reads it", gfx9, left(LeftVector, 0), NeedOther, false, 2},
		{"SALU writes M0", gfx9, left(LeftM0, 0), NeedM0, false, 1},
		{"s_setreg, s_getreg", gfx9, left(LeftSetting, 0), NeedGet, false, 2},
		{"s_setreg, s_setreg", gfx9, left(LeftSetting, 0), NeedSet, false, 2},
		{"store of more than 64 bits, write", gfx9 &^ mi300, left(LeftStored, 0), NeedWrite, false, 1},
		{"the same", mi300, left(LeftStored, 0), NeedWrite, false, 2},
		{"VALUWriteSGPRVALURead", mi300, left(LeftScalar, 0), NeedScalar, false, 2},
		{"VALUWriteEXECRWLane", mi300, left(LeftScalar, 0), NeedPresent, false, 4},
		{"VALUWriteVGPRReadlaneRead", mi300, left(LeftVector, 0), NeedPick, false, 1},
		{"TransDef", mi300, left(LeftSlow, 0), NeedQuick, false, 1},
		{"Shift16Def", mi300, left(LeftMoved, 0), NeedRead, false, 1},
		{"DotWriteDifferentVALURead", gfx90a, left(LeftDot, 0), NeedRead, false, 3},
		{"DotWrite, VMEM", gfx90a, left(LeftDot, 0), NeedMemory, false, 3},
		{"DotWriteDifferentVALUWrite", gfx90a, left(LeftDot, 0), NeedWrite, false, 3},
		{"VALUWriteVGPRPermlaneSwap", processor.GFX950, left(LeftVector, 0), NeedSwap, false, 2},
		{"VALUWriteEXECPermlaneSwap", processor.GFX950, left(LeftScalar, 0), NeedSwapping, false, 4},
		{"LegacyVALUWritesVGPR, factors", cdna, left(LeftVector, 0), NeedFactor, false, 2},
		{"LegacyVALUWritesVGPR, sums", gfx90a, left(LeftVector, 0), NeedSum, false, 2},
		{"LegacyVALUWritesVGPR, f32", gfx90a, left(LeftVector, 0), NeedSumPlain, false, 2},
		{"LegacyVALUWritesVGPR, f64", gfx90a, left(LeftVector, 0), NeedSumD, false, 2},
		{"VALUWritesExec", cdna, left(LeftScalar, 0), NeedMatrix, false, 4},

		{"MFMAWritesAGPROverlappedSrcAB", processor.GFX908, left(LeftProduct, 2), NeedFactor, false, 4},
		{"the same of 16 passes", processor.GFX908, left(LeftProduct, 16), NeedFactor, false, 4},
		{"MFMAWritesAGPROverlappedSrcC", processor.GFX908, left(LeftProduct, 8), NeedSum, false, 2},
		{"the same registers", processor.GFX908, left(LeftProduct, 8), NeedSum, true, 0},
		{"MFMA4x4WritesAGPRAccVgprRead", processor.GFX908, left(LeftProduct, 2), NeedAccRead, false, 4},
		{"MFMA16x16WritesAGPRAccVgprRead", processor.GFX908, left(LeftProduct, 8), NeedAccRead, false, 10},
		{"MFMA32x32WritesAGPRAccVgprRead", processor.GFX908, left(LeftProduct, 16), NeedAccRead, false, 18},
		{"MFMA4x4WritesAGPRAccVgprWrite", processor.GFX908, left(LeftProduct, 2), NeedAccWrite, false, 1},
		{"MFMA16x16WritesAGPRAccVgprWrite", processor.GFX908, left(LeftProduct, 8), NeedAccWrite, false, 7},
		{"MFMA32x32WritesAGPRAccVgprWrite", processor.GFX908, left(LeftProduct, 16), NeedAccWrite, false, 15},
		{"MFMA16x16ReadSrcCAccVgprWrite", processor.GFX908, left(LeftSum, 8), NeedAccWrite, false, 5},
		{"MFMA32x32ReadSrcCAccVgprWrite", processor.GFX908, left(LeftSum, 16), NeedAccWrite, false, 13},
		{"AccVgprWrite, MFMA reads SrcAB", processor.GFX908, left(LeftAcc, 0), NeedFactor, false, 3},
		{"AccVgprWriteMFMAReadSrcC", processor.GFX908, left(LeftAcc, 0), NeedSum, false, 1},
		{"AccVgprWriteAccVgprRead", processor.GFX908, left(LeftAcc, 0), NeedAccRead, false, 3},
		{"AccVgprReadLdSt", processor.GFX908, left(LeftAccRead, 0), NeedMemory, false, 2},

		{"SMFMA4x4WriteVgprVALURead", processor.GFX90A | processor.GFX942, left(LeftProduct, 2), NeedRead,
			false, 5},
		{"SMFMA16x16WriteVgprVALURead", processor.GFX90A | processor.GFX942, left(LeftProduct, 8), NeedRead,
			false, 11},
		{"SMFMA32x32WriteVgprVALURead", processor.GFX90A | processor.GFX942, left(LeftProduct, 16),
			NeedRead, false, 19},
		{"and VMEM", processor.GFX90A | processor.GFX942, left(LeftProduct, 16), NeedMemory, false, 19},
		{"SMFMA16x16WriteVgprVALUWaw", processor.GFX90A | processor.GFX942, left(LeftProduct, 8), NeedWrite,
			false, 11},
		{"SMFMA4x4WritesVGPROverlappedSrcAB", processor.GFX90A | processor.GFX942, left(LeftProduct, 2),
			NeedFactor, false, 5},
		{"SMFMA32x32WritesVGPROverlappedSrcAB", processor.GFX90A | processor.GFX942, left(LeftProduct, 16),
			NeedFactor, true, 19},
		{"SMFMA4x4WritesVGPROverlappedSMFMASrcC", processor.GFX90A, left(LeftProduct, 2), NeedSum, false, 2},
		{"SMFMA16x16WritesVGPROverlappedSMFMASrcC", processor.GFX90A, left(LeftProduct, 8), NeedSum, false,
			8},
		{"SMFMA32x32WritesVGPROverlappedSMFMASrcC", processor.GFX90A, left(LeftProduct, 16), NeedSum, false,
			16},
		{"the same registers", processor.GFX90A, left(LeftProduct, 2), NeedSum, true, 0},
		{"GFX940_XDL4PassWritesVGPROverlappedSMFMASrcC", processor.GFX942, left(LeftProduct, 4), NeedSum,
			false, 5},
		{"GFX940_XDL16PassWritesVGPROverlappedSMFMASrcC", processor.GFX942, left(LeftProduct, 16),
			NeedSumPlain, false, 17},
		{"GFX940_SMFMA4x4WritesVGPRFullSrcC", processor.GFX942, left(LeftProduct, 2), NeedSum, true, 2},
		{"of more passes", processor.GFX942, left(LeftProduct, 4), NeedSumPlain, true, 0},
		{"SMFMA4x4WritesVGPROverlappedDMFMASrcC", processor.GFX90A | processor.GFX942, left(LeftProduct, 2),
			NeedSumD, false, 3},
		{"SMFMA16x16WritesVGPROverlappedDMFMASrcC", processor.GFX90A | processor.GFX942, left(LeftProduct,
			8), NeedSumD, false, 9},
		{"SMFMA32x32WritesVGPROverlappedDMFMASrcC", processor.GFX90A | processor.GFX942, left(LeftProduct,
			16), NeedSumD, false, 17},
		{"SMFMA4x4ReadVgprVALUWar", gfx90a, left(LeftSum, 2), NeedWrite, false, 1},
		{"SMFMA16x16ReadVgprVALUWar", gfx90a, left(LeftSum, 8), NeedWrite, false, 7},
		{"SMFMA32x32ReadVgprVALUWar", gfx90a, left(LeftSum, 16), NeedWrite, false, 15},

		{"gfx950: one more of other than the fewest passes", processor.GFX950, left(LeftProduct, 2),
			NeedRead, false, 5},
		{"the same", processor.GFX950, left(LeftProduct, 4), NeedRead, false, 8},
		{"the same", processor.GFX950, left(LeftProduct, 16), NeedMemory, false, 20},
		{"the same", processor.GFX950, left(LeftProduct, 8), NeedWrite, false, 12},
		{"the same", processor.GFX950, left(LeftProduct, 8), NeedFactor, false, 12},
		{"the same", processor.GFX950, left(LeftProduct, 8), NeedSum, false, 10},
		{"the same", processor.GFX950, left(LeftProduct, 8), NeedSumPlain, false, 10},
		{"the same", processor.GFX950, left(LeftProduct, 8), NeedSumD, false, 10},
		{"the same", processor.GFX950, left(LeftProduct, 2), NeedSum, true, 2},

		{"GFX940_SMFMA4PassWriteVgprVALURead", mi300, left(LeftPlain, 4), NeedRead, false, 6},
		{"GFX940_SMFMA8PassWriteVgprVALURead", mi300, left(LeftPlain, 8), NeedMemory, false, 10},
		{"GFX940_SMFMA16PassWriteVgprVALUWaw", mi300, left(LeftPlain, 16), NeedWrite, false, 18},
		{"GFX940_SMFMA16PassWritesVGPROverlappedSrcAB", mi300, left(LeftPlain, 16), NeedFactor, false, 18},
		{"GFX940_SMFMA8PassWritesVGPROverlappedSMFMASrcC", mi300, left(LeftPlain, 8), NeedSumPlain, false, 8},
		{"of two passes the same registers", mi300, left(LeftPlain, 2), NeedSumPlain, true, 2},
		{"a product of the core takes them at once", mi300, left(LeftPlain, 8), NeedSum, false, 0},
		{"SMFMA16PassWritesVGPROverlappedDMFMASrcC", mi300, left(LeftPlain, 16), NeedSumD, false, 16},

		{"DMFMA4x4WriteVgprVALURead", gfx90a, left(LeftDouble, 4), NeedRead, false, 6},
		{"DMFMA16x16WriteVgprVALURead", processor.GFX90A | processor.GFX942, left(LeftDouble, 8), NeedRead,
			false, 11},
		{"DMFMA4x4WriteVgprMemExpRead", gfx90a, left(LeftDouble, 4), NeedMemory, false, 9},
		{"DMFMA16x16WriteVgprMemExpRead", gfx90a, left(LeftDouble, 8), NeedMemory, false, 18},
		{"DMFMA4x4WriteVgprVALUWrite", gfx90a, left(LeftDouble, 4), NeedWrite, false, 6},
		{"DMFMA16x16WriteVgprVALUWrite", gfx90a, left(LeftDouble, 8), NeedWrite, false, 11},
		{"DMFMA4x4WritesVGPROverlappedMFMASrcAB", gfx90a, left(LeftDouble, 4), NeedFactor, false, 6},
		{"DMFMA16x16WritesVGPROverlappedMFMASrcAB", processor.GFX90A | processor.GFX942, left(LeftDouble,
			8), NeedFactor, false, 11},
		{"GFX950_DMFMA16x16WritesVGPROverlappedMFMASrcAB", processor.GFX950, left(LeftDouble, 16),
			NeedFactor, false, 19},
		{"GFX950_DMFMA16x16WriteVgprVALURead", processor.GFX950, left(LeftDouble, 16), NeedRead, false, 19},
		{"DMFMA4x4WritesVGPROverlappedSrcC", gfx90a, left(LeftDouble, 4), NeedSumD, false, 4},
		{"DMFMA4x4WritesVGPRFullSrcC", gfx90a, left(LeftDouble, 4), NeedSumD, true, 4},
		{"DMFMA16x16WritesVGPROverlappedSrcC", processor.GFX90A | processor.GFX942, left(LeftDouble, 8),
			NeedSumD, false, 9},
		{"the same registers", gfx90a, left(LeftDouble, 8), NeedSumD, true, 0},
		{"GFX950_DMFMA16x16WritesVGPROverlappedSrcC", processor.GFX950, left(LeftDouble, 16), NeedSumD,
			false, 17},
		{"of few passes, of f32", mi300, left(LeftDouble, 4), NeedSumPlain, false, 4},
		{"the same, of f32", processor.GFX942, left(LeftDouble, 8), NeedSumPlain, false, 9},
		{"the same, of f32", processor.GFX950, left(LeftDouble, 16), NeedSumPlain, false, 17},
	} {
		need := Touch{Kind: c.need, First: 10, N: 4}
		if c.same {
			need.First = 8
		}
		for _, on := range all {
			if c.on&on == 0 {
				continue
			}
			for _, between := range []int{c.waits, c.waits - 1} {
				if between < 0 {
					continue
				}
				insts := []Inst{inst(0, []Touch{c.left}, nil)}
				for n := range between {
					insts = append(insts, inst(uint64(4+4*n), nil, nil))
				}
				insts = append(insts, inst(1000, nil, []Touch{need}))
				_, early := New(on, 64, plainNames{}).Walk(nil, insts)
				if between >= c.waits {
					if len(early) != 0 {
						t.Errorf("%s on %v: %v with all %d wait states", c.what, on, early, between)
					}
					continue
				}
				if want := fmt.Sprintf("needs %d wait states between, has %d", c.waits,
					between); len(early) != 1 ||
					early[0].Index != len(insts)-1 || early[0].From != 0 ||
					!strings.HasSuffix(early[0].Text, want) {
					t.Errorf("%s on %v: %v, want %s", c.what, on, early, want)
				}
			}
		}
	}
	// One of v_accvgpr_read or its like between, what was written before them is still early for memory.
	moves := inst(4, nil, nil)
	moves.Moves = true
	for between, want := range []int{1, 0} {
		insts := []Inst{inst(0, []Touch{left(LeftVector, 0)}, nil), moves}
		for range between {
			insts = append(insts, inst(8, nil, nil))
		}
		insts = append(insts, inst(12, nil, []Touch{{Kind: NeedMemory, First: 8, N: 1}}))
		if _, early := New(processor.GFX908, 64, plainNames{}).Walk(nil, insts); len(early) != want {
			t.Errorf("%d behind v_accvgpr_read: %v", between, early)
		}
	}
	// The same dot product, and registers that are others, need none.
	dots := []Inst{inst(0, []Touch{left(LeftDot, 0)}, nil), inst(0, nil, []Touch{{Kind: NeedRead, First: 8,
		N: 1}})}
	others := []Inst{inst(0, []Touch{left(LeftDot, 0)}, nil), inst(4, nil, []Touch{{Kind: NeedRead,
		First: 12, N: 1},
		{Kind: NeedRead, First: 6, N: 2}})}
	for _, insts := range [][]Inst{dots, others} {
		if _, early := New(processor.GFX942, 64, plainNames{}).Walk(nil, insts); len(early) != 0 {
			t.Errorf("%v", early)
		}
	}
}
