package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"simtgdb/rsp"
	"simtgdb/stub"
	"simtgdb/stub/device"
	"simtgdb/stub/device/transient"
	"simtgdb/stub/facade"
	"simtgdb/stub/follow"
)

// execDebug are the flags of exec that are about gdb.
type execDebug struct {
	gdb      bool
	commands texting
	breaks   breakFlags
	serve    bool
	waiting  waiting
	resident int
	history  size
	pictures string
	atEnd    bool
}

// texting are the values of a flag that may come several times.
type texting []string

func (t *texting) String() string { return strings.Join(*t, "; ") }

func (t *texting) Set(text string) error {
	*t = append(*t, text)
	return nil
}

// flags registers the flags.
func (d *execDebug) flags(set *flag.FlagSet) {
	set.BoolVar(&d.gdb, "gdb", false, "open gdb when the first launch stops")
	set.Var(&d.commands, "gdb-ex",
		"have gdb execute `COMMAND` when it has connected (may be given several times)")
	set.Var(&d.breaks, "break",
		"stop for gdb before a launch: `KERNEL` for each of a kernel's, KERNEL#N for the Nth; names may be "+
			"patterns such as step* (may be given several times)")
	set.BoolVar(&d.serve, "serve", false, "stop for gdb before every launch, or those of --break")
	set.StringVar(&d.waiting.address, "listen", "", listenUsage()+", without --gdb")
	set.IntVar(&d.resident, "resident", defaultResident,
		"of a launch that gdb looks at or that is profiled, run as many as `N` waves at a time")
	d.history = stub.DefaultHistory
	set.Var(&d.history, "history",
		"keep a history of launches that gdb looks at, and of what launches and the program did to memory, "+
			"in `SIZE` bytes, or on, or off")
	set.StringVar(&d.pictures, "pictures", "", picturesUsage)
	set.BoolVar(&d.atEnd, "stop-at-end", false,
		"stop once more when the program has ended, at the end of its last launch, to go back from there")
}

// check says what is wrong with the flags that were given.
func (d *execDebug) check(given map[string]bool) error {
	switch {
	case d.resident < 1:
		return fmt.Errorf("--resident %d: at least one wave must run", d.resident)
	case given["gdb-ex"] && !d.gdb:
		return errors.New("--gdb-ex is for the gdb that --gdb opens, which is not given")
	case given["listen"] && d.gdb:
		return errors.New("--listen is for a gdb that you start, and --gdb opens one: give one of the two")
	case given["listen"] && !d.wanted():
		return errors.New("--listen: nothing stops for gdb; give --serve, or --break KERNEL")
	case d.gdb:
		if _, err := exec.LookPath("gdb"); err != nil {
			return fmt.Errorf("--gdb: %w", err)
		}
	}
	return nil
}

// wanted reports whether anything is to be debugged.
func (d *execDebug) wanted() bool { return d.gdb || d.serve || len(d.breaks) > 0 }

// stops reports whether a launch is to stop before its first instruction: the
// first one, if nothing else was asked for.
func (d *execDebug) stops(l *device.Launch) bool {
	stop := false
	for _, b := range d.breaks {
		if b.matches(l) {
			b.met.Store(true)
			stop = true
		}
	}
	return stop || len(d.breaks) == 0 && (l.Number == 1 || d.serve && !d.gdb)
}

// A debugging is the debugger's side of a program that exec runs.
type debugging struct {
	*execDebug
	follower *follow.Follower
	ln       net.Listener
	folder   *gdbFolder // if gdb is opened
	std      stdio
	failed   chan error

	mu      sync.Mutex
	gdb     *exec.Cmd
	exited  chan struct{} // gdb has
	program *os.Process   // once it runs
	killed  bool

	sleep    sleep // gdb's, since the program has gone
	deserted bool  // gdb was ended since it slept
}

// debug begins to listen for gdb.
func (d *execDebug) debug(workers int, looking *launchDefects, std stdio) (*debugging, error) {
	g := &debugging{execDebug: d, std: std, failed: make(chan error, 1)}
	where := d.waiting
	if d.gdb { // nobody else is to come before it
		folder, err := newGDBFolder("gdb")
		if err != nil {
			return nil, err
		}
		g.folder, where.address = folder, folder.address()
	}
	ln, err := where.listener()
	if err != nil {
		return nil, err
	}
	g.ln = ln
	g.follower = follow.New(follow.Options{
		Facade: facade.Host(), Resident: d.resident, History: uint64(d.history), Workers: workers,
		Pictures: d.pictures, StopAtEnd: d.atEnd,
		Stops: g.stops, Waits: g.waits, Kill: g.kill, Left: g.left,
		Defect: looking.tell, Check: looking.again,
		RSP: rsp.Options{Foreign: (&refusals{out: std.err}).turnedAway},
	})
	go func() { g.failed <- g.follower.Serve(ln) }()
	return g, nil
}

