package amdgpu

import (
	"fmt"
	"strings"
	"testing"

	"simtgdb/dwarf"
	"simtgdb/loader/amdgpu/amdgputest"
	"simtgdb/stub/source"
)

// inRegisters are the scalars of what functions of returned.hip return, each of which has registers of its
// own: OFFSET:SIZE, and how many of them follow each other. They are those of the types that clang gives
// the functions in LLVM's IR (-emit-llvm); where it gives them a parameter "sret" there are none.
var inRegisters = map[string]string{
	"r_bool":          "0:1",
	"r_char":          "0:1",
	"r_ushort":        "0:2",
	"r_int":           "0:4",
	"r_long":          "0:8",
	"r_int128":        "0:16",
	"r_half":          "0:2",
	"r_float":         "0:4",
	"r_double":        "0:8",
	"r_pointer":       "0:8",
	"r_enum":          "0:4",
	"r_small":         "0:1",
	"r_complex":       "0:8", // [2 x i32], which take the same registers
	"r_complex2":      "0:8*2",
	"r_float2":        "0:4*2",
	"r_float3":        "0:4*3",
	"r_float8":        "0:4*8",
	"r_float64":       "", // <64 x float>, which 32 registers do not hold
	"r_double2":       "0:8*2",
	"r_half2":         "0:4", // two to a register
	"r_half3":         "0:6",
	"r_half4":         "0:8",
	"r_short8":        "0:16",
	"r_uchar4":        "0:1*4",
	"r_one":           "0:4",
	"r_one_float":     "0:4",
	"r_three":         "0:3",
	"r_mixed":         "0:8",
	"r_eight":         "0:8",
	"r_nine":          "0:1*9",
	"r_twelve":        "0:4*3",
	"r_doubles":       "0:8*2",
	"r_long_float":    "0:8 8:4",
	"r_nested":        "0:4*4",
	"r_sixteen":       "0:4*16",
	"r_seventeen":     "",
	"r_many":          "",
	"r_shorts":        "0:2*6",
	"r_halves":        "0:2*5",
	"r_fields":        "0:4 8:8",
	"r_long_fields":   "0:8 8:2*2",
	"r_few_fields":    "0:4",
	"r_wide_fields":   "0:4*4",
	"r_word":          "0:4",
	"r_pair":          "0:8 8:1*8",
	"r_union_long":    "0:8",
	"r_with_union":    "0:4 8:8 16:1*8",
	"r_with_vector":   "0:4 16:4*3 32:4", // and bytes behind them
	"r_with_halves":   "0:8 8:4",
	"r_with_bytes":    "0:1*4 4:4*2",
	"r_with_bools":    "0:1 4:4 8:1 16:8",
	"r_aligned":       "0:4 4:1*12",
	"r_after_aligned": "0:4 4:1*12 16:4 20:1*12",
	"r_packed":        "0:7",
	"r_packed_long":   "0:1 1:8 9:2",
	"r_derived":       "0:4 4:1 8:1 12:4",
	"r_twice":         "0:4 4:1 8:4 16:8",
	"r_from_empty":    "0:4*3",
	"r_has_empty":     "0:4 4:1*4 8:4*2",
	"r_static":        "0:4 8:8 16:4",
	"r_owner":         "",
}

// TestReturnRegisters: what of a returned object lies in which registers follows from its type.
func TestReturnRegisters(t *testing.T) {
	d, err := source.Data(amdgputest.Open(t, "../../../testdata/debug/co/returned.O0.co"))
	if err != nil {
		t.Fatal(err)
	}
	root, err := d.Units()[0].Root()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, f := range root.Children {
		want, ok := inRegisters[f.Name()]
		if f.Tag != dwarf.TagSubprogram || !ok {
			continue
		}
		seen++
		leaves, ok := returnRegisters(f.TypeDIE())
		if got := runs(leaves); !ok || got != want {
			t.Errorf("%s: %s, %v, want %s", f.Name(), got, ok, want)
		}
	}
	if seen != len(inRegisters) {
		t.Errorf("%d functions, want %d", seen, len(inRegisters))
	}
	if _, ok := returnRegisters(nil); ok {
		t.Error("void is in registers")
	}
}

// runs writes leaves as inRegisters has them.
func runs(leaves []leaf) string {
	var out []string
	for i := 0; i < len(leaves); {
		n, l := 1, leaves[i]
		for i+n < len(leaves) && leaves[i+n] == (leaf{l.offset + uint64(n)*l.size, l.size}) {
			n++
		}
		s := fmt.Sprintf("%d:%d", l.offset, l.size)
		if n > 1 {
			s += fmt.Sprintf("*%d", n)
		}
		out, i = append(out, s), i+n
	}
	return strings.Join(out, " ")
}
