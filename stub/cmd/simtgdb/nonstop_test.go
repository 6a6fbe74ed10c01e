package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// A conversation is a gdb that reads commands from a pipe, so that its event loop runs between them.
type conversation struct {
	t    *testing.T
	in   io.Writer
	mu   sync.Mutex
	said sync.Cond // there is more in out, or it is late
	late bool
	out  bytes.Buffer
	from int // what has been looked at
}

func (c *conversation) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.said.Broadcast()
	return c.out.Write(p)
}

// startGDB starts a debugger at the top of the repository, and gives what it reads commands from. What it
// prints goes to out, which is closed when it ends, and to errs. It ends with the test.
func startGDB(t *testing.T, debugger string, out, errs io.Writer, args ...string) io.Writer {
	t.Helper()
	cmd := exec.Command(debugger, append([]string{"-nx", "-q"}, args...)...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "LC_ALL=C", "DEBUGINFOD_URLS=", "TERM=dumb", "HOME=/nonexistent")
	cmd.Stdout, cmd.Stderr = out, errs
	cmd.WaitDelay = 5 * time.Second
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		if c, ok := out.(io.Closer); ok {
			c.Close()
		}
		close(ended)
	}()
	t.Cleanup(func() {
		in.Close()
		late := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
		defer late.Stop()
		<-ended
	})
	return in
}

// inEach runs a test in each of the debuggers.
func inEach(t *testing.T, test func(t *testing.T, debugger string)) {
	t.Helper()
	program(t)
	for _, debugger := range debuggers() {
		t.Run(strings.ReplaceAll(strings.Trim(debugger, "/"), "/", "_"), func(t *testing.T) {
			if _, err := exec.LookPath(debugger); err != nil {
				t.Skipf("skipped: %v", err)
			}
			test(t, debugger)
		})
	}
}

// converse starts a debugger to talk to.
func converse(t *testing.T, debugger string, args ...string) *conversation {
	t.Helper()
	c := &conversation{t: t}
	c.said.L = &c.mu
	c.in = startGDB(t, debugger, c, c, args...)
	return c
}

// say types a command.
func (c *conversation) say(commands ...string) {
	for _, command := range commands {
		io.WriteString(c.in, command+"\n")
	}
}

// hear waits until gdb has said something that matches, after what was heard before, and gives all that it
// has said up to there.
func (c *conversation) hear(pattern string) string {
	c.t.Helper()
	want := regexp.MustCompile("(?s)" + pattern)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.late = false
	defer time.AfterFunc(2*time.Minute, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.late = true
		c.said.Broadcast()
	}).Stop()
	for ; !c.late; c.said.Wait() {
		rest := c.out.Bytes()[c.from:]
		if at := want.FindIndex(rest); at != nil {
			c.from += at[1]
			return string(rest[:at[1]])
		}
		if len(rest) > 1<<20 {
			break
		}
	}
	c.t.Fatalf("gdb did not say %q; since then:\n%s", pattern, c.out.Bytes()[c.from:])
	return ""
}

// TestNonStopGDB: waves run while others are examined, are interrupted one by one and all together, and are
// stepped; in machines with waves of 64 and of 32 lanes, where gdb's thread 70 is another wave's.
func TestNonStopGDB(t *testing.T) {
	inEach(t, func(t *testing.T, debugger string) {
		t.Run("gcn", func(t *testing.T) { nonStop(t, debugger, "--demo", "wave 1 lane 5", "wave 0 lane 5") })
		t.Run("ptx", func(t *testing.T) {
			nonStop(
				t, debugger, "--launch testdata/launch/demo.json --code-object testdata/ptx/co/demo.O0.ptx",
				"wave 2 lane 5", "")
		})
	})
}

