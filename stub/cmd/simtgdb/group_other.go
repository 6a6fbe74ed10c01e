//go:build !unix

package main

import (
	"os"
	"os/exec"
)

// apart needs process groups. Programs that use a device need Linux besides.
func apart(*exec.Cmd) {}

// interruptGroup ends a program, where none can be interrupted.
func interruptGroup(p *os.Process) { _ = p.Kill() }
