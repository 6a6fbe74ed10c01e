package launch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simtgdb/stub/source"
)

// TestTemplate makes the launch file of every kernel of testdata: it can be read, and the kernel can be
// launched with it.
func TestTemplate(t *testing.T) {
	files, err := filepath.Glob("../../testdata/co/*.co")
	if err != nil || len(files) == 0 {
		t.Fatalf("no objects: %v", err)
	}
	kernels := 0
	for _, file := range files {
		m, err := OpenModule(File{Path: file}, "")
		if err != nil {
			t.Fatal(err)
		}
		src, err := source.New(m)
		if err != nil {
			t.Fatal(err)
		}
		path, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := range m.Kernels {
			kernels++
			text := Template(src, &m.Kernels[i], path)
			spec, err := parseSpec([]byte(text), File{Path: filepath.Join(t.TempDir(), "launch.json")})
			if err != nil {
				t.Fatalf("%s: %v\n%s", file, err, text)
			}
			if _, err := spec.Load(); err != nil {
				t.Errorf("%s: %v\n%s", file, err, text)
			}
		}
	}
	if kernels < len(files) {
		t.Errorf("%d kernels in %d files", kernels, len(files))
	}
}

// TestTemplateTypes compares the arguments with those of launch files that were written by hand: the kinds
// and types must be the same.
func TestTemplateTypes(t *testing.T) {
	for _, name := range []string{"vecadd", "saxpy", "reduce_cl", "matmul_cl", "mandelbrot", "reduction"} {
		text, err := os.ReadFile("../../testdata/launch/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		want, err := parseSpec(text, File{Path: "../../testdata/launch/" + name + ".json"})
		if err != nil {
			t.Fatal(err)
		}
		m, err := want.Open()
		if err != nil {
			t.Fatal(err)
		}
		src, err := source.New(m)
		if err != nil {
			t.Fatal(err)
		}
		k, err := m.Kernel(want.Kernel)
		if err != nil {
			t.Fatal(err)
		}
		got, err := parseSpec([]byte(Template(src, k, want.CodeObject.Path)), File{Path: "x.json"})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Args) != len(want.Args) {
			t.Errorf("%s: %d arguments, want %d", name, len(got.Args), len(want.Args))
			continue
		}
		for i := range want.Args {
			if g, w := &got.Args[i], &want.Args[i]; g.Kind != w.Kind || g.Buffer.Type != w.Buffer.Type ||
				g.Type != w.Type {
				t.Errorf("%s: argument %d is %s, want %s", name, i, g.describe(), w.describe())
			}
		}
	}
}

// TestTemplateShared: variables of one binding get one buffer, as large as the largest of them wants it.
func TestTemplateShared(t *testing.T) {
	m, err := OpenModule(File{Path: "../../testdata/spirv/unsized.spv"}, "")
	if err != nil {
		t.Fatal(err)
	}
	src, err := source.New(m)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"set": 0, "binding": 1, "kind": "storage", "type": "u32", "count": 256, "init": "zero"}`
	if text := Template(src, &m.Kernels[0], "x.spv"); strings.Count(text, `"binding": 1`) != 1 ||
		!strings.Contains(text, want) {
		t.Errorf("%s\nwant one of %s", text, want)
	}
}

// TestTemplateEscapes: names out of files do not end their strings.
func TestTemplateEscapes(t *testing.T) {
	if got := quoted("a\"\n\x00b"); strings.ContainsAny(got, "\n\x00") || got != `"a\"\n\u0000b"` {
		t.Errorf("%s", got)
	}
}
