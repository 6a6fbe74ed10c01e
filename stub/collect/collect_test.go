package collect

import (
	"runtime"
	gc "runtime/debug"
	"testing"
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
