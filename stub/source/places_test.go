package source

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf"
	"simtgdb/dwarf/line"
)

// TestRows: an instruction has the line and column of its row; where a row has no line that of the row
// before, and no column, but none where a sequence begins so. Statements are what rows say themselves.
func TestRows(t *testing.T) {
	m := open(t, "atomics.gfx90a.O2.co")
	u := m.Data.Units()[0]
	table, err := u.Lines()
	if err != nil {
		t.Fatal(err)
	}
	for i := range table.Rows { // as if nothing were known of where each sequence begins
		if i == 0 || table.Rows[i-1].Has(line.EndSequence) {
			table.Rows[i].Line = 0
		}
	}
	last, inherited, unknown := uint32(0), 0, 0
	for i, r := range table.Rows {
		if r.Has(line.EndSequence) {
			last = 0
			continue
		}
		want := Position{File: "atomics.hip", CompDir: u.CompDir(), Line: r.Line, Column: r.Column}
		if r.Line == 0 {
			want.Line, want.Column, inherited = last, 0, inherited+1
		}
		if last = want.Line; table.Rows[i+1].Addr == r.Addr {
			continue // another row for the same instruction follows
		}
		got, ok := m.At(r.Addr)
		if strings.HasSuffix(got.File, ".h") {
			want.File = got.File
		}
		if want.Line == 0 {
			want, unknown = Position{}, unknown+1
		}
		if ok != (want.Line != 0) || got != want {
			t.Errorf("%#x: %+v, %v, want %+v", r.Addr, got, ok, want)
		}
		begins := r.Line != 0 && r.Has(line.IsStmt)
		if s, ok := m.StatementAt(r.Addr); !ok || s != (Statement{r.File, r.Line, begins}) {
			t.Errorf("%#x: %+v, %v", r.Addr, s, ok)
		}
		if table.Rows[i+1].Addr > r.Addr+4 {
			if s, ok := m.StatementAt(r.Addr + 4); !ok || s != (Statement{r.File, r.Line, false}) {
				t.Errorf("behind %#x: %+v, %v", r.Addr, s, ok)
			}
		}
	}
	if inherited < 10 || unknown == 0 {
		t.Errorf("%d rows without a line, %d of them first", inherited, unknown)
	}
	for _, pc := range []uint64{0, 1 << 40} {
		if _, ok := m.StatementAt(pc); ok {
			t.Errorf("%#x has a statement", pc)
		}
	}
}

