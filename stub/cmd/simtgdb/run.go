package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"simtgdb/simt"
	"simtgdb/stub"
	"simtgdb/stub/launch"
	"simtgdb/stub/printf/host"
)

// runFlags are the flags of run.
type runFlags struct {
	launch    *launch.Flags
	stats     bool
	workers   uint
	prefix    bool
	texts     string // the file that what the kernel prints goes to; "" for none
	most      uint64 // instructions
	checks    checkFlags
	inexact   bool
	record    recordFlags
	interpret *bool
	timeout   *time.Duration
}

func (f *runFlags) register(set *flag.FlagSet, std stdio) {
	f.launch = launchFlags()
	f.launch.Register(set)
	compileSources(f.launch, set, std.err)
	set.BoolVar(&f.stats, "stats", false, "print how much was executed, and how fast")
	set.UintVar(&f.workers, "workers", 0, "run workgroups on `N` threads (default: one for each processor; "+
		"one if the code has atomic operations on global memory, whose results depend on the order)")
	set.BoolVar(&f.prefix, "printf-prefix", false,
		"begin each text that the kernel prints with the lane that printed it")
	set.StringVar(&f.texts, "printf", "",
		"write what the kernel prints to `FILE`, not to standard output and error")
	set.Uint64Var(&f.most, "max-instructions", 0, "stop after `N` instructions of all waves together")
	f.checks.register(set)
	f.checks.registerReport(set)
	set.BoolVar(&f.inexact, "fidelity", false, "say which inexact instructions ran, and whether "+
		"their results could reach an address or a branch; of gfx9 and PTX")
	f.record.register(set, "write the run to `FILE`, for simtgdb replay: in the order of a debugged run")
	f.interpret = interpretFlag(set)
	f.timeout = timeFlag(set, "timeout", "stop after a `TIME`, such as 30s or 5m")
}

// runCommand runs a kernel to its end and checks and saves its buffers.
func runCommand(args []string, std stdio) int {
	ctx, stop := interruptible(os.Interrupt)
	defer stop()
	set := newFlags("run")
	var f runFlags
	f.register(set, std)
	rest, status, done := parse(set, args, std)
	if done {
		return status
	}
	p, err := load(ctx, f.launch, rest)
	switch {
	case errors.Is(err, context.Canceled):
		return interrupted(std, "run")
	case err != nil:
		return fail(std, "run", err)
	}
	warn(p, "run", std)
	if err := errors.Join(f.record.check(),
		onlyOne(f.inexact, f.record.to != "", "--fidelity", "--record")); err != nil {
		return fail(std, "run", err)
	}
	runs, recorded, err := f.runner(p)
	if err != nil {
		return fail(std, "run", err)
	}
	texts, err := await(ctx, func() (*texts, error) { return openTexts(f.texts, f.prefix, std) })
	switch {
	case errors.Is(err, context.Canceled):
		return interrupted(std, "run")
	case err != nil:
		return fail(std, "run", err)
	}
	p.Host.Sink = texts.print
	p.Machine.MaxInsts, p.Machine.Interpret = f.most, *f.interpret
	found := checkRun(p, &f.checks, std.err)
	if f.inexact {
		if err := p.FollowInexact(); err != nil {
			return fail(std, "run", fmt.Errorf("--fidelity: %w", err))
		}
	}
	if *f.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, *f.timeout)
		defer cancel()
	}
	p.Output = std.out
	status = run(ctx, p, runs, f.stats, &f.checks, std)
	return f.finish(p, status, recorded, texts, found(), std)
}

// runner is what runs the program, and what writes the recording of it in the end, if there is to be one.
func (f *runFlags) runner(p *launch.Program) (
	run func(context.Context) (simt.Event, error), recorded func() error,
	err error) {
	if f.record.to == "" {
		return func(ctx context.Context) (simt.Event, error) {
				return p.Run(ctx, int(min(f.workers, maxWorkers)))
			},
			func() error { return nil }, nil
	}
	r, err := f.record.recorder(p)
	if err != nil {
		return nil, nil, err
	}
	return func(ctx context.Context) (simt.Event, error) { return r.run(ctx, p) },
		func() error { return r.write(p, f.checks.folders) }, nil
}

// finish writes what there is to be written in the end, and gives the exit status.
func (f *runFlags) finish(p *launch.Program, status int, recorded func() error, texts *texts, found int,
	std stdio) int {
	if err := recorded(); err != nil {
		status = fail(std, "run", err)
	}
	if err := p.WriteFidelity(std.out); err != nil && status <= statusUnexpected {
		status = fail(std, "run", fmt.Errorf("--fidelity: %w", err))
	}
	if found > 0 && status <= statusUnexpected {
		status = statusFault
	}
	if err := f.checks.write(std.err, "run"); err != nil {
		status = fail(std, "run", err)
	}
	if err := texts.close(); err != nil && status <= statusUnexpected {
		return fail(std, "run", fmt.Errorf("write what the kernel prints: %w", err))
	}
	return status
}

// warn says what a command's user should know of a program before it runs.
func warn(p *launch.Program, command string, std stdio) {
	if p.DebugError != nil {
		fmt.Fprintf(std.err, "simtgdb %s: %s: %v\n", command, p.Spec.CodeObject, p.DebugError)
	}
	for _, w := range p.Warnings {
		fmt.Fprintf(std.err, "simtgdb %s: %s: warning: %s\n", command, p.Spec.CodeObject, w)
	}
}

