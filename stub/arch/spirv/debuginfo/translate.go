package debuginfo

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"simtgdb/dwarf"
	"simtgdb/dwarf/line"
	"simtgdb/loader/spirv"
)

// CompDir is the folder that sources with relative names are said to be in.
const CompDir = "/spirv"

// Producer is what units are said to be made by.
const Producer = "simtgdb (from SPIR-V debug instructions)"

// A translator makes the one unit of a module.
type translator struct {
	m     *spirv.Module
	debug map[uint32]*dinst
	list  []*dinst
	root  *dwarf.DIE
	lines *line.Table

	files   map[string]uint32
	types   map[typeKey]*dwarf.DIE
	synths  map[uint32]*spirv.Type
	special []uint32 // SpecialisedCounts
	tables  []Table

	abstracts    map[uint32]*dwarf.DIE // by DebugFunction
	declarations map[uint32]*dwarf.DIE
	namespaces   map[uint32]*dwarf.DIE
	templates    map[uint32][]uint32 // parameters by target
	subprograms  map[uint32]*dwarf.DIE
	members      map[uint32]*dwarf.DIE // static members by DebugTypeMember
	globals      map[uint32]*dwarf.DIE
	depth        int
}

// Sections makes the debug sections of a module that is loaded at spirv.Base, by the names they have in an
// object. There are none for a module that has nothing to say of its source.
func Sections(m *spirv.Module) (map[string][]byte, error) {
	t := &translator{m: m, debug: map[uint32]*dinst{}, files: map[string]uint32{},
		types:  map[typeKey]*dwarf.DIE{},
		synths: map[uint32]*spirv.Type{}, abstracts: map[uint32]*dwarf.DIE{},
		declarations: map[uint32]*dwarf.DIE{},
		namespaces:   map[uint32]*dwarf.DIE{}, templates: map[uint32][]uint32{},
		subprograms: map[uint32]*dwarf.DIE{},
		members:     map[uint32]*dwarf.DIE{}, globals: map[uint32]*dwarf.DIE{}}
	t.collect()
	t.special, t.tables = SpecialisedCounts(m), Tables(m)
	if len(t.list) == 0 && len(m.Names) == 0 && len(Sources(m)) == 0 {
		return nil, nil
	}
	t.unit()
	for _, d := range t.list {
		if d.number == dTypeTemplate {
			t.templates[d.arg(0)] = d.args[min(1, len(d.args)):]
		}
	}
	for _, f := range m.Functions {
		if f.Body && !t.forwards(f) {
			t.translateFunction(f)
		}
	}
	t.globalVariables()
	t.rest()
	return dwarf.Write([]*dwarf.OutUnit{{Version: 5, AddrSize: 8, Root: t.root, Lines: t.lines,
		Macros: t.macros()}},
		dwarf.WriteOptions{})
}

// forwards reports whether a function is an entry point that runs another in its place.
func (t *translator) forwards(f *spirv.Function) bool {
	for _, e := range t.m.Entries {
		if e.Function == f.ID && t.m.EntryFunction(e) != f {
			return true
		}
	}
	return false
}

// cPlusPlus are the source languages (SPIR-V, section 3.2) that are C++, whose classes are scopes of names to
// gdb. All else is C to it, which is closest to how its values are to read.
var cPlusPlus = map[uint64]bool{4: true, 6: true, 7: true} // OpenCL C++, C++ for OpenCL, SYCL

// unit begins the unit and its line table.
func (t *translator) unit() {
	h := line.NewHeader(5, 1)
	h.Dirs = []string{CompDir}
	t.lines = &line.Table{Header: h}
	name, producer, language := "", Producer, uint64(dwarf.LangC99)
	for _, d := range t.list {
		switch d.number {
		case dCompilationUnit:
			if name == "" {
				name = t.str(t.get(d.arg(2), dSource), 0)
			}
			if cPlusPlus[t.num(d, 3)] {
				language = dwarf.LangCPlusPlus14
			}
		case dEntryPoint:
			producer = strings.TrimSpace(t.str(d, 2) + " " + t.str(d, 3))
		}
	}
	sources := Sources(t.m)
	if name == "" && len(sources) > 0 {
		name = sources[0].Name
	}
	if name == "" {
		name = "module.spvasm"
	}
	t.file(name)
	for _, s := range sources {
		n := t.file(s.Name)
		t.lines.Files[n].Source = []byte(s.Text)
		t.lines.Has.Source = t.lines.Has.Source || s.Text != ""
	}
	low, high := spirv.PC(spirv.Base, 0), spirv.PC(spirv.Base, len(t.m.Words))
	t.root = dwarf.NewDIE(dwarf.TagCompileUnit, dwarf.StringAttr(dwarf.AttrName, name),
		dwarf.StringAttr(dwarf.AttrCompDir, CompDir), dwarf.StringAttr(dwarf.AttrProducer, producer),
		dwarf.UintAttr(dwarf.AttrLanguage, language),
		dwarf.AddressAttr(dwarf.AttrLowPC, low), dwarf.UintAttr(dwarf.AttrHighPC, high-low))
}

// file is the number of a file in the line table.
func (t *translator) file(name string) uint32 {
	if name == "" && len(t.lines.Files) > 0 {
		return 0
	}
	name = cleanName(name)
	if n, ok := t.files[name]; ok {
		return n
	}
	n := uint32(len(t.lines.Files))
	t.lines.Files = append(t.lines.Files, line.File{Name: name})
	t.files[name] = n
	return n
}

