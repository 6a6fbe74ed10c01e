package suite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"simtgdb/simt/pattern"
)

// A Runner runs cases.
type Runner struct {
	Program string        // simtgdb, the file
	GDB     string        // the gdb that runs scripts
	Folder  string        // where scripts run
	Jobs    int           // so many cases at a time
	Timeout time.Duration // of each
	Update  bool          // write transcripts anew
	// Done is told of each result, in the order of the cases.
	Done func(n int, r Result)

	version func() int
}

// A Result is what came of a case.
type Result struct {
	Case
	Failure string // why it failed, "" if it has passed: a line, and details on further ones
	Output  string // of a case that failed
	Took    time.Duration
	Updated bool // the transcript was written, and is another one
}

// Run runs cases, and gives their results in the same order.
func (r *Runner) Run(ctx context.Context, cases []Case) []Result {
	r.version = sync.OnceValue(func() int { return Version(r.GDB) })
	results, ready := make([]Result, len(cases)), make([]chan struct{}, len(cases))
	next := make(chan int)
	var group sync.WaitGroup
	for i := range ready {
		ready[i] = make(chan struct{})
	}
	for range min(max(r.Jobs, 1), len(cases)) {
		group.Go(func() {
			for i := range next {
				results[i] = r.one(ctx, cases[i])
				close(ready[i])
			}
		})
	}
	go func() {
		for i := range cases {
			next <- i
		}
		close(next)
	}()
	for i := range cases {
		<-ready[i]
		if r.Done != nil {
			r.Done(i, results[i])
		}
	}
	group.Wait()
	return results
}

// one runs one case.
func (r *Runner) one(ctx context.Context, c Case) Result {
	start := time.Now()
	if r.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.Timeout)
		defer cancel()
	}
	var result Result
	if c.Kind == Launch {
		result = r.launch(ctx, c)
	} else {
		result = r.script(ctx, c)
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		result.Failure = fmt.Sprintf("not done after %v", r.Timeout)
	} else if ctx.Err() != nil {
		result.Failure = "interrupted"
	}
	result.Case, result.Took = c, time.Since(start)
	return result
}

// launch runs a launch file. What is wrong with the program's end is in what it says.
func (r *Runner) launch(ctx context.Context, c Case) Result {
	out, err := output(exec.CommandContext(ctx, r.Program, "run", "--launch", c.Name))
	if err == nil {
		return Result{}
	}
	return Result{Failure: failure(err, out), Output: out}
}

// failure is the line that says what went wrong, of what a program said.
func failure(err error, out string) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	for _, l := range lines {
		if strings.Contains(l, "differ from") || strings.HasPrefix(l, "simtgdb run: ") {
			return strings.TrimPrefix(l, "simtgdb run: ")
		}
	}
	return err.Error()
}

// script runs a script in gdb and compares what is printed with the transcript.
func (r *Runner) script(ctx context.Context, c Case) Result {
	name, err := filepath.Abs(c.Name)
	if err != nil {
		return Result{Failure: err.Error()}
	}
	// gdb says the script's name as it was given: from the folder on it is the same on every machine.
	if folder, err := filepath.Abs(r.Folder); err == nil {
		if rel, err := filepath.Rel(folder, name); err == nil {
			name = rel
		}
	}
	got, err := r.Transcribe(ctx, name)
	if err != nil {
		return Result{Failure: err.Error(), Output: got}
	}
	transcript := c.TranscriptOf(r.version())
	old, err := os.ReadFile(transcript)
	if err != nil && !(r.Update && errors.Is(err, os.ErrNotExist)) {
		return Result{Failure: err.Error(), Output: got}
	}
	difference := Difference(string(old), got)
	if difference == "" {
		return Result{}
	}
	if r.Update {
		if err := os.WriteFile(transcript, []byte(got), 0o666); err != nil {
			return Result{Failure: err.Error(), Output: got}
		}
		return Result{Updated: true}
	}
	return Result{Failure: "the transcript differs", Output: difference}
}

var versionLine = pattern.Compile(`(\d+)\.\d\S*$`)

// Version is the number before the point of a gdb's version, 0 if it does not say.
func Version(gdb string) int {
	out, err := exec.Command(gdb, "--version").Output()
	first, _, _ := strings.Cut(string(out), "\n")
	if m := versionLine().FindStringSubmatch(strings.TrimSpace(first)); err == nil && m != nil {
		n, _ := strconv.Atoi(m[1])
		return n
	}
	return 0
}

// Command is the command by which gdb runs a script. The script finds the program by the name simtgdb.
func (r *Runner) Command(ctx context.Context, script string) *exec.Cmd {
	c := exec.CommandContext(ctx, r.GDB, "-nx", "-batch", "-x", script)
	c.Dir = r.Folder
	c.Env = append(os.Environ(), "LC_ALL=C", "DEBUGINFOD_URLS=", "TERM=dumb", "HOME=/nonexistent")
	if r.Program != "" {
		c.Env = append(c.Env, "PATH="+filepath.Dir(r.Program)+string(os.PathListSeparator)+os.Getenv("PATH"))
	}
	return c
}

// Transcribe gives what gdb prints while it runs a script, in the form of transcripts.
func (r *Runner) Transcribe(ctx context.Context, script string) (string, error) {
	out, err := output(r.Command(ctx, script))
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() { // the script's end is an error like others, which are printed
		err = nil
	}
	return Normalise(out), err
}

// output runs a command, and gives what it prints to standard output and error.
func output(c *exec.Cmd) (string, error) {
	c.WaitDelay = 5 * time.Second
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	err := c.Run()
	return out.String(), err
}
