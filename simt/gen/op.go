package gen

import "simtgdb/simt"

// A form is how the operands of an instruction are encoded and printed.
type form uint8

const (
	formBasic   form = iota // destination, one or two sources
	formMath                // the same, with a function
	formTernary             // destination, three sources in Align16
	formSend                // a message with one payload
	formSends               // a message with two payloads
	formJump2               // JIP and UIP
	formJump1               // JIP
	formJmpi                // a register or immediate distance
	formCall                // destination and JIP
	formRet                 // source 0
	formWait                // source 0
	formSync                // a function and source 0
	formSendXe              // a message with up to two payloads, from Gen12LP on
	formBfn                 // three sources and a function of three bits
	formDpas                // matrices: three sources of whole registers
	formNone                // nothing
)

// An opFlag says something of an instruction.
type opFlag uint16

const (
	logicFlag    opFlag = 1 << iota // a negated source is inverted
	noExecFlag                      // prints no execution size
	noModifier                      // 27:24 are not a condition modifier
	branchFlag                      // 28 is branch control, ".b"
	noPredicate                     // has no predicate
	noSaturate                      // does not saturate
	noSourceMod                     // does not negate its sources or take their magnitude
	ownAcc                          // leaves in the accumulator what is not its result
	indirectFlag                    // its target may be in a register, source 0
)

// An Op is a row of the table: one instruction.
type Op struct {
	Code    uint8
	Name    string
	form    form
	sources int
	flags   opFlag
	flow    simt.Flow

	// Semantics; an instruction without any faults. run executes all of it, the
	// others compute its elements.
	run    runner
	ints   intOp
	floats floatOp
}

// isMessage reports whether the instruction sends a message.
func (op *Op) isMessage() bool {
	return op.form == formSend || op.form == formSends || op.form == formSendXe
}

// ternary reports whether the instruction has three sources.
func (op *Op) ternary() bool {
	return op.form == formTernary || op.form == formBfn || op.form == formDpas
}

// mathFunctions are the functions of math by their codes.
var mathFunctions = [16]string{1: "inv", 2: "log", 3: "exp", 4: "sqt", 5: "rsqt", 6: "sin", 7: "cos",
	9:  "fdiv",
	10: "pow", 11: "idiv", 12: "iqot", 13: "irem", 14: "invm", 15: "rsqtm"}

const (
	mathInvm  = 14
	mathRsqtm = 15
)
