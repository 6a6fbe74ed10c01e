package launch

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"simtgdb/stub/arch"
	"strconv"
	"strings"
)

// A Spec says what to launch. It is what a launch file and the flags say;
// nothing in it has been held against a code object yet.
type Spec struct {
	CodeObject File
	Target     string // an offload bundle's entry to take: "gfx90a"; "" for the one that can be simulated
	Kernel     string // "" if the code object has only one
	Grid       Dims   // work-items in all
	Block      Dims   // work-items per workgroup
	Offset     Dims   // what global ids begin with
	WorkDim    int    // dimensions that the host names, 1 to 3; 0 for those that Grid needs
	Args       []Arg
	LDS        uint64 // bytes of LDS beyond what the kernel states: HIP's extern __shared__
	// Stack is how many bytes of private memory a lane has beyond what the
	// kernel states; nil for DefaultStack where the kernel needs any.
	Stack *uint64
	// PrintfBuffer is how many bytes the buffer has that kernels print to; 0 for
	// as many as the vendor's runtime makes.
	PrintfBuffer uint64
	// Together says that all workgroups run at once: they may wait for each other, as those of a
	// cooperative launch do.
	Together bool

	Groups     Dims // workgroups, in the place of Grid
	Cluster    Dims // workgroups of a cluster
	Subgroup   int  // lanes that a wave is to have; 0 for what the family prefers
	Robust     bool // accesses outside of a buffer read 0 and write nothing
	Contract   bool // products that are added are not rounded by themselves
	FilterBits int  // of fraction that weights between texels have; 0 for all
	Constants  []arch.Constant
	Push       []byte
	PushNamed  []NamedValue // in the place of Push, at the offsets that the module says
	PushFile   File         // in the place of Push
	Bindings   []BindingSpec
	Pointers   []PointerSpec
	UserData   []UserDatum
	VisaTables []File

	Memory  []MemorySpec
	Symbols []SymbolSpec
	Before  []Spec // launches that run before, of which only kernel, sizes and arguments count

	// Compile, if not nil, is what makes an object of CodeObject before that is read.
	Compile func(f File, target string) (File, error)

	results []result // what flags want done with buffers in the end, until the code object is read
}

// Dims are sizes in three directions; all zero if they were not given.
type Dims = arch.Dims

// ArgKind is the kind of an argument.
type ArgKind uint8

// The kinds of argument.
const (
	BufferArg ArgKind = iota // a pointer to global memory
	LocalArg                 // a pointer to LDS
	ValueArg                 // a number or raw bytes
	MemoryArg                // an address in memory that has a name
	ImageArg                 // a texture or a surface: the address of an image's block
	PlainArg                 // numbers of the type that the kernel declares
)

// An Arg is an explicit argument of the kernel.
type Arg struct {
	Name   string // of the kernel's parameter; "" for the next one that none is given for by name
	Kind   ArgKind
	Buffer BufferSpec // BufferArg, and the texels of ImageArg
	Image  *ImageSpec // ImageArg
	Local  uint64     // LocalArg: bytes
	Type   string     // ValueArg: the type of the numbers, bytesType, or structType
	Value  []byte     // ValueArg: as it lies in the kernel's arguments
	Fields []Field    // of a structure
	Place  Place      // MemoryArg
	Plain  string     // PlainArg: the numbers as they are written, with commas between them

	Expect *Expect   // BufferArg, ImageArg: what the buffer must hold in the end
	Out    *File     // … where to save the buffer in the end
	Print  *Printout // … how to show the buffer in the end, nil for not at all
}

// A Field is a number of a structure that is given: its element type, and where in the structure it is.
type Field struct {
	Type string
	At   int
}

// A BufferSpec says how big a buffer is and what it holds at first.
type BufferSpec struct {
	Type  string // of the elements
	Count uint64
	Init  Init
}

// An Expect is the contents that a buffer must have after the run, and how far
// off an element may be: |got-want| <= Abs + Rel*|want|. Without tolerance all
// bits must be the same, but that any NaN will do for a NaN.
type Expect struct {
	File     File
	Abs, Rel float64
}

