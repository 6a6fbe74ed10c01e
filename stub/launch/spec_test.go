package launch

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf/expr"
	"simtgdb/testdata/reference"
)

const kernels = "../../testdata"

func launchFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(kernels, "launch", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no launch files: %v", err)
	}
	return files
}

// The reference reads launch files with encoding/json and fills buffers by its
// own code.
func TestReadSpecAgainstReference(t *testing.T) {
	for _, path := range launchFiles(t) {
		got, err := ReadSpec(File{Path: path})
		if err != nil {
			t.Error(err)
			continue
		}
		want, err := reference.ReadLaunch(path)
		if err != nil {
			t.Fatal(err)
		}
		type arg struct {
			Contents []byte
			Local    int
			Expect   string
		}
		type launch struct {
			Object, Kernel string
			Grid, Block    [3]int
			Args           []arg
		}
		ints := func(d Dims) [3]int { return [3]int{int(d[0]), int(d[1]), int(d[2])} }
		g := launch{Object: got.CodeObject.Path, Kernel: got.Kernel, Grid: ints(got.Grid),
			Block: ints(got.Block)}
		for _, a := range got.Args {
			one := arg{Contents: a.Value, Local: int(a.Local)}
			if a.Kind == BufferArg {
				one.Contents = make([]byte, a.Buffer.size())
				if err := a.Buffer.fill(one.Contents); err != nil {
					t.Fatal(err)
				}
			}
			if a.Expect != nil {
				one.Expect = filepath.Base(a.Expect.File.Path)
			}
			g.Args = append(g.Args, one)
		}
		w := launch{Object: filepath.Join(filepath.Dir(path), want.CodeObject), Kernel: want.Kernel,
			Grid: want.Grid, Block: want.Block}
		for _, a := range want.Args {
			one := arg{Contents: a.Value, Local: a.Local}
			if a.Buffer != nil {
				one.Contents = a.Buffer
			}
			if a.Expect != nil {
				one.Expect = a.Expect.File
			}
			w.Args = append(w.Args, one)
		}
		if !reflect.DeepEqual(w, g) {
			t.Errorf("%s (-reference +launch):\n%s", path, cmp.Diff(w, g))
		}
	}
}

