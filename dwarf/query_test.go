package dwarf

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf/internal/dwarftest"
)

// TestScopesAreSymbolizers compares the functions and inlined calls around each address of a program, and
// their lines, with llvm-symbolizer.
func TestScopesAreSymbolizers(t *testing.T) {
	dwarftest.Need(t, "llvm-symbolizer-22")
	for _, b := range []dwarftest.Build{
		{Name: "gcc -gdwarf-4 -O2", Tool: "gcc", Args: []string{"-gdwarf-4", "-O2"}, Source: "shapes.c"},
		{Name: "gcc -gdwarf-5 -O2", Tool: "gcc", Args: []string{"-gdwarf-5", "-O2"}, Source: "shapes.c"},
		{Name: "clang++-22 -gdwarf-5 -O2", Tool: "clang++-22", Args: []string{"-gdwarf-5", "-O2"},
			Source: "shapes.cc"},
		{Name: "hip gfx90a-O2-gdwarf-5", Tool: "clang-22",
			Args: []string{"-x", "hip", "--cuda-device-only", "--offload-arch=gfx90a",
				"-nogpuinc", "-nogpulib", "-g", "-gdwarf-5", "-O2", "-c", "--no-gpu-bundle-output"},
			Source: "kernel.hip"},
	} {
		t.Run(b.Name, func(t *testing.T) {
			file := b.Make(t)
			d := dataOf(t, file)
			var args, got []string
			for _, u := range d.Units() {
				ranges, err := u.Ranges()
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range ranges {
					for pc := r.Low; pc < r.High; pc++ {
						args = append(args, fmt.Sprintf("0x%x", pc))
						got = append(got, fmt.Sprintf("0x%x %s", pc, callChain(t, d, pc)))
					}
				}
			}
			if len(args) < 100 {
				t.Fatalf("only %d addresses have code", len(args))
			}
			out := dwarftest.Output(t, "llvm-symbolizer-22",
				append([]string{"-s", "--no-demangle", "-f=linkage", "-e", file}, args...)...)
			want := symbolizerChains(args, out)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("functions and lines (-llvm-symbolizer +here):\n%.3000s", diff)
			}
		})
	}
}

// callChain gives the functions at pc, innermost first, each with its line.
func callChain(t *testing.T, d *Data, pc uint64) string {
	t.Helper()
	u := d.UnitAt(pc)
	if u == nil {
		return "no unit"
	}
	table, err := u.Lines()
	if err != nil {
		t.Fatal(err)
	}
	var line uint64
	if i, ok := table.Lookup(pc); ok {
		line = uint64(table.Rows[i].Line)
	}
	scopes := u.ScopesAt(pc)
	if len(scopes) == 0 { // padding between functions
		return fmt.Sprintf("??:%d", line)
	}
	var chain []string
	for i := len(scopes) - 1; i >= 0; i-- {
		s := scopes[i]
		if s.Tag != TagSubprogram && s.Tag != TagInlinedSubroutine {
			continue
		}
		name := s.LinkageName()
		if name == "" {
			name = s.Name()
		}
		chain = append(chain, fmt.Sprintf("%s:%d", name, line))
		line, _ = s.Uint(AttrCallLine)
	}
	return strings.Join(chain, " ")
}

// symbolizerChains brings the answers of llvm-symbolizer into the form of callChain: an answer has two
// lines for each function, its name and its place.
func symbolizerChains(addrs []string, out string) []string {
	var chains []string
	for i, answer := range strings.Split(strings.TrimSpace(out), "\n\n") {
		lines := strings.Split(answer, "\n")
		var chain []string
		for k := 0; k+1 < len(lines); k += 2 {
			place := strings.Split(lines[k+1], ":")
			chain = append(chain, lines[k]+":"+place[len(place)-2])
		}
		chains = append(chains, addrs[i]+" "+strings.Join(chain, " "))
	}
	return chains
}

// TestEffective follows origins, also where they go round.
func TestEffective(t *testing.T) {
	declaration := NewDIE(TagSubprogram, StringAttr(AttrName, "f"), StringAttr(AttrLinkageName, "_Zf"),
		FlagAttr(AttrDeclaration))
	abstract := NewDIE(TagSubprogram, RefAttr(AttrSpecification, declaration), UintAttr(AttrDeclLine, 7))
	concrete := NewDIE(TagSubprogram, RefAttr(AttrAbstractOrigin, abstract), AddressAttr(AttrLowPC, 0x10))
	if got := concrete.Name(); got != "f" {
		t.Errorf("Name = %q, want f", got)
	}
	if got := concrete.LinkageName(); got != "_Zf" {
		t.Errorf("LinkageName = %q, want _Zf", got)
	}
	if a, owner, ok := concrete.Effective(AttrDeclLine); !ok || a.Val != 7 || owner != abstract {
		t.Errorf("Effective(DW_AT_decl_line) = %v of %v, %v; want 7 of the abstract instance", a.Val, owner,
			ok)
	}
	if _, _, ok := concrete.Effective(AttrDeclaration); ok {
		t.Error("DW_AT_declaration is inherited")
	}
	if concrete.Origin() != declaration {
		t.Error("Origin is not the declaration")
	}
	one, two := NewDIE(TagSubprogram), NewDIE(TagSubprogram)
	one.Set(RefAttr(AttrAbstractOrigin, two))
	two.Set(RefAttr(AttrSpecification, one))
	if _, _, ok := one.Effective(AttrName); ok || one.Origin() == nil {
		t.Error("a loop of origins has a name")
	}
}

// TestConcurrent asks one object from several goroutines; the race detector watches.
func TestConcurrent(t *testing.T) {
	d := dataOf(t, dwarftest.Build{Name: "go", Tool: "go", Args: []string{"build"},
		Source: "shapes.go"}.Make(t))
	var wg sync.WaitGroup
	found := make([]int, 4)
	for i := range found {
		wg.Go(func() {
			for _, u := range d.Units() {
				table, err := u.Lines()
				if err != nil || table == nil || len(table.Rows) == 0 {
					continue
				}
				pc := table.Rows[0].Addr
				if at := d.UnitAt(pc); at != nil && len(at.ScopesAt(pc)) > 0 {
					found[i]++
				}
			}
		})
	}
	wg.Wait()
	for i, n := range found {
		if n == 0 || n != found[0] {
			t.Errorf("goroutine %d finds %d functions, the first %d", i, n, found[0])
		}
	}
}
