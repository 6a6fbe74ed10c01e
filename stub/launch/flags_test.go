package launch

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// specFor parses a command line, and settles what it says of arguments by their numbers.
func specFor(t *testing.T, args ...string) (*Spec, error) {
	t.Helper()
	f :=
		Flags{Demo: fstest.MapFS{"demo.json": {Data: []byte(`{"code_object": "demo.co", "kernel": "demo"}`)}},
			DemoLaunch: "demo.json"}
	set := flag.NewFlagSet("run", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	f.Register(set)
	if err := set.Parse(args); err != nil {
		return nil, err
	}
	s, err := f.Spec(set.Args())
	if err == nil {
		err = s.settle(nil)
	}
	return s, err
}

// whole compares all that a launch says.
var whole = cmp.AllowUnexported(Spec{}, result{}, bufferKey{})

func TestFlags(t *testing.T) {
	got, err := specFor(t, "--kernel", "k", "--grid", "64,2", "--block=32", "--arg", "buf:f32[4]", "--arg",
		"i32:1", "--arg", "buf:u8[4]",
		"--out", "2=o,1.bin", "--expect", "0=a,b.bin,abs=1e-3,rel=2", "--lds", "0x100", "--stack", "0",
		"--target", "gfx90a", "x.co")
	if err != nil {
		t.Fatal(err)
	}
	zero := uint64(0)
	want := &Spec{
		CodeObject: File{Path: "x.co"}, Target: "gfx90a", Kernel: "k", Grid: Dims{64, 2, 1},
		Block: Dims{32, 1, 1}, LDS: 256, Stack: &zero,
		Args: []Arg{
			{Kind: BufferArg, Buffer: BufferSpec{Type: "f32", Count: 4},
				Expect: &Expect{File: File{Path: "a,b.bin"}, Abs: 1e-3, Rel: 2}},
			{Kind: ValueArg, Type: "i32", Value: []byte{1, 0, 0, 0}},
			{Kind: BufferArg, Buffer: BufferSpec{Type: "u8", Count: 4}, Out: &File{Path: "o,1.bin"}},
		},
	}
	if diff := cmp.Diff(want, got, whole); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestFlagsOverLaunchFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.json")
	if err := os.WriteFile(path, []byte(good), 0o644); err != nil {
		t.Fatal(err)
	}
	base, err := specFor(t, "--launch", path)
	if err != nil {
		t.Fatal(err)
	}
	// Nothing but what a flag says changes.
	for _, test := range []struct {
		args   []string
		change func(*Spec)
	}{
		{[]string{"--code-object", "b.co"}, func(s *Spec) { s.CodeObject = File{Path: "b.co"} }},
		{[]string{"c.co"}, func(s *Spec) { s.CodeObject = File{Path: "c.co"} }},
		{[]string{"--kernel", "other"}, func(s *Spec) { s.Kernel = "other" }},
		{[]string{"--grid", "7"}, func(s *Spec) { s.Grid = Dims{7, 1, 1} }},
		{[]string{"--block", "1,2,3"}, func(s *Spec) { s.Block = Dims{1, 2, 3} }},
		{[]string{"--arg", "local:8"}, func(s *Spec) { s.Args = []Arg{{Kind: LocalArg, Local: 8}} }},
		{[]string{"--lds", "0"}, func(s *Spec) { s.LDS = 0 }},
		{[]string{"--out", "0=o"}, func(s *Spec) { s.Args[0].Out = &File{Path: "o"} }},
		{[]string{"--expect", "0=e"}, func(s *Spec) { s.Args[0].Expect = &Expect{File: File{Path: "e"}} }},
		{[]string{"--stack", "32"}, func(s *Spec) { n := uint64(32); s.Stack = &n }},
		{[]string{"--printf-buffer", "0x1000"}, func(s *Spec) { s.PrintfBuffer = 4096 }},
		{[]string{"--groups", "5"}, func(s *Spec) { s.Groups, s.Grid = Dims{5, 1, 1}, Dims{} }},
		{[]string{"--cluster", "2,1"}, func(s *Spec) { s.Cluster = Dims{2, 1, 1} }},
		{[]string{"--subgroup-size", "16"}, func(s *Spec) { s.Subgroup = 16 }},
		{[]string{"--robust"}, func(s *Spec) { s.Robust = true }},
		{[]string{"--contract"}, func(s *Spec) { s.Contract = true }},
		{[]string{"--filter-bits", "8"}, func(s *Spec) { s.FilterBits = 8 }},
		{[]string{"--visa-tables", "v"}, func(s *Spec) { s.VisaTables = []File{{Path: "v"}} }},
	} {
		got, err := specFor(t, append([]string{"--launch", path}, test.args...)...)
		if err != nil {
			t.Errorf("%v: %v", test.args, err)
			continue
		}
		want := *base
		want.Args = append([]Arg(nil), base.Args...)
		test.change(&want)
		if diff := cmp.Diff(&want, got, whole); diff != "" {
			t.Errorf("%v: -want +got:\n%s", test.args, diff)
		}
	}
}

func TestFlagsDemo(t *testing.T) {
	got, err := specFor(t, "--demo")
	if err != nil {
		t.Fatal(err)
	}
	if got.CodeObject.Path != "demo.co" || got.CodeObject.FS == nil || got.Kernel != "demo" {
		t.Errorf("the demonstration is %+v", got)
	}
}

func TestFlagErrors(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--grid", "1,x"}, `invalid value "1,x" for flag -grid: "x" is no size; want X[,Y[,Z]]`},
		{[]string{"--grid", "1,2,3,4"},
			`invalid value "1,2,3,4" for flag -grid: "1,2,3,4" has 4 sizes, want one to three`},
		{[]string{"--block", "0"},
			`invalid value "0" for flag -block: size 0 is not between 1 and 4294967295`},
		{[]string{"--out", "x"},
			`invalid value "x" for flag -out: want N=FILE with the number of an argument, counted from 0, or its name`},
		{[]string{"--expect", "0=f,abs=-1"},
			`invalid value "0=f,abs=-1" for flag -expect: abs=-1 is no tolerance`},
		{[]string{"--expect", "0=f,rel=nan"},
			`invalid value "0=f,rel=nan" for flag -expect: rel=nan is no tolerance`},
		{[]string{"--out", "1=a", "--out", "1=b"},
			`invalid value "1=b" for flag -out: argument 1 is saved already, to a`},
		{[]string{"--out", "1=a", "--out", "2=a"},
			`invalid value "2=a" for flag -out: argument 1 is saved to this file already`},
		{[]string{"--expect", "1=a", "--expect", "1=b"},
			`invalid value "1=b" for flag -expect: argument 1 has an expectation already`},
		{[]string{"--lds", "many"}, `invalid value "many" for flag -lds: "many" is no count`},
		{[]string{"--demo", "--launch", "x"}, `--demo and --launch exclude each other`},
		{[]string{"a.co", "b.co"}, `one code object is enough, there are 2: a.co b.co`},
		{[]string{"--code-object", "a.co", "b.co"}, `two code objects: b.co and --code-object a.co`},
		{[]string{"a.json"},
			`a.json looks like a launch file, not like a code object: give it with --launch`},
		{[]string{"--out", "0=x"}, `--out 0: the launch has 0 arguments, counted from 0`},
		{[]string{"--arg", "i32:1", "--expect", "0=x"}, `--expect 0: argument 0 is no buffer but i32`},
		{[]string{"--launch", "missing.json"}, `open missing.json: no such file or directory`},
	} {
		if _, err := specFor(t, test.args...); err == nil || err.Error() != test.want {
			t.Errorf("%v: %v, want %s", test.args, err, test.want)
		}
	}
}

