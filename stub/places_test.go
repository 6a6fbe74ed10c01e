package stub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"path/filepath"
	"testing"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/threads"
	"simtgdb/testdata/steps"
)

// TestPlaces executes programs with nasty control flow by instructions. Wherever a lane
// stands then, is in a line that the lane comes to where the same source is stepped on the
// host, and it stands in all of these, in their order. But an active lane that is in glue
// is where its wave is, and no step ends there.
func TestPlaces(t *testing.T) {
	programs, err := steps.Read(filepath.Join(testdata, "steps"))
	if err != nil || len(programs) < 16 {
		t.Fatalf("%d programs, %v", len(programs), err)
	}
	for _, p := range programs {
		t.Run(p.Name, func(t *testing.T) {
			start := func() *Session {
				return sessionFor(t, "--code-object", filepath.Join(testdata, "steps/co", p.Name+".co"),
					"--kernel", "kernel",
					"--grid", "64", "--block", "64", "--arg", "buf:i32[64]=zero")
			}
			s := start()
			w := s.machine.Waves()[0]
			var stood [64][]string
			var now [64]uint64
			lines := lineTexts{}
			then := map[uint64][64]uint64{} // by instructions executed
			for w.State == simt.Ready {
				for lane := range stood {
					now[lane] = w.LanePC(lane)
					if w.Active()>>lane&1 != 0 && s.places.isGlue(w.PC) {
						continue
					}
					line := lines.at(t, s, now[lane])
					if been := stood[lane]; len(been) == 0 || been[len(been)-1] != line {
						stood[lane] = append(been, line)
					}
				}
				then[w.Insts] = now
				if _, err := s.stepWave(w, 1); err != nil {
					t.Fatal(err)
				}
			}
			sameInRuns(t, start(), then)
			for lane := range stood {
				want, got := p.Lines(p.Lanes[lane]), p.Lines(stood[lane])
				if wrong := follows(want, got); wrong != "" {
					t.Fatalf("lane %d: %s\nit comes to lines %v\nand stood in    %v", lane, wrong, want, got)
				}
			}
		})
	}
}

// lineTexts are the lines that addresses are in, as text: 64 lanes come to each many times.
type lineTexts map[uint64]string

// at is the line of an address.
func (ls lineTexts) at(t *testing.T, s *Session, pc uint64) string {
	t.Helper()
	line, known := ls[pc]
	if !known {
		at, ok := s.prog.Source.StatementAt(pc)
		if !ok {
			t.Fatalf("at %#x: no line", pc)
		}
		line = fmt.Sprint(at.Line)
		ls[pc] = line
	}
	return line
}

// sameInRuns executes a program in longer runs, of which cores may translate much, and
// compares where lanes stand with where they stood when it was stepped.
func sameInRuns(t *testing.T, s *Session, then map[uint64][64]uint64) {
	t.Helper()
	w := s.machine.Waves()[0]
	for {
		if _, err := s.stepWave(w, 61); err != nil {
			t.Fatal(err)
		}
		want, ok := then[w.Insts]
		if w.State != simt.Ready || !ok {
			break
		}
		for lane := range want {
			if got := w.LanePC(lane); got != want[lane] {
				t.Fatalf("after %d instructions in runs, lane %d is at %#x, and at %#x when they are stepped",
					w.Insts, lane, got, want[lane])
			}
		}
	}
	if w.State == simt.Ready {
		t.Fatalf("after %d instructions in runs, the wave is not where it was when it was stepped", w.Insts)
	}
}

// follows says what is wrong with the lines where a lane stood: they are those that it
// comes to, in their order, and between them lines that it came to before, such as that
// of a call which has returned.
func follows(want, got []string) string {
	seen, n := map[string]bool{}, 0
	for i, line := range got {
		if n < len(want) && want[n] == line {
			seen[line] = true
			n++
		} else if !seen[line] {
			return fmt.Sprintf("place %d is line %s, but the next is line %s", i, line,
				want[n:min(n+1, len(want))])
		}
	}
	if n < len(want) {
		return fmt.Sprintf("it never stood in line %s, number %d", want[n], n)
	}
	return ""
}

