//go:build linux

package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// lines starts a command and gives what it prints, and the pipe that it reads.
func lines(t *testing.T, c *exec.Cmd) (*bufio.Scanner, io.Closer) {
	t.Helper()
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return bufio.NewScanner(out), in
}

// TestExecSignals: each signal that ends programs reaches the program once, whether it is sent to exec alone
// or to its whole process group, as a terminal does, one by one or all at once; with --gdb the program is in
// a group of its own.
func TestExecSignals(t *testing.T) {
	t.Parallel()
	const script = `for s in INT TERM HUP QUIT; do trap "echo $s" $s; done
		trap "echo over; exit 7" USR1; echo $$; while :; do read line; done`
	ways := map[string][]string{"plain": nil}
	if _, err := exec.LookPath("gdb"); err == nil {
		ways["gdb"] = []string{"--gdb"}
	}
	for way, flags := range ways {
		for _, group := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s group=%v", way, group), func(t *testing.T) {
				t.Parallel()
				c := execOn(t, flags, "sh", "-c", script)
				c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
				printed, _ := lines(t, c)
				program := 0
				if printed.Scan(); program == 0 {
					if _, err := fmt.Sscan(printed.Text(), &program); err != nil {
						t.Fatal(err)
					}
				}
				whom := c.Process.Pid
				if group {
					whom = -whom
				}
				all := map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM,
					"HUP": syscall.SIGHUP, "QUIT": syscall.SIGQUIT}
				const tooMany = 100 * time.Millisecond // one too many comes after 50
				for name, s := range all {
					if err := syscall.Kill(whom, s); err != nil {
						t.Fatal(err)
					}
					if printed.Scan(); printed.Text() != name {
						t.Errorf("%q, not %s", printed.Text(), name)
					}
					time.Sleep(tooMany)
				}
				for _, s := range all {
					if err := syscall.Kill(whom, s); err != nil {
						t.Fatal(err)
					}
				}
				left := maps.Clone(all)
				for range all {
					if printed.Scan(); left[printed.Text()] == 0 {
						t.Errorf("%q once more, of all at once", printed.Text())
					}
					delete(left, printed.Text())
				}
				time.Sleep(tooMany)
				if err := syscall.Kill(program, syscall.SIGUSR1); err != nil {
					t.Fatal(err)
				}
				if printed.Scan(); printed.Text() != "over" {
					t.Errorf("%q at the end", printed.Text())
				}
				if _ = c.Wait(); c.ProcessState.ExitCode() != 7 {
					t.Errorf("status %v", c.ProcessState)
				}
			})
		}
	}
}

// TestExecEndedBySignals: an interrupt for exec alone ends a program as Ctrl-C does, and others end it
// likewise; one that was ignored when exec began, as nohup has it, ends nothing.
func TestExecEndedBySignals(t *testing.T) {
	t.Parallel()
	for _, s := range passed {
		c := execOn(t, nil, "sh", "-c", "echo on; exec sleep 600")
		printed, _ := lines(t, c)
		printed.Scan()
		if err := c.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		if printed.Scan() {
			t.Errorf("%v: the program went on: %q", s, printed.Text())
		}
		if _ = c.Wait(); c.ProcessState.ExitCode() != 128+int(s) {
			t.Errorf("%v: status %v", s, c.ProcessState)
		}
	}
	c := execOn(t, nil, "sh", "-c", "echo on; read line; echo off")
	ignoring := exec.Command("sh", append([]string{"-c", `trap "" HUP INT; exec "$@"`, "sh"}, c.Args...)...)
	ignoring.Env = c.Env
	printed, in := lines(t, ignoring)
	printed.Scan()
	for _, s := range []syscall.Signal{syscall.SIGHUP, syscall.SIGINT} {
		if err := syscall.Kill(ignoring.Process.Pid, s); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(100 * time.Millisecond) // exec passes signals on after 50
	in.Close()
	if printed.Scan(); printed.Text() != "off" {
		t.Errorf("the program has ended: %q", printed.Text())
	}
	if err := ignoring.Wait(); err != nil {
		t.Error(err)
	}
}

// TestExecInterruptsGDB: an interrupt for exec alone is gdb's when gdb is there, as Ctrl-C is.
func TestExecInterruptsGDB(t *testing.T) {
	needGDB(t)
	program := buildProgram(t, "kernels.O3.hipfb")
	c := execOn(t, []string{"--gdb", "--gdb-ex", "set confirm off", "--gdb-ex", "echo here\\n", "--gdb-ex",
		"continue", "--gdb-ex", "echo stopped\\n", "--gdb-ex", "quit"}, program, "forever")
	printed, _ := lines(t, c)
	for printed.Scan() && printed.Text() != "here" {
	}
	for printed.Scan() && !strings.Contains(printed.Text(), "Continuing") {
	}
	if err := c.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	text := ""
	for printed.Scan() {
		text += printed.Text() + "\n"
	}
	if !strings.Contains(text, "stopped\n") {
		t.Errorf("gdb was not interrupted:\n%s", text)
	}
	if _ = c.Wait(); c.ProcessState.ExitCode() != 128+9 {
		t.Errorf("status %v", c.ProcessState)
	}
}

// TestExecCrashAtPrompt: a program that ends while gdb stands at its prompt takes gdb along, and whatever is
// left; a gdb that is about to resume hears of it.
func TestExecCrashAtPrompt(t *testing.T) {
	needGDB(t)
	program := buildProgram(t, "kernels.O3.hipfb")
	for _, busy := range []bool{false, true} {
		mark, temporary := fmt.Sprintf("SIMTGDB_TEST_MARK=%s-%v", t.Name(), busy), t.TempDir()
		about := filepath.Join(temporary, "about")
		flags := []string{"--gdb", "--gdb-ex", "shell kill -SEGV $(cat " + about + ")"}
		if busy {
			flags = append(flags, "--gdb-ex", "continue", "--gdb-ex", "quit")
		}
		c := execOn(t, flags, "sh", "-c", `echo $$ >"$0"; exec "$1" twenty`, about, program)
		c.Env = append(c.Env, mark)
		var errs strings.Builder
		c.Stderr = &errs
		printed, _ := lines(t, c)
		text := ""
		for printed.Scan() {
			text += printed.Text() + "\n"
		}
		_ = c.Wait()
		if got := c.ProcessState.ExitCode(); got != 128+int(syscall.SIGSEGV) {
			t.Errorf("status %d\n%s", got, errs.String())
		}
		with := strings.Contains(errs.String(), "the program has gone, and gdb ends with it")
		told := strings.Contains(text, "exited with code 0213")
		if with == busy || told != busy {
			t.Errorf("gdb that resumes: %v, was told: %v, ended: %v\n%s%s", busy, told, with, text,
				errs.String())
		}
		eventually(t, "all processes are gone", func() bool { return processOf(t, mark, "") == 0 })
	}
}
