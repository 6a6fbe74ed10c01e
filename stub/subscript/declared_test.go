package subscript

import (
	"strconv"
	"strings"
	"testing"
)

// spelled is a declaration as: words of its type, parts from the name on.
func spelled(d Declaration) string {
	text := strings.Join(d.Base, " ")
	for _, p := range d.Parts {
		if p.Pointer {
			text += " *"
		} else {
			text += " [" + p.Count + "]"
		}
	}
	return text
}

// TestDeclarations: what one statement declares v to be.
func TestDeclarations(t *testing.T) {
	for statement, want := range map[string]string{
		"int v;": "int", "const unsigned long int v = 3;": "unsigned long int", "T v;": "T",
		"struct pair v;": "struct pair", "union u *v;": "union u *", "class C const &v;": "",
		"struct *v;": "",
		"struct v;":  "", "struct { int a; } v;": "", "T int v;": "", "int T v;": "",
		"int unsigned v;": "int unsigned",
		"static __local volatile float v[4][N + 1];": "float [4] [N + 1]",
		"half *const restrict v;":                    "half *",
		"int *__restrict *v[2];":                     "int [2] * *", "int (*v)[3];": "int * [3]",
		"int (*const *v)[3][4];": "int * * [3] [4]",
		"int (v);":               "", "int (*v)(int);": "", "int (*v;": "", "int v(3);": "", "int v : 3;": "",
		"__attribute__((aligned(16))) float v;": "float", "float v __attribute__((aligned(16))), w;": "float",
		"alignas(16) int v;": "int", "_Alignas(8) int v = 1;": "int", "__align__ int v;": "",
		"int v[a[2]];":                      "int [a[2]]",
		"int w, *x = &w, v[2] = {1, 2}, y;": "int [2]", "int w = (1, 2), v = f(3, [4]);": "int",
		"int w = {1, {2, 3}}, v;": "int", "int w = 2), v;": "", "int w = 2], v;": "", "int w, 3, v;": "",
		"int w v;": "", "return v;": "", "goto v;": "", "delete v;": "", "int return;": "",
		"int w, sizeof;": "",
		"w * v;":         "w *", "int w; w * v;": "", "x = v;": "", "int w; { int v; }": "",
		"if (w) int v;": "",
		"{ T v":         "T", "for (int v = 0; v < 3; v++) {": "int", "while (T v) {": "", "f(int v);": "",
		"; ; T\n*\nv\n=\n0;": "T *",
		"int v; long v;":     "", "int v; { long v; }": "", "/* int v; */": "", "// int v;\n": "",
		`"int v;";`:   "",
		`'{'; int v;`: "int", "#define X int v;\n": "", "# if 1\nint v;\n": "int",
		"\n#define X \\\nint v; \\\n int v;\nlong v;\n": "long", "\"\\\"{\"; int v;": "int",
	} {
		text := "typedef int T;\nvoid f(int n) {\n" + statement + " /*here*/"
		got := ""
		if d, ok := Parse(text).Variable("v", strings.Index(text, "/*here*/")); ok {
			got = spelled(d)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", statement, got, want)
		}
	}
}

