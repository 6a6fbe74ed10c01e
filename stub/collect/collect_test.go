package collect

import (
	"runtime"
	gc "runtime/debug"
	"testing"
	"time"
)

// TestPercent: garbage has four times the room of what is in use, then 256 MiB, then as much as what is in
// use.
func TestPercent(t *testing.T) {
	for live, want := range map[uint64]int{0: 400, 1 << 20: 400, 64 << 20: 400, 128 << 20: 200,
		256 << 20: 100, 8 << 30: 100} {
		if got := percent(live); got != want {
			t.Errorf("%d bytes in use: %d %%, want %d %%", live, got, want)
		}
	}
}

// TestInUse: what a collection has left is found by the size at which the next one is due.
func TestInUse(t *testing.T) {
	for _, percent := range []int{100, 400} {
		defer gc.SetGCPercent(gc.SetGCPercent(percent))
		kept := make([]byte, 16<<20)
		runtime.GC()
		if got := inUse(percent); got < 15<<20 || got > 26<<20 {
			t.Errorf("%d %%: %d bytes in use, of 16 MiB and little else", percent, got)
		}
		runtime.KeepAlive(kept)
	}
}

// TestLessOften: garbage is collected as seldom as what is in use allows after each collection; where the
// environment says how often, that stays.
func TestLessOften(t *testing.T) {
	own := gc.SetGCPercent(100)
	t.Cleanup(func() { gc.SetGCPercent(own) })
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		t.Setenv("GOGC", "")
		t.Setenv("GOMEMLIMIT", "")
		t.Setenv(name, "100")
		LessOften()
		if got := gc.SetGCPercent(100); got != 100 {
			t.Errorf("%s is set: %d %%", name, got)
		}
	}
	t.Setenv("GOMEMLIMIT", "")
	LessOften()
	if got := gc.SetGCPercent(leastOften); got != 400 {
		t.Errorf("at first: %d %%", got)
	}
	// 160 MiB have 256 MiB of garbage beside them: 160 %.
	for _, c := range []struct{ inUse, least, most int }{{160 << 20, 145, 160}, {0, 400, 400},
		{160 << 20, 145, 160}} {
		kept := make([]byte, c.inUse)
		got := 0
		for end := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
			runtime.GC()
			got = gc.SetGCPercent(leastOften)
			gc.SetGCPercent(got)
			if got >= c.least && got <= c.most {
				break
			} else if time.Now().After(end) {
				t.Fatalf("%d bytes in use: %d %%, want from %d to %d", c.inUse, got, c.least, c.most)
			}
		}
		runtime.KeepAlive(kept)
	}
}
