package debuginfo

import (
	"encoding/binary"
	"fmt"

	"simtgdb/dwarf"
	"simtgdb/loader/spirv"
)

// Structs, classes, unions, their members and template parameters; enumerations.

var compositeTags = [...]dwarf.Tag{dwarf.TagClassType, dwarf.TagStructureType, dwarf.TagUnionType}

// composite makes a struct, class or union.
func (t *translator) composite(k typeKey, d *dinst) *dwarf.DIE {
	s := k.spirv
	if s != nil && s.Kind != spirv.Struct {
		s = nil
	}
	die := dwarf.NewDIE(compositeTags[min(t.num(d, 1), 2)])
	scope := t.root
	if d.arg(5) != d.id {
		scope = t.scopeDIE(d.arg(5))
	}
	t.keep(k, scope, die)
	name := t.str(d, 0)
	if name == "" && s != nil {
		name = t.m.Names[s.ID]
	}
	if name != "" {
		die.Set(dwarf.StringAttr(dwarf.AttrName, name))
	}
	t.place(die, d.arg(2), t.num(d, 3))
	members := d.args[min(9, len(d.args)):]
	size := t.num(d, 7) / 8
	if s != nil {
		size = s.Size
	}
	if len(members) == 0 && t.get(d.arg(7), dNone) != nil && s == nil {
		die.Set(dwarf.FlagAttr(dwarf.AttrDeclaration))
		return die
	}
	die.Set(dwarf.UintAttr(dwarf.AttrByteSize, max(size, k.layout.pad)))
	next := 0
	for _, id := range members {
		t.member(die, s, t.debug[id], &next, k.length)
	}
	for s != nil && next < len(s.Members) && len(members) == 0 {
		t.dataMember(die, s, nil, next, k.length)
		next++
	}
	t.templateParameters(die, d.id)
	return die
}

// member adds one of a composite: data, a base class or a function.
func (t *translator) member(die *dwarf.DIE, s *spirv.Type, d *dinst, next *int, length int) {
	const static = 1 << 9
	switch {
	case d == nil:
		*next++
	case d.number == dTypeInheritance:
		*next += t.inheritance(die, s, d, *next)
	case d.number == dFunction || d.number == dFunctionDeclaration:
		if d.number == dFunctionDeclaration {
			t.declaration(d.id)
		}
	case d.number == dTypeMember && (t.memberFlags(d)&static != 0 || t.staticValue(d) != nil):
		t.staticMember(die, d)
	case d.number == dTypeMember:
		t.dataMember(die, s, d, *next, length)
		*next++
	}
}

// memberOperand is an operand of DebugTypeMember behind the column; OpenCL's has a parent before them.
func memberOperand(d *dinst, i int) int {
	if d.opencl {
		return i + 1
	}
	return i
}

func (t *translator) memberFlags(d *dinst) uint64 { return t.num(d, memberOperand(d, 7)) }

// staticValue is the constant that a static member has.
func (t *translator) staticValue(d *dinst) *spirv.Constant {
	return t.m.Constants[d.arg(memberOperand(d, 8))]
}

func accessibility(die *dwarf.DIE, flags uint64) {
	// Flags: 1 protected, 2 private, 3 public; DW_ACCESS: 1 public, 2 protected, 3 private.
	if a := [...]uint64{0, 2, 3, 1}[flags&3]; a != 0 {
		die.Set(dwarf.UintAttr(dwarf.AttrAccessibility, a))
	}
}

// memberAt is the member of a SPIR-V struct that one of OpenCL C is: that at its offset, since clang's struct
// has members for what it pads, and of a union one alone. It may be none.
func (t *translator) memberAt(s *spirv.Type, d *dinst) *spirv.StructMember {
	offset := t.num(d, memberOperand(d, 5)) / 8
	for i := range s.Members {
		if s.Members[i].Offset == offset {
			return &s.Members[i]
		}
	}
	return nil
}

// dataMember adds a member; its name, offset and shape are those of the SPIR-V type where there is one.
func (t *translator) dataMember(die *dwarf.DIE, s *spirv.Type, d *dinst, index, length int) {
	m := dwarf.NewDIE(dwarf.TagMember)
	name, offset := "", uint64(0)
	var st *spirv.Type
	var l layout
	if d != nil {
		name, offset = t.str(d, 0), t.num(d, memberOperand(d, 5))/8
	}
	if s != nil && d != nil && d.opencl {
		if sm := t.memberAt(s, d); sm != nil && die.Tag != dwarf.TagUnionType {
			st = sm.Type
		}
	} else if s != nil && index < len(s.Members) {
		sm := &s.Members[index]
		st, offset, l = sm.Type, sm.Offset, layoutOf(sm)
		if sm.Name != "" {
			name = sm.Name
		}
		if index < len(s.Members)-1 {
			length = 0
		}
	} else if s != nil {
		return
	}
	if name == "" {
		name = fmt.Sprintf("m%d", index)
	}
	m.Set(dwarf.StringAttr(dwarf.AttrName, name))
	m.Set(dwarf.UintAttr(dwarf.AttrDataMemberLocation, offset))
	if d != nil {
		t.place(m, d.arg(2), t.num(d, 3))
		accessibility(m, t.memberFlags(d))
	}
	die.Add(t.typed(m, t.typeOf(d.arg(1), st, l, length)))
}

