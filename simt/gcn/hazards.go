package gcn

import (
	"cmp"
	"fmt"

	"simtgdb/simt"
)

// Hazards. The hardware does not look after every dependence between instructions that follow each other
// closely: some need wait states between them, other instructions or s_nop, and without these the result is
// undefined (Vega ISA, section 4.5 "Manually Inserted Wait States (NOPs)"; MI200 and MI300 ISA, section 4.5
// of
// the same name and, for matrix instructions, "Dependency Resolution: Required Independent Instructions"; and
// what LLVM's GCNHazardRecognizer knows besides, by which the tests judge all of it). The simulated machine
// does each instruction in its turn, so a program without them works here; it is told of while somebody looks
// for what is undefined.
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
	touchesLeft
)

// What is needed.
const (
	needAddress touchKind = iota // a scalar register that a memory instruction reads
	needLane                     // a scalar register that says which lane
	needMask                     // VCC of v_div_fmas
	needScalar                   // a scalar register that a vector instruction reads
	needZero                     // VCC or EXEC of which a vector instruction reads whether it is 0
	needOther                    // a vector register that DPP reads in other lanes
	needActive                   // EXEC of an instruction with DPP
	needPresent                  // EXEC of v_readlane, v_readfirstlane and v_writelane
	needM0                       // M0
	needGet                      // a hardware register that s_getreg reads
	needSet                      // one that s_setreg writes
	needWrite                    // a vector register that a vector instruction writes
	needRead                     // one that a vector instruction reads
	needQuick                    // the same, of an instruction that is not transcendental
	needPick                     // one that v_readlane or v_readfirstlane reads
	needMemory                   // one that a memory instruction reads
	needFactor                   // one that a matrix instruction multiplies
	needSum                      // one that a matrix instruction adds to
	needSumD                     // the same, of doubles
	needMatrix                   // EXEC of a matrix instruction
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
// must
// be wait states.
type hazard struct {
	after  touchKind // left
	before touchKind // needed
	on     Target    // the processors; 0 means all
	states int
	passes int    // wait states for each pass of the matrix instruction, besides
	by     []int  // wait states of a matrix instruction with fewer than 8 passes, and with more, instead
	same   bool   // exactly the registers that were left need none
	other  bool   // only instructions that are not the same
	what   string // with the register
}

// wait is how many wait states must lie between the two.
func (h *hazard) wait(left *touch) int {
	switch {
	case h.by == nil:
		return h.states + h.passes*int(left.passes)
	case left.passes < 8:
		return h.by[0]
	}
	return h.by[1]
}

// longest is the longest wait of all.
const longest = 19

// hazardsBetween are the rows of two touches on a processor.
var hazardsBetween = map[Target]*[touchesLeft][touchesNeeded]*hazard{}

func init() {
	for _, t := range targetNames {
		var all [touchesLeft][touchesNeeded]*hazard
		for i := range hazards {
			if h := &hazards[i]; h.on == 0 || h.on&t != 0 {
				all[h.after][h.before] = h
			}
		}
		hazardsBetween[t] = &all
	}
}

// hazards are all there are, with the sections of the head of this file. Those of the matrix instructions of
// gfx908 and gfx950 are not here.
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
	{after: leftVector, before: needFactor, on: GFX90A | GFX942, states: 2,
		what: "a matrix instruction reads %s, which a vector instruction has just written"},
	{after: leftVector, before: needSum, on: GFX90A | GFX942, states: 2,
		what: "a matrix instruction reads %s, which a vector instruction has just written"},
	{after: leftVector, before: needSumD, on: GFX90A | GFX942, states: 2,
		what: "a matrix instruction reads %s, which a vector instruction has just written"},
	{after: leftScalar, before: needMatrix, on: GFX90A | GFX942, states: 4,
		what: "a matrix instruction follows a vector instruction that has just written %s"},

	{after: leftProduct, before: needRead, on: GFX90A | GFX942, states: 3, passes: 1, what: productRead},
	{after: leftProduct, before: needMemory, on: GFX90A | GFX942, states: 3, passes: 1, what: productRead},
	{after: leftProduct, before: needWrite, on: GFX90A | GFX942, states: 3, passes: 1, what: productWritten},
	{after: leftProduct, before: needFactor, on: GFX90A | GFX942, states: 3, passes: 1, what: productRead},
	{after: leftProduct, before: needSum, on: GFX90A, passes: 1, same: true, what: productRead},
	{after: leftProduct, before: needSum, on: GFX942, states: 1, passes: 1, same: true, what: productRead},
	{after: leftProduct, before: needSumD, on: GFX90A | GFX942, states: 1, passes: 1, same: true,
		what: productRead},
	{after: leftSum, before: needWrite, on: GFX90A | GFX942, states: -1, passes: 1,
		what: "%s is written, which a matrix instruction may not have read yet"},

	{after: leftPlain, before: needRead, on: GFX942, states: 2, passes: 1, what: productRead},
	{after: leftPlain, before: needMemory, on: GFX942, states: 2, passes: 1, what: productRead},
	{after: leftPlain, before: needWrite, on: GFX942, states: 2, passes: 1, what: productWritten},
	{after: leftPlain, before: needFactor, on: GFX942, states: 2, passes: 1, what: productRead},

	{after: leftDouble, before: needRead, on: GFX90A | GFX942, by: []int{6, 11}, what: productRead},
	{after: leftDouble, before: needMemory, on: GFX90A | GFX942, by: []int{9, 18}, what: productRead},
	{after: leftDouble, before: needWrite, on: GFX90A | GFX942, by: []int{6, 11}, what: productWritten},
	{after: leftDouble, before: needFactor, on: GFX90A | GFX942, by: []int{6, 11}, what: productRead},
	{after: leftDouble, before: needSumD, on: GFX90A | GFX942, by: []int{4, 9}, same: true, what: productRead},
}

