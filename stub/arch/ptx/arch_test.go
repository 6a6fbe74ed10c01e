package ptx

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/line"
	"simtgdb/loader"
	text "simtgdb/loader/ptx"
	"simtgdb/simt"
	"simtgdb/stub/arch"
)

func open(t testing.TB, path string) *loader.Module {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if f := arch.Detect(data); f == nil || f.Name() != "PTX" {
		t.Fatalf("%s is taken for %v", path, f)
	}
	m, err := Family{}.Open(data, loader.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func objects(t testing.TB) []string {
	t.Helper()
	list, err := filepath.Glob("../../../testdata/ptx/co/*.ptx")
	if err != nil || len(list) < 90 {
		t.Fatalf("%d objects: %v", len(list), err)
	}
	return list
}

func parsed(t testing.TB, m *loader.Module) *dwarf.Data {
	t.Helper()
	s, err := m.DebugSections()
	if err != nil {
		t.Fatal(err)
	}
	d, err := dwarf.New(dwarf.SectionsNamed(s), dwarf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// every calls f for each entry below one.
func every(d *dwarf.DIE, f func(d *dwarf.DIE)) {
	f(d)
	for _, c := range d.Children {
		every(c, f)
	}
}

// Every object has kernels with lines; every location of a variable is an expression whose registers
// the function has, and no scope overlaps another beside it.
func TestObjects(t *testing.T) {
	for _, path := range objects(t) {
		m := open(t, path)
		if len(m.Kernels) == 0 || len(m.Warnings) > 0 {
			t.Errorf("%s: %d kernels, warnings %q", path, len(m.Kernels), m.Warnings)
		}
		own := text.Of(m)
		d := parsed(t, m)
		if len(d.Units()) != 1 {
			t.Fatalf("%s: %d units", path, len(d.Units()))
		}
		u := d.Units()[0]
		root, err := u.Root()
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		table, err := u.Lines()
		if err != nil || len(table.Rows) < 3 {
			t.Fatalf("%s: no lines: %v", path, err)
		}
		for _, k := range m.Kernels {
			if f := u.FunctionAt(k.Entry); f == nil {
				t.Errorf("%s: no function at the kernel %s", path, k.Name)
			}
			if i, ok := table.Lookup(k.Entry); !ok || table.Rows[i].Line == 0 {
				t.Errorf("%s: no line for the kernel %s", path, k.Name)
			}
		}
		variables := 0
		every(root, func(e *dwarf.DIE) {
			variables += locations(t, path, own, u, e)
			apart(t, path, e)
		})
		whole := !strings.HasSuffix(path, ".O2.ptx") && !strings.HasSuffix(path, ".inlined.ptx")
		if whole != (variables > 0) {
			t.Errorf("%s: %d locations", path, variables)
		}
	}
}

// locations checks those of an entry and counts them.
func locations(t *testing.T, path string, own *text.Module, u *dwarf.Unit, e *dwarf.DIE) int {
	a, ok := e.Attr(dwarf.AttrLocation)
	if !ok {
		return 0
	}
	locs, err := u.LocList(a)
	if err != nil {
		t.Errorf("%s: %s: %v", path, e.Name(), err)
		return 0
	}
	for _, l := range locs {
		for rest := l.Expr; len(rest) > 0; {
			n := operationLength(rest)
			if n == 0 {
				t.Errorf("%s: %s: location % x", path, e.Name(), l.Expr)
				break
			}
			if rest[0] == expr.OpRegx || rest[0] == expr.OpBregx {
				number, _ := binary.Uvarint(rest[1:])
				name := registerName(number)
				found := slices.ContainsFunc(own.Funcs,
					func(f *text.Func) bool { _, ok := f.Reg(name); return ok })
				if !found {
					t.Errorf("%s: %s is in %q, a register that no function has", path, e.Name(), name)
				}
			}
			if rest[0] == expr.OpAddr && binary.LittleEndian.Uint64(rest[1:]) >= text.LocalBase {
				t.Errorf("%s: %s has an address of a frame", path, e.Name())
			}
			rest = rest[n:]
		}
	}
	return len(locs)
}

// apart checks that the scopes in an entry do not overlap unless one is in the other.
func apart(t *testing.T, path string, e *dwarf.DIE) {
	var scopes [][]dwarf.Range
	for _, c := range e.Children {
		if c.Tag == dwarf.TagLexicalBlock || c.Tag == dwarf.TagInlinedSubroutine {
			if r, err := c.Ranges(); err == nil && len(r) > 0 {
				scopes = append(scopes, r)
			}
		}
	}
	for i, a := range scopes {
		for _, b := range scopes[i+1:] {
			for _, x := range a {
				for _, y := range b {
					if x.Low < y.High && y.Low < x.High {
						t.Errorf("%s: scopes [%#x,%#x) and [%#x,%#x) beside each other", path, x.Low, x.High,
							y.Low, y.High)
					}
				}
			}
		}
	}
}

func TestTranslate(t *testing.T) {
	addr := func(a uint64) []byte { return binary.LittleEndian.AppendUint64([]byte{expr.OpAddr}, a) }
	for _, c := range []struct {
		name     string
		in, want []byte
		list     bool
	}{
		{"a depot", append(addr(text.LocalBase+200), expr.OpPlusUconst, 8),
			[]byte{expr.OpFbreg, 0xc8, 1, expr.OpPlusUconst, 8}, false},
		{"a variable", addr(0x30000), addr(0x30000), false},
		{"a shared one", addr(text.SharedBase + 4), addr(text.SharedBase + 4), false},
		{"a constant in a list", []byte{expr.OpConsts, 0x7f}, []byte{expr.OpConsts, 0x7f, expr.OpStackValue},
			true},
		{"a constant elsewhere", []byte{expr.OpConsts, 0x7f}, []byte{expr.OpConsts, 0x7f}, false},
		{"pieces", []byte{expr.OpLit0 + 3, expr.OpPiece, 4, expr.OpPiece, 4, expr.OpRegx, 1, expr.OpPiece, 4},
			[]byte{expr.OpLit0 + 3, expr.OpStackValue, expr.OpPiece, 4, expr.OpPiece, 4, expr.OpRegx, 1,
				expr.OpPiece, 4}, true},
		{"a constant inverted", []byte{expr.OpLit0, expr.OpNot},
			[]byte{expr.OpLit0, expr.OpNot, expr.OpStackValue}, true},
		{"two constants", []byte{expr.OpConsts, 0, expr.OpLit0 + 5, expr.OpOr},
			[]byte{expr.OpConsts, 0, expr.OpLit0 + 5, expr.OpOr, expr.OpStackValue}, true},
		{"constants added", []byte{expr.OpLit0 + 1, expr.OpPlusUconst, 5, expr.OpNeg},
			[]byte{expr.OpLit0 + 1, expr.OpPlusUconst, 5, expr.OpNeg, expr.OpStackValue}, true},
		{"a computed address", []byte{expr.OpLit0 + 3, expr.OpDeref}, []byte{expr.OpLit0 + 3, expr.OpDeref},
			true},
		{"an unknown operation", []byte{0xe7, expr.OpLit0}, []byte{0xe7, expr.OpLit0}, true},
		{"one cut off", []byte{expr.OpAddr, 1}, []byte{expr.OpAddr, 1}, true},
	} {
		if got := translate(c.in, c.list); !bytes.Equal(got, c.want) {
			t.Errorf("%s: % x becomes % x, want % x", c.name, c.in, got, c.want)
		}
	}
}

func TestRegisterName(t *testing.T) {
	for number, want := range map[uint64]string{0x25723132: "%r12", 0x255350: "%SP",
		0x2572643132333435: "%rd12345",
		0:                  ""} {
		if got := registerName(number); got != want {
			t.Errorf("%#x is %q, want %q", number, got, want)
		}
	}
}

// TestRegisterNamesAreEscaped: the characters of a register's name come out of the file.
func TestRegisterNamesAreEscaped(t *testing.T) {
	m, err := Family{}.Open([]byte(".version 8.6\n.target sm_90\n.address_size 64\n.entry k() { ret; }\n"),
		loader.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := (Family{}).AsWritten(m).Register(0x251b5b324a), `%\x1b[2J`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A scope that is written across others loses what they have.
func TestCloseScopes(t *testing.T) {
	scope := func(low, high uint64) *dwarf.DIE {
		return dwarf.NewDIE(dwarf.TagLexicalBlock, dwarf.AddressAttr(dwarf.AttrLowPC, low),
			dwarf.AddressAttr(dwarf.AttrHighPC, high))
	}
	f := dwarf.NewDIE(dwarf.TagSubprogram)
	outer, inner, same := scope(0, 100), scope(20, 40), scope(200, 210)
	f.Add(outer)
	f.Add(inner)
	f.Add(same)
	closeScopes(f)
	if _, ok := inner.Attr(dwarf.AttrRanges); ok {
		t.Error("the shorter scope is cut")
	}
	if _, ok := outer.Attr(dwarf.AttrRanges); !ok {
		t.Error("the longer scope is not cut")
	}
	for _, c := range []struct {
		cut  dwarf.Range
		want []dwarf.Range
	}{
		{dwarf.Range{Low: 20, High: 40}, []dwarf.Range{{Low: 0, High: 20}, {Low: 40, High: 100}}},
		{dwarf.Range{Low: 0, High: 100}, nil},
		{dwarf.Range{Low: 50, High: 200}, []dwarf.Range{{Low: 0, High: 50}}},
		{dwarf.Range{Low: 100, High: 200}, []dwarf.Range{{Low: 0, High: 100}}},
	} {
		if got := subtract([]dwarf.Range{{Low: 0, High: 100}}, c.cut); !slices.Equal(got, c.want) {
			t.Errorf("without %v: %v, want %v", c.cut, got, c.want)
		}
	}
}

// A function's first row is where it begins, and the first with a column ends its prologue.
func TestLines(t *testing.T) {
	m := open(t, "../../../testdata/ptx/co/vecadd.O0.ptx")
	table := lines(text.Of(m))
	first, second := table.Rows[0], table.Rows[1]
	if first.Addr != text.CodeBase || first.Line != 4 || first.Column != 0 || second.Line != 5 ||
		second.Column == 0 {
		t.Errorf("rows %v and %v", first, second)
	}
	if last := table.Rows[len(table.Rows)-1]; last.Addr != text.Of(m).Funcs[0].End {
		t.Errorf("the last row is %v", last)
	}
}

// TestStatements: of the rows of one line only the first is a statement, and one that instructions of other
// lines jump to: those of a loop's parts are not, for they are of its line.
func TestStatements(t *testing.T) {
	m := open(t, "../../../testdata/ptx/co/demo.O0.ptx")
	table := lines(text.Of(m))
	got := map[uint32]int{}
	for i, r := range table.Rows {
		if !r.Has(line.IsStmt) {
			if prev := table.Rows[i-1]; prev.Line != r.Line || prev.File != r.File {
				t.Errorf("%#x begins line %d and is no statement", r.Addr, r.Line)
			}
		} else if !r.Has(line.EndSequence) {
			got[r.Line]++
		}
	}
	// Line 8 is a loop: its beginning, and its increment behind the body, line 9.
	for at, want := range map[uint32]int{7: 1, 8: 2, 9: 1, 10: 1, 14: 1, 15: 1, 20: 1, 21: 1, 26: 1} {
		if got[at] != want {
			t.Errorf("line %d has %d statements, want %d", at, got[at], want)
		}
	}
}

// Arguments are described as the text has them.
func TestArguments(t *testing.T) {
	for path, want := range map[string][]loader.ValueKind{
		"bitonic.O0": {loader.GlobalBuffer, loader.DynamicSharedPointer},
		"calls.O2d":  {loader.GlobalBuffer, loader.GlobalBuffer, loader.ByValue, loader.ByValue},
	} {
		m := open(t, "../../../testdata/ptx/co/"+path+".ptx")
		var got []loader.ValueKind
		for _, a := range m.Kernels[0].Args {
			got = append(got, a.Kind)
		}
		if k := &m.Kernels[0]; k.MaxFlatWorkgroupSize != 1024 || k.WavefrontSize != 32 {
			t.Errorf("%s: at most %d work-items, %d in a wave", path, k.MaxFlatWorkgroupSize, k.WavefrontSize)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: arguments %v, want %v", path, got, want)
		}
	}
}

// FuzzOpen reads texts as a user may give them, debugging information and all.
func FuzzOpen(f *testing.F) {
	simt.LetPanic = true
	f.Add(".b8 1, 17, 0, 0", ".b32 11 .b8 2, 0 .b32 .debug_abbrev .b8 8, 1")
	f.Add(".b8 1, 46, 0, 17, 1, 18, 1, 64, 10, 0, 0, 0",
		".b32 26 .b8 2, 0 .b32 0 .b8 8, 1 .b64 f, $end .b8 1, 156")
	f.Fuzz(func(t *testing.T, abbrev, info string) {
		data := ".version 7.8\n.target sm_80, debug\n.file 1 \"a\"\n.func f() { .loc 1 2 3 ret; $end: }\n" +
			".section .debug_abbrev {" + abbrev + "}\n.section .debug_info {" + info + "}"
		if m, err := (Family{}).Open([]byte(data), loader.Options{}); err == nil && m == nil {
			t.Fatal("neither a module nor an error")
		}
	})
}