// TestStepOverBreakpoint steps a lane over breakpoints where statements begin, as gdb does, while no other
// runs. It does not end in the glue of another statement: gdb would take the lane to be in the middle of that
// one, and not stop where it begins.
func TestStepOverBreakpoint(t *testing.T) {
	s := sessionFor(t, "--code-object", filepath.Join(testdata, "steps/co/dowhile.co"), "--kernel", "kernel",
		"--grid", "64", "--block", "64", "--arg", "buf:i32[64]=zero")
	w := s.machine.Waves()[0]
	over := 0
	for w.State == simt.Ready {
		lane := bits.TrailingZeros64(w.Active())
		n, begins := s.places.statement(w.PC)
		if !begins || s.machine.EndsAt(w.PC) {
			if _, err := s.stepWave(w, 1); err != nil {
				t.Fatal(err)
			}
			continue
		}
		from := w.PC
		if err := errors.Join(s.InsertSoftwareBreakpoint(rsp.Breakpoint{Address: from}),
			s.RemoveSoftwareBreakpoint(from, 1)); err != nil {
			t.Fatal(err)
		}
		stop := rsp.Stop{Cause: rsp.CauseLibrary} // of lanes that gdb would have looked at
		for stop.Cause == rsp.CauseLibrary {
			var err error
			if stop, err = s.Resume(context.Background(), rsp.Resumption{Console: io.Discard,
				Actions: []rsp.Action{{Kind: rsp.Step, Thread: threads.Of(w, lane)}}}); err != nil {
				t.Fatal(err)
			}
		}
		if to, _ := s.places.statement(w.PC); to != n && s.places.isGlue(w.PC) {
			t.Errorf("a step from %#x ends in the glue at %#x", from, w.PC)
		}
		over++
	}
	if over < 50 {
		t.Errorf("only %d steps", over)
	}
}

// TestStepRange steps lanes over the ranges of statements, as gdb does with next. A step does not end in the
// glue that a lane comes through behind the range, but where the lane begins something else.
func TestStepRange(t *testing.T) {
	s := sessionFor(t, "--code-object", filepath.Join(testdata, "steps/co/dowhile.co"), "--kernel", "kernel",
		"--grid", "64", "--block", "64", "--arg", "buf:i32[64]=zero")
	w := s.machine.Waves()[0]
	steps, through := 0, 0
	for w.State == simt.Ready {
		lane := bits.TrailingZeros64(w.Active())
		n, begins := s.places.statement(w.PC)
		if !begins || s.machine.EndsAt(w.PC) {
			if _, err := s.stepWave(w, 1); err != nil {
				t.Fatal(err)
			}
			continue
		}
		a := rsp.Action{Kind: rsp.StepRange, Thread: threads.Of(w, lane), Start: w.PC, End: w.PC}
		for now := n; now == n; now, _ = s.places.statement(a.End) {
			in, err := s.machine.InstAt(a.End)
			if err != nil {
				t.Fatal(err)
			}
			a.End += uint64(in.Size)
		}
		if s.places.isGlue(a.End) {
			through++
		}
		stop, err := s.forward(context.Background(), rsp.Resumption{Console: io.Discard,
			Actions: []rsp.Action{a, letAllRun}})
		if err != nil {
			t.Fatal(err)
		}
		if stop.Kind == rsp.Stopped && stop.Thread == a.Thread &&
			(w.PC >= a.Start && w.PC < a.End || s.places.isGlue(w.PC) || w.Active()>>lane&1 == 0) {
			t.Errorf("a step from %#x to %#x ends at %#x", a.Start, a.End, w.PC)
		}
		steps++
	}
	if steps < 50 || through < 5 {
		t.Errorf("only %d steps, %d of them before glue", steps, through)
	}
}