// cleanName is a name as an include found it, "./a.glsl", without what does not matter.
func cleanName(name string) string {
	if name == "" {
		return name
	}
	return path.Clean(strings.ReplaceAll(name, `\`, "/"))
}

// source is the number of the file of a DebugSource.
func (t *translator) source(id uint32) uint32 { return t.file(t.str(t.get(id, dSource), 0)) }

// A Source is a file of a module's source, with its text if the module has it.
type Source struct{ Name, Text string }

// Sources are the files that a module names, each once.
func Sources(m *spirv.Module) []Source {
	var out []Source
	add := func(name, text string) *Source {
		name = cleanName(name)
		for i := range out {
			if out[i].Name == name {
				if out[i].Text == "" {
					out[i].Text = text
				}
				return &out[i]
			}
		}
		out = append(out, Source{name, text})
		return &out[len(out)-1]
	}
	var last *Source
	for i := range m.Insts {
		in := &m.Insts[i]
		switch d := debugInst(m, i); {
		case d != nil && d.number == dSource:
			text := m.Strings[d.arg(1)]
			if d.opencl && strings.HasPrefix(text, "//__CSK_MD5:") {
				text = ""
			}
			last = add(m.Strings[d.arg(0)], text)
		case d != nil && d.number == dSourceContinued && last != nil:
			last.Text += m.Strings[d.arg(0)]
		case in.Op == spirv.OpSource && len(in.Args) >= 3 && m.Strings[in.Args[2]] != "":
			last = add(m.Strings[in.Args[2]], literal(in.Args[3:]))
		case in.Op == spirv.OpSourceContinued && last != nil:
			last.Text += literal(in.Args)
		case in.Op == spirv.OpLine && len(in.Args) > 0 && m.Strings[in.Args[0]] != "":
			add(m.Strings[in.Args[0]], "")
		}
	}
	for i := range out {
		out[i].Text = cutPreamble(out[i].Text)
	}
	return slices.DeleteFunc(out, func(s Source) bool { return s.Name == "" })
}

// cutPreamble drops what glslang puts before a text for old targets: comments of options and "#line 1", which
// line numbers do not count.
func cutPreamble(text string) string {
	const mark = "#line 1\n"
	i := strings.Index(text, mark)
	if i < 0 {
		return text
	}
	for _, l := range strings.Split(strings.TrimSuffix(text[:i], "\n"), "\n") {
		if l != "" && !strings.HasPrefix(l, "//") {
			return text
		}
	}
	return text[i+len(mark):]
}

// literal reads the string that words hold.
func literal(words []uint32) string {
	var b []byte
	for _, w := range words {
		for range 4 {
			if byte(w) == 0 {
				return string(b)
			}
			b = append(b, byte(w))
			w >>= 8
		}
	}
	return string(b)
}

// place adds where in the source something was declared.
func (t *translator) place(die *dwarf.DIE, source uint32, line uint64) {
	if line == 0 {
		return
	}
	die.Set(dwarf.UintAttr(dwarf.AttrDeclFile, uint64(t.source(source))))
	die.Set(dwarf.UintAttr(dwarf.AttrDeclLine, line))
}

// scopeDIE is the entry that a scope outside of functions is: a namespace, a struct, or the unit.
func (t *translator) scopeDIE(id uint32) *dwarf.DIE {
	d := t.debug[id]
	if d == nil || t.depth > 64 {
		return t.root
	}
	if d.number == dTypeComposite {
		return t.typeDIE(id, nil, layout{})
	}
	if d.number != dLexicalBlock || len(d.args) < 5 || t.function(id) != nil {
		return t.root
	}
	if die := t.namespaces[id]; die != nil {
		return die
	}
	die := dwarf.NewDIE(dwarf.TagNamespace)
	t.namespaces[id] = die
	if name := t.str(d, 4); name != "" {
		die.Set(dwarf.StringAttr(dwarf.AttrName, name))
	}
	t.place(die, d.arg(0), t.num(d, 1))
	t.depth++
	t.scopeDIE(d.arg(3)).Add(die)
	t.depth--
	return die
}

// rest makes the entries that nothing else leads to.
func (t *translator) rest() {
	for _, d := range t.list {
		switch d.number {
		case dImportedEntity:
			t.imported(d)
		case dFunctionDeclaration:
			t.declaration(d.id)
		case dFunction:
			if t.subprograms[d.id] == nil && t.abstracts[d.id] == nil {
				t.abstract(d.id)
			}
		case dTypeComposite, dTypeEnum, dTypedef:
			t.typeDIE(d.id, nil, layout{})
		}
	}
}

// imported makes a using-directive or -declaration.
func (t *translator) imported(d *dinst) {
	tag := dwarf.TagImportedModule
	if t.num(d, 1) == 1 {
		tag = dwarf.TagImportedDeclaration
	}
	target := t.namespaces[d.arg(3)]
	switch e := t.debug[d.arg(3)]; {
	case e == nil:
	case e.number == dLexicalBlock:
		target = t.scopeDIE(e.id)
	case e.number == dGlobalVariable:
		target = t.globals[e.id]
	case e.number == dFunction:
		if target = t.subprograms[e.id]; target == nil {
			target = t.abstract(e.id)
		}
	default:
		if isType(e.number) {
			target = t.typeDIE(e.id, nil, layout{})
		}
	}
	if target == nil {
		return
	}
	die := dwarf.NewDIE(tag, dwarf.RefAttr(dwarf.AttrImport, target))
	if name := t.str(d, 0); name != "" {
		die.Set(dwarf.StringAttr(dwarf.AttrName, name))
	}
	t.place(die, d.arg(2), t.num(d, 4))
	t.scopeDIE(d.arg(6)).Add(die)
}

func isType(number uint32) bool {
	return number >= dTypeBasic && number <= dTypePtrToMember && number != dTypeMember &&
		number != dTypeInheritance ||
		number == dTypeMatrix || number == dTypeTemplate
}

// idName is a name for what has none.
func idName(id uint32) string { return fmt.Sprintf("id%d", id) }