const (
	productRead    = "%s is read, which a matrix instruction has yet to write"
	productWritten = "%s is written, which a matrix instruction has yet to write"
)

// A leftBehind is an instruction that may be followed too early.
type leftBehind struct {
	at    uint32 // wait states before what comes after it
	pc    uint64
	op    *Op
	which []touch
}

// hazardState is what the last instructions of a wave have left behind.
type hazardState struct {
	now  uint32 // wait states
	last []leftBehind
}

// executed notes an instruction.
func (s *hazardState) executed(in *Inst, left []touch) {
	switch {
	case in.Op.farJump():
		s.last = nil
		return
	case in.Op.Enc == SOPP && in.Op.Code == codeNop:
		s.now += uint32(in.simm)&15 + 1
		return
	}
	s.now++
	if len(left) == 0 {
		return
	}
	kept := make([]leftBehind, 0, longest+1) // replaced rather than changed: snapshots have it too
	for _, l := range s.last {
		if s.now-l.at <= longest {
			kept = append(kept, l)
		}
	}
	s.last = append(kept, leftBehind{s.now, in.PC, in.Op, left})
}

// codeNop is s_nop.
const codeNop = 0

// early looks for what an instruction comes too early for: how it is said, and the instruction that it
// follows.
func (s *hazardState) early(in *Inst, needs []touch) (text string, from uint64) {
	rows := hazardsBetween[in.on]
	for i := len(s.last) - 1; i >= 0; i-- {
		l := &s.last[i]
		between := int(s.now - l.at)
		if between >= longest {
			break
		}
		for j := range l.which {
			left := &l.which[j]
			for k := range needs {
				need := &needs[k]
				h := rows[left.kind][need.kind]
				if h == nil || !left.overlaps(need) || h.other && l.op == in.Op ||
					h.same && left.first == need.first && left.n == need.n {
					continue
				}
				if wait := h.wait(left); between < wait {
					return fmt.Sprintf(h.what+": needs %d wait states between, has %d", left.name(need), wait, between), l.pc
				}
			}
		}
	}
	return "", 0
}

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

// judged wraps what executes an instruction: whoever looks for what is undefined is told of it.
func (in *Inst) judged() func(*Core, *Inst) {
	execute, left, needs := in.exec, in.leaves(), in.needs()
	rule := undefinedLanes[in.Op.Name]
	return func(c *Core, in *Inst) {
		s, stop := &c.following().hazards, false
		if text, from := s.early(in, needs); text != "" {
			stop = c.m.Undefined(&simt.Undefined{Wave: c.w, PC: in.PC, Lanes: cmp.Or(c.w.Exec, c.w.Valid), From: from,
				Text: text})
		}
		if rule.lane != nil {
			if lanes := c.undefinedLanes(in, rule.lane); lanes != 0 {
				stop = c.m.Undefined(&simt.Undefined{Wave: c.w, PC: in.PC, Lanes: lanes, Text: rule.what}) || stop
			}
		}
		execute(c, in)
		if c.faulted() {
			return
		}
		s.executed(in, left)
		c.stopFollowing(stop, in)
	}
}

// A laneRule says in which lanes an instruction's result is undefined, or its program's: given the first
// source.
type laneRule struct {
	what string
	lane func(x uint32) bool
}

// undefinedLanes are the rules by instruction. Compilers divide integers by it (MI200 ISA,
// "V_RCP_IFLAG_F32"),
// of which the language says that the divisor is not 0; of 64 bits they do not.
var undefinedLanes = map[string]laneRule{
	"v_rcp_iflag_f32": {"an integer is divided by zero", func(x uint32) bool { return x<<1 == 0 }},
}

// undefinedLanes are the lanes that execute whose first source is what a rule says.
func (c *Core) undefinedLanes(in *Inst, is func(x uint32) bool) (bad uint64) {
	o := &in.src[0]
	for l := range simt.MaxLanes {
		x := uint32(o.imm)
		switch {
		case c.w.Exec>>l&1 == 0:
			continue
		case o.kind == vectorReg:
			x = c.r.V[o.reg][l]
		case o.kind != constant:
			x = c.s32(o)
		}
		if is(x) {
			bad |= 1 << l
		}
	}
	return bad
}
