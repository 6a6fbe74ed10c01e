package libdevice_test

import (
	"bufio"
	"os"
	"sort"
	"strings"
	"testing"
)

// A realCase is a call of a device function with its result rounded to nearest.
type realCase struct {
	in   [3]uint64
	four uint64 // the fourth argument, if there is one
	n    int
	want uint64
}

// reals reads ../../libm/testdata/reals.txt, which mpmath has written: cases by function.
func reals(t *testing.T) (names []string, cases map[string][]realCase) {
	t.Helper()
	f, err := os.Open("../../libm/testdata/reals.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cases = map[string][]realCase{}
	s := bufio.NewScanner(f)
	for s.Scan() {
		word := strings.Fields(s.Text())
		var c realCase
		for i, a := range strings.Split(word[1], ",") {
			if i == 3 {
				c.four = parseHex(t, a)
			} else {
				c.in[i] = parseHex(t, a)
			}
			c.n++
		}
		c.want = parseHex(t, word[2])
		cases[word[0]] = append(cases[word[0]], c)
	}
	for name := range cases {
		names = append(names, name)
	}
	sort.Strings(names)
	return names, cases
}

// The functions of real numbers give the nearest number of their format, all of the cases of testdata.
func testDeviceReals(t *testing.T) {
	names, cases := reals(t)
	for _, name := range names {
		args, result := signature(name)
		list := cases[name]
		if n := list[0].n; n > 2 { // norm3d and its relatives
			args = []int{result, result, result, result}[:n]
		} else {
			args = args[:n]
		}
		if len(args) == 4 {
			continue // of the vectors
		}
		var in [][3]uint64
		for _, c := range list {
			in = append(in, c.in)
		}
		got := call(t, name, args, result, in)
		for i, c := range list {
			if got[i] != c.want {
				t.Errorf("%s of %#x gives %#x, want %#x", name, c.in, got[i], c.want)
			}
		}
	}
}
