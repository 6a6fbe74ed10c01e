package symfile

import (
	"slices"
	"testing"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/types"
)

func origin(d *dwarf.DIE) dwarf.Attr { return dwarf.RefAttr(dwarf.AttrAbstractOrigin, d) }

// variables makes variables of a type.
func variables(typ *dwarf.DIE) func(n string, attrs ...dwarf.Attr) *dwarf.DIE {
	return func(n string, attrs ...dwarf.Attr) *dwarf.DIE {
		return dwarf.NewDIE(dwarf.TagVariable, append(attrs, name(n), dwarf.RefAttr(dwarf.AttrType, typ))...)
	}
}

func code(low, size uint64) []dwarf.Attr {
	return []dwarf.Attr{dwarf.AddressAttr(dwarf.AttrLowPC, low), dwarf.UintAttr(dwarf.AttrHighPC, size)}
}

// inlinedProgram is a kernel into which its body has been inlined, and into the body a helper that has code
// of its own, where clang writes the helper's variables of static duration.
func inlinedProgram(language uint64) *dwarf.DIE {
	number := integer("int", 4)
	variable := variables(number)
	helper := dwarf.NewDIE(dwarf.TagSubprogram, name("helper"))
	local := variable("local")
	helper.Add(local)
	own := dwarf.NewDIE(dwarf.TagSubprogram, append(code(0x900, 16), origin(helper))...)
	inRegister := dwarf.ExprAttr(dwarf.AttrLocation, []byte{expr.OpReg0})
	own.Add(variable("counter", at(0x5000)), variable("moves", inRegister), variable("nowhere"),
		dwarf.NewDIE(dwarf.TagVariable, origin(local), at(0x5008)), dwarf.NewDIE(dwarf.TagLexicalBlock))
	unused := dwarf.NewDIE(dwarf.TagSubprogram, code(0xa00, 16)...)
	unused.Add(variable("other", at(0x5010)))
	body := dwarf.NewDIE(dwarf.TagSubprogram, name("body"), dwarf.StringAttr(dwarf.AttrLinkageName, "_Zbody"))
	parameter := dwarf.NewDIE(dwarf.TagFormalParameter, name("p"), dwarf.RefAttr(dwarf.AttrType, number))
	gone := dwarf.NewDIE(dwarf.TagFormalParameter, name("gone"), dwarf.RefAttr(dwarf.AttrType, number))
	kept, forgotten := variable("kept"), variable("forgotten")
	body.Add(parameter, gone, kept, forgotten, dwarf.NewDIE(dwarf.TagLexicalBlock))
	call := dwarf.NewDIE(dwarf.TagInlinedSubroutine, append(code(0x808, 4), origin(helper))...)
	inlined := dwarf.NewDIE(dwarf.TagInlinedSubroutine, append(code(0x804, 16), origin(body),
		dwarf.UintAttr(dwarf.AttrCallLine, 7), dwarf.UintAttr(dwarf.AttrCallFile, 1),
		dwarf.AddressAttr(dwarf.AttrEntryPC, 0x804))...)
	inlined.Add(dwarf.NewDIE(dwarf.TagFormalParameter, origin(parameter), inRegister),
		dwarf.NewDIE(dwarf.TagFormalParameter, origin(gone)),
		dwarf.NewDIE(dwarf.TagVariable, origin(kept), inRegister), call)
	kernel := dwarf.NewDIE(dwarf.TagSubprogram, append(code(0x800, 32), name("k"))...)
	kernel.Add(inlined)
	root := dwarf.NewDIE(dwarf.TagCompileUnit, dwarf.UintAttr(dwarf.AttrLanguage, language))
	root.Add(number, helper, own, unused, body, kernel)
	return root
}

// names are those of an entry's children, with their tags where they are no variables.
func names(d *dwarf.DIE) (all []string) {
	for _, c := range d.Children {
		n := c.Name()
		if c.Tag != dwarf.TagVariable {
			n = c.Tag.String() + " " + n
		}
		all = append(all, n)
	}
	return all
}

