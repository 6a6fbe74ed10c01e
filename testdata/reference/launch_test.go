package reference

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFill(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "x.bin"), []byte{1, 2, 3, 4}, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		typ   string
		count int
		init  string
		want  string // hexadecimal
	}{
		{"u32", 2, "zero", "0000000000000000"},
		{"i8", 4, "iota", "00010203"},
		{"f32", 2, "iota", "000000000000803f"},
		{"f16", 3, "iota", "0000003c0040"},
		{"i16", 2, "fill:-2", "fefffeff"},
		{"u8", 2, "fill:0xff", "ffff"},
		{"f64", 1, "fill:0.5", "000000000000e03f"},
		// The first two numbers of the generator for seed 0 are e220a8397b1dcdaf
		// and 6e789e6aa1b965f4.
		{"u64", 2, "random:0", "afcd1d7b39a820e2f465b9a16a9e786e"},
		{"i32", 2, "random:0", "afcd1d7bf465b9a1"},
		{"f32", 1, "random:0", "a820623f"},
		{"f64", 1, "random:0", "b9632f071544ec3f"},
		{"f16", 1, "random:0", "113b"},
		{"u16", 2, "file:x.bin", "01020304"},
	} {
		got, err := Fill(test.typ, test.count, test.init, folder)
		if err != nil {
			t.Errorf("%s %s: %v", test.typ, test.init, err)
			continue
		}
		if s := hex.EncodeToString(got); s != test.want {
			t.Errorf("%s %s = %s, want %s", test.typ, test.init, s, test.want)
		}
	}
}

func TestReadLaunchErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.json")
	for _, test := range []struct{ args, want string }{
		{`{"i31": 5}`, `argument 0: unknown kind "i31"`},
		{`{"i32": 5, "u32": 5}`, "argument 0: has 2 kinds"},
		{`{"u32": -1}`, "invalid syntax"},
		{`{"i8": 128}`, "out of range"},
		{`{"bytes": "0g"}`, "invalid byte"},
		{`{"buffer": {"type": "f31", "count": 1, "init": "zero"}}`, `unknown element type "f31"`},
		{`{"buffer": {"type": "f32", "count": 1, "init": "none"}}`, `unknown init "none"`},
		{`{"buffer": {"type": "f32", "size": 1}}`, `unknown field "size"`},
		{`{"i32": 1, "expect": {"file": "y"}}`, "expectation but no buffer"},
	} {
		text := `{"code_object": "x.co", "kernel": "x", "grid": [1,1,1], "block": [1,1,1], "args": [` +
			test.args + `]}`
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := ReadLaunch(path)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q in it", test.args, err, test.want)
		}
	}
}
