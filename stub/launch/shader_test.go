package launch

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"simtgdb/stub/arch"
)

const shaderFile = `{"code_object": "k.spv", "groups": [4, 4], "spec": {"0": {"u32": 4}, "1": {"f32": 0.5}, "2": {"bool": true}},
 "push": [{"u32": 7}, {"bytes": "0102"}], "subgroup_size": 32, "robust": true, "contract": false, "filter_bits": 8,
 "bindings": [{"set": 0, "binding": 2, "element": 1, "kind": "uniform", "type": "u32", "count": 4, "init": "iota"},
              {"name": "out", "type": "f32", "count": 2, "expect": {"file": "out.bin"}},
              {"kind": "memory", "name": "nodes", "type": "u32", "count": 48}],
 "pointers": [{"in": "push", "at": 0, "to": "nodes", "add": 160}],
 "visa_tables": "entry0.dbg",
 "user_data": [{"table": [{"buffer": {"type": "i32", "count": 16}}]}, {"u32": 100}, "printf"]}`

// TestShaderFile reads every field for programs without a list of arguments.
func TestShaderFile(t *testing.T) {
	fsys := fstest.MapFS{"dir/a.json": {Data: []byte(shaderFile)}}
	s, err := ReadSpec(File{Path: "dir/a.json", FS: fsys})
	if err != nil {
		t.Fatal(err)
	}
	beside := func(name string) File { return File{Path: "dir/" + name, FS: fsys} }
	want := Spec{CodeObject: beside("k.spv"), Groups: Dims{4, 4, 1}, Subgroup: 32, Robust: true,
		FilterBits: 8, Constants: []arch.Constant{{ID: 0, Type: "u32", Value: []byte{4, 0, 0, 0}},
			{ID: 1, Type: "f32", Value: []byte{0, 0, 0, 0x3f}},
			{ID: 2, Type: "bool", Value: []byte{1, 0, 0, 0}}},
		Push: []byte{7, 0, 0, 0, 1, 2},
		Bindings: []BindingSpec{
			{Numbered: true, Number: 2, Element: 1, Kind: "uniform", Buffer: BufferSpec{Type: "u32", Count: 4,
				Init: Init{Kind: InitIota}}},
			{Name: "out", Kind: "storage", Buffer: BufferSpec{Type: "f32", Count: 2},
				Expect: &Expect{File: beside("out.bin")}},
			{Name: "nodes", Kind: "memory", Buffer: BufferSpec{Type: "u32", Count: 48}}},
		Pointers:   []PointerSpec{{In: "push", To: "nodes", Add: 160}},
		VisaTables: []File{beside("entry0.dbg")},
		UserData: []UserDatum{{Table: []UserDatum{{Buffer: &BufferSpec{Type: "i32", Count: 16}}}},
			{Value: []byte{100, 0, 0, 0}}, {Printf: true}}}
	if d := cmp.Diff(&want, s, cmp.Comparer(func(a, b File) bool { return a.Path == b.Path }),
		whole); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestShaderFileErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{"spec": {"x": {"u32": 4}}}`:                                           `a.json:1:16: spec.x: "x" is no number of a constant`,
		`{"spec": {"0": 4}}`:                                                    `a.json:1:16: spec.0: want an object, not a number`,
		`{"spec": {"0": {"bool": 3}}}`:                                          `a.json:1:16: spec.0: "3" is no boolean`,
		`{"push": [{"u99": 1}]}`:                                                `a.json:1:11: push[0]: unknown type "u99"; the types are bool, i8, i16, i32, i64, u8, u16, u32, u64, f16, f32, f64`,
		`{"bindings": [{"type": "u32", "count": 1}]}`:                           `a.json:1:15: bindings[0]: has neither set and binding nor a name`,
		`{"bindings": [{"kind": "memory", "set": 1, "type": "u32"}]}`:           `a.json:1:15: bindings[0]: memory has a name and no numbers`,
		`{"bindings": [{"kind": "picture", "name": "a", "type": "u32"}]}`:       `a.json:1:15: bindings[0]: unknown kind "picture"; the kinds are storage, uniform, image, sampler, memory`,
		`{"user_data": [{"table": [{"table": [{"table": [{"table": []}]}]}]}]}`: `a.json:1:59: user_data[0].table[0].table[0].table[0].table: tables more than 4 deep in each other`,
		`{"user_data": [{"u32": 1, "expect": {"file": "x"}}]}`:                  `a.json:1:16: user_data[0]: has an expectation but is no buffer`,
		`{"user_data": ["print"]}`:                                              `a.json:1:16: user_data[0]: unknown entry "print"; the only word is "printf"`,
	} {
		_, err := parseSpec([]byte(text), File{Path: "a.json"})
		if err == nil || err.Error() != want {
			t.Errorf("%s\n got %v\nwant %s", text, err, want)
		}
	}
}

// TestShaderFlags: flags say what the file can, and --out and --expect find
// bindings by their numbers or names.
func TestShaderFlags(t *testing.T) {
	s, err := specFor(t, "--groups", "4,4", "--spec", "3=f32:1", "--push", "u32:7", "--push", "bool:true",
		"--subgroup-size", "16", "--robust", "--contract", "--filter-bits", "8",
		"--binding", "0.2[1]=uniform:u32[4]=iota", "--binding", "out=f32[2]", "--out", "out=a.bin",
		"--expect", "0.2[1]=b.bin,abs=1", "k.spv")
	if err != nil {
		t.Fatal(err)
	}
	want := &Spec{CodeObject: File{Path: "k.spv"}, Groups: Dims{4, 4, 1}, Subgroup: 16, Robust: true,
		Contract: true, FilterBits: 8,
		Constants: []arch.Constant{{ID: 3, Type: "f32", Value: []byte{0, 0, 0x80, 0x3f}}},
		Push:      []byte{7, 0, 0, 0, 1, 0, 0, 0}, Bindings: []BindingSpec{
			{Numbered: true, Number: 2, Element: 1, Kind: "uniform", Buffer: BufferSpec{Type: "u32", Count: 4,
				Init: Init{Kind: InitIota}},
				Expect: &Expect{File: File{Path: "b.bin"}, Abs: 1}},
			{Name: "out", Kind: "storage", Buffer: BufferSpec{Type: "f32", Count: 2},
				Out: &File{Path: "a.bin"}}}}
	if d := cmp.Diff(want, s, whole); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	for _, c := range []struct{ arg, value, want string }{
		{"--binding", "0.1",
			`binding "0.1": want SET.BINDING=TYPE[COUNT]=INIT or NAME=TYPE[COUNT]=INIT, as in 0.1=f32[256]=zero`},
		{"--spec", "x=u32:1", `constant "x=u32:1": want ID=TYPE:VALUE, as in 0=u32:4`},
		{"--out", "0.7=a.bin", `--out 0.7: the kernel has no such parameter`},
		{"--binding", "0.2=u32[4] --binding out=f32[2] --out in=a.bin",
			`--out in: the launch has no such binding; it has: 0.2, out`},
		{"--binding", "0.2=u32[4] --binding out=f32[2] --expect 1=a.bin",
			`--expect 1: the launch has no arguments but bindings; it has: 0.2, out`},
		{"--binding", "2=buf:u32[4] --out 3=a.bin",
			`--out 3: the launch has no arguments but bindings; it has: 0.2`},
	} {
		_, err := specFor(t, strings.Fields(c.arg+" "+c.value)...)
		if err == nil || err.Error() != c.want &&
			err.Error() != `invalid value "`+c.value+`" for flag -`+c.arg[2:]+": "+c.want {
			t.Errorf("%s %s: %v, want %s", c.arg, c.value, err, c.want)
		}
	}
}
