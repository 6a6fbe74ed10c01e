package rsp

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestGDBConditions(t *testing.T) {
	eachGDB(t, func(t *testing.T, gdb string) {
		s := startServer(t, 4)
		out := runGDB(t, gdb,
			"target remote "+s.address,
			// Register, memory and a register beyond the g packet in one condition.
			"break *0x401009 if $rbx >= 5 && *(long*)($rdi) > 3000 && $lane == 2",
			"continue", "p $rbx", "p $lane",
			"condition 1 $rbx == 9 || $rbx == 11",
			"continue", "p $rbx", "continue", "continue", "continue", "p $lane", "continue", "p $rbx",
			"disconnect")
		expectLines(t, out,
			`Thread 3 "lane 2" hit Breakpoint 1`, "$1 = 5", "$2 = 2",
			`Thread 1 "lane 0" hit`, "$3 = 9",
			"$4 = 3", `Thread 1 "lane 0" hit`, "$5 = 11")
		target := s.target(t, 0)
		if target.evaluations < 4*5 {
			t.Errorf("conditions were evaluated %d times by the target", target.evaluations)
		}
		if strings.Contains(s.logged(), "Z0") {
			t.Errorf("a breakpoint was refused")
		}
	})
}

func TestGDBAgentPrintf(t *testing.T) {
	eachGDB(t, func(t *testing.T, gdb string) {
		s := startServer(t, 2)
		out := runGDB(t, gdb,
			"target remote "+s.address,
			"set dprintf-style agent",
			`dprintf *0x401006,"lane %d has %ld\n", $lane, $rax`,
			"break *0x401009", "continue", "disconnect")
		expectLines(t, out, "lane 0 has 1001\nlane 1 has 2001\n", "hit Breakpoint 2")
	})
}

func TestGDBStepping(t *testing.T) {
	eachGDB(t, func(t *testing.T, gdb string) {
		s := startServer(t, 2)
		out := runGDB(t, gdb,
			"target remote "+s.address,
			"break worker", "stepi 4", "p $pc", "nexti", "p $pc",
			"continue", "p $rax",
			"delete 1", "set scheduler-locking on",
			"thread 2", "stepi", "p $pc", "thread 1", "p $pc",
			"set scheduler-locking off",
			"set var $pc = 0x40100c", "continue")
		expectLines(t, out,
			"$1 = (void (*)()) 0x40100a", "$2 = (void (*)()) 0x401000",
			"exited with code 07")
	})
}

func TestGDBWatch(t *testing.T) {
	eachGDB(t, func(t *testing.T, gdb string) {
		s := startServer(t, 2)
		out := runGDB(t, gdb,
			"target remote "+s.address,
			"watch *(long*)0x602008", "continue", "p $pc", "continue",
			"delete", "set var $rdi = 0", "continue")
		expectLines(t, out,
			"Hardware watchpoint 1: *(long*)0x602008",
			`Thread 1 "lane 0" hit Hardware watchpoint 1`, "New value = 1001",
			"$1 = (void (*)()) 0x401009",
			"Old value = 1001", "New value = 1002",
			"received signal SIGSEGV")
	})
}

func TestGDBMemory(t *testing.T) {
	eachGDB(t, func(t *testing.T, gdb string) {
		s := startServer(t, 1)
		dir := t.TempDir()
		read, changed := filepath.Join(dir, "read"), filepath.Join(dir, "changed")
		content := bytes.Repeat([]byte("}#$*\x03\x00any byte"), dataSize/14+1)[:dataSize]
		if err := os.WriteFile(changed, content, 0o600); err != nil {
			t.Fatal(err)
		}
		out := runGDB(t, gdb,
			"target remote "+s.address,
			fmt.Sprintf("dump binary memory %s 0x%x 0x%x", read, dataBase, dataBase+dataSize),
			fmt.Sprintf("restore %s binary 0x%x", changed, dataBase),
			fmt.Sprintf("find 0x%x, +0x20, 'a', 'n', 'y'", dataBase),
			"compare-sections",
			"set var *(char*)0x401009 = 0",
			"compare-sections",
			"disconnect")
		got, err := os.ReadFile(read)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, fakeData) {
			t.Errorf("memory was read wrong (%d bytes)", len(got))
		}
		if !bytes.Equal(s.target(t, 0).data, content) {
			t.Errorf("memory was written wrong")
		}
		expectLines(t, out, "0x602006", "0x602014", ": matched.", "MIS-MATCHED!")
	})
}

