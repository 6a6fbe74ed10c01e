package launch

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/stub/arch"
)

// bufferOf makes a buffer with contents and an expectation, from literals.
func bufferOf(t *testing.T, typ string, got, want []string, expect Expect) *Buffer {
	t.Helper()
	encode := func(texts []string) (b []byte) {
		e := elementTypes[typ]
		for _, text := range texts {
			one := make([]byte, e.size)
			if err := e.parse(one, text); err != nil {
				t.Fatal(err)
			}
			b = append(b, one...)
		}
		return b
	}
	expect.File.Path = "w.bin"
	return &Buffer{Name: "argument 0 (x)", Spec: &BufferSpec{Type: typ, Count: uint64(len(got))},
		Region: &simt.Region{Data: encode(got)}, wanted: wanted{expect: &expect}, want: encode(want)}
}

func TestAllows(t *testing.T) {
	for _, test := range []struct {
		typ       string
		got, want string
		abs, rel  float64
		ok        bool
	}{
		{"f32", "1", "1", 0, 0, true},
		{"f32", "1.0000001", "1", 0, 0, false},
		{"f32", "0", "-0", 0, 0, false}, // other bits
		{"f32", "0", "-0", 1e-9, 0, true},
		{"f32", "nan", "nan", 0, 0, true},
		{"f32", "1", "nan", 9, 9, false},
		{"f32", "nan", "1", 9, 9, false},
		{"f32", "inf", "inf", 0, 0, true},
		{"f32", "inf", "-inf", 9, 9, false},
		{"f32", "3e38", "inf", 9, 9, false},
		{"f32", "inf", "3e38", 9, 9, false},
		{"f64", "1.5", "1", 0.5, 0, true},
		{"f64", "1.5", "1", 0.25, 0.25, true}, // the tolerances add up
		{"f64", "1.51", "1", 0.25, 0.25, false},
		{"f64", "-110", "-100", 0, 0.1, true},
		{"f64", "-111", "-100", 0, 0.1, false},
		{"f16", "1.001", "1", 0, 0.01, true},
		{"f16", "nan", "nan", 0, 0, true},
		{"i32", "-5", "-4", 1, 0, true},
		{"i32", "-5", "-3", 1, 0, false},
		{"u64", "18446744073709551615", "18446744073709551614", 0, 0, false},
		{"u8", "255", "0", 1, 0, false}, // no wrapping around
	} {
		b := bufferOf(t, test.typ, []string{test.got}, []string{test.want},
			Expect{Abs: test.abs, Rel: test.rel})
		if m := b.check(); (m.Count == 0) != test.ok {
			t.Errorf("%s %s for %s with abs %v rel %v: %d differ", test.typ, test.got, test.want, test.abs,
				test.rel, m.Count)
		}
	}
	// A NaN of other bits.
	b := bufferOf(t, "f32", []string{"nan"}, []string{"nan"}, Expect{})
	arch.PutUint(b.want, uint64(math.Float32bits(float32(math.NaN()))^1))
	if m := b.check(); m.Count != 0 {
		t.Error("a NaN is not taken for another")
	}
}

func TestReport(t *testing.T) {
	var got, want []string
	for i := range 12 {
		got, want = append(got, "1.5"), append(want, []string{"1.5", "-1e10"}[min(i, 1)])
	}
	p := &Program{Buffers: []Buffer{
		*bufferOf(t, "f32", got, want, Expect{}),
		*bufferOf(t, "i8", []string{"1", "2"}, []string{"1", "2"}, Expect{}),
		*bufferOf(t, "f16", []string{"-0", "0.1"}, []string{"0", "65504"}, Expect{}),
	}}
	out := filepath.Join(t.TempDir(), "o.bin")
	p.Buffers[1].out = &File{Path: out}
	var b strings.Builder
	ok, err := p.Report(&b)
	if err != nil || ok {
		t.Errorf("ok %v, %v", ok, err)
	}
	const text = `argument 0 (x): 11 of 12 elements differ from w.bin
  element  got    want
        1  1.5  -1e+10
        2  1.5  -1e+10
        3  1.5  -1e+10
        4  1.5  -1e+10
        5  1.5  -1e+10
        6  1.5  -1e+10
        7  1.5  -1e+10
        8  1.5  -1e+10
  and 3 more
argument 0 (x): all 2 elements are as expected
argument 0 (x): 2 of 2 elements differ from w.bin
  element       got   want
        0        -0      0
        1  0.099976  65504
`
	if got := b.String(); got != text {
		t.Errorf("report:\n%s\nwant:\n%s", got, text)
	}
	if saved, err := os.ReadFile(out); err != nil || string(saved) != "\x01\x02" {
		t.Errorf("saved %x, %v", saved, err)
	}
	if n := len(p.Check()); n != 2 {
		t.Errorf("%d mismatches, want 2", n)
	}
	p.Buffers[1].out = &File{Path: filepath.Join(out, "no folder")}
	if _, err := p.Report(&b); err == nil || !strings.Contains(err.Error(), "save argument 0 (x)") {
		t.Errorf("saving to nowhere: %v", err)
	}
}

// Two floats that print alike are told apart by their bits.
func TestDifference(t *testing.T) {
	e := elementTypes["f32"]
	nan := []byte{1, 0, 0xc0, 0x7f}
	other := []byte{2, 0, 0xc0, 0x7f}
	if d := difference(e, 3, nan, other); d.Got != "NaN (0x7fc00001)" || d.Want != "NaN (0x7fc00002)" ||
		d.Index != 3 {
		t.Errorf("%+v", d)
	}
}
