package stub

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/simt/gcn"
	"simtgdb/stub/threads"
)

// say runs a monitor command and gives what it prints, or its error.
func (s *Session) say(command string) string {
	var out bytes.Buffer
	if err := s.Monitor(context.Background(), command, &out); err != nil {
		return "error: " + err.Error()
	}
	return out.String()
}

// TestMonitorHelp lists every command, and an unknown one leads there.
func TestMonitorHelp(t *testing.T) {
	s := launched(t, "demo", "")
	help := s.say("")
	for _, c := range monitorCommands {
		if !strings.Contains(help, "monitor "+c.name) {
			t.Errorf("help has no %s", c.name)
		}
	}
	if got := s.say("nonsense"); !strings.Contains(got, "try monitor help") {
		t.Errorf("unknown command: %q", got)
	}
}

// TestMonitorWaves lists the resident waves with their lanes.
func TestMonitorWaves(t *testing.T) {
	s := launched(t, "demo", "")
	lines := strings.Split(strings.TrimSpace(s.say("waves")), "\n")
	if n := len(s.machine.Waves()); len(lines) < n {
		t.Errorf("%d lines for %d waves: %q", len(lines), n, lines)
	}
	for _, c := range []struct{ command, want string }{
		{"info", "kernel demo for gfx90a"},
		{"list wave 1", "those lanes"},
		{"list all", "every lane"},
		{"list nothing", "error"},
		{"disasm", "=> "},
		{"disasm 0", "error"},
		{"disasm x", "error"},
		{"disasm 0 0 0", "error"},
		{"frame 1 2", "error"},
		{"frame 99999", "error"},
		{"registers", "error"},
		{"registers q7", "error"},
		{"registers v99999", "error"},
		{"lanes print wave", "<no variable wave here>  wave 0"},
		{"lanes print dispatch $lane < 0", "one value in 128 lanes"},
		{"lanes print/f $wave", "one value"},
		{"lanes print/q $wave", "a format is one of"},
		{"lanes print 1 +", "column 4: the expression ends"},
		{"lanes print $wave = 3", "set var"},
		{"lanes print weigh(1, 2)", "functions of the program cannot be called"},
		{"lanes nonsense", "error"},
	} {
		if got := s.say(c.command); !strings.Contains(got, c.want) {
			t.Errorf("monitor %s: %q, want %q in it", c.command, got, c.want)
		}
	}
}

// TestMonitorFrames: in a recursion of 200 frames, `monitor registers` and
// `monitor frame` agree with what the frames have.
func TestMonitorFrames(t *testing.T) {
	s, w := deep(t)
	const lane = 1
	thread := threads.Of(w, lane)
	s.view.report(thread)
	frames := s.frames.Of(w, lane)
	text := s.say("registers s34 v41 exec pc")
	if !strings.HasPrefix(text, "error") {
		t.Errorf("pc is no register of a file: %q", text)
	}
	lines := strings.Split(strings.TrimSpace(s.say("registers s34 v41 exec")), "\n")
	if len(lines) != len(frames) {
		t.Fatalf("%d lines for %d frames", len(lines), len(frames))
	}
	shape := regexp.MustCompile(`^#(\d+) s34 (\S+) v41 (\S+) exec (\S+) in (\S+)`)
	for i := range frames {
		m := shape.FindStringSubmatch(lines[i])
		if m == nil || m[1] != fmt.Sprint(i) {
			t.Fatalf("line %d: %q", i, lines[i])
		}
		s34, err1 := scalarOf(&frames[i], 34)
		v41, err2 := vectorOf(&frames[i], 41)
		if err1 == nil && m[2] != fmt.Sprintf("%#x", s34) || err2 == nil && m[3] != fmt.Sprintf("%#x", v41) {
			t.Errorf("frame %d: %q, want s34 %#x (%v), v41 %#x (%v)", i, lines[i], s34, err1, v41, err2)
		}
	}
	for _, want := range []string{"#0 ", "#199 ", "the lane's own state", "unwound by call frame information",
		"CFA of the callee"} {
		if !strings.Contains(s.say("frame"), want) {
			t.Errorf("monitor frame has no %q", want)
		}
	}
	for i := range frames {
		want := "no caller: the kernel's frame"
		if i+1 < len(frames) {
			want = fmt.Sprintf("caller at %#x in ", frames[i+1].PC)
		}
		if got := s.say(fmt.Sprintf("unwind --frame %d", i)); !strings.Contains(got, want) ||
			!strings.Contains(got, "entry for ") {
			t.Fatalf("monitor unwind --frame %d: %q, want %q in it", i, got, want)
		}
	}
}

