package rsp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"simtgdb/testdata/forkedgdb"
)

// serveStdioEnv makes the test binary a program for gdb's `target remote |`.
// Its value names a file: there the program adds how each Resume and the session
// went.
const serveStdioEnv = "RSP_TEST_SERVE_STDIO"

func TestMain(m *testing.M) {
	if name := os.Getenv(serveStdioEnv); name != "" {
		report, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		target := newFakeTarget(3)
		go func() {
			<-target.running
			fmt.Fprintln(report, "running")
		}()
		err = ServeConn(context.Background(), Stdio(os.Stdin, os.Stdout), target, Options{})
		fmt.Fprintln(report, "ended:", err)
		if err != nil && !errors.Is(err, ErrKilled) && !errors.Is(err, ErrDisconnected) {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// gdbPrograms are the debuggers that the tests drive: those that the environment
// has in SIMTGDB_GDBS, separated by spaces, or else two of Debian's.
var gdbPrograms = sync.OnceValue(func() []string {
	if gdbs := strings.Fields(os.Getenv("SIMTGDB_GDBS")); len(gdbs) > 0 {
		return gdbs
	}
	return []string{"gdb", "gdb-multiarch"}
})

// eachGDB runs a test with every debugger that is there.
func eachGDB(t *testing.T, test func(t *testing.T, gdb string)) {
	for _, name := range gdbPrograms() {
		t.Run(name, func(t *testing.T) {
			path, err := exec.LookPath(name)
			if err != nil {
				t.Skipf("skipped: no %s", name)
			}
			test(t, path)
		})
	}
}

// testServer is a server on loopback whose targets a test can look at.
type testServer struct {
	address string
	mu      sync.Mutex
	targets []*fakeTarget
	log     strings.Builder
}

func startServer(t *testing.T, threads int) *testServer {
	t.Helper()
	return startServerFor(t, threads, func(f *fakeTarget) Target { return f })
}

// startServerFor starts a server whose targets are what wrap makes of fake ones.
func startServerFor(t *testing.T, threads int, wrap func(f *fakeTarget) Target) *testServer {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &testServer{address: ln.Addr().String()}
	ctx, cancel := context.WithCancel(context.Background())
	finished := make(chan error, 1)
	options := Options{Logf: func(format string, arguments ...any) {
		s.mu.Lock()
		defer s.mu.Unlock()
		fmt.Fprintf(&s.log, format+"\n", arguments...)
	}}
	go func() {
		finished <- Serve(ctx, ln, func(context.Context) (Target, error) {
			target := newFakeTarget(threads)
			s.mu.Lock()
			defer s.mu.Unlock()
			s.targets = append(s.targets, target)
			return wrap(target), nil
		}, options)
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-finished; !errors.Is(err, context.Canceled) {
			t.Errorf("Serve returned %v", err)
		}
		if t.Failed() {
			s.mu.Lock()
			defer s.mu.Unlock()
			t.Logf("server log:\n%s", s.log.String())
		}
	})
	return s
}

// target waits for the server's nth target.
func (s *testServer) target(t *testing.T, n int) *fakeTarget {
	t.Helper()
	for range 1000 {
		s.mu.Lock()
		if len(s.targets) > n {
			defer s.mu.Unlock()
			return s.targets[n]
		}
		s.mu.Unlock()
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("client %d has not connected", n+1)
	return nil
}

func (s *testServer) logged() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.String()
}

// gdbCommand makes a batch session of the commands.
func gdbCommand(ctx context.Context, gdb string, commands ...string) *exec.Cmd {
	arguments := []string{"-nx", "-batch", "-iex", "set auto-load off", "-iex", "set debuginfod enabled off"}
	for _, c := range commands {
		arguments = append(arguments, "-ex", c)
	}
	cmd := exec.CommandContext(ctx, gdb, arguments...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "HOME=/nonexistent")
	cmd.WaitDelay = time.Second
	return cmd
}

// runGDB runs a batch session and gives what it printed.
func runGDB(t *testing.T, gdb string, commands ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	out, err := forkedgdb.CombinedOutput(ctx, gdbCommand(ctx, gdb, commands...))
	if ctx.Err() != nil {
		t.Fatalf("gdb hangs; it printed\n%s", out)
	}
	if err != nil && !forkedgdb.Exited(err) {
		t.Fatal(err)
	}
	t.Logf("gdb printed\n%s", out)
	return string(out)
}

// expectLines checks that the lines, or parts of lines, occur in this order.
func expectLines(t *testing.T, out string, lines ...string) {
	t.Helper()
	rest := out
	for _, line := range lines {
		i := strings.Index(rest, line)
		if i < 0 {
			t.Errorf("%q is missing (in this order) from\n%s", line, out)
			return
		}
		rest = rest[i+len(line):]
	}
}

func TestGDBBasics(t *testing.T) {
	eachGDB(t, func(t *testing.T, gdb string) {
		s := startServer(t, 3)
		out := runGDB(t, gdb,
			"target remote "+s.address,
			"info threads",
			"p $rip", "p $rax", "p $lane", "p $missing",
			"thread 2", "p $rax", "p $lane",
			"stepi", "p $rax",
			"x/3i worker",
			"set var $rbx = 0x1234", "p/x $rbx",
			"p *(long*)0x602010", "set var *(long*)0x602010 = -5", "p *(long*)0x602010",
			"p *(int*)0x10",
			"monitor echo hello monitor",
			"info program",
			"detach")
		expectLines(t, out,
			`* 1    Thread 1 "lane 0" (wave <0> & "group" 0) 0x0000000000401000 in worker ()`,
			`  3    Thread 3 "lane 2"`,
			"$1 = (void (*)()) 0x401000 <worker>", "$2 = 1000", "$3 = 0", "$4 = <unavailable>",
			"Switching to thread 2", "$5 = 2000", "$6 = 1",
			"0x0000000000401003 in worker ()", "$7 = 2001",
			"0x401000 <worker>:\tinc    %rax", "=> 0x401003 <worker+3>:\tinc    %rbx", "mov    %rax,(%rdi)",
			"$8 = 0x1234",
			"$10 = -5",
			"Cannot access memory at address 0x10",
			"hello monitor",
			"[Inferior 1 (Remote target) detached]")
		target := s.target(t, 0)
		target.mu.Lock()
		defer target.mu.Unlock()
		if !target.detached || target.killed {
			t.Errorf("detached %v, killed %v", target.detached, target.killed)
		}
	})
}

// pipeCommand connects gdb to this test binary as a program of its own.
func pipeCommand(t *testing.T) (command, report string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	report = filepath.Join(t.TempDir(), "report")
	return fmt.Sprintf("target remote | %s=%s exec %s", serveStdioEnv, report, self), report
}

// waitReport waits until the program on the pipe has reported something.
func waitReport(t *testing.T, report, text string) {
	t.Helper()
	var got []byte
	for range 1000 {
		if got, _ = os.ReadFile(report); strings.Contains(string(got), text) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%q is missing from the report %q", text, got)
}

func TestGDBPipe(t *testing.T) {
	eachGDB(t, func(t *testing.T, gdb string) {
		command, report := pipeCommand(t)
		out := runGDB(t, gdb, command, "break *0x401006", "continue", "info threads", "kill")
		expectLines(t, out,
			"Breakpoint 1, 0x0000000000401006 in worker ()",
			`* 1    Thread 1 "lane 0"`,
			"[Inferior 1 (Remote target) killed]")
		waitReport(t, report, "ended: "+ErrKilled.Error())
	})
}

// TestGDBPipeKilled kills gdb while the program at the other end of the pipe runs:
// that one ends too.
func TestGDBPipeKilled(t *testing.T) {
	eachGDB(t, func(t *testing.T, gdb string) {
		command, report := pipeCommand(t)
		cmd := gdbCommand(t.Context(), gdb, command, "continue")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		waitReport(t, report, "running")
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		waitReport(t, report, "ended: "+ErrDisconnected.Error())
	})
}
