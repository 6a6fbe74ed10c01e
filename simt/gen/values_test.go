package gen

import (
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/testdata/sweep"
)

// TestAbsent: where a value is not in its registers, by the control flow of a lane.
func TestAbsent(t *testing.T) {
	const whole = "count copy next keep reuse square if then else other endif some part more while half end"
	row := func(reg int) (places []Place) {
		for i := range 16 {
			places = append(places, Place{reg + i/8, 4 * (i % 8), 4})
		}
		return places
	}
	argument := []Place{{8, 8, 8}}
	lineOf := func(pc uint64) uint64 { return pc/16 + 1 }
	for _, tt := range []struct {
		name, program string
		value         Value
		from, to      string // the code that is said to have it, up to an instruction or the end
		want          string // the instructions before which it is not there
	}{
		{"before it is computed", whole, Value{Places: row(12)}, "count", "square", "count copy next"},
		{"behind its last use, and where another is in its place", whole, Value{Places: row(10)}, "copy",
			"if", "copy"},
		{"of which there is one", whole, Value{Places: row(10), One: true, Line: 2, LineOf: lineOf}, "copy",
			"if", "copy square"},
		{"of which there is one, computed nobody knows where", whole,
			Value{Places: row(10), One: true, Line: 99, LineOf: lineOf}, "copy", "if", "copy"},
		{"a number that is added to", "part count more more named end",
			Value{Places: []Place{{5, 0, 4}}, One: true, Line: 99, LineOf: lineOf}, "part", "", "part count"},
		{"an address, of which a constant and a sum are not yet one", "part count more more named end",
			Value{Places: []Place{{5, 0, 4}}, One: true, Address: true, Line: 99, LineOf: lineOf}, "part", "",
			"part count more more"},
		{"in both ways of an if, in a loop", whole, Value{Places: row(16)}, "if", "part", ""},
		{"in both ways of an if", "copy if then else other endif some end", Value{Places: row(16)}, "if",
			"end", "if then other"},
		{"written in some lanes", "copy some after end", Value{Places: row(18)}, "copy", "end", ""},
		{"read by nobody", "copy some end", Value{Places: row(18)}, "copy", "", "copy some end"},
		{"an argument, of which a part is written", whole, Value{Places: argument, Given: true}, "count", "",
			"more while half end"},
		{"an argument that nobody reads", "copy next end", Value{Places: argument, Given: true}, "copy", "", ""},
		{"over a call", "copy call half end", Value{Places: row(4), Given: true, Preserved: 60}, "copy", "",
			"call half end"},
		{"over a call, preserved", "copy call half end", Value{Places: row(62), Given: true, Preserved: 60},
			"copy", "", ""},
		{"where a0 may name it", "copy named end", Value{Places: row(12)}, "copy", "", ""},
		{"where nothing may", "copy end", Value{Places: row(12)}, "copy", "", "copy end"},
		{"in no register", "copy end", Value{Places: []Place{{128, 0, 4}}}, "copy", "", ""},
		{"across registers", "copy end", Value{Places: []Place{{0, 30, 4}}}, "copy", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			names := strings.Fields(tt.program)
			at := func(name string) uint64 {
				if i := slices.Index(names, name); i >= 0 {
					return uint64(16 * i)
				}
				return uint64(16 * len(names))
			}
			v := tt.value
			v.Code = []Span{{at(tt.from), at(tt.to)}}
			var got []string
			for _, s := range Gen9.Accesses(program(t, names), 0).Absent(&v) {
				got = append(got, names[s.Low/16:s.High/16]...) // a call's last byte is where it returns to
			}
			if diff := cmp.Diff(strings.Fields(tt.want), got); diff != "" && len(tt.want)+len(got) > 0 {
				t.Errorf("it is absent (-want +got):\n%s", diff)
			}
		})
	}
}

// program is code made of instructions of values.asm.
func program(t *testing.T, names []string) (code []byte) {
	t.Helper()
	all := assembledFrom(t, "testdata/values.txt")
	for i, name := range names {
		b, err := hex.DecodeString(all[name])
		if err != nil || len(b) != 16 {
			t.Fatalf("%s: %v", name, err)
		}
		if name == "while" { // which iga64 takes to no address before the code
			back := int32(16 * (slices.Index(names, "if") - i))
			binary.LittleEndian.PutUint32(b[12:], uint32(back))
		}
		code = append(code, b...)
	}
	return code
}

// TestAbsentAnywhere: whatever code there is, something is said.
func TestAbsentAnywhere(t *testing.T) {
	r := rand.New(sweep.PCG(1, 2))
	instructions := forms(t, Gen9)
	for range 300 {
		var code []byte
		for range r.IntN(60) {
			in := append([]byte(nil), instructions[r.IntN(len(instructions))]...)
			if r.IntN(4) == 0 {
				in[r.IntN(len(in))] ^= 1 << r.IntN(8)
			}
			code = append(code, in...)
		}
		for _, g := range []*Generation{Gen9, Gen11, Gen12LP, XeHPG, XeHPC} {
			v := Value{Code: []Span{{0, uint64(len(code))}}, One: r.IntN(2) == 0, Given: r.IntN(2) == 0,
				LineOf: func(pc uint64) uint64 { return pc / 64 }, Line: 1}
			for range 1 + r.IntN(40) {
				v.Places = append(v.Places, Place{r.IntN(140), 4 * r.IntN(17), 1 << r.IntN(4)})
			}
			a := g.Accesses(code, 0)
			for _, s := range a.Absent(&v) {
				if s.Low >= s.High || s.High > uint64(len(code)) {
					t.Fatalf("%s: a span of %#x to %#x in %d bytes of code", g.Name, s.Low, s.High, len(code))
				}
			}
		}
	}
}
