package stub

import (
	"fmt"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
	"simtgdb/stub/cexpr"
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
	source string // the text of the file
	known  map[string]described
}

// A described variable is what the debugging information says of one at a pc.
type described struct {
	entry *dwarf.DIE
	slot  *symfile.Slot // where it is; nil if that is not known
}

// variable is the one that a name means.
func (s *scene) variable(name string) described {
	d, ok := s.known[name]
	if !ok {
		d.entry, d.slot = s.arrays.variable(s.unit, s.scopes, name, s.pc)
		s.known[name] = d
	}
	return d
}

// named is the variable that an expression begins with, which becomes this where it begins with a member of
// it.
func (s *scene) named(x *subscript.Expr) described {
	v := s.variable(x.Name)
	if v.entry != nil && v.entry.Parent.Tag != dwarf.TagCompileUnit {
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
	if s.typeNamed(name, typeTags) != nil {
		return cexpr.Type
	}
	return cexpr.Variable
}

func (s *scene) typeNamed(name string, tags []dwarf.Tag) *dwarf.DIE {
	root, err := s.unit.Root()
	if err != nil {
		return nil
	}
	return namedIn(root, name, tags...)
}

// An elementEnv is a lane at an access. It implements cexpr.Env.
type elementEnv struct {
	laneFrame
	*scene
	depth int // of macros
}

// env is a scene in the lane that a frame is of.
func (s *scene) env(f *unwind.Frame) *elementEnv {
	fs := s.arrays.frames
	return &elementEnv{scene: s, laneFrame: laneFrame{frames: fs, frame: f,
		read: func(addr uint64, p []byte) (int, error) { return fs.readFor(f, addr, p) }}}
}

// maxMacros bounds how deep macros are in one another.
const maxMacros = 8

// Variable implements cexpr.Env.
func (e *elementEnv) Variable(name string) (cexpr.Value, error) {
	v := e.variable(name)
	switch {
	case v.entry == nil:
		return e.macro(name)
	case v.slot == nil:
		if c, ok := constant(v.entry); ok {
			return c, nil
		}
		return cexpr.Value{}, errGone
	}
	return e.located(v.entry.TypeDIE(), v.slot)
}

// macro is what a name is defined as in the source file, once, as a number or something in parentheses.
func (e *elementEnv) macro(name string) (cexpr.Value, error) {
	text := subscript.Macro(e.source, name)
	if e.depth == maxMacros || text == "" || text[0] != '(' && (text[0] < '0' || text[0] > '9') {
		return cexpr.Value{}, fmt.Errorf("no variable %s here", name)
	}
	x, err := cexpr.Parse(text, e.meaning)
	if err != nil {
		return cexpr.Value{}, err
	}
	inner := *e
	inner.depth++
	return x.Eval(&inner)
}

// Static implements cexpr.Env.
func (e *elementEnv) Static(*dwarf.DIE) (cexpr.Value, error) { return cexpr.Value{}, errGone }

// Type implements cexpr.Env.
func (e *elementEnv) Type(name string, tags []dwarf.Tag) *dwarf.DIE {
	if tags == nil {
		tags = typeTags
	}
	return e.typeNamed(name, tags)
}

// Register implements cexpr.Env.
func (e *elementEnv) Register(name string) (cexpr.Value, error) {
	return cexpr.Value{}, fmt.Errorf("no register %s", name)
}
