package source

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"simtgdb/loader/amdgpu/amdgputest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

const kernels = "../../testdata"

func open(t *testing.T, name string) *Map {
	t.Helper()
	return openAt(t, filepath.Join("co", name))
}

func openAt(t *testing.T, path string) *Map {
	t.Helper()
	m, err := New(amdgputest.Open(t, filepath.Join(kernels, path)))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Every dword of code comes from the file and line that llvm-symbolizer says.
func TestAtAgainstSymbolizer(t *testing.T) {
	symbolizer, err := exec.LookPath("llvm-symbolizer-22")
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	for _, name := range []string{"calls.gfx900.O0.co", "calls.gfx90a.O2.co", "reduce_cl.gfx942.O2.co"} {
		m := open(t, name)
		var in strings.Builder
		var got []string
		for _, s := range m.Module.Segments {
			for pc := s.Addr; s.Exec && pc < s.Addr+s.MemSize; pc += 4 {
				fmt.Fprintf(&in, "%#x\n", pc)
				p, ok := m.At(pc)
				if ok {
					got = append(got, fmt.Sprintf("%#x %v:%d", pc, p, p.Column))
				} else {
					got = append(got, fmt.Sprintf("%#x unknown", pc))
				}
			}
		}
		cmd := exec.Command(symbolizer, "--obj="+filepath.Join(kernels, "co", name), "--no-inlines",
			"--functions=none", "--addresses")
		cmd.Stdin = strings.NewReader(in.String())
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		last := "unknown"
		for block := range strings.SplitSeq(strings.TrimSpace(string(out)), "\n\n") {
			address, place, _ := strings.Cut(block, "\n")
			place = strings.TrimPrefix(place, "./")
			switch {
			case strings.Contains(place, "?"):
				place, last = "unknown", "unknown"
			case strings.Contains(place, ":0:"): // gdb shows it as a part of the line before
				place = last
			default:
				last = place[:strings.LastIndex(place, ":")] + ":0"
			}
			want = append(want, address+" "+place)
		}
		if diff := cmp.Diff(want, got); diff != "" || len(got) < 100 {
			t.Errorf("%s: -symbolizer +map:\n%s", name, diff)
		}
	}
}

func TestNames(t *testing.T) {
	m := open(t, "calls.gfx90a.O0.co")
	k, err := m.Module.Kernel("calls")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"particles", "energies", "box", "n"}, m.Parameters(k.Entry)); diff != "" {
		t.Errorf("parameters: -want +got:\n%s", diff)
	}
	sym, ok := m.Module.Symbol("_Z6bouncePfS_f")
	if !ok {
		t.Fatal("no symbol of bounce")
	}
	want := fmt.Sprintf("%#x in bounce+0x10 (calls.hip:22)", sym.Addr+16)
	if got := m.Describe(sym.Addr + 16); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := m.Describe(8); got != "0x8" {
		t.Errorf("address 8 is %s", got)
	}
	if names := m.Parameters(8); names != nil {
		t.Errorf("address 8 has parameters %v", names)
	}
}

func TestFinder(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "on_disk.cl"), []byte("one\r\n\ttwo\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	f := Finder{Folders: []string{folder},
		Trees: []fs.FS{fstest.MapFS{"in_tree.cl": {Data: []byte("three")}}}}
	for _, test := range []struct {
		file string
		line uint32
		want string
		ok   bool
	}{
		{"on_disk.cl", 1, "one", true},
		{"src/on_disk.cl", 2, "\ttwo", true},
		{"/elsewhere/on_disk.cl", 2, "\ttwo", true},
		{filepath.Join(folder, "on_disk.cl"), 1, "one", true},
		{"in_tree.cl", 1, "three", true},
		{"src/in_tree.cl", 1, "three", true},
		{"on_disk.cl", 0, "", false},
		{"on_disk.cl", 4, "", false},
		{"missing.cl", 1, "", false},
	} {
		got, ok := f.Line(Position{File: test.file, Line: test.line})
		if got != test.want || ok != test.ok {
			t.Errorf("%s:%d: %q, %v", test.file, test.line, got, ok)
		}
	}
	// A folder of compilation that is there is looked into.
	alone := Finder{}
	if got, ok := alone.Line(Position{File: "on_disk.cl", CompDir: folder, Line: 1}); got != "one" || !ok {
		t.Errorf("in the folder of compilation: %q, %v", got, ok)
	}
}
