//go:build linux

package main

import (
	"strings"
	"testing"
)

// TestDistance: how much one name is like another.
func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"scale", "scale", 0}, {"scal", "scale", 1}, {"kitten", "sitting", 3}, {"", "abc", 3}, {"abc", "", 3}} {
		if n := distance(c.a, c.b); n != c.want {
			t.Errorf("%q and %q: %d, not %d", c.a, c.b, n, c.want)
		}
	}
}

// TestExecBreakNames stops launches by all the names that a kernel has.
func TestExecBreakNames(t *testing.T) {
	needGDB(t)
	program := compileProgram(t, "-O0", "names.hip")
	for name, want := range map[string]string{
		"scale#2":                        "linear::dense::scale<float, 3> (",
		"scale<int,16>":                  "linear::dense::scale<int, 16> (",
		"dense::scale<int, 16>":          "linear::dense::scale<int, 16> (",
		"linear::dense::scale":           "linear::dense::scale<float, 3> (",
		"_ZN6linear5dense5scaleIiLi16E*": "linear::dense::scale<int, 16> (",
		"fill<*":                         "fill<linear::Pair<int> > (",
	} {
		r := execute(t, []string{"--gdb", "--gdb-ex", "set width 0", "--gdb-ex", "backtrace 1", "--gdb-ex", "kill",
			"--break", name}, program)
		if !strings.Contains(r.out, "#0  "+want) && !strings.Contains(r.out, "::"+want) || r.status != 128+9 ||
			!strings.Contains(r.out, "[Inferior 1 (Remote target) killed]") {
			t.Errorf("%s: status %d, no %q in\n%s%s", name, r.status, want, r.out, r.err)
		}
	}
	r := execute(t, []string{"--break", "scael", "--break", "fill#2", "--listen", "127.0.0.1:0"}, program)
	want := "simtgdb exec: --break scael stopped no launch: launched were linear::dense::scale<float, 3> (3), " +
		"linear::dense::scale<int, 16> (3), (anonymous namespace)::fill<linear::Pair<int> > (1)\n" +
		"simtgdb exec: --break fill#2 stopped no launch: launched were " +
		"(anonymous namespace)::fill<linear::Pair<int> > (1), linear::dense::scale<float, 3> (3), " +
		"linear::dense::scale<int, 16> (3)\n"
	if r.status != 0 || r.err != want {
		t.Errorf("status %d:\n%swant\n%s", r.status, r.err, want)
	}
}
