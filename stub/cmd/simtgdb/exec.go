package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"simtgdb/loader/printable"
	"simtgdb/simt"
	"simtgdb/simt/check"
	"simtgdb/stub"
	"simtgdb/stub/arch"
	"simtgdb/stub/capture"
	"simtgdb/stub/device"
	"simtgdb/stub/device/client"
	"simtgdb/stub/device/transient"
	"simtgdb/stub/launch"

	"golang.org/x/sync/errgroup"
)

// execFlags are the flags of exec.
type execFlags struct {
	target    string
	clOptions string
	stats     bool
	access    bool
	graphics  bool
	robust    bool
	filter    int // bits of weights between texels
	noCache   bool
	workers   uint
	capture   string
	profile   string
	record    recordFlags
	checks    checkFlags
	debug     execDebug
}

// execCommand runs a host program whose kernels run on a simulated device.
func execCommand(args []string, std stdio) int {
	var f execFlags
	set := newFlags("exec")
	set.StringVar(&f.target, "target", "",
		"the device is a `PROCESSOR` (default: gfx90a if the program has code for it, or else the first "+
			"that it has code for)")
	set.BoolVar(&f.stats, "stats", false,
		"print at the end how often each kernel ran, and how much it executed")
	set.BoolVar(&f.access, "host-access", false,
		"let the program itself use memory from hipMalloc, as on machines whose host maps the device's "+
			"memory")
	set.BoolVar(&f.graphics, "claim-graphics", false,
		"let the Vulkan device say that it has graphics and images, for programs that insist on them and "+
			"only compute")
	set.BoolVar(&f.robust, "robust", false,
		"let accesses outside of what a Vulkan program binds, and on AMD's processors beyond a workgroup's "+
			"LDS, read 0 and write nothing, though the program does not ask for that")
	set.IntVar(&f.filter, "filter-bits", 0,
		"weights between texels of images have `BITS` of fraction, as hardware's have 8; 0: all")
	set.StringVar(&f.clOptions, "cl-options", "",
		"build OpenCL programs with `OPTIONS` besides their own, such as -cl-opt-disable")
	set.BoolVar(&f.noCache, "no-cache", false,
		"compile what programs give to OpenCL and hiprtc each time, and neither use nor keep what was built")
	set.UintVar(&f.workers, "workers", 0, "run workgroups on `N` threads")
	set.StringVar(&f.capture, "capture", "",
		"write each launch into `DIR` as a launch file, with inputs and results")
	set.StringVar(&f.profile, "profile", "",
		"profile all launches into `FILE`: NAME.html, NAME.json, NAME.pb.gz for pprof, NAME.folded, "+
			"NAME.speedscope.json, or text; - for text on standard error")
	f.record.register(set, "write each launch into `DIR` as a recording, for simtgdb replay")
	f.checks.hosts = true
	f.checks.register(set)
	f.checks.registerReport(set)
	f.debug.flags(set)
	var program []string
	if i := slices.Index(args, "--"); i >= 0 {
		args, program = args[:i], args[i+1:]
	}
	rest, status, done := parse(set, args, std)
	if done {
		return status
	}
	if program = append(rest, program...); len(program) == 0 {
		return fail(std, "exec", errors.New("no program: simtgdb exec [flags] -- PROGRAM ARGUMENTS"))
	}
	if err := errors.Join(f.debug.check(given(set)), f.record.check()); err != nil {
		return fail(std, "exec", err)
	}
	if f.target != "" {
		if _, err := arch.OfProcessor(f.target); err != nil {
			return fail(std, "exec", err)
		}
	}
	return f.run(program, std)
}

// run runs a program beside the service.
func (f *execFlags) run(program []string, std stdio) int {
	if err := launch.CheckFilterBits(f.filter); err != nil {
		return fail(std, "exec", err)
	}
	// What is no program is told of before libraries are made for it.
	if _, err := exec.LookPath(program[0]); err != nil {
		return fail(std, "exec", startError(program[0], err))
	}
	run, err := f.hostProgram(program)
	if err != nil {
		return fail(std, "exec", err)
	}
	x := execution{execFlags: f, program: program, std: std, counts: newCounts(f.stats || f.debug.wanted()),
		looking: &launchDefects{flags: &f.checks, out: std.err}}
	options := x.options()
	if f.debug.wanted() {
		if x.gdb, err = f.debug.debug(options.Workers, x.looking, std); err != nil {
			return fail(std, "exec", err)
		}
		x.gdb.follow(&options, run)
	}
	done, err := f.wrap(&options, x.layers())
	if err != nil {
		return fail(std, "exec", err)
	}
	server, err := device.Listen(options)
	if err != nil {
		return fail(std, "exec", err)
	}
	defer server.Close()
	status, err := run.run(server.Address(), func(s os.Signal) {
		fmt.Fprintf(std.err, "simtgdb exec: %s was ended by a signal: %v\n", printable.Name(program[0]), s)
	})
	if err != nil {
		x.ended(status)
		return fail(std, "exec", startError(program[0], err))
	}
	if !run.killed() { // what a killed program has started is not to go on
		server.Wait(clientsLeave)
	}
	x.ended(status)
	if err := done(std); err != nil {
		return fail(std, "exec", err)
	}
	return x.report(status, server, run)
}

