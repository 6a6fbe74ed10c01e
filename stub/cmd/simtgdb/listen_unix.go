//go:build unix

package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"simtgdb/loader/printable"
)

// defaultListen is where gdb is waited for if the user says nothing: a socket in the user's runtime folder
// (XDG Base Directory Specification, $XDG_RUNTIME_DIR), or in one of this program's where there is none.
func defaultListen() string {
	folder := os.Getenv("XDG_RUNTIME_DIR")
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		folder = filepath.Join(os.TempDir(), "simtgdb-"+strconv.Itoa(os.Getuid()))
	}
	return unixPrefix + filepath.Join(folder, socketName)
}

// makePrivate makes the folder of the default socket, if it is this program's to make, and refuses one that
// others can enter: somebody else may have made it first, to be connected to in the user's place.
func makePrivate(address string) error {
	folder := filepath.Dir(strings.TrimPrefix(address, unixPrefix))
	if folder == os.Getenv("XDG_RUNTIME_DIR") {
		return nil
	}
	if err := os.Mkdir(folder, 0o700); err != nil && !os.IsExist(err) {
		return err
	}
	info, err := os.Lstat(folder)
	if err != nil {
		return err
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || info.Mode().Perm()&0o077 != 0 || !ok || int(owner.Uid) != os.Getuid() {
		return fmt.Errorf("%s is not a folder that you alone can enter: remove it, or name a socket with "+
			"--listen %sPATH", printable.Name(folder), unixPrefix)
	}
	return nil
}

// listenPrivately makes a socket of mode 0600. The mode is that from the beginning: who connects before it is
// changed would stay connected.
func listenPrivately(path string) (net.Listener, error) {
	old := syscall.Umask(0o177)
	defer syscall.Umask(old)
	return net.Listen("unix", path)
}
