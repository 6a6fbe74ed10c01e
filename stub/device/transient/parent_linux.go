package transient

import (
	"os/exec"
	"syscall"
)

// dieWithParent makes a command end when the thread that starts it does.
func dieWithParent(c *exec.Cmd) {
	if c.SysProcAttr == nil {
		c.SysProcAttr = &syscall.SysProcAttr{}
	}
	c.SysProcAttr.Pdeathsig = syscall.SIGKILL
}