// nonStop has two lanes that meet a breakpoint: one of wave 0, and the other, gdb's thread 70. Where lanes do
// not end while others of their wave run, a lane goes along with the first.
func nonStop(t *testing.T, debugger, launch, other, along string) {
	c := converse(t, debugger)
	c.say("set pagination off", "set width 0", "set confirm off", "directory testdata/src", "set non-stop on",
		"target remote | bin/simtgdb serve --stdio "+launch)
	c.hear(`Thread 1 "wave 0 lane 0" stopped`)
	c.say("break 8 if value == 3 || value == 69")
	c.hear(`Breakpoint 1 at`)
	c.say("continue -a&")
	c.hear(`Thread 4 "wave 0 lane 3" hit Breakpoint 1, weigh \(value=3, rounds=4\)`)
	c.hear(`Thread 70 "` + other + `" hit Breakpoint 1, weigh \(value=69, rounds=2\)`)
	// Wave 0 runs for a very long time, and meanwhile the other one is looked at.
	c.say("delete", "thread 4", "set var rounds = 2000000000", "continue&", "thread 70", "info threads 4 70")
	c.hear(`4 +Thread 4 .*\(running\)`)
	c.hear(`70 +Thread \d+ .* weigh \(value=69, rounds=2\)`)
	c.say("backtrace")
	c.hear(`#1 .* in demo \(input=0x7e0010000000`)
	c.say("next")
	c.hear(`total \+= value \* k`)
	c.say("stepi", "print total", "monitor waves")
	c.hear(`\$1 = 0`)
	c.hear(`wave 0 .* ready`)
	c.say("thread 4", "interrupt")
	c.hear(`Thread 4 "wave 0 lane 3" stopped`)
	c.say("print k > 1")
	c.hear(`\$2 = true`)
	if along != "" {
		c.say("thread 6", "interrupt")
		c.hear(`Thread 6 "` + along + `" stopped`)
	}
	c.say("thread 4", "set var rounds = 3", "finish")
	c.hear(`Value returned is`)
	c.say("continue -a&")
	c.hear(`Inferior 1 \(Remote target\) exited`)
	c.say("quit")
}

// TestNonStopInterruptAll: interrupt -a stops every wave and says so once of each; continue -a lets all go
// on.
func TestNonStopInterruptAll(t *testing.T) { inEach(t, interruptAll) }

func interruptAll(t *testing.T, debugger string) {
	c := converse(t, debugger)
	c.say("set pagination off", "set width 0", "set confirm off", "directory testdata/src", "set non-stop on",
		"target remote | bin/simtgdb serve --stdio --demo")
	c.hear(`Thread 1 "wave 0 lane 0" stopped`)
	c.say("interrupt -a")
	c.hear(`Thread 65 "wave 1 lane 0" stopped`)
	c.say("info threads 65 66", "break 26 if $wave == 1 && $lane == 3", "continue -a&")
	c.hear(`65 [^\n]* demo \(input=0x7e0010000000`)
	c.hear(`66 [^\n]*\(running\)`)
	c.hear(`Thread 68 "wave 1 lane 3" hit Breakpoint 1`)
	c.say("delete", "continue -a&")
	c.hear(`Inferior 1 \(Remote target\) exited normally`)
	c.say("quit")
}

// TestConversations has the conversations of the guide: what is typed behind (gdb), and what gdb says then,
// in this order. In modes where gdb runs while it reads commands there is no transcript of all that it
// prints.
func TestConversations(t *testing.T) { inEach(t, conversations) }

func conversations(t *testing.T, debugger string) {
	var text []byte
	for _, page := range []string{"guide.md", "many-lanes.md"} {
		part, err := os.ReadFile(filepath.Join(root, "docs", page))
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, part...)
	}
	blocks := regexp.MustCompile("(?s)<!-- conversation -->\n```text\n(.*?)```").FindAllSubmatch(text, -1)
	if len(blocks) < 2 {
		t.Fatalf("%d conversations in the guide", len(blocks))
	}
	for _, block := range blocks {
		address, _ := server(t, "--demo")
		c := converse(t, debugger)
		c.say("set pagination off", "set width 0", "set confirm off", "directory testdata/src")
		for _, line := range strings.Split(strings.TrimSpace(string(block[1])), "\n") {
			if command, ok := strings.CutPrefix(line, "(gdb) "); ok {
				c.say(strings.ReplaceAll(command, "/run/user/1000/simtgdb.sock", address))
				continue
			}
			words := strings.Fields(line)
			for i, w := range words {
				words[i] = regexp.QuoteMeta(w)
			}
			c.hear(strings.Join(words, `\s+`))
		}
		c.say("quit")
	}
}

// TestNonStopInterruptAtBreakpoints: gdb can let all go on that it has interrupted where waves stood at a
// breakpoint: it stops all threads to step over it, and waits for those that it has asked before.
func TestNonStopInterruptAtBreakpoints(t *testing.T) {
	inEach(t, func(t *testing.T, debugger string) {
		c := converse(t, debugger)
		c.say("set pagination off", "set width 0", "set confirm off", "directory testdata/src",
			"set non-stop on", "target remote | bin/simtgdb serve --stdio --demo")
		c.hear(`Thread 1 "wave 0 lane 0" stopped`)
		c.say("break 26 if $lane == 3", "continue -a&")
		c.hear(`Thread 4 "wave 0 lane 3" hit Breakpoint 1`)
		c.hear(`Thread 68 "wave 1 lane 3" hit Breakpoint 1`)
		c.say("interrupt -a", "info threads 4 5", "continue -a&")
		c.hear(`Thread 5 .*\(running\)`)
		c.hear(`exited normally`)
		c.say("quit")
	})
}