// TestInlined: what a helper has of variables of static duration is seen where it was inlined, and the body
// of a kernel is a block of it where the layout says whose body it is.
func TestInlined(t *testing.T) {
	l := testLayout
	for _, isBody := range []bool{false, true} {
		if isBody {
			l.BodyNames = map[uint64]string{0x800: "_Zbody"}
		}
		f := translatedAs(t, l, &dwarf.OutUnit{Version: 5, AddrSize: 8,
			Root: inlinedProgram(dwarf.LangCPlusPlus14)})
		root, err := readBack(t, f)[0].Root()
		if err != nil {
			t.Fatal(err)
		}
		kernel := root.Children[len(root.Children)-1]
		body := kernel.Children[0]
		const call = "DW_TAG_inlined_subroutine helper"
		tag := dwarf.TagInlinedSubroutine
		want := []string{"DW_TAG_formal_parameter p", "DW_TAG_formal_parameter gone", "kept", call}
		if isBody {
			tag, want = dwarf.TagLexicalBlock, []string{"forgotten", "p", "kept", call}
		}
		if got := names(body); body.Tag != tag || !slices.Equal(got, want) {
			t.Errorf("the body is %v of %q, want %v of %q", body.Tag, got, tag, want)
		}
		for _, a := range []dwarf.At{dwarf.AttrAbstractOrigin, dwarf.AttrCallLine, dwarf.AttrCallFile,
			dwarf.AttrEntryPC} {
			if _, ok := body.Attr(a); ok == isBody {
				t.Errorf("the body has %v: %v", a, ok)
			}
		}
		helper := body.Children[len(body.Children)-1]
		if got := names(helper); !slices.Equal(got, []string{"counter", "nowhere"}) {
			t.Errorf("the helper has %q", got)
		}
		where, _ := helper.Children[0].Attr(dwarf.AttrLocation)
		if got := (&expr.Printer{}).String(where.Bytes); got != "DW_OP_addr 0x5000" ||
			helper.Children[0].TypeDIE().Name() != "int" {
			t.Errorf("the counter is at %s, of type %v", got, helper.Children[0].TypeDIE())
		}
		if _, located := helper.Children[1].Attr(dwarf.AttrLocation); located {
			t.Error("a variable without a place has one where it is inlined")
		}
		if len(f.Statics) != 1 {
			t.Errorf("%d functions with variables of static duration", len(f.Statics))
		}
	}
}

// TestIsInlinedBody: only of the kernel itself, by its linkage name.
func TestIsInlinedBody(t *testing.T) {
	l := Layout{BodyNames: map[uint64]string{0x800: "_Zbody", 0x900: ""}}
	of := func(low uint64, tag, parent dwarf.Tag, linkage string) *dwarf.DIE {
		d := dwarf.NewDIE(tag, dwarf.StringAttr(dwarf.AttrLinkageName, linkage))
		dwarf.NewDIE(parent, code(low, 16)...).Add(d)
		return d
	}
	const inlined, function = dwarf.TagInlinedSubroutine, dwarf.TagSubprogram
	lost := dwarf.NewDIE(inlined, dwarf.StringAttr(dwarf.AttrLinkageName, "_Zbody"))
	without := dwarf.NewDIE(inlined, dwarf.StringAttr(dwarf.AttrLinkageName, "_Zbody"))
	dwarf.NewDIE(function).Add(without)
	for i, c := range []struct {
		d    *dwarf.DIE
		want bool
	}{
		{of(0x800, inlined, function, "_Zbody"), true}, {of(0x800, inlined, function, "_Zother"), false},
		{of(0x804, inlined, function, "_Zbody"), false}, {of(0x900, inlined, function, ""), false},
		{of(0x800, dwarf.TagLexicalBlock, function, "_Zbody"), false},
		{of(0x800, inlined, dwarf.TagLexicalBlock, "_Zbody"), false}, {lost, false}, {without, false},
	} {
		if got := l.IsInlinedBody(c.d); got != c.want {
			t.Errorf("case %d: %v", i, got)
		}
	}
}

// TestDynamicShared: the shared memory that a launch adds is an array of bytes, but for OpenCL C.
func TestDynamicShared(t *testing.T) {
	l := testLayout
	l.Kernel = 0x800
	for _, c := range []struct {
		language, size uint64
		want           bool
	}{{dwarf.LangCPlusPlus14, 48, true}, {dwarf.LangCPlusPlus14, 0, false}, {dwarf.LangOpenCL, 48, false}} {
		l.Dynamic = Argument{Addr: 0x7000, Size: c.size}
		f := translatedAs(t, l, &dwarf.OutUnit{Version: 5, AddrSize: 8, Root: inlinedProgram(c.language)})
		root, err := readBack(t, f)[0].Root()
		if err != nil {
			t.Fatal(err)
		}
		v := root.Child(dwarf.TagVariable)
		if (v != nil) != c.want {
			t.Fatalf("language %#x, %d bytes: %v", c.language, c.size, v)
		}
		if v == nil {
			continue
		}
		where, _ := v.Attr(dwarf.AttrLocation)
		element := v.TypeDIE().TypeDIE()
		if v.Name() != "__dynamic_shared" || types.Elements(v.TypeDIE()) != 48 || element.Name() != "char" ||
			(&expr.Printer{}).String(where.Bytes) != "DW_OP_addr 0x7000" {
			t.Errorf("%s of %d %s at % x", v.Name(), types.Elements(v.TypeDIE()), element.Name(), where.Bytes)
		}
		size, _ := element.Uint(dwarf.AttrByteSize)
		if encoding := types.Encoding(element); size != 1 || encoding != dwarf.ATESignedChar {
			t.Errorf("its elements have %d bytes, encoding %d", size, encoding)
		}
		if len(f.Made) != 1 || f.Made[0].Function != nil || f.Made[0].Addr != 0x7000 {
			t.Errorf("noted are %+v", f.Made)
		}
	}
}
