package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"simtgdb/loader/printable"
	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub"
	"simtgdb/stub/facade"
	"simtgdb/stub/launch"
)

// serveFlags are the flags of serve besides those that say what to launch.
type serveFlags struct {
	launch *launch.Flags
	waiting
	stdio     bool
	debugRSP  bool
	resident  int
	interpret *bool
	facade    string
	history   size
	sources   bool
	record    recordFlags
	list      string
	symbols   string
	html      string
	pictures  string
	checks    checkFlags
	atEnd     endStop
}

// register adds the flags that serve and replay have.
func (f *serveFlags) register(set *flag.FlagSet) {
	f.registerWhere(set)
	f.registerHow(set)
}

// registerWhere adds those that say where gdb is waited for.
func (f *serveFlags) registerWhere(set *flag.FlagSet) {
	set.StringVar(&f.address, "listen", "", listenUsage())
	set.BoolVar(&f.anywhere, "listen-anywhere", false,
		"let --listen name an address that other machines can reach: "+
			"whoever does can read and write the memory of the kernel, without a password")
	set.BoolVar(&f.sources, "sources", false,
		"serve the sources to gdb too, as debuginfod does, on a port of this machine, and print how gdb is "+
			"told")
	set.BoolVar(&f.stdio, "stdio", false,
		"serve one gdb on standard input and output: target remote | simtgdb serve --stdio …")
}

const picturesUsage = "let monitor image write pictures into `FOLDER`: without it nothing that a client " +
	"says writes a file"

// registerHow adds those that say how the session is.
func (f *serveFlags) registerHow(set *flag.FlagSet) {
	set.BoolVar(&f.debugRSP, "debug-rsp", false, "log every packet to standard error")
	set.StringVar(&f.symbols, "symbols", "",
		"write the symbol file that gdb is shown to `FILE` at first, for editors that want a program's file")
	set.StringVar(&f.html, "html", "",
		"write a page to `FILE` that shows where lanes stand, anew at each stop, and in the end what the "+
			"launch costs by line; --source says where sources are")
	set.StringVar(&f.pictures, "pictures", "", picturesUsage)
	set.StringVar(&f.list, "list", "all",
		"which lanes gdb is told of at first, as `WHAT` of monitor list: all, active, \"wave N\", "+
			"\"workgroup N\"")
	set.Var(&f.atEnd, "stop-at-end",
		"with a history, stop once more where the program ends, from where one can go back: at which ends, "+
			"as `WHEN`: always, failed (a fault, or a buffer that is not as expected), never")
	f.history = stub.DefaultHistory
	set.Var(&f.history, "history",
		"keep a history, for gdb's commands that go back (reverse-step and the like), "+
			"in `SIZE` bytes (64MiB, 1GiB), or on, or off")
}

func serveCommand(args []string, std stdio) int {
	set := newFlags("serve")
	f := newServeFlags(set, std, stub.FailedStop) // scripts and editors count on the program's exit
	f.registerWhere(set)
	rest, status, done := parse(set, args, std)
	if done {
		return status
	}
	if err := f.check(set); err != nil {
		return fail(std, "serve", err)
	}
	sessions, err := f.sessions(rest)
	if err != nil {
		return fail(std, "serve", err)
	}
	f.stdio = f.stdio || !given(set)["listen"] && onePipe(os.Stdin, os.Stdout)
	return f.serve("serve", sessions, std)
}

// newServeFlags registers the flags of serve but those that say where gdb is waited for.
func newServeFlags(set *flag.FlagSet, std stdio, atEnd stub.EndStop) *serveFlags {
	f := &serveFlags{launch: launchFlags(), atEnd: endStop(atEnd)}
	f.launch.Register(set)
	compileSources(f.launch, set, std.err)
	f.registerHow(set)
	f.interpret = interpretFlag(set)
	set.IntVar(&f.resident, "resident", defaultResident,
		"run as many as `N` waves at a time; later workgroups start when earlier ones have ended")
	set.StringVar(&f.facade, "facade", facade.Host().Name(), "show gdb a program of `CPU`: "+facade.Names())
	f.record.register(set, "write the session to `FILE` when the client has gone, for simtgdb replay")
	f.checks.register(set)
	return f
}

