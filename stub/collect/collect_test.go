package collect

import "testing"

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
