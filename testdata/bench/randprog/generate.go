package randprog

import (
	_ "embed" // for prelude
	"fmt"
	"math/rand/v2"
	"strings"
)

// prelude is what programs have in common. With OWN it defines the library's functions, with HOST kernels are
// functions whose first parameter is the work-item's number.
//
//go:embed prelude.cl
var prelude string

// Items is how many work-items a program has, in workgroups of Group; each reads a dword of as many and
// writes two.
const (
	Items = 128
	Group = 64
)

// A Program is one kernel with its functions and types.
type Program struct {
	Kernel string // its name
	root   *node
}

// File is the text of a file of programs, whose names differ.
func File(programs ...*Program) string {
	var b strings.Builder
	b.WriteString(prelude)
	for _, p := range programs {
		p.root.write(&b)
	}
	return b.String()
}

// HostMain is a program in C that runs the functions of a file, compiled for the host: it reads the input,
// and writes the output of each program in their order.
func HostMain(programs ...*Program) string {
	var declared, calls strings.Builder
	for _, p := range programs {
		fmt.Fprintf(&declared, "void %s(unsigned id, unsigned *out, const unsigned *in);\n", p.Kernel)
		fmt.Fprintf(&calls, "  for (i = 0; i < %d; i++) %s(i, out, in);\n", Items, p.Kernel)
		fmt.Fprintf(&calls, "  if (fwrite(out, 4, %d, stdout) != %[1]d) return 1;\n", 2*Items)
	}
	return fmt.Sprintf("#include <stdio.h>\n%sint main(void) {\n  static unsigned in[%d], out[%d], i;\n"+
		"  if (fread(in, 4, %[2]d, stdin) != %[2]d) return 1;\n%[4]s  return 0;\n}\n",
		&declared, Items, 2*Items, &calls)
}

// A maker makes one program.
type maker struct {
	r     *rand.Rand
	name  string
	calls []func(m *maker) *node // statements that call the functions made so far
	loops int
	depth int
}

// New makes the program of a seed, which is the same one always.
func New(seed uint64) *Program {
	m := &maker{r: rand.New(rand.NewPCG(seed, 5)), name: fmt.Sprint("k", seed)}
	root := listOf(
		other.make(fmt.Sprintf("struct S%s { uint a; uchar b; ulong c; ushort d[3]; uint3 w; float f; };",
			m.name)))
	helpers := m.r.IntN(4)
	for i := range helpers {
		root.add(m.function(i))
	}
	body := listOf(m.locals("in[id]", fmt.Sprintf("in[(id * 7 + 3) & %du]", Items-1), "id")...)
	m.statements(body, 6)
	body.add(other.make("out[id] = @;",
		xor("v0", "(v1 * 3u)", "(v2 * 5u)", "(v3 * 7u)", "t[v0 & 7u]", "c[v1 & 15u]")))
	body.add(other.make(fmt.Sprintf("out[id + %d] = @;", Items), xor("bits(f0)", "(bits(f1) * 3u)",
		"(uint)(l0 ^ (l0 >> 32))", "sum3(y)", "sum4(w)", "s.a", "s.b", "(uint)s.c", "s.d[1]", "sum3(s.w)")))
	root.add(other.make("KERNEL("+m.name+") { ID\n@}", body))
	return &Program{m.name, root}
}

// xor is one number made of several, which Reduce can take out of it.
func xor(of ...string) *node {
	n := uintExpr.make(of[0])
	for _, o := range of[1:] {
		n = uintExpr.make("(@ ^ @)", n, uintExpr.make(o))
	}
	return n
}

// locals are the variables that every function has, made of two values and a third.
func (m *maker) locals(a, b, c string) []*node {
	var out []*node
	for _, l := range []string{
		"uint v0 = " + a + ";", "uint v1 = " + b + ";", "uint v2 = " + c + ";", "uint v3 = 1u;",
		"float f0 = (float)(int)(" + a + " & 0xfffu);", "float f1 = 0.5f;", "float f2 = -3.0f;",
		"ulong l0 = (ulong)" + a + " * " + b + ";", "ulong l1 = " + c + ";",
		"uint t[8] = {1, 2, 3, 4, 5, 6, 7, 8};",
		"uchar c[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};",
		"uint4 w = (uint4)(1u, 2u, " + a + ", 4u);", "uint3 y = (uint3)(5u, " + b + ", 7u);",
		"struct S" + m.name + " s = {" + b + ", 1, " + a + ", {1, 2, 3}, (uint3)(1u, 2u, 3u), 2.5f};",
	} {
		out = append(out, other.make(l))
	}
	return out
}

