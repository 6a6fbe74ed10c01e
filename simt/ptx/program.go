package ptx

import "simtgdb/simt"

// A Space is a state space (PTX ISA, "State Spaces").
type Space uint8

// The state spaces. Addresses of the const, global and param spaces are generic addresses as they are;
// those of shared memory and of local memory count from the beginning of a window.
const (
	Generic Space = iota
	Const
	Global
	Shared
	Local
	Param
)

// Where the windows of generic addresses begin.
const (
	SharedWindow = 1 << 48
	LocalWindow  = 2 << 48
	windowSize   = 1 << 32
)

// A Program is a module ready to run.
type Program struct {
	Funcs []*Func // in ascending order of Start
}

// A Var is a parameter or a returned value, at an offset of the frame or of an entry's arguments.
type Var struct {
	Offset, Size uint64
}

// Registers are the registers of a function that are declared together: Name if Count is 0, else Name0,
// Name1 …
type Registers struct {
	Name  string
	Count int
	Bits  int // 1 for predicates
	Base  int // index of the first
}

// A Func is a function or a kernel. One without statements is defined elsewhere: the machine has some
// by name.
type Func struct {
	Name            string
	Entry           bool
	Defined         bool
	Start, End      uint64
	Regs            []Registers // in ascending order of Base
	NumRegs         int
	FrameSize       uint64 // bytes of private memory that an activation has
	Depot           uint64 // where in the frame the variables are that the compiler has put into one
	Results, Params []Var
	// Insts gives the statements. It is called when the function is made ready, perhaps by several at once.
	Insts func() []Inst
}

// An Inst is a statement.
type Inst struct {
	Addr  uint64
	Op    string // with all modifiers: "ld.global.v2.b32"
	Guard int    // the predicate that must be set, or -1
	Not   bool   // … that must not be set
	Args  []Operand
	Text  string
}

// OperandKind is what an operand is.
type OperandKind uint8

// The kinds of operand.
const (
	Reg       OperandKind = iota // register Reg, perhaps with Reg2 behind a bar
	Special                      // special register Name
	Int                          // Value; addresses of module variables too
	Float32                      // Value has the bits
	Float64                      // Value has the bits
	FrameAddr                    // the address of byte Value of the activation's frame
	ArgAddr                      // the address of byte Value of the entry's arguments
	Code                         // the address Value of a label or a function
	Mem                          // what lies at List[0] plus Value
	Vector                       // { … }: List
	List                         // ( … ): List
	Targets                      // labels: List
	Proto                        // a prototype: Func
	Sink                         // _
)

// An Operand of a statement.
type Operand struct {
	Kind OperandKind
	Not  bool
	// Negated is set of a register with a minus in front.
	Negated bool
	Reg     int
	Reg2    int // -1 if there is none
	Value   uint64
	Name    string
	Part    string // of a register: "b0", "h1"
	Func    *Func
	List    []Operand
	// Object is the variable of which an Int is an address; nil if it is none.
	Object *simt.Object
}
