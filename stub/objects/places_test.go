package objects

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"simtgdb/dwarf"
	"simtgdb/simt/check"
	"simtgdb/stub/launch"
	"simtgdb/stub/source"
)

// everyPlace calls a function for each instruction of a kernel of an AMD processor, whose code has words of
// four bytes, that comes from a source, with its line and what that has from the instruction's place on.
func everyPlace(t *testing.T, p *launch.Program, source string, do func(pc uint64, line, rest string)) {
	t.Helper()
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	body := p.Kernel.Entry
	for _, s := range p.Module.Symbols {
		if strings.HasSuffix(s.Name, "_imp_"+p.Kernel.Name) {
			body = s.Addr // a function of its own, which the kernel calls
		}
	}
	function, _, _ := p.Module.SymbolAt(body)
	for pc := body; pc < body+function.Size; pc += 4 {
		at, ok := p.Source.At(pc)
		if ok && at.Column > 0 && filepath.Base(at.File) == filepath.Base(source) {
			line := lines[at.Line-1]
			do(pc, strings.TrimSpace(line), line[at.Column-1:])
		}
	}
}

// TestSaid: of each place of a source it is known whether elements there have no bound, whether there is an
// atomic load or store, and whether a store is plain.
func TestSaid(t *testing.T) {
	unbounded, plain, atomic := check.Objects.Unbounded, check.Objects.Plain, check.Objects.Atomic
	for name, c := range map[string]struct {
		source, kernel string
		of             func(check.Objects, uint64) bool
		yes, no        string // what stands at places that are, and that are not; others are not judged
	}{
		"unbounded": {"arrays", "before_ok", unbounded,
			`^((in|out|p)\[|i = |BARRIER|i < 64 |= left)`,
			`^([abc]\[|i - LENGTH|= [123];|left = b|% LENGTH\])`},
		"unbounded members": {"members", "arrow_ok", unbounded, `^(in|out)\[`,
			`^(p->|p\[|\(\*p)`},
		"atomic":                        {"marks", "handed_ok", atomic, `^(STORE|__opencl)`, `^[^S_]`},
		"atomic by macros":              {"orders", "turn_ok", atomic, `^(LOAD|STORE)\(`, `^(ADD\(|[^LSA])`},
		"plain":                         {"arrays", "store_bounds", plain, `^\+?= `, `^[^=+]`},
		"plain beside atomic variables": {"marks", "plain_race", plain, `^= 1`, `^[^=]`},
		"of an atomic one's name":       {"marks", "local_race", plain, `^= __opencl`, `^= (0|in)`},
		"volatile by a macro":           {"parts", "shifted_ok", plain, `^never`, `^= (in|word)`},
	} {
		t.Run(name, func(t *testing.T) {
			p := launched(t, c.source+".O0.co", c.kernel, checkObjects+"src")
			yes, no := regexp.MustCompile(c.yes), regexp.MustCompile(c.no)
			counts := map[bool]int{}
			everyPlace(t, p, checkObjects+"src/"+c.source+".cl", func(pc uint64, line, rest string) {
				want := yes.MatchString(rest)
				if !want && !no.MatchString(rest) {
					return
				}
				counts[want]++
				for range 2 {
					if got := c.of(p.Objects, pc); got != want {
						t.Errorf("%q of %q: %v", rest, line, got)
					}
				}
			})
			if counts[false] < 4 || (counts[true] < 2) != (c.yes == `^never`) {
				t.Errorf("judged are %v", counts)
			}
		})
	}
}

