package cexpr

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
)

// An env of tests has a few objects in a memory of bytes.
type testEnv struct {
	memory    []byte
	variables map[string]Value
	types     map[string]*dwarf.DIE
}

func (e *testEnv) Variable(name string) (Value, error) {
	if v, ok := e.variables[name]; ok {
		return v, nil
	}
	return Value{}, fmt.Errorf("no variable %s here", name)
}

func (e *testEnv) Static(decl *dwarf.DIE) (Value, error) { return e.Variable(decl.Name()) }

func (e *testEnv) Type(name string, tags []dwarf.Tag) *dwarf.DIE {
	d := e.types[name]
	if d == nil || tags != nil && d.Tag != tags[0] {
		return nil
	}
	return d
}

func (e *testEnv) Register(name string) (Value, error) {
	switch name {
	case "v0":
		return Integer(32, false, 0x3fc00000), nil
	case "%r1":
		return Integer(32, false, 7), nil
	case "wide":
		return Words([]byte{1, 0, 0, 0, 2, 0, 0, 0}), nil
	}
	return Value{}, fmt.Errorf("no register %s", name)
}

func (e *testEnv) Read(addr uint64, p []byte) error {
	if addr > uint64(len(e.memory)) || uint64(len(p)) > uint64(len(e.memory))-addr {
		return fmt.Errorf("cannot read %d bytes at %#x", len(p), addr)
	}
	copy(p, e.memory[addr:])
	return nil
}

func (e *testEnv) Pointer(_ *dwarf.DIE, v uint64) uint64 { return v }
func (e *testEnv) Model() types.Model                    { return types.Model{} }

func (e *testEnv) meaning(name string) Meaning {
	switch {
	case e.variables[name].Type != nil:
		return Variable
	case e.types[name] != nil:
		return Type
	}
	return Nothing
}

// evaluated is the text of an expression's value, or the error.
func evaluated(text string, env *testEnv, format byte) string {
	e, err := Parse(text, env.meaning)
	if err != nil {
		return "refused: " + err.Error()
	}
	v, err := e.Eval(env)
	if err != nil {
		return "<" + err.Error() + ">"
	}
	out, err := v.Text(env, format)
	if err != nil {
		return "<" + err.Error() + ">"
	}
	return out
}

func memberOf(name string, t *dwarf.DIE, at uint64, more ...dwarf.Attr) *dwarf.DIE {
	attrs := []dwarf.Attr{dwarf.RefAttr(dwarf.AttrType, t)}
	if name != "" {
		attrs = append(attrs, dwarf.StringAttr(dwarf.AttrName, name))
	}
	if len(more) == 0 {
		more = []dwarf.Attr{dwarf.UintAttr(dwarf.AttrDataMemberLocation, at)}
	}
	return dwarf.NewDIE(dwarf.TagMember, append(attrs, more...)...)
}

