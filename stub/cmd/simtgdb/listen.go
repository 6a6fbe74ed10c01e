package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"simtgdb/loader/printable"
	"simtgdb/rsp"
)

// The protocol has no protection of its own: whoever connects reads and writes the kernel's memory. Where
// nobody says otherwise gdb is waited for at a socket in a folder that its user alone can enter.

// socketName is the file of the socket that is listened at if the user names none.
const socketName = "simtgdb.sock"

// unixPrefix is how --listen names a socket in the file system. gdb's target remote takes the path alone.
const unixPrefix = "unix:"

// maxSocketPath is how many bytes the name of a socket may have: sun_path of unix(7), less its end.
const maxSocketPath = 107

// listenUsage describes --listen.
func listenUsage() string {
	return "wait for gdb at `ADDRESS`: unix:PATH, a socket that only its user can connect to, or " +
		"HOST:PORT, which every user of this machine can (default " + defaultListen() + ")"
}

// A waiting is where gdb is waited for: the address of --listen, "" for the default.
type waiting struct {
	address  string
	anywhere bool
}

// listener waits there, if only this machine can reach that or the user wants others to.
func (w waiting) listener() (net.Listener, error) {
	address := w.address
	if address == "" {
		if err := makePrivate(defaultListen()); err != nil {
			return nil, err
		}
		address = defaultListen()
	}
	if path, ok := strings.CutPrefix(address, unixPrefix); ok {
		return listenSocket(path)
	}
	addr, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("--listen %w: want HOST:PORT, as 127.0.0.1:1234, or unix:PATH", err)
	}
	if !addr.IP.IsLoopback() && !w.anywhere {
		return nil,
			fmt.Errorf("--listen %q can be reached from other machines, and the protocol has no protection: "+
				"name a loopback address such as 127.0.0.1:1234, or a socket such as "+
				"unix:/run/user/1000/simtgdb.sock, or add --listen-anywhere", w.address)
	}
	ln, err := net.ListenTCP("tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%w: another program waits there; with --listen %s the system chooses a "+
			"free port, which is printed", err, net.JoinHostPort(addr.IP.String(), "0"))
	}
	return ln, err
}

// listenSocket waits at a socket that its user alone can connect to. One that a server has left, which was
// killed, is taken away.
func listenSocket(path string) (net.Listener, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if len(path) > maxSocketPath {
		return nil, fmt.Errorf("--listen %s%s: the name of a socket has at most %d bytes, not %d", unixPrefix,
			printable.Name(path), maxSocketPath, len(path))
	}
	switch info, err := os.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case info.Mode().Type() != fs.ModeSocket:
		return nil, fmt.Errorf("--listen %s%s: there is a file of that name, which is no socket", unixPrefix,
			printable.Name(path))
	default:
		c, err := net.DialTimeout("unix", path, time.Second)
		if err == nil {
			c.Close()
			return nil,
				fmt.Errorf("another server waits at %s: end it, or name another socket with --listen %sPATH",
					printable.Name(path), unixPrefix)
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	return listenPrivately(path)
}

// refusals tells the user what was refused to clients, whose number others choose: the first toldRefusals a
// line each, then how many there were, at each power of ten.
type refusals struct {
	out   io.Writer
	mu    sync.Mutex
	count int
}

const toldRefusals = 10

// tell tells of one more.
func (r *refusals) tell(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count++
	if r.count <= toldRefusals {
		fmt.Fprintf(r.out, "simtgdb: %s\n", printable.Line(text))
	}
	n := r.count
	for n%10 == 0 {
		n /= 10
	}
	if n == 1 && r.count >= toldRefusals {
		fmt.Fprintf(r.out, "simtgdb: clients were refused something %d times so far; the next are counted\n",
			r.count)
	}
}

// turnedAway tells of a client that does not speak the protocol.
func (r *refusals) turnedAway(_ net.Addr, err *rsp.ForeignError) {
	r.tell(fmt.Sprintf("turned a client away: %v", err))
}
