package objects

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
	"simtgdb/simt"
	"simtgdb/stub/cexpr"
	"simtgdb/stub/subscript"
	"simtgdb/stub/unwind"
)

// sceneAt is where a mark, /*here*/, stands in a text, which is all that is known of variables, in the kernel
// cell_bounds(in, out) of a program of 8 by 4 by 2 work-items in each of 8 workgroups.
func sceneAt(t *testing.T, text string) *scene {
	t.Helper()
	p := programOf(t, checkObjects+"src", "--code-object", checkObjects+"members.O2.ptx", "--kernel",
		"cell_bounds", "--grid", "16,8,4", "--block", "8,4,2", "--arg", "buf:i32[512]=iota", "--arg",
		"buf:i32[512]=zero")
	a := p.Objects.(*arrays)
	return &scene{arrays: a, source: text, known: map[string]described{}, declares: a.declarations(text),
		at: strings.Index(text, "/*here*/")}
}

// spelled is a type as it would be read aloud, from its name on.
func spelled(m types.Model, t *dwarf.DIE) string {
	switch t.Tag {
	case dwarf.TagPointerType:
		return "pointer to " + spelled(m, t.TypeDIE())
	case dwarf.TagArrayType:
		var counts string
		for _, c := range t.Children {
			counts += fmt.Sprintf("[%d]", types.Count(c))
		}
		return counts + " " + spelled(m, t.TypeDIE())
	case dwarf.TagStructureType, dwarf.TagUnionType:
		return fmt.Sprintf("%s %d", t.Name(), m.Size(t))
	}
	return t.Name()
}