// TestInlined: what is inlined at each instruction is a function that the source calls by that name in that
// line, in the function that it is inlined into.
func TestInlined(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(kernels, "debug", "shared.hip"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	m, seen := openAt(t, "debug/co/shared.O2.co"), map[string]bool{}
	for _, s := range m.Module.Segments {
		for pc := s.Addr; s.Exec && pc < s.Addr+s.MemSize; pc += 4 {
			all := m.Inlined(pc)
			for i, in := range all {
				seen[in.String()] = true
				if in.From.Line == 0 || !strings.Contains(lines[in.From.Line-1], in.Name+"(") {
					t.Errorf("%#x: %s is not called in line %d", pc, in.Name, in.From.Line)
				}
				outer, _, _ := m.Function(m.Module.Kernels[0].Entry)
				if f, _, ok := m.Function(pc); ok {
					outer = f
				}
				if i+1 < len(all) {
					outer = all[i+1].Name
				}
				if in.Into != outer || in.From.File != "shared.hip" {
					t.Errorf("%#x: %s is inlined into %s of %s, want %s", pc, in.Name, in.Into,
						in.From.File, outer)
				}
			}
		}
	}
	if !seen["into added (shared.hip:23)"] || !seen["into shared (shared.hip:33)"] || len(seen) < 3 {
		t.Errorf("%v", seen)
	}
	if got := (Inlined{Into: "f"}).String(); got != "into f" || m.Inlined(8) != nil {
		t.Errorf("%q", got)
	}
	if none := (&Map{Module: m.Module}); none.Inlined(m.Module.Kernels[0].Entry) != nil {
		t.Error("something is inlined and nothing is known")
	}
}

// TestNested: two functions deep, the inner one comes first.
func TestNested(t *testing.T) {
	deepest := 0
	for _, name := range []string{"debug/co/shared.O2.co", "check/arrays.O2.co", "check/calls.O2.co"} {
		m := openAt(t, name)
		for _, s := range m.Module.Segments {
			for pc := s.Addr; s.Exec && pc < s.Addr+s.MemSize; pc += 4 {
				all := m.Inlined(pc)
				for i := 1; i < len(all); i++ {
					if all[i-1].Into != all[i].Name {
						t.Errorf("%s %#x: %v", name, pc, all)
					}
				}
				deepest = max(deepest, len(all))
			}
		}
	}
	if deepest < 2 {
		t.Errorf("nothing is %d deep", deepest)
	}
}

// TestFiles: files are named once, by absolute paths in order; they have the texts that were told.
func TestFiles(t *testing.T) {
	m := openAt(t, "debug/co/scopes.O0.co")
	var paths []string
	for _, f := range m.Files() {
		if paths = append(paths,
			f.Path); f.Text != nil || filepath.Clean(f.Path) != f.Path || f.Path[0] != '/' {
			t.Errorf("%s: %q", f.Path, f.Text)
		}
	}
	want := slices.Clone(paths)
	slices.Sort(want)
	if diff := cmp.Diff(slices.Compact(want), paths); diff != "" || !slices.Contains(paths, "/scopes.hip") {
		t.Errorf("%q\n%s", paths, diff)
	}
	m.Tell(map[string][]byte{"/scopes.hip": []byte("text"), "/other": []byte("more")})
	for _, f := range m.Files() {
		if (f.Path == "/scopes.hip") != (string(f.Text) == "text") {
			t.Errorf("%s: %q", f.Path, f.Text)
		}
	}
	if none := (&Map{Module: m.Module}); none.Files() != nil || none.HasLines() || !m.HasLines() {
		t.Error("files are known without debugging information")
	}
	data, err := dwarf.New(dwarf.SectionsNamed(nil), dwarf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if (&Map{Module: m.Module, Data: data}).HasLines() {
		t.Error("there are lines of no unit")
	}
}

// TestIsText: a text is what was compiled if its checksum is that of the line table; nothing is
// known of other files.
func TestIsText(t *testing.T) {
	m := openAt(t, "debug/co/scopes.O0.co")
	text, err := os.ReadFile(filepath.Join(kernels, "debug", "scopes.hip"))
	if err != nil {
		t.Fatal(err)
	}
	folder := m.Data.Units()[0].CompDir()
	for _, c := range []struct {
		p    Position
		text string
		want bool
	}{{Position{File: "scopes.hip", CompDir: folder}, string(text), true},
		{Position{File: "scopes.hip", CompDir: folder}, string(text) + "\n", false},
		{Position{File: "scopes.hip", CompDir: folder + "/x"}, "", true},
		{Position{File: "other.hip", CompDir: folder}, "", true}} {
		if got := m.IsText(c.p, []byte(c.text)); got != c.want {
			t.Errorf("%+v with %d bytes: %v", c.p, len(c.text), got)
		}
	}
	if !(&Map{Module: m.Module}).IsText(Position{File: "scopes.hip"}, nil) {
		t.Error("a checksum is known without debugging information")
	}
}

// TestFullNames: functions have the namespaces and classes around them; what only the symbol names has the
// same name, and what is no function's beginning has none.
func TestFullNames(t *testing.T) {
	for _, name := range []string{"debug/co/scopes.O0.co", "debug/co/returned.O0.co"} {
		m := openAt(t, name)
		bare, n := &Map{Module: m.Module}, 0
		for symbol, want := range map[string]string{"_ZNK3geo3RowIiLi4EE3sumERKi": "geo::Row<int, 4>::sum",
			"_ZN3geo4deep5Shape5weighEi": "geo::deep::Shape::weigh", "_ZN5OwnerD2Ev": "Owner::~Owner"} {
			s, ok := m.Module.Symbol(symbol)
			if !ok {
				continue
			}
			n++
			if got := m.FullName(s.Addr); got != want {
				t.Errorf("%s: %s, want %s", symbol, got, want)
			}
			if got := bare.FullName(s.Addr); got != want {
				t.Errorf("%s by its symbol: %s, want %s", symbol, got, want)
			}
			if got := bare.FullName(s.Addr + 4); got != "" {
				t.Errorf("inside of %s: %s", symbol, got)
			}
			if f, offset, ok := bare.Function(s.Addr + 4); !ok || f != want || offset != 4 {
				t.Errorf("inside of %s by its symbol: %s+%d, %v", symbol, f, offset, ok)
			}
		}
		if n == 0 {
			t.Errorf("%s has no such symbols", name)
		}
	}
	m := openAt(t, "debug/co/scopes.O0.co")
	s, _ := m.Module.Symbol("_ZN3geo4deep5Shape5weighEi")
	if got := m.Parameters(s.Addr); len(got) != 2 || got[0] != "this" {
		t.Errorf("parameters %q", got)
	}
	if got := m.ParameterTypes(s.Addr); len(got) != 2 || got[1].Name() != "int" {
		t.Errorf("parameters of %v", got)
	}
	if got := (&Map{Module: m.Module}).Parameters(s.Addr); got != nil {
		t.Errorf("parameters %q and nothing is known", got)
	}
}

// TestNamesByLines: debugging information names what no symbol of C++ does, and functions without the classes
// and namespaces around them.
func TestNamesByLines(t *testing.T) {
	m := open(t, "calls.gfx90a.O0.co")
	entry := m.Module.Kernels[0].Entry
	if got := m.FullName(entry); got != "calls" {
		t.Errorf("a kernel of C is %q", got)
	}
	if got := (&Map{Module: m.Module}).FullName(entry); got != "" {
		t.Errorf("a kernel of C is %q by its symbol", got)
	}
	m = openAt(t, "debug/co/instances.O0.co")
	s, _ := m.Module.Symbol("_ZN6linear5dense5scaleIfLi3EEEvPT_")
	if got, offset, ok := m.Function(s.Addr + 8); got != "scale<float, 3>" || offset != 8 || !ok {
		t.Errorf("%s+%d, %v", got, offset, ok)
	}
}

// TestWithin: the text that comes with the debugging information is taken before that of a folder,
// for its file alone.
func TestWithin(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"scopes.hip", "other.hip"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("disk\nof "+name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	m := openAt(t, "debug/co/scopes.O0.co")
	m.Tell(map[string][]byte{"/scopes.hip": []byte("told\nlater")})
	f := Finder{Within: m, Folders: []string{folder}}
	p, ok := m.At(m.Module.Kernels[0].Entry)
	for _, c := range []struct {
		p    Position
		want string
	}{{Position{File: p.File, CompDir: p.CompDir, Line: 2}, "later"}, {Position{File: "other.hip", Line: 2},
		"of other.hip"},
		{Position{File: "gone.hip", Line: 1}, ""}} {
		if got, found := f.Line(c.p); got != c.want || found != (c.want != "") || !ok {
			t.Errorf("%+v: %q, %v", c.p, got, found)
		}
	}
}