// function makes a function, and how it is called.
func (m *maker) function(i int) *node {
	name, s := fmt.Sprintf("h%d%s", i, m.name), "struct S"+m.name
	inline := []string{"static ", "__attribute__((noinline)) static "}[m.r.IntN(2)]
	var head, result string
	var call func(m *maker) *node
	parameters := []string{"p0", "p1", "p2"}
	switch m.r.IntN(6) {
	case 0:
		head, result = "uint "+name+"(uint p0, uint p1, uint p2)", "return v0 ^ v1 * 3u ^ t[v2 & 7u];"
		call = func(m *maker) *node {
			return other.make(m.variable()+" = "+name+"(@, @, @);", m.uint(1), m.uint(1), m.uint(0))
		}
	case 1:
		head, result = s+" "+name+"("+s+" p, uint p1)", "s.a ^= v0; return s;"
		parameters = []string{"p.a", "p1", "(uint)p.c"}
		inline = strings.Replace(inline, "__attribute__((noinline))", "RETURNS_STRUCT", 1)
		call = func(m *maker) *node { return other.make("s = "+name+"(s, @);", m.uint(1)) }
	case 2:
		head, result = "void "+name+"(uint *p, "+s+
			" *q, uint p2)", "p[p2 & 3u] = v0; q->w = y; q->d[p2 % 3u] = v1;"
		parameters = []string{"p[1]", "q->w.y", "p2"}
		call = func(m *maker) *node {
			return other.make(fmt.Sprintf("%s(&t[%d], &s, @);", name, m.r.IntN(5)), m.uint(1))
		}
	case 3:
		head, result = "uint3 "+name+"(uint3 p, uint4 q)", "return y;"
		parameters = []string{"p.x", "q.w", "p.z"}
		call = func(m *maker) *node { return other.make("y = "+name+"(y, @);", m.vec4(1)) }
	case 4:
		head, result = "float "+name+"(float p, uint p1, "+s+" q)", "return tame(f0 + f1);"
		parameters = []string{"(uint)(int)p", "p1", "q.a"}
		call = func(m *maker) *node { return other.make("f1 = "+name+"(f0, @, s);", m.uint(1)) }
	default:
		head, result = "ulong "+name+"(ulong p, uchar p1, ushort p2)", "return l0 + v0;"
		parameters = []string{"(uint)p", "(uint)p1", "(uint)p2"}
		call = func(m *maker) *node { return other.make("l0 = "+name+"(l1, @, @);", m.uint(0), m.uint(1)) }
	}
	body := listOf(m.locals(parameters[0], parameters[1], parameters[2])...)
	m.loops++ // at most one in it
	m.statements(body, 3)
	m.loops--
	m.calls = append(m.calls, call)
	return other.make(inline+head+" {\n@"+result+"\n}", body)
}

func (m *maker) variable() string { return fmt.Sprintf("v%d", m.r.IntN(4)) }

// statements adds some statements to a list; loops are short, and not many are in each other.
func (m *maker) statements(to *node, n int) {
	for range n {
		to.add(m.statement(n))
	}
}

func (m *maker) nested(n int) *node {
	m.depth++
	defer func() { m.depth-- }()
	l := listOf()
	m.statements(l, max(n-2, 1))
	return l
}

func (m *maker) statement(n int) *node {
	k := m.r.IntN(20)
	switch {
	case k < 2 && m.depth < 3:
		return other.make("if (@) {\n@} else {\n@}", m.cond(1), m.nested(n), m.nested(n))
	case k == 2 && m.depth < 3:
		return other.make("switch (@ & 3u) {\ncase 0: {\n@} break;\ncase 2: {\n@}\ndefault: {\n@}\n}",
			m.uint(1), m.nested(n), m.nested(1), m.nested(1))
	case k < 5 && m.loops < 2 && m.depth < 3:
		m.loops++
		defer func() { m.loops-- }()
		i := fmt.Sprintf("i%d", m.depth)
		body := m.nested(n)
		if m.r.IntN(2) == 0 {
			body.add(other.make(fmt.Sprintf("if (@) { %s += 2u; %s; }", i,
				[]string{"break", "continue"}[m.r.IntN(2)]), m.cond(0)))
		}
		body.add(other.make(m.variable() + " += " + i + ";"))
		return other.make(fmt.Sprintf("for (uint %s = 0; %[1]s < (@ & 7u) + 1; %[1]s++) {\n@}", i), m.uint(0),
			body)
	case k < 7 && len(m.calls) > 0:
		return m.calls[m.r.IntN(len(m.calls))](m)
	}
	return m.assignment()
}