// Exact tells whether no tolerance is given.
func (e *Expect) Exact() bool { return e.Abs == 0 && e.Rel == 0 }

// Bounds on what a launch may ask for.
const (
	maxArgs    = 4096
	maxValue   = 64 << 10 // bytes of one argument by value
	maxBuffers = 4 << 30  // bytes of all buffers together
	maxListed  = 1 << 20  // elements that a launch file lists
)

// describe says in a few words what the argument is.
func (a *Arg) describe() string {
	switch a.Kind {
	case BufferArg:
		return fmt.Sprintf("a buffer of %s[%d]", a.Buffer.Type, a.Buffer.Count)
	case LocalArg:
		return fmt.Sprintf("local:%d", a.Local)
	case MemoryArg:
		return fmt.Sprintf("memory %q", a.Place.Name)
	case ImageArg:
		return "an image of " + a.Image.Format
	case PlainArg:
		return "the number " + a.Plain
	}
	switch a.Type {
	case bytesType:
		return count(len(a.Value), "raw byte")
	case structType:
		return fmt.Sprintf("a structure of %s", count(len(a.Value), "byte"))
	}
	if n := len(a.Value) / elementTypes[a.Type].size; n > 1 {
		return fmt.Sprintf("%s[%d]", a.Type, n)
	}
	return a.Type
}

// Types of arguments that are not numbers of one type.
const (
	bytesType  = "bytes" // raw bytes
	structType = "struct"
)

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// size is how many bytes the buffer has.
func (b *BufferSpec) size() uint64 { return b.Count * uint64(elementTypes[b.Type].size) }

// makeBuffer checks the parts of a buffer. Without a count, n is nil, it has as many elements as are listed.
// beside finds the file that a name means.
func makeBuffer(typ string, n *uint64, init string, beside func(string) File) (b BufferSpec, err error) {
	t := elementTypes[typ]
	if t == nil {
		return b, fmt.Errorf("unknown element type %q; the types are %s", typ, elementTypeNames)
	}
	b.Type = typ
	if b.Init, err = parseInit(init, t, beside); err != nil {
		return b, err
	}
	listed := uint64(len(b.Init.List) / t.size)
	switch {
	case n != nil:
		b.Count = *n
	case b.Init.Kind != InitList:
		return b, fmt.Errorf("%s[] does not say how many elements there are, and %q does not list them", typ,
			init)
	default:
		b.Count = listed
	}
	switch {
	case b.Count > maxBuffers/uint64(t.size):
		return b, fmt.Errorf("%s[%d] has more than %d bytes", typ, b.Count, uint64(maxBuffers))
	case listed > b.Count:
		return b, fmt.Errorf("%s for %s[%d]", count(int(listed), "value"), typ, b.Count)
	}
	return b, nil
}

// makeValue is the argument of a number's type, or of raw bytes.
func makeValue(typ, text string) (Arg, error) {
	a := Arg{Kind: ValueArg, Type: typ}
	if typ == bytesType {
		v, err := hex.DecodeString(text)
		switch {
		case err != nil:
			return a, fmt.Errorf("bytes: want pairs of hexadecimal digits: %w", err)
		case len(v) > maxValue:
			return a, fmt.Errorf("bytes: %d are too many, at most %d", len(v), maxValue)
		}
		a.Value = v
		return a, nil
	}
	var err error
	a.Value, err = parseList(text, elementTypes[typ])
	if err == nil && len(a.Value) > maxValue {
		err = fmt.Errorf("%d bytes are too many, at most %d", len(a.Value), maxValue)
	}
	return a, err
}

// argKinds are the words that an argument may begin with.
const argKinds = "buffer, image, local, bytes, struct, " + elementTypeNames

// bufferWord begins a buffer among arguments.
const bufferWord = "buf"

