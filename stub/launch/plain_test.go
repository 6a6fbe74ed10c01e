package launch

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/loader"
)

// TestPlainNumbers: numbers without a type become what the same numbers with the kernel's types are, on all
// machines.
func TestPlainNumbers(t *testing.T) {
	const co, ptx, zebin, patch = "co/saxpy.gfx90a.O0.co", "ptx/co/saxpy.O0.ptx", "igc/zebin/basic-O0.zebin",
		"igc/patch/gen9/memory.bin"
	for _, test := range []struct {
		file, kernel string
		plain, typed []string
	}{
		{co, "saxpy", []string{"64", ".5"}, []string{"i32:64", "f32:.5"}},
		{"co/saxpy.gfx90a.O2.co", "saxpy", []string{"alpha=1e3", "n=-1"}, []string{"i32:-1", "f32:1000"}},
		{ptx, "saxpy", []string{"0x40", "2"}, []string{"i32:64", "f32:2"}},
		{"ptx/co/saxpy.O2.ptx", "saxpy", []string{"-1", "-inf"}, []string{"i32:-1", "f32:-inf"}},
		{"spirv/cl_flow.cl.spv", "cl_flow", []string{"n=7"}, []string{"n=i32:7"}},
		{zebin, "saxpy", []string{"n=64", "a=3"}, []string{"n=i32:64", "a=f32:3"}},
		{patch, "crc", []string{"length=4294967295"}, []string{"length=u32:4294967295"}},
	} {
		values := func(given []string) (all [][]byte) {
			words := []string{"--grid", "64", "--block", "64", "--kernel", test.kernel}
			for _, a := range given {
				words = append(words, "--arg", a)
			}
			p := &Program{}
			for p.Kernel == nil { // buffers for the pointers
				var err error
				if p, err = flagged(t, append(words, filepath.Join(kernels, test.file))...); err != nil {
					if len(words) > 64 || !strings.Contains(err.Error(), "nothing is given") &&
						!strings.Contains(err.Error(), "wanted;") {
						t.Errorf("%s: %v", test.file, err)
						return nil
					}
					p, words = &Program{}, append(words, "--arg", "buf:u8[4096]")
				}
			}
			params, err := p.parameters()
			if err != nil {
				t.Error(err)
			}
			for i := range params {
				if g := params[i].given; g != nil && g.Kind == ValueArg {
					all = append(all, g.Value)
				}
			}
			return all
		}
		got, want := values(test.plain), values(test.typed)
		if diff := cmp.Diff(want, got); diff != "" || len(got) != len(test.typed) {
			t.Errorf("%s: %d values, -typed +plain:\n%s", test.file, len(got), diff)
		}
	}
}

