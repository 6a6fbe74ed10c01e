//go:build linux

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"simtgdb/testdata/sweep"
)

// processOf finds a process that has a mark in its environment, and whose command
// begins with some text; 0 if there is none.
func processOf(t *testing.T, mark, command string) int {
	t.Helper()
	environments, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range environments {
		env, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(env, []byte(mark+"\x00")) {
			continue
		}
		cmd, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "cmdline"))
		number := 0
		_, err = fmt.Sscanf(name, "/proc/%d/environ", &number)
		if err == nil && strings.HasPrefix(string(cmd), command) {
			return number
		}
	}
	return 0
}

// TestExecKill kills each of the processes in turn, at random moments, while a program launches
// kernels: none is left, and neither is the service's socket nor a temporary file.
func TestExecKill(t *testing.T) {
	program := buildProgram(t, "kernels.O3.hipfb")
	moments := rand.New(rand.NewSource(13))
	for _, c := range []struct {
		whom   string
		flags  []string
		status int
	}{{"service", nil, -1}, {"program", nil, 128 + 9}, {"gdb", []string{"--gdb"}, 128 + 9},
		{"program", []string{"--gdb"}, 128 + 9}, {"service", []string{"--gdb"}, -1},
		{"service", []string{"--capture", "DIR"}, -1}, {"program", []string{"--capture", "DIR"}, 128 + 9},
		{"service", []string{"--profile", "DIR"}, -1}, {"program", []string{"--profile", "DIR"}, 128 + 9}} {
		t.Run(c.whom+strings.Join(c.flags, ""), func(t *testing.T) {
			times := 6 / sweep.Step(6)
			if slices.Contains(c.flags, "--gdb") {
				needGDB(t)
			}
			if len(c.flags) > 0 {
				times = 2 / sweep.Step(2)
			}
			for range times {
				const script = `echo $$ $SIMTGDB_DEVICE >"$0.new"; mv "$0.new" "$0"; exec "$1" forever`
				about := filepath.Join(t.TempDir(), "about")
				flags := slices.Clone(c.flags)
				if i := slices.Index(flags, "DIR"); i >= 0 {
					flags[i] = filepath.Join(t.TempDir(), "made")
				}
				kill(t, c.whom, c.status, moments.Intn(100),
					execOn(t, flags, "sh", "-c", script, about, program))
			}
		})
	}
}

// kill kills one of the processes of a command, some milliseconds after its program has started.
func kill(t *testing.T, whom string, status, delay int, c *exec.Cmd) {
	t.Helper()
	mark := fmt.Sprintf("SIMTGDB_TEST_MARK=%s", t.Name())
	temporary := t.TempDir()
	c.Env = append(c.Env, mark, "TMPDIR="+temporary)
	if _, err := c.StdinPipe(); err != nil { // which gdb waits at
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	about, number, socket := c.Args[len(c.Args)-2], 0, ""
	eventually(t, "the program starts", func() bool {
		text, err := os.ReadFile(about)
		_, err2 := fmt.Sscan(string(text), &number, &socket)
		return err == nil && err2 == nil
	})
	if whom == "gdb" {
		eventually(t, "gdb starts", func() bool {
			number = processOf(t, mark, "gdb\x00")
			return number != 0
		})
	}
	time.Sleep(time.Duration(delay) * time.Millisecond) // any moment will do
	if whom == "service" {
		number = c.Process.Pid
	}
	p, err := os.FindProcess(number)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	eventually(t, "all processes are gone", func() bool { return processOf(t, mark, "") == 0 })
	sockets, err := os.ReadFile("/proc/net/unix")
	if err != nil || strings.Contains(string(sockets), socket) {
		t.Errorf("the socket is still there, %v", err)
	}
	eventually(t, "all temporary files are gone", func() bool { return isEmpty(t, temporary) })
	if got := c.ProcessState.ExitCode(); got != status {
		t.Errorf("killed after %d ms: status %d, not %d", delay, got, status)
	}
}

// TestExecTold tells exec to end while gdb stands at its prompt: the program, gdb and all else end with it.
func TestExecTold(t *testing.T) {
	needGDB(t)
	program := buildProgram(t, "kernels.O3.hipfb")
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		mark, temporary := fmt.Sprintf("SIMTGDB_TEST_MARK=%s-%d", t.Name(), signal), t.TempDir()
		c := execOn(t, []string{"--gdb", "--gdb-ex", "echo here\\n"}, program, "twenty")
		c.Env = append(c.Env, mark, "TMPDIR="+temporary)
		if _, err := c.StdinPipe(); err != nil { // which gdb waits at
			t.Fatal(err)
		}
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for lines.Scan() && lines.Text() != "here" {
		}
		if err := c.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() {
			if strings.Contains(lines.Text(), "exited") {
				t.Errorf("%v: gdb was not ended: %s", signal, lines.Text())
			}
		}
		_ = c.Wait()
		if got, want := c.ProcessState.ExitCode(), 128+int(signal); got != want {
			t.Errorf("%v: status %d, not %d", signal, got, want)
		}
		eventually(t, "all processes are gone", func() bool { return processOf(t, mark, "") == 0 })
		eventually(t, "all temporary files are gone", func() bool { return isEmpty(t, temporary) })
	}
}