func TestFillAgainstReference(t *testing.T) {
	for typ := range elementTypes {
		for _, init := range []string{"zero", "iota", "fill:1", "fill:100", "random:0", "random:7",
			"random:0xffffffffffffffff"} {
			const n = 3000 // past what a half can count to
			want, err := reference.Fill(typ, n, init, "")
			b, got := BufferSpec{}, make([]byte, len(want))
			if err == nil {
				elements := uint64(n)
				b, err = makeBuffer(typ, &elements, init, hostFile)
			}
			if err == nil {
				err = b.fill(got)
			}
			if err != nil {
				t.Fatalf("%s %s: %v", typ, init, err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s %s differs from the reference", typ, init)
			}
		}
	}
}

func TestHalf(t *testing.T) {
	for h := range 1 << 16 {
		v := expr.HalfToFloat(uint16(h))
		if w := reference.Half(h).Float(); v != w && !(math.IsNaN(v) && math.IsNaN(w)) {
			t.Fatalf("half %#x is %v, want %v", h, v, w)
		}
		if v == v && expr.FloatToHalf(v) != uint16(h) {
			t.Fatalf("half %#x is %v and back %#x", h, v, expr.FloatToHalf(v))
		}
		for _, near := range []float64{v * (1 + 1.0/2048), v * (1 + 1.0/4096), v * 1.0003,
			math.Nextafter(v, 1e9), v + 1e-8} {
			if got, want := expr.FloatToHalf(near), uint16(reference.HalfOf(near)); near == near &&
				got != want {
				t.Fatalf("%v as a half is %#x, want %#x", near, got, want)
			}
		}
	}
}

// A launch that is right, for tests that break a part of it.
const good = `{"code_object": "a.co", "kernel": "k", "grid": [64, 1, 1], "block": [64],
 "args": [{"buffer": {"type": "f32", "count": 4, "init": "iota"}, "expect": {"file": "w.bin", "abs": 1e-5}},
          {"local": 64}, {"i32": -5}, {"f64": "inf"}, {"u64": "0x10"}, {"bytes": "00ff"}],
 "lds": 128, "stack": 4096, "target": "gfx90a"}`

func TestReadSpec(t *testing.T) {
	fsys := fstest.MapFS{"launch/a.json": {Data: []byte(good)}}
	got, err := ReadSpec(File{Path: "launch/a.json", FS: fsys})
	if err != nil {
		t.Fatal(err)
	}
	stack := uint64(4096)
	file := func(name string) File { return File{Path: name, FS: fsys} }
	want := &Spec{
		CodeObject: file("launch/a.co"), Target: "gfx90a", Kernel: "k",
		Grid: Dims{64, 1, 1}, Block: Dims{64, 1, 1}, LDS: 128, Stack: &stack,
		Args: []Arg{
			{Kind: BufferArg, Buffer: BufferSpec{Type: "f32", Count: 4, Init: Init{Kind: InitIota}},
				Expect: &Expect{File: file("launch/w.bin"), Abs: 1e-5}},
			{Kind: LocalArg, Local: 64},
			{Kind: ValueArg, Type: "i32", Value: []byte{0xfb, 0xff, 0xff, 0xff}},
			{Kind: ValueArg, Type: "f64", Value: []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x7f}},
			{Kind: ValueArg, Type: "u64", Value: []byte{0x10, 0, 0, 0, 0, 0, 0, 0}},
			{Kind: ValueArg, Type: "bytes", Value: []byte{0, 0xff}},
		},
	}
	if diff := cmp.Diff(want, got, whole); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestReadSpecErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{``, `a.json:1:1: the JSON text ends too early`},
		{`{"grid": [1`, `a.json:1:12: the JSON text ends too early`},
		{"{\n  \"grid\": [1],\n  \"blok\": [1]\n}",
			`a.json:3:11: blok: unknown field "blok"; the fields are args, bindings, block, cluster, code_object, contract, filter_bits, grid, groups, kernel, launches, lds, memory, offset, pointers, printf_buffer, push, robust, spec, stack, subgroup_size, symbols, target, together, user_data, visa_tables, work_dim`},
		{`{"Gr\nid": [1]}`,
			`a.json:1:12: Gr\nid: unknown field "Gr\nid"; the fields are args, bindings, block, cluster, code_object, contract, filter_bits, grid, groups, kernel, launches, lds, memory, offset, pointers, printf_buffer, push, robust, spec, stack, subgroup_size, symbols, target, together, user_data, visa_tables, work_dim`},
		{`{"Grid": [1]}`,
			`a.json:1:10: Grid: unknown field "Grid"; the fields are args, bindings, block, cluster, code_object, contract, filter_bits, grid, groups, kernel, launches, lds, memory, offset, pointers, printf_buffer, push, robust, spec, stack, subgroup_size, symbols, target, together, user_data, visa_tables, work_dim`},
		{`{"grid": [1], "grid": [2]}`, `a.json:1:21: grid: comes twice`},
		{"// a comment\n{}", `a.json:1:1: invalid character '/' looking for beginning of value`},
		{"{\"grid\": [1],\n \"args\": [}]}",
			`a.json:2:11: invalid character '}' looking for beginning of value`},
		{`{} {}`, `a.json:1:4: there is more text after the launch`},
		{`[]`, `a.json:1:1: want an object, not an array`},
		{`{"kernel": 5}`, `a.json:1:12: kernel: want a string, not a number`},
		{`{"grid": 64}`, `a.json:1:10: grid: want an array, not a number`},
		{`{"grid": []}`, `a.json:1:10: grid: 0 sizes, want one to three`},
		{`{"grid": [1,2,3,4]}`, `a.json:1:10: grid: has more than 3 elements`},
		{`{"grid": [0]}`, `a.json:1:10: grid: size 0 is not between 1 and 4294967295`},
		{`{"grid": [-1]}`, `a.json:1:11: grid[0]: number -1 is not in the range of uint64`},
		{`{"grid": [1.5]}`, `a.json:1:11: grid[0]: number 1.5 is not in the range of uint64`},
		{`{"grid": [null]}`, `a.json:1:11: grid[0]: want a number, not null`},
		{`{"args": [null]}`, `a.json:1:11: args[0]: want a number, not null`},
		{`{"args": [{}]}`, `a.json:1:11: args[0]: has no kind; the kinds are buffer, image, local, bytes, struct, ` +
			elementTypeNames},
		{`{"args": [{"i32": 1}, {"i32": 1, "u32": 1}]}`, `a.json:1:23: args[1]: is i32 and u32 at once`},
		{`{"args": [{"i31": 1}]}`,
			`a.json:1:19: args[0].i31: unknown field "i31"; the fields are buffer, bytes, expect, f16, f32, f64, i16, i32, i64, i8, image, local, memory, name, struct, u16, u32, u64, u8, value`},
		{`{"args": [{"u8": 256}]}`, `a.json:1:18: args[0].u8: 256 is out of the range of u8`},
		{`{"args": [{"i32": 1.5}]}`, `a.json:1:19: args[0].i32: "1.5" is no number of type i32`},
		{`{"args": [{"f32": "x"}]}`, `a.json:1:19: args[0].f32: "x" is no number of type f32`},
		{`{"args": [{"f32": 1e99}]}`, `a.json:1:19: args[0].f32: 1e99 is out of the range of f32`},
		{`{"args": [{"f32": true}]}`, `a.json:1:19: args[0].f32: want a number, not a boolean`},
		{`{"args": [{"bytes": "0g"}]}`,
			`a.json:1:21: args[0].bytes: bytes: want pairs of hexadecimal digits: encoding/hex: invalid byte: U+0067 'g'`},
		{`{"args": [{"i32": 1, "expect": {"file": "x"}}]}`,
			`a.json:1:11: args[0]: has an expectation but is no buffer`},
		{`{"args": [{"expect": {"file": ""}, "buffer": {"type": "f32", "count": 1}}]}`,
			`a.json:1:22: args[0].expect: names no file`},
		{`{"args": [{"expect": {"file": "x", "abs": -1}, "buffer": {"type": "f32", "count": 1}}]}`,
			`a.json:1:22: args[0].expect: a tolerance is negative`},
		{`{"args": [{"buffer": {"type": "f31", "count": 1}}]}`,
			`a.json:1:22: args[0].buffer: unknown element type "f31"; the types are ` + elementTypeNames},
		{`{"args": [{"buffer": {"type": "f32", "size": 1}}]}`,
			`a.json:1:46: args[0].buffer.size: unknown field "size"; the fields are count, init, type`},
		{`{"args": [{"buffer": {"type": "f64", "count": 1152921504606846976}}]}`,
			`a.json:1:22: args[0].buffer: f64[1152921504606846976] has more than 4294967296 bytes`},
		{`{"args": [{"buffer": {"type": "f32", "count": 1, "init": "ones"}}]}`,
			`a.json:1:22: args[0].buffer: unknown init "ones"; want zero, none, iota, fill:VALUE, random:SEED, file:NAME or values as 1,2,3`},
		{`{"args": [{"buffer": {"type": "f32", "count": 1, "init": "fill:x"}}]}`,
			`a.json:1:22: args[0].buffer: init "fill:x": "x" is no number of type f32`},
		{`{"args": [{"buffer": {"type": "f32", "count": 1, "init": "random:x"}}]}`,
			`a.json:1:22: args[0].buffer: init "random:x": the seed is no 64-bit number`},
	} {
		_, err := parseSpec([]byte(test.text), File{Path: "a.json"})
		if err == nil || err.Error() != test.want {
			t.Errorf("%s\n got %v\nwant %s", test.text, err, test.want)
		}
	}
}

