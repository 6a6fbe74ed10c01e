package main

import (
	"strings"
	"testing"
)

// TestReportsNameNullPointers: on every machine a fault near address 0 names the arguments that are null, and no
// other fault does.
func TestReportsNameNullPointers(t *testing.T) {
	const in, out, null = "buf:i32[512]=iota", "buf:i32[512]=zero", "u64:0"
	for object, name := range map[string]string{"O0.co": " (in)", "O2.co": " (in)", "O0.ptx": " (in)", "O0.spv": " (in)",
		"O2.spv": "", "some_barrier.O0.zebin": " (in)", "O2.zebin": " (in)"} {
		for _, c := range []struct {
			kernel, in, out, want string
		}{
			{"some_barrier", null, out, "argument 0" + name + " is null\n"},
			{"some_barrier", null, null, "argument 0" + name + " and argument 1" +
				strings.Replace(name, "in", "out", 1) + " are null\n"},
			{"some_barrier", in, null, "argument 1" + strings.Replace(name, "in", "out", 1) + " is null\n"},
			{"far_fault", in, null, ""},
		} {
			file := checkObjects + "calls." + object
			if strings.HasPrefix(object, "some_barrier") && c.kernel != "some_barrier" {
				continue
			}
			r := simtgdb(t, "run", file, "--kernel", c.kernel, "--arg", c.in, "--arg", c.out, "--grid", "128",
				"--block", "128")
			if r.status != statusFault || !strings.Contains(r.err, c.want) ||
				c.want == "" && strings.Contains(r.err, "null") {
				t.Errorf("%s %s %s %s: status %d, want %q in\n%s", object, c.kernel, c.in, c.out, r.status, c.want, r.err)
			}
		}
	}
}
