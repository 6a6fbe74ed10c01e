package launch

import (
	"encoding/binary"
	"fmt"
	"path"
	"strconv"
	"strings"

	"simtgdb/simt"
	"simtgdb/stub/arch"
)

// What a launch gives programs that do not have their arguments as a list:
// buffers that a shader finds by numbers or by name, push constants,
// specialisation constants, and user data of pipelines.

// A BindingSpec is a buffer that a shader finds by its numbers, or by the name
// that the module has for it, or memory that only pointers lead to.
type BindingSpec struct {
	Name                 string
	Numbered             bool // Set, Number and Element say which
	Set, Number, Element uint32
	Kind                 string // one of bindingKinds
	Buffer               BufferSpec
	Expect               *Expect
	Out                  *File
	Print                *Printout
	// Part says that it is a part of memory, of so many bytes, and may be one that the module has no use for:
	// from At on, or, if Place has a name, there. Nothing may be bound to it: then it has no bytes. It ends
	// where the memory ends.
	Part     bool
	At, Size uint64
	Place    Place
	Image    *ImageSpec // of the kinds image and sampler
}

// The kinds of binding.
const (
	storageBinding = "storage"
	uniformBinding = "uniform"
	memoryBinding  = "memory" // no binding, but memory with a name
)

const bindingKinds = storageBinding + ", " + uniformBinding + ", " + imageBinding + ", " +
	samplerBinding + ", " + memoryBinding

// label is how the binding is named on the command line and in reports.
func (b *BindingSpec) label() string {
	if !b.Numbered {
		return b.Name
	}
	text := fmt.Sprintf("%d.%d", b.Set, b.Number)
	if b.Element != 0 {
		text += fmt.Sprintf("[%d]", b.Element)
	}
	return text
}

// A PointerSpec puts the address of some memory into a buffer or the push
// constants.
type PointerSpec struct {
	In  string // "push", or the label of a binding or memory
	At  uint64 // bytes into it
	To  string // the label of a binding or memory
	Add uint64 // bytes into that
}

// pushName is PointerSpec.In for the push constants.
const pushName = "push"

// A UserDatum is one entry of a pipeline's user data.
type UserDatum struct {
	Value  []byte
	Buffer *BufferSpec // a descriptor of a buffer of its own
	Table  []UserDatum // the address of a table of entries
	Printf bool        // the address of a table with the printf buffer's descriptor
	Expect *Expect     // of Buffer after the run
}

// isTable reports whether the entry is a table, which may be empty.
func (d *UserDatum) isTable() bool { return d.Table != nil }

// Bounds on what a launch may ask for.
const (
	maxBindings  = 4096
	maxConstants = 4096
	maxPush      = 64 << 10
	maxUserDepth = 4
	maxTables    = 64 << 20 // bytes of one file of debug tables
)

// ParseBinding reads the syntax of the --binding flag, "SET.BINDING[ELEMENT]=KIND:TYPE[COUNT]=INIT" or the
// same with a name in the place of the numbers; a number alone is one of set 0. The kind may be left out, and
// is then storage, which "buf", the word of arguments, says too. An image is
// "image:FORMAT[WIDTHxHEIGHT]:linear:repeat=INIT", a sampler "sampler:linear:repeat".
func ParseBinding(text string) (b BindingSpec, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("binding %q: %w", text, err)
		}
	}()
	label, rest, ok := strings.Cut(text, "=")
	if !ok {
		return b,
			fmt.Errorf("want SET.BINDING=TYPE[COUNT]=INIT or NAME=TYPE[COUNT]=INIT, as in 0.1=f32[256]=zero")
	}
	b.setLabel(label)
	b.Kind = storageBinding
	if kind, shape, _ := strings.Cut(rest, ":"); kind == imageBinding || kind == samplerBinding {
		b.Kind = kind
		b.Image, b.Buffer, err = parseImage(shape, kind == samplerBinding)
		return b, err
	}
	kind, shape, ok := strings.Cut(rest, ":")
	switch {
	case ok && isBindingKind(kind):
		b.Kind, rest = kind, shape
	case ok && kind == bufferWord:
		rest = shape
	}
	b.Buffer, err = parseBuffer(rest)
	return b, err
}

