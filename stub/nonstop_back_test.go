package stub

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"simtgdb/rsp"
	"simtgdb/simt/simttest"
	"simtgdb/stub/threads"
)

// TestNonStopGoesBack: monitor back and goto go nowhere until all runs that stood, and then to where all has
// been before; all that stood is reported, and nothing runs until something is let run. On every machine.
func TestNonStopGoesBack(t *testing.T) {
	for _, name := range []string{"gcn demo", "ptx demo", "spirv calls", "gen tile"} {
		t.Run(name, func(t *testing.T) {
			s := nonStopSession(t, name)
			begin := simttest.Digest(s.machine)
			waves := s.machine.Waves()
			other := threads.Of(waves[len(waves)-1], 1)
			start(t, s, rsp.Action{Kind: rsp.Stay, Thread: other})
			pieces(t, s, 1)
			type moment struct {
				at     uint64
				digest string
			}
			var past []moment
			for range 20 {
				past = append(past, moment{s.past.Now(), simttest.Digest(s.machine)})
				start(t, s, rsp.Action{Kind: rsp.Step, Thread: 1})
				pieces(t, s, 1000)
			}
			present := simttest.Digest(s.machine)
			stands := s.Stopped()

			tell(t, s, "back 7")
			start(t, s, rsp.Action{Kind: rsp.Step, Thread: 1})
			if stops, _ := pieces(t, s, 3); len(stops) != 1 || stops[0].Thread != 1 ||
				stops[0].Signal != rsp.SIGTRAP {
				t.Errorf("a step over a breakpoint while others stand: %+v", stops)
			}
			if simttest.Digest(s.machine) != present {
				t.Error("the machine has moved before all were let run")
			}
			wantAt := func(what string, want moment, last rsp.StopCause) {
				t.Helper()
				stops, _ := pieces(t, s, 3)
				var told []rsp.ThreadID
				for _, stop := range stops {
					told = append(told, stop.Thread)
				}
				slices.Sort(told)
				if !slices.Equal(told, stands) || stops[len(stops)-1].Cause != last {
					t.Errorf("%s: reported are %+v; %v stood", what, stops, stands)
				}
				if got := simttest.Digest(s.machine); got != want.digest || s.past.Now() != want.at {
					t.Errorf("%s: at %d, another state: %v, want %d",
						what, s.past.Now(), got != want.digest, want.at)
				}
				if stops, running := pieces(t, s, 3); len(stops) > 0 || running ||
					!slices.Equal(s.Stopped(), stands) {
					t.Errorf("%s: something runs: %+v; %v stand, before %v", what, stops, s.Stopped(), stands)
				}
			}
			start(t, s, letAllRun)
			wantAt("back 7", past[len(past)-7], rsp.CauseNone)
			tell(t, s, "goto begin")
			start(t, s, rsp.Action{Kind: rsp.Continue, Thread: 1},
				rsp.Action{Kind: rsp.Continue, Thread: other})
			wantAt("goto begin", moment{0, begin}, rsp.CauseNone)
			tell(t, s, "goto end")
			start(t, s, letAllRun)
			wantAt("goto end", moment{s.past.End(), present}, rsp.CauseNone)
			tell(t, s, "back")
			start(t, s, letAllRun)
			wantAt("back", moment{0, begin}, rsp.CauseReplayBegin)

			tell(t, s, "back 1")
			tell(t, s, "back off")
			start(t, s, letAllRun)
			stops, _ := pieces(t, s, 1<<20)
			if len(stops) != 1 || stops[0].Kind != rsp.Exited || stops[0].Code != 0 {
				t.Errorf("the end: %+v", stops)
			}
		})
	}
}

// TestNonStopBackLines: monitor back line comes to the lines that the lane came to on its way, in reverse,
// where it came to them; monitor back comes to breakpoints, the last first.
func TestNonStopBackLines(t *testing.T) {
	s := nonStopSession(t, "gcn demo")
	w := s.machine.Waves()[0]
	here := func() string {
		p, _ := s.prog.Source.At(w.LanePC(0))
		return p.String()
	}
	type came struct {
		at   uint64
		line string
	}
	way := []came{{0, here()}}
	for range 200 {
		start(t, s, rsp.Action{Kind: rsp.Step, Thread: 1})
		pieces(t, s, 100)
		if now := here(); now != way[len(way)-1].line {
			way = append(way, came{s.past.Now(), now})
		}
	}
	for i := len(way); s.past.Now() > 0; i-- {
		tell(t, s, "back line")
		start(t, s, rsp.Action{Kind: rsp.Continue, Thread: 1})
		pieces(t, s, 1)
		w = s.machine.Waves()[0]
		if got := (came{s.past.Now(), here()}); i < 1 || !slices.Contains(way[:i], got) {
			t.Fatalf("back to %v; the way was %v", got, way)
		}
	}
	at := s.address(t, "_Z5weighii")
	if err := s.InsertSoftwareBreakpoint(rsp.Breakpoint{Address: at}); err != nil {
		t.Fatal(err)
	}
	start(t, s, letAllRun)
	pieces(t, s, 1000)
	first := s.past.Now()
	pieces(t, s, 1000)
	tell(t, s, "back")
	start(t, s, letAllRun)
	stops, _ := pieces(t, s, 1)
	if n := len(stops); n != 2 || stops[1].Cause != rsp.CauseSoftwareBreakpoint || s.past.Now() != first {
		t.Errorf("back to a breakpoint: time %d, want %d: %+v", s.past.Now(), first, stops)
	}
}

// tell gives a monitor command.
func tell(t *testing.T, s *Session, command string) {
	t.Helper()
	if err := s.Monitor(context.Background(), command, io.Discard); err != nil {
		t.Fatal(err)
	}
}

// TestBackRefused: what monitor back does not do is said.
func TestBackRefused(t *testing.T) {
	s := nonStopSession(t, "gcn demo")
	for command, want := range map[string]string{"back 0": "COUNT", "back x": "COUNT", "back 1 2": "COUNT",
		"goto 1": "the history is from 0 to 0"} {
		err := s.Monitor(context.Background(), command, io.Discard)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", command, err, want)
		}
	}
	if err := s.SetNonStop(false); err != nil {
		t.Fatal(err)
	}
	if err := s.Monitor(context.Background(), "back", io.Discard); err == nil ||
		!strings.Contains(err.Error(), "reverse-continue") {
		t.Errorf("in all-stop mode: %v", err)
	}
}
