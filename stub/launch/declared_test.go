package launch

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simtgdb/stub/arch"
)

// TestDeclaredTypes: what is given for an argument is held against its type, which debugging information says,
// or the names of types in metadata, or a module's types; where the code alone says what it takes, that is said.
func TestDeclaredTypes(t *testing.T) {
	saxpy := Spec{CodeObject: object("saxpy"), Grid: Dims{64, 1, 1}, Block: Dims{64, 1, 1}}
	bench := func(file string) Spec {
		return Spec{CodeObject: File{Path: filepath.Join(kernels, "bench", file)}, Kernel: "matmul",
			Grid: Dims{16, 16, 1}, Block: Dims{16, 16, 1}}
	}
	buffers := []string{"buf:f32[256]", "buf:f32[256]", "buf:f32[256]"}
	square := func(n string) []string { return append(slices.Clone(buffers), n) }
	for _, test := range []struct {
		name          string
		spec          Spec
		args          []string
		refused, said string
	}{
		{"right", saxpy, []string{"i32:64", "f32:2", "buf:f32[64]", "buf:f32[64]"}, "", ""},
		{"sign", saxpy, []string{"u32:64", "f32:2", "buf:f32[64]", "buf:f32[64]"}, "", ""},
		{"bytes", saxpy, []string{"bytes:40000000", "bytes:00000040", "buf:u8[256]", "buf:u8[256]"}, "", ""},
		{"address", saxpy, []string{"i32:0", "f32:2", "u64:0", "u64:0"}, "", ""},
		{"float for int", saxpy, []string{"f32:64", "f32:2", "buf:f32[64]", "buf:f32[64]"},
			"argument 0 (n) is f32, but declared int;", ""},
		{"int for float", saxpy, []string{"i32:64", "i32:2", "buf:f32[64]", "buf:f32[64]"},
			"argument 1 (alpha) is i32, but declared float;", ""},
		{"halves for int", saxpy, []string{"u16:64,0", "f32:2", "buf:f32[64]", "buf:f32[64]"},
			"argument 0 (n) is u16[2], but declared int;", ""},
		{"buffer", saxpy, []string{"i32:64", "f32:2", "buf:i32[64]", "buf:f32[64]"},
			"", "argument 2 (x) is a buffer of i32[64], but declared const float *"},
		{"metadata of amdgpu", bench("bench.gfx90a.co"), square("f32:16"),
			"argument 3 is f32, but declared int;", ""},
		{"metadata of zebin", bench("bench.zebin"), square("f32:16"),
			"argument 3 (n) is f32, but declared int;", ""},
		{"buffer of zebin", bench("bench.zebin"),
			[]string{"buf:f64[128]", "buf:f32[256]", "buf:f32[256]", "i32:16"},
			"", "argument 0 (a) is a buffer of f64[128], but declared float*"},
		{"types of SPIR-V", bench("bench.spv"), square("f32:16"), "argument 3 is f32, but declared int;", ""},
		{"right for SPIR-V", bench("bench.spv"), square("u32:16"), "", ""},
		{"code of PTX", bench("bench.ptx"), square("f32:16"), "", "argument 3 is f32, and the code takes a .u32"},
		{"debugging information of PTX", Spec{CodeObject: File{Path: filepath.Join(kernels, "ptx/co/saxpy.O0.ptx")},
			Grid: Dims{64, 1, 1}, Block: Dims{64, 1, 1}}, []string{"f32:64", "f32:2", "buf:f32[64]", "buf:f32[64]"},
			"argument 0 (n) is f32, but declared int;", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			spec := test.spec
			spec.Args = parseArgs(t, test.args...)
			p, err := spec.Load()
			switch {
			case err != nil && (test.refused == "" || !strings.Contains(err.Error(), test.refused)):
				t.Errorf("%v, want %q", err, test.refused)
			case err != nil:
			case test.refused != "":
				t.Errorf("is taken, want %q", test.refused)
			case strings.Join(p.Warnings, "|") != test.said:
				t.Errorf("said: %q, want %q", p.Warnings, test.said)
			}
		})
	}
}

// TestDeclaredTypesOfShaders: types of specialisation constants and bindings are said.
func TestDeclaredTypesOfShaders(t *testing.T) {
	constant := func(id uint32, typ, literal string) arch.Constant {
		c, err := constantValue(typ, literal)
		if err != nil {
			t.Fatal(err)
		}
		return arch.Constant{ID: id, Type: typ, Value: c}
	}
	for _, test := range []struct {
		name     string
		constant arch.Constant
		binding  string
		said     string
	}{
		{"right", constant(3, "f32", "2"), "0.0=f32[6]", ""},
		{"sign", constant(2, "u32", "2"), "0.0=u8[24]", ""},
		{"constant", constant(3, "i32", "2"), "0.0=f32[6]",
			"specialisation constant 3 is i32, but declared f32"},
		{"binding", constant(3, "f32", "2"), "0.0=u32[6]",
			"binding 0.0 has u32[6], but the module declares f32"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b, err := ParseBinding(test.binding)
			if err != nil {
				t.Fatal(err)
			}
			spec := Spec{CodeObject: File{Path: filepath.Join(kernels, "spirv/spec.Od.spv")}, Groups: Dims{1, 1, 1},
				Constants: []arch.Constant{test.constant}, Bindings: []BindingSpec{b}}
			p, err := spec.Load()
			if err != nil {
				t.Fatal(err)
			}
			if strings.Join(p.Warnings, "|") != test.said {
				t.Errorf("said: %q, want %q", p.Warnings, test.said)
			}
		})
	}
}
