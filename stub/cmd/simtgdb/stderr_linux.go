package main

import (
	"os"
	"path/filepath"
	"syscall"
)

// leaveStandardError lets go of standard error where that is a socket, as it is for a command of gdb's
// `target remote |`. After each byte of the protocol gdb looks whether there is something to read from it,
// with a system call, until it is at its end (ser-base.c, generic_readchar): in gdb 13.1 two thirds of its
// time, and nine tenths where there are 16 384 lanes. What is written there from then on, and what a fault of
// Go's runtime says, is added to a file of the cache.
func leaveStandardError() {
	var is syscall.Stat_t
	if syscall.Fstat(syscall.Stderr, &is) != nil || is.Mode&syscall.S_IFMT != syscall.S_IFSOCK {
		return
	}
	file := kept("stderr.txt")
	if file == "" || os.MkdirAll(filepath.Dir(file), 0o777) != nil {
		return // it stays, and gdb works as slowly as with any other program
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return
	}
	defer f.Close()
	// A shell that has started this process and waits for it, as dash does, has the socket too.
	_ = syscall.Shutdown(syscall.Stderr, syscall.SHUT_WR)
	_ = syscall.Dup3(int(f.Fd()), syscall.Stderr, 0) // or it stays
}