// TestPlainLines: where a store is at another place of its line than its operator, the line tells, if nothing
// of the source is atomic.
func TestPlainLines(t *testing.T) {
	p := programOf(t, "../../testdata/src", "--launch", "../../testdata/launch/vecadd_cl.json")
	counts := map[bool]int{}
	everyPlace(t, p, "../../testdata/src/vecadd_cl.cl", func(pc uint64, line, rest string) {
		want := strings.Contains(line, " = ")
		if counts[want]++; p.Objects.Plain(pc) != want {
			t.Errorf("%q of %q: %v", rest, line, !want)
		}
	})
	if counts[true] == 0 || counts[false] == 0 {
		t.Errorf("judged are %v", counts)
	}
	p = programOf(t, t.TempDir(), "--launch", "../../testdata/launch/vecadd_cl.json")
	everyPlace(t, p, "../../testdata/src/vecadd_cl.cl", func(pc uint64, line, rest string) {
		if p.Objects.Plain(pc) {
			t.Errorf("%q is plain, and the source is not there", line)
		}
	})
}

// TestTogether: instructions are of one function or of two; one without a function is with none.
func TestTogether(t *testing.T) {
	p := launched(t, "arrays.O0.co", "called_bounds", checkObjects+"src")
	of := map[string]uint64{}
	for _, s := range p.Module.Symbols {
		of[s.Name] = s.Addr
	}
	inner, outer := of["inner"], of["outer"]
	for _, c := range []struct {
		x, y uint64
		want bool
	}{{inner, inner + 16, true}, {inner, outer, false}, {outer + 8, inner, false}, {outer, outer, true},
		{0, 0, false}, {inner, 0, false}, {0, inner, false}} {
		if got := p.Objects.Together(c.x, c.y); got != c.want || inner == 0 || outer == 0 {
			t.Errorf("%#x and %#x: %v", c.x, c.y, got)
		}
	}
}

// TestBoundsUnknown: it is said why bounds that the source has are not looked at.
func TestBoundsUnknown(t *testing.T) {
	nowhere := t.TempDir()
	for _, c := range []struct{ object, kernel, folder, want string }{
		{"arrays.O0.co", "before_bounds", checkObjects + "src", ""},
		{"arrays.O0.co", "before_bounds", nowhere, "bounds of arrays that the source names are not looked " +
			"at, for the text of .*arrays.cl is not found, or is not what was compiled: --source FOLDER"},
		{"defects.O0.zebin", "tile_ok", checkObjects + "src", "bounds of arrays that the source names are " +
			"not looked at, for the kernel has no debugging information"},
		{"src/barriers.ptx", "arrive_ok", checkObjects + "src", "bounds of members and rows of arrays are " +
			"not looked at, for the kernel has no debugging information"},
	} {
		got := BoundsUnknown(launched(t, c.object, c.kernel, c.folder))
		if !regexp.MustCompile("^"+c.want).MatchString(got) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", c.object, got, c.want)
		}
	}
}

// TestElements: reports of other kinds name the element that a lane accesses, in local and in private memory.
func TestElements(t *testing.T) {
	for kernel, want := range map[string]string{"local_uninit": "tile[128]", "private_uninit": "a[15]"} {
		p, n := launched(t, "defects.O0.co", kernel, checkObjects+"src"), 0
		run(t, p, check.Uninit, func(r *check.Report) {
			if n++; r.Element != want {
				t.Errorf("%s: %q, want %q", kernel, r.Element, want)
			}
		})
		if n == 0 {
			t.Errorf("%s: nothing is found", kernel)
		}
	}
}

