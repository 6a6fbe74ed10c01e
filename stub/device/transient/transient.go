// Package transient has what ends with this process, however that ends, by a signal that cannot be caught
// too: folders of temporary files ([Make]), and commands ([Start], [Run]). It knows nothing of what they are
// for.
package transient

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// A Folder is a folder of temporary files. Path is where it is.
type Folder struct {
	Path string

	keeper *exec.Cmd // a shell that removes the folder when nobody holds the pipe any more
	hold   io.Closer
}

// keep is the shell's script. What a terminal or a service manager sends to all processes does not keep it
// from its work.
const keep = `trap '' INT TERM HUP QUIT; mkdir -p -m 700 -- "$0" && echo made && cat >/dev/null; rm -rf -- "$0"`

// Make makes a folder in another one, "" for that of the system's temporary files; its name begins with
// prefix.
func Make(parent, prefix string) (*Folder, error) {
	if parent == "" {
		parent = os.TempDir()
	}
	var random [8]byte
	if _, err := rand.Read(random[:]); err != nil {
		return nil, err
	}
	path, err := filepath.Abs(filepath.Join(parent, prefix+hex.EncodeToString(random[:])))
	if err != nil {
		return nil, err
	}
	f := &Folder{Path: path, keeper: exec.Command("/bin/sh", "-c", keep, path)}
	var why strings.Builder
	f.keeper.Stderr = &why
	if f.hold, err = f.keeper.StdinPipe(); err != nil {
		return nil, err
	}
	said, err := f.keeper.StdoutPipe()
	if err == nil {
		err = f.keeper.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("a folder for temporary files: %w", err)
	}
	if _, err := said.Read(make([]byte, 1)); err != nil {
		f.Remove()
		return nil, fmt.Errorf("a folder for temporary files: %s", strings.TrimSpace(why.String()))
	}
	return f, nil
}

// Remove removes the folder and what is in it.
func (f *Folder) Remove() {
	_ = f.hold.Close()
	_ = f.keeper.Wait()
}

// Run runs a command to its end, as its own Run does. The command ends with this process.
func Run(c *exec.Cmd) error {
	wait, err := Start(c)
	if err != nil {
		return err
	}
	return wait()
}

// Start starts a command that ends with this process. What it gives waits for the command, and has to be
// called.
func Start(c *exec.Cmd) (wait func() error, err error) {
	dieWithParent(c)
	started, ended := make(chan error), make(chan error, 1)
	go func() {
		runtime.LockOSThread() // the command dies with the thread that started it
		defer runtime.UnlockOSThread()
		err := c.Start()
		started <- err
		if err == nil {
			ended <- c.Wait()
		}
	}()
	return func() error { return <-ended }, <-started
}
