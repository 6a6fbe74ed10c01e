//go:build unix

package main

import (
	"os"
	"os/exec"
	"syscall"
)

// apart has a program start in a process group of its own: signals of the terminal are not for it.
func apart(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// signalGroup sends a signal to a program that was started apart, and to what it has started.
func signalGroup(p *os.Process, s os.Signal) {
	if number, ok := s.(syscall.Signal); ok {
		_ = syscall.Kill(-p.Pid, number)
	}
}
