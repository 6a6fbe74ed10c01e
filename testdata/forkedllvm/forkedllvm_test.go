package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// forking are the servers of all tests, and the variables by which they are reached.
var (
	forking servers
	reached []string
)

// TestMain starts the servers, with clients that are made anew.
func TestMain(m *testing.M) { os.Exit(among(m.Run)) }

func among(run func() int) int {
	cache, err := os.MkdirTemp("", "forkedllvm")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(cache)
	os.Setenv("XDG_CACHE_HOME", cache)
	defer forking.end()
	if _, err = exec.LookPath("gcc"); err == nil {
		reached, err = forking.start([]string{"clang-22", "clang", "ld.lld", "llvm-mc-22"})
	}
	if err != nil {
		fmt.Println("no tool is forked:", err)
	}
	return run()
}

// need skips a test where there are no servers.
func need(t *testing.T) {
	t.Helper()
	if reached == nil {
		t.Skip("skipped: no gcc, LLVM or Linux")
	}
}

// client is a command that runs a tool's client.
func client(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	need(t)
	for _, v := range reached {
		if path, ok := strings.CutPrefix(v, "PATH="); ok {
			args[0] = filepath.Join(filepath.SplitList(path)[0], args[0])
		}
	}
	if _, err := os.Stat(args[0]); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(args[0], args[1:]...)
	c.Env = append(os.Environ(), reached...)
	return c
}

const kernel = `kernel void k(global int *p) { p[__builtin_amdgcn_workitem_id_x()] = N; }
`

// compile are a compiler and its options for kernel.
var compile = []string{"clang-22", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx90a", "-x", "cl", "-nogpulib"}

// commands are tools with their arguments and what they read. Clang compiles by itself, by a process of its
// own, and has its linker link. Some are tried without servers, too.
var commands = []struct {
	args  []string
	read  string
	alone bool
}{
	{slices.Concat(compile, []string{"-DN=3", "-o", "out", "k.cl"}), "", true},
	{slices.Concat(compile, []string{"-DN=f()", "-o", "out", "k.cl"}), "", false},
	{[]string{"clang-22", "-E", "-P", "-x", "c", "-DV=an \"argument\"", "-DW=", "-"}, "V W\n", false},
	{[]string{"llvm-mc-22", "-triple=amdgcn", "-mcpu=gfx90a", "--show-encoding"}, "s_nop 1\nv_none v0\n",
		true},
}

// ran is what a command has done.
func ran(t *testing.T, c *exec.Cmd, read string) string {
	t.Helper()
	c.Dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(c.Dir, "k.cl"), []byte(kernel), 0o666); err != nil {
		t.Fatal(err)
	}
	c.Stdin = strings.NewReader(read)
	var out, said bytes.Buffer
	c.Stdout, c.Stderr = &out, &said
	err := c.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	made, _ := os.ReadFile(filepath.Join(c.Dir, "out"))
	mode := os.FileMode(0)
	if info, err := os.Stat(filepath.Join(c.Dir, "out")); err == nil {
		mode = info.Mode()
	}
	all := fmt.Sprintf("%v\nprinted: %s\ncomplained: %s\nmade: %v %q", err, &out, &said, mode, made)
	return strings.ReplaceAll(all, c.Dir, "/")
}

// TestLikePlain: what is forked does what the tool does that is started plainly, and so does a client without
// servers.
func TestLikePlain(t *testing.T) {
	for _, c := range commands {
		command := client(t, slices.Clone(c.args)...)
		command.Args[0] = c.args[0]
		want := ran(t, exec.Command(c.args[0], c.args[1:]...), c.read)
		if got := ran(t, command, c.read); got != want {
			t.Errorf("%q: got %s\nwant %s", c.args, got, want)
		}
		if c.alone {
			command = client(t, slices.Clone(c.args)...)
			command.Args[0], command.Env = c.args[0], append(command.Env, "FORKEDLLVM=/none")
			if got := ran(t, command, c.read); got != want {
				t.Errorf("%q without servers: got %s\nwant %s", c.args, got, want)
			}
		}
	}
}

// children are the processes that a process has forked and which run.
func children(t *testing.T, parent int) (n int) {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range stats {
		text, _ := os.ReadFile(path) // a process may have ended
		_, rest, _ := strings.Cut(string(text), ") ")
		if f := strings.Fields(rest); len(f) > 1 && f[0] != "Z" && f[1] == strconv.Itoa(parent) {
			n++
		}
	}
	return n
}

// forked is how many tools servers have.
func (s *servers) forked(t *testing.T) (n int) {
	for _, c := range s.started {
		n += children(t, c.Process.Pid)
	}
	return n
}

// TestEnds: a tool that a server has forked ends with its client.
func TestEnds(t *testing.T) {
	c := client(t, "llvm-mc-22", "-triple=amdgcn")
	in, err := c.StdinPipe() // which the tool reads until it is ended
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for forking.forked(t) == 0 {
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(out); err != nil { // to the end, when the tool has none of the pipe either
		t.Fatal(err)
	}
	_ = c.Wait()
	for forking.forked(t) > 0 {
	}
}

// TestSignal: a client ends by the signal that has ended the tool.
func TestSignal(t *testing.T) {
	t.Setenv("LLVM_DISABLE_SYMBOLIZATION", "1") // which takes long
	c := client(t, "clang-22", "-cc1", "-x", "c", "-")
	c.Stdin = strings.NewReader("#pragma clang __debug crash\n")
	err := c.Run()
	plain := exec.Command("clang-22", "-cc1", "-x", "c", "-")
	plain.Stdin = strings.NewReader("#pragma clang __debug crash\n")
	want := plain.Run()
	if err == nil || want == nil || err.Error() != want.Error() {
		t.Errorf("%v, want %v", err, want)
	}
}

// TestStatus: the command's status is given, and it finds clients in the PATH.
func TestStatus(t *testing.T) {
	need(t)
	out := filepath.Join(t.TempDir(), "out")
	const script = `command -v llvm-mc-22 >"$0"; exit 7`
	if got := run([]string{"llvm-mc-22"}, []string{"sh", "-c", script, out}); got != 7 {
		t.Errorf("status %d", got)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	path := strings.TrimSpace(string(text))
	if real, err := filepath.EvalSymlinks(path); err != nil || filepath.Base(real) != "client" {
		t.Errorf("the PATH has %s, which is %s, %v", path, real, err)
	}
}
