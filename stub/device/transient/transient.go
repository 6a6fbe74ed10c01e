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
)

// A Folder is a folder of temporary files. Path is where it is.
type Folder struct {
	Path string

	keeper *exec.Cmd // a shell that removes the folder when nobody holds the pipe any more
	hold   io.Closer
}

// keep is the shell's script. It waits for the end of a pipe that nobody writes to. What a terminal or a
// service manager sends to all processes does not keep it from its work. While all goes well it starts no
// process: the folder is made, and removed, by this one.
const keep = `trap '' INT TERM HUP QUIT; echo ready; while read -r _; do :; done
[ ! -e "$0" ] || rm -rf -- "$0"`

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
	f := &Folder{Path: path}
	if err := f.create(); err != nil {
		return nil, fmt.Errorf("a folder for temporary files: %w", err)
	}
	return f, nil
}

// create makes the folder when the shell is ready to remove it.
func (f *Folder) create() error {
	f.keeper = exec.Command("/bin/sh", "-c", keep, f.Path)
	said, err := f.keeper.StdoutPipe()
	if err != nil {
		return err
	}
	if f.hold, err = f.keeper.StdinPipe(); err != nil {
		return err
	}
	if err := f.keeper.Start(); err != nil {
		return err
	}
	_, err = said.Read(make([]byte, 1))
	if err == nil {
		err = os.MkdirAll(filepath.Dir(f.Path), 0o777)
	}
	if err == nil {
		err = os.Mkdir(f.Path, 0o700)
	}
	if err != nil {
		f.Remove()
	}
	return err
}

// Remove removes the folder and what is in it. What it cannot remove the shell tries to.
func (f *Folder) Remove() {
	_ = os.RemoveAll(f.Path)
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
