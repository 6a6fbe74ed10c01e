package arch

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"simtgdb/loader"
	"simtgdb/simt"
	"simtgdb/stub/printf/host"
)

// A Family reads the programs of a family of machines and launches their
// kernels. Packages below this one register theirs with [RegisterFamily].
type Family interface {
	// Name is the family's, for people: "AMDGPU".
	Name() string
	// Files are what a user may give: "an AMDGPU code object (ELF)".
	Files() string
	// Detect reports whether a file looks like one of the family's, from
	// its contents. The error of Open says more.
	Detect(data []byte) bool
	// Open reads a file.
	Open(data []byte, o loader.Options) (*loader.Module, error)
	// Owns reports whether Open has read a module.
	Owns(m *loader.Module) bool

	// Processors are those that can be simulated, sorted.
	Processors() []string
	// Decoder reads the instructions of a module that Open has read.
	Decoder(m *loader.Module) (Decoder, error)

	// Kernel gives the kernel as it is to be launched with specialisation
	// constants, or says why it cannot be.
	Kernel(m *loader.Module, k *loader.Kernel, constants []Constant) (*loader.Kernel, error)
	// Launch makes what the kernel needs in memory. The module's segments
	// and the buffers are there.
	Launch(l *Launch) (*Launched, error)
}

// A Tabled is a Family whose programs may have debug tables in a file beside
// them.
type Tabled interface {
	// TableNames are the names that such a file may have, for a program's.
	TableNames(program string) []string
	// IsTable reports whether a file that has such a name is one.
	IsTable(data []byte) bool
}

// A Writer is a Family whose files have debugging information otherwise than as the sections that Open gives.
type Writer interface {
	// AsWritten gives it as the file has it; nil if there is nothing else than what Open gives.
	AsWritten(m *loader.Module) *Written
}

// Written is debugging information as a file has it, for people.
type Written struct {
	Format   string            // of the file: "PTX 7.8, sm_80"
	Sections map[string][]byte // by their usual names
	Register func(number uint64) string
	Address  func(addr uint64) string // the name that the file has for an address, or ""
}

// A Decoder reads instructions.
type Decoder interface {
	// Align is the alignment of instructions in bytes.
	Align() int
	// Inst describes the instruction at the start of code, which lies at pc.
	Inst(code []byte, pc uint64) (simt.Inst, error)
}

// A Rower is a Family whose machine has row code.
type Rower interface {
	// Rows gives what says what the instruction at a pc becomes, a line for each operation: nothing if the
	// machine executes it as it is.
	Rows(m *loader.Module) func(code []byte, pc uint64) []string
}

// An Assembler is a Family whose instructions can be read without a module.
type Assembler interface {
	// ProcessorDecoder reads the instructions of a processor.
	ProcessorDecoder(processor string) (Decoder, error)
}

// A SizeHinter is a Family that can say how a kernel is compiled for a larger
// workgroup than it allows: a continuation of the error's sentence.
type SizeHinter interface {
	SizeHint(k *loader.Kernel, block Dims) string
}

// An Offsetter is a Family that has launches whose global ids do not begin with 0.
type Offsetter interface {
	// Offsets reports whether a kernel heeds Launch.Offset.
	Offsets(k *loader.Kernel) bool
}

// A Lenient is a Family of kernels with arguments that can be launched with Launch.Robust.
type Lenient interface{ Lenient() }

// A FileNamer is a Family of modules that are a program each, known by the file that it is in.
type FileNamer interface {
	// FileNames are the names of the files that a module was made of, as it has them.
	FileNames(m *loader.Module) []string
}

// A Linker is a Family of files that programs link while they run.
type Linker interface {
	// Link makes one file of several, with names for messages, for a processor.
	Link(names []string, files [][]byte, processor string) ([]byte, error)
}

// A Specialiser is a Family of modules whose debugging information depends on specialisation constants.
type Specialiser interface {
	// Specialise is the module with values for constants. It does not say whether the module has them.
	Specialise(m *loader.Module, constants []Constant) (*loader.Module, error)
}

// A Constant is a value for a specialisation constant.
type Constant struct {
	ID    uint32
	Type  string // as launch files name it, such as "f32" or "bool"; "" if only the bytes are known
	Value []byte // little-endian
}

// A Portable is a Family of modules for no processor of its own: devices that are other processors take them,
// too.
type Portable interface{ Portable() }

// A Launch is what a kernel is to be launched with.
type Launch struct {
	Module *loader.Module
	Kernel *loader.Kernel
	Memory *simt.Memory

	Grid, Block [3]uint32 // work-items in all and per workgroup
	Offset      [3]uint32 // what global ids begin with
	WorkDim     int       // dimensions that the host names; 0 for those that Grid needs
	LDS         uint64    // bytes for a workgroup beyond what the kernel states
	Stack       *uint64   // bytes for a lane likewise; nil if nothing is said
	Subgroup    int       // lanes that the user wants a wave to have, or 0
	Robust      bool      // accesses outside of a buffer, or of LDS, are to read 0 and write nothing
	Contract    bool      // products that are added may be fused with the addition

	Host         *host.Host // takes what the kernel prints
	Heap         *host.Heap // of malloc, where it outlives the launch; else nil
	PrintfBuffer uint64     // bytes of the buffer that it prints to; 0 for PrintfBuffer
	Together     bool       // all workgroups run at once, and may wait for each other
	Cluster      [3]uint32  // workgroups of a cluster; zeros where nothing is said

	Params    []Param // of kernels with arguments, in the order of the kernel
	Bindings  []Binding
	Push      []byte
	UserData  []Datum
	Tables    []Table // debug tables beside the program
	Constants []Constant
}

