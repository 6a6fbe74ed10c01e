package spirv

import (
	"fmt"
	"strings"
	"sync"

	"simtgdb/simt"
	"simtgdb/simt/rows/host"
)

// An Error says what the machine cannot do with a module, and at which word.
type Error struct {
	Word int
	What string
}

func (e *Error) Error() string { return fmt.Sprintf("SPIR-V module, word %#x: %s", e.Word, e.What) }

func (p *Program) errorf(word int, format string, args ...any) error {
	return &Error{word, fmt.Sprintf(format, args...)}
}

// Options say how a module is to be run.
type Options struct {
	Entry        string            // name of the entry point; "" for the only one
	Base         uint64            // address of the module's first word
	Data         uint64            // and of its variables in global memory: see [Program.Data]
	Spec         map[uint32]uint64 // values of specialisation constants by SpecId
	SubgroupSize int               // 8, 16, 32 or 64; 0 means 32
	Robust       bool              // accesses out of bounds read 0 and write nothing
	Contract     bool              // a product that is only added is not rounded by itself
}

// A raw is an instruction as it is in the module.
type raw struct {
	op   uint16
	word int
	typ  uint32
	res  uint32
	args []uint32
}

type decoration struct {
	kind uint32
	args []uint32
}

func (d *decoration) arg() uint32 {
	if len(d.args) == 0 {
		return 0
	}
	return d.args[0]
}

// Decorations that decide what is computed (section 3.20).
const (
	decSpecID       = 1
	decBlock        = 2
	decRowMajor     = 4
	decArrayStride  = 6
	decMatrixStride = 7

	decCPacked   = 10
	decBuiltIn   = 11
	decBinding   = 33
	decSet       = 34
	decOffset    = 35
	decFuncParam = 38
	decAlignment = 44
	decMost8     = 4216 // SaturatedToLargestFloat8NormalConversionEXT
	builtinSize  = 25
	paramByVal   = 2
	paramReturns = 3
)

type memberKey struct{ typ, index uint32 }

// A value is what an id stands for in a function: a run of slots, for pointers with what is known of them
// before anything runs.
type value struct {
	typ   *typ
	slot  int32
	fixed bool // in a slot that is filled once: a constant or an address
	ptr   *pointer
}

// A pointer is what is known of a pointer's value.
type pointer struct {
	layout layout    // of the matrix that it points to or into
	vector uint64    // stride between components, if it points to a row or column that is not packed; else 0
	global *variable // the variable that it leads into, or nil
	known  bool      // Function, Private, Workgroup memory: the offset is the same in all lanes and is at
	at     uint64
}

// A variable is OpVariable.
type variable struct {
	id      uint32
	typ     *typ // of what it holds
	storage uint32
	init    uint32
	at      uint64 // offset in the memory of its storage class
	builtin uint32
	isInput bool
	parts   []leaf // of an input or private variable

	set, binding uint32
	descriptors  []Buffer // as bound, by array element
	nothing      bool     // one of them is bound to nothing, which reads 0 and takes what is written
	blocks       bool     // an array of blocks
	used         bool
	region       *simt.Region // the part of memory that is bound, if it is one buffer
}

// A Program is a module made ready to run one of its entry points.
type Program struct {
	o            Options
	words        []uint32
	ids          uint32 // their bound
	capabilities []uint32
	kernel       bool // an OpenCL module: types as in C, no structured control flow

	insts       []*raw
	def         map[uint32]*raw
	decorations map[uint32][]decoration
	memberDecs  map[memberKey][]decoration
	names       map[uint32]string
	memberNames map[memberKey]string
	strings     map[uint32]string
	imports     map[uint32]string
	types       map[uint32]*typ
	pointees    []*raw
	values      map[uint32]*value // constants and variables at module scope, then all
	variables   map[uint32]*variable
	globals     []*variable
	functions   map[uint32]*function
	order       []*function

	slots     int // so many in all
	standing  []standing
	bound     []standing // addresses of what the launch has bound
	meetings  []int32    // slots that count how often a wave was at an instruction of its workgroup
	constants []uint64
	once      *core // computes constants, on one lane
	entry     *function
	entryName string
	entryID   uint32 // of the function that the module calls the entry point

	blocks  []*block
	setSize int // words of the set of waiting blocks
	at      map[int]place
	owners  []uint32 // ids by slot, made when somebody asks

	stepper stepper

	namesOnce sync.Once
	byName    []string // names of slots

	declaredOnce sync.Once
	debugNames   map[uint32]string

	shared host.Shared // translations

	widthsOnce sync.Once

	ands     map[uint32][]uint32 // operands of an OpBitwiseAnd, by its result: see cutBy
	andsOnce sync.Once
	widths   []uint64 // bits of values by slot

	usersOnce sync.Once
	users     map[uint32][]*raw // of each value that is no constant; see findUsers

	accessed func() map[uint32]bool // pointers that memory is read or written by, of all functions

	shares func() bool // Workgroup memory among its invocations

	undefinedSlots func() []int32 // the slots of OpUndef, and of constants with such parts

	scratch  uint64
	lds      uint64
	dataSize uint64 // of variables at module scope that are in global memory
	size     [3]uint32
	byValue  map[int]uint64        // where copies of arguments lie in private memory, by parameter
	copies   map[uint32]passed     // of what functions get by value, by parameter
	controls map[uint]floatControl // by width, of those that are computed as the entry point says
}