// objects is an environment with an object of each kind. Memory holds the numbers 0, 1, 2… as bytes.
func objects() *testEnv {
	e := &testEnv{memory: make([]byte, 256), variables: map[string]Value{}, types: map[string]*dwarf.DIE{}}
	for i := range e.memory {
		e.memory[i] = byte(i)
	}
	named := func(tag dwarf.Tag, name string, size uint64) *dwarf.DIE {
		d := dwarf.NewDIE(tag, dwarf.StringAttr(dwarf.AttrName, name),
			dwarf.UintAttr(dwarf.AttrByteSize, size))
		e.types[name] = d
		return d
	}
	intType, charType := integerType(32, true), base("char", 1, dwarf.ATESignedChar)
	inner := dwarf.NewDIE(dwarf.TagUnionType, dwarf.UintAttr(dwarf.AttrByteSize, 4))
	inner.Add(memberOf("i", intType, 0), memberOf("f", floatType(32), 0))
	bits := func(at, n uint64) []dwarf.Attr {
		return []dwarf.Attr{dwarf.UintAttr(dwarf.AttrDataBitOffset, at), dwarf.UintAttr(dwarf.AttrBitSize, n)}
	}
	s := named(dwarf.TagStructureType, "S", 16)
	s.Add(memberOf("a", intType, 0), memberOf("", inner, 4), memberOf("next", pointerTo(s), 8))
	fields := named(dwarf.TagStructureType, "fields", 4)
	fields.Add(memberOf("low", intType, 0, bits(0, 3)...), memberOf("mid", integerType(32, false), 0,
		bits(3, 7)...), memberOf("high", intType, 0, bits(31, 1)...))
	kind := named(dwarf.TagEnumerationType, "kind", 4)
	kind.Set(dwarf.RefAttr(dwarf.AttrType, integerType(32, false)))
	for i, name := range []string{"RED", "GREEN"} {
		kind.Add(dwarf.NewDIE(dwarf.TagEnumerator, dwarf.StringAttr(dwarf.AttrName, name),
			dwarf.IntAttr(dwarf.AttrConstValue, int64(i))))
	}
	vector := arrayOf(floatType(32), 4)
	vector.Set(dwarf.FlagAttr(dwarf.AttrGNUVector))
	reference := dwarf.NewDIE(dwarf.TagReferenceType, dwarf.UintAttr(dwarf.AttrByteSize, 8),
		dwarf.RefAttr(dwarf.AttrType, intType))
	put := func(at int, b ...byte) { copy(e.memory[at:], b) }
	put(100, 0xff, 0xff, 0xff, 0xff, 0, 0, 0xc0, 0x3f, 100) // S{-1, 1.5, &itself}
	put(109, make([]byte, 7)...)
	put(116, 0xfd, 0x03, 0, 0x80) // low 5 = -3, mid 127, high -1
	put(120, 1, 0, 0, 0)
	put(124, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40, 0, 0, 0x80, 0x40)
	in := func(t *dwarf.DIE, at uint64) Value { return Value{Type: t, InMemory: true, Addr: at} }
	e.variables = map[string]Value{
		"i": integer(32, true, 3), "n": integer(32, true, math.MaxUint64), "u": integer(32, false, 7),
		"c": {Type: charType, Data: []byte{0xfe}}, "l": integer(64, true, 1<<40),
		"f": floating(32, 0.1), "d": floating(64, 0.1),
		"h":     {Type: floatType(16), Data: []byte{0x00, 0x3e}},
		"b":     {Type: brainFloat, Data: []byte{0xc0, 0x3f}},
		"bytes": in(arrayOf(base("unsigned char", 1, dwarf.ATEUnsignedChar), 8), 16),
		"grid":  in(arrayOf(integerType(16, true), 3, 2), 32),
		"loose": {Type: arrayOf(intType, 2), Data: []byte{5, 0, 0, 0, 6, 0, 0, 0}},
		"s":     in(s, 100), "p": pointer(s, 100), "v": in(vector, 124), "bf": in(fields, 116),
		"k": in(kind, 120), "vp": pointer(nil, 100),
		"r":   {Type: reference, Data: []byte{120, 0, 0, 0, 0, 0, 0, 0}},
		"yes": {Type: boolean, Data: []byte{1}}, "bad": pointer(intType, 1<<40),
	}
	return e
}