// TestScopes: a variable is known from its declaration to the end of its block, a parameter in its function,
// and another one of the file behind it.
func TestScopes(t *testing.T) {
	const text = `int early;
struct s { int member; } both;
void first(int p, T *q) /*a*/ {
  /*b*/ int x = 1; /*c*/ { int y; /*d*/ } /*e*/
}
extern int late; /*f*/
int again; int again;
template <int k> __attribute__((x)) void second(int a[3], int (*b)(int, int), , int c) __launch_bounds__(4) {
  /*g*/ }
int last = 1;
int table[] = { 1, /*h*/ };
namespace n { void third(float z) { /*i*/ } int inner; /*j*/ }
extern "C" { int fourth(int w) { /*k*/ } }
T made = (T) { /*l*/ };
`
	s := Parse(text)
	for place, want := range map[string]string{
		"a": "", "b": "first early p q", "c": "first early p q x", "d": "first early p q x y",
		"e": "first early p q x",
		"f": "", "g": "second early late a c", "h": "", "i": "third early late last z", "j": "",
		"k": "fourth w", "l": "",
	} {
		at := strings.Index(text, "/*"+place+"*/")
		got := []string{s.Function(at)}
		for _, name := range strings.Fields("early member both again late last inner p q x y a b c z w k") {
			if d, ok := s.Variable(name, at); ok {
				got = append(got, name)
				line := strings.Split(text, "\n")[d.Line-1]
				if d.Name != name || !strings.Contains(line, name) {
					t.Errorf("%s is %+v, in %q", name, d, line)
				}
			}
		}
		if got := strings.Join(got, " "); place != "k" && got != want {
			t.Errorf("at %s: %q, want %q", place, got, want)
		}
	}
	for name, want := range map[string]int{"a": 0, "c": 3} {
		if d, _ := s.Variable(name, strings.Index(text, "/*g*/")); d.Param != want {
			t.Errorf("%s is parameter %d, want %d", name, d.Param, want)
		}
	}
	for _, at := range []int{-1, len(text), len(text) + 1} {
		if f := s.Function(at); f != "" || !s.Writes("x", at) {
			t.Errorf("%d is in function %q", at, f)
		}
	}
}

// TestRecord: structures and unions that a text defines once, with members that are plainly declared.
func TestRecord(t *testing.T) {
	const text = `struct a { int x, y[2]; };
class b { float *f; }
typedef struct { int x; } c;
typedef union tagged { int x; } d;
struct named { int x; } e;
struct twice { int x; }; struct twice { int x; };
struct h { int x; struct { int y; } z; };
struct i { }; struct j { int x }; struct k { int x; f(); }; struct l { int x; } __attribute__((packed));
struct m; struct n { int x; };  mystruct o { int x; };`
	s := Parse(text)
	for name, want := range map[string]string{"a": "x int, y int [2]", "b": "f float *", "c": "x int",
		"d": "union x int", "tagged": "union x int", "e": "", "named": "x int", "twice": "", "h": "",
		"i": "", "j": "",
		"k": "", "l": "", "m": "", "n": "x int", "o": "", "": ""} {
		r, ok := s.Record(name)
		var members []string
		for _, m := range r.Members {
			members = append(members, m.Name+" "+spelled(m))
		}
		got := strings.Join(members, ", ")
		if r.Union {
			got = "union " + got
		}
		if got != want || ok != (want != "") {
			t.Errorf("%s: %q, %v, want %q", name, got, ok, want)
		}
	}
}

// TestWritten: the first value of v stays, or something behind may change it.
func TestWritten(t *testing.T) {
	for rest, want := range map[string]bool{
		"w = v;": false, "v == 2;": false, "a[v] = 1;": false, "s.v = 1;": false, "p->v += 1;": false,
		"vv = 1;": false,
		"v2 = 1;": false, "w & v;": false, "w && v;": false, "f(v);": false, "(w)&v;": false,
		"v <= 1; v >= 2;": false,
		"v != w;":         false, "} v = 1;": false, "{ w = 1; } f(v); }": false,
		"v = 1;": true, "v\n=\n1;": true, "v += 1;": true, "v <<= 1;": true, "v >>= 1;": true,
		"v |= w;": true,
		"v ^= 1;": true, "v %= 2;": true, "v /= 2;": true, "v *= 2;": true, "v -= 2;": true, "v &= 2;": true,
		"v++;": true, "v --;": true, "++v;": true, "-- v;": true, "f(&v);": true, "w = & v;": true,
		"f(v); v = 2;": true,
		"{ v = 1; }":   true, "w == v; v = 3;": true,
	} {
		text := "int v = 7, w; " + rest
		got := Initial(text, 1, "v") == ""
		if got != want {
			t.Errorf("%s: written is %v", rest, got)
		}
		if at := strings.Index(text, "7"); Parse("void f(int v) { w; "+rest+"}").Writes("v", at+10) != want &&
			!strings.Contains(rest, "}") {
			t.Errorf("%s: Writes is %v", rest, !want)
		}
	}
}