// New makes a program of the words of a module, in the host's order, with the header. What the entry point
// does not reach is not looked at.
func New(words []uint32, o Options) (*Program, error) {
	if o.SubgroupSize == 0 {
		o.SubgroupSize = 32
	}
	if s := o.SubgroupSize; s != 8 && s != 16 && s != 32 && s != 64 {
		return nil, fmt.Errorf("subgroup size %d: 8, 16, 32 and 64 are simulated", s)
	}
	p, err := newProgram(words, o)
	if err != nil {
		return nil, err
	}
	for _, step := range []func() error{p.readEntry, p.build} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// newProgram makes a program of a module as far as it is at module scope.
func newProgram(words []uint32, o Options) (*Program, error) {
	if len(words) < 5 || words[0] != 0x07230203 || words[3] == 0 || words[3] > 1<<22 {
		return nil, &Error{0, "no header of a module"}
	}
	p := &Program{
		o: o, words: words, ids: words[3],
		def: map[uint32]*raw{}, decorations: map[uint32][]decoration{},
		memberDecs: map[memberKey][]decoration{},
		names:      map[uint32]string{}, memberNames: map[memberKey]string{}, strings: map[uint32]string{},
		imports: map[uint32]string{}, types: map[uint32]*typ{}, values: map[uint32]*value{},
		variables: map[uint32]*variable{}, functions: map[uint32]*function{}, at: map[int]place{},
		byValue: map[int]uint64{}, copies: map[uint32]passed{}, controls: map[uint]floatControl{},
	}
	p.accessed = sync.OnceValue(p.findAccessed)
	p.shares = sync.OnceValue(p.findShares)
	p.undefinedSlots = sync.OnceValue(p.findUndefinedSlots)
	p.once = newCore(p, nil, 1)
	for _, step := range []func() error{p.cut, p.annotate, p.readControls, p.declare} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	p.provide()
	return p, nil
}

// cut cuts the words into instructions.
func (p *Program) cut() error {
	for at := 5; at < len(p.words); {
		in, n, err := p.instAt(at)
		if err != nil {
			return err
		}
		if in.res != 0 {
			if in.res >= p.ids || p.def[in.res] != nil {
				return p.errorf(at, "result id %%%d is out of bounds or defined twice", in.res)
			}
			p.def[in.res] = in
		}
		p.insts = append(p.insts, in)
		at += n
	}
	return nil
}

func (p *Program) instAt(at int) (*raw, int, error) {
	return cutInst(p.words[at:], at)
}

// cutInst reads the instruction that words begin with.
func cutInst(words []uint32, at int) (*raw, int, error) {
	op, n := uint16(words[0]), int(words[0]>>16)
	if n == 0 || n > len(words) {
		return nil, 0,
			&Error{at, fmt.Sprintf("instruction %d of %d words, %d words are left", op, n, len(words))}
	}
	in := &raw{op: op, word: at, args: words[1:n:n]}
	for _, c := range opTable()[op].operands {
		if c != 't' && c != 'r' {
			break
		}
		if len(in.args) == 0 {
			return nil, 0, &Error{at, fmt.Sprintf("Op%s without its result", opTable()[op].name)}
		}
		if c == 't' {
			in.typ = in.args[0]
		} else {
			in.res = in.args[0]
		}
		in.args = in.args[1:]
	}
	return in, n, nil
}

// text reads a literal string and gives the words behind it.
func text(words []uint32) (string, []uint32) {
	var b []byte
	for i, w := range words {
		for range 4 {
			if byte(w) == 0 {
				return string(b), words[i+1:]
			}
			b = append(b, byte(w))
			w >>= 8
		}
	}
	return string(b), nil
}

// annotate reads names, decorations, imports, capabilities.
func (p *Program) annotate() error {
	var groups []*raw
	shader, kernel := false, false
	for _, in := range p.insts {
		a := in.args
		switch {
		case in.op == opCapability && len(a) > 0:
			shader = shader || a[0] == 1
			kernel = kernel || a[0] == 6
			p.capabilities = append(p.capabilities, a[0])
		case in.op == opName && len(a) > 1:
			p.names[a[0]], _ = text(a[1:])
		case in.op == opMemberName && len(a) > 2:
			p.memberNames[memberKey{a[0], a[1]}], _ = text(a[2:])
		case in.op == opString:
			p.strings[in.res], _ = text(a)
		case in.op == opExtInstImport:
			p.imports[in.res], _ = text(a)
		case (in.op == opDecorate || in.op == opDecorateId) && len(a) > 1:
			p.decorations[a[0]] = append(p.decorations[a[0]], decoration{a[1], a[2:]})
		case in.op == opMemberDecorate && len(a) > 2:
			k := memberKey{a[0], a[1]}
			p.memberDecs[k] = append(p.memberDecs[k], decoration{a[2], a[3:]})
		case (in.op == opGroupDecorate || in.op == opGroupMemberDecorate) && len(a) > 0:
			groups = append(groups, in)
		}
	}
	p.kernel = kernel && !shader
	copied := 0
	for _, in := range groups {
		ds := p.decorations[in.args[0]]
		if copied += len(ds) * len(in.args); copied > 1<<20 {
			return p.errorf(in.word, "groups of decorations make more than 2^20 decorations")
		}
		if in.op == opGroupDecorate {
			for _, id := range in.args[1:] {
				p.decorations[id] = append(p.decorations[id], ds...)
			}
			continue
		}
		for j := 1; j+1 < len(in.args); j += 2 {
			k := memberKey{in.args[j], in.args[j+1]}
			p.memberDecs[k] = append(p.memberDecs[k], ds...)
		}
	}
	return nil
}

func (p *Program) hasDecoration(id, kind uint32) bool {
	for i := range p.decorations[id] {
		if p.decorations[id][i].kind == kind {
			return true
		}
	}
	return false
}

// decoration is the operand of a decoration, or 0.
func (p *Program) decoration(id, kind uint32) uint32 {
	for i := range p.decorations[id] {
		if d := &p.decorations[id][i]; d.kind == kind {
			return d.arg()
		}
	}
	return 0
}

// declare reads types, constants and variables at module scope, in order: sizes of arrays may depend on
// constants that are specialised.
func (p *Program) declare() error {
	for _, in := range p.insts {
		var err error
		switch {
		case in.op == opFunction:
			return p.pointTo()
		case strings.HasPrefix(opTable()[in.op].name, "Type"):
			err = p.readType(in)
		case in.op >= opConstantTrue && in.op <= opSpecConstantOp || in.op == opUndef:
			err = p.readConstant(in)
		case in.op == opVariable:
			err = p.readGlobal(in)
		}
		if err != nil {
			return err
		}
	}
	return p.pointTo()
}

// pointTo tells pointer types what they point to, which may come behind them.
func (p *Program) pointTo() error {
	for _, in := range p.pointees {
		e := p.types[in.args[1]]
		if e == nil {
			return p.errorf(in.word, "pointer type %%%d points to %%%d, which is no type", in.res, in.args[1])
		}
		p.types[in.res].elem = e
	}
	p.pointees = p.pointees[:0]
	return nil
}

// newSlots takes n slots.
func (p *Program) newSlots(word, n int) (int32, error) {
	if p.slots+n > maxAllSlots {
		return 0, p.errorf(word, "the values of the program have more than %d scalars", maxAllSlots)
	}
	s := p.slots
	p.slots += n
	return int32(s), nil
}
