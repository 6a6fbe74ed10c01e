package spirv_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"testing/fstest"

	"simtgdb/simt"
	"simtgdb/stub/launch"
)

// FuzzLaunch launches modules of testdata with bindings, push constants, pointers and specialisation that
// may not fit, and runs what is accepted for a while: there is an error or a run, and nothing else.
func FuzzLaunch(f *testing.F) {
	simt.LetPanic = true
	files := testFiles(f, "{}")
	modules := []string{"nodes.Od.spv", "spec.O.spv", "table.Od.spv", "layout.Od.spv", "cl_nodes.cl.spv",
		"say.Od.spv", "subgroup.Od.spv", "groups.spv", "all.spv"}
	for m := range modules {
		f.Add(uint8(m), uint32(0), uint32(0), uint32(0), uint16(64), uint8(0),
			[]byte{0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0},
			uint64(0), uint64(0), uint32(3), uint8(32), "")
		f.Add(uint8(m), uint32(1), uint32(2), uint32(1), uint16(3), uint8(1), []byte{1}, uint64(8),
			uint64(1<<63), uint32(1<<31), uint8(8), "main")
	}
	f.Fuzz(func(t *testing.T, module uint8, set, binding, element uint32, count uint16, kind uint8,
		push []byte, at, add uint64, spec uint32, subgroup uint8, kernel string) {
		if len(push) > 256 {
			return
		}
		kinds := []string{"storage", "uniform"}
		b := func(set, binding, element uint32) map[string]any {
			return map[string]any{"set": set, "binding": binding, "element": element, "type": "u32",
				"count": count, "kind": kinds[int(kind)%len(kinds)], "init": "iota"}
		}
		file := map[string]any{"code_object": modules[int(module)%len(modules)], "groups": []int{2},
			"subgroup_size": subgroup, "robust": kind&2 != 0, "contract": kind&4 != 0,
			"push": []any{map[string]string{"bytes": fmt.Sprintf("%x", push)}},
			"spec": map[string]any{fmt.Sprint(spec % 8): map[string]uint32{"u32": spec}},
			"bindings": []any{b(set, binding, element), b(set, binding^1, 0), b(0, 7, 0),
				map[string]any{"kind": "memory", "name": "m", "type": "u32", "count": 8}},
			"pointers": []any{map[string]any{"in": "push", "at": at, "to": "m", "add": add}}}
		if kernel != "" {
			file["kernel"] = kernel
		}
		if kind&8 != 0 {
			delete(file, "pointers")
		}
		if kind&16 != 0 {
			delete(file, "push")
		}
		text, err := json.Marshal(file)
		if err != nil {
			t.Fatal(err)
		}
		fsys := fstest.MapFS{"l.json": {Data: text}}
		name := filepath.Base(modules[int(module)%len(modules)])
		fsys[name] = files[name]
		s, err := launch.ReadSpec(launch.File{Path: "l.json", FS: fsys})
		if err != nil {
			return
		}
		p, err := s.Load()
		if err != nil {
			return
		}
		p.Machine.MaxInsts = 5000
		p.Run(context.Background(), 1)
	})
}
