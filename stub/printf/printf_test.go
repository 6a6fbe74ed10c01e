package printf_test

import (
	"math"
	"strings"
	"testing"

	"simtgdb/stub/printf"
)

func float32s(values ...float32) []uint64 {
	var bits []uint64
	for _, v := range values {
		bits = append(bits, uint64(math.Float32bits(v)))
	}
	return bits
}

func double(v float64) printf.Value { return printf.Scalar(8, math.Float64bits(v)) }

func i32(v int32) printf.Value { return printf.Scalar(4, uint64(uint32(v))) }

// TestVectors: the texts for OpenCL are PoCL's (testdata/opencl.c prints
// them), those for DebugPrintf are of the Vulkan validation layers' document
// and of C for each element.
func TestVectors(t *testing.T) {
	type test struct {
		dialect *printf.Dialect
		format  string
		value   printf.Value
		want    string
	}
	quarters := printf.Vector(4, float32s(1, 2.25, -3.5, 4)...)
	for _, c := range []test{
		{printf.SPIRV, "%v4f", quarters, "1.000000, 2.250000, -3.500000, 4.000000"},
		{printf.SPIRV, "%1.2v4f", quarters, "1.00, 2.25, -3.50, 4.00"},
		{printf.SPIRV, "%v2f", printf.Vector(2, 0x3c00, 0xc580), "1.000000, -5.500000"},
		{printf.SPIRV, "%v3lf", printf.Vector(8, math.Float64bits(1), 0, math.Float64bits(0.1)),
			"1.000000, 0.000000, 0.100000"},
		{printf.SPIRV, "%v2ul", printf.Vector(8, math.MaxUint64, 1), "18446744073709551615, 1"},
		{printf.SPIRV, "%v2lu", printf.Vector(8, math.MaxUint64, 1), "18446744073709551615, 1"},
		{printf.SPIRV, "%ul.", printf.Scalar(8, 1<<40), "1099511627776."},
		{printf.SPIRV, "%lx %u", printf.Scalar(8, 1<<40), "10000000000 %u"},
		{printf.SPIRV, "%d", printf.Scalar(8, math.MaxUint64), "-1"},
		{printf.SPIRV, "%d", printf.Scalar(2, 0x8000), "-32768"},
		{printf.SPIRV, "%u", printf.Scalar(2, 0x8000), "32768"},
		{printf.SPIRV, "%d %d %d", printf.Vector(1, 1, 0, 0xff), "1 0 -1"},
		{printf.SPIRV, "%v4d", printf.Vector(4, 1, 2), "1, 2"},
		{printf.SPIRV, "%*d %%", i32(1), "%*d %"},
		{printf.OpenCL, "%hd", i32(0x18000), "-32768"},
		{printf.OpenCL, "%ld", i32(-1), "-1"},
		{printf.C, "%v4f", double(1), "%v4f"},
		{printf.C, "%hld", i32(7), "%hld"},
	} {
		got, _ := printf.Parse(c.format, c.dialect).Append(nil, []printf.Value{c.value})
		if string(got) != c.want {
			t.Errorf("%s %q: %q, want %q", c.dialect.Name, c.format, got, c.want)
		}
	}
}