// ParseArg reads the argument syntax of the --arg flag: "5", "i32:5", "f32:1.5,2,3",
// "buf:f32[1024]=random:7", "buf:f32[]=1,2,3", "local:1024", "bytes:00ff",
// "{i32:1 f32:2}", each perhaps behind the parameter's name, as "n=i32:5".
// Files it names are the host's.
func ParseArg(text string) (a Arg, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("argument %q: %w", text, err)
		}
	}()
	name, spec, named := strings.Cut(text, "=")
	if !named || strings.ContainsAny(name, ":{") {
		return parseArg(text)
	}
	if name == "" {
		return a, errors.New("the name before = is empty")
	}
	a, err = parseArg(spec)
	a.Name = name
	return a, err
}

// parseArg is ParseArg without a name.
func parseArg(text string) (a Arg, err error) {
	if strings.HasPrefix(text, "{") {
		return parseStruct(text)
	}
	word, rest, ok := strings.Cut(text, ":")
	switch {
	case !ok && isPlain(text):
		return Arg{Kind: PlainArg, Plain: text}, nil
	case !ok:
		return a, fmt.Errorf("want a number, or KIND:VALUE, as in i32:5, f32:1.5, buf:f32[1024]=zero, " +
			"buf:i32[]=1,2,3, local:1024, bytes:00ff, {i32:1 f32:2}")
	case word == bufferWord:
		a.Kind = BufferArg
		a.Buffer, err = parseBuffer(rest)
		return a, err
	case word == imageBinding:
		a.Kind = ImageArg
		a.Image, a.Buffer, err = parseImage(rest, false)
		return a, err
	case word == "local":
		a.Kind = LocalArg
		a.Local, err = parseCount(rest)
		return a, err
	case word == bytesType || elementTypes[word] != nil:
		return makeValue(word, rest)
	}
	return a, fmt.Errorf("unknown kind %q; the kinds are buf, image, local, bytes, %s", word,
		elementTypeNames)
}

// parseBuffer reads "f32[1024]=zero"; without "=…" it is zero.
func parseBuffer(text string) (BufferSpec, error) {
	shape, init, ok := strings.Cut(text, "=")
	if !ok {
		init = "zero"
	}
	typ, n, open := strings.Cut(shape, "[")
	n, closed := strings.CutSuffix(n, "]")
	if !open || !closed {
		return BufferSpec{}, fmt.Errorf("want TYPE[COUNT]=INIT, as in f32[1024]=zero")
	}
	if n == "" {
		return makeBuffer(typ, nil, init, hostFile)
	}
	elements, err := parseCount(n)
	if err != nil {
		return BufferSpec{}, err
	}
	return makeBuffer(typ, &elements, init, hostFile)
}

func hostFile(name string) File { return File{Path: name} }

// parseCount reads a number of bytes or elements.
func parseCount(text string) (uint64, error) {
	v, err := strconv.ParseUint(text, 0, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no count", text)
	}
	return v, nil
}

// parseDims reads "X[,Y[,Z]]".
func parseDims(text string) (Dims, error) {
	parts := strings.Split(text, ",")
	if len(parts) > len(Dims{}) {
		return Dims{}, fmt.Errorf("%q has %d sizes, want one to three", text, len(parts))
	}
	sizes := make([]uint64, len(parts))
	for i, p := range parts {
		v, err := strconv.ParseUint(strings.TrimSpace(p), 0, 64)
		if err != nil {
			return Dims{}, fmt.Errorf("%q is no size; want X[,Y[,Z]]", p)
		}
		sizes[i] = v
	}
	return makeDims(sizes)
}

// makeDims fills up with ones.
func makeDims(sizes []uint64) (Dims, error) {
	d := Dims{1, 1, 1}
	if len(sizes) == 0 || len(sizes) > len(d) {
		return Dims{}, fmt.Errorf("%s, want one to three", count(len(sizes), "size"))
	}
	for i, v := range sizes {
		if v == 0 || v > math.MaxUint32 {
			return Dims{}, fmt.Errorf("size %d is not between 1 and %d", v, uint64(math.MaxUint32))
		}
		d[i] = uint32(v)
	}
	return d, nil
}
