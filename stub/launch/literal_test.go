package launch

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// words are the bytes of 32-bit numbers.
func words(values ...uint32) (b []byte) {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}

func TestLiterals(t *testing.T) {
	one, half := math.Float32bits(1), math.Float32bits(0.5)
	for _, test := range []struct {
		text string
		want Arg
	}{
		{"buf:i32[]=1,-2,0x10", Arg{Buffer: BufferSpec{"i32", 3, Init{Kind: InitList,
			List: words(1, 0xfffffffe, 16)}}}},
		{"buf:u32[4]=7", Arg{Buffer: BufferSpec{"u32", 4, Init{Kind: InitList, List: words(7)}}}},
		{"f32:1,.5", Arg{Kind: ValueArg, Type: "f32", Value: words(one, half)}},
		{"n=i32:5", Arg{Name: "n", Kind: ValueArg, Type: "i32", Value: words(5)}},
		{"x=buf:u8[]=1,2", Arg{Name: "x", Buffer: BufferSpec{"u8", 2,
			Init{Kind: InitList, List: []byte{1, 2}}}}},
		{"{u8:1 f32:1,.5 i16:2}", Arg{Kind: ValueArg, Type: structType,
			Value: append(words(1, one, half), 2, 0, 0, 0), Fields: []Field{{"u8", 0}, {"f32", 4}, {"f32", 8},
				{"i16", 12}}}},
		{"p={i64:1 u8:1}", Arg{Name: "p", Kind: ValueArg, Type: structType, Value: words(1, 0, 1, 0),
			Fields: []Field{{"i64", 0}, {"u8", 8}}}},
	} {
		got, err := ParseArg(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
		} else if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", test.text, diff)
		}
	}
}

// TestIsList: what begins as a number does, a sign or a point first, is a list of them.
func TestIsList(t *testing.T) {
	for text, want := range map[string]bool{"1,2": true, "-1": true, "+1": true, ".5": true, "-.5": true,
		"-inf": true, "NaN": true, "": false, "-": false, "zero": false, "iota": false, "in": false,
		"-zero": false} {
		if got := isList(text); got != want {
			t.Errorf("isList(%q) = %v", text, got)
		}
	}
}