func TestProblems(t *testing.T) {
	for _, c := range []struct {
		format string
		values []printf.Value
		want   string
		say    printf.Problems
	}{
		{"", nil, "", 0},
		{"a %d b", nil, "a %d b", printf.MissingValue},
		{"%*d", []printf.Value{i32(3)}, "%*d", printf.MissingValue},
		{"%s", []printf.Value{printf.Scalar(8, 0x1234)}, "0x1234", printf.NotAString},
		{"%s", []printf.Value{printf.Scalar(8, 0)}, "(null)", printf.NotAString},
		{"%d", []printf.Value{printf.Text("x")}, "%d", printf.MissingValue},
		{"a%nb%d", []printf.Value{printf.Scalar(8, 0), i32(4)}, "ab4", printf.Refused},
		{"100%", nil, "100%", printf.UnknownConversion},
		{"%y %d", []printf.Value{i32(4)}, "%y 4", printf.UnknownConversion},
		{"%s", []printf.Value{printf.Text("a\x00b")}, "a", 0},
		{"a\x00b", nil, "a", 0},
		{"%lc%c", []printf.Value{i32(0x20ac), i32(0x141)}, "\u20acA", 0},
		{"%b %#B %#.9b", []printf.Value{i32(5), i32(5), i32(5)}, "101 0B101 0b000000101", 0},
	} {
		got, problems := printf.Parse(c.format, printf.C).Append([]byte("-"), c.values)
		if string(got) != "-"+c.want || problems != c.say {
			t.Errorf("%q: %q (%v), want %q (%v)", c.format, got, problems, c.want, c.say)
		}
	}
}

func TestBounds(t *testing.T) {
	long := strings.Repeat("x", printf.MaxText+1)
	for _, c := range []struct {
		format string
		values []printf.Value
		say    printf.Problems
	}{
		{"%99999999999999999999d", []printf.Value{i32(1)}, printf.TextCut},
		{"%*d", []printf.Value{i32(math.MinInt32), i32(1)}, printf.TextCut},
		{"%.999999999f", []printf.Value{double(1)}, printf.TextCut},
		{"%.*d", []printf.Value{i32(math.MaxInt32), i32(1)}, printf.TextCut},
		{"%s", []printf.Value{printf.Text(long)}, printf.TextCut},
		{long, nil, printf.TextCut},
		{strings.Repeat("%60000d", 500), make([]printf.Value, 0), printf.MissingValue},
	} {
		got, problems := printf.Parse(c.format, printf.C).Append(nil, c.values)
		if len(got) > printf.MaxText || problems != c.say {
			t.Errorf("%.20q: %d bytes, %v", c.format, len(got), problems)
		}
	}
	many := strings.Repeat("%d", printf.MaxConversions+1)
	values := make([]printf.Value, printf.MaxConversions+1)
	for i := range values {
		values[i] = i32(1)
	}
	got, problems := printf.Parse(many, printf.C).Append(nil, values)
	if string(got) != strings.Repeat("1", printf.MaxConversions)+"%d" ||
		problems != printf.TooManyConversions {
		t.Errorf("%.20q (%v)", got, problems)
	}
}

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"plain\n\ttext":   "plain\n\ttext",
		"\x1b[31mred\x07": `\x1b[31mred\x07`,
		"na\u00efve \xff": `na` + "\u00ef" + `ve \xff`,
		"\u202egnp.exe":   `\xe2\x80\xaegnp.exe`,
		"nul\x00\ufffd":   `nul\x00` + "\ufffd",
	} {
		if got := printf.Escape(nil, []byte(in)); string(got) != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// FuzzFormat prints any format with values of all kinds.
func FuzzFormat(f *testing.F) {
	f.Add("%d %s %*.*f%%\n", uint64(3), "text")
	f.Add("%v4hlf %-+ #0'30.20lx%n", uint64(math.MaxUint64), "")
	f.Add("%v16hhx %ul %a", uint64(1), "\x00")
	f.Fuzz(func(t *testing.T, format string, bits uint64, text string) {
		values := []printf.Value{
			printf.Scalar(4, bits), printf.Vector(2, bits, bits>>16, bits>>32), printf.Text(text),
			printf.Scalar(8, bits), {}, {Kind: printf.Null}, printf.Scalar(1, bits),
		}
		for _, d := range []*printf.Dialect{printf.C, printf.OpenCL, printf.SPIRV} {
			got, _ := printf.Parse(format, d).Append(nil, values)
			if len(got) > printf.MaxText {
				t.Fatalf("%q: %d bytes", format, len(got))
			}
			printf.Escape(nil, got)
		}
	})
}
