package ptx

import (
	"debug/dwarf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const head = ".version 7.8\n.target sm_80\n.address_size 64\n"

func mustParse(t *testing.T, text string) *Module {
	t.Helper()
	m, err := Parse("t.ptx", text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func readSample(t testing.TB, level string) *Module {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "struct."+level+".ptx"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := Parse("struct.ptx", string(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The functions of clang's text have as many statements as lines of it that are instructions.
func TestStatementsOfClang(t *testing.T) {
	for _, level := range []string{"O0", "O2", "O2d"} {
		text, err := os.ReadFile(filepath.Join("testdata", "struct."+level+".ptx"))
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		body := string(text)
		if i := strings.Index(body, ".section"); i >= 0 {
			body = body[:i]
		}
		for _, line := range strings.Split(body, "\n") {
			line, _, _ = strings.Cut(line, "//")
			line = strings.TrimSpace(line)
			if !strings.HasSuffix(line, ";") || strings.HasPrefix(line, ".") ||
				strings.HasPrefix(line, "$L_") || line == ";" || strings.Contains(line, ".callprototype") {
				continue
			}
			want += strings.Count(line, ";")
		}
		m := readSample(t, level)
		got := 0
		for _, f := range m.Funcs {
			got += len(f.Insts())
			if f.Defined {
				got-- // the return behind the last statement
			}
		}
		if got != want {
			t.Errorf("%s: %d statements, the text has %d", level, got, want)
		}
	}
}

func TestAddresses(t *testing.T) {
	m := readSample(t, "O2")
	var last uint64
	for _, f := range m.Funcs {
		if f.Start%16 != 0 || f.Start < last {
			t.Errorf("%s begins at %#x, behind %#x", f.Name, f.Start, last)
		}
		last = f.End
		for i, in := range f.Insts() {
			if in.Addr != f.Start+uint64(8*i) {
				t.Errorf("%s: statement %d is at %#x", f.Name, i, in.Addr)
			}
			if m.FuncAt(in.Addr) != f {
				t.Errorf("no function at %#x", in.Addr)
			}
		}
	}
	text := m.Text()
	if len(text)%8 != 0 || uint64(len(text)) < last-CodeBase {
		t.Errorf("%d bytes of text for code up to %#x", len(text), last)
	}
	if n := binary.LittleEndian.Uint32(text[8*7+1:]); n != 7 {
		t.Errorf("the eighth statement has number %d", n)
	}
}

// Variables lie where their spaces are, with what C++ says they hold.
func TestVariables(t *testing.T) {
	m := readSample(t, "O0")
	vars := map[string]*Var{}
	for _, v := range m.Vars {
		vars[v.Name] = v
	}
	at := func(name string, n int) []byte {
		v := vars[name]
		for _, s := range m.Segments {
			if v.Addr >= s.Addr && v.Addr+v.Size <= s.Addr+s.Size {
				return s.Data[v.Addr-s.Addr:][:n]
			}
		}
		t.Fatalf("%s at %#x is in no segment", name, v.Addr)
		return nil
	}
	floats := []byte{0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 64, 64, 0, 0, 128, 64}
	if got := at("table", 16); !slices.Equal(got, floats) {
		t.Errorf("table holds % x", got)
	}
	vtable := at("_ZTV6Square", 24)
	if got, want := binary.LittleEndian.Uint64(vtable[16:]), m.Func("_ZN6Square4areaEi").Start; got != want {
		t.Errorf("the virtual table has %#x for area, which is at %#x", got, want)
	}
	own, dynamic := vars["_ZZ6kernelE3own"], vars["dynamic"]
	if own.Size != 256 || dynamic.Size != 0 || dynamic.Addr != m.SharedSize || m.SharedSize != 256 {
		t.Errorf("shared: own %+v, dynamic %+v, %d bytes", own, dynamic, m.SharedSize)
	}
	k := m.Func("kernel")
	if k.ParamSize != 28 || k.Params[1].Addr != 8 || k.Params[1].Size != 16 || k.Params[2].Addr != 24 {
		t.Errorf("kernel has %d bytes of arguments: %+v %+v", k.ParamSize, k.Params[1], k.Params[2])
	}
	if i, ok := k.Reg("%rd3"); !ok || k.RegName(i) != "%rd3" || k.RegBits(i) != 64 {
		t.Errorf("register %%rd3: %d %v %q", i, ok, k.RegName(i))
	}
	if _, ok := k.Reg("%rd9999"); ok {
		t.Error("there is a register rd9999")
	}
}

// Another reader of DWARF finds in the assembled sections what the source has.
func TestDebugSections(t *testing.T) {
	for _, level := range []string{"O0", "O2d"} {
		m := readSample(t, level)
		data := map[string][]byte{}
		for _, s := range m.Sections {
			data[s.Name] = s.Data
		}
		d, err := dwarf.New(data[".debug_abbrev"], nil, nil, data[".debug_info"], nil, nil, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		low := map[string]uint64{}
		r := d.Reader()
		for {
			e, err := r.Next()
			if err != nil {
				t.Fatalf("%s: %v", level, err)
			}
			if e == nil {
				break
			}
			if pc, ok := e.Val(dwarf.AttrLowpc).(uint64); ok && e.Tag == dwarf.TagSubprogram {
				name, _ := e.Val(dwarf.AttrName).(string)
				low[name] = pc
				high, _ := e.Val(dwarf.AttrHighpc).(uint64)
				if f := m.FuncAt(pc); f == nil || f.Start != pc || high > f.End {
					t.Errorf("%s: a function from %#x to %#x", level, pc, high)
				}
			}
		}
		for name, linkage := range map[string]string{"kernel": "kernel", "grow": "_Z4grow3Sumi"} {
			if low[name] != m.Func(linkage).Start {
				t.Errorf("%s: %s is at %#x, says DWARF, and at %#x", level, name, low[name],
					m.Func(linkage).Start)
			}
		}
	}
}

// Every row of lines is one of the text's, at a statement.
func TestRows(t *testing.T) {
	m := mustParse(t, head+`.file 1 "a.cu"
.func f() {
	.loc 1 5 3, function_name $L__info_string0, inlined_at 1 20 7
	trap; exit;
	.loc 1 6 0
	ret;
}
.section .debug_str { $L__info_string0: .b8 102, 0 }`)
	if len(m.Rows) != 2 || m.Rows[0].Addr != CodeBase || m.Rows[1].Addr != CodeBase+16 {
		t.Fatalf("rows %+v", m.Rows)
	}
	r := m.Rows[0]
	if r.Line != 5 || r.Col != 3 || r.Function != "f" || r.InlinedAt.Line != 20 ||
		m.Files[1] != "a.cu" {
		t.Errorf("row %+v", r)
	}
}

// Rows of functions inlined in each other lead to the rows of their callers, which come before.
func TestInlinedRows(t *testing.T) {
	m := mustParse(t, head+`.file 1 "a.cu"
.func f() {
	.loc 1 68 3
	.loc 1 80 14, function_name $L__info_string0, inlined_at 1 68 3
	.loc 1 93 3, function_name .debug_str + 4, inlined_at 1 80 14
	trap;
	.loc 1 94 3, function_name $lost, inlined_at 1 81 14
	ret;
}
.section .debug_str { $L__info_string0: .b8 103, 104, 105, 0, 97, 0 }`)
	inner, lost := m.Rows[2], m.Rows[3]
	if inner.Function != "a" || inner.InlinedAt.Line != 80 || inner.InlinedAt.Function != "ghi" ||
		inner.InlinedAt.InlinedAt.Line != 68 || inner.InlinedAt.InlinedAt.InlinedAt != nil {
		t.Errorf("row %+v, inlined at %+v", inner, inner.InlinedAt)
	}
	if lost.Function != "$lost" || lost.InlinedAt.Line != 81 || lost.InlinedAt.InlinedAt != nil {
		t.Errorf("row %+v", lost)
	}
}

// A chain of functions inlined in each other is as long as the bound says at most: of a row further in, the
// place of its caller alone is known.
func TestInlinedDeep(t *testing.T) {
	text := head + ".file 1 \"a.cu\"\n.func f() {\n.loc 1 1 1\n"
	for line := 2; line <= maxInlined+3; line++ {
		text += fmt.Sprintf(".loc 1 %d 1, function_name .debug_str, inlined_at 1 %d 1\n", line, line-1)
	}
	m := mustParse(t, text+"ret; }\n.section .debug_str { .b8 102, 0 }")
	for i := range m.Rows {
		length := 0
		for r := m.Rows[i].InlinedAt; r != nil; r = r.InlinedAt {
			length++
			if r.Line != i+1-length {
				t.Fatalf("row %d is inlined at line %d, %d calls out", i, r.Line, length)
			}
		}
		want := i
		if i > maxInlined {
			want = i - maxInlined
		}
		if length != want {
			t.Errorf("row %d is inlined %d deep, want %d", i, length, want)
		}
	}
}

// What a text may ask for at most is read.
func TestMost(t *testing.T) {
	for space, text := range map[string]string{"global": ".global .b8 x[1073741824];",
		"const": ".const .align 16 .b8 x[536870912]; .const .b8 y[536870912];"} {
		m := mustParse(t, head+text)
		if len(m.Segments) != 1 || m.Segments[0].Name != space || m.Segments[0].Size != 1<<30 ||
			len(m.Segments[0].Data) != 0 {
			t.Errorf("segments of %s are %+v", text, m.Segments)
		}
	}
	if m := mustParse(t, head+".shared .b8 x[1073741824]; .extern .shared .b8 y[];"); m.SharedSize != 1<<30 {
		t.Errorf("%d bytes of shared memory", m.SharedSize)
	}
	nested := func(before, open string, n int, inside, closed, after string) string {
		return head + before + strings.Repeat(open, n) + inside + strings.Repeat(closed, n) + after
	}
	for _, c := range []struct {
		most, more string
		want       string
	}{
		{nested(".global .b8 x[2] = ", "{", maxNesting+1, "1", "}", ";"),
			nested(".global .b8 x[2] = ", "{", maxNesting+2, "1", "}", ";"), "initialisers are nested more"},
		{nested(".func f() ", "{", maxNesting, "ret;", "}", ""),
			nested(".func f() ", "{", maxNesting+1, "ret;", "}", ""), "blocks are nested more"},
		{nested(".func f() { x ", "{", 3, "1", "}", "; }"), nested(".func f() { x ", "{", 4, "1", "}", "; }"),
			"operands are nested more"},
		{head + ".file 1048576 \"a\"", head + ".file 1048577 \"a\"", "a number from 0 to 1048576"},
		{head + ".func f() { .reg .b32 %r<1048576>; ret; }",
			head + ".func f() { .reg .b32 %r<1048577>; ret; }", "a number from 0 to 1048576"},
	} {
		if _, err := Parse("t.ptx", c.most); err != nil {
			t.Errorf("%.60q: %v", c.most, err)
		}
		if _, err := Parse("t.ptx", c.more); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: error %v, want %s", c.more, err, c.want)
		}
	}
}

// Text has a statement's number in four bytes.
func TestTextNumbers(t *testing.T) {
	const n = 1<<16 + 0x203
	text := (&Module{end: CodeBase + (n+1)*InstSize}).Text()
	if got := text[n*InstSize:]; !slices.Equal(got, []byte{0x90, 3, 2, 1, 0, 0, 0, 0}) {
		t.Errorf("statement %#x has the bytes % x", n, got)
	}
}

// Of variables of one name that functions hide in their bodies, sections mean the first; a number of 64 bits
// tells which function's it is.
func TestHiddenNames(t *testing.T) {
	m := mustParse(t, head+`.func f() { .local .b8 depot[8]; ret; }
.func g() { .local .b8 pad[16]; .local .b8 depot[8]; .local .b8 more[8]; ret; }
.section .debug_loc { .b64 depot, pad, more }`)
	d := m.Sections[0].Data
	depot, pad, more := binary.LittleEndian.Uint64(d), binary.LittleEndian.Uint64(d[8:]),
		binary.LittleEndian.Uint64(d[16:])
	if uint32(depot) != 0 || uint32(pad) != 0 || uint32(more) != 24 {
		t.Errorf("addresses %#x, %#x and %#x, want 0, 0 and 24 in the low halves", depot, pad, more)
	}
	if depot>>48 != LocalBase>>48 || pad>>48 != LocalBase>>48 || depot>>32 == pad>>32 || pad>>32 != more>>32 {
		t.Errorf("addresses %#x, %#x and %#x, want two functions' in .local", depot, pad, more)
	}
}

// Names in sections stand for addresses, offsets and distances.
func TestSectionValues(t *testing.T) {
	m := mustParse(t, head+`.global .u32 g;
.func f() { .local .b8 depot[8]; .local .b8 second[8]; ret; $end: }
.section .debug_loc { .b8 1, 2
$here: .b64 f, g+4, $end-f
.b32 second, $here, .debug_abbrev
.b16 -1 }`)
	d := m.Sections[0].Data
	f, g := m.Func("f").Start, m.Vars[0].Addr
	for i, want := range []uint64{f, g + 4, 8} {
		if got := binary.LittleEndian.Uint64(d[2+8*i:]); got != want {
			t.Errorf("value %d is %#x, want %#x", i, got, want)
		}
	}
	for i, want := range []uint32{8, 2, 0} {
		if got := binary.LittleEndian.Uint32(d[26+4*i:]); got != want {
			t.Errorf("word %d is %#x, want %#x", i, got, want)
		}
	}
}

func TestInitialValues(t *testing.T) {
	m := mustParse(t, head+`.global .align 4 .u32 a[4] = {1, -2, (3+4)*2<<1};
.global .f32 h = 1.5;
.global .f64 d = 0f3F800000;
.const .b64 p[2] = {generic(a)+8, a};
.global .b8 part[3] = {0xFF(a), 0xFF00(a), 0xFF0000(a)};
.global .u16 nested[2][2] = {{1, 2}, {3}};`)
	var all []byte
	for _, s := range m.Segments {
		all = append(all, s.Data...)
	}
	a := m.Vars[0].Addr
	want := binary.LittleEndian.AppendUint64(nil, a+8)
	want = binary.LittleEndian.AppendUint64(want, a)
	for _, v := range []uint32{1, 0xfffffffe, 28, 0, 0x3fc00000, 0, 0, 0x3ff00000} {
		want = binary.LittleEndian.AppendUint32(want, v)
	}
	want = append(want, byte(a), byte(a>>8), byte(a>>16), 0, 1, 0, 2, 0, 3, 0, 0, 0)
	if !slices.Equal(all, want) {
		t.Errorf("data\n% x, want\n% x", all, want)
	}
}

func TestOperands(t *testing.T) {
	m := mustParse(t, head+`.global .u32 g[4];
.func (.param .b32 r) f(.param .b64 a) {
	.reg .b32 %r<4>; .reg .b64 %rd<2>; .reg .pred %p<3>, q;
again:
	@!%p1 ld.global.v2.b32 {%r1, _}, [%rd1+-8];
	setp.eq.s32 %p1|q, %r1, -5;
	add.f32 %r1, %r2, 0f3F800000;
	st.b32 [g+4], %r3;
	mov.u32 %r1, %tid.x;
	call.uni (r), f, (a);
	targets: .branchtargets again, end;
	brx.idx %r1, targets;
	mov.pred %p1, !q;
end:
	bra again;
}`)
	in := m.Funcs[0].Insts()
	if in[0].Guard < 0 || !in[0].Not || in[0].Args[0].Kind != OpVector ||
		in[0].Args[0].List[1].Kind != OpSink {
		t.Errorf("load: %+v", in[0])
	}
	mem := in[0].Args[1]
	if mem.Kind != OpMem || int64(mem.Value) != -8 || m.Funcs[0].RegName(mem.List[0].Reg) != "%rd1" {
		t.Errorf("address: %+v", mem)
	}
	if o := in[1].Args[0]; m.Funcs[0].RegName(o.Reg) != "%p1" || m.Funcs[0].RegName(o.Reg2) != "q" {
		t.Errorf("pair: %+v", o)
	}
	if int64(in[1].Args[2].Value) != -5 || in[2].Args[2].Kind != OpFloat32 ||
		in[4].Args[1].Kind != OpSpecial {
		t.Errorf("constants: %+v %+v %+v", in[1].Args[2], in[2].Args[2], in[4].Args[1])
	}
	if mem := in[3].Args[0]; mem.List[0].Var != m.Vars[0] || mem.Value != 4 {
		t.Errorf("variable: %+v", mem)
	}
	if in[5].Args[1].Func != m.Funcs[0] || in[5].Args[2].List[0].Var.Name != "a" {
		t.Errorf("call: %+v", in[5])
	}
	if l := in[6].Args[1].List; len(l) != 2 || l[0].Value != CodeBase || l[1].Value != CodeBase+64 {
		t.Errorf("targets: %+v", l)
	}
	if in[8].Args[0].Value != CodeBase || !in[7].Args[1].Not {
		t.Errorf("label %+v, negation %+v", in[8].Args[0], in[7].Args[1])
	}
	if got := in[0].Text; got != "@!%p1 ld.global.v2.b32 {%r1, _}, [%rd1+-8];" {
		t.Errorf("text %q", got)
	}
}

// Elements of arrays by number: their addresses for mov, what lies there for others.
func TestSubscripts(t *testing.T) {
	m := mustParse(t, head+`.global .u32 g[4];
.func f() {
	.reg .b32 %r<4>; .reg .b64 %rd<2>;
	.shared .align 16 .b8 s[32];
	mov.u64 %rd1, s[0];
	mov.u64 %rd1, g[3];
	ld.global.u32 %r1, g[2];
	st.shared.b8 s[5], %r1;
}`)
	in := m.Funcs[0].Insts()
	for i, want := range []uint64{0, 12} {
		if o := in[i].Args[1]; o.Kind != OpVar || o.Value != want {
			t.Errorf("address of an element: %+v, want %d", o, want)
		}
	}
	for i, want := range map[int]uint64{2: 8, 3: 5} {
		o := in[i].Args[3-i]
		if o.Kind != OpMem || o.Value != want || len(o.List) != 1 || o.List[0].Var == nil ||
			o.List[0].Value != 0 {
			t.Errorf("element: %+v, want %d", o, want)
		}
	}
}

// Labels belong to the block that they stand in.
func TestLabelsOfBlocks(t *testing.T) {
	m, err := Parse("t.ptx", `.version 8.0
.target sm_90
.address_size 64
.func f() {
	bra b;
	{ a: bra a; }
	{ bra a; bra b; { a: bra a; bra b; } a: ret; }
	a: bra a;
	b: ret;
}`)
	if err != nil {
		t.Fatal(err)
	}
	f := m.Func("f")
	var got []int
	for _, in := range f.Insts() {
		if in.Op == "bra" {
			got = append(got, int(in.Args[0].Value-f.Start)/InstSize)
		}
	}
	// bra b, bra a; bra a, bra b, bra a, bra b, ret; bra a; ret
	if want := []int{8, 1, 6, 8, 4, 8, 7}; !slices.Equal(got, want) {
		t.Errorf("jumps to statements %v, want %v", got, want)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"x", `t.ptx:1:1: expected a directive (.func, .entry, .global, .section …), found "x"`},
		{".version 1.0", "t.ptx:1:10: expected a version from 3.0 to 9.9 of PTX, found 1.0"},
		{".address_size 32",
			"t.ptx:1:15: expected an .address_size of 64; this machine has no 32-bit addresses"},
		{".func f() { ld.b32 %r1, [%r2]; }", `t.ptx:1:20: the register "%r1" is not declared`},
		{".func f() {\n  add.s32 x y;\n}", `t.ptx:2:13: expected "," or ";" after an operand, found "y"`},
		{".func f() { bra nowhere; }", `nowhere" is not declared`},
		{".func f() { a: ret; a: ret; }", `t.ptx:1:21: the label "a" is defined already`},
		{".func f() { { a: ret; } bra a; }", `"a" is not declared`},
		{".func f() { @%p1 ret; }", `expected a predicate register, found "%p1"`},
		{".func f() { ret; ", `found the end of the file`},
		{".global .align 3 .b8 a;", "t.ptx:1:16: expected an alignment that is a power of two, found 3"},
		{".global .b8 a[2] = {1,2,3};", `"a" has 2 bytes, fewer than its initial values`},
		{".global .b8 a[99999999999];", "expected the size of an array, a number from 0 to 1073741824"},
		{".global .u32 a = b;", `"b" is not declared`},
		{".global .u32 a; .global .u32 a;", `t.ptx:1:30: "a" is declared already`},
		{".func f() {ret;} .func f() {ret;}", `t.ptx:1:24: "f" is defined already`},
		{`.file 1 "abc`, `t.ptx:1:9: expected a closing " before the end of the line`},
		{".section .debug_info { .b32 nothing }", `t.ptx:1:29: expected a label, a variable, a function`},
		{".global .u32 a = 1/0;", "t.ptx:1:19: a constant is divided by zero"},
		{".func f() { .reg .b32 %r<2000000>; }", "a number from 0 to 1048576"},
		{".entry k(.reg .u32 x) { }",
			"t.ptx:1:10: expected .param: parameters in registers went with PTX 2.0"},
		{".func f() " + strings.Repeat("{", 100), "blocks are nested more than 64 deep"},
		{".global .u32 a = " + strings.Repeat("-", 100) + "1;", "expressions are nested more than 64 deep"},
		{".func f() { ld.u32 _, x[1]; }", `t.ptx:1:23: expected the name of an array before [, found "x"`},
		{".global .u32 x[2]; .func f() { ld.u32 _, x[1.5]; }", "expected a whole number as a subscript"},
		{".global .texref t = 1;",
			`t.ptx:1:19: "t" is of the type .texref: such variables have no initial values here`},
		{".tex .b8 t;", "t.ptx:1:6: expected the type of a variable in .tex, .u32 or .u64, found \".b8\""},
		{"a", `, found "a"`}, {"a.", `, found "a"`}, {"a:", `, found "a"`}, {"a::", `, found "a"`},
		{"a.b", `, found "a.b"`}, {"a::b", `, found "a::b"`}, {"a:b", `, found "a"`},
		{".a", `.shared or another directive, found ".a"`}, {".", `a sign of the language, found "."`},
		{".global .b8 x[67108865] = {1};",
			"the initial values of variables in .global have more than 67108864 bytes"},
		{"é", `t.ptx:1:1: expected a name, a number, a directive or a sign of the language, found "\xc3"`},
	} {
		_, err := Parse("t.ptx", c.text)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%.40q: error %v, want %s", c.text, err, c.want)
		}
	}
}

// What else the language allows.
func TestLanguage(t *testing.T) {
	m := mustParse(t, head+`.visible .entry k(.param .u64 .ptr .shared .align 16 k_0,
.param .align 8 .b8 k_1[16])
.maxntid 128, 2 .minnctapersm 3 .reqntid 64 .pragma "x"; { ret; }
.extern .func (.param .b32 r) printf_like(.param .b64 p, .param .align 8 .b8 rest[]) .noreturn;
.weak .func g(.param .b32 a);
.func g(.param .b32 a) { .reg .b64 %x; { .reg .b32 %x; mov.b32 %x, 1; } mov.b64 %x, k; ret; }
.alias h, g; /* a comment
over lines */ .common .global .u32 c;
.func i() { proto: .callprototype (.param .b32 _) _ (.param .align 8 .b8 _[16], .param .b64 _);
.shared .align 8 .b8 s[8]; .reg .b64 %rd; call %rd, (), proto; call h, (_); }
`)
	k := m.Func("k")
	if k.MaxThreads != [3]uint32{128, 2, 1} || k.ReqThreads != [3]uint32{64, 1, 1} || !k.Entry || !k.Visible {
		t.Errorf("kernel %+v", k)
	}
	if p := k.Params[0].Pointer; p == nil || p.Space != Shared || p.Align != 16 {
		t.Errorf("pointer %+v", p)
	}
	g := m.Func("g")
	if a, b := g.Insts()[0].Args[0].Reg, g.Insts()[1].Args[0].Reg; g.RegBits(a) != 32 || g.RegBits(b) != 64 {
		t.Errorf("registers %d and %d of the same name have %d and %d bits", a, b, g.RegBits(a), g.RegBits(b))
	}
	call := m.Func("i").Insts()[0]
	if p := call.Args[2].Proto; p == nil || len(p.Params) != 2 || p.Params[0].Size != 16 ||
		len(p.Results) != 1 {
		t.Errorf("prototype %+v", p)
	}
	if m.Func("i").Insts()[1].Args[0].Func != g {
		t.Error("an alias is not the function it names")
	}
}

// TestParseKeepsNoBodies: statements that are only looked at take no memory of their own.
func TestParseKeepsNoBodies(t *testing.T) {
	parse := func(statements int) float64 {
		text := head + ".entry k(.param .u64 a)\n{\n.reg .b64 %d<4>;\n.reg .b32 %r<4>;\n" +
			strings.Repeat("\tld.global.v2.b32 \t{%r1, %r2}, [%d1+8];\n"+
				"\tadd.s32 \t%r3, %r1, 7;\n", statements) + "}\n"
		return testing.AllocsPerRun(3, func() {
			if _, err := Parse("k.ptx", text); err != nil {
				t.Fatal(err)
			}
		})
	}
	if few, many := parse(1000), parse(3000); many-few > 2000*3 { // a list of two registers grows twice
		t.Errorf("2000 more loads and sums take %v more pieces of memory", many-few)
	}
}
