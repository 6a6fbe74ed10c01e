//go:build unix

package main

import (
	"os"
	"os/exec"
	"syscall"
)

// apart has a program start in a process group of its own: signals of the terminal are not for it.
func apart(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// interruptGroup interrupts a program that was started apart, and what it has started.
func interruptGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGINT) }
