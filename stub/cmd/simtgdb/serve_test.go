package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"simtgdb/testdata/forkedgdb"
)

// server starts `simtgdb serve` on a free port of this machine and returns where
// it listens.
func server(t *testing.T, args ...string) (address string, cmd *exec.Cmd) {
	t.Helper()
	cmd = simtgdbCommand(t, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	line, err := bufio.NewReader(errs).ReadString('\n')
	if err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	go io.Copy(io.Discard, errs)
	words := strings.Fields(line)
	return words[len(words)-1], cmd
}

// eachDebugger runs a test for every debugger that is there.
func eachDebugger(t *testing.T, f func(t *testing.T, debugger string)) {
	for _, debugger := range debuggers() {
		t.Run(debugger, func(t *testing.T) {
			if _, err := exec.LookPath(debugger); err != nil {
				t.Skipf("skipped: %v", err)
			}
			f(t, debugger)
		})
	}
}

// debugger is the command of a gdb that executes commands.
func debugger(ctx context.Context, gdb string, commands ...string) *exec.Cmd {
	args := []string{"-ex", "set confirm off", "-ex", "set width 0"}
	for _, c := range commands {
		args = append(args, "-ex", c)
	}
	return batchGDB(ctx, gdb, args...)
}

// batchGDB is the command of a gdb that does what its arguments say, at the top of the repository.
func batchGDB(ctx context.Context, gdb string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, gdb, append([]string{"-nx", "-batch"}, args...)...)
	cmd.Dir = root
	// Python in gdb would have gdb not collect what it prints, either, if it were told so.
	cmd.Env = append(os.Environ(), "LC_ALL=C", "DEBUGINFOD_URLS=", "TERM=dumb", "HOME=/nonexistent",
		"PYTHONUNBUFFERED=")
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// debug gives what a gdb prints.
func debug(t *testing.T, gdb string, commands ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	out, err := forkedgdb.CombinedOutput(ctx, debugger(ctx, gdb, commands...))
	if ctx.Err() != nil {
		t.Fatalf("%s hangs: %v\n%s", gdb, err, out)
	}
	return string(out)
}

// contains checks that a text has parts in order.
func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	rest := text
	for _, p := range parts {
		_, after, ok := strings.Cut(rest, p)
		if !ok {
			t.Fatalf("%q is not in its place in:\n%s", p, text)
		}
		rest = after
	}
}

// TestReconnect detaches from a program, leaves it without a word, and kills it:
// the next gdb finds it where it was left, or a new one.
func TestReconnect(t *testing.T) {
	eachDebugger(t, func(t *testing.T, gdb string) {
		address, _ := server(t, "--demo")
		out := debug(t, gdb, "target remote "+address, "break weigh", "continue", "detach")
		contains(t, out, "hit Breakpoint 1, weigh (value=0, rounds=1)", "detached")

		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		killed := debugger(ctx, gdb, "target remote "+address, "next", "backtrace", "shell kill -KILL $PPID")
		text, err := killed.CombinedOutput()
		if err == nil {
			t.Fatalf("gdb was not killed:\n%s", text)
		}
		contains(t, string(text), "weigh (value=0, rounds=1)", "8\t", "#1 ", "in demo")

		out = debug(t, gdb, "target remote "+address, "print k", "finish", "kill", "target remote "+address,
			"continue")
		contains(t, out, "weigh (value=0, rounds=1)", "$1 = ", "Value returned is $2 = 0", "killed", "demo (",
			"exited normally")
	})
}

// TestExtendedRemote ends the program in gdb's extended mode, where gdb stays
// connected: it is run again, with other arguments, attached to and detached from; on two machines.
func TestExtendedRemote(t *testing.T) {
	const hit = "hit Breakpoint 1, weigh (value=0, rounds=1)"
	ptx := []string{"--launch", filepath.Join(root, "testdata/launch/demo.json"), "--code-object",
		filepath.Join(root, "testdata/ptx/co/demo.O0.ptx")}
	eachDebugger(t, func(t *testing.T, gdb string) {
		demo, _ := server(t, "--demo")
		other, _ := server(t, ptx...)
		for _, test := range []struct{ commands, parts []string }{
			{[]string{"kill", "info threads", "break weigh", "run", "kill"},
				[]string{"killed", "No threads", hit, "killed"}},
			{[]string{"detach", "attach 1", "break weigh", "continue", "detach", "attach 1", "print rounds",
				"kill"}, []string{"detached", hit, "detached", "$1 = 1", "killed"}},
			{[]string{"continue", "start", "next", "info line demo", "kill"},
				[]string{"exited normally", "Temporary breakpoint 1, demo (", "demo.hip", "killed"}},
			{[]string{"kill",
				"set args --grid 64 --block 64 --arg buf:i32[64]=iota --arg buf:i32[64]=zero --arg i32:64",
				"break 18", "run",
				"print n", "monitor info", "delete", "continue", "run"},
				[]string{"killed", "$1 = 64", "grid 64 x 1 x 1 work-items", "exited normally",
					"exited normally"}},
			{[]string{"kill", "set args --gird 64", "run", "set args", "start", "print $lane", "kill"},
				[]string{"killed", refusal(t, gdb, "not defined: -gird"), "$1 = 0", "killed"}},
		} {
			if slices.Contains(test.commands, "attach 1") && gdbVersion(t, gdb) < 13 {
				continue // gdb 12 makes a second inferior of the same program
			}
			for _, address := range []string{demo, other} {
				out := debug(t, gdb, append([]string{"target extended-remote " + address},
					test.commands...)...)
				contains(t, out, test.parts...)
			}
		}
	})
}

