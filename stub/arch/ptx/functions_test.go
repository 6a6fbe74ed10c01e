package ptx

import (
	"fmt"
	"strings"
	"testing"

	"simtgdb/dwarf"
	text "simtgdb/loader/ptx"

	"github.com/google/go-cmp/cmp"
)

// mangled is a text with lines alone as nvcc writes it for C++ (-lineinfo): symbols name the functions that
// rows are inlined from, and the table of files is at the end.
const mangled = `.version 8.0
.target sm_80
.address_size 64
.visible .entry _Z5scaleIfEvPT_i() {
	.loc 1 8 0
	.loc 1 10 23
	.loc 1 4 9, function_name $L__info_string0, inlined_at 1 10 23
	.loc 1 2 63, function_name $L__info_string1, inlined_at 1 4 9
	bar.sync 0;
	.loc 1 5 12, function_name $L__info_string0, inlined_at 1 10 23
	bar.sync 0;
	.loc 1 11 1
	ret;
}
.func plain() { .loc 1 1 1
	ret; }
.file 1 "a.cu"
.section .debug_str {
$L__info_string0: .b8 %s0
$L__info_string1: .b8 %s0
}`

// Functions that symbols of C++ name lie in namespaces, by the names that a source has for them, and so do
// those inlined in them.
func TestFunctionsOfSymbols(t *testing.T) {
	bytes := func(s string) (out string) {
		for _, c := range []byte(s) {
			out += fmt.Sprintf("%d, ", c)
		}
		return out
	}
	m, err := text.Parse("a.ptx", fmt.Sprintf(mangled, bytes("_ZN3app5twiceIfEET_S1_"),
		bytes("_ZN3app4math6squareIfEET_S2_")))
	if err != nil {
		t.Fatal(err)
	}
	sections, err := debugSections(m)
	if err != nil {
		t.Fatal(err)
	}
	data, err := dwarf.New(dwarf.SectionsNamed(sections), dwarf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"DW_TAG_subprogram scale<float> 0 _Z5scaleIfEvPT_i",
		" DW_TAG_inlined_subroutine twice<float> 10",
		"  DW_TAG_inlined_subroutine square<float> 4",
		"DW_TAG_namespace app 0",
		" DW_TAG_subprogram twice<float> 0 _ZN3app5twiceIfEET_S1_",
		" DW_TAG_namespace math 0",
		"  DW_TAG_subprogram square<float> 0 _ZN3app4math6squareIfEET_S2_",
		"DW_TAG_subprogram plain 0",
	}
	var got []string
	var show func(d *dwarf.DIE, indent string)
	show = func(d *dwarf.DIE, indent string) {
		for _, c := range d.Children {
			line, _ := c.Uint(dwarf.AttrCallLine)
			linkage, _ := c.Str(dwarf.AttrLinkageName)
			entry := fmt.Sprintf("%s%v %s %d %s", indent, c.Tag, c.Name(), line, linkage)
			got = append(got, strings.TrimRight(entry, " "))
			show(c, indent+" ")
		}
	}
	root, err := data.Units()[0].Root()
	if err != nil {
		t.Fatal(err)
	}
	if lang, _ := root.Uint(dwarf.AttrLanguage); lang != dwarf.LangCPlusPlus14 {
		t.Errorf("language %#x", lang)
	}
	show(root, "")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("functions (-want +got):\n%s", diff)
	}
}

func TestLastName(t *testing.T) {
	for name, want := range map[string][2]string{
		"f":                            {"", "f"},
		"a::f":                         {"a", "f"},
		"a::b::f<c::d, e<g::h> >":      {"a::b", "f<c::d, e<g::h> >"},
		"(anonymous namespace)::f":     {"(anonymous namespace)", "f"},
		"a::operator<< <b::c>":         {"a", "operator<< <b::c>"},
		"a::b(c::d)::{lambda(e::f)#1}": {"a::b(c::d)", "{lambda(e::f)#1}"},
		"operators::f":                 {"operators", "f"},
		"x::operatorname::g":           {"x::operatorname", "g"},
		"operator<":                    {"", "operator<"},
		"a::operator()(b::c)":          {"a", "operator()(b::c)"},
		"my_operator<a::b>::f":         {"my_operator<a::b>", "f"},
	} {
		if outer, own := lastName(name); outer != want[0] || own != want[1] {
			t.Errorf("%q: %q and %q, want %q", name, outer, own, want)
		}
	}
}
