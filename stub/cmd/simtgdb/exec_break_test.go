//go:build linux

package main

import (
	"bufio"
	"strings"
	"testing"
	"time"
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

// TestExecBreakNames stops launches by all the names that a kernel has: one by each, and in one session with
// gdb, which shows their names, those of every kernel.
func TestExecBreakNames(t *testing.T) {
	t.Parallel()
	needGDB(t)
	program := compileProgram(t, "-O0", "names.hip")
	const int16 = "number 1 of kernel linear::dense::scale<int, 16>: "
	const fill = "launch 1, number 1 of kernel (anonymous namespace)::fill<linear::Pair<int> >: "
	for name, want := range map[string]string{
		"scale#2":                        "launch 4, number 2 of kernel linear::dense::scale<float, 3>: ",
		"scale<int,16>":                  "launch 3, " + int16,
		"dense::scale<int, 16>":          "launch 3, " + int16,
		"linear::dense::scale":           "launch 2, number 1 of kernel linear::dense::scale<float, 3>: ",
		"_ZN6linear5dense5scaleIiLi16E*": "launch 3, " + int16,
		"fill<*":                         fill,
		"shift(*":                        "launch 8, number 1 of kernel shift(float*, int): ",
		"shift(float*, int)":             "launch 8, number 1 of kernel shift(float*, int): ",
		"shift(const float *, int *)":    "launch 9, number 1 of kernel shift(float const*, int*): ",
		"dense::scale(int*)#2":           "launch 5, number 2 of kernel linear::dense::scale<int, 16>: ",
		"apply<main::{lambda(int)#1}>":   "launch 10, number 1 of kernel apply<(lambda at names.hip:",
	} {
		if said := firstStop(t, name, program); !strings.HasPrefix(said, "Waiting for gdb in "+want) {
			t.Errorf("%s: %q, want %q", name, said, want)
		}
	}
	flags := gdbCommands("backtrace 1", "continue", "backtrace 1", "continue", "backtrace 1", "continue",
		"backtrace 1", "continue", "backtrace 1", "continue", "backtrace 1", "kill")
	for _, name := range []string{"fill<*", "scale#2", "shift(*", "apply<main::{lambda(int)#1}>"} {
		flags = append(flags, "--break", name)
	}
	r := execute(t, flags, program)
	missing := inOrder(r.out, []string{"::fill<linear::Pair<int> > (", "#0  linear::dense::scale<float, 3> (",
		"#0  linear::dense::scale<int, 16> (", "#0  shift (p=", "#0  shift (from=",
		"#0  apply<main::{lambda(int)#1}>(", "[Inferior 1 (Remote target) killed]"})
	if missing != "" || r.status != 128+9 {
		t.Errorf("status %d, no %q in\n%s%s", r.status, missing, r.out, r.err)
	}
	stopNowhere(t, program)
}

// firstStop is what exec says of the first launch that stops by a name. No gdb comes; the program ends there.
func firstStop(t *testing.T, name, program string) string {
	t.Helper()
	c := execOn(t, []string{"--break", name, "--listen", "127.0.0.1:0"}, program)
	errs, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	said, err := bufio.NewReader(errs).ReadString('\n')
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	return said
}

// stopNowhere: names that no launch has are told of, with those that there were.
func stopNowhere(t *testing.T, program string) {
	t.Helper()
	c := execOn(t, []string{"--break", "scael", "--break", "fill#2", "--break", "shift(float, int)",
		"--listen", "127.0.0.1:0"}, program)
	var errs strings.Builder
	c.Stderr = &errs
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(time.Minute, func() { c.Process.Kill() }) // it waits where it stops
	defer late.Stop()
	err := c.Wait()
	missing := inOrder(errs.String(), []string{
		"simtgdb exec: --break scael stopped no launch: launched were linear::dense::scale<float, 3> (3), " +
			"linear::dense::scale<int, 16> (3), ",
		"simtgdb exec: --break fill#2 stopped no launch: launched were " +
			"(anonymous namespace)::fill<linear::Pair<int> > (1), ",
		"simtgdb exec: --break shift(float, int) stopped no launch: launched were shift(float*, int) (1), " +
			"shift(float const*, int*) (1), "})
	if err != nil || missing != "" || strings.Count(errs.String(), "\n") != 3 {
		t.Errorf("%v; no %q in\n%s", err, missing, &errs)
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
