// Package installed finds the programs that tests ask, whose absence skips a test, and takes apart what they
// say of several files. It is for tests alone; its entry points are [Tool] and [Each].
package installed

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
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

// Each gives what a tool of LLVM says of each of some files, of which it says the names and formats first. To
// ask of all at once spares starts of the tool, which take longer than most of what is asked.
func Each(text string, files []string) (texts []string, err error) {
	begins := 0
	for i, file := range files {
		heading := file + ":\tfile format "
		at := strings.Index(text[begins:], heading)
		if at < 0 {
			return nil, fmt.Errorf("nothing is said of %s", file)
		}
		at += begins
		if i > 0 {
			line := strings.LastIndex(text[:at], "\n") + 1 // the heading may begin with a word of the tool's
			texts = append(texts, text[begins:max(begins, line)])
		}
		begins = at + len(heading)
	}
	return append(texts, text[begins:]), nil
}
