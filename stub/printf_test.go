package stub

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simtgdb/rsp"
	"simtgdb/stub/printf"

	"github.com/google/go-cmp/cmp"
)

// printer is a session on a kernel that prints, and what it is to print.
func printer(t *testing.T, name string) (*Session, string) {
	t.Helper()
	s := sessionFor(t, "--launch", filepath.Join(testdata, "printf/launch", name+".json"))
	want, err := os.ReadFile(filepath.Join(testdata, "printf/expect", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	return s, string(want)
}

// resumeTo is resume with what the console shows.
func resumeTo(t *testing.T, s *Session, out *bytes.Buffer, actions ...rsp.Action) rsp.Stop {
	t.Helper()
	s.Threads()
	stop, err := s.Resume(context.Background(), rsp.Resumption{Actions: actions, Console: out})
	if err != nil {
		t.Fatal(err)
	}
	return stop
}

// sorted are the lines of a text in an order that does not depend on which lane
// came first.
func sorted(text string) []string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	slices.Sort(lines)
	return lines
}

// TestPrinting: the console shows all texts, with a history and back through it
// each once.
func TestPrinting(t *testing.T) {
	for _, history := range []bool{false, true} {
		s, want := printer(t, "print_hip")
		if history {
			s.Remember(DefaultHistory)
		}
		var out bytes.Buffer
		if history {
			for range 300 {
				if stop := resumeTo(t, s, &out, stepping(s.view.somebody())...); stop.Kind != rsp.Stopped {
					t.Fatalf("stop %+v", stop)
				}
			}
			if err := s.past.Goto(s.past.Begin()); err != nil {
				t.Fatal(err)
			}
		}
		if stop := resumeTo(t, s, &out, letAllRun); stop.Kind != rsp.Exited {
			t.Fatalf("stop %+v", stop)
		}
		if d := cmp.Diff(sorted(string(printf.Escape(nil, []byte(want)))), sorted(out.String())); d != "" {
			t.Errorf("history %v: lines of the console (-want +got):\n%s", history, d)
		}
	}
}

// TestPrintingStops: each text stops the lane that printed it, and can be shown
// with its lane afterwards; without break nothing stops.
func TestPrintingStops(t *testing.T) {
	s, want := printer(t, "print_hip")
	if got := s.say("printf break on") + s.say("printf prefix on") +
		s.say("printf"); !strings.Contains(got, "printf on, prefix on, break on; texts so far: 0") {
		t.Errorf("switches: %q", got)
	}
	var out bytes.Buffer
	stops := 0
	for {
		stop := resumeTo(t, s, &out, letAllRun)
		if stop.Kind == rsp.Exited {
			break
		}
		stops++
		if w, lane, err := s.view.lane(stop.Thread); err != nil || w.Valid>>lane&1 == 0 {
			t.Fatalf("stop %+v: %v", stop, err)
		}
		if stops > 1000 {
			t.Fatal("it does not end")
		}
	}
	texts := strings.Count(want, "\n")
	if stops == 0 || stops > texts {
		t.Errorf("%d stops for %d lines", stops, texts)
	}
	shown := s.say("printf show 2")
	if n := strings.Count(shown, "workgroup"); n != 2 {
		t.Errorf("the last two texts: %q", shown)
	}
	for _, bad := range []string{"printf nonsense", "printf show x", "printf break maybe"} {
		if got := s.say(bad); !strings.HasPrefix(got, "error") {
			t.Errorf("monitor %s: %q", bad, got)
		}
	}
	s, _ = printer(t, "print_hip")
	s.say("printf off")
	out.Reset()
	if stop := resumeTo(t, s, &out, letAllRun); stop.Kind != rsp.Exited ||
		strings.Count(out.String(), "\n") >= texts {
		t.Errorf("printf off: stop %+v, console %q", stop, &out)
	}
}