// TestPlainTypes: what a plain number is for each kind of parameter, and what is said where it cannot be one.
func TestPlainTypes(t *testing.T) {
	value := func(size uint64, typ string) parameter {
		return parameter{Arg: loader.Arg{Name: "p", Kind: loader.ByValue, Size: size},
			declared: namedDeclaration(typ)}
	}
	pointer := value(8, "const float*")
	pointer.Kind = loader.GlobalBuffer
	local := value(4, "int*")
	local.Kind = loader.DynamicSharedPointer
	maybe := value(8, ".u64")
	maybe.MayPoint = true
	sampler := value(8, "sampler_t")
	sampler.Kind = loader.Sampler
	for _, test := range []struct {
		p       parameter
		given   string
		typed   string // the same with its type
		refused string
	}{
		{value(2, "half"), ".5", "f16:.5", ""},
		{value(1, "bool"), "true", "u8:1", ""},
		{value(1, "bool"), "0", "u8:0", ""},
		{value(1, "bool"), "2", "", "argument 0 (p) is given as 2, but is (bool): true, false, 1 or 0"},
		{value(1, "char"), "-3", "i8:-3", ""},
		{value(1, "unsigned char"), "300", "",
			"argument 0 (p) (unsigned char): 300 is out of the range of u8"},
		{value(8, "unsigned long"), "18446744073709551615", "u64:18446744073709551615", ""},
		{value(4, ".u32"), "-2", "i32:-2", ""},
		{value(4, ".f32"), "2", "f32:2", ""},
		{value(4, "int"), "1.5", "", `argument 0 (p) (int): "1.5" is no number of type i32`},
		{value(16, "float4"), "1,2,3,4", "f32:1,2,3,4", ""},
		{value(16, "float3"), "1,2,3", "f32:1,2,3,0", ""},
		{value(16, "float4"), "1,2", "", "argument 0 (p) is given as 1,2, but has 4 numbers (float4)"},
		{value(4, ""), "8", "", "argument 0 (p) is given as 8, and the file does not say of which type it " +
			"is: give the type, as p=i32:8 or p=f32:8"},
		{value(4, ""), ".5", "", "argument 0 (p) is given as .5, and the file does not say of which type " +
			"it is: give the type, as p=f32:.5"},
		{value(32, "P"), "3", "", "argument 0 (p) is given as 3, and the file does not say of which type " +
			"it is (P): give the type, as p=bytes: and 32 bytes in hexadecimal"},
		{pointer, "8", "", "argument 0 (p) is given as 8, but is a pointer (const float*): give a buffer, " +
			"as p=buf:f32[1024]=iota, or an address, as p=u64:0"},
		{pointer, "1,2,3", "", "argument 0 (p) is given as 1,2,3, but is a pointer (const float*): give a " +
			"buffer, as p=buf:f32[]=1,2,3, or an address, as p=u64:0"},
		{local, "64", "", "argument 0 (p) is given as 64, but is memory of the workgroup (int*): give its " +
			"size in bytes, as p=local:1024"},
		{maybe, "8", "", "argument 0 (p) is given as 8, and the file does not say of which type it is " +
			"(.u64): give the type, as p=i64:8 or p=f64:8 or p=buf:f32[1024]=iota"},
		{sampler, "8", "", "argument 0 (p) is given as 8, but is a sampler, as u64:0x12"},
	} {
		a, err := ParseArg(test.given)
		if err != nil {
			t.Errorf("%s: %v", test.given, err)
			continue
		}
		test.p.given = &a
		got, refused := test.p.number()
		if refused != test.refused {
			t.Errorf("%s for %q:\n%s, want\n%s", test.given, test.p.declared.spelling, refused, test.refused)
		}
		if test.typed == "" || got == nil {
			continue
		}
		if want, err := ParseArg(test.typed); err != nil || !slices.Equal(got.Value, want.Value) {
			t.Errorf("%s for %q: %x, want %x (%v)",
				test.given, test.p.declared.spelling, got.Value, want.Value, err)
		}
		for example := range strings.SplitSeq(refused, " ") {
			if strings.HasPrefix(example, "p=") && !strings.HasPrefix(example, "p=bytes:") {
				if _, err := ParseArg(strings.Trim(example, ",")); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// TestPlainInFile: a launch file has plain numbers as JSON has them.
func TestPlainInFile(t *testing.T) {
	const text = `{"args": [8, {"name": "x", "value": 0.5}, [1, 2], "0x10", true, {"value": "-inf"}]}`
	got, err := parseSpec([]byte(text), File{Path: "a.json"})
	if err != nil {
		t.Fatal(err)
	}
	for i, flag := range []string{"8", "x=0.5", "1,2", "0x10", "true", "-inf"} {
		want, err := ParseArg(flag)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got.Args[i]); diff != "" {
			t.Errorf("%s: -flag +file:\n%s", flag, diff)
		}
	}
	for bad, want := range map[string]string{
		`{"args": ["eight"]}`:                `args[0]: "eight" is no number`,
		`{"args": [null]}`:                   `want a number`,
		`{"args": [{"value": 8, "i32": 8}]}`: `is value and i32 at once`,
	} {
		if _, err := parseSpec([]byte(bad), File{Path: "a.json"}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", bad, err, want)
		}
	}
}
