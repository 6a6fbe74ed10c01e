package stub

import "testing"

func TestLaneRanges(t *testing.T) {
	for mask, want := range map[uint64]string{0: "", 1: "0", 0b1011: "0-1,3", ^uint64(0): "0-63",
		1<<63 | 1<<61: "61,63"} {
		if got := laneRanges(mask); got != want {
			t.Errorf("%#x: %q, want %q", mask, got, want)
		}
	}
}
