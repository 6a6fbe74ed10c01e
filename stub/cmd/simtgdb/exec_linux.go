package main

import "syscall"

// dieWithParent makes a process end when the thread that started it does.
func dieWithParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
