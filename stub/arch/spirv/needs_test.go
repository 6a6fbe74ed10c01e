package spirv_test

import (
	"testing"

	"simtgdb/stub/launch"
	"simtgdb/stub/source"
)

// TestTemplate: the template of a shader can be launched as it is.
func TestTemplate(t *testing.T) {
	want := map[string]string{
		"spec.Od.spv": `{"code_object": "spec.Od.spv", "kernel": "main",
 "groups": [1, 1, 1],
 "spec": {"0": {"u32": 1}, "1": {"u32": 1}, "2": {"i32": 5}, "3": {"f32": "1.5"}, "4": {"bool": false}},
 "bindings": [{"set": 0, "binding": 0, "kind": "storage", "type": "f32", "count": 64, "init": "zero"}]}
`,
		"table.O.spv": "", "layout.Od.spv": "", "types.Od.spv": "", "nodes.Od.spv": "", "matmul.none.spv": "",
	}
	for name, text := range want {
		fsys := testFiles(t, "{}")
		m, err := launch.OpenModule(launch.File{Path: name, FS: fsys}, "")
		if err != nil {
			t.Fatal(err)
		}
		src, err := source.New(m)
		if err != nil {
			t.Fatal(err)
		}
		got := launch.Template(src, &m.Kernels[0], name)
		if text != "" && got != text {
			t.Errorf("got\n%swant\n%s", got, text)
		}
		if _, err := load(t, got); err != nil {
			t.Errorf("%s\n%v", got, err)
		}
	}
}
