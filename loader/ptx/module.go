package ptx

import (
	"sort"
	"strconv"
)

// A Space is a state space (PTX ISA, "State Spaces").
type Space uint8

// The state spaces of variables.
const (
	NoSpace Space = iota
	Const
	Global
	Shared
	Local
	Param
)

var spaceNames = [...]string{"", "const", "global", "shared", "local", "param"}

func (s Space) String() string { return spaceNames[s] }

// A Var is a variable, a parameter or a returned value.
type Var struct {
	Name  string
	Space Space
	Type  string // of an element: "b8", "f32"; no dot
	Size  uint64 // bytes of the whole variable; 0 for an array whose size the launch says
	Align uint64

	// Addr is where the variable is in its space. Const and global variables have addresses of the
	// module's segments, shared ones offsets in the memory of a workgroup, local variables and those of
	// the param space that a function has offsets in the frame of an activation, parameters of entries
	// offsets in the arguments.
	Addr uint64

	Extern  bool
	Pointer *Pointer // what a parameter of an entry points to, if the text says so
	Pos     Pos

	owner uint16 // number of the function whose frame has it
}

// Pointer is the ".ptr" attribute of a parameter.
type Pointer struct {
	Space Space // NoSpace: generic
	Align uint64
}

// Regs are registers that are declared together: Name if Count is 0, else Name0, Name1 and so on.
type Regs struct {
	Name  string
	Count int
	Bits  int // 1 for predicates
	Pred  bool
	Base  int // index of the first in the function
}

// A Func is a function or a kernel.
type Func struct {
	Name    string
	Entry   bool
	Defined bool // it has a body
	Visible bool // other modules see it
	Weak    bool

	Results, Params []*Var
	Regs            []Regs // in the order of their Base
	NumRegs         int
	Vars            []*Var // of the body: local variables, and those of calls in the param space
	FrameSize       uint64 // bytes of an activation's frame: all of Results, Params and Vars of a function
	ParamSize       uint64 // bytes of an entry's arguments

	Start, End uint64 // addresses: of the first statement, and after the last
	Align      uint64 // the largest alignment in the frame
	SharedSize uint64 // of an entry: bytes of shared memory that are the module's or its own

	// Jumps are the jumps to labels, of a function of which rows say the lines.
	Jumps []Jump

	body body

	MaxThreads, ReqThreads [3]uint32 // .maxntid, .reqntid; zero if not there
	ClusterSize            [3]uint32 // .reqnctapercluster, in workgroups; zero if not there
	Pos                    Pos
}

// A Jump is the address of a statement and of one that it may lead to.
type Jump struct{ From, To uint64 }

// Reg finds a register by its name.
func (f *Func) Reg(name string) (index int, ok bool) {
	for i := range f.Regs {
		if n, ok := f.Regs[i].find(name); ok {
			return n, true
		}
	}
	return 0, false
}

// find is the index of a register if it is one of r.
func (r *Regs) find(name string) (int, bool) {
	if r.Count == 0 {
		return r.Base, name == r.Name
	}
	if len(name) <= len(r.Name) || name[:len(r.Name)] != r.Name {
		return 0, false
	}
	digits := name[len(r.Name):]
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 || n >= r.Count || strconv.Itoa(n) != digits {
		return 0, false
	}
	return r.Base + n, true
}

// RegName is the name of a register.
func (f *Func) RegName(index int) string {
	r := f.declOf(index)
	if r == nil {
		return ""
	}
	if r.Count == 0 {
		return r.Name
	}
	return r.Name + strconv.Itoa(index-r.Base)
}

// RegBits is the width of a register: 1 for a predicate, 0 if there is no such register.
func (f *Func) RegBits(index int) int {
	if r := f.declOf(index); r != nil {
		return r.Bits
	}
	return 0
}

func (f *Func) declOf(index int) *Regs {
	i := sort.Search(len(f.Regs), func(i int) bool { return f.Regs[i].Base > index }) - 1
	if i < 0 || index >= f.Regs[i].Base+max(f.Regs[i].Count, 1) {
		return nil
	}
	return &f.Regs[i]
}

// An Inst is a statement that is executed.
type Inst struct {
	Addr  uint64
	Op    string // the instruction with all its modifiers: "ld.global.v2.b32"
	Guard int    // the predicate register that must be set, or -1
	Not   bool   // … that must not be set
	Args  []Operand
	Text  string // as it stands in the text, on one line
	Pos   Pos
}

