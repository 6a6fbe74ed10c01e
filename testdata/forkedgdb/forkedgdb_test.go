package forkedgdb

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// gdb is a command that starts gdb.
func gdb(args ...string) *exec.Cmd {
	c := exec.Command("gdb", append([]string{"-nx", "-batch"}, args...)...)
	c.Env = append(os.Environ(), "LC_ALL=C", "DEBUGINFOD_URLS=", "TERM=dumb", "HOME=/nonexistent")
	c.Dir = os.TempDir()
	return c
}

// file makes a file of a text.
func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// process is what says the number of an inferior's process.
var process = regexp.MustCompile(`process \d+`)

// TestLikePlain: a forked session prints what a gdb that was started for it prints, and ends so.
func TestLikePlain(t *testing.T) {
	script := file(t, "script.gdb", `echo here\n
print 1
python print(gdb.parameter("width"), gdb.parameter("confirm"), gdb.parameter("pagination"))
python print(sorted(n for n in globals() if n not in ("gdb", "__builtins__")))
shell echo of a shell; echo and its errors >&2; ls /proc/$PPID/fd | wc -l; cat
define twice
  print $arg0 * 2
end
twice $
print 'bad"
`)
	program := file(t, "program.c", "int main(void) { return 0; }\n")
	for _, args := range [][]string{
		{},
		{"-x", script},
		{"-x", filepath.Join(t.TempDir(), "none.gdb")},
		{"-ex", "print $nothing", "-ex", "print 6 * 7", "-ex", "info line main"},
		{"-ex", "error", "-ex", "print $_exitcode"},
		{"-ex", "print 1", "-ex", "nonsense"},
		{"-iex", "set width 20", "-ex", "show width", "-x", script},
		{"/bin/sh", "-ex", "info inferiors"},
		{"-ex", "info inferiors", "/nonexistent", "-x", script},
		{"-ex", "pwd", "-ex", "show environment HOME", "-ex", "show args", "-ex", "info inferiors"},
		{"-ex", "quit 3"},
		{"-ex", "python raise SystemExit(4)", "-ex", "python raise KeyError(1)"},
		{"-ex", "python import sys; sys.stdout.write('no line'); sys.stderr.write('nor here')"},
		{"-ex", "shell kill -KILL $PPID"},
		{"-ex", "shell kill -INT $PPID", "-ex", "print 1"},
		{"-ex", `python exec("import os\nos.kill(os.getpid(), 2)\nwhile True: pass")`, "-ex", "print 1"},
		{"-ex", "list " + program + ":1", "-ex", "complete print $_as"},
		{"-ex", "file /bin/sh", "-ex", "run -c 'echo inside; exit 9'",
			"-ex", "print $_exitcode"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			plain, err := gdb(args...).CombinedOutput()
			c := gdb(args...)
			a, ok := parse(c.Args)
			if !ok || motherOf(c, a) == nil {
				t.Fatal("the session cannot be forked")
			}
			forked, forkedErr := CombinedOutput(t.Context(), c)
			if process.ReplaceAllString(string(forked), "") != process.ReplaceAllString(string(plain), "") {
				t.Errorf("a forked gdb prints\n%sinstead of\n%s", forked, plain)
			}
			var exit *exec.ExitError
			if (err == nil) != (forkedErr == nil) || err != nil && (!errors.As(err, &exit) ||
				forkedErr.Error() != err.Error() || Exited(forkedErr) != exit.Exited()) {
				t.Errorf("a forked gdb ends with %v instead of %v", forkedErr, err)
			}
		})
	}
}

// TestOwnPipes: by pipes of which it has both ends gdb tells itself of a signal, which is for one session.
func TestOwnPipes(t *testing.T) {
	var pipes [2]string
	for i := range pipes {
		out, err := CombinedOutput(t.Context(), gdb("-ex",
			"shell for f in /proc/$PPID/fd/*; do test ${f##*/} -gt 2 && readlink $f; done | sort | uniq -d"))
		if err != nil || !strings.Contains(string(out), "pipe:") {
			t.Fatalf("a session has the pipes %q, %v", out, err)
		}
		pipes[i] = string(out)
	}
	for line := range strings.Lines(pipes[0]) {
		if strings.Contains(pipes[1], line) {
			t.Errorf("two sessions have %s", line)
		}
	}
}

// TestGivenUp: a session ends with its context, and so does the wait for what it leaves behind.
func TestGivenUp(t *testing.T) {
	begun := filepath.Join(t.TempDir(), "begun")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for range 6000 {
			if _, err := os.Stat(begun); err == nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
	}()
	out, err := CombinedOutput(ctx, gdb("-ex", "echo begun\\n", "-ex", "shell touch "+begun, "-ex",
		"python while True: pass"))
	if string(out) != "begun\n" || err == nil || Exited(err) {
		t.Errorf("a session that was given up: %q, %v", out, err)
	}
	c := gdb("-ex", "shell sleep 60 & echo $!")
	c.WaitDelay = 10 * time.Millisecond
	out, err = CombinedOutput(t.Context(), c)
	if !errors.Is(err, exec.ErrWaitDelay) {
		t.Errorf("a session that left a process: %q, %v", out, err)
	}
	exec.Command("kill", strings.TrimSpace(string(out))).Run()
}

// TestNoMother: what no mother can do has a gdb of its own, or whatever the command is.
func TestNoMother(t *testing.T) {
	for _, args := range [][]string{{"--version"}, {"-nx", "a", "b"}, {"-nx", "-x", "a", "-ex", "b"},
		{"-nx", "-ex"}, {"-nx", "--args", "a"}, {"-ex", "print 1"}, {"-nx", "-i=mi"}} {
		if a, ok := parse(append([]string{"gdb"}, args...)); ok {
			t.Errorf("%v can be forked: %v", args, a)
		}
	}
	long := gdb("-ex", "echo "+strings.Repeat("x", slotSize))
	out, err := CombinedOutput(t.Context(), long)
	if err != nil || len(out) != slotSize {
		t.Errorf("a long command prints %d bytes, %v", len(out), err)
	}
	other := exec.Command("echo", "-nx", "-batch")
	if out, err := CombinedOutput(t.Context(), other); err != nil || string(out) != "-nx -batch\n" {
		t.Errorf("another program prints %q, %v", out, err)
	}
	if _, err := CombinedOutput(t.Context(), exec.Command("/nonexistent/gdb", "-nx")); err == nil {
		t.Error("a gdb that is not there ran")
	}
}
