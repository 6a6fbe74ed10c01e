package spirv

import (
	"encoding/binary"
	"fmt"
)

// MaxBound is the most ids that a module may have (section 2.17 asks for 4,194,303 at least).
const MaxBound = 1 << 22

// A Module is a SPIR-V module. It is not changed after Parse.
type Module struct {
	Major, Minor int
	Generator    uint32
	Bound        uint32 // ids are below
	BigEndian    bool   // as the file was

	Words []uint32 // all of it, with the header, in the host's order
	Insts []Inst

	Capabilities []uint32
	Extensions   []string
	Imports      map[uint32]string // OpExtInstImport: names of extended instruction sets by id
	Addressing   uint32            // section 3.4
	MemoryModel  uint32            // section 3.5
	Entries      []*Entry
	Processed    []string // OpModuleProcessed

	Names       map[uint32]string    // OpName
	MemberNames map[Member]string    // OpMemberName
	Strings     map[uint32]string    // OpString
	Types       map[uint32]*Type     // by id
	Constants   map[uint32]*Constant // by id, specialised or not
	Variables   []*Variable          // at module scope, in their order
	Functions   []*Function

	def           map[uint32]int // id -> index into Insts
	decorations   map[uint32][]Decoration
	memberDecs    map[Member][]Decoration
	variables     map[uint32]*Variable
	forward       []int // pointer types whose pointee comes later
	constantOrder []uint32

	spec map[uint32]uint64 // values of constants by SpecId
}

// A Member names a member of a struct type.
type Member struct{ Type, Index uint32 }

// A Decoration is one (section 3.20) with its operands.
type Decoration struct {
	Kind uint32
	Args []uint32
}

// The decorations that say how a module is laid out and bound (section 3.20).
const (
	DecorationSpecID        = 1
	DecorationBlock         = 2
	DecorationBufferBlock   = 3
	DecorationRowMajor      = 4
	DecorationColMajor      = 5
	DecorationArrayStride   = 6
	DecorationMatrixStride  = 7
	DecorationCPacked       = 10
	DecorationBuiltIn       = 11
	DecorationBinding       = 33
	DecorationDescriptorSet = 34
	DecorationOffset        = 35
	DecorationFuncParamAttr = 38
	DecorationLinkage       = 41
	DecorationAlignment     = 44
	builtInWorkgroupSize    = 25
)

// Capabilities that decide how the rest is read (section 3.31).
const (
	CapabilityShader = 1
	CapabilityKernel = 6
)

// A Function is OpFunction up to its end.
type Function struct {
	ID     uint32
	Type   uint32 // the function type
	Result uint32 // type of what it returns
	Params []uint32
	First  int // index of OpFunction in Module.Insts
	End    int // index behind OpFunctionEnd
	Body   bool
}

// An Entry is an entry point.
type Entry struct {
	Name      string
	Model     uint32 // 5 GLCompute, 6 Kernel (section 3.3)
	Function  uint32
	Interface []uint32
	Modes     []Mode
}

// A Mode is an execution mode (section 3.6); ByID says that the operands are ids of constants.
type Mode struct {
	Kind uint32
	Args []uint32
	ByID bool
}

// The execution models and modes of compute.
const (
	ModelGLCompute       = 5
	ModelKernel          = 6
	ModeLocalSize        = 17
	ModeLocalSizeHint    = 18
	ModeVecTypeHint      = 30
	ModeContractionOff   = 31
	ModeSubgroupSize     = 35
	ModeLocalSizeID      = 38
	maxMemberIndex       = 1 << 14
	maxDecorationsCopied = 1 << 20
)

// Parse reads a module, of either endianness, which it copies. Constants have the values that spec gives
// them, by SpecId: sizes of types follow from them.
func Parse(data []byte, spec map[uint32]uint64) (*Module, error) {
	m := &Module{
		spec:    spec,
		Imports: map[uint32]string{}, Names: map[uint32]string{}, MemberNames: map[Member]string{},
		Strings: map[uint32]string{}, Types: map[uint32]*Type{}, Constants: map[uint32]*Constant{},
		def: map[uint32]int{}, decorations: map[uint32][]Decoration{},
		memberDecs: map[Member][]Decoration{}, variables: map[uint32]*Variable{},
	}
	if err := m.readWords(data); err != nil {
		return nil, err
	}
	if err := m.readInsts(); err != nil {
		return nil, err
	}
	if err := m.readAnnotations(); err != nil {
		return nil, err
	}
	if err := m.readDeclarations(); err != nil {
		return nil, err
	}
	if err := m.readFunctions(); err != nil {
		return nil, err
	}
	return m, m.checkEntries()
}

// IsModule reports whether data begins like a module, in either endianness.
func IsModule(data []byte) bool {
	return len(data) >= 4 &&
		(binary.LittleEndian.Uint32(data) == Magic || binary.BigEndian.Uint32(data) == Magic)
}

