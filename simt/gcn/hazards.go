package gcn

// Hazards. The hardware does not look after every dependence between instructions that follow each other
// closely: some need wait states between them, other instructions or s_nop, and without these the result is
// undefined (Vega ISA, section 4.5 "Manually Inserted Wait States (NOPs)"; MI200 and MI300 ISA, section 4.5
// of the same name and, for matrix instructions, "Dependency Resolution: Required Independent Instructions";
// and what LLVM's GCNHazardRecognizer knows besides, by which the tests judge all of it). The simulated
// machine does each instruction in its turn, so a program without them works here; it is told of while
// somebody looks for what is undefined.
//
// A call, a return and a jump to where a register says take longer than any of this, and compilers count on
// it.

// A touchKind is what an instruction leaves behind that others may come to too early, or what it needs.
type touchKind uint8

// What is left behind.
const (
	leftScalar  touchKind = iota // a scalar register that a vector instruction wrote
	leftM0                       // M0 that a scalar instruction wrote
	leftSetting                  // a hardware register that s_setreg wrote
	leftVector                   // a vector register that a vector instruction other than a matrix one wrote
	leftSlow                     // one that a transcendental instruction wrote
	leftMoved                    // one of which bits elsewhere than in the operation's place were written
	leftDot                      // one that a dot product wrote
	leftStored                   // one that a store of more than 8 bytes reads
	leftProduct                  // one that a matrix instruction wrote, whose passes count
	leftPlain                    // the same of an instruction of gfx942 that its matrix core does not do: f32
	leftDouble                   // the same of doubles
	leftSum                      // one that a matrix instruction adds to
	leftAcc                      // an accumulation register of gfx908 that v_accvgpr_write wrote
	leftAccRead                  // a vector register that v_accvgpr_read wrote
	leftBeneath                  // a vector register written just before v_accvgpr_read or v_accvgpr_write
	touchesLeft
)

// What is needed.
const (
	needAddress  touchKind = iota // a scalar register that a memory instruction reads
	needLane                      // a scalar register that says which lane
	needMask                      // VCC of v_div_fmas
	needScalar                    // a scalar register that a vector instruction reads
	needZero                      // VCC or EXEC of which a vector instruction reads whether it is 0
	needOther                     // a vector register that DPP reads in other lanes
	needActive                    // EXEC of an instruction with DPP
	needPresent                   // EXEC of v_readlane, v_readfirstlane and v_writelane
	needM0                        // M0
	needGet                       // a hardware register that s_getreg reads
	needSet                       // one that s_setreg writes
	needWrite                     // a vector register that a vector instruction writes
	needRead                      // one that a vector instruction reads
	needQuick                     // the same, of an instruction that is not transcendental
	needPick                      // one that v_readlane or v_readfirstlane reads
	needMemory                    // one that a memory instruction reads
	needFactor                    // one that a matrix instruction multiplies
	needSum                       // one that a matrix instruction adds to
	needSumPlain                  // the same, of an instruction that the matrix core does not do
	needSumD                      // the same, of doubles
	needMatrix                    // EXEC of a matrix instruction
	needAccRead                   // one that v_accvgpr_read of gfx908 reads
	needAccWrite                  // one that v_accvgpr_write of gfx908 writes
	needSwap                      // one that v_permlane16_swap or v_permlane32_swap reads
	needSwapping                  // EXEC of these
	touchesNeeded
)

// A touch is registers that an instruction leaves behind or needs.
type touch struct {
	kind     touchKind
	first, n uint16
	passes   uint8 // of a matrix instruction that leaves them
}

func (t *touch) overlaps(o *touch) bool { return t.first < o.first+o.n && o.first < t.first+t.n }

// A hazard is a row of the table: between an instruction that leaves something and one that needs it there
// must be wait states.
type hazard struct {
	after  touchKind // left
	before touchKind // needed
	on     Target    // the processors; 0 means all
	states int
	passes int    // wait states for each pass of the matrix instruction, besides
	more   int    // wait states of one with more than the fewest passes, besides
	by     []int  // wait states of a matrix instruction with fewer than 8 passes, and with more, instead
	same   bool   // exactly the registers that were left need none,
	short  int    // but after one with the fewest passes so many
	other  bool   // only instructions that are not the same
	what   string // with the register
}

// wait is how many wait states must lie between the two.
func (h *hazard) wait(left, need *touch) int {
	const few, fewDoubles = 2, 4 // passes
	fewest := left.passes <= few || left.kind == leftDouble && left.passes <= fewDoubles
	switch {
	case h.same && left.first == need.first && left.n == need.n:
		if fewest {
			return h.short
		}
		return 0
	case h.by != nil && left.passes < 8:
		return h.by[0]
	case h.by != nil:
		return h.by[1]
	case fewest:
		return h.states + h.passes*int(left.passes)
	}
	return h.states + h.passes*int(left.passes) + h.more
}

// hazardRows are the rows of two touches.
type hazardRows [touchesLeft][touchesNeeded]*hazard

