package main

import (
	"os/exec"
	"runtime"
	"syscall"
)

// init keeps what starts servers on the thread that they end with.
func init() { runtime.LockOSThread() }

// endsWithParent has a command end when this process does.
func endsWithParent(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
