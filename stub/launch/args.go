package launch

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"simtgdb/loader"
	"simtgdb/loader/printable"
	"simtgdb/simt"
	"simtgdb/stub/arch"
)

// A parameter is an argument as the kernel declares it, with what the launch
// gives for it.
type parameter struct {
	loader.Arg
	index    int         // among the explicit ones
	given    *Arg        // nil for hidden ones
	declared declaration // its type, as far as it is known
}

// param is the parameter as the family wants it, but for its buffer.
func (p *parameter) param() arch.Param {
	q := arch.Param{Arg: p.Arg, Index: p.index}
	if p.given == nil {
		return q
	}
	switch p.given.Kind {
	case BufferArg:
		q.Given = arch.GivenBuffer
	case LocalArg:
		q.Given, q.Local = arch.GivenLocal, p.given.Local
	default:
		q.Given, q.Value = arch.GivenValue, p.given.Value
	}
	return q
}

// name names the parameter for a reader.
func (p *parameter) name() string {
	if p.Name == "" {
		return fmt.Sprintf("argument %d", p.index)
	}
	return fmt.Sprintf("argument %d (%s)", p.index, printable.Name(p.Name))
}

// passing says how a kind of argument is passed: what a launch may give for it
// and how to say so.
type passing struct {
	wants string
	ok    func(a *Arg) bool
}

func isAddress(a *Arg) bool { return a.Type == "u64" || a.Type == "i64" || a.Type == bytesType }

// passings are the kinds that a launch can give. A pointer may also be an
// address.
var passings = map[loader.ValueKind]passing{
	loader.ByValue: {"a value", func(a *Arg) bool { return a.Kind == ValueArg || a.Kind == ImageArg }},
	loader.GlobalBuffer: {"a buffer", func(a *Arg) bool {
		return a.Kind == BufferArg || a.Kind == ImageArg || a.Kind == ValueArg && isAddress(a)
	}},
	loader.Image: {"an image", func(a *Arg) bool {
		return a.Kind == ImageArg || a.Kind == ValueArg && isAddress(a)
	}},
	loader.Sampler: {"a sampler, as u64:0x12",
		func(a *Arg) bool { return a.Kind == ValueArg && isAddress(a) }},
	loader.DynamicSharedPointer: {"local", func(a *Arg) bool { return a.Kind == LocalArg }},
}

// typed reports whether the launch says of what type the argument is, or the kernel has to.
func (a Arg) typed() bool {
	return a.Kind == BufferArg || a.Kind == PlainArg ||
		a.Kind == ValueArg && (elementTypes[a.Type] != nil || a.Type == structType)
}

// size is how many bytes an argument takes in the kernarg segment.
func (a *Arg) size() uint64 {
	switch a.Kind {
	case BufferArg, ImageArg:
		return 8
	case LocalArg:
		return 4
	}
	return uint64(len(a.Value))
}

// wants says what the kernel wants to be given for a parameter.
func (p *parameter) wants() string {
	what := "an argument of kind " + printable.Name(string(p.Kind))
	if how, ok := passings[p.Kind]; ok {
		what = how.wants
	}
	if p.Kind == loader.ByValue {
		what += " of " + count(int(p.Size), "byte")
	}
	if p.MayPoint {
		what += " or a buffer"
	}
	if spelling := cmp.Or(p.declared.spelling, p.TypeName); spelling != "" {
		what += fmt.Sprintf(" (%s)", printable.Name(spelling))
	}
	if example := structureExample(p.declared.written); p.Kind == loader.ByValue && example != "" {
		what += ", as " + example
	}
	return what
}

// parameters joins the kernel's parameters with the launch's arguments.
func (p *Program) parameters() ([]parameter, error) {
	return p.parametersOf(p.Source.Parameters(p.Kernel.Entry))
}

// parametersToRun is parameters for a launch that is to run. The names that debugging information alone has
// are read where they can be told of: in an error, with images, or with buffers and typed values.
func (p *Program) parametersToRun() ([]parameter, error) {
	told := slices.ContainsFunc(p.args, func(a Arg) bool { return a.typed() || a.Kind == ImageArg }) ||
		slices.ContainsFunc(p.Kernel.Args, func(a loader.Arg) bool { return a.Kind == loader.Image })
	if !told {
		if params, err := p.parametersOf(nil); err == nil {
			return params, nil
		}
	}
	return p.parameters()
}

