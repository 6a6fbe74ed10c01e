//go:build !linux

package device

import (
	"errors"
	"net"
	"time"
)

// A shared is memory that can be given to another process: on Linux alone.
type shared struct{ data []byte }

var errLinux = errors.New("the device service needs Linux (memfd_create)")

func newShared(string, int64) (*shared, error) { return nil, errLinux }

func (*shared) forget(int64, int64) {}

func (*shared) close() error { return nil }

func (*shared) send(*net.UnixConn, []byte) error { return errLinux }

func sameUser(*net.UnixConn) (bool, error) { return false, errLinux }

var start = time.Now()

func clock() time.Duration { return time.Since(start) }