// TestDeclaredTwice: a name that a function declares and what it has inside as well is nobody's in the
// function itself, for not every scope of optimised code is described; copies of one declaration are one.
func TestDeclaredTwice(t *testing.T) {
	p := launched(t, "arrays.O0.co", "before_ok", checkObjects+"src")
	u := p.Source.Data.UnitAt(p.Kernel.Entry)
	variable := func(name string, line uint64) *dwarf.DIE {
		v := dwarf.NewDIE(dwarf.TagVariable, dwarf.StringAttr(dwarf.AttrName, name),
			dwarf.UintAttr(dwarf.AttrDeclFile, 1), dwarf.UintAttr(dwarf.AttrDeclLine, line))
		v.Unit = u
		return v
	}
	in := func(tag dwarf.Tag, all ...*dwarf.DIE) *dwarf.DIE {
		d := dwarf.NewDIE(tag)
		d.Add(all...)
		return d
	}
	inner := in(dwarf.TagLexicalBlock, variable("twice", 3), variable("same", 5), variable("inner", 4))
	f := in(dwarf.TagSubprogram, variable("twice", 1), variable("same", 5), variable("outer", 6),
		variable("copied", 2), inner, in(dwarf.TagInlinedSubroutine, variable("copied", 9)))
	for _, c := range []struct {
		scopes                            []*dwarf.DIE
		twice, same, inner, outer, copied uint64 // the lines of their declarations
	}{
		{[]*dwarf.DIE{f}, 0, 5, 0, 6, 2},
		{[]*dwarf.DIE{f, inner}, 3, 5, 4, 6, 2},
	} {
		for name, want := range map[string]uint64{"twice": c.twice, "same": c.same, "inner": c.inner,
			"outer": c.outer, "copied": c.copied} {
			v, _ := p.Objects.(*arrays).variable(u, c.scopes, name, p.Kernel.Entry)
			got := uint64(0)
			if v != nil {
				got, _ = v.Uint(dwarf.AttrDeclLine)
			}
			if got != want {
				t.Errorf("%d scopes: %s is declared in line %d, want %d", len(c.scopes), name, got, want)
			}
		}
	}
}

// TestDepth: what the source accesses in a function that is called is counted from another frame than the
// kernel's.
func TestDepth(t *testing.T) {
	p := launched(t, "arrays.O0.co", "called_bounds", checkObjects+"src")
	a, seen := p.Objects.(*arrays), 0
	for _, s := range p.Module.Segments {
		for pc := s.Addr; s.Exec && pc < s.Addr+s.MemSize; pc += 4 {
			name, _, _ := p.Source.Function(pc)
			want, judged := map[string]int{"inner": 1, "outer": 1}[name]
			e := a.element(pc)
			if e == nil || !judged {
				continue
			}
			if seen++; e.depth != want {
				t.Errorf("%#x in %s: depth %d", pc, name, e.depth)
			}
		}
	}
	if seen == 0 {
		t.Error("nothing is judged")
	}
	k := launched(t, "rows.O2.co", "column_bounds", checkObjects+"src")
	symbol, _, _ := k.Module.SymbolAt(k.Kernel.Entry)
	for pc := k.Kernel.Entry; pc < k.Kernel.Entry+symbol.Size; pc += 4 {
		if e := k.Objects.(*arrays).element(pc); e != nil && e.depth != 0 {
			t.Errorf("%#x of a kernel: depth %d", pc, e.depth)
		}
	}
}

// TestIsDeclared: a variable is declared where its debugging information says, or that of what it
// is a copy of.
func TestIsDeclared(t *testing.T) {
	p := launched(t, "arrays.O0.co", "before_bounds", checkObjects+"src")
	a, u := p.Objects.(*arrays), p.Source.Data.UnitAt(p.Kernel.Entry)
	root, err := u.Root()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	root.Walk(func(d *dwarf.DIE) bool {
		line, _ := d.Uint(dwarf.AttrDeclLine)
		if d.Tag == dwarf.TagVariable && d.Name() == "b" && line == 12 {
			n++
			copied := dwarf.NewDIE(dwarf.TagVariable, dwarf.RefAttr(dwarf.AttrAbstractOrigin, d))
			copied.Unit = u
			at := source.Position{File: "arrays.cl", Line: 18}
			if !a.isDeclared(d, at) || !a.isDeclared(copied, at) {
				t.Errorf("line %d does not declare b: %v", line, a.isDeclared(d, at))
			}
			nowhere := dwarf.NewDIE(dwarf.TagVariable, dwarf.StringAttr(dwarf.AttrName, "b"))
			nowhere.Unit = u
			if a.isDeclared(nowhere, at) {
				t.Error("a variable without a line is declared")
			}
		}
		return true
	})
	if n == 0 {
		t.Error("no variable b in line 12")
	}
}
