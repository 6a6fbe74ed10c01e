// Command forkedllvm runs a command for which to start LLVM's tools, clang and lld among them, takes less
// than half of the time: to load their libraries and to bind them takes longer than most of what tests ask of
// them. Each tool starts once, as a server that waits before its main function and forks for each client
// (src), and clients stand before the tools in the PATH. Tools are the installed ones, and do what they do
// when they are started plainly. Clients that find no server become the tools.
//
// Where there is no C compiler, and on systems other than Linux, the command runs with tools as they are.
package main

import (
	"context"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// src are what clients and servers are made of.
//
//go:embed src
var src embed.FS

// names are those by which tools are started. Those without a version are what clang calls itself and its
// linker; they are no clients in the PATH.
var names = []string{"clang-22", "clang++-22", "clang", "ld.lld-22", "ld.lld", "llvm-mc-22", "llc-22",
	"llvm-dwarfdump-22", "llvm-objcopy-22", "llvm-objdump-22", "llvm-readelf-22", "llvm-link-22"}

// A tool is what is installed under a name.
type tool struct {
	name string // as above
	file string // what it is a link to
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: forkedllvm COMMAND [ARGUMENT]...")
		os.Exit(2)
	}
	os.Exit(run(names, os.Args[1:]))
}

// run runs a command among servers of tools, and gives its exit status.
func run(names, command []string) int {
	s := &servers{}
	defer s.end()
	env, err := s.start(names)
	if err != nil {
		fmt.Fprintf(os.Stderr, "forkedllvm: %v: LLVM's tools start as they do\n", err)
	}
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt) // which the command gets, too
	c := exec.Command(command[0], command[1:]...)
	c.Env = append(os.Environ(), env...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = c.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.Exited():
		return exit.ExitCode()
	case err != nil:
		fmt.Fprintf(os.Stderr, "forkedllvm: %v\n", err)
		return 1
	}
	return 0
}

// servers are the running ones.
type servers struct {
	sockets string // the folder of their sockets
	started []*exec.Cmd
}

// start starts a server for each of some tools that is installed. It gives the variables by which they are
// reached.
func (s *servers) start(names []string) (env []string, err error) {
	tools := installed(names)
	if runtime.GOOS != "linux" || len(tools) == 0 {
		return nil, errors.ErrUnsupported
	}
	folder, err := clients(tools)
	if err != nil {
		return nil, err
	}
	if s.sockets, err = os.MkdirTemp("", "simtgdb-forked-"); err != nil {
		return nil, err
	}
	served := map[string]string{} // sockets by what servers run
	for _, t := range tools {
		if first, ok := served[t.file]; ok {
			err = os.Symlink(first, filepath.Join(s.sockets, t.name))
		} else {
			served[t.file] = t.name
			err = s.serve(t, folder)
		}
		if err != nil {
			return nil, err
		}
	}
	path := filepath.Join(folder, "bin") + string(filepath.ListSeparator) + os.Getenv("PATH")
	return []string{"FORKEDLLVM=" + s.sockets, "PATH=" + path}, nil
}

// serve starts the server of a tool.
func (s *servers) serve(t tool, folder string) error {
	at := &net.UnixAddr{Name: filepath.Join(s.sockets, t.name), Net: "unix"}
	l, err := net.ListenUnix("unix", at)
	if err != nil {
		return err
	}
	l.SetUnlinkOnClose(false)
	defer l.Close()
	f, err := l.File()
	if err != nil {
		return err
	}
	defer f.Close()
	c := exec.Command(t.file)
	c.ExtraFiles = []*os.File{f}
	const first = 3 // the number of the first of these files
	c.Env = append(os.Environ(), "LD_BIND_NOW=1", "LD_PRELOAD="+filepath.Join(folder, "own", "server.so"),
		"FORKEDLLVM_LISTEN="+strconv.Itoa(first), "FORKEDLLVM_CLIENTS="+filepath.Join(folder, "own"))
	endsWithParent(c)
	if err := c.Start(); err != nil {
		return err
	}
	s.started = append(s.started, c)
	return nil
}

// end ends all servers, and with them what they have forked.
func (s *servers) end() {
	for _, c := range s.started {
		_ = c.Process.Kill()
		_ = c.Wait()
	}
	if s.sockets != "" {
		_ = os.RemoveAll(s.sockets)
	}
}

// installed are those of some tools that are installed.
func installed(names []string) (tools []tool) {
	for _, name := range names {
		versioned := name
		if !strings.HasSuffix(name, "-22") {
			versioned += "-22"
		}
		path, err := exec.LookPath(versioned)
		if err != nil {
			continue
		}
		if file, err := filepath.EvalSymlinks(path); err == nil {
			tools = append(tools, tool{name, file})
		}
	}
	return tools
}

// clients is the folder of clients: bin are those for the PATH; own has the programs and a client for each
// name, and real the tools. It is kept, and is another one for other tools, since tests keep what they
// compile until the compiler's path, size or age are others.
func clients(tools []tool) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for _, t := range tools {
		info, err := os.Stat(t.file)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(h, t.name, t.file, info.Size(), info.ModTime())
	}
	texts, err := fs.Glob(src, "src/*")
	if err != nil {
		return "", err
	}
	for _, name := range texts {
		text, err := src.ReadFile(name)
		if err != nil {
			return "", err
		}
		h.Write(text)
	}
	const digits = 8
	folder := filepath.Join(cache, "simtgdb-tests", "forkedllvm", fmt.Sprintf("%x", h.Sum(nil)[:digits]))
	if _, err := os.Stat(folder); err == nil {
		return folder, nil
	}
	return folder, makeClients(folder, tools)
}

// makeClients makes the folder of clients. Another may be about to do so.
func makeClients(folder string, tools []tool) error {
	if err := os.MkdirAll(filepath.Dir(folder), 0o777); err != nil {
		return err
	}
	work, err := os.MkdirTemp(filepath.Dir(folder), "new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := os.CopyFS(work, src); err != nil {
		return err
	}
	own := filepath.Join(work, "own")
	if err := errors.Join(os.Mkdir(own, 0o777), os.Mkdir(filepath.Join(work, "bin"), 0o777),
		os.Mkdir(filepath.Join(work, "real"), 0o777)); err != nil {
		return err
	}
	for _, args := range [][]string{{"-shared", "-fPIC", "src/server.c", "-o", "own/server.so"},
		{"-static", "src/client.c", "-o", "own/client"}} {
		c := exec.CommandContext(context.Background(), "gcc", slices.Insert(args, 0, "-O1")...)
		c.Dir = work
		if said, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("gcc: %w\n%s", err, said)
		}
	}
	for _, t := range tools {
		err := errors.Join(os.Symlink("client", filepath.Join(own, t.name)),
			os.Symlink(t.file, filepath.Join(work, "real", t.name)))
		if strings.HasSuffix(t.name, "-22") {
			err = errors.Join(err, os.Symlink("../own/client", filepath.Join(work, "bin", t.name)))
		}
		if err != nil {
			return err
		}
	}
	if err := os.Rename(work, folder); err != nil {
		if _, there := os.Stat(folder); there != nil {
			return err
		}
	}
	return nil
}
