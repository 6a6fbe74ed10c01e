package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	gc "runtime/debug"
	"strings"
	"testing"
)

// asProgram in the environment makes the test binary be the program.
const asProgram = "SIMTGDB_TEST_AS_PROGRAM"

// programFile is the file that tests start as the program: the test binary, or what `make test` has built, whose
// start takes a sixth less without what tests alone need.
func programFile(t testing.TB) string {
	t.Helper()
	file, err := os.Executable()
	if wasBuilt() {
		file, err = filepath.Abs(filepath.Join(root, "bin", "simtgdb"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// wasBuilt reports whether who runs the tests has built the program under test in bin.
func wasBuilt() bool { return os.Getenv("SIMTGDB_BUILT") != "" }

// atEnd is done when all tests have run.
var atEnd []func()

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	// The program says itself how often it collects garbage. Here it runs a thousand times in one process,
	// where memory that is used again costs half of what memory fresh from the system does.
	os.Unsetenv("GOGC")
	// gdb starts by it what `target remote |` names, and others start later.
	os.Setenv("SHELL", "/bin/sh")
	gc.SetGCPercent(100)
	// What nohup has ignored ends nothing, and would end no program of a test either.
	for _, s := range passed {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
	status := m.Run()
	for _, do := range atEnd {
		do()
	}
	os.Exit(status)
}

// kernels is the folder of the test kernels.
const kernels = "../../../testdata"

// A result is what a run of the program did.
type result struct {
	status   int
	out, err string
}

// simtgdbCommand is the command that runs the program.
func simtgdbCommand(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(programFile(t), args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	return cmd
}

// simtgdb runs the program, and gives what it says but for the summary of a run, which TestSummary looks at.
func simtgdb(t testing.TB, args ...string) result {
	t.Helper()
	r := simtgdbWhole(t, args...)
	r.err = summary.ReplaceAllString(r.err, "")
	return r
}

// alone are the commands that need a process of their own, unless they refuse what they are given: they start
// others, or wait for somebody.
var alone = map[string]bool{"serve": true, "replay": true, "gdb": true, "exec": true, "test": true}

// simtgdbWhole does what the program does, in this process where that is possible: to start another one takes
// longer than most runs.
func simtgdbWhole(t testing.TB, args ...string) result {
	t.Helper()
	if len(args) > 0 && alone[args[0]] {
		return simtgdbAlone(t, args...)
	}
	return simtgdbHere(args...)
}

// simtgdbHere does what the program does, in this process.
func simtgdbHere(args ...string) result {
	var out, errs bytes.Buffer
	status := perform(args, stdio{strings.NewReader(""), &out, &errs})
	return result{status, out.String(), errs.String()}
}

// simtgdbAlone runs the program as a process of its own.
func simtgdbAlone(t testing.TB, args ...string) result {
	t.Helper()
	cmd := simtgdbCommand(t, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// TestOutputFails has the program print to a full disk, and to a pipe that nobody
// reads: it does not end as if all were well.
func TestOutputFails(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	defer full.Close()
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	in.Close()
	vecadd := object("vecadd", "gfx90a", "O0")
	for i, args := range [][]string{
		{"--help"},
		{"gdbscript"},
		{"info", vecadd},
		{"info", "--help"},
		{"disasm", vecadd},
		{"dwarf", "dump", vecadd},
		{"run", "--demo", "--stats"},
		{"run", "--launch", launchFile("vecadd")},
	} {
		var errs bytes.Buffer
		status := perform(args, stdio{strings.NewReader(""), full, &errs})
		said := errs.String()
		if status != statusInput || !strings.HasPrefix(said, "simtgdb "+args[0]) ||
			!strings.HasSuffix(said, "no space left on device\n") || strings.Count(said, "\n") != 1 {
			t.Errorf("%v to a full disk: status %d, %q", args, status, said)
		}
		if errs.Reset(); perform(args, stdio{strings.NewReader(""), out, &errs}) != statusInput {
			t.Errorf("%v to a closed pipe: %q", args, errs.String())
		}
		if i > 0 {
			continue
		}
		for name, to := range map[string]*os.File{"a full disk": full, "a closed pipe": out} {
			cmd := simtgdbCommand(t, args...)
			cmd.Stdout = to
			if cmd.Run() == nil {
				t.Errorf("%v to %s, as a process: status 0", args, name)
			}
		}
	}
}

func object(name, target, opt string) string {
	return filepath.Join(kernels, "co", name+"."+target+"."+opt+".co")
}

func launchFile(name string) string { return filepath.Join(kernels, "launch", name+".json") }

func TestUsage(t *testing.T) {
	for _, test := range []struct {
		args   []string
		status int
		out    string
		err    string
	}{
		{nil, statusInput, "", "usage: simtgdb COMMAND [flags] [FILE]"},
		{[]string{"fly"}, statusInput, "", `simtgdb: unknown command "fly"`},
		{[]string{"--help"}, statusDone, "usage: simtgdb COMMAND [flags] [FILE]", ""},
		{[]string{"run", "--help"}, statusDone, "usage: simtgdb run [flags] [FILE]", ""},
		{[]string{"info", "-h"}, statusDone, "usage: simtgdb info [flags] FILE", ""},
	} {
		r := simtgdb(t, test.args...)
		first := func(s string) string { line, _, _ := strings.Cut(s, "\n"); return line }
		if r.status != test.status || first(r.out) != test.out || first(r.err) != test.err {
			t.Errorf("%v: status %d\nstdout %s\nstderr %s", test.args, r.status, r.out, r.err)
		}
	}
}