// TestGDBInterrupt stops a running program with Ctrl-C, and goes on after it.
func TestGDBInterrupt(t *testing.T) {
	eachGDB(t, func(t *testing.T, gdb string) {
		s := startServer(t, 2)
		ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
		defer cancel()
		cmd := gdbCommand(ctx, gdb,
			"target remote "+s.address, "continue", "p $pc > 0", "continue", "p 77", "detach")
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		target := s.target(t, 0)
		for range 2 {
			<-target.running
			// gdb takes a Ctrl-C as meant for the program only once it waits for it.
			untilWaiting(t, cmd.Process.Pid)
			if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
		}
		cmd.Wait()
		expectLines(t, out.String(),
			"received signal SIGINT", "$1 = 1",
			"received signal SIGINT", "$2 = 77", "detached]")
	})
}

// untilWaiting returns when a process has been waiting for something ten times in a row.
func untilWaiting(t *testing.T, pid int) {
	t.Helper()
	for waiting := 0; waiting < 10; time.Sleep(10 * time.Millisecond) {
		// proc_pid_stat(5): the state follows the name in parentheses.
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			t.Fatal(err)
		}
		waiting++
		if _, state, _ := strings.Cut(string(stat), ") "); !strings.HasPrefix(state, "S") {
			waiting = 0
		}
	}
}

// TestGDBKilled kills gdb while the program runs; the next gdb connects at once.
func TestGDBKilled(t *testing.T) {
	eachGDB(t, func(t *testing.T, gdb string) {
		s := startServer(t, 2)
		for n := range 3 {
			ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
			defer cancel()
			cmd := gdbCommand(ctx, gdb, "target remote "+s.address, "continue")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			<-s.target(t, n).running
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			cmd.Wait()
		}
		out := runGDB(t, gdb, "target remote "+s.address, "p $rax", "detach")
		expectLines(t, out, "$1 = 1000", "detached]")
		if n := strings.Count(s.logged(), ErrDisconnected.Error()); n != 3 {
			t.Errorf("%d clients were lost, want 3", n)
		}
	})
}

// TestGDBRefused connects while another client is being served.
func TestGDBRefused(t *testing.T) {
	t.Parallel()
	eachGDB(t, func(t *testing.T, gdb string) {
		t.Parallel() // it mostly waits
		s := startServer(t, 1)
		first := dialClient(t, s.address)
		exchangeWith(t, first, "qC", "QC1")
		out := runGDB(t, gdb, "target remote "+s.address, "p 1+1")
		expectLines(t, out, "another client is connected")
		first.Close()
		out = runGDB(t, gdb, "target remote "+s.address, "p $rax", "detach")
		expectLines(t, out, "$1 = 1000")
	})
}

// TestGDBOlderPackets makes gdb do without what an older one would not have:
// acknowledgments stay on, and the packets before vCont, X and qXfer:threads are
// used.
func TestGDBOlderPackets(t *testing.T) {
	eachGDB(t, func(t *testing.T, gdb string) {
		s := startServer(t, 3)
		commands := []string{"set debug remote 1"}
		for _, packet := range []string{"noack", "verbose-resume", "binary-download", "threads",
			"swbreak-feature", "P", "conditional-breakpoints"} {
			commands = append(commands, "set remote "+packet+"-packet off")
		}
		out := runGDB(t, gdb, append(commands,
			"target remote "+s.address,
			"set debug remote 0",
			"info threads",
			"set var *(int*)0x602100 = 99", "p *(int*)0x602100",
			"set var $rbx = 31", "p $rbx",
			"thread 2", "stepi", "p $pc",
			"break *0x401009 if $rbx > 40", "continue", "p $rbx > 40",
			"monitor echo still here",
			"detach")...)
		expectLines(t, out,
			`  3    Thread 3 (wave <0> & "group" 0) 0x0000000000401000`,
			"$1 = 99", "$2 = 31", "$3 = (void (*)()) 0x401003",
			"hit Breakpoint 1", "$4 = 1", "still here", "detached]")
		for _, unexpected := range []string{"$QStartNoAckMode", "$qXfer:threads", "$vCont;"} {
			if strings.Contains(out, unexpected) {
				t.Errorf("gdb has sent %s", unexpected)
			}
		}
	})
}