// parametersOf is parameters, with names for those that the module does not name.
func (p *Program) parametersOf(names []string) ([]parameter, error) {
	given := p.args
	if p.Kernel.UndeclaredArgs {
		return p.undeclared(given)
	}
	names = parameterNames(p.Kernel, names)
	declared := make([]declaration, len(names))
	if len(given) != len(names) || slices.ContainsFunc(given, Arg.typed) {
		declared = declarations(p.Source, p.Kernel)
	}
	params := make([]parameter, 0, len(p.Kernel.Args))
	n := 0
	for _, a := range p.Kernel.Args {
		param := parameter{Arg: a, index: -1}
		if !a.Hidden {
			param.index = n
			param.Name, param.declared = names[n], declared[n]
			if n < len(given) {
				param.given = &given[n]
				if given[n].Kind == PlainArg {
					if made, _ := param.number(); made != nil { // else checkArguments says why
						param.given = made
					}
				}
				if given[n].Type == structType && declared[n].written != nil {
					param.given = laidOut(&given[n], declared[n].written, a.Size)
				}
			}
			n++
		}
		params = append(params, param)
	}
	return params, p.checkArguments(params, n, given)
}

// undeclared lays out arguments for a kernel without metadata: one after the
// other, each aligned to its size.
func (p *Program) undeclared(given []Arg) ([]parameter, error) {
	var params []parameter
	at := uint64(0)
	for i := range given {
		a := &given[i]
		if a.Kind == PlainArg {
			return nil, fmt.Errorf("argument %d is given as %s, and the file says nothing of parameters: "+
				"give its type, as i32:%s",
				i, a.Plain, a.Plain)
		}
		size := a.size()
		align := uint64(1)
		for align < size && align < 8 {
			align *= 2
		}
		at = (at + align - 1) &^ (align - 1)
		kind := loader.ByValue
		switch a.Kind {
		case BufferArg:
			kind = loader.GlobalBuffer
		case LocalArg:
			kind = loader.DynamicSharedPointer
		}
		params = append(params, parameter{Arg: loader.Arg{Offset: at, Size: size, Kind: kind}, index: i,
			given: a})
		at += size
	}
	if limit := p.Kernel.ArgSize; limit != 0 && at > limit {
		return nil, fmt.Errorf("the arguments have %d bytes, the kernel's descriptor says %d", at, limit)
	}
	return params, nil
}

// An ArgumentError says that the launch's arguments are not the kernel's.
type ArgumentError struct {
	What  string   // what is wrong
	Wants []string // what the kernel wants, for each argument
	Else  string   // what it has in their place
}

func (e *ArgumentError) Error() string {
	if len(e.Wants) == 0 {
		return e.What + "; the kernel wants none" + e.Else
	}
	return fmt.Sprintf("%s; the kernel wants: %s", e.What, strings.Join(e.Wants, ", "))
}

// checkArguments holds the arguments, of which the kernel wants n, against the
// metadata.
func (p *Program) checkArguments(params []parameter, n int, given []Arg) error {
	fail := func(format string, args ...any) error {
		e := &ArgumentError{What: fmt.Sprintf(format, args...)}
		if len(params) == 0 {
			e.Else = p.unlisted()
		}
		for i := range params {
			if q := &params[i]; !q.Hidden {
				label := fmt.Sprint(q.index)
				if q.Name != "" {
					label += " " + printable.Name(q.Name)
				}
				e.Wants = append(e.Wants, label+": "+q.wants())
			}
		}
		return e
	}
	if len(given) != n {
		return fail("%s given, %d wanted", count(len(given), "argument"), n)
	}
	for i := range params {
		q := &params[i]
		if q.Hidden {
			continue
		}
		how, ok := passings[q.Kind]
		if q.MayPoint && q.given.Kind == BufferArg {
			continue
		}
		if q.given.Kind == PlainArg {
			_, refused := q.number()
			return fail("%s", refused)
		}
		raw := q.given.Kind == ValueArg && q.given.Type == bytesType // whatever the kind
		switch {
		case !ok && !raw, ok && !how.ok(q.given):
			return fail("%s is %s, not %s", q.name(), q.given.describe(), q.wants())
		case q.given.Kind != LocalArg && q.given.size() != q.Size:
			if q.given.Type == structType || raw { // which say their size
				return fail("%s is %s, not %d", q.name(), q.given.describe(), q.Size)
			}
			return fail("%s is %s with %s, not %d", q.name(), q.given.describe(),
				count(int(q.given.size()), "byte"), q.Size)
		}
		if refused, _ := q.judge(); refused != "" {
			return fail("%s", refused)
		}
	}
	return nil
}

