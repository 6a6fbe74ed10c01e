package amdgpu

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPrintf compares with the calls in printf.cl. The string is passed in the
// buffer, in whole words.
func TestPrintf(t *testing.T) {
	want := map[string][]uint32{
		"x: %d \"%s\" d=%f\n": {4, 12, 8},
		"plain\t100%%\n":      nil,
		"v %v4d\n":            {16},
	}
	got := map[string][]uint32{}
	ids := map[uint32]bool{}
	for _, s := range Of(openTestdata(t, "printf-gfx900.co")).Printf {
		p, err := ParsePrintf(s)
		if err != nil {
			t.Fatal(err)
		}
		got[p.Format] = p.ArgSizes
		ids[p.ID] = true
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("formats (-want +got):\n%s", diff)
	}
	if len(ids) != len(want) {
		t.Errorf("IDs %v, want %d different ones", ids, len(want))
	}
}

func TestParsePrintfErrors(t *testing.T) {
	for s, part := range map[string]string{
		"":                     `ID is ""`,
		"x:0:f":                `ID is "x"`,
		"1":                    `ID is "1"`,
		"1:-1:f":               "number of arguments",
		"1:2:4:format":         `size of argument 1 of 2 is "format"`,
		"1:4294967295:4:4":     `size of argument 1 of 4294967295`,
		"1:99999999999:4:4:ab": "number of arguments",
	} {
		if p, err := ParsePrintf(s); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("ParsePrintf(%q) = %+v, error %v, want %q", s, p, err, part)
		}
	}
	if p, err := ParsePrintf(`7:0:back\slash\72:x`); err != nil || p.Format != `back\slash::x` || p.ID != 7 {
		t.Errorf("%+v, error %v", p, err)
	}
}
