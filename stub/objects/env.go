package objects

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
	"simtgdb/stub/cexpr"
	"simtgdb/stub/frames"
	"simtgdb/stub/names"
	"simtgdb/stub/subscript"
	"simtgdb/stub/symfile"
	"simtgdb/stub/unwind"
)

// A scene is where in a program an expression of its source stands.
type scene struct {
	arrays *arrays
	unit   *dwarf.Unit
	scopes []*dwarf.DIE
	pc     uint64
	source string // the text of the file, and of those that it includes
	known  map[string]described
	// Of a unit whose debugging information has no variables: what the source declares, and where in it this
	// is.
	declares *declarations
	at       int
	constant bool // only what is the same in all lanes has a value
}

// A described variable is what the debugging information says of one at a pc.
type described struct {
	entry *dwarf.DIE
	slot  *symfile.Slot // where it is; nil if that is not known
	// declaration is what the source says of one of which the debugging information says nothing.
	declaration *subscript.Declaration
}

// variable is the one that a name means.
func (s *scene) variable(name string) described {
	d, ok := s.known[name]
	if !ok {
		if s.declares != nil {
			d = s.sourced(name)
		} else {
			d.entry, d.slot = s.arrays.variable(s.unit, s.scopes, name, s.pc)
		}
		s.known[name] = d
	}
	return d
}

// named is the variable that an expression begins with, which becomes this where it begins with a member of
// it.
func (s *scene) named(x *subscript.Expr) described {
	v := s.variable(x.Name)
	if s.declares != nil || v.entry != nil && v.entry.Parent.Tag != dwarf.TagCompileUnit {
		return v
	}
	this := s.variable("this")
	if this.entry == nil {
		return v
	}
	class := types.Strip(this.entry.TypeDIE())
	if class == nil || class.Tag != dwarf.TagPointerType || !cexpr.HasMember(class.TypeDIE(), x.Name) {
		return v
	}
	x.Steps = append([]subscript.Step{{Kind: subscript.Arrow, Text: x.Name}}, x.Steps...)
	x.Name = "this"
	return this
}

// meaning tells types from variables.
func (s *scene) meaning(name string) cexpr.Meaning {
	if s.typeNamed(name, names.TypeTags) != nil {
		return cexpr.Type
	}
	return cexpr.Variable
}

func (s *scene) typeNamed(name string, tags []dwarf.Tag) *dwarf.DIE {
	if s.declares != nil {
		return s.record(name)
	}
	root, err := s.unit.Root()
	if err != nil {
		return nil
	}
	return names.In(root, name, tags...)
}

// An elementEnv is a lane at an access. It implements cexpr.Env.
type elementEnv struct {
	frames.Env
	*scene
	depth int // of macros
}

// env is a scene in the lane that a frame is of.
func (s *scene) env(f *unwind.Frame) *elementEnv {
	fs := s.arrays.frames
	return &elementEnv{scene: s, Env: frames.Env{Finder: fs, Frame: f,
		ReadAt: func(addr uint64, p []byte) (int, error) { return fs.ReadFor(f, addr, p) }}}
}

// maxMacros bounds how deep macros and initial values are in one another.
const maxMacros = 8

// Variable implements cexpr.Env. One that has no place and no value any more is what the source gives it at
// first, where it keeps that.
func (e *elementEnv) Variable(name string) (cexpr.Value, error) {
	if e.constant {
		return e.macro(name)
	}
	v := e.variable(name)
	switch {
	case v.entry == nil:
		return e.macro(name)
	case v.declaration != nil:
		if arg, ok := e.argument(v); ok {
			return arg, nil
		}
		return e.first(v.entry, subscript.Initial(e.source, v.declaration.Line, name))
	case v.slot == nil:
		if c, ok := frames.Constant(v.entry); ok {
			return c, nil
		}
		if arg, ok := e.launched(v.entry); ok {
			return arg, nil
		}
		return e.initial(v.entry)
	}
	x, err := e.Located(v.entry.TypeDIE(), v.slot)
	if errors.Is(err, frames.ErrGone) {
		return e.initial(v.entry)
	}
	return x, err
}

