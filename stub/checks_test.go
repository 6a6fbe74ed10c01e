package stub

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simtgdb/rsp"
	"simtgdb/simt/check"
)

// defective is a session of a kernel of testdata/check that is checked.
func defective(t testing.TB, object, kernel string) *Session {
	t.Helper()
	s := checkedSession(t, check.All, "--code-object", filepath.Join(testdata, "check", object), "--kernel",
		kernel, "--grid", "256",
		"--block", "128", "--arg", "buf:i32[512]=iota", "--arg", "buf:i32[512]=none")
	s.Remember(DefaultHistory)
	return s
}

// found runs a session to its end, and back and forth on the way if wanted, and gives the texts of
// what stopped it.
func found(t *testing.T, s *Session, back bool) (stops int) {
	t.Helper()
	for n := 0; n < 100; n++ {
		var console bytes.Buffer
		s.Threads()
		stop, err := s.Resume(context.Background(), rsp.Resumption{Actions: []rsp.Action{letAllRun},
			Console: &console})
		if err != nil {
			t.Fatal(err)
		}
		if stop.Kind != rsp.Stopped {
			return stops
		}
		if !strings.Contains(console.String(), "check ") {
			t.Fatalf("a stop without a defect: %+v\n%s", stop, console.String())
		}
		if stops++; !back {
			continue
		}
		now := s.past.Now()
		for _, at := range []uint64{now / 2, 0, now - 1, now} {
			if err := s.past.Goto(at); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Fatal("no end")
	return 0
}

// TestDefectsBack: what is found does not depend on whether the program goes back and forth on the way.
func TestDefectsBack(t *testing.T) {
	for _, c := range []struct{ object, kernel string }{
		{"defects.O0.co", "tile_race"}, {"defects.O2.co", "again_race"}, {"defects.O0.spv", "count_race"},
		{"defects.O2.ptx", "tile_race"}, {"defects.O0.zebin", "again_race"},
		{"defects.O0.co", "local_uninit"},
		{"defects.O0.co", "two_barrier"}, {"defects.O0.co", "private_uninit"},
		{"registers.co", "vector_wait"},
		{"registers.co", "moved_ok"}, {"defects.O0.co", "again_ok"}, {"values.O0.ptx", "sum_uninit"},
		{"values.O0.spv", "member_uninit"}, {"values.O0.ptx", "member_ok"}, {"values.O0.spv", "branch_ok"},
		{"values.O0.zebin", "branch_uninit"}, {"values.O0.zebin", "member_ok"},
	} {
		t.Run(c.object+"/"+c.kernel, func(t *testing.T) {
			straight, winding := defective(t, c.object, c.kernel), defective(t, c.object, c.kernel)
			want := found(t, straight, false)
			got := found(t, winding, true)
			if (want == 0) != strings.HasSuffix(c.kernel, "_ok") {
				t.Errorf("%d stops:\n%s", want, strings.Join(straight.defects.shown, ""))
			}
			if got != want || !slices.Equal(winding.defects.shown, straight.defects.shown) {
				t.Errorf("%d stops, want %d:\n%s\nwant\n%s", got, want,
					strings.Join(winding.defects.shown, ""), strings.Join(straight.defects.shown, ""))
			}
		})
	}
}

// withoutNote is what is told of a defect, without what checkers say once beside it.
func withoutNote(text string) string {
	if note, rest, ok := strings.Cut(text, "\n"); ok && strings.HasPrefix(note, "check: ") {
		return rest
	}
	return text
}

// TestDefectsAgain: who goes back before what was found, and on from there, finds the same at the same times.
func TestDefectsAgain(t *testing.T) {
	for _, c := range []struct{ object, kernel string }{
		{"defects.O0.co", "tile_race"}, {"defects.O2.ptx", "again_race"}, {"defects.O0.spv", "count_race"},
		{"defects.O0.zebin", "sides_race"}, {"defects.O0.co", "private_uninit"},
		{"registers.co", "vector_wait"},
		{"defects.O2.co", "two_barrier"},
	} {
		t.Run(c.object+"/"+c.kernel, func(t *testing.T) {
			s := defective(t, c.object, c.kernel)
			type stop struct {
				time uint64
				text string
			}
			run := func() (all []stop) {
				for range 100 {
					var console bytes.Buffer
					s.Threads()
					ended, err := s.Resume(context.Background(),
						rsp.Resumption{Actions: []rsp.Action{letAllRun},
							Console: &console})
					if err != nil {
						t.Fatal(err)
					}
					if ended.Kind != rsp.Stopped {
						return all
					}
					all = append(all, stop{s.past.Now(), withoutNote(console.String())})
				}
				t.Fatal("no end")
				return nil
			}
			want := run()
			if len(want) == 0 {
				t.Fatal("nothing is found")
			}
			for _, at := range []uint64{0, want[0].time - 1, want[0].time / 2} {
				if err := s.past.Goto(at); err != nil {
					t.Fatal(err)
				}
				if got := run(); !slices.Equal(got, want) {
					t.Errorf("from %d: %v\nwant\n%v", at, got, want)
				}
			}
			if got := len(s.defects.shown); got > len(want) {
				t.Errorf("%d texts are kept of %d stops", got, len(want))
			}
		})
	}
}

// TestDefectsForgotten: of two defects of one instruction the second is reported after the first, but not to
// who has gone back between them: both are found again when their time comes again.
func TestDefectsForgotten(t *testing.T) {
	s := defective(t, "parts.O0.ptx", "added_uninit")
	report := func() (at uint64, text string) {
		var console bytes.Buffer
		s.Threads()
		if _, err := s.Resume(context.Background(), rsp.Resumption{Actions: []rsp.Action{letAllRun},
			Console: &console}); err != nil {
			t.Fatal(err)
		}
		return s.past.Now(), console.String()
	}
	time, first := report()
	if len(s.defects.pending) != 1 {
		t.Fatalf("%d defects are left at time %d", len(s.defects.pending), time)
	}
	if err := s.past.Goto(time / 2); err != nil {
		t.Fatal(err)
	}
	if at, text := report(); at != time || text != first {
		t.Errorf("at time %d\n%s\nwant at %d\n%s", at, text, time, first)
	}
	if at, text := report(); at != time || text == first || !strings.Contains(text, "check ") {
		t.Errorf("at time %d\n%s\nwant another defect at %d", at, text, time)
	}
}

// TestDefectsHeld: what the history's snapshots keep of checkers counts for its limit, and is given back.
func TestDefectsHeld(t *testing.T) {
	s := checkedSession(t, check.Race|check.Uninit, "--launch",
		filepath.Join(testdata, "launch", "matmul.json"))
	for range 40 {
		if _, err := s.advance(100); err != nil {
			t.Fatal(err)
		}
	}
	s.Remember(DefaultHistory)
	c := s.defects.checker
	if c.Held() < 1<<12 || s.past.Held() < s.machine.Held()+c.Held() {
		t.Errorf("%d bytes are held, of the machine %d, of checkers %d", s.past.Held(), s.machine.Held(),
			c.Held())
	}
	s.past.Release()
	if c.Held() != 0 {
		t.Errorf("%d bytes are held after the end", c.Held())
	}
}

// TestDefectsFull: where what checkers know does not fit, that is said once and the program goes on.
func TestDefectsFull(t *testing.T) {
	s := checkedSession(t, check.All, "--launch", filepath.Join(testdata, "launch", "matmul.json"))
	s.defects.checker.Limit = 1 << 16
	var console bytes.Buffer
	stop, err := s.Resume(context.Background(), rsp.Resumption{Actions: []rsp.Action{letAllRun},
		Console: &console})
	if err != nil || stop.Kind == rsp.Stopped {
		t.Fatal(stop, err)
	}
	if n := strings.Count(console.String(), "from here on no race,uninit is looked for"); n != 1 {
		t.Errorf("it is said %d times: %q", n, console.String())
	}
}

// TestDefectsWritten: what the client writes has contents.
func TestDefectsWritten(t *testing.T) {
	s := defective(t, "defects.O2.co", "output_uninit")
	if err := s.WriteMemory(rsp.AnyThread, s.prog.Buffers[1].Region.Base, make([]byte, 4*256)); err != nil {
		t.Fatal(err)
	}
	if n := found(t, s, false); n != 0 {
		t.Errorf("%d stops", n)
	}
	if n := found(t, defective(t, "defects.O2.co", "output_uninit"), false); n == 0 {
		t.Error("nothing is found where nothing is written")
	}
}

// TestDefectsLater: a checker that begins in the middle takes what was written before for written.
func TestDefectsLater(t *testing.T) {
	s := sessionFor(t, "--launch", filepath.Join(testdata, "launch", "matmul.json"))
	s.Remember(DefaultHistory)
	for range 40 {
		if _, err := s.advance(100); err != nil {
			t.Fatal(err)
		}
	}
	s.LookFor(check.All)
	if err := s.past.Goto(1000); err != nil { // before it began
		t.Fatal(err)
	}
	if n := found(t, s, true); n != 0 {
		t.Errorf("%d stops:\n%s", n, strings.Join(s.defects.shown, ""))
	}
}

// TestDefectsOffAndOn: a checker that has not looked for a while takes what was written meanwhile for
// written, in registers too.
func TestDefectsOffAndOn(t *testing.T) {
	for _, object := range []string{"values.O0.co", "values.O0.ptx", "values.O0.spv", "values.O0.zebin"} {
		for _, off := range []int{3, 20, 150} {
			s := defective(t, object, "sum_ok")
			for _, c := range []struct {
				kinds check.Kinds
				steps int
			}{{check.All, 2}, {0, off}, {check.All, 1}, {0, off}} {
				s.LookFor(c.kinds)
				for range c.steps {
					if _, err := s.advance(20); err != nil {
						t.Fatal(err)
					}
				}
			}
			s.LookFor(check.All)
			if n := found(t, s, true); n != 0 {
				t.Errorf("%s, off for %d: %d stops:\n%s", object, off, n, strings.Join(s.defects.shown, ""))
			}
		}
	}
}
