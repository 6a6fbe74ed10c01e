//go:build !unix

package main

import (
	"os"
	"os/exec"
)

// apart needs process groups. Programs that use a device need Linux besides.
func apart(*exec.Cmd) {}

// signalGroup ends a program, where it can be sent nothing else.
func signalGroup(p *os.Process, _ os.Signal) { _ = p.Kill() }