// refusal is what a gdb shows of words that refuse a run: up to gdb 15 a sentence of its own.
func refusal(t *testing.T, gdb, words string) string {
	if gdbVersion(t, gdb) < 16 {
		return "Running the default executable on the remote target failed"
	}
	return words
}

// TestRunRecompiled: a program that was compiled anew is not run with the symbols of the one before; the same
// gdb connects again.
func TestRunRecompiled(t *testing.T) {
	eachDebugger(t, func(t *testing.T, gdb string) {
		address, program := serverOfCopy(t)
		connect := "target extended-remote " + address
		out := debug(t, gdb, connect, "kill", "run", "shell cp "+objectPath(t, "O2")+" "+program, "run",
			connect, "info address weigh", "break weigh", "continue", "kill", "run", "kill")
		contains(t, out, "demo (", "killed", "exited normally",
			refusal(t, gdb, "another one than gdb has symbols of"), "is a function at address",
			"hit Breakpoint", "killed", "hit Breakpoint", "killed")
	})
}

// TestRecompiled connects to a program that has been compiled anew, with the gdb
// that knows the one before.
func TestRecompiled(t *testing.T) {
	eachDebugger(t, func(t *testing.T, gdb string) {
		address, program := serverOfCopy(t)
		out := debug(t, gdb, "target remote "+address, "info address weigh", "kill",
			"shell cp "+objectPath(t, "O2")+" "+program, "target remote "+address, "info address weigh",
			"info line weigh", "kill")
		places := regexp.MustCompile(`is a function at address (0x[0-9a-f]+)`).FindAllStringSubmatch(out, -1)
		if len(places) != 2 || places[0][1] == places[1][1] || strings.Contains(out, "warning: Loadable") {
			t.Errorf("weigh is at %q in:\n%s", places, out)
		}
	})
}