// hazardsBetween are the rows of a processor.
var hazardsBetween = map[Target]*hazardRows{}

func init() {
	for _, name := range Processors() {
		t, _ := processorNamed(name)
		var all hazardRows
		for i := range hazards {
			if h := &hazards[i]; h.on == 0 || h.on&t != 0 {
				all[h.after][h.before] = h
			}
		}
		hazardsBetween[t] = &all
	}
}

// hazards are those between two instructions, with the sections of the head of this file. One of gfx908 is
// between three: what it is between the last two of these the second leaves behind (leftBeneath).
var hazards = []hazard{
	{after: leftScalar, before: needAddress, states: 5,
		what: "a memory instruction reads %s, which a vector instruction has just written"},
	{after: leftScalar, before: needLane, states: 4,
		what: "%s, which a vector instruction has just written, says which lane"},
	{after: leftScalar, before: needMask, states: 4,
		what: "v_div_fmas reads %s, which a vector instruction has just written"},
	{after: leftScalar, before: needZero, states: 5,
		what: "whether %s is 0 is read, which a vector instruction has just written"},
	{after: leftScalar, before: needActive, states: 5,
		what: "lanes are read by DPP under %s, which a vector instruction has just written"},
	{after: leftVector, before: needOther, states: 2,
		what: "other lanes of %s are read by DPP, which a vector instruction has just written"},
	{after: leftM0, before: needM0, states: 1, what: "%s is read, which has just been written"},
	{after: leftSetting, before: needGet, states: 2,
		what: "s_getreg reads %s, which s_setreg has just written"},
	{after: leftSetting, before: needSet, states: 2,
		what: "s_setreg writes %s, which s_setreg has just written"},
	{after: leftStored, before: needWrite, on: gfx9 &^ gfx942P, states: 1,
		what: "%s is written, which a store of more than 8 bytes may not have read yet"},
	{after: leftStored, before: needWrite, on: gfx942P, states: 2,
		what: "%s is written, which a store of more than 8 bytes may not have read yet"},

	{after: leftScalar, before: needScalar, on: gfx942P, states: 2,
		what: "a vector instruction reads %s, which another has just written"},
	{after: leftScalar, before: needPresent, on: gfx942P, states: 4,
		what: "a lane is read or written under %s, which a vector instruction has just written"},
	{after: leftVector, before: needPick, on: gfx942P, states: 1,
		what: "a lane of %s is read, which a vector instruction has just written"},
	{after: leftSlow, before: needQuick, on: gfx942P, states: 1,
		what: "%s is read, which a transcendental instruction has just written"},
	{after: leftMoved, before: needRead, on: gfx942P, states: 1,
		what: "%s is read, of which an instruction with SDWA or OP_SEL has just written a part"},

	{after: leftDot, before: needRead, on: gfx90aP, states: 3, other: true,
		what: "%s is read, which a dot product has just written"},
	{after: leftDot, before: needMemory, on: gfx90aP, states: 3,
		what: "a memory instruction reads %s, which a dot product has just written"},
	{after: leftDot, before: needWrite, on: gfx90aP, states: 3, other: true,
		what: "%s is written, which a dot product has just written"},
	{after: leftVector, before: needSwap, on: GFX950, states: 2,
		what: "lanes of %s are swapped, which a vector instruction has just written"},
	{after: leftScalar, before: needSwapping, on: GFX950, states: 4,
		what: "lanes are swapped under %s, which a vector instruction has just written"},

	{after: leftVector, before: needFactor, on: gfx908P, states: 2, what: factorWritten},
	{after: leftVector, before: needSum, on: gfx90aP, states: 2, what: factorWritten},
	{after: leftVector, before: needSumPlain, on: gfx90aP, states: 2, what: factorWritten},
	{after: leftVector, before: needSumD, on: gfx90aP, states: 2, what: factorWritten},
	{after: leftScalar, before: needMatrix, on: gfx908P, states: 4,
		what: "a matrix instruction follows a vector instruction that has just written %s"},

	{after: leftProduct, before: needFactor, on: GFX908, states: 4, what: productRead},
	{after: leftProduct, before: needSum, on: GFX908, states: 2, same: true, what: productRead},
	{after: leftProduct, before: needAccRead, on: GFX908, states: 2, passes: 1, what: productRead},
	{after: leftProduct, before: needAccWrite, on: GFX908, states: -1, passes: 1, what: productWritten},
	{after: leftSum, before: needAccWrite, on: GFX908, states: -3, passes: 1, what: sumWritten},
	{after: leftAcc, before: needFactor, on: GFX908, states: 3, what: accTooEarly},
	{after: leftAcc, before: needSum, on: GFX908, states: 1, what: accTooEarly},
	{after: leftAcc, before: needAccRead, on: GFX908, states: 3, what: accTooEarly},
	{after: leftAccRead, before: needMemory, on: GFX908, states: 2,
		what: "a memory instruction reads %s, which v_accvgpr_read has just written"},
	{after: leftBeneath, before: needMemory, on: GFX908, states: 1, what: "a memory instruction that follows " +
		"v_accvgpr_read or v_accvgpr_write reads %s, which the instruction before these has written"},

	{after: leftProduct, before: needRead, on: GFX90A | GFX942, states: 3, passes: 1, what: productRead},
	{after: leftProduct, before: needMemory, on: GFX90A | GFX942, states: 3, passes: 1, what: productRead},
	{after: leftProduct, before: needWrite, on: GFX90A | GFX942, states: 3, passes: 1, what: productWritten},
	{after: leftProduct, before: needFactor, on: GFX90A | GFX942, states: 3, passes: 1, what: productRead},
	{after: leftProduct, before: needSum, on: GFX90A, passes: 1, same: true, what: productRead},
	{after: leftProduct, before: needSum, on: GFX942, states: 1, passes: 1, same: true, short: 2,
		what: productRead},
	{after: leftProduct, before: needSumPlain, on: GFX942, states: 1, passes: 1, same: true, short: 2,
		what: productRead},
	{after: leftProduct, before: needSumD, on: GFX90A | GFX942, states: 1, passes: 1, same: true,
		what: productRead},
	{after: leftSum, before: needWrite, on: gfx90aP, states: -1, passes: 1, what: sumWritten},

	{after: leftProduct, before: needRead, on: GFX950, states: 3, passes: 1, more: 1, what: productRead},
	{after: leftProduct, before: needMemory, on: GFX950, states: 3, passes: 1, more: 1, what: productRead},
	{after: leftProduct, before: needWrite, on: GFX950, states: 3, passes: 1, more: 1, what: productWritten},
	{after: leftProduct, before: needFactor, on: GFX950, states: 3, passes: 1, more: 1, what: productRead},
	{after: leftProduct, before: needSum, on: GFX950, states: 2, passes: 1, same: true, short: 2,
		what: productRead},
	{after: leftProduct, before: needSumPlain, on: GFX950, states: 1, passes: 1, more: 1, same: true, short: 2,
		what: productRead},
	{after: leftProduct, before: needSumD, on: GFX950, states: 1, passes: 1, more: 1, same: true,
		what: productRead},

	{after: leftPlain, before: needRead, on: gfx942P, states: 2, passes: 1, what: productRead},
	{after: leftPlain, before: needMemory, on: gfx942P, states: 2, passes: 1, what: productRead},
	{after: leftPlain, before: needWrite, on: gfx942P, states: 2, passes: 1, what: productWritten},
	{after: leftPlain, before: needFactor, on: gfx942P, states: 2, passes: 1, what: productRead},
	{after: leftPlain, before: needSum, on: gfx942P, same: true, short: 2, what: productRead},
	{after: leftPlain, before: needSumPlain, on: gfx942P, passes: 1, same: true, short: 2, what: productRead},
	{after: leftPlain, before: needSumD, on: gfx942P, passes: 1, same: true, what: productRead},

	{after: leftDouble, before: needRead, on: GFX90A | GFX942, by: []int{6, 11}, what: productRead},
	{after: leftDouble, before: needMemory, on: gfx90aP, by: []int{9, 18}, what: productRead},
	{after: leftDouble, before: needWrite, on: gfx90aP, by: []int{6, 11}, what: productWritten},
	{after: leftDouble, before: needFactor, on: GFX90A | GFX942, by: []int{6, 11}, what: productRead},
	{after: leftDouble, before: needSumPlain, on: GFX942, by: []int{4, 9}, what: productRead},
	{after: leftDouble, before: needSumD, on: GFX90A | GFX942, by: []int{4, 9}, same: true, short: 4,
		what: productRead},
	{after: leftDouble, before: needRead, on: GFX950, by: []int{6, 19}, what: productRead},
	{after: leftDouble, before: needFactor, on: GFX950, by: []int{6, 19}, what: productRead},
	{after: leftDouble, before: needSumPlain, on: GFX950, by: []int{4, 17}, what: productRead},
	{after: leftDouble, before: needSumD, on: GFX950, by: []int{4, 17}, same: true, short: 4, what: productRead},
}

const (
	productRead    = "%s is read, which a matrix instruction has yet to write"
	productWritten = "%s is written, which a matrix instruction has yet to write"
	factorWritten  = "a matrix instruction reads %s, which a vector instruction has just written"
	sumWritten     = "%s is written, which a matrix instruction may not have read yet"
	accTooEarly    = "%s is read, which v_accvgpr_write has just written"
)

// name is the first register that two touches have in common.
func (t *touch) name(o *touch) string {
	first := max(t.first, o.first)
	switch t.kind {
	case leftScalar, leftM0:
		return scalarText(first, 1)
	case leftSetting:
		return hwregs[hwreg(first)].name
	}
	return registerName(&operand{kind: vectorReg, reg: first}, 0)
}

// codeNop is s_nop.
const codeNop = 0