// An execution is a host program with what is to be done about it.
type execution struct {
	*execFlags
	program []string
	std     stdio
	counts  *counts
	looking *launchDefects
	gdb     *debugging // nil where nothing is debugged
}

// hostProgram is a program and what is built for it.
func (f *execFlags) hostProgram(program []string) (*hostProgram, error) {
	libraries := []client.Library{client.HIP, client.CUDA, client.OpenCL, client.Vulkan}
	dirs := make([]string, len(libraries))
	var building errgroup.Group
	for i := range libraries {
		building.Go(func() (err error) {
			dirs[i], err = libraries[i].Build()
			return err
		})
	}
	if err := building.Wait(); err != nil {
		return nil, err
	}
	driver := filepath.Join(dirs[len(dirs)-1], client.VulkanManifest)
	dirs = dirs[:len(dirs)-1]
	return &hostProgram{words: program, dirs: dirs, vendors: dirs[len(dirs)-1], driver: driver,
		access: f.access, graphics: f.graphics,
		began: func(*os.Process) {}, left: func() {},
		killed: func() bool { return false }, interrupts: func(bool) bool { return false }}, nil
}

// options are those of the service.
func (x *execution) options() device.Options {
	kinds := x.checks.kinds
	failures := &buildFailures{out: x.std.err, told: map[string]bool{}, debugged: x.debug.wanted()}
	options := device.Options{
		Processor: x.target, Workers: int(min(x.workers, maxWorkers)), Compile: compileHIP(!x.noCache),
		Strict: kinds&check.Bounds != 0, Robust: x.robust, FilterBits: x.filter,
		Ended:   x.counts.add,
		Build:   failures.around(buildOpenCL(x.clOptions, !x.noCache)),
		Without: x.counts.without, Unwritten: kinds&check.Uninit != 0,
		Said: func(text string) { fmt.Fprintf(x.std.err, "simtgdb exec: %s", text) },
	}
	if kinds&check.Leak != 0 {
		options.Left, options.Undone = x.looking.left, x.looking.wrong
	}
	if kinds&check.API != 0 {
		options.Misuse = x.looking.wrong
	}
	if kinds&(check.Race|check.Host) != 0 {
		options.Race = x.looking.wrong
		options.Host, options.HostAlone = kinds&check.Host != 0, kinds&check.Race == 0
	}
	return options
}

// A layer has launches run in its way: by itself, or around what is there to run them. done is called when
// the program has ended; it may be nil. A layer that is not wanted gives back the runner that it was given.
type layer struct {
	flag string // the user's, for errors
	wrap func(run runner) (_ runner, done func(std stdio) error, err error)
}

// layers are what is done with launches, from the innermost on: each has those before it run them.
func (x *execution) layers() []layer {
	return []layer{
		{"profile", x.profiles},
		{"check", x.looking.around},
		{"record", x.records},
		{"", withCalls},
		{"capture", x.captures},
	}
}

// wrap puts layers around what runs launches: gdb's follower, or what runs them to their ends.
func (f *execFlags) wrap(o *device.Options, layers []layer) (done func(std stdio) error, err error) {
	run := runner(o.Run)
	if run == nil {
		run = func(ctx context.Context, l *device.Launch) (simt.Event, error) {
			return l.Program.Run(ctx, o.Workers)
		}
	}
	ends := make([]func(std stdio) error, len(layers))
	for i, l := range layers {
		if run, ends[i], err = l.wrap(run); err != nil {
			return nil, fmt.Errorf("--%s: %w", l.flag, err)
		}
	}
	o.Run = run
	return func(std stdio) error {
		for i, end := range slices.Backward(ends) {
			if end == nil {
				continue
			}
			if err := end(std); err != nil {
				return fmt.Errorf("%s: %w", layers[i].flag, err)
			}
		}
		return nil
	}, nil
}

// ended has gdb hear that the program has ended.
func (x *execution) ended(status int) {
	if x.gdb != nil {
		x.gdb.ended(status)
	}
}

// report says what there is to be said at the end, and gives the exit status.
func (x *execution) report(status int, server *device.Server, run *hostProgram) int {
	out := x.std.err
	if x.gdb != nil && !x.gdb.follower.Detached() && !run.killed() {
		x.debug.breaks.unmet(out, x.counts)
	}
	if x.stats {
		x.counts.write(out)
	}
	found := x.looking.found()
	if err := x.checks.write(out, "exec"); err != nil {
		return fail(x.std, "exec", err)
	}
	if found && status == 0 {
		return statusFault
	}
	if failed := x.counts.failed(); failed != "" && status == 0 {
		fmt.Fprintf(out, "simtgdb exec: the program ended with status 0, but %s\n", failed)
		return statusFault
	}
	if status != 0 && !x.graphics && server.UsedByVulkan() && !x.counts.any() && !run.killed() {
		fmt.Fprintln(out, "simtgdb exec: the Vulkan device computes and has no queue that draws: a program "+
			"that insists on one, and only computes, runs with --claim-graphics")
	}
	if !server.Used() && (status != 0 || x.looks()) && !run.killed() {
		fmt.Fprintf(out, "simtgdb exec: %s has not used the simulated device%s\n",
			printable.Name(x.program[0]), whyUnused(x.program[0]))
	}
	return status
}