// Dimensions are those of the grid, 1 to 3: what OpenCL's get_work_dim gives.
func (l *Launch) Dimensions() int {
	switch {
	case l.WorkDim > 0:
		return l.WorkDim
	case l.Grid[2] > 1:
		return 3
	case l.Grid[1] > 1:
		return 2
	}
	return 1
}

// OnlyArguments says what a launch gives that a kernel with a list of arguments
// has no use for.
func (l *Launch) OnlyArguments() error {
	switch {
	case len(l.Bindings) > 0:
		return errors.New("the kernel has arguments, not bindings")
	case len(l.Push) > 0:
		return errors.New("the kernel has arguments, not push constants")
	case len(l.UserData) > 0:
		return errors.New("the kernel has arguments, not user data")
	}
	return l.noChoices()
}

// noChoices refuses what only machines can do whose programs leave it open.
func (l *Launch) noChoices() error {
	switch {
	case l.Subgroup != 0:
		return errors.New("the size of a wave is for programs that leave it to who runs them, as SPIR-V")
	case l.Contract:
		return errors.New("contraction is for programs that leave it to who runs them, as SPIR-V")
	}
	return nil
}

// NotRobust refuses what machines cannot do on which no program lives with an access out of bounds.
func (l *Launch) NotRobust() error {
	if l.Robust {
		return errors.New("robust access is for programs that do not say what an access out of bounds " +
			"does, as SPIR-V, and for AMD's processors, of local memory")
	}
	return nil
}

// OnlyUserData says what a launch gives that a pipeline which gets user data has
// no use for.
func (l *Launch) OnlyUserData() error {
	switch {
	case len(l.Params) > 0:
		return errors.New("the pipeline has user data, not arguments")
	case len(l.Bindings) > 0:
		return errors.New("the pipeline has user data, not bindings")
	case len(l.Push) > 0:
		return errors.New("the pipeline has user data, not push constants")
	}
	return l.noChoices()
}

// A Launched is a launch that is ready to run.
type Launched struct {
	ISA      simt.ISA
	Dispatch simt.Dispatch
	Arch     Arch
	Warnings []string // what the user should know of the module

	Aliases map[string]uint64 // names by which a user may know functions that have others
}

// PrintfBuffer is how many bytes the buffer has that kernels print to, unless
// the launch says otherwise.
const PrintfBuffer = 1 << 20

// Dims are sizes in three directions; all zero if they were not given.
type Dims [3]uint32

// Given reports whether the sizes were given.
func (d Dims) Given() bool { return d != Dims{} }

func (d Dims) String() string { return fmt.Sprintf("(%d,%d,%d)", d[0], d[1], d[2]) }

// DefaultStack is how many bytes of private memory a lane has beyond what the
// kernel states, for kernels that do not know their need: those that recurse or
// call through pointers.
const DefaultStack = 64 << 10

// GivenKind is what a launch gives for a parameter.
type GivenKind uint8

// The kinds.
const (
	GivenNothing GivenKind = iota // the parameter is hidden
	GivenBuffer
	GivenLocal
	GivenValue
)

// A Param is a parameter of the kernel with what the launch gives for it.
type Param struct {
	loader.Arg
	Index int // among the explicit ones; -1 for hidden ones

	Given  GivenKind
	Buffer *simt.Region // GivenBuffer
	Local  uint64       // GivenLocal: bytes of memory of the workgroup
	Value  []byte       // GivenValue: as it lies in memory
	Block  *simt.Region // … where it is the address of what says of an image and a sampler what they are
}

// PutUint writes a number, in little-endian order, into as many bytes as b has:
// as values and addresses lie among arguments.
func PutUint(b []byte, v uint64) {
	var whole [8]byte
	binary.LittleEndian.PutUint64(whole[:], v)
	copy(b, whole[:])
}

// A Binding is a buffer that a shader finds by numbers, or memory that only
// pointers lead to.
type Binding struct {
	Name                 string // in the module, or the launch's own; "" if numbers say which
	Numbered             bool   // Set, Number and Element say which
	Set, Number, Element uint32
	Kind                 string // "storage", "uniform", "memory"; of texel's blocks "image", "sampler"
	Region               *simt.Region
	Optional             bool // the module may have no use for it
}

// A Datum is some user data of a pipeline: one of words, the address of a
// buffer's descriptor, the address of a table, or the printf buffer's.
type Datum struct {
	Words   []byte
	Buffer  *simt.Region
	IsTable bool
	Table   []Datum
	Printf  bool
}

// A Table is a file of debug tables.
type Table struct {
	Name string
	Data []byte
}

// A Displacer is a Family whose modules can be moved to other addresses, with their symbols and debugging
// information.
type Displacer interface {
	// Displace is a module as it would be if it had been linked to begin at an address that place gives for
	// its size and alignment, and the file that it is of.
	Displace(m *loader.Module, place func(size, align uint64) (uint64, error)) (*loader.Module, error)
}

var families []Family

// RegisterFamily adds a family. Packages call it when they are initialised.
func RegisterFamily(f Family) { families = append(families, f) }

// Families are those that are registered, by name.
func Families() []Family {
	all := slices.Clone(families)
	slices.SortFunc(all, func(a, b Family) int { return strings.Compare(a.Name(), b.Name()) })
	return all
}

// Detect finds the family that a file looks like one of, or nil.
func Detect(data []byte) Family {
	for _, f := range Families() {
		if f.Detect(data) {
			return f
		}
	}
	return nil
}

// Of is the family whose module it is.
func Of(m *loader.Module) Family {
	for _, f := range Families() {
		if f.Owns(m) {
			return f
		}
	}
	return nil
}