func isBindingKind(kind string) bool {
	return kind == storageBinding || kind == uniformBinding || kind == memoryBinding
}

// setLabel reads a label: numbers if it has their form, else a name.
func (b *BindingSpec) setLabel(label string) {
	b.Name = label
	numbers, element, indexed := strings.Cut(strings.TrimSuffix(label, "]"), "[")
	set, number, ok := strings.Cut(numbers, ".")
	if !ok {
		set, number = "0", numbers
	}
	var values [3]uint32
	for i, text := range []string{set, number, element} {
		if i == 2 && !indexed {
			break
		}
		v, err := strconv.ParseUint(text, 10, 32)
		if err != nil {
			return
		}
		values[i] = uint32(v)
	}
	b.Name, b.Numbered, b.Set, b.Number, b.Element = "", true, values[0], values[1], values[2]
}

// ParseConstant reads the syntax of the --spec flag, "ID=TYPE:VALUE".
func ParseConstant(text string) (c arch.Constant, err error) {
	id, value, ok := strings.Cut(text, "=")
	typ, literal, ok2 := strings.Cut(value, ":")
	n, err := strconv.ParseUint(id, 0, 32)
	if !ok || !ok2 || err != nil {
		return c, fmt.Errorf("constant %q: want ID=TYPE:VALUE, as in 0=u32:4", text)
	}
	c.ID = uint32(n)
	if err = setConstant(&c, typ, literal); err != nil {
		return c, fmt.Errorf("constant %q: %w", text, err)
	}
	return c, nil
}

// setConstant gives a specialisation constant its value.
func setConstant(c *arch.Constant, typ, literal string) (err error) {
	if c.Value, err = typedBytes(typ, literal); typ != bytesType {
		c.Type = typ
	}
	return err
}

// typedBytes are the bytes of a number or a boolean, or raw ones.
func typedBytes(typ, literal string) ([]byte, error) {
	if typ == bytesType {
		a, err := makeValue(typ, literal)
		return a.Value, err
	}
	return constantValue(typ, literal)
}

// constantValue is a number or a boolean, which is a 32-bit 0 or 1.
func constantValue(typ, literal string) ([]byte, error) {
	if typ == "bool" {
		b, err := strconv.ParseBool(literal)
		if err != nil {
			return nil, fmt.Errorf("%q is no boolean", literal)
		}
		v := uint32(0)
		if b {
			v = 1
		}
		return binary.LittleEndian.AppendUint32(nil, v), nil
	}
	if elementTypes[typ] == nil {
		return nil, fmt.Errorf("unknown type %q; the types are bool, %s", typ, elementTypeNames)
	}
	b := make([]byte, elementTypes[typ].size)
	return b, elementTypes[typ].parse(b, literal)
}

// shader adds what the launch gives besides arguments.
func (p *Program) shader(l *arch.Launch) error {
	s := p.Spec
	l.Subgroup, l.Constants = s.Subgroup, s.Constants
	l.Robust, l.Contract = s.Robust, s.Contract
	if d, ok := p.family.(arch.Describer); ok {
		needs := d.Needs(p.Module, p.Kernel).Push
		if len(needs) > 0 && !s.hasPush() {
			return fmt.Errorf("push constants: none are given, the module has %s: give them, %s",
				pushNames(needs), pushExample(needs))
		}
		if err := s.placePush(needs); err != nil {
			return err
		}
	}
	l.Push = append([]byte(nil), s.Push...)
	if s.PushFile.Path != "" {
		push, err := s.PushFile.read(maxPush)
		if err != nil {
			return fmt.Errorf("push constants: %w", err)
		}
		l.Push = push
	}
	seen := map[string]bool{}
	for i := range s.Bindings {
		b := &s.Bindings[i]
		if label := b.label(); !b.Part && seen[label] {
			return fmt.Errorf("two bindings are %s", label)
		} else if !b.Part {
			seen[label] = true
		}
		region, err := p.bound(b, i)
		if err != nil {
			return err
		}
		l.Bindings = append(l.Bindings, arch.Binding{Name: b.Name, Numbered: b.Numbered,
			Set: b.Set, Number: b.Number, Element: b.Element, Kind: b.Kind, Region: region, Optional: b.Part})
	}
	var err error
	if l.UserData, err = p.userData("user data ", s.UserData); err != nil {
		return err
	}
	files := s.VisaTables
	if len(files) == 0 {
		files = p.tablesBeside()
	}
	for _, f := range files {
		data, err := f.read(maxTables)
		if err != nil {
			return err
		}
		l.Tables = append(l.Tables, arch.Table{Name: f.Path, Data: data})
	}
	return p.pointers(l)
}