// serverOfCopy serves a copy of the demonstration's object that a test may replace.
func serverOfCopy(t *testing.T) (address, program string) {
	t.Helper()
	program = filepath.Join(t.TempDir(), "kernel.co")
	data, err := os.ReadFile(objectPath(t, "O0"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, data, 0o666); err != nil {
		t.Fatal(err)
	}
	address, _ = server(t, "--grid", "64", "--block", "64", "--arg", "buf:i32[64]=iota",
		"--arg", "buf:i32[64]=zero",
		"--arg", "i32:64", program)
	return address, program
}

// objectPath is the absolute name of an object of the demonstration.
func objectPath(t *testing.T, opt string) string {
	t.Helper()
	path, err := filepath.Abs(object("demo", "gfx90a", opt))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestManyLanes connects to a dispatch whose waves are all resident, though few are listed: commands work at
// any lane.
func TestManyLanes(t *testing.T) {
	eachDebugger(t, func(t *testing.T, gdb string) {
		const lanes = "65536"
		address, _ := server(t, "--resident", "1024", "--list", "wave 0", "--grid", lanes, "--block", "64",
			"--arg", "buf:f32["+lanes+"]=iota", "--arg", "buf:f32["+lanes+"]=iota", "--arg",
			"buf:f32["+lanes+"]=iota", "--arg", "i32:"+lanes, object("vecadd", "gfx90a", "O0"))
		out := debug(t, gdb, "target remote "+address, "info threads 64-65", "stepi",
			"monitor list wave 1023", "info threads 66",
			"thread 66", "print $wave", "stepi", "break 7 if $wave == 700 && $lane == 9", "continue",
			"print i", "monitor list all",
			"kill")
		contains(t, out, `"wave 0 lane 63"`, `"wave 1023 lane 1"`, "$1 = 1023",
			`"wave 700 lane 9" hit Breakpoint 1`, "$2 = 44809",
			"every lane", "killed")
		if strings.Contains(out, `"wave 1 lane 0"`) {
			t.Errorf("lanes are listed that were not asked for:\n%s", out)
		}
	})
}

// TestSecondClient has a gdb come while another one is connected: it is told.
func TestSecondClient(t *testing.T) {
	eachDebugger(t, func(t *testing.T, gdb string) {
		address, _ := server(t, "--demo")
		out := debug(t, gdb, "target remote "+address,
			"shell "+gdb+" -nx -batch -ex 'target remote "+address+"' 2>&1",
			"print $lane", "continue")
		contains(t, out, "another client is connected", "$1 = 0", "exited normally")
	})
}

// TestServerEnds ends a server by SIGTERM while gdb is connected.
func TestServerEnds(t *testing.T) {
	address, cmd := server(t, "--demo")
	if _, err := exec.LookPath("gdb"); err == nil {
		debug(t, "gdb", "target remote "+address, "break weigh", "continue", "detach")
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
}

// TestServeRefused checks what serve says of what it cannot do: one line, and
// status 2.
func TestServeRefused(t *testing.T) {
	address, _ := server(t, "--demo")
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--listen", address, "--demo"}, "address already in use: another program waits there; " +
			"with --listen 127.0.0.1:0 the system chooses a free port"},
		{[]string{"--listen", "nonsense", "--demo"}, "nonsense"},
		{[]string{"--listen", ":0", "--demo"}, `--listen ":0" can be reached from other machines`},
		{[]string{"--listen", "0.0.0.0:0", "--demo"}, "add --listen-anywhere"},
		{[]string{"--listen", "[::]:0", "--demo"}, "add --listen-anywhere"},
		{[]string{"--listen", "192.0.2.1:0", "--demo"}, "add --listen-anywhere"},
		{[]string{"--listen", "192.0.2.1:0", "--listen-anywhere", "--demo"},
			"cannot assign requested address"},
		{[]string{"--resident", "0", "--demo"}, "--resident 0"},
		{[]string{"--stdio", "--list", "lane 3", "--demo"}, "monitor list all"},
		{[]string{"--stdio", "--listen", "127.0.0.1:0", "--demo"}, "--stdio and --listen exclude each other"},
		{[]string{"--nonsense"}, "nonsense"},
		{[]string{"--demo", "/nonexistent.co"}, ""},
		{[]string{"/nonexistent.co"}, "/nonexistent.co"},
		{[]string{"--stdio", "--kernel", "nonsense", "--grid", "64", "--block", "64",
			object("demo", "gfx90a", "O0")}, "demo"},
	} {
		serve := simtgdbHere
		if test.args[0] == "--stdio" { // it takes the standard input and output of its process
			serve = func(args ...string) result { return simtgdbAlone(t, args...) }
		}
		r := serve(append([]string{"serve"}, test.args...)...)
		first, rest, _ := strings.Cut(r.err, "\n")
		if r.status != 2 || !strings.Contains(r.err, test.want) || r.out != "" || rest != "" &&
			!strings.Contains(strings.Join(test.args, " "), "--nonsense") {
			t.Errorf("%v: status %d, %q, %q", test.args, r.status, first, rest)
		}
	}
}

// endless is an instruction that branches to itself: s_branch -1.
const endless = "*(int *) $pc = 0xbf82ffff"

// TestCtrlC interrupts a kernel that does not end, at its gdb.
func TestCtrlC(t *testing.T) {
	t.Parallel()
	eachDebugger(t, func(t *testing.T, gdb string) {
		for _, how := range []string{"continue", "stepi 1000000000", "step"} {
			t.Run(how, func(t *testing.T) {
				t.Parallel()
				interruptAtGDB(t, gdb, how)
			})
		}
	})
}

// interruptAtGDB has a gdb run such a kernel by some command, and interrupts it.
func interruptAtGDB(t *testing.T, gdb, how string) {
	address, _ := server(t, "--demo")
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := debugger(ctx, gdb)
	cmd.Args = []string{gdb, "-nx", "-q"}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	io.WriteString(in, strings.Join([]string{"set confirm off", "target remote " + address,
		"set var " + endless, "set debug remote on", how}, "\n")+"\n")
	lines := bufio.NewReader(io.TeeReader(pipe, &out))
	await := func(text string) {
		t.Helper()
		for {
			line, err := lines.ReadString('\n')
			if strings.Contains(line, text) {
				return
			}
			if strings.HasSuffix(line, "Quit\n") {
				io.WriteString(in, how+"\n")
			}
			if err != nil {
				t.Fatalf("%s: no %q from %s: %v\n%s", how, text, gdb, err, out.String())
			}
		}
	}
	// A Ctrl-C before the kernel runs is nothing to gdb; one between two steps
	// ends the command with a Quit, and the command is given again. A second
	// one before the first is answered would end the session.
	await("Sending packet: $vCont;")
	again := time.NewTicker(5 * time.Second)
	interrupted := make(chan struct{})
	go func() {
		time.Sleep(100 * time.Millisecond)
		for {
			cmd.Process.Signal(os.Interrupt)
			select {
			case <-again.C:
			case <-interrupted:
				return
			}
		}
	}()
	await("received signal SIGINT")
	again.Stop()
	close(interrupted)
	io.WriteString(in, "set debug remote off\n")
	io.WriteString(in, "print $lane\nkill\nquit\n")
	await("$1 = 0")
	in.Close()
	io.Copy(io.Discard, lines)
	if err := cmd.Wait(); err != nil {
		t.Errorf("%s: %v\n%s", how, err, out.String())
	}
}
