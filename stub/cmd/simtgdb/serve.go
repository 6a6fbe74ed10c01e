package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"

	"simtgdb/rsp"
	"simtgdb/stub"
	"simtgdb/stub/facade"
	"simtgdb/stub/launch"
)

// defaultListen is where serve waits for gdb: this machine only, since the
// protocol has no protection of its own.
const defaultListen = "127.0.0.1:1234"

// serveFlags are the flags of serve besides those that say what to launch.
type serveFlags struct {
	launch   *launch.Flags
	listen   string
	anywhere bool
	stdio    bool
	debug    bool
	resident int
	facade   string
	history  size
	sources  bool
}

func serveCommand(args []string, std stdio) int {
	f := serveFlags{launch: launchFlags()}
	set := newFlags("serve")
	f.launch.Register(set)
	set.StringVar(&f.listen, "listen", defaultListen, "wait for gdb at `ADDRESS:PORT`")
	set.BoolVar(&f.anywhere, "listen-anywhere", false,
		"let --listen name an address that other machines can reach: whoever does can read and write the memory of the kernel, without a password")
	set.BoolVar(&f.stdio, "stdio", false,
		"serve one gdb on standard input and output: target remote | simtgdb serve --stdio …")
	set.BoolVar(&f.debug, "debug-rsp", false, "log every packet to standard error")
	set.IntVar(&f.resident, "resident", defaultResident,
		"run as many as `N` waves at a time; later workgroups start when earlier ones have ended")
	set.StringVar(&f.facade, "facade", facade.Host().Name(), "show gdb a program of `CPU`: "+facade.Names())
	f.history = stub.DefaultHistory
	set.Var(&f.history, "history",
		"keep a history, for gdb's commands that go back (reverse-step and the like), in `SIZE` bytes (64MiB, 1GiB), or on, or off")
	set.BoolVar(&f.sources, "sources", false,
		"serve the sources to gdb too, as debuginfod does, on a port of this machine, and print how gdb is told")
	rest, status, done := parse(set, args, std)
	if done {
		return status
	}
	cpu, err := facade.Named(f.facade)
	if err != nil {
		return fail(std, "serve", err)
	}
	spec, err := f.launch.Spec(rest)
	if err != nil {
		return fail(std, "serve", err)
	}
	if f.resident < 1 {
		return fail(std, "serve", fmt.Errorf("--resident %d: at least one wave must run", f.resident))
	}
	sessions := &sessions{spec: spec, resident: f.resident, facade: cpu, history: uint64(f.history)}
	first, err := sessions.next()
	if err != nil {
		return fail(std, "serve", err)
	}
	if f.sources {
		server, err := listenForSources(std, first.Source(), func() []byte { return sessions.current.BuildID() })
		if err != nil {
			return fail(std, "serve", err)
		}
		defer server.Close()
	}
	var options rsp.Options
	if f.debug {
		options.Trace = rsp.TraceTo(std.err)
		options.Logf = func(format string, args ...any) { fmt.Fprintf(std.err, "simtgdb: "+format+"\n", args...) }
	}
	if f.stdio {
		// gdb's Ctrl-C reaches every process of its group; gdb itself passes
		// it on in the protocol.
		signal.Ignore(os.Interrupt)
		if err := rsp.ServeConn(context.Background(), rsp.Stdio(os.Stdin, os.Stdout), first, options); err != nil &&
			!errors.Is(err, rsp.ErrKilled) {
			return fail(std, "serve", err)
		}
		return statusDone
	}
	return f.serveTCP(std, sessions, options)
}

// defaultResident keeps gdb quick: it looks at every thread at every stop.
const defaultResident = 32

func (f *serveFlags) serveTCP(std stdio, sessions *sessions, options rsp.Options) int {
	ln, err := f.listener()
	if err != nil {
		return fail(std, "serve", err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	fmt.Fprintf(std.err, "Waiting for gdb: target remote %v\n", ln.Addr())
	err = rsp.Serve(ctx, ln, func() (rsp.Target, error) {
		return await(ctx, sessions.next)
	}, options)
	if err != nil && !errors.Is(err, context.Canceled) {
		return fail(std, "serve", err)
	}
	return statusDone
}

// listener waits at the address of --listen, if only this machine can reach that
// or the user wants others to.
func (f *serveFlags) listener() (net.Listener, error) {
	addr, err := net.ResolveTCPAddr("tcp", f.listen)
	if err != nil {
		return nil, err
	}
	if !addr.IP.IsLoopback() && !f.anywhere {
		return nil, fmt.Errorf("--listen %q can be reached from other machines, and the protocol has no protection: "+
			"name a loopback address such as %s, or add --listen-anywhere", f.listen, defaultListen)
	}
	return net.ListenTCP("tcp", addr)
}

// sessions gives each client its session: the one that the client before left
// unfinished, or else a new one.
type sessions struct {
	spec     *launch.Spec
	resident int
	facade   facade.Facade
	history  uint64
	current  *stub.Session
}

func (s *sessions) next() (*stub.Session, error) {
	if s.current != nil && !s.current.Ended() {
		s.current.Release()
		return s.current, nil
	}
	p, err := s.spec.Load()
	if err != nil {
		return nil, err
	}
	p.Machine.Resident = s.resident
	if s.current, err = stub.New(p, s.facade); err == nil {
		s.current.Remember(s.history)
	}
	return s.current, err
}