// launched is the argument that a parameter of the launched kernel has; false if the variable is none.
func (e *elementEnv) launched(d *dwarf.DIE) (cexpr.Value, bool) {
	p := e.arrays.program
	kernel, ok := e.scopes[0].LowHigh()
	if !ok || kernel.Low != p.Kernel.Entry || d.Tag != dwarf.TagFormalParameter {
		return cexpr.Value{}, false
	}
	layout := symfile.Layout{BodyNames: frames.BodyNames(p), Arguments: frames.Arguments(p)}
	d = d.Origin()
	for _, s := range e.scopes {
		if s.Origin() != d.Parent || s.Tag == dwarf.TagInlinedSubroutine && !layout.IsInlinedBody(s) {
			continue
		}
		if arg, ok := layout.Argument(d); ok && !arg.Shared {
			return cexpr.Value{Type: d.TypeDIE(), InMemory: true, Addr: arg.Addr}, true
		}
	}
	return cexpr.Value{}, false
}

// initial is the value that a variable has from its declaration on.
func (e *elementEnv) initial(d *dwarf.DIE) (cexpr.Value, error) {
	d = d.Origin()
	at, ok := declaration(d)
	text := ""
	if ok {
		text = subscript.Initial(e.arrays.text(at), at.Line, d.Name())
	}
	return e.first(d, text)
}

// first is the value of a variable that a text has as its first one, "" if there is none.
func (e *elementEnv) first(d *dwarf.DIE, text string) (cexpr.Value, error) {
	t := types.Strip(d.TypeDIE())
	switch {
	case text == "" || t == nil:
		return cexpr.Value{}, frames.ErrGone
	case t.Tag != dwarf.TagPointerType && e.Model().Size(t) < 4:
		return cexpr.Value{}, frames.ErrGone // it may be less than its initial value
	case t.Tag != dwarf.TagPointerType:
		return e.inner(text)
	}
	v, err := e.inner(subscript.Uncast(text))
	n, ok := v.Int(e)
	if _, narrow := e.Model().Narrow(t); err != nil || !ok || narrow {
		return cexpr.Value{}, frames.ErrGone
	}
	return cexpr.Value{Type: t, Data: binary.LittleEndian.AppendUint64(nil, uint64(n))}, nil
}

// macro is what a name is defined as in the source file, once, as a number, something in parentheses or where
// the work-item is.
func (e *elementEnv) macro(name string) (cexpr.Value, error) {
	text := subscript.Macro(e.source, name)
	if text == "" || strings.IndexByte("($0123456789", text[0]) < 0 {
		return cexpr.Value{}, fmt.Errorf("no variable %s here", name)
	}
	return e.inner(text)
}

// inner evaluates a text in the place of a name.
func (e *elementEnv) inner(text string) (cexpr.Value, error) {
	x, err := e.parse(text)
	if err != nil {
		return cexpr.Value{}, err
	}
	inner := *e
	if inner.depth++; inner.depth > maxMacros {
		return cexpr.Value{}, frames.ErrGone
	}
	return x.Eval(&inner)
}

// parse reads an expression of the source.
func (s *scene) parse(text string) (*cexpr.Expr, error) {
	return cexpr.Parse(subscript.Plain(text), s.meaning)
}

// Static implements cexpr.Env.
func (e *elementEnv) Static(*dwarf.DIE) (cexpr.Value, error) { return cexpr.Value{}, frames.ErrGone }

// Type implements cexpr.Env.
func (e *elementEnv) Type(name string, tags []dwarf.Tag) *dwarf.DIE {
	if tags == nil {
		tags = names.TypeTags
	}
	return e.typeNamed(name, tags)
}

// Register implements cexpr.Env: of where the work-item is, which [subscript.Plain] writes as registers.
func (e *elementEnv) Register(name string) (cexpr.Value, error) {
	of, n := name, 0
	if i := strings.LastIndexByte(name, '_'); i >= 0 {
		of, n = name[:i], int(name[len(name)-1]-'0')
	}
	id := e.Frame.Wave.WorkItem(e.Frame.Lane)
	switch {
	case n < 0 || n > 2 || of != "local_id" && of != "group_id":
		return cexpr.Value{}, fmt.Errorf("no register %s", name)
	case of == "group_id":
		id = e.Frame.Wave.Group.ID
	}
	return cexpr.Integer(64, false, uint64(id[n])), nil
}
