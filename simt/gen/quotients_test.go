package gen

import (
	"debug/elf"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/simt"
)

// hiddenDivisions are the instructions in kernels of an object for Xe-HPG by which IGC divides, by kernel:
// their names and what they do where the divisor is 0.
func hiddenDivisions(t *testing.T, path string) map[string][]string {
	t.Helper()
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all := map[string][]string{}
	for _, s := range f.Sections {
		kernel, is := strings.CutPrefix(s.Name, ".text.")
		if !is {
			continue
		}
		code, err := s.Data()
		if err != nil {
			t.Fatal(err)
		}
		mem := simt.NewMemory()
		if _, err := mem.Map("code", codeBase, code, simt.PermRead|simt.PermExec); err != nil {
			t.Fatal(err)
		}
		isa, err := New(mem, Kernel{SIMD: 16, Threads: 1, Generation: XeHPG})
		if err != nil {
			t.Fatal(err)
		}
		m, err := simt.New(mem, isa, simt.Dispatch{Grid: [3]uint32{16, 1, 1},
			Block: [3]uint32{16, 1, 1}, Entry: codeBase})
		if err != nil {
			t.Fatal(err)
		}
		c, before := isa.NewCore(m).(*Core), []Inst(nil)
		for pc, end := uint64(codeBase), codeBase+uint64(len(code)); pc < end; {
			in, err := c.decodeAt(pc)
			if err != nil {
				break
			}
			pc += uint64(in.Size)
			if zero, what := c.hiddenDivision(in, before); zero != nil {
				all[kernel] = append(all[kernel], in.Op.Name+": "+what)
			}
			before = append(before, *in)
		}
	}
	return all
}

// TestHiddenDivisions: in compiled kernels divisions are found where their sources divide, of 32 bits by a
// branch, of 64 by the comparisons of a loop and a branch to it, and nowhere else (testdata/check/src). Where
// the source tests the divisor, or makes it odd, IGC has left the branch out with -O2.
func TestHiddenDivisions(t *testing.T) {
	const short = "goto: an integer is divided by zero"
	const long = "cmp: an integer of 64 bits is divided by zero"
	for object, want := range map[string]map[string][]string{
		"defects.O0": {"divide_undefined": {short}, "divide_ok": {short}},
		"defects.O2": {"divide_undefined": {short}},
		"more.O0": {"byte_undefined": {short}, "byte_ok": {short}, "long_undefined": {long, short},
			"long_ok": {long, short}},
		"more.O2": {"byte_undefined": {short}, "long_undefined": {long, long, short},
			"long_ok": {long, long}},
	} {
		got := hiddenDivisions(t, "../../testdata/check/"+object+".xe-hpg.zebin")
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s:\n%s", object, d)
		}
	}
}
