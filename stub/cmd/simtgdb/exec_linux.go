package main

import "syscall"

// dieWithParent makes a process end when the thread that started it does. aside
// keeps it out of what the terminal sends.
func dieWithParent(aside bool) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: aside}
}
