package objects

import (
	"slices"
	"strconv"
	"strings"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
	"simtgdb/simt"
	"simtgdb/stub/cexpr"
	"simtgdb/stub/frames"
	"simtgdb/stub/names"
	"simtgdb/stub/subscript"
	"simtgdb/stub/symfile"
)

// Where debugging information has lines and no variables, as of optimised PTX, what the source declares is in
// its place: types, first values, and parameters of the kernel. Where a variable is only the machine says,
// which knows what symbol an address came from.

// declarations are what a source declares.
type declarations struct {
	source  *subscript.Source
	records map[string]*dwarf.DIE // nil for those that are not plain
}

// declarations are those of a source file.
func (a *arrays) declarations(text string) *declarations {
	d := a.declared[text]
	if d == nil {
		d = &declarations{source: subscript.Parse(text), records: map[string]*dwarf.DIE{}}
		a.declared[text] = d
	}
	return d
}

// describes reports whether a unit's debugging information has variables.
func (a *arrays) describes(u *dwarf.Unit) bool {
	if u == nil {
		return false
	}
	known, ok := a.described[u]
	if !ok {
		if root, err := u.Root(); err == nil {
			root.Walk(func(d *dwarf.DIE) bool {
				known = known || names.IsVariable(d)
				return !known
			})
		}
		a.described[u] = known
	}
	return known
}

// sourced is the variable of a name that the source declares; no entry if it has none, or of a type that is
// not plain.
func (s *scene) sourced(name string) described {
	decl, ok := s.declares.source.Variable(name, s.at)
	if !ok {
		return described{}
	}
	t := s.typeOf(decl.Base, decl.Parts, decl.Param >= 0)
	if t == nil {
		return described{}
	}
	tag := dwarf.TagVariable
	if decl.Param >= 0 {
		tag = dwarf.TagFormalParameter
	}
	return described{declaration: &decl, entry: dwarf.NewDIE(tag, dwarf.StringAttr(dwarf.AttrName, name),
		dwarf.RefAttr(dwarf.AttrType, t))}
}

// typeOf is the type that some words and parts are; nil if that is not known. Arrays that are parameters are
// pointers.
func (s *scene) typeOf(base []string, parts []subscript.Part, parameter bool) *dwarf.DIE {
	t, void := s.baseType(base)
	if t == nil && !void {
		return nil
	}
	for i := len(parts) - 1; i >= 0; i-- {
		if p := parts[i]; p.Pointer || parameter && i == 0 {
			t = dwarf.NewDIE(dwarf.TagPointerType, dwarf.UintAttr(dwarf.AttrByteSize, 8),
				dwarf.RefAttr(dwarf.AttrType, t))
			if void {
				return nil
			}
			continue
		}
		n, ok := s.count(parts[i].Count)
		if !ok || void {
			return nil
		}
		dims := []uint64{n}
		for i > 0 && !parts[i-1].Pointer && !(parameter && i == 1) {
			i--
			if n, ok = s.count(parts[i].Count); !ok {
				return nil
			}
			dims = append([]uint64{n}, dims...)
		}
		array := dwarf.NewDIE(dwarf.TagArrayType, dwarf.RefAttr(dwarf.AttrType, t))
		for _, n := range dims {
			array.Add(dwarf.NewDIE(dwarf.TagSubrangeType, dwarf.UintAttr(dwarf.AttrCount, n)))
		}
		t = array
	}
	if void {
		return nil
	}
	return t
}

// baseType is the type that some words name.
func (s *scene) baseType(words []string) (t *dwarf.DIE, void bool) {
	if len(words) == 1 && words[0] == "void" {
		return nil, true
	}
	if len(words) == 2 && slices.Contains([]string{"struct", "union", "class"}, words[0]) {
		return s.record(words[1]), false
	}
	if t = cexpr.Named(words); t == nil && len(words) == 1 {
		t = s.record(words[0])
	}
	return t, false
}

// count is how many elements an array has by the text between its brackets.
func (s *scene) count(text string) (uint64, bool) {
	x, err := s.parse(text)
	if err != nil {
		return 0, false
	}
	constants := *s
	constants.constant = true
	n, ok := value(x, constants.env(nil))
	return uint64(n), ok && n > 0 && n < maxElements
}

// record is the structure or union of a name, laid out as C does; nil if it is not plain.
func (s *scene) record(name string) *dwarf.DIE {
	records := s.declares.records
	t, known := records[name]
	if known {
		return t
	}
	records[name] = nil // of a structure in itself
	def, ok := s.declares.source.Record(name)
	if !ok {
		return nil
	}
	t = dwarf.NewDIE(dwarf.TagStructureType, dwarf.StringAttr(dwarf.AttrName, name))
	if def.Union {
		t.Tag = dwarf.TagUnionType
	}
	m, size, align := s.arrays.frames.Arch.Model(), uint64(0), uint64(1)
	for _, f := range def.Members {
		of := s.typeOf(f.Base, f.Parts, false)
		if of == nil {
			return nil
		}
		at, room := uint64(0), m.Size(of)
		if align = max(align, m.Align(of)); !def.Union {
			at = (size + m.Align(of) - 1) &^ (m.Align(of) - 1)
		}
		size = max(size, at+room)
		member := dwarf.NewDIE(dwarf.TagMember, dwarf.StringAttr(dwarf.AttrName, f.Name),
			dwarf.RefAttr(dwarf.AttrType, of), dwarf.UintAttr(dwarf.AttrDataMemberLocation, at))
		t.Add(member)
	}
	t.Set(dwarf.UintAttr(dwarf.AttrByteSize, (size+align-1)&^(align-1)))
	records[name] = t
	return t
}

// meant is the place of a variable that the source declares, by the symbol that the machine knows of an
// access.
func (d described) meant(o *simt.Object, m types.Model) (lo uint64, ok bool) {
	if d.declaration == nil || o == nil || o.Hi-o.Lo != m.Size(d.entry.TypeDIE()) {
		return 0, false
	}
	name := d.declaration.Name
	before, ok := strings.CutSuffix(o.Name, name)
	return o.Lo, ok && (before == "" || strings.HasSuffix(before, "_") || strings.HasSuffix(before, ".") ||
		strings.HasSuffix(before, strconv.Itoa(len(name))))
}

// argument is what the launched kernel has been given for a parameter that the source declares and that its
// function does not write.
func (e *elementEnv) argument(v described) (cexpr.Value, bool) {
	p, n := e.arrays.program, v.declaration.Param
	source := e.declares.source
	layout := symfile.Layout{Arguments: frames.Arguments(p)}
	if n < 0 || n >= len(layout.Arguments) || layout.Arguments[n].Shared ||
		source.Function(e.at) != p.Kernel.Name || source.Writes(v.declaration.Name, e.at) {
		return cexpr.Value{}, false
	}
	return cexpr.Value{Type: v.entry.TypeDIE(), InMemory: true, Addr: layout.Arguments[n].Addr}, true
}
