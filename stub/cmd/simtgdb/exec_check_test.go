//go:build linux

package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// defectsHIP compiles the host program that launches kernels with HIP.
func defectsHIP(t *testing.T) string {
	t.Helper()
	_, dir := libraries()
	if dir == "" {
		t.Skip("skipped: no C compiler")
	}
	program := filepath.Join(t.TempDir(), "program")
	c := exec.Command("cc", "-O1", "-w", "defects_hip.c", "-o", program, "-L"+dir, "-l:libamdhip64.so.5")
	c.Dir = hostPrograms
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// checkedLaunches are kernels that host programs launch, in this order, and what is reported of them.
var checkedLaunches = []struct {
	name, check, object string
	kernels             []string
	status              int
	want                []string // on standard error, in this order
}{
	{"correct", "all", "defects.O0.co", []string{"tile_ok", "array_ok", "local_ok", "private_ok", "left_ok"}, 0,
		nil},
	{"race", "race", "defects.O0.co", []string{"tile_ok", "tile_race"}, statusFault,
		[]string{"launch 2, number 1 of kernel tile_race: check race: data race", "(defects.cl:12)", "missing"}},
	{"bounds", "bounds", "arrays.O0.co", []string{"before_bounds", "before_ok", "before_bounds"}, statusFault,
		[]string{"launch 1, number 1 of kernel before_bounds: check bounds: the source has an element of \"b\"",
			"lane         0 of wave 0, first of 2: 0,32", "(arrays.cl:18)",
			"launch 3, number 2 of kernel before_bounds: check bounds"}},
	{"uninit", "uninit", "defects.O2.co", []string{"local_uninit"}, statusFault,
		[]string{"kernel local_uninit: check uninit: nothing has written what is read", "(defects.cl:123)"}},
	{"barrier", "barrier", "defects.O0.co", []string{"half_ok", "half_barrier"}, statusFault,
		[]string{"kernel half_barrier: check barrier:", "(defects.cl:"}},
	{"not looked for", "barrier,race", "arrays.O0.co", []string{"before_bounds"}, 0, nil},
}

// TestExecChecked: what host programs launch is looked through, the program's own status is kept where
// nothing is found, and it goes on where something is.
func TestExecChecked(t *testing.T) {
	programs := map[string]string{"HIP": defectsHIP(t), "OpenCL": buildOpenCLProgram(t, "defects_opencl.c")}
	for api, program := range programs {
		for _, c := range checkedLaunches {
			t.Run(api+"/"+c.name, func(t *testing.T) {
				flags := []string{"--check", c.check, "--source", checkObjects + "src"}
				r := execute(t, flags, append([]string{program, checkObjects + c.object}, c.kernels...)...)
				want := strings.Join(c.kernels, ": done\n") + ": done\n"
				if r.status != c.status || r.out != want {
					t.Errorf("status %d, want %d: %q, want %q\n%s", r.status, c.status, r.out, want, r.err)
				}
				if missing := inOrder(r.err, c.want); missing != "" || len(c.want) == 0 && r.err != "" {
					t.Errorf("no %q in its place in\n%s", missing, r.err)
				}
			})
		}
	}
}

// TestExecCheckedGDB: launches that gdb does not stop at are looked through beside the one that it does, and
// the status says so.
func TestExecCheckedGDB(t *testing.T) {
	needGDB(t)
	program := buildOpenCLProgram(t, "defects_opencl.c")
	flags := append(gdbCommands("backtrace", "continue"), "--check", "race,bounds", "--source",
		checkObjects+"src", "--break", "before_ok")
	r := execute(t, flags, program, checkObjects+"arrays.O0.co", "before_bounds", "before_ok", "store_bounds")
	if missing := inOrder(r.out, []string{"#0  before_ok (", "store_bounds: done\n"}); missing != "" {
		t.Errorf("no %q in its place in\n%s\n%s", missing, r.out, r.err)
	}
	if missing := inOrder(r.err, []string{"kernel before_bounds: check bounds",
		"kernel store_bounds: check bounds"}); missing != "" || r.status != statusFault {
		t.Errorf("status %d; no %q in its place in\n%s\n%s", r.status, missing, r.out, r.err)
	}
}
