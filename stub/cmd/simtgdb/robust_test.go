package main

import (
	"strings"
	"testing"
)

// TestRobustLDS: a kernel that is launched with less LDS than it uses ends by a fault; with --robust it gets
// LDS as hardware allocates it, and comes to its results where that is enough. Beyond that it reads 0, which
// checkers tell of. Machines without such a rule refuse the flag.
func TestRobustLDS(t *testing.T) {
	launch := func(local string, flags ...string) result {
		args := []string{"run", "--launch", "../../../testdata/launch/reduce_cl.json",
			"--arg", "buf:f32[500]=random:1", "--arg", "buf:f32[4]=zero", "--arg", "buf:f32[4]=zero",
			"--arg", "local:" + local, "--arg", "i32:500",
			"--expect", "1=../../../testdata/launch/reduce_cl.sums.bin",
			"--expect", "2=../../../testdata/launch/reduce_cl.tops.bin"}
		return simtgdb(t, append(args, flags...)...)
	}
	for _, c := range []struct {
		local, flags string
		status       int
		want         string
	}{
		{"400", "", statusFault, "the workgroup has 656 bytes of LDS"}, // 256 of them are the kernel's own
		{"400", "--robust", 0, "argument 1 (sums): all 4 elements are as expected"},
		{"100", "--robust", 1, "argument 1 (sums): 4 of 4 elements differ"},
		{"100", "--robust --check=bounds", statusFault, "writes beyond the workgroup's LDS of 512 bytes"},
	} {
		r := launch(c.local, strings.Fields(c.flags)...)
		if r.status != c.status || !strings.Contains(r.out+r.err, c.want) {
			t.Errorf("%s bytes %s: status %d, want %d and %q in\n%s%s", c.local, c.flags, r.status, c.status,
				c.want, r.out, r.err)
		}
	}
	r := simtgdb(t, "run", "--robust", "../../../testdata/ptx/co/reduce_warp.O2.ptx",
		"--grid", "64", "--block", "64", "--arg", "buf:u32[256]=zero", "--arg", "buf:u32[256]=zero",
		"--arg", "i32:64")
	if want := "and for AMD's processors, of local memory"; r.status == 0 || !strings.Contains(r.err, want) {
		t.Errorf("PTX: status %d, want %q in\n%s", r.status, want, r.err)
	}
}