// sessions gives what begins sessions of what the flags, and the words after them, say.
func (f *serveFlags) sessions(rest []string) (*sessions, error) {
	cpu, err := facade.Named(f.facade)
	if err != nil {
		return nil, err
	}
	spec, err := f.launch.Spec(rest)
	if err != nil {
		return nil, err
	}
	if f.resident < 1 {
		return nil, fmt.Errorf("--resident %d: at least one wave must run", f.resident)
	}
	if err := f.record.check(); err != nil {
		return nil, err
	}
	if f.record.to != "" && f.history == 0 {
		return nil, errors.New("--record and --history off exclude each other")
	}
	sessions := &sessions{history: uint64(f.history), record: f.record.to, atEnd: stub.EndStop(f.atEnd)}
	sessions.start = func(args []string) (*stub.Session, error) {
		spec, err := launchOver(f.launch, rest, spec, args)
		if err != nil {
			return nil, err
		}
		p, err := spec.Load()
		if err != nil {
			return nil, err
		}
		ev, err := p.RunBefore(context.Background())
		switch {
		case err != nil:
			return nil, err
		case ev.Kind != simt.EndEvent:
			return nil, fmt.Errorf("a launch before the last fails: %s", p.DescribeFault(ev))
		}
		if !p.Machine.AllAtOnce {
			p.Machine.Resident = f.resident
		}
		p.Machine.Interpret = *f.interpret
		f.checks.prepare(p)
		p.LookFor(f.checks.kinds, nil) // the session executes what comes before the kernel's body
		s, err := stub.New(p, cpu)
		if err == nil {
			s.LookFor(f.checks.kinds)
		}
		if err == nil && f.record.sources {
			sessions.sources = f.record.texts(p, f.checks.folders)
		}
		return s, err
	}
	return sessions, nil
}

// onePipe reports whether input and output are one socket, as gdb gives them to what it starts: target remote
// | simtgdb serve (gdb 13.1, pipe_open). Nobody else would ever read what is written there.
func onePipe(in, out *os.File) bool {
	i, errIn := in.Stat()
	o, errOut := out.Stat()
	return errIn == nil && errOut == nil && i.Mode()&os.ModeSocket != 0 && os.SameFile(i, o)
}

// launchOver is a launch with gdb's arguments for the program, which are flags that say what to launch, but
// name no file that the server's own flags and words do not name.
func launchOver(own *launch.Flags, words []string, spec *launch.Spec, args []string) (*launch.Spec, error) {
	if len(args) == 0 {
		return spec, nil
	}
	flags, set := launchFlags(), newFlags("run")
	flags.Register(set)
	if err := set.Parse(args); err != nil {
		return nil, fmt.Errorf("set args: %w", err)
	}
	if err := flags.Within(set.Args(), own, words); err != nil {
		return nil, fmt.Errorf("set args: %w", err)
	}
	return flags.Over(spec, set.Args())
}

// check says what is wrong with the flags that serve and replay have.
func (f *serveFlags) check(set *flag.FlagSet) error {
	if f.stdio && given(set)["listen"] {
		return errors.New("--stdio and --listen exclude each other")
	}
	return nil
}

// serve serves sessions as the flags say.
func (f *serveFlags) serve(command string, sessions *sessions, std stdio) int {
	sessions.list, sessions.refusals = strings.Fields(f.list), &refusals{out: std.err}
	if err := f.writePages(sessions); err != nil {
		return fail(std, command, err)
	}
	options := f.options(sessions, std)
	if f.stdio {
		return f.serveStdio(command, std, sessions, options)
	}
	_, done, err := f.beginWithSources(sessions, std)
	if err != nil {
		return fail(std, command, err)
	}
	defer done()
	return f.serveClients(command, std, sessions, options)
}

