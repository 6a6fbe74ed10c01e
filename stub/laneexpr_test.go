package stub

import (
	"reflect"
	"testing"
)

func TestParseLaneExpr(t *testing.T) {
	for text, want := range map[string]*laneExpr{
		"x": {text: "x", name: "x"},
		"a_1.b[2].c": {text: "a_1.b[2].c", name: "a_1",
			steps: []step{{member: "b"}, {index: 2}, {member: "c"}}},
		"v[0x10][3]":              {text: "v[0x10][3]", name: "v", steps: []step{{index: 16}, {index: 3}}},
		"$v3":                     {text: "$v3", register: "v3"},
		"%r12":                    {text: "%r12", register: "%r12"},
		"":                        nil,
		"a.":                      nil,
		"a[":                      nil,
		"a[x]":                    nil,
		"a[-1]":                   nil,
		"a+b":                     nil,
		"*p":                      nil,
		"$":                       nil,
		"a[99999999999999999999]": nil,
	} {
		got, err := parseLaneExpr(text)
		if (err != nil) != (want == nil) || want != nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v %v, want %+v", text, got, err, want)
		}
	}
}

func TestLaneRanges(t *testing.T) {
	for mask, want := range map[uint64]string{0: "", 1: "0", 0b1011: "0-1,3", ^uint64(0): "0-63",
		1<<63 | 1<<61: "61,63"} {
		if got := laneRanges(mask); got != want {
			t.Errorf("%#x: %q, want %q", mask, got, want)
		}
	}
}

func TestScalarText(t *testing.T) {
	for _, c := range []struct {
		b        []byte
		encoding uint64
		format   byte
		want     string
	}{
		{[]byte{0xff, 0xff}, 5, 0, "-1"}, {[]byte{0xff, 0xff}, 7, 0, "65535"},
		{[]byte{0xff, 0xff}, 7, 'x', "0xffff"},
		{[]byte{0, 0, 0xc0, 0x3f}, 4, 0, "1.5"}, {[]byte{0, 0, 0xc0, 0x3f}, 7, 'f', "1.5"},
		{[]byte{0, 0, 0, 0, 0, 0, 4, 0x40}, 4, 0, "2.5"}, {[]byte{5}, 7, 't', "101"}, {[]byte{1}, 2, 0, "true"},
		{[]byte{1, 0, 0, 0, 0, 0, 0, 0, 2}, 0, 0, "0x020000000000000001"}, {[]byte{0x80}, 7, 'd', "-128"},
	} {
		if got := scalarText(c.b, c.encoding, c.format); got != c.want {
			t.Errorf("% x as %d/%c: %s, want %s", c.b, c.encoding, c.format, got, c.want)
		}
	}
}

func FuzzParseLaneExpr(f *testing.F) {
	for _, s := range []string{"x", "a.b[2]", "$v3", "a["} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if e, err := parseLaneExpr(text); (e == nil) == (err == nil) {
			t.Errorf("%q: %v %v", text, e, err)
		}
	})
}
