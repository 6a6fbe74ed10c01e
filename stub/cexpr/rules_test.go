package cexpr

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
)

// TestRules: what C17, C++ and gdb say of numbers, types and operators, and where texts are refused.
func TestRules(t *testing.T) {
	env := objects()
	env.variables["huge"] = Value{Type: arrayOf(integerType(8, false), 70000), InMemory: true}
	env.variables["wide"] = Value{Type: base("__int128", 16, dwarf.ATESigned), InMemory: true, Addr: 16}
	env.variables["nine"] = Value{Type: base("odd", 9, dwarf.ATESigned), InMemory: true, Addr: 16}
	env.variables["short"] = Value{Type: integerType(32, true), Data: []byte{1, 2}}
	env.variables["unsized"] = Value{Type: dwarf.NewDIE(dwarf.TagStructureType), InMemory: true}
	env.variables["many"] = Value{Type: arrayOf(integerType(8, false), 17), InMemory: true, Addr: 1}
	env.variables["sixteen"] = Value{Type: arrayOf(integerType(8, false), 16), InMemory: true, Addr: 1}
	env.variables["deep"] = Value{Type: arrayOf(integerType(8, false), 1, 1, 1, 1, 2), InMemory: true,
		Addr: 5}
	env.variables["level"] = Value{Type: arrayOf(integerType(8, false), 1, 1, 1, 2), InMemory: true, Addr: 5}
	for _, c := range []struct{ text, want string }{
		// Types of constants (6.4.4.1), by their sizes and signs.
		{"sizeof 2147483647", "4"}, {"sizeof 2147483648", "8"}, {"sizeof 0x80000000", "4"},
		{"0xffffffff + 1", "0"},
		{"sizeof 0x100000000", "8"}, {"0x8000000000000000 > 0", "1"}, {"18446744073709551615 > 0", "1"},
		{"sizeof 1l", "8"}, {"sizeof 1ull", "8"}, {"-1u", "4294967295"}, {"1LL", "1"}, {"077", "63"},
		{"0", "0"},
		{"0b101", "5"}, {"0x1p3", "8"}, {"0x1.8p1f", "3"}, {"1e3", "1000"}, {"1e+3", "1000"},
		{"1E-2", "0.01"},
		{"0xe+1", "15"}, {"0x1P+3", "8"}, {".5", "0.5"}, {"5.", "5"}, {"sizeof 1.0f", "4"},
		{"sizeof 1.0", "8"},
		{"0xf", "15"}, {"-017", "-15"}, {"2147483648u * 2", "0"}, {"4294967295u", "4294967295"},
		{"sizeof 4294967296u", "8"},
		{"08", `refused: column 1: "08" is no number`}, {"1uu", `refused: column 1: "1uu" is no number`},
		{"1ulll", `refused: column 1: "1ulll" is no number`},
		{"1_0", `refused: column 1: "1_0" is no number`},
		{"1.5.2", `refused: column 1: "1.5.2" is no number`}, {"1e", `refused: column 1: "1e" is no number`},
		{"3 + 18446744073709551616", `refused: column 5: "18446744073709551616" is no number`},
		// Characters.
		{`'\x7f'`, "127"}, {`'\x80'`, `refused: column 1: '\x80' is no character`}, {`'\''`, "39"},
		{"' '", "32"},
		{"''", "refused: column 1: '' is no character"},
		{"'a", "refused: column 1: the character has no closing quote"},
		{`i + '\`, "refused: column 5: the character has no closing quote"},
		// Casts, and types by their names.
		{"(int****)0", "0x0"}, {"(int*****)0", `refused: column 9: "*" where ")" is expected`},
		{"(const int)3", "3"}, {"(int const *)0", "0x0"}, {"(unsigned)-1", "4294967295"},
		{"(struct struct)1", "<no type struct struct here>"}, {"(int &)s.f", "1069547520"},
		{"(float &)s.i", "1.5"},
		{"(int &&)s.i", "1069547520"}, {"(int &)3", "<a reference wants an object in memory>"},
		{"(int S)1", `refused: column 6: "S" where ")" is expected`},
		{"(S S)1", `refused: column 4: "S" where ")" is expected`},
		{"(*)1", `refused: column 3: ")" where a variable, a number or a register is expected`},
		{"(const)1", `refused: column 7: ")" where a type's name is expected`},
		{"(long long unsigned int)-1", "18446744073709551615"}, {"(void)1", "<void has no value>"},
		{"(int *)f", "<a float is no address>"}, {"(int *)bytes", "0x10"},
		{"(long)bytes", "<an array is no number>"},
		{"(kind)1", "GREEN"}, {"(union S)1", "<no type union S here>"}, {"(class S *)0", "0x0"},
		{"reinterpret_cast<long>(p)", "100"}, {"const_cast<char>(300)", "44"},
		{"S(1)", "<a number cannot be cast to a structure S>"},
		{"half(0.1)", "0.099975586"}, {"(half)65519", "65504"}, {"false", "false"}, {"sizeof(int) + 1", "5"},
		{"sizeof i + 1", "5"}, {"sizeof(i) + 1", "5"}, {"sizeof(void)", "1"}, {"sizeof i - 5 > 0", "1"},
		{"p == 1.5", "<a float is compared with a pointer>"}, {"sizeof -c", "4"},
		{"sizeof(c)", "1"},
		// Floats as integers are the nearest ones that there are.
		{"(unsigned long)-1.5", "18446744073709551615"}, {"(unsigned long)1e30", "18446744073709551615"},
		{"(long)1e30", "9223372036854775807"}, {"(long)-1e30", "-9223372036854775808"},
		{"(long)(0.0 / 0.0)", "0"},
		{"(unsigned long)1.8e19", "18000000000000000000"}, {"(unsigned long)9.3e18", "9300000000000000000"},
		{"(long)9223372036854775807.0", "9223372036854775807"}, {"(bool)(0.0 / 0.0)", "true"},
		{"(bool)0", "false"},
		{"(float)n", "-1"}, {"(double)18446744073709551615u", "1.8446744073709552e+19"},
		{"(double)-2l", "-2"},
		// Rounding to a bfloat16, once: to nearest, and of two as near to the even one.
		{"(__bf16)1.00390625 == 1", "1"}, {"(__bf16)1.003906250001 == 1.0078125", "1"},
		{"(__bf16)1.01171875 == 1.015625", "1"}, {"(__bf16)1.011718749999 == 1.0078125", "1"},
		{"(__bf16)-1.011718749999 == -1.0078125", "1"}, {"(__bf16)-1.003906250001 == -1.0078125", "1"},
		{"(__bf16)(0.0 / 0.0)", "NaN"}, {"(__bf16)1e39", "+Inf"}, {"sizeof(b + b)", "2"},
		{"sizeof(h + b)", "4"},
		{"sizeof(b + f)", "4"}, {"sizeof(f + b)", "4"}, {"sizeof(h + d)", "8"}, {"sizeof(i + h)", "2"},
		// Operators.
		{"1 << 31", "-2147483648"}, {"1 << 32", "0"}, {"1u << 31", "2147483648"}, {"1l << 63 >> 63", "-1"},
		{"-8 >> 70", "-1"}, {"8u >> 32", "0"}, {"8 >> 3u", "1"}, {"1 << 4294967295u", "0"},
		{"1 >> -1", "<a shift by -1>"},
		{"1 << 2 << 3", "32"}, {"-7 / 2", "-3"}, {"-7 % 3", "-1"}, {"7u / 2", "3"},
		{"(unsigned)-7 % 10", "9"},
		{"0.0 / 0.0 == 0.0 / 0.0", "0"}, {"0.0 / 0.0 != 1", "1"}, {"1 < 0.0 / 0.0", "0"},
		{"1 >= 0.0 / 0.0", "0"},
		{"2.5 > 2", "1"}, {"2 >= 2", "1"}, {"2 <= 2", "1"}, {"-1 < 1u", "0"}, {"-1l < 1u", "1"},
		{"c & 0xff", "254"},
		{"6 ^ 3 | 8 & 12", "13"}, {"1 || 0 && 0", "1"}, {"!1.5", "0"}, {"!0.0", "1"}, {"-f", "-0.1"},
		{"+c", "-2"},
		{"~c", "1"}, {"- - 3", "3"}, {"bytes && 1", "1"}, {"!bytes", "0"}, {"1 ? 2 : 3", "2"},
		{"0.0 ? 2 : 3", "3"},
		{"s ? 1 : 2", "<a structure S is no number>"}, {"1 && s", "<a structure S is no number>"},
		{"0 && s", "0"},
		{"1 || s", "1"}, {"0 || 2", "1"}, {"p && p->next", "1"}, {"bytes == 16", "1"},
		{"&bytes[1] > bytes", "1"},
		{"bytes[i & 1]@2", "{17, 18}"}, {"bytes[0]@0", "<@ wants a small positive number on its right>"},
		{"bytes[0]@65537", "<@ wants a small positive number on its right>"},
		{"bytes[0]@1.5", "<@ wants a small positive number on its right>"},
		{"bytes[1.0]", "<an index is an integer>"},
		{"*i", "<a int is no pointer>"}, {"i[0]", "<a int is no pointer>"},
		{"&i", "<the object is in registers, or a result, and has no address>"},
		{"loose[1.5]", "<an index is an integer>"}, {"loose[0]", "5"}, {"loose[-1]", "<no element -1>"},
		{"&grid[1]", "0x24"},
		{"&grid[1][1]", "0x26"}, {"*grid[1]", "9508"}, {"sizeof grid", "12"}, {"sizeof grid[0]", "4"},
		{"vp[3] + 0", "<void is no value: cast the pointer>"},
		{"v.x + v.w", "5"}, {"v.S1", "2"}, {"v.s4", "<a vector of 4 has no component s4>"},
		{"v.sg", "<a vector of 4 has no component sg>"},
		{"v.xx", "<a vector of 4 has no component xx>"}, {"i.x", "<a int has no members>"},
		{"vp->x", "<void has no members>"}, {"v + 1", "<a vector is no number>"}, {"1 + v",
			"<a vector is no number>"}, {"v == v", "<a vector is no number>"},
		// What objects there are.
		{"huge", "<the object has 70000 bytes, at most 65536 are read>"},
		{"wide", "0x1f1e1d1c1b1a19181716151413121110"},
		{"wide + 1", "<numbers of 128 bits are not computed with>"},
		{"nine + 1", "<numbers of 72 bits are not computed with>"},
		{"unsized", "<the size of the type is not known>"},
		{"many", "{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, ...}"},
		{"sixteen", "{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}"},
		{"deep", "{{{{{{...}, {...}}}}}}"}, {"level", "{{{{5, 6}}}}"},
		// Texts that are none.
		{"f (1)", "refused: column 3: functions of the program cannot be called"},
		{"s.1", `refused: column 2: ".1" where an operator is expected`},
		{"s.", "refused: column 3: the expression ends where a member's name is expected"},
		{"s->", "refused: column 4: the expression ends where a member's name is expected"},
		{"s[", "refused: column 3: the expression ends where a variable, a number or a register is expected"},
		{"bytes[1", `refused: column 8: the expression ends where "]" is expected`},
		{"i ? 1", `refused: column 6: the expression ends where ":" is expected`},
		{"--i", `refused: column 1: "--" where a variable, a number or a register is expected`},
		{"i--", `refused: column 2: "--" would change something: set variables with gdb's set var`},
		{"sizeof(int", `refused: column 11: the expression ends where ")" is expected`},
		{"(int", `refused: column 5: the expression ends where ")" is expected`},
		{"int", `refused: column 4: the expression ends where "(" is expected`},
		{"int(3", `refused: column 6: the expression ends where ")" is expected`},
		{"static_cast(3)", `refused: column 12: "(" where "<" is expected`},
		{"static_cast<int(3)", `refused: column 16: "(" where ">" is expected`},
		{"%", `refused: column 1: a register's name is expected behind "%"`},
		{"i %r1", "<no variable r1 here>"}, {"i + %r1", "10"}, {"(i)%u", "3"},
		{"\ti\t+ 1 ", "4"},
		{strings.Repeat(" ", maxText),
			"refused: column 4097: the expression ends where a variable, a number or a register is expected"},
		{strings.Repeat(" ", maxText+1), "refused: the expression has 4097 bytes, at most 4096 are read"},
		{"vp" + strings.Repeat("[0]", 64), "<void is no pointer>"},
		{"vp" + strings.Repeat("[0]", 65), "refused: column 198: more than 64 members and elements"},
		{strings.Repeat("(", 31) + "1" + strings.Repeat(")", 31), "1"},
	} {
		if got := evaluated(c.text, env, 0); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

// TestOwnTypes: the types of C and OpenCL C themselves by their names, with their sizes and signs.
func TestOwnTypes(t *testing.T) {
	env := objects()
	for names, want := range map[string]string{
		"char, signed char, int8_t": "1 -", "unsigned char, uchar, uint8_t": "1 +", "bool, _Bool": "1 +",
		"short, short int, signed short int, int16_t":                                   "2 -",
		"unsigned short, ushort, int unsigned short, uint16_t":                          "2 +",
		"int, signed, signed int, int32_t":                                              "4 -",
		"unsigned, unsigned int, uint, uint32_t":                                        "4 +",
		"long, long int, long long, signed long long int, int64_t, ptrdiff_t, intptr_t": "8 -",
		"unsigned long, long long unsigned, ulong, uint64_t, size_t, uintptr_t":         "8 +",
		"_Float16, half, __bf16":                                                        "2 -",
		"float":                                                                         "4 -",
		"double":                                                                        "8 -",
	} {
		for _, name := range strings.Split(names, ", ") {
			sign := "+"
			if evaluated("("+name+")-1 < 0", env, 0) == "1" {
				sign = "-"
			}
			if got := evaluated("sizeof("+name+")", env, 0) + " " + sign; got != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
			if d := Named(strings.Fields(name)); d == nil || fmt.Sprint(types.Model{}.Size(d)) != want[:1] {
				t.Errorf("%s is %v", name, d)
			}
		}
	}
	for _, name := range []string{"", "short long", "unsigned float", "void", "word"} {
		if d := Named(strings.Fields(name)); d != nil {
			t.Errorf("%q is %v", name, d)
		}
	}
}

// derived is an environment with d, of a class with two base classes and members without a name, at 0, and e,
// of one that is derived from that class, at 64. Memory holds the numbers 0, 1, 2… as bytes.
func derived() *testEnv {
	e := objects()
	for i := range e.memory {
		e.memory[i] = byte(i)
	}
	class := func(name string, size uint64, members ...*dwarf.DIE) *dwarf.DIE {
		d := dwarf.NewDIE(dwarf.TagClassType, dwarf.StringAttr(dwarf.AttrName, name),
			dwarf.UintAttr(dwarf.AttrByteSize, size))
		d.Add(members...)
		return d
	}
	from := func(b *dwarf.DIE, at uint64) *dwarf.DIE {
		return dwarf.NewDIE(dwarf.TagInheritance, dwarf.RefAttr(dwarf.AttrType, b),
			dwarf.UintAttr(dwarf.AttrDataMemberLocation, at))
	}
	i := integerType(32, true)
	shared := dwarf.NewDIE(dwarf.TagVariable, dwarf.StringAttr(dwarf.AttrName, "shared"),
		dwarf.RefAttr(dwarf.AttrType, i))
	old := memberOf("old", i, 0, dwarf.FlagAttr(dwarf.AttrExternal)) // as DWARF before 5 has it
	inner := dwarf.NewDIE(dwarf.TagUnionType, dwarf.UintAttr(dwarf.AttrByteSize, 4))
	inner.Add(memberOf("deep", i, 0), memberOf("real", floatType(32), 0))
	outer := dwarf.NewDIE(dwarf.TagStructureType, dwarf.UintAttr(dwarf.AttrByteSize, 8))
	outer.Add(memberOf("pad", i, 0), memberOf("", inner, 4))
	first := class("Base", 8, memberOf("x", i, 0), memberOf("same", i, 4), shared)
	other := class("Other<int, 2>", 8, memberOf("same", i, 0), memberOf("z", i, 4), old)
	reference := dwarf.NewDIE(dwarf.TagReferenceType, dwarf.UintAttr(dwarf.AttrByteSize, 8),
		dwarf.RefAttr(dwarf.AttrType, i))
	d := class("D", 40, from(first, 0), from(other, 8), memberOf("w", i, 16), memberOf("", outer, 24),
		memberOf("ref", reference, 32))
	binary.LittleEndian.PutUint64(e.memory[32:], 200)
	far := class("E", 64, memberOf("own", i, 0), from(d, 8), memberOf("x", i, 48))
	e.types["D"], e.types["E"] = d, far
	e.variables = map[string]Value{"d": {Type: d, InMemory: true}, "e": {Type: far, InMemory: true, Addr: 64},
		"pd": pointer(d, 0), "shared": integer(32, true, 1000), "old": integer(32, true, 2000)}
	return e
}

// TestMembers: members of classes, of their bases and of members without a name, lie where these do; a
// class's own hide those of its bases, and of those of two bases neither is meant without a name before it.
func TestMembers(t *testing.T) {
	env := derived()
	at := func(i int) string { return fmt.Sprint(int32(binary.LittleEndian.Uint32(env.memory[i:]))) }
	for text, want := range map[string]string{
		"d.x": at(0), "d.z": at(12), "d.w": at(16), "d.pad": at(24), "d.deep": at(28), "pd->deep": at(28),
		"d.same":       "<same is a member of several base classes: write BASE::same>",
		"d.Base::same": at(4), "d.Other<int,2>::same": at(8), "d.D::w": at(16), "d.D::Base::x": at(0),
		"d.Nope::x": "<a structure D has no member Nope::x>", "d.nope": "<a structure D has no member nope>",
		"d.shared": "1000", "d.old": "2000", "e.shared": "1000", "d.Base::shared": "1000", "d.ref": at(200),
		"e.own": at(64), "e.x": at(64 + 48), "e.D::x": at(64 + 8), "e.Base::x": at(64 + 8),
		"e.z":               at(64 + 8 + 12),
		"e.Other<int,2>::z": at(64 + 8 + 12), "e.D::deep": at(64 + 8 + 28), "e.w": at(64 + 8 + 16),
		"e.E::own": at(64),
		"e.same":   "<same is a member of several base classes: write BASE::same>",
	} {
		if got := evaluated(text, env, 0); got != want && !strings.Contains(text, "<") {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
		path, ok := strings.CutPrefix(text, "d.")
		if !ok {
			continue
		}
		v, ok, err := Member(env, env.variables["d"], path)
		got := ""
		if err == nil && ok {
			got, err = v.Text(env, 0)
		}
		if err != nil {
			got = "<" + err.Error() + ">"
		}
		if got != want && ok {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
		if ok != !strings.Contains(want, "no member") || HasMember(env.types["D"], path) != ok {
			t.Errorf("%s: found is %v", path, ok)
		}
	}
	for name, want := range map[string]int{"z": 20, "deep": 36, "own": 0, "x": 48, "shared": -1, "old": -1,
		"same": -1,
		"nope": -1} {
		f, got, ok := Field(types.Model{}, env.types["E"], name)
		if ok != (want >= 0) || ok && (got != uint64(want) || f.Name() != name) {
			t.Errorf("%s: %v at %d, %v", name, f, got, ok)
		}
	}
}

// TestChain: members are found as deep as bounds allow.
func TestChain(t *testing.T) {
	for bases, want := range map[int]bool{0: true, maxBases: true, maxBases + 1: false} {
		class := dwarf.NewDIE(dwarf.TagStructureType, dwarf.StringAttr(dwarf.AttrName, "last"))
		class.Add(memberOf("x", integerType(32, true), 4), dwarf.NewDIE(dwarf.TagVariable,
			dwarf.StringAttr(dwarf.AttrName, "shared")))
		for range bases {
			next := dwarf.NewDIE(dwarf.TagStructureType, dwarf.StringAttr(dwarf.AttrName, "next"))
			next.Add(dwarf.NewDIE(dwarf.TagInheritance, dwarf.RefAttr(dwarf.AttrType, class),
				dwarf.UintAttr(dwarf.AttrDataMemberLocation, 4)))
			class = next
		}
		_, at, ok := Field(types.Model{}, class, "x")
		if ok != want || ok && at != uint64(4*bases+4) || HasMember(class, "shared") != want {
			t.Errorf("%d bases: %v at %d", bases, ok, at)
		}
	}
}

// TestEnumerators: the name of an enumerator, with what is around it, or the number.
func TestEnumerators(t *testing.T) {
	unit := dwarf.NewDIE(dwarf.TagCompileUnit)
	named := func(tag dwarf.Tag, name string) *dwarf.DIE {
		d := dwarf.NewDIE(tag)
		if name != "" {
			d.Set(dwarf.StringAttr(dwarf.AttrName, name))
		}
		return d
	}
	enum := func(name string, signed bool) *dwarf.DIE {
		d := named(dwarf.TagEnumerationType, name)
		d.Set(dwarf.UintAttr(dwarf.AttrByteSize, 4))
		d.Set(dwarf.RefAttr(dwarf.AttrType, integerType(32, signed)))
		d.Add(dwarf.NewDIE(dwarf.TagEnumerator, dwarf.StringAttr(dwarf.AttrName, "ONE"),
			dwarf.IntAttr(dwarf.AttrConstValue, 1)),
			dwarf.NewDIE(dwarf.TagEnumerator, dwarf.StringAttr(dwarf.AttrName, "LESS"),
				dwarf.IntAttr(dwarf.AttrConstValue, -1)))
		return d
	}
	space, hidden, class, function := named(dwarf.TagNamespace, "n"), named(dwarf.TagNamespace, ""),
		named(dwarf.TagClassType, "C"), named(dwarf.TagSubprogram, "f")
	unit.Add(space, function)
	space.Add(hidden)
	hidden.Add(class)
	plain, unsigned, scoped, local := enum("plain", true), enum("unsigned", false), enum("scoped", true),
		enum("local", true)
	scoped.Set(dwarf.FlagAttr(dwarf.AttrEnumClass))
	class.Add(plain, scoped)
	space.Add(unsigned)
	function.Add(local)
	for _, c := range []struct {
		t     *dwarf.DIE
		value uint32
		want  string
	}{{plain, 1, "n::(anonymous namespace)::C::ONE"}, {scoped, 1, "n::(anonymous namespace)::C::scoped::ONE"},
		{local, 1, "ONE"}, {unsigned, 1, "n::ONE"}, {plain, 0xffffffff, "n::(anonymous namespace)::C::LESS"},
		{plain, 0xfffffffe, "-2"}, {unsigned, 0xfffffffe, "4294967294"}, {plain, 2, "2"}} {
		v := Value{Type: c.t, Data: binary.LittleEndian.AppendUint32(nil, c.value)}
		if got, err := v.Text(objects(), 0); err != nil || got != c.want {
			t.Errorf("%s %#x: %s, %v, want %s", c.t.Name(), c.value, got, err, c.want)
		}
	}
}

// TestNames: names of C++ are cut at the :: outside of arguments, and blanks count for nothing in them.
func TestNames(t *testing.T) {
	for name, want := range map[string][]string{"a": {"a"}, "a::b": {"a", "b"}, "::a": {"", "a"},
		"a<b::c>::d": {"a<b::c>", "d"},
		"<a>::b":     {"<a>", "b"}, "a<b<c>::d>::e::f": {"a<b<c>::d>", "e", "f"}, "a:b": {"a:b"}, "": {""},
		"a::": {"a", ""}} {
		if got := SplitName(name); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for text, want := range map[string]int{"<int, a::b<1>>x": 15 - 1, "<": 0, "<a;b>": 0, "<a>": 3, "<>": 2,
		"<a": 0, "<a<b>": 0,
		"<(x*)[3]&-1>": 12, "<" + strings.Repeat("a", maxArguments-2) + ">": maxArguments,
		"<" + strings.Repeat("a", maxArguments-1) + ">": 0} {
		if got := templateArguments(text); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{{"a<b<c> >", "a<b<c>>", true}, {"a<b, c>", "a<b,c>", true}, {"a", "b", false}, {"a", "a", true},
		{"a b", "ab", true}, {"", " ", true}} {
		if SameName(c.a, c.b) != c.want || SameName(c.b, c.a) != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, !c.want)
		}
	}
	env := objects()
	env.types["T<int>"], env.types["T<int>::U"] = integerType(16, true), integerType(8, true)
	for text, want := range map[string]string{"(T<int>)65537": "1", "sizeof(T<int>::U)": "1", "i<u>(1)": "0",
		"i < (2)": "0", "n@entry2": "refused: column 2: functions", "(n)@entry": "<no variable entry here>",
		"n@entr": "<no variable entr here>"} {
		if got := evaluated(text, env, 0); got != want && !strings.HasPrefix(want, "refused") {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestFormats: the letters of formats, of numbers of all sizes.
func TestFormats(t *testing.T) {
	env := objects()
	for _, c := range []struct {
		text, format, want string
	}{{"(char)-1", "x", "0xff"}, {"(char)-1", "u", "255"}, {"(char)-1", "d", "-1"},
		{"(uchar)255", "d", "-1"}, {"(char)-1", "t", "11111111"},
		{"(char)1", "f", "1"}, {"1.5", "x", "0x3ff8000000000000"}, {"0x3ff8000000000000", "f", "1.5"},
		{"(short)0x3e00", "f", "1.5"},
		{"p", "x", "0x64"}, {"p", "d", "100"}, {"k", "x", "0x1"}, {"bf.low", "x", "0xfffffffd"},
		{"bf.mid", "d", "127"}, {"yes", "d", "1"},
		{"(bool)1", "x", "0x1"}, {"grid[0]", "x", "{0x2120, 0x2322}"},
		{"s", "x", "{a = 0xffffffff, {i = 0x3fc00000, f = 0x3fc00000}, next = 0x64}"},
	} {
		if got := evaluated(c.text, env, c.format[0]); got != c.want {
			t.Errorf("%s as %s: %s, want %s", c.text, c.format, got, c.want)
		}
	}
	two := Value{Type: boolean, Data: []byte{2}}
	if got, err := two.Text(env, 0); got != "2" || err != nil {
		t.Errorf("a bool of 2: %s, %v", got, err)
	}
}

// TestUnnamed: members of members without a name are found as deep as bounds allow; of an object that is not
// all there it is said.
func TestUnnamed(t *testing.T) {
	for depth, want := range map[int]bool{0: true, maxBases: true, maxBases + 1: false} {
		class := dwarf.NewDIE(dwarf.TagStructureType)
		class.Add(memberOf("x", integerType(32, true), 4))
		for range depth {
			next := dwarf.NewDIE(dwarf.TagStructureType)
			next.Add(memberOf("", class, 4))
			class = next
		}
		if _, at, ok := Field(types.Model{}, class, "x"); ok != want || ok && at != uint64(4*depth+4) {
			t.Errorf("%d deep: %v at %d", depth, ok, at)
		}
	}
	env := derived()
	if _, ok, err := Member(env, Value{Type: env.types["D"], Data: make([]byte, 8)}, "w"); !ok || err == nil {
		t.Errorf("a member behind the object: %v, %v", ok, err)
	}
}