// TestLayout: structures and unions of a source have their members where C has them on machines with 64 bits.
func TestLayout(t *testing.T) {
	s := sceneAt(t, `
#define COUNT 5
struct plain { char c; short s; int i; double d; char tail; };
struct nested { char c; struct plain p[2]; int *q; char e[COUNT]; };
union both { char c[5]; int i; };
struct rows { int grid[2][3]; int (*rows)[4]; int *list[COUNT]; union both b; };
struct list { struct list *next; int n; };
struct variable { int n; int a[n]; };
struct nothing { void v; };
struct huge { char c[0x7fffffff]; };
struct beyond { char c[0x80000000]; };
struct none { char c[0]; };
struct one { char c[1]; };
void f(void) { /*here*/ }`)
	m := s.arrays.frames.Arch.Model()
	for name, want := range map[string]string{
		"plain":  "24 structure: c 0 char, s 2 short, i 4 int, d 8 double, tail 16 char",
		"nested": "72 structure: c 0 char, p 8 [2] plain 24, q 56 pointer to int, e 64 [5] char",
		"both":   "8 union: c 0 [5] char, i 0 int",
		"rows": "80 structure: grid 0 [2][3] int, rows 24 pointer to [4] int, list 32 [5] pointer to int, " +
			"b 72 both 8",
		"huge":     "2147483647 structure: c 0 [2147483647] char",
		"one":      "1 structure: c 0 [1] char",
		"list":     "", // of itself
		"variable": "", "nothing": "", "beyond": "", "none": "", "unknown": "",
	} {
		for range 2 { // found, and known
			got := ""
			if r := s.record(name); r != nil {
				var members []string
				for m1 := range types.Members(r) {
					at, _ := m1.Uint(dwarf.AttrDataMemberLocation)
					members = append(members, fmt.Sprint(m1.Name(), " ", at, " ", spelled(m, m1.TypeDIE())))
				}
				kind := "structure"
				if r.Tag == dwarf.TagUnionType {
					kind = "union"
				}
				got = fmt.Sprintf("%d %s: %s", m.Size(r), kind, strings.Join(members, ", "))
				if r.Name() != name {
					t.Errorf("%s is named %q", name, r.Name())
				}
			}
			if got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
	}
}

// TestSourced: variables have the types that the source declares; parameters that are arrays are pointers.
func TestSourced(t *testing.T) {
	s := sceneAt(t, `
struct pair { int a; float b; };
typedef unsigned int word;
__constant short table[3] = {1, 2, 3};
void f(int a[4][8], struct pair *p, void *v, float x[6]) {
  __local int tile[2][3][4], *q, *list[7], one, (*rows)[5];
  void *w; struct missing m; unsigned long n; /*here*/
}`)
	for name, want := range map[string]string{"a": "pointer to [8] int", "p": "pointer to pair 8", "v": "",
		"x": "pointer to float", "tile": "[2][3][4] int", "q": "pointer to int",
		"list": "[7] pointer to int", "one": "int", "rows": "pointer to [5] int", "w": "", "m": "",
		"n":     "unsigned long",
		"table": "[3] short", "other": ""} {
		v, got := s.variable(name), ""
		if v.entry != nil {
			got = spelled(s.arrays.frames.Arch.Model(), v.entry.TypeDIE())
			parameter := slices.Contains([]string{"a", "p", "x"}, name)
			if (v.entry.Tag == dwarf.TagFormalParameter) != parameter || v.entry.Name() != name ||
				v.declaration == nil {
				t.Errorf("%s is %+v", name, v.entry)
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestValues: what is not kept anywhere has the value that the source gives it at first, where that is all
// that it can have: of macros, of where the work-item is, of other variables.
func TestValues(t *testing.T) {
	s := sceneAt(t, `
#define N 12
#define TWICE (N * 2)
#define ME get_local_id(0)
#define OTHER N
#define ROUND (ROUND + 1)
#define SIGNED -3
void f(int n) {
  int k = N + 1, later, j = k * 2;
  char c = 3; short s = 4; float x = 1.5f; long big = 0x100000000;
  __global int *p = (__global int *)4096, *q = p; /*here*/
}`)
	group := &simt.Workgroup{ID: [3]uint32{3, 2, 1}, Size: [3]uint32{8, 4, 2}}
	env := s.env(&unwind.Frame{Wave: &simt.Wave{Size: 32, Index: 1, Group: group}, Lane: 13}) // work-item 45
	for text, want := range map[string]string{
		"N": "12", "TWICE + 1": "25", "ME": "5", "get_local_id(1)": "1", "get_local_id(2)": "1",
		"get_group_id(0)": "3", "get_group_id(1) + get_group_id(2) * 8": "10", "k": "13", "j + k": "39",
		"big >> 32": "1", "(int)x": "1", "c": "none", "s": "none", "later": "none", "ROUND": "none",
		"OTHER": "none", "SIGNED": "none", "n": "none", "missing": "none", "$local_id_3": "none",
		"$other_id_0": "none", "$x": "none",
	} {
		x, err := s.parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got := "none"
		if n, ok := value(x, env); ok {
			got = fmt.Sprint(n)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for _, name := range []string{"p", "q"} {
		v, err := env.Variable(name)
		if n, ok := v.Int(env); err != nil || !ok || n != 4096 || v.Type.Tag != dwarf.TagPointerType {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
	constants := *s
	constants.constant = true
	if x, _ := s.parse("k"); x != nil {
		if n, ok := value(x, constants.env(nil)); ok {
			t.Errorf("a variable is the constant %d", n)
		}
	}
}

// TestArgument: a parameter of the launched kernel is where the launch has put it, unless the function writes
// it, or is another one.
func TestArgument(t *testing.T) {
	for text, want := range map[string]bool{
		"void cell_bounds(int *in, int *out) { /*here*/ }":             true,
		"void cell_bounds(int *in, int *out) { out = in; /*here*/ }":   true,
		"void cell_bounds(int *in, int *out) { in = out; /*here*/ }":   false,
		"void cell_bounds(int *in, int *out) { in++; /*here*/ }":       false,
		"void other(int *in, int *out) { /*here*/ }":                   false,
		"void cell_bounds(int *a, int *b, int *in) { /*here*/ }":       false, // the launch has two
		"int *in; void cell_bounds(int *a, int *b) { /*here*/ }":       false,
		"void cell_bounds(int *a, int *in) { int *out = 0; /*here*/ }": true,
	} {
		s := sceneAt(t, text)
		v, ok := s.env(&unwind.Frame{}).argument(s.variable("in"))
		if ok != want || ok && (!v.InMemory || v.Type.Tag != dwarf.TagPointerType) {
			t.Errorf("%s: %+v, %v", text, v, ok)
		}
	}
}

// TestMeantSymbol: a variable of the source is what the machine knows of an access by a symbol of its size
// and name, as compilers write it in an object.
func TestMeantSymbol(t *testing.T) {
	s := sceneAt(t, "void f(void) { __local int tile[4]; /*here*/ }")
	tile, m := s.variable("tile"), s.arrays.frames.Arch.Model()
	for name, want := range map[string]bool{"tile": true, "f_$_tile": true, "f.tile": true,
		"_ZZ1fE4tile": true, "atile": false, "tile2": false, "f_$_tiles": false, "_ZZ1fE5tile": false,
		"": false} {
		lo, ok := tile.meant(&simt.Object{Name: name, Lo: 64, Hi: 80}, m)
		if ok != want || ok && lo != 64 {
			t.Errorf("%s: %v at %d", name, ok, lo)
		}
	}
	for _, o := range []*simt.Object{nil, {Name: "tile", Lo: 64, Hi: 96}} {
		if _, ok := tile.meant(o, m); ok {
			t.Errorf("%+v is tile", o)
		}
	}
	if _, ok := (described{entry: tile.entry}).meant(&simt.Object{Name: "tile", Lo: 64, Hi: 80}, m); ok {
		t.Error("nothing declares it")
	}
}

// TestHolds: a place is in an object that a path leads to if no subscript has to leave its array for it;
// where a row is left for its neighbour, the first and last element may be what is left to.
func TestHolds(t *testing.T) {
	tile := &accessPath{size: 4, steps: []step{{element: true, count: 3, stride: 20},
		{element: true, count: 5, stride: 4, row: true}}}
	member := &accessPath{size: 4, steps: []step{{element: true, stride: 32}, {offset: 8},
		{element: true, count: 4, stride: 4}}}
	for _, c := range []struct {
		path *accessPath
		held []int64 // of -40 to 80, by fours
	}{
		{tile, []int64{4, 8, 12, 24, 28, 32, 44, 48, 52}},
		{member, []int64{-24, -20, -16, -12, 8, 12, 16, 20, 40, 44, 48, 52, 72, 76}},
	} {
		for at := int64(-40); at < 80; at++ {
			if got, want := c.path.holds(at), slices.Contains(c.held, at&^3); got != want {
				t.Errorf("%d: %v", at, got)
			}
		}
	}
	wide := &accessPath{size: 4, steps: []step{{element: true, count: 4, stride: 8}}}
	for at, want := range map[int64]bool{0: true, 3: true, 4: false, 7: false, 8: true, 28: false,
		32: false} {
		if got := wide.holds(at); got != want {
			t.Errorf("%d of eights: %v", at, got)
		}
	}
}

// TestIndices: subscripts are what they are evaluated as, and the one that has no value is what leads to the
// place.
func TestIndices(t *testing.T) {
	s := sceneAt(t, "void f(void) { /*here*/ }")
	of := func(text string) *cexpr.Expr {
		x, err := s.parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	path := func(size uint64, x, y *cexpr.Expr, count uint64) *accessPath {
		return &accessPath{size: size, steps: []step{{offset: 16},
			{element: true, index: x, count: 8, stride: 32},
			{element: true, index: y, count: count, stride: 4}}}
	}
	two, nine, gone := of("2"), of("-9"), of("gone")
	for _, c := range []struct {
		path *accessPath
		at   int64
		size int
		want []int64 // nil if they do not lead there
	}{
		{path(4, two, of("3"), 8), 16 + 64 + 12, 4, []int64{0, 2, 3}},
		{path(4, two, of("3"), 8), 16 + 64 + 15, 1, []int64{0, 2, 3}},
		{path(4, two, of("3"), 8), 16 + 64 + 16, 4, nil},
		{path(4, two, of("3"), 8), 16 + 64 + 8, 4, nil},
		{path(4, two, of("3"), 8), 16 + 64 + 8, 8, []int64{0, 2, 3}}, // a wider access has it
		{path(4, two, of("3"), 8), 16 + 64 + 4, 8, nil},              // and ends before it
		{path(4, nine, of("11"), 8), 16 - 288 + 44, 4, []int64{0, -9, 11}},
		{path(4, gone, of("9"), 8), 16 + 96 + 36, 4, []int64{0, 3, 9}},
		{path(4, two, gone, 8), 16 + 64 + 28, 4, []int64{0, 2, 7}},
		{path(4, two, nil, 8), 16 + 64 + 28, 4, []int64{0, 2, 7}},
		{path(4, two, nil, 8), 16 + 64 + 32, 4, nil},
		{path(4, two, nil, 8), 16 + 64 - 4, 4, nil},
		{path(4, two, nil, 0), 16 + 64 + 28, 4, nil}, // of how many is not known
		{path(4, gone, nil, 8), 16 + 64 + 28, 4, nil},
		{path(4, of("0x80000000"), of("3"), 8), 16 + 96 + 12, 4, []int64{0, 3, 3}}, // too large to be one
		{path(4, of("-0x80000000l"), of("3"), 8), 16 + 96 + 12, 4, []int64{0, 3, 3}},
		{&accessPath{size: 4, steps: []step{{element: true, count: 4, stride: 8}}}, 24, 4, []int64{3}},
		{&accessPath{size: 4, steps: []step{{element: true, count: 4, stride: 8}}}, 28, 4, nil},
		{&accessPath{size: 4, steps: []step{{element: true, count: 4, stride: 8}}}, 0, 4, []int64{0}},
		{&accessPath{size: 4, steps: []step{{element: true, count: 4, stride: 32},
			{element: true, count: 8, stride: 4}}}, 36, 4, nil}, // two are not known
	} {
		got, ok := c.path.indices(c.at, c.size, s.env(&unwind.Frame{}))
		if diff := cmp.Diff(c.want, got); ok != (c.want != nil) || ok && diff != "" {
			t.Errorf("%d bytes at %d: -want +got\n%s", c.size, c.at, diff)
		}
	}
}

// TestArrayOf: the array that a subscript leaves is the one that it chooses from, of rows all of them.
func TestArrayOf(t *testing.T) {
	cube := &accessPath{steps: []step{{offset: 8}, {element: true, count: 4, stride: 60, array: "c"},
		{element: true, count: 3, stride: 20, row: true, array: "c[z]"},
		{element: true, count: 5, stride: 4, row: true, array: "c[z][y]"}}}
	members := &accessPath{steps: []step{{element: true, count: 16, stride: 64, array: "t"}, {offset: 32},
		{element: true, count: 8, stride: 4, array: "t[y].a"}}}
	rows := &accessPath{steps: []step{{element: true, stride: 32, array: "rows"},
		{element: true, count: 8, stride: 4, row: true, array: "rows[y]"}}}
	for _, c := range []struct {
		path  *accessPath
		i     int
		index []int64
		want  simt.Object
		row   bool
	}{
		{cube, 1, []int64{0, 4, 0, 0}, simt.Object{Name: "c", Lo: 8, Hi: 248}, false},
		{cube, 2, []int64{0, 2, 3, 0}, simt.Object{Name: "c", Lo: 8, Hi: 248}, true},
		{cube, 3, []int64{0, 2, 1, 5}, simt.Object{Name: "c", Lo: 8, Hi: 248}, true},
		{members, 0, []int64{16, 0, 0}, simt.Object{Name: "t", Lo: 0, Hi: 1024}, false},
		{members, 2, []int64{3, 0, 9}, simt.Object{Name: "t[y].a", Lo: 224, Hi: 256}, false},
		{rows, 1, []int64{2, 8}, simt.Object{Name: "rows[y]", Lo: 64, Hi: 96}, false},
	} {
		got, row := c.path.array(c.i, c.index)
		if *got != c.want || row != c.row {
			t.Errorf("%v of step %d: %+v, %v", c.index, c.i, got, row)
		}
	}
}

// TestLaunched: a parameter of the launched kernel that is nowhere any more is where the launch has put it;
// one of a function that has become part of the kernel is not known.
func TestLaunched(t *testing.T) {
	p := launched(t, "members.O2.co", "called_bounds", checkObjects+"src")
	a, places := p.Objects.(*arrays), map[string]map[uint64]bool{}
	u := p.Source.Data.UnitAt(p.Kernel.Entry)
	for pc := p.Kernel.Entry; pc < p.Kernel.Entry+0x200; pc += 4 {
		scopes := u.ScopesAt(pc)
		if len(scopes) == 0 {
			break
		}
		s := &scene{arrays: a, unit: u, pc: pc, scopes: scopes}
		for _, b := range scopes {
			for _, d := range b.Children {
				if d.Tag != dwarf.TagFormalParameter {
					continue
				}
				v, ok := s.env(&unwind.Frame{}).launched(d)
				if places[d.Name()] == nil {
					places[d.Name()] = map[uint64]bool{}
				}
				if ok {
					places[d.Name()][v.Addr] = v.InMemory
				}
			}
		}
	}
	if len(places) != 5 || len(places["in"]) != 1 ||
		len(places["rows"])+len(places["x"])+len(places["y"]) > 0 {
		t.Fatalf("%v", places)
	}
	for at, inMemory := range places["in"] {
		if !inMemory || !places["out"][at+8] || len(places["out"]) != 1 {
			t.Errorf("%v", places)
		}
	}
}

// TestPaths: the ways to what an expression accesses, with the subscripts that have a bound, and the whole
// array that one without pointers is in.
func TestPaths(t *testing.T) {
	s := sceneAt(t, `
struct pair { int a[8]; int b[8]; };
struct grid { int rows; int cell[4][8]; int end; };
union views { int two[2]; int all[8]; };
struct has { union views v; int n[2]; };
struct flexible { int count; int data[1]; };
struct inner { int data[1]; int count; };
struct array { int a[4]; };
void f(void) {
  int a[32], tile[8][16], (*rows)[8], *p, *list[4];
  struct pair s, t[16], *ps[3]; struct grid *g; struct has h; struct flexible l, *lp; struct inner *in;
  struct array w, ws[2]; int huge[2][0x8000][0x8000][4]; /*here*/
}`)
	for text, want := range map[string]string{
		"a[i]":       "a: [i]/32*4 of 4; whole a 0+128 by 4",
		"tile[y][x]": "tile: [y]/8*64 [x]/16*4 row of 4; whole tile 0+512 by 64",
		"tile[y]":    "whole tile 0+512 by 64", "s.a[i]": "s: .0 [i]/8*4 of 4; whole s.a 0+32 by 4",
		"s.b[i]":        "s: .32 [i]/8*4 of 4; whole s.b 32+32 by 4",
		"t[y].b[x]":     "t: [y]/16*64 .32 [x]/8*4 of 4; whole t 0+1024 by 64",
		"g->cell[y][x]": "*g: .4 [y]/4*32 [x]/8*4 row of 4", "rows[y][x]": "*rows: [y]/0*32 [x]/8*4 row of 4",
		"(*rows)[x]": "*rows: [x]/8*4 of 4", "p[i]": "", "list[i][j]": "list: [i]/4*8 of 8",
		"ps[k]->a[i]": "ps: [k]/3*8 of 8; *ps[k]: .0 [i]/8*4 of 4", "h.v.all[i]": "", "h.v.two[i]": "",
		"h.n[i]":      "h: .32 [i]/2*4 of 4; whole h.n 32+8 by 4",
		"l.data[i]":   "l: .4 [i]/1*4 of 4; whole l.data 4+4 by 4",
		"lp->data[i]": "", "in->data[i]": "*in: .0 [i]/1*4 of 4", "w[i]": "w: .0 [i]/4*4 of 4",
		"ws[k][i]": "ws: [k]/2*16 .0 [i]/4*4 of 4", "s[i]": "not known", "a[i].x": "not known",
		"s.c[i]":  "not known",
		"p->x[i]": "not known", "s->a[i]": "not known", "a[i][j]": "not known", "huge[i]": "not known",
	} {
		x, _ := subscript.At(text, 0)
		if strings.HasSuffix(text, ".x") {
			x, _ = subscript.At(text, strings.Index(text, "x"))
		}
		paths, whole, all := s.pathsOf(s.arrays.frames.Arch.Model(), s.variable(x.Name).entry, x)
		var got []string
		for _, p := range paths {
			got = append(got, fmt.Sprintf("%s of %d", p.way(t, s, x), p.size))
		}
		if whole != nil {
			got = append(got, fmt.Sprintf("whole %s %d+%d by %d", whole.name, whole.offset,
				whole.size, whole.stride))
		}
		if !all {
			got = append(got, "not known")
		}
		if got := strings.Join(got, "; "); got != want || x.Name == "" {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// way is what a path of an expression starts at, with a star where that is a pointer, and its steps.
func (p *accessPath) way(t *testing.T, s *scene, x subscript.Expr) (way string) {
	t.Helper()
	for n := range len(x.Steps) + 1 {
		if y,
			err := s.parse(x.Text(n)); err == nil && reflect.DeepEqual(y, p.base) {
			way = x.Text(n)
		}
	}
	if way += ":"; p.pointer {
		way = "*" + way
	}
	for _, st := range p.steps {
		if st.element {
			way += fmt.Sprintf(" [%s]/%d*%d", st.text, st.count, st.stride)
		} else {
			way += fmt.Sprintf(" .%d", st.offset)
		}
		if st.row {
			way += " row"
		}
	}
	return way
}
