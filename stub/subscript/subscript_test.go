package subscript

import (
	"strconv"
	"strings"
	"testing"
)

// TestAt: the place is where the text has a ^; want is the object and what is done with it.
func TestAt(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"x = ^b[i];", "b[i] r"},
		{"x = a[i] + ^b [i & 31][3] + c[1];", "b[i & 31][3] r"},
		{"x ^= a[i];", ""},
		{"b[i] ^= a[i];", "b[i] w"},
		{"  b[c[i] + d[1]][2 * (i + 1)] ^= 1;", "b[c[i] + d[1]][2 * (i + 1)] w"},
		{"b[i] ^+= 1;", "b[i] rw"}, {"b[i] ^<<= 1;", "b[i] rw"}, {"b[i]^++;", "b[i] rw"},
		{"^--b[i];", "b[i] rw"}, {"^++s.b[i];", "s.b[i] rw"}, {"s.b[i] ^++;", "s.b[i] rw"},
		{"b\n  [i]\n  ^= 1;", "b[i] w"}, {"return ^b[i];", "b[i] r"}, {"if (x) b[i] ^= 1;", "b[i] w"},
		{"x = (int)^b[i];", "b[i] r"}, {"y = 2 * ^b[i];", "b[i] r"}, {"_a1[^_b2[i]]", "_b2[i] r"},
		// Members, and what pointers lead to.
		{"x = ^s.b[i];", "s.b[i] r"}, {"x = ^s -> b [i] . c[j] + 1", "s->b[i].c[j] r"},
		{"s.^b[i]", "s.b[i] r"}, {"s->^b[i]", "s->b[i] r"}, {"s.\n  ^b[i]", "s.b[i] r"},
		{"x = ^t[i].b;", "t[i] r"}, {"x = t[i].^b;", "t[i].b r"}, {"x = t[i].a.^b.c;", "t[i].a.b r"},
		{"t[i].b ^= 1;", "t[i].b w"}, {"s.b[i] ^= 1;", "s.b[i] w"},
		{"s->b[i].c[j] ^+= 1;", "s->b[i].c[j] rw"},
		{"x = ^(*p)[i];", "(*p)[i] r"}, {"( * p ) [i] [j] ^= 1;", "(*p)[i][j] w"},
		{"(*p).a[i] ^= 1;", "(*p).a[i] w"}, {"x = (*p).^a[i]", "(*p).a[i] r"}, {"(*b)[i] ^= 1;", "(*b)[i] w"},
		{"b[i].x ^= 1;", "b[i].x w"}, {"this->d[i] ^= 1;", "this->d[i] w"},
		// No element of a variable, or not plainly one.
		{"x = ^b;", ""}, {"x = ^f(b[i]);", ""}, {"N::^b[i]", ""}, {"x = ^s.b;", ""}, {"x = s.^b;", ""},
		{"s.b ^= 1;", ""}, {"*b[i] ^= 1;", ""}, {"f(*p).b[i] ^= 1;", ""}, {"f(x)->^b[i]", ""},
		{"f(i)[2] ^= 1;", ""}, {"int ^b[16] = {1};", ""}, {"int b[16] ^= {1};", ""}, {"x = ^s.b[i](1);", ""},
		{"b[i] ^== 1", ""}, {"b[i] =^= 1", ""}, {"b[i] <^= 1", ""}, {"b[i] ^< 1", ""}, {"x = ^(p)[i];", ""},
		{`b['['] ^= 1;`, ""}, {"b[i /* ] */] ^= 1;", ""}, {"(*b + 1)[i] ^= 1;", ""}, {"x + ^1[b]", ""},
		{"] ^= 1;", ""}, {"[i] ^= 1", ""}, {"^", ""}, {"x^", ""}, {"++^b", ""}, {"^(*", ""}, {"^(*p", ""},
		{"x.^", ""}, {".^b[i]", ""}, {"x = ^b[i].", "b[i] r"}, {"x = ^b[i;", ""},
		{"f(&^b[i]);", ""}, {"x = & ^s.b[i];", ""}, {"x & ^b[i]", "b[i] r"},
		{"x && ^b[i]", "b[i] r"},
		{"(x)&^b[i]", "b[i] r"}, {"a[0] & ^b[i]", "b[i] r"}, {"&^b[i]", ""}, {"x * ^b[i]", "b[i] r"},
		{"x = ^b[i // ]\n]", ""}, {"x = ^b[i][", "b[i] r"}, {"x = ^b[a / b]", "b[a / b] r"},
		{"x = ^b['[']", ""},
		{"x = 1 - ^(*p)->a[i];", "(*p)->a[i] r"},
		// What stands before, and names of all letters and digits.
		{"case ^b[i]:", "b[i] r"}, {"else b[i] ^= 1;", "b[i] w"}, {"do b[i]^--;", "b[i] rw"},
		{"goto ^b[i];", ""},
		{"x = ^b10[i0];", "b10[i0] r"}, {"x = ^zA_aZ09[i];", "zA_aZ09[i] r"},
		{"zA_aZ09[0] ^= 1;", "zA_aZ09[0] w"},
		{"x = *^b[i];", "b[i] r"}, {"b[a / b] ^= 1;", "b[a / b] w"}, {"b[a / *b] ^= 1;", "b[a / *b] w"},
		{"b[i]\t^= 1;", "b[i] w"}, {"x = s\r\n.\r\n^b[i]", "s.b[i] r"}, {"^3[b]", ""}, {"^[b]", ""},
		{"b[i] !^= 1", ""}, {"b[i] >^= 1", ""}, {"b[a[1] ^= 2", "a[1] w"}, {"[1] ^= 2", ""},
		{"a # b[i] ^= 1;", ""}, {"x = '^b[i];", ""}, {"a::^b[i]", ""}, {"a: ^b[i]", "b[i] r"},
		{"return ++^b[i];", "b[i] r"}, {"&(x), &s.^b[i]", ""},
	} {
		at := strings.IndexByte(c.text, '^')
		text := c.text[:at] + c.text[at+1:]
		e, ok := At(text, at)
		got := ""
		if ok {
			got = e.Text(len(e.Steps)) + " "
			if e.Reads {
				got += "r"
			}
			if e.Writes {
				got += "w"
			}
		}
		if got != c.want && (c.want != "" || ok) {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestOffset(t *testing.T) {
	text := "one\ntwo\n\nfour"
	for _, c := range []struct {
		line, column uint32
		at           int
	}{{1, 1, 0}, {1, 3, 2}, {2, 1, 4}, {4, 4, 12}, {1, 4, -1}, {3, 1, -1}, {0, 1, -1}, {1, 0, -1}, {5, 1, -1},
		{4, 5, -1}, {1 << 31, 1, -1}, {1, 1 << 31, -1}} {
		if at, ok := Offset(text, c.line, c.column); ok != (c.at >= 0) || ok && at != c.at {
			t.Errorf("line %d, column %d: %d, %v", c.line, c.column, at, ok)
		}
	}
}

func TestInBraces(t *testing.T) {
	for text, want := range map[string]bool{"": false, "f() {": true, "f() { if (x) { } ": true,
		"f() { } ": false,
		"// {\n":   false, "/* { */": false, "/* } { ": false, `s = "{"; `: false,
		`c = '{'; d = '\'';`: false,
		`extern "C" {`:       false, `extern "C" { f() {`: true, "} {": true, "'{\n{": true} {
		if got := InBraces(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestDeclares(t *testing.T) {
	for line, want := range map[string]bool{"int b[4];": true, "int a[4], b [5];": true, "int ab[4];": false,
		"int b;": false, "": false, "b": false, "bb[1] b[2]": true, "int b2[4]": false} {
		if got := Declares(line, "b", true); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
	for line, want := range map[string]bool{"int b[4];": true, "struct ab a;": false, "T b;": true, "": false,
		"T *a, *b": true, "T b2, ab": false, "(T *b)": true} {
		if got := Declares(line, "b", false); got != want {
			t.Errorf("%q: %v, no array", line, got)
		}
	}
}

func TestUnbounded(t *testing.T) {
	text := "union u { int two[2]; struct { int x, rest[3]; }; } v; int *end = a, * const last; " +
		"struct { int b[2]; } s;\nint f(float *restrict q, int c[4]) { "
	for expression, want := range map[string]bool{"v.two[i]": true, "v->rest[i]": true, "v.x[i]": false,
		"end[i]": true, "last[i]": true, "q[i]": true, "c[i]": false, "s.b[i]": false, "end[i][j]": false,
		"end->b[i]": false,
		"a[i]":      false} {
		x, ok := At(expression, 0)
		if got := Unbounded(text, x); got != want || !ok {
			t.Errorf("%s: %v", expression, got)
		}
	}
}

func TestInLine(t *testing.T) {
	text := "a[0];\n  int x = f(s.a[b[i] + 1].c, &d[i], (*p)[2]) & e [i]; // g[i]\n\nlast->a[i]"
	for line, want := range map[uint32]string{1: "a[0]", 2: "s.a[b[i] + 1].c|b[i]|(*p)[2]|e[i]|g[i]", 3: "",
		4: "last->a[i]", 5: "", 0: ""} {
		var got []string
		for _, e := range InLine(text, line) {
			got = append(got, e.Text(len(e.Steps)))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("line %d: %q, want %q", line, got, want)
		}
	}
}

func TestInitial(t *testing.T) {
	const text = "int i = LX, x = i & (C - 1), y = f(i, 2);\n" +
		"  s.x = 1; if (x == y) { int k = 0; k++; int n = 3; for (int z = 0; z < n; z++) g(&w); }\n" +
		"  T *p = (T *)in, w = 2, *q = p; int a[2] = {1, 2};\n  y -= 2; }\n  { x = 5; }\nint e = 1;"
	for _, c := range []struct {
		line uint32
		name string
		want string
	}{{1, "i", "LX"}, {1, "x", "i & (C - 1)"}, {1, "y", ""}, {1, "f", ""}, {1, "c", ""}, {2, "k", ""},
		{2, "n", "3"},
		{2, "z", ""}, {3, "p", "(T *)in"}, {3, "w", "2"}, {3, "q", "p"}, {3, "a", ""}, {6, "e", "1"},
		{7, "e", ""},
		{1, "", ""}} {
		if got := Initial(text, c.line, c.name); got != c.want {
			t.Errorf("line %d, %s: %q, want %q", c.line, c.name, got, c.want)
		}
	}
}

func TestUncast(t *testing.T) {
	for text, want := range map[string]string{"(int (*)[8])in + 1": "in + 1", "(T *)(in)": "(in)",
		"(a * b)": "(a * b)",
		"(int)x":  "(int)x", "x": "x", "": "", "(": "(", "(*": "(*"} {
		if got := Uncast(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestIncludes(t *testing.T) {
	text := "#include \"a.h\"\n#include <b.h>\n  #include \"c.h\n#include \"sub/d.h\" // d\n#include \""
	if got := strings.Join(Includes(text), "|"); got != "a.h|sub/d.h" {
		t.Errorf("%q", got)
	}
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{"get_local_id(0) + 1": "$local_id_0 + 1",
		"threadIdx.y":                            "(unsigned)$local_id_1",
		"(int)__builtin_amdgcn_workgroup_id_z()": "(int)(unsigned)$group_id_2", "x": "x",
		"(__global const T *)in": "(const T *)in", "get_local_id(k)": "get_local_id(k)"} {
		if got := Plain(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestMacro(t *testing.T) {
	text := "#define A 1\n#define AB (A + 1) // two\n#define F(x) x\n#define E\n#define D 1\n#define D 2\n" +
		"#define L (int)get_local_id(0)\n#define L threadIdx.x\n#define L get_local_id(0)\n"
	for name, want := range map[string]string{"A": "1", "AB": "(A + 1)", "F": "", "E": "", "D": "", "G": "",
		"": "", "L": "$local_id_0"} {
		if got := Macro(text, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// declaring has declarations of many kinds, and what looks like them.
const declaring = `#define N 4 /* int no; */
// struct pair { int no; };
struct pair {
  int a[N], *p;
  unsigned char c;
};
typedef union { float f; int i[2]; } both;
struct odd { int bits : 3; };
__constant int table[3][N] = {{1, 2}, {3}};

__attribute__((noinline)) static int taken(struct pair q, int r) { return q.a[r]; }

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
k(__global const int *in, __local int (*rows)[N + 1], int n) {
  __local struct pair tile[N][2];
  int i = get_local_id(0), x = i & (N - 1), *y = &x;
  for (int z = 0; z < n; z++) {
    both inner;
    x * i;
    tile[i][z].c = in[z]; // HERE
  }
  if (n) { int twice; } else { long twice; }
  return i;
}
`

// TestSource: what a text declares at a place in it.
func TestSource(t *testing.T) {
	s, here := Parse(declaring), strings.Index(declaring, "// HERE")
	for name, want := range map[string]string{
		"in": "int * 0", "rows": "int * [N + 1] 1", "n": "int 2", "tile": "struct pair [N] [2] -1",
		"i": "int -1", "x": "int -1", "y": "int * -1", "z": "int -1", "inner": "both -1",
		"table": "int [3] [N] -1", "twice": "", "taken": "", "q": "", "no": "", "k": "", "absent": "",
	} {
		got := ""
		if d, ok := s.Variable(name, here); ok {
			got = strings.Join(d.Base, " ")
			for _, p := range d.Parts {
				if got += " *"; !p.Pointer {
					got = got[:len(got)-1] + "[" + p.Count + "]"
				}
			}
			got += " " + strconv.Itoa(d.Param)
			if line := strings.Split(declaring, "\n")[d.Line-1]; !strings.Contains(line, name) {
				t.Errorf("%s is declared in %q", name, line)
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if f := s.Function(here); f != "k" {
		t.Errorf("function %q", f)
	}
	if s.Writes("in", here) || !s.Writes("z", here) {
		t.Error("which variables are written")
	}
	for name, want := range map[string]string{"pair": "a p c", "both": "f i", "odd": "", "no": ""} {
		r, ok := s.Record(name)
		var names []string
		for _, m := range r.Members {
			names = append(names, m.Name)
		}
		if got := strings.Join(names, " "); got != want || ok != (want != "") || r.Union != (name == "both") {
			t.Errorf("%s: %q, union %v, want %q", name, got, r.Union, want)
		}
	}
}

// FuzzSource: no text panics, and what is found lies in it.
func FuzzSource(f *testing.F) {
	f.Add(declaring, "tile", 600)
	f.Add("struct s{struct s{", "s", 3)
	f.Fuzz(func(t *testing.T, text, name string, at int) {
		s := Parse(text)
		if len(s.text) != len(text) {
			t.Fatalf("%d bytes of %d", len(s.text), len(text))
		}
		s.Variable(name, at)
		s.Function(at)
		s.Writes(name, at)
		s.Record(name)
	})
}

// FuzzAt: whatever the text, what is found is a name in it.
func FuzzAt(f *testing.F) {
	f.Add("  out[GROUP * SIZE + i] = a[in[i] & 15] + b[in[i] & 31];", 24)
	f.Add("*b[i]++ <<= c->d[*e] /* ] */", 8)
	f.Add("b\n[\n]=", 5)
	f.Fuzz(func(t *testing.T, text string, at int) {
		InBraces(text)
		Macro(text, "b")
		InLine(text, 1)
		Includes(text)
		Uncast(text)
		Initial(Plain(text), 1, "b")
		Unbounded(text, Expr{Name: "b", Steps: []Step{{Member, "b"}, {Index, "i"}}})
		Unbounded(text, Expr{Name: "b", Steps: []Step{{Index, "i"}}})
		e, ok := At(text, at)
		if ok && (e.Name == "" || !strings.Contains(text, e.Name) || !e.Reads && !e.Writes) {
			t.Errorf("%q at %d: %+v", text, at, e)
		}
		for _, s := range e.Steps {
			if !strings.Contains(text, s.Text) {
				t.Errorf("%q at %d: %q", text, at, s.Text)
			}
		}
	})
}