// writePages has the pages and pictures of sessions written, if they are to be.
func (f *serveFlags) writePages(sessions *sessions) error {
	if f.pictures != "" {
		if info, err := os.Stat(f.pictures); err != nil || !info.IsDir() {
			return fmt.Errorf("--pictures: there is no folder %s", printable.Name(f.pictures))
		}
		sessions.pictures = f.pictures
	}
	if f.html == "" {
		return nil
	}
	if f.html == "-" {
		return errors.New("--html -: a page that is written anew needs a file")
	}
	sessions.pages = &sessionPages{file: f.html, folders: f.checks.folders}
	return folderThere(f.html)
}

// options are those of the protocol.
func (f *serveFlags) options(sessions *sessions, std stdio) rsp.Options {
	options := rsp.Options{Foreign: sessions.refusals.turnedAway}
	if f.debugRSP {
		options.Trace = rsp.TraceTo(std.err)
		options.Logf = func(format string, args ...any) {
			fmt.Fprintf(std.err, "simtgdb: "+format+"\n", args...)
		}
	}
	return options
}

// begin begins the first session.
func (f *serveFlags) begin(sessions *sessions) (first served, err error) {
	if first, err = sessions.next(); err != nil || f.symbols == "" {
		return first, err
	}
	return first, os.WriteFile(f.symbols, first.SymbolFile(), 0o666)
}

// beginWithSources begins the first session, with what goes beside it until done.
func (f *serveFlags) beginWithSources(sessions *sessions, std stdio) (first served, done func(), err error) {
	if first, err = f.begin(sessions); err != nil || !f.sources {
		return first, func() {}, err
	}
	server, err := listenForSources(std, sessions.current.Source(),
		func() []byte { return sessions.current.BuildID() })
	if err != nil {
		return served{}, nil, err
	}
	return first, func() { server.Close() }, nil
}

// serveStdio serves one client on standard input and output. It is there already, and waits while the session
// begins.
func (f *serveFlags) serveStdio(command string, std stdio, sessions *sessions, options rsp.Options) int {
	// gdb's Ctrl-C reaches every process of its group; gdb itself passes
	// it on in the protocol.
	signal.Ignore(os.Interrupt)
	begun, done := false, func() {}
	if !f.debugRSP { // nothing is to be told beside the protocol any more
		options.Plain = leaveStandardError
	}
	err := rsp.ServeStarting(context.Background(), rsp.Stdio(os.Stdin, os.Stdout),
		func(context.Context) (first rsp.Target, err error) {
			// What is wrong is said, also if nobody waits any more.
			first, done, err = f.beginWithSources(sessions, std)
			begun = err == nil
			return first, err
		}, options)
	if !begun {
		return fail(std, command, err)
	}
	defer done()
	if err := sessions.save(); err != nil {
		return fail(std, command, err)
	}
	if err != nil && !errors.Is(err, rsp.ErrKilled) {
		return fail(std, command, err)
	}
	return statusDone
}

// defaultResident keeps gdb quick: it looks at every thread at every stop.
const defaultResident = 32

func (f *serveFlags) serveClients(command string, std stdio, sessions *sessions, options rsp.Options) int {
	ln, err := f.listener()
	if err != nil {
		return fail(std, command, err)
	}
	ctx, stop := interruptible(os.Interrupt, syscall.SIGTERM)
	defer stop()
	fmt.Fprintf(std.err, "Waiting for gdb: target remote %v\n", ln.Addr())
	err = rsp.Serve(ctx, ln, func(context.Context) (rsp.Target, error) {
		return await(ctx, sessions.next)
	}, options)
	if err != nil && !errors.Is(err, context.Canceled) {
		return fail(std, command, err)
	}
	return statusDone
}

// sessions gives each client its session: the one that the client before left
// unfinished, or else a new one.
type sessions struct {
	start    func(args []string) (*stub.Session, error)
	history  uint64 // 0: none, or the session has one
	record   string
	sources  map[string][]byte // that a recording is to have
	atEnd    stub.EndStop
	list     []string      // what gdb is told of at first
	pictures string        // the folder for those of monitor image, "" if there is none
	pages    *sessionPages // nil if no page is to be written
	current  *stub.Session

	refusals *refusals
}