// looks reports whether the user wants to know something of launches.
func (f *execFlags) looks() bool {
	return f.debug.wanted() || f.stats || f.capture != "" || f.record.to != "" || f.profile != "" ||
		f.checks.kinds != 0
}

// withCalls makes what is said of launches name the calls that lanes are in.
func withCalls(run runner) (runner, func(stdio) error, error) {
	return func(ctx context.Context, l *device.Launch) (simt.Event, error) {
		stub.FindCalls(l.Program)
		return run(ctx, l)
	}, nil, nil
}

// captures has launches written, if they are to be. In the end it says what went wrong with that.
func (f *execFlags) captures(run runner) (_ runner, done func(stdio) error, err error) {
	if f.capture == "" {
		return run, nil, nil
	}
	c, err := capture.To(f.capture)
	if err != nil {
		return nil, nil, err
	}
	return func(ctx context.Context, l *device.Launch) (simt.Event, error) { return c.Run(ctx, l, run) },
		func(stdio) error { return c.Err() }, nil
}

// clientsLeave is how long the service waits for what it has to do at the end of
// clients that have gone.
const clientsLeave = 5 * time.Second

// A hostProgram is a program that uses the device.
type hostProgram struct {
	words    []string            // the program and its arguments
	dirs     []string            // that have libraries for it
	began    func(p *os.Process) // is told of its process
	killed   func() bool         // reports whether it was killed since gdb's user wants it
	left     func()              // is told if it has ended since its user has sent a signal to end all
	vendors  string              // the folder where an ICD loader finds the OpenCL library
	driver   string              // the file by which a Vulkan loader finds the driver
	access   bool                // it may use memory of the device by itself
	graphics bool                // its Vulkan device says that it can draw
	aside    bool                // the terminal's input and signals are not for it
	// interrupts has gdb interrupted, if that has not happened, and reports whether there is one.
	interrupts func(already bool) bool
}

// run runs the program to its end and gives its exit status. It ends with this
// process, however that ends. signalled is told if a signal has ended it that nobody here has sent.
func (h *hostProgram) run(address string, signalled func(os.Signal)) (status int, err error) {
	c := exec.Command(h.words[0], h.words[1:]...)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	if !h.aside {
		c.Stdin = os.Stdin
	}
	dirs := h.dirs
	if old := os.Getenv("LD_LIBRARY_PATH"); old != "" {
		dirs = append(dirs, old)
	}
	c.Env = append(os.Environ(), "SIMTGDB_DEVICE="+address, "LD_LIBRARY_PATH="+strings.Join(dirs, ":"))
	if os.Getenv("OCL_ICD_VENDORS") == "" { // for loaders that programs bring along
		c.Env = append(c.Env, "OCL_ICD_VENDORS="+h.vendors)
	}
	if os.Getenv("VK_DRIVER_FILES") == "" && os.Getenv("VK_ICD_FILENAMES") == "" {
		c.Env = append(c.Env, "VK_DRIVER_FILES="+h.driver, "VK_ICD_FILENAMES="+h.driver)
	}
	if h.graphics {
		c.Env = append(c.Env, "SIMTGDB_CLAIM_GRAPHICS=1")
	}
	if h.access {
		c.Env = append(c.Env, "SIMTGDB_HOST_ACCESS=1")
	}
	if h.aside {
		apart(c)
	}
	heard, err := hear()
	if err != nil {
		return 0, err
	}
	defer heard.stop()
	wait, err := transient.Start(c)
	if err != nil {
		return 0, err
	}
	h.began(c.Process)
	heard.pass(func(s os.Signal, group bool) {
		switch {
		case h.aside && s == os.Interrupt && h.interrupts(group): // gdb acts on it
		case h.aside:
			signalGroup(c.Process, s)
		case !group:
			_ = c.Process.Signal(s)
		}
	})
	status, signal, err := statusOf(wait())
	told := heard.told.Load()
	if told {
		h.left()
	}
	if signal != 0 && signal != syscall.SIGINT && !told && !h.killed() {
		signalled(signal)
	}
	return status, err
}

// statusOf is the exit status of a program, as a shell has it, and the signal that has ended it, or 0.
func statusOf(err error) (status int, signal syscall.Signal, failed error) {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return 0, 0, err
	}
	if w, ok := exit.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		const signalled = 128
		return signalled + int(w.Signal()), w.Signal(), nil
	}
	return exit.ExitCode(), 0, nil
}
