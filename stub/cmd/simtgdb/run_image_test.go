package main

import (
	"strings"
	"testing"
)

// TestRunImages gives kernels of Gen9 an image to read, and one to write.
func TestRunImages(t *testing.T) {
	object := hostPrograms + "/images.gen9.zebin"
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--kernel", "all_ui", "--grid", "4", "--block", "4", "--arg", "buf:u32[16]", "--arg",
			"image:r32_uint[2x2]=iota", "--print", "0"}, "  [0] 0 0 0 1 1 0 0 1\n  [8] 2 0 0 1 3 0 0 1\n"},
		{[]string{"--kernel", "put_ui", "--grid", "2,2", "--block", "2,2", "--arg", "image:r32_uint[2x2]", "--print", "0"},
			"   0 0 100\n   1 0 100\n"},
	} {
		r := simtgdb(t, append([]string{"run", object}, c.args...)...)
		if r.status != 0 || !strings.Contains(r.out+r.err, c.want) {
			t.Errorf("%v: status %d: %s%s, want %q", c.args, r.status, r.out, r.err, c.want)
		}
	}
}