func (m *maker) assignment() *node {
	switch m.r.IntN(14) {
	case 0:
		return other.make("t[@ & 7u] = @;", m.uint(0), m.uint(1))
	case 1:
		return other.make("c[@ & 15u] = (uchar)@;", m.uint(0), m.uint(1))
	case 2, 3:
		return other.make(fmt.Sprintf("f%d = tame(@);", m.r.IntN(3)), m.float(2))
	case 4:
		return other.make(fmt.Sprintf("l%d = @;", m.r.IntN(2)), m.ulong(2))
	case 5:
		return other.make("w = @;", m.vec4(2))
	case 6:
		return other.make("y = @;", m.vec3(2))
	case 7:
		return other.make("s.d[@ % 3u] = (ushort)@;", m.uint(0), m.uint(1))
	case 8:
		return other.make([]string{"s.a = @;", "s.b = (uchar)@;", "s.c = @;", "s.w.y = @;"}[m.r.IntN(4)],
			m.uint(1))
	}
	return other.make(m.variable()+" = @;", m.uint(2))
}

// functions are those of the library on integers.
var functions = []string{"mul24(@ & 0xffffffu, @ & 0xffffffu)", "(uint)mul24((int)@ >> 8, (int)@ >> 24)",
	"mad24(@ & 0xfffu, @ & 0xffffffu, @)", "mul_hi(@, @)", "(uint)mul_hi((int)@, (int)@)", "mad_hi(@, @, @)",
	"rotate(@, @)", "popcount(@)", "clz(@)", "min(@, @)", "max(@, @)", "(uint)min((int)@, (int)@)",
	"(uint)max((int)@, (int)@)", "abs_diff((int)@ >> 1, (int)@ >> 1)", "hadd(@, @)", "rhadd(@, @)",
	"add_sat(@, @)", "sub_sat(@, @)", "(uint)add_sat((int)@, (int)@)", "bitselect(@, @, @)"}

// floatFunctions gain a zero where the sign of theirs is not certain: of fmin and fmax by OpenCL, of fabs by
// IGC, whose fabs(-0.0f) is -0.0f.
var floatFunctions = []string{"(fmin(@, @) + 0.0f)", "(fmax(@, @) + 0.0f)", "floor(@)", "trunc(@)", "rint(@)",
	"(fabs(@) + 0.0f)", "fma(@, @, @)"}

// of makes a node whose children are all made alike.
func of(s sort, format string, kid func(int) *node, depth int) *node {
	var kids []*node
	for range strings.Count(format, place) {
		kids = append(kids, kid(depth))
	}
	return s.make(format, kids...)
}

// uint and its likes make expressions of a depth. Floats stay finite, and operands that C leaves undefined
// are kept away.
func (m *maker) uint(depth int) *node {
	if depth <= 0 {
		switch m.r.IntN(10) {
		case 0, 1:
			return uintExpr.make(fmt.Sprintf("%du", m.r.Uint32()>>m.r.IntN(32)))
		case 2:
			return uintExpr.make("(uint)s.b")
		case 3:
			return uintExpr.make("s.w.z")
		case 4:
			return uintExpr.make("s.a")
		}
		return uintExpr.make(m.variable())
	}
	d := depth - 1
	switch m.r.IntN(22) {
	case 0:
		return of(uintExpr, "(@ << (@ & 31u))", m.uint, d)
	case 1:
		return of(uintExpr, "(@ >> (@ & 31u))", m.uint, d)
	case 2:
		return of(uintExpr, "(uint)((int)@ >> (@ & 31u))", m.uint, d)
	case 3:
		return of(uintExpr, "(@ / (@ | 1u))", m.uint, d)
	case 4:
		return of(uintExpr, "(@ % (@ | 1u))", m.uint, d)
	case 5:
		return uintExpr.make("(@ ? @ : @)", m.cond(d), m.uint(d), m.uint(d))
	case 6:
		return uintExpr.make("(uint)(int)tame(@)", m.float(d))
	case 7:
		return of(uintExpr, fmt.Sprintf("(uint)(((ulong)@ * (ulong)@) >> %d)", m.r.IntN(33)), m.uint, d)
	case 8:
		return of(uintExpr, fmt.Sprintf("(uint)(%s)(@ >> %d)",
			[]string{"uchar", "char", "ushort", "short"}[m.r.IntN(4)], 8*m.r.IntN(4)), m.uint, d)
	case 9, 10, 11:
		return of(uintExpr, functions[m.r.IntN(len(functions))], m.uint, d)
	case 12:
		return of(uintExpr, []string{"t[@ & 7u]", "(uint)c[@ & 15u]", "(uint)s.d[@ % 3u]"}[m.r.IntN(3)],
			m.uint, d)
	case 13:
		return uintExpr.make(fmt.Sprintf("(uint)(@ >> %d)", m.r.IntN(40)), m.ulong(d))
	case 14:
		return uintExpr.make("(@)."+[]string{"x", "y", "z", "w"}[m.r.IntN(4)], m.vec4(d))
	case 15:
		return uintExpr.make("sum3(@)", m.vec3(d))
	}
	return of(uintExpr, "(@ "+[]string{"+", "-", "*", "&", "|", "^"}[m.r.IntN(6)]+" @)", m.uint, d)
}

