package rsp

import (
	"errors"
	"fmt"
)

// Errno is an error number of the protocol. Those with a name are the ones that
// the File-I/O extension defines (gdb manual, "Errno Values"); other packets
// borrow them. An error of a Target that wraps an Errno is reported with that
// number, any other one with EIO.
type Errno uint16

// Error numbers.
const (
	EPERM        Errno = 1
	ENOENT       Errno = 2
	EINTR        Errno = 4
	EIO          Errno = 5
	EBADF        Errno = 9
	EACCES       Errno = 13
	EFAULT       Errno = 14
	EBUSY        Errno = 16
	ENODEV       Errno = 19
	EINVAL       Errno = 22
	EMFILE       Errno = 24
	EFBIG        Errno = 27
	EROFS        Errno = 30
	ENOSYS       Errno = 88
	ENAMETOOLONG Errno = 91
)

var errnoTexts = map[Errno]string{
	EPERM:        "operation not permitted",
	ENOENT:       "no such file or object",
	EINTR:        "interrupted",
	EIO:          "input/output error",
	EBADF:        "bad file descriptor",
	EACCES:       "permission denied",
	EFAULT:       "bad address",
	EBUSY:        "busy",
	ENODEV:       "no such thread or device",
	EINVAL:       "malformed or invalid argument",
	EMFILE:       "too many open files",
	EFBIG:        "too large",
	EROFS:        "read-only",
	ENOSYS:       "not implemented",
	ENAMETOOLONG: "name too long",
}

func (e Errno) Error() string {
	if text, ok := errnoTexts[e]; ok {
		return text
	}
	return fmt.Sprintf("error %d", uint16(e))
}

// Errorf makes an error with words: the number is for the protocol, the words for clients that understand
// them.
func (e Errno) Errorf(format string, args ...any) error {
	return fmt.Errorf("%w: %s", e, fmt.Sprintf(format, args...))
}

// errnoOf gives the number with which an error is reported.
func errnoOf(err error) Errno {
	var e Errno
	if errors.As(err, &e) {
		return e
	}
	return EIO
}

// errUnsupported makes the dispatcher give the empty reply.
var errUnsupported = errors.New("packet is not supported")

// How a connection ends, to be found with errors.Is.
var (
	// ErrDisconnected: the client went away without detaching or killing.
	ErrDisconnected = errors.New("client disconnected")
	// ErrKilled: the client killed the program.
	ErrKilled = errors.New("client killed the program")
	// ErrProtocol: the client broke the protocol beyond repair.
	ErrProtocol = errors.New("protocol violation")
	// ErrTooLong: a packet was longer than the limit. Conn.Receive returns it
	// for the packet that was dropped; the connection goes on.
	ErrTooLong = errors.New("packet is too long")
)
