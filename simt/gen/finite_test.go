package gen

import (
	"fmt"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/check"
)

// TestMadeOfFinite: who looks for NaNs and infinities is told where an instruction of exec.asm makes one of
// finite numbers, and of none that it hands on. r12 is 0, 1, the greatest float, infinite and a NaN, -1, 2
// and 0; r14 is 0, 0, the greatest float, 0, 1, infinite, 1 and 1.
func TestMadeOfFinite(t *testing.T) {
	const infinity, nan = "an infinity is made of finite numbers", "a NaN is made of finite numbers"
	a := assembledFrom(t, "testdata/exec.txt")
	for name, want := range map[string]string{
		"add-f": "0x4: " + infinity, "sub-f": "", "mul-f": "0x4: " + infinity,
		"inv": "0x81: " + infinity, "fdiv": "0x1: " + nan + "\n0x2: " + infinity,
		"log-f": "0x81: " + infinity, "rsqt-f": "0x81: " + infinity, "sqt": "", "mul-d": "",
	} {
		b := newBench(t, 8)
		b.set(12, [8]uint32{0, 0x3f800000, 0x7f7fffff, 0x7f800000, 0x7fc00000, 0xbf800000, 0x40000000, 0})
		b.set(14, [8]uint32{0, 0, 0x7f7fffff, 0, 0x3f800000, 0x7f800000, 0x3f800000, 0x3f800000})
		var told []string
		checker := check.New(b.m, check.NaN)
		checker.Sink = func(r *check.Report) bool {
			told = append(told, fmt.Sprintf("%#x: %s", r.Lanes, r.What))
			return false
		}
		checker.Attach()
		b.load(a[name])
		if ev := b.core.Run(b.w, 1); ev.Kind != simt.NoEvent {
			t.Fatalf("%s: %v %+v", name, ev.Kind, ev.Fault)
		}
		if got := strings.Join(told, "\n"); got != want {
			t.Errorf("%s\n%s\nwant\n%s", name, got, want)
		}
	}
}
