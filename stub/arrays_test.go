package stub

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"simtgdb/simt"
	"simtgdb/stub/objects"
)

// elementsOf counts the instructions of a kernel of testdata/check for which an array is known, by its name,
// with the sources in a folder.
func elementsOf(t *testing.T, object, kernel, folder string) map[string]int {
	t.Helper()
	s := sessionFor(t, "--code-object", filepath.Join(testdata, "check", object), "--kernel", kernel,
		"--grid", "128", "--block", "128", "--arg", "buf:i32[512]=iota", "--arg", "buf:i32[512]=zero")
	objects.Find(s.prog, []string{folder})
	found := map[string]int{}
	for _, w := range s.machine.Waves()[:1] {
		for pc := s.prog.Kernel.Entry; pc < s.prog.Kernel.Entry+0x4000; pc += 4 {
			for _, write := range []bool{false, true} {
				a := &simt.Access{Wave: w, PC: pc, Write: write, Addr: &[simt.MaxLanes]uint64{}}
				if o := s.prog.Objects.Meant(a, 0); o != nil {
					found[o.Name]++
				}
			}
		}
	}
	return found
}

// TestArraysOfSource: arrays are known where the source is, and none where it is not, or is not what was
// compiled.
func TestArraysOfSource(t *testing.T) {
	folder := filepath.Join(testdata, "check", "src")
	text, err := os.ReadFile(filepath.Join(folder, "arrays.cl"))
	if err != nil {
		t.Fatal(err)
	}
	changed := t.TempDir()
	more := append(bytes.Clone(text), "// another line\n"...)
	if err := os.WriteFile(filepath.Join(changed, "arrays.cl"), more, 0o666); err != nil {
		t.Fatal(err)
	}
	moved := t.TempDir()
	lower := append([]byte("\n\n"), text...)
	if err := os.WriteFile(filepath.Join(moved, "arrays.cl"), lower, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		object, kernel, folder string
		want                   []string
	}{
		{"arrays.O0.co", "before_bounds", folder, []string{"a", "b", "c"}},
		{"arrays.O2.co", "store_bounds", folder, []string{"b"}},
		{"arrays.frame_bounds.O0.zebin", "frame_bounds", folder, []string{"a", "b", "c"}},
		{"arrays.O0.ptx", "frame_bounds", folder, []string{"a", "b", "c"}},
		{"arrays.O0.co", "before_bounds", t.TempDir(), nil},
		{"arrays.O0.co", "before_bounds", changed, nil}, // the checksum says so
		{"arrays.O0.ptx", "frame_bounds", moved, nil},   // the lines of declarations do
	} {
		got := elementsOf(t, c.object, c.kernel, c.folder)
		if (len(got) == 0) != (len(c.want) == 0) {
			t.Errorf("%s %s: %v, want %v", c.object, c.kernel, got, c.want)
		}
		for _, name := range c.want {
			if got[name] == 0 {
				t.Errorf("%s %s: nothing is meant for %s", c.object, c.kernel, name)
			}
		}
	}
}