const maxWorkers = 1024

// interpretFlag registers --interpret.
func interpretFlag(set *flag.FlagSet) *bool {
	return set.Bool("interpret", false,
		"do not translate code that runs often to that of the host: results are the same, runs slower")
}

// onlyOne says that of two flags only one may be given.
func onlyOne(a, b bool, first, second string) error {
	if a && b {
		return fmt.Errorf("%s and %s exclude each other", first, second)
	}
	return nil
}

// run runs a program by a function.
func run(ctx context.Context, p *launch.Program, by func(context.Context) (simt.Event, error), stats bool,
	checks *checkFlags, std stdio) int {
	words := std.out
	if p.SavesToOutput() {
		words = std.err // so that standard output has nothing but results, and what the kernel prints
	}
	start := time.Now()
	ev, err := by(ctx)
	took := time.Since(start)
	for _, notice := range p.Host.Notices() {
		fmt.Fprintf(std.err, "simtgdb run: printf: %s\n", notice)
	}
	if stats {
		defer func() { writeStats(words, p.Machine, took) }()
	}
	var limit *simt.LimitError
	switch {
	case errors.Is(err, context.Canceled):
		status := interrupted(std, "run")
		writeWaves(std.err, p)
		return status
	case errors.Is(err, context.DeadlineExceeded):
		fmt.Fprintf(std.err, "simtgdb run: stopped after %v\n", took.Round(time.Millisecond))
		writeWaves(std.err, p)
		return statusFault
	case errors.As(err, &limit):
		fmt.Fprintf(std.err, "simtgdb run: %v\n", limit)
		writeWaves(std.err, p)
		return statusFault
	case err != nil:
		return fail(std, "run", err)
	case ev.Kind != simt.EndEvent:
		p, ev = withRecord(ctx, p, ev)
		fmt.Fprintf(std.err, "simtgdb run: %s", p.DescribeFault(ev))
		checks.list.Add(p.FaultFinding(ev))
		return statusFault
	}
	ok, err := await(ctx, func() (bool, error) { return p.Report(words) })
	switch {
	case errors.Is(err, context.Canceled):
		return interrupted(std, "run")
	case errors.Is(err, context.DeadlineExceeded):
		return fail(std, "run", errors.New("the time is up, and the results are not written"))
	case err != nil:
		return fail(std, "run", err)
	case !ok:
		fmt.Fprintln(std.err, "simtgdb run: the results are not as expected")
		return statusUnexpected
	}
	fmt.Fprintf(std.err, "simtgdb run: %s\n", p.Summary())
	return statusDone
}

// withRecord gives a program that has stopped at an event once more, with a record of the calls that led
// there, where nothing else knows them. It is run again for that; if that does not come to the same it is as
// it was.
func withRecord(ctx context.Context, p *launch.Program, ev simt.Event) (*launch.Program, simt.Event) {
	if p.KnowsCalls(ev) || len(p.Spec.Before) > 0 {
		return p, ev
	}
	again, err := p.Spec.Load()
	if err != nil {
		return p, ev
	}
	again.Host.Sink = func(host.Text) {}
	again.Machine.MaxInsts, again.Machine.Interpret = p.Machine.MaxInsts, p.Machine.Interpret
	stub.FindCalls(again)
	stub.Record(again)
	stopped, err := again.Run(ctx, 1)
	if err != nil || stopped.Kind != ev.Kind || stopped.PC != ev.PC || stopped.Wave.ID != ev.Wave.ID ||
		stopped.Lanes != ev.Lanes {
		return p, ev
	}
	return again, stopped
}

// wavesShown is how many places of waves are listed after a run was stopped.
const wavesShown = 16

// writeWaves says where every wave stands.
func writeWaves(w io.Writer, p *launch.Program) {
	for _, line := range p.DescribeWaves(wavesShown) {
		fmt.Fprintf(w, "  %s\n", line)
	}
}

func interrupted(std stdio, command string) int {
	fmt.Fprintf(std.err, "simtgdb %s: interrupted\n", command)
	return statusInterrupted
}

// interruptible gives a context that ends with the first of some signals. A second one ends the program,
// whatever it is waiting for.
func interruptible(signals ...os.Signal) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// await gives what f does, but no later than ctx ends: f goes on by itself then.
// It is for what cannot be stopped, such as reading a file that nobody writes, or writing one that nobody
// reads.
func await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := f()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// writeStats prints what was executed in how much time.
func writeStats(w io.Writer, m *simt.Machine, took time.Duration) {
	s, t := m.Stats(), m.Translation()
	seconds := max(took.Seconds(), 1e-9)
	fmt.Fprintf(w, "waves              %14d\n", s.Waves)
	fmt.Fprintf(w, "wave instructions  %14d  (%.2f million per second)\n", s.Insts,
		float64(s.Insts)/seconds/1e6)
	fmt.Fprintf(w, "lane instructions  %14d  (%.2f million per second)\n", s.LaneInsts,
		float64(s.LaneInsts)/seconds/1e6)
	fmt.Fprintf(w, "translated         %14.1f  %% of the wave instructions, with %d interludes\n",
		100*float64(t.Insts)/float64(max(s.Insts, 1)), t.Interludes)
	fmt.Fprintf(w, "time               %14.3f  s\n", took.Seconds())
}
