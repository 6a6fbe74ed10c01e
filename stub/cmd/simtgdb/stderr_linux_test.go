package main

import (
	"os"
	"syscall"
	"testing"
	"time"

	"simtgdb/rsp"
)

// TestStandardErrorEnds: what gdb gives a command of `target remote |` for standard error is at its end once
// gdb has its stop, or begins to read which registers there are, unless another program can be run in the
// session, of which something may have to be said.
func TestStandardErrorEnds(t *testing.T) {
	const describe = "qXfer:features:read:target.xml:0,100"
	t.Parallel()
	for name, packets := range map[string][]string{"plain": {"?"}, "described": {describe},
		"extended": {"!", describe, "?"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
			if err != nil {
				t.Fatal(err)
			}
			ours, theirs := os.NewFile(uintptr(pair[0]), "ours"), os.NewFile(uintptr(pair[1]), "theirs")
			defer ours.Close()
			defer theirs.Close() // which a shell between the two may have open all the time
			cmd := simtgdbCommand(t, "serve", "--stdio", "--demo")
			cmd.Env = append(cmd.Env, "XDG_CACHE_HOME="+t.TempDir())
			cmd.Stderr = theirs
			inTheirs, in, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			out, outTheirs, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			cmd.Stdin, cmd.Stdout = inTheirs, outTheirs
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			for _, f := range []*os.File{inTheirs, outTheirs} {
				f.Close()
			}
			client := rsp.NewConn(rsp.Stdio(out, in), rsp.ConnOptions{Client: true})
			for _, packet := range packets {
				if err := client.Send([]byte(packet)); err != nil {
					t.Fatal(err)
				}
				if _, err := client.Receive(); err != nil {
					t.Fatal(err)
				}
			}
			if !ends(ours) != (name == "extended") {
				t.Errorf("standard error has ended: %v", name == "extended")
			}
			client.Close()
			cmd.Wait()
		})
	}
}

// ends reports whether what another process writes to a socket is at its end, or is so after a moment.
func ends(f *os.File) bool {
	_ = syscall.SetNonblock(int(f.Fd()), true)
	for range 40 {
		if n, err := syscall.Read(int(f.Fd()), make([]byte, 80)); n == 0 && err == nil {
			return true
		}
		time.Sleep(5 * time.Millisecond)
	}
	return false
}
