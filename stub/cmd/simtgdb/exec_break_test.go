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
	}{{"", "", 0}, {"scale", "scale", 0}, {"scal", "scale", 1}, {"kitten", "sitting", 3}, {"", "abc", 3},
		{"abc", "", 3}} {
		if n := distance(c.a, c.b); n != c.want {
			t.Errorf("%q and %q: %d, not %d", c.a, c.b, n, c.want)
		}
	}
}

// TestExecBreakNames stops launches by all the names that a kernel has.
func TestExecBreakNames(t *testing.T) {
	t.Parallel()
	needGDB(t)
	program := compileProgram(t, "-O0", "names.hip")
	for name, want := range map[string]string{
		"scale#2":                        "linear::dense::scale<float, 3> (",
		"scale<int,16>":                  "linear::dense::scale<int, 16> (",
		"dense::scale<int, 16>":          "linear::dense::scale<int, 16> (",
		"linear::dense::scale":           "linear::dense::scale<float, 3> (",
		"_ZN6linear5dense5scaleIiLi16E*": "linear::dense::scale<int, 16> (",
		"fill<*":                         "fill<linear::Pair<int> > (",
		"shift(*":                        "shift (p=",
		"shift(float*, int)":             "shift (p=",
		"shift(const float *, int *)":    "shift (from=",
		"dense::scale(int*)#2":           "linear::dense::scale<int, 16> (",
		"apply<main::{lambda(int)#1}>":   "apply<main::{lambda(int)#1}>(",
	} {
		r := execute(t, []string{"--gdb", "--gdb-ex", "set width 0", "--gdb-ex", "backtrace 1", "--gdb-ex",
			"kill", "--break", name}, program)
		if !strings.Contains(r.out, "#0  "+want) && !strings.Contains(r.out, "::"+want) ||
			r.status != 128+9 || !strings.Contains(r.out, "[Inferior 1 (Remote target) killed]") {
			t.Errorf("%s: status %d, no %q in\n%s%s", name, r.status, want, r.out, r.err)
		}
	}
	r := execute(t, []string{"--break", "scael", "--break", "fill#2", "--break", "shift(float, int)",
		"--listen", "127.0.0.1:0"}, program)
	missing := inOrder(r.err, []string{
		"simtgdb exec: --break scael stopped no launch: launched were linear::dense::scale<float, 3> (3), " +
			"linear::dense::scale<int, 16> (3), ",
		"simtgdb exec: --break fill#2 stopped no launch: launched were " +
			"(anonymous namespace)::fill<linear::Pair<int> > (1), ",
		"simtgdb exec: --break shift(float, int) stopped no launch: launched were shift(float*, int) (1), " +
			"shift(float const*, int*) (1), "})
	if r.status != 0 || missing != "" || strings.Count(r.err, "\n") != 3 {
		t.Errorf("status %d; no %q in\n%s", r.status, missing, r.err)
	}
}

// TestExecNamesOfSymbols: kernels of a program without debugging information have the names that their
// symbols mean.
func TestExecNamesOfSymbols(t *testing.T) {
	t.Parallel()
	r := execute(t, []string{"--stats"}, compileProgram(t, "-O3", "names.hip", "-g0"))
	for _, want := range []string{"linear::dense::scale<float, 3>", "linear::dense::scale<int, 16>",
		"(anonymous namespace)::fill<linear::Pair<int> >", "shift(float*, int)", "shift(float const*, int*)",
		"apply<main::{lambda(int)#1}>"} {
		if !strings.Contains(r.err, "  "+want+"\n") {
			t.Errorf("no %q in\n%s", want, r.err)
		}
	}
}

// TestBreakFlag: what names and numbers mean.
func TestBreakFlag(t *testing.T) {
	for text, want := range map[string]*breakFlag{
		"k":                      {kernel: "k", pattern: "k"},
		"k#12":                   {kernel: "k", pattern: "k", nth: 12},
		"k<{lambda()#1}>":        {kernel: "k<{lambda()#1}>", pattern: "k<{lambda()#1}>"},
		"k<{lambda()#1}>#2":      {kernel: "k<{lambda()#1}>", pattern: "k<{lambda()#1}>", nth: 2},
		"k*(int *, *, const T&)": {kernel: "k*(int*,*,Tconst&)", pattern: `k*(int\*,*,Tconst&)`},
		"k(float (&) [4])":       {kernel: "k(float(&)[4])", pattern: `k(float(&)\[4])`},
		"k<(lambda at a/b.h:1)>": {kernel: "k<(lambdaata/b.h:1)>", pattern: "k<(lambdaata|b.h:1)>"},
	} {
		var all breakFlags
		if err := all.Set(text); err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := all[0]; got.kernel != want.kernel || got.pattern != want.pattern || got.nth !=
			want.nth {
			t.Errorf("%s: kernel %s, pattern %s, number %d; want %s, %s, %d", text, got.kernel, got.pattern,
				got.nth, want.kernel, want.pattern, want.nth)
		}
	}
}
