package ptx

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/loader"
)

// initialValue is what a variable of a type has that is declared with an expression.
func initialValue(t *testing.T, typ, expression string) (uint64, error) {
	t.Helper()
	m, err := Parse("t.ptx", head+fmt.Sprintf(".global .%s x = %s;", typ, expression))
	if err != nil {
		return 0, err
	}
	var b [8]byte
	copy(b[:], m.Segments[0].Data)
	return binary.LittleEndian.Uint64(b[:]), nil
}

// TestConstantExpressions: operators mean and bind as in C (PTX ISA, "Constant Expressions"), on 64 bits.
func TestConstantExpressions(t *testing.T) {
	const ones = math.MaxUint64
	for _, c := range []struct {
		text string
		want uint64
	}{
		{"7", 7}, {"0x1F", 31}, {"0X1f", 31}, {"017", 15}, {"0b101", 5}, {"5U", 5},
		{"0xffffffffffffffff", ones},
		{"-1", ones}, {"- -3", 3}, {"+3", 3}, {"~0", ones}, {"~0 - 1", ones - 1}, {"-(2 + 3)", ones - 4},
		{"1 + 2 * 3", 7}, {"(1 + 2) * 3", 9}, {"10 - 3 - 2", 5}, {"100 / 5 / 2", 10}, {"7 / 2", 3},
		{"-7 / 2", ones - 2},
		{"7 / -1", ones - 6}, {"0x8000000000000000 / -1", 1 << 63}, {"-8 / -2", 4},
		{"1 << 4 + 1", 32}, {"256 >> 2 << 1", 128}, {"-8 >> 1", ones - 3}, {"1 << 63", 1 << 63},
		{"12 & 10", 8}, {"12 | 3", 15}, {"12 ^ 10", 6}, {"1 | 2 ^ 3 & 2", 1}, {"4 & 6 + 1", 4},
		{"2 && 0", 0}, {"2 && 3", 1}, {"0 && 0", 0}, {"0 || 0", 0}, {"2 || 0", 1}, {"0 || 5", 1},
		{"1 || 0 && 0", 1}, {"3 | 4 && 8 & 7", 0}, {"1 & 2 || 1", 1}, {"2*3+4*5", 26}, {"6-2*2", 2},
	} {
		if got, err := initialValue(t, "u64", c.text); err != nil || got != c.want {
			t.Errorf("%s is %#x, %v; want %#x", c.text, got, err, c.want)
		}
	}
	for text, want := range map[string]string{
		"1 / 0": "a constant is divided by zero", "0x": "expected an initial value",
		"1_0": "expected an initial value",
		"08":  "expected an initial value", "1.5 + 1": "expected whole numbers on both sides of +",
		"1 + 0f3F800000": "expected whole numbers on both sides of +",
		"(1":             `expected ")" after an expression`,
		"0f3F80000":      "expected an initial value", "0xffffffffffffffff1": "expected an initial value",
		"1.5":                         "expected a whole number for a variable of type .u64",
		"0d3FF0000000000000":          "expected a whole number for a variable of type .u64",
		strings.Repeat("(", 66):       "expressions are nested more than 64 deep",
		strings.Repeat("-", 65) + "1": "expressions are nested more than 64 deep",
	} {
		if _, err := initialValue(t, "u64", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20s: error %v, want %q", text, err, want)
		}
	}
	if _, err := initialValue(t, "u64", strings.Repeat("-", 64)+"1"); err != nil {
		t.Errorf("64 signs: %v", err)
	}
}