// TestWithin: whoever connects may name the files that the server's own command line names for the same, and
// no others; each flag that names one counts.
func TestWithin(t *testing.T) {
	parse := func(args ...string) (*Flags, []string) {
		f, set := &Flags{}, flag.NewFlagSet("run", flag.ContinueOnError)
		f.Register(set)
		if err := set.Parse(args); err != nil {
			t.Fatal(err)
		}
		return f, set.Args()
	}
	none, noWords := parse()
	for _, x := range []struct {
		args       []string
		flag, path string // "" where no file is named
	}{
		{[]string{"--kernel", "k", "--arg", "i32:1", "--arg", "buf:i32[2]=1,2", "--binding",
			"0.0=u32[4]=zero"}, "", ""},
		{[]string{"--launch", "f"}, "--launch", "f"}, {[]string{"--code-object", "f"}, "--code-object", "f"},
		{[]string{"f"}, "--code-object", "f"}, {[]string{"--arg", "buf:i32[2]=file:f"}, "--arg", "f"},
		{[]string{"--expect", "0=f"}, "--expect", "f"}, {[]string{"--push", "file:f"}, "--push", "f"},
		{[]string{"--binding", "0.0=u32[4]=file:f"}, "--binding", "f"},
		{[]string{"--visa-tables", "f"}, "--visa-tables", "f"}, {[]string{"--out", "0=f"}, "--out", "f"},
	} {
		f, words := parse(x.args...)
		err, refused := f.Within(words, none, noWords).(*FileFlagError)
		if refused != (x.flag != "") || refused && (err.Flag != x.flag || err.Path != x.path) {
			t.Errorf("%v: %v", x.args, err)
		}
		if err := f.Within(words, f, words); err != nil {
			t.Errorf("%v of the server's own: %v", x.args, err)
		}
	}
	reads, _ := parse("--expect", "0=f")
	writes, _ := parse("--out", "0=f")
	if writes.Within(nil, reads, nil) == nil || reads.Within(nil, writes, nil) == nil {
		t.Error("a file that is read may be written, or the other way round")
	}
}
