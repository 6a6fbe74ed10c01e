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

// TestDefectsBack: what is found does not depend on whether the program goes back and forth, and
// nothing is found twice.
func TestDefectsBack(t *testing.T) {
	for _, c := range []struct{ object, kernel string }{
		{"defects.O0.co", "tile_race"}, {"defects.O2.co", "again_race"}, {"defects.O0.spv", "count_race"},
		{"defects.O2.ptx", "tile_race"}, {"defects.O0.zebin", "again_race"}, {"defects.O0.co", "local_uninit"},
		{"defects.O0.co", "two_barrier"}, {"defects.O0.co", "private_uninit"}, {"registers.co", "vector_wait"},
		{"registers.co", "moved_ok"}, {"defects.O0.co", "again_ok"},
	} {
		t.Run(c.object+"/"+c.kernel, func(t *testing.T) {
			straight, winding := defective(t, c.object, c.kernel), defective(t, c.object, c.kernel)
			want := found(t, straight, false)
			got := found(t, winding, true)
			if (want == 0) != strings.HasSuffix(c.kernel, "_ok") {
				t.Errorf("%d stops:\n%s", want, strings.Join(straight.defects.shown, ""))
			}
			if got != want || !slices.Equal(winding.defects.shown, straight.defects.shown) {
				t.Errorf("%d stops, want %d:\n%s\nwant\n%s", got, want, strings.Join(winding.defects.shown, ""),
					strings.Join(straight.defects.shown, ""))
			}
		})
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