// readWords brings the words into the host's order and checks the header (section 2.3).
func (m *Module) readWords(data []byte) error {
	if !IsModule(data) {
		return errorAt(0, "no magic number 0x07230203 in either byte order")
	}
	if len(data)%4 != 0 || len(data) < 4*HeaderWords {
		return errorAt(len(data)/4, "%d bytes are no whole header and words of 4 bytes", len(data))
	}
	var order binary.ByteOrder = binary.LittleEndian
	if order.Uint32(data) != Magic {
		order, m.BigEndian = binary.BigEndian, true
	}
	m.Words = make([]uint32, len(data)/4)
	for i := range m.Words {
		m.Words[i] = order.Uint32(data[4*i:])
	}
	v := m.Words[1]
	m.Major, m.Minor, m.Generator, m.Bound = int(v>>16&0xff), int(v>>8&0xff), m.Words[2], m.Words[3]
	if m.Major != 1 || m.Minor > 6 || v&0xff0000ff != 0 {
		return errorAt(1, "version word %#08x, versions 1.0 to 1.6 are read", v)
	}
	if m.Bound == 0 || m.Bound > MaxBound {
		return errorAt(3, "bound of ids %d, 1 to %d are read", m.Bound, MaxBound)
	}
	return nil
}

// Code is the module as little-endian bytes: what lies in the text segment.
func (m *Module) Code() []byte {
	b := make([]byte, 0, 4*len(m.Words))
	for _, w := range m.Words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

// readInsts cuts the words into instructions and finds what defines each id.
func (m *Module) readInsts() error {
	for at := HeaderWords; at < len(m.Words); {
		op, n := Op(m.Words[at]), int(m.Words[at]>>16)
		if n == 0 || n > len(m.Words)-at {
			return errorAt(at, "instruction %d of %d words, %d words are left", op, n, len(m.Words)-at)
		}
		in := Inst{Op: op, Word: at, Args: m.Words[at+1 : at+n : at+n]}
		shape := op.shape()
		if want := [...]int{both: 2, result: 1, none: 0}[shape]; len(in.Args) < want {
			return errorAt(at, "instruction %d has %d words, at least %d are needed", op, n, 1+want)
		}
		switch shape {
		case both:
			in.Type, in.Result, in.Args = in.Args[0], in.Args[1], in.Args[2:]
		case result:
			in.Result, in.Args = in.Args[0], in.Args[1:]
		}
		if shape != none {
			if err := m.define(&in, shape); err != nil {
				return err
			}
		}
		m.Insts = append(m.Insts, in)
		at += n
	}
	return nil
}

func (m *Module) define(in *Inst, s shape) error {
	if in.Result == 0 || in.Result >= m.Bound {
		return errorAt(in.Word, "result id %%%d, ids are 1 to %d", in.Result, m.Bound-1)
	}
	if s == both && (in.Type == 0 || in.Type >= m.Bound) {
		return errorAt(in.Word, "result type %%%d, ids are 1 to %d", in.Type, m.Bound-1)
	}
	if old, ok := m.def[in.Result]; ok {
		return errorAt(in.Word, "%%%d is defined again, first at word %#x", in.Result, m.Insts[old].Word)
	}
	m.def[in.Result] = len(m.Insts)
	return nil
}

// Def is the instruction that defines an id, or nil.
func (m *Module) Def(id uint32) *Inst {
	i, ok := m.def[id]
	if !ok {
		return nil
	}
	return &m.Insts[i]
}

// DefIndex is where in Insts an id is defined, or -1.
func (m *Module) DefIndex(id uint32) int {
	if i, ok := m.def[id]; ok {
		return i
	}
	return -1
}

// Has reports whether the module declares a capability.
func (m *Module) Has(capability uint32) bool {
	for _, c := range m.Capabilities {
		if c == capability {
			return true
		}
	}
	return false
}

// Kernel reports whether the module is for OpenCL: types are laid out as in C, and blocks need no merges.
func (m *Module) Kernel() bool { return m.Has(CapabilityKernel) && !m.Has(CapabilityShader) }

// Decoration is the first operand of a decoration of an id; ok reports whether it has the decoration.
func (m *Module) Decoration(id, kind uint32) (arg uint32, ok bool) {
	return find(m.decorations[id], kind)
}

// Decorated reports whether an id has a decoration with an operand; it may have others of the kind.
func (m *Module) Decorated(id, kind, arg uint32) bool {
	for _, d := range m.decorations[id] {
		if d.Kind == kind && len(d.Args) > 0 && d.Args[0] == arg {
			return true
		}
	}
	return false
}

// MemberDecoration is Decoration for a member of a struct type.
func (m *Module) MemberDecoration(id, index, kind uint32) (arg uint32, ok bool) {
	return find(m.memberDecs[Member{id, index}], kind)
}

func find(ds []Decoration, kind uint32) (uint32, bool) {
	for _, d := range ds {
		if d.Kind == kind {
			if len(d.Args) > 0 {
				return d.Args[0], true
			}
			return 0, true
		}
	}
	return 0, false
}

// Entry finds an entry point by name; "" finds the only one. The error lists those that are there.
func (m *Module) Entry(name string) (*Entry, error) {
	var names []string
	for _, e := range m.Entries {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	if name == "" && len(m.Entries) == 1 {
		return m.Entries[0], nil
	}
	return nil, fmt.Errorf("no entry point %q in the module; it has %q", name, names)
}

// Function finds a function by its id.
func (m *Module) Function(id uint32) *Function {
	for _, f := range m.Functions {
		if f.ID == id {
			return f
		}
	}
	return nil
}

// PC is the address of a word of a module that is loaded at base.
func PC(base uint64, word int) uint64 { return base + 4*uint64(word) }