func TestLiteralErrors(t *testing.T) {
	for text, want := range map[string]string{
		"buf:f32[]":        `f32[] does not say how many elements there are, and "zero" does not list them`,
		"buf:f32[2]=1,2,3": `3 values for f32[2]`,
		"buf:u8[]=1,256":   `init: 256 is out of the range of u8`,
		"buf:u8[]=1,,2":    `init: "" is no number of type u8`,
		"=i32:5":           `the name before = is empty`,
		"{i32:1":           `the structure has no closing brace`,
		"{}":               `the structure has no fields; want {TYPE:VALUE …}`,
		"{i32}": `field "i32" of the structure: want TYPE:VALUE[,VALUE…]; the types are ` +
			elementTypeNames,
		"{i8:1 half:2}": `field "half:2" of the structure: want TYPE:VALUE[,VALUE…]; the types are ` +
			elementTypeNames,
		"i32:1,two":           `"two" is no number of type i32`,
		"buf:f32[8]=sometime": `unknown init "sometime"; want ` + initForms,
	} {
		if _, err := ParseArg(text); err == nil || err.Error() != "argument "+quoted(text)+": "+want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// What a launch file lists is what the flags list.
func TestListedInFile(t *testing.T) {
	const text = `{"args": [{"name": "x", "buffer": {"type": "f32", "init": [1, ".5", "0x1p-1"]}},
		{"buffer": {"type": "i32", "count": 4, "init": "1,2"}},
		{"f32": [1, 0.5]}, {"struct": [{"u8": 1}, {"f32": [1, ".5"]}]}]}`
	got, err := parseSpec([]byte(text), File{Path: "a.json"})
	if err != nil {
		t.Fatal(err)
	}
	for i, flag := range []string{"x=buf:f32[]=1,.5,.5", "buf:i32[4]=1,2", "f32:1,.5", "{u8:1 f32:1,.5}"} {
		want, err := ParseArg(flag)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got.Args[i]); diff != "" {
			t.Errorf("%s: -flag +file:\n%s", flag, diff)
		}
	}
}

func TestArrange(t *testing.T) {
	names := []string{"n", "alpha", "", "y"}
	arg := func(name string, local uint64) Arg { return Arg{Name: name, Kind: LocalArg, Local: local} }
	got, err := arrange([]Arg{arg("y", 1), arg("", 2), arg("alpha", 3), arg("", 4)}, names)
	want := []Arg{arg("", 2), arg("alpha", 3), arg("", 4), arg("y", 1)}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
	for _, test := range []struct {
		args []Arg
		want string
	}{
		{[]Arg{arg("z\n", 1)}, `the kernel has no parameter z\n; it has: n, alpha, y`},
		{[]Arg{arg("y", 1), arg("y", 2)}, `parameter y is given twice`},
		{[]Arg{arg("y", 1), arg("", 2)}, `nothing is given for parameter 1 (alpha)`},
		{[]Arg{arg("y", 1), arg("", 2), arg("n", 2)}, `nothing is given for parameter 2`},
	} {
		if _, err := arrange(test.args, names); err == nil || err.Error() != test.want {
			t.Errorf("%v: %v, want %s", test.args, err, test.want)
		}
	}
	// Too many are counted later, where what the kernel wants is listed.
	if got, err := arrange([]Arg{arg("n", 1), arg("", 2)}, names[:1]); err != nil || len(got) != 2 {
		t.Errorf("%v, %v", got, err)
	}
}

func TestPrintout(t *testing.T) {
	b := bufferOf(t, "i32", []string{"1", "-20", "300", "4"}, nil, Expect{})
	for how, want := range map[string]string{
		"": "argument 0 (x): i32[4]\n  [0] 1 -20 300 4\n",
		"hex,columns=2": "argument 0 (x): i32[4]\n  [0] 0x00000001 0xffffffec\n" +
			"  [2] 0x0000012c 0x00000004\n",
		"columns=1,from=1,count=2": "argument 0 (x): i32[4]\n  [1] -20\n  [2] 300\n  and 1 more element\n",
		"from=9":                   "argument 0 (x): i32[4]\n",
	} {
		p, err := parsePrintout(how)
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		if err := p.write(&got, b); err != nil || got.String() != want {
			t.Errorf("%q: %v, got\n%s, want\n%s", how, err, got.String(), want)
		}
	}
	for how, want := range map[string]string{
		"octal":         `"octal" says nothing of how to print; ` + printoutForms,
		"columns":       `"columns" says nothing of how to print; ` + printoutForms,
		"columns=x":     `"x" is no count`,
		"columns=99999": `99999 columns are too many, at most 4096`,
	} {
		if _, err := parsePrintout(how); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", how, err, want)
		}
	}
}

// TestPicture: a buffer of numbers that images have is shown as one of one plane, whose rows it fills.
func TestPicture(t *testing.T) {
	for _, x := range []struct {
		typ, how, want string
	}{
		{"u8", "picture,columns=2", "r8_uint 2x2"}, {"f32", "picture,columns=4", "r32_sfloat 4x1"},
		{"i16", "picture,columns=3", "r16_sint 3x1"}, {"u8", "picture", "a picture of a buffer wants its " +
			"columns: picture,columns=64"},
		{"u8", "picture,columns=5", "4 elements are no row of 5 columns"},
		{"u64", "picture,columns=1", "r64_uint 1x4"},
	} {
		p, err := parsePrintout(x.how)
		if err != nil || !p.Picture {
			t.Fatal(x.how, err)
		}
		b := bufferOf(t, x.typ, []string{"1", "2", "3", "4"}, nil, Expect{})
		m, err := p.imageOf(b)
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprintf("%s %dx%d", m.Format.Name, m.Size[0], m.Size[1])
			if m.Size[2] != 1 || m.Layers != 1 || m.Levels != 1 {
				t.Errorf("%s: %v", x.typ, m)
			}
		}
		if got != x.want {
			t.Errorf("%s of %s: %s, want %s", x.how, x.typ, got, x.want)
		}
	}
}