// TestMonitorLocation: `monitor location` names the place of a variable of an outer frame, and there is its
// value.
func TestMonitorLocation(t *testing.T) {
	s, w := deep(t)
	const lane = 1
	s.view.report(threads.Of(w, lane))
	shape := regexp.MustCompile(`(?m)^  now +scratch 0x\w+ of lane 1, for gdb (0x\w+)$`)
	for level := 1; level < 200; level += 50 {
		text := s.say(fmt.Sprintf("location --frame %d stored", level))
		m := shape.FindStringSubmatch(text)
		if m == nil || !strings.Contains(text, "expression  DW_OP_") {
			t.Fatalf("frame %d: %q", level, text)
		}
		addr, err := strconv.ParseUint(m[1], 0, 64)
		b := make([]byte, 4)
		if err == nil {
			_, err = s.ReadMemory(threads.Of(w, lane), addr, b)
		}
		want := s.say(fmt.Sprintf("lanes print/u --frame %d stored", level))
		if got := fmt.Sprintf("  %d  ", binary.LittleEndian.Uint32(b)); err != nil ||
			!strings.Contains(want, got) {
			t.Errorf("frame %d: %s at %#x (%v), want one of %q", level, got, addr, err, want)
		}
	}
	other := s.say(fmt.Sprintf("thread %d location --frame 1 stored", threads.Of(w, lane+1)))
	if !strings.Contains(other, "of lane 2, ") {
		t.Errorf("another thread's: %q", other)
	}
	if again := s.say("location --frame 1 stored"); !strings.Contains(again, "of lane 1, ") {
		t.Errorf("after a command for another thread: %q", again)
	}
	for _, c := range []string{"location nothing", "location --frame 999", "unwind here", "thread",
		"thread 0 time", "thread 1 thread 2 time", "thread 99999 time"} {
		if got := s.say(c); !strings.HasPrefix(got, "error") {
			t.Errorf("monitor %s: %q, want an error", c, got)
		}
	}
}

// TestCallersRegistersByRules writes registers of outer frames where call frame
// information says that they are.
func TestCallersRegistersByRules(t *testing.T) {
	s, w := deep(t)
	const lane = 1
	for _, level := range []int{1, 50, 150} {
		f := &s.frames.Of(w, lane)[level]
		for _, r := range []simt.Reg{{File: gcn.FileS, Index: 34}, {File: gcn.FileV, Index: 41}} {
			want := uint32(0x1000*level) + uint32(r.File)
			if err := f.Registers.Write(r, lane, binary.LittleEndian.AppendUint32(nil, want)); err != nil {
				t.Fatalf("frame %d, %v: %v", level, r, err)
			}
			s.frames.Forget()
			got, err := number(&s.frames.Of(w, lane)[level], r)
			if err != nil || got != want {
				t.Errorf("frame %d, %v: %#x (%v), want %#x", level, r, got, err, want)
			}
		}
		if files := f.Registers.Files(); len(files) != len(w.Regs.Files()) {
			t.Errorf("frame %d has %d files", level, len(files))
		}
	}
}

// TestHardwareBreakpoint: the machine has but one kind.
func TestHardwareBreakpoint(t *testing.T) {
	s := launched(t, "demo", "")
	weigh := s.address(t, "_Z5weighii")
	if err := s.InsertHardwareBreakpoint(rsp.Breakpoint{Address: weigh}); err != nil {
		t.Fatal(err)
	}
	if stop := resume(t, s, letAllRun); stop.Kind != rsp.Stopped || s.say("lanes") == "" {
		t.Errorf("stop %+v", stop)
	}
	if w, _, err := s.view.lane(rsp.AnyThread); err != nil || w.PC != weigh {
		t.Errorf("stopped elsewhere: %v", err)
	}
	if err := s.RemoveHardwareBreakpoint(weigh, 1); err != nil {
		t.Fatal(err)
	}
}

// TestWatchRegisterObject watches variables that are in registers: a change is
// reported in the lane whose variable it is.
func TestWatchRegisterObject(t *testing.T) {
	s := launched(t, "private_array", "private_array.gfx90a.O2")
	const lane = 3
	hits := 0
	for range 400 {
		if _, err := s.advance(1); err != nil {
			t.Fatal(err)
		}
		w := s.machine.Waves()[0]
		s.frames.Forget()
		for n := range s.symbols.Slots {
			at := s.frames.SlotAddress(&s.frames.Of(w, lane)[0], n)
			p := rsp.Watchpoint{Kind: rsp.WatchWrite, Address: at, Size: int(min(s.symbols.Slots[n].Size, 4))}
			if kind, _, _ := s.Split(at); kind != threads.FrameWindow || p.Size == 0 ||
				s.InsertWatchpoint(p) != nil {
				continue
			}
			stop := resume(t, s, stepping(threads.Of(w, lane))...)
			if stop.Cause == rsp.CauseWatch {
				if hits++; stop.Address != at || stop.Thread != threads.Of(w, lane) {
					t.Fatalf("stop %+v, want lane %d", stop, lane)
				}
			}
			s.RemoveWatchpoint(p)
			if stop.Kind != rsp.Stopped || len(s.machine.Waves()) == 0 || s.machine.Waves()[0] != w {
				break
			}
		}
		if hits > 3 {
			return
		}
	}
	t.Errorf("%d changes were seen", hits)
}