// TestFloatConstants: floating-point numbers as decimals or as their bits, in the format of the variable.
func TestFloatConstants(t *testing.T) {
	f64 := math.Float64bits
	f32 := func(f float32) uint64 { return uint64(math.Float32bits(f)) }
	for _, c := range []struct {
		typ, text string
		want      uint64
	}{
		{"f32", "1.5", f32(1.5)}, {"f64", "1.5", f64(1.5)}, {"f32", "-1.5", f32(-1.5)},
		{"f64", "-1.5", f64(-1.5)},
		{"f64", "1.0e3", f64(1000)}, {"f64", "1.5E-2", f64(0.015)}, {"f64", "25.e+1", f64(250)},
		{"f32", "0f3F800000", f32(1)}, {"f32", "0F3f800000", f32(1)}, {"f64", "0f3F800000", f64(1)},
		{"f64", "0d3FF0000000000000", f64(1)}, {"f32", "0D3ff0000000000000", f32(1)},
		{"f32", "-0f3F800000", f32(-1)}, {"f64", "-0f3F800000", f64(-1)},
		{"f64", "-0d3FF0000000000000", f64(-1)},
		{"f32", "3", f32(3)}, {"f64", "-3", f64(-3)}, {"b32", "0f3F800000", f32(1)},
		{"b64", "0d3FF0000000000000", f64(1)}, {"b64", "0f3F800000", 0x3f800000}, {"f32", "0.1", f32(0.1)},
	} {
		if got, err := initialValue(t, c.typ, c.text); err != nil || got != c.want {
			t.Errorf("%s of .%s is %#x, %v; want %#x", c.text, c.typ, got, err, c.want)
		}
	}
}