func (m *maker) ulong(depth int) *node {
	if depth <= 0 {
		return ulongExpr.make([]string{"l0", "l1", "s.c", "(ulong)v0", "0x123456789abcdeful"}[m.r.IntN(5)])
	}
	d := depth - 1
	switch m.r.IntN(8) {
	case 0:
		return ulongExpr.make("(@ << (@ & 63u))", m.ulong(d), m.uint(d))
	case 1:
		return ulongExpr.make("(@ >> (@ & 63u))", m.ulong(d), m.uint(d))
	case 2:
		return ulongExpr.make("(ulong)((long)@ >> (@ & 63u))", m.ulong(d), m.uint(d))
	case 3:
		return ulongExpr.make("(@ ? @ : @)", m.cond(d), m.ulong(d), m.ulong(d))
	case 4:
		return ulongExpr.make("(ulong)@", m.uint(d))
	}
	return of(ulongExpr, "(@ "+[]string{"+", "-", "*", "&", "|", "^"}[m.r.IntN(6)]+" @)", m.ulong, d)
}

func (m *maker) cond(depth int) *node {
	switch m.r.IntN(5) {
	case 0:
		return of(condition, "(@ "+[]string{"<", "<=", ">", "=="}[m.r.IntN(4)]+" @)", m.float, 0)
	case 1:
		return of(condition, "(@ "+[]string{"<", ">=", "!="}[m.r.IntN(3)]+" @)", m.ulong, depth)
	}
	cast := []string{"", "(int)"}[m.r.IntN(2)]
	op := []string{"<", "<=", ">", ">=", "==", "!="}[m.r.IntN(6)]
	return of(condition, "("+cast+"@ "+op+" "+cast+"@)", m.uint, depth)
}

func (m *maker) float(depth int) *node {
	if depth <= 0 {
		switch m.r.IntN(5) {
		case 0:
			return floatExpr.make(fmt.Sprintf("%.6ff", m.r.Float64()*20-10))
		case 1:
			// Not a constant: IGC makes -x of 0 - x, whose zero has another sign.
			return floatExpr.make("(float)(int)(" + m.variable() + " & 0xffffu)")
		case 2:
			return floatExpr.make("s.f")
		}
		return floatExpr.make(fmt.Sprintf("f%d", m.r.IntN(3)))
	}
	d := depth - 1
	switch m.r.IntN(7) {
	case 0:
		return floatExpr.make("(@ ? @ : @)", m.cond(0), m.float(d), m.float(d))
	case 1:
		return floatExpr.make("(- @)", m.float(d))
	case 2:
		return of(floatExpr, floatFunctions[m.r.IntN(len(floatFunctions))], m.float, d)
	}
	return of(floatExpr, "(@ "+[]string{"+", "-", "*"}[m.r.IntN(3)]+" @)", m.float, d)
}

func (m *maker) vec4(depth int) *node {
	if depth <= 0 {
		return vec4Expr.make([]string{"w", "w.yxwz", "w.xxzz"}[m.r.IntN(3)])
	}
	d := depth - 1
	switch m.r.IntN(5) {
	case 0:
		return of(vec4Expr, "(uint4)(@, @, @, @)", m.uint, d)
	case 1:
		return vec4Expr.make("(uint4)(@, @)", m.vec3(d), m.uint(d))
	case 2:
		return of(vec4Expr, "(@ >> (@ & 31u))", m.vec4, d)
	}
	return of(vec4Expr, "(@ "+[]string{"+", "-", "*", "^"}[m.r.IntN(4)]+" @)", m.vec4, d)
}

func (m *maker) vec3(depth int) *node {
	if depth <= 0 {
		return vec3Expr.make([]string{"y", "y.zxy", "w.wzx", "s.w"}[m.r.IntN(4)])
	}
	d := depth - 1
	switch m.r.IntN(4) {
	case 0:
		return of(vec3Expr, "(uint3)(@, @, @)", m.uint, d)
	case 1:
		return vec3Expr.make("(@ * @)", m.vec3(d), m.uint(d))
	}
	return of(vec3Expr, "(@ "+[]string{"+", "-", "|", "^"}[m.r.IntN(4)]+" @)", m.vec3, d)
}
