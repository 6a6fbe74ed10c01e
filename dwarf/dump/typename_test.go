package dump

import (
	"testing"

	"simtgdb/dwarf"
)

// TestTypeName names types that were made by hand.
func TestTypeName(t *testing.T) {
	integer := dwarf.NewDIE(dwarf.TagBaseType, dwarf.StringAttr(dwarf.AttrName, "int"))
	of := func(tag dwarf.Tag, target *dwarf.DIE, attrs ...dwarf.Attr) *dwarf.DIE {
		d := dwarf.NewDIE(tag, attrs...)
		if target != nil {
			d.Set(dwarf.RefAttr(dwarf.AttrType, target))
		}
		return d
	}
	param := func(target *dwarf.DIE) *dwarf.DIE { return of(dwarf.TagFormalParameter, target) }
	with := func(d *dwarf.DIE, children ...*dwarf.DIE) *dwarf.DIE { d.Add(children...); return d }
	array := func(target *dwarf.DIE, n uint64) *dwarf.DIE {
		return with(of(dwarf.TagArrayType, target),
			dwarf.NewDIE(dwarf.TagSubrangeType, dwarf.UintAttr(dwarf.AttrCount, n)))
	}
	upTo := func(n uint64) *dwarf.DIE {
		return dwarf.NewDIE(dwarf.TagSubrangeType, dwarf.UintAttr(dwarf.AttrUpperBound, n))
	}
	space := dwarf.NewDIE(dwarf.TagNamespace, dwarf.StringAttr(dwarf.AttrName, "space"))
	class := dwarf.NewDIE(dwarf.TagClassType, dwarf.StringAttr(dwarf.AttrName, "Class"))
	with(dwarf.NewDIE(dwarf.TagCompileUnit), with(space, class))
	function := with(of(dwarf.TagSubroutineType, integer), param(class),
		dwarf.NewDIE(dwarf.TagUnspecifiedParameters))
	loop := dwarf.NewDIE(dwarf.TagPointerType)
	loop.Set(dwarf.RefAttr(dwarf.AttrType, loop))
	for want, d := range map[string]*dwarf.DIE{
		"int":    integer,
		"void":   nil,
		"void *": of(dwarf.TagPointerType, nil),
		"const int *const": of(dwarf.TagConstType,
			of(dwarf.TagPointerType, of(dwarf.TagConstType, integer))),
		"const volatile int":         of(dwarf.TagVolatileType, of(dwarf.TagConstType, integer)),
		"int[3][4]":                  with(array(integer, 3), upTo(3)),
		"int (*)[2]":                 of(dwarf.TagPointerType, array(integer, 2)),
		"int *[2]":                   array(of(dwarf.TagPointerType, integer), 2),
		"const int[2]":               of(dwarf.TagConstType, array(integer, 2)),
		"space::Class &":             of(dwarf.TagReferenceType, class),
		"int (space::Class, ...)":    function,
		"int (*)(space::Class, ...)": of(dwarf.TagPointerType, function),
		"int (**)()": of(dwarf.TagPointerType,
			of(dwarf.TagPointerType, of(dwarf.TagSubroutineType, integer))),
		"int space::Class::*": of(dwarf.TagPtrToMemberType, integer,
			dwarf.RefAttr(dwarf.AttrContainingType, class)),
		"structure ": dwarf.NewDIE(dwarf.TagStructureType),
		"(anonymous namespace)::N": func() *dwarf.DIE {
			d := dwarf.NewDIE(dwarf.TagStructureType, dwarf.StringAttr(dwarf.AttrName, "N"))
			with(dwarf.NewDIE(dwarf.TagNamespace), d)
			return d
		}(),
		"T<int, 5, true>": with(dwarf.NewDIE(dwarf.TagStructureType, dwarf.StringAttr(dwarf.AttrName, "T")),
			of(dwarf.TagTemplateTypeParameter, integer),
			of(dwarf.TagTemplateValueParameter, integer, dwarf.IntAttr(dwarf.AttrConstValue, 5)),
			of(dwarf.TagTemplateValueParameter,
				dwarf.NewDIE(dwarf.TagBaseType, dwarf.StringAttr(dwarf.AttrName, "bool")),
				dwarf.UintAttr(dwarf.AttrConstValue, 1))),
	} {
		if got := TypeName(d); got != want {
			t.Errorf("TypeName = %q, want %q", got, want)
		}
	}
	if got := TypeName(loop); len(got) > 2*maxTypeText {
		t.Errorf("the name of a pointer to itself has %d bytes", len(got))
	}
}