// TestIs: a text of PTX begins with .version, behind comments.
func TestIs(t *testing.T) {
	for text, want := range map[string]bool{head: true, "// made by\n\n/* of */ .version 7.0": true,
		"\n\t.version 8.3\n": true, "": false, ".target sm_80": false, "// .version 7.0": false,
		".version": false, "x .version 7.0": false, "\x7fELF": false, ".versions 7": false} {
		if got := Is([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestOpen: what a module's text comes to as a neutral module: segments, symbols, kernels, their arguments.
func TestOpen(t *testing.T) {
	text := head + `.extern .func elsewhere(.param .b32 a);
.const .align 4 .u32 table[2] = {1, 2};
.global .align 8 .u64 counter;
.shared .align 4 .u32 own[4];
.visible .func f() { ret; }
.weak .func g() { ret; }
.func h() { ret; }
.visible .entry k(.param .u64 a, .param .u32 b, .param .align 8 .b8 c[24],
	.param .u64 .ptr .global .align 16 d,
	.param .u64 .ptr .shared .align 4 e, .param .u64 .ptr .const .align 8 f1, .param .u64 .ptr .align 2 g1,
	.param .b8 h1, .param .f64 i, .param .s64 j, .param .b64 l)
.maxntid 64, 2
.reqntid 32, 2, 1
{ .local .align 8 .b8 depot[40]; .reg .b32 %r<2>; ld.shared.u32 %r1, [own]; ret; }
.entry single() .maxntid 96 { ret; }
.entry whole() { ret; }
.entry declared();
.section .debug_str { .b8 65, 0 }
`
	m, err := Open("t.ptx", append([]byte(text), 0, 0))
	if err != nil {
		t.Fatal(err)
	}
	own := Of(m)
	if own == nil || m.Format != Format || m.Target.Name != "sm_80" || Of(&loader.Module{}) != nil {
		t.Fatalf("%+v", m.Target)
	}
	type symbol struct {
		Name         string
		Kind         loader.SymbolKind
		Global, Weak bool
		Undefined    bool
		Section      string
		Size         uint64
	}
	var symbols []symbol
	for _, s := range m.Symbols {
		symbols = append(symbols, symbol{s.Name, s.Kind, s.Global, s.Weak, s.Undefined, s.Section, s.Size})
		if s.Kind == loader.SymbolFunc && s.Addr != own.Func(s.Name).Start {
			t.Errorf("%s is at %#x", s.Name, s.Addr)
		}
	}
	want := []symbol{
		{"f", loader.SymbolFunc, true, false, false, "code", 16},
		{"g", loader.SymbolFunc, true, true, false, "code", 16},
		{"h", loader.SymbolFunc, false, false, false, "code", 16},
		{"k", loader.SymbolFunc, true, false, false, "code", 24},
		{"single", loader.SymbolFunc, true, false, false, "code", 16},
		{"whole", loader.SymbolFunc, true, false, false, "code", 16},
		{"elsewhere", loader.SymbolFunc, false, false, true, "code", 16},
		{"declared", loader.SymbolFunc, true, false, true, "code", 16},
		{"table", loader.SymbolObject, true, false, false, "const", 8},
		{"counter", loader.SymbolObject, true, false, false, "global", 8},
	}
	if diff := cmp.Diff(want, symbols); diff != "" {
		t.Errorf("symbols (-want +got):\n%s", diff)
	}
	type segment struct {
		Name              string
		Size              uint64
		Read, Write, Exec bool
	}
	var segments []segment
	for _, s := range m.Segments {
		segments = append(segments, segment{s.Name, s.MemSize, s.Read, s.Write, s.Exec})
	}
	if diff := cmp.Diff([]segment{{"code", uint64(len(own.Text())), true, false, true},
		{"const", 8, true, false, false}, {"global", 8, true, true, false}}, segments); diff != "" {
		t.Errorf("segments (-want +got):\n%s", diff)
	}
	if len(m.Sections) != 1 || m.Sections[0].Name != ".debug_str" || string(m.Sections[0].Data) != "A\x00" {
		t.Errorf("sections %+v", m.Sections)
	}
	checkKernels(t, m)
}

func checkKernels(t *testing.T, m *loader.Module) {
	t.Helper()
	if len(m.Kernels) != 3 {
		t.Fatalf("%d kernels", len(m.Kernels))
	}
	k := m.Kernels[0]
	want := []loader.Arg{
		{Offset: 0, Size: 8, Kind: loader.ByValue, TypeName: ".u64", MayPoint: true},
		{Offset: 8, Size: 4, Kind: loader.ByValue, TypeName: ".u32"},
		{Offset: 16, Size: 24, Kind: loader.ByValue},
		{Offset: 40, Size: 8, Kind: loader.GlobalBuffer, AddressSpace: "global", PointeeAlign: 16},
		{Offset: 48, Size: 8, Kind: loader.DynamicSharedPointer, AddressSpace: "local", PointeeAlign: 4},
		{Offset: 56, Size: 8, Kind: loader.GlobalBuffer, AddressSpace: "constant", PointeeAlign: 8},
		{Offset: 64, Size: 8, Kind: loader.GlobalBuffer, AddressSpace: "generic", PointeeAlign: 2},
		{Offset: 72, Size: 1, Kind: loader.ByValue, TypeName: ".b8"},
		{Offset: 80, Size: 8, Kind: loader.ByValue, TypeName: ".f64"},
		{Offset: 88, Size: 8, Kind: loader.ByValue, TypeName: ".s64", MayPoint: true},
		{Offset: 96, Size: 8, Kind: loader.ByValue, TypeName: ".b64", MayPoint: true},
	}
	if diff := cmp.Diff(want, k.Args); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
	if k.Name != "k" || k.ArgSize != 104 || k.ArgAlign != 8 || k.LDSSize != 16 || k.PrivateSize != 40 ||
		!k.DynamicStack || k.WavefrontSize != 32 || k.ReqdWorkgroupSize != [3]uint32{32, 2, 1} ||
		k.MaxFlatWorkgroupSize != 128 {
		t.Errorf("%+v", k)
	}
	if m.Kernels[1].MaxFlatWorkgroupSize != 96 || m.Kernels[2].MaxFlatWorkgroupSize != 1024 {
		t.Errorf("workgroups of at most %d and %d", m.Kernels[1].MaxFlatWorkgroupSize,
			m.Kernels[2].MaxFlatWorkgroupSize)
	}
}

// TestOldVersions: texts of PTX before 6.0 are read, with a warning.
func TestOldVersions(t *testing.T) {
	for version, want := range map[string]int{"5.0": 1, "3.2": 1, "6.0": 0, "9.9": 0} {
		m := mustParse(t, ".version "+version+"\n.target sm_50, debug\n")
		if len(m.Warnings) != want || !m.Debug || m.Target != "sm_50" ||
			want == 1 && m.Warnings[0] != "t.ptx:1: PTX "+version+" is older than 6.0: its warp operations "+
				"name no lanes" {
			t.Errorf("%s: %q", version, m.Warnings)
		}
	}
}

// TestMoreErrors: what the language does not allow, at its place.
func TestMoreErrors(t *testing.T) {
	body := func(s string) string { return ".func f() { .reg .b32 %r<4>; .reg .pred %p; " + s + " }" }
	for _, c := range []struct{ text, want string }{
		{".version 7", `expected a version of the language, as 7.8, found "7"`},
		{".version x.1", "expected a version of the language"}, {".version 10.0", "found 10.0"},
		{".file 1 a", "expected the name of a file in quotes"},
		{".file 1048577 \"a\"", "a number from 0 to 1048576"},
		{".file 1 \"a\", x", "expected a number"}, {".pragma x;", "expected a pragma in quotes"},
		{`.pragma "x"`, `expected ";" after .pragma`},
		{body(".loc 1 2 3, other x"), `expected function_name or inlined_at, found "other"`},
		{".alias a, b;", `expected a function declared before, found "b"`},
		{".func a() {ret;} .func b() {ret;} .alias a, b;", `"a" is defined already`},
		{".visible x", "expected a state space, .func or .entry"},
		{".visible .align", "expected .func, .entry, .const, .global, .shared or another directive"},
		{".global x;", "expected the type of a variable, as .b32"}, {".global .pred x;", `found ".pred"`},
		{".global .ptr x;", "expected the type of a variable in front of .ptr"},
		{".global .b8 x[];", `expected a size of "x"`},
		{".shared .u32 x = 1;", "variables in .shared have no initial"},
		{".global .attribute(x", `expected ")" after .attribute`},
		{".global .b8 x[1073741824][2];", "has more than 1073741824 bytes"},
		{".global .b8 x[1073741824]; .global .b8 y;", "in .global have more than 1073741824 bytes"},
		{".shared .b8 x[1073741824]; .shared .b8 y;", "in .shared have more than 1073741824 bytes"},
		{".global .b8 x[2] = " + strings.Repeat("{", 70), "initialisers are nested more than 64 deep"},
		{".global .u64 a; .global .b8 x = 0(a);", "expected a mask that is not zero"},
		{".global .u64 a; .global .u64 b = generic(a;", `expected ")" after the name in generic(`},
		{".global .b8 x[2] = {1 2};", `expected "," between initial values`},
		{".section 5 {", "expected the name of a section"},
		{".section .d x", `expected "{" before the contents`},
		{".section .d { 5 }", "expected .b8, .b16, .b32, .b64, a label"},
		{".section .d { .b8 1.5 }", "expected a whole number in a section"},
		{".section .d { a: a: }", `the label "a" is defined already`},
		{".section .d { a: } .section .e { a: }", "is defined in another section already"},
		{".section .d { .b8 a } .global .u8 a;", "does not fit into 1 bytes"},
		{body("5;"), "expected an instruction"}, {body("%r1;"), "expected an instruction"},
		{body("x !%r1;"), "expected a predicate register after !"},
		{body("x -%tid.x;"), "expected a register or a number after -"},
		{body("x %r1|%q;"), `the register "%q" is not declared`},
		{body("x %tid.w1;"), `"%tid.w1" is not declared`},
		{body("x %tidx;"), `"%tidx" is not declared`},
		{body("x [%r1+1.5];"), "expected a whole number as an offset"},
		{body("x {{{{{1}}}}};"), "operands are nested more than 3 deep"},
		{body("x " + strings.Repeat("1,", 16) + "1;"), "more than 16 operands"},
		{body("x {" + strings.Repeat("1,", 256) + "1};"), "more than 256 operands"},
		{body("x [%r1;"), `expected "]" after an address`},
		{body("x {1 2};"), `expected "," between operands`},
	} {
		_, err := Parse("t.ptx", c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.60q: error %v, want %s", c.text, err, c.want)
		}
	}
}

// TestMoreOperands: what operands may be, behind signs and with parts.
func TestMoreOperands(t *testing.T) {
	m := mustParse(t, head+`.global .align 4 .b32 g[8];
.func f() {
	.reg .b32 %r<4>; .reg .pred %p;
	vmad.u32.u32.u32 %r0, %r1.b0, -%r2.h1, -5;
	x {%r1, %r2}|%p, _|%r3, %r1|_;
	tex.2d.v4 {%r0, %r1}, [g, {%r2, %r3}], 1.5, 0f3F800000;
	ld.u32 %r1, [16];
	mov.u32 %r1, %clock64, %envreg31, %lanemask_lt, %tid.x, %current_graph_exec_64;
	ld.u32 %r1, [g-4];
}`)
	f := m.Funcs[0]
	in := f.Insts()
	reg := func(name string) int { i, _ := f.Reg(name); return i }
	if a := in[0].Args; a[1].Part != "b0" || a[1].Reg != reg("%r1") || a[2].Part != "h1" || !a[2].Negated ||
		a[3].Kind != OpInt || int64(a[3].Value) != -5 || a[3].Negated || a[1].Negated {
		t.Errorf("parts: %+v", a)
	}
	if a := in[1].Args; a[0].Kind != OpVector || a[0].Reg2 != reg("%p") || a[1].Kind != OpSink ||
		a[1].Reg2 != reg("%r3") || a[2].Reg != reg("%r1") || a[2].Reg2 != -1 {
		t.Errorf("second registers: %+v", a)
	}
	if a := in[2].Args; a[1].Kind != OpMem || len(a[1].List) != 2 || a[1].List[0].Var != m.Vars[0] ||
		a[1].List[1].Kind != OpVector || a[2].Kind != OpFloat64 || a[3].Kind != OpFloat32 {
		t.Errorf("texture: %+v", a)
	}
	if a := in[3].Args[1]; a.Kind != OpMem || a.List[0].Kind != OpInt || a.List[0].Value != 16 {
		t.Errorf("address: %+v", a)
	}
	for i, a := range in[4].Args[1:] {
		if a.Kind != OpSpecial {
			t.Errorf("special register %d: %+v", i, a)
		}
	}
	if a := in[5].Args[1]; int64(a.Value) != -4 || a.List[0].Var != m.Vars[0] {
		t.Errorf("below a variable: %+v", a)
	}
}

// TestComments: what is no token, and where tokens stand.
func TestComments(t *testing.T) {
	_, err := Parse("t.ptx", "// one\n/* two\nthree */ \t.version 7.8 // four\r\n\f\v/**/x")
	if err == nil || !strings.HasPrefix(err.Error(), "t.ptx:4:7: ") {
		t.Errorf("error %v, want one at 4:7", err)
	}
	for _, text := range []string{"/* no end", "// no end", ""} {
		if _, err := Parse("t.ptx", head+text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	m := mustParse(t, head+`.file 1 "a\"b\\c"`)
	if m.Files[1] != `a"b\c` {
		t.Errorf("file %q", m.Files[1])
	}
}

// TestRegisterNames: registers are found by the names that they were declared with, and by no others.
func TestRegisterNames(t *testing.T) {
	m := mustParse(t, head+".func f() { .reg .b32 %r<3>, x; .reg .pred %p<2>; .reg .b64 %rd<1>; ret; }")
	f := m.Funcs[0]
	for i, want := range []struct {
		name string
		bits int
	}{{"%r0", 32}, {"%r1", 32}, {"%r2", 32}, {"x", 32}, {"%p0", 1}, {"%p1", 1}, {"%rd0", 64}} {
		if n, ok := f.Reg(want.name); n != i || !ok || f.RegName(i) != want.name ||
			f.RegBits(i) != want.bits {
			t.Errorf("register %d is %q of %d bits; %s is %d, %v", i, f.RegName(i), f.RegBits(i), want.name,
				n, ok)
		}
	}
	for _, name := range []string{"%r3", "%r", "%r01", "%r-1", "%r1x", "y", "%rd", "%p2", "xx", ""} {
		if n, ok := f.Reg(name); ok {
			t.Errorf("there is a register %q, %d", name, n)
		}
	}
	for _, i := range []int{-1, 7, 100} {
		if f.RegName(i) != "" || f.RegBits(i) != 0 {
			t.Errorf("register %d is %q of %d bits", i, f.RegName(i), f.RegBits(i))
		}
	}
	if m.Func("g") != nil || m.Func("f") != f {
		t.Error("functions by name")
	}
	for addr, want := range map[uint64]*Func{CodeBase - 1: nil, CodeBase: f, CodeBase + 15: f,
		CodeBase + 16: nil} {
		if got := m.FuncAt(addr); got != want {
			t.Errorf("at %#x is %v", addr, got)
		}
	}
}

// TestSpecialRegisters: those of the PTX ISA's chapter 10, and no others, need no declaration.
func TestSpecialRegisters(t *testing.T) {
	for _, name := range strings.Fields(`%tid.x %tid.y %tid.z %tid.w %ntid.x %laneid %warpid %nwarpid %ctaid.x
		%nctaid.x %smid %nsmid %gridid %is_explicit_cluster %clusterid.x %nclusterid.x %cluster_ctaid.x
		%cluster_nctaid.x %cluster_ctarank %cluster_nctarank %lanemask_eq %lanemask_le %lanemask_lt
		%lanemask_ge %lanemask_gt %clock %clock_hi %clock64 %pm0 %pm7 %pm0_64 %pm7_64 %envreg0 %envreg31
		%globaltimer %globaltimer_lo %globaltimer_hi %reserved_smem_offset_begin %reserved_smem_offset_end
		%reserved_smem_offset_cap %reserved_smem_offset_0 %reserved_smem_offset_1 %total_smem_size
		%aggr_smem_size %dynamic_smem_size %current_graph_exec`) {
		text := head + ".func f() { .reg .b32 %r; mov.b32 %r, " + name + "; ret; }"
		if _, err := Parse("t.ptx", text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"%tid.v", "%tid.xy", "%tie", "%lanemask", "%reserved_smem_offset",
		"%pm0_32", "%q0"} {
		_, err := Parse("t.ptx", head+".func f() { .reg .b32 %r; mov.b32 %r, "+name+"; ret; }")
		if err == nil || !strings.Contains(err.Error(), "is not declared") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAliases: a function of another name, also where that was declared and used before.
func TestAliases(t *testing.T) {
	m := mustParse(t, head+`.func b();
.global .u64 p = b;
.func a() { ret; }
.alias b, a;
.alias c, a;
.func user() { call b; call c; ret; }`)
	a := m.Func("a")
	if m.Func("b") != nil || m.Func("c") != nil || len(m.Funcs) != 2 {
		t.Errorf("%d functions", len(m.Funcs))
	}
	for i, in := range m.Func("user").Insts()[:2] {
		if in.Args[0].Func != a && in.Args[0].Value != a.Start {
			t.Errorf("call %d goes to %+v", i, in.Args[0])
		}
	}
	if got := binary.LittleEndian.Uint64(m.Segments[0].Data); got != a.Start {
		t.Errorf("the pointer is %#x, want %#x", got, a.Start)
	}
}
