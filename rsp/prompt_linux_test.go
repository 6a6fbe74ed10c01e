package rsp

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// TestPrompt sends large packets there and back over what a debugger is connected by: TCP, the two sockets of
// `target remote |`, and pipes, to which everything is written the ordinary way. So is what does not fit at
// once. Go's collector gets its turn while a packet is waited for.
func TestPrompt(t *testing.T) {
	pipe := func() (r, w *os.File) {
		t.Helper()
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		return r, w
	}
	cases := map[string]func() (a, b io.ReadWriteCloser, prompt bool){
		"tcp": func() (_, _ io.ReadWriteCloser, _ bool) {
			a, b := loopback(t)
			return a, b, true
		},
		"sockets": func() (_, _ io.ReadWriteCloser, _ bool) {
			pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
			if err != nil {
				t.Fatal(err)
			}
			// Closing a descriptor does not end a read that blocks in it.
			if err := syscall.SetNonblock(pair[1], true); err != nil {
				t.Fatal(err)
			}
			a, b := os.NewFile(uintptr(pair[0]), "a"), os.NewFile(uintptr(pair[1]), "b")
			return Stdio(a, a), Stdio(b, b), true
		},
		"pipes": func() (_, _ io.ReadWriteCloser, _ bool) {
			r1, w1 := pipe()
			r2, w2 := pipe()
			return Stdio(r1, w2), Stdio(r2, w1), false
		},
	}
	for name, connect := range cases {
		t.Run(name, func(t *testing.T) {
			ours, theirs, prompt := connect()
			a, b := NewConn(ours, ConnOptions{PacketSize: 1 << 20}), NewConn(theirs, ConnOptions{PacketSize: 1 << 20})
			a.setAttended(false)
			b.setAttended(false)
			go func() {
				for {
					p, err := b.Receive()
					if err != nil {
						return
					}
					b.Send(p)
				}
			}()
			for _, n := range []int{1, 4096, 1 << 20} {
				want := bytes.Repeat([]byte("x"), n)
				if err := a.Send(want); err != nil {
					t.Fatal(err)
				}
				if got, err := a.Receive(); err != nil || !bytes.Equal(got, want) {
					t.Fatalf("%d bytes came back of %d: %v", len(got), n, err)
				}
			}
			if (a.in.conn != nil) != interruptible() || (a.out.conn != nil) != (prompt && interruptible()) {
				t.Errorf("read promptly: %v, written promptly: %v, want %v", a.in.conn != nil, a.out.conn != nil, prompt)
			}
			received := make(chan error)
			go func() {
				_, err := a.Receive()
				received <- err
			}()
			runtime.GC()                       // which stops who waits for a packet
			time.Sleep(300 * time.Millisecond) // and they no longer wait promptly
			b.Close()
			if err := <-received; err == nil {
				t.Error("a packet has come from a closed connection")
			}
			a.Close()
		})
	}
}
