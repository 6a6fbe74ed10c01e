package gen

import "fmt"

// The files that an operand can be in.
const (
	arfFile       = 0
	grfFile       = 1
	immediateFile = 3
)

// A place is what kind of operand it is.
type place uint8

const (
	noPlace   place = iota
	inGRF           // a general register
	inARF           // an architecture register
	indirect        // a general register that an address register names
	immediate       // a constant
)

// The architecture registers, by the high nibble of their number.
const (
	arfNull = iota
	arfAddress
	arfAcc
	arfFlag
	arfCE
	arfMsg
	arfSP
	arfSR
	arfCR
	arfN
	arfIP
	arfTDR
	arfTM
	arfFC
	arfEOTmask
	arfDBG
)

// perChannel is the vertical stride of an indirect operand with an address
// register for each row ("VxH").
const perChannel = -1

// An operand of an instruction.
type operand struct {
	place  place
	typ    Type
	reg    uint8 // number; of an architecture register its whole byte
	sub    uint8 // byte in the register
	mme    int8  // macro operand: its extended accumulator, 8 for none; else -1
	addr   uint8 // indirect: the sub-register of a0
	offset int16 // indirect: added to it

	vstride, width, hstride int // in elements
	neg, abs                bool

	imm uint64 // sign-extended to its type

	// What execution uses, found once.
	layout access  // where its elements are; of an indirect one, from the first
	ints   *ints   // the elements of a constant
	floats *floats // the same, as numbers
}

// An Inst is a decoded instruction.
type Inst struct {
	PC   uint64
	Size int // 8 in the compact form, else 16
	Op   *Op
	gen  *Generation

	width    int   // channels
	first    int   // the first one
	noMask   bool  // executes whatever channels are on
	pred     uint8 // predicate mode, 0 for none
	invert   bool  // of the predicate
	flag     uint8 // the flag register's half: 0 f0.0 … 3 f1.1
	cond     uint8 // condition modifier; function of math; SFID of a message
	accWrite bool  // AccWrEn
	branch   bool  // ".b"
	vectors  bool  // Align16: components of vectors, which only macros and three sources have here
	align1   bool  // three sources with strides of their own
	saturate bool
	options  uint16 // hints, by their index in optionNames
	wait     wait   // the software scoreboard's

	dst operand
	src [3]operand

	jip, uip int32 // from this instruction

	desc, exDesc         uint32 // of messages
	descInA0, exDescInA0 bool   // the descriptor is in a0.0, the extended one in a0, at exDescSub
	exDescSub            uint8
	eot                  bool
	ownLength            bool  // the second payload's length is a field of its own, ExBSO
	function             uint8 // of bfn
	depth, repeat        uint8 // of dpas

	// What execution uses, chosen when it was decoded.
	exec, next runner
	watched    bool // somebody is told of what it does
	faults     bool // it has no semantics, or operands that are not in the registers
	kind       kind
	intOp      intOp
	floatOp    floatOp
	message    *message
	behind     uint32    // break: the address after the while
	row        *rowCode  // the instruction as row code
	moves      *sendPlan // how a message moves its data
	pieces     *sendPlan // where they are, while what registers have is followed
	cut        uint8     // sources that a constant mask has made, a bit for each; see findCut
	described  *Inst     // a message whose descriptors were in a0, as it was last
}

func (in *Inst) String() string { return in.text() }

// A DecodeError says why there is no instruction.
type DecodeError struct {
	PC  uint64
	Why string
}

func (e *DecodeError) Error() string { return fmt.Sprintf("no instruction at %#x: %s", e.PC, e.Why) }
