// Package hazards finds instructions that come too early. The hardware of AMD's processors does not look
// after every dependence between instructions that follow each other closely: some need wait states between
// them, other instructions or s_nop, and without these the result is undefined (Vega ISA, section 4.5
// "Manually Inserted Wait States (NOPs)"; MI200 and MI300 ISA, section 4.5 of the same name and, for matrix
// instructions, "Dependency Resolution: Required Independent Instructions"; and what LLVM's
// GCNHazardRecognizer knows besides, by which the tests judge all of it). The simulated machine does each
// instruction in its turn, so a program without them works here; it is told of while somebody looks for
// what is undefined.
//
// A call, a return and a jump to where a register says take longer than any of this, and compilers count on
// it.
//
// What an instruction is for hazards (Inst) the machine says: the registers that it leaves behind and
// needs, by kinds, and some classes. A table has what must lie between two kinds (gfx9.go for gfx9,
// later.go for gfx10 and later). A Follower goes through blocks of instructions by it. The package knows no
// instruction by its bits or name, and executes none.
package hazards

// A Touch is registers that an instruction leaves behind or needs; with N 0 there are none.
type Touch struct {
	Kind     Kind
	First, N uint16

	// Count is how many passes a matrix instruction of gfx9 has that leaves them; how many instructions are
	// in a clause (InClause); for how many a direct load waits (AtDirect).
	Count uint8
}

func (t *Touch) overlaps(o *Touch) bool {
	return t.N == 0 || o.N == 0 || t.First < o.First+o.N && o.First < t.First+t.N
}

// An Inst is what an instruction is as far as it matters to hazards.
type Inst struct {
	PC            uint64
	Op            any   // which operation it is: equal where it is the same
	States        uint8 // wait states that it is itself
	Far           bool  // it goes to where a register says
	Moves         bool  // it moves an accumulation register of gfx908
	Leaves, Needs []Touch

	// Of gfx10 and later.
	Is     Classes
	Writes []Touch // scalar registers, as results; the kind means nothing
	Reads  uint64  // pairs of scalar registers that a vector instruction reads: a bit for each
	Defect string  // what the processor does wrong of it whatever stands before it, in words
}

// Names says what registers are called.
type Names interface {
	Scalar(first uint16, n int) string
	Vector(reg uint16) string
	Setting(id uint16) string // of s_setreg and s_getreg
}