// bound is the memory of a binding, which is its own unless it is a part of other memory.
func (p *Program) bound(b *BindingSpec, index int) (*simt.Region, error) {
	if b.Image != nil {
		var texels *simt.Region
		var err error
		if b.Kind == imageBinding {
			if texels, err = p.allocate("binding "+b.label(), index, &b.Buffer,
				wanted{b.Expect, b.Out, b.Print}); err != nil {
				return nil, err
			}
		}
		return p.block(b.Kind+" "+b.label(), b.Image, texels)
	}
	if !b.Part {
		return p.allocate("binding "+b.label(), index, &b.Buffer, wanted{b.Expect, b.Out, b.Print})
	}
	if b.Size == 0 {
		return &simt.Region{}, nil
	}
	at := b.At
	if b.Place.Name != "" {
		named := p.places[b.Place.Name]
		if named == nil {
			return nil, fmt.Errorf("binding %s: there is no memory %q", b.label(), b.Place.Name)
		}
		at = named.Base + b.Place.Add
	}
	r := p.Memory.Find(at)
	if r == nil { // freed meanwhile, perhaps: no harm as long as the kernel does not access it
		return &simt.Region{Base: at}, nil
	}
	off := at - r.Base
	end := off + min(b.Size, uint64(len(r.Data))-off)
	return &simt.Region{Name: r.Name, Base: at, Data: r.Data[off:end:end], Perm: r.Perm}, nil
}

// tablesBeside are the debug tables that lie beside the program, if its family
// has such.
func (p *Program) tablesBeside() []File {
	t, ok := p.family.(arch.Tabled)
	if !ok || p.Spec.CodeObject.Path == "" {
		return nil
	}
	for _, name := range t.TableNames(path.Base(p.Spec.CodeObject.Path)) {
		beside := p.Spec.CodeObject.beside(name)
		if data, err := beside.read(maxTables); err == nil && t.IsTable(data) {
			return []File{beside}
		}
	}
	return nil
}

// userData makes the buffers of user data.
func (p *Program) userData(name string, data []UserDatum) ([]arch.Datum, error) {
	var all []arch.Datum
	for i := range data {
		d := &data[i]
		out := arch.Datum{Words: d.Value, Printf: d.Printf, IsTable: d.isTable()}
		here := fmt.Sprintf("%s[%d]", name, i)
		var err error
		if d.Buffer != nil {
			if out.Buffer, err = p.allocate(here, i, d.Buffer, wanted{expect: d.Expect}); err != nil {
				return nil, err
			}
		}
		if out.Table, err = p.userData(here, d.Table); err != nil {
			return nil, err
		}
		all = append(all, out)
	}
	return all, nil
}

// pointers writes addresses where the launch wants them.
func (p *Program) pointers(l *arch.Launch) error {
	find := func(label string) *simt.Region {
		if r := p.places[label]; r != nil {
			return r
		}
		for i := range p.Spec.Bindings {
			if p.Spec.Bindings[i].label() == label || p.Spec.Bindings[i].Name == label {
				return l.Bindings[i].Region
			}
		}
		return nil
	}
	for i, q := range p.Spec.Pointers {
		to, in := find(q.To), l.Push
		if q.In != pushName {
			r := find(q.In)
			if r == nil {
				return fmt.Errorf("pointer %d: no binding or memory %q to put it in", i, q.In)
			}
			in = r.Data
		}
		const size = 8
		switch {
		case to == nil:
			return fmt.Errorf("pointer %d: no binding or memory %q to point to", i, q.To)
		case q.At > uint64(len(in)) || size > uint64(len(in))-q.At:
			return fmt.Errorf("pointer %d: byte %d and on of %s, which has %s", i, q.At, q.In,
				count(len(in), "byte"))
		}
		binary.LittleEndian.PutUint64(in[q.At:], to.Base+q.Add)
	}
	return nil
}
