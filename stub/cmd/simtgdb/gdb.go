package main

import (
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"simtgdb/rsp"
	"simtgdb/stub"
	"simtgdb/stub/device/transient"
)

// gdbCommand starts gdb, connected to a session, as its user would by hand, with what makes that pleasant.
func gdbCommand(args []string, std stdio) int {
	var own []string // gdb's
	if i := slices.Index(args, "--"); i >= 0 {
		args, own = args[:i], args[i+1:]
	}
	set := newFlags("gdb")
	f := newServeFlags(set, std, stub.AlwaysStop)
	program := set.String("gdb", "gdb", "start this gdb, a `PROGRAM` of the PATH or a file")
	if len(args) == 1 && slices.Contains(versionWords[1:], args[0]) {
		fmt.Fprintln(std.out, version())
		args, own = nil, []string{"--version"}
	}
	rest, status, done := parse(set, args, std)
	if done {
		return status
	}
	if asksGDBAlone(own) && len(rest) == 0 {
		status, err := askGDB(*program, own, std)
		if err != nil {
			return fail(std, "gdb", err)
		}
		return status
	}
	sessions, err := f.sessions(rest)
	if err != nil {
		return fail(std, "gdb", err)
	}
	if err := gdbIsThere(*program); err != nil {
		return fail(std, "gdb", err)
	}
	status, err = f.debug(*program, own, sessions, std)
	if err != nil {
		return fail(std, "gdb", err)
	}
	return status
}

// gdbIsThere says how to get a gdb, if there is none.
func gdbIsThere(program string) error {
	if _, err := exec.LookPath(program); err != nil {
		return fmt.Errorf("%w (Debian: apt-get install gdb)", err)
	}
	return nil
}

// askGDB runs gdb with arguments that ask what it is.
func askGDB(program string, args []string, std stdio) (status int, err error) {
	if err := gdbIsThere(program); err != nil {
		return 0, err
	}
	c := exec.Command(program, args...)
	c.Stdin, c.Stdout, c.Stderr = std.in, std.out, std.err
	status, _, err = statusOf(c.Run())
	return status, err
}

// debug serves one gdb that it starts, and gives that gdb's exit status. What is wrong with the launch is
// said before there is a gdb.
func (f *serveFlags) debug(program string, own []string, sessions *sessions, std stdio) (
	status int, err error) {
	sessions.list, sessions.refusals = strings.Fields(f.list), &refusals{out: std.err}
	if err := f.writePages(sessions); err != nil {
		return 0, err
	}
	if _, err := f.begin(sessions); err != nil {
		return 0, err
	}
	folder, err := newGDBFolder(program)
	if err != nil {
		return 0, err
	}
	defer folder.Remove()
	folder.sources.write(sessions.current.Source())
	if err := f.launch.WriteDemo(folder.sources.folder); err != nil {
		return 0, err
	}
	ln, err := waiting{address: folder.address()}.listener()
	if err != nil {
		return 0, err
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() {
		served <- rsp.Serve(ctx, ln, func(context.Context) (rsp.Target, error) {
			return await(ctx, sessions.next)
		}, f.options(sessions, std))
	}()
	args := slices.Concat(folder.arguments(), folder.connect("extended-remote", ln.Addr().String()), own)
	status, err = runGDB(program, args)
	stop()
	if e := <-served; e != nil && !errors.Is(e, context.Canceled) && err == nil {
		err = e
	}
	return status, errors.Join(err, sessions.save())
}

// runGDB runs gdb with the terminal's input and output. Ctrl-C, which all processes of the terminal get, is
// for gdb to act on, and what would end this process ends gdb.
func runGDB(program string, args []string) (status int, err error) {
	c := exec.Command(program, args...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	c.Env = append(os.Environ(), "DEBUGINFOD_URLS=") // no server has anything of a kernel: gdb need not ask
	signals := make(chan os.Signal, len(passed))
	for _, s := range passed {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	defer signal.Stop(signals)
	wait, err := transient.Start(c)
	if err != nil {
		return 0, err
	}
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		for {
			select {
			case s := <-signals:
				if s != os.Interrupt {
					_ = c.Process.Signal(s)
				}
			case <-ended:
				return
			}
		}
	}()
	status, _, err = statusOf(wait())
	return status, err
}

// A gdbFolder has the files of a gdb that this program starts: the socket, the script and sources that only
// modules have. It goes when the program does.
type gdbFolder struct {
	*transient.Folder
	sources *moduleSources
	script  string // "" for a gdb without Python
}

// newGDBFolder makes the folder for a gdb.
func newGDBFolder(program string) (*gdbFolder, error) {
	f := &gdbFolder{}
	var err error
	if f.Folder, err = transient.Make("", "simtgdb-gdb-"); err != nil {
		return nil, err
	}
	if f.sources, err = newModuleSources(f.Path); err == nil && hasPython(program) {
		f.script = filepath.Join(f.Path, "simtgdb.py")
		err = os.WriteFile(f.script, []byte(pythonScript()), 0o600)
	}
	if err != nil {
		f.Remove()
		return nil, err
	}
	return f, nil
}

// hasPython reports whether a gdb can run scripts in Python. One that Python's library is linked with need
// not be asked, which would take as long as gdb takes to start.
func hasPython(program string) bool {
	if path, err := exec.LookPath(program); err == nil && linksPython(path) {
		return true
	}
	out, err := exec.Command(program, "--configuration").Output()
	return err == nil && strings.Contains(string(out), "--with-python")
}

// linksPython reports whether a file is a program that Python's library is linked with.
func linksPython(path string) bool {
	f, err := elf.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	libraries, err := f.ImportedLibraries()
	return err == nil &&
		slices.ContainsFunc(libraries, func(l string) bool { return strings.HasPrefix(l, "libpython") })
}

// address is where gdb is waited for, as --listen has it.
func (f *gdbFolder) address() string { return unixPrefix + filepath.Join(f.Path, socketName) }

// arguments are gdb's first ones.
func (f *gdbFolder) arguments() []string {
	args := []string{"-q", "-iex", "set print thread-events off", "-iex", "set confirm off", "-iex",
		f.sources.setting()}
	if f.script != "" {
		args = append(args, "-ix", f.script)
	}
	return args
}

// connect are the arguments by which gdb connects to an address, without a word of how, if the script is
// there.
func (f *gdbFolder) connect(target, address string) []string {
	command := "target " + target + " " + address
	if f.script != "" {
		command = "simtgdb-quietly " + command
	}
	return []string{"-ex", command}
}
