// Package installed finds the programs that tests ask, whose absence skips a test. It is for tests alone; its
// entry point is [Tool].
package installed

import (
	"fmt"
	"os/exec"
	"path/filepath"
)

// Tool is the path of a program. It is an error if the program is not installed, or if all that is there is
// a proxy of rustup's which has no compiler of Rust to pass its arguments to.
func Tool(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil || filepath.Base(path) != "rustc" {
		return path, err
	}
	if err := exec.Command(path, "--version").Run(); err != nil {
		return "", fmt.Errorf("%s has no compiler: %w", path, err)
	}
	return path, nil
}