// OperandKind is what an operand is.
type OperandKind uint8

// The kinds of operand.
const (
	OpReg     OperandKind = iota // register Reg, perhaps with Reg2 behind a bar
	OpSpecial                    // special register Name
	OpInt                        // Value
	OpFloat32                    // Value has the bits
	OpFloat64                    // Value has the bits
	OpVar                        // address of Var, plus Value
	OpCode                       // address Value of a label or a function, or, with Func, the function
	OpMem                        // List[0] is the address (OpReg, OpVar, OpInt), plus Value
	OpVector                     // { … }: List
	OpList                       // ( … ): List
	OpTargets                    // labels of a branch or functions of a call: List
	OpProto                      // a prototype of a call: Proto
	OpSink                       // _
)

// An Operand of an instruction.
type Operand struct {
	Kind OperandKind
	Not  bool // of a predicate: !%p
	// Negated is set of a register with a minus in front: vmad has such operands.
	Negated bool
	Reg     int
	Reg2    int // -1 if there is none
	Value   uint64
	Name    string // what the text calls it
	Part    string // of a register, behind a dot: "b0", "h1"
	Var     *Var
	Func    *Func
	Proto   *Func
	List    []Operand
	Pos     Pos
}

// A Row says which source the statements from Addr on are of (PTX ISA, ".loc").
type Row struct {
	Addr            uint64
	File, Line, Col int
	Function        string // name of the function inlined here, if the text says so
	InlinedAt       *Row   // where it was inlined: the row of its caller, as far as the text has it

	depth int // of inlining
}

// A Section of debugging information.
type Section struct {
	Name string
	Data []byte
}

// A Segment is a range of memory that a program's image fills.
type Segment struct {
	Name string // "const" or "global"
	Addr uint64
	Size uint64
	Data []byte // the first bytes; those up to Size are zero
}

// A Module is what a text says.
type Module struct {
	File        string
	Version     [2]int
	Target      string // "sm_80"
	Debug       bool   // .target …, debug: the text has whole debugging information
	AddressSize int

	Files    map[int]string
	Funcs    []*Func // in the order of the text, once each
	Vars     []*Var  // const, global and shared ones
	Segments []Segment
	Rows     []Row // in ascending order of address
	Sections []Section

	// Names has what the sections call the addresses in them, the first name of each.
	Names map[uint64]string

	SharedSize uint64            // bytes of static shared memory; a dynamic array begins behind
	Labels     map[string]uint64 // addresses of labels in code
	Warnings   []string

	end uint64 // of the code
}

// Addresses of the segments: code from CodeBase on, eight bytes for a statement; then constants, then
// variables, each from a multiple of segmentAlign on with a gap in front.
const (
	CodeBase     = 0x10000
	InstSize     = 8
	funcAlign    = 16
	segmentAlign = 0x10000
)

// Func finds a function by name, or nil.
func (m *Module) Func(name string) *Func {
	for _, f := range m.Funcs {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// FuncAt finds the function that a code address belongs to, or nil.
func (m *Module) FuncAt(addr uint64) *Func {
	i := sort.Search(len(m.Funcs), func(i int) bool { return m.Funcs[i].End > addr })
	if i < len(m.Funcs) && m.Funcs[i].Start <= addr {
		return m.Funcs[i]
	}
	return nil
}

// Text returns bytes to stand for the code at CodeBase. Statement n has 8 bytes: 0x90, the number n in
// four, and zeros; the first is none that debuggers for x86 take for a breakpoint or a return.
func (m *Module) Text() []byte {
	text := make([]byte, m.end-CodeBase)
	for i := 0; i+InstSize <= len(text); i += InstSize {
		n := uint32(i / InstSize)
		copy(text[i:], []byte{0x90, byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24), 0, 0, 0})
	}
	return text
}

// typeBits has the sizes of the fundamental types (PTX ISA, "Fundamental Types").
var typeBits = map[string]int{
	"pred": 1,
	"b8":   8, "u8": 8, "s8": 8, "e4m3": 8, "e5m2": 8,
	"b16": 16, "u16": 16, "s16": 16, "f16": 16, "bf16": 16,
	"b32": 32, "u32": 32, "s32": 32, "f32": 32, "f16x2": 32, "bf16x2": 32, "tf32": 32,
	"b64": 64, "u64": 64, "s64": 64, "f64": 64,
	"texref": 64, "samplerref": 64, "surfref": 64,
	"b128": 128,
}
