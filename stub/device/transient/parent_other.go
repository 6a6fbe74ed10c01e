//go:build !linux

package transient

import "os/exec"

// dieWithParent needs Linux, as the device service does.
func dieWithParent(*exec.Cmd) {}