// unlisted says what a kernel without a list of arguments is given in its place.
func (p *Program) unlisted() string {
	const most = 4
	d, ok := p.family.(arch.Describer)
	if !ok {
		return ""
	}
	needs := d.Needs(p.Module, p.Kernel)
	var flags []string
	for _, b := range needs.Bindings[:min(len(needs.Bindings), most)] {
		flags = append(flags, b.Flag())
	}
	text := ""
	if flags != nil {
		text = ": what a shader works on are bindings, as " + strings.Join(flags, " ")
	}
	if len(needs.Push) > 0 {
		text += fmt.Sprintf("; push constants are given %s", pushExample(needs.Push))
	}
	return text
}

// allocateBuffers makes the buffers and reads what is expected of them.
func (p *Program) allocateBuffers(params []parameter) ([]arch.Param, error) {
	all := make([]arch.Param, 0, len(params))
	for i := range params {
		q := &params[i]
		all = append(all, q.param())
		if q.given == nil || q.given.Kind != BufferArg && q.given.Kind != ImageArg {
			continue
		}
		_, describes := p.family.(arch.ImageDescriber)
		pointer := q.Kind == loader.GlobalBuffer && q.given.Kind == ImageArg
		if pointer && (!describes || !p.mayBeImage(q.index)) {
			return nil, fmt.Errorf("%s is a buffer, and is given an image", q.name())
		}
		r, err := p.allocate(q.name(), q.index, &q.given.Buffer,
			wanted{q.given.Expect, q.given.Out, q.given.Print})
		if err != nil {
			return nil, err
		}
		if q.given.Kind == ImageArg {
			block, err := p.block("image of "+q.name(), q.given.Image, r)
			if err != nil {
				return nil, err
			}
			all[i].Value, all[i].Block = binary.LittleEndian.AppendUint64(nil, block.Base), block
			continue
		}
		all[i].Buffer = r
	}
	return all, nil
}

// mayBeImage reports whether an argument that is a pointer may stand for an image: it does not point to
// numbers, as far as is known.
func (p *Program) mayBeImage(explicit int) bool {
	all := declarations(p.Source, p.Kernel)
	return explicit >= len(all) || all[explicit].element == ""
}

// wanted is what is to be done with a buffer in the end.
type wanted struct {
	expect *Expect
	out    *File
	print  *Printout
}

// allocate makes a buffer, fills it and reads what is expected of it.
func (p *Program) allocate(name string, index int, spec *BufferSpec, want wanted) (*simt.Region, error) {
	return p.allocateAt(0, name, index, spec, want)
}

// allocateAt is allocate at an address, or, if that is 0, anywhere.
func (p *Program) allocateAt(addr uint64, name string, index int, spec *BufferSpec,
	want wanted) (*simt.Region, error) {
	total := spec.size()
	for i := range p.Buffers {
		total += p.Buffers[i].Spec.size()
	}
	if total > maxBuffers {
		return nil, fmt.Errorf("the buffers have more than %d bytes together", uint64(maxBuffers))
	}
	var r *simt.Region
	var err error
	if addr == 0 {
		r, err = p.Memory.Alloc(name, spec.size(), simt.PermRead|simt.PermWrite)
	} else {
		r, err = p.Memory.Map(name, addr, make([]byte, max(spec.size(), 1)), simt.PermRead|simt.PermWrite)
	}
	if err != nil {
		return nil, err
	}
	if err := spec.fill(r.Data); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	b := Buffer{Arg: index, Name: name, Spec: spec, Region: r, wanted: want}
	if b.expect != nil {
		b.want = make([]byte, spec.size())
		if err := readExactly(b.expect.File, spec, b.want); err != nil {
			return nil, fmt.Errorf("%s: expectation: %w", name, err)
		}
	}
	if out := want.out; out != nil { // said now rather than when a long run has ended
		folder := filepath.Dir(out.Path)
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("%s: cannot be saved to %s: there is no folder %s", name,
				printable.Name(out.Path), printable.Name(folder))
		}
	}
	p.Buffers = append(p.Buffers, b)
	return r, nil
}
