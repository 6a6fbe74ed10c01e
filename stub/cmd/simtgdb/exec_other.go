//go:build !linux

package main

import "syscall"

// dieWithParent needs Linux, as the device service does.
func dieWithParent() *syscall.SysProcAttr { return nil }
