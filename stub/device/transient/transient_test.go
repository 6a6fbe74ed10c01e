//go:build linux

package transient

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asChild is set in the environment of a process that is to be killed.
const asChild = "SIMTGDB_TEST_CHILD"

func TestMain(m *testing.M) {
	if parent := os.Getenv(asChild); parent != "" {
		child(parent)
		return
	}
	os.Exit(m.Run())
}

// child makes a folder, starts a command, says so, and waits to be killed.
func child(parent string) {
	f, err := Make(parent, "made-")
	if err != nil {
		panic(err)
	}
	if err := os.WriteFile(filepath.Join(f.Path, "file"), []byte("x"), 0o600); err != nil {
		panic(err)
	}
	c := exec.Command("sleep", "1000")
	wait, err := Start(c)
	if err != nil {
		panic(err)
	}
	fmt.Println(c.Process.Pid)
	_ = wait()
}

// eventually waits for something that takes less than a minute.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not so within a minute: %s", what)
		}
	}
}

// TestKilled: nothing is left of a process that was killed, by whatever signal.
func TestKilled(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT} {
		parent := t.TempDir()
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), asChild+"="+parent)
		c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		out, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		pid := 0
		if _, err := fmt.Fscan(bufio.NewReader(out), &pid); err != nil {
			t.Fatal(err)
		}
		made, err := filepath.Glob(filepath.Join(parent, "made-*", "file"))
		if err != nil || len(made) != 1 {
			t.Fatalf("%q, %v", made, err)
		}
		if err := syscall.Kill(-c.Process.Pid, signal); err != nil { // the whole group, as a terminal does
			t.Fatal(err)
		}
		_ = c.Wait()
		if signal != syscall.SIGKILL { // that the shell does not survive
			eventually(t, "the folder is gone", func() bool {
				entries, err := os.ReadDir(parent)
				return err == nil && len(entries) == 0
			})
		}
		eventually(t, "the command is gone", func() bool { return syscall.Kill(pid, 0) != nil })
	}
}

// TestKilledAlone kills a process by a signal that it cannot catch, and nobody else.
func TestKilledAlone(t *testing.T) {
	parent := t.TempDir()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), asChild+"="+parent)
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	pid := 0
	if _, err := fmt.Fscan(bufio.NewReader(out), &pid); err != nil {
		t.Fatal(err)
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	eventually(t, "the folder is gone", func() bool {
		entries, err := os.ReadDir(parent)
		return err == nil && len(entries) == 0
	})
	eventually(t, "the command is gone", func() bool { return syscall.Kill(pid, 0) != nil })
}

// TestRun: a command's end is what its own Run says, and one that is not there is an error before.
func TestRun(t *testing.T) {
	if err := Run(exec.Command("/bin/sh", "-c", "exit 0")); err != nil {
		t.Error(err)
	}
	var exit *exec.ExitError
	if err := Run(exec.Command("/bin/sh", "-c", "exit 3")); !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Errorf("of a command that exits with 3: %v", err)
	}
	if err := Run(exec.Command("/nowhere/command")); !os.IsNotExist(err) {
		t.Errorf("of a command that is not there: %v", err)
	}
}

// children are the processes that this one has started.
func children(t *testing.T) string {
	t.Helper()
	lists, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil || len(lists) == 0 {
		t.Fatal(lists, err)
	}
	all := ""
	for _, list := range lists {
		if text, err := os.ReadFile(list); err == nil { // the thread is there still
			all += string(text)
		}
	}
	return all
}

// TestFolder makes folders and removes them, and cannot make one where there is no room for it.
func TestFolder(t *testing.T) {
	parent := filepath.Join(t.TempDir(), "not", "there yet; $(x) 'y'")
	f, err := Make(parent, "-one-")
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(f.Path); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
	if dir, name := filepath.Split(f.Path); !strings.HasPrefix(name, "-one-") ||
		filepath.Clean(dir) != parent {
		t.Errorf("it is %s", f.Path)
	}
	f.Remove()
	if _, err := os.Stat(f.Path); !os.IsNotExist(err) {
		t.Errorf("removed: %v", err)
	}
	t.Setenv("TMPDIR", parent)
	if f, err = Make("", "-two-"); err != nil || filepath.Dir(f.Path) != parent {
		t.Fatalf("among the system's temporary files: %+v, %v", f, err)
	}
	f.Remove()
	if f, err = Make("/proc/nowhere", "x"); err == nil {
		f.Remove()
	}
	if err == nil || !strings.Contains(err.Error(), "/proc/nowhere") {
		t.Errorf("in /proc: %v", err)
	}
	if all := children(t); all != "" {
		t.Errorf("processes are left: %s", all)
	}
}
