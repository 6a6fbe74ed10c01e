package ptx

import (
	"strings"
	"testing"
)

const linkHead = ".version 7.8\n.target sm_80\n.address_size 64\n"

// Texts that need each other become one that can be read, in whatever order they come.
func TestLink(t *testing.T) {
	main := linkHead + `.file 1 "main.cu"
.extern .func (.param .b32 r) twice(.param .b32 a);
.extern .global .align 4 .u32 counter;
.global .align 4 .u32 mine = 1;
.func helper() { ret; }
.visible .entry k(.param .u64 k_0)
{
	.reg .b32 %r<4>;
	.loc 1 7 3
	ld.global.u32 %r1, [counter];
	ld.global.u32 %r2, [mine];
	.loc 1 8 3, function_name $L__info_string0, inlined_at 1 7 9
	{ .param .b32 p; .param .b32 q; st.param.b32 [p], %r1; call.uni (q), twice, (p); ld.param.b32 %r3, [q]; }
	call.uni helper;
	ret;
}
.section .debug_str { $L__info_string0: .b8 97, 0 }
`
	library := strings.Replace(linkHead, "7.8", "8.1", 1) + `.file 1 "library.cu"
.visible .global .align 4 .u32 counter = 5;
.global .align 4 .u32 mine[2] = {3, 4};
.weak .func maybe() { ret; }
.func helper() { ret; }
.visible .func (.param .b32 r) twice(.param .b32 a)
{
	.reg .b32 %r<3>;
	.loc 1 2 1
	ld.param.b32 %r1, [a];
	ld.global.u32 %r2, [mine+4];
	call.uni helper;
	add.s32 %r2, %r1, %r1; st.param.b32 [r], %r2; ret;
}
`
	weak := linkHead + ".weak .func maybe() { ret; }\n"
	for _, texts := range [][]string{{main, library, weak}, {weak, library, main}, {library, main, weak}} {
		text, err := Link([]string{"a", "b", "c"}, texts)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Parse("linked", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if f := m.Func("twice"); f == nil || !f.Defined {
			t.Errorf("twice is not defined:\n%s", text)
		}
		if m.Version != [2]int{8, 1} || len(m.Files) != 2 {
			t.Errorf("version %v, files %v", m.Version, m.Files)
		}
		helpers, variables := 0, 0
		for _, f := range m.Funcs {
			if strings.HasPrefix(f.Name, "helper") && f.Defined {
				helpers++
			}
		}
		for _, v := range m.Vars {
			if v.Name == "counter" || strings.HasPrefix(v.Name, "mine") {
				variables++
			}
		}
		if helpers != 2 || variables != 3 {
			t.Errorf("%d helpers and %d variables, want 2 and 3:\n%s", helpers, variables, text)
		}
	}
}

// TestLinkExtern: what nobody defines, as memory that a launch gives, stays, and once.
func TestLinkExtern(t *testing.T) {
	unit := linkHead + ".extern .shared .align 16 .b8 dynamic[];\n.extern .func outside();\n"
	text, err := Link([]string{"a", "b"}, []string{
		unit + ".visible .entry k() { .reg .b32 %r; ld.shared.u32 %r, [dynamic]; call outside; ret; }\n",
		unit + ".visible .entry l() { .reg .b32 %r; ld.shared.u32 %r, [dynamic]; ret; }\n"})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"dynamic[]", ".func outside"} {
		if n := strings.Count(text, name); n != 1 {
			t.Errorf("%s is declared %d times:\n%s", name, n, text)
		}
	}
	if m := mustParse(t, text); len(m.Vars) != 1 || m.Vars[0].Name != "dynamic" || !m.Vars[0].Extern {
		t.Errorf("variables %+v", m.Vars)
	}
}

func TestLinkErrors(t *testing.T) {
	one := linkHead + ".visible .func f() { ret; }\n"
	for _, c := range []struct{ second, want string }{
		{one, "f is defined twice, in a and in b"},
		{linkHead + ".visible .func g() { ret;", "b:4:1: the declaration that begins here does not end"},
		{linkHead + "\x01", "expected a declaration"},
	} {
		if _, err := Link([]string{"a", "b"}, []string{one, c.second}); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.second, err, c.want)
		}
	}
}

// Whatever two texts are, they are linked or refused.
func FuzzLink(f *testing.F) {
	f.Add(linkHead+".visible .func f() { ret; }", linkHead+".extern .func f();\n.file 1 \"a\"\n.func g() { "+
		".loc 1 2 3, x; }")
	f.Add(".file 9", ".version")
	f.Fuzz(func(t *testing.T, a, b string) { _, _ = Link([]string{"a", "b"}, []string{a, b}) })
}