// follow has gdb follow the launches of a program, and act on what happens to it.
func (g *debugging) follow(o *device.Options, run *hostProgram) {
	o.Past, o.Leaving, o.Run = uint64(g.history), g.follower.Leaving, g.follower.Run
	run.began, run.aside = g.began, g.execDebug.gdb
	run.killed, run.interrupts, run.left = g.wasKilled, g.interrupt, g.leave
}

// stops is [execDebug.stops]; what gdb may be shown is written before.
func (g *debugging) stops(l *device.Launch) bool {
	if g.folder != nil {
		g.folder.sources.write(l.Program.Source)
	}
	return g.execDebug.stops(l)
}

// waits tells the user that a launch waits, or opens gdb.
func (g *debugging) waits(l *device.Launch) {
	where := fmt.Sprintf("launch %d, number %d of kernel %s", l.Number, l.Nth(), l.Name())
	if !g.execDebug.gdb {
		fmt.Fprintf(g.std.err, "Waiting for gdb in %s: target remote %v\n", where, g.ln.Addr())
		return
	}
	if err := g.start(); err != nil {
		fmt.Fprintf(g.std.err, "simtgdb exec: gdb does not start: %v\n", err)
		g.kill()
	}
}

// start opens gdb. When it has gone without a word, so does the program.
func (g *debugging) start() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.gdb != nil {
		return nil
	}
	args := append(g.folder.arguments(), g.folder.connect("remote", g.ln.Addr().String())...)
	for _, c := range g.commands {
		args = append(args, "-ex", c)
	}
	c := exec.Command("gdb", args...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	wait, err := transient.Start(c)
	if err != nil {
		return err
	}
	exited := make(chan struct{})
	go func() {
		_ = wait()
		close(exited)
		if !g.follower.Detached() {
			g.kill()
		}
	}()
	g.gdb, g.exited = c, exited
	return nil
}

// interrupt has gdb interrupted, which acts on it as on Ctrl-C, unless that has happened already. It reports
// whether gdb has been opened and has not gone.
func (g *debugging) interrupt(already bool) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.exited:
		return false
	default:
		return g.gdb != nil && (already || g.gdb.Process.Signal(os.Interrupt) == nil)
	}
}

// began notes the program's process.
func (g *debugging) began(p *os.Process) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.program = p
	if g.killed {
		_ = p.Kill()
	}
}

// kill ends the program.
func (g *debugging) kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.killed = true
	switch {
	case g.program == nil:
	case g.execDebug.gdb: // it was started apart, and may have started others, one of which has launched
		signalGroup(g.program, syscall.SIGKILL)
	default:
		_ = g.program.Kill()
	}
}

// leave ends gdb, or its connection: nobody wants to look at what a program that was told to end has left.
func (g *debugging) leave() {
	g.mu.Lock()
	gdb := g.gdb
	g.mu.Unlock()
	if gdb == nil {
		g.follower.Close()
		return
	}
	_ = gdb.Process.Signal(syscall.SIGTERM)
}

// atPrompt is how long a gdb sleeps that waits for its user, rather than for a disk or a processor.
const atPrompt = 200 * time.Millisecond

// left ends a gdb that looks at a launch whose program has gone, when it stands at its prompt: it is not to
// keep who runs programs one after the other. One that is about to resume the launch hears how the program
// ended.
func (g *debugging) left(busy bool) {
	g.mu.Lock()
	gdb := g.gdb
	g.mu.Unlock()
	switch {
	case gdb == nil || g.deserted: // it is not ours, or ends
	case busy:
		g.sleep = sleep{}
	case g.sleep.of(gdb.Process.Pid) >= atPrompt:
		g.deserted = true
		fmt.Fprintln(g.std.err, "simtgdb exec: the program has gone, and gdb ends with it")
		g.leave()
	}
}

// sleeps waits until gdb stands at its prompt, or is about to exit by itself, but not for long: the Python in
// gdb 13.1 was seen to end with a KeyboardInterrupt when the signal came while gdb quit.
func (g *debugging) sleeps(exited <-chan struct{}) {
	for end := time.Now().Add(clientsLeave); time.Now().Before(end); time.Sleep(time.Millisecond) {
		select {
		case <-exited:
			return
		default:
		}
		if g.sleep.of(g.gdb.Process.Pid) >= atPrompt {
			return
		}
	}
}

// wasKilled reports whether gdb's user has ended the program.
func (g *debugging) wasKilled() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.killed
}

// ended waits for gdb after the program has ended with a status.
func (g *debugging) ended(status int) {
	g.follower.Ended(status)
	g.mu.Lock()
	exited := g.exited
	g.mu.Unlock()
	if exited != nil {
		if !g.wasKilled() && !g.follower.Told(clientsLeave) {
			g.sleeps(exited)
			_ = g.gdb.Process.Signal(syscall.SIGTERM) // it has nothing to look at
		}
		<-exited
	}
	g.follower.Told(clientsLeave)
	g.follower.Close()
	if g.folder != nil {
		g.folder.Remove()
	}
	if err := <-g.failed; err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintf(g.std.err, "simtgdb exec: %v\n", err)
	}
}
