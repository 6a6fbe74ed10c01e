//go:build !linux

package main

import "syscall"

// dieWithParent needs Linux, as the device service does.
func dieWithParent(bool) *syscall.SysProcAttr { return nil }