// isEmpty reports whether a folder has nothing in it.
func isEmpty(t *testing.T, dir string) bool {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return len(entries) == 0
}

// TestExecKillCompilers kills the service while the C compiler makes a library for it, and while clang
// compiles what a program asks for: neither the compilers nor their files are left.
func TestExecKillCompilers(t *testing.T) {
	program := buildOpenCLProgram(t, "opencl.c")
	tools := t.TempDir()
	began := filepath.Join(tools, "began")
	slow := filepath.Join(tools, "clang")
	script := "#!/bin/sh\ntouch \"$TMPDIR/left\" " + began + "\nexec sleep 1000\n"
	if err := os.WriteFile(slow, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"CC", "SIMTGDB_CLANG"} {
		t.Run(tool, func(t *testing.T) {
			mark := "SIMTGDB_TEST_MARK=" + t.Name()
			temporary, cache := t.TempDir(), t.TempDir()
			c := execOn(t, nil, program, "kernels", hostPrograms+"/kernels.cl")
			c.Env = append(c.Env, mark, tool+"="+slow, "TMPDIR="+temporary, "SIMTGDB_DEVICE_LIBS="+tools)
			if tool == "CC" {
				c.Env = append(c.Env, "XDG_CACHE_HOME="+cache)
			}
			if err := os.WriteFile(filepath.Join(tools, "opencl.bc"), nil, 0o666); err != nil {
				t.Fatal(err)
			}
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			eventually(t, "the compiler runs", func() bool { return os.Remove(began) == nil })
			if err := c.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = c.Wait()
			eventually(t, "all processes are gone", func() bool { return processOf(t, mark, "") == 0 })
			eventually(t, "all files are gone", func() bool { return isEmpty(t, temporary) })
			if left, err := filepath.Glob(filepath.Join(cache, "simtgdb", "*")); err != nil || len(left) > 0 {
				t.Errorf("in the cache is %q, %v", left, err)
			}
		})
	}
}

// TestExecAtOnce runs programs at the same time, on one service and on two: they do not meet.
func TestExecAtOnce(t *testing.T) {
	program := buildProgram(t, "kernels.O3.hipfb")
	const script = `for s in twenty threads streams forks; do "$0" $s & done; wait`
	var all [2]*exec.Cmd
	var outs [2]bytes.Buffer
	for i := range all {
		all[i] = execOn(t, nil, "sh", "-c", script, program)
		all[i].Stdout, all[i].Stderr = &outs[i], &outs[i]
		if err := all[i].Start(); err != nil {
			t.Fatal(err)
		}
	}
	for i, c := range all {
		if err := c.Wait(); err != nil {
			t.Errorf("%v\n%s", err, outs[i].String())
		}
		for _, s := range []string{"twenty", "threads", "streams", "forks"} {
			if n := strings.Count(outs[i].String(), s+": done\n"); n != 1 {
				t.Errorf("%s is done %d times in\n%s", s, n, outs[i].String())
			}
		}
	}
}

// TestExecInterrupt: while gdb, which is to have the terminal, is not there, Ctrl-C ends the program.
func TestExecInterrupt(t *testing.T) {
	needGDB(t)
	c := execOn(t, []string{"--gdb"}, "sh", "-c", "echo on; sleep 600; echo off")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() || lines.Text() != "on" {
		t.Fatalf("%q", lines.Text())
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if lines.Scan() {
		t.Errorf("the program went on: %q", lines.Text())
	}
	if _ = c.Wait(); c.ProcessState.ExitCode() != statusInterrupted {
		t.Errorf("status %v", c.ProcessState)
	}
}