// A served session is what a client has. It can ask for another one, and leaves a recording if there is to be
// one.
type served struct {
	*stub.Session
	from *sessions
}

// Close implements io.Closer for rsp.Serve.
func (s served) Close() error { return s.from.save() }

// Restart implements rsp.Restarter: arguments are flags that say what to launch.
func (s served) Restart(arguments []string) (rsp.Target, error) {
	if err := s.from.save(); err != nil {
		return nil, err
	}
	next, err := s.from.begin(arguments)
	if err == nil {
		err = s.sameSymbols(next)
	}
	if err != nil { // gdb up to 15 says only that it could not
		s.from.refusals.tell(fmt.Sprintf("refused what a client wants to run: %v", err))
		return nil, err
	}
	return next, nil
}

// Reattach implements rsp.Restarter.
func (s served) Reattach() (rsp.Target, error) {
	next, err := s.from.next()
	if err != nil {
		return nil, err
	}
	return next, s.sameSymbols(next)
}

// sameSymbols refuses a program that has other symbols than those that gdb has read: gdb reads them only
// when it connects.
func (s served) sameSymbols(next served) error {
	if !bytes.Equal(s.BuildID(), next.BuildID()) {
		return errors.New("the program is another one than gdb has symbols of: " +
			"connect again (target extended-remote, with the address that info inferiors shows)")
	}
	return nil
}

// save writes the page and the recording of the session, if there are to be any.
func (s *sessions) save() error {
	if s.pages != nil {
		s.pages.end()
		return errors.Join(s.pages.failed, s.saveRecording())
	}
	return s.saveRecording()
}

func (s *sessions) saveRecording() error {
	if s.record == "" {
		return nil
	}
	err := putFile(s.record, func(w io.Writer) error { return s.current.WriteRecording(w) })
	if err != nil {
		return fmt.Errorf("record the session in %s: %w", s.record, err)
	}
	return nil
}

// putFile writes a file, whole or not at all; a pipe, a device or a link stays what it is.
func putFile(path string, write func(w io.Writer) error) error {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return writeFile(path, write)
	}
	return replaceFile(path, write)
}

// replaceFile puts a file of what a function writes in the place of one, once it is whole.
func replaceFile(path string, write func(w io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // if it was not renamed
	if err := errors.Join(write(f), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// next gives the session for the next client.
func (s *sessions) next() (served, error) {
	if s.current != nil && !s.current.Ended() {
		s.current.Release()
		return served{s.current, s}, s.current.List(s.list)
	}
	return s.begin(nil)
}

// begin begins a session, with flags besides those of the command line.
func (s *sessions) begin(args []string) (served, error) {
	session, err := s.start(args)
	if err != nil {
		return served{}, err
	}
	if s.history > 0 {
		session.Remember(s.history)
	}
	session.StopAtEnd(s.atEnd)
	if s.refusals != nil {
		session.TellEndTo(s.refusals.out)
	}
	session.Pictures(s.pictures)
	if s.current != nil {
		session.Follows(s.current)
	}
	if s.record != "" {
		if err := session.Record(); err != nil {
			return served{}, err
		}
		session.RecordSources(s.sources)
	}
	s.current = session
	if s.pages != nil {
		s.pages.begin(session)
	}
	return served{session, s}, session.List(s.list)
}

// An endStop is the value of --stop-at-end.
type endStop stub.EndStop

// endStops are the words for them.
var endStops = []string{stub.NeverStop: "never", stub.FailedStop: "failed", stub.AlwaysStop: "always"}

func (e *endStop) String() string { return endStops[*e] }

func (e *endStop) Set(word string) error {
	i := slices.Index(endStops, word)
	if i < 0 {
		return errors.New("want always, failed or never")
	}
	*e = endStop(i)
	return nil
}
