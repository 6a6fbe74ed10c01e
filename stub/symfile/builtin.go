package symfile

import "simtgdb/dwarf"

// What kernels call their places by, threadIdx, gl_GlobalInvocationID or get_global_id(0), no compiler
// describes. So gdb gets variables of these names, in a unit beside those of a program, at addresses where
// each lane reads what is its own, and, for what is called like a function, macros: the C parser of gdb
// expands those of the unit that code belongs to (c_parse, gdb 12 to 18) wherever an expression stands, in a
// breakpoint's condition too. A variable of the program that has such a name goes before, since gdb looks
// around the code first.

// A Builtin is a variable that each lane has its own contents of.
type Builtin struct {
	Name string
	Addr uint64
	Type Shape
}

// A Shape is a type: an unsigned integer, or several of them as an array or as a structure.
type Shape struct {
	Size   uint64 // of an integer
	Count  int    // 0: it is one integer
	Fields string // what members are called, a letter each; "": an array
	Name   string // of the structure
}

// Bytes is how many bytes an object has.
func (s Shape) Bytes() uint64 { return s.Size * uint64(max(s.Count, 1)) }

// builtinOffset is how far behind the beginning of the dispatch function the code is that the unit is said to
// have.
const builtinOffset = 0x200

// withBuiltins adds the unit of the variables, if there are any, to others, and notes them for who evaluates
// names itself.
func (f *File) withBuiltins(units []*dwarf.OutUnit, l Layout) []*dwarf.OutUnit {
	if len(l.Builtins) == 0 {
		return units
	}
	root := dwarf.NewDIE(dwarf.TagCompileUnit, dwarf.StringAttr(dwarf.AttrName, "builtin"),
		dwarf.StringAttr(dwarf.AttrProducer, producer), dwarf.UintAttr(dwarf.AttrLanguage, dwarf.LangC99),
		// Of a unit without code gdb 13 to 18 take the addresses of its variables for code, and warn where
		// they look for its lines (cooked_indexer::scan_attributes, dw2_find_pc_sect_compunit_symtab).
		dwarf.AddressAttr(dwarf.AttrLowPC, l.Dispatch+builtinOffset), dwarf.UintAttr(dwarf.AttrHighPC, 1))
	types := shapes{root, map[Shape]*dwarf.DIE{}}
	for _, b := range l.Builtins {
		typ := types.entry(b.Type)
		root.Add(dwarf.NewDIE(dwarf.TagVariable, dwarf.StringAttr(dwarf.AttrName, b.Name),
			dwarf.RefAttr(dwarf.AttrType, typ), dwarf.FlagAttr(dwarf.AttrExternal),
			dwarf.ExprAttr(dwarf.AttrLocation, Argument{Addr: b.Addr}.location())))
		f.Builtins = append(f.Builtins, Made{Name: b.Name, Type: typ, Addr: b.Addr})
	}
	return append(units, &dwarf.OutUnit{Version: 5, AddrSize: 8, Root: root})
}

// shapes are the types of a unit.
type shapes struct {
	root *dwarf.DIE
	made map[Shape]*dwarf.DIE
}

// entry is the entry of a type, which is made once.
func (t shapes) entry(s Shape) *dwarf.DIE {
	if d := t.made[s]; d != nil {
		return d
	}
	d := dwarf.NewDIE(dwarf.TagBaseType, dwarf.StringAttr(dwarf.AttrName, integers[s.Size]),
		dwarf.UintAttr(dwarf.AttrByteSize, s.Size), dwarf.UintAttr(dwarf.AttrEncoding, dwarf.ATEUnsigned))
	if s.Count > 0 {
		integer := t.entry(Shape{Size: s.Size})
		d = dwarf.NewDIE(dwarf.TagArrayType, dwarf.RefAttr(dwarf.AttrType, integer))
		if s.Fields == "" {
			d.Add(dwarf.NewDIE(dwarf.TagSubrangeType, dwarf.UintAttr(dwarf.AttrCount, uint64(s.Count))))
		} else {
			d = dwarf.NewDIE(dwarf.TagStructureType, dwarf.StringAttr(dwarf.AttrName, s.Name),
				dwarf.UintAttr(dwarf.AttrByteSize, s.Bytes()))
		}
		for i, name := range s.Fields {
			d.Add(dwarf.NewDIE(dwarf.TagMember, dwarf.StringAttr(dwarf.AttrName, string(name)),
				dwarf.RefAttr(dwarf.AttrType, integer),
				dwarf.UintAttr(dwarf.AttrDataMemberLocation, s.Size*uint64(i))))
		}
	}
	t.root.Add(d)
	t.made[s] = d
	return d
}

// integers are the names of unsigned integers, by their sizes.
var integers = map[uint64]string{4: "unsigned int", 8: "unsigned long"}

// define puts the layout's macros in front of a unit's, as what the command line defines, which gdb takes in
// front of a file alone (dwarf_decode_macros, gdb 12 to 18).
func (l Layout) define(u *dwarf.OutUnit) {
	if len(l.Macros) == 0 || u.Lines == nil {
		return
	}
	var all []dwarf.Macro
	for _, text := range l.Macros {
		all = append(all, dwarf.Macro{Kind: dwarf.MacroDefine, Text: text})
	}
	if len(u.Macros) == 0 {
		file := uint64(0)
		if u.Lines.Header.Version < 5 {
			file = 1 // the first
		}
		all = append(all, dwarf.Macro{Kind: dwarf.MacroStartFile, File: file},
			dwarf.Macro{Kind: dwarf.MacroEndFile})
	}
	u.Macros = append(all, u.Macros...)
}