func (t *translator) staticMember(die *dwarf.DIE, d *dinst) {
	m := dwarf.NewDIE(dwarf.TagMember, dwarf.StringAttr(dwarf.AttrName, t.str(d, 0)),
		dwarf.FlagAttr(dwarf.AttrExternal),
		dwarf.FlagAttr(dwarf.AttrDeclaration))
	t.place(m, d.arg(2), t.num(d, 3))
	if c := t.staticValue(d); c != nil && c.Known {
		m.Set(constAttr(c))
	}
	t.members[d.id] = m
	die.Add(t.typed(m, t.typeDIE(d.arg(1), nil, layout{})))
}

// constAttr is a scalar constant as DW_AT_const_value.
func constAttr(c *spirv.Constant) dwarf.Attr {
	if c.Type.Kind == spirv.Float {
		b := binary.LittleEndian.AppendUint64(nil, c.Bits)
		return dwarf.BlockAttr(dwarf.AttrConstValue, b[:c.Type.Bits/8])
	}
	if c.Type.Signed && c.Type.Bits > 0 {
		shift := 64 - c.Type.Bits
		return dwarf.IntAttr(dwarf.AttrConstValue, int64(c.Bits<<shift)>>shift)
	}
	return dwarf.UintAttr(dwarf.AttrConstValue, c.Bits)
}

// inheritance adds a base class, and gives how many members of the SPIR-V struct are the base's: its own,
// or one that is the base. OpenCL's instruction, and what some validators want, has the derived class
// first.
func (t *translator) inheritance(die *dwarf.DIE, s *spirv.Type, d *dinst, next int) int {
	i := 0
	if len(d.args) > 4 {
		i = 1
	}
	offset, used := t.num(d, i+1)/8, 0
	var base *spirv.Type
	if s != nil && next < len(s.Members) {
		offset, used = s.Members[next].Offset, t.dataMembers(d.arg(i), 0)
		if b := &s.Members[next]; b.Type.Kind == spirv.Struct && len(b.Type.Members) == used {
			base, used = b.Type, 1
		}
	}
	m := dwarf.NewDIE(dwarf.TagInheritance, dwarf.UintAttr(dwarf.AttrDataMemberLocation, offset))
	accessibility(m, t.num(d, i+3))
	die.Add(t.typed(m, t.typeDIE(d.arg(i), base, layout{})))
	return used
}

// dataMembers is how many data members a composite has, with those of its base classes.
func (t *translator) dataMembers(id uint32, depth int) int {
	d := t.get(id, dTypeComposite)
	if d == nil || depth > maxTypeNesting {
		return 0
	}
	n := 0
	for _, m := range d.args[min(9, len(d.args)):] {
		switch e := t.debug[m]; {
		case e == nil:
		case e.number == dTypeInheritance:
			base := 0
			if len(e.args) > 4 {
				base = 1
			}
			n += t.dataMembers(e.arg(base), depth+1)
		case e.number == dTypeMember && t.staticValue(e) == nil:
			n++
		}
	}
	return n
}

func (t *translator) enumeration(k typeKey, d *dinst) *dwarf.DIE {
	die := t.keep(k, t.scopeDIE(d.arg(5)), dwarf.NewDIE(dwarf.TagEnumerationType,
		dwarf.UintAttr(dwarf.AttrByteSize, max(t.num(d, 6)/8, 1))))
	if name := t.str(d, 0); name != "" {
		die.Set(dwarf.StringAttr(dwarf.AttrName, name))
	}
	t.place(die, d.arg(2), t.num(d, 3))
	const enumClass = 1 << 14
	if t.num(d, 7)&enumClass != 0 {
		die.Set(dwarf.FlagAttr(dwarf.AttrEnumClass))
	}
	for i := 8; i+1 < len(d.args); i += 2 {
		v, _ := t.m.Int(d.args[i])
		die.Add(dwarf.NewDIE(dwarf.TagEnumerator, dwarf.StringAttr(dwarf.AttrName, t.str(d, i+1)),
			dwarf.IntAttr(dwarf.AttrConstValue, v)))
	}
	return t.typed(die, t.typeDIE(d.arg(1), nil, layout{}))
}

// templateParameters adds those of an instance.
func (t *translator) templateParameters(die *dwarf.DIE, target uint32) {
	for _, id := range t.templates[target] {
		t.templateParameter(die, t.debug[id], 0)
	}
}

func (t *translator) templateParameter(die *dwarf.DIE, d *dinst, depth int) {
	if d == nil || depth > maxTypeNesting {
		return
	}
	name := dwarf.StringAttr(dwarf.AttrName, t.str(d, 0))
	switch d.number {
	case dTemplateParameter:
		p := dwarf.NewDIE(dwarf.TagTemplateTypeParameter, name)
		if c := t.m.Constants[d.arg(2)]; c != nil && c.Known {
			p.Tag = dwarf.TagTemplateValueParameter
			p.Set(constAttr(c))
		}
		die.Add(t.typed(p, t.typeDIE(d.arg(1), nil, layout{})))
	case dTemplateTemplate:
		die.Add(dwarf.NewDIE(dwarf.TagGNUTemplateTemplateParam, name))
	case dTemplatePack:
		p := dwarf.NewDIE(dwarf.TagGNUTemplateParameterPack, name)
		die.Add(p)
		for _, id := range d.args[min(4, len(d.args)):] {
			t.templateParameter(p, t.debug[id], depth+1)
		}
	}
}