func TestParseArg(t *testing.T) {
	b := func(b ...byte) []byte { return b }
	buffer := func(typ string, n uint64, init Init) Arg {
		return Arg{Kind: BufferArg, Buffer: BufferSpec{Type: typ, Count: n, Init: init}}
	}
	for _, test := range []struct {
		text string
		want Arg
	}{
		{"i32:5", Arg{Kind: ValueArg, Type: "i32", Value: b(5, 0, 0, 0)}},
		{"i8:-1", Arg{Kind: ValueArg, Type: "i8", Value: b(0xff)}},
		{"f32:1.5", Arg{Kind: ValueArg, Type: "f32", Value: b(0, 0, 0xc0, 0x3f)}},
		{"f16:-2", Arg{Kind: ValueArg, Type: "f16", Value: b(0, 0xc0)}},
		{"u64:0x10", Arg{Kind: ValueArg, Type: "u64", Value: b(16, 0, 0, 0, 0, 0, 0, 0)}},
		{"local:1024", Arg{Kind: LocalArg, Local: 1024}},
		{"bytes:00Ff", Arg{Kind: ValueArg, Type: "bytes", Value: b(0, 0xff)}},
		{"buf:f32[1024]=zero", buffer("f32", 1024, Init{})},
		{"buf:f32[1024]", buffer("f32", 1024, Init{})},
		{"buf:u8[0x10]=iota", buffer("u8", 16, Init{Kind: InitIota})},
		{"buf:i16[2]=fill:-1", buffer("i16", 2, Init{Kind: InitFill, Element: b(0xff, 0xff)})},
		{"buf:f64[2]=random:7", buffer("f64", 2, Init{Kind: InitRandom, Seed: 7})},
		{"buf:f32[4]=file:a=b:c.bin", buffer("f32", 4, Init{Kind: InitFile, File: File{Path: "a=b:c.bin"}})},
	} {
		got, err := ParseArg(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
		} else if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", test.text, diff)
		}
	}
	for _, test := range []struct{ text, want string }{
		{"five", `argument "five": want a number, or KIND:VALUE, as in i32:5, f32:1.5, buf:f32[1024]=zero, buf:i32[]=1,2,3, ` +
			`local:1024, bytes:00ff, {i32:1 f32:2}`},
		{"i31:5", `argument "i31:5": unknown kind "i31"; the kinds are buf, image, local, bytes, ` +
			elementTypeNames},
		{"i8:128", `argument "i8:128": 128 is out of the range of i8`},
		{"local:-1", `argument "local:-1": "-1" is no count`},
		{"buf:f32", `argument "buf:f32": want TYPE[COUNT]=INIT, as in f32[1024]=zero`},
		{"buf:f32[x]", `argument "buf:f32[x]": "x" is no count`},
		{"buf:f99[1]", `argument "buf:f99[1]": unknown element type "f99"; the types are ` +
			elementTypeNames},
		{"bytes:0", `argument "bytes:0": bytes: want pairs of hexadecimal digits: encoding/hex: odd length hex string`},
	} {
		if _, err := ParseArg(test.text); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.text, err, test.want)
		}
	}
}

// A launch that can be read can be described and its buffers are within bounds.
func FuzzSpec(f *testing.F) {
	f.Add([]byte(good))
	for _, path := range launchFiles(f) {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := parseSpec(text, File{Path: "a.json"})
		if err != nil {
			if s != nil || !strings.HasPrefix(err.Error(), "a.json") {
				t.Errorf("error without its place: %v", err)
			}
			return
		}
		for i := range s.Args {
			a := &s.Args[i]
			if a.describe() == "" {
				t.Error("an argument without a description")
			}
			if a.Kind == BufferArg && a.Buffer.size() > maxBuffers {
				t.Errorf("a buffer of %d bytes", a.Buffer.size())
			}
		}
	})
}
