package device

import (
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"syscall"
	"time"
	"unsafe"
)

// Of Linux's memfd_create(2) and fcntl(2), which package syscall lacks.
const (
	memfdCloexec, memfdAllowSealing = 1, 2
	addSeals                        = 1033
	sealAll                         = 1 | 2 | 4 // the seals, shrinking, growing
	punchHole                       = 1 | 2     // FALLOC_FL_KEEP_SIZE, FALLOC_FL_PUNCH_HOLE
)

// clock is the time by CLOCK_MONOTONIC, which the client has too.
func clock() time.Duration {
	const monotonic = 1
	var t syscall.Timespec
	_, _, _ = syscall.Syscall(syscall.SYS_CLOCK_GETTIME, monotonic, uintptr(unsafe.Pointer(&t)), 0)
	return time.Duration(t.Nano())
}

// A shared is memory that can be given to another process. It has no name, and
// takes room only where it has been written to.
type shared struct {
	data []byte
	file *os.File
}

// newShared makes shared memory of a size that nobody can change.
func newShared(name string, size int64) (*shared, error) {
	text, err := syscall.BytePtrFromString(name)
	if err != nil {
		return nil, err
	}
	if memfdCreate == 0 {
		return nil, fmt.Errorf("shared memory on %s: %w", runtime.GOARCH, errors.ErrUnsupported)
	}
	fd, _, e := syscall.Syscall(memfdCreate, uintptr(unsafe.Pointer(text)), memfdCloexec|memfdAllowSealing, 0)
	if e != 0 {
		return nil, fmt.Errorf("shared memory: %w", e)
	}
	s := &shared{file: os.NewFile(fd, name)}
	if err = s.file.Truncate(size); err == nil {
		if _, _, e = syscall.Syscall(syscall.SYS_FCNTL, fd, addSeals, sealAll); e != 0 {
			err = e
		}
	}
	if err == nil {
		s.data, err = syscall.Mmap(int(fd), 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE,
			syscall.MAP_SHARED|syscall.MAP_NORESERVE)
	}
	if err != nil {
		s.file.Close()
		return nil, fmt.Errorf("shared memory of %d bytes: %w", size, err)
	}
	return s, nil
}

// forget gives the memory of some bytes back: they are zeros.
func (s *shared) forget(off, size int64) {
	if err := syscall.Fallocate(int(s.file.Fd()), punchHole, off, size); err != nil {
		clear(s.data[off : off+size])
	}
}

// close gives all of it back. Nothing may refer to data any more.
func (s *shared) close() error {
	return errors.Join(syscall.Munmap(s.data), s.file.Close())
}

// send sends bytes with the right to use the memory.
func (s *shared) send(c *net.UnixConn, b []byte) error {
	n, _, err := c.WriteMsgUnix(b, syscall.UnixRights(int(s.file.Fd())), nil)
	if err == nil && n < len(b) {
		_, err = c.Write(b[n:])
	}
	return err
}

// sameUser reports whether whoever connected is the user that the service
// belongs to.
func sameUser(c *net.UnixConn) (bool, error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return false, err
	}
	var cred *syscall.Ucred
	var failed error
	err = raw.Control(func(fd uintptr) {
		cred, failed = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	})
	if err = errors.Join(err, failed); err != nil {
		return false, err
	}
	return int(cred.Uid) == os.Getuid(), nil
}
