// Package source says where the code of a loaded module comes from: the
// function, the file and the line of an address, as the symbols and the line
// tables have it, and the text of that line where the file can be found.
//
// Entry points: [New] for a module; [Map.At] and [Map.Describe] for an
// address; [Finder] for the text.
package source

import (
	"cmp"
	"fmt"
	"path"

	"simtgdb/dwarf"
	"simtgdb/dwarf/line"
	"simtgdb/loader"
	"simtgdb/loader/cxxname"
	"simtgdb/loader/printable"
)

// Data reads the debugging information of a module; nil if it has none.
func Data(m *loader.Module) (*dwarf.Data, error) {
	s, err := m.DebugSections()
	if err != nil || s[".debug_info"] == nil {
		return nil, err
	}
	return dwarf.New(dwarf.SectionsNamed(s), dwarf.Options{})
}

// A Map finds the origin of addresses of one module.
type Map struct {
	Module *loader.Module
	Data   *dwarf.Data // nil without debugging information

	texts map[string][]byte // of files by path, that the debugging information has not
}

// New returns the map of a module. A module with broken debugging information
// has a map all the same, which knows only symbols.
func New(m *loader.Module) (*Map, error) {
	d, err := Data(m)
	if err != nil {
		err = fmt.Errorf("debugging information: %w", err)
	}
	return &Map{Module: m, Data: d}, err
}

// HasLines reports whether there is debugging information at all.
func (m *Map) HasLines() bool { return m.Data != nil && len(m.Data.Units()) > 0 }

// A Position is a place in a source file.
type Position struct {
	File    string // as the debugging information names it, without "./"
	CompDir string // the folder of compilation
	Line    uint32
	Column  uint32 // 0 if unknown
}

func (p Position) String() string { return fmt.Sprintf("%s:%d", printable.Name(p.File), p.Line) }

// At gives the position that the instruction at pc comes from, as gdb shows it: what the compiler gives no
// line belongs to the line before it, and has no column. It is false where the line table does not say.
func (m *Map) At(pc uint64) (Position, bool) {
	if m.Data == nil {
		return Position{}, false
	}
	u := m.Data.UnitAt(pc)
	if u == nil {
		return Position{}, false
	}
	t, _ := u.Lines()
	if t == nil {
		return Position{}, false
	}
	i, ok := t.Lookup(pc)
	own := i
	for ok && t.Rows[i].Line == 0 {
		if ok = i > 0 && !t.Rows[i-1].Has(line.EndSequence); ok {
			i--
		}
	}
	if !ok {
		return Position{}, false
	}
	r := t.Rows[i]
	p := Position{File: path.Clean(u.FileName(uint64(r.File))), CompDir: u.CompDir(), Line: r.Line}
	if i == own {
		p.Column = r.Column
	}
	return p, true
}

// A Statement is what the line table says of an instruction.
type Statement struct {
	File, Line uint32 // of the unit; no line: the instruction is the compiler's own
	Begins     bool   // a statement is recommended to begin here
}

// StatementAt gives the statement that the instruction at pc belongs to. It is false
// where the line table does not say.
func (m *Map) StatementAt(pc uint64) (Statement, bool) {
	if m.Data == nil {
		return Statement{}, false
	}
	u := m.Data.UnitAt(pc)
	if u == nil {
		return Statement{}, false
	}
	t, _ := u.Lines()
	if t == nil {
		return Statement{}, false
	}
	i, ok := t.Lookup(pc)
	if !ok {
		return Statement{}, false
	}
	r := t.Rows[i]
	return Statement{r.File, r.Line, r.Addr == pc && r.Line != 0 && r.Has(line.IsStmt)}, true
}

// Function gives the name of the function at pc and how far into it pc is.
// The name is the source's where debugging information has it, else what the
// symbol means, or the symbol's.
func (m *Map) Function(pc uint64) (name string, offset uint64, ok bool) {
	sym, offset, ok := m.Module.SymbolAt(pc)
	if !ok {
		return "", 0, false
	}
	name = cmp.Or(meaning(sym.Name), sym.Name)
	if m.Data != nil {
		if u := m.Data.UnitAt(pc); u != nil {
			if d := u.FunctionAt(pc); d != nil && d.Name() != "" {
				name = d.Name()
			}
		}
	}
	return name, offset, true
}

// FullName gives the name of the function that begins at an address, with the namespaces and classes that it
// is in, as C++ writes them: "linear::solver::step<float>". Where debugging information has none it is what
// the symbol means, if that is one of C++, or "".
func (m *Map) FullName(entry uint64) string {
	if name := m.writtenName(entry); name != "" {
		return name
	}
	if sym, offset, ok := m.Module.SymbolAt(entry); ok && offset == 0 {
		return meaning(sym.Name)
	}
	return ""
}

// meaning is what a symbol of C++ means, without parameters; "" for others.
func meaning(symbol string) string {
	n, _ := cxxname.Parse(symbol)
	return n.Qualified
}

// writtenName is the name by debugging information.
func (m *Map) writtenName(entry uint64) string {
	if m.Data == nil {
		return ""
	}
	u := m.Data.UnitAt(entry)
	if u == nil {
		return ""
	}
	f := u.FunctionAt(entry)
	if f == nil || f.Name() == "" {
		return ""
	}
	name := f.Name()
	for d := f.Origin().Parent; d != nil; d = d.Parent {
		switch outer := d.Name(); {
		case !scopes[d.Tag]:
		case outer == "":
			name = "(anonymous namespace)::" + name
		default:
			name = outer + "::" + name
		}
	}
	return name
}

// scopes are the entries whose names come before those of what they have.
var scopes = map[dwarf.Tag]bool{dwarf.TagNamespace: true, dwarf.TagStructureType: true,
	dwarf.TagClassType: true, dwarf.TagUnionType: true}

// Describe writes an address for a reader: "0x1b40 in saxpy+0x140
// (saxpy.hip:12)", with as much of it as is known.
func (m *Map) Describe(pc uint64) string {
	s := fmt.Sprintf("%#x", pc)
	if name, offset, ok := m.Function(pc); ok {
		s += " in " + printable.Name(name)
		if offset != 0 {
			s += fmt.Sprintf("+%#x", offset)
		}
	}
	if p, ok := m.At(pc); ok {
		s += fmt.Sprintf(" (%v)", p)
	}
	return s
}

// Parameters gives the names of the parameters of the function that begins at
// an address, in order; "" for those without a name.
func (m *Map) Parameters(entry uint64) []string {
	var names []string
	for _, p := range m.parameters(entry) {
		names = append(names, p.Name())
	}
	return names
}

// ParameterTypes gives the types of the parameters of the function that begins at an address, in order, as
// the source has them; nil for those without one.
func (m *Map) ParameterTypes(entry uint64) []*dwarf.DIE {
	var all []*dwarf.DIE
	for _, p := range m.parameters(entry) {
		all = append(all, p.TypeDIE())
	}
	return all
}

// parameters are the entries of the parameters of the function that begins at an address.
func (m *Map) parameters(entry uint64) []*dwarf.DIE {
	if m.Data == nil {
		return nil
	}
	u := m.Data.UnitAt(entry)
	if u == nil {
		return nil
	}
	f := u.FunctionAt(entry)
	if f == nil {
		return nil
	}
	var all []*dwarf.DIE
	for _, c := range f.Children {
		if c.Tag == dwarf.TagFormalParameter {
			all = append(all, c)
		}
	}
	return all
}