// TestFirstValues: what a line gives a variable, where that is plain.
func TestFirstValues(t *testing.T) {
	for line, want := range map[string]string{
		"v = 3;": "3", "int u = 2, v = u;": "u", "T (*v)[4] = (T (*)[4])in;": "(T (*)[4])in",
		"T (*v)[4] [N[1]] = x;": "x", "T (*v)[4 = x;": "", "int v = f(a, b), w;": "f(a, b)",
		"int v = a[1, 2];": "a[1, 2]",
		"int v":            "", "int v =": "", "int v = 3": "", "int v == 3;": "", "int v[2] = 3;": "",
		"int v;":       "",
		"int v = {3};": "", "int v = 'c';": "", `T v = "s";`: "", "int v = N \\ 2;": "", "int v = 1 # 2;": "",
		"int v = 3);": "", "int v = a];": "", "int vv = 1, v = 2;": "2", "int u_v = 1, v = 2;": "2",
		"int u = 1; } int v = 4;": "4",
	} {
		for n, before := range []string{"", "\n", "int v = 9;\n\n"} {
			if got := Initial(before+line, uint32(n+1), "v"); got != want {
				t.Errorf("%q in line %d: %q, want %q", line, n+1, got, want)
			}
		}
	}
	if got := Initial("int v = "+strings.Repeat("1+", longest/2)+"1;", 1, "v"); got != "" {
		t.Errorf("a first value of %d bytes", len(got))
	}
}

// TestWorkItems: where a work-item is, as languages and compilers have it, is a register in each direction;
// address spaces are left out.
func TestWorkItems(t *testing.T) {
	for i, letter := range []string{"x", "y", "z"} {
		n := strconv.Itoa(i)
		for spelling, want := range map[string]string{"get_local_id(" + n + ")": "$local_id_",
			"get_group_id(" + n + ")": "$group_id_", "threadIdx." + letter: "(unsigned)$local_id_",
			"blockIdx." + letter:                             "(unsigned)$group_id_",
			"__builtin_amdgcn_workitem_id_" + letter + "()":  "(unsigned)$local_id_",
			"__builtin_amdgcn_workgroup_id_" + letter + "()": "(unsigned)$group_id_",
			"__nvvm_read_ptx_sreg_tid_" + letter + "()":      "(int)$local_id_",
			"__nvvm_read_ptx_sreg_ctaid_" + letter + "()":    "(int)$group_id_"} {
			if got := Plain("1 + " + spelling + " * 2"); got != "1 + "+want+n+" * 2" {
				t.Errorf("%s: %q", spelling, got)
			}
		}
	}
	for _, space := range []string{"__global", "__local", "__private", "__constant", "__generic"} {
		if got := Plain("(" + space + " int *restrict )x"); got != "(int *)x" {
			t.Errorf("%s: %q", space, got)
		}
	}
}

// TestPointers: declarations by which a name is a pointer, and what is none.
func TestPointers(t *testing.T) {
	for text, want := range map[string]bool{"int *b;": true, "int *const b = a;": true,
		"int *volatile b, c":  true,
		"f(int * restrict b)": true, "int *__restrict b;": true, "int *__restrict__ const b;": true,
		"int *const __restrict b;": true, "int b;": false,
		"int *a, b;": false, "int *bb;": false, "x * b + 1": false, "": false, "b": false,
		"int b; g(int *b)": true} {
		if got := isPointer(text, "b"); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	for text, want := range map[string]bool{"union { int b[2]; }": true,
		"union u { struct { int b[2]; } s; }": true,
		"union { int a[2]; }; int b[2];":      false, "union { int b; }": false,
		"struct { int b[2]; }":                         false,
		"union a { int c[1]; }; union d { int b[3]; }": true, "union {": false} {
		if got := inUnion(text, "b"); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