// TestObjects evaluates expressions over objects; what is expected follows from C and from objects.
func TestObjects(t *testing.T) {
	env := objects()
	for _, c := range []struct{ text, want string }{
		{"i", "3"}, {"n", "-1"}, {"c", "-2"}, {"u - 8", "4294967295"}, {"n < u", "0"}, {"c < i", "1"},
		{"l + 1", "1099511627777"}, {"f", "0.1"}, {"f + d", "0.20000000149011612"}, {"f * 3", "0.3"},
		{"h", "1.5"}, {"b", "1.5"}, {"h + h", "3"}, {"h + b", "3"}, {"h * 2.0f", "3"}, {"yes", "true"},
		{"bytes[2]", "18"}, {"bytes[i]", "19"}, {"bytes[i] + bytes[i - 1]", "37"}, {"*bytes", "16"},
		{"*(bytes + i)", "19"}, {"bytes", "{16, 17, 18, 19, 20, 21, 22, 23}"}, {"&bytes[4]", "0x14"},
		{"&bytes[4] - bytes", "4"}, {"grid[1][1]", "10022"}, {"grid[2]", "{10536, 11050}"},
		{"loose[1]", "6"}, {"loose[2]", "<no element 2>"},
		{"loose + 1", "<the array is in registers and has no address>"},
		{"s.a", "-1"}, {"s.f", "1.5"}, {"s.i", "1069547520"}, {"p->a", "-1"}, {"p.a", "-1"},
		{"(*p).f", "1.5"},
		{"p->next->next->f * 2", "3"}, {"s", "{a = -1, {i = 1069547520, f = 1.5}, next = 0x64}"},
		{"s.b", "<a structure S has no member b>"}, {"i.a", "<a int has no members>"}, {"p == &s", "1"},
		{"p != 0", "1"}, {"!p", "0"}, {"p + 1", "0x74"}, {"p - 1", "0x54"}, {"1 + p", "0x74"},
		{"p * 2", "<* does not take pointers>"},
		{"v", "{1, 2, 3, 4}"}, {"v.y", "2"}, {"v.s3", "4"}, {"v[i]", "4"},
		{"v.sf", "<a vector of 4 has no component sf>"},
		{"bf.low", "-3"}, {"bf.mid", "127"}, {"bf.high", "-1"}, {"bf", "{low = -3, mid = 127, high = -1}"},
		{"&bf.mid", "<a bit field has no address>"}, {"k", "GREEN"}, {"k == 1", "1"}, {"(kind)0", "RED"},
		{"(enum kind)7", "7"}, {"*vp", "<void is no value: cast the pointer>"}, {"*(int *)vp", "-1"},
		{"((struct S *)vp)->f", "1.5"}, {"((S *)vp)->f", "1.5"}, {"*(float *)(vp + 4)", "1.5"},
		{"r + 1", "2"},
		{"(char)300", "44"}, {"(unsigned char)-1", "255"}, {"(float)i / 2", "1.5"}, {"(int)1.9", "1"},
		{"(int)-1.9", "-1"},
		{"(bool)0.5", "true"}, {"(unsigned long)n", "18446744073709551615"}, {"(long long int)u", "7"},
		{"(half)0.1", "0.099975586"}, {"(__bf16)0.1", "0.100097656"}, {"sizeof(int)", "4"},
		{"sizeof s", "16"},
		{"sizeof(struct S)", "16"}, {"sizeof(bytes)", "8"}, {"i ? 10 : 1/0", "10"}, {"i && !u", "0"},
		{"0 || 1/0", "<division by zero>"},
		{"i % 0", "<division by zero>"}, {"f % 2", "<% wants integers>"}, {"~f", "<~ wants an integer>"},
		{"1 << n", "<a shift by -1>"}, {"bytes[0]@4", "{16, 17, 18, 19}"},
		{"i@2", "<@ wants an object in memory on its left>"},
		{"$v0 >> 23", "127"}, {"$v0", "1069547520"}, {"%r1 % 4", "3"}, {"$wide[1]", "2"},
		{"$nothing", "<no register nothing>"},
		{"nothing + 1", "<no variable nothing here>"}, {"*bad", "<cannot read 4 bytes at 0x10000000000>"},
		{"s + 1", "<a structure S is no number>"}, {"(S)1", "<a number cannot be cast to a structure S>"},
		{"'a' + 1", "98"}, {`'\n'`, "10"},
		{"\"x\"", `refused: column 1: "\"" where a variable, a number or a register is expected`},
		{"", "refused: column 1: the expression ends where a variable, a number or a register is expected"},
		{"i +", "refused: column 4: the expression ends where a variable, a number or a register is expected"},
		{"i i", `refused: column 3: "i" where an operator is expected`},
		{"(i", `refused: column 3: the expression ends where ")" is expected`},
		{"i = 2", `refused: column 3: "=" would change something: set variables with gdb's set var`},
		{"i++", `refused: column 2: "++" would change something: set variables with gdb's set var`},
		{"f(1)", "refused: column 2: functions of the program cannot be called"},
		{"12x", `refused: column 1: "12x" is no number`},
		{"a.1", `refused: column 2: ".1" where an operator is expected`},
		{"$", `refused: column 1: a register's name is expected behind "$"`},
		{"'ab'", "<no variable ab here>"}, {"'a+'", "<no variable a+ here>"},
		{"'+a'", "refused: column 1: '+a' is no character"}, {"a::b<1>::c", "<no variable a::b here>"},
		{"::a::b", "<no variable ::a::b here>"}, {"n@entry", "<no variable n@entry here>"},
		{"static_cast<short>(70000)", "4464"}, {"int(2.75f) + 1", "3"}, {"true + true", "2"},
		{"nullptr", "0x0"},
		{"static_cast<short>70000", `refused: column 19: "70000" where "(" is expected`},
		{"(struct nope *)p", "<no type struct nope here>"},
		{strings.Repeat("(", 100) + "1", "refused: column 33: nested more than 64 deep"},
		{strings.Repeat("~", 100) + "1", "refused: column 64: nested more than 64 deep"},
	} {
		if got := evaluated(c.text, env, 0); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
	for _, c := range []struct {
		text   string
		format byte
		want   string
	}{{"$v0", 'f', "1.5"}, {"$v0", 'x', "0x3fc00000"}, {"n", 'u', "4294967295"}, {"u", 't', "111"},
		{"f", 'x', "0x3dcccccd"},
		{"bytes[0]@2", 'x', "{0x10, 0x11}"}, {"c", 'x', "0xfe"}, {"h", 'x', "0x3e00"},
		{"$v0", 'd', "1069547520"},
		{"k", 'd', "1"}} {
		if got := evaluated(c.text, env, c.format); got != c.want {
			t.Errorf("%s as %c: %s, want %s", c.text, c.format, got, c.want)
		}
	}
}

// randomExpr writes an expression of constants.
func randomExpr(r *rand.Rand, depth int) string {
	constants := []string{"0", "1", "2", "7", "100", "255", "0x7fffffff", "2147483648", "0xffffffff",
		"4294967296",
		"0x7fffffffffffffff", "3u", "5ul", "9l", "0x80000000u", "1.5", "0.1f", "3.0", "1e10", "0.25f", "'a'"}
	types := []string{"char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long",
		"unsigned long", "float", "double"}
	if depth == 0 {
		return constants[r.IntN(len(constants))]
	}
	x, y := randomExpr(r, depth-1), randomExpr(r, r.IntN(depth))
	switch r.IntN(8) {
	case 0:
		return "(" + types[r.IntN(len(types))] + ")(" + x + ")"
	case 1:
		return []string{"-", "!", "+"}[r.IntN(3)] + "(" + x + ")"
	case 2:
		return "(" + x + " ? " + y + " : " + randomExpr(r, r.IntN(depth)) + ")"
	}
	ops := []string{"+", "-", "*", "/", "<", ">", "<=", ">=", "==", "!=", "&&", "||"}
	return x + " " + ops[r.IntN(len(ops))] + " " + y
}

// TestInt: integers of all types, and what is none.
func TestInt(t *testing.T) {
	env := objects()
	for _, c := range []struct {
		text string
		want int64
		ok   bool
	}{{"i", 3, true}, {"-i", -3, true}, {"k", 1, true}, {"(char)255", -1, true}, {"n", -1, true},
		{"i + 0.5", 0, false},
		{"s", 0, false}, {"grid", 0, false}} {
		x, err := Parse(c.text, env.meaning)
		if err != nil {
			t.Fatal(err)
		}
		v, err := x.Eval(env)
		if err != nil {
			t.Fatal(err)
		}
		if n, ok := v.Int(env); ok != c.ok || ok && n != c.want {
			t.Errorf("%s: %d, %v", c.text, n, ok)
		}
	}
}

// TestLikeGDB compares the values of random expressions of constants with gdb's print.
func TestLikeGDB(t *testing.T) {
	if _, err := exec.LookPath("gdb"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	args := []string{"-nx", "-batch", "-ex", "set architecture i386:x86-64", "-ex", "set language c"}
	var texts []string
	for range 600 {
		text := randomExpr(r, 3)
		texts = append(texts, text)
	}
	texts = append(texts, "7 % 3", "-7 % 3", "-7 / 2", "7u % 4", "1 << 4", "1l << 40", "-16 >> 2",
		"0xf0 & 0x3c", "0xf0 | 0xf", "6 ^ 3", "~5", "~0ul", "1 << 2 + 3", "1 | 2 & 3 ^ 4", "1 < 2 == 1",
		"0xffffffffu >> 4", "077", "1 ? 2 : 0 ? 3 : 4", "sizeof(long)", "sizeof(short int)", "-1 < 0u",
		"(short)70000", "(unsigned short)-1 + 1", "10 - 4 - 3", "100 / 7 / 2", "2 * 3 % 4")
	for i, text := range texts {
		args = append(args, "-ex", fmt.Sprintf("echo %d:", i),
			"-ex", fmt.Sprintf("output/x (unsigned long)(%s)", text),
			"-ex", `echo \n`)
	}
	cmd := exec.Command("gdb", args...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	env, compared := objects(), 0
	for _, line := range strings.Split(string(out), "\n") {
		var i int
		var want string
		if n, _ := fmt.Sscanf(line, "%d:%s", &i, &want); n != 2 || i >= len(texts) {
			continue
		}
		compared++
		if d := evaluated("(double)("+texts[i]+")", env, 0); strings.Contains(d, "Inf") || d == "NaN" {
			continue // C leaves open which integer these are
		}
		if got := evaluated("(unsigned long)("+texts[i]+")", env, 'x'); got != want {
			t.Errorf("%s: %s, gdb says %s", texts[i], got, want)
		}
	}
	if compared < len(texts)*3/4 {
		t.Errorf("compared %d of %d", compared, len(texts))
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"x", "a.b[2]", "$v3", "a[", "(int)x + *p->q", "%r1 % 2", "'a'", "1.5e3f",
		"sizeof(x)", "x@3", "s.a = 3", "p->next = &s", "a::b<1>::c", "n@entry",
		"static_cast<int>(f)", "'x y' = ::z"} {
		f.Add(s)
	}
	env := objects()
	f.Fuzz(func(t *testing.T, text string) {
		e, err := Parse(text, env.meaning)
		if (e == nil) == (err == nil) {
			t.Fatalf("%q: %v %v", text, e, err)
		}
		if err == nil {
			evaluated(text, env, 0)
		}
		assigned(text, objects())
	})
}