func TestGDBMultiprocess(t *testing.T) {
	eachGDB(t, func(t *testing.T, gdb string) {
		s := startServerFor(t, 2, func(f *fakeTarget) Target { return multiTarget{f} })
		out := runGDB(t, gdb,
			"target remote "+s.address, "info threads",
			"thread 2", "p $rax", "thread 1",
			"stepi", "p $rax", "reverse-stepi", "p $rax", "p $pc",
			"reverse-continue",
			"set var $pc = 0x40100c", "continue")
		expectLines(t, out,
			`* 1    Thread 42.1 "lane 0"`, `  2    Thread 42.2 "lane 1"`,
			"$1 = 2000", "$2 = 1001", "$3 = 1000", "$4 = (void (*)()) 0x401000",
			" history", // gdb 15: No more reverse-execution history; gdb 16: Reached end of recorded history
			"[Inferior 1 (process 42) exited with code 07]")
	})
}

// TestGDBResumeError shows why a program cannot be resumed.
func TestGDBResumeError(t *testing.T) {
	eachGDB(t, func(t *testing.T, gdb string) {
		s := startServerFor(t, 2, func(f *fakeTarget) Target {
			f.resumeError = fmt.Errorf("all waves wait at a barrier: %w", EBUSY)
			return f
		})
		out := runGDB(t, gdb, "target remote "+s.address, "continue", "p $rax", "detach")
		expectLines(t, out, "all waves wait at a barrier: busy", "$1 = 1000", "detached]")
		// From gdb 16 on the reply is the whole sentence, before it E10 after the sentence.
		expectLines(t, out, "Remote failure reply: E", "$1 = 1000")
	})
}

// TestGDBPackets looks at the conversation itself.
func TestGDBPackets(t *testing.T) {
	eachGDB(t, func(t *testing.T, gdb string) {
		s := startServer(t, 2)
		out := runGDB(t, gdb,
			"set debug remote 1", "target remote "+s.address,
			"break *0x401006 if $rax == 1003", "continue", "disconnect")
		expectLines(t, out,
			"PacketSize=20000;QStartNoAckMode+",
			"Sending packet: $QStartNoAckMode", "Packet received: OK",
			"Sending packet: $qXfer:features:read:target.xml:0,",
			"Sending packet: $vFile:open:",
			"Sending packet: $Z0,401006,1;X",
			"Sending packet: $vCont;c",
			"swbreak:;thread:1;")
		for _, unexpected := range []string{"Packet received: E", "Bad checksum", "Ignoring packet error"} {
			if strings.Contains(out, unexpected) {
				t.Errorf("%q in the conversation", unexpected)
			}
		}
		if !regexp.MustCompile(`T0510:0610400000000000;7:`).MatchString(out) {
			t.Errorf("no expedited registers in the stop reply")
		}
	})
}

// TestGDBManyThreads lists more threads than fit in one packet.
func TestGDBManyThreads(t *testing.T) {
	path, err := exec.LookPath("gdb")
	if err != nil {
		t.Skip("skipped: no gdb")
	}
	s := startServer(t, 2048)
	out := runGDB(t, path,
		"target remote "+s.address, "thread 2048", "p $rax", "stepi", "p $_thread", "detach")
	expectLines(t, out, "Switching to thread 2048", "$1 = 2048000", "$2 = 2048")
}
